"""Calls on the tdxml wire over HTTP, without SOAP (TDX-51, TDX-53)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast

from .._base import CreoError, ErrorCode
from .._binary.schema import check_size
from .._call import with_peer
from .._http import Response, Url, media_type, status_error
from .._http.channel import Request
from .._http.mime import read_package, write_plain_package
from . import check_scheme, read_alone
from .calls import TableMethod
from .shape import MEDIA_TYPE

if TYPE_CHECKING:
    from .._base import Limits
    from .._call import Method
    from .._text.read import Parts
    from .rows import Document

R = TypeVar("R")

#: Media types of answers.
READ_TYPES = (MEDIA_TYPE, "multipart/related")


class TdxmlBinding:
    """The tdxml wire with a client's options."""

    def __init__(self, scheme: str, schema: bool, packages: bool) -> None:
        self.scheme = check_scheme(scheme)
        self.schema = schema
        self.packages = packages

    @property
    def key(self) -> tuple[str, str, bool, bool]:
        """Equal for bindings that make the same operations."""
        return ("tdxml", self.scheme, self.schema, self.packages)

    def operation(self, method: Method[Any, R]) -> TdxmlOperation[R]:
        """A method on this wire."""
        return TdxmlOperation(method, self)


class TdxmlOperation(Generic[R]):
    """A method on the tdxml wire over HTTP."""

    def __init__(self, method: Method[Any, R], binding: TdxmlBinding) -> None:
        text = method.interface.texts()[method.name]
        self._name = method.name
        self._binding = binding
        self.tables = TableMethod(method.name, method.full_name, text)
        self._is_void = text.response is None or not text.response.fields

    def request(self, arguments: Any, url: Url, limits: Limits) -> Request:
        """The body of a call, with its headers."""
        kind, body = self.message(arguments, limits)
        return Request(url.method(self._name), {"Content-Type": kind}, body)

    def message(self, arguments: Any, limits: Limits) -> tuple[str, list[bytes]]:
        """The media type and the body of a request, on any transport."""
        binding = self._binding
        parts: list[bytes] | None = [] if binding.packages else None
        document = self.tables.request(
            arguments, limits, binding.scheme, schema=binding.schema, parts=parts
        )
        kind, body = MEDIA_TYPE, [document]
        if parts is not None:
            kind, body = write_plain_package(document, parts, MEDIA_TYPE)
        check_size(sum(map(len, body)), limits)
        return kind, body

    def result(self, response: Response, url: Url, limits: Limits) -> R:
        """The result of an answer, or raises its error."""
        kind = media_type(response.header("content-type"))[0]
        fine = 200 <= response.status < 300
        if fine and not response.body and self._is_void:
            return cast("R", None)
        if fine and not response.body:
            message = f"{url.text} answered {response.status} without a body"
            raise CreoError(ErrorCode.PROTOCOL_MISMATCH, message, details={"peer": url.peer})
        if kind not in READ_TYPES:
            raise status_error(response, url)
        try:
            return self._read(response, url, limits, fine)
        except CreoError as error:
            told = error.from_peer or (error.place or "").startswith("$exception")
            if not fine and not told:
                raise status_error(response, url) from error
            raise with_peer(error, url.peer) from None

    def _read(self, response: Response, url: Url, limits: Limits, fine: bool) -> R:
        content_type = response.header("content-type")
        document, parts = read_tables(response.body, content_type, limits, "$result")
        raised = self.tables.raised(document, limits, url.peer, parts)
        if raised is not None:
            raise raised
        if response.status == 422:
            raise self.tables.undeclared(document.of or "", url.peer)
        if not fine:
            raise status_error(response, url)
        return cast("R", self.tables.result(document, limits, parts))


def read_tables(
    body: bytes, content_type: str, limits: Limits, root: str
) -> tuple[Document, Parts | None]:
    """An answer's document, and the parts of its multipart, if any; ``root`` is its path."""
    kind, parameters = media_type(content_type)
    if kind == MEDIA_TYPE:
        return read_alone(body, limits, parameters.get("charset"), root), None
    package = read_package(body, parameters, limits)
    document = read_alone(package.root, limits, package.charset, root, len(body))
    return document, package.parts
