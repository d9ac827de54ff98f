"""The connection to a service over HTTP, for any wire and both kinds of client."""

from __future__ import annotations

import time
from collections.abc import Hashable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Callable, Final, NamedTuple, Protocol, TypeVar, cast

from .._base import DEFAULT_LIMITS, CreoError, ErrorCode, Limits, whole_number
from .._call import Answer, CallOptions, with_peer
from .._call.net import tls_context
from . import MIN_COMPRESSED, Response, Url, compress, parse_url
from .aio import AsyncHttpPool
from .client import HttpPool
from .headers import metadata_headers, user_headers
from .proxy import proxy_of

if TYPE_CHECKING:
    from asyncio import StreamReader, StreamWriter
    from ssl import SSLContext

    from typing_extensions import Self

    from .._call import Method
    from .._call.net import Tls
    from .client import HttpConnection
    from .proxy import Proxy
    from .session import Hop, Session

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
    bound: bool = False
    """Whether the body says who calls, so that it does not go to another origin (HTTP-42)."""
    plain: Request | None = None
    """The same with the fields of the wire alone; only for a channel that follows redirects."""


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


class SessionOptions(Protocol):
    """The ``HttpOptions`` of ``creo.http``, whose module is loaded only if they are used."""

    def session(self, url: Url) -> Session:
        """What one channel keeps."""
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
        http: SessionOptions | None,
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
        self._proxy_text = proxy
        self._proxy = proxy_of(proxy, self._url)
        self._session = None if http is None else http.session(self._url)

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
        if gzip or options.compress_above is not None:
            request = self._compressed(request, options)
        headers = dict(request.headers)
        if options.metadata:
            headers.update(metadata_headers(options.metadata, self.limits))
        if options.headers:
            headers.update(user_headers(options.headers, options.metadata, self.limits))
        if self._session is not None:
            headers.update(self._session.headers(request.target, options))
            request = request._replace(plain=request)
        return _addressed(request._replace(headers=headers), self._url, self._proxy)

    def _compressed(self, request: Request, options: CallOptions) -> Request:
        headers = {**request.headers, "Accept-Encoding": "gzip"}
        body: Sequence[bytes] = request.body
        if sum(map(len, body)) >= max(MIN_COMPRESSED, options.compress_above or 0):
            headers["Content-Encoding"] = "gzip"
            body = [compress(b"".join(body))]
        return request._replace(headers=headers, body=list(body))

    def opening(self, request: Request) -> Hop | None:
        """The first request of a call with a stream; None if the request is all there is."""
        return None if self._session is None else self._session.first(self._url, request)

    def again(
        self, hop: Hop | None, response: Response, options: CallOptions, *, repeatable: bool
    ) -> Hop | None:
        """The request of a call with a stream if its answer asks for it again (HTTP-51)."""
        if self._session is None or hop is None:
            return None
        try:
            following = self._session.again(hop, response, repeatable=repeatable)
        except CreoError:
            _give(response, options, hop.url)
            raise
        if following is None:
            return None
        request = _addressed(following.request, self._url, self._proxy)
        return following._replace(request=request)

    def noted(self, request: Request, response: Response) -> None:
        """Takes the cookies of the answer to a call with a stream, when its head has come."""
        if self._session is not None and request.plain is not None:
            self._session.answered(request.plain.target, response)

    def _elsewhere(self, url: Url) -> tuple[Url, SSLContext | None, None, Limits, Proxy | None]:
        """What a pool for one request to another origin is made of (HTTP-42)."""
        context = (self._context or tls_context(True)) if url.secure else None
        return url, context, None, self.limits, proxy_of(self._proxy_text, url)

    def show(
        self,
        method: Method[Any, Any],
        options: CallOptions,
        shown: Request | Response,
        peer: str = "",
    ) -> None:
        """Shows a message to the hook, if there is one (CALL-61); ``peer`` if it is another."""
        if options.raw_messages is not None:
            from .raw import show

            show(method, options, peer or self._url.peer, shown)

    def _finish(
        self,
        operation: Operation[R],
        response: Response,
        options: CallOptions,
        *,
        oneway: bool,
        url: Url | None = None,
    ) -> R:
        """The result of an answer; ``url`` if it is not the channel's that answered."""
        url = url or self._url
        if oneway and 200 <= response.status < 300 and not response.body:
            # This says that the request was taken. It is no answer (CALL-3).
            return cast("R", None)
        _give(response, options, url)
        try:
            return operation.result(response, url, self.limits)
        except CreoError as error:
            # CALL-24: the detail counts if both are there.
            wait = whole_number(response.header("retry-after"), _MAX_SECONDS)
            if wait is not None and error.from_peer and error.retry_after is None:
                error.set_detail("retry-after", str(1_000 * wait))
            raise


def _next(session: Session, hop: Hop, response: Response, options: CallOptions) -> Hop | None:
    """The request that follows; the program has the answer of one that may not (CALL-4)."""
    try:
        return session.next(hop, response)
    except CreoError:
        _give(response, options, hop.url)
        raise


def _give(response: Response, options: CallOptions, url: Url) -> None:
    """Checks the metadata of an answer, and gives it to the watch of the call."""
    try:
        metadata = response.metadata()
    except CreoError as error:
        raise with_peer(error, url.peer) from None
    if options.watch is not None:
        options.watch.answered(Answer(metadata, response.status, response.fields))


def _addressed(request: Request, url: Url, proxy: Proxy | None) -> Request:
    """The request as it is sent: a proxy that reads it needs the whole URL."""
    if proxy is None or url.secure:
        return request
    target, headers = (
        f"http://{url.authority}{request.target}",
        {**request.headers, **proxy.headers},
    )
    return request._replace(target=target, headers=headers)


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
        http: SessionOptions | None = None,
    ) -> None:
        super().__init__(
            url, binding, gzip=gzip, tls=tls, server_name=server_name, limits=limits, proxy=proxy,
            http=http,
        )  # fmt: skip
        self._pool = HttpPool(self._url, self._context, server_name, limits, self._proxy)
        self._guests: set[HttpPool] = set()

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
        session = self._session
        if session is None:
            response = self._exchange(self._pool, self._url, request, method, options, until)
            return self._finish(operation, response, options, oneway=method.oneway)
        hop = session.first(self._url, request)
        response = self._exchange(self._pool, self._url, hop.request, method, options, until)
        following = _next(session, hop, response, options)
        while following is not None:
            hop = following
            response = self._follow(session, hop, method, options, until)
            following = _next(session, hop, response, options)
        return self._finish(operation, response, options, oneway=method.oneway, url=hop.url)

    def _exchange(
        self,
        pool: HttpPool,
        url: Url,
        request: Request,
        method: Method[Any, Any],
        options: CallOptions,
        until: float | None,
    ) -> Response:
        """Sends a request and reads its answer; the hook sees both."""
        self.show(method, options, request, url.peer)
        response = pool.post(
            request.target,
            request.headers,
            request.body,
            until,
            options.cancellation,
            options.watch,
        )
        self.show(method, options, response, url.peer)
        return response

    def _follow(
        self,
        session: Session,
        hop: Hop,
        method: Method[Any, Any],
        options: CallOptions,
        until: float | None,
    ) -> Response:
        url, request = hop.url, hop.request
        if session.is_own(hop):
            request = _addressed(request, url, self._proxy)
            return self._exchange(self._pool, url, request, method, options, until)
        made = self._elsewhere(url)
        guest = HttpPool(*made)
        self._guests.add(guest)
        try:
            request = _addressed(request, url, made[-1])
            return self._exchange(guest, url, request, method, options, until)
        finally:
            self._guests.discard(guest)
            guest.close()

    def connect(self, until: float | None) -> HttpConnection:
        """A connection for a call with a stream alone; ``release`` takes it back."""
        return self._pool.open(until)

    def cancel(self, pending: object) -> None:
        """Ends the call on a connection of ``connect``, unless it was released."""
        self._pool.cancel(pending)

    def release(self, connection: HttpConnection) -> None:
        """Closes a connection of ``connect``."""
        self._pool.release(connection)

    def close(self) -> None:
        """Closes the connections. Calls in progress end; a later call connects again."""
        for pool in (self._pool, *self._guests):
            pool.close()

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
        http: SessionOptions | None = None,
    ) -> None:
        super().__init__(
            url, binding, gzip=gzip, tls=tls, server_name=server_name, limits=limits, proxy=proxy,
            http=http,
        )  # fmt: skip
        self._pool = AsyncHttpPool(self._url, self._context, server_name, limits, self._proxy)
        self._guests: set[AsyncHttpPool] = set()

    async def call(self, method: Method[A, R], arguments: A, options: CallOptions) -> R:
        """Calls a method and waits for its result.

        Cancelling the waiting task ends the call and drops its connection.

        :raises CreoError: if the call fails; or an exception that the method declares.
        """
        until = None if options.deadline is None else time.monotonic() + options.deadline
        operation = self._operation(method)
        request = self._request(operation, arguments, options)
        session = self._session
        if session is None:
            response = await self._exchange(self._pool, self._url, request, method, options, until)
            return self._finish(operation, response, options, oneway=method.oneway)
        hop = session.first(self._url, request)
        response = await self._exchange(self._pool, self._url, hop.request, method, options, until)
        following = _next(session, hop, response, options)
        while following is not None:
            hop = following
            response = await self._follow(session, hop, method, options, until)
            following = _next(session, hop, response, options)
        return self._finish(operation, response, options, oneway=method.oneway, url=hop.url)

    async def _exchange(
        self,
        pool: AsyncHttpPool,
        url: Url,
        request: Request,
        method: Method[Any, Any],
        options: CallOptions,
        until: float | None,
    ) -> Response:
        """Sends a request and reads its answer; the hook sees both."""
        self.show(method, options, request, url.peer)
        response = await pool.post(
            request.target, request.headers, request.body, until, options.watch
        )
        self.show(method, options, response, url.peer)
        return response

    async def _follow(
        self,
        session: Session,
        hop: Hop,
        method: Method[Any, Any],
        options: CallOptions,
        until: float | None,
    ) -> Response:
        url, request = hop.url, hop.request
        if session.is_own(hop):
            request = _addressed(request, url, self._proxy)
            return await self._exchange(self._pool, url, request, method, options, until)
        made = self._elsewhere(url)
        guest = AsyncHttpPool(*made)
        self._guests.add(guest)
        try:
            request = _addressed(request, url, made[-1])
            return await self._exchange(guest, url, request, method, options, until)
        finally:
            self._guests.discard(guest)
            await guest.close()

    async def connect(self) -> tuple[StreamReader, StreamWriter]:
        """A connection for a call with a stream alone, which closes it."""
        return await self._pool.open()

    async def close(self) -> None:
        """Closes the connections. Calls in progress end; a later call connects again."""
        for pool in (self._pool, *self._guests):
            await pool.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()
