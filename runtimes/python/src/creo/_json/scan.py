"""The exact JSON reader, by RFC 8259 and the page (``spec/wires/json.md``).

It follows the description through the text without preparation, and reads what ``read`` could not
decide. An error is a ``Problem`` with position and path.
"""

from __future__ import annotations

import math
import re
from decimal import Decimal
from types import MappingProxyType
from typing import Any, Callable, Final, NoReturn

from .._base import CreoError, Limits, shown
from .._base.instant import DateTime
from .._binary import FAILURES, Bad, decimal_text, parse_decimal
from .._text import (
    TextAttributes,
    TextEntries,
    TextEnum,
    TextField,
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
from .._text.read import REFUSED, Builder, Problem, absent_json, beyond, holder, no_memory
from .leaf import key_reader

_WHITE: Final = re.compile("[ \t\n\r]*")
_PLAIN: Final = re.compile('[^"\\\\\x00-\x1f\ud800-\udfff]*')
_NUMBER: Final = re.compile(r"-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?")
_HEX: Final = re.compile("[0-9A-Fa-f]{4}")
_INTEGER: Final = re.compile("-?(?:0|[1-9][0-9]*)")
_ESCAPES: Final = {
    '"': '"', "\\": "\\", "/": "/", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t",
}  # fmt: skip
_SPECIAL: Final = {"NaN": math.nan, "Infinity": math.inf, "-Infinity": -math.inf}
_KINDS: Final = {'"': "a string", "{": "an object", "[": "an array"}
_WHOLE: Final = ("byte", "short", "int", "long")


class JsonScanner:
    """A document being read."""

    def __init__(self, data: bytes, limits: Limits) -> None:
        self._base = 3 if data[:3] == b"\xef\xbb\xbf" else 0
        # Bytes that are not UTF-8 become surrogates; nothing else does.
        self._s = data[self._base :].decode("utf-8", "surrogateescape")
        self._p = 0
        self._limits = limits
        self._open = 0
        self._levels = limits.max_depth
        self._memory = limits.memory
        self._size = len(data)
        limit = limits.max_xml_text
        self._text_limit = limits.max_message_size if limit is None else limit

    def document(self, value: TextValue) -> Any:
        """Reads the only value of a document."""
        self._charge(self._size)
        found = self._value(value)
        if self._next():
            raise self._problem("something stands behind the value")
        return found

    def member(self, name: str, value: TextValue) -> Any:
        """Reads one member of a document that is an object; others are skipped."""
        self._charge(self._size)
        more = self._begin("{")
        while more:
            if self._name() == name:
                return self._value(value)
            self._skip()
            more = self._more("}")
        raise self._problem(f"the member {name} is missing")

    def error(self, problem: Problem, root: str) -> CreoError:
        """The error for a problem, with its path and offset (JSON-14)."""
        offset = self._base + len(self._s[: problem.p].encode("utf-8", "surrogateescape"))
        place = root + "".join(reversed(problem.path))
        details = problem.details
        return CreoError(
            problem.code, problem.message, place=place, offset=offset, details=details
        )  # fmt: skip

    # Values

    def _value(self, value: TextValue) -> Any:
        if isinstance(value, TextOptional):
            if self._next() == "n":
                self._word("null")
                return None
            self._charge(value.charge)
            return self._value(value.value)
        if isinstance(value, TextRecord):
            return self._record(value)
        if isinstance(value, TextUnion):
            return self._union(value)
        if isinstance(value, (TextRepeated, TextList)):
            return self._items(value.value, value.charge)
        if isinstance(value, TextWrapped):
            return self._items(value.item.value, value.charge)
        if isinstance(value, TextEntries):
            return self._entries(key_reader(value.key.value), value.value.value, value.charge)
        if isinstance(value, TextAttributes):
            return self._entries(str, None, value.charge)
        if isinstance(value, TextEnum):
            return self._enum(value)
        word = value.word if isinstance(value, TextScalar) else "String"
        return self._scalar(word)

    def _record(self, record: TextRecord) -> Any:
        self._enter(record)
        start = self._p
        values: list[Any] = [absent_json(record, i) for i in range(len(record.fields))]
        self._members(record.fields, values, record.type.extensible)
        for field, value in zip(record.fields, values):
            if value is REFUSED:
                raise Problem(f"the member {field.name} is missing", start)
        self._levels += record.type.recursive
        return Builder(record)(values)

    def _members(self, fields: tuple[TextField, ...], values: list[Any], extensible: bool) -> None:
        """Reads the members of an object, each to its position among the values."""
        index = {field.name: i for i, field in enumerate(fields)}
        seen: set[int] = set()
        more = self._begin("{")
        while more:
            p = self._p
            name = self._name()
            i = index.get(name, -1)
            if i in seen:
                raise Problem(f"the member {shown(name)} stands here a second time", p)
            if i >= 0:
                seen.add(i)
                try:
                    values[i] = self._value(fields[i].value)
                except Problem as problem:
                    problem.path.append(f".{name}")
                    raise
            elif extensible:
                self._check_name(name, p)
                self._skip()
            else:
                expected = ", ".join(list(index)[:8]) or "nothing"
                message = f"the member {shown(name)} stands where {expected} may stand"
                raise Problem(message, p)
            more = self._more("}")

    def _within(self, step: str, read: Callable[[], Any]) -> Any:
        try:
            return read()
        except Problem as problem:
            problem.path.append(step)
            raise

    def _union(self, union: TextUnion) -> Any:
        self._enter(union)
        start = self._p
        if not self._begin("{"):
            raise Problem("an object of one member is expected", start)
        p = self._p
        name = self._name()
        names = [field.name for field in union.fields]
        if name not in names:
            expected = ", ".join(names[:8])
            raise Problem(f"{shown(name)} is no member: one of {expected} is expected", p)
        i = names.index(name)
        self._charge(union.charges[i])
        found = self._within(f".{name}", lambda: self._value(union.fields[i].value))
        if self._more("}"):
            raise self._problem("a second member stands in a union")
        self._levels += union.type.recursive
        made: Callable[[Any], Any] = union.type.classes[i]
        return made(found)

    def _charge(self, size: int) -> None:
        """LIM-18."""
        self._memory -= size
        if self._memory < 0:
            raise no_memory(self._limits, self._p)

    def _items(self, item: TextValue, charge: int) -> Any:
        found: list[Any] = []
        more = self._begin("[")
        while more:
            try:
                self._charge(charge)
                found.append(self._value(item))
            except Problem as problem:
                problem.path.append(f"[{len(found)}]")
                raise
            more = self._more("]")
        return holder(item)(found)

    def _entries(self, read_key: Callable[[str], Any], value: TextValue | None, charge: int) -> Any:
        found: dict[Any, Any] = {}
        more = self._begin("{")
        while more:
            step = f"{{{len(found)}}}"
            p = self._p
            name = self._within(f"{step}.key", self._name)
            try:
                key = read_key(name)
            except FAILURES:
                problem = Problem(f"{shown(name)} is no key of this map", p)
                problem.path.append(f"{step}.key")
                raise problem from None
            if key in found:
                twice = Problem(f"the key {shown(name)} stands here a second time", p)
                twice.path.append(f"{step}.key")
                raise twice
            try:
                self._charge(charge)
                found[key] = self._string() if value is None else self._value(value)
            except Problem as problem:
                problem.path.append(f"{step}.value")
                raise
            more = self._more("}")
        return MappingProxyType(found)

    def _enum(self, enum: TextEnum) -> Any:
        numbers: dict[int, str] = dict(enum.type.constants)
        first, p = self._next(), self._p
        if first == '"':
            name = self._string()
            for number, known in numbers.items():
                if known == name:
                    return enum.type.cls(number)
            raise Problem(f"{shown(name)!r} is no constant of {enum.type.name}", p)
        number = self._whole(0, (1 << 31) - 1, enum.type.name)
        if number not in numbers and not enum.type.extensible:
            raise Problem(f"{number} is no constant of {enum.type.name}", p)
        return enum.type.cls(number)

    # Scalars

    def _scalar(self, word: str) -> Any:
        first, p = self._next(), self._p
        if word in ("String", "token", "qname"):
            return self._string()
        if word == "boolean":
            if first not in ("t", "f"):
                raise self._unexpected("true or false")
            self._word("true" if first == "t" else "false")
            return first == "t"
        if word in _WHOLE:
            least, most = lexical.RANGES[word]
            if word == "long" and first == '"':
                return self._in_string(p, word, lambda text: _digits(text, least, most))
            return self._whole(least, most, word)
        if word in ("float", "double"):
            return self._floating(word)
        if word == "char":
            return self._char()
        if word == "Decimal":
            return self._decimal()
        if word == "DateTime":
            return self._in_string(p, word, DateTime.parse)
        return self._in_string(p, "base64", lexical.decode_base64)

    def _in_string(self, p: int, word: str, parse: Callable[[str], Any]) -> Any:
        text = self._string()
        try:
            return parse(text)
        except FAILURES as failure:
            message = str(failure) if isinstance(failure, Bad) else ""
            raise Problem(message or f"{shown(text)!r} is no {word}", p) from None

    def _whole(self, least: int, most: int, word: str) -> int:
        p = self._p
        text = self._number()
        if _INTEGER.fullmatch(text) is None:
            raise Problem(f"{shown(text)} is no whole number", p)
        try:
            return _digits(text, least, most)
        except FAILURES:
            raise Problem(f"{shown(text)} is beyond the range of {word}", p) from None

    def _floating(self, word: str) -> float:
        first, p = self._next(), self._p
        if first == '"':
            text = self._string()
            if text not in _SPECIAL:
                raise Problem(f"{shown(text)!r} is no {word}", p)
            return _SPECIAL[text]
        text = self._number()
        number = lexical.parse_float(text) if word == "float" else float(text)
        if math.isinf(number):
            raise Problem(f"{shown(text)} is beyond the range of {word}", p)
        return number

    def _char(self) -> str:
        first, p = self._next(), self._p
        if first != '"':
            return chr(self._whole(0, 0xFFFF, "char"))
        text = self._string(char=True)
        if len(text) != 1 or text > "\uffff":
            raise Problem(f"{shown(text)!r} is not one character", p)
        return text

    def _decimal(self) -> Decimal:
        first, p = self._next(), self._p
        if first == '"':
            found: Decimal = self._in_string(
                p, "Decimal", lambda text: parse_decimal(text.encode("ascii"))
            )
            return found
        text = self._number()
        if "e" in text or "E" in text:
            raise Problem(f"{shown(text)}: a Decimal has no exponent", p)
        try:
            number = Decimal(text)
            return Decimal(decimal_text(abs(number) if number.is_zero() else number))
        except FAILURES:
            raise Problem(f"{shown(text)} has too many digits", p) from None

    # Tokens

    def _next(self) -> str:
        """The first character after white space; empty at the end."""
        found = _WHITE.match(self._s, self._p)
        self._p = self._p if found is None else found.end()
        return self._s[self._p : self._p + 1]

    def _problem(self, message: str) -> Problem:
        return Problem(message, self._p)

    def _unexpected(self, expected: str) -> Problem:
        first = self._next()
        if not first:
            return self._problem(f"{expected} is expected, but the text ends")
        for word in ("null", "true", "false"):
            if self._s.startswith(word, self._p):
                return self._problem(f"{expected} is expected, not {word}")
        if "\udc80" <= first <= "\udcff":
            return self._problem("this is no UTF-8")
        kind = "a number" if first in "-0123456789" else _KINDS.get(first, f"{shown(first)!r}")
        return self._problem(f"{expected} is expected, not {kind}")

    def _word(self, word: str) -> None:
        if not self._s.startswith(word, self._p):
            raise self._problem(f"{word} is expected")
        self._p += len(word)

    def _begin(self, bracket: str) -> bool:
        """Opens an array or object; returns whether it has content."""
        if self._next() != bracket:
            raise self._unexpected("an object" if bracket == "{" else "an array")
        self._open += 1
        allowed = self._limits.max_xml_depth
        if self._open > allowed:
            message = f"arrays and objects nest deeper than {allowed}"
            raise beyond("maxXmlDepth", allowed, message, self._p)
        self._p += 1
        if self._next() != ("}" if bracket == "{" else "]"):
            return True
        self._close()
        return False

    def _close(self) -> None:
        self._p += 1
        self._open -= 1

    def _more(self, bracket: str) -> bool:
        """After an item or member: whether another follows; else the end is read."""
        found = self._next()
        if found == bracket:
            self._close()
            return False
        if found != ",":
            raise self._unexpected(f"`,` or `{bracket}`")
        self._p += 1
        if self._next() == bracket:
            raise self._problem("a comma stands before the end")
        return True

    def _name(self) -> str:
        """The name of a member, and the following colon."""
        name = self._string("the name of a member")
        if self._next() != ":":
            raise self._unexpected("`:`")
        self._p += 1
        return name

    def _check_name(self, name: str, p: int) -> None:
        allowed = self._limits.max_xml_name
        if len(name.encode()) > allowed:
            raise beyond("maxXmlName", allowed, f"a name is longer than {allowed} bytes", p)

    def _number(self) -> str:
        self._next()
        found = _NUMBER.match(self._s, self._p)
        if found is None:
            raise self._unexpected("a number")
        following = self._s[found.end() : found.end() + 1]
        if following and following in "0123456789.eE+-":
            raise self._problem("a number is not written as JSON has it")
        self._p = found.end()
        return found[0]

    def _string(self, expected: str = "a string", *, char: bool = False) -> str:
        """A string; if ``char``, possibly a lone surrogate."""
        if self._next() != '"':
            raise self._unexpected(expected)
        s, start = self._s, self._p
        p = start + 1
        parts: list[str] = []
        while True:
            found = _PLAIN.match(s, p)
            if found is not None and found.end() > p:
                parts.append(found[0])
                p = found.end()
            stop = s[p : p + 1]
            if stop == '"':
                break
            if stop != "\\":
                self._broken_string(stop, p)
            text, p = self._escape(p, char)
            parts.append(text)
        self._p = p + 1
        text = "".join(parts)
        allowed = self._text_limit
        if 4 * len(text) > allowed and len(text.encode("utf-8", "surrogatepass")) > allowed:
            raise beyond("maxXmlText", allowed, f"a text is longer than {allowed} bytes", start)
        return text

    def _broken_string(self, stop: str, p: int) -> NoReturn:
        if not stop:
            raise Problem("the text ends within a string", p)
        if stop < " ":
            raise Problem("a control character stands in a string", p)
        raise Problem("this is no UTF-8", p)

    def _escape(self, p: int, char: bool) -> tuple[str, int]:
        s = self._s
        kind = s[p + 1 : p + 2]
        if kind != "u":
            found = _ESCAPES.get(kind)
            if found is None:
                raise Problem("a backslash begins no escape", p)
            return found, p + 2
        unit = self._unit(p)
        if not 0xD800 <= unit < 0xE000:
            return chr(unit), p + 6
        if unit < 0xDC00 and s.startswith("\\u", p + 6):
            low = self._unit(p + 6)
            if 0xDC00 <= low < 0xE000:
                return chr(0x10000 + ((unit - 0xD800) << 10) + low - 0xDC00), p + 12
        if not char:
            raise Problem("a surrogate has no partner", p)
        return chr(unit), p + 6

    def _unit(self, p: int) -> int:
        found = _HEX.match(self._s, p + 2)
        if found is None:
            raise Problem("four hexadecimal digits are expected behind `\\u`", p)
        return int(found[0], 16)

    def _enter(self, value: TextRecord | TextUnion) -> None:
        self._next()
        self._levels -= value.type.recursive
        if self._levels < 0:
            allowed = self._limits.max_depth
            message = f"values nest deeper than the {allowed} levels allowed"
            raise beyond("maxDepth", allowed, message, self._p)

    # Unknown members

    def _skip(self) -> None:
        """Skips any value, without recursion."""
        opened: list[str] = []
        while True:
            first = self._next()
            if first in ("{", "["):
                if self._begin(first):
                    opened.append("}" if first == "{" else "]")
                    self._skip_name(opened)
                    continue
            elif first == '"':
                self._string()
            elif first and first in "tfn":
                self._word({"t": "true", "f": "false", "n": "null"}[first])
            elif first and first in "-0123456789":
                self._number()
            else:
                raise self._unexpected("a value")
            while opened:
                if self._more(opened[-1]):
                    self._skip_name(opened)
                    break
                opened.pop()
            if not opened:
                return

    def _skip_name(self, opened: list[str]) -> None:
        if opened[-1] == "}":
            self._next()
            p = self._p
            self._check_name(self._name(), p)


def read_member(data: bytes, name: str, value: TextValue, limits: Limits) -> Any:
    """The exception in a problem document (JSON-22)."""
    scanner = JsonScanner(data, limits)
    try:
        return scanner.member(name, value)
    except Problem as problem:
        raise scanner.error(problem, "$exception") from None


def _digits(text: str, least: int, most: int) -> int:
    """A whole number within a range, with any number of digits."""
    if _INTEGER.fullmatch(text) is None:
        raise Bad
    if len(text) > 20:
        raise Bad
    number = int(text)
    if not least <= number <= most:
        raise Bad
    return number
