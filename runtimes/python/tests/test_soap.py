"""SOAP over HTTP: what clients send, and what answers mean (``soap.md``, ``http.md``)."""

# pyright: reportPrivateUsage=false
from __future__ import annotations

import asyncio
import threading
import zlib
from collections.abc import Awaitable
from decimal import Decimal
from typing import Any, Callable, TypeVar

import pytest

from creo import CreoError, ErrorCode, Limits
from creo._binary import Bad
from creo._http import parse_url
from creo._http.mime import read_package
from creo._soap import SoapBinding
from creo.codegen.text import TextMethod
from fake import Peer, serve
from fake_http import (
    ENVELOPE,
    ENVELOPE_12,
    Received,
    answer,
    envelope,
    expect,
    fault,
    fault_12,
    include,
    package,
    receive,
)
from partner import (
    AnimalPlain,
    AsyncPartnerClient,
    ContactPhone,
    Missing,
    Order,
    PartnerClient,
    Plain,
    Price,
    Zoo,
)
from sample import AsyncDataServiceClient, Data, DataServiceClient, MetaData, NotFound
from sample.creo_client import _DATA_SERVICE_TOTAL as TOTAL
from sample.creo_text import DATA_SERVICE_INTERFACE_METHODS

T = TypeVar("T")
Q = 'xmlns="urn:service"'


def total(value: str = "42.5") -> str:
    return envelope(
        f'<totalResponse xmlns="urn:creo:sample"><result>{value}</result></totalResponse>'
    )


def exchange(
    reply: bytes, call: Callable[[DataServiceClient], T], **options: Any
) -> tuple[Received, T]:
    """One call, its request and its result."""
    seen: list[Received] = []

    def script(peer: Peer) -> None:
        seen.append(expect(peer))
        peer.send(reply)
        receive(peer)

    with serve(script) as server:
        url = f"http://127.0.0.1:{server.port}/DataService"
        with DataServiceClient.soap(url, **options) as client:
            result = call(client)
    return seen[0], result


def raised(reply: bytes, call: Callable[[DataServiceClient], object], **options: Any) -> CreoError:
    """The error of one call."""

    def caught(client: DataServiceClient) -> CreoError:
        with pytest.raises(CreoError) as found:
            call(client)
        return found.value

    return exchange(reply, caught, **options)[1]


def partner(reply: bytes, call: Callable[[PartnerClient], T], **options: Any) -> tuple[Received, T]:
    """The same for the other service."""
    seen: list[Received] = []

    def script(peer: Peer) -> None:
        seen.append(expect(peer))
        peer.send(reply)
        receive(peer)

    with serve(script) as server:
        with PartnerClient.soap(f"http://127.0.0.1:{server.port}/p?q=1", **options) as client:
            result = call(client)
    return seen[0], result


def get_total(client: DataServiceClient) -> float:
    return client.total([1.0, 2.5])


# Requests


def test_a_request_of_soap_11() -> None:
    request, result = exchange(answer(total()), get_total)
    assert result == 42.5
    assert request.line == "POST /DataService HTTP/1.1"
    assert request.headers["content-type"] == "text/xml; charset=utf-8"
    assert request.headers["soapaction"] == '"urn:creo:sample:DataService/total"'
    assert 30_000 < int(request.headers["creo-timeout"]) <= 60_000
    assert (
        request.body
        == (
            f'<soap:Envelope xmlns:soap="{ENVELOPE}" xmlns:n1="urn:creo:sample"><soap:Body><n1:total>'
            "<n1:numbers>1</n1:numbers><n1:numbers>2.5</n1:numbers></n1:total></soap:Body></soap:Envelope>"
        ).encode()
    )


def test_a_request_of_soap_12() -> None:
    reply = answer(
        total().replace(ENVELOPE, ENVELOPE_12), kind='application/soap+xml; charset="utf-8"'
    )
    request, result = exchange(reply, get_total, version="1.2")
    assert result == 42.5 and "soapaction" not in request.headers
    assert request.headers["content-type"] == (
        'application/soap+xml; charset=utf-8; action="urn:creo:sample:DataService/total"'
    )
    assert request.body.startswith(f'<soap:Envelope xmlns:soap="{ENVELOPE_12}"'.encode())


@pytest.mark.parametrize(
    ("told", "kind"),
    [(None, "application/soap+xml"), ("1.2", "application/soap+xml"), ("1.1", "text/xml")],
)
def test_the_description_says_the_version(
    told: str | None, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = DATA_SERVICE_INTERFACE_METHODS["total"]
    newer = TextMethod(text.action, text.request, text.response, text.throws, version="1.2")
    monkeypatch.setitem(DATA_SERVICE_INTERFACE_METHODS, "total", newer)
    operation = SoapBinding(told, mtom=False, tables=None, schema=False).operation(TOTAL)
    request = operation.request(([1.0],), parse_url("http://a/"), Limits())
    assert request.headers["Content-Type"].startswith(f"{kind};")
    assert ("SOAPAction" in request.headers) == (kind == "text/xml")


def test_messages_as_a_partner_wants_them() -> None:
    reply = answer(envelope(f"<SumAnswer {Q}><Total> +3 </Total></SumAnswer>"))
    request, result = partner(reply, lambda client: client.sum(1, 2))
    assert result == 3 and request.headers["soapaction"] == '"urn:sum"'
    assert request.line == "POST /p?q=1 HTTP/1.1"
    assert (
        b"<n1:SumRequest><n1:Left>1</n1:Left><n1:Right>2</n1:Right></n1:SumRequest>" in request.body
    )

    reply = answer(
        envelope("<s:greetResponse xmlns:s='urn:service'><result>hi</result></s:greetResponse>")
    )
    request, greeting = partner(reply, lambda client: client.greet("me & you", "x"))
    assert greeting == "hi"
    assert (
        b"<soap:Header><n2:Session>me &amp; you</n2:Session></soap:Header><soap:Body><n1:greet>"
        b"<name>x</name></n1:greet></soap:Body>" in request.body
    )

    request, nothing = partner(answer(envelope("")), lambda client: client.ping())
    assert nothing is None and b"<soap:Body></soap:Body>" in request.body

    order = Order(first="f", contact=ContactPhone("1"), items=[], marks=[], numbers=[], last="l")
    reply = answer(envelope(f"<QuoteAnswer {Q} currency='EUR'>1.50</QuoteAnswer>"))
    request, price = partner(reply, lambda client: client.quote(order))
    assert price == Price("EUR", amount=Decimal("1.50"))
    assert b'<n3:QuoteRequest ID="7"><n1:first>f' in request.body


def test_arguments_become_what_values_hold() -> None:
    reply = answer(envelope("<storeDataResponse xmlns='urn:creo:sample'/>"))
    data = (Data(MetaData(str(i), i), range(i)) for i in range(3))
    request, _ = exchange(reply, lambda client: client.store_data(data))
    assert request.body.count(b"<n1:data>") == 3 and request.body.count(b"<n1:samples>") == 3


def test_a_wrong_argument_sends_nothing() -> None:
    with PartnerClient.soap("http://127.0.0.1:1/") as client:
        with pytest.raises(CreoError) as caught:
            client.greet("a", "\ud800")
        assert (caught.value.code, caught.value.place) == ("invalid-value", "$.name")
        with pytest.raises(CreoError) as caught:
            client.sum(1 << 31, 1)
        assert (caught.value.code, caught.value.place) == ("invalid-value", "$.left")
        zoo = Zoo(AnimalPlain(Plain("\x01")), [], {}, [])
        with pytest.raises(CreoError) as caught:
            client.store(b"", zoo)
        assert caught.value.place == "$.zoo.first.plain.name"


def test_oneway() -> None:
    for reply in (
        answer("", "202 Accepted"),
        answer("", "200 OK", ""),
        b"HTTP/1.1 204 No Content\r\n\r\n",
    ):
        assert exchange(reply, lambda client: client.touch("x"))[1] is None
    error = raised(answer(fault("S:Client", "no"), "500 Error"), lambda client: client.touch("x"))
    assert error.code is ErrorCode.MALFORMED
    assert raised(answer("", "202 Accepted"), get_total).code is ErrorCode.PROTOCOL_MISMATCH


@pytest.mark.parametrize(
    ("more", "written"),
    [({"a": "1 < 2", "{urn:x}b": "2"}, b' a="1 &lt; 2"'), ({}, b"")],
)
def test_attributes_of_a_request(more: dict[str, str], written: bytes) -> None:
    request, _ = partner(answer("", "202 Accepted"), lambda client: client.mark(more, "t", "s"))
    body = request.body
    head = body[body.index(b"<soap:Body>") : body.index(b">t<")]
    assert b":mark" in head and written in head, body
    assert (b'="urn:x"' in head and b':b="2"' in head) == bool(more), body
    assert body.count(b">s</") == body.count(b">t</") == 1, body


def test_metadata() -> None:
    pairs = {"x-test": "\u00e9 %~", "traceparent": "00-a", "authorization": "Bearer x y"}
    request, _ = exchange(
        answer(total()), lambda client: client.with_options(metadata=pairs).total([])
    )
    assert request.headers["creo-meta-x-test"] == "%C3%A9%20%25~"
    assert (
        request.headers["traceparent"] == "00-a"
        and request.headers["authorization"] == "Bearer x y"
    )
    with DataServiceClient.soap("http://127.0.0.1:1/") as client:
        for wrong in ({"A": "b"}, {"creo-x": "b"}, {"traceparent": "a\r\nb: c"}, {"a": "\ud800"}):
            with pytest.raises(CreoError) as caught:
                client.with_options(metadata=wrong, deadline=0.2).total([])
            assert caught.value.code == "invalid-value"


def test_compression() -> None:
    numbers = [float(i) for i in range(500)]
    body = zlib.compressobj(wbits=31)
    packed = body.compress(total().encode()) + body.flush()
    reply = answer(packed, more="Content-Encoding: gzip\r\n")
    request, result = exchange(reply, lambda client: client.total(numbers), gzip=True)
    assert result == 42.5 and request.headers["content-encoding"] == "gzip"
    assert request.headers["accept-encoding"] == "gzip" and b"<n1:numbers>499<" in request.body
    small, _ = exchange(reply, get_total, gzip=True)
    assert "content-encoding" not in small.headers
    for wrong in (packed[:-1], packed + b"x", packed + packed, b"x" + packed, b"not gzip"):
        error = raised(answer(wrong, more="Content-Encoding: gzip\r\n"), get_total)
        assert error.code is ErrorCode.MALFORMED, wrong
    bomb = zlib.compressobj(wbits=31)
    large = bomb.compress(b"<" * 5_000_000) + bomb.flush()
    error = raised(
        answer(large, more="Content-Encoding: gzip\r\n"), get_total,
        limits=Limits(max_message_size=100_000),
    )  # fmt: skip
    assert (error.code, error.details["limit"]) == ("too-large", "maxMessageSize")


# Answers


def test_answers_that_are_not_what_was_asked_for() -> None:
    ok = '<totalResponse xmlns="urn:creo:sample"><result>1</result></totalResponse>'
    for body, code in (
        (envelope("<other/>"), "malformed"),
        (envelope(""), "malformed"),
        (envelope(ok + "<a/>"), "malformed"),
        (envelope(ok.replace("<result>1</result>", "")), "malformed"),
        (envelope(ok).replace("<S:Body>", "<S:Body S:encodingStyle='http://schemas.xmlsoap.org/soap/encoding/'>"), "malformed"),
        (envelope(ok).replace("</S:Body>", "</S:Body><a/>"), "malformed"),
        (envelope(ok).replace("S:Body", "S:Bode"), "malformed"),
        (envelope(ok, "urn:x"), "protocol-mismatch"),
        ("<html/>", "malformed"),
        (envelope(ok, header="<S:Header><a S:mustUnderstand='1'/></S:Header>"), "protocol-mismatch"),
    ):  # fmt: skip
        assert raised(answer(body), get_total).code == code, body
    for header in (
        "<S:Header><a S:mustUnderstand='0'><b/></a></S:Header>", "<S:Header/>",
        "<S:Header><a S:mustUnderstand='1' S:actor='urn:other'/></S:Header>",
    ):  # fmt: skip
        assert exchange(answer(envelope(ok, header=header)), get_total)[1] == 1
    error = raised(answer(total("x")), get_total)
    assert (error.code, error.place) == ("malformed", "$result")
    wide = ('<?xml version="1.0" encoding="utf-16"?>' + total()).encode("utf-16")
    assert exchange(answer(wide, kind="text/xml; charset=utf-16"), get_total)[1] == 42.5


def test_declared_exceptions() -> None:
    detail = '<x/><NotFound xmlns="urn:creo:sample"><description>d</description><tried>1</tried></NotFound>'
    for body, status in (
        (fault("S:Server", "NotFound", detail), "500 Internal Server Error"),
        (fault("S:Server", "NotFound", detail), "200 OK"),
        (fault_12("S:Receiver", "NotFound", detail), "500 Internal Server Error"),
    ):

        def caught(client: DataServiceClient) -> NotFound:
            with pytest.raises(NotFound) as found:
                client.retrieve_data("x")
            return found.value

        assert exchange(answer(body, status), caught)[1] == NotFound("d", [1])
    # One that the method does not declare is a fault like any other.
    other = raised(answer(fault("S:Server", "NotFound", detail), "500 Error"), get_total)
    assert other.code is ErrorCode.INTERNAL and "NotFound" in other.details["fault-detail"]
    wrong = detail.replace("<tried>1<", "<tried>x<")
    error = raised(
        answer(fault("S:Server", "x", wrong), "500 Error"), lambda c: c.retrieve_data("x")
    )
    # One that cannot be read keeps the words of its fault.
    assert (error.code, error.message, error.place) == ("internal", "x", None)
    assert "at $exception.tried[0]" in error.details["fault-problem"]
    assert "<tried>x<" in error.details["fault-detail"]

    def missing(client: PartnerClient) -> Missing:
        order = Order(
            first="f", contact=ContactPhone("1"), items=[], marks=[], numbers=[], last="l"
        )
        with pytest.raises(Missing) as found:
            client.quote(order)
        return found.value

    body = fault(
        "S:Server",
        "x",
        "<NoSuchThing xmlns='urn:faults' code='4'><what>w</what></NoSuchThing>",
    )
    assert partner(answer(body, "500 Error"), missing)[1] == Missing(4, "w")


def test_errors_of_the_runtime() -> None:
    detail = (
        '<e:error xmlns:e="urn:creo:error" code="{}"><e:detail key="place">$.a</e:detail>'
        '<e:detail key="offset">7</e:detail><e:detail key="k\n">v\x7f</e:detail></e:error>'
    )
    for make, code in ((fault, "S:Client"), (fault_12, "S:Sender")):
        error = raised(
            answer(make(code, "no \x7f", detail.format("invalid-value")), "400 Bad"), get_total
        )
        assert (error.code, error.message) == ("invalid-value", "no \\x7f")
        assert (error.place, error.offset, error.from_peer) == ("$.a", 7, True)
        assert error.details["k "] == "v\\x7f" and error.details["peer"].startswith("127.0.0.1:")
    error = raised(answer(fault("S:Server", "m", detail.format("strange")), "500 Error"), get_total)
    assert error.code is ErrorCode.INTERNAL and "strange" in error.message


@pytest.mark.parametrize(
    ("code", "word"),
    [
        ("S:Client", "malformed"), ("Client.Auth", "malformed"), ("S:Sender", "malformed"),
        ("S:VersionMismatch", "protocol-mismatch"), ("S:MustUnderstand", "protocol-mismatch"),
        ("S:Server", "internal"), ("whatever", "internal"), ("", "internal"),
    ],
)  # fmt: skip
def test_other_faults(code: str, word: str) -> None:
    error = raised(answer(fault(code, "why", "<a>b</a>"), "500 Error"), get_total)
    assert (error.code, error.message, error.details.get("fault-code", "")) == (word, "why", code)
    assert error.details["fault-detail"] == "<detail><a>b</a></detail>" and error.from_peer


@pytest.mark.parametrize(
    ("status", "word"),
    [
        ("401 x", "unauthenticated"), ("407 x", "unauthenticated"), ("403 x", "permission-denied"),
        ("404 x", "unavailable"), ("502 x", "unavailable"), ("503 x", "unavailable"),
        ("504 x", "unavailable"), ("413 x", "too-large"), ("429 x", "overloaded"),
        ("400 x", "protocol-mismatch"), ("405 x", "protocol-mismatch"), ("500 x", "protocol-mismatch"),
    ],
)  # fmt: skip
def test_statuses_without_a_fault(status: str, word: str) -> None:
    for kind, body in (("text/html", "<html>"), ("text/xml", "<html/>"), ("text/xml", "")):
        error = raised(answer(body, status, kind), get_total)
        assert error.code == word
        for part in (status[:3], kind, "/DataService"):
            assert part in error.message


def test_redirects_are_not_followed() -> None:
    error = raised(answer("", "302 Found", more="Location: http://elsewhere/\r\n"), get_total)
    assert error.code is ErrorCode.UNAVAILABLE and "http://elsewhere/" in error.message
    error = raised(answer("hello", kind="text/plain"), get_total)
    assert error.code is ErrorCode.PROTOCOL_MISMATCH and "text/plain" in error.message


# Packages


def stored(inside: str) -> str:
    return envelope(f"<storeResponse {Q}><result>{inside}</result></storeResponse>")


def test_packages_are_read() -> None:
    kind = 'Multipart/Related; boundary="=_a b"; type="application/xop+xml"; start="<r>"'
    data = b"\0\r\n--=_a\r\n--=_a bc\r\n"
    body = package(stored(include("p%40x")), ("p@x", data), boundary="=_a b")
    for whole in (body, b"preamble --=_a b\r\n" + body + b"\r\nepilogue --=_a b"):
        assert partner(answer(whole, kind=kind), lambda client: client.store(b"", None))[1] == data
    empty = package(stored(include("p")), ("p", b""), boundary="=_a b")
    assert partner(answer(empty, kind=kind), lambda client: client.store(b"", None))[1] == b""
    inline = package(stored("QQ=="), boundary="=_a b")
    assert partner(answer(inline, kind=kind), lambda client: client.store(b"", None))[1] == b"A"
    chunks = b"".join(
        b"%x;ext=1\r\n%s\r\n" % (len(body[i : i + 7]), body[i : i + 7])
        for i in range(0, len(body), 7)
    )
    head = f"HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\nTransfer-Encoding: chunked\r\n\r\n".encode()
    chunked = head + chunks + b"0\r\nTrailer: x\r\n\r\n"
    assert partner(chunked, lambda client: client.store(b"", None))[1] == data
    unused = package(stored("QQ=="), ("p", b"x"), boundary="=_a b")
    assert partner(answer(unused, kind=kind), lambda client: client.store(b"", None))[1] == b"A"


def encoded(encoding: str, data: bytes) -> Callable[[], bytes]:
    """What reads a part that is written in this way."""
    head = f"--b\r\n\r\n\r\n--b\r\nContent-ID: p\r\nContent-Transfer-Encoding: {encoding}\r\n\r\n"
    body = head.encode() + data + b"\r\n--b--"
    return read_package(body, {"boundary": "b"}, Limits()).parts["p"]


@pytest.mark.parametrize(
    ("encoding", "data", "read"),
    [
        ("", b"a=3D \r\n", b"a=3D \r\n"),
        ("BASE64", b" YWJ\r\n\tj ", b"abc"),
        ("base64", b"", b""),
        ("quoted-printable", b"a=3Db=0d=0A", b"a=b\r\n"),
        ("quoted-printable", b"1 \t\r\n2=\r\n 3=20\n4= \t\n5\r6\xe9 ", b"1\r\n2 3 \n45\r6\xe9"),
        ("Quoted-Printable", b"end=", b"end"),
        ("quoted-printable", b"=\r\n=", b""),
        ("quoted-printable", b" " * 500_000 + b"x", b" " * 500_000 + b"x"),
        ("quoted-printable", b"=" + b" " * 500_000, b""),
    ],
)
def test_transfer_encodings(encoding: str, data: bytes, read: bytes) -> None:
    assert encoded(encoding, data)() == read


@pytest.mark.parametrize(
    ("encoding", "data"),
    [
        ("base64", b"YWJ"),
        ("base64", b"YWI-"),
        ("base64", b"YWJ="),
        ("base64", b"\xe9"),
        ("quoted-printable", b"a=3"),
        ("quoted-printable", b"=3G"),
        ("quoted-printable", b"a==\r\n"),
        ("quoted-printable", b"=3=\nD"),
        ("quoted-printable", b"= x"),
        ("uuencode", b""),
    ],
)
def test_parts_that_do_not_follow_their_encoding(encoding: str, data: bytes) -> None:
    with pytest.raises(Bad):
        encoded(encoding, data)()


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (package(stored(include("q")), ("p", b"x")), "malformed"),
        (package(stored("QQ=="), ("p", b"x"), ("p", b"x")), "malformed"),
        (package(stored(include("p")), ("p", b"x"), ("p", b"y")), "malformed"),
        (
            package(
                stored(include("p")), ("p", b"x"), more="Content-Transfer-Encoding: base64\r\n"
            ),
            "malformed",
        ),
        (package(stored(include("p")).replace("cid:", "http:"), ("p", b"x")), "malformed"),
        (package(stored(include("p") + "a"), ("p", b"x")), "malformed"),
        (package(stored("<a xmlns=''/>"), ("p", b"x")), "malformed"),
        (package(stored(include("p")), ("p", b"x"))[:-2], "malformed"),
        (package(stored(include("p")), ("p", b"x"))[:-6], "malformed"),
        (package(stored(include("p")), ("p", b"x"), more=f"A: {'a' * 17_000}\r\n"), "too-large"),
        (package(stored(""), *((str(i), b"") for i in range(1_001))), "too-large"),
        (b"", "protocol-mismatch"),
        (b"--b--", "malformed"),
    ],
)
def test_packages_that_are_refused(body: bytes, code: str) -> None:
    def call(client: PartnerClient) -> CreoError:
        with pytest.raises(CreoError) as caught:
            client.store(b"", None)
        return caught.value

    kind = "multipart/related; boundary=b"
    assert partner(answer(body, kind=kind), call)[1].code == code


def test_packages_are_sent() -> None:
    large, small = bytes(range(256)) * 4, b"x" * 1_023
    zoo = Zoo(AnimalPlain(Plain("p")), [], {"a": small, "b": large}, [])
    for version in ("1.1", "1.2"):
        request, _ = partner(
            answer(stored("")), lambda client: client.store(large, zoo), mtom=True, version=version
        )
        kind = request.headers["content-type"]
        assert kind.startswith('multipart/related; type="application/xop+xml"; boundary="')
        assert 'start="<root@creo>"' in kind and request.body.count(large) == 2
        assert request.body.count(b'href="cid:0@creo"') == 1 == request.body.count(b"<1@creo>")
        assert (
            b"eHh4" in request.body
            and b'xmlns:xop="http://www.w3.org/2004/08/xop/include"' in request.body
        )
        assert ("action=" in kind) == (version == "1.2") == ("soapaction" not in request.headers)


# asyncio


def run(script: Callable[[Peer], None], calls: Callable[[str], Awaitable[T]], times: int = 1) -> T:
    with serve(*([script] * times)) as server:

        async def main() -> T:
            return await calls(f"http://127.0.0.1:{server.port}/")

        return asyncio.run(main())


def test_asyncio() -> None:
    def script(peer: Peer) -> None:
        while receive(peer) is not None:
            peer.send(answer(total("7")))

    async def calls(url: str) -> list[float]:
        async with AsyncDataServiceClient.soap(url) as client:
            many = await asyncio.gather(*(client.total([1.0]) for _ in range(4)))
            return [*many, *[await client.total([1.0]) for _ in range(5)]]

    assert run(script, calls, 4) == [7.0] * 9


def test_asyncio_deadline_and_cancelling() -> None:
    ended: list[bool] = []
    heard = threading.Event()

    def script(peer: Peer) -> None:
        # The first call may end before its request is sent.
        while receive(peer) is not None:
            heard.set()
        ended.append(True)

    async def calls(url: str) -> ErrorCode:
        async with AsyncDataServiceClient.soap(url) as client:
            with pytest.raises(CreoError) as caught:
                await client.with_options(deadline=0.1).total([1.0])
            for deadline in (None, 60.0):
                heard.clear()
                call = asyncio.ensure_future(client.with_options(deadline=deadline).total([1.0]))
                assert await asyncio.to_thread(heard.wait, 10)
                call.cancel()
                with pytest.raises(asyncio.CancelledError):
                    await call
            return caught.value.code

    assert run(script, calls, 3) is ErrorCode.DEADLINE_EXCEEDED
    assert ended == [True] * 3


def test_asyncio_large_bodies_and_lost_connections() -> None:
    data = bytes(5_000_000)

    def script(peer: Peer) -> None:
        request = expect(peer)
        peer.send(answer(stored("QQ==" if len(request.body) > 6_000_000 else "")))
        receive(peer)

    async def calls(url: str) -> bytes:
        async with AsyncPartnerClient.soap(url) as client:
            return await client.store(data, None)

    assert run(script, calls) == b"A"

    def lost(peer: Peer) -> None:
        peer.take(1_000)

    async def failing(url: str) -> ErrorCode:
        async with AsyncPartnerClient.soap(url) as client:
            with pytest.raises(CreoError) as caught:
                await client.store(data, None)
            return caught.value.code

    assert run(lost, failing) is ErrorCode.UNAVAILABLE
