"""The wires over JMS (JMS-4, JMS-5): requests and answers, without a broker."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, Final, Generic, NamedTuple, Protocol, TypeVar, cast

from .._base import CreoError, ErrorCode, shown
from .._call import EXCEPTION, RESPONSE, Answer, RawAnswer, with_peer
from .._call.metadata import encode_metadata
from .._http import compress, media_type
from .._http.headers import metadata_value, read_metadata_values
from .._soap import READ_TYPES as SOAP_TYPES
from .._soap import Operation, SoapBinding
from .._tcp import ERROR, inflate
from .._tdxml.http import READ_TYPES as TABLE_TYPES
from .._tdxml.http import TdxmlBinding, TdxmlOperation, read_tables

if TYPE_CHECKING:
    from .._base import Limits
    from .._binary import Part
    from .._call import CallOptions, Method, Watch
    from .._call.client import ClientSecurity
    from .._soap.security import Security
    from .address import JmsAddress
    from .message import Message

R = TypeVar("R")
R_co = TypeVar("R_co", covariant=True)

BINARY_TYPE: Final = "application/vnd.creo.binary"

_KINDS: Final = {"response": RESPONSE, "exception": EXCEPTION, "error": ERROR}
_GZIP: Final = 31
_ENCODING: Final = re.compile(
    rb"""<\?xml\s+version\s*=\s*["'][^"'>]*["'](\s+encoding\s*=\s*["'][^"'>]*["'])"""
)
_META: Final = "Creo_meta_"
_PACKAGE: Final = "multipart/related"


class JmsRequest(NamedTuple):
    """An outgoing call."""

    properties: dict[str, str]
    body: Sequence[Part]


class JmsAnswer(NamedTuple):
    """A received message, uncompressed."""

    content_type: str
    kind: int | None
    """The kind of frame in ``Creo_kind``."""
    body: bytes


class JmsOperation(Protocol[R_co]):
    """A method on one wire."""

    def request(self, arguments: Any, limits: Limits) -> JmsRequest:
        """The body of a call, with the properties of this wire."""
        ...

    def result(self, answer: JmsAnswer, limits: Limits, peer: str) -> R_co:
        """The result of an answer, or raises its error."""
        ...


class JmsWire(Protocol):
    """A wire, as spoken by a channel."""

    @property
    def key(self) -> Hashable:
        """Equal for wires that make the same operations."""
        ...

    def operation(self, method: Method[Any, R]) -> JmsOperation[R]:
        """A method on this wire."""
        ...

    def for_call(self, operation: JmsOperation[R]) -> JmsOperation[R]:
        """A shared operation with the data of one call."""
        ...


def jms_wire(
    name: str,
    *,
    version: str | None,
    mtom: bool,
    tables: str | None,
    scheme: str,
    schema: bool,
    packages: bool,
    security: Security | None,
    lenient: bool,
    understood: Iterable[str],
    client_security: ClientSecurity | None,
) -> JmsWire:
    """The wire of this name.

    :raises ValueError: if there is none, or it does not support the arguments.
    """
    if name == "soap":
        return _SoapWire(
            SoapBinding(
                version, mtom, tables, schema, False, security, lenient, understood, client_security
            )
        )
    if security is not None or client_security is not None:
        raise ValueError(
            f"a username token, a timestamp and a security are for the wire soap, not {name!r:.40}"
        )
    if name == "tdxml":
        return _TableWire(TdxmlBinding(scheme, schema, packages))
    if name != "binary":
        raise ValueError(f"the wires over JMS are soap, tdxml and binary, not {name!r:.40}")
    return _BinaryWire()


# Shared by all wires


def jms_request(
    operation: JmsOperation[Any],
    arguments: Any,
    where: JmsAddress,
    options: CallOptions,
    limits: Limits,
    *,
    gzip: bool,
) -> JmsRequest:
    """A request with all its properties except the timeout, which is set when it is sent."""
    properties, body = operation.request(arguments, limits)
    properties["SOAPJMS_requestURI"] = where.uri
    properties["SOAPJMS_bindingVersion"] = "1.0"
    if where.target_service is not None:
        properties["SOAPJMS_targetService"] = where.target_service
    if options.metadata:
        encode_metadata(options.metadata, limits)
        for name, value in options.metadata.items():
            escaped = name.replace("-", "_2d").replace(".", "_2e")
            properties[f"{_META}{escaped}"] = metadata_value(value)
    above = options.compress_above
    if gzip or (above is not None and sum(map(len, body)) > above):
        # A compressed request allows a compressed answer, so small ones are compressed too.
        properties["SOAPJMS_contentEncoding"] = "gzip"
        body = (compress(b"".join(body)),)
    return JmsRequest(properties, body)


def jms_result(
    operation: JmsOperation[R], message: Message, limits: Limits, peer: str, watch: Watch | None
) -> R:
    """The result of an answer's message, or raises its error."""
    try:
        if message.problem is not None:
            raise message.problem
        metadata = _metadata(message, limits)
    except CreoError as error:
        raise with_peer(error, peer) from None
    if watch is not None:
        watch.answered(Answer(metadata))
    try:
        return operation.result(read_answer(message, limits), limits, peer)
    except CreoError as error:
        raise with_peer(error, peer) from None


def _metadata(message: Message, limits: Limits) -> dict[str, str]:
    """The metadata of an answer (JMS-4)."""
    pairs: list[tuple[str, str]] = []
    for name, value in message.properties.items():
        if name.startswith(_META):
            if not isinstance(value, str):
                raise CreoError(ErrorCode.MALFORMED, "the answer has metadata that are not text")
            pairs.append((name[len(_META) :].replace("_2d", "-").replace("_2e", "."), value))
    return read_metadata_values(pairs, limits)


def read_answer(message: Message, limits: Limits) -> JmsAnswer:
    """The parts of a message on any wire, uncompressed."""
    version = property_of(message, "SOAPJMS_bindingVersion")
    if version not in ("", "1.0"):
        what = f"the answer has the version {shown(version)}"
        raise _mismatch("unrecognizedBindingVersion", what)
    content_type = property_of(message, "SOAPJMS_contentType")
    if not content_type:
        raise _mismatch("missingContentType", "the answer does not say its media type")
    encoding = property_of(message, "SOAPJMS_contentEncoding").lower()
    body = message.body
    if message.is_text:
        kind = media_type(content_type)[0]
        if encoding or kind in (BINARY_TYPE, _PACKAGE):
            what = "the answer is a text, and should be bytes"
            raise _mismatch("unsupportedJMSMessageFormat", what)
        # The declared encoding of a text applied before it became a string.
        content_type = f"{kind}; charset=utf-8"
        said = _ENCODING.match(body)
        if said is not None:
            begin, end = said.span(1)
            body = b"%b%b%b" % (body[:begin], b" " * (end - begin), body[end:])
    if encoding in ("gzip", "x-gzip"):
        body = inflate(body, limits, _GZIP)
    elif encoding not in ("", "identity"):
        raise _mismatch(
            "contentEncodingNotSupported", f"the answer has the encoding {shown(encoding)}"
        )
    return JmsAnswer(content_type, _KINDS.get(property_of(message, "Creo_kind")), body)


def property_of(message: Message, name: str) -> str:
    """The text of a property; empty if there is none."""
    found = message.properties.get(name)
    return found.strip() if isinstance(found, str) else ""


def _mismatch(name: str, what: str) -> CreoError:
    """JMS-8: the error for an invalid property."""
    return CreoError(ErrorCode.PROTOCOL_MISMATCH, what, details={"fault-code": name})


def wrong_type(answer: JmsAnswer) -> CreoError:
    """JMS-8: the error for a media type that the wire does not have."""
    what = f"the answer has the media type {shown(answer.content_type)}"
    return _mismatch("contentTypeMismatch", what)


def _no_kind() -> CreoError:
    message = "the answer does not say whether it is a response, an exception or an error"
    return CreoError(ErrorCode.PROTOCOL_MISMATCH, message)


# The wires


class _SoapWire:
    def __init__(self, binding: SoapBinding) -> None:
        self._binding = binding

    @property
    def key(self) -> Hashable:
        return ("jms", self._binding.key)

    def operation(self, method: Method[Any, R]) -> JmsOperation[R]:
        return _SoapOperation(self._binding.operation(method))

    def for_call(self, operation: JmsOperation[R]) -> JmsOperation[R]:
        return cast("_SoapOperation[R]", operation).for_call(self._binding)


class _SoapOperation(Generic[R]):
    """A method on the soap wire."""

    def __init__(self, operation: Operation[R]) -> None:
        self._operation = operation

    def for_call(self, binding: SoapBinding) -> _SoapOperation[R]:
        operation = binding.for_call(self._operation)
        return self if operation is self._operation else _SoapOperation(operation)

    def request(self, arguments: Any, limits: Limits) -> JmsRequest:
        kind, body = self._operation.message(arguments, limits)
        properties = {"SOAPJMS_contentType": kind, "SOAPJMS_soapAction": self._operation.action}
        return JmsRequest(properties, body)

    def result(self, answer: JmsAnswer, limits: Limits, peer: str) -> R:
        if media_type(answer.content_type)[0] not in SOAP_TYPES:
            raise wrong_type(answer)
        body, content_type = self._operation.checked(answer.body, answer.content_type)
        return self._operation.read(body, content_type, limits, peer)


class _Shared:
    """A wire whose calls consist of their arguments."""

    def for_call(self, operation: JmsOperation[R]) -> JmsOperation[R]:
        return operation


class _TableWire(_Shared):
    def __init__(self, binding: TdxmlBinding) -> None:
        self._binding = binding

    @property
    def key(self) -> Hashable:
        return ("jms", self._binding.key)

    def operation(self, method: Method[Any, R]) -> JmsOperation[R]:
        return _TableOperation(method, self._binding.operation(method))


class _TableOperation(Generic[R]):
    """A method on the tdxml wire."""

    def __init__(self, method: Method[Any, R], operation: TdxmlOperation[R]) -> None:
        self._method = method
        self._operation = operation

    def request(self, arguments: Any, limits: Limits) -> JmsRequest:
        kind, body = self._operation.message(arguments, limits)
        properties = {"SOAPJMS_contentType": kind, "Creo_method": f"{self._method.id:016x}"}
        return JmsRequest(properties, body)

    def result(self, answer: JmsAnswer, limits: Limits, peer: str) -> R:
        kind = answer.kind
        if kind is None:
            raise _no_kind()
        if kind == ERROR:
            return self._method.finish(RawAnswer(0, kind, answer.body, None), limits, peer)
        if media_type(answer.content_type)[0] not in TABLE_TYPES:
            raise wrong_type(answer)
        root = "$result" if kind == RESPONSE else "$exception"
        tables = self._operation.tables
        document, parts = read_tables(answer.body, answer.content_type, limits, root)
        if kind == RESPONSE:
            return cast("R", tables.result(document, limits, parts))
        raise tables.exception(document, limits, peer, parts)


class _BinaryWire(_Shared):
    @property
    def key(self) -> Hashable:
        return ("jms", "binary")

    def operation(self, method: Method[Any, R]) -> JmsOperation[R]:
        return _BinaryOperation(method)


class _BinaryOperation(Generic[R]):
    """A method on the binary wire."""

    def __init__(self, method: Method[Any, R]) -> None:
        self._method = method

    def request(self, arguments: Any, limits: Limits) -> JmsRequest:
        properties = {
            "SOAPJMS_contentType": BINARY_TYPE,
            "Creo_method": f"{self._method.id:016x}",
        }
        return JmsRequest(properties, self._method.encode(arguments, limits))

    def result(self, answer: JmsAnswer, limits: Limits, peer: str) -> R:
        if answer.kind is None:
            raise _no_kind()
        if answer.kind != ERROR and media_type(answer.content_type)[0] != BINARY_TYPE:
            raise wrong_type(answer)
        return self._method.finish(RawAnswer(0, answer.kind, answer.body, None), limits, peer)
