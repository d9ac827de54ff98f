"""No reference is lost or leaked: after reading or writing anything, valid or not, memory is as before."""

from __future__ import annotations

import contextlib
import gc
import sys
import weakref
from typing import Any, Callable

import pytest

from conftest import Packages
from creo import DateTime, Limits
from creo._binary.accelerator import codec_of
from creo._soap import Writer
from creo._text import description
from creo._xml import xml_fast
from creo._xml.accelerator import request_codec
from drawn import Draw
from equality import check_value, json_of, made_classes, soap_operation, soap_response, table_messages, table_of, xml_of

LIMITS = Limits()


def _bodies(packages: Packages) -> list[tuple[Any, Any, bytes]]:
    draw = Draw(7)
    found = []
    for type_ in packages.types:
        value = draw.value(type_)
        body = check_value(type_, value)
        if body is not None:
            found.append((codec_of(type_), value, body))
    return found


def _growth(use: Callable[[], None]) -> int:
    """Blocks of memory that a second run of the same leaves, after a first that fills caches."""
    counts = []
    for _ in range(4):
        for _ in range(3):
            use()
        gc.collect()
        counts.append(sys.getallocatedblocks())
    return min(b - a for a, b in zip(counts, counts[1:]))


def _read(packages: Packages) -> Callable[[], None]:
    bodies = _bodies(packages)

    def use() -> None:
        for codec, _, body in bodies:
            for limits in (LIMITS, Limits(max_memory=len(body) + 50)):
                codec.decode(body, limits)

    return use


def _read_broken(packages: Packages) -> Callable[[], None]:
    draw = Draw(8)
    broken = [(codec, draw.broken(body)) for codec, _, body in _bodies(packages) for _ in range(30)]

    def use() -> None:
        for codec, body in broken:
            codec.decode(body, LIMITS)

    return use


def _write(packages: Packages) -> Callable[[], None]:
    bodies = _bodies(packages)

    def use() -> None:
        for codec, value, _ in bodies:
            codec.encode(value, LIMITS)
            codec.encode(value, Limits(max_message_size=3))

    return use


def _write_odd(packages: Packages) -> Callable[[], None]:
    draw = Draw(9)
    odd = []
    for type_ in packages.types:
        for _ in range(10):
            value = draw.value(type_)
            draw.spoil(value)
            odd.append((codec_of(type_), value))

    def use() -> None:
        for codec, value in odd:
            codec.encode(value, LIMITS)

    return use


def _arguments(packages: Packages) -> Callable[[], None]:
    draw = Draw(10)
    calls = [(codec_of(p), draw.value(p)) for p in (m._parameters() for m in packages.methods) for _ in range(3)]

    def use() -> None:
        for codec, arguments in calls:
            codec.encode(arguments, LIMITS)

    return use


def _read_json(packages: Packages) -> Callable[[], None]:
    draw = Draw(12)
    documents = []
    for type_ in packages.types:
        codec = json_of(type_)
        document = codec.encode_json(draw.value(type_), LIMITS)
        if document is not NotImplemented:
            documents.append((codec, document))
            documents += [(codec, draw.broken_document(document)) for _ in range(20)]

    def use() -> None:
        for codec, document in documents:
            codec.decode_json(document, LIMITS)

    return use


def _write_json(packages: Packages) -> Callable[[], None]:
    draw = Draw(13)
    values = []
    for type_ in packages.types:
        for odd in (False, True, True, True):
            value = draw.value(type_)
            if odd:
                draw.spoil(value)
            values.append((json_of(type_), value))

    def use() -> None:
        for codec, value in values:
            codec.encode_json(value, LIMITS)
            codec.encode_json(value, Limits(max_message_size=3))

    return use


def _read_xml(packages: Packages) -> Callable[[], None]:
    draw = Draw(15)
    documents: list[tuple[Callable[[bytes, Limits], object], bytes]] = []
    for type_ in packages.types:
        document = xml_of(type_, draw.value(type_))
        fast = xml_fast(description(type_))
        if document is not None and fast is not None:
            documents += [(fast.decode_xml, document), *((fast.decode_xml, draw.broken_xml(document)) for _ in range(20))]
    for method in packages.methods:
        operation = soap_operation(method)
        body = soap_response(operation, () if method._result is None else (draw.value(method._result()[1]),)) if operation._fast else None
        if body is not None:
            documents += [(operation._fast.decode_soap, body), *((operation._fast.decode_soap, draw.broken_xml(body)) for _ in range(5))]

    def use() -> None:
        for read, document in documents:
            for limits in (LIMITS, Limits(max_memory=len(document) + 50)):
                read(document, limits)

    return use


def _write_xml(packages: Packages) -> Callable[[], None]:
    draw = Draw(16)
    values: list[tuple[Any, Any]] = []
    for type_ in packages.xml_types:
        for odd in (False, True, True, True):
            value = draw.value(type_)
            if odd:
                draw.spoil(value)
            values.append((xml_fast(description(type_)), value))
    calls: list[tuple[Any, Any]] = []
    for method in packages.xml_methods:
        text = method.interface.texts()[method.name]
        fast = Writer(text.request, "1.1", text.encoded).fast
        calls += [(fast, draw.value(method._parameters())) for _ in range(3) if fast is not None]

    def use() -> None:
        for codec, value in values:
            codec.encode_xml(value, LIMITS)
            codec.encode_xml(value, Limits(max_message_size=40))
        for codec, arguments in calls:
            codec.encode_soap(arguments, LIMITS, "<a></a>", -1)

    return use


def _shape(packages: Packages) -> Callable[[], None]:
    """Codecs of requests, with what is around their values."""
    messages = [method.interface.texts()[method.name].request for method in packages.xml_methods]

    def use() -> None:
        for message in messages:
            codec: Any = request_codec(message, "<a>", "<b>", "</b></a>")
            if codec is not None:
                with pytest.raises(RuntimeError):
                    codec.root((), b"", b"", b"")

    return use


def _read_tables(packages: Packages) -> Callable[[], None]:
    draw = Draw(16)
    tables: list[tuple[Any, str, bool]] = []
    for type_ in packages.types:
        fast = xml_fast(description(type_))
        for scheme in ("record", "aggregated"):
            rows = table_of(type_, draw.value(type_), scheme)
            if rows is not None and fast is not None:
                texts = [rows, *(draw.broken_table(rows) for _ in range(20))]
                tables += [(fast, text.decode(errors="replace"), scheme == "record") for text in texts]

    def use() -> None:
        for fast, rows, is_record in tables:
            for memory in (10**9, 50, -1):
                fast.decode_table(rows, is_record, memory, LIMITS)

    return use


def _write_tables(packages: Packages) -> Callable[[], None]:
    draw = Draw(17)
    values: list[tuple[Any, Any]] = []
    for type_ in packages.xml_types:
        for odd in (False, True, True, True):
            value = draw.value(type_)
            if odd:
                draw.spoil(value)
            values.append((xml_fast(description(type_)), value))
    for method in packages.xml_methods:
        for tables, parameters in table_messages(method):
            values += [(tables._writer, draw.value(parameters)) for _ in range(3)]

    def use() -> None:
        for codec, value in values:
            for is_record in (True, False):
                for limits in (LIMITS, Limits(max_message_size=40)):
                    if codec is not None:
                        codec.encode_table(value, is_record, limits, -1, "<\u00e9>", "</\u00e9>")

    return use


def _make(packages: Packages) -> Callable[[], None]:
    classes = made_classes(packages.types)

    def use() -> None:
        draw = Draw(14)
        for cls, types in classes:
            for _ in range(5):
                positional, named = draw.arguments(cls, types)
                with contextlib.suppress(Exception):
                    made = cls(*positional, **named)
                    made.__init__(*positional, **named)

    return use


_USES = [_read, _read_broken, _write, _write_odd, _arguments, _read_json, _write_json, _read_xml, _write_xml, _shape, _read_tables, _write_tables, _make]


@pytest.mark.parametrize("make", _USES)
def test_memory_is_what_it_was(packages: Packages, make: Callable[[Packages], Callable[[], None]]) -> None:
    # The interpreter's own caches come and go by a few blocks.
    assert _growth(make(packages)) < 40


def test_what_is_shared_is_counted_as_before(packages: Packages) -> None:
    """None, booleans, classes, enums and defaults: too many references would never be seen, too few are fatal."""
    use = [make(packages) for make in _USES]
    shared: list[Any] = [None, True, False, NotImplemented, 0, 1, "", b"", (), DateTime]
    for type_ in packages.types:
        shared += type_.cls if isinstance(type_.cls, tuple) else [type_.cls]
    for function in use:
        function()
    # What errors hold while values were drawn.
    gc.collect()
    before = [sys.getrefcount(item) for item in shared]
    for _ in range(3):
        for function in use:
            function()
    gc.collect()
    after = [sys.getrefcount(item) for item in shared]
    changed = [(item, a, b) for item, a, b in zip(shared, before, after) if abs(a - b) > 30]
    assert not changed


def test_what_is_read_is_nothing_for_the_garbage_collector(packages: Packages) -> None:
    """Values are trees of what never changes: they are gone with their last reference."""
    from sample import Tree

    draw = Draw(11)
    bodies = [(codec_of(type_), check_value(type_, draw.value(type_))) for type_ in packages.types]
    codecs = [(codec, body) for codec, body in bodies if body is not None]
    documents = [(json_of(type_), json_of(type_).encode_json(draw.value(type_), LIMITS)) for type_ in packages.types]

    def use() -> None:
        for codec, body in codecs:
            codec.decode(body, LIMITS)
        for codec, document in documents:
            if document is not NotImplemented:
                codec.decode_json(document, LIMITS)

    assert not gc.is_tracked(Tree.from_bytes(Tree("a", [Tree("b", [])]).to_bytes()))
    assert not gc.is_tracked(Tree.from_json(Tree("a", [Tree("b", [])]).to_json()))
    gc.collect()
    gc.disable()
    try:
        counts = []
        for _ in range(4):
            for _ in range(5):
                use()
            counts.append(sys.getallocatedblocks())
    finally:
        gc.enable()
    assert min(b - a for a, b in zip(counts, counts[1:])) < 40


def test_what_is_read_and_put_into_a_cycle_stays_whole(packages: Packages) -> None:
    """Even a forced change causes no crash."""
    from sample import Tree

    tree: Any = Tree.from_bytes(Tree("a", [Tree("b", [])]).to_bytes())
    holder: list[Any] = [tree]
    object.__setattr__(tree, "children", holder)
    del holder
    gc.collect()
    assert tree.children[0] is tree
    object.__setattr__(tree, "children", ())


def test_a_codec_that_nobody_holds_is_gone(packages: Packages) -> None:
    """Codecs of types that hold themselves are cycles, which the collector finds."""
    from creo._binary.schema import STRING, ArrayType, Field, StructType
    from creo.codegen import Struct

    def make() -> weakref.ref[Any]:
        class Loop(Struct):
            __slots__ = ("loops", "name")
            __match_args__ = ("name", "loops")

            def __init__(self, name: str, loops: tuple[Any, ...]) -> None:
                object.__setattr__(self, "name", name)
                object.__setattr__(self, "loops", loops)

        fields = lambda: (Field("name", "name", STRING), Field("loops", "loops", ArrayType(loop, 160)))  # noqa: E731
        loop: Any = StructType("loop", Loop, None, None, fields, least=2, recursive=True)  # type: ignore[arg-type]
        value = loop.from_bytes(b"\1a\1\1b\0")
        assert (value.name, value.loops[0].name) == ("a", "b")
        assert loop.to_bytes(value) == b"\1a\1\1b\0"
        return weakref.ref(Loop)

    gone = make()
    gc.collect()
    assert gone() is None
