"""Where things are, what must be there, and how programs are run."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Sequence

ROOT = Path(__file__).resolve().parents[2]
BENCH = ROOT / "bench"
BUILD = ROOT / "build" / "bench"
PEERS = BENCH / "peers"
# What compiles once and ends is faster without the second compiler of the JVM; what it writes is the same.
JAVAC = ("javac", "-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC")
# Messages as bytes on each wire, for whoever measures Java without a transport.
FORMS = ROOT / "crates" / "creo-measure" / "drivers" / "java" / "Forms.java"
# The interface of the five messages, for the peers that begin with that.
WSDL = BUILD / "messages.wsdl"

# Debian package for each program or header that a language's peers need.
PACKAGES = {
    "java": {"/usr/bin/thrift": "thrift-compiler", "/usr/bin/mvn": "maven", "/usr/bin/javac": "openjdk-17-jdk-headless"},
    "python": {"/usr/bin/thrift": "thrift-compiler", "/usr/bin/mvn": "maven"},
    "c": {
        "/usr/bin/thrift": "thrift-compiler",
        "/usr/bin/protoc": "protobuf-compiler",
        "/usr/bin/protoc-c": "protobuf-c-compiler",
        "/usr/bin/protoc-gen-nanopb": "nanopb",
        "/usr/include/pb.h": "libnanopb-dev",
        "/usr/include/protobuf-c/protobuf-c.h": "libprotobuf-c-dev",
        "/usr/include/thrift/c_glib/thrift.h": "libthrift-c-glib-dev",
        "/usr/include/glib-2.0/glib.h": "libglib2.0-dev",
        "/usr/include/benchmark/benchmark.h": "libbenchmark-dev",
        "/usr/bin/g++": "g++",
        "/usr/bin/pkg-config": "pkg-config",
    },
    "gsoap": {
        "/usr/bin/wsdl2h": "gsoap",
        "/usr/include/stdsoap2.h": "libgsoap-dev",
        "/usr/include/benchmark/benchmark.h": "libbenchmark-dev",
        "/usr/bin/g++": "g++",
    },
    "workloads-c": {
        "/usr/bin/protoc": "protobuf-compiler",
        "/usr/bin/protoc-c": "protobuf-c-compiler",
        "/usr/bin/protoc-gen-nanopb": "nanopb",
        "/usr/include/pb.h": "libnanopb-dev",
        "/usr/include/protobuf-c/protobuf-c.h": "libprotobuf-c-dev",
        "/usr/include/google/protobuf/message.h": "libprotobuf-dev",
        "/usr/include/expat.h": "libexpat1-dev",
        "/usr/bin/g++": "g++",
    },
    "csharp": {},
    "messaging": {"/usr/bin/ss": "iproute2", "/usr/bin/mvn": "maven", "/usr/bin/javac": "openjdk-17-jdk-headless"},
    "response": {"/usr/bin/ss": "iproute2"},
    "grpc": {
        "/usr/bin/grpc_cpp_plugin": "protobuf-compiler-grpc",
        "/usr/include/grpcpp/grpcpp.h": "libgrpc++-dev",
        "/usr/include/google/protobuf/message.h": "libprotobuf-dev",
        "/usr/bin/protoc": "protobuf-compiler",
    },
    "http": {"/usr/bin/wrk": "wrk", "/usr/bin/mvn": "maven", "/usr/bin/javac": "openjdk-17-jdk-headless"},
    "soap": {"/usr/bin/wrk": "wrk", "/usr/bin/curl": "curl", "/usr/bin/mvn": "maven", "/usr/bin/javac": "openjdk-17-jdk-headless"},
}


def name_of(plan: str) -> str:
    """A short name for a plan, by which an interrupted run of it is found again; another plan has another."""
    return hashlib.sha256(plan.encode()).hexdigest()[:12]


class Failed(Exception):
    """A step that did not work; its text is for the user."""


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def run(command: Sequence[object], *, cwd: Path = ROOT, environment: dict[str, str] | None = None, capture: bool = False) -> str:
    """Runs a program to its end. Captured, it prints nothing: what it printed is returned, and what it complained about is shown if it failed."""
    words = [str(word) for word in command]
    result = subprocess.run(
        words,
        cwd=cwd,
        env={**os.environ, **(environment or {})},
        text=True,
        stdin=subprocess.DEVNULL,
        capture_output=capture,
        check=False,
    )
    if result.returncode != 0:
        if capture:
            say("\n".join((result.stdout + result.stderr).splitlines()[-30:]))
        raise Failed(f"{' '.join(words[:4])} ... failed with exit code {result.returncode}")
    return result.stdout or ""


def ensure(language: str) -> None:
    """Installs what is missing where that is possible (root, apt-get); otherwise says what to install."""
    missing = sorted(
        {package for path, package in PACKAGES[language].items() if not Path(path).exists() and not shutil.which(Path(path).name)}
    )
    if not missing:
        return
    if os.geteuid() != 0 or not shutil.which("apt-get"):
        raise Failed(f"{language} needs packages that are not installed: {' '.join(missing)}")
    say(f"{language}: installing {' '.join(missing)}")
    quiet = {"DEBIAN_FRONTEND": "noninteractive"}
    run(["apt-get", "update", "-qq"], environment=quiet, capture=True)
    run(["apt-get", "install", "-y", "-qq", "--no-install-recommends", *missing], environment=quiet, capture=True)


def fresh(folder: Path) -> Path:
    """An empty folder under the build folder."""
    if BUILD not in folder.parents:
        raise Failed(f"{folder} is not under {BUILD}")
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder


def generate(language: str, description: str = "wire", *options: str, root: Path = ROOT) -> Path:
    """Generates Creo's code of a description in `bench/` for one language, with further options of the program; returns the folder. The program and the runtime can be those of
    another checkout."""
    name = language if description == "wire" else f"{language}-{description}"
    out = fresh(BUILD / "creo" / (name if root == ROOT else f"{name}-against"))
    # An older checkout may not know the option; it generates every wire.
    wires = ["--wires", "all"] if root == ROOT else []
    run([*creo(root), "generate", "--target", language, *wires, *options, "--out", out, BENCH / f"{description}.creo"], cwd=root)
    return out / language


def creo(root: Path) -> list[str]:
    """The program of a checkout as the begin of a command: for this one the program that CREO names, if it is set, which spares cargo's look at the sources."""
    given = os.environ.get("CREO")
    return [given] if given and root == ROOT else ["cargo", "run", "--quiet", "-p", "creo-cli", "--"]


def wsdl(description: str = "messages", to: Path = WSDL) -> Path:
    """Writes the WSDL of a description, by default of the five messages."""
    to.parent.mkdir(parents=True, exist_ok=True)
    run([*creo(ROOT), "export", "wsdl", BENCH / f"{description}.creo", "--soap11", "--quiet", "--out", to])
    return to
