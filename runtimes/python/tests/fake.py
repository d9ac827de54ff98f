"""A server for tests: it plays a script on each connection, in a separate thread."""

from __future__ import annotations

import socket
import ssl
import struct
import threading
from collections.abc import Generator
from contextlib import contextmanager, suppress
from typing import Callable, NamedTuple

#: What this server says first, and what a client does.
PREAMBLE = b"CREO\1\1\0\0"
CLIENT = b"CREO\1\3\0\0"
REQUEST, RESPONSE, EXCEPTION, ERROR, DATA, CANCEL, PING, PONG, GOODBYE, ITEMS, CREDIT = range(
    1, 12
)


class Frame(NamedTuple):
    """A frame as it was received."""

    kind: int
    flags: int
    call: int
    rest: bytes

    @property
    def method(self) -> int:
        """A request's method."""
        return int.from_bytes(self.rest[:8], "big")

    @property
    def milliseconds(self) -> int:
        """A request's time."""
        return int.from_bytes(self.rest[8:12], "big")

    @property
    def body(self) -> bytes:
        """A request's metadata and body."""
        return self.rest[12:]


def frame(kind: int, call: int, rest: bytes = b"", flags: int = 0) -> bytes:
    """The bytes of a frame."""
    return struct.pack(">IBBI", len(rest) + 6, kind, flags, call) + rest


def text(value: str) -> bytes:
    """A short string on the wire."""
    data = value.encode()
    assert len(data) < 128
    return bytes((len(data),)) + data


def error(call: int, number: int, message: str, details: dict[str, str] | None = None) -> bytes:
    """An error's frame."""
    pairs = details or {}
    body = bytes((number,)) + text(message) + bytes((len(pairs),))
    body += b"".join(text(key) + text(value) for key, value in pairs.items())
    return frame(ERROR, call, body)


class Peer:
    """The server's side of one connection."""

    def __init__(self, connection: socket.socket) -> None:
        self.socket = connection
        self._buffer = b""

    def take(self, size: int) -> bytes:
        """This many bytes; fewer at the end."""
        while len(self._buffer) < size:
            data = self.socket.recv(65_536)
            if not data:
                break
            self._buffer += data
        taken, self._buffer = self._buffer[:size], self._buffer[size:]
        return taken

    def greet(self) -> None:
        """Exchanges preambles."""
        assert self.take(8) == CLIENT
        self.socket.sendall(PREAMBLE)

    def receive(self) -> Frame | None:
        """The next frame; None at the end."""
        head = self.take(4)
        if len(head) < 4:
            return None
        data = self.take(int.from_bytes(head, "big"))
        kind, flags, call = struct.unpack_from(">BBI", data)
        return Frame(kind, flags, call, data[6:])

    def expect(self, kind: int) -> Frame:
        """The next frame, which is of this kind."""
        found = self.receive()
        assert found is not None and found.kind == kind, found
        return found

    def send(self, *frames: bytes) -> None:
        """Sends bytes."""
        self.socket.sendall(b"".join(frames))

    def until_end(self) -> list[Frame]:
        """Everything else that the client sends."""
        found: list[Frame] = []
        while True:
            try:
                one = self.receive()
            except OSError:
                return found
            if one is None:
                return found
            found.append(one)


Script = Callable[[Peer], None]


class Server:
    """Plays one script a connection, in order; a script that fails fails the test."""

    def __init__(self, scripts: tuple[Script, ...], context: ssl.SSLContext | None) -> None:
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self.failures: list[BaseException] = []
        self.connections = 0
        self._scripts = scripts
        self._context = context
        self._open: list[socket.socket] = []
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        players: list[threading.Thread] = []
        for script in self._scripts:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                break
            self.connections += 1
            self._open.append(connection)
            player = threading.Thread(target=self._play, args=(script, connection), daemon=True)
            player.start()
            players.append(player)
        for player in players:
            player.join(10)

    def _play(self, script: Script, connection: socket.socket) -> None:
        try:
            if self._context is not None:
                connection = self._context.wrap_socket(connection, server_side=True)
                self._open.append(connection)
            with connection:
                script(Peer(connection))
        except (ssl.SSLError, ConnectionError):
            pass
        except BaseException as failure:
            self.failures.append(failure)

    def stop(self) -> None:
        """Ends the server; fails if a script has failed."""
        self._listener.close()
        # An accept that waits is woken by a last connection, where closing does not.
        for connection in self._open:
            with suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)
        if self.connections == len(self._scripts):
            self._thread.join(10)
        for failure in self.failures:
            raise failure


@contextmanager
def serve(*scripts: Script, context: ssl.SSLContext | None = None) -> Generator[Server, None, None]:
    """A server with these scripts."""
    server = Server(scripts, context)
    try:
        yield server
    finally:
        server.stop()


@contextmanager
def dead_port() -> Generator[int, None, None]:
    """A port that refuses connections: bound, so that no other program gets it, without a listener."""
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        yield bound.getsockname()[1]
