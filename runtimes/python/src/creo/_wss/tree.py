"""Messages as trees of elements.

A tree has no document type, no comments and no CDATA sections: two texts beside each other are one.
Elements keep their prefixes and declarations as they were written, which signatures depend on.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple, NoReturn, Union
from xml.parsers import expat

from .._base import DEFAULT_LIMITS, CreoError, ErrorCode, shown
from .._text.read import Problem
from .._xml.document import open_source
from . import names
from .reason import Reason

_MAX_DEPTH: Final = 500
_MAX_ATTRIBUTES: Final = 256
_WHITE: Final = " \t\r\n"
_NO_DECLARATIONS: Final[Mapping[str, str]] = {}


class Attribute(NamedTuple):
    """An attribute that is no declaration."""

    prefix: str
    """Empty if it has none."""
    space: str
    local: str
    value: str

    @property
    def name(self) -> str:
        """As it is written."""
        return f"{self.prefix}:{self.local}" if self.prefix else self.local


class Instruction(NamedTuple):
    """A processing instruction."""

    target: str
    data: str


class Element:
    """An element at its place."""

    __slots__ = ("attributes", "children", "declared", "local", "parent", "prefix", "space")

    def __init__(self, prefix: str, space: str, local: str, parent: Element | None) -> None:
        self.prefix = prefix
        self.space = space
        """The namespace; empty for none."""
        self.local = local
        self.parent = parent
        self.declared: Mapping[str, str] = _NO_DECLARATIONS
        """The namespaces that it declares, by prefix; ``""`` is the default namespace."""
        self.attributes: Sequence[Attribute] = ()
        self.children: Sequence[Node] = ()

    @property
    def name(self) -> str:
        """As it is written."""
        return f"{self.prefix}:{self.local}" if self.prefix else self.local

    def is_(self, space: str, local: str) -> bool:
        """Whether it has this name."""
        return self.local == local and self.space == space

    def elements(self) -> list[Element]:
        """The child elements."""
        return [child for child in self.children if isinstance(child, Element)]

    def attribute(self, space: str, local: str) -> Attribute | None:
        """The attribute with this name."""
        for found in self.attributes:
            if found.local == local and found.space == space:
                return found
        return None

    def get(self, local: str) -> str:
        """The value of an attribute without a namespace; empty if there is none."""
        found = self.attribute("", local)
        return "" if found is None else found.value

    def set(self, made: Attribute) -> None:
        """Sets an attribute, whose prefix is declared."""
        rest = (a for a in self.attributes if (a.space, a.local) != (made.space, made.local))
        self.attributes = [*rest, made]

    def unset(self, space: str, local: str) -> None:
        """Removes an attribute, if it is there."""
        self.attributes = [a for a in self.attributes if (a.space, a.local) != (space, local)]

    def only(self, space: str, local: str) -> Element | None:
        """The child element with this name; two are refused."""
        found = [child for child in self.elements() if child.is_(space, local)]
        if len(found) > 1:
            raise Reason.UNREADABLE.because(f"two elements {local} in {self.local}")
        return found[0] if found else None

    def required(self, space: str, local: str) -> Element:
        """As ``only``; none is refused, too."""
        found = self.only(space, local)
        if found is None:
            raise Reason.UNREADABLE.because(f"{self.local} without {local}")
        return found

    def text(self) -> str:
        """The text of an element that holds nothing else, without white space around it."""
        if not all(isinstance(child, str) for child in self.children):
            raise Reason.UNREADABLE.because(f"{self.local} that holds more than a text")
        return "".join(map(str, self.children)).strip(_WHITE)

    def insert(self, at: int, *nodes: Node) -> None:
        """Puts nodes before the child with this index."""
        for node in nodes:
            if isinstance(node, Element):
                node.parent = self
        self.children = [*self.children[:at], *nodes, *self.children[at:]]

    def append(self, node: Node) -> None:
        """Adds a last child."""
        self.insert(len(self.children), node)

    def index(self, child: Element) -> int:
        """The place of this very child."""
        return next(i for i, each in enumerate(self.children) if each is child)

    def replace(self, child: Element, *nodes: Node) -> None:
        """Puts nodes in the place of a child."""
        at = self.index(child)
        child.parent = None
        self.children = [*self.children[:at], *self.children[at + 1 :]]
        self.insert(at, *nodes)

    def remove(self, child: Element) -> None:
        """Removes a child."""
        self.replace(child)

    def lookup(self, prefix: str) -> str:
        """The namespace of a prefix here; empty for none."""
        at: Element | None = self
        while at is not None:
            if prefix in at.declared:
                return at.declared[prefix]
            at = at.parent
        return names.XML if prefix == "xml" else ""

    def scope(self) -> dict[str, str]:
        """The declared prefixes here, with their namespaces."""
        found: dict[str, str] = {}
        at: Element | None = self
        while at is not None:
            for prefix, uri in at.declared.items():
                found.setdefault(prefix, uri)
            at = at.parent
        return found

    def declare(self, prefix: str, uri: str) -> None:
        """Declares a prefix here."""
        self.declared = {**self.declared, prefix: uri}

    def add(self, prefix: str, space: str, local: str, before: Element | None = None) -> Element:
        """A new child, before another one or last, with a declaration if that is needed."""
        made = Element(prefix, space, local, self)
        self.insert(len(self.children) if before is None else self.index(before), made)
        if self.lookup(prefix) != space:
            made.declare(prefix, space)
        return made

    def put(self, text: str) -> None:
        """Makes a text the content."""
        self.children = [text]

    def all(self) -> Iterator[Element]:
        """This element and all within, in the order of the document."""
        waiting: list[Element] = [self]
        while waiting:
            element = waiting.pop()
            yield element
            waiting.extend(reversed(element.elements()))


Node = Union[Element, Instruction, str]


# Reading


def _malformed(why: str) -> CreoError:
    message = f"no document of XML, or one with a document type: {why}"
    return CreoError(ErrorCode.MALFORMED, message)


class _Reader:
    """Builds a tree of what the parser reports."""

    def __init__(self) -> None:
        self.root: Element | None = None
        self._open: list[Element] = []
        self._children: list[list[Node]] = [[]]
        self._texts: list[str] = []
        #: The namespaces of each prefix, the innermost last.
        self._scope: dict[str, list[str]] = {"": [""], "xml": [names.XML]}
        parser = expat.ParserCreate("utf-8")
        parser.ordered_attributes = True
        parser.buffer_text = True
        parser.StartDoctypeDeclHandler = self._doctype
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._texts.append
        parser.ProcessingInstructionHandler = self._instruction
        self._parser = parser

    def read(self, data: bytes) -> Element:
        try:
            self._parser.Parse(data, True)
        except expat.ExpatError as error:
            raise _malformed(str(error)) from error
        if self.root is None:
            raise _malformed("no element")
        return self.root

    def _doctype(self, *_: object) -> NoReturn:
        raise _malformed("a document type")

    def _start(self, name: str, written: list[str]) -> None:
        if len(self._open) >= _MAX_DEPTH:
            raise _malformed(f"elements nest deeper than {_MAX_DEPTH}")
        if len(written) > 2 * _MAX_ATTRIBUTES:
            raise _malformed(f"an element has more than {_MAX_ATTRIBUTES} attributes")
        declared: dict[str, str] = {}
        others: list[tuple[str, str, str]] = []
        for i in range(0, len(written), 2):
            key, value = written[i], written[i + 1]
            prefix, local = _split(key)
            if key == "xmlns" or prefix == "xmlns":
                declared[_declared("" if key == "xmlns" else local, value)] = value
            else:
                others.append((prefix, local, value))
        for prefix, uri in declared.items():
            self._scope.setdefault(prefix, []).append(uri)
        prefix, local = _split(name)
        parent = self._open[-1] if self._open else None
        element = Element(prefix, self._space(prefix), local, parent)
        if declared:
            element.declared = declared
        if others:
            element.attributes = [
                Attribute(p, self._space(p) if p else "", local, v) for p, local, v in others
            ]
            if len({(a.space, a.local) for a in element.attributes}) < len(others):
                raise _malformed(f"an attribute of {shown(name)} is there twice")
        self._text()
        if parent is None:
            self.root = element
        else:
            self._children[-1].append(element)
        self._open.append(element)
        self._children.append([])

    def _end(self, _: str) -> None:
        self._text()
        element = self._open.pop()
        children = self._children.pop()
        if children:
            element.children = children
        for prefix in element.declared:
            self._scope[prefix].pop()

    def _instruction(self, target: str, data: str) -> None:
        if self._open:
            self._text()
            self._children[-1].append(Instruction(target, data))

    def _text(self) -> None:
        if self._texts:
            self._children[-1].append("".join(self._texts))
            self._texts.clear()

    def _space(self, prefix: str) -> str:
        found = self._scope.get(prefix)
        if not found:
            raise _malformed(f"the prefix {shown(prefix)} is not declared")
        return found[-1]


def _split(name: str) -> tuple[str, str]:
    """The prefix and the local name."""
    prefix, colon, local = name.partition(":")
    if not colon:
        return "", name
    if not prefix or not local or ":" in local:
        raise _malformed(f"{shown(name)} is no name with a prefix")
    return prefix, local


def _declared(prefix: str, uri: str) -> str:
    """The prefix of a declaration that is allowed."""
    xml = prefix == "xml"
    if prefix == "xmlns" or uri == names.XMLNS or xml != (uri == names.XML) or (prefix and not uri):
        raise _malformed(f"a declaration of the prefix {shown(prefix)} that is not allowed")
    return prefix


def parse(data: bytes, charset: str | None) -> Element:
    """The root of a document.

    ``charset`` is known from elsewhere, or None.

    :raises CreoError: ``malformed`` if it is none.
    """
    try:
        source = open_source(data, DEFAULT_LIMITS, charset, 0)
    except Problem as problem:
        raise _malformed(problem.message) from None
    return _Reader().read(source.data)


# Writing


def escaped(text: str) -> str:
    """A text as content."""
    return (
        text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\r", "&#xD;")
    )  # fmt: skip


def quoted(text: str) -> str:
    """The value of an attribute."""
    return (
        text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace('"', "&quot;")
        .replace("\t", "&#x9;")
        .replace("\n", "&#xA;")
        .replace("\r", "&#xD;")
    )


def declaration(prefix: str, uri: str) -> str:
    """A declaration with the space before it."""
    return f' xmlns:{prefix}="{quoted(uri)}"' if prefix else f' xmlns="{quoted(uri)}"'


def written(node: Node, more: Mapping[str, str] = _NO_DECLARATIONS) -> str:
    """A node such that its canonical form stays as it is.

    ``more`` are declared at it, too, unless it declares their prefixes itself.
    """
    out: list[str] = []
    waiting: list[Node | _End] = [node]
    while waiting:
        each = waiting.pop()
        if isinstance(each, Element):
            out.append(f"<{each.name}")
            out += [declaration(p, uri) for p, uri in more.items() if p not in each.declared]
            more = _NO_DECLARATIONS
            out += [declaration(p, uri) for p, uri in each.declared.items()]
            out += [f' {a.name}="{quoted(a.value)}"' for a in each.attributes]
            out.append(">")
            waiting.append(_End(each.name))
            waiting.extend(reversed(each.children))
        elif isinstance(each, _End):
            out.append(f"</{each.name}>")
        elif isinstance(each, Instruction):
            out.append(instruction(each))
        else:
            out.append(escaped(each))
    return "".join(out)


def standalone(element: Element) -> str:
    """An element, with declarations of all prefixes in its scope."""
    return written(element, element.scope())


def instruction(node: Instruction) -> str:
    """A processing instruction."""
    return f"<?{node.target} {node.data}?>" if node.data else f"<?{node.target}?>"


class _End(NamedTuple):
    """The end of an element that is written."""

    name: str
