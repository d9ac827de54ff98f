"""A broker by hand: SASL as bytes, AMQP by Proton's own engine, messages by Proton's own codec."""

from __future__ import annotations

import contextlib
import socket
import ssl
import threading
import time
from collections.abc import Iterator
from typing import Any, Callable, cast

from proton import (
    Collector,
    Condition,
    Connection,
    Delivery,
    Event,
    Link,
    Message,
    Receiver,
    Transport,
)

SASL_HEADER = b"AMQP\3\1\0\0"
#: An empty frame.
HEARTBEAT = b"\0\0\0\x08\x02\0\0\0"
#: `sasl-mechanisms` with ANONYMOUS and PLAIN.
MECHANISMS = bytes.fromhex("0000002202010000005340c01501e01202a309") + b"ANONYMOUS\5PLAIN"


def properties_of(message: Message) -> dict[str, Any]:
    """A message's data besides its body."""
    found: Any = message.properties
    return dict(found or {})


def body_of(message: Message) -> bytes:
    """A body of bytes."""
    return bytes(cast("Any", message).body)


def correlation_of(message: Message) -> str:
    """The correlation id, which clients write as a text."""
    found: Any = message.correlation_id
    assert isinstance(found, str)
    return found


class Side:
    """The broker's side of one connection, for the scripts of tests."""

    def __init__(self, broker: Broker, connected: socket.socket) -> None:
        self.broker = broker
        self.sasl = b""
        self.queues: dict[str, Any] = {}
        self.sent: dict[str, int] = {}
        """How many messages were sent to a queue, whether the client lets them in or not yet."""
        self.granted: dict[str, int] = {}
        """How many messages a client has let in from a queue."""
        self.filters: list[Any] = []
        self.settled: list[Any] = []
        self._socket = connected
        self._transport = Transport(Transport.SERVER)
        self._collector = Collector()
        self._connection = Connection()
        self._connection.collect(self._collector)
        self._transport.max_frame_size = broker.max_frame
        self._transport.idle_timeout = broker.idle_timeout
        self._transport.bind(self._connection)
        self._parts: dict[int, bytearray] = {}
        self.over = False
        self.heartbeats = 0

    # What scripts do

    def reply(self, request: Message, answer: Message | bytes, **changes: Any) -> None:
        """Sends an answer to the queue that the request names."""
        if isinstance(answer, Message):
            answer.correlation_id = request.correlation_id
            for name, value in changes.items():
                setattr(answer, name, value)
            answer = answer.encode()
        address = request.reply_to or ""
        sender = self.queues[address]
        self.sent[address] = self.sent.get(address, 0) + 1
        sender.delivery(f"{time.monotonic_ns()}")
        sender.stream(answer)
        sender.advance()

    def detach(self, name: str, description: str, queue: str | None = None) -> None:
        """Detaches the links for answers, or one of them, saying why."""
        for address, sender in self.queues.items():
            if queue not in (None, address):
                continue
            sender.condition = Condition(name, description)
            sender.close()

    def end(self, name: str, description: str) -> None:
        """Closes the connection in order, saying why."""
        self._connection.condition = Condition(name, description)
        self._connection.close()

    def drop(self) -> None:
        """Closes the socket at once."""
        self.over = True
        self._socket.close()

    # The loop

    def run(self) -> None:
        """Until the client goes."""
        with contextlib.suppress(OSError):
            rest = self._sasl()
            if rest is None:
                return
            while not self.over:
                self._feed(rest)
                self._flush()
                if self.over:
                    break
                self._socket.settimeout(0.05)
                try:
                    rest = self._socket.recv(65_536)
                    if not rest:
                        break
                except socket.timeout:
                    rest = b""
                if rest.startswith(HEARTBEAT):
                    self.heartbeats += 1
                    if self.heartbeats == 3:
                        self.broker.beaten.set()
        with contextlib.suppress(OSError):
            self._socket.close()

    def _sasl(self) -> bytes | None:
        data = self._more(b"", 8)
        assert data[:8] == SASL_HEADER
        self._socket.sendall(SASL_HEADER + MECHANISMS)
        data = self._more(data[8:], 4)
        size = int.from_bytes(data[:4], "big")
        data = self._more(data, size)
        self.sasl = data[:size]
        code = self.broker.outcome(self.sasl)
        self._socket.sendall(
            bytes.fromhex("0000001002010000005344c003015000")[:-1] + bytes((code,))
        )
        return None if code else data[size:]

    def _more(self, data: bytes, size: int) -> bytes:
        self._socket.settimeout(20)
        while len(data) < size:
            more = self._socket.recv(65_536)
            if not more:
                raise OSError("the client went away")
            data += more
        return data

    def _feed(self, data: bytes) -> None:
        while data:
            room = self._transport.capacity()
            if room <= 0:
                return
            self._transport.push(data[:room])
            data = data[room:]
            self._work()
        self._work()

    def _flush(self) -> None:
        while not self.over:
            size = self._transport.pending()
            if size <= 0:
                self.over = self.over or size < 0
                return
            out = self._transport.peek(size) or b""
            self._socket.settimeout(20)
            self._socket.sendall(out)
            self._transport.pop(len(out))
            self._work()

    def _work(self) -> None:
        while not self.over:
            event: Any = self._collector.peek()
            if event is None:
                return
            self._event(event)
            self._collector.pop()
            with self.broker.changed:
                self.broker.changed.notify_all()

    def _event(self, event: Any) -> None:
        kind = event.type
        if kind == Event.CONNECTION_REMOTE_OPEN:
            self._connection.open()
        elif kind == Event.SESSION_REMOTE_OPEN:
            event.session.open()
        elif kind == Event.LINK_REMOTE_OPEN:
            self._attach(event.link)
        elif kind == Event.LINK_REMOTE_CLOSE:
            event.link.close()
            self.broker.deleted.append(event.link.source.address or "")
        elif kind == Event.LINK_FLOW and event.link.is_sender:
            address = event.link.source.address or ""
            # Proton counts messages that wait for credit as sent; it also tells of frames that go.
            total = event.link.credit + self.sent.get(address, 0)
            if total != self.granted.get(address):
                self.granted[address] = total
                self.broker.granted(address, total)
        elif kind == Event.CONNECTION_REMOTE_CLOSE:
            self._connection.close()
        elif kind == Event.DELIVERY:
            if event.delivery.link.is_receiver:
                self._received(event.delivery)
            elif event.delivery.updated:
                self.settled.append(event.delivery.remote_state)
                event.delivery.settle()

    def _attach(self, link: Link) -> None:
        refuse = self.broker.refuse
        if refuse is None and link.is_sender and self.queues:
            refuse = self.broker.refuse_queues
        if refuse is not None:
            # A terminus of null, and a detach that says why: how brokers refuse.
            link.source.type = link.target.type = 0
            link.open()
            link.condition = Condition(*refuse)
            link.close()
            return
        if link.is_sender:
            address = link.remote_source.address or ""
            if link.remote_source.dynamic:
                address = f"answers-{len(self.broker.sides)}" + "x" * len(self.queues)
            chosen = link.remote_source.filter
            chosen.rewind()
            self.filters.append(chosen.get_object() if chosen.next() else None)
            link.source.address = address
            self.queues[address] = link
        else:
            target = link.remote_target.address or ""
            link.target.address = target
            self.broker.targets.append(target)
            if self.broker.most_message_size:
                link.max_message_size = self.broker.most_message_size
        link.open()
        if link.is_receiver:
            cast("Receiver", link).flow(self.broker.credit)

    def _received(self, delivery: Delivery) -> None:
        link: Any = delivery.link
        data = self._parts.setdefault(0, bytearray())
        while delivery.pending:
            data += link.recv(delivery.pending)
        if delivery.partial:
            return
        del self._parts[0]
        link.advance()
        request = Message()
        request.decode(bytes(data))
        self.broker.requests.append(request)
        outcome = self.broker.respond(self, request)
        if isinstance(outcome, Condition):
            delivery.local.condition = outcome
            delivery.update(Delivery.REJECTED)
        else:
            delivery.update(Delivery.ACCEPTED if outcome is None else outcome)
        delivery.settle()
        link.flow(1 if self.broker.credit else 0)


class Broker:
    """Serves connections until the test is over."""

    def __init__(
        self,
        respond: Callable[[Side, Message], Any],
        *,
        credit: int = 100,
        context: ssl.SSLContext | None = None,
        outcome: Callable[[bytes], int] = lambda _: 0,
        refuse: tuple[str, str] | None = None,
        refuse_queues: tuple[str, str] | None = None,
        granted: Callable[[str, int], object] = lambda address, messages: None,
        max_frame: int = 65_536,
        idle_timeout: float = 60,
        most_message_size: int = 0,
    ) -> None:
        """``respond`` answers ``None`` to accept a request, a state of AMQP, or a condition.

        ``refuse`` is for all links, ``refuse_queues`` for queues besides the first of a connection.

        The broker says ``idle_timeout``, but does not insist on it, and is silent itself.
        """
        self.respond = respond
        self.credit = credit
        self.outcome = outcome
        self.refuse = refuse
        self.refuse_queues = refuse_queues
        self.granted = granted
        self.max_frame = max_frame
        self.idle_timeout = idle_timeout
        self.most_message_size = most_message_size
        self.beaten = threading.Event()
        """Whether a connection has had three heartbeats."""
        self.changed = threading.Condition()
        """Notified of each event."""
        self.requests: list[Message] = []
        self.deleted: list[str] = []
        """The queues whose links clients have closed."""
        self.targets: list[str] = []
        self.sides: list[Side] = []
        self.problems: list[BaseException] = []
        self._context = context
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self._threads: list[threading.Thread] = []

    def accept(self) -> None:
        while True:
            try:
                connected, _ = self._listener.accept()
            except OSError:
                return
            thread = threading.Thread(target=self._serve, args=(connected,), daemon=True)
            thread.start()
            self._threads.append(thread)

    def wait(self, there: Callable[[], bool]) -> None:
        """Waits until this is so."""
        with self.changed:
            assert self.changed.wait_for(there, 60)

    def leave(self) -> None:
        """Ends all connections, and takes no others."""
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        for side in self.sides:
            side.over = True

    def stop(self) -> None:
        """Leaves, and waits until all has ended."""
        self.leave()
        for thread in self._threads:
            thread.join(20)

    def _serve(self, connected: socket.socket) -> None:
        try:
            if self._context is not None:
                connected.settimeout(20)
                connected = self._context.wrap_socket(connected, server_side=True)
            side = Side(self, connected)
            self.sides.append(side)
            side.run()
        except (OSError, ssl.SSLError):
            connected.close()
        except BaseException as problem:
            self.problems.append(problem)
            connected.close()


@contextlib.contextmanager
def serve(respond: Callable[[Side, Message], Any], **options: Any) -> Iterator[Broker]:
    """A broker; what goes wrong within it fails the test."""
    broker = Broker(respond, **options)
    accepting = threading.Thread(target=broker.accept, daemon=True)
    accepting.start()
    try:
        yield broker
    finally:
        broker.stop()
    if broker.problems:
        raise broker.problems[0]
