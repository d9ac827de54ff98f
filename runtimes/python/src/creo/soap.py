"""Channels to services that speak SOAP over HTTP, for both kinds of client."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar, cast

from ._base import DEFAULT_LIMITS, Limits
from ._call.client import ClientSecurity
from ._http.channel import AsyncHttpChannel, HttpChannel
from ._soap import Operation, SoapBinding
from ._soap.security import UsernameToken, security_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ._call import Method
    from ._call.net import Tls
    from .http import HttpOptions

__all__ = ["AsyncSoapChannel", "ClientSecurity", "SoapChannel", "UsernameToken"]

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
        lenient: bool = False,
        understood: Iterable[str] = (),
        security: ClientSecurity | None = None,
        gzip: bool = False,
        tls: Tls | None = None,
        server_name: str | None = None,
        limits: Limits = DEFAULT_LIMITS,
        proxy: str | None = None,
        http: HttpOptions | None = None,
    ) -> None:
        """Connects with the first call.

        ``version`` is that of SOAP, ``"1.1"`` or ``"1.2"``, and by default the one that the
        description says; ``mtom`` sends large ``byte[]`` as parts of their own; ``tables``,
        ``"record"`` or ``"aggregated"``, sends a table in the body instead of elements, and
        ``schema`` its names and types with it. ``addressing`` adds the blocks of WS-Addressing to
        requests, or not, and by default as the description says; ``username_token`` says who calls,
        and ``timestamp`` when, in a block of WS-Security. ``lenient`` reads answers that do not
        follow the description where that does no harm. ``understood`` names header elements of
        answers, each as ``"{namespace}name"``, that are skipped although they must be understood.
        ``security`` changes requests before they are sent, and checks answers before they are read:
        a ``WsSecurity`` of ``creo.wss`` signs and encrypts. With it ``mtom`` has no effect.
        ``gzip`` sends and asks for compressed bodies. A URL with ``https`` verifies certificate and
        host name; ``tls`` may be an ``ssl.SSLContext`` that does so, and ``server_name`` the name
        in the certificate if it is not the URL's. ``proxy``, as
        ``"http://user:password@proxy.example:3128"``, is what the calls go through, or with ``""``
        none; by default it is what the environment says in ``http_proxy``, ``https_proxy`` and
        ``no_proxy``. ``http`` follows redirects, keeps cookies and identifies the caller.

        :raises ValueError: if the URL or an argument is invalid.
        """
        block = security_of(username_token, timestamp)
        self._soap = SoapBinding(
            version, mtom, tables, schema, addressing, block, lenient, understood, security
        )
        super().__init__(
            url, self._soap, gzip=gzip, tls=tls, server_name=server_name, limits=limits,
            proxy=proxy, http=http,
        )  # fmt: skip

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
        lenient: bool = False,
        understood: Iterable[str] = (),
        security: ClientSecurity | None = None,
        gzip: bool = False,
        tls: Tls | None = None,
        server_name: str | None = None,
        limits: Limits = DEFAULT_LIMITS,
        proxy: str | None = None,
        http: HttpOptions | None = None,
    ) -> None:
        """Connects with the first call; see ``SoapChannel`` for the arguments."""
        block = security_of(username_token, timestamp)
        self._soap = SoapBinding(
            version, mtom, tables, schema, addressing, block, lenient, understood, security
        )
        super().__init__(
            url, self._soap, gzip=gzip, tls=tls, server_name=server_name, limits=limits,
            proxy=proxy, http=http,
        )  # fmt: skip

    def _operation(self, method: Method[Any, R]) -> Operation[R]:
        return self._soap.for_call(cast("Operation[R]", super()._operation(method)))
