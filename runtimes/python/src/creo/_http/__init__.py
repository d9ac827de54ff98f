"""HTTP/1.1 for clients (``spec/transports/http.md``), shared by both kinds of client.

It does not read or write connections.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import quote, unquote_to_bytes, urlsplit

from .._base import (
    MAX_HEADERS,
    VERSION,
    CreoError,
    ErrorCode,
    Limits,
    answer_too_large,
    invalid_value,
    shown,
    too_large,
)
from .._call import NO_METADATA, milliseconds_left
from .._call.metadata import encode_metadata, received_metadata
from .._call.net import address

#: HTTP-6: smaller bodies are not compressed.
MIN_COMPRESSED: Final = 1_024

_TOKEN: Final = re.compile(rb"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_STATUS: Final = re.compile(rb"HTTP/1\.[0-9] ([1-5][0-9][0-9])(?: (.*))?")
_LENGTH: Final = re.compile("[0-9]{1,18}")
_CHUNK: Final = re.compile(rb"([0-9A-Fa-f]{1,15})[ \t]*(?:;.*)?")
_CHUNK_LINE: Final = 4_096
#: HTTP-24
_USER_TOKEN: Final = re.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]{1,64}")
_USER_VALUE: Final = re.compile("[\x21-\x7e](?:[\x20-\x7e\t]*[\x21-\x7e])?")
_OWNED: Final = re.compile(
    "accept-encoding|connection|content-.*|creo-.*|expect|host|keep-alive|mime-version|proxy-.*"
    "|soapaction|te|trailer|transfer-encoding|upgrade"
)
_MAX_USER_HEADERS: Final = 64
_META: Final = "creo-meta-"
_ESCAPED: Final = re.compile("(?:[\x20-\x24\x26-\x7e]|%[0-9A-Fa-f]{2})*")
_PRINTABLE: Final = re.compile("[\x20-\x7e]*")
#: The longest time for ``Creo-Timeout`` (HTTP-7).
_NO_DEADLINE: Final = 999_999_999
_OWN_HEADERS: Final = ("authorization", "traceparent", "tracestate")
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
        if status < 200:
            if status == 101:
                raise self._mismatch("the peer switches to another protocol")
            return True
        self.status = status
        self.reason = (match[2] or b"").decode("utf-8", "replace").strip()
        self._lines = _unfolded(lines[1:])
        for line in self._lines:
            name, colon, value = line.partition(b":")
            if not colon or _TOKEN.fullmatch(name) is None or b"\0" in value or b"\r" in value:
                raise self._mismatch(f"no header: {shown(line.decode('latin-1'))}")
            key = name.decode("ascii").lower()
            text = value.strip(b" \t").decode("latin-1")
            if key in self.headers:
                if key == "content-length" and text != self.headers[key]:
                    raise self._mismatch("an answer has several lengths")
                if key not in ("content-length", "content-type"):
                    self.headers[key] += f", {text}"
            else:
                self.headers[key] = text
        if self._head_only:
            self.done = True
        else:
            self._framing()
        return True

    def _framing(self) -> None:
        length, coding = self.header("content-length"), self.header("transfer-encoding")
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
        if coding:
            if length or coding.lower() != "chunked":
                raise self._mismatch("an answer is framed in a way that cannot be trusted")
            self._state = "chunk"
        elif self.status in (204, 304):
            self._finish()
        elif length:
            if _LENGTH.fullmatch(length) is None:
                raise self._mismatch(f"no length: {shown(length)}")
            self._left = int(length)
            self._check_size(self._left)
            self._state = "body"
            if not self._left:
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
            if len(buffer) > _CHUNK_LINE:
                raise self._mismatch("the line before a chunk has no end")
            return False
        match = _CHUNK.fullmatch(bytes(buffer[start:end]))
        if match is None:
            raise self._mismatch("a chunk has no size")
        del buffer[: end + 2]
        size = int(match[1], 16)
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
        del buffer[: end + 2]
        if not end:
            self._finish()
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
        return self.header("content-length") == "0"

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
