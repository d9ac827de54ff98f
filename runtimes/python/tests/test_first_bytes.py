"""The first bytes of a server: its preamble (TCP-19), an error of the connection (TCP-20), or
nothing."""

from __future__ import annotations

import asyncio
import threading
import time
from typing import Any, Callable

import pytest

from creo import CreoError, ErrorCode, Limits
from fake import CANCEL, PREAMBLE, REQUEST, RESPONSE, Peer, error, frame, serve
from sample import AsyncDataServiceClient, DataServiceClient

TOTAL = bytes.fromhex("3ff8000000000000")  # 1.5
# Time enough for a good server on a busy machine.
HASTY = Limits(connect_timeout=1.0)
TOO_MANY = error(0, 8, "too many", {"limit": "maxConnectionsPerAddress", "allowed": "2500"})
# More than a connection takes whose other side does not read.
LONG = [0.0] * 1_000_000

Ends = Callable[..., CreoError]


def one_total(peer: Peer) -> None:
    """A good server, for one call."""
    peer.greet()
    peer.send(frame(RESPONSE, peer.expect(REQUEST).call, TOTAL))
    peer.until_end()


def blocking(port: int, deadline: float = 20, argument: Any = (), limits: Limits = HASTY) -> Any:
    """The error of a call, after which the same client makes a good one."""
    with DataServiceClient("127.0.0.1", port, limits=limits) as made:
        client = made.with_options(deadline=deadline)
        with pytest.raises(CreoError) as caught:
            client.total(list(argument))
        assert client.with_options(deadline=20).total([1.0]) == 1.5
        return caught.value


def shared(port: int, deadline: float = 20, argument: Any = (), limits: Limits = HASTY) -> Any:
    """The same with asyncio."""

    async def call() -> CreoError:
        async with AsyncDataServiceClient("127.0.0.1", port, limits=limits) as made:
            client = made.with_options(deadline=deadline)
            with pytest.raises(CreoError) as caught:
                await client.total(list(argument))
            assert await client.with_options(deadline=20).total([1.0]) == 1.5
            return caught.value

    return asyncio.run(call())


both = pytest.mark.parametrize("ends", [blocking, shared])


@both
@pytest.mark.parametrize("begun", [b"", b"CREO", b"CREO\1\1\0"])
def test_no_preamble(ends: Ends, begun: bytes) -> None:
    def silent(peer: Peer) -> None:
        peer.send(begun)
        peer.take(8)
        peer.until_end()

    with serve(silent, one_total) as server:
        late = ends(server.port)
        assert late.code is ErrorCode.PROTOCOL_MISMATCH and not late.from_peer
        for part in (f"127.0.0.1:{server.port}", "within 1000 ms", "HTTP or TLS"):
            assert part in late.message


@both
def test_the_deadline_comes_first(ends: Ends) -> None:
    def late_preamble(peer: Peer) -> None:
        peer.take(8)
        peer.expect(REQUEST)
        peer.expect(CANCEL)
        peer.send(PREAMBLE, frame(RESPONSE, peer.expect(REQUEST).call, TOTAL))
        peer.until_end()

    with serve(late_preamble) as server:
        late = ends(server.port, deadline=0.2, limits=Limits(connect_timeout=10))
        assert late.code is ErrorCode.DEADLINE_EXCEEDED
        assert f"127.0.0.1:{server.port}" in late.message


@both
def test_a_preamble_and_no_answer(ends: Ends) -> None:
    def script(peer: Peer) -> None:
        peer.greet()
        peer.expect(REQUEST)
        peer.expect(CANCEL)
        peer.send(frame(RESPONSE, peer.expect(REQUEST).call, TOTAL))
        peer.until_end()

    with serve(script) as server:
        late = ends(server.port, deadline=1.5)
        assert late.code is ErrorCode.DEADLINE_EXCEEDED


def test_after_a_oneway_call_nobody_waits() -> None:
    """The time for the preamble passes while no call reads: the preamble came nevertheless."""

    greeted = threading.Event()

    def script(peer: Peer) -> None:
        peer.greet()
        greeted.set()
        peer.expect(REQUEST)
        peer.send(frame(RESPONSE, peer.expect(REQUEST).call, TOTAL))
        peer.until_end()

    limits = Limits(connect_timeout=0.5)
    with serve(script) as server:
        with DataServiceClient("127.0.0.1", server.port, limits=limits) as client:
            client.touch("x")
            assert greeted.wait(10)
            time.sleep(0.8)
            assert client.total([1.0]) == 1.5
        assert server.connections == 1


@both
@pytest.mark.parametrize("argument", [(), LONG], ids=["short", "long"])
def test_too_many_connections(ends: Ends, argument: Any) -> None:
    """A server says so before it reads, and closes: also while more is written than it takes."""

    def refuse(peer: Peer) -> None:
        peer.send(PREAMBLE, TOO_MANY)

    with serve(refuse, one_total) as server:
        refused = ends(server.port, argument=argument)
        assert refused.code is ErrorCode.OVERLOADED and refused.from_peer
        assert refused.details["limit"] == "maxConnectionsPerAddress"
        assert refused.details["allowed"] == "2500"


@both
def test_too_many_connections_and_open(ends: Ends) -> None:
    def refuse(peer: Peer) -> None:
        peer.send(PREAMBLE, TOO_MANY)
        peer.take(8)
        peer.until_end()

    with serve(refuse, one_total) as server:
        assert ends(server.port).code is ErrorCode.OVERLOADED


@both
def test_another_protocol_while_it_is_written_to(ends: Ends) -> None:
    def web(peer: Peer) -> None:
        peer.send(b"HTTP/1.1 400 Bad Request\r\n\r\n")

    with serve(web, one_total) as server:
        other = ends(server.port, argument=LONG)
        assert other.code is ErrorCode.PROTOCOL_MISMATCH and "HTTP" in other.message


@both
def test_a_code_that_is_never_sent(ends: Ends) -> None:
    def script(peer: Peer) -> None:
        peer.greet()
        peer.send(error(peer.expect(REQUEST).call, 13, "me"))
        peer.send(frame(RESPONSE, peer.expect(REQUEST).call, TOTAL))
        peer.until_end()

    with serve(script) as server:
        unknown = ends(server.port)
        assert unknown.code is ErrorCode.INTERNAL and "13" in unknown.message
    assert ErrorCode.UNTRUSTED_PEER.number == 13
    assert ErrorCode.of_word("untrusted-peer") is None
