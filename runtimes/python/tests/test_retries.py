"""Repeating calls (``calls.md``, section 3)."""

# pyright: reportPrivateUsage=false

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from typing import Any, Callable, cast

import pytest

import creo.retries
from creo import (
    Answer,
    CallOptions,
    Cancellation,
    CreoError,
    DeclaredError,
    ErrorCode,
    Outcome,
    OutgoingCall,
)
from creo._call import Watch
from creo.retries import RetryPolicy, budget_of
from fake import ERROR, GOODBYE, REQUEST, RESPONSE, Peer, Script, dead_port, error, frame, serve
from fake_http import answer, expect
from sample import AsyncDataServiceClient, DataServiceClient
from scripted import (
    AsyncLedgerClient,
    AsyncScripted,
    LedgerClient,
    Scripted,
    ends,
    failure,
    lost,
    refused,
)

BOTH = pytest.mark.parametrize("asynchronous", [False, True])
POLICY = RetryPolicy()
HASTY = RetryPolicy(base_delay=0)


def made(asynchronous: bool, *outcomes: Any, **options: Any) -> tuple[Any, Any]:
    """A client with a policy, and its channel."""
    options.setdefault("retry", POLICY)
    given = CallOptions(**options)
    if asynchronous:
        channel = AsyncScripted(*outcomes)
        return AsyncLedgerClient.over(channel, given), channel
    blocking = Scripted(*outcomes)
    return LedgerClient.over(blocking, given), blocking


def book(client: Any) -> Any:
    return client.book(1)


def look(client: Any) -> Any:
    return client.look(1)


@pytest.fixture
def waits(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The waits between attempts, which do not take place; the random part is as long as it can be."""
    found: list[float] = []
    sleep = asyncio.sleep

    def wait(event: threading.Event, seconds: float, cancellation: Cancellation | None) -> None:
        found.append(seconds)

    async def pause(seconds: float) -> None:
        if seconds:
            found.append(seconds)
        await sleep(0)

    monkeypatch.setattr(creo.retries, "wait", wait)
    monkeypatch.setattr(asyncio, "sleep", pause)
    monkeypatch.setattr(creo.retries, "_random", lambda: 1.0)
    return found


# What is repeated


@BOTH
@pytest.mark.parametrize("from_peer", [False, True])
@pytest.mark.parametrize("code", list(ErrorCode))
@pytest.mark.parametrize("details", [{}, {"started": "no"}, {"started": "yes"}, {"started": ""}])
def test_what_is_repeated(
    asynchronous: bool,
    from_peer: bool,
    code: ErrorCode,
    details: dict[str, str],
    waits: list[float],
) -> None:
    """CALL-22"""
    for call, idempotent in ((book, False), (look, True)):
        client, channel = made(asynchronous, failure(code, from_peer=from_peer, **details), 7)
        (found,) = ends(client, call)
        passes = code in (ErrorCode.UNAVAILABLE, ErrorCode.OVERLOADED)
        if passes and (idempotent or details.get("started") == "no"):
            assert found == 7 and len(channel.options) == 2
        else:
            assert found.code is code and len(channel.options) == 1
            assert "attempts" not in found.details
        assert len(waits) == len(channel.options) - 1
        waits.clear()


@BOTH
def test_nothing_is_repeated_without_a_policy(asynchronous: bool) -> None:
    client, channel = made(asynchronous, refused, retry=None)
    (found,) = ends(client, look)
    assert found.code is ErrorCode.UNAVAILABLE and len(channel.options) == 1


@BOTH
def test_a_declared_exception_is_an_answer(asynchronous: bool) -> None:
    class Odd(DeclaredError):
        pass

    client, channel = made(asynchronous, Odd.__new__(Odd))
    (found,) = ends(client, look)
    assert isinstance(found, Odd) and len(channel.options) == 1


@BOTH
def test_the_error_of_the_last_attempt_has_their_number(
    asynchronous: bool, waits: list[float]
) -> None:
    """CALL-26"""
    client, channel = made(
        asynchronous, lost, failure("overloaded"), failure("permission-denied", from_peer=True)
    )
    (found,) = ends(client, look)
    assert found.code is ErrorCode.PERMISSION_DENIED and found.details["attempts"] == "3"
    # CALL-26: it was not started only if no attempt may have started it.
    for first, second, not_started in [
        (refused, refused, True), (lost, refused, False), (refused, lost, False)
    ]:  # fmt: skip
        client, _ = made(asynchronous, first, second, refused if second is refused else lost)
        (found,) = ends(client, look)
        assert found.not_started is not_started and found.details["attempts"] == "3"
    client, channel = made(asynchronous, lost, retry=RetryPolicy(attempts=10))
    (found,) = ends(client, look)
    assert found.details["attempts"] == "10" and len(channel.options) == 10
    client, channel = made(asynchronous, failure(attempts="hello"), retry=RetryPolicy(attempts=1))
    (found,) = ends(client, look)
    assert found.details["attempts"] == "hello" and len(channel.options) == 1


@BOTH
def test_arguments_that_can_be_read_once_are_sent_each_time(
    asynchronous: bool, waits: list[float]
) -> None:
    def rows() -> Iterator[Iterator[int]]:
        yield iter([1, 2])
        yield iter([3])

    client, channel = made(asynchronous, refused, None)
    assert ends(client, lambda c: c.book_all(rows(), {"a": iter([4])})) == [None]
    expected = ([(1, 2), (3,)], {"a": (4,)})
    assert channel.arguments == [expected, expected]
    # What is no array reaches the codec, which refuses it.
    client, channel = made(asynchronous, None)
    assert ends(client, lambda c: c.book_all(5, None)) == [None]
    assert channel.arguments == [(5, None)]


# How long the waits are


@BOTH
def test_waits_grow_up_to_a_limit(asynchronous: bool, waits: list[float]) -> None:
    """CALL-23"""
    client, _ = made(asynchronous, lost, retry=RetryPolicy(6, base_delay=0.5, max_delay=3))
    ends(client, look)
    assert waits == [0.5, 1, 2, 3, 3]


def test_waits_are_random() -> None:
    found = {creo.retries._random() for _ in range(100)}
    assert len(found) > 90 and 0 <= min(found) < 0.5 < max(found) < 1


@pytest.mark.parametrize(
    "bad",
    [
        {"attempts": 0}, {"attempts": 11}, {"attempts": -1}, {"attempts": 2.5},
        {"base_delay": -0.1}, {"base_delay": 3_601}, {"base_delay": float("nan")},
        {"max_delay": -1}, {"max_delay": float("inf")},
    ],
)  # fmt: skip
def test_policies_that_are_refused(bad: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=f"^{next(iter(bad))} must be"):
        RetryPolicy(**bad)


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("0", 0), ("250", 0.25), ("007", 0.007), ("4294967295", 4_294_967.295),
        ("4294967296", 4_294_967.295), ("9" * 900, 4_294_967.295), ("0" * 900 + "5", 0.005),
        ("", None), ("-1", None), ("+1", None), ("1.5", None), ("1e3", None), (" 5", None),
        ("5\n", None), ("0x5", None), ("\u0663", None), ("\u00b2", None), ("1_000", None),
        ("soon", None),
    ],
)  # fmt: skip
def test_when_to_come_again(text: str, seconds: float | None, waits: list[float]) -> None:
    """CALL-24"""
    assert failure(retry_after=text)(CallOptions()).retry_after == seconds
    for asynchronous in (False, True):
        client, _ = made(asynchronous, failure("overloaded", retry_after=text), 7, deadline=None)
        assert ends(client, look) == [7]
        assert waits.pop() == (seconds or 0) + 0.05


def test_errors_without_details_say_nothing() -> None:
    plain = CreoError(ErrorCode.UNAVAILABLE, "x")
    assert plain.retry_after is None and not plain.not_started


@BOTH
@pytest.mark.parametrize(
    ("header", "detail", "found"),
    [
        ("7", None, 7.0), ("7", "20", 0.02), ("7", "soon", 7.0), ("7", "-1", 7.0),
        ("Wed, 21 Oct 2026 07:28:00 GMT", None, None), ("1.5", None, None), ("-3", None, None),
        ("9" * 5_000, None, 4_000_000.0), ("3\r\nRetry-After: 4", None, None), (None, None, None),
    ],
)  # fmt: skip
@pytest.mark.parametrize("status", ["429 Too Many Requests", "503 Service Unavailable"])
def test_when_to_come_again_over_http(
    asynchronous: bool, status: str, header: str | None, detail: str | None, found: float | None
) -> None:
    """CALL-24: the detail counts if both are there."""

    def script(peer: Peer) -> None:
        expect(peer)
        more = "" if header is None else f"Retry-After: {header}\r\n"
        details = "" if detail is None else f',"details":{{"retry-after":"{detail}"}}'
        body = f'{{"type":"urn:creo:error:overloaded","detail":"full"{details}}}'
        peer.send(answer(body, status, "application/problem+json", more))
        expect(peer)
        peer.send(answer("<busy/>", status, "text/html", more))

    cls: Any = AsyncDataServiceClient if asynchronous else DataServiceClient
    with serve(script) as server:
        client = cls.json(f"http://127.0.0.1:{server.port}/DataService")
        said, plain = ends(client, lambda c: c.total([1.0]), lambda c: c.total([1.0]))
    assert said.code is ErrorCode.OVERLOADED and said.retry_after == found
    assert plain.code.value in ("unavailable", "overloaded") and plain.retry_after == (
        found if detail is None or found is None else 7.0
    )


# Deadline and cancelling


@BOTH
def test_a_wait_that_would_not_end_before_the_deadline(
    asynchronous: bool, waits: list[float]
) -> None:
    """CALL-26"""
    client, channel = made(asynchronous, failure("overloaded", retry_after="60000"), deadline=50)
    (found,) = ends(client, look)
    assert found.code is ErrorCode.OVERLOADED and len(channel.options) == 1 and not waits
    client, channel = made(asynchronous, lost, deadline=50, retry=RetryPolicy(3, 40.0, 60.0))
    (found,) = ends(client, look)
    # The waits do not take place here: 40 seconds fit, 60 do not.
    assert found.details["attempts"] == "2" and waits == [40]


@BOTH
def test_the_deadline_is_for_all_attempts(asynchronous: bool) -> None:
    client, channel = made(asynchronous, lost, deadline=30, retry=HASTY)
    ends(client, look)
    first, second, third = [options.deadline for options in channel.options]
    assert 30 == first > second > third > 0
    client, channel = made(asynchronous, lost, deadline=None, retry=HASTY)
    ends(client, look)
    assert [options.deadline for options in channel.options] == [None] * 3


class Entered(Cancellation):
    """Says when a call can be cancelled."""

    def __init__(self) -> None:
        super().__init__()
        self.entered = threading.Event()

    def enter(self, pending: Any, connection: Any) -> None:
        super().enter(pending, connection)
        self.entered.set()


LATE = RetryPolicy(base_delay=3_600, max_delay=3_600)


def test_cancelling_ends_a_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(creo.retries, "_random", lambda: 1.0)
    cancellation = Entered()
    client, channel = made(False, lost, deadline=None, retry=LATE, cancellation=cancellation)
    found: list[Any] = []
    thread = threading.Thread(target=lambda: found.extend(ends(client, look)), daemon=True)
    thread.start()
    assert cancellation.entered.wait(30)
    cancellation.cancel()
    thread.join(30)
    assert found[0].code is ErrorCode.CANCELLED and len(channel.options) == 1
    # One that was cancelled before does not wait, either.
    assert ends(client, look)[0].code is ErrorCode.CANCELLED


def test_cancelling_a_task_ends_a_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(creo.retries, "_random", lambda: 1.0)
    client, channel = made(True, lost, deadline=None, retry=LATE)

    async def run() -> None:
        task = asyncio.ensure_future(client.look(1))
        while not channel.options:
            await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(run())
    assert len(channel.options) == 1


# The budget


@BOTH
def test_the_budget(asynchronous: bool) -> None:
    """CALL-25: 500 tokens at first, five for each repetition."""
    client, channel = made(asynchronous, lost, retry=RetryPolicy(2, base_delay=0))
    outcomes = channel.outcomes

    def play(*of: Any) -> int:
        """The attempts of one call."""
        outcomes[:] = of
        before = len(channel.options)
        ends(client, look)
        return len(channel.options) - before

    assert [play(lost) for _ in range(100)] == [2] * 100
    # Clients of the same channel have the same budget.
    other = client.with_options(deadline=5)
    assert budget_of(other._channel) is budget_of(channel)
    kind: Any = AsyncLedgerClient if asynchronous else LedgerClient
    assert budget_of(kind.over(channel)._channel) is budget_of(channel)
    assert play(lost) == 1
    # Calls that succeed return one each, a declared exception too.
    exception = DeclaredError.__new__(DeclaredError)
    assert [play(7) for _ in range(3)] + [play(exception)] == [1] * 4
    assert play(lost) == 1
    # Errors that are not repeated return nothing.
    assert [play(failure("permission-denied")) for _ in range(9)] == [1] * 9
    assert play(lost) == 1
    assert play(7) == 1 and play(lost) == 2 and play(lost) == 1
    # One that was repeated returns what it has paid.
    assert [play(7) for _ in range(5)] == [1] * 5
    assert [play(lost, 7) for _ in range(20)] == [2] * 20
    assert play(lost) == 2 and play(lost) == 1
    # More than all tokens there are not.
    budget_of(channel).give(10_000)
    assert [play(lost) for _ in range(101)] == [2] * 100 + [1]


def test_many_threads_take_no_token_twice() -> None:
    client, channel = made(False, lost, retry=RetryPolicy(2, base_delay=0))
    threads = [
        threading.Thread(target=ends, args=(client, *[look] * 50), daemon=True) for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert len(channel.options) == 8 * 50 + 100


# What the program sees


class Seen:
    def __init__(self) -> None:
        self.begun: list[str] = []
        self.outcomes: list[Outcome] = []

    def begin(self, call: OutgoingCall) -> Callable[[Outcome], None]:
        self.begun.append(str(call))
        return self.outcomes.append


def answered(number: int, outcome: Any) -> Callable[[CallOptions], Any]:
    """An attempt that reaches a peer and gets an answer."""

    def play(options: CallOptions) -> Any:
        watch = cast("Watch", options.watch)
        watch.reached(f"host:{number}")
        watch.answered(Answer({"n": str(number)}))
        return outcome(options) if callable(outcome) else outcome

    return play


@BOTH
def test_interceptors_see_a_call_once(asynchronous: bool) -> None:
    """CALL-27, with the answer of the last attempt alone."""
    answers: list[Answer] = []
    busy = failure("overloaded", from_peer=True, started="no")
    seen = Seen()
    options: dict[str, Any] = {
        "retry": HASTY, "interceptors": (seen,), "on_answer": answers.append
    }  # fmt: skip
    client, _ = made(asynchronous, answered(1, busy), answered(2, busy), answered(3, 7), **options)
    assert ends(client, book) == [7]
    assert seen.begun == ["test.Ledger.book"]
    (outcome,) = seen.outcomes
    assert (outcome.error, outcome.peer, outcome.answer) == (None, "host:3", Answer({"n": "3"}))
    assert answers == [Answer({"n": "3"})]
    # The last attempt has no answer, so the call has none.
    client, _ = made(asynchronous, answered(1, busy), refused, **options)
    (found,) = ends(client, book)
    outcome = seen.outcomes[1]
    assert outcome.error is found and found.details["attempts"] == "3"
    assert (outcome.peer, outcome.answer, len(answers)) == (None, None, 1)


@BOTH
def test_an_interceptor_may_set_the_policy(asynchronous: bool) -> None:
    class Once:
        def begin(self, call: OutgoingCall) -> None:
            call.options = CallOptions(retry=None)

    client, channel = made(asynchronous, lost, retry=HASTY)
    ends(client.with_options(interceptors=(Once(),)), look)
    assert len(channel.options) == 1
    ends(client.with_options(retry=RetryPolicy(2, 0)), look)
    assert len(channel.options) == 3


@BOTH
def test_what_on_answer_raises_is_not_repeated(asynchronous: bool) -> None:
    def refuse(answer: Answer) -> None:
        raise CreoError(ErrorCode.UNAVAILABLE, "not this one", details={"started": "no"})

    seen = Seen()
    client, channel = made(
        asynchronous, answered(1, 7), retry=HASTY, on_answer=refuse, interceptors=(seen,)
    )
    (found,) = ends(client, look)
    assert found.message == "not this one" and len(channel.options) == 1
    assert seen.outcomes[0].error is found


# Hosts


def dies_before(peer: Peer) -> None:
    """Killed before it has read anything."""


def dies_after(peer: Peer) -> None:
    """Killed when it has read a request, and may have executed it."""
    peer.greet()
    peer.expect(REQUEST)


def drains(peer: Peer) -> None:
    peer.greet()
    late = error(peer.expect(REQUEST).call, 7, "it drains", {"started": "no"})
    peer.send(frame(GOODBYE, 0), late)
    peer.until_end()


def works(peer: Peer) -> None:
    peer.greet()
    for _ in range(2):
        found = peer.receive()
        if found is not None:
            peer.send(frame(RESPONSE, found.call, found.body))


def over_tcp(asynchronous: bool, port: int) -> Any:
    cls: Any = AsyncLedgerClient if asynchronous else LedgerClient
    return cls("127.0.0.1", port, options=CallOptions(retry=HASTY))


@BOTH
@pytest.mark.parametrize(
    ("first", "repeated"), [(dies_after, False), (drains, True)], ids=["killed", "drains"]
)
def test_a_host_that_fails(asynchronous: bool, first: Script, repeated: bool) -> None:
    with serve(first, works) as server:
        (found,) = ends(over_tcp(asynchronous, server.port), lambda c: c.look(5))
        assert found == 5 and server.connections == 2
    with serve(first, *[works] * repeated) as server:
        (found,) = ends(over_tcp(asynchronous, server.port), lambda c: c.book(6))
    if repeated:
        assert found == 6 and server.connections == 2
    else:
        assert found.code is ErrorCode.UNAVAILABLE and not found.not_started
        assert server.connections == 1


@BOTH
def test_a_host_that_is_killed_before_it_reads(asynchronous: bool) -> None:
    """Whether anything was written depends on how soon the client notices."""
    with serve(dies_before, works) as server:
        (found,) = ends(over_tcp(asynchronous, server.port), lambda c: c.look(5))
        assert found == 5 and server.connections == 2
    with serve(dies_before, works) as server:
        (found,) = ends(over_tcp(asynchronous, server.port), lambda c: c.book(6))
        if found != 6:
            assert found.code is ErrorCode.UNAVAILABLE and not found.not_started


@BOTH
def test_where_nobody_listens_the_call_was_not_started(asynchronous: bool) -> None:
    """CALL-21, on each transport."""
    cls: Any = AsyncDataServiceClient if asynchronous else DataServiceClient
    with dead_port() as port:
        (found,) = ends(over_tcp(asynchronous, port), book)
        assert found.code is ErrorCode.UNAVAILABLE and found.not_started
        assert found.details["attempts"] == "3"
        url = f"http://127.0.0.1:{port}/DataService"
        proxied = cls.json("http://127.0.0.1:1/DataService", proxy=f"http://127.0.0.1:{port}")
        for client in (cls.json(url), cls.soap(url), cls.tdxml(url), proxied):
            (found,) = ends(client, lambda c: c.total([1.0]))
            assert found.code is ErrorCode.UNAVAILABLE and found.not_started


@BOTH
def test_a_proxy_without_a_tunnel(asynchronous: bool) -> None:
    def script(peer: Peer) -> None:
        while not peer.take(1).endswith(b"\n"):
            pass
        peer.send(b"HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n")
        peer.until_end()

    def closes(peer: Peer) -> None:
        peer.take(1)

    cls: Any = AsyncDataServiceClient if asynchronous else DataServiceClient
    for play in (script, closes):
        with serve(play) as server:
            client = cls.json("https://localhost:1/S", proxy=f"http://127.0.0.1:{server.port}")
            (found,) = ends(client, lambda c: c.total([1.0]))
        assert found.code is ErrorCode.UNAVAILABLE and found.not_started, found


@BOTH
def test_over_http_a_host_that_dies(asynchronous: bool) -> None:
    """What it has read leaves open whether the method has run."""

    def reads(peer: Peer) -> None:
        expect(peer)

    def answers(peer: Peer) -> None:
        expect(peer)
        peer.send(answer("1.5", kind="application/json"))

    cls: Any = AsyncDataServiceClient if asynchronous else DataServiceClient
    with serve(reads, answers) as server:
        url = f"http://127.0.0.1:{server.port}/DataService"
        client = cls.json(url, options=CallOptions(retry=HASTY))
        first, second = ends(client, lambda c: c.total([1.0]), lambda c: c.total([1.0]))
    assert first.code is ErrorCode.UNAVAILABLE and not first.not_started and second == 1.5


@BOTH
def test_a_connection_too_many(asynchronous: bool) -> None:
    """TCP-20: the request was not written, or was not read."""

    def full(peer: Peer) -> None:
        peer.take(8)
        body = bytes((8, 4)) + b"full" + b"\x01\x07started\x02no"
        peer.send(b"CREO\1\1\0\0", frame(ERROR, 0, body))
        peer.until_end()

    with serve(full, works) as server:
        assert ends(over_tcp(asynchronous, server.port), lambda c: c.book(5)) == [5]
