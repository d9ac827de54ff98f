"""The programs of the workloads, one per language. Each is called for one cell, in a separate process, as

    PROGRAM WORKLOAD WIRE PEER FOLDER SECONDS

checks that the peer returns every field of the data in FOLDER, and prints a JSON line: `bytes` and `crc` (CRC-32) of the message, and `samples` of
each operation, in nanoseconds of the measuring thread's processor time per call."""

from __future__ import annotations

import json
import os
import re
import shutil
import tarfile
from abc import ABC, abstractmethod
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from . import machine
from .languages import INTERPRETER, install_peers_of_python, protoc
from .tools import BENCH, BUILD, FORMS, JAVAC, PEERS, ROOT, Failed, ensure, fresh, generate, run, wsdl

SOURCES = BENCH / "workloads"
OUT = BUILD / "workloads"
DATA = OUT / "data"
WORKLOADS = {"orders-1": "1 order of five items", "orders-100": "100 orders of five items", "telemetry": "1,000 readings", "document": "a tree of 199 nodes"}
WIRES = {"binary": "binary", "json": "JSON", "soap": "SOAP response"}
# A client only reads the response.
OPERATIONS = ("encode", "build and encode", "decode", "decode and read")
# Only ours differ in these, so they are no peers.
OURS = ("creo", "creo+accelerator", "creo-kept", "creo-borrow")


@dataclass(frozen=True)
class Cell:
    language: str
    workload: str
    wire: str
    peer: str


class Program(ABC):
    """One language's."""

    name: str
    # By wire.
    peers: dict[str, tuple[str, ...]]
    # Peers that a reader would expect, and why they are not there.
    missing: dict[str, str]

    def cells(self) -> list[Cell]:
        return [
            Cell(self.name, workload, wire, peer)
            for wire, peers in self.peers.items()
            for workload in (("orders-100",) if wire == "soap" else WORKLOADS)
            for peer in peers
        ]

    def measure(self, cell: Cell, seconds: float, core: int) -> dict[str, Any]:
        command = ["taskset", "-c", core, *self.command(cell), cell.workload, cell.wire, cell.peer, DATA, seconds]
        said: dict[str, Any] = json.loads(run(command, environment=self.environment(cell), capture=True).splitlines()[-1])
        return said

    def environment(self, cell: Cell) -> dict[str, str]:
        return {}

    @abstractmethod
    def build(self) -> None:
        """Installs what is missing, and builds the program."""

    @abstractmethod
    def command(self, cell: Cell) -> list[object]:
        """The program."""

    @abstractmethod
    def versions(self) -> dict[str, str]:
        """Of the language and the peers."""


class Python(Program):
    name = "python"
    peers = {
        "binary": ("creo", "creo+accelerator", "msgspec", "msgspec-array", "pyfory", "protobuf"),
        "json": ("creo", "creo+accelerator", "msgspec", "orjson", "pydantic"),
        "soap": ("creo", "creo+accelerator", "expat", "lxml", "xsdata", "zeep"),
    }
    missing: dict[str, str] = {}

    def __init__(self) -> None:
        self.wsdl = OUT / "workloads.wsdl"

    def build(self) -> None:
        install_peers_of_python()
        generate("python", "workloads")
        wsdl("workloads", self.wsdl)
        protoc("python_out", fresh(OUT / "python"), "workloads")
        run([INTERPRETER, BENCH / "python" / "workloads.py", "--data", DATA], environment=self.environment(Cell("python", "", "", "creo")))

    def environment(self, cell: Cell) -> dict[str, str]:
        folders = (BUILD / "creo" / "python-workloads" / "python", OUT / "python", ROOT / "build" / "accelerator")
        return {"PYTHONPATH": os.pathsep.join(map(str, folders)), "CREO_ACCELERATOR": "1" if cell.peer == "creo+accelerator" else "0", "BENCH_WSDL": str(self.wsdl)}

    def command(self, cell: Cell) -> list[object]:
        return [INTERPRETER, BENCH / "python" / "workloads.py"]

    def versions(self) -> dict[str, str]:
        pinned = dict(line.split("==") for line in (BENCH / "python" / "requirements.txt").read_text().split())
        chosen = ("msgspec", "pyfory", "protobuf", "orjson", "pydantic", "lxml", "xsdata", "zeep")
        return {"interpreter": machine.first_line(str(INTERPRETER), "--version"), **{name: pinned[name] for name in chosen}}


class Java(Program):
    name = "java"
    peers = {
        "binary": ("creo", "creo-kept", "fory", "protobuf", "avro"),
        "json": ("creo", "jackson", "fastjson2"),
        "soap": ("creo", "aalto"),
    }
    missing = {"Fory 1.7": "the registry that is reached from here does not have it for Java"}

    def __init__(self) -> None:
        self.out = OUT / "java"
        self.pom = SOURCES / "java" / "pom.xml"

    def build(self) -> None:
        fresh(self.out)
        run(["mvn", "-q", "-B", "-f", self.pom, "package"], capture=True)
        protoc("java_out", self.out / "gen", "workloads")
        creo = generate("java", "workloads")
        sources = [path for folder in (creo, self.out / "gen", SOURCES / "java") for path in folder.rglob("*.java") if path.name != "module-info.java"]
        sources += [FORMS, BENCH / "java" / "src" / "main" / "java" / "creo" / "bench" / "SpentTime.java"]
        listed = self.out / "sources.txt"
        listed.write_text("\n".join(map(str, sources)))
        run([*JAVAC, "-nowarn", "-proc:none", "-cp", f"{self.out}/lib/*", "-d", self.out / "classes", f"@{listed}"], capture=True)

    def command(self, cell: Cell) -> list[object]:
        # The collector is one thread, whose time is counted.
        return ["java", "-XX:+UseSerialGC", "-Xms512m", "-Xmx512m", "-cp", f"{self.out}/classes:{self.out}/lib/*", "creo.bench.workloads.Main"]

    def versions(self) -> dict[str, str]:
        text = self.pom.read_text()
        names = ("fory", "protobuf", "avro", "jackson", "fastjson2", "aalto")
        return {"JDK": machine.first_line("java", "-version"), **{name: text.split(f"<{name}.version>")[1].split("<")[0] for name in names}}


class C(Program):
    name = "c"
    peers = {
        "binary": ("creo", "creo-borrow", "protobuf-c", "protobuf-c++", "nanopb"),
        "json": ("creo", "yyjson"),
        "soap": ("creo", "expat"),
    }
    missing: dict[str, str] = {}

    def __init__(self) -> None:
        self.out = OUT / "c"

    def build(self) -> None:
        ensure("workloads-c")
        sources = fresh(self.out / "gen")
        (sources / "nanopb").mkdir()
        self._proto2(sources / "proto2")
        run(["protoc-c", f"--c_out={sources}", "-I", sources / "proto2", "workloads.proto"])
        run(["protoc", f"--cpp_out={sources}", "-I", PEERS, "workloads.proto"])
        run(["protoc", f"--nanopb_out=-f{SOURCES / 'c' / 'nanopb.options'}:{sources / 'nanopb'}", "-I", PEERS, "workloads.proto"], capture=True)
        self._yyjson(sources)
        creo = generate("c", "workloads")
        fresh(self.out / "o")
        run(["make", "-s", "-C", SOURCES / "c", f"BUILD={self.out}", f"CREO={creo}"])

    @staticmethod
    def _proto2(to: Path) -> None:
        """The same messages in the older syntax, since protobuf-c knows no optional fields in the newer one."""
        to.mkdir()
        text = (PEERS / "workloads.proto").read_text().replace('"proto3"', '"proto2"')
        (to / "workloads.proto").write_text(re.sub(r"^  (?!optional|repeated|map|\})", "  required ", text, flags=re.MULTILINE))

    @staticmethod
    def _yyjson(to: Path) -> None:
        """Debian has no yyjson; a package of Python has its source."""
        folder = fresh(OUT / "yyjson")
        run([INTERPRETER, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps", "--no-binary", ":all:", "--no-build-isolation", "-d", folder, f"yyjson=={YYJSON}"], capture=True)
        archive = next(folder.glob("*.tar.gz"))
        with tarfile.open(archive) as packed:
            for name in ("yyjson.c", "yyjson.h"):
                member = packed.extractfile(f"yyjson-{YYJSON}/yyjson/{name}")
                if member is None:
                    raise Failed(f"{archive} has no {name}")
                with member, (to / name).open("wb") as file:
                    shutil.copyfileobj(member, file)

    def command(self, cell: Cell) -> list[object]:
        return [self.out / "workloads"]

    def versions(self) -> dict[str, str]:
        def package(name: str) -> str:
            return run(["dpkg-query", "-W", "-f", "${Version}", name], capture=True)

        return {
            "compiler": machine.first_line("cc", "--version") + ", -O3",
            "protobuf-c": package("libprotobuf-c-dev"),
            "protobuf-c++": package("libprotobuf-dev"),
            "nanopb": package("libnanopb-dev"),
            "yyjson": f"of the Python package yyjson {YYJSON}",
            "expat": package("libexpat1-dev"),
        }


class CSharp(Program):
    name = "csharp"
    peers = {
        "binary": ("creo", "data-contract-binary"),
        "json": ("creo", "system-text-json"),
        "soap": ("creo", "system-xml"),
    }
    missing = {"Google.Protobuf, MemoryPack, MessagePack": "the registry of .NET is not reached from here"}

    def __init__(self) -> None:
        self.dll = OUT / "csharp" / "workloads.dll"

    def build(self) -> None:
        fresh(self.dll.parent)
        creo = generate("csharp", "workloads")
        sources = [*(SOURCES / "csharp").glob("*.cs"), BENCH / "csharp" / "Measuring.cs"]
        run([ROOT / "scripts" / "dotnet" / "csc.sh", f"-out:{self.dll}", "-target:exe", "-nullable", *sources, f"-recurse:{creo}/*.cs"], capture=True)

    def command(self, cell: Cell) -> list[object]:
        return [ROOT / "scripts" / "dotnet" / "run.sh", self.dll]

    def environment(self, cell: Cell) -> dict[str, str]:
        # As in languages.py: hot code is compiled again at once, and garbage is collected on the thread that is measured.
        return {"DOTNET_TC_CallCountingDelayMs": "0", "DOTNET_gcConcurrent": "0"}

    def versions(self) -> dict[str, str]:
        return {".NET, with its DataContractSerializer, System.Text.Json and System.Xml": run([*self.command(Cell("csharp", "", "", "")), "--version"], capture=True).strip()}


YYJSON = "4.0.6"
# Python makes the data that the others read.
PROGRAMS: dict[str, Program] = {program.name: program for program in (Python(), Java(), C(), CSharp())}
