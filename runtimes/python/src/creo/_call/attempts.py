"""What several attempts at a call need, at other addresses or after a wait."""

from __future__ import annotations

import copy
import threading
import time
from typing import TYPE_CHECKING, Any, Final, TypeVar, cast

from .._base import CreoError, ErrorCode
from .._binary.schema import ArrayType, MapType, OptionalType, Type

if TYPE_CHECKING:
    from . import CallOptions, Cancellation, Method

A = TypeVar("A")


def again(options: CallOptions, until: float | None) -> CallOptions:
    """The options for another attempt at a call, whose earlier answer does not count."""
    if options.watch is not None:
        options.watch.answer = options.watch.peer = None
    made = copy.copy(options)
    if until is not None:
        object.__setattr__(made, "deadline", max(0.0, until - time.monotonic()))
    return made


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
