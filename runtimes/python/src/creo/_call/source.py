"""The items that a program sends in a call with streams, as the contents of frames."""

from __future__ import annotations

import threading
from array import array
from typing import TYPE_CHECKING, Any, Final

from .._buffer import Array

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator
    from typing import Callable

    from .._base import Limits
    from .._binary import Part
    from .streams import StreamMethod

#: TCP-30: a sender puts no more bytes into a frame unless a single item is larger.
FRAME: Final = 65_536
_FIRST: Final = 16
#: The content of a frame without items.
EMPTY: Final = b"\0"
#: Only these are there already: another collection may fetch its items when it is asked.
_THERE: Final = (list, tuple, range, bytes, bytearray, memoryview, array, Array)


class Source:
    """The items of a program, taken at most as fast as ``take`` is called."""

    def __init__(self, method: StreamMethod[Any, Any, Any], items: Any) -> None:
        self.encode: Callable[[Any, Limits], list[Part]] = method.encode_items
        """Makes the content of a frame of items; a channel may set another one."""
        self._source = items
        self._iterator: Any = None
        self.there = isinstance(items, _THERE) or hasattr(items, "__array_interface__")
        """Whether all items are there already."""
        self._there: Any = items if self.there else None
        self._next = 0
        self.count = _FIRST
        """How many items a frame will hold, by the sizes of those before."""
        self._taken = False
        self._lock = threading.Lock()

    def taken(self) -> bool:
        """Whether an item may have been taken."""
        with self._lock:
            return self._taken

    def begin(self, ended: Callable[[], bool]) -> bool:
        """Whether a call may take items: it has not ended, after which another may take them."""
        with self._lock:
            if not ended():
                self._taken = True
                return True
            return False

    def take(self, limits: Limits) -> tuple[list[Part], bool]:
        """The content of the next frame, and whether it is the last.

        It takes one item from an iterable, since the next one may come much later; from a list,
        tuple or array as many as a frame should hold.
        """
        if self.there:
            content = self._slice(limits)
            return content, self._next >= len(self._there)
        for item in self.items():
            content = self.encode((item,), limits)
            self.count = max(1, min(_FIRST, FRAME // sum(map(len, content))))
            return content, False
        return [EMPTY], True

    def items(self) -> Iterator[Any]:
        """The items that were not taken yet, of an iterable."""
        if self._iterator is None:
            # An iterator itself is closed at the end, not what it would give for a loop.
            own = hasattr(self._source, "__next__")
            self._iterator = self._source if own else iter(self._source)
        found: Iterator[Any] = self._iterator
        return found

    def frames(self, items: list[Any], limits: Limits) -> Iterator[list[Part]]:
        """The contents of frames with items that were taken."""
        self._there, self._next = items, 0
        while self._next < len(items):
            yield self._slice(limits)

    def close(self) -> None:
        """Closes what can be closed (CALL-42)."""
        source = self._source if self._iterator is None else self._iterator
        if hasattr(source, "close") and not self.there:
            source.close()

    def _slice(self, limits: Limits) -> list[Part]:
        """A frame with some of the items that are there."""
        count = self.count
        while True:
            some = self._there[self._next : self._next + count]
            content = self.encode(some, limits)
            size = sum(map(len, content))
            fitting = len(some) * FRAME * 7 // (size * 8)
            if size <= FRAME or len(some) <= 1:
                break
            count = max(1, min(len(some) - 1, fitting))
        self._next += len(some)
        self.count = max(1, min(FRAME, count * 16, fitting))
        return content


class AsyncSource(Source):
    """The items of a program that uses asyncio: an iterable, or an asynchronous one."""

    def __init__(self, method: StreamMethod[Any, Any, Any], items: Any) -> None:
        super().__init__(method, items)
        self._awaited: Any = None
        self._step: _Step | None = None
        self._ended = False

    async def next(self, limits: Limits) -> tuple[list[Part], bool]:
        """As ``take``. Items of an asynchronous iterable that are there at once are gathered."""
        if not hasattr(self._source, "__aiter__"):
            return self.take(limits)
        if self._there is None:
            self._there = await self._gather()
            self._next = 0
        if not self._there:
            return [EMPTY], True
        content = self._slice(limits)
        if self._next >= len(self._there):
            self._there = None
        return content, self._ended and self._there is None

    async def aclose(self) -> None:
        """Closes what can be closed (CALL-42)."""
        if not hasattr(self._source, "__aiter__"):
            self.close()
            return
        step, self._step = self._step, None
        if step is not None:
            step.close()
        source = self._source if self._awaited is None else self._awaited
        if hasattr(source, "aclose"):
            await source.aclose()

    async def _gather(self) -> list[Any]:
        """Waits for one item, and takes those that follow it without waiting."""
        if self._awaited is None:
            self._awaited = self._source.__aiter__()
        items: list[Any] = []
        try:
            while len(items) < self.count:
                step, self._step = self._step, None
                if step is None:
                    step = _Step(self._awaited.__anext__())
                if not step.done:
                    if items:
                        self._step = step
                        break
                    await step
                items.append(step.value)
        except StopAsyncIteration:
            self._ended = True
        return items


class _Step:
    """An awaitable that has begun: it may be done already, and can be awaited later if not."""

    def __init__(self, awaitable: Any) -> None:
        self._steps: Generator[Any, Any, Any] = awaitable.__await__()
        self.value: Any = None
        self.done = False
        self._waits_for: Any = self._go(self._steps.send, None)

    def __await__(self) -> Generator[Any, Any, None]:
        while not self.done:
            try:
                sent = yield self._waits_for
            except BaseException as failure:
                self._waits_for = self._go(self._steps.throw, failure)
            else:
                self._waits_for = self._go(self._steps.send, sent)

    def close(self) -> None:
        """Gives it up."""
        self._steps.close()

    def _go(self, step: Any, given: Any) -> Any:
        try:
            return step(given)
        except StopIteration as end:
            self.done, self.value = True, end.value
            return None
