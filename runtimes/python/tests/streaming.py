"""Helpers for tests of streams: bytes of items, and reading with both kinds of client."""

from __future__ import annotations

import asyncio
import struct
from typing import Any, Callable

import pytest

from creo import CallOptions
from fake import CREDIT, ITEMS, REQUEST, RESPONSE, Peer, Script, frame, serve, text
from flow import AsyncFlowClient, FlowClient
from scripted import ends as ends

BOTH = pytest.mark.parametrize("asynchronous", [False, True])

#: The flag of the last items.
END = 8


def count(n: int) -> bytes:
    """A count on the wire."""
    made = bytearray()
    while n > 127:
        made.append(n & 127 | 128)
        n >>= 7
    return bytes(made) + bytes((n,))


def longs(*numbers: int) -> bytes:
    """The content of a frame with these."""
    return count(len(numbers)) + struct.pack(f">{len(numbers)}q", *numbers)


def ticks(*numbers: int) -> bytes:
    """The content of a frame with the ticks of these numbers."""
    made = count(len(numbers))
    for number in numbers:
        made += struct.pack(">q", number) + text(f"tick {number}") + b"\2"
        made += struct.pack(">2d", number, number + 0.5)
    return made


def content(data: bytes) -> list[int]:
    """The longs in a frame."""
    n = shift = p = 0
    while True:
        byte = data[p]
        n |= (byte & 127) << shift
        p, shift = p + 1, shift + 7
        if byte < 128:
            break
    assert len(data) == p + 8 * n
    return list(struct.unpack_from(f">{n}q", data, p))


def write(peer: Peer, call: int) -> tuple[list[int], bool]:
    """The longs in the next frame of a client, and whether it is the last."""
    one = peer.expect(ITEMS)
    assert one.call == call and one.flags in (0, END)
    return content(one.rest), one.flags == END


def numbers_of(peer: Peer, call: int) -> tuple[list[int], list[bytes]]:
    """All longs that a client sends, and the contents of their frames; it gets credit for each."""
    found: list[int] = []
    frames: list[bytes] = []
    while True:
        one = peer.expect(ITEMS)
        assert one.call == call
        found += content(one.rest)
        frames.append(one.rest)
        if one.flags == END:
            return found, frames
        peer.send(frame(CREDIT, call, struct.pack(">I", len(one.rest))))


def read(
    stream: Any,
    got: list[Any] | None = None,
    *,
    most: int | None = None,
    each: Callable[[Any], object] = lambda _: None,
) -> Any:
    """All items of a stream, or so many and then it is closed; awaitable for asyncio."""
    found: list[Any] = [] if got is None else got
    if hasattr(stream, "__next__"):
        with stream:
            for item in stream:
                found.append(item)
                each(item)
                if most is not None and len(found) >= most:
                    break
        return found

    async def all_() -> list[Any]:
        async with stream:
            async for item in stream:
                found.append(item)
                each(item)
                if most is not None and len(found) >= most:
                    break
        return found

    return asyncio.ensure_future(all_())


def made(asynchronous: bool, port: int, **options: Any) -> Any:
    cls: Any = AsyncFlowClient if asynchronous else FlowClient
    return cls("127.0.0.1", port, options=CallOptions(**options))


def played(asynchronous: bool, script: Script, *calls: Callable[[Any], Any], **options: Any) -> Any:
    """What these calls made of the script."""
    with serve(script) as server:
        return ends(made(asynchronous, server.port, **options), *calls)


def add(client: Any) -> Any:
    return client.add(1, 2)


def still_there(peer: Peer) -> None:
    """The connection still serves other calls."""
    request = peer.expect(REQUEST)
    peer.send(frame(RESPONSE, request.call, struct.pack(">q", 3)))
