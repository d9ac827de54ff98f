"""Bodies that cost their reader much: bombs of XML, depth, long numbers, keys that collide, packages of many parts. Each is answered, and is no more work than it is long."""

from __future__ import annotations

import gzip
import itertools
import json
import socket
import struct
from collections.abc import Callable

import kernel
import wire
from harness import Arena, Cases
from service import Failure, Options

cases = Cases("bodies")

SECONDS = 60
SOAP = "http://www.w3.org/2003/05/soap-envelope"
NAMESPACE = "urn:creo:org.example.attack"
REFUSED = {400, 413, 422}


def soap(body: bytes, media_type: bytes = b"application/soap+xml", packed: bool = False) -> bytes:
    coding = b"Content-Encoding: gzip\r\n" if packed else b""
    raw = gzip.compress(body) if packed else body
    return b"POST /Victim HTTP/1.1\r\nHost: x\r\nContent-Type: %s\r\n%sContent-Length: %d\r\n\r\n" % (media_type, coding, len(raw)) + raw


def envelope(inner: str, before: str = "", header: str = "", more: str = "") -> bytes:
    head = f"<e:Header>{header}</e:Header>" if header else ""
    return f'<?xml version="1.0"?>{before}<e:Envelope xmlns:e="{SOAP}"{more}>{head}<e:Body>{inner}</e:Body></e:Envelope>'.encode()


def echo(text: str, more: str = "") -> str:
    return f'<a:echo xmlns:a="{NAMESPACE}"><a:text{more}>{text}</a:text></a:echo>'


def answered(arena: Arena, data: bytes, statuses: set[int], holds: bytes = b"") -> None:
    """One request, answered by one of these statuses; what it must not hold, and must, is checked."""
    connection = arena.connect("http")
    connection.settimeout(SECONDS)
    try:
        connection.sendall(data)
    except (ConnectionResetError, BrokenPipeError):
        pass  # Refused before all of it was sent.
    try:
        response = wire.Stream(connection, SECONDS).response()
    except (ConnectionResetError, wire.Closed):
        if len(data) > 1_000_000 and 200 not in statuses:
            return
        raise Failure("no answer before the end of the connection") from None
    finally:
        arena.drop(connection)
    # A package that cannot be opened has no version, so its fault is one of SOAP 1.1, whose status is always 500 (HTTP-3).
    client_fault = response.status == 500 and 400 in statuses and b"<faultcode>soap:Client</faultcode>" in response.body
    if (response.status not in statuses and not client_fault) or holds not in response.body:
        raise Failure(f"answered {response.status} {response.body[:300]!r}")
    if b"root:" in response.body or b"lollol" in response.body:
        raise Failure("an entity was expanded")


@cases.add("xml")
def _(arena: Arena) -> None:
    listener = socket.create_server(("127.0.0.1", 0))
    outside = listener.getsockname()[1]
    levels = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10))
    many = 200_000
    declared = "".join(f' xmlns:n{n}="urn:{n}"' for n in range(many))
    forms: dict[str, tuple[bytes, set[int]]] = {
        "in-order": (soap(envelope(echo("a"))), {200}),
        "entities-that-grow": (soap(envelope(echo("&l9;"), f'<!DOCTYPE x [<!ENTITY l0 "lol">{levels}]>')), REFUSED),
        "entity-of-a-file": (soap(envelope(echo("&f;"), '<!DOCTYPE x [<!ENTITY f SYSTEM "file:///etc/passwd">]>')), REFUSED),
        "entity-of-an-address": (soap(envelope(echo("&f;"), f'<!DOCTYPE x [<!ENTITY f SYSTEM "http://127.0.0.1:{outside}/">]>')), REFUSED),
        "document-type-elsewhere": (soap(envelope(echo("a"), f'<!DOCTYPE x SYSTEM "http://127.0.0.1:{outside}/x.dtd">')), REFUSED),
        "schema-elsewhere": (soap(envelope(echo("a", f' xmlns:i="http://www.w3.org/2001/XMLSchema-instance" i:schemaLocation="urn:x http://127.0.0.1:{outside}/x.xsd"'))), REFUSED | {200}),
        "entity-unknown": (soap(envelope(echo("&nbsp;"))), REFUSED),
        "depth": (soap(envelope("<x>" * 1_000_000)), REFUSED),
        "depth-in-a-header": (soap(envelope(echo("a"), header="<x>" * 100_000 + "</x>" * 100_000)), REFUSED),
        "attributes": (soap(envelope(echo("a", "".join(f' a{n}="x"' for n in range(1_000_000))))), REFUSED),
        "attribute-twice": (soap(envelope(echo("a", ' b="1" b="2"'))), REFUSED),
        "namespaces": (soap(envelope(echo("a"), more=declared)), REFUSED),
        "name-of-a-megabyte": (soap(envelope(f"<{'x' * 1_000_000}/>")), REFUSED),
        "character-references": (soap(envelope(echo("&#97;" * 1_000_000))), {200}),
        "character-reference-of-zero": (soap(envelope(echo("&#0;"))), REFUSED),
        "long-character-reference": (soap(envelope(echo("&#" + "0" * 1_000_000 + "97;"))), REFUSED | {200}),
        "comments": (soap(envelope("<!-- -->" * 500_000 + echo("a"))), REFUSED | {200}),
        "processing-instruction": (soap(envelope("<?x y?>" + echo("a"))), REFUSED | {200}),
        "text-in-cdata": (soap(envelope(echo("<![CDATA[" + "x" * 1_000_000 + "]]>"))), {200}),
        "encoding-of-another-name": (soap(envelope(echo("a")).replace(b'"1.0"', b'"1.0" encoding="UTF-7"')), REFUSED | {415}),
        "gzip-of-namespaces": (soap(envelope(echo("a"), more=declared), packed=True), REFUSED),
        "not-utf-8": (soap(envelope(echo("a")).replace(b">a<", b">\xc0\xaf<")), REFUSED),
    }
    with arena.legitimate() as legit, listener:
        for name, (data, statuses) in forms.items():
            arena.part(name, lambda data=data, statuses=statuses: answered(arena, data, statuses))
        legit.go_on(10)
        listener.setblocking(False)
        try:
            listener.accept()
        except BlockingIOError:
            return
        raise Failure("the service has opened a connection to where a message says")


@cases.add("json")
def _(arena: Arena) -> None:
    # 2^16 keys, all of one hash in Java.
    keys = ["".join(pairs) for pairs in itertools.product(("Aa", "BB"), repeat=16)]
    colliding = {key: 1 for key in keys}
    numbers = "1" * 2_000_000
    forms: dict[str, tuple[bytes, set[int]]] = {
        "arrays-in-arrays": (wire.http("options", b'{"value":{"text":"a","more":' + b"[" * 1_000_000), REFUSED),
        "objects-in-objects": (wire.http("options", b'{"value":{"text":"a","more":' + b'{"a":' * 500_000), REFUSED),
        "nodes-in-nodes": (wire.http("node", b'{"node":' + b'{"name":"a","children":[' * 50_000 + b"]}" * 50_000 + b"}"), REFUSED),
        "keys-that-collide": (wire.http("table", {"table": colliding}), {200}),
        "members-that-collide": (wire.http("options", {"value": {"text": "a", **colliding}}), REFUSED | {200}),
        "key-twice": (wire.http("table", b'{"table":{"a":1,"\\u0061":2}}'), REFUSED),
        "long-integer": (wire.http("table", ('{"table":{"a":%s}}' % numbers).encode()), REFUSED),
        "long-double": (wire.http("sum", ('{"values":[%s]}' % numbers).encode()), REFUSED),
        "long-fraction": (wire.http("sum", ('{"values":[0.%s]}' % numbers).encode()), {200}),
        "long-exponent": (wire.http("sum", ('{"values":[1e-%s]}' % numbers).encode()), REFUSED | {200}),
        "hard-doubles": (wire.http("sum", ('{"values":[%s]}' % ",".join(["2.2250738585072011e-308", "1.7976931348623158e308", "9007199254740993.0000000000000000000000000000000001"] * 20_000)).encode()), REFUSED | {200}),
        "long-decimal": (wire.http("decimal", ('{"value":"%s"}' % numbers).encode()), REFUSED),
        "decimal-of-1000-digits": (wire.http("decimal", ('{"value":"%s"}' % numbers[:1_000]).encode()), {200}),
        "decimal-with-exponent": (wire.http("decimal", b'{"value":1e999999999}'), REFUSED),
        "year-of-many-digits": (wire.http("time", ('{"value":"%s-01-01T00:00:00Z"}' % numbers).encode()), REFUSED),
        "escapes": (wire.http("echo", b'{"text":"' + b"\\u0061" * 1_000_000 + b'"}'), {200}),
        "half-surrogates": (wire.http("echo", b'{"text":"\\ud83d"}'), REFUSED),
        "white-space": (wire.http("echo", b" " * 10_000_000 + b'{"text":"a"}' + b" " * 10_000_000), {200}),
        "value-behind-value": (wire.http("echo", b'{"text":"a"}{"text":"b"}'), REFUSED),
        "utf-16": (wire.http("echo", '{"text":"a"}'.encode("utf-16")), REFUSED),
        "nothing": (wire.http("echo", b""), REFUSED | {415}),
        "cut-gzip": (wire.http_head("echo", b"Content-Encoding: gzip\r\nContent-Length: 18\r\n\r\n") + bytes([0x1F, 0x8B, 8, 4, 0, 0, 0, 0, 0, 0, 255, 255]) + b"\0" * 6, REFUSED),
        "gzip-with-endless-name": (wire.http_head("echo", b"Content-Encoding: gzip\r\nContent-Length: 30\r\n\r\n") + bytes([0x1F, 0x8B, 8, 8, 0, 0, 0, 0, 0, 0]) + b"a" * 20, REFUSED),
        "gzip-and-more": (wire.http_head("echo", b"Content-Encoding: gzip\r\nContent-Length: %d\r\n\r\n" % (len(gzip.compress(b'{"text":"a"}')) + 3)) + gzip.compress(b'{"text":"a"}') + b"abc", REFUSED),
        "other-coding": (wire.http_head("echo", b"Content-Encoding: zstd\r\nContent-Length: 2\r\n\r\n") + b"{}", {415}),
    }
    with arena.legitimate() as legit:
        for name, (data, statuses) in forms.items():
            arena.part(name, lambda data=data, statuses=statuses: answered(arena, data, statuses))
        legit.go_on(10)


@cases.add("binary")
def _(arena: Arena) -> None:
    keys = ["".join(pairs) for pairs in itertools.product(("Aa", "BB"), repeat=16)]
    deep = (wire.text("a") + wire.count(1)) * 50_000 + wire.text("a") + wire.count(0)
    forms: dict[str, tuple[bytes, set[str]]] = {
        "keys-that-collide": (wire.request("table", wire.count(len(keys)) + b"".join(wire.text(key) + wire.i32(1) for key in keys)), {""}),
        "nodes-in-nodes": (wire.request("node", deep), {"too-large"}),
        "key-twice": (wire.request("table", wire.count(2) + (wire.text("a") + wire.i32(1)) * 2), {"malformed"}),
        "65537-empty-structs": (wire.request("nothings", wire.count(65_537)), {"too-large"}),
        "100-metadata": (wire.frame(wire.REQUEST, wire.METADATA, 1, wire.head("echo") + wire.count(100) + b"".join(wire.text(f"k{n}") + wire.text("v") for n in range(100)) + wire.text("a")), {"malformed", "too-large"}),
        "metadata-of-a-megabyte": (wire.frame(wire.REQUEST, wire.METADATA, 1, wire.head("echo") + wire.count(1) + wire.text("k") + wire.text("v" * 1_000_000) + wire.text("a")), {"malformed", "too-large"}),
        "decimal-of-10000-digits": (wire.request("decimal", wire.text("1" * 10_000)), {"malformed", "too-large"}),
    }
    with arena.legitimate() as legit:
        for name, (data, errors) in forms.items():
            arena.part(name, lambda data=data, errors=errors: one(arena, data, errors))
        legit.go_on(10)


def one(arena: Arena, data: bytes, errors: set[str]) -> None:
    connection = arena.connect(first=wire.PREAMBLE + data)
    stream = wire.Stream(connection, SECONDS)
    stream.preamble()
    answer = stream.answer()
    arena.drop(connection)
    if answer.error not in errors:
        raise Failure(f"answered by kind {answer.kind} {answer.error} {answer.rest[:200]!r}")


def package(parts: bytes, begin: bytes = b"") -> bytes:
    root = b"--b\r\nContent-Type: application/xop+xml; charset=utf-8; type=\"application/soap+xml\"\r\nContent-ID: <root>\r\n" + begin + b"\r\n" + envelope(echo("a")) + b"\r\n"
    return soap(root + parts + b"--b--\r\n", b'multipart/related; type="application/xop+xml"; start="<root>"; start-info="application/soap+xml"; boundary=b')


@cases.add("packages")
def _(arena: Arena) -> None:
    part = b"--b\r\nContent-ID: <p%d>\r\n\r\nx\r\n"
    forms: dict[str, tuple[bytes, set[int]]] = {
        "in-order": (package(b""), {200}),
        "part-that-nothing-names": (package(part % 1), {200}),
        "100000-parts": (package(b"".join(part % number for number in range(100_000))), REFUSED),
        "100000-headers": (package(b"--b\r\n" + b"".join(b"A%d: b\r\n" % n for n in range(100_000)) + b"\r\nx\r\n"), REFUSED),
        "header-of-a-megabyte": (package(b"--b\r\nA: " + b"x" * 1_000_000 + b"\r\n\r\nx\r\n"), REFUSED),
        "half-boundaries": (package(b"--b\r\nContent-ID: <p>\r\n\r\n" + b"\r\n--" * 1_000_000 + b"\r\n"), REFUSED | {200}),
        "never-ended": (soap(b"--b\r\n" * 100_000, b"multipart/related; boundary=b"), REFUSED | {415}),
        "boundary-of-many": (soap(b"x", b"multipart/related; boundary=" + b"b" * 10_000), REFUSED | {415}),
    }
    with arena.legitimate() as legit:
        for name, (data, statuses) in forms.items():
            arena.part(name, lambda data=data, statuses=statuses: answered(arena, data, statuses))
        legit.go_on(10)


def scoped(inner: str, namespaces: int) -> str:
    """Nested elements that declare this many namespaces, a quarter each, since an element may have 256 attributes."""
    scope = [f' xmlns:n{n}="urn:{n}"' for n in range(namespaces)]
    quarter = namespaces // 4
    begin = "".join(f"<q{k}{''.join(scope[k * quarter : (k + 1) * quarter])}>" for k in range(4))
    return begin + inner + "".join(f"</q{k}>" for k in (3, 2, 1, 0))


ALONE = Options(heap="1g")


def proportionate(arena: Arena, form: Callable[[int], bytes], size: int) -> None:
    """
    Four times the message takes at most eight times the processor time, with allowance for the service's other work: quadratic work would take
    sixteen. The legitimate client waits meanwhile, since the time is that of the whole process.
    """

    def seconds(n: int) -> float:
        data = form(n)
        before = kernel.processor_seconds(arena.service.pid)
        for _ in range(3):
            answered(arena, data, REFUSED | {200})
        return kernel.processor_seconds(arena.service.pid) - before

    seconds(size)  # Compiled by now.
    small, large = seconds(size), seconds(4 * size)
    if large > 8 * small + 0.5:
        raise Failure(f"a message takes {small / 3:.2f} s of processor time, one of four times its size {large / 3:.2f} s")


@cases.add("work-is-proportionate", ALONE, long=True)
def _(arena: Arena) -> None:
    """Forms that were quadratic, or may be."""
    forms: dict[str, tuple[Callable[[int], bytes], int]] = {
        "headers-with-namespaces-in-scope": (lambda n: soap(envelope(echo("a"), header=scoped("<n1:x n2:a='b'/>" * (600 * n), n)), packed=True), 240),
        "folded-headers-of-a-part": (lambda n: package(b"--b\r\nContent-ID: <p>\r\nA: b\r\n" + b" c\r\n" * n + b"\r\nx\r\n"), 3_000),
        "parts-with-folded-headers": (lambda n: package(b"".join(b"--b\r\nContent-ID: <p%d>\r\nA: b\r\n%s\r\nx\r\n" % (p, b" c\r\n" * n) for p in range(200))), 1_000),
        "members-unknown": (lambda n: wire.http("options", {"value": {"text": "a", **{f"m{k}": 1 for k in range(n)}}}), 50_000),
        "small-chunks": (lambda n: wire.http_head("echo", b"Transfer-Encoding: chunked\r\n\r\n") + b'9\r\n{"text":"\r\n' + b"1\r\na\r\n" * n + b'2\r\n"}\r\n0\r\n\r\n', 100_000),
        "double-of-many-digits": (lambda n: wire.http("sum", b'{"values":[0.' + b"1" * n + b"]}"), 500_000),
        "half-boundaries": (lambda n: package(b"--b\r\nContent-ID: <p>\r\n\r\n" + b"\r\n--" * n + b"\r\n"), 250_000),
        "escapes": (lambda n: wire.http("echo", b'{"text":"' + b"\\u0061" * n + b'"}'), 250_000),
    }
    for name, (form, size) in forms.items():
        arena.part(name, lambda form=form, size=size: proportionate(arena, form, size))
    with arena.legitimate() as legit:
        legit.go_on(5)


@cases.add("work-beside-others", ALONE)
def _(arena: Arena) -> None:
    """Sixteen messages at once that take their reader long: others are served meanwhile."""
    data = soap(envelope(echo("a"), header=scoped("<n1:x n2:a='b'/>" * 250_000, 960)), packed=True)
    large = wire.http("readings", json.dumps({"readings": [{"station": "x", "sequence": 1, "value": 1.5, "exact": "3.5", "time": "2026-01-01T00:00:00Z"}] * 20_000}).encode())
    with arena.legitimate() as legit:
        attackers = [arena.connect("http", each) for each in (data, large) for _ in range(8)]
        legit.go_on(40)
        for attacker in attackers:
            if (status := wire.Stream(attacker, 120).response().status) not in REFUSED | {200, 503}:
                raise Failure(f"answered {status}")


@cases.add("binary-by-bytes")
def _(arena: Arena) -> None:
    """A message of a megabyte whose frames have one byte each is one of a megabyte."""
    with arena.legitimate() as legit:
        size = 200_000
        first = wire.frame(wire.REQUEST, wire.MORE, 1, wire.head("size") + wire.count(size))
        data = first + wire.frame(wire.DATA, wire.MORE, 1, b"x") * (size - 1) + wire.frame(wire.DATA, 0, 1, b"x")
        connection = arena.connect(first=wire.PREAMBLE + data)
        legit.go_on(5)
        stream = wire.Stream(connection, SECONDS)
        stream.preamble()
        if (answer := stream.answer()).rest != struct.pack(">i", size):
            raise Failure(f"answered by kind {answer.kind} {answer.error}")
