"""Raw messages over JMS (CALL-61, CALL-62)."""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING, Any, Final

from .._base import CreoError
from .._call import milliseconds_left
from .._call.raw import RawBody, binary, show
from .._http import media_type
from .._http.raw import followed
from .._tcp import inflate
from . import BINARY_TYPE

if TYPE_CHECKING:
    from collections.abc import Mapping

    from .._base import Limits
    from .._call import CallOptions, Method
    from . import JmsRequest
    from .address import JmsAddress
    from .message import Message

#: The order of JMS-4; metadata follow.
_LISTED: Final = (
    "SOAPJMS_requestURI",
    "SOAPJMS_bindingVersion",
    "SOAPJMS_contentType",
    "SOAPJMS_contentEncoding",
    "SOAPJMS_soapAction",
    "SOAPJMS_targetService",
    "SOAPJMS_isFault",
    "Creo_method",
    "Creo_kind",
    "Creo_run",
    "Creo_item",
    "Creo_timeout",
)
_GZIP: Final = 31


def show_request(
    method: Method[Any, Any],
    options: CallOptions,
    where: JmsAddress,
    request: JmsRequest,
    until: float | None,
) -> None:
    """Shows a request that is about to be sent."""
    timeout = {} if until is None else {"Creo_timeout": str(milliseconds_left(until))}
    fields = _fields({**request.properties, **timeout})
    body = b"".join(request.body)
    if "SOAPJMS_contentEncoding" in request.properties:
        body = zlib.decompress(body, _GZIP)
    show(method, options, _peer(where), fields, _body(method, fields, body), sent=True)


def show_answer(
    method: Method[Any, Any],
    options: CallOptions,
    where: JmsAddress,
    answer: Message,
    limits: Limits,
) -> None:
    """Shows an answer that has come, unless it exceeds a limit or its encoding cannot be undone."""
    if answer.problem is not None:
        return
    fields = _fields(answer.properties)
    encoding = dict(fields).get("SOAPJMS_contentEncoding", "").strip().lower()
    body = answer.body
    if encoding in ("gzip", "x-gzip"):
        try:
            body = inflate(body, limits, _GZIP)
        except CreoError:
            return
    elif encoding not in ("", "identity"):
        return
    show(method, options, _peer(where), fields, _body(method, fields, body), sent=False)


def _peer(where: JmsAddress) -> str:
    return f"jms:{where.kind}:{where.name}"


def _fields(properties: Mapping[str, object]) -> list[tuple[str, str]]:
    fields = [(name, _text(properties[name])) for name in _LISTED if name in properties]
    fields = [
        (name, value.partition("?")[0] if name == "SOAPJMS_requestURI" else value)
        for name, value in fields
    ]
    meta = ((name, _text(value)) for name, value in properties.items())
    return [*fields, *(pair for pair in meta if pair[0].startswith("Creo_meta_"))]


def _text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _body(method: Method[Any, Any], fields: list[tuple[str, str]], body: bytes) -> RawBody:
    kind = dict(fields).get("SOAPJMS_contentType", "")
    return (
        binary(body, method) if media_type(kind)[0] == BINARY_TYPE else followed(body, kind, method)
    )
