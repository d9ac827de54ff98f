"""Rows as values: readers made from the descriptions of ``_text`` (``spec/wires/tdxml.md``).

Each becomes a reader ``read(table, index)`` for the rows at and beneath an index, which are
expected in schema order: the next row is compared with the next expected one. Structs that consist
of columns are read by column, many at once. If the rows have another order, this fails; they are
then sorted, and reading starts over (ADR 0010).
"""

from __future__ import annotations

from types import MappingProxyType
from typing import Any, Callable, Final

from .._text import TextField, TextMessage, TextOptional, TextRecord, TextUnion, TextValue
from .._text.read import Problem, beyond, holder
from .columns import Column, Read, one_row, rows_each, scalar
from .fields import Fields
from .rows import NIL, Table
from .shape import bare, charge_of, entry_of, is_scalar, item_of, repeated_of


class TableReaders:
    """Makes the readers of all descriptions in one scheme."""

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
        """Reads a value with its own index and at least one row."""
        if isinstance(value, TextOptional):
            return self._optional(value)
        if is_scalar(value):
            return scalar(Column("", value))
        if isinstance(value, (TextRecord, TextUnion)):
            return self._group(value)
        item = item_of(value)
        if item is not None:
            return self._wrapped(item, charge_of(value))
        entry = entry_of(value)
        if entry is None:
            raise TypeError(f"not a value: {value!r}")
        return self._entries(*entry, charge_of(value))

    def field(self, value: TextValue) -> Read:
        """Reads a field other than a column."""
        item = repeated_of(value)
        return self.element(value) if item is None else self.items(item, charge_of(value))

    def _optional(self, value: TextOptional) -> Read:
        inner, charge = self.element(value.value), value.charge
        if is_scalar(value):
            return scalar(Column("", value))

        def optional(table: Table, index: str) -> Any:
            i = table.i
            if table.heads[i] == index and table.rows[i][1:] == [NIL]:
                table.i = i + 1
                return None
            table.charge(charge)
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
        charges = union.charges

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
                table.charge(charges[i])
                value = found(table, head[: end + 1])
            except Problem as problem:
                problem.path.append(f".{names[i]}")
                raise
            if table.heads[table.i].startswith(f"{index}["):
                table.unexpected()
            return classes[i](value)

        return read

    # Arrays and maps

    def _wrapped(self, item: TextValue, charge: int) -> Read:
        items = self.items(item, charge)

        def read(table: Table, index: str) -> Any:
            presence(table, index)
            found = items(table, f"{index}[0]")
            _finish(table, index)
            return found

        return read

    def items(self, item: TextValue, charge: int) -> Read:
        """Reads the items of an array; ``index`` is theirs without the occurrence."""
        if is_scalar(item):
            make = one_row if self._is_record else rows_each
            return make(Column("", item), item, charge)
        own = item.charge if isinstance(item, TextOptional) else 0
        read = self.element(item)
        hold = holder(item)
        inner, may_miss = bare(item), isinstance(item, TextOptional)
        flat = self.fields(inner).flat if isinstance(inner, TextRecord) else None

        def items(table: Table, index: str) -> Any:
            found: list[Any] = [] if flat is None else flat(table, index, may_miss)
            if found:
                there = len(found) - found.count(None) if own else 0
                table.charge(len(found) * charge + there * own)
            heads = table.heads
            while True:
                head, child = heads[table.i], f"{index}{len(found)}"
                if not head.startswith(child) or head[len(child) : len(child) + 1].isdigit():
                    break
                try:
                    table.charge(charge)
                    found.append(read(table, child))
                except Problem as problem:
                    problem.path.append(f"[{len(found)}]")
                    raise
            if heads[table.i].startswith(index):
                table.unexpected()
            return hold(found)

        return items

    def _entries(self, key: TextField, value: TextField, charge: int) -> Read:
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
                    table.charge(charge)
                    name, item = pair.values(table, child)
                except Problem as problem:
                    problem.path.append(f"{{{len(found)}}}")
                    raise
                if name in found:
                    twice = Problem("a key occurs twice in a map", start)
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
            what = "`~` for a value that is not optional" if row[1] is NIL else "columns stand here"
            raise Problem(f"{what}, but rows beneath are expected", i)
        table.i = i + 1


def _finish(table: Table, index: str) -> None:
    """Fails if rows are left beneath an index."""
    head = table.heads[table.i]
    if head.startswith(index) and head[len(index) : len(index) + 1] in ("[", "(", ""):
        table.unexpected()


def _counted(make: Callable[[], Read]) -> Read:
    """The reader of a recursive type, made on first use, with counted levels (BIN-13)."""
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


READERS: Final = {scheme: TableReaders(scheme) for scheme in ("record", "aggregated")}


def read_table(table: Table, read: Read) -> Any:
    """The content of a table with rows in any order; its root is ``[0]``."""
    table.check_depth()
    try:
        return _whole(table, read)
    except Problem:
        if not table.sort():
            raise
    return _whole(table, read)


def _whole(table: Table, read: Read) -> Any:
    # Rows of another root are at the end after sorting.
    for i in {0, len(table.rows) - 1}:
        head = table.heads[i]
        if head and (not head.startswith("[0]") or head[3:4].isdigit()):
            table.unexpected(i)
    value = read(table, "[0]")
    if table.i < len(table.rows):
        table.unexpected()
    return value
