"""Items that a program sends (``calls.md``, section 5; ``tcp.md``, section 4)."""

from __future__ import annotations

import asyncio
import struct
import threading
from collections.abc import AsyncIterator, Iterable, Iterator
from typing import Any

from creo import CreoError
from fake import (
    CANCEL,
    CREDIT,
    EXCEPTION,
    ITEMS,
    PING,
    PONG,
    REQUEST,
    RESPONSE,
    Frame,
    Peer,
    frame,
    text,
)
from flow import AsyncFlowClient, Stopped, Tick
from streaming import (
    BOTH,
    END,
    add,
    content,
    numbers_of,
    played,
    read,
    still_there,
    ticks,
    write,
)

# Writing


@BOTH
def test_a_list_goes_in_few_frames_and_ends_with_the_last(asynchronous: bool) -> None:
    def script(peer: Peer) -> None:
        peer.greet()
        request = peer.expect(REQUEST)
        assert request.body == b""
        found, frames = numbers_of(peer, request.call)
        assert found == list(range(50_000))
        assert len(frames) < 12 and max(map(len, frames)) <= 65_536
        peer.send(frame(RESPONSE, request.call, struct.pack(">q", sum(found))))

    assert played(asynchronous, script, lambda c: c.sum(list(range(50_000)))) == [1_249_975_000]


@BOTH
def test_the_items_of_an_iterator_are_not_kept_back(asynchronous: bool) -> None:
    """Each is sent before the next is taken, which is taken only when there is credit."""
    arrived: list[int] = []

    def script(peer: Peer) -> None:
        peer.greet()
        call = peer.expect(REQUEST).call
        last = False
        while not last:
            found, last = write(peer, call)
            arrived.extend(found)
        peer.send(frame(RESPONSE, call, struct.pack(">q", sum(arrived))))

    def lockstep() -> Iterator[int]:
        for number in range(20):
            yield number
            while len(arrived) <= number:
                pass

    async def awaited() -> AsyncIterator[int]:
        for number in lockstep():
            yield number
            await asyncio.sleep(0)

    assert played(asynchronous, script, lambda c: c.sum(lockstep())) == [190]
    if asynchronous:
        arrived.clear()
        assert played(asynchronous, script, lambda c: c.sum(awaited())) == [190]


@BOTH
def test_items_that_an_iterator_gives_while_others_are_sent_share_a_frame(
    asynchronous: bool,
) -> None:
    total = 20_000

    def script(peer: Peer) -> None:
        peer.greet()
        request = peer.expect(REQUEST)
        found, frames = numbers_of(peer, request.call)
        assert found == list(range(total))
        assert max(map(len, frames)) <= 65_536
        if not asynchronous:
            assert len(frames) < total // 4
        peer.send(frame(RESPONSE, request.call, struct.pack(">q", 1)))

    assert played(asynchronous, script, lambda c: c.sum(iter(range(total)))) == [1]


@BOTH
def test_a_large_item_goes_alone(asynchronous: bool) -> None:
    large: list[Tick] = [Tick(i, "", [0.0] * 20_000) for i in range(3)]

    def script(peer: Peer) -> None:
        peer.greet()
        request = peer.expect(REQUEST)
        assert request.body == text("lab")
        for tick in large:
            one = peer.expect(ITEMS)
            assert len(one.rest) > 160_000
            assert one.flags == (END if tick is large[-1] else 0)
            peer.send(frame(CREDIT, request.call, struct.pack(">I", len(one.rest))))
        peer.send(frame(RESPONSE, request.call))

    assert played(asynchronous, script, lambda c: c.put("lab", large)) == [None]


def test_large_items_of_an_iterator_are_sent_by_the_thread_that_takes_them() -> None:
    total = 40
    takers: set[str] = set()
    before = {thread.ident for thread in threading.enumerate()}

    def script(peer: Peer) -> None:
        peer.greet()
        request = peer.expect(REQUEST)
        one = peer.expect(ITEMS)
        while one.flags != END:
            peer.send(frame(CREDIT, request.call, struct.pack(">I", len(one.rest))))
            one = peer.expect(ITEMS)
        peer.send(frame(RESPONSE, request.call))

    def items() -> Iterator[Tick]:
        for i in range(total):
            new = (t for t in threading.enumerate() if t.ident not in before)
            takers.update(t.name for t in new if t.name == "creo items")
            yield Tick(i, "", [0.0] * 5_000)

    assert played(False, script, lambda c: c.put("lab", items())) == [None]
    assert takers == set()


@BOTH
def test_the_writer_waits_for_credit(asynchronous: bool) -> None:
    """TCP-32: it takes no item before it may send it."""
    taken: list[int] = []

    def source() -> Iterator[int]:
        for number in range(1 << 62):
            taken.append(number)
            yield number

    def script(peer: Peer) -> None:
        peer.greet()
        call = peer.expect(REQUEST).call
        size = got = 0
        while size < 262_144:
            one = peer.expect(ITEMS)
            size += len(one.rest)
            got += len(content(one.rest))
        # The credit is below 0: one byte more than that lets one item in.
        over = size - 262_144
        peer.send(frame(PING, 1))
        assert peer.expect(PONG).call == 1
        # It may have taken some, less than a frame, before it knew.
        assert got <= len(taken) <= got + 65_536 // 8
        peer.send(frame(CREDIT, call, struct.pack(">I", over + 1)))
        one = peer.expect(ITEMS)
        assert content(one.rest)[0] == got
        peer.send(frame(RESPONSE, call, struct.pack(">q", 5)))
        still_there(peer)

    assert played(asynchronous, script, lambda c: c.sum(source()), add) == [5, 3]


@BOTH
def test_a_source_that_fails_cancels_the_call(asynchronous: bool) -> None:
    """CALL-41"""
    closed: list[int] = []

    def source() -> Iterator[int]:
        try:
            yield 1
            raise KeyError("mine")
        finally:
            closed.append(1)

    def script(peer: Peer) -> None:
        peer.greet()
        call = peer.expect(REQUEST).call
        assert write(peer, call) == ([1], False)
        assert peer.expect(CANCEL).call == call
        still_there(peer)

    failed, three = played(asynchronous, script, lambda c: c.sum(source()), add)
    assert isinstance(failed, KeyError) and failed.args == ("mine",)
    assert (closed, three) == ([1], 3)


@BOTH
def test_an_item_that_cannot_be_written(asynchronous: bool) -> None:
    def script(peer: Peer) -> None:
        peer.greet()
        call = peer.expect(REQUEST).call
        assert peer.expect(CANCEL).call == call
        still_there(peer)

    wrong: Any = [1, 2, "three"]
    failed, three = played(asynchronous, script, lambda c: c.sum(wrong), add)
    assert isinstance(failed, CreoError) and failed.code == "invalid-value"
    assert (failed.place, three) == ("$items[2]", 3)


@BOTH
def test_the_rest_is_not_taken_when_the_answer_came(asynchronous: bool) -> None:
    closed: list[int] = []

    def source() -> Iterator[int]:
        try:
            for number in range(1 << 62):
                closed.append(number)
                yield number
        finally:
            closed.append(-1)

    def script(peer: Peer) -> None:
        peer.greet()
        call = peer.expect(REQUEST).call
        write(peer, call)
        peer.send(frame(EXCEPTION, call, b"\0\0\0\0\1"))
        while True:
            one = peer.receive()
            assert one is not None
            if one.kind == REQUEST:
                break
        peer.send(frame(RESPONSE, one.call, struct.pack(">q", 3)))

    stopped, three = played(asynchronous, script, lambda c: c.sum(source()), add)
    assert isinstance(stopped, Stopped) and stopped.after == 1
    assert closed[-1] == -1 and three == 3


def test_an_asynchronous_source_that_waits_is_cancelled() -> None:
    """CALL-41, CALL-42: it waits forever, and the answer comes."""
    told: list[str] = []

    async def source() -> AsyncIterator[int]:
        try:
            yield 1
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            told.append("cancelled")
            raise
        finally:
            told.append("closed")

    def script(peer: Peer) -> None:
        peer.greet()
        call = peer.expect(REQUEST).call
        assert write(peer, call) == ([1], False)
        peer.send(frame(RESPONSE, call, struct.pack(">q", 1)))
        still_there(peer)

    assert played(True, script, lambda c: c.sum(source()), add) == [1, 3]
    assert told[-1] == "closed"


def test_items_of_an_asynchronous_source_that_are_there_are_gathered() -> None:
    async def source() -> AsyncIterator[int]:
        for number in range(40):
            if number == 20:
                await asyncio.sleep(0)
            yield number

    frames: list[list[int]] = []

    def script(peer: Peer) -> None:
        peer.greet()
        call = peer.expect(REQUEST).call
        last = False
        while not last:
            found, last = write(peer, call)
            frames.append(found)
        peer.send(frame(RESPONSE, call, struct.pack(">q", 0)))

    assert played(True, script, lambda c: c.sum(source())) == [0]
    assert [number for found in frames for number in found] == list(range(40))
    assert frames[0] == list(range(16)) and frames[1] == list(range(16, 20))


# Both


@BOTH
def test_talk_in_lockstep(asynchronous: bool) -> None:
    def script(peer: Peer) -> None:
        peer.greet()
        call = peer.expect(REQUEST).call
        for number in range(50):
            one = peer.expect(ITEMS)
            assert one.rest == ticks(number)
            peer.send(frame(ITEMS, call, ticks(2 * number)))
        assert peer.expect(ITEMS)[1:] == (END, call, b"\0")
        peer.send(frame(RESPONSE, call))
        still_there(peer)

    assert played(asynchronous, script, talked, add) == [[2 * n for n in range(50)], 3]


def talked(client: Any) -> Any:
    """Each tick is written after the answer to the one before was read."""
    import queue

    answers: list[int] = []

    def note(tick: Tick) -> None:
        answers.append(tick.number)

    if isinstance(client, AsyncFlowClient):
        came = asyncio.Event()

        async def asks() -> AsyncIterator[Tick]:
            for number in range(50):
                yield Tick(number, f"tick {number}", [number, number + 0.5])
                await came.wait()
                came.clear()

        async def both() -> list[int]:
            async for tick in client.talk(asks()):
                note(tick)
                came.set()
            return answers

        return both()
    tokens: queue.Queue[int] = queue.Queue()

    def asked() -> Iterator[Tick]:
        for number in range(50):
            yield Tick(number, f"tick {number}", [number, number + 0.5])
            tokens.get()

    for tick in client.talk(asked()):
        note(tick)
        tokens.put(1)
    return answers


@BOTH
def test_a_source_that_fails_while_answers_are_read(asynchronous: bool) -> None:
    def script(peer: Peer) -> None:
        peer.greet()
        call = peer.expect(REQUEST).call
        peer.expect(ITEMS)
        assert peer.expect(CANCEL).call == call
        still_there(peer)

    def asks() -> Iterator[Tick]:
        yield Tick(1, "", [])
        raise KeyError("mine")

    failed, three = played(asynchronous, script, lambda c: read(c.talk(asks())), add)
    assert isinstance(failed, KeyError) and three == 3


@BOTH
def test_closing_a_talk_ends_its_source(asynchronous: bool) -> None:
    def script(peer: Peer) -> None:
        peer.greet()
        call = peer.expect(REQUEST).call
        peer.expect(ITEMS)
        peer.send(frame(ITEMS, call, ticks(2)))
        others: list[Frame] = []
        while len(others) < 2:
            one = peer.receive()
            assert one is not None
            if one.kind != ITEMS:
                others.append(one)
        # The thread that sends may hold up the cancel until the next request was sent.
        request, cancel = sorted(others)
        assert (cancel.kind, cancel.call) == (CANCEL, call)
        peer.send(frame(RESPONSE, request.call, struct.pack(">q", 3)))

    def asks() -> Iterable[Tick]:
        number = 0
        while True:
            yield Tick(number, "", [])
            number += 1

    (found, three) = played(asynchronous, script, lambda c: read(c.talk(asks()), most=1), add)
    assert (len(found), three) == (1, 3)
