"""make capacity-check: compares the predictions of `creo capacity` with a Java service on this machine. See docs/capacity.md."""

from __future__ import annotations

import argparse
import contextlib
import datetime
import json
import os
import queue
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from harness import machine
from harness.tools import BENCH, BUILD, JAVAC, ROOT, Failed, fresh, run, say

HERE = BENCH / "capacity"
CREO = ROOT / "target" / "debug" / "creo"
CLASSES = BUILD / "capacity" / "classes"
CLASS_PATH = os.pathsep.join([str(CLASSES), str(ROOT / "build" / "jms" / "*")])
# Far above what anything takes: what hangs is a failure.
PATIENCE = 300
SPIN_MICROS = 2_000
SPIN_LOADS = (0.3, 0.5, 0.7, 0.85)
# How many empty calls keep the service busy, for each that would do so by its work.
EMPTY = 8
PAUSE_MICROS = 10_000
HOSTS, SESSIONS = 2, 4
PAUSE_LOADS = (0.25, 0.5, 0.75, 0.9)


@dataclass
class Measured:
    rate: float
    median: float
    p99: float
    busy: float


@dataclass
class Pair:
    what: str
    load: float
    measured: Measured
    predicted: dict[str, Any]


class Program:
    """A Java program that answers in lines and ends with its standard input. On one core, if one is named."""

    def __init__(self, name: str, core: int | None, *words: object) -> None:
        self.name = name
        self.log = BUILD / "capacity" / f"{name}.log"
        place = ["taskset", "-c", str(core)] if core is not None else []
        command = [*place, "java", "-XX:+UseSerialGC", "-Xshare:auto", "-cp", CLASS_PATH, *(str(word) for word in words)]
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log)
        self.lines: queue.Queue[bytes] = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.lines.put(line)
        self.lines.put(b"")

    def says(self) -> str:
        try:
            line = self.lines.get(timeout=PATIENCE).decode().strip()
        except queue.Empty:
            line = ""
        if not line:
            raise Failed(f"{self.name} does not answer: {self.log.read_text(errors='replace')[-1500:]}")
        return line

    def told(self, line: str) -> str:
        assert self.process.stdin is not None
        try:
            self.process.stdin.write(f"{line}\n".encode())
            self.process.stdin.flush()
        except BrokenPipeError:
            pass  # Its log says why, which is shown below.
        return self.says()

    def stop(self) -> None:
        assert self.process.stdin is not None
        with contextlib.suppress(BrokenPipeError):
            self.process.stdin.close()
        try:
            self.process.wait(timeout=60)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


@contextlib.contextmanager
def program(name: str, core: int | None, *words: object) -> Iterator[Program]:
    started = Program(name, core, *words)
    try:
        yield started
    finally:
        started.stop()


class Caller:
    """The client, and the seeds that it has used: no two runs call alike."""

    def __init__(self, client: Program) -> None:
        self.client = client
        self.seed = 0

    def load(self, method: str, rate: float, seconds: float, micros: float, kind: str = "exponential", calls: int = 0) -> Measured:
        self.seed += 1
        said = self.client.told(f"{method} {rate} {calls or max(100, round(rate * seconds))} {micros} {kind} {self.seed}")
        return Measured(*(float(word) for word in said.split()))


def predict(binding: str, method: str, rate: float, **options: object) -> dict[str, Any]:
    """One row of a plan. Nothing is slept for here: 200,000 calls are simulated."""
    words = [word for name, value in options.items() for word in (f"--{name}", str(value))]
    call = [
        "capacity",
        HERE / "load.creo",
        "--call",
        f"{method}={rate}/s",
        "--binding",
        binding,
        "--bandwidth",
        "100G",
        "--profile",
        "none",
        "--sample",
        200_000,
    ]
    row: dict[str, Any] = json.loads(run([CREO, *call, *words, "--format", "json"], capture=True))["rows"][0]
    return row


def nanoseconds(time: float) -> str:
    return f"{max(0, round(time))}ns"


def one_host(seconds: float) -> tuple[str, list[Pair]]:
    """A service on one core, whose work needs it."""
    with program("service", 0, "CapacityService", "tcp") as service, program("client", 1, "CapacityClient", "tcp", service.says()) as client:
        caller = Caller(client)
        full = 1e6 / SPIN_MICROS
        # One-time work, connecting and compiling, is not measured.
        caller.load("spin", full * 0.5, max(5.0, seconds / 2), SPIN_MICROS)
        # Under load a thread is seldom woken from sleep, and a call takes less: the service is kept about as busy with empty calls as with those that follow.
        empty = caller.load("spin", full * EMPTY, seconds, 0, "fixed")
        overhead = empty.busy / empty.rate * 1e9
        alone = caller.load("spin", full * 0.5, seconds, 0, "fixed")
        latency = (alone.median - overhead) / 2
        pairs = []
        for load in SPIN_LOADS:
            measured = caller.load("spin", load * full, seconds, SPIN_MICROS)
            predicted = predict(
                "binary+tcp",
                "spin",
                measured.rate,
                work=f"spin=exponential({SPIN_MICROS}us)",
                overhead=nanoseconds(overhead),
                latency=nanoseconds(latency),
            )
            pairs.append(Pair("one host of one core, TCP", load, measured, predicted))
    base = f"A call without work: {overhead / 1e3:.0f} us of the service's processor while it is busy; alone the median is {alone.median / 1e3:.0f} us."
    return base, pairs


def one_queue(seconds: float) -> tuple[str, list[Pair]]:
    """Hosts that share a queue, whose work waits."""
    shutil.rmtree(BUILD / "capacity" / "data", ignore_errors=True)
    with contextlib.ExitStack() as stack:
        broker = stack.enter_context(
            program("broker", None, "creo.jms.broker.EmbeddedBroker", "--port", 0, "--data", BUILD / "capacity" / "data", "--until-input-ends")
        )
        port = json.loads(broker.says())["port"]
        client = stack.enter_context(program("caller", None, "CapacityClient", "jms", port))
        caller = Caller(client)
        with program("session", None, "CapacityService", "jms", port, 1) as single:
            single.says()
            drained(caller, 400, 0)
            # So seldom that none waits for another.
            empty = caller.load("pause", 8, seconds, PAUSE_MICROS, "fixed")
            # Enough at once that a session never waits for its next call: the time it holds a call.
            held = 1e9 / drained(caller, 200, PAUSE_MICROS)
        for number in range(HOSTS):
            stack.enter_context(program(f"host{number}", None, "CapacityService", "jms", port, SESSIONS)).says()
        full = HOSTS * SESSIONS * 1e9 / held
        drained(caller, 1_600, 0)
        broker_time = max(0.0, (empty.median - held) / 2)
        pairs = []
        for load in PAUSE_LOADS:
            measured = caller.load("pause", load * full, seconds, PAUSE_MICROS, "fixed")
            predicted = predict(
                "binary+jms",
                "pause",
                measured.rate,
                wait=f"pause={nanoseconds(held)}",
                broker=nanoseconds(broker_time),
                latency="0us",
                hosts=HOSTS,
                threads=SESSIONS,
            )
            pairs.append(Pair(f"{HOSTS} hosts of {SESSIONS} sessions on one queue, JMS", load, measured, predicted))
    base = f"A session has a call of {PAUSE_MICROS / 1e3:.0f} ms for {held / 1e6:.2f} ms; alone it takes {empty.median / 1e6:.2f} ms from client to client. The broker waits for its disk, and what disks do is in no plan: see the 99th percentiles."
    return base, pairs


def drained(caller: Caller, calls: int, micros: int) -> float:
    """Calls a second of sessions that always have the next: all come at once, and the last of them waits for all others."""
    found = caller.load("pause", 1e6, 0, micros, "fixed", calls)
    # A quarter as many come before; the median waits for those and half of the others.
    return (calls / 4 + calls / 2) / (found.median / 1e9)


def build() -> None:
    if not (ROOT / "build" / "jms" / ".ready").exists():
        raise Failed("no libraries in build/jms: run scripts/setup.sh first")
    if not shutil.which("taskset"):
        raise Failed("taskset is missing: it is in the package util-linux")
    if (os.cpu_count() or 1) < 2:
        raise Failed("service and client need a core each")
    fresh(BUILD / "capacity")
    generated = BUILD / "capacity" / "generated"
    run([CREO, "generate", "--quiet", "--target", "java", "--with", "jms,jms-broker", "--out", generated, HERE / "load.creo"])
    files = [file for folder in (generated / "java", HERE) for file in sorted(folder.rglob("*.java")) if file.name != "module-info.java"]
    run([*JAVAC, "--release", "17", "-proc:none", "-cp", ROOT / "build" / "jms" / "*", "-d", CLASSES, *files], capture=True)


HEAD = ["load", "calls/s", "utilisation", "predicted", "median", "predicted", "error", "p99", "predicted", "error"]


def cells(pair: Pair) -> list[str]:
    measured, outcome = pair.measured, pair.predicted["outcome"]
    busy = f"{measured.busy:.0%}" if measured.busy > 0 else "-"
    row = [f"{pair.load:.0%}", f"{measured.rate:,.0f}", busy]
    if outcome is None:
        return [*row, "saturated", f"{measured.median / 1e6:.2f} ms", "-", "-", f"{measured.p99 / 1e6:.2f} ms", "-", "-"]
    row.append(f"{outcome['utilisation']['value']:.0%}" if measured.busy > 0 else "-")
    for was, name in ((measured.median, "median"), (measured.p99, "p99")):
        said = outcome[name]["value"]
        row += [f"{was / 1e6:.2f} ms", f"{said / 1e6:.2f} ms", f"{said / was - 1:+.0%}"]
    return row


def page(parts: list[tuple[str, list[Pair]]], before: str, seconds: float) -> str:
    about = machine.describe()
    lines = [
        "# Planned and measured",
        "",
        f"By `{machine.command('capacity-check')}`, {datetime.datetime.now(datetime.timezone.utc):%Y-%m-%d}, {about['processor']}, {about['cpus']} cores, "
        f"{machine.first_line('java', '-version')}; load {before} before, {machine.load()} after.",
        "",
        f"Calls come as Poisson has them, from a client that does not wait for answers, {seconds:g} s at each load behind a warm-up; times are from when a call was due to its answer. "
        "`creo capacity` knows what one call takes where nothing queues, which is measured first, and nothing of the loads. Error: predicted to measured, less one.",
    ]
    for base, pairs in parts:
        work = (
            f"work exponential with the mean {SPIN_MICROS / 1e3:g} ms"
            if pairs[0].measured.busy > 0
            else f"each call waits {PAUSE_MICROS / 1e3:g} ms"
        )
        lines += ["", f"## {pairs[0].what[0].upper()}{pairs[0].what[1:]}: {work}", "", base, ""]
        lines += [f"| {' | '.join(row)} |" for row in (HEAD, ["---:"] * len(HEAD), *(cells(pair) for pair in pairs))]
    return "\n".join(lines) + "\n"


def main() -> int:
    parser = argparse.ArgumentParser(prog="capacity-check", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="3 s at each load instead of 20: whether it works, not how near it comes")
    parser.add_argument("--seconds", type=float, help="at each load (default: 20)")
    parser.add_argument("--part", choices=["host", "queue"], help="only the one host, or the queue")
    parser.add_argument("--results", type=Path, default=BENCH / "results", help="folder for capacity.md (default: bench/results)")
    options = parser.parse_args()
    seconds = options.seconds or (3.0 if options.quick else 20.0)
    try:
        before = machine.load()
        build()
        parts = []
        if options.part != "queue":
            parts.append(one_host(seconds))
        if options.part != "host":
            parts.append(one_queue(seconds))
        text = page(parts, before, seconds)
        (options.results / "capacity.md").write_text(text)
    except (Failed, OSError) as problem:
        say(f"capacity-check: {problem}")
        return 1
    print(text, end="")
    say(f"capacity-check: wrote {options.results / 'capacity.md'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
