"""Calls with a stream on the json wire, of both kinds of client (HTTP-30 to HTTP-37).

Each call has a connection of its own, which is closed when it has ended.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
import time
from typing import TYPE_CHECKING, Any, Final, Generic, TypeVar

from .._base import CreoError, ErrorCode
from .._call import with_peer
from .._call.net import deadline_exceeded
from .._http import request_head
from .streams import JsonStreams, Lines, chunk, first_chunk, sender

if TYPE_CHECKING:
    from collections.abc import Awaitable, Iterable

    from .._call import CallOptions
    from .._call.source import AsyncSource, Source
    from .._call.streams import StreamMethod
    from .._http.channel import AsyncHttpChannel, HttpChannel
    from .._http.client import HttpConnection
    from .._http.session import Hop

R = TypeVar("R")
T = TypeVar("T")

_RECEIVE: Final = 65_536


class _Call(Generic[R, T]):
    """Shared by both kinds: the request, and the answer being received."""

    def __init__(
        self,
        channel: Any,
        method: StreamMethod[Any, R, T],
        arguments: Any,
        source: Any,
        options: CallOptions,
    ) -> None:
        self._channel = channel
        self._url = channel.endpoint
        self._method = method
        self._options = options
        self._operation = operation = JsonStreams(method)
        self._source = None if source is None else sender(source, operation)
        self._until = None if options.deadline is None else time.monotonic() + options.deadline
        self._request = channel.request(operation.begin, arguments, options)
        self._hop: Hop | None = channel.opening(self._request)
        if self._hop is not None:
            self._request = self._hop.request
        self._lines: Lines[R, T] = self._new_lines()

    def _new_lines(self) -> Lines[R, T]:
        channel, options = self._channel, self._options
        operation: JsonStreams[R, T] = self._operation
        return Lines(
            operation,
            channel.limits,
            self._url,
            options,
            lambda response: channel.noted(self._request, response),
            lambda response: channel.finish(operation, response, options),
        )

    def _head(self) -> list[bytes]:
        """The bytes of the request, up to the items."""
        request, body = self._request, self._request.body
        size = sum(map(len, body)) if self._source is None else None
        head = request_head(self._url, request.target, request.headers, size, self._until)
        return [head, *body] if self._source is None else [head, first_chunk(body)]

    def _show_request(self) -> None:
        self._channel.show(self._method, self._options, self._request)

    def _is_result(self) -> bool:
        """Whether the answer, which is complete, is that of the call (HTTP-51).

        What it was is shown without items (CALL-61). If not, the next request is ready to be sent.
        """
        lines = self._lines
        self._channel.show(self._method, self._options, lines)
        repeatable = self._source is None
        following: Hop | None = self._channel.again(
            self._hop, lines, self._options, repeatable=repeatable
        )
        if following is None:
            return True
        self._hop, self._request = following, following.request
        self._lines = self._new_lines()
        return False

    def _late(self) -> CreoError:
        return deadline_exceeded(f"{self._url.text} did not answer", self._url.peer)

    def _lost(self, problem: OSError) -> CreoError:
        message = f"the connection to {self._url.peer} was lost: {problem}"
        return CreoError(ErrorCode.UNAVAILABLE, message, details={"peer": self._url.peer})

    def _cancelled(self) -> CreoError:
        details = {"peer": self._url.peer}
        return CreoError(ErrorCode.CANCELLED, "the caller gave up", details=details)


class BlockingCall(_Call[R, T]):
    """A call with a stream of a blocking client."""

    _channel: HttpChannel
    _source: Source | None
    _connection: HttpConnection
    _closed = False

    def begin(self) -> BlockingCall[R, T]:
        """Sends the request, up to the items."""
        self._open()
        return self

    def _open(self) -> None:
        options = self._options
        cancellation = options.cancellation
        if cancellation is not None and cancellation.cancelled:
            raise CreoError(ErrorCode.CANCELLED, "the caller gave up before the call began")
        self._connection = self._channel.connect(self._until)
        if options.watch is not None:
            options.watch.reached(self._url.peer)
        if cancellation is not None:
            cancellation.enter(self._connection, self._channel)
        self._show_request()
        try:
            if self._closed:
                raise self._cancelled()
            self._send(self._head())
        except BaseException:
            self.close()
            raise

    def receive(self) -> Iterable[T] | None:
        """The items that came next; None at the end."""
        try:
            while True:
                try:
                    items = self._lines.take()
                except CreoError as error:
                    raise with_peer(error, self._url.peer) from error.__cause__
                if items:
                    return items
                if self._lines.complete:
                    if not self._is_result():
                        self._drop()
                        self._open()
                        continue
                    self._lines.finish()
                    self.close()
                    return None
                self._read()
        except BaseException:
            self.close()
            raise

    def finish(self) -> R:
        """Sends the items of the program, and waits for the result."""
        try:
            self._send_all()
            while not self._lines.complete:
                self._read()
            self._is_result()
            return self._lines.finish()
        finally:
            self.close()

    def close(self) -> None:
        """Ends the call, unless it has ended. Callable from another thread."""
        self._closed = True
        self._drop()

    def _drop(self) -> None:
        if self._options.cancellation is not None:
            self._options.cancellation.leave(self._connection)
        self._channel.cancel(self._connection)
        self._channel.release(self._connection)

    def _send_all(self) -> None:
        """Sends the items until they end or an answer comes, which ends the call (HTTP-33)."""
        source = self._source
        assert source is not None
        last = False
        while not last:
            self._hear()
            if self._lines.complete or not source.begin(lambda: False):
                return
            content, last = source.take(self._channel.limits)
            data = chunk(content, last)
            if data:
                self._send([data])

    def _hear(self) -> None:
        try:
            self._connection.hear(self._lines)
        except OSError as problem:
            raise self._ended(problem) from problem

    def _send(self, parts: list[bytes]) -> None:
        try:
            self._connection.send(parts, self._until, self._lines)
        except socket.timeout:
            raise self._late() from None
        except OSError as problem:
            raise self._ended(problem) from problem

    def _read(self) -> None:
        try:
            data = self._connection.receive(self._until, _RECEIVE)
        except socket.timeout:
            raise self._late() from None
        except OSError as problem:
            raise self._ended(problem) from problem
        if data:
            self._lines.feed(data)
        elif self._connection.cancelled:
            raise self._cancelled()
        else:
            self._lines.end()

    def _ended(self, problem: OSError) -> CreoError:
        return self._cancelled() if self._connection.cancelled else self._lost(problem)


class TaskCall(_Call[R, T]):
    """A call with a stream of an asyncio client, whose items are sent by a task of its own."""

    _channel: AsyncHttpChannel
    _source: AsyncSource | None

    async def begin(self) -> TaskCall[R, T]:
        """Sends the request, up to the items."""
        self._closed = False
        self._sending: asyncio.Task[None] | None = None
        self._failure: BaseException | None = None
        await self._open()
        if self._source is not None:
            self._sending = asyncio.ensure_future(self._send_all(self._source))
        return self

    async def _open(self) -> None:
        self._reader, self._writer = await self._within(self._channel.connect())
        if self._options.watch is not None:
            self._options.watch.reached(self._url.peer)
        self._show_request()
        try:
            if self._closed:
                raise self._cancelled()
            await self._write(self._head())
        except BaseException:
            self.close()
            raise

    async def receive(self) -> Iterable[T] | None:
        """The items that came next; None at the end."""
        try:
            while True:
                try:
                    items = self._lines.take()
                except CreoError as error:
                    raise with_peer(error, self._url.peer) from error.__cause__
                if items:
                    return items
                if self._lines.complete:
                    if not self._is_result():
                        self._writer.transport.abort()
                        await self._open()
                        continue
                    self._lines.finish()
                    self.close()
                    return None
                await self._read()
        except BaseException:
            self.close()
            raise

    async def finish(self) -> R:
        """Waits for the result, while the items are sent."""
        try:
            try:
                while not self._lines.complete:
                    await self._read()
            except CreoError:
                if self._failure is not None:
                    raise self._failure from None
                raise
            self._is_result()
            return self._lines.finish()
        finally:
            self.close()
            await self.closed()

    def close(self) -> None:
        """Ends the call, unless it has ended."""
        self._closed = True
        self._writer.transport.abort()
        if self._sending is not None:
            self._sending.cancel()

    async def closed(self) -> None:
        """Waits until the program's source of items is closed."""
        if self._sending is not None:
            await asyncio.wait((self._sending,))

    async def _send_all(self, source: AsyncSource) -> None:
        """Sends the items; a failure of the program's source ends the call."""
        last = False
        try:
            while not last and source.begin(lambda: self._closed):
                content, last = await source.next(self._channel.limits)
                data = chunk(content, last)
                if data:
                    await self._write([data])
                await asyncio.sleep(0)
        except CreoError as failure:
            # If the connection is lost, there may be an answer.
            if failure.code is not ErrorCode.UNAVAILABLE:
                self._fail(failure)
        except BaseException as failure:
            self._fail(failure)
        finally:
            if source.taken():
                with contextlib.suppress(Exception):
                    await source.aclose()

    def _fail(self, failure: BaseException) -> None:
        if not self._closed:
            self._failure = failure
            self._writer.transport.abort()

    async def _write(self, parts: list[bytes]) -> None:
        try:
            self._writer.writelines(parts)
            await self._within(self._writer.drain())
        except OSError as problem:
            raise self._lost(problem) from problem

    async def _read(self) -> None:
        try:
            data = await self._within(self._reader.read(_RECEIVE))
        except OSError as problem:
            raise self._ended(problem) from problem
        if data:
            self._lines.feed(data)
        elif self._closed:
            raise self._cancelled()
        else:
            self._lines.end()

    def _ended(self, problem: OSError) -> CreoError:
        return self._cancelled() if self._closed else self._lost(problem)

    async def _within(self, step: Awaitable[Any]) -> Any:
        """Waits until the deadline of the call."""
        if self._until is None:
            return await step
        try:
            return await asyncio.wait_for(step, max(0.0, self._until - time.monotonic()))
        except asyncio.TimeoutError:
            raise self._late() from None
