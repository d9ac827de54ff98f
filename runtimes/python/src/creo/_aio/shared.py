"""A connection shared by all calls on an event loop: made on demand, and again when lost."""

from __future__ import annotations

import asyncio
import ssl
import time
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

from .._base import CreoError, ErrorCode
from .._call import with_peer
from .._call.net import check_tls_version, connect_error, not_connected

if TYPE_CHECKING:
    from collections.abc import Coroutine
    from typing import Callable


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
