"""TLS: handshakes that are not finished, garbage, hang-ups, and clients that do not read within it."""

from __future__ import annotations

import random
import socket
import ssl

import kernel
import wire
from harness import Arena, Cases, address
from hangups import in_batches
from service import PLAIN, SECURE, Failure, Options

cases = Cases("secure")

TLS = Options(tls=True, heap="1g")
SHORT_TIMES = Options(tls=True, limits=(("preambleTimeout", 2_000), ("frameTimeout", 3_000)))
PORTS = ("tls", "https")
BUFFER = 4_096


@cases.add("nothing-at-all", TLS, long=True)
def _(arena: Arena) -> None:
    """The legitimate client alone."""
    with arena.legitimate((*SECURE, *PLAIN)) as legit:
        legit.go_on(100)


def client_hello() -> bytes:
    """The first bytes of a client of TLS."""
    context = ssl.create_default_context()
    incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
    wrapped = context.wrap_bio(incoming, outgoing, server_hostname="localhost")
    try:
        wrapped.do_handshake()
    except ssl.SSLWantReadError:
        return outgoing.read()
    raise AssertionError("a handshake without a server")


@cases.add("500-half-handshakes", SHORT_TIMES, long=True)
def _(arena: Arena) -> None:
    """Incomplete handshakes are closed by the time limit of the preamble (LIM-14), however far they got."""
    hello = client_hello()
    forms = {
        "silent": b"",
        "one-byte": hello[:1],
        "half-record": hello[:100],
        "whole-hello": hello,
        "record-that-claims-16384": b"\x16\x03\x01\x40\x00\x01",
        "empty-fragment": b"\x16\x03\x01\x00\x04\x01\x00\x40\x00" + b"\x16\x03\x01\x00\x01\x00" * 3,
        "hello-by-bytes": b"".join(b"\x16\x03\x01\x00\x01" + hello[i : i + 1] for i in range(5, 60)),
    }
    with arena.legitimate(SECURE) as legit:
        for port in PORTS:
            connections = {f"{name} {number}": arena.connect(port, first) for number in range(500 // len(forms) // 2 + 1) for name, first in forms.items()}
            legit.go_on(10)
            arena.wait_closed(connections)
        legit.go_on(10)


@cases.add("silent-after-handshake", SHORT_TIMES, long=True)
def _(arena: Arena) -> None:
    """A finished handshake and nothing more, or half of a request: closed as without TLS."""
    with arena.legitimate(SECURE) as legit:
        for port, half in (("tls", wire.PREAMBLE[:5]), ("https", b"POST /Vic")):
            connections: dict[str, socket.socket] = {}
            for number in range(40):
                connection = arena.secure(arena.connect(port))
                if number % 2:
                    connection.sendall(half)
                connections[f"{port} {number}"] = connection
            legit.go_on(10)
            arena.wait_closed(connections)


@cases.add("dripped-handshakes", SHORT_TIMES, long=True)
def _(arena: Arena) -> None:
    hello = client_hello()
    with arena.legitimate(SECURE) as legit:
        connections = {f"{port} {number}": arena.connect(port, hello[:5]) for port in PORTS for number in range(25)}
        arena.wait_closed(connections, dict.fromkeys(connections, b"\1"))
        legit.go_on(10)


def sealed(connection: socket.socket, arena: Arena, data: bytes) -> bytes:
    """Finishes a handshake, and returns the records of TLS that say this."""
    context = ssl.create_default_context(cafile=str(arena.service.build.certificate))
    incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
    wrapped = context.wrap_bio(incoming, outgoing, server_hostname="localhost")
    while True:
        try:
            wrapped.do_handshake()
            break
        except ssl.SSLWantReadError:
            connection.sendall(outgoing.read())
            if not (got := connection.recv(1 << 16)):
                raise Failure("the service ends a handshake") from None
            incoming.write(got)
    connection.sendall(outgoing.read())
    wrapped.write(data)
    return outgoing.read()


@cases.add("dripped-records", SHORT_TIMES)
def _(arena: Arena) -> None:
    """A record of TLS that comes by single bytes, after a finished handshake."""
    with arena.legitimate(SECURE) as legit:
        connections: dict[str, socket.socket] = {}
        drips: dict[str, bytes] = {}
        for port in PORTS:
            call = wire.PREAMBLE + wire.request("echo", wire.text("x" * 10_000)) if port == "tls" else wire.http("echo", {"text": "x" * 10_000})
            for number in range(25):
                connection = arena.connect(port)
                records = sealed(connection, arena, call)
                connection.sendall(records[: 5 + number])
                connections[f"{port} {number}"] = connection
                # As good as the record's own bytes: it is read when it is whole.
                drips[f"{port} {number}"] = records[5 + number : 6 + number]
        arena.wait_closed(connections, drips)
        legit.go_on(10)


@cases.add("garbage", TLS, long=True)
def _(arena: Arena) -> None:
    """Bytes that are not TLS, changed hellos, and hellos followed by other bytes: each connection ends when its client has sent everything."""
    dice = random.Random(20_261_125)
    hello = client_hello()
    forms = [bytes(dice.randrange(256) for _ in range(dice.randrange(1, 400))) for _ in range(100)]
    forms += [b"\x16\x03" + bytes(dice.randrange(256) for _ in range(dice.randrange(1, 400))) for _ in range(100)]
    for _ in range(400):
        changed = bytearray(hello)
        for _ in range(dice.choice([1, 1, 2, 5])):
            changed[dice.randrange(len(changed))] = dice.randrange(256)
        forms.append(bytes(changed[: dice.choice([len(changed), dice.randrange(1, len(changed))])]))
    forms += [hello + bytes(dice.randrange(256) for _ in range(200)) for _ in range(50)]
    forms += [hello + hello, wire.PREAMBLE, b"GET / HTTP/1.1\r\nHost: x\r\n\r\n", b"\x15\x03\x03\x00\x02\x02\x28", b"\x16\x03\x01\xff\xff" + b"\0" * 65_535]
    with arena.legitimate(SECURE) as legit:
        for port in PORTS:
            connections = {}
            for number, form in enumerate(forms):
                connection = arena.connect(port)
                try:
                    connection.sendall(form)
                    connection.shutdown(socket.SHUT_WR)
                except OSError:
                    pass  # Closed before all of it was sent.
                connections[f"form {number}"] = connection
            arena.wait_closed(connections)
            legit.go_on(10)
            arena.connections.close()


@cases.add("hang-ups-within-handshakes", TLS)
def _(arena: Arena) -> None:
    hello = client_hello()
    for port in PORTS:
        in_batches(arena, port, hello, 5_000 if arena.long else 500)
        in_batches(arena, port, hello[:60], 5_000 if arena.long else 500)


@cases.add("hang-ups-without-a-close", TLS, long=True)
def _(arena: Arena) -> None:
    """Clients of finished handshakes that hang up without saying so in TLS, some within a frame or a request."""
    before = kernel.open_files(arena.service.pid)
    with arena.legitimate(SECURE) as legit:
        for number in range(200):
            port = PORTS[number % 2]
            secure = arena.secure(arena.connect(port))
            secure.sendall((wire.PREAMBLE + b"\0\0" if port == "tls" else b"POST /Vic")[: number % 9 + 1])
            arena.drop(socket.socket(fileno=secure.detach()), reset=number % 3 == 0)
        legit.go_on(10)
        arena.wait("the service gives the descriptors of its connections back", lambda: kernel.open_files(arena.service.pid) <= before + 20)


def secure_unread(arena: Arena, port: str, first: bytes, asked: int, clients: int) -> None:
    with arena.legitimate((*SECURE, *PLAIN)) as legit:
        attackers = []
        for number in range(clients):
            connection = arena.connect(port, source=address(number // 100), buffer=BUFFER)
            secure = arena.secure(connection)
            secure.sendall(first)
            attackers.append(secure)
        arena.wait_stalled(attackers, asked, port, at_least=min(clients, 64))
        legit.go_on(30)
        arena.wait_stalled(attackers, asked, port, at_least=min(clients, 64))
        if clients == 1:
            stream = wire.Stream(attackers[0], 120)
            stream.preamble()
            got = {stream.answer().call for _ in range(64)}
            if got != set(range(1, 65)):
                raise Failure("not every call was answered once")
        legit.go_on(5)


@cases.add("unread-over-tls", TLS)
def _(arena: Arena) -> None:
    size = 3_000_000 if arena.long else 300_000
    calls = b"".join(wire.request("blob", wire.i32(size), number) for number in range(1, 65))
    secure_unread(arena, "tls", wire.PREAMBLE + calls, 64 * size, 1)


@cases.add("unread-over-https", Options(tls=True, heap="4g"), long=True)
def _(arena: Arena) -> None:
    secure_unread(arena, "https", wire.http("blob", {"size": 5_000_000}), 5_000_000, 80)
