"""JSON as values, the usual way: the standard library's parser, and functions over what it gives.

They take nothing that the page (``spec/wires/json.md``) refuses. But they do not take all that it
allows: whatever needs a closer look, because it is unusual or because it is wrong, is a ``Doubt``,
and is read once more by ``scan``, which is exact, slower, and says what is wrong, and where.
"""

from __future__ import annotations

import math
import re
import sys
from array import array
from collections.abc import Sequence
from json import JSONDecoder
from operator import itemgetter
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Callable, Final, NoReturn

from .._base.instant import DateTime
from .._binary import FAILURES, parse_decimal
from .._buffer import wrap
from .._text import (
    TextAttributes,
    TextEntries,
    TextEnum,
    TextGroup,
    TextList,
    TextOptional,
    TextRecord,
    TextRepeated,
    TextScalar,
    TextUnion,
    TextValue,
    TextWrapped,
    lexical,
)
from .._text.columns import date_times, decimals
from .._text.read import REFUSED, Builder, absent_json, holder
from .write import MOST_SAFE, in_order

if TYPE_CHECKING:
    from .._base.limits import Limits

#: Reads a value of what the parser gives.
Read = Callable[[Any, "JsonReading"], Any]
#: Reads many at once.
ReadMany = Callable[[Sequence[Any], "JsonReading"], Sequence[Any]]

#: A surrogate that is escaped may have no partner.
_SURROGATE: Final = re.compile(r"\\u[dD][89a-fA-F]").search
#: A zero whose sign the parser drops.
_MINUS_ZERO: Final = re.compile(r"-0(?![0-9.eE])").search
_LONG_NUMBER: Final = re.compile("[0-9]{400}").search
_DIGITS: Final = re.compile("-?(?:0|[1-9][0-9]{0,18})").fullmatch
_SPECIAL: Final = {"NaN": math.nan, "Infinity": math.inf, "-Infinity": -math.inf}
_INFINITIES: Final = (math.inf, -math.inf)
_MOST_SKIPPED: Final = 64
#: More than the parser takes for a byte.
_LARGEST: Final = 40


class Doubt(ValueError):
    """This is to be read closely."""


class JsonReading:
    """The state of a document that is being read."""

    __slots__ = ("allowed", "depth", "memory", "minus_zero", "name", "nesting")

    def __init__(self, limits: Limits, size: int, minus_zero: bool) -> None:
        self.memory = limits.memory - size
        """What the message may still take (LIM-18)."""
        self.depth = limits.max_depth
        """Levels of recursive types that are left (BIN-13)."""
        self.allowed = limits.max_xml_depth
        """Arrays and objects that may be open at once (LIM-20)."""
        self.nesting = 0
        """Of those, as many as recursive values may have opened."""
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


#: Objects are tuples of pairs, so that what is given twice is seen; arrays are lists.
_parse: Final = JSONDecoder(object_pairs_hook=tuple, parse_constant=_constant).decode


def parse(data: bytes, limits: Limits) -> tuple[Any, JsonReading]:
    """What stands in a document."""
    if limits.max_xml_text is not None and len(data) > limits.max_xml_text:
        raise Doubt
    if len(data) * _LARGEST > limits.memory and _taken(data) > limits.memory:
        raise Doubt
    text = data.decode("utf-8")
    if "\\u" in text and _SURROGATE(text) is not None:
        raise Doubt
    if not _has_digit_limit() and _LONG_NUMBER(text) is not None:
        raise Doubt
    minus_zero = "-0" in text and _MINUS_ZERO(text) is not None
    return _parse(text), JsonReading(limits, len(data), minus_zero)


def _taken(data: bytes) -> int:
    """What the parser's objects take at most, besides their texts: it does not stop by itself."""
    opened = data.count(b"[") + data.count(b"{")
    return len(data) + 72 * (opened + data.count(b":")) + 32 * data.count(b",")


def _has_digit_limit() -> bool:
    """Whether Python itself refuses numbers that take long to read."""
    limit: Any = getattr(sys, "get_int_max_str_digits", None)
    return limit is not None and limit() != 0


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
    if v.__class__ is int and not -MOST_SAFE <= v <= MOST_SAFE:
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
    # XML takes the same and a little more.
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


_READS: Final[dict[str, Read]] = {
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


def _enum(enum: TextEnum) -> Read:
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


# Many at once: each of these may give up, and then they are read one by one


def _all_of(kind: type, least: int = 0, most: int = 0) -> ReadMany:
    """Values that are what the parser gives, of one type, and of a range if there is one."""

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
    """Large ones are strings (VAL-2), also beside small ones."""
    if set(map(type, values)) == {int}:
        return _all_in_long(values, r)
    return [_long(value, r) for value in values]


_all_in_long: Final = _all_of(int, *lexical.RANGES["long"])
_MANY: Final[dict[str, ReadMany]] = {
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


# Values with parts


class Reader:
    """Reads values of one description."""

    __slots__ = ("height", "many", "one")

    def __init__(self, one: Read, many: ReadMany | None = None, height: int = 0) -> None:
        self.one = one
        self.many = many or _each(one)
        self.height = height
        """Arrays and objects that are open at most, without those of recursive values."""


class JsonReaders:
    """The readers of all descriptions."""

    def __init__(self) -> None:
        self._groups: dict[int, Reader] = {}

    def value(self, value: TextValue) -> Reader:
        """Reads a value."""
        if isinstance(value, TextScalar):
            return Reader(_READS[value.word], _MANY.get(value.word))
        if isinstance(value, TextEnum):
            return Reader(_enum(value))
        if isinstance(value, TextOptional):
            return self._optional(value)
        if isinstance(value, (TextRepeated, TextList)):
            return self._items(value.value, value.charge)
        if isinstance(value, TextWrapped):
            return self._items(value.item.value, value.charge)
        if isinstance(value, TextEntries):
            inner = self.value(value.value.value)
            return self._entries(key_reader(value.key.value), inner, value.charge)
        if isinstance(value, TextAttributes):
            return self._entries(str, Reader(_string), value.charge)
        if isinstance(value, (TextRecord, TextUnion)):
            return self._group(value)
        return Reader(_string, _all_of(str))

    def _optional(self, value: TextOptional) -> Reader:
        inner = self.value(value.value)
        one, many, charge = inner.one, inner.many, value.charge

        def read(v: Any, r: JsonReading) -> Any:
            if v is None:
                return None
            r.charge(charge)
            return one(v, r)

        def read_many(values: Sequence[Any], r: JsonReading) -> Sequence[Any]:
            if None not in values:
                r.charge(len(values) * charge)
                return many(values, r)
            given = [v for v in values if v is not None]
            r.charge(len(given) * charge)
            try:
                found = iter(many(given, r) if given else ())
            except Doubt:
                found = iter([one(v, r) for v in given])
            return [None if v is None else next(found) for v in values]

        return Reader(read, read_many, inner.height)

    def _items(self, item: TextValue, charge: int) -> Reader:
        inner = self.value(item)
        hold, many = holder(item), inner.many
        code = item.code if isinstance(item, TextScalar) else ""
        packed = code in ("h", "i", "q", "d")

        def read(v: Any, r: JsonReading) -> Any:
            if v.__class__ is not list:
                raise Doubt
            if not v:
                return hold([])
            r.charge(len(v) * charge)
            if packed:
                try:
                    return wrap(memoryview(array(code, many(v, r))).toreadonly())
                except Doubt:
                    return hold([inner.one(item, r) for item in v])
            return hold(list(many(v, r)))

        return Reader(read, height=inner.height + 1)

    def _entries(self, key: Callable[[str], Any], inner: Reader, charge: int) -> Reader:
        many = inner.many

        def read(v: Any, r: JsonReading) -> Any:
            if v.__class__ is not tuple:
                raise Doubt
            if not v:
                return MappingProxyType[Any, Any]({})
            r.charge(len(v) * charge)
            names, values = zip(*v)
            found = dict(zip(map(key, names), many(values, r)))
            if len(found) != len(v):
                raise Doubt
            return MappingProxyType(found)

        return Reader(read, height=inner.height + 1)

    def _group(self, value: TextRecord | TextUnion) -> Reader:
        found = self._groups.get(id(value))
        if found is not None:
            return found
        if not value.type.recursive:
            made = self._record(value) if isinstance(value, TextRecord) else self._union(value)
            self._groups[id(value)] = made
            return made
        # Of a recursive value the parts are made when they are first needed.
        inner: list[Reader] = []

        def read(v: Any, r: JsonReading) -> Any:
            if not inner:
                record = isinstance(value, TextRecord)
                inner.append(self._record(value) if record else self._union(value))
            r.depth -= 1
            r.nesting += inner[0].height
            if r.depth < 0 or r.nesting > r.allowed:
                raise Doubt
            built = inner[0].one(v, r)
            r.depth += 1
            r.nesting -= inner[0].height
            return built

        self._groups[id(value)] = made = Reader(read)
        return made

    # Structs

    def _record(self, record: TextRecord | TextUnion | TextGroup) -> Reader:
        if not isinstance(record, TextRecord):
            raise TypeError("not a struct")
        fields = record.fields
        order = in_order(record)
        readers = [self.value(field.value) for field in fields]
        names = tuple(fields[i].name for i in order)
        to_declared = _to_declared(order)
        ones = [readers[i].one for i in order]
        manies = [readers[i].many for i in order]
        index = {field.name: i for i, field in enumerate(fields)}
        absent = [absent_json(record, i) for i in range(len(fields))]
        extensible = record.type.extensible
        build = Builder(record)
        count = len(fields)
        height = 1 + max((reader.height for reader in readers), default=0)
        room = _MOST_SKIPPED - height

        def read(v: Any, r: JsonReading) -> Any:
            if v.__class__ is not tuple:
                raise Doubt
            if len(v) == count and count:
                found, items = zip(*v)
                if found == names:
                    given = [one(item, r) for one, item in zip(ones, items)]
                    return build(given if to_declared is None else to_declared(given))
            values = list(absent)
            seen = 0
            for name, item in v:
                i = index.get(name, -1)
                if i >= 0:
                    if seen >> i & 1:
                        raise Doubt
                    seen |= 1 << i
                    values[i] = readers[i].one(item, r)
                elif not extensible or len(name) * 4 > r.name:
                    raise Doubt
                else:
                    _skip(item, min(room, r.allowed - r.nesting - height))
            for value in values:
                if value is REFUSED:
                    raise Doubt
            return build(values)

        def read_many(values: Sequence[Any], r: JsonReading) -> Sequence[Any]:
            if set(map(type, values)) != {tuple}:
                raise Doubt
            if set(map(len, values)) == {count} and count:
                columns: list[Sequence[Any]] = [()] * count
                for place, column in enumerate(zip(*values)):
                    found, items = zip(*column)
                    if found.count(names[place]) != len(found):
                        break
                    columns[order[place]] = manies[place](items, r)
                else:
                    return build.many(columns)
            return [read(value, r) for value in values]

        return Reader(read, read_many, height)

    def _union(self, union: TextRecord | TextUnion | TextGroup) -> Reader:
        if not isinstance(union, TextUnion):
            raise TypeError("not a union")
        fields, classes, charges = union.fields, union.type.classes, union.charges
        readers = [self.value(field.value) for field in fields]
        index = {field.name: i for i, field in enumerate(fields)}

        def read(v: Any, r: JsonReading) -> Any:
            if v.__class__ is not tuple or len(v) != 1:
                raise Doubt
            name, item = v[0]
            i = index[name]
            r.charge(charges[i])
            made: Callable[[Any], Any] = classes[i]
            return made(readers[i].one(item, r))

        return Reader(read, height=1 + max(reader.height for reader in readers))


def _to_declared(order: list[int]) -> Callable[[list[Any]], Sequence[Any]] | None:
    """Puts values of fields in this order into the declared one; None where that is the same."""
    places = sorted(range(len(order)), key=order.__getitem__)
    return None if order == sorted(order) else itemgetter(*places)


def _skip(value: Any, room: int) -> None:
    """What an unknown member holds is JSON, since the parser took it; it may be too deep."""
    if value.__class__ is tuple:
        value = [item for _, item in value]
    elif value.__class__ is not list:
        return
    if room < 0:
        raise Doubt
    for item in value:
        _skip(item, room - 1)


def key_reader(value: TextValue) -> Callable[[str], Any]:
    """The key that the name of a member stands for (VAL-12)."""
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
    read = _enum(enum)
    known = set(dict(enum.type.constants).values())

    def key(text: str) -> Any:
        if text in known:
            return read(text, _NO_STATE)
        if _DIGITS(text) is None:
            raise Doubt
        return read(int(text), _NO_STATE)

    return key


_NO_STATE: Final[Any] = None
READERS: Final = JsonReaders()
