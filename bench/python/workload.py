"""What is serialized: the same values in every language of the benchmark, so that the bytes can be compared."""

from __future__ import annotations

from typing import NamedTuple

ITEM_SIZE = {"numbers": 10, "strings": 10, "bytes": 1, "reals": 8}


class Block(NamedTuple):
    """A block as plain code would hold it."""

    d: float
    s: int


def d(i: int) -> float:
    return i / 8.0 - 3


def s(i: int) -> int:
    return (i * 7919 + 32768) % 65536 - 32768


def plain(workload: str, size: int) -> list[Block] | list[str] | bytes | list[float]:
    """The values of a workload of ``size`` bytes."""
    count = size // ITEM_SIZE[workload]
    if workload == "numbers":
        return [Block(d(i), s(i)) for i in range(count)]
    if workload == "strings":
        return [f"{i * 1234567891 % 10_000_000_000:010d}" for i in range(count)]
    if workload == "bytes":
        return bytes((i * 31 + 7) & 255 for i in range(count))
    return [d(i) for i in range(count)]
