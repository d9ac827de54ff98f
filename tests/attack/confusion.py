"""Other protocols than the port's, complete or partial. Each gets an error or is closed, and supported ones are served."""

from __future__ import annotations

import random
import socket

import wire
from harness import Arena, Cases
from secure import client_hello
from service import Failure, Options

cases = Cases("confusion")

SECONDS = 60


def said(arena: Arena, port: str, data: bytes) -> bytes:
    """All that a service says to these bytes until it ends the connection, as it must when nothing more comes."""
    connection = arena.connect(port)
    try:
        connection.sendall(data)
        connection.shutdown(socket.SHUT_WR)
    except OSError:
        pass  # Closed before all of it was sent.
    try:
        return wire.Stream(connection, SECONDS).rest()
    except TimeoutError:
        raise Failure("the connection stays open") from None
    finally:
        connection.close()


def mismatch(answer: bytes) -> bool:
    """Nothing, an error frame after the preamble, or an HTTP response that refuses."""
    if not answer or answer.startswith((b"HTTP/1.1 400 ", b"HTTP/1.1 501 ", b"HTTP/1.1 505 ", b"HTTP/1.1 404 ", b"HTTP/1.1 405 ", b"HTTP/1.1 414 ")):
        return True
    return answer.startswith(b"CREO\x01") and (len(answer) == 8 or answer[12] == wire.ERROR and wire.ERRORS[answer[18]] in ("protocol-mismatch", "malformed"))


def strangers() -> dict[str, bytes]:
    return {
        "tls": client_hello(),
        "tls-alert": b"\x15\x03\x03\x00\x02\x02\x28",
        "ssl-2": b"\x80\x2e\x01\x00\x02\x00\x15\x00\x00\x00\x10" + b"\1" * 40,
        "ssh": b"SSH-2.0-OpenSSH_9.6\r\n",
        "smtp": b"EHLO localhost\r\n",
        "redis": b"*1\r\n$4\r\nPING\r\n",
        "giop": b"GIOP\x01\x02\x00\x00\x00\x00\x00\x10" + b"\0" * 16,
        "remote-desktop": b"\x03\x00\x00\x13\x0e\xe0" + b"\0" * 13,
        "java-rmi": b"JRMI\x00\x02\x4b",
        "java-object": b"\xac\xed\x00\x05sr\x00\x11java.util.HashMap",
        "proxy-protocol": b"PROXY TCP4 127.0.0.1 127.0.0.1 1 2\r\n" + wire.http("echo", {"text": "a"}),
        "socks": b"\x05\x01\x00",
        "zeros": b"\0" * 5_000,
        "ones": b"\xff" * 5_000,
        "one-zero": b"\0",
        "letters": b"A" * 200_000,
        "empty-lines": b"\r\n" * 5_000,
        "line-feeds": b"\n" * 5_000,
        "creo-alone": b"CREO",
        "creo-version-2": b"CREO\x02\x01\0\0",
        "creo-version-0": b"CREO\x00\x01\0\0",
        "creo-wire-7": b"CREO\x01\x01\x07\x00" + wire.request("echo", wire.text("a")),
        "creo-in-small-letters": b"creo\x01\x01\0\0",
        "cre-and-more": b"CREX\x01\x01\0\0",
        "a-method-that-begins-so": b"CREO /Victim/echo HTTP/1.1\r\nHost: x\r\n\r\n",
        "another-such-method": b"CREATE /Victim/echo HTTP/1.1\r\nHost: x\r\n\r\n",
        "connect": b"CONNECT localhost:1 HTTP/1.1\r\nHost: localhost:1\r\n\r\n",
        "response-of-http": b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n",
        "http-0.9": b"GET /Victim\r\n",
        "creo-within-headers": b"POST / HTTP/1.1\r\n" + wire.PREAMBLE + b"\r\n\r\n",
        "http-within-frames": wire.PREAMBLE + wire.http("echo", {"text": "a"}),
        "preamble-twice": wire.PREAMBLE + wire.PREAMBLE,
        "tls-within-frames": wire.PREAMBLE + client_hello(),
    }


def check(arena: Arena, port: str, data: bytes) -> None:
    answer = said(arena, port, data)
    if not mismatch(answer):
        raise Failure(f"the service says {answer[:120]!r}")


def add(name: str, port: str, options: Options) -> None:
    @cases.add(name, options)
    def _(arena: Arena) -> None:
        with arena.legitimate() as legit:
            for name, data in strangers().items():
                arena.part(name, lambda data=data: check(arena, port, data))
            legit.go_on(10)


add("strangers-to-one-port", "tcp", Options())
add("strangers-to-tcp", "tcp", Options(split=True))
add("strangers-to-http", "http", Options(split=True))


@cases.add("by-bytes")
def _(arena: Arena) -> None:
    """What begins as it should is served however it arrives."""
    with arena.legitimate() as legit:
        for port, data in (("tcp", wire.PREAMBLE + wire.request("echo", wire.text("a"))), ("http", wire.http("echo", {"text": "a"}))):
            connection = arena.connect(port)
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            for byte in data:
                connection.sendall(bytes([byte]))
            stream = wire.Stream(connection, SECONDS)
            if port == "tcp":
                stream.preamble()
                if stream.answer().rest != wire.text("a"):
                    raise Failure("a call by single bytes is not answered")
            elif stream.response().body != b'"a"':
                raise Failure("a request by single bytes is not answered")
        legit.go_on(5)


@cases.add("random-bytes")
def _(arena: Arena) -> None:
    dice = random.Random(20_261_126)
    with arena.legitimate() as legit:
        for number in range(5_000 if arena.long else 500):
            begin = dice.choice([b"", b"", wire.PREAMBLE, b"POST /Victim/echo HTTP/1.1\r\n", b"CR", b"\x16\x03"])
            # Whatever is said to it, it ends.
            said(arena, ("tcp", "http")[number % 2], begin + dice.randbytes(dice.choice([1, 8, 60, 2_000])))
        legit.go_on(10)
