"""Answers that come before a request was sent (HTTP-5, HTTP-33, TCP-31)."""

from __future__ import annotations

import asyncio

import pytest

from creo import CallOptions, CreoError, ErrorCode
from creo.http import HttpOptions
from creo.soap import AsyncSoapChannel
from fake import Peer, serve
from fake_http import Received, answer, envelope, expect
from partner import AsyncPartnerClient

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
