"""Calls over JMS: deadlines, delivery, connections that end, and both kinds of client (``jms.md``)."""

# pyright: reportPrivateUsage=false
from __future__ import annotations

import asyncio
import contextlib
import socket
import ssl
import struct
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("proton", reason="python-qpid-proton is not installed")

from proton import Condition, Delivery, Message

from creo import CallOptions, Cancellation, CreoError, ErrorCode, Limits
from creo.jms import AsyncJmsChannel, JmsBroker, JmsChannel
from fake import dead_port
from fake_amqp import Side, body_of, correlation_of, serve
from jms_calls import binary, channel, replying, total, total_of, touch
from sample import AsyncDataServiceClient, DataServiceClient

#: A broker's answers to a peer that it does not understand (JMS-18).
MISMATCHES = (
    "decode-error", "frame-size-too-small", "invalid-field", "illegal-state", "not-allowed",
    "not-implemented", "connection:framing-error",
)  # fmt: skip

# Oneway (JMS-15)


def test_a_oneway_call_has_been_made_when_the_broker_has_the_message() -> None:
    got = threading.Event()

    def respond(side: Side, request: Message) -> None:
        got.set()

    with serve(respond) as broker:
        with channel(broker, wire="binary") as made:
            client = DataServiceClient.over(made)
            client.touch("x")
            assert got.is_set() and broker.requests[0].reply_to is None


@pytest.mark.parametrize(
    ("outcome", "code"),
    [
        (Condition("amqp:resource-limit-exceeded", "full"), ErrorCode.OVERLOADED),
        (Condition("amqp:unauthorized-access", "not you"), ErrorCode.PERMISSION_DENIED),
        (Condition("amqp:link:message-size-exceeded", "long"), ErrorCode.TOO_LARGE),
        *((Condition(f"amqp:{name}", "no"), ErrorCode.PROTOCOL_MISMATCH) for name in MISMATCHES),
        (Condition("amqp:internal-error", "\x07"), ErrorCode.UNAVAILABLE),
        (Delivery.RELEASED, ErrorCode.UNAVAILABLE),
        (Delivery.MODIFIED, ErrorCode.UNAVAILABLE),
    ],
)
def test_a_message_that_the_broker_does_not_take(outcome: Any, code: ErrorCode) -> None:
    with serve(lambda side, request: outcome) as broker:
        with channel(broker, wire="binary") as made:
            client = DataServiceClient.over(made)
            for call in (total, touch):
                with pytest.raises(CreoError) as caught:
                    call(client)
                assert caught.value.code is code
    assert len(broker.sides) == 1


def test_a_message_that_is_too_large_for_the_broker_is_not_sent() -> None:
    with serve(replying(), most_message_size=1_000) as broker:
        with channel(broker, wire="binary") as made:
            client = DataServiceClient.over(made)
            with pytest.raises(CreoError) as caught:
                client.total([1.0] * 1_000)
    assert caught.value.code is ErrorCode.TOO_LARGE and not broker.requests


# Deadlines (JMS-10)


@pytest.mark.parametrize("credit", [0, 100])
def test_deadlines(credit: int) -> None:
    """Whether there is no answer, or the broker accepts no message."""
    with serve(lambda side, request: None, credit=credit) as broker:
        with channel(broker, wire="binary") as made:
            client = DataServiceClient.over(made)
            with pytest.raises(CreoError) as caught:
                total(client.with_options(deadline=0.2))
    assert caught.value.code is ErrorCode.DEADLINE_EXCEEDED
    assert "the time for the call to jms:queue:data by 127.0.0.1:" in str(caught.value)
    assert credit or not broker.requests


def test_a_short_time_to_live_ends_a_call() -> None:
    with serve(lambda side, request: None) as broker:
        to = "jms:queue:data?timeToLive=200"
        with channel(broker, to, wire="binary") as made:
            client = DataServiceClient.over(made)
            with pytest.raises(CreoError) as caught:
                total(client.with_options(deadline=None))
    assert caught.value.code is ErrorCode.DEADLINE_EXCEEDED


def test_the_deadline_covers_connecting() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        broker = JmsBroker("127.0.0.1", listener.getsockname()[1])
        with JmsChannel(broker, "jms:queue:data") as made:
            client = DataServiceClient.over(made)
            with pytest.raises(CreoError) as caught:
                total(client.with_options(deadline=0.2))
            assert caught.value.code is ErrorCode.DEADLINE_EXCEEDED
        limits = Limits(connect_timeout=0.2)
        with JmsChannel(broker, "jms:queue:data", limits=limits) as made:
            client = DataServiceClient.over(made)
            with pytest.raises(CreoError) as caught:
                total(client)
            assert caught.value.code is ErrorCode.UNAVAILABLE


def test_calls_can_be_cancelled_from_elsewhere() -> None:
    cancellation = Cancellation()

    def respond(side: Side, request: Message) -> None:
        cancellation.cancel()

    with serve(respond) as broker:
        with channel(broker, wire="binary") as made:
            client = DataServiceClient.over(made)
            with pytest.raises(CreoError) as caught:
                total(client.with_options(cancellation=cancellation))
            assert caught.value.code is ErrorCode.CANCELLED
            with pytest.raises(CreoError) as caught:
                total(client.with_options(cancellation=cancellation))
            assert caught.value.code is ErrorCode.CANCELLED


# Connections (JMS-14)


@pytest.mark.parametrize(
    ("trouble", "code"),
    [
        (("drop",), ErrorCode.UNAVAILABLE),
        (("detach", "amqp:not-found", "gone"), ErrorCode.UNAVAILABLE),
        (("end", "amqp:connection:forced", "bye"), ErrorCode.UNAVAILABLE),
        (("end", "amqp:unauthorized-access", "no"), ErrorCode.PERMISSION_DENIED),
    ],
)
def test_a_lost_connection_ends_waiting_calls(trouble: tuple[str, ...], code: ErrorCode) -> None:
    """And the next call connects again."""
    both = threading.Barrier(2)

    def respond(side: Side, request: Message) -> None:
        if len(broker.sides) > 1:
            side.reply(request, binary(total_of(5)))
        elif len(broker.requests) == 2:
            getattr(side, trouble[0])(*trouble[1:])

    with serve(respond) as broker:
        with channel(broker, wire="binary") as made:
            client = DataServiceClient.over(made)
            found: list[CreoError] = []

            def call() -> None:
                both.wait()
                with pytest.raises(CreoError) as caught:
                    total(client)
                found.append(caught.value)

            threads = [threading.Thread(target=call) for _ in range(2)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            assert [error.code for error in found] == [code, code]
            assert found[0] is not found[1]
            assert total(client) == 5


def test_a_closed_channel_ends_its_calls_and_may_be_used_again() -> None:
    arrived = threading.Event()

    def respond(side: Side, request: Message) -> None:
        if len(broker.sides) > 1:
            side.reply(request, binary(total_of(5)))
        arrived.set()

    with serve(respond) as broker:
        with channel(broker, wire="binary") as made:
            client = DataServiceClient.over(made)
            found: list[CreoError] = []

            def call() -> None:
                with pytest.raises(CreoError) as caught:
                    total(client)
                found.append(caught.value)

            thread = threading.Thread(target=call)
            thread.start()
            assert arrived.wait(20)
            made.close()
            thread.join()
            assert found[0].code is ErrorCode.CANCELLED
            assert total(client) == 5


def test_a_broker_that_refuses() -> None:
    with serve(replying(), refuse=("amqp:unauthorized-access", "not here")) as broker:
        with channel(broker) as made:
            client = DataServiceClient.over(made)
            with pytest.raises(CreoError) as caught:
                total(client)
    assert caught.value.code is ErrorCode.PERMISSION_DENIED and "not here" in caught.value.message


def test_where_nobody_listens() -> None:
    with dead_port() as port, JmsChannel(JmsBroker("127.0.0.1", port), "jms:queue:a") as made:
        client = DataServiceClient.over(made)
        with pytest.raises(CreoError) as caught:
            total(client)
    assert caught.value.code is ErrorCode.UNAVAILABLE and str(port) in caught.value.message


# Several places (JMS-17)


@contextlib.contextmanager
def nobody_there(how: str) -> Iterator[int]:
    """The port of a place where no broker answers."""
    if how == "refused":
        with dead_port() as port:
            yield port
        return
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        if how == "silent":
            yield port
            return

        def accept() -> None:
            while True:
                try:
                    connected = listener.accept()[0]
                except OSError:
                    return
                with connected:
                    if how == "another protocol":
                        connected.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")

        thread = threading.Thread(target=accept, daemon=True)
        thread.start()
        yield port
        listener.shutdown(socket.SHUT_RDWR)
        thread.join(20)


@pytest.mark.parametrize("how", ["refused", "closed", "another protocol"])
def test_a_place_without_a_broker_is_passed_over(how: str) -> None:
    with nobody_there(how) as nobody, serve(replying(*[binary(total_of(5))] * 3)) as broker:
        way = JmsBroker("127.0.0.1", nobody).or_("127.0.0.1", broker.port)
        assert str(way) == f"127.0.0.1:{nobody} or 127.0.0.1:{broker.port}"

        async def run() -> float:
            async with AsyncJmsChannel(way, "jms:queue:data", wire="binary") as made:
                return await AsyncDataServiceClient.over(made).total([1.0])

        with JmsChannel(way, "jms:queue:data", wire="binary") as made:
            client = DataServiceClient.over(made)
            assert [total(client), total(client)] == [5, 5]
        assert asyncio.run(run()) == 5
    assert len(broker.sides) == 2


def test_a_silent_place_is_passed_over() -> None:
    limits = Limits(connect_timeout=0.5)
    with nobody_there("silent") as nobody, serve(replying(binary(total_of(5)))) as broker:
        way = JmsBroker("127.0.0.1", nobody).or_("127.0.0.1", broker.port)
        with JmsChannel(way, "jms:queue:data", wire="binary", limits=limits) as made:
            client = DataServiceClient.over(made)
            for _ in range(20):
                try:
                    assert total(client) == 5
                    return
                except CreoError as error:
                    # On a busy machine the place that answers may be too slow as well.
                    assert error.code is ErrorCode.UNAVAILABLE
    raise AssertionError("no place answered")


def test_a_link_that_is_refused_for_now_is_passed_over() -> None:
    closing = ("amqp:connection:forced", "closing")
    with serve(replying(), refuse=closing) as first, serve(replying(binary(total_of(5)))) as other:
        way = JmsBroker("127.0.0.1", first.port).or_("127.0.0.1", other.port)
        with JmsChannel(way, "jms:queue:data", wire="binary") as made:
            client = DataServiceClient.over(made)
            assert total(client) == 5
    assert len(first.sides) == 1


def test_who_is_refused_by_one_does_not_ask_the_other() -> None:
    def outcome(sent: bytes) -> int:
        return 1

    with serve(replying(), outcome=outcome) as first, serve(replying()) as other:
        way = JmsBroker("127.0.0.1", first.port, user="me", password="x")
        way = way.or_("127.0.0.1", other.port)
        with JmsChannel(way, "jms:queue:data") as made:
            client = DataServiceClient.over(made)
            with pytest.raises(CreoError) as caught:
                total(client)
    assert caught.value.code is ErrorCode.UNAUTHENTICATED and not other.sides


def test_if_nobody_answers_the_error_names_the_places() -> None:
    with nobody_there("closed") as one, nobody_there("refused") as other:
        way = JmsBroker("127.0.0.1", one).or_("127.0.0.1", other)
        with JmsChannel(way, "jms:queue:data") as made:
            client = DataServiceClient.over(made)
            with pytest.raises(CreoError) as caught:
                total(client)
    assert caught.value.code is ErrorCode.UNAVAILABLE
    assert caught.value.details["peer"] == str(way) and f":{other}" in caught.value.message


def test_a_lost_broker_is_followed_by_the_other() -> None:
    """A call that waits ends; the next ones go to the other broker."""
    taken = replying(binary(total_of(1)))

    def respond_first(side: Side, request: Message) -> None:
        if len(first.requests) == 1:
            taken(side, request)
        else:
            first.leave()

    def respond_other(side: Side, request: Message) -> None:
        side.reply(request, binary(total_of(2)))

    with serve(respond_first) as first, serve(respond_other) as other:
        way = JmsBroker("127.0.0.1", first.port).or_("127.0.0.1", other.port)
        with JmsChannel(way, "jms:queue:data", wire="binary") as made:
            client = DataServiceClient.over(made)
            assert total(client) == 1
            with pytest.raises(CreoError) as caught:
                total(client)
            assert caught.value.code is ErrorCode.UNAVAILABLE
            assert [total(client), total(client)] == [2, 2]
    assert (len(first.requests), len(other.requests)) == (2, 2)


@pytest.mark.parametrize(
    "said", [b"HTTP/1.1 400 Bad Request\r\n\r\n", b"AMQP\0\0\x09\1", b"\xff" * 100]
)
def test_a_peer_that_speaks_something_else(said: bytes) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def speak() -> None:
            with listener.accept()[0] as connected:
                connected.recv(8)
                connected.sendall(said)
                while connected.recv(1_000):
                    pass

        thread = threading.Thread(target=speak, daemon=True)
        thread.start()
        broker = JmsBroker("127.0.0.1", listener.getsockname()[1])
        with JmsChannel(broker, "jms:queue:a") as made:
            client = DataServiceClient.over(made)
            with pytest.raises(CreoError) as caught:
                total(client)
        thread.join(20)
    assert caught.value.code is ErrorCode.PROTOCOL_MISMATCH


def test_credentials() -> None:
    def outcome(sent: bytes) -> int:
        return 0 if b"PLAIN" in sent and b"\0me\0secret" in sent else 1

    with serve(replying(binary(total_of(1))), outcome=outcome) as broker:
        for password in ("secret", "other"):
            way = JmsBroker("127.0.0.1", broker.port, user="me", password=password)
            assert "secret" not in repr(way)
            with JmsChannel(way, "jms:queue:a", wire="binary") as made:
                client = DataServiceClient.over(made)
                if password == "secret":
                    assert total(client) == 1
                    continue
                with pytest.raises(CreoError) as caught:
                    total(client)
                assert caught.value.code is ErrorCode.UNAUTHENTICATED


def test_tls(certificate: Path) -> None:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    trusting = ssl.create_default_context(cafile=str(certificate))
    with serve(replying(binary(total_of(1)), binary(total_of(2))), context=context) as broker:
        for name, trusted, code in (
            ("localhost", trusting, None),
            ("127.0.0.1", trusting, ErrorCode.UNTRUSTED_PEER),
            ("localhost", True, ErrorCode.UNTRUSTED_PEER),
        ):
            way = JmsBroker("127.0.0.1", broker.port, tls=trusted, server_name=name)
            with JmsChannel(way, "jms:queue:a", wire="binary") as made:
                client = DataServiceClient.over(made)
                if code is None:
                    assert [total(client), total(client)] == [1, 2]
                    continue
                with pytest.raises(CreoError) as caught:
                    total(client)
                assert caught.value.code is code and "certificate" in caught.value.message


def test_a_connection_without_calls_is_kept_alive() -> None:
    replies = replying(binary(total_of(1)), binary(total_of(2)))
    with serve(replies, idle_timeout=0.2) as broker:
        with channel(broker, wire="binary") as made:
            client = DataServiceClient.over(made)
            assert total(client) == 1
            assert broker.beaten.wait(20)
            assert total(client) == 2
    assert len(broker.sides) == 1


def test_a_silent_broker_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("creo._jms.engine._IDLE_TIMEOUT", 0.5)
    with serve(lambda side, request: None) as broker:
        with channel(broker, wire="binary") as made:
            client = DataServiceClient.over(made)
            with pytest.raises(CreoError) as caught:
                total(client.with_options(deadline=None))
    assert caught.value.code is ErrorCode.UNAVAILABLE and "silent" in caught.value.message


def test_a_shared_reply_queue_is_asked_for_own_answers() -> None:
    def respond(side: Side, request: Message) -> None:
        if not request.reply_to:
            return
        other = binary(total_of(1))
        other.correlation_id = "0" * 32
        side.reply(request, other.encode())
        side.reply(request, binary(total_of(2)))

    with serve(respond) as broker:
        to = "jms:queue:data?replyToName=back"
        with channel(broker, to, wire="binary") as made:
            client = DataServiceClient.over(made)
            assert total(client) == 2
            client.touch("x")
            assert total(client) == 2
            released = list(broker.sides[0].settled)
        request = broker.requests[0]
        assert request.reply_to == "back"
        chosen = broker.sides[0].filters[0]["selector"]
    assert released.count(Delivery.RELEASED) >= 1
    assert str(chosen.descriptor) == "apache.org:selector-filter:string"
    assert chosen.value == f"JMSCorrelationID LIKE '{correlation_of(request)[:16]}%'"


def test_many_threads_share_a_connection() -> None:
    def respond(side: Side, request: Message) -> None:
        side.reply(request, binary(body_of(request)[1:9]))

    with serve(respond) as broker:
        with channel(broker, wire="binary") as made:
            client = DataServiceClient.over(made)
            wrong: list[float] = []

            def call(first: int) -> None:
                for i in range(20):
                    if client.total([first + i]) != first + i:
                        wrong.append(first)

            threads = [threading.Thread(target=call, args=(n * 100,)) for n in range(10)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
    assert not wrong and len(broker.requests) == 200 and len(broker.sides) == 1


def test_calls_under_way_are_limited() -> None:
    arrived = threading.Event()
    with serve(lambda side, request: arrived.set()) as broker:
        limits = Limits(max_calls_per_connection=1)
        with channel(broker, wire="binary", limits=limits) as made:
            client = DataServiceClient.over(made)
            found: list[ErrorCode] = []

            def call() -> None:
                with pytest.raises(CreoError) as caught:
                    total(client)
                found.append(caught.value.code)

            thread = threading.Thread(target=call)
            thread.start()
            assert arrived.wait(20)
            call()
            assert found == [ErrorCode.OVERLOADED]
            made.close()
            thread.join()


# asyncio


def test_asyncio() -> None:
    cancelled = threading.Event()
    closed = threading.Event()

    def respond(side: Side, request: Message) -> None:
        value = struct.unpack(">d", body_of(request)[1:9])[0]
        if value < 100:
            side.reply(request, binary(total_of(value)))
        elif value > 100:
            (cancelled if value == 101 else closed).set()

    async def run(port: int) -> None:
        broker_at = JmsBroker("127.0.0.1", port)
        async with AsyncJmsChannel(broker_at, "jms:queue:data", wire="binary") as made:
            client = AsyncDataServiceClient.over(made)
            calls = [client.total([float(i)]) for i in range(50)]
            assert await asyncio.gather(*calls) == [float(i) for i in range(50)]
            with pytest.raises(CreoError) as caught:
                await client.with_options(deadline=0.1).total([100.0])
            assert caught.value.code is ErrorCode.DEADLINE_EXCEEDED
            task = asyncio.ensure_future(client.total([101.0]))
            assert await asyncio.to_thread(cancelled.wait, 30)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            waiting = asyncio.ensure_future(client.total([102.0]))
            assert await asyncio.to_thread(closed.wait, 30)
            await made.close()
            with pytest.raises(CreoError) as caught:
                await waiting
            assert caught.value.code is ErrorCode.CANCELLED
            assert await client.total([1.0]) == 1

    with serve(respond) as broker:
        asyncio.run(run(broker.port))
    assert len(broker.sides) == 2


# Arguments


def test_arguments() -> None:
    broker = JmsBroker("127.0.0.1", 1)
    for wrong in ({"wire": "json"}, {"version": "2"}, {"tables": "x"}):
        with pytest.raises(ValueError):
            JmsChannel(broker, "jms:queue:a", **wrong)  # type: ignore[arg-type]
    for kind in (JmsChannel, AsyncJmsChannel):
        with pytest.raises(CreoError) as caught:
            kind(broker, "jms:jndi:a")
        assert caught.value.code is ErrorCode.INVALID_VALUE
        assert "jms:queue:a" in repr(kind(broker, "jms:queue:a"))
    for arguments in ({"host": ""}, {"port": 0}, {"password": "x"}, {"others": (("", 1),)}):
        with pytest.raises(ValueError):
            JmsBroker(**{"host": "localhost", **arguments})  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="verify"):
        JmsBroker("localhost", tls=ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER))


def test_without_the_library(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "proton", None)
    with pytest.raises(ImportError, match="python-qpid-proton"):
        JmsChannel(JmsBroker("localhost"), "jms:queue:a")


def test_the_core_does_not_need_the_library() -> None:
    code = "import sys; sys.path[:0] = sys.argv[1:]; import creo, sample; import creo.jms; assert 'proton' not in sys.modules"
    source = Path(__file__).resolve().parent
    subprocess.run(
        [sys.executable, "-c", code, str(source.parent / "src"), str(source)], check=True
    )


def test_metadata_that_cannot_be_sent() -> None:
    with serve(replying()) as broker:
        options = CallOptions(metadata={"A": "x"})
        with channel(broker) as made:
            client = DataServiceClient.over(made, options)
            with pytest.raises(CreoError) as caught:
                total(client)
    assert caught.value.code is ErrorCode.INVALID_VALUE and not broker.sides
