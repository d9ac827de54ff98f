"""Generated values: immutable, comparable, and checked when they are written."""

from __future__ import annotations

import copy
import pickle
from decimal import Decimal
from types import MappingProxyType
from typing import Any

import pytest

from creo import CreoError, ErrorCode, Limits, UnknownMember
from creo._binary import writing
from creo._text.arguments import Arguments
from sample import (
    Amounts,
    AmountValue,
    Colour,
    Data,
    EventStarted,
    Everything,
    Level,
    MetaData,
    NotFound,
    Point,
    Query,
    ShapeCircle,
    ShapePoint,
    ShapeSides,
    Tree,
    event_from_bytes,
    shape_from_bytes,
)
from sample.creo_binary import encode_sums_add_arguments
from sample.creo_text import SUMS_INTERFACE_METHODS


def test_the_worked_examples() -> None:
    data = Data(MetaData("CO2", 1), [1.0, -2.5])
    assert (
        data.to_bytes().hex() == "03434f32000000000000000102" + "3ff0000000000000c004000000000000"
    )
    assert Data.from_bytes(data.to_bytes()) == data
    assert ShapeSides([3, 4]).to_bytes().hex() == "01020000000300000004"
    assert shape_from_bytes(b"\1\0") == ShapeSides([])
    query = Query("é", Colour.GREEN)
    assert query.to_bytes().hex() == "0000000902c3a9010500000064"


def test_structs_are_values() -> None:
    point = Point(1.0, y=2.0)
    assert point == Point(1.0, 2.0) != Point(1.0, 3.0)
    assert hash(point) == hash(Point(1.0, 2.0))
    assert repr(point) == "Point(x=1.0, y=2.0)"
    assert point.replace(y=5.0) == Point(1.0, 5.0)
    assert copy.copy(point) is point and copy.deepcopy(point) is point
    assert pickle.loads(pickle.dumps(point)) == point
    assert point != (1.0, 2.0)
    loose: Any = point
    for name in ("x", "z"):
        with pytest.raises(AttributeError, match="immutable"):
            setattr(loose, name, 1.0)
    with pytest.raises(AttributeError, match="immutable"):
        del loose.x
    assert not hasattr(point, "__dict__")


def test_whole_decimals_may_be_ints() -> None:
    half, one, big = Decimal("0.5"), Decimal(1), Decimal(10**30)
    taken = Amounts(1, [half, 1], {"a": 1, "b": half}, [None, 1, half], 10**30, start=1)
    held = Amounts(one, [half, one], {"a": one, "b": half}, [None, one, half], big, start=one)
    assert taken == held and taken.to_bytes() == held.to_bytes()
    assert taken.replace(one=1, maybe=None) == held.replace(maybe=None)
    assert taken.many == (half, one) and taken.gaps == (None, one, half)
    values = [taken.one, *taken.many, *taken.named.values(), taken.gaps[1], taken.maybe, taken.start]
    assert [type(value) for value in values] == [Decimal] * len(values)
    assert type(AmountValue(1).value) is Decimal and AmountValue(1) == AmountValue(one)
    assert held.many is Amounts(1, held.many, {}, []).many
    for read in (
        Amounts.from_bytes(taken.to_bytes()),
        Amounts.from_json(taken.to_json()),
        Amounts.from_xml(taken.to_xml()),
        Amounts.from_tdxml(taken.to_tdxml()),
    ):
        assert read == held and type(read.one) is Decimal
    older = Amounts.from_bytes(b"\0\0\0\5\0011\0\0\0")
    assert (older.maybe, older.start) == (None, Decimal("1.5"))


def test_parameters_that_are_whole_decimals_may_be_ints() -> None:
    one, two, three = Decimal(1), Decimal(2), Decimal(3)
    written: list[bytes] = []
    for arguments in ((1, (two, 3), 2), (one, (two, three), two)):
        parts = writing(1)
        encode_sums_add_arguments(parts, arguments)
        written.append(b"".join(parts))
    assert written[0] == written[1] == b"\0011\2\0012\0013\1\0012"
    held = Arguments(SUMS_INTERFACE_METHODS["add"].request).held([1, [two, 3], 2])
    assert held == [one, (two, three), two]
    assert {type(held[0]), *map(type, held[1]), type(held[2])} == {Decimal}


@pytest.mark.parametrize("wrong", [True, 1.0, "1", None])
def test_what_is_neither_a_decimal_nor_an_int_is_refused(wrong: Any) -> None:
    for amounts, place in (
        (Amounts(wrong, [], {}, []), "$.one"),
        (Amounts(1, [1, wrong], {}, []), "$.many[1]"),
        (Amounts(1, [], {"a": wrong}, []), "$.named{0}.value"),
    ):
        for write in (amounts.to_bytes, amounts.to_json, amounts.to_xml, amounts.to_tdxml):
            with pytest.raises(CreoError, match="a Decimal is expected, not ") as caught:
                write()
            assert caught.value.code == ErrorCode.INVALID_VALUE
            assert caught.value.place == place


def test_defaults() -> None:
    assert (Query("x").colour, Query("x").limit) == (None, 100)
    assert Query.from_bytes(b"\0\0\0\2\1x") == Query("x")
    assert Query.from_bytes(b"\0\0\0\7\1x\0\0\0\0\1").limit == 1
    assert Query.from_bytes(b"\0\0\0\x09\1x\0\0\0\0\1\7\7") == Query("x", limit=1)
    for wrong in (b"\0\0\0\0", b"\0\0\0\5\1x\0\0\0", b"\0\0\0\1\1x"):
        with pytest.raises(CreoError, match="malformed"):
            Query.from_bytes(wrong)


def test_maps_and_hashes() -> None:
    counts = {"a": [1, 2], "b": []}
    one = Everything([], b"", [], "", [], [], [], counts, Decimal("1.50"), None)
    assert one == Everything.from_bytes(one.to_bytes())
    assert hash(one) == hash(Everything.from_bytes(one.to_bytes()))
    counts["c"] = []
    assert list(one.counts) == ["a", "b"]
    loose: Any = one.counts
    with pytest.raises(TypeError):
        loose["x"] = []
    assert pickle.loads(pickle.dumps(one)) == one
    assert Everything([], b"", [], "", [], [], [], MappingProxyType({"a": (1, 2)}), Decimal(1), 1)


def test_enums() -> None:
    assert Colour(5) is Colour.GREEN
    assert Level(300) is Level.HIGH and repr(Level.HIGH) == "Level.HIGH"
    unknown = Level(7)
    assert (unknown.value, unknown.name, repr(unknown)) == (7, None, "Level(7)")
    assert unknown == Level(7) and hash(unknown) == hash(Level(7)) and unknown != Level.LOW
    assert list(Level.known()) == [Level.LOW, Level.HIGH]
    assert pickle.loads(pickle.dumps(Level.HIGH)) is Level.HIGH
    for wrong in (-1, 1 << 31):
        with pytest.raises(ValueError):
            Level(wrong)
    loose: Any = Level.LOW
    with pytest.raises(AttributeError):
        loose.value = 3


def test_unions() -> None:
    for member in (ShapeCircle(1.5), ShapeSides([1]), ShapePoint(Point(1.0, 2.0))):
        assert shape_from_bytes(member.to_bytes()) == member
    assert ShapeCircle(1.5) != ShapeCircle(2.5)
    unknown = event_from_bytes(b"\7\0\0\0\2ab")
    assert unknown == UnknownMember(7, b"ab")
    assert event_from_bytes(EventStarted("x").to_bytes()) == EventStarted("x")
    with pytest.raises(CreoError, match="no member 3"):
        shape_from_bytes(b"\3")


def test_exceptions() -> None:
    error = NotFound("CO2", tried=[1, 2])
    assert isinstance(error, Exception)
    assert str(error) == "description='CO2', tried=Array('i', [1, 2])"
    assert repr(error) == "NotFound(description='CO2', tried=Array('i', [1, 2]))"
    assert error == NotFound("CO2", [1, 2]) and hash(error) == hash(NotFound("CO2", [1, 2]))
    assert NotFound.from_bytes(error.to_bytes()) == error == pickle.loads(pickle.dumps(error))
    with pytest.raises(NotFound):
        raise error


@pytest.mark.parametrize(
    ("changes", "place"),
    [
        ({"amount": Decimal("NaN")}, "$.amount"),
        ({"amount": Decimal("1E+1000")}, "$.amount"),
        ({"amount": Decimal("1E-1000")}, "$.amount"),
        ({"amount": 1.5}, "$.amount"),
        ({"amount": None}, "$.amount"),
        ({"texts": ["a", "\udfff"]}, "$.texts[1]"),
        ({"texts": ["a", b"b"]}, "$.texts[1]"),
        ({"texts": [1]}, "$.texts[0]"),
        ({"tiny": 128}, "$.tiny"),
        ({"tiny": "x"}, "$.tiny"),
        ({"counts": {"\ud800": []}}, "$.counts{0}.key"),
        ({"counts": {"a": [], 1: []}}, "$.counts{1}.key"),
        ({"readings": [1]}, "$.readings[0]"),
    ],
)
def test_wrong_values_are_named(changes: dict[str, Any], place: str) -> None:
    good = Everything([], b"", [], "", [], [], [], {}, Decimal(1), None)
    with pytest.raises(CreoError) as caught:
        good.replace(**changes).to_bytes()
    assert (caught.value.code, caught.value.place) == (ErrorCode.INVALID_VALUE, place)


@pytest.mark.parametrize(
    ("changes", "place"),
    [
        ({"flags": [1, 5]}, "$.flags[1]"),
        ({"bytes_": "text"}, "$.bytes"),
        ({"bytes_": 5}, "$.bytes"),
        ({"letters": ["ab"]}, "$.letters"),
        ({"letters": "\U0001f600"}, "$.letters"),
        ({"letters": [1]}, "$.letters"),
        ({"texts": "abc"}, "$.texts"),
        ({"texts": None}, "$.texts"),
        ({"counts": [1]}, "$.counts"),
        ({"counts": {"a": ["x"]}}, "$.counts[0]"),
    ],
)
def test_wrong_arguments_are_refused_at_once(changes: dict[str, Any], place: str) -> None:
    good = Everything([], b"", [], "", [], [], [], {}, Decimal(1), None)
    with pytest.raises(CreoError) as caught:
        good.replace(**changes)
    assert (caught.value.code, caught.value.place) == (ErrorCode.INVALID_VALUE, place)


def test_depth() -> None:
    tree = Tree("leaf", [])
    for _ in range(99):
        tree = Tree("node", [tree])
    assert Tree.from_bytes(tree.to_bytes()) == tree
    deeper = Tree("root", [tree])
    with pytest.raises(CreoError) as caught:
        deeper.to_bytes()
    assert caught.value.details["limit"] == "maxDepth"
    body = deeper.to_bytes(limits=Limits(max_depth=101))
    with pytest.raises(CreoError, match="too-large"):
        Tree.from_bytes(body)
    assert Tree.from_bytes(body, limits=Limits(max_depth=101)) == deeper
    for _ in range(5_000):
        body = b"\0\1" + body
    with pytest.raises(CreoError, match="too-large"):
        Tree.from_bytes(body, limits=Limits(max_depth=1_000_000))


def test_sizes() -> None:
    data = Data(MetaData("x", 1), [0.0] * 100)
    for call in (
        lambda: data.to_bytes(limits=Limits(max_message_size=100)),
        lambda: Data.from_bytes(data.to_bytes(), limits=Limits(max_message_size=100)),
    ):
        with pytest.raises(CreoError) as caught:
            call()
        assert dict(caught.value.details) == {"limit": "maxMessageSize", "allowed": "100"}


def test_errors_are_values() -> None:
    error = CreoError("malformed", "bad", place="$.x", offset=3, details={"a": "b"})
    assert str(error) == "malformed: bad (at $.x, byte 3)"
    assert error.code.number == 1 and error.code == "malformed"
    again = pickle.loads(pickle.dumps(error))
    assert (str(again), again.details) == (str(error), error.details)
    assert [ErrorCode.of_number(n) for n in (1, 12, 13)] == ["malformed", "internal", None]
