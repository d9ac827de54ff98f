"""Calls over JMS, against a broker by hand: what clients send, and what answers mean (``jms.md``)."""

# pyright: reportPrivateUsage=false
from __future__ import annotations

import asyncio
import gzip
import re
import struct
from typing import Any

import pytest

pytest.importorskip("proton", reason="python-qpid-proton is not installed")

from proton import Message

from creo import CreoError, ErrorCode, Limits, RawMessage
from creo.jms import AsyncJmsChannel, JmsBroker, JmsChannel
from creo.soap import UsernameToken
from fake_amqp import Side, body_of, correlation_of, properties_of, serve
from fake_http import envelope, fault, fault_12, include, package
from jms_calls import (
    BINARY,
    RESULT,
    SERIES,
    SOAP,
    TDXML,
    answer,
    binary,
    channel,
    exchange,
    get,
    raised,
    replying,
    total,
    total_of,
)
from partner import AddressedClient, AsyncAddressedClient
from sample import DataServiceClient, NotFound

WSSE = "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-secext-1.0.xsd"


# Requests (JMS-4, JMS-6, JMS-10)


def test_a_request_of_soap() -> None:
    reply = answer(envelope(RESULT.format("42.5")))
    request, result = exchange(replying(reply), total)
    assert result == 42.5 and request.address == "data" and request.reply_to == "answers-1"
    assert request.durable and request.priority == 4 and 59 < request.ttl <= 60
    properties = properties_of(request)
    assert 30_000 < int(properties.pop("Creo_timeout")) <= 60_000
    assert properties == {
        "SOAPJMS_requestURI": "jms:queue:data",
        "SOAPJMS_bindingVersion": "1.0",
        "SOAPJMS_contentType": SOAP,
        "SOAPJMS_soapAction": '"urn:creo:sample:DataService/total"',
    }
    assert re.fullmatch("[0-9a-f]{32}", correlation_of(request))
    assert b"<n1:numbers>2.5</n1:numbers>" in body_of(request)


def test_a_request_as_the_address_says() -> None:
    to = (
        "jms:queue:d%61ta?deliveryMode=NON_PERSISTENT&timeToLive=20000&priority=9"
        "&targetService=sample.DataService&mine=1"
    )
    request, result = exchange(replying(binary(total_of(3.5))), total, to, wire="binary")
    assert result == 3.5 and request.address == "data"
    assert not request.durable and request.priority == 9 and 19 < request.ttl <= 20
    properties = properties_of(request)
    assert properties["SOAPJMS_targetService"] == "sample.DataService"
    assert properties["SOAPJMS_requestURI"] == (
        "jms:queue:d%61ta?deliveryMode=NON_PERSISTENT&timeToLive=20000&priority=9"
    )
    assert properties["SOAPJMS_contentType"] == BINARY
    assert int(properties["Creo_method"], 16) and len(properties["Creo_method"]) == 16
    assert bytes(request.body) == b"\2" + total_of(1.0) + total_of(2.5)  # type: ignore[arg-type]


@pytest.mark.parametrize("tables", [None, "record"])
@pytest.mark.parametrize("asynchronous", [False, True])
def test_tokens_of_users(tables: str | None, asynchronous: bool) -> None:
    """SOAP-50; a channel over JMS writes no blocks of addressing (SOAP-40)."""
    block = f'<s:Security S:mustUnderstand="1" xmlns:s="{WSSE}"><s:UsernameToken/></s:Security>'
    header = f"<S:Header>{block}</S:Header>"
    asked = '<askResponse xmlns="urn:partner"><result>7</result></askResponse>'
    told: dict[str, Any] = {
        "username_token": UsernameToken("anna", "secret"),
        "timestamp": True,
        "tables": tables,
    }

    async def call(broker: JmsBroker) -> int:
        async with AsyncJmsChannel(broker, "jms:queue:data", **told) as made:
            return await AsyncAddressedClient.over(made).ask(1)

    with serve(replying(answer(envelope(asked, header=header)))) as broker:
        if asynchronous:
            assert asyncio.run(call(JmsBroker("127.0.0.1", broker.port))) == 7
        else:
            with channel(broker, **told) as made:
                assert AddressedClient.over(made).ask(1) == 7
                assert "secret" not in repr(made)
    body = body_of(broker.requests[0]).decode()
    found = re.match("<soap:Envelope[^>]*><soap:Header>(.*)</soap:Header><soap:Body>", body)
    assert found is not None and found[1].startswith(f'<wsse:Security xmlns:wsse="{WSSE}"')
    assert found[1].count("<wsu:Timestamp>") == 1 == found[1].count(">secret</wsse:Password>")
    assert found[1].endswith("</wsse:Security>")


class _Marked:
    """A security that marks what is sent, and reads what was marked."""

    def send(self, request: bytes) -> bytes:
        return request + b"<!-- marked -->"

    def receive(self, answer: bytes, charset: str | None) -> bytes:
        if not answer.endswith(b"<!-- marked -->"):
            raise CreoError(ErrorCode.PROTOCOL_MISMATCH, "no-security: not marked")
        return envelope(RESULT.format("42.5")).encode()


@pytest.mark.parametrize("tables", [None, "record"])
def test_a_security(tables: str | None) -> None:
    """It sees the messages of a broker as those of HTTP (SOAP-80)."""
    told: dict[str, Any] = {"security": _Marked(), "tables": tables, "mtom": True}
    reply = answer("<x/><!-- marked -->")
    request, result = exchange(replying(reply), total, **told)
    assert result == 42.5 and body_of(request).endswith(b"<!-- marked -->")
    for wrong in ("", envelope(RESULT.format("1"))):
        error = raised(replying(answer(wrong)), total, **told)
        assert error.code is ErrorCode.PROTOCOL_MISMATCH
        assert error.message == "no-security: not marked"
    sealed = answer(package(envelope("")), 'multipart/related; boundary=b; type="text/xml"')
    assert raised(replying(sealed), total, **told).message.startswith("package: ")
    with pytest.raises(ValueError, match="for the wire soap"):
        JmsChannel(JmsBroker("127.0.0.1", 1), "jms:queue:data", wire="tdxml", security=_Marked())


def test_tokens_are_for_soap() -> None:
    broker = JmsBroker("127.0.0.1", 1)
    for wire in ("tdxml", "binary"):
        for token, timestamp in ((UsernameToken("anna", "secret"), False), (None, True)):
            with pytest.raises(ValueError, match="for the wire soap"):
                JmsChannel(
                    broker, "jms:queue:data", wire=wire, username_token=token, timestamp=timestamp
                )


def test_metadata_is_properties() -> None:
    def call(client: DataServiceClient) -> float:
        return total(client.with_options(metadata={"x-a.b": "é %", "authorization": "me"}))

    request, _ = exchange(replying(binary(total_of(1))), call, wire="binary")
    properties = properties_of(request)
    assert properties["Creo_meta_x_2da_2eb"] == "%C3%A9%20%25"
    assert properties["Creo_meta_authorization"] == "me"


def test_without_a_deadline() -> None:
    def call(client: DataServiceClient) -> float:
        return total(client.with_options(deadline=None))

    request, _ = exchange(replying(binary(total_of(1))), call, wire="binary")
    assert request.ttl == 0 and properties_of(request)["Creo_timeout"] == "999999999"


def test_a_compressed_request_has_a_compressed_answer() -> None:
    reply = binary(gzip.compress(total_of(7)), SOAPJMS_contentEncoding="gzip")
    request, result = exchange(replying(reply), total, wire="binary", gzip=True)
    assert result == 7 and properties_of(request)["SOAPJMS_contentEncoding"] == "gzip"
    assert gzip.decompress(body_of(request)) == b"\2" + total_of(1.0) + total_of(2.5)


def test_requests_as_packages_and_as_tables() -> None:
    reply = answer(envelope('<storeDataResponse xmlns="urn:creo:sample"/>'))
    request, _ = exchange(
        replying(reply), lambda client: client.store_data([SERIES]), mtom=True, version="1.2"
    )
    kind = properties_of(request)["SOAPJMS_contentType"]
    assert kind.startswith("multipart/related") and "urn:creo:sample:DataService/storeData" in kind
    table = '<Env xmlns="urn:creo:tdxml"/>'
    for scheme in ("record", "aggregated"):
        reply = answer(table, TDXML, Creo_kind="nonsense")
        error = raised(replying(reply), total, wire="tdxml", scheme=scheme)
        assert error.code is ErrorCode.PROTOCOL_MISMATCH


# Answers


def test_what_methods_declare() -> None:
    detail = (
        '<NotFound xmlns="urn:creo:sample"><description>no</description><tried>1</tried></NotFound>'
    )
    reply = answer(fault("S:Client", "no", detail), SOAPJMS_isFault=True)
    with pytest.raises(NotFound) as caught:
        exchange(replying(reply), get)
    assert caught.value.description == "no" and list(caught.value.tried) == [1]
    reply = binary(b"\0\2no\1\0\0\0\1", "exception")
    with pytest.raises(NotFound) as caught:
        exchange(replying(reply), get, wire="binary")
    assert caught.value.description == "no" and list(caught.value.tried) == [1]


def test_errors_of_the_wires() -> None:
    for wire in ("tdxml", "binary"):
        reply = answer(b"\x0a\7not you\0", BINARY, Creo_kind="error")
        error = raised(replying(reply), total, wire=wire)
        assert error.code is ErrorCode.PERMISSION_DENIED and error.from_peer
        assert error.message == "not you"


@pytest.mark.parametrize(
    "body",
    [
        fault("b:contentTypeMismatch", "no"),
        fault_12("S:Sender", "no").replace("x:y", "b:contentTypeMismatch"),
    ],
)
def test_refusals_of_the_binding(body: str) -> None:
    """JMS-8."""
    error = raised(replying(answer(body, SOAPJMS_isFault=True)), total)
    assert error.code is ErrorCode.PROTOCOL_MISMATCH and error.from_peer and error.message == "no"
    assert error.details["fault-code"].endswith("contentTypeMismatch")


def test_a_text_is_read_as_one() -> None:
    """JMS-3: whatever it says of its encoding."""
    text = '<?xml version="1.0" encoding="UTF-16"?>' + envelope(RESULT.format("1"))
    reply = answer("", "text/xml; charset=utf-16")
    reply.inferred = False
    reply.body = text
    assert exchange(replying(reply), total)[1] == 1
    reply.body = "abcdefgh"
    reply.properties = binary(b"").properties
    error = raised(replying(reply), total, wire="binary")
    assert error.code is ErrorCode.PROTOCOL_MISMATCH


def test_packages_are_read() -> None:
    body = package(envelope(RESULT.format("1")))
    kind = 'multipart/related; type="application/xop+xml"; boundary="b"'
    assert exchange(replying(answer(body, kind)), total)[1] == 1
    error = raised(replying(answer(package(envelope(RESULT.format(include("a")))), kind)), total)
    assert error.code is ErrorCode.MALFORMED


@pytest.mark.parametrize(
    ("reply", "code"),
    [
        (binary(b"x", SOAPJMS_contentType=None), ErrorCode.PROTOCOL_MISMATCH),
        (binary(b"x", SOAPJMS_contentType="text/html"), ErrorCode.PROTOCOL_MISMATCH),
        (binary(b"x", SOAPJMS_contentType=True), ErrorCode.PROTOCOL_MISMATCH),
        (binary(b"x", SOAPJMS_bindingVersion="2.0"), ErrorCode.PROTOCOL_MISMATCH),
        (binary(b"x", SOAPJMS_contentEncoding="br"), ErrorCode.PROTOCOL_MISMATCH),
        (binary(b"x", SOAPJMS_contentEncoding="gzip"), ErrorCode.MALFORMED),
        (binary(b"x", Creo_kind=None), ErrorCode.PROTOCOL_MISMATCH),
        (binary(b"x", Creo_kind="\u0007" * 5_000), ErrorCode.PROTOCOL_MISMATCH),
        (binary(b"x" * 7), ErrorCode.MALFORMED),
        (binary(b"", "error"), ErrorCode.MALFORMED),
        (binary(b"x", "exception"), ErrorCode.MALFORMED),
        (Message(body={"a": 1}), ErrorCode.PROTOCOL_MISMATCH),
        (Message(body=[1, 2]), ErrorCode.PROTOCOL_MISMATCH),
        (Message(body=None), ErrorCode.PROTOCOL_MISMATCH),
        (binary(b"x", more="y" * 70_000), ErrorCode.TOO_LARGE),
        (binary(b"x", **{f"k{i}": "" for i in range(300)}), ErrorCode.TOO_LARGE),
    ],
)
def test_hostile_answers_fail_their_call_alone(reply: Message, code: ErrorCode) -> None:
    with serve(replying(reply, binary(total_of(2)))) as broker:
        with channel(broker, wire="binary") as made:
            client = DataServiceClient.over(made)
            with pytest.raises(CreoError) as caught:
                total(client)
            assert caught.value.code is code
            assert caught.value.details["peer"] == f"127.0.0.1:{broker.port}"
            assert len(str(caught.value)) < 2_000
            assert total(client) == 2
        assert len(broker.sides) == 1


def test_answers_that_nobody_waits_for_are_dropped() -> None:
    """JMS-6, JMS-14: other ids, ids that are no text, none, the same one twice."""

    def respond(side: Side, request: Message) -> None:
        mine = correlation_of(request)
        for other in ("x", mine + "0", mine[:-1], "", None, 7, b"\0" * 16):
            wrong = binary(total_of(1))
            wrong.correlation_id = other
            side.reply(request, wrong.encode())
        side.reply(request, b"\0\x53")
        side.reply(request, binary(total_of(2)))
        side.reply(request, binary(total_of(3)))

    with serve(respond) as broker:
        with channel(broker, wire="binary") as made:
            client = DataServiceClient.over(made)
            assert [total(client) for _ in range(3)] == [2, 2, 2]


def test_an_answer_that_comes_late_is_dropped() -> None:
    late: list[Message] = []

    def respond(side: Side, request: Message) -> None:
        if body_of(request)[1:9] == total_of(7):
            other = Message()
            other.reply_to, other.correlation_id = request.reply_to or "", request.correlation_id
            late.append(other)
            return
        for other in late:
            side.reply(other, binary(total_of(1)))
        side.reply(request, binary(total_of(2)))

    with serve(respond) as broker:
        with channel(broker, wire="binary") as made:
            client = DataServiceClient.over(made)
            assert total(client) == 2
            with pytest.raises(CreoError) as caught:
                client.with_options(deadline=0.2).total([7.0])
            assert caught.value.code is ErrorCode.DEADLINE_EXCEEDED
            assert total(client) == 2
        assert len(broker.sides) == 1


def test_an_answer_in_many_frames() -> None:
    many = [float(i) for i in range(100_000)]
    body = b"\3CO2" + struct.pack(">q", 1) + b"\xa0\x8d\6" + struct.pack(">100000d", *many)
    reply = binary(body)
    with serve(replying(reply), max_frame=4_096) as broker:
        with channel(broker, wire="binary") as made:
            client = DataServiceClient.over(made)
            assert list(get(client).samples) == many


def test_a_request_in_many_frames() -> None:
    with serve(replying(binary(total_of(1))), max_frame=512) as broker:
        with channel(broker, wire="binary") as made:
            client = DataServiceClient.over(made)
            assert client.total([1.0] * 100_000) == 1
    assert len(body_of(broker.requests[0])) == 800_003


@pytest.mark.parametrize("size", [1_001, 1_500, 1_900])
def test_an_answer_over_the_limit_fails_its_call_alone(size: int) -> None:
    replies = replying(binary(bytes(size)), binary(total_of(2)))
    limits = Limits(max_message_size=1_000, max_header_size=1_000)
    with serve(replies, max_frame=512) as broker:
        with channel(broker, wire="binary", limits=limits) as made:
            client = DataServiceClient.over(made)
            with pytest.raises(CreoError) as caught:
                total(client)
            assert caught.value.code is ErrorCode.TOO_LARGE
            assert caught.value.details["allowed"] == "1000"
            assert total(client) == 2
        assert len(broker.sides) == 1


def test_an_answer_far_over_the_limit_is_not_read_to_its_end() -> None:
    replies = replying(binary(bytes(1_000_000)), binary(total_of(2)))
    limits = Limits(max_message_size=1_000)
    with serve(replies, max_frame=512) as broker:
        with channel(broker, wire="binary", limits=limits) as made:
            client = DataServiceClient.over(made)
            with pytest.raises(CreoError) as caught:
                total(client)
            assert caught.value.code is ErrorCode.TOO_LARGE
            assert total(client) == 2
        assert len(broker.sides) == 2


def test_a_compressed_answer_over_the_limit() -> None:
    reply = binary(gzip.compress(bytes(100_000)), SOAPJMS_contentEncoding="gzip")
    limits = Limits(max_message_size=1_000)
    error = raised(replying(reply), total, wire="binary", limits=limits)
    assert error.code is ErrorCode.TOO_LARGE


def test_raw_messages() -> None:
    """CALL-62: properties are the fields; CALL-66: binary bodies."""
    shown: list[RawMessage] = []

    def call(client: DataServiceClient) -> float:
        metadata = {"x-auth-key": "hunter2", "plain": "p"}
        return total(client.with_options(raw_messages=shown.append, metadata=metadata))

    exchange(replying(binary(total_of(1.5))), call, "jms:queue:data?priority=5", wire="binary")
    request, answered = shown
    fields = dict(request.headers)
    assert (request.peer, request.status, request.length) == ("jms:queue:data", 0, 17)
    assert list(fields)[:3] == [
        "SOAPJMS_requestURI", "SOAPJMS_bindingVersion", "SOAPJMS_contentType",
    ]  # fmt: skip
    assert fields["SOAPJMS_requestURI"] == "jms:queue:data"
    assert int(fields["Creo_timeout"]) > 0
    assert (fields["Creo_meta_x_2dauth_2dkey"], fields["Creo_meta_plain"]) == ("***", "p")
    assert (answered.answer, answered.body) == (True, total_of(1.5))
    assert dict(answered.headers)["Creo_kind"] == "response"
    shown.clear()
    exchange(replying(answer(envelope(RESULT.format("1.5")))), call, gzip=True)
    request, answered = shown
    assert b"<" in request.body
    assert dict(request.headers)["SOAPJMS_contentEncoding"] == "gzip"
    assert answered.body == envelope(RESULT.format("1.5")).encode()
