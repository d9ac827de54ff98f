"""The servers of the HTTP benchmark: which there are, on which JDK they run, and how they are built."""

from __future__ import annotations

import os
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path

from . import machine
from .response_build import HERE as LOGS
from .tools import BENCH, BUILD, ROOT, Failed, ensure, fresh, generate, run, say

HERE = BUILD / "http"
SOURCES = BENCH / "services" / "echo"
LOAD = BENCH / "services" / "java" / "creo" / "bench" / "messages" / "Load.java"
# Creo as another checkout has it, measured in the same run.
BEFORE = "creo-before"


@dataclass(frozen=True)
class Peer:
    # Its class, or its Python program.
    service: str
    # The oldest JDK that it runs on.
    release: int = 17
    options: tuple[str, ...] = ()
    arguments: tuple[str, ...] = ()


# Without its property, an answer waits for the acknowledgement of the one before.
NO_DELAY = ("-Dsun.net.httpserver.nodelay=true",)
PEERS = {
    "creo": Peer("CreoService"),
    BEFORE: Peer("CreoService"),
    # On one thread, which is quicker with one connection, and on a pool, which is quicker with many.
    "jdk": Peer("JdkService", options=NO_DELAY),
    "jdk-pool": Peer("JdkService", options=NO_DELAY, arguments=("16",)),
    "jetty": Peer("JettyService"),
    "helidon": Peer("HelidonService", release=21),
    "fastapi": Peer("service.py"),
}
CREO = ("creo", BEFORE)
# These have libraries, which a build file names.
WITH_LIBRARIES = ("jetty", "helidon")
# These run on Python, and are measured beside all the others.
ON_PYTHON = ("fastapi",)


@dataclass(frozen=True)
class Jdk:
    home: Path
    version: str

    @property
    def major(self) -> int:
        return int(self.version.split(".")[0])


@dataclass(frozen=True)
class Subject:
    """A server on a JDK, or on Python."""

    name: str
    jdk: Jdk | None

    @property
    def title(self) -> str:
        return self.name if self.jdk is None else f"{self.name}-jdk{self.jdk.major}"


def jdk(wanted: str) -> Jdk:
    """The newest JDK of a major version in the usual places, or the one whose folder is named."""
    if not wanted.isdigit():
        found = _jdk_in(Path(wanted))
        if found is None:
            raise Failed(f"no JDK in the folder {wanted}")
        return found
    java = shutil.which("java")
    homes = [Path(java).resolve().parents[1]] if java else []
    if "JAVA_HOME" in os.environ:
        homes.append(Path(os.environ["JAVA_HOME"]))
    homes += sorted(Path("/usr/lib/jvm").glob("*"))
    every = [each for home in homes if (each := _jdk_in(home)) and each.major == int(wanted)]
    if not every:
        raise Failed(f"no JDK {wanted} here; name its folder with --jdk, or measure others alone, such as --jdk 17")
    return max(every, key=lambda each: [int(part) for part in each.version.split(".")])


def _jdk_in(home: Path) -> Jdk | None:
    try:
        lines = (home / "release").read_text().splitlines()
    except OSError:
        return None
    versions = [line.split('"')[1] for line in lines if line.startswith('JAVA_VERSION="')]
    return Jdk(home.resolve(), versions[0].split("+")[0].split("-")[0]) if versions and (home / "bin" / "javac").exists() else None


def subjects(names: tuple[str, ...], jdks: tuple[Jdk, ...]) -> tuple[Subject, ...]:
    """Each server on each JDK that it runs on, and those on Python."""
    on_java = tuple(Subject(name, each) for each in jdks for name in names if name not in ON_PYTHON and each.major >= PEERS[name].release)
    return on_java + tuple(Subject(name, None) for name in names if name in ON_PYTHON)


def build(every: tuple[Subject, ...], against: Path | None) -> None:
    ensure("http")
    for folder in (HERE, LOGS):
        folder.mkdir(parents=True, exist_ok=True)
    newest = max(_jdks(every), key=lambda each: each.major)
    for name in dict.fromkeys(subject.name for subject in every):
        say(f"{name}: building")
        if name in ON_PYTHON:
            run([sys.executable, "-m", "venv", fresh(HERE / name)])
            run([_python(name), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r", SOURCES / name / "requirements.txt"])
            continue
        classes = fresh(HERE / name / "classes")
        sources = [*(SOURCES / "common").rglob("*.java"), *(SOURCES / name.split("-")[0]).glob("*.java")]
        if name in CREO:
            generated = generate("java", "echo", root=ROOT if name == "creo" or against is None else against)
            sources += [LOAD, *(path for path in generated.rglob("*.java") if path.name != "module-info.java")]
        if name in WITH_LIBRARIES:
            fresh(HERE / name / "lib")
            run(["mvn", "-q", "-B", "-f", SOURCES / name, "package"], capture=True)
        options = ["--release", PEERS[name].release, "-nowarn", "-cp", f"{HERE / name}/lib/*", "-d", classes]
        run([newest.home / "bin" / "javac", *options, *sources], capture=True)


def service_command(subject: Subject, *options: str) -> list[object]:
    peer = PEERS[subject.name]
    if subject.jdk is None:
        return [_python(subject.name), SOURCES / subject.name / peer.service]
    return [*command(subject, peer.service, *peer.options, *options), *peer.arguments]


def _python(name: str) -> Path:
    return HERE / name / "bin" / "python"


def _jdks(every: tuple[Subject, ...]) -> tuple[Jdk, ...]:
    return tuple(dict.fromkeys(subject.jdk for subject in every if subject.jdk is not None))


def command(subject: Subject, program: str, *options: str) -> list[object]:
    """A program in Java."""
    assert subject.jdk is not None
    folder = HERE / subject.name
    return [subject.jdk.home / "bin" / "java", *options, "-cp", f"{folder}/classes:{folder}/lib/*", program]


def versions(every: tuple[Subject, ...], against: Path | None) -> dict[str, str]:
    found = {"JDK": " and ".join(each.version for each in _jdks(every))}
    for name in dict.fromkeys(subject.name for subject in every):
        if name in WITH_LIBRARIES:
            found[name] = (SOURCES / name / "pom.xml").read_text().split(f"<{name}.version>")[1].split("<")[0]
        elif name in ON_PYTHON:
            version, *others = (line.split("==") for line in (SOURCES / name / "requirements.txt").read_text().split())
            python = machine.first_line(str(_python(name)), "--version")
            found[name] = f"{version[1]} on {python} ({', '.join(map(' '.join, others))})"
        elif name in CREO:
            found[name] = commit(ROOT if name == "creo" or against is None else against)
    return found | {"wrk": run(["dpkg-query", "-W", "-f", "${Version}", "wrk"], capture=True)}


def commit(checkout: Path) -> str:
    """The last commit of the measured compiler and runtime, with a plus sign if their files have changed since."""
    git, paths = ("git", "-C", checkout), ("--", "crates", "runtimes/java")
    changed = run([*git, "status", "--porcelain", *paths], capture=True)
    return run([*git, "log", "-1", "--format=%h", *paths], capture=True).strip() + ("+" if changed else "")
