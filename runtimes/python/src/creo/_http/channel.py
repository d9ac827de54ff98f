"""The connection to a service over HTTP, for any wire and both kinds of client."""

from __future__ import annotations

import time
from collections.abc import Hashable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Callable, Final, NamedTuple, Protocol, TypeVar, cast

from .._base import DEFAULT_LIMITS, CreoError, ErrorCode, Limits, whole_number
from .._call import Answer, CallOptions, with_peer
from .._call.net import tls_context
from . import MIN_COMPRESSED, Response, Url, compress, metadata_headers, parse_url, user_headers
from .aio import AsyncHttpPool
from .client import HttpPool
from .proxy import proxy_of

if TYPE_CHECKING:
    from asyncio import StreamReader, StreamWriter

    from typing_extensions import Self

    from .._call import Method
    from .._call.net import Tls
    from .client import HttpConnection

A = TypeVar("A")
R = TypeVar("R")
R_co = TypeVar("R_co", covariant=True)

#: A longer time in ``Retry-After`` is cut to this.
_MAX_SECONDS: Final = 4_000_000


class Request(NamedTuple):
    """An outgoing call."""

    target: str
    """Path and query."""
    headers: dict[str, str]
    body: list[bytes]


class Operation(Protocol[R_co]):
    """A method on one wire."""

    def request(self, arguments: Any, url: Url, limits: Limits) -> Request:
        """The body of a call, with its headers."""
        ...

    def result(self, response: Response, url: Url, limits: Limits) -> R_co:
        """The result of an answer, or raises its error."""
        ...


class Binding(Protocol):
    """A wire, as spoken by a channel."""

    @property
    def key(self) -> Hashable:
        """Equal for bindings that make the same operations."""
        ...

    def operation(self, method: Method[Any, R]) -> Operation[R]:
        """A method on this wire."""
        ...


class _Endpoint:
    """Shared by both kinds of channel: the service's URL and the options."""

    def __init__(
        self,
        url: str,
        binding: Binding,
        *,
        gzip: bool,
        tls: Tls | None,
        server_name: str | None,
        limits: Limits,
        proxy: str | None,
    ) -> None:
        self._url = parse_url(url)
        if tls and not self._url.secure:
            raise ValueError("TLS is for URLs that begin with https://")
        self.url = url
        self.host = self._url.host
        self.port = self._url.port
        self.limits = limits
        self._binding = binding
        self._gzip = gzip
        self._context = tls_context(tls or True) if self._url.secure else None
        self._proxy = proxy_of(proxy, self._url)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.url!r})"

    def _operation(self, method: Method[Any, R]) -> Operation[R]:
        key = self._binding.key
        found: Operation[R] | None = method.operations.get(key)
        if found is None:
            found = method.operations[key] = self._binding.operation(method)
        return found

    @property
    def endpoint(self) -> Url:
        """The parts of the URL."""
        return self._url

    def request(
        self,
        begin: Callable[[Any, Url, Limits], Request],
        arguments: Any,
        options: CallOptions,
    ) -> Request:
        """The request of a call with a stream, whose message ``begin`` makes (HTTP-33)."""
        plain = replace(options, compress_above=None)
        return self._outgoing(begin(arguments, self._url, self.limits), plain, gzip=False)

    def finish(self, operation: Operation[R], response: Response, options: CallOptions) -> R:
        """The result of an answer to a call with a stream."""
        return self._finish(operation, response, options, oneway=False)

    def _request(self, operation: Operation[Any], arguments: Any, options: CallOptions) -> Request:
        request = operation.request(arguments, self._url, self.limits)
        return self._outgoing(request, options, gzip=self._gzip)

    def _outgoing(self, request: Request, options: CallOptions, *, gzip: bool) -> Request:
        headers = dict(request.headers)
        target = request.target
        if self._proxy is not None and not self._url.secure:
            # The proxy reads this request and needs the whole URL.
            target = f"http://{self._url.authority}{target}"
            headers.update(self._proxy.headers)
        if options.metadata:
            headers.update(metadata_headers(options.metadata, self.limits))
        if options.headers:
            headers.update(user_headers(options.headers, options.metadata, self.limits))
        if not gzip and options.compress_above is None:
            return Request(target, headers, request.body)
        headers["Accept-Encoding"] = "gzip"
        body: Sequence[bytes] = request.body
        if sum(map(len, body)) >= max(MIN_COMPRESSED, options.compress_above or 0):
            headers["Content-Encoding"] = "gzip"
            body = [compress(b"".join(body))]
        return Request(target, headers, list(body))

    def show(
        self, method: Method[Any, Any], options: CallOptions, shown: Request | Response
    ) -> None:
        """Shows a message to the hook, if there is one (CALL-61)."""
        if options.raw_messages is not None:
            from .raw import show

            show(method, options, self._url.peer, shown)

    def _finish(
        self, operation: Operation[R], response: Response, options: CallOptions, *, oneway: bool
    ) -> R:
        if oneway and 200 <= response.status < 300 and not response.body:
            # This says that the request was taken. It is no answer (CALL-3).
            return cast("R", None)
        try:
            metadata = response.metadata()
        except CreoError as error:
            raise with_peer(error, self._url.peer) from None
        if options.watch is not None:
            options.watch.answered(Answer(metadata, response.status, response.fields))
        try:
            return operation.result(response, self._url, self.limits)
        except CreoError as error:
            # CALL-24: the detail counts if both are there.
            wait = whole_number(response.header("retry-after"), _MAX_SECONDS)
            if wait is not None and error.from_peer and error.retry_after is None:
                error.set_detail("retry-after", str(1_000 * wait))
            raise


class HttpChannel(_Endpoint):
    """The connection to one service over HTTP. All methods are thread-safe."""

    def __init__(
        self,
        url: str,
        binding: Binding,
        *,
        gzip: bool = False,
        tls: Tls | None = None,
        server_name: str | None = None,
        limits: Limits = DEFAULT_LIMITS,
        proxy: str | None = None,
    ) -> None:
        super().__init__(
            url, binding, gzip=gzip, tls=tls, server_name=server_name, limits=limits, proxy=proxy
        )
        self._pool = HttpPool(self._url, self._context, server_name, limits, self._proxy)

    def call(self, method: Method[A, R], arguments: A, options: CallOptions) -> R:
        """Calls a method and waits for its result.

        :raises CreoError: if the call fails; or an exception that the method declares.
        """
        until = None if options.deadline is None else time.monotonic() + options.deadline
        operation = self._operation(method)
        request = self._request(operation, arguments, options)
        cancellation = options.cancellation
        if cancellation is not None and cancellation.cancelled:
            raise CreoError(ErrorCode.CANCELLED, "the caller gave up before the call began")
        self.show(method, options, request)
        response = self._pool.post(
            request.target, request.headers, request.body, until, cancellation, options.watch
        )
        self.show(method, options, response)
        return self._finish(operation, response, options, oneway=method.oneway)

    def connect(self, until: float | None) -> HttpConnection:
        """A connection for a call with a stream alone; ``release`` takes it back."""
        return self._pool.open(until)

    def release(self, connection: HttpConnection) -> None:
        """Closes a connection of ``connect``."""
        self._pool.release(connection)

    def close(self) -> None:
        """Closes the connections. Calls in progress end; a later call connects again."""
        self._pool.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class AsyncHttpChannel(_Endpoint):
    """The connection to one service over HTTP, for asyncio. Belongs to one event loop."""

    def __init__(
        self,
        url: str,
        binding: Binding,
        *,
        gzip: bool = False,
        tls: Tls | None = None,
        server_name: str | None = None,
        limits: Limits = DEFAULT_LIMITS,
        proxy: str | None = None,
    ) -> None:
        super().__init__(
            url, binding, gzip=gzip, tls=tls, server_name=server_name, limits=limits, proxy=proxy
        )
        self._pool = AsyncHttpPool(self._url, self._context, server_name, limits, self._proxy)

    async def call(self, method: Method[A, R], arguments: A, options: CallOptions) -> R:
        """Calls a method and waits for its result.

        Cancelling the waiting task ends the call and drops its connection.

        :raises CreoError: if the call fails; or an exception that the method declares.
        """
        until = None if options.deadline is None else time.monotonic() + options.deadline
        operation = self._operation(method)
        request = self._request(operation, arguments, options)
        self.show(method, options, request)
        response = await self._pool.post(
            request.target, request.headers, request.body, until, options.watch
        )
        self.show(method, options, response)
        return self._finish(operation, response, options, oneway=method.oneway)

    async def connect(self) -> tuple[StreamReader, StreamWriter]:
        """A connection for a call with a stream alone, which closes it."""
        return await self._pool.open()

    async def close(self) -> None:
        """Closes the connections. Calls in progress end; a later call connects again."""
        await self._pool.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()
