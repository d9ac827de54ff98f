"""What a connection takes that does nothing: thousands are opened to Creo's server, over TCP with the preamble sent, over HTTP with one request answered. A row for each kind:

    {"part": "idle", "subject", "jdk", "transport": "tcp" or "http", "connections",
     "heap": [bytes for a connection that a collection leaves], "outside": [bytes for a connection outside the heap], "threads": [of the server, more than before], "held": [connections that answer afterwards]}
"""

from __future__ import annotations

import os
import resource
import socket
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from .calls import turned
from .http_build import CREO, Subject
from .http_calls import PATIENCE, Plan, started
from .response import Program
from .tools import Failed, say

Row = dict[str, Any]

TRANSPORTS = ("tcp", "http")
# The whole heap is touched at the start: later growth of the process is outside the heap.
HEAP = ("-Xms1g", "-Xmx1g", "-XX:+AlwaysPreTouch")
PREAMBLE = b"CREO\x01\x00\x00\x00"
PING = bytes.fromhex("00000006 07 00 00000001")
PONG = bytes.fromhex("00000006 08 00 00000001")
BODY = b'{"s":"hi"}'
REQUEST = b"POST /Echo/echo HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s" % (len(BODY), BODY)
# Servers limit the connections of one address; a loopback interface has many.
ADDRESSES = tuple(f"127.0.0.{last}" for last in range(2, 12))
# Opened and closed before, which loads classes, buffers and pools.
WARM = 50


def measure_idle(plan: Plan) -> list[Row]:
    allow_files(plan.idle + 1_000)
    cells = tuple((transport, subject) for transport in TRANSPORTS for subject in plan.subjects if subject.name in CREO and subject.jdk == plan.idle_jdk)
    rows: dict[Any, Row] = {}
    for turn in range(plan.rounds):
        for transport, subject in turned(cells, turn):
            head = {"part": "idle", "subject": subject.name, "jdk": plan.idle_jdk.major, "transport": transport, "connections": plan.idle}
            row = rows.setdefault((transport, subject), head)
            for name, value in cell(subject, transport, plan.idle).items():
                row.setdefault(name, []).append(value)
        say(f"idle: round {turn + 1} of {plan.rounds}")
    return list(rows.values())


def allow_files(count: int) -> None:
    """The max number of open files of this program and of each server."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    if most != resource.RLIM_INFINITY and most < count:
        raise Failed(f"idle connections need {count} open files for a process; here are at most {most} (ulimit -Hn)")
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def cell(subject: Subject, transport: str, count: int) -> dict[str, float]:
    with ExitStack() as stack:
        service, url = started(stack, subject, "-idle", *HEAP)
        tcp = service.line(PATIENCE)
        port = int((tcp if transport == "tcp" else url.removesuffix("/Echo")).rsplit(":", 1)[1])
        with ExitStack() as closed:
            for connection in [closed.enter_context(opened(transport, port, at)) for at in range(WARM)]:
                if not answers(transport, connection):
                    raise Failed(f"{subject.title} does not answer over {transport}")
        files = settled(service, 0)
        heap, memory, threads = state(service)
        connections = [stack.enter_context(opened(transport, port, at)) for at in range(count)]
        settled(service, files + count)
        heap_then, memory_then, threads_then = state(service)
        held = sum(answers(transport, connection) for connection in connections)
        return {"heap": round((heap_then - heap) / count), "outside": round((memory_then - memory) / count), "threads": threads_then - threads, "held": held}


def state(service: Program) -> tuple[int, int, int]:
    """Live bytes of the heap, bytes of memory of the process, and its threads."""
    heap = int(service.ask("heap", PATIENCE))
    fields = status(service)
    return heap, int(fields["VmRSS"].split()[0]) * 1024, int(fields["Threads"])


def status(service: Program) -> dict[str, str]:
    return dict(line.split(":\t", 1) for line in Path(f"/proc/{service.pid}/status").read_text().splitlines() if ":\t" in line)


def settled(service: Program, files: int) -> int:
    """Waits until the server has this many open files and has started or ended no thread for a second; ten seconds at most, since it may have closed some. Returns the number of open files."""
    before, since = (0, ""), 0
    for _ in range(100):
        now = len(os.listdir(f"/proc/{service.pid}/fd")), status(service)["Threads"]
        since = since + 1 if now == before else 0
        if since >= 10 and now[0] >= files:
            break
        before = now
        time.sleep(0.1)
    return now[0]


def opened(transport: str, port: int, at: int) -> socket.socket:
    """A connection of which the server knows what it is."""
    connection = socket.create_connection(("127.0.0.1", port), PATIENCE, source_address=(ADDRESSES[at % len(ADDRESSES)], 0))
    try:
        if transport == "tcp":
            connection.sendall(PREAMBLE)
        elif not answers(transport, connection):
            raise Failed(f"the server does not answer on connection {at + 1}")
    except BaseException:
        connection.close()
        raise
    return connection


def answers(transport: str, connection: socket.socket) -> bool:
    """Whether the server still answers: a ping, or a request."""
    received = b""
    try:
        connection.sendall(PING if transport == "tcp" else REQUEST)
        while not is_whole(transport, received):
            more = connection.recv(4_096)
            if not more:
                return False
            received += more
    except (ConnectionError, TimeoutError):
        return False
    return transport == "tcp" or received.startswith(b"HTTP/1.1 200 ")


def is_whole(transport: str, received: bytes) -> bool:
    """Whether it ends with the answer to the ping, or is the answer of HTTP, of which the length of the body is known."""
    if transport == "tcp":
        return received.startswith(PREAMBLE[:5]) and received.endswith(PONG)
    head, end, body = received.partition(b"\r\n\r\n")
    if not end:
        return False
    lengths = [int(line.split(b":")[1]) for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")]
    return len(body) >= (lengths[0] if lengths else 0)
