#!/usr/bin/env python3
"""An hour of everything at once: calls on every transport, hang-ups, slow readers, halves, garbage, client processes that are killed. Ends with `N passed, N failed`.

    soak.py                   60 minutes
    soak.py --minutes 5       or another time
    soak.py --jdk PATH        the service on another JDK
    soak.py --results FILE    writes the figures to a page, if all is well

Once a minute the load pauses, its connections end, and the service is measured: heap after a full collection, threads, file descriptors. A
legitimate client calls all the time, and each of its calls must be answered rightly.
"""

from __future__ import annotations

import argparse
import json
import pathlib
import queue
import random
import resource
import statistics
import subprocess
import sys
import threading
import time
from collections import Counter
from dataclasses import dataclass

import kernel
from service import HERE, PLAIN, ROOT, SECURE, Build, Failure, Legitimate, Options, Service

WORKERS = 4
SEED = 20_261_128
MINUTE = 60.0
PAUSE_SECONDS = 90
# How far heap, threads and descriptors of the last quarter may be from the first.
FLAT = 1.05
# Threads and descriptors are small numbers: this difference is not growth.
FEW = 8
KINDS = (*PLAIN, *SECURE)


class Worker:
    """A process of the load."""

    def __init__(self, service: Service, number: int, life: int) -> None:
        self.number, self.life = number, life
        command = [sys.executable, str(HERE / "worker.py"), str(service.build.model), json.dumps(service.ports), str(service.build.certificate), str(SEED + 1_000 * number + life), f"127.0.0.{10 + number}"]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.lines: queue.Queue[str] = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.lines.put(line)
        self.lines.put("")

    def say(self, line: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def paused(self) -> Counter[str]:
        """What it has done since the last pause."""
        try:
            line = self.lines.get(timeout=PAUSE_SECONDS)
        except queue.Empty:
            raise Failure(f"worker {self.number} hangs: it waits for the service") from None
        if line.startswith("WRONG"):
            raise Failure(f"worker {self.number}: {line.strip()}")
        if not line:
            raise Failure(f"worker {self.number} has ended by itself")
        return Counter(json.loads(line))

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()


@dataclass(frozen=True)
class Sample:
    heap: int
    threads: int
    files: int
    resident: int


class Soak:
    def __init__(self, build: Build, minutes: int) -> None:
        self.minutes = minutes
        self.dice = random.Random(SEED)
        self.service = Service(build, Options(heap="512m", tls=True), jvm=())
        self.workers: list[Worker] = []
        self.done: Counter[str] = Counter()
        self.samples: list[Sample] = []
        self.kills = 0
        self.calls = 0
        self.strange: list[str] = []
        self.records = 0

    def go(self) -> None:
        self.workers = [Worker(self.service, number, 0) for number in range(WORKERS)]
        # Its few connections are there at every sample.
        with Legitimate(self.service, KINDS) as legit:
            base = kernel.open_files(self.service.pid)
            for minute in range(1, self.minutes + 1):
                for worker in self.workers:
                    worker.say("go")
                self._load(legit)
                self._pause(legit, base)
                self._sample()
                print(f"minute {minute}: {self.samples[-1]}, {sum(self.done.values()):,} actions, {self.kills} workers killed", flush=True)
            legit.go_on(5)
        self.calls = legit.calls
        self._read_log()
        if (code := self.service.stop()) != 143:
            raise Failure(f"the service ended with {code}")

    def _load(self, legit: Legitimate) -> None:
        """A minute of load, in which a worker or two are killed and started again."""
        end = time.monotonic() + MINUTE
        moments = sorted(time.monotonic() + self.dice.random() * MINUTE for _ in range(2))
        while (now := time.monotonic()) < end:
            legit.check()
            if not self.service.alive:
                raise Failure("the service has ended")
            for worker in self.workers:
                if not worker.lines.empty():
                    worker.paused()  # It says something while it runs: a failure.
            if moments and now >= moments[0]:
                moments.pop(0)
                index = self.dice.randrange(WORKERS)
                old = self.workers[index]
                old.kill()
                self.kills += 1
                self.workers[index] = Worker(self.service, index, old.life + 1)
                self.workers[index].say("go")
            time.sleep(0.2)

    def _pause(self, legit: Legitimate, base: int) -> None:
        for worker in self.workers:
            worker.say("pause")
        for worker in self.workers:
            self.done.update(worker.paused())
        # Fresh connections of the legitimate client come and go.
        until = time.monotonic() + PAUSE_SECONDS
        while kernel.open_files(self.service.pid) > base + 2 * len(KINDS):
            legit.check()
            if time.monotonic() > until:
                raise Failure(f"the service keeps {kernel.open_files(self.service.pid)} descriptors, {base} at the beginning, though the load has ended its connections")
            time.sleep(0.1)

    def _sample(self) -> None:
        # What has just ended may wait for a second look, by reference queues and cleaners.
        heap = min(self.service.used_heap() for _ in range(3))
        self.samples.append(Sample(heap, kernel.threads(self.service.pid), kernel.open_files(self.service.pid), kernel.resident_megabytes(self.service.pid)))
        self._read_log()

    def _read_log(self) -> None:
        records = self.service.new_records()
        self.records += len(records)
        self.strange += [record for record in records if not record.startswith("INFO ") or "Error" in record]

    def quarters(self, name: str) -> tuple[float, float]:
        """
        A figure of the first quarter, excluding the first minute, in which classes are loaded, and of the last quarter: the median, and for the heap
        the min, since memory in use at a sample adds to it, and leaks are in all samples.
        """
        values = [getattr(sample, name) for sample in self.samples]
        size = max(1, len(values) // 4)
        figure = min if name == "heap" else statistics.median
        return figure(values[1 : size + 1]), figure(values[-size:])

    def checks(self) -> list[tuple[str, str]]:
        """The conditions, each with its violations."""
        first, last = self.quarters("heap")
        found = [("heap", "" if last <= first * FLAT else f"{first / 2**20:.1f} MiB in the first quarter, {last / 2**20:.1f} MiB in the last")]
        for name in ("threads", "files"):
            first, last = self.quarters(name)
            found.append((name, "" if last <= first * FLAT + FEW else f"{first:.0f} in the first quarter, {last:.0f} in the last"))
        found.append(("log", f"{len(self.strange)} unexpected records, such as {self.strange[0][:300]}" if self.strange else ""))
        found.append(("load", "" if self.kills >= self.minutes and len(self.done) >= 14 else f"{self.kills} workers were killed, and only this was done: {dict(self.done)}"))
        return found

    def end(self) -> None:
        for worker in self.workers:
            worker.kill()
        if self.service.alive:
            self.service.kill()


def page(soak: Soak, java: str) -> str:
    rows = "\n".join(f"| {name.replace('_', ' ')} | {number:,} |" for name, number in sorted(soak.done.items()))
    quarters = {name: soak.quarters(name) for name in ("heap", "threads", "files", "resident")}
    mib = 2**20
    samples = "\n".join(f"| {minute} | {sample.heap / mib:.2f} | {sample.threads} | {sample.files} | {sample.resident:,} |" for minute, sample in enumerate(soak.samples, 1))
    command = "make soak" if soak.minutes == 60 else f"SOAK_MINUTES={soak.minutes} make soak"
    return f"""# {soak.minutes} minutes of everything at once

Made by `{command}`: {soak.minutes} minutes, seed {SEED}, on {java}; `tests/attack/soak.py` says what is done and checked. {WORKERS} processes attack and call one Java service of 512 MiB over TCP and HTTP, plain and through TLS;
{soak.kills} times one of them was killed by SIGKILL and started again. Next to them a legitimate client made {soak.calls:,} calls on kept and fresh connections of every kind, all of which were answered rightly.

| | first quarter | last quarter |
|---|---:|---:|
| heap after a full collection, MiB | {quarters["heap"][0] / mib:.2f} | {quarters["heap"][1] / mib:.2f} |
| threads | {quarters["threads"][0]:.0f} | {quarters["threads"][1]:.0f} |
| file descriptors | {quarters["files"][0]:.0f} | {quarters["files"][1]:.0f} |
| resident memory, MB | {quarters["resident"][0]:,.0f} | {quarters["resident"][1]:,.0f} |

Of the heap the lowest sample of the quarter, of the others the median; the first minute is not counted. Each sample is taken when the load has paused and its connections have ended. The service logged {soak.records:,} records, none of them a warning or an error.

| action of the load | times |
|---|---:|
{rows}

An action that the service cut short is counted as such. What killed processes had done since the last pause is not counted.

| minute | heap, MiB | threads | descriptors | resident, MB |
|---:|---:|---:|---:|---:|
{samples}
"""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=int, default=60)
    parser.add_argument("--jdk", type=pathlib.Path)
    parser.add_argument("--results", type=pathlib.Path)
    arguments = parser.parse_args()
    if arguments.minutes < 4:
        parser.error("a quarter is a minute at least")
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))

    build = Build(arguments.jdk)
    soak = Soak(build, arguments.minutes)
    passed = failed = 0
    try:
        soak.go()
        for name, problem in soak.checks():
            passed, failed = (passed, failed + 1) if problem else (passed + 1, failed)
            print(f"FAILED {name}: {problem}" if problem else f"ok {name}", flush=True)
        if arguments.results is not None and failed == 0:
            version = subprocess.run([build.java, "-version"], capture_output=True, text=True, check=True).stderr.splitlines()
            (ROOT / arguments.results).write_text(page(soak, version[1].split("(")[0].strip() + " " + version[0].split('"')[1]))
    except Failure as failure:
        failed += 1
        print(f"FAILED {failure}")
    finally:
        soak.end()
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
