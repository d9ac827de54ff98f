"""One client that asks for too much: calls that last, pings, cancels, unknown methods, chains without end. The calls of others go on."""

from __future__ import annotations

import socket
import struct
import threading
import time
from collections import Counter
from collections.abc import Sequence

import kernel
import wire
from harness import Arena, Cases, answers
from service import PLAIN, SECURE, Failure, Options
from unread import send_until_full

cases = Cases("floods")

BUFFER = 4_096
READ_SECONDS = 120
CALLS = 1_000
# Beyond the heap that the service already has, for a flood of some megabytes.
ALLOWED_HEAP = 32 << 20


@cases.add("1000-held-calls")
def _(arena: Arena) -> None:
    """Excess calls get `overloaded` on the connection that causes them, and on no other."""
    gate = "one connection"
    with arena.legitimate() as legit:
        attacker = arena.connect(first=wire.PREAMBLE + b"".join(wire.request("hold", wire.text(gate), number) for number in range(1, CALLS + 1)))
        arena.wait("calls are held", lambda: arena.service.held(gate) > 0)
        arena.wait_read([attacker])
        legit.go_on(40)
        if arena.service.held(gate) == 0:
            raise Failure("the attack was over before others were served")
        arena.service.open(gate)
        stream = wire.Stream(attacker, READ_SECONDS)
        stream.preamble()
        told = Counter(answer.error or answer.kind for answer in answers(stream, CALLS).values())
        if set(told) - {wire.RESPONSE, "overloaded"} or not told[wire.RESPONSE]:
            raise Failure(f"the held calls were answered: {dict(told)}")
        legit.go_on(5)


@cases.add("100000-held-calls")
def _(arena: Arena) -> None:
    """Far more calls than any limit, while the answers are read."""
    gate, calls = "one connection, much more", 100_000
    with arena.legitimate() as legit:
        attacker = arena.connect()
        told: Counter[object] = Counter()
        reader = Reader(attacker, told)
        reader.start()
        attacker.settimeout(READ_SECONDS)
        attacker.sendall(wire.PREAMBLE)
        for begin in range(1, calls, 1_000):
            attacker.sendall(b"".join(wire.request("hold", wire.text(gate), number) for number in range(begin, begin + 1_000)))
        arena.wait("calls are held", lambda: arena.service.held(gate) > 0)
        arena.wait_read([attacker])
        legit.go_on(40)
        arena.service.open(gate)
        arena.wait("every call is answered", lambda: sum(told.values()) == calls)
        arena.drop(attacker)
        reader.join()
        if set(told) - {wire.RESPONSE, "overloaded"}:
            raise Failure(f"the held calls were answered: {dict(told)}")


class Reader(threading.Thread):
    """Reads the answers of an attacker, and counts them by their kind or their error."""

    def __init__(self, connection: socket.socket, told: Counter[object]) -> None:
        super().__init__(daemon=True)
        self.stream = wire.Stream(connection, READ_SECONDS)
        self.told = told

    def run(self) -> None:
        try:
            self.stream.preamble()
            while True:
                answer = self.stream.frame()
                self.told[answer.error or answer.kind] += 1
        except (wire.Closed, OSError):
            return


@cases.add("held-calls-over-http")
def _(arena: Arena) -> None:
    """Connections of one address that hold calls: others are served as long as not all places are taken."""
    gate = "http"
    with arena.legitimate() as legit:
        attackers = [arena.connect("http", wire.http("hold", {"gate": gate})) for _ in range(48)]
        arena.wait("calls are held", lambda: arena.service.held(gate) == 48)
        legit.go_on(40)
        arena.service.open(gate)
        for attacker in attackers:
            if (status := wire.Stream(attacker, READ_SECONDS).response().status) != 204:
                raise Failure(f"a held call was answered by {status}")


@cases.add("calls-that-turn-slow")
def _(arena: Arena) -> None:
    """A method that was quick for ten thousand calls lasts all at once."""
    gate = "was quick"
    arena.service.open("quick")
    with arena.legitimate() as legit:
        quick = arena.connect(first=wire.PREAMBLE)
        stream = wire.Stream(quick, READ_SECONDS)
        for begin in range(0, 10_000, 100):
            quick.sendall(b"".join(wire.request("hold", wire.text("quick"), number) for number in range(begin + 1, begin + 101)))
            if begin == 0:
                stream.preamble()
            for _ in range(100):
                if (answer := stream.answer()).kind != wire.RESPONSE:
                    raise Failure(f"a quick call was answered by {answer.error}")
        attackers = [arena.connect(first=wire.PREAMBLE + wire.request("hold", wire.text(gate))) for _ in range(16)]
        attackers += [arena.connect("http", wire.http("hold", {"gate": gate})) for _ in range(16)]
        arena.wait("calls are held", lambda: arena.service.held(gate) == 32)
        legit.go_on(40)
        # Their connections are read all the same.
        attackers[0].sendall(wire.frame(wire.PING, 0, 77))
        its = wire.Stream(attackers[0], READ_SECONDS)
        its.preamble()
        if (pong := its.frame()).kind != wire.PONG or pong.call != 77:
            raise Failure(f"a ping was answered by kind {pong.kind}")
        arena.service.open(gate)


def flood(arena: Arena, block: bytes, blocks: int) -> None:
    """Sends a block again and again, and reads whatever comes; until the service ends the connection, if it does."""
    with arena.legitimate() as legit:
        before = arena.service.used_heap()
        attacker = arena.connect(first=wire.PREAMBLE)
        told: Counter[object] = Counter()
        reader = Reader(attacker, told)
        reader.start()
        attacker.settimeout(READ_SECONDS)
        sent = 0
        try:
            for sent in range(1, blocks + 1):
                attacker.sendall(block)
                if sent == blocks // 2:
                    legit.go_on(20)
        except (ConnectionResetError, BrokenPipeError):
            pass
        legit.go_on(20)
        arena.wait_heap(before, ALLOWED_HEAP, f"after {sent} blocks, the heap is what it was")


def greedy(arena: Arena, port: str, kinds: Sequence[str], calls: int) -> None:
    """A client that sends many calls at once and reads their large answers as fast as it can: it gets all of them, and others are served in between."""
    size, calls = 3_000_000, 200 if arena.long else calls
    with arena.legitimate(kinds) as legit:
        attacker = arena.connect(port)
        if port == "tls":
            attacker = arena.secure(attacker)
        attacker.settimeout(READ_SECONDS)
        attacker.sendall(wire.PREAMBLE + b"".join(wire.request("blob", wire.i32(size), number) for number in range(1, calls + 1)))
        until, wanted = time.monotonic() + READ_SECONDS, calls * size
        while wanted > 0:
            legit.check()
            got = len(attacker.recv(1 << 20))
            wanted -= got
            if not got or time.monotonic() > until:
                raise Failure(f"{wanted} bytes of answers did not come")
        legit.go_on(5)


@cases.add("large-answers-read-over-tcp")
def _(arena: Arena) -> None:
    # Together the answers are larger than the budget of memory.
    greedy(arena, "tcp", PLAIN, 60)


@cases.add("large-answers-read-over-tls", Options(tls=True, heap="1g"))
def _(arena: Arena) -> None:
    greedy(arena, "tls", SECURE, 15)


@cases.add("pings")
def _(arena: Arena) -> None:
    flood(arena, b"".join(wire.frame(wire.PING, 0, number) for number in range(5_000)), 200)


@cases.add("cancels", long=True)
def _(arena: Arena) -> None:
    flood(arena, b"".join(wire.frame(wire.CANCEL, 0, number + 1) for number in range(5_000)), 200)


@cases.add("calls-and-cancels")
def _(arena: Arena) -> None:
    one = wire.request("echo", wire.text("hi")) + wire.frame(wire.CANCEL, 0, 1)
    two = wire.request("hold", wire.text("cancelled"), 2) + wire.frame(wire.CANCEL, 0, 2)
    # An id is used again only when its call has been answered, which a cancelled call may not have been yet.
    calls = b"".join((one if number % 2 else two)[:6] + struct.pack(">I", number) + (one if number % 2 else two)[10:-4] + struct.pack(">I", number) for number in range(1, 20_001))
    flood(arena, calls, 1)
    arena.wait("cancelled calls have ended", lambda: arena.service.held("cancelled") == 0)


@cases.add("unknown-methods", long=True)
def _(arena: Arena) -> None:
    flood(arena, wire.frame(wire.REQUEST, 0, 7, b"\0" * 12) * 500, 200)


@cases.add("oneway-calls")
def _(arena: Arena) -> None:
    """Each is executed or dropped; none is answered, but an ordinary call after them is."""
    with arena.legitimate() as legit:
        attacker = arena.connect(first=wire.PREAMBLE)
        attacker.settimeout(READ_SECONDS)
        attacker.sendall(b"".join(wire.request("note", wire.text("#oneway:"), number) for number in range(1, 100_001)))
        legit.go_on(20)
        attacker.sendall(wire.request("echo", wire.text("behind"), 100_001))
        stream = wire.Stream(attacker, READ_SECONDS)
        stream.preamble()
        answer = stream.answer()
        if answer.call != 100_001 or answer.kind != wire.RESPONSE and answer.error != "overloaded":
            raise Failure(f"call {answer.call} was answered by kind {answer.kind} {answer.error}")
        heard = arena.service.heard("oneway")
        if not 0 < heard <= 100_000:
            raise Failure(f"{heard} of 100000 oneway calls were executed")


def unread(arena: Arena, block: bytes, blocks: int) -> None:
    """The same without reading: the service stops to read, and holds little of it."""
    with arena.legitimate() as legit:
        before = arena.service.used_heap()
        attacker = arena.connect(first=wire.PREAMBLE, buffer=BUFFER)
        sent = send_until_full(attacker, block * blocks)
        legit.go_on(40)
        arena.wait_heap(before, ALLOWED_HEAP, f"of {sent} bytes that ask and are not read, the heap holds little")
        if sent == len(block) * blocks and arena.server_side([attacker])[:1] and arena.server_side([attacker])[0].unsent == 0:
            raise Failure("the service was not kept from sending: no attack")
        legit.go_on(5)


@cases.add("pings-unread", long=True)
def _(arena: Arena) -> None:
    # Of pings that come together, one pong is enough: few bytes come back.
    with arena.legitimate() as legit:
        before = arena.service.used_heap()
        attacker = arena.connect(first=wire.PREAMBLE, buffer=BUFFER)
        for _ in range(4):
            send_until_full(attacker, b"".join(wire.frame(wire.PING, 0, number) for number in range(5_000)) * 100)
            legit.go_on(10)
        arena.wait_heap(before, ALLOWED_HEAP, "of two million pings whose pongs are not read, the heap holds little")


@cases.add("unknown-methods-unread", long=True)
def _(arena: Arena) -> None:
    unread(arena, wire.frame(wire.REQUEST, 0, 7, b"\0" * 12) * 500, 1_000)


@cases.add("overloaded-unread")
def _(arena: Arena) -> None:
    """Errors are answers, too: those of a client that does not read them do not pile up."""
    gate = "overloaded unread"
    with arena.legitimate() as legit:
        before = arena.service.used_heap()
        attacker = arena.connect(first=wire.PREAMBLE, buffer=BUFFER)
        data = b"".join(wire.request("hold", wire.text(gate), number) for number in range(1, 400_001))
        send_until_full(attacker, data)
        legit.go_on(40)
        arena.wait_heap(before, ALLOWED_HEAP, "of 400,000 calls whose refusals are not read, the heap holds little")
        arena.service.open(gate)
        legit.go_on(5)


@cases.add("unfinished-chains")
def _(arena: Arena) -> None:
    """1,000 connections with a chain that does not go on."""
    with arena.legitimate() as legit:
        before = arena.service.used_heap()
        chain = wire.PREAMBLE + wire.request("echo", wire.count(10_000) + b"x" * 1_000, flags=wire.MORE)
        attackers = [arena.connect(first=chain) for _ in range(1_000)]
        arena.wait_read(attackers)
        legit.go_on(40)
        open_ = sum(each.state == kernel.ESTABLISHED for each in arena.server_side(attackers))
        if open_ < 1_000:
            raise Failure(f"only {open_} of 1000 chains are open: no attack")
        arena.wait_heap(before, 1_000 * (10_000 + 65_536), "unfinished chains of a kilobyte hold little")


@cases.add("empty-data-frames")
def _(arena: Arena) -> None:
    """A chain of frames without bytes, as long as the service takes it."""
    with arena.legitimate() as legit:
        attacker = arena.connect(first=wire.PREAMBLE + wire.request("echo", b"", flags=wire.MORE))
        block = wire.frame(wire.DATA, wire.MORE, 1) * 2_000
        attacker.settimeout(READ_SECONDS)
        try:
            for number in range(1_000):
                attacker.sendall(block)
                if number % 250 == 249:
                    legit.go_on(10)
        except (ConnectionResetError, BrokenPipeError):
            pass  # Refused, which is as well.
        legit.go_on(10)


@cases.add("cancelled-chains")
def _(arena: Arena) -> None:
    """Chains that are begun and cancelled, each answered once with `cancelled` or not at all."""
    one = wire.request("echo", wire.count(100_000) + b"x" * 1_000, flags=wire.MORE) + wire.frame(wire.CANCEL, 0, 1)
    with arena.legitimate() as legit:
        attacker = arena.connect(first=wire.PREAMBLE)
        told: Counter[object] = Counter()
        reader = Reader(attacker, told)
        reader.start()
        for _ in range(100):
            attacker.sendall(one * 100)
        legit.go_on(20)
        attacker.sendall(wire.request("echo", wire.text("behind"), 2))
        arena.wait("a call behind cancelled chains is answered", lambda: told[wire.RESPONSE] == 1)
        arena.drop(attacker)
        reader.join()
        if set(told) - {wire.RESPONSE, "cancelled"} or told["cancelled"] > 10_000:
            raise Failure(f"the service said {dict(told)}")


def refused(arena: Arena, data: bytes, errors: set[str], *, ends: bool) -> None:
    """The first answer is one of these errors; then the connection ends, or serves the next call."""
    attacker = arena.connect(first=wire.PREAMBLE + data)
    stream = wire.Stream(attacker, 20)
    stream.preamble()
    answer = stream.answer()
    if answer.error not in errors:
        raise Failure(f"answered by kind {answer.kind} {answer.error} {answer.rest[:200]!r}, not by {sorted(errors)}")
    if ends:
        stream.rest()
    else:
        attacker.sendall(wire.request("echo", wire.text("next"), 2))
        if (after := stream.answer()).rest != wire.text("next"):
            raise Failure(f"the next call was answered by kind {after.kind} {after.error}")
    arena.drop(attacker)


@cases.add("broken-frames")
def _(arena: Arena) -> None:
    """What breaks the frames of a connection, or claims much and sends little."""
    malformed = {"malformed"}
    chain = wire.request("echo", wire.count(100), flags=wire.MORE)
    with arena.legitimate() as legit:
        before = arena.service.used_heap()
        gate = "twice"
        broken: dict[str, bytes] = {
            "interleaved-chains": chain + wire.request("echo", wire.count(100), 2, flags=wire.MORE),
            "request-within-chain": chain + wire.request("echo", wire.text("a"), 2),
            "data-of-another-call": chain + wire.frame(wire.DATA, 0, 2, b"x"),
            "data-alone": wire.frame(wire.DATA, 0, 1, b"x"),
            "call-id-0": wire.request("echo", wire.text("a"), 0),
            "call-id-twice": wire.request("hold", wire.text(gate), 5) + wire.request("echo", wire.text("x"), 5),
            "kind-0": wire.frame(0, 0, 1),
            "kind-255": wire.frame(255, 0, 1),
            "response": wire.frame(wire.RESPONSE, 0, 1, b"\0"),
            "goaway": wire.frame(wire.GOAWAY, 0, 0),
            "flag-undefined": wire.request("echo", wire.text("a"), flags=0x80),
            "ping-with-bytes": wire.frame(wire.PING, 0, 1, b"x"),
            "ping-with-flag": wire.frame(wire.PING, 1, 1),
            "length-0": b"\0\0\0\0" + b"\1" * 20,
            "length-5": b"\0\0\0\5\1\0\0\0\1" + b"\1" * 20,
            "request-without-method": wire.frame(wire.REQUEST, 0, 1, b"\0" * 4),
        }
        for name, data in broken.items():
            arena.part(name, lambda data=data: refused(arena, data, malformed, ends=True))
        for length in (2**31, 2**32 - 1):
            data = struct.pack(">IBBI", length, wire.REQUEST, 0, 1) + wire.head("size")
            arena.part(f"length-{length}", lambda data=data: refused(arena, data, malformed | {"too-large"}, ends=True))
        claims: dict[str, bytes] = {
            "text-of-2^31-1": wire.request("echo", wire.count(2**31 - 1)),
            "text-of-2^27": wire.request("echo", wire.count(2**27)),
            "bytes-of-2^31-1": wire.request("size", wire.count(2**31 - 1)),
            "doubles-of-2^27": wire.request("sum", wire.count(2**27)),
            "nothings-of-2^31-1": wire.request("nothings", wire.count(2**31 - 1)),
            "nothings-of-2^27": wire.request("nothings", wire.count(2**27)),
            "readings-of-2^27": wire.request("readings", wire.count(2**27) + b"x" * 50),
            "maps-of-2^27": wire.request("maps", wire.count(2**27) + b"\0" * 50),
            "count-of-six-bytes": wire.request("echo", b"\x80\x80\x80\x80\x80\x01"),
        }
        for name, data in claims.items():
            arena.part(name, lambda data=data: refused(arena, data, malformed | {"too-large"}, ends=False))
        legit.go_on(20)
        arena.service.open(gate)
        arena.wait_heap(before, ALLOWED_HEAP, "after claims of gigabytes, the heap is what it was")


@cases.add("claims-that-hold")
def _(arena: Arena) -> None:
    """500 connections that claim 100 MB each and send little: memory follows what has arrived (LIM-3)."""
    with arena.legitimate() as legit:
        before = arena.service.used_heap()
        claim = struct.pack(">IBBI", 100_000_016, wire.REQUEST, 0, 1) + wire.head("size") + wire.count(99_999_998)
        tcp = [arena.connect(first=wire.PREAMBLE + claim + b"x" * 100) for _ in range(200)]
        body = wire.http_head("size", b"Content-Length: 100000000\r\n\r\n") + b'{"bytes":"'
        http = [arena.connect("http", body + b"A" * 100) for _ in range(200)]
        arena.wait_read(tcp)
        arena.wait_read(http, "http")
        legit.go_on(40)
        # What may be taken for a claim, with some for the connections themselves.
        arena.wait_heap(before, 400 * ((1 << 20) + 65_536), "claims of 40 GB hold what trustedAllocation allows")
