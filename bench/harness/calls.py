"""Services and clients of SOAP over HTTP: how they are built, started, and measured. Every measurement is one row:

    {"part", "subject", "message", "connections", "calls": [a second], "cpu": [microseconds of the subject's processor time for a call]}
"""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Callable, TypeVar
from xml.etree import ElementTree

from . import machine, wrk
from .languages import Java, Python
from .tools import BENCH, BUILD, JAVAC, Failed, ensure, fresh, generate, run, say

Row = dict[str, Any]
T = TypeVar("T")

HERE = BUILD / "soap"
SOURCES = BENCH / "services"
LOAD = SOURCES / "java" / "creo" / "bench" / "messages" / "Load.java"
PARTS = ("services", "clients")
# Its own page, and so measured alone.
SECURITY = "security"
SERVICES = ("creo", "cxf", "jaxws-ri")
CLIENTS = ("creo-java", "creo-python", "zeep")
# Equal memory for each; without its property, the JDK's server of the reference implementation waits 40 ms for acknowledgements.
JVM = ("java", "-Xms1g", "-Xmx1g", "-Dsun.net.httpserver.nodelay=true")
HEADERS = {"Content-Type": "text/xml; charset=utf-8", "SOAPAction": '""'}
TICKS = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True)
class Plan:
    services: tuple[str, ...]
    messages: tuple[str, ...]
    connections: tuple[int, ...]
    rounds: int
    seconds: int
    # Max seconds for each message.
    warm_up: int


class Program:
    """A program that runs until its input ends, and answers a line with a line."""

    def __init__(self, name: str, command: list[object], environment: dict[str, str] | None = None) -> None:
        self.name = name
        self._log: IO[bytes] = (HERE / f"{name}.log").open("wb")
        self._process = subprocess.Popen(
            [str(word) for word in command],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._log,
            text=True,
            env={**os.environ, **(environment or {})},
        )

    @property
    def pid(self) -> int:
        return self._process.pid

    def line(self) -> str:
        assert self._process.stdout is not None
        line = self._process.stdout.readline().strip()
        if not line:
            raise Failed(f"{self.name} has ended; see {self._log.name}")
        return line

    def ask(self, question: str) -> str:
        assert self._process.stdin is not None
        self._process.stdin.write(question + "\n")
        self._process.stdin.flush()
        return self.line()

    def processor_time(self) -> float:
        """Seconds of all its threads, those that have ended included."""
        fields = Path(f"/proc/{self._process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / TICKS

    def stop(self) -> None:
        if self._process.stdin is not None:
            self._process.stdin.close()
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
        self._log.close()


def build(parts: list[str], plan: Plan) -> None:
    ensure("soap")
    HERE.mkdir(parents=True, exist_ok=True)
    Java().build(text=True)
    run(["java", "-cp", f"{BUILD}/java/target/classes:{BUILD}/java/lib/*", "creo.bench.messages.Requests", HERE / "requests"])
    creo = fresh(HERE / "creo")
    sources = [path for path in generate("java", "messages").rglob("*.java") if path.name != "module-info.java"]
    run([*JAVAC, "--release", "17", "-nowarn", "-d", creo, *sources, *SOURCES.glob("creo/*.java"), BENCH / "messages" / "creo" / "bench" / "messages" / "Plain.java", LOAD], capture=True)
    for name in plan.services:
        if name != "creo":
            say(f"{name}: building")
            fresh(HERE / name)
            run(["mvn", "-q", "-B", "-f", SOURCES / name, "package"], capture=True)
    if "clients" in parts:
        Python().build(text=True)


def start_service(name: str) -> tuple[Program, str]:
    if name == "creo":
        command = [*JVM, "-cp", HERE / "creo", "CreoService"]
    else:
        command = [*JVM, "-cp", f"{HERE}/{name}/classes:{HERE}/{name}/lib/*", "creo.bench.messages.JaxwsService"]
    program = Program(name, command)
    return program, program.line()


def start_client(name: str, url: str) -> Program:
    if name == "creo-java":
        return Program(name, [*JVM, "-cp", HERE / "creo", "CreoClient", "soap", url])
    return Program(name, [Python().interpreter, BENCH / "python" / "soap_calls.py", name, url], Python().environment(text=True))


def load(url: str, message: str, connections: int, seconds: int) -> wrk.Load:
    """Sends one message repeatedly over this many connections."""
    return wrk.load(url, HERE / "requests" / f"{message}.xml", HEADERS, connections, seconds)


def warm(program: Program, url: str, message: str, plan: Plan) -> int:
    """Returns the seconds that it took."""
    return warmed(lambda: load(url, message, 4, 1).calls, program.processor_time, plan.warm_up)


def warmed(calls: Callable[[], int], processor_time: Callable[[], float], max_seconds: int) -> int:
    """Makes calls for a second at a time, until a call costs no less processor time any more: under load the compilers come late. Returns the seconds that it took."""
    best, better = float("inf"), 0
    for second in range(1, max_seconds + 1):
        before = processor_time()
        made = calls()
        cost = (processor_time() - before) / made
        if cost < 0.97 * best:
            best, better = cost, second
        elif second - better >= 4:
            break
    return second


def check(name: str, url: str, message: str) -> None:
    """The answer must hold all that was sent; prefixes may differ."""
    request = HERE / "requests" / f"{message}.xml"
    answer = run(
        ["curl", "-sS", "--fail", "-H", "Content-Type: text/xml; charset=utf-8", "-H", 'SOAPAction: ""', "--data-binary", f"@{request}", url],
        capture=True,
    )
    sent, received = texts(request.read_text()), texts(answer)
    if received != ["RESPONSE", *sent[1:]]:
        raise Failed(f"{name} does not give back the message {message}: {answer[:300]}")


def texts(xml: str) -> list[str]:
    """The texts of the innermost elements."""
    return [(element.text or "").strip() for element in ElementTree.fromstring(xml).iter() if not len(element)]


def measure(parts: list[str], plan: Plan) -> list[Row]:
    rows: list[Row] = []
    if "services" in parts:
        rows += measure_services(plan)
    if "clients" in parts:
        rows += measure_clients(plan)
    return rows


def row(rows: dict[tuple[str, str, int], Row], part: str, subject: str, message: str, connections: int) -> Row:
    fresh_row: Row = {"part": part, "subject": subject, "message": message, "connections": connections, "calls": [], "cpu": []}
    return rows.setdefault((subject, message, connections), fresh_row)


def turned(items: tuple[T, ...], turn: int) -> tuple[T, ...]:
    """Each round starts with another one, so a slow minute of the machine affects all."""
    turn %= len(items)
    return items[turn:] + items[:turn]


def measure_services(plan: Plan) -> list[Row]:
    rows: dict[tuple[str, str, int], Row] = {}
    running: dict[str, tuple[Program, str]] = {}
    try:
        for name in plan.services:
            running[name] = start_service(name)
            for message in plan.messages:
                check(name, running[name][1], message)
        say(f"{len(running) * len(plan.messages)} answers of services checked")
        for name in running:
            say(f"{name}: warm after {sum(warm(*running[name], message, plan) for message in plan.messages)} s")
        for turn in range(plan.rounds):
            for message in plan.messages:
                for connections in plan.connections:
                    for name in turned(plan.services, turn):
                        program, url = running[name]
                        before = program.processor_time()
                        made = load(url, message, connections, plan.seconds)
                        found = row(rows, "services", name, message, connections)
                        found["calls"].append(round(made.calls / made.seconds, 1))
                        found["cpu"].append(round((program.processor_time() - before) / made.calls * 1e6, 2))
                        found.setdefault("latency", []).append(made.median)
            say(f"services: round {turn + 1} of {plan.rounds}")
    finally:
        for program, _ in running.values():
            program.stop()
    return list(rows.values())


def measure_clients(plan: Plan) -> list[Row]:
    """Our clients and zeep against our service, each call waiting for the one before it on its connection."""
    rows: dict[tuple[str, str, int], Row] = {}
    service, url = start_service("creo")
    running: dict[str, Program] = {}
    try:
        for name in CLIENTS:
            running[name] = start_client(name, url)
            running[name].line()
            for message in plan.messages:
                running[name].ask(f"{message} 1 {plan.warm_up if name == 'creo-java' else 1}")
            say(f"{name}: checked and warmed up")
        for turn in range(plan.rounds):
            for message in plan.messages:
                for connections in plan.connections:
                    for name in turned(CLIENTS, turn):
                        # Python's threads share one processor: more connections would say nothing of the client.
                        if connections == 1 or name == "creo-java":
                            before = running[name].processor_time()
                            calls, seconds, *_ = map(float, running[name].ask(f"{message} {connections} {plan.seconds}").split())
                            found = row(rows, "clients", name, message, connections)
                            found["calls"].append(round(calls / seconds, 1))
                            found["cpu"].append(round((running[name].processor_time() - before) / calls * 1e6, 2))
            say(f"clients: round {turn + 1} of {plan.rounds}")
    finally:
        for program in (*running.values(), service):
            program.stop()
    return list(rows.values())


def pinned(name: str, key: str) -> str:
    """A version in the project of a service."""
    return (SOURCES / name / "pom.xml").read_text().split(f"<{key}.version>")[1].split("<")[0]


def versions() -> dict[str, str]:
    return {
        "JDK": machine.first_line("java", "-version"),
        "CXF": f"{pinned('cxf', 'cxf')} on its Jetty",
        "JAX-WS RI": f"{pinned('jaxws-ri', 'jaxws')} on the JDK's server, with its nodelay set",
        "Python": sys.version.split()[0],
        "zeep": Python().versions(text=True)["zeep"],
        "wrk": run(["dpkg-query", "-W", "-f", "${Version}", "wrk"], capture=True),
    }
