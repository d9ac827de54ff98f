"""Answers that come before a request was sent (HTTP-5, HTTP-33, TCP-31)."""

from __future__ import annotations

import asyncio
import struct
import threading

import pytest

from creo import CallOptions, CreoError, ErrorCode
from creo.http import HttpOptions
from creo.soap import AsyncSoapChannel
from fake import CANCEL, ITEMS, REQUEST, RESPONSE, Peer, frame, serve
from fake_http import Received, answer, envelope, expect
from flow import AsyncFlowClient, FlowClient, Tick
from partner import AsyncPartnerClient
from streaming import ticks

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

    def early(peer: Peer) -> None:
        head_of(peer)
        asked = 'WWW-Authenticate: Digest realm="r", nonce="n"\r\n' if digest else ""
        peer.send(answer("no", "401 Who", "text/plain", asked))
        rest.append(drained(peer))

    def whole(peer: Peer) -> None:
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
