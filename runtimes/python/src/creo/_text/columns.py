"""Many primitives of one type at once, for text wires that write structs by column.

Readers accept the usual form and fail with any of ``FAILURES`` otherwise: each text is then read by
``lexical``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from itertools import repeat
from typing import Any, Callable, Final

from .._base.instant import DateTime
from .._binary import MAX_DIGITS, Bad, decimal_text
from . import lexical

#: Reads many texts.
ReadMany = Callable[[Sequence[str]], Sequence[Any]]

_INSTANTS: Final = re.compile(
    r"(?:[0-9]{4}-[0-9]{2}-[0-9]{2}T(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:\.[0-9]{1,9})?Z\|)*"
).fullmatch
_DECIMALS: Final = re.compile(r"(?:-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?\|)*").fullmatch
_ZEROS: Final = "000000000"
_new: Final[Any] = object.__new__


def instances(cls: type, columns: Sequence[Sequence[Any]], setters: Sequence[Any]) -> list[Any]:
    """Makes objects of an immutable class from the stored values of its fields."""
    made: list[Any] = list(map(_new, repeat(cls, len(columns[0]))))
    for setter, column in zip(setters, columns):
        # ``any`` consumes the setters' results, which are None.
        any(map(setter, made, column))
    return made


def alike(
    rows: Sequence[Any], name_of: Callable[[Any], str]
) -> Iterator[tuple[tuple[str, ...], Sequence[int], list[Any]]]:
    """Groups rows whose parts have the same names: the names, the rows' positions, the columns."""
    sizes = list(map(len, rows))
    for size in set(sizes):
        places: Sequence[int] = range(len(rows))
        part = rows
        if sizes.count(size) != len(rows):
            places = [i for i, other in enumerate(sizes) if other == size]
            part = [rows[i] for i in places]
        cells = list(zip(*part))
        names = [set(map(name_of, cell)) for cell in cells]
        if set(map(len, names)) <= {1}:
            yield tuple([found.pop() for found in names]), places, cells
            continue
        shapes: dict[tuple[str, ...], list[int]] = {}
        for i in places:
            shapes.setdefault(tuple(map(name_of, rows[i])), []).append(i)
        for shape, these in shapes.items():
            yield shape, these, list(zip(*[rows[i] for i in these]))


def slots(cls: type, names: Sequence[str]) -> list[Any]:
    """The functions that set the fields of an immutable class."""
    return [cls.__dict__[name].__set__ for name in names]


_INSTANT_SLOTS: Final = slots(DateTime, ("seconds", "nanoseconds"))


def date_times(texts: Sequence[str]) -> list[Any]:
    """``DateTime``s written in UTC."""
    if _INSTANTS("|".join(texts) + "|") is None:
        raise Bad
    days = lexical.DAYS
    seconds = [
        days[text[:10]] + int(text[11:13]) * 3_600 + int(text[14:16]) * 60 + int(text[17:19])
        for text in texts
    ]
    nanoseconds = [int((text[20:-1] + _ZEROS)[:9]) for text in texts]
    return instances(DateTime, (seconds, nanoseconds), _INSTANT_SLOTS)


def date_time_texts(values: Sequence[Any]) -> list[str]:
    """The texts of ``DateTime``s."""
    if set(map(type, values)) != {DateTime}:
        return list(map(lexical.format_date_time, values))
    return list(map(DateTime.isoformat, values))


def decimals(texts: Sequence[str]) -> list[Any]:
    """``Decimal``s in canonical form (BIN-12)."""
    if not _are_canonical(texts):
        raise Bad
    return list(map(Decimal, texts))


def decimal_texts(values: Sequence[Any]) -> list[str]:
    """The texts of ``Decimal``s."""
    if set(map(type, values)) != {Decimal}:
        return list(map(lexical.format_decimal, values))
    texts = list(map(str, values))
    return texts if _are_canonical(texts) else list(map(decimal_text, values))


def _are_canonical(texts: Sequence[str]) -> bool:
    """Whether they surely are."""
    joined = "|".join(texts) + "|"
    if _DECIMALS(joined) is None or max(map(len, texts)) > MAX_DIGITS:
        return False
    # Zero has no sign.
    return "-0" not in joined


_FLAGS: Final = {"true": True, "false": False, "1": True, "0": False}


def booleans(texts: Sequence[str]) -> list[Any]:
    """``boolean``s."""
    return list(map(_FLAGS.__getitem__, texts))


def whole(code: str) -> ReadMany:
    """Whole numbers, or doubles, for an ``Array`` with this code."""

    def read(texts: Sequence[str]) -> Sequence[Any]:
        found = lexical.array_of(code, list(texts))
        if found is None:
            raise Bad
        return found.tolist()

    return read


def as_they_are(texts: Sequence[str]) -> Sequence[Any]:
    """``String``s."""
    return texts


#: Readers of many XML texts, by the words of primitives.
READ: Final[dict[str, ReadMany]] = {
    "boolean": booleans,
    "short": whole("h"),
    "int": whole("i"),
    "long": whole("q"),
    "double": whole("d"),
    "String": as_they_are,
    "DateTime": date_times,
    "Decimal": decimals,
}
