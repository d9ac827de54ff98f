"""Standalone values as XML (XML-3): ``to_xml`` and ``from_xml`` of generated types."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable

from .._base import CreoError
from .._binary import FAILURES
from .._binary.schema import ACCELERATED, check_size
from .._text import (
    ANY_ATTRIBUTE,
    ATTRIBUTE,
    INLINE,
    TEXT,
    TextEnum,
    TextField,
    TextRecord,
    TextUnion,
    description,
    is_named,
)
from .._text.explain import TextWalk
from .._text.read import Problem
from .._text.write import Form, TextWriting
from .document import open_source
from .forms import leaf_form
from .leaf import NO_KIDS, Reader
from .qname import name_form
from .read import READERS
from .scan import read_document
from .scope import BASE
from .tree import Tree, error_of, expanded, too_nested
from .write import Dialect, dialect, root_form

if TYPE_CHECKING:
    from .._base import Limits
    from .._binary.schema import NamedType
    from .accelerator import FastXml

_WRITE = "xml-write"
_READ = "xml-read"
_FAST = "xml-fast"


def write_xml(type_: NamedType[Any], value: Any, limits: Limits) -> bytes:
    """A value as a standalone XML document in UTF-8."""
    form = description(type_)
    fast = xml_fast(form)
    if fast is not None:
        found = fast.encode_xml(value, limits)
        if found is not NotImplemented:
            written: bytes = found
            return written
    return write_in_python(form, value, limits)


def write_in_python(form: TextRecord | TextUnion | TextEnum, value: Any, limits: Limits) -> bytes:
    """As ``write_xml``, without the accelerator."""
    made: dict[object, Any] = form.compiled
    write = made.get(_WRITE)
    if write is None:
        write = made[_WRITE] = root_form(form)
    try:
        text: str = write(value, TextWriting(limits.max_depth))
        data = text.encode()
    except FAILURES as failure:
        problem = failure
    else:
        check_size(len(data), limits)
        return data
    field = TextField(form.local, form.namespace, form)
    raise explain_written(field, form.namespaces, value, limits, "$") from problem


def explain_written(
    field: TextField, namespaces: tuple[str, ...], value: Any, limits: Limits, place: str
) -> CreoError:
    """The error in a value that could not be written."""
    used = dialect(namespaces)
    walk = TextWalk(limits, lambda part, item: _attempt(used, part, item, limits))
    return walk.explain(field, value, place)


def _attempt(used: Dialect, field: TextField, value: Any, limits: Limits) -> None:
    """Writes a value without parts at its position."""
    w = TextWriting(limits.max_depth)
    if is_named(field.value):
        form: Form | None = name_form(used.prefixes, field.value)
    elif field.place in (ATTRIBUTE, TEXT, INLINE):
        form = leaf_form(field.value, attribute=field.place == ATTRIBUTE)
    elif field.place == ANY_ATTRIBUTE:
        form = used.any_attributes(set())
    else:
        form = used.field(field).form()
    if form is not None:
        form(value, w).encode()


def read_xml(type_: NamedType[Any], data: bytes, limits: Limits) -> Any:
    """Reads an XML document that consists of a value."""
    check_size(len(data), limits)
    form = description(type_)
    fast = xml_fast(form)
    if fast is not None:
        found = fast.decode_xml(data, limits)
        if found is not NotImplemented:
            return found
    return read_in_python(form, data, limits)


def xml_fast(form: TextRecord | TextUnion | TextEnum) -> FastXml | None:
    """The codec of a type in C, if there is one."""
    if not ACCELERATED:
        return None
    try:
        found: FastXml | None = form.compiled[_FAST]
    except KeyError:
        from .accelerator import xml_codec

        found = form.compiled[_FAST] = xml_codec(form)
    return found


def read_in_python(form: TextRecord | TextUnion | TextEnum, data: bytes, limits: Limits) -> Any:
    """As ``read_xml``, without the accelerator."""
    made: dict[object, Any] = form.compiled
    read: Reader | None = made.get(_READ)
    if read is None:
        read = made[_READ] = READERS.element(form)
    try:
        return read_document(open_source(data, limits), BASE, _alone(form, read))
    except Problem as problem:
        raise error_of(problem, "$") from None
    except RecursionError:
        raise too_nested(limits) from None


def _alone(form: TextRecord | TextUnion | TextEnum, reader: Reader) -> Callable[[Tree, Any], Any]:
    """Reads the element of a standalone value."""
    tag = expanded(form.namespace, form.local)

    def read(x: Tree, e: Any) -> Any:
        if e.tag != tag:
            wanted = f"{form.local} of {form.namespace!r}" if form.namespace else form.local
            message = f"the element {wanted} is expected, not {x.name(e)}"
            raise Problem(message, x.at(e))
        x.enter(reader.height)
        value = reader.one(x, e, NO_KIDS)
        x.finish()
        return value

    return read
