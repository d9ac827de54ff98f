"""Standalone values as tables: ``to_tdxml`` and ``from_tdxml`` of generated types."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .._base import CreoError, ErrorCode, shown
from .._binary import FAILURES
from .._binary.schema import check_size
from .._text import TextField, TextMessage, TextValue, description
from .._text.explain import Attempt, TextWalk
from .._text.read import Parts, Problem
from .._text.write import MIN_PART, TextWriting
from .._xml import xml_fast
from .._xml.document import open_source
from .._xml.scan import read_document as read_xml
from .._xml.tree import Tree, error_of
from .columns import Read
from .places import place_of
from .read import READERS, read_table
from .rows import TABLES_SCOPE, Document, Stray, Table, read_document
from .schema import Schema
from .shape import NAMESPACE, TABLES
from .write import FORMS, Rows

if TYPE_CHECKING:
    from .._base import Limits
    from .._binary.schema import NamedType
    from .._xml.accelerator import FastXml

_WRITE = "tdxml-write"
_READ = "tdxml-read"
_SCHEMA = "tdxml-schema"
_SCHEMES = {table: scheme for scheme, table in TABLES.items()}


def check_scheme(scheme: str) -> str:
    """Fails unless there is a scheme with this name."""
    if scheme not in TABLES:
        raise ValueError(f"the schemes are 'record' and 'aggregated', not {scheme!r:.40}")
    return scheme


def envelope(rows: list[str], scheme: str, of: str | None, schema: Schema | None) -> bytes:
    """The document of a value's rows (TDX-2)."""
    return document_of(rows, TABLES[scheme], of, schema)


def document_of(rows: list[str], table: str, of: str | None, schema: Schema | None = None) -> bytes:
    """The document of a table with this name."""
    head, tail = around(table, of, schema)
    return "\n".join([head, *rows, tail]).encode()


def around(table: str, of: str | None, schema: Schema | None) -> tuple[str, str]:
    """The lines before and after the rows of a table with this name."""
    what = "" if of is None else f' of="{of}"'
    said = "" if schema is None else f"<DS>{schema.text}</DS>"
    return f'<Env xmlns="{NAMESPACE}"{what}>{said}<{table}>', f"</{table}></Env>"


def write_in_c(
    fast: FastXml,
    value: Any,
    limits: Limits,
    scheme: str,
    of: str | None,
    schema: Schema | None,
    parts: list[bytes] | None,
) -> Any:
    """The document of a value or of arguments; ``NotImplemented`` if Python must write it."""
    head, tail = around(TABLES[scheme], of, schema)
    part_from = -1 if parts is None else MIN_PART
    return fast.encode_table(value, scheme == "record", limits, part_from, head, tail)


def write_tdxml(
    type_: NamedType[Any], value: Any, limits: Limits, scheme: str, schema: bool
) -> bytes:
    """A value as a table, in UTF-8."""
    check_scheme(scheme)
    form = description(type_)
    fast = xml_fast(form)
    if fast is not None:
        said = schema_of(form, type_.name) if schema else None
        found = write_in_c(fast, value, limits, scheme, type_.name, said, None)
        if found is not NotImplemented:
            written: bytes = found
            return written
    return write_in_python(type_, value, limits, scheme, schema)


def write_in_python(
    type_: NamedType[Any], value: Any, limits: Limits, scheme: str, schema: bool
) -> bytes:
    """As ``write_tdxml``, without the accelerator."""
    form = description(type_)
    made: dict[object, Any] = form.compiled
    write: Rows | None = made.get((_WRITE, scheme))
    if write is None:
        write = made[_WRITE, scheme] = FORMS[scheme].element(form)
    rows: list[str] = []
    try:
        write(value, "[0]", rows, TextWriting(limits.max_depth))
        said = schema_of(form, type_.name) if schema else None
        data = envelope(rows, scheme, type_.name, said)
    except FAILURES as failure:
        problem = failure
    else:
        check_size(len(data), limits)
        return data
    raise explain_rows(TextField(form.local, "", form), value, limits, "$") from problem


def schema_of(form: Any, name: str) -> Schema:
    """The data schema of a type."""
    found: Schema | None = form.compiled.get(_SCHEMA)
    if found is None:
        found = form.compiled[_SCHEMA] = Schema(form, name.rpartition(".")[2])
    return found


def explain_rows(field: TextField, value: Any, limits: Limits, place: str) -> CreoError:
    """The error in a value that could not be written."""
    return TextWalk(limits, attempt_rows(limits)).explain(field, value, place)


def attempt_rows(limits: Limits) -> Attempt:
    """Writes a value without parts; fails if that is impossible."""

    def attempt(part: TextField, item: Any) -> None:
        rows: list[str] = []
        FORMS["aggregated"].element(part.value)(item, "", rows, TextWriting(limits.max_depth))
        "\n".join(rows).encode()

    return attempt


def read_tdxml(type_: NamedType[Any], data: bytes, limits: Limits) -> Any:
    """Reads a table that consists of a value."""
    document = read_alone(data, limits)
    form = description(type_)
    check_of(document, (type_.name,), "$")
    if document.schema is not None:
        schema_of(form, type_.name).compare(document.schema, "$")
    fast = xml_fast(form) if document.kind in _SCHEMES else None
    if fast is not None:
        found = in_c(fast, document, limits)
        if found is not NotImplemented:
            return found
    return read_in_python(form, document, limits)


def in_c(fast: FastXml, document: Document, limits: Limits) -> Any:
    """What the rows of a table say, read in C; ``NotImplemented`` if Python must read them."""
    return fast.decode_table(document.text, document.kind == "RT", document.memory, limits)


def read_in_python(form: Any, document: Document, limits: Limits) -> Any:
    """The value in a table, without the accelerator."""
    scheme = scheme_of(document, "$")
    made: dict[object, Any] = form.compiled
    read: Read | None = made.get((_READ, scheme))
    if read is None:
        read = made[_READ, scheme] = READERS[scheme].element(form)
    return read_rows(document, read, form, limits, "$")


_HEAD = f'<Env xmlns="{NAMESPACE}"'
_CONTROLS = bytes(n for n in range(32) if n not in (9, 10))


def as_written(data: bytes, limits: Limits, size: int) -> Document | None:
    """The document of a body exactly as writers write it (TDX-2); None for another form.

    ``size`` is that of the whole body.
    """
    if limits.max_xml_text is not None or limits.max_xml_name < len(_HEAD) or size > limits.memory:
        return None
    if min(limits.max_xml_attributes, limits.max_xml_namespaces, limits.max_xml_depth) < 4:
        return None
    if len(data.translate(None, _CONTROLS)) != len(data):
        return None
    text = data.decode()
    end = text.find(">")
    given = text[len(_HEAD) : end]
    of = given[5:-1] if given else None
    if not text.startswith(_HEAD) or (of is not None and given != f' of="{of}"'):
        return None
    kind, schema, start = text[end + 2 : end + 4], None, end + 5
    if text[end + 1 : start] != f"<{kind}>":
        return None
    if kind == "DS":
        end = text.find("<", start)
        schema, kind, start = text[start:end], text[end + 6 : end + 8], end + 9
    last = f"</{kind}></Env>"
    if kind not in ("CT", "RT", "UT") or not text.endswith(last) or start > len(text) - len(last):
        return None
    if schema is not None and (text[end : end + 9] != f"</DS><{kind}>" or "&" in schema):
        return None
    table = text[start : -len(last)]
    if "<" in table or "&" in table or "\ufffe" in text or "\uffff" in text:
        return None
    if "]]>" in (schema or "") or (">" in table and "]]>" in table):
        return None
    if of is not None and not of.replace(".", "_").isidentifier():
        return None
    return Document(of, schema, kind, table, limits.memory - size)


def read_alone(
    data: bytes,
    limits: Limits,
    charset: str | None = None,
    root: str = "$",
    size: int | None = None,
) -> Document:
    """Parses a body as a document; ``root`` is the path of its value.

    ``size`` is that of the multipart that contains it, if there is one.
    """
    check_size(len(data), limits)
    if charset is None:
        try:
            written = as_written(data, limits, len(data) if size is None else size)
        except UnicodeDecodeError:
            written = None
        if written is not None:
            return written

    def read(x: Tree, e: Any) -> Document:
        document = read_document(x, e)
        x.finish()
        return document

    try:
        return read_xml(open_source(data, limits, charset, size), TABLES_SCOPE, read)
    except Problem as problem:
        raise error_of(problem, root) from None


def check_of(document: Document, names: tuple[str, ...], place: str) -> None:
    """Fails if a document names other content (TDX-3)."""
    if document.of is not None and document.of not in names:
        message = f"a table of {names[0]} is expected, not of {shown(document.of)}"
        raise CreoError(ErrorCode.MALFORMED, message, place=place)


def scheme_of(document: Document, place: str) -> str:
    """The scheme of a document's table."""
    scheme = _SCHEMES.get(document.kind)
    if scheme is None:
        message = "a table of a value is expected, not an update"
        raise CreoError(ErrorCode.MALFORMED, message, place=place)
    return scheme


def read_rows(
    document: Document,
    read: Read,
    root: TextValue | TextMessage,
    limits: Limits,
    place: str,
    parts: Parts | None = None,
) -> Any:
    """The value of a document's rows; an error gets its path from this one."""
    table = Table(document.text, limits, parts, memory=document.memory)
    return read_from(table, read, root, place)


def read_from(table: Table, read: Read, root: TextValue | TextMessage, place: str) -> Any:
    """The value of a table."""
    try:
        return read_table(table, read)
    except Problem as problem:
        raise error_in(table, problem, root, place) from None
    except RecursionError:
        allowed = table.limits.max_xml_depth
        details = {"limit": "maxXmlDepth", "allowed": str(allowed)}
        message = "rows nest deeper than this program can follow"
        raise CreoError(ErrorCode.TOO_LARGE, message, place=place, details=details) from None


def error_in(
    table: Table, problem: Problem, root: TextValue | TextMessage, place: str
) -> CreoError:
    """The error for a problem with a row (TDX-15)."""
    message = table.explained(problem)
    if isinstance(problem, Stray):
        where = place_of(root, table.heads[problem.p], "")
    else:
        where = "".join(reversed(problem.path))
    if place == "$result":
        where = where.removeprefix(".result")
    return CreoError(problem.code, message, place=place + where, details=problem.details)
