"""Qualified names as texts (XML-48), written with prefixes that are bound at their position."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .._binary import Bad
from .._text import ATTRIBUTE, TEXT, TextList, TextOptional, TextRecord, TextValue, is_named
from .._text.write import Form, TextWriting
from .forms import escape_attribute
from .names import NCNAME, XML_NAMESPACE, XMLNS_NAMESPACE


def has_names(record: TextRecord) -> bool:
    """Whether attributes or the text of a struct are qualified names."""
    return any(f.place in (ATTRIBUTE, TEXT) and is_named(f.value) for f in record.fields)


def begin_names(w: TextWriting) -> None:
    """Begins an element whose attributes or text may be qualified names."""
    w.own, w.missing = {}, ""


def take_missing(w: TextWriting) -> str:
    """The declarations still to be written."""
    missing, w.missing = w.missing, ""
    return missing


def split_name(name: str) -> tuple[str, str]:
    """Namespace and local name."""
    uri, local = "", name
    if name.startswith("{"):
        uri, closed, local = name[1:].partition("}")
        if not closed or not uri:
            raise Bad(f"{name!r:.100} is no qualified name")
    if NCNAME.fullmatch(local) is None or uri == XMLNS_NAMESPACE:
        raise Bad(f"{name!r:.100} is no qualified name: {{uri}}local, or local")
    return uri, local


def name_form(prefixes: Mapping[str, str], value: TextValue) -> Form:
    """Writes a qualified name or a list of them; notes missing declarations."""

    def write(v: Any, w: TextWriting) -> str:
        uri, local = split_name(v)
        if not uri:
            return local
        if uri == XML_NAMESPACE:
            return f"xml:{local}"
        prefix = prefixes.get(uri) or w.own.get(uri)
        if prefix is None:
            prefix = w.own[uri] = f"q{len(w.own) + 1}:"
            w.missing += f' xmlns:{prefix[:-1]}="{escape_attribute(uri)}"'
        return prefix + local

    if isinstance(value, TextList):
        return lambda values, w: " ".join([write(v, w) for v in values])
    return write


def name_element(prefixes: Mapping[str, str], head: str, tail: str, value: TextValue) -> Form:
    """An element with qualified names; ``head`` is its start tag without the end."""
    form = name_form(prefixes, value)

    def write(v: Any, w: TextWriting) -> str:
        begin_names(w)
        text = form(v, w)
        return f"{head}{take_missing(w)}>{text}{tail}"

    return write


def name_attribute(prefixes: Mapping[str, str], name: str, value: TextValue) -> Form:
    """An attribute with qualified names, and the required declarations."""
    optional = isinstance(value, TextOptional)
    form = name_form(prefixes, value.value if isinstance(value, TextOptional) else value)

    def write(v: Any, w: TextWriting) -> str:
        if v is None and optional:
            return ""
        return f' {name}="{form(v, w)}"{take_missing(w)}'

    return write
