"""The ways to services that speak json, or tables without SOAP, over HTTP."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ._base.limits import DEFAULT_LIMITS, Limits
from ._http.channel import AsyncHttpChannel, HttpChannel
from ._json.calls import JsonBinding
from ._tdxml.http import TdxmlBinding

if TYPE_CHECKING:
    from ._call.net import Tls


class JsonChannel(HttpChannel):
    """The way to one service that speaks JSON. All methods may be called by any thread."""

    def __init__(
        self,
        url: str,
        *,
        gzip: bool = False,
        tls: Tls | None = None,
        server_name: str | None = None,
        limits: Limits = DEFAULT_LIMITS,
    ) -> None:
        """Connects with the first call.

        ``url`` is that of the interface; methods stand beneath it. ``gzip`` sends and asks for
        compressed bodies. A URL with ``https`` verifies certificate and host name; ``tls`` may be
        an ``ssl.SSLContext`` that does so, and ``server_name`` the name in the certificate if it
        is not the URL's.

        :raises ValueError: if the URL or an argument is not right.
        """
        super().__init__(
            url, JsonBinding(), gzip=gzip, tls=tls, server_name=server_name, limits=limits
        )


class AsyncJsonChannel(AsyncHttpChannel):
    """The way to one service that speaks JSON, for asyncio. Belongs to one event loop."""

    def __init__(
        self,
        url: str,
        *,
        gzip: bool = False,
        tls: Tls | None = None,
        server_name: str | None = None,
        limits: Limits = DEFAULT_LIMITS,
    ) -> None:
        """Connects with the first call; see ``JsonChannel`` for the arguments."""
        super().__init__(
            url, JsonBinding(), gzip=gzip, tls=tls, server_name=server_name, limits=limits
        )


class TdxmlChannel(HttpChannel):
    """The way to one service that speaks tables. All methods may be called by any thread."""

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
    ) -> None:
        """Connects with the first call; see ``JsonChannel`` for other arguments.

        ``scheme`` is ``"record"``, a row for each struct, or ``"aggregated"``, a row for each
        field; ``schema`` sends names and types with each table; ``packages`` sends large
        ``byte[]`` as parts of their own.
        """
        binding = TdxmlBinding(scheme, schema, packages)
        super().__init__(url, binding, gzip=gzip, tls=tls, server_name=server_name, limits=limits)


class AsyncTdxmlChannel(AsyncHttpChannel):
    """The way to one service that speaks tables, for asyncio. Belongs to one event loop."""

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
    ) -> None:
        """Connects with the first call; see ``TdxmlChannel`` for the arguments."""
        binding = TdxmlBinding(scheme, schema, packages)
        super().__init__(url, binding, gzip=gzip, tls=tls, server_name=server_name, limits=limits)
