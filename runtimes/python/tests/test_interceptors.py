"""Code of the program that sees each call of a client (``calls.md``)."""

from __future__ import annotations

import asyncio
import logging
import struct
import threading
import time
from dataclasses import replace
from typing import Any, Callable

import pytest

from creo import (
    Answer,
    CallOptions,
    Cancellation,
    CreoError,
    ErrorCode,
    Interceptor,
    Outcome,
    OutgoingCall,
)
from fake import (
    CANCEL,
    EXCEPTION,
    REQUEST,
    RESPONSE,
    Peer,
    Script,
    dead_port,
    error,
    frame,
    serve,
    text,
)
from fake_http import answer, expect, receive
from sample import AsyncDataServiceClient, DataServiceClient, NotFound
from scripted import ends

TOTAL = struct.pack(">d", 1.5)
BOTH = pytest.mark.parametrize("asynchronous", [False, True])


class Seen:
    """Notes what it is told."""

    def __init__(self, name: str, log: list[str]) -> None:
        self._name = name
        self._log = log
        self.calls: list[OutgoingCall] = []
        self.outcomes: list[Outcome] = []

    def begin(self, call: OutgoingCall) -> Callable[[Outcome], None]:
        self._log.append(f"{self._name} begins")
        self.calls.append(call)
        return self._end

    def _end(self, outcome: Outcome) -> None:
        self._log.append(f"{self._name} ends")
        self.outcomes.append(outcome)


class Changes:
    """Gives calls other options; the end does not matter to it."""

    def __init__(self, **changes: Any) -> None:
        self._changes = changes

    def begin(self, call: OutgoingCall) -> None:
        call.options = replace(call.options, **self._changes)


class Refuses:
    """Raises instead of letting a call begin."""

    def __init__(self, failure: BaseException) -> None:
        self._failure = failure

    def begin(self, call: OutgoingCall) -> None:
        raise self._failure


def made(asynchronous: bool, port: int, *interceptors: Interceptor, **options: Any) -> Any:
    """A client with these interceptors."""
    cls: Any = AsyncDataServiceClient if asynchronous else DataServiceClient
    given = CallOptions(interceptors=interceptors, **options)
    return cls("127.0.0.1", port, options=given)


def total(client: Any) -> Any:
    return client.total([1.0])


def get(client: Any) -> Any:
    return client.retrieve_data("CO2")


def touch(client: Any) -> Any:
    return client.touch("CO2")


def total_script(peer: Peer) -> None:
    peer.greet()
    peer.send(frame(RESPONSE, peer.expect(REQUEST).call, TOTAL))
    assert peer.until_end() == []


@BOTH
def test_the_order_and_the_outcomes(asynchronous: bool) -> None:
    """CALL-10, CALL-15"""

    def script(peer: Peer) -> None:
        peer.greet()
        peer.send(frame(RESPONSE, peer.expect(REQUEST).call, b"\1\1a\1b" + TOTAL, 4))
        peer.send(frame(EXCEPTION, peer.expect(REQUEST).call, b"\0" + text("CO2") + b"\0"))
        peer.send(error(peer.expect(REQUEST).call, 10, "not you"))

    log: list[str] = []
    first, second = Seen("first", log), Seen("second", log)
    with serve(script) as server:
        client = made(asynchronous, server.port, first, second, deadline=30)
        found = ends(client, total, get, total)
        peer = f"127.0.0.1:{server.port}"
    assert log == ["first begins", "second begins", "second ends", "first ends"] * 3
    assert found[0] == 1.5
    call = first.calls[0]
    assert (call.interface, call.method, str(call)) == (
        "sample.DataService",
        "total",
        "sample.DataService.total",
    )
    assert not call.oneway and call.options.deadline == 30
    for seen in (first, second):
        result, declared, denied = seen.outcomes
        assert result.error is None and result.code is None
        assert result.answer == Answer({"a": "b"})
        assert declared.error is found[1] and isinstance(found[1], NotFound)
        assert declared.code is None and declared.answer == Answer({})
        assert denied.error is found[2] and denied.code is ErrorCode.PERMISSION_DENIED
        assert denied.answer == Answer({})
        assert all(one.peer == peer and 0 < one.seconds < 30 for one in seen.outcomes)


@BOTH
def test_options_may_be_changed_for_a_call(asynchronous: bool) -> None:
    """CALL-11"""
    answers: list[Answer] = []

    def script(peer: Peer) -> None:
        peer.greet()
        request = peer.expect(REQUEST)
        assert request.body.startswith(b"\2\1a\x011\1b\x012")
        assert 60_000 < request.milliseconds <= 600_000
        peer.send(frame(RESPONSE, request.call, TOTAL))
        assert peer.expect(REQUEST).flags == 0
        peer.socket.close()

    class Adds:
        def __init__(self, key: str, value: str) -> None:
            self._pair = {key: value}

        def begin(self, call: OutgoingCall) -> None:
            call.options = replace(
                call.options, metadata={**call.options.metadata, **self._pair}, deadline=600.0
            )

    listens = Changes(on_answer=answers.append)
    with serve(script) as server:
        client = made(asynchronous, server.port, Adds("a", "1"), Adds("b", "2"), listens)
        # The client's own options are as they were.
        plain = client.with_options(interceptors=())
        found = ends(client, total, lambda _: total(plain))
    assert found[0] == 1.5 and answers == [Answer({})]
    assert found[1].code is ErrorCode.UNAVAILABLE


@BOTH
def test_other_interceptors_for_a_call_do_not_count(asynchronous: bool) -> None:
    log: list[str] = []
    late = Seen("late", log)
    with serve(total_script) as server:
        client = made(asynchronous, server.port, Changes(interceptors=(late,)), Seen("second", log))
        assert ends(client, total) == [1.5]
    assert log == ["second begins", "second ends"]


@BOTH
def test_the_time_of_interceptors_is_part_of_the_call(asynchronous: bool) -> None:
    """CALL-11: nothing is sent when none is left."""

    class Slow:
        def begin(self, call: OutgoingCall) -> None:
            until = time.monotonic() + 0.02
            while time.monotonic() < until:
                time.sleep(0.005)

    log: list[str] = []
    seen = Seen("first", log)
    with serve() as server:
        client = made(asynchronous, server.port, seen, Changes(deadline=0.01), Slow())
        (found,) = ends(client, total)
        assert server.connections == 0
    assert found.code is ErrorCode.DEADLINE_EXCEEDED
    (outcome,) = seen.outcomes
    assert outcome.error is found and outcome.peer is None and outcome.answer is None
    assert outcome.seconds >= 0.02


@BOTH
def test_a_deadline_ends_a_call(asynchronous: bool) -> None:
    def script(peer: Peer) -> None:
        peer.greet()
        peer.expect(REQUEST)
        peer.expect(CANCEL)

    seen = Seen("", [])
    with serve(script) as server:
        client = made(asynchronous, server.port, seen, Changes(deadline=1))
        (found,) = ends(client, total)
        peer = f"127.0.0.1:{server.port}"
    (outcome,) = seen.outcomes
    assert outcome.error is found and outcome.code is ErrorCode.DEADLINE_EXCEEDED
    assert (outcome.peer, outcome.answer) == (peer, None)


@BOTH
@pytest.mark.parametrize(
    "failure",
    [CreoError(ErrorCode.PERMISSION_DENIED, "not today"), NotFound("x", []), KeyError("a bug")],
    ids=["error", "declared", "bug"],
)
def test_a_call_that_is_refused(asynchronous: bool, failure: Exception) -> None:
    """CALL-12, CALL-14: it ends with what was raised; who refused is told no end, who came before is."""
    log: list[str] = []
    first, last = Seen("first", log), Seen("last", log)
    with serve() as server:
        client = made(asynchronous, server.port, first, Refuses(failure), last)
        found = ends(client, total)
        assert found == [failure] and server.connections == 0
    assert log == ["first begins", "first ends"]
    (outcome,) = first.outcomes
    assert (outcome.peer, outcome.answer) == (None, None)
    if isinstance(failure, KeyError):
        assert outcome.code is ErrorCode.INTERNAL
        assert outcome.error is not None and outcome.error.__cause__ is failure
    else:
        assert outcome.error is failure


@BOTH
def test_arguments_that_cannot_be_written(asynchronous: bool) -> None:
    seen = Seen("", [])
    with serve() as server:
        (found,) = ends(made(asynchronous, server.port, seen), lambda c: c.retrieve_data("\ud800"))
        assert server.connections == 0
    (outcome,) = seen.outcomes
    assert outcome.error is found and outcome.code is ErrorCode.INVALID_VALUE
    assert outcome.peer is None


@BOTH
def test_where_nobody_listens_no_peer_is_reached(asynchronous: bool) -> None:
    seen = Seen("", [])
    with dead_port() as port:
        (found,) = ends(made(asynchronous, port, seen), total)
    (outcome,) = seen.outcomes
    assert outcome.error is found and outcome.code is ErrorCode.UNAVAILABLE
    assert (outcome.peer, outcome.answer) == (None, None)


def waits(peer: Peer) -> None:
    peer.greet()
    peer.expect(REQUEST)
    peer.expect(CANCEL)


def test_a_call_that_is_cancelled_from_elsewhere() -> None:
    """CALL-14"""
    cancellation = Cancellation()

    def script(peer: Peer) -> None:
        peer.greet()
        peer.expect(REQUEST)
        cancellation.cancel()
        peer.expect(CANCEL)

    seen = Seen("", [])
    with serve(script) as server:
        client = made(False, server.port, seen, cancellation=cancellation)
        (found,) = ends(client, total)
    (outcome,) = seen.outcomes
    assert outcome.error is found and outcome.code is ErrorCode.CANCELLED


def test_a_task_that_is_cancelled() -> None:
    """CALL-14: told once, at that time."""
    seen = Seen("", [])

    async def call(port: int) -> None:
        async with made(True, port, seen) as client:
            task = asyncio.ensure_future(client.total([1.0]))
            while not seen.calls:
                await asyncio.sleep(0.01)
            await asyncio.sleep(0.05)
            assert not seen.outcomes
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            (outcome,) = seen.outcomes
            assert outcome.code is ErrorCode.CANCELLED and outcome.answer is None
            assert outcome.error is not None
            assert isinstance(outcome.error.__cause__, asyncio.CancelledError)

    with serve(waits) as server:
        asyncio.run(call(server.port))
    assert len(seen.outcomes) == 1


@BOTH
def test_an_end_that_fails(asynchronous: bool, caplog: pytest.LogCaptureFixture) -> None:
    """CALL-16: the outcome stays, the others are told, the log says it. ERR-8: without a peer's bytes."""

    def script(peer: Peer) -> None:
        peer.greet()
        pairs = b"\1\1a" + text("x\x1b[31m\nforged line")
        peer.send(frame(RESPONSE, peer.expect(REQUEST).call, pairs + TOTAL, 4))

    class Fails:
        def begin(self, call: OutgoingCall) -> Callable[[Outcome], None]:
            def end(outcome: Outcome) -> None:
                assert outcome.answer is not None
                raise ValueError(outcome.answer.metadata["a"])

            return end

    log: list[str] = []
    first, last = Seen("first", log), Seen("last", log)
    with caplog.at_level(logging.ERROR, logger="creo"), serve(script) as server:
        client = made(asynchronous, server.port, first, Fails(), last)
        assert ends(client, total) == [1.5]
    assert log == ["first begins", "last begins", "last ends", "first ends"]
    assert first.outcomes[0].error is None
    (record,) = caplog.records
    said = record.getMessage()
    assert record.name == "creo" and "sample.DataService.total" in said
    assert r"ValueError: x\x1b[31m\nforged line" in said and "in end" in said
    assert "\x1b" not in said and "\nforged" not in said


def test_an_end_that_ends_the_program() -> None:
    """The others are told before it does."""

    class Stops:
        def begin(self, call: OutgoingCall) -> Callable[[Outcome], None]:
            def end(outcome: Outcome) -> None:
                raise KeyboardInterrupt

            return end

    first = Seen("first", [])
    with serve(total_script) as server, made(False, server.port, first, Stops()) as client:
        with pytest.raises(KeyboardInterrupt):
            client.total([1.0])
    assert len(first.outcomes) == 1


@BOTH
def test_a_oneway_call_ends_when_its_request_is_written(asynchronous: bool) -> None:
    """CALL-17"""
    read = threading.Event()

    def script(peer: Peer) -> None:
        assert read.wait(10)
        peer.greet()
        peer.expect(REQUEST)

    seen = Seen("", [])
    with serve(script) as server:
        # The server reads nothing before the call has ended.
        client = made(asynchronous, server.port, seen)
        assert ends(client, touch, lambda _: _set(read, asynchronous))[0] is None
    (outcome,) = seen.outcomes
    assert seen.calls[0].oneway and outcome.error is None and outcome.answer is None
    assert outcome.peer == f"127.0.0.1:{server.port}"


def _set(event: threading.Event, asynchronous: bool) -> Any:
    async def nothing() -> None:
        event.set()

    return nothing() if asynchronous else event.set()


def test_calls_at_once_have_their_own_outcomes() -> None:
    """Answers come in another order than requests; each end belongs to its call."""

    def script(peer: Peer) -> None:
        peer.greet()
        requests = [peer.expect(REQUEST) for _ in range(50)]
        for request in reversed(requests):
            number = request.body[-8:]
            pairs = b"\1\1n" + text(str(struct.unpack(">d", number)[0]))
            peer.send(frame(RESPONSE, request.call, pairs + number, 4))

    class Counts:
        def __init__(self) -> None:
            self.found: list[tuple[str, str]] = []

        def begin(self, call: OutgoingCall) -> Callable[[Outcome], None]:
            number = call.options.metadata["n"]

            def end(outcome: Outcome) -> None:
                assert outcome.answer is not None
                self.found.append((number, outcome.answer.metadata["n"]))

            return end

    counts = Counts()

    async def all_(port: int) -> None:
        async with made(True, port, counts) as client:

            async def one(i: int) -> None:
                with_number = client.with_options(metadata={"n": str(float(i))})
                assert await with_number.total([float(i)]) == i

            await asyncio.gather(*map(one, range(50)))

    with serve(script) as server:
        asyncio.run(all_(server.port))
    assert sorted(counts.found) == sorted((str(float(i)),) * 2 for i in range(50))


HTTP_WIRES: list[tuple[str, Callable[[Any, str, CallOptions], Any]]] = [
    ("json", lambda cls, url, options: cls.json(url, options=options)),
    ("tdxml", lambda cls, url, options: cls.tdxml(url, options=options)),
    ("soap", lambda cls, url, options: cls.soap(url, options=options)),
]


@BOTH
@pytest.mark.parametrize(("wire", "make"), HTTP_WIRES, ids=[name for name, _ in HTTP_WIRES])
def test_calls_over_http(asynchronous: bool, wire: str, make: Any) -> None:
    """The same over every wire: headers may be added, and the outcome has the answer."""

    def script(peer: Peer) -> None:
        request = expect(peer)
        assert request.headers["x-key"] == "k" and request.headers["creo-meta-a"] == "1"
        # Far from the default of a minute, and no test of this machine's speed.
        assert 60_000 < int(request.headers["creo-timeout"]) <= 600_000
        peer.send(answer("not you", "403 no", "text/plain", "X-Id: 7\r\n"))
        receive(peer)

    log: list[str] = []
    seen = Seen("first", log)
    changes = Changes(headers={"X-Key": "k"}, metadata={"a": "1"}, deadline=600.0)
    cls: Any = AsyncDataServiceClient if asynchronous else DataServiceClient
    with serve(script) as server:
        options = CallOptions(interceptors=(seen, changes))
        url = f"http://127.0.0.1:{server.port}/D"
        (found,) = ends(make(cls, url, options), total)
    assert found.code is ErrorCode.PERMISSION_DENIED
    (outcome,) = seen.outcomes
    assert outcome.error is found and outcome.peer == f"127.0.0.1:{server.port}"
    assert outcome.answer is not None and outcome.answer.status == 403
    assert outcome.answer.header("X-ID") == "7"


@BOTH
def test_a_peer_of_http_that_does_not_answer(asynchronous: bool) -> None:
    def script(peer: Peer) -> None:
        expect(peer)
        receive(peer)

    seen = Seen("", [])
    cls: Any = AsyncDataServiceClient if asynchronous else DataServiceClient
    scripts: tuple[Script, ...] = (script,)
    with serve(*scripts) as server:
        options = CallOptions(interceptors=(seen,), deadline=0.1)
        client = cls.json(f"http://127.0.0.1:{server.port}/D", options=options)
        (found,) = ends(client, total)
    (outcome,) = seen.outcomes
    assert outcome.error is found and outcome.code is ErrorCode.DEADLINE_EXCEEDED
    assert (outcome.peer, outcome.answer) == (f"127.0.0.1:{server.port}", None)
