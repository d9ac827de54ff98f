"""Arrays of primitives and of structs of fixed size."""

from __future__ import annotations

import copy
import pickle
from array import array
from typing import Any

import numpy
import pytest

from creo import Array, CreoError, DateTime
from creo.columns import StructArray
from sample import Colour, Data, Everything, MetaData, Point, Reading

NUMBERS = [1.0, -2.5, 3.25]


@pytest.mark.parametrize(
    "given",
    [
        NUMBERS,
        tuple(NUMBERS),
        array("d", NUMBERS),
        memoryview(array("d", NUMBERS)),
        numpy.array(NUMBERS),
        numpy.array(NUMBERS, ">f8"),
        numpy.array(NUMBERS, "<f8"),
        numpy.array([1.0, 0, -2.5, 0, 3.25])[::2],
        numpy.array(NUMBERS, "f4"),
        numpy.array(NUMBERS, ">f4"),
        Array("d", NUMBERS),
        Array("f", NUMBERS),
        iter(NUMBERS),
    ],
)
def test_anything_that_holds_numbers_is_taken(given: Any) -> None:
    data = Data(MetaData("x", 1), given)
    assert data.samples == NUMBERS
    assert data.to_bytes()[-24:] == numpy.array(NUMBERS, ">f8").tobytes()
    assert Data.from_bytes(data.to_bytes()) == data


@pytest.mark.parametrize(
    ("code", "given"),
    [
        ("i", numpy.array([1, 2, 3], "i8")),
        ("q", numpy.array([1, 2, 3], "i4")),
        ("q", numpy.array([1, 2, 3], "i8")),
        ("h", numpy.array([1, 2, 3], "u1")),
        ("d", numpy.array([1, 2, 3], "i2")),
    ],
)
def test_other_integers_are_converted(code: str, given: Any) -> None:
    assert Array(code, given) == [1, 2, 3]


@pytest.mark.parametrize(
    ("code", "given", "place"),
    [
        ("d", ["x"], "$[0]"),
        ("d", [1.0, None], "$[1]"),
        ("i", [1, 2, 1 << 31], "$[2]"),
        ("i", [1.5], "$[0]"),
        ("h", numpy.array([1, 70_000]), "$[1]"),
        ("h", numpy.array([1.5]), "$[0]"),
        ("f", [0.0, 1e39], "$[1]"),
        ("?", [True, 2], "$[1]"),
        ("?", [True, NUMBERS], "$[1]"),
        ("d", "12345678", "$"),
        ("d", b"12345678", "$"),
        ("d", numpy.zeros((2, 2)), "$"),
        ("d", 5, "$"),
        ("d", None, "$"),
    ],
)
def test_what_does_not_fit_is_named(code: str, given: Any, place: str) -> None:
    with pytest.raises(CreoError) as caught:
        Array(code, given)
    assert (caught.value.code.value, caught.value.place) == ("invalid-value", place)


def test_array_is_an_immutable_sequence() -> None:
    numbers = Array("d", NUMBERS)
    assert (len(numbers), numbers[0], numbers[-1]) == (3, 1.0, 3.25)
    assert numbers[1:] == [-2.5, 3.25] and numbers[::-1] == NUMBERS[::-1]
    assert list(numbers) == NUMBERS and list(reversed(numbers)) == NUMBERS[::-1]
    assert -2.5 in numbers and numbers.index(3.25) == 2
    assert numbers == Array("d", NUMBERS) == tuple(NUMBERS) and numbers != NUMBERS[:2]
    assert hash(numbers) == hash(tuple(NUMBERS))
    assert repr(numbers) == "Array('d', [1.0, -2.5, 3.25])"
    assert repr(Array("h", range(1000))).endswith(", ...>")
    assert pickle.loads(pickle.dumps(numbers)) == numbers == copy.deepcopy(numbers)
    assert Array("i", [1]) == Array("q", [1])
    loose: Any = numbers
    for change in ("view", "x"):
        with pytest.raises(AttributeError):
            setattr(loose, change, None)
    with pytest.raises(TypeError):
        loose[0] = 1.0
    with pytest.raises(TypeError):
        loose.view[0] = 1.0
    assert Array("d", [float("nan")]) != Array("d", [float("nan")])


@pytest.mark.parametrize("code", ["?", "h", "i", "q", "f", "d"])
def test_numpy_shares_the_memory(code: str) -> None:
    numbers = Array(code, [1, 0, 1])
    seen = numpy.asarray(numbers)
    assert seen.tolist() == [1, 0, 1]
    assert seen.dtype == numpy.dtype(code)
    assert not seen.flags.writeable and not seen.flags.owndata


def test_a_buffer_is_handed_over_without_a_copy() -> None:
    mine = numpy.array(NUMBERS)
    assert numpy.shares_memory(numpy.frombuffer(Array("d", mine).view), mine)


READINGS = [
    Reading(Point(i / 2, -i), i % 2 == 0, Colour.GREEN, DateTime(i, i), chr(0xD7FF + i))
    for i in range(5)
]


def everything(readings: Any) -> Everything:
    return Everything(
        [True], b"x", [1], "a\ud800", [0.5], ["a"], readings, {"a": [1]}, decimal_one(), None
    )


def decimal_one() -> Any:
    from decimal import Decimal

    return Decimal("1.0")


def test_struct_arrays() -> None:
    made = everything(READINGS).readings
    received = Everything.from_bytes(everything(READINGS).to_bytes()).readings
    for one in (made, received):
        assert len(one) == 5 and list(one) == READINGS and one == READINGS
        assert one[1] == READINGS[1] and one[-1] == READINGS[-1]
        assert one[1:3] == READINGS[1:3] and one[::-2] == READINGS[::-2] and one[4:1] == []
        assert type(one[1:3]) is StructArray
        assert one.column("at.x") == [r.at.x for r in READINGS]
        assert one.column("valid").typecode == "?"
        assert one.column("valid") == [r.valid for r in READINGS]
        assert one.column("colour") == [5] * 5
        assert one.column("when.nanoseconds") == [0, 1, 2, 3, 4]
        assert one.column("unit") == [0xD7FF + i for i in range(5)]
        assert hash(one) == hash(tuple(READINGS))
        assert one.item_type is Reading
        with pytest.raises(IndexError):
            one[5]
        with pytest.raises(KeyError, match=r"at\.x"):
            one.column("x")
        with pytest.raises(TypeError):
            one[0] = READINGS[0]  # type: ignore[index]
    assert made == received and received == made
    assert type(received[0]) is Reading and type(next(iter(received))) is Reading
    with pytest.raises(AttributeError):
        received[0].valid = False  # type: ignore[misc]
    assert repr(received).startswith("StructArray([Reading(at=Point(x=0.0, y=0")
    assert everything(received).to_bytes() == everything(READINGS).to_bytes()
    assert everything(received[1:3]).to_bytes() == everything(READINGS[1:3]).to_bytes()
    assert everything([]).readings.column("at.x") == []


def test_numpy_reads_structs_without_a_copy() -> None:
    received = Everything.from_bytes(everything(READINGS * 100).to_bytes()).readings
    seen = numpy.asarray(received)
    assert seen.dtype.itemsize == 16 + 1 + 1 + 12 + 2
    assert seen["at"]["x"].tolist() == [r.at.x for r in READINGS * 100]
    assert seen["valid"].dtype == numpy.bool_
    assert not seen.flags.owndata and not seen.flags.writeable
    assert numpy.shares_memory(seen, numpy.asarray(received))


@pytest.mark.parametrize(("at", "byte"), [(16, 2), (17, 1), (18, 0x7F), (26, 0xFF)])
def test_structs_whose_bytes_are_no_value(at: int, byte: int) -> None:
    """Flag, enum, seconds, nanoseconds of the third reading."""
    good = everything(READINGS).to_bytes()
    start = good.index(READINGS[0].to_bytes())
    bad = bytearray(good)
    bad[start + 2 * 32 + at] = byte
    with pytest.raises(CreoError) as caught:
        Everything.from_bytes(bad)
    assert caught.value.code.value == "malformed"
    assert (caught.value.place or "").startswith("$.readings[2].")


def test_wrong_items_of_struct_arrays() -> None:
    wrong: Any = [READINGS[0], READINGS[1].replace(unit="ab")]
    with pytest.raises(CreoError) as caught:
        everything(wrong).to_bytes()
    assert caught.value.place == "$.readings[1].unit"
    with pytest.raises(CreoError):
        everything(wrong).readings.column("unit")
    with pytest.raises(CreoError, match="an array is expected"):
        everything(5)


def test_a_view_cannot_be_written_to() -> None:
    backing = array("d", [1.0, 2.0])
    whole: Array[float] = Array("d", backing)
    arrays: list[Any] = [whole, Array("d", [1.0, 2.0]), whole[:1]]
    for numbers in arrays:
        assert numbers.view.readonly
        with pytest.raises(TypeError):
            numbers.view[0] = 3.0
        with pytest.raises(TypeError):
            numbers[0] = 3.0
    # The buffer behind it stays the caller's, and is shared.
    assert whole.view.obj is backing
    backing[0] = 3.0
    assert whole[0] == 3.0
