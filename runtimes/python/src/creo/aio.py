"""Channels over TCP for asyncio clients: many calls in progress on one connection."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar, cast

from ._aio import AsyncConnection, SharedConnection, connect_to
from ._base import DEFAULT_LIMITS, Limits, module_of
from ._call import answer_with, until_of
from ._call.metadata import encode_metadata
from ._call.net import address, tls_context
from ._tcp import CONNECTIONS, preamble, wire_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from typing_extensions import Self

    from ._binary import Part
    from ._call import CallOptions, Method
    from ._call.net import Tls

__all__ = ["AsyncChannel"]

A = TypeVar("A")
R = TypeVar("R")


class AsyncChannel:
    """The connection to one server, for asyncio: see ``Channel``. Belongs to one event loop."""

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
        """Connects with the first call."""
        self.host = host
        self.port = port
        self.limits = limits
        self._wire = wire_of(wire, scheme, schema)
        self._context = tls_context(tls)
        self._server_name = server_name
        self._peer = address(host, port)
        self._connection = SharedConnection(self._connect, self._peer)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.host!r}, {self.port})"

    async def call(self, method: Method[A, R], arguments: A, options: CallOptions) -> R:
        """Calls a method and waits for its result.

        Cancelling the waiting task also ends the call on the server.

        :raises CreoError: if the call fails; or an exception that the method declares.
        """
        until = until_of(options)
        wire = self._wire.operation(method)
        body = wire.encode(arguments, self.limits)
        metadata = encode_metadata(options.metadata, self.limits)
        connection = await self._connected(options, until)
        watch = options.watch
        if options.raw_messages is not None:
            self._show_request(method, options, body, until)
        answer = await connection.call(
            method.id, body, metadata, until, options.compress_above, oneway=method.oneway
        )
        if answer is None:
            return cast("R", None)
        if options.raw_messages is not None:
            from ._tcp.raw import show_answer

            show_answer(method, options, self._peer, bool(self._wire.number), answer)
        if watch is not None and answer.metadata is not None:
            watch.answered(answer_with(answer.metadata))
        return wire.finish(answer, self.limits, self._peer)

    async def stream(self, method: Any, arguments: Any, source: Any, options: CallOptions) -> Any:
        """Begins a call with streams: its request has been sent.

        :raises CreoError: if the request cannot be sent.
        """
        part = module_of("_aio.streams")
        if self._wire.number:
            raise part.no_streams(method)
        until = until_of(options)
        body = method.encode(arguments, self.limits)
        metadata = encode_metadata(options.metadata, self.limits)
        connection = await self._connected(options, until)
        if options.raw_messages is not None:
            self._show_request(method, options, body, until)
        streams = part.CallStreams(method.reads, self.limits)
        pending = connection.enter(until, streams)
        try:
            await connection.start(
                pending, method.id, body, metadata, until, options.compress_above
            )
        except BaseException:
            connection.leave(pending)
            raise
        return part.TaskCall(connection, pending, streams, method, source, self.limits, options)

    async def close(self) -> None:
        """Closes the connection. Calls in progress end; a later call connects again."""
        await self._connection.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    def _show_request(
        self,
        method: Method[Any, Any],
        options: CallOptions,
        body: Sequence[Part],
        until: float | None,
    ) -> None:
        from ._tcp.raw import show_request

        show_request(method, options, self._peer, bool(self._wire.number), body, until)

    async def _connected(self, options: CallOptions, until: float | None) -> AsyncConnection:
        connection = await self._connection.get(until)
        for _ in range(CONNECTIONS - 1):
            if not connection.draining:
                break
            # The server sent its goaway before a byte of this call was written (TCP-16).
            connection = await self._connection.get(until)
        if options.watch is not None:
            options.watch.reached(self._peer)
        return connection

    async def _connect(self) -> AsyncConnection:
        _, connection = await connect_to(
            lambda: AsyncConnection(self._peer, self.limits, preamble(self._wire.number)),
            self.host,
            self.port,
            peer=self._peer,
            context=self._context,
            server_name=self._server_name,
            timeout=self.limits.connect_timeout,
        )
        return connection
