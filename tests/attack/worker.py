#!/usr/bin/env python3
"""
A client of the soak: it calls, hangs up, does not read, sends halves and garbage, in an order that its seed gives, until it is killed or ended.

    worker.py MODEL PORTS CA SEED SOURCE

It reads lines: `pause` ends its connections and is answered by the counts of what was done since the last time; `go` lets it go on. What
it calls in order must be answered rightly: whatever is wrong is a line `WRONG ...`.
"""

from __future__ import annotations

import json
import pathlib
import queue
import random
import socket
import ssl
import struct
import sys
import threading
from collections import Counter
from collections.abc import Callable

import wire

HOST = "127.0.0.1"
SECONDS = 60
# Connections that are held open while others come and go.
MAX_HELD = 40
# The service's allowed errors under such a load.
BUSY = {"overloaded"}


class Wrong(Exception):
    """An answer that is not the right one."""


class Worker:
    def __init__(self, ports: dict[str, int], ca: str, seed: int, source: str) -> None:
        self.ports = ports
        self.dice = random.Random(seed)
        self.source = source
        self.trust = ssl.create_default_context(cafile=ca)
        self.held: list[socket.socket] = []
        self.done: Counter[str] = Counter()
        self.actions: list[tuple[int, Callable[[], None]]] = [
            (30, self.calls_over_tcp), (30, self.calls_over_http), (6, self.large_answers), (6, self.large_requests), (6, self.hang_up_within_an_answer),
            (6, self.hang_up_within_a_request), (3, self.do_not_read), (3, self.half), (4, self.half_handshake), (4, self.garbage), (4, self.oneway), (4, self.failures), (4, self.cancelled), (2, self.pings),
        ]  # fmt: skip

    def act(self) -> None:
        action = self.dice.choices([action for _, action in self.actions], [weight for weight, _ in self.actions])[0]
        try:
            action()
            self.done[action.__name__] += 1
        except (ConnectionRefusedError, ssl.SSLError, OSError, wire.Closed) as error:
            # A service may refuse, cut or reset what misbehaves, but not what calls in order.
            if action in (self.calls_over_tcp, self.calls_over_http, self.large_answers, self.large_requests, self.failures):
                raise Wrong(f"{action.__name__}: {type(error).__name__}: {error}") from None
            self.done[f"{action.__name__}, cut"] += 1
        while len(self.held) > MAX_HELD:
            self.held.pop(self.dice.randrange(len(self.held))).close()

    def end_all(self) -> None:
        for connection in self.held:
            connection.close()
        self.held.clear()

    def connect(self, protocol: str, buffer: int = 0) -> socket.socket:
        """A connection, in half of the cases through TLS."""
        secure = self.dice.random() < 0.5
        connection = socket.socket()
        connection.setsockopt(socket.IPPROTO_IP, getattr(socket, "IP_BIND_ADDRESS_NO_PORT", 24), 1)
        if buffer:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
        connection.settimeout(SECONDS)
        connection.bind((self.source, 0))
        connection.connect((HOST, self.ports[{"tcp": "tls", "http": "https"}[protocol] if secure else protocol]))
        return self.trust.wrap_socket(connection, server_hostname="localhost") if secure else connection

    def calls_over_tcp(self) -> None:
        with self.connect("tcp") as connection:
            calls = self.dice.randint(1, 60)
            texts = {number: wire.text("é" * self.dice.randrange(2_000)) for number in range(1, calls + 1)}
            connection.sendall(wire.PREAMBLE + b"".join(wire.request("echo", said, number) for number, said in texts.items()))
            stream = wire.Stream(connection, SECONDS)
            stream.preamble()
            for _ in range(calls):
                answer = stream.answer()
                said = texts.pop(answer.call)
                if answer.rest != said and answer.error not in BUSY:
                    raise Wrong(f"a call was answered by kind {answer.kind} {answer.error} {answer.rest[:100]!r}")

    def calls_over_http(self) -> None:
        with self.connect("http") as connection:
            stream = wire.Stream(connection, SECONDS)
            for _ in range(self.dice.randint(1, 30)):
                text = "é" * self.dice.randrange(2_000)
                connection.sendall(wire.http("echo", {"text": text}))
                response = stream.response()
                if response.status != 503 and (response.status != 200 or json.loads(response.body) != text):
                    raise Wrong(f"a call was answered by {response.status} {response.body[:100]!r}")

    def large_answers(self) -> None:
        size = self.dice.randrange(4_000_000)
        with self.connect("tcp") as connection:
            connection.sendall(wire.PREAMBLE + wire.request("blob", wire.i32(size)))
            stream = wire.Stream(connection, SECONDS)
            stream.preamble()
            answer = stream.answer()
            if answer.error not in BUSY and len(answer.rest) != len(wire.count(size)) + size:
                raise Wrong(f"{size} bytes were answered by kind {answer.kind} {answer.error}, {len(answer.rest)} bytes")

    def large_requests(self) -> None:
        size = self.dice.randrange(4_000_000)
        with self.connect("http") as connection:
            connection.sendall(wire.http("size", b'{"bytes":"' + b"A" * (size // 4 * 4) + b'"}'))
            response = wire.Stream(connection, SECONDS).response()
            if response.status != 503 and response.body != str(size // 4 * 3).encode():
                raise Wrong(f"{size} letters were answered by {response.status} {response.body[:100]!r}")

    def hang_up_within_an_answer(self) -> None:
        protocol = self.dice.choice(["tcp", "http"])
        connection = self.connect(protocol, buffer=4_096)
        size = self.dice.randrange(1_000_000, 4_000_000)
        connection.sendall(wire.PREAMBLE + wire.request("blob", wire.i32(size)) if protocol == "tcp" else wire.http("blob", {"size": size}))
        connection.recv(1_000)
        self.hang_up(connection)

    def hang_up_within_a_request(self) -> None:
        protocol = self.dice.choice(["tcp", "http"])
        connection = self.connect(protocol)
        whole = wire.PREAMBLE + wire.request("echo", wire.text("x" * 30_000)) if protocol == "tcp" else wire.http("echo", {"text": "x" * 30_000})
        connection.sendall(whole[: self.dice.randrange(len(whole))])
        self.hang_up(connection)

    def hang_up(self, connection: socket.socket) -> None:
        if self.dice.random() < 0.5:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        connection.close()

    def do_not_read(self) -> None:
        protocol = self.dice.choice(["tcp", "http"])
        connection = self.connect(protocol, buffer=4_096)
        calls = b"".join(wire.request("blob", wire.i32(200_000), number) for number in range(1, 21)) if protocol == "tcp" else wire.http("blob", {"size": 300_000}) * 10
        connection.sendall((wire.PREAMBLE if protocol == "tcp" else b"") + calls)
        self.held.append(connection)

    def half(self) -> None:
        protocol = self.dice.choice(["tcp", "http"])
        connection = self.connect(protocol)
        whole = wire.PREAMBLE + wire.request("echo", wire.text("x" * 300)) if protocol == "tcp" else wire.http("echo", {"text": "x" * 300})
        connection.sendall(whole[: self.dice.randrange(len(whole))])
        self.held.append(connection)

    def half_handshake(self) -> None:
        connection = socket.socket()
        connection.bind((self.source, 0))
        connection.connect((HOST, self.ports[self.dice.choice(["tls", "https"])]))
        connection.sendall(b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"[: self.dice.randint(1, 11)])
        if self.dice.random() < 0.5:
            self.held.append(connection)
        else:
            self.hang_up(connection)

    def garbage(self) -> None:
        connection = self.connect(self.dice.choice(["tcp", "http"]))
        begin = self.dice.choice([b"", wire.PREAMBLE, wire.PREAMBLE + b"\0\0\0\x20\1\0\0\0\0\1", b"POST /Victim/echo HTTP/1.1\r\nHost: x\r\n"])
        connection.sendall(begin + self.dice.randbytes(self.dice.randrange(1, 3_000)))
        connection.close()

    def oneway(self) -> None:
        with self.connect("tcp") as connection:
            connection.sendall(wire.PREAMBLE + b"".join(wire.request("note", wire.text("n"), number) for number in range(1, 200)) + wire.request("echo", wire.text("behind"), 1_000))
            stream = wire.Stream(connection, SECONDS)
            stream.preamble()
            stream.answer()

    def failures(self) -> None:
        """Those that the description declares: others would fill the log."""
        with self.connect("tcp") as connection:
            connection.sendall(wire.PREAMBLE + wire.request("fail", wire.count(0)))
            stream = wire.Stream(connection, SECONDS)
            stream.preamble()
            if (answer := stream.answer()).kind != wire.EXCEPTION and answer.error not in BUSY:
                raise Wrong(f"a declared exception was answered by kind {answer.kind} {answer.error}")

    def cancelled(self) -> None:
        with self.connect("tcp") as connection:
            gate = "never"
            connection.sendall(wire.PREAMBLE + b"".join(wire.request("hold", wire.text(gate), number) + wire.frame(wire.CANCEL, 0, number) for number in range(1, 20)))
            stream = wire.Stream(connection, SECONDS)
            stream.preamble()
            for _ in range(19):
                stream.answer()

    def pings(self) -> None:
        with self.connect("tcp") as connection:
            connection.sendall(wire.PREAMBLE + b"".join(wire.frame(wire.PING, 0, number) for number in range(5_000)) + wire.request("echo", wire.text("behind"), 1))
            stream = wire.Stream(connection, SECONDS)
            stream.preamble()
            stream.answer()


def main() -> None:
    model, ports, ca, seed, source = sys.argv[1:6]
    wire.load_methods(pathlib.Path(model))
    worker = Worker(json.loads(ports), ca, int(seed), source)
    orders: queue.Queue[str] = queue.Queue()

    def listen() -> None:
        for line in sys.stdin:
            orders.put(line.strip())
        orders.put("end")

    threading.Thread(target=listen, daemon=True).start()
    running = False
    while True:
        order = "" if running and orders.empty() else orders.get()
        if order == "end":
            return
        if order == "go":
            running = True
        elif order == "pause":
            running = False
            worker.end_all()
            print(json.dumps(worker.done), flush=True)
            worker.done.clear()
        else:
            try:
                worker.act()
            except (Wrong, AssertionError, KeyError, ValueError) as wrong:
                print(f"WRONG {wrong}", flush=True)


if __name__ == "__main__":
    main()
