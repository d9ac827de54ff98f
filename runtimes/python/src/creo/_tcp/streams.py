"""Calls with streams of the blocking client, over TCP."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from .._call import Answer

if TYPE_CHECKING:
    from collections.abc import Iterable

    from .._base import Limits
    from .._call import CallOptions
    from .._call.source import Source
    from .._call.streams import StreamMethod
    from .connection import Connection, Pending

R = TypeVar("R")
T = TypeVar("T")


class BlockingCall(Generic[R, T]):
    """A call with streams of a blocking client, on a connection that others share."""

    def __init__(
        self,
        connection: Connection,
        pending: Pending,
        method: StreamMethod[Any, R, T],
        source: Source | None,
        limits: Limits,
        until: float | None,
        options: CallOptions,
    ) -> None:
        """For a request that was sent. A thread sends the items if the call also reads some."""
        assert pending.streams is not None
        self._connection = connection
        self._pending = pending
        self._streams = pending.streams
        self._method = method
        self._source = source
        self._limits = limits
        self._until = until
        self._watch = options.watch
        self._cancellation = options.cancellation
        # What the program's own source raised.
        self._failure: BaseException | None = None
        if self._cancellation is not None:
            self._cancellation.enter(pending, connection)
        if source is not None and method.reads:
            sending = threading.Thread(target=self._send_all, name="creo items", daemon=True)
            sending.start()

    def receive(self) -> Iterable[T] | None:
        frames = self._streams.frames
        try:
            if not frames:
                self._connection.wait_until(self._pending, self._until, lambda: bool(frames))
            if not frames:
                self._end()
                return None
            frame, credit = self._streams.take()
            if credit:
                self._connection.give(self._pending, credit)
            return self._method.decode_items(frame, self._limits)
        except BaseException:
            self.close()
            raise

    def finish(self) -> R:
        try:
            self._send_all()
            self._connection.wait_until(self._pending, self._until, lambda: False)
            return self._end()
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        self._connection.cancel(self._pending)
        self._leave()

    def _end(self) -> R:
        """The outcome of a call that has ended."""
        self._leave()
        answer = self._pending.answer
        if answer is None:
            raise self._failure or self._connection.why_ended(self._pending)
        if self._watch is not None and answer.metadata is not None:
            self._watch.answered(Answer(answer.metadata))
        return self._method.finish(answer, self._limits, self._connection.peer)

    def _leave(self) -> None:
        if self._cancellation is not None:
            self._cancellation.leave(self._pending)
        self._connection.close_if_drained()

    def _send_all(self) -> None:
        """Sends the program's items until they or the call end; its failure ends the call."""
        source, streams, pending = self._source, self._streams, self._pending
        assert source is not None
        last = False
        try:
            while not last:
                if streams.may_send:
                    self._connection.glance()
                else:
                    self._connection.wait_until(pending, self._until, lambda: streams.may_send)
                if not source.begin(lambda: pending.done):
                    break
                content, last = source.take(self._limits)
                frame = streams.frame(pending.call, content, last)
                self._connection.send_items(pending, frame, self._until)
        except BaseException as failure:
            self._fail(failure)
        finally:
            # A call that took nothing may be made elsewhere.
            if source.taken():
                try:
                    source.close()
                except BaseException as failure:
                    self._fail(failure)

    def _fail(self, failure: BaseException) -> None:
        if self._failure is None:
            self._failure = failure
        self._connection.cancel(self._pending)
