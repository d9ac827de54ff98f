"""Tables, and channels to services that use them over HTTP without SOAP."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ._base import DEFAULT_LIMITS, Limits
from ._http.channel import AsyncHttpChannel, HttpChannel
from ._tdxml.http import TdxmlBinding
from ._tdxml.table import Table

if TYPE_CHECKING:
    from ._call.net import Tls
    from .http import HttpOptions

__all__ = ["AsyncTdxmlChannel", "Table", "TdxmlChannel"]


class TdxmlChannel(HttpChannel):
    """The connection to one service that uses tables. All methods are thread-safe."""

    def __init__(
        self,
        url: str,
        *,
        scheme: str = "record",
        schema: bool = False,
        packages: bool = False,
        gzip: bool = False,
        tls: Tls | None = None,
        server_name: str | None = None,
        limits: Limits = DEFAULT_LIMITS,
        proxy: str | None = None,
        http: HttpOptions | None = None,
    ) -> None:
        """Connects with the first call; see ``JsonChannel`` of ``creo.json`` for other arguments.

        ``scheme`` is ``"record"``, a row for each struct, or ``"aggregated"``, a row for each
        field; ``schema`` sends names and types with each table; ``packages`` sends large ``byte[]``
        as MIME parts.
        """
        binding = TdxmlBinding(scheme, schema, packages)
        super().__init__(
            url, binding, gzip=gzip, tls=tls, server_name=server_name, limits=limits, proxy=proxy,
            http=http,
        )  # fmt: skip


class AsyncTdxmlChannel(AsyncHttpChannel):
    """The connection to one service that uses tables, for asyncio. Belongs to one event loop."""

    def __init__(
        self,
        url: str,
        *,
        scheme: str = "record",
        schema: bool = False,
        packages: bool = False,
        gzip: bool = False,
        tls: Tls | None = None,
        server_name: str | None = None,
        limits: Limits = DEFAULT_LIMITS,
        proxy: str | None = None,
        http: HttpOptions | None = None,
    ) -> None:
        """Connects with the first call; see ``TdxmlChannel`` for the arguments."""
        binding = TdxmlBinding(scheme, schema, packages)
        super().__init__(
            url, binding, gzip=gzip, tls=tls, server_name=server_name, limits=limits, proxy=proxy,
            http=http,
        )  # fmt: skip
