"""Used by all parts: errors, limits, and the facts about this copy of the runtime."""

from __future__ import annotations

import enum
import functools
import importlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Final

# Errors: the closed list of codes, and the exception that has them (``spec/errors.md``)

_SHOWN: Final = 1_000  # ERR-8: characters of a peer's text


class ErrorCode(str, enum.Enum):
    """Why a call failed. Equal to the code's word: ``error.code == "malformed"``."""

    MALFORMED = "malformed"
    INVALID_VALUE = "invalid-value"
    TOO_LARGE = "too-large"
    UNKNOWN_METHOD = "unknown-method"
    DEADLINE_EXCEEDED = "deadline-exceeded"
    CANCELLED = "cancelled"
    UNAVAILABLE = "unavailable"
    OVERLOADED = "overloaded"
    UNAUTHENTICATED = "unauthenticated"
    PERMISSION_DENIED = "permission-denied"
    PROTOCOL_MISMATCH = "protocol-mismatch"
    INTERNAL = "internal"
    UNTRUSTED_PEER = "untrusted-peer"

    def __str__(self) -> str:
        return self.value

    @property
    def number(self) -> int:
        """The number of this code on the binary wire (ERR-1)."""
        return _NUMBERS[self]

    @classmethod
    def of_number(cls, number: int) -> ErrorCode | None:
        """The code of a number from a peer; ``None`` if no code that may be sent has it."""
        return _SENT.get(number)

    @classmethod
    def of_word(cls, word: str) -> ErrorCode | None:
        """The code of a word from a peer; ``None`` if no code that may be sent has it."""
        return next((code for code in _SENT.values() if code.value == word), None)


_NUMBERS: Final = {code: number for number, code in enumerate(ErrorCode, 1)}
# ERR-2: an error detected by the client itself is never sent.
_SENT: Final = {n: code for code, n in _NUMBERS.items() if code is not ErrorCode.UNTRUSTED_PEER}


class CreoError(Exception):
    """A failed call, encoding or decoding.

    ``code`` is one of the closed list; ``place`` and ``offset``, if known, are the path in the
    value and the position in the body; ``details`` have the keys of ``spec/errors.md``;
    ``from_peer`` says whether the other side reported the failure. ``not_started`` and
    ``retry_after`` read the details that matter for repeating the call.
    """

    code: ErrorCode
    message: str
    place: str | None
    offset: int | None
    details: Mapping[str, str]
    from_peer: bool

    def __init__(
        self,
        code: ErrorCode | str,
        message: str,
        *,
        place: str | None = None,
        offset: int | None = None,
        details: Mapping[str, str] | None = None,
        from_peer: bool = False,
    ) -> None:
        self.code = ErrorCode(code)
        self.message = message
        self.place = place
        self.offset = offset
        self.details = MappingProxyType(dict(details or {}))
        self.from_peer = from_peer
        super().__init__(self.code.value, message)

    @property
    def not_started(self) -> bool:
        """Whether the method has certainly not begun to run; otherwise it is unknown (CALL-21)."""
        return self.details.get("started") == "no"

    @property
    def retry_after(self) -> float | None:
        """The seconds after which the call should be repeated, if the error says so (CALL-24)."""
        found = whole_number(self.details.get("retry-after", ""), _MAX_RETRY_AFTER)
        return None if found is None else found / 1_000

    def set_detail(self, key: str, value: str | None) -> CreoError:
        """Sets a detail, or removes it; only for the runtime. Returns the error."""
        details = {k: v for k, v in self.details.items() if k != key}
        if value is not None:
            details[key] = value
        self.details = MappingProxyType(details)
        return self

    def __str__(self) -> str:
        where = [self.place] if self.place is not None else []
        if self.offset is not None:
            where.append(f"byte {self.offset}")
        suffix = f" (at {', '.join(where)})" if where else ""
        return f"{self.code.value}: {self.message}{suffix}"

    def __reduce__(self) -> tuple[Any, ...]:
        state = (
            self.code.value,
            self.message,
            self.place,
            self.offset,
            dict(self.details),
            self.from_peer,
        )
        return _restore, state


def _restore(
    code: str,
    message: str,
    place: str | None,
    offset: int | None,
    details: dict[str, str],
    from_peer: bool,
) -> CreoError:
    return CreoError(
        code, message, place=place, offset=offset, details=details, from_peer=from_peer
    )


#: CALL-24: the max milliseconds; longer times are cut to it.
_MAX_RETRY_AFTER: Final = (1 << 32) - 1


def whole_number(text: str, limit: int) -> int | None:
    """A peer's number, cut to ``limit``; ``None`` if the text is not digits alone."""
    if not (text.isascii() and text.isdigit()):
        return None
    digits = text.lstrip("0")
    return limit if len(digits) > 18 else min(int(digits or "0"), limit)


def not_started(error: CreoError) -> CreoError:
    """Notes that no byte of the request was written (CALL-21)."""
    return error.set_detail("started", "no")


def shown(text: str) -> str:
    """Text from a peer in printable form: escaped and truncated (ERR-8)."""
    cut = text[:_SHOWN]
    safe = "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in cut)
    return safe + "..." if len(text) > _SHOWN else safe


def too_large(
    limit: str, allowed: int, message: str, *, place: str | None = None, offset: int | None = None
) -> CreoError:
    """A limit of ``spec/limits.md`` is exceeded (LIM-2)."""
    details = {"limit": limit, "allowed": str(allowed)}
    return CreoError(ErrorCode.TOO_LARGE, message, place=place, offset=offset, details=details)


def answer_too_large(limits: Limits) -> CreoError:
    """An answer whose bytes alone exceed LIM-1 or LIM-18."""
    allowed = limits.max_body
    limit = "maxMemory" if allowed < limits.max_message_size else "maxMessageSize"
    return too_large(limit, allowed, f"the answer is larger than the {allowed} bytes allowed")


def peer_error(
    code: ErrorCode | None, given_code: str, message: str, details: Mapping[str, str], peer: str
) -> CreoError:
    """An error that the other side reported; its code is None if ``given_code`` is unknown."""
    text = shown(message)
    if code is None:
        code, text = ErrorCode.INTERNAL, f"{text} (error {shown(given_code)})"
    given = dict(details)
    place, offset = given.pop("place", None), given.pop("offset", None)
    kept = {shown(key): shown(value) for key, value in given.items()}
    return CreoError(
        code,
        text,
        place=None if place is None else shown(place),
        offset=int(offset)
        if offset is not None and offset.isdecimal() and len(offset) < 11
        else None,
        details={**kept, "peer": peer},
        from_peer=True,
    )


def invalid_value(message: str, place: str) -> CreoError:
    """The error for a value that cannot be written."""
    return CreoError(ErrorCode.INVALID_VALUE, message, place=place)


# Limits: those of clients, with their defaults (``spec/limits.md``)


@dataclass(frozen=True)
class Limits:
    """What a client accepts. Sizes are bytes, times are seconds.

    Change some with ``dataclasses.replace(Limits(), max_depth=50)`` or ``Limits(max_depth=50)``.
    """

    #: LIM-1: bytes of one body, uncompressed; sent or received.
    max_message_size: int = 134_217_728
    #: LIM-3: memory allocated for a claimed length before its bytes have arrived.
    trusted_allocation: int = 1_048_576
    #: LIM-4: nested values of recursive types.
    max_depth: int = 100
    #: LIM-5: items of one body that take no bytes.
    max_empty_items: int = 65_536
    #: LIM-18: nominal bytes that one decoded message takes; None for four times
    #: ``max_message_size``.
    max_memory: int | None = None
    #: LIM-6: bytes of the metadata of a request.
    max_metadata_size: int = 16_384
    #: LIM-8: calls in progress on a connection.
    max_calls_per_connection: int = 1_000
    #: LIM-11: time to connect, which also counts toward the deadline.
    connect_timeout: float = 10.0
    #: LIM-20: elements of XML that are open at once.
    max_xml_depth: int = 500
    #: LIM-21: attributes and namespace declarations of one element.
    max_xml_attributes: int = 256
    #: LIM-22: bytes of a name, with its prefix.
    max_xml_name: int = 1_024
    #: LIM-23: namespace declarations in scope at once.
    max_xml_namespaces: int = 1_024
    #: LIM-24: bytes of one text or attribute; None for the size of a message.
    max_xml_text: int | None = None
    #: LIM-25: parts of a multipart message.
    max_parts: int = 1_000
    #: LIM-26: bytes of the headers of an HTTP message.
    max_header_size: int = 65_536
    #: LIM-15: time from the first byte of a fragmented message to its last.
    frame_timeout: float = 60.0
    #: LIM-38: bytes of one stream that the program has not taken yet; at least 262,144 are allowed.
    stream_window: int = 1_048_576
    #: The value of ``max_memory`` that applies.
    memory: int = field(init=False, repr=False, compare=False)
    #: The largest body that both ``max_message_size`` and ``max_memory`` allow.
    max_body: int = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        for name, value in vars(self).items():
            if value is not None and value <= 0:
                raise ValueError(f"{name} must be above 0, is {value}")
        memory = 4 * self.max_message_size if self.max_memory is None else self.max_memory
        object.__setattr__(self, "memory", memory)
        object.__setattr__(self, "max_body", min(self.max_message_size, memory))


DEFAULT_LIMITS: Final = Limits()


class DefaultDeadline(float):
    """A deadline that nobody has set. Calls with streams do not have it (CALL-44)."""


#: LIM-12: the max seconds of a call, unless the caller sets another.
DEFAULT_DEADLINE: Final = DefaultDeadline(60.0)

#: LIM-25: bytes of the headers of one part.
MAX_PART_HEADERS: Final = 16_384

#: LIM-26: headers of an HTTP message.
MAX_HEADERS: Final = 200

#: LIM-6: pairs of metadata.
MAX_METADATA_PAIRS: Final = 64


# This copy of the runtime: its version and its parts
#
# A part imports only the parts below it. What a user asks for by name, such as a value as JSON or a
# SOAP client, is found here on first use.

VERSION: Final = "0.1.0"

#: Generated code names the interface for which it was made; this runtime supports these.
OLDEST_INTERFACE: Final = 2
NEWEST_INTERFACE: Final = 2


def require(interface: int, generator: str, package: str) -> None:
    """Fails at once unless this runtime supports code generated for ``interface``."""
    if OLDEST_INTERFACE <= interface <= NEWEST_INTERFACE:
        return
    if interface > NEWEST_INTERFACE:
        advice = "update it, or use the copy that was generated with the package"
    else:
        advice = f"generate `{package}` again, with `creo` {VERSION} or later"
    raise ImportError(
        f"`{package}` was generated by creo {generator} for interface {interface} of the Python "
        f"runtime; the runtime found, creo {VERSION}, serves {OLDEST_INTERFACE} to "
        f"{NEWEST_INTERFACE}: {advice}"
    )


#: The modules that are found this way, with the wire that adds each to a copy; None for those that
#: a copy has for another reason.
WIRES: Final[dict[str, str | None]] = {
    "_aio.streams": None,
    "_call.placed": None,
    "_columns": None,
    "_jms.streams": None,
    "_json": "json",
    "_json.streaming": "json",
    "_tcp.streams": None,
    "_tdxml": "tdxml",
    "_tdxml.soap": "tdxml",
    "_tdxml.tcp": "tdxml",
    "_xml": "soap",
    "aio": None,
    "json": "json",
    "soap": "soap",
    "tcp": "binary",
    "tdxml": "tdxml",
}


@functools.cache
def module_of(name: str) -> Any:
    """A module of a higher part; ``name`` is its name within the runtime.

    :raises ImportError: if this copy of the runtime was made without it.
    """
    wire = WIRES[name]
    root = __name__.rpartition("._base")[0]
    wanted = f"{root}.{name}"
    try:
        return importlib.import_module(wanted)
    except ModuleNotFoundError as missing:
        if not f"{wanted}.".startswith(f"{missing.name}."):
            raise
        lacks = f"the part {name.rpartition('.')[2].strip('_')}"
        if wire is not None:
            lacks = f"the wire {wire}: generate with `--wires {wire}`"
        message = f"this copy of the runtime was generated without {lacks}"
        raise ImportError(message, name=wanted) from None
