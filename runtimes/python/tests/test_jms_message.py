"""Addresses and messages of JMS as bytes, without a broker (``jms.md``)."""

# pyright: reportPrivateUsage=false
from __future__ import annotations

import struct
import uuid

import pytest

from creo import CreoError, ErrorCode, Limits
from creo._jms.address import parse_address
from creo._jms.message import Message, read_correlation, read_message, write_message

LIMITS = Limits(max_message_size=1_000, max_header_size=500)


def string(text: str) -> bytes:
    data = text.encode()
    return b"\xb1" + struct.pack(">I", len(data)) + data


def properties(*pairs: bytes, count: int | None = None) -> bytes:
    content = b"".join(pairs)
    n = len(pairs) if count is None else count
    return b"\0\x53\x74\xd1" + struct.pack(">II", len(content) + 4, n) + content


def correlation(value: bytes) -> bytes:
    content = b"\x40" * 5 + value
    return b"\0\x53\x73\xc0" + bytes((len(content) + 1, 6)) + content


def data(body: bytes) -> bytes:
    return b"\0\x53\x75\xa0" + bytes((len(body),)) + body


def problem(message: bytes) -> CreoError:
    found = read_message(message, LIMITS).problem
    assert found is not None
    return found


# Addresses (JMS-1)


def test_addresses() -> None:
    plain = parse_address("jms:queue:data")
    assert (plain.kind, plain.name, plain.uri) == ("queue", "data", "jms:queue:data")
    assert plain.persistent and plain.priority == 4 and plain.time_to_live is None
    assert plain.reply_to is None and plain.target_service is None
    full = parse_address(
        "jms:topic:a%2Fb%C3%A9?targetService=x.Y&deliveryMode=NON_PERSISTENT&timeToLive=1500"
        "&priority=9&something=else&replyToName=back%20here"
    )
    assert (full.kind, full.name) == ("topic", "a/bé")
    assert not full.persistent and full.priority == 9 and full.time_to_live == 1_500
    assert full.reply_to == "back here" and full.target_service == "x.Y"
    assert full.uri == (
        "jms:topic:a%2Fb%C3%A9?deliveryMode=NON_PERSISTENT&timeToLive=1500&priority=9"
        "&replyToName=back%20here"
    )
    assert parse_address("jms:queue:a?").name == "a"
    assert parse_address("JMS:Topic:a").kind == "topic"
    assert len(parse_address("jms:queue:" + "x" * 4_086).name) == 4_086
    assert parse_address("jms:queue:a?timeToLive=0").time_to_live is None
    assert parse_address("jms:queue:a?timeToLive=99999999999").time_to_live == (1 << 32) - 1


@pytest.mark.parametrize(
    "wrong",
    [
        "",
        "data",
        "http://localhost/",
        "jms:data",
        "jms:queue:",
        "jms:queue",
        "jms:jndi:data",
        "jms:queue:a b",
        "jms:queue:é",
        "jms:queue:a%",
        "jms:queue:a%2",
        "jms:queue:a%GG",
        "jms:queue:%ff",
        "jms:queue:a%00",
        "jms:queue:a?priority",
        "jms:queue:a?priority=",
        "jms:queue:a?priority=10",
        "jms:queue:a?priority=-1",
        "jms:queue:a?timeToLive=x",
        "jms:queue:a?timeToLive=-5",
        "jms:queue:a?deliveryMode=persistent",
        "jms:queue:a?priority=1&priority=1",
        "jms:queue:a?x=1&x=2",
        "jms:queue:a?jndiURL=x",
        "jms:queue:a?jndi-x=y",
        "jms:queue:a?JNDIx=y",
        "jms:queue:a#b",
        "jms:queue:a?x=1&",
        "jms:queue:" + "x" * 4_087,
        "jms:queue:a?%6andiURL=x",
        "jms:queue:a?replyToName=",
        "jms:queue:a?targetService=",
    ],
)
def test_what_is_no_address(wrong: str) -> None:
    with pytest.raises(CreoError) as caught:
        parse_address(wrong)
    assert caught.value.code is ErrorCode.INVALID_VALUE and caught.value.place == "$address"


# Messages (JMS-3, JMS-4, JMS-16)


def test_written_messages_are_read_by_another_library() -> None:
    proton = pytest.importorskip("proton")
    long = "x" * 300
    parts = write_message(
        durable=True,
        priority=9,
        time_to_live=1_500,
        to="data",
        reply_to="back",
        correlation="00ff" * 8,
        properties={"SOAPJMS_requestURI": "jms:queue:data", "Creo_meta_x_2dy": "é", "long": long},
        body=[b"ab", memoryview(b"cd")],
    )
    message = proton.Message()
    message.decode(b"".join(parts))
    assert message.durable and message.priority == 9 and message.ttl == 1.5
    assert message.address == "data" and message.reply_to == "back"
    assert message.correlation_id == "00ff" * 8
    assert message.content_type == "application/octet-stream"
    assert bytes(message.body) == b"abcd" and message.inferred
    assert message.properties["Creo_meta_x_2dy"] == "é" and message.properties["long"] == long
    short = write_message(
        durable=False, priority=4, time_to_live=None, to="d", reply_to=None, correlation="1",
        properties={}, body=[bytes(300)],
    )  # fmt: skip
    message.decode(b"".join(short))
    assert not message.durable and message.ttl == 0 and message.reply_to is None
    assert bytes(message.body) == bytes(300)


@pytest.mark.parametrize("many", [0, 1, 7, 40])
def test_messages_of_another_library_are_read(many: int) -> None:
    proton = pytest.importorskip("proton")
    told = {f"p{i}": "v" * i for i in range(many)}
    message = proton.Message(
        body=b"\0\xff", correlation_id="abc", properties={"SOAPJMS_isFault": True, **told},
        annotations={"x-opt-jms-msg-type": 3}, durable=True, id="one", subject="s",
    )  # fmt: skip
    message.inferred = True
    found = read_message(message.encode(), Limits())
    assert found.problem is None and found.body == b"\0\xff" and found.correlation == "abc"
    assert found.properties == {"SOAPJMS_isFault": True, **told} and not found.is_text
    message.inferred = False
    message.body = "é"
    found = read_message(message.encode(), Limits())
    assert found.problem is None and found.body == "é".encode() and found.is_text
    message.body = b"ab"
    assert read_message(message.encode(), Limits()).body == b"ab"


@pytest.mark.parametrize("wrong", [{"a": 1}, [1, 2], 7, None, True])
def test_other_messages_are_not_looked_into(wrong: object) -> None:
    """JMS-3: neither maps, nor lists, nor objects."""
    proton = pytest.importorskip("proton")
    message = proton.Message(body=wrong, correlation_id="abc")
    found = read_message(message.encode(), LIMITS)
    assert found.correlation == "abc" and found.problem is not None
    assert found.problem.code is ErrorCode.PROTOCOL_MISMATCH
    assert found.problem.details["fault-code"] == "unsupportedJMSMessageFormat"


def test_other_types_of_properties_are_stepped_over() -> None:
    deep = b"\xc0\x02\x01\xc0\x00"
    for _ in range(60):
        deep = b"\xc0" + bytes((len(deep) + 1, 1)) + deep
    values = [
        b"\x40", b"\x54\x05", b"\x60\0\1", b"\x71\0\0\0\1", b"\x81" + bytes(8),
        b"\x98" + uuid.uuid4().bytes, b"\xa0\x02ab", b"\xa3\x01s", b"\x45", deep,
        b"\xe0\x04\x02\xa1\x00\x00", b"\0\xa3\x01d\xa1\x01v", b"\x56\x01",
    ]  # fmt: skip
    pairs = [part for i, value in enumerate(values) for part in (string(f"k{i}"), value)]
    limits = Limits(max_header_size=5_000)
    found = read_message(correlation(string("id")) + properties(*pairs) + data(b"x"), limits)
    assert found.problem is None and found.properties == {"k12": True} and found.body == b"x"


def test_nesting_without_end_is_stepped_over() -> None:
    """A described value within a described value within ...: no stack grows with it."""
    nested = b"\0" * 200_000 + b"\x40" * 200_001
    limits = Limits(max_header_size=1_000_000)
    found = read_message(properties(string("k"), nested) + data(b"x"), limits)
    assert found.problem is None and found.properties == {}


def test_several_sections_of_bytes_are_one_body() -> None:
    assert read_message(data(b"ab") + data(b"") + data(b"c"), LIMITS).body == b"abc"
    descriptor = b"\0\x80" + struct.pack(">Q", 0x75) + b"\xa0\x01x"
    assert read_message(descriptor, LIMITS).body == b"x"
    named = b"\0\xa3\x10amqp:data:binary\xa0\x01y"
    assert read_message(named, LIMITS).body == b"y"


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (string("é"), "é"),
        (b"\x40", None),
        (b"\xa0\x02ab", None),
        (b"\x53\x07", None),
        (b"\x98" + bytes(16), None),
        (b"\xa3\x01s", None),
    ],
)
def test_only_texts_are_correlation_ids(value: bytes, expected: str | None) -> None:
    message = correlation(value) + data(b"x")
    assert read_message(message, LIMITS).correlation == expected
    assert read_correlation(message) == expected


def test_messages_that_are_none() -> None:
    for wrong in (b"", b"x", b"\0", b"\0\x53\x01\x40", b"\0\x53\x79\x40", b"\x01\x53\x75\xa0\0"):
        found = problem(wrong)
        assert found.code in (ErrorCode.MALFORMED, ErrorCode.PROTOCOL_MISMATCH)
    for malformed in (
        data(b"x") + correlation(b"\x40"),
        correlation(b"\x40") * 2 + data(b"x"),
        b"\0\x53\x75\x40",
        b"\0\x53\x73\xa1\x01x" + data(b"x"),
        properties(b"\x54\x01", string("x")) + data(b"x"),
        properties(string("a"), string("b"), string("a"), string("c")) + data(b"x"),
        properties(b"\xa1\x01\xff", string("b")) + data(b"x"),
        properties(string("a"), b"\x1f") + data(b"x"),
        correlation(b"\xa1\x01\xff") + data(b"x"),
        b"\0\x53\x75\xb0\xff\xff\xff\xffab",
        b"\0\x53\x74\xd1\0\0\0\x02\0\0\0\0" + data(b"x"),
    ):
        assert problem(malformed).code is ErrorCode.MALFORMED, malformed


def test_limits() -> None:
    assert read_message(data(bytes(200)) * 5, LIMITS).problem is None
    large = problem(data(bytes(200)) * 5 + data(b"x"))
    assert large.code is ErrorCode.TOO_LARGE and large.details["limit"] == "maxMessageSize"
    large = problem(properties(string("a"), string("x" * 500)) + data(b"x"))
    assert large.code is ErrorCode.TOO_LARGE and large.details["limit"] == "maxHeaderSize"
    many = properties(*[part for i in range(201) for part in (string(str(i)), b"\x40")])
    found = read_message(many + data(b"x"), Limits()).problem
    assert found is not None and found.details["limit"] == "maxHeaderSize"


def test_a_message_that_is_cut_or_changed_anywhere_is_read_or_refused() -> None:
    whole = (
        b"\0\x53\x70\xc0\x02\x01\x41"
        + correlation(string("id"))
        + properties(string("a"), string("b"), string("c"), b"\x41", string("d"), b"\x45")
        + data(b"abc")
    )
    assert read_message(whole, LIMITS).problem is None
    for end in range(len(whole)):
        assert isinstance(read_message(whole[:end], LIMITS), Message)
        read_correlation(whole[:end])
        for byte in (0, 0x40, 0x45, 0x7F, 0x80, 0xC1, 0xD1, 0xF0, 0xFF):
            changed = whole[:end] + bytes((byte,)) + whole[end + 1 :]
            assert isinstance(read_message(changed, LIMITS), Message)
            read_correlation(changed)
