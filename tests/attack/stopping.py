"""The stop signal under load and attack: running calls are answered, later ones are refused, and the process ends."""

from __future__ import annotations

import json
import socket
import threading
from collections import Counter

import wire
from harness import Arena, Cases
from service import STOP_SECONDS, Failure, Options

cases = Cases("stopping")

# Each case stops its service, so each starts one.
DRAIN = Options(limits=(("drainTime", 5_000),))
SIGNALLED = 143
GATE = "until-stopped"
SECONDS = 60
CALLERS = 16


def stop(arena: Arena) -> None:
    if (code := arena.service.stop()) != SIGNALLED:
        raise Failure(f"the service ended with {code}")


@cases.add("held-calls-are-answered", DRAIN)
def _(arena: Arena) -> None:
    """The gate of these calls opens when the service has begun to stop."""
    tcp = arena.connect(first=wire.PREAMBLE + b"".join(wire.request("hold", wire.text(GATE), number) for number in range(1, 9)))
    http = [arena.connect("http", wire.http("hold", {"gate": GATE})) for _ in range(8)]
    arena.wait("calls are held", lambda: arena.service.held(GATE) == 16)
    stop(arena)
    stream = wire.Stream(tcp, SECONDS)
    stream.preamble()
    goaway, answered = False, set()
    try:
        while True:
            frame = stream.frame()
            goaway |= frame.kind == wire.GOAWAY
            if frame.kind == wire.RESPONSE:
                answered.add(frame.call)
            elif frame.kind != wire.GOAWAY:
                raise Failure(f"call {frame.call} was answered by kind {frame.kind} {frame.error}")
    except wire.Closed:
        pass
    if answered != set(range(1, 9)) or not goaway:
        raise Failure(f"answered are {sorted(answered)}, and {'a' if goaway else 'no'} goaway came")
    for each in http:
        if (status := wire.Stream(each, SECONDS).response().status) != 204:
            raise Failure(f"a held call over HTTP was answered by {status}")


class Caller(threading.Thread):
    """Calls until it is refused. Each of its calls has its answer, or is refused, or its connection ends before a byte of an answer."""

    def __init__(self, arena: Arena, number: int) -> None:
        super().__init__(daemon=True)
        self.arena = arena
        self.port = ("tcp", "http")[number % 2]
        self.kept = number % 4 < 2
        self.number = number
        self.calls = 0
        self.end = ""
        self.wrong = ""

    def run(self) -> None:
        stream: wire.Stream | None = None
        greeted = False
        try:
            while not self.end:
                if stream is None:
                    try:
                        stream = wire.Stream(socket.create_connection(("127.0.0.1", self.arena.service.ports[self.port]), timeout=SECONDS), SECONDS)
                    except OSError:
                        self.end = "refused a connection"
                        return
                    greeted = False
                stream.renew(SECONDS)
                text = f"{self.number} {self.calls} " + "x" * 5_000
                try:
                    if self.port == "tcp":
                        stream.connection.sendall((b"" if greeted else wire.PREAMBLE) + wire.request("echo", wire.text(text), self.calls + 1))
                        if not greeted:
                            stream.preamble()
                            greeted = True
                        answer = stream.answer()
                        if answer.error == "unavailable":
                            self.end = "unavailable"
                        elif answer.rest != wire.text(text):
                            self.wrong = f"answered by kind {answer.kind} {answer.error} {answer.rest[:100]!r}"
                            return
                    else:
                        stream.connection.sendall(wire.http("echo", {"text": text}, kept=self.kept))
                        response = stream.response()
                        if response.status == 503:
                            self.end = "unavailable"
                        elif response.status != 200 or json.loads(response.body) != text:
                            self.wrong = f"answered by {response.status} {response.body[:100]!r}"
                            return
                        elif response.headers.get("connection", "").lower() == "close" and self.kept:
                            stream.connection.close()
                            stream = None
                            self.calls += 1
                            continue
                except (wire.Closed, ConnectionResetError, BrokenPipeError):
                    if stream.buffer:
                        self.wrong = f"the connection ended within an answer: {bytes(stream.buffer[:60])!r}"
                        return
                    # A service that stops may end a connection while a call is on its way to it.
                    stream.connection.close()
                    stream = None
                    continue
                self.calls += 1
                if not self.kept:
                    stream.connection.close()
                    stream = None
        except (TimeoutError, AssertionError, ValueError) as error:
            self.wrong = f"{type(error).__name__}: {error}"
        finally:
            if stream is not None:
                stream.connection.close()


@cases.add("under-load", DRAIN)
def _(arena: Arena) -> None:
    callers = [Caller(arena, number) for number in range(CALLERS)]
    for caller in callers:
        caller.start()
    arena.wait("all call", lambda: all(caller.calls > 20 or caller.wrong for caller in callers))
    stop(arena)
    for caller in callers:
        caller.join(SECONDS + 5)
    wrong = [f"{caller.port} {caller.wrong or 'has not ended'}" for caller in callers if caller.wrong or not caller.end]
    if wrong:
        raise Failure(f"{len(wrong)} of {CALLERS} callers were wronged: {'; '.join(wrong[:3])}")
    print(f"   {dict(Counter(caller.end for caller in callers))}, {sum(caller.calls for caller in callers)} calls", flush=True)


@cases.add("under-attack", Options(heap="1g", limits=(("drainTime", 3_000),)), long=True)
def _(arena: Arena) -> None:
    """Clients that do not read, calls that never end, half requests, and idle connections keep it no longer than its drain time."""
    unread = [arena.connect(first=wire.PREAMBLE + wire.request("blob", wire.i32(7_000_000)), buffer=4_096) for _ in range(8)]
    unread_http = [arena.connect("http", wire.http("blob", {"size": 5_000_000}), buffer=4_096) for _ in range(8)]
    arena.connect(first=wire.PREAMBLE + b"".join(wire.request("hold", wire.text("for ever"), number) for number in range(1, 9)))
    arena.connect("http", wire.http("hold", {"gate": "for ever"}))
    for first in (b"", wire.PREAMBLE[:3], wire.PREAMBLE, wire.PREAMBLE + wire.request("echo", wire.count(1_000), flags=wire.MORE)):
        arena.connect(first=first)
    for first in (b"", b"POST /", wire.http_head("echo", b"Content-Length: 100\r\n\r\n{"), wire.http("echo", {"text": "a"})):
        arena.connect("http", first)
    arena.wait("calls are held", lambda: arena.service.held("for ever") == 9)
    arena.wait_stalled(unread, 7_000_000)
    arena.wait_stalled(unread_http, 5_000_000, "http")
    # The patience for this is far above the drain time, and far below the time of the held calls.
    assert STOP_SECONDS < 120
    stop(arena)


@cases.add("twice", Options(limits=(("drainTime", 5_001),)), long=True)
def _(arena: Arena) -> None:
    """A second signal while it stops changes nothing: what was begun is answered."""
    tcp = arena.connect(first=wire.PREAMBLE + wire.request("hold", wire.text(GATE)))
    arena.wait("the call is held", lambda: arena.service.held(GATE) == 1)
    arena.service.process.terminate()
    stop(arena)
    stream = wire.Stream(tcp, SECONDS)
    stream.preamble()
    if (answer := stream.answer()).kind != wire.RESPONSE:
        raise Failure(f"the held call was answered by kind {answer.kind} {answer.error}")
