"""Calls of the echo service: requests over HTTP to each server, and calls of Creo's own client. Every measurement is one row, with a sample for each round:

    {"part": "http", "json" or "binary", "subject", "jdk": its major version, or null of a server on Python, "connections",
     "calls": [a second], "p50": [µs], "p99": [µs], "cpu": [µs of the server's processor time for a call], "cpu_client": [the client's],
     "load": [mean number of threads that wanted a processor in the minute before], "others": [share of the processors that other programs took meanwhile]}
"""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import statistics
import time
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Callable

from . import wrk
from .calls import TICKS, turned, warmed
from .http_build import CREO, HERE, Jdk, Subject, command, service_command
from .response import Program
from .tools import Failed, say

Row = dict[str, Any]

# One heap for all that answer calls.
HEAP = ("-Xms512m", "-Xmx512m")
HEADERS = {"Content-Type": "application/json"}
# Far above what anything takes: what hangs is a failure.
PATIENCE = 60
# The first of these is measured.
TEXTS = ("hi", 'quotes " \\ and \n \u0001 ü € \U0001f600')
# The Java client's wires.
WIRES = ("json", "binary")


@dataclass(frozen=True)
class Plan:
    subjects: tuple[Subject, ...]
    connections: tuple[int, ...]
    rounds: int
    # Seconds for measuring a server and a client, and the max for warming up.
    seconds: int
    client_seconds: int
    warm_up: int
    # How many idle connections, and on which JDK.
    idle: int
    idle_jdk: Jdk


@dataclass(frozen=True)
class Made:
    """Calls that were made, with the processor time of the client."""

    calls: int
    seconds: float
    median: float
    p99: float
    processor_time: float


def busy() -> float:
    """Seconds that the processors of the machine have worked so far, for whomever."""
    user, nice, system, _, _, irq, softirq, steal = map(int, Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:9])
    return (user + nice + system + irq + softirq + steal) / TICKS


def measured(rows: dict[Any, Row], part: str, subject: Subject, connections: int, service: Program, calls: Callable[[], Made]) -> None:
    """Adds a sample to the row of the cell."""
    load = os.getloadavg()[0]
    before, machine, clock = service.processor_time(), busy(), time.monotonic()
    made = calls()
    spent, machine, clock = service.processor_time() - before, busy() - machine, time.monotonic() - clock
    key = (part, subject.name, subject.jdk.major if subject.jdk else None, connections)
    row = rows.setdefault(key, dict(zip(("part", "subject", "jdk", "connections"), key)))
    others = max(0.0, machine - spent - made.processor_time) / clock / (os.cpu_count() or 1)
    for name, value in {
        "calls": round(made.calls / made.seconds, 1),
        "p50": round(made.median, 1),
        "p99": round(made.p99, 1),
        "cpu": round(spent / made.calls * 1e6, 2),
        "cpu_client": round(made.processor_time / made.calls * 1e6, 2),
        "load": round(load, 2),
        "others": round(others, 3),
    }.items():
        row.setdefault(name, []).append(value)


def started(stack: ExitStack, subject: Subject, suffix: str, *options: str) -> tuple[Program, str]:
    """A service that is stopped with the stack, and its address over HTTP."""
    program = Program(f"http-{subject.title}{suffix}", service_command(subject, *options))
    stack.callback(program.stop)
    return program, program.line(PATIENCE)


def check(subject: Subject, url: str) -> None:
    """The service must return what it receives."""
    server, path = url.removeprefix("http://").split("/", 1)
    connection = http.client.HTTPConnection(server, timeout=PATIENCE)
    with contextlib.closing(connection):
        for text in TEXTS:
            connection.request("POST", f"/{path}/echo", json.dumps({"s": text}).encode(), HEADERS)
            response = connection.getresponse()
            found = response.status, response.headers["Content-Type"], json.loads(response.read())
            if found != (200, "application/json", text):
                raise Failed(f"{subject.title} answers {text!r} by {found}")


def measure_http(plan: Plan) -> list[Row]:
    """Each server by the same load generator; all are warm before the first round, and run in turn."""
    request = HERE / "request.json"
    request.write_text(json.dumps({"s": TEXTS[0]}, separators=(",", ":")))
    rows: dict[Any, Row] = {}
    with ExitStack() as stack:
        running = {subject: started(stack, subject, "", *HEAP) for subject in plan.subjects}
        for subject, (_, url) in running.items():
            check(subject, url)
        say(f"http: answers of {len(running)} servers checked")

        def load(subject: Subject, connections: int, seconds: int) -> wrk.Load:
            return wrk.load(f"{running[subject][1]}/echo", request, HEADERS, connections, seconds)

        for subject, (program, _) in running.items():
            seconds = warmed(lambda: load(subject, 4, 1).calls, program.processor_time, plan.warm_up)
            say(f"http: {subject.title} warm after {seconds} s")
        for turn in range(plan.rounds):
            for connections in plan.connections:
                for subject in turned(plan.subjects, turn):
                    load(subject, connections, 1)
                    program = running[subject][0]

                    def calls() -> Made:
                        found = load(subject, connections, plan.seconds)
                        return Made(found.calls, found.seconds, found.median, found.p99, found.processor_time)

                    measured(rows, "http", subject, connections, program, calls)
            say(f"http: round {turn + 1} of {plan.rounds}")
    return list(rows.values())


def measure_clients(plan: Plan) -> list[Row]:
    """Creo's client against Creo's service, a pair of programs for each wire."""
    pairs: dict[tuple[str, Subject], tuple[Program, Program]] = {}
    rows: dict[Any, Row] = {}
    with ExitStack() as stack:
        for subject in plan.subjects:
            for wire in WIRES if subject.name in CREO else ():
                service, url = started(stack, subject, f"-{wire}-service", *HEAP)
                address = url if wire == "json" else service.line(PATIENCE)
                client = Program(f"http-{subject.title}-{wire}-client", [*command(subject, "CreoClient", *HEAP), wire, address])
                stack.callback(client.stop)
                client.line(PATIENCE)
                pairs[wire, subject] = service, client

        def call(pair: tuple[Program, Program], connections: int, seconds: int) -> Made:
            client = pair[1]
            before = client.processor_time()
            count, lasted, *times = map(float, client.ask(f"{connections} {seconds}", seconds + PATIENCE).split())
            return Made(int(count), lasted, statistics.median(times) / 1e3, times[-1] / 1e3, client.processor_time() - before)

        for (wire, subject), pair in pairs.items():
            seconds = warmed(lambda: call(pair, 4, 1).calls, lambda: sum(program.processor_time() for program in pair), plan.warm_up)
            say(f"{wire}: {subject.title} warm after {seconds} s")
        for turn in range(plan.rounds):
            for connections in plan.connections:
                for wire, subject in turned(tuple(pairs), turn):
                    pair = pairs[wire, subject]
                    call(pair, connections, 1)
                    measured(rows, wire, subject, connections, pair[0], lambda: call(pair, connections, plan.client_seconds))
            say(f"clients: round {turn + 1} of {plan.rounds}")
    return list(rows.values())
