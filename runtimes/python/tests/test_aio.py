"""The asyncio client against a scripted server."""

# pyright: reportPrivateUsage=false

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable
from typing import Any, Callable

import pytest

from creo import CallOptions, CreoError, Limits
from creo._aio import AsyncConnection
from creo._tcp import PREAMBLE, control
from creo.aio import AsyncChannel
from fake import (
    CANCEL,
    EXCEPTION,
    GOODBYE,
    PING,
    PONG,
    REQUEST,
    RESPONSE,
    Peer,
    frame,
    serve,
    text,
)
from sample import AsyncDataServiceClient, Data, MetaData, NotFound

SERIES = Data(MetaData("CO2", 1), [1.0, -2.5])
TOTAL = bytes.fromhex("3ff8000000000000")  # 1.5


async def fails(code: str, call: Awaitable[Any]) -> CreoError:
    with pytest.raises(CreoError) as caught:
        await call
    assert caught.value.code.value == code, caught.value
    return caught.value


def answer_total(peer: Peer) -> None:
    peer.send(frame(RESPONSE, peer.expect(REQUEST).call, TOTAL))


def one_total(peer: Peer) -> None:
    peer.greet()
    answer_total(peer)
    assert peer.until_end() == []


def test_many_calls_under_way() -> None:
    def script(peer: Peer) -> None:
        peer.greet()
        requests = [peer.expect(REQUEST) for _ in range(200)]
        for request in reversed(requests):
            peer.send(frame(RESPONSE, request.call, request.body[1:9]))

    async def calls() -> None:
        async with AsyncDataServiceClient("127.0.0.1", server.port) as client:
            answers = await asyncio.gather(*(client.total([float(i)]) for i in range(200)))
            assert answers == [float(i) for i in range(200)]

    with serve(script) as server:
        asyncio.run(calls())
        assert server.connections == 1


def test_results_exceptions_pings() -> None:
    def script(peer: Peer) -> None:
        peer.greet()
        call = peer.expect(REQUEST).call
        peer.send(frame(PING, 5), frame(RESPONSE, call, SERIES.to_bytes()))
        assert peer.expect(PONG).call == 5
        body = b"\0" + text("CO2") + b"\0"
        peer.send(frame(EXCEPTION, peer.expect(REQUEST).call, body))
        assert peer.expect(REQUEST).body == b"\1x"
        answer_total(peer)

    async def calls() -> None:
        async with AsyncDataServiceClient("127.0.0.1", server.port) as client:
            assert await client.retrieve_data("CO2") == SERIES
            with pytest.raises(NotFound):
                await client.retrieve_data("CO2")
            await client.touch("x")
            assert await client.total([]) == 1.5
            place = (await fails("invalid-value", client.retrieve_data("\ud800"))).place
            assert place == "$.description"

    with serve(script) as server:
        asyncio.run(calls())


def test_deadline_and_cancel() -> None:
    arrived = threading.Event()

    def script(peer: Peer) -> None:
        peer.greet()
        answer_total(peer)
        for last in (False, True):
            request = peer.expect(REQUEST)
            if last:
                arrived.set()
            assert peer.expect(CANCEL).call == request.call
        answer_total(peer)

    async def calls() -> None:
        async with AsyncDataServiceClient("127.0.0.1", server.port) as client:
            # The connection is there before a deadline counts.
            assert await client.total([]) == 1.5
            await fails("deadline-exceeded", client.with_options(deadline=0.3).total([]))
            task = asyncio.ensure_future(client.total([]))
            assert await asyncio.to_thread(arrived.wait, 30)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            assert await client.total([]) == 1.5

    with serve(script) as server:
        asyncio.run(calls())


def test_a_silent_server_cannot_hold_a_big_request() -> None:
    done = threading.Event()

    def script(peer: Peer) -> None:
        assert done.wait(10)

    async def calls() -> None:
        async with AsyncDataServiceClient("127.0.0.1", server.port) as client:
            numbers = memoryview(bytes(80_000_000)).cast("d")
            hasty = client.with_options(deadline=0.2)
            both = (hasty.total(numbers), hasty.total(numbers))
            for answer in await asyncio.gather(*both, return_exceptions=True):
                assert isinstance(answer, CreoError), answer
                assert answer.code.value in ("deadline-exceeded", "unavailable")
        done.set()

    with serve(script) as server:
        asyncio.run(calls())


def test_big_requests_do_not_mix() -> None:
    def script(peer: Peer) -> None:
        peer.greet()
        for _ in range(3):
            request = peer.expect(REQUEST)
            assert len(set(request.body[4:])) == 1
            peer.send(frame(RESPONSE, request.call, TOTAL))

    async def calls() -> None:
        async with AsyncDataServiceClient("127.0.0.1", server.port) as client:
            bodies = [memoryview(bytes((i,)) * 8_000_000).cast("d") for i in (1, 2, 3)]
            assert await asyncio.gather(*map(client.total, bodies)) == [1.5] * 3

    with serve(script) as server:
        asyncio.run(calls())


def test_goodbye_and_lost_connections() -> None:
    def first(peer: Peer) -> None:
        peer.greet()
        call = peer.expect(REQUEST).call
        peer.send(frame(GOODBYE, 0), frame(RESPONSE, call, TOTAL))
        assert peer.until_end() == []

    def second(peer: Peer) -> None:
        peer.greet()
        peer.expect(REQUEST)

    async def calls() -> None:
        async with AsyncDataServiceClient("127.0.0.1", server.port) as client:
            assert await client.total([]) == 1.5
            await fails("unavailable", client.total([]))
            assert await client.total([]) == 1.5

    with serve(first, second, one_total) as server:
        asyncio.run(calls())
        assert server.connections == 3


def script_of(first: bytes) -> Callable[[Peer], None]:
    def script(peer: Peer) -> None:
        peer.take(8)
        peer.send(first)
        peer.until_end()

    return script


def test_wrong_protocols_and_addresses() -> None:
    async def calls(port: int) -> None:
        async with AsyncDataServiceClient("127.0.0.1", port) as client:
            error = await fails("protocol-mismatch", client.total([]))
            assert "HTTP" in error.message
        async with AsyncDataServiceClient("no-such-host.invalid", 1) as nowhere:
            error = await fails("unavailable", nowhere.total([]))
            assert "no-such-host.invalid:1" in error.message

    with serve(script_of(b"HTTP/1.1 400 Bad Request\r\n\r\n")) as server:
        asyncio.run(calls(server.port))


def test_a_slow_chain_is_closed() -> None:
    def script(peer: Peer) -> None:
        peer.greet()
        call = peer.expect(REQUEST).call
        peer.send(frame(RESPONSE, call, b"x", flags=1))
        peer.until_end()

    async def calls() -> None:
        limits = Limits(frame_timeout=0.1)
        async with AsyncDataServiceClient("127.0.0.1", server.port, limits=limits) as client:
            assert "longer" in (await fails("unavailable", client.total([]))).message

    with serve(script) as server:
        asyncio.run(calls())


def test_closing_ends_calls_under_way() -> None:
    arrived = threading.Event()

    def script(peer: Peer) -> None:
        peer.greet()
        peer.expect(REQUEST)
        arrived.set()
        peer.until_end()

    async def calls() -> None:
        channel = AsyncChannel("127.0.0.1", server.port)
        # A call that goes on ends by its deadline, with another error.
        client = AsyncDataServiceClient.over(channel, CallOptions(deadline=30))
        call = asyncio.ensure_future(client.total([]))
        await asyncio.get_running_loop().run_in_executor(None, arrived.wait)
        await channel.close()
        await fails("cancelled", call)

    with serve(script) as server:
        asyncio.run(calls())


class _Unread(asyncio.Transport):
    """A transport whose peer reads nothing."""

    def __init__(self) -> None:
        super().__init__()
        self.written: list[bytes] = []

    def write(self, data: Any) -> None:
        self.written.append(bytes(data))

    def abort(self) -> None:
        pass


def test_pings_whose_pongs_nobody_reads_take_no_memory() -> None:
    async def run() -> None:
        connection, transport = AsyncConnection("peer:1", Limits()), _Unread()
        connection.connection_made(transport)
        pings = [b"".join(control(PING, 10 * k + n) for n in range(10)) for k in range(3)]
        connection.data_received(PREAMBLE + pings[0])
        connection.pause_writing()
        connection.data_received(pings[1])
        connection.data_received(pings[2])
        assert transport.written == [PREAMBLE, control(PONG, 9)]
        connection.resume_writing()
        assert transport.written == [PREAMBLE, control(PONG, 9), control(PONG, 29)]

    asyncio.run(run())


def test_close_leaves_a_channel_open_that_was_given() -> None:
    """MODEL-40. A call after the channel was closed would connect again."""

    def two_totals(peer: Peer) -> None:
        peer.greet()
        answer_total(peer)
        answer_total(peer)
        assert peer.until_end() == []

    async def shared() -> None:
        async with AsyncChannel("127.0.0.1", server.port) as channel:
            for _ in range(2):
                async with AsyncDataServiceClient.over(channel) as client:
                    assert await client.total([1.0]) == 1.5
                    await client.with_options(deadline=20).close()

    async def own() -> None:
        client = AsyncDataServiceClient("127.0.0.1", server.port)
        for made in (client, client.with_options(deadline=20)):
            assert await made.total([1.0]) == 1.5
            await made.close()

    with serve(two_totals) as server:
        asyncio.run(shared())
        assert server.connections == 1
    with serve(one_total, one_total) as server:
        asyncio.run(own())
        assert server.connections == 2
