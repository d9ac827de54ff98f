"""Reads the fields of structs and messages, and the members of unions, from XML."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Callable, Final

from .._base import shown
from .._binary import FAILURES
from .._text import (
    ANY,
    ANY_ATTRIBUTE,
    ATTRIBUTE,
    INLINE,
    TEXT,
    TextAttributes,
    TextGroup,
    TextOptional,
    TextRecord,
    TextRepeated,
    TextScalar,
    TextUnion,
    TextValue,
    is_named,
    text_charge,
)
from .._text.lexical import WHITE
from .._text.read import MISSING, REFUSED, Builder, Doubt, Problem, beyond, holder
from .leaf import (
    Kids,
    Reader,
    bare,
    binary,
    charge_text,
    is_text,
    leaf_parser,
    named,
    same,
    unread,
)
from .names import XML_NAMESPACE, XSI_NAMESPACE
from .rows import Columns, fits, structs
from .tree import (
    ACCEPTS,
    MAX_NAME,
    SKIPS,
    Tree,
    empty,
    expanded,
    nil,
    not_optional,
    plain,
    split,
    taken_as_missing,
)

if TYPE_CHECKING:
    from .read import Readers

_XSI_TYPE: Final = expanded(XSI_NAMESPACE, "type")
_NO_ATTRIBUTES: Final[Mapping[str, str]] = MappingProxyType({})
NOTHING: Final[Mapping[int, Any]] = MappingProxyType({})


def _attribute(x: Tree, e: Any, text: str, value: TextValue) -> Any:
    """The value of an attribute."""
    try:
        return (leaf_parser(value) or same)(text)
    except FAILURES as failure:
        return unread(x, failure, text, value, x.at, e)


class Group:
    """Reads the fields of a struct or message, or the member of a union."""

    def __init__(self, readers: Readers, group: TextGroup) -> None:
        self._readers = readers
        self._group = group
        fields = group.fields
        count = len(fields)
        self.index = {expanded(uri, local): i for local, uri, i in group.starts}
        self._names = [field.name for field in fields]
        self._made: list[Reader | None] = [None] * count
        self._reader: Reader | None = None
        self._high = 0
        self._attributes = {
            expanded(field.namespace, field.local): i
            for i, field in enumerate(fields)
            if field.place == ATTRIBUTE
        }
        self._uris = {split(name)[0] for name in self._attributes}
        places = [field.place for field in fields]
        self._text = places.index(TEXT) if TEXT in places else -1
        self._any = places.index(ANY) if ANY in places else -1
        self._rest = places.index(ANY_ATTRIBUTE) if ANY_ATTRIBUTE in places else -1
        kind = group.type if isinstance(group, (TextRecord, TextUnion)) else None
        self._recursive = kind is not None and kind.recursive
        self._extensible = kind is not None and kind.extensible
        may_miss = [False] * count
        if isinstance(group, TextRecord):
            may_miss = [declared.may_miss for declared in group.declared]
        self.absents: list[Any] = [self._if_absent(i, may_miss[i]) for i in range(count)]
        self._types: dict[str, int] = {}
        self._build: Callable[[list[Any]], Any] = list
        self._charges = group.charges if isinstance(group, TextUnion) else (0,) * count
        texts = [(i, *text_charge(field.value)) for i, field in enumerate(fields)]
        self._charged = [part for part in texts if any(part[1:]) and is_text(fields[part[0]].value)]
        """Fields of one text whose charge depends on their value."""
        self.columns = Columns(readers, group, self.absents)
        if isinstance(group, TextRecord):
            self._build = Builder(group)
        elif isinstance(group, TextUnion) and group.derived:
            for i, field in enumerate(fields):
                if isinstance(field.value, TextRecord):
                    self._types[expanded(field.value.namespace, field.value.local)] = i
        self._is_long = max(map(len, self.index), default=0) > MAX_NAME

    @property
    def reader(self) -> Reader:
        """Reads a separate element."""
        if self._reader is None:
            group, many = self._group, None
            one = self.element
            if isinstance(group, TextUnion):
                one = self.derived if group.derived else self.union
            elif isinstance(self._build, Builder) and fits(group):
                many = structs(self.columns, self._build)
            # Each level of a recursive value counts separately.
            height = 0 if self._recursive else self._height()
            self._reader = Reader(one, many, height)
        return self._reader

    def _height(self) -> int:
        """The max number of open elements, including this one."""
        if not self._high:
            inner = [self.field(i).height for i in range(len(self._names)) if self._is_element(i)]
            self._high = 1 + max(inner, default=0)
        return self._high

    def _is_element(self, i: int) -> bool:
        return self._group.fields[i].place not in (ATTRIBUTE, TEXT, ANY, ANY_ATTRIBUTE)

    def field(self, i: int) -> Reader:
        """Reads a field, or a union's member."""
        read = self._made[i]
        if read is None:
            read = self._made[i] = self._readers.field(self._group.fields[i])
        return read

    # Elements

    def element(self, x: Tree, e: Any, kids: Kids) -> Any:
        """A struct in its own element."""
        if self._recursive:
            self._enter(x, e)
        built = self._build(self.values(x, e))
        if self._recursive:
            self._leave(x)
        return built

    def inline(self, x: Tree, e: Any, kids: Kids) -> Any:
        """A struct without its own element, which begins at this one."""
        if self._recursive:
            self._enter(x, e)
        values: list[Any] = [MISSING] * len(self._names)
        kids.back(e)
        count = self._fields(x, kids, values, True)
        self._complete(x, values, count, e, True)
        self.charge(x, values)
        if self._recursive:
            self._leave(x)
        return self._build(values)

    def missing(self, x: Tree, e: Any, inline: bool = False) -> Any:
        """A struct without its own element and without any elements."""
        return self._build(self.completed(x, e, NOTHING, inline))

    def completed(
        self, x: Tree, e: Any, given: Mapping[int, Any], inline: bool = False
    ) -> list[Any]:
        """The values of the fields, of which only the given ones, by index, are there."""
        values: list[Any] = [given.get(i, MISSING) for i in range(len(self._names))]
        self._complete(x, values, len(given), e, inline)
        return values

    def values(self, x: Tree, e: Any, given: Mapping[int, Any] = NOTHING) -> list[Any]:
        """The values of the fields from the whole element; absent ones get their defaults.

        ``given`` are values, by the index of their field, that stand elsewhere.
        """
        if self._is_long and not x.exact:
            raise Doubt
        values: list[Any] = [MISSING] * len(self._names)
        for i, value in given.items():
            values[i] = value
        count = self._read_attributes(x, e, values) + len(given)
        if self._text < 0:
            count += self._fields(x, Kids(x.children(e)), values, False)
        elif values[self._text] is MISSING:
            self._read_text(x, e, values)
            count += values[self._text] is not MISSING
        else:
            empty(x, e)
        if count < len(values):
            self._complete(x, values, count, e, False)
        if self._charged:
            self.charge(x, values)
        return values

    def within(
        self, x: Tree, e: Any, first: Any, kids: Kids, given: Mapping[int, Any]
    ) -> list[Any]:
        """As ``values``, of an element that has begun: ``first`` is the first of its elements.

        Attributes of the element are not read.
        """
        if self._is_long and not x.exact:
            raise Doubt
        values: list[Any] = [given.get(i, MISSING) for i in range(len(self._names))]
        kids.back(first)
        count = len(given) + self._fields(x, kids, values, False)
        self._complete(x, values, count, e, False)
        self.charge(x, values)
        return values

    def charge(self, x: Tree, values: list[Any]) -> None:
        """Charges for fields of one text (LIM-18); others were charged when they were read."""
        for i, own, each in self._charged:
            if values[i] is MISSING:
                continue
            try:
                charge_text(x, own, each, values[i])
            except Problem as problem:
                problem.path.append(f".{self._names[i]}")
                raise

    def union(self, x: Tree, e: Any, kids: Kids) -> Any:
        """A union in its own element (XML-25)."""
        plain(x, e, self._extensible)
        inner = Kids(x.children(e))
        first = inner.next()
        if first is None:
            message = f"one of {self._expected()} is expected in {x.name(e)}"
            raise Problem(message, x.at(e))
        built = self.member(x, first, inner)
        second = inner.next()
        if second is not None:
            message = f"a second member in {x.name(e)}: {x.name(second)}"
            raise Problem(message, x.at(second))
        return built

    def member(self, x: Tree, e: Any, kids: Kids) -> Any:
        """The element of a union's member."""
        if self._recursive:
            self._enter(x, e)
        i = self.index.get(e.tag, -1)
        if i < 0:
            raise self._unknown(x, e)
        made = self._member(x, e, kids, i)
        if self._recursive:
            self._leave(x)
        return made

    def derived(self, x: Tree, e: Any, kids: Kids) -> Any:
        """A struct identified by ``xsi:type`` (XML-37)."""
        union = self._group
        if not isinstance(union, TextUnion):
            raise TypeError("not a union")
        if self._recursive:
            self._enter(x, e)
        i = union.base
        if x.lenient and nil(x, e) and not self._is_nil_text():
            raise not_optional(x, e)
        said = e.get(_XSI_TYPE)
        if said is not None:
            name = said.strip(WHITE)
            prefix, colon, local = name.rpartition(":")
            uri = x.scope(e).uri(prefix) if colon or prefix else x.scope(e).uri("") or ""
            i = -1 if uri is None else self._types.get(expanded(uri, local), -1)
            if i < 0:
                raise Problem(f"{shown(name)!r} is not a type allowed here", x.at(e))
        if i < 0:
            raise Problem(f"{x.name(e)} needs an xsi:type", x.at(e))
        made = self._member(x, e, kids, i)
        if self._recursive:
            self._leave(x)
        return made

    def _is_nil_text(self) -> bool:
        """Whether ``xsi:nil`` on a member may say that its text is nothing (XML-32)."""
        return any(
            inner.place == TEXT and isinstance(inner.value, TextOptional)
            for field in self._group.fields
            if isinstance(field.value, TextRecord)
            for inner in field.value.fields
        )

    def _member(self, x: Tree, e: Any, kids: Kids, i: int) -> Any:
        union = self._group
        value = union.fields[i].value
        try:
            x.charge(self._charges[i])
            found = self.field(i).one(x, e, kids)
            if is_text(value):
                charge_text(x, *text_charge(value), found)
        except Problem as problem:
            problem.path.append(f".{self._names[i]}")
            raise
        return union.type.classes[i](found) if isinstance(union, TextUnion) else found

    # Fields

    def _fields(self, x: Tree, kids: Kids, values: list[Any], inline: bool) -> int:
        """Reads elements until the last, or one that does not follow in order."""
        last = -1
        count = 0
        apart: dict[int, list[Any]] | None = None
        """The items of arrays whose elements stand apart."""
        while True:
            e = kids.next()
            if e is None:
                if apart is not None:
                    for i, items in apart.items():
                        values[i] = self._held(i, items)
                return count
            i = self.index.get(e.tag, -1)
            if i < 0 and self._any >= 0 and not inline:
                if values[self._any] is MISSING:
                    count += self._read_any(x, e, kids, values)
                else:
                    apart = self._any_again(x, e, kids, values, apart or {})
                last = self._any
                continue
            if inline and i <= last:
                kids.back(e)
                return count
            if i < 0:
                if not self._extensible and not x.lenient:
                    problem = self._unknown(x, e)
                    problem.message += SKIPS
                    raise problem
                x.skip(e)
                continue
            if values[i] is not MISSING:
                apart = self._again(x, e, kids, values, i, apart or {})
                continue
            try:
                values[i] = self.field(i).one(x, e, kids)
            except Problem as problem:
                if taken_as_missing(x, problem, may_miss=self.absents[i] is not REFUSED):
                    continue
                problem.path.append(f".{self._names[i]}")
                raise
            last = i
            count += 1

    def _again(
        self, x: Tree, e: Any, kids: Kids, values: list[Any], i: int, apart: dict[int, list[Any]]
    ) -> dict[int, list[Any]]:
        """Items that stand apart from others of their field, which are joined leniently."""
        field = self._group.fields[i]
        joins = field.place != INLINE and isinstance(field.value, TextRepeated)
        if not (joins and x.lenient):
            message = f"{x.name(e)} occurs here a second time{ACCEPTS if joins else ''}"
            raise Problem(message, x.at(e))
        try:
            found = self.field(i).one(x, e, kids)
        except Problem as problem:
            problem.path.append(f".{self._names[i]}")
            raise
        apart.setdefault(i, [*values[i]]).extend(found)
        return apart

    def _any_again(
        self, x: Tree, e: Any, kids: Kids, values: list[Any], apart: dict[int, list[Any]]
    ) -> dict[int, list[Any]]:
        """The same of elements that no field declares; beside a single one, others are skipped."""
        i = self._any
        if not x.lenient:
            message = f"{x.name(e)} occurs where it is not allowed{SKIPS}"
            raise Problem(message, x.at(e))
        if isinstance(self._group.fields[i].value, TextRepeated):
            found = [*values]
            self._read_any(x, e, kids, found)
            apart.setdefault(i, [*values[i]]).extend(found[i])
        else:
            x.skip(e)
        return apart

    def _held(self, i: int, items: list[Any]) -> Any:
        """The value of an array."""
        value = self._group.fields[i].value
        return holder(value.value)(items) if isinstance(value, TextRepeated) else tuple(items)

    def _read_any(self, x: Tree, e: Any, kids: Kids, values: list[Any]) -> int:
        i = self._any
        value = self._group.fields[i].value
        found: list[str] = []
        if not isinstance(value, TextRepeated):
            values[i] = x.raw(e)
            return 1
        while True:
            x.charge(value.charge)
            found.append(x.raw(e))
            e = kids.next()
            if e is None or e.tag in self.index:
                kids.back(e)
                break
        values[i] = tuple(found)
        return 1

    def _read_text(self, x: Tree, e: Any, values: list[Any]) -> None:
        i = self._text
        inner = bare(self._group.fields[i].value)
        parse = leaf_parser(inner)
        if parse is None:
            raise TypeError("the text of an element is one text")
        try:
            if x.parts is not None and isinstance(inner, TextScalar) and inner.word == "byte[]":
                values[i] = binary(x, e, parse, inner)
            elif is_named(inner):
                values[i] = named(x, e, x.text(e), inner)
            else:
                text = x.text(e)
                try:
                    values[i] = parse(text)
                except FAILURES as failure:
                    values[i] = unread(x, failure, text, inner, x.inner, e)
        except Problem as problem:
            if taken_as_missing(x, problem, may_miss=self.absents[i] is not REFUSED):
                return
            problem.path.append(f".{self._names[i]}")
            raise

    def _read_attributes(self, x: Tree, e: Any, values: list[Any]) -> int:
        count = 0
        rest: dict[str, str] = {}
        for name, text in x.attributes(e):
            i = self._attributes.get(name, -1)
            uri, local = split(name)
            if i >= 0:
                value = bare(self._group.fields[i].value)
                try:
                    if is_named(value):
                        values[i] = named(x, e, text, value)
                    else:
                        values[i] = _attribute(x, e, text, value)
                except Problem as problem:
                    if taken_as_missing(x, problem, may_miss=self.absents[i] is not REFUSED):
                        continue
                    problem.path.append(f".{self._names[i]}")
                    raise
                count += 1
            elif uri in (XSI_NAMESPACE, XML_NAMESPACE) and (self._rest < 0 or uri == XSI_NAMESPACE):
                continue
            elif self._rest >= 0:
                rest[name] = text
            elif (not uri or uri in self._uris) and not self._extensible and not x.lenient:
                raise Problem(f"an attribute that is not declared: {local}{SKIPS}", x.at(e))
        if self._rest >= 0:
            x.charge(len(rest) * TextAttributes.charge)
            values[self._rest] = MappingProxyType(rest)
            count += 1
        if nil(x, e):
            i = self._text
            if i < 0 or not isinstance(self._group.fields[i].value, TextOptional):
                raise not_optional(x, e)
            values[i] = None
            count += 1
        return count

    def _complete(self, x: Tree, values: list[Any], count: int, e: Any, inline: bool) -> None:
        """Sets the values of absent fields."""
        if count == len(values):
            return
        absent = self.absents
        for i, value in enumerate(values):
            if value is MISSING:
                value = absent[i]
                values[i] = self._absent(i, x, e, inline) if value is REFUSED else value

    def _absent(self, i: int, x: Tree, e: Any, inline: bool) -> Any:
        """An absent field that is required, or not resolved yet."""
        field = self._group.fields[i]
        value = field.value
        if field.place == INLINE and isinstance(value, TextRecord):
            try:
                return self._readers.group(value).missing(x, e, inline)
            except Problem as problem:
                problem.path.append(f".{field.name}")
                raise
        if field.place == TEXT:
            raise Problem(f"the text of {x.name(e)} is missing", x.inner(e))
        if field.place == ATTRIBUTE:
            raise Problem(f"the attribute {field.local} is missing", x.at(e))
        p = x.at(e) if inline else x.end(e)
        if field.place == INLINE and isinstance(value, TextGroup):
            raise Problem(f"one of {self._readers.group(value)._expected()} is missing", p)
        raise Problem(f"the element {field.local} is missing", p)

    def _if_absent(self, i: int, may_miss: bool) -> Any:
        """The value of an absent field; ``REFUSED`` if it is required.

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

    # Errors

    def _enter(self, x: Tree, e: Any) -> None:
        x.levels -= 1
        if x.levels < 0:
            allowed = x.limits.max_depth
            message = f"values nest deeper than the {allowed} levels allowed"
            raise beyond("maxDepth", allowed, message, x.at(e))
        x.enter(self._height())

    def _leave(self, x: Tree) -> None:
        x.levels += 1
        x.room += self._height()

    def _expected(self) -> str:
        names = [split(name)[1] for name in self.index]
        more = ", ..." if len(names) > 8 else ""
        return (", ".join(names[:8]) + more) or "nothing"

    def _unknown(self, x: Tree, e: Any) -> Problem:
        uri, local = split(e.tag)
        near = [u for u, name in map(split, self.index) if name == local]
        if near:
            message = f"{local} is in the namespace {shown(uri)!r}, not {near[0]!r}"
        else:
            message = f"{shown(x.name(e))} occurs where {self._expected()} is allowed"
        return Problem(message, x.at(e))
