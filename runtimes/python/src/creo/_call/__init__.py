"""Shared by all calls, independent of transport: method, options and answer."""

from __future__ import annotations

import importlib
import threading
import time
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import (
    TYPE_CHECKING,
    Any,
    Callable,
    Final,
    Generic,
    NamedTuple,
    Protocol,
    TypeVar,
    cast,
)

from .._base import DEFAULT_DEADLINE, CreoError, ErrorCode, peer_error, shown
from .._binary import FAILURES, Bad, Reading, read_count, read_string, reading, writing
from .._binary.explain import explain_bytes
from .._binary.schema import Parameters, StructType, Type, decode, encode, later

if TYPE_CHECKING:
    from .._base import Limits
    from .._binary import Writing
    from .._binary.schema import Fast
    from .._binary.values import DeclaredError

A = TypeVar("A")
R = TypeVar("R")

_MAX_DETAILS: Final = 256

#: Kinds of answers, by their numbers in frames.
RESPONSE: Final = 2
EXCEPTION: Final = 3

_MAX_MILLISECONDS: Final = (1 << 32) - 1


class _Ending(Protocol):
    """A connection, which can end a call."""

    def cancel(self, pending: Any) -> None: ...


class Cancellation:
    """Ends calls from another thread: pass it to ``with_options`` and call ``cancel``."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._calls: dict[object, _Ending] = {}
        self._cancelled = False

    @property
    def cancelled(self) -> bool:
        """Whether ``cancel`` was called."""
        return self._cancelled

    def cancel(self) -> None:
        """Ends all its calls, and every later one, with ``cancelled``."""
        with self._lock:
            self._cancelled = True
            calls = list(self._calls.items())
        for pending, connection in calls:
            connection.cancel(pending)

    def enter(self, pending: Any, connection: _Ending) -> None:
        """Watches a call; only for the client."""
        with self._lock:
            self._calls[pending] = connection
            cancelled = self._cancelled
        if cancelled:
            connection.cancel(pending)

    def leave(self, pending: object) -> None:
        """Notes that the call has ended; only for the client."""
        with self._lock:
            self._calls.pop(pending, None)


@dataclass(frozen=True)
class CallOptions:
    """Options of one call, or of all calls of a client."""

    #: The max seconds of the call, regardless of the server; None for no deadline.
    deadline: float | None = DEFAULT_DEADLINE
    #: Metadata sent with each request.
    metadata: Mapping[str, str] = field(default_factory=dict[str, str])
    #: Bodies above this size are compressed, if the server supports it; None for never.
    compress_above: int | None = None
    #: Ends the call from another thread; for blocking clients.
    cancellation: Cancellation | None = None
    #: HTTP headers sent with each request; other transports do not send them.
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    #: Gets what came with each answer, before the call ends.
    on_answer: Callable[[Answer], object] | None = None
    #: Code that sees each call: told its beginning in this order, its end in the reverse one.
    interceptors: Sequence[Interceptor] = ()
    #: Repeats the call after some errors, at most until the deadline: a ``RetryPolicy`` of
    #: ``creo.retries``, which a copied runtime has with ``--with retries``. None for never.
    retry: Retries | None = None
    #: Sees each message of a call, such as ``creo.raw.RawLog()``; None for none.
    raw_messages: Callable[[RawMessage], object] | None = None
    #: The max bytes of a body that are shown there.
    raw_max_body: int = 65_536
    #: What a channel tells of the call; for the client alone.
    watch: Watch | None = field(default=None, init=False, repr=False, compare=False)


class Retries(Protocol):
    """Repeats calls: a ``RetryPolicy`` of ``creo.retries``."""

    def call(self, channel: Any, method: Method[A, R], arguments: A, options: CallOptions) -> R:
        """Makes a call on a channel of a blocking client, as often as is needed."""
        ...

    async def call_async(
        self, channel: Any, method: Method[A, R], arguments: A, options: CallOptions
    ) -> R:
        """Makes a call on a channel of an asyncio client, as often as is needed."""
        ...


# What a program sees of a call (``spec/calls.md``)

#: For an answer without metadata.
NO_METADATA: Final[Mapping[str, str]] = MappingProxyType({})


@dataclass(frozen=True)
class Answer:
    """What came with an answer besides what the method returns or raises."""

    #: The pairs that the service set.
    metadata: Mapping[str, str]
    #: The status of HTTP; 0 on other transports.
    status: int = 0
    #: The header fields of HTTP as they came, in their order, the names in small letters.
    headers: tuple[tuple[str, str], ...] = ()

    def header(self, name: str) -> str | None:
        """The first value of a header field, its name in any letters; None if there is none."""
        small = name.lower()
        return next((value for key, value in self.headers if key == small), None)


#: What most calls over TCP have: it is made once.
_PLAIN_ANSWER: Final = Answer(NO_METADATA)


def answer_with(metadata: Mapping[str, str]) -> Answer:
    """An answer without HTTP."""
    return _PLAIN_ANSWER if metadata is NO_METADATA else Answer(metadata)


class RawMessage(NamedTuple):
    """A message of a call as it was sent or came, with ``***`` for secrets (CALL-62).

    ``creo.raw.raw_text`` makes it fit for a log: everything in it may be the peer's.
    """

    #: Otherwise it came.
    sent: bool
    #: Otherwise it is a request.
    answer: bool
    #: Package, interface and name, joined by dots.
    method: str
    #: The address of the other side.
    peer: str
    #: Of an answer over HTTP; otherwise 0.
    status: int
    #: The header fields in their order; over TCP and JMS the fields of CALL-62.
    headers: tuple[tuple[str, str], ...]
    #: The first bytes of the body, without frames, codings and compression.
    body: bytes
    #: How many bytes after them were left out.
    cut: int
    #: The whole length of the body in bytes, as it was sent or came.
    length: int
    #: Why the body is not shown, though it has bytes.
    hidden: str | None


@dataclass(frozen=True, init=False)
class Outcome:
    """How a call ended, as interceptors see it."""

    #: What the call raises: an exception that the method declares, or an error; None for a result.
    error: DeclaredError | CreoError | None
    #: From the beginning of the call to its end.
    seconds: float
    #: The address of the other side, if a connection to it was there.
    peer: str | None
    #: What came with the answer, if one arrived.
    answer: Answer | None

    def __init__(
        self,
        error: DeclaredError | CreoError | None,
        seconds: float,
        peer: str | None,
        answer: Answer | None,
    ) -> None:
        # Each call makes one; twice as fast as what ``dataclass`` makes.
        fields = self.__dict__
        fields["error"] = error
        fields["seconds"] = seconds
        fields["peer"] = peer
        fields["answer"] = answer

    @property
    def code(self) -> ErrorCode | None:
        """The error's code; None for a result and for a declared exception."""
        return self.error.code if isinstance(self.error, CreoError) else None


class OutgoingCall:
    """A call that begins, as interceptors see it: they may give it other ``options``."""

    __slots__ = ("interface", "method", "oneway", "options")

    def __init__(self, method: Method[Any, Any], options: CallOptions) -> None:
        #: The full name of the interface.
        self.interface = method.interface.name
        #: The method's name in the description.
        self.method = method.name
        self.oneway = method.oneway
        #: The deadline counts from the beginning of the call, the time of interceptors included.
        self.options = options

    def __str__(self) -> str:
        return f"{self.interface}.{self.method}"


class Interceptor(Protocol):
    """Code of the program that sees each call of a client."""

    def begin(self, call: OutgoingCall) -> Callable[[Outcome], object] | None:
        """A call begins: nothing of it was written yet, nor a connection opened.

        What this returns is called once at the end, however the call ends. What this raises ends the
        call. In an asyncio client it runs on the event loop, and must not wait.
        """
        ...


class Watch:
    """What a channel tells of one call."""

    __slots__ = ("_on_answer", "answer", "peer", "places")

    def __init__(self) -> None:
        self.answer: Answer | None = None
        self.peer: str | None = None
        # Where attempts of the call go on, each time once; None if there is only one at a time.
        self.places: list[object] | None = None
        self._on_answer: Callable[[Answer], object] | None = None

    def options(self, call: CallOptions, deadline: float | None) -> CallOptions:
        """The options of the call, with this watch, for its channel."""
        # Much faster than ``replace``, which calls the constructor.
        fields = vars(call).copy()
        fields["deadline"] = deadline
        fields["watch"] = self
        made = object.__new__(type(call))
        object.__setattr__(made, "__dict__", fields)
        self._on_answer = call.on_answer
        return made

    def reached(self, peer: str) -> None:
        """The request goes over a connection to this address."""
        self.peer = peer

    def answered(self, answer: Answer) -> None:
        """An answer has arrived; it was not decoded yet."""
        self.answer = answer

    def tell(self) -> None:
        """Gives the program the answer of the last attempt (CALL-4, CALL-27)."""
        if self.answer is not None and self._on_answer is not None:
            self._on_answer(self.answer)


def until_of(options: CallOptions) -> float | None:
    """The end of a call that begins now, on the monotonic clock."""
    return None if options.deadline is None else time.monotonic() + options.deadline


def milliseconds_left(until: float | None) -> int:
    """The timeout of a request: rounded up; 0 is none (TCP-12)."""
    if until is None:
        return 0
    left = until - time.monotonic()
    return max(1, min(_MAX_MILLISECONDS, -int(-left * 1_000 // 1)))


class RawAnswer(NamedTuple):
    """A complete answer to a call; ``error`` replaces a body that was refused."""

    call: int
    kind: int
    body: bytes
    error: CreoError | None
    metadata: Mapping[str, str] | None = NO_METADATA
    """None if they could not be taken either."""


class Interface:
    """An interface of a description."""

    __slots__ = ("_methods", "_module", "fingerprint", "name")

    def __init__(self, name: str, fingerprint: int, module: str = "", methods: str = "") -> None:
        """``module`` is one of its package; ``methods`` is a name in the nearby ``creo_text``."""
        self.name = name
        self.fingerprint = fingerprint
        self._module = module
        self._methods = methods

    def texts(self) -> Mapping[str, Any]:
        """Its methods on the text wires, by name; their module is imported on first use."""
        package = self._module.rpartition(".")[0]
        module = importlib.import_module(f"{package}.creo_text")
        found: Mapping[str, Any] = getattr(module, self._methods)
        return found


class Method(Generic[A, R]):
    """A method of an interface, with the codecs of its parameters, result and exceptions."""

    __slots__ = (
        "_fast_arguments", "_fast_result", "_parameters", "_result", "_throws", "_types", "id",
        "idempotent", "interface", "name", "oneway", "operations", "secrets", "write",
    )  # fmt: skip

    def __init__(
        self,
        interface: Interface,
        name: str,
        id_: int,
        write: Callable[[Writing, A], None],
        parameters: Callable[[], Parameters],
        result: Callable[[], tuple[Callable[[bytes, int, Reading], tuple[R, int]], Type]] | None,
        throws: Callable[[], tuple[StructType[Any], ...]] = tuple,
        *,
        oneway: bool = False,
        idempotent: bool = False,
        secrets: tuple[str, ...] = (),
    ) -> None:
        self.interface = interface
        self.name = name
        self.id = id_
        self.oneway = oneway
        self.idempotent = idempotent
        self.secrets = secrets
        """The names of secrets in its messages (CALL-65)."""
        self.write = write
        self._parameters = parameters
        self._types: tuple[Type, ...] | None = None
        self._result = result
        self._throws = throws
        self.operations: dict[Hashable, Any] = {}
        """The text wires' form of it."""
        self._fast_arguments = later(parameters)
        self._fast_result = None if result is None else later(lambda: result()[1])

    @property
    def fast(self) -> tuple[Fast | None, Fast | None]:
        """The codecs in C of its parameters and its result."""
        return self._fast_arguments, self._fast_result

    @property
    def types(self) -> tuple[Type, ...]:
        """The types of its parameters."""
        found = self._types
        if found is None:
            fields = self._parameters().fields
            found = self._types = tuple([field.type for field in fields])
        return found

    @property
    def full_name(self) -> str:
        """Package, interface and name, joined by dots."""
        return f"{self.interface.name}.{self.name}"

    def encode(self, arguments: A, limits: Limits) -> Writing:
        """The body of a request."""
        fast = self._fast_arguments
        if fast is not None:
            body = fast.encode(arguments, limits)
            if body is not NotImplemented:
                parts = writing(limits.max_depth)
                parts.append(body)
                return parts
        return encode(self.write, self._parameters, arguments, limits)

    def finish(self, answer: RawAnswer, limits: Limits, peer: str) -> R:
        """The result; or raises the declared exception or error of the answer."""
        if answer.error is not None:
            raise answer.error
        if answer.kind == RESPONSE:
            if self._result is not None:
                fast = self._fast_result
                if fast is not None:
                    found = fast.decode(answer.body, limits)
                    if found is not NotImplemented:
                        return cast("R", found)
                read, type_ = self._result()
                return decode(read, type_, answer.body, limits, "$result")
            if answer.body:
                message = f"{len(answer.body)} bytes came as the result of a method that has none"
                raise CreoError(ErrorCode.MALFORMED, message, place="$result", offset=0)
            return cast("R", None)
        if answer.kind == EXCEPTION:
            raise self._exception(answer.body, limits)
        error = read_error(answer.body, limits, peer)
        if error.code is ErrorCode.UNKNOWN_METHOD:
            error = self._unknown(error, peer)
        raise error

    def _exception(self, body: bytes, limits: Limits) -> BaseException:
        place = "$exception"
        types = self._throws()
        try:
            index, p = read_count(body, 0)
        except FAILURES:
            return CreoError(ErrorCode.MALFORMED, "a count is expected", place=place, offset=0)
        if index >= len(types):
            message = f"{self.full_name} declares no exception {index}"
            return CreoError(ErrorCode.MALFORMED, message, place=place, offset=0)
        type_ = types[index]
        try:
            value, end = type_.read(body, p, reading(limits, len(body)))
        except FAILURES:
            end = -1
            value = None
        if end == len(body) <= limits.memory and isinstance(value, BaseException):
            return value
        return explain_bytes(type_, body, limits, place, p)

    def _unknown(self, error: CreoError, peer: str) -> CreoError:
        """ERR-5: states what each side has."""
        name, own = self.interface.name, f"{self.interface.fingerprint:016x}"
        offered = {k: v for k, v in error.details.items() if k not in ("peer", "started")}
        text = ", ".join(f"{shown(k)} ({shown(v)})" for k, v in offered.items()) or "nothing"
        message = (
            f"the server at {peer} does not know {self.full_name}; "
            f"this client's {name} has the fingerprint {own}, the server offers {text}"
        )
        if name in offered:
            if offered[name] == own:
                message += "; the fingerprints are the same: one of the sides is not what it says"
            else:
                message += "; the two sides were generated from different descriptions"
        return CreoError(error.code, message, details=error.details, from_peer=True)


def method(
    interface: Interface,
    name: str,
    id_: int,
    write: Callable[[Writing, A], None],
    parameters: Callable[[], Parameters],
    result: Callable[[], tuple[Callable[[bytes, int, Reading], tuple[R, int]], Type]],
    throws: Callable[[], tuple[StructType[Any], ...]] = tuple,
    *,
    idempotent: bool = False,
    secrets: tuple[str, ...] = (),
) -> Method[A, R]:
    """A method with a result."""
    return Method(
        interface, name, id_, write, parameters, result, throws,
        idempotent=idempotent, secrets=secrets,
    )  # fmt: skip


def void_method(
    interface: Interface,
    name: str,
    id_: int,
    write: Callable[[Writing, A], None],
    parameters: Callable[[], Parameters],
    throws: Callable[[], tuple[StructType[Any], ...]] = tuple,
    *,
    oneway: bool = False,
    idempotent: bool = False,
    secrets: tuple[str, ...] = (),
) -> Method[A, None]:
    """A method without a result."""
    return Method(
        interface, name, id_, write, parameters, None, throws,
        oneway=oneway, idempotent=idempotent, secrets=secrets,
    )  # fmt: skip


def read_error(body: bytes, limits: Limits, peer: str) -> CreoError:
    """The error in a server's answer (ERR-3)."""
    try:
        number = body[0]
        message, p = read_string(body, 1)
        details, p = _read_details(body, p)
        if p != len(body):
            raise Bad
    except FAILURES:
        return CreoError(ErrorCode.MALFORMED, "the server answered an error that cannot be read")
    return peer_error(ErrorCode.of_number(number), f"number {number}", message, details, peer)


def _read_details(body: bytes, p: int) -> tuple[dict[str, str], int]:
    n, p = read_count(body, p)
    if n > _MAX_DETAILS:
        raise Bad
    details: dict[str, str] = {}
    for _ in range(n):
        key, p = read_string(body, p)
        if key in details:
            raise Bad
        details[key], p = read_string(body, p)
    return details, p


def with_peer(error: CreoError, peer: str) -> CreoError:
    """The same error with the peer's address (ERR-4)."""
    details: Mapping[str, str] = {**error.details, "peer": peer}
    return CreoError(
        error.code,
        error.message,
        place=error.place,
        offset=error.offset,
        details=details,
        from_peer=error.from_peer,
    )
