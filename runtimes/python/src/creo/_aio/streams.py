"""Calls with streams of the asyncio client, over TCP."""

from __future__ import annotations

import asyncio
from itertools import count
from typing import TYPE_CHECKING, Any, Final, Generic, TypeVar

from .._base import CreoError, ErrorCode
from .._call import answer_with
from .._call.streams import no_streams as no_streams  # for the channel, which finds it here
from .._tcp.streams import CallStreams, credit_frame

if TYPE_CHECKING:
    from collections.abc import Iterable

    from .._base import Limits
    from .._call import CallOptions, RawAnswer
    from .._call.source import AsyncSource
    from .._call.streams import StreamMethod
    from . import AsyncConnection, AsyncPending

R = TypeVar("R")
T = TypeVar("T")

#: Frames that are sent before the loop gets its turn.
_TURN: Final = 16


class TaskCall(Generic[R, T]):
    """A call with streams, whose items are sent by a task of its own."""

    def __init__(
        self,
        connection: AsyncConnection,
        pending: AsyncPending,
        streams: CallStreams,
        method: StreamMethod[Any, R, T],
        source: AsyncSource | None,
        limits: Limits,
        options: CallOptions,
    ) -> None:
        """For a request that was sent."""
        self._connection = connection
        self._pending = pending
        self._streams = streams
        self._method = method
        self._source = source
        self._limits = limits
        self._watch = options.watch
        self._options = options
        # What the program's own source raised.
        self._failure: BaseException | None = None
        self._taking = False
        """Whether the program's source is asked: a frame that is being sent is not cut."""
        self._sending: asyncio.Task[None] | None = None
        if source is not None:
            self._sending = asyncio.ensure_future(self._send_all(source))
        # The end may come at any time: the deadline, a lost connection.
        pending.answer.add_done_callback(self._ended)

    async def receive(self) -> Iterable[T] | None:
        frames = self._streams.frames
        try:
            while not frames and not self._pending.answer.done():
                await self._pending.change()
            if not frames:
                self._end()
                return None
            frame, credit = self._streams.take()
            if credit:
                self._connection.give(self._pending, credit_frame(self._pending.call, credit))
            return self._method.decode_items(frame, self._limits)
        except BaseException:
            self.close()
            raise

    async def finish(self) -> R:
        try:
            while not self._pending.answer.done():
                await self._pending.change()
            return self._end()
        finally:
            self.close()
            await self.closed()

    def close(self) -> None:
        self._connection.leave(self._pending)

    async def closed(self) -> None:
        if self._sending is not None:
            await asyncio.wait((self._sending,))

    def _ended(self, answer: asyncio.Future[RawAnswer]) -> None:
        if not answer.cancelled():
            # It is raised to those who read, if there are any.
            answer.exception()
        self.close()
        self._pending.wake()
        if self._sending is not None and self._taking:
            self._sending.cancel()

    def _end(self) -> R:
        """The outcome of a call that has ended."""
        if self._failure is not None:
            raise self._failure
        if self._pending.answer.cancelled():
            raise CreoError(ErrorCode.CANCELLED, "the program closed the stream")
        answer = self._pending.answer.result()
        if self._options.raw_messages is not None:
            from .._tcp.raw import show_answer

            peer = self._connection.peer
            show_answer(self._method, self._options, peer, False, answer)
        if self._watch is not None and answer.metadata is not None:
            self._watch.answered(answer_with(answer.metadata))
        return self._method.finish(answer, self._limits, self._connection.peer)

    async def _send_all(self, source: AsyncSource) -> None:
        """Sends the program's items until they or the call end; its failure ends the call."""
        pending, streams = self._pending, self._streams
        last = False
        try:
            for sent in count():
                if last:
                    break
                # The answer may have come: the loop sees it here, however fast the items come.
                if sent % _TURN == 0:
                    await asyncio.sleep(0)
                while not streams.may_send and not pending.answer.done():
                    await pending.change()
                if not source.begin(pending.answer.done):
                    return
                self._taking = True
                content, last = await source.next(self._limits)
                self._taking = False
                await self._connection.send(streams.frame(pending.call, content, last), pending)
        except BaseException as failure:
            if not pending.answer.done():
                self._failure = failure
                self.close()
        finally:
            self._taking = False
            # A call that took nothing may be made elsewhere.
            if source.taken():
                await source.aclose()
