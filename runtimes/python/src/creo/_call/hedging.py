"""Calls whose attempts may go on at the same time (``calls.md``, CALL-29 and CALL-80 to CALL-84)."""

from __future__ import annotations

import contextvars
import threading
import time
from collections import deque
from typing import TYPE_CHECKING, Any, Final, Generic, Protocol, TypeVar

from .._base import CreoError, ErrorCode
from .._binary.values import DeclaredError
from . import Cancellation, Watch, until_of
from .attempts import again, wait

if TYPE_CHECKING:
    from typing_extensions import Self

    from . import CallOptions, Method
    from .client import AsyncCaller, Caller

A = TypeVar("A")
R = TypeVar("R")

#: The hedges of blocking calls that are under way at the same time in a process, each on a thread.
_MAX_THREADS: Final = 64
_THREADS: Final = threading.BoundedSemaphore(_MAX_THREADS)


class Rules(Protocol):
    """What a retry policy and its budget decide."""

    @property
    def attempts(self) -> int:
        """The max number of attempts."""
        ...

    @property
    def hedge_after(self) -> float:
        """The seconds after which an attempt gets another one beside it."""
        ...

    def pause(self, error: CreoError, made: int) -> float:
        """The seconds before a repetition, when so many attempts were made."""
        ...

    def take(self) -> bool:
        """Pays for an attempt; false if there are too few tokens."""
        ...

    def succeeded(self, repeated: bool) -> None:
        """Returns tokens after a result or a declared exception."""
        ...


class _Plan:
    """Decides on the attempts of one call. It never waits; for one thread at a time."""

    def __init__(self, rules: Rules, options: CallOptions) -> None:
        self.under_way: dict[Watch, Any] = {}
        """What ends each attempt."""
        self._rules = rules
        self._options = options
        self._until = until_of(options)
        self._places: list[object] = []
        self._made = 0
        # When the next attempt is made; None if there is none.
        self._due: float | None = time.monotonic()
        # Whether that is a repetition, which is paid.
        self._repeats = False
        self._repeated = False
        self._overloaded = False
        # Whether an attempt that has ended may have started the method.
        self._started = False

    @property
    def left(self) -> float | None:
        """The seconds until the next attempt, if there is one."""
        return None if self._due is None else max(0.0, self._due - time.monotonic())

    def begin(self, hedge: bool) -> CallOptions | None:
        """The options of an attempt if one is due, which is entered with its watch.

        ``hedge``: whether a hedge may be made now; otherwise it is not made at all.
        """
        now = time.monotonic()
        if self._due is None or now < self._due:
            return None
        self._due = None
        if self._made and not self._repeats and not (hedge and self._rules.take()):
            return None
        self._made += 1
        self._repeated = self._repeated or self._repeats
        self._repeats = False
        made = again(self._options, self._until)
        watch = Watch()
        watch.places = self._places
        object.__setattr__(made, "watch", watch)
        self.under_way[watch] = None
        if not self._overloaded and self._made < self._rules.attempts:
            self._wait_until(now + self._rules.hedge_after)
        return made

    @property
    def is_hedge(self) -> bool:
        """Whether the next attempt is one beside another, without an error."""
        return self._made > 0 and not self._repeats

    def _wait_until(self, due: float) -> None:
        self._due = due if self._until is None or due < self._until else None

    def goes_on(self, watch: Watch, failure: BaseException | None) -> bool:
        """An attempt has ended; whether the call goes on. If not, the failure is that of the call."""
        del self.under_way[watch]
        if isinstance(failure, CreoError):
            if failure.code in (ErrorCode.UNAVAILABLE, ErrorCode.OVERLOADED):
                self._started = self._started or not failure.not_started
                self._repeat_after(failure)
                if self._due is not None or self.under_way:
                    return True
            if self._made > 1:
                failure.set_detail("attempts", str(self._made))
            if self._started or self.under_way:
                failure.set_detail("started", None)
        if failure is None or isinstance(failure, DeclaredError):
            self._rules.succeeded(self._repeated)
        outer = self._options.watch
        if outer is not None:
            outer.answer, outer.peer = watch.answer, watch.peer
        return False

    def _repeat_after(self, error: CreoError) -> None:
        """Plans the repetition after an error, or nothing if there must be none (CALL-83)."""
        self._overloaded = self._overloaded or error.code is ErrorCode.OVERLOADED
        due = time.monotonic() + self._rules.pause(error, self._made)
        planned = self._repeats
        if planned and self._due is not None and due <= self._due:
            return
        self._due, self._repeats = None, False
        if self._made < self._rules.attempts:
            self._wait_until(due)
            if self._due is not None and not planned and not self._rules.take():
                self._due = None
        self._repeats = self._due is not None


class _Ended(Generic[R]):
    """How an attempt ended."""

    def __init__(self, watch: Watch, result: R | None, failure: BaseException | None) -> None:
        self.watch = watch
        self.result: Any = result
        self.failure = failure


class _Threads(Generic[A, R]):
    """The attempts of a blocking call, each on a thread of its own, within ``with``."""

    def __init__(self, plan: _Plan, channel: Caller, method: Method[A, R], arguments: A) -> None:
        self.changed = threading.Event()
        """Set when an attempt has ended."""
        self.ended: deque[_Ended[R]] = deque()
        self._plan = plan
        self._channel = channel
        self._method = method
        self._arguments = arguments

    def start(self) -> None:
        """Makes the next attempt if it is due. A hedge needs one of the threads for hedges."""
        spare = self._plan.is_hedge and _THREADS.acquire(blocking=False)
        started = False
        try:
            options = self._plan.begin(spare)
            if options is not None:
                object.__setattr__(options, "cancellation", Cancellation())
                assert options.watch is not None
                self._plan.under_way[options.watch] = options.cancellation
                run = contextvars.copy_context().run
                name = f"creo call of {self._method.name}"
                threading.Thread(
                    target=run, args=(self._make, options, spare), name=name, daemon=True
                ).start()
                started = True
        finally:
            if spare and not started:
                _THREADS.release()

    def _make(self, options: CallOptions, spare: bool) -> None:
        assert options.watch is not None
        try:
            result = self._channel.call(self._method, self._arguments, options)
            ended = _Ended(options.watch, result, None)
        except BaseException as failure:
            ended = _Ended[R](options.watch, None, failure)
        finally:
            if spare:
                _THREADS.release()
        self.ended.append(ended)
        self.changed.set()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for cancellation in self._plan.under_way.values():
            if cancellation is not None:
                cancellation.cancel()


def call(
    rules: Rules, channel: Caller, method: Method[A, R], arguments: A, options: CallOptions
) -> R:
    """Makes a blocking call. Its arguments can be written several times, by several threads."""
    plan = _Plan(rules, options)
    with _Threads(plan, channel, method, arguments) as threads:
        while True:
            threads.start()
            threads.changed.clear()
            if not threads.ended:
                wait(threads.changed, plan.left, options.cancellation)
            while threads.ended:
                ended = threads.ended.popleft()
                if not plan.goes_on(ended.watch, ended.failure):
                    if ended.failure is not None:
                        raise ended.failure
                    found: R = ended.result
                    return found


async def call_async(
    rules: Rules, channel: AsyncCaller, method: Method[A, R], arguments: A, options: CallOptions
) -> R:
    """Makes a call of an asyncio client. Its arguments can be written several times."""
    import asyncio

    plan = _Plan(rules, options)
    tasks: dict[asyncio.Task[R], Watch] = {}
    try:
        while True:
            made = plan.begin(hedge=True)
            if made is not None and made.watch is not None:
                task = asyncio.create_task(_awaited(channel, method, arguments, made))
                tasks[task] = made.watch
            if not tasks:
                await asyncio.sleep(plan.left or 0.0)
                continue
            first = asyncio.FIRST_COMPLETED
            ended, _ = await asyncio.wait(tasks, timeout=plan.left, return_when=first)
            for task in ended:
                watch = tasks.pop(task)
                failure = asyncio.CancelledError() if task.cancelled() else task.exception()
                if not plan.goes_on(watch, failure):
                    return task.result()
    finally:
        for task in tasks:
            task.cancel()
        # Their connections know before the program goes on.
        await asyncio.gather(*tasks, return_exceptions=True)


async def _awaited(
    channel: AsyncCaller, method: Method[A, R], arguments: A, options: CallOptions
) -> R:
    return await channel.call(method, arguments, options)
