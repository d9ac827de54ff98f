"""Whether the accelerator does what generated code does."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from decimal import Decimal
from types import MappingProxyType
from typing import Any, Callable

from creo import Array, CreoError, Limits
from creo._base import DEFAULT_LIMITS
from creo._binary import FAILURES
from creo._binary.accelerator import codec_of
from creo._binary.schema import Field, NamedType, Parameters, StructType, Type, UnionType, decode, encode
from creo._binary.values import DeclaredError
from creo._call import Method
from creo._json import read_in_python, write_in_python
from creo._json.accelerator import json_codec
from creo._json.calls import JsonOperation
from creo._soap import SoapBinding, Writer
from creo._tdxml import in_c, read_alone, schema_of, write_in_c
from creo._tdxml import read_in_python as read_table_in_python
from creo._tdxml import write_in_python as write_table_in_python
from creo._tdxml.calls import TableMethod
from creo._tdxml.shape import NAMESPACE
from creo._tdxml.write import FORMS
from creo._text import TextMethod, description
from creo._text.write import MIN_PART, TextWriting
from creo._xml import read_in_python as read_xml_in_python
from creo._xml import write_in_python as write_xml_in_python
from creo._xml import xml_fast
from creo.columns import StructArray
from drawn import Index


def packed(array: StructArray[Any]) -> tuple[type, bytes] | tuple[str, Any]:
    """The type and the bytes of an array's items, or why there are none: large parts of a body are shared, small ones are copied."""
    try:
        part = array.packed()
    except CreoError as error:
        return str(error), tuple(array)
    return type(part), bytes(part)


def same(a: Any, b: Any) -> bool:
    """Whether two values are the same in all that can be seen of them: types, bits, order."""
    if type(a) is not type(b):
        return False
    if isinstance(a, float):
        return a.hex() == b.hex()
    if isinstance(a, Decimal):
        return a.as_tuple() == b.as_tuple()
    if isinstance(a, Array):
        return a.typecode == b.typecode and a.tobytes() == b.tobytes() and a.view.readonly
    if isinstance(a, StructArray):
        return same(packed(a), packed(b)) and a.item_type is b.item_type
    if isinstance(a, tuple):
        return len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, MappingProxyType):
        return same(tuple(a), tuple(b)) and same(tuple(a.values()), tuple(b.values()))
    names = getattr(type(a), "__match_args__", ())
    if names:
        return all(same(getattr(a, name), getattr(b, name)) for name in names)
    # Objects without a value.
    return bool(a == b) or type(a) is object or isinstance(a, (Index, Iterator))


def made_classes(types: list[NamedType[Any]]) -> list[tuple[Any, list[Type]]]:
    """The classes whose objects C may make, with the types of their fields."""
    found: list[tuple[Any, list[Type]]] = []
    for type_ in types:
        if isinstance(type_, StructType) and not issubclass(type_.cls, DeclaredError):
            found.append((type_.cls, [f.type for f in type_.fields]))
        elif isinstance(type_, UnionType):
            found += [(cls, [member.type]) for cls, member in zip(type_.classes, type_.members)]
    # One without fields has no function.
    return [(cls, fields) for cls, fields in found if fields]


def check_made(cls: Any, arguments: Callable[[], tuple[list[Any], dict[str, Any]]]) -> str:
    """Makes an object in C and by the generated function, which must be the same, or fail alike. Returns how: an ``error``, ``left`` to Python, or
    ``made`` in C."""
    function = cls.__init__
    outcomes: list[Any] = []
    called: list[Any] = []

    def by_function(*positional: Any, **named: Any) -> Any:
        made = object.__new__(cls)
        function(made, *positional, **named)
        return made

    for make in (cls, by_function):
        positional, named = arguments()
        sys.setprofile((lambda frame, *_: called.append(frame.f_code)) if make is cls else None)
        try:
            made = make(*positional, **named)
        except Exception as failure:
            sys.setprofile(None)
            outcomes.append((type(failure), str(failure)))
        else:
            sys.setprofile(None)
            outcomes.append(made)
    in_c, in_python = outcomes
    if isinstance(in_python, tuple):
        assert in_c == in_python, f"{cls.__name__}: {in_c}, not {in_python}"
        return "error"
    assert same(in_c, in_python), f"{cls.__name__}: {in_c!r}, not {in_python!r}"
    return "left" if function.__code__ in called else "made"


def json_of(type_: NamedType[Any]) -> Any:
    """The codec in C of a type in JSON."""
    return json_codec(codec_of(type_), description(type_))


def read_alike(type_: NamedType[Any], document: bytes, found: Any, read: Callable[[], Any]) -> str:
    """Holds what C has found in a document against what Python reads."""
    try:
        value = read()
    except CreoError:
        assert found is NotImplemented, f"{type_.name} reads what is malformed: {document!r}"
        return "error"
    if found is NotImplemented:
        return "unusual"
    assert same(found, value), f"{type_.name} reads {document!r} as {found!r}, not {value!r}"
    return "value"


def check_document(type_: NamedType[Any], document: bytes, limits: Limits = DEFAULT_LIMITS) -> str:
    """As ``check_body``, of JSON."""
    found = json_of(type_).decode_json(document, limits)
    return read_alike(type_, document, found, lambda: read_in_python(description(type_), document, limits))


def check_xml(type_: NamedType[Any], document: bytes, limits: Limits = DEFAULT_LIMITS) -> str:
    """As ``check_body``, of XML."""
    form = description(type_)
    fast = xml_fast(form)
    found = NotImplemented if fast is None else fast.decode_xml(document, limits)
    return read_alike(type_, document, found, lambda: read_xml_in_python(form, document, limits))


def table_of(type_: NamedType[Any], value: Any, scheme: str) -> bytes | None:
    """The rows of a value; None if it has none."""
    try:
        document = write_table_in_python(type_, value, DEFAULT_LIMITS, scheme, False)
    except CreoError:
        return None
    return document[document.index(b"\n") + 1 : document.rindex(b"</", 0, -len("</Env>"))]


def around(rows: bytes, scheme: str) -> bytes:
    """The document with these rows."""
    table = b"RT" if scheme == "record" else b"CT"
    return b'<Env xmlns="%b"><%b>\n%b</%b></Env>' % (NAMESPACE.encode(), table, rows, table)


def check_table(type_: NamedType[Any], document: bytes, limits: Limits = DEFAULT_LIMITS) -> str:
    """As ``check_body``, of a table; ``none`` is no document of one."""
    form = description(type_)
    fast = xml_fast(form)
    try:
        table = read_alone(document, limits)
    except CreoError:
        return "none"
    found = NotImplemented if fast is None or table.kind == "UT" else in_c(fast, table, limits)
    return read_alike(type_, document, found, lambda: read_table_in_python(form, table, limits))


def table_results(method: Method[Any, Any]) -> TableMethod:
    """What reads the results of a method on the tdxml wire."""
    return TableMethod(method.name, method.full_name, soap_operation(method)._text)


def table_response(method: Method[Any, Any], result: tuple[Any, ...], scheme: str) -> bytes | None:
    """The rows of a response with this result; None if it has none."""
    rows: list[str] = []
    try:
        FORMS[scheme].arguments(soap_operation(method)._text.response)(result, "[0]", rows, TextWriting(100))
        return "".join([row + "\n" for row in rows]).encode()
    except FAILURES:
        return None


def check_table_result(results: TableMethod, document: bytes, limits: Limits = DEFAULT_LIMITS) -> str:
    """As ``check_table``, of a response."""
    fast = results._reader
    assert fast is not None
    try:
        table = read_alone(document, limits)
    except CreoError:
        return "none"
    found = in_c(fast, table, limits)
    results._reader = None
    try:
        value = results.result(table, limits)
    except CreoError:
        assert found is NotImplemented, f"the result is {found!r} in what is malformed: {document!r}"
        return "error"
    finally:
        results._reader = fast
    if found is NotImplemented:
        return "unusual"
    assert same(found, value), f"{document!r} is read as {found!r}, not {value!r}"
    return "value"


KIND = "text/xml; charset=utf-8"


def soap_operation(method: Method[Any, Any]) -> Any:
    return SoapBinding("1.1", mtom=False, tables=None, schema=False).operation(method)


def soap_response(operation: Any, result: tuple[Any, ...]) -> bytes | None:
    """A response with this result; None if it has none."""
    try:
        return Writer(operation._text.response, "1.1", False).write_in_python(result, DEFAULT_LIMITS, None, "")
    except CreoError:
        return None


def check_soap(operation: Any, body: bytes, limits: Limits = DEFAULT_LIMITS) -> str:
    """As ``check_body``, of a response."""
    found = operation._fast.decode_soap(body, limits)
    try:
        value = operation._read(body, "utf-8", None, len(body), limits, "")
    except Exception:
        # Whatever a fault says, too.
        assert found is NotImplemented, f"the result is {found!r} in what is malformed: {body!r}"
        return "error"
    if found is NotImplemented:
        return "unusual"
    assert same(found, value), f"{body!r} is read as {found!r}, not {value!r}"
    return "value"


def xml_of(type_: NamedType[Any], value: Any) -> bytes | None:
    """The document of a value; None if it has none."""
    try:
        return write_xml_in_python(description(type_), value, DEFAULT_LIMITS)
    except CreoError:
        return None


def written_alike(what: object, found: Any, write: Callable[[], bytes]) -> str:
    """Holds what C wrote against what Python writes. Returns how it went: an ``error``, ``left`` to Python, or ``written`` in C."""
    try:
        document = write()
    except Exception as failure:
        # Odd objects may raise what they like.
        assert found is NotImplemented, f"{what} writes what cannot be written ({failure}): {found!r}"
        return "error"
    assert found is NotImplemented or found == document, f"{what} writes {found!r}, not {document!r}"
    return "left" if found is NotImplemented else "written"


def check_xml_value(type_: NamedType[Any], value: Any, limits: Limits = DEFAULT_LIMITS) -> str:
    """Writes a value as XML in both ways."""
    form = description(type_)
    fast = xml_fast(form)
    found = NotImplemented if fast is None else fast.encode_xml(value, limits)
    return written_alike((type_.name, value), found, lambda: write_xml_in_python(form, value, limits))


def check_table_value(type_: NamedType[Any], value: Any, scheme: str, limits: Limits = DEFAULT_LIMITS, schema: bool = False) -> str:
    """As ``check_xml_value``, of a table."""
    form = description(type_)
    fast = xml_fast(form)
    said = schema_of(form, type_.name) if schema else None
    found = NotImplemented if fast is None else write_in_c(fast, value, limits, scheme, type_.name, said, None)
    return written_alike((type_.name, value), found, lambda: write_table_in_python(type_, value, limits, scheme, schema))


def table_messages(method: Method[Any, Any]) -> list[tuple[TableMethod, Parameters]]:
    """What writes the requests of a method as tables, and its responses, which only services write, each with the types of their values."""
    text = method.interface.texts()[method.name]
    parameters = method._parameters()
    assert isinstance(parameters, Parameters)
    found = [(TableMethod(method.name, method.full_name, text), parameters)]
    if text.response is not None:
        result = Parameters() if method._result is None else Parameters(Field("result", "result", method._result()[1]))
        found.append((TableMethod(method.name, method.full_name, TextMethod("", text.response, None)), result))
    return found


def check_table_arguments(
    tables: TableMethod, arguments: tuple[Any, ...], scheme: str, limits: Limits = DEFAULT_LIMITS, schema: bool = False, parts: list[bytes] | None = None
) -> str:
    """As ``check_soap_arguments``, of a table."""
    name = "name" if schema else None
    said = tables._schema(tables._request) if schema else None
    found = NotImplemented if tables._writer is None else write_in_c(tables._writer, arguments, limits, scheme, name, said, parts)
    how = written_alike(arguments, found, lambda: tables.request_in_python(arguments, limits, scheme, schema, name, parts))
    assert how != "written" or not parts, "C writes no parts"
    return how


def check_soap_arguments(
    writer: Writer, arguments: tuple[Any, ...], limits: Limits = DEFAULT_LIMITS, blocks: str = "", parts: list[bytes] | None = None
) -> str:
    """As ``check_xml_value``, of a request; ``parts`` gets those of a multipart."""
    found = NotImplemented if writer.fast is None else writer.fast.encode_soap(arguments, limits, blocks, -1 if parts is None else MIN_PART)
    how = written_alike(arguments, found, lambda: writer.write_in_python(arguments, limits, parts, blocks))
    assert how != "written" or not parts, "C writes no parts"
    return how


def check_json(type_: NamedType[Any], value: Any, limits: Limits = DEFAULT_LIMITS) -> bytes | None:
    """As ``check_value``, of JSON."""
    found = json_of(type_).encode_json(value, limits)
    try:
        document = write_in_python(description(type_), value, limits)
    except CreoError:
        assert found is NotImplemented, f"{type_.name} writes what cannot be written: {value!r}"
        return None
    except Exception as failure:
        # Odd objects may raise what they like.
        assert found is NotImplemented, (type_.name, failure)
        return None
    assert found is NotImplemented or found == document, f"{type_.name} writes {value!r} as {found!r}, not {document!r}"
    return document


def check_json_arguments(method: Method[Any, Any], arguments: tuple[Any, ...], limits: Limits = DEFAULT_LIMITS) -> bool:
    """As ``check_arguments``, of JSON."""
    operation: JsonOperation[Any] = JsonOperation(method)
    assert operation.fast_arguments is not None
    found = operation.fast_arguments.encode_json(arguments, limits)
    try:
        document = operation.write_in_python(arguments, limits)
    except CreoError:
        assert found is NotImplemented, f"{method.full_name} takes what cannot be written: {arguments!r}"
        return False
    assert found is NotImplemented or found == document, f"{method.full_name}: {found!r}, not {document!r}"
    return found is not NotImplemented


def surrogates(body: bytes) -> bool:
    """Whether an array of chars may hold half a pair: these are left to generated code."""
    return any(0xD8 <= byte <= 0xDF for byte in body)


def check_body(type_: NamedType[Any], body: bytes, limits: Limits = DEFAULT_LIMITS) -> str:
    """Reads bytes in both ways; says how it went: ``value``, ``error``, or ``unusual`` for a value that was left."""
    found = codec_of(type_).decode(body, limits)
    try:
        value = decode(type_.read, type_, body, limits, "$")
    except CreoError:
        assert found is NotImplemented, f"{type_.name} reads what is malformed: {body.hex()}"
        return "error"
    if found is NotImplemented:
        return "unusual"
    assert same(found, value), f"{type_.name} reads {body.hex()} as {found!r}, not {value!r}"
    return "value"


def check_value(type_: NamedType[Any], value: Any, limits: Limits = DEFAULT_LIMITS) -> bytes | None:
    """Writes a value in both ways; the bytes, or None if it cannot be written."""
    found = codec_of(type_).encode(value, limits)
    try:
        body = b"".join(encode(type_.write, lambda: type_, value, limits))
    except CreoError:
        assert found is NotImplemented, f"{type_.name} writes what cannot be written: {value!r}"
        return None
    except Exception as failure:
        # Generated code lets some odd objects through to what they raise.
        assert found is NotImplemented, (type_.name, failure)
        return None
    assert found is NotImplemented or found == body, f"{type_.name} writes {value!r} as {found.hex()}, not {body.hex()}"
    return body


def check_arguments(method: Method[Any, Any], arguments: tuple[Any, ...], limits: Limits = DEFAULT_LIMITS) -> bool:
    """Writes arguments in both ways; whether C wrote them."""
    parameters: Type = method._parameters()
    assert isinstance(parameters, Parameters)
    found = codec_of(parameters).encode(arguments, limits)
    try:
        body = b"".join(encode(method.write, lambda: parameters, arguments, limits))
    except CreoError:
        assert found is NotImplemented, f"{method.full_name} takes what cannot be written: {arguments!r}"
        return False
    assert found is NotImplemented or found == body, f"{method.full_name}: {arguments!r}"
    return found is not NotImplemented
