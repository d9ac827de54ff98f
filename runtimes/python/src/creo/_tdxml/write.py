"""Values as rows: writers made from the descriptions of ``_text`` (``spec/wires/tdxml.md``).

Each description becomes a function ``(value, index, rows, state)``, once for each scheme, which
appends the rows of a value. Rows beneath a struct's own follow all of its columns, so they are
always in schema order.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import repeat
from operator import attrgetter, itemgetter
from typing import Any, Callable, Final

from .._binary import Bad
from .._columns import StructArray
from .._text import (
    TextEnum,
    TextField,
    TextList,
    TextMessage,
    TextOptional,
    TextRaw,
    TextRecord,
    TextScalar,
    TextUnion,
    TextValue,
    lexical,
)
from .._text.write import COLUMNS_FROM, MANY, MIN_PART, Form, Forms, TextWriting, is_packed, many
from .._xml.forms import enum_texts, list_texts
from .shape import bare, entry_of, in_order, is_scalar, item_of, repeated_of, suffixes

#: Adds the rows of a value at an index.
Rows = Callable[[Any, str, "list[str]", TextWriting], None]
#: Adds a text for each of many structs at these positions of an array.
Flat = Callable[[Any, str, "Iterable[int]", "list[str]", TextWriting], None]

_FORBIDDEN: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff\ud800-\udfff]").search
_ESCAPES: Final = str.maketrans(
    {"\n": "\\n", "\r": "\\r", "|": "\\|", "\\": "\\\\", "&": "\\a", "<": "\\l", ">": "\\g"}
)


def _is_plain(text: str) -> bool:
    """Whether a text surely needs no escapes, except for ``~``."""
    return (
        text.isprintable()
        and "&" not in text
        and "|" not in text
        and "<" not in text
        and ">" not in text
        and "\\" not in text
    )


def escape(text: str, _: object = None) -> str:
    """A text as a column (TDX-12)."""
    if _is_plain(text):
        return f"\\{text}" if text[:1] == "~" else text
    found = _FORBIDDEN(text)
    if found is not None:
        raise Bad(f"XML cannot hold the character U+{ord(found[0]):04X}")
    text = text.translate(_ESCAPES)
    return f"\\{text}" if text[:1] == "~" else text


def _escape_all(texts: Sequence[str], w: TextWriting) -> Sequence[str]:
    joined = "".join(texts)
    if not _is_plain(joined):
        if _FORBIDDEN(joined):
            return list(map(escape, texts))
        # No text contains the separator.
        joined = "\0".join(texts)
        joined = joined.replace("\\", "\\\\").replace("|", "\\|").replace("&", "\\a")
        joined = joined.replace("<", "\\l").replace(">", "\\g").replace("\n", "\\n")
        joined = joined.replace("\r", "\\r")
        texts = joined.split("\0")
    if "~" not in joined:
        return texts
    return [f"\\{text}" if text[:1] == "~" else text for text in texts]


MANY[escape] = _escape_all


def _base64(value: Any, w: TextWriting) -> str:
    """``byte[]``; in a multipart, the name of a part (TDX-25)."""
    if w.parts is None or len(value) < MIN_PART:
        return lexical.format_base64(value)
    w.parts.append(bytes(value))
    return f"cid:{len(w.parts) - 1}@creo"


_FORMS: Final[dict[str, Form]] = {
    "boolean": lexical.format_boolean,
    "byte": lexical.format_byte,
    "short": lexical.format_short,
    "char": lexical.format_char,
    "int": lexical.format_int,
    "long": lexical.format_long,
    "float": lexical.format_float,
    "double": lexical.format_double,
    "String": escape,
    "token": escape,
    "qname": escape,
    "DateTime": lexical.format_date_time,
    "Decimal": lexical.format_decimal,
    "byte[]": _base64,
    "hex": lexical.format_hex,
}


def _as_it_is(text: str, _: object = None) -> str:
    return str.__str__(text)


def column(value: TextValue) -> Form:
    """Writes a value of one text; null is ``~``."""
    if isinstance(value, TextOptional):
        inner = column(value.value)
        return lambda v, w: "~" if v is None else inner(v, w)
    if isinstance(value, TextScalar):
        return _FORMS[value.word]
    if isinstance(value, TextRaw):
        return escape
    if isinstance(value, TextEnum):
        texts = enum_texts(value, escape)
        return lambda v, w: texts[v.value]
    if isinstance(value, TextList):
        write = list_texts(value.value, _as_it_is)
        return lambda v, w: escape(write(v, w))
    raise TypeError(f"not one text: {value!r}")


class TableForms:
    """Makes the writers of all descriptions in one scheme."""

    def __init__(self, scheme: str) -> None:
        self._is_record = scheme == "record"
        self._groups: dict[int, Rows] = {}

    def element(self, value: TextValue) -> Rows:
        """A value with its own index; null is ``~`` (TDX-14, TDX-22)."""
        if isinstance(value, TextOptional):
            inner = self.element(value.value)

            def optional(v: Any, index: str, rows: list[str], w: TextWriting) -> None:
                if v is None:
                    rows.append(f"{index}~")
                else:
                    inner(v, index, rows, w)

            return optional
        if is_scalar(value):
            form = column(value)
            return lambda v, index, rows, w: rows.append(f"{index}|{form(v, w)}")
        content = self._content(value)

        def write(v: Any, index: str, rows: list[str], w: TextWriting) -> None:
            before = len(rows)
            content(v, index, rows, w)
            if len(rows) == before:
                rows.append(index)

        return write

    def arguments(self, message: TextMessage) -> Rows:
        """The parameters of a method or its result, which are a tuple."""
        fields = message.fields
        return self._columns(fields, list(range(len(fields))), lambda v, i: v[i])

    # Content beneath an index

    def _content(self, value: TextValue) -> Rows:
        if isinstance(value, (TextRecord, TextUnion)):
            return self._group(value)
        item = item_of(value)
        if item is not None:
            items = self._items(item)
            return lambda v, index, rows, w: items(v, f"{index}[0]", rows, w)
        entry = entry_of(value)
        if entry is not None:
            return self._entries(*entry)
        raise TypeError(f"not a value: {value!r}")

    def _field(self, value: TextValue) -> Rows:
        """A field other than a column; null has no row."""
        if isinstance(value, TextOptional):
            inner = self.element(value.value)

            def optional(v: Any, index: str, rows: list[str], w: TextWriting) -> None:
                if v is not None:
                    inner(v, index, rows, w)

            return optional
        item = repeated_of(value)
        return self.element(value) if item is None else self._items(item)

    # Structs and unions

    def _group(self, value: TextRecord | TextUnion) -> Rows:
        found = self._groups.get(id(value))
        if found is not None:
            return found
        if isinstance(value, TextRecord):
            names = [declared.attribute for declared in value.declared]
            made = self._made(value, lambda: self._columns(value.fields, names, getattr))
        else:
            made = self._made(value, lambda: self._union(value))
        self._groups[id(value)] = made
        return made

    def _made(self, value: TextRecord | TextUnion, make: Callable[[], Rows]) -> Rows:
        """Those of a recursive type are made on first use, with counted levels (BIN-13)."""
        if not value.type.recursive:
            return make()
        inner: list[Rows] = []

        def write(v: Any, index: str, rows: list[str], w: TextWriting) -> None:
            w.depth -= 1
            if w.depth < 0:
                raise Bad
            if not inner:
                inner.append(make())
            inner[0](v, index, rows, w)
            w.depth += 1

        return write

    def _columns(
        self,
        fields: Sequence[TextField],
        names: list[Any],
        take: Callable[[Any, Any], Any],
    ) -> Rows:
        """Fields: columns in a separate row, others beneath it (TDX-30)."""
        ends = suffixes(fields)
        order = in_order(fields)
        # The text of an element has the element's own index and comes first.
        order.sort(key=lambda i: bool(ends[i]))
        columns: list[tuple[Any, Form]] = []
        beneath: list[tuple[Any, str, Rows]] = []
        for i in in_order(fields) if self._is_record else order:
            value = fields[i].value
            if self._is_record and is_scalar(value):
                columns.append((names[i], column(value)))
            else:
                beneath.append((names[i], ends[i], self._field(value)))
        may_end = bool(columns) and any(isinstance(f.value, TextOptional) for f in fields)
        getter = attrgetter if take is getattr else itemgetter
        plain = not may_end and len(columns) > 1
        get = getter(*[name for name, _ in columns]) if plain else None
        forms = [form for _, form in columns]

        def write(v: Any, index: str, rows: list[str], w: TextWriting) -> None:
            if get is not None:
                texts = [form(x, w) for form, x in zip(forms, get(v))]
                rows.append(f"{index}|{'|'.join(texts)}")
            elif columns:
                texts = [form(take(v, name), w) for name, form in columns]
                while texts and texts[-1] == "~":
                    texts.pop()
                if texts:
                    rows.append(f"{index}|{'|'.join(texts)}")
            for name, end, form_beneath in beneath:
                form_beneath(take(v, name), index + end, rows, w)

        return write

    def _union(self, union: TextUnion) -> Rows:
        members: dict[type, tuple[str, Rows]] = {}

        def write(v: Any, index: str, rows: list[str], w: TextWriting) -> None:
            if not members:
                for i, (cls, field) in enumerate(zip(union.type.classes, union.fields)):
                    members[cls] = (f"[{i}]", self.element(field.value))
            end, form = members[v.__class__]
            form(v.value, index + end, rows, w)

        return write

    # Arrays and maps

    def _items(self, item: TextValue) -> Rows:
        if is_scalar(item):
            return self._columns_of(item) if self._is_record else self._row_each(item)
        single = self.element(item)
        flat = self._flat(bare(item))
        may_miss = isinstance(item, TextOptional)

        def write(values: Any, index: str, rows: list[str], w: TextWriting) -> None:
            if values.__class__ is StructArray:
                values = list(values)
            if isinstance(values, (str, bytes)):
                raise Bad
            if flat is not None and len(values) >= COLUMNS_FROM:
                if may_miss:
                    _some(flat, values, index, rows, w)
                else:
                    flat(values, index, range(len(values)), rows, w)
                return
            for i, value in enumerate(values):
                single(value, f"{index}{i}", rows, w)

        return write

    def _columns_of(self, item: TextValue) -> Rows:
        """TDX-31: all items in one row."""
        texts_of = _texts(item)

        def write(values: Any, index: str, rows: list[str], w: TextWriting) -> None:
            texts = texts_of(values, w)
            if texts:
                rows.append(f"{index}|{'|'.join(texts)}")

        return write

    def _row_each(self, item: TextValue) -> Rows:
        texts_of = _texts(item)
        may_miss = isinstance(item, TextOptional)

        def write(values: Any, index: str, rows: list[str], w: TextWriting) -> None:
            texts = texts_of(values, w)
            if may_miss:
                for i, text in enumerate(texts):
                    rows.append(f"{index}{i}~" if text == "~" else f"{index}{i}|{text}")
            else:
                rows += [f"{index}{i}|{text}" for i, text in enumerate(texts)]

        return write

    def _flat(self, item: TextValue) -> Flat | None:
        """Many structs that consist of columns, column by column; None for others."""
        if not isinstance(item, TextRecord) or item.type.recursive or len(item.fields) < 2:
            return None
        if not all(is_scalar(field.value) for field in item.fields):
            return None
        if not self._is_record:
            return self._flat_rows(item)
        order = in_order(item.fields)
        get = attrgetter(*[item.declared[i].attribute for i in order])
        forms = [many(column(item.fields[i].value)) for i in order]
        template = "%s%d" + "|%s" * len(forms)
        may_end = isinstance(item.fields[order[-1]].value, TextOptional)

        def write(
            values: Any, index: str, places: Iterable[int], rows: list[str], w: TextWriting
        ) -> None:
            texts = [form(part, w) for form, part in zip(forms, zip(*map(get, values)))]
            if not may_end or "~" not in texts[-1]:
                heads = zip(repeat(index), places, *texts)
                rows += list(map(template.__mod__, heads))
                return
            for i, row in zip(places, zip(*texts)):
                parts = list(row)
                while parts and parts[-1] == "~":
                    parts.pop()
                rows.append("|".join([f"{index}{i}", *parts]))

        return write

    def _flat_rows(self, item: TextRecord) -> Flat | None:
        """The same if each column has a row: all rows of a struct are one text."""
        if any(isinstance(field.value, TextOptional) for field in item.fields):
            return None
        ends = suffixes(item.fields)
        order = sorted(in_order(item.fields), key=lambda i: bool(ends[i]))
        get = attrgetter(*[item.declared[i].attribute for i in order])
        forms = [many(column(item.fields[i].value)) for i in order]
        template = "\n".join([f"%s{ends[i]}|%s" for i in order])

        def write(
            values: Any, index: str, places: Iterable[int], rows: list[str], w: TextWriting
        ) -> None:
            heads = [f"{index}{k}" for k in places]
            columns: list[Any] = []
            for form, part in zip(forms, zip(*map(get, values))):
                columns += (heads, form(part, w))
            rows += list(map(template.__mod__, zip(*columns)))

        return write

    def _entries(self, key: TextField, value: TextField) -> Rows:
        entry = self._columns((key, value), [0, 1], lambda v, i: v[i])

        def write(values: Any, index: str, rows: list[str], w: TextWriting) -> None:
            for i, pair in enumerate(values.items()):
                entry(pair, f"{index}[0]{i}", rows, w)

        return write


def _some(flat: Flat, values: Any, index: str, rows: list[str], w: TextWriting) -> None:
    """The rows of structs that may be None."""
    places = [i for i, value in enumerate(values) if value is not None]
    if len(places) == len(values):
        flat(values, index, places, rows, w)
        return
    texts: list[str] = []
    if places:
        flat([values[i] for i in places], index, places, texts, w)
    found = iter(texts)
    rows += [f"{index}{i}~" if v is None else next(found) for i, v in enumerate(values)]


def _texts(item: TextValue) -> Callable[[Any, TextWriting], Sequence[str]]:
    """The columns of many values of one text each."""
    code = item.code if isinstance(item, TextScalar) else ""
    forms: Forms = many(column(item))

    def write(values: Any, w: TextWriting) -> Sequence[str]:
        if code and is_packed(values):
            return lexical.texts_of(code, values)
        if isinstance(values, (str, bytes)):
            raise Bad
        return forms(values, w) if len(values) else ()

    return write


FORMS: Final = {scheme: TableForms(scheme) for scheme in ("record", "aggregated")}
