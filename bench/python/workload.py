"""The serialized values, the same in every language of the benchmark for comparable bytes."""

from __future__ import annotations

from typing import NamedTuple

ITEM_SIZE = {"numbers": 10, "strings": 10, "texts": 10, "bytes": 1, "reals": 8}


class Block(NamedTuple):
    """A block as plain code would hold it."""

    d: float
    s: int


def d(i: int) -> float:
    return i / 8.0 - 3


def s(i: int) -> int:
    return (i * 7919 + 32768) % 65536 - 32768


def string(i: int) -> str:
    return f"{i * 1234567891 % 10_000_000_000:010d}"


def text(i: int) -> str:
    """1 to 19 characters; every tenth text is not ASCII."""
    characters = (string(i) + string(i + 1))[: 1 + i * 7 % 19]
    return "é" + characters[1:] if i % 10 == 0 else characters


def plain(workload: str, size: int) -> list[Block] | list[str] | bytes | list[float]:
    """The values of a workload of ``size`` bytes."""
    count = size // ITEM_SIZE[workload]
    if workload == "numbers":
        return [Block(d(i), s(i)) for i in range(count)]
    if workload == "strings":
        return [string(i) for i in range(count)]
    if workload == "texts":
        return [text(i) for i in range(count)]
    if workload == "bytes":
        return bytes((i * 31 + 7) & 255 for i in range(count))
    return [d(i) for i in range(count)]
