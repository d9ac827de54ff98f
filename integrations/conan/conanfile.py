"""A recipe of the C runtime for Conan 2. Not tested: it was written without Conan at hand.

    tar xf creo-c-0.1.0.tar.gz && cp conanfile.py creo-c-0.1.0/ && conan create creo-c-0.1.0
"""

from conan import ConanFile
from conan.tools.cmake import CMake, cmake_layout


class Creo(ConanFile):
    name = "creo"
    version = "0.1.0"
    description = "Runtime of the C code that creo generates"
    license = "Apache-2.0"
    settings = "os", "arch", "compiler", "build_type"
    generators = "CMakeToolchain", "CMakeDeps"
    exports_sources = "src/*", "include/*", "cmake/*", "creo.pc", "CMakeLists.txt", "LICENSE"

    def configure(self):
        self.settings.rm_safe("compiler.libcxx")
        self.settings.rm_safe("compiler.cppstd")

    def layout(self):
        cmake_layout(self)

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        CMake(self).install()

    def package_info(self):
        self.cpp_info.libs = ["creo"]
        self.cpp_info.builddirs = ["lib/cmake/creo"]
        # What the archive's own files for CMake define.
        self.cpp_info.set_property("cmake_find_mode", "none")
        self.cpp_info.set_property("pkg_config_name", "creo")
