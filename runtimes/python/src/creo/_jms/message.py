"""AMQP 1.0 messages as bytes (JMS-3, JMS-4, JMS-16), without transport or library.

The content of received messages is not trusted and only measured here: values of other types are
skipped, however deeply they are nested.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final, Union

from .._base import MAX_HEADERS, CreoError, ErrorCode, answer_too_large, too_large

if TYPE_CHECKING:
    from typing_extensions import TypeAlias

    from .._base import Limits
    from .._binary import Part

    Buffer: TypeAlias = Union[bytes, bytearray, memoryview]

_HEADER, _PROPERTIES, _APPLICATION, _DATA, _SEQUENCE, _VALUE = 0x70, 0x73, 0x74, 0x75, 0x76, 0x77
_SECTIONS: Final = {
    b"amqp:header:list": _HEADER,
    b"amqp:delivery-annotations:map": 0x71,
    b"amqp:message-annotations:map": 0x72,
    b"amqp:properties:list": _PROPERTIES,
    b"amqp:application-properties:map": _APPLICATION,
    b"amqp:data:binary": _DATA,
    b"amqp:amqp-sequence:list": _SEQUENCE,
    b"amqp:amqp-value:*": _VALUE,
    b"amqp:footer:map": 0x78,
}
#: The sizes after a constructor, by its upper half; for sized values, the size's bytes.
_FIXED: Final = {4: 0, 5: 1, 6: 2, 7: 4, 8: 8, 9: 16}
_SIZED: Final = {0xA: 1, 0xB: 4, 0xC: 1, 0xD: 4, 0xE: 1, 0xF: 4}
_NULL, _TRUE, _FALSE = b"\x40", b"\x41", b"\x42"
_STRINGS: Final = (0xA1, 0xB1)
_BINARIES: Final = (0xA0, 0xB0)
_SYMBOLS: Final = (0xA3, 0xB3)
_CORRELATION_ID: Final = 5


# Writing


def write_message(
    *,
    durable: bool,
    priority: int,
    time_to_live: int | None,
    to: str,
    reply_to: str | None,
    correlation: str,
    properties: Mapping[str, str],
    body: Sequence[Part],
) -> list[Part]:
    """A message with one data section, as parts."""
    header = [
        _TRUE if durable else _FALSE,
        bytes((0x50, priority)),
        _NULL if time_to_live is None else b"\x70" + struct.pack(">I", time_to_live),
    ]
    # AMQP's own content type stays that of bytes: brokers would turn others into text.
    known = [
        _NULL,
        _NULL,
        _string(to),
        _NULL,
        _NULL if reply_to is None else _string(reply_to),
        _string(correlation),
        _sized(0xA3, b"application/octet-stream"),
    ]
    pairs: list[bytes] = []
    for key, value in properties.items():
        pairs += (_string(key), _string(value))
    head = b"".join(
        (
            _compound(_HEADER, 0xC0, header),
            _compound(_PROPERTIES, 0xC0, known),
            _compound(_APPLICATION, 0xC1, pairs),
            bytes((0, 0x53, _DATA, 0xB0)),
            struct.pack(">I", sum(map(len, body))),
        )
    )
    return [head, *body]


def _string(text: str) -> bytes:
    return _sized(0xA1, text.encode())


def _sized(constructor: int, data: bytes) -> bytes:
    """A variable-width value; ``constructor`` is that of the short form."""
    if len(data) < 256:
        return bytes((constructor, len(data))) + data
    return bytes((constructor + 0x10,)) + struct.pack(">I", len(data)) + data


def _compound(section: int, constructor: int, items: Sequence[bytes]) -> bytes:
    content = b"".join(items)
    head = bytes((0, 0x53, section))
    if len(content) < 255 and len(items) < 256:
        return head + bytes((constructor, len(content) + 1, len(items))) + content
    sizes = struct.pack(">II", len(content) + 4, len(items))
    return head + bytes((constructor + 0x10,)) + sizes + content


# Reading


class Cut(Exception):
    """The bytes end within a value."""


class Message:
    """The content of a message that a client needs."""

    __slots__ = ("body", "correlation", "is_text", "problem", "properties")

    def __init__(self) -> None:
        self.correlation: str | None = None
        self.properties: dict[str, str | bool] = {}
        self.body: bytes = b""
        self.is_text = False
        """Whether the body is a string, which is UTF-8 whatever its declaration."""
        self.problem: CreoError | None = None
        """Why its call fails, if the message is refused."""


def read_message(data: Buffer, limits: Limits) -> Message:
    """A whole message; its ``problem`` describes an invalid one."""
    message = Message()
    try:
        _read(memoryview(data), message, limits)
    except Cut:
        message.problem = _malformed("a message ends within a section")
    except CreoError as error:
        message.problem = error
    return message


def read_correlation(data: Buffer) -> str | None:
    """The correlation id of a message whose end is missing."""
    view = memoryview(data)
    p = 0
    try:
        while p < len(view):
            section, p = _section(view, p)
            if section == _PROPERTIES:
                return _correlation(view, p)
            if section > _PROPERTIES:
                return None
            p = _skip(view, p)
    except (Cut, CreoError):
        return None
    return None


def _read(view: memoryview, message: Message, limits: Limits) -> None:
    p, last, found = 0, 0, 0
    parts: list[memoryview] = []
    while p < len(view):
        section, p = _section(view, p)
        if section < last or (section == last and section not in (_DATA, _SEQUENCE)):
            raise _malformed("the sections of a message are out of order")
        last = section
        if section < _DATA and _skip(view, p) > limits.max_header_size:
            allowed = limits.max_header_size
            told = f"the properties of an answer are larger than {allowed} bytes"
            raise too_large("maxHeaderSize", allowed, told)
        if section == _PROPERTIES:
            message.correlation = _correlation(view, p)
        elif section == _APPLICATION:
            message.properties = _application(view, p, limits)
        elif section == _DATA:
            found = section
            part, p = _variable(view, p, _BINARIES)
            if part is None:
                raise _malformed("a data section holds no bytes")
            parts.append(part)
            continue
        elif section == _VALUE:
            found = section
            part, after = _variable(view, p, _STRINGS)
            message.is_text = part is not None
            if part is None:
                part, after = _variable(view, p, _BINARIES)
            if part is None:
                raise _unsupported()
            parts.append(part)
            p = after
            continue
        elif section == _SEQUENCE:
            raise _unsupported()
        p = _skip(view, p)
    if not found:
        raise _unsupported()
    size = sum(map(len, parts))
    if size > limits.max_body:
        raise answer_too_large(limits)
    message.body = bytes(parts[0]) if len(parts) == 1 else b"".join(parts)


def _correlation(view: memoryview, p: int) -> str | None:
    """The correlation id in a properties section; None if there is no text one."""
    count, p, end = _list(view, p, (0xC0, 0xD0))
    if count <= _CORRELATION_ID:
        return None
    for _ in range(_CORRELATION_ID):
        p = _skip(view, p)
    text, after = _variable(view, p, _STRINGS)
    if text is None or after > end:
        return None
    return _text(text)


def _application(view: memoryview, p: int, limits: Limits) -> dict[str, str | bool]:
    count, p, end = _list(view, p, (0xC1, 0xD1))
    if count > 2 * MAX_HEADERS:
        told = f"an answer has more than {MAX_HEADERS} properties"
        raise too_large("maxHeaderSize", limits.max_header_size, told)
    found: dict[str, str | bool | None] = {}
    while p < end:
        key, p = _variable(view, p, _STRINGS)
        if key is None:
            raise _malformed("the name of a property is no text")
        name = _text(key)
        if name in found:
            raise _malformed("a property stands twice")
        found[name] = None
        text, after = _variable(view, p, _STRINGS)
        if text is not None:
            found[name] = _text(text)
        elif view[p] in (0x41, 0x42):
            found[name] = view[p] == 0x41
        elif view[p] == 0x56 and p + 1 < len(view):
            found[name] = view[p + 1] == 1
        p = after if text is not None else _skip(view, p)
    if p != end:
        raise _malformed("the properties are longer than they say")
    return {name: value for name, value in found.items() if value is not None}


def _section(view: memoryview, p: int) -> tuple[int, int]:
    """The number of the section at this position, and the position of its value."""
    if view[p] != 0:
        raise _malformed("a section of a message is expected")
    if p + 2 >= len(view):
        raise Cut
    number = 0
    constructor = view[p + 1]
    if constructor == 0x53:
        number, p = view[p + 2], p + 3
    elif constructor == 0x80:
        if p + 10 > len(view):
            raise Cut
        (number,) = struct.unpack_from(">Q", view, p + 2)
        p += 10
    elif constructor in _SYMBOLS:
        name, p = _variable(view, p + 1, _SYMBOLS)
        number = _SECTIONS.get(bytes(name or b""), 0)
    if not 0x70 <= number <= 0x78:
        raise _malformed("a section of a message is expected")
    return number, p


def _variable(
    view: memoryview, p: int, constructors: tuple[int, int]
) -> tuple[memoryview | None, int]:
    """The bytes of a value of one of these two types; None for another type."""
    if p >= len(view):
        raise Cut
    if view[p] not in constructors:
        return None, p
    size, p = _size(view, p + 1, 1 if view[p] == constructors[0] else 4)
    if p + size > len(view):
        raise Cut
    return view[p : p + size], p + size


def _list(view: memoryview, p: int, constructors: tuple[int, int]) -> tuple[int, int, int]:
    """The number of values of a list or map, and their range."""
    if p >= len(view):
        raise Cut
    if view[p] == 0x45:
        return 0, p + 1, p + 1
    if view[p] not in constructors:
        raise _malformed("a section of a message has another type")
    width = 1 if view[p] == constructors[0] else 4
    size, p = _size(view, p + 1, width)
    end = p + size
    if end > len(view):
        raise Cut
    if size < width:
        raise _malformed("a section of a message is shorter than its count")
    count, p = _size(view, p, width)
    return count, p, end


def _skip(view: memoryview, p: int) -> int:
    """The end of the value at this position. Skips nested values by their size."""
    left = 1
    while left:
        if p >= len(view):
            raise Cut
        constructor = view[p]
        p += 1
        left -= 1
        if constructor == 0:
            left += 2
            continue
        upper = constructor >> 4
        width = _SIZED.get(upper)
        if width is not None:
            size, p = _size(view, p, width)
            p += size
        elif upper in _FIXED:
            p += _FIXED[upper]
        else:
            raise _malformed("a value of a message has an unknown type")
        if p > len(view):
            raise Cut
    return p


def _size(view: memoryview, p: int, width: int) -> tuple[int, int]:
    if p + width > len(view):
        raise Cut
    return int.from_bytes(view[p : p + width], "big"), p + width


def _text(data: memoryview) -> str:
    try:
        return bytes(data).decode()
    except UnicodeDecodeError:
        raise _malformed("a text of a message is not UTF-8") from None


def _malformed(message: str) -> CreoError:
    return CreoError(ErrorCode.MALFORMED, message)


def _unsupported() -> CreoError:
    """JMS-3: the error for a message that contains neither bytes nor text."""
    message = "the answer is no message of bytes or text"
    details = {"fault-code": "unsupportedJMSMessageFormat"}
    return CreoError(ErrorCode.PROTOCOL_MISMATCH, message, details=details)
