"""Faults: what they say to a client (SOAP-10 to SOAP-13)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from ._errors import CreoError, ErrorCode, peer_error, shown
from ._xml_read import READERS
from ._xml_scan import Scanner, nil
from ._xml_scope import Key, Problem, Tag

if TYPE_CHECKING:
    from ._limits import Limits
    from ._text import TextRecord

ERROR_NAMESPACE: Final = "urn:creo:error"

_MOST_DETAILS: Final = 256
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
    """Reads a fault of either version."""

    def __init__(
        self, x: Scanner, throws: tuple[TextRecord, ...], limits: Limits, peer: str
    ) -> None:
        self._x = x
        self._throws = {(record.namespace, record.local): record for record in throws}
        self._peer = peer
        self._code = ""
        self._subcode = ""
        self._message = ""
        self._actor = ""
        self._detail = ""
        self._found: BaseException | None = None
        self._error: tuple[str, dict[str, str]] | None = None

    def read(self, fault: Tag) -> BaseException:
        """What the fault raises."""
        x = self._x
        while not fault.empty:
            part = x.next()
            if part is None:
                break
            local = part.key[1]
            if local in ("faultcode", "faultstring", "faultactor", "Role"):
                text = x.text(part)
                if local == "faultcode":
                    self._code = text.strip()
                elif local == "faultstring":
                    self._message = text
                else:
                    self._actor = text.strip()
            elif local in ("Code", "Reason"):
                self._nested(part)
            elif local in ("detail", "Detail"):
                self._details(part)
            else:
                x.skip(part)
        x.end(fault)
        return self._found or self._as_error()

    def _nested(self, part: Tag) -> None:
        """``Code`` with ``Value``, ``Reason`` with ``Text``: the first of each."""
        x = self._x
        while not part.empty:
            inner = x.next()
            if inner is None:
                break
            if inner.key[1] == "Value" and not self._code:
                self._code = x.text(inner).strip()
            elif inner.key[1] == "Subcode" and not self._subcode:
                self._subcode = self._value(inner)
            elif inner.key[1] == "Text" and not self._message:
                self._message = x.text(inner)
            else:
                x.skip(inner)
        x.end(part)

    def _value(self, part: Tag) -> str:
        """The first ``Value`` in a ``Subcode``, whatever is nested behind it."""
        x = self._x
        found = ""
        while not part.empty:
            inner = x.next()
            if inner is None:
                break
            if inner.key[1] == "Value" and not found:
                found = x.text(inner).strip()
            else:
                x.skip(inner)
        x.end(part)
        return found

    def _details(self, part: Tag) -> None:
        x = self._x
        while not part.empty:
            element = x.next()
            if element is None:
                break
            record = self._throws.get(element.key)
            if record is not None and self._found is None:
                self._found = self._exception(record, element)
            elif element.key == (ERROR_NAMESPACE, "error") and self._error is None:
                self._error = self._own(element)
            else:
                x.skip(element)
        self._detail = x.s[part.p : x.p]
        x.end(part)
        self._detail = x.s[part.p : x.p]

    def _exception(self, record: TextRecord, element: Tag) -> BaseException:
        try:
            value: Any = READERS.group(record).element(self._x, element)
        except Problem as problem:
            problem.path.append("$exception")
            raise
        if not isinstance(value, BaseException):
            raise TypeError("what a method throws is an exception")
        return value

    def _own(self, element: Tag) -> tuple[str, dict[str, str]]:
        """The error as the framework writes it (SOAP-11)."""
        x = self._x
        code = dict(element.attributes).get(("", "code"), "")
        details: dict[str, str] = {}
        while not element.empty:
            detail = x.next()
            if detail is None:
                break
            key: Key = ("", "key")
            name = dict(detail.attributes).get(key, "")
            if nil(detail) or len(details) >= _MOST_DETAILS:
                x.skip(detail)
            else:
                details[name] = x.text(detail)
        x.end(element)
        return code, details

    def _as_error(self) -> CreoError:
        message = shown(self._message)
        if self._error is not None:
            word, given = self._error
            return peer_error(word, self._message, given, self._peer)
        local = self._code.rpartition(":")[2].partition(".")[0]
        details = {"fault-code": shown(self._code), "peer": self._peer}
        if self._actor:
            details["fault-actor"] = shown(self._actor)
        if self._detail:
            details["fault-detail"] = shown(self._detail)
        code = _CODES.get(local, ErrorCode.INTERNAL)
        for refusal in (local, self._subcode.rpartition(":")[2]):
            if refusal in _REFUSALS:
                code, details["fault-code"] = ErrorCode.PROTOCOL_MISMATCH, refusal
        return CreoError(code, message, details=details, from_peer=True)
