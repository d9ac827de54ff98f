"""Multipart messages: ``multipart/related`` with XOP (SOAP-20 to SOAP-22)."""

from __future__ import annotations

import re
import secrets
from collections.abc import Mapping, Sequence
from typing import Callable, Final

from .._base import MAX_PART_HEADERS, CreoError, ErrorCode, Limits, shown, too_large
from .._binary import FAILURES, Bad
from .._text import lexical
from . import media_type

_MAX_BOUNDARY: Final = 70
_ID: Final = "content-id"
_TYPE: Final = "content-type"
_ENCODING: Final = "content-transfer-encoding"
_HEADER: Final = re.compile("([!-9;-~]+):(.*)", re.DOTALL)
#: A byte as digits, a line that goes on, or what is blank, perhaps at the end of a line.
_QUOTED: Final = re.compile(rb"=(?:([0-9A-Fa-f]{2})|([ \t]*(?:\r?\n|\Z)))?|[ \t]+(\r?\n|\Z)?")


class Part:
    """A part of a multipart."""

    __slots__ = ("_data", "headers")

    def __init__(self, headers: dict[str, str], data: bytes) -> None:
        self.headers = headers
        self._data = data

    @property
    def id(self) -> str | None:
        """The content id; None if there is none."""
        name = self.headers.get(_ID)
        return None if name is None else _unbracketed(name)

    def read(self) -> bytes:
        """The bytes; ``Bad`` if the transfer encoding is not known, or not followed."""
        name = self.headers.get(_ENCODING, "")
        decode = _DECODERS.get(name.lower())
        if decode is None:
            raise Bad(f"a part has the encoding {shown(name)!r}, which is not known")
        try:
            return decode(self._data)
        except FAILURES:
            raise Bad(f"a part is not {shown(name)}") from None


def _same(data: bytes) -> bytes:
    return data


def _base64(data: bytes) -> bytes:
    return lexical.parse_base64(data.decode("ascii"))


def _quoted(data: bytes) -> bytes:
    """Quoted-printable: RFC 2045, section 6.7."""
    return _QUOTED.sub(_unquoted, data)


def _unquoted(found: re.Match[bytes]) -> bytes:
    digits, soft, line_end = found.groups()
    if digits is not None:
        return bytes((int(digits, 16),))
    if soft is not None:
        return b""
    if found[0] == b"=":
        raise Bad
    return found[0] if line_end is None else line_end


_DECODERS: Final[dict[str, Callable[[bytes], bytes]]] = {
    **dict.fromkeys(("", "7bit", "8bit", "binary"), _same),
    "base64": _base64,
    "quoted-printable": _quoted,
}


class Package:
    """A package that was taken apart."""

    __slots__ = ("charset", "parts", "root")

    def __init__(self, root: Part, parts: dict[str, Part]) -> None:
        try:
            self.root = root.read()
        except Bad as bad:
            raise _malformed(str(bad)) from None
        self.charset = media_type(root.headers.get(_TYPE, ""))[1].get("charset")
        """What the root says of its encoding."""
        self.parts = {name: part.read for name, part in parts.items()}
        """What reads the other parts, by their ids."""


def read_package(body: bytes, parameters: Mapping[str, str], limits: Limits) -> Package:
    """Takes a package apart (SOAP-22)."""
    boundary = parameters.get("boundary", "")
    if not boundary or not boundary.isascii() or len(boundary) > _MAX_BOUNDARY:
        raise _malformed(f"a package needs a boundary of 1 to {_MAX_BOUNDARY} characters")
    start = parameters.get("start")
    if start is not None:
        start = _unbracketed(start.strip())
    root: Part | None = None
    parts: dict[str, Part] = {}
    ids: set[str] = set()
    for part in _split(body, b"--" + boundary.encode("ascii"), limits):
        name = part.id
        if name is not None and name in ids:
            raise _malformed(f"two parts have the id {shown(name)}")
        if root is None and (start is None or name == start):
            root = part
        elif name is not None:
            parts[name] = part
        if name is not None:
            ids.add(name)
    if root is None:
        raise _malformed("a package does not have its root")
    return Package(root, parts)


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
        found = _HEADER.fullmatch(line)
        if found is None:
            raise _malformed(f"no header of a part: {shown(line)}")
        name = found[1].lower()
        if name in headers and name in (_ID, _TYPE, _ENCODING):
            raise _malformed(f"a part has the header {name} twice")
        headers[name] = found[2].strip()
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


def _malformed(message: str) -> CreoError:
    return CreoError(ErrorCode.MALFORMED, message)
