"""The credit of streams (TCP-32, TCP-33), by itself."""

from __future__ import annotations

import pytest

from creo import CreoError, Limits
from creo._call import RawAnswer
from creo._tcp import receive
from creo._tcp.streams import INITIAL, CallStreams
from fake import CREDIT, ITEMS


def items(size: int) -> RawAnswer:
    return RawAnswer(1, ITEMS, b"\0" * size, None)


def credit(size: int) -> RawAnswer:
    return RawAnswer(1, CREDIT, size.to_bytes(4, "big"), None)


@pytest.mark.parametrize("window", [1, INITIAL, 300_000, 1 << 20])
@pytest.mark.parametrize("size", [9_999, 65_536, 262_143, 262_144, 1_000_000])
def test_a_sender_that_uses_all_credit_never_breaks_it_nor_stops(window: int, size: int) -> None:
    """However large the frames are, and whether the program takes them at once or late."""
    streams = CallStreams(True, Limits(stream_window=window))
    most = min(max(window, INITIAL), (1 << 31) - 1)
    left, held, frames = INITIAL, 0, 30
    for number in range(frames):
        while left > 0 and number % 3:
            receive(streams, items(size))
            left, held = left - size, held + size
        if left > 0:
            receive(streams, items(size))
            left, held = left - size, held + size
        while streams.frames:
            _, more = streams.take()
            left, held = left + more, held - size
            assert held + left <= max(most, INITIAL)
        assert left > 0, "the program has taken all, and the sender has none left"


def test_items_without_credit() -> None:
    streams = CallStreams(True, Limits())
    receive(streams, items(INITIAL - 1))
    receive(streams, items(1_000))
    with pytest.raises(CreoError, match="no credit"):
        receive(streams, items(1))


def test_what_is_kept_is_bounded() -> None:
    """LIM-38: of a reader that stops."""
    streams = CallStreams(True, Limits())
    kept = 0
    with pytest.raises(CreoError, match="no credit"):
        while True:
            receive(streams, items(65_536))
            kept += 65_536
    assert kept == INITIAL


def test_credit_for_the_writer() -> None:
    streams = CallStreams(False, Limits())
    assert streams.may_send
    streams.frame(1, [b"\0" * (INITIAL + 5)], False)
    assert not streams.may_send
    receive(streams, credit(5))
    assert not streams.may_send
    receive(streams, credit(1))
    assert streams.may_send
    receive(streams, credit((1 << 31) - 2))
    with pytest.raises(CreoError, match="credit"):
        receive(streams, credit(1))


def test_a_call_without_streams() -> None:
    receive(None, credit(1))
    with pytest.raises(CreoError, match="without streams"):
        receive(None, items(1))
