"""Calls by JSON and by tables: what clients send, and what answers mean (``json.md``, ``tdxml.md``)."""

from __future__ import annotations

import asyncio
import gzip
import json
from typing import Any, Callable, TypeVar

import pytest

from creo import CreoError, ErrorCode, Limits
from fake import EXCEPTION, REQUEST, RESPONSE, Peer, error, frame, serve
from fake_http import Received, answer, envelope, expect, fault, receive
from partner import Missing, PartnerClient, Zoo
from sample import AsyncDataServiceClient, Data, DataServiceClient, MetaData, NotFound

T = TypeVar("T")
JSON = "application/json"
PROBLEM = "application/problem+json"
TDXML = "application/vnd.creo.tdxml"
SERIES = Data(MetaData("CO2", 1), [1.0, -2.5])


def exchange(
    kind: str, reply: bytes, call: Callable[[DataServiceClient], T], **options: Any
) -> tuple[Received, T]:
    """One call, its request and its result."""
    seen: list[Received] = []

    def script(peer: Peer) -> None:
        seen.append(expect(peer))
        peer.send(reply)
        receive(peer)

    with serve(script) as server:
        url = f"http://127.0.0.1:{server.port}/DataService"
        with getattr(DataServiceClient, kind)(url, **options) as client:
            result = call(client)
    return seen[0], result


def raised(
    kind: str, reply: bytes, call: Callable[[DataServiceClient], object], **options: Any
) -> CreoError:
    """The error of one call."""

    def caught(client: DataServiceClient) -> CreoError:
        with pytest.raises(CreoError) as found:
            call(client)
        return found.value

    return exchange(kind, reply, caught, **options)[1]


def total(client: DataServiceClient) -> float:
    return client.total([1.0, 2.5])


def get(client: DataServiceClient) -> Data:
    return client.retrieve_data("CO2")


def old(client: DataServiceClient) -> int:
    found: int = getattr(client, "old")()  # noqa: B009 - it is deprecated
    return found


def table(rows: str, of: str | None = None, name: str = "RT") -> str:
    said = "" if of is None else f' of="{of}"'
    return f'<Env xmlns="urn:creo:tdxml"{said}><{name}>\n{rows}</{name}></Env>'


def problem(status: str, document: object) -> bytes:
    return answer(json.dumps(document), status, PROBLEM)


# JSON


def test_a_call_by_json() -> None:
    request, result = exchange("json", answer("3.5", kind=JSON), total)
    assert result == 3.5
    assert request.line == "POST /DataService/total HTTP/1.1"
    assert request.headers["content-type"] == JSON
    assert 30_000 < int(request.headers["creo-timeout"]) <= 60_000
    assert request.body == b'{"numbers":[1,2.5]}'


def test_results_of_json() -> None:
    reply = answer(SERIES.to_json(), kind="application/json; charset=UTF-8")
    assert exchange("json", reply, get)[1] == SERIES
    done = b"HTTP/1.1 204 No Content\r\n\r\n"
    request, nothing = exchange("json", done, lambda c: c.store_data([SERIES]))
    assert nothing is None and request.body == b'{"data":[' + SERIES.to_json() + b"]}"
    accepted = answer("", "202 Accepted", kind="")
    assert exchange("json", accepted, lambda c: c.touch("x"))[1] is None
    with pytest.warns(DeprecationWarning):
        request, seven = exchange("json", answer(" 7 ", kind=JSON), old)
    assert (request.body, seven) == (b"{}", 7)


def test_a_url_with_a_query_and_a_slash() -> None:
    seen: list[Received] = []

    def script(peer: Peer) -> None:
        for _ in range(2):
            seen.append(expect(peer))
            peer.send(answer("3", kind=JSON))

    with serve(script) as server:
        with PartnerClient.json(f"http://127.0.0.1:{server.port}/p/?q=1") as client:
            assert client.sum(1, 2) == 3
            assert client.with_options(metadata={"x-a": "é"}).sum(1, 2) == 3
    assert seen[0].line == "POST /p/sum?q=1 HTTP/1.1"
    assert seen[0].body == b'{"left":1,"right":2}'
    assert seen[1].headers["creo-meta-x-a"] == "%C3%A9"


def test_json_parameters_are_checked() -> None:
    def wrong(client: DataServiceClient) -> None:
        with pytest.raises(CreoError) as caught:
            client.retrieve_data("\ud800")
        assert (caught.value.code, caught.value.place) == ("invalid-value", "$.description")
        with pytest.raises(CreoError) as caught:
            client.store_data([SERIES, None])  # type: ignore[list-item]
        assert (caught.value.code, caught.value.place) == ("invalid-value", "$.data[1]")
        total(client)

    exchange("json", answer("1", kind=JSON), wrong)


def test_problem_documents() -> None:
    document = {
        "type": "urn:creo:exception:sample.NotFound",
        "title": "NotFound",
        "status": 422,
        "value": {"description": "CO2", "tried": [1, 2]},
    }
    with pytest.raises(NotFound) as declared:
        exchange("json", problem("422 x", document), get)
    assert (declared.value.description, list(declared.value.tried)) == ("CO2", [1, 2])

    document["type"] = "urn:creo:exception:sample.Other"
    found = raised("json", problem("422 x", document), get)
    assert found.code is ErrorCode.INTERNAL and "sample.Other" in found.message

    document = {"type": "urn:creo:exception:sample.NotFound", "value": {"tried": ["x"]}}
    found = raised("json", problem("422 x", document), get)
    assert (found.code, found.place) == (ErrorCode.MALFORMED, "$exception.tried[0]")

    document = {
        "type": "urn:creo:error:too-large",
        "title": "too-large",
        "status": 413,
        "detail": "a body is too large",
        "details": {"limit": "maxMessageSize", "allowed": "7", "place": "$.a", "offset": "5"},
    }
    for status in ("413 x", "200 OK", "500 x"):
        found = raised("json", problem(status, document), get)
        assert (found.code, found.message) == (ErrorCode.TOO_LARGE, "a body is too large")
        assert (found.place, found.offset, found.from_peer) == ("$.a", 5, True)
        assert dict(found.details).items() >= {("limit", "maxMessageSize"), ("allowed", "7")}

    found = raised("json", problem("500 x", {"type": "urn:creo:error:odd", "detail": "d"}), get)
    assert found.code is ErrorCode.INTERNAL and "odd" in found.message
    found = raised("json", problem("403 x", {"title": "No", "detail": "not you"}), get)
    assert found.code is ErrorCode.PERMISSION_DENIED and "No: not you" in found.message
    found = raised("json", answer("no JSON", "503 x", PROBLEM), get)
    assert found.code is ErrorCode.UNAVAILABLE


@pytest.mark.parametrize("kind", ["json", "tdxml"])
@pytest.mark.parametrize(
    ("status", "media", "code"),
    [
        ("404 x", "text/plain", "unavailable"),
        ("401 x", "text/html", "unauthenticated"),
        ("429 x", "text/html", "overloaded"),
        ("500 x", "text/html", "protocol-mismatch"),
        ("302 x", "text/html", "unavailable"),
        ("200 OK", "text/html", "protocol-mismatch"),
        ("200 OK", "", "protocol-mismatch"),
    ],
)
def test_answers_that_are_none(kind: str, status: str, media: str, code: str) -> None:
    found = raised(kind, answer("<p>x</p>", status, media), get)
    assert found.code.value == code and status[:3] in found.message


@pytest.mark.parametrize(
    ("body", "media", "place"),
    [
        ('{"metadata":', JSON, "$result"),
        (
            '{"metadata":{"description":"x","timestamp":1},"samples":[1,"x"]}',
            JSON,
            "$result.samples[1]",
        ),
        ("[]", JSON, "$result"),
    ],
)
def test_results_that_cannot_be_read(body: str, media: str, place: str) -> None:
    found = raised("json", answer(body, kind=media), get)
    assert (found.code, found.details["peer"][:10]) == (ErrorCode.MALFORMED, "127.0.0.1:")
    assert (found.place or "").startswith(place)


def test_empty_answers_and_other_charsets() -> None:
    for kind, media in (("json", JSON), ("tdxml", TDXML)):
        found = raised(kind, answer("", kind=media), get)
        assert found.code is ErrorCode.PROTOCOL_MISMATCH
        found = raised(kind, answer("", "204 No Content", media), get)
        assert found.code is ErrorCode.PROTOCOL_MISMATCH
    found = raised("json", answer("1", kind="application/json; charset=latin-1"), total)
    assert found.code is ErrorCode.PROTOCOL_MISMATCH
    found = raised("json", answer("1", kind=JSON), lambda c: c.store_data([]))
    assert (found.code, found.place) == (ErrorCode.MALFORMED, "$result")


def test_gzip_and_limits_hold_for_every_wire() -> None:
    body = gzip.compress(SERIES.to_json())
    reply = answer(body, kind=JSON, more="Content-Encoding: gzip\r\n")
    request, result = exchange("json", reply, lambda c: c.retrieve_data("x" * 2_000), gzip=True)
    assert result == SERIES and request.headers["content-encoding"] == "gzip"
    assert json.loads(request.body) == {"description": "x" * 2_000}
    small = Limits(max_message_size=80)
    assert raised("json", answer("1" * 90, kind=JSON), total, limits=small).code == "too-large"
    assert raised("tdxml", answer("1" * 90, kind=TDXML), total, limits=small).code == "too-large"


# Tables without SOAP


def test_a_call_by_tables() -> None:
    request, result = exchange("tdxml", answer(table("[0]|3.5\n"), kind=TDXML), total)
    assert result == 3.5
    assert request.line == "POST /DataService/total HTTP/1.1"
    assert request.headers["content-type"] == TDXML
    assert request.body == table("[0][0]|1|2.5\n").encode()

    request, _ = exchange(
        "tdxml", answer(table("[0][0]|3.5\n", name="CT"), kind=TDXML), total, scheme="aggregated"
    )
    assert request.body == table("[0][0]0|1\n[0][0]1|2.5\n", name="CT").encode()


def test_tables_with_a_schema() -> None:
    said = "<DS>\ntotal [0] ::= SEQUENCE OF {numbers [0] SET OF Real}\n</DS>"
    reply = table("[0]|1\n").replace(
        "<RT>", said.replace("numbers [0] SET OF", "result [0]") + "<RT>"
    )
    request, result = exchange("tdxml", answer(reply, kind=TDXML), total, schema=True)
    assert result == 1 and request.body.decode() == table("[0][0]|1|2.5\n").replace(
        "<RT>", said + "<RT>"
    )
    other = reply.replace("Real", "Integer")
    assert raised("tdxml", answer(other, kind=TDXML), total).code is ErrorCode.PROTOCOL_MISMATCH


def test_results_of_tables() -> None:
    rows = "[0][0][0]|CO2|1\n[0][0][1]|1|-2.5\n"
    assert exchange("tdxml", answer(table(rows), kind=TDXML), get)[1] == SERIES
    shuffled = table("[0][0][1]|1|-2.5\n[0][0][0]|CO2|1\n", of="retrieveData")
    assert exchange("tdxml", answer(shuffled, kind=TDXML), get)[1] == SERIES
    done = b"HTTP/1.1 204 No Content\r\n\r\n"
    request, nothing = exchange("tdxml", done, lambda c: c.store_data([SERIES]))
    assert nothing is None
    assert request.body == table("[0][0]0[0]|CO2|1\n[0][0]0[1]|1|-2.5\n").encode()
    accepted = answer("", "202 Accepted", kind="")
    assert exchange("tdxml", accepted, lambda c: c.touch("x"))[1] is None
    with pytest.warns(DeprecationWarning):
        request, seven = exchange("tdxml", answer(table("[0]|7\n"), kind=TDXML), old)
    assert (request.body, seven) == (table("").encode(), 7)
    found = raised("tdxml", answer(table(rows, of="other"), kind=TDXML), get)
    assert (found.code, found.place) == (ErrorCode.MALFORMED, "$result")
    found = raised("tdxml", answer(table("[0][0][0]|CO2|x\n"), kind=TDXML), get)
    assert (found.code, found.place) == (ErrorCode.MALFORMED, "$result.metadata.timestamp")
    assert "row 1: [0][0][0]|CO2|x" in found.message


def test_exceptions_and_errors_of_tables() -> None:
    reply = answer(table("[0]|CO2\n[0][1]|1|2\n", of="sample.NotFound"), "422 x", TDXML)
    with pytest.raises(NotFound) as declared:
        exchange("tdxml", reply, get)
    assert (declared.value.description, list(declared.value.tried)) == ("CO2", [1, 2])
    found = raised("tdxml", answer(table("[0]|x\n", of="sample.Other"), "422 x", TDXML), get)
    assert found.code is ErrorCode.INTERNAL and "sample.Other" in found.message
    found = raised(
        "tdxml", answer(table("[0]|CO2\n[0][1]|x\n", of="sample.NotFound"), "422 x", TDXML), get
    )
    assert (found.code, found.place) == (ErrorCode.MALFORMED, "$exception.tried[0]")

    rows = "[0]|too-large|a body is\\ntoo large\n[0][2][0]0|limit|maxDepth\n[0][2][0]1|place|$.a\n"
    for status in ("413 x", "200 OK", "500 x"):
        found = raised("tdxml", answer(table(rows, of="error"), status, TDXML), get)
        assert (found.code, found.message) == (ErrorCode.TOO_LARGE, "a body is\\ntoo large")
        assert (found.place, found.details["limit"], found.from_peer) == ("$.a", "maxDepth", True)
    found = raised("tdxml", answer(table("[0]|odd|x\n[0][2]\n", of="error"), "500 x", TDXML), get)
    assert found.code is ErrorCode.INTERNAL and "odd" in found.message
    found = raised("tdxml", answer("<Env/>", "503 x", TDXML), get)
    assert found.code is ErrorCode.UNAVAILABLE
    found = raised("tdxml", answer(table("[0][0][0]|CO2|1\n"), "500 x", TDXML), get)
    assert found.code is ErrorCode.PROTOCOL_MISMATCH


def test_packages_of_tables() -> None:
    data = bytes(range(256)) * 8
    seen: list[Received] = []

    def script(peer: Peer) -> None:
        for root, parts in (
            (table("[0]|cid:a%40b\n"), {"a@b": data}),
            (table("[0]|cid:x@y\n"), {"a@b": data}),
            (table("[0]|cid:a@b\n"), {"a@b": data, "c@d": b""}),
            (table("[0]|AQI=\n"), {}),
        ):
            seen.append(expect(peer))
            body = f"--b\r\nContent-Type: {TDXML}\r\n\r\n{root}".encode()
            for name, part in parts.items():
                body += f"\r\n--b\r\nContent-ID: <{name}>\r\n\r\n".encode() + part
            kind = f'multipart/related; type="{TDXML}"; boundary=b'
            peer.send(answer(body + b"\r\n--b--\r\n", kind=kind))

    with serve(script) as server:
        with PartnerClient.tdxml(f"http://127.0.0.1:{server.port}/p", packages=True) as client:
            assert client.store(data, Zoo(_animal(), [], {"k": data, "s": b"1"}, [])) == data
            with pytest.raises(CreoError) as caught:
                client.store(data, None)
            assert caught.value.code is ErrorCode.MALFORMED
            assert client.store(data, None) == data
            assert client.store(b"x", None) == b"\1\2"
    kind = seen[0].headers["content-type"]
    assert kind.startswith(f'multipart/related; type="{TDXML}"; boundary=')
    assert b"[0]|cid:0@creo\n" in seen[0].body and b"|k|cid:1@creo\n" in seen[0].body
    assert b"|s|MQ==\n" in seen[0].body and seen[0].body.count(data) == 2


def _animal() -> Any:
    from partner import AnimalPlain, Plain

    return AnimalPlain(Plain("p"))


# Tables within SOAP


def test_tables_within_soap() -> None:
    reply = answer(envelope(table("[0]|42.5\n")))
    for tables, name, rows in (
        ("record", "RT", "[0][0]|1|2.5\n"),
        ("aggregated", "CT", "[0][0]0|1\n[0][0]1|2.5\n"),
    ):
        request, result = exchange("soap", reply, total, tables=tables)
        assert result == 42.5
        inside = table(rows, of="total", name=name)
        assert request.body.decode() == (
            '<soap:Envelope xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/"><soap:Body>'
            f"{inside}</soap:Body></soap:Envelope>"
        )
        assert request.headers["soapaction"] == '"urn:creo:sample:DataService/total"'
    paper = "<TDXML:Env><TDXML:CT>[0][0]|1</TDXML:CT></TDXML:Env>"
    assert exchange("soap", answer(envelope(paper)), total, tables="record")[1] == 1
    usual = '<totalResponse xmlns="urn:creo:sample"><result>2</result></totalResponse>'
    assert exchange("soap", answer(envelope(usual)), total, tables="record")[1] == 2
    request, _ = exchange("soap", reply, total, tables="record", schema=True, version="1.2")
    assert b"<DS>\ntotal [0] ::= SEQUENCE OF {numbers [0] SET OF Real}\n</DS>" in request.body


def test_faults_of_tables_within_soap() -> None:
    detail = '<NotFound xmlns="urn:creo:sample"><description>d</description></NotFound>'
    with pytest.raises(NotFound):
        exchange("soap", answer(fault("S:Server", "x", detail), "500 x"), get, tables="record")
    found = raised("soap", answer(envelope(table("[0][0][0]|a|b\n"))), get, tables="record")
    assert (found.code, found.place) == (ErrorCode.MALFORMED, "$result.metadata.timestamp")
    found = raised("soap", answer(envelope(table("[0]|1\n"))), total)
    assert found.code is ErrorCode.MALFORMED


def test_headers_and_parts_are_in_the_table() -> None:
    seen: list[Received] = []
    data = b"\0" * 1_024

    def script(peer: Peer) -> None:
        seen.append(expect(peer))
        peer.send(answer(envelope(table("[0]|hello\n"))))
        seen.append(expect(peer))
        peer.send(answer(envelope(table("[0]|AA==\n"))))

    with serve(script) as server:
        url = f"http://127.0.0.1:{server.port}/p"
        with PartnerClient.soap(url, tables="record", mtom=True) as client:
            assert client.greet("s", "n") == "hello"
            assert client.store(data, None) == b"\0"
    assert b"[0]|s|n\n" in seen[0].body and b"Header" not in seen[0].body
    assert b"[0]|cid:0@creo\n" in seen[1].body and data in seen[1].body


# Tables over TCP


def greet(peer: Peer) -> None:
    assert peer.take(8) == b"CREO\1\3\1\0"
    peer.send(b"CREO\1\1\0\0")


def test_tables_over_tcp() -> None:
    def script(peer: Peer) -> None:
        greet(peer)
        call = peer.expect(REQUEST)
        assert call.body == table("[0][0]|1|2.5\n").encode()
        peer.send(frame(RESPONSE, call.call, table("[0]|3.5\n").encode()))
        call = peer.expect(REQUEST)
        peer.send(
            frame(EXCEPTION, call.call, table("[0]|d\n[0][1]|4\n", of="sample.NotFound").encode())
        )
        call = peer.expect(REQUEST)
        peer.send(frame(EXCEPTION, call.call, table("[0]|d\n", of="sample.Odd").encode()))
        call = peer.expect(REQUEST)
        peer.send(frame(EXCEPTION, call.call, b"<x"))
        call = peer.expect(REQUEST)
        peer.send(frame(RESPONSE, call.call, table("[0]|x\n").encode()))
        call = peer.expect(REQUEST)
        peer.send(error(call.call, 10, "not you"))
        call = peer.expect(REQUEST)
        peer.send(frame(RESPONSE, call.call, table("").encode()))
        peer.until_end()

    with serve(script) as server:
        with DataServiceClient("127.0.0.1", server.port, wire="tdxml") as client:
            assert total(client) == 3.5
            with pytest.raises(NotFound) as declared:
                get(client)
            assert (declared.value.description, list(declared.value.tried)) == ("d", [4])
            for code, place in (("internal", None), ("malformed", "$exception")):
                with pytest.raises(CreoError) as caught:
                    get(client)
                assert (caught.value.code, caught.value.place) == (code, place)
            with pytest.raises(CreoError) as caught:
                total(client)
            assert (caught.value.code, caught.value.place) == ("malformed", "$result")
            with pytest.raises(CreoError) as caught:
                total(client)
            assert (caught.value.code, caught.value.message) == ("permission-denied", "not you")
            client.store_data([])


def test_a_server_that_does_not_speak_tables() -> None:
    def script(peer: Peer) -> None:
        greet(peer)
        peer.expect(REQUEST)
        peer.send(error(0, 11, "this port speaks binary, not tdxml"))

    with serve(script) as server:
        with DataServiceClient("127.0.0.1", server.port, wire="tdxml") as client:
            with pytest.raises(CreoError) as caught:
                total(client)
            assert caught.value.code is ErrorCode.PROTOCOL_MISMATCH
            assert "not tdxml" in caught.value.message


def test_wires_and_schemes_that_are_none() -> None:
    for make in (
        lambda: DataServiceClient("h", 1, wire="json"),
        lambda: AsyncDataServiceClient("h", 1, wire="soap"),
        lambda: DataServiceClient.tdxml("http://h/", scheme="odd"),
        lambda: DataServiceClient.soap("http://h/", tables="odd"),
        lambda: DataServiceClient.json("tcp://h/"),
        lambda: DataServiceClient.json("http://h/", tls=True),
    ):
        with pytest.raises(ValueError):
            make()


# asyncio


def test_asyncio_speaks_every_wire() -> None:
    async def calls(open_client: Callable[[int], AsyncDataServiceClient], port: int) -> None:
        async with open_client(port) as client:
            assert await client.total([1.0, 2.5]) == 3.5
            with pytest.raises(NotFound):
                await client.retrieve_data("x")

    def run(
        script: Callable[[Peer], None], open_client: Callable[[int], AsyncDataServiceClient]
    ) -> None:
        with serve(script) as server:
            asyncio.run(calls(open_client, server.port))

    value: dict[str, Any] = {"description": "d", "tried": []}
    not_found = {"type": "urn:creo:exception:sample.NotFound", "value": value}
    rows = table("[0]|d\n", of="sample.NotFound")

    def http(*replies: bytes) -> Callable[[Peer], None]:
        def script(peer: Peer) -> None:
            for reply in replies:
                expect(peer)
                peer.send(reply)
            receive(peer)

        return script

    def tcp(peer: Peer) -> None:
        greet(peer)
        call = peer.expect(REQUEST).call
        peer.send(frame(RESPONSE, call, table("[0]|3.5\n").encode()))
        call = peer.expect(REQUEST).call
        peer.send(frame(EXCEPTION, call, rows.encode()))
        peer.until_end()

    json_script = http(answer("3.5", kind=JSON), problem("422 x", not_found))
    tables_script = http(answer(table("[0]|3.5\n"), kind=TDXML), answer(rows, "422 x", TDXML))
    detail = '<NotFound xmlns="urn:creo:sample"><description>d</description></NotFound>'
    soap_script = http(
        answer(envelope(table("[0]|3.5\n"))), answer(fault("S:Server", "x", detail), "500 x")
    )
    client = AsyncDataServiceClient
    run(json_script, lambda port: client.json(f"http://127.0.0.1:{port}/DataService"))
    run(tables_script, lambda port: client.tdxml(f"http://127.0.0.1:{port}/DataService"))
    run(soap_script, lambda port: client.soap(f"http://127.0.0.1:{port}/", tables="record"))
    run(tcp, lambda port: client("127.0.0.1", port, wire="tdxml"))


def test_json_calls_end_at_their_deadline() -> None:
    def script(peer: Peer) -> None:
        expect(peer)
        receive(peer)

    with serve(script) as server:
        with DataServiceClient.json(f"http://127.0.0.1:{server.port}/D") as client:
            with pytest.raises(CreoError) as caught:
                total(client.with_options(deadline=0.05))
            assert caught.value.code is ErrorCode.DEADLINE_EXCEEDED


def test_missing_is_an_exception_of_partner() -> None:
    document = {
        "type": "urn:creo:exception:partner.Missing",
        "title": "Missing",
        "status": 422,
        "value": {"code": 5, "what": "x"},
    }

    def script(peer: Peer) -> None:
        expect(peer)
        peer.send(problem("422 x", document))
        receive(peer)

    with serve(script) as server:
        with PartnerClient.json(f"http://127.0.0.1:{server.port}/p") as client:
            with pytest.raises(Missing) as caught:
                client.quote(_order())
            assert (caught.value.code, caught.value.what) == (5, "x")


def _order() -> Any:
    from partner import ContactPhone, Order

    return Order(first="f", contact=ContactPhone("p"), items=[], marks=[], numbers=[], last="l")
