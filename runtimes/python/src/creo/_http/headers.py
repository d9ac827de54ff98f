"""Metadata and the headers of users as fields of HTTP (HTTP-8, HTTP-24, HTTP-25)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final
from urllib.parse import unquote_to_bytes

from .._base import CreoError, ErrorCode, Limits, invalid_value, too_large
from .._call.metadata import encode_metadata, received_metadata

#: HTTP-24
_USER_TOKEN: Final = re.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]{1,64}")
_USER_VALUE: Final = re.compile("[\x21-\x7e](?:[\x20-\x7e\t]*[\x21-\x7e])?")
_OWNED: Final = re.compile(
    "accept-encoding|connection|content-.*|creo-.*|expect|host|keep-alive|mime-version|proxy-.*"
    "|soapaction|te|trailer|transfer-encoding|upgrade"
)
_MAX_USER_HEADERS: Final = 64
_ESCAPED: Final = re.compile("(?:[\x20-\x24\x26-\x7e]|%[0-9A-Fa-f]{2})*")
_PRINTABLE: Final = re.compile("[\x20-\x7e]*")
_OWN_HEADERS: Final = ("authorization", "traceparent", "tracestate")


def metadata_headers(metadata: Mapping[str, str], limits: Limits) -> dict[str, str]:
    """The headers for metadata (HTTP-8)."""
    encode_metadata(metadata, limits)
    headers: dict[str, str] = {}
    for name, value in metadata.items():
        if name in _OWN_HEADERS:
            if _PRINTABLE.fullmatch(value) is None:
                raise invalid_value(f"the value of {name} is printable ASCII", "$metadata")
            headers[name] = value
        else:
            headers[f"Creo-Meta-{name}"] = metadata_value(value)
    return headers


def user_headers(
    headers: Mapping[str, str], metadata: Mapping[str, str], limits: Limits
) -> dict[str, str]:
    """A user's request headers, checked (HTTP-24).

    :raises CreoError: ``invalid-value``; or ``too-large``.
    """
    if len(headers) > _MAX_USER_HEADERS:
        message = f"more than {_MAX_USER_HEADERS} headers of a request"
        raise too_large("maxMetadataSize", limits.max_metadata_size, message)
    seen: set[str] = set()
    size = 0
    for name, value in headers.items():
        small = name.lower()
        if _USER_TOKEN.fullmatch(name) is None:
            message = f"the name of a header is 1 to 64 characters of a token, not {name!r:.80}"
            raise invalid_value(message, "$headers")
        if _OWNED.fullmatch(small) is not None:
            raise invalid_value(f"the header {name} is the transport's own", "$headers")
        if small in seen:
            raise invalid_value(f"the header {name} is there twice", "$headers")
        if small in _OWN_HEADERS and small in metadata:
            raise invalid_value(f"the metadata hold the header {name} too", "$headers")
        if _USER_VALUE.fullmatch(value) is None:
            message = (
                f"the value of the header {name} is printable ASCII, not empty, no spaces around it"
            )
            raise invalid_value(message, "$headers")
        seen.add(small)
        size += len(name) + len(value) + 4
    if size > limits.max_metadata_size:
        message = "the headers of a request are too large"
        raise too_large("maxMetadataSize", limits.max_metadata_size, message)
    return dict(headers)


def metadata_value(value: str) -> str:
    """A metadata value in the form of a header (HTTP-8)."""
    return "".join(
        chr(byte) if 0x21 <= byte <= 0x7E and byte != 0x25 else f"%{byte:02X}"
        for byte in value.encode()
    )


def read_metadata_values(pairs: Sequence[tuple[str, str]], limits: Limits) -> dict[str, str]:
    """The metadata of an answer, of keys and what ``metadata_value`` makes of values (CALL-5)."""
    return received_metadata([(key, _metadata_text(value)) for key, value in pairs], limits)


def _metadata_text(value: str) -> str:
    if _ESCAPED.fullmatch(value) is not None:
        try:
            return unquote_to_bytes(value).decode()
        except UnicodeDecodeError:
            pass
    message = "the answer has metadata with a value that is no text with %XX"
    raise CreoError(ErrorCode.MALFORMED, message)
