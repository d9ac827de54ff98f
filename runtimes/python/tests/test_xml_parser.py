"""Where the standard library's XML parser would differ from the specification."""

from __future__ import annotations

import pytest

from creo import Limits
from partner import Open
from sample import Data, MetaData, Query
from test_xml import DATA, fails, meta, sample


@pytest.mark.parametrize("wrong", ["</d>", "</d><d>", "<a/></d><d>", "</d><!-- -->", "<d/></d>"])
def test_no_document_ends_what_is_around_it(wrong: str) -> None:
    """Documents are read as the content of an element."""
    xml = DATA.to_xml().decode()
    for other in (xml + wrong, wrong + xml, xml.replace("<n1:metadata>", wrong + "<n1:metadata>")):
        fails("malformed", Data.from_xml, other)


def test_names_that_the_parser_does_not_know() -> None:
    """It knows those of the fourth edition of XML 1.0; names have had more characters since."""
    for name in ("\u1200", "a\U0001f600", "\u2c00:\u1780"):
        prefix = f" xmlns:{name.partition(':')[0]}='urn:u'" if ":" in name else ""
        unknown = f"<{name}{prefix} {name}='1'>\u1200<!-- --></{name}>"
        xml = sample(f"{unknown}<a:description>\u1200\u4e00</a:description>", "Query")
        assert Query.from_xml(xml) == Query("\u1200\u4e00")
        wrong = xml.replace("</a:Q", "<a:limit>x</a:limit></a:Q")
        error = fails("malformed", Query.from_xml, wrong)
        assert error.offset == wrong.encode().index(b">x<") + 1
        fails("malformed", Query.from_xml, xml.replace(f"</{name}>", "</b>"))
    value = Open.from_xml('<Open xmlns="urn:partner" a="1"><known/><\u1200>t</\u1200><raw/></Open>')
    assert value.rest == ('<\u1200 xmlns="urn:partner">t</\u1200>',)
    for name in ("\u0300a", "\u00d7", "a\u00d7", "\u2190"):
        fails("malformed", Query.from_xml, sample(f"<a:description/><{name}/>", "Query"))


def test_what_a_document_type_would_do_is_never_done() -> None:
    bomb = "<!DOCTYPE a [<!ENTITY b 'bb'><!ENTITY c '&b;&b;'>]>"
    for xml in (bomb + meta("&c;"), "<!-- -->" + bomb + meta("&c;"), meta(bomb + "&c;")):
        assert "document type" in str(fails("malformed", MetaData.from_xml, xml))
    assert "processing" in str(fails("malformed", MetaData.from_xml, meta("<?a b?>")))


def test_many_names_do_not_pile_up() -> None:
    names = "".join(f"<n{i}/>" for i in range(20_000))
    xml = "<!-- -->" + sample(f"<a:description/>{names}", "Query")
    assert Query.from_xml(xml) == Query("")
    limits = Limits(max_memory=1_000_000)
    assert fails("too-large", Query.from_xml, xml, limits=limits).details["limit"] == "maxMemory"
