"""Data schemas: the names and types of a table, written before it (TDX-40 to TDX-43)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from .._base import CreoError, ErrorCode, shown
from .._binary import Bad
from .._text import (
    ATTRIBUTE,
    TEXT,
    TextEnum,
    TextField,
    TextMessage,
    TextOptional,
    TextRecord,
    TextScalar,
    TextUnion,
    TextValue,
)
from .shape import bare, entry_of, in_order, item_of, repeated_of, suffixes

_WORDS: Final = {
    "boolean": "Boolean",
    "byte": "Integer",
    "short": "Integer",
    "int": "Integer",
    "long": "Integer",
    "char": "Integer",
    "float": "Real",
    "double": "Real",
    "DateTime": "DateTime",
    "Decimal": "Decimal",
    "byte[]": "OctetString",
    "hex": "OctetString",
}
#: Names that must be quoted (TDX-41).
_NOTATION: Final = frozenset(
    [
        "ATTRIBUTE",
        "Boolean",
        "CHOICE",
        "COMMENT",
        "DateTime",
        "Decimal",
        "Enumerated",
        "INDENTED",
        "INSTRUCTION",
        "Integer",
        "MIXED",
        "OF",
        "OPTIONAL",
        "OctetString",
        "Real",
        "SEQUENCE",
        "SET",
        "TEXT",
        "UTF8String",
    ]
)
_QUOTES: Final = (('"', '"'), ("'", "'"), ("\u201c", "\u201d"), ("\u2018", "\u2019"))
_DEFAULT: Final = "|".join(rf"\(\s*{opened}[^{closed}]*{closed}\s*\)" for opened, closed in _QUOTES)
_TOKEN: Final = re.compile(
    rf"(?:{_DEFAULT})|(::=|[\[\](){{}}]|\"\w+\"|[^\s,\[\](){{}}:\"']+)|[\s,]+|(.)"
)

#: A definition as tokens.
Tokens = tuple[str, ...]


class Schema:
    """The schema of a type, or of a method's parameters or result."""

    def __init__(self, root: TextValue | TextMessage, name: str) -> None:
        """``name`` is the root's name in the description."""
        self._types: list[tuple[TextRecord | TextUnion, int]] = []
        self._full = False
        if isinstance(root, (TextRecord, TextUnion)):
            self._types.append((root, 0))
        # The first pass finds the types, the second names them.
        self._definitions(root, name)
        names = [_simple(group) for group, _ in self._types]
        self._twice = {name for name in names if names.count(name) > 1}
        self._full = True
        self.lines: list[str] = self._definitions(root, name)
        self._tokens = [_tokens(line) for line in self.lines]

    @property
    def text(self) -> str:
        """The content of ``DS`` (TDX-2)."""
        return "\n".join(["", *self.lines, ""])

    def compare(self, text: str, place: str) -> None:
        """Fails unless a received schema is equivalent (TDX-43)."""
        if text == self.text:
            return
        try:
            found = _definitions(_tokens(text))
        except Bad as problem:
            raise CreoError(ErrorCode.MALFORMED, str(problem), place=place) from None
        wanted = [tokens[:1] + tokens[4:] for tokens in self._tokens]
        for i, (line, tokens) in enumerate(zip(self.lines, wanted)):
            there = found[i] if i < len(found) else ()
            numbered = there[1:2] == ("[",)
            if there != (self._tokens[i] if numbered else tokens):
                shown_there = shown(" ".join(there)[:200]) or "nothing"
                raise _different(f"`{line}` is expected, not `{shown_there}`", place)
        if len(found) > len(wanted):
            raise _different(f"`{shown(' '.join(found[len(wanted)])[:200])}` is not needed", place)

    def _definitions(self, root: TextValue | TextMessage, name: str) -> list[str]:
        lines: list[str] = []
        if isinstance(root, TextMessage):
            lines.append(f"{_quoted(name)} [0] ::= {self._sequence(root.fields)}")
        elif not isinstance(root, (TextRecord, TextUnion)):
            lines.append(f"{_quoted(name)} [0] ::= {self._type(root, 0)}")
        for group, number in self._types:
            lines.append(f"{self._name(group)} [{number}] ::= {self._group(group)}")
        return lines

    def _name(self, group: TextRecord | TextUnion) -> str:
        simple = _simple(group)
        return group.type.name if self._full and simple in self._twice else _quoted(simple)

    def _group(self, group: TextRecord | TextUnion) -> str:
        if isinstance(group, TextUnion):
            members = [
                f"{_quoted(field.name)} [{i}] {self._member(field.value, i)}"
                for i, field in enumerate(group.fields)
            ]
            return f"CHOICE {{{', '.join(members)}}}"
        if len(group.fields) == 1:
            item = repeated_of(group.fields[0].value)
            inner = None if item is None else bare(item)
            named = isinstance(inner, (TextRecord, TextUnion)) and _simple(inner)
            if inner is not None and named == group.fields[0].name:
                return f"SET OF {self._type(inner, 0)}"
        return self._sequence(group.fields)

    def _sequence(self, fields: Sequence[TextField]) -> str:
        ends = suffixes(fields)
        members: list[str] = []
        for i in in_order(fields):
            field, end = fields[i], ends[i]
            number = int(end[1:-1]) if end else 0
            place = "TEXT" if field.place == TEXT else end
            if field.place == ATTRIBUTE:
                place += " [ATTRIBUTE]"
            value = field.value
            item = repeated_of(value)
            kind = self._member(value, number) if item is None else self._set(item, number)
            members.append(f"{_quoted(field.name)} {place} {kind}")
        return f"SEQUENCE OF {{{', '.join(members)}}}"

    def _member(self, value: TextValue, number: int) -> str:
        """A value whose field, or whose array's or map's field, has this number."""
        if isinstance(value, TextOptional):
            return f"{self._type(value.value, number)} OPTIONAL"
        return self._type(value, number)

    def _set(self, item: TextValue, number: int) -> str:
        return f"SET OF {self._type(bare(item), number)}"

    def _type(self, value: TextValue, number: int) -> str:
        if isinstance(value, TextScalar):
            return _WORDS.get(value.word, "UTF8String")
        if isinstance(value, TextEnum):
            return "Enumerated"
        if isinstance(value, (TextRecord, TextUnion)):
            if all(group is not value for group, _ in self._types):
                self._types.append((value, number))
            return self._name(value)
        item = item_of(value)
        if item is not None:
            return f"SEQUENCE OF {{item [0] {self._set(item, number)}}}"
        entry = entry_of(value)
        if entry is None:
            return "UTF8String"
        key, inner = self._type(entry[0].value, number), self._member(entry[1].value, number)
        return f"SEQUENCE OF {{entry [0] SET OF SEQUENCE OF {{key [0] {key}, value [1] {inner}}}}}"


def _simple(group: TextRecord | TextUnion) -> str:
    return group.type.name.rpartition(".")[2]


def _quoted(name: str) -> str:
    return f'"{name}"' if name in _NOTATION else name


def _tokens(text: str) -> Tokens:
    """The tokens of a schema without defaults; ``SEQUENCE`` always includes its ``OF``."""
    found: list[str] = []
    p = 0
    while p < len(text):
        match = _TOKEN.match(text, p)
        if match is None or match[2] is not None:
            raise Bad(f"this is no data schema: {shown(text[p : p + 40])}")
        token = match[1]
        if token is not None:
            if found and found[-1] == "SEQUENCE" and token != "OF":
                found.append("OF")
            found.append(token)
        p = match.end()
    return tuple(found)


def _definitions(tokens: Tokens) -> list[Tokens]:
    """The definitions of a schema: each begins before its ``::=``."""
    starts: list[int] = []
    for i, token in enumerate(tokens):
        if token == "::=":
            starts.append(i - 4 if tokens[i - 1 : i] == ("]",) else i - 1)
    if not starts or starts[0] != 0 or starts != sorted(set(starts)):
        raise Bad("this is no data schema: it is a list of definitions, `name [0] ::= type`")
    return [tokens[p:q] for p, q in zip(starts, [*starts[1:], len(tokens)])]


def _different(message: str, place: str) -> CreoError:
    text = f"the data schema is that of another description: {message}"
    return CreoError(ErrorCode.PROTOCOL_MISMATCH, text, place=place)
