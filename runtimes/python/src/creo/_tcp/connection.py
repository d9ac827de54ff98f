"""One connection of the blocking client, shared by threads."""

from __future__ import annotations

import socket
import ssl
import threading
import time
from collections import deque
from typing import TYPE_CHECKING

from .._base import CreoError, ErrorCode, not_started
from .._call import RawAnswer, milliseconds_left, read_error, with_peer
from .._call.net import READ, WRITE, deadline_exceeded, no_preamble, poll, shut_down
from . import (
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
)  # fmt: skip
from .pending import NotSent, Pending

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Callable

    from .._base import Limits
    from .._binary import Part
    from .._call import Cancellation
    from . import Streams

_RECEIVE = 65_536
_RECEIVE_MORE = 1_048_576
_JOINED = 262_144
_CANCELLABLE = 0.05
_LOOKS = 64
_CONTROLS = 1_024
# How long, in seconds, a small frame may block a thread that has other work.
_CONTROL_TIME = 0.1
# How long, in seconds, to read from a server that does not accept a request.
_LAST_WORDS = 1.0
_MAX_CALL = (1 << 32) - 1


class Connection:
    """A connection with many calls in progress.

    ``_state`` guards what calls and reader share, ``_sending`` the order of bytes. ``_engine``
    limits TLS to one thread at a time; its operations never wait.
    """

    def __init__(
        self, connected: socket.socket, peer: str, limits: Limits, greeting: bytes = PREAMBLE
    ) -> None:
        self.peer = peer
        self.draining = self.kept = False
        self.broken: CreoError | None = None
        self._socket = connected
        self._limits = limits
        self._engine = threading.Lock() if isinstance(connected, ssl.SSLSocket) else None
        self._state = threading.Lock()
        self._sending = threading.Lock()
        self._calls: dict[int, Pending] = {}
        self._incoming = Incoming(limits, self._calls, peer)
        self._last_call = 0
        self._reading = False
        # Small frames that wait until bytes can be sent; only the last ping is answered (TCP-14).
        self._controls: deque[bytes] = deque()
        self._pong: bytes | None = None
        self._greeting: bytes | None = greeting
        # When the server's preamble is due (TCP-19); None before this side's was sent.
        self._preamble_due: float | None = None
        self.ended = threading.Event()
        # Whether any byte of the current output was sent; guarded by ``_sending``.
        self._wrote = False

    @property
    def usable(self) -> bool:
        """Whether new calls may use it."""
        return self.broken is None and not self.draining

    @property
    def refusal(self) -> CreoError | None:
        """The server's error about a connection before anything was sent over it (TCP-20).

        Another connection would get the same one.
        """
        error = self.broken
        if self._greeting is None or error is None:
            return None
        said = error.from_peer or error.code in (ErrorCode.PROTOCOL_MISMATCH, ErrorCode.MALFORMED)
        return _for_call(error) if said else None

    # Calls

    def start(
        self,
        method: int,
        body: Sequence[Part],
        metadata: bytes,
        until: float | None,
        compress_above: int | None,
        *,
        oneway: bool,
        cancellation: Cancellation | None = None,
        streams: Streams | None = None,
    ) -> Pending:
        """Sends a request, which ``cancellation`` has from then on, unless it fails.

        :raises NotSent: no byte was written; the caller may try another connection.
        """
        self._look()
        if not self.usable:
            raise NotSent
        if not self._incoming.peer_inflates:
            compress_above = None
        given_up = _never if cancellation is None else (lambda: cancellation.cancelled)
        if not self._acquire(until, given_up):
            late = deadline_exceeded("the request could not be sent", self.peer)
            raise not_started(_given_up(self.peer) if given_up() else late)
        pending: Pending | None = None
        try:
            if not self.usable:
                raise NotSent
            cancellable = cancellation is not None or streams is not None
            pending = self._enter(oneway, cancellable, streams)
            try:
                if cancellation is not None:
                    cancellation.enter(pending, self)
                if pending.error is not None:
                    raise pending.error
                left = milliseconds_left(until)
                parts = request(
                    pending.call, method, left, metadata, body, compress_above=compress_above
                )
                if self._greeting is not None:
                    parts.insert(0, self._greeting)
                self._send(parts, until, pending)
            except OSError as problem:
                self._hear()
                self._fail(self._lost(problem))
                # A server may answer a request before it has read all of it.
                if pending.answer is None:
                    lost = _for_call(self.broken or self._lost(problem))
                    # A part of what TLS was given may be written.
                    written = self._wrote or self._engine is not None
                    raise (lost if written else not_started(lost)) from None
            except BaseException:
                self._calls.pop(pending.call, None)
                raise
        except BaseException:
            if cancellation is not None and pending is not None:
                cancellation.leave(pending)
            raise
        finally:
            self._sending.release()
        self._flush()
        return pending

    def wait(self, pending: Pending, until: float | None) -> RawAnswer:
        """Waits for the answer to a call."""
        self.wait_until(pending, until, _never)
        if pending.answer is None:
            raise self.why_ended(pending)
        return pending.answer

    def wait_until(self, pending: Pending, until: float | None, ready: Callable[[], bool]) -> None:
        """Waits until a call has ended, or until ``ready``; reads for all if nobody else does."""
        wake: threading.Event | None = None
        try:
            while not pending.done and not ready():
                with self._state:
                    if pending.done or ready() or self.broken is not None:
                        break
                    lead = not self._reading
                    if lead:
                        self._reading = True
                    elif wake is None:
                        wake = threading.Event()
                        pending.wakes.append(wake)
                if lead:
                    self._read_until(pending, until, ready)
                elif wake is not None:
                    left = None if until is None else max(0.0, until - time.monotonic())
                    if not wake.wait(left) and not pending.done:
                        raise deadline_exceeded("no answer came", self.peer)
                    wake.clear()
        except BaseException:
            # Deadline, KeyboardInterrupt: the server may stop.
            self._abandon(pending)
            raise
        finally:
            self._pass_on(pending, wake)

    def why_ended(self, pending: Pending) -> CreoError:
        """The error of a call that has ended without an answer."""
        return pending.error or _for_call(self.broken or self._lost(EOFError()))

    @property
    def has_streams(self) -> bool:
        """Whether calls with streams are under way."""
        with self._state:
            return any(pending.streams is not None for pending in self._calls.values())

    def glance(self) -> bool:
        """Handles what has come, unless another thread reads; whether anything had."""
        with self._state:
            if self._reading or self.broken is not None:
                return False
            self._reading = True
        try:
            data = self._receive_now()
            if data is not None:
                self._take(data)
            return data is not None
        finally:
            self._hand_over()
            self._pass_on()

    def give(self, pending: Pending, credit: bytes) -> None:
        """Sends a frame of credit when no other is being written, unless the call has ended."""
        if pending.call in self._calls:
            # It must not be lost. There are few: each needs bytes that came.
            self._controls.append(credit)
            self._flush()

    def send_items(
        self, pending: Pending, frame: list[Part], until: float | None, *, whole: bool
    ) -> None:
        """Sends a frame of items, unless the call has ended; ``whole`` if no thread waits for it.

        :raises CreoError: the call was cancelled meanwhile, unless ``whole``.
        """
        if not self._acquire(until, lambda: pending.done):
            if pending.done:
                return
            raise deadline_exceeded("the items could not be sent", self.peer)
        try:
            if not pending.done and self.broken is None:
                self._send(frame, until, None if whole else pending)
        except OSError as problem:
            self._hear()
            self._fail(self._lost(problem))
        finally:
            self._sending.release()
        self._flush()

    def cancel(self, pending: Pending) -> None:
        """Ends a call from another thread."""
        with self._state:
            if pending.done:
                return
            pending.error = _given_up(self.peer)
        self._abandon(pending)
        pending.wake()

    def close(self) -> None:
        """Closes the connection; calls in progress end as cancelled."""
        # The system would drop what it has not sent yet if there were unread bytes.
        self.glance()
        self._fail(CreoError(ErrorCode.CANCELLED, "the client was closed"))

    def close_if_drained(self) -> None:
        """Closes a connection without new calls once the last one has ended."""
        if self.draining and not self._calls:
            self.close()

    def _enter(self, oneway: bool, cancellable: bool, streams: Streams | None) -> Pending:
        with self._state:
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
            pending = Pending(call, cancellable, streams)
            if not oneway:
                self._calls[call] = pending
            return pending

    def _abandon(self, pending: Pending) -> None:
        with self._state:
            known = self._calls.pop(pending.call, None)
        if known is not None and self.broken is None:
            self._control(control(CANCEL, pending.call))

    # Sending

    def _acquire(self, until: float | None, given_up: Callable[[], bool]) -> bool:
        """Takes the right to send; false if the time is over or the call was given up before."""
        while not given_up():
            left = _CANCELLABLE if until is None else until - time.monotonic()
            if self._sending.acquire(timeout=max(0.0, min(left, _CANCELLABLE))):
                return True
            if left <= 0:
                break
        return False

    def _control(self, frame: bytes) -> None:
        """Sends a small frame as soon as no request is being written."""
        if len(self._controls) < _CONTROLS:
            self._controls.append(frame)
        self._flush()

    def _flush(self) -> None:
        while (self._controls or self._pong is not None) and self._sending.acquire(blocking=False):
            try:
                if self.broken is not None or self._greeting is not None:
                    return
                pong = self._pong
                frames: list[Part] = [*self._controls, pong or b""]
                self._send(frames, time.monotonic() + _CONTROL_TIME)
                for _ in frames[:-1]:
                    self._controls.popleft()
                if self._pong is pong:
                    self._pong = None
            except CreoError:
                # A frame of which nothing was written is sent later.
                return
            except OSError:
                # The reading thread notices, and finds what the server sent before.
                return
            finally:
                self._sending.release()

    def _send(self, parts: list[Part], until: float | None, pending: Pending | None = None) -> None:
        """Writes all parts, unless a call that is given is cancelled.

        A partly written frame breaks the connection.

        :raises OSError: the connection is broken; earlier input can still be read.
        """
        if sum(map(len, parts)) <= _JOINED:
            parts = [b"".join(parts)]
        self._wrote = False
        try:
            for part in parts:
                self._send_part(part, until, pending)
        except OSError:
            raise
        except BaseException:
            if self._wrote:
                broken = CreoError(ErrorCode.UNAVAILABLE, "a request was not written to its end")
                self._fail(with_peer(broken, self.peer))
            raise

    def _send_part(self, part: Part, until: float | None, pending: Pending | None) -> None:
        left = memoryview(part)
        while len(left):
            try:
                if self._engine is None:
                    sent = self._socket.send(left)
                else:
                    with self._engine:
                        sent = self._socket.send(left)
                self._wrote = True
                if self._greeting is not None:
                    self._greeting = None
                    self._preamble_due = time.monotonic() + self._limits.connect_timeout
                left = left[sent:]
            except (BlockingIOError, ssl.SSLWantWriteError):
                # TLS may already hold a part of its input.
                self._wrote = self._wrote or self._engine is not None
                self._ready(WRITE, until, pending)
            except ssl.SSLWantReadError:
                self._ready(READ, until, pending)

    # Receiving

    def _hear(self) -> None:
        """Handles what the server sent before it closed a connection that cannot be written to.

        This keeps an error of the connection (TCP-20).
        """
        end = time.monotonic() + _LAST_WORDS
        with self._state:
            lead = not self._reading
            self._reading = True
        if not lead:
            self.ended.wait(_LAST_WORDS)
            return
        try:
            while self.broken is None and poll(self._socket, READ, end - time.monotonic()):
                data = self._receive_now()
                if data is not None:
                    self._take(data)
                elif time.monotonic() >= end:
                    break
        finally:
            self._hand_over()

    def _look(self) -> None:
        """Handles what came while no call was in progress: a goaway, the end, a ping."""
        with self._state:
            if self._reading or self._calls or self.broken is not None:
                return
            self._reading = True
        try:
            # A server that never stops sending must not delay the call forever.
            for _ in range(_LOOKS):
                data = self._receive_now() if self.broken is None else None
                if data is None:
                    break
                self._take(data)
            due = None if self._incoming.greeted else self._preamble_due
            if due is not None and time.monotonic() >= due:
                # No call has waited for the preamble meanwhile: another connection is tried.
                self._fail(no_preamble(self.peer, self._limits.connect_timeout))
        finally:
            self._hand_over()
            self._pass_on()

    def _read_until(self, pending: Pending, until: float | None, ready: Callable[[], bool]) -> None:
        """Reads for all calls until ``pending`` has ended, or until ``ready``."""
        try:
            while not pending.done and not ready() and self.broken is None:
                data = self._receive(pending, until)
                if data is not None:
                    self._take(data)
                elif self._controls:
                    self._flush()
        finally:
            self._hand_over()

    def _hand_over(self) -> None:
        with self._state:
            self._reading = False
            closing = self.broken is not None
        if closing:
            shut_down(self._socket)
            self._socket.close()

    def _pass_on(self, leaving: Pending | None = None, wake: threading.Event | None = None) -> None:
        """Wakes another thread to read if none does: the leaving one may have been woken for it."""
        with self._state:
            if leaving is not None and wake is not None:
                leaving.wakes.remove(wake)
            if self._reading:
                return
            for other in self._calls.values():
                if other.wakes and not other.done:
                    other.wakes[0].set()
                    return

    def _receive(self, pending: Pending, until: float | None) -> bytes | None:
        """The next bytes; None after a while, in which a call may have been cancelled."""
        now = time.monotonic()
        if self._engine is not None and (until is None or now < until):
            # Bytes that the engine has deciphered do not make the socket readable.
            data = self._receive_now()
            if data is not None:
                return data
        end = until
        since = self._incoming.arriving_since
        if since is not None:
            last = since + self._limits.frame_timeout
            if now >= last:
                allowed = self._limits.frame_timeout
                message = f"an answer took longer than the {allowed:g} seconds allowed"
                self._fail(CreoError(ErrorCode.UNAVAILABLE, message))
                return None
            end = last if end is None else min(end, last)
        due = None if self._incoming.greeted else self._preamble_due
        if due is not None and (until is None or due < until):
            if now >= due:
                # It may have come while no thread read.
                data = self._receive_now()
                if data is None:
                    self._fail(no_preamble(self.peer, self._limits.connect_timeout))
                return data
            end = due if end is None else min(end, due)
        elif until is not None and now >= until:
            raise deadline_exceeded("no answer came", self.peer)
        if pending.cancellable:
            end = now + _CANCELLABLE if end is None else min(end, now + _CANCELLABLE)
        if not poll(self._socket, READ, None if end is None else end - now):
            return None
        return self._receive_now()

    def _receive_now(self) -> bytes | None:
        """Available bytes; None if there are none, empty at the end."""
        size = _RECEIVE if self._incoming.arriving_since is None else _RECEIVE_MORE
        try:
            if self._engine is None:
                return self._socket.recv(size)
            with self._engine:
                return self._socket.recv(size)
        except (BlockingIOError, ssl.SSLWantReadError, ssl.SSLWantWriteError):
            return None
        except (ssl.SSLZeroReturnError, ssl.SSLEOFError):
            return b""
        except OSError as problem:
            self._fail(self._lost(problem))
            return None

    def _take(self, data: bytes) -> None:
        """Handles received bytes; their end ends every call."""
        for event in self._incoming.feed(data) if data else ():
            if isinstance(event, RawAnswer):
                if event.kind in (ITEMS, CREDIT):
                    self._receive_frame(event)
                else:
                    self._answer(event)
            elif isinstance(event, Ping):
                self._pong = control(PONG, event.number)
            elif isinstance(event, Broken):
                self._fail(event.error)
            else:
                self.draining = True
        if data:
            self._flush()
        else:
            self._fail(self._incoming.lost())

    def _answer(self, answer: RawAnswer) -> None:
        if answer.call == 0 and answer.kind == ERROR:
            self._fail(answer.error or read_error(answer.body, self._limits, self.peer))
            return
        with self._state:
            pending = self._calls.pop(answer.call, None)
            if pending is None or pending.done:
                return
            pending.answer = answer
        pending.wake()

    def _receive_frame(self, frame: RawAnswer) -> None:
        """Items or credit of a call with streams."""
        pending = self._calls.get(frame.call)
        if pending is None:
            return
        try:
            with self._state:
                receive(pending.streams, frame)
        except CreoError as error:
            self._fail(error)
        pending.wake()

    def _fail(self, error: CreoError) -> None:
        """Ends the connection and every call on it."""
        error = with_peer(error, self.peer)
        with self._state:
            if self.broken is not None:
                return
            self.broken = error
            calls = list(self._calls.values())
            self._calls.clear()
            reading = self._reading
        self.ended.set()
        for pending in calls:
            if not pending.done:
                pending.error = _for_call(error)
            pending.wake()
        shut_down(self._socket)
        if not reading:
            self._socket.close()

    def _lost(self, problem: BaseException) -> CreoError:
        reason = getattr(problem, "strerror", None) or str(problem) or type(problem).__name__
        message = f"the connection to {self.peer} was lost: {reason}"
        return with_peer(CreoError(ErrorCode.UNAVAILABLE, message), self.peer)

    def _ready(self, events: int, until: float | None, pending: Pending | None) -> None:
        """Waits until the socket can go on."""
        while True:
            if pending is not None and pending.error is not None and self.broken is None:
                raise pending.error
            left = None if until is None else until - time.monotonic()
            if left is not None and left <= 0:
                raise deadline_exceeded("the request could not be sent", self.peer)
            if pending is not None and pending.cancellable:
                left = _CANCELLABLE if left is None else min(left, _CANCELLABLE)
            if poll(self._socket, events, left):
                return


def _never() -> bool:
    return False


def _for_call(error: CreoError) -> CreoError:
    """Each call gets its own error: a raised exception keeps the trace of its thread."""
    return with_peer(error, error.details["peer"])


def _given_up(peer: str) -> CreoError:
    return CreoError(ErrorCode.CANCELLED, "the caller gave up", details={"peer": peer})
