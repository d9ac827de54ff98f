"""Faults for clients (SOAP-10 to SOAP-13)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from .._base import CreoError, ErrorCode, peer_error, shown
from .._text.read import Problem
from .._xml.leaf import NO_KIDS
from .._xml.read import READERS
from .._xml.tree import Tree, error_of, expanded, nil, split

if TYPE_CHECKING:
    from .._base import Limits
    from .._text import TextRecord

ERROR_NAMESPACE: Final = "urn:creo:error"

_MAX_DETAILS: Final = 256
_ERROR: Final = expanded(ERROR_NAMESPACE, "error")
_DETAIL: Final = expanded(ERROR_NAMESPACE, "detail")
#: The text parts of a fault, and their meaning.
_LEAVES: Final = {
    "faultcode": "code",
    "faultstring": "message",
    "faultactor": "actor",
    "Role": "actor",
}
#: JMS-8: the names of the codes or subcodes in faults of SOAP over JMS.
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
    """Reads a fault of either version, and keeps all its texts (SOAP-14)."""

    def __init__(self, x: Tree, throws: tuple[TextRecord, ...], limits: Limits, peer: str) -> None:
        self._x = x
        self._throws = {expanded(record.namespace, record.local): record for record in throws}
        self._limits = limits
        self._peer = peer
        self._said: dict[str, str] = {}
        self._detail = ""
        self._problem = ""
        self._found: BaseException | None = None
        self._error: tuple[str, dict[str, str]] | None = None

    def read(self, fault: Any) -> BaseException:
        """The exception for the fault."""
        x = self._x
        for part in x.elements(fault):
            local = split(part.tag)[1]
            if local in _LEAVES:
                self._say(_LEAVES[local], part)
            elif local == "Code":
                self._code(part)
            elif local == "Reason":
                for inner in x.elements(part):
                    self._say("message" if split(inner.tag)[1] == "Text" else "", inner)
            elif local in ("detail", "Detail") and not self._detail:
                self._details(part)
            else:
                x.skip(part)
        return self._found or self._as_error()

    def _say(self, name: str, e: Any) -> None:
        """Takes the text of a part, unless it has no name or is a repeated one."""
        if not name or name in self._said:
            self._x.skip(e)
        else:
            self._said[name] = self._x.words(e)

    def _code(self, part: Any) -> None:
        """``Code`` with ``Value`` and any nested ``Subcode``."""
        for inner in self._x.elements(part):
            local = split(inner.tag)[1]
            if local == "Subcode":
                for value in self._x.elements(inner):
                    self._say("subcode" if split(value.tag)[1] == "Value" else "", value)
            else:
                self._say("code" if local == "Value" else "", inner)

    def _details(self, part: Any) -> None:
        x = self._x
        known = False
        for element in x.elements(part):
            record = self._throws.get(element.tag)
            if known:
                x.skip(element)
            elif record is not None:
                known = True
                self._exception(record, element)
            elif element.tag == _ERROR:
                known = True
                self._error = self._own(element)
            else:
                x.skip(element)
        self._detail = x.source(part)

    def _exception(self, record: TextRecord, element: Any) -> None:
        """A declared exception; if it cannot be read, the reason."""
        x = self._x
        levels = x.levels
        try:
            value: Any = READERS.group(record).element(x, element, NO_KIDS)
        except Problem as problem:
            if problem.code is not ErrorCode.MALFORMED:
                problem.path.append("$exception")
                raise
            self._problem = str(error_of(problem, "$exception"))
            x.levels = levels
            x.skip(element)
            return
        if not isinstance(value, BaseException):
            raise TypeError("what a method throws is an exception")
        self._found = value

    def _own(self, element: Any) -> tuple[str, dict[str, str]]:
        """The error in the runtime's own form (SOAP-11)."""
        x = self._x
        details: dict[str, str] = {}
        for detail in x.elements(element):
            if detail.tag != _DETAIL or nil(x, detail) or len(details) >= _MAX_DETAILS:
                x.skip(detail)
            else:
                details[detail.get("key") or ""] = x.words(detail)
        return element.get("code") or "", details

    def _as_error(self) -> CreoError:
        code, subcode, message, actor = (
            self._said.get(name, "").strip() for name in ("code", "subcode", "message", "actor")
        )
        if self._error is not None:
            word, given = self._error
            return peer_error(ErrorCode.of_word(word), word, message, given, self._peer)
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
    """The local name of a code, whose namespace may be written in several forms."""
    return name.rpartition("}")[2].rpartition(":")[2]
