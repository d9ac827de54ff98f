"""Calls with streams at one of several addresses (CALL-45)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable, Generic, Protocol, TypeVar

from .._base import CreoError, ErrorCode
from .streams import opened

if TYPE_CHECKING:
    from collections.abc import Awaitable, Iterable

    from . import CallOptions
    from .source import Source
    from .streams import AsyncStreamCall, StreamCall, StreamMethod

C = TypeVar("C")
R = TypeVar("R")
S = TypeVar("S")
T = TypeVar("T")


class Placing(Protocol[C]):
    """Chooses the address of each attempt at a call."""

    idle: list[C]

    def __enter__(self) -> tuple[C, CallOptions]: ...

    def end(self, failure: BaseException | None, *, stays: bool = False) -> bool:
        """Ends an attempt; whether there is to be another one."""
        ...


class _Placed(Generic[R, T]):
    """A call that goes to another address as long as nothing of its streams was read or taken."""

    def __init__(
        self,
        placing: Placing[Any],
        method: StreamMethod[Any, R, T],
        arguments: Any,
        source: Source | None,
    ) -> None:
        """``arguments`` can be written several times."""
        self._placing = placing
        self._method = method
        self._arguments = arguments
        self._source = source
        self._read = False
        self._ended = False

    def _open(self) -> Any:
        """Begins an attempt; for asyncio this is to be awaited."""
        channel, options = self._placing.__enter__()
        return opened(channel, self._method, self._arguments, self._source, options)

    def _goes_elsewhere(self, failure: BaseException | None) -> bool:
        if self._ended:
            return False
        taken = self._source is not None and self._source.taken()
        self._ended = not self._placing.end(failure, stays=taken or self._read)
        return not self._ended


class PlacedStream(_Placed[R, T]):
    """Such a call of a blocking client."""

    def __init__(
        self,
        placing: Placing[Any],
        method: StreamMethod[Any, R, T],
        arguments: Any,
        source: Source | None,
    ) -> None:
        super().__init__(placing, method, arguments, source)
        self._call = self._begun()

    def receive(self) -> Iterable[T] | None:
        found = self._attempt(lambda: self._call.receive())
        self._read = True
        if found is None:
            self._leave(None)
        return found

    def finish(self) -> R:
        result = self._attempt(lambda: self._call.finish())
        self._leave(None)
        return result

    def close(self) -> None:
        self._call.close()
        self._leave(CreoError(ErrorCode.CANCELLED, "the program closed the stream"))

    def _begun(self) -> StreamCall[R, T]:
        while True:
            try:
                call: StreamCall[R, T] = self._open()
                return call
            except BaseException as failure:
                if not self._leave(failure):
                    raise

    def _attempt(self, step: Callable[[], S]) -> S:
        while True:
            try:
                return step()
            except BaseException as failure:
                if not self._leave(failure):
                    raise
            self._call = self._begun()

    def _leave(self, failure: BaseException | None) -> bool:
        if self._goes_elsewhere(failure):
            return True
        while self._placing.idle:
            self._placing.idle.pop().close()
        return False


class AsyncPlacedStream(_Placed[R, T]):
    """Such a call of an asyncio client."""

    async def begun(self) -> AsyncPlacedStream[R, T]:
        """Itself, when the request was sent."""
        self._call = await self._next()
        return self

    async def receive(self) -> Iterable[T] | None:
        found = await self._attempt(lambda: self._call.receive())
        self._read = True
        if found is None:
            await self._leave(None)
        return found

    async def finish(self) -> R:
        result = await self._attempt(lambda: self._call.finish())
        await self._leave(None)
        return result

    def close(self) -> None:
        self._call.close()
        self._goes_elsewhere(CreoError(ErrorCode.CANCELLED, "the program closed the stream"))

    async def closed(self) -> None:
        await self._call.closed()
        await self._leave(None)

    async def _next(self) -> AsyncStreamCall[R, T]:
        while True:
            try:
                call: AsyncStreamCall[R, T] = await self._open()
                return call
            except BaseException as failure:
                if not await self._leave(failure):
                    raise

    async def _attempt(self, step: Callable[[], Awaitable[S]]) -> S:
        while True:
            try:
                return await step()
            except BaseException as failure:
                if not await self._leave(failure):
                    raise
            self._call = await self._next()

    async def _leave(self, failure: BaseException | None) -> bool:
        if self._goes_elsewhere(failure):
            return True
        while self._placing.idle:
            await self._placing.idle.pop().close()
        return False
