"""Channels to services that speak JSON over HTTP, for both kinds of client."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ._base import DEFAULT_LIMITS, Limits, module_of
from ._http.channel import AsyncHttpChannel, HttpChannel
from ._json.calls import JsonBinding

if TYPE_CHECKING:
    from ._call.net import Tls
    from .http import HttpOptions

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
        http: HttpOptions | None = None,
    ) -> None:
        """Connects with the first call.

        ``url`` is that of the interface; its methods have paths beneath it. ``gzip`` sends and
        requests compressed bodies. A URL with ``https`` verifies certificate and host name; ``tls``
        may be an ``ssl.SSLContext`` that does so, and ``server_name`` the name in the certificate
        if it is not the URL's. ``proxy``, such as ``"http://user:password@proxy.example:3128"``,
        sets the proxy, or none with ``""``; by default the environment variables ``http_proxy``,
        ``https_proxy`` and ``no_proxy`` decide. ``http`` follows redirects, keeps cookies and
        identifies the caller.

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
            http=http,
        )

    def stream(self, method: Any, arguments: Any, source: Any, options: Any) -> Any:
        """Begins a call with a stream: its request has been sent (HTTP-30 to HTTP-37).

        :raises CreoError: if the request cannot be sent, or the method has two streams.
        """
        call = module_of("_json.streaming").BlockingCall(self, method, arguments, source, options)
        return call.begin()


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
        http: HttpOptions | None = None,
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
            http=http,
        )

    async def stream(self, method: Any, arguments: Any, source: Any, options: Any) -> Any:
        """Begins a call with a stream, as ``JsonChannel.stream``."""
        call = module_of("_json.streaming").TaskCall(self, method, arguments, source, options)
        return await call.begin()
