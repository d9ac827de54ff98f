"""A document as expat reads it, piece by piece: positions, prefixes, limits (XML-40 to XML-45).

An element is passed on as soon as it begins, so content before an error is read first, and is
released after reading. An error is a ``Problem`` with its position; the caller adds the path.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any, Callable, Final, TypeVar, Union
from xml.parsers import expat

from .._base import DEFAULT_LIMITS, shown
from .._binary import FAILURES, Bad
from .._text.lexical import WHITE
from .._text.read import Problem, beyond, no_memory
from .document import Source
from .forms import escape_attribute
from .names import BEFORE_COLON, OTHER_NAME_CHARACTER, QNAME
from .scope import BASE, Scope
from .tree import CLOSING, SKIPS, Tree, expanded, opening, tree

T = TypeVar("T")

_ATTRIBUTE: Final = re.compile(
    """[ \t\r\n]+([^\\s<>/=&'"!?]+)[ \t\r\n]*=[ \t\r\n]*(?:"[^<"]*"|'[^<']*')"""
)
_ATTRIBUTES: Final = re.compile(rb"""[^\s<>/=&'"!?][ \t\r\n]*=[ \t\r\n]*(?:"[^<"]*"|'[^<']*')""")
_SEPARATOR: Final = "\x01"
#: The number of bytes to parse between calls of readers.
_PIECE: Final = 65_536
#: The number of free names in a document before they count as memory (LIM-18), and the charge.
_NAMES: Final = 4_096
_NAME_SIZE: Final = 300

_DOCTYPE: Final = b"<!DOCTYPE"
_INVALID: Final = expat.errors.codes[expat.errors.XML_ERROR_INVALID_TOKEN]


class OtherNames(Exception):
    """A name has characters that expat does not accept: those added by XML 1.0's fifth edition."""


class Node:
    """An element that has begun."""

    __slots__ = (
        "attributes", "closed", "end", "inner", "kids", "name", "outer", "p", "scope", "size",
        "stop", "tag",
    )  # fmt: skip

    def __init__(self, tag: str, name: str, p: int, outer: Scope, scope: Scope) -> None:
        self.tag = tag
        """``{uri}local``, or ``local``."""
        self.name = name
        """The name as written."""
        self.p = p
        self.inner = -1
        """The start of the content."""
        self.end = -1
        """The start of the end tag."""
        self.stop = -1
        self.outer = outer
        self.scope = scope
        self.attributes: dict[str, str] = {}
        self.kids: deque[Kid] = deque()
        """Content that was not read yet."""
        self.size = 0
        """The size of the text read last."""
        self.closed = False

    def get(self, name: str) -> str | None:
        """The value of an attribute."""
        return self.attributes.get(name)


#: An element, or a text and its position.
Kid = Union[Node, "tuple[str, int]"]


class Scan(Tree):
    """A document being read exactly."""

    __slots__ = (
        "_around", "_base", "_data", "_expat", "_failed", "_fed", "_found", "_held", "_last",
        "_mark", "_names", "_own", "_stack", "_text_limit",
    )  # fmt: skip

    exact = True

    def __init__(self, source: Source, scope: Scope = BASE, mark: str = "") -> None:
        """``mark`` begins the replacement for name characters that expat does not accept."""
        super().__init__(source)
        head = opening(scope)
        self._data = head + source.data + CLOSING
        self._base = source.base - len(head)
        self._mark = re.compile(f"{mark}([0-9a-f]{{6}})") if mark else None
        self._fed = 0
        self._found = 0
        """Events of the parser."""
        self._failed: Problem | None = None
        self._names: dict[str, tuple[str, str]] = {}
        self._held = 0
        self._last = self._base
        """The start of the last element passed on."""
        limit = self.limits.max_xml_text
        self._text_limit = self.limits.max_message_size if limit is None else limit
        self._own: dict[str, str] = {}
        self._around = Node("", "", self._base, scope, scope)
        self._stack = [self._around]
        made = self._expat = expat.ParserCreate("utf-8", _SEPARATOR)
        made.namespace_prefixes = True
        made.ordered_attributes = True
        made.StartElementHandler = self._first
        made.EndElementHandler = self._end
        made.CharacterDataHandler = self._characters
        made.StartNamespaceDeclHandler = self._declare
        made.StartCdataSectionHandler = self._section
        made.ProcessingInstructionHandler = self._instruction

    # Events of the parser

    def _here(self) -> int:
        self._found += 1
        return self._base + self._expat.CurrentByteIndex

    def _first(self, name: str, given: Sequence[str]) -> None:
        """The element around the document."""
        self._own = {}
        self._expat.StartElementHandler = self._start

    def _start(self, name: str, given: Sequence[str]) -> None:
        limits, p = self.limits, self._here()
        above = self._stack[-1]
        if above.inner < 0:
            above.inner = p
        above.size = 0
        if len(self._stack) > limits.max_xml_depth:
            allowed = limits.max_xml_depth
            raise beyond("maxXmlDepth", allowed, f"elements nest deeper than {allowed}", p)
        tag, raw = self._named(name, p)
        own, outer = self._own, above.scope
        scope = outer
        if own:
            self._own = {}
            scope = Scope(outer, own)
            allowed = limits.max_xml_namespaces
            if scope.count > allowed:
                message = f"more than {allowed} declarations of namespaces are in scope"
                raise beyond("maxXmlNamespaces", allowed, message, p)
            for prefix, uri in own.items():
                self._check_name(f"xmlns:{prefix}" if prefix else "xmlns", p)
                self._check_text(len(uri.encode()), p)
        if len(given) // 2 + len(own) > limits.max_xml_attributes:
            raise self._too_many(p)
        node = Node(tag, raw, p, outer, scope)
        for i in range(0, len(given), 2):
            value = self._plain(given[i + 1])
            self._check_text(len(value.encode()), p)
            node.attributes[self._named(given[i], p)[0]] = value
        above.kids.append(node)
        self._stack.append(node)

    def _end(self, name: str) -> None:
        p = self._here()
        at = p - self._base
        if len(self._stack) == 1 and at < len(self._data) - len(CLOSING):
            raise Problem("an end tag occurs where no element ends", p)
        node = self._stack.pop()
        node.end = p
        if node.inner < 0:
            node.inner = p
        node.closed = True
        # After the tag of an empty element, else before its end tag.
        empty = node.inner == p and self._data.startswith(b"/>", at - 2) and not node.size
        node.stop = p if empty else self._base + self._data.index(b">", at) + 1
        if self._stack:
            self._stack[-1].size = 0

    def _characters(self, text: str) -> None:
        p = self._here()
        node = self._stack[-1]
        if node is self._around and self._data.startswith(b"&", p - self._base):
            raise Problem("a reference occurs outside the element", p)
        if node.inner < 0:
            node.inner = p
        node.size += len(text.encode())
        self._check_text(node.size, p)
        node.kids.append((text, p))

    def _section(self) -> None:
        p = self._here()
        if len(self._stack) == 1:
            raise Problem("a CDATA section occurs outside the element", p)

    def _declare(self, prefix: str | None, uri: str | None) -> None:
        self._own[self._plain(prefix or "")] = self._plain(uri or "")

    def _instruction(self, target: str, data: str) -> None:
        p = self._here()
        if not self.lenient:
            raise Problem(f"a processing instruction is refused{SKIPS}", p)

    def _named(self, name: str, p: int) -> tuple[str, str]:
        """The name of an element or attribute, and the written form."""
        found = self._names.get(name)
        if found is None:
            parts = self._plain(name).split(_SEPARATOR)
            uri, local, prefix = [*parts, ""][:3] if len(parts) > 1 else ("", parts[0], "")
            found = expanded(uri, local), f"{prefix}:{local}" if prefix else local
            self._check_name(found[1], p)
            if len(self._names) >= _NAMES:
                # The parser keeps all of them until the end.
                self._held += _NAME_SIZE + len(name)
                if self._held > self.limits.memory:
                    raise no_memory(self.limits, p)
                return found
            self._names[name] = found
        return found

    def _plain(self, text: str) -> str:
        """A text of the document with replaced characters restored."""
        mark = self._mark
        return text if mark is None else mark.sub(lambda found: chr(int(found[1], 16)), text)

    # Limits

    def _check_name(self, raw: str, p: int) -> None:
        allowed = self.limits.max_xml_name
        if 4 * len(raw) > allowed and len(raw.encode()) > allowed:
            raise beyond("maxXmlName", allowed, f"a name is longer than {allowed} bytes", p)
        if not raw.isascii() and QNAME.fullmatch(raw) is None:
            raise Problem(f"{shown(raw)!r} is no name", p)

    def _check_text(self, size: int, p: int) -> None:
        allowed = self._text_limit
        if size > allowed:
            raise beyond("maxXmlText", allowed, f"a text is longer than {allowed} bytes", p)

    def _too_many(self, p: int) -> Problem:
        allowed = self.limits.max_xml_attributes
        return beyond(
            "maxXmlAttributes", allowed, f"an element has more than {allowed} attributes", p
        )

    # Pieces

    def _more(self) -> None:
        """Parses more; fails if the document does not continue."""
        if self._failed is not None:
            self._failed.path.clear()
            raise self._failed
        found, size = self._found, _PIECE
        try:
            while self._found == found:
                last = self._fed + size >= len(self._data)
                piece = self._data[self._fed : self._fed + size]
                self._fed += len(piece)
                self._expat.Parse(piece, last)
                if last:
                    self._around.closed = True
                    return
                if self._found == found:
                    # Within a long token: the next pieces are larger.
                    self._check_pending()
                    size *= 2
        except expat.ExpatError as error:
            self._failed = self._problem(error)
        except Problem as problem:
            self._failed = problem
            problem.p = self._offset(problem.p)

    def _check_pending(self) -> None:
        """Enforces LIM-21 for a start tag without its end yet."""
        begin = max(self._expat.CurrentByteIndex, 0)
        allowed = self.limits.max_xml_attributes
        if not self._data.startswith((b"<!", b"<?"), begin):
            tag = _ATTRIBUTES.finditer(self._data, begin, self._fed)
            if next(islice(tag, allowed, None), None) is not None:
                raise self._too_many(self._base + begin)

    def _problem(self, error: expat.ExpatError) -> Problem:
        data, at = self._data, self._expat.ErrorByteIndex
        end = len(data) - len(CLOSING)
        said = expat.ErrorString(error.code)
        if max(at, self._expat.CurrentByteIndex) >= end:
            at, said = end, "the document ends too soon"
        elif data.startswith(_DOCTYPE, data.rfind(b"<", 0, at + 1)):
            said = "a document type declaration is refused"
        elif self._mark is None and error.code == _INVALID:
            found = data[at : at + 4].decode("utf-8", "ignore")
            if OTHER_NAME_CHARACTER.match(found) is not None:
                raise OtherNames
        return Problem(f"this is not well-formed: {said}", self._offset(self._base + at))

    def _offset(self, p: int) -> int:
        """A position in the original document."""
        if self._mark is None:
            return p
        before = self._data[: p - self._base].decode("utf-8", "ignore")
        return self._base + len(self._plain(before).encode())

    def charge(self, size: int) -> None:
        self.memory -= size
        if self.memory < 0:
            raise no_memory(self.limits, self._offset(self._last))

    # Elements

    def at(self, e: Any) -> int:
        return self._offset(e.p)

    def inner(self, e: Any) -> int:
        while e.inner < 0:
            self._more()
        return self._offset(e.inner)

    def end(self, e: Any) -> int:
        self.skip(e)
        return self._offset(e.end)

    def name(self, e: Any) -> str:
        found: str = e.name
        return found

    def scope(self, e: Any) -> Scope:
        found: Scope = e.scope
        return found

    def attributes(self, e: Any) -> Sequence[tuple[str, str]]:
        return list(e.attributes.items())

    def _kids(self, e: Any) -> Iterator[Kid]:
        """The content of an element in order; each element was read to its end."""
        while True:
            while e.kids:
                kid = e.kids.popleft()
                if isinstance(kid, Node):
                    self._last = kid.p
                    yield kid
                    self.skip(kid)
                else:
                    yield kid
            if e.closed:
                return
            self._more()

    def children(self, e: Any) -> Iterator[Any]:
        for kid in self._kids(e):
            if isinstance(kid, Node):
                yield kid
            elif kid[0].strip(WHITE) and not self.lenient:
                found = shown(self._plain(kid[0]).strip()[:40])
                message = f"text occurs where only elements are allowed: {found}{SKIPS}"
                raise Problem(message, self._offset(kid[1]))

    def elements(self, e: Any) -> Iterator[Any]:
        return (kid for kid in self._kids(e) if isinstance(kid, Node))

    def content(self, e: Any) -> Iterator[Any]:
        return (kid if isinstance(kid, Node) else self._plain(kid[0]) for kid in self._kids(e))

    def text(self, e: Any) -> str:
        parts: list[str] = []
        for kid in self._kids(e):
            if isinstance(kid, Node):
                message = f"an element occurs within the text of {e.name}"
                raise Problem(message, self._offset(kid.p))
            parts.append(kid[0])
        return self._plain("".join(parts))

    def words(self, e: Any) -> str:
        parts = [kid[0] for kid in self._kids(e) if not isinstance(kid, Node)]
        return self._plain("".join(parts))

    def skip(self, e: Any) -> None:
        while True:
            e.kids.clear()
            if e.closed:
                return
            for node in self._stack:
                # Its parent may also contain later elements.
                if node.p >= e.p:
                    node.kids.clear()
            self._more()

    def source(self, e: Any) -> str:
        self.skip(e)
        return self._plain(self._data[e.p - self._base : e.stop - self._base].decode())

    def raw(self, e: Any) -> str:
        text = self.source(e)
        self._check_text(len(text.encode()), self.at(e))
        text = text.replace("\r\n", "\n").replace("\r", "\n")
        head = len(e.name) + 1
        own = _declarations(text, head)
        added = ""
        for prefix in sorted({"", *BEFORE_COLON.findall(text)} - own - {"xml"}):
            uri = e.outer.uri(prefix)
            if uri:
                added += f' xmlns{":" if prefix else ""}{prefix}="{escape_attribute(uri)}"'
        if added:
            self.add_declared(added, e)
        return f"{text[:head]}{added}{text[head:]}"

    def add_declared(self, text: str, e: Any) -> None:
        self._declared += len(text.encode())
        if self._declared > self._text_limit:
            allowed = self._text_limit
            message = f"what declarations add to values is longer than {allowed} bytes"
            raise beyond("maxXmlText", allowed, message, self.at(e))

    # The document

    def root(self) -> Node:
        """The outermost element."""
        around = self._around
        while not around.closed or around.kids:
            while around.kids:
                kid = around.kids.popleft()
                if isinstance(kid, Node):
                    return kid
                if kid[0].strip(WHITE):
                    raise Problem("there is text before the element", self._offset(kid[1]))
            self._more()
        raise Problem("there is no element", self._offset(self._base + len(self._data)))

    def finish(self) -> None:
        for kid in self._kids(self._around):
            if isinstance(kid, Node) or kid[0].strip(WHITE):
                p = kid.p if isinstance(kid, Node) else kid[1]
                raise Problem("there is something after the outermost element", self._offset(p))


def _declarations(text: str, q: int) -> set[str]:
    """The prefixes declared by an element whose name ends at ``q``."""
    found: set[str] = set()
    while True:
        match = _ATTRIBUTE.match(text, q)
        if match is None:
            return found
        if match[1] == "xmlns" or match[1].startswith("xmlns:"):
            found.add(match[1][6:])
        q = match.end()


def _spelled(source: Source) -> tuple[Source, str]:
    """The same document with names that expat accepts, and the mark of replaced characters."""
    # Bytes that are no UTF-8 stay, and are found by the parser.
    text = source.data.decode("utf-8", "surrogateescape")
    mark = next(chr(n) for n in range(0x4E00, 0x9FA6) if chr(n) not in text)
    other = OTHER_NAME_CHARACTER.sub(lambda found: f"{mark}{ord(found[0]):06x}", text)
    return source.made(other.encode("utf-8", "surrogateescape"), source.base, source.memory), mark


def closely(source: Source, scope: Scope, read: Callable[[Tree, Any], T]) -> T:
    """The result of ``read`` for the outermost element, read exactly."""
    try:
        x = Scan(source, scope)
        return read(x, x.root())
    except OtherNames:
        source, mark = _spelled(source)
        x = Scan(source, scope, mark)
        return read(x, x.root())


def read_document(source: Source, scope: Scope, read: Callable[[Tree, Any], T]) -> T:
    """The result of ``read`` for the outermost element of a document.

    :raises Problem: with the first error.
    """
    made = tree(source, scope)
    if made is not None:
        try:
            return read(*made)
        except (*FAILURES, Problem):
            # It is wrong, or needs the exact reader.
            pass
    return closely(source, scope, read)


def check_element(text: str, name: str | None) -> None:
    """Fails unless the text is one complete element (XML-36), with this name if given."""

    def check(x: Tree, e: Any) -> None:
        if e.p or (name is not None and e.tag != name):
            raise Problem(f"its element is {e.name}", 0)
        x.skip(e)
        if e.stop != len(data):
            raise Problem("there is something after the element", e.stop)
        x.finish()

    data = text.encode()
    limits = DEFAULT_LIMITS
    try:
        if not text.startswith("<"):
            raise Problem("it begins with no element", 0)
        closely(Source(data, 0, limits.memory, limits), BASE, check)
    except Problem as problem:
        raise Bad(f"this is not the element that is expected: {problem.message}") from None
