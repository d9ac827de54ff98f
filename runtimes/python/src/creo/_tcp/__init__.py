"""Frames and calls as bytes, without input or output (``spec/transports/tcp.md``).

Both clients share this: they feed it received bytes and handle its events. Frames of items and of
credit come as a ``RawAnswer`` of their kind.
"""

from __future__ import annotations

import struct
import time
import zlib
from collections.abc import Container, Mapping
from typing import TYPE_CHECKING, Any, Final, NamedTuple, NoReturn, Protocol, TypeVar, Union

from .._base import CreoError, ErrorCode, Limits, answer_too_large, module_of, too_large
from .._call import EXCEPTION, NO_METADATA, RESPONSE, RawAnswer
from .._call.metadata import read_metadata

if TYPE_CHECKING:
    from collections.abc import Sequence

    from typing_extensions import TypeAlias

    from .._binary import Part
    from .._call import Method

VERSION: Final = 1
ABLE_TO_INFLATE: Final = 1
READS_METADATA: Final = 2


def preamble(wire: int) -> bytes:
    """The client's preamble; ``wire`` is that of all bodies (TCP-1)."""
    return b"CREO" + bytes((VERSION, ABLE_TO_INFLATE | READS_METADATA, wire, 0))


PREAMBLE: Final = preamble(0)

REQUEST: Final = 1
ERROR, DATA, CANCEL, PING, PONG, GOODBYE, ITEMS, CREDIT = range(4, 12)
MORE, COMPRESSED, METADATA, END = 1, 2, 4, 8

#: The longest count has so many bytes (BIN-2).
_COUNT: Final = 5

_HEADER: Final = struct.Struct(">IBBI")
_REQUEST: Final = struct.Struct(">IBBIQI")
_FLAGS: Final = {
    RESPONSE: MORE | COMPRESSED | METADATA,
    EXCEPTION: MORE | COMPRESSED | METADATA,
    ERROR: MORE | COMPRESSED | METADATA,
    DATA: MORE,
    CANCEL: 0,
    PING: 0,
    PONG: 0,
    GOODBYE: 0,
    ITEMS: 0,
    CREDIT: 0,
}
#: The least lengths, where they are above that of an empty body.
_LEAST: Final = {ITEMS: 7, CREDIT: 10}


class Streams(Protocol):
    """The streams of a call: what a connection without the part for streams knows of them."""

    def receive(self, frame: RawAnswer) -> None:
        """Takes in a frame of items or of credit.

        :raises CreoError: the peer violates the protocol (TCP-33).
        """
        ...


def receive(streams: Streams | None, frame: RawAnswer) -> None:
    """Takes in a frame of items or of credit, of a call under way that may have no streams.

    :raises CreoError: the peer violates the protocol (TCP-33).
    """
    if streams is not None:
        streams.receive(frame)
    elif frame.kind != CREDIT:
        raise CreoError(ErrorCode.MALFORMED, "the server sent items of a call without streams")


class Ping(NamedTuple):
    """The peer checks whether this side is alive."""

    number: int


class Goodbye(NamedTuple):
    """The server drains: new calls must use another connection."""


class Broken(NamedTuple):
    """The peer violates the protocol: the connection must be closed. Nothing follows."""

    error: CreoError


if TYPE_CHECKING:
    Event: TypeAlias = Union[RawAnswer, Ping, Goodbye, Broken]


class _Chain:
    """A body that is arriving."""

    __slots__ = ("call", "error", "first", "flags", "kind", "parts", "since", "size", "wanted")

    def __init__(self, call: int, kind: int, flags: int, wanted: bool) -> None:
        self.call = call
        self.kind = kind
        self.flags = flags
        self.wanted = wanted
        self.first = 0
        """How many bytes the first frame has, if they begin with metadata."""
        self.parts: list[bytes] = []
        self.size = 0
        self.error: CreoError | None = None
        self.since = time.monotonic()


class Incoming:
    """Turns received bytes into events. Memory grows only with what has arrived (LIM-3)."""

    def __init__(self, limits: Limits, wanted: Container[int], peer: str = "the server") -> None:
        """``wanted`` has the ids of the calls in progress; other answers are dropped (TCP-9).

        ``peer`` is the name of the other side in messages.
        """
        self._limits = limits
        self._wanted = wanted
        self._peer = peer
        self._rest: bytes = b""
        self._missing = 0
        self._more = False
        self._chain: _Chain | None = None
        self.greeted = False
        """Whether the peer's preamble has come."""
        self.peer_inflates = False
        """Whether the peer reads compressed bodies."""

    @property
    def arriving_since(self) -> float | None:
        """When the first byte of the incomplete body came; None if there is none."""
        return None if self._chain is None else self._chain.since

    def feed(self, data: bytes) -> list[Event]:
        """The events of these bytes, after earlier ones; answers before a broken frame count."""
        events: list[Event] = []
        try:
            self._feed(data, events)
        except CreoError as error:
            events.append(Broken(error))
        return events

    def _feed(self, data: bytes, events: list[Event]) -> None:
        if self._rest:
            data = self._rest + data
        p = 0
        if not self.greeted:
            _check_preamble(data, self._peer)
            if len(data) < len(PREAMBLE):
                self._rest = data
                return
            self.greeted = True
            self.peer_inflates = bool(data[5] & ABLE_TO_INFLATE)
            p = len(PREAMBLE)
        end = len(data)
        while True:
            chain = self._chain
            if self._missing and chain is not None:
                size = min(self._missing, end - p)
                self._keep(chain, data[p : p + size] if size < end else data)
                p += size
                self._missing -= size
                if self._missing:
                    break
            if chain is not None and not self._more:
                self._chain = None
                if chain.wanted:
                    events.append(self._finish(chain))
            if end - p < 10:
                break
            p = self._frame(data, p, events)
        self._rest = data[p:]

    def lost(self) -> CreoError:
        """Why calls end if the peer closes the connection now."""
        if not self.greeted:
            message = f"{self._peer} closed the connection before its preamble"
        else:
            message = f"{self._peer} closed the connection"
        return CreoError(ErrorCode.UNAVAILABLE, message)

    def _frame(self, data: bytes, p: int, events: list[Event]) -> int:
        """Takes the head of a frame; ``_missing`` takes its body."""
        length, kind, flags, call = _HEADER.unpack_from(data, p)
        allowed = _FLAGS.get(kind)
        if allowed is None:
            _refuse(f"a frame of kind {kind}")
        if flags & ~allowed:
            _refuse(f"flags {flags:02x} on a frame of kind {kind}")
        if length < 6 or length > 0x7FFF_FFFF:
            _refuse(f"a frame of length {length}")
        if length < _LEAST.get(kind, 6) or (kind == CREDIT and length != 10):
            _refuse(f"a frame of kind {kind} with length {length}")
        if CANCEL <= kind <= GOODBYE:
            if length != 6:
                _refuse(f"a frame of kind {kind} with length {length}")
            if kind == PING:
                events.append(Ping(call))
            elif kind == GOODBYE:
                events.append(Goodbye())
            elif kind == CANCEL and self._chain is not None and self._chain.call == call:
                self._chain = None
            return p + 10
        if kind == DATA:
            if self._chain is None or self._chain.call != call:
                _refuse("a data frame without its chain")
        elif self._chain is not None:
            _refuse("a frame between the frames of a chain")
        else:
            wanted = call in self._wanted or (kind == ERROR and call == 0)
            self._chain = _Chain(call, kind, flags, wanted)
            if flags & METADATA:
                if kind == ERROR and call == 0:
                    _refuse("an error of the connection with metadata")
                self._chain.first = length - 6
        self._more = bool(flags & MORE)
        self._missing = length - 6
        self._announce(self._chain, length - 6)
        return p + 10

    def _announce(self, chain: _Chain, size: int) -> None:
        """Enforces LIM-1 before the bytes come; a larger body is read to its end and dropped."""
        chain.size += size
        allowed = self._limits.max_message_size
        if chain.size <= allowed:
            return
        # Metadata are no part of the body, whose size is known when they have been taken.
        before = self._limits.max_metadata_size if chain.flags & METADATA else 0
        if chain.size > allowed + before and chain.error is None:
            chain.parts.clear()
            chain.error = self._too_large()
        if chain.size > 2 * allowed + before:
            raise too_large(
                "maxMessageSize",
                allowed,
                f"an answer of {chain.size} bytes is larger than the {allowed} allowed, "
                "and was not read to its end",
            )

    def _keep(self, chain: _Chain, data: bytes) -> None:
        if chain.wanted and chain.error is None:
            chain.parts.append(data)

    def _too_large(self) -> CreoError:
        allowed = self._limits.max_message_size
        message = f"the answer is larger than the {allowed} bytes allowed"
        return too_large("maxMessageSize", allowed, message)

    def _finish(self, chain: _Chain) -> RawAnswer:
        if chain.error is not None:
            return RawAnswer(chain.call, chain.kind, b"", chain.error, None)
        parts = chain.parts
        if not chain.flags & (METADATA | COMPRESSED):
            body = parts[0] if len(parts) == 1 else b"".join(parts)
            return RawAnswer(chain.call, chain.kind, body, None)
        metadata: Mapping[str, str] | None = None
        try:
            metadata = self._metadata(chain) if chain.flags & METADATA else NO_METADATA
            body = b"".join(parts)
            if chain.flags & COMPRESSED:
                body = inflate(body, self._limits)
        except CreoError as error:
            return RawAnswer(chain.call, chain.kind, b"", error, metadata)
        return RawAnswer(chain.call, chain.kind, body, None, metadata)

    def _metadata(self, chain: _Chain) -> Mapping[str, str]:
        """Takes the metadata away from before the body (TCP-23)."""
        parts = chain.parts
        wanted = min(chain.first, self._limits.max_metadata_size + _COUNT)
        size = n = 0
        while size < wanted:
            size += len(parts[n])
            n += 1
        # A part belongs to one frame.
        head = b"".join(parts[:n])
        found, end = read_metadata(head, self._limits)
        if chain.size - end > self._limits.max_message_size:
            raise self._too_large()
        parts[:n] = [head[end:]]
        return found


def inflate(data: bytes, limits: Limits, kind: int = zlib.MAX_WBITS) -> bytes:
    """Decompresses one zlib stream, or gzip if ``kind`` is 31, up to a limit."""
    allowed = limits.max_body
    stream = zlib.decompressobj(kind)
    try:
        body = stream.decompress(data, allowed + 1)
    except zlib.error:
        body = b""
    if len(body) > allowed:
        raise answer_too_large(limits)
    if not stream.eof or stream.unused_data:
        raise CreoError(ErrorCode.MALFORMED, "a compressed body is not one stream")
    return body


def request(
    call: int,
    method: int,
    milliseconds: int,
    metadata: bytes,
    body: Sequence[Part],
    *,
    compress_above: int | None = None,
) -> list[Part]:
    """The parts of a request's frame.

    ``metadata`` comes from ``encode_metadata``. A body above ``compress_above`` bytes is compressed
    if that makes it smaller.
    """
    flags = METADATA if metadata else 0
    size = sum(map(len, body))
    if compress_above is not None and size > compress_above:
        squeezed = _deflate(body)
        if len(squeezed) < size:
            body, size, flags = (squeezed,), len(squeezed), flags | COMPRESSED
    length = 18 + len(metadata) + size
    if length > 0x7FFF_FFFF:
        raise too_large("maxMessageSize", 0x7FFF_FFFF, "a request does not fit into a frame")
    parts: list[Part] = [_REQUEST.pack(length, REQUEST, flags, call, method, milliseconds)]
    if metadata:
        parts.append(metadata)
    parts += body
    return parts


def _deflate(body: Sequence[Part]) -> bytes:
    stream = zlib.compressobj()
    return b"".join([stream.compress(part) for part in body]) + stream.flush()


def control(kind: int, call: int) -> bytes:
    """A frame without a body: cancel, ping, pong."""
    return head(kind, call)


def head(kind: int, call: int, size: int = 0, flags: int = 0) -> bytes:
    """The head of a frame whose body has so many bytes."""
    return _HEADER.pack(size + 6, kind, flags, call)


def _refuse(what: str) -> NoReturn:
    raise CreoError(ErrorCode.MALFORMED, f"the server sent {what}")


_HTTP: Final = (b"HTTP/", b"GET ", b"POST ", b"PUT ", b"HEAD ", b"DELETE ", b"OPTIONS ", b"PATCH ")


def _check_preamble(data: bytes, peer: str) -> None:
    """Names the protocol that the peer speaks instead (TCP-2)."""
    if data[:4] == b"CREO"[: len(data[:4])]:
        if len(data) > 4 and data[4] != VERSION:
            message = f"{peer} speaks version {data[4]} of the protocol, this side {VERSION}"
            raise CreoError(ErrorCode.PROTOCOL_MISMATCH, message)
        return
    if any(data[: len(start)] == start[: len(data)] for start in _HTTP) and len(data) > 3:
        spoken = "HTTP"
    elif data[:2] in (b"\x16\x03", b"\x15\x03"):
        spoken = "TLS, and this client was not told to"
    elif len(data) < 4 and any(start.startswith(data) for start in (*_HTTP, b"\x16", b"\x15")):
        return
    else:
        spoken = f"an unknown protocol, whose first bytes are {data[:8].hex(' ')}"
    raise CreoError(ErrorCode.PROTOCOL_MISMATCH, f"{peer} speaks {spoken}")


# Wires of bodies

#: How often a call that was not written at all is tried on another connection.
CONNECTIONS: Final = 3

R = TypeVar("R")
R_co = TypeVar("R_co", covariant=True)


class TcpOperation(Protocol[R_co]):
    """A method on one wire."""

    def encode(self, arguments: Any, limits: Limits) -> Sequence[Part]:
        """The body of a request."""
        ...

    def finish(self, answer: RawAnswer, limits: Limits, peer: str) -> R_co:
        """The result; or raises the declared exception or error of the answer."""
        ...


class TcpWire(Protocol):
    """A wire, as spoken by a channel."""

    @property
    def number(self) -> int:
        """Its number in the preamble (TCP-1)."""
        ...

    def operation(self, method: Method[Any, R]) -> TcpOperation[R]:
        """A method on this wire."""
        ...


class _BinaryWire:
    number = 0

    def operation(self, method: Method[Any, R]) -> TcpOperation[R]:
        return method


_BINARY: Final = _BinaryWire()


def wire_of(name: str, scheme: str, schema: bool) -> TcpWire:
    """The wire with this name; ``scheme`` and ``schema`` are for tables."""
    if name == "tdxml":
        found: TcpWire = module_of("_tdxml.tcp").TdxmlWire(scheme, schema)
        return found
    if name != "binary":
        raise ValueError(f"the wires over TCP are 'binary' and 'tdxml', not {name!r:.40}")
    return _BINARY
