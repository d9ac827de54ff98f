"""Channels to services that speak JSON over HTTP, for both kinds of client."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ._base import DEFAULT_LIMITS, Limits
from ._http.channel import AsyncHttpChannel, HttpChannel
from ._json.calls import JsonBinding

if TYPE_CHECKING:
    from ._call.net import Tls

__all__ = ["AsyncJsonChannel", "JsonChannel"]


class JsonChannel(HttpChannel):
    """The connection to one service that speaks JSON. All methods are thread-safe."""

    def __init__(
        self,
        url: str,
        *,
        gzip: bool = False,
        tls: Tls | None = None,
        server_name: str | None = None,
        limits: Limits = DEFAULT_LIMITS,
        proxy: str | None = None,
    ) -> None:
        """Connects with the first call.

        ``url`` is that of the interface; its methods have paths beneath it. ``gzip`` sends and
        requests compressed bodies. A URL with ``https`` verifies certificate and host name; ``tls``
        may be an ``ssl.SSLContext`` that does so, and ``server_name`` the name in the certificate
        if it is not the URL's. ``proxy``, such as ``"http://user:password@proxy.example:3128"``,
        sets the proxy, or none with ``""``; by default the environment variables ``http_proxy``,
        ``https_proxy`` and ``no_proxy`` decide.

        :raises ValueError: if the URL or an argument is invalid.
        """
        super().__init__(
            url,
            JsonBinding(),
            gzip=gzip,
            tls=tls,
            server_name=server_name,
            limits=limits,
            proxy=proxy,
        )


class AsyncJsonChannel(AsyncHttpChannel):
    """The connection to one service that speaks JSON, for asyncio. Belongs to one event loop."""

    def __init__(
        self,
        url: str,
        *,
        gzip: bool = False,
        tls: Tls | None = None,
        server_name: str | None = None,
        limits: Limits = DEFAULT_LIMITS,
        proxy: str | None = None,
    ) -> None:
        """Connects with the first call; see ``JsonChannel`` for the arguments."""
        super().__init__(
            url,
            JsonBinding(),
            gzip=gzip,
            tls=tls,
            server_name=server_name,
            limits=limits,
            proxy=proxy,
        )
