"""HTTP as clients speak it: connections that are kept, answers that are none, deadlines (``http.md``)."""

from __future__ import annotations

import asyncio
import socket
import ssl
import threading
from pathlib import Path

import pytest

from creo import CallOptions, Cancellation, CreoError, ErrorCode, Limits
from creo._http import Response
from creo.soap import SoapChannel
from fake import Peer, serve
from fake_http import answer, expect, receive
from sample import AsyncDataServiceClient, DataServiceClient
from test_soap import exchange, get_total, total


def test_connections_are_kept() -> None:
    def script(peer: Peer) -> None:
        for i in range(3):
            expect(peer)
            peer.send(answer(total(str(i))))
        receive(peer)

    with serve(script) as server:
        with DataServiceClient.soap(f"http://127.0.0.1:{server.port}/") as client:
            assert [get_total(client) for _ in range(3)] == [0, 1, 2]
    assert server.connections == 1


@pytest.mark.parametrize("late", [b"", b"HTTP/1.1 200 OK\r\n", b"x"])
def test_a_connection_that_ended_is_not_used_again(late: bytes) -> None:
    """HTTP-5: neither a closed connection, nor one with unexpected input."""
    closed = threading.Event()

    def first(peer: Peer) -> None:
        expect(peer)
        peer.send(answer(total("1")) + late)
        if late:
            receive(peer)
        else:
            peer.socket.close()
            closed.set()

    def second(peer: Peer) -> None:
        expect(peer)
        peer.send(answer(total("2"), more="Connection: close\r\n"))
        receive(peer)

    def third(peer: Peer) -> None:
        expect(peer)
        peer.send(b"HTTP/1.0 200 OK\r\nContent-Type: text/xml\r\n\r\n" + total("3").encode())

    with serve(first, second, third) as server:
        with DataServiceClient.soap(f"http://127.0.0.1:{server.port}/") as client:
            assert get_total(client) == 1
            assert late or closed.wait(10)
            assert get_total(client) == 2
            assert get_total(client) == 3
    assert server.connections == 3


def test_a_call_is_not_repeated_once_the_service_may_have_begun() -> None:
    def script(peer: Peer) -> None:
        expect(peer)
        peer.send(answer(total("1")))
        expect(peer)

    with serve(script) as server:
        with DataServiceClient.soap(f"http://127.0.0.1:{server.port}/") as client:
            assert get_total(client) == 1
            with pytest.raises(CreoError) as caught:
                get_total(client)
    assert caught.value.code is ErrorCode.UNAVAILABLE and server.connections == 1


@pytest.mark.parametrize(
    ("reply", "code"),
    [
        (b"", "unavailable"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nabc", "unavailable"),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc", "unavailable"),
        (b"HTTP/1.1 200", "unavailable"),
        (b"CREO\1\0\0\0", "protocol-mismatch"),
        (b"\x15\x03\x01\x00\x02", "protocol-mismatch"),
        (b"HTTP/2 200 OK\r\n\r\n", "protocol-mismatch"),
        (b"HTTP/1.1 abc OK\r\n\r\n", "protocol-mismatch"),
        (b"HTTP/1.1 101 x\r\n\r\n", "protocol-mismatch"),
        (b"HTTP/1.1 200 OK\r\nbad header: x\r\n\r\n", "protocol-mismatch"),
        (b"HTTP/1.1 200 OK\r\nno colon\r\n\r\n", "protocol-mismatch"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n", "protocol-mismatch"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\n", "protocol-mismatch"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n", "protocol-mismatch"),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\n", "protocol-mismatch"),
        (b"HTTP/1.1 200 OK\r\nContent-Encoding: br\r\n\r\n", "protocol-mismatch"),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n", "protocol-mismatch"),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nabc", "protocol-mismatch"),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + b"1" * 5_000, "protocol-mismatch"),
        (b"HTTP/1.1 200 OK\r\nA: " + b"a" * 70_000 + b"\r\n\r\n", "too-large"),
        (b"HTTP/1.1 200 OK\r\nA: " + b"a" * 70_000, "too-large"),
        (b"HTTP/1.1 200 OK\r\n" + b"A: a\r\n" * 201 + b"\r\n", "too-large"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 999999999\r\n\r\n", "too-large"),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nFFFFFFFF\r\n", "too-large"),
    ],
)  # fmt: skip
def test_answers_that_are_no_http(reply: bytes, code: str) -> None:
    def script(peer: Peer) -> None:
        expect(peer)
        peer.send(reply)

    with serve(script) as server:
        with DataServiceClient.soap(f"http://127.0.0.1:{server.port}/") as client:
            with pytest.raises(CreoError) as caught:
                get_total(client)
    assert caught.value.code == code, str(caught.value)
    assert caught.value.details["peer"] == f"127.0.0.1:{server.port}"

    async def again(port: int) -> CreoError:
        async with AsyncDataServiceClient.soap(f"http://127.0.0.1:{port}/") as client:
            with pytest.raises(CreoError) as found:
                await client.total([1.0])
            return found.value

    with serve(script) as server:
        assert asyncio.run(again(server.port)).code == code


def answered(reply: bytes) -> Response:
    """What is read of an answer whose bytes come one by one."""
    response = Response(Limits(), "peer:1")
    for byte in reply:
        response.feed(bytes((byte,)))
    return response


FINE = b"HTTP/1.1 200 OK\r\n"
CHUNKED = FINE + b"Transfer-Encoding: chunked\r\n\r\n"


@pytest.mark.parametrize(
    "reply",
    [
        *(FINE + b"Content-Length: 0\r\nX: " + value + b"\r\n\r\n" for value in (
            b"a\nContent-Type: x", b"a\rb", b"a\0b", b"a\x07b", b"a\x1bb", b"a\x7fb", b"a\r\n b\x7f",
        )),
        b"HTTP/1.1 100 Continue\r\nX: a\nb\r\n\r\n",
        b"HTTP/1.1 200 O\nK\r\nContent-Length: 0\r\n\r\n",
        *(FINE + b"Content-Length:" + value + b"\r\n\r\nabc" for value in (
            b"", b" ", b" 3, 4", b" 3,", b" ,3", b" +3", b" 3 3", b" 0x3", b" 9223372036854775808",
            b" 3\r\nContent-Length: 4", b" 3\r\nContent-Length:",
        )),
        FINE + b"Transfer-Encoding:\r\n\r\nabc",
        FINE + b"Transfer-Encoding:\r\nContent-Length: 3\r\n\r\nabc",
        FINE + b"Transfer-Encoding: chunked\r\nContent-Length:\r\n\r\n0\r\n\r\n",
        FINE + b"Transfer-Encoding: chunked, chunked\r\n\r\n0\r\n\r\n",
        *(CHUNKED + line + b"\r\nx\r\n0\r\n\r\n" for line in (
            b"", b"+1", b"0x1", b" 1", b"1 ", b"1;", b"1;=", b"1;a=", b'1;=\1\2"', b'1;a="', b'1;a="b"c',
            b"1;a b", b"1;a=\x7f", b'1;a="\n"', b'1;a="\\', b"1;a=b=c", b"1 a", b"8000000000000000",
            b"1;" + b"a" * 4_096, b"0" * 4_112 + b"1",
        )),
        CHUNKED + (b"1;" + b"a" * 2_100 + b"\r\nx\r\n") * 2 + b"0\r\n\r\n",
        *(CHUNKED + b"1\r\nx\r\n0\r\n" + line + b"\r\n\r\n" for line in (
            b"\0bad trailer", b"no colon", b"a b: c", b" a: b", b"a: b\nc", b"a: \x7f", b": a",
        )),
    ],
)  # fmt: skip
def test_answers_that_are_framed_otherwise(reply: bytes) -> None:
    """HTTP-19, by HTTP-13, HTTP-15 and HTTP-16."""
    with pytest.raises(CreoError) as caught:
        answered(reply)
    assert caught.value.code is ErrorCode.PROTOCOL_MISMATCH, caught.value


@pytest.mark.parametrize(
    "reply",
    [
        *(FINE + b"Content-Length:" + value + b"\r\n\r\nabc" for value in (
            b"3", b" 3, 3", b" 3 ,\t03", b" 3\r\nContent-Length: 3", b" " + b"0" * 30 + b"3",
        )),
        FINE + b"X:\r\nY: a\tb\xff\r\n c\r\nContent-Length: 3\r\n\r\nabc",
        b"HTTP/1.1 200\r\nContent-Length: 3\r\n\r\nabc",
        b"HTTP/1.1 200 \r\nContent-Length: 3\r\n\r\nabc",
        *(CHUNKED + line + b"\r\nabc\r\n000\r\n\r\n" for line in (
            b"3", b"0" * 20 + b"3", b"3;a", b"3 ; a = b\t;c", b'3;a="";b="\\"\t;\xff"', b"3;" + b"a" * 4_095,
        )),
        CHUNKED + b"3\r\nabc\r\n0\r\nA: b\r\nC:\r\n d\r\n\r\n",
    ],
)  # fmt: skip
def test_answers_that_are_framed_as_clients_accept_it(reply: bytes) -> None:
    response = answered(reply)
    assert response.done and response.body == b"abc"


def test_informational_answers_are_passed_over() -> None:
    reply = b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n" + answer(
        total()
    )
    assert exchange(reply, get_total)[1] == 42.5


def test_deadlines_hold_for_the_whole_call() -> None:
    def slow(peer: Peer) -> None:
        expect(peer)
        for byte in answer(total()):
            peer.send(bytes((byte,)))
            if receive_nothing(peer):
                return

    def receive_nothing(peer: Peer) -> bool:
        peer.socket.settimeout(0.02)
        try:
            return peer.socket.recv(1) == b""
        except socket.timeout:
            return False
        except OSError:
            return True

    with serve(slow) as server:
        with DataServiceClient.soap(f"http://127.0.0.1:{server.port}/") as client:
            with pytest.raises(CreoError) as caught:
                client.with_options(deadline=0.2).total([1.0])
    assert caught.value.code is ErrorCode.DEADLINE_EXCEEDED


def test_cancelling() -> None:
    cancellation = Cancellation()

    def script(peer: Peer) -> None:
        expect(peer)
        cancellation.cancel()
        assert receive(peer) is None

    with serve(script) as server:
        url = f"http://127.0.0.1:{server.port}/"
        options = CallOptions(cancellation=cancellation, deadline=None)
        with SoapChannel(url) as made:
            client = DataServiceClient.over(made, options)
            for _ in range(2):
                with pytest.raises(CreoError) as caught:
                    get_total(client)
                assert caught.value.code is ErrorCode.CANCELLED


def test_no_server() -> None:
    with DataServiceClient.soap("http://127.0.0.1:1/x") as client:
        with pytest.raises(CreoError) as caught:
            get_total(client)
    assert caught.value.code is ErrorCode.UNAVAILABLE and "127.0.0.1:1" in caught.value.message


@pytest.mark.parametrize(
    "url",
    ["", "127.0.0.1", "ftp://a/", "http://", "http:///x", "http://u:p@a/", "http://a b/", "http://a/\r\nX: y",
     "http://\u00e9/", "http://a:b/", "http://a:99999/"],
)  # fmt: skip
def test_urls_that_are_none(url: str) -> None:
    with pytest.raises(ValueError):
        SoapChannel(url)


def test_arguments_of_a_channel() -> None:
    with pytest.raises(ValueError):
        SoapChannel("http://a/", version="1.3")
    with pytest.raises(ValueError):
        SoapChannel("http://a/", tls=True)
    assert SoapChannel("https://[::1]/a").port == 443


def test_tls(certificate: Path) -> None:
    service = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    service.load_cert_chain(certificate)
    trusting = ssl.create_default_context(cafile=certificate)

    def script(peer: Peer) -> None:
        while receive(peer) is not None:
            peer.send(answer(total("7")))

    async def calls(url: str) -> list[float]:
        async with AsyncDataServiceClient.soap(url, tls=trusting) as client:
            return [await client.total([1.0]) for _ in range(3)]

    with serve(script, script, script, context=service) as server:
        url = f"https://localhost:{server.port}/"
        with DataServiceClient.soap(url, tls=trusting) as client:
            assert [get_total(client) for _ in range(3)] == [7.0] * 3
        assert asyncio.run(calls(url)) == [7.0] * 3
        with DataServiceClient.soap(url) as client, pytest.raises(CreoError) as caught:
            get_total(client)
        assert caught.value.code is ErrorCode.UNTRUSTED_PEER and "certificate" in str(caught.value)
    assert server.connections == 3

    def plain(peer: Peer) -> None:
        peer.take(5)
        peer.send(b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n")

    with serve(plain) as server:
        url = f"https://localhost:{server.port}/"
        with (
            DataServiceClient.soap(url, tls=trusting) as client,
            pytest.raises(CreoError) as caught,
        ):
            get_total(client)
    assert caught.value.code is ErrorCode.PROTOCOL_MISMATCH


def test_a_service_that_waits_for_plain_http() -> None:
    """It does not answer TLS, but it answers HTTP: that is said."""

    def silent(peer: Peer) -> None:
        while peer.take(1):
            pass

    def plain(peer: Peer) -> None:
        assert peer.take(9) == b"OPTIONS *"
        peer.send(b"HTTP/1.0 400 x\r\n\r\n")

    limits = Limits(connect_timeout=0.5)

    async def asynchronous(url: str) -> None:
        async with AsyncDataServiceClient.json(url, limits=limits) as client:
            await client.total([])

    with serve(silent, plain, silent, plain) as server:
        url = f"https://127.0.0.1:{server.port}/D"
        for call in (
            lambda: DataServiceClient.json(url, limits=limits).total([]),
            lambda: asyncio.run(asynchronous(url)),
        ):
            with pytest.raises(CreoError) as caught:
                call()
            assert caught.value.code is ErrorCode.PROTOCOL_MISMATCH
            assert "plain HTTP" in caught.value.message


@pytest.mark.parametrize("asynchronous", [False, True])
def test_headers_of_the_user(asynchronous: bool) -> None:
    """HTTP-24"""
    heads: list[dict[str, str]] = []

    def script(peer: Peer) -> None:
        heads.append(expect(peer).headers)
        peer.send(answer(total("1")))

    options = CallOptions(
        headers={"X-Api-Key": "k", "Cookie": 'a="b"', "user-agent": "lab/1"},
        metadata={"x-api-key": "m"},
    )

    async def call(url: str) -> float:
        async with AsyncDataServiceClient.soap(url, options=options) as client:
            return await client.total([])

    with serve(script) as server:
        url = f"http://127.0.0.1:{server.port}/"
        if asynchronous:
            assert asyncio.run(call(url)) == 1
        else:
            with DataServiceClient.soap(url, options=options) as client:
                assert client.total([]) == 1
    wanted = {
        "x-api-key": "k",
        "cookie": 'a="b"',
        "user-agent": "lab/1",
        "creo-meta-x-api-key": "m",
    }
    assert {name: heads[0].get(name) for name in wanted} == wanted


@pytest.mark.parametrize(
    ("headers", "code"),
    [
        *(({name: "x"}, "invalid-value") for name in (
            "", "a b", "a:", "é", "a\r\nb", "a\n", "x" * 65, "Host", "content-length", "Content-Language",
            "Transfer-Encoding", "Connection", "Keep-Alive", "TE", "Trailer", "Upgrade", "Expect",
            "SOAPAction", "Accept-Encoding", "MIME-Version", "Proxy-Authorization", "Creo-Timeout",
        )),
        *(({"X-A": value}, "invalid-value") for value in (
            "", " ", " a", "a ", "a\t", "a\r\nHost: b", "a\n", "a\0b", "a\x7f", "é",
        )),
        ({"X-A": "a", "x-a": "b"}, "invalid-value"),
        ({"Authorization": "a"}, "invalid-value"),
        ({"X-A": "a" * 20_000}, "too-large"),
        ({f"X-{i}": "a" for i in range(65)}, "too-large"),
    ],
)  # fmt: skip
def test_headers_that_cannot_be_sent(headers: dict[str, str], code: str) -> None:
    """HTTP-24: nothing is sent."""
    options = CallOptions(headers=headers, metadata={"authorization": "me"})
    with serve() as server:
        with DataServiceClient.soap(f"http://127.0.0.1:{server.port}/", options=options) as client:
            with pytest.raises(CreoError) as caught:
                client.total([])
    assert caught.value.code == code and server.connections == 0
