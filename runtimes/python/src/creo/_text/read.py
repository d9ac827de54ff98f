"""Shared by all readers of text wires: errors, arrays of items, structs of fields."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Callable, Final

from .._base import ErrorCode, shown
from .._binary import Bad
from .._binary.values import Struct
from .._buffer import to_array
from .._columns import structs
from . import (
    ATTRIBUTE,
    TextAttributes,
    TextOptional,
    TextRecord,
    TextRepeated,
    TextScalar,
    TextValue,
)
from .columns import instances, slots

if TYPE_CHECKING:
    from .._base import Limits

#: An absent field: the constructor's default applies.
MISSING: Final[Any] = object()
#: A required field that is absent.
REFUSED: Final[Any] = object()

#: What reads the parts of a package, by their ids; it fails with ``Bad``.
Parts = Mapping[str, Callable[[], bytes]]

_NO_ATTRIBUTES: Final = MappingProxyType[str, str]({})


def holder(item: TextValue) -> Callable[[list[Any]], Any]:
    """The stored form of an array's items."""
    if isinstance(item, TextScalar) and item.code:
        code = item.code
        if code == "H":
            return "".join
        return lambda found: to_array(code, found, "$")
    if isinstance(item, TextRecord) and getattr(item.type.cls, "_creo_block", None) is not None:
        cls = item.type.cls
        return lambda found: structs(found, "$", cls)
    return tuple


class Builder:
    """Makes the objects of a struct; defaults are those of its constructor."""

    __slots__ = ("_cls", "_names", "_positional", "_slots")

    def __init__(self, record: TextRecord) -> None:
        self._cls: Any = record.type.cls
        self._names = [field.attribute for field in record.declared]
        plain = issubclass(record.type.cls, Struct) and bool(record.declared)
        self._slots = slots(record.type.cls, self._names) if plain else None
        # Parameters after a default are passed by name.
        self._positional = len(self._names)
        defaulted = False
        for i, field in enumerate(record.declared):
            if defaulted and not field.may_miss:
                self._positional = min(self._positional, i)
            defaulted = defaulted or field.may_miss

    def __call__(self, values: Sequence[Any]) -> Any:
        """The object with these stored values, in declared order."""
        for value in values:
            if value is MISSING:
                given = {n: v for n, v in zip(self._names, values) if v is not MISSING}
                return self._cls(**given)
        if self._positional == len(values):
            return self._cls(*values)
        if self._slots is not None:
            made = self._cls.__new__(self._cls)
            for setter, value in zip(self._slots, values):
                setter(made, value)
            return made
        head, names = values[: self._positional], self._names[self._positional :]
        return self._cls(*head, **dict(zip(names, values[self._positional :])))

    def many(self, columns: list[Sequence[Any]]) -> list[Any]:
        """The objects with these columns of stored values; no value is absent."""
        if self._slots is not None:
            return instances(self._cls, columns, self._slots)
        return [self(list(values)) for values in zip(*columns)]


def absent_json(record: TextRecord, i: int) -> Any:
    """The value of an absent object member (JSON-11)."""
    field, may_miss = record.fields[i], record.declared[i].may_miss
    if isinstance(field.value, TextOptional):
        return MISSING if record.type.extensible and may_miss else None
    may_miss = may_miss and (record.type.extensible or field.place == ATTRIBUTE)
    return MISSING if may_miss else REFUSED


def absent_row(record: TextRecord, i: int) -> Any:
    """The value of a field without a row or attribute (XML-20, XML-31)."""
    field, may_miss = record.fields[i], record.declared[i].may_miss
    if isinstance(field.value, TextOptional):
        return MISSING if record.type.extensible and may_miss else None
    if may_miss and (record.type.extensible or field.place == ATTRIBUTE):
        return MISSING
    if isinstance(field.value, TextRepeated):
        return holder(field.value.value)([])
    return _NO_ATTRIBUTES if isinstance(field.value, TextAttributes) else REFUSED


class Doubt(ValueError):
    """Input that needs a closer look: it is unusual or wrong."""


class Problem(Exception):
    """What is wrong, and where; ``path`` lists the steps from last to first."""

    def __init__(self, message: str, p: int, code: ErrorCode = ErrorCode.MALFORMED) -> None:
        super().__init__(message)
        self.message = message
        self.p = p
        self.code = code
        self.details: dict[str, str] = {}
        self.path: list[str] = []
        self.missing = False
        """Whether lenient reading takes what the path leads to as missing, if it may miss."""


def beyond(limit: str, allowed: int, message: str, p: int) -> Problem:
    """A limit is exceeded (LIM-2)."""
    problem = Problem(message, p, ErrorCode.TOO_LARGE)
    problem.details = {"limit": limit, "allowed": str(allowed)}
    return problem


def no_memory(limits: Limits, p: int) -> Problem:
    """LIM-18 is exceeded."""
    allowed = limits.memory
    return beyond("maxMemory", allowed, f"more memory than the {allowed} bytes allowed", p)


def take_part(parts: Parts | None, used: set[str], name: str, p: int) -> bytes:
    """The bytes of a part that is named at ``p`` (SOAP-22), and then counts as used."""
    read = None if parts is None else parts.get(name)
    if read is None or name in used:
        what = "twice" if read is not None else "that is not there"
        raise Problem(f"a part {what}: {shown(name)!r}", p)
    used.add(name)
    try:
        return read()
    except Bad as bad:
        raise Problem(str(bad), p) from None
