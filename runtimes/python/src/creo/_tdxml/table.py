"""Tables read by index or name, and changes of values as tables (TDX-44 to TDX-46)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final, TypeVar

from .._base import DEFAULT_LIMITS, CreoError, ErrorCode, Limits
from .._binary.schema import NamedType, as_bytes
from .._text import TEXT, TextRecord, TextUnion, description
from .._text.read import Problem, holder
from . import check_of, document_of, error_in, read_alone, read_from
from .columns import Column
from .fields import Fields
from .places import Entry, name_of, value_of
from .read import READERS
from .rows import GONE, NIL, Row, index_key, shown_row
from .rows import Table as Rows
from .shape import bare, charge_of, entry_of, in_order, is_scalar, item_of, suffixes

if TYPE_CHECKING:
    from typing_extensions import Buffer

T = TypeVar("T")

_INDEX: Final = re.compile(r"(?:\[[0-9]+\][0-9]*)+(?:\([0-9]+\))?")
_PATH: Final = re.compile(r"\.?([^.\[\]{}]+)|\[([0-9]+)\]|\{([0-9]+)\}")
_LAST: Final = re.compile(r"^(.*\[[0-9]+\])([0-9]+)$")


class _Spot:
    """A position: its index, its form, and its column if it is one."""

    __slots__ = ("column", "index", "is_field", "value")

    def __init__(self, index: str, value: Any, is_field: bool = False, column: int = -1) -> None:
        self.index = index
        self.value = value
        self.is_field = is_field
        """Whether it is a field or similar, so that an array repeats here."""
        self.column = column


class Table:
    """A table whose parts can be read without decoding the rest.

    A path is an index, such as ``[0][0]1[2]``, or names with occurrences in brackets, such as
    ``person[1].age``; entries of a map are ``counts[0].key`` and ``counts[0].value``.
    """

    def __init__(
        self, data: Buffer | str, type: Any = None, *, limits: Limits = DEFAULT_LIMITS
    ) -> None:
        """``type`` is the class of the value; for a union, any of its members' classes.

        Without it, rows are found by index only.

        :raises CreoError: ``malformed`` or ``too-large``.
        """
        document = read_alone(as_bytes(data), limits)
        if document.kind == "UT":
            message = "a table of a value is expected, not an update"
            raise CreoError(ErrorCode.MALFORMED, message, place="$")
        self._type = None if type is None else _type_of(type)
        if self._type is not None:
            check_of(document, (self._type.name,), "$")
        self._root: Any = None if self._type is None else description(self._type)
        self._rows = Rows(document.text, limits)
        self.scheme: Final = "record" if document.kind == "RT" else "aggregated"
        """``"record"`` or ``"aggregated"``."""
        self.of: Final = document.of
        """The name of its content; None if absent."""

    def __len__(self) -> int:
        return len(self._rows.rows)

    def index(self, path: str) -> str:
        """The index of a path.

        :raises ValueError: if the type has no such path.
        """
        return self._spot(path).index

    def rows(self, path: str = "[0]") -> Iterator[tuple[str, tuple[str | None, ...] | None]]:
        """The rows at and beneath a path: index and columns; None for ``~``."""
        index = self._spot(path).index if not path.startswith("[") else path
        for row in self._rows.rows:
            if _is_beneath(row[0], index):
                yield row[0], None if row[1:] == [NIL] else tuple(row[1:])

    def get(self, path: str) -> Any:
        """The value at a path; None if absent.

        :raises ValueError: if the type has no such path.
        :raises CreoError: ``malformed``, if the value is invalid.
        """
        spot = self._spot(path)
        rows = self._rows
        try:
            rows.check_depth()
            try:
                return self._read(spot)
            except Problem:
                if not rows.sort():
                    raise
            return self._read(spot)
        except Problem as problem:
            raise error_in(rows, problem, self._root, "$") from None

    def _read(self, spot: _Spot) -> Any:
        rows, readers = self._rows, READERS[self.scheme]
        rows.restart()
        value = spot.value
        found = [i for i, head in enumerate(rows.heads[:-1]) if _is_beneath(head, spot.index)]
        if spot.column >= 0:
            return self._column(spot, found)
        item = item_of(value) if spot.is_field else None
        if not found:
            return None if item is None else holder(item)([])
        rows.i = found[0]
        if isinstance(value, Entry):
            made: Any = tuple(Fields(readers, value.fields, None).values(rows, spot.index))
        else:
            each = charge_of(value)
            read = readers.element(value) if item is None else readers.items(item, each)
            made = read(rows, spot.index)
        if rows.i - found[0] != len(found):
            # It has rows elsewhere too.
            rows.unexpected(found[-1])
        return made

    def _column(self, spot: _Spot, found: list[int]) -> Any:
        """A column in the row of a struct."""
        rows = self._rows
        for i in found:
            row: Row = rows.rows[i]
            if row[0] == spot.index and len(row) > spot.column + 1:
                text = row[spot.column + 1]
                nothing = text is None or text is NIL
                return None if nothing else Column("", spot.value).read(rows, text, i)
        return None

    # Paths

    def _spot(self, path: str) -> _Spot:
        if self._root is None:
            raise ValueError("the type of the table is not known: give it as `type`")
        names: str | None = path
        if path.startswith("["):
            names = name_of(self._root, path) if index_key(path) is not None else None
        spot: _Spot | None = None if names is None else _Spot("[0]", self._root)
        for name, occurrence in _steps(names or ""):
            spot = None if spot is None else self._next(spot, name, occurrence)
        if spot is None:
            what = "its type" if self._type is None else self._type.name
            raise ValueError(f"{path!r:.200} names nothing of {what}")
        return spot

    def _next(self, spot: _Spot, name: str, occurrence: str) -> _Spot | None:
        value = bare(spot.value)
        if spot.column >= 0:
            return None
        in_columns = self.scheme == "record"
        if not name:
            item, entry = item_of(value), entry_of(value)
            inside = spot.index if spot.is_field else f"{spot.index}[0]"
            if entry is not None:
                return _Spot(f"{spot.index}[0]{occurrence}", Entry(entry))
            if item is None:
                return None
            if in_columns and is_scalar(item):
                # All items are in one row (TDX-31).
                return _Spot(inside, item, column=int(occurrence))
            return _Spot(f"{inside}{occurrence}", item)
        if not isinstance(value, (TextRecord, TextUnion, Entry)):
            return None
        fields = value.fields
        names = [field.name for field in fields]
        if name not in names:
            return None
        i = names.index(name)
        inner = fields[i].value
        if isinstance(value, TextUnion):
            return _Spot(f"{spot.index}[{i}]", inner)
        if in_columns and is_scalar(inner):
            columns = [k for k in in_order(fields) if is_scalar(fields[k].value)]
            return _Spot(spot.index, inner, column=columns.index(i))
        end = suffixes(fields)[i]
        if not end:
            # The text of an element has its index (TDX-11).
            return _Spot(spot.index, inner, column=0)
        return _Spot(f"{spot.index}{end}", inner, is_field=isinstance(value, TextRecord))

    # Updates

    @staticmethod
    def diff(old: Any, new: Any, *, limits: Limits = DEFAULT_LIMITS) -> bytes:
        """The update that turns ``old`` into ``new``, both of one generated type (TDX-46).

        :raises CreoError: ``invalid-value``, if one of them cannot be written.
        """
        type_ = _type_of(new.__class__)
        before, after = _rows_of(type_, old, limits), _rows_of(type_, new, limits)
        rows = {index: rest for index, rest in after.items() if before.get(index) != rest}
        kept = _with_ancestors(after)
        gone: set[str] = set()
        for index, rest in before.items():
            if index not in kept:
                gone.add(_topmost(index, kept))
            elif rest[:1] == "|" and not after.get(index):
                # The text of an element that still exists.
                rows[index] = "~"
        for index in _first_of_each(gone):
            rows[index] = "-"
        lines = [index + rows[index] for index in sorted(rows, key=_key)]
        return document_of(lines, "UT", type_.name)

    @staticmethod
    def apply(update: Buffer | str, value: T, *, limits: Limits = DEFAULT_LIMITS) -> T:
        """Applies an update to a value (TDX-45); does not change the given one.

        :raises CreoError: ``malformed``, if the result is invalid.
        """
        type_ = _type_of(value.__class__)
        document = read_alone(as_bytes(update), limits)
        check_of(document, (type_.name,), "$")
        if document.kind != "UT":
            message = "an update is expected, not a table of a value"
            raise CreoError(ErrorCode.MALFORMED, message, place="$")
        root = description(type_)
        changes = Rows(document.text, limits, update=True)
        try:
            changes.check_depth()
            changes.sort()
        except Problem as problem:
            raise error_in(changes, problem, root, "$") from None
        rows = _rows_of(type_, value, limits)
        taken = [row[0] for row in changes.rows if row[1:] == [GONE]]
        for index in taken:
            for other in [other for other in rows if _is_taken(other, index)]:
                del rows[other]
        origin: dict[str, tuple[int, str]] = {}
        for row, number, text in zip(changes.rows, changes.row_numbers(), changes.texts()):
            if row[1:] != [GONE]:
                origin[row[0]] = (number, text)
                _set(rows, row[0], text[len(row[0]) :], root)
        lines = [index + rows[index] for index in sorted(rows, key=_key)]
        table = _Changed("\n".join(lines), limits, origin)
        changed: T = read_from(table, READERS["aggregated"].element(root), root, "$")
        return changed


class _Changed(Rows):
    """The rows of a value with those of an update; errors use the update's row numbers."""

    __slots__ = ("_origin",)

    def __init__(self, text: str, limits: Limits, origin: dict[str, tuple[int, str]]) -> None:
        super().__init__(text, limits)
        self._origin = origin

    def named(self, i: int) -> str:
        """The name of a row in an error (TDX-15)."""
        found = self._origin.get(self.heads[i])
        return f"{super().named(i)} of the value" if found is None else shown_row(*found)


def _set(rows: dict[str, str], index: str, rest: str, root: Any) -> None:
    """Sets the row at an index."""
    for above in _prefixes(index)[:-1]:
        # An element with rows beneath it is no longer null.
        if rows.get(above) == "~":
            del rows[above]
    if rest == "~" and not _is_text(value_of(root, index)):
        for other in [other for other in rows if _is_beneath(other, index)]:
            del rows[other]
    if rest or index in rows or not any(_is_beneath(other, index) for other in rows):
        rows[index] = rest


def _is_text(value: Any) -> bool:
    """Whether a struct has a text, to which ``~`` at its index refers."""
    return isinstance(value, TextRecord) and any(f.place == TEXT for f in value.fields)


def _type_of(cls: Any) -> NamedType[Any]:
    found: Any = getattr(cls, "_creo_type", None)
    if not hasattr(found, "to_tdxml"):
        raise TypeError(f"not a generated class: {cls!r:.200}")
    type_: NamedType[Any] = found
    return type_


def _rows_of(type_: NamedType[Any], value: Any, limits: Limits) -> dict[str, str]:
    """The aggregated rows of a value, by index."""
    text = type_.to_tdxml(value, limits, scheme="aggregated").decode()
    lines = text[text.index("\n") + 1 : text.rindex("\n") + 1].split("\n")[:-1]
    found: dict[str, str] = {}
    for line in lines:
        match = _INDEX.match(line)
        index = match[0] if match is not None else line
        found[index] = line[len(index) :]
    return found


def _key(index: str) -> tuple[int, ...]:
    return index_key(index) or ()


def _is_beneath(head: str, index: str) -> bool:
    """Whether a row is at or beneath an index, or at an occurrence of it."""
    if not head.startswith(index):
        return False
    behind = head[len(index) : len(index) + 1]
    return behind in ("", "[", "(") or (index[-1:] == "]" and behind.isdigit())


def _is_taken(head: str, index: str) -> bool:
    """Whether ``-`` at an index removes a row: beneath it, or of a later occurrence."""
    match = _LAST.match(index)
    if match is None:
        return _is_beneath(head, index)
    field, first = match[1], int(match[2])
    if not head.startswith(field):
        return False
    digits = re.match("[0-9]+", head[len(field) :])
    return digits is not None and int(digits[0]) >= first


def _prefixes(index: str) -> list[str]:
    """An index and all its prefixes, outermost first."""
    ends = [match.end() for match in re.finditer(r"\[[0-9]+\][0-9]*|\([0-9]+\)", index)]
    return [index[:end] for end in ends]


def _with_ancestors(rows: dict[str, str]) -> set[str]:
    return {prefix for index in rows for prefix in _prefixes(index)}


def _topmost(index: str, kept: set[str]) -> str:
    """The outermost missing prefix of this index."""
    return next(prefix for prefix in _prefixes(index) if prefix not in kept)


def _first_of_each(gone: set[str]) -> list[str]:
    """The first occurrence of a repeated element, which removes the others too."""
    first: dict[str, tuple[int, str]] = {}
    alone: list[str] = []
    for index in gone:
        match = _LAST.match(index)
        if match is None:
            alone.append(index)
            continue
        number = int(match[2])
        if match[1] not in first or number < first[match[1]][0]:
            first[match[1]] = (number, index)
    return alone + [index for _, index in first.values()]


def _steps(path: str) -> list[tuple[str, str]]:
    """A path as steps: a name, or an occurrence."""
    found: list[tuple[str, str]] = []
    rest = path[1:] if path.startswith("$") else path
    p = 0
    while p < len(rest):
        match = _PATH.match(rest, p)
        if match is None:
            raise ValueError(f"not a path: {path!r:.200}")
        found.append((match[1] or "", match[2] or match[3] or ""))
        p = match.end()
    return found
