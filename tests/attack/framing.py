"""Requests of HTTP whose framing can be read in two ways: refused with 400 and closed, and what hides in them is not executed."""

from __future__ import annotations

import socket

import wire
from harness import Arena, Cases
from service import Failure

cases = Cases("framing")

SECONDS = 60
BAD = {400}


class Form:
    """A stream of bytes with requests that are recorded with a mark, and the expected reaction of a service."""

    def __init__(self, data: bytes, statuses: list[set[int]], heard: int, *, ends: bool) -> None:
        self.data = data
        # Of each response the statuses that are right.
        self.statuses = statuses
        # How many calls are executed, those that hide among them.
        self.heard = heard
        self.ends = ends


def refused(data: bytes, statuses: set[int] | None = None) -> Form:
    """One response, of an error; then the connection ends, and nothing was executed."""
    return Form(data, [statuses or BAD], 0, ends=True)


def served(data: bytes, calls: int = 1, *, ends: bool = False) -> Form:
    return Form(data, [{200}] * calls, calls, ends=ends)


BODY = b'{"text":"#MARK:a"}'
# The same in pieces, the mark in one of them.
PIECES = [*(bytes([c]) for c in BODY[:9]), b"#MARK:", *(bytes([c]) for c in BODY[15:])]
N = len(BODY)
LENGTH = b"Content-Length: %d\r\n" % N
CHUNKED = b"Transfer-Encoding: chunked\r\n"
CHUNKS = b"%x\r\n%s\r\n0\r\n\r\n" % (N, BODY)
HIDDEN = wire.http_head("echo", LENGTH + b"\r\n") + BODY


def headers(more: bytes, body: bytes = BODY, *, line: bytes = b"POST /Victim/echo HTTP/1.1", host: bytes = b"Host: x\r\n") -> bytes:
    return line + b"\r\n" + host + b"Content-Type: application/json\r\n" + more + b"\r\n" + body


def chunks(size: bytes, after: bytes = b"\r\n", last: bytes = b"0\r\n\r\n") -> bytes:
    return headers(CHUNKED, size + b"\r\n" + BODY + after + last)


IN_ORDER: dict[str, Form] = {
    "length": served(headers(LENGTH)),
    "chunks": served(headers(CHUNKED, CHUNKS)),
    "two-pipelined": served(HIDDEN + HIDDEN, 2),
    "chunks-then-another": served(headers(CHUNKED, CHUNKS) + HIDDEN, 2),
    "chunked-in-another-case": served(headers(b"tRANSFER-eNCODING: ChUnKeD\r\n", CHUNKS)),
    "chunked-after-tab": served(headers(b"Transfer-Encoding:\tchunked \r\n", CHUNKS)),
    "length-after-spaces": served(headers(b"Content-Length:   %d \t\r\n" % N)),
    "many-small-chunks": served(headers(CHUNKED, b"".join(b"%x\r\n%s\r\n" % (len(piece), piece) for piece in PIECES) + b"0\r\n\r\n") + HIDDEN, 2),
    "chunk-extension": served(chunks(b'%x;name="a;b"' % N) + HIDDEN, 2),
    "trailers": served(chunks(b"%x" % N, last=b"0\r\nX: y\r\nZ: q\r\n\r\n") + HIDDEN, 2),
    "version-1.0": served(headers(LENGTH, line=b"POST /Victim/echo HTTP/1.0"), ends=True),
    "connection-close": served(headers(b"Connection: close\r\n" + LENGTH) + HIDDEN, 1, ends=True),
    "upgrade-is-ignored": served(headers(b"Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n" + LENGTH) + HIDDEN, 2),
    "empty-line-before": served(b"\r\n" + HIDDEN + HIDDEN, 2),
    "version-1.9": served(headers(LENGTH, line=b"POST /Victim/echo HTTP/1.9") + HIDDEN, 2),
    "absolute-target": served(headers(LENGTH, line=b"POST http://x/Victim/echo HTTP/1.1") + HIDDEN, 2),
    "value-empty": served(headers(b"X-Name:\r\n" + LENGTH) + HIDDEN, 2),
    "chunk-size-after-zeros": served(chunks(b"000000000000000000%x" % N) + HIDDEN, 2),
    "text-beyond-ascii-in-a-value": served(headers(b"X-Name: caf\xc3\xa9\r\n" + LENGTH) + HIDDEN, 2),
}
LENGTHS: dict[str, Form] = {
    "length-and-chunked": refused(headers(LENGTH + CHUNKED, CHUNKS) + HIDDEN),
    "chunked-and-length": refused(headers(CHUNKED + b"Content-Length: 4\r\n", b"0\r\n\r\n" + HIDDEN)),
    "length-twice": refused(headers(LENGTH + LENGTH) + HIDDEN),
    "two-lengths": refused(headers(LENGTH + b"Content-Length: 200\r\n", BODY + HIDDEN)),
    "list-of-lengths": refused(headers(b"Content-Length: %d, %d\r\n" % (N, N)) + HIDDEN),
    "length-with-plus": refused(headers(b"Content-Length: +%d\r\n" % N) + HIDDEN),
    "length-with-minus": refused(headers(b"Content-Length: -1\r\n") + HIDDEN),
    "length-minus-zero": refused(headers(b"Content-Length: -0\r\n") + HIDDEN),
    "length-in-hexadecimal": refused(headers(b"Content-Length: 0x%x\r\n" % N) + HIDDEN),
    "length-with-a-letter": refused(headers(b"Content-Length: %da\r\n" % N) + HIDDEN),
    "length-in-two-words": refused(headers(b"Content-Length: 1 8\r\n") + HIDDEN),
    "length-of-20-digits": refused(headers(b"Content-Length: 99999999999999999999\r\n") + HIDDEN, {400, 413}),
    "length-beyond-64-bits": refused(headers(b"Content-Length: %d\r\n" % (2**64 + N)) + HIDDEN, {400, 413}),
    "length-beyond-32-bits": refused(headers(b"Content-Length: %d\r\n" % (2**32 + N)) + HIDDEN, {400, 413}),
    "length-empty": refused(headers(b"Content-Length: \r\n") + HIDDEN),
    "length-in-other-digits": refused(headers("Content-Length: ١٨\r\n".encode()) + HIDDEN),
    "length-with-space-before-colon": refused(headers(b"Content-Length : %d\r\n" % N) + HIDDEN),
}
CODINGS: dict[str, Form] = {
    "coding-unknown": refused(headers(b"Transfer-Encoding: xchunked\r\n", CHUNKS) + HIDDEN, {400, 501}),
    "coding-identity-and-length": refused(headers(b"Transfer-Encoding: identity\r\n" + LENGTH) + HIDDEN, {400, 501}),
    "coding-after-chunked": refused(headers(b"Transfer-Encoding: chunked, identity\r\n", CHUNKS) + HIDDEN, {400, 501}),
    "coding-before-chunked": refused(headers(b"Transfer-Encoding: gzip, chunked\r\n", CHUNKS) + HIDDEN, {400, 501}),
    "coding-chunked-twice": refused(headers(CHUNKED + CHUNKED, CHUNKS) + HIDDEN, {400, 501}),
    "coding-two-headers": refused(headers(CHUNKED + b"Transfer-Encoding: identity\r\n", CHUNKS) + HIDDEN, {400, 501}),
    "coding-in-quotes": refused(headers(b'Transfer-Encoding: "chunked"\r\n', CHUNKS) + HIDDEN, {400, 501}),
    "coding-with-vertical-tab": refused(headers(b"Transfer-Encoding: \x0bchunked\r\n", CHUNKS) + HIDDEN, {400, 501}),
    "coding-empty": refused(headers(b"Transfer-Encoding: \r\n" + LENGTH) + HIDDEN, {400, 501}),
    "coding-with-space-before-colon": refused(headers(b"Transfer-Encoding : chunked\r\n" + LENGTH) + HIDDEN),
    "coding-in-version-1.0": refused(headers(CHUNKED, CHUNKS, line=b"POST /Victim/echo HTTP/1.0") + HIDDEN),
}
LINES: dict[str, Form] = {
    "folded-coding": refused(headers(b"Transfer-Encoding:\r\n chunked\r\n", CHUNKS) + HIDDEN),
    "folded-length": refused(headers(b"Content-Length:\r\n %d\r\n" % N) + HIDDEN),
    "folded-value": refused(headers(b"X-Name: a\r\n b\r\n" + LENGTH) + HIDDEN),
    "folded-by-tab": refused(headers(b"X-Name: a\r\n\tb\r\n" + LENGTH) + HIDDEN),
    "space-before-first-header": refused(b"POST /Victim/echo HTTP/1.1\r\n Host: x\r\n" + LENGTH + b"\r\n" + BODY + HIDDEN),
    "bare-cr-in-value": refused(headers(b"X: a\rContent-Length: %d\r\n" % N) + HIDDEN),
    "bare-cr-before-value": refused(headers(b"X:\r a\r\n" + LENGTH) + HIDDEN),
    "bare-cr-ends-headers": refused(headers(LENGTH + b"\r\r\n") + HIDDEN),
    "bare-lf-in-headers": refused(headers(b"X: a\n" + LENGTH) + HIDDEN),
    "bare-lf-everywhere": refused(headers(LENGTH).replace(b"\r\n", b"\n") + HIDDEN),
    "zero-in-value": refused(headers(b"X: a\0b\r\n" + LENGTH) + HIDDEN),
    "zero-in-name": refused(headers(b"X\0: a\r\n" + LENGTH) + HIDDEN),
    "control-in-value": refused(headers(b"X: a\x01b\r\n" + LENGTH) + HIDDEN),
    "space-in-name": refused(headers(b"X Y: a\r\n" + LENGTH) + HIDDEN),
    "name-empty": refused(headers(b": a\r\n" + LENGTH) + HIDDEN),
    "name-with-bracket": refused(headers(b"X[: a\r\n" + LENGTH) + HIDDEN),
    "name-beyond-ascii": refused(headers(b"X\xe9: a\r\n" + LENGTH) + HIDDEN),
    "no-colon": refused(headers(b"X\r\n" + LENGTH) + HIDDEN),
}
FIRST_LINES: dict[str, Form] = {
    "no-host": refused(headers(LENGTH, host=b"") + HIDDEN),
    "two-hosts": refused(headers(b"Host: y\r\n" + LENGTH) + HIDDEN),
    "host-with-space": refused(headers(LENGTH, host=b"Host: x y\r\n") + HIDDEN),
    "host-with-slash": refused(headers(LENGTH, host=b"Host: x/y\r\n") + HIDDEN),
    "version-9.9": refused(headers(LENGTH, line=b"POST /Victim/echo HTTP/9.9") + HIDDEN, {400, 505}),
    "version-2.0": refused(headers(LENGTH, line=b"POST /Victim/echo HTTP/2.0") + HIDDEN, {400, 505}),
    "version-1.10": refused(headers(LENGTH, line=b"POST /Victim/echo HTTP/1.10") + HIDDEN, {400, 505}),
    "version-in-small-letters": refused(headers(LENGTH, line=b"POST /Victim/echo http/1.1") + HIDDEN, {400, 505}),
    "version-missing": refused(headers(LENGTH, line=b"POST /Victim/echo") + HIDDEN, {400, 505}),
    "preface-of-http2": refused(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + HIDDEN, {400, 505}),
    "two-spaces-in-line": refused(headers(LENGTH, line=b"POST  /Victim/echo HTTP/1.1") + HIDDEN),
    "tabs-in-line": refused(headers(LENGTH, line=b"POST\t/Victim/echo\tHTTP/1.1") + HIDDEN),
    "space-after-line": refused(headers(LENGTH, line=b"POST /Victim/echo HTTP/1.1 ") + HIDDEN, {400, 505}),
    "space-in-path": refused(headers(LENGTH, line=b"POST /Victim/ech o HTTP/1.1") + HIDDEN, {400, 505}),
    "zero-in-path": refused(headers(LENGTH, line=b"POST /Victim/echo\0 HTTP/1.1") + HIDDEN),
    "bare-cr-in-path": refused(headers(LENGTH, line=b"POST /Victim/echo\r HTTP/1.1") + HIDDEN),
    "bad-escape-in-path": refused(headers(LENGTH, line=b"POST /Victim/%zz HTTP/1.1") + HIDDEN),
    "path-without-slash": refused(headers(LENGTH, line=b"POST Victim/echo HTTP/1.1") + HIDDEN, {400, 404}),
    "address-of-mail": refused(headers(LENGTH, line=b"POST mailto:x HTTP/1.1") + HIDDEN, {400, 404}),
    "method-with-bracket": refused(headers(LENGTH, line=b"PO[ST /Victim/echo HTTP/1.1") + HIDDEN, {400, 501}),
}
CHUNK_FORMS: dict[str, Form] = {
    "chunk-of-2^32+n": refused(chunks(b"%x" % (2**32 + N)) + HIDDEN, {400, 413}),
    "chunk-of-2^64+n": refused(chunks(b"%x" % (2**64 + N)) + HIDDEN, {400, 413}),
    "chunk-of-2^63+n": refused(chunks(b"%x" % (2**63 + N)) + HIDDEN, {400, 413}),
    "chunk-of-2^32-1": refused(chunks(b"ffffffff") + HIDDEN, {400, 413}),
    "chunk-of-2^31-1": refused(chunks(b"7fffffff") + HIDDEN, {400, 413}),
    "chunk-with-minus": refused(chunks(b"-%x" % N) + HIDDEN),
    "chunk-with-plus": refused(chunks(b"+%x" % N) + HIDDEN),
    "chunk-with-0x": refused(chunks(b"0x%x" % N) + HIDDEN),
    "chunk-with-space-before": refused(chunks(b" %x" % N) + HIDDEN),
    "chunk-with-a-letter": refused(chunks(b"%xg" % N) + HIDDEN),
    "chunk-with-underscore": refused(chunks(b"1_2") + HIDDEN),
    "chunk-without-size": refused(chunks(b"") + HIDDEN),
    "chunk-with-extension-alone": refused(chunks(b";a=b") + HIDDEN),
    "chunk-of-bare-lf": refused(headers(CHUNKED, b"%x\n%s\n0\n\n" % (N, BODY)) + HIDDEN),
    "chunk-extension-with-bare-lf": refused(chunks(b"%x;a\nb" % N) + HIDDEN),
    "chunk-extension-with-bare-cr": refused(chunks(b"%x;a\rb" % N) + HIDDEN),
    "chunk-not-ended": refused(chunks(b"%x" % N, after=b"XX") + HIDDEN),
    "chunk-ended-by-lf": refused(chunks(b"%x" % N, after=b"\n") + HIDDEN),
    "chunk-ended-by-cr": refused(chunks(b"%x" % N, after=b"\r") + HIDDEN),
    "chunk-too-long": refused(chunks(b"%x" % (N - 1)) + HIDDEN),
    "chunk-extension-of-a-megabyte": refused(chunks(b"%x;" % N + b"a" * 1_000_000) + HIDDEN, {400, 413, 431}),
    "extensions-without-end": refused(headers(CHUNKED, b"".join(b"%x;%s\r\n%s\r\n" % (len(piece), b"a" * 1_000, piece) for piece in [b" "] * 200 + PIECES) + b"0\r\n\r\n") + HIDDEN, {400, 413, 431}),
    "trailer-folded": refused(chunks(b"%x" % N, last=b"0\r\nX: y\r\n z\r\n\r\n") + HIDDEN),
    "trailer-without-colon": refused(chunks(b"%x" % N, last=b"0\r\nXyz\r\n\r\n") + HIDDEN),
    "trailers-of-a-megabyte": refused(chunks(b"%x" % N, last=b"0\r\n" + b"A: b\r\n" * 200_000 + b"\r\n") + HIDDEN, {400, 413, 431}),
}
SIZES: dict[str, Form] = {
    "201-headers": refused(headers(b"".join(b"A%d: b\r\n" % n for n in range(201)) + LENGTH) + HIDDEN, {400, 431}),
    "header-of-70000": refused(headers(b"A: " + b"x" * 70_000 + b"\r\n" + LENGTH) + HIDDEN, {400, 431}),
    "headers-of-a-megabyte": refused(headers(b"A: " + b"x" * 1_000_000 + b"\r\n" + LENGTH) + HIDDEN, {400, 431}),
    "line-of-a-megabyte": refused(headers(LENGTH, line=b"POST /" + b"x" * 1_000_000 + b" HTTP/1.1") + HIDDEN, {400, 414, 431}),
    "method-of-a-megabyte": refused(b"P" * 1_000_000 + HIDDEN, {400, 414, 431, 501}),
}


GROUPS = {"in-order": IN_ORDER, "lengths": LENGTHS, "codings": CODINGS, "lines": LINES, "first-lines": FIRST_LINES, "chunks": CHUNK_FORMS, "sizes": SIZES}


def exchange(connection: socket.socket, data: bytes, form: Form, piece: int) -> tuple[list[int], bool]:
    """The statuses of the responses, and whether the service has ended the connection, which is awaited where it must."""
    connection.settimeout(SECONDS)
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    try:
        for begin in range(0, len(data), piece or len(data)):
            connection.sendall(data[begin : begin + (piece or len(data))])
    except (ConnectionResetError, BrokenPipeError):
        pass  # Refused before all of it was sent; what was answered is read all the same.
    stream = wire.Stream(connection, SECONDS)
    statuses: list[int] = []
    try:
        while len(statuses) < len(form.statuses) or form.ends and len(statuses) == len(form.statuses):
            response = stream.response()
            if response.status >= 200:
                statuses.append(response.status)
                if response.status not in set().union(*form.statuses):
                    break
    except (wire.Closed, ConnectionResetError, BrokenPipeError):
        return statuses, True
    except TimeoutError:
        return statuses, False
    return statuses, False


class Marks:
    """Marks have equal lengths, which keeps the lengths in the table valid."""

    def __init__(self) -> None:
        self.last = 0

    def next(self) -> str:
        self.last += 1
        return f"{self.last:04d}"


MARKS = Marks()


def check(arena: Arena, form: Form, piece: int) -> None:
    mark = MARKS.next()
    connection = arena.connect("http")
    statuses, ended = exchange(connection, form.data.replace(b"#MARK:", f"#{mark}:".encode()), form, piece)
    arena.drop(connection)
    heard = arena.service.heard(mark)
    if heard != form.heard:
        raise Failure(f"{heard} calls were executed, not {form.heard}; statuses {statuses}")
    if form.ends and not ended:
        raise Failure(f"the connection stays open; statuses {statuses}")
    right = len(statuses) == len(form.statuses) and all(status in wanted for status, wanted in zip(statuses, form.statuses, strict=True))
    # A request that is refused while much of it is still being sent may lose its response to the reset of the connection.
    if not right and not (form.ends and not statuses and len(form.data) > 50_000):
        raise Failure(f"statuses {statuses}, not {[sorted(wanted) for wanted in form.statuses]}")


def forms(arena: Arena, table: dict[str, Form], piece: int) -> None:
    with arena.legitimate() as legit:
        for name, form in table.items():
            if not piece or len(form.data) < 5_000:
                arena.part(name, lambda form=form: check(arena, form, piece))
        legit.go_on(10)


def add(group: str, piece: int) -> None:
    @cases.add(group + ("-by-bytes" if piece else ""))
    def _(arena: Arena) -> None:
        forms(arena, GROUPS[group], piece)


for each in GROUPS:
    # Whole, and by single bytes: the meaning of a request does not depend on how it arrives.
    add(each, 0)
    add(each, 1)
