"""JSON as values without parts, from the results of the standard library's parser.

Unusual or wrong input, which needs a closer look, is a ``Doubt``.
"""

from __future__ import annotations

import math
import re
import sys
from collections.abc import Sequence
from json import JSONDecoder
from typing import TYPE_CHECKING, Any, Callable, Final, NoReturn

from .._base.instant import DateTime
from .._binary import FAILURES, parse_decimal
from .._text import (
    TextEnum,
    TextScalar,
    TextValue,
    lexical,
)
from .._text.columns import date_times, decimals
from .._text.read import Doubt
from .write import MAX_SAFE

if TYPE_CHECKING:
    from .._base import Limits

#: Reads a value from the parser's result.
Read = Callable[[Any, "JsonReading"], Any]
#: Reads many at once.
ReadMany = Callable[[Sequence[Any], "JsonReading"], Sequence[Any]]

#: An escaped surrogate may be a lone one.
_SURROGATE: Final = re.compile(r"\\u[dD][89a-fA-F]").search
#: A zero whose sign the parser drops.
_MINUS_ZERO: Final = re.compile(r"-0(?![0-9.eE])").search
_LONG_NUMBER: Final = re.compile("[0-9]{400}").search
_DIGITS: Final = re.compile("-?(?:0|[1-9][0-9]{0,18})").fullmatch
_SPECIAL: Final = {"NaN": math.nan, "Infinity": math.inf, "-Infinity": -math.inf}
_INFINITIES: Final = (math.inf, -math.inf)
#: More bytes than the parser allocates per byte.
_MAX_PER_BYTE: Final = 40


class JsonReading:
    """The state of a document being read."""

    __slots__ = ("allowed", "depth", "memory", "minus_zero", "name", "nesting")

    def __init__(self, limits: Limits, size: int, minus_zero: bool) -> None:
        self.memory = limits.memory - size
        """The memory that the message may still take (LIM-18)."""
        self.depth = limits.max_depth
        """Remaining levels of recursive types (BIN-13)."""
        self.allowed = limits.max_xml_depth
        """The max number of arrays and objects open at once (LIM-20)."""
        self.nesting = 0
        """The number of those that recursive values may have opened."""
        self.name = limits.max_xml_name
        self.minus_zero = minus_zero
        """Whether a number may have been ``-0``."""

    def charge(self, size: int) -> None:
        """Charges the message (LIM-18)."""
        self.memory -= size
        if self.memory < 0:
            raise Doubt


def _constant(text: str) -> NoReturn:
    raise Doubt


#: Objects are tuples of pairs, so duplicates are seen; arrays are lists.
_parse: Final = JSONDecoder(object_pairs_hook=tuple, parse_constant=_constant).decode


def parse(data: bytes, limits: Limits) -> tuple[Any, JsonReading]:
    """The content of a document."""
    if limits.max_xml_text is not None and len(data) > limits.max_xml_text:
        raise Doubt
    if len(data) * _MAX_PER_BYTE > limits.memory and _taken(data) > limits.memory:
        raise Doubt
    text = data.decode("utf-8")
    if "\\u" in text and _SURROGATE(text) is not None:
        raise Doubt
    if not _has_digit_limit() and _LONG_NUMBER(text) is not None:
        raise Doubt
    minus_zero = "-0" in text and _MINUS_ZERO(text) is not None
    return _parse(text), JsonReading(limits, len(data), minus_zero)


def _taken(data: bytes) -> int:
    """The max memory for the parser's objects without their texts: it has no limit of its own."""
    opened = data.count(b"[") + data.count(b"{")
    return len(data) + 72 * (opened + data.count(b":")) + 32 * data.count(b",")


def _has_digit_limit() -> bool:
    """Whether Python itself refuses numbers that take long to convert."""
    return bool(getattr(sys, "get_int_max_str_digits", lambda: 0)())


# Values without parts


def _boolean(v: Any, r: JsonReading) -> bool:
    if v.__class__ is bool:
        found: bool = v
        return found
    raise Doubt


def _whole(word: str) -> Read:
    least, most = lexical.RANGES[word]

    def read(v: Any, r: JsonReading) -> Any:
        if v.__class__ is int and least <= v <= most:
            return v
        raise Doubt

    return read


_in_long: Final = _whole("long")


def _long(v: Any, r: JsonReading) -> int:
    if v.__class__ is str:
        if _DIGITS(v) is None:
            raise Doubt
        v = int(v)
    found: int = _in_long(v, r)
    return found


def _double(v: Any, r: JsonReading) -> float:
    if v.__class__ is float:
        if v in _INFINITIES:
            raise Doubt
        found: float = v
        return found
    if v.__class__ is int:
        if not v and r.minus_zero:
            raise Doubt
        return float(v)
    return _SPECIAL[v]


def _float(v: Any, r: JsonReading) -> float:
    if v.__class__ is int and not -MAX_SAFE <= v <= MAX_SAFE:
        raise Doubt
    number = _double(v, r)
    if v.__class__ is str:
        return number
    if lexical.may_be_midway(number):
        raise Doubt
    return lexical.as_float(number)


def _char(v: Any, r: JsonReading) -> str:
    if v.__class__ is str and len(v) == 1 and v <= "\uffff":
        found: str = v
        return found
    if v.__class__ is int and 0 <= v <= 0xFFFF:
        return chr(v)
    raise Doubt


def _string(v: Any, r: JsonReading) -> str:
    if v.__class__ is str:
        found: str = v
        return found
    raise Doubt


def _date_time(v: Any, r: JsonReading) -> DateTime:
    # XML accepts the same and a little more.
    if v.__class__ is str and v[-1:] == "Z" and v[11:13] != "24" and len(v) <= 30:
        return lexical.parse_date_time(v)
    return DateTime.parse(v)


def _decimal(v: Any, r: JsonReading) -> Any:
    if v.__class__ is not str:
        raise Doubt
    return parse_decimal(v.encode("ascii"))


def _base64(v: Any, r: JsonReading) -> bytes:
    if v.__class__ is not str:
        raise Doubt
    return lexical.decode_base64(v)


READS: Final[dict[str, Read]] = {
    "boolean": _boolean,
    "byte": _whole("byte"),
    "short": _whole("short"),
    "char": _char,
    "int": _whole("int"),
    "long": _long,
    "float": _float,
    "double": _double,
    "String": _string,
    "token": _string,
    "qname": _string,
    "DateTime": _date_time,
    "Decimal": _decimal,
    "byte[]": _base64,
    "hex": _base64,
}


def enum_reader(enum: TextEnum) -> Read:
    cls = enum.type.cls
    numbers: dict[int, str] = dict(enum.type.constants)
    known: dict[Any, Any] = {name: cls(number) for number, name in numbers.items()}
    for number in numbers:
        known[number] = cls(number)
    extensible = enum.type.extensible

    def read(v: Any, r: JsonReading) -> Any:
        if v.__class__ is not str and v.__class__ is not int:
            raise Doubt
        found = known.get(v)
        if found is None:
            if not extensible or v.__class__ is not int:
                raise Doubt
            return cls(v)
        return found

    return read


# Many at once: each of these may give up; values are then read one by one


def _all_of(kind: type, least: int = 0, most: int = 0) -> ReadMany:
    """Values of one type as the parser returns them, with an optional range."""

    def read(values: Sequence[Any], r: JsonReading) -> Sequence[Any]:
        if set(map(type, values)) != {kind}:
            raise Doubt
        if most and not (least <= min(values) and max(values) <= most):
            raise Doubt
        return values

    return read


def _all_in_strings(read_many: Any, read: Read) -> ReadMany:
    def many(values: Sequence[Any], r: JsonReading) -> Sequence[Any]:
        if set(map(type, values)) == {str}:
            try:
                found: Sequence[Any] = read_many(values)
                return found
            except FAILURES:
                pass
        return [read(value, r) for value in values]

    return many


def _all_doubles(values: Sequence[Any], r: JsonReading) -> Sequence[Any]:
    kinds = set(map(type, values))
    if not kinds <= {float, int} or (int in kinds and r.minus_zero and 0 in values):
        raise Doubt
    if math.inf in values or -math.inf in values:
        raise Doubt
    return values if int not in kinds else list(map(float, values))


def _all_longs(values: Sequence[Any], r: JsonReading) -> Sequence[Any]:
    """Large ones are strings (VAL-2), even next to small ones."""
    if set(map(type, values)) == {int}:
        return _all_in_long(values, r)
    return [_long(value, r) for value in values]


_all_in_long: Final = _all_of(int, *lexical.RANGES["long"])
MANY: Final[dict[str, ReadMany]] = {
    "boolean": _all_of(bool),
    "byte": _all_of(int, *lexical.RANGES["byte"]),
    "short": _all_of(int, *lexical.RANGES["short"]),
    "int": _all_of(int, *lexical.RANGES["int"]),
    "long": _all_longs,
    "double": _all_doubles,
    "DateTime": _all_in_strings(date_times, _date_time),
    "Decimal": _all_in_strings(decimals, _decimal),
    "String": _all_of(str),
    "token": _all_of(str),
    "qname": _all_of(str),
}


def _each(read: Read) -> ReadMany:
    return lambda values, r: [read(value, r) for value in values]


class Reader:
    """Reads values of one description."""

    __slots__ = ("height", "many", "one")

    def __init__(self, one: Read, many: ReadMany | None = None, height: int = 0) -> None:
        self.one = one
        self.many = many or _each(one)
        self.height = height
        """The max number of open arrays and objects, without those of recursive values."""


# Names of members


def key_reader(value: TextValue) -> Callable[[str], Any]:
    """The key for the name of a member (VAL-12)."""
    if isinstance(value, TextEnum):
        return _enum_key(value)
    word = value.word if isinstance(value, TextScalar) else ""
    if word == "String":
        return str
    if word == "boolean":
        return {"true": True, "false": False}.__getitem__
    if word == "char":
        return _char_key
    least, most = lexical.RANGES[word]

    def key(text: str) -> int:
        if _DIGITS(text) is None:
            raise Doubt
        number = int(text)
        if not least <= number <= most:
            raise Doubt
        return number

    return key


def _char_key(text: str) -> str:
    if len(text) == 1 and text <= "\uffff":
        return text
    if _DIGITS(text) is None or not 0 <= int(text) <= 0xFFFF:
        raise Doubt
    return chr(int(text))


def _enum_key(enum: TextEnum) -> Callable[[str], Any]:
    read = enum_reader(enum)
    known = set(dict(enum.type.constants).values())

    def key(text: str) -> Any:
        if text in known:
            return read(text, _NO_STATE)
        if _DIGITS(text) is None:
            raise Doubt
        return read(int(text), _NO_STATE)

    return key


_NO_STATE: Final[Any] = None
