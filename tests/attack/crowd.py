"""Very many connections: idle ones, more than a limit allows, peers that are stopped, and file descriptors that run out."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time

import kernel
import wire
from harness import Arena, Cases, address, closed
from service import HERE, PLAIN, Failure, Options

cases = Cases("crowd")

KEPT = ("tcp-kept", "http-kept")
# Below maxConnections, 10,000, with room for the legitimate client; below maxConnectionsPerAddress, 2,500, for each address.
IDLE = 9_900
PER_ADDRESS = 1_980
# A thread for each of them would be a hundred times that.
THREADS = 120
HEAP_PER_CONNECTION = 16_384


def idle(arena: Arena, port: str, first: bytes) -> None:
    before = arena.service.used_heap()
    with arena.legitimate() as legit:
        attackers: list[socket.socket] = []
        while len(attackers) < IDLE:
            attackers += [arena.connect(port, first, source=address(len(attackers) // PER_ADDRESS)) for _ in range(330)]
            legit.check()
        arena.wait_read(attackers, port)
        legit.go_on(25)
        open_ = sum(each.state == kernel.ESTABLISHED for each in arena.server_side(attackers, port))
        if open_ < IDLE:
            raise Failure(f"only {open_} of {IDLE} idle connections are open")
        if (threads := kernel.threads(arena.service.pid)) > THREADS:
            raise Failure(f"the service has {threads} threads for {IDLE} idle connections")
        arena.wait_heap(before, IDLE * HEAP_PER_CONNECTION, f"{IDLE} idle connections hold little")
        # Each of them is served when it continues.
        for attacker in attackers[:: IDLE // 50]:
            ask(attacker, port, answered=first.startswith(b"POST"))
        legit.go_on(5)
        arena.connections.close()
        arena.wait("the service gives their descriptors back", lambda: kernel.open_files(arena.service.pid) < 400)
        legit.go_on(5)


def ask(connection: socket.socket, port: str, *, answered: bool) -> None:
    """A call on a connection that was idle; before it, an answer may wait to be read."""
    stream = wire.Stream(connection, 60)
    if port == "tcp":
        connection.sendall(wire.request("echo", wire.text("awake"), 2))
        stream.preamble()
        if stream.answer().rest != wire.text("awake"):
            raise Failure("a connection that was idle is not served")
        return
    if answered and stream.response().status != 200:
        raise Failure("an idle connection was not served before it was idle")
    connection.sendall(wire.http("echo", {"text": "awake"}))
    if json.loads(stream.response().body) != "awake":
        raise Failure("a connection that was idle is not served")


@cases.add("9900-idle-over-tcp")
def _(arena: Arena) -> None:
    idle(arena, "tcp", wire.PREAMBLE)


@cases.add("9900-idle-over-http", long=True)
def _(arena: Arena) -> None:
    idle(arena, "http", wire.http("echo", {"text": "a"}))


def refusal(connection: socket.socket, port: str) -> str:
    """The refusal of a connection for which there was no room; only closing it is not enough."""
    stream = wire.Stream(connection, 60)
    try:
        if port == "tcp":
            stream.preamble()
            return stream.answer().error
        return {200: "", 503: "overloaded"}.get(stream.response().status, "another status")
    except (wire.Closed, ConnectionResetError, BrokenPipeError):
        return "closed"


def one_address(arena: Arena, port: str, source: str) -> None:
    """One address opens 10,000 connections. Those beyond its share are refused, and other addresses are served."""
    opened = 10_000 if arena.long else 3_000
    call = wire.PREAMBLE + wire.request("echo", wire.text("a")) if port == "tcp" else wire.http("echo", {"text": "a"})
    with arena.legitimate() as legit:
        told: list[str] = []
        for _ in range(opened // 100):
            several = [arena.connect(port, source=source) for _ in range(100)]
            for each in several:
                try:
                    each.sendall(call)
                except OSError:
                    pass  # Closed, which shows when reading.
            told += [refusal(each, port) for each in several]
        legit.go_on(25)
        served = told.count("")
        if served != 2_500 or set(told) - {"", "overloaded", "closed"}:
            raise Failure(f"of {opened} connections of one address {served} are served, others were told {sorted(set(told))}")
        if "overloaded" not in told:
            raise Failure("none was told why it is refused")
        arena.connections.close()
        arena.wait("the address is served again", lambda: refusal(arena.connect(port, call, source=source), port) == "")
        legit.go_on(5)


@cases.add("one-address-over-tcp", logs=("maxConnectionsPerAddress",))
def _(arena: Arena) -> None:
    one_address(arena, "tcp", "127.0.0.9")


@cases.add("one-address-over-http", logs=("maxConnectionsPerAddress",), long=True)
def _(arena: Arena) -> None:
    one_address(arena, "http", "127.0.0.10")


@cases.add("beyond-max-connections", Options(limits=(("maxConnections", 500),)), logs=("maxConnections", "as many as there may be"))
def _(arena: Arena) -> None:
    """The kept connections that were there before are served; new ones are when others have ended."""
    with arena.legitimate(KEPT) as legit:
        attackers = [arena.connect(first=wire.PREAMBLE, source=address(number // 200)) for number in range(800)]
        arena.wait("300 connections are closed", lambda: sum(is_closed(each) for each in attackers) >= 300)
        legit.go_on(25)
        arena.connections.close()
        arena.wait("the service gives their descriptors back", lambda: kernel.open_files(arena.service.pid) < 200)
    with arena.legitimate() as legit:
        legit.go_on(10)


def is_closed(connection: socket.socket) -> bool:
    connection.setblocking(False)
    return closed(connection)


STOPPED = """
import sys
sys.path.insert(0, sys.argv[1])
import pathlib, socket, wire
wire.load_methods(pathlib.Path(sys.argv[2]))
ports = [int(port) for port in sys.argv[3:5]]
first = [wire.PREAMBLE + wire.request("echo", wire.text("a")), wire.http("echo", {"text": "a"})]
held = []
for number in range(300):
    connection = socket.create_connection(("127.0.0.1", ports[number % 2]), source_address=("127.0.0.3", 0))
    connection.sendall(first[number % 2])
    held.append(connection)
print("ready", flush=True)
sys.stdin.read()
"""


@cases.add("stopped-peers", Options(limits=(("idleTimeout", 2_000),)), long=True)
def _(arena: Arena) -> None:
    """A process that holds 300 connections is stopped: it neither reads nor hangs up. Its connections end when they have been idle for long."""
    with arena.legitimate() as legit:
        before = kernel.open_files(arena.service.pid)
        ports = [str(arena.service.ports[name]) for name in ("tcp", "http")]
        command = [sys.executable, "-c", STOPPED, str(HERE), str(arena.service.build.model), *ports]
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        assert process.stdout is not None and process.stdin is not None
        try:
            if process.stdout.readline() != b"ready\n":
                raise Failure("the process of the peers did not begin")
            os.kill(process.pid, signal.SIGSTOP)
            legit.go_on(25)
            arena.wait("the connections of a stopped process end", lambda: kernel.open_files(arena.service.pid) <= before + 20)
            legit.go_on(5)
        finally:
            process.kill()
            process.wait()
            process.stdin.close()
            process.stdout.close()


FILES = 300


@cases.add("out-of-files", Options(files=FILES), logs=("could not be accepted", "Too many open files"))
def _(arena: Arena) -> None:
    """
    More connections than the process has file descriptors. It says so once, costs no processor time, serves the connections that it has, and
    serves new ones when there are descriptors again.
    """
    with arena.legitimate(KEPT) as legit:
        # Partial calls: idle connections may be closed by the service to make room.
        half = wire.PREAMBLE + wire.request("echo", wire.text("x" * 100))[:-3]
        attackers = [arena.connect(first=half, source=address(number // 200)) for number in range(FILES + 100)]
        arena.wait("the descriptors have run out", lambda: kernel.open_files(arena.service.pid) >= FILES - 1)
        legit.go_on(25)
    begin, used = time.monotonic(), kernel.processor_seconds(arena.service.pid)
    time.sleep(3)
    share = (kernel.processor_seconds(arena.service.pid) - used) / (time.monotonic() - begin)
    files = kernel.open_files(arena.service.pid)
    if files < FILES - 1:
        raise Failure(f"the service has {files} descriptors open: no attack")
    # A thread that tries to accept again and again takes all of a processor.
    if share > 0.25:
        raise Failure(f"the service takes {share:.2f} of a processor, though nobody calls it")
    for attacker in attackers:
        arena.drop(attacker, reset=True)
    arena.connections.all.clear()
    arena.wait("the service gives their descriptors back", lambda: kernel.open_files(arena.service.pid) < FILES - 100)
    with arena.legitimate(PLAIN) as legit:
        legit.go_on(25)
