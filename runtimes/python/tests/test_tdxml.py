"""Values as tables: writing, reading, and refused tables (``tdxml.md``)."""

# pyright: reportPrivateUsage=false
from __future__ import annotations

import random
import re
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import pytest

from creo import CreoError, DateTime, ErrorCode, Limits, UnknownMember
from creo._base import DEFAULT_LIMITS
from creo._tdxml import as_written, read_alone
from creo._tdxml.calls import TableMethod
from creo.codegen.text import TEXT_INT, TextField, TextMessage, TextMethod, TextWrapped
from partner import (
    AnimalDog,
    AnimalPlain,
    ContactMail,
    Dog,
    ItemMaybe,
    ItemNumber,
    ItemPrice,
    Note,
    Open,
    Order,
    Place,
    Plain,
    Price,
    Zoo,
)
from sample import (
    Colour,
    Data,
    Everything,
    MetaData,
    Point,
    Query,
    Reading,
    ShapeCircle,
    ShapePoint,
    ShapeSides,
    Tree,
    shape_from_tdxml,
)

WHEN = DateTime.parse("2026-11-21T10:31:56.250Z")
READING = Reading(Point(1.5, -2.0), True, Colour.GREEN, WHEN, "é")
EVERYTHING = Everything(
    [True, False], b"\0\1\2", [-1, 2], "a\ud800", [0.5, -0.0], ["", "a|b\\c\n&<>\r~", "~x"],
    [READING, READING.replace(valid=False)], {"k": [1, 2], "": []}, Decimal("1.50"), None,
)  # fmt: skip
ORDER = Order(
    first="f", contact=ContactMail("m"),
    items=[ItemNumber(3), ItemMaybe(None), ItemPrice(Price("EUR", [1, 2], amount=Decimal(5)))],
    place=Place("s"), marks=[None, 1], numbers=[1.5, 2], hex=b"\xff", last="l",
)  # fmt: skip
OPEN = Open("k", ["<a/>", "<b>1</b>"], {"c": "1"}, "<raw/>")
ZOO = Zoo(AnimalDog(Dog("d", 1)), [AnimalPlain(Plain("p"))], {"k": b"1", "l": b""}, [[1, 2], []])
NAMES = {
    Data: "sample.Data", Everything: "sample.Everything", Tree: "sample.Tree",
    Query: "sample.Query", Order: "partner.Order", Zoo: "partner.Zoo", Open: "partner.Open",
    Note: "partner.Note", Reading: "sample.Reading", MetaData: "sample.MetaData",
}  # fmt: skip


def table(cls: type, rows: str, name: str = "RT") -> str:
    return f'<Env xmlns="urn:creo:tdxml" of="{NAMES[cls]}"><{name}>\n{rows}</{name}></Env>'


def kind_of(value: Any) -> Any:
    found: Any = value.__class__
    return found


def refused(cls: Any, text: str | bytes, **limits: Any) -> CreoError:
    with pytest.raises(CreoError) as caught:
        cls.from_tdxml(text, limits=Limits(**limits))
    assert caught.value.code is (ErrorCode.TOO_LARGE if limits else ErrorCode.MALFORMED), (
        caught.value
    )
    return caught.value


def rows_of(document: bytes) -> list[str]:
    text = document.decode()
    return [f"{row}\n" for row in text.split("\n")[1:-1]]


# Writing


def test_the_record_scheme() -> None:
    assert EVERYTHING.to_tdxml().decode() == table(
        Everything,
        "[0]|AAEC|1.50\n[0][0]|true|false\n[0][2]|-1|2\n[0][3]|97|55296\n[0][4]|0.5|-0\n"
        "[0][5]||a\\|b\\\\c\\n\\a\\l\\g\\r~|\\~x\n"
        "[0][6]0|true|GREEN|2026-11-21T10:31:56.250Z|233\n[0][6]0[0]|1.5|-2\n"
        "[0][6]1|false|GREEN|2026-11-21T10:31:56.250Z|233\n[0][6]1[0]|1.5|-2\n"
        "[0][7][0]0|k\n[0][7][0]0[1][0]|1|2\n[0][7][0]1|\n[0][7][0]1[1]\n",
    )
    assert ORDER.to_tdxml().decode() == table(
        Order,
        "[0]|7|f|1.5 2|FF|l\n[0][1][1]|m\n[0][2]0[0]|3\n[0][2]1[3]~\n[0][2]2[2]|EUR|1 2|5\n"
        "[0][3]|s\n[0][4]|~|1\n",
    )
    assert Query("x").to_tdxml().decode() == table(Query, "[0]|x|~|100\n")
    assert Note(None).to_tdxml().decode() == table(Note, "[0]\n")
    empty = Zoo(AnimalPlain(Plain("p")), [], {}, [])
    assert empty.to_tdxml().decode() == table(Zoo, "[0][0][0]|p\n[0][2]\n")


def test_the_aggregated_scheme() -> None:
    assert ORDER.to_tdxml(scheme="aggregated").decode() == table(
        Order,
        "[0](0)|7\n[0][0]|f\n[0][1][1]|m\n[0][2]0[0]|3\n[0][2]1[3]~\n"
        "[0][2]2[2]|5\n[0][2]2[2](0)|EUR\n[0][2]2[2](1)|1 2\n[0][3][0]|s\n[0][4]0~\n[0][4]1|1\n"
        "[0][5]|1.5 2\n[0][6]|FF\n[0][7]|l\n",
        "CT",
    )
    assert OPEN.to_tdxml(scheme="aggregated").decode() == table(
        Open,
        "[0][0]|k\n[0][1]0|\\la/\\g\n[0][1]1|\\lb\\g1\\l/b\\g\n[0][2][0]0[0]|c\n[0][2][0]0[1]|1\n"
        "[0][3]|\\lraw/\\g\n",
        "CT",
    )


def test_a_schema_before_the_table() -> None:
    text = ZOO.to_tdxml(schema=True).decode()
    assert text[text.index("<DS>") : text.index("</DS>")] == (
        "<DS>\nZoo [0] ::= SEQUENCE OF {first [0] Animal, rest [1] SET OF Animal, "
        "files [2] SEQUENCE OF {entry [0] SET OF SEQUENCE OF {key [0] UTF8String, value [1] OctetString}}, "
        "matrix [3] SET OF SEQUENCE OF {item [0] SET OF Integer}}\n"
        "Animal [0] ::= CHOICE {plain [0] Plain, dog [1] Dog}\n"
        "Plain [0] ::= SEQUENCE OF {name [0] UTF8String}\n"
        "Dog [1] ::= SEQUENCE OF {name [0] UTF8String, bones [1] Integer}\n"
    )
    assert (
        "amount TEXT Decimal" in Price("x", None, amount=Decimal(1)).to_tdxml(schema=True).decode()
    )
    assert Zoo.from_tdxml(text) == ZOO
    loose = text.replace(", ", "\n , ").replace("SEQUENCE OF", "SEQUENCE")
    assert Zoo.from_tdxml(loose.replace("UTF8String", 'UTF8String ("d")', 1)) == ZOO
    for wrong in (
        "bones [1] Real",
        "bones [2] Integer",
        "bonus [1] Integer",
        "bones [1] Integer OPTIONAL",
    ):
        with pytest.raises(CreoError) as caught:
            Zoo.from_tdxml(text.replace("bones [1] Integer", wrong))
        assert caught.value.code is ErrorCode.PROTOCOL_MISMATCH
        assert (
            "Dog [1] ::= SEQUENCE OF {name [0] UTF8String, bones [1] Integer}"
            in caught.value.message
        )
    for rest in ("Dog [1]", "Odd [2] ::= Integer\n</DS>"):
        with pytest.raises(CreoError):
            Zoo.from_tdxml(text.replace("Dog [1]" if rest == "Dog [1]" else "</DS>", rest * 2, 1))


VALUES: list[Any] = [
    EVERYTHING, ORDER, OPEN, ZOO, Query("x", Colour.RED), Note(None), Note(""), READING,
    Tree("a", [Tree("b", [Tree("", [])]), Tree("~", [])]),
    Data(MetaData("\u2028\xa0\t", -1), []), EVERYTHING.replace(readings=[READING] * 7, texts=[]),
    Zoo(AnimalDog(Dog("~", 1)), [AnimalDog(Dog(f"{i}|", i)) for i in range(12)], {}, [[]]),
]  # fmt: skip


@pytest.mark.parametrize("value", VALUES)
@pytest.mark.parametrize("scheme", ["record", "aggregated"])
@pytest.mark.parametrize("schema", [False, True])
def test_what_is_written_is_read(value: Any, scheme: str, schema: bool) -> None:
    text = value.to_tdxml(scheme=scheme, schema=schema)
    assert as_written(text, DEFAULT_LIMITS, len(text)) is not None
    assert kind_of(value).from_tdxml(text) == value
    assert kind_of(value).from_tdxml(text.decode().replace("\n", "\r\n")) == value
    spread = b" <!-- x -->" + text.replace(b"<Env", b"<Env  ", 1).replace(b"</Env>", b" </Env >\n")
    assert kind_of(value).from_tdxml(spread) == value
    assert kind_of(value).from_tdxml(text.decode().encode("utf-16")) == value


def test_unions_alone() -> None:
    for shape in (ShapeCircle(2.0), ShapeSides([1, 2]), ShapeSides([]), ShapePoint(Point(1, 2))):
        for scheme in ("record", "aggregated"):
            assert shape_from_tdxml(shape.to_tdxml(scheme=scheme)) == shape


@pytest.mark.parametrize(
    ("value", "place"),
    [
        (MetaData("\ud800", 1), "$.description"),
        (MetaData("\0", 1), "$.description"),
        (MetaData("x", 1 << 63), "$.timestamp"),
        (EVERYTHING.replace(texts=["a", "b\0", "c", "d"]), "$.texts[1]"),
        (EVERYTHING.replace(counts={"\x01": [1]}), "$.counts{0}.key"),
        (ORDER.replace(items=[ItemNumber(1), ItemNumber(1 << 31)]), "$.items[1].number"),
        (Tree("", [Tree("", []), Tree("\ufffe", [])]), "$.children[1].name"),
    ],
)
def test_values_that_cannot_be_written(value: Any, place: str) -> None:
    for scheme in ("record", "aggregated"):
        with pytest.raises(CreoError) as caught:
            value.to_tdxml(scheme=scheme)
        assert (caught.value.code, caught.value.place) == (ErrorCode.INVALID_VALUE, place)


def test_what_has_no_table() -> None:
    with pytest.raises(CreoError) as caught:
        UnknownMember(7, b"x").to_tdxml()
    assert caught.value.code is ErrorCode.INVALID_VALUE
    with pytest.raises(ValueError):
        ORDER.to_tdxml(scheme="odd")


# Reading: order


@pytest.mark.parametrize("value", VALUES)
@pytest.mark.parametrize("scheme", ["record", "aggregated"])
def test_rows_in_any_order(value: Any, scheme: str) -> None:
    text = value.to_tdxml(scheme=scheme)
    rows = rows_of(text)
    whole = "".join(rows).encode()
    for seed in range(12):
        shuffled = list(rows)
        random.Random(seed).shuffle(shuffled)
        assert kind_of(value).from_tdxml(text.replace(whole, "".join(shuffled).encode())) == value
    backwards = "\n \n\t".join(reversed(rows)).encode()
    assert kind_of(value).from_tdxml(text.replace(whole, backwards)) == value


@pytest.mark.parametrize("value", VALUES)
@pytest.mark.parametrize("scheme", ["record", "aggregated"])
def test_an_index_that_stands_twice(value: Any, scheme: str) -> None:
    text = value.to_tdxml(scheme=scheme)
    rows = rows_of(text)
    whole = "".join(rows).encode()
    for i, row in enumerate(rows):
        error = refused(kind_of(value), text.replace(whole, "".join([*rows, row]).encode()))
        assert f"row {i + 1}: " in error.message and f"row {len(rows) + 1}: " in error.message


def test_errors_keep_the_numbers_of_rows() -> None:
    text = table(Data, "[0][1]|1|2\n\n [0][0]|x|bad\n")
    error = refused(Data, text)
    assert error.place == "$.metadata.timestamp" and "row 3: [0][0]|x|bad" in error.message
    text = table(Data, "\n[0][0]|x|1\n  \n[0][1]|1|" + "9" * 200 + "x\n")
    error = refused(Data, text)
    assert error.place == "$.samples[1]" and error.message.endswith(
        "row 4: [0][1]|1|" + "9" * 91 + "..."
    )
    bare = table(Data, "[0][0]|x|1\n[0][1]|y\n").replace("<RT>\n", "<RT>")
    assert "row 2: [0][1]|y" in refused(Data, bare).message


# Reading: rows that are wrong


@pytest.mark.parametrize(
    ("rows", "place"),
    [
        ("[0][0]|x|1\n[0][1]|1\n[0][2]|1\n", "$"),
        ("[0][0]|x|1|2\n", "$.metadata"),
        ("[0][0]|x\n", "$.metadata"),
        ("[0][0]|~|1\n", "$.metadata"),
        ("[0][0]~\n", "$.metadata"),
        ("[0][0]0|x|1\n", "$"),
        ("[0][0][0]|x\n[0][0][1]|1\n", "$.metadata.description"),
        ("[0][0]|x|1\n[0][0][0]|x\n", "$.metadata.description"),
        ("[0][0]|x|1\n[0][1]0|1\n", "$.samples[0]"),
        ("[0][0]|x|1\n[0][1]\n", "$.samples"),
        ("[0][0]|x|1\n[0][1]|~\n", "$.samples[0]"),
        ("[0][0]|x|1\n[0][1]|1|\n", "$.samples[1]"),
        ("[0]|1\n[0][0]|x|1\n", "$"),
        ("[0]~\n", "$"),
        ("[1][0]|x|1\n", "$"),
        ("[0]0[0]|x|1\n", "$"),
        ("[0](0)|1\n[0][0]|x|1\n", "$"),
        ("[0][0]|x\\|1\n", "$.metadata"),
        ("[0][0]|~x|1\n", "$.metadata.description"),
        ("[0][0]|x\\|1\\\n", "$.metadata"),
        ("[0][0]|x\\x|1\n", "$.metadata.description"),
        ("[0][0]|x\\\\\\|1\n", "$.metadata"),
    ],
)
def test_rows_of_the_record_scheme_that_are_wrong(rows: str, place: str) -> None:
    error = refused(Data, table(Data, rows))
    assert "row " in error.message
    assert (error.place or "").startswith(place), error


@pytest.mark.parametrize(
    ("rows", "place"),
    [
        ("[0][0][0]|x\n", "$.metadata"),
        ("[0][0][0]|x|y\n[0][0][1]|1\n", "$.metadata.description"),
        ("[0][0][0]\n[0][0][1]|1\n", "$.metadata.description"),
        ("[0][0][0]~\n[0][0][1]|1\n", "$.metadata.description"),
        ("[0][0][0]|~\n[0][0][1]|1\n", "$.metadata.description"),
        ("[0][0][0]0|x\n[0][0][1]|1\n", "$.metadata"),
        ("[0][0][0]|x\n[0][0][1]|1\n[0][1]1|1\n", "$.samples[1]"),
        ("[0][0][0]|x\n[0][0][1]|1\n[0][1]0|1\n[0][1]2|1\n", "$.samples[2]"),
        ("[0][0][0]|x\n[0][0][1]|1\n[0][1]|1\n", "$.samples"),
        ("[0][0][0]|x\n[0][0][1]|1\n[0][1]0|1\n[0][1]1~\n", "$.samples[1]"),
        ("[0][0][0]|x\n[0][0][1]|1\n[0][0][2]|1\n", "$.metadata"),
        ("[0][0][0]|x\n[0][0][1]|1\n[0][1]0[0]|1\n", "$.samples[0]"),
        ("[0][0]|x\n[0][0][0]|x\n[0][0][1]|1\n", "$.metadata"),
    ],
)
def test_rows_of_the_aggregated_scheme_that_are_wrong(rows: str, place: str) -> None:
    error = refused(Data, table(Data, rows, "CT"))
    assert "row " in error.message
    assert (error.place or "").startswith(place), error


@pytest.mark.parametrize(
    "index",
    [
        "", "0", "[]", "[0", "[0]]", "[00]", "[0][01]", "[0][0]00", "[-1]", "[0]()", "[0](0)[0]", "[0](0)0",
        "[ 0]", "[0] [0]", "[0][2147483648]", "[0][99999999999]", "[0][\u0661]", "(0)", "[0][x]", "\xa0[0]", "-",
    ],
)  # fmt: skip
def test_indices_that_are_none(index: str) -> None:
    rows = "[0][0]|x|1\n[0][1]|1\n"
    for text in (f"{index}|1\n{rows}", f"{rows}{index}|1\n"):
        assert "row " in refused(Data, table(Data, text)).message
    growing = f"[0]|x\n{index}|1\n" if index not in ("", "[0]") else f"[0]|x\n{index or '['}x\n"
    refused(Query, table(Query, growing))


def test_presence_rows_and_nothing() -> None:
    text = table(
        Order,
        "[0](0)|7\n[0][0]|f\n[0][1]\n[0][1][1]|m\n[0][3]\n[0][3][0]|s\n[0][5]|\n[0][6]~\n[0][7]|l\n",
        "CT",
    )
    found = Order.from_tdxml(text)
    assert found == ORDER.replace(items=[], marks=[], numbers=[], hex=None)
    text = table(Order, "[0]|~|f||~|l\n[0][1][1]|m\n[0][2]0\n[0][2]0[3]~\n[0][3]~\n")
    found = Order.from_tdxml(text)
    assert found == ORDER.replace(
        items=[ItemMaybe(None)], place=None, marks=[], numbers=[], hex=None
    )
    assert Note.from_tdxml(table(Note, "[0]~\n", "CT")) == Note(None)
    assert Note.from_tdxml(table(Note, "")) == Note(None)
    assert Note.from_tdxml(table(Note, "[0]|\n")) == Note("")


def test_what_an_extensible_struct_skips() -> None:
    more = "[0](3)|x\n[0][7]\n[0][7][0]9[1](2)|\\n\n[0][8]~\n[0][9]0|1\n"
    text = table(Query, "[0](3)|x\n[0][0]|q\n[0][2]|5\n" + more[9:], "CT")
    assert Query.from_tdxml(text) == Query("q", limit=5)
    assert Query.from_tdxml(table(Query, "[0]|q|~|5|more|~|x\n" + more)) == Query("q", limit=5)
    for wrong in ("[0][7]|\\x\n", "[0][7]x\n", "[0][7]|1\n[0][7]|1\n", "[0][1][0]|1\n"):
        refused(Query, table(Query, "[0]|q|~|5\n" + wrong))
    assert Query.from_tdxml(table(Query, "[0]|q\n")) == Query("q")
    assert refused(Query, table(Query, "")).place == "$"


# Reading: the document


@pytest.mark.parametrize("value", [EVERYTHING, ORDER])
def test_every_truncation_is_refused(value: Any) -> None:
    text = value.to_tdxml(schema=True)
    for size in range(len(text)):
        refused(kind_of(value), text[:size])


def rest(document: str) -> Iterator[str]:
    """The document in other words of XML."""
    yield document.replace("Env", "Envelope").replace("RT>", "RecordTable>")
    yield (
        document.replace('<Env xmlns="', '<t:Env xmlns:t="')
        .replace("RT>", "t:RT>")
        .replace("</Env", "</t:Env")
        .replace("</t:t:", "</t:")
        .replace("<t:RT>", "<t:RT>")
    )
    paper = re.sub(r' xmlns="[^"]*"', "", document)
    yield re.sub(r"(</?)(Env|RT)", r"\1TDXML:\2", paper)
    yield document.replace("<RT>", " <!--c--> <RT>").replace("</Env>", "\n</Env>")
    yield document.replace("|", "&#124;").replace("[0][0]", "<![CDATA[[0]]]>[0]", 1)
    yield document.replace("[0][0]", "[0]<!--c-->[0]", 1)
    yield document.replace(' of="sample.Data"', "")
    yield document.replace("<Env", '<Env xmlns:x="urn:x" x:y="1"')


def test_other_words_of_xml() -> None:
    value = Data(MetaData("a > b", 1), [1.0])
    document = table(Data, "[0][0]|a > b|1\n[0][1]|1\n")
    for text in rest(document):
        assert Data.from_tdxml(text) == value, text


@pytest.mark.parametrize(
    "change",
    [
        ("urn:creo:tdxml", "urn:other"),
        ('of="sample.Data"', 'of="sample.Tree"'),
        ('of="sample.Data"', 'to="x"'),
        ("<RT>", '<RT a="1">'),
        ("<RT>", "x<RT>"),
        ("<RT>", "<XT/><RT>"),
        ("<RT>", "<RT/><RT>"),
        ("</Env>", "<RT/></Env>"),
        ("</RT>", "<DS/></RT>"),
        ("RT>", "UT>"),
        ("[0][1]", "<b/>[0][1]"),
        ("</Env>", "</Env>x"),
        ("|x|", "|]]>|"),
        ("|x|", "|\x01|"),
        ("|x|", "|&x;|"),
        ("<Env", "<!DOCTYPE x><Env"),
    ],
)
def test_documents_that_are_none(change: tuple[str, str]) -> None:
    document = table(Data, "[0][0]|x|1\n[0][1]|1\n")
    assert Data.from_tdxml(document) == Data(MetaData("x", 1), [1.0])
    refused(Data, document.replace(*change))


def test_limits() -> None:
    tree = Tree("", [])
    for _ in range(99):
        tree = Tree("", [tree])
    for scheme in ("record", "aggregated"):
        text = tree.to_tdxml(scheme=scheme)
        assert Tree.from_tdxml(text) == tree
        assert refused(Tree, text, max_depth=99).details["limit"] == "maxDepth"
        assert refused(Tree, text, max_xml_depth=99).details["limit"] == "maxXmlDepth"
    with pytest.raises(CreoError) as caught:
        Tree("", [tree]).to_tdxml()
    assert caught.value.details["limit"] == "maxDepth"
    deep = table(Query, "[0]|x\n[0][7]" + "[0]" * 498 + "|1\n")
    assert Query.from_tdxml(deep) == Query("x")
    with pytest.raises(CreoError) as caught:
        Query.from_tdxml(deep.replace("[0][7]", "[0][7][0]"))
    assert caught.value.details["limit"] == "maxXmlDepth"
    data = table(Data, "[0][0]|x|1\n")
    assert refused(Data, data, max_message_size=20).details["limit"] == "maxMessageSize"
    assert refused(Data, data, max_xml_text=5).details["limit"] == "maxXmlText"
    assert Data.from_tdxml(data, limits=Limits(max_xml_text=14)) == Data(MetaData("x", 1), [])


def test_broken_tables_never_crash() -> None:
    chance = random.Random(11)
    pieces = [
        "|",
        "~",
        "\\",
        "\n",
        "[0]",
        "[1]",
        "0",
        "(0)",
        "&",
        "<",
        "\r",
        "]]>",
        "-",
        "\\~",
        "x",
        " ",
    ]
    for value in VALUES:
        for scheme in ("record", "aggregated"):
            text = value.to_tdxml(scheme=scheme).decode()
            first, last = (
                text.index("<", 1) + 5,
                text.rindex("</RT>" if scheme == "record" else "</CT>"),
            )
            for _ in range(120):
                at, size = chance.randrange(first, last), chance.randrange(4)
                broken = text[:at] + chance.choice(pieces) + text[at + size :]
                try:
                    found = kind_of(value).from_tdxml(broken)
                except CreoError as error:
                    assert error.code is ErrorCode.MALFORMED
                else:
                    assert kind_of(value).from_tdxml(found.to_tdxml()) == found


# The same lengths are those of the size model in ``crates/creo-cost`` (``tests.rs``).
@pytest.mark.parametrize(
    ("scheme", "rows", "empty"),
    [
        ("record", b"[0][0][0]|1|2\n", b"[0][0]\n"),
        ("aggregated", b"[0][0][0]0|1\n[0][0][0]1|2\n", b"[0][0]\n"),
    ],
)
def test_the_array_of_a_bare_message_has_an_element(scheme: str, rows: bytes, empty: bytes) -> None:
    def message(name: str) -> TextMessage:
        wrapped = TextWrapped(TextField("item", "urn:t", TEXT_INT), 4)
        fields = (TextField(name, "urn:t", wrapped),)
        return TextMessage("urn:t", name, lambda: fields, namespaces=("urn:t",), bare=True)

    text = TextMethod("urn:t:echo", message("numbers"), message("result"))
    method = TableMethod("echo", "t.Bare.echo", text)
    for numbers, expected in (([1, 2], rows), ([], empty)):
        document = method.request((numbers,), DEFAULT_LIMITS, scheme)
        assert document.partition(b"\n")[2].startswith(expected), document
        assert list(method.result(read_alone(document, DEFAULT_LIMITS), DEFAULT_LIMITS)) == numbers
        assert document == method.request_in_python(
            (numbers,), DEFAULT_LIMITS, scheme, False, None, None
        )
    flat = method.request(([],), DEFAULT_LIMITS, scheme).replace(empty, b"")
    with pytest.raises(CreoError) as caught:
        method.result(read_alone(flat, DEFAULT_LIMITS), DEFAULT_LIMITS)
    assert caught.value.place == "$result"
