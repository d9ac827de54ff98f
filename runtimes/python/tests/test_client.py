"""The blocking client against a scripted server."""

from __future__ import annotations

import functools
import inspect
import socket
import ssl
import threading
import time
import zlib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Callable

import pytest

from creo import CallOptions, Cancellation, CreoError, ErrorCode, Limits
from creo.tcp import Channel
from fake import (
    CANCEL,
    DATA,
    EXCEPTION,
    GOODBYE,
    PING,
    PONG,
    PREAMBLE,
    REQUEST,
    RESPONSE,
    Peer,
    dead_port,
    error,
    frame,
    serve,
    text,
)
from sample import AsyncDataServiceClient, Data, DataServiceClient, MetaData, NotFound

SERIES = Data(MetaData("CO2", 1), [1.0, -2.5])
TOTAL = bytes.fromhex("3ff8000000000000")  # 1.5


def fails(code: str, call: Callable[[], Any]) -> CreoError:
    with pytest.raises(CreoError) as caught:
        call()
    assert caught.value.code.value == code, caught.value
    return caught.value


def answer_total(peer: Peer) -> None:
    """Answers one request by 1.5."""
    peer.send(frame(RESPONSE, peer.expect(REQUEST).call, TOTAL))


def one_total(peer: Peer) -> None:
    peer.greet()
    answer_total(peer)
    assert peer.until_end() == []


def test_the_worked_example() -> None:
    """TCP, section 4: a call and its answer, byte for byte."""

    def script(peer: Peer) -> None:
        peer.greet()
        request = peer.expect(REQUEST)
        assert (request.call, request.flags, request.body) == (1, 0, b"\3CO2")
        assert 900 < request.milliseconds <= 1000
        peer.send(frame(RESPONSE, 1, SERIES.to_bytes()))

    with serve(script) as server, DataServiceClient("127.0.0.1", server.port) as client:
        assert client.with_options(deadline=1).retrieve_data("CO2") == SERIES


def test_calls_share_a_connection() -> None:
    def script(peer: Peer) -> None:
        peer.greet()
        for _ in range(3):
            answer_total(peer)

    with serve(script) as server, DataServiceClient("127.0.0.1", server.port) as client:
        assert [client.total([1.0]) for _ in range(3)] == [1.5] * 3
        assert server.connections == 1


def test_answers_in_any_order_for_many_threads() -> None:
    def script(peer: Peer) -> None:
        peer.greet()
        requests = [peer.expect(REQUEST) for _ in range(20)]
        for request in reversed(requests):
            peer.send(frame(RESPONSE, request.call, request.body[1:9]))

    with serve(script) as server, DataServiceClient("127.0.0.1", server.port) as client:
        with ThreadPoolExecutor(20) as pool:
            answers = list(pool.map(client.total, [[float(i)] for i in range(20)]))
        assert answers == [float(i) for i in range(20)]
        assert server.connections == 1


def test_declared_exception() -> None:
    def script(peer: Peer) -> None:
        peer.greet()
        body = b"\0" + text("CO2") + b"\1\0\0\0\7"
        peer.send(frame(EXCEPTION, peer.expect(REQUEST).call, body))
        peer.send(frame(EXCEPTION, peer.expect(REQUEST).call, b"\1"))
        peer.send(frame(EXCEPTION, peer.expect(REQUEST).call, body[:-1]))

    with serve(script) as server, DataServiceClient("127.0.0.1", server.port) as client:
        with pytest.raises(NotFound) as caught:
            client.retrieve_data("CO2")
        assert caught.value == NotFound("CO2", [7])
        assert fails("malformed", lambda: client.retrieve_data("x")).place == "$exception"
        wrong = fails("malformed", lambda: client.retrieve_data("x"))
        assert (wrong.place, wrong.offset) == ("$exception.tried", 5)


def test_errors_of_the_server() -> None:
    def script(peer: Peer) -> None:
        peer.greet()
        details = {"place": "$.numbers", "offset": "3", "x\n": "y\0"}
        peer.send(error(peer.expect(REQUEST).call, 1, "bad\x1b[31m", details))
        peer.send(error(peer.expect(REQUEST).call, 99, "strange"))
        peer.send(error(peer.expect(REQUEST).call, 12, "the service failed 0123abcd"))

    with serve(script) as server, DataServiceClient("127.0.0.1", server.port) as client:
        first = fails("malformed", lambda: client.total([]))
        assert first.from_peer and (first.place, first.offset) == ("$.numbers", 3)
        assert str(first) == "malformed: bad\\x1b[31m (at $.numbers, byte 3)"
        assert dict(first.details) == {"x\\n": "y\\x00", "peer": f"127.0.0.1:{server.port}"}
        assert "99" in fails("internal", lambda: client.total([])).message
        assert fails("internal", lambda: client.total([])).code is ErrorCode.INTERNAL


def test_unknown_method_names_both_sides() -> None:
    def script(peer: Peer) -> None:
        peer.greet()
        details = {"sample.DataService": "00000000000000ff", "sample.Other": "1" * 16}
        peer.send(error(peer.expect(REQUEST).call, 4, "no such method", details))

    with serve(script) as server, DataServiceClient("127.0.0.1", server.port) as client:
        message = str(fails("unknown-method", lambda: client.total([])))
        assert "sample.DataService.total" in message
        assert "00000000000000ff" in message and "1aaa17444cfc8707" in message
        assert "different descriptions" in message


def test_deadline_ends_the_call_and_cancels_it() -> None:
    cancelled = threading.Event()

    def script(peer: Peer) -> None:
        peer.greet()
        request = peer.expect(REQUEST)
        assert peer.expect(CANCEL).call == request.call
        cancelled.set()
        # A late answer means nothing; the connection serves the next call.
        peer.send(frame(RESPONSE, request.call, TOTAL))
        answer_total(peer)

    with serve(script) as server, DataServiceClient("127.0.0.1", server.port) as client:
        fails("deadline-exceeded", lambda: client.with_options(deadline=0.05).total([]))
        assert cancelled.wait(5)
        assert client.total([]) == 1.5


def test_a_silent_server_cannot_hold_a_big_request() -> None:
    """Nobody reads: sending ends at the deadline."""
    done = threading.Event()

    with serve(lambda peer: assert_(done.wait(10))) as server:
        with DataServiceClient("127.0.0.1", server.port) as client:
            numbers = bytes(80_000_000)
            view = memoryview(numbers).cast("d")
            fails("deadline-exceeded", lambda: client.with_options(deadline=0.2).total(view))
        done.set()


def assert_(truth: bool) -> None:
    assert truth


def test_cancellation_from_another_thread() -> None:
    def script(peer: Peer) -> None:
        peer.greet()
        request = peer.expect(REQUEST)
        token.cancel()
        assert peer.expect(CANCEL).call == request.call
        told.set()

    token = Cancellation()
    told = threading.Event()
    with serve(script) as server, DataServiceClient("127.0.0.1", server.port) as client:
        watched = client.with_options(cancellation=token)
        fails("cancelled", lambda: watched.total([]))
        assert token.cancelled
        fails("cancelled", lambda: watched.total([]))
        # The thread that cancels tells the server, which is not to be cut off.
        assert told.wait(10)


def test_oneway_waits_for_nothing() -> None:
    def script(peer: Peer) -> None:
        peer.greet()
        assert peer.expect(REQUEST).body == b"\1x"
        answer_total(peer)

    with serve(script) as server, DataServiceClient("127.0.0.1", server.port) as client:
        client.touch("x")
        assert client.total([]) == 1.5


def test_chains_pings_and_compression() -> None:
    def script(peer: Peer) -> None:
        peer.greet()
        body = SERIES.to_bytes()
        call = peer.expect(REQUEST).call
        peer.send(frame(RESPONSE, call, body[:5], flags=1), frame(PING, 77))
        peer.send(frame(DATA, call, b"", flags=1), frame(DATA, call, body[5:]))
        assert peer.expect(PONG).call == 77
        squeezed = zlib.compress(body)
        call = peer.expect(REQUEST).call
        peer.send(frame(RESPONSE, call, squeezed[:7], flags=3), frame(DATA, call, squeezed[7:]))
        call = peer.expect(REQUEST).call
        peer.send(frame(RESPONSE, call, b"no zlib", flags=2))
        request = peer.expect(REQUEST)
        assert request.flags == 2
        assert zlib.decompress(request.body) == text("a" * 100)
        peer.send(frame(RESPONSE, request.call, body))

    with serve(script) as server, DataServiceClient("127.0.0.1", server.port) as client:
        assert client.retrieve_data("x") == SERIES
        assert client.retrieve_data("x") == SERIES
        fails("malformed", lambda: client.retrieve_data("x"))
        squeezing = client.with_options(compress_above=50)
        assert squeezing.retrieve_data("a" * 100) == SERIES


def test_too_large_answers_are_dropped() -> None:
    def script(peer: Peer) -> None:
        peer.greet()
        call = peer.expect(REQUEST).call
        peer.send(frame(RESPONSE, call, bytes(90), flags=1), frame(DATA, call, bytes(90)))
        call = peer.expect(REQUEST).call
        peer.send(frame(RESPONSE, call, zlib.compress(bytes(100_000)), flags=2))
        answer_total(peer)

    limits = Limits(max_message_size=100)
    with serve(script) as server:
        with DataServiceClient("127.0.0.1", server.port, limits=limits) as client:
            large = fails("too-large", lambda: client.total([]))
            assert large.details["limit"] == "maxMessageSize" and large.details["allowed"] == "100"
            fails("too-large", lambda: client.total([]))
            fails("too-large", lambda: client.total([0.0] * 100))
            assert client.total([]) == 1.5


def test_goodbye_leads_to_a_new_connection() -> None:
    def first(peer: Peer) -> None:
        peer.greet()
        call = peer.expect(REQUEST).call
        peer.send(frame(GOODBYE, 0), frame(RESPONSE, call, TOTAL))
        assert peer.until_end() == []

    with serve(first, one_total) as server:
        with DataServiceClient("127.0.0.1", server.port) as client:
            assert client.total([]) == 1.5
            assert client.total([]) == 1.5
        assert server.connections == 2


def test_a_connection_lost_while_idle_is_made_again() -> None:
    gone = threading.Event()

    def first(peer: Peer) -> None:
        peer.greet()
        answer_total(peer)
        peer.socket.shutdown(socket.SHUT_RDWR)
        gone.set()

    with serve(first, one_total) as server:
        with DataServiceClient("127.0.0.1", server.port) as client:
            assert client.total([]) == 1.5
            assert gone.wait(5)
            assert client.total([]) == 1.5


def test_a_connection_lost_during_a_call() -> None:
    def first(peer: Peer) -> None:
        peer.greet()
        peer.expect(REQUEST)

    with serve(first, one_total) as server:
        with DataServiceClient("127.0.0.1", server.port) as client:
            lost = fails("unavailable", lambda: client.total([]))
            assert lost.details["peer"] == f"127.0.0.1:{server.port}"
            assert client.total([]) == 1.5


def test_metadata() -> None:
    def script(peer: Peer) -> None:
        peer.greet()
        request = peer.expect(REQUEST)
        assert request.flags == 4
        assert request.body == b"\2" + text("x-a") + text("é") + text("b") + text("") + b"\0"
        peer.send(frame(RESPONSE, request.call, TOTAL))

    with serve(script) as server, DataServiceClient("127.0.0.1", server.port) as client:
        assert client.with_options(metadata={"x-a": "é", "b": ""}).total([]) == 1.5
        for wrong in ({"X": "1"}, {"": "1"}, {"creo-x": "1"}, {"a": "\ud800"}, {"a" * 65: ""}):
            call = functools.partial(client.with_options(metadata=wrong).total, [])
            fails("invalid-value", call)
        many = {f"k{i}": "" for i in range(65)}
        fails("too-large", lambda: client.with_options(metadata=many).total([]))
        fails("too-large", lambda: client.with_options(metadata={"a": "x" * 20_000}).total([]))


def test_wrong_values_are_not_sent() -> None:
    with serve(one_total) as server, DataServiceClient("127.0.0.1", server.port) as client:
        wrong: Any = ["x"]
        assert fails("invalid-value", lambda: client.total(wrong)).place == "$.numbers[0]"
        lone = fails("invalid-value", lambda: client.retrieve_data("\ud800"))
        assert lone.place == "$.description"
        bad = Data(MetaData("x", 1 << 63), [])
        place = fails("invalid-value", lambda: client.store_data([SERIES, bad])).place
        assert place == "$.data[1].metadata.timestamp"
        assert client.total([]) == 1.5


@pytest.mark.parametrize(
    ("first", "named"),
    [
        (b"HTTP/1.1 400 Bad Request\r\n\r\n", "HTTP"),
        (b"\x15\x03\x01\x00\x02\x02\x46", "TLS"),
        (b"CREO\2\0\0\0", "version 2"),
        (b"SSH-2.0-x", "53 53 48"),
    ],
)
def test_other_protocols_are_named(first: bytes, named: str) -> None:
    def script(peer: Peer) -> None:
        peer.take(8)
        peer.send(first)
        peer.until_end()

    with serve(script) as server, DataServiceClient("127.0.0.1", server.port) as client:
        assert named in fails("protocol-mismatch", lambda: client.total([])).message


@pytest.mark.parametrize(
    "wrong",
    [
        frame(RESPONSE, 1, TOTAL, flags=8),
        frame(10, 1),
        frame(REQUEST, 1, bytes(12)),
        frame(PING, 1, b"x"),
        frame(DATA, 1, b"x"),
        frame(RESPONSE, 1, b"x", flags=1) + frame(RESPONSE, 1, b"y"),
        b"\0\0\0\5\2\0\0\0\0\1",
    ],
)
def test_malformed_frames_end_the_connection(wrong: bytes) -> None:
    def first(peer: Peer) -> None:
        peer.greet()
        peer.expect(REQUEST)
        peer.send(wrong)
        peer.until_end()

    with serve(first, one_total) as server:
        with DataServiceClient("127.0.0.1", server.port) as client:
            fails("malformed", lambda: client.total([]))
            assert client.total([]) == 1.5


def test_the_server_says_why_it_closes() -> None:
    def script(peer: Peer) -> None:
        peer.greet()
        peer.expect(REQUEST)
        peer.send(error(0, 1, "a flag that is not defined"))

    with serve(script) as server, DataServiceClient("127.0.0.1", server.port) as client:
        assert "a flag" in fails("malformed", lambda: client.total([])).message


def test_a_result_that_cannot_be_read() -> None:
    def script(peer: Peer) -> None:
        peer.greet()
        peer.send(frame(RESPONSE, peer.expect(REQUEST).call, SERIES.to_bytes()[:-1]))
        peer.send(frame(RESPONSE, peer.expect(REQUEST).call, b"x"))

    with serve(script) as server, DataServiceClient("127.0.0.1", server.port) as client:
        wrong = fails("malformed", lambda: client.retrieve_data("x"))
        assert (wrong.place, wrong.offset, wrong.from_peer) == ("$result.samples", 12, False)
        assert fails("malformed", lambda: client.store_data([])).place == "$result"


def test_connection_errors_name_the_address() -> None:
    with dead_port() as port:
        refused = fails("unavailable", lambda: DataServiceClient("127.0.0.1", port).total([]))
        assert f"127.0.0.1:{port} refused" in refused.message
    no_name = fails("unavailable", lambda: DataServiceClient("no-such-host.invalid", 1).total([]))
    assert "no-such-host.invalid:1" in no_name.message


def test_the_deadline_covers_the_connecting() -> None:
    """A listener whose queue is full does not answer."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen(0)
        port = listener.getsockname()[1]
        fillers = [socket.socket() for _ in range(4)]
        try:
            for filler in fillers:
                filler.setblocking(False)
                filler.connect_ex(("127.0.0.1", port))
            began = time.monotonic()
            client = DataServiceClient("127.0.0.1", port, options=CallOptions(deadline=0.3))
            fails("deadline-exceeded", lambda: client.total([]))
            assert time.monotonic() - began < 10
        finally:
            for filler in fillers:
                filler.close()


def test_a_slow_chain_is_closed() -> None:
    def script(peer: Peer) -> None:
        peer.greet()
        call = peer.expect(REQUEST).call
        peer.send(frame(RESPONSE, call, b"x", flags=1))
        peer.until_end()

    with serve(script) as server:
        limits = Limits(frame_timeout=0.1)
        with DataServiceClient("127.0.0.1", server.port, limits=limits) as client:
            assert "longer" in fails("unavailable", lambda: client.total([])).message


def test_clients_share_a_channel() -> None:
    def script(peer: Peer) -> None:
        peer.greet()
        answer_total(peer)
        answer_total(peer)

    with serve(script) as server, Channel("127.0.0.1", server.port) as channel:
        assert DataServiceClient.over(channel).total([]) == 1.5
        assert DataServiceClient.over(channel).total([]) == 1.5
        assert server.connections == 1


def test_closing_ends_calls_under_way() -> None:
    def script(peer: Peer) -> None:
        peer.greet()
        peer.expect(REQUEST)
        client.close()
        peer.until_end()

    with serve(script) as server:
        client = DataServiceClient("127.0.0.1", server.port)
        fails("cancelled", lambda: client.total([]))


def test_deprecated_methods_warn() -> None:
    def script(peer: Peer) -> None:
        peer.greet()
        peer.send(frame(RESPONSE, peer.expect(REQUEST).call, bytes(4)))

    with serve(script) as server, DataServiceClient("127.0.0.1", server.port) as client:
        with pytest.warns(DeprecationWarning, match="use total"):
            assert client.old() == 0  # pyright: ignore[reportDeprecated]


def test_tls(certificate: Path) -> None:
    service = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    service.load_cert_chain(certificate)
    trusting = ssl.create_default_context(cafile=certificate)

    def script(peer: Peer) -> None:
        peer.greet()
        answer_total(peer)
        peer.send(frame(RESPONSE, peer.expect(REQUEST).call, SERIES.to_bytes()))

    def nothing(peer: Peer) -> None:
        peer.until_end()

    with (
        serve(script, context=service) as server,
        DataServiceClient(
            "127.0.0.1", server.port, tls=trusting, server_name="localhost"
        ) as client,
    ):
        assert client.total([0.5] * 100_000) == 1.5
        assert client.retrieve_data("x") == SERIES
    with serve(nothing, nothing, context=service) as server:
        wrong_name = DataServiceClient("127.0.0.1", server.port, tls=trusting)
        assert "certificate" in fails("untrusted-peer", lambda: wrong_name.total([])).message
        untrusted = DataServiceClient("localhost", server.port, tls=True)
        assert "certificate" in fails("untrusted-peer", lambda: untrusted.total([])).message


def test_tls_to_a_plain_port_is_named() -> None:
    def script(peer: Peer) -> None:
        peer.send(PREAMBLE)
        peer.until_end()

    with serve(script) as server:
        client = DataServiceClient("127.0.0.1", server.port, tls=True)
        assert "TLS" in fails("protocol-mismatch", lambda: client.total([])).message


def test_a_context_that_verifies_half_is_refused() -> None:
    careless = ssl.create_default_context()
    careless.check_hostname = False
    with pytest.raises(ValueError, match="host name"):
        DataServiceClient("localhost", 1, tls=careless)


def test_optional_parameters_may_be_left_out() -> None:
    for made in (DataServiceClient, AsyncDataServiceClient):
        parameters = inspect.signature(made.count).parameters
        defaults = {name: p.default for name, p in parameters.items() if p.default is not p.empty}
        assert defaults == {"most": None, "until": None}
    bodies: list[bytes] = []

    def script(peer: Peer) -> None:
        peer.greet()
        for _ in range(2):
            request = peer.expect(REQUEST)
            # After the method and the time that is left.
            bodies.append(bytes(request.body[12:]))
            peer.send(frame(RESPONSE, request.call, b"\0\0\0\x05"))

    with serve(script) as server, DataServiceClient("127.0.0.1", server.port) as client:
        assert client.count(None, "a") == client.count(None, "a", None, None) == 5
    assert bodies[0] == bodies[1]


def two_totals(peer: Peer) -> None:
    peer.greet()
    answer_total(peer)
    answer_total(peer)
    assert peer.until_end() == []


def test_close_leaves_a_channel_open_that_was_given() -> None:
    """MODEL-40. A call after the channel was closed would connect again."""
    with serve(two_totals) as server:
        with Channel("127.0.0.1", server.port) as channel:
            for _ in range(2):
                with DataServiceClient.over(channel) as client:
                    assert client.total([1.0]) == 1.5
                    client.with_options(deadline=20).close()
        assert server.connections == 1


def test_close_closes_the_own_channel() -> None:
    with serve(one_total, one_total) as server:
        client = DataServiceClient("127.0.0.1", server.port)
        for own in (client, client.with_options(deadline=20)):
            assert own.total([1.0]) == 1.5
            own.close()
        assert server.connections == 2
