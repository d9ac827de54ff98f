"""Addresses of JMS (JMS-1): ``jms:queue:NAME?parameter=value&...``, the URIs of RFC 6167."""

from __future__ import annotations

import re
from typing import Final, NamedTuple, NoReturn

from .._base import CreoError, ErrorCode, shown

_NUMBER: Final = re.compile("[0-9]{1,18}")
_PERCENT: Final = re.compile(rb"%([0-9A-Fa-f]{2})")
# Printable ASCII without the beginning of a fragment.
_RAW: Final = re.compile(r"[!\"$-~]*")
_MAX_ADDRESS: Final = 4_096
_SENT: Final = ("deliveryMode", "timeToLive", "priority", "replyToName")
#: The default of JMS.
_PRIORITY: Final = 4
#: The longest time to live of an AMQP message, and so of a call.
_MAX_MILLISECONDS: Final = (1 << 32) - 1


class JmsAddress(NamedTuple):
    """The destination of requests, and their properties."""

    text: str
    kind: str
    """``queue`` or ``topic``."""
    name: str
    uri: str
    """The address in a request, without the parameters for the client itself."""
    persistent: bool
    time_to_live: int | None
    """In milliseconds."""
    priority: int
    reply_to: str | None
    target_service: str | None


def parse_address(text: str) -> JmsAddress:
    """The parts of an address.

    :raises CreoError: ``invalid-value`` if it is invalid.
    """
    if _RAW.fullmatch(text) is None:
        _refuse(text, "an address is printable ASCII without spaces and fragment")
    if len(text) > _MAX_ADDRESS:
        _refuse(text, f"an address has at most {_MAX_ADDRESS} characters")
    path, _, query = text.partition("?")
    scheme, _, rest = path.partition(":")
    kind, colon, name = rest.partition(":")
    if scheme.lower() != "jms" or kind.lower() not in ("queue", "topic") or not colon:
        _refuse(text, "an address begins with jms:queue: or jms:topic:")
    decoded = _decoded(text, name)
    if not decoded:
        _refuse(text, "an address has a name")
    given: dict[str, str] = {}
    sent: list[str] = []
    for pair in query.split("&") if query else ():
        key, equals, value = pair.partition("=")
        key = _decoded(text, key)
        if key.lower().startswith("jndi"):
            _refuse(text, "a broker is not found by JNDI")
        if not key or not equals:
            _refuse(text, "a parameter has a name and a value")
        if key in given:
            _refuse(text, f"the parameter {key} is given twice")
        given[key] = _decoded(text, value)
        if key in _SENT:
            sent.append(pair)
    mode = given.get("deliveryMode", "PERSISTENT")
    if mode not in ("PERSISTENT", "NON_PERSISTENT"):
        _refuse(text, "deliveryMode is PERSISTENT or NON_PERSISTENT")
    priority = _number(text, given, "priority", 0, 9)
    for key in ("replyToName", "targetService"):
        if given.get(key) == "":
            _refuse(text, f"{key} is a name")
    # In JMS, 0 means that a message does not expire.
    time_to_live = _number(text, given, "timeToLive", 0, 10**18) or None
    return JmsAddress(
        text,
        kind.lower(),
        decoded,
        path + ("?" + "&".join(sent) if sent else ""),
        mode == "PERSISTENT",
        None if time_to_live is None else min(time_to_live, _MAX_MILLISECONDS),
        _PRIORITY if priority is None else priority,
        given.get("replyToName"),
        given.get("targetService"),
    )


def _number(text: str, given: dict[str, str], key: str, least: int, most: int) -> int | None:
    value = given.get(key)
    if value is None:
        return None
    if _NUMBER.fullmatch(value) is None or not least <= int(value) <= most:
        _refuse(text, f"{key} is a number from {least} to {most}")
    return int(value)


def _decoded(text: str, part: str) -> str:
    data = part.encode()
    if data.count(b"%") != len(_PERCENT.findall(data)):
        _refuse(text, "% is followed by two hexadecimal digits")
    try:
        found = _PERCENT.sub(lambda match: bytes((int(match[1], 16),)), data).decode()
    except UnicodeDecodeError:
        _refuse(text, "%XX stands for bytes of UTF-8")
    if "\0" in found:
        _refuse(text, "a name holds no NUL")
    return found


def _refuse(text: str, why: str) -> NoReturn:
    raise CreoError(ErrorCode.INVALID_VALUE, f"{why}: {shown(text)}", place="$address")
