"""Frames of spec/transports/tcp.md and messages of HTTP/1.1, written and read by hand."""

from __future__ import annotations

import json
import pathlib
import socket
import struct
import time
from dataclasses import dataclass

PREAMBLE = b"CREO\x01\x01\x00\x00"
PREAMBLE_TABLES = b"CREO\x01\x01\x01\x00"
REQUEST, RESPONSE, EXCEPTION, ERROR, DATA, CANCEL, PING, PONG, GOAWAY = range(1, 10)
MORE, COMPRESSED, METADATA = 1, 2, 4
ERRORS = ["", "malformed", "invalid-value", "too-large", "unknown-method", "deadline-exceeded", "cancelled", "unavailable", "overloaded",
          "unauthenticated", "permission-denied", "protocol-mismatch", "internal"]

# The ids of the methods, by their names; from `creo model`.
METHODS: dict[str, bytes] = {}


class Closed(Exception):
    """The peer has closed the connection."""


def load_methods(model: pathlib.Path) -> None:
    for interface in json.loads(model.read_text())["interfaces"]:
        for method in interface["methods"]:
            METHODS[method["name"]] = bytes.fromhex(method["id"])


def count(n: int) -> bytes:
    out = b""
    while n >= 0x80:
        out += bytes([n & 0x7F | 0x80])
        n >>= 7
    return out + bytes([n])


def text(value: str | bytes) -> bytes:
    raw = value.encode() if isinstance(value, str) else value
    return count(len(raw)) + raw


def i32(n: int) -> bytes:
    return struct.pack(">i", n)


def frame(kind: int, flags: int, call: int, rest: bytes = b"") -> bytes:
    return struct.pack(">IBBI", 6 + len(rest), kind, flags, call) + rest


def head(method: str, millis: int = 0) -> bytes:
    """The head of a request before its body."""
    return METHODS[method] + struct.pack(">I", millis)


def request(method: str, body: bytes = b"", call: int = 1, millis: int = 0, flags: int = 0) -> bytes:
    return frame(REQUEST, flags, call, head(method, millis) + body)


@dataclass(frozen=True)
class Frame:
    kind: int
    flags: int
    call: int
    rest: bytes

    @property
    def error(self) -> str:
        """The code of an error frame; of an answer, nothing."""
        return ERRORS[self.rest[0]] if self.kind == ERROR and self.rest and self.rest[0] < len(ERRORS) else "" if self.kind != ERROR else "unreadable"


class Stream:
    """Reads a socket until a deadline, which holds for all that is read."""

    def __init__(self, connection: socket.socket, seconds: float) -> None:
        self.connection = connection
        self.buffer = bytearray()
        self.renew(seconds)

    def renew(self, seconds: float) -> None:
        self.until = time.monotonic() + seconds

    def _more(self) -> None:
        left = self.until - time.monotonic()
        if left <= 0:
            raise TimeoutError("no answer within the deadline")
        self.connection.settimeout(left)
        got = self.connection.recv(1 << 18)
        if not got:
            raise Closed("closed by the peer")
        self.buffer += got

    def take(self, n: int) -> bytes:
        while len(self.buffer) < n:
            self._more()
        taken = bytes(self.buffer[:n])
        del self.buffer[:n]
        return taken

    def line(self) -> bytes:
        while (end := self.buffer.find(b"\r\n")) < 0:
            self._more()
        taken = bytes(self.buffer[:end])
        del self.buffer[: end + 2]
        return taken

    def rest(self) -> bytes:
        """All that comes until the peer closes."""
        try:
            while True:
                self._more()
        except (Closed, ConnectionResetError, BrokenPipeError):
            taken = bytes(self.buffer)
            self.buffer.clear()
            return taken

    def preamble(self) -> None:
        got = self.take(8)
        if got[:5] != b"CREO\x01":
            raise AssertionError(f"not a preamble: {got!r}")

    def frame(self) -> Frame:
        length, kind, flags, call = struct.unpack(">IBBI", self.take(10))
        return Frame(kind, flags, call, self.take(length - 6))

    def answer(self) -> Frame:
        """The next answer to a call, its chain joined. A chain that the service gives up (TCP-6) is none."""
        first: Frame | None = None
        rest = bytearray()
        while True:
            frame = self.frame()
            if frame.kind in (PONG, PING, GOAWAY):
                continue
            if frame.kind == CANCEL:
                first = None
                continue
            if first is None:
                first, rest = frame, bytearray(frame.rest)
            else:
                rest += frame.rest
            if not frame.flags & MORE:
                return Frame(first.kind, first.flags & ~MORE, first.call, bytes(rest))

    def response(self) -> Response:
        """The next response of HTTP/1.1."""
        status_line = self.line()
        parts = status_line.split(b" ", 2)
        if len(parts) < 2 or not parts[0].startswith(b"HTTP/1."):
            raise AssertionError(f"not a status line: {status_line[:80]!r}")
        status = int(parts[1])
        headers: dict[str, str] = {}
        while line := self.line():
            name, _, value = line.partition(b":")
            headers[name.decode("latin-1").lower()] = value.strip().decode("latin-1")
        body = b""
        if headers.get("transfer-encoding", "").lower() == "chunked":
            while size := int(self.line().split(b";")[0], 16):
                body += self.take(size)
                self.take(2)
            while self.line():
                pass
        elif status >= 200 and status not in (204, 304):
            body = self.take(int(headers.get("content-length", "0")))
        return Response(status, headers, body)


@dataclass(frozen=True)
class Response:
    status: int
    headers: dict[str, str]
    body: bytes


def http(method: str, body: bytes | object, *, kept: bool = True, more: bytes = b"") -> bytes:
    """A request of the json wire."""
    raw = body if isinstance(body, bytes) else json.dumps(body, separators=(",", ":")).encode()
    path = f"/Victim/{method}" if "/" not in method else method
    connection = b"" if kept else b"Connection: close\r\n"
    return f"POST {path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: {len(raw)}\r\n".encode() + connection + more + b"\r\n" + raw


def http_head(method: str, more: bytes) -> bytes:
    """The line and the first headers of a request, and more of them; nothing ends them."""
    return f"POST /Victim/{method} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n".encode() + more
