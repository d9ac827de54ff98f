"""Structs that hold nothing but texts: each is read with one match, and many of them by the column.

Where a struct is written in declared order and without anything special, one regular expression
matches all of it. Everything else does not match, and is read tag by tag; so is what holds a wrong
value, so that the error says where.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, Final

from .._binary import FAILURES
from .._text import ELEMENT, TextOptional, TextRecord, TextScalar, TextValue, lexical, text_charge
from .._text.read import Problem
from .leaf import Parse, plain_parser
from .scan import Scanner
from .scope import Scope, Tag

_MAX_TEXTS: Final = 64
#: So many are read before they are charged.
_MAX_ROWS: Final = 4_096
#: A pattern is made for prefixes that came before: peers do not change theirs.
_SEEN: Final = 2
_W: Final = "[ \t\r\n]*"
#: What a text that is no value fails with, and one that XML does not allow.
_WRONG: Final = (*FAILURES, Problem)


class _Text:
    """A field that is one text."""

    __slots__ = ("code", "each", "local", "namespace", "optional", "own", "parse")

    def __init__(
        self, namespace: str, local: str, parse: Parse, code: str, value: TextValue
    ) -> None:
        self.namespace = namespace
        self.local = local
        self.parse = parse
        self.code = code
        self.optional = isinstance(value, TextOptional)
        self.own, self.each = text_charge(value)

    def bill(self, texts: Sequence[Any], values: Sequence[Any]) -> int:
        """What these are charged (LIM-18)."""
        if not self.each:
            return self.own * (len(texts) - texts.count(None)) if self.own else 0
        return sum([self.own + self.each * len(value) for value in values if value is not None])

    def column(self, texts: Sequence[Any]) -> Sequence[Any]:
        """The values of many texts; None is a missing element."""
        parse = self.parse
        if self.optional:
            return [None if text is None else parse(text) for text in texts]
        if self.code == "String":
            return texts
        found = lexical.array_of(self.code, list(texts)) if self.code else None
        return [parse(text) for text in texts] if found is None else found.tolist()


class Rows:
    """How a struct of texts is read."""

    def __init__(self, record: TextRecord) -> None:
        self._cls: Any = record.type.cls
        self._parts: list[_Text | tuple[str, str, Rows]] = []
        self.count = 0
        self.fits = not (record.type.recursive or record.type.extensible) and bool(record.fields)
        defaulted = False
        for field, declared in zip(record.fields, record.declared):
            self.fits = self.fits and field.place == ELEMENT
            # What stands behind a default is taken by keyword.
            self.fits = self.fits and (declared.may_miss or not defaulted)
            defaulted = defaulted or declared.may_miss
            if not self.fits:
                return
            value = field.value
            optional = isinstance(value, TextOptional)
            inner = value.value if isinstance(value, TextOptional) else value
            parse = plain_parser(inner)
            if parse is not None:
                code = ""
                if isinstance(inner, TextScalar):
                    code = "String" if inner.word == "String" else inner.code
                self._parts.append(_Text(field.namespace, field.local, parse, code, value))
                self.count += 1
            elif isinstance(inner, TextRecord) and not optional:
                rows = Rows(inner)
                self.fits = rows.fits
                self._parts.append((field.namespace, field.local, rows))
                self.count += rows.count
            else:
                self.fits = False
            self.fits = self.fits and self.count <= _MAX_TEXTS

    def pattern(self, x: Scanner, tag: Tag) -> re.Pattern[str] | None:
        """What matches the element of ``tag``, from its start; None if nothing is known of it."""
        scope = tag.outer
        if scope.seen < _SEEN or tag.attributes or tag.empty or not x.fast:
            return None
        if x.depth + self.count + 1 > x.limits.max_xml_depth:
            return None
        key = (self, tag.raw)
        if key not in scope.patterns:
            scope.patterns[key] = self._compile(scope, tag.raw)
        found: re.Pattern[str] | None = scope.patterns[key]
        return found

    def _compile(self, scope: Scope, raw: str) -> re.Pattern[str] | None:
        inside = self._inside(scope)
        if inside is None:
            return None
        name = re.escape(raw)
        return re.compile(f"{_W}<{name}>{inside}{_W}</{name}>")

    def _inside(self, scope: Scope) -> str | None:
        out: list[str] = []
        for part in self._parts:
            uri, local = part[:2] if isinstance(part, tuple) else (part.namespace, part.local)
            prefix = scope.prefix(uri)
            if prefix is None:
                return None
            name = re.escape(f"{prefix}:{local}" if prefix else local)
            if isinstance(part, tuple):
                inside = part[2]._inside(scope)
                if inside is None:
                    return None
                out.append(f"{_W}<{name}>{inside}{_W}</{name}>")
            else:
                text = f"{_W}<{name}>([^<]*)</{name}>"
                out.append(f"(?:{text})?" if part.optional else text)
        return "".join(out)

    def _one(self, texts: Iterator[Any], bills: list[int]) -> Any:
        """The struct of these texts; what it is charged is added to the bills."""
        values: list[Any] = []
        for part in self._parts:
            if isinstance(part, tuple):
                values.append(part[2]._one(texts, bills))
                continue
            text = next(texts)
            value = None if text is None else part.parse(text)
            if value is not None and (part.own or part.each):
                bills.append(part.own + part.each * len(value) if part.each else part.own)
            values.append(value)
        return self._cls(*values)

    def _many(self, columns: Iterator[Sequence[Any]], bills: list[int]) -> list[Any]:
        """The structs of many rows of texts."""
        values: list[Sequence[Any]] = []
        for part in self._parts:
            if isinstance(part, tuple):
                values.append(part[2]._many(columns, bills))
            else:
                texts = next(columns)
                values.append(part.column(texts))
                bills.append(part.bill(texts, values[-1]))
        return list(map(self._cls, *values))

    def read(self, x: Scanner, tag: Tag) -> Any:
        """The struct of this element; None if it is to be read tag by tag."""
        pattern = self.pattern(x, tag)
        match = None if pattern is None else pattern.match(x.s, tag.p)
        if match is None:
            return None
        texts: Sequence[Any] = match.groups()
        bills: list[int] = []
        try:
            if x.s.find("&", tag.p, match.end()) >= 0:
                texts = _expanded(x, texts)
            value = self._one(iter(texts), bills)
        except _WRONG:
            return None
        x.charge(sum(bills))
        _behind(x, tag, match.end())
        return value

    def read_many(self, x: Scanner, tag: Tag, charge: int) -> list[Any] | None:
        """The structs of this element and of some behind it; none if the first is special.

        None if one holds a wrong value: then this is not to be tried again with the rest. Each is
        charged so much, and what it holds.
        """
        pattern = self.pattern(x, tag)
        if pattern is None:
            return []
        s, p, match = x.s, tag.p, pattern.match
        rows: list[Sequence[Any]] = []
        found = match(s, p)
        while found is not None and len(rows) < _MAX_ROWS:
            rows.append(found.groups())
            p = found.end()
            found = match(s, p)
        if not rows:
            return []
        bills = [charge * len(rows)]
        try:
            if s.find("&", tag.p, p) >= 0:
                rows = [_expanded(x, row) for row in rows]
            values = self._many(iter(list(zip(*rows))), bills)
        except _WRONG:
            return None
        x.charge(sum(bills))
        _behind(x, tag, p)
        return values


def _expanded(x: Scanner, texts: Sequence[Any]) -> Sequence[Any]:
    """The texts of a row, with what stands for others resolved; None is a missing element."""
    return [text and (x.expand(text, 0) if "&" in text else text) for text in texts]


def _behind(x: Scanner, tag: Tag, p: int) -> None:
    """Goes on behind an element that was matched whole."""
    x.p = p
    x.depth -= 1
    x.scope = tag.outer
