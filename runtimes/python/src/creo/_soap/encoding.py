"""SOAP encoding (SOAP-30 to SOAP-32): typed requests, and answers in literal form."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, NoReturn, Union

from .._base import shown
from .._text import (
    TextEnum,
    TextField,
    TextMessage,
    TextOptional,
    TextRecord,
    TextScalar,
    TextUnion,
    TextValue,
    TextWrapped,
)
from .._text.lexical import WHITE
from .._text.read import Problem, beyond
from .._text.write import Form
from .._xml.document import Source
from .._xml.forms import escape, escape_attribute
from .._xml.names import XML_NAMESPACE, XSI_NAMESPACE
from .._xml.scan import Node, closely
from .._xml.scope import BASE
from .._xml.tree import Tree, expanded, split
from .._xml.write import Dialect

ENCODING: Final = "http://schemas.xmlsoap.org/soap/encoding/"
_SCHEMA: Final = "http://www.w3.org/2001/XMLSchema"
_ENVELOPES: Final = (
    "http://schemas.xmlsoap.org/soap/envelope/",
    "http://www.w3.org/2003/05/soap-envelope",
)
_OLD_XSI: Final = (
    "http://www.w3.org/1999/XMLSchema-instance",
    "http://www.w3.org/2000/10/XMLSchema-instance",
)
#: The XML Schema types of texts, by the words of ``TextScalar``.
_TYPES: Final = {
    "boolean": "boolean",
    "byte": "byte",
    "short": "short",
    "char": "unsignedShort",
    "int": "int",
    "long": "long",
    "float": "float",
    "double": "double",
    "String": "string",
    "DateTime": "dateTime",
    "Decimal": "decimal",
    "token": "token",
    "qname": "QName",
    "byte[]": "base64Binary",
    "hex": "hexBinary",
}
_XSI_TYPES: Final = frozenset(expanded(uri, "type") for uri in (XSI_NAMESPACE, *_OLD_XSI))
_INDEX: Final = re.compile(r"\[([0-9]{1,9})\]")
#: The max depth of elements that this program can follow.
_MAX_DEPTH: Final = 500
#: The memory charged for an element or attribute (LIM-18).
_ELEMENT_SIZE: Final = 160
_ATTRIBUTE_SIZE: Final = 64


# Requests


class EncodedDialect(Dialect):
    """The functions for the messages of encoded methods."""

    types_bases = True

    def typed(self, field: TextField) -> str:
        name = self._type(field.value, field.schema)
        if name is None or isinstance(field.value, TextWrapped):
            return ""
        return f' xsi:type="{name}"'.replace("%", "%%")

    def wrapped(self, head: str, tag: str, value: TextWrapped) -> Form:
        of = self.prefixes[ENCODING]
        items, kind = self.items(value.item), self._item_type(value.item)
        start = f'{head} xsi:type="{of}Array" {of}arrayType="{kind}['
        return lambda v, w: f'{start}{len(v)}]">{items(v, w)}</{tag}>'

    def _type(self, value: TextValue, schema: str) -> str | None:
        """The name of a value's type; None if its element has none."""
        if isinstance(value, TextOptional):
            return self._type(value.value, schema)
        if isinstance(value, (TextRecord, TextEnum)):
            return self.tag(value.local, value.namespace)
        if isinstance(value, TextScalar):
            return self.tag(schema or _TYPES[value.word], _SCHEMA)
        return None

    def _item_type(self, item: TextField) -> str:
        value = item.value.value if isinstance(item.value, TextOptional) else item.value
        if isinstance(value, TextWrapped):
            return f"{self._item_type(value.item)}[]"
        if isinstance(value, TextUnion) and value.derived and value.base >= 0:
            value = value.fields[value.base].value
        return self._type(value, item.schema) or self.tag("anyType", _SCHEMA)


_dialects: Final[dict[tuple[str, ...], EncodedDialect]] = {}


def encoded_dialect(namespaces: tuple[str, ...]) -> EncodedDialect:
    """The functions for encoded messages of these namespaces."""
    found = _dialects.get(namespaces)
    if found is None:
        found = _dialects[namespaces] = EncodedDialect(namespaces)
    return found


# Answers


class _Binding:
    """A bound prefix, and the binding before it."""

    __slots__ = ("before", "prefix", "uri")

    def __init__(self, prefix: str, uri: str, before: _Binding | None) -> None:
        self.prefix = prefix
        self.uri = uri
        self.before = before


class _Element:
    """An element of the body with its content."""

    __slots__ = (
        "around", "attributes", "bindings", "content", "is_array", "tag", "target", "type_uri",
    )  # fmt: skip

    def __init__(self, tag: str, attributes: Sequence[tuple[str, str]]) -> None:
        self.tag = tag
        self.attributes = attributes
        self.content: list[_Content] = []
        self.bindings: _Binding | None = None
        """The prefixes bound within it."""
        self.around: _Binding | None = None
        """The prefixes bound around it."""
        self.is_array = False
        """Whether its type is an array type."""
        self.type_uri = ""
        """The namespace of its type if the type's name has no prefix."""
        self.target: _Element | None = None
        """The element that it refers to, once known."""

    def get(self, name: str) -> str | None:
        return next((value for known, value in self.attributes if known == name), None)

    @property
    def elements(self) -> list[_Element]:
        return [each for each in self.content if isinstance(each, _Element)]


_Content = Union[str, _Element]


def literal(source: Source, response: TextMessage | None, throws: Sequence[TextRecord]) -> Source:
    """Converts an encoded answer to literal form (SOAP-32).

    Leaves a document without envelope and body unchanged: the reader finds the error.

    :raises Problem: its path is empty if the document is not well-formed.
    """

    def build(x: Tree, e: Node) -> Source:
        uri, local = split(e.tag)
        if uri not in _ENVELOPES or local != "Envelope":
            return source
        form = _Form(x, uri, response, throws)
        around: list[str] = []
        behind: list[str] = []
        body: _Element | None = None
        for each in x.elements(e):
            if body is None and each.tag == expanded(uri, "Body"):
                body = form.body(each)
            else:
                (around if body is None else behind).append(x.raw(each))
        x.finish()
        message = form.message(body) if body is not None else None
        if body is None or message is None:
            return source
        memory = x.memory
        try:
            text = form.envelope("".join(around), body, message, "".join(behind))
        except Problem as problem:
            problem.path.append("envelope")
            raise
        return source.made(text, 0, memory - len(text))

    return closely(source, BASE, build)


class _Form:
    """Writes the literal form of one message."""

    def __init__(
        self, x: Tree, envelope: str, response: TextMessage | None, throws: Sequence[TextRecord]
    ) -> None:
        self._x = x
        self._envelope = envelope
        self._response = response
        self._limits = x.limits
        self._throws = {record.local: record.namespace for record in throws}
        self._out: list[str] = []
        self._ids: dict[str, _Element | None] = {}
        """By id; None if several elements have the id."""
        self._prefixes: dict[str, str] = {}
        """All bound prefixes, with the namespace around the body; empty if bound only within it."""
        self._shadows = False
        """Whether an element rebinds a prefix of the surroundings."""
        self._open: set[int] = set()
        """Elements being written."""
        self._referring = 0
        self._room = x.limits.max_message_size
        self._missing = x.limits.max_empty_items
        self._levels = 0

    # Reading

    def body(self, e: Node) -> _Element:
        """The content of the body."""
        found = _Element(e.tag, ())
        # The literal form has no default namespace.
        for prefix, uri in self._x.scope(e).bindings().items():
            if prefix and prefix != "xml":
                self._prefixes[prefix] = uri
                found.bindings = _Binding(prefix, uri, found.bindings)
        self._read_content(found, e)
        return found

    def _read_content(self, made: _Element, e: Node) -> None:
        self._x.enter(1)
        for each in self._x.content(e):
            made.content.append(
                self._read(each, e, made.bindings) if isinstance(each, Node) else each
            )
        self._x.enter(-1)

    def _read(self, e: Node, outer: Node, around: _Binding | None) -> _Element:
        made = _Element(e.tag, self._x.attributes(e))
        scope = self._x.scope(e)
        own = {} if scope is self._x.scope(outer) else scope.own
        self._x.charge(_ELEMENT_SIZE + _ATTRIBUTE_SIZE * (len(made.attributes) + len(own)))
        made.around = made.bindings = around
        for prefix, uri in own.items():
            if prefix and prefix != "xml":
                self._shadows |= self._prefixes.setdefault(prefix, "") not in ("", uri)
                made.bindings = _Binding(prefix, uri, made.bindings)
        for name, value in made.attributes:
            if name == "id":
                self._ids[value] = None if value in self._ids else made
            elif name in _XSI_TYPES:
                prefix, _, local = value.strip(WHITE).rpartition(":")
                uri = scope.uri(prefix) or ""
                made.is_array |= local == "Array" and uri == ENCODING
                made.type_uri = "" if prefix else uri
        self._read_content(made, e)
        return made

    def message(self, body: _Element) -> _Element | None:
        """The element of the message; None if there is none to read."""
        found = body.elements
        root = expanded(ENCODING, "root")
        first = next(iter(found), None)
        message = next((each for each in found if (each.get(root) or "").strip() == "1"), first)
        if message is None or (self._response is None and not self._is_fault(message)):
            return None
        return message

    def _is_fault(self, message: _Element) -> bool:
        return message.tag == expanded(self._envelope, "Fault")

    # Writing

    def envelope(self, around: str, body: _Element, message: _Element, behind: str) -> bytes:
        """The whole document; ``around`` and ``behind`` precede and follow the body."""
        self._own = self._free("m")
        self._xsi = self._free("i")
        self._other = self._free("a")
        soap = self._free("s")
        self._put(f'<{soap}:Envelope xmlns:{soap}="{self._envelope}">{around}')
        declared = self._declarations(body, None)
        self._put(f'<{soap}:Body xmlns:{self._xsi}="{XSI_NAMESPACE}"{declared}>')
        self._put(escape("".join([each for each in body.content if isinstance(each, str)])))
        self._around = body.bindings
        self._write_message(message)
        self._put(f"</{soap}:Body>{behind}</{soap}:Envelope>")
        return "".join(self._out).encode()

    def _free(self, start: str) -> str:
        """A prefix that no bound prefix of the message begins with."""
        prefix = start
        n = 0
        while any(each.startswith(prefix) for each in self._prefixes):
            prefix = f"{start}{n}"
            n += 1
        return prefix

    def _put(self, text: str) -> None:
        self._out.append(text)
        size = len(text) if text.isascii() else len(text.encode())
        self._x.charge(size)
        if self._referring:
            self._room -= size
            if self._room < 0:
                limit = self._limits.max_message_size
                message = f"what elements refer to is longer than {limit} bytes"
                raise beyond("maxMessageSize", limit, message, 0)

    def _write_message(self, message: _Element) -> None:
        response = self._response
        if self._is_fault(message) or response is None:
            self._kept(message, 2)
            return
        result = not response.bare and response.fields
        # Its attributes, such as nil, have no meaning.
        message.attributes = ()
        names = [response.fields[0].local] if result else ()
        self._element(message, self._named(response.namespace, response.local), names)

    def _named(self, uri: str, local: str) -> tuple[str, str]:
        """A name with an unused prefix, and its declaration."""
        if not uri:
            return local, ""
        return f"{self._own}:{local}", f' xmlns:{self._own}="{escape_attribute(uri)}"'

    def _kept(self, e: _Element, levels: int) -> None:
        """Writes an element under its own name, with nested elements to a depth."""
        uri, local = split(e.tag)
        if not levels:
            # Writes an element of a detail.
            self._element(e, self._named(self._throws.get(local, uri), local), ())
            return
        tag, own = self._named(uri, local)
        self._put(self._start(e, tag, own, refers=False, plain=False))
        for each in e.content:
            if isinstance(each, str):
                self._put(escape(each))
            else:
                self._kept(each, levels - 1)
        self._put(f"</{tag}>")

    def _element(self, e: _Element, name: tuple[str, str], names: Sequence[str]) -> None:
        """Writes a value's element under another name; ``names`` are those of its children."""
        tag, own = name
        target = self._target(e)
        refers = target is not e
        if id(target) in self._open:
            self._fail("an element refers to itself")
        self._open.add(id(target))
        self._referring += refers
        self._levels += 1
        limit = self._limits.max_xml_depth
        if self._levels > min(limit, _MAX_DEPTH):
            raise beyond("maxXmlDepth", limit, f"elements nest deeper than {limit}", 0)
        self._put(self._start(target, tag, own, refers=refers, plain=True))
        if self._is_array(target):
            self._array(target)
        else:
            given = iter(names)
            for each in target.content:
                if isinstance(each, str):
                    self._put(escape(each))
                else:
                    self._element(each, (next(given, split(each.tag)[1]), ""), ())
        self._put(f"</{tag}>")
        self._levels -= 1
        self._referring -= refers
        self._open.discard(id(target))

    def _start(self, e: _Element, tag: str, own: str, *, refers: bool, plain: bool) -> str:
        """A start tag; ``plain``: without the attributes of the encoding.

        It declares the element's prefixes and, if it was referred to, those around it.
        """
        end = e.around if not refers else None if self._shadows else self._around
        attributes = [
            self._attribute(i, name, value, e.type_uri)
            for i, (name, value) in enumerate(e.attributes)
            if not (plain and self._is_encoding(name, value))
        ]
        return f"<{tag}{own}{self._declarations(e, end)}{''.join(attributes)}>"

    def _declarations(self, e: _Element, end: _Binding | None) -> str:
        """Declares an element's bindings, up to earlier ones."""
        declared: dict[str, str] = {}
        binding = e.bindings
        while binding is not None and binding is not end:
            declared.setdefault(binding.prefix, binding.uri)
            binding = binding.before
        return "".join(
            [f' xmlns:{prefix}="{escape_attribute(uri)}"' for prefix, uri in declared.items()]
        )

    def _target(self, e: _Element) -> _Element:
        """The element itself, or the one that it refers to."""
        if e.target is not None:
            return e.target
        seen = {id(e): e}
        while e.target is None:
            href = (e.get("href") or "").strip(WHITE)
            if not href.startswith("#"):
                break
            if any(isinstance(each, _Element) or each.strip(WHITE) for each in e.content):
                self._fail("an element that refers to another holds something")
            found = self._ids.get(href[1:])
            if found is None:
                self._fail(f"{shown(href)} refers to no element, or to several")
            if id(found) in seen:
                self._fail("an element refers to itself")
            e = seen[id(found)] = found
        target = e.target or e
        for each in seen.values():
            each.target = target
        return target

    def _array(self, e: _Element) -> None:
        at = self._index(e.get(expanded(ENCODING, "offset")), 0)
        written = 0
        for each in e.content:
            if isinstance(each, str):
                self._put(escape(each))
                continue
            at = self._index(each.get(expanded(ENCODING, "position")), at)
            if at < written:
                self._fail("the positions of an array go down")
            self._missing -= at - written
            if self._missing < 0:
                limit = self._limits.max_empty_items
                raise beyond("maxEmptyItems", limit, f"more than {limit} items are missing", 0)
            self._put(f'<item {self._xsi}:nil="true"/>' * (at - written))
            self._element(each, ("item", ""), ())
            at = written = at + 1

    def _index(self, text: str | None, usual: int) -> int:
        if text is None:
            return usual
        found = _INDEX.fullmatch(text.strip(WHITE))
        if found is None:
            self._fail(f"{shown(text)} is no position in an array of one dimension")
        return int(found[1])

    def _is_array(self, e: _Element) -> bool:
        kind = e.get(expanded(ENCODING, "arrayType"))
        if kind is not None:
            if re.search(r"\[[^\]]*,", kind):
                self._fail("an array of several dimensions is not read")
            return True
        return e.is_array

    def _is_encoding(self, name: str, value: str) -> bool:
        """Whether an attribute belongs to the encoding, without meaning in literal form."""
        if name == "href":
            return value.strip(WHITE).startswith("#")
        return name == "id" or split(name)[0] in (ENCODING, *_ENVELOPES)

    def _attribute(self, i: int, name: str, value: str, type_uri: str) -> str:
        uri, local = split(name)
        text = escape_attribute(value)
        if not uri:
            return f' {local}="{text}"'
        if uri == XML_NAMESPACE:
            return f' xml:{local}="{text}"'
        if uri == XSI_NAMESPACE or uri in _OLD_XSI:
            own = ""
            if local == "type" and type_uri:
                own = f' xmlns:{self._other}="{escape_attribute(type_uri)}"'
                text = f"{self._other}:{text.strip()}"
            return f'{own} {self._xsi}:{"nil" if local == "null" else local}="{text}"'
        prefix = f"{self._other}{i}"
        return f' xmlns:{prefix}="{escape_attribute(uri)}" {prefix}:{local}="{text}"'

    def _fail(self, message: str) -> NoReturn:
        raise Problem(message, 0)
