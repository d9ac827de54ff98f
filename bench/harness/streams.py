"""Streams over the binary wire: blocks of doubles beside a bare socket, and small structs beside gRPC, read from a Java service and written to it by a client in each language.

A part of the run is one language in one round: all its pairs of programs are started and warmed up; then each stream runs once on each pair, one after the other, another one first
in each round. The rows are of two kinds:

    {"language", "peer", "workload", "direction": "read" or "write" by the client, "items", "bytes", "ns": [of each round], "cpu_service": [...], "cpu_client": [...]}
    {"language", "peer", "side": "service" or "client", "start", "warm", "end": [KiB of each round]}

`ns` is the client's time on the clock, `cpu_service` and `cpu_client` the processor time of all threads, in nanoseconds, too; `bytes` are those of the values, without what a wire
adds. `start` is the resident memory before the first stream, the others the max since then (VmHWM), after the warm-up and at the end. Where a stream could not run, the row says why
in `cannot`, and has null for the round; there is no row of memory for it.

What a reader adds up: of blocks the bits of all doubles as whole numbers, modulo 2^64; of readings the times, the flags, and twice the values. Double number `i` of a block is
i / 2 + 1; reading number `i` has the time 1,700,000,000,000 + i, the value (i modulo 1,000) / 2 and the flags i modulo 8.
"""

from __future__ import annotations

import json
import re
import struct
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Iterable

from .journal import Journal, Row
from .response import Cannot, Program
from .streams_build import BOTH, PEERS, Peer, client_command, client_environment, service_command
from .tools import Failed

DIRECTIONS = ("read", "write")
# Of a block's doubles and of a struct's fields.
DOUBLE, STRUCT = 8, 8 + 8 + 4
START = 1_700_000_000_000
# Far above what a stream takes: what hangs is a failure.
PATIENCE = 900.0


@dataclass(frozen=True)
class Plan:
    peers: tuple[Peer, ...]
    # How many doubles a stream has, and in blocks of how many; how many structs Creo's and gRPC's have.
    doubles: int
    block: int
    structs: int
    grpc_structs: int
    rounds: int

    def parts(self) -> list[Part]:
        languages = list(dict.fromkeys(peer.language for peer in self.peers))
        return [Part(turn, language) for turn in range(self.rounds) for language in languages]

    def of_language(self, part: Part) -> list[Peer]:
        """In this round's order."""
        peers = [peer for peer in self.peers if peer.language == part.language]
        start = part.turn % len(peers)
        return peers[start:] + peers[:start]

    def stream(self, peer: Peer, workload: str, share: int = 1) -> Stream:
        """What a peer sends, or one part of so many."""
        if workload == "doubles":
            return Stream(workload, max(1, self.doubles // self.block // share), self.block)
        return Stream(workload, max(1, (self.grpc_structs if peer.name == "grpc" else self.structs) // share))


@dataclass(frozen=True)
class Part:
    turn: int
    language: str

    def key(self) -> list[Any]:
        return [self.turn, self.language]

    def name(self) -> str:
        return f"round {self.turn + 1}, {self.language}"


@dataclass(frozen=True)
class Stream:
    workload: str
    # Blocks or structs.
    items: int
    # Doubles of a block.
    length: int = 0

    def question(self, direction: str) -> str:
        return " ".join(map(str, (self.workload, direction, self.items, *([self.length] if self.length else []))))

    @property
    def bytes(self) -> int:
        return self.items * (self.length * DOUBLE if self.length else STRUCT)

    def sum(self) -> int:
        """What a reader must have added up, as a long."""
        count = self.items
        total: int
        if self.length:
            total = count * sum(struct.unpack(f"<{self.length}Q", struct.pack(f"<{self.length}d", *(i * 0.5 + 1 for i in range(self.length)))))
        else:
            total = count * START + count * (count - 1) // 2 + cycled(count, 8) + cycled(count, 1000)
        return (total + (1 << 63)) % (1 << 64) - (1 << 63)


def cycled(count: int, cycle: int) -> int:
    """The sum of `i % cycle` for all i below the count."""
    whole, rest = divmod(count, cycle)
    return whole * (cycle * (cycle - 1) // 2) + rest * (rest - 1) // 2


class Pair:
    """A service and its client."""

    def __init__(self, peer: Peer, stack: ExitStack) -> None:
        self.peer = peer
        # Why it is asked for nothing more.
        self.stopped: str | None = None
        self.service = Program(f"streams-{peer.language}-{peer.name}-service", service_command(peer))
        stack.callback(self.service.stop)
        port = self.service.line(PATIENCE)
        self.client = Program(f"streams-{peer.language}-{peer.name}-client", client_command(peer, port), client_environment(peer))
        stack.callback(self.client.stop)
        self.client.line(PATIENCE)
        self.memory: dict[str, dict[str, int]] = {"service": {}, "client": {}}
        self.see("start", "VmRSS")

    def run(self, stream: Stream, direction: str) -> int:
        """Nanoseconds of a stream, whose sum was right."""
        if self.stopped is not None:
            raise Cannot(self.stopped)
        try:
            nanoseconds, total = map(int, self.client.ask(stream.question(direction), PATIENCE).split())
        except Cannot as problem:
            # The programs may be in any state.
            self.stopped = str(problem)
            raise
        if total != stream.sum():
            raise Failed(f"{self.client.name}: {stream.question(direction)} adds up to {total} instead of {stream.sum()}")
        return nanoseconds

    def processor_times(self) -> dict[str, float]:
        """Seconds, so far."""
        return {"cpu_service": self.service.processor_time(), "cpu_client": self.client.processor_time()}

    def see(self, when: str, what: str = "VmHWM") -> None:
        """Notes the resident memory of both programs, or its max so far."""
        for side, program in (("service", self.service), ("client", self.client)):
            self.memory[side][when] = kibibytes(Path(f"/proc/{program.pid}/status").read_text(), what)


def kibibytes(status: str, what: str) -> int:
    found = re.search(rf"^{what}:\s+(\d+) kB$", status, re.MULTILINE)
    if found is None:
        raise Failed(f"the kernel does not say {what} of a process")
    return int(found.group(1))


def measure_part(part: Part, plan: Plan) -> list[Row]:
    """The rows of one part, with one figure each instead of a list."""
    rows: list[Row] = []
    with ExitStack() as stack:
        pairs = [Pair(peer, stack) for peer in plan.of_language(part)]
        for pair in pairs:
            warm(pair, plan)
            pair.see("warm")
        for workload in BOTH:
            for direction in DIRECTIONS:
                for pair in pairs:
                    if workload in pair.peer.workloads:
                        rows.append(measured(pair, plan.stream(pair.peer, workload), direction))
        for pair in pairs:
            if pair.stopped is None:
                pair.see("end")
                rows += [{"language": part.language, "peer": pair.peer.name, "side": side, **seen} for side, seen in pair.memory.items()]
    return rows


def warm(pair: Pair, plan: Plan) -> None:
    """Each stream twice, a tenth as long: that is enough for the compilers of Java and .NET, which compile loops that are under way."""
    try:
        for workload in pair.peer.workloads:
            for direction in DIRECTIONS * 2:
                pair.run(plan.stream(pair.peer, workload, 10), direction)
    except Cannot:
        pass  # The pair says so of each stream.


def measured(pair: Pair, stream: Stream, direction: str) -> Row:
    row: Row = {"language": pair.peer.language, "peer": pair.peer.name, "workload": stream.workload, "direction": direction, "items": stream.items, "bytes": stream.bytes}
    before = pair.processor_times()
    try:
        nanoseconds = pair.run(stream, direction)
        spent = {name: round((after - before[name]) * 1e9) for name, after in pair.processor_times().items()}
        return {**row, "ns": nanoseconds, **spent}
    except Cannot as problem:
        return {**row, "cannot": str(problem)}


def rows_of(parts: Iterable[Part], journal: Journal) -> list[Row]:
    """One row a cell, with a list of figures for the rounds: of a stream that could not run in a round, null."""
    of_stream, of_memory = ("ns", "cpu_service", "cpu_client"), ("start", "warm", "end")
    cells: dict[str, Row] = {}
    for part in parts:
        for row in journal.rows(part):
            head = {name: value for name, value in row.items() if name not in (*of_stream, *of_memory, "cannot")}
            cell = cells.setdefault(json.dumps(head), head)
            if "cannot" in row:
                cell["cannot"] = row["cannot"]
            for name in of_memory if "side" in row else of_stream:
                cell.setdefault(name, []).append(row.get(name))
    return list(cells.values())


def chosen(languages: Iterable[str], without: Iterable[str]) -> tuple[Peer, ...]:
    return tuple(peer for peer in PEERS if peer.language in languages and peer.name not in without)
