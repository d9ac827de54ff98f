"""A connection of AMQP 1.0 to a broker (JMS-16) without input or output: bytes go in and come out.
It uses Proton, which only this module imports; a client without JMS does not need it.

Belongs to one thread.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final, Protocol, cast

from proton import (
    Collector,
    Connection,
    Delivery,
    Described,
    Event,
    ProtonException,
    Receiver,
    Sender,
    Transport,
    symbol,
)

from .._base import CreoError, ErrorCode, answer_too_large, shown, too_large
from .message import Message, read_correlation, read_message

if TYPE_CHECKING:
    from proton import Condition

    from .._base import Limits
    from .._binary import Part
    from .address import JmsAddress

#: The max frame size, and the max silence of the broker.
_MAX_FRAME: Final = 131_072
_IDLE_TIMEOUT: Final = 60.0
#: Answers that the broker may send before this side has taken earlier ones.
_CREDIT: Final = 256
#: The kept part of an answer that is too large, which identifies its call.
_KEPT: Final = 65_536
_OUTPUT: Final = 262_144
#: Proton's value for an unset end of a link.
_UNSPECIFIED: Final = 0

#: JMS-18; all others are ``unavailable``.
_CONDITIONS: Final = {
    "amqp:unauthorized-access": ErrorCode.PERMISSION_DENIED,
    "amqp:resource-limit-exceeded": ErrorCode.OVERLOADED,
    "amqp:link:message-size-exceeded": ErrorCode.TOO_LARGE,
    "amqp:decode-error": ErrorCode.PROTOCOL_MISMATCH,
    "amqp:frame-size-too-small": ErrorCode.PROTOCOL_MISMATCH,
    "amqp:invalid-field": ErrorCode.PROTOCOL_MISMATCH,
    "amqp:illegal-state": ErrorCode.PROTOCOL_MISMATCH,
    "amqp:not-allowed": ErrorCode.PROTOCOL_MISMATCH,
    "amqp:not-implemented": ErrorCode.PROTOCOL_MISMATCH,
    "amqp:connection:framing-error": ErrorCode.PROTOCOL_MISMATCH,
}


class Listener(Protocol):
    """The events of an engine."""

    def opened(self) -> None:
        """Requests may be sent."""
        ...

    def credited(self) -> None:
        """The broker accepts more requests."""
        ...

    def taken(self, tag: str, error: CreoError | None) -> None:
        """The broker has accepted a request, or refused it."""
        ...

    def answered(self, correlation: str, answer: Message) -> None:
        """An answer has come."""
        ...

    def failed(self, error: CreoError) -> None:
        """The connection has ended."""
        ...


class Engine:
    """A connection with one link for requests and one for answers."""

    def __init__(
        self,
        host: str,
        user: str | None,
        password: str | None,
        address: JmsAddress,
        limits: Limits,
        listener: Listener,
    ) -> None:
        self.prefix = secrets.token_hex(8)
        """The unique prefix of this connection's correlation ids."""
        self.reply_to: str | None = None
        """The address for answers, once the links are open."""
        self.arriving_since: float | None = None
        """When the first byte of the incomplete answer came; None if there is none."""
        self._shared = address.reply_to is not None
        self._limits = limits
        self._listener = listener
        self._failed = False
        self._opened = False
        self._closing = False
        self._working = False
        self._arriving = bytearray()
        self._size = 0
        self._oversize = False
        self._transport = Transport()
        self._transport.max_frame_size = _MAX_FRAME
        self._transport.idle_timeout = _IDLE_TIMEOUT
        self._collector = Collector()
        self._connection = Connection()
        self._connection.collect(self._collector)
        self._connection.container = f"creo-{self.prefix}"
        self._connection.hostname = host
        # TLS is below this engine, which does not see it.
        sasl = self._transport.sasl()
        sasl.allow_insecure_mechs = True
        if user is None:
            sasl.allowed_mechs("ANONYMOUS")
        else:
            sasl.allowed_mechs("PLAIN")
            self._connection.user = user
            self._connection.password = password or ""
        self._transport.bind(self._connection)
        self._connection.open()
        session = self._connection.session()
        session.open()
        self._receiver: Receiver = session.receiver(f"answers-{self.prefix}")
        source = self._receiver.source
        if address.reply_to is None:
            source.dynamic = True
            source.capabilities.put_object(symbol("temporary-queue"))
        else:
            source.address = address.reply_to
            source.capabilities.put_object(symbol("queue"))
            # JMS-14: on a shared queue, this side takes only its own answers.
            chosen = f"JMSCorrelationID LIKE '{self.prefix}%'"
            name = symbol("apache.org:selector-filter:string")
            source.filter.put_dict({symbol("selector"): Described(name, chosen)})
        self._receiver.open()
        self._receiver.flow(_CREDIT)
        self._sender: Sender = session.sender(f"requests-{self.prefix}")
        self._sender.target.address = address.name
        self._sender.target.capabilities.put_object(symbol(address.kind))
        self._sender.open()

    @property
    def usable(self) -> bool:
        """Whether requests may be sent."""
        return self._opened and not self._failed and not self._closing

    @property
    def credit(self) -> int:
        """How many requests the broker accepts now."""
        return self._sender.credit if self.usable else 0

    def correlation(self) -> str:
        """A new correlation id (JMS-6)."""
        return self.prefix + secrets.token_hex(8)

    # Bytes

    def receive(self, data: bytes) -> None:
        """Takes bytes from the broker."""
        view = memoryview(data)
        try:
            while len(view) and not self._failed:
                room = self._transport.capacity()
                if room <= 0:
                    break
                self._transport.push(bytes(view[:room]))
                view = view[room:]
                self._work()
            self._work()
        except (ProtonException, UnicodeDecodeError) as problem:
            self._fail(_mismatch(f"the broker does not speak AMQP 1.0: {shown(str(problem))}"))

    def end(self, why: str) -> None:
        """The connection has ended."""
        self._fail(CreoError(ErrorCode.UNAVAILABLE, f"the connection was lost: {why}"))

    def output(self) -> bytes:
        """The next bytes for the broker; empty if there are none."""
        try:
            size = self._transport.pending()
            if size <= 0:
                self._work()
                if size < 0:
                    self._fail(_told(None, "the connection was lost"))
                return b""
            data = self._transport.peek(min(size, _OUTPUT)) or b""
            self._transport.pop(len(data))
            self._work()
        except ProtonException as problem:
            self._fail(_mismatch(f"the broker does not speak AMQP 1.0: {shown(str(problem))}"))
            return b""
        return bytes(data)

    def tick(self) -> float | None:
        """Does what is due; returns the seconds until the next call, None for never."""
        now = time.monotonic()
        due = self._transport.tick(now)
        self._work()
        waits = [due - now] if due else []
        if self.arriving_since is not None:
            allowed = self._limits.frame_timeout
            left = self.arriving_since + allowed - now
            if left <= 0:
                message = f"an answer took longer than the {allowed:g} seconds allowed"
                self._fail(CreoError(ErrorCode.UNAVAILABLE, message))
                return None
            waits.append(left)
        return max(0.0, min(waits)) if waits else None

    # Output to the broker

    def send(self, tag: str, parts: Sequence[Part]) -> None:
        """Sends a message; ``taken`` reports its outcome.

        :raises CreoError: ``too-large`` if the broker does not accept messages of this size.
        """
        allowed = self._sender.remote_max_message_size
        size = sum(map(len, parts))
        if allowed and size > allowed:
            message = f"the broker takes no message of {size} bytes, but of {allowed} at most"
            raise too_large("maxMessageSize", allowed, message)
        self._sender.delivery(tag)
        for part in parts:
            if len(part):
                self._sender.stream(cast("bytes", part))
        self._sender.advance()

    def close(self) -> None:
        """Ends the connection cleanly; ``output`` then has the last bytes."""
        self._closing = True
        self._receiver.close()
        self._connection.close()

    # Input from the broker

    def _work(self) -> None:
        # A listener may cause a nested call, at the same event.
        if self._working:
            return
        self._working = True
        try:
            while not self._failed:
                event: Any = self._collector.peek()
                if event is None:
                    return
                self._event(event)
                self._collector.pop()
        finally:
            self._working = False

    def _event(self, event: Any) -> None:
        kind = event.type
        if kind == Event.DELIVERY:
            if event.delivery.link.is_receiver:
                self._take()
            else:
                self._taken(event.delivery)
        elif kind == Event.LINK_FLOW:
            if event.link.is_sender and self._opened:
                self._listener.credited()
        elif kind == Event.LINK_REMOTE_OPEN:
            self._link_opened()
        elif kind in (
            Event.CONNECTION_REMOTE_CLOSE,
            Event.SESSION_REMOTE_CLOSE,
            Event.LINK_REMOTE_CLOSE,
            Event.LINK_REMOTE_DETACH,
        ):
            self._fail(_told(event.context.remote_condition, "the broker closed the connection"))
        elif kind == Event.TRANSPORT_ERROR:
            self._fail(self._broken(event.transport.condition))
        elif kind == Event.TRANSPORT_TAIL_CLOSED:
            self._fail(_told(None, "the broker closed the connection"))

    def _link_opened(self) -> None:
        source, target = self._receiver.remote_source, self._sender.remote_target
        if self._opened or _UNSPECIFIED in (source.type, target.type):
            # One of them is missing; a detach with the reason follows if it was refused.
            return
        self.reply_to = source.address
        if not self.reply_to:
            self._fail(_mismatch("the broker gave no queue for answers"))
            return
        self._opened = True
        self._listener.opened()

    def _broken(self, condition: Condition | None) -> CreoError:
        """Why the transport ended."""
        if condition is not None and condition.name == "amqp:unauthorized-access":
            text = f"the broker takes no such user: {shown(condition.description or '')}"
            return CreoError(ErrorCode.UNAUTHENTICATED, text, from_peer=True)
        if condition is not None and condition.name == "amqp:resource-limit-exceeded":
            message = f"the broker was silent for {_IDLE_TIMEOUT:g} seconds"
            return CreoError(ErrorCode.UNAVAILABLE, message)
        return _told(condition, "the connection was lost")

    def _taken(self, delivery: Delivery) -> None:
        state = delivery.remote_state
        if not state and not delivery.settled:
            return
        tag = delivery.tag
        error = None
        if state == Delivery.REJECTED:
            error = _told(delivery.remote.condition, "the broker refused the message")
        elif state in (Delivery.RELEASED, Delivery.MODIFIED):
            error = _told(None, "the broker gave the message back")
        elif state != Delivery.ACCEPTED:
            error = _told(None, "the broker did not say that it has the message")
        delivery.settle()
        self._listener.taken(tag, error)

    def _take(self) -> None:
        """Takes available answers. Only the beginning of one that is too large is kept."""
        receiver, limits = self._receiver, self._limits
        while not self._failed:
            delivery = receiver.current
            if delivery is None:
                return
            if delivery.aborted:
                delivery.settle()
                self._forget()
                continue
            while delivery.pending:
                data = receiver.recv(delivery.pending)
                if not data:
                    break
                self._keep(data)
            if self._size > 2 * limits.max_message_size + limits.max_header_size:
                self._fail(answer_too_large(limits))
                return
            if delivery.partial:
                if self.arriving_since is None:
                    self.arriving_since = time.monotonic()
                return
            receiver.advance()
            self._whole(delivery)
            if receiver.credit < _CREDIT // 2:
                receiver.flow(_CREDIT - receiver.credit)

    def _keep(self, data: bytes) -> None:
        limits = self._limits
        self._size += len(data)
        if not self._oversize:
            self._arriving += data
            if self._size > limits.max_message_size + limits.max_header_size:
                self._oversize = True
                del self._arriving[_KEPT:]

    def _whole(self, delivery: Delivery) -> None:
        oversize, data = self._oversize, self._arriving
        self._forget()
        if oversize:
            message = Message()
            message.correlation = read_correlation(data)
            message.problem = answer_too_large(self._limits)
        else:
            message = read_message(data, self._limits)
        correlation = message.correlation or ""
        if self._shared and not correlation.startswith(self.prefix):
            # A broker without selectors: another client waits for this answer.
            delivery.update(Delivery.RELEASED)
            delivery.settle()
            return
        delivery.update(Delivery.ACCEPTED)
        delivery.settle()
        self._listener.answered(correlation, message)

    def _forget(self) -> None:
        self._arriving, self._size, self._oversize = bytearray(), 0, False
        self.arriving_since = None

    def _fail(self, error: CreoError) -> None:
        if not self._failed:
            self._failed = True
            self._forget()
            self._listener.failed(error)


def _told(condition: Condition | None, otherwise: str) -> CreoError:
    """The broker's reason for ending a connection, link or message."""
    if condition is None:
        return CreoError(ErrorCode.UNAVAILABLE, otherwise)
    code = _CONDITIONS.get(condition.name, ErrorCode.UNAVAILABLE)
    what = f"{otherwise}: {shown(condition.description or '')} ({shown(condition.name)})"
    return CreoError(code, what, from_peer=True)


def _mismatch(message: str) -> CreoError:
    return CreoError(ErrorCode.PROTOCOL_MISMATCH, message)
