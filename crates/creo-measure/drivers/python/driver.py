"""Measures what messages cost in one process (COST-33, COST-36).

Arguments: the file of the cases, the rounds, the microseconds of a sample, the milliseconds of all warming, the wires with commas between them, and the
modules that hold the methods. What it reads and prints is said in `creo-measure/src/lib.rs`.
"""

from __future__ import annotations

import binascii
import gc
import importlib
import itertools
import platform
import statistics
import sys
import time
from pathlib import Path
from typing import Any

from creo._call import Method
from creo_measure_forms import FORMS, Message, Read, Write

#: Before anything counts, each is written and read so often, or for so long.
WARM_CALLS = 50
WARM_NANOSECONDS = 2_000_000
#: What a sample is cut into.
SLICES = 10
#: The min, however long a message takes: after other messages the first call finds nothing of it in the caches.
LEAST = 3
#: Slices grow no further.
MOST = 1 << 22
#: A checksum of so many bytes, each of which waits for the one before: some ten microseconds, that nothing but the clock's rate makes longer.
REFERENCE = bytes(range(256)) * 16
#: The clock was steady in a slice if the references around it differ by no more than this part.
STEADY = 0.02


def reference() -> int:
    """The nanoseconds of a fixed amount of work now.

    It runs once first, uncounted: after a long message the caches hold nothing of it, and it would seem to take up to a third longer.
    """
    binascii.crc_hqx(REFERENCE, 0)
    start = time.thread_time_ns()
    binascii.crc_hqx(REFERENCE, 0)
    return time.thread_time_ns() - start


class Way:
    """One way of a message on a wire, and the times of it, in references."""

    def __init__(self, call: Any, argument: tuple[Any, ...]) -> None:
        self._call = call
        self._argument = argument
        self._count = 1
        self._slices: list[float] = []

    def run(self, count: int) -> int:
        """Nanoseconds of so many calls."""
        call = self._call
        turns = itertools.repeat(None, count)
        if self._argument:
            (argument,) = self._argument
            start = time.thread_time_ns()
            for _ in turns:
                call(argument)
            return time.thread_time_ns() - start
        start = time.thread_time_ns()
        for _ in turns:
            call()
        return time.thread_time_ns() - start

    def warm(self, nanoseconds: int) -> None:
        """Calls until nothing is made for the first time any more."""
        spent = calls = 0
        while calls < WARM_CALLS and spent < nanoseconds:
            spent += self.run(5)
            calls += 5

    def sample(self, wanted: int, keep: bool) -> int:
        """A sample of about so many nanoseconds, in slices; the first reference is returned.

        The clock's rate changes by a fifth and more from one moment to the next, so a slice is measured by the references around it, and counts if these are
        alike; the last one of a sample counts where none is.
        """
        slice_ = wanted // SLICES
        spent = self.run(self._count)
        while spent < slice_ // 2 and self._count < MOST:
            self._count = min(MOST, max(self._count * 2, self._count * slice_ // max(spent, 1)))
            spent = self.run(self._count)
        first = before = reference()
        kept, every, slices, more = len(self._slices), 0, 0, True
        while more:
            spent = self.run(self._count)
            after = reference()
            every, slices = every + spent, slices + 1
            more = every < wanted or (keep and slices < LEAST)
            steady = abs(before - after) <= STEADY * after
            if keep and (steady or (not more and len(self._slices) == kept)):
                self._slices.append(spent / self._count / ((before + after) / 2))
            before = after
        if spent > 2 * slice_:
            self._count = max(1, self._count * slice_ // spent)
        return first

    def time(self) -> float:
        """The lower quartile, or the next above: what another program takes of a core that is shared is seldom taken of all slices."""
        return sorted(self._slices)[(len(self._slices) + 2) // 4]


class Subject:
    """One message on one wire."""

    def __init__(self, number: str, wire: str, message: Message, value: Any) -> None:
        self.number = number
        self.wire = wire
        writer, read = FORMS[wire](message)
        write: Write = writer(value)
        self.body = write()
        if writer(read(self.body))() != self.body:
            raise ValueError(f"case {number} on {wire} does not come back as it went")
        self.serialize = Way(write, ())
        self.deserialize = Way(read, (self.body,))

    def ways(self) -> tuple[Way, Way]:
        """Both."""
        return self.serialize, self.deserialize


def nothing() -> None:
    """Does nothing."""


def noise() -> float:
    """What a loop around nothing seems to cost, in references a call: no time below this means anything."""
    way = Way(nothing, ())
    for _ in range(20):
        way.sample(1_000_000, True)
    return way.time()


def methods(modules: list[str]) -> dict[str, Method[Any, Any]]:
    """The methods that generated modules hold, by their full names."""
    found = {}
    for name in modules:
        for value in vars(importlib.import_module(name)).values():
            if isinstance(value, Method):
                found[value.full_name] = value
    return found


def main(cases: str, rounds: int, wanted: int, warm: int, wires: list[str], modules: list[str]) -> None:
    """Measures all cases."""
    known = methods(modules)
    subjects: list[Subject] = []
    for line in Path(cases).read_text(encoding="utf-8").splitlines():
        number, part, name, file = line.split("\t")
        message = Message(known[name], part)
        read: Read = FORMS["binary"](message)[1]
        value = read(Path(file).read_bytes())
        subjects.extend(Subject(number, wire, message, value) for wire in wires)
    print(f"version {platform.python_implementation()} {platform.python_version()}", flush=True)
    share = min(WARM_NANOSECONDS, warm // 2 // max(1, len(subjects)))
    # As `timeit` does: cycles are looked for between rounds alone.
    gc.disable()
    references: list[int] = []
    done, everything = 0, (rounds + 1) * len(subjects)
    for round_ in range(-1, rounds):
        gc.collect()
        for subject in subjects:
            for way in subject.ways():
                if round_ < 0:
                    way.warm(share)
                first = way.sample(wanted, round_ >= 0)
                if round_ >= 0:
                    references.append(first)
            done += 1
            if done % 64 == 0 or done == everything:
                print(f"progress {done} {everything}", flush=True)
    usual = statistics.median(references)
    print(f"noise {noise() * usual}")
    print(f"reference {usual}")
    for s in subjects:
        print(f"point {s.number} {s.wire} {len(s.body)} {s.serialize.time() * usual} {s.deserialize.time() * usual}")


if __name__ == "__main__":
    path, turns, sample, warming, words = sys.argv[1:6]
    main(path, int(turns), int(sample) * 1000, int(warming) * 1_000_000, words.split(","), sys.argv[6:])
