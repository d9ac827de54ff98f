"""Streams over TCP (``spec/transports/tcp.md``, section 4), and calls of the blocking client."""

from __future__ import annotations

import threading
from collections import deque
from typing import TYPE_CHECKING, Any, Final, Generic, TypeVar

from .._base import CreoError, ErrorCode, too_large
from .._call import answer_with
from .._call.source import EMPTY
from .._call.streams import no_streams as no_streams  # for the channel, which finds it here
from . import CREDIT, END, ITEMS, head

if TYPE_CHECKING:
    from collections.abc import Iterable

    from .._base import Limits
    from .._binary import Part
    from .._call import CallOptions, RawAnswer
    from .._call.source import Source
    from .._call.streams import StreamMethod
    from .connection import Connection
    from .pending import Pending

R = TypeVar("R")
T = TypeVar("T")

#: The credit of each direction when a call begins (TCP-32).
INITIAL: Final = 262_144
_MOST: Final = (1 << 31) - 1


class CallStreams:
    """The streams of a call: the frames that came, and the credit of both sides.

    One thread receives, one takes and one sends; each number is written by one of them.
    """

    def __init__(self, call_reads: bool, limits: Limits) -> None:
        # Their contents, or why one was refused.
        self.frames: deque[bytes | CreoError] = deque()
        self._reads = call_reads
        self._window = min(max(limits.stream_window, INITIAL), _MOST)
        # Bytes since the call began: received, taken by the program, and let in by credit.
        self._arrived = 0
        self._taken = 0
        self._given = INITIAL
        # Bytes that this side has sent, and may send.
        self._sent = 0
        self._credit = INITIAL

    def receive(self, frame: RawAnswer) -> None:
        """Takes in a frame of items or of credit.

        :raises CreoError: the peer violates the protocol (TCP-33).
        """
        if frame.kind == CREDIT:
            size = int.from_bytes(frame.body, "big")
            if not 0 < size <= _MOST - max(0, self._credit - self._sent):
                raise CreoError(ErrorCode.MALFORMED, f"the server sent a credit of {size} bytes")
            self._credit += size
            return
        if not self._reads:
            message = "the server sent items of a call that has no stream of results"
            raise CreoError(ErrorCode.MALFORMED, message)
        if self._arrived >= self._given:
            message = "the server sent items for which it had no credit"
            raise CreoError(ErrorCode.MALFORMED, message)
        self._arrived += len(frame.body)
        self.frames.append(frame.error or frame.body)

    def take(self) -> tuple[bytes, int]:
        """The content of the next frame, and the credit that the peer gets now; 0 for none.

        :raises CreoError: the frame was refused.
        """
        frame = self.frames.popleft()
        if isinstance(frame, CreoError):
            raise frame
        self._taken += len(frame)
        more = min(_MOST, self._window + self._taken - self._given)
        # Short streams need none.
        if more < self._window // 4 or self._arrived < INITIAL // 2:
            return frame, 0
        self._given += more
        return frame, more

    @property
    def may_send(self) -> bool:
        """Whether a frame of items may be sent."""
        return self._sent < self._credit

    def frame(self, call: int, content: Any, last: bool) -> list[Any]:
        """A frame with these items, which is sent next."""
        size = sum(map(len, content))
        if size > _MOST - 6:
            raise too_large("maxMessageSize", _MOST, "the items do not fit into a frame")
        self._sent += size
        return [head(ITEMS, call, size, END if last else 0), *content]


def credit_frame(call: int, size: int) -> bytes:
    """A frame that lets the peer send so many bytes of items (TCP-32)."""
    return head(CREDIT, call, 4) + size.to_bytes(4, "big")


#: So many items of an iterable go alone, before a thread is worth its cost.
_ALONE: Final = 32
#: And only where so many go into one frame.
_MANY: Final = 4
# Seconds between looks at a connection that nobody may be reading, and the most reads of each.
_PAUSE: Final = 1.0
_LOOKS: Final = 64


class _Taken:
    """Items that one thread takes from the program, and another sends."""

    def __init__(self) -> None:
        self.changed = threading.Condition()
        self.items: list[Any] = []
        self.ended = self.stopped = False
        """Whether there are no more, and whether no more are sent."""


class BlockingCall(Generic[R, T]):
    """A call with streams of a blocking client, on a connection that others share."""

    def __init__(
        self,
        connection: Connection,
        pending: Pending,
        streams: CallStreams,
        method: StreamMethod[Any, R, T],
        source: Source | None,
        limits: Limits,
        until: float | None,
        options: CallOptions,
    ) -> None:
        """For a request that was sent, which the cancellation has.

        A thread sends the items if the call also reads some.
        """
        self._connection = connection
        self._pending = pending
        self._streams = streams
        self._method = method
        self._source = source
        self._limits = limits
        self._until = until
        self._watch = options.watch
        self._options = options
        self._cancellation = options.cancellation
        # What the program's own source raised.
        self._failure: BaseException | None = None
        if not connection.kept:
            connection.kept = True
            threading.Thread(
                target=_keep, args=(connection,), name="creo streams", daemon=True
            ).start()
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
                self._connection.give(self._pending, credit_frame(self._pending.call, credit))
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
        if self._options.raw_messages is not None:
            from .._tcp.raw import show_answer

            peer = self._connection.peer
            show_answer(self._method, self._options, peer, False, answer)
        if self._watch is not None and answer.metadata is not None:
            self._watch.answered(answer_with(answer.metadata))
        return self._method.finish(answer, self._limits, self._connection.peer)

    def _leave(self) -> None:
        if self._cancellation is not None:
            self._cancellation.leave(self._pending)
        self._connection.close_if_drained()

    def _send_all(self) -> None:
        """Sends the program's items until they or the call end; its failure ends the call."""
        source = self._source
        assert source is not None
        try:
            last, sent = False, 0
            while not last and self._may_send() and source.begin(self._has_ended):
                if sent >= _ALONE and source.count >= _MANY and not source.there:
                    self._gather(source)
                    break
                content, last = source.take(self._limits)
                self._send(content, last)
                sent += 1
        except BaseException as failure:
            self._fail(failure)
        finally:
            # A call that took nothing may be made elsewhere.
            if source.taken():
                try:
                    source.close()
                except BaseException as failure:
                    self._fail(failure)

    def _may_send(self) -> bool:
        """Waits for credit; false if the call has ended."""
        if self._streams.may_send:
            self._connection.glance()
        else:
            self._connection.wait_until(self._pending, self._until, lambda: self._streams.may_send)
        return not self._pending.done

    def _has_ended(self) -> bool:
        return self._pending.done

    def _send(self, content: list[Part], last: bool) -> None:
        frame = self._streams.frame(self._pending.call, content, last)
        # A program that reads does not wait for what another thread sends.
        whole = self._method.reads
        self._connection.send_items(self._pending, frame, self._until, whole=whole)

    # A frame for each item costs much more than its bytes. From a source that gives many, another
    # thread sends: what this one takes meanwhile goes into one frame, and no item waits for the
    # next.

    def _gather(self, source: Source) -> None:
        taken = _Taken()
        sending = threading.Thread(
            target=self._send_taken, args=(source, taken), name="creo items", daemon=True
        )
        sending.start()
        try:
            for item in source.items():
                with taken.changed:
                    taken.items.append(item)
                    taken.changed.notify()
                    while not taken.stopped and (
                        len(taken.items) >= source.count or not self._streams.may_send
                    ):
                        taken.changed.wait()
                    if taken.stopped:
                        break
        except BaseException as failure:
            self._fail(failure)
        with taken.changed:
            taken.ended = True
            taken.changed.notify()
        sending.join()

    def _send_taken(self, source: Source, taken: _Taken) -> None:
        try:
            while self._may_send():
                with taken.changed:
                    # There is credit again.
                    taken.changed.notify()
                    while not taken.items and not taken.ended:
                        taken.changed.wait()
                    items, taken.items = taken.items, []
                    last = taken.ended
                    taken.changed.notify()
                contents = list(source.frames(items, self._limits))
                if last:
                    contents = contents or [[EMPTY]]
                for index, content in enumerate(contents):
                    if index and not self._may_send():
                        return
                    self._send(content, last and content is contents[-1])
                if last:
                    return
        except BaseException as failure:
            self._fail(failure)
        finally:
            with taken.changed:
                taken.stopped = True
                taken.changed.notify()

    def _fail(self, failure: BaseException) -> None:
        if self._failure is None:
            self._failure = failure
        self._connection.cancel(self._pending)


def _keep(connection: Connection) -> None:
    """Reads while streams are under way and their programs are busy with what they have.

    The server gets its pings answered, and is rid of what it may send. Memory is bounded by credit.
    """
    while True:
        while connection.has_streams and not connection.ended.wait(_PAUSE):
            for _ in range(_LOOKS):
                if not connection.glance():
                    break
        connection.kept = False
        # A call that has begun meanwhile relies on this thread, or on another one that it started.
        if not connection.has_streams or connection.ended.is_set() or connection.kept:
            return
        connection.kept = True
