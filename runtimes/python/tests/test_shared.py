"""Several calls on one connection: which call reads, which is woken, and the effects of one call's
end on the others."""

# pyright: reportPrivateUsage=false
from __future__ import annotations

import asyncio
import socket
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from creo import CreoError, ErrorCode, Limits
from creo._aio import _acquire
from creo._tcp.connection import Connection
from fake import GOODBYE, PREAMBLE, REQUEST, RESPONSE, Peer, frame, serve
from sample import DataServiceClient


def connect(port: int) -> Connection:
    link = socket.create_connection(("127.0.0.1", port))
    link.setblocking(False)
    return Connection(link, "server", Limits())


def call(connection: Connection, seconds: float, body: bytes = b"") -> bytes:
    until = time.monotonic() + seconds
    pending = connection.start(1, [body], b"", until, None, oneway=False)
    return bytes(connection.wait(pending, until).body)


def test_a_reader_that_gives_up_passes_the_reading_on() -> None:
    """A answers; B, which reads then, ends at its deadline; C must still see its answer."""
    b_is_over = threading.Event()

    def script(peer: Peer) -> None:
        peer.greet()
        calls = [peer.expect(REQUEST).call for _ in range(3)]
        peer.send(frame(RESPONSE, calls[0], b"a"))
        assert b_is_over.wait(10)
        peer.send(frame(RESPONSE, calls[2], b"c"))
        peer.until_end()

    with serve(script) as server, ThreadPoolExecutor() as threads:
        connection = connect(server.port)
        first = threads.submit(call, connection, 30)
        while not connection._calls:
            time.sleep(0.001)
        second = threads.submit(call, connection, 0.5)
        while len(connection._calls) < 2:
            time.sleep(0.001)
        third = threads.submit(call, connection, 30)
        assert first.result() == b"a"
        with pytest.raises(CreoError) as caught:
            second.result()
        assert caught.value.code is ErrorCode.DEADLINE_EXCEEDED
        b_is_over.set()
        assert third.result(timeout=10) == b"c"
        connection.close()


def test_a_call_that_wrote_nothing_leaves_the_connection_alone() -> None:
    """The socket is full at the first send: the call ends at its deadline, others go on."""
    heard, read_on = threading.Event(), threading.Event()

    def script(peer: Peer) -> None:
        peer.greet()
        number = peer.expect(REQUEST).call
        heard.set()
        assert read_on.wait(10)
        peer.send(frame(RESPONSE, number, b"a"))
        peer.until_end()

    with serve(script) as server, ThreadPoolExecutor() as threads:
        connection = connect(server.port)
        first = threads.submit(call, connection, 30)
        assert heard.wait(10)

        class Full:
            """The socket, without room."""

            def __init__(self, inner: socket.socket) -> None:
                self.inner = inner

            def send(self, data: Any) -> int:
                raise BlockingIOError

            def __getattr__(self, name: str) -> Any:
                return getattr(self.inner, name)

        real = connection._socket
        connection._socket = Full(real)  # type: ignore[assignment]
        connection._ready = lambda *_: (_ for _ in ()).throw(  # type: ignore[method-assign]
            CreoError(ErrorCode.DEADLINE_EXCEEDED, "full")
        )
        with pytest.raises(CreoError):
            call(connection, 0.2)
        connection._socket = real
        assert connection.broken is None
        read_on.set()
        assert first.result(timeout=10) == b"a"
        connection.close()


def test_a_server_that_ends_every_connection_is_unavailable() -> None:
    """TCP-15, again and again: the client gives up after a few connections."""

    def farewell(peer: Peer) -> None:
        peer.send(PREAMBLE, frame(GOODBYE, 0))
        peer.until_end()

    with serve(farewell, farewell, farewell) as server:
        with DataServiceClient("127.0.0.1", server.port) as client:
            channel: Any = client._channel
            connection = channel._connected

            def connected(until: float | None) -> Connection:
                return settle(connection(until))

            channel._connected = connected
            with pytest.raises(CreoError) as caught:
                client.total([1.0])
    assert caught.value.code is ErrorCode.UNAVAILABLE
    assert server.connections == 3


def settle(connection: Connection) -> Connection:
    """Waits until the goodbye has arrived."""
    limit = time.monotonic() + 10
    while not connection.draining and time.monotonic() < limit:
        connection._look()
        time.sleep(0.001)
    return connection


@pytest.mark.parametrize("steps", range(6))
def test_a_cancelled_sender_leaves_no_lock_behind(steps: int) -> None:
    """Cancelled at any moment around the lock's coming free, the lock is free afterwards."""

    async def send(lock: asyncio.Lock, answer: asyncio.Future[Any]) -> None:
        await _acquire(lock, answer)
        lock.release()

    async def scenario() -> bool:
        lock = asyncio.Lock()
        await lock.acquire()
        task = asyncio.ensure_future(send(lock, asyncio.get_running_loop().create_future()))
        await asyncio.sleep(0.01)
        lock.release()
        for _ in range(steps):
            await asyncio.sleep(0)
        task.cancel()
        await asyncio.wait([task])
        await asyncio.sleep(0.01)
        return lock.locked()

    assert not asyncio.run(scenario())
