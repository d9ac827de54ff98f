"""The closed list of error codes, and the one exception that carries them (``spec/errors.md``)."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from .limits import Limits

_SHOWN: Final = 1_000  # ERR-8: characters of a peer's text


class ErrorCode(str, enum.Enum):
    """Why a call failed. Compares equal to the code's word: ``error.code == "malformed"``."""

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
        """The code of a number that a peer sent; ``None`` if it is none that may be sent."""
        return _SENT.get(number)

    @classmethod
    def of_word(cls, word: str) -> ErrorCode | None:
        """The code of a word that a peer sent; ``None`` if it is none that may be sent."""
        return next((code for code in _SENT.values() if code.value == word), None)


_NUMBERS: Final = {code: number for number, code in enumerate(ErrorCode, 1)}
# ERR-2: what a client finds itself is never sent.
_SENT: Final = {n: code for code, n in _NUMBERS.items() if code is not ErrorCode.UNTRUSTED_PEER}


class CreoError(Exception):
    """A call, an encoding or a decoding failed.

    ``code`` is one of the closed list; ``place`` and ``offset`` say where in the value and at
    which byte of the body, where that is known; ``details`` hold what the list gives a fixed
    meaning; ``from_peer`` says whether the other side reported the failure.
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


def shown(text: str) -> str:
    """Text that came from a peer, fit to be shown: escaped, and cut (ERR-8)."""
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
    """An answer of which the bytes alone are more than LIM-1 or LIM-18 allows."""
    allowed = limits.max_body
    limit = "maxMemory" if allowed < limits.max_message_size else "maxMessageSize"
    return too_large(limit, allowed, f"the answer is larger than the {allowed} bytes allowed")


def peer_error(word: str, message: str, details: Mapping[str, str], peer: str) -> CreoError:
    """An error that the other side reported, by its code's word and in its own words."""
    text = shown(message)
    code = ErrorCode.of_word(word)
    if code is None:
        code, text = ErrorCode.INTERNAL, f"{text} (error {shown(word)})"
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
    """The caller's value cannot be written."""
    return CreoError(ErrorCode.INVALID_VALUE, message, place=place)
