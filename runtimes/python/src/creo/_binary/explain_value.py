"""Says what is wrong with a value that a codec refused, and where."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import TYPE_CHECKING, Any, NoReturn, cast

from .._base import CreoError, ErrorCode, invalid_value, too_large
from .._base.instant import DateTime
from .._buffer import Array, number_problem
from . import Bad, decimal_text
from .schema import (
    ArrayType,
    EnumType,
    MapType,
    OptionalType,
    Parameters,
    Scalar,
    StructType,
    Type,
    UnionType,
)
from .values import UnknownMember

if TYPE_CHECKING:
    from .._base.limits import Limits


def explain_value(type_: Type, value: Any, limits: Limits, root: str) -> CreoError:
    """The error that this value deserves."""
    walk = _Walk(limits)
    try:
        walk.value(type_, value, root)
    except CreoError as error:
        return error
    except RecursionError:
        return walk.too_deep(root)
    return CreoError(ErrorCode.INVALID_VALUE, "this value cannot be written", place=root)


class _Walk:
    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.depth = limits.max_depth

    def fail(self, expected: str, value: Any, place: str) -> NoReturn:
        found = "nothing" if value is None else type(value).__name__
        article = "an" if expected[0] in "aeiou" else "a"
        raise invalid_value(f"{article} {expected} is expected, not {found}", place)

    def too_deep(self, place: str) -> CreoError:
        allowed = self.limits.max_depth
        message = f"values nest deeper than the {allowed} levels allowed"
        return too_large("maxDepth", allowed, message, place=place)

    def value(self, type_: Type, value: Any, place: str) -> None:
        if isinstance(type_, Scalar):
            self.scalar(type_, value, place)
        elif isinstance(type_, OptionalType):
            if value is not None:
                self.value(type_.item, value, place)
        elif isinstance(type_, ArrayType):
            self.array(type_.item, value, place)
        elif isinstance(type_, MapType):
            if not isinstance(value, Mapping):
                self.fail("map", value, place)
            entries = cast("Mapping[Any, Any]", cast("Any", value))
            for i, (key, item) in enumerate(entries.items()):
                self.value(type_.key, key, f"{place}{{{i}}}.key")
                self.value(type_.value, item, f"{place}{{{i}}}.value")
        elif isinstance(type_, EnumType):
            if not isinstance(value, type_.cls):
                self.fail(f"{type_.cls.__name__}", value, place)
        elif isinstance(type_, (StructType, UnionType)):
            if type_.recursive:
                self.depth -= 1
                if self.depth < 0:
                    raise self.too_deep(place)
            if isinstance(type_, StructType):
                self.struct(cast("Any", type_), value, place)
            else:
                self.union(cast("Any", type_), value, place)
            self.depth += type_.recursive
        elif isinstance(type_, Parameters):
            for field, item in zip(type_.fields, value):
                self.value(field.type, item, f"{place}.{field.name}")
        else:
            raise TypeError(f"not a type of a description: {type_!r}")

    def scalar(self, type_: Scalar, value: Any, place: str) -> None:
        word = type_.word
        if word == "char":
            if not isinstance(value, str):
                self.fail("char", value, place)
            if len(value) != 1 or value > "\uffff":
                raise invalid_value(f"{value!r:.50} is not one UTF-16 code unit", place)
        elif type_.code:
            if value is None:
                self.fail(f"{word}", value, place)
            problem = number_problem(type_.code, value)
            if problem is not None:
                raise invalid_value(problem, place)
        elif word == "String":
            self.text(value, place)
        elif word == "DateTime":
            if not isinstance(value, DateTime):
                self.fail("DateTime", value, place)
        elif word == "Decimal":
            if not isinstance(value, Decimal):
                self.fail("Decimal", value, place)
            try:
                decimal_text(value)
            except Bad:
                what = "has more than 1,000 digits" if value.is_finite() else "is no number"
                raise invalid_value(f"this Decimal {what}", place) from None
        elif not isinstance(value, (bytes, bytearray, memoryview)):
            self.fail("byte string", value, place)

    def text(self, value: Any, place: str) -> None:
        if not isinstance(value, str):
            self.fail("string", value, place)
        try:
            value.encode()
        except UnicodeEncodeError as problem:
            message = f"the character at {problem.start} is a lone surrogate"
            raise invalid_value(message, place) from None

    def array(self, item: Type, value: Any, place: str) -> None:
        if isinstance(value, Array):
            return
        is_chars = isinstance(item, Scalar) and item.word == "char"
        if isinstance(value, bytes) or (isinstance(value, str) and not is_chars):
            self.fail("array", value, place)
        if not isinstance(value, Iterable):
            self.fail("array", value, place)
        elements = cast("Iterable[Any]", cast("Any", value))
        for i, element in enumerate(elements):
            self.value(item, element, f"{place}[{i}]")

    def struct(self, type_: StructType[Any], value: Any, place: str) -> None:
        if not isinstance(value, type_.cls):
            self.fail(f"{type_.cls.__name__}", value, place)
        for field in type_.fields:
            self.value(field.type, getattr(value, field.attribute), f"{place}.{field.name}")

    def union(self, type_: UnionType[Any], value: Any, place: str) -> None:
        content: Any = getattr(value, "value", None)
        for cls, member in zip(type_.classes, type_.members):
            if type(value) is cls:
                self.value(member.type, content, f"{place}.{member.name}")
                return
        if not (type_.extensible and isinstance(value, UnknownMember)):
            self.fail(f"member of {type_.name}", value, place)
