"""JSON as values, the fast path: functions over the results of the standard library's parser.

They accept nothing that the page (``spec/wires/json.md``) refuses, but not everything that it
allows. Unusual or wrong input, which needs a closer look, is a ``Doubt`` and is read again by
``scan``, which is exact and slower and finds errors and their position.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from itertools import chain, islice
from operator import itemgetter
from types import MappingProxyType
from typing import Any, Callable, Final

from .._buffer import wrap
from .._text import (
    TextAttributes,
    TextEntries,
    TextEnum,
    TextGroup,
    TextList,
    TextOptional,
    TextRecord,
    TextRepeated,
    TextScalar,
    TextUnion,
    TextValue,
    TextWrapped,
)
from .._text.columns import alike
from .._text.read import REFUSED, Builder, Doubt, absent_json, holder
from .leaf import MANY, READS, JsonReading, Reader, enum_reader, key_reader
from .write import in_order

_MAX_SKIPPED: Final = 64

_name_of: Final = itemgetter(0)
_item_of: Final = itemgetter(1)


class JsonReaders:
    """The readers of all descriptions."""

    def __init__(self) -> None:
        self._groups: dict[int, Reader] = {}

    def value(self, value: TextValue) -> Reader:
        """Reads a value."""
        if isinstance(value, TextScalar):
            return Reader(READS[value.word], MANY.get(value.word))
        if isinstance(value, TextEnum):
            return Reader(enum_reader(value))
        if isinstance(value, TextOptional):
            return self._optional(value)
        if isinstance(value, (TextRepeated, TextList)):
            return self._items(value.value, value.charge)
        if isinstance(value, TextWrapped):
            return self._items(value.item.value, value.charge)
        if isinstance(value, TextEntries):
            inner = self.value(value.value.value)
            return self._entries(key_reader(value.key.value), inner, value.charge)
        if isinstance(value, TextAttributes):
            return self._entries(str, Reader(READS["String"]), value.charge)
        if isinstance(value, (TextRecord, TextUnion)):
            return self._group(value)
        return Reader(READS["String"], MANY["String"])

    def _optional(self, value: TextOptional) -> Reader:
        inner = self.value(value.value)
        one, many, charge = inner.one, inner.many, value.charge

        def read(v: Any, r: JsonReading) -> Any:
            if v is None:
                return None
            r.charge(charge)
            return one(v, r)

        def read_many(values: Sequence[Any], r: JsonReading) -> Sequence[Any]:
            if None not in values:
                r.charge(len(values) * charge)
                return many(values, r)
            given = [v for v in values if v is not None]
            r.charge(len(given) * charge)
            try:
                found = iter(many(given, r) if given else ())
            except Doubt:
                found = iter([one(v, r) for v in given])
            return [None if v is None else next(found) for v in values]

        return Reader(read, read_many, inner.height)

    def _items(self, item: TextValue, charge: int) -> Reader:
        inner = self.value(item)
        hold, many = holder(item), inner.many
        code = item.code if isinstance(item, TextScalar) else ""
        packed = code in ("h", "i", "q", "d")

        def read(v: Any, r: JsonReading) -> Any:
            if v.__class__ is not list:
                raise Doubt
            if not v:
                return hold([])
            r.charge(len(v) * charge)
            if packed:
                try:
                    return wrap(memoryview(array(code, many(v, r))).toreadonly())
                except Doubt:
                    return hold([inner.one(item, r) for item in v])
            return hold(list(many(v, r)))

        def read_many(values: Sequence[Any], r: JsonReading) -> Sequence[Any]:
            if packed or set(map(type, values)) != {list}:
                return [read(v, r) for v in values]
            every = list(chain.from_iterable(values))
            r.charge(len(every) * charge)
            found = list(many(every, r)) if every else []
            made: list[Any] = []
            p = 0
            for size in map(len, values):
                made.append(hold(found[p : p + size]))
                p += size
            return made

        return Reader(read, read_many, inner.height + 1)

    def _entries(self, key: Callable[[str], Any], inner: Reader, charge: int) -> Reader:
        many = inner.many

        def read(v: Any, r: JsonReading) -> Any:
            if v.__class__ is not tuple:
                raise Doubt
            if not v:
                return MappingProxyType[Any, Any]({})
            r.charge(len(v) * charge)
            names, values = zip(*v)
            found = dict(zip(map(key, names), many(values, r)))
            if len(found) != len(v):
                raise Doubt
            return MappingProxyType(found)

        def read_many(values: Sequence[Any], r: JsonReading) -> Sequence[Any]:
            every = list(chain.from_iterable(values))
            if set(map(type, values)) != {tuple} or not every:
                return [read(v, r) for v in values]
            r.charge(len(every) * charge)
            names, items = zip(*every)
            pairs = zip(map(key, names), many(items, r))
            made = [dict(islice(pairs, len(v))) for v in values]
            if sum(map(len, made)) != len(every):
                raise Doubt
            return list(map(MappingProxyType, made))

        return Reader(read, read_many, inner.height + 1)

    def _group(self, value: TextRecord | TextUnion) -> Reader:
        found = self._groups.get(id(value))
        if found is not None:
            return found
        if not value.type.recursive:
            made = self._record(value) if isinstance(value, TextRecord) else self._union(value)
            self._groups[id(value)] = made
            return made
        # The parts of a recursive value are made on first use.
        inner: list[Reader] = []

        def read(v: Any, r: JsonReading) -> Any:
            if not inner:
                record = isinstance(value, TextRecord)
                inner.append(self._record(value) if record else self._union(value))
            r.depth -= 1
            r.nesting += inner[0].height
            if r.depth < 0 or r.nesting > r.allowed:
                raise Doubt
            built = inner[0].one(v, r)
            r.depth += 1
            r.nesting -= inner[0].height
            return built

        self._groups[id(value)] = made = Reader(read)
        return made

    # Structs

    def _record(self, record: TextRecord | TextUnion | TextGroup) -> Reader:
        if not isinstance(record, TextRecord):
            raise TypeError("not a struct")
        fields = record.fields
        order = in_order(record)
        readers = [self.value(field.value) for field in fields]
        names = tuple(fields[i].name for i in order)
        to_declared = _to_declared(order)
        ones = [readers[i].one for i in order]
        every = [field.name for field in fields]
        index = {field.name: i for i, field in enumerate(fields)}
        absent = [absent_json(record, i) for i in range(len(fields))]
        extensible = record.type.extensible
        build = Builder(record)
        count = len(fields)
        height = 1 + max((reader.height for reader in readers), default=0)
        room = _MAX_SKIPPED - height

        def read(v: Any, r: JsonReading) -> Any:
            if v.__class__ is not tuple:
                raise Doubt
            if len(v) == count and count:
                found, items = zip(*v)
                if found == names:
                    given = [one(item, r) for one, item in zip(ones, items)]
                    return build(given if to_declared is None else to_declared(given))
            values = list(absent)
            seen = 0
            for name, item in v:
                i = index.get(name, -1)
                if i >= 0:
                    if seen >> i & 1:
                        raise Doubt
                    seen |= 1 << i
                    values[i] = readers[i].one(item, r)
                elif not extensible or len(name) * 4 > r.name:
                    raise Doubt
                else:
                    _skip(item, min(room, r.allowed - r.nesting - height))
            for value in values:
                if value is REFUSED:
                    raise Doubt
            return build(values)

        def columns(shape: Sequence[str], cells: list[Any], r: JsonReading) -> Any:
            """The structs of these members, by column; None to read them one by one."""
            places = {name: place for place, name in enumerate(shape)}
            taken = 0
            made: list[Sequence[Any]] = []
            for i, name in enumerate(every):
                place = places.get(name, -1)
                if place >= 0:
                    taken += 1
                    made.append(readers[i].many(list(map(_item_of, cells[place])), r))
                elif absent[i] is not None:
                    return None
                else:
                    made.append([None] * len(cells[0]))
            return build.many(made) if taken == len(shape) else None

        def read_many(values: Sequence[Any], r: JsonReading) -> Sequence[Any]:
            if set(map(type, values)) != {tuple}:
                raise Doubt
            found: list[Any] = [None] * len(values)
            for shape, places, cells in alike(values, _name_of):
                made = columns(shape, cells, r) if shape else None
                if made is None:
                    made = [read(values[i], r) for i in places]
                if len(made) == len(values):
                    return made
                for i, value in zip(places, made):
                    found[i] = value
            return found

        return Reader(read, read_many, height)

    def _union(self, union: TextRecord | TextUnion | TextGroup) -> Reader:
        if not isinstance(union, TextUnion):
            raise TypeError("not a union")
        fields, classes, charges = union.fields, union.type.classes, union.charges
        readers = [self.value(field.value) for field in fields]
        index = {field.name: i for i, field in enumerate(fields)}

        def read(v: Any, r: JsonReading) -> Any:
            if v.__class__ is not tuple or len(v) != 1:
                raise Doubt
            name, item = v[0]
            i = index[name]
            r.charge(charges[i])
            made: Callable[[Any], Any] = classes[i]
            return made(readers[i].one(item, r))

        return Reader(read, height=1 + max(reader.height for reader in readers))


def _to_declared(order: list[int]) -> Callable[[list[Any]], Sequence[Any]] | None:
    """Puts values of fields in this order into the declared one; None if that is the same."""
    places = sorted(range(len(order)), key=order.__getitem__)
    return None if order == sorted(order) else itemgetter(*places)


def _skip(value: Any, room: int) -> None:
    """The parser accepted an unknown member's JSON; it may be too deep."""
    if value.__class__ is tuple:
        value = [item for _, item in value]
    elif value.__class__ is not list:
        return
    if room < 0:
        raise Doubt
    for item in value:
        _skip(item, room - 1)


READERS: Final = JsonReaders()
