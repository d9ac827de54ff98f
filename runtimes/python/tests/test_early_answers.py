"""Answers that come before a request was sent (HTTP-5, HTTP-33, TCP-31)."""

from __future__ import annotations

import asyncio
import socket
import ssl
import struct
import threading
from array import array
from contextlib import suppress
from pathlib import Path

import pytest

from creo import CallOptions, CreoError, ErrorCode
from creo.http import HttpOptions
from creo.soap import AsyncSoapChannel
from fake import CANCEL, ITEMS, REQUEST, RESPONSE, Peer, frame, serve
from fake_http import Received, answer, envelope, expect
from flow import AsyncFlowClient, FlowClient, Tick
from partner import AsyncPartnerClient
from sample import AsyncDataServiceClient, DataServiceClient
from streaming import BOTH, ticks

SIZE = 12_000_000
NAMESPACE = "http://partner.example/2026"


def head_of(peer: Peer) -> bytes:
    """The head of the next request."""
    head = b""
    while not head.endswith(b"\r\n\r\n"):
        byte = peer.take(1)
        assert byte, head
        head += byte
    return head


def drained(peer: Peer) -> bytes:
    """All that comes until the end."""
    found = bytearray()
    try:
        while data := peer.socket.recv(65_536):
            found += data
    except OSError:
        pass
    return bytes(found)


@pytest.mark.parametrize("digest", [False, True])
def test_a_connection_is_not_used_again_within_a_body(digest: bool) -> None:
    """The rest of a body would be missing: a request of two parts or more, as with MTOM."""
    rest: list[bytes] = []
    requests: list[Received] = []
    another = threading.Event()

    def early(peer: Peer) -> None:
        head_of(peer)
        asked = 'WWW-Authenticate: Digest realm="r", nonce="n"\r\n' if digest else ""
        peer.send(answer("no", "401 Who", "text/plain", asked))
        another.wait(20)
        rest.append(drained(peer))

    def whole(peer: Peer) -> None:
        another.set()
        requests.append(expect(peer))
        stored = f'<storeResponse xmlns="{NAMESPACE}"/>'
        peer.send(answer(envelope(stored), more="Connection: close\r\n"))

    async def calls(port: int) -> None:
        url = f"http://127.0.0.1:{port}/"
        http = HttpOptions(digest=("me", "pw")) if digest else None
        options = CallOptions(deadline=60)
        async with AsyncSoapChannel(url, mtom=True, http=http) as made:
            client = AsyncPartnerClient.over(made, options)
            for number in range(1 if digest else 2):
                with pytest.raises(CreoError) as caught:
                    await client.store(b"x" * SIZE)
                refused = not digest and number == 0
                wanted = ErrorCode.UNAUTHENTICATED if refused else ErrorCode.MALFORMED
                assert caught.value.code is wanted, caught.value

    with serve(early, whole) as server:
        asyncio.run(calls(server.port))
    assert server.connections == 2
    assert len(rest[0]) < SIZE and b"POST" not in rest[0]
    assert len(requests[0].body) > SIZE and ("authorization" in requests[0].headers) is digest


PROBLEM = '{"type":"urn:creo:error:permission-denied","detail":"not you, Anna"}'
NUMBERS = array("d", [0.12345678]) * 1_200_000


@BOTH
@pytest.mark.parametrize("kept", [False, True])
@pytest.mark.parametrize("then", ["ends", "closes", "waits"])
def test_the_error_of_a_service_that_does_not_read_on(
    asynchronous: bool, kept: bool, then: str
) -> None:
    """HTTP-3, CALL-4: it arrives, whatever the service does with the rest of the request."""
    answered = threading.Event()

    def script(peer: Peer) -> None:
        if kept:
            expect(peer)
            peer.send(answer("1.5", kind="application/json"))
        head_of(peer)
        peer.send(answer(PROBLEM, "403 Forbidden", "application/problem+json"))
        if then == "closes":
            peer.socket.close()
        else:
            if then == "ends":
                with suppress(OSError):  # the client may have gone
                    peer.socket.shutdown(socket.SHUT_WR)
            assert answered.wait(60)

    def check(caught: pytest.ExceptionInfo[CreoError]) -> None:
        answered.set()
        assert caught.value.code is ErrorCode.PERMISSION_DENIED, caught.value
        assert caught.value.message == "not you, Anna"

    async def run(url: str) -> None:
        async with AsyncDataServiceClient.json(url, options=CallOptions(deadline=30)) as client:
            assert not kept or await client.total([1.0]) == 1.5
            with pytest.raises(CreoError) as caught:
                await client.total(NUMBERS)
            check(caught)

    with serve(script) as server:
        url = f"http://127.0.0.1:{server.port}/"
        if asynchronous:
            asyncio.run(run(url))
        else:
            with DataServiceClient.json(url, options=CallOptions(deadline=30)) as client:
                assert not kept or client.total([1.0]) == 1.5
                with pytest.raises(CreoError) as caught:
                    client.total(NUMBERS)
                check(caught)
    assert server.connections == 1


def test_a_request_that_failed_without_an_answer_is_repeated() -> None:
    """HTTP-5: on a kept connection, since the service cannot have begun it."""
    size: list[int] = []

    def first(peer: Peer) -> None:
        expect(peer)
        peer.send(answer("1.5", kind="application/json"))
        head_of(peer)

    def second(peer: Peer) -> None:
        size.append(len(expect(peer).body))
        peer.send(answer("2.5", kind="application/json"))

    with serve(first, second) as server:
        with DataServiceClient.json(f"http://127.0.0.1:{server.port}/") as client:
            assert client.total([1.0]) == 1.5
            assert client.total(NUMBERS) == 2.5
    assert size[0] > SIZE and server.connections == 2


@BOTH
@pytest.mark.parametrize("then", ["ends", "closes", "waits"])
def test_the_error_of_a_service_that_does_not_read_a_stream_on(
    asynchronous: bool, then: str
) -> None:
    """HTTP-33: also while a large item is being sent."""
    answered = threading.Event()

    def script(peer: Peer) -> None:
        head_of(peer)
        peer.send(answer(PROBLEM, "403 Forbidden", "application/problem+json"))
        if then == "closes":
            peer.socket.close()
        else:
            if then == "ends":
                with suppress(OSError):  # the client may have gone
                    peer.socket.shutdown(socket.SHUT_WR)
            assert answered.wait(60)

    async def run(url: str) -> None:
        async with AsyncFlowClient.json(url, options=CallOptions(deadline=30)) as client:
            await client.put("x", [LARGE])

    with serve(script) as server:
        url = f"http://127.0.0.1:{server.port}/"
        with pytest.raises(CreoError) as caught:
            if asynchronous:
                asyncio.run(run(url))
            else:
                with FlowClient.json(url, options=CallOptions(deadline=30)) as client:
                    client.put("x", [LARGE])
        answered.set()
    assert caught.value.code is ErrorCode.PERMISSION_DENIED, caught.value


def test_a_stream_is_sent_over_tls(certificate: Path) -> None:
    """What TLS itself has to say is no answer yet."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    trusting = ssl.create_default_context(cafile=certificate)

    def script(peer: Peer) -> None:
        head_of(peer)
        found = b""
        while not found.endswith(b"\r\n0\r\n\r\n"):
            found += peer.take(1)
        peer.send(answer("6", kind="application/json"))

    with serve(script, context=context) as server:
        url = f"https://localhost:{server.port}/"
        options = CallOptions(deadline=30)
        with FlowClient.json(url, tls=trusting, options=options) as client:
            assert client.sum(iter([1, 2, 3])) == 6


LARGE = Tick(1, "x" * SIZE, [])


def finish_frame(peer: Peer, head: bytes, cancelled: int) -> None:
    """Reads the rest of a frame that begins so, and answers the calls that follow."""
    size = int.from_bytes(head, "big")
    assert len(peer.take(size)) == size
    while (found := peer.receive()) is not None:
        if found.kind == CANCEL:
            assert found.call == cancelled
        else:
            assert found.kind == REQUEST
            peer.send(frame(RESPONSE, found.call, struct.pack(">q", 7)))


@pytest.mark.parametrize("end", ["answer", "close", "cancel"])
def test_a_frame_is_finished_when_its_call_of_asyncio_ends(end: str) -> None:
    """TCP-11, TCP-35: the other calls of the connection go on."""
    ended = threading.Event()

    async def run() -> None:
        loop = asyncio.get_running_loop()
        began = asyncio.Event()

        def script(peer: Peer) -> None:
            peer.greet()
            call = peer.expect(REQUEST).call
            head = peer.take(4)
            loop.call_soon_threadsafe(began.set)
            if end == "answer":
                peer.send(frame(RESPONSE, call))
            elif end == "close":
                peer.send(frame(ITEMS, call, ticks(1)))
            assert ended.wait(60)
            finish_frame(peer, head, call)

        async def read(client: AsyncFlowClient) -> None:
            async with client.talk([LARGE]) as stream:
                async for item in stream:
                    assert item.number == 1
                    break

        with serve(script) as server:
            async with AsyncFlowClient("127.0.0.1", server.port) as client:
                call = read(client) if end == "close" else client.put("x", [LARGE])
                ending = asyncio.ensure_future(call)
                await began.wait()
                other = asyncio.ensure_future(client.add(3, 4))
                if end == "cancel":
                    ending.cancel()
                await asyncio.wait((ending,))
                ended.set()
                assert ending.cancelled() is (end == "cancel")
                assert await other == await client.add(3, 4) == 7

    asyncio.run(run())


def test_a_frame_is_finished_after_an_early_answer() -> None:
    def script(peer: Peer) -> None:
        peer.greet()
        call = peer.expect(REQUEST).call
        head = peer.take(4)
        peer.send(frame(RESPONSE, call))
        finish_frame(peer, head, call)

    with serve(script) as server:
        with FlowClient("127.0.0.1", server.port) as client:
            client.put("x", [LARGE])
            assert client.add(3, 4) == 7
