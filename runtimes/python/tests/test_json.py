"""Values as JSON: writing, reading, and refused texts (``json.md``)."""

# pyright: reportPrivateUsage=false
from __future__ import annotations

import json
import math
import random
from decimal import Decimal
from typing import Any

import pytest

from creo import CreoError, DateTime, ErrorCode, Limits, UnknownMember
from creo._binary import FAILURES
from creo._json.leaf import parse
from creo._json.read import READERS
from creo._json.scan import JsonScanner
from creo._text import description
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
    EventMoved,
    Everything,
    Level,
    MetaData,
    Point,
    Query,
    Reading,
    ShapeCircle,
    ShapePoint,
    ShapeSides,
    Tree,
    event_from_json,
    shape_from_json,
)

WHEN = DateTime.parse("2026-11-21T10:31:56.250Z")
READING = Reading(Point(1.5, -2.0), True, Colour.GREEN, WHEN, "é")
EVERYTHING = Everything(
    [True, False], b"\0\1\2", [-1, 2], "a\ud800", [0.5, math.inf], ["", "x\"\\\n\x01\x7fé😀"],
    [READING, READING.replace(valid=False)], {"k": [1, 2], "": []}, Decimal("1.50"), None,
)  # fmt: skip
ORDER = Order(
    first="f", contact=ContactMail("m"), items=[ItemNumber(3), ItemMaybe(None), ItemPrice(Price("EUR", [1, 2], amount=Decimal(5)))],
    place=Place("s"), marks=[None, 1], numbers=[1.5, 2], hex=b"\xff", last=" l ",
)  # fmt: skip
DATA = '{"metadata":{"description":"x","timestamp":1},"samples":[]}'


def closely(type_: Any, data: bytes, limits: Limits | None = None) -> Any:
    """The value as the exact reader reads it."""
    form = description(type_._creo_type)
    return JsonScanner(data, limits or Limits()).document(form)


def kind_of(value: Any) -> Any:
    found: Any = value.__class__
    return found


def refused(cls: Any, text: str | bytes, **limits: Any) -> CreoError:
    with pytest.raises(CreoError) as caught:
        cls.from_json(text, limits=Limits(**limits))
    assert caught.value.code is (ErrorCode.TOO_LARGE if limits else ErrorCode.MALFORMED)
    return caught.value


def data(samples: str = "[]", description_: str = '"x"', timestamp: str = "1") -> str:
    return f'{{"metadata":{{"description":{description_},"timestamp":{timestamp}}},"samples":{samples}}}'


# Writing


def test_values_as_they_are_written() -> None:
    assert EVERYTHING.to_json().decode() == (
        '{"flags":[true,false],"bytes":"AAEC","shorts":[-1,2],"letters":["a",55296],'
        '"floats":[0.5,"Infinity"],"texts":["","x\\"\\\\\\n\\u0001\x7fé😀"],'
        '"readings":[{"at":{"x":1.5,"y":-2},"valid":true,"colour":"GREEN","when":"2026-11-21T10:31:56.250Z","unit":"é"},'
        '{"at":{"x":1.5,"y":-2},"valid":false,"colour":"GREEN","when":"2026-11-21T10:31:56.250Z","unit":"é"}],'
        '"counts":{"k":[1,2],"":[]},"amount":"1.50"}'
    )
    assert EVERYTHING.replace(tiny=-7).to_json().endswith(b',"tiny":-7}')
    assert Query("x", limit=5).to_json() == b'{"description":"x","limit":5}'
    assert Query("x", Colour.RED).to_json() == b'{"description":"x","colour":"RED","limit":100}'
    assert ShapeCircle(-0.0).to_json() == b'{"circle":-0}'
    assert ShapeSides([]).to_json() == b'{"sides":[]}'


def test_annotations_change_nothing_but_the_order() -> None:
    assert ORDER.to_json().decode() == (
        '{"id":7,"first":"f","contact":{"mail":"m"},"items":[{"number":3},{"maybe":null},'
        '{"price":{"currency":"EUR","steps":[1,2],"amount":"5"}}],"place":{"street":"s"},'
        '"marks":[null,1],"numbers":[1.5,2],"hex":"/w==","last":" l "}'
    )
    opened = Open("k", ["<a/>"], {"b": "1"}, "<raw/>")
    assert opened.to_json() == b'{"known":"k","rest":["<a/>"],"others":{"b":"1"},"raw":"<raw/>"}'
    zoo = Zoo(AnimalDog(Dog("d", 1)), [AnimalPlain(Plain("p"))], {"k": b"1"}, [[1], []])
    assert zoo.to_json() == (
        b'{"first":{"dog":{"name":"d","bones":1}},"rest":[{"plain":{"name":"p"}}],'
        b'"files":{"k":"MQ=="},"matrix":[[1],[]]}'
    )
    assert Note(None).to_json() == b"{}"


def test_long_numbers_are_strings() -> None:
    safe = (1 << 53) - 1
    for number, text in (
        (safe, "9007199254740991"),
        (-safe, "-9007199254740991"),
        (safe + 1, '"9007199254740992"'),
        (-(1 << 63), '"-9223372036854775808"'),
    ):
        value = MetaData("", number)
        assert value.to_json().decode() == f'{{"description":"","timestamp":{text}}}'
        assert MetaData.from_json(value.to_json()) == value


@pytest.mark.parametrize("value", [EVERYTHING, ORDER, READING, Tree("a", [Tree("b", [])])])
def test_what_is_written_is_read(value: Any) -> None:
    text = value.to_json()
    assert kind_of(value).from_json(text) == value
    assert kind_of(value).from_json(text.decode()) == value
    assert closely(kind_of(value), text) == value
    spread = json.dumps(json.loads(text), indent=1)
    assert kind_of(value).from_json(spread) == value


def test_unions_and_enums_alone() -> None:
    for shape in (ShapeCircle(2.0), ShapeSides([1, 2]), ShapePoint(Point(1, 2))):
        assert shape_from_json(shape.to_json()) == shape
    assert event_from_json('{"moved":{"x":1,"y":2}}') == EventMoved(Point(1, 2))
    assert Level(7).value == 7 and type(Query("x", Colour.GREEN)).from_json(
        '{"description":"x","colour":5}'
    ) == Query("x", Colour.GREEN)


@pytest.mark.parametrize(
    ("value", "place"),
    [
        (MetaData("\ud800", 1), "$.description"),
        (MetaData("x", 1 << 63), "$.timestamp"),
        (EVERYTHING.replace(texts=["a", "\udc00"]), "$.texts[1]"),
        (EVERYTHING.replace(counts={"\ud800": [1]}), "$.counts{0}.key"),
        (EVERYTHING.replace(tiny=128), "$.tiny"),
        (EVERYTHING.replace(amount=Decimal("NaN")), "$.amount"),
        (ORDER.replace(items=[ItemNumber(1), ItemNumber(1 << 31)]), "$.items[1].number"),
    ],
)
def test_values_that_cannot_be_written(value: Any, place: str) -> None:
    with pytest.raises(CreoError) as caught:
        value.to_json()
    assert (caught.value.code, caught.value.place) == (ErrorCode.INVALID_VALUE, place)


def test_unknown_members_and_depth_are_refused() -> None:
    with pytest.raises(CreoError) as caught:
        UnknownMember(7, b"x").to_json()
    assert caught.value.code is ErrorCode.INVALID_VALUE
    tree = Tree("", [])
    for _ in range(100):
        tree = Tree("", [tree])
    with pytest.raises(CreoError) as caught:
        tree.to_json()
    assert caught.value.details["limit"] == "maxDepth"
    assert Tree.from_json(tree.children[0].to_json()) == tree.children[0]
    text = b'{"name":"","children":[' + tree.children[0].to_json() + b"]}"
    with pytest.raises(CreoError) as caught:
        Tree.from_json(text)
    assert (caught.value.code, caught.value.details["limit"]) == (ErrorCode.TOO_LARGE, "maxDepth")


# Reading: members


def test_members_in_any_order() -> None:
    members: list[tuple[str, Any]] = list(json.loads(ORDER.to_json()).items())
    for seed in range(20):
        random.Random(seed).shuffle(members)
        text = json.dumps(dict(members))
        assert Order.from_json(text) == ORDER
        assert closely(Order, text.encode()) == ORDER


def test_what_may_be_left_out() -> None:
    assert Query.from_json('{"description":"x"}') == Query("x")
    assert Query.from_json('{"description":"x","colour":null}') == Query("x")
    assert Query.from_json('{"more":{"a":[1,{"b":null}]},"description":"x","x":1}') == Query("x")
    order = ORDER.replace(id=7, place=None, hex=None)
    members: dict[str, Any] = json.loads(ORDER.to_json())
    for name in ("id", "place", "hex"):
        del members[name]
    assert Order.from_json(json.dumps(members)) == order
    for name in list(members):
        rest = {key: value for key, value in members.items() if key != name}
        assert refused(Order, json.dumps(rest)).place == "$"
        if members[name] is not None:
            assert refused(Order, json.dumps({**members, name: None})).place == f"$.{name}"


def test_members_given_twice() -> None:
    twice = '"samples":[]}'
    for name in ("samples", "\\u0073amples", "sample\\u0073"):
        error = refused(Data, DATA[:-1] + f',"{name}":[]}}')
        assert "second time" in error.message and error.offset == len(DATA)
    assert DATA.endswith(twice)
    assert refused(Data, DATA[:-1] + ',"more":1}').place == "$"
    assert refused(Everything, EVERYTHING.to_json().replace(b'"":[]', b'"\\u006b":[]')).place == (
        "$.counts{1}.key"
    )


def test_unions_hold_one_member() -> None:
    for text in ("{}", '{"circle":1,"sides":[]}', '{"other":1}', '{"#3":"AA=="}', "[]", "1"):
        with pytest.raises(CreoError) as caught:
            shape_from_json(text)
        assert caught.value.code is ErrorCode.MALFORMED, text
    with pytest.raises(CreoError) as caught:
        event_from_json('{"later":1}')
    assert (caught.value.code, caught.value.place) == (ErrorCode.MALFORMED, "$")


# Reading: numbers and texts


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("0", 0),
        ("-0", 0),
        ("9223372036854775807", (1 << 63) - 1),
        ('"9223372036854775807"', (1 << 63) - 1),
        ('"-5"', -5),
        ("1.0", None),
        ("1e3", None),
        ("01", None),
        ("-", None),
        ("+1", None),
        ("9223372036854775808", None),
        ("9" * 5_000, None),
        ('"01"', None),
        ('" 1"', None),
        ('"1.0"', None),
        ('""', None),
        ("true", None),
        ("null", None),
        ("[1]", None),
    ],
)
def test_whole_numbers(text: str, number: int | None) -> None:
    if number is None:
        assert refused(MetaData, f'{{"description":"","timestamp":{text}}}').place == "$.timestamp"
    else:
        assert MetaData.from_json(f'{{"description":"","timestamp":{text}}}').timestamp == number


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("0", 0.0),
        ("-0", -0.0),
        ("-0.0", -0.0),
        ("-0e9", -0.0),
        ("1e-999", 0.0),
        ("123456789012345678901234567890", 123456789012345678901234567890.0),
        ("9007199254740993", 9007199254740992.0),
        ("1E5", 100000.0),
        ('"NaN"', math.nan),
        ('"-Infinity"', -math.inf),
        ("1e999", None),
        ("-1e999", None),
        ("1" * 400, None),
        ('"1.5"', None),
        ('"INF"', None),
        ("NaN", None),
        ("Infinity", None),
        (".5", None),
        ("5.", None),
        ("1e", None),
        ("0x1", None),
        ("null", None),
    ],
)
def test_doubles(text: str, number: float | None) -> None:
    if number is None:
        refused(Point, f'{{"x":{text},"y":0}}')
        refused(Data, data(f"[1,{text}]"))
        return
    for found in (
        Point.from_json(f'{{"x":{text},"y":0}}').x,
        list(Data.from_json(data(f"[1,{text}]")).samples)[1],
    ):
        assert repr(found) == repr(number)


def test_floats_are_rounded_once() -> None:
    def read(text: str) -> float:
        members: dict[str, Any] = json.loads(EVERYTHING.to_json())
        members["floats"] = "$"
        made = Everything.from_json(json.dumps(members).replace('"$"', f"[{text}]"))
        return next(iter(made.floats))

    assert read("1.00000017881393421514957253748434595763683319091796875001") == 1.0000001192092896
    assert read("3.4028235e38") == 3.4028234663852886e38
    with pytest.raises(CreoError):
        read("3.5e38")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('"\\u0041\\b\\f\\n\\r\\t\\/\\"\\\\"', 'A\b\f\n\r\t/"\\'),
        ('"\\ud83d\\ude00"', "😀"),
        ('"\\\\ud800"', "\\ud800"),
        ('"\x7f\u2028"', "\x7f\u2028"),
        ('"\\ud83d"', None),
        ('"\\ude00\\ud83d"', None),
        ('"\\ud83dx"', None),
        ('"\\u12g4"', None),
        ('"\\x41"', None),
        ('"a\nb"', None),
        ('"a\x00"', None),
        ("'a'", None),
        ("a", None),
        ("1", None),
        ("null", None),
    ],
)
def test_strings(text: str, found: str | None) -> None:
    if found is None:
        error = refused(Data, data(description_=text))
        assert (error.place or "").startswith("$.metadata.description")
    else:
        assert Data.from_json(data(description_=text)).metadata.description == found


def test_surrogates_alone_are_for_chars_only() -> None:
    text = READING.to_json().decode()
    assert Reading.from_json(text.replace('"é"', '"\\ud800"')).unit == "\ud800"
    assert Reading.from_json(text.replace('"é"', "56320")).unit == "\udc00"
    for wrong in ('"😀"', '""', '"ab"', "65536", "-1", "1.0", "null"):
        assert refused(Reading, text.replace('"é"', wrong)).place == "$.unit"
    assert refused(Query, '{"\\ud800":1,"description":"x"}').place == "$"


@pytest.mark.parametrize("byte", range(0x80, 0x100))
def test_bytes_that_are_no_utf_8(byte: int) -> None:
    before = data(description_='"').split('",', maxsplit=1)[0].encode()
    error = refused(Data, before + bytes((byte,)) + b'","timestamp":1},"samples":[]}')
    assert (error.place, error.offset) == ("$.metadata.description", len(before))


def test_other_encodings_and_marks() -> None:
    assert Data.from_json(b"\xef\xbb\xbf" + DATA.encode()) == Data.from_json(DATA)
    for encoding in ("utf-16", "utf-16-le", "utf-32"):
        refused(Data, DATA.encode(encoding))
    refused(Data, b"\xed\xa0\x80")
    error = refused(Data, b"\xef\xbb\xbf{}")
    assert error.offset == 3


def test_decimals_instants_and_bytes() -> None:
    def read(name: str, text: str) -> Any:
        members: dict[str, Any] = json.loads(EVERYTHING.to_json())
        members[name] = "$"
        return getattr(Everything.from_json(json.dumps(members).replace('"$"', text)), name)

    for text, number in (('"1.50"', "1.50"), ("1.50", "1.50"), ("-0", "0"), ("12", "12")):
        assert str(read("amount", text)) == number
    for text in (
        '"+1"',
        '"01"',
        '"-0"',
        '"1e3"',
        "1e3",
        '""',
        '" 1"',
        "null",
        '"' + "1" * 1_001 + '"',
        "1" * 1_001,
    ):
        with pytest.raises(CreoError):
            read("amount", text)
    for text in ('"AQ"', '"A==="', '"AR=="', '"A Q="', '"AQ==\\n"', '"-_=="', "1"):
        with pytest.raises(CreoError):
            read("bytes_" if hasattr(EVERYTHING, "bytes_") else "bytes", text)
    text = READING.to_json().decode()
    for moment in ("2026-11-21T11:31:56.25+01:00", "2026-11-21T10:31:56.250000000Z"):
        assert Reading.from_json(text.replace(str(WHEN), moment)).when == WHEN
    for moment in (
        "2026-11-21T24:00:00Z",
        "2026-11-21",
        "2026-02-30T00:00:00Z",
        "2026-11-21T10:31:56",
    ):
        assert refused(Reading, text.replace(str(WHEN), moment)).place == "$.when"


# Reading: the document


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "[]",
        '"x"',
        "null",
        DATA + "x",
        DATA + "{}",
        DATA + ",",
        "//\n" + DATA,
        "/**/" + DATA,
        DATA[:-1] + ",}",
        DATA.replace("[]", "[,]"),
        DATA.replace("[]", "[1,]"),
        DATA.replace("[]", "[1 2]"),
        DATA.replace(":", "=", 1),
        DATA.replace('"metadata"', "metadata"),
        DATA.replace("{", "(", 1),
        "\x00" + DATA,
        "\u00a0" + DATA,
        "\x0c" + DATA,
    ],
)
def test_documents_that_are_none(text: str) -> None:
    refused(Data, text)


def test_every_truncation_is_refused() -> None:
    for value in (EVERYTHING, ORDER):
        text = value.to_json()
        for size in range(len(text)):
            error = refused(kind_of(value), text[:size])
            assert error.offset is not None and error.offset <= size


def test_white_space_and_every_other_byte_between_tokens() -> None:
    for byte in range(0x80):
        text = data().replace(",", chr(byte) + ",", 1)
        if chr(byte) in " \t\r\n":
            assert Data.from_json(text) == Data.from_json(DATA)
        else:
            refused(Data, text)


def test_limits() -> None:
    deep = '{"description":"x","more":' + "[" * 499 + "]" * 499 + "}"
    assert Query.from_json(deep) == Query("x")
    error = refused(Query, deep, max_xml_depth=499)
    assert error.details["limit"] == "maxXmlDepth"
    endless = '{"description":"x","more":' + "[" * 200_000
    with pytest.raises(CreoError) as caught:
        Query.from_json(endless)
    assert (caught.value.code, caught.value.details["limit"]) == ("too-large", "maxXmlDepth")
    assert refused(Data, DATA, max_xml_depth=1).details["limit"] == "maxXmlDepth"
    assert Data.from_json(DATA, limits=Limits(max_xml_depth=2)) == Data.from_json(DATA)
    tree = Tree("a", [Tree("b", [])])
    assert Tree.from_json(tree.to_json(), limits=Limits(max_xml_depth=4)) == tree
    assert refused(Tree, tree.to_json(), max_xml_depth=3).details["limit"] == "maxXmlDepth"
    assert refused(Tree, tree.to_json(), max_depth=1).details["limit"] == "maxDepth"
    long_name = '{"description":"x","' + "n" * 1_025 + '":1}'
    with pytest.raises(CreoError) as caught:
        Query.from_json(long_name)
    assert caught.value.details["limit"] == "maxXmlName"
    text = data(description_='"' + "é" * 10 + '"')
    assert Data.from_json(text, limits=Limits(max_xml_text=20)).metadata.description == "é" * 10
    assert refused(Data, text, max_xml_text=19).details["limit"] == "maxXmlText"
    assert refused(Data, text, max_message_size=20).details["limit"] == "maxMessageSize"


def test_errors_say_where() -> None:
    text = READING.to_json().decode()
    error = refused(Everything, EVERYTHING.to_json().replace(b'"y":-2}', b'"y":"-2"}'))
    assert error.place == "$.readings[0].at.y"
    error = refused(Reading, text.replace("true", "1"))
    assert (error.place, error.offset) == ("$.valid", text.index("true"))
    error = refused(Tree, '{"name":"a","children":[{"name":"b","children":[]},{"name":"c"}]}')
    assert error.place == "$.children[1]" and "children" in error.message


def closely_or_error(cls: Any, text: bytes) -> object:
    """The value, or None where the exact reader refuses."""
    try:
        return closely(cls, text)
    except Exception as problem:
        assert type(problem).__name__ == "Problem", problem
        return None


def test_both_readers_agree_on_broken_documents() -> None:
    """The quick reader takes nothing that the exact one refuses, and means the same by it."""
    chance = random.Random(7)
    pieces = [
        b"0",
        b"-0",
        b"1e999",
        b'"',
        b"\\ud800",
        b"{}",
        b"[]",
        b",",
        b"null",
        b"1.0",
        b"\xff",
        b" ",
        b'"NaN"',
        b":",
    ]
    for value in (EVERYTHING, ORDER, READING, Query("x", Colour.RED), Tree("a", [Tree("b", [])])):
        cls, text = kind_of(value), value.to_json()
        for _ in range(600):
            at, size = chance.randrange(len(text)), chance.randrange(4)
            broken = text[:at] + chance.choice(pieces) + text[at + size :]
            exact = closely_or_error(cls, broken)
            try:
                quick = cls.from_json(broken)
            except CreoError as error:
                assert error.code is ErrorCode.MALFORMED
                quick = None
            assert repr(quick) == repr(exact), broken


def test_longs_of_many_records_are_read_together() -> None:
    """Large ones are strings (VAL-2), and no reason to read a document closely."""
    many = READERS.value(description(MetaData._creo_type)).many
    large, small = "9007199254740993", 5
    text = (
        f'[{{"description":"a","timestamp":"{large}"}},{{"description":"b","timestamp":{small}}}]'
    )
    values, r = parse(text.encode(), Limits())
    assert [found.timestamp for found in many(values, r)] == [int(large), small]
    for wrong in ('"9223372036854775808"', '"1x"', "9223372036854775808", "1.0", "true", '"-0x"'):
        values, r = parse(f'[{{"description":"a","timestamp":{wrong}}}]'.encode(), Limits())
        with pytest.raises(FAILURES):
            many(values, r)
