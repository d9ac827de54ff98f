"""Values as XML (``spec/wires/xml.md``): writing, reading, and refused texts."""

# pyright: reportPrivateUsage=false
from __future__ import annotations

import math
import re
from decimal import Decimal
from typing import Any

import pytest

from creo import CreoError, DateTime, ErrorCode, Limits, UnknownMember
from creo._xml import scan
from creo._xml.names import XSI_NAMESPACE
from creo._xml.scan import Scan
from creo._xml.tree import Tree as XmlTree
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
    Missing,
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
    EventStarted,
    Everything,
    Gaps,
    Label,
    MetaData,
    NotFound,
    Point,
    Query,
    Reading,
    ShapeCircle,
    ShapeSides,
    Small,
    Sparse,
    Tree,
    event_from_xml,
    shape_from_xml,
)

NS = "urn:creo:sample"
DATA = Data(MetaData("CO2 & <more>", 1), [1.0, -2.5, math.inf])
WHEN = DateTime.parse("2026-11-21T10:31:56.25Z")


def in_python(form: object) -> None:
    """In place of ``creo._xml.xml_fast``: no type is read in C."""


def everything(count: int = 2) -> Everything:
    at = Point(0.5, -1.0)
    return Everything(
        [True, False] * count, b"\0\xff" * count, [1, -2] * count, "a\ud800", [0.5, 0.1] * count,
        ["", "a b", "\u00e9\U0001f600"] * count,
        [Reading(at, i % 2 == 0, Colour.GREEN, WHEN, "x") for i in range(count)],
        {"k": [1, 2], "": []}, Decimal("12.50"), 7,
    )  # fmt: skip


def order() -> Order:
    return Order(
        first="f", contact=ContactMail("m@x"), place=Place("s"), marks=[1, None, 3],
        items=[ItemNumber(1), ItemWord("w"), ItemPrice(Price("EUR", amount=Decimal("1.0")))],
        numbers=[1.0, 2.5], hex=b"\x0a\xff", last="l",
    )  # fmt: skip


def zoo() -> Zoo:
    return Zoo(
        AnimalDog(Dog("d", 3)), [AnimalPlain(Plain("p")), AnimalDog(Dog("e", 4))],
        {"a": b"\1", "b": b""}, [[1, 2], [], [3]],
    )  # fmt: skip


def again(value: Any, xml: bytes | str) -> Any:
    kind: Any = value.__class__
    return kind.from_xml(xml)


def fails(code: str, read: Any, *arguments: Any, **keywords: Any) -> CreoError:
    with pytest.raises(CreoError) as caught:
        read(*arguments, **keywords)
    assert caught.value.code == code, str(caught.value)
    return caught.value


# Writing


def test_the_same_value_has_the_same_bytes() -> None:
    assert DATA.to_xml() == (
        b'<n1:Data xmlns:n1="urn:creo:sample"><n1:metadata><n1:description>CO2 &amp; &lt;more&gt;'
        b"</n1:description><n1:timestamp>1</n1:timestamp></n1:metadata><n1:samples>1</n1:samples>"
        b"<n1:samples>-2.5</n1:samples><n1:samples>INF</n1:samples></n1:Data>"
    )
    assert Query("a").to_xml() == (
        b'<n1:Query xmlns:n1="urn:creo:sample"><n1:description>a</n1:description>'
        b"<n1:limit>100</n1:limit></n1:Query>"
    )


def test_what_a_description_says_of_its_xml() -> None:
    assert order().to_xml() == (
        b'<n2:Order xmlns:n1="urn:other" xmlns:n2="urn:partner" '
        b'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" ID="7"><n1:first>f</n1:first>'
        b"<n2:e-mail>m@x</n2:e-mail><n2:number>1</n2:number><n2:word>w</n2:word>"
        b'<n2:price currency="EUR">1.0</n2:price><n2:street>s</n2:street><n2:marks>1</n2:marks>'
        b'<n2:marks xsi:nil="true"></n2:marks><n2:marks>3</n2:marks>'
        b"<n2:numbers>1 2.5</n2:numbers><n2:hex>0AFF</n2:hex><n2:last>l</n2:last></n2:Order>"
    )
    assert zoo().to_xml() == (
        b'<n2:Zoo xmlns:n1="urn:other" xmlns:n2="urn:partner" '
        b'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">'
        b'<n2:first xsi:type="n1:Hound"><n1:name>d</n1:name><n1:bones>3</n1:bones></n2:first>'
        b"<n2:rest><n2:name>p</n2:name></n2:rest>"
        b'<n2:rest xsi:type="n1:Hound"><n1:name>e</n1:name><n1:bones>4</n1:bones></n2:rest>'
        b"<n2:files><n2:entry><n2:key>a</n2:key><n2:value>AQ==</n2:value></n2:entry>"
        b"<n2:entry><n2:key>b</n2:key><n2:value></n2:value></n2:entry></n2:files>"
        b"<n2:matrix><n2:item>1</n2:item><n2:item>2</n2:item></n2:matrix><n2:matrix></n2:matrix>"
        b"<n2:matrix><n2:item>3</n2:item></n2:matrix></n2:Zoo>"
    )


def test_values_come_back() -> None:
    values: list[Any] = [
        DATA, everything(), everything(40), order(), zoo(), Query("q", Colour.RED, 3), Note(),
        Note("t"), NotFound("d", [1, 2, 3]), Missing(4, "w"), Price("EUR", [1, 2], amount=Decimal(3)),
        Tree("r", [Tree(str(i), []) for i in range(30)]), Reading(Point(1, 2), True, Colour.RED, WHEN, "\ud800"),
    ]  # fmt: skip
    for value in values:
        xml = value.to_xml()
        assert again(value, xml) == value
        assert again(value, xml.decode()).to_xml() == xml
    assert shape_from_xml(ShapeSides([3, 4]).to_xml()) == ShapeSides([3, 4])
    assert shape_from_xml(ShapeCircle(0.5).to_xml()) == ShapeCircle(0.5)
    assert event_from_xml(EventMoved(Point(1, 2)).to_xml()) == EventMoved(Point(1, 2))


def test_many_items_are_written_as_single_ones_are() -> None:
    """Arrays of structs are written by the column."""
    one = [order().replace(id=i, last=f"<{i}>") for i in range(9)]
    texts = [re.sub(rb' xmlns:\w+="[^"]*"', b"", value.to_xml()) for value in one]
    assert len(set(texts)) == 9
    values = [Reading(Point(i / 3, -i), i % 2 == 0, Colour.RED, WHEN, "x") for i in range(9)]
    whole = everything().replace(readings=values)
    for value in values:
        inner = re.sub(rb"^<[^>]*>|</[^>]*>$", b"", value.to_xml())
        assert b"<n1:readings>" + inner + b"</n1:readings>" in whole.to_xml()


@pytest.mark.parametrize(
    ("value", "place", "text"),
    [
        (lambda: MetaData("a\x01", 1), "$.description", "U+0001"),
        (lambda: Data(MetaData("\ud800", 1), []), "$.metadata.description", "lone surrogate"),
        (lambda: MetaData("a", 1 << 63), "$.timestamp", "range of long"),
        (lambda: Data(None, []), "$.metadata", "MetaData"),  # type: ignore[arg-type]
        (lambda: Tree("a", [Tree("b", []), Tree(5, [])]), "$.children[1].name", "String"),  # type: ignore[arg-type]
        (lambda: everything().replace(texts=["a"] * 6 + ["\ufffe"]), "$.texts[6]", "U+FFFE"),
        (lambda: everything().replace(counts={"\x02": []}), "$.counts{0}.key", "U+0002"),
        (lambda: everything().replace(amount=Decimal("NaN")), "$.amount", "Decimal"),
        (lambda: Query("a", 7), "$.colour", "Colour"),  # type: ignore[arg-type]
        (lambda: Open("k", ["<a>"], {}), "$.rest[0]", "not the element"),
        (lambda: Open("k", ["<a/> "], {}), "$.rest[0]", "after"),
        (lambda: Open("k", ["<p:a/>"], {}), "$.rest[0]", "unbound prefix"),
        (lambda: Open("k", [], {"a b": "c"}), "$.others", "a b"),
        (lambda: Open("k", [], {"xmlns": "c"}), "$.others", "meaning"),
        (lambda: Open("k", [], {}, "<raw/>"), "$.raw", "not the element"),
    ],
)
def test_what_cannot_be_written(value: Any, place: str, text: str) -> None:
    error = fails("invalid-value", lambda: value().to_xml())
    assert error.place == place and text in str(error)


def test_an_unknown_member_stays_on_the_binary_wire() -> None:
    error = fails(
        "invalid-value", type(EventStarted("a"))._creo_type.to_xml, UnknownMember(7, b"x")
    )
    assert "member 7" in str(error)
    assert "member 7" in str(fails("invalid-value", UnknownMember(7, b"x").to_xml))


def test_depth_is_limited_both_ways() -> None:
    tree = Tree("x", [])
    for _ in range(99):
        tree = Tree("x", [tree])
    xml = tree.to_xml()
    assert Tree.from_xml(xml) == tree
    deeper = Tree("x", [tree])
    assert fails("too-large", deeper.to_xml).details["limit"] == "maxDepth"
    inside = "<a:name/>"
    for _ in range(100):
        inside = f"<a:name/><a:children>{inside}</a:children>"
    error = fails("too-large", Tree.from_xml, sample(inside, "Tree"))
    assert error.details["limit"] == "maxDepth"
    error = fails("too-large", Tree.from_xml, xml, limits=Limits(max_xml_depth=50))
    assert error.details == {"limit": "maxXmlDepth", "allowed": "50"}
    assert fails("too-large", DATA.to_xml, limits=Limits(max_message_size=20))


# Reading


def variants(xml: str) -> dict[str, str]:
    """The same document as others write it."""
    return {
        "pretty": re.sub("(</[^>]*>)(?=<)", "\\1\n  ", xml),
        "prefix": xml.replace("n1:", "a-b.c:").replace("xmlns:n1", "xmlns:a-b.c"),
        "default": xml.replace("n1:", "").replace("xmlns:n1", "xmlns"),
        "comments": re.sub("(?<=>)(?=<)", "<!-- <x> & -->", xml),
        "windows": re.sub("(?<=>)(?=<n)", "\r\n", xml),
        "spaces": re.sub("(</?[^ <>]+)>", "\\1 \t>", xml),
        "quotes": re.sub('="([^"]*)"', " = '\\1'", xml),
        "declaration": '<?xml version="1.0" encoding="utf-8"?>\n<!-- a -->' + xml + " <!-- b --> ",
        "mark": "\ufeff" + xml,
        "redeclared": xml.replace("<n1:", '<n1:', 1).replace("<n1:samples>", f'<q:samples xmlns:q="{NS}">')
        .replace("</n1:samples>", "</q:samples>"),
        "foreign": re.sub("(<n1:[a-z]+)>", '\\1 xmlns:o="urn:o" o:x="1" xml:lang="en">', xml),
    }  # fmt: skip


@pytest.mark.parametrize("value", [DATA, everything(), everything(20)], ids=["data", "two", "many"])
def test_readers_take_what_others_write(value: Any) -> None:
    xml = value.to_xml().decode()
    for name, other in variants(xml).items():
        read = again(value, other)
        assert read == value, name
    for encoding in ("utf-16", "utf-16-le", "utf-16-be"):
        marked = xml if encoding == "utf-16" else "\ufeff" + xml
        assert again(value, marked.encode(encoding)) == value
    told = '<?xml version="1.0" encoding="UTF-16"?>' + xml
    assert again(value, told.encode("utf-16")) == value


def sample(inside: str, name: str = "MetaData") -> str:
    return f'<a:{name} xmlns:a="{NS}">{inside}</a:{name}>'


def meta(text: str) -> str:
    return sample(f"<a:description>{text}</a:description><a:timestamp>1</a:timestamp>")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("&lt;&amp;&gt;&quot;&apos;", "<&>\"'"),
        ("&#65;&#x42;&#0000067;&#x1F600;", "ABC\U0001f600"),
        ("a<![CDATA[<b> & ]] ]]>c", "a<b> & ]] c"),
        ("a<!-- no -->b<!---->c", "abc"),
        ("a\r\nb\rc\nd&#13;", "a\nb\nc\nd\r"),
        ("<![CDATA[a\r\nb]]>", "a\nb"),
        (" \t a ", " \t a "),
        ("]] >", "]] >"),
        ("", ""),
    ],
)
def test_texts(text: str, value: str) -> None:
    assert MetaData.from_xml(meta(text)) == MetaData(value, 1)


def test_elements_in_any_order_and_extensible_ones() -> None:
    other = sample("<a:timestamp>+01 </a:timestamp>\n<a:description/>")
    assert MetaData.from_xml(other) == MetaData("", 1)
    unknown = sample(
        "<b xmlns='urn:b' a='1'><c/>text<![CDATA[<]]><!-- --></b><a:description>d</a:description>"
        "<a:colour xmlns:i='http://www.w3.org/2001/XMLSchema-instance' i:nil='1'/><z/>",
        "Query",
    )
    assert Query.from_xml(unknown) == Query("d")
    assert fails("malformed", Query.from_xml, sample("<a:limit>1</a:limit>", "Query"))


def test_arrays_of_every_shape() -> None:
    """Runs of items that look alike are read at once; what looks different breaks a run."""
    parts = ["1", " 2 ", "&#51;", "<!-- x -->4", "5", "6"] + [str(i) for i in range(7, 600)]
    inside = "".join(f"<a:samples>{part}</a:samples>" for part in parts)
    inside = inside.replace("<a:samples>5<", '<a:samples xmlns:b="urn:b">5<')
    inside = inside.replace("<a:samples>300</a:samples>", "\n <a:samples>INF</a:samples><!-- -->\n")
    head = "<a:metadata><a:description/><a:timestamp>1</a:timestamp></a:metadata>"
    read = Data.from_xml(sample(head + inside, "Data"))
    wanted = [float(i) if i != 300 else math.inf for i in range(1, 600)]
    assert read.samples == wanted
    error = fails("malformed", Data.from_xml, sample(head + inside.replace(">400<", ">x<"), "Data"))
    assert error.place == "$.samples[399]"


def test_what_a_description_says_is_read() -> None:
    xml = order().to_xml().decode()
    assert Order.from_xml(xml.replace(' ID="7"', "")) == order()
    spaced = xml.replace("<n2:numbers>1 2.5<", "<n2:numbers>\n 1\t2.5 <").replace(">l<", "> l\n<")
    assert Order.from_xml(spaced) == order()
    swapped = order().replace(contact=ContactPhone("1"), items=[ItemMaybe(None)], place=None)
    assert Order.from_xml(swapped.to_xml()) == swapped
    typed = zoo().to_xml().decode()
    assert Zoo.from_xml(typed.replace('xsi:type="n1:Hound"', "xsi:type=' n1:Hound '")) == zoo()
    assert (
        fails("malformed", Zoo.from_xml, typed.replace("n1:Hound", "n2:Hound")).place == "$.first"
    )


def test_parts_that_no_schema_describes() -> None:
    xml = (
        '<Open xmlns="urn:partner" xmlns:s="urn:s" xmlns:t="urn:t" t:b="2" a="1" xml:lang="en">'
        "<known>k</known><s:x>t:q</s:x><y xmlns=''><z/></y>"
        "<raw a='1'>&lt;<s:b/></raw></Open>"
    )
    value = Open.from_xml(xml)
    assert value.rest == (
        '<s:x xmlns="urn:partner" xmlns:s="urn:s" xmlns:t="urn:t">t:q</s:x>', "<y xmlns=''><z/></y>",
    )  # fmt: skip
    assert dict(value.others) == {
        "{urn:t}b": "2", "a": "1", "{http://www.w3.org/XML/1998/namespace}lang": "en",
    }  # fmt: skip
    assert value.raw == '<raw xmlns="urn:partner" xmlns:s="urn:s" a=\'1\'>&lt;<s:b/></raw>'
    assert Open.from_xml(value.to_xml()) == value
    assert b' xmlns:a1="urn:t" a1:b="2" a="1" xml:lang="en"' in value.to_xml()


# Refused texts


@pytest.mark.parametrize(
    "text",
    [
        "a&b", "&nbsp;", "&amp", "&#;", "&#x;", "&#0;", "&#xD800;", "&#x110000;", "&#xFFFE;", "&#1;",
        "&#99999999999999999999;", "]]>", "<![CDATA[a", "<!-- a -- b -->", "<!-- a --->", "<!-- a",
        "<?pi?>", "<!DOCTYPE a>", "<b/>", "<", "< b>", "</>", "\x01", "\ufffe", "\uffff",
    ],
)  # fmt: skip
def test_texts_that_are_not_well_formed(text: str) -> None:
    fails("malformed", MetaData.from_xml, meta(text))
    fails("malformed", Query.from_xml, sample(f"<u>{text}<", "Query"))
    numbers = "<a:samples>1</a:samples>" * 3 + f"<a:samples>{text}</a:samples>"
    head = "<a:metadata><a:description/><a:timestamp>1</a:timestamp></a:metadata>"
    fails("malformed", Data.from_xml, sample(head + numbers, "Data"))


@pytest.mark.parametrize(
    "tag",
    [
        "u a='1' a='2'", "u xmlns:p='urn:x' xmlns:q='urn:x' p:a='1' q:a='2'", "p:u", "u p:a='1'",
        "u xmlns:p=''", "u xmlns:xml='urn:x'", "u xmlns:p='http://www.w3.org/XML/1998/namespace'",
        "u xmlns:xmlns='urn:x'", "u xmlns='http://www.w3.org/2000/xmlns/'", "xmlns:u", "u a=1", "u a",
        "u a='<'", "u a='1'b='2'", "1u", "-u", "a:b:c", ":u", "u:", "u$", "u a='&nope;'", "u a='&'",
        "u xmlns:p='urn:x' xmlns:p='urn:y'",
    ],
)  # fmt: skip
def test_tags_that_are_not_well_formed(tag: str) -> None:
    """Also where the element itself is skipped."""
    name = tag.partition(" ")[0]
    for end in ("/>", f"></{name}>"):
        xml = sample(f"<a:description>d</a:description><{tag}{end}", "Query")
        fails("malformed", Query.from_xml, xml)


def test_encodings() -> None:
    xml = DATA.to_xml()
    for wrong in (b"\xc0\xaf", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xff", b"\xc3"):
        error = fails("malformed", Data.from_xml, xml.replace(b"CO2", wrong))
        assert error.offset == xml.index(b"CO2")
    for wrong in (
        b'<?xml version="1.0" encoding="KOI8-R"?>', b'<?xml version="1.1"?>', b"<?xml?>",
        b'<?xml version="1.0" encoding="utf-16"?>', b' <?xml version="1.0"?>', b"<?xml-stylesheet a?>",
        b"<!DOCTYPE a [<!ENTITY b 'c'>]>", b"\xef\xbb\xbf\xef\xbb\xbf", b"a", b"</a>",
    ):  # fmt: skip
        fails("malformed", Data.from_xml, wrong + xml)
    for wrong in (
        b"a",
        b"<a/>",
        b"</a>",
        b"&#32;",
        b"\0",
        b"<!-- ",
        b"<![CDATA[ ]]>x",
        b"a>",
        b"/n1:Data>",
    ):
        fails("malformed", Data.from_xml, xml + wrong)
    fails("malformed", Data.from_xml, b"")
    fails("malformed", Data.from_xml, xml.decode().encode("utf-16")[:-1])


def test_every_cut_is_refused() -> None:
    for value in (DATA, order(), zoo()):
        xml = value.to_xml()
        for end in range(len(xml)):
            with pytest.raises(CreoError) as caught:
                again(value, xml[:end])
            assert caught.value.code is ErrorCode.MALFORMED


def test_limits() -> None:
    def limit(inside: str, **limits: Any) -> str:
        xml = sample(f"<a:description>d</a:description>{inside}", "Query")
        return fails("too-large", Query.from_xml, xml, limits=Limits(**limits)).details["limit"]

    assert limit("<u>" * 600) == "maxXmlDepth"
    assert limit("<u " + " ".join(f"a{i}='1'" for i in range(257)) + "/>") == "maxXmlAttributes"
    assert (
        limit("<u " + " ".join(f"xmlns:a{i}='u'" for i in range(257)) + "/>") == "maxXmlAttributes"
    )
    assert limit(f"<{'u' * 1_025}/>") == "maxXmlName"
    assert limit("<u " + "\u00e9" * 600 + "='1'/>") == "maxXmlName"
    some = " ".join(f"xmlns:a{i}='u'" for i in range(200))
    assert limit(f"<u {some}>" * 6) == "maxXmlNamespaces"
    assert limit(f"<u>{'x' * 11}</u>", max_xml_text=10) == "maxXmlText"
    assert limit(f"<u a='{'x' * 11}'/>", max_xml_text=10) == "maxXmlText"
    assert limit("", max_message_size=20) == "maxMessageSize"
    long = meta("x" * 6 + "<![CDATA[yyyyyy]]>")
    assert fails("too-large", MetaData.from_xml, long, limits=Limits(max_xml_text=11))


def test_namespaces_go_out_of_scope() -> None:
    xml = sample("<a:description xmlns:b='urn:b'>d</a:description><b:u/>", "Query")
    assert "unbound prefix" in str(fails("malformed", Query.from_xml, xml))
    xml = sample("<a:description xmlns:a='urn:creo:sample'>d</a:description><a:u/>", "Query")
    assert Query.from_xml(xml) == Query("d")


@pytest.mark.parametrize(
    ("xml", "place", "text"),
    [
        (sample("<a:description/>"), "$", "timestamp is missing"),
        (meta("x").replace("</a:M", "<a:description/></a:M"), "$", "second time"),
        (meta("x").replace("</a:M", "<a:other/></a:M"), "$", "description, timestamp"),
        (meta("x").replace("a:timestamp", "timestamp"), "$", "namespace"),
        (meta("x").replace(">1<", ">1.0<"), "$.timestamp", "'1.0'"),
        (meta("x").replace("<a:timestamp>", "<a:timestamp b='1'>"), "$.timestamp", "b"),
        (meta("x").replace("</a:description>", "</a:description>t"), "$", "text"),
        (meta("x").replace("MetaData", "Data"), "$", "MetaData"),
    ],
)  # fmt: skip
def test_errors_say_what_and_where(xml: str, place: str, text: str) -> None:
    error = fails("malformed", MetaData.from_xml, xml)
    assert error.place == place and text in str(error)
    assert error.offset is not None and 0 <= error.offset <= len(xml.encode())


def test_places_within() -> None:
    xml = everything().to_xml().decode()
    for found, made, place in (
        ("<n1:floats>0.1<", "<n1:floats>x<", "$.floats[1]"),
        ("<n1:colour>GREEN<", "<n1:colour>BLACK<", "$.readings[0].colour"),
        ("<n1:item>2<", "<n1:item>2147483648<", "$.counts{0}.value[1]"),
        ("<n1:key>k<", "<n1:key><<", "$.counts{0}.key"),
        ("<n1:key></n1:key>", "<n1:key>k</n1:key>", "$.counts"),
        ("<n1:letters>55296<", "<n1:letters>65536<", "$.letters[1]"),
    ):
        assert found in xml
        assert fails("malformed", Everything.from_xml, xml.replace(found, made, 1)).place == place
    text = meta("\u00e9").replace(">1<", ">x<")
    error = fails("malformed", MetaData.from_xml, text)
    assert error.offset == text.encode().index(b">x<") + 1


def test_structs_that_are_read_at_once_are_read_as_others_are() -> None:
    """Structs in arrays are read by the column."""
    value = everything(6)
    xml = value.to_xml().decode()
    for _ in range(5):
        assert Everything.from_xml(xml) == value
    swapped = re.sub(
        "(<n1:valid>.*?</n1:valid>)(<n1:colour>.*?</n1:colour>)", "\\2\\1", xml, count=3
    )
    assert swapped != xml and Everything.from_xml(swapped) == value
    for _ in range(3):
        assert (
            Everything.from_xml(re.sub("<n1:readings>", "\n <!-- --><n1:readings>", xml)) == value
        )
        assert Everything.from_xml(xml.replace("<n1:unit>", "<n1:unit>&#32;")) == value
        wrong = xml.replace("<n1:unit>120<", "<n1:unit>x<")
        at = wrong.rindex("<n1:unit>x<")
        wrong = wrong[:at].replace("<n1:unit>x<", "<n1:unit>120<") + wrong[at:]
        error = fails("malformed", Everything.from_xml, wrong)
        at = wrong.rindex("<n1:unit>x<")
        offset = len((wrong[:at] + "<n1:unit>").encode())
        assert (error.place, error.offset) == ("$.readings[5].unit", offset)
        assert Everything.from_xml(xml.replace("<n1:unit>120<", "<n1:unit>&#49;2&#x30;<")) == value
        for reference, text in (("&no;", "undefined entity"), ("&#0;", "character")):
            wrong = xml.replace("<n1:unit>120<", f"<n1:unit>12{reference}<")
            error = fails("malformed", Everything.from_xml, wrong)
            offset = len(wrong[: wrong.index(reference)].encode())
            assert (error.place, error.offset) == ("$.readings[0].unit", offset)
            assert text in str(error)
        cut = xml.replace("</n1:colour>", "", 1)
        assert fails("malformed", Everything.from_xml, cut).place == "$.readings[0].colour"
    both = MetaData("<a> & 'b'", 1), MetaData("", -1)
    for data in (Data(both[0], []), Data(both[1], [])):
        for _ in range(4):
            assert Data.from_xml(data.to_xml()) == data
    price = Price("EUR", amount=Decimal(1))
    for _ in range(5):
        assert Price.from_xml(price.to_xml()) == price


def test_limits_hold_for_tags_that_other_readers_took() -> None:
    """Readers remember tags; their limits are their own."""
    xml = sample("<a:description>d</a:description><u a='1' xmlns:b='urn:b'><w/></u>", "Query")
    for _ in range(3):
        assert Query.from_xml(xml) == Query("d")
    for name in ("max_xml_attributes", "max_xml_namespaces", "max_xml_name", "max_xml_text"):
        small: dict[str, Any] = {name: 1}
        error = fails("too-large", Query.from_xml, xml, limits=Limits(**small))
        assert error.details["allowed"] == "1"


def closely(monkeypatch: pytest.MonkeyPatch) -> None:
    """Has every document read closely, as one that needs it."""

    def nothing(source: object, scope: object) -> None:
        return None

    monkeypatch.setattr(scan, "tree", nothing)


def nils(xml: str) -> str:
    """With an attribute on some elements."""
    if "xmlns:xsi" not in xml:
        xml = xml.replace(" xmlns:n1", f' xmlns:xsi="{XSI_NAMESPACE}" xmlns:n1')
    return re.sub("<(n1:(?:samples|valid|letters))>", "<\\1 xsi:nil='false'>", xml)


@pytest.mark.parametrize("value", [DATA, everything(), everything(20), zoo()])
def test_both_ways_to_read_give_the_same(value: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    xml = value.to_xml().decode()
    texts = {**variants(xml), "nils": nils(xml)}
    # What needs no closer look gets none.
    with monkeypatch.context() as patched:
        patched.setattr(scan, "closely", None)
        for name in ("pretty", "prefix", "comments", "windows", "spaces", "quotes", "mark", "nils"):
            assert again(value, texts[name]) == value, name
    closely(monkeypatch)
    for name, text in texts.items():
        assert again(value, text) == value, name
    assert again(order(), order().to_xml()) == order()
    typed = Open("k", ["<a b='c'>d</a>"], {"{urn:x}y": "z"}, "<raw xmlns='urn:partner'/>")
    assert again(typed, typed.to_xml()) == typed


GAPS = Gaps([None, Point(1, 2)] * 3, [Query("q"), None], [1.5, None], [None, "t"])
SMALL = Small([{}, {"a": "b"}], [Label(""), Label("x")], [Sparse(), Sparse(1, None, "t")])


@pytest.mark.parametrize("value", [DATA, everything(), order(), zoo(), GAPS, SMALL])
def test_both_ways_to_read_charge_the_same(value: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    xml = value.to_xml()
    left: list[int] = []
    charge = XmlTree.charge

    def charged(x: XmlTree, size: int) -> None:
        charge(x, size)
        left.append(x.memory)

    monkeypatch.setattr("creo._xml.xml_fast", in_python)
    monkeypatch.setattr(XmlTree, "charge", charged)
    monkeypatch.setattr(Scan, "charge", charged)
    assert again(value, xml) == value
    fast = left[-1]
    closely(monkeypatch)
    assert again(value, xml) == value
    assert left[-1] == fast
    takes = Limits().memory - fast
    assert again(value, xml) == value
    assert value.__class__.from_xml(xml, limits=Limits(max_memory=takes)) == value
    fails("too-large", value.__class__.from_xml, xml, limits=Limits(max_memory=takes - 1))


def test_pieces_of_a_document(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wherever the parser stops, and whatever is longer than what it is handed at once."""
    closely(monkeypatch)
    value = everything(3).replace(texts=["x" * 300, "\u20ac" * 50, ""])
    xml = "<!-- " + "c" * 200 + " -->" + value.to_xml().decode()
    for piece in (1, 7, 64, 1_000):
        monkeypatch.setattr(scan, "_PIECE", piece)
        assert Everything.from_xml(xml) == value
        for end in range(0, len(xml), 97):
            fails("malformed", Everything.from_xml, xml[:end])
    many = " ".join(f"a{i}='1'" for i in range(2_000))
    xml = sample(f"<a:description>d</a:description><u {many}", "Query")
    assert fails("too-large", Query.from_xml, xml).details["limit"] == "maxXmlAttributes"
