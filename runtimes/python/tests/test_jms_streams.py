"""Streams over JMS, against a broker by hand (``jms.md``, section 8)."""

# pyright: reportPrivateUsage=false
from __future__ import annotations

import asyncio
import gc
import struct
import threading
import time
from typing import Any, Callable

import pytest

pytest.importorskip("proton", reason="python-qpid-proton is not installed")

from proton import Condition, Message

from creo import Answer, CallOptions, Cancellation, CreoError, ErrorCode, Limits
from creo._jms import JmsRequest
from creo._jms.message import read_message
from creo._jms.streams import ItemsCall
from creo.jms import AsyncJmsChannel, JmsBroker, JmsChannel
from fake_amqp import Broker, Side, properties_of, serve
from flow import AsyncFlowClient, FlowClient, Stopped
from jms_calls import Respond, binary
from streaming import BOTH, add, count, ends, longs, read, ticks

RUN = "00112233445566ff"
OTHER = "ffeeddccbbaa9988"
WINDOW = 1_048_576
"""LIM-38"""


def items(body: bytes, number: int, run: str = RUN, kind: str = "items", **more: Any) -> Message:
    return binary(body, kind, Creo_run=run, Creo_item=str(number), **more)


def end(number: int, run: str = RUN, kind: str = "response", body: bytes = b"") -> Message:
    return items(body, number, run, kind)


def sending(*messages: Message, then: Callable[[Side], object] = lambda _: None) -> Respond:
    """Answers a stream with these messages, and calls of ``add``."""

    def respond(side: Side, request: Message) -> None:
        if request.reply_to == f"answers-{len(side.broker.sides)}":
            side.reply(request, binary(struct.pack(">q", 3)))
            return
        for message in messages:
            side.reply(request, message)
        then(side)

    return respond


def made(asynchronous: bool, broker: Broker, limits: Limits | None = None, **options: Any) -> Any:
    kind: Any = AsyncJmsChannel if asynchronous else JmsChannel
    given = {"wire": "binary", "limits": limits or Limits()}
    channel = kind(JmsBroker("127.0.0.1", broker.port), "jms:queue:flow", **given)
    client: Any = AsyncFlowClient if asynchronous else FlowClient
    return client._made(channel, CallOptions(**options), owner=True)


def played(
    asynchronous: bool, respond: Respond, *calls: Callable[[Any], Any], **options: Any
) -> tuple[list[Any], Broker]:
    """What these calls made of the answers."""
    with serve(respond) as broker:
        return ends(made(asynchronous, broker, **options), *calls), broker


def told(
    asynchronous: bool, *messages: Message, call: str = "numbers", **options: Any
) -> tuple[list[Any], Any]:
    """The items of a stream, and what it raised; the connection serves another call."""
    got: list[Any] = []
    respond = sending(*messages)
    (end, three), broker = played(
        asynchronous, respond, lambda c: read(getattr(c, call)(1), got), add, **options
    )
    assert three == 3 and len(broker.sides) == 1
    assert "answers-1x" in broker.deleted
    return got, end


def slowly(stream: Any, taken: list[Any], there: Callable[[], None]) -> Any:
    """Reads a stream; after the first item, it waits for something first."""
    if hasattr(stream, "__next__"):
        return read(stream, taken, each=lambda _: there() if len(taken) == 1 else None)

    async def all_() -> list[Any]:
        async with stream:
            async for item in stream:
                taken.append(item)
                if len(taken) == 1:
                    await asyncio.to_thread(there)
        return taken

    return asyncio.ensure_future(all_())


@BOTH
def test_items(asynchronous: bool) -> None:
    """JMS-24, JMS-25: the queue is of this call alone, and is deleted."""
    with serve(sending(items(longs(1, 2), 0), items(longs(3), 2), end(3))) as broker:
        found = ends(made(asynchronous, broker), lambda c: read(c.numbers(3)), add)
    assert found == [[1, 2, 3], 3]
    request = broker.requests[0]
    assert request.reply_to == "answers-1x" and not request.ttl and request.durable
    properties = properties_of(request)
    assert properties["Creo_timeout"] == "999999999" and len(properties["Creo_method"]) == 16
    assert broker.deleted[0] == "answers-1x"


@BOTH
def test_no_items(asynchronous: bool) -> None:
    assert told(asynchronous, end(0)) == ([], [])
    assert told(asynchronous, items(longs(), 0), end(0)) == ([], [])


@BOTH
def test_a_run_is_a_number(asynchronous: bool) -> None:
    assert told(asynchronous, items(longs(1), 0), end(1, RUN.upper())) == ([1], [1])


@BOTH
def test_exceptions_and_errors_come_after_the_items(asynchronous: bool) -> None:
    got, stopped = told(
        asynchronous,
        items(ticks(1, 2), 0),
        end(2, kind="exception", body=b"\0\0\0\0\7"),
        call="ticks",
    )
    assert [tick.number for tick in got] == [1, 2]
    assert isinstance(stopped, Stopped) and stopped.after == 7
    got, error = told(
        asynchronous, items(longs(1), 0), end(1, kind="error", body=b"\x0a\7not you\0")
    )
    assert got == [1] and error.code is ErrorCode.PERMISSION_DENIED
    got, error = told(asynchronous, items(longs(1), 0), end(1, body=b"\0"))
    assert got == [1] and error.code is ErrorCode.MALFORMED


@BOTH
@pytest.mark.parametrize("number", [0, 1, 2])
def test_an_error_ends_the_call_whatever_its_number_is(asynchronous: bool, number: int) -> None:
    """JMS-26: its host may not know whether the broker has taken the last items."""
    error = end(number, kind="error", body=b"\x0a\7not you\0")
    for before, items_before in (([items(longs(1), 0)], [1]), ([], [])):
        got, found = told(asynchronous, *before, error)
        assert got == items_before and found.code is ErrorCode.PERMISSION_DENIED


@BOTH
def test_a_refusal_is_of_no_run(asynchronous: bool) -> None:
    """JMS-25: an error of a host that did not run the method."""
    refusal = binary(b"\x0a\7not you\0", "error")
    got, error = told(asynchronous, refusal)
    assert got == [] and error.code is ErrorCode.PERMISSION_DENIED
    got, error = told(asynchronous, items(longs(), 0), refusal)
    assert got == [] and error.code is ErrorCode.PERMISSION_DENIED
    got, error = told(asynchronous, items(longs(1), 0), refusal)
    assert got == [1] and error.code is ErrorCode.UNAVAILABLE


@BOTH
def test_another_run(asynchronous: bool) -> None:
    """JMS-26: no item comes twice."""
    again = [items(longs(1, 2), 0, OTHER), end(2, OTHER)]
    assert told(asynchronous, items(longs(), 0), *again) == ([1, 2], [1, 2])
    got, error = told(asynchronous, items(longs(1), 0), *again)
    assert got == [1] and error.code is ErrorCode.UNAVAILABLE and "again" in error.message
    got, error = told(asynchronous, items(longs(1), 0), end(0, OTHER))
    assert got == [1] and error.code is ErrorCode.UNAVAILABLE


@BOTH
@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"Creo_run": None}, "malformed"),
        ({"Creo_item": None}, "malformed"),
        ({"Creo_item": "1"}, "malformed"),
        ({"Creo_item": "3"}, "malformed"),
        ({"Creo_item": "-2"}, "malformed"),
        ({"Creo_item": "2.0"}, "malformed"),
        ({"Creo_item": "\u0662"}, "malformed"),
        ({"Creo_item": "0" * 19 + "2"}, "malformed"),
        ({"Creo_item": 2}, "malformed"),
        ({"Creo_item": True}, "malformed"),
        ({"Creo_run": RUN[1:]}, "malformed"),
        ({"Creo_run": RUN + "0"}, "malformed"),
        ({"Creo_run": "\n" * 16}, "malformed"),
        ({"Creo_run": True}, "malformed"),
        ({"SOAPJMS_contentEncoding": "gzip"}, "malformed"),
        ({"Creo_kind": "item"}, "protocol-mismatch"),
        ({"Creo_kind": None}, "protocol-mismatch"),
        ({"SOAPJMS_contentType": "text/plain"}, "protocol-mismatch"),
        ({"SOAPJMS_contentType": None}, "protocol-mismatch"),
        ({"SOAPJMS_bindingVersion": "2.0"}, "protocol-mismatch"),
        ({"x": "y" * 100_000}, "too-large"),
    ],
    ids=range(21),
)
def test_hostile_properties(asynchronous: bool, changes: dict[str, Any], code: str) -> None:
    bad = binary(longs(9), **{"kind": "items", "Creo_run": RUN, "Creo_item": "2", **changes})
    got, error = told(asynchronous, items(longs(1, 2), 0), bad, end(3))
    assert got == [1, 2] and error.code.value == code and not error.from_peer
    assert error.details["peer"].startswith("127.0.0.1:")


@BOTH
@pytest.mark.parametrize(
    "body", [b"", b"\xff", b"\2" + bytes(8), b"\xff\xff\xff\xff\x7f", longs(1) + b"\0"]
)
def test_hostile_items(asynchronous: bool, body: bytes) -> None:
    got, error = told(asynchronous, items(longs(1, 2), 0), items(body, 2), end(3))
    assert got == [1, 2] and error.place.startswith("$items")
    assert error.code in (ErrorCode.MALFORMED, ErrorCode.TOO_LARGE)


@BOTH
def test_too_large_items(asynchronous: bool) -> None:
    limits = Limits(max_message_size=100_000)
    large = items(longs(*range(20_000)), 2)
    got, error = told(asynchronous, items(longs(1, 2), 0), large, limits=limits)
    assert got == [1, 2] and error.code is ErrorCode.TOO_LARGE


@BOTH
def test_messages_of_others_are_dropped(asynchronous: bool) -> None:
    def respond(side: Side, request: Message) -> None:
        if request.reply_to == "answers-1":
            side.reply(request, binary(struct.pack(">q", 3)))
            return
        for index in range(32):
            other = items(longs(9), 0)
            other.correlation_id = "0" * 32 if index % 2 else None
            side.reply(request, other.encode())
        side.reply(request, items(longs(1), 0))
        side.reply(request, end(1))

    found, _ = played(asynchronous, respond, lambda c: read(c.numbers(3)), add)
    assert found == [[1], 3]


@BOTH
def test_an_early_close_deletes_the_queue(asynchronous: bool) -> None:
    """JMS-27"""
    many = [items(longs(*range(1_000)), number * 1_000) for number in range(100)]
    late: list[str] = []

    def granted(address: str, total: int) -> None:
        if address in broker.deleted:
            late.append(address)

    with serve(sending(*many), granted=granted) as broker:
        found = ends(
            made(asynchronous, broker),
            lambda c: read(c.numbers(3), most=1),
            add,
            lambda c: read(c.numbers(3), most=1_500),
            add,
        )
        broker.wait(lambda: {"answers-1x", "answers-1xx"} <= set(broker.deleted))
    assert found == [[0], 3, [*range(1_000), *range(500)], 3]
    assert len(broker.sides) == 1 and not late


@BOTH
@pytest.mark.parametrize(
    ("sizes", "window"),
    [
        ([8_000] * 50, WINDOW),
        ([20_000] * 12, 300_000),
        # The size of the next message is not known.
        ([1] * 100 + [40_000] * 30, WINDOW),
    ],
    ids=["small", "large", "large after small"],
)
def test_what_a_slow_reader_has_is_bounded(
    asynchronous: bool, sizes: list[int], window: int
) -> None:
    """JMS-24, LIM-38: the window and two messages. Each has one block of so many doubles."""
    messages = [
        items(count(1) + count(size) + bytes(8 * size), number) for number, size in enumerate(sizes)
    ]
    taken: list[Any] = []
    ahead: list[int] = []

    def granted(address: str, total: int) -> None:
        if address != "answers-1":
            ahead.append(8 * sum(sizes[len(taken) : total]))

    with serve(sending(*messages, end(len(sizes))), granted=granted) as broker:

        def there() -> None:
            """All that was let in has come."""
            broker.wait(lambda: 8 * sum(sizes[: len(broker.sides[0].settled)]) >= window)

        client = made(asynchronous, broker, Limits(stream_window=window))
        ends(client, lambda c: slowly(c.blocks(1), taken, there))
    assert [len(block) for block in taken] == sizes
    # One more may have been handed to the program, which has not counted it yet.
    assert window <= max(ahead) <= window + 3 * 8 * max(sizes)


@BOTH
def test_a_lost_connection(asynchronous: bool) -> None:
    """JMS-27, TCP-36: the items that came are given to the program."""
    with serve(sending(items(longs(1, 2), 0))) as broker:

        def drop(item: int) -> None:
            broker.sides[0].over = True

        got: list[int] = []
        client = made(asynchronous, broker)
        lost, three = ends(client, lambda c: read(c.numbers(1), got, each=drop), add)
    assert got == [1, 2] and lost.code is ErrorCode.UNAVAILABLE
    assert three == 3 and len(broker.sides) == 2


@BOTH
def test_a_queue_that_the_broker_deletes(asynchronous: bool) -> None:
    """The connection goes on (JMS-18)."""
    condition = ("amqp:resource-deleted", "gone")
    respond = sending(items(longs(1), 0), then=lambda side: side.detach(*condition, "answers-1x"))
    got: list[int] = []
    found, broker = played(asynchronous, respond, lambda c: read(c.numbers(1), got), add)
    assert got == [1] and found[0].code is ErrorCode.UNAVAILABLE and "gone" in found[0].message
    assert found[1] == 3 and len(broker.sides) == 1


@BOTH
def test_a_queue_that_the_broker_does_not_make(asynchronous: bool) -> None:
    with serve(sending(), refuse_queues=("amqp:unauthorized-access", "not you")) as broker:
        client = made(asynchronous, broker)
        refused, three = ends(client, lambda c: read(c.numbers(1)), add)
    assert refused.code is ErrorCode.PERMISSION_DENIED and refused.details["started"] == "no"
    assert three == 3 and len(broker.requests) == 1


@BOTH
def test_a_request_that_the_broker_does_not_take(asynchronous: bool) -> None:
    full = Condition("amqp:resource-limit-exceeded", "full")
    with serve(lambda side, request: full) as broker:
        (error,) = ends(made(asynchronous, broker), lambda c: read(c.numbers(1)))
        broker.wait(lambda: "answers-1x" in broker.deleted)
    assert error.code is ErrorCode.OVERLOADED


@BOTH
def test_a_deadline_covers_the_whole_call(asynchronous: bool) -> None:
    got: list[int] = []
    respond = sending(items(longs(1), 0))
    found, broker = played(
        asynchronous, respond, lambda c: read(c.with_options(deadline=1.0).numbers(1), got), add
    )
    assert found[0].code is ErrorCode.DEADLINE_EXCEEDED and found[1] == 3
    assert got == [1] and 0 < broker.requests[0].ttl <= 1
    assert "answers-1x" in broker.deleted


def test_items_that_have_expired() -> None:
    """JMS-26: a message after more items than came, when the call's time is over."""
    codes: list[ErrorCode] = []
    for number, until in [(2, time.monotonic()), (0, time.monotonic()), (2, None)]:
        call = ItemsCall(JmsRequest({}, ()), until, Limits(), "somewhere:1")
        call.tag = "x"
        for message in (items(longs(1), 0), items(longs(2), number)):
            message.correlation_id = "x"
            call.received(read_message(bytearray(message.encode()), Limits()), 100)
        assert isinstance(call.outcome, CreoError) and len(call.frames) == 1
        assert call.outcome.details["peer"] == "somewhere:1"
        codes.append(call.outcome.code)
    assert codes == [ErrorCode.DEADLINE_EXCEEDED, ErrorCode.MALFORMED, ErrorCode.MALFORMED]


def test_a_cancellation_and_a_closed_channel_end_a_blocking_stream() -> None:
    cancellation = Cancellation()
    with serve(sending(items(longs(1), 0))) as broker:
        with JmsChannel(
            JmsBroker("127.0.0.1", broker.port), "jms:queue:flow", wire="binary"
        ) as channel:
            client = FlowClient.over(channel)
            for end_it in (cancellation.cancel, channel.close):
                stream = client.with_options(cancellation=cancellation).numbers(1)
                assert next(stream) == 1
                ending = threading.Timer(0, end_it)
                ending.start()
                with pytest.raises(CreoError) as caught:
                    next(stream)
                ending.join()
                assert caught.value.code is ErrorCode.CANCELLED
                cancellation = Cancellation()


def test_a_stream_keeps_its_channel() -> None:
    """Which ends with its last user."""
    with serve(sending(items(longs(1, 2), 0), items(longs(3), 2), end(3))) as broker:

        def stream() -> Any:
            channel = JmsChannel(
                JmsBroker("127.0.0.1", broker.port), "jms:queue:flow", wire="binary"
            )
            return FlowClient.over(channel).numbers(3)

        reading = stream()
        gc.collect()
        assert list(reading) == [1, 2, 3]


@BOTH
def test_two_streams_beside_a_call(asynchronous: bool) -> None:
    requests: list[Message] = []

    def respond(side: Side, request: Message) -> None:
        if request.reply_to == "answers-1":
            side.reply(request, binary(struct.pack(">q", 3)))
            for number, one in enumerate(requests):
                side.reply(one, items(longs(number), 1, f"{number:016x}"))
                side.reply(one, end(2, f"{number:016x}"))
            return
        side.reply(request, items(longs(8), 0, f"{len(requests):016x}"))
        requests.append(request)

    def blocking(client: Any) -> Any:
        with client.numbers(1) as one, client.numbers(2) as two:
            return [next(one), next(two), client.add(1, 2), list(one), list(two)]

    async def tasks(client: Any) -> Any:
        async with client.numbers(1) as one, client.numbers(2) as two:
            found = [await one.__anext__(), await two.__anext__(), await client.add(1, 2)]
            return [*found, *await asyncio.gather(read(one), read(two))]

    (found,), broker = played(asynchronous, respond, tasks if asynchronous else blocking)
    assert found == [8, 8, 3, [0], [1]] and len(broker.sides) == 1


@BOTH
def test_what_comes_with_the_answer(asynchronous: bool) -> None:
    """CALL-4, CALL-43"""
    answers: list[Answer] = []
    last = binary(b"", Creo_run=RUN, Creo_item="1", Creo_meta_a="b")
    got, _ = told(asynchronous, items(longs(1), 0), last, on_answer=answers.append)
    assert got == [1] and answers == [Answer({"a": "b"}), Answer({})]


@BOTH
@pytest.mark.parametrize("wire", ["soap", "tdxml", "binary"])
def test_what_is_not_carried(asynchronous: bool, wire: str) -> None:
    """JMS-23"""
    with serve(sending()) as broker:
        kind: Any = AsyncJmsChannel if asynchronous else JmsChannel
        channel = kind(JmsBroker("127.0.0.1", broker.port), "jms:queue:flow", wire=wire)
        client: Any = AsyncFlowClient if asynchronous else FlowClient
        calls: list[Callable[[Any], Any]] = [
            lambda c: c.sum([1]),
            lambda c: read(c.letters(["a"])),
        ]
        if wire != "binary":
            calls.append(lambda c: read(c.numbers(1)))
        found = ends(client._made(channel, None, owner=True), *calls)
    assert {error.code for error in found} == {ErrorCode.UNKNOWN_METHOD}
    assert all("stream" in error.message for error in found) and not broker.sides
