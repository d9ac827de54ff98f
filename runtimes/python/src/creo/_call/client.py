"""The blocking client: a call writes once and usually reads once, on the caller's thread.

There is no thread in the background. Of the threads that wait for answers on a connection, one
reads for all; when its own answer has come, it hands over to another.
"""

from __future__ import annotations

import copy
import threading
import time
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Protocol, TypeVar, cast

from .._base import CreoError, ErrorCode
from .._base.limits import DEFAULT_LIMITS, Limits
from .._binary.values import SAME, Same
from .._tcp import encode_metadata
from .._tcp.connection import Connection, NotSent
from .._tcp.wires import tcp_wire
from . import with_peer
from .net import CallOptions, address, connect_error, deadline_exceeded, open_socket, tls_context

if TYPE_CHECKING:
    from typing_extensions import Self

    from . import Method
    from .net import Tls

# How often a call that no byte was written of is tried on another connection.
_CONNECTIONS = 3

A = TypeVar("A")
R = TypeVar("R")


class _Ending(Protocol):
    """What can end a call: a connection."""

    def cancel(self, pending: Any) -> None: ...


class Caller(Protocol):
    """The way to a server, whatever the wire: ``Channel``, ``SoapChannel``."""

    host: str
    port: int

    def call(self, method: Method[A, R], arguments: A, options: CallOptions) -> R:
        """Calls a method and waits for its outcome."""
        ...

    def close(self) -> None:
        """Closes the connections."""
        ...


class Cancellation:
    """Ends calls from another thread: give it to ``with_options``, and call ``cancel``."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._calls: dict[object, _Ending] = {}
        self._cancelled = False

    @property
    def cancelled(self) -> bool:
        """Whether ``cancel`` was called."""
        return self._cancelled

    def cancel(self) -> None:
        """Ends all calls that carry this, and every later one, with ``cancelled``."""
        with self._lock:
            self._cancelled = True
            calls = list(self._calls.items())
        for pending, connection in calls:
            connection.cancel(pending)

    def enter(self, pending: Any, connection: _Ending) -> None:
        """Watches a call; for the client alone."""
        with self._lock:
            self._calls[pending] = connection
            cancelled = self._cancelled
        if cancelled:
            connection.cancel(pending)

    def leave(self, pending: object) -> None:
        """The call has ended; for the client alone."""
        with self._lock:
            self._calls.pop(pending, None)


class Channel:
    """The way to one server: a connection that is made when it is needed, and again when lost.

    Clients of several interfaces may share one. All methods may be called by any thread; calls of
    several threads go over one connection at the same time.
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
        the bodies, ``"binary"`` or ``"tdxml"``; ``scheme`` and ``schema`` say how tables are
        written, as those of ``TdxmlChannel``.
        """
        self.host = host
        self.port = port
        self.limits = limits
        self._wire = tcp_wire(wire, scheme, schema)
        self._context = tls_context(tls)
        self._server_name = server_name
        self._peer = address(host, port)
        self._lock = threading.Lock()
        self._connection: Connection | None = None

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.host!r}, {self.port})"

    def call(self, method: Method[A, R], arguments: A, options: CallOptions) -> R:
        """Calls a method and waits for its outcome.

        :raises CreoError: if the call fails; or an exception that the method declares.
        """
        until = None if options.deadline is None else time.monotonic() + options.deadline
        wire = self._wire.operation(method)
        body = wire.encode(arguments, self.limits)
        metadata = encode_metadata(options.metadata, self.limits)
        cancellation = options.cancellation
        if cancellation is not None and cancellation.cancelled:
            raise CreoError(ErrorCode.CANCELLED, "the caller gave up before the call began")
        attempts = 0
        while True:
            attempts += 1
            connection = self._connected(until)
            try:
                pending = connection.start(
                    method.id,
                    body,
                    metadata,
                    until,
                    options.compress_above,
                    oneway=method.oneway,
                    cancellable=cancellation is not None,
                )
                break
            except NotSent:
                connection.close_if_drained()
                if connection.refusal is not None:
                    raise connection.refusal from None
                if attempts == _CONNECTIONS:
                    message = "the server takes no calls: every connection was ended at once"
                    raise with_peer(CreoError(ErrorCode.UNAVAILABLE, message), self._peer) from None
        if method.oneway:
            return cast("R", None)
        if cancellation is None:
            answer = connection.wait(pending, until)
        else:
            cancellation.enter(pending, connection)
            try:
                answer = connection.wait(pending, until)
            finally:
                cancellation.leave(pending)
        connection.close_if_drained()
        return wire.finish(answer, self.limits, self._peer)

    def close(self) -> None:
        """Closes the connection. Calls under way end; a later call connects again."""
        with self._lock:
            connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _connected(self, until: float | None) -> Connection:
        """The present connection, or a new one; the deadline covers the connecting (TCP-12)."""
        wait = -1 if until is None else max(0.0, until - time.monotonic())
        if not self._lock.acquire(timeout=wait):
            raise deadline_exceeded("there was no connection yet", self._peer)
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
                late = f"there was no connection yet: {failed.message}"
                failed = deadline_exceeded(late, self._peer)
            raise failed from problem
        return Connection(connected, self._peer, self.limits, self._wire.preamble)


class Client:
    """The base of generated blocking clients. May be used by any number of threads."""

    def __init__(
        self,
        host: str,
        port: int,
        *,
        tls: Tls | None = None,
        server_name: str | None = None,
        limits: Limits = DEFAULT_LIMITS,
        options: CallOptions | None = None,
        wire: str = "binary",
        scheme: str = "record",
        schema: bool = False,
    ) -> None:
        """A client of the server at this address; see ``Channel`` for the arguments.

        It connects with the first call. ``with`` closes it.
        """
        self._channel: Caller = Channel(
            host, port, tls=tls, server_name=server_name, limits=limits, wire=wire,
            scheme=scheme, schema=schema,
        )  # fmt: skip
        self._options = options or CallOptions()
        self._owner = True

    @classmethod
    def soap(
        cls,
        url: str,
        *,
        version: str | None = None,
        mtom: bool = False,
        tables: str | None = None,
        schema: bool = False,
        gzip: bool = False,
        tls: Tls | None = None,
        server_name: str | None = None,
        limits: Limits = DEFAULT_LIMITS,
        options: CallOptions | None = None,
    ) -> Self:
        """A client of the service at this URL, by SOAP; see ``SoapChannel`` for the arguments.

        It connects with the first call. ``with`` closes it.
        """
        from ..soap import SoapChannel

        channel = SoapChannel(
            url, version=version, mtom=mtom, tables=tables, schema=schema, gzip=gzip, tls=tls,
            server_name=server_name, limits=limits,
        )  # fmt: skip
        return cls._made(channel, options, owner=True)

    @classmethod
    def json(
        cls,
        url: str,
        *,
        gzip: bool = False,
        tls: Tls | None = None,
        server_name: str | None = None,
        limits: Limits = DEFAULT_LIMITS,
        options: CallOptions | None = None,
    ) -> Self:
        """A client of the service at this URL, by JSON; see ``JsonChannel`` for the arguments.

        It connects with the first call. ``with`` closes it.
        """
        from .._wire_channels import JsonChannel

        channel = JsonChannel(url, gzip=gzip, tls=tls, server_name=server_name, limits=limits)
        return cls._made(channel, options, owner=True)

    @classmethod
    def tdxml(
        cls,
        url: str,
        *,
        scheme: str = "record",
        schema: bool = False,
        packages: bool = False,
        gzip: bool = False,
        tls: Tls | None = None,
        server_name: str | None = None,
        limits: Limits = DEFAULT_LIMITS,
        options: CallOptions | None = None,
    ) -> Self:
        """A client of the service at this URL, by tables without SOAP; see ``TdxmlChannel``.

        It connects with the first call. ``with`` closes it.
        """
        from .._wire_channels import TdxmlChannel

        channel = TdxmlChannel(
            url, scheme=scheme, schema=schema, packages=packages, gzip=gzip, tls=tls,
            server_name=server_name, limits=limits,
        )  # fmt: skip
        return cls._made(channel, options, owner=True)

    @classmethod
    def over(cls, channel: Caller, options: CallOptions | None = None) -> Self:
        """A client that may share this channel with others. Closing it leaves the channel open."""
        return cls._made(channel, options, owner=False)

    @classmethod
    def _made(cls, channel: Caller, options: CallOptions | None, *, owner: bool) -> Self:
        made = cls.__new__(cls)
        made._channel = channel
        made._options = options or CallOptions()
        made._owner = owner
        return made

    def with_options(
        self,
        *,
        deadline: float | Same | None = SAME,
        metadata: Mapping[str, str] | Same = SAME,
        compress_above: int | Same | None = SAME,
        cancellation: Cancellation | Same | None = SAME,
    ) -> Self:
        """The same client, on the same connection, with other options for its calls.

        ``client.with_options(deadline=0.5).find(query)``
        """
        given: dict[str, Any] = {
            "deadline": deadline,
            "metadata": metadata,
            "compress_above": compress_above,
            "cancellation": cancellation,
        }
        made = copy.copy(self)
        changes = {name: value for name, value in given.items() if value is not SAME}
        made._options = replace(self._options, **changes)
        return made

    def close(self) -> None:
        """Closes the connection, unless the client was given its channel."""
        if self._owner:
            self._channel.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._channel.host!r}, {self._channel.port})"

    def _call(self, method: Method[A, R], arguments: A) -> R:
        return self._channel.call(method, arguments, self._options)
