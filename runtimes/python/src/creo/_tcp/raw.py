"""Raw messages over TCP (CALL-61, CALL-62)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from .._call import EXCEPTION, RESPONSE, milliseconds_left
from .._call.raw import RawBody, binary, nameless, show

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .._binary import Part
    from .._call import CallOptions, Method, RawAnswer

_KINDS: Final = {RESPONSE: "response", EXCEPTION: "exception"}


def show_request(
    method: Method[Any, Any],
    options: CallOptions,
    peer: str,
    tables: bool,
    body: Sequence[Part],
    until: float | None,
) -> None:
    """Shows a request that is about to be sent; ``tables`` is whether its wire is tdxml."""
    fields = [_wire(tables), ("kind", "oneway" if method.oneway else "request")]
    if until is not None:
        fields.append(("timeout", str(milliseconds_left(until))))
    fields += options.metadata.items()
    show(method, options, peer, fields, _body(b"".join(body), method, tables), sent=True)


def show_answer(
    method: Method[Any, Any], options: CallOptions, peer: str, tables: bool, answer: RawAnswer
) -> None:
    """Shows an answer that has come, unless it was refused before its body was there."""
    if answer.error is not None:
        return
    kind = _KINDS.get(answer.kind, "error")
    fields = [_wire(tables), ("kind", kind), *(answer.metadata or {}).items()]
    # An error is binary on each wire.
    body = _body(answer.body, method, tables and kind != "error")
    show(method, options, peer, fields, body, sent=False)


def _wire(tables: bool) -> tuple[str, str]:
    return "wire", "tdxml" if tables else "binary"


def _body(body: bytes, method: Method[Any, Any], tables: bool) -> RawBody:
    if tables:
        return nameless(body, method, "its secrets have no names of their own")
    return binary(body, method)
