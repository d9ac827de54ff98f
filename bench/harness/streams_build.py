"""Builds the programs of the benchmark of streams below build/bench/streams, and says how they are started."""

from __future__ import annotations

import os
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Callable, Iterable

from . import machine
from .languages import protoc
from .tools import BENCH, BUILD, JAVAC, PEERS as PROTO, ROOT, ensure, fresh, generate, run, say

SOURCES = BENCH / "streams"
HERE = BUILD / "streams"
DOTNET = ROOT / "scripts" / "dotnet"
ACCELERATOR = ROOT / "build" / "accelerator"
LANGUAGES = ("java", "python", "c", "csharp")
# The heaps of Java and .NET: with more, they would take more before they collect, which says nothing of what a stream needs.
HEAP = 64 << 20
# Peers that a reader would expect, and why they are not there.
MISSING = {"gRPC for C#": "the registry of .NET is not reached from here", "gRPC for C": "it has none: C++ is next to C"}


@dataclass(frozen=True)
class Peer:
    """A client in one language, and the Java service that speaks as it does."""

    name: str
    language: str
    service: str
    # What it streams.
    workloads: tuple[str, ...]

    @property
    def is_creo(self) -> bool:
        return self.name.startswith("creo")


BOTH = ("doubles", "structs")
PEERS = (
    Peer("creo", "java", "CreoPeer", BOTH),
    Peer("bare", "java", "BarePeer", ("doubles",)),
    Peer("grpc", "java", "GrpcPeer", ("structs",)),
    Peer("creo", "python", "CreoPeer", BOTH),
    Peer("creo+accelerator", "python", "CreoPeer", BOTH),
    Peer("bare", "python", "BarePeer", ("doubles",)),
    Peer("grpc", "python", "GrpcPeer", ("structs",)),
    Peer("creo", "c", "CreoPeer", BOTH),
    Peer("bare", "c", "BarePeer", ("doubles",)),
    Peer("grpc", "c", "GrpcPeer", ("structs",)),
    Peer("creo", "csharp", "CreoPeer", BOTH),
    Peer("bare", "csharp", "BarePeer", ("doubles",)),
)


def build(languages: Iterable[str], grpc: bool) -> None:
    """The service, and the clients of these languages."""
    fresh(HERE)
    for language in dict.fromkeys(("java", *languages)):
        say(f"building the streams of {language}")
        BUILDERS[language](grpc)


def _java(grpc: bool) -> None:
    sources = [*generate("java", "streams").rglob("*.java"), *(SOURCES / "java").rglob("*.java")]
    if grpc:
        ensure("java")
        run(["mvn", "-q", "-B", "-f", SOURCES / "grpc", "package"], capture=True)
        protoc("java_out", fresh(HERE / "java" / "gen"), "streams")
        sources += [*(HERE / "java" / "gen").rglob("*.java"), *(SOURCES / "grpc").rglob("*.java")]
    listed = fresh(HERE / "java" / "classes").parent / "sources.txt"
    listed.write_text("\n".join(str(path) for path in sources if path.name != "module-info.java"))
    run([*JAVAC, "-nowarn", "-proc:none", "-cp", f"{HERE}/grpc/lib/*", "-d", HERE / "java" / "classes", f"@{listed}"], capture=True)


def _python(grpc: bool) -> None:
    generate("python", "streams")
    if grpc:
        protoc("python_out", fresh(HERE / "python" / "gen"), "streams")
        run([sys.executable, "-m", "venv", HERE / "venv"])
        run([_python_of("grpc"), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r", SOURCES / "python" / "requirements.txt"])


def _python_of(peer: str) -> Path:
    """The same interpreter for all; gRPC's is in an environment that has it."""
    return HERE / "venv" / "bin" / "python" if peer == "grpc" else Path(sys.executable)


def _c(grpc: bool) -> None:
    creo = generate("c", "streams")
    words = ["make", "-s", "-C", SOURCES / "c", f"BUILD={HERE / 'c'}", f"CREO={creo}"]
    if grpc:
        ensure("grpc")
        sources = fresh(HERE / "c" / "gen")
        # gRPC for C++ is Debian's, and so is its compiler.
        run(["protoc", f"--cpp_out={sources}", f"--grpc_out={sources}", f"--plugin=protoc-gen-grpc={shutil.which('grpc_cpp_plugin')}", "-I", PROTO, "streams.proto"], capture=True)
        words.append(f"GEN={sources}")
    run(words)


def _csharp(_: bool) -> None:
    creo = generate("csharp", "streams")
    folder = fresh(HERE / "csharp")
    run([DOTNET / "csc.sh", f"-out:{folder}/streams.dll", "-target:exe", "-nullable", *(SOURCES / "csharp").glob("*.cs"), f"-recurse:{creo}/*.cs"])


BUILDERS: dict[str, Callable[[bool], None]] = {"java": _java, "python": _python, "c": _c, "csharp": _csharp}


def _main(peer: Peer, *words: object) -> list[object]:
    # gRPC keeps its buffers outside of the heap, and is not measured for its memory: it has room.
    heap = (f"-Xmx{1 << 30}",) if peer.name == "grpc" else (f"-Xms{HEAP}", f"-Xmx{HEAP}")
    return ["java", "-XX:+UseParallelGC", *heap, "-cp", f"{HERE}/java/classes:{HERE}/grpc/lib/*", "bench.streams.programs.Main", *words]


def service_command(peer: Peer) -> list[object]:
    return _main(peer, "serve", peer.service)


def client_command(peer: Peer, port: str) -> list[object]:
    name = "creo" if peer.is_creo else peer.name
    if peer.language == "java":
        return _main(peer, "call", peer.service, port)
    if peer.language == "python":
        return [_python_of(name), SOURCES / "python" / "streams.py", name, port]
    if peer.language == "c":
        return [HERE / "c" / "streams", name, port]
    return [DOTNET / "run.sh", HERE / "csharp" / "streams.dll", name, port]


def client_environment(peer: Peer) -> dict[str, str]:
    if peer.language == "python":
        folders = (BUILD / "creo" / "python-streams" / "python", HERE / "python" / "gen", ACCELERATOR)
        return {"PYTHONPATH": os.pathsep.join(map(str, folders)), "CREO_ACCELERATOR": "1" if peer.name == "creo+accelerator" else "0"}
    if peer.language == "csharp":
        # As in languages.py: hot code is compiled again at once.
        return {"DOTNET_TC_CallCountingDelayMs": "0", "DOTNET_GCHeapHardLimit": f"{HEAP:x}"}
    return {}


def versions(languages: Iterable[str], grpc: bool) -> dict[str, str]:
    found = {"JDK": machine.first_line("java", "-version")}
    if "python" in languages:
        found["Python"] = machine.first_line(sys.executable, "--version").removeprefix("Python ")
    if "c" in languages:
        found["C"] = machine.first_line("cc", "--version") + ", -O3"
    if "csharp" in languages:
        found[".NET"] = machine.first_line(str(DOTNET / "run.sh"), str(HERE / "csharp" / "streams.dll"), "--version")
    if grpc:
        found["gRPC for Java"] = (SOURCES / "grpc" / "pom.xml").read_text().split("<grpc.version>")[1].split("<")[0]
        if "python" in languages:
            found["gRPC for Python"] = dict(line.split("==") for line in (SOURCES / "python" / "requirements.txt").read_text().split())["grpcio"]
        if "c" in languages:
            found["gRPC for C++"] = run(["dpkg-query", "-W", "-f", "${Version}", "libgrpc++-dev"], capture=True)
    return found
