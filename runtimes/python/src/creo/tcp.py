"""Channels over TCP for blocking clients (``spec/transports/tcp.md``).

A call writes once and usually reads once, on the caller's thread. There is no background thread: of
the threads that wait for answers on a connection, one reads for all; when its own answer has come,
another takes over.
"""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING, Any, TypeVar, cast

from ._base import DEFAULT_LIMITS, CreoError, ErrorCode, Limits, module_of, not_started
from ._call import answer_with, until_of, with_peer
from ._call.metadata import encode_metadata
from ._call.net import address, connect_error, not_connected, open_socket, tls_context
from ._tcp import CONNECTIONS, preamble, wire_of
from ._tcp.connection import Connection
from ._tcp.pending import NotSent, Pending

if TYPE_CHECKING:
    from collections.abc import Sequence

    from typing_extensions import Self

    from ._binary import Part
    from ._call import CallOptions, Method
    from ._call.net import Tls
    from ._tcp import Streams

__all__ = ["Channel"]

A = TypeVar("A")
R = TypeVar("R")


class Channel:
    """The connection to one server: made on demand, and again when lost.

    Clients of several interfaces may share one. All methods are thread-safe; calls of several
    threads share one connection.
    """

    def __init__(
        self,
        host: str,
        port: int,
        *,
        tls: Tls | None = None,
        server_name: str | None = None,
        limits: Limits = DEFAULT_LIMITS,
        wire: str = "binary",
        scheme: str = "record",
        schema: bool = False,
    ) -> None:
        """Connects with the first call.

        ``tls`` is ``True``, or an ``ssl.SSLContext`` that verifies certificate and host name;
        ``server_name`` is the name in the certificate if it is not ``host``; ``wire`` is that of
        the bodies, ``"binary"`` or ``"tdxml"``; ``scheme`` and ``schema`` are those of
        ``TdxmlChannel``.
        """
        self.host = host
        self.port = port
        self.limits = limits
        self._wire = wire_of(wire, scheme, schema)
        self._context = tls_context(tls)
        self._server_name = server_name
        self._peer = address(host, port)
        self._lock = threading.Lock()
        self._connection: Connection | None = None

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.host!r}, {self.port})"

    def call(self, method: Method[A, R], arguments: A, options: CallOptions) -> R:
        """Calls a method and waits for its result.

        :raises CreoError: if the call fails; or an exception that the method declares.
        """
        until = until_of(options)
        wire = self._wire.operation(method)
        body = wire.encode(arguments, self.limits)
        connection, pending = self._start(method, body, options, until)
        cancellation, watch = options.cancellation, options.watch
        try:
            if method.oneway:
                return cast("R", None)
            answer = connection.wait(pending, until)
        finally:
            if cancellation is not None:
                cancellation.leave(pending)
        connection.close_if_drained()
        if options.raw_messages is not None:
            from ._tcp.raw import show_answer

            show_answer(method, options, self._peer, bool(self._wire.number), answer)
        if watch is not None and answer.metadata is not None:
            watch.answered(answer_with(answer.metadata))
        return wire.finish(answer, self.limits, self._peer)

    def stream(self, method: Any, arguments: Any, source: Any, options: CallOptions) -> Any:
        """Begins a call with streams: its request has been sent.

        :raises CreoError: if the request cannot be sent.
        """
        part = module_of("_tcp.streams")
        if self._wire.number:
            raise part.no_streams(method)
        until = until_of(options)
        body = method.encode(arguments, self.limits)
        streams = part.CallStreams(method.reads, self.limits)
        connection, pending = self._start(method, body, options, until, streams)
        return part.BlockingCall(
            connection, pending, streams, method, source, self.limits, until, options
        )

    def close(self) -> None:
        """Closes the connection. Calls in progress end; a later call connects again."""
        with self._lock:
            connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _start(
        self,
        method: Method[Any, Any],
        body: Sequence[Part],
        options: CallOptions,
        until: float | None,
        streams: Streams | None = None,
    ) -> tuple[Connection, Pending]:
        """Sends a request, over another connection if the current one is gone."""
        metadata = encode_metadata(options.metadata, self.limits)
        cancellation = options.cancellation
        if cancellation is not None and cancellation.cancelled:
            raise CreoError(ErrorCode.CANCELLED, "the caller gave up before the call began")
        attempts = 0
        while True:
            attempts += 1
            connection = self._connected(until)
            if options.watch is not None:
                options.watch.reached(self._peer)
            if options.raw_messages is not None and attempts == 1:
                from ._tcp.raw import show_request

                tables = bool(self._wire.number)
                show_request(method, options, self._peer, tables, body, until)
            try:
                return connection, connection.start(
                    method.id,
                    body,
                    metadata,
                    until,
                    options.compress_above,
                    oneway=method.oneway,
                    cancellation=cancellation,
                    streams=streams,
                )
            except NotSent:
                connection.close_if_drained()
                if connection.refusal is not None:
                    raise not_started(connection.refusal) from None
                if attempts == CONNECTIONS:
                    message = "the server takes no calls: every connection was ended at once"
                    refused = with_peer(CreoError(ErrorCode.UNAVAILABLE, message), self._peer)
                    raise not_started(refused) from None

    def _connected(self, until: float | None) -> Connection:
        """The current connection, or a new one; the deadline includes connecting (TCP-12)."""
        wait = -1 if until is None else max(0.0, until - time.monotonic())
        if not self._lock.acquire(timeout=wait):
            raise not_connected(self._peer)
        try:
            connection = self._connection
            if connection is None or not connection.usable:
                connection = self._connection = self._connect(until)
            return connection
        finally:
            self._lock.release()

    def _connect(self, until: float | None) -> Connection:
        limit = time.monotonic() + self.limits.connect_timeout
        end = limit if until is None else min(limit, until)
        try:
            connected = open_socket(self.host, self.port, self._context, self._server_name, end)
        except CreoError as error:
            raise with_peer(error, self._peer) from None
        except OSError as problem:
            failed = connect_error(self._peer, problem, secured=self._context is not None)
            if until is not None and time.monotonic() >= until:
                failed = not_connected(self._peer, failed.message)
            raise failed from problem
        return Connection(connected, self._peer, self.limits, preamble(self._wire.number))
