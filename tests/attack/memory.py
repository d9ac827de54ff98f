"""Messages that are small on the wire and large in memory, and more of large ones than the heap has room for. No call of others fails, and the heap is never exhausted."""

from __future__ import annotations

import gzip
import json
import select
import socket
import time
import zlib
from collections import Counter

import wire
from harness import LOOK_SECONDS, Arena, Cases, address
from service import Failure, Options

cases = Cases("memory")

# Bodies for which there is no room wait as long as that (LIM-34).
SMALL = Options(heap="256m", limits=(("frameTimeout", 5_000),))
SECONDS = 120
# How a message that is too much for the service may end, besides its answer.
KNOWN = {"too-large", "overloaded"}
KNOWN_STATUSES = {413, 503}
# Below the 134,217,728 bytes of maxMessageSize: no other limit refuses it.
BOMB = 128_000_000


def squeeze(begin: bytes, fill: bytes, size: int, end: bytes, window: int) -> bytes:
    """A compressed stream of `begin`, `fill` again and again, and `end`; of `window` as zlib has it."""
    squeezer = zlib.compressobj(9, zlib.DEFLATED, window)
    block = fill * (1_000_000 // len(fill))
    parts = [squeezer.compress(begin)]
    for _ in range(size // len(block)):
        parts.append(squeezer.compress(block))
    return b"".join([*parts, squeezer.compress(end), squeezer.flush()])


def ended_tcp(connection: socket.socket) -> str:
    """How a call on a separate connection ended: by its response, an error, or the end of the connection."""
    stream = wire.Stream(connection, SECONDS)
    try:
        stream.preamble()
        answer = stream.answer()
    except (wire.Closed, ConnectionResetError, BrokenPipeError):
        return "closed"
    return answer.error or {wire.RESPONSE: "answered", wire.EXCEPTION: "exception"}.get(answer.kind, f"kind {answer.kind}")


def ended_http(connection: socket.socket) -> str:
    try:
        response = wire.Stream(connection, SECONDS).response()
    except (wire.Closed, ConnectionResetError, BrokenPipeError):
        return "closed"
    if response.status == 200:
        return "answered"
    if response.status not in KNOWN_STATUSES:
        return f"{response.status} {response.body[:100]!r}"
    return str(json.loads(response.body)["title"]) if response.headers.get("content-type", "").startswith("application/problem") else "too-large"


def is_answered(connection: socket.socket) -> bool:
    """Whether more than a preamble has come, or the end: an answer before everything was sent is a refusal."""
    try:
        got = connection.recv(9, socket.MSG_PEEK)
    except BlockingIOError:
        return False
    except OSError:
        return True
    return len(got) > 8 or not wire.PREAMBLE[:5].startswith(got[:5]) or not got


def send_all(connections: dict[socket.socket, bytes], arena: Arena) -> None:
    """Sends to all of them at once, as the service reads; connections closed by the service are skipped."""
    left = {connection: memoryview(data) for connection, data in connections.items()}
    for connection in left:
        connection.setblocking(False)
    until = time.monotonic() + SECONDS
    while left:
        assert arena.legit is not None
        arena.legit.check()
        if time.monotonic() > until:
            # A service may leave bodies where they are until others have ended, but not for ever.
            raise Failure(f"{len(left)} bodies are not taken, nor are their connections closed")
        for connection in [each for each in left if is_answered(each)]:
            left.pop(connection)
        if not left:
            break
        # Not for ever: an answer may come while the service takes nothing.
        for connection in select.select([], left, [], LOOK_SECONDS)[1]:
            try:
                left[connection] = left[connection][connection.send(left[connection][: 1 << 18]) :]
            except BlockingIOError:
                continue
            except OSError:
                left.pop(connection)
                continue
            if not left[connection]:
                left.pop(connection)


def check(ends: Counter[str], allowed: set[str]) -> None:
    if set(ends) - allowed:
        raise Failure(f"the calls ended so: {dict(ends)}; allowed: {sorted(allowed)}")


def one(arena: Arena, port: str, data: bytes, allowed: set[str], times: int = 1) -> None:
    """Sends a message so often, one after the other, and sees how each ends."""
    ends: Counter[str] = Counter()
    for _ in range(times):
        connection = arena.connect(port)
        send_all({connection: data}, arena)
        ends[ended_tcp(connection) if port == "tcp" else ended_http(connection)] += 1
        arena.drop(connection)
    check(ends, allowed)


def gzip_bomb(method: str, begin: bytes, fill: bytes, end: bytes) -> bytes:
    body = squeeze(begin, fill, BOMB, end, 31)
    return wire.http_head(method, b"Content-Encoding: gzip\r\nContent-Length: %d\r\n\r\n" % len(body)) + body


@cases.add("gzip-bombs", SMALL)
def _(arena: Arena) -> None:
    """Bodies of 126 kB that grow to 128 MB: a text, bytes, and white space before a small value."""
    bombs = {
        "text": gzip_bomb("echo", b'{"text":"', b"x", b'"}'),
        "bytes": gzip_bomb("size", b'{"bytes":"', b"AAAA", b'"}'),
        "white-space": gzip_bomb("echo", b'{"text":', b" ", b'"a"}'),
        "unknown-member": gzip_bomb("options", b'{"value":{"text":"a","more":[', b"[],", b"[]]}}"),
    }
    with arena.legitimate() as legit:
        for name, data in bombs.items():
            # Not all of the last one can be known before its end; it is skipped, or refused.
            arena.part(name, lambda data=data: one(arena, "http", data, KNOWN | {"answered", "closed"}, 2))
        legit.go_on(10)
        at_once = {arena.connect("http"): bombs["text"] for _ in range(16)}
        send_all(at_once, arena)
        legit.go_on(10)
        check(Counter(ended_http(connection) for connection in at_once), KNOWN | {"answered", "closed"})
        legit.go_on(5)


@cases.add("gzip-bomb-of-two-layers", SMALL, long=True)
def _(arena: Arena) -> None:
    """A bomb within a bomb stays one: the service unpacks once."""
    inner = squeeze(b'{"text":"', b"x", BOMB * 4, b'"}', 31)
    body = gzip.compress(inner)
    with arena.legitimate() as legit:
        for coding in (b"gzip", b"gzip, gzip"):
            data = wire.http_head("echo", b"Content-Encoding: %s\r\nContent-Length: %d\r\n\r\n" % (coding, len(body))) + body
            connection = arena.connect("http", data)
            if (status := wire.Stream(connection, SECONDS).response().status) not in (400, 415):
                raise Failure(f"the coding {coding!r} was answered by {status}")
        legit.go_on(5)


@cases.add("zlib-bombs", SMALL)
def _(arena: Arena) -> None:
    """Frames of 126 kB that grow to 128 MB."""
    bombs = {
        "text": ("echo", wire.count(BOMB), b"x"),
        "bytes": ("size", wire.count(BOMB), b"\0"),
        "doubles": ("sum", wire.count(BOMB // 8), b"\0"),
    }
    with arena.legitimate() as legit:
        frames = {name: wire.PREAMBLE + wire.frame(wire.REQUEST, wire.COMPRESSED, 1, wire.head(method) + squeeze(begin, fill, BOMB, b"", 15)) for name, (method, begin, fill) in bombs.items()}
        for name, data in frames.items():
            arena.part(name, lambda data=data: one(arena, "tcp", data, KNOWN | {"answered", "closed"}, 2))
        legit.go_on(10)
        at_once = {arena.connect(): data for data in frames.values() for _ in range(8)}
        send_all(at_once, arena)
        legit.go_on(10)
        check(Counter(ended_tcp(connection) for connection in at_once), KNOWN | {"answered", "closed"})
        legit.go_on(5)


def small_items() -> dict[str, tuple[str, bytes]]:
    """Eight million items of each type whose items are small on the wire."""
    number = 8_000_000
    return {
        "empty-maps": ("maps", wire.count(number) + b"\0" * number),
        "empty-texts": ("labels", wire.count(number) + b"\0" * number),
        "absent-fields": ("sparse", wire.count(number) + b"\0\0\0" * number),
        "empty-structs": ("nothings", wire.count(number)),
    }


def bounded(size: int) -> Options:
    """A heap of five times a message's bytes and 128 MiB, and no other limit on the sum of messages: what takes more exhausts it."""
    return Options(heap=f"{(5 * size >> 20) + 128}m", limits=(("memoryBudget", 1 << 40),))


def within_five_times(name: str, method: str, body: bytes) -> None:
    @cases.add(f"{name}-within-five-times", bounded(len(body)))
    def _(arena: Arena) -> None:
        """Refused, or decoded within that heap, where a record of an exhausted heap fails the case."""
        with arena.legitimate() as legit:
            data = wire.PREAMBLE + wire.request(method, body)
            one(arena, "tcp", data, {"too-large", "answered"}, 3)
            legit.go_on(10)


for each in ("empty-maps", "empty-texts", "absent-fields"):
    within_five_times(each, *small_items()[each])


MAX_MEMORY = 512 << 20


@cases.add("small-items-below-max-memory", Options(heap="768m", limits=(("memoryBudget", 1 << 40),)), long=True)
def _(arena: Arena) -> None:
    """As many items as LIM-18 allows by its nominal sizes are served, and take no more than half as much again; one more is refused."""
    with arena.legitimate() as legit:
        # Bytes on the wire, and the charge of an item besides: 8 and the weight.
        for name, method, item, weight in (("empty-maps", "maps", b"\0", 104), ("empty-texts", "labels", b"\0", 88), ("absent-fields", "sparse", b"\0\0\0", 72)):
            # The count takes four bytes.
            number = (MAX_MEMORY - 4) // (len(item) + weight)
            served = wire.PREAMBLE + wire.request(method, wire.count(number) + item * number)
            beyond = wire.PREAMBLE + wire.request(method, wire.count(number + 1) + item * (number + 1))
            arena.part(name, lambda data=served: one(arena, "tcp", data, {"answered"}))
            arena.part(f"{name}-and-one", lambda data=beyond: one(arena, "tcp", data, {"too-large"}))
            legit.go_on(2)


@cases.add("small-items-over-tcp", SMALL, long=True)
def _(arena: Arena) -> None:
    with arena.legitimate() as legit:
        for name, (method, body) in small_items().items():
            data = wire.PREAMBLE + wire.request(method, body)
            arena.part(name, lambda data=data: one(arena, "tcp", data, KNOWN | {"answered"}, 2))
        legit.go_on(10)
        at_once = {arena.connect(): wire.PREAMBLE + wire.request(method, body) for method, body in small_items().values() for _ in range(2)}
        send_all(at_once, arena)
        legit.go_on(10)
        check(Counter(ended_tcp(connection) for connection in at_once), KNOWN | {"answered", "closed"})


@cases.add("small-items-over-http", SMALL)
def _(arena: Arena) -> None:
    number = 4_000_000
    bodies = {
        "empty-maps": ("maps", b'{"maps":[' + b"{}," * number + b"{}]}"),
        "empty-texts": ("labels", b'{"labels":[' + b'{"text":""},' * number + b'{"text":""}]}'),
        "absent-fields": ("sparse", b'{"items":[' + b"{}," * number + b"{}]}"),
        "empty-structs": ("nothings", b'{"items":[' + b"{}," * number + b"{}]}"),
    }
    with arena.legitimate() as legit:
        for name, (method, body) in bodies.items():
            arena.part(name, lambda method=method, body=body: one(arena, "http", wire.http(method, body), KNOWN | {"answered"}))
            packed = gzip.compress(body, 1)
            data = wire.http_head(method, b"Content-Encoding: gzip\r\nContent-Length: %d\r\n\r\n" % len(packed)) + packed
            arena.part(f"{name}-gzip", lambda data=data: one(arena, "http", data, KNOWN | {"answered"}))
        legit.go_on(10)


@cases.add("small-items-on-a-large-heap", Options(heap="2g"), long=True)
def _(arena: Arena) -> None:
    """The same types with room for some: each is served or refused, and afterwards the heap is as before."""
    with arena.legitimate() as legit:
        before = arena.service.used_heap()
        for name, (method, body) in small_items().items():
            data = wire.PREAMBLE + wire.request(method, body)
            arena.part(name, lambda data=data: one(arena, "tcp", data, KNOWN | {"answered"}))
        legit.go_on(10)
        arena.wait_heap(before, 48 << 20, "when their calls have ended, the heap is what it was")


@cases.add("large-bodies-over-tcp", SMALL)
def _(arena: Arena) -> None:
    """16 bodies of 40 MB at once, where the heap has 256."""
    with arena.legitimate() as legit:
        size = 40_000_000
        data = wire.PREAMBLE + wire.request("size", wire.count(size) + b"\0" * size)
        at_once = {arena.connect(): data for _ in range(16)}
        send_all(at_once, arena)
        legit.go_on(20)
        check(Counter(ended_tcp(connection) for connection in at_once), KNOWN | {"answered", "closed"})
        legit.go_on(5)


@cases.add("large-bodies-over-http", SMALL, long=True)
def _(arena: Arena) -> None:
    with arena.legitimate() as legit:
        data = wire.http("size", b'{"bytes":"' + b"A" * 40_000_000 + b'"}')
        chunk = b"%x\r\n" % 1_000_000 + b"A" * 1_000_000 + b"\r\n"
        chunked = wire.http_head("size", b"Transfer-Encoding: chunked\r\n\r\n") + b'a\r\n{"bytes":"\r\n' + chunk * 40 + b'2\r\n"}\r\n0\r\n\r\n'
        at_once = {arena.connect("http"): each for each in (data, chunked) for _ in range(8)}
        send_all(at_once, arena)
        legit.go_on(20)
        check(Counter(ended_http(connection) for connection in at_once), KNOWN | {"answered", "closed"})
        legit.go_on(5)


@cases.add("large-bodies-that-wait", SMALL, long=True)
def _(arena: Arena) -> None:
    """40 bodies of which the last byte does not come: what they hold is bounded, and they are let in when it comes, or refused."""
    with arena.legitimate() as legit:
        size = 10_000_000
        data = wire.PREAMBLE + wire.request("size", wire.count(size) + b"\0" * size)
        held: dict[socket.socket, int] = {}
        for _ in range(40):
            connection = arena.connect()
            connection.setblocking(False)
            held[connection] = 0
        # As much of each as the service takes without the last byte; a service that is full leaves the rest in the kernel.
        progress = time.monotonic()
        while time.monotonic() - progress < 2 and any(sent < len(data) - 1 for sent in held.values()):
            legit.check()
            for connection, sent in list(held.items()):
                try:
                    held[connection] = sent + connection.send(memoryview(data)[sent : min(len(data) - 1, sent + (1 << 18))])
                    progress = time.monotonic() if held[connection] > sent else progress
                except BlockingIOError:
                    pass
                except OSError:
                    held.pop(connection)
        legit.go_on(40)
        send_all({connection: data[sent:] for connection, sent in held.items()}, arena)
        check(Counter(ended_tcp(connection) for connection in held), KNOWN | {"answered", "closed"})
        legit.go_on(5)


# What methods make is theirs, and counts for no budget: eight at once have room for it.
@cases.add("answers-beyond-the-heap", Options(heap="256m", limits=(("maxConcurrency", 8),)))
def _(arena: Arena) -> None:
    """60 unread answers of 5 MB on as many connections: their memory is limited, and they arrive when they are read, or not at all."""
    with arena.legitimate() as legit:
        size = 5_000_000
        attackers = [arena.connect(first=wire.PREAMBLE + wire.request("blob", wire.i32(size)), buffer=4_096) for _ in range(60)]
        arena.wait_stalled(attackers, size, at_least=8)
        legit.go_on(40)
        check(Counter(ended_tcp(connection) for connection in attackers), KNOWN | {"answered", "closed"})
        legit.go_on(5)


# The queue of calls is another limit.
@cases.add("small-answers-beyond-the-heap", Options(heap="256m", limits=(("maxQueue", 100_000),)))
def _(arena: Arena) -> None:
    """Hundreds of connections ask for many small answers each, below what one may have waiting (LIM-31), and read none: together they are bounded all the same (LIM-32)."""
    with arena.legitimate() as legit:
        before = arena.service.used_heap()
        clients, calls, size = (400 if arena.long else 200), 100, 60_000
        data = wire.PREAMBLE + b"".join(wire.request("blob", wire.i32(size), number) for number in range(1, calls + 1))
        attackers = [arena.connect(first=data, source=address(number // 400), buffer=4_096) for number in range(clients)]
        arena.wait_stalled(attackers, calls * size, at_least=clients // 2)
        legit.go_on(40)
        arena.connections.close()
        legit.go_on(5)
        arena.wait_heap(before, 16 << 20, "when the clients have gone, the heap is what it was")
