"""A connection of AMQP 1.0 to a broker (JMS-16) without input or output: bytes go in and come out.
It uses Proton, which only this module imports; a client without JMS does not need it.

Belongs to one thread.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Callable, Final, Protocol, cast

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
    from proton import Condition, Link, Terminus

    from .._base import Limits
    from .._binary import Part
    from .address import JmsAddress
    from .call import Inbox

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


class _Incoming:
    """A link for messages of the broker: for the answers of all calls, or of one inbox."""

    def __init__(self, receiver: Receiver, inbox: Inbox | None) -> None:
        self.receiver = receiver
        self.inbox = inbox
        self.since: float | None = None
        """When the first byte of the incomplete message came; None if there is none."""
        self.closed = False
        self.oversize = False
        self.arriving = bytearray()
        self.size = 0

    def keep(self, data: bytes, limits: Limits) -> None:
        """Adds data to the message. Only the beginning of one that is too large is kept."""
        self.size += len(data)
        if not self.oversize and not self.closed:
            self.arriving += data
            if self.size > limits.max_message_size + limits.max_header_size:
                self.oversize = True
                del self.arriving[_KEPT:]

    def whole(self, limits: Limits) -> Message:
        """The message, which is complete."""
        if not self.oversize:
            return read_message(self.arriving, limits)
        message = Message()
        message.correlation = read_correlation(self.arriving)
        message.problem = answer_too_large(limits)
        return message

    def forget(self) -> None:
        """A message has ended."""
        self.arriving, self.size, self.oversize, self.since = bytearray(), 0, False, None


class _Queue:
    """The queue of an inbox."""

    def __init__(self, incoming: _Incoming, changed: Callable[[], None]) -> None:
        self._incoming = incoming
        self._changed = changed

    def let_in(self, messages: int) -> None:
        if not self._incoming.closed:
            self._incoming.receiver.flow(messages)
            self._changed()

    def close(self) -> None:
        if not self._incoming.closed:
            self._incoming.closed = True
            self._incoming.forget()
            self._incoming.receiver.close()
            self._changed()


class Engine:
    """A connection with one link for requests, one for answers, and one for each inbox."""

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
        self._shared = address.reply_to is not None
        self._limits = limits
        self._listener = listener
        self._failed = False
        self._opened = False
        self._closing = False
        self._working = False
        self._incoming: dict[str, _Incoming] = {}
        self._queues = 0
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
        session = self._session = self._connection.session()
        session.open()
        self._receiver: Receiver = session.receiver(f"answers-{self.prefix}")
        self._incoming[self._receiver.name] = _Incoming(self._receiver, None)
        source = self._receiver.source
        if address.reply_to is None:
            _temporary(source)
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
        for incoming in self._incoming.values():
            if incoming.since is None:
                continue
            allowed = self._limits.frame_timeout
            left = incoming.since + allowed - now
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

    def open_queue(self, inbox: Inbox, changed: Callable[[], None]) -> _Queue:
        """Asks for a queue, from which nothing comes until it lets messages in.

        ``changed`` is told that there is output.
        """
        self._queues += 1
        receiver = self._session.receiver(f"items-{self._queues}-{self.prefix}")
        incoming = self._incoming[receiver.name] = _Incoming(receiver, inbox)
        _temporary(receiver.source)
        receiver.open()
        return _Queue(incoming, changed)

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
            link = event.delivery.link
            if link.is_sender:
                self._taken(event.delivery)
            elif link.name in self._incoming:
                self._take(self._incoming[link.name])
        elif kind == Event.LINK_FLOW:
            if event.link.is_sender and self._opened:
                self._listener.credited()
        elif kind == Event.LINK_REMOTE_OPEN:
            if not self._queue_opened(event.link):
                self._link_opened()
        elif kind in (Event.LINK_REMOTE_CLOSE, Event.LINK_REMOTE_DETACH) and self._queue_closed(
            event.link
        ):
            return
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

    def _queue_of(self, link: Link) -> _Incoming | None:
        incoming = self._incoming.get(link.name) if link.is_receiver else None
        return None if incoming is None or incoming.inbox is None else incoming

    def _queue_opened(self, link: Link) -> bool:
        incoming = self._queue_of(link)
        if incoming is None or incoming.inbox is None:
            return False
        source = link.remote_source
        if incoming.closed or source.type == _UNSPECIFIED:
            # If it was refused, a detach with the reason follows.
            return True
        if source.address:
            incoming.inbox.opened(source.address)
        else:
            incoming.inbox.refused(_mismatch("the broker gave no queue for the stream"))
        return True

    def _queue_closed(self, link: Link) -> bool:
        incoming = self._queue_of(link)
        if incoming is None or incoming.inbox is None:
            return False
        del self._incoming[link.name]
        if not incoming.closed:
            incoming.closed = True
            incoming.receiver.close()
            incoming.inbox.refused(
                _told(link.remote_condition, "the broker closed the queue of the stream")
            )
        incoming.receiver.free()
        return True

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

    def _take(self, incoming: _Incoming) -> None:
        """Takes available messages."""
        receiver, limits = incoming.receiver, self._limits
        while not self._failed:
            delivery = receiver.current
            if delivery is None:
                return
            if delivery.aborted:
                delivery.settle()
                incoming.forget()
                continue
            while delivery.pending:
                data = receiver.recv(delivery.pending)
                if not data:
                    break
                incoming.keep(data, limits)
            if incoming.size > 2 * limits.max_message_size + limits.max_header_size:
                self._fail(answer_too_large(limits))
                return
            if delivery.partial:
                if incoming.since is None and not incoming.closed:
                    incoming.since = time.monotonic()
                return
            receiver.advance()
            if incoming.inbox is None:
                self._answer(incoming, delivery)
                if receiver.credit < _CREDIT // 2:
                    receiver.flow(_CREDIT - receiver.credit)
            else:
                self._item(incoming, incoming.inbox, delivery)

    def _answer(self, incoming: _Incoming, delivery: Delivery) -> None:
        message = incoming.whole(self._limits)
        incoming.forget()
        correlation = message.correlation or ""
        if self._shared and not correlation.startswith(self.prefix):
            # A broker without selectors: another client waits for this answer.
            delivery.update(Delivery.RELEASED)
            delivery.settle()
            return
        delivery.update(Delivery.ACCEPTED)
        delivery.settle()
        self._listener.answered(correlation, message)

    def _item(self, incoming: _Incoming, inbox: Inbox, delivery: Delivery) -> None:
        """A message of a queue; what comes after it was closed is dropped with it."""
        if incoming.closed:
            delivery.settle()
            incoming.forget()
            return
        message, size = incoming.whole(self._limits), incoming.size
        incoming.forget()
        delivery.update(Delivery.ACCEPTED)
        delivery.settle()
        inbox.received(message, size)

    def _fail(self, error: CreoError) -> None:
        if not self._failed:
            self._failed = True
            for incoming in self._incoming.values():
                incoming.closed = True
                incoming.forget()
            self._listener.failed(error)


def _temporary(source: Terminus) -> None:
    """Asks for a queue that the broker makes, and deletes with the link."""
    source.dynamic = True
    source.capabilities.put_object(symbol("temporary-queue"))


def _told(condition: Condition | None, otherwise: str) -> CreoError:
    """The broker's reason for ending a connection, link or message."""
    if condition is None:
        return CreoError(ErrorCode.UNAVAILABLE, otherwise)
    code = _CONDITIONS.get(condition.name, ErrorCode.UNAVAILABLE)
    what = f"{otherwise}: {shown(condition.description or '')} ({shown(condition.name)})"
    return CreoError(code, what, from_peer=True)


def _mismatch(message: str) -> CreoError:
    return CreoError(ErrorCode.PROTOCOL_MISMATCH, message)
