"""Hedged calls (``calls.md``, CALL-29 and CALL-80 to CALL-84), as far as no host plays them."""

# pyright: reportPrivateUsage=false

from __future__ import annotations

import asyncio
import threading
from typing import Any, Callable

import pytest

from creo import CallOptions, Cancellation, CreoError, DeclaredError, ErrorCode
from creo._call import hedging
from creo._call.attempts import wait
from creo.balance import AsyncBalancedChannel, BalancedChannel
from creo.retries import RetryPolicy
from fake import REQUEST, Peer, serve
from scripted import AsyncLedgerClient, AsyncScripted, LedgerClient, Scripted, failure, refused

BOTH = pytest.mark.parametrize("asynchronous", [False, True])
SOON = RetryPolicy(base_delay=0, hedge_after=0.001)


class Attempts:
    """Plays the attempts of calls, each by a function of its number; None for one that is held."""

    def __init__(self, play: Callable[[int], Any], asynchronous: bool) -> None:
        self.play = play
        self.come = 0
        self.ended = 0
        """Attempts that were held and cancelled."""
        self.all_come = threading.Event()
        self._lock = threading.Lock()
        self.channel: Any = AsyncScripted(self._held) if asynchronous else Scripted(self._hold)

    def _enter(self, options: CallOptions) -> Any:
        with self._lock:
            self.come += 1
            number = self.come
        if number == 3:
            self.all_come.set()
        found = self.play(number)
        return found(options) if callable(found) else found

    def _hold(self, options: CallOptions) -> Any:
        found = self._enter(options)
        if found is None:
            gone = threading.Event()
            assert options.cancellation is not None
            options.cancellation.enter(self, _Setting(gone))
            gone.wait(60)
            with self._lock:
                self.ended += 1
            return CreoError(ErrorCode.CANCELLED, "the caller gave up")
        return found

    async def _held(self, options: CallOptions) -> Any:
        found = self._enter(options)
        if found is None:
            try:
                await asyncio.Event().wait()
            finally:
                self.ended += 1
        if isinstance(found, BaseException):
            raise found
        return found

    def look(self, **options: Any) -> Any:
        options.setdefault("retry", SOON)
        given = CallOptions(**options)
        if isinstance(self.channel, AsyncScripted):
            client = AsyncLedgerClient.over(self.channel, given)
            return asyncio.run(client.look(1))
        return LedgerClient.over(self.channel, given).look(1)

    def await_ended(self, count: int) -> None:
        """Threads of blocking calls end after the call."""
        while self.ended < count:
            threading.Event().wait(0.001)


class _Setting:
    def __init__(self, event: threading.Event) -> None:
        self._event = event

    def cancel(self, pending: object) -> None:
        self._event.set()


def fails(attempts: Attempts, **options: Any) -> CreoError:
    with pytest.raises(CreoError) as raised:
        attempts.look(**options)
    return raised.value


class Refused(DeclaredError):
    """A declared exception."""


@BOTH
def test_a_declared_exception_decides(asynchronous: bool) -> None:
    attempts = Attempts(lambda number: None if number < 3 else Refused(), asynchronous)
    with pytest.raises(Refused):
        attempts.look()
    attempts.await_ended(2)


@BOTH
def test_a_bug_of_a_channel_ends_the_call(asynchronous: bool) -> None:
    attempts = Attempts(lambda number: None if number == 1 else ValueError("a bug"), asynchronous)
    with pytest.raises(ValueError, match="a bug"):
        attempts.look(retry=RetryPolicy(2, hedge_after=0.001))
    attempts.await_ended(1)


@BOTH
def test_errors_say_that_no_attempt_was_started(asynchronous: bool) -> None:
    attempts = Attempts(lambda _: refused, asynchronous)
    error = fails(attempts)
    assert (attempts.come, error.details["attempts"], error.not_started) == (3, "3", True)
    attempts = Attempts(lambda number: failure() if number == 1 else refused, asynchronous)
    assert not fails(attempts).not_started


@BOTH
def test_one_attempt_is_not_hedged(asynchronous: bool) -> None:
    attempts = Attempts(lambda number: number, asynchronous)
    assert attempts.look(retry=RetryPolicy(1, hedge_after=0.001)) == 1
    assert attempts.look(retry=RetryPolicy(hedge_after=3_600)) == 2


@BOTH
def test_an_address_without_an_attempt_is_chosen(asynchronous: bool) -> None:
    came: list[str] = []
    held = Attempts(lambda number: None if number < 3 else number, asynchronous)

    def open_(address: str) -> Any:
        def play(options: CallOptions) -> Any:
            came.append(address)
            return held._held(options) if asynchronous else held._hold(options)

        return AsyncScripted(play) if asynchronous else Scripted(play)

    if asynchronous:

        async def call() -> int:
            async with AsyncBalancedChannel(["a", "b", "c"], open_) as channel:
                return await AsyncLedgerClient.over(channel, CallOptions(retry=SOON)).look(1)

        assert asyncio.run(call()) == 3
    else:
        with BalancedChannel(["a", "b", "c"], open_) as channel:
            assert LedgerClient.over(channel, CallOptions(retry=SOON)).look(1) == 3
    assert sorted(came) == ["a", "b", "c"]
    held.await_ended(2)


def test_cancelling_ends_all_attempts_of_a_blocking_call() -> None:
    attempts = Attempts(lambda _: None, asynchronous=False)
    cancellation = Cancellation()

    def cancel() -> None:
        attempts.all_come.wait(60)
        cancellation.cancel()

    threading.Thread(target=cancel, daemon=True).start()
    assert fails(attempts, cancellation=cancellation).code is ErrorCode.CANCELLED
    attempts.await_ended(3)


def test_an_interrupt_ends_all_attempts(monkeypatch: pytest.MonkeyPatch) -> None:
    attempts = Attempts(lambda _: None, asynchronous=False)

    def interrupted(event: threading.Event, left: float | None, given: Any) -> None:
        if attempts.all_come.is_set():
            raise KeyboardInterrupt
        wait(event, left, given)

    monkeypatch.setattr(hedging, "wait", interrupted)
    with pytest.raises(KeyboardInterrupt):
        attempts.look(retry=RetryPolicy(10, hedge_after=0.001))
    attempts.await_ended(attempts.come)


def test_threads_for_hedges_are_given_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hedging, "_THREADS", threading.BoundedSemaphore(1))
    for _ in range(3):
        attempts = Attempts(lambda number: None if number == 1 else number, asynchronous=False)
        assert attempts.look() == 2
        attempts.await_ended(1)
        while not hedging._THREADS.acquire(blocking=False):
            threading.Event().wait(0.001)
        hedging._THREADS.release()


def test_no_hedge_is_made_without_a_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    none = threading.BoundedSemaphore(1)
    none.acquire()
    monkeypatch.setattr(hedging, "_THREADS", none)
    asked = threading.Event()

    def acquire(*, blocking: bool) -> bool:
        asked.set()
        return False

    monkeypatch.setattr(none, "acquire", acquire)
    attempts = Attempts(lambda number: number if asked.wait(60) else None, asynchronous=False)
    assert attempts.look() == 1
    assert attempts.come == 1


def test_closing_the_channel_ends_the_call() -> None:
    came = threading.Event()

    def script(peer: Peer) -> None:
        peer.greet()
        peer.expect(REQUEST)
        peer.expect(REQUEST)
        came.set()
        peer.until_end()

    with serve(script) as server:
        client = LedgerClient("127.0.0.1", server.port, options=CallOptions(retry=SOON))

        def close() -> None:
            came.wait(60)
            client.close()

        threading.Thread(target=close, daemon=True).start()
        with pytest.raises(CreoError) as raised:
            client.look(1)
    assert raised.value.code is ErrorCode.CANCELLED


@pytest.mark.parametrize("bad", [0, 0.0009, -1, 3_601, float("nan")])
def test_times_that_are_refused(bad: float) -> None:
    with pytest.raises(ValueError, match=r"hedge_after must be 0\.001 to 3600 seconds"):
        RetryPolicy(hedge_after=bad)
