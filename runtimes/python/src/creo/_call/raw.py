"""What a hook for raw messages gets, on each wire and transport (CALL-60 to CALL-67)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from .._base import shown
from . import RawMessage

if TYPE_CHECKING:
    from collections.abc import Sequence

    from . import CallOptions, Method

_MAX_BODY: Final = 16_777_216
# In the name of a property over JMS, a hyphen is ``_2d`` (JMS-4).
_SECRET_FIELD: Final = re.compile(
    r"(creo-meta-)?.*"
    r"(authorization|x(-|_2d)auth|cookie|token|secret|password|api(-|_2d)?key)", re.I
)


class RawBody(NamedTuple):
    """A body without its secrets."""

    seen: bytes
    #: How many bytes it has with them.
    length: int
    #: Why it is not shown.
    hidden: str | None


def nameless(body: bytes, method: Method[Any, Any], why: str) -> RawBody:
    """A body in which nothing has a name: hidden if the method has secrets (CALL-66)."""
    if body and method.secrets:
        return RawBody(b"", len(body), why)
    return RawBody(body, len(body), None)


def binary(body: bytes, method: Method[Any, Any]) -> RawBody:
    """A body of the binary wire."""
    return nameless(body, method, "it is of the binary wire")


def show(
    method: Method[Any, Any],
    options: CallOptions,
    peer: str,
    fields: Sequence[tuple[str, str]],
    body: RawBody,
    *,
    sent: bool,
    status: int = 0,
) -> None:
    """Shows a message to the hook of the options. What the hook raises is logged (CALL-67)."""
    hook = options.raw_messages
    if hook is None:
        return
    first = body.seen[: max(0, min(options.raw_max_body, _MAX_BODY))]
    masked = tuple(
        (name, "***" if _SECRET_FIELD.match(name) is not None else value) for name, value in fields
    )
    message = RawMessage(
        sent, not sent, method.full_name, peer, status, masked,
        first, len(body.seen) - len(first), body.length, body.hidden,
    )  # fmt: skip
    try:
        hook(message)
    except Exception as failure:
        _log(method, failure)


def _log(method: Method[Any, Any], failure: Exception) -> None:
    import logging
    import traceback

    what = "".join(traceback.format_exception_only(type(failure), failure)).strip()
    where = "".join(traceback.format_tb(failure.__traceback__)).rstrip()
    logging.getLogger("creo").error(
        "the hook for raw messages failed at a call of %s: %s\n%s",
        method.full_name, shown(what), where,
    )  # fmt: skip
