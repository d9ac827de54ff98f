"""What else a program sees of calls with streams: interceptors, addresses, threads, other wires."""

from __future__ import annotations

import asyncio
import struct
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest

from creo import Cancellation, CreoError, Outcome, OutgoingCall
from creo.aio import AsyncChannel
from creo.balance import AsyncBalancedChannel, BalancedChannel
from creo.json import AsyncJsonChannel, JsonChannel
from creo.soap import AsyncSoapChannel, SoapChannel
from creo.tcp import Channel
from creo.tdxml import AsyncTdxmlChannel, TdxmlChannel
from fake import (
    CANCEL,
    EXCEPTION,
    ITEMS,
    PING,
    PONG,
    REQUEST,
    RESPONSE,
    Peer,
    error,
    frame,
    serve,
)
from flow import AsyncFlowClient, FlowClient, Point, Stopped, Tick
from streaming import BOTH, END, ends, longs, made, read, ticks, write


class Seen:
    """Notes what it is told."""

    def __init__(self) -> None:
        self.began: list[str] = []
        self.outcomes: list[Outcome] = []

    def begin(self, call: OutgoingCall) -> Callable[[Outcome], None]:
        assert call.options.deadline is None
        self.began.append(str(call))
        return self.outcomes.append


# Interceptors


@BOTH
def test_interceptors_see_one_beginning_and_the_end_of_the_stream(asynchronous: bool) -> None:
    """CALL-43, CALL-15"""

    def script(peer: Peer) -> None:
        peer.greet()
        call = peer.expect(REQUEST).call
        peer.send(frame(ITEMS, call, longs(1)), frame(RESPONSE, call, b"\1\1a\1b", 4))
        call = peer.expect(REQUEST).call
        peer.send(frame(ITEMS, call, ticks(1)), frame(EXCEPTION, call, b"\0\0\0\0\1"))
        call = peer.expect(REQUEST).call
        peer.send(frame(ITEMS, call, longs(1)))
        assert peer.expect(CANCEL).call == call
        call = peer.expect(REQUEST).call
        write(peer, call)
        peer.send(error(call, 10, "not you"))

    seen = Seen()
    during: list[int] = []
    with serve(script) as server:
        ends(
            made(asynchronous, server.port, interceptors=[seen]),
            lambda c: read(c.numbers(1), each=lambda _: during.append(len(seen.outcomes))),
            lambda c: read(c.ticks(1)),
            lambda c: read(c.numbers(1), most=1),
            lambda c: c.sum([1]),
        )
        peer = f"127.0.0.1:{server.port}"
    assert during == [0]
    assert seen.began == [
        "flow.Flow.numbers",
        "flow.Flow.ticks",
        "flow.Flow.numbers",
        "flow.Flow.sum",
    ]
    first, second, third, fourth = seen.outcomes
    assert first.error is None and first.answer is not None and first.peer == peer
    assert dict(first.answer.metadata) == {"a": "b"}
    assert isinstance(second.error, Stopped)
    assert third.code == "cancelled" and third.answer is None
    assert fourth.code == "permission-denied"


@BOTH
def test_an_interceptor_may_set_a_deadline_and_refuse(asynchronous: bool) -> None:
    class Hurries:
        def begin(self, call: OutgoingCall) -> None:
            call.options = replace(call.options, deadline=0.1)

    class Refuses:
        def begin(self, call: OutgoingCall) -> None:
            raise CreoError("permission-denied", "not today")

    closed: list[int] = []

    def source() -> Iterator[int]:
        try:
            yield 1
        finally:
            closed.append(1)

    def script(peer: Peer) -> None:
        peer.greet()
        request = peer.expect(REQUEST)
        assert 0 < request.milliseconds <= 100
        assert peer.expect(CANCEL).call == request.call

    with serve(script) as server:
        (late,) = ends(
            made(asynchronous, server.port, interceptors=[Hurries()]), lambda c: read(c.numbers(1))
        )
        refused = ends(
            made(asynchronous, server.port, interceptors=[Refuses()]),
            lambda c: read(c.numbers(1)) if asynchronous else c.numbers(1),
            lambda c: c.sum(source()),
        )
    assert late.code == "deadline-exceeded"
    assert [ended.code for ended in refused] == ["permission-denied"] * 2
    assert not closed, "a generator that was not started has nothing to close"


# Ends from outside


def test_a_cancellation_ends_a_blocking_stream() -> None:
    arrived = threading.Event()

    def script(peer: Peer) -> None:
        peer.greet()
        call = peer.expect(REQUEST).call
        peer.send(frame(ITEMS, call, longs(1)))
        arrived.wait(10)
        cancellation.cancel()
        assert peer.expect(CANCEL).call == call

    cancellation = Cancellation()
    with serve(script) as server:
        with made(False, server.port, cancellation=cancellation) as client:
            stream = client.numbers(9)
            assert next(stream) == 1
            arrived.set()
            with pytest.raises(CreoError) as caught:
                next(stream)
    assert caught.value.code == "cancelled"


def test_another_thread_closes_a_stream_that_is_read() -> None:
    reading = threading.Event()

    def script(peer: Peer) -> None:
        peer.greet()
        call = peer.expect(REQUEST).call
        reading.set()
        assert peer.expect(CANCEL).call == call

    with serve(script) as server, made(False, server.port) as client:
        stream = client.numbers(9)

        def close() -> None:
            reading.wait(10)
            stream.close()

        closing = threading.Thread(target=close)
        closing.start()
        with pytest.raises(CreoError) as caught:
            next(stream)
        closing.join()
    assert caught.value.code == "cancelled"


@BOTH
def test_closing_the_client_ends_its_streams(asynchronous: bool) -> None:
    def script(peer: Peer) -> None:
        peer.greet()
        call = peer.expect(REQUEST).call
        peer.send(frame(ITEMS, call, longs(1)))
        peer.until_end()

    with serve(script) as server:
        client = made(asynchronous, server.port)
        if asynchronous:

            async def end() -> None:
                stream = client.numbers(9)
                assert await stream.__anext__() == 1
                await client.close()
                with pytest.raises(CreoError) as caught:
                    await stream.__anext__()
                assert caught.value.code == "cancelled"

            asyncio.run(end())
        else:
            stream = client.numbers(9)
            assert next(stream) == 1
            client.close()
            with pytest.raises(CreoError) as caught:
                next(stream)
            assert caught.value.code == "cancelled"


def test_a_cancelled_task_cancels_the_call() -> None:
    def script(peer: Peer) -> None:
        peer.greet()
        call = peer.expect(REQUEST).call
        peer.send(frame(ITEMS, call, longs(1)))
        assert peer.expect(CANCEL).call == call
        call = peer.expect(REQUEST).call
        write(peer, call)
        assert peer.expect(CANCEL).call == call

    async def run(port: int) -> None:
        async with AsyncFlowClient("127.0.0.1", port) as client:
            came = asyncio.Event()

            async def reading() -> None:
                async for _ in client.numbers(9):
                    came.set()

            async def source() -> AsyncIterator[int]:
                yield 1
                came.set()
                await asyncio.Event().wait()

            for work in (reading(), client.sum(source())):
                task = asyncio.ensure_future(work)
                await came.wait()
                came.clear()
                task.cancel()
                with pytest.raises(asyncio.CancelledError):
                    await task

    with serve(script) as server:
        asyncio.run(run(server.port))


@BOTH
def test_a_dead_server_ends_a_writer_that_waits_for_credit(asynchronous: bool) -> None:
    def script(peer: Peer) -> None:
        peer.greet()
        peer.expect(REQUEST)
        size = 0
        while size < 262_144:
            size += len(peer.expect(ITEMS).rest)

    with serve(script) as server:
        (ended,) = ends(made(asynchronous, server.port), lambda c: c.sum(list(range(1_000_000))))
    assert isinstance(ended, CreoError) and ended.code == "unavailable"


@BOTH
def test_a_deadline_ends_a_writer_that_waits_for_credit(asynchronous: bool) -> None:
    def script(peer: Peer) -> None:
        peer.greet()
        peer.expect(REQUEST)
        assert peer.until_end()[-1].kind == CANCEL

    with serve(script) as server:
        (ended,) = ends(
            made(asynchronous, server.port, deadline=1), lambda c: c.sum(list(range(1_000_000)))
        )
    assert isinstance(ended, CreoError) and ended.code == "deadline-exceeded"


def test_other_calls_go_on_while_a_stream_is_not_read() -> None:
    """Several threads share the connection."""

    def script(peer: Peer) -> None:
        peer.greet()
        call = peer.expect(REQUEST).call
        peer.send(*[frame(ITEMS, call, longs(n)) for n in range(100)])
        request = peer.expect(REQUEST)
        peer.send(frame(RESPONSE, request.call, struct.pack(">q", 3)), frame(RESPONSE, call))

    with serve(script) as server, FlowClient("127.0.0.1", server.port) as client:
        stream = client.numbers(100)
        assert next(stream) == 0
        assert client.add(1, 2) == 3
        assert list(stream) == list(range(1, 100))


def test_the_server_is_answered_while_the_program_is_busy() -> None:
    """Its pings are, and it is rid of the items for which it has credit."""
    answered = threading.Event()

    def script(peer: Peer) -> None:
        peer.greet()
        call = peer.expect(REQUEST).call
        peer.send(frame(ITEMS, call, longs(0)))
        numbers = longs(*range(8_000))
        peer.send(*[frame(ITEMS, call, numbers)] * 4, frame(PING, 7))
        assert peer.expect(PONG).call == 7
        answered.set()
        peer.send(frame(RESPONSE, call))

    with serve(script) as server, FlowClient("127.0.0.1", server.port) as client:
        stream = client.numbers(1)
        assert next(stream) == 0
        assert answered.wait(30)
        assert sum(1 for _ in stream) == 4 * 8_000


def test_many_streams_in_many_threads() -> None:
    def script(peer: Peer) -> None:
        peer.greet()
        for _ in range(20):
            call = peer.expect(REQUEST).call
            for n in range(50):
                peer.send(frame(ITEMS, call, longs(n)))
            peer.send(frame(RESPONSE, call))

    found: list[list[int]] = []
    with serve(script) as server, FlowClient("127.0.0.1", server.port) as client:
        threads = [
            threading.Thread(target=lambda: found.append(list(client.numbers(50))))
            for _ in range(20)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert found == [list(range(50))] * 20


# Kinds of items


@BOTH
@pytest.mark.parametrize(
    ("method", "sent", "wire", "given"),
    [
        ("bytes_", [1, -1, 127, -128], b"\4\1\xff\x7f\x80", [1, -1, 127, -128]),
        ("bytes_", b"\1\xff", b"\2\1\xff", [1, -1]),
        ("letters", ["a", "é", "€"], b"\3\0a\0\xe9\x20\xac", ["a", "é", "€"]),
        (
            "points",
            [Point(1.0, 2.0), Point(3.0, 4.0)],
            b"\2" + struct.pack(">4d", 1, 2, 3, 4),
            [Point(1.0, 2.0), Point(3.0, 4.0)],
        ),
    ],
)
def test_items_of_each_kind(
    asynchronous: bool, method: str, sent: Any, wire: bytes, given: list[Any]
) -> None:
    def script(peer: Peer) -> None:
        peer.greet()
        for one_by_one in (False, True):
            call = peer.expect(REQUEST).call
            if one_by_one:
                frames = [peer.expect(ITEMS) for _ in given]
                assert b"".join(one.rest[1:] for one in frames) == wire[1:]
                last = peer.expect(ITEMS)
                assert (last.rest, last.flags) == (b"\0", END)
            else:
                one = peer.expect(ITEMS)
                assert (one.rest, one.flags) == (wire, END)
            peer.send(frame(ITEMS, call, wire), frame(RESPONSE, call))

    with serve(script) as server:
        found = ends(
            made(asynchronous, server.port),
            lambda c: read(getattr(c, method)(sent)),
            lambda c: read(getattr(c, method)(iter(given))),
        )
    assert found == [given, given]


@BOTH
def test_blocks_are_arrays_as_elsewhere(asynchronous: bool) -> None:
    def script(peer: Peer) -> None:
        peer.greet()
        call = peer.expect(REQUEST).call
        peer.send(frame(ITEMS, call, b"\2\1" + struct.pack(">d", 1.5) + b"\0"))
        peer.send(frame(RESPONSE, call))

    with serve(script) as server:
        (found,) = ends(made(asynchronous, server.port), lambda c: read(c.blocks(2)))
    assert [block.typecode for block in found] == ["d", "d"]
    assert found == [[1.5], []]


# Addresses


def balanced(asynchronous: bool, *ports: int) -> Any:
    addresses = [str(port) for port in ports]
    if asynchronous:
        return AsyncFlowClient.over(
            AsyncBalancedChannel(addresses, lambda text: AsyncChannel("127.0.0.1", int(text)))
        )
    return FlowClient.over(BalancedChannel(addresses, lambda text: Channel("127.0.0.1", int(text))))


@BOTH
def test_another_address_is_tried_as_long_as_nothing_was_taken(asynchronous: bool) -> None:
    """CALL-45, CALL-32"""

    def drains(peer: Peer) -> None:
        peer.greet()
        while True:
            request = peer.receive()
            if request is None:
                return
            if request.kind == REQUEST:
                peer.send(error(request.call, 7, "draining", {"started": "no"}))

    def gives(peer: Peer) -> None:
        peer.greet()
        while True:
            request = peer.receive()
            if request is None:
                return
            peer.send(frame(ITEMS, request.call, longs(1, 2)), frame(RESPONSE, request.call))

    with serve(drains) as first, serve(gives) as second:
        client = balanced(asynchronous, first.port, second.port)

        def numbers(client: Any) -> Any:
            return read(client.numbers(2))

        assert ends(client, numbers, numbers, numbers, numbers) == [[1, 2]] * 4


@BOTH
def test_no_other_address_is_tried_when_an_item_was_taken(asynchronous: bool) -> None:
    taken: list[int] = []

    def source() -> Iterator[int]:
        for number in range(3):
            taken.append(number)
            yield number

    def drains(peer: Peer) -> None:
        peer.greet()
        call = peer.expect(REQUEST).call
        write(peer, call)
        peer.send(error(call, 7, "draining", {"started": "no"}))
        peer.until_end()

    with serve(drains) as first, serve(drains) as second:
        client = balanced(asynchronous, first.port, second.port)
        (ended,) = ends(client, lambda c: c.sum(source()))
        assert first.connections + second.connections == 1
    assert isinstance(ended, CreoError) and ended.code == "unavailable"


@BOTH
def test_a_stream_counts_until_its_end_for_the_choice_of_addresses(asynchronous: bool) -> None:
    """CALL-43, CALL-31"""

    def gives(peer: Peer) -> None:
        peer.greet()
        while True:
            request = peer.receive()
            if request is None:
                return
            if request.kind == REQUEST:
                peer.send(frame(ITEMS, request.call, longs(1)))

    with serve(gives) as first, serve(gives) as second:
        addresses = [str(first.port), str(second.port)]
        calls: list[int] = []
        if asynchronous:

            async def run() -> None:
                channel: Any = AsyncBalancedChannel(
                    addresses,
                    lambda text: AsyncChannel("127.0.0.1", int(text)),
                    rule="least-outstanding",
                )
                async with channel:
                    client = AsyncFlowClient.over(channel)
                    async with client.numbers(1) as one, client.numbers(1) as two:
                        assert [await one.__anext__(), await two.__anext__()] == [1, 1]
                        calls.extend(place.calls for place in channel._balancer._places)
                    calls.extend(place.calls for place in channel._balancer._places)

            asyncio.run(run())
        else:
            channel: Any = BalancedChannel(
                addresses,
                lambda text: Channel("127.0.0.1", int(text)),
                rule="least-outstanding",
            )
            with channel:
                client = FlowClient.over(channel)
                with client.numbers(1) as one, client.numbers(1) as two:
                    assert [next(one), next(two)] == [1, 1]
                    calls.extend(place.calls for place in channel._balancer._places)
                calls.extend(place.calls for place in channel._balancer._places)
    assert calls == [1, 1, 0, 0]


# Other wires


@BOTH
@pytest.mark.parametrize("wire", ["tcp", "json", "soap", "tdxml", "balanced"])
def test_other_wires_carry_no_streams(asynchronous: bool, wire: str) -> None:
    """CALL-47: nothing listens there, and nothing is sent. JSON carries a single stream."""
    url = "http://127.0.0.1:1/"
    made: dict[str, Callable[[], Any]] = {
        "tcp": lambda: Channel("127.0.0.1", 1, wire="tdxml"),
        "json": lambda: JsonChannel(url),
        "soap": lambda: SoapChannel(url),
        "tdxml": lambda: TdxmlChannel(url),
        "balanced": lambda: BalancedChannel(["a"], lambda _: SoapChannel(url)),
    }
    made_async: dict[str, Callable[[], Any]] = {
        "tcp": lambda: AsyncChannel("127.0.0.1", 1, wire="tdxml"),
        "json": lambda: AsyncJsonChannel(url),
        "soap": lambda: AsyncSoapChannel(url),
        "tdxml": lambda: AsyncTdxmlChannel(url),
        "balanced": lambda: AsyncBalancedChannel(["a"], lambda _: AsyncSoapChannel(url)),
    }
    cls: Any = AsyncFlowClient if asynchronous else FlowClient
    client = cls.over((made_async if asynchronous else made)[wire]())
    both: list[Callable[[Any], Any]] = [lambda c: read(c.talk([Tick(1, "", [])]))]
    single: list[Callable[[Any], Any]] = [lambda c: read(c.numbers(1)), lambda c: c.sum([1])]
    for ended in ends(client, *both, *([] if wire == "json" else single)):
        assert (ended.code, ended.not_started) == ("unknown-method", True)
        assert "streams" in ended.message and "binary wire" in ended.message
