"""Structs as rows: their own columns, and the rows beneath (TDX-30)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Callable

from .._binary import FAILURES
from .._text import TEXT, TextField, TextMessage, TextOptional, TextRecord
from .._text.read import REFUSED, Builder, Problem, absent_row, holder
from .columns import Column, Read, scalar
from .rows import NIL, Broken, Index, Table
from .shape import in_order, is_scalar, repeated_of, suffixes

if TYPE_CHECKING:
    from .read import TableReaders


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
        self._extensible = record is not None and record.type.extensible
        self._build: Any = list if record is None else Builder(record)
        ends = suffixes(fields)
        order = in_order(fields)
        columns = [i for i in order if is_scalar(fields[i].value)]
        self._texts = {i: Column(fields[i].name, fields[i].value) for i in columns}
        self._parses = [self._texts[i].direct for i in columns]
        self._columns = columns if readers.is_record else []
        self._charged = any(self._texts[i].own or self._texts[i].each for i in columns)
        # The text of an element has the element's own index and comes first.
        self._text = -1
        if not readers.is_record:
            places = [field.place for field in fields]
            self._text = places.index(TEXT) if TEXT in places else -1
        self._beneath = [(i, ends[i]) for i in order if i not in self._columns and i != self._text]
        self._reads: list[Read | None] = [None] * len(fields)
        self._absent = [
            absent_row(record, i) if record is not None else _absent(field)
            for i, field in enumerate(fields)
        ]
        self._counts = (
            len([end for end in ends if end[:1] == "["]),
            len([end for end in ends if end[:1] == "("]),
        )
        recursive = record is not None and record.type.recursive
        self.flat: Callable[[Table, str, bool], list[Any]] | None = None
        """Reads many structs that consist of columns, some of which may be None if this is true;
        returns none if some are unusual."""
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
        """The values of the fields; absent ones get their defaults."""
        values = list(self._absent)
        start = i = table.i
        heads = table.heads
        if heads[i] == index:
            table.i = i + 1
            self._own(table, values, i)
        attributes_over = not self._extensible
        last: Index = ()
        for k, end in self._beneath:
            child = index + end
            if not attributes_over and end[0] == "[":
                attributes_over = True
                last = self._skip(table, index, "(", last)
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
                self._skip(table, index, "[(", last)
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
            return scalar(column)
        # The value of an entry that is an array has its own element (XML-23).
        return self._readers.field(value)

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
                table.charge(column.bill((values[self._text],)))
            except Problem as problem:
                problem.path.append(f".{column.name}")
                raise
            return
        if row[1] is NIL:
            raise Problem("`~` for a value that is not optional", i)
        if len(row) - 1 > len(columns):
            if not self._extensible or not self._readers.is_record:
                raise Problem(f"{len(row) - 1} columns, where {len(columns)} are allowed", i)
            for text in row[len(columns) + 1 :]:
                if text.__class__ is Broken:
                    raise Problem(str(text), i)
        if table.simple and not (table.marked and None in row):
            try:
                for k, parse, text in zip(columns, self._parses, row[1:]):
                    values[k] = text if parse is None else parse(text)
            except FAILURES:
                pass
            else:
                if self._charged:
                    for k in columns[: len(row) - 1]:
                        table.charge(self._texts[k].bill((values[k],)))
                return
        k = 0
        try:
            # ``k`` is the field that failed.
            for k, text in zip(columns, row[1:]):
                if text is not None:
                    values[k] = self._texts[k].read(table, text, i)
                    table.charge(self._texts[k].bill((values[k],)))
        except Problem as problem:
            problem.path.append(f".{self._fields[k].name}")
            raise

    def _skip(self, table: Table, index: str, kinds: str, last: Index) -> Index:
        """Skips unknown rows beneath an extensible struct (TDX-26), after ``last``."""
        elements, attributes = self._counts
        while True:
            head = table.heads[table.i]
            rest = head[len(index) :]
            if not head.startswith(index) or not rest or rest[0] not in kinds:
                return last
            digits, closed, _ = rest[1:].partition("]" if rest[0] == "[" else ")")
            known = elements if rest[0] == "[" else attributes
            if not closed or not digits.isdigit() or len(digits) > 10 or int(digits) < known:
                table.unexpected()
            last = table.skip(head[: len(index) + len(digits) + 2], last)

    def _complete(self, values: list[Any], row: int) -> list[Any]:
        """Sets absent fields, or reports the missing one."""
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

    def _flat_columns(self, table: Table, index: str, may_miss: bool) -> list[Any]:
        heads, start = table.heads, table.i
        i, k = start, 0
        while heads[i] == f"{index}{k}":
            i += 1
            k += 1
        rows = table.rows[start:i]
        missing: list[int] = []
        if may_miss and table.marked:
            missing = [k for k, row in enumerate(rows) if len(row) == 2 and row[1] is NIL]
            rows = [row for row in rows if len(row) != 2 or row[1] is not NIL]
        if not table.simple or set(map(len, rows)) != {len(self._columns) + 1}:
            return []
        columns: list[Sequence[str]] = list(zip(*rows))
        return self._built(table, columns[1:], i, table.marked, missing)

    def _flat_rows(self, table: Table, index: str, may_miss: bool) -> list[Any]:
        heads, ends, size = table.heads, self._ends, len(self._ends)
        i, k = table.i, 0
        missing: list[int] = []
        rows: list[list[Any]] = []
        while True:
            head = f"{index}{k}"
            if heads[i : i + size] == list(map(head.__add__, ends)):
                rows += table.rows[i : i + size]
                i += size
            elif may_miss and heads[i] == head and table.rows[i][1:] == [NIL]:
                missing.append(k)
                i += 1
            else:
                break
            k += 1
        if not table.simple or set(map(len, rows)) != {2}:
            return []
        texts = [row[1] for row in rows]
        if table.marked and NIL in texts:
            return []
        columns: list[Sequence[str]] = [texts[c::size] for c in range(size)]
        return self._built(table, columns, i, None in texts, missing)

    def _built(
        self,
        table: Table,
        texts: list[Sequence[str]],
        after: int,
        marked: bool,
        missing: list[int],
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
        if self._charged:
            table.charge(sum([self._texts[k].bill(columns[k]) for k in self._order]))
        found: list[Any] = self._build.many(columns)
        table.i = after
        if missing:
            given, places = iter(found), set(missing)
            count = len(found) + len(missing)
            found = [None if k in places else next(given) for k in range(count)]
        return found


def _absent(field: TextField) -> Any:
    """The value of a parameter, result, key or value without a row."""
    if isinstance(field.value, TextOptional):
        return None
    item = repeated_of(field.value)
    return REFUSED if item is None else holder(item)([])
