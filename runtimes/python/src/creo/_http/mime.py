"""Multipart messages: ``multipart/related`` with XOP (SOAP-20 to SOAP-22)."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from typing import Final

from .._base import MAX_PART_HEADERS, CreoError, ErrorCode, Limits, shown, too_large
from . import media_type

_ENCODINGS: Final = ("", "binary", "8bit", "7bit")


class Part:
    """A part of a multipart."""

    __slots__ = ("data", "headers")

    def __init__(self, headers: dict[str, str], data: bytes) -> None:
        self.headers = headers
        self.data = data


def read_package(
    body: bytes, parameters: Mapping[str, str], limits: Limits
) -> tuple[Part, dict[str, bytes]]:
    """The root part, and the other parts by id."""
    boundary = parameters.get("boundary", "")
    if not boundary or not boundary.isascii() or len(boundary) > 200:
        raise _malformed("a package needs a boundary")
    parts = _split(body, b"--" + boundary.encode("ascii"), limits)
    if not parts:
        raise _malformed("a package has no parts")
    start = _unbracketed(parameters.get("start", "").strip())
    root = parts[0]
    if start:
        named = [part for part in parts if _id(part) == start]
        if not named:
            raise _malformed(f"the part {shown(start)} is not there")
        root = named[0]
    others: dict[str, bytes] = {}
    for part in parts:
        encoding = part.headers.get("content-transfer-encoding", "").lower()
        if encoding not in _ENCODINGS:
            raise _malformed(f"a part has the encoding {shown(encoding)}")
        if part is root:
            continue
        name = _id(part)
        if not name:
            raise _malformed("a part has no id")
        if name in others or name == _id(root):
            raise _malformed(f"two parts have the id {shown(name)}")
        others[name] = part.data
    return root, others


def _id(part: Part) -> str:
    """The id of a part; empty if it has none."""
    return _unbracketed(part.headers.get("content-id", ""))


def _unbracketed(name: str) -> str:
    """An id without its optional angle brackets (SOAP-23)."""
    return name[1:-1] if name[:1] == "<" and name[-1:] == ">" else name


def _split(body: bytes, delimiter: bytes, limits: Limits) -> list[Part]:
    parts: list[Part] = []
    at = _next_boundary(body, delimiter, 0, first=True)
    while True:
        after = at + len(delimiter)
        if body.startswith(b"--", after):
            return parts
        line = body.find(b"\r\n", after)
        if len(parts) >= limits.max_parts:
            allowed = limits.max_parts
            raise too_large("maxParts", allowed, f"a package has more than {allowed} parts")
        headers, start = _headers(body, line + 2)
        at = _next_boundary(body, delimiter, start - 2, first=False)
        parts.append(Part(headers, body[start : max(start, at - 2)]))


def _next_boundary(body: bytes, delimiter: bytes, p: int, *, first: bool) -> int:
    """The start of the next line that is a boundary."""
    while True:
        at = body.find(delimiter, p)
        if at < 0:
            raise _malformed("a package has no end")
        p = at + 1
        if at and body[at - 2 : at] != b"\r\n":
            continue
        if not at and not first:
            continue
        after = at + len(delimiter)
        if body.startswith(b"--", after):
            return at
        line = body.find(b"\r\n", after)
        if line >= 0 and not body[after:line].strip(b" \t"):
            return at


def _headers(body: bytes, p: int) -> tuple[dict[str, str], int]:
    headers: dict[str, str] = {}
    if body.startswith(b"\r\n", p):
        return headers, p + 2
    end = body.find(b"\r\n\r\n", p, p + MAX_PART_HEADERS + 4)
    if end < 0:
        if len(body) - p > MAX_PART_HEADERS:
            message = f"the headers of a part are larger than {MAX_PART_HEADERS} bytes"
            raise too_large("maxParts", MAX_PART_HEADERS, message)
        raise _malformed("the headers of a part have no end")
    text = body[p:end].decode("latin-1").replace("\r\n ", " ").replace("\r\n\t", " ")
    for line in text.split("\r\n"):
        name, colon, value = line.partition(":")
        if not colon:
            raise _malformed(f"no header of a part: {shown(line)}")
        key = name.strip().lower()
        if key in headers and key == "content-id":
            raise _malformed("a part has two ids")
        headers.setdefault(key, value.strip())
    return headers, end + 4


def write_package(
    envelope: bytes, parts: Sequence[bytes], kind: str, action: str | None
) -> tuple[str, list[bytes]]:
    """The media type and the bytes of a multipart whose root is ``envelope`` (SOAP-20).

    ``kind`` is the media type of the envelope, ``action`` its parameter (SOAP 1.2).
    """
    told = "" if action is None else f'; action="{quoted(action)}"'
    root = f'application/xop+xml; charset=utf-8; type="{kind}"'
    return _package(envelope, parts, "application/xop+xml", root, f'; start-info="{kind}"{told}')


def write_plain_package(
    document: bytes, parts: Sequence[bytes], kind: str
) -> tuple[str, list[bytes]]:
    """The same for a document other than SOAP, with this media type (TDX-53)."""
    return _package(document, parts, kind, kind, "")


def _package(
    envelope: bytes, parts: Sequence[bytes], kind: str, root: str, more: str
) -> tuple[str, list[bytes]]:
    boundary = f"creo-{secrets.token_hex(16)}"
    mark = f"\r\n--{boundary}"
    full = f'multipart/related; type="{kind}"; boundary="{boundary}"; start="<root@creo>"{more}'
    made = [
        f"{mark[2:]}\r\nContent-Type: {root}\r\nContent-Transfer-Encoding: binary\r\n"
        "Content-ID: <root@creo>\r\n\r\n".encode(),
        envelope,
    ]
    for i, part in enumerate(parts):
        head = (
            f"{mark}\r\nContent-Type: application/octet-stream\r\n"
            f"Content-Transfer-Encoding: binary\r\nContent-ID: <{i}@creo>\r\n\r\n"
        )
        made += [head.encode(), part]
    made.append(f"{mark}--\r\n".encode())
    return full, made


def quoted(text: str) -> str:
    """A text for the quotes of a header's parameter."""
    return text.replace("\\", "\\\\").replace('"', '\\"')


def charset_of(part: Part) -> str | None:
    """The charset of a part."""
    return media_type(part.headers.get("content-type", ""))[1].get("charset")


def _malformed(message: str) -> CreoError:
    return CreoError(ErrorCode.MALFORMED, message)
