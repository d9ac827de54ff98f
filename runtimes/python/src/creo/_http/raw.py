"""Raw messages: secrets are hidden by name (CALL-60 to CALL-68)."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

from .._call import raw
from .._call.raw import RawBody

if TYPE_CHECKING:
    from .._call import CallOptions, Method, RawMessage
    from . import Response
    from .channel import Request

_MAX_DEPTH: Final = 256
_ROW: Final = 16
_MAX_INDENT: Final = 100
#: The media type of the binary wire over JMS.
_BINARY: Final = "application/vnd.creo.binary"

_NO_TEXT: Final = "the media type is neither JSON nor XML"
_WRONG: Final = "it is not well-formed"
_NAMELESS: Final = "its secrets have no names of their own"
_ALWAYS: Final = frozenset((b"Password", b"Nonce", b"BinarySecurityToken", b"Assertion"))
_TABLES: Final = frozenset((b"CT", b"RT", b"UT", b"ContentTable", b"RecordTable", b"UpdateTable"))

_SPACE: Final = re.compile(rb"[ \t\r\n]*")
_STRING: Final = re.compile(rb'"(?:[^"\\]|\\.)*"', re.S)
_LITERAL: Final = re.compile(rb"[0-9A-Za-z+.-]+")
_NAME: Final = rb"[^ \t\r\n/>=<\"'!]+"
_ATTRIBUTE: Final = re.compile(
    rb"[ \t\r\n]+(" + _NAME + rb")[ \t\r\n]*=[ \t\r\n]*(?:\"([^\"<]*)\"|'([^'<]*)')"
)
_TAG: Final = re.compile(rb"<(" + _NAME + rb")((?:" + _ATTRIBUTE.pattern + rb")*)[ \t\r\n]*(/?)>")
_END: Final = re.compile(rb"</(" + _NAME + rb")[ \t\r\n]*>")
_TEXT: Final = re.compile(rb"[^<]+")
_BESIDE: Final = re.compile(rb"<!--.*?-->|<\?.*?\?>", re.S)
_CDATA: Final = re.compile(rb"<!\[CDATA\[.*?\]\]>", re.S)


class _NotFollowed(Exception):
    """A body in which secrets cannot be found, with the reason."""


def show(
    method: Method[Any, Any], options: CallOptions, peer: str, message: Request | Response
) -> None:
    """Shows a message to the hook of the options."""
    status = 0
    if isinstance(message, tuple):
        headers = tuple(message.headers.items())
        body = b"".join(message.body)
        if message.headers.get("Content-Encoding") == "gzip":
            body = zlib.decompress(body, 31)
    else:
        status, headers, body = message.status, message.fields, message.body
    media_type = next((value for name, value in headers if name.lower() == "content-type"), "")
    seen = followed(body, media_type, method)
    raw.show(method, options, peer, headers, seen, sent=status == 0, status=status)


def followed(body: bytes, media_type: str, method: Method[Any, Any]) -> RawBody:
    """A body of a text wire without its secrets, or the reason why it is not shown."""
    try:
        return RawBody(_masked(body, media_type, method.secrets), len(body), None)
    except _NotFollowed as reason:
        if method.secrets or b"wssecurity-secext" in body or b"\0" in body:
            return RawBody(b"", len(body), str(reason))
        return RawBody(body, len(body), None)


# Secrets


def _masked(body: bytes, media_type: str, secrets: tuple[str, ...]) -> bytes:
    if not body:
        return body
    kind = media_type.split(";")[0].strip().lower()
    json = kind == "application/json" or kind.endswith("+json")
    if not json and kind not in ("text/xml", "application/xml") and not kind.endswith("+xml"):
        raise _NotFollowed(_NO_TEXT)
    if "*" in secrets:
        raise _NotFollowed(_NAMELESS)
    names = frozenset(name.encode() for name in secrets)
    return (_Json if json else _Xml)(body, names).masked()


class _Scan:
    """Copies a body, and leaves out parts of it."""

    def __init__(self, body: bytes, secrets: frozenset[bytes]) -> None:
        self._body = body
        self._secrets = secrets
        self._at: int = 3 if body.startswith(b"\xef\xbb\xbf") else 0
        self._copied: list[bytes] = []
        self._rest = 0

    def masked(self) -> bytes:
        self._scan()
        return b"".join([*self._copied, self._body[self._rest :]])

    def _scan(self) -> None:
        raise NotImplementedError

    def _hide(self, start: int, end: int, by: bytes) -> None:
        self._copied += (self._body[self._rest : start], by)
        self._rest = end

    def _match(self, pattern: re.Pattern[bytes]) -> re.Match[bytes] | None:
        found = pattern.match(self._body, self._at)
        if found is not None:
            self._at = found.end()
        return found

    def _need(self, pattern: re.Pattern[bytes]) -> re.Match[bytes]:
        found = self._match(pattern)
        if found is None:
            raise _NotFollowed(_WRONG)
        return found


class _Json(_Scan):
    _hiding = False

    def _scan(self) -> None:
        self._match(_SPACE)
        self._value(0)
        self._match(_SPACE)
        if self._at < len(self._body):
            raise _NotFollowed(_WRONG)

    def _takes(self, char: bytes) -> bool:
        taken = self._body.startswith(char, self._at)
        self._at += taken
        return taken

    def _value(self, depth: int) -> None:
        first = self._body[self._at : self._at + 1]
        if depth == _MAX_DEPTH:
            raise _NotFollowed(_WRONG)
        if first in (b"{", b"["):
            self._items(first == b"{", depth)
        else:
            self._need(_STRING if first == b'"' else _LITERAL)

    def _items(self, named: bool, depth: int) -> None:
        self._at += 1
        end = b"}" if named else b"]"
        self._match(_SPACE)
        if self._takes(end):
            return
        while True:
            self._match(_SPACE)
            secret = named and self._member()
            start = self._at
            self._hiding = self._hiding or secret
            self._value(depth + 1)
            if secret:
                self._hiding = False
                self._hide(start, self._at, b'"***"')
            self._match(_SPACE)
            if not self._takes(b","):
                break
        if not self._takes(end):
            raise _NotFollowed(_WRONG)

    def _member(self) -> bool:
        name = self._need(_STRING)[0][1:-1]
        if self._secrets and b"\\" in name:
            raise _NotFollowed(_NAMELESS)
        self._match(_SPACE)
        if not self._takes(b":"):
            raise _NotFollowed(_WRONG)
        self._match(_SPACE)
        return not self._hiding and name in self._secrets


class _Xml(_Scan):
    def __init__(self, body: bytes, secrets: frozenset[bytes]) -> None:
        super().__init__(body, secrets)
        self._open: list[bytes] = []
        # The hidden element: how many are open around it, and where its content begins.
        self._hidden: tuple[int, int] | None = None

    def _scan(self) -> None:
        seen = False
        while True:
            begin = self._at
            self._match(_SPACE)
            if self._at == len(self._body):
                break
            if not self._body.startswith(b"<", self._at):
                self._at = begin
                self._need(_TEXT)
                if not self._open:
                    raise _NotFollowed(_WRONG)
            elif self._match(_BESIDE) or (self._open and self._match(_CDATA)):
                continue
            elif self._body.startswith(b"</", self._at):
                self._end()
            else:
                if (seen and not self._open) or len(self._open) == _MAX_DEPTH:
                    raise _NotFollowed(_WRONG)
                seen = True
                self._start()
        if not seen or self._open:
            raise _NotFollowed(_WRONG)

    def _end(self) -> None:
        begin = self._at
        name = self._need(_END)[1]
        if not self._open or self._open.pop() != name:
            raise _NotFollowed(_WRONG)
        if self._hidden is not None and self._hidden[0] == len(self._open):
            self._hide(self._hidden[1], begin, b"***")
            self._hidden = None

    def _start(self) -> None:
        tag = self._need(_TAG)
        local = _local(tag[1])
        declared = local in self._secrets
        secret = False
        if self._hidden is None:
            if self._secrets and local in _TABLES:
                raise _NotFollowed(_NAMELESS)
            secret = declared or local in _ALWAYS
            self._attributes(tag, secret, declared)
        if not tag[tag.re.groups]:
            if secret:
                self._hidden = len(self._open), self._at
            self._open.append(tag[1])

    def _attributes(self, tag: re.Match[bytes], secret: bool, declared: bool) -> None:
        for each in _ATTRIBUTE.finditer(self._body, tag.start(2), tag.end(2)):
            name = each[1]
            if declared and _local(name) == b"href":
                raise _NotFollowed(_NAMELESS)
            if name == b"xmlns" or name.startswith(b"xmlns:"):
                continue
            if secret or _local(name) in self._secrets:
                value = 2 if each[2] is not None else 3
                self._hide(each.start(value), each.end(value), b"***")


def _local(name: bytes) -> bytes:
    return name.partition(b":")[2] if b":" in name else name


# Text


def text_of(message: RawMessage, indented: bool) -> str:
    """A message as text (CALL-68)."""
    kind = "answer" if message.answer else "request"
    how = ("sent", "to") if message.sent else ("received", "from")
    status = f", status {message.status}" if message.status else ""
    lines = [
        f"{how[0]} {kind} of {message.method} {how[1]} {_plain(message.peer)}{status},"
        f" {message.length} bytes"
    ]
    lines += [f"{_plain(name)}: {_plain(value)}" for name, value in message.headers]
    if message.hidden is not None:
        lines += ["", f"(the body is not shown: {message.hidden})"]
    else:
        if message.body:
            lines += ["", *_body_lines(message, indented)]
        if message.cut:
            lines.append(f"({message.cut} more bytes)")
    return "\n| ".join(lines)


def _plain(text: str) -> str:
    return re.sub(r"[^ -~]", "?", text)


def _is_binary(message: RawMessage) -> bool:
    """Whether the body is of the binary wire."""
    fields = message.headers
    if fields and fields[0][0] == "wire":
        return fields[0][1] == "binary" or fields[1:2] == (("kind", "error"),)
    return any(
        name == "SOAPJMS_contentType" and value.lower().startswith(_BINARY)
        for name, value in fields
    )


def _body_lines(message: RawMessage, indented: bool) -> list[str]:
    body = message.body
    text = None if _is_binary(message) else _decoded(body)
    if text is None:
        rows = range(0, len(body), _ROW)
        return [f"{row:6d}  {body[row : row + _ROW].hex(' ')}" for row in rows]
    return re.split(r"\r\n|\r|\n", _indented(text) if indented else text)


def _decoded(body: bytes) -> str | None:
    """The text of a body, which may be cut within a character; None if it is none."""
    import codecs

    try:
        text = codecs.getincrementaldecoder("utf-8")().decode(body)
    except UnicodeDecodeError:
        return None
    if not text or re.search(r"[^\t\n\r -~\xa0-\U0010ffff]", text) is not None:
        return None
    return text


def _indented(text: str) -> str:
    """Line breaks and indentation, without a demand on the text: it may be cut."""
    stripped = text.strip()
    if stripped.startswith("<"):
        return "".join(_indented_xml(stripped)).lstrip("\n")
    if stripped.startswith(("{", "[")):
        return "".join(_indented_json(stripped))
    return text


def _line(depth: int) -> str:
    return "\n" + "  " * max(0, min(depth, _MAX_INDENT))


_JSON_TOKEN: Final = re.compile(r'"(?:[^"\\]|\\.)*"?|[\[{]\s*[\]}]|\S', re.S)


def _indented_json(text: str) -> Iterator[str]:
    depth = 0
    for token in _JSON_TOKEN.findall(text):
        if token in ("{", "["):
            depth += 1
            yield token + _line(depth)
        elif token[0] in "{[":
            yield token[0] + token[-1]
        elif token in ("}", "]"):
            depth -= 1
            yield _line(depth) + token
        elif token == ",":
            yield token + _line(depth)
        else:
            yield ": " if token == ":" else token


_XML_TOKEN: Final = re.compile(
    r"(?P<text><!\[CDATA\[.*?(?:\]\]>|\Z)|[^<]+)|<!--.*?(?:-->|\Z)|<[^>]*>?", re.S
)


def _indented_xml(text: str) -> Iterator[str]:
    depth = 0
    in_line = False
    for match in _XML_TOKEN.finditer(text):
        token = match[0]
        if match["text"] is not None:
            if token.strip():
                yield token
                in_line = True
            continue
        closes = token.startswith("</")
        depth -= closes
        if not (closes and in_line):
            yield _line(depth)
        yield token
        opens = not closes and not token.startswith(("<?", "<!")) and not token.endswith("/>")
        depth += opens
        in_line = opens
