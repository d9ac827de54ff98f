"""Messages as bytes on each wire, without a transport: what clients and services write and read, and no more.

Creo generates clients for Python, so a request is read, and a response written, by the same functions as values of the same fields.
"""

from __future__ import annotations

import sys
from typing import Any, Callable

from creo._base import DEFAULT_LIMITS as LIMITS
from creo._binary import reading, writing
from creo._binary.schema import StructType
from creo._call import Method
from creo._json import read_value
from creo._json.read import READERS as JSON_READERS
from creo._json.write import FORMS as JSON_FORMS
from creo._soap import Operation, SoapBinding
from creo._tdxml import check_of, read_alone, read_rows, scheme_of
from creo._tdxml.calls import TableMethod
from creo._tdxml.read import READERS as TABLE_READERS
from creo._text import HEADER, TextMessage, TextMethod, TextRecord
from creo._text.read import Problem
from creo._text.write import TextWriting
from creo._xml.document import open_source
from creo._xml.leaf import Kids
from creo._xml.read import READERS as XML_READERS
from creo._xml.scan import read_document
from creo._xml.scope import BASE
from creo._xml.tree import expanded, split

Write = Callable[[], bytes]
Read = Callable[[bytes], Any]


class Message:
    """One of the two messages of a method; its value is the tuple of its fields."""

    def __init__(self, method: Method[Any, Any], part: str) -> None:
        self.name = method.name
        self.full_name = method.full_name
        self.is_request = part == "request"
        text: TextMethod = method.interface.texts()[method.name]
        message = text.request if self.is_request else text.response
        if message is None:
            raise ValueError(f"{method.full_name} has no {part}")
        self.text: TextMessage = message
        # Both messages of what is written and read here are this one.
        self.texts = {method.name: TextMethod(text.action, message, message, text.throws)}
        module: Any = sys.modules[method.write.__module__]
        function = method.write.__name__[len("encode_") : -len("_arguments")]
        if self.is_request:
            self.decode = getattr(module, f"decode_{function}_arguments")
            self.encode = method.write
            self.parameters = method._parameters().fields
        else:
            decode = getattr(module, f"decode_{function}_result")
            encode = getattr(module, f"encode_{function}_result")

            def decode_result(b: bytes, p: int, r: Any) -> tuple[tuple[Any], int]:
                value, p = decode(b, p, r)
                return (value,), p

            self.decode = decode_result
            self.encode = lambda w, v: encode(w, v[0])


def binary(message: Message) -> tuple[Callable[[Any], Write], Read]:
    """The binary wire."""
    encode, decode = message.encode, message.decode

    def writer(value: Any) -> Write:
        def write() -> bytes:
            w = writing(LIMITS.max_depth)
            encode(w, value)
            return b"".join(w)

        return write

    def read(body: bytes) -> Any:
        value, end = decode(body, 0, reading(LIMITS, len(body)))
        if end != len(body):
            raise ValueError("bytes behind the value")
        return value

    return writer, read


class _Tables(TableMethod):
    """A message as a table."""

    def __init__(self, message: Message) -> None:
        super().__init__(message.name, message.full_name, message.texts[message.name])
        self._message = message

    def result(self, document: Any, limits: Any, parts: Any = None) -> Any:
        """All fields, not the first alone."""
        text = self._message.text
        check_of(document, (self._message.name,), "$")
        fields = TABLE_READERS[scheme_of(document, "$")].fields(text)
        return read_rows(document, fields.values, text, limits, "$", parts)


def table(scheme: str) -> Callable[[Message], tuple[Callable[[Any], Write], Read]]:
    """A table alone."""

    def form(message: Message) -> tuple[Callable[[Any], Write], Read]:
        tables = _Tables(message)
        return (
            lambda value: lambda: tables.request(value, LIMITS, scheme),
            lambda body: tables.result(read_alone(body, LIMITS), LIMITS),
        )

    return form


class _Soap(Operation[Any]):
    """A message within an envelope, elements or a table."""

    def __init__(self, message: Message, tables: str | None) -> None:
        self._message = message
        self._found: dict[int, Any] = {}
        super().__init__(_Method(message), SoapBinding("1.1", False, tables, False))  # type: ignore[arg-type]
        self._scheme = tables or ""
        self._whole = None if tables is None else _Tables(message)
        text = message.text
        self._headers_of = {
            (f.namespace, f.local): i for i, f in enumerate(text.fields) if f.place == HEADER
        }

    def writer(self, value: Any) -> Write:
        """Writes an envelope; a table says its method in requests alone (TDX-3)."""
        if self._whole is None:
            write = self._writer.write
            return lambda: write(value, LIMITS, None, "")
        (head, tail), table = self._around, self._whole.request
        scheme, of = self._scheme, self._message.is_request
        return lambda: b"".join((head, table(value, LIMITS, scheme, of=of), tail))

    def read_all(self, body: bytes) -> Any:
        """All fields of a message."""
        if self._whole is not None and self._tables is not None:
            document = self._written(self._tables, body, "utf-8", LIMITS)
            if document is None:
                raise ValueError("not as writers write it")
            return self._whole.result(document, LIMITS)

        def read(x: Any, envelope: Any) -> Any:
            self._check_root(x, envelope, "")
            return self._envelope(x, envelope, LIMITS, "")

        return read_document(open_source(body, LIMITS, "utf-8"), BASE, read)

    def _read_header(self, x: Any, uri: str, header: Any) -> None:
        fields = self._message.text.fields
        kids = Kids(x.children(header))
        block = kids.next()
        while block is not None:
            index = self._headers_of[split(block.tag)]
            self._found[index] = XML_READERS.field(fields[index]).one(x, block, kids)
            block = kids.next()

    def _body(self, x: Any, body: Any, element: Any, kids: Any, limits: Any, found: Any) -> Any:
        text = self._message.text
        if text.bare:
            fields = [i for i, field in enumerate(text.fields) if field.place != HEADER]
            values = [None] * len(text.fields)
            if len(fields) > 1:
                # SOAP-91: the body is read as the record.
                values = XML_READERS.group(text).values(x, body)
                while kids.next() is not None:
                    pass
            elif element is not None:
                values[fields[0]] = XML_READERS.field(text.fields[fields[0]]).one(x, element, kids)
                if kids.next() is not None:
                    raise Problem("a second element in the body", x.at(element))
            elif fields:
                values = list(XML_READERS.group(text).missing(x, body))
        else:
            if element is None or element.tag != expanded(text.namespace, text.local):
                at = x.at(body if element is None else element)
                self._unexpected((text.namespace, text.local), element, at)
            values = XML_READERS.group(text).values(x, element)
        if self._found:
            values = list(values)
            for index, value in self._found.items():
                values[index] = value
            self._found.clear()
        return values


class _Method:
    """What an operation asks of a method."""

    def __init__(self, message: Message) -> None:
        self.name = message.name
        self.full_name = message.full_name
        self.interface = self
        self._texts = message.texts

    def texts(self) -> dict[str, TextMethod]:
        """The one method."""
        return self._texts


def soap(tables: str | None) -> Callable[[Message], tuple[Callable[[Any], Write], Read]]:
    """SOAP 1.1, with elements or a table."""

    def form(message: Message) -> tuple[Callable[[Any], Write], Read]:
        operation = _Soap(message, tables)
        return operation.writer, operation.read_all

    return form


def json(message: Message) -> tuple[Callable[[Any], Write], Read]:
    """JSON: a request is an object, a response the value itself (JSON-20, JSON-21)."""
    if message.is_request:
        write = JSON_FORMS.arguments(message.text)
        record = _record(message)
        reader = JSON_READERS.value(record)
        return (
            lambda value: lambda: write(value, TextWriting(LIMITS.max_depth)).encode(),
            lambda body: read_value(reader, record, body, LIMITS, "$"),
        )
    (field,) = message.text.fields
    form, result = JSON_FORMS.value(field.value).form(), JSON_READERS.value(field.value)
    return (
        lambda value: lambda: form(value[0], TextWriting(LIMITS.max_depth)).encode(),
        lambda body: (read_value(result, field.value, body, LIMITS, "$result"),),
    )


def _record(message: Message) -> TextRecord:
    """The parameters of a request as the fields of a struct, whose objects are tuples."""
    cls = type("Values", (tuple,), {"__new__": lambda cls, *values: tuple.__new__(cls, values)})
    declared = message.parameters
    type_: Any = StructType(message.name, cls, message.decode, message.encode, lambda: declared, least=0)
    return TextRecord(type_, "", message.name, lambda: message.text.fields)


FORMS: dict[str, Callable[[Message], tuple[Callable[[Any], Write], Read]]] = {
    "binary": binary,
    "soap": soap(None),
    "tdxml-record": table("record"),
    "tdxml-aggregated": table("aggregated"),
    "tdxml-record-in-soap": soap("record"),
    "tdxml-aggregated-in-soap": soap("aggregated"),
    "json": json,
}
