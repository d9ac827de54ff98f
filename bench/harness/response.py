"""Calls over the loopback: client programs in each language against Java services, timed by the callers.

A part of the run is one peer with one workload in one round: its two programs are started, warmed up and measured for one size after the other, pinned to one core and free.
"""

from __future__ import annotations

import os
import re
import select
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Iterator

from .journal import Row
from .placement import PLACEMENTS, place
from .response_build import HERE
from .response_peers import (
    LARGE_NEEDS,
    PEERS,
    SMALL,
    Peer,
    client_command,
    client_environment,
    service_command,
)
from .tools import Failed, run

# Of the smallest payload, before anything is measured.
WARM_CALLS = 10_000

SIZES = (100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000)


@dataclass(frozen=True)
class Plan:
    peers: tuple[Peer, ...]
    workloads: tuple[str, ...]
    sizes: tuple[int, ...]
    rounds: int
    # How many callers call at once, besides one alone; and with which payloads.
    callers: tuple[int, ...]
    parallel: tuple[int, ...]
    # Max seconds for warming up with the first and with each further size; seconds of a measurement; the max duration of a call.
    first_warm_up: float
    warm_up: float
    seconds: float
    longest: float

    def parts(self) -> list[Part]:
        """In rounds; the peers of a language that are compared run close together, another one first in each round. The largest payloads are sent in the first round only."""
        made = []
        languages = list(dict.fromkeys(peer.language for peer in self.peers))
        for turn in range(self.rounds):
            for language in languages:
                for workload in self.workloads:
                    peers = [peer for peer in self.peers if peer.language == language and workload in peer.workloads]
                    start = turn * 3 % max(1, len(peers))
                    for sizes in ([size for size in self.sizes if size <= SMALL], [size for size in self.sizes if size > SMALL]):
                        if sizes and (turn == 0 or sizes[-1] <= SMALL):
                            made += [Part(turn, peer, workload, tuple(sizes)) for peer in peers[start:] + peers[:start]]
        return made


@dataclass(frozen=True)
class Part:
    turn: int
    peer: Peer
    workload: str
    sizes: tuple[int, ...]

    @property
    def large(self) -> bool:
        return self.sizes[-1] > SMALL

    def key(self) -> list[Any]:
        return [self.turn, self.peer.language, self.peer.name, self.workload, list(self.sizes)]

    def name(self) -> str:
        return f"round {self.turn + 1}, {self.peer.language} {self.peer.name}, {self.workload}{', large' if self.large else ''}"


class Cannot(Exception):
    """A peer cannot do what was asked; its text says why."""


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
            env={**os.environ, **(environment or {})},
        )
        self._rest = b""

    @property
    def pid(self) -> int:
        return self._process.pid

    def line(self, seconds: float) -> str:
        assert self._process.stdout is not None
        end = time.monotonic() + seconds
        while b"\n" not in self._rest:
            left = end - time.monotonic()
            if left <= 0 or not select.select([self._process.stdout], [], [], left)[0]:
                raise Cannot(f"no answer within {seconds:.0f} s")
            got = os.read(self._process.stdout.fileno(), 1 << 16)
            if not got:
                raise Failed(f"{self.name} has ended; see {self._log.name}")
            self._rest += got
        line, self._rest = self._rest.split(b"\n", 1)
        text = line.decode()
        if text.startswith("cannot "):
            raise Cannot(text[7:].strip())
        return text

    def ask(self, question: str, seconds: float) -> str:
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(question.encode() + b"\n")
            self._process.stdin.flush()
        except BrokenPipeError:
            raise Failed(f"{self.name} has ended; see {self._log.name}") from None
        return self.line(seconds)

    def processor_time(self) -> float:
        """Seconds of all its threads, those that have ended included: the processor time clock of another process (see clock_getcpuclockid)."""
        return time.clock_gettime((~self.pid << 3) | 2)

    def connections(self) -> dict[str, tuple[int, int]]:
        """Bytes that each of its open connections has sent and received, by both addresses."""
        found = {}
        for line in run(["ss", "--tcp", "--info", "--processes", "--oneline", "--no-header", "--numeric"], capture=True).splitlines():
            if f"pid={self.pid}," in line:
                sent, received = (sum(map(int, re.findall(rf" {name}:(\d+)", line))) for name in ("bytes_sent", "bytes_received"))
                found[" ".join(line.split()[3:5])] = (sent, received)
        return found

    def socket_bytes(self) -> tuple[int, int]:
        """Bytes that its open connections have sent and received."""
        each = self.connections().values()
        return sum(sent for sent, _ in each), sum(received for _, received in each)

    def stop(self) -> None:
        assert self._process.stdin is not None and self._process.stdout is not None
        try:
            self._process.stdin.close()
        except BrokenPipeError:
            pass  # It has ended.
        try:
            self._process.wait(2)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._process.stdout.close()
        self._log.close()


@dataclass(frozen=True)
class Burst:
    calls: int
    seconds: float
    # Nanoseconds of single calls: evenly spaced quantiles.
    times: list[int]

    @property
    def median(self) -> float:
        return self.times[len(self.times) // 2]


class Pair:
    """A service and its client."""

    def __init__(self, part: Part, plan: Plan) -> None:
        self._plan = plan
        name = f"{part.peer.language}-{part.peer.name}"
        self.service = Program(f"{name}-service", service_command(part.peer, part.large))
        try:
            self.client = Program(f"{name}-client", client_command(part.peer, self.service.line(60), part.large), client_environment(part.peer))
        except BaseException:
            self.service.stop()
            raise
        try:
            self.client.line(60)
        except BaseException:
            self.stop()
            raise

    def stop(self) -> None:
        self.client.stop()
        self.service.stop()

    def place(self, placement: str) -> None:
        place((self.service.pid, self.client.pid), placement)

    def prepare(self, workload: str, size: int) -> float:
        """Makes a request and sends it once, checked; returns the seconds that took, which those of the call do not exceed."""
        start = time.monotonic()
        self.client.ask(f"prepare {workload} {size}", self._plan.longest + 60)
        return time.monotonic() - start

    def burst(self, callers: int, seconds: float, least: int = 1) -> Burst:
        limit = seconds + self._plan.longest * max(1, least) * callers + 10
        calls, elapsed, times = self.client.ask(f"run {callers} {int(seconds * 1e9)} {least}", limit).split()
        return Burst(int(calls), int(elapsed) / 1e9, [int(each) for each in times.split(",")])

    def warm(self, most: float, calls: int = 0) -> bool:
        """
        Calls at least this often, and until three consecutive bursts were not faster, since Java's compilers count calls; but no longer than this
        many seconds. Returns whether the calls were completed.
        """
        best, since, done = float("inf"), 0, 0
        end = time.monotonic() + most
        while (since < 3 or done < calls) and time.monotonic() < end:
            found = self.burst(1, 0.2)
            done += found.calls
            if found.median < 0.97 * best:
                best, since = found.median, 0
            else:
                since += 1
        return done >= calls


def measure_part(part: Part, plan: Plan) -> Iterator[Row]:
    """The rows of one part, with one list of samples each; where something cannot be done, a row that says why."""

    def cannot(sizes: tuple[int, ...], why: str) -> Iterator[Row]:
        for size in sizes:
            for placement in PLACEMENTS:
                yield {**head(size, placement, 1, "response"), "samples": [], "cannot": why}

    def head(size: int, placement: str, callers: int, what: str) -> Row:
        unit = "calls/s" if what == "calls" else "ns"
        return {
            "language": part.peer.language, "peer": part.peer.name, "workload": part.workload, "size": size,
            "placement": placement, "callers": callers, "what": what, "unit": unit,
        }  # fmt: skip

    if part.large and available_memory() < LARGE_NEEDS:
        yield from cannot(part.sizes, f"needs {LARGE_NEEDS >> 30} GiB of free memory")
        return
    pair = Pair(part, plan)
    warm = True
    try:
        for index, size in enumerate(part.sizes):
            left = part.sizes[index:]
            try:
                pair.place("free")
                pair.prepare(part.workload, size)
                first = pair.burst(1, 0)
                if first.median > plan.longest * 1e9:
                    yield from cannot(left, f"a call takes {first.median / 1e9:.0f} s")
                    return
                long = first.median > 1e9
                if not long:
                    warm &= pair.warm(*((plan.warm_up,) if index or part.large else (plan.first_warm_up, WARM_CALLS)))
                longest = 0.0
                for placement in PLACEMENTS:
                    pair.place(placement)
                    if not long:
                        pair.warm(plan.warm_up / 2)
                    for callers in (1, *(plan.callers if size in plan.parallel else ())):
                        if not long:
                            pair.burst(callers, plan.seconds / 3)
                        moved = pair.client.socket_bytes()
                        before = pair.service.processor_time(), pair.client.processor_time()
                        found = pair.burst(callers, plan.seconds, 1 if long else 3)
                        after = pair.service.processor_time(), pair.client.processor_time()
                        sent, received = (round((new - old) / found.calls) for old, new in zip(moved, pair.client.socket_bytes()))
                        longest = max(longest, found.median / 1e9)
                        yield {**head(size, placement, callers, "response"), "samples": found.times, "sent": sent, "received": received, **({} if warm else {"cold": True})}
                        if callers > 1:
                            yield {**head(size, placement, callers, "calls"), "samples": [round(found.calls / found.seconds, 2)]}
                            continue
                        for name, old, new in zip(("cpu-service", "cpu-client"), before, after):
                            yield {**head(size, placement, callers, name), "samples": [round((new - old) / found.calls * 1e9)]}
                # The time of a call that is long grows as its payload does.
                if left[1:] and longest > 0.2 and longest * left[1] / size > plan.longest:
                    yield from cannot(left[1:], f"a call would take about {longest * left[1] / size:.0f} s or more: longer than {plan.longest:.0f} s are not waited for")
                    return
            except (Cannot, Failed) as problem:
                # The programs may be in any state: nothing larger is asked of them.
                yield from cannot(left, str(problem) if isinstance(problem, Cannot) else "a program ended")
                return
    finally:
        pair.stop()


def available_memory() -> int:
    """Bytes that programs can have without others being swapped or ended."""
    return next(int(line.split()[1]) * 1024 for line in Path("/proc/meminfo").read_text().splitlines() if line.startswith("MemAvailable:"))


def known(language: str | None = None) -> tuple[str, ...]:
    return tuple(dict.fromkeys(peer.name for peer in PEERS if language in (None, peer.language)))
