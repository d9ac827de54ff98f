"""The base classes of generated clients, blocking and for asyncio, for any transport."""

from __future__ import annotations

import copy
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Callable, ClassVar, Generic, Protocol, TypeVar

from .._base import DEFAULT_LIMITS, CreoError, ErrorCode, Limits, module_of, shown
from .._binary.values import SAME, DeclaredError, Same
from . import (
    Answer,
    CallOptions,
    Cancellation,
    Interceptor,
    Method,
    Outcome,
    OutgoingCall,
    RawMessage,
    Retries,
    Watch,
)

if TYPE_CHECKING:
    from typing_extensions import Self

    from .net import Tls

A = TypeVar("A")
R = TypeVar("R")


class Caller(Protocol):
    """The connection to a server, for any wire: ``Channel``, ``SoapChannel``."""

    def call(self, method: Method[A, R], arguments: A, options: CallOptions) -> R:
        """Calls a method and waits for its outcome."""
        ...

    def close(self) -> None:
        """Closes the connections."""
        ...


class AsyncCaller(Protocol):
    """The connection to a server, for any wire: ``AsyncChannel``, ``AsyncSoapChannel``."""

    async def call(self, method: Method[A, R], arguments: A, options: CallOptions) -> R:
        """Calls a method and waits for its outcome."""
        ...

    async def close(self) -> None:
        """Closes the connections."""
        ...


C = TypeVar("C", Caller, AsyncCaller)


class ClientSecurity(Protocol):
    """Signs or encrypts messages of SOAP, as ``creo.wss`` does (SOAP-80). Threads may share it."""

    def send(self, request: bytes) -> bytes:
        """The envelope that is sent; both are UTF-8."""
        ...

    def receive(self, answer: bytes, charset: str | None) -> bytes:
        """The checked envelope in UTF-8, or raises a ``CreoError``: ``malformed`` if it is none."""
        ...


class Token(Protocol):
    """A ``UsernameToken`` of ``creo.soap``, which some copies of the runtime do not have."""

    @property
    def user(self) -> str:
        """The user's name."""
        ...

    @property
    def digest(self) -> bool:
        """Whether the password is sent as a digest."""
        ...


class SessionOptions(Protocol):
    """The ``HttpOptions`` of ``creo.http``, which some copies of the runtime do not have."""

    @property
    def redirects(self) -> int:
        """The max number of redirects in a call."""
        ...

    @property
    def cookies(self) -> bool:
        """Whether cookies are kept."""
        ...


class Watched(Watch):
    """One call, of which the program sees more than its result: its options within ``with``."""

    __slots__ = ("_began", "_call", "_ends")

    def __init__(self, method: Method[Any, Any], options: CallOptions) -> None:
        super().__init__()
        self._began = time.monotonic()
        self._call = OutgoingCall(method, options)
        self._ends: list[Callable[[Outcome], object]] = []

    def __enter__(self) -> CallOptions:
        call = self._call
        interceptors = call.options.interceptors
        try:
            for interceptor in interceptors:
                ended = interceptor.begin(call)
                if ended is not None:
                    self._ends.append(ended)
            deadline = call.options.deadline
            if deadline is not None and interceptors:
                deadline -= time.monotonic() - self._began
                if deadline <= 0:
                    message = f"the time for the call of {call} was over before it was sent"
                    raise CreoError(ErrorCode.DEADLINE_EXCEEDED, message)
            return self.options(call.options, deadline)
        except BaseException as failure:
            self._end(failure)
            raise

    def __exit__(self, _kind: object, failure: BaseException | None, _trace: object) -> None:
        try:
            self.tell()
        except BaseException as raised:
            failure = raised
            raise
        finally:
            self._end(failure)

    def _end(self, failure: BaseException | None) -> None:
        if self._ends:
            seconds = time.monotonic() - self._began
            error = None if failure is None else _error_of(failure)
            self._tell_ends(Outcome(error, seconds, self.peer, self.answer))

    def _tell_ends(self, outcome: Outcome) -> None:
        try:
            while self._ends:
                ended = self._ends.pop()
                try:
                    ended(outcome)
                except Exception as failure:
                    _log(self._call, failure)
        finally:
            # Even if an exception ends the program here, the other ends run.
            if self._ends:
                self._tell_ends(outcome)


def _error_of(failure: BaseException) -> DeclaredError | CreoError:
    """What an outcome shows of what a call raises."""
    if isinstance(failure, (CreoError, DeclaredError)):
        return failure
    error = CreoError(ErrorCode.CANCELLED, "the caller gave up")
    if isinstance(failure, Exception):
        error = CreoError(ErrorCode.INTERNAL, f"the call raised {type(failure).__name__}")
    error.__cause__ = failure
    return error


def _log(call: OutgoingCall, failure: Exception) -> None:
    """Reports what failed at the end of a call. Its text may hold what the peer sent (ERR-8)."""
    import logging
    import traceback

    what = "".join(traceback.format_exception_only(type(failure), failure)).strip()
    where = "".join(traceback.format_tb(failure.__traceback__)).rstrip()
    logging.getLogger("creo").error(
        "an interceptor failed at the end of %s: %s\n%s", call, shown(what), where
    )


class _Factories(Generic[C]):
    """Makes clients from an address, a URL or a channel. Each wire provides its channels."""

    #: The module with its TCP channel, and the prefix of the names of its channels.
    _tcp: ClassVar[str] = "tcp"
    _kind: ClassVar[str] = ""

    def __init__(
        self,
        host: str,
        port: int,
        *,
        tls: Tls | None = None,
        server_name: str | None = None,
        limits: Limits = DEFAULT_LIMITS,
        options: CallOptions | None = None,
        wire: str = "binary",
        scheme: str = "record",
        schema: bool = False,
    ) -> None:
        """Makes a client of the server at this address; see ``Channel`` for the arguments.

        It connects with the first call. ``with``, or ``async with``, closes it.
        """
        self._channel: C = self._channel_of(self._tcp, "Channel")(
            host, port, tls=tls, server_name=server_name, limits=limits, wire=wire,
            scheme=scheme, schema=schema,
        )  # fmt: skip
        self._options = options or CallOptions()
        self._owner = True

    @classmethod
    def soap(
        cls,
        url: str,
        *,
        version: str | None = None,
        mtom: bool = False,
        tables: str | None = None,
        schema: bool = False,
        addressing: bool | None = None,
        username_token: Token | None = None,
        timestamp: bool = False,
        lenient: bool = False,
        understood: Iterable[str] = (),
        security: ClientSecurity | None = None,
        gzip: bool = False,
        tls: Tls | None = None,
        server_name: str | None = None,
        limits: Limits = DEFAULT_LIMITS,
        proxy: str | None = None,
        http: SessionOptions | None = None,
        options: CallOptions | None = None,
    ) -> Self:
        """Makes a SOAP client of the service at this URL; see ``SoapChannel`` for the arguments.

        It connects with the first call. ``with``, or ``async with``, closes it.
        """
        channel = cls._channel_of("soap", "SoapChannel")(
            url, version=version, mtom=mtom, tables=tables, schema=schema, addressing=addressing,
            username_token=username_token, timestamp=timestamp, lenient=lenient,
            understood=understood, security=security, gzip=gzip, tls=tls, server_name=server_name,
            limits=limits, proxy=proxy, http=http,
        )  # fmt: skip
        return cls._made(channel, options, owner=True)

    @classmethod
    def json(
        cls,
        url: str,
        *,
        gzip: bool = False,
        tls: Tls | None = None,
        server_name: str | None = None,
        limits: Limits = DEFAULT_LIMITS,
        proxy: str | None = None,
        http: SessionOptions | None = None,
        options: CallOptions | None = None,
    ) -> Self:
        """Makes a JSON client of the service at this URL; see ``JsonChannel`` for the arguments.

        It connects with the first call. ``with``, or ``async with``, closes it.
        """
        channel = cls._channel_of("json", "JsonChannel")(
            url, gzip=gzip, tls=tls, server_name=server_name, limits=limits, proxy=proxy, http=http
        )
        return cls._made(channel, options, owner=True)

    @classmethod
    def tdxml(
        cls,
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
        http: SessionOptions | None = None,
        options: CallOptions | None = None,
    ) -> Self:
        """Makes a client of tables without SOAP for the service at this URL; see ``TdxmlChannel``.

        It connects with the first call. ``with``, or ``async with``, closes it.
        """
        channel = cls._channel_of("tdxml", "TdxmlChannel")(
            url, scheme=scheme, schema=schema, packages=packages, gzip=gzip, tls=tls,
            server_name=server_name, limits=limits, proxy=proxy, http=http,
        )  # fmt: skip
        return cls._made(channel, options, owner=True)

    @classmethod
    def over(cls, channel: C, options: CallOptions | None = None) -> Self:
        """Makes a client on a channel, which may be shared. Closing it leaves the channel open."""
        return cls._made(channel, options, owner=False)

    @classmethod
    def _made(cls, channel: C, options: CallOptions | None, *, owner: bool) -> Self:
        made = cls.__new__(cls)
        made._channel = channel
        made._options = options or CallOptions()
        made._owner = owner
        return made

    @classmethod
    def _channel_of(cls, module: str, name: str) -> Callable[..., C]:
        """A class of channels, from a part that this copy of the runtime may have."""
        found: Callable[..., C] = getattr(module_of(module), cls._kind + name)
        return found

    def _changed(self, given: Mapping[str, Any]) -> Self:
        made = copy.copy(self)
        changes = {name: value for name, value in given.items() if value is not SAME}
        made._options = replace(self._options, **changes)
        return made

    def __repr__(self) -> str:
        return f"{type(self).__name__}.over({self._channel!r})"


class Client(_Factories[Caller]):
    """The base class of generated blocking clients. Safe for use by many threads."""

    def with_options(
        self,
        *,
        deadline: float | Same | None = SAME,
        metadata: Mapping[str, str] | Same = SAME,
        compress_above: int | Same | None = SAME,
        cancellation: Cancellation | Same | None = SAME,
        headers: Mapping[str, str] | Same = SAME,
        on_answer: Callable[[Answer], object] | Same | None = SAME,
        interceptors: Sequence[Interceptor] | Same = SAME,
        retry: Retries | Same | None = SAME,
        raw_messages: Callable[[RawMessage], object] | Same | None = SAME,
        raw_max_body: int | Same = SAME,
    ) -> Self:
        """The same client on the same connection, with other options for its calls.

        ``client.with_options(deadline=0.5).find(query)``
        """
        return self._changed(
            {
                "deadline": deadline,
                "metadata": metadata,
                "compress_above": compress_above,
                "cancellation": cancellation,
                "headers": headers,
                "on_answer": on_answer,
                "interceptors": interceptors,
                "retry": retry,
                "raw_messages": raw_messages,
                "raw_max_body": raw_max_body,
            }
        )

    def close(self) -> None:
        """Closes the connection, unless the channel was passed in."""
        if self._owner:
            self._channel.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _call(self, method: Method[A, R], arguments: A) -> R:
        options = self._options
        if not options.interceptors and options.on_answer is None:
            return self._attempt(method, arguments, options)
        with Watched(method, options) as watched:
            return self._attempt(method, arguments, watched)

    def _attempt(self, method: Method[A, R], arguments: A, options: CallOptions) -> R:
        if options.retry is None:
            return self._channel.call(method, arguments, options)
        return options.retry.call(self._channel, method, arguments, options)


class AsyncClient(_Factories[AsyncCaller]):
    """The base class of generated asyncio clients."""

    _tcp = "aio"
    _kind = "Async"

    def with_options(
        self,
        *,
        deadline: float | Same | None = SAME,
        metadata: Mapping[str, str] | Same = SAME,
        compress_above: int | Same | None = SAME,
        headers: Mapping[str, str] | Same = SAME,
        on_answer: Callable[[Answer], object] | Same | None = SAME,
        interceptors: Sequence[Interceptor] | Same = SAME,
        retry: Retries | Same | None = SAME,
        raw_messages: Callable[[RawMessage], object] | Same | None = SAME,
        raw_max_body: int | Same = SAME,
    ) -> Self:
        """The same client on the same connection, with other options for its calls."""
        return self._changed(
            {
                "deadline": deadline,
                "metadata": metadata,
                "compress_above": compress_above,
                "headers": headers,
                "on_answer": on_answer,
                "interceptors": interceptors,
                "retry": retry,
                "raw_messages": raw_messages,
                "raw_max_body": raw_max_body,
            }
        )

    async def close(self) -> None:
        """Closes the connection, unless the channel was passed in."""
        if self._owner:
            await self._channel.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def _call(self, method: Method[A, R], arguments: A) -> R:
        options = self._options
        if not options.interceptors and options.on_answer is None:
            return await self._attempt(method, arguments, options)
        with Watched(method, options) as watched:
            return await self._attempt(method, arguments, watched)

    async def _attempt(self, method: Method[A, R], arguments: A, options: CallOptions) -> R:
        if options.retry is None:
            return await self._channel.call(method, arguments, options)
        return await options.retry.call_async(self._channel, method, arguments, options)
