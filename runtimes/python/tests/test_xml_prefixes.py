"""Prefixes of XML: how often one is looked for, and what elements that are kept as XML declare."""

# pyright: reportPrivateUsage=false
from __future__ import annotations

import re
from typing import Any

import pytest

from creo import CreoError, ErrorCode, Limits
from creo._xml.scope import Scope
from partner import Open


class Counted(dict[str, str]):
    """Prefixes that count how often one of them was looked for."""

    looked = 0

    def get(self, key: str, default: Any = None) -> Any:
        Counted.looked += 1
        return super().get(key, default)


def test_a_prefix_is_not_looked_for_in_every_element_around() -> None:
    scope = Scope(None, Counted(xml="urn:xml"))
    for level in range(400):
        scope = Scope(scope, Counted({f"p{level}": f"urn:{level}", "q": f"urn:q{level}"}))
        Counted.looked = 0
        for outer in range(0, level + 1, 7):
            assert scope.uri(f"p{outer}") == f"urn:{outer}"
        assert scope.uri("q") == f"urn:q{level}"
        assert scope.uri("r") is None
        assert Counted.looked <= 17 * (level // 7 + 3)


def bound(prefixes: int, elements: str, uri: str = "urn:") -> str:
    """A document of ``Open`` with this many prefixes around its elements."""
    all_of_it = " ".join(f'xmlns:p{i}="{uri}{i}"' for i in range(prefixes))
    return f'<o:Open xmlns:o="urn:partner" {all_of_it} a="1"><o:known>k</o:known>{elements}<o:raw/></o:Open>'


def test_elements_that_are_kept_cost_what_they_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[str] = []
    uri = Scope.uri

    def counted(self: Scope, prefix: str) -> str | None:
        looked.append(prefix)
        return uri(self, prefix)

    monkeypatch.setattr(Scope, "uri", counted)
    limits = Limits(max_xml_attributes=1_001)
    for count in (500, 1_000):
        looked.clear()
        elements = "".join(f'<p{i % 900}:a t="12:30:45"/>' for i in range(count))
        value = Open.from_xml(bound(900, elements), limits=limits)
        for i in range(count):
            p = f"p{i % 900}"
            assert value.rest[i] == f'<{p}:a xmlns:{p}="urn:{i % 900}" t="12:30:45"/>'
        # The default namespace, its own prefix, those of the time; and the names of the elements.
        assert len(looked) <= 6 * count + 50


def test_declarations_of_elements_that_are_kept_are_limited() -> None:
    uri = "u" * 1_000
    for allowed in (20_000, 200_000):
        limits = Limits(max_xml_text=allowed)
        fit = allowed // len(f' xmlns:p0="{uri}0"')
        assert len(Open.from_xml(bound(1, "<p0:a/>" * fit, uri), limits=limits).rest) == fit
        xml = bound(1, "<p0:a/>" * (fit + 1), uri)
        with pytest.raises(CreoError) as caught:
            Open.from_xml(xml, limits=limits)
        assert caught.value.code is ErrorCode.TOO_LARGE
        assert caught.value.details["limit"] == "maxXmlText"


@pytest.mark.parametrize(
    ("around", "element", "added"),
    [
        ('xmlns:a="urn:a" xmlns:b="urn:b"', "<a:x/>", ' xmlns:a="urn:a"'),
        ('xmlns:b="urn:b" xmlns:a="urn:a"', "<a:x>b:y</a:x>", ' xmlns:a="urn:a" xmlns:b="urn:b"'),
        ('xmlns:b="urn:b" xmlns:a="urn:a"', "<a:x>b::y</a:x>", ' xmlns:a="urn:a" xmlns:b="urn:b"'),
        ('xmlns:b="urn:b" xmlns:a="urn:a"', "<a:x>ab:y -b:y .b: \u00e9b: :b: b</a:x>", ' xmlns:a="urn:a"'),
        ('xmlns:b="urn:b" xmlns:a="urn:a"', '<x xmlns:a="urn:c">a:y</x>', ""),
        ('xmlns:xml="http://www.w3.org/XML/1998/namespace"', '<x xml:lang="en"/>', ""),
        ('xmlns:a="&amp;&lt;&gt;&quot;&#9;&#10;&#13;"', "<x>(a:b)</x>", ' xmlns:a="&amp;&lt;&gt;&quot;&#9;&#10;&#13;"'),
    ],
)  # fmt: skip
def test_an_element_gets_what_it_names(around: str, element: str, added: str) -> None:
    xml = f'<o:Open xmlns:o="urn:partner" {around} a="1"><o:known>k</o:known>{element}<o:raw/></o:Open>'
    name = re.match("<[a-z:]+", element)
    assert name is not None
    assert Open.from_xml(xml).rest == (name[0] + added + element[name.end() :],)
