"""SOAP encoding (SOAP-30 to SOAP-32): requests with their types, and answers in literal form."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final, NoReturn, Union

from .._base import Limits, shown
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
from .._xml.scope import BASE, Scope
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
_INDEX: Final = re.compile(r"\[([0-9]{1,9})\]")
#: As many elements within one another as this program can follow.
_MAX_DEPTH: Final = 500
#: What an element and an attribute take in memory (LIM-18).
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
        """The name of a value's type; None if its element does not say one."""
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


class _Element:
    """An element of the message, with all that it holds."""

    __slots__ = ("attributes", "content", "scope", "tag", "target")

    def __init__(self, tag: str, attributes: Sequence[tuple[str, str]], scope: Scope) -> None:
        self.tag = tag
        self.attributes = attributes
        self.scope = scope
        self.content: list[_Content] = []
        self.target: _Element | None = None
        """What it refers to, once that is known."""

    def get(self, name: str) -> str | None:
        return next((value for known, value in self.attributes if known == name), None)

    @property
    def elements(self) -> list[_Element]:
        return [each for each in self.content if isinstance(each, _Element)]


_Content = Union[str, _Element]


def _built(x: Tree, e: Node) -> _Element:
    made = _Element(e.tag, x.attributes(e), x.scope(e))
    x.charge(_ELEMENT_SIZE + _ATTRIBUTE_SIZE * len(made.attributes))
    x.enter(1)
    for each in x.content(e):
        made.content.append(_built(x, each) if isinstance(each, Node) else each)
    x.enter(-1)
    return made


def literal(
    source: Source, response: TextMessage | None, throws: Sequence[TextRecord]
) -> Source:
    """An encoded answer in the form of a literal one (SOAP-32).

    What is no envelope with a body is left as it is: whoever reads it says what is wrong.

    :raises Problem: its path is empty if the document is not well-formed.
    """

    def build(x: Tree, e: Node) -> _Element:
        made = _built(x, e)
        x.finish()
        return made

    root: _Element = closely(source, BASE, build)
    uri, local = split(root.tag)
    body = next((each for each in root.elements if each.tag == expanded(uri, "Body")), None)
    if uri not in _ENVELOPES or local != "Envelope" or body is None:
        return source
    try:
        text = _Form(body, uri, source.limits, throws).envelope(root, response)
    except Problem as problem:
        problem.path.append("envelope")
        raise
    return Source(text.encode(), 0, source.memory, source.limits)


class _Around:
    """The prefixes that are declared around an element of the literal form."""

    __slots__ = ("scope", "uris")

    def __init__(self, scope: Scope | None, uris: Mapping[str, str]) -> None:
        self.scope = scope
        self.uris = uris

    def within(self, scope: Scope) -> _Around:
        """Those within an element of a scope."""
        if scope is self.scope:
            return self
        return _Around(scope, {**self.uris, **scope.bindings()})

    def declarations(self, outer: _Around) -> str:
        """What a start tag declares; no default namespace, since elements of values have none."""
        if self is outer:
            return ""
        return "".join(
            f' xmlns:{prefix}="{escape_attribute(uri)}"'
            for prefix, uri in self.uris.items()
            if prefix and prefix != "xml" and outer.uris.get(prefix) != uri
        )


_NONE: Final = _Around(None, {})


class _Form:
    """Writes the literal form of one message."""

    def __init__(
        self, body: _Element, envelope: str, limits: Limits, throws: Sequence[TextRecord]
    ) -> None:
        self._body = body
        self._envelope = envelope
        self._limits = limits
        self._throws = {record.local: record.namespace for record in throws}
        self._out: list[str] = []
        self._ids: dict[str, _Element | None] = {}
        """By its id; None if several elements have it."""
        self._open: set[int] = set()
        """Elements that are being written."""
        self._referring = 0
        self._room = limits.max_message_size
        self._missing = limits.max_empty_items
        self._levels = 0
        waiting = [body]
        while waiting:
            for each in waiting.pop().elements:
                name = each.get("id")
                if name is not None:
                    self._ids[name] = None if name in self._ids else each
                waiting.append(each)

    def envelope(self, root: _Element, response: TextMessage | None) -> str:
        """The whole document."""
        self._put(f'<s:Envelope xmlns:s="{self._envelope}">')
        for each in root.elements:
            if each is self._body:
                self._write_body(response)
            else:
                self._kept(each, _MAX_DEPTH, _NONE)
        self._put("</s:Envelope>")
        return "".join(self._out)

    def _put(self, text: str) -> None:
        self._out.append(text)
        if self._referring:
            self._room -= len(text.encode())
            if self._room < 0:
                limit = self._limits.max_message_size
                message = f"what elements refer to is longer than {limit} bytes"
                raise beyond("maxMessageSize", limit, message, 0)

    def _write_body(self, response: TextMessage | None) -> None:
        found = self._body.elements
        root = expanded(ENCODING, "root")
        first = next(iter(found), None)
        message = next((each for each in found if (each.get(root) or "").strip() == "1"), first)
        self._put("<s:Body>")
        self._put(escape("".join([each for each in self._body.content if isinstance(each, str)])))
        if message is not None and message.tag == expanded(self._envelope, "Fault"):
            self._kept(message, 2, _NONE)
        elif message is not None and response is not None:
            tag, own = self._named(response.namespace, response.local, message.scope)
            result = not response.bare and response.fields
            # What its attributes say, such as that it is nil, means nothing.
            message.attributes = ()
            self._element(message, tag, own, _NONE, [response.fields[0].local] if result else ())
        elif message is not None:
            self._kept(message, _MAX_DEPTH, _NONE)
        self._put("</s:Body>")

    def _named(self, uri: str, local: str, scope: Scope) -> tuple[str, str]:
        """A name with a prefix that nothing else uses, and its declaration."""
        if not uri:
            return local, ""
        prefix = "m"
        while scope.uri(prefix) is not None:
            prefix += "m"
        return f"{prefix}:{local}", f' xmlns:{prefix}="{escape_attribute(uri)}"'

    def _kept(self, e: _Element, levels: int, outer: _Around) -> None:
        """An element under its own name, and so many levels of those within it."""
        uri, local = split(e.tag)
        target = e
        if not levels:
            # An element of a detail.
            target = self._target(e)
            uri = self._throws.get(local, uri)
        tag, own = self._named(uri, local, target.scope)
        refers = target is not e
        self._referring += refers
        declared = outer.within(target.scope)
        self._put(self._start(target, tag, own, declared, outer, plain=not levels))
        for each in target.content:
            if isinstance(each, str):
                self._put(escape(each))
            elif levels:
                self._kept(each, levels - 1, declared)
            else:
                self._element(each, split(each.tag)[1], "", declared, ())
        self._put(f"</{tag}>")
        self._referring -= refers

    def _element(
        self, e: _Element, tag: str, own: str, outer: _Around, names: Sequence[str]
    ) -> None:
        """An element of a value, under another name; ``names`` are those of the first within it."""
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
        declared = outer.within(target.scope)
        self._put(self._start(target, tag, own, declared, outer))
        if self._is_array(target):
            self._array(target, declared)
        else:
            given = iter(names)
            for each in target.content:
                if isinstance(each, str):
                    self._put(escape(each))
                else:
                    self._element(each, next(given, split(each.tag)[1]), "", declared, ())
        self._put(f"</{tag}>")
        self._levels -= 1
        self._referring -= refers
        self._open.discard(id(target))

    def _start(
        self,
        e: _Element,
        tag: str,
        own: str,
        declared: _Around,
        outer: _Around,
        plain: bool = True,
    ) -> str:
        """A start tag; ``plain``: without the attributes of the encoding."""
        declarations = declared.declarations(outer)
        attributes = [
            self._attribute(name, value, declared.uris)
            for name, value in e.attributes
            if not (plain and self._is_encoding(name, value))
        ]
        return f"<{tag}{own}{declarations}{''.join(attributes)}>"

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

    def _array(self, e: _Element, declared: _Around) -> None:
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
            self._put(f'<item xmlns:i="{XSI_NAMESPACE}" i:nil="true"/>' * (at - written))
            self._element(each, "item", "", declared, ())
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
        for uri in (XSI_NAMESPACE, *_OLD_XSI):
            prefix, colon, local = (e.get(expanded(uri, "type")) or "").strip(WHITE).rpartition(":")
            if local == "Array" and e.scope.uri(prefix if colon else "") == ENCODING:
                return True
        return False

    def _is_encoding(self, name: str, value: str) -> bool:
        """Whether an attribute is one of the encoding, which means nothing in literal form."""
        if name == "href":
            return value.strip(WHITE).startswith("#")
        return name == "id" or split(name)[0] in (ENCODING, *_ENVELOPES)

    def _attribute(self, name: str, value: str, declared: Mapping[str, str]) -> str:
        uri, local = split(name)
        text = escape_attribute(value)
        if uri in _OLD_XSI:
            uri, local = XSI_NAMESPACE, "nil" if local == "null" else local
        own = ""
        if (uri, local) == (XSI_NAMESPACE, "type") and ":" not in value and declared.get(""):
            # The default namespace is not declared in literal form.
            own = f' xmlns:_="{escape_attribute(declared[""])}"'
            text = f"_:{text.strip()}"
        if not uri:
            return f' {local}="{text}"'
        if uri == XML_NAMESPACE:
            return f' xml:{local}="{text}"'
        prefix = next((known for known, bound in declared.items() if known and bound == uri), None)
        if prefix is None:
            return f'{own} xmlns:_{local}="{uri}" _{local}:{local}="{text}"'
        return f'{own} {prefix}:{local}="{text}"'

    def _fail(self, message: str) -> NoReturn:
        raise Problem(message, 0)
