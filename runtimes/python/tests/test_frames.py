"""Received bytes become events, however they are cut."""

from __future__ import annotations

import zlib

import pytest

from creo import CreoError, Limits
from creo._call import RawAnswer
from creo._call.metadata import encode_metadata
from creo._tcp import Broken, Goodbye, Incoming, Ping, inflate, request
from fake import CANCEL, DATA, GOODBYE, PING, PREAMBLE, RESPONSE, frame

STREAM = b"".join(
    (
        PREAMBLE,
        frame(RESPONSE, 1, b"whole"),
        frame(RESPONSE, 2, b"in ", flags=1),
        frame(PING, 9),
        frame(DATA, 2, b"", flags=1),
        frame(DATA, 2, b"parts"),
        frame(RESPONSE, 3, b"unknown call"),
        frame(RESPONSE, 1, b"cut", flags=1),
        frame(CANCEL, 1),
        frame(RESPONSE, 1, b""),
        frame(GOODBYE, 0),
    )
)
EVENTS = [
    RawAnswer(1, RESPONSE, b"whole", None),
    Ping(9),
    RawAnswer(2, RESPONSE, b"in parts", None),
    RawAnswer(1, RESPONSE, b"", None),
    Goodbye(),
]


@pytest.mark.parametrize("size", [1, 2, 3, 5, 7, 11, 64, len(STREAM)])
def test_any_cut_gives_the_same_events(size: int) -> None:
    incoming = Incoming(Limits(), {1, 2})
    events = [
        event
        for start in range(0, len(STREAM), size)
        for event in incoming.feed(STREAM[start : start + size])
    ]
    assert events == EVENTS
    assert incoming.arriving_since is None
    assert incoming.peer_inflates


def test_memory_grows_only_with_what_arrives() -> None:
    """LIM-3: a frame that announces much takes nothing before it comes."""
    incoming = Incoming(Limits(), {1})
    head = frame(RESPONSE, 1, b"")[4:]
    assert incoming.feed(PREAMBLE + (100_000_006).to_bytes(4, "big") + head + b"xy") == []
    assert incoming.arriving_since is not None


def test_a_larger_body_is_refused_before_it_comes() -> None:
    incoming = Incoming(Limits(max_message_size=10), {1})
    events = incoming.feed(PREAMBLE + frame(RESPONSE, 1, bytes(11)) + frame(RESPONSE, 1, b"y"))
    first, second = events
    assert isinstance(first, RawAnswer) and first.error is not None
    assert first.error.code.value == "too-large"
    assert second == RawAnswer(1, RESPONSE, b"y", None)
    (last,) = incoming.feed((1000).to_bytes(4, "big") + frame(RESPONSE, 1)[4:])
    assert isinstance(last, Broken) and last.error.code.value == "too-large"


def test_what_came_before_a_broken_frame_counts() -> None:
    incoming = Incoming(Limits(), {1})
    events = incoming.feed(PREAMBLE + frame(RESPONSE, 1, b"x") + frame(99, 1) + frame(PING, 9))
    assert events[0] == RawAnswer(1, RESPONSE, b"x", None)
    broken = events[1]
    assert isinstance(broken, Broken) and broken.error.code.value == "malformed"
    assert len(events) == 2


def test_inflate() -> None:
    limits = Limits(max_message_size=1000)
    assert inflate(zlib.compress(bytes(1000)), limits) == bytes(1000)
    with pytest.raises(CreoError, match="too-large"):
        inflate(zlib.compress(bytes(1001)), limits)
    for wrong in (b"", zlib.compress(b"x")[:-1], zlib.compress(b"x") + b"y", b"no"):
        with pytest.raises(CreoError, match="malformed"):
            inflate(wrong, limits)


def test_requests() -> None:
    parts = request(1, 0x1122334455667788, 1000, b"", [b"\3CO2"])
    assert b"".join(parts).hex(" ") == (
        "00 00 00 16 01 00 00 00 00 01 11 22 33 44 55 66 77 88 00 00 03 e8 03 43 4f 32"
    )
    metadata = encode_metadata({"a": "b"}, Limits())
    assert metadata == b"\1\1a\1b"
    assert b"".join(request(1, 2, 3, metadata, []))[5] == 4
