"""The server side of HTTP, by hand: the test's bytes go over the wire."""

from __future__ import annotations

import re
import zlib
from typing import NamedTuple

from fake import Peer

ENVELOPE = "http://schemas.xmlsoap.org/soap/envelope/"
ENVELOPE_12 = "http://www.w3.org/2003/05/soap-envelope"


class Received(NamedTuple):
    """A request."""

    line: str
    headers: dict[str, str]
    body: bytes


def receive(peer: Peer) -> Received | None:
    """The next request; None at the end."""
    head = b""
    while not head.endswith(b"\r\n\r\n"):
        byte = peer.take(1)
        if not byte:
            return None
        head += byte
    line, *lines = head.decode("ascii").split("\r\n")[:-2]
    headers = {name.lower(): value.strip() for name, _, value in (h.partition(":") for h in lines)}
    body = peer.take(int(headers["content-length"]))
    if headers.get("content-encoding") == "gzip":
        body = zlib.decompress(body, wbits=31)
    return Received(line, headers, body)


def expect(peer: Peer) -> Received:
    """The next request, which must come."""
    found = receive(peer)
    assert found is not None
    return found


def answer(
    body: bytes | str, status: str = "200 OK", kind: str = "text/xml; charset=utf-8", more: str = ""
) -> bytes:
    """An answer with a length."""
    data = body.encode() if isinstance(body, str) else body
    head = f"HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {len(data)}\r\n{more}\r\n"
    return head.encode() + data


def envelope(body: str, namespace: str = ENVELOPE, header: str = "") -> str:
    """An envelope, with other prefixes than the runtime's own."""
    return f'<S:Envelope xmlns:S="{namespace}">{header}<S:Body>{body}</S:Body></S:Envelope>'


def fault(code: str, text: str, detail: str = "") -> str:
    """A fault of SOAP 1.1."""
    inside = f"<detail>{detail}</detail>" if detail else ""
    return envelope(
        f"<S:Fault><faultcode>{code}</faultcode><faultstring>{text}</faultstring>{inside}</S:Fault>"
    )


def fault_12(code: str, text: str, detail: str = "") -> str:
    """A fault of SOAP 1.2."""
    inside = f"<S:Detail>{detail}</S:Detail>" if detail else ""
    return envelope(
        f"<S:Fault><S:Code><S:Value>{code}</S:Value><S:Subcode><S:Value>x:y</S:Value></S:Subcode>"
        f"</S:Code><S:Reason><S:Text xml:lang='en'>{text}</S:Text></S:Reason>{inside}</S:Fault>",
        ENVELOPE_12,
    )


def package(root: str, *parts: tuple[str, bytes], boundary: str = "b", more: str = "") -> bytes:
    """The body of a package; the parts are ids and bytes."""
    out = [
        f"--{boundary}\r\nContent-Type: application/xop+xml\r\nContent-ID: <r>\r\n\r\n{root}".encode()
    ]
    for name, data in parts:
        head = f"\r\n--{boundary}\r\nContent-ID: <{name}>\r\n{more}\r\n"
        out.append(head.encode() + data)
    out.append(f"\r\n--{boundary}--".encode())
    return b"".join(out)


def include(name: str) -> str:
    """A reference to a part."""
    return f"<x:Include xmlns:x='http://www.w3.org/2004/08/xop/include' href='cid:{name}'/>"


def prefixes(text: bytes) -> bytes:
    """An envelope without its declarations, to be compared."""
    return re.sub(rb' xmlns:\w+="[^"]*"', b"", text)
