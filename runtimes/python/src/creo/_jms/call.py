"""A call over JMS that is under way, as its connection sees it, on the connection's loop."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    import asyncio
    from typing import Callable

    from .._base import CreoError
    from . import JmsRequest
    from .message import Message


class Inbox(Protocol):
    """Takes the messages of a queue of its own, which the broker makes for it."""

    def opened(self, address: str) -> None:
        """The queue exists, and has this address."""
        ...

    def received(self, message: Message, size: int) -> None:
        """A message of so many bytes has come."""
        ...

    def refused(self, error: CreoError) -> None:
        """The broker does not make the queue, or has deleted it."""
        ...


class Queue(Protocol):
    """A queue of an inbox."""

    def let_in(self, messages: int) -> None:
        """Lets the broker send so many messages more."""
        ...

    def close(self) -> None:
        """Deletes it; its inbox hears no more of it."""
        ...


class Call(ABC):
    """A request, and what its connection tells of it."""

    __slots__ = ("late", "oneway", "reply_to", "request", "sent", "tag", "until")

    def __init__(self, request: JmsRequest, until: float | None, oneway: bool) -> None:
        self.request = request
        self.until = until
        self.oneway = oneway
        self.sent = False
        self.tag = ""
        """Its correlation id (JMS-6)."""
        self.reply_to: str | None = None
        """The queue for its answer alone; None for that of the connection."""
        self.late: asyncio.TimerHandle | None = None

    @property
    @abstractmethod
    def ended(self) -> bool:
        """Whether it has an outcome."""

    @abstractmethod
    def answered(self, answer: Message | None) -> None:
        """An answer has come to the connection's queue; None if the broker has a oneway call."""

    @abstractmethod
    def fail(self, error: CreoError) -> None:
        """Ends it, unless it has ended."""


class QueueCall(Call, Inbox):
    """A call that has a queue of its own for its answers."""

    __slots__ = ()

    @abstractmethod
    def begun(self, queue: Queue, post: Callable[[], None], leave: Callable[[], None]) -> None:
        """The queue was asked for. ``post`` sends the request, ``leave`` forgets the call."""


class OneAnswer(Call):
    """A call with one answer at most."""

    __slots__ = ("_done",)

    def __init__(
        self,
        request: JmsRequest,
        until: float | None,
        oneway: bool,
        done: asyncio.Future[Message | None],
    ) -> None:
        super().__init__(request, until, oneway)
        self._done = done

    @property
    def ended(self) -> bool:
        return self._done.done()

    def answered(self, answer: Message | None) -> None:
        if not self._done.done():
            self._done.set_result(answer)

    def fail(self, error: CreoError) -> None:
        if not self._done.done():
            self._done.set_exception(error)
