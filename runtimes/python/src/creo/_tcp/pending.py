"""A call in progress of the blocking client."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import threading

    from .._base import CreoError
    from .._call import RawAnswer
    from . import Streams


class NotSent(Exception):
    """The connection was gone before a byte of the request was written (TCP-16)."""


class Pending:
    """A call in progress."""

    __slots__ = ("answer", "call", "cancellable", "error", "streams", "wakes")

    def __init__(self, call: int, cancellable: bool, streams: Streams | None) -> None:
        self.call = call
        self.cancellable = cancellable
        self.streams = streams
        self.answer: RawAnswer | None = None
        self.error: CreoError | None = None
        # Of the threads that wait while another one reads.
        self.wakes: list[threading.Event] = []

    @property
    def done(self) -> bool:
        """Whether it has ended."""
        return self.answer is not None or self.error is not None

    def wake(self) -> None:
        """Lets the threads that wait for it look again."""
        for waiting in tuple(self.wakes):
            waiting.set()
