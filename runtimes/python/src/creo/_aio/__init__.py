"""Connections of the asyncio client: each with many calls in progress, made on demand and again."""

from __future__ import annotations

import asyncio
import ssl
import time
from collections import deque
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar, cast

from .._base import CreoError, ErrorCode, Limits, not_started
from .._call import RawAnswer, milliseconds_left, read_error, with_peer
from .._call.net import (
    check_tls_version,
    connect_error,
    deadline_exceeded,
    last_words,
    no_preamble,
    not_connected,
)
from .._tcp import (
    CANCEL,
    CREDIT,
    ERROR,
    ITEMS,
    PONG,
    PREAMBLE,
    Broken,
    Incoming,
    Ping,
    control,
    receive,
    request,
)

if TYPE_CHECKING:
    from collections.abc import Coroutine, Sequence
    from typing import Callable

    from .._binary import Part
    from .._tcp import Streams

_JOINED = 262_144
_CONTROLS = 1_024
_MAX_CALL = (1 << 32) - 1


class AsyncPending:
    """A call in progress."""

    __slots__ = ("answer", "call", "changed", "late", "sent", "streams", "written")

    def __init__(self, call: int, streams: Streams | None) -> None:
        self.call = call
        self.streams = streams
        self.answer: asyncio.Future[RawAnswer] = asyncio.get_running_loop().create_future()
        self.late: asyncio.TimerHandle | None = None
        # Whether any of its frames was written, and whether the whole request was.
        self.written = self.sent = False
        # Of those that wait for items and for credit.
        self.changed: list[asyncio.Future[None]] = []

    async def change(self) -> None:
        """Waits until something has come for the call, or it has ended."""
        if self.answer.done():
            return
        changed = asyncio.get_running_loop().create_future()
        self.changed.append(changed)
        try:
            await changed
        finally:
            self.changed.remove(changed)

    def wake(self, _: object = None) -> None:
        """Ends the waits for a change."""
        for changed in self.changed:
            if not changed.done():
                changed.set_result(None)


class AsyncConnection(asyncio.Protocol):
    """One connection."""

    def __init__(self, peer: str, limits: Limits, greeting: bytes = PREAMBLE) -> None:
        self.peer = peer
        self._greeting = greeting
        self.draining = False
        self.broken: CreoError | None = None
        self._limits = limits
        self._loop = asyncio.get_running_loop()
        self._transport: asyncio.Transport | None = None
        self._calls: dict[int, AsyncPending] = {}
        self._incoming = Incoming(limits, self._calls, peer)
        self._last_call = 0
        # Small frames that wait until bytes can be sent; only the last ping is answered (TCP-14).
        self._controls: deque[bytes] = deque()
        self._pong: bytes | None = None
        self._sending = asyncio.Lock()
        self._writable = asyncio.Event()
        self._writable.set()
        self._watch: asyncio.TimerHandle | None = None
        # Active until the server's preamble has come (TCP-19).
        self._greeting_watch: asyncio.TimerHandle | None = None

    @property
    def usable(self) -> bool:
        """Whether new calls may use it."""
        return self.broken is None and not self.draining

    # Callbacks of asyncio

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)
        self._transport.write(self._greeting)
        self._greeting_watch = self._loop.call_later(self._limits.connect_timeout, self._silent)

    def data_received(self, data: bytes) -> None:
        if self.broken is not None:
            return
        for event in self._incoming.feed(data):
            if isinstance(event, RawAnswer):
                if event.kind in (ITEMS, CREDIT):
                    self._receive_frame(event)
                else:
                    self._answer(event)
            elif isinstance(event, Ping):
                self._pong = control(PONG, event.number)
            elif isinstance(event, Broken):
                self.fail(event.error)
                return
            else:
                self.draining = True
                self.close_if_drained()
        if self._greeting_watch is not None and self._incoming.greeted:
            self._greeting_watch.cancel()
            self._greeting_watch = None
        self._flush()
        if self._watch is None and self._incoming.arriving_since is not None:
            self._watch_arrival(self._incoming.arriving_since)

    def eof_received(self) -> bool:
        self.fail(self._incoming.lost())
        return False

    def connection_lost(self, exc: Exception | None) -> None:
        if exc is None:
            self.fail(self._incoming.lost())
        else:
            # The server may have said why (TCP-20).
            for data in last_words(self._transport):
                self.data_received(data)
            message = f"the connection to {self.peer} was lost: {exc}"
            self.fail(CreoError(ErrorCode.UNAVAILABLE, message))

    def pause_writing(self) -> None:
        self._writable.clear()

    def resume_writing(self) -> None:
        self._writable.set()
        self._flush()

    # Calls

    async def call(
        self,
        method: int,
        body: Sequence[Part],
        metadata: bytes,
        until: float | None,
        compress_above: int | None,
        *,
        oneway: bool,
    ) -> RawAnswer | None:
        """Sends a request and waits for its answer; None for a oneway method."""
        pending = self.enter(until, oneway=oneway)
        try:
            await self.start(pending, method, body, metadata, until, compress_above)
            return None if oneway else await pending.answer
        finally:
            self.leave(pending)

    def enter(
        self, until: float | None, streams: Streams | None = None, *, oneway: bool = False
    ) -> AsyncPending:
        """Begins a call, of which nothing is sent yet."""
        pending = AsyncPending(self._new_call(), streams)
        if not oneway:
            self._calls[pending.call] = pending
        if until is not None:
            left = max(0.0, until - time.monotonic())
            pending.late = self._loop.call_later(left, self._late, pending.answer)
        return pending

    async def start(
        self,
        pending: AsyncPending,
        method: int,
        body: Sequence[Part],
        metadata: bytes,
        until: float | None,
        compress_above: int | None,
    ) -> None:
        """Sends the request of a call."""
        if not self._incoming.peer_inflates:
            compress_above = None
        parts = request(
            pending.call, method, milliseconds_left(until), metadata, body,
            compress_above=compress_above,
        )  # fmt: skip
        try:
            await self.send(parts, pending)
        except CreoError as error:
            if not pending.written:
                not_started(error)
            raise
        pending.sent = True

    def leave(self, pending: AsyncPending) -> None:
        """Ends a call; if it has no answer, the server may stop."""
        if pending.late is not None:
            pending.late.cancel()
        answer = pending.answer
        known = self._calls.pop(pending.call, None) is not None
        if known and pending.sent and not _ended(answer) and len(self._controls) < _CONTROLS:
            self._control(control(CANCEL, pending.call))
        answer.cancel()
        self.close_if_drained()

    def give(self, pending: AsyncPending, credit: bytes) -> None:
        """Sends a frame of credit as soon as bytes can be sent, unless the call has ended."""
        if pending.call in self._calls:
            # It must not be lost. There are few: each needs bytes that came.
            self._control(credit)

    def fail(self, error: CreoError) -> None:
        """Ends the connection and every call on it."""
        if self.broken is not None:
            return
        self.broken = with_peer(error, self.peer)
        calls = list(self._calls.values())
        self._calls.clear()
        for pending in calls:
            if not pending.answer.done():
                pending.answer.set_exception(with_peer(error, self.peer))
        self._writable.set()
        for watch in (self._watch, self._greeting_watch):
            if watch is not None:
                watch.cancel()
        if self._transport is not None:
            self._transport.abort()

    def close(self) -> None:
        """Closes the connection; calls in progress end as cancelled."""
        self.fail(CreoError(ErrorCode.CANCELLED, "the client was closed"))

    def close_if_drained(self) -> None:
        """Closes a connection without new calls once the last one has ended."""
        if self.draining and not self._calls:
            self.fail(CreoError(ErrorCode.UNAVAILABLE, "the server takes no more calls"))

    def _new_call(self) -> int:
        if len(self._calls) >= self._limits.max_calls_per_connection:
            allowed = self._limits.max_calls_per_connection
            message = f"{allowed} calls are under way on the connection already"
            full = CreoError(ErrorCode.OVERLOADED, message, details={"peer": self.peer})
            raise not_started(full)
        call = self._last_call
        while True:
            call = call % _MAX_CALL + 1
            if call not in self._calls:
                break
        self._last_call = call
        return call

    def _late(self, answer: asyncio.Future[RawAnswer]) -> None:
        if not answer.done():
            answer.set_exception(deadline_exceeded("no answer came", self.peer))

    def _answer(self, answer: RawAnswer) -> None:
        if answer.call == 0 and answer.kind == ERROR:
            self.fail(answer.error or read_error(answer.body, self._limits, self.peer))
            return
        waiting = self._calls.pop(answer.call, None)
        if waiting is not None and not waiting.answer.done():
            waiting.answer.set_result(answer)

    def _receive_frame(self, frame: RawAnswer) -> None:
        """Items or credit of a call with streams."""
        pending = self._calls.get(frame.call)
        if pending is None:
            return
        try:
            receive(pending.streams, frame)
        except CreoError as error:
            self.fail(error)
        pending.wake()

    def _silent(self) -> None:
        self.fail(no_preamble(self.peer, self._limits.connect_timeout))

    def _watch_arrival(self, since: float) -> None:
        """Enforces LIM-15 for the body that is arriving."""
        self._watch = self._loop.call_later(
            max(0.0, since + self._limits.frame_timeout - time.monotonic()), self._check_arrival
        )

    def _check_arrival(self) -> None:
        self._watch = None
        since = self._incoming.arriving_since
        if since is None:
            return
        if time.monotonic() >= since + self._limits.frame_timeout:
            allowed = self._limits.frame_timeout
            message = f"an answer took longer than the {allowed:g} seconds allowed"
            self.fail(CreoError(ErrorCode.UNAVAILABLE, message))
        else:
            self._watch_arrival(since)

    # Sending

    async def send(self, parts: list[Part], pending: AsyncPending) -> None:
        """Sends the parts of a frame of a call, unless the call ends before that."""
        if (
            sum(map(len, parts)) <= _JOINED
            and not self._sending.locked()
            and self._writable.is_set()
        ):
            self._write(b"".join(parts))
            pending.written = True
            return
        if not await _acquire(self._sending, pending.answer):
            return
        written = False
        try:
            for part in parts:
                view = memoryview(part)
                for start in range(0, len(view), _JOINED):
                    # The rest of a frame is given away at once if the call ends with an answer, or
                    # because the program gives it up: other calls need the connection.
                    going_on = await _unless(self._writable.wait(), pending.answer)
                    if not going_on and not written:
                        return
                    self._write(view[start : start + _JOINED])
                    written = pending.written = True
        except BaseException:
            # A partly written frame breaks the connection.
            if written:
                broken = "a request was not written to its end"
                self.fail(CreoError(ErrorCode.UNAVAILABLE, broken))
            raise
        finally:
            self._sending.release()
            self._flush()

    def _write(self, data: Part) -> None:
        if self.broken is not None or self._transport is None:
            raise with_peer(self.broken or self._incoming.lost(), self.peer)
        self._transport.write(data)

    def _control(self, frame: bytes) -> None:
        """Sends a small frame as soon as no request is being written and the peer reads."""
        self._controls.append(frame)
        self._flush()

    def _flush(self) -> None:
        if self._pong is None and not self._controls:
            return
        if self.broken is not None or self._sending.locked() or not self._writable.is_set():
            return
        frames = [*self._controls, *(() if self._pong is None else (self._pong,))]
        self._controls.clear()
        self._pong = None
        self._write(b"".join(frames))


def _ended(answer: asyncio.Future[RawAnswer]) -> bool:
    return answer.done() and not answer.cancelled() and answer.exception() is None


async def _unless(step: Any, answer: asyncio.Future[RawAnswer]) -> bool:
    """Takes a step, unless the call ends first; whether the step was taken.

    :raises CreoError: the call has ended with an error, such as that of its deadline.
    """
    task: asyncio.Future[Any] = asyncio.ensure_future(step)
    try:
        await asyncio.wait((task, answer), return_when=asyncio.FIRST_COMPLETED)
        if not task.done() and not answer.cancelled():
            answer.result()
        return task.done()
    finally:
        if not task.done():
            task.cancel()


async def _acquire(lock: asyncio.Lock, answer: asyncio.Future[RawAnswer]) -> bool:
    """Takes a lock, unless the call ends first; whether the lock was taken.

    :raises CreoError: as ``_unless``.
    """
    taking = asyncio.ensure_future(lock.acquire())
    try:
        return await _unless(taking, answer)
    except BaseException:
        # A cancelled task may have got the lock at the same moment.
        if taking.done() and not taking.cancelled():
            lock.release()
        raise


class Shared(Protocol):
    """The shared connection."""

    @property
    def usable(self) -> bool:
        """Whether new calls may use it."""
        ...

    def close(self) -> None:
        """Closes it; calls in progress end as cancelled."""
        ...


C = TypeVar("C", bound=Shared)
P = TypeVar("P", bound=asyncio.Protocol)


class SharedConnection(Generic[C]):
    """The current connection, if there is one. Belongs to one event loop."""

    def __init__(self, connect: Callable[[], Coroutine[Any, Any, C]], peer: str) -> None:
        """``connect`` makes a usable connection; ``peer`` is its name in errors."""
        self._connect = connect
        self._peer = peer
        self._present: C | None = None
        self._connecting: asyncio.Task[C] | None = None

    async def get(self, until: float | None) -> C:
        """The current connection, or a new one that all waiting calls share."""
        if self._present is not None and self._present.usable:
            return self._present
        task = self._connecting
        if task is None or task.done():
            task = self._connecting = asyncio.ensure_future(self._renew())
            task.add_done_callback(_seen)
        left = None if until is None else max(0.0, until - time.monotonic())
        done, _ = await asyncio.wait((task,), timeout=left)
        if not done:
            raise not_connected(self._peer)
        if task.cancelled():
            raise client_closed(self._peer)
        problem = task.exception()
        if isinstance(problem, CreoError):
            raise with_peer(problem, self._peer) from problem.__cause__
        return task.result()

    async def close(self) -> None:
        """Closes the connection. Calls in progress end; a later call connects again."""
        connecting, self._connecting = self._connecting, None
        if connecting is not None:
            connecting.cancel()
        present, self._present = self._present, None
        if present is not None:
            present.close()
        await asyncio.sleep(0)

    async def _renew(self) -> C:
        self._present = await self._connect()
        return self._present


def client_closed(peer: str) -> CreoError:
    """The error for a call whose client was closed."""
    message = "the client was closed"
    return CreoError(ErrorCode.CANCELLED, message, details={"peer": peer})


async def connect_to(
    make: Callable[[], P],
    host: str,
    port: int,
    *,
    peer: str,
    context: ssl.SSLContext | None,
    server_name: str | None,
    timeout: float,
) -> tuple[asyncio.BaseTransport, P]:
    """Connects, with TLS if there is a context.

    :raises CreoError: if it cannot connect in time or securely.
    """
    made = asyncio.get_running_loop().create_connection(
        make,
        host,
        port,
        ssl=context,
        server_hostname=(server_name or host) if context is not None else None,
    )
    try:
        transport, connection = await asyncio.wait_for(made, timeout)
    except asyncio.TimeoutError as problem:
        raise connect_error(peer, TimeoutError(), secured=False) from problem
    except (OSError, UnicodeError) as problem:
        raise connect_error(peer, problem, secured=context is not None) from problem
    engine = transport.get_extra_info("ssl_object")
    if isinstance(engine, (ssl.SSLObject, ssl.SSLSocket)):
        try:
            check_tls_version(engine.version(), peer)
        except CreoError:
            transport.abort()
            raise
    return transport, connection


def _seen(task: asyncio.Task[Any]) -> None:
    """Marks a failure as retrieved: every waiting call has raised its own copy of it."""
    if not task.cancelled():
        task.exception()
