"""The asyncio HTTP client: one connection per call in progress, kept for later calls."""

from __future__ import annotations

import asyncio
import ssl
import time
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Callable, Final, TypeVar, cast

from .._base import CreoError, ErrorCode, not_started
from .._call import with_peer
from .._call.net import check_tls_version, deadline_exceeded, last_words
from . import Response, Url, request_head
from .client import plain_http, speaks_http
from .proxy import Tunnel, Unreached, no_connection

if TYPE_CHECKING:
    from .._base import Limits
    from .._call import Watch
    from .proxy import Proxy


P = TypeVar("P", bound=asyncio.Protocol)

#: The bytes that may wait for a reader of a stream; asyncio allows twice as many.
_RECEIVE: Final = 65_536


class _Unsent(Exception):
    """A kept connection was gone before the service can have begun (HTTP-5)."""


class _Connection(asyncio.Protocol):
    """A connection, for one call at a time."""

    def __init__(self, url: Url, limits: Limits) -> None:
        self._url = url
        self._limits = limits
        self._transport: asyncio.Transport | None = None
        self._response: Response | None = None
        self._answer: asyncio.Future[Response] | None = None
        self._writable = asyncio.Event()
        self._writable.set()
        self.silent = True
        """Whether nothing has arrived since the last answer (HTTP-5)."""

    # Callbacks of asyncio

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)

    def data_received(self, data: bytes) -> None:
        response, answer = self._response, self._answer
        if response is None or answer is None or answer.done():
            self.silent = False
            self.close()
            return
        try:
            response.feed(data)
        except CreoError as error:
            self._end(error)
        else:
            if response.done:
                self._response = self._answer = None
                answer.set_result(response)

    def eof_received(self) -> bool:
        self._ended(None)
        return False

    def connection_lost(self, exc: Exception | None) -> None:
        if exc is not None and self._response is not None:
            # The peer may have answered before it closed the connection.
            for data in last_words(self._transport):
                self.data_received(data)
        self._ended(exc)

    def pause_writing(self) -> None:
        self._writable.clear()

    def resume_writing(self) -> None:
        self._writable.set()

    # Calls

    async def exchange(self, parts: Sequence[bytes], kept: bool) -> Response:
        """Sends a request and reads its answer."""
        if not self.silent or self._transport is None:
            raise _Unsent if kept else not_started(self._lost("it was closed"))
        response = self._response = Response(self._limits, self._url.peer)
        answer: asyncio.Future[Response] = asyncio.get_running_loop().create_future()
        self._answer = answer
        whole = False
        for part in parts:
            if answer.done():
                break
            self._transport.write(part)
            if not self._writable.is_set():
                await self._unless_ended(answer)
        else:
            whole = True
        try:
            return await answer
        finally:
            # Without the rest of a request, another one would be read as that rest.
            if not whole or not response.done:
                self.close()

    async def _unless_ended(self, answer: asyncio.Future[Response]) -> None:
        """Waits until more may be written, the answer is complete, or the connection is gone."""
        waiting = asyncio.ensure_future(self._writable.wait())
        try:
            await asyncio.wait((waiting, answer), return_when=asyncio.FIRST_COMPLETED)
        finally:
            waiting.cancel()

    def close(self) -> None:
        """Closes it at once."""
        self.silent = False
        if self._transport is not None:
            self._transport.abort()

    def _ended(self, problem: Exception | None) -> None:
        self.silent = False
        response = self._response
        if response is None:
            return
        try:
            if problem is not None:
                raise self._lost(str(problem))
            response.end()
        except CreoError as error:
            self._end(error)
        else:
            answer, self._response, self._answer = self._answer, None, None
            if answer is not None and not answer.done():
                answer.set_result(response)

    def _end(self, error: CreoError) -> None:
        answer, self._response, self._answer = self._answer, None, None
        self.close()
        if answer is not None and not answer.done():
            answer.set_exception(error)

    def _lost(self, why: str) -> CreoError:
        message = f"the connection to {self._url.peer} was lost: {why}"
        details = {"peer": self._url.peer}
        return CreoError(ErrorCode.UNAVAILABLE, message, details=details)


class _Opening(asyncio.Protocol):
    """A connection to a proxy until its tunnel is open."""

    def __init__(self, tunnel: Tunnel) -> None:
        self._tunnel = tunnel
        self.opened: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        cast("asyncio.Transport", transport).write(self._tunnel.request)

    def data_received(self, data: bytes) -> None:
        self._feed(data)

    def eof_received(self) -> bool:
        self._feed(b"")
        return False

    def connection_lost(self, exc: Exception | None) -> None:
        if exc is None:
            self._feed(b"")
        elif not self.opened.done():
            self.opened.set_exception(exc)

    def _feed(self, data: bytes) -> None:
        if self.opened.done():
            return
        try:
            self._tunnel.feed(data)
        except CreoError as error:
            self.opened.set_exception(error)
        else:
            if self._tunnel.done:
                self.opened.set_result(None)


class AsyncHttpPool:
    """The connections to one server, for one event loop."""

    def __init__(
        self,
        url: Url,
        context: ssl.SSLContext | None,
        server_name: str | None,
        limits: Limits,
        proxy: Proxy | None,
    ) -> None:
        self._url = url
        self._proxy = proxy
        self._context = context
        self._name = server_name or url.host
        self._limits = limits
        self._idle: list[_Connection] = []
        self._busy: set[_Connection] = set()
        # Those that streams use.
        self._streams: set[asyncio.Transport] = set()
        self._most = 0

    async def post(
        self,
        target: str,
        headers: Mapping[str, str],
        body: Sequence[bytes],
        until: float | None,
        watch: Watch | None,
    ) -> Response:
        """Sends a request and reads its answer; cancelling drops the connection."""
        call = self._post(target, headers, body, until, watch)
        if until is None:
            return await call
        task = asyncio.ensure_future(call)
        try:
            done, _ = await asyncio.wait((task,), timeout=max(0.0, until - time.monotonic()))
        except asyncio.CancelledError:
            task.cancel()
            await asyncio.wait((task,))
            raise
        if not done:
            task.cancel()
            await asyncio.wait((task,))
            if task.cancelled():
                message = f"{self._url.text} did not answer"
                raise deadline_exceeded(message, self._url.peer)
        return task.result()

    async def _post(
        self,
        target: str,
        headers: Mapping[str, str],
        body: Sequence[bytes],
        until: float | None,
        watch: Watch | None,
    ) -> Response:
        kept = True
        while True:
            connection = self._take() if kept else None
            kept = connection is not None
            if connection is None:
                _, connection = await self._connect(self._plain)
            if watch is not None:
                watch.reached(self._url.peer)
            self._busy.add(connection)
            self._most = max(self._most, len(self._busy))
            again = False
            try:
                size = sum(map(len, body))
                head = request_head(self._url, target, headers, size, until)
                response = await connection.exchange((head, *body), kept)
                again = response.keeps_alive
                return response
            except _Unsent:
                kept = False
            except CreoError as error:
                raise with_peer(error, self._url.peer) from error.__cause__
            finally:
                self._busy.discard(connection)
                if again and connection.silent and len(self._idle) < self._most:
                    self._idle.append(connection)
                else:
                    connection.close()

    async def open(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """A new connection, which its user closes."""
        loop = asyncio.get_running_loop()
        reader = asyncio.StreamReader(limit=_RECEIVE, loop=loop)
        transport, protocol = await self._connect(
            lambda: asyncio.StreamReaderProtocol(reader, loop=loop)
        )
        writer = asyncio.StreamWriter(transport, protocol, reader, loop)
        self._streams.add(transport)
        self._streams = {each for each in self._streams if not each.is_closing()}
        return reader, writer

    async def close(self) -> None:
        """Closes all connections; calls in progress end."""
        for transport in self._streams:
            transport.abort()
        idle, self._idle = self._idle, []
        for connection in [*idle, *self._busy]:
            connection.close()
        await asyncio.sleep(0)

    def _take(self) -> _Connection | None:
        while self._idle:
            connection = self._idle.pop()
            if connection.silent:
                return connection
        return None

    def _plain(self) -> _Connection:
        return _Connection(self._url, self._limits)

    async def _connect(self, make: Callable[[], P]) -> tuple[asyncio.Transport, P]:
        url, loop = self._url, asyncio.get_running_loop()
        proxy = self._proxy
        made = self._open(make) if proxy is None else self._open_through(proxy, make)
        try:
            transport, connection = await asyncio.wait_for(made, self._limits.connect_timeout)
        except asyncio.TimeoutError as problem:
            # A server that waits for an HTTP request does not answer TLS.
            asked = url.secure and proxy is None
            if asked and await loop.run_in_executor(None, speaks_http, url.host, url.port):
                raise plain_http(url.peer) from problem
            raise no_connection(url, proxy, TimeoutError()) from problem
        except (OSError, UnicodeError) as problem:
            raise no_connection(url, proxy, problem) from problem
        secured = transport.get_extra_info("ssl_object")
        if isinstance(secured, (ssl.SSLObject, ssl.SSLSocket)):
            try:
                check_tls_version(secured.version(), url.peer)
            except CreoError:
                transport.abort()
                raise
        return transport, connection

    async def _open(self, make: Callable[[], P]) -> tuple[asyncio.Transport, P]:
        """A connection to the service."""
        url = self._url
        return await asyncio.get_running_loop().create_connection(
            make,
            url.host,
            url.port,
            ssl=self._context,
            server_hostname=self._name if self._context is not None else None,
        )

    async def _open_through(
        self, proxy: Proxy, make: Callable[[], P]
    ) -> tuple[asyncio.Transport, P]:
        """A connection to the service through a proxy, or to the proxy itself without a tunnel."""
        url, loop = self._url, asyncio.get_running_loop()
        connection = make()
        if self._context is None:
            try:
                return await loop.create_connection(lambda: connection, proxy.host, proxy.port)
            except (OSError, UnicodeError) as problem:
                raise Unreached(problem) from problem
        opening = _Opening(Tunnel(proxy, url, self._limits))
        try:
            plain, _ = await loop.create_connection(lambda: opening, proxy.host, proxy.port)
            try:
                await opening.opened
            except BaseException:
                plain.abort()
                raise
        except (OSError, UnicodeError) as problem:
            raise Unreached(problem) from problem
        secured = await loop.start_tls(plain, connection, self._context, server_hostname=self._name)
        if secured is None:
            raise ConnectionResetError
        connection.connection_made(secured)
        return secured, connection
