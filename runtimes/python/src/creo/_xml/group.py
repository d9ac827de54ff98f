"""Reads the fields of structs and messages, and the members of unions, from XML."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Callable, Final, NoReturn

from .._base import shown
from .._binary import FAILURES
from .._text import (
    ANY,
    ANY_ATTRIBUTE,
    ATTRIBUTE,
    INLINE,
    TEXT,
    TextAttributes,
    TextField,
    TextGroup,
    TextOptional,
    TextRecord,
    TextRepeated,
    TextScalar,
    TextUnion,
    is_named,
    text_charge,
)
from .._text.lexical import WHITE
from .._text.read import MISSING, REFUSED, Builder, Problem, beyond, holder
from .leaf import (
    Parse,
    Read,
    bare,
    charge_text,
    included,
    is_text,
    leaf_parser,
    named,
    parsed,
    plain_parser,
    same,
)
from .names import XML_NAMESPACE, XSI_NAMESPACE
from .rows import Rows
from .scan import Scanner, nil, plain
from .scope import Key, Tag

if TYPE_CHECKING:
    from .read import Readers

#: An element that holds text and nothing else.
_LEAF: Final = re.compile("""[ \t\r\n]*<([^\\s<>/=&'"!?]+)>([^<]*)</\\1>""").match

_NO_ATTRIBUTES: Final[Mapping[str, str]] = MappingProxyType({})


class Group:
    """Reads the fields of a struct or message, or the member of a union."""

    def __init__(self, readers: Readers, group: TextGroup) -> None:
        self._readers = readers
        self._group = group
        fields = group.fields
        count = len(fields)
        self.index: dict[Key, int] = {(uri, local): i for local, uri, i in group.starts}
        self._names = [field.name for field in fields]
        self._reads: list[Read | None] = [None] * count
        self._parses: list[Parse | None] = [_field_parser(field) for field in fields]
        self._plain = [parse is not None for parse in self._parses] + [False]
        self._attributes: dict[Key, int] = {
            (field.namespace, field.local): i
            for i, field in enumerate(fields)
            if field.place == ATTRIBUTE
        }
        self._uris = {uri for uri, _ in self._attributes}
        places = [field.place for field in fields]
        self._text = places.index(TEXT) if TEXT in places else -1
        self._any = places.index(ANY) if ANY in places else -1
        self._rest = places.index(ANY_ATTRIBUTE) if ANY_ATTRIBUTE in places else -1
        self._has_attributes = bool(self._attributes) or self._rest >= 0
        kind = group.type if isinstance(group, (TextRecord, TextUnion)) else None
        self._recursive = kind is not None and kind.recursive
        self._extensible = kind is not None and kind.extensible
        may_miss = [False] * count
        if isinstance(group, TextRecord):
            may_miss = [declared.may_miss for declared in group.declared]
        self._absents: list[Any] = [self._if_absent(i, may_miss[i]) for i in range(count)]
        self._types: dict[Key, int] = {}
        self._build: Callable[[list[Any]], Any] = list
        self._rows: Rows | None = None
        self._charges = group.charges if isinstance(group, TextUnion) else (0,) * count
        texts = [(i, *text_charge(field.value)) for i, field in enumerate(fields)]
        self._charged = [part for part in texts if any(part[1:]) and is_text(fields[part[0]].value)]
        """Fields of one text that are charged by what was read."""
        if isinstance(group, TextRecord):
            self._build = Builder(group)
            rows = Rows(group)
            self._rows = rows if rows.fits else None
        elif isinstance(group, TextUnion) and group.derived:
            for i, field in enumerate(fields):
                if isinstance(field.value, TextRecord):
                    self._types[field.value.namespace, field.value.local] = i

    # Elements

    def element(self, x: Scanner, tag: Tag) -> Any:
        """A struct in an element of its own."""
        if self._rows is not None:
            found = self._rows.read(x, tag)
            if found is not None:
                return found
        if self._recursive:
            self._enter(x, tag)
        built = self._build(self.values(x, tag))
        x.levels += self._recursive
        return built

    def inline(self, x: Scanner, tag: Tag) -> Any:
        """A struct without an element of its own, which begins at this one."""
        if self._recursive:
            self._enter(x, tag)
        values: list[Any] = [MISSING] * len(self._names)
        x.pending = tag
        count = self._fields(x, values, True)
        self._complete(x, values, count, tag.p, x.p)
        self.charge(x, values)
        built = self._build(values)
        x.levels += self._recursive
        return built

    def missing(self, x: Scanner, p: int) -> Any:
        """A struct without an element of its own of which nothing stands there."""
        values: list[Any] = [MISSING] * len(self._names)
        return self._build(self._complete(x, values, 0, p, p))

    def values(self, x: Scanner, tag: Tag) -> list[Any]:
        """The values of the fields, and the element's end; what is missing is as it should be."""
        values: list[Any] = [MISSING] * len(self._names)
        count = 0
        if tag.attributes or self._has_attributes:
            count = self._read_attributes(x, tag, values)
        if self._text >= 0:
            if values[self._text] is MISSING:
                self._read_text(x, tag, values)
                count += 1
            elif x.text(tag).strip(WHITE):
                raise Problem("an element that is nothing is empty", tag.p)
            p = x.p
        else:
            if not tag.empty:
                count += self._fields(x, values, False)
            p = x.p
            x.end(tag)
        if count < len(values):
            self._complete(x, values, count, tag.p, p)
        if self._charged:
            self.charge(x, values)
        return values

    def charge(self, x: Scanner, values: list[Any]) -> None:
        """Charges for fields of one text (LIM-18); what is no such was charged when it was read."""
        for i, own, each in self._charged:
            if values[i] is MISSING:
                continue
            try:
                charge_text(x, own, each, values[i])
            except Problem as problem:
                problem.path.append(f".{self._names[i]}")
                raise

    def union(self, x: Scanner, tag: Tag) -> Any:
        """A union in an element of its own (XML-25)."""
        plain(tag)
        first = None if tag.empty else x.next()
        if first is None:
            raise Problem(f"one of {self._expected()} is expected in {tag.raw}", tag.p)
        built = self.member(x, first)
        second = x.next()
        if second is not None:
            raise Problem(f"a second member in {tag.raw}: {second.raw}", second.p)
        x.end(tag)
        return built

    def member(self, x: Scanner, tag: Tag) -> Any:
        """The element of a union's member."""
        if self._recursive:
            self._enter(x, tag)
        i = self.index.get(tag.key, -1)
        if i < 0:
            raise self._unknown(tag)
        made = self._member(x, tag, i)
        x.levels += self._recursive
        return made

    def derived(self, x: Scanner, tag: Tag) -> Any:
        """A struct that ``xsi:type`` names (XML-37)."""
        union = self._group
        if not isinstance(union, TextUnion):
            raise TypeError("not a union")
        if self._recursive:
            self._enter(x, tag)
        i = union.base
        for key, value in tag.attributes:
            if key == (XSI_NAMESPACE, "type"):
                name = value.strip(WHITE)
                found = x.scope.key(name)
                i = -1 if found is None else self._types.get(found, -1)
                if i < 0:
                    raise Problem(f"{shown(name)!r} is no type that may stand here", tag.p)
        if i < 0:
            raise Problem(f"{tag.raw} needs an xsi:type", tag.p)
        made = self._member(x, tag, i)
        x.levels += self._recursive
        return made

    def _member(self, x: Scanner, tag: Tag, i: int) -> Any:
        union = self._group
        try:
            x.charge(self._charges[i])
            value = self._reader(i)(x, tag)
            if is_text(union.fields[i].value):
                charge_text(x, *text_charge(union.fields[i].value), value)
        except Problem as problem:
            problem.path.append(f".{self._names[i]}")
            raise
        return union.type.classes[i](value) if isinstance(union, TextUnion) else value

    # Fields

    def _fields(self, x: Scanner, values: list[Any], inline: bool) -> int:
        """Reads elements up to the end tag, or to one that does not come next."""
        table = x.scope.tables.get(self)
        if table is None:
            table = x.scope.tables[self] = {}
        parses, is_plain = self._parses, self._plain
        fast = x.fast and x.depth < x.limits.max_xml_depth
        s = x.s
        last = -1
        count = 0
        while True:
            if fast and is_plain[last + 1] and x.pending is None:
                match = _LEAF(s, x.p)
                if match is not None:
                    raw, text = match.groups()
                    i = table.get(raw, -1)
                    if i < 0:
                        key = x.scope.key(raw)
                        if key is not None and key in self.index:
                            i = table[raw] = self.index[key]
                    if i >= 0 and values[i] is MISSING and (i > last or not inline):
                        parse = parses[i]
                        if parse is not None:
                            if "&" in text:
                                text = self._expanded(x, i, text, match.start(2))
                            try:
                                values[i] = parse(text)
                            except FAILURES:
                                p = match.start(2)
                                self._refuse(i, parse, text, p)
                            x.p = match.end()
                            last = i
                            count += 1
                            continue
            tag = x.next()
            if tag is None:
                return count
            i = self.index.get(tag.key, -1)
            if i < 0 and self._any >= 0 and not inline:
                count += self._read_any(x, tag, values)
                last = self._any
                continue
            if inline and i <= last:
                x.pending = tag
                return count
            if i < 0:
                if not self._extensible:
                    raise self._unknown(tag)
                x.skip(tag)
                continue
            if values[i] is not MISSING:
                raise Problem(f"{tag.raw} stands here a second time", tag.p)
            try:
                values[i] = self._reader(i)(x, tag)
            except Problem as problem:
                problem.path.append(f".{self._names[i]}")
                raise
            last = i
            count += 1

    def _reader(self, i: int) -> Read:
        read = self._reads[i]
        if read is None:
            read = self._reads[i] = self._readers.field(self._group.fields[i])
        return read

    def _expanded(self, x: Scanner, i: int, text: str, p: int) -> str:
        try:
            return x.expand(text, p)
        except Problem as problem:
            problem.path.append(f".{self._names[i]}")
            raise

    def _refuse(self, i: int, parse: Parse, text: str, p: int) -> NoReturn:
        try:
            parsed(parse, text, p, bare(self._group.fields[i].value))
        except Problem as problem:
            problem.path.append(f".{self._names[i]}")
            raise
        raise Problem("this value cannot be read", p)

    def _read_any(self, x: Scanner, tag: Tag, values: list[Any]) -> int:
        i = self._any
        field = self._group.fields[i]
        many = isinstance(field.value, TextRepeated)
        found: list[str] = []
        if values[i] is not MISSING:
            raise Problem(f"{tag.raw} stands where nothing of the kind may stand", tag.p)
        each = field.value.charge if isinstance(field.value, TextRepeated) else 0
        while True:
            x.charge(each)
            found.append(x.raw(tag))
            following = x.next()
            if following is None or not many or following.key in self.index:
                x.pending = following
                break
            tag = following
        values[i] = tuple(found) if many else found[0]
        return 1

    def _read_text(self, x: Scanner, tag: Tag, values: list[Any]) -> None:
        i = self._text
        value = self._group.fields[i].value
        inner = bare(value)
        parse = self._parses[i] or leaf_parser(inner)
        if parse is None:
            raise TypeError("the text of an element is one text")
        try:
            if x.parts is not None and isinstance(inner, TextScalar) and inner.word == "byte[]":
                found = None if tag.empty else included(x, tag)
                if found is not None:
                    values[i] = found
                    return
            scope, p = x.scope, x.p
            text = x.text(tag)
            if is_named(inner):
                values[i] = named(x, scope, text, p, inner)
            else:
                values[i] = parsed(parse, text, p, inner)
        except Problem as problem:
            problem.path.append(f".{self._names[i]}")
            raise

    def _read_attributes(self, x: Scanner, tag: Tag, values: list[Any]) -> int:
        count = 0
        rest: dict[str, str] = {}
        for key, text in tag.attributes:
            i = self._attributes.get(key, -1)
            uri, local = key
            if i >= 0:
                parse = self._parses[i]
                value = bare(self._group.fields[i].value)
                try:
                    if is_named(value):
                        values[i] = named(x, x.scope, text, tag.p, value)
                    else:
                        values[i] = parsed(parse or same, text, tag.p, value)
                except Problem as problem:
                    problem.path.append(f".{self._names[i]}")
                    raise
                count += 1
            elif uri in (XSI_NAMESPACE, XML_NAMESPACE) and (self._rest < 0 or uri == XSI_NAMESPACE):
                continue
            elif self._rest >= 0:
                rest[f"{{{uri}}}{local}" if uri else local] = text
            elif (not uri or uri in self._uris) and not self._extensible:
                raise Problem(f"an attribute that is not declared: {local}", tag.p)
        if self._rest >= 0:
            x.charge(len(rest) * TextAttributes.charge)
            values[self._rest] = MappingProxyType(rest)
            count += 1
        if nil(tag):
            i = self._text
            if i < 0 or not isinstance(self._group.fields[i].value, TextOptional):
                raise Problem("xsi:nil on what is not optional", tag.p)
            values[i] = None
            count += 1
        return count

    def _complete(
        self, x: Scanner, values: list[Any], count: int, start: int, end: int
    ) -> list[Any]:
        """Gives missing fields what they are when they are missing."""
        if count == len(values):
            return values
        absent = self._absents
        for i, value in enumerate(values):
            if value is MISSING:
                value = absent[i]
                values[i] = self._absent(i, start, end, x) if value is REFUSED else value
        return values

    def _absent(self, i: int, start: int, end: int, x: Scanner) -> Any:
        """A missing field that may not miss, or that is not known yet."""
        field = self._group.fields[i]
        value = field.value
        if field.place == INLINE and isinstance(value, TextRecord):
            try:
                return self._readers.group(value).missing(x, end)
            except Problem as problem:
                problem.path.append(f".{field.name}")
                raise
        if field.place == ATTRIBUTE:
            raise Problem(f"the attribute {field.local} is missing", start)
        if field.place == INLINE and isinstance(value, TextGroup):
            raise Problem(f"one of {self._readers.group(value)._expected()} is missing", end)
        raise Problem(f"the element {field.local} is missing", end)

    def _if_absent(self, i: int, may_miss: bool) -> Any:
        """What a field is that is missing; ``REFUSED`` if it may not miss.

        ``MISSING`` leaves it to the constructor's default.
        """
        field = self._group.fields[i]
        value = field.value
        if isinstance(value, TextOptional):
            return MISSING if self._extensible and may_miss else None
        if may_miss and (self._extensible or field.place == ATTRIBUTE):
            return MISSING
        if isinstance(value, TextRepeated):
            return holder(value.value)([])
        return _NO_ATTRIBUTES if isinstance(value, TextAttributes) else REFUSED

    # What is refused

    def _enter(self, x: Scanner, tag: Tag) -> None:
        x.levels -= 1
        if x.levels < 0:
            allowed = x.limits.max_depth
            message = f"values nest deeper than the {allowed} levels allowed"
            raise beyond("maxDepth", allowed, message, tag.p)

    def _expected(self) -> str:
        names = [local for _, local in self.index]
        more = ", ..." if len(names) > 8 else ""
        return (", ".join(names[:8]) + more) or "nothing"

    def _unknown(self, tag: Tag) -> Problem:
        uri, local = tag.key
        near = [u for u, name in self.index if name == local]
        if near:
            message = f"{local} is in the namespace {shown(uri)!r}, not {near[0]!r}"
        else:
            message = f"{shown(tag.raw)} stands where {self._expected()} may stand"
        return Problem(message, tag.p)


def _field_parser(field: TextField) -> Parse | None:
    """The value of a field's text, if it is one text in one element or attribute."""
    if field.place in (INLINE, ANY, ANY_ATTRIBUTE):
        return None
    return plain_parser(bare(field.value))
