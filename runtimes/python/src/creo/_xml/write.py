"""Values as XML: writers made from the descriptions of ``_text`` (``spec/wires/xml.md``).

Each description becomes a function ``(value, state) -> str``, once for the namespaces of a message
(XML-2). A struct is one template with a list of functions for its values; those of nested structs
are included.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain, islice
from typing import Any, Final

from .._binary import Bad
from .._text import (
    ANY,
    ANY_ATTRIBUTE,
    ATTRIBUTE,
    INLINE,
    TEXT,
    TextEntries,
    TextEnum,
    TextField,
    TextOptional,
    TextRaw,
    TextRecord,
    TextRepeated,
    TextScalar,
    TextUnion,
    TextValue,
    TextWrapped,
    is_named,
    lexical,
)
from .._text.write import (
    MANY,
    MAX_LEAVES,
    MIN_PART,
    Form,
    Forms,
    Piece,
    TextWriting,
    is_packed,
    joined,
    many,
    or_else,
)
from .forms import escape_attribute, leaf_form
from .names import NCNAME, XML_NAMESPACE, XOP_NAMESPACE, XSI_NAMESPACE
from .qname import begin_names, has_names, name_attribute, name_element, name_form, take_missing

_NIL: Final = ' xsi:nil="true"'


class Dialect:
    """The prefixes of a message, and the functions made for them."""

    #: Whether ``xsi:type`` is written for the base member of a derived union too.
    types_bases = False

    def __init__(self, namespaces: tuple[str, ...]) -> None:
        self.prefixes = {uri: f"n{i}:" for i, uri in enumerate(namespaces, 1)}
        self._records: dict[int, tuple[Piece, Piece] | None] = {}
        self._forms: dict[int, Form] = {}
        self._many: dict[int, Forms] = {}

    def tag(self, local: str, namespace: str) -> str:
        """A name with its prefix."""
        if not namespace:
            return local
        return f"xml:{local}" if namespace == XML_NAMESPACE else self.prefixes[namespace] + local

    def any_attributes(self, taken: set[tuple[str, str]]) -> Form:
        """Undeclared attributes (XML-36)."""
        return _any_attributes(self.prefixes, taken)

    # Fields

    def field(self, field: TextField, extra: str = "") -> Piece:
        """A field at its position; ``extra`` follows its element's name."""
        if field.place == INLINE:
            return self._inline(field.value)
        value = field.value
        if isinstance(value, TextRaw):
            name = None if field.place == ANY else (field.namespace, field.local)
            return Piece("%s", [("", _raw_form(name))])
        if isinstance(value, TextOptional):
            inner = self.field(field.with_value(value.value), extra).form()
            nothing = self._nothing(field, extra.replace("%%", "%"))
            return Piece("%s", [("", or_else(inner, nothing))])
        if isinstance(value, TextRepeated):
            return Piece("%s", [("", self.items(field.with_value(value.value, value.nillable)))])
        tag = self.tag(field.local, field.namespace).replace("%", "%%")
        return self._element(tag, extra + self.typed(field), value)

    def typed(self, field: TextField) -> str:
        """The type in the start tag of a value, as part of a template."""
        return ""

    def _nothing(self, field: TextField, extra: str = "") -> str:
        """The replacement for an optional field that is None."""
        if not field.nillable:
            return ""
        tag = self.tag(field.local, field.namespace)
        return f"<{tag}{extra}{_NIL}></{tag}>"

    def _element(self, tag: str, extra: str, value: TextValue) -> Piece:
        if is_named(value):
            head, tail = f"<{tag}{extra}".replace("%%", "%"), f"</{tag}>".replace("%%", "%")
            return Piece("%s", [("", name_element(self.prefixes, head, tail, value))])
        leaf = leaf_form(value)
        if leaf is lexical.format_base64:
            leaf = _base64
        if leaf is not None:
            return Piece(f"<{tag}{extra}>%s</{tag}>", [("", leaf)])
        if isinstance(value, TextRecord):
            if value.type.recursive or has_names(value):
                return Piece("%s", [("", self._recursive(tag, extra, value))])
            attributes, content = self._record(value)
            leaves = attributes.leaves + content.leaves
            made = Piece(f"<{tag}{extra}{attributes.template}>{content.template}</{tag}>", leaves)
            return made if len(leaves) <= MAX_LEAVES else Piece("%s", [("", made.form())])
        if isinstance(value, TextUnion):
            return Piece("%s", [("", self._union_element(tag, extra, value))])
        if isinstance(value, TextWrapped):
            start = f"<{tag}{extra}".replace("%%", "%")
            return Piece("%s", [("", self.wrapped(start, tag, value))])
        head, tail = f"<{tag}{extra}>".replace("%%", "%"), f"</{tag}>"
        if isinstance(value, TextEntries):
            entries = self._entries(value)
            return Piece("%s", [("", lambda v, w: f"{head}{entries(v, w)}{tail}")])
        raise TypeError(f"not the value of an element: {value!r}")

    def wrapped(self, head: str, tag: str, value: TextWrapped) -> Form:
        """The element of an array, which begins with ``head`` (XML-23)."""
        items = self.items(value.item)
        return lambda v, w: f"{head}>{items(v, w)}</{tag}>"

    def _inline(self, value: TextValue) -> Piece:
        """XML-35."""
        if isinstance(value, TextOptional):
            inner = self._inline(value.value).form()
            return Piece("%s", [("", lambda v, w: "" if v is None else inner(v, w))])
        if isinstance(value, TextRepeated):
            piece = self._inline(value.value)
            return Piece("%s", [("", joined(piece))])
        if isinstance(value, TextRecord) and not value.type.recursive:
            content = self._record(value)[1]
            leaves = len(content.leaves)
            return content if leaves <= MAX_LEAVES else Piece("%s", [("", content.form())])
        if isinstance(value, TextRecord):
            return Piece("%s", [("", self._recursive_content(value))])
        if isinstance(value, TextUnion):
            return Piece("%s", [("", self._union(value))])
        raise TypeError(f"not an inline value: {value!r}")

    # Structs

    def _record(self, record: TextRecord) -> tuple[Piece, Piece]:
        """Attributes and content of a struct."""
        made = self._records.get(id(record))
        if made is None:
            made = self._records[id(record)] = self._make_record(record)
        return made

    def _make_record(self, record: TextRecord) -> tuple[Piece, Piece]:
        attributes, content = Piece("", []), Piece("", [])
        taken = {(f.namespace, f.local) for f in record.fields if f.place == ATTRIBUTE}
        for field, declared in zip(record.fields, record.declared):
            name = declared.attribute
            if field.place == ATTRIBUTE:
                piece, into = self._attribute(field), attributes
            elif field.place == ANY_ATTRIBUTE:
                piece = Piece("%s", [("", self.any_attributes(taken))])
                into = attributes
            elif field.place == TEXT:
                if isinstance(field.value, TextOptional):
                    attributes.template += "%s"
                    attributes.leaves.append((name, lambda v, w: _NIL if v is None else ""))
                piece, into = self._text(field.value), content
            else:
                piece, into = self.field(field), content
            into.template += piece.template
            into.leaves += piece.below(name)
        return attributes, content

    def _attribute(self, field: TextField) -> Piece:
        name = self.tag(field.local, field.namespace).replace("%", "%%")
        value = field.value
        if is_named(value):
            plain = name.replace("%%", "%")
            return Piece("%s", [("", name_attribute(self.prefixes, plain, value))])
        optional = isinstance(value, TextOptional)
        form = leaf_form(value.value if isinstance(value, TextOptional) else value, attribute=True)
        if form is None:
            raise TypeError("an attribute is one text")
        if not optional:
            return Piece(f' {name}="%s"', [("", form)])
        plain, given = name.replace("%%", "%"), form
        return Piece("%s", [("", lambda v, w: "" if v is None else f' {plain}="{given(v, w)}"')])

    def _text(self, value: TextValue) -> Piece:
        inner = value.value if isinstance(value, TextOptional) else value
        form = name_form(self.prefixes, inner) if is_named(inner) else leaf_form(inner)
        if form is None:
            raise TypeError("the text of an element is one text")
        given = _base64 if form is lexical.format_base64 else form
        if inner is value:
            return Piece("%s", [("", given)])
        return Piece("%s", [("", lambda v, w: "" if v is None else given(v, w))])

    def _recursive(self, tag: str, extra: str, record: TextRecord) -> Form:
        """An element of a recursive type, or with qualified names: made on first use."""
        head, tail = f"<{tag}{extra}".replace("%%", "%"), f"</{tag}>"
        content = self._recursive_content(record)
        attributes: list[Form] = []

        def write(v: Any, w: TextWriting) -> str:
            if not attributes:
                attributes.append(self._record(record)[0].form())
            begin_names(w)
            start = attributes[0](v, w)
            text = content(v, w)
            return f"{head}{start}{take_missing(w)}>{text}{tail}"

        return write

    def _recursive_content(self, record: TextRecord) -> Form:
        """The content of an element of such a type; recursive levels are counted (BIN-13)."""
        made: list[Form] = []
        levels = record.type.recursive

        def write(v: Any, w: TextWriting) -> str:
            w.depth -= levels
            if w.depth < 0:
                raise Bad
            if not made:
                made.append(self._record(record)[1].form())
            text = made[0](v, w)
            w.depth += levels
            return text

        return write

    # Unions

    def _union(self, union: TextUnion) -> Form:
        """The element of the member (XML-25)."""
        made = self._forms.get(id(union))
        if made is not None:
            return made
        members: dict[type, Form] = {}
        recursive = union.type.recursive

        def write(v: Any, w: TextWriting) -> str:
            if not members:
                for cls, field in zip(union.type.classes, union.fields):
                    members[cls] = self.field(field).form()
            if not recursive:
                return members[v.__class__](v.value, w)
            w.depth -= 1
            if w.depth < 0:
                raise Bad
            text = members[v.__class__](v.value, w)
            w.depth += 1
            return text

        self._forms[id(union)] = write
        return write

    def _union_element(self, tag: str, extra: str, union: TextUnion) -> Form:
        if union.derived:
            return self._derived(tag, extra, union)
        head, tail = f"<{tag}{extra}>".replace("%%", "%"), f"</{tag}>"
        member = self._union(union)
        return lambda v, w: f"{head}{member(v, w)}{tail}"

    def _derived(self, tag: str, extra: str, union: TextUnion) -> Form:
        """The element of a struct with ``xsi:type`` (XML-37)."""
        members: dict[type, Form] = {}

        def write(v: Any, w: TextWriting) -> str:
            if not members:
                for index, (cls, field) in enumerate(zip(union.type.classes, union.fields)):
                    record = field.value
                    if not isinstance(record, TextRecord):
                        raise TypeError("a member of a derived union is a struct")
                    name = self.tag(record.local, record.namespace).replace("%", "%%")
                    says = index != union.base or self.types_bases
                    kind = f' xsi:type="{name}"' if says else ""
                    members[cls] = self._element(tag, extra + kind, record).form()
            w.depth -= union.type.recursive
            if w.depth < 0:
                raise Bad
            text = members[v.__class__](v.value, w)
            w.depth += union.type.recursive
            return text

        return write

    # Arrays and maps

    def items(self, item: TextField) -> Form:
        """The elements of items."""
        value = item.value
        if isinstance(value, TextOptional) and item.place != INLINE:
            return joined(self.field(item.with_value(value.value)), nothing=self._nothing(item))
        piece = self.field(item)
        if isinstance(value, TextScalar) and value.code and piece.template != "%s":
            head, tail = (piece.template % "\0").split("\0")
            between, code = tail + head, value.code
            form = piece.form()

            def write(values: Any, w: TextWriting) -> str:
                if is_packed(values):
                    texts = lexical.texts_of(code, values)
                    return f"{head}{between.join(texts)}{tail}" if texts else ""
                return "".join([form(v, w) for v in values])

            return write
        return joined(piece)

    def _entries(self, value: TextEntries) -> Form:
        tag = self.tag("entry", value.key.namespace)
        key, item = self.field(value.key).form(), self.field(value.value).form()
        head, tail = f"<{tag}>", f"</{tag}>"
        all_keys, all_items = many(key), many(item)

        def write(v: Any, w: TextWriting) -> str:
            return "".join([f"{head}{key(k, w)}{item(i, w)}{tail}" for k, i in v.items()])

        def write_many(maps: Sequence[Any], w: TextWriting) -> Sequence[str]:
            keys = list(chain.from_iterable(maps))
            if w.parts is not None or not keys:
                return [write(each, w) for each in maps]
            items = [item for each in maps for item in each.values()]
            texts = zip(all_keys(keys, w), all_items(items, w))
            pairs = iter([f"{head}{k}{i}{tail}" for k, i in texts])
            return ["".join(islice(pairs, len(each))) for each in maps]

        MANY[write] = write_many
        return write


def _base64(value: Any, w: TextWriting) -> str:
    """``byte[]``; in a multipart, a reference to a part (SOAP-20)."""
    if w.parts is None or len(value) < MIN_PART:
        return lexical.format_base64(value)
    w.parts.append(bytes(value))
    part = f"cid:{len(w.parts) - 1}@creo"
    return f'<xop:Include xmlns:xop="{XOP_NAMESPACE}" href="{part}"></xop:Include>'


def _raw_form(name: tuple[str, str] | None) -> Form:
    """A complete element (XML-36), with this name if there is one."""

    def write(v: Any, w: TextWriting) -> str:
        from .scan import check_element
        from .tree import expanded

        text = str.__str__(v)
        check_element(text, None if name is None else expanded(*name))
        return text

    return write


def _any_attributes(prefixes: Mapping[str, str], taken: set[tuple[str, str]]) -> Form:
    """XML-36; the names of fields, and those with a meaning, are refused."""

    def write(v: Any, w: TextWriting) -> str:
        out: list[str] = []
        own: dict[str, str] = {}
        for name, text in v.items():
            uri, local = "", name
            if name.startswith("{"):
                uri, closed, local = name[1:].partition("}")
                if not closed or not uri:
                    raise Bad(f"{name!r:.100} is not the name of an attribute")
            if NCNAME.fullmatch(local) is None or (uri, local) in taken:
                raise Bad(f"{name!r:.100} cannot be the name of an attribute here")
            if (not uri and local == "xmlns") or uri in (XSI_NAMESPACE, _XMLNS):
                raise Bad(f"{name!r:.100} has a meaning of its own")
            if not uri:
                prefix = ""
            elif uri == XML_NAMESPACE:
                prefix = "xml:"
            elif uri in prefixes:
                prefix = prefixes[uri]
            else:
                if uri not in own:
                    own[uri] = f"a{len(own) + 1}:"
                    out.append(f' xmlns:a{len(own)}="{escape_attribute(uri)}"')
                prefix = own[uri]
            out.append(f' {prefix}{local}="{escape_attribute(text)}"')
        return "".join(out)

    return write


_XMLNS: Final = "http://www.w3.org/2000/xmlns/"

_dialects: Final[dict[tuple[str, ...], Dialect]] = {}


def dialect(namespaces: tuple[str, ...]) -> Dialect:
    """The functions for messages of these namespaces."""
    found = _dialects.get(namespaces)
    if found is None:
        found = _dialects[namespaces] = Dialect(namespaces)
    return found


def declarations(namespaces: tuple[str, ...], xsi: bool) -> str:
    """The declarations of the outermost element (XML-2)."""
    out = [f' xmlns:n{i}="{escape_attribute(uri)}"' for i, uri in enumerate(namespaces, 1)]
    if xsi:
        out.append(f' xmlns:xsi="{XSI_NAMESPACE}"')
    return "".join(out)


def root_form(value: TextRecord | TextUnion | TextEnum) -> Form:
    """Writes a standalone value (XML-3)."""
    field = TextField(value.local, value.namespace, value)
    extra = declarations(value.namespaces, value.xsi).replace("%", "%%")
    return dialect(value.namespaces).field(field, extra).form()
