"""A connection to a broker on an event loop: calls under way, deadlines, connecting again."""

from __future__ import annotations

import asyncio
import ssl
import time
from collections import deque
from typing import TYPE_CHECKING, cast

from ._calls import with_peer
from ._errors import CreoError, ErrorCode
from ._jms_engine import Engine
from ._jms_message import write_message
from ._limits import Limits
from ._net import address, check_tls_version, connect_error, deadline_exceeded, tls_context

if TYPE_CHECKING:
    from ._binary import Part
    from ._jms_address import JmsAddress
    from ._jms_broker import JmsBroker
    from ._jms_message import Message
    from ._jms_wires import JmsRequest

#: The longest time that ``Creo_timeout`` can say (HTTP-7), and a message's time to live.
_NO_DEADLINE = 999_999_999
_LONGEST = (1 << 32) - 1


class _Call:
    """A call under way."""

    __slots__ = ("done", "oneway", "request", "tag", "until")

    def __init__(
        self,
        request: JmsRequest,
        until: float | None,
        oneway: bool,
        done: asyncio.Future[Message | None],
    ) -> None:
        self.request = request
        self.until = until
        self.oneway = oneway
        self.tag = ""
        self.done = done


class _Connection(asyncio.Protocol):
    """One connection. Also what its engine tells."""

    def __init__(self, broker: JmsBroker, where: JmsAddress, peer: str, limits: Limits) -> None:
        self.peer = peer
        self.broken: CreoError | None = None
        self.opening: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._loop = asyncio.get_running_loop()
        self._where = where
        self._limits = limits
        self._transport: asyncio.Transport | None = None
        self._engine = Engine(
            broker.server_name or broker.host, broker.user, broker.password, where, limits, self
        )
        self._calls: dict[str, _Call] = {}
        self._waiting: deque[_Call] = deque()
        self._writable = True
        self._flushing = False
        self._timer: asyncio.TimerHandle | None = None

    @property
    def usable(self) -> bool:
        """Whether new calls may go over it."""
        return self.broken is None

    # What asyncio calls

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)
        self._flush()

    def data_received(self, data: bytes) -> None:
        if self.broken is None:
            self._engine.receive(data)
            self._flush()

    def eof_received(self) -> bool:
        self._engine.end("the broker closed it")
        return False

    def connection_lost(self, exc: Exception | None) -> None:
        self._engine.end(str(exc or "the broker closed it"))

    def pause_writing(self) -> None:
        self._writable = False

    def resume_writing(self) -> None:
        self._writable = True
        self._flush()

    # What the engine tells

    def opened(self) -> None:
        """Requests may be sent."""
        if not self.opening.done():
            self.opening.set_result(None)

    def credited(self) -> None:
        """The broker takes more requests."""
        self._send()

    def taken(self, tag: str, error: CreoError | None) -> None:
        """The broker has a request, or refused it."""
        call = self._calls.get(tag)
        if call is None or call.done.done():
            return
        if error is not None:
            call.done.set_exception(with_peer(error, self.peer))
        elif call.oneway:
            call.done.set_result(None)

    def answered(self, correlation: str, answer: Message) -> None:
        """An answer has come; one that nobody waits for any more is dropped (JMS-14)."""
        call = self._calls.get(correlation)
        if call is not None and not call.oneway and not call.done.done():
            call.done.set_result(answer)

    def failed(self, error: CreoError) -> None:
        """Ends the connection and every call on it."""
        if self.broken is not None:
            return
        self.broken = with_peer(error, self.peer)
        if not self.opening.done():
            self.opening.set_exception(with_peer(error, self.peer))
            self.opening.exception()
        calls, self._calls = list(self._calls.values()), {}
        self._waiting.clear()
        for call in calls:
            if not call.done.done():
                # An error of its own for each: a raised one keeps the trace of its thread.
                call.done.set_exception(with_peer(error, self.peer))
        if self._timer is not None:
            self._timer.cancel()
        if self._transport is not None:
            self._transport.abort()

    # Calls

    async def call(self, request: JmsRequest, until: float | None, oneway: bool) -> Message | None:
        """Sends a request and waits for its answer; for that of the broker if it is oneway."""
        if len(self._calls) >= self._limits.max_calls_per_connection:
            allowed = self._limits.max_calls_per_connection
            message = f"{allowed} calls are under way on the connection already"
            raise with_peer(CreoError(ErrorCode.OVERLOADED, message), self.peer)
        if self.broken is not None:
            raise with_peer(self.broken, self.peer)
        call = _Call(request, until, oneway, self._loop.create_future())
        call.tag = self._engine.correlation()
        self._calls[call.tag] = call
        late = None
        if until is not None:
            late = self._loop.call_later(max(0.0, until - time.monotonic()), self._late, call)
        try:
            self._waiting.append(call)
            self._send()
            return await call.done
        finally:
            if late is not None:
                late.cancel()
            self._calls.pop(call.tag, None)
            call.done.cancel()

    def close(self) -> None:
        """Ends the connection; calls under way end as cancelled."""
        if self.broken is not None:
            return
        for call in self._calls.values():
            if not call.done.done():
                call.done.set_exception(_closed(self.peer))
        self._engine.close()
        transport, self._transport = self._transport, None
        while transport is not None:
            data = self._engine.output()
            if not data:
                break
            transport.write(data)
        self.failed(_closed(self.peer))
        if transport is not None:
            transport.close()

    def _late(self, call: _Call) -> None:
        if not call.done.done():
            call.done.set_exception(deadline_exceeded("no answer came in time", self.peer))

    def _send(self) -> None:
        """Sends what waits, as far as the broker takes it now."""
        while self._waiting and self._engine.credit > 0:
            call = self._waiting.popleft()
            if call.done.done():
                continue
            try:
                self._engine.send(call.tag, self._message(call))
            except CreoError as error:
                call.done.set_exception(with_peer(error, self.peer))
        self._flush()

    def _message(self, call: _Call) -> list[Part]:
        where, request = self._where, call.request
        left = None
        if call.until is not None:
            left = max(1, -int(-(call.until - time.monotonic()) * 1_000 // 1))
        said = min(left or _NO_DEADLINE, _NO_DEADLINE)
        times = [limit for limit in (left, where.time_to_live) if limit is not None]
        return write_message(
            durable=where.persistent,
            priority=where.priority,
            time_to_live=min(*times, _LONGEST) if times else None,
            to=where.name,
            reply_to=None if call.oneway else self._engine.reply_to,
            correlation=call.tag,
            properties={**request.properties, "Creo_timeout": str(said)},
            body=request.body,
        )

    def _flush(self) -> None:
        """Writes what the engine has, as far as the broker reads; and says when time matters."""
        if self._flushing:
            return
        self._flushing = True
        try:
            wait = self._engine.tick()
            while self._transport is not None and self._writable and self.broken is None:
                data = self._engine.output()
                if not data:
                    break
                self._transport.write(data)
        finally:
            self._flushing = False
        if wait is not None and self.broken is None:
            self._watch(max(wait, 0.001))

    def _watch(self, wait: float) -> None:
        """Comes back here after so many seconds at the latest."""
        due = self._loop.time() + wait
        if self._timer is not None:
            if self._loop.time() < self._timer.when() <= due:
                return
            self._timer.cancel()
        self._timer = self._loop.call_later(wait, self._flush)


def _closed(peer: str) -> CreoError:
    message = "the client was closed"
    return CreoError(ErrorCode.CANCELLED, message, details={"peer": peer})


class JmsExchange:
    """The way to one queue: a connection that is made when it is needed, and again when lost.

    Belongs to one event loop.
    """

    def __init__(self, broker: JmsBroker, where: JmsAddress, limits: Limits) -> None:
        self._broker = broker
        self._where = where
        self._limits = limits
        self._peer = address(broker.host, broker.port)
        self._context = tls_context(broker.tls)
        self._connection: _Connection | None = None
        self._connecting: asyncio.Task[_Connection] | None = None
        self._ended = False

    async def exchange(
        self, request: JmsRequest, until: float | None, oneway: bool
    ) -> Message | None:
        """Sends a request; its answer, None for a oneway method."""
        if self._ended:
            raise _closed(self._peer)
        connection = await self._connected(until)
        return await connection.call(request, until, oneway)

    async def end(self) -> None:
        """Closes the connection for good: a call that comes later ends, too."""
        self._ended = True
        await self.close()

    async def close(self) -> None:
        """Closes the connection. Calls under way end; a later call connects again."""
        connecting, self._connecting = self._connecting, None
        if connecting is not None:
            connecting.cancel()
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()
        await asyncio.sleep(0)

    async def _connected(self, until: float | None) -> _Connection:
        """The present connection, or a new one that all waiting calls share."""
        if self._connection is not None and self._connection.usable:
            return self._connection
        task = self._connecting
        if task is None or task.done():
            task = self._connecting = asyncio.ensure_future(self._connect())
            task.add_done_callback(_seen)
        left = None if until is None else max(0.0, until - time.monotonic())
        done, _ = await asyncio.wait((task,), timeout=left)
        if not done:
            late = "the time was over before there was a connection"
            raise deadline_exceeded(late, self._peer)
        if task.cancelled():
            raise _closed(self._peer)
        problem = task.exception()
        if isinstance(problem, CreoError):
            raise with_peer(problem, self._peer) from problem.__cause__
        return task.result()

    async def _connect(self) -> _Connection:
        broker, loop = self._broker, asyncio.get_running_loop()
        end = loop.time() + self._limits.connect_timeout
        server_name = (broker.server_name or broker.host) if self._context is not None else None
        made = loop.create_connection(
            lambda: _Connection(broker, self._where, self._peer, self._limits),
            broker.host,
            broker.port,
            ssl=self._context,
            server_hostname=server_name,
        )
        try:
            transport, connection = await asyncio.wait_for(made, self._limits.connect_timeout)
        except asyncio.TimeoutError as problem:
            raise connect_error(self._peer, TimeoutError(), secured=False) from problem
        except (OSError, UnicodeError) as problem:
            secured = self._context is not None
            raise connect_error(self._peer, problem, secured=secured) from problem
        try:
            engine = transport.get_extra_info("ssl_object")
            if isinstance(engine, (ssl.SSLObject, ssl.SSLSocket)):
                check_tls_version(engine.version(), self._peer)
            done, _ = await asyncio.wait((connection.opening,), timeout=max(0.0, end - loop.time()))
            if not done:
                message = f"the broker at {self._peer} did not open the connection in time"
                raise CreoError(ErrorCode.UNAVAILABLE, message, details={"peer": self._peer})
            connection.opening.result()
        except BaseException:
            transport.abort()
            raise
        self._connection = connection
        return connection


def _seen(task: asyncio.Task[_Connection]) -> None:
    """Marks a failure as seen: every waiting call has raised its own copy of it."""
    if not task.cancelled():
        task.exception()
