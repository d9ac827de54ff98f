"""The blocking HTTP client: kept connections, and one deadline for a whole call."""

from __future__ import annotations

import contextlib
import socket
import ssl
import threading
import time
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

from .._base import CreoError, ErrorCode, not_started
from .._call import with_peer
from .._call.net import (
    READ,
    WRITE,
    deadline_exceeded,
    not_connected,
    open_socket,
    poll,
    seconds_left,
    secured_socket,
    shut_down,
)
from . import Response, Url, request_head
from .proxy import Tunnel, Unreached, no_connection

if TYPE_CHECKING:
    from .._base import Limits
    from .._call import Cancellation, Watch
    from .proxy import Proxy

_RECEIVE = 262_144
_JOINED = 65_536


class _Unsent(Exception):
    """A kept connection was gone before the service can have begun (HTTP-5)."""


class HttpConnection:
    """A connection, for one call at a time."""

    def __init__(self, connected: socket.socket, url: Url, limits: Limits) -> None:
        self._socket = connected
        self._url = url
        self._limits = limits
        self.cancelled = False
        self._wrote = False

    @property
    def silent(self) -> bool:
        """Whether nothing has arrived since the last answer, not even the end (HTTP-5)."""
        try:
            self._socket.settimeout(0)
            self._socket.recv(1)
        except (BlockingIOError, ssl.SSLWantReadError):
            return True
        except OSError:
            pass
        return False

    def cancel(self) -> None:
        """Ends the call from another thread."""
        self.cancelled = True
        shut_down(self._socket)

    def exchange(self, parts: Sequence[bytes], until: float | None, kept: bool) -> Response:
        """Sends a request and reads its answer."""
        response = Response(self._limits, self._url.peer)
        try:
            whole = self.send(parts, until, response)
        except socket.timeout:
            raise self._late() from None
        except OSError as problem:
            if kept and not response.began:
                raise _Unsent from problem
            lost = self._lost(problem)
            raise (lost if self._wrote else not_started(lost)) from problem
        try:
            while not response.done:
                data = self.receive(until, _RECEIVE)
                if data:
                    response.feed(data)
                else:
                    response.end()
        except socket.timeout:
            raise self._late() from None
        except OSError as problem:
            raise self._lost(problem) from problem
        if not whole:
            # Without the rest of a request, another one would be read as that rest.
            response.keeps_alive = False
        return response

    def send(self, parts: Sequence[bytes], until: float | None, response: Response) -> bool:
        """Sends a part of a request, until the answer is complete; whether to its end.

        It takes what comes of the answer when the peer does not read on, or ends the connection.

        :raises OSError: if the connection is lost, or the time is over: ``socket.timeout``.
        """
        if sum(map(len, parts)) <= _JOINED:
            parts = (b"".join(parts),)
        # A part of what TLS was given may be written if it fails.
        self._wrote = isinstance(self._socket, ssl.SSLSocket)
        self._socket.settimeout(0)
        try:
            for part in parts:
                view = memoryview(part)
                while len(view) and not response.done:
                    if until is not None:
                        seconds_left(until)
                    try:
                        view = view[self._socket.send(view[:_RECEIVE]) :]
                        self._wrote = True
                    except (BlockingIOError, ssl.SSLWantReadError, ssl.SSLWantWriteError) as wait:
                        wanted = READ if isinstance(wait, ssl.SSLWantReadError) else READ | WRITE
                        poll(self._socket, wanted, None if until is None else seconds_left(until))
                        self.hear(response)
        except socket.timeout:
            raise
        except OSError:
            with contextlib.suppress(OSError):
                while not response.done and self.hear(response):
                    pass
            if not response.done:
                raise
        return not response.done

    def hear(self, response: Response) -> bool:
        """Takes what has come of an answer before the request was sent; whether anything had.

        :raises OSError: if the connection is lost, or no answer can come any more.
        """
        self._socket.settimeout(0)
        try:
            data = self._socket.recv(_RECEIVE)
        except (BlockingIOError, ssl.SSLWantReadError):
            return False
        if data:
            response.feed(data)
        elif response.began and not self.cancelled:
            response.end()
        else:
            raise ConnectionResetError("the peer closed it before it had the request")
        return True

    def receive(self, until: float | None, most: int) -> bytes:
        """Waits for bytes of the answer; none at the end of the connection.

        :raises OSError: as ``send``.
        """
        self._wait(until)
        return self._socket.recv(most)

    def close(self) -> None:
        """Closes it."""
        with contextlib.suppress(OSError):
            self._socket.close()

    def _wait(self, until: float | None) -> None:
        """Sets the timeout of the next operation."""
        self._socket.settimeout(None if until is None else seconds_left(until))

    def _late(self) -> CreoError:
        message = f"{self._url.text} did not answer"
        return deadline_exceeded(message, self._url.peer)

    def _lost(self, problem: OSError) -> CreoError:
        message = f"the connection to {self._url.peer} was lost: {problem}"
        details = {"peer": self._url.peer}
        return CreoError(ErrorCode.UNAVAILABLE, message, details=details)


class HttpPool:
    """The connections to one server. All methods are thread-safe."""

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
        self._server_name = server_name
        self._limits = limits
        self._lock = threading.Lock()
        self._idle: list[HttpConnection] = []
        # By the token of the call: a connection serves one after another.
        self._busy: dict[object, HttpConnection] = {}
        self._most = 0

    def post(
        self,
        target: str,
        headers: Mapping[str, str],
        body: Sequence[bytes],
        until: float | None,
        cancellation: Cancellation | None,
        watch: Watch | None,
    ) -> Response:
        """Sends a request and reads its answer."""
        kept = True
        while True:
            call = object()
            connection = self._take(call) if kept else None
            kept = connection is not None
            if connection is None:
                connection = self._connect(until)
                with self._lock:
                    self._busy[call] = connection
                    self._most = max(self._most, len(self._busy))
            again = False
            if watch is not None:
                watch.reached(self._url.peer)
            if cancellation is not None:
                cancellation.enter(call, self)
            try:
                size = sum(map(len, body))
                head = request_head(self._url, target, headers, size, until)
                response = connection.exchange((head, *body), until, kept)
                again = response.keeps_alive
                return response
            except _Unsent:
                kept = False
                if connection.cancelled:
                    raise self._cancelled() from None
            except CreoError as error:
                if connection.cancelled:
                    raise self._cancelled() from None
                raise with_peer(error, self._url.peer) from error.__cause__
            finally:
                if cancellation is not None:
                    cancellation.leave(call)
                self._give_back(call, connection, again)

    def cancel(self, pending: object) -> None:
        """Ends a call from another thread, unless it has ended."""
        with self._lock:
            connection = self._busy.get(pending)
            if connection is not None:
                connection.cancel()

    def open(self, until: float | None) -> HttpConnection:
        """A new connection, which is not kept; ``release`` closes it."""
        connection = self._connect(until)
        with self._lock:
            self._busy[connection] = connection
        return connection

    def release(self, connection: HttpConnection) -> None:
        """Closes a connection that ``open`` gave."""
        self._give_back(connection, connection, False)

    def close(self) -> None:
        """Closes all connections; calls in progress end."""
        with self._lock:
            idle, self._idle = self._idle, []
            for connection in self._busy.values():
                connection.cancel()
        for connection in idle:
            connection.close()

    def _take(self, call: object) -> HttpConnection | None:
        """A kept connection on which nothing has arrived."""
        while True:
            with self._lock:
                if not self._idle:
                    return None
                connection = self._idle.pop()
                self._busy[call] = connection
                self._most = max(self._most, len(self._busy))
            if connection.silent:
                return connection
            self._give_back(call, connection, False)

    def _give_back(self, call: object, connection: HttpConnection, again: bool) -> None:
        with self._lock:
            self._busy.pop(call, None)
            if again and not connection.cancelled and len(self._idle) < self._most:
                self._idle.append(connection)
                return
        connection.close()

    def _connect(self, until: float | None) -> HttpConnection:
        url = self._url
        limit = time.monotonic() + self._limits.connect_timeout
        end = limit if until is None else min(limit, until)
        try:
            if self._proxy is None:
                connected = open_socket(url.host, url.port, self._context, self._server_name, end)
            else:
                connected = self._open_through(self._proxy, end)
        except CreoError as error:
            raise with_peer(error, url.peer) from None
        except OSError as problem:
            failed = no_connection(url, self._proxy, problem)
            if until is not None and time.monotonic() >= until:
                failed = not_connected(url.peer, failed.message)
            elif (
                url.secure
                and self._proxy is None
                and isinstance(problem, (socket.timeout, TimeoutError))
                # A server that waits for an HTTP request does not answer TLS.
                and speaks_http(url.host, url.port)
            ):
                failed = plain_http(url.peer)
            raise failed from problem
        return HttpConnection(connected, url, self._limits)

    def _open_through(self, proxy: Proxy, end: float) -> socket.socket:
        """A connection to the service through a proxy, or to the proxy itself without a tunnel."""
        url = self._url
        try:
            connected = open_socket(proxy.host, proxy.port, None, None, end)
        except OSError as problem:
            raise Unreached(problem) from problem
        if self._context is None:
            return connected
        try:
            try:
                self._open_tunnel(connected, Tunnel(proxy, url, self._limits), end)
            except OSError as problem:
                raise Unreached(problem) from problem
            name = self._server_name or url.host
            connected = secured_socket(connected, self._context, name, url.peer, end)
            connected.settimeout(0)
            return connected
        except BaseException:
            connected.close()
            raise

    def _open_tunnel(self, connected: socket.socket, tunnel: Tunnel, end: float) -> None:
        connected.settimeout(seconds_left(end))
        connected.sendall(tunnel.request)
        while not tunnel.done:
            connected.settimeout(seconds_left(end))
            tunnel.feed(connected.recv(_RECEIVE))

    def _cancelled(self) -> CreoError:
        details = {"peer": self._url.peer}
        return CreoError(ErrorCode.CANCELLED, "the caller gave up", details=details)


#: The seconds for a peer without TLS to show that it speaks HTTP.
_PATIENCE: Final = 2.0


def speaks_http(host: str, port: int) -> bool:
    """Whether a peer that did not answer TLS speaks plain HTTP (HTTP-10)."""
    try:
        with socket.create_connection((host, port), timeout=_PATIENCE) as plain:
            plain.sendall(b"OPTIONS * HTTP/1.0\r\n\r\n")
            return plain.recv(5, socket.MSG_WAITALL) == b"HTTP/"
    except OSError:
        return False


def plain_http(peer: str) -> CreoError:
    """The error for a peer that speaks HTTP without TLS."""
    message = f"{peer} does not speak TLS, but plain HTTP"
    return CreoError(ErrorCode.PROTOCOL_MISMATCH, message, details={"peer": peer})
