"""Conversion of arguments to stored values, for methods on the text wires."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Callable, Final

from .._binary import (
    blob,
    booleans,
    chars,
    decimal,
    decimals,
    doubles,
    entries,
    floats,
    ints,
    items,
    longs,
    shorts,
)
from .._columns import structs
from . import (
    TextEntries,
    TextList,
    TextMessage,
    TextOptional,
    TextRecord,
    TextRepeated,
    TextScalar,
    TextValue,
    TextWrapped,
)

_Hold = Callable[[Any, str], Any]
_BULK: Final[dict[str, _Hold]] = {
    "?": booleans, "h": shorts, "i": ints, "q": longs, "f": floats, "d": doubles, "H": chars
}  # fmt: skip


def _hold(value: TextValue) -> _Hold | None:
    """As in generated codecs of the binary wire; None if no conversion is needed."""
    if isinstance(value, TextScalar):
        if value.word == "Decimal":
            return lambda v, _: decimal(v)
        return blob if value.word in ("byte[]", "hex") else None
    if isinstance(value, TextOptional):
        held = _hold(value.value)
        return None if held is None else lambda v, p: None if v is None else held(v, p)
    if isinstance(value, TextEntries):
        inner = _hold(value.value.value)
        if inner is None:
            return entries
        return lambda v, p: entries(v, p, lambda item: inner(item, p))
    if isinstance(value, TextWrapped):
        return _hold_items(value.item.value)
    if isinstance(value, (TextRepeated, TextList)):
        return _hold_items(value.value)
    return None


def _hold_items(item: TextValue) -> _Hold:
    if isinstance(item, TextScalar):
        if item.code:
            return _BULK[item.code]
        if item.word == "Decimal":
            return decimals
    if isinstance(item, TextRecord) and getattr(item.type.cls, "_creo_block", None) is not None:
        cls = item.type.cls
        return lambda v, p: structs(v, p, cls)
    inner = _hold(item)
    if inner is None:
        return items
    return lambda v, p: items(v, p, lambda element: inner(element, p))


class Arguments:
    """The parameters of a method."""

    def __init__(self, message: TextMessage) -> None:
        self._fields = message.fields
        self._holds = [_hold(field.value) for field in message.fields]

    def held(self, arguments: Sequence[Any]) -> list[Any]:
        """The stored values of these arguments.

        :raises CreoError: if they cannot be converted.
        """
        return [
            value if hold is None else hold(value, f"$.{field.name}")
            for hold, field, value in zip(self._holds, self._fields, arguments)
        ]
