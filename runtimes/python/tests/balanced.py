"""Balanced channels without hosts, for tests."""

# pyright: reportPrivateUsage=false

from __future__ import annotations

import asyncio
from typing import Any, Callable

import pytest

from creo import CallOptions
from creo.balance import AsyncBalancedChannel, BalancedChannel
from scripted import AsyncLedgerClient, AsyncScripted, LedgerClient, Scripted, ends

BOTH = pytest.mark.parametrize("asynchronous", [False, True])
NAMES = ("a", "b", "c")


def book(client: Any) -> Any:
    return client.book(1)


class Balanced:
    """A balanced channel of scripted ones, with a clock that the test sets."""

    def __init__(self, asynchronous: bool, addresses: Any = NAMES, **options: Any) -> None:
        self.now = 100.0
        self.log: list[str] = []
        self.outcomes: dict[str, Any] = {}
        """What calls to an address return or raise; by default its name."""
        self.opened: dict[str, Any] = {}
        kind: Any = AsyncBalancedChannel if asynchronous else BalancedChannel
        self.channel: Any = kind(addresses, self._open, **options)
        self.channel._balancer._clock = lambda: self.now
        self._scripted: Any = AsyncScripted if asynchronous else Scripted
        self._client: Any = AsyncLedgerClient if asynchronous else LedgerClient

    def _open(self, address: str) -> Any:
        def play(options: CallOptions) -> Any:
            self.log.append(address)
            outcome = self.outcomes.get(address, address)
            return outcome(options) if callable(outcome) else outcome

        assert address not in self.opened or self.opened[address].closed
        self.opened[address] = self._scripted(play)
        return self.opened[address]

    def client(self, **options: Any) -> Any:
        return self._client.over(self.channel, CallOptions(**options))

    def calls(self, count: int, **options: Any) -> list[Any]:
        """What so many calls return or raise."""
        return ends(self.client(**options), *[book] * count)

    def went(self, count: int = 1, **options: Any) -> str:
        """Where the attempts of so many calls go."""
        del self.log[:]
        self.calls(count, **options)
        return "".join(self.log)

    def reached(self, count: int = 12) -> set[str]:
        """Which addresses so many calls go to."""
        return set(self.went(count))


class Held:
    """Calls that end when the test says so."""

    def __init__(self, balanced: Balanced) -> None:
        self.balanced = balanced
        self.ends: dict[str, list[asyncio.Future[Any]]] = {name: [] for name in "abcdefgh"}
        for name, held in self.ends.items():
            balanced.outcomes[name] = self._holding(held)

    def _holding(self, held: list[asyncio.Future[Any]]) -> Callable[[CallOptions], Any]:
        def hold(options: CallOptions) -> asyncio.Future[Any]:
            held.append(asyncio.get_running_loop().create_future())
            return held[-1]

        return hold

    async def start(self) -> tuple[str, asyncio.Task[Any]]:
        """A call, and where it went."""
        before = len(self.balanced.log)
        task = asyncio.ensure_future(self.balanced.client(deadline=None).book(1))
        while len(self.balanced.log) == before:
            await asyncio.sleep(0)
        return self.balanced.log[-1], task

    async def end(self, address: str, outcome: Any = 1) -> None:
        """The oldest call to an address ends."""
        held = self.ends[address].pop(0)
        if isinstance(outcome, BaseException):
            held.set_exception(outcome)
        else:
            held.set_result(outcome)
        for _ in range(5):
            await asyncio.sleep(0)
