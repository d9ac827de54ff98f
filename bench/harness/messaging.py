"""The experiments of the papers on serialized messaging: a client asks, a service makes a payload of megabytes and sends it, over HTTP, TCP or a broker.

A part of the run is one peer with one form of message over one transport in one round: its programs are started, warmed up and measured for one payload after the other.
The rows are described in `results`; their workload is FORM/TRANSPORT, and what they measure is one of

    response                                     a transaction: from the call until the objects can be used; with the bytes that the client `sent` and `received` for it
    generation, serialization, deserialization   its steps on the clock, and with `cpu-` before them as processor time of the thread. Of a serialized object they are parts of the
                                                 transaction; of other forms, the last two were measured without transport, and `message` is the length of the message
    cpu-service, cpu-client, cpu-broker          processor time of each program for a transaction, all steps included
"""

from __future__ import annotations

import json
import shutil
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any, Iterator

from . import messaging_build
from .journal import Row
from .response import Cannot, Program
from .tools import Failed, fresh

# Bytes of an item's payload.
ITEM = 100
# Those of the papers' payloads that their texts name.
SIZES = (1_300_000, 4_400_000, 7_300_000, 11_900_000, 14_400_000, 16_800_000, 19_400_000, 22_200_000)
QUICK_SIZES = (1_300_000, 7_300_000, 22_200_000)
PEERS = {
    "creo": "Creo",
    "creo-again": "Creo once more, with the normal message: what difference means nothing",
    "cxf": "Apache CXF, client and service",
}
FORMS = {
    "normal": "the fields in XML, SOAP 1.1",
    "gzip": "the same, compressed",
    "serialized": "a Java-serialized object in the message, as base64",
    "tables": "table-driven XML, records, alone",
    "binary": "the binary wire",
}
TRANSPORTS = {
    "http": "HTTP",
    "tcp": "Creo's own frames, which carry the binary wire where HTTP carries the others",
    "jms": "a broker that keeps messages on its disk until they are acknowledged",
    "jms-volatile": "the same broker without a folder: messages are lost with it",
}
# No collector, no compiler and no broker of these sizes needs longer.
PATIENCE = 120.0


@dataclass(frozen=True)
class Subject:
    """A measured combination: one peer sends one form over one transport."""

    peer: str
    form: str
    transport: str

    @property
    def workload(self) -> str:
        return f"{self.form}/{self.transport}"

    @property
    def is_jms(self) -> bool:
        return self.transport.startswith("jms")


def subjects() -> Iterator[Subject]:
    for transport in ("http", "jms", "jms-volatile"):
        for form in FORMS:
            yield Subject("creo", form, "tcp" if transport == "http" and form == "binary" else transport)
            if form == "normal" and transport != "jms-volatile":
                yield Subject("creo-again", form, transport)
            if form in ("normal", "gzip", "serialized"):
                yield Subject("cxf", form, transport)


@dataclass(frozen=True)
class Plan:
    subjects: tuple[Subject, ...]
    sizes: tuple[int, ...]
    rounds: int
    # Max seconds for warming up with the first payload and with each further one; seconds and min number of calls; seconds for a wire alone.
    first_warm_up: float
    warm_up: float
    seconds: float
    least: int
    wire_seconds: float

    def parts(self) -> list[Part]:
        """In rounds, each of which begins with another subject."""
        made = []
        for turn in range(self.rounds):
            start = turn * 5 % len(self.subjects)
            made += [Part(turn, subject) for subject in self.subjects[start:] + self.subjects[:start]]
        return made


@dataclass(frozen=True)
class Part:
    turn: int
    subject: Subject

    def key(self) -> list[Any]:
        return [self.turn, self.subject.peer, self.subject.workload]

    def name(self) -> str:
        return f"round {self.turn + 1}, {self.subject.peer}, {self.subject.workload}"


class Group:
    """The programs of one subject: a service, a client, and the broker between them if there is one."""

    def __init__(self, subject: Subject, stack: ExitStack) -> None:
        def start(side: str, command: list[object]) -> Program:
            program = Program(f"messaging-{subject.peer}-{subject.form}-{subject.transport}-{side}", command)
            stack.callback(program.stop)
            return program

        self.compressed = subject.form == "gzip"
        port = 0
        self.broker: Program | None = None
        if subject.is_jms:
            data = None
            if subject.transport == "jms":
                data = fresh(messaging_build.HERE / "broker")
                stack.callback(shutil.rmtree, data, ignore_errors=True)
            self.broker = start("broker", messaging_build.broker(data))
            port = json.loads(self.broker.line(PATIENCE))["port"]
        words = subject.peer, subject.form, subject.transport, port
        self.service = start("service", messaging_build.program("serve", *words))
        self.client = start("client", messaging_build.program("call", *words, self.service.line(PATIENCE)))
        self.client.line(PATIENCE)

    def ask(self, question: str, seconds: float = 0.0) -> Row:
        answer: Row = json.loads(self.client.ask(question, seconds + PATIENCE))
        return answer

    def run(self, seconds: float, least: int) -> Row:
        return self.ask(f"run {int(seconds * 1e9)} {least}", seconds)

    def steps_of_service(self) -> dict[str, list[int]]:
        """The service's measurements since the last request for them."""
        taken: dict[str, list[int]] = json.loads(self.service.ask("taken", PATIENCE))
        return taken

    def moved(self) -> tuple[int, int]:
        """The bytes that the client's connections sent and received for one call, which may have opened a new one."""
        before = self.client.connections()
        self.run(0, 1)
        differences = [(sent - before.get(name, (0, 0))[0], received - before.get(name, (0, 0))[1]) for name, (sent, received) in self.client.connections().items()]
        return sum(sent for sent, _ in differences), sum(received for _, received in differences)

    def processor_times(self) -> dict[str, float]:
        programs = {"cpu-service": self.service, "cpu-client": self.client, "cpu-broker": self.broker}
        return {name: program.processor_time() for name, program in programs.items() if program is not None}

    def warm(self, most: float, least: float) -> None:
        """Calls for at least this many seconds, and until three consecutive bursts were not faster, up to the max."""
        best, since, spent = float("inf"), 0, 0.0
        while spent < least or since < 3 and spent < most:
            found = sorted(self.run(0.2, 1)["times"]["response"])
            spent += max(0.2, found[0] / 1e9)
            if found[len(found) // 2] < 0.97 * best:
                best, since = found[len(found) // 2], 0
            else:
                since += 1


def measure_part(part: Part, plan: Plan) -> list[Row]:
    """The rows of one part, with one list of samples each; where something cannot be done, a row that says why."""
    rows: list[Row] = []

    def add(size: int, what: str, samples: list[int], **more: object) -> None:
        rows.append({
            "language": "java", "peer": part.subject.peer, "workload": part.subject.workload, "size": size,
            "placement": "free", "callers": 1, "what": what, "unit": "ns", "samples": samples, **more,
        })  # fmt: skip

    with ExitStack() as stack:
        left = list(plan.sizes)
        try:
            group = Group(part.subject, stack)
            for index, size in enumerate(plan.sizes):
                measure_size(group, plan, size, index == 0, add)
                left.remove(size)
        except (Cannot, Failed) as problem:
            # The programs may be in any state: nothing larger is asked of them.
            for size in left:
                add(size, "response", [], cannot=str(problem) if isinstance(problem, Cannot) else "a program ended")
    return rows


def measure_size(group: Group, plan: Plan, size: int, first: bool, add: Any) -> None:
    group.ask(f"prepare {size // ITEM}")
    if first:
        group.warm(plan.first_warm_up, plan.first_warm_up / 2)
    else:
        group.warm(plan.warm_up, 0)
    sent, received = group.moved()
    group.steps_of_service()
    before = group.processor_times()
    found = group.run(plan.seconds, plan.least)
    after = group.processor_times()
    calls = found["calls"]
    if group.compressed and received > size:
        # The fields in XML are twice as long as the payload, and compressed half as long.
        raise Cannot("its answers are not compressed")
    times = found["times"] | group.steps_of_service()
    add(size, "response", times.pop("response"), sent=sent, received=received)
    for name, samples in times.items():
        add(size, name, samples)
    for name, spent in after.items():
        add(size, name, [round((spent - before[name]) / calls * 1e9)])
    alone = group.ask(f"wire {int(plan.wire_seconds * 1e9)}", plan.wire_seconds)
    for name, samples in alone.get("times", {}).items():
        add(size, name, samples, message=alone["message"])


def chosen(peers: list[str], only: list[str]) -> tuple[Subject, ...]:
    """The subjects of these peers, or of all; and of these forms and transports."""
    unknown = [name for name in peers if name not in PEERS]
    if unknown:
        raise Failed(f"no such peer: {', '.join(unknown)}; there are {', '.join(PEERS)}")
    forms = [name for name in only if name in FORMS]
    transports = [name for name in only if name in TRANSPORTS]
    found = tuple(
        subject
        for subject in subjects()
        if (not peers or subject.peer in ("creo", *peers)) and (not forms or subject.form in forms) and (not transports or subject.transport in transports)
    )
    if not found:
        raise Failed(f"nothing is {' and '.join(only)}")
    return found


