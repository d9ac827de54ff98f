#!/usr/bin/env python3
"""A legitimate client: calls the service without a pause, on kept and on fresh connections, and checks every answer.

    legitimate.py MODEL PORTS KINDS CA

PORTS is the JSON object that the service writes; KINDS are tcp-kept, tcp-fresh, http-kept, http-fresh, and the same with tls and https.
It reads lines: `go N` is answered by `gone` once every kind has had N right answers to calls that began after the line was read; `end` by
the counts of all calls. Whatever is wrong is told at once, by a line `FAILED KIND REASON`.
"""

from __future__ import annotations

import base64
import json
import pathlib
import socket
import ssl
import sys
import threading
import time

import wire

# A call of this client ends by then, its connection included; so a service that has stopped fails.
DEADLINE_SECONDS = 60
# Leaves the processor to the attack and the service; calls are counted, not timed.
PAUSE_SECONDS = 0.002
PATTERN = bytes(i % 251 for i in range(251)) * 410
HOST = "127.0.0.1"


class Wrong(Exception):
    """An answer that is not the right one."""


class Client:
    """Calls of one kind, in sequence, on a separate thread."""

    def __init__(self, kind: str, port: int, trust: ssl.SSLContext | None) -> None:
        self.kind = kind
        self.protocol, self.manner = kind.split("-")
        self.port = port
        self.trust = trust if self.protocol in ("tls", "https") else None
        self.begun = 0
        self.calls = 0
        self.stream: wire.Stream | None = None
        self.greeted = False

    def run(self, main: Main) -> None:
        while not main.ended.is_set():
            self.begun += 1
            began_after = main.order
            try:
                self.call()
            except (OSError, wire.Closed, Wrong, AssertionError, ValueError) as error:
                self.hang_up()
                main.tell(f"FAILED {self.kind} call {self.begun}: {type(error).__name__}: {' '.join(str(error).split())[:300]}")
                # What has failed is known; the same again and again would tell no more.
                main.ended.wait(1)
                continue
            self.calls += 1
            main.answered(self.kind, began_after)
            main.ended.wait(PAUSE_SECONDS)
        self.hang_up()

    def connect(self) -> wire.Stream:
        until = time.monotonic() + DEADLINE_SECONDS
        plain = socket.create_connection((HOST, self.port), timeout=DEADLINE_SECONDS)
        plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        connection = plain
        if self.trust is not None:
            connection = self.trust.wrap_socket(plain, server_hostname="localhost")
        stream = wire.Stream(connection, until - time.monotonic())
        if self.protocol in ("tcp", "tls"):
            connection.sendall(wire.PREAMBLE)
        self.greeted = False
        return stream

    def hang_up(self) -> None:
        if self.stream is not None:
            self.stream.connection.close()
            self.stream = None

    def call(self) -> None:
        if self.stream is None:
            self.stream = self.connect()
        else:
            self.stream.renew(DEADLINE_SECONDS)
        number = self.begun
        if self.protocol in ("tcp", "tls"):
            self.call_tcp(self.stream, number)
        else:
            self.call_http(self.stream, number)
        if self.manner == "fresh":
            self.hang_up()

    def call_tcp(self, stream: wire.Stream, number: int) -> None:
        id_ = number % 0xFFFF_FFFF + 1

        def call(method: str, body: bytes, kind: int) -> bytes:
            stream.connection.sendall(wire.request(method, body, id_, DEADLINE_SECONDS * 1000))
            if not self.greeted:
                # A service may send its preamble no sooner than its first frame.
                stream.preamble()
                self.greeted = True
            got = stream.answer()
            if (got.kind, got.call) != (kind, id_):
                raise Wrong(f"{method} was answered by kind {got.kind} for call {got.call}, {got.error} {got.rest[:200]!r}")
            return got.rest

        if number % 20 == 7:
            size = 1_000 + number % 100_000
            expect(call("blob", wire.i32(size), wire.RESPONSE) == wire.count(size) + PATTERN[:size], "bytes")
        elif number % 20 == 13:
            expect(call("fail", wire.count(0), wire.EXCEPTION) == wire.count(0) + wire.text("declared"), "exception")
        else:
            said = wire.text(f"{self.kind} {number} {'é' * (number % 150)}")
            expect(call("echo", said, wire.RESPONSE) == said, "echo")

    def call_http(self, stream: wire.Stream, number: int) -> None:
        def call(method: str, body: object, status: int) -> object:
            stream.connection.sendall(wire.http(method, body, kept=self.manner == "kept"))
            got = stream.response()
            if got.status != status:
                raise Wrong(f"{method} was answered by {got.status}: {got.body[:200]!r}")
            if self.manner == "kept" and got.headers.get("connection", "").lower() == "close":
                raise Wrong(f"{method}: the service ends a kept connection")
            return json.loads(got.body)

        if number % 20 == 7:
            size = 1_000 + number % 100_000
            expect(base64.b64decode(str(call("blob", {"size": size}, 200))) == PATTERN[:size], "bytes")
        elif number % 20 == 13:
            problem = call("fail", {"fault": "REFUSED"}, 422)
            expect(isinstance(problem, dict) and problem.get("value") == {"reason": "declared"}, "exception")
        else:
            said = f"{self.kind} {number} {'é' * (number % 150)}"
            expect(call("echo", {"text": said}, 200) == said, "echo")


def expect(right: bool, what: str) -> None:
    if not right:
        raise Wrong(f"another {what} than was asked for")


class Main:
    def __init__(self) -> None:
        self.ended = threading.Event()
        self.lock = threading.Lock()
        # The number of the last order, and what each kind has still to do for it.
        self.order = 0
        self.open: dict[str, int] = {}

    def tell(self, line: str) -> None:
        with self.lock:
            print(line, flush=True)

    def answered(self, kind: str, order: int) -> None:
        with self.lock:
            if order != self.order or kind not in self.open:
                return
            self.open[kind] -= 1
            if self.open[kind] == 0:
                del self.open[kind]
                if not self.open:
                    print("gone", flush=True)

    def run(self) -> None:
        model, ports, kinds, ca = sys.argv[1:5]
        wire.load_methods(pathlib.Path(model))
        trust = ssl.create_default_context(cafile=ca) if ca else None
        addresses = json.loads(ports)
        clients = [Client(kind, addresses[kind.split("-")[0]], trust) for kind in kinds.split(",")]
        running = [threading.Thread(target=client.run, args=(self,), daemon=True) for client in clients]
        for thread in running:
            thread.start()
        for line in sys.stdin:
            word, _, number = line.strip().partition(" ")
            if word == "end":
                break
            with self.lock:
                self.order += 1
                self.open = {client.kind: int(number) for client in clients}
        self.ended.set()
        for thread in running:
            thread.join(DEADLINE_SECONDS + 5)
        self.tell(json.dumps({client.kind: client.calls for client in clients}))


if __name__ == "__main__":
    Main().run()
