"""Calls over JMS: a service's queue on a broker that speaks AMQP 1.0 (``spec/transports/jms.md``).

Needs the package ``python-qpid-proton``; no other part of the runtime does::

    from creo.jms import JmsBroker, JmsChannel

    broker = JmsBroker("localhost", 5672)
    with DataClient.over(JmsChannel(broker, "jms:queue:data", wire="soap")) as client:
        client.find(query)
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar, cast

from ._base import DEFAULT_LIMITS, CreoError, ErrorCode, Limits, module_of
from ._call import CallOptions
from ._jms import JmsOperation, JmsRequest, jms_request, jms_result, jms_wire
from ._jms.address import parse_address
from ._jms.broker import JmsBroker
from ._soap.security import security_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from typing_extensions import Self

    from ._call import Method
    from ._call.client import ClientSecurity
    from ._jms.message import Message
    from ._soap.security import UsernameToken

__all__ = ["AsyncJmsChannel", "JmsBroker", "JmsChannel"]

A = TypeVar("A")
R = TypeVar("R")


def _need_proton() -> None:
    try:
        import proton  # noqa: F401  # pyright: ignore[reportUnusedImport]
    except ImportError as problem:
        raise ImportError(
            "creo.jms needs the package python-qpid-proton: pip install python-qpid-proton==0.40.0"
        ) from problem


class _Endpoint(ABC):
    """Shared by both kinds of channel: the queue's address and the options."""

    def __init__(
        self,
        broker: JmsBroker,
        to: str,
        *,
        wire: str = "soap",
        version: str | None = None,
        mtom: bool = False,
        tables: str | None = None,
        scheme: str = "record",
        schema: bool = False,
        packages: bool = False,
        username_token: UsernameToken | None = None,
        timestamp: bool = False,
        lenient: bool = False,
        understood: Iterable[str] = (),
        security: ClientSecurity | None = None,
        gzip: bool = False,
        limits: Limits = DEFAULT_LIMITS,
    ) -> None:
        """Connects with the first call.

        ``to`` is a JMS address such as ``"jms:queue:data?deliveryMode=NON_PERSISTENT"``; ``wire``
        is ``"soap"``, ``"tdxml"`` or ``"binary"``. ``version``, ``mtom``, ``tables``, ``schema``,
        ``username_token``, ``timestamp``, ``lenient``, ``understood`` and ``security`` are for SOAP
        as those of ``SoapChannel``; ``scheme``, ``schema`` and ``packages`` for tables as those of
        ``TdxmlChannel``; ``gzip`` compresses requests and, by that, answers.

        :raises CreoError: ``invalid-value`` if the address is invalid.
        :raises ValueError: if another argument is invalid.
        :raises ImportError: if the package ``python-qpid-proton`` is missing.
        """
        _need_proton()
        self._where = parse_address(to)
        self._wire = jms_wire(
            wire, version=version, mtom=mtom, tables=tables, scheme=scheme, schema=schema,
            packages=packages, security=security_of(username_token, timestamp), lenient=lenient,
            understood=understood, client_security=security,
        )  # fmt: skip
        self.broker = broker
        self.address = to
        self.host = broker.host
        self.port = broker.port
        self.limits = limits
        self._gzip = gzip
        self._is_binary = wire == "binary"
        self._peer = str(broker)
        self._attach()

    @abstractmethod
    def _attach(self) -> None:
        """Makes the object that carries the calls. Only this needs the AMQP package."""

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.broker!r}, {self.address!r})"

    def _operation(self, method: Method[Any, R]) -> JmsOperation[R]:
        key = self._wire.key
        found: JmsOperation[R] | None = method.operations.get(key)
        if found is None:
            found = method.operations[key] = self._wire.operation(method)
        return self._wire.for_call(found)

    def _until(self, options: CallOptions, *, oneway: bool) -> float | None:
        """The call's deadline: no answer comes after its request has expired (JMS-10)."""
        seconds = options.deadline
        if self._where.time_to_live is not None and not oneway:
            lives = self._where.time_to_live / 1_000
            seconds = lives if seconds is None else min(seconds, lives)
        return None if seconds is None else time.monotonic() + seconds

    def _request(
        self, operation: JmsOperation[Any], arguments: Any, options: CallOptions
    ) -> JmsRequest:
        return jms_request(operation, arguments, self._where, options, self.limits, gzip=self._gzip)

    def _show(
        self,
        method: Method[Any, Any],
        request: JmsRequest,
        options: CallOptions,
        until: float | None,
    ) -> None:
        if options.raw_messages is not None:
            from ._jms.raw import show_request

            show_request(method, options, self._where, request, until)

    def _show_answer(
        self, method: Method[Any, Any], options: CallOptions, answer: Message
    ) -> None:
        if options.raw_messages is not None:
            from ._jms.raw import show_answer

            show_answer(method, options, self._where, answer, self.limits)

    def _finish(
        self,
        method: Method[Any, R],
        operation: JmsOperation[R],
        answer: Message | None,
        options: CallOptions,
    ) -> R:
        if answer is None:
            return cast("R", None)
        self._show_answer(method, options, answer)
        return jms_result(operation, answer, self.limits, self._peer, options.watch)

    def _reader(self, kind: str, method: Any, arguments: Any, options: CallOptions) -> Any:
        """A call with a stream, which has not begun; ``kind`` is the class of the client's calls.

        :raises CreoError: ``unknown-method`` if it is not carried (JMS-23).
        """
        part = module_of("_jms.streams")
        part.check(method, binary=self._is_binary)
        operation = self._operation(method)
        request = self._request(operation, arguments, options)
        until = self._until(options, oneway=False)
        self._show(method, request, options, until)
        call = part.ItemsCall(request, until, self.limits, self._peer)
        seen = partial(self._show_answer, method, options)
        return getattr(part, kind)(call, method, operation, self.limits, self._peer, options, seen)


class JmsChannel(_Endpoint):
    """The connection to one queue. All methods are thread-safe.

    Calls of several threads share one connection, which has its own thread from the first call
    until ``close``.
    """

    def _attach(self) -> None:
        from ._jms.threads import Worker

        self._worker = Worker.of(self, self.broker, self._where, self.limits)

    def call(self, method: Method[A, R], arguments: A, options: CallOptions) -> R:
        """Calls a method and waits for its result.

        :raises CreoError: if the call fails; or an exception that the method declares.
        """
        until = self._until(options, oneway=method.oneway)
        operation = self._operation(method)
        request = self._request(operation, arguments, options)
        cancellation = options.cancellation
        if cancellation is not None and cancellation.cancelled:
            raise CreoError(ErrorCode.CANCELLED, "the caller gave up before the call began")
        self._show(method, request, options, until)
        answer = self._worker.exchange(request, until, method.oneway, options)
        return self._finish(method, operation, answer, options)

    def stream(self, method: Any, arguments: Any, source: Any, options: CallOptions) -> Any:
        """Begins a call whose result is a stream: its request has been sent.

        :raises CreoError: if the request cannot be sent, or JMS does not carry the method.
        """
        call = self._reader("BlockingCall", method, arguments, options)
        cancellation = options.cancellation
        if cancellation is not None and cancellation.cancelled:
            raise CreoError(ErrorCode.CANCELLED, "the caller gave up before the call began")
        return call.begin(self._worker, self)

    def close(self) -> None:
        """Closes the connection. Calls in progress end; a later call connects again."""
        self._worker.stop()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class AsyncJmsChannel(_Endpoint):
    """The connection to one queue, for asyncio. Belongs to one event loop."""

    def _attach(self) -> None:
        from ._jms.connection import JmsExchange

        self._exchange = JmsExchange(self.broker, self._where, self.limits)

    async def call(self, method: Method[A, R], arguments: A, options: CallOptions) -> R:
        """Calls a method and waits for its result.

        Cancelling the waiting task ends the call; the service may still run it.

        :raises CreoError: if the call fails; or an exception that the method declares.
        """
        until = self._until(options, oneway=method.oneway)
        operation = self._operation(method)
        request = self._request(operation, arguments, options)
        self._show(method, request, options, until)
        answer = await self._exchange.exchange(request, until, method.oneway, options.watch)
        return self._finish(method, operation, answer, options)

    async def stream(self, method: Any, arguments: Any, source: Any, options: CallOptions) -> Any:
        """Begins a call whose result is a stream, as ``JmsChannel.stream``."""
        return await self._reader("TaskCall", method, arguments, options).begin(self._exchange)

    async def close(self) -> None:
        """Closes the connection. Calls in progress end; a later call connects again."""
        await self._exchange.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()
