"""The literal form of messages of SOAP encoding (SOAP-32), and the types of requests (SOAP-31)."""

# pyright: reportPrivateUsage=false
from __future__ import annotations

import re
import tracemalloc
from dataclasses import replace

import pytest

from creo import ErrorCode, Limits
from creo._base import DEFAULT_LIMITS
from creo._soap.encoding import literal
from creo._text import TEXT_STRING, TextField, TextMessage
from creo._text.read import Problem
from creo._xml.document import open_source

HEAD = (
    '<e:Envelope xmlns:e="http://schemas.xmlsoap.org/soap/envelope/" '
    'xmlns:enc="http://schemas.xmlsoap.org/soap/encoding/" xmlns:xs="http://www.w3.org/2001/XMLSchema" '
    'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:t="urn:t"><e:Body>'
)
RESPONSE = TextMessage(
    "urn:t", "getResponse", lambda: (TextField("result", "", TEXT_STRING, local="r"),)
)


def declared(body: str, limits: Limits = DEFAULT_LIMITS) -> str:
    """The literal form."""
    text = f"{HEAD}{body}</e:Body></e:Envelope>".encode()
    return literal(open_source(text, limits), RESPONSE, ()).data.decode()


def made(body: str, limits: Limits = DEFAULT_LIMITS) -> str:
    """The body of the literal form, without declarations."""
    form = re.sub(r' xmlns(:[\w-]+)?="[^"]*"', "", declared(body, limits))
    return form.partition(":Body>")[2].rpartition("</s")[0].rpartition("</s")[0]


def message(inside: str, behind: str = "") -> str:
    return f"<t:x>{inside}</t:x>{behind}"


def answer(inside: str) -> str:
    return f"<m:getResponse>{inside}</m:getResponse>"


def problem(body: str, limits: Limits = DEFAULT_LIMITS) -> Problem:
    with pytest.raises(Problem) as caught:
        made(body, limits)
    return caught.value


@pytest.mark.parametrize(
    ("body", "wanted"),
    [
        # The names of message and result mean nothing, and types stay.
        (message('<a xsi:type="xs:int">1</a>'), answer('<r i:type="xs:int">1</r>')),
        (message("<t:a>1</t:a><t:b>2</t:b>"), answer("<r>1</r><b>2</b>")),
        (message("<a>x &lt; y &amp;&#13;</a>"), answer("<r>x &lt; y &amp;&#13;</r>")),
        # References, also to what refers itself.
        (message('<a href="#1"/>', '<q id="1" enc:root="0">5</q>'), answer("<r>5</r>")),
        (
            message('<a href="#1"/>', '<q id="1"><b href="#2"/></q><q id="2">7</q>'),
            answer("<r><b>7</b></r>"),
        ),
        (message('<a href="#1"/>', '<q id="1" href="#2"/><q id="2">7</q>'), answer("<r>7</r>")),
        (message('<a><b id="1">5</b><c href="#1"/></a>'), answer("<r><b>5</b><c>5</c></r>")),
        # Other references do not belong to the encoding.
        (message('<a href="cid:1"/>'), answer('<r href="cid:1"></r>')),
        ('<q id="1">5</q><t:x enc:root="1"><a href="#1"/></t:x>', answer("<r>5</r>")),
        ('<t:x xsi:nil="true"><a>1</a></t:x>', answer("<r>1</r>")),
        # Arrays.
        (
            message('<a enc:arrayType="xs:int[2]"><x>1</x><y>2</y></a>'),
            answer("<r><item>1</item><item>2</item></r>"),
        ),
        (message('<a xsi:type="enc:Array"><x>1</x></a>'), answer('<r i:type="enc:Array"><item>1</item></r>')),
        (
            message('<a enc:arrayType="xs:int[3]" enc:offset="[1]"><x>1</x></a>'),
            answer('<r><item i:nil="true"/><item>1</item></r>'),
        ),
        (
            message('<a enc:arrayType="xs:int[9]"><x enc:position="[0]">1</x><x enc:position="[2]">3</x></a>'),
            answer('<r><item>1</item><item i:nil="true"/><item>3</item></r>'),
        ),
        (
            message('<a enc:arrayType="xs:int[][1]"><x enc:arrayType="xs:int[1]"><y>1</y></x></a>'),
            answer("<r><item><item>1</item></item></r>"),
        ),
        # A type in the default namespace.
        (
            '<x xmlns="urn:t"><a xsi:type="q">1</a></x>',
            answer('<r i:type="a:q">1</r>'),
        ),
        # Older instances.
        (
            '<t:x xmlns:o="http://www.w3.org/1999/XMLSchema-instance"><a o:null="1"/></t:x>',
            answer('<r i:nil="1"></r>'),
        ),
    ],
)  # fmt: skip
def test_literal_form(body: str, wanted: str) -> None:
    assert made(body) == wanted


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (message('<a href="#1"/>'), "refers to no element"),
        (message('<a href="#1"/>', '<q id="1"/><q id="1"/>'), "or to several"),
        (message('<a href="#1"/>', '<q id="1" href="#1"/>'), "refers to itself"),
        (message('<a href="#1"/>', '<q id="1" href="#2"/><q id="2" href="#1"/>'), "refers to itself"),
        (message('<a id="1"><b href="#1"/></a>'), "refers to itself"),
        (message('<a href="#1"/>', '<q id="1"><b href="#2"/></q><q id="2"><c href="#1"/></q>'), "refers to itself"),
        (message('<a href="#1">x</a>', '<q id="1"/>'), "holds something"),
        (message('<a href="#1"><b/></a>', '<q id="1"/>'), "holds something"),
        (message('<a enc:arrayType="xs:int[2,2]"/>'), "several dimensions"),
        (message('<a enc:arrayType="xs:int[2]" enc:offset="[0,1]"/>'), "no position"),
        (message('<a enc:arrayType="xs:int[2]"><x enc:position="one"/></a>'), "no position"),
        (message('<a enc:arrayType="xs:int[2]"><x enc:position="[1]"/><x enc:position="[0]"/></a>'), "go down"),
    ],
)  # fmt: skip
def test_what_is_wrong(body: str, said: str) -> None:
    found = problem(body)
    assert found.code is ErrorCode.MALFORMED
    assert said in found.message


def test_references_grow_no_further_than_a_message() -> None:
    levels = 40
    behind = "".join(
        f'<q id="{i}"><a href="#{i + 1}"/><b href="#{i + 1}"/></q>' for i in range(levels)
    )
    body = message('<a href="#0"/>', f'{behind}<q id="{levels}">x</q>')
    found = problem(body, replace(DEFAULT_LIMITS, max_message_size=100_000))
    assert found.code is ErrorCode.TOO_LARGE
    assert found.details["limit"] == "maxMessageSize"


def test_references_nest_no_deeper_than_elements() -> None:
    behind = "".join(f'<q id="{i}"><a href="#{i + 1}"/></q>' for i in range(600))
    found = problem(message('<a href="#0"/>', f'{behind}<q id="600">x</q>'))
    assert found.code is ErrorCode.TOO_LARGE
    assert found.details["limit"] == "maxXmlDepth"


def test_missing_items_are_counted() -> None:
    limits = replace(DEFAULT_LIMITS, max_empty_items=3)
    body = '<a enc:arrayType="xs:int[9]"><x enc:position="[{}]">1</x></a>'
    assert made(message(body.format(3)), limits).count("nil") == 3
    found = problem(message(body.format(4)), limits)
    assert found.code is ErrorCode.TOO_LARGE
    assert found.details["limit"] == "maxEmptyItems"


def test_what_is_no_envelope_is_left() -> None:
    source = open_source(b"<html/>", DEFAULT_LIMITS)
    assert literal(source, RESPONSE, ()) is source


def test_details_of_a_fault_grow_no_further_either() -> None:
    refs = '<t:d href="#1"/>' * 200
    body = f'<e:Fault><detail>{refs}</detail></e:Fault><q id="1">{"x" * 1000}</q>'
    found = problem(body, replace(DEFAULT_LIMITS, max_message_size=100_000))
    assert found.details["limit"] == "maxMessageSize"


def test_what_is_kept_counts_as_memory() -> None:
    body = message("<a/>", '<q xmlns:o="u" a="1"/>' * 1_000)
    size = len(f"{HEAD}{body}</e:Body></e:Envelope>")
    kept = 160 * 1_002 + 64 * 2_000
    found = problem(body, replace(DEFAULT_LIMITS, max_memory=size + kept))
    assert found.code is ErrorCode.TOO_LARGE
    assert found.details["limit"] == "maxMemory"
    assert made(body, replace(DEFAULT_LIMITS, max_memory=size + kept + size)) == answer("<r></r>")


def test_long_chains_are_followed_once() -> None:
    count = 20_000
    chain = "".join(f'<q id="{i}" href="#{i + 1}"/>' for i in range(count))
    refs = '<b href="#0"/>' * count
    form = made(message(f"<a>{refs}</a>", f'{chain}<q id="{count}">x</q>'))
    assert form.count("<b>x</b>") == count


def test_declarations_are_kept_once() -> None:
    around = "".join(
        "<a" + "".join(f' xmlns:p{level}-{i}="u"' for i in range(240)) + ">" for level in range(4)
    )
    count = 5_000
    elements = '<b xmlns:q="v"><c xmlns:r="w" xsi:type="r:t"/></b>' * count
    body = message(f"{around}{elements}{'</a>' * 4}")
    tracemalloc.start()
    try:
        form = made(body)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert form.count("<c ") == count
    assert peak < 50_000_000


def test_prefixes_of_the_form_are_free() -> None:
    declared = "".join(f' xmlns:{prefix}="urn:{prefix}"' for prefix in ("m", "m0", "i", "a0", "s"))
    body = f'<t:x{declared}><a xsi:nil="1" a0:b="1"/></t:x>'
    assert made(body) == '<m1:getResponse><r i0:nil="1" a11:b="1"></r></m1:getResponse>'


def test_prefixes_go_with_what_is_referred_to() -> None:
    body = message(
        '<a xmlns:o="urn:1" href="#1"/>', '<q id="1" xmlns:o="urn:2"><b xsi:type="o:t"/></q>'
    )
    form = declared(body)
    start = form.index("<r")
    assert 'xmlns:o="urn:2"' in form[start : form.index(">", start)]


def test_a_prefix_bound_otherwise_where_it_is_referred_to() -> None:
    body = message('<a xmlns:t="urn:1"><b href="#1"/></a>', '<q id="1"><c xsi:type="t:t"/></q>')
    form = declared(body)
    start = form.index("<b")
    assert 'xmlns:t="urn:t"' in form[start : form.index(">", start)]
