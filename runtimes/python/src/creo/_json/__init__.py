"""Standalone values as JSON: ``to_json`` and ``from_json`` of generated types."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .._base import CreoError, ErrorCode
from .._binary import FAILURES
from .._binary.schema import check_size
from .._text import TextEnum, TextField, TextRecord, TextUnion, TextValue, description
from .._text.explain import Attempt, TextWalk
from .._text.read import Problem
from .._text.write import Form, TextWriting
from .accelerator import FastJson, json_codec
from .leaf import Reader, parse
from .read import READERS
from .scan import JsonScanner
from .write import FORMS

if TYPE_CHECKING:
    from .._base import Limits
    from .._binary.schema import NamedType

_WRITE = "json-write"
_READ = "json-read"
_FAST = "json-fast"


def _fast(type_: NamedType[Any], made: dict[object, Any]) -> FastJson | None:
    """The codec of a type in C, if there is one."""
    try:
        found: FastJson | None = made[_FAST]
    except KeyError:
        found = made[_FAST] = json_codec(type_.fast, description(type_))
    return found


def write_json(type_: NamedType[Any], value: Any, limits: Limits) -> bytes:
    """A value as JSON, in UTF-8."""
    form = description(type_)
    fast = _fast(type_, form.compiled)
    if fast is not None:
        found = fast.encode_json(value, limits)
        if found is not NotImplemented:
            written: bytes = found
            return written
    return write_in_python(form, value, limits)


def write_in_python(form: TextRecord | TextUnion | TextEnum, value: Any, limits: Limits) -> bytes:
    """As ``write_json``, without the accelerator."""
    made: dict[object, Any] = form.compiled
    write: Form | None = made.get(_WRITE)
    if write is None:
        write = made[_WRITE] = FORMS.value(form).form()
    try:
        data = write(value, TextWriting(limits.max_depth)).encode()
    except FAILURES as failure:
        problem = failure
    else:
        check_size(len(data), limits)
        return data
    raise explain_json(TextField(form.local, "", form), value, limits, "$") from problem


def explain_json(field: TextField, value: Any, limits: Limits, place: str) -> CreoError:
    """The error in a value that could not be written."""
    return TextWalk(limits, attempt_json(limits)).explain(field, value, place)


def attempt_json(limits: Limits) -> Attempt:
    """Writes a value without parts; fails if that is impossible."""

    def attempt(part: TextField, item: Any) -> None:
        FORMS.value(part.value).form()(item, TextWriting(limits.max_depth)).encode()

    return attempt


def read_json(type_: NamedType[Any], data: bytes, limits: Limits) -> Any:
    """Reads a JSON document that consists of a value."""
    check_size(len(data), limits)
    form = description(type_)
    fast = _fast(type_, form.compiled)
    if fast is not None:
        found = fast.decode_json(data, limits)
        if found is not NotImplemented:
            return found
    return read_in_python(form, data, limits)


def read_in_python(form: TextRecord | TextUnion | TextEnum, data: bytes, limits: Limits) -> Any:
    """As ``read_json``, without the accelerator."""
    made: dict[object, Any] = form.compiled
    reader: Reader | None = made.get(_READ)
    if reader is None:
        reader = made[_READ] = READERS.value(form)
    return read_value(reader, form, data, limits, "$")


def read_value(reader: Reader, value: TextValue, data: bytes, limits: Limits, place: str) -> Any:
    """The value of a document; an error gets its path from this one."""
    try:
        if reader.height <= limits.max_xml_depth:
            found, r = parse(data, limits)
            r.nesting = reader.height
            r.charge(0)
            return reader.one(found, r)
    except FAILURES:
        pass
    scanner = JsonScanner(data, limits)
    try:
        return scanner.document(value)
    except Problem as problem:
        raise scanner.error(problem, place) from None
    except RecursionError:
        raise too_nested(limits, place) from None


def too_nested(limits: Limits, place: str) -> CreoError:
    """The error for nesting deeper than this program's stack."""
    details = {"limit": "maxXmlDepth", "allowed": str(limits.max_xml_depth)}
    message = "arrays and objects nest deeper than this program can follow"
    return CreoError(ErrorCode.TOO_LARGE, message, place=place, details=details)
