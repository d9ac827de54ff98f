"""Values that are one text, as XML holds them: escaped, and many at once."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Callable, Final

from . import _lexical as lexical
from ._array import Array
from ._binary import Bad
from ._text import TextEnum, TextList, TextScalar, TextValue

_SPECIAL: Final = re.compile("[&<>\r\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]").search
_SPECIAL_ATTRIBUTE: Final = re.compile('[&<>"\t\n\r\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]').search
_FORBIDDEN: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff\ud800-\udfff]")
_WHITE: Final = re.compile("[ \t\r\n]").search


class XmlWriting:
    """The state of a message that is being written."""

    __slots__ = ("depth", "parts")

    def __init__(self, depth: int, parts: list[bytes] | None = None) -> None:
        self.depth = depth
        """Levels of recursive types that are left (BIN-13)."""
        self.parts = parts
        """The parts of a package (SOAP-21); None if there is none."""


#: Writes a value.
Form = Callable[[Any, XmlWriting], str]
#: Writes many values of one type.
Forms = Callable[[Sequence[Any], XmlWriting], Sequence[str]]


def escape(text: str, _: object = None) -> str:
    """A text as the content of an element (XML-12)."""
    if _SPECIAL(text) is None:
        return text
    _refuse_forbidden(text)
    text = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return text.replace("\r", "&#13;")


def escape_attribute(text: str, _: object = None) -> str:
    """A text as the value of an attribute (XML-12)."""
    if _SPECIAL_ATTRIBUTE(text) is None:
        return text
    text = escape(text).replace('"', "&quot;")
    return text.replace("\t", "&#9;").replace("\n", "&#10;")


def _refuse_forbidden(text: str) -> None:
    found = _FORBIDDEN.search(text)
    if found is not None:
        raise Bad(f"XML cannot hold the character U+{ord(found[0]):04X}")


def _escape_all(texts: Sequence[str], w: XmlWriting) -> Sequence[str]:
    return texts if _SPECIAL("\n".join(texts)) is None else list(map(escape, texts))


def _all_doubles(values: Sequence[Any], w: XmlWriting) -> Sequence[str]:
    if set(map(type, values)) <= {float}:
        return lexical.double_texts(list(values))
    return list(map(lexical.format_double, values))


def _all_whole(word: str, form: Callable[..., str]) -> Forms:
    least, most = lexical.RANGES[word]

    def forms(values: Sequence[Any], w: XmlWriting) -> Sequence[str]:
        if set(map(type, values)) == {int} and least <= min(values) and max(values) <= most:
            return list(map(str, values))
        return list(map(form, values))

    return forms


_FORMS: Final[dict[str, Callable[..., str]]] = {
    "boolean": lexical.format_boolean,
    "byte": lexical.format_byte,
    "short": lexical.format_short,
    "char": lexical.format_char,
    "int": lexical.format_int,
    "long": lexical.format_long,
    "float": lexical.format_float,
    "double": lexical.format_double,
    "DateTime": lexical.format_date_time,
    "Decimal": lexical.format_decimal,
    "byte[]": lexical.format_base64,
    "hex": lexical.format_hex,
}
MANY: Final[dict[Any, Forms]] = {
    escape: _escape_all,
    lexical.format_double: _all_doubles,
    lexical.format_byte: _all_whole("byte", lexical.format_byte),
    lexical.format_short: _all_whole("short", lexical.format_short),
    lexical.format_int: _all_whole("int", lexical.format_int),
    lexical.format_long: _all_whole("long", lexical.format_long),
}


class _EnumTexts(dict[int, str]):
    """The texts of numbers; an unknown one of an extensible enum is ``#`` and itself."""

    def __init__(self, texts: Mapping[int, str], extensible: bool) -> None:
        super().__init__(texts)
        self.extensible = extensible

    def __missing__(self, number: int) -> str:
        if not self.extensible:
            raise Bad
        return f"#{number}"


def leaf_form(value: TextValue, attribute: bool = False) -> Form | None:
    """Writes a value that is one text; None if it is not."""
    if isinstance(value, TextScalar):
        if value.word in ("String", "token"):
            return escape_attribute if attribute else escape
        return _FORMS[value.word]
    if isinstance(value, TextEnum):
        escaped = escape_attribute if attribute else escape
        texts = _EnumTexts(
            {number: escaped(text) for number, text in value.texts.items()}, value.type.extensible
        )
        return lambda v, _: texts[v.value]
    if isinstance(value, TextList):
        return _list_form(value.value, attribute)
    return None


def is_packed(values: Any) -> bool:
    """Whether these are the numbers of an ``Array``, or the units of a ``char[]``."""
    return isinstance(values, (Array, str))


def _list_form(item: TextValue, attribute: bool) -> Form:
    form = leaf_form(item, attribute)
    if form is None:
        raise TypeError("an item of a list is one text")
    code = item.code if isinstance(item, TextScalar) else ""
    plain = isinstance(item, TextScalar) and item.word not in ("String", "token")

    def write(values: Any, w: XmlWriting) -> str:
        if code and is_packed(values):
            return " ".join(lexical.texts_of(code, values))
        texts = [form(value, w) for value in values]
        if not plain:
            for text in texts:
                if not text or _WHITE(text) or "&#" in text:
                    raise Bad("an item of a list holds no white space, and is not empty")
        return " ".join(texts)

    return write
