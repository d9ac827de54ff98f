"""The way to a service that speaks SOAP over HTTP, for both kinds of client."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final, TypeVar, cast

from ._calls import with_peer
from ._errors import CreoError, ErrorCode
from ._http import (
    LEAST_COMPRESSED,
    Response,
    compress,
    media_type,
    metadata_headers,
    parse_url,
    status_error,
)
from ._http_aio import AsyncHttpPool
from ._http_client import HttpPool
from ._limits import DEFAULT_LIMITS, Limits
from ._net import CallOptions, tls_context
from ._soap import MEDIA_TYPES, VERSIONS, Operation, Request

if TYPE_CHECKING:
    from typing_extensions import Self

    from ._calls import Method
    from ._net import Tls

A = TypeVar("A")
R = TypeVar("R")

_READ: Final = (*MEDIA_TYPES.values(), "multipart/related")


class _Endpoint:
    """What both kinds of channel know: where the service is, and how it is spoken to."""

    def __init__(
        self,
        url: str,
        *,
        version: str = "1.1",
        mtom: bool = False,
        gzip: bool = False,
        tls: Tls | None = None,
        server_name: str | None = None,
        limits: Limits = DEFAULT_LIMITS,
    ) -> None:
        """Connects with the first call.

        ``version`` is that of SOAP, ``"1.1"`` or ``"1.2"``; ``mtom`` sends large ``byte[]`` as
        parts of their own; ``gzip`` sends and asks for compressed bodies. A URL with ``https``
        verifies certificate and host name; ``tls`` may be an ``ssl.SSLContext`` that does so, and
        ``server_name`` the name in the certificate if it is not the URL's.

        :raises ValueError: if the URL or an argument is not right.
        """
        if version not in VERSIONS:
            raise ValueError(f"SOAP has the versions 1.1 and 1.2, not {version!r:.20}")
        self._url = parse_url(url)
        if tls and not self._url.secure:
            raise ValueError("TLS is for URLs that begin with https://")
        self.url = url
        self.host = self._url.host
        self.port = self._url.port
        self.limits = limits
        self._version = version
        self._mtom = mtom
        self._gzip = gzip
        self._context = tls_context(tls or True) if self._url.secure else None
        self._server_name = server_name

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.url!r})"

    def _operation(self, method: Method[Any, R]) -> Operation[R]:
        found: Operation[R] | None = method.operations.get(self._version)
        if found is None:
            found = method.operations[self._version] = Operation(method, self._version)
        return found

    def _request(self, operation: Operation[Any], arguments: Any, options: CallOptions) -> Request:
        request = operation.request(arguments, self.limits, mtom=self._mtom)
        headers = dict(request.headers)
        if options.metadata:
            headers.update(metadata_headers(options.metadata, self.limits))
        if not self._gzip and options.compress_above is None:
            return Request(headers, request.body)
        headers["Accept-Encoding"] = "gzip"
        body: Sequence[bytes] = request.body
        if sum(map(len, body)) >= max(LEAST_COMPRESSED, options.compress_above or 0):
            headers["Content-Encoding"] = "gzip"
            body = [compress(b"".join(body))]
        return Request(headers, list(body))

    def _finish(self, operation: Operation[R], response: Response, *, oneway: bool) -> R:
        """The result of a call, or what it raises (HTTP-3)."""
        content_type = response.header("content-type")
        kind = media_type(content_type)[0]
        peer = self._url.peer
        fine = 200 <= response.status < 300
        if fine and not response.body and (oneway or response.status == 202):
            if oneway:
                return cast("R", None)
            message = f"{self.url} answered {response.status} without a body"
            raise CreoError(ErrorCode.PROTOCOL_MISMATCH, message, details={"peer": peer})
        if kind not in _READ:
            if fine and not response.body and not kind:
                content_type = MEDIA_TYPES[self._version]
            else:
                raise status_error(response, self._url)
        try:
            result = operation.result(response.body, content_type, self.limits, peer)
        except CreoError as error:
            if (
                not fine
                and not error.from_peer
                and not (error.place or "").startswith("$exception")
            ):
                raise status_error(response, self._url) from error
            raise with_peer(error, peer) from None
        if not fine:
            raise status_error(response, self._url)
        return result


class SoapChannel(_Endpoint):
    """The way to one service that speaks SOAP. All methods may be called by any thread."""

    def __init__(
        self,
        url: str,
        *,
        version: str = "1.1",
        mtom: bool = False,
        gzip: bool = False,
        tls: Tls | None = None,
        server_name: str | None = None,
        limits: Limits = DEFAULT_LIMITS,
    ) -> None:
        super().__init__(
            url, version=version, mtom=mtom, gzip=gzip, tls=tls, server_name=server_name,
            limits=limits,
        )  # fmt: skip
        self._pool = HttpPool(self._url, self._context, server_name, limits)

    def call(self, method: Method[A, R], arguments: A, options: CallOptions) -> R:
        """Calls a method and waits for its outcome.

        :raises CreoError: if the call fails; or an exception that the method declares.
        """
        until = None if options.deadline is None else time.monotonic() + options.deadline
        operation = self._operation(method)
        headers, body = self._request(operation, arguments, options)
        cancellation = options.cancellation
        if cancellation is not None and cancellation.cancelled:
            raise CreoError(ErrorCode.CANCELLED, "the caller gave up before the call began")
        response = self._pool.post(headers, body, until, cancellation)
        return self._finish(operation, response, oneway=method.oneway)

    def close(self) -> None:
        """Closes the connections. Calls under way end; a later call connects again."""
        self._pool.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class AsyncSoapChannel(_Endpoint):
    """The way to one service that speaks SOAP, for asyncio. Belongs to one event loop."""

    def __init__(
        self,
        url: str,
        *,
        version: str = "1.1",
        mtom: bool = False,
        gzip: bool = False,
        tls: Tls | None = None,
        server_name: str | None = None,
        limits: Limits = DEFAULT_LIMITS,
    ) -> None:
        super().__init__(
            url, version=version, mtom=mtom, gzip=gzip, tls=tls, server_name=server_name,
            limits=limits,
        )  # fmt: skip
        self._pool = AsyncHttpPool(self._url, self._context, server_name, limits)

    async def call(self, method: Method[A, R], arguments: A, options: CallOptions) -> R:
        """Calls a method and waits for its outcome.

        Cancelling the task that waits ends the call and gives up its connection.

        :raises CreoError: if the call fails; or an exception that the method declares.
        """
        until = None if options.deadline is None else time.monotonic() + options.deadline
        operation = self._operation(method)
        headers, body = self._request(operation, arguments, options)
        response = await self._pool.post(headers, body, until)
        return self._finish(operation, response, oneway=method.oneway)

    async def close(self) -> None:
        """Closes the connections. Calls under way end; a later call connects again."""
        await self._pool.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()
