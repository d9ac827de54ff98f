"""Calls with a username token or a signature beside plain ones, Creo's and CXF's: `bench/soap.py --part security`.

Each subject is a client and a service, each a program of its own, both on one core. The rows are those of `calls`; the processor time is that of both sides.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from . import machine, placement
from .calls import HERE, LOAD, SOURCES, Plan, Program, Row, pinned, row, turned, warmed
from .tools import BENCH, JAVAC, fresh, generate, run, say

CREO = ("-cp", HERE / "creo-secured", "SecuredCreo")
CXF = ("-Dorg.apache.cxf.transport.http.forceURLConnection=true", "-cp", f"{HERE}/cxf-secured/classes:{HERE}/cxf-secured/lib/*", "creo.bench.messages.SecuredCxf")
KEYS = HERE / "keys.p12"
PASSWORD = "changeit"
# Seconds of a look at the calls while they become warm. A second has too few signed ones: CXF's become cheaper for minutes.
WINDOW = 10


@dataclass(frozen=True)
class Subject:
    name: str
    client: tuple[object, ...]
    service: tuple[object, ...]
    # What both are asked for.
    kind: str


SUBJECTS = (
    *(Subject(f"creo {kind}", CREO, CREO, kind) for kind in ("plain", "username", "signed")),
    *(Subject(f"cxf {kind}", CXF, CXF, kind) for kind in ("plain", "username", "signed", "signed-stax")),
    Subject("cxf signed, creo's service", CXF, CREO, "signed"),
)


def build() -> None:
    HERE.mkdir(parents=True, exist_ok=True)
    code = generate("java", "messages", "--with", "wss")
    compile_creo(code, fresh(HERE / "creo-secured"))
    say("cxf-secured: building")
    fresh(HERE / "cxf-secured")
    run(["mvn", "-q", "-B", "-f", SOURCES / "cxf-secured", "package"], capture=True)
    KEYS.unlink(missing_ok=True)
    for name in ("client", "service"):
        made = ["-alias", name, "-dname", f"CN={name},O=Example", "-keyalg", "RSA", "-keysize", "2048", "-validity", "30"]
        run(["keytool", "-genkeypair", *made, "-keystore", KEYS, "-storetype", "PKCS12", "-storepass", PASSWORD], capture=True)


def compile_creo(code: Path, to: Path) -> None:
    """Compiles Creo's client and service with code that was generated for them."""
    generated = [path for path in code.rglob("*.java") if path.name != "module-info.java"]
    own = [*SOURCES.glob("creo/*.java"), *SOURCES.glob("secured/*.java"), BENCH / "messages/creo/bench/messages/Plain.java", LOAD]
    run([*JAVAC, "--release", "17", "-nowarn", "-d", to, *generated, *own], capture=True)


def measure(plan: Plan) -> list[Row]:
    rows: dict[tuple[str, str, int], Row] = {}
    pairs: dict[str, tuple[Program, Program]] = {}
    running: list[Program] = []
    try:
        for subject in SUBJECTS:
            file = subject.name.replace(" ", "-").replace(",", "").replace("'", "")
            service = started(running, f"{file}-service", subject.service, "service", subject.kind)
            client = started(running, f"{file}-client", subject.client, "client", subject.kind, service.line())
            client.line()
            pairs[subject.name] = (client, service)
            placement.place((client.pid, service.pid), "pinned")
            took = 0
            for message in plan.messages:
                took += warm((client, service), message, plan)
            say(f"{subject.name}: checked, warm after {took} s")
        for turn in range(plan.rounds):
            for message in plan.messages:
                for name in turned(tuple(pairs), turn):
                    pair = pairs[name]
                    placement.place((program.pid for program in pair), "pinned")
                    before = sum(program.processor_time() for program in pair)
                    calls, seconds, *_ = map(float, pair[0].ask(f"{message} 1 {plan.seconds}").split())
                    found = row(rows, "security", name, message, 1)
                    found["calls"].append(round(calls / seconds, 1))
                    found["cpu"].append(round((sum(program.processor_time() for program in pair) - before) / calls * 1e6, 2))
            say(f"security: round {turn + 1} of {plan.rounds}")
    finally:
        for program in reversed(running):
            program.stop()
    return list(rows.values())


def warm(pair: tuple[Program, Program], message: str, plan: Plan) -> int:
    """Calls until they cost no less any more; returns the seconds that it took."""
    return WINDOW * warmed(
        lambda: int(pair[0].ask(f"{message} 1 {WINDOW}").split()[0]),
        lambda: sum(program.processor_time() for program in pair),
        plan.warm_up,
    )


def started(running: list[Program], name: str, command: tuple[object, ...], side: str, kind: str, *address: str) -> Program:
    program = Program(name, ["java", "-Xms256m", "-Xmx256m", *command, side, kind, KEYS, *address])
    running.append(program)
    return program


def versions() -> dict[str, str]:
    return {"JDK": machine.first_line("java", "-version"), "CXF": f"{pinned('cxf-secured', 'cxf')} with its WSS4J, on its Jetty and through its HttpURLConnection"}
