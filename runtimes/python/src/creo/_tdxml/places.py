"""The paths of rows, by the names of the description (TDX-15)."""

from __future__ import annotations

from typing import Any

from .._text import TextField, TextMessage, TextRecord, TextUnion, TextValue
from .rows import steps
from .shape import bare, entry_of, item_of, repeated_of, suffixes


def place_of(root: Any, index: str, place: str) -> str:
    """The path of an index by the names of the description, as far as they go."""
    return place + _names(root, index)[0]


def name_of(root: Any, index: str) -> str | None:
    """The same if they cover the whole index."""
    names, value = _names(root, index)
    return None if value is None else names


def value_of(root: Any, index: str) -> TextValue | None:
    """The value's form at an index; None if there is none."""
    found: TextValue | None = _names(root, index)[1]
    return found


def _names(root: Any, index: str) -> tuple[str, Any]:
    found = ""
    value: Any = root
    for i, (number, occurrence, attribute) in enumerate(steps(index)):
        if not i:
            if number != "0" or occurrence:
                return "", None
            continue
        value = bare(value) if isinstance(value, TextValue) else value
        step = _step(value, number, occurrence, attribute)
        if step is None:
            return found, None
        name, value = step
        found += name
    return found, value


def _step(value: Any, number: str, occurrence: str, attribute: str) -> tuple[str, TextValue] | None:
    """A step of an index: its addition to the path, and the form there."""
    if isinstance(value, (TextRecord, TextMessage)):
        end = f"({attribute})" if attribute else f"[{number}]"
        ends = suffixes(value.fields)
        if end not in ends:
            return None
        field = value.fields[ends.index(end)]
        item = repeated_of(field.value)
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
        return (f"{{{occurrence}}}" if occurrence else "", Entry(entry))
    if isinstance(value, Entry) and number in ("0", "1"):
        return (".value" if number == "1" else ".key", value.fields[int(number)].value)
    return None


class Entry(TextValue):
    """A map entry, as a step of an index."""

    __slots__ = ("fields",)

    def __init__(self, fields: tuple[TextField, TextField]) -> None:
        self.fields = fields
