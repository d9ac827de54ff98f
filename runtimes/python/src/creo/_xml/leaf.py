"""Texts of elements and attributes as values, one at a time and many at once."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from operator import methodcaller
from typing import Any, Callable, Final, Optional
from urllib.parse import unquote

from .._base import shown
from .._binary import FAILURES, Bad
from .._text import (
    TextEnum,
    TextList,
    TextOptional,
    TextRaw,
    TextScalar,
    TextValue,
    is_named,
    lexical,
    text_charge,
)
from .._text.columns import READ
from .._text.lexical import WHITE
from .._text.read import Doubt, Problem, holder, take_part
from .names import NCNAME, XOP_NAMESPACE
from .scope import Scope
from .tree import ACCEPTS, Tree, empty, expanded, nil, plain, taken_as_missing, text_of

#: The value of a text.
Parse = Callable[[str], Any]

_WHITE: Final = re.compile("[ \t\r\n]+")
_XOP_INCLUDE: Final = expanded(XOP_NAMESPACE, "Include")
_attributes_of: Final = methodcaller("keys")


def _trimmed(parse: Parse) -> Parse:
    return lambda text: parse(text.strip(WHITE))


def same(text: str) -> str:
    return text


_PARSERS: Final[dict[str, Parse]] = {
    "boolean": _trimmed(lexical.parse_boolean),
    "byte": _trimmed(lexical.parse_byte),
    "short": _trimmed(lexical.parse_short),
    "char": _trimmed(lexical.parse_char),
    "int": _trimmed(lexical.parse_int),
    "long": _trimmed(lexical.parse_long),
    "float": _trimmed(lexical.parse_float),
    "double": _trimmed(lexical.parse_double),
    "String": same,
    "token": _trimmed(same),
    "qname": _trimmed(same),
    "DateTime": _trimmed(lexical.parse_date_time),
    "Decimal": _trimmed(lexical.parse_decimal),
    "byte[]": _trimmed(lexical.parse_base64),
    "hex": _trimmed(lexical.parse_hex),
}


#: Types of which a blank text is a value, or which are refused for it by lenient reading, too.
_TEXTS: Final = ("String", "token", "qname", "byte[]", "hex")


def leaf_parser(value: TextValue) -> Parse | None:
    """The value of a text; None for other forms."""
    if isinstance(value, TextScalar):
        return _PARSERS[value.word]
    if isinstance(value, TextEnum):
        return _enum_parser(value)
    if isinstance(value, TextList):
        return _list_parser(value.value)
    return None


def _enum_parser(value: TextEnum) -> Parse:
    cls = value.type.cls
    known = {text: cls(number) for number, text in value.texts.items()}
    extensible = value.type.extensible

    def parse(text: str) -> Any:
        found = known.get(text)
        if found is None:
            text = text.strip(WHITE)
            found = known.get(text)
            if found is None:
                digits = text[1:]
                if not (extensible and text[:1] == "#" and digits.isascii() and digits.isdigit()):
                    raise Bad(f"{shown(text)!r} is no constant of {value.local}")
                return cls(lexical.parse_int(digits))
        return found

    return parse


def _list_parser(item: TextValue) -> Parse:
    parse = leaf_parser(item)
    if parse is None:
        raise TypeError("an item of a list is one text")
    given = parse
    hold = holder(item)
    code = item.code if isinstance(item, TextScalar) else ""

    def read(text: str) -> Any:
        texts = text.replace("\t", " ").replace("\r", " ").replace("\n", " ").split(" ")
        texts = [part for part in texts if part]
        found = lexical.array_of(code, texts) if code and texts else None
        return hold([given(part) for part in texts]) if found is None else found

    return read


def unread(
    x: Tree, failure: BaseException, text: str, what: TextValue, p: Callable[[Any], int], e: Any
) -> Any:
    """What lenient reading makes of a text that is no value (XML-51).

    :raises Problem: if it makes nothing of it, or the text is read strictly.
    """
    problem = refused(failure, text, what, p(e))
    found = _in_any_case(text, what)
    if found is not None:
        if x.lenient:
            return found
        problem.message += ACCEPTS
    problem.missing = not text.strip(WHITE) and is_never_blank(what)
    raise problem from None


def _in_any_case(text: str, what: TextValue) -> Any:
    """The value of a boolean, or of a list of them, in any case of letters; None for others."""
    item = what.value if isinstance(what, TextList) else what
    parse = leaf_parser(what) if is_boolean(item) else None
    try:
        return None if parse is None else parse(text.lower())
    except FAILURES:
        return None


def is_boolean(value: TextValue) -> bool:
    return isinstance(value, TextScalar) and value.word == "boolean"


def is_never_blank(value: TextValue) -> bool:
    """Whether no value of a type is a blank text that lenient reading takes as missing."""
    if isinstance(value, TextScalar):
        return value.word not in _TEXTS
    return isinstance(value, TextEnum)


def refused(failure: BaseException, text: str, what: TextValue, p: int) -> Problem:
    """The error for an invalid text."""
    message = str(failure) if isinstance(failure, Bad) else ""
    return Problem(message or f"{shown(text)!r} is no {_word(what)}", p)


def _word(value: TextValue) -> str:
    if isinstance(value, TextScalar):
        return {"byte[]": "base64", "hex": "hexBinary"}.get(value.word, value.word)
    return value.local if isinstance(value, TextEnum) else "list"


def bare(value: TextValue) -> TextValue:
    return value.value if isinstance(value, TextOptional) else value


def is_text(value: TextValue) -> bool:
    """Whether a present value is one text, which its holder charges."""
    return isinstance(bare(value), (TextScalar, TextEnum, TextList, TextRaw))


# The following elements


class Kids:
    """The elements within another, in order."""

    __slots__ = ("_back", "_next")

    def __init__(self, kids: Any) -> None:
        self._next: Iterator[Any] = iter(kids)
        self._back: Any = None

    def next(self) -> Any:
        """The next element; None at the end."""
        e = self._back
        if e is not None:
            self._back = None
            return e
        return next(self._next, None)

    def back(self, e: Any) -> None:
        """Returns an element for another reader."""
        self._back = e

    def run(self, e: Any) -> Iterator[Any]:
        """This element and those after it with its name."""
        tag = e.tag
        yield e
        for following in self._next:
            if following.tag != tag:
                self._back = following
                return
            yield following


#: Reads an element; some readers also read those after it.
Read = Callable[[Tree, Any, Kids], Any]
#: Reads elements of a tree with the same name; None to read them one by one.
ReadMany = Callable[[Tree, Sequence[Any]], Optional[Sequence[Any]]]

NO_KIDS: Final = Kids(())


class Reader:
    """Reads the elements of one description."""

    __slots__ = ("height", "many", "one")

    def __init__(self, one: Read, many: ReadMany | None = None, height: int = 1) -> None:
        self.one = one
        self.many: ReadMany = many or (lambda x, found: [one(x, e, NO_KIDS) for e in found])
        self.height = height
        """The max number of open elements, without those of recursive values."""


# Elements


def leaf(value: TextValue) -> Reader:
    """Reads an element of one text."""
    if is_named(value):
        return Reader(_named_leaf(value))
    parse = leaf_parser(value)
    if parse is None:
        raise TypeError("not one text")
    read = parse
    is_binary = isinstance(value, TextScalar) and value.word == "byte[]"
    extensible = isinstance(value, TextEnum) and value.type.extensible

    def one(x: Tree, e: Any, kids: Kids) -> Any:
        plain(x, e, extensible)
        if is_binary and x.parts is not None:
            return binary(x, e, read, value)
        text = x.text(e)
        try:
            return read(text)
        except FAILURES as failure:
            return unread(x, failure, text, value, x.inner, e)

    columns = READ.get(value.word) if isinstance(value, TextScalar) else None

    def many(x: Tree, elements: Sequence[Any]) -> Sequence[Any]:
        texts = None if is_binary and x.parts is not None else texts_of(x, elements)
        if texts is None:
            return [one(x, e, NO_KIDS) for e in elements]
        if columns is not None:
            try:
                return columns(texts)
            except FAILURES:
                pass
        return list(map(read, texts))

    return Reader(one, many)


def texts_of(x: Tree, elements: Sequence[Any]) -> list[str] | None:
    """The texts of elements of a tree without children; None if one has attributes."""
    if has_attributes(x, elements):
        return None
    if any(map(len, elements)):
        raise Doubt
    texts = list(map(text_of, elements))
    return [text or "" for text in texts] if None in texts else texts


def has_attributes(x: Tree, elements: Sequence[Any]) -> bool:
    """Whether one of these elements of a tree has attributes."""
    return not x.plain and any(map(_attributes_of, elements))


def _named_leaf(value: TextValue) -> Read:
    def read(x: Tree, e: Any, kids: Kids) -> Any:
        plain(x, e)
        return named(x, e, x.text(e), value)

    return read


def named(x: Tree, e: Any, text: str, value: TextValue) -> Any:
    """The value of a text with qualified names (XML-48) in this element."""
    if isinstance(value, TextList):
        parts = [part for part in _WHITE.split(text) if part]
        return holder(value.value)([_name(x, e, part) for part in parts])
    return _name(x, e, text.strip(WHITE))


def _name(x: Tree, e: Any, text: str) -> str:
    prefix, colon, local = text.rpartition(":")
    if NCNAME.fullmatch(local) is None or (colon and not prefix):
        raise Problem(f"{shown(text)!r} is no qualified name", x.at(e))
    scope: Scope = x.scope(e)
    uri = scope.uri(prefix)
    if uri is None and colon:
        raise Problem(f"the prefix of {shown(text)!r} is not bound", x.at(e))
    if not uri:
        return local
    x.add_declared(uri, e)
    return f"{{{uri}}}{local}"


def binary(x: Tree, e: Any, parse: Parse, value: TextValue) -> Any:
    """A ``byte[]``: its text, or its part (SOAP-20)."""
    words: list[str] = []
    data: bytes | None = None
    for kid in x.content(e):
        if isinstance(kid, str):
            words.append(kid)
        elif data is not None or kid.tag != _XOP_INCLUDE or "".join(words).strip(WHITE):
            raise Problem(f"an element occurs within the text of {x.name(e)}", x.at(kid))
        else:
            data = _included(x, kid)
    text = "".join(words)
    if data is not None:
        if text.strip(WHITE):
            raise Problem("there is text next to xop:Include", x.inner(e))
        return data
    try:
        return parse(text)
    except FAILURES as failure:
        raise refused(failure, text, value, x.inner(e)) from None


def _included(x: Tree, include: Any) -> bytes:
    """The part for an ``xop:Include``."""
    href = include.get("href") or ""
    if not href.startswith("cid:"):
        raise Problem(f"{shown(href)!r} names no part of this message", x.at(include))
    data = take_part(x.parts, x.used, unquote(href[4:]), x.at(include))
    if x.text(include).strip(WHITE):
        raise Problem("xop:Include is empty", x.at(include))
    return data


def optional(reader: Reader, charge: int) -> Reader:
    """``charge`` is for a present value, unless it is charged elsewhere."""
    inner, inner_many = reader.one, reader.many

    def one(x: Tree, e: Any, kids: Kids) -> Any:
        if nil(x, e):
            empty(x, e)
            return None
        if charge:
            x.charge(charge)
        try:
            return inner(x, e, kids)
        except Problem as problem:
            if taken_as_missing(x, problem, may_miss=True):
                return None
            raise

    def many(x: Tree, elements: Sequence[Any]) -> Sequence[Any] | None:
        if has_attributes(x, elements):
            return [one(x, e, NO_KIDS) for e in elements]
        found = inner_many(x, elements)
        if charge and found is not None:
            x.charge(charge * len(elements))
        return found

    return Reader(one, many, reader.height)


def item_charge(value: TextValue) -> tuple[int, int]:
    """The charges for a value of one text: ``own``, and ``each`` for its items."""
    return text_charge(value) if is_text(value) else (0, 0)


def charge_text(x: Tree, own: int, each: int, value: Any) -> None:
    """Charges for a present value of one text: ``own``, and ``each`` for its items."""
    if value is not None:
        x.charge(own + each * len(value) if each else own)


def charge_texts(x: Tree, own: int, each: int, values: Sequence[Any]) -> None:
    """The same for many."""
    if each:
        x.charge(sum([own + each * len(value) for value in values if value is not None]))
    elif own:
        x.charge(own * (len(values) - list(values).count(None)))
