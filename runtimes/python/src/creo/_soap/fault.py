"""Faults: what they say to a client (SOAP-10 to SOAP-13)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

from .._base import CreoError, ErrorCode, peer_error, shown
from .._text.read import Problem
from .._xml.read import READERS
from .._xml.scan import Scanner, error_of, nil
from .._xml.scope import Key, Tag

if TYPE_CHECKING:
    from .._base import Limits
    from .._text import TextRecord

ERROR_NAMESPACE: Final = "urn:creo:error"

_MAX_DETAILS: Final = 256
_DETAIL: Final = (ERROR_NAMESPACE, "detail")
#: The parts of a fault that are a text, and what they say.
_LEAVES: Final = {
    "faultcode": "code",
    "faultstring": "message",
    "faultactor": "actor",
    "Role": "actor",
}
#: JMS-8: the faults of SOAP over JMS, whose code, or subcode, has one of these names.
_REFUSALS: Final = frozenset(
    (
        "contentEncodingNotSupported",
        "contentTypeMismatch",
        "malformedRequestURI",
        "mismatchedSoapAction",
        "missingContentType",
        "missingRequestURI",
        "missingSoapAction",
        "targetServiceNotAllowedInRequestURI",
        "unrecognizedBindingVersion",
        "unsupportedJMSMessageFormat",
    )
)
_CODES: Final = {
    "Client": ErrorCode.MALFORMED,
    "Sender": ErrorCode.MALFORMED,
    "VersionMismatch": ErrorCode.PROTOCOL_MISMATCH,
    "MustUnderstand": ErrorCode.PROTOCOL_MISMATCH,
}


class FaultReader:
    """Reads a fault of either version, and loses none of its words (SOAP-14)."""

    def __init__(
        self, x: Scanner, throws: tuple[TextRecord, ...], limits: Limits, peer: str
    ) -> None:
        self._x = x
        self._throws = {(record.namespace, record.local): record for record in throws}
        self._limits = limits
        self._peer = peer
        self._said: dict[str, str] = {}
        self._detail = ""
        self._problem = ""
        self._found: BaseException | None = None
        self._error: tuple[str, dict[str, str]] | None = None

    def read(self, fault: Tag) -> BaseException:
        """What the fault raises."""
        x = self._x
        for part in self._elements(fault):
            local = part.key[1]
            if local in _LEAVES:
                self._say(_LEAVES[local], part)
            elif local == "Code":
                self._code(part)
            elif local == "Reason":
                for inner in self._elements(part):
                    self._say("message" if inner.key[1] == "Text" else "", inner)
            elif local in ("detail", "Detail") and not self._detail:
                self._details(part)
            else:
                x.skip(part)
        return self._found or self._as_error()

    def _elements(self, tag: Tag) -> Iterator[Tag]:
        """The elements within another, past any text; each is to be read to its end."""
        x = self._x
        while not tag.empty:
            inner = x.within()
            if inner is None:
                break
            yield inner
        x.end(tag)

    def _say(self, name: str, tag: Tag) -> None:
        """Takes the text of a part, unless it has no name, or there was one of that."""
        if not name or name in self._said:
            self._x.skip(tag)
        else:
            self._said[name] = self._words(tag)

    def _words(self, tag: Tag) -> str:
        """The text of an element, past any elements."""
        x = self._x
        words: list[str] = []
        while not tag.empty:
            inner = x.within(words)
            if inner is None:
                break
            x.skip(inner)
        x.end(tag)
        return "".join(words)

    def _code(self, part: Tag) -> None:
        """``Code`` with ``Value`` and ``Subcode``, whatever is nested within that."""
        for inner in self._elements(part):
            if inner.key[1] == "Subcode":
                for value in self._elements(inner):
                    self._say("subcode" if value.key[1] == "Value" else "", value)
            else:
                self._say("code" if inner.key[1] == "Value" else "", inner)

    def _details(self, part: Tag) -> None:
        x = self._x
        known = False
        for element in self._elements(part):
            record = self._throws.get(element.key)
            if known:
                x.skip(element)
            elif record is not None:
                known = True
                self._exception(record, element)
            elif element.key == (ERROR_NAMESPACE, "error"):
                known = True
                self._error = self._own(element)
            else:
                x.skip(element)
        self._detail = x.s[part.p : x.p]

    def _exception(self, record: TextRecord, element: Tag) -> None:
        """A declared exception; if it cannot be read as one, why not."""
        x = self._x
        before = x.p, x.depth, x.scope, x.levels
        try:
            value: Any = READERS.group(record).element(x, element)
        except Problem as problem:
            if problem.code is not ErrorCode.MALFORMED:
                problem.path.append("$exception")
                raise
            self._problem = str(error_of(problem, x, "$exception"))
            x.p, x.depth, x.scope, x.levels = before
            x.pending = None
            x.skip(element)
            return
        if not isinstance(value, BaseException):
            raise TypeError("what a method throws is an exception")
        self._found = value

    def _own(self, element: Tag) -> tuple[str, dict[str, str]]:
        """The error as the runtime writes it (SOAP-11)."""
        x = self._x
        code = dict(element.attributes).get(("", "code"), "")
        details: dict[str, str] = {}
        for detail in self._elements(element):
            key: Key = ("", "key")
            name = dict(detail.attributes).get(key, "")
            if detail.key != _DETAIL or nil(detail) or len(details) >= _MAX_DETAILS:
                x.skip(detail)
            else:
                details[name] = self._words(detail)
        return code, details

    def _as_error(self) -> CreoError:
        code, subcode, message, actor = (
            self._said.get(name, "").strip() for name in ("code", "subcode", "message", "actor")
        )
        if self._error is not None:
            word, given = self._error
            return peer_error(word, message, given, self._peer)
        local = _local(code)
        said = {
            "fault-code": code,
            "fault-subcode": subcode,
            "fault-actor": actor,
            "fault-detail": self._detail,
            "fault-problem": self._problem,
        }
        details = {name: shown(text) for name, text in said.items() if text}
        details["peer"] = self._peer
        found = _CODES.get(local.partition(".")[0], ErrorCode.INTERNAL)
        for refusal in (local, _local(subcode)):
            if refusal in _REFUSALS:
                found, details["fault-code"] = ErrorCode.PROTOCOL_MISMATCH, refusal
        text = shown(message) or "a fault without a text"
        return CreoError(found, text, details=details, from_peer=True)


def _local(name: str) -> str:
    """The local name of a code, whose namespace may stand before it in several ways."""
    return name.rpartition("}")[2].rpartition(":")[2]
