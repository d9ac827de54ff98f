"""Tables of random values: the accelerator writes what the runtime does in Python, or leaves it to it."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import generated
from conftest import Packages
from creo import CreoError, Limits
from creo._tdxml import write_in_python
from drawn import Draw
from equality import check_table_arguments, check_table_value, table_messages, table_of

SEEDS = range(8)
SCHEMES = ("record", "aggregated")


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("seed", SEEDS)
def test_tables_are_written_alike(packages: Packages, seed: int, scheme: str) -> None:
    draw = Draw(22_000 + seed)
    how: Counter[str] = Counter()
    for type_ in packages.xml_types:
        for schema in (False, True, False, False):
            how[check_table_value(type_, draw.value(type_), scheme, schema=schema)] += 1
    assert how["written"] > 100 and how["written"] > 10 * how["left"], how


@pytest.mark.parametrize("scheme", SCHEMES)
def test_all_forms_but_some_are_written_in_c(packages: Packages, scheme: str) -> None:
    """What is left: values with `any`, undeclared attributes, raw elements and qualified names."""
    found = set()
    for seed in range(20):
        draw = Draw(23_000 + seed)
        found |= {type_.name for type_ in packages.xml_types if check_table_value(type_, draw.value(type_), scheme) == "left"}
    matrix, xml = "conformance.matrix", "conformance.xml"
    always = {f"{matrix}.Heard", f"{xml}.Names", f"{xml}.NameText", f"{xml}.NameTexts", f"{xml}.Raws"}
    assert always < found <= {*always, f"{matrix}.Kept", f"{matrix}.Loose", f"{xml}.Foreign", f"{xml}.Open", f"{xml}.NameChoice", "partner.Open"}


@pytest.mark.parametrize("scheme", SCHEMES)
def test_forms_that_are_rare_are_written_alike(tmp_path: Path, scheme: str) -> None:
    """Escapes at the beginning of a column and elsewhere, rows without columns, and arrays within unions."""
    description = """@PACKAGE("rows")
        enum Sign { @Xml(name = "~") TILDE, @Xml(name = "a~") OTHER }
        struct Rows { @Xml(attribute) String? first; @Xml(list) Sign[] signs; @Xml(list) String[] words; String[] texts; String?[] some; char[] letters; }
        struct Bare { String? first; int? second; Bare?[] others; Map<String, Bare?> named; Either? either; }
        union Either { String text; Sign[] signs; Bare?[] bare; double[] numbers; Map<int, Sign?> map; }"""
    (tmp_path / scheme).mkdir()
    (tmp_path / scheme / "rows.creo").write_text(description.replace("rows", f"rows.{scheme}"))
    generated.generate(tmp_path / scheme / "out", [tmp_path / scheme / "rows.creo"])
    types = {type_.name.rpartition(".")[2]: type_ for type_ in generated.types(tmp_path / scheme / "out" / "python")}
    texts = ("~", "~a", "a~", "", "|", "\\", "\n\r\t", "a<&>b", "12345678~|\\", "\u00e9~\U0001f600 ")
    rows = types["Rows"].cls
    for text in texts:
        signs = [types["Sign"].cls(n) for n in (0, 1, 0)]
        words = [w for w in (text, "~") if w.strip() and not set(w) & set(" \t\r\n")]
        for first in (None, text):
            value = rows(first=first, signs=signs, words=words, texts=texts, some=(None, text, None), letters=text[:2])
            assert check_table_value(types["Rows"], value, scheme) == "written"
    assert check_table_value(types["Rows"], rows(first="", signs=[], words=[], texts=[], some=[], letters=""), scheme) == "written"
    for seed in range(200):
        assert check_table_value(types["Bare"], Draw(seed).value(types["Bare"]), scheme) != "left"


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("seed", SEEDS)
def test_odd_values_are_refused_alike_in_tables(packages: Packages, seed: int, scheme: str) -> None:
    draw = Draw(24_000 + seed)
    how: Counter[str] = Counter()
    for type_ in packages.xml_types:
        for _ in range(8):
            value = draw.value(type_)
            draw.spoil(value)
            how[check_table_value(type_, value, scheme)] += 1
    assert how["error"] > 50 and how["written"] > 20, how


@pytest.mark.parametrize("scheme", SCHEMES)
def test_limits_hold_alike_when_tables_are_written(packages: Packages, scheme: str) -> None:
    draw = Draw(25)
    how: Counter[str] = Counter()
    for type_ in packages.xml_types:
        value = draw.value(type_)
        size = len(table_of(type_, value, scheme) or b"") + 60
        for allowed in (1, size - 30, size, size + 30, size + 60):
            how[check_table_value(type_, value, scheme, Limits(max_message_size=allowed))] += 1
        for depth in (1, 2, 3, 5):
            how[check_table_value(type_, value, scheme, Limits(max_depth=depth))] += 1
    assert how["error"] > 50 and how["written"] > 100, how


@pytest.mark.parametrize("scheme", SCHEMES)
def test_a_table_may_be_as_large_as_the_limit(packages: Packages, scheme: str) -> None:
    draw = Draw(26)
    for type_ in packages.types:
        value = draw.value(type_)
        if check_table_value(type_, value, scheme) == "written":
            size = len(type_.to_tdxml(value, scheme=scheme))
            assert check_table_value(type_, value, scheme, Limits(max_message_size=size)) == "written"
            assert check_table_value(type_, value, scheme, Limits(max_message_size=size - 1)) == "error"


@pytest.mark.parametrize("scheme", SCHEMES)
def test_the_error_of_what_is_no_table_is_that_without_the_accelerator(packages: Packages, scheme: str) -> None:
    draw = Draw(27)
    compared = 0
    for type_ in packages.xml_types:
        for _ in range(6):
            value = draw.value(type_)
            draw.spoil(value)
            errors = []
            for write in (
                lambda: type_.to_tdxml(value, Limits(), scheme=scheme, schema=True),  # noqa: B023 - called at once
                lambda: write_in_python(type_, value, Limits(), scheme, True),  # noqa: B023 - called at once
            ):
                try:
                    write()
                except Exception as error:
                    errors.append((type(error), getattr(error, "code", None), getattr(error, "place", None), str(error)))
            assert len(errors) != 1 and errors[:1] == errors[1:], (type_.name, value)
            compared += len(errors) == 2
    assert compared > 50


@pytest.mark.parametrize("scheme", SCHEMES)
def test_messages_are_written_alike_as_tables(packages: Packages, scheme: str) -> None:
    draw = Draw(28)
    how: Counter[str] = Counter()
    for method in packages.xml_methods:
        for tables, parameters in table_messages(method):
            for schema in (False, True):
                for parts in (None, None, None, [], []):
                    how[check_table_arguments(tables, draw.value(parameters), scheme, schema=schema, parts=parts)] += 1
            how[check_table_arguments(tables, draw.value(parameters), scheme, Limits(max_depth=2))] += 1
    assert how["written"] > 200 and how["written"] > 10 * how["left"], how


def test_a_table_is_written_in_c(packages: Packages, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not a row of a usual table comes from Python's writers."""

    def refuse(*_: Any, **_named: Any) -> Any:
        raise AssertionError("written in Python")

    draw = Draw(29)
    values = [(type_, draw.value(type_)) for type_ in packages.types]
    usual = [(type_, value) for type_, value in values if check_table_value(type_, value, "record") == "written"]
    assert len(usual) > 20
    monkeypatch.setattr("creo._tdxml.write_in_python", refuse)
    for type_, value in usual:
        for scheme in SCHEMES:
            type_.to_tdxml(value, scheme=scheme)
    with pytest.raises((AssertionError, CreoError)):
        usual[0][0].to_tdxml(object())
