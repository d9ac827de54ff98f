"""Addresses that come from a resolver (``calls.md``, CALL-36)."""

# pyright: reportPrivateUsage=false

from __future__ import annotations

import asyncio
import threading
from typing import Any, Callable

import pytest

from creo import CallOptions, CreoError, ErrorCode
from creo.balance import AsyncBalancedChannel, BalancedChannel
from creo.retries import RetryPolicy
from scripted import AsyncLedgerClient, AsyncScripted, LedgerClient, Scripted, refused
from test_retries import Entered

BOTH = pytest.mark.parametrize("asynchronous", [False, True])


class Names:
    """A resolver, which gives what the test says, or raises it."""

    def __init__(self, *addresses: str) -> None:
        self.gives: Any = list(addresses)
        self.asked = 0

    def __call__(self) -> Any:
        self.asked += 1
        if isinstance(self.gives, BaseException):
            raise self.gives
        return self.gives


class Resolved:
    """A balanced channel with a resolver, whose calls one can write once for both kinds."""

    def __init__(self, asynchronous: bool, names: Any, **options: Any) -> None:
        self.now = 100.0
        self.outcomes: dict[str, Any] = {}
        self.opened: dict[str, Any] = {}
        self.log: list[str] = []
        self.asynchronous = asynchronous
        kind: Any = AsyncBalancedChannel if asynchronous else BalancedChannel
        self.channel: Any = kind(names, self._open, **options)
        self.channel._balancer._clock = lambda: self.now

    def _open(self, address: str) -> Any:
        def play(options: CallOptions) -> Any:
            self.log.append(address)
            outcome = self.outcomes.get(address, address)
            return outcome(options) if callable(outcome) else outcome

        kind: Any = AsyncScripted if self.asynchronous else Scripted
        self.opened[address] = kind(play)
        return self.opened[address]

    def client(self, **options: Any) -> Any:
        kind: Any = AsyncLedgerClient if self.asynchronous else LedgerClient
        return kind.over(self.channel, CallOptions(**options))

    async def call(self, **options: Any) -> Any:
        """What a call returns or raises, when the resolver, if it was asked, has answered."""
        try:
            found = self.client(**options).book(1)
            found = await found if self.asynchronous else found
        except Exception as raised:
            found = raised
        asking = self.channel._asking
        if self.asynchronous and asking is not None:
            await asyncio.wait([asking])
        elif asking is not None:
            for thread in threading.enumerate():
                if thread.name == "creo resolver":
                    thread.join(30)
        return found

    async def reached(self, count: int = 6) -> set[Any]:
        return {await self.call() for _ in range(count)}


def run(asynchronous: bool, names: Any, test: Callable[[Resolved], Any], **options: Any) -> None:
    asyncio.run(test(Resolved(asynchronous, names, **options)))


@BOTH
def test_when_it_is_asked(asynchronous: bool) -> None:
    names = Names("a")

    async def test(resolved: Resolved) -> None:
        assert names.asked == 0
        assert await resolved.call() == "a" and names.asked == 1
        names.gives = ["a", "b", "a"]
        resolved.now += 29.9
        assert await resolved.call() == "a" and names.asked == 1
        resolved.now += 0.2
        # This call does not wait for it.
        assert await resolved.call() == "a" and names.asked == 2
        assert await resolved.reached() == {"a", "b"} and names.asked == 2
        # After an ejection, a second is enough.
        resolved.outcomes["a"] = refused
        assert await resolved.reached() == {"b"} and names.asked == 2
        resolved.now += 0.9
        assert await resolved.reached() == {"b"} and names.asked == 2
        resolved.now += 0.05
        resolved.outcomes["a"] = "a"
        assert await resolved.reached() == {"b"} and names.asked == 2
        resolved.now += 0.1
        await resolved.call()
        assert names.asked == 3
        resolved.now += 29
        assert await resolved.reached() == {"a", "b"} and names.asked == 3

    run(asynchronous, names, test)


@BOTH
def test_another_time(asynchronous: bool) -> None:
    names = Names("a")

    async def test(resolved: Resolved) -> None:
        for asked in (1, 2, 3):
            assert await resolved.reached() == {"a"} and names.asked == asked
            resolved.now += 0.51

    run(asynchronous, names, test, refresh=0.5)


@BOTH
def test_addresses_that_it_no_longer_gives(asynchronous: bool) -> None:
    names = Names("a", "b")

    async def test(resolved: Resolved) -> None:
        assert await resolved.reached() == {"a", "b"}
        names.gives = ["b", "c"]
        resolved.now += 31
        await resolved.call()
        del resolved.log[:]
        assert await resolved.reached() == {"b", "c"} and "a" not in resolved.log
        closed = {name: channel.closed for name, channel in resolved.opened.items()}
        assert closed == {"a": 1, "b": 0, "c": 0}
        # One that comes back is opened again.
        first = resolved.opened["a"]
        names.gives = ["a"]
        resolved.now += 31
        await resolved.call()
        assert await resolved.reached() == {"a"} and resolved.opened["a"] is not first

    run(asynchronous, names, test)


@BOTH
@pytest.mark.parametrize(
    "fails",
    [OSError("no \x1b[31mname"), [], "abc", [5], None, CreoError(ErrorCode.INTERNAL, "no name")],
)
def test_a_resolver_that_fails(asynchronous: bool, fails: Any) -> None:
    names = Names()

    async def test(resolved: Resolved) -> None:
        names.gives = fails
        for asked in (1, 2):
            found = await resolved.call()
            assert found.code is ErrorCode.UNAVAILABLE and found.not_started
            said = "name" if isinstance(fails, Exception) else ""
            assert said in found.message and "\x1b" not in found.message
            assert names.asked == asked
        # A policy asks again.
        found = await resolved.call(retry=RetryPolicy(base_delay=0))
        assert found.details["attempts"] == "3" and names.asked == 5
        names.gives = ["a"]
        assert await resolved.call() == "a"
        # The addresses remain.
        names.gives = fails
        resolved.now += 31
        assert await resolved.reached() == {"a"} and names.asked == 7
        names.gives = ["b"]
        resolved.now += 31
        assert await resolved.reached() >= {"b"}

    run(asynchronous, names, test)


def test_only_the_first_call_waits() -> None:
    go = threading.Event()
    go.set()
    asked = threading.Semaphore(0)

    def names() -> list[str]:
        asked.release()
        assert go.wait(30)
        return ["a"]

    resolved = Resolved(False, names)
    client = resolved.client()
    assert asyncio.run(resolved.call()) == "a"
    go.clear()
    resolved.now += 100
    # The resolver does not return, and is not asked by others meanwhile.
    assert [client.book(1) for _ in range(5)] == ["a"] * 5
    assert asked.acquire(timeout=30) and asked.acquire(timeout=30)
    assert not asked.acquire(blocking=False)
    go.set()


class Slow:
    """A blocking resolver that waits for the test."""

    def __init__(self) -> None:
        self.asked = threading.Event()
        self.go = threading.Event()
        self.count = 0

    def __call__(self) -> list[str]:
        self.count += 1
        self.asked.set()
        assert self.go.wait(30)
        return ["a"]


def started(resolved: Resolved, **options: Any) -> tuple[threading.Thread, list[Any]]:
    """A call on a thread."""
    found: list[Any] = []

    def call() -> None:
        try:
            found.append(resolved.client(**options).book(1))
        except CreoError as error:
            found.append(error)

    thread = threading.Thread(target=call, daemon=True)
    thread.start()
    return thread, found


def test_first_calls_share_a_resolution() -> None:
    slow = Slow()
    resolved = Resolved(False, slow)
    calls = [started(resolved, deadline=None) for _ in range(10)]
    assert slow.asked.wait(30)
    slow.go.set()
    for thread, found in calls:
        thread.join(30)
        assert found == ["a"]
    assert slow.count == 1


def test_a_call_ends_while_it_waits_for_addresses() -> None:
    """By its deadline, by its cancellation, when the channel is closed."""
    slow = Slow()
    resolved = Resolved(False, slow)
    thread, found = started(resolved, deadline=0.05)
    thread.join(30)
    assert found[0].code is ErrorCode.DEADLINE_EXCEEDED and found[0].not_started
    cancellation = Entered()
    thread, found = started(resolved, deadline=None, cancellation=cancellation)
    assert cancellation.entered.wait(30)
    cancellation.cancel()
    thread.join(30)
    assert found[0].code is ErrorCode.CANCELLED
    entered = Entered()
    thread, found = started(resolved, deadline=None, cancellation=entered)
    assert entered.entered.wait(30)
    resolved.channel.close()
    thread.join(30)
    assert found[0].code is ErrorCode.CANCELLED and "closed" in found[0].message
    assert slow.count == 1
    # A later call asks again.
    slow.go.set()
    thread, found = started(resolved)
    thread.join(30)
    assert found == ["a"]


def test_a_task_ends_while_it_waits_for_addresses() -> None:
    async def test() -> None:
        go = asyncio.Event()
        asked = 0

        async def names() -> list[str]:
            nonlocal asked
            asked += 1
            await go.wait()
            return ["a"]

        resolved = Resolved(True, names)
        with pytest.raises(CreoError) as late:
            await resolved.client(deadline=0.05).book(1)
        assert late.value.code is ErrorCode.DEADLINE_EXCEEDED
        calls = [asyncio.ensure_future(resolved.client(deadline=None).book(1)) for _ in range(3)]
        await asyncio.sleep(0)
        calls[0].cancel()
        with pytest.raises(asyncio.CancelledError):
            await calls[0]
        assert asked == 1 and not calls[1].done()
        await resolved.channel.close()
        # A call that begins now does not belong to those that were closed.
        later = asyncio.ensure_future(resolved.client().book(1))
        for call in calls[1:]:
            with pytest.raises(CreoError) as caught:
                await call
            assert caught.value.code is ErrorCode.CANCELLED
        go.set()
        assert await later == "a" and asked == 2

    asyncio.run(test())


def test_an_address_is_closed_when_its_last_call_ends() -> None:
    async def test() -> None:
        names = Names("a")
        resolved = Resolved(True, names)
        held: list[asyncio.Future[Any]] = []

        def hold(options: CallOptions) -> Any:
            if len(held) == 2:
                return "a"
            held.append(asyncio.get_running_loop().create_future())
            return held[-1]

        resolved.outcomes["a"] = hold
        calls = [asyncio.ensure_future(resolved.client().book(1)) for _ in range(2)]
        while len(held) < 2:
            await asyncio.sleep(0)
        names.gives = ["b"]
        resolved.now += 31
        while await resolved.call() != "b":
            pass
        former = resolved.opened["a"]
        assert not former.closed and former in resolved.channel._balancer.channels
        held[0].set_result("a")
        assert await calls[0] == "a" and not former.closed
        held[1].set_exception(CreoError(ErrorCode.INTERNAL, "x", from_peer=True))
        with pytest.raises(CreoError):
            await calls[1]
        assert former.closed == 1 and former not in resolved.channel._balancer.channels

    asyncio.run(test())


def test_a_blocking_address_is_closed_when_its_last_call_ends() -> None:
    names = Names("a")
    resolved = Resolved(False, names)
    arrived, go = threading.Event(), threading.Event()

    def hold(options: CallOptions) -> str:
        if not arrived.is_set():
            arrived.set()
            assert go.wait(30)
        return "a"

    resolved.outcomes["a"] = hold
    thread, found = started(resolved)
    assert arrived.wait(30)
    names.gives = ["b"]
    resolved.now += 31
    asyncio.run(resolved.call())
    assert asyncio.run(resolved.call()) == "b"
    assert not resolved.opened["a"].closed
    go.set()
    thread.join(30)
    assert found == ["a"] and resolved.opened["a"].closed == 1
