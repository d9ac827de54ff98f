"""Random values of a type by its description, and invalid ones."""

from __future__ import annotations

import enum
import random
import struct
from collections import OrderedDict
from decimal import Decimal
from types import MappingProxyType
from typing import Any

from creo import DateTime, ExtensibleEnum, UnknownMember
from creo._base.instant import MAX_SECONDS, MIN_SECONDS
from creo._binary.schema import (
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

_TEXTS = ("", "a", "CO2", "é", "\0", "日本語", "\U0001f600", "x" * 127, "y" * 128, "ß" * 70, "z" * 300, "a<&>\"'\r\n\t]]>b", "~", "~a|b\\c", "\ufffe")
_DECIMALS = ("0", "1", "-1.50", "0.00", "-0.00", "1E+3", "1E-9", "0E+7", "123456789.987654321", "1E+999", "9" * 1000)
_REALS = (0.0, -0.0, 1.0, -2.5, float("inf"), float("-inf"), float("nan"), 1e-320, 3.4e38, 1e300)
_SIZES = {"b": 8, "h": 16, "i": 32, "q": 64}
_EXTENSIBLE_NUMBERS = (0, 1, 127, 128, 300, 2**31 - 1)
#: What makes JSON another one, or none.
_PIECES = (
    b" ", b"\t\r\n ", b"null", b"true", b"false", b"0", b"-0", b"-0.0", b"00", b"1.0", b"1e5", b"1E-400", b"1e400", b".5", b"1.", b"-", b"+1",
    b"9007199254740993", b"9223372036854775808", b"-9223372036854775808", b"123456789012345678901234567890", b"0.1000000000000000055511151231257827",
    b"3.4028235677973366e38", b"16777217", b"128", b"65535", b"2147483648", b'""', b'"a"', b'"1"', b'"-0"', b'"NaN"', b'"Infinity"', b'"-Infinity"',
    b'"01"', b'"\\u0041"', b'"\\ud83d\\ude00"', b'"\\ud800"', b'"\\/\\b\\f"', b'"\\x"', b"\\", b"\\u00e9", b'"\xc3\xa9"', b"\xff", b"\0", b"\x1f", b"\x7f",
    b"[]", b"{}", b"[", b"{", b"]", b"}", b",", b":", b'"', b'{"a":1}', b'"a":', b'"\\u0061":', b'"2026-11-21T10:31:56.250Z"', b'"2026-11-21T10:31:56+02:00"',
    b'"2026-02-29T24:00:00Z"', b'"0001-01-01T00:00:00Z"', b'"YQ=="', b'"Y Q="', b'"YR=="', b'"1.50"', b'"1e3"', b"\xef\xbb\xbf", b"/**/", b"NaN",
    b'"unknown":[{"a":[null,true,-1.5e3,"\\u0000"]}],',
)  # fmt: skip

#: The same for XML.
_XML_PIECES = (
    b" ", b"\t\r\n ", b"\r", b"true", b"1", b"0", b"-0", b"00", b"+7", b".5", b"5.", b"1E5", b"1e400", b"NaN", b"-INF", b"-", b"128", b"65535", b"2147483648",
    b"9223372036854775808", b"123456789012345678901234567890", b"&amp;", b"&#65;", b"&#x1F600;", b"&#0;", b"&lt;", b"&unknown;", b"&", b"<", b">", b"/", b"]]>",
    b"<!-- c -->", b"<!-- -- -->", b"<![CDATA[a<b]]>", b"<![CDATA[ ]]>", b"<?pi x?>", b'<?xml version="1.0"?>', b"<!DOCTYPE a>", b"<a/>", b"<a>", b"</a>", b"<n1:a></n1:a>",
    b' a="b"', b" a='&quot;'", b' xmlns="urn:a"', b' xmlns=""', b' xmlns:n1="urn:a"', b' xmlns:p=""', b' n1:a="1"', b' xml:lang="de"', b' xml:space="preserve"',
    b' xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:nil="true"', b' xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:nil=" 0 "',
    b' xmlns:x="http://www.w3.org/2001/XMLSchema-instance" x:nil="maybe"', b' xmlns:x="http://www.w3.org/2001/XMLSchema-instance" x:type="n1:A"',
    b"\xc3\xa9", b"\xff", b"\0", b"\x1f", b"\x7f", b"\xef\xbf\xbe", b"\xed\xa0\x80", b"\xef\xbb\xbf", b"#5", b"2026-11-21T10:31:56+02:00", b"YQ==", b"n1:", b'"', b"=",
)  # fmt: skip

#: The same for the rows of a table.
_TABLE_PIECES = (
    b"|", b"||", b"~", b"|~", b"~~", b"|~|", b"\\", b"\\\\", b"\\n", b"\\r", b"\\|", b"\\a", b"\\l", b"\\g", b"\\~", b"\\x", b"\\\\\\n", b"\n", b"\r\n", b"\n\n", b" ", b"\t", b"\n \n",
    b"[0]", b"[1]", b"[0]0", b"[0]1", b"[00]", b"[0]01", b"(0)", b"(1)", b"[2147483648]", b"[99]", b"0", b"1", b"10", b"[", b"]", b"(", b")", b"[0][0]0", b"[0]\n", b"[0]~\n", b"[0]|1\n",
    b"true", b"-0", b"+7", b".5", b"1E5", b"1e400", b"NaN", b"-INF", b"128", b"65535", b"9223372036854775808", b"1 2 3", b" 7 ", b"#5", b"YQ==", b"2026-11-21T10:31:56+02:00",
    b"&amp;", b"&#10;", b"<!-- c -->", b"<![CDATA[|]]>", b"]]>", b"&", b"<", b">", b"-", b"cid:a", b"\xc3\xa9", b"\xff", b"\0", b"\1", b"\xef\xbf\xbe",
)  # fmt: skip


class Draw:
    """Draws values; the deeper, the smaller."""

    def __init__(self, seed: int | str) -> None:
        self.random = random.Random(seed)

    def value(self, type_: Type, depth: int = 0) -> Any:
        """A value, as constructors and methods take it."""
        if isinstance(type_, Scalar):
            return self.scalar(type_)
        if isinstance(type_, OptionalType):
            return None if depth > 6 or self.random.random() < 0.4 else self.value(type_.item, depth + 1)
        if isinstance(type_, ArrayType):
            item = type_.item
            if isinstance(item, Scalar) and item.word == "char":
                return "".join(self.scalar(item) for _ in range(self.count(depth)))
            if isinstance(item, Scalar) and item.code == "f":
                return [self.narrow() for _ in range(self.count(depth))]
            return [self.value(item, depth + 1) for _ in range(self.count(depth))]
        if isinstance(type_, MapType):
            return {self.value(type_.key, depth + 1): self.value(type_.value, depth + 1) for _ in range(self.count(depth))}
        if isinstance(type_, EnumType):
            numbers = [*type_.constants, *(_EXTENSIBLE_NUMBERS if type_.extensible else ())]
            return type_.cls(self.random.choice(numbers))
        if isinstance(type_, StructType):
            return type_.cls(**{f.attribute: self.value(f.type, depth + 1) for f in type_.fields})
        if isinstance(type_, UnionType):
            return self.union(type_, depth)
        if isinstance(type_, Parameters):
            return tuple(self.value(f.type, depth + 1) for f in type_.fields)
        raise TypeError(type_)

    def union(self, type_: UnionType[Any], depth: int) -> Any:
        if type_.extensible and self.random.random() < 0.2:
            return UnknownMember(self.random.choice((len(type_.classes), 200, 2**31 - 1)), self.random.randbytes(5) if hasattr(self.random, "randbytes") else b"12345")
        pairs = list(zip(type_.classes, type_.members))
        # Of a recursive type, a member that ends it: the first that is small.
        cls, member = self.random.choice(pairs) if depth < 8 else min(pairs, key=lambda pair: _weight(pair[1].type))
        return cls(self.value(member.type, depth + 1))

    def arguments(self, cls: type, types: list[Type]) -> tuple[list[Any], dict[str, Any]]:
        """Arguments of a class with fields of these types, in any way that it may be called, or almost."""
        names: tuple[str, ...] = cls.__match_args__  # type: ignore[attr-defined]
        values = [self.varied(self.value(type_, 3)) for type_ in types]
        if self.random.random() < 0.15 and values:
            values[self.random.randrange(len(values))] = self.random.choice(ODD)()
        split = self.random.randrange(len(names) + 1)
        named = list(zip(names[split:], values[split:]))
        self.random.shuffle(named)
        if self.random.random() < 0.2 and named:
            named.pop()
        # A name that the interpreter does not have as an object yet.
        named = [("".join(list(name)) if self.random.random() < 0.2 else name, value) for name, value in named]
        if self.random.random() < 0.05:
            named.append((self.random.choice((*names, "no_field")), 1))
        return values[:split] + [None] * (self.random.random() < 0.03), dict(named)

    def varied(self, value: Any) -> Any:
        """The same in another type."""
        what = self.random.random()
        if isinstance(value, list) and what < 0.7:
            kinds: tuple[Any, ...] = (tuple, iter, list, lambda items: [self.varied(item) for item in items], lambda items: (item for item in items), Items)
            return self.random.choice(kinds)(value)
        if isinstance(value, dict) and what < 0.5:
            return self.random.choice((MappingProxyType, OrderedDict, Entries))(value)
        if isinstance(value, bytes) and what < 0.3:
            return self.random.choice((bytearray, memoryview))(value)
        return value

    def count(self, depth: int) -> int:
        return 0 if depth > 6 else self.random.choice((0, 1, 1, 2, 3, 5))

    def narrow(self) -> float:
        return float(struct.unpack("f", struct.pack("f", self.random.choice((0.0, 1.5, -2.25, float("inf"), 1e30, float("nan")))))[0])

    def scalar(self, type_: Scalar) -> Any:
        word, code = type_.word, type_.code
        if word == "boolean":
            return self.random.random() < 0.5
        if word == "char":
            return chr(self.random.choice((0, 65, 0xE9, 0x20AC, 0xD800, 0xDFFF, 0xFFFF)) if self.random.random() < 0.3 else 97)
        if code in _SIZES:
            top = 1 << (_SIZES[code] - 1)
            return self.random.choice((0, 1, -1, top - 1, -top, self.random.randrange(-top, top)))
        if code == "f":
            return self.narrow()
        if code == "d":
            return self.random.choice((*_REALS, self.random.random(), 3))
        if word == "String":
            return self.random.choice(_TEXTS)
        if word == "DateTime":
            seconds = self.random.choice((0, -1, MIN_SECONDS, MAX_SECONDS, self.random.randrange(MIN_SECONDS, MAX_SECONDS)))
            return DateTime(seconds, self.random.choice((0, 1, 999_999_999)))
        if word == "Decimal":
            return Decimal(self.random.choice(_DECIMALS))
        return self.random.choice((b"", b"\0", b"abc" * 50))

    def broken(self, body: bytes) -> bytes:
        """Other bytes, near these."""
        out = bytearray(body)
        for _ in range(self.random.choice((1, 1, 1, 2, 4))):
            at = self.random.randrange(len(out) + 1)
            what = self.random.random()
            if what < 0.25:
                del out[at:]
            elif what < 0.5 and at < len(out):
                out[at] = self.random.choice((0, 1, 2, 0x7F, 0x80, 0xC0, 0xD8, 0xFF, out[at] ^ 1 << self.random.randrange(8)))
            elif what < 0.7:
                out[at:at] = bytes(self.random.choices((0, 1, 2, 5, 0x80, 0xFF), k=self.random.choice((1, 4))))
            elif what < 0.85:
                del out[at : at + self.random.choice((1, 2, 8))]
            else:
                other = self.random.randrange(len(out) + 1)
                out[at:at] = out[other : other + 12]
        return bytes(out)

    def broken_xml(self, document: bytes) -> bytes:
        """Another text, near this XML."""
        return self._broken_text(document, b"<>/=", _XML_PIECES)

    def broken_table(self, rows: bytes) -> bytes:
        """Other rows, near these."""
        return self._broken_text(rows, b"[]()|~\n", _TABLE_PIECES)

    def broken_document(self, document: bytes) -> bytes:
        """Another text, near this JSON."""
        return self._broken_text(document, b'"{}[],:', _PIECES)

    def _broken_text(self, document: bytes, signs: bytes, pieces: tuple[bytes, ...]) -> bytes:
        if self.random.random() < 0.3:
            return self.broken(document)
        out = bytearray(document)
        for _ in range(self.random.choice((1, 1, 1, 2, 3))):
            at = self.random.randrange(len(out) + 1)
            if self.random.random() < 0.7:
                # Where something begins or ends.
                marks = [i for i, c in enumerate(out) if c in signs]
                at = self.random.choice(marks) + self.random.choice((0, 1)) if marks else at
            what = self.random.random()
            if what < 0.55:
                out[at : at + self.random.choice((0, 0, 0, 1, 3))] = self.random.choice(pieces)
            elif what < 0.75:
                del out[at : at + self.random.choice((1, 2, 8))]
            else:
                start = self.random.randrange(len(out) + 1)
                out[at:at] = out[start : start + self.random.choice((2, 12, 40))]
        return bytes(out)

    def spoil(self, value: Any) -> None:
        """Puts what does not belong there into some object that the value holds."""
        holders: list[Any] = []
        _holders(value, holders)
        if holders:
            holder = self.random.choice(holders)
            name = self.random.choice(type(holder).__match_args__)
            object.__setattr__(holder, name, self.random.choice(ODD)())


class Text(str):
    __slots__ = ()


class Number(int):
    __slots__ = ()


class Real(float):
    __slots__ = ()


class Items(list):  # type: ignore[type-arg]
    __slots__ = ()


class Entries(dict):  # type: ignore[type-arg]
    __slots__ = ()


class Other(enum.Enum):
    A = 0


class Index:
    def __index__(self) -> int:
        return 5


#: Values in the wrong place: most are refused, some are written nevertheless.
ODD = [
    lambda: None, lambda: True, lambda: 1, lambda: -1, lambda: 2**70, lambda: 1.5, lambda: 1e300, lambda: "text",
    lambda: "\ud800", lambda: Text("sub"), lambda: Number(7), lambda: Real(2.5), lambda: b"bytes", lambda: bytearray(b"ab"),
    lambda: [], lambda: [1], lambda: (), lambda: (None,), lambda: {}, lambda: {"a": 1}, lambda: Decimal("NaN"),
    lambda: Decimal("1E+2000"), lambda: Other.A, lambda: Index(), lambda: object(), lambda: DateTime(0), lambda: UnknownMember(3, b"x"),
    lambda: 10**400, lambda: memoryview(b"abc"), lambda: float("nan"), lambda: "ab",
]  # fmt: skip


def _holders(value: Any, found: list[Any]) -> None:
    if isinstance(value, ExtensibleEnum):
        return
    names = getattr(type(value), "__match_args__", ())
    if names and type(value).__module__ not in ("datetime", "decimal"):
        found.append(value)
        for name in names:
            _holders(getattr(value, name), found)
    elif isinstance(value, tuple):
        for item in value:
            _holders(item, found)


def _weight(type_: Type) -> int:
    return type_.least if isinstance(type_, (Scalar, OptionalType, ArrayType, MapType, EnumType)) else 1_000
