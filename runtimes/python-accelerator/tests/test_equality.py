"""Values and bodies at random: the accelerator reads and writes what generated code does, and refuses what that does."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from conftest import Packages
from creo import CreoError, Limits
from creo._binary.accelerator import codec_of
from creo._binary.schema import STRING, ArrayType, MapType
from drawn import Draw
from equality import check_arguments, check_body, check_document, check_json, check_json_arguments, check_value, json_of, surrogates
from generated import cases, documents

SEEDS = range(12)


@pytest.mark.parametrize("seed", SEEDS)
def test_values_are_written_and_read_alike(packages: Packages, seed: int) -> None:
    draw = Draw(seed)
    read = 0
    for type_ in packages.types:
        value = draw.value(type_)
        body = check_value(type_, value)
        if body is None:
            continue
        assert codec_of(type_).encode(value, Limits()) == body, f"{type_.name} is left to Python: {value!r}"
        how = check_body(type_, body)
        assert how == "value" or surrogates(body), f"{type_.name} is left to Python: {body.hex()}"
        read += how == "value"
    assert read > len(packages.types) // 2


@pytest.mark.parametrize("seed", SEEDS)
def test_broken_bytes_are_refused_alike(packages: Packages, seed: int) -> None:
    draw = Draw(1_000 + seed)
    how: Counter[str] = Counter()
    for type_ in packages.types:
        for _ in range(3):
            body = check_value(type_, draw.value(type_))
            if body is not None:
                for _ in range(15):
                    how[check_body(type_, draw.broken(body))] += 1
    assert how["error"] > 1_000
    assert how["value"] > 100
    assert how["unusual"] < how["value"] / 10, how


@pytest.mark.parametrize("seed", SEEDS)
def test_odd_values_are_refused_alike(packages: Packages, seed: int) -> None:
    draw = Draw(2_000 + seed)
    for type_ in packages.types:
        for _ in range(8):
            value = draw.value(type_)
            draw.spoil(value)
            check_value(type_, value)


def test_arguments_are_written_alike(packages: Packages) -> None:
    draw = Draw(3)
    written = sum(check_arguments(m, draw.value(m._parameters())) for m in packages.methods for _ in range(20))
    assert written > 10 * len(packages.methods)


def test_limits_hold_alike(packages: Packages) -> None:
    draw = Draw(4)
    for type_ in packages.types:
        body = check_value(type_, draw.value(type_))
        if body is None:
            continue
        for memory in (len(body) or 1, len(body) + 16, len(body) + 40, len(body) + 100, len(body) + 300, 10**30):
            check_body(type_, body, Limits(max_memory=memory))
        for size in (1, max(1, len(body) - 1), len(body) or 1):
            check_body(type_, body, Limits(max_message_size=size))
            check_value(type_, draw.value(type_), Limits(max_message_size=size))
        for depth in (1, 2, 3):
            check_body(type_, body, Limits(max_depth=depth))
            check_value(type_, draw.value(type_), Limits(max_depth=depth))
        check_body(type_, body, Limits(max_empty_items=1))


def test_charges_of_any_size_are_added_up() -> None:
    """Weights are large where types nest, and counts are, too: their product is no number of 64 bits."""
    for type_ in (ArrayType(STRING, 1 << 62), MapType(STRING, STRING, 1 << 62)):
        codec = codec_of(type_)
        size = b"\3" + b"\1a\1b\1c\1d\1e\1f"[: 6 if isinstance(type_, ArrayType) else 12]
        assert codec.decode(size, Limits()) is NotImplemented
        assert codec.decode(b"\0", Limits()) is not NotImplemented
    codec = codec_of(ArrayType(STRING, 1 << 40))
    assert codec.decode(b"\3\1a\1b\1c", Limits(max_memory=10**30)) == ("a", "b", "c")
    assert codec.decode(b"\xff\xff\xff\xff\7\0", Limits(max_memory=10**30)) is NotImplemented


@pytest.mark.parametrize(("folder", "member", "how"), [("vectors", "vectors", "value"), ("malformed", "cases", "error")])
def test_the_cases_of_the_specification(packages: Packages, folder: str, member: str, how: str) -> None:
    by_name = {type_.name: type_ for type_ in packages.types}
    counted = 0
    for name, body in cases(folder, member):
        if name in by_name:
            found = check_body(by_name[name], body)
            # With the default limits a case for another limit is a value.
            assert found == how or (found == "unusual" and surrogates(body)) or how == "error", (name, body.hex())
            counted += 1
    assert counted > 100


def test_the_error_is_that_of_generated_code(packages: Packages) -> None:
    """What C gives up on is said by the runtime: code, place and offset are those without it."""
    draw = Draw(5)
    compared = 0
    for type_ in packages.types:
        body = check_value(type_, draw.value(type_))
        for _ in range(10):
            errors = []
            broken = draw.broken(body or b"")
            fast = type_.fast
            for codec in (fast, None):
                type_.fast = codec
                try:
                    type_.from_bytes(broken)
                except CreoError as error:
                    errors.append((error.code, error.place, error.offset, error.message))
            type_.fast = fast
            assert len(errors) != 1 and errors[:1] == errors[1:], (type_.name, broken.hex())
            compared += len(errors) == 2
    assert compared > 100


@pytest.mark.parametrize("seed", SEEDS)
def test_json_is_written_and_read_alike(packages: Packages, seed: int) -> None:
    draw = Draw(3_000 + seed)
    read = 0
    for type_ in packages.types:
        value = draw.value(type_)
        document = check_json(type_, value)
        if document is None:
            continue
        assert json_of(type_).encode_json(value, Limits()) == document, f"{type_.name} is left to Python: {value!r}"
        read += check_document(type_, document) == "value"
    # Numbers that are none, and halves of pairs, are left to Python where they are in arrays.
    assert read > len(packages.types) * 3 // 4


@pytest.mark.parametrize("seed", SEEDS)
def test_broken_json_is_refused_alike(packages: Packages, seed: int) -> None:
    draw = Draw(4_000 + seed)
    how: Counter[str] = Counter()
    for type_ in packages.types:
        for _ in range(3):
            document = check_json(type_, draw.value(type_))
            if document is not None:
                for _ in range(12):
                    how[check_document(type_, draw.broken_document(document))] += 1
    assert how["error"] > 1_000
    assert how["value"] > 100
    assert how["unusual"] < how["value"] / 2, how


@pytest.mark.parametrize("seed", SEEDS)
def test_odd_values_are_refused_alike_in_json(packages: Packages, seed: int) -> None:
    draw = Draw(5_000 + seed)
    for type_ in packages.types:
        for _ in range(8):
            value = draw.value(type_)
            draw.spoil(value)
            check_json(type_, value)


def test_arguments_are_written_alike_in_json(packages: Packages) -> None:
    draw = Draw(6)
    written = sum(check_json_arguments(m, draw.value(m._parameters())) for m in packages.methods for _ in range(20))
    assert written > 10 * len(packages.methods)


def test_limits_hold_alike_in_json(packages: Packages) -> None:
    draw = Draw(7)
    for type_ in packages.types:
        document = check_json(type_, draw.value(type_))
        if document is None:
            continue
        size = len(document)
        for memory in (size, size + 16, size + 40, size + 100, size + 300, 10**30):
            check_document(type_, document, Limits(max_memory=memory))
        for allowed in (1, max(1, size - 1), size):
            check_json(type_, draw.value(type_), Limits(max_message_size=allowed))
            check_document(type_, document, Limits(max_xml_text=allowed))
        for depth in (1, 2, 3, 5):
            check_document(type_, document, Limits(max_depth=depth))
            check_document(type_, document, Limits(max_xml_depth=depth))
            check_json(type_, draw.value(type_), Limits(max_depth=depth))
            check_document(type_, draw.broken_document(document), Limits(max_xml_name=depth))


@pytest.mark.parametrize(("folder", "member"), [("vectors", "vectors"), ("malformed", "cases")])
def test_the_cases_of_the_specification_in_json(packages: Packages, folder: str, member: str) -> None:
    by_name = {type_.name: type_ for type_ in packages.types}
    how = Counter(check_document(by_name[name], document) for name, document in documents(folder, member) if name in by_name)
    assert sum(how.values()) > 30
    assert folder == "malformed" or how["value"] > how["unusual"], how


def test_the_error_in_json_is_that_without_the_accelerator(packages: Packages) -> None:
    from creo._json import read_in_python
    from creo._text import description

    draw = Draw(8)
    compared = 0
    for type_ in packages.types:
        document = check_json(type_, draw.value(type_))
        for _ in range(10):
            broken = draw.broken_document(document or b"{}")
            errors = []
            for read in (type_.from_json, lambda d: read_in_python(description(type_), d, Limits())):
                try:
                    read(broken)
                except CreoError as error:
                    errors.append((error.code, error.place, error.offset, error.message))
            assert len(errors) != 1 and errors[:1] == errors[1:], (type_.name, broken)
            compared += len(errors) == 2
    assert compared > 100


def test_what_json_charges_is_what_the_binary_wire_charges(packages: Packages) -> None:
    """One codec has one charge for each item, entry and member."""
    from creo._binary.schema import OptionalType, Scalar, StructType, UnionType
    from creo._text import TextEntries, TextList, TextOptional, TextRepeated, TextUnion, TextWrapped, description

    def check(type_: Any, form: Any) -> int:
        if isinstance(type_, OptionalType):
            assert isinstance(form, TextOptional) and form.charge == type_.charge
            return 1 + check(type_.item, form.value)
        if isinstance(type_, ArrayType):
            assert isinstance(form, (TextRepeated, TextList, TextWrapped))
            packed = isinstance(type_.item, Scalar) and type_.item.code
            assert form.charge == (type_.item.least if packed else type_.charge), (type_, form)
            return 1 + check(type_.item, form.item.value if isinstance(form, TextWrapped) else form.value)
        if isinstance(type_, MapType):
            assert form.charge == type_.charge
            return 1 + (check(type_.value, form.value.value) if isinstance(form, TextEntries) else 0)
        return 0

    counted = 0
    for type_ in packages.types:
        form = description(type_)
        if isinstance(type_, StructType):
            counted += sum(check(field.type, text.value) for field, text in zip(type_.fields, form.fields))  # type: ignore[union-attr]
        elif isinstance(type_, UnionType):
            assert isinstance(form, TextUnion) and form.charges == type_.charges
            counted += sum(check(member.type, text.value) for member, text in zip(type_.members, form.fields))
    assert counted > 50
