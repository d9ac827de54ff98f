"""Streams over TCP (``spec/transports/tcp.md``, section 4), without input or output."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Any, Final

from .._base import CreoError, ErrorCode
from . import CREDIT, items_frame

if TYPE_CHECKING:
    from .._base import Limits
    from .._call import RawAnswer

#: The credit of each direction when a call begins (TCP-32).
INITIAL: Final = 262_144
_MOST: Final = (1 << 31) - 1


class Streams:
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
        parts = items_frame(call, content, last)
        self._sent += sum(map(len, content))
        return parts


def receive(streams: Streams | None, frame: RawAnswer) -> None:
    """Takes in a frame of items or of credit, of a call under way.

    :raises CreoError: the peer violates the protocol (TCP-33).
    """
    if streams is not None:
        streams.receive(frame)
    elif frame.kind != CREDIT:
        raise CreoError(ErrorCode.MALFORMED, "the server sent items of a call without streams")
