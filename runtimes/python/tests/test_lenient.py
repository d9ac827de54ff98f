"""Lenient reading (XML-51), where ``conformance/malformed/http-client`` has no case."""

# pyright: reportPrivateUsage=false
from __future__ import annotations

from typing import Any

import pytest

from creo import Limits
from creo._text import TEXT_BOOLEAN, TEXT_INT, TextList, TextValue, description
from creo._text.read import Problem
from creo._xml.document import open_source
from creo._xml.leaf import NO_KIDS, leaf
from creo._xml.read import READERS
from creo._xml.scan import read_document
from creo._xml.scope import BASE
from creo._xml.tree import ACCEPTS, MISSES, SKIPS
from partner import AnimalPlain, Note, Open, Order, Plain, Zoo

XSI = 'xmlns:i="http://www.w3.org/2001/XMLSchema-instance"'
ORDER = (
    '<Order xmlns="urn:partner"{}><first xmlns="urn:other">a</first><phone>1</phone>{}'
    "<numbers>1 2</numbers><last>z</last></Order>"
)


def read(type_: Any, text: str, *, lenient: bool = True) -> Any:
    source = open_source(text.encode(), Limits())
    source.lenient = lenient
    reader = READERS.element(description(type_._creo_type))
    return read_document(source, BASE, lambda x, e: reader.one(x, e, NO_KIDS))


def test_items_of_any_element_stand_apart() -> None:
    text = '<Open xmlns="urn:partner"><a/><known>x</known><b/><raw>y</raw>c</Open>'
    read_open = read(Open, text)
    assert (read_open.known, len(read_open.rest)) == ("x", 2)
    with pytest.raises(Problem, match="lenient reading would skip it"):
        read(Open, text, lenient=False)


def test_many_items_apart_take_no_longer_than_others() -> None:
    parts = "".join(f"<marks>{i}</marks><x/>" for i in range(20_000))
    assert read(Order, ORDER.format("", parts)).marks == tuple(range(20_000))


def test_a_whole_element_says_itself_that_it_is_nothing() -> None:
    text = f'<Open xmlns="urn:partner" {XSI}><known>x</known><raw i:nil="true"/></Open>'
    assert read(Open, text).raw is None
    assert read(Open, text, lenient=False).raw is None


def test_items_without_elements_of_their_own_are_as_strictly_read() -> None:
    for lenient in (True, False):
        order = read(Order, ORDER.format("", "<number>1</number><word/>"), lenient=lenient)
        assert len(order.items) == 2
    with pytest.raises(Problem):
        read(Order, ORDER.format("", "<number>1</number><marks>1</marks><word/>"))


def test_a_text_that_is_nothing_is_as_strictly_read() -> None:
    text = f'<Note xmlns="urn:partner" {XSI} i:nil="true">{{}}</Note>'
    assert read(Note, text.format("")).text is None
    assert read(Note, text.format("more")).text is None
    with pytest.raises(Problem) as raised:
        read(Note, text.format("more"), lenient=False)
    assert raised.value.message.endswith(SKIPS)


def test_a_struct_among_several_types_may_be_nothing() -> None:
    text = (
        f'<Zoo xmlns="urn:partner" {XSI}><first><name>a</name></first><rest i:nil="true"/>'
        "<files/><matrix/></Zoo>"
    )
    assert read(Zoo, text).first == AnimalPlain(Plain("a"))
    assert read(Zoo, text).rest == ()


def test_a_default_takes_the_place_of_a_blank_attribute() -> None:
    text = ORDER.format(' ID=" "', "")
    assert read(Order, text).id == 7
    with pytest.raises(Problem) as raised:
        read(Order, text, lenient=False)
    assert raised.value.message.endswith(MISSES)


@pytest.mark.parametrize(
    ("value", "text", "found"),
    [
        (TEXT_BOOLEAN, " TRUE ", True),
        (TextList(TEXT_BOOLEAN, 1), "TRUE false\n1 False", [True, False, True, False]),
        (TextList(TEXT_BOOLEAN, 1), "TRUE yes", None),
        (TextList(TEXT_INT, 4), "TRUE", None),
    ],
)
def test_flags_have_any_case_of_letters(value: TextValue, text: str, found: Any) -> None:
    def flags(lenient: bool) -> Any:
        source = open_source(f"<a>{text}</a>".encode(), Limits())
        source.lenient = lenient
        return read_document(source, BASE, lambda x, e: leaf(value).one(x, e, NO_KIDS))

    with pytest.raises(Problem) as raised:
        flags(lenient=False)
    assert raised.value.message.endswith(ACCEPTS) == (found is not None)
    if found is None:
        with pytest.raises(Problem, match="is no"):
            flags(lenient=True)
    else:
        read_flags = flags(lenient=True)
        assert (list(read_flags) if isinstance(found, list) else read_flags) == found


@pytest.mark.parametrize("text", ["<?xml x?>", "<?x", "<!DOCTYPE a>", "&#2;", "a]]>"])
def test_what_is_not_well_formed_is_refused(text: str) -> None:
    with pytest.raises(Problem) as raised:
        read(Note, f'<Note xmlns="urn:partner">{text}</Note>')
    assert "lenient" not in raised.value.message
