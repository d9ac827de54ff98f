"""Values as JSON: writers made from the descriptions of ``_text`` (``spec/wires/json.md``).

Each description becomes one function ``(value, state) -> str``. A struct is one template, whose
optional fields include their commas.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import chain, islice
from json.encoder import encode_basestring as quote
from typing import Any, Final

from .._binary import Bad
from .._text import (
    ATTRIBUTE,
    TextAttributes,
    TextEntries,
    TextEnum,
    TextField,
    TextGroup,
    TextList,
    TextMessage,
    TextOptional,
    TextRaw,
    TextRecord,
    TextRepeated,
    TextScalar,
    TextUnion,
    TextValue,
    TextWrapped,
    lexical,
)
from .._text.columns import date_time_texts, decimal_texts
from .._text.write import (
    MANY,
    MAX_LEAVES,
    NO_STATE,
    Form,
    Piece,
    TextWriting,
    in_a_row,
    is_packed,
    joined,
    many,
    or_else,
)

#: VAL-2: larger whole numbers are strings, since JavaScript's numbers are doubles.
MAX_SAFE: Final = (1 << 53) - 1
_SPECIAL: Final = {"NaN": '"NaN"', "INF": '"Infinity"', "-INF": '"-Infinity"'}


# Values that are one text


def _string(value: Any, _: object = None) -> str:
    return quote(value)


def _long(value: Any, _: object = None) -> str:
    text = lexical.format_long(value)
    return text if -MAX_SAFE <= value <= MAX_SAFE else f'"{text}"'


def _double(value: Any, _: object = None) -> str:
    text = lexical.format_double(value)
    return _SPECIAL.get(text, text)


def _float(value: Any, _: object = None) -> str:
    text = lexical.format_float(value)
    return _SPECIAL.get(text, text)


def _char(value: Any, _: object = None) -> str:
    unit = ord(value)
    if unit > 0xFFFF:
        raise Bad
    return str(unit) if 0xD800 <= unit < 0xE000 else quote(value)


def _date_time(value: Any, _: object = None) -> str:
    return f'"{lexical.format_date_time(value)}"'


def _decimal(value: Any, _: object = None) -> str:
    return f'"{lexical.format_decimal(value)}"'


def _base64(value: Any, _: object = None) -> str:
    return f'"{lexical.format_base64(value)}"'


_FORMS: Final[dict[str, Form]] = {
    "boolean": lexical.format_boolean,
    "byte": lexical.format_byte,
    "short": lexical.format_short,
    "char": _char,
    "int": lexical.format_int,
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


def _all_strings(values: Any, w: TextWriting) -> list[str]:
    return list(map(quote, values))


def _all_doubles(values: Any, w: TextWriting) -> list[str]:
    if set(map(type, values)) <= {float}:
        return _double_texts(list(values))
    return list(map(_double, values))


def _double_texts(values: list[float]) -> list[str]:
    texts = lexical.double_texts(values)
    # The sum is finite only if all of them are.
    if not math.isfinite(sum(values)):
        return [_SPECIAL.get(text, text) for text in texts]
    return texts


def _all_longs(values: Any, w: TextWriting) -> list[str]:
    if set(map(type, values)) == {int} and min(values) >= -MAX_SAFE and max(values) <= MAX_SAFE:
        return list(map(str, values))
    return list(map(_long, values))


def _all_decimals(values: Any, w: TextWriting) -> list[str]:
    return [f'"{text}"' for text in decimal_texts(values)]


def _all_date_times(values: Any, w: TextWriting) -> list[str]:
    return [f'"{text}"' for text in date_time_texts(values)]


MANY[_string] = _all_strings
MANY[_double] = _all_doubles
MANY[_long] = _all_longs
MANY[_decimal] = _all_decimals
MANY[_date_time] = _all_date_times


def _packed(code: str, values: Any) -> list[str]:
    """The texts of an ``Array``, or of the units of a ``char[]``."""
    if code == "H":
        return list(map(_char, values))
    numbers = list(values)
    if code == "d":
        return _double_texts(numbers)
    if code == "f":
        return list(map(_float, numbers))
    if code == "q" and numbers:
        return _all_longs(numbers, NO_STATE)
    return lexical.texts_of(code, values)


class _Names(dict[int, str]):
    """The constants' names, quoted; an unknown number of an extensible enum is itself (VAL-10)."""

    def __init__(self, enum: TextEnum, extensible: bool) -> None:
        names: dict[int, str] = dict(enum.type.constants)
        super().__init__({number: quote(name) for number, name in names.items()})
        self.extensible = extensible

    def __missing__(self, number: int) -> str:
        if not self.extensible:
            raise Bad
        return str(int(number))


def _enum_form(enum: TextEnum) -> Form:
    names = _Names(enum, enum.type.extensible)
    return lambda v, w: names[v.value]


def leaf_form(value: TextValue) -> Form | None:
    """Writes a value without parts; None if it has some."""
    if isinstance(value, TextScalar):
        return _FORMS[value.word]
    if isinstance(value, TextEnum):
        return _enum_form(value)
    return _string if isinstance(value, TextRaw) else None


def _key_form(value: TextValue) -> Form:
    """The key of a map as the name of a member (VAL-12)."""
    form = leaf_form(value)
    if form is None:
        raise TypeError(f"not the key of a map: {value!r}")
    return lambda v, w: _quoted(form(v, w))


def _quoted(text: str) -> str:
    return text if text[0] == '"' else f'"{text}"'


# Values with parts


def in_order(group: TextGroup) -> list[int]:
    """The indices of a struct's fields in the order of writing: attributes first (JSON-1)."""
    places = [field.place for field in group.fields]
    return sorted(range(len(places)), key=lambda i: places[i] != ATTRIBUTE)


class JsonForms:
    """Makes the writers of all descriptions."""

    def __init__(self) -> None:
        self._records: dict[int, Piece] = {}
        self._forms: dict[int, Form] = {}

    def value(self, value: TextValue) -> Piece:
        """A value in any position; absent is ``null``."""
        leaf = leaf_form(value)
        if leaf is not None:
            return Piece("%s", [("", leaf)])
        if isinstance(value, TextOptional):
            return Piece("%s", [("", or_else(self.value(value.value).form(), "null"))])
        if isinstance(value, TextRecord):
            if value.type.recursive:
                return Piece("%s", [("", self._counted(value, lambda: self._record(value).form()))])
            made = self._record(value)
            return made if len(made.leaves) <= MAX_LEAVES else Piece("%s", [("", made.form())])
        return Piece("%s", [("", self._form(value))])

    def _form(self, value: TextValue) -> Form:
        if isinstance(value, TextUnion):
            return self._union(value)
        if isinstance(value, (TextRepeated, TextList)):
            return self._items(value.value)
        if isinstance(value, TextWrapped):
            return self._items(value.item.value)
        if isinstance(value, TextEntries):
            return self._entries(_key_form(value.key.value), self.value(value.value.value).form())
        if isinstance(value, TextAttributes):
            return self._entries(_string, _string)
        raise TypeError(f"not a value: {value!r}")

    def arguments(self, message: TextMessage) -> Form:
        """The object of a method's parameters, which are a tuple."""
        pieces = self._members(message.fields)
        if pieces is None:
            members = [self._member(field).form() for field in message.fields]
            return lambda values, w: _object([form(v, w) for form, v in zip(members, values)])
        template, forms = in_a_row(pieces)
        template = f"{{{template}}}"
        return lambda values, w: template % tuple([f(v, w) for f, v in zip(forms, values)])

    # Structs

    def _record(self, record: TextRecord) -> Piece:
        made = self._records.get(id(record))
        if made is None:
            made = self._records[id(record)] = self._make_record(record)
        return made

    def _make_record(self, record: TextRecord) -> Piece:
        order = in_order(record)
        fields = [record.fields[i] for i in order]
        names = [record.declared[i].attribute for i in order]
        pieces = self._members(fields)
        if pieces is None:
            return self._all_optional(fields, names)
        made = Piece("", [])
        for piece, name in zip(pieces, names):
            made.template += piece.template
            made.leaves += piece.below(name)
        made.template = f"{{{made.template}}}"
        return made

    def _members(self, fields: Sequence[TextField]) -> list[Piece] | None:
        """The members of an object with commas; None if every one may be absent."""
        always = [i for i, f in enumerate(fields) if not isinstance(f.value, TextOptional)]
        if not always:
            return None
        pieces: list[Piece] = []
        for i, field in enumerate(fields):
            behind = i > always[0]
            if isinstance(field.value, TextOptional):
                # It includes its comma.
                pieces.append(self._member(field, "," if behind else "", "" if behind else ","))
                continue
            piece = self._member(field)
            if behind:
                piece.template = f",{piece.template}"
            pieces.append(piece)
        return pieces

    def _member(self, field: TextField, before: str = "", behind: str = "") -> Piece:
        """A member of an object; an absent one writes nothing, not even the texts around it."""
        key = f"{quote(field.name)}:"
        if isinstance(field.value, TextOptional):
            form = self.value(field.value.value).form()
            return Piece("%s", [("", _optional(f"{before}{key}", form, behind))])
        piece = self.value(field.value)
        return Piece(key.replace("%", "%%") + piece.template, list(piece.leaves))

    def _all_optional(self, fields: list[TextField], names: list[str]) -> Piece:
        forms = [self._member(field).form() for field in fields]
        members = list(zip(names, forms))

        def write(v: Any, w: TextWriting) -> str:
            return _object([form(getattr(v, name), w) for name, form in members])

        return Piece("%s", [("", write)]) if fields else Piece("{}", [])

    def _counted(self, value: TextRecord | TextUnion, make: Any) -> Form:
        """A value of a recursive type: made on first use, and counted (BIN-13)."""
        made: list[Form] = []

        def write(v: Any, w: TextWriting) -> str:
            w.depth -= 1
            if w.depth < 0:
                raise Bad
            if not made:
                made.append(make())
            text = made[0](v, w)
            w.depth += 1
            return text

        return write

    # Unions

    def _union(self, union: TextUnion) -> Form:
        found = self._forms.get(id(union))
        if found is not None:
            return found
        members: dict[type, Form] = {}

        def write(v: Any, w: TextWriting) -> str:
            if not members:
                for cls, field in zip(union.type.classes, union.fields):
                    key = quote(field.name).replace("%", "%%")
                    piece = self.value(field.value)
                    members[cls] = Piece(f"{{{key}:{piece.template}}}", piece.leaves).form()
            return members[v.__class__](v.value, w)

        made = self._counted(union, lambda: write) if union.type.recursive else write
        self._forms[id(union)] = made
        return made

    # Arrays and maps

    def _items(self, item: TextValue) -> Form:
        code = item.code if isinstance(item, TextScalar) else ""
        if isinstance(item, TextOptional):
            plain = joined(self.value(item.value), ",", "null")
        else:
            plain = joined(self.value(item), ",")

        def write(values: Any, w: TextWriting) -> str:
            if code and is_packed(values):
                return f"[{','.join(_packed(code, values))}]"
            return f"[{plain(values, w)}]"

        all_plain = many(plain)

        def write_many(arrays: Sequence[Any], w: TextWriting) -> Sequence[str]:
            if code and any(map(is_packed, arrays)):
                return [write(values, w) for values in arrays]
            return [f"[{text}]" for text in all_plain(arrays, w)]

        MANY[write] = write_many
        return write

    def _entries(self, key: Form, item: Form) -> Form:
        all_keys, all_items = many(key), many(item)

        def write(v: Any, w: TextWriting) -> str:
            return f"{{{','.join([f'{key(k, w)}:{item(i, w)}' for k, i in v.items()])}}}"

        def write_many(maps: Sequence[Any], w: TextWriting) -> Sequence[str]:
            keys = list(chain.from_iterable(maps))
            if not keys:
                return ["{}"] * len(maps)
            items = [item for each in maps for item in each.values()]
            pairs = map("{}:{}".format, all_keys(keys, w), all_items(items, w))
            return [f"{{{','.join(islice(pairs, len(each)))}}}" for each in maps]

        MANY[write] = write_many
        return write


def _object(members: list[str]) -> str:
    """An object of members some of which are absent."""
    return f"{{{','.join([text for text in members if text])}}}"


def _optional(head: str, form: Form, tail: str) -> Form:
    """Writes a value between two texts; writes nothing for None."""
    forms = many(form)

    def write(v: Any, w: TextWriting) -> str:
        return "" if v is None else f"{head}{form(v, w)}{tail}"

    def write_many(values: Sequence[Any], w: TextWriting) -> Sequence[str]:
        given = [v for v in values if v is not None]
        texts = iter(forms(given, w) if given else ())
        return ["" if v is None else f"{head}{next(texts)}{tail}" for v in values]

    MANY[write] = write_many
    return write


FORMS: Final = JsonForms()
