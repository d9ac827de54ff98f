#!/usr/bin/env python3
"""Calls through a broker by clients of all languages, while it, service hosts and clients are killed: nothing is lost. Ends with the line `N passed, N failed`.

    run.py                    10,000 calls
    run.py --short            200 calls, one kill of each kind
    run.py --seed 7           another plan of faults
    run.py --without csharp   without clients of a language; a line before the last says so
    run.py --results FILE     writes the figures to a page, if all is well

The broker is a separate program and keeps persistent messages in a folder. Every process may be killed by SIGKILL after the planned number of calls,
and is restarted. A host records each call that it begins and ends, a client each call and its outcome; a poisonous call kills its host. When all
calls have ended, the records are compared (audit.py).
"""

from __future__ import annotations

import argparse
import json
import os
import pathlib
import queue
import random
import subprocess
import sys
import threading
import time
from dataclasses import dataclass, field

from audit import Books, checks, page
from callers import LANGUAGES, ROOT, Failure, Programs, run

sys.path.insert(0, str(ROOT / "tests"))

from ports import free_ports  # noqa: E402 # it is found by the line before

# A second run at the same time names another folder.
WORK = pathlib.Path(os.environ.get("CREO_JMS_FAULTS_BUILD", ROOT / "build" / "jms-faults"))
CREO = pathlib.Path(os.environ.get("CREO", ROOT / "target" / "debug" / "creo"))
WIRES = ["binary", "soap", "tdxml"]
# Far above what anything takes: what hangs is a failure.
START_SECONDS = 120
STUCK_SECONDS = 180
# The broker is asked for dead letters no more often than that.
AUDIT_SECONDS = 2


@dataclass(frozen=True)
class Scale:
    """How much is done: calls, threads of each client, hosts and sessions of each, and kills of each kind."""

    calls: int
    threads: int
    hosts: int
    sessions: int
    kills: dict[str, int]
    poison: int


LONG = Scale(10_000, 8, 3, 4, {"broker": 8, "host": 16, "client": 16}, 4)
SHORT = Scale(200, 4, 2, 2, {"broker": 1, "host": 1, "client": 1}, 1)


class Process:
    """A program that says one line when it is ready, if it is waited for. Broker and hosts end with their standard input."""

    def __init__(self, name: str, words: list[str], *, says: bool = True) -> None:
        self.name = name
        self.log = WORK / "logs" / f"{name}.log"
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(words, cwd=WORK, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log)
        self.said: dict[str, int] = {}
        if says:
            self._first_line()

    def _first_line(self) -> None:
        first: queue.Queue[bytes] = queue.Queue()
        assert self.process.stdout is not None
        read = self.process.stdout.readline
        threading.Thread(target=lambda: first.put(read()), daemon=True).start()
        try:
            self.said = json.loads(first.get(timeout=START_SECONDS))
        except (queue.Empty, ValueError):
            self.kill()
            raise Failure(f"{self.name} did not start: {self.log.read_text(errors='replace')[-1500:]}") from None

    @property
    def ended(self) -> int | None:
        return self.process.poll()

    def kill(self) -> None:
        """As the power cord would."""
        self.process.kill()
        self.process.wait()

    def stop(self) -> int:
        """Asks it to end; its exit code."""
        assert self.process.stdin is not None
        try:
            self.process.stdin.close()
        except BrokenPipeError:
            pass
        try:
            return self.process.wait(timeout=START_SECONDS)
        except subprocess.TimeoutExpired:
            self.kill()
            raise Failure(f"{self.name} did not end when it was asked to") from None


@dataclass
class Client:
    """A client that is started again when it was killed, with the numbers that are left; each life of it speaks another wire."""

    language: str
    index: int
    start: int
    end: int
    # Where it goes on after a kill.
    first: int
    lives: int = 0
    process: Process | None = None
    done: bool = False
    told: int = -1

    def allow(self, share: float) -> None:
        """Lets it go on until this share of its calls is made."""
        assert self.process is not None and self.process.process.stdin is not None
        limit = self.start + int((self.end - self.start) * min(1.0, share))
        if limit != self.told and self.process.ended is None:
            self.told = limit
            try:
                self.process.process.stdin.write(f"{limit}\n".encode())
                self.process.process.stdin.flush()
            except BrokenPipeError:
                pass  # It has just ended, which is noticed elsewhere.


@dataclass
class Run:
    """One run of the plan."""

    scale: Scale
    seed: int
    programs: Programs
    languages: list[str]
    books: Books = field(default_factory=lambda: Books(WORK))
    hosts: list[Process] = field(default_factory=list)
    clients: list[Client] = field(default_factory=list)
    kills: dict[str, int] = field(default_factory=lambda: {"broker": 0, "host": 0, "client": 0})
    host_lives: int = 0
    # No program gets it while the broker is gone, not even a client that goes on connecting to it.
    port: int = field(default_factory=lambda: free_ports(1)[0])

    def __post_init__(self) -> None:
        self.random = random.Random(self.seed)
        calls = self.scale.calls
        count = len(self.languages)
        each = calls // count
        self.clients = [Client(language, i, i * each, calls if i + 1 == count else (i + 1) * each, i * each) for i, language in enumerate(self.languages)]
        # A poisonous call comes when the run has begun, and long before it ends; each of another client.
        self.poison = sorted(i % count * each + number for i, number in enumerate(self.random.sample(range(each // 10, each // 2), self.scale.poison)))
        (WORK / "calls.plan").write_text("".join(f"{self.kind(number)} {self.milliseconds()}\n" for number in range(calls)))
        kinds = [kind for kind, count in self.scale.kills.items() for _ in range(count)]
        self.random.shuffle(kinds)
        moments = sorted(self.random.sample(range(calls // 20, calls * 9 // 10), len(kinds)))
        self.plan = list(zip(moments, kinds, strict=True))

    def kind(self, number: int) -> str:
        chance = self.random.randrange(100)
        return "poison" if number in self.poison else "note" if chance < 25 else "refuse" if chance < 28 else "book"

    def milliseconds(self) -> int:
        """One call in twenty takes long enough to be met by what is killed."""
        return 200 if self.random.randrange(20) == 0 else 0

    def start_broker(self) -> None:
        words = [*self.programs.java, "creo.jms.broker.EmbeddedBroker", "--port", str(self.port), "--data", str(WORK / "data"), "--until-input-ends"]
        self.broker = Process("broker", words)

    def start_host(self) -> Process:
        self.host_lives += 1
        name = f"host-{self.host_lives}"
        return Process(name, [*self.programs.java, "LedgerHost", str(self.port), str(WORK / f"{name}.txt"), str(self.scale.sessions)])

    def start_client(self, client: Client) -> None:
        client.lives += 1
        client.told = -1
        name = f"client-{client.language}-{client.lives}"
        # Every wire is used, and both ways to get answers: a queue of the connection's own, and a shared one that outlives it.
        turn = client.index + client.lives
        address = "jms:queue:ledger?deliveryMode=PERSISTENT" + ("&replyToName=ledger.replies" if turn % 2 else "")
        numbers = [str(client.first), str(client.end), str(self.scale.threads)]
        words = [str(self.port), str(WORK / f"{name}.txt"), WIRES[turn % len(WIRES)], address, str(WORK / "calls.plan"), *numbers]
        client.process = Process(name, [*self.programs.caller(client.language), *words], says=False)

    def kill(self, kind: str) -> None:
        if kind == "broker":
            gone = time.time()
            self.broker.kill()
            time.sleep(self.random.random() / 2)
            self.start_broker()
            self.books.outages.append((gone, time.time()))
        elif kind == "host":
            at = self.random.randrange(len(self.hosts))
            self.hosts[at].kill()
            self.hosts[at] = self.start_host()
        else:
            running = [client for client in self.clients if not client.done]
            if not running:
                return
            # Those of every language in turn.
            client = min(running, key=lambda each: (each.lives, self.random.random()))
            assert client.process is not None
            client.process.kill()
            self.books.read()
            client.first = self.books.next_of(client.language, client.first)
            self.start_client(client)
        self.kills[kind] += 1

    def tend(self) -> None:
        """Starts again what a poisonous call has killed, and notices clients that have ended."""
        for at, host in enumerate(self.hosts):
            if host.ended is not None:
                if host.ended != 137:
                    raise Failure(f"{host.name} ended with {host.ended}: {host.log.read_text(errors='replace')[-1500:]}")
                self.hosts[at] = self.start_host()
        for client in self.clients:
            assert client.process is not None
            code = client.process.ended
            if code is not None and not client.done:
                if code != 0:
                    raise Failure(f"{client.process.name} ended with {code}: {client.process.log.read_text(errors='replace')[-1500:]}")
                client.done = True
        if self.broker.ended is not None:
            raise Failure(f"the broker ended with {self.broker.ended}: {self.broker.log.read_text(errors='replace')[-1500:]}")

    def audit(self) -> None:
        self.books.audited(run([*self.programs.java, "Audit", str(self.port)], WORK).splitlines())

    def go(self) -> None:
        begin = time.monotonic()
        self.start_broker()
        self.hosts = [self.start_host() for _ in range(self.scale.hosts)]
        for client in self.clients:
            self.start_client(client)
        plan = list(self.plan)
        progress, since, asked = -1, time.monotonic(), 0.0
        while True:
            time.sleep(0.05)
            self.books.read()
            self.tend()
            # Only running calls go beyond the next kill, so there is always something to be killed.
            share = (plan[0][0] + self.scale.calls / 20) / self.scale.calls if plan else 1.0
            for client in self.clients:
                client.allow(share)
            if all(client.done for client in self.clients):
                # What is open may be a dead letter by now: a poisonous call, or one that was each time under way beside it.
                if self.books.open() and time.monotonic() - asked > AUDIT_SECONDS:
                    self.audit()
                    asked = time.monotonic()
                if not self.books.open():
                    break
            if plan and self.books.ended_calls >= plan[0][0]:
                self.kill(plan.pop(0)[1])
            if self.books.lines != progress:
                progress, since = self.books.lines, time.monotonic()
            elif time.monotonic() - since > STUCK_SECONDS:
                raise Failure(f"nothing went on for {STUCK_SECONDS} s; open: {sorted(self.books.open())}; {self.books.summary()}")
        self.books.seconds = time.monotonic() - begin
        for host in self.hosts:
            if host.ended is None and host.stop() != 0:
                raise Failure(f"{host.name} did not end in order: {host.log.read_text(errors='replace')[-1500:]}")
        self.books.read()
        self.audit()
        if self.broker.stop() != 0:
            raise Failure("the broker did not end in order")

    def end(self) -> None:
        """Leaves no process running, however the run went."""
        for process in [getattr(self, "broker", None), *self.hosts, *(client.process for client in self.clients)]:
            if process is not None and process.ended is None:
                process.kill()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--short", action="store_true")
    parser.add_argument("--seed", type=int, default=20_261_121)
    parser.add_argument("--without", default="")
    parser.add_argument("--results", type=pathlib.Path)
    arguments = parser.parse_args()
    without = [word for word in arguments.without.split(",") if word]
    languages = [language for language in LANGUAGES if language not in without]
    if not languages:
        parser.error("no language is left")
    scale = SHORT if arguments.short else LONG

    passed = failed = 0
    this = None
    try:
        this = Run(scale, arguments.seed, Programs(WORK, CREO, languages), languages)
        print(f"{scale.calls} calls by clients in {', '.join(languages)}, seed {arguments.seed}; killed after so many calls: {', '.join(f'{kind} {moment}' for moment, kind in this.plan)}; poison: {this.poison}", flush=True)
        this.go()
        for name, problem in checks(this.books, scale.threads, this.kills, this.poison):
            passed, failed = (passed, failed + 1) if problem else (passed + 1, failed)
            print(f"FAILED {name}: {problem}" if problem else f"ok {name}", flush=True)
        missing = {kind: count for kind, count in scale.kills.items() if this.kills[kind] != count}
        if missing:
            failed += 1
            print(f"FAILED the plan: of {scale.kills} kills only {this.kills} came to be", flush=True)
        print(this.books.summary())
        if arguments.results is not None and failed == 0:
            (ROOT / arguments.results).write_text(page(this.books, scale, languages, this.kills, this.poison, arguments.seed))
    except Failure as failure:
        failed += 1
        print(f"FAILED {failure}")
    finally:
        if this is not None:
            this.end()
    for language in without:
        print(f"jms-faults, not run: clients in {language}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
