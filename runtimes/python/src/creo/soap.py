"""Channels to services that speak SOAP over HTTP, for both kinds of client."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar, cast

from ._base import DEFAULT_LIMITS, Limits
from ._http.channel import AsyncHttpChannel, HttpChannel
from ._soap import Operation, SoapBinding
from ._soap.security import UsernameToken, security_of

if TYPE_CHECKING:
    from ._call import Method
    from ._call.net import Tls

__all__ = ["AsyncSoapChannel", "SoapChannel", "UsernameToken"]

R = TypeVar("R")


class SoapChannel(HttpChannel):
    """The connection to one service that speaks SOAP. All methods are thread-safe."""

    def __init__(
        self,
        url: str,
        *,
        version: str | None = None,
        mtom: bool = False,
        tables: str | None = None,
        schema: bool = False,
        addressing: bool | None = None,
        username_token: UsernameToken | None = None,
        timestamp: bool = False,
        gzip: bool = False,
        tls: Tls | None = None,
        server_name: str | None = None,
        limits: Limits = DEFAULT_LIMITS,
        proxy: str | None = None,
    ) -> None:
        """Connects with the first call.

        ``version`` is that of SOAP, ``"1.1"`` or ``"1.2"``, by default the one in the description;
        ``mtom`` sends large ``byte[]`` as MIME parts; ``tables``, ``"record"`` or ``"aggregated"``,
        sends a table in the body instead of elements, and ``schema`` adds its names and types.
        ``addressing`` adds the WS-Addressing blocks to requests, or omits them; by default the
        description decides. ``username_token`` identifies the caller, and ``timestamp`` the time,
        in a WS-Security block. ``gzip`` sends and requests compressed bodies. A URL with ``https``
        verifies certificate and host name; ``tls`` may be an ``ssl.SSLContext`` that does so, and
        ``server_name`` the name in the certificate if it is not the URL's. ``proxy``, such as
        ``"http://user:password@proxy.example:3128"``, sets the proxy, or none with ``""``; by
        default the environment variables ``http_proxy``, ``https_proxy`` and ``no_proxy`` decide.

        :raises ValueError: if the URL or an argument is invalid.
        """
        security = security_of(username_token, timestamp)
        self._soap = SoapBinding(version, mtom, tables, schema, addressing, security)
        super().__init__(
            url, self._soap, gzip=gzip, tls=tls, server_name=server_name, limits=limits, proxy=proxy
        )

    def _operation(self, method: Method[Any, R]) -> Operation[R]:
        return self._soap.for_call(cast("Operation[R]", super()._operation(method)))


class AsyncSoapChannel(AsyncHttpChannel):
    """The connection to one service that speaks SOAP, for asyncio. Belongs to one event loop."""

    def __init__(
        self,
        url: str,
        *,
        version: str | None = None,
        mtom: bool = False,
        tables: str | None = None,
        schema: bool = False,
        addressing: bool | None = None,
        username_token: UsernameToken | None = None,
        timestamp: bool = False,
        gzip: bool = False,
        tls: Tls | None = None,
        server_name: str | None = None,
        limits: Limits = DEFAULT_LIMITS,
        proxy: str | None = None,
    ) -> None:
        """Connects with the first call; see ``SoapChannel`` for the arguments."""
        security = security_of(username_token, timestamp)
        self._soap = SoapBinding(version, mtom, tables, schema, addressing, security)
        super().__init__(
            url, self._soap, gzip=gzip, tls=tls, server_name=server_name, limits=limits, proxy=proxy
        )

    def _operation(self, method: Method[Any, R]) -> Operation[R]:
        return self._soap.for_call(cast("Operation[R]", super()._operation(method)))
