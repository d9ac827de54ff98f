"""Texts of elements and attributes as values, one at a time and many at once."""

from __future__ import annotations

import re
from typing import Any, Callable, Final
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
)
from .._text.lexical import WHITE
from .._text.read import Problem, holder
from .names import NCNAME, XOP_NAMESPACE
from .scan import Scanner, nil, plain
from .scope import Scope, Tag

#: Reads an element whose start tag was read.
Read = Callable[[Scanner, Tag], Any]
#: The value of a text.
Parse = Callable[[str], Any]

_WHITE: Final = re.compile("[ \t\r\n]+")
_XOP_INCLUDE: Final = (XOP_NAMESPACE, "Include")


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


def leaf_parser(value: TextValue) -> Parse | None:
    """The value of a text; None if it is not one text."""
    if isinstance(value, TextScalar):
        return _PARSERS[value.word]
    if isinstance(value, TextEnum):
        return _enum_parser(value)
    if isinstance(value, TextList):
        return _list_parser(value.value)
    return None


def plain_parser(value: TextValue) -> Parse | None:
    """As ``leaf_parser``, but None for what is not explained by its text alone."""
    return None if is_named(value) else leaf_parser(value)


def named(x: Scanner, scope: Scope, text: str, p: int, value: TextValue) -> Any:
    """The value of a text with qualified names (XML-48) in an element of this scope."""
    if isinstance(value, TextList):
        parts = [part for part in _WHITE.split(text) if part]
        return holder(value.value)([_name(x, scope, part, p) for part in parts])
    return _name(x, scope, text.strip(WHITE), p)


def _name(x: Scanner, scope: Scope, text: str, p: int) -> str:
    prefix, colon, local = text.rpartition(":")
    if NCNAME.fullmatch(local) is None or (colon and not prefix):
        raise Problem(f"{shown(text)!r} is no qualified name", p)
    uri = scope.uri(prefix)
    if uri is None and colon:
        raise Problem(f"the prefix of {shown(text)!r} is not bound", p)
    if not uri:
        return local
    x.add_declared(uri, p)
    return f"{{{uri}}}{local}"


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


def parsed(parse: Parse, text: str, p: int, what: TextValue) -> Any:
    """The value of a text at ``p``."""
    try:
        return parse(text)
    except FAILURES as failure:
        message = str(failure) if isinstance(failure, Bad) else ""
        raise Problem(message or f"{shown(text)!r} is no {_word(what)}", p) from None


def _word(value: TextValue) -> str:
    if isinstance(value, TextScalar):
        return {"byte[]": "base64", "hex": "hexBinary"}.get(value.word, value.word)
    return value.local if isinstance(value, TextEnum) else "list"


def bare(value: TextValue) -> TextValue:
    return value.value if isinstance(value, TextOptional) else value


def is_text(value: TextValue) -> bool:
    """Whether a value, if it is there, is one text; then what holds it charges it."""
    return isinstance(bare(value), (TextScalar, TextEnum, TextList, TextRaw))


def charge_text(x: Scanner, own: int, each: int, value: Any) -> None:
    """Charges for a value of one text, if it is there: ``own``, and ``each`` for its items."""
    if value is not None:
        x.charge(own + each * len(value) if each else own)


# Elements


def leaf(parse: Parse, value: TextValue) -> Read:
    is_binary = isinstance(value, TextScalar) and value.word == "byte[]"

    def read(x: Scanner, tag: Tag) -> Any:
        if tag.attributes:
            plain(tag)
        if is_binary and x.parts is not None and not tag.empty:
            found = included(x, tag)
            if found is not None:
                return found
        p = x.p
        return parsed(parse, x.text(tag), p, value)

    return read


def named_leaf(value: TextValue) -> Read:
    def read(x: Scanner, tag: Tag) -> Any:
        if tag.attributes:
            plain(tag)
        scope, p = x.scope, x.p
        return named(x, scope, x.text(tag), p, value)

    return read


def included(x: Scanner, tag: Tag) -> bytes | None:
    """The part that stands for a ``byte[]`` (SOAP-20); None if its text stands here."""
    at = x.s.find("<", x.p)
    if at < 0 or x.s.startswith("</", at) or x.s[x.p : at].strip(WHITE):
        return None
    include = x.next()
    if include is None:
        return None
    if include.key != _XOP_INCLUDE:
        raise Problem(f"an element stands within the text of {tag.raw}", include.p)
    href = dict(include.attributes).get(("", "href"), "")
    if not href.startswith("cid:") or x.parts is None:
        raise Problem(f"{shown(href)!r} names no part of this message", include.p)
    name = unquote(href[4:])
    data = x.parts.get(name)
    if data is None or name in x.used:
        what = "twice" if data is not None else "that is not there"
        raise Problem(f"a part {what}: {shown(name)!r}", include.p)
    x.used.add(name)
    if include.empty or x.next() is None:
        x.end(include)
        x.end(tag)
        return data
    raise Problem("xop:Include is empty", include.p)


def optional_reader(read: Read, charge: int, *, may_be_nil: bool = True) -> Read:
    """``charge`` is that of a value that is there, if nothing else charges it."""

    def optional(x: Scanner, tag: Tag) -> Any:
        if may_be_nil and tag.attributes and nil(tag):
            return _nothing(x, tag)
        if charge:
            x.charge(charge)
        return read(x, tag)

    return optional


def _nothing(x: Scanner, tag: Tag) -> None:
    p = x.p
    if x.text(tag).strip(WHITE):
        raise Problem("an element that is nothing is empty", p)


def read_raw(x: Scanner, tag: Tag) -> str:
    return x.raw(tag)


def raw_items(is_any: bool, charge: int) -> Read:
    def items(x: Scanner, tag: Tag) -> Any:
        found: list[str] = []
        while True:
            x.charge(charge)
            found.append(x.raw(tag))
            following = x.next()
            if following is None or is_any or following.key != tag.key:
                x.pending = following
                return tuple(found)
            tag = following

    return items


def add_item(found: list[Any], before: int, read: Read, x: Scanner, tag: Tag) -> None:
    """Reads an item; ``before`` are those that are held elsewhere."""
    try:
        found.append(read(x, tag))
    except Problem as problem:
        problem.path.append(f"[{before + len(found)}]")
        raise


def parse_run(
    found: list[Any], before: int, parse: Parse, texts: list[str], tag: Tag, value: TextValue
) -> None:
    """The values of the texts that ``plain_run`` gives."""
    for text in texts:
        try:
            found.append(parsed(parse, text, tag.p, value))
        except Problem as problem:
            problem.path.append(f"[{before + len(found)}]")
            raise


def plain_run(x: Scanner, tag: Tag) -> list[str]:
    """The texts of elements that stand one behind the other, all as plain as the first.

    It looks at the text in pieces that grow, so that its time is that of the run. Of one element,
    or where the first is not plain, nothing is read.
    """
    s, p = x.s, x.p
    close = f"</{tag.raw}>"
    end = s.find(close, p)
    if end < 0:
        return []
    after = end + len(close)
    following = s.find("<", after, after + 256)
    opening = f"<{tag.raw}>"
    if following < 0 or not s.startswith(opening, following) or s[after:following].strip(WHITE):
        return []
    between = s[end:following] + opening
    size = max(256, 4 * (following - p))
    texts: list[str] = []
    while True:
        stop = p + size
        pieces = s[p:stop].split(between)
        last = pieces.pop()
        joined = "".join(pieces)
        if "<" in joined or "&" in joined:
            # The run ends within: what stands before that is whole.
            for index, piece in enumerate(pieces):
                if "<" in piece or "&" in piece:
                    last = piece
                    del pieces[index:]
                    break
        if pieces:
            texts += pieces
            p += sum(map(len, pieces)) + len(pieces) * len(between)
        closing = last.find(close)
        if closing >= 0 and not (between.startswith(last[closing:]) and stop < len(s)):
            text = last[:closing]
            if "<" in text or "&" in text:
                break
            texts.append(text)
            x.p = p + closing + len(close)
            x.depth -= 1
            x.scope = tag.outer
            return texts
        if stop >= len(s) or "<" in last[: -len(between)] or "&" in last:
            break
        size *= 2
    # The element at ``p`` is not plain, or is cut: it is read tag by tag.
    if not texts:
        return []
    x.p = p - len(opening)
    x.depth -= 1
    x.scope = tag.outer
    return texts
