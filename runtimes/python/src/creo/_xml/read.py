"""XML as values: what the descriptions of ``_text`` become for reading (``spec/wires/xml.md``).

Each becomes a reader ``read(x, tag)``, which is handed the start tag of its element, already read,
and reads to the end tag. What a reader expects next it tries first, as one match over the text;
whatever is not as simple as that goes tag by tag.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import Any, Final

from .._text import (
    ANY,
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
    text_charge,
)
from .._text.read import Problem, holder
from .group import Group
from .leaf import (
    Read,
    add_item,
    charge_text,
    is_text,
    leaf,
    leaf_parser,
    named_leaf,
    optional_reader,
    parse_run,
    plain_parser,
    plain_run,
    raw_items,
    read_raw,
)
from .rows import Rows
from .scan import Scanner, plain
from .scope import Tag


class Readers:
    """The readers of all descriptions; they do not depend on a message's prefixes."""

    def __init__(self) -> None:
        self._groups: dict[int, Group] = {}

    def group(self, group: TextGroup) -> Group:
        """The reader of a struct's, union's or message's fields."""
        found = self._groups.get(id(group))
        if found is None:
            found = self._groups[id(group)] = Group(self, group)
        return found

    def field(self, field: TextField) -> Read:
        """Reads a field whose first start tag was read."""
        value = field.value
        if field.place == INLINE:
            return self._inline(value)
        if isinstance(value, TextOptional):
            charge = 0 if is_text(value) else value.charge
            return optional_reader(self.field(field.with_value(value.value)), charge)
        if isinstance(value, TextRepeated):
            return self._repeated(field, value)
        if isinstance(value, TextRaw):
            return read_raw
        return self.element(value)

    def element(self, value: TextValue) -> Read:
        """Reads the element of a value."""
        if is_named(value):
            return named_leaf(value)
        parse = leaf_parser(value)
        if parse is not None:
            return leaf(parse, value)
        if isinstance(value, TextRecord):
            return self.group(value).element
        if isinstance(value, TextUnion):
            union = self.group(value)
            return union.derived if value.derived else union.union
        if isinstance(value, TextWrapped):
            return self._wrapped(value)
        if isinstance(value, TextEntries):
            return self._entries(value)
        raise TypeError(f"not the value of an element: {value!r}")

    def _inline(self, value: TextValue) -> Read:
        """XML-35: the start tag is that of the first element within."""
        if isinstance(value, TextOptional):
            return optional_reader(self._inline(value.value), value.charge, may_be_nil=False)
        if isinstance(value, TextRepeated):
            inner = value.value
            if not isinstance(inner, TextGroup):
                raise TypeError("what stands inline is a struct or a union")
            return self._inline_items(inner, value.charge)
        if isinstance(value, TextRecord):
            return self.group(value).inline
        if isinstance(value, TextUnion):
            return self.group(value).member
        raise TypeError(f"not an inline value: {value!r}")

    def _inline_items(self, inner: TextRecord | TextUnion | TextGroup, charge: int) -> Read:
        group = self.group(inner)
        read = group.inline if isinstance(inner, TextRecord) else group.member
        hold = holder(inner) if isinstance(inner, TextValue) else _as_tuple

        def items(x: Scanner, tag: Tag) -> Any:
            found: list[Any] = []
            while True:
                try:
                    x.charge(charge)
                    found.append(read(x, tag))
                except Problem as problem:
                    problem.path.append(f"[{len(found)}]")
                    raise
                following = x.next()
                if following is None or following.key not in group.index:
                    x.pending = following
                    return hold(found)
                tag = following

        return items

    def _repeated(self, field: TextField, value: TextRepeated) -> Read:
        item = field.with_value(value.value)
        if isinstance(value.value, TextRaw):
            return raw_items(field.place == ANY, value.charge)
        if isinstance(value.value, TextOptional):
            # What follows charges for the items that are there, by one look at many.
            read = optional_reader(self.field(item.with_value(value.value.value)), 0)
        else:
            read = self.field(item)
        own, each = text_charge(value.value)
        there = value.charge + own
        hold = holder(value.value)
        code = value.value.code if isinstance(value.value, TextScalar) else ""
        # Of optional items, these read the ones that are there.
        inner = value.value.value if isinstance(value.value, TextOptional) else value.value
        leaf = plain_parser(inner)
        is_string = isinstance(inner, TextScalar) and inner.word == "String"
        rows = Rows(inner) if isinstance(inner, TextRecord) else None
        if rows is not None and not rows.fits:
            rows = None

        def items(x: Scanner, tag: Tag) -> Any:
            key = tag.key
            found: list[Any] = []
            arrays: list[tuple[int, Any]] = []
            packed = 0
            by_rows = rows is not None
            while True:
                texts: list[str] = []
                if leaf is not None and x.fast and not (tag.attributes or tag.empty):
                    texts = plain_run(x, tag)
                array = lexical.array_of(code, texts) if code and texts else None
                if array is not None:
                    x.charge(there * len(array))
                    arrays.append((len(found), array))
                    packed += len(array)
                elif not texts or leaf is None:
                    many = rows.read_many(x, tag, there) if rows is not None and by_rows else None
                    by_rows = many is not None
                    if many:
                        found += many
                    else:
                        x.charge(value.charge)
                        add_item(found, packed, read, x, tag)
                        if own or each:
                            charge_text(x, own, each, found[-1])
                else:
                    x.charge(there * len(texts))
                    if is_string:
                        found += texts
                    else:
                        parse_run(found, packed, leaf, texts, tag, inner)
                    if each:
                        x.charge(each * sum(map(len, found[-len(texts) :])))
                following = x.next()
                if following is None or following.key != key:
                    x.pending = following
                    break
                tag = following
            if not arrays:
                return hold(found)
            if len(arrays) == 1 and not found:
                return arrays[0][1]
            for at, array in reversed(arrays):
                found[at:at] = array.tolist()
            return hold(found)

        return items

    def _wrapped(self, value: TextWrapped) -> Read:
        item = value.item
        key = (item.namespace, item.local)
        items = self._repeated(item, TextRepeated(item.value, value.charge))
        hold = holder(item.value)

        def read(x: Scanner, tag: Tag) -> Any:
            plain(tag)
            if tag.empty:
                x.end(tag)
                return hold([])
            first = x.next()
            if first is None:
                x.end(tag)
                return hold([])
            if first.key != key:
                raise Problem(f"{first.raw} stands where only {item.local} may stand", first.p)
            found = items(x, first)
            x.end(tag)
            return found

        return read

    def _entries(self, value: TextEntries) -> Read:
        namespace = value.key.namespace
        entry_key = (namespace, "entry")
        fields = (value.key, value.value)
        pair = TextGroup(lambda: fields, (), False, None)
        group = self.group(pair)

        def read(x: Scanner, tag: Tag) -> Any:
            plain(tag)
            found: dict[Any, Any] = {}
            while not tag.empty:
                entry = x.next()
                if entry is None:
                    break
                if entry.key != entry_key:
                    raise Problem(f"{entry.raw} stands where only entry may stand", entry.p)
                plain(entry)
                x.charge(value.charge)
                try:
                    key, item = group.values(x, entry)
                except Problem as problem:
                    problem.path.append(f"{{{len(found)}}}")
                    raise
                if key in found:
                    raise Problem("a key stands twice in a map", entry.p)
                found[key] = item
            x.end(tag)
            return MappingProxyType(found)

        return read


def _as_tuple(found: list[Any]) -> Any:
    return tuple(found)


READERS: Final = Readers()
