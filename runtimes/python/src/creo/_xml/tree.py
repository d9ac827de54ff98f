"""A document as the standard library's element tree, made by expat.

The tree has neither positions nor prefixes, and is built without regard to a reader's limits. Input
that needs those, because it is unusual or wrong, is a ``Doubt``: the document is then read again
from ``scan``, by the same readers.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import chain
from operator import attrgetter
from typing import Any, Final
from xml.etree.ElementTree import Element, ParseError, XMLParser

from .._base import CreoError, ErrorCode, Limits, shown
from .._text.lexical import WHITE
from .._text.read import Doubt, Parts, Problem, no_memory
from .document import Source
from .names import XSI_NAMESPACE
from .scope import Scope

_DECLARATION: Final = re.compile(
    rb"""[ \t\r\n]xmlns(?::([^\s=]{1,64}))?[ \t\r\n]*=[ \t\r\n]*(?:"([^"<]*)"|'([^'<]*)')"""
)
#: The max memory for the objects of elements and attributes without their texts, for each ``<`` and
#: each ``=``.
_ELEMENT_SIZE: Final = 80
_ATTRIBUTE_SIZE: Final = 200
#: More bytes than all of them take per byte.
_MAX_PER_BYTE: Final = 50
#: The max length of a name with its namespace that is surely within a usual LIM-22.
MAX_NAME: Final = 200
_USUAL_NAME: Final = 1_024
_WHITE: Final = WHITE.encode()

#: What errors of strict reading say about lenient reading (XML-52).
SKIPS: Final = " (lenient reading would skip it)"
MISSES: Final = " (lenient reading would take it as missing)"
ACCEPTS: Final = " (lenient reading would accept it)"

_NIL: Final = f"{{{XSI_NAMESPACE}}}nil"

tag_of: Final = attrgetter("tag")
text_of: Final = attrgetter("text")
tail_of: Final = attrgetter("tail")


class Tree:
    """A document being read."""

    __slots__ = (
        "_declared",
        "_scope",
        "lenient",
        "levels",
        "limits",
        "memory",
        "parts",
        "plain",
        "room",
        "used",
    )  # fmt: skip

    #: Whether it has positions and prefixes, and enforces all limits itself.
    exact = False

    def __init__(self, source: Source) -> None:
        limits = self.limits = source.limits
        self.lenient = source.lenient
        self.levels = limits.max_depth
        """Remaining levels of recursive types (BIN-13)."""
        self.room = limits.max_xml_depth
        """The number of elements that may still be opened."""
        self.memory = source.memory
        """The memory that the message may still take (LIM-18)."""
        self.parts: Parts | None = None
        """The parts of a multipart by id (SOAP-20)."""
        self.used: set[str] = set()
        self.plain = False
        """Whether no element has attributes, except declarations."""
        self._declared = 0
        """The declarations of the whole document."""
        self._scope: Scope | None = None

    def declare(self, data: bytes, scope: Scope) -> bool:
        """Notes a document's declarations; returns whether it is surely within the limits."""
        count = data.count(b"xmlns")
        if count > min(self.limits.max_xml_namespaces, self.limits.max_xml_attributes):
            return False
        own: dict[str, str] | None = {}
        root, p = data.find(b">"), 0
        for _ in range(count):
            p = data.find(b"xmlns", p)
            found = _DECLARATION.match(data, p - 1) if p else None
            if found is None:
                return False
            p = found.end()
            uri = found[2] or found[3] or b""
            if p > root or b"&" in uri:
                own = None
            elif own is not None:
                try:
                    own[(found[1] or b"").decode()] = uri.decode()
                except UnicodeDecodeError:
                    return False
        self._declared = count
        self._scope = None if own is None else Scope(scope, own)
        self.plain = data.count(b"=") == count
        return True

    def charge(self, size: int) -> None:
        """Charges the message (LIM-18)."""
        self.memory -= size
        if self.memory < 0:
            raise no_memory(self.limits, 0)

    def enter(self, height: int) -> None:
        """Takes room for nested elements (LIM-20)."""
        self.room -= height
        if self.room < 0 and not self.exact:
            raise Doubt

    # An element

    def at(self, e: Any) -> int:
        """The start of an element."""
        raise Doubt

    def inner(self, e: Any) -> int:
        """The index after its start tag."""
        raise Doubt

    def end(self, e: Any) -> int:
        """The start of its end tag."""
        raise Doubt

    def raw(self, e: Any) -> str:
        """A complete element in its written form, with the declarations that it needs (XML-36)."""
        raise Doubt

    def source(self, e: Any) -> str:
        """A complete element in its written form."""
        raise Doubt

    def name(self, e: Any) -> str:
        """The name of an element in its written form."""
        raise Doubt

    def add_declared(self, text: str, e: Any) -> None:
        """Counts bytes of values that come from declarations (XML-45)."""
        self._declared += len(text)
        if self._declared > self.limits.max_xml_name:
            raise Doubt

    def scope(self, e: Any) -> Scope:
        """The namespaces in scope within an element."""
        if self._scope is None:
            raise Doubt
        return self._scope

    def attributes(self, e: Any) -> Sequence[tuple[str, str]]:
        """The attributes of an element except declarations, by ``{uri}local`` or ``local``."""
        if self.plain:
            return ()
        found: list[tuple[str, str]] = e.items()
        if found:
            self._check_attributes(found)
        return found

    def _check_attributes(self, found: list[tuple[str, str]]) -> None:
        if len(found) + self._declared > self.limits.max_xml_attributes:
            raise Doubt
        if max([len(name) for name, _ in found]) > MAX_NAME:
            raise Doubt

    def children(self, e: Any) -> Iterable[Any]:
        """The elements within another, with only white space between them."""
        found = set(map(tail_of, e))
        found.add(e.text)
        if not is_white(found):
            raise Doubt
        return list(e)

    def elements(self, e: Any) -> Iterable[Any]:
        """The elements within another, ignoring text."""
        return list(e)

    def content(self, e: Any) -> Iterable[Any]:
        """The content of an element: texts and elements."""
        found: list[Any] = [e.text or ""]
        for inner in e:
            found += (inner, inner.tail or "")
        return found

    def text(self, e: Any) -> str:
        """The text of an element without child elements."""
        if len(e):
            raise Doubt
        found: str = e.text or ""
        return found

    def words(self, e: Any) -> str:
        """The text of an element, ignoring its child elements."""
        return (e.text or "") + "".join([inner.tail or "" for inner in e])

    def skip(self, e: Any) -> None:
        """Skips an element with its content."""
        depth = 0
        level: list[Any] = [e]
        while level:
            depth += 1
            for inner in level:
                if len(inner.tag) > MAX_NAME:
                    raise Doubt
                self.attributes(inner)
            level = list(chain.from_iterable(level))
        if depth > self.room:
            raise Doubt

    def finish(self) -> None:
        """Fails unless nothing follows the outermost element."""


def is_white(texts: set[str | None]) -> bool:
    """Whether these are only white space."""
    texts.discard(None)
    return not "".join([text or "" for text in texts]).strip(WHITE)


def tree(source: Source, scope: Scope) -> tuple[Tree, Element] | None:
    """A document and its outermost element; None if it needs the exact reader at once."""
    data, limits = source.data, source.limits
    if limits.max_xml_name < _USUAL_NAME or not _is_alone(data):
        return None
    if b"?" in data and b"<?" in data:
        return None
    if limits.max_xml_text is not None and len(data) > limits.max_xml_text:
        return None
    x = Tree(source)
    if not x.declare(data, scope):
        return None
    if _MAX_PER_BYTE * len(data) > source.memory:
        size = _ELEMENT_SIZE * data.count(b"<") + _ATTRIBUTE_SIZE * data.count(b"=")
        if len(data) + size > source.memory:
            return None
    parser = XMLParser(encoding="utf-8")
    try:
        parser.feed(opening(scope))
        parser.feed(data)
        parser.feed(CLOSING)
        around: Element = parser.close()
    except ParseError:
        return None
    if len(around) != 1 or not is_white({around.text, around[0].tail}):
        return None
    return x, around[0]


def _is_alone(data: bytes) -> bool:
    """Whether there is surely only white space around the outermost element."""
    first = data.lstrip(_WHITE)[:2]
    last = data.rfind(b"<")
    if first[:1] != b"<" or first == b"<!" or not data.rstrip(_WHITE).endswith(b">"):
        return False
    return data.startswith(b"</", last) or not data[:last].strip(_WHITE)


#: A document is parsed as the content of an element. A document type declaration is then an error
#: to the parser, in any position.
CLOSING: Final = b"</d>"


def opening(scope: Scope) -> bytes:
    """The start tag around a document."""
    said = [f' xmlns:{prefix}="{uri}"' for prefix, uri in scope.own.items() if prefix != "xml"]
    return f"<d{''.join(said)}>".encode()


# Attributes


def nil(x: Tree, e: Any) -> bool:
    """Whether ``xsi:nil`` marks an element as null (XML-21)."""
    if x.plain:
        return False
    value = e.get(_NIL)
    if value is None:
        return False
    text = value.strip(WHITE)
    if text not in ("true", "1", "false", "0"):
        raise Problem(f"xsi:nil is true or false, not {shown(value)!r}", x.at(e))
    return text in ("true", "1")


def plain(x: Tree, e: Any, extensible: bool = False) -> None:
    """Fails if an element that has no attributes has some (XML-26), or is said to be nothing.

    Those of an extensible type are skipped.
    """
    if x.plain:
        return
    if not extensible:
        refuse_attributes(x, e)
    if nil(x, e):
        raise not_optional(x, e)


def not_optional(x: Tree, e: Any) -> Problem:
    """An element says that it is nothing, and must be something."""
    problem = Problem("xsi:nil on what is not optional", x.at(e))
    problem.missing = True
    return problem


def empty(x: Tree, e: Any) -> None:
    """Reads an element that is nothing."""
    if x.text(e).strip(WHITE) and not x.lenient:
        raise Problem(f"an element that is nothing is empty{SKIPS}", x.inner(e))


def taken_as_missing(x: Tree, problem: Problem, *, may_miss: bool) -> bool:
    """Whether lenient reading goes on as if an element were not there, which has a problem.

    If strict reading does not, the message says so (XML-52).
    """
    if not problem.missing or problem.path:
        return False
    problem.missing = False
    if x.lenient:
        return True
    if may_miss:
        problem.message += MISSES
    return False


def refuse_attributes(x: Tree, e: Any, known: str = "") -> None:
    """Fails if an element has attributes without a namespace other than the known one."""
    for name, _ in x.attributes(e):
        if name[:1] != "{" and name != known and not x.lenient:
            raise Problem(f"an attribute that is not declared: {name}{SKIPS}", x.at(e))


def split(name: str) -> tuple[str, str]:
    """Namespace and local name of ``{uri}local`` or ``local``."""
    uri, closed, local = name.rpartition("}")
    return (uri[1:], local) if closed else ("", name)


def expanded(uri: str, local: str) -> str:
    """The name of an element or attribute."""
    return f"{{{uri}}}{local}" if uri else local


def too_nested(limits: Limits) -> CreoError:
    """The error for elements nested deeper than this program's stack."""
    allowed = limits.max_xml_depth
    details = {"limit": "maxXmlDepth", "allowed": str(allowed)}
    message = "elements nest deeper than this program can follow"
    return CreoError(ErrorCode.TOO_LARGE, message, place="$", details=details)


def error_of(problem: Problem, root: str, exact: bool = True) -> CreoError:
    """The error for a problem, with its path and, if ``exact``, its offset (XML-44)."""
    place = root + "".join(reversed(problem.path))
    offset = problem.p if exact else None
    return CreoError(
        problem.code, problem.message, place=place, offset=offset, details=problem.details
    )
