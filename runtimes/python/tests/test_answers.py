"""What comes with an answer besides its result: metadata, status, headers (``calls.md``)."""

from __future__ import annotations

import asyncio
import struct
import zlib
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from creo import Answer, AsyncClient, CallOptions, CreoError, ErrorCode, Limits
from creo._call import RawAnswer
from creo._tcp import Broken, Incoming
from fake import (
    CLIENT,
    DATA,
    ERROR,
    EXCEPTION,
    PREAMBLE,
    REQUEST,
    RESPONSE,
    Peer,
    error,
    frame,
    serve,
    text,
)
from fake_http import answer, expect, receive
from sample import AsyncDataServiceClient, DataServiceClient, NotFound

TOTAL = struct.pack(">d", 1.5)
METADATA, COMPRESSED, MORE = 4, 2, 1
PAIRS = {"a": "b", "x.y-z": "é\x1b[31m\n"}
BOTH = pytest.mark.parametrize("asynchronous", [False, True])


def metadata(pairs: Mapping[str, str]) -> bytes:
    """Pairs as they stand before a body."""
    return bytes((len(pairs),)) + b"".join(text(k) + text(v) for k, v in pairs.items())


# Frames


def fed(data: bytes, size: int, limits: Limits | None = None) -> list[Any]:
    """The events of bytes that come in pieces."""
    incoming = Incoming(limits or Limits(), {1, 2})
    data = PREAMBLE + data
    return [
        e for start in range(0, len(data), size) for e in incoming.feed(data[start : start + size])
    ]


@pytest.mark.parametrize("size", [1, 2, 7, 1000])
def test_metadata_before_a_body(size: int) -> None:
    """TCP-23: however the bytes are cut, in one frame or before the first part of a chain."""
    pairs = metadata(PAIRS)
    squeezed = zlib.compress(b"body")
    stream = (
        frame(RESPONSE, 1, pairs + b"whole", METADATA)
        + frame(RESPONSE, 2, pairs + b"in ", METADATA | MORE)
        + frame(DATA, 2, b"parts")
        + frame(EXCEPTION, 1, pairs, METADATA | MORE)
        + frame(DATA, 1, b"later")
        + frame(ERROR, 1, pairs + squeezed, METADATA | COMPRESSED)
        + frame(RESPONSE, 1, b"\0none", METADATA)
        + frame(RESPONSE, 1, b"plain")
    )
    assert fed(stream, size) == [
        RawAnswer(1, RESPONSE, b"whole", None, PAIRS),
        RawAnswer(2, RESPONSE, b"in parts", None, PAIRS),
        RawAnswer(1, EXCEPTION, b"later", None, PAIRS),
        RawAnswer(1, ERROR, b"body", None, PAIRS),
        RawAnswer(1, RESPONSE, b"none", None, {}),
        RawAnswer(1, RESPONSE, b"plain", None, {}),
    ]


def long_value(size: int) -> bytes:
    """One pair, all of which takes so many bytes."""
    n = size - 5
    return b"\1\1a" + bytes((n & 127 | 128, n >> 7)) + b"v" * n


@pytest.mark.parametrize(
    ("bytes_", "code"),
    [
        (b"", "malformed"),
        (b"\1", "malformed"),
        (b"\1\1a", "malformed"),
        (b"\1\1a\5b", "malformed"),
        (b"\x40\1a\1b", "malformed"),
        (b"\xff\xff\xff\xff\xff", "malformed"),
        (b"\x80\0", "malformed"),
        (b"\1\0\1v", "malformed"),
        (b"\1\1A\1v", "malformed"),
        (b"\1\3a_b\1v", "malformed"),
        (b"\1\2a\n\1v", "malformed"),
        (b"\1\x41" + b"k" * 65 + b"\1v", "malformed"),
        (b"\1\1a\1\xff", "malformed"),
        (b"\1\1a\3\xed\xa0\x80", "malformed"),
        (b"\2\1a\1b\1a\1c", "malformed"),
        (metadata({f"k{i}": "" for i in range(65)}), "too-large"),
        (long_value(16_385), "too-large"),
        (b"\1\1a\xff\xff\xff\x7fv", "too-large"),
    ],
    ids=range(18),
)
def test_metadata_that_break_a_rule_end_their_call_alone(bytes_: bytes, code: str) -> None:
    """CALL-5"""
    stream = frame(RESPONSE, 1, bytes_, METADATA) + frame(RESPONSE, 2, b"x")
    refused, other = fed(stream, 1000)
    assert refused.error.code.value == code and refused.metadata is None, refused
    assert not any(ord(c) < 32 for c in refused.error.message)
    assert other == RawAnswer(2, RESPONSE, b"x", None)


def test_metadata_at_their_limits() -> None:
    many = {f"k{i}": "" for i in range(64)}
    for bytes_, found in ((metadata(many), many), (long_value(16_384), {"a": "v" * 16_379})):
        (read,) = fed(frame(RESPONSE, 1, bytes_ + b"x", METADATA), 1000)
        assert read == RawAnswer(1, RESPONSE, b"x", None, found)


def test_metadata_stay_within_the_first_frame() -> None:
    stream = frame(RESPONSE, 1, b"\1\1a", METADATA | MORE) + frame(DATA, 1, b"\1bx")
    (refused,) = fed(stream, 1000)
    assert refused.error.code is ErrorCode.MALFORMED


def test_metadata_are_no_part_of_a_body_and_its_size() -> None:
    limits = Limits(max_message_size=10)
    pairs = metadata({"a": "b" * 50})
    fits, above, far = fed(
        frame(RESPONSE, 1, pairs + bytes(10), METADATA)
        + frame(RESPONSE, 1, pairs + bytes(11), METADATA)
        + frame(RESPONSE, 1, pairs + bytes(5), METADATA | MORE)
        + frame(DATA, 1, bytes(6)),
        1000,
        limits,
    )
    assert fits == RawAnswer(1, RESPONSE, bytes(10), None, {"a": "b" * 50})
    for refused in (above, far):
        assert refused.error.code is ErrorCode.TOO_LARGE
        assert refused.error.details["limit"] == "maxMessageSize"
    (endless,) = fed(frame(RESPONSE, 1, pairs + bytes(20_000), METADATA), 1000, limits)
    assert isinstance(endless, Broken) and endless.error.code is ErrorCode.TOO_LARGE


def test_an_error_of_the_connection_has_no_metadata() -> None:
    (broken,) = fed(frame(ERROR, 0, metadata({"a": "b"}) + b"\1\0\0", METADATA), 1000)
    assert isinstance(broken, Broken) and broken.error.code is ErrorCode.MALFORMED


def test_metadata_of_an_answer_that_nobody_waits_for_are_not_read() -> None:
    assert fed(frame(RESPONSE, 77, b"\xff", METADATA) + frame(RESPONSE, 1, b"x"), 1000) == [
        RawAnswer(1, RESPONSE, b"x", None)
    ]


# Clients


def client_of(asynchronous: bool) -> Any:
    return AsyncDataServiceClient if asynchronous else DataServiceClient


def calls(made: Any, *names: str) -> list[Any]:
    """Calls a client of either kind; what each returned or raised."""

    def call(name: str) -> Any:
        return made.total([1.0]) if name == "total" else getattr(made, name)("x")

    async def all_() -> list[Any]:
        async with made:
            return [(await asyncio.gather(call(name), return_exceptions=True))[0] for name in names]

    if isinstance(made, AsyncClient):
        return asyncio.run(all_())
    found: list[Any] = []
    with made:
        for name in names:
            try:
                found.append(call(name))
            except Exception as failure:
                found.append(failure)
    return found


@BOTH
@pytest.mark.parametrize("wire", ["binary", "tdxml"])
def test_answers_over_tcp(asynchronous: bool, wire: str) -> None:
    """CALL-4: whatever the answer is, before the call ends; and none without an answer."""
    pairs = metadata(PAIRS)
    table = b'<Env xmlns="urn:creo:tdxml"><RT>\n[0]|1.5\n</RT></Env>'
    failed = b'<Env xmlns="urn:creo:tdxml" of="sample.NotFound"><RT>\n[0]|x\n[0][1]|4\n</RT></Env>'
    body, raised = (TOTAL, b"\0\1x\0") if wire == "binary" else (table, failed)

    def script(peer: Peer) -> None:
        assert peer.take(8) == CLIENT[:6] + bytes((wire == "tdxml", 0))
        peer.send(PREAMBLE)
        peer.send(frame(RESPONSE, peer.expect(REQUEST).call, pairs + body, METADATA))
        peer.send(frame(EXCEPTION, peer.expect(REQUEST).call, pairs + raised, METADATA))
        denied = error(0, 10, "not you")[10:]
        peer.send(frame(ERROR, peer.expect(REQUEST).call, pairs + denied, METADATA))
        peer.send(frame(RESPONSE, peer.expect(REQUEST).call, pairs + b"\xff", METADATA))
        peer.send(frame(RESPONSE, peer.expect(REQUEST).call, b"\1\1A\0" + body, METADATA))
        peer.send(frame(RESPONSE, peer.expect(REQUEST).call, body))
        peer.expect(REQUEST)
        peer.socket.close()

    answers: list[Answer] = []
    with serve(script) as server:
        options = CallOptions(on_answer=answers.append)
        made = client_of(asynchronous)("127.0.0.1", server.port, wire=wire, options=options)
        names = ("total", "retrieve_data", "total", "total", "total", "total", "total")
        found = calls(made, *names)
    assert found[0] == found[5] == 1.5
    assert isinstance(found[1], NotFound), found[1]
    codes = [failure.code.value for failure in (*found[2:5], found[6])]
    assert codes == ["permission-denied", "malformed", "malformed", "unavailable"]
    assert not found[4].from_peer
    assert answers == [Answer(PAIRS)] * 4 + [Answer({})]
    assert (answers[0].status, answers[0].headers, answers[0].header("x")) == (0, (), None)


def test_calls_at_once_get_their_own_answers() -> None:
    def script(peer: Peer) -> None:
        peer.greet()
        requests = [peer.expect(REQUEST) for _ in range(20)]
        for request in reversed(requests):
            (number,) = struct.unpack(">d", request.body[1:9])
            pairs = metadata({"n": str(number)})
            peer.send(frame(RESPONSE, request.call, pairs + request.body[1:9], METADATA))

    with serve(script) as server, DataServiceClient("127.0.0.1", server.port) as client:

        def one(i: int) -> tuple[float, list[str]]:
            seen: list[str] = []
            watched = client.with_options(on_answer=lambda found: seen.append(found.metadata["n"]))
            return watched.total([float(i)]), seen

        with ThreadPoolExecutor(20) as pool:
            found = list(pool.map(one, range(20)))
    assert found == [(float(i), [str(float(i))]) for i in range(20)]


def test_tasks_at_once_get_their_own_answers() -> None:
    def script(peer: Peer) -> None:
        peer.greet()
        requests = [peer.expect(REQUEST) for _ in range(20)]
        for request in reversed(requests):
            pairs = metadata({"n": str(struct.unpack(">d", request.body[1:9])[0])})
            peer.send(frame(RESPONSE, request.call, pairs + request.body[1:9], METADATA))

    async def all_(port: int) -> list[Any]:
        async with AsyncDataServiceClient("127.0.0.1", port) as client:

            async def one(i: int) -> tuple[float, list[str]]:
                seen: list[str] = []
                watched = client.with_options(on_answer=lambda a: seen.append(a.metadata["n"]))
                return await watched.total([float(i)]), seen

            return await asyncio.gather(*map(one, range(20)))

    with serve(script) as server:
        found = asyncio.run(all_(server.port))
    assert found == [(float(i), [str(float(i))]) for i in range(20)]


@BOTH
def test_what_a_program_raises_over_an_answer_ends_the_call(asynchronous: bool) -> None:
    def script(peer: Peer) -> None:
        peer.greet()
        for _ in range(2):
            peer.send(frame(RESPONSE, peer.expect(REQUEST).call, TOTAL))

    def on_answer(found: Answer) -> None:
        answers.append(found)
        if len(answers) == 1:
            raise KeyError("mine")

    answers: list[Answer] = []
    with serve(script) as server:
        options = CallOptions(on_answer=on_answer)
        made = client_of(asynchronous)("127.0.0.1", server.port, options=options)
        found = calls(made, "total", "total")
    assert isinstance(found[0], KeyError) and found[1] == 1.5 and server.connections == 1


# HTTP

JSON = "application/json"
META = "Creo-Meta-a: b\r\nX-One: 1\r\nCREO-META-X.Y-Z: %c3%A9%1B[31m%0A\r\nX-One:  2 \r\n"


@BOTH
def test_answers_over_http(asynchronous: bool) -> None:
    """HTTP-25: metadata, the status, and the fields as they came."""

    def script(peer: Peer) -> None:
        expect(peer)
        peer.send(answer("1.5", kind=JSON, more=META))
        expect(peer)
        problem = (
            '{"type":"urn:creo:exception:sample.NotFound","value":{"description":"x","tried":[]}}'
        )
        peer.send(answer(problem, "422 x", "application/problem+json", META))
        expect(peer)
        problem = '{"type":"urn:creo:error:permission-denied","detail":"not you"}'
        peer.send(answer(problem, "403 x", "application/problem+json", META))
        expect(peer)
        peer.send(answer("gone", "503 x", "text/plain"))
        expect(peer)
        peer.send(answer("", "202 x", "text/plain"))
        receive(peer)

    answers: list[Answer] = []
    with serve(script) as server:
        options = CallOptions(on_answer=answers.append)
        url = f"http://127.0.0.1:{server.port}/D"
        made = client_of(asynchronous).json(url, options=options)
        found = calls(made, "total", "retrieve_data", "total", "total", "total")
    assert found[0] == 1.5 and isinstance(found[1], NotFound)
    codes = [failure.code.value for failure in found[2:]]
    assert codes == ["permission-denied", "unavailable", "protocol-mismatch"]
    assert [one.status for one in answers] == [200, 422, 403, 503, 202]
    assert [one.metadata for one in answers] == [PAIRS] * 3 + [{}] * 2
    assert answers[0].headers == (
        ("content-type", JSON),
        ("content-length", "3"),
        ("creo-meta-a", "b"),
        ("x-one", "1"),
        ("creo-meta-x.y-z", "%c3%A9%1B[31m%0A"),
        ("x-one", "2"),
    )
    assert (answers[0].header("X-One"), answers[0].header("none")) == ("1", None)
    assert answers[3].headers == (("content-type", "text/plain"), ("content-length", "4"))


@BOTH
@pytest.mark.parametrize(
    ("more", "code"),
    [
        ("Creo-Meta-: c", "malformed"),
        ("Creo-Meta-a_b: c", "malformed"),
        (f"Creo-Meta-{'k' * 65}: c", "malformed"),
        ("Creo-Meta-a: %zz", "malformed"),
        ("Creo-Meta-a: %4", "malformed"),
        ("Creo-Meta-a: %", "malformed"),
        ("Creo-Meta-a: %FF", "malformed"),
        ("Creo-Meta-a: %ED%A0%80", "malformed"),
        ("Creo-Meta-a: \u00e9", "malformed"),
        ("Creo-Meta-a: b\r\ncreo-meta-A: c", "malformed"),
        ("\r\n".join(f"Creo-Meta-k{i}: v" for i in range(65)), "too-large"),
        (f"Creo-Meta-a: {'v' * 16_384}", "too-large"),
    ],
    ids=range(12),
)
def test_headers_that_are_no_metadata(asynchronous: bool, more: str, code: str) -> None:
    """CALL-5: the connection stays open."""

    def script(peer: Peer) -> None:
        for line in (more, "Creo-Meta-k: %20"):
            expect(peer)
            peer.send(answer("1.5", kind=JSON, more=f"{line}\r\n"))
        receive(peer)

    answers: list[Answer] = []
    with serve(script) as server:
        options = CallOptions(on_answer=answers.append)
        made = client_of(asynchronous).json(f"http://127.0.0.1:{server.port}/D", options=options)
        refused, found = calls(made, "total", "total")
    assert isinstance(refused, CreoError) and refused.code.value == code
    assert refused.details["peer"] == f"127.0.0.1:{server.port}" and not refused.from_peer
    assert found == 1.5 and server.connections == 1
    assert [one.metadata for one in answers] == [{"k": " "}]


def test_metadata_are_checked_for_nobody() -> None:
    """A program that does not ask for them sees the same errors."""

    def script(peer: Peer) -> None:
        expect(peer)
        peer.send(answer("1.5", kind=JSON, more="Creo-Meta-A_: c\r\n"))

    with serve(script) as server:
        with DataServiceClient.json(f"http://127.0.0.1:{server.port}/D") as client:
            with pytest.raises(CreoError, match="malformed"):
                client.total([1.0])


@BOTH
def test_a_request_that_was_taken_is_no_answer(asynchronous: bool) -> None:
    """CALL-3: of a oneway method; what refuses the request is one."""

    def script(peer: Peer) -> None:
        expect(peer)
        peer.send(answer("", "202 x", more="Creo-Meta-a: b\r\n"))
        expect(peer)
        peer.send(answer("no", "503 x", "text/plain", "Creo-Meta-a: b\r\n"))
        receive(peer)

    answers: list[Answer] = []
    with serve(script) as server:
        options = CallOptions(on_answer=answers.append)
        made = client_of(asynchronous).json(f"http://127.0.0.1:{server.port}/D", options=options)
        found = calls(made, "touch", "touch")
    assert found[0] is None and found[1].code is ErrorCode.UNAVAILABLE
    assert [(one.status, one.metadata) for one in answers] == [(503, {"a": "b"})]


SOAP = '<S:Envelope xmlns:S="http://schemas.xmlsoap.org/soap/envelope/"><S:Body>{}</S:Body></S:Envelope>'
TABLE = '<Env xmlns="urn:creo:tdxml" of="total"><RT>\n[0]|1.5\n</RT></Env>'
RESULT = '<totalResponse xmlns="urn:creo:sample"><result>1.5</result></totalResponse>'


@BOTH
@pytest.mark.parametrize(
    ("wire", "given", "body", "kind"),
    [
        ("soap", {}, SOAP.format(RESULT), "text/xml"),
        ("soap", {"tables": "record"}, SOAP.format(TABLE), "text/xml"),
        ("tdxml", {}, TABLE, "application/vnd.creo.tdxml"),
    ],
    ids=["soap", "tables", "tdxml"],
)
def test_answers_of_other_wires(
    asynchronous: bool, wire: str, given: dict[str, str], body: str, kind: str
) -> None:
    def script(peer: Peer) -> None:
        expect(peer)
        peer.send(answer(body, kind=kind, more=META))
        receive(peer)

    answers: list[Answer] = []
    with serve(script) as server:
        url = f"http://127.0.0.1:{server.port}/D"
        options = CallOptions(on_answer=answers.append)
        made = getattr(client_of(asynchronous), wire)(url, options=options, **given)
        assert calls(made, "total") == [1.5]
    assert [(one.status, one.metadata) for one in answers] == [(200, PAIRS)]
