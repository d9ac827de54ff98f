"""Properties of the codecs, over random values and spoiled bytes."""

from __future__ import annotations

import random
from decimal import Decimal
from typing import Any, Callable

import pytest

import sample
from creo import CreoError, DateTime
from creo._base import DEFAULT_LIMITS
from creo._binary import (
    COUNT,
    MAX_COUNT,
    Bad,
    count,
    decimal_text,
    parse_decimal,
    read_chars,
    read_count,
    read_strings,
    write_chars,
    write_strings,
    writing,
)
from creo._binary import reading as state
from creo.columns import StructArray
from sample import (
    Colour,
    Data,
    EventMoved,
    EventStarted,
    Everything,
    MetaData,
    Nests,
    Point,
    Query,
    Reading,
    ShapeCircle,
    ShapePoint,
    ShapeSides,
    Tree,
    event_from_bytes,
    shape_from_bytes,
)

CHARACTERS = "a", "b", "\n", "\1", "\5", "\0", "\x7f", "é", "ж", "\U0001f600", "long" * 40


def text(chance: random.Random) -> str:
    return "".join(chance.choices(CHARACTERS, k=chance.choice((0, 1, 1, 2, 5))))


def some(chance: random.Random, make: Callable[[random.Random], Any], most: int = 4) -> list[Any]:
    return [make(chance) for _ in range(chance.randrange(most))]


def point(chance: random.Random) -> Point:
    return Point(chance.uniform(-1e9, 1e9), chance.choice((0.0, -0.0, 1e308)))


def reading(chance: random.Random) -> Reading:
    return Reading(
        point(chance),
        chance.random() < 0.5,
        chance.choice(list(Colour)),
        DateTime(chance.randrange(-(10**9), 10**10), chance.randrange(10**9)),
        chr(chance.randrange(0x10000)),
    )


def tree(chance: random.Random, depth: int = 3) -> Tree:
    children = [tree(chance, depth - 1) for _ in range(chance.randrange(3))] if depth else []
    return Tree(text(chance), children)


def everything(chance: random.Random) -> Everything:
    return Everything(
        some(chance, lambda c: c.random() < 0.5),
        bytes(some(chance, lambda c: c.randrange(256))),
        some(chance, lambda c: c.randrange(-(1 << 15), 1 << 15)),
        some(chance, lambda c: chr(c.randrange(0x10000))),
        some(chance, lambda c: c.randrange(1000) / 8),
        some(chance, text),
        some(chance, reading),
        {text(chance): some(chance, lambda c: c.randrange(1 << 31)) for _ in range(3)},
        Decimal(chance.randrange(-(10**9), 10**9)).scaleb(-chance.randrange(12)),
        chance.choice((None, -128, 127)),
    )


KINDS: list[tuple[Callable[[random.Random], Any], Callable[[bytes], Any]]] = [
    (everything, Everything.from_bytes),
    (tree, Tree.from_bytes),
    (lambda c: Query(text(c), c.choice((None, Colour.RED)), c.randrange(9)), Query.from_bytes),
    (lambda c: Data(MetaData(text(c), c.randrange(1 << 40)), [1.5] * 3), Data.from_bytes),
    (lambda c: ShapeSides(some(c, lambda d: d.randrange(9))), shape_from_bytes),
    (lambda c: c.choice((ShapeCircle(1.5), ShapePoint(point(c)))), shape_from_bytes),
    (lambda c: c.choice((EventStarted(text(c)), EventMoved(point(c)))), event_from_bytes),
]


@pytest.mark.parametrize("kind", range(len(KINDS)))
def test_values_come_back(kind: int) -> None:
    make, read = KINDS[kind]
    for seed in range(300):
        value = make(random.Random(seed))
        body = value.to_bytes()
        again = read(body)
        assert again == value, seed
        assert again.to_bytes() == body, seed


@pytest.mark.parametrize("kind", range(len(KINDS)))
def test_spoiled_bytes_are_values_or_errors_with_a_place(kind: int) -> None:
    """Straight-line code and its explanation agree: what one refuses, the other can name."""
    make, read = KINDS[kind]
    for seed in range(1500):
        chance = random.Random(seed)
        body = bytearray(make(chance).to_bytes())
        for _ in range(chance.randrange(1, 4)):
            at = chance.randrange(len(body) + 1)
            how = chance.randrange(3)
            if how == 0 and at < len(body):
                body[at] = chance.choice((0, 1, 2, 127, 128, 255, chance.randrange(256)))
            elif how == 1:
                del body[at : at + chance.randrange(1, 4)]
            else:
                body[at:at] = chance.randbytes(chance.randrange(1, 4))
        try:
            value = read(bytes(body))
        except CreoError as error:
            assert error.code.value in ("malformed", "too-large"), seed
            assert error.place is not None and error.place.startswith("$"), seed
            assert error.offset is not None and 0 <= error.offset <= len(body), seed
        else:
            assert read(value.to_bytes()).to_bytes() == value.to_bytes(), seed


def nest(depth: int, number: int) -> Any:
    """A struct that holds a number so deep."""
    value: Any = number
    for level in range(depth + 1):
        value = getattr(sample, f"Nest{level}")(value)
    return value


def test_structs_too_deep_for_columns_come_back() -> None:
    nests = Nests(nest(16, -1), [nest(16, 2), nest(16, 3)], {"a": nest(16, 4)}, [nest(15, 5)])
    assert (type(nests.others), type(nests.columns)) == (tuple, StructArray)
    numbers = [n.to_bytes(4, "big", signed=True) for n in (-1, 2, 3, 4, 5)]
    data = b"".join([numbers[0], b"\2", *numbers[1:3], b"\1\1a", numbers[3], b"\1", numbers[4]])
    assert nests.to_bytes() == data
    assert Nests.from_bytes(data) == nests
    assert Nests.from_json(nests.to_json()) == nests
    assert Nests.from_xml(nests.to_xml()) == nests
    assert Nests.from_tdxml(nests.to_tdxml()) == nests
    for end in range(len(data)):
        with pytest.raises(CreoError, match="malformed"):
            Nests.from_bytes(data[:end])


def test_counts() -> None:
    for n in (0, 1, 127, 128, 300, 16_383, 16_384, (1 << 21) - 1, 1 << 21, 1 << 28, MAX_COUNT):
        assert read_count(count(n), 0) == (n, len(count(n)))
    assert count(300) == b"\xac\2"
    for wrong in (b"\x80\0", b"\xff\xff\xff\xff\x08", b"\x80\x80\x80\x80\x80\1", b"\x81\x80\0"):
        with pytest.raises(Bad):
            read_count(wrong, 0)
    for unfinished in (b"", b"\x80", b"\xff\xff\xff\xff"):
        with pytest.raises(IndexError):
            read_count(unfinished, 0)
    for beyond in (-1, MAX_COUNT + 1):
        with pytest.raises(Bad):
            count(beyond)


def test_counts_that_are_kept() -> None:
    for _ in range(2):
        for n in (0, 127, 128, 300, 16_383, 16_384, MAX_COUNT):
            assert COUNT[n] == count(n)
    assert 300 in COUNT and 16_384 not in COUNT
    for beyond in (-1, MAX_COUNT + 1):
        with pytest.raises(Bad):
            COUNT[beyond]


def test_arrays_of_strings() -> None:
    for seed in range(3000):
        chance = random.Random(seed)
        texts = tuple(text(chance) for _ in range(chance.randrange(6)))
        parts = writing(1)
        write_strings(parts, texts)
        body = b"".join(parts)
        plain = [item.encode() for item in texts]
        assert body == count(len(plain)) + b"".join(count(len(d)) + d for d in plain), seed
        r = state(DEFAULT_LIMITS, len(body))
        assert read_strings(body, 0, r) == (texts, len(body)), seed


def test_chars() -> None:
    for units in ("", "abc", "é\uffff", "\ud83d\ude00", "\ude00\ud83d", "\0"):
        parts = writing(1)
        write_chars(parts, units)
        body = b"".join(parts)
        assert len(body) == 1 + 2 * len(units)
        assert read_chars(body, 0) == (units, len(body))


@pytest.mark.parametrize(
    ("number", "text"),
    [
        ("0", "0"),
        ("-0", "0"),
        ("-0.000", "0.000"),
        ("1.50", "1.50"),
        ("-12", "-12"),
        ("1E+3", "1000"),
        ("0E+3", "0"),
        ("1E-3", "0.001"),
        ("-1.0E-2", "-0.010"),
        ("9" * 1000, "9" * 1000),
        ("0." + "1" * 999, "0." + "1" * 999),
    ],
)
def test_decimals(number: str, text: str) -> None:
    assert decimal_text(Decimal(number)) == text
    assert str(parse_decimal(text.encode())) in (text, str(Decimal(text)))


@pytest.mark.parametrize(
    "wrong",
    ["", "-", "+1", "01", "1.", ".5", "1e3", "-0", "-0.00", " 1", "1 ", "NaN", "1" * 1001, "٣"],
)
def test_wrong_decimals(wrong: str) -> None:
    with pytest.raises(Bad):
        parse_decimal(wrong.encode())


@pytest.mark.parametrize("number", ["NaN", "Infinity", "1E+1000", "1E-1000", "1" * 1001])
def test_decimals_that_cannot_be_written(number: str) -> None:
    with pytest.raises(Bad):
        decimal_text(Decimal(number))
