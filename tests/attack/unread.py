"""Clients that ask and do not read the answers. The calls of others go on, and what was asked for comes when it is read."""

from __future__ import annotations

import base64
import select
import socket
import time

import wire
from harness import Arena, Cases, answers
from service import Failure, Options

cases = Cases("unread")

# A small buffer, filled by few bytes.
BUFFER = 4_096
READ_SECONDS = 120


@cases.add("nothing-at-all")
def _(arena: Arena) -> None:
    """The legitimate client alone: what fails here is no attack's doing."""
    with arena.legitimate() as legit:
        legit.go_on(100)


def send_until_full(connection: socket.socket, data: bytes) -> int:
    """Sends until the service takes no more; how much it took."""
    view, sent = memoryview(data), 0
    connection.setblocking(False)
    while sent < len(data):
        try:
            sent += connection.send(view[sent : sent + (1 << 18)])
        except BlockingIOError:
            # A service that reads on makes room within this time, or the connection is found to be full once more by the case.
            if not select.select([], [connection], [], 1)[1]:
                break
    return sent


def send_rest(connection: socket.socket, data: bytes, stream: wire.Stream) -> None:
    """Sends what was left while the answers are read."""
    view, sent, until = memoryview(data), 0, time.monotonic() + READ_SECONDS
    while sent < len(data):
        if time.monotonic() > until:
            raise Failure(f"the service takes no more: {len(data) - sent} bytes are left")
        connection.setblocking(False)
        readable, writable, _ = select.select([connection], [connection], [], 1)
        if writable:
            try:
                sent += connection.send(view[sent : sent + (1 << 16)])
            except BlockingIOError:
                pass
        if readable:
            got = connection.recv(1 << 18)
            if not got:
                raise Failure("the service has closed the connection while it was read")
            stream.buffer += got


def one_connection(arena: Arena, calls: int, method: str, body: bytes, right: bytes) -> None:
    """Pipelined calls on one connection, whose answers are read when others were served meanwhile."""
    data = wire.PREAMBLE + b"".join(wire.request(method, body, number) for number in range(1, calls + 1))
    with arena.legitimate() as legit:
        attacker = arena.connect(buffer=BUFFER)
        sent = send_until_full(attacker, data)
        arena.wait_stalled([attacker], calls * len(right))
        legit.go_on(40)
        arena.wait_stalled([attacker], calls * len(right))
        stream = wire.Stream(attacker, READ_SECONDS)
        send_rest(attacker, data[sent:], stream)
        stream.renew(READ_SECONDS)
        stream.preamble()
        got = answers(stream, calls)
        legit.go_on(5)
    for answer in got.values():
        if answer.kind == wire.RESPONSE and answer.rest == right:
            continue
        if answer.error != "overloaded":
            raise Failure(f"call {answer.call} was answered by kind {answer.kind} {answer.error}, {len(answer.rest)} bytes {difference(answer.rest, right)}")
    if not any(answer.kind == wire.RESPONSE for answer in got.values()):
        raise Failure("no call of the slow reader was answered")


def difference(got: bytes, right: bytes) -> str:
    """Where two byte strings part."""
    at = next((i for i, (a, b) in enumerate(zip(got, right)) if a != b), min(len(got), len(right)))
    return f"that are wrong from {at} on: {got[at : at + 60]!r}"


def blob(size: int) -> bytes:
    pattern = bytes(i % 251 for i in range(251))
    return wire.count(size) + (pattern * (size // 251 + 1))[:size]


@cases.add("tcp-64-large")
def _(arena: Arena) -> None:
    one_connection(arena, 64, "blob", wire.i32(3_000_000), blob(3_000_000))


@cases.add("tcp-1000-large", long=True)
def _(arena: Arena) -> None:
    size = 3_000_000 if arena.long else 300_000
    one_connection(arena, 1_000, "blob", wire.i32(size), blob(size))


@cases.add("tcp-100000-small")
def _(arena: Arena) -> None:
    said = wire.text("hi" * 50)
    one_connection(arena, 100_000, "echo", said, said)


@cases.add("tcp-80-connections", Options(heap="4g"), long=True)
def _(arena: Arena) -> None:
    size = 7_000_000
    with arena.legitimate() as legit:
        first = wire.PREAMBLE + wire.request("blob", wire.i32(size))
        attackers = [arena.connect(first=first, buffer=BUFFER) for _ in range(80)]
        # A service that runs 64 calls at once may have the others wait, for all that is known here.
        arena.wait_stalled(attackers, size, at_least=64)
        legit.go_on(40)
        arena.wait_stalled(attackers, size, at_least=64)
        for attacker in attackers:
            stream = wire.Stream(attacker, READ_SECONDS)
            stream.preamble()
            if (answer := stream.answer()).rest != blob(size):
                raise Failure(f"a slow reader was answered by kind {answer.kind} {answer.error}")
        legit.go_on(5)


@cases.add("http-80-connections", Options(heap="4g"), long=True)
def _(arena: Arena) -> None:
    size = 5_000_000
    with arena.legitimate() as legit:
        first = wire.http("blob", {"size": size})
        attackers = [arena.connect("http", first, buffer=BUFFER) for _ in range(80)]
        arena.wait_stalled(attackers, size, "http", at_least=64)
        legit.go_on(40)
        arena.wait_stalled(attackers, size, "http", at_least=64)
        for attacker in attackers:
            response = wire.Stream(attacker, READ_SECONDS).response()
            if response.status != 200 or len(response.body) != (size + 2) // 3 * 4 + 2:
                raise Failure(f"a slow reader was answered by {response.status} {response.body[:200]!r}")
        legit.go_on(5)


def pipelined(arena: Arena, request: bytes, calls: int, body: bytes) -> None:
    """Pipelined requests on one connection, whose responses are read when others were served meanwhile."""
    with arena.legitimate() as legit:
        data = request * calls
        attacker = arena.connect("http", buffer=BUFFER)
        sent = send_until_full(attacker, data)
        arena.wait_stalled([attacker], calls * len(body), "http")
        legit.go_on(40)
        arena.wait_stalled([attacker], calls * len(body), "http")
        stream = wire.Stream(attacker, READ_SECONDS)
        send_rest(attacker, data[sent:], stream)
        stream.renew(READ_SECONDS)
        for number in range(1, calls + 1):
            response = stream.response()
            if response.status != 200 or response.body != body:
                raise Failure(f"request {number} of a slow reader was answered by {response.status} {response.body[:200]!r}")
        legit.go_on(5)


@cases.add("http-1000-pipelined")
def _(arena: Arena) -> None:
    size = 100_000
    pattern = bytes(i % 251 for i in range(size))
    pipelined(arena, wire.http("blob", {"size": size}), 1_000, b'"' + base64.b64encode(pattern) + b'"')


@cases.add("http-100000-small-pipelined")
def _(arena: Arena) -> None:
    pipelined(arena, wire.http("echo", {"text": "hi" * 50}), 100_000 if arena.long else 40_000, b'"' + b"hi" * 50 + b'"')
