"""Calls on the json wire: a method's POST and its answers (JSON-20 to JSON-24)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Generic, TypeVar, cast

from .._base import CreoError, ErrorCode, peer_error, shown
from .._binary import FAILURES
from .._binary.schema import check_size
from .._call import with_peer
from .._http import Response, Url, media_type, status_error
from .._http.channel import Request
from .._text import TextMethod, TextRecord
from .._text.arguments import Arguments
from .._text.explain import TextWalk
from .._text.write import TextWriting
from . import attempt_json, read_value
from .accelerator import json_codec
from .leaf import parse
from .read import READERS
from .write import FORMS

if TYPE_CHECKING:
    from .._base import Limits
    from .._call import Method

R = TypeVar("R")

MEDIA_TYPE: Final = "application/json"
PROBLEM: Final = "application/problem+json"

_EXCEPTION: Final = "urn:creo:exception:"
_ERROR: Final = "urn:creo:error:"


class JsonBinding:
    """The json wire, as spoken by a client."""

    @property
    def key(self) -> str:
        """Equal for bindings that make the same operations."""
        return "json"

    def operation(self, method: Method[Any, R]) -> JsonOperation[R]:
        """A method on this wire."""
        return JsonOperation(method)


class JsonOperation(Generic[R]):
    """A method on the json wire."""

    def __init__(self, method: Method[Any, R]) -> None:
        text: TextMethod = method.interface.texts()[method.name]
        self._name = method.name
        self._full_name = method.full_name
        self._message = text.request
        self._arguments = Arguments(text.request)
        self._write = FORMS.arguments(text.request)
        self._throws = {record.type.name: record for record in text.throws()}
        fields = text.response.fields if text.response is not None else ()
        self._value = fields[0].value if fields else None
        self._reader = None if self._value is None else READERS.value(self._value)
        arguments, result = method.fast
        self.fast_arguments = json_codec(arguments, text.request)
        self._fast_result = json_codec(result, self._value)

    def request(self, arguments: Any, url: Url, limits: Limits) -> Request:
        """The body of a call, with its headers."""
        body: Any = NotImplemented
        if self.fast_arguments is not None:
            body = self.fast_arguments.encode_json(arguments, limits)
        if body is NotImplemented:
            body = self.write_in_python(arguments, limits)
        return Request(url.method(self._name), {"Content-Type": MEDIA_TYPE}, [body])

    def write_in_python(self, arguments: Any, limits: Limits) -> bytes:
        """The body of a call, written without the accelerator."""
        values = self._arguments.held(arguments)
        try:
            body = self._write(values, TextWriting(limits.max_depth)).encode()
        except FAILURES as failure:
            problem = failure
        else:
            check_size(len(body), limits)
            return body
        walk = TextWalk(limits, attempt_json(limits))
        raise walk.explain_fields(self._message, values, "$") from problem

    def result(self, response: Response, url: Url, limits: Limits) -> R:
        """The result of an answer, or raises its error."""
        kind, parameters = media_type(response.header("content-type"))
        fine = 200 <= response.status < 300
        if kind == PROBLEM:
            raise self.problem(response.body, response, url, limits)
        if not fine:
            raise status_error(response, url)
        if self._reader is None or self._value is None:
            if response.body.strip(b" \t\r\n") not in (b"", b"null"):
                message = f"{len(response.body)} bytes came as the result of a method without one"
                error = CreoError(ErrorCode.MALFORMED, message, place="$result", offset=0)
                raise with_peer(error, url.peer)
            return cast("R", None)
        if not response.body:
            message = f"{url.text} answered {response.status} without a body"
            raise CreoError(ErrorCode.PROTOCOL_MISMATCH, message, details={"peer": url.peer})
        if kind != MEDIA_TYPE or parameters.get("charset", "utf-8").lower() != "utf-8":
            raise status_error(response, url)
        if self._fast_result is not None:
            found = self._fast_result.decode_json(response.body, limits)
            if found is not NotImplemented:
                return cast("R", found)
        try:
            value = read_value(self._reader, self._value, response.body, limits, "$result")
        except CreoError as error:
            raise with_peer(error, url.peer) from None
        return cast("R", value)

    # Problem documents

    def problem(
        self, document: bytes, response: Response, url: Url, limits: Limits
    ) -> BaseException:
        """What a document of an answer says (JSON-24)."""
        members = _members(document, limits)
        said = _text(members, "type")
        if said.startswith(_ERROR):
            details = {
                key: item
                for key, item in dict(_pairs(members.get("details"))).items()
                if isinstance(item, str)
            }
            word = said[len(_ERROR) :]
            message = _text(members, "detail")
            return peer_error(ErrorCode.of_word(word), word, message, details, url.peer)
        if said.startswith(_EXCEPTION):
            record = self._throws.get(said[len(_EXCEPTION) :])
            if record is not None:
                return self._exception(record, document, url, limits)
            name = shown(said[len(_EXCEPTION) :])
            message = f"{self._full_name} answered an exception that it does not declare: {name}"
            details = {"peer": url.peer}
            return CreoError(ErrorCode.INTERNAL, message, details=details, from_peer=True)
        told = [_text(members, "title"), _text(members, "detail")]
        return status_error(response, url, ": ".join([text for text in told if text]))

    def _exception(
        self, record: TextRecord, document: bytes, url: Url, limits: Limits
    ) -> BaseException:
        from .scan import read_member

        try:
            return cast("BaseException", read_member(document, "value", record, limits))
        except CreoError as error:
            return with_peer(error, url.peer)


def _members(body: bytes, limits: Limits) -> dict[str, Any]:
    """The members of a problem document; empty if it is none."""
    try:
        found, _ = parse(body, limits)
        return dict(_pairs(found))
    except FAILURES:
        return {}


def _pairs(found: Any) -> tuple[tuple[str, Any], ...]:
    if not isinstance(found, tuple):
        return ()
    return cast("tuple[tuple[str, Any], ...]", found)


def _text(members: dict[str, Any], name: str) -> str:
    found = members.get(name)
    return found if isinstance(found, str) else ""
