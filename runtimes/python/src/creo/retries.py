"""Repeating calls that fail (``spec/calls.md``, section 3), over any kind of channel::

from creo.retries import RetryPolicy

client = DataServiceClient("localhost", 4711, options=CallOptions(retry=RetryPolicy()))
"""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, TypeVar, cast
from weakref import WeakKeyDictionary

from ._base import CreoError, ErrorCode
from ._binary.values import DeclaredError
from ._call import hedging, until_of
from ._call.attempts import again, repeatable, wait

if TYPE_CHECKING:
    from ._call import CallOptions, Method
    from ._call.client import AsyncCaller, Caller

__all__ = ["RetryPolicy"]

A = TypeVar("A")
R = TypeVar("R")

_MAX_ATTEMPTS: Final = 10
_MAX_DELAY: Final = 3_600.0
_MIN_HEDGE: Final = 0.001
_TOKENS: Final = 500
_COST: Final = 5


@dataclass(frozen=True)
class RetryPolicy:
    """When and how often a client repeats a call.

    A call is repeated after ``unavailable`` and ``overloaded``, if the method was not started or
    is ``@Idempotent`` in the description. The deadline covers all attempts and the waits between
    them. The error of the last attempt is raised, with the detail ``attempts``.

    All clients of a channel share a budget, so that they do not keep a busy host down: 500 tokens,
    of which a repetition takes 5 and a call without one returns 1. Without tokens, no call is
    repeated.

    With ``hedge_after``, calls of ``@Idempotent`` methods are hedged: when an attempt has not ended
    after that time, another one is made beside it, at another address if the channel has several.
    The first one that ends decides the call, and the others are cancelled. A hedge takes 5 tokens,
    which a call does not return. Each attempt of such a blocking call runs on a thread of its own;
    at most 64 hedges of a process are under way at the same time.

    :raises ValueError: if a value is out of its range.
    """

    #: The max number of attempts, the first included: 1 to 10.
    attempts: int = 3
    #: The max seconds before the first repetition, doubled with each further one: 0 to 3600. The
    #: time is random, and comes after that for which the host asked (``CreoError.retry_after``).
    base_delay: float = 0.05
    #: The max seconds before any repetition: 0 to 3600.
    max_delay: float = 5.0
    #: The seconds after which an attempt gets another one beside it: 0.001 to 3600. None for never.
    hedge_after: float | None = None

    def __post_init__(self) -> None:
        if self.attempts not in range(1, _MAX_ATTEMPTS + 1):
            raise ValueError(f"attempts must be 1 to {_MAX_ATTEMPTS}, is {self.attempts}")
        for name in ("base_delay", "max_delay"):
            value = getattr(self, name)
            if not 0 <= value <= _MAX_DELAY:
                raise ValueError(f"{name} must be 0 to {_MAX_DELAY:g} seconds, is {value}")
        hedge = self.hedge_after
        if hedge is not None and not _MIN_HEDGE <= hedge <= _MAX_DELAY:
            raise ValueError(
                f"hedge_after must be {_MIN_HEDGE} to {_MAX_DELAY:g} seconds, is {hedge}"
            )

    def call(self, channel: Caller, method: Method[A, R], arguments: A, options: CallOptions) -> R:
        """Makes a call on a channel of a blocking client, as often as this says; clients use it.

        :raises CreoError: if the last attempt fails; or an exception that the method declares.
        """
        arguments = repeatable(method, arguments)
        if self._hedges(method):
            rules = _Rules(self, budget_of(channel))
            return hedging.call(rules, channel, method, arguments, options)
        attempts = _Attempts(method, options, self, budget_of(channel))
        while True:
            with attempts as attempt:
                return channel.call(method, arguments, attempt)
            wait(threading.Event(), attempts.pause, options.cancellation)

    async def call_async(
        self, channel: AsyncCaller, method: Method[A, R], arguments: A, options: CallOptions
    ) -> R:
        """The same on a channel of an asyncio client."""
        from asyncio import sleep

        arguments = repeatable(method, arguments)
        if self._hedges(method):
            rules = _Rules(self, budget_of(channel))
            return await hedging.call_async(rules, channel, method, arguments, options)
        attempts = _Attempts(method, options, self, budget_of(channel))
        while True:
            with attempts as attempt:
                return await channel.call(method, arguments, attempt)
            await sleep(attempts.pause)

    def _hedges(self, method: Method[Any, Any]) -> bool:
        """CALL-29"""
        once = self.hedge_after is None or self.attempts == 1
        return not once and method.idempotent and not method.oneway


class RetryBudget:
    """Limits the repetitions of all clients of a channel (CALL-25). It is thread-safe."""

    def __init__(self) -> None:
        self._tokens = _TOKENS
        self._lock = threading.Lock()

    def take(self) -> bool:
        """Pays for a repetition; false if there are too few tokens."""
        with self._lock:
            if self._tokens < _COST:
                return False
            self._tokens -= _COST
            return True

    def give(self, tokens: int) -> None:
        """Returns tokens after a success."""
        with self._lock:
            self._tokens = min(_TOKENS, self._tokens + tokens)


_BUDGETS: Final[WeakKeyDictionary[object, RetryBudget]] = WeakKeyDictionary()
_LOCK: Final = threading.Lock()


def budget_of(channel: object) -> RetryBudget:
    """The budget that all clients of a channel share."""
    with _LOCK:
        found = _BUDGETS.get(channel)
        if found is None:
            found = _BUDGETS[channel] = RetryBudget()
        return found


class _Attempts:
    """The attempts of one call, each made within ``with``, which gives its options.

    A failure that is to be repeated does not leave ``with``: the next attempt comes after ``pause``
    seconds. This never waits itself.
    """

    def __init__(
        self,
        method: Method[Any, Any],
        options: CallOptions,
        policy: RetryPolicy,
        budget: RetryBudget,
    ) -> None:
        self.pause = 0.0
        self._method = method
        self._options = options
        self._policy = policy
        self._budget = budget
        self._until = until_of(options)
        self._made = 0
        # Whether an attempt may have started the method.
        self._started = False

    def __enter__(self) -> CallOptions:
        self._made += 1
        return self._options if self._made == 1 else again(self._options, self._until)

    def __exit__(self, _kind: object, failure: BaseException | None, _trace: object) -> bool:
        if failure is None or isinstance(failure, DeclaredError):
            self._budget.give(1 if self._made == 1 else _COST)
        elif isinstance(failure, CreoError):
            if self._repeats(failure):
                return True
            if self._made > 1:
                failure.set_detail("attempts", str(self._made))
            if self._started:
                failure.set_detail("started", None)
        return False

    def _repeats(self, error: CreoError) -> bool:
        if error.code not in (ErrorCode.UNAVAILABLE, ErrorCode.OVERLOADED):
            return False
        if not error.not_started and not self._method.idempotent:
            return False
        policy = self._policy
        if self._made >= policy.attempts:
            return False
        self.pause = _pause(policy, error, self._made)
        if self._until is not None and time.monotonic() + self.pause >= self._until:
            return False
        if not self._budget.take():
            return False
        self._started = self._started or not error.not_started
        return True


class _Rules:
    """A policy that hedges, and the budget, as ``hedging`` asks them."""

    def __init__(self, policy: RetryPolicy, budget: RetryBudget) -> None:
        self.attempts = policy.attempts
        self.hedge_after = cast("float", policy.hedge_after)
        self.take = budget.take
        self._budget = budget
        self._policy = policy

    def pause(self, error: CreoError, made: int) -> float:
        return _pause(self._policy, error, made)

    def succeeded(self, repeated: bool) -> None:
        self._budget.give(_COST if repeated else 1)


def _pause(policy: RetryPolicy, error: CreoError, made: int) -> float:
    """The seconds before a repetition, when so many attempts were made (CALL-23, CALL-24)."""
    delay: float = min(policy.max_delay, policy.base_delay * (1 << (made - 1)))
    return (error.retry_after or 0.0) + _random() * delay


def _random() -> float:
    # Imported only here, since it takes long to load.
    from random import random

    return random()
