"""How each language's benchmark is built, checked and run. The rows of a result are the same for all (`wire_rows`):

    {"language", "workload", "size", "peer", "operation", "bytes", "crc", "ns": [samples]}   and, in C#, "allocated": bytes a call

The size is that of the payload in bytes; on a text wire it is the name of a message.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from . import machine
from .journal import Journal, Row
from .tools import BENCH, BUILD, FORMS, PEERS, ROOT, WSDL, Failed, ensure, fresh, generate, run, wsdl

INTERPRETER = BUILD / "venv" / "bin" / "python"


@dataclass(frozen=True)
class Plan:
    """Which cells are measured, and how long."""

    workloads: tuple[str, ...]
    sizes: tuple[int | str, ...]
    # All of a language's peers if empty.
    peers: tuple[str, ...]
    rounds: int
    quick: bool
    # Whether the workloads are text wires.
    text: bool = False

    def groups(self) -> list[Plan]:
        """One plan for each workload and size: the cells that are compared with one another."""
        return [replace(self, workloads=(workload,), sizes=(size,)) for workload in self.workloads for size in self.sizes]

    def lists(self) -> tuple[str, str, str]:
        """Workloads, sizes and peers as the programs take them."""
        return ",".join(self.workloads), ",".join(map(str, self.sizes)), ",".join(self.peers)


@dataclass(frozen=True)
class Part:
    """The cells of one workload and size, which are measured close together, at one go."""

    language: str
    # Of that workload and size, and of the rounds that are measured at one go.
    plan: Plan
    turn: int

    def key(self) -> list[Any]:
        return [self.language, *self.plan.workloads, *self.plan.sizes, self.turn]

    def name(self) -> str:
        rounds = f"round {self.turn + 1}, " if self.plan.rounds == 1 else ""
        return f"{rounds}{self.language} {self.plan.workloads[0]} {self.plan.sizes[0]}"


class Language(ABC):
    name: str
    peers: tuple[str, ...]
    text_peers: tuple[str, ...] = ()
    # Whether each round is measured by separate processes.
    by_round = False

    @abstractmethod
    def build(self, text: bool) -> None:
        """Sets up, generates and compiles what the binary or the text wires need."""

    @abstractmethod
    def check(self, plan: Plan) -> list[Row]:
        """Checks every round trip; one row for each cell: {"workload", "size", "peer", "bytes", "crc"}."""

    @abstractmethod
    def measure(self, part: Part) -> list[Row]:
        """One row for each cell and operation: {"workload", "size", "peer", "operation", "ns"} and, in C#, "allocated"."""

    @abstractmethod
    def versions(self, text: bool) -> dict[str, str]:
        """Versions of what was measured, the compiler or runtime included."""

    def known(self, text: bool) -> tuple[str, ...]:
        """The peers of the binary or of the text wires."""
        return self.text_peers if text else self.peers

    def chosen(self, plan: Plan) -> Plan:
        """The plan with the peers of this language only."""
        peers = tuple(peer for peer in self.known(plan.text) if not plan.peers or peer in plan.peers)
        return replace(plan, peers=peers)

    def parts(self, plan: Plan) -> list[Part]:
        """By rounds, if rounds have separate processes; otherwise each workload and size in all rounds at once."""
        groups = self.chosen(plan).groups()
        if self.by_round:
            return [Part(self.name, replace(group, rounds=1), turn) for turn in range(plan.rounds) for group in groups]
        return [Part(self.name, group, 0) for group in groups]


def thrift(language: str, out: Path, description: str = "wire") -> None:
    out.mkdir(parents=True, exist_ok=True)
    run(["thrift", "-gen", language, "-out", out, PEERS / f"{description}.thrift"])


def protoc(option: str, out: Path, description: str = "wire") -> None:
    """The protobuf compiler of the same version as the libraries of Java and Python, from Maven Central."""
    compiler = BUILD / "java" / "protoc"
    if not compiler.exists():
        run(["mvn", "-q", "-B", "-f", BENCH / "java", "initialize"], capture=True)
    compiler.chmod(0o755)
    run([compiler, f"--{option}={out}", "-I", PEERS, f"{description}.proto"])


def pom(name: str) -> str:
    """The version that the build file pins."""
    text = (BENCH / "java" / "pom.xml").read_text()
    return text.split(f"<{name}.version>")[1].split("<")[0]


def read_lines(path: Path) -> list[Row]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def named(name: str, plan: Plan, ns: list[float]) -> Row:
    """The row of a benchmark whose name is WORKLOAD/SIZE/PEER/OPERATION, of a part's plan."""
    workload, _, peer, operation = name.split("/")
    return {"workload": workload, "size": plan.sizes[0], "peer": peer, "operation": operation, "ns": ns}


class Java(Language):
    name = "java"
    peers = ("creo", "thrift-binary", "thrift-compact", "protobuf", "protobuf-prebuilt", "fory", "avro", "msgpack", "serialization", "hand")
    text_peers = ("creo", "creo-record", "creo-aggregated", "creo-json", "jaxb", "jackson", "woodstox-hand", "aalto-hand", "jackson-json")
    by_round = True

    def build(self, text: bool) -> None:
        # One program for both.
        ensure("java")
        sources = fresh(BUILD / "java" / "gen")
        thrift("java:generated_annotations=suppress", sources)
        protoc("java_out", sources)
        for creo in (generate("java"), generate("java", "messages")):
            for path in creo.rglob("*.java"):
                # One class path for all peers: the module's declaration stays out.
                if path.name != "module-info.java":
                    to = sources / path.relative_to(self._source_root(creo))
                    to.parent.mkdir(parents=True, exist_ok=True)
                    to.write_bytes(path.read_bytes())
        # The forms of requests, which RequestForm uses, are those of calibration.
        shutil.copy(FORMS, sources / "creo" / "runtime")
        fresh(BUILD / "java" / "target")
        run(["mvn", "-q", "-B", "-f", BENCH / "java", "package"], capture=True)

    @staticmethod
    def _source_root(creo: Path) -> Path:
        """The folder whose parts are packages."""
        deep = creo / "src" / "main" / "java"
        return deep if deep.is_dir() else creo

    def check(self, plan: Plan) -> list[Row]:
        return self._run("check", 0, 0, plan)

    def measure(self, part: Part) -> list[Row]:
        iterations, milliseconds = (2, 150) if part.plan.quick else (4, 150)
        if part.plan.text:
            # JAXB and Jackson are deep: the compilers need seconds for them.
            milliseconds = 400 if part.plan.quick else 600
        return self._run(part.turn, iterations, milliseconds, part.plan)

    @staticmethod
    def _run(turn: int | str, iterations: int, milliseconds: int, plan: Plan) -> list[Row]:
        out = BUILD / "java" / "rows.jsonl"
        classes = f"{BUILD}/java/target/classes:{BUILD}/java/lib/*"
        run(["java", "-Xmx4g", "-cp", classes, "creo.bench.Main", out, turn, iterations, milliseconds, *plan.lists()], capture=True)
        return read_lines(out)

    def versions(self, text: bool) -> dict[str, str]:
        harness = {"JDK": machine.first_line("java", "-version"), "jmh": pom("jmh")}
        if text:
            return harness | {name: pom(name) for name in ("jaxb", "jackson", "aalto", "woodstox")}
        return harness | {
            "thrift": f"{pom('thrift')}, code by {machine.first_line('thrift', '-version')}",
            "protobuf-java": pom("protobuf"),
            "fory": pom("fory"),
            "avro": pom("avro"),
            "msgpack": pom("msgpack"),
        }


def install_peers_of_python() -> None:
    """Makes the environment of INTERPRETER, which has them."""
    requirements = BENCH / "python" / "requirements.txt"
    stamp = BUILD / "venv" / "requirements.txt"
    if not stamp.exists() or stamp.read_text() != requirements.read_text():
        run([sys.executable, "-m", "venv", "--clear", BUILD / "venv"])
        run([INTERPRETER, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r", requirements])
        stamp.write_text(requirements.read_text())


class Python(Language):
    name = "python"
    peers = (
        "creo", "creo-view", "creo-columns", "thrift-binary", "thrift-compact", "protobuf", "protobuf-prebuilt", "avro", "msgpack", "hand",
    )  # fmt: skip
    text_peers = ("creo", "zeep")
    by_round = True

    def __init__(self) -> None:
        self.interpreter = INTERPRETER
        self.program = BENCH / "python" / "wire.py"

    def build(self, text: bool) -> None:
        ensure("python")
        install_peers_of_python()
        if text:
            generate("python", "messages")
            wsdl()
            return
        sources = fresh(BUILD / "python" / "gen")
        thrift("py:slots", sources)
        protoc("python_out", sources)
        generate("python")

    def environment(self, text: bool) -> dict[str, str]:
        if text:
            return {"PYTHONPATH": f"{BUILD}/creo/python-messages/python", "BENCH_WSDL": str(WSDL)}
        return {"PYTHONPATH": f"{BUILD}/python/gen{os.pathsep}{BUILD}/creo/python/python"}

    def check(self, plan: Plan) -> list[Row]:
        checked = run([self.interpreter, self.program, "--check", *self.options(plan)], environment=self.environment(plan.text), capture=True)
        return [json.loads(line) for line in checked.splitlines()]

    def measure(self, part: Part) -> list[Row]:
        timing = ["--processes", "1", "--values", "5", "--warmups", "2", "--min-time", "0.05"]
        if part.plan.quick:
            timing = ["--processes", "1", "--values", "3", "--warmups", "1", "--min-time", "0.02"]
        out = BUILD / "python" / "pyperf.json"
        out.parent.mkdir(parents=True, exist_ok=True)
        out.unlink(missing_ok=True)
        run(
            [self.interpreter, self.program, "--quiet", "--inherit-environ", "PYTHONPATH,BENCH_WSDL", *self.options(part.plan), "--round", part.turn, *timing, "-o", out],
            environment=self.environment(part.plan.text),
            capture=True,
        )
        return [named(name, part.plan, values) for name, values in self._values(out)]

    @staticmethod
    def options(plan: Plan) -> list[object]:
        workloads, sizes, peers = plan.lists()
        return ["--workloads", workloads, "--sizes", sizes, "--peers", peers]

    @staticmethod
    def _values(path: Path) -> list[tuple[str, list[float]]]:
        """Nanoseconds of each benchmark in pyperf's file, without its calibration and warm-ups."""
        suite = json.loads(path.read_text())
        return [
            (
                (benchmark.get("metadata") or suite["metadata"])["name"],
                [value * 1e9 for run_ in benchmark["runs"] for value in run_.get("values", ())],
            )
            for benchmark in suite["benchmarks"]
        ]

    def versions(self, text: bool) -> dict[str, str]:
        pinned = dict(line.split("==") for line in (BENCH / "python" / "requirements.txt").read_text().split())
        chosen = ("pyperf", "zeep") if text else [name for name in pinned if name != "zeep"]
        return {"interpreter": machine.first_line(str(self.interpreter), "--version"), **{name: pinned[name] for name in chosen}}


class C(Language):
    name = "c"
    peers = (
        "creo", "creo-borrow", "thrift-binary", "thrift-compact", "protobuf-c", "protobuf-c-prebuilt", "protobuf-c-arena", "nanopb", "hand",
    )  # fmt: skip

    text_peers = ("creo", "gsoap")

    def build(self, text: bool) -> None:
        if text:
            self.build_text()
            return
        ensure("c")
        sources = fresh(BUILD / "c" / "gen")
        nanopb = sources / "nanopb"
        nanopb.mkdir()
        thrift("c_glib", sources)
        run(["protoc-c", f"--c_out={sources}", "-I", PEERS, "wire.proto"])
        run(["protoc", f"--nanopb_out={nanopb}", "-I", PEERS, "wire.proto"], capture=True)
        creo = generate("c")
        fresh(BUILD / "c" / "o")
        self.program(False).unlink(missing_ok=True)
        run(["make", "-s", "-C", BENCH / "c", f"BUILD={BUILD / 'c'}", f"CREO={creo}"])

    def build_text(self) -> None:
        ensure("gsoap")
        folder = BUILD / "c-soap"
        sources = fresh(folder / "gen")
        header = sources / "messages.h"
        run(["wsdl2h", "-c", "-t", BENCH / "c" / "soap" / "typemap.dat", "-o", header, wsdl()], capture=True)
        run(["soapcpp2", "-c", "-C", "-L", "-x", "-I/usr/share/gsoap/import", "-I/usr/share/gsoap", "-d", sources, header], capture=True)
        header.unlink()
        creo = generate("c", "messages")
        fresh(folder / "o")
        self.program(True).unlink(missing_ok=True)
        run(["make", "-s", "-C", BENCH / "c" / "soap", f"BUILD={folder}", f"CREO={creo}"])

    @staticmethod
    def program(text: bool) -> Path:
        return BUILD / "c-soap" / "soap" if text else BUILD / "c" / "wire"

    def check(self, plan: Plan) -> list[Row]:
        return [json.loads(line) for line in run([*self.command(plan), "--check=1"], capture=True).splitlines()]

    def measure(self, part: Part) -> list[Row]:
        out = self.program(part.plan.text).with_suffix(".json")
        run(
            [
                *self.command(part.plan),
                f"--benchmark_out={out}",
                "--benchmark_out_format=json",
                "--benchmark_enable_random_interleaving=true",
                f"--benchmark_repetitions={3 * part.plan.rounds}",
                f"--benchmark_min_time={0.01 if part.plan.quick else 0.03}",
            ],
            capture=True,
        )
        samples: dict[str, list[float]] = {}
        for result in json.loads(out.read_text())["benchmarks"]:
            if result["run_type"] == "iteration":
                samples.setdefault(result["run_name"], []).append(result["cpu_time"])
        return [named(name, part.plan, ns) for name, ns in samples.items()]

    def command(self, plan: Plan) -> list[object]:
        workloads, sizes, peers = plan.lists()
        return [self.program(plan.text), f"--workloads={workloads}", f"--sizes={sizes}", f"--peers={peers}"]

    def versions(self, text: bool) -> dict[str, str]:
        def package(name: str) -> str:
            return run(["dpkg-query", "-W", "-f", "${Version}", name], capture=True)

        harness = {"compiler": machine.first_line("cc", "--version") + ", -O3", "benchmark": package("libbenchmark-dev")}
        if text:
            return harness | {"gsoap": package("libgsoap-dev")}
        return harness | {
            "thrift": package("libthrift-c-glib-dev"),
            "protobuf-c": package("libprotobuf-c-dev"),
            "nanopb": package("libnanopb-dev"),
        }


class CSharp(Language):
    name = "csharp"
    peers = ("creo", "system-text-json", "xml-serializer", "data-contract", "data-contract-binary", "hand", "reverse-endianness")

    text_peers = ("creo", "xml-serializer", "data-contract")

    def __init__(self) -> None:
        self.scripts = ROOT / "scripts" / "dotnet"

    @staticmethod
    def program(text: bool) -> Path:
        return BUILD / ("csharp-soap" if text else "csharp") / ("soap.dll" if text else "wire.dll")

    def build(self, text: bool) -> None:
        creo = generate("csharp", "messages" if text else "wire")
        fresh(self.program(text).parent)
        run([self.scripts / "csc.sh", f"-out:{self.program(text)}", "-target:exe", "-nullable", *self.sources(text), f"-recurse:{creo}/*.cs"])

    @staticmethod
    def sources(text: bool) -> list[Path]:
        """The files of the program, beside what is generated."""
        folder = BENCH / "csharp"
        return [*(folder / f"{name}.cs" for name in ("Program", "Case", "Workload", "Measuring")), *folder.glob("soap/*.cs")] if text else [*folder.glob("*.cs")]

    def check(self, plan: Plan) -> list[Row]:
        return self._run(0, plan)

    def measure(self, part: Part) -> list[Row]:
        return self._run(5 * part.plan.rounds, part.plan)

    def _run(self, rounds: int, plan: Plan) -> list[Row]:
        out = self.program(plan.text).with_name("rows.jsonl")
        # Hot code is compiled again at once, not only when nothing new has been compiled for a while; and garbage is collected on
        # the thread whose processor time is measured.
        settings = {"DOTNET_TC_CallCountingDelayMs": "0", "DOTNET_gcConcurrent": "0"}
        run([self.scripts / "run.sh", self.program(plan.text), out, rounds, 5 if plan.quick else 20, *plan.lists()], environment=settings, capture=True)
        return read_lines(out)

    def versions(self, text: bool) -> dict[str, str]:
        version = run([self.scripts / "run.sh", self.program(text), "--version"], capture=True).strip()
        peers = "XmlSerializer and DataContractSerializer"
        return {f".NET, with its {peers if text else 'System.Text.Json, ' + peers}": version}


LANGUAGES: dict[str, Language] = {language.name: language for language in (Java(), Python(), C(), CSharp())}


def wire_rows(checked: dict[str, list[Row]], parts: list[Part], journal: Journal) -> list[Row]:
    """One row for each cell that was checked in a language and each operation, with the samples of all rounds."""
    measured: dict[tuple[object, ...], Row] = {}
    for part in parts:
        for row in journal.rows(part):
            key = (part.language, row["workload"], row["size"], row["peer"], row["operation"])
            before = measured.get(key, {"ns": []})
            measured[key] = {**row, "ns": [*before["ns"], *row["ns"]]}
    rows = []
    for language, cells in checked.items():
        for cell in cells:
            head = {name: cell[name] for name in ("workload", "size", "peer")}
            for operation in ("serialize", "deserialize"):
                row = measured[language, *head.values(), operation]
                allocated = {"allocated": row["allocated"]} if "allocated" in row else {}
                rows.append({"language": language, **head, "operation": operation, "bytes": cell["bytes"], "crc": cell["crc"], **allocated, "ns": row["ns"]})
    return rows


def same_bytes(checked: dict[str, list[Row]]) -> None:
    """Creo's bytes of a workload must be the same in all languages."""
    seen: dict[tuple[str, int | str], tuple[int, str]] = {}
    for language, cells in checked.items():
        for cell in cells:
            if cell["peer"] == "creo":
                crc, other = seen.setdefault((cell["workload"], cell["size"]), (cell["crc"], language))
                if crc != cell["crc"]:
                    raise Failed(f"{cell['workload']} of {cell['size']} bytes differ between {other} and {language}")
