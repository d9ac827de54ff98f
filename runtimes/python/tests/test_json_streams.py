"""Streams as lines of JSON: what clients send, and what answers mean (HTTP-30 to HTTP-38)."""

# pyright: reportPrivateUsage=false

from __future__ import annotations

import asyncio
import contextlib
import time
from typing import Any, Callable

import pytest

from creo import CallOptions, CreoError, ErrorCode, Limits, RawMessage
from creo._http import parse_url
from creo._json.streams import JsonStreams, Lines
from fake import Peer, serve
from fake_http import answer
from flow import AsyncFlowClient, FlowClient, Stopped
from flow.creo_client import _FLOW_NUMBERS

LINES = "application/x-ndjson"
BOTH = pytest.mark.parametrize("asynchronous", [False, True])


def head(peer: Peer) -> str:
    found = b""
    while not found.endswith(b"\r\n\r\n"):
        found += peer.take(1)
    return found.decode()


def body(peer: Peer) -> bytes:
    """The chunks of a request."""
    found = b""
    while True:
        line = b""
        while not line.endswith(b"\r\n"):
            line += peer.take(1)
        size = int(line, 16)
        found += peer.take(size + 2)[:size]
        if not size:
            return found


def drain(peer: Peer) -> None:
    """Reads what a client still sends, until it closes the connection."""
    with contextlib.suppress(OSError):
        while peer.socket.recv(65_536):
            pass


def begun(text: str = "") -> bytes:
    return f"HTTP/1.1 200 OK\r\nContent-Type: {LINES}\r\n\r\n{text}".encode()


def played(
    asynchronous: bool,
    script: Callable[[Peer], None],
    use: Callable[[Any], Any],
    limits: Limits | None = None,
    **options: Any,
) -> Any:
    """What a use of a client makes of a script; for asyncio it is awaited."""
    given: dict[str, Any] = {"options": CallOptions(**options)}
    if limits is not None:
        given["limits"] = limits
    with serve(script) as server:
        url = f"http://127.0.0.1:{server.port}/Flow"
        if not asynchronous:
            with FlowClient.json(url, **given) as client:
                return use(client)

        async def run() -> Any:
            async with AsyncFlowClient.json(url, **given) as client:
                return await use(client)

        return asyncio.run(run())


def read(stream: Any, into: list[Any] | None = None) -> Any:
    """The items of a stream."""
    found: list[Any] = [] if into is None else into
    if hasattr(stream, "__next__"):
        found += []
        for item in stream:
            found.append(item)
        return found

    async def all_() -> list[Any]:
        async for item in stream:
            found.append(item)
        return found

    return all_()


def numbers(lines: str) -> Callable[[Peer], None]:
    def script(peer: Peer) -> None:
        assert head(peer).startswith("POST /Flow/numbers HTTP/1.1\r\n")
        assert peer.take(len('{"count":2}')) == b'{"count":2}'
        peer.send(begun(lines))

    return script


@BOTH
def test_lines_are_items(asynchronous: bool) -> None:
    lines = '{"item":1}\r\n\n { "item" : "2" } \n{"item":3}\n{"end":true}\nrubbish'
    assert played(asynchronous, numbers(lines), lambda c: read(c.numbers(2))) == [1, 2, 3]


@BOTH
def test_raw_messages_have_no_items(asynchronous: bool) -> None:
    seen: list[RawMessage] = []
    lines = '{"item":1}\n{"end":true}\n'
    use: Callable[[Any], Any] = lambda c: read(c.numbers(2))
    assert played(asynchronous, numbers(lines), use, raw_messages=seen.append) == [1]
    assert [(m.method.rpartition(".")[2], m.status, m.body) for m in seen] == [
        ("numbers", 0, b'{"count":2}'),
        ("numbers", 200, b""),
    ]


@BOTH
@pytest.mark.parametrize(
    ("lines", "code"),
    [
        ('{"item":1}\n', ErrorCode.UNAVAILABLE),
        ('{"item":1}\n{"item":2', ErrorCode.UNAVAILABLE),
        ('{"item":1}\n{"error":{"type":"urn:creo:error:overloaded"}}\n', ErrorCode.OVERLOADED),
        ('{"item":1}\n{"error":{}}\n', ErrorCode.PROTOCOL_MISMATCH),
    ],
)
def test_what_came_is_given_before_the_end(asynchronous: bool, lines: str, code: ErrorCode) -> None:
    got: list[Any] = []
    with pytest.raises(CreoError) as caught:
        played(asynchronous, numbers(lines), lambda c: read(c.numbers(2), got))
    assert caught.value.code is code and got == [1]


@BOTH
@pytest.mark.parametrize(
    "line",
    [
        "[1]",
        '{"item":1,"b":2}',
        '{"item":true}',
        '{"end":false}',
        '{"it":1}',
        "1",
        '{"item":}',
        # Takes no time that grows with the square of the line.
        '{"item":' + " " * 200_000 + "x" * 200_000,
    ],
)
def test_other_lines_are_malformed(asynchronous: bool, line: str) -> None:
    with pytest.raises(CreoError) as caught:
        played(asynchronous, numbers(f"{line}\n"), lambda c: read(c.numbers(2)))
    assert caught.value.code is ErrorCode.MALFORMED
    assert caught.value.place is not None and caught.value.place.startswith("$items")


@BOTH
def test_a_line_has_a_limit(asynchronous: bool) -> None:
    with pytest.raises(CreoError) as caught:
        played(
            asynchronous,
            numbers('{"item":' + " " * 3_000),
            lambda c: read(c.numbers(2)),
            limits=Limits(max_message_size=2_000),
        )
    assert caught.value.code is ErrorCode.TOO_LARGE


def test_a_line_in_many_parts_is_read_once() -> None:
    """Its time does not grow with the square of its length."""
    lines: Lines[Any, Any] = Lines(
        JsonStreams(_FLOW_NUMBERS),
        Limits(),
        parse_url("http://peer:1/"),
        CallOptions(),
        lambda response: None,
        lambda response: None,
    )
    lines.feed(begun('{"item":'))
    began = time.process_time()
    for _ in range(15_000):
        lines.feed(b" " * 1_000)
        assert lines.take() == []
    lines.feed(b'7}\n{"item":8}\n{"end"')
    assert lines.take() == [7, 8] and not lines.complete
    lines.feed(b":true}\n")
    assert lines.take() == [] and lines.complete
    assert time.process_time() - began < 20


@BOTH
def test_an_answer_that_is_no_stream(asynchronous: bool) -> None:
    def script(peer: Peer) -> None:
        head(peer)
        document = '{"type":"urn:creo:exception:flow.Stopped","value":{"after":7}}'
        peer.send(answer(document, "422 X", "application/problem+json"))

    with pytest.raises(Stopped) as caught:
        played(asynchronous, script, lambda c: read(c.ticks(1)))
    assert caught.value.after == 7


@BOTH
def test_a_parameter_travels_in_chunks(asynchronous: bool) -> None:
    seen: list[bytes] = []

    def script(peer: Peer) -> None:
        fields = head(peer)
        assert f"Content-Type: {LINES}\r\n" in fields
        assert "Transfer-Encoding: chunked\r\n" in fields and "Content-Length" not in fields
        seen.append(body(peer))
        peer.send(answer("6", kind="application/json"))

    assert played(asynchronous, script, lambda c: c.sum(iter([1, 2, 3]))) == 6
    assert seen == [b'{}\n{"item":1}\n{"item":2}\n{"item":3}\n{"end":true}\n']


@BOTH
def test_an_answer_ends_the_stream_of_the_caller(asynchronous: bool) -> None:
    def script(peer: Peer) -> None:
        head(peer)
        peer.send(answer("1", kind="application/json"))
        drain(peer)

    def endless() -> Any:
        n = 0
        while True:
            n += 1
            yield n

    assert played(asynchronous, script, lambda c: c.sum(endless())) == 1


@BOTH
def test_a_failure_of_the_source_goes_to_the_caller(asynchronous: bool) -> None:
    def broken() -> Any:
        yield 1
        raise KeyError("mine")

    with pytest.raises(KeyError):
        played(asynchronous, drain, lambda c: c.sum(broken()))
    with pytest.raises(CreoError) as caught:
        played(asynchronous, drain, lambda c: c.sum(["x"]))
    assert caught.value.code is ErrorCode.INVALID_VALUE


@BOTH
def test_a_deadline_holds(asynchronous: bool) -> None:
    def script(peer: Peer) -> None:
        head(peer)
        peer.send(begun('{"item":1}\n'))
        peer.until_end()

    got: list[Any] = []
    with pytest.raises(CreoError) as caught:
        played(asynchronous, script, lambda c: read(c.numbers(2), got), deadline=1)
    assert caught.value.code is ErrorCode.DEADLINE_EXCEEDED and got == [1]


@BOTH
def test_two_streams_are_refused(asynchronous: bool) -> None:
    with pytest.raises(CreoError) as caught:
        played(asynchronous, lambda _: None, lambda c: read(c.talk([])))
    assert caught.value.code is ErrorCode.UNKNOWN_METHOD and "over TCP" in caught.value.message
