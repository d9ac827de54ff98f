"""Finds what is wrong with bytes or a value that a codec refused. It runs only on failures.

It follows the type's description alongside the data, by the rules of ``spec/wires/binary.md``, and
creates no values.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Final, NoReturn, cast

from .._base import CreoError, ErrorCode, invalid_value, too_large
from .._base.instant import MAX_SECONDS, MIN_SECONDS, DateTime
from .._buffer import Array, number_problem
from . import Bad, decimal_text, parse_decimal, read_count
from .schema import (
    BYTES,
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
    from .._base import Limits

#: The charge for an unknown member, which is kept as its bytes.
UNKNOWN_MEMBER: Final = 32


def explain_bytes(type_: Type, body: bytes, limits: Limits, root: str, start: int = 0) -> CreoError:
    """The error in these bytes; the value begins at ``start``."""
    walk = _BytesWalk(body, limits)
    try:
        walk.charge(len(body), root, 0)
        end = walk.value(type_, start, len(body), root)
        if end < len(body):
            walk.fail(f"{len(body) - end} bytes are left after the last value", root, end)
    except CreoError as error:
        return error
    except RecursionError:
        return walk.too_deep(root, None)
    return CreoError(ErrorCode.MALFORMED, "the bytes do not follow the description", place=root)


class _BytesWalk:
    def __init__(self, body: bytes, limits: Limits) -> None:
        self.b = body
        self.limits = limits
        self.depth = limits.max_depth
        self.empty = limits.max_empty_items
        self.memory = limits.memory

    def fail(self, message: str, place: str, offset: int) -> NoReturn:
        raise CreoError(ErrorCode.MALFORMED, message, place=place, offset=offset)

    def too_deep(self, place: str, offset: int | None) -> CreoError:
        allowed = self.limits.max_depth
        message = f"values nest deeper than the {allowed} levels allowed"
        return too_large("maxDepth", allowed, message, place=place, offset=offset)

    def charge(self, size: int, place: str, offset: int) -> None:
        """LIM-18."""
        self.memory -= size
        if self.memory < 0:
            allowed = self.limits.memory
            message = f"more memory than the {allowed} bytes allowed"
            raise too_large("maxMemory", allowed, message, place=place, offset=offset)

    def room(self, size: int, p: int, end: int, place: str) -> int:
        if p + size > end:
            self.fail(f"{size} bytes are expected, {max(end - p, 0)} are left", place, p)
        return p + size

    def count(self, p: int, end: int, place: str) -> tuple[int, int]:
        try:
            n, q = read_count(self.b, p)
        except IndexError:
            self.fail("a count is expected, and the bytes end", place, p)
        except Bad:
            self.fail("a count is not in its shortest form, or not below 2^31", place, p)
        if q > end:
            self.fail("a count is expected, and the bytes end", place, p)
        return n, q

    def value(self, type_: Type, p: int, end: int, place: str) -> int:
        """Checks one value within the region that ends at ``end``."""
        if isinstance(type_, Scalar):
            return self.scalar(type_, p, end, place)
        if isinstance(type_, ArrayType):
            return self.array(type_, p, end, place)
        if isinstance(type_, OptionalType):
            self.room(1, p, end, place)
            if self.b[p] > 1:
                self.fail(f"an optional starts with 0 or 1, not {self.b[p]}", place, p)
            if not self.b[p]:
                return p + 1
            self.charge(type_.charge, place, p)
            return self.value(type_.item, p + 1, end, place)
        if isinstance(type_, MapType):
            return self.map(type_, p, end, place)
        if isinstance(type_, EnumType):
            n, q = self.count(p, end, place)
            if not type_.extensible and n not in type_.constants:
                self.fail(f"{type_.name} has no number {n}", place, p)
            return q
        if isinstance(type_, StructType):
            if type_.recursive:
                self.enter(place, p)
            p = self.struct(cast("Any", type_), p, end, place)
            self.depth += type_.recursive
            return p
        if isinstance(type_, UnionType):
            if type_.recursive:
                self.enter(place, p)
            p = self.union(cast("Any", type_), p, end, place)
            self.depth += type_.recursive
            return p
        if isinstance(type_, Parameters):
            for field in type_.fields:
                p = self.value(field.type, p, end, f"{place}.{field.name}")
            return p
        raise TypeError(f"not a type of a description: {type_!r}")

    def enter(self, place: str, p: int) -> None:
        self.depth -= 1
        if self.depth < 0:
            raise self.too_deep(place, p)

    def scalar(self, type_: Scalar, p: int, end: int, place: str) -> int:
        if type_.code:
            q = self.room(type_.least, p, end, place)
            if type_.code == "?" and self.b[p] > 1:
                self.fail(f"a boolean is 0 or 1, not {self.b[p]}", place, p)
            return q
        if type_.word == "DateTime":
            q = self.room(12, p, end, place)
            seconds, nanoseconds = struct.unpack_from(">qI", self.b, p)
            if not MIN_SECONDS <= seconds <= MAX_SECONDS:
                self.fail(f"{seconds} seconds are beyond the years 1 to 9999", place, p)
            if nanoseconds >= 1_000_000_000:
                self.fail(f"{nanoseconds} nanoseconds are a second or more", place, p + 8)
            return q
        n, start = self.count(p, end, place)
        if start + n > end:
            self.fail(f"{n} bytes are announced, {end - start} are left", place, p)
        data = self.b[start : start + n]
        if type_ is not BYTES:
            try:
                data.decode()
            except UnicodeDecodeError as problem:
                self.fail("this is not UTF-8", place, start + problem.start)
        if type_.word == "Decimal":
            try:
                parse_decimal(data)
            except Bad:
                self.fail("this is not a decimal number in canonical form", place, start)
        return start + n

    def array(self, type_: ArrayType, p: int, end: int, place: str) -> int:
        item = type_.item
        n, q = self.items(item.least, type_.charge, p, end, place)
        if isinstance(item, Scalar) and item.code and item.code != "?":
            return q + n * item.least
        for i in range(n):
            q = self.value(item, q, end, f"{place}[{i}]")
        return q

    def items(self, least: int, charge: int, p: int, end: int, place: str) -> tuple[int, int]:
        n, q = self.count(p, end, place)
        if not least:
            self.empty -= n
            if self.empty < 0:
                allowed = self.limits.max_empty_items
                message = f"more than {allowed} items that take no bytes"
                raise too_large("maxEmptyItems", allowed, message, place=place, offset=p)
        elif n * least > end - q:
            message = f"{n} items take {n * least} bytes at least, {end - q} are left"
            self.fail(message, place, p)
        self.charge(n * charge, place, p)
        return n, q

    def map(self, type_: MapType, p: int, end: int, place: str) -> int:
        least = type_.key.least + type_.value.least
        n, q = self.items(least, type_.charge, p, end, place)
        seen: set[bytes] = set()
        for i in range(n):
            start = q
            q = self.value(type_.key, q, end, f"{place}{{{i}}}.key")
            key = self.b[start:q]
            if key in seen:
                self.fail("this key occurs twice", f"{place}{{{i}}}.key", start)
            seen.add(key)
            q = self.value(type_.value, q, end, f"{place}{{{i}}}.value")
        return q

    def region(self, p: int, end: int, place: str) -> tuple[int, int]:
        q = self.room(4, p, end, place)
        size = int.from_bytes(self.b[p:q], "big")
        if q + size > end:
            self.fail(f"a region of {size} bytes is announced, {end - q} are left", place, p)
        return q, q + size

    def struct(self, type_: StructType[Any], p: int, end: int, place: str) -> int:
        if not type_.extensible:
            for field in type_.fields:
                p = self.value(field.type, p, end, f"{place}.{field.name}")
            return p
        p, stop = self.region(p, end, place)
        for field in type_.fields:
            if p == stop and field.may_miss:
                continue
            p = self.value(field.type, p, stop, f"{place}.{field.name}")
        return stop

    def union(self, type_: UnionType[Any], p: int, end: int, place: str) -> int:
        index, q = self.count(p, end, place)
        members = type_.members
        if not type_.extensible:
            if index >= len(members):
                self.fail(f"{type_.name} has no member {index}", place, p)
            self.charge(type_.charges[index], place, p)
            return self.value(members[index].type, q, end, f"{place}.{members[index].name}")
        self.charge(type_.charges[index] if index < len(members) else UNKNOWN_MEMBER, place, p)
        q, stop = self.region(q, end, place)
        if index >= len(members):
            return stop
        q = self.value(members[index].type, q, stop, f"{place}.{members[index].name}")
        if q < stop:
            message = f"{stop - q} bytes are left after the value"
            self.fail(message, f"{place}.{members[index].name}", q)
        return stop


def explain_value(type_: Type, value: Any, limits: Limits, root: str) -> CreoError:
    """The error in this value."""
    walk = _ValueWalk(limits)
    try:
        walk.value(type_, value, root)
    except CreoError as error:
        return error
    except RecursionError:
        return walk.too_deep(root)
    return CreoError(ErrorCode.INVALID_VALUE, "this value cannot be written", place=root)


class _ValueWalk:
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
