"""Clients that send half of what they began, or a byte now and then. Each is closed by its time limit, which the service has set short."""

from __future__ import annotations

import socket
import struct
from collections.abc import Sequence

import wire
from harness import ATTACKER, Arena, Cases, address
from service import PLAIN, SECURE, Options

cases = Cases("slow")

# Milliseconds, far below the 60 seconds after which a case gives up, and different from each other.
LIMITS = Options(limits=(("preambleTimeout", 1_500), ("frameTimeout", 2_000), ("idleTimeout", 3_000)))
TLS = Options(tls=True, limits=LIMITS.limits)
HELD = "slow"

# What each sends first, and then again and again.
Forms = dict[str, tuple[bytes, bytes]]


def tcp() -> Forms:
    chain = wire.PREAMBLE + wire.request("echo", wire.count(100_000), flags=wire.MORE)
    claim = struct.pack(">IBBI", 100_000_016, wire.REQUEST, 0, 1) + wire.head("size") + wire.count(99_999_998) + b"x" * 100
    return {
        "silent": (b"", b""),
        "half-preamble": (wire.PREAMBLE[:5], b""),
        "idle": (wire.PREAMBLE, b""),
        "idle-after-a-call": (wire.PREAMBLE + wire.request("echo", wire.text("a")), b""),
        "half-length": (wire.PREAMBLE + b"\0\0", b""),
        "half-frame": (wire.PREAMBLE + wire.request("echo", wire.text("x" * 100))[:-3], b""),
        "half-chain": (chain, b""),
        "dripped-preamble": (b"C", b"R"),
        "dripped-data": (chain, wire.frame(wire.DATA, wire.MORE, 1, b"x")),
        "dripped-empty-data": (chain, wire.frame(wire.DATA, wire.MORE, 1)),
        "pings-within-a-chain": (chain, wire.frame(wire.PING, 0, 9)),
        "pings-alone": (wire.PREAMBLE, wire.frame(wire.PING, 0, 9)),
        "claimed-frame": (wire.PREAMBLE + claim, b""),
    }


BODY = wire.http_head("echo", b"Content-Length: 100000\r\n\r\n") + b'{"text":"'
CHUNKED = wire.http_head("echo", b"Transfer-Encoding: chunked\r\n\r\n") + b'9\r\n{"text":"\r\n'
HTTP: Forms = {
    "silent": (b"", b""),
    "half-line": (b"POST /Vic", b""),
    "half-headers": (wire.http_head("echo", b"A: "), b""),
    "half-body": (BODY, b""),
    "half-chunk": (CHUNKED + b"1000\r\nabc", b""),
    "no-last-chunk": (CHUNKED, b""),
    "half-trailers": (CHUNKED + b'2\r\n"}\r\n0\r\nA: ', b""),
    "idle-after-a-call": (wire.http("echo", {"text": "a"}), b""),
    "dripped-line": (b"POST /", b"x"),
    "dripped-headers": (wire.http_head("echo", b""), b"A: b\r\n"),
    "dripped-body": (BODY, b"x"),
    "dripped-chunks": (CHUNKED, b"1\r\nx\r\n"),
    "dripped-empty-lines": (b"", b"\r\n"),
}


def forms(arena: Arena, port: str, table: Forms, copies: int = 1, kinds: Sequence[str] = PLAIN) -> None:
    """Each form on this many connections, which the service closes; with TLS if the port uses TLS."""
    with arena.legitimate(kinds) as legit:
        connections, drips = {}, {}
        for copy in range(copies):
            for name, (first, more) in table.items():
                source = ATTACKER if copies == 1 else address(copy // 50)
                if port in ("tls", "https"):
                    connection: socket.socket = arena.secure(arena.connect(port, source=source))
                    if first:
                        connection.sendall(first)
                else:
                    connection = arena.connect(port, first, source=source)
                connections[f"{name} {copy}"] = connection
                drips[f"{name} {copy}"] = more
        arena.wait_closed(connections, drips)
        legit.go_on(20)


@cases.add("tcp-forms", LIMITS)
def _(arena: Arena) -> None:
    forms(arena, "tcp", tcp())


@cases.add("http-forms", LIMITS)
def _(arena: Arena) -> None:
    forms(arena, "http", HTTP)


@cases.add("tls-forms", TLS)
def _(arena: Arena) -> None:
    forms(arena, "tls", tcp(), kinds=SECURE)


@cases.add("https-forms", TLS)
def _(arena: Arena) -> None:
    forms(arena, "https", HTTP, kinds=SECURE)


@cases.add("tcp-1000-of-each", LIMITS, long=True)
def _(arena: Arena) -> None:
    every = tcp()
    forms(arena, "tcp", {name: every[name] for name in ("half-preamble", "half-frame", "half-chain", "dripped-data")}, 1_000)


@cases.add("http-1000-of-each", LIMITS, long=True)
def _(arena: Arena) -> None:
    forms(arena, "http", {name: HTTP[name] for name in ("half-headers", "half-body", "dripped-headers", "dripped-body")}, 1_000)


@cases.add("held-calls-are-not-idle", LIMITS, long=True)
def _(arena: Arena) -> None:
    """A connection whose calls take longer than the time limits of idle connections and of frames is no slow one."""
    with arena.legitimate() as legit:
        first = wire.request("hold", wire.text(HELD), 1) + wire.request("hold", wire.text(HELD), 2)
        patient = arena.connect(first=wire.PREAMBLE + first)
        patient_http = arena.connect("http", wire.http("hold", {"gate": HELD}))
        arena.wait("calls are held", lambda: arena.service.held(HELD) == 3)
        # An idle connection that came later is closed: the time of those that are held is over by then.
        idle = arena.connect(first=wire.PREAMBLE)
        arena.wait_closed({"idle": idle})
        legit.go_on(10)
        arena.service.open(HELD)
        stream = wire.Stream(patient, 60)
        stream.preamble()
        assert {stream.answer().call, stream.answer().call} == {1, 2}
        assert wire.Stream(patient_http, 60).response().status in (200, 204)
