"""The soap wire (``spec/wires/soap.md``): requests and answers, without a transport."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, Generic, Protocol, TypeVar, cast

from .._base import CreoError, ErrorCode, module_of, shown
from .._binary import FAILURES
from .._binary.schema import ACCELERATED, check_size
from .._call import with_peer
from .._http import Response, Url, media_type, status_error
from .._http.channel import Request
from .._http.mime import quoted, read_package, write_package
from .._text import ANY_ATTRIBUTE, HEADER, TextMessage, TextMethod
from .._text.arguments import Arguments
from .._text.read import Parts, Problem
from .._text.write import MIN_PART, Form, Piece, TextWriting, in_a_row
from .._xml import explain_written
from .._xml.document import open_source
from .._xml.group import NOTHING
from .._xml.leaf import Kids
from .._xml.read import READERS
from .._xml.scan import read_document
from .._xml.scope import BASE, Scope
from .._xml.tree import Tree, error_of, expanded, split, too_nested
from .._xml.write import declarations, dialect
from .encoding import ENCODING, encoded_dialect, literal
from .fault import FaultReader
from .header import (
    RESULT,
    SOAP_11,
    SOAP_12,
    CallHeader,
    HeaderReader,
    ResponseParts,
    understood_names,
    unexpected,
)
from .security import NoEnvelope, check_answer

if TYPE_CHECKING:
    from typing_extensions import Self

    from .._base import Limits
    from .._call import Method
    from .._call.client import ClientSecurity
    from .._xml.accelerator import FastXml
    from .security import Security

R = TypeVar("R")

VERSIONS: Final = {"1.1": SOAP_11, "1.2": SOAP_12}
MEDIA_TYPES: Final = {"1.1": "text/xml", "1.2": "application/soap+xml"}

#: Media types of answers.
READ_TYPES: Final = (*MEDIA_TYPES.values(), "multipart/related")
#: Elements around the content of a message.
_LEVELS: Final = 2
#: The end of a request.
_END: Final = "</soap:Body></soap:Envelope>"
#: The path of errors in an envelope.
_WITHIN: Final = "envelope"


# Requests


class Writer:
    """Writes the requests of a method in one SOAP version."""

    def __init__(self, message: TextMessage, version: str, encoded: bool) -> None:
        self._message = message
        fields = message.fields
        self._arguments = Arguments(message)
        make = encoded_dialect if encoded else dialect
        used = make(message.namespaces)
        others = Piece("%s", [("", used.any_attributes(set()))])
        pieces = [others if field.place == ANY_ATTRIBUTE else used.field(field) for field in fields]
        self._forms: list[Form] = [piece.form() for piece in pieces]
        self._headers = [i for i, field in enumerate(fields) if field.place == HEADER]
        self._attributes = [i for i, field in enumerate(fields) if field.place == ANY_ATTRIBUTE]
        apart = (HEADER, ANY_ATTRIBUTE)
        self._parameters = [i for i, field in enumerate(fields) if field.place not in apart]
        self._body, self._fill = in_a_row([pieces[i] for i in self._parameters])
        declared = declarations(message.namespaces, message.xsi)
        self._open = f'<soap:Envelope xmlns:soap="{VERSIONS[version]}"{declared}>'
        tag = "" if message.bare else used.tag(message.local, message.namespace)
        style = f' soap:encodingStyle="{ENCODING}"' if encoded else ""
        self._head = f"<{tag}{style}>" if tag else ""
        self._tail = f"</{tag}>" if tag else ""
        self.fast = None if encoded else self._in_c()
        """Writes usual requests in C, if that is possible."""

    def _in_c(self) -> FastXml | None:
        if not ACCELERATED:
            return None
        from .._xml.accelerator import request_codec

        before, after = f"<soap:Body>{self._head}", f"{self._tail}{_END}"
        return request_codec(self._message, self._open, before, after)

    def write(
        self, arguments: Sequence[Any], limits: Limits, parts: list[bytes] | None, blocks: str
    ) -> bytes:
        """The envelope; bytes that become parts are added to ``parts``, if given.

        ``blocks`` begin its header.
        """
        if self.fast is not None:
            part_from = -1 if parts is None else MIN_PART
            found = self.fast.encode_soap(arguments, limits, blocks, part_from)
            if found is not NotImplemented:
                written: bytes = found
                return written
        return self.write_in_python(arguments, limits, parts, blocks)

    def write_in_python(
        self, arguments: Sequence[Any], limits: Limits, parts: list[bytes] | None, blocks: str
    ) -> bytes:
        """As ``write``, without the accelerator."""
        values = self._arguments.held(arguments)
        w = TextWriting(limits.max_depth, parts)
        try:
            header = blocks
            head = self._head
            rest = values
            if self._attributes:
                others = "".join([self._forms[i](values[i], w) for i in self._attributes])
                head = f"{head[:-1]}{others}>"
            if self._headers:
                header += "".join([self._forms[i](values[i], w) for i in self._headers])
            if header:
                header = f"<soap:Header>{header}</soap:Header>"
            if self._headers or self._attributes:
                rest = [values[i] for i in self._parameters]
            body = self._body % tuple([form(value, w) for form, value in zip(self._fill, rest)])
            text = f"{self._open}{header}<soap:Body>{head}{body}{self._tail}{_END}"
            return text.encode()
        except FAILURES as failure:
            problem = failure
        raise self._explained(values, limits, problem) from problem

    def _explained(
        self, values: Sequence[Any], limits: Limits, problem: BaseException
    ) -> CreoError:
        """The error in the first argument that cannot be written."""
        message = self._message
        w = TextWriting(limits.max_depth)
        for field, form, value in zip(message.fields, self._forms, values):
            try:
                form(value, w).encode()
            except FAILURES:
                place = f"$.{field.name}"
                return explain_written(field, message.namespaces, value, limits, place)
        raise problem


class Tables(Protocol):
    """The tdxml wire for a method whose bodies are tables (TDX-50)."""

    @property
    def scope(self) -> Scope:
        """The namespaces around a table."""
        ...

    def request(self, arguments: Sequence[Any], limits: Limits, parts: list[bytes] | None) -> bytes:
        """The table of a request; bytes that become parts are added to ``parts``."""
        ...

    def written(self, body: bytes, limits: Limits, size: int) -> object | None:
        """A table exactly as writers write it, for ``result``; None for another form."""
        ...

    def result(self, written: Any, limits: Limits) -> Any:
        """The result in such a table."""
        ...

    def holds(self, element: Any) -> bool:
        """Whether an element is a table."""
        ...

    def read(self, x: Tree, element: Any, limits: Limits) -> Any:
        """The result in such an element, and the parts of the message."""
        ...


class TableWriter:
    """Writes the requests of a method with a table in the body."""

    def __init__(self, tables: Tables, version: str) -> None:
        self._tables = tables
        self._version = version
        self._open, self._close = _around(version, "")

    def write(
        self, arguments: Sequence[Any], limits: Limits, parts: list[bytes] | None, blocks: str
    ) -> bytes:
        """The envelope, as in ``Writer``."""
        table = self._tables.request(arguments, limits, parts)
        head = _around(self._version, blocks)[0] if blocks else self._open
        return b"".join((head, table, self._close))


def _around(version: str, blocks: str) -> tuple[bytes, bytes]:
    """The envelope around a table that is the whole body."""
    header = f"<soap:Header>{blocks}</soap:Header>" if blocks else ""
    head = f'<soap:Envelope xmlns:soap="{VERSIONS[version]}">{header}<soap:Body>'
    return head.encode(), _END.encode()


class SoapBinding:
    """SOAP with a client's options."""

    def __init__(
        self,
        version: str | None,
        mtom: bool,
        tables: str | None,
        schema: bool,
        addressing: bool | None = None,
        security: Security | None = None,
        lenient: bool = False,
        understood: Iterable[str] = (),
        client_security: ClientSecurity | None = None,
    ) -> None:
        """If ``addressing`` is None, the description decides."""
        if version is not None and version not in VERSIONS:
            raise ValueError(f"SOAP has the versions 1.1 and 1.2, not {version!r:.20}")
        self.version = version
        # SOAP-81: with a security no packages are written.
        self.mtom = mtom and client_security is None
        self.tables: str | None = None
        if tables is not None:
            self.tables = module_of("_tdxml").check_scheme(tables)
        self.schema = schema
        self.lenient = lenient
        self.understood = understood_names(understood)
        self._addressing = addressing
        self._security = security
        self._client_security = client_security

    @property
    def key(self) -> tuple[str, str | None, bool, str | None, bool, bool, frozenset[str]]:
        """Equal for bindings that make the same operations."""
        return (
            "soap", self.version, self.mtom, self.tables, self.schema, self.lenient,
            self.understood,
        )  # fmt: skip

    def operation(self, method: Method[Any, R]) -> Operation[R]:
        """A method on this wire."""
        return Operation(method, self)

    def for_call(self, operation: Operation[R]) -> Operation[R]:
        """A shared operation with the header of one call."""
        addressed = operation.addressing if self._addressing is None else self._addressing
        if not addressed and self._security is None and self._client_security is None:
            return operation
        header = CallHeader(self._security, addressed=addressed)
        return operation.for_call(header, self._client_security)


class Operation(Generic[R]):
    """A method in one SOAP version."""

    def __init__(self, method: Method[Any, R], binding: SoapBinding) -> None:
        texts = method.interface.texts()
        self._text: TextMethod = texts[method.name]
        self._version = binding.version or self._text.version
        self._encoded = self._text.encoded
        if self._encoded:
            # SOAP-30: it exists only in this version.
            self._version = "1.1"
        self._mtom = binding.mtom
        self._lenient = binding.lenient
        self._understood = binding.understood
        self._tables: Tables | None = None
        self._writer: Writer | TableWriter
        if binding.tables is None:
            self._writer = Writer(self._text.request, self._version, self._encoded)
        else:
            made: Tables = module_of("_tdxml.soap").SoapTables(
                method, self._text, binding.tables, binding.schema
            )
            self._tables = made
            self._writer = TableWriter(made, self._version)
        self._throws = self._text.throws()
        self._parts = ResponseParts.of(self._text)
        self._fast = self._in_c()
        self._around = _around(self._version, "")
        self.addressing = self._text.addressing
        """Whether the description wants the WS-Addressing blocks (SOAP-40)."""
        self._header: CallHeader | None = None
        self._security: ClientSecurity | None = None

    def _in_c(self) -> FastXml | None:
        """Reads usual responses in C, if that is possible."""
        response = self._text.response
        if not ACCELERATED or response is None or self._lenient or self._encoded:
            return None
        if self._tables is not None or self._parts is not None:
            return None
        from .._xml.accelerator import response_codec

        return response_codec(response)

    def for_call(self, header: CallHeader, security: ClientSecurity | None) -> Self:
        """The same for one call, with its own header and the security of its channel."""
        made = copy.copy(self)
        made._header = header
        made._security = security
        return made

    def request(self, arguments: Any, url: Url, limits: Limits) -> Request:
        """The body of a call, with its headers."""
        kind, body = self.message(arguments, limits, url.text)
        headers = {"Content-Type": kind}
        if self._version != "1.2":
            headers["SOAPAction"] = self.action
        token = self._header is not None and self._header.security is not None
        bound = token or self._security is not None
        return Request(url.target, headers, body, bound)

    @property
    def _is_void(self) -> bool:
        """Whether an answer without a message is a result (HTTP-3)."""
        response = self._text.response
        return response is None or not response.fields

    @property
    def action(self) -> str:
        """The action, in quotes (HTTP-4)."""
        return f'"{quoted(self._text.action)}"'

    def message(self, arguments: Any, limits: Limits, to: str = "") -> tuple[str, list[bytes]]:
        """The media type and the body of a request to this URL, on any transport."""
        parts: list[bytes] | None = [] if self._mtom else None
        kind, action = MEDIA_TYPES[self._version], self._text.action
        blocks = ""
        if self._header is not None:
            blocks = self._header.blocks(action, to, oneway=self._text.response is None)
        envelope = self._writer.write(arguments, limits, parts, blocks)
        if self._security is not None:
            envelope = self._security.send(envelope)
        is_12 = self._version == "1.2"
        body = [envelope]
        if parts is not None:
            full, body = write_package(envelope, parts, kind, action if is_12 else None)
        else:
            told = f'; action="{quoted(action)}"' if is_12 else ""
            full = f"{kind}; charset=utf-8{told}"
        check_size(sum(map(len, body)), limits)
        return full, body

    def result(self, response: Response, url: Url, limits: Limits) -> R:
        """The result of an answer, or raises its error (HTTP-3)."""
        content_type = response.header("content-type")
        is_soap = media_type(content_type)[0] in READ_TYPES
        fine = 200 <= response.status < 300
        body = response.body
        if body or (fine and self._text.response is not None):
            try:
                body, content_type = self.checked(body, content_type)
            except NoEnvelope as error:
                if fine and is_soap:
                    raise with_peer(error, url.peer) from None
                raise status_error(response, url) from error
            except CreoError as error:
                # SOAP-80: what the security refuses is no matter of the status.
                raise with_peer(error, url.peer) from None
        if not body:
            if fine and self._is_void:
                return cast("R", None)
            raise status_error(response, url)
        try:
            result = self.read(body, content_type, limits, url.peer)
        except CreoError as error:
            told = error.from_peer or (error.place or "").startswith("$exception")
            if (not fine and not told) or (not is_soap and isinstance(error, NoEnvelope)):
                raise status_error(response, url) from error
            raise with_peer(error, url.peer) from None
        if not fine:
            raise status_error(response, url)
        return result

    def checked(self, body: bytes, content_type: str) -> tuple[bytes, str]:
        """An answer's body and media type as they are read: those that the security returns."""
        if self._security is None:
            return body, content_type
        found = check_answer(self._security, body, content_type)
        return found, f"{MEDIA_TYPES[self._version]}; charset=utf-8"

    def read(self, body: bytes, content_type: str, limits: Limits, peer: str) -> R:
        """The result in an answer's body, on any transport, or raises its error."""
        kind, parameters = media_type(content_type)
        charset = parameters.get("charset")
        parts: Parts | None = None
        size = len(body)
        if kind == "multipart/related":
            package = read_package(body, parameters, limits)
            body, charset, parts = package.root, package.charset, package.parts
        elif self._tables is not None:
            written = self._written(self._tables, body, charset, limits)
            if written is not None:
                return cast("R", self._tables.result(written, limits))
        elif self._fast is not None and (charset or "utf-8").lower() == "utf-8":
            found = self._fast.decode_soap(body, limits)
            if found is not NotImplemented:
                return cast("R", found)
        return self._read(body, charset, parts, size, limits, peer)

    def _read(
        self,
        body: bytes,
        charset: str | None,
        parts: Parts | None,
        size: int,
        limits: Limits,
        peer: str,
    ) -> R:
        """As ``read``, in Python."""
        place = "$result"
        scope = BASE if self._tables is None else self._tables.scope

        def read(x: Tree, envelope: Any) -> Any:
            x.parts = parts
            self._check_root(x, envelope, peer)
            try:
                return self._envelope(x, envelope, limits, peer)
            except Problem as problem:
                problem.path.append(_WITHIN)
                raise

        try:
            source = open_source(body, limits, charset, size)
            source.lenient = self._lenient
            if self._encoded and self._tables is None:
                source = literal(source, self._text.response, self._throws)
            value = read_document(source, scope, read)
        except Problem as problem:
            within = problem.path[-1:] == [_WITHIN]
            if within:
                problem.path.pop()
            if problem.path and problem.path[-1] in (RESULT, "$exception"):
                place = "$exception" if problem.path.pop() == "$exception" else place
            error = error_of(problem, place, exact=not self._encoded)
            if not within and error.code is ErrorCode.MALFORMED:
                raise NoEnvelope(
                    error.code, error.message, place=place, offset=error.offset
                ) from None
            raise error from None
        except RecursionError:
            raise too_nested(limits) from None
        if isinstance(value, _Failure):
            raise value.raised
        return cast("R", value)

    def _written(
        self, tables: Tables, body: bytes, charset: str | None, limits: Limits
    ) -> object | None:
        """The table of a response exactly as writers write it; None for another form."""
        head, tail = self._around
        if (charset or "utf-8").lower() != "utf-8" or not body.startswith(head):
            return None
        if not body.endswith(tail) or self._text.response is None:
            return None
        return tables.written(body[len(head) : -len(tail)], limits, len(body))

    def _check_root(self, x: Tree, envelope: Any, peer: str) -> None:
        uri, local = split(envelope.tag)
        if local != "Envelope":
            message = f"an envelope of SOAP is expected, not {local} of {shown(uri)!r}"
            raise Problem(message, x.at(envelope))
        if uri not in (SOAP_11, SOAP_12):
            message = f"an envelope of SOAP is expected, not {local} of {uri!r:.200}"
            raise NoEnvelope(ErrorCode.PROTOCOL_MISMATCH, message, details={"peer": peer})

    def _envelope(self, x: Tree, envelope: Any, limits: Limits, peer: str) -> Any:
        uri = split(envelope.tag)[0]
        x.enter(_LEVELS)
        parts = Kids(x.children(envelope))
        part = parts.next()
        header: HeaderReader | None = None
        if part is not None and part.tag == expanded(uri, "Header"):
            header = self._read_header(x, uri, part)
            part = parts.next()
        if part is None or part.tag != expanded(uri, "Body"):
            raise Problem("a Body is expected", x.at(envelope if part is None else part))
        for name, value in x.attributes(part):
            if split(name)[1] == "encodingStyle" and value.strip().startswith(ENCODING):
                raise Problem("the encoding of SOAP is not read", x.at(part))
        elements = Kids(x.children(part))
        element = elements.next()
        if element is not None and element.tag == expanded(uri, "Fault"):
            return _Failure(FaultReader(x, self._throws, limits, peer).read(element))
        if header is not None:
            header.check(peer)
        found = NOTHING if header is None else header.found
        value = self._body(x, part, element, elements, limits, found)
        for kids in (elements, parts):
            more = kids.next()
            if more is not None:
                raise Problem(f"an unexpected element: {x.name(more)}", x.at(more))
        x.finish()
        return value

    def _read_header(self, x: Tree, uri: str, header: Any) -> HeaderReader | None:
        """The header of an envelope; None if it is ignored."""
        parts = None if self._parts is None else self._parts.header
        found = HeaderReader(x, uri, self._header, self._understood, parts)
        found.read(header)
        return found

    def _body(
        self,
        x: Tree,
        body: Any,
        element: Any,
        kids: Kids,
        limits: Limits,
        found: Mapping[int, Any],
    ) -> Any:
        """``found`` are the parts of the response that were in the header."""
        response = self._text.response
        if response is None:
            if element is not None:
                x.skip(element)
            return None
        if self._tables is not None and element is not None and self._tables.holds(element):
            x.lenient = False
            return self._tables.read(x, element, limits)
        if self._parts is not None:
            return self._parts.read(x, body, element, kids, found)
        fields = response.fields
        if response.bare and not fields:
            if element is not None:
                message = f"the body is empty, but holds {x.name(element)}"
                raise Problem(message, x.at(element))
            return None
        group = READERS.group(response)
        if response.bare and element is None:
            return group.missing(x, body)[0]
        if element is None or element.tag != expanded(response.namespace, response.local):
            raise unexpected(x, response, body, element)
        x.enter(group.reader.height)
        if not response.bare:
            values = group.values(x, element)
            return values[0] if values else None
        value = group.field(0).one(x, element, kids)
        group.charge(x, [value])
        return value


class _Failure:
    """The content of a fault."""

    __slots__ = ("raised",)

    def __init__(self, raised: BaseException) -> None:
        self.raised = raised
