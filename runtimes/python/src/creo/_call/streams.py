"""Calls with streams (``spec/calls.md``, section 5), for any transport that carries them."""

from __future__ import annotations

from array import array
from collections.abc import AsyncIterable, Iterable, Iterator
from contextlib import AbstractContextManager, ExitStack, suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Callable, Final, Generic, Protocol, TypeVar, Union, cast

from .._base import CreoError, DefaultDeadline, ErrorCode, invalid_value, not_started
from .._binary import writing
from .._binary.schema import BYTES, ArrayType, Parameters, StructType, Type, decode, encode, later
from . import Interface, Method
from .client import AsyncClient, Client, Watched
from .source import AsyncSource, Source

if TYPE_CHECKING:
    from types import TracebackType

    from typing_extensions import Self

    from .._base import Limits
    from .._binary import Reading, Writing
    from .._binary.schema import Fast
    from . import CallOptions

A = TypeVar("A")
R = TypeVar("R")
T = TypeVar("T")
R_co = TypeVar("R_co", covariant=True)
T_co = TypeVar("T_co", covariant=True)

#: What a program that uses asyncio may send.
Items = Union[Iterable[T], AsyncIterable[T]]
_PLACE: Final = "$items"


# Methods


class StreamMethod(Method[A, R], Generic[A, R, T]):
    """A method with a stream as its result, as its last parameter, or both."""

    __slots__ = ("_fast_items", "_fast_sent", "_items", "_sent", "_writer")

    def __init__(
        self,
        interface: Interface,
        name: str,
        id_: int,
        write: Callable[[Writing, A], None],
        parameters: Callable[[], Parameters],
        result: Callable[[], tuple[Callable[[bytes, int, Reading], tuple[R, int]], Type]] | None,
        throws: Callable[[], tuple[StructType[Any], ...]],
        items: Callable[[], tuple[Callable[[bytes, int, Reading], tuple[Iterable[T], int]], Type]]
        | None,
        sent: Callable[[], tuple[Callable[[Writing, Any], None], Type]] | None,
        secrets: tuple[str, ...],
    ) -> None:
        """``items`` and ``sent`` are the codecs and the types of arrays of the items."""
        super().__init__(interface, name, id_, write, parameters, result, throws, secrets=secrets)
        self._items = items
        self._sent = sent
        self._writer: tuple[Callable[[Writing, Any], None], Type] | None = None
        self._fast_items = None if items is None else later(lambda: items()[1])
        self._fast_sent = None if sent is None else later(lambda: sent()[1])

    @property
    def reads(self) -> bool:
        """Whether its result is a stream."""
        return self._items is not None

    @property
    def writes(self) -> bool:
        """Whether its last parameter is a stream."""
        return self._sent is not None

    @property
    def fast_item(self) -> Fast | None:
        """The codec in C of an item of its result, if there is one."""
        items = self._items
        if items is None:
            return None
        type_ = items()[1]
        return later(lambda: type_.item) if isinstance(type_, ArrayType) else None

    def decode_items(self, frame: bytes, limits: Limits) -> Iterable[T]:
        """The items of a frame (TCP-30)."""
        assert self._items is not None
        found: Any = NotImplemented
        if self._fast_items is not None:
            found = self._fast_items.decode(frame, limits)
        if found is NotImplemented:
            read, type_ = self._items()
            found = decode(read, type_, frame, limits, _PLACE)
        # The items of bytes are signed.
        return cast("Iterable[T]", memoryview(found).cast("b") if type(found) is bytes else found)

    def encode_items(self, items: Any, limits: Limits) -> Writing:
        """The content of a frame with these items."""
        assert self._sent is not None
        if self._writer is None:
            self._writer = self._sent()
        write, type_ = self._writer
        if type_ is BYTES and isinstance(items, (list, tuple, range)):
            try:
                items = array("b", cast("Any", items))
            except (TypeError, OverflowError):
                raise invalid_value("each item must be a byte, -128 to 127", _PLACE) from None
        if self._fast_sent is not None:
            body = self._fast_sent.encode(items, limits)
            if body is not NotImplemented:
                parts = writing(limits.max_depth)
                parts.append(body)
                return parts
        return encode(write, lambda: type_, items, limits, _PLACE)


def stream_method(
    interface: Interface,
    name: str,
    id_: int,
    write: Callable[[Writing, A], None],
    parameters: Callable[[], Parameters],
    items: Callable[[], tuple[Callable[[bytes, int, Reading], tuple[Iterable[T], int]], Type]],
    throws: Callable[[], tuple[StructType[Any], ...]] = tuple,
    *,
    sent: Callable[[], tuple[Callable[[Writing, Any], None], Type]] | None = None,
    secrets: tuple[str, ...] = (),
) -> StreamMethod[A, None, T]:
    """A method whose result is a stream."""
    return StreamMethod(interface, name, id_, write, parameters, None, throws, items, sent, secrets)


def upload_method(
    interface: Interface,
    name: str,
    id_: int,
    write: Callable[[Writing, A], None],
    parameters: Callable[[], Parameters],
    result: Callable[[], tuple[Callable[[bytes, int, Reading], tuple[R, int]], Type]],
    throws: Callable[[], tuple[StructType[Any], ...]] = tuple,
    *,
    sent: Callable[[], tuple[Callable[[Writing, Any], None], Type]],
    secrets: tuple[str, ...] = (),
) -> StreamMethod[A, R, None]:
    """A method with a result that takes a stream."""
    return StreamMethod(
        interface, name, id_, write, parameters, result, throws, None, sent, secrets
    )


def void_upload_method(
    interface: Interface,
    name: str,
    id_: int,
    write: Callable[[Writing, A], None],
    parameters: Callable[[], Parameters],
    throws: Callable[[], tuple[StructType[Any], ...]] = tuple,
    *,
    sent: Callable[[], tuple[Callable[[Writing, Any], None], Type]],
    secrets: tuple[str, ...] = (),
) -> StreamMethod[A, None, None]:
    """A method without a result that takes a stream."""
    return StreamMethod(interface, name, id_, write, parameters, None, throws, None, sent, secrets)


# What a program reads


class StreamCall(Protocol[R_co, T_co]):
    """A call with streams that is under way, of a blocking client."""

    def receive(self) -> Iterable[T_co] | None:
        """The items that came next; None at the end.

        :raises CreoError: if the call failed; or an exception that the method declares.
        """
        ...

    def finish(self) -> R_co:
        """Sends the items of the program, and waits for the result."""
        ...

    def close(self) -> None:
        """Ends the call, unless it has ended."""
        ...


class AsyncStreamCall(Protocol[R_co, T_co]):
    """A call with streams that is under way, of an asyncio client."""

    async def receive(self) -> Iterable[T_co] | None:
        """The items that came next; None at the end."""
        ...

    async def finish(self) -> R_co:
        """Waits for the result."""
        ...

    def close(self) -> None:
        """Ends the call, unless it has ended."""
        ...

    async def closed(self) -> None:
        """Waits until the program's source of items is closed."""
        ...


class _Reading(Generic[T]):
    """Shared by both kinds of stream: the items of one frame, and the end."""

    def __init__(self, watched: AbstractContextManager[CallOptions]) -> None:
        self._watched: AbstractContextManager[CallOptions] | None = watched
        self._items: Iterator[T] = iter(())
        self._failure: BaseException | None = None

    @property
    def _open(self) -> bool:
        """Whether the end has not been read; otherwise raises the failure that the end is."""
        if self._watched is not None:
            return True
        if self._failure is not None:
            raise self._failure
        return False

    def _end(self, failure: BaseException | None) -> None:
        """Notes the end, and tells it to those who watch the call."""
        watched, self._watched = self._watched, None
        if watched is None:
            return
        self._failure = failure
        try:
            watched.__exit__(type(failure) if failure else None, failure, _trace_of(failure))
        except BaseException as raised:
            self._failure = raised
            raise

    def _close(self) -> None:
        self._items = iter(())
        self._end(CreoError(ErrorCode.CANCELLED, "the program closed the stream before its end"))


class ItemStream(_Reading[T]):
    """The items of a method that returns a stream: an iterator, and a context manager.

    It waits for the next item. Where the call fails, it raises the ``CreoError`` or the exception
    that the method declares, after all items that came before. ``close``, which ``with`` calls,
    cancels the call unless the end was read; reading on then raises ``cancelled``.

    One thread at a time may read it; any may close it.
    """

    def __init__(
        self,
        watched: AbstractContextManager[CallOptions],
        call: StreamCall[Any, T],
        source: Source | None,
    ) -> None:
        """Only for the runtime."""
        super().__init__(watched)
        self._call = call
        self._source = source

    def __iter__(self) -> Iterator[T]:
        yield from self._items
        while self._more():
            yield from self._items

    def __next__(self) -> T:
        while True:
            for item in self._items:
                return item
            if not self._more():
                raise StopIteration

    def close(self) -> None:
        """Ends the call, unless it has ended."""
        if self._watched is not None:
            self._call.close()
            self._close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _end(self, failure: BaseException | None) -> None:
        # What was taken from is closed by the thread that takes.
        if self._source is not None and not self._source.taken():
            self._source.close()
        super()._end(failure)

    def __del__(self) -> None:
        # Locks may be held where objects are collected: another thread takes them.
        if getattr(self, "_watched", None) is not None:
            from threading import Thread

            with suppress(RuntimeError):
                Thread(target=self.close, name="creo close", daemon=True).start()

    def _more(self) -> bool:
        if not self._open:
            return False
        try:
            found = self._call.receive()
        except BaseException as failure:
            self._end(failure)
            raise
        if found is None:
            self._end(None)
            return False
        self._items = iter(found)
        return True


class AsyncItemStream(_Reading[T]):
    """The items of a method that returns a stream: an async iterator and context manager.

    The call begins with the first item that is awaited, or with ``async with``. Otherwise it is
    like ``ItemStream``. Cancelling the task that waits for an item ends the call.
    """

    def __init__(
        self,
        watched: AbstractContextManager[CallOptions],
        begin: Callable[[CallOptions], Any],
        source: AsyncSource | None,
    ) -> None:
        """Only for the runtime. ``begin`` opens the call, which sends the items of ``source``."""
        super().__init__(watched)
        self._begin = begin
        self._source = source
        self._call: AsyncStreamCall[Any, T] | None = None

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> T:
        while True:
            for item in self._items:
                return item
            if not await self._more():
                raise StopAsyncIteration

    async def aclose(self) -> None:
        """Ends the call, unless it has ended."""
        if self._call is None and self._watched is not None:
            # It has not begun: there is nothing to tell.
            self._watched = None
            self._failure = CreoError(ErrorCode.CANCELLED, "the program closed the stream")
        self._drop()
        await self._ended()

    async def __aenter__(self) -> Self:
        await self._begun()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    def __del__(self) -> None:
        # Objects are collected on any thread.
        if getattr(self, "_call", None) is not None and self._watched is not None:
            with suppress(RuntimeError):
                self._loop.call_soon_threadsafe(self._drop)

    def _drop(self) -> None:
        if self._call is not None and self._watched is not None:
            self._call.close()
            self._close()

    async def _ended(self) -> None:
        """Closes the source of a call that has ended."""
        if self._call is not None:
            await self._call.closed()
        if self._source is not None:
            await self._source.aclose()

    async def _begun(self) -> AsyncStreamCall[Any, T]:
        if self._call is None and self._watched is not None:
            from asyncio import get_running_loop

            self._loop: Any = get_running_loop()
            options = self._watched.__enter__()
            try:
                self._call = await self._begin(options)
            except BaseException as failure:
                self._end(failure)
                await self._ended()
                raise
        return cast("AsyncStreamCall[Any, T]", self._call)

    async def _more(self) -> bool:
        if not self._open:
            return False
        call = await self._begun()
        try:
            found = await call.receive()
        except BaseException as failure:
            self._end(failure)
            await self._ended()
            raise
        if found is None:
            self._end(None)
            await self._ended()
            return False
        self._items = iter(found)
        return True


def _trace_of(failure: BaseException | None) -> TracebackType | None:
    return None if failure is None else failure.__traceback__


# Clients


class StreamClient(Client):
    """The base class of generated blocking clients whose interface has streams."""

    def _stream(
        self,
        method: StreamMethod[A, Any, T],
        arguments: A,
        items: Iterable[Any] | None = None,
    ) -> ItemStream[T]:
        """Calls a method that returns a stream."""
        source = Source(method, items) if method.writes else None
        watched = Watched(method, _without_default(self._options))
        with ExitStack() as failed:
            if source is not None:
                failed.callback(source.close)
            options = failed.enter_context(watched)
            call = opened(self._channel, method, arguments, source, options)
            failed.pop_all()
        return ItemStream(watched, call, source)

    def _upload(self, method: StreamMethod[A, R, Any], arguments: A, items: Iterable[Any]) -> R:
        """Calls a method that takes a stream, and waits for its result."""
        source = Source(method, items)
        with ExitStack() as ended:
            ended.callback(source.close)
            options = ended.enter_context(Watched(method, _without_default(self._options)))
            result: R = opened(self._channel, method, arguments, source, options).finish()
            return result


class AsyncStreamClient(AsyncClient):
    """The base class of generated asyncio clients whose interface has streams."""

    def _stream(
        self,
        method: StreamMethod[A, Any, T],
        arguments: A,
        items: Iterable[Any] | AsyncIterable[Any] | None = None,
    ) -> AsyncItemStream[T]:
        """Makes the stream that a method returns; the call begins when it is read."""
        source = AsyncSource(method, items) if method.writes else None

        async def begin(options: CallOptions) -> Any:
            return await opened(self._channel, method, arguments, source, options)

        return AsyncItemStream(Watched(method, _without_default(self._options)), begin, source)

    async def _upload(
        self,
        method: StreamMethod[A, R, Any],
        arguments: A,
        items: Iterable[Any] | AsyncIterable[Any],
    ) -> R:
        """Calls a method that takes a stream, and waits for its result."""
        source = AsyncSource(method, items)
        try:
            with Watched(method, _without_default(self._options)) as options:
                call = await opened(self._channel, method, arguments, source, options)
                result: R = await call.finish()
                return result
        finally:
            await source.aclose()


def _without_default(options: CallOptions) -> CallOptions:
    """The options of a call with streams, which has only the deadline that was set (CALL-44)."""
    if isinstance(options.deadline, DefaultDeadline):
        return replace(options, deadline=None)
    return options


def opened(
    channel: Any,
    method: StreamMethod[Any, Any, Any],
    arguments: Any,
    source: Source | None,
    options: CallOptions,
) -> Any:
    """Opens a call on a channel that carries streams; for asyncio this is to be awaited.

    :raises CreoError: ``unknown-method`` for a channel that does not (CALL-47).
    """
    stream = getattr(channel, "stream", None)
    if stream is None:
        raise no_streams(method)
    return stream(method, arguments, source, options)


def no_streams(method: StreamMethod[Any, Any, Any]) -> CreoError:
    """The error for a channel that carries no streams."""
    message = f"{method.full_name} has two streams, which only the binary wire over TCP carries"
    if not (method.reads and method.writes):
        over = "TCP, or JMS" if method.reads else "TCP"
        message = (
            f"{method.full_name} has streams, which are carried by the binary wire over {over}, and"
            " by json over HTTP, if the code has that wire"
        )
    return not_started(CreoError(ErrorCode.UNKNOWN_METHOD, message))
