#!/usr/bin/env python3
"""Service hosts that share a queue: two, four, four of which one is killed; then a broker and its backup, and two brokers that are one, of which one is killed. Prints throughput and
what became of the calls.

    run.py            2,000 calls each
    run.py --short    120 calls each
    run.py --calls N

Ends with `N passed, N failed`: a step passes when every call was answered, and no try of one ended but as it may.
"""

from __future__ import annotations

import argparse
import json
import os
import pathlib
import queue
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable
from typing import Any

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(ROOT / "tests"))

from ports import free_ports  # noqa: E402 # it is found by the line before

WORK = ROOT / "build" / "queue"
CREO = pathlib.Path(os.environ.get("CREO", ROOT / "target" / "debug" / "creo"))
CLASS_PATH = os.pathsep.join([str(WORK / "classes"), str(ROOT / "build" / "jms" / "*")])
# Far above what anything takes: what hangs is a failure.
PATIENCE = 180
THREADS = 32


class Failure(Exception):
    """A step that did not work."""


class Program:
    """A Java program that tells what it does in lines of JSON, and ends with its standard input."""

    def __init__(self, name: str, *words: object) -> None:
        self.name = name
        self.log = WORK / f"{name}.log"
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                ["java", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp", CLASS_PATH, *(str(word) for word in words)],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log,
            )  # fmt: skip
        self.lines: queue.Queue[bytes] = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.lines.put(line)
        self.lines.put(b"")

    def says(self) -> dict[str, Any]:
        try:
            said: dict[str, Any] = json.loads(self.lines.get(timeout=PATIENCE))
        except (queue.Empty, ValueError):
            raise Failure(f"{self.name} does not say what it should: {self.log.read_text(errors='replace')[-1500:]}") from None
        return said

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()

    def stop(self) -> None:
        if self.process.poll() is not None:
            return
        assert self.process.stdin is not None
        self.process.stdin.close()
        try:
            self.process.wait(timeout=60)
        except subprocess.TimeoutExpired:
            self.kill()


class Stage:
    """The programs of one step."""

    def __init__(self) -> None:
        self.brokers: list[Program] = []
        self.hosts: dict[str, Program] = {}
        self.ports: list[int] = []

    def __enter__(self) -> Stage:
        return self

    def __exit__(self, *_: object) -> None:
        for program in [*self.hosts.values(), *self.brokers]:
            program.stop()

    def broker(self, port: int = 0, *others: int, backup: bool = False) -> None:
        """A separate broker that joins others, or the backup of the previous one with the same folder."""
        if not backup:
            self.data = WORK / "data" / str(len(self.brokers))
            shutil.rmtree(self.data, ignore_errors=True)
        more = ["--backup"] if backup else [word for other in others for word in ("--join", f"127.0.0.1:{other}")]
        broker = Program(f"broker{len(self.brokers)}", "creo.jms.broker.EmbeddedBroker", "--port", port, "--data", self.data, "--until-input-ends", *more)
        self.brokers.append(broker)
        self.ports.append(broker.says()["port"])

    def add_hosts(self, count: int, *brokers: int) -> None:
        """Hosts at a broker; at the next of these when that is gone."""
        started = {}
        for _ in range(count):
            name = f"host{len(self.hosts) + 1}"
            self.hosts[name] = started[name] = Program(name, "org.example.app.Host", name, *(self.ports[broker] for broker in brokers or (0,)))
        for host in started.values():
            host.says()

    def load(self, calls: int, victim: Program | None = None) -> dict[str, Any]:
        """Makes the calls; kills a program when half of them have been answered."""
        load = Program("load", "org.example.app.Load", calls, THREADS, *self.ports)
        try:
            load.says()
            if victim is not None:
                victim.kill()
            return load.says()
        finally:
            load.stop()


def tell(what: str, calls: int, said: dict[str, Any]) -> None:
    shares = ", ".join(f"{host} {count}" for host, count in said["byHost"].items())
    print(f"{what}: {calls / said['seconds']:,.0f} calls/s ({shares}); the longest took {said['longest'] * 1000:,.0f} ms", flush=True)


def tell_death(said: dict[str, Any]) -> None:
    errors = ", ".join(f"{count} as {name}" for name, count in said["errors"].items())
    print(f"  {said['first']:,.0f} calls/s before, {said['last']:,.0f} after; {said['again']} calls were given to another host; tries that ended otherwise: {errors or 'none'}", flush=True)


def expect(good: bool, why: str, said: dict[str, Any]) -> None:
    if not good:
        raise Failure(f"{why}: {json.dumps(said)}")


def expect_all(calls: int, said: dict[str, Any], errors: frozenset[str] = frozenset()) -> None:
    """All were answered, and tries ended in no other error."""
    expect(sum(said["byHost"].values()) == calls, "not every call was answered", said)
    expect(set(said["errors"]) <= errors, "an error that should not be", said)


# How a call may end whose broker was killed (JMS-10, JMS-14).
BROKER_DIED = frozenset({"UNAVAILABLE", "DEADLINE_EXCEEDED"})


def hosts_share(calls: int, count: int) -> None:
    with Stage() as stage:
        stage.broker()
        stage.add_hosts(count)
        said = stage.load(calls)
        tell(f"{count} hosts", calls, said)
        expect_all(calls, said)


def host_dies(calls: int) -> None:
    with Stage() as stage:
        stage.broker()
        stage.add_hosts(4)
        said = stage.load(calls, stage.hosts["host1"])
        tell("4 hosts, of which host1 is killed at half", calls, said)
        tell_death(said)
        expect_all(calls, said)


def backup_takes_over(calls: int) -> None:
    with Stage() as stage:
        live, backup = free_ports(2)
        stage.broker(live)
        stage.broker(backup, backup=True)
        stage.add_hosts(4, 0, 1)
        said = stage.load(calls)
        tell("a broker with a backup, 4 hosts", calls, said)
        expect_all(calls, said)
        said = stage.load(calls, stage.brokers[0])
        tell("the same, and the broker is killed at half", calls, said)
        tell_death(said)
        expect_all(calls, said, BROKER_DIED)
        said = stage.load(calls)
        tell("the backup alone", calls, said)
        expect_all(calls, said)


def brokers_join(calls: int) -> None:
    with Stage() as stage:
        one, other = free_ports(2)
        stage.broker(one, other)
        stage.broker(other, one)
        stage.add_hosts(2, 1)
        said = stage.load(calls)
        tell("2 brokers, called at the first, 2 hosts at the second", calls, said)
        expect_all(calls, said)
        stage.add_hosts(2, 0)
        said = stage.load(calls)
        tell("2 brokers with 2 hosts each, called at the first", calls, said)
        expect_all(calls, said)
        said = stage.load(calls, stage.brokers[0])
        tell("the same, and the first broker is killed at half", calls, said)
        tell_death(said)
        expect_all(calls, said, BROKER_DIED)
        said = stage.load(calls)
        tell("the second broker alone", calls, said)
        expect_all(calls, said)


def build() -> None:
    if not (ROOT / "build" / "jms" / ".ready").exists():
        raise Failure("no libraries in build/jms: run scripts/setup.sh first")
    shutil.rmtree(WORK, ignore_errors=True)
    WORK.mkdir(parents=True)
    run(str(CREO), "generate", "--quiet", "--target", "java", "--with", "jms,jms-broker", "--out", str(WORK / "generated"), str(HERE / "work.creo"))
    folders = [WORK / "generated" / "java", HERE / "java"]
    files = [str(file) for folder in folders for file in sorted(folder.rglob("*.java")) if file.name != "module-info.java"]
    run("javac", "-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC", "--release", "17", "-proc:none", "-cp", str(ROOT / "build" / "jms" / "*"), "-d", str(WORK / "classes"), *files)


def run(*command: str) -> None:
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace", timeout=600, check=False)
    if done.returncode != 0:
        raise Failure(f"{command[0]} failed with exit code {done.returncode}: {(done.stdout + done.stderr)[-1500:]}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--short", action="store_true")
    parser.add_argument("--calls", type=int, default=2_000)
    arguments = parser.parse_args()
    calls = 120 if arguments.short else arguments.calls
    if calls < 60:
        parser.error("60 calls are the fewest that say something")

    steps: list[Callable[[], None]] = [
        lambda: hosts_share(calls, 2), lambda: hosts_share(calls, 4), lambda: host_dies(calls), lambda: backup_takes_over(calls), lambda: brokers_join(calls),
    ]  # fmt: skip
    passed = failed = 0
    try:
        build()
    except Failure as failure:
        print(f"FAILED {failure}\n0 passed, 1 failed")
        return 1
    for step in steps:
        try:
            step()
            passed += 1
        except Failure as failure:
            failed += 1
            print(f"FAILED {failure}", flush=True)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
