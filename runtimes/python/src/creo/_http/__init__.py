"""HTTP/1.1 for clients (``spec/transports/http.md``), shared by both kinds of client.

It does not read or write connections.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import quote, urlsplit

from .._base import (
    MAX_HEADERS,
    VERSION,
    CreoError,
    ErrorCode,
    Limits,
    answer_too_large,
    shown,
    too_large,
)
from .._call import NO_METADATA, milliseconds_left
from .._call.net import address
from .headers import read_metadata_values

#: HTTP-6: smaller bodies are not compressed.
MIN_COMPRESSED: Final = 1_024

_TOKEN: Final = re.compile(rb"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
#: HTTP-13: no control characters.
_VALUE: Final = re.compile(rb"[\t\x20-\x7e\x80-\xff]*")
_STATUS: Final = re.compile(rb"HTTP/1\.[0-9] ([1-5][0-9][0-9])(?: ([\t\x20-\x7e\x80-\xff]*))?")
_LENGTH: Final = re.compile("0*([0-9]{1,19})")
_SIZES: Final = 1 << 63
#: HTTP-16
_CHUNK: Final = re.compile(
    rb"""([0-9A-Fa-f]+)
    (?:[ \t]*;[ \t]*[!#$%&'*+.^_`|~0-9A-Za-z-]+
        (?:[ \t]*=[ \t]*(?:[!#$%&'*+.^_`|~0-9A-Za-z-]+
            |"(?:[\t\x20!\x23-\x5b\x5d-\x7e\x80-\xff]|\\[\t\x20-\x7e\x80-\xff])*"))?
    )*""",
    re.VERBOSE,
)
_MAX_EXTENSIONS: Final = 4_096
_FREE_DIGITS: Final = 16
_META: Final = "creo-meta-"
#: The longest time for ``Creo-Timeout`` (HTTP-7).
_NO_DEADLINE: Final = 999_999_999
#: HTTP-22: the fields for authentication, by the status with which they come.
_CHALLENGES: Final = {401: "WWW-Authenticate", 407: "Proxy-Authenticate"}
#: HTTP-40: the redirects after which another request than the same would be sent.
_OTHER_REQUESTS: Final = (301, 302, 303)
_EXCERPT: Final = 300
_CREDENTIALS: Final = ("http", "https")

_STATUS_CODES: Final = {
    401: ErrorCode.UNAUTHENTICATED,
    403: ErrorCode.PERMISSION_DENIED,
    404: ErrorCode.UNAVAILABLE,
    407: ErrorCode.UNAUTHENTICATED,
    413: ErrorCode.TOO_LARGE,
    429: ErrorCode.OVERLOADED,
    502: ErrorCode.UNAVAILABLE,
    503: ErrorCode.UNAVAILABLE,
    504: ErrorCode.UNAVAILABLE,
}


@dataclass(frozen=True)
class Url:
    """The URL of a service."""

    text: str
    secure: bool
    host: str
    port: int
    target: str
    """Path and query."""
    authority: str
    """The value of the header ``Host``."""

    @property
    def peer(self) -> str:
        """Host and port, for errors."""
        return address(self.host, self.port)

    @property
    def origin(self) -> tuple[bool, str, int]:
        """Equal for URLs of one origin (HTTP-42)."""
        return self.secure, self.host, self.port

    def method(self, name: str) -> str:
        """Path and query of a method beneath this URL (HTTP-11)."""
        path, mark, query = self.target.partition("?")
        return f"{path.rstrip('/')}/{quote(name)}{mark}{query}"


def parse_url(text: str) -> Url:
    """The parts of a URL.

    :raises ValueError: if it is not an HTTP URL.
    """
    if not text.isascii() or not text.isprintable() or " " in text:
        raise ValueError(f"a URL is printable ASCII without spaces: {text!r:.200}")
    parts = urlsplit(text)
    if parts.scheme not in _CREDENTIALS or not parts.hostname:
        raise ValueError(f"a URL begins with http:// or https:// and a host: {text!r:.200}")
    if parts.username is not None or parts.password is not None:
        raise ValueError("a URL holds no user name: send the metadata `authorization` instead")
    if parts.port == 0:
        raise ValueError(f"a URL has no port 0: {text!r:.200}")
    secure = parts.scheme == "https"
    port = parts.port or (443 if secure else 80)
    host = parts.hostname
    named = f"[{host}]" if ":" in host else host
    usual = port == (443 if secure else 80)
    target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    return Url(text, secure, host, port, target, named if usual else f"{named}:{port}")


def request_head(
    url: Url,
    target: str,
    headers: Mapping[str, str],
    size: int | None,
    until: float | None,
) -> bytes:
    """The head of a POST; without a size the body comes in chunks."""
    lines = [f"POST {target} HTTP/1.1", f"Host: {url.authority}"]
    lines += [f"{name}: {value}" for name, value in headers.items()]
    coding = "Transfer-Encoding: chunked" if size is None else f"Content-Length: {size}"
    lines.append(coding)
    lines.append(f"Creo-Timeout: {min(milliseconds_left(until) or _NO_DEADLINE, _NO_DEADLINE)}")
    if not any(name.lower() == "user-agent" for name in headers):
        lines.append(f"User-Agent: creo/{VERSION}")
    # A realm has one character per byte, everything else is ASCII.
    return "\r\n".join([*lines, "", ""]).encode("latin-1")


def compress(body: bytes) -> bytes:
    """A body as gzip."""
    made = zlib.compressobj(wbits=31)
    return made.compress(body) + made.flush()


class Response:
    """An answer being received; ``feed`` takes its bytes until ``done``."""

    def __init__(self, limits: Limits, peer: str, *, head_only: bool = False) -> None:
        """With ``head_only`` it ends with its head, like an answer to CONNECT."""
        self.status = 0
        self.reason = ""
        self.headers: dict[str, str] = {}
        self.done = False
        self.began = False
        """Whether any byte of it has come."""
        self.keeps_alive = False
        """Whether the connection can be reused."""
        self._lines: list[bytes] = []
        self._limits = limits
        self._peer = peer
        self._head_only = head_only
        self._buffer = bytearray()
        self._body: list[bytes] = []
        self._size = 0
        self._left: int | None = None
        self._state = "head"
        self._trailers = 0
        self._trailed = False
        self._extensions = 0
        self._unzip: Any = None
        self._zipped = False
        self._version_0 = False

    @property
    def body(self) -> bytes:
        """The body, uncompressed."""
        return b"".join(self._body)

    @property
    def rest(self) -> bytes:
        """The bytes after it."""
        return bytes(self._buffer)

    def header(self, name: str) -> str:
        """A header's value; empty if absent."""
        return self.headers.get(name, "")

    @property
    def fields(self) -> tuple[tuple[str, str], ...]:
        """The header fields as they came, in their order, the names in small letters."""
        split = [line.partition(b":") for line in self._lines]
        return tuple(
            [
                (name.decode("ascii").lower(), value.strip(b" \t").decode("latin-1"))
                for name, _, value in split
            ]
        )

    def metadata(self) -> Mapping[str, str]:
        """The metadata of the answer (HTTP-25)."""
        if _META not in "\n".join(self.headers):
            return NO_METADATA
        begin = len(_META)
        pairs = [(key[begin:], value) for key, value in self.fields if key.startswith(_META)]
        return read_metadata_values(pairs, self._limits)

    def feed(self, data: bytes) -> None:
        """Takes the next bytes.

        :raises CreoError: the connection must be closed.
        """
        if data:
            self.began = True
        self._buffer += data
        while not self.done:
            if self._state == "head":
                if not self._head():
                    return
            elif self._state == "chunk":
                if not self._chunk():
                    return
            elif self._state == "trailer":
                if not self._trailer():
                    return
            elif not self._content():
                return

    def end(self) -> None:
        """Notes the end of the connection.

        :raises CreoError: if that is too early.
        """
        if self._state == "close" and not self.done:
            self._finish()
        if not self.done:
            what = "within its answer" if self.began else "before it answered"
            raise self._error(ErrorCode.UNAVAILABLE, f"the connection was closed {what}")

    # Head

    def _head(self) -> bool:
        buffer, allowed = self._buffer, self._limits.max_header_size
        end = buffer.find(b"\r\n\r\n")
        if not buffer.startswith(b"HTTP/1."[: len(buffer)]):
            found = shown(bytes(buffer[:40]).decode("latin-1"))
            raise self._mismatch(f"the peer does not speak HTTP: {found}")
        if end > allowed or (end < 0 and len(buffer) > allowed + 4):
            message = f"the headers of an answer are larger than {allowed} bytes"
            raise too_large("maxHeaderSize", allowed, message)
        if end < 0:
            return False
        lines = bytes(buffer[:end]).split(b"\r\n")
        del buffer[: end + 4]
        if len(lines) > MAX_HEADERS + 1:
            raise too_large(
                "maxHeaderSize", allowed, f"an answer has more than {MAX_HEADERS} headers"
            )
        match = _STATUS.fullmatch(lines[0])
        if match is None:
            raise self._mismatch(f"no status line: {shown(lines[0].decode('latin-1'))}")
        status = int(match[1])
        self._version_0 = lines[0].startswith(b"HTTP/1.0")
        lines = _unfolded(lines[1:])
        for line in lines:
            self._check_field(line)
        if status < 200:
            if status == 101:
                raise self._mismatch("the peer switches to another protocol")
            return True
        self.status = status
        self.reason = (match[2] or b"").decode("utf-8", "replace").strip()
        self._lines = lines
        for key, text in self.fields:
            if key not in self.headers:
                self.headers[key] = text
            elif key != "content-type":
                self.headers[key] += f", {text}"
        if self._head_only:
            self.done = True
        else:
            self._framing()
        return True

    def _check_field(self, line: bytes) -> None:
        name, colon, value = line.partition(b":")
        if not colon or _TOKEN.fullmatch(name) is None or _VALUE.fullmatch(value) is None:
            raise self._mismatch(f"no header: {shown(line.decode('latin-1'))}")

    def _length(self) -> int | None:
        text = self.headers.get("content-length")
        if text is None:
            return None
        found = [_LENGTH.fullmatch(each.strip(" \t")) for each in text.split(",")]
        lengths = {-1 if match is None else int(match[1]) for match in found}
        if not 0 <= min(lengths) <= max(lengths) < _SIZES:
            raise self._mismatch(f"no length: {shown(text)}")
        if len(lengths) > 1:
            raise self._mismatch("an answer has several lengths")
        return lengths.pop()

    def _framing(self) -> None:
        length, coding = self._length(), self.headers.get("transfer-encoding")
        encoding = self.header("content-encoding").lower()
        if encoding in ("gzip", "x-gzip"):
            self._unzip = zlib.decompressobj(wbits=31)
            self._zipped = True
        elif encoding not in ("", "identity"):
            raise self._mismatch(f"an answer has the encoding {shown(encoding)}")
        tokens = [t.strip().lower() for t in self.header("connection").split(",")]
        self.keeps_alive = "close" not in tokens
        if self._version_0 and "keep-alive" not in tokens:
            self.keeps_alive = False
        if coding is not None:
            if length is not None or coding.lower() != "chunked":
                raise self._mismatch("an answer is framed in a way that cannot be trusted")
            self._state = "chunk"
        elif self.status in (204, 304):
            self._finish()
        elif length is not None:
            self._left = length
            self._check_size(length)
            self._state = "body"
            if not length:
                self._finish()
        else:
            self._state = "close"
            self.keeps_alive = False

    # Body

    def _content(self) -> bool:
        buffer = self._buffer
        if not buffer:
            return False
        if self._left is None:
            data = bytes(buffer)
            buffer.clear()
        else:
            data = bytes(buffer[: self._left])
            del buffer[: self._left]
            self._left -= len(data)
        self._add(data)
        if self._left == 0:
            if self._state == "body":
                self._finish()
            else:
                self._state = "chunk"
                self._left = -1
        return True

    def _chunk(self) -> bool:
        """The line before a chunk, and for later ones the end of the previous chunk."""
        buffer = self._buffer
        start = 0
        if self._left == -1:
            if len(buffer) < 2:
                return False
            if not buffer.startswith(b"\r\n"):
                raise self._mismatch("a chunk is longer than it says")
            start = 2
        end = buffer.find(b"\r\n", start)
        if end < 0:
            if len(buffer) > _MAX_EXTENSIONS + _FREE_DIGITS + 2:
                raise self._mismatch("the line before a chunk has no end")
            return False
        match = _CHUNK.fullmatch(bytes(buffer[start:end]))
        if match is None:
            raise self._mismatch("a chunk has no size")
        self._extensions += end - start - min(len(match[1]), _FREE_DIGITS)
        size = int(match[1], 16)
        if self._extensions > _MAX_EXTENSIONS or size >= _SIZES:
            raise self._mismatch("the size of a chunk, or its extensions, are too long")
        del buffer[: end + 2]
        if not size:
            self._state = "trailer"
            return True
        self._check_size(self._size + size)
        self._left = size
        self._state = "data"
        return True

    def _trailer(self) -> bool:
        buffer = self._buffer
        end = buffer.find(b"\r\n")
        allowed = self._limits.max_header_size
        self._trailers += end + 2 if end >= 0 else 0
        if self._trailers > allowed or (end < 0 and len(buffer) > allowed):
            message = f"the trailers of an answer are larger than {allowed} bytes"
            raise too_large("maxHeaderSize", allowed, message)
        if end < 0:
            return False
        line = bytes(buffer[:end])
        del buffer[: end + 2]
        if not end:
            self._finish()
        elif self._trailed and line[:1] in (b" ", b"\t"):
            self._check_field(b"-:" + line)
        else:
            self._check_field(line)
            self._trailed = True
        return True

    def _add(self, data: bytes) -> None:
        if self._unzip is None:
            if self._zipped and data:
                raise CreoError(ErrorCode.MALFORMED, "there are bytes after the gzip stream")
            self._grow(data)
            return
        allowed = self._limits.max_body
        while data:
            try:
                made = self._unzip.decompress(data, allowed + 1 - self._size)
            except zlib.error as problem:
                message = f"the gzip stream is broken: {problem}"
                raise CreoError(ErrorCode.MALFORMED, message) from None
            self._grow(made)
            if self._unzip.eof:
                rest = self._unzip.unused_data
                self._unzip = None
                if rest:
                    raise CreoError(ErrorCode.MALFORMED, "there are bytes after the gzip stream")
                return
            data = self._unzip.unconsumed_tail

    def _grow(self, data: bytes) -> None:
        self._size += len(data)
        self._check_size(self._size)
        if data:
            self._body.append(data)

    def _check_size(self, size: int) -> None:
        if size > self._limits.max_body:
            raise answer_too_large(self._limits)

    def _finish(self) -> None:
        if self._unzip is not None and self.status not in (204, 304):
            if self._size or self._body or not self._is_empty():
                raise CreoError(ErrorCode.MALFORMED, "the gzip stream is cut")
            self._unzip = None
        self.done = True
        if self._buffer:
            # Such an answer belongs to no request.
            self.keeps_alive = False

    def _is_empty(self) -> bool:
        return self._left == 0 and self._state == "body"

    def _error(self, code: ErrorCode, message: str) -> CreoError:
        return CreoError(code, message, details={"peer": self._peer})

    def _mismatch(self, message: str) -> CreoError:
        return self._error(ErrorCode.PROTOCOL_MISMATCH, message)


def media_type(text: str) -> tuple[str, dict[str, str]]:
    """A media type and its parameters, their names in lower case."""
    kind, _, rest = text.partition(";")
    parameters: dict[str, str] = {}
    for match in _PARAMETER.finditer(";" + rest):
        value = match[3] if match[2] is None else re.sub(r"\\(.)", r"\1", match[2])
        parameters.setdefault(match[1].lower(), value)
    return kind.strip().lower(), parameters


_PARAMETER: Final = re.compile(r';[ \t]*([^\s=;"]+)[ \t]*=[ \t]*(?:"((?:[^"\\]|\\.)*)"|([^;"]*))')


def _unfolded(lines: list[bytes]) -> list[bytes]:
    """Fields of an answer, whose values may continue on the next line (HTTP-19)."""
    found: list[bytes] = []
    for line in lines:
        if found and line[:1] in (b" ", b"\t"):
            found[-1] = found[-1].rstrip(b" \t") + b" " + line.strip(b" \t")
        else:
            found.append(line)
    return found


def status_error(response: Response, url: Url, told: str = "") -> CreoError:
    """The error for an answer without a message (HTTP-3, HTTP-22).

    ``told`` is the text of its body, if known.
    """
    status = response.status
    if 300 <= status < 400:
        why = "redirects are not followed"
        if status in _OTHER_REQUESTS:
            why = (
                f"redirects with {status} are not followed, since they keep neither method nor body"
            )
        return not_followed(response, url, why)
    kind = _cut(response.header("content-type")) or "no media type"
    what = f"{url.text} answered {_status(response)} with {kind}{_challenge(response)}"
    begin = response.body[: 4 * _EXCERPT + 8].decode("utf-8", "replace").strip()
    words = shown(told) or _cut(begin)
    if words:
        what += f": {words}"
    code = _STATUS_CODES.get(status, ErrorCode.PROTOCOL_MISMATCH)
    return CreoError(code, what, details={"peer": url.peer}, from_peer=True)


def not_followed(response: Response, url: Url, why: str) -> CreoError:
    """The error for a redirect that is not followed (HTTP-40, HTTP-41)."""
    place = _cut(response.header("location")) or "nowhere"
    message = f"{url.text} answered {_status(response)}; {why}; it leads to {place}"
    return CreoError(ErrorCode.UNAVAILABLE, message, details={"peer": url.peer})


def refusal(response: Response, what: str, peer: str) -> CreoError:
    """The error for a refusal, by its status (HTTP-3)."""
    status = response.status
    code = _STATUS_CODES.get(status, ErrorCode.PROTOCOL_MISMATCH)
    if 300 <= status < 400:
        code = ErrorCode.UNAVAILABLE
    message = f"{what}: {_status(response)}{_challenge(response)}"
    return CreoError(code, message, details={"peer": peer})


def _status(response: Response) -> str:
    """A status with its reason."""
    return f"{response.status} {_cut(response.reason)}".strip()


def _challenge(response: Response) -> str:
    """The required authentication, if the answer names it."""
    challenge = _CHALLENGES.get(response.status, "")
    said = response.header(challenge.lower()) if challenge else ""
    return f"; {challenge}: {_cut(said)}" if said else ""


def _cut(text: str) -> str:
    """An excerpt of the peer's text."""
    return shown(text[:_EXCERPT]) + ("..." if len(text) > _EXCERPT else "")
