"""Structs by column: many elements of a tree at once, field by field.

Unusual input (an undeclared element, an absent or duplicate field, an attribute) is read one by one
instead.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, islice
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Callable, Final

from .._text import ELEMENT, TextGroup, TextOptional, TextRecord, TextRepeated
from .._text.columns import alike
from .._text.read import Builder, Doubt, holder
from .leaf import Reader, charge_texts, has_attributes, item_charge
from .tree import Tree, expanded, is_white, tag_of, tail_of, text_of

if TYPE_CHECKING:
    from typing_extensions import TypeAlias

    from .read import Readers

    #: For each field, the positions of its elements among those of a struct.
    Plan: TypeAlias = "list[tuple[int, int]]"

#: How many orders of elements are cached for a struct, and up to how many elements.
_MAX_SHAPES: Final = 256
_MAX_SHAPE: Final = 256


class _Field:
    """A field whose elements are read together."""

    __slots__ = ("charge", "each", "hold", "may_miss", "own", "reader")

    def __init__(self, readers: Readers, field: Any, absent: Any) -> None:
        value = field.value
        self.hold: Callable[[list[Any]], Any] | None = None
        self.charge = 0
        if isinstance(value, TextRepeated):
            self.hold = holder(value.value)
            self.charge = value.charge
            value = value.value
        self.reader: Reader = readers.field(field.with_value(value))
        self.own, self.each = item_charge(value)
        self.may_miss = self.hold is not None or (
            isinstance(value, TextOptional) and absent is None
        )

    def read(self, x: Tree, elements: list[Any]) -> Sequence[Any] | None:
        """The values of all its elements, which are charged."""
        if not elements:
            return ()
        found = self.reader.many(x, elements)
        if found is None:
            return None
        if self.charge:
            x.charge(self.charge * len(elements))
        charge_texts(x, self.own, self.each, found)
        return found


class Columns:
    """Reads the fields of a group together."""

    def __init__(self, readers: Readers, group: TextGroup, absents: Sequence[Any]) -> None:
        self._readers = readers
        self._group = group
        self._absents = absents
        self._index = {expanded(uri, local): i for local, uri, i in group.starts}
        self._plans: dict[tuple[str, ...], Plan] = {}
        self._made: list[_Field] | None = None

    @property
    def _fields(self) -> list[_Field]:
        if self._made is None:
            self._made = [
                _Field(self._readers, field, absent)
                for field, absent in zip(self._group.fields, self._absents)
            ]
        return self._made

    def _plan(self, shape: tuple[str, ...]) -> Plan | None:
        """The positions of the fields in a struct with such elements; None if unusual."""
        known = self._plans.get(shape)
        if known is not None:
            return known
        plan: Plan = [(0, 0)] * len(self._fields)
        for at, tag in enumerate(shape):
            i = self._index.get(tag, -1)
            if i < 0:
                return None
            begin, end = plan[i]
            if end and (end != at or self._fields[i].hold is None):
                return None
            plan[i] = (begin if end else at, at + 1)
        for (_, end), field in zip(plan, self._fields):
            if not end and not field.may_miss:
                return None
        if len(shape) <= _MAX_SHAPE and len(self._plans) < _MAX_SHAPES:
            self._plans[shape] = plan
        return plan

    def read(
        self, x: Tree, elements: Sequence[Any]
    ) -> tuple[list[Sequence[Any]], list[int] | None] | None:
        """The values of each field, and the order of the elements if it differs."""
        if has_attributes(x, elements):
            return None
        rows: list[list[Any]] = list(map(list, elements))
        between = set(map(text_of, elements))
        groups: list[tuple[Plan, int, list[Any]]] = []
        order: list[int] = []
        for shape, places, cells in alike(rows, tag_of):
            plan = self._plan(shape)
            if plan is None:
                return None
            for cell in cells:
                between.update(map(tail_of, cell))
            groups.append((plan, len(places), cells))
            order += places
        if not is_white(between):
            raise Doubt
        columns: list[Sequence[Any]] = []
        for k, field in enumerate(self._fields):
            column = _column(x, field, [(plan[k], count, cells) for plan, count, cells in groups])
            if column is None:
                return None
            columns.append(column)
        return columns, order if len(groups) > 1 else None


def _column(x: Tree, field: _Field, groups: list[Any]) -> Sequence[Any] | None:
    """The values of a field in all groups of similar structs."""
    elements: list[Any] = []
    for (begin, end), _, cells in groups:
        if end - begin == 1:
            elements += cells[begin]
        elif end:
            elements += chain.from_iterable(zip(*cells[begin:end]))
    found = field.read(x, elements)
    hold = field.hold
    if found is None or (hold is None and len(found) == sum([count for _, count, _ in groups])):
        return found
    column: list[Any] = []
    p = 0
    for (begin, end), count, _ in groups:
        size = end - begin
        if hold is not None:
            column += [hold(list(found[q : q + size])) for q in _steps(p, size, count)]
        else:
            column += found[p : p + count] if size else [None] * count
        p += size * count
    return column


def _steps(p: int, size: int, count: int) -> Sequence[int]:
    return range(p, p + size * count, size) if size else [p] * count


def fits(group: TextGroup) -> bool:
    """Whether a group can be read by column."""
    if isinstance(group, TextRecord) and group.type.recursive:
        return False
    return bool(group.fields) and all(field.place == ELEMENT for field in group.fields)


def structs(columns: Columns, build: Builder) -> Callable[[Tree, Sequence[Any]], Any]:
    """Reads many structs."""

    def many(x: Tree, elements: Sequence[Any]) -> Sequence[Any] | None:
        found = columns.read(x, elements)
        if found is None:
            return None
        values, order = found
        made = build.many(values)
        if order is None:
            return made
        placed: list[Any] = [None] * len(made)
        for i, value in zip(order, made):
            placed[i] = value
        return placed

    return many


def entries(columns: Columns, entry: str, charge: int) -> Callable[[Tree, Sequence[Any]], Any]:
    """Reads many maps, whose entries have a name and a charge."""

    def many(x: Tree, elements: Sequence[Any]) -> Sequence[Any] | None:
        if has_attributes(x, elements):
            return None
        rows: list[list[Any]] = list(map(list, elements))
        flat = list(chain.from_iterable(rows))
        between = set(map(tail_of, flat))
        between.update(map(text_of, elements))
        if not is_white(between) or not set(map(tag_of, flat)) <= {entry}:
            raise Doubt
        pairs: Iterator[Any] = iter(())
        if flat:
            found = columns.read(x, flat)
            if found is None or found[1] is not None:
                return None
            x.charge(charge * len(flat))
            pairs = zip(*found[0])
        made = [dict(islice(pairs, len(row))) for row in rows]
        if sum(map(len, made)) != len(flat):
            raise Doubt
        return list(map(MappingProxyType, made))

    return many
