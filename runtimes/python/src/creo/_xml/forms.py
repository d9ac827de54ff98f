"""Values of one text in XML: escaped, and many at once."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Callable, Final

from .._binary import Bad
from .._text import TextEnum, TextList, TextScalar, TextValue, lexical
from .._text.write import MANY, NO_STATE, Form, TextWriting, is_packed

_SPECIAL: Final = re.compile("[&<>\r\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]").search
_SPECIAL_ATTRIBUTE: Final = re.compile('[&<>"\t\n\r\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]').search
#: Characters that XML does not allow.
FORBIDDEN: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff\ud800-\udfff]")
_WHITE: Final = re.compile("[ \t\r\n]").search


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
    found = FORBIDDEN.search(text)
    if found is not None:
        raise Bad(f"XML cannot hold the character U+{ord(found[0]):04X}")


def _escape_all(texts: Sequence[str], w: TextWriting) -> Sequence[str]:
    return texts if _SPECIAL("\n".join(texts)) is None else list(map(escape, texts))


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
MANY[escape] = _escape_all


class _EnumTexts(dict[int, str]):
    """The texts of numbers; an unknown one of an extensible enum is ``#`` and the number."""

    def __init__(self, texts: Mapping[int, str], extensible: bool) -> None:
        super().__init__(texts)
        self.extensible = extensible

    def __missing__(self, number: int) -> str:
        if not self.extensible:
            raise Bad
        return f"#{number}"


def enum_texts(value: TextEnum, escaped: Form) -> Mapping[int, str]:
    """The texts of an enum's numbers, escaped."""
    texts = {number: escaped(text, NO_STATE) for number, text in value.texts.items()}
    return _EnumTexts(texts, value.type.extensible)


def leaf_form(value: TextValue, attribute: bool = False) -> Form | None:
    """Writes a value of one text; None for other values."""
    return _leaf_form(value, escape_attribute if attribute else escape)


def _leaf_form(value: TextValue, escaped: Form) -> Form | None:
    if isinstance(value, TextScalar):
        return escaped if value.word in ("String", "token", "qname") else _FORMS[value.word]
    if isinstance(value, TextEnum):
        texts = enum_texts(value, escaped)
        return lambda v, _: texts[v.value]
    if isinstance(value, TextList):
        return list_texts(value.value, escaped)
    return None


def list_texts(item: TextValue, escaped: Form) -> Form:
    """Writes an array in one text (XML-33), ``escaped`` the texts of its items."""
    form = _leaf_form(item, escaped)
    if form is None:
        raise TypeError("an item of a list is one text")
    code = item.code if isinstance(item, TextScalar) else ""
    plain = isinstance(item, TextScalar) and item.word not in ("String", "token", "qname")
    # Escaped white space is recognized by this.
    references = escaped("\r", NO_STATE) != "\r"

    def write(values: Any, w: TextWriting) -> str:
        if code and is_packed(values):
            return " ".join(lexical.texts_of(code, values))
        texts = [form(value, w) for value in values]
        if not plain:
            for text in texts:
                if not text or _WHITE(text) or (references and "&#" in text):
                    raise Bad("an item of a list holds no white space, and is not empty")
        return " ".join(texts)

    return write
