"""Messages with changed bytes, from a seed: each gets a known error or a proper answer, or its connection ends."""

from __future__ import annotations

import random
import re
import socket
import struct
import zlib
from collections import Counter

import wire
from harness import Arena, Cases
from service import Failure

cases = Cases("mutations")

SEED = 20_261_127
SECONDS = 60
ERRORS = {"malformed", "too-large", "unknown-method", "protocol-mismatch", "cancelled", "deadline-exceeded", "overloaded", "invalid-value"}
STATUSES = {100, 200, 202, 204, 400, 404, 405, 408, 411, 413, 414, 415, 417, 422, 431, 501, 503, 504, 505}
CLIENT_FAULT = re.compile(rb":(Client|VersionMismatch|MustUnderstand)<")
SOAP = "http://www.w3.org/2003/05/soap-envelope"


def frames() -> list[bytes]:
    """Calls of the methods that take whatever may be sent to them, and whatever else a client may send."""
    node = wire.text("a") + wire.count(1) + wire.text("b") + wire.count(0)
    reading = wire.text("x") + struct.pack(">qd", 1, 1.5) + wire.text("3.5") + struct.pack(">qI", 0, 0)
    bodies = {
        "echo": wire.text("hi"), "size": wire.text(b"abc"), "readings": wire.count(2) + reading * 2, "maps": wire.count(2) + wire.count(1) + wire.text("k") + wire.text("v") + wire.count(0),
        "labels": wire.count(2) + wire.text("a") + wire.text(""), "sparse": wire.count(2) + b"\1\0\0\0\5\0\1" + wire.text("t") + b"\0\0\0", "nothings": wire.count(100), "table": wire.count(1) + wire.text("k") + wire.i32(5),
        "node": node, "sum": wire.count(3) + struct.pack(">3d", 1, 2, 3), "decimal": wire.text("1.50"), "time": struct.pack(">qI", 0, 5), "options": struct.pack(">I", 7) + wire.text("hi") + wire.i32(3),
        "shape": wire.count(1) + wire.count(1) + wire.i32(3), "color": wire.count(1), "note": wire.text("n"), "metadata": wire.text("k"),
    }
    calls = [wire.request(method, body, number + 1) for number, (method, body) in enumerate(bodies.items())]
    with_metadata = wire.frame(wire.REQUEST, wire.METADATA, 50, wire.head("metadata") + wire.count(1) + wire.text("k") + wire.text("v") + wire.text("k"))
    chain = wire.request("echo", wire.count(4) + b"ab", 51, flags=wire.MORE) + wire.frame(wire.DATA, 0, 51, b"cd")
    packed = wire.frame(wire.REQUEST, wire.COMPRESSED, 52, wire.head("echo") + zlib.compress(wire.text("hi")))
    return [*calls, with_metadata, chain, packed, wire.frame(wire.PING, 0, 3), wire.frame(wire.PONG, 0, 3), wire.frame(wire.CANCEL, 0, 3)]


def requests() -> list[bytes]:
    """Requests over HTTP in every form."""
    bodies = {
        "echo": {"text": "a\"\\é😀"}, "size": {"bytes": "QUJD"}, "readings": {"readings": [{"station": "x", "sequence": 1, "value": 1.5, "exact": "3.5", "time": "2026-01-01T00:00:00Z"}]},
        "table": {"table": {"k": 5}}, "node": {"node": {"name": "a", "children": [{"name": "b", "children": []}]}}, "sum": {"values": [1, 2.5, "NaN"]}, "options": {"value": {"text": "t", "more": [1, {"a": None}]}},
        "shape": {"value": {"sides": [1, 2]}}, "color": {"value": "GREEN"}, "note": {"text": "n"}, "sparse": {"items": [{"first": 1}, {}]},
    }
    envelope = f'<?xml version="1.0"?><e:Envelope xmlns:e="{SOAP}"><e:Body><a:echo xmlns:a="urn:creo:org.example.attack"><a:text>x&amp;y&#233;</a:text></a:echo></e:Body></e:Envelope>'.encode()
    soap = b"POST /Victim HTTP/1.1\r\nHost: x\r\nContent-Type: application/soap+xml\r\nContent-Length: %d\r\n\r\n" % len(envelope) + envelope
    chunked = wire.http_head("echo", b"Transfer-Encoding: chunked\r\n\r\n") + b'5;a=b\r\n{"tex\r\n7\r\nt":"a"}\r\n0\r\nX: y\r\n\r\n'
    gets = [b"GET /Victim?%s HTTP/1.1\r\nHost: x\r\nAccept-Encoding: gzip\r\n\r\n" % query for query in (b"wsdl", b"openapi", b"no")]
    return [*(wire.http(method, body, more=b"Creo-Timeout: 5000\r\nCreo-Meta-k: v%20w\r\n") for method, body in bodies.items()), soap, chunked, *gets]


def mutate(dice: random.Random, data: bytearray, begin: int, times: int) -> bytearray:
    for _ in range(times):
        if len(data) <= begin:
            break
        at, how = dice.randrange(begin, len(data)), dice.random()
        if how < 0.5:
            data[at] = dice.choice([0, 1, 2, 10, 13, 32, 0x7F, 0x80, 0xFF, dice.randrange(256)])
        elif how < 0.7:
            del data[at : at + dice.randint(1, 5)]
        elif how < 0.85:
            data[at:at] = dice.randbytes(dice.randint(1, 5))
        elif how < 0.95:
            data[at:at] = data[at : at + dice.randint(1, 40)]
        else:
            del data[at:]
    return data


def exchange(arena: Arena, port: str, data: bytes) -> wire.Stream:
    """All that is said until the connection ends, which it must when the client has sent all; without a word, if it was reset."""
    connection = arena.connect(port)
    try:
        connection.sendall(data)
        connection.shutdown(socket.SHUT_WR)
    except OSError:
        pass  # Closed before all of it was sent.
    stream = wire.Stream(connection, SECONDS)
    stream.buffer = bytearray(stream.rest())
    connection.close()
    arena.connections.all.clear()
    return stream


def over_tcp(arena: Arena, dice: random.Random, seeds: list[bytes], told: Counter[object]) -> None:
    preamble = wire.PREAMBLE_TABLES if dice.random() < 0.2 else wire.PREAMBLE
    data = mutate(dice, bytearray(preamble + b"".join(dice.choice(seeds) for _ in range(dice.randint(1, 4)))), 0 if dice.random() < 0.1 else 8, dice.choice([0, 1, 1, 2, 3, 10]))
    stream = exchange(arena, "tcp", bytes(data))
    if stream.buffer.startswith(b"HTTP/1."):
        told["as http"] += 1
        return
    try:
        if not stream.buffer:
            raise wire.Closed
        stream.preamble()
        while True:
            frame = stream.frame()
            told[frame.error or frame.kind] += 1
            if frame.error and frame.error not in ERRORS:
                raise Failure(f"answered {frame.error} {frame.rest[:200]!r}: {bytes(data).hex()}")
    except (wire.Closed, ConnectionResetError, BrokenPipeError, OSError):
        told["end"] += 1


def over_http(arena: Arena, dice: random.Random, seeds: list[bytes], told: Counter[object]) -> None:
    data = mutate(dice, bytearray(b"".join(dice.choice(seeds) for _ in range(dice.randint(1, 3)))), 0, dice.choice([0, 1, 1, 2, 3, 10]))
    stream = exchange(arena, "http", bytes(data))
    # What no longer looks like HTTP may be read as Creo, or as nothing.
    if not stream.buffer.startswith(b"HTTP/1."):
        told["no answer"] += 1
        return
    try:
        while stream.buffer:
            response = stream.response()
            told[response.status] += 1
            # SOAP has this status for some mistakes of clients, too.
            if response.status not in STATUSES and not (response.status == 500 and CLIENT_FAULT.search(response.body)):
                raise Failure(f"answered {response.status} {response.body[:200]!r}: {bytes(data)!r}")
    except (wire.Closed, OSError):
        told["end"] += 1


def many(arena: Arena, connections: int, one: object, seeds: list[bytes], expected: set[object]) -> None:
    dice = random.Random(SEED)
    told: Counter[object] = Counter()
    with arena.legitimate() as legit:
        for number in range(connections):
            try:
                one(arena, dice, seeds, told)  # type: ignore[operator]
            except TimeoutError:
                raise Failure(f"connection {number} of the seed {SEED} stays open") from None
            if number % 1_000 == 999:
                legit.go_on(1)
        legit.go_on(10)
    print(f"   {dict(told)}", flush=True)
    if missing := expected - set(told):
        raise Failure(f"the changes never came to {missing}: no attack")


@cases.add("over-tcp")
def _(arena: Arena) -> None:
    many(arena, 200_000 if arena.long else 3_000, over_tcp, frames(), {wire.RESPONSE, "malformed", "unknown-method", "too-large"})


@cases.add("over-http")
def _(arena: Arena) -> None:
    many(arena, 100_000 if arena.long else 2_000, over_http, requests(), {200, 400, 404, 415})
