"""Parts of tables, and updates (TDX-44 to TDX-46)."""

from __future__ import annotations

import random
from decimal import Decimal
from typing import Any

import pytest

from creo import CreoError, ErrorCode
from creo.tdxml import Table
from partner import (
    AnimalDog,
    AnimalPlain,
    ContactMail,
    ContactPhone,
    Dog,
    ItemMaybe,
    ItemNumber,
    ItemPrice,
    ItemWord,
    Note,
    Order,
    Place,
    Plain,
    Price,
    Zoo,
)
from sample import Colour, Data, MetaData, Query, ShapeCircle, Tree

PRICE = Price("EUR", [1, 2], amount=Decimal(5))
ORDER = Order(
    first="f", contact=ContactMail("m"), items=[ItemNumber(3), ItemMaybe(None), ItemPrice(PRICE)],
    place=Place("s", "t"), marks=[None, 1], numbers=[1.5, 2], hex=b"\xff", last="l",
)  # fmt: skip
ZOO = Zoo(AnimalDog(Dog("d|", 1)), [AnimalPlain(Plain("p"))], {"k": b"1", "l": b""}, [[1, 2], []])
TREE = Tree("a", [Tree("b", [Tree("c", [])]), Tree("d", [])])


def shuffled(document: bytes, seed: int) -> bytes:
    text = document.decode()
    rows = text.split("\n")[1:-1]
    random.Random(seed).shuffle(rows)
    return "\n".join([text.split("\n")[0], *rows, text.split("\n")[-1]]).encode()


@pytest.mark.parametrize("scheme", ["record", "aggregated"])
@pytest.mark.parametrize("seed", [None, 1, 2])
def test_values_by_name_and_by_index(scheme: str, seed: int | None) -> None:
    def table(value: Any) -> Table:
        document = value.to_tdxml(scheme=scheme)
        return Table(document if seed is None else shuffled(document, seed), type(value))

    order = table(ORDER)
    for path, index, wanted in (
        ("first", "[0][0]", "f"),
        ("$.first", "[0][0]", "f"),
        ("id", "[0](0)", 7),
        ("contact", "[0][1]", ContactMail("m")),
        ("contact.mail", "[0][1][1]", "m"),
        ("contact.phone", "[0][1][0]", None),
        ("items", "[0][2]", (ItemNumber(3), ItemMaybe(None), ItemPrice(PRICE))),
        ("items[0]", "[0][2]0", ItemNumber(3)),
        ("items[1].maybe", "[0][2]1[3]", None),
        ("items[2].price", "[0][2]2[2]", PRICE),
        ("items[2].price.amount", None, Decimal(5)),
        ("items[2].price.currency", "[0][2]2[2](0)", "EUR"),
        ("items[7]", "[0][2]7", None),
        ("place", "[0][3]", Place("s", "t")),
        ("place.town", "[0][3][1]", "t"),
        ("marks", "[0][4]", (None, 1)),
        ("marks[0]", "[0][4]0", None),
        ("marks[1]", "[0][4]1", 1),
        ("numbers", "[0][5]", [1.5, 2.0]),
        ("hex", "[0][6]", b"\xff"),
        ("", "[0]", ORDER),
    ):
        assert order.get(path) == wanted, path
        if index is not None:
            assert order.get(index) == wanted, index
    zoo = table(ZOO)
    assert zoo.get("first.dog.name") == "d|" and zoo.get("first.plain") is None
    assert zoo.get("files") == {"k": b"1", "l": b""}
    assert zoo.get("files[1].key") == zoo.get("files{1}.key") == "l"
    assert zoo.get("[0][2][0]0[1]") == b"1" and zoo.get("files[0]") == ("k", b"1")
    assert zoo.get("matrix") == ([1, 2], []) and zoo.get("matrix[0]") == [1, 2]
    assert zoo.get("matrix[0][1]") == 2 and zoo.get("matrix[1][0]") is None
    assert table(TREE).get("children[0].children[0].name") == "c"
    assert table(Data(MetaData("x", 1), [])).get("samples") == []
    assert table(Note("n")).get("text") == "n" and table(Note(None)).get("text") is None
    union = table(ShapeCircle(2.0))
    assert union.get("circle") == 2.0 and union.get("point") is None


def test_rows_without_a_type() -> None:
    table = Table(ORDER.to_tdxml(scheme="aggregated"))
    assert (table.scheme, table.of, len(table)) == ("aggregated", "partner.Order", 15)
    assert list(table.rows("[0][3]")) == [("[0][3][0]", ("s",)), ("[0][3][1]", ("t",))]
    assert list(table.rows("[0][4]")) == [("[0][4]0", None), ("[0][4]1", ("1",))]
    assert list(table.rows("[0][9]")) == []
    with pytest.raises(ValueError, match="type"):
        table.get("first")
    typed = Table(ORDER.to_tdxml(), Order)
    assert [index for index, _ in typed.rows("place")] == ["[0][3]"]
    assert typed.index("items[2]") == "[0][2]2"
    # What another row holds is not looked at.
    broken = ORDER.to_tdxml(scheme="aggregated").replace(b"|5\n", b"|x\n")
    assert Table(broken, Order).get("place") == Place("s", "t")
    with pytest.raises(CreoError) as caught:
        Table(broken, Order).get("items")
    assert caught.value.code is ErrorCode.MALFORMED and "[0][2]2[2]|x" in caught.value.message


@pytest.mark.parametrize(
    "path",
    ["nothing", "first.x", "first[0]", "items.x", "items[0][1]", "contact.x", "[1]", "[0][9]", "[0]1", "[0", "a..b", "x]"],
)  # fmt: skip
def test_paths_that_name_nothing(path: str) -> None:
    for scheme in ("record", "aggregated"):
        with pytest.raises(ValueError):
            Table(ORDER.to_tdxml(scheme=scheme), Order).get(path)


def test_tables_that_are_none() -> None:
    for wrong in (b"", b"<x/>", Table.diff(ORDER, ORDER)):
        with pytest.raises(CreoError) as caught:
            Table(wrong, Order)
        assert caught.value.code is ErrorCode.MALFORMED
    with pytest.raises(CreoError):
        Table(ORDER.to_tdxml(), Zoo)
    with pytest.raises(TypeError):
        Table(ORDER.to_tdxml(), str)


# Updates


def rows(update: bytes) -> list[str]:
    return update.decode().split("\n")[1:-1]


def test_what_an_update_holds() -> None:
    assert rows(Table.diff(ORDER, ORDER)) == []
    assert Table.diff(ORDER, ORDER) == (
        b'<Env xmlns="urn:creo:tdxml" of="partner.Order"><UT>\n</UT></Env>'
    )
    new = ORDER.replace(
        first="g|", items=[ItemNumber(4)], place=Place("s"), marks=[None, 1, 2], hex=None
    )
    assert rows(Table.diff(ORDER, new)) == [
        "[0][0]|g\\|", "[0][2]0[0]|4", "[0][2]1-", "[0][3][1]-", "[0][4]2|2", "[0][6]-",
    ]  # fmt: skip
    assert rows(Table.diff(new, new.replace(place=None))) == ["[0][3]-"]
    assert rows(Table.diff(ORDER, ORDER.replace(contact=ContactPhone("p")))) == [
        "[0][1][0]|p", "[0][1][1]-",
    ]  # fmt: skip
    assert rows(Table.diff(Note("x"), Note(None))) == ["[0]~"]
    assert rows(Table.diff(ZOO, ZOO.replace(files={}))) == ["[0][2]", "[0][2][0]0-"]


CHANGES: list[tuple[Any, Any]] = [
    (ORDER, ORDER.replace(items=[], marks=[], numbers=[], place=None, hex=None, id=9)),
    (ORDER, ORDER.replace(items=[ItemWord("w"), ItemMaybe("x"), ItemMaybe(None), ItemNumber(1)])),
    (ORDER, ORDER.replace(marks=[1, None, None], contact=ContactPhone("p"))),
    (ORDER, ORDER.replace(items=[ItemPrice(PRICE), ItemPrice(PRICE.replace(steps=None))])),
    (ZOO, Zoo(AnimalPlain(Plain("~")), [AnimalDog(Dog("x", 2))] * 3, {"l": b"2"}, [[], [3]])),
    (TREE, Tree("a", [Tree("d", [Tree("e", [])])])),
    (TREE, Tree("", [])),
    (Query("a", Colour.RED), Query("b", limit=7)),
    (ShapeCircle(1.0), ShapeCircle(2.0)),
    (Note("x"), Note("")),
    (Note("x"), Note(None)),
    (Data(MetaData("a", 1), [1.0, 2.0, 3.0]), Data(MetaData("a", 2), [1.0])),
]


@pytest.mark.parametrize(("old", "new"), CHANGES)
def test_updates_are_applied(old: Any, new: Any) -> None:
    for one, other in ((old, new), (new, old)):
        update = Table.diff(one, other)
        assert Table.apply(update, one) == other, update
        assert Table.apply(shuffled(update, 3), one) == other
        assert Table.apply(update.decode(), one) == other


def test_updates_that_make_no_value() -> None:
    def refused(update: str, value: Any = ORDER) -> CreoError:
        with pytest.raises(CreoError) as caught:
            Table.apply(f'<Env xmlns="urn:creo:tdxml"><UT>\n{update}</UT></Env>', value)
        assert caught.value.code is ErrorCode.MALFORMED
        return caught.value

    assert refused("[0][0]-\n").place == "$"
    assert refused("[0][2]4[0]|1\n").place == "$.items[4].number"
    assert refused("[0][0]|x\n[0][0]|y\n").place == "$.first"
    assert refused("[0][9]|x\n").place == "$"
    assert "row 2: [0](0)|x" in refused("[0][3]~\n[0](0)|x\n").message
    assert "of the value" in refused("[0][1]-\n").message
    kept = Table.apply('<Env xmlns="urn:creo:tdxml"><UT>\n[0][3]~\n</UT></Env>', ORDER)
    assert kept == ORDER.replace(place=None)
    assert refused("[0](0)|x\n").place == "$.id"
    refused("[0][1]~\n")
    refused("[0]x-\n")
    refused("[0][4]1|\\x\n")
    with pytest.raises(CreoError):
        Table.apply(ORDER.to_tdxml(), ORDER)
    with pytest.raises(CreoError):
        Table.apply(Table.diff(ORDER, ORDER), ZOO)
    with pytest.raises(TypeError):
        Table.apply(b"", 1)
    assert Table.apply('<Env xmlns="urn:creo:tdxml"><UT>\n[0][8]-\n</UT></Env>', ORDER) == ORDER
