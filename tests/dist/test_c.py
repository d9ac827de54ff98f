"""The C runtime as CMake, pkg-config and make find it: from its archive, installed, and from the Debian packages."""

from __future__ import annotations

import pathlib
import shutil
from collections.abc import Callable

import pytest
from conftest import DESCRIPTION, run

Find = Callable[[str], pathlib.Path]
CLIENT = pathlib.Path(__file__).parent / "client.c"
SAID = '{"name":"CO2","values":[1,-2.5]}\nunavailable\n'
LISTS = """cmake_minimum_required(VERSION 3.19)
project(client LANGUAGES C)
find_package(creo {version} REQUIRED)
creo_generate(lab lab.creo)
add_executable(client client.c)
target_link_libraries(client PRIVATE lab)
"""
WAYS = ["archive", "make install", "cmake --install", "dpkg"]


@pytest.fixture
def sources(package: Find, version: str, tmp_path: pathlib.Path) -> pathlib.Path:
    """The archive of the C runtime, unpacked."""
    shutil.unpack_archive(package("c/creo-c-*.tar.gz"), tmp_path)
    return tmp_path / f"creo-c-{version}"


@pytest.fixture(scope="module")
def root(package: Find, tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """A folder into which both Debian packages are installed."""
    folder = tmp_path_factory.mktemp("root")
    (folder / "var/lib/dpkg/updates").mkdir(parents=True)
    (folder / "var/lib/dpkg/info").mkdir()
    (folder / "var/lib/dpkg/status").touch()
    # The C library is the machine's; scripts, of which there are none, would run in the folder.
    debs = [package("deb/creo_*.deb"), package("deb/libcreo-dev_*.deb")]
    run(["dpkg", f"--root={folder}", "--force-depends", "--force-not-root", "--install", *debs], folder)
    return folder


@pytest.fixture(scope="module")
def installation(package: Find, version: str, tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> pathlib.Path:
    """The prefix of the runtime, installed in the way that the test names. Tests only read it."""
    way: str = request.param
    folder = tmp_path_factory.mktemp("installation")
    shutil.unpack_archive(package("c/creo-c-*.tar.gz"), folder)
    sources, prefix = folder / f"creo-c-{version}", folder / "prefix"
    if way == "archive":
        return sources
    if way == "make install":
        # test_docs.py installs it with the flags of the makefile.
        run(["make", "install", "CFLAGS=-O0", f"PREFIX={prefix}"], sources)
    elif way == "cmake --install":
        run(["cmake", "-B", "build", f"-DCMAKE_INSTALL_PREFIX={prefix}", "-DCMAKE_INSTALL_LIBDIR=lib/x86_64-linux-gnu"], sources)
        run(["cmake", "--build", "build"], sources)
        run(["cmake", "--install", "build"], sources)
    else:
        root: pathlib.Path = request.getfixturevalue("root")
        return root / "usr"
    return prefix


def a_project(folder: pathlib.Path, version: str) -> pathlib.Path:
    folder.mkdir()
    (folder / "CMakeLists.txt").write_text(LISTS.format(version=version))
    (folder / "lab.creo").write_text(DESCRIPTION)
    shutil.copy(CLIENT, folder)
    return folder


@pytest.mark.parametrize("installation", WAYS, indirect=True)
def test_cmake_generates_and_builds(installation: pathlib.Path, creo: pathlib.Path, version: str, tmp_path: pathlib.Path) -> None:
    project = a_project(tmp_path / "project", version)
    run(["cmake", "-B", "build", f"-DCMAKE_PREFIX_PATH={installation}", f"-DCREO_EXECUTABLE={creo}", "-DCMAKE_LIBRARY_ARCHITECTURE=x86_64-linux-gnu"], project)
    run(["cmake", "--build", "build"], project)
    assert run(["build/client"], project).out == SAID


@pytest.mark.parametrize("installation", WAYS[1:], indirect=True)
def test_pkg_config_finds_the_runtime(installation: pathlib.Path, creo: pathlib.Path, version: str, tmp_path: pathlib.Path) -> None:
    folder = next(installation.rglob("creo.pc")).parent
    project = a_project(tmp_path / "project", version)
    paths = {"PKG_CONFIG_PATH": str(folder)}
    assert run(["pkg-config", "--modversion", "creo"], project, environment=paths).out == f"{version}\n"
    run([creo, "generate", "lab.creo", "--target", "c", "--runtime", "package", "--out", "generated"], project)
    include = run(["pkg-config", "--variable=includedir", "creo"], project, environment=paths).out.strip()
    run(["make", "-C", "generated/c", f"CREO_INCLUDE={include}"], project)
    flags = run(["pkg-config", "--cflags", "--libs", "creo"], project, environment=paths).out.split()
    run(["cc", "-std=c11", "-Igenerated/c/include", "client.c", "generated/c/build/libcreo_lab.a", *flags, "-o", "client"], project)
    assert run(["./client"], project).out == SAID


def test_cmake_builds_again_when_a_description_changes(sources: pathlib.Path, creo: pathlib.Path, version: str) -> None:
    project = a_project(sources.parent / "project", version)
    (project / "units.creo").write_text('@PACKAGE("org.example.units")\nenum Unit { METRE, SECOND }\n')
    text = DESCRIPTION.replace("\n\nstruct", '\nimport "units.creo";\n\nstruct', 1).replace("String name;", "String name;\n    org.example.units.Unit unit;", 1)
    (project / "lab.creo").write_text(text)
    run(["cmake", "-B", "build", f"-DCMAKE_PREFIX_PATH={sources}", f"-DCREO_EXECUTABLE={creo}"], project)
    run(["cmake", "--build", "build"], project)
    header = project / "build/lab-generated/c/include/units.creo.h"
    assert "MINUTE" not in header.read_text()
    assert "Building C object" not in run(["cmake", "--build", "build"], project).out
    # An import changes, and a file more is generated for a package more.
    (project / "units.creo").write_text('@PACKAGE("org.example.units")\nenum Unit { METRE, SECOND, MINUTE }\n')
    run(["cmake", "--build", "build"], project)
    assert "MINUTE" in header.read_text()
    before = header.read_bytes()
    (project / "units.creo").write_text('@PACKAGE("org.example.units")\nenum Unit { METRE; [x] "a;b" }\n')
    failed = run(["cmake", "--build", "build"], project, fails=True)
    assert f"{project}/units.creo:2:18: error: " in failed.text and "nothing was generated" in failed.text
    assert header.read_bytes() == before
    (project / "units.creo").write_text('@PACKAGE("org.example.units")\nenum Unit { METRE, SECOND }\n')
    run(["cmake", "--build", "build"], project)
    assert run(["build/client"], project).code == 0


def test_a_missing_or_old_program_stops_cmake(sources: pathlib.Path, old_creo: pathlib.Path, creo: pathlib.Path, version: str) -> None:
    project = a_project(sources.parent / "project", version)
    for program, said in [
        (old_creo, "is creo 0.0.9, and"),
        (pathlib.Path("/nowhere/creo"), "is not creo, or does not run"),
        (pathlib.Path("CREO_EXECUTABLE-NOTFOUND"), "there is no program creo"),
    ]:
        command = ["cmake", "-B", "build", f"-DCMAKE_PREFIX_PATH={sources}", f"-DCREO_EXECUTABLE={program}"]
        told = " ".join(run(command, project, fails=True).err.split())
        assert said in told and f"pip install creo-compiler=={version}" in told
    lists = (project / "CMakeLists.txt").read_text().replace(version, "7.0")
    (project / "CMakeLists.txt").write_text(lists)
    told = run(["cmake", "-B", "build", f"-DCMAKE_PREFIX_PATH={sources}", f"-DCREO_EXECUTABLE={creo}"], project, fails=True).err
    assert f"version: {version}" in told


def test_the_debian_packages_install(root: pathlib.Path, package: Find, version: str) -> None:
    assert run([root / "usr/bin/creo", "--version"], root).out == f"creo {version}\n"
    listed = run(["dpkg-query", f"--admindir={root}/var/lib/dpkg", "--show", "--showformat=${Package} ${Version} ${Status}\\n"], root).out
    assert listed == f"creo {version} install ok installed\nlibcreo-dev {version} install ok installed\n"
    sums = (root / "var/lib/dpkg/info/creo.md5sums").read_text()
    (root / "sums").write_text(sums)
    run(["md5sum", "--check", "--quiet", "sums"], root)
    for pattern in ("deb/creo_*.deb", "deb/libcreo-dev_*.deb"):
        assert {line.split()[1] for line in run(["dpkg-deb", "--contents", package(pattern)], root).out.splitlines()} == {"root/root"}


def test_the_program_runs_in_an_empty_container(creo: pathlib.Path, version: str, tmp_path: pathlib.Path) -> None:
    """What `FROM scratch` is: a root folder with the program alone. Of a debug program, that it needs libraries."""
    shutil.copy(creo, tmp_path / "creo")
    dynamic = "INTERP" in run(["readelf", "--wide", "--program-headers", creo], tmp_path).out
    ran = run(["chroot", tmp_path, "/creo", "--version"], tmp_path, fails=dynamic)
    assert dynamic or ran.out == f"creo {version}\n"
