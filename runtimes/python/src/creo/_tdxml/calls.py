"""Methods on the tdxml wire: requests, results, exceptions and errors, without a transport."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, cast

from .._base import CreoError, ErrorCode, peer_error, shown
from .._binary import FAILURES
from .._binary.schema import ACCELERATED, check_size
from .._text import TEXT_STRING, TextEntries, TextField, TextMessage, TextMethod, TextOptional
from .._text.arguments import Arguments
from .._text.explain import TextWalk
from .._text.write import TextWriting
from . import (
    attempt_rows,
    check_of,
    envelope,
    in_c,
    read_rows,
    schema_of,
    scheme_of,
    write_in_c,
)
from .read import READERS
from .rows import Document
from .schema import Schema
from .write import FORMS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .._base import Limits
    from .._text.read import Parts
    from .._xml.accelerator import FastXml

#: The value of ``of`` for an error (TDX-51).
ERROR: Final = "error"

_ERROR_MESSAGE: Final = TextMessage(
    "",
    "error",
    lambda: (
        TextField("code", "", TEXT_STRING),
        TextField("message", "", TEXT_STRING),
        TextField(
            "details",
            "",
            TextOptional(
                TextEntries(
                    TextField("key", "", TEXT_STRING),
                    TextField("value", "", TEXT_STRING),
                    64 + 32 + 32,
                ),
                96,
            ),
        ),
    ),
)


def _reader_in_c(response: TextMessage | None) -> FastXml | None:
    """What reads usual results in C, if that is possible."""
    if not ACCELERATED or response is None:
        return None
    from .._xml.accelerator import response_codec

    return response_codec(response)


def _writer_in_c(request: TextMessage) -> FastXml | None:
    """What writes usual requests in C, if that is possible."""
    if not ACCELERATED:
        return None
    from .._xml.accelerator import table_codec

    return table_codec(request)


class TableMethod:
    """A method on the tdxml wire."""

    def __init__(self, name: str, full_name: str, text: TextMethod) -> None:
        self._name = name
        self._full_name = full_name
        self._request = text.request
        self._response = text.response
        self._throws = {record.type.name: record for record in text.throws()}
        self._arguments = Arguments(text.request)
        self._reader = _reader_in_c(text.response)
        self._writer = _writer_in_c(text.request)
        self._forms = {scheme: forms.arguments(text.request) for scheme, forms in FORMS.items()}

    def request(
        self,
        arguments: Sequence[Any],
        limits: Limits,
        scheme: str,
        *,
        schema: bool = False,
        of: bool = False,
        parts: list[bytes] | None = None,
    ) -> bytes:
        """The document of a request; bytes that become parts are added to ``parts``."""
        name = self._name if of else None
        if self._writer is not None:
            said = self._schema(self._request) if schema else None
            found = write_in_c(self._writer, arguments, limits, scheme, name, said, parts)
            if found is not NotImplemented:
                written: bytes = found
                return written
        return self.request_in_python(arguments, limits, scheme, schema, name, parts)

    def request_in_python(
        self,
        arguments: Sequence[Any],
        limits: Limits,
        scheme: str,
        schema: bool,
        name: str | None,
        parts: list[bytes] | None,
    ) -> bytes:
        """As ``request``, without the accelerator; ``name`` is the value of ``of``."""
        values = self._arguments.held(arguments)
        rows: list[str] = []
        try:
            self._forms[scheme](values, "[0]", rows, TextWriting(limits.max_depth, parts))
            said = self._schema(self._request) if schema else None
            data = envelope(rows, scheme, name, said)
        except FAILURES as failure:
            problem = failure
        else:
            check_size(len(data), limits)
            return data
        walk = TextWalk(limits, attempt_rows(limits))
        raise walk.explain_fields(self._request, values, "$") from problem

    def result(self, document: Document, limits: Limits, parts: Parts | None = None) -> Any:
        """The result in a response."""
        message = self._response
        place = "$result"
        check_of(document, (self._name,), place)
        if message is None:
            return None
        if document.schema is not None:
            self._schema(message).compare(document.schema, place)
        scheme = scheme_of(document, place)
        if self._reader is not None and parts is None:
            found = in_c(self._reader, document, limits)
            if found is not NotImplemented:
                return found
        fields = READERS[scheme].fields(message)
        values = read_rows(document, fields.values, message, limits, place, parts)
        return values[0] if values else None

    def raised(
        self,
        document: Document,
        limits: Limits,
        peer: str,
        parts: Parts | None = None,
    ) -> BaseException | None:
        """The exception or error in a document; None if it is a response."""
        if document.of == ERROR:
            return self._error(document, limits, peer)
        record = self._throws.get(document.of or "")
        if record is None:
            return None
        place = "$exception"
        if document.schema is not None:
            schema_of(record, record.type.name).compare(document.schema, place)
        read = READERS[scheme_of(document, place)].element(record)
        found = read_rows(document, read, record, limits, place, parts)
        return cast("BaseException", found)

    def exception(
        self,
        document: Document,
        limits: Limits,
        peer: str,
        parts: Parts | None = None,
    ) -> BaseException:
        """The exception that a document must contain; an undeclared one is ``internal``."""
        found = self.raised(document, limits, peer, parts)
        return found or self.undeclared(document.of or "", peer)

    def undeclared(self, name: str, peer: str) -> CreoError:
        """The error for an undeclared exception from the peer."""
        message = f"{self._full_name} answered an exception that it does not declare: {shown(name)}"
        details = {"peer": peer}
        return CreoError(ErrorCode.INTERNAL, message, details=details, from_peer=True)

    def _error(self, document: Document, limits: Limits, peer: str) -> CreoError:
        fields = READERS[scheme_of(document, "$error")].fields(_ERROR_MESSAGE)
        values = read_rows(document, fields.values, _ERROR_MESSAGE, limits, "$error")
        word, message, details = values
        return peer_error(ErrorCode.of_word(word), word, message, dict(details or {}), peer)

    def _schema(self, message: TextMessage) -> Schema:
        found: Schema | None = message.compiled.get("tdxml-schema")
        if found is None:
            found = message.compiled["tdxml-schema"] = Schema(message, self._name)
        return found
