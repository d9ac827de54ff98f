#!/usr/bin/env python3
"""Packs three descriptions, installs each package next to the others, and uses all of them in one program per language, against running Java
services.

    run.py                       all languages, the runtime in the packages and in one of its own
    run.py --only TEXT           checks whose name contains TEXT
    run.py --without LANGUAGES   leaves languages out; the last line says so

lab and stock import the same package; twin has the package of lab, and types of the same names. The last line is `N passed, N failed`.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import traceback
import xml.etree.ElementTree as ElementTree
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(ROOT / "tests"))

from environments import NEWEST, OLDEST, new_environment  # noqa: E402 # it is found by the line before

CREO = os.environ.get("CREO", str(ROOT / "target/debug/creo"))
PROGRAMS = HERE / "programs"
NAMES = ("lab", "stock", "twin")
VERSION = "1.4.0-rc.2"
# Each has other parts of the runtime.
WIRES = {"lab": "binary,soap,tdxml,json", "stock": "binary,json", "twin": "binary"}
PYTHON_VERSION = "1.4.0rc2"
# Programs end before a JVM has compiled them well, and what pip installs runs once.
SURROUNDINGS = {"JAVA_TOOL_OPTIONS": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC", "PIP_COMPILE": "0"}
# What each program prints: a value of lab with its default, one of stock, one of twin, a declared exception.
LINES = {"1.0 2.0 3.5 {note}", "bolt 5.0 4.0 7", "42", "no nothing"}


def run(*command: str | pathlib.Path, cwd: pathlib.Path | None = None, env: dict[str, str] | None = None) -> str:
    """Runs a program that must end well, and gives what it prints."""
    done = subprocess.run([str(word) for word in command], cwd=cwd, env={**os.environ, **(env or {})}, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    if done.returncode:
        raise AssertionError(f"{' '.join(map(str, command))[:300]}: exit code {done.returncode}\n{done.stdout[-3000:]}{done.stderr[-3000:]}")
    return done.stdout


def check(condition: bool, message: str) -> None:
    if not condition:
        raise AssertionError(message)


def printed(text: str, note: str) -> None:
    """Whether a program printed what all of them print."""
    wanted = {line.format(note=note) for line in LINES}
    check(set(text.splitlines()) == wanted, f"printed {text!r} instead of {wanted}")


@dataclass
class Place:
    """A folder for the packages and all that is made with them, and the ports of the services."""

    root: pathlib.Path
    port: str = ""
    twin: str = ""

    def packages(self, runtime: str) -> pathlib.Path:
        return self.root / runtime

    def new(self, name: str) -> pathlib.Path:
        folder = self.root / name
        folder.mkdir(parents=True)
        return folder

    @property
    def ports(self) -> tuple[str, str]:
        return self.port, self.twin


def pack(out: pathlib.Path, runtime: str, targets: str = "java,python,c,csharp") -> None:
    for name in NAMES:
        more = ["--package", "org.example.twin"] if name == "twin" else []
        # Documentation is the slow part: once is enough.
        more += [] if name == "lab" and runtime == "copy" else ["--no-docs"]
        run(CREO, "pack", HERE / f"{name}.creo", "--version", VERSION, "--wires", WIRES[name], "--runtime", runtime, "--target", targets, "--out", out, *more)


@contextlib.contextmanager
def service(place: Place, name: str, program: str, descriptions: list[str]) -> Iterator[str]:
    """A Java service of code that is generated as its developer generates it; gives its port."""
    folder = place.new(name)
    run(CREO, "generate", *(HERE / description for description in descriptions), "-t", "java", "-o", folder / "generated")
    sources = [str(path) for path in (folder / "generated").rglob("*.java")]
    (folder / "sources").write_text("\n".join([*sources, str(PROGRAMS / f"{program}.java")]))
    run("javac", "-proc:none", "-d", folder / "classes", f"@{folder / 'sources'}")
    with subprocess.Popen(["java", "-cp", str(folder / "classes"), program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None and process.stdout is not None
        try:
            yield process.stdout.readline().strip()
        finally:
            process.stdin.close()


def layout(place: Place) -> None:
    """The packages are there, by the names of their registries, and nothing else is."""
    names = sorted(path.name for path in place.packages("copy").iterdir())
    wanted = []
    for name in NAMES:
        wanted += [f"{name}-{VERSION}.jar", f"{name}-{VERSION}-sources.jar", f"{name}-{PYTHON_VERSION}-py3-none-any.whl", f"{name}-{VERSION}.tar.gz", f"{name}.{VERSION}.nupkg"]
    wanted.append(f"lab-{VERSION}-javadoc.jar")
    check(names == sorted(wanted), f"{names}")
    with zipfile.ZipFile(place.packages("copy") / f"lab-{VERSION}-javadoc.jar") as docs:
        check("org/example/lab/LabClient.html" in docs.namelist(), "no documentation of LabClient")


def reproducible(place: Place) -> None:
    """The same descriptions give the same bytes."""
    again = place.root / "again"
    run(CREO, "pack", HERE / "lab.creo", "--version", VERSION, "--wires", WIRES["lab"], "--out", again)
    for path in again.iterdir():
        check(path.read_bytes() == (place.packages("copy") / path.name).read_bytes(), f"{path.name} differs")


def java(place: Place, runtime: str) -> None:
    jars = [place.packages(runtime) / f"{name}-{VERSION}.jar" for name in NAMES]
    folder = place.new(f"java-{runtime}")
    if runtime == "package":
        (folder / "sources").write_text("\n".join(map(str, sorted((ROOT / "runtimes/java/src/main/java").rglob("*.java")))))
        run("javac", "-proc:none", "-d", folder / "runtime", f"@{folder / 'sources'}")
        jars.append(folder / "runtime")
    path = os.pathsep.join(map(str, jars))
    run("javac", "-Xlint:all", "-Werror", "-cp", path, "-d", folder / "classes", PROGRAMS / "java/Both.java")
    printed(run("java", "-cp", f"{path}{os.pathsep}{folder / 'classes'}", "both.Both", *place.ports), "creo_java")
    # As modules, too. Modules whose name is in the manifest alone come without a declaration of what they need.
    lint = ["-Xlint:all", "-Werror"] if runtime == "copy" else []
    module = (PROGRAMS / "java/module-info.java").read_text()
    if runtime == "package":
        module = module.replace("{\n", "{\n    requires creo.runtime;\n", 1)
    (folder / "module-info.java").write_text(module)
    run("javac", *lint, "-p", path, "-d", folder / "module", PROGRAMS / "java/Both.java", folder / "module-info.java")
    printed(run("java", "-p", f"{path}{os.pathsep}{folder / 'module'}", "-m", "both/both.Both", *place.ports), "creo_java")


def java_sources(place: Place) -> None:
    """The sources make the classes."""
    folder = place.new("java-sources")
    with zipfile.ZipFile(place.packages("copy") / f"lab-{VERSION}-sources.jar") as jar:
        jar.extractall(folder)
    run("javac", "-proc:none", "--release", "17", "-d", folder / "classes", *folder.rglob("*.java"))
    built = {str(path.relative_to(folder / "classes")) for path in (folder / "classes").rglob("*.class")}
    with zipfile.ZipFile(place.packages("copy") / f"lab-{VERSION}.jar") as jar:
        packed = {name for name in jar.namelist() if name.endswith(".class")}
        manifest = jar.read("META-INF/MANIFEST.MF").decode()
        pom = jar.read("META-INF/maven/org.example.lab/lab/pom.xml").decode()
        check(jar.namelist()[0] == "META-INF/MANIFEST.MF", "the manifest does not come first")
    check(built == packed, f"{built ^ packed}")
    check(f"Implementation-Version: {VERSION}\r\n" in manifest, manifest)
    check(ElementTree.fromstring(pom).findtext("{http://maven.apache.org/POM/4.0.0}version") == VERSION, pom)


def venv(folder: pathlib.Path, packages: pathlib.Path, base: pathlib.Path) -> pathlib.Path:
    """The Python of a virtual environment with the wheels."""
    python = new_environment(base, folder) / "python"
    wheels = [packages / f"{name}-{PYTHON_VERSION}-py3-none-any.whl" for name in NAMES]
    run(python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-index", *wheels)
    return python


def python_wheels(place: Place, runtime: str, base: pathlib.Path) -> None:
    folder = place.root / f"python-{runtime}-{base.name}"
    python = venv(folder, place.packages(runtime), base)
    env = {"PYTHONPATH": str(ROOT / "runtimes/python/src") if runtime == "package" else "", "PYTHONWARNINGS": "error"}
    printed(run(python, PROGRAMS / "both.py", *place.ports, cwd=folder, env=env), "creo_python")
    run(python, "-m", "pip", "--disable-pip-version-check", "check")
    # One goes, the others stay as they are.
    run(python, "-m", "pip", "uninstall", "--quiet", "--yes", "lab")
    stock = f"from org.example.stock import StockClient as C\nfrom org.example.stock.common import Point as P\nprint(C('127.0.0.1', {place.port}).find('nut', P(1.0, 2.0)).count)"
    check(run(python, "-c", stock, cwd=folder, env=env) == "7\n", "stock does not work without lab")
    gone = run(python, "-c", "import importlib.util as u; print(u.find_spec('org.example.lab'))", cwd=folder, env=env)
    check(gone == "None\n", f"lab is still there: {gone}")


def python_types(place: Place) -> None:
    """A checker of types finds what the wheels declare."""
    python = venv(place.root / "python-types", place.packages("copy"), NEWEST)
    run(ROOT / "build/venv/bin/mypy", "--strict", "--no-incremental", "--python-executable", python, PROGRAMS / "both.py")


def extracted(place: Place, name: str, runtime: str, into: pathlib.Path) -> pathlib.Path:
    with tarfile.open(place.packages(runtime) / f"{name}-{VERSION}.tar.gz") as archive:
        archive.extractall(into, filter="data")
    return into / f"{name}-{VERSION}"


def c_make(place: Place, runtime: str) -> None:
    folder = place.new(f"c-make-{runtime}")
    prefix = folder / "installed"
    include = ROOT / "runtimes/c/include"
    for name in NAMES:
        source = extracted(place, name, runtime, folder)
        more = [f"CREO_INCLUDE={include}"] if runtime == "package" else []
        run("make", "-s", "-j2", "CFLAGS=-O1 -Werror", *more, cwd=source)
        run("make", "-s", "install", f"PREFIX={prefix}", *more, cwd=source)
    env = {"PKG_CONFIG_PATH": str(prefix / "lib/pkgconfig")}
    check(run("pkg-config", "--modversion", "creo_lab", env=env).strip() == "1.4.0~rc.2", "the version that pkg-config says")
    flags = run("pkg-config", "--cflags", "--libs", *(f"creo_{name}" for name in NAMES), env=env).split()
    if runtime == "package":
        flags += [f"-I{include}", "-DSHARED_RUNTIME", *map(str, sorted((ROOT / "runtimes/c/src").rglob("*.c")))]
        # The modules need libraries of their own: jms, jms+streams, wss.
        flags = [flag for flag in flags if not re.search(r"/(jms|wss)[/+]", flag)]
        flags += [flag for flag in flags if flag.startswith("-l")]
    run("cc", "-std=c11", "-D_POSIX_C_SOURCE=200809L", "-Wall", "-Wextra", *(["-Werror"] if runtime == "copy" else []), "-o", folder / "both", PROGRAMS / "both.c", *flags)
    printed(run(folder / "both", *place.ports), "creo_x")


def c_cmake(place: Place) -> None:
    folder = place.new("c-cmake")
    prefix = folder / "installed"
    for name in NAMES:
        source = extracted(place, name, "copy", folder)
        run("cmake", "-S", source, "-B", source / "b", f"-DCMAKE_INSTALL_PREFIX={prefix}")
        run("cmake", "--build", source / "b", "-j2")
        run("cmake", "--install", source / "b")
    program = folder / "program"
    program.mkdir()
    finds = "".join(f"find_package(creo_{name} REQUIRED)\ntarget_link_libraries(both PRIVATE creo_{name}::creo_{name})\n" for name in NAMES)
    (program / "CMakeLists.txt").write_text(
        f"cmake_minimum_required(VERSION 3.14)\nproject(both LANGUAGES C)\nadd_executable(both {PROGRAMS / 'both.c'})\n{finds}"
    )
    run("cmake", "-S", program, "-B", program / "b", f"-DCMAKE_PREFIX_PATH={prefix}")
    run("cmake", "--build", program / "b")
    printed(run(program / "b/both", *place.ports), "creo_x")


def c_hidden(place: Place) -> None:
    """A shared library of a program that uses the package hands on nothing of it."""
    folder = place.new("c-hidden")
    source = extracted(place, "lab", "copy", folder)
    run("make", "-s", "-j2", "CFLAGS=-O0", cwd=source)
    (folder / "own.c").write_text("#include <lab.creo.h>\nvoid own(lab_sample *sample);\nvoid own(lab_sample *sample) { lab_sample_init(sample); }\n")
    run("cc", "-shared", "-fPIC", f"-I{source / 'include'}", "-o", folder / "libown.so", folder / "own.c", "-Wl,--whole-archive", source / "build/libcreo_lab.a", "-Wl,--no-whole-archive")
    symbols = {line.split()[-1] for line in run("nm", "-D", "--defined-only", folder / "libown.so").splitlines()}
    check(symbols == {"own"}, f"{sorted(symbols)[:20]}")


def csharp(place: Place, runtime: str) -> None:
    folder = place.new(f"csharp-{runtime}")
    sources = folder / "sources"
    for name in NAMES:
        with zipfile.ZipFile(place.packages(runtime) / f"{name}.{VERSION}.nupkg") as package:
            check_package(name, package)
            # NuGet hands these files to the compiler: contentFiles, for C#, of the nearest framework.
            for entry in package.namelist():
                if entry.startswith("contentFiles/cs/net8.0/") and entry.endswith(".cs"):
                    package.extract(entry, sources)
    if runtime == "package":
        shutil.copytree(ROOT / "runtimes/csharp/src", sources / "runtime", ignore=shutil.ignore_patterns("Jms", "*.csproj"))
    # What a project imports for all of its files, unless it says otherwise.
    (sources / "GlobalUsings.cs").write_text("".join(f"global using global::{name};\n" for name in ("System", "System.Collections.Generic", "System.IO", "System.Linq", "System.Net.Http", "System.Threading", "System.Threading.Tasks")))
    # A project need not have nullable types; the sources of a package say for themselves that they have.
    nullable = ["-nullable"] if runtime == "package" else []
    program = folder / "Both.dll"
    run(ROOT / "scripts/dotnet/csc.sh", f"-out:{program}", "-target:exe", *nullable, "-warnaserror", f"-recurse:{sources}/*.cs", PROGRAMS / "Both.cs")
    printed(run(ROOT / "scripts/dotnet/run.sh", program, *place.ports), "creo_x")


def check_package(name: str, package: zipfile.ZipFile) -> None:
    """What NuGet asks of a package: a specification at the root, the kinds of all files, the relation to the specification."""
    spec = ElementTree.fromstring(package.read(f"{name}.nuspec"))
    at = {"n": "http://schemas.microsoft.com/packaging/2013/05/nuspec.xsd"}
    check((spec.findtext("n:metadata/n:id", "", at), spec.findtext("n:metadata/n:version", "", at)) == (name, VERSION), "the identity")
    kinds = {kind.get("Extension") for kind in ElementTree.fromstring(package.read("[Content_Types].xml"))}
    for entry in package.namelist():
        check(entry == "[Content_Types].xml" or entry.rsplit(".", 1)[-1] in kinds, f"{entry} is of no kind")
    relations = ElementTree.fromstring(package.read("_rels/.rels"))
    check([relation.get("Target") for relation in relations] == [f"/{name}.nuspec"], "the relation")


def build_files(place: Place, tool: str, command: list[str]) -> None:
    """The build files of a new project, and those that come with generated code, make a JAR."""
    folder = place.new(f"project-{tool}")
    run(CREO, "new", "weather", "--target", "java", cwd=folder)
    output = {"ant": "build", "maven": "target", "gradle": "build/libs"}[tool]
    for part in ("java", "generated/java"):
        where = folder / "weather" / part
        run(*command, cwd=where)
        jars = [path for path in (where / output).glob("*.jar")]
        check(len(jars) == 1, f"{part}: {jars}")
        with zipfile.ZipFile(jars[0]) as jar:
            check("org/example/weather/SeriesStoreClient.class" in jar.namelist(), f"{jars[0]} has no client")
            check(part != "java" or b"Main-Class: org.example.weather.app.Main" in jar.read("META-INF/MANIFEST.MF"), f"{jars[0]} has no main class")


def gradle() -> bool:
    """Whether there is a Gradle that knows the oldest JDK that generated code runs on."""
    if shutil.which("gradle") is None:
        return False
    version = re.search(r"^Gradle (\d+)\.(\d+)", run("gradle", "--version"), re.M)
    return version is not None and (int(version[1]), int(version[2])) >= (7, 3)


def checks() -> list[tuple[str, str, Callable[[Place], None]]]:
    """Name, language, check."""
    return [
        ("layout", "", layout),
        ("reproducible", "", reproducible),
        ("java", "java", lambda place: java(place, "copy")),
        ("java-runtime-package", "java", lambda place: java(place, "package")),
        ("java-sources", "java", java_sources),
        ("build-ant", "java", lambda place: build_files(place, "ant", ["ant", "-q"])),
        ("build-maven", "java", lambda place: build_files(place, "maven", ["mvn", "--batch-mode", "-q", "package"])),
        ("build-gradle", "java", lambda place: build_files(place, "gradle", ["gradle", "--offline", "-q", "jar"])),
        ("python-newest", "python", lambda place: python_wheels(place, "copy", NEWEST)),
        ("python-oldest", "python", lambda place: python_wheels(place, "copy", OLDEST)),
        ("python-runtime-package", "python", lambda place: python_wheels(place, "package", NEWEST)),
        ("python-types", "python", python_types),
        ("c-make", "c", lambda place: c_make(place, "copy")),
        ("c-runtime-package", "c", lambda place: c_make(place, "package")),
        ("c-cmake", "c", c_cmake),
        ("c-hidden", "c", c_hidden),
        ("csharp", "csharp", lambda place: csharp(place, "copy")),
        ("csharp-runtime-package", "csharp", lambda place: csharp(place, "package")),
    ]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help="checks whose name contains this")
    parser.add_argument("--without", default="", help="languages to leave out, separated by commas")
    arguments = parser.parse_args()
    os.environ |= SURROUNDINGS
    without = [word for word in arguments.without.split(",") if word]
    if "java" in without:
        # The services that all programs call are in Java.
        print("pack, not run: all (--without java)\n1 passed, 0 failed")
        return 0
    passed = failed = 0
    with tempfile.TemporaryDirectory(prefix="creo-pack-") as folder, contextlib.ExitStack() as stack:
        place = Place(pathlib.Path(folder))
        for runtime in ("copy", "package"):
            pack(place.packages(runtime), runtime)
        place.port = stack.enter_context(service(place, "serve", "Serve", ["lab.creo", "stock.creo"]))
        place.twin = stack.enter_context(service(place, "serve-twin", "Twin", ["twin.creo"]))
        for name, language, body in checks():
            if arguments.only not in name or language in without:
                continue
            if name == "build-gradle" and not gradle():
                print("pack, not run: build-gradle (there is no Gradle from version 7.3 on)")
                continue
            try:
                body(place)
                passed += 1
                print(f"ok      {name}", flush=True)
            except Exception:  # a check may fail in any way
                failed += 1
                print(f"FAILED  {name}\n{traceback.format_exc()}", flush=True)
    if without:
        print(f"pack, not run: {', '.join(without)} (--without)")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
