"""Repeating calls (``spec/calls.md``, section 3): what is repeated, when, and how often."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, TypeVar, cast

from .._base import CreoError, ErrorCode
from .._binary.schema import ArrayType, MapType, OptionalType, Type
from .._binary.values import DeclaredError
from . import again

if TYPE_CHECKING:
    from . import CallOptions, Cancellation, Method

A = TypeVar("A")

_MAX_ATTEMPTS: Final = 10
_MAX_DELAY: Final = 3_600.0
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

    :raises ValueError: if a value is out of its range.
    """

    #: The max number of attempts, the first included: 1 to 10.
    attempts: int = 3
    #: The max seconds before the first repetition, doubled with each further one: 0 to 3600. The
    #: time is random, and comes after that for which the host asked (``CreoError.retry_after``).
    base_delay: float = 0.05
    #: The max seconds before any repetition: 0 to 3600.
    max_delay: float = 5.0

    def __post_init__(self) -> None:
        if self.attempts not in range(1, _MAX_ATTEMPTS + 1):
            raise ValueError(f"attempts must be 1 to {_MAX_ATTEMPTS}, is {self.attempts}")
        for name in ("base_delay", "max_delay"):
            value = getattr(self, name)
            if not 0 <= value <= _MAX_DELAY:
                raise ValueError(f"{name} must be 0 to {_MAX_DELAY:g} seconds, is {value}")


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


class Attempts:
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
        delay = min(policy.max_delay, policy.base_delay * 2 ** (self._made - 1))
        self.pause = (error.retry_after or 0.0) + _random() * delay
        if self._until is not None and time.monotonic() + self.pause >= self._until:
            return False
        if not self._budget.take():
            return False
        self._started = self._started or not error.not_started
        return True


def _random() -> float:
    # Imported only here, since it takes long to load.
    from random import random

    return random()


def until_of(options: CallOptions) -> float | None:
    """The end of a call that begins now, on the monotonic clock."""
    return None if options.deadline is None else time.monotonic() + options.deadline


class _Ended:
    """Ends a wait when its call is cancelled."""

    def cancel(self, pending: threading.Event) -> None:
        pending.set()


_ENDED: Final = _Ended()


def wait(event: threading.Event, seconds: float | None, cancellation: Cancellation | None) -> None:
    """Waits until the event is set, at most so many seconds.

    :raises CreoError: ``cancelled``, at once when the call is.
    """
    if cancellation is None:
        event.wait(seconds)
        return
    cancellation.enter(event, _ENDED)
    try:
        event.wait(seconds)
    finally:
        cancellation.leave(event)
    if cancellation.cancelled:
        raise CreoError(ErrorCode.CANCELLED, "the caller gave up")


def repeatable(method: Method[A, Any], arguments: A) -> A:
    """The arguments in a form that can be written several times: without iterators."""
    given = cast("tuple[Any, ...]", arguments)
    return cast("A", tuple([_kept(type_, value) for type_, value in zip(method.types, given)]))


def _kept(type_: Type, value: Any) -> Any:
    if isinstance(type_, OptionalType):
        return _kept(type_.item, value)
    if isinstance(type_, ArrayType):
        if hasattr(value, "__next__"):
            value = tuple(value)
        if type(value) in (list, tuple) and _nests(type_.item):
            return [_kept(type_.item, item) for item in value]
    elif isinstance(type_, MapType) and hasattr(value, "items") and _nests(type_.value):
        return {key: _kept(type_.value, item) for key, item in value.items()}
    return value


def _nests(type_: Type) -> bool:
    return isinstance(type_, (ArrayType, MapType, OptionalType))
