"""The shape of a table: the numbers of fields, and the values in one column (TDX-11, TDX-20).

It is the shape of the XML with numbers for names, with two exceptions: ``inline`` values, and
arrays, which repeat as a field and have their own element elsewhere, regardless of XML.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from .._text import (
    ATTRIBUTE,
    TEXT,
    TEXT_STRING,
    TextAttributes,
    TextEntries,
    TextEnum,
    TextField,
    TextList,
    TextOptional,
    TextRaw,
    TextRepeated,
    TextScalar,
    TextValue,
    TextWrapped,
)

NAMESPACE: Final = "urn:creo:tdxml"
MEDIA_TYPE: Final = "application/vnd.creo.tdxml"
#: The names of tables, by scheme.
TABLES: Final = {"record": "RT", "aggregated": "CT"}


def suffixes(fields: Sequence[TextField]) -> list[str]:
    """The suffix of each field's index after the struct's."""
    made: list[str] = []
    attributes = elements = 0
    for field in fields:
        if field.place == ATTRIBUTE:
            made.append(f"({attributes})")
            attributes += 1
        elif field.place == TEXT:
            made.append("")
        else:
            made.append(f"[{elements}]")
            elements += 1
    return made


def in_order(fields: Sequence[TextField]) -> list[int]:
    """The indices of fields in column order: attributes first (TDX-30)."""
    return sorted(range(len(fields)), key=lambda i: fields[i].place != ATTRIBUTE)


def bare(value: TextValue) -> TextValue:
    """The inner form of an optional."""
    return value.value if isinstance(value, TextOptional) else value


def is_scalar(value: TextValue) -> bool:
    """Whether a present value is one text (TDX-20)."""
    return isinstance(bare(value), (TextScalar, TextEnum, TextList, TextRaw))


def item_of(value: TextValue) -> TextValue | None:
    """The item of an array; None for others, including arrays in one text."""
    if isinstance(value, TextRepeated):
        return value.value
    return value.item.value if isinstance(value, TextWrapped) else None


def repeated_of(value: TextValue) -> TextValue | None:
    """The item of an array as a field that repeats (TDX-23); None for others."""
    return value.value if isinstance(value, TextRepeated) else None


def charge_of(value: TextValue) -> int:
    """The charge of each array item or map entry (LIM-18)."""
    if isinstance(value, (TextRepeated, TextWrapped, TextEntries, TextAttributes)):
        return value.charge
    return 0


_STRING_KEY: Final = TextField("key", "", TEXT_STRING)
_STRING_VALUE: Final = TextField("value", "", TEXT_STRING)


def entry_of(value: TextValue) -> tuple[TextField, TextField] | None:
    """Key and value of a map's entry; None for others, including those in one text."""
    if isinstance(value, TextEntries):
        return value.key, value.value
    return (_STRING_KEY, _STRING_VALUE) if isinstance(value, TextAttributes) else None
