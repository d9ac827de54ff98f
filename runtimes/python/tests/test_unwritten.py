"""Errors that say whether any byte of a request was written (``calls.md``, CALL-21)."""

# pyright: reportPrivateUsage=false

from __future__ import annotations

import asyncio
import socket
import threading
from typing import Any

import pytest

from creo import CreoError, ErrorCode, Limits
from creo._aio import AsyncConnection
from creo._http import parse_url
from creo._http.client import HttpConnection
from creo._tcp import PREAMBLE
from creo._tcp.connection import Connection
from fake import GOODBYE, Peer, frame, serve
from sample import AsyncDataServiceClient, DataServiceClient

REQUEST = b"x" * 1_000_000


class Breaking(socket.socket):
    """A socket that breaks once it has sent so many bytes."""

    left = 0

    def send(self, data: Any, flags: int = 0, /) -> int:
        if not self.left:
            raise BrokenPipeError("broken")
        sent = min(self.left, len(data))
        self.left -= sent
        return sent


@pytest.fixture(params=[0, 1, 300_000])
def breaking(request: pytest.FixtureRequest) -> Any:
    one, other = socket.socketpair()
    made = Breaking(fileno=one.detach())
    made.setblocking(False)
    made.left = request.param
    with made, other:
        made.written = made.left > 0  # type: ignore[attr-defined]
        yield made


def test_a_request_over_tcp(breaking: Any) -> None:
    connection = Connection(breaking, "peer:1", Limits())
    with pytest.raises(CreoError) as caught:
        connection.start(1, [REQUEST], b"", None, None, oneway=False)
    assert caught.value.code is ErrorCode.UNAVAILABLE
    assert caught.value.not_started is not breaking.written
    # The connection's own error says nothing of other calls.
    assert connection.broken is not None and not connection.broken.not_started


def test_a_request_over_http(breaking: Any) -> None:
    connection = HttpConnection(breaking, parse_url("http://peer:1/"), Limits())
    with pytest.raises(CreoError) as caught:
        connection.exchange((REQUEST,), None, False)
    assert caught.value.code is ErrorCode.UNAVAILABLE
    assert caught.value.not_started is not breaking.written


def test_calls_beyond_the_limit_of_a_connection() -> None:
    one, other = socket.socketpair()
    with one, other:
        one.setblocking(False)
        connection = Connection(one, "peer:1", Limits(max_calls_per_connection=1))
        for last in (False, True):
            try:
                connection.start(1, [b"x"], b"", None, None, oneway=False)
                assert not last
            except CreoError as error:
                assert last and error.code is ErrorCode.OVERLOADED and error.not_started


class Unread(asyncio.Transport):
    """A transport that takes what it is given."""

    def write(self, data: Any) -> None:
        pass

    def abort(self) -> None:
        pass


async def raised(call: Any) -> CreoError:
    with pytest.raises(CreoError) as caught:
        await call
    return caught.value


def start(connection: AsyncConnection, body: bytes = REQUEST) -> asyncio.Future[Any]:
    return asyncio.ensure_future(connection.call(1, [body], b"", None, None, oneway=False))


def test_requests_of_asyncio() -> None:
    async def run() -> None:
        broken = CreoError(ErrorCode.UNAVAILABLE, "lost")
        connection = AsyncConnection("peer:1", Limits(max_calls_per_connection=4))
        connection.connection_made(Unread())
        connection.data_received(PREAMBLE)
        written = start(connection, b"x")
        await asyncio.sleep(0)
        connection.pause_writing()
        first, second, third = start(connection), start(connection), start(connection, b"x")
        await asyncio.sleep(0)
        error = await raised(start(connection))
        assert error.code is ErrorCode.OVERLOADED and error.not_started
        connection.fail(broken)
        assert not (await raised(written)).not_started
        for waiting in (first, second, third):
            error = await raised(waiting)
            assert error.code is ErrorCode.UNAVAILABLE and error.not_started
        # A call that comes too late.
        assert (await raised(start(connection))).not_started
        assert (await raised(start(connection, b"x"))).not_started
        assert not broken.not_started

    asyncio.run(run())


def test_a_request_of_asyncio_that_is_written_in_part() -> None:
    async def run() -> None:
        connection = AsyncConnection("peer:1", Limits())

        written: list[Any] = []

        class Pauses(Unread):
            def write(self, data: Any) -> None:
                written.append(data)
                connection.pause_writing()

        connection.connection_made(Pauses())
        connection.resume_writing()
        connection.data_received(PREAMBLE)
        call = start(connection)
        while len(written) < 2:
            await asyncio.sleep(0)
        connection.fail(CreoError(ErrorCode.UNAVAILABLE, "lost"))
        error = await raised(call)
        assert error.code is ErrorCode.UNAVAILABLE and not error.not_started

    asyncio.run(run())


def test_a_server_that_drains_at_once() -> None:
    async def run() -> None:
        connection = AsyncConnection("peer:1", Limits())
        connection.connection_made(Unread())
        connection.data_received(PREAMBLE + frame(GOODBYE, 0))
        assert (await raised(start(connection))).not_started

    asyncio.run(run())


def test_jms() -> None:
    pytest.importorskip("proton", reason="python-qpid-proton is not installed")
    from creo.jms import AsyncJmsChannel, JmsBroker, JmsChannel
    from fake_amqp import serve

    def jms(asynchronous: bool, broker: Any) -> CreoError:
        """The error of a call."""
        to = JmsBroker("127.0.0.1", broker.port)
        if not asynchronous:
            with JmsChannel(to, "jms:queue:data", wire="binary") as made:
                with pytest.raises(CreoError) as caught:
                    DataServiceClient.over(made).total([1.0])
                return caught.value

        async def run() -> CreoError:
            async with AsyncJmsChannel(to, "jms:queue:data", wire="binary") as made:
                return await raised(AsyncDataServiceClient.over(made).total([1.0]))

        return asyncio.run(run())

    for asynchronous in (False, True):
        with serve(lambda side, request: None, refuse=("amqp:not-found", "gone")) as broker:
            error = jms(asynchronous, broker)
            assert error.code is ErrorCode.UNAVAILABLE and error.not_started
        error = jms(asynchronous, broker)
        assert error.code is ErrorCode.UNAVAILABLE and error.not_started
        # The broker has the request.
        with serve(lambda side, request: side.drop()) as broker:
            error = jms(asynchronous, broker)
            assert error.code is ErrorCode.UNAVAILABLE and not error.not_started
        # The broker takes no requests, and goes.
        with serve(lambda side, request: None, credit=0) as broker:
            leaving = threading.Timer(0.2, broker.leave)
            leaving.start()
            error = jms(asynchronous, broker)
            leaving.join()
            assert error.code is ErrorCode.UNAVAILABLE and error.not_started


def test_closing_after_a_oneway_call() -> None:
    """What the system has not sent yet goes out, though the preamble of the server was not read."""
    closed, ended = threading.Event(), threading.Event()
    received: list[int] = []
    size = 4_000_000

    def script(peer: Peer) -> None:
        try:
            peer.greet()
            while sum(received) < size - 500_000:
                received.append(len(peer.take(50_000)))
            assert closed.wait(60)
            while data := peer.take(50_000):
                received.append(len(data))
        finally:
            ended.set()

    with serve(script) as server:
        with DataServiceClient("127.0.0.1", server.port) as client:
            client.touch("x" * size)
        closed.set()
        assert ended.wait(60)
    assert sum(received) > size
