"""The seam for signatures: what a security of a client sees, and what becomes of its errors (SOAP-80, SOAP-81)."""

from __future__ import annotations

import asyncio
from typing import Any, Callable, TypeVar

import pytest

from creo import CreoError, ErrorCode
from creo.soap import AsyncSoapChannel, ClientSecurity
from fake import Peer, serve
from fake_http import Received, answer, envelope, expect, fault, package, receive
from sample import AsyncDataServiceClient, Data, DataServiceClient, MetaData

T = TypeVar("T")
MARK = b"<!-- secured -->"
TOTAL = envelope('<totalResponse xmlns="urn:creo:sample"><result>42.5</result></totalResponse>')
STORED = envelope('<storeDataResponse xmlns="urn:creo:sample"/>')


class Marking:
    """Marks what is sent, and returns what it is told to."""

    def __init__(self, returned: bytes | CreoError | None = None) -> None:
        self.received: list[tuple[bytes, str | None]] = []
        self._returned = returned

    def send(self, request: bytes) -> bytes:
        assert request.startswith(b"<soap:Envelope")
        return request + MARK

    def receive(self, answer: bytes, charset: str | None) -> bytes:
        self.received.append((answer, charset))
        if isinstance(self._returned, CreoError):
            raise self._returned
        return answer if self._returned is None else self._returned


def exchange(
    reply: bytes, security: ClientSecurity, call: Callable[[DataServiceClient], T], **options: Any
) -> tuple[Received, T]:
    """One call, its request and its result."""
    seen: list[Received] = []

    def script(peer: Peer) -> None:
        seen.append(expect(peer))
        peer.send(reply)
        receive(peer)

    with serve(script) as server:
        url = f"http://127.0.0.1:{server.port}/DataService"
        with DataServiceClient.soap(url, security=security, **options) as client:
            result = call(client)
    return seen[0], result


def raised(
    reply: bytes, security: ClientSecurity, call: Callable[[DataServiceClient], object]
) -> CreoError:
    def caught(client: DataServiceClient) -> CreoError:
        with pytest.raises(CreoError) as found:
            call(client)
        return found.value

    return exchange(reply, security, caught)[1]


def total(client: DataServiceClient) -> float:
    return client.total([1.0, 2.5])


def store(client: DataServiceClient) -> None:
    client.store_data([])


def touch(client: DataServiceClient) -> None:
    client.touch("x")


@pytest.mark.parametrize(
    "options", [{}, {"version": "1.2"}, {"tables": "record"}, {"addressing": True}], ids=str
)
def test_what_is_sent_and_read(options: dict[str, Any]) -> None:
    """What the security returns is read, and nothing of the answer itself."""
    security = Marking(TOTAL.encode())
    reply = answer("<anything/>", kind="text/xml; charset=utf-16")
    request, result = exchange(reply, security, total, **options)
    assert request.body.endswith(MARK)
    assert result == 42.5
    assert security.received == [(b"<anything/>", "utf-16")]


def test_asyncio() -> None:
    security = Marking()
    seen: list[Received] = []

    def script(peer: Peer) -> None:
        seen.append(expect(peer))
        peer.send(answer(TOTAL))
        receive(peer)

    async def call(url: str) -> float:
        async with AsyncSoapChannel(url, security=security) as channel:
            return await AsyncDataServiceClient.over(channel).total([1.0, 2.5])

    with serve(script) as server:
        assert asyncio.run(call(f"http://127.0.0.1:{server.port}/DataService")) == 42.5
    assert seen[0].body.endswith(MARK)
    assert security.received == [(TOTAL.encode(), "utf-8")]


def test_no_packages() -> None:
    data = Data(MetaData("x", 1), [1.0])
    request, _ = exchange(answer(STORED), Marking(), lambda c: c.store_data([data]), mtom=True)
    assert request.headers["content-type"].startswith("text/xml")
    security = Marking()
    reply = answer(package(TOTAL), kind='multipart/related; boundary=b; type="application/xop+xml"')
    error = raised(reply, security, total)
    assert error.code is ErrorCode.PROTOCOL_MISMATCH
    assert error.message.startswith("package: ")
    assert security.received == []


def test_empty_answers() -> None:
    """One that would be a result is checked; one that acknowledges a ``oneway`` method is not."""
    refusal = CreoError(ErrorCode.PROTOCOL_MISMATCH, "no-security: empty")
    security = Marking(refusal)
    assert raised(answer(""), security, store).message == "no-security: empty"
    assert security.received == [(b"", "utf-8")]
    quiet = Marking(refusal)
    exchange(answer("", "202 Accepted"), quiet, touch)
    assert quiet.received == []
    # Without a security to refuse it, it is a result.
    exchange(answer(""), Marking(), store)
    assert raised(answer("", "503 Busy"), quiet, store).code is ErrorCode.UNAVAILABLE
    assert quiet.received == []


@pytest.mark.parametrize("status", ["200 OK", "500 Failed", "503 Busy", "401 Who"])
def test_a_refusal_is_no_matter_of_the_status(status: str) -> None:
    refusal = CreoError(ErrorCode.UNTRUSTED_PEER, "untrusted: mallory")
    error = raised(answer(fault("S:Server", "no"), status), Marking(refusal), total)
    assert error.code is ErrorCode.UNTRUSTED_PEER
    assert error.message == "untrusted: mallory"
    assert error.details["peer"].startswith("127.0.0.1:")
    assert not error.from_peer


def test_an_answer_that_is_no_envelope() -> None:
    none = CreoError(ErrorCode.MALFORMED, "no document")
    assert raised(answer("x", "503 Busy"), Marking(none), total).code is ErrorCode.UNAVAILABLE
    page = raised(answer("x", kind="text/html"), Marking(none), total)
    assert page.code is not ErrorCode.MALFORMED
    assert raised(answer("x"), Marking(none), total).code is ErrorCode.MALFORMED


def test_faults_are_checked() -> None:
    security = Marking()
    reply = answer(fault("S:Server", "no more"), "500 Failed")
    error = raised(reply, security, total)
    assert "no more" in error.message
    assert len(security.received) == 1


def test_two_channels_do_not_share_a_security() -> None:
    """Operations are shared, and a security belongs to its channel."""
    one, other = Marking(), Marking()
    for security in (one, other, one):
        request, _ = exchange(answer(TOTAL), security, total)
        assert request.body.endswith(MARK)
    assert (len(one.received), len(other.received)) == (2, 1)
