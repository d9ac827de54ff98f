"""XML as values: readers made from the descriptions of ``_text`` (``spec/wires/xml.md``).

Each becomes a ``Reader``, whose ``one`` gets an element that has begun, and the elements after it,
of which an array takes more.
"""

from __future__ import annotations

from collections.abc import Iterable
from types import MappingProxyType
from typing import Any, Final

from .._text import (
    INLINE,
    TextEntries,
    TextField,
    TextGroup,
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
from .._text.read import Problem, holder
from .group import Group
from .leaf import (
    NO_KIDS,
    Kids,
    Reader,
    charge_text,
    charge_texts,
    is_text,
    item_charge,
    leaf,
    leaf_parser,
    optional,
    texts_of,
)
from .rows import entries
from .tree import Tree, expanded, plain, taken_as_missing


class Readers:
    """The readers of all descriptions, independent of a message's prefixes."""

    def __init__(self) -> None:
        self._groups: dict[int, Group] = {}

    def group(self, group: TextGroup) -> Group:
        """The reader of a struct's, union's or message's fields."""
        found = self._groups.get(id(group))
        if found is None:
            found = self._groups[id(group)] = Group(self, group)
        return found

    def field(self, field: TextField) -> Reader:
        """Reads a field from its first element."""
        value = field.value
        if field.place == INLINE:
            return self._inline(value)
        if isinstance(value, TextOptional):
            charge = 0 if is_text(value) else value.charge
            return optional(self.field(field.with_value(value.value)), charge)
        if isinstance(value, TextRepeated):
            return self._repeated(field, value)
        if isinstance(value, TextRaw):
            return Reader(_raw)
        return self.element(value)

    def element(self, value: TextValue) -> Reader:
        """Reads the element of a value."""
        if is_named(value) or leaf_parser(value) is not None:
            return leaf(value)
        if isinstance(value, (TextRecord, TextUnion)):
            return self.group(value).reader
        if isinstance(value, TextWrapped):
            return self._wrapped(value)
        if isinstance(value, TextEntries):
            return self._entries(value)
        raise TypeError(f"not the value of an element: {value!r}")

    def _inline(self, value: TextValue) -> Reader:
        """XML-35: it begins at the first child element."""
        if isinstance(value, TextOptional):
            inner = self._inline(value.value)
            read, charge = inner.one, value.charge

            def one(x: Tree, e: Any, kids: Kids) -> Any:
                x.charge(charge)
                return read(x, e, kids)

            return Reader(one, height=inner.height)
        if isinstance(value, TextRepeated):
            item = value.value
            if not isinstance(item, (TextRecord, TextUnion)):
                raise TypeError("what stands inline is a struct or a union")
            return self._inline_items(item, value.charge)
        if isinstance(value, TextRecord):
            group = self.group(value)
            return Reader(group.inline, height=group.reader.height)
        if isinstance(value, TextUnion):
            group = self.group(value)
            return Reader(group.member, height=group.reader.height)
        raise TypeError(f"not an inline value: {value!r}")

    def _inline_items(self, inner: TextRecord | TextUnion, charge: int) -> Reader:
        group = self.group(inner)
        read = group.inline if isinstance(inner, TextRecord) else group.member
        hold = holder(inner)

        def items(x: Tree, e: Any, kids: Kids) -> Any:
            found: list[Any] = []
            while True:
                try:
                    x.charge(charge)
                    found.append(read(x, e, kids))
                except Problem as problem:
                    problem.path.append(f"[{len(found)}]")
                    raise
                following = kids.next()
                if following is None or following.tag not in group.index:
                    kids.back(following)
                    return hold(found)
                e = following

        return Reader(items, height=group.reader.height)

    def _repeated(self, field: TextField, value: TextRepeated) -> Reader:
        inner = value.value
        reader = self.field(field.with_value(inner))
        read, read_many = reader.one, reader.many
        own, each = item_charge(inner)
        charge = value.charge
        hold = holder(inner)
        code = inner.code if isinstance(inner, TextScalar) else ""

        def together(x: Tree, run: list[Any]) -> Any:
            """The items of a tree; None to read them one by one."""
            texts = texts_of(x, run) if code else None
            array = None if texts is None else lexical.array_of(code, texts)
            found = read_many(x, run) if array is None else None
            if array is None and found is None:
                return None
            x.charge(charge * len(run))
            if found is None:
                return array
            charge_texts(x, own, each, found)
            return hold(list(found))

        def items(x: Tree, e: Any, kids: Kids) -> Any:
            run: Iterable[Any] = kids.run(e)
            if not x.exact:
                run = list(run)
                memory = x.memory
                array = together(x, run)
                if array is not None:
                    return array
                x.memory = memory
            found: list[Any] = []
            for e in run:
                try:
                    x.charge(charge)
                    found.append(read(x, e, NO_KIDS))
                except Problem as problem:
                    if taken_as_missing(x, problem, may_miss=True):
                        continue
                    problem.path.append(f"[{len(found)}]")
                    raise
                if own or each:
                    charge_text(x, own, each, found[-1])
            return hold(found)

        return Reader(items, height=reader.height)

    def _wrapped(self, value: TextWrapped) -> Reader:
        item = value.item
        key = expanded(item.namespace, item.local)
        reader = self._repeated(item, TextRepeated(item.value, value.charge))
        items = reader.one
        hold = holder(item.value)

        def read(x: Tree, e: Any, kids: Kids) -> Any:
            plain(x, e)
            inner = Kids(x.children(e))
            first = inner.next()
            found: Any = None
            if first is not None and first.tag == key:
                found = items(x, first, inner)
                first = inner.next()
            if first is not None:
                message = f"{x.name(first)} occurs where only {item.local} is allowed"
                raise Problem(message, x.at(first))
            return hold([]) if found is None else found

        return Reader(read, height=1 + reader.height)

    def _entries(self, value: TextEntries) -> Reader:
        namespace = value.key.namespace
        key = expanded(namespace, "entry")
        fields = (value.key, value.value)
        group = Group(self, TextGroup(lambda: fields, (), False, None))
        many = entries(group.columns, key, value.charge)

        def read(x: Tree, e: Any, kids: Kids) -> Any:
            plain(x, e)
            if not x.exact:
                memory = x.memory
                made = many(x, [e])
                if made is not None:
                    return made[0]
                x.memory = memory
            found: dict[Any, Any] = {}
            for entry in x.children(e):
                if entry.tag != key:
                    message = f"{x.name(entry)} occurs where only entry is allowed"
                    raise Problem(message, x.at(entry))
                try:
                    plain(x, entry)
                except Problem as problem:
                    # An entry is no value that could be missing.
                    problem.missing = False
                    raise
                x.charge(value.charge)
                try:
                    name, item = group.values(x, entry)
                except Problem as problem:
                    problem.path.append(f"{{{len(found)}}}")
                    raise
                if name in found:
                    raise Problem("a key occurs twice in a map", x.at(entry))
                found[name] = item
            return MappingProxyType(found)

        return Reader(read, many, 1 + group.reader.height)


def _raw(x: Tree, e: Any, kids: Kids) -> str:
    return x.raw(e)


READERS: Final = Readers()
