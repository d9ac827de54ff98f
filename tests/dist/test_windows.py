"""The C runtime for Windows: its archive and generated code compile and link by mingw-w64 without a warning, and call a service where wine can run them."""

from __future__ import annotations

import os
import pathlib
import shutil
import subprocess
from collections.abc import Callable

import pytest
from conftest import DESCRIPTION, run

Find = Callable[[str], pathlib.Path]
HERE = pathlib.Path(__file__).parent
COMPILER = "x86_64-w64-mingw32-gcc"
WINE = shutil.which("wine64") or next((path for path in ("/usr/lib/wine/wine64",) if os.path.exists(path)), None)
WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Werror"]
WIRES = ["binary", "binary", "json", "soap", "tdxml"]
TOOLCHAIN = f"set(CMAKE_SYSTEM_NAME Windows)\nset(CMAKE_C_COMPILER {COMPILER})\nset(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE BOTH)\n"
LISTS = """cmake_minimum_required(VERSION 3.19)
project(client LANGUAGES C)
find_package(creo REQUIRED)
creo_generate(lab lab.creo)
add_executable(client client.c)
target_link_libraries(client PRIVATE lab)
"""

pytestmark = pytest.mark.skipif(not shutil.which(COMPILER), reason=f"there is no {COMPILER} (Debian: gcc-mingw-w64-x86-64)")
needs_wine = pytest.mark.skipif(not WINE, reason="there is no wine64 (Debian: wine64)")


@pytest.fixture
def sources(package: Find, creo: pathlib.Path, version: str, tmp_path: pathlib.Path) -> pathlib.Path:
    """A folder with generated code, and the runtime in `creo`."""
    shutil.unpack_archive(package("c/creo-c-*.tar.gz"), tmp_path)
    (tmp_path / f"creo-c-{version}").rename(tmp_path / "creo")
    (tmp_path / "lab.creo").write_text(DESCRIPTION)
    run([creo, "generate", "lab.creo", "--target", "c", "--wires", "all", "--runtime", "package", "--out", "generated"], tmp_path)
    return tmp_path


def compiled(folder: pathlib.Path, program: str, compiler: str = COMPILER) -> pathlib.Path:
    """A program of tests/dist with the runtime and generated code in `folder`."""
    out = folder / f"{program}.exe"
    own = sorted((folder / "generated/c/src").glob("*.c"))
    include = ["-Icreo/include", "-Igenerated/c/include"]
    sources = [HERE / f"{program}.c", *own, "creo/src/creo.c"]
    run([compiler, "-std=c11", "-O2", *WARNINGS, *include, *sources, "-lws2_32" if compiler == COMPILER else "-lm", "-o", out], folder)
    return out


def wine(program: pathlib.Path, *words: str) -> str:
    assert WINE
    environment = {"WINEPREFIX": str(program.parent / "wine"), "WINEDEBUG": "-all"}
    # The first run makes the folder that is Windows.
    return run([WINE, program, *words], program.parent, environment=environment).out.replace("\r\n", "\n")


def test_a_client_compiles_and_links_without_a_warning(sources: pathlib.Path) -> None:
    program = compiled(sources, "client")
    assert program.read_bytes()[:2] == b"MZ"
    needed = run([f"{COMPILER.removesuffix('gcc')}objdump", "-p", program], sources).out
    libraries = {line.split()[-1].lower() for line in needed.splitlines() if "DLL Name" in line}
    # That of random bytes is linked by default.
    assert libraries == {"advapi32.dll", "kernel32.dll", "msvcrt.dll", "ws2_32.dll"}


def test_cmake_links_the_sockets(sources: pathlib.Path, creo: pathlib.Path) -> None:
    (sources / "toolchain.cmake").write_text(TOOLCHAIN)
    (sources / "CMakeLists.txt").write_text(LISTS)
    shutil.copy(HERE / "client.c", sources)
    run(["cmake", "-B", "build", "--toolchain", "toolchain.cmake", f"-DCMAKE_PREFIX_PATH={sources}/creo", f"-DCREO_EXECUTABLE={creo}"], sources)
    run(["cmake", "--build", "build"], sources)
    assert (sources / "build/client.exe").is_file()


def test_a_copied_runtime_links_by_its_own_lists(sources: pathlib.Path, creo: pathlib.Path) -> None:
    run([creo, "generate", "lab.creo", "--target", "c", "--wires", "all", "--out", "copied"], sources)
    lists = "cmake_minimum_required(VERSION 3.19)\nproject(client LANGUAGES C)\nadd_subdirectory(copied/c)\n"
    (sources / "CMakeLists.txt").write_text(f"{lists}add_executable(client client.c)\ntarget_link_libraries(client PRIVATE creo_lab)\n")
    (sources / "toolchain.cmake").write_text(TOOLCHAIN)
    shutil.copy(HERE / "client.c", sources)
    run(["cmake", "-B", "build", "--toolchain", "toolchain.cmake", f"-DCMAKE_C_FLAGS={' '.join(WARNINGS)}"], sources)
    run(["cmake", "--build", "build"], sources)
    assert (sources / "build/client.exe").is_file()


@needs_wine
def test_it_calls_a_service_on_every_wire(sources: pathlib.Path, creo: pathlib.Path) -> None:
    run([creo, "generate", "lab.creo", "--target", "java", "--wires", "all", "--out", "generated"], sources)
    run(["javac", "-d", "classes", "-sourcepath", "generated/java", HERE / "LabService.java"], sources)
    command = ["java", "-cp", "classes", "LabService"]
    with subprocess.Popen(command, cwd=sources, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as service:
        assert service.stdin and service.stdout
        try:
            port = service.stdout.readline().strip()
            said = wine(compiled(sources, "calls"), port)
            same = run([compiled(sources, "calls", "cc"), port], sources).out
        finally:
            service.stdin.close()
    calls = [f"{wire}: {size} values\n" for wire in WIRES for size in (3, 500_000, 0)]
    calls.insert(6, "late: deadline-exceeded\n")
    assert said == "".join(calls) + "cannot connect to 127.0.0.1:1: refused\nnowhere: unavailable\n"
    assert same == said
