"""Clients that hang up within an answer, headers, a body or frames. Nothing of them remains."""

from __future__ import annotations

import json
import socket
import struct
import subprocess
import sys

import kernel
import wire
from harness import ATTACKER, Arena, Cases, answers
from service import HERE, PLAIN, SECURE, Failure, Options

cases = Cases("hangups")

BUFFER = 4_096
BATCH = 250
# The allowed growth of the heap: less than six of the abandoned answers.
ALLOWED_HEAP = 24 << 20
# Frequent enough that a service that has died is noticed early.
SERVED_EVERY = 4


def within_answers(arena: Arena, port: str, first: bytes, whole: int) -> None:
    """Clients that hang up within a large answer; the heap afterwards is as after the first of them."""
    before = 0
    with arena.legitimate() as legit:
        for number in range(160):
            if number == 10:
                before = arena.service.used_heap()
            attacker = arena.connect(port, first, buffer=BUFFER)
            # The answer has started.
            if len(attacker.recv(1_000)) >= whole:
                raise Failure("the whole answer was read at once")
            arena.drop(attacker, reset=number % 2 == 0)
            if number % 25 == 0:
                legit.go_on(2)
        legit.go_on(20)
    arena.wait_heap(before, ALLOWED_HEAP, "after 150 clients that gave up, the heap is what it was")


@cases.add("http-within-answers", Options(heap="1g"))
def _(arena: Arena) -> None:
    within_answers(arena, "http", wire.http("blob", {"size": 3_000_000}), 4_000_000)


@cases.add("tcp-within-answers", Options(heap="1g"))
def _(arena: Arena) -> None:
    within_answers(arena, "tcp", wire.PREAMBLE + wire.request("blob", wire.i32(6_000_000)), 6_000_000)


@cases.add("tcp-within-queued-answers", Options(heap="1g"), long=True)
def _(arena: Arena) -> None:
    calls = b"".join(wire.request("blob", wire.i32(1_000_000), number) for number in range(1, 31))
    within_answers(arena, "tcp", wire.PREAMBLE + calls, 30_000_000)


@cases.add("http-kept-idle-after-answers", Options(heap="1g"), long=True)
def _(arena: Arena) -> None:
    """Clients that read a large answer, and keep the connection: it holds nothing of that answer."""
    with arena.legitimate() as legit:
        before = 0
        for number in range(60):
            if number == 5:
                before = arena.service.used_heap()
            attacker = arena.connect("http", wire.http("blob", {"size": 3_000_000}))
            response = wire.Stream(attacker, 60).response()
            if response.status != 200 or response.headers.get("connection", "").lower() == "close":
                raise Failure(f"the answer was {response.status} {response.headers}")
        legit.go_on(20)
        there = arena.server_side(arena.connections.all, "http")
        if sum(each.state == kernel.ESTABLISHED for each in there) < 55:
            raise Failure("the service has closed the connections that were to be kept")
        arena.wait_heap(before, ALLOWED_HEAP, "with 55 idle connections that had large answers, the heap is what it was")


def in_batches(arena: Arena, port: str, first: bytes, clients: int, resets: bool | None = None) -> None:
    """Clients that hang up when the service has read what they sent, by a reset or not, or half of them. All is closed on its side, too."""
    before = kernel.open_files(arena.service.pid)
    with arena.legitimate() as legit:
        for batch in range(clients // BATCH):
            attackers = [arena.connect(port, first) for _ in range(BATCH)]
            arena.wait_read(attackers, port)
            for number, attacker in enumerate(attackers):
                arena.drop(attacker, reset=number % 2 == 0 if resets is None else resets)
            arena.connections.all.clear()
            if batch % SERVED_EVERY == SERVED_EVERY - 1:
                legit.go_on(1)
        legit.go_on(20)
        arena.wait("the service gives the descriptors of its connections back", lambda: kernel.open_files(arena.service.pid) <= before + 20)
        legit.go_on(5)


HEADERS = wire.http_head("echo", b"A: ")
BODY = wire.http_head("echo", b"Content-Length: 100000\r\n\r\n") + b'{"text":"'
CHUNK = wire.http_head("echo", b"Transfer-Encoding: chunked\r\n\r\n1000\r\n") + b'{"text":"'


@cases.add("http-within-headers")
def _(arena: Arena) -> None:
    in_batches(arena, "http", HEADERS, 12_000 if arena.long else 2_000, resets=False)


@cases.add("http-within-headers-reset", long=True)
def _(arena: Arena) -> None:
    in_batches(arena, "http", HEADERS, 12_000 if arena.long else 2_000, resets=True)


@cases.add("http-within-body")
def _(arena: Arena) -> None:
    in_batches(arena, "http", BODY, 12_000 if arena.long else 2_000, resets=False)


@cases.add("http-within-body-reset", long=True)
def _(arena: Arena) -> None:
    in_batches(arena, "http", BODY, 12_000 if arena.long else 2_000, resets=True)


@cases.add("http-within-chunk")
def _(arena: Arena) -> None:
    in_batches(arena, "http", CHUNK, 10_000 if arena.long else 2_000)


@cases.add("http-within-line", long=True)
def _(arena: Arena) -> None:
    in_batches(arena, "http", b"POST /Victim/ec", 10_000 if arena.long else 2_000)


@cases.add("tcp-within-preamble", long=True)
def _(arena: Arena) -> None:
    in_batches(arena, "tcp", wire.PREAMBLE[:5], 10_000 if arena.long else 2_000)


@cases.add("tcp-within-frame")
def _(arena: Arena) -> None:
    in_batches(arena, "tcp", wire.PREAMBLE + wire.request("echo", wire.text("x" * 100))[:-3], 10_000 if arena.long else 2_000)


@cases.add("tcp-within-chain")
def _(arena: Arena) -> None:
    chain = wire.request("echo", wire.count(100_000) + b"x" * 1_000, flags=wire.MORE) + wire.frame(wire.DATA, wire.MORE, 1, b"y" * 1_000)
    in_batches(arena, "tcp", wire.PREAMBLE + chain, 10_000 if arena.long else 2_000)


@cases.add("tcp-within-held-calls")
def _(arena: Arena) -> None:
    """Clients that hang up while their calls run: the calls give their places back when they end."""
    gate = "hangups"
    with arena.legitimate() as legit:
        attacker = arena.connect(first=wire.PREAMBLE + b"".join(wire.request("hold", wire.text(gate), number) for number in range(1, 9)))
        arena.wait("calls are held", lambda: arena.service.held(gate) == 8)
        arena.drop(attacker, reset=True)
        legit.go_on(20)
        arena.service.open(gate)
        arena.wait("held calls have ended", lambda: arena.service.held(gate) == 0)
        legit.go_on(5)
        again = arena.connect(first=wire.PREAMBLE + b"".join(wire.request("hold", wire.text(gate), number) for number in range(1, 101)))
        stream = wire.Stream(again, 60)
        stream.preamble()
        wrong = [answer for answer in answers(stream, 100).values() if answer.kind != wire.RESPONSE and answer.error != "overloaded"]
        if wrong:
            raise Failure(f"afterwards, calls were answered by {wrong[0].error}")


STREAMING = """
import sys
sys.path.insert(0, sys.argv[1])
import itertools, json, pathlib, socket, ssl, zlib, wire
wire.load_methods(pathlib.Path(sys.argv[2]))
ports, certificate, mark = json.loads(sys.argv[3]), sys.argv[4], sys.argv[5]
size, piece = 100_000_000, 100_000
text = ("#" + mark + ":").encode()
chain = wire.request("echo", wire.count(size) + text, flags=wire.MORE)
packer = zlib.compressobj(0)
packed = packer.compress(wire.count(size) + text + b"x" * 1_000)
json_text = b'{"text":"' + text
forms = {
    "tcp": (wire.PREAMBLE + chain, lambda: wire.frame(wire.DATA, wire.MORE, 1, b"x" * piece)),
    "packed": (wire.PREAMBLE + wire.frame(wire.REQUEST, wire.MORE | wire.COMPRESSED, 1, wire.head("echo") + packed), lambda: wire.frame(wire.DATA, wire.MORE, 1, packer.compress(b"x" * piece))),
    "length": (wire.http_head("echo", b"Content-Length: %d\\r\\n\\r\\n" % size) + json_text, lambda: b"x" * piece),
    "chunks": (wire.http_head("echo", b"Transfer-Encoding: chunked\\r\\n\\r\\n%x\\r\\n" % len(json_text)) + json_text + b"\\r\\n", lambda: b"%x\\r\\n" % piece + b"x" * piece + b"\\r\\n"),
}
streams = []
for name, port in (("tcp", "tcp"), ("packed", "tcp"), ("length", "http"), ("chunks", "http"), ("tcp", "tls"), ("chunks", "https")):
    connection = socket.create_connection(("127.0.0.1", ports[port]), source_address=("127.0.0.4", 0))
    if port in ("tls", "https"):
        connection = ssl.create_default_context(cafile=certificate).wrap_socket(connection, server_hostname="localhost")
    connection.sendall(forms[name][0])
    streams.append((connection, forms[name][1]))
for number in itertools.count(1):
    for connection, more in streams:
        connection.sendall(more())
    # Far more than the kernel keeps of a connection: most of it was read.
    if number == 120:
        print("streaming", flush=True)
        sys.stdin.readline()
"""


@cases.add("killed-within-streamed-bodies", Options(heap="1g", tls=True))
def _(arena: Arena) -> None:
    """Processes that are killed while they stream bodies of 100 MB: as chains, compressed, by length, by chunks, and through TLS."""
    with arena.legitimate((*PLAIN, *SECURE)) as legit:
        before = kernel.open_files(arena.service.pid)
        heap = arena.service.used_heap()
        build = arena.service.build
        command = [sys.executable, "-c", STREAMING, str(HERE), str(build.model), json.dumps(arena.service.ports), str(build.certificate), "killed"]
        for number in range(6 if arena.long else 2):
            process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
            assert process.stdout is not None and process.stdin is not None
            try:
                if process.stdout.readline() != b"streaming\n":
                    raise Failure("the process that streams did not begin")
                if number % 2:
                    # It continues, and is killed within a piece rather than between two.
                    process.stdin.write(b"\n")
                    process.stdin.flush()
                legit.go_on(5)
            finally:
                process.kill()
                process.wait()
                process.stdin.close()
                process.stdout.close()
            arena.wait("the service gives the descriptors of its connections back", lambda: kernel.open_files(arena.service.pid) <= before + 20)
        legit.go_on(10)
        arena.wait_heap(heap, ALLOWED_HEAP, "after streams that were cut, the heap is what it was")
        if heard := arena.service.heard("killed"):
            raise Failure(f"{heard} calls were executed whose bodies never ended")


@cases.add("without-a-word", long=True)
def _(arena: Arena) -> None:
    """Connections that are closed before anything is sent, as health checks do; many of them by a reset."""
    before = kernel.open_files(arena.service.pid)
    with arena.legitimate() as legit:
        for batch in range(40 if arena.long else 8):
            for number in range(BATCH):
                attacker = socket.socket()
                attacker.bind((ATTACKER, 0))
                attacker.connect(("127.0.0.1", arena.service.ports["http" if number % 4 < 2 else "tcp"]))
                if number % 2:
                    attacker.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                attacker.close()
            if batch % SERVED_EVERY == SERVED_EVERY - 1:
                legit.go_on(1)
        legit.go_on(20)
        arena.wait("the service gives the descriptors of its connections back", lambda: kernel.open_files(arena.service.pid) <= before + 20)
