"""Columns as values: one at a time, and whole arrays of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Callable, Final
from urllib.parse import unquote

from .._binary import FAILURES
from .._text import TextOptional, TextRaw, TextScalar, TextValue, lexical, text_charge
from .._text.columns import READ as READ_MANY
from .._text.columns import ReadMany
from .._text.read import Problem, holder, take_part
from .._xml.leaf import Parse, leaf_parser, refused
from .rows import NIL, Broken, PartName, Table
from .shape import bare

#: Reads the rows at and beneath an index.
Read = Callable[[Table, str], Any]


def _parser(value: TextValue) -> Parse:
    """The value of a column."""
    inner = bare(value)
    found = str if isinstance(inner, TextRaw) else leaf_parser(inner)
    if found is None:
        raise TypeError(f"not one text: {value!r}")
    return found


#: Reads a text without surrounding white space.
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
    """The same for texts in the usual form; None if they are the values."""
    word = value.word if isinstance(value, TextScalar) else ""
    if word == "String" or isinstance(value, TextRaw):
        return None
    return _DIRECT.get(word, parse)


class Column:
    """Reads the columns of one field."""

    __slots__ = ("direct", "each", "many", "name", "optional", "own", "parse", "value")

    def __init__(self, name: str, value: TextValue) -> None:
        self.name = name
        self.value = bare(value)
        self.optional = isinstance(value, TextOptional)
        self.own, self.each = text_charge(value)
        self.parse = _parser(value)
        self.direct = _direct(self.value, self.parse)
        word = self.value.word if isinstance(self.value, TextScalar) else ""
        self.many: ReadMany = READ_MANY.get(word) or self._each
        """The values of many columns; fails if one is unusual."""

    def read(self, table: Table, text: Any, row: int) -> Any:
        """The value of a present column."""
        if text.__class__ is not str:
            return self._special(table, text, row)
        try:
            return self.parse(text)
        except FAILURES as failure:
            raise refused(failure, text, self.value, row) from None

    def _special(self, table: Table, text: Any, row: int) -> Any:
        if text.__class__ is Broken:
            raise Problem(str(text), row)
        if text.__class__ is PartName:
            if isinstance(self.value, TextScalar) and self.value.word == "byte[]":
                return _part(table, str(text), row)
            return self.read(table, str.__str__(text), row)
        raise Problem("a value is expected, not `~`", row)

    def bill(self, values: Sequence[Any]) -> int:
        """The total charge (LIM-18); None is free."""
        if self.each:
            return sum([self.own + self.each * len(value) for value in values if value is not None])
        return self.own * sum([value is not None for value in values]) if self.own else 0

    def some(self, texts: Sequence[str | None]) -> Sequence[Any]:
        """The values of many columns, some of which are null."""
        parse = self.parse
        return [None if text is None else parse(text) for text in texts]

    def _each(self, texts: Sequence[str]) -> Sequence[Any]:
        return list(map(self.parse, texts))


def _part(table: Table, text: str, row: int) -> bytes:
    """The part for a ``byte[]`` (TDX-25)."""
    name = unquote(text[4:])
    return take_part(table.parts, table.used, name, row)


def scalar(column: Column) -> Read:
    """Reads a separate row for one value; the row is present."""

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
        value = column.read(table, text, i)
        if column.own or column.each:
            table.charge(column.bill((value,)))
        return value

    return read


def one_row(column: Column, item: TextValue, charge: int) -> Read:
    """TDX-31: all items of an array in one row; each has its charge."""
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
        table.charge(len(texts) * charge)
        return _items(table, column, hold, code, texts, lambda _: i, None)

    return read


def rows_each(column: Column, item: TextValue, charge: int) -> Read:
    """A row for each item of an array; each has its charge."""
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
        table.charge(len(texts) * charge)
        return _items(table, column, hold, code, texts, lambda k: start + k, NIL)

    return read


def _items(
    table: Table,
    column: Column,
    hold: Callable[[list[Any]], Any],
    code: str,
    texts: list[Any],
    row_of: Callable[[int], int],
    nothing: object,
) -> Any:
    """The items of an array from their texts; ``nothing`` replaces null."""
    if table.simple and not (table.marked and (None in texts or NIL in texts)):
        if code and not column.optional and texts:
            array = lexical.array_of(code, texts)
            if array is not None:
                return array
        try:
            values = list(column.many(texts))
        except FAILURES:
            pass
        else:
            table.charge(column.bill(values))
            return hold(values)
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
    table.charge(column.bill(found))
    return hold(found)
