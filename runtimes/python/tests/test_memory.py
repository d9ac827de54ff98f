"""The memory of a message is counted and limited (LIM-18)."""

# pyright: reportPrivateUsage=false
from __future__ import annotations

import dataclasses
import subprocess
import sys
import tracemalloc
import zlib
from decimal import Decimal
from pathlib import Path
from typing import Any, Callable

import pytest

from creo import CreoError, ErrorCode, Limits
from creo._json.leaf import parse
from creo._json.read import READERS
from creo._tcp import inflate
from creo._text import description
from creo._text.read import Doubt
from partner import ContactMail, ItemMaybe, ItemNumber, ItemPrice, Order, Place, Price
from sample import Everything, Gaps, Label, Point, Query, Small, Sparse, Tree

SMALL = Small([{}, {"a": "b"}], [Label(""), Label("x")], [Sparse(), Sparse(1, None, "t")])
#: Two maps, an entry, two labels, two structs of optionals, a number, and a text.
SMALL_CHARGE = 2 * 104 + 128 + 2 * 88 + 2 * 72 + 16 + 32
EVERYTHING = Everything(
    [True], b"\0", [1, 2], "ab", [0.5], ["", "x"], [], {"k": [1, 2], "": []}, Decimal(1), 1
)
GAPS = Gaps([None, Point(1, 2)], [Query("q"), None], [1.5, None], [None, "t"])
TREE = Tree("a", [Tree("b", []), Tree("c", [Tree("d", [])])])
ORDER = Order(
    first="f", contact=ContactMail("m"), items=[ItemNumber(3), ItemMaybe(None), ItemPrice(Price("EUR", [1, 2], amount=Decimal(5)))],
    place=Place("s"), marks=[None, 1], numbers=[1.5, 2], hex=b"\xff", last=" l ",
)  # fmt: skip


def exceeded(error: CreoError, allowed: int) -> None:
    assert error.code is ErrorCode.TOO_LARGE
    assert error.details["limit"] == "maxMemory"
    assert error.details["allowed"] == str(allowed)
    assert (error.place or "").startswith("$")


def test_the_limit_follows_that_of_messages() -> None:
    assert Limits().memory == 536_870_912
    assert Limits(max_message_size=1_000).memory == 4_000
    assert dataclasses.replace(Limits(max_memory=7), max_message_size=1_000).memory == 7
    assert Limits(max_memory=7) != Limits()
    with pytest.raises(ValueError, match="max_memory"):
        Limits(max_memory=0)


@pytest.mark.parametrize("wire", ["bytes", "xml", "json", "tdxml"])
def test_a_value_takes_what_the_table_says(wire: str) -> None:
    data: bytes = getattr(SMALL, f"to_{wire}")()
    read: Callable[..., Small] = getattr(Small, f"from_{wire}")
    takes = len(data) + SMALL_CHARGE
    assert read(data, limits=Limits(max_memory=takes)) == SMALL
    for less in (takes - 1, len(data), len(data) - 1, 1):
        with pytest.raises(CreoError) as caught:
            read(data, limits=Limits(max_memory=less))
        exceeded(caught.value, less)


def test_tables_in_any_order_are_charged_once() -> None:
    data = SMALL.to_tdxml(scheme="aggregated").decode()
    head, rows, tail = data.partition("\n")[0], data.split("\n")[1:-1], data.rpartition("\n")[2]
    mixed = "\n".join([head, *reversed(rows), tail]).encode()
    takes = len(mixed) + SMALL_CHARGE
    assert Small.from_tdxml(mixed, limits=Limits(max_memory=takes)) == SMALL
    with pytest.raises(CreoError) as caught:
        Small.from_tdxml(mixed, limits=Limits(max_memory=takes - 1))
    exceeded(caught.value, takes - 1)


@pytest.mark.parametrize("value", [SMALL, EVERYTHING, GAPS, TREE, ORDER])
def test_both_readers_of_json_charge_the_same(value: Any) -> None:
    """The memory of the parser's objects is excluded here: because of it the slow parser would read
    the text."""
    kind: Any = value.__class__
    data = value.to_json()
    reader = READERS.value(description(kind._creo_type))
    found, r = parse(data, Limits())
    r.nesting = reader.height
    assert reader.one(found, r) == value
    takes = Limits().memory - r.memory
    assert takes > len(data)
    assert kind.from_json(data, limits=Limits(max_memory=takes)) == value
    with pytest.raises(CreoError) as caught:
        kind.from_json(data, limits=Limits(max_memory=takes - 1))
    exceeded(caught.value, takes - 1)
    found, r = parse(data, Limits())
    r.memory = takes - len(data) - 1
    r.nesting = reader.height
    with pytest.raises(Doubt):
        reader.one(found, r)


def test_json_is_not_parsed_whole_beyond_the_limit() -> None:
    """The parser creates objects for everything, even for what the type does not know."""
    data = b'{"description": "", "unknown": [' + b"[]," * 100_000 + b"[]]}"
    with pytest.raises(Doubt):
        parse(data, Limits(max_memory=1_000_000))
    assert Query.from_json(data, limits=Limits(max_memory=1_000_000)) == Query("")


@pytest.mark.parametrize("kind", [zlib.MAX_WBITS, 31])
def test_a_compressed_body_is_expanded_no_further(kind: int) -> None:
    stream = zlib.compressobj(wbits=kind)
    packed = stream.compress(bytes(50_000_000)) + stream.flush()
    tracemalloc.start()
    with pytest.raises(CreoError) as caught:
        inflate(packed, Limits(max_memory=1_000_000), kind)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 4_000_000
    assert caught.value.details == {"limit": "maxMemory", "allowed": "1000000"}
    with pytest.raises(CreoError) as caught:
        inflate(packed, Limits(max_message_size=1_000_000), kind)
    assert caught.value.details["limit"] == "maxMessageSize"


_ATTACK = """
import resource, sys
resource.setrlimit(resource.RLIMIT_AS, (400_000_000, 400_000_000))
from creo import CreoError
from sample import Small
count = bytes.fromhex("80a4e803")
for head, size, place in ((0, 1, "$.maps"), (1, 1, "$.labels"), (2, 3, "$.sparse")):
    body = bytes(head) + count + bytes(size * 8_000_000)
    try:
        Small.from_bytes(body)
        sys.exit("it was read")
    except CreoError as error:
        assert error.code.value == "too-large" and error.details["limit"] == "maxMemory", error
        assert error.details["allowed"] == "536870912" and error.place == place, error
print("refused")
"""


@pytest.mark.skipif(sys.platform == "win32", reason="no limit of a program's memory")
def test_millions_of_small_items_are_refused() -> None:
    """Eight million of them, in a program that could not hold them."""
    tests = Path(__file__).parent
    path = f"{tests}:{tests.parent / 'src'}"
    done = subprocess.run(
        [sys.executable, "-c", _ATTACK],
        env={"PYTHONPATH": path},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.stdout == "refused\n", done.stderr
