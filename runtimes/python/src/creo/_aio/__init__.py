"""A connection of the asyncio client, with many calls in progress."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from contextlib import suppress
from typing import TYPE_CHECKING, Any, cast

from .._base import CreoError, ErrorCode, Limits, not_started
from .._call import RawAnswer, milliseconds_left, read_error, with_peer
from .._call.net import deadline_exceeded, no_preamble
from .._tcp import CANCEL, ERROR, PONG, PREAMBLE, Broken, Incoming, Ping, control, request

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .._binary import Part

_JOINED = 262_144
_RECEIVE = 65_536
_CONTROLS = 1_024
_MAX_CALL = (1 << 32) - 1


class AsyncConnection(asyncio.Protocol):
    """One connection; its calls are futures."""

    def __init__(self, peer: str, limits: Limits, greeting: bytes = PREAMBLE) -> None:
        self.peer = peer
        self._greeting = greeting
        self.draining = False
        self.broken: CreoError | None = None
        self._limits = limits
        self._loop = asyncio.get_running_loop()
        self._transport: asyncio.Transport | None = None
        self._calls: dict[int, asyncio.Future[RawAnswer]] = {}
        self._incoming = Incoming(limits, self._calls, peer)
        self._last_call = 0
        # Small frames that wait until bytes can be sent; only the last ping is answered (TCP-14).
        self._controls: deque[bytes] = deque(maxlen=_CONTROLS)
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
            self._hear()
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
        call = self._enter()
        answer: asyncio.Future[RawAnswer] = self._loop.create_future()
        if not oneway:
            self._calls[call] = answer
        late = None
        if until is not None:
            late = self._loop.call_later(max(0.0, until - time.monotonic()), self._late, answer)
        if not self._incoming.peer_inflates:
            compress_above = None
        sent = False
        try:
            parts = request(
                call, method, milliseconds_left(until), metadata, body,
                compress_above=compress_above,
            )  # fmt: skip
            await self._send(parts, answer)
            sent = True
            return None if oneway else await answer
        finally:
            if late is not None:
                late.cancel()
            # The deadline, or a cancelled task: the server may stop.
            if self._calls.pop(call, None) is not None and sent and not _ended(answer):
                self._control(control(CANCEL, call))
            answer.cancel()
            self.close_if_drained()

    def fail(self, error: CreoError) -> None:
        """Ends the connection and every call on it."""
        if self.broken is not None:
            return
        self.broken = with_peer(error, self.peer)
        calls = list(self._calls.values())
        self._calls.clear()
        for answer in calls:
            if not answer.done():
                answer.set_exception(with_peer(error, self.peer))
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

    def _enter(self) -> int:
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
        if waiting is not None and not waiting.done():
            waiting.set_result(answer)

    def _silent(self) -> None:
        self.fail(no_preamble(self.peer, self._limits.connect_timeout))

    def _hear(self) -> None:
        """Handles what the server sent before it closed a connection that cannot be written to.

        An asyncio transport drops it, including an error of the connection (TCP-20). Input through
        TLS cannot be read any more.
        """
        transport = self._transport
        if transport is None or transport.get_extra_info("ssl_object") is not None:
            return
        with suppress(OSError), transport.get_extra_info("socket").dup() as rest:
            rest.setblocking(False)
            while self.broken is None:
                data = rest.recv(_RECEIVE)
                if not data:
                    break
                self.data_received(data)

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

    async def _send(self, parts: list[Part], answer: asyncio.Future[RawAnswer]) -> None:
        size = sum(map(len, parts))
        written = 0
        try:
            if size <= _JOINED and not self._sending.locked() and self._writable.is_set():
                self._write(b"".join(parts))
                return
            await _acquire(self._sending, answer)
            try:
                for part in parts:
                    view = memoryview(part)
                    for start in range(0, len(view), _JOINED):
                        await _unless(self._writable.wait(), answer)
                        self._write(view[start : start + _JOINED])
                        written += 1
            except BaseException:
                # A partly written frame breaks the connection.
                if written:
                    broken = "a request was not written to its end"
                    self.fail(CreoError(ErrorCode.UNAVAILABLE, broken))
                raise
            finally:
                self._sending.release()
                self._flush()
        except CreoError as error:
            if not written:
                not_started(error)
            raise

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


async def _unless(step: Any, answer: asyncio.Future[RawAnswer]) -> None:
    """Takes a step, unless the call's deadline comes first."""
    task = asyncio.ensure_future(step)
    try:
        await asyncio.wait((task, answer), return_when=asyncio.FIRST_COMPLETED)
        if not task.done():
            answer.result()
    finally:
        if not task.done():
            task.cancel()


async def _acquire(lock: asyncio.Lock, answer: asyncio.Future[RawAnswer]) -> None:
    """Takes a lock, unless the call's deadline comes first."""
    taking = asyncio.ensure_future(lock.acquire())
    try:
        await _unless(taking, answer)
    except BaseException:
        # A cancelled task may have got the lock at the same moment.
        if taking.done() and not taking.cancelled():
            lock.release()
        raise
