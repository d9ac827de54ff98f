"""Finds what is wrong with a value that a text wire refused, and where."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Callable, cast

from .._base import CreoError, ErrorCode, invalid_value, too_large
from .._binary import FAILURES, Bad
from .._binary.values import UnknownMember
from .._buffer import Array
from . import (
    TextAttributes,
    TextEntries,
    TextField,
    TextGroup,
    TextList,
    TextOptional,
    TextRecord,
    TextRepeated,
    TextUnion,
    TextValue,
    TextWrapped,
)

if TYPE_CHECKING:
    from .._base import Limits

#: Tries to write a field's value; fails if that is impossible.
Attempt = Callable[[TextField, Any], object]


class TextWalk:
    """Finds the first value that cannot be written; ``attempt`` writes values without parts."""

    def __init__(self, limits: Limits, attempt: Attempt) -> None:
        self._limits = limits
        self._depth = limits.max_depth
        self._attempt = attempt

    def explain(self, field: TextField, value: Any, place: str) -> CreoError:
        """The error in this value."""
        try:
            self.field(field, value, place)
        except CreoError as error:
            return error
        except RecursionError:
            return self._too_deep(place)
        return CreoError(ErrorCode.INVALID_VALUE, "this value cannot be written", place=place)

    def explain_fields(self, form: TextGroup, values: Iterable[Any], place: str) -> CreoError:
        """The error in the first of these values that cannot be written."""
        try:
            self.fields(form, values, place)
        except CreoError as error:
            return error
        except RecursionError:
            return self._too_deep(place)
        return CreoError(ErrorCode.INVALID_VALUE, "a value cannot be written", place=place)

    def field(self, field: TextField, value: Any, place: str) -> None:
        """Fails if the value of a field cannot be written."""
        form = field.value
        if isinstance(form, TextOptional):
            if value is not None:
                self.field(field.with_value(form.value), value, place)
        elif isinstance(form, (TextRepeated, TextWrapped)):
            if isinstance(form, TextWrapped):
                item = form.item
            else:
                item = field.with_value(form.value, form.nillable)
            for i, element in enumerate(_items(value, place)):
                self.field(item, element, f"{place}[{i}]")
        elif isinstance(form, TextEntries):
            if not isinstance(value, Mapping):
                raise invalid_value(f"a map is expected, not {type(value).__name__}", place)
            entries = cast("Mapping[Any, Any]", cast("Any", value))
            for i, (key, element) in enumerate(entries.items()):
                self.field(form.key, key, f"{place}{{{i}}}.key")
                self.field(form.value, element, f"{place}{{{i}}}.value")
        elif isinstance(form, (TextRecord, TextUnion)):
            self._composite(form, value, place)
        else:
            self._leaf(field, form, value, place)

    def _composite(self, form: TextRecord | TextUnion, value: Any, place: str) -> None:
        self._depth -= form.type.recursive
        if self._depth < 0:
            raise self._too_deep(place)
        if isinstance(form, TextRecord):
            if not isinstance(value, form.type.cls):
                found = "nothing" if value is None else type(value).__name__
                name = form.type.cls.__name__
                raise invalid_value(f"a value of {name} is expected, not {found}", place)
            self.fields(form, [getattr(value, f.attribute) for f in form.declared], place)
        else:
            self._union(form, value, place)
        self._depth += form.type.recursive

    def fields(self, form: TextGroup, values: Iterable[Any], place: str) -> None:
        """Fails if one of these values cannot be written."""
        for field, value in zip(form.fields, values):
            self.field(field, value, f"{place}.{field.name}")

    def _union(self, form: TextUnion, value: Any, place: str) -> None:
        content: Any = getattr(value, "value", None)
        for cls, field in zip(form.type.classes, form.fields):
            if type(value) is cls:
                self.field(field, content, f"{place}.{field.name}")
                return
        if isinstance(value, UnknownMember):
            message = f"this wire cannot carry member {value.index}, which this side does not know"
            raise invalid_value(message, place)
        found = "nothing" if value is None else type(value).__name__
        raise invalid_value(f"a member of {form.type.name} is expected, not {found}", place)

    def _leaf(self, field: TextField, form: TextValue, value: Any, place: str) -> None:
        try:
            self._attempt(field, value)
        except FAILURES as failure:
            problem = failure
        else:
            return
        if isinstance(form, TextList):
            item = field.with_value(form.value)
            for i, element in enumerate(_items(value, place)):
                self._leaf(item, form.value, element, f"{place}[{i}]")
        message = str(problem) if isinstance(problem, Bad) else ""
        if isinstance(problem, UnicodeEncodeError):
            message = "a text holds a lone surrogate"
        if not message:
            found = "nothing" if value is None else f"{value!r:.50}"
            what = "map" if isinstance(form, TextAttributes) else _word(form)
            article = "an" if what[0] in "aeiou" else "a"
            message = f"{article} {what} is expected, not {found}"
        raise invalid_value(message, place)

    def _too_deep(self, place: str) -> CreoError:
        allowed = self._limits.max_depth
        message = f"values nest deeper than the {allowed} levels allowed"
        return too_large("maxDepth", allowed, message, place=place)


def _items(value: Any, place: str) -> Iterable[Any]:
    if isinstance(value, (str, bytes)) and not isinstance(value, str):
        raise invalid_value(f"an array is expected, not {type(value).__name__}", place)
    if isinstance(value, (Array, Iterable)):
        return cast("Iterable[Any]", cast("Any", value))
    raise invalid_value(f"an array is expected, not {type(value).__name__}", place)


def _word(form: TextValue) -> str:
    word = getattr(form, "word", None)
    if word is None:
        local = getattr(form, "local", None)
        return f"{local}" if local else "text"
    words = {"hex": "byte string", "byte[]": "byte string", "token": "String", "qname": "String"}
    return words.get(word, str(word))
