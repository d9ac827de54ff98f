"""Rows as values: what the descriptions of ``_text`` become for reading (``spec/wires/tdxml.md``).

Each becomes a reader ``read(table, index)``, which takes the rows at and beneath an index, as they
come in schema order: the next row is compared with what is expected next. Structs that are nothing
but columns are read by the column, many at once. Where the rows are in another order that fails;
then they are sorted, and the walk begins again (ADR 0010).
"""

from __future__ import annotations

from collections.abc import Sequence
from types import MappingProxyType
from typing import Any, Callable, Final
from urllib.parse import unquote

from . import _lexical as lexical
from ._binary import FAILURES
from ._columns import READ as READ_MANY
from ._columns import ReadMany
from ._errors import shown
from ._tdxml_rows import NIL, Broken, PartName, Table, steps
from ._tdxml_shape import bare, entry_of, in_order, is_scalar, item_of, suffixes
from ._text import (
    TEXT,
    TextField,
    TextMessage,
    TextOptional,
    TextRaw,
    TextRecord,
    TextScalar,
    TextUnion,
    TextValue,
)
from ._text_read import REFUSED, Builder, absent_row, holder
from ._xml_leaf import Parse, leaf_parser, parsed
from ._xml_scope import Problem, beyond

#: Reads what stands at and beneath an index.
Read = Callable[[Table, str], Any]


def _parser(value: TextValue) -> Parse:
    """The value of a column."""
    inner = bare(value)
    found = str if isinstance(inner, TextRaw) else leaf_parser(inner)
    if found is None:
        raise TypeError(f"not one text: {value!r}")
    return found


#: What reads a text that has no white space around it.
_DIRECT: Final[dict[str, Parse]] = {
    "boolean": lexical.parse_boolean,
    "byte": lexical.parse_byte,
    "short": lexical.parse_short,
    "int": lexical.parse_int,
    "long": lexical.parse_long,
    "double": lexical.parse_double,
    "DateTime": lexical.parse_date_time,
    "Decimal": lexical.parse_decimal,
    "byte[]": lexical.parse_base64,
}


def _direct(value: TextValue, parse: Parse) -> Parse | None:
    """The same for texts as they are written as a rule; None if they are the values."""
    word = value.word if isinstance(value, TextScalar) else ""
    if word == "String" or isinstance(value, TextRaw):
        return None
    return _DIRECT.get(word, parse)


class _Column:
    """How the columns of one field are read."""

    __slots__ = ("direct", "many", "name", "optional", "parse", "value")

    def __init__(self, name: str, value: TextValue) -> None:
        self.name = name
        self.value = bare(value)
        self.optional = isinstance(value, TextOptional)
        self.parse = _parser(value)
        self.direct = _direct(self.value, self.parse)
        word = self.value.word if isinstance(self.value, TextScalar) else ""
        self.many: ReadMany = READ_MANY.get(word) or self._each
        """The values of many columns; it fails if one of them is not as usual."""

    def read(self, table: Table, text: Any, row: int) -> Any:
        """The value of a column that is there."""
        if text.__class__ is not str:
            return self._special(table, text, row)
        try:
            return self.parse(text)
        except FAILURES:
            return parsed(self.parse, text, row, self.value)

    def _special(self, table: Table, text: Any, row: int) -> Any:
        if text.__class__ is Broken:
            raise Problem(str(text), row)
        if text.__class__ is PartName:
            if isinstance(self.value, TextScalar) and self.value.word == "byte[]":
                return _part(table, str(text), row)
            return self.read(table, str.__str__(text), row)
        raise Problem("a value is expected, not `~`", row)

    def some(self, texts: Sequence[str | None]) -> Sequence[Any]:
        """The values of many columns, some of which are nothing."""
        parse = self.parse
        return [None if text is None else parse(text) for text in texts]

    def _each(self, texts: Sequence[str]) -> Sequence[Any]:
        return list(map(self.parse, texts))


def _part(table: Table, text: str, row: int) -> bytes:
    """The part of a package that stands for a ``byte[]`` (TDX-25)."""
    name = unquote(text[4:])
    data = None if table.parts is None else table.parts.get(name)
    if data is None or name in table.used:
        what = "twice" if data is not None else "that is not there"
        raise Problem(f"a part {what}: {shown(name)!r}", row)
    table.used.add(name)
    return data


class TableReaders:
    """The readers of all descriptions in one scheme."""

    def __init__(self, scheme: str) -> None:
        self._is_record = scheme == "record"
        self._groups: dict[int, Fields] = {}
        self._elements: dict[int, Read] = {}

    @property
    def is_record(self) -> bool:
        """Whether structs have a row (TDX-30)."""
        return self._is_record

    def fields(self, group: TextRecord | TextMessage) -> Fields:
        """The reader of a struct's, or of a message's fields."""
        found = self._groups.get(id(group))
        if found is None:
            found = self._groups[id(group)] = Fields(self, group.fields, group)
        return found

    # Elements

    def element(self, value: TextValue) -> Read:
        """Reads a value with an index of its own, of which there is a row."""
        if isinstance(value, TextOptional):
            return self._optional(value)
        if is_scalar(value):
            return _scalar(_Column("", value))
        if isinstance(value, (TextRecord, TextUnion)):
            return self._group(value)
        item = item_of(value)
        if item is not None:
            return self._wrapped(item)
        entry = entry_of(value)
        if entry is None:
            raise TypeError(f"not a value: {value!r}")
        return self._entries(*entry)

    def field(self, value: TextValue) -> Read:
        """Reads a field that is no column."""
        item = item_of(value)
        return self.element(value) if item is None else self.items(item)

    def _optional(self, value: TextOptional) -> Read:
        inner = self.element(value.value)

        def optional(table: Table, index: str) -> Any:
            i = table.i
            if table.heads[i] == index and table.rows[i][1:] == [NIL]:
                table.i = i + 1
                return None
            return inner(table, index)

        return optional

    def _group(self, value: TextRecord | TextUnion) -> Read:
        found = self._elements.get(id(value))
        if found is not None:
            return found
        if isinstance(value, TextRecord):
            make: Callable[[], Read] = lambda: self.fields(value).struct  # noqa: E731
        else:
            make = lambda: self._union(value)  # noqa: E731
        read = _counted(make) if value.type.recursive else make()
        self._elements[id(value)] = read
        return read

    def _union(self, union: TextUnion) -> Read:
        names = [field.name for field in union.fields]
        reads: list[Read | None] = [None] * len(names)
        classes: tuple[Callable[[Any], Any], ...] = union.type.classes

        def read(table: Table, index: str) -> Any:
            start = table.i
            presence(table, index)
            head = table.heads[table.i]
            end = head.find("]", len(index))
            digits = head[len(index) + 1 : end]
            if not head.startswith(f"{index}[") or not digits.isdigit():
                raise Problem(f"one of {', '.join(names[:8])} is expected", start)
            i = int(digits) if len(digits) < 10 else -1
            if not 0 <= i < len(names) or str(i) != digits:
                table.unexpected()
            found = reads[i]
            if found is None:
                found = reads[i] = self.element(union.fields[i].value)
            try:
                value = found(table, head[: end + 1])
            except Problem as problem:
                problem.path.append(f".{names[i]}")
                raise
            if table.heads[table.i].startswith(f"{index}["):
                table.unexpected()
            return classes[i](value)

        return read

    # Arrays and maps

    def _wrapped(self, item: TextValue) -> Read:
        items = self.items(item)

        def read(table: Table, index: str) -> Any:
            presence(table, index)
            found = items(table, f"{index}[0]")
            _finish(table, index)
            return found

        return read

    def items(self, item: TextValue) -> Read:
        """Reads the items of an array; ``index`` is theirs without an occurrence."""
        if is_scalar(item):
            column = _Column("", item)
            return _columns(column, item) if self._is_record else _rows(column, item)
        read = self.element(item)
        hold = holder(item)
        flat = self.fields(item).flat if isinstance(item, TextRecord) else None

        def items(table: Table, index: str) -> Any:
            found: list[Any] = [] if flat is None else flat(table, index)
            heads = table.heads
            while True:
                head, child = heads[table.i], f"{index}{len(found)}"
                if not head.startswith(child) or head[len(child) : len(child) + 1].isdigit():
                    break
                try:
                    found.append(read(table, child))
                except Problem as problem:
                    problem.path.append(f"[{len(found)}]")
                    raise
            if heads[table.i].startswith(index):
                table.unexpected()
            return hold(found)

        return items

    def _entries(self, key: TextField, value: TextField) -> Read:
        pair = Fields(self, (key, value), None)

        def read(table: Table, index: str) -> Any:
            presence(table, index)
            found: dict[Any, Any] = {}
            heads = table.heads
            while True:
                head, child = heads[table.i], f"{index}[0]{len(found)}"
                if not head.startswith(child) or head[len(child) : len(child) + 1].isdigit():
                    break
                start = table.i
                try:
                    name, item = pair.values(table, child)
                except Problem as problem:
                    problem.path.append(f"{{{len(found)}}}")
                    raise
                if name in found:
                    twice = Problem("a key stands twice in a map", start)
                    twice.path.append(f"{{{len(found)}}}.key")
                    raise twice
                found[name] = item
            _finish(table, index)
            return MappingProxyType(found)

        return read


def presence(table: Table, index: str) -> None:
    """Takes a presence row, if there is one (TDX-14)."""
    i = table.i
    if table.heads[i] == index:
        row = table.rows[i]
        if len(row) > 1:
            what = "`~` stands for what is not optional" if row[1] is NIL else "columns stand here"
            raise Problem(f"{what}, but rows beneath are expected", i)
        table.i = i + 1


def _finish(table: Table, index: str) -> None:
    """Fails if rows are left beneath an index."""
    head = table.heads[table.i]
    if head.startswith(index) and head[len(index) : len(index) + 1] in ("[", "(", ""):
        table.unexpected()


def _counted(make: Callable[[], Read]) -> Read:
    """A recursive type's, made when it is first needed, and counted (BIN-13)."""
    inner: list[Read] = []

    def read(table: Table, index: str) -> Any:
        table.levels -= 1
        if table.levels < 0:
            allowed = table.limits.max_depth
            message = f"values nest deeper than the {allowed} levels allowed"
            raise beyond("maxDepth", allowed, message, table.i)
        if not inner:
            inner.append(make())
        found = inner[0](table, index)
        table.levels += 1
        return found

    return read


# Columns


def _scalar(column: _Column) -> Read:
    """A row of its own for one value; the row is there."""

    def read(table: Table, index: str) -> Any:
        i = table.i
        if table.heads[i] != index:
            if i < len(table.rows):
                table.unexpected()
            raise Problem("a row is missing", i)
        row = table.rows[i]
        table.i = i + 1
        if len(row) != 2:
            raise Problem("one value is expected", i)
        text = row[1]
        if text is NIL and column.optional:
            return None
        return column.read(table, text, i)

    return read


def _columns(column: _Column, item: TextValue) -> Read:
    """TDX-31: all items of an array in one row."""
    inner = bare(item)
    hold, code = holder(item), inner.code if isinstance(inner, TextScalar) else ""

    def read(table: Table, index: str) -> Any:
        i = table.i
        row = table.rows[i] if table.heads[i] == index else None
        if row is None:
            if table.heads[i].startswith(index):
                table.unexpected()
            return hold([])
        texts = row[1:]
        table.i = i + 1
        if table.heads[table.i].startswith(index):
            table.unexpected()
        if not texts:
            raise Problem("values are expected", i)
        return _items(table, column, hold, code, texts, lambda _: i, None)

    return read


def _rows(column: _Column, item: TextValue) -> Read:
    """A row for each item of an array."""
    inner = bare(item)
    hold, code = holder(item), inner.code if isinstance(inner, TextScalar) else ""

    def read(table: Table, index: str) -> Any:
        heads, start = table.heads, table.i
        i, k = start, 0
        while heads[i] == f"{index}{k}":
            i += 1
            k += 1
        table.i = i
        if heads[i].startswith(index):
            table.unexpected()
        rows = table.rows[start:i]
        texts: list[Any] = []
        for row in rows:
            if len(row) != 2:
                problem = Problem("one value is expected", start + len(texts))
                problem.path.append(f"[{len(texts)}]")
                raise problem
            texts.append(row[1])
        return _items(table, column, hold, code, texts, lambda k: start + k, NIL)

    return read


def _items(
    table: Table,
    column: _Column,
    hold: Callable[[list[Any]], Any],
    code: str,
    texts: list[Any],
    row_of: Callable[[int], int],
    nothing: object,
) -> Any:
    """The items of an array, of their texts; ``nothing`` stands for what is nothing."""
    if table.simple and not (table.marked and None in texts):
        if code and not column.optional and texts:
            array = lexical.array_of(code, texts)
            if array is not None:
                return array
        try:
            return hold(list(column.many(texts)))
        except FAILURES:
            pass
    found: list[Any] = []
    for k, text in enumerate(texts):
        if column.optional and text is nothing:
            found.append(None)
            continue
        try:
            found.append(column.read(table, text, row_of(k)))
        except Problem as problem:
            problem.path.append(f"[{k}]")
            raise
    return hold(found)


# Structs


class Fields:
    """Reads the fields of a struct, of a message, or of an entry."""

    def __init__(
        self,
        readers: TableReaders,
        fields: Sequence[TextField],
        group: TextRecord | TextMessage | None,
    ) -> None:
        record = group if isinstance(group, TextRecord) else None
        self._readers = readers
        self._fields = fields
        self._is_entry = group is None
        self._extensible = record is not None and record.type.extensible
        self._build: Any = list if record is None else Builder(record)
        ends = suffixes(fields)
        order = in_order(fields)
        columns = [i for i in order if is_scalar(fields[i].value)]
        self._texts = {i: _Column(fields[i].name, fields[i].value) for i in columns}
        self._parses = [self._texts[i].direct for i in columns]
        self._columns = columns if readers.is_record else []
        # The text of an element has the element's own index, before all others.
        self._text = -1
        if not readers.is_record:
            places = [field.place for field in fields]
            self._text = places.index(TEXT) if TEXT in places else -1
        self._beneath = [(i, ends[i]) for i in order if i not in self._columns and i != self._text]
        self._reads: list[Read | None] = [None] * len(fields)
        self._absent = [
            absent_row(record, i) if record is not None else _absent(field, group is None)
            for i, field in enumerate(fields)
        ]
        self._counts = (
            len([end for end in ends if end[:1] == "["]),
            len([end for end in ends if end[:1] == "("]),
        )
        recursive = record is not None and record.type.recursive
        self.flat: Callable[[Table, str], list[Any]] | None = None
        """Reads many structs that are columns and nothing else; fewer if some are not as usual."""
        if fields and len(columns) == len(fields) and not recursive and record is not None:
            if readers.is_record and len(fields) > 1:
                self.flat = self._flat_columns
            elif not readers.is_record and self._text < 0:
                self.flat = self._flat_rows
        self._order = columns
        self._ends = [ends[i] for i in columns]

    def struct(self, table: Table, index: str) -> Any:
        """A struct."""
        return self._build(self.values(table, index))

    def missing(self, row: int) -> Any:
        """A struct without any row."""
        return self._build(self._complete(list(self._absent), row))

    def values(self, table: Table, index: str) -> list[Any]:
        """The values of the fields; what is missing is as it should be."""
        values = list(self._absent)
        start = i = table.i
        heads = table.heads
        if heads[i] == index:
            table.i = i + 1
            self._own(table, values, i)
        attributes_over = not self._extensible
        for k, end in self._beneath:
            child = index + end
            if not attributes_over and end[0] == "[":
                attributes_over = True
                self._skip(table, index, "(")
            if heads[table.i].startswith(child):
                read = self._reads[k]
                if read is None:
                    read = self._reads[k] = self._reader(k)
                try:
                    values[k] = read(table, child)
                except Problem as problem:
                    problem.path.append(f".{self._fields[k].name}")
                    raise
        head = heads[table.i]
        if head.startswith(index) and head[len(index) : len(index) + 1] in ("[", "("):
            if self._extensible:
                self._skip(table, index, "[(")
            else:
                table.unexpected()
        for value in values:
            if value is REFUSED:
                return self._complete(values, start)
        return values

    def _reader(self, k: int) -> Read:
        value = self._fields[k].value
        column = self._texts.get(k)
        if column is not None:
            return _scalar(column)
        # The value of an entry that is an array has an element of its own (XML-23).
        return self._readers.element(value) if self._is_entry else self._readers.field(value)

    def _own(self, table: Table, values: list[Any], i: int) -> None:
        """The struct's own row."""
        row = table.rows[i]
        if len(row) == 1:
            return
        columns = self._columns
        if self._text >= 0:
            column = self._texts[self._text]
            if len(row) > 2:
                raise Problem("one value is expected", i)
            if row[1] is NIL and column.optional:
                values[self._text] = None
                return
            try:
                values[self._text] = column.read(table, row[1], i)
            except Problem as problem:
                problem.path.append(f".{column.name}")
                raise
            return
        if row[1] is NIL:
            raise Problem("`~` stands for what is not optional", i)
        if len(row) - 1 > len(columns):
            if not self._extensible:
                raise Problem(f"{len(row) - 1} columns stand where {len(columns)} may stand", i)
            for text in row[len(columns) + 1 :]:
                if text.__class__ is Broken:
                    raise Problem(str(text), i)
        if table.simple and not (table.marked and None in row):
            try:
                for k, parse, text in zip(columns, self._parses, row[1:]):
                    values[k] = text if parse is None else parse(text)
                return
            except FAILURES:
                pass
        k = 0
        try:
            # ``k`` is read where it fails.
            for k, text in zip(columns, row[1:]):
                if text is not None:
                    values[k] = self._texts[k].read(table, text, i)
        except Problem as problem:
            problem.path.append(f".{self._fields[k].name}")
            raise

    def _skip(self, table: Table, index: str, kinds: str) -> None:
        """Rows beneath an extensible struct that it does not know (TDX-26)."""
        elements, attributes = self._counts
        while True:
            head = table.heads[table.i]
            rest = head[len(index) :]
            if not head.startswith(index) or not rest or rest[0] not in kinds:
                return
            digits, closed, _ = rest[1:].partition("]" if rest[0] == "[" else ")")
            known = elements if rest[0] == "[" else attributes
            if not closed or not digits.isdigit() or len(digits) > 10 or int(digits) < known:
                table.unexpected()
            table.skip(head[: len(index) + len(digits) + 2])

    def _complete(self, values: list[Any], row: int) -> list[Any]:
        """Gives missing fields what they are, or says which is missing."""
        for k, value in enumerate(values):
            if value is not REFUSED:
                continue
            field = self._fields[k]
            inner = field.value
            if not isinstance(inner, TextRecord):
                raise Problem(f"{field.name} is missing", row)
            try:
                values[k] = self._readers.fields(inner).missing(row)
            except Problem as problem:
                problem.path.append(f".{field.name}")
                raise
        return values

    # Many at once

    def _flat_columns(self, table: Table, index: str) -> list[Any]:
        heads, start = table.heads, table.i
        i, k = start, 0
        while heads[i] == f"{index}{k}":
            i += 1
            k += 1
        rows = table.rows[start:i]
        if not table.simple or set(map(len, rows)) != {len(self._columns) + 1}:
            return []
        columns: list[Sequence[str]] = list(zip(*rows))
        return self._built(table, columns[1:], i, table.marked)

    def _flat_rows(self, table: Table, index: str) -> list[Any]:
        heads, ends, size = table.heads, self._ends, len(self._ends)
        i, k = table.i, 0
        while heads[i : i + size] == [f"{index}{k}{end}" for end in ends]:
            i += size
            k += 1
        rows = table.rows[table.i : i]
        if not table.simple or set(map(len, rows)) != {2}:
            return []
        texts = [row[1] for row in rows]
        return self._built(table, [texts[c::size] for c in range(size)], i, None in texts)

    def _built(
        self, table: Table, texts: list[Sequence[str]], after: int, marked: bool
    ) -> list[Any]:
        columns: list[Sequence[Any]] = [()] * len(texts)
        try:
            for k, column in zip(self._order, texts):
                if marked and None in column:
                    if self._absent[k] is not None:
                        return []
                    columns[k] = self._texts[k].some(column)
                else:
                    columns[k] = self._texts[k].many(column)
        except FAILURES:
            return []
        found: list[Any] = self._build.many(columns)
        table.i = after
        return found


def _absent(field: TextField, is_entry: bool) -> Any:
    """What a parameter, a result, a key or value is of which there is no row."""
    if isinstance(field.value, TextOptional):
        return None
    item = None if is_entry else item_of(field.value)
    return REFUSED if item is None else holder(item)([])


READERS: Final = {scheme: TableReaders(scheme) for scheme in ("record", "aggregated")}


def read_table(table: Table, read: Read) -> Any:
    """What a table holds, whatever the order of its rows; its root is ``[0]``."""
    table.check_depth()
    try:
        return _whole(table, read)
    except Problem:
        if not table.sort():
            raise
    return _whole(table, read)


def _whole(table: Table, read: Read) -> Any:
    # Rows of another root stand at the end, once they are in order.
    for i in {0, len(table.rows) - 1}:
        head = table.heads[i]
        if head and (not head.startswith("[0]") or head[3:4].isdigit()):
            table.unexpected(i)
    value = read(table, "[0]")
    if table.i < len(table.rows):
        table.unexpected()
    return value


# Places


def place_of(root: Any, index: str, place: str) -> str:
    """The place of an index by the names of the description, as far as they go."""
    value: Any = root
    entered = False
    for number, occurrence, attribute in steps(index):
        if not entered:
            entered = True
            continue
        value = bare(value) if isinstance(value, TextValue) else value
        step = _step(value, number, occurrence, attribute)
        if step is None:
            return place
        name, value = step
        place += name
    return place


def _step(value: Any, number: str, occurrence: str, attribute: str) -> tuple[str, TextValue] | None:
    """A step of an index: what it adds to the place, and what stands there."""
    if isinstance(value, (TextRecord, TextMessage)):
        end = f"({attribute})" if attribute else f"[{number}]"
        ends = suffixes(value.fields)
        if end not in ends:
            return None
        field = value.fields[ends.index(end)]
        item = item_of(field.value)
        if item is None or not occurrence:
            return f".{field.name}", field.value
        return f".{field.name}[{occurrence}]", item
    if isinstance(value, TextUnion):
        if attribute or int(number) >= len(value.fields):
            return None
        field = value.fields[int(number)]
        return f".{field.name}", field.value
    if not isinstance(value, TextValue) or attribute:
        return None
    item = item_of(value)
    if item is not None and number == "0":
        return (f"[{occurrence}]" if occurrence else "", item)
    entry = entry_of(value)
    if entry is not None and number == "0":
        return (f"{{{occurrence}}}" if occurrence else "", _Entry(entry))
    if isinstance(value, _Entry) and number in ("0", "1"):
        return (".value" if number == "1" else ".key", value.fields[int(number)].value)
    return None


class _Entry(TextValue):
    """An entry of a map, as a step of an index."""

    __slots__ = ("fields",)

    def __init__(self, fields: tuple[TextField, TextField]) -> None:
        self.fields = fields
