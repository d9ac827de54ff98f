"""Cases, what they have at hand, and how they are run and counted."""

from __future__ import annotations

import re
import socket
import ssl
import struct
import time
import traceback
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import kernel
import wire
from service import HOST, PLAIN, Build, Connections, Failure, Legitimate, Options, Service

# How long an event may take, on a busy machine.
PATIENCE_SECONDS = 60
# How often it is looked for.
LOOK_SECONDS = 0.02
# How often a slow client sends a few bytes.
DRIP_SECONDS = 0.1
# Records of one case in the service's log beside those that it expects.
MAX_RECORDS = 20
ATTACKER = "127.0.0.2"


def address(index: int) -> str:
    """An address of loopback for an attacker of many."""
    return f"127.0.{1 + index // 250}.{1 + index % 250}"


@dataclass(frozen=True)
class Case:
    name: str
    run: Callable[[Arena], None]
    options: Options
    long: bool
    # Patterns of warnings and errors that the service may log, and the max number of matching records.
    logs: tuple[str, ...]


class Cases(list[Case]):
    """The cases of a module."""

    def __init__(self, module: str) -> None:
        super().__init__()
        self.module = module

    def add(self, name: str, options: Options = Options(), *, long: bool = False, logs: Sequence[str] = ()) -> Callable[[Callable[[Arena], None]], Callable[[Arena], None]]:
        def keep(run: Callable[[Arena], None]) -> Callable[[Arena], None]:
            self.append(Case(f"{self.module}/{name}", run, options, long, tuple(logs)))
            return run

        return keep


class Arena:
    """The tools of a case: the service, the legitimate client, and connections of attackers."""

    def __init__(self, service: Service, long: bool) -> None:
        self.service = service
        self.long = long
        self.connections = Connections()
        self.legit: Legitimate | None = None
        # The results of a case's counted parts: a name, and the error if any.
        self.parts: list[tuple[str, str | None]] = []

    def part(self, name: str, run: Callable[[], None]) -> None:
        """Runs a part that is counted on its own; the others run whatever comes of it."""
        try:
            run()
            self.parts.append((name, None))
        except MISTAKES as mistake:
            self.parts.append((name, reason(mistake)))
        if self.legit is not None:
            self.legit.check()

    def legitimate(self, kinds: Sequence[str] = PLAIN) -> Legitimate:
        self.legit = Legitimate(self.service, kinds)
        return self.legit

    def connect(self, port: str = "tcp", first: bytes = b"", *, source: str = ATTACKER, buffer: int = 0, seconds: float = PATIENCE_SECONDS) -> socket.socket:
        """A connection of an attacker, with its first bytes sent."""
        connection = socket.socket()
        self.connections.all.append(connection)
        # The port is chosen when the other end is known, which makes more ports available.
        connection.setsockopt(socket.IPPROTO_IP, getattr(socket, "IP_BIND_ADDRESS_NO_PORT", 24), 1)
        if buffer:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
        connection.settimeout(seconds)
        connection.bind((source, 0))
        try:
            connection.connect((HOST, self.service.ports[port]))
            if first:
                connection.sendall(first)
        except OSError as error:
            raise Failure(f"an attacker could not connect or send: {error}") from None
        return connection

    def secure(self, connection: socket.socket) -> ssl.SSLSocket:
        context = ssl.create_default_context(cafile=str(self.service.build.certificate))
        wrapped = context.wrap_socket(connection, server_hostname="localhost", suppress_ragged_eofs=True)
        self.connections.all.append(wrapped)
        return wrapped

    def drop(self, connection: socket.socket, *, reset: bool = False) -> None:
        """Hangs up: in order, or as a program that is killed with data unread."""
        if reset:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        else:
            try:
                # Ends a thread that reads it.
                connection.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass  # The service has closed it before.
        connection.close()

    def wait(self, what: str, event: Callable[[], bool], seconds: float = PATIENCE_SECONDS, look: float = LOOK_SECONDS) -> None:
        """Waits for an event; not any more once a legitimate call has failed."""
        until = time.monotonic() + seconds
        while not event():
            if self.legit is not None:
                self.legit.check()
            if not self.service.alive:
                raise Failure(f"the service has ended while the attack waited: {what}")
            if time.monotonic() > until:
                raise Failure(f"within {seconds:.0f} s it did not come to this: {what}")
            time.sleep(look)

    def server_side(self, connections: Iterable[socket.socket], port: str = "tcp") -> list[kernel.Connection]:
        """The service's side of these connections."""
        there = kernel.connections(self.service.ports[port])
        return [there[name] for name in (each.getsockname() for each in connections) if name in there]

    def wait_stalled(self, connections: Sequence[socket.socket], asked: int, port: str = "tcp", at_least: int | None = None) -> None:
        """
        Waits until the service can send no more to clients that do not read: the number of bytes in its kernel is stable, and fewer than each client
        requested, so the rest is still in the service.
        """
        last: dict[tuple[str, int], int] = {}
        wanted = len(connections) if at_least is None else at_least

        def stalled() -> bool:
            nonlocal last
            now = {each.client: each.unsent for each in self.server_side(connections, port) if each.unsent > 0}
            before, last = last, now
            still = [connection for connection in connections if (name := connection.getsockname()) in now and before.get(name) == now[name]]
            return sum(now[each.getsockname()] + kernel.unread(each) < asked for each in still) >= wanted

        self.wait(f"answers wait to be sent to {wanted} clients that do not read", stalled, look=0.1)

    def wait_read(self, connections: Sequence[socket.socket], port: str = "tcp") -> None:
        """Waits until the service has read all that was sent to it."""
        self.wait("the service has read what was sent", lambda: all(each.unread == 0 for each in self.server_side(connections, port)))

    def wait_closed(self, connections: dict[str, socket.socket], drips: dict[str, bytes] | None = None) -> None:
        """
        Waits until the service has closed each of these, whatever it says before; those that stay open are named. Meanwhile some are sent a
        few bytes again and again, on this thread: a connection of TLS must not be read and written by two at once.
        """
        open_ = dict(connections)
        for connection in open_.values():
            connection.setblocking(False)
        next_drip = time.monotonic()

        def look() -> bool:
            nonlocal next_drip
            dripping = drips is not None and time.monotonic() >= next_drip
            if dripping:
                next_drip = time.monotonic() + DRIP_SECONDS
            for name, connection in list(open_.items()):
                if dripping and (more := drips.get(name)):
                    drip(connection, more)
                if closed(connection):
                    del open_[name]
            return not open_

        try:
            self.wait("the service closes connections", look)
        except Failure as failure:
            names = ", ".join(list(open_)[:12])
            raise Failure(f"{failure}; open: {len(open_)} ({names})") from None

    def wait_heap(self, before: int, allowed: int, what: str) -> int:
        """Waits until the heap is no larger than this above its former size; closing may take a moment."""
        used = 0

        def flat() -> bool:
            nonlocal used
            used = self.service.used_heap()
            return used - before <= allowed

        try:
            self.wait(what, flat, seconds=30, look=0.5)
        except Failure:
            raise Failure(f"{what}: the heap holds {used >> 20} MiB, {(used - before) >> 20} MiB more than before") from None
        return used


MISTAKES = (Failure, OSError, wire.Closed, AssertionError)


def reason(mistake: BaseException) -> str:
    if isinstance(mistake, Failure):
        return str(mistake)
    where = traceback.extract_tb(mistake.__traceback__)[-1]
    return f"{type(mistake).__name__}: {mistake} ({where.filename.rsplit('/', 1)[-1]}:{where.lineno})"


def drip(connection: socket.socket, data: bytes) -> bool:
    """Sends a few bytes, if there is room for them; false when the service has ended the connection."""
    try:
        connection.send(data)
        return True
    except (BlockingIOError, ssl.SSLWantReadError, ssl.SSLWantWriteError):
        return True
    except OSError:
        return False


def closed(connection: socket.socket) -> bool:
    """Reads what is available; true at the end."""
    try:
        while True:
            if not connection.recv(1 << 18):
                return True
    except (BlockingIOError, ssl.SSLWantReadError):
        return False
    except OSError:
        return True


def answers(stream: wire.Stream, calls: int) -> dict[int, wire.Frame]:
    """The answers to this many calls, each of which is answered once."""
    got: dict[int, wire.Frame] = {}
    while len(got) < calls:
        try:
            answer = stream.answer()
        except (wire.Closed, OSError) as error:
            raise Failure(f"after {len(got)} of {calls} answers: {type(error).__name__}: {error}") from None
        if answer.call in got or not 1 <= answer.call <= calls:
            raise Failure(f"an answer to call {answer.call}, of kind {answer.kind} {answer.error} {answer.rest[:200]!r}, which was answered before or never made")
        got[answer.call] = answer
    return got


class Runner:
    """Runs cases one after the other, on a service as each asks for, and counts."""

    def __init__(self, build: Build, long: bool) -> None:
        self.build = build
        self.long = long
        self.service: Service | None = None
        self.passed = 0
        self.failed: list[str] = []

    def run(self, case: Case) -> None:
        begin = time.monotonic()
        arena: Arena | None = None
        try:
            service = self._service(case.options)
            arena = Arena(service, self.long)
            case.run(arena)
            arena.connections.close()
            self._check_log(service, case)
            problem = None
        except MISTAKES as mistake:
            problem = reason(mistake)
        finally:
            if arena is not None:
                arena.connections.close()
        if arena is not None:
            for name, wrong in arena.parts:
                self._count(f"{case.name}/{name}", wrong)
        calls = f", {arena.legit.calls} legitimate calls" if arena is not None and arena.legit is not None else ""
        self._count(case.name, problem, f" ({time.monotonic() - begin:.1f} s{calls})")
        if problem is not None:
            # The remains of an attack must not fail the next case.
            self.end()

    def _count(self, name: str, problem: str | None, more: str = "") -> None:
        if problem is None:
            self.passed += 1
            print(f"ok {name}{more}", flush=True)
        else:
            self.failed.append(name)
            print(f"FAILED {name}{more}: {' '.join(problem.split())[:1500]}", flush=True)

    def _service(self, options: Options) -> Service:
        if self.service is not None and (self.service.options != options or not self.service.alive):
            self.end()
        if self.service is None:
            self.service = Service(self.build, options)
        return self.service

    def _check_log(self, service: Service, case: Case) -> None:
        strange = []
        records = service.new_records()
        loud = [record for record in records if not record.startswith("INFO ")]
        if len(loud) > MAX_RECORDS:
            raise Failure(f"{len(loud)} warnings and errors in the log, such as: {' | '.join(loud[:2])[:600]}")
        for record in records:
            known = record.startswith("INFO ") or any(re.search(pattern, record.split("\n")[0]) for pattern in case.logs)
            if not known or "OutOfMemoryError" in record and "OutOfMemoryError" not in case.logs:
                strange.append(record)
        if strange:
            raise Failure(f"{len(strange)} unexpected records in the log: {' | '.join(strange[:3])[:900]}")

    def end(self) -> None:
        service, self.service = self.service, None
        if service is not None and service.alive:
            service.kill()

    def close_with_counts(self) -> int:
        self.end()
        for name in self.failed:
            print(f"FAILED {name}")
        print(f"{self.passed} passed, {len(self.failed)} failed")
        return 1 if self.failed or not self.passed else 0
