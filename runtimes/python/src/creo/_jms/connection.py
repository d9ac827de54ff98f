"""A connection to a broker on an event loop: calls, deadlines, reconnecting."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from typing import TYPE_CHECKING, cast

from .._aio import SharedConnection, client_closed, connect_to
from .._base import CreoError, ErrorCode, Limits, not_started
from .._call import with_peer
from .._call.net import address, deadline_exceeded, tls_context
from .call import OneAnswer
from .engine import Engine
from .message import write_message

if TYPE_CHECKING:
    from .._binary import Part
    from .._call import Watch
    from . import JmsRequest
    from .address import JmsAddress
    from .broker import JmsBroker
    from .call import Call, QueueCall
    from .message import Message

#: The longest time for ``Creo_timeout`` (HTTP-7) and a message's time to live.
_NO_DEADLINE = 999_999_999
_MAX_MILLISECONDS = (1 << 32) - 1
#: Errors after which the next address is tried: there is no answer, or no broker.
_PASSED_OVER = (ErrorCode.UNAVAILABLE, ErrorCode.PROTOCOL_MISMATCH, ErrorCode.UNTRUSTED_PEER)


class _Connection(asyncio.Protocol):
    """A connection, which receives its engine's events."""

    def __init__(
        self, broker: JmsBroker, host: str, where: JmsAddress, peer: str, limits: Limits
    ) -> None:
        self.peer = peer
        self.broken: CreoError | None = None
        self.opening: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._loop = asyncio.get_running_loop()
        self._where = where
        self._limits = limits
        self._transport: asyncio.Transport | None = None
        self._engine = Engine(
            broker.server_name or host, broker.user, broker.password, where, limits, self
        )
        self._calls: dict[str, Call] = {}
        self._waiting: deque[Call] = deque()
        self._writable = True
        self._flushing = False
        self._timer: asyncio.TimerHandle | None = None

    @property
    def usable(self) -> bool:
        """Whether new calls may use it."""
        return self.broken is None

    # Callbacks of asyncio

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

    # Events of the engine

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
        if call is None:
            return
        if error is not None:
            call.fail(with_peer(error, self.peer))
        elif call.oneway:
            call.answered(None)

    def answered(self, correlation: str, answer: Message) -> None:
        """Takes an answer; one that is no longer awaited is dropped (JMS-14)."""
        call = self._calls.get(correlation)
        if call is not None and not call.oneway:
            call.answered(answer)

    def failed(self, error: CreoError) -> None:
        """Ends the connection and every call on it."""
        if self.broken is not None:
            return
        self.broken = with_peer(error, self.peer)
        if not self.opening.done():
            self.opening.set_exception(not_started(with_peer(error, self.peer)))
            self.opening.exception()
        calls, self._calls = list(self._calls.values()), {}
        self._waiting.clear()
        for call in calls:
            # Each gets its own error: a raised one keeps the trace of its thread.
            own = with_peer(error, self.peer)
            call.fail(own if call.sent else not_started(own))
        if self._timer is not None:
            self._timer.cancel()
        if self._transport is not None:
            self._transport.abort()

    # Calls

    async def call(self, request: JmsRequest, until: float | None, oneway: bool) -> Message | None:
        """Sends a request and waits for its answer; if oneway, for the broker's."""
        done: asyncio.Future[Message | None] = self._loop.create_future()
        call = OneAnswer(request, until, oneway, done)
        self._enter(call)
        try:
            self._post(call)
            return await done
        finally:
            self._leave(call)
            done.cancel()

    def begin(self, call: QueueCall) -> None:
        """Makes a queue for a call, which then sends its request."""
        self._enter(call)
        queue = self._engine.open_queue(call, self._flush)
        call.begun(queue, lambda: self._post(call), lambda: self._leave(call))
        self._flush()

    def _enter(self, call: Call) -> None:
        if len(self._calls) >= self._limits.max_calls_per_connection:
            allowed = self._limits.max_calls_per_connection
            message = f"{allowed} calls are under way on the connection already"
            full = CreoError(ErrorCode.OVERLOADED, message)
            raise not_started(with_peer(full, self.peer))
        if self.broken is not None:
            raise not_started(with_peer(self.broken, self.peer))
        call.tag = self._engine.correlation()
        self._calls[call.tag] = call
        if call.until is not None:
            left = max(0.0, call.until - time.monotonic())
            call.late = self._loop.call_later(left, self._late, call)

    def _leave(self, call: Call) -> None:
        if call.late is not None:
            call.late.cancel()
        self._calls.pop(call.tag, None)

    def _post(self, call: Call) -> None:
        self._waiting.append(call)
        self._send()

    def close(self) -> None:
        """Ends the connection; calls in progress end as cancelled."""
        if self.broken is not None:
            return
        for call in list(self._calls.values()):
            call.fail(client_closed(self.peer))
        self._engine.close()
        transport, self._transport = self._transport, None
        while transport is not None:
            data = self._engine.output()
            if not data:
                break
            transport.write(data)
        self.failed(client_closed(self.peer))
        if transport is not None:
            transport.close()

    def _late(self, call: Call) -> None:
        to = f"jms:{self._where.kind}:{self._where.name} by {self.peer}"
        call.fail(deadline_exceeded("no answer came", self.peer, to))

    def _send(self) -> None:
        """Sends waiting requests, as far as the broker accepts them now."""
        while self._waiting and self._engine.credit > 0:
            call = self._waiting.popleft()
            if call.ended:
                continue
            call.sent = True
            try:
                self._engine.send(call.tag, self._message(call))
            except CreoError as error:
                call.fail(with_peer(error, self.peer))
        self._flush()

    def _message(self, call: Call) -> list[Part]:
        where, request = self._where, call.request
        left = None
        if call.until is not None:
            left = max(1, -int(-(call.until - time.monotonic()) * 1_000 // 1))
        said = min(left or _NO_DEADLINE, _NO_DEADLINE)
        times = [limit for limit in (left, where.time_to_live) if limit is not None]
        return write_message(
            durable=where.persistent,
            priority=where.priority,
            time_to_live=min(*times, _MAX_MILLISECONDS) if times else None,
            to=where.name,
            reply_to=None if call.oneway else call.reply_to or self._engine.reply_to,
            correlation=call.tag,
            properties={**request.properties, "Creo_timeout": str(said)},
            body=request.body,
        )

    def _flush(self) -> None:
        """Writes the engine's output, as far as the broker reads, and sets the next timer."""
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
        """Calls this again after at most so many seconds."""
        due = self._loop.time() + wait
        if self._timer is not None:
            if self._loop.time() < self._timer.when() <= due:
                return
            self._timer.cancel()
        self._timer = self._loop.call_later(wait, self._flush)


class JmsExchange:
    """The connection to one queue: made on demand, and again when lost.

    Belongs to one event loop. With several addresses, it connects to the first that answers
    (JMS-17), beginning with the one that answered last.
    """

    def __init__(self, broker: JmsBroker, where: JmsAddress, limits: Limits) -> None:
        self._broker = broker
        self._where = where
        self._limits = limits
        self._peer = str(broker)
        self._place = 0
        self._context = tls_context(broker.tls)
        self._connection = SharedConnection(self._connect, self._peer)
        self._ended = False

    async def exchange(
        self, request: JmsRequest, until: float | None, oneway: bool, watch: Watch | None
    ) -> Message | None:
        """Sends a request; returns its answer, None for a oneway method."""
        if self._ended:
            raise client_closed(self._peer)
        connection = await self._connection.get(until)
        if watch is not None:
            watch.reached(connection.peer)
        return await connection.call(request, until, oneway)

    async def begin(self, call: QueueCall, watch: Watch | None) -> None:
        """Begins a call that has a queue of its own."""
        if self._ended:
            raise client_closed(self._peer)
        connection = await self._connection.get(call.until)
        if watch is not None:
            watch.reached(connection.peer)
        connection.begin(call)

    async def end(self) -> None:
        """Closes the connection for good: later calls end too."""
        self._ended = True
        await self.close()

    async def close(self) -> None:
        """Closes the connection. Calls in progress end; a later call connects again."""
        await self._connection.close()

    async def _connect(self) -> _Connection:
        places = self._broker.places
        left = len(places)
        while True:
            try:
                return await self._connect_to(*places[self._place])
            except CreoError as error:
                left -= 1
                if error.code not in _PASSED_OVER:
                    raise
                self._place = (self._place + 1) % len(places)
                if left == 0:
                    raise

    async def _connect_to(self, host: str, port: int) -> _Connection:
        peer = address(host, port)
        loop = asyncio.get_running_loop()
        end = loop.time() + self._limits.connect_timeout
        transport, connection = await connect_to(
            lambda: _Connection(self._broker, host, self._where, peer, self._limits),
            host,
            port,
            peer=peer,
            context=self._context,
            server_name=self._broker.server_name,
            timeout=self._limits.connect_timeout,
        )
        try:
            done, _ = await asyncio.wait((connection.opening,), timeout=max(0.0, end - loop.time()))
            if not done:
                message = f"the broker at {peer} did not open the connection in time"
                late = CreoError(ErrorCode.UNAVAILABLE, message, details={"peer": peer})
                raise not_started(late)
            connection.opening.result()
        except BaseException:
            cast("asyncio.Transport", transport).abort()
            raise
        return connection
