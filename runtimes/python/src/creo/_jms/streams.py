"""Streams over JMS (``spec/transports/jms.md``, section 8), of both kinds of client."""

from __future__ import annotations

import asyncio
import re
import threading
import time
from collections import deque
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Callable, Final, Generic, TypeVar

from .._base import CreoError, ErrorCode, not_started, shown
from .._binary import FAILURES, read_count
from .._call import with_peer
from .._call.net import deadline_exceeded
from .._call.streams import no_streams
from .._http import media_type
from . import BINARY_TYPE, jms_result, property_of, read_answer, wrong_type
from .call import QueueCall

if TYPE_CHECKING:
    from collections.abc import Iterable

    from .._base import Limits
    from .._call import CallOptions
    from .._call.streams import StreamMethod
    from . import JmsOperation, JmsRequest
    from .call import Queue
    from .connection import JmsExchange
    from .message import Message
    from .threads import Worker

T = TypeVar("T")

#: The messages that may come while the window has room: each may be as large as any, so only so
#: many exceed it (JMS-24).
_CREDIT: Final = 2
_PLACE: Final = "$items"
_RUN: Final = re.compile("[0-9A-Fa-f]{16}")
_NUMBER: Final = re.compile("[0-9]{1,19}")


def check(method: StreamMethod[Any, Any, Any], *, binary: bool) -> None:
    """Refuses a method that JMS does not carry on this wire.

    :raises CreoError: ``unknown-method`` (JMS-23).
    """
    if not binary or method.writes:
        raise no_streams(method)


class ItemsCall(QueueCall):
    """The messages of one call: those that the program has not taken, and how the call ended.

    The loop of the connection writes it; the program takes from ``frames``, and tells that.
    """

    __slots__ = (
        "_credit", "_had", "_held", "_leave", "_limits", "_peer", "_post", "_queue", "_run",
        "changed", "frames", "outcome", "posted",
    )  # fmt: skip

    def __init__(self, request: JmsRequest, until: float | None, limits: Limits, peer: str) -> None:
        super().__init__(request, until, False)
        self.frames: deque[tuple[bytes, int]] = deque()
        """The bodies of messages of items, and the sizes of the messages."""
        self.outcome: Message | CreoError | None = None
        """The answer, or why there is none; set after the last items came."""
        self.changed: Callable[[], object] = bool
        """Told when there are items or an outcome, or the request was posted."""
        self.posted = False
        self._peer = peer
        self._queue: Queue | None = None
        self._limits = limits
        # How many messages the broker may send.
        self._credit = 0
        # The bytes that the program has not taken.
        self._held = 0
        # JMS-26: the run whose items these are, and their number.
        self._run: str | None = None
        self._had = 0

    # On the loop

    def begun(self, queue: Queue, post: Callable[[], None], leave: Callable[[], None]) -> None:
        self._queue, self._post, self._leave = queue, post, leave

    def opened(self, address: str) -> None:
        self.reply_to = address
        self._let_in()
        self._post()
        self.posted = True
        self.changed()

    def refused(self, error: CreoError) -> None:
        own = with_peer(error, self._peer)
        self.fail(own if self.sent else not_started(own))

    def received(self, message: Message, size: int) -> None:
        self._credit -= 1
        if message.correlation == self.tag and not self.ended:
            try:
                self._take(message, size)
            except CreoError as error:
                self.fail(with_peer(error, self._peer))
        self._let_in()

    def answered(self, answer: Message | None) -> None:
        """What comes to the shared queue is no answer to it."""

    @property
    def ended(self) -> bool:
        return self.outcome is not None

    def fail(self, error: CreoError) -> None:
        self._end(error)

    def taken(self, size: int) -> None:
        """The program has taken messages of so many bytes."""
        self._held -= size
        self._let_in()

    def _take(self, message: Message, size: int) -> None:
        if message.problem is not None:
            raise message.problem
        run, number = _position(message)
        if run != self._run and self._had:
            what = f"the method began again after {self._had} items had come"
            raise CreoError(ErrorCode.UNAVAILABLE, what)
        self._run = run
        kind = property_of(message, "Creo_kind")
        # The host of an error may not know how many items the broker has taken.
        if kind != "error" and number != self._had:
            what = f"a message after {number} items, of which {self._had} came"
            if number > self._had and self.until is not None and time.monotonic() >= self.until:
                # The broker has dropped what had expired.
                raise deadline_exceeded(what, self._peer)
            raise CreoError(ErrorCode.MALFORMED, what, place=_PLACE)
        if kind != "items":
            self._end(message)
            return
        body = _items(message, self._limits)
        try:
            count, _ = read_count(body, 0)
        except FAILURES:
            what = "a count is expected"
            raise CreoError(ErrorCode.MALFORMED, what, place=_PLACE, offset=0) from None
        self._had += count
        self._held += size
        self.frames.append((body, size))
        self.changed()

    def _let_in(self) -> None:
        """Gives the broker credit while the window (LIM-38) has room."""
        if self.ended or self._queue is None or self._held >= self._limits.stream_window:
            return
        if self._credit < _CREDIT:
            more = _CREDIT - self._credit
            self._credit = _CREDIT
            self._queue.let_in(more)

    def _end(self, outcome: Message | CreoError) -> None:
        if self.outcome is not None:
            return
        self.outcome = outcome
        if self._queue is not None:
            self._queue.close()
            self._leave()
        self.changed()


def _position(message: Message) -> tuple[str, int]:
    """The run of a message and the items before it; the run is empty for a refused request."""
    run, number = property_of(message, "Creo_run"), property_of(message, "Creo_item")
    if property_of(message, "Creo_kind") == "error" and not (
        {"Creo_run", "Creo_item"} & message.properties.keys()
    ):
        return "", 0
    if _RUN.fullmatch(run) is None or _NUMBER.fullmatch(number) is None:
        what = f"a message of the run {shown(run)} with the number {shown(number)}"
        raise CreoError(ErrorCode.MALFORMED, what, place=_PLACE)
    return run.lower(), int(number)


def _items(message: Message, limits: Limits) -> bytes:
    """The body of a message of items."""
    if property_of(message, "SOAPJMS_contentEncoding"):
        raise CreoError(ErrorCode.MALFORMED, "a message of items is compressed", place=_PLACE)
    answer = read_answer(message, limits)
    if media_type(answer.content_type)[0] != BINARY_TYPE:
        raise wrong_type(answer)
    return answer.body


def _closed(peer: str) -> CreoError:
    return with_peer(CreoError(ErrorCode.CANCELLED, "the program closed the stream"), peer)


class _Reader(Generic[T]):
    """Shared by both kinds of client: what the program reads of a call."""

    def __init__(
        self,
        call: ItemsCall,
        method: StreamMethod[Any, Any, T],
        operation: JmsOperation[Any],
        limits: Limits,
        peer: str,
        options: CallOptions,
        seen: Callable[[Message], None],
    ) -> None:
        self._call = call
        self._method = method
        self._operation = operation
        self._limits = limits
        self._peer = peer
        self._options = options
        # Shows the answer to the hook for raw messages, if there is one.
        self._seen = seen

    def _check_begun(self) -> None:
        """Raises the error of a call whose request was not sent."""
        failure = self._call.outcome
        if isinstance(failure, CreoError) and not self._call.sent:
            raise failure

    def _finish(self) -> None:
        """Raises how the call ended, unless the method returned."""
        outcome = self._call.outcome
        assert outcome is not None
        if isinstance(outcome, CreoError):
            raise outcome
        self._seen(outcome)
        jms_result(self._operation, outcome, self._limits, self._peer, self._options.watch)


class BlockingCall(_Reader[T]):
    """A call with a stream as its result, of a blocking client."""

    _loop: asyncio.AbstractEventLoop | None = None

    def begin(self, worker: Worker, owner: object) -> BlockingCall[T]:
        """Sends the request, as soon as the broker has made the queue for its answers.

        The worker ends with ``owner``, which this keeps.
        """
        self._worker = worker
        self._owner = owner
        self._changed = threading.Condition()
        # Bytes that the program has taken, of which the loop was not told.
        self._taken = 0
        self._call.changed = self._notify

        async def start(exchange: JmsExchange) -> None:
            self._loop = asyncio.get_running_loop()
            await exchange.begin(self._call, self._options.watch)

        try:
            worker.run(start, self._options)
            if self._options.cancellation is not None:
                self._options.cancellation.enter(self._call, self)
            self._wait(lambda: self._call.posted)
            self._check_begun()
        except BaseException:
            self.close()
            raise
        return self

    def receive(self) -> Iterable[T] | None:
        frames = self._call.frames
        try:
            if not frames:
                self._tell()
                self._wait(lambda: bool(frames))
            if not frames:
                self._leave()
                self._finish()
                return None
            body, size = frames.popleft()
            self._taken += size
            if self._taken >= self._limits.stream_window // 4:
                self._tell()
            return self._method.decode_items(body, self._limits)
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        self._leave()
        self._on_loop(self._call.fail, _closed(self._peer))

    def cancel(self, pending: object) -> None:
        """Ends the call from another thread."""
        self._on_loop(self._call.fail, self._worker.given_up())

    def _leave(self) -> None:
        if self._options.cancellation is not None:
            self._options.cancellation.leave(self._call)

    def _notify(self) -> None:
        with self._changed:
            self._changed.notify_all()

    def _wait(self, there: Callable[[], bool]) -> None:
        """Waits until this is so, or the call has ended."""
        with self._changed:
            while not there() and self._call.outcome is None:
                self._changed.wait()

    def _tell(self) -> None:
        taken, self._taken = self._taken, 0
        if taken:
            self._on_loop(self._call.taken, taken)

    def _on_loop(self, work: Callable[..., object], *arguments: object) -> None:
        # A loop that is closed has ended all its calls before.
        if self._loop is not None:
            with suppress(RuntimeError):
                self._loop.call_soon_threadsafe(work, *arguments)


class TaskCall(_Reader[T]):
    """A call with a stream as its result, of an asyncio client."""

    async def begin(self, exchange: JmsExchange) -> TaskCall[T]:
        """Sends the request, as soon as the broker has made the queue for its answers."""
        self._changed = asyncio.Event()
        self._call.changed = self._changed.set
        try:
            await exchange.begin(self._call, self._options.watch)
            while not self._call.posted and self._call.outcome is None:
                await self._change()
            self._check_begun()
        except BaseException:
            self.close()
            raise
        return self

    async def receive(self) -> Iterable[T] | None:
        frames = self._call.frames
        try:
            while not frames and self._call.outcome is None:
                await self._change()
            if not frames:
                self._finish()
                return None
            body, size = frames.popleft()
            self._call.taken(size)
            return self._method.decode_items(body, self._limits)
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        self._call.fail(_closed(self._peer))

    async def closed(self) -> None:
        """There is no source of items."""

    async def _change(self) -> None:
        self._changed.clear()
        await self._changed.wait()
