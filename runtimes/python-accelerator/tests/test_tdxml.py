"""Tables at random: the accelerator reads what the runtime reads in Python, or leaves it to it."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from conftest import Packages
from creo import CreoError, Limits
from creo._tdxml import read_alone, read_in_python
from creo._text import description
from drawn import Draw
from equality import around, check_table, check_table_result, table_of, table_response, table_results
from generated import tables

SEEDS = range(8)
SCHEMES = ("record", "aggregated")


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("seed", SEEDS)
def test_tables_are_read_alike(packages: Packages, seed: int, scheme: str) -> None:
    draw = Draw(16_000 + seed)
    how: Counter[str] = Counter()
    for type_ in packages.types:
        rows = table_of(type_, draw.value(type_), scheme)
        if rows is not None:
            how[check_table(type_, around(rows, scheme))] += 1
    # What XML has inline or derived, and NaN in arrays, is left to Python.
    assert how["error"] == how["none"] == 0
    assert how["value"] > 8 * how["unusual"], how


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("seed", SEEDS)
def test_broken_tables_are_refused_alike(packages: Packages, seed: int, scheme: str) -> None:
    draw = Draw(17_000 + seed)
    how: Counter[str] = Counter()
    for type_ in packages.types:
        rows = table_of(type_, draw.value(type_), scheme)
        if rows is not None:
            for _ in range(20):
                how[check_table(type_, around(draw.broken_table(rows), scheme))] += 1
    assert how["error"] > 200
    assert how["value"] > 10, how


@pytest.mark.parametrize("scheme", SCHEMES)
def test_other_forms_of_a_table_are_read_alike(packages: Packages, scheme: str) -> None:
    """Escapes, references and columns of more texts than needed; other orders, and rows without meaning, are left to Python."""
    draw = Draw(19)
    forms = (
        lambda d: d.replace(b"CT>", b"ContentTable>").replace(b"RT>", b"RecordTable>"),
        lambda d: d.replace(b"\n", b"\r\n"),
        lambda d: d.replace(b"|", b"&#124;").replace(b"]", b"&#x5D;"),
        lambda d: d.replace(b"\n</", b"</"),
        lambda d: d.replace(b"][", b"]<!-- c -->["),
        lambda d: d.replace(b"\n[", b"\n ["),
        lambda d: d.replace(b">\n", b"> \t\n"),
        lambda d: d.replace(b"\\a", b"&amp;").replace(b"\\g", b"&gt;"),
        lambda d: b"\n".join([d.split(b"\n")[0], *d.split(b"\n")[-2:0:-1], d.split(b"\n")[-1]]),
    )
    how: Counter[str] = Counter()
    for type_ in packages.types:
        rows = table_of(type_, draw.value(type_), scheme)
        for form in forms if rows is not None else ():
            how[check_table(type_, form(around(rows, scheme)))] += 1
    assert how["value"] > 150 and how["unusual"] > 50, how


@pytest.mark.parametrize("scheme", SCHEMES)
def test_limits_hold_alike_in_tables(packages: Packages, scheme: str) -> None:
    draw = Draw(20)
    how: Counter[str] = Counter()
    for type_ in packages.types:
        rows = table_of(type_, draw.value(type_), scheme)
        if rows is None:
            continue
        document = around(rows, scheme)
        size = len(document)
        for more in (0, 16, 40, 64, 100, 150, 300, 10**30):
            how[check_table(type_, document, Limits(max_memory=size + more))] += 1
        for depth in (1, 2, 3, 4, 5):
            how[check_table(type_, document, Limits(max_depth=depth))] += 1
            how[check_table(type_, document, Limits(max_xml_depth=depth))] += 1
    assert how["error"] > 30 and how["value"] > 200, how


@pytest.mark.parametrize(("folder", "member"), [("vectors", "vectors"), ("malformed", "cases")])
def test_the_tables_of_the_specification(packages: Packages, folder: str, member: str) -> None:
    by_name = {type_.name: type_ for type_ in packages.types}
    how = Counter(check_table(by_name[name], document) for name, document in tables(folder, member) if name in by_name)
    assert sum(how.values()) > 30
    assert folder == "malformed" or how["value"] > 4 * how["unusual"], how


@pytest.mark.parametrize("scheme", SCHEMES)
def test_the_error_in_a_table_is_that_without_the_accelerator(packages: Packages, scheme: str) -> None:
    draw = Draw(21)
    compared = 0
    for type_ in packages.types:
        rows = table_of(type_, draw.value(type_), scheme)
        for _ in range(6):
            broken = around(draw.broken_table(rows or b"[0]|a\n"), scheme)
            errors = []
            for read in (type_.from_tdxml, lambda d: read_in_python(description(type_), read_alone(d, Limits()), Limits())):
                try:
                    read(broken)
                except CreoError as error:
                    errors.append((error.code, error.place, error.offset, error.message))
            assert len(errors) != 1 and errors[:1] == errors[1:], (type_.name, broken)
            compared += len(errors) == 2
    assert compared > 50


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("seed", SEEDS)
def test_results_in_tables_are_read_alike(packages: Packages, seed: int, scheme: str) -> None:
    draw = Draw(18_000 + seed)
    how: Counter[str] = Counter()
    broken: Counter[str] = Counter()
    for method in packages.methods:
        results = table_results(method)
        if results._reader is None:
            continue
        rows = table_response(method, () if method._result is None else (draw.value(method._result()[1]),), scheme)
        if rows is None:
            continue
        how[check_table_result(results, around(rows, scheme))] += 1
        for _ in range(6):
            broken[check_table_result(results, around(draw.broken_table(rows), scheme))] += 1
    assert how["value"] > 20 and how["value"] > 4 * how["unusual"] and how["error"] == how["none"] == 0, how
    assert broken["error"] > 50 and broken["value"] > 0, broken


def test_a_table_is_read_in_c(packages: Packages, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not a row of a usual table reaches Python's readers."""

    def refuse(*_: Any, **_named: Any) -> Any:
        raise AssertionError("read in Python")

    draw = Draw(22)
    documents = []
    for type_ in packages.types:
        for scheme in SCHEMES:
            rows = table_of(type_, draw.value(type_), scheme)
            if rows is not None and check_table(type_, around(rows, scheme)) == "value":
                documents.append((type_, around(rows, scheme)))
    assert len(documents) > 40
    monkeypatch.setattr("creo._tdxml.Table", refuse)
    for type_, document in documents:
        type_.from_tdxml(document)
        with pytest.raises(AssertionError):
            type_.from_tdxml(document.replace(b"\n[", b"\n ["))


def test_a_schema_is_compared_before(packages: Packages) -> None:
    draw = Draw(23)
    read = 0
    for type_ in packages.types:
        value = draw.value(type_)
        if table_of(type_, value, "record") is None:
            continue
        document = type_.to_tdxml(value, schema=True)
        read += check_table(type_, document) == "value"
        with pytest.raises(CreoError):
            type_.from_tdxml(document.replace(b" [0] ::= ", b" [0] ::= SET OF ", 1))
    assert read > 20
