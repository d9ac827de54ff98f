"""Arrays of structs of fixed size, from columns and to them: NumPy, pandas, mappings."""

from __future__ import annotations

import operator
from collections.abc import Mapping
from datetime import datetime, timedelta
from decimal import Decimal
from importlib import import_module
from typing import Any

import numpy
import pytest

from creo import Array, CreoError, DateTime
from sample import Colour, Data, Everything, Nest16, Point, Reading

TIMES = numpy.array(["2026-11-26T10:00:00.000000001", "1969-12-31T23:59:59.5"], "M8[ns]")
MOMENTS = [DateTime.parse("2026-11-26T10:00:00.000000001Z"), DateTime(-1, 500_000_000)]
ITEMS = [
    Reading(Point(1.0, 2.0), True, Colour.GREEN, MOMENTS[0], "C"),
    Reading(Point(1.5, -2.0), False, Colour.RED, MOMENTS[1], "F"),
]
COLUMNS: dict[str, Any] = {
    "at.x": [1.0, 1.5],
    "at.y": numpy.array([2.0, -2.0], "f4"),
    "valid": numpy.array([True, False]),
    "colour": numpy.array([5, 0], "u1"),
    "when": TIMES,
    "unit": ["C", "F"],
}
NUMBERS = {
    "at.x": [1.0, 1.5],
    "at.y": [2.0, -2.0],
    "valid": [True, False],
    "colour": [5, 0],
    "when.seconds": [1795687200, -1],
    "when.nanoseconds": [1, 500_000_000],
    "unit": [ord("C"), ord("F")],
}


def everything(readings: Any) -> Everything:
    return Everything([], b"", [], "", [], [], readings, {}, Decimal(0), None)


@pytest.mark.parametrize(
    "columns",
    [
        COLUMNS,
        NUMBERS,
        {**COLUMNS, "colour": [Colour.GREEN, Colour.RED], "when": MOMENTS},
        {**COLUMNS, "unit": "CF", "when": TIMES.astype(">M8[ns]")},
        {**{k: v for k, v in COLUMNS.items() if "." not in k}, "at": {"x": [1, 1.5], "y": [2, -2]}},
        {
            **{k: v for k, v in COLUMNS.items() if "." not in k},
            "at": numpy.array([(1.0, 2.0), (1.5, -2.0)], [("x", "<f8"), ("y", "<f4")]),
        },
        Reading.from_columns(COLUMNS).to_columns(),
        numpy.asarray(Reading.from_columns(COLUMNS)),
        numpy.asarray(Reading.from_columns(COLUMNS))[::-1][::-1],
        numpy.array(
            [((1.0, 2.0), True, 5, TIMES[0], 67), ((1.5, -2.0), False, 0, TIMES[1], 70)],
            [
                ("at", [("x", "f8"), ("y", "f8")]),
                ("valid", "?"),
                ("colour", "i8"),
                ("when", "M8[ns]"),
                ("unit", "u2"),
            ],
        ),
    ],
    ids=lambda columns: type(columns).__name__,
)
def test_columns_are_an_array_of_structs(columns: Any) -> None:
    made = Reading.from_columns(columns)
    assert made == ITEMS
    assert {path: column.tolist() for path, column in made.to_columns().items()} == NUMBERS
    whole = everything(columns)
    assert whole.readings == ITEMS
    assert whole == everything(ITEMS)
    assert Everything.from_bytes(whole.to_bytes()) == whole
    assert whole.to_json() == everything(ITEMS).to_json()


def test_columns_can_be_keyword_arguments() -> None:
    assert Point.from_columns(x=[1.0], y=[2.0]) == [Point(1.0, 2.0)]
    assert Point.from_columns({"x": [1.0]}, y=numpy.array([2.0])) == [Point(1.0, 2.0)]
    assert Point.from_columns(x=[], y=()) == []


def test_a_slice_of_a_structured_array_is_copied() -> None:
    many = Point.from_columns(x=numpy.arange(6.0), y=numpy.arange(6.0))
    every_other = Point.from_columns(numpy.asarray(many)[::2])
    assert every_other.column("x") == [0.0, 2.0, 4.0]


def _but(**changed: Any) -> dict[str, Any]:
    return {**COLUMNS, **changed}


@pytest.mark.parametrize(
    ("columns", "message", "place"),
    [
        ({"at.x": [1.0]}, "the column 'at.y' is missing", "$"),
        (_but(height=[1]), "no column 'height'; there are at.x, at.y", "$"),
        (_but(valid=[True]), "the column 'valid' has 1 numbers, 'at.x' has 2", "$"),
        (_but(valid=[True, 2]), "2 is not a boolean", "$[1].valid"),
        (_but(colour=[5, 1]), "1 is not a number of the enum", "$[1].colour"),
        (_but(colour=[5, 300]), "300 is beyond the range of byte", "$[1].colour"),
        (_but(unit=["C", "CF"]), "expected", "$[0].unit"),
        (_but(unit=[0, 70_000]), "70000 is beyond the range of char", "$[1].unit"),
        (_but(at=Point.from_columns(x=[], y=[])), "no column 'at'", "$"),
        (_but(at={"x": [1.0, 2.0]}), "the column 'at.x' is given twice", "$"),
        (_but(when=numpy.array(["2026-01-01", "NaT"], "M8[s]")), "not a time", "$[1].when"),
        (_but(when=[datetime(2026, 1, 1), 5]), "without a time zone", "$[0].when"),
        (_but(when=[MOMENTS[0], 5]), "an instant is expected, not int", "$[1].when"),
        ({"at.x": numpy.zeros((2, 2))}, "pass its .ravel()", "$.at.x"),
    ],
)
def test_what_is_wrong_with_columns_is_named(
    columns: Mapping[str, Any], message: str, place: str
) -> None:
    with pytest.raises(CreoError) as caught:
        Reading.from_columns(columns)
    assert caught.value.code.value == "invalid-value"
    assert message in caught.value.message
    assert caught.value.place == place


@pytest.mark.parametrize(
    "points", [Point.from_columns(x=[1.0], y=[2.0]), Point.from_columns(x=[], y=[])]
)
def test_an_array_of_another_struct_is_named(points: Any) -> None:
    """BIN-17"""
    with pytest.raises(CreoError) as caught:
        everything(points)
    assert caught.value.code == "invalid-value" and caught.value.place == "$.readings"
    assert "an array of Reading is expected, not of Point" in caught.value.message


def test_instants_beyond_their_years_are_named() -> None:
    days = numpy.array([0, 4_000_000], "M8[D]")
    with pytest.raises(CreoError, match="not of the years 1 to 9999") as caught:
        Reading.from_columns({**COLUMNS, "when": days})
    assert caught.value.place == "$[1].when"
    with pytest.raises(CreoError, match="a second or more") as caught:
        Reading.from_columns({**NUMBERS, "when.nanoseconds": [0, 1_000_000_000]})
    assert caught.value.place == "$[1].when.nanoseconds"


def test_structs_without_a_fixed_size_have_no_columns() -> None:
    assert not hasattr(Data, "from_columns") and not hasattr(Nest16, "from_columns")
    for given in ([1.0], 5, "x"):
        with pytest.raises(CreoError, match=r"columns are expected|is missing|no column"):
            Point.from_columns(given, y=[1.0])


@pytest.mark.parametrize("code", "?bBhHiIqfd")
def test_numpy_reads_columns_of_every_type(code: str) -> None:
    column: Array[Any] = Array(code, [1, 0])
    interface = column.__array_interface__
    assert numpy.dtype(interface["typestr"]) == numpy.dtype(code)
    assert numpy.asarray(column).tolist() == [1, 0]

    class Old:
        """What versions before 3.12 offer to NumPy."""

        __array_interface__ = interface

    assert numpy.asarray(Old()).tolist() == [1, 0]


def test_instants_become_numpy_s() -> None:
    made = Reading.from_columns(COLUMNS)
    assert (made.datetime64("when") == TIMES).all()
    assert made.datetime64("when", "us").tolist()[1] == datetime(1969, 12, 31, 23, 59, 59, 500_000)
    far = Reading.from_columns({**COLUMNS, "when": [DateTime.parse("3000-01-01T00:00:00Z")] * 2})
    with pytest.raises(OverflowError, match="take the unit us"):
        far.datetime64("when")
    assert str(far.datetime64("when", "us")[0]) == "3000-01-01T00:00:00.000000"
    with pytest.raises(KeyError):
        made.datetime64("unit")


def test_instants_have_bridges() -> None:
    moment = MOMENTS[0]
    assert DateTime.from_datetime64(TIMES[0]) == moment
    assert moment.to_datetime64() == TIMES[0]
    assert DateTime.from_datetime64(numpy.datetime64("1500-01-01")).to_datetime().year == 1500
    with pytest.raises(OverflowError):
        DateTime(-62_000_000_000).to_datetime64()
    with pytest.raises(ValueError):
        DateTime.from_datetime64(numpy.datetime64("NaT"))
    assert MOMENTS[1] + timedelta(milliseconds=500) == DateTime(0)
    assert timedelta(seconds=1) + MOMENTS[1] == DateTime(0, 500_000_000)
    assert DateTime(0) - timedelta(milliseconds=500) == MOMENTS[1]
    assert DateTime(0) - MOMENTS[1] == timedelta(milliseconds=500)
    assert MOMENTS[1] - DateTime(0) == timedelta(milliseconds=-500)
    with pytest.raises(TypeError):
        operator.add(moment, 1)
    with pytest.raises(ValueError, match="no instant"):
        _ = moment + timedelta(days=3_000_000)


def test_pandas_takes_columns_and_gives_them() -> None:
    pandas = import_module("pandas")
    made = Reading.from_columns(COLUMNS)
    frame = made.to_pandas()
    assert list(frame.columns) == ["at.x", "at.y", "valid", "colour", "when", "unit"]
    assert frame["at.x"].sum() == 2.5
    assert frame["when"][0] == pandas.Timestamp("2026-11-26T10:00:00.000000001Z")
    assert all(frame[path].dtype.isnative for path in ("at.x", "at.y", "unit"))
    assert Reading.from_columns(frame) == made
    assert everything(frame).readings == made
    assert everything(frame[frame["valid"]]).readings == made[:1]
