"""The experiments of the paper "TDXML: Table Driven XML": one client and one service for each form of the five messages, all warm at the same time, measured in turn.
The rows are described in `results`."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any

from . import calls
from .calls import HERE, Program, turned
from .journal import Journal, Row, measure_parts, rows_of
from .placement import place
from .tools import Failed

FORMS = {
    "soap": "SOAP",
    "soap-again": "SOAP once more: what difference means nothing",
    "tdxml-aggregated-in-soap": "TDXML in SOAP, aggregated scheme",
    "tdxml-record-in-soap": "TDXML in SOAP, record scheme",
    "tdxml-record": "TDXML alone, record scheme, over HTTP",
    "tdxml-record-tcp": "TDXML alone, record scheme, over TCP",
    "json": "JSON over HTTP",
    "binary": "binary over TCP",
    "cxf": "SOAP by Apache CXF, client and service",
    "soap-mtom": "SOAP with MTOM",
    "tdxml-record-in-soap-mime": "TDXML in SOAP, record scheme, package",
    "tdxml-record-mime": "TDXML alone, record scheme, package, over HTTP",
}
# A package differs only where there are byte strings.
ONLY_JPEG = ("soap-mtom", "tdxml-record-in-soap-mime", "tdxml-record-mime")
OVER_TCP = ("tdxml-record-tcp", "binary")
# Many virtual machines at once: small heaps, the same for all.
JVM = ("java", "-Xms256m", "-Xmx256m", "-XX:+UseSerialGC")
CALLERS = (4, 16, 32)
# The last compiler of the virtual machine looks at what was called ten thousand times.
ENOUGH = 12_000


@dataclass(frozen=True)
class Plan:
    forms: tuple[str, ...]
    messages: tuple[str, ...]
    callers: tuple[int, ...]
    rounds: int
    seconds: float
    # Seconds for each message and form, at most; and how many without a gain end it.
    warm_up: int
    patience: int

    def of(self, message: str) -> tuple[str, ...]:
        return tuple(form for form in self.forms if message == "jpeg" or form not in ONLY_JPEG)

    def parts(self) -> list[Part]:
        return [Part(message, turn) for message in self.messages for turn in range(self.rounds)]


@dataclass(frozen=True)
class Part:
    """A message in one round, in every form that there is of it."""

    message: str
    turn: int

    def key(self) -> list[Any]:
        return [self.message, self.turn]

    def name(self) -> str:
        return f"{self.message}, round {self.turn + 1}"


@dataclass(frozen=True)
class Pair:
    """A service and its client."""

    service: Program
    client: Program

    def ask(self, message: str, callers: int, seconds: float) -> tuple[int, float, list[float]]:
        """Calls, seconds, and times of calls in nanoseconds, thinned."""
        count, lasted, *times = map(float, self.client.ask(f"{message} {callers} {seconds}").split())
        return int(count), lasted, times

    def place(self, placement: str) -> None:
        place((self.service.pid, self.client.pid), placement)


def build(plan: Plan) -> None:
    with_cxf = ("cxf",) if "cxf" in plan.forms else ()
    calls.build(["services"], calls.Plan(services=("creo", *with_cxf), messages=(), connections=(), rounds=0, seconds=0, warm_up=0))


def start(form: str, stack: ExitStack) -> Pair:
    def program(side: str, command: list[object]) -> Program:
        started = Program(f"tdxml-{form}-{side}", [*JVM, *command])
        stack.callback(started.stop)
        return started

    if form == "cxf":
        classes = ["-cp", f"{HERE}/cxf/classes:{HERE}/cxf/lib/*"]
        service = program("service", [*classes, "creo.bench.messages.JaxwsService"])
        # Of its two ways to HTTP the one that is two to four times as fast as its default.
        conduit = "-Dorg.apache.cxf.transport.http.forceURLConnection=true"
        client = program("client", [conduit, *classes, "creo.bench.messages.JaxwsClient", service.line()])
    else:
        service = program("service", ["-cp", HERE / "creo", "CreoService"])
        http, tcp = service.line(), service.line()
        client = program("client", ["-cp", HERE / "creo", "CreoClient", form.removesuffix("-again"), tcp if form in OVER_TCP else http])
    client.line()
    return Pair(service, client)


def warm(pair: Pair, message: str, plan: Plan) -> None:
    """Calls until a call costs both sides no less any more, and not before there were enough calls for the compilers to see them: under load both come late."""
    best, better, calls_made = float("inf"), 0, 0
    for second in range(plan.warm_up):
        before = pair.service.processor_time() + pair.client.processor_time()
        count, _, _ = pair.ask(message, 4, 1)
        calls_made += count
        cost = (pair.service.processor_time() + pair.client.processor_time() - before) / count
        if cost < 0.97 * best:
            best, better = cost, second
        elif second - better >= plan.patience and calls_made >= ENOUGH:
            break


def cell(pair: Pair, form: str, message: str, placement: str, callers: int, seconds: float) -> list[Row]:
    pair.place(placement)
    service, client = pair.service.processor_time(), pair.client.processor_time()
    count, lasted, times = pair.ask(message, callers, seconds)
    service, client = pair.service.processor_time() - service, pair.client.processor_time() - client
    head: Row = {"language": "java", "peer": form, "workload": "messages", "size": message, "placement": placement, "callers": callers}
    return [
        {**head, "what": "response", "unit": "ns", "samples": times},
        {**head, "what": "calls", "unit": "1/s", "samples": [round(count / lasted, 1)]},
        {**head, "what": "cpu-service", "unit": "ns", "samples": [round(service / count * 1e9)]},
        {**head, "what": "cpu-client", "unit": "ns", "samples": [round(client / count * 1e9)]},
    ]


def measure(plan: Plan, journal: Journal) -> list[Row]:
    """Measures what the journal does not have, message by message: all programs are kept, and warm for a message before its first round."""
    parts = plan.parts()
    left = {part.message for part in parts if not journal.has(part)}
    warmed: set[str] = set()
    with ExitStack() as stack:
        pairs = {form: start(form, stack) for form in plan.forms if any(form in plan.of(message) for message in left)}

        def measured(part: Part) -> list[Row]:
            message, rows = part.message, []
            forms = plan.of(message)
            if message not in warmed:
                for form in forms:
                    pairs[form].place("free")
                    warm(pairs[form], message, plan)
                warmed.add(message)
            for form in turned(forms, part.turn):
                for placement in ("pinned", "free"):
                    rows += cell(pairs[form], form, message, placement, 1, plan.seconds)
                for callers in plan.callers:
                    rows += cell(pairs[form], form, message, "free", callers, plan.seconds)
            return rows

        measure_parts("bench-tdxml", parts, journal, measured)
    return rows_of(parts, journal)


def known(names: list[str]) -> tuple[str, ...]:
    unknown = [name for name in names if name not in FORMS]
    if unknown:
        raise Failed(f"no such peer: {', '.join(unknown)}; there are {', '.join(FORMS)}")
    return tuple(form for form in FORMS if not names or form in names or form == "soap")
