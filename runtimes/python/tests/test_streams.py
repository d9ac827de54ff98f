"""Calls with streams, as a program sees them (``calls.md``, section 5; ``tcp.md``, section 4)."""

from __future__ import annotations

import asyncio
import struct
from typing import Any

import pytest

from creo import Answer, CreoError
from creo.retries import RetryPolicy
from fake import (
    CANCEL,
    CREDIT,
    EXCEPTION,
    GOODBYE,
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
from flow import AsyncFlowClient, FlowClient, Stopped, Tick
from streaming import (
    BOTH,
    add,
    longs,
    played,
    read,
    still_there,
    ticks,
)

# Reading


@BOTH
def test_items_come_in_order_and_then_the_end(asynchronous: bool) -> None:
    def script(peer: Peer) -> None:
        peer.greet()
        request = peer.expect(REQUEST)
        assert (request.milliseconds, request.body) == (0, struct.pack(">i", 5))
        call = request.call
        peer.send(frame(ITEMS, call, longs(0, 1)), frame(ITEMS, call, longs()))
        peer.send(frame(ITEMS, call, longs(2)), frame(ITEMS, call, longs(3, 4)))
        peer.send(frame(RESPONSE, call))
        still_there(peer)

    found = played(asynchronous, script, lambda c: read(c.numbers(5)), add)
    assert found == [[0, 1, 2, 3, 4], 3]


@BOTH
def test_an_exception_and_an_error_come_after_the_items(asynchronous: bool) -> None:
    def script(peer: Peer) -> None:
        peer.greet()
        call = peer.expect(REQUEST).call
        peer.send(frame(ITEMS, call, ticks(0, 1)), frame(EXCEPTION, call, b"\0\0\0\0\2"))
        call = peer.expect(REQUEST).call
        peer.send(frame(ITEMS, call, ticks(0)), error(call, 10, "not you"))

    got: list[Tick] = []
    stopped, denied = played(
        asynchronous, script, lambda c: read(c.ticks(9), got), lambda c: read(c.ticks(9), got)
    )
    assert isinstance(stopped, Stopped) and stopped.after == 2
    assert isinstance(denied, CreoError) and denied.code == "permission-denied"
    assert [tick.number for tick in got] == [0, 1, 0]


@BOTH
def test_reading_on_after_the_end_gives_the_same_end(asynchronous: bool) -> None:
    """CALL-40"""

    def script(peer: Peer) -> None:
        peer.greet()
        call = peer.expect(REQUEST).call
        peer.send(frame(ITEMS, call, longs(7)), frame(RESPONSE, call))
        peer.send(error(peer.expect(REQUEST).call, 10, "not you"))

    with serve(script) as server:
        if asynchronous:

            async def both() -> None:
                async with AsyncFlowClient("127.0.0.1", server.port) as client:
                    good, bad = client.numbers(1), client.numbers(1)
                    assert await good.__anext__() == 7
                    for _ in range(2):
                        with pytest.raises(StopAsyncIteration):
                            await good.__anext__()
                        with pytest.raises(CreoError, match="not you"):
                            await bad.__anext__()

            asyncio.run(both())
            return
        with FlowClient("127.0.0.1", server.port) as client:
            good = client.numbers(1)
            assert next(good) == 7
            assert [next(good, None), next(good, None), list(good)] == [None, None, []]
            bad = client.numbers(1)
            for _ in range(2):
                with pytest.raises(CreoError, match="not you"):
                    next(bad)


@BOTH
def test_what_arrived_is_read_when_the_connection_is_lost(asynchronous: bool) -> None:
    """TCP-36"""

    def script(peer: Peer) -> None:
        peer.greet()
        call = peer.expect(REQUEST).call
        peer.send(frame(ITEMS, call, longs(1, 2)), frame(ITEMS, call, longs(3))[:-1])

    got: list[int] = []
    (lost,) = played(asynchronous, script, lambda c: read(c.numbers(9), got))
    assert isinstance(lost, CreoError) and lost.code == "unavailable"
    assert not lost.not_started
    assert got == [1, 2]


@BOTH
def test_closing_early_cancels_the_call(asynchronous: bool) -> None:
    """CALL-42: and what comes of it later is ignored."""

    def script(peer: Peer) -> None:
        peer.greet()
        call = peer.expect(REQUEST).call
        peer.send(frame(ITEMS, call, longs(1, 2)))
        assert peer.expect(CANCEL).call == call
        peer.send(frame(ITEMS, call, longs(3)), frame(CREDIT, call, b"\0\0\0\1"))
        peer.send(error(call, 6, "cancelled"))
        still_there(peer)

    assert played(asynchronous, script, lambda c: read(c.numbers(9), most=1), add) == [[1], 3]


@BOTH
def test_a_forgotten_stream_is_closed(asynchronous: bool) -> None:
    def script(peer: Peer) -> None:
        peer.greet()
        call = peer.expect(REQUEST).call
        peer.send(frame(ITEMS, call, longs(1, 2)))
        assert peer.expect(CANCEL).call == call
        still_there(peer)

    with serve(script) as server:
        if asynchronous:

            async def forget() -> int:
                async with AsyncFlowClient("127.0.0.1", server.port) as client:
                    async for item in client.numbers(9):
                        assert item == 1
                        break
                    await asyncio.sleep(0)
                    return await client.add(1, 2)

            assert asyncio.run(forget()) == 3
            return
        with FlowClient("127.0.0.1", server.port) as client:
            for item in client.numbers(9):
                assert item == 1
                break
            assert client.add(1, 2) == 3


@BOTH
def test_a_broken_item_ends_the_call_and_nothing_else(asynchronous: bool) -> None:
    """TCP-34: frames before it are read."""

    def script(peer: Peer) -> None:
        peer.greet()
        call = peer.expect(REQUEST).call
        peer.send(frame(ITEMS, call, ticks(0)), frame(ITEMS, call, b"\1" + ticks(1)[1:-1]))
        assert peer.expect(CANCEL).call == call
        still_there(peer)

    got: list[Tick] = []
    broken, three = played(asynchronous, script, lambda c: read(c.ticks(9), got), add)
    assert isinstance(broken, CreoError) and broken.code == "malformed"
    assert broken.place is not None and broken.place.startswith("$items[0].values")
    assert ([tick.number for tick in got], three) == ([0], 3)


@BOTH
@pytest.mark.parametrize(
    ("kind", "rest", "flags", "why"),
    [
        (ITEMS, longs(1), 8, "flags 08"),
        (ITEMS, b"", 0, "length 6"),
        (CREDIT, b"\0\0\1", 0, "length 9"),
        (CREDIT, b"\0\0\0\0", 0, "credit of 0"),
        (CREDIT, b"\x80\0\0\0", 0, "credit of"),
        (CREDIT, b"\x7f\xff\xff\xff", 0, "credit of"),
    ],
)
def test_frames_that_break_the_protocol(
    asynchronous: bool, kind: int, rest: bytes, flags: int, why: str
) -> None:
    """TCP-5, TCP-33"""

    def script(peer: Peer) -> None:
        peer.greet()
        call = peer.expect(REQUEST).call
        peer.send(frame(ITEMS, call, longs(1)), frame(kind, call, rest, flags))
        peer.until_end()

    got: list[int] = []
    (ended,) = played(asynchronous, script, lambda c: read(c.numbers(9), got))
    assert isinstance(ended, CreoError) and ended.code == "malformed"
    assert why in ended.message and got == [1]


@BOTH
def test_items_within_a_chain(asynchronous: bool) -> None:
    """TCP-6"""

    def script(peer: Peer) -> None:
        peer.greet()
        call = peer.expect(REQUEST).call
        peer.send(frame(RESPONSE, call, b"", 1), frame(ITEMS, call, longs(1)))
        peer.until_end()

    (ended,) = played(asynchronous, script, lambda c: read(c.numbers(9)))
    assert isinstance(ended, CreoError) and ended.code == "malformed"


@BOTH
def test_the_reader_gives_credit_as_the_program_takes_items(asynchronous: bool) -> None:
    """TCP-32, LIM-38: credit is counted, and a reader that stops gives none."""
    block = struct.pack(">d", 0.0) * 8_000
    content = b"\1" + b"\xc0\x3e" + block
    window = 1 << 20
    taken: list[int] = []

    def script(peer: Peer) -> None:
        peer.greet()
        call = peer.expect(REQUEST).call
        sent, credit = 0, 262_144
        while sent < 50:
            while credit > 0:
                peer.send(frame(ITEMS, call, content))
                credit -= len(content)
                sent += 1
            one = peer.expect(CREDIT)
            credit += int.from_bytes(one.rest, "big")
            # What was not taken, and what may come, are within the window and a frame.
            assert credit <= window + len(content)
        peer.send(frame(RESPONSE, call))
        peer.until_end()

    (found,) = played(
        asynchronous, script, lambda c: read(c.blocks(9), each=lambda item: taken.append(len(item)))
    )
    assert len(found) >= 50 and set(taken) == {8_000}


@BOTH
def test_items_where_the_method_has_no_stream(asynchronous: bool) -> None:
    def script(peer: Peer) -> None:
        peer.greet()
        call = peer.expect(REQUEST).call
        peer.send(frame(ITEMS, call, longs(1)))
        peer.until_end()

    def sums(client: Any) -> Any:
        return client.sum([])

    for call in (sums, add):
        (ended,) = played(asynchronous, script, call)
        assert isinstance(ended, CreoError) and ended.code == "malformed", ended


@BOTH
def test_items_after_the_end_are_ignored(asynchronous: bool) -> None:
    def script(peer: Peer) -> None:
        peer.greet()
        call = peer.expect(REQUEST).call
        peer.send(frame(RESPONSE, call), frame(ITEMS, call, longs(1)))
        still_there(peer)

    assert played(asynchronous, script, lambda c: read(c.numbers(9)), add) == [[], 3]


@BOTH
def test_a_result_in_the_answer_of_a_stream_is_malformed(asynchronous: bool) -> None:
    def script(peer: Peer) -> None:
        peer.greet()
        peer.send(frame(RESPONSE, peer.expect(REQUEST).call, b"\0"))

    (ended,) = played(asynchronous, script, lambda c: read(c.numbers(9)))
    assert isinstance(ended, CreoError) and (ended.code, ended.place) == ("malformed", "$result")


@BOTH
def test_a_deadline_ends_a_stream(asynchronous: bool) -> None:
    """On a slow machine the first may be over before it was sent."""

    def script(peer: Peer) -> None:
        peer.greet()
        while (request := peer.expect(REQUEST)).milliseconds <= 2000:
            peer.send(frame(ITEMS, request.call, longs(1)))
            assert peer.expect(CANCEL).call == request.call
        peer.send(frame(RESPONSE, request.call, struct.pack(">q", 3)))

    got: list[list[int]] = [[], []]
    *all_late, three = played(
        asynchronous,
        script,
        lambda c: read(c.with_options(deadline=0.1).numbers(9), got[0]),
        lambda c: read(c.with_options(deadline=2).numbers(9), got[1]),
        add,
    )
    for late in all_late:
        assert isinstance(late, CreoError) and late.code == "deadline-exceeded"
    assert [1] in got and three == 3


@BOTH
def test_pings_are_answered_while_a_stream_is_read(asynchronous: bool) -> None:
    def script(peer: Peer) -> None:
        peer.greet()
        call = peer.expect(REQUEST).call
        peer.send(frame(PING, 9))
        assert peer.expect(PONG).call == 9
        peer.send(frame(RESPONSE, call))

    assert played(asynchronous, script, lambda c: read(c.numbers(9))) == [[]]


@BOTH
def test_a_stream_goes_on_while_the_server_drains(asynchronous: bool) -> None:
    def script(peer: Peer) -> None:
        peer.greet()
        call = peer.expect(REQUEST).call
        peer.send(frame(GOODBYE, 0), frame(ITEMS, call, longs(1)))
        peer.send(frame(ITEMS, call, longs(2)), frame(RESPONSE, call))
        assert peer.until_end() == []

    assert played(asynchronous, script, lambda c: read(c.numbers(9))) == [[1, 2]]


@BOTH
def test_the_answer_and_its_metadata_come_at_the_end(asynchronous: bool) -> None:
    """CALL-4, CALL-43"""

    def script(peer: Peer) -> None:
        peer.greet()
        call = peer.expect(REQUEST).call
        peer.send(frame(ITEMS, call, longs(1)), frame(RESPONSE, call, b"\1\1a\1b", 4))

    answers: list[Answer] = []
    seen: list[int] = []

    def noted(client: Any) -> Any:
        stream = client.with_options(on_answer=answers.append).numbers(9)
        return read(stream, each=lambda _: seen.append(len(answers)))

    assert played(asynchronous, script, noted) == [[1]]
    assert seen == [0]
    assert [dict(answer.metadata) for answer in answers] == [{"a": "b"}]


@BOTH
def test_a_retry_policy_does_not_repeat_it(asynchronous: bool) -> None:
    """CALL-45"""

    def script(peer: Peer) -> None:
        peer.greet()
        peer.send(error(peer.expect(REQUEST).call, 7, "busy", {"started": "no"}))
        peer.send(error(peer.expect(REQUEST).call, 7, "busy", {"started": "no"}))

    policy = RetryPolicy(base_delay=0.0)
    found = played(
        asynchronous,
        script,
        lambda c: read(c.numbers(9)),
        lambda c: c.sum([1]),
        retry=policy,
    )
    for ended in found:
        assert isinstance(ended, CreoError) and ended.code == "unavailable"
        assert "attempts" not in ended.details
