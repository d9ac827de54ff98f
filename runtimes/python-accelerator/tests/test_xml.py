"""XML at random: the accelerator reads and writes what the runtime does in Python, or leaves it to it."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import generated
from conftest import Packages
from creo import CreoError, Limits
from creo._soap import Writer
from creo._text import TextField, TextMessage, TextRaw, description
from creo._xml import read_in_python, write_in_python
from creo._xml.accelerator import response_codec
from drawn import Draw
from equality import KIND, check_soap, check_soap_arguments, check_xml, check_xml_value, soap_operation, soap_response, xml_of
from generated import xml_documents

SEEDS = range(8)


@pytest.mark.parametrize("seed", SEEDS)
def test_xml_is_read_alike(packages: Packages, seed: int) -> None:
    draw = Draw(6_000 + seed)
    how: Counter[str] = Counter()
    for type_ in packages.xml_types:
        document = xml_of(type_, draw.value(type_))
        if document is not None:
            how[check_xml(type_, document)] += 1
    # What is inline or derived, qualified names, and NaN in arrays are left to Python.
    assert how["error"] == 0
    assert how["value"] > 4 * how["unusual"], how


@pytest.mark.parametrize("seed", SEEDS)
def test_broken_xml_is_refused_alike(packages: Packages, seed: int) -> None:
    draw = Draw(7_000 + seed)
    how: Counter[str] = Counter()
    for type_ in packages.types:
        for _ in range(2):
            document = xml_of(type_, draw.value(type_))
            if document is not None:
                for _ in range(10):
                    how[check_xml(type_, draw.broken_xml(document))] += 1
    assert how["error"] > 500
    assert how["value"] > 20
    assert how["unusual"] < how["value"] / 2, how


def test_other_forms_of_a_document_are_read_alike(packages: Packages) -> None:
    draw = Draw(9)
    forms = (
        lambda d: b'<?xml version="1.0" encoding="UTF-8"?>\n' + d + b"\n",
        lambda d: b"\xef\xbb\xbf" + d,
        lambda d: d.replace(b"><", b">\r\n  <!-- c --> <"),
        lambda d: d.replace(b"n1:", b"other:").replace(b"xmlns:n1=", b"xmlns:other="),
        lambda d: d.decode().encode("utf-16"),
        lambda d: b'<?xml version="1.0" encoding="ISO-8859-1"?>' + d.decode().encode("latin-1", "xmlcharrefreplace"),
    )
    how: Counter[str] = Counter()
    for type_ in packages.types:
        document = xml_of(type_, draw.value(type_))
        for form in forms if document is not None else ():
            how[check_xml(type_, form(document))] += 1
    assert how["value"] > 100, how


def test_limits_hold_alike_in_xml(packages: Packages) -> None:
    draw = Draw(10)
    how: Counter[str] = Counter()
    for type_ in packages.types:
        document = xml_of(type_, draw.value(type_))
        if document is None:
            continue
        size = len(document)
        for memory in (size, size + 16, size + 40, size + 100, size + 300, 10**30):
            how[check_xml(type_, document, Limits(max_memory=memory))] += 1
        for allowed in (1, 8, 40, max(1, size - 1), size):
            how[check_xml(type_, document, Limits(max_xml_text=allowed))] += 1
            how[check_xml(type_, document, Limits(max_xml_name=allowed))] += 1
        for depth in (1, 2, 3, 5):
            how[check_xml(type_, document, Limits(max_depth=depth))] += 1
            how[check_xml(type_, document, Limits(max_xml_depth=depth))] += 1
            how[check_xml(type_, document, Limits(max_xml_attributes=depth))] += 1
            how[check_xml(type_, document, Limits(max_xml_namespaces=depth))] += 1
    assert how["error"] > 100 and how["value"] > 300, how


@pytest.mark.parametrize(("folder", "member"), [("vectors", "vectors"), ("malformed", "cases")])
def test_the_cases_of_the_specification_in_xml(packages: Packages, folder: str, member: str) -> None:
    by_name = {type_.name: type_ for type_ in packages.xml_types}
    how = Counter(check_xml(by_name[name], document) for name, document in xml_documents(folder, member) if name in by_name)
    assert sum(how.values()) > 30
    assert folder == "malformed" or how["value"] > 4 * how["unusual"], how


def test_the_error_in_xml_is_that_without_the_accelerator(packages: Packages) -> None:
    draw = Draw(11)
    compared = 0
    for type_ in packages.types:
        document = xml_of(type_, draw.value(type_))
        for _ in range(6):
            broken = draw.broken_xml(document or b"<a/>")
            errors = []
            for read in (type_.from_xml, lambda d: read_in_python(description(type_), d, Limits())):
                try:
                    read(broken)
                except CreoError as error:
                    errors.append((error.code, error.place, error.offset, error.message))
            assert len(errors) != 1 and errors[:1] == errors[1:], (type_.name, broken)
            compared += len(errors) == 2
    assert compared > 50


def _responses(packages: Packages, draw: Draw) -> list[tuple[Any, bytes]]:
    found = []
    for method in packages.methods:
        operation = soap_operation(method)
        if operation._fast is None:
            continue
        result = () if method._result is None else (draw.value(method._result()[1]),)
        body = soap_response(operation, result)
        if body is not None:
            found.append((operation, body))
    return found


@pytest.mark.parametrize("seed", SEEDS)
def test_soap_responses_are_read_alike(packages: Packages, seed: int) -> None:
    draw = Draw(8_000 + seed)
    how: Counter[str] = Counter()
    broken: Counter[str] = Counter()
    for operation, body in _responses(packages, draw):
        how[check_soap(operation, body)] += 1
        for _ in range(12):
            broken[check_soap(operation, draw.broken_xml(body))] += 1
    assert how["value"] > 20 and how["value"] > 4 * how["unusual"] and how["error"] == 0, how
    assert broken["error"] > 50 and broken["value"] > 0, broken


def test_envelopes_that_are_left_to_python(packages: Packages) -> None:
    """Headers, faults, other encodings and attributes of the envelope: the result or the error is that without the accelerator."""
    draw = Draw(12)
    changes = (
        (b"<soap:Body>", b"<soap:Header></soap:Header><soap:Body>"),
        (b"<soap:Body>", b'<soap:Header><a soap:mustUnderstand="1"></a></soap:Header><soap:Body>'),
        (b"<soap:Body>", b'<soap:Body soap:encodingStyle="http://schemas.xmlsoap.org/soap/encoding/">'),
        (b"<soap:Body>", b"<soap:Body><soap:Fault><faultcode>soap:Server</faultcode><faultstring>no</faultstring></soap:Fault>"),
        (b"</soap:Body>", b"<a></a></soap:Body>"),
        (b"</soap:Body>", b"</soap:Body><a></a>"),
        (b"</soap:Envelope>", b"</soap:Envelope><a/>"),
        (b"http://schemas.xmlsoap.org/soap/envelope/", b"urn:other"),
        (b"<soap:Envelope", b'<?xml version="1.0" encoding="iso-8859-1"?><soap:Envelope'),
    )
    how: Counter[str] = Counter()
    for operation, body in _responses(packages, draw):
        for old, new in changes:
            changed = body.replace(old, new)
            how[check_soap(operation, changed)] += 1
            outcomes: list[Any] = []
            for read in (lambda: operation.read(changed, KIND, Limits(), ""), lambda: operation._read(changed, "utf-8", None, len(changed), Limits(), "")):  # noqa: B023 - called at once
                try:
                    read()
                except Exception as error:
                    outcomes.append((type(error), str(error)))
                else:
                    outcomes.append(None)
            assert outcomes[0] == outcomes[1], changed
    assert how["error"] > 50 and how["value"] == 0, how


def test_bytes_that_are_no_utf8_are_malformed(packages: Packages) -> None:
    """In namespaces and next to names that only XML's fifth edition has, too."""
    type_ = next(type_ for type_ in packages.types if type_.name == "conformance.values.Arrays")
    for document in (b'<a xmlns="urn:\xff"/>', b'<a xmlns:\xff="urn:a"/>', "<a\u0370>".encode() + b"\xff</a>", b"<a>\xff</a>"):
        for read in (type_.from_xml, lambda d: read_in_python(description(type_), d, Limits())):
            with pytest.raises(CreoError):
                read(document)


@pytest.mark.parametrize("seed", SEEDS)
def test_xml_is_written_alike(packages: Packages, seed: int) -> None:
    draw = Draw(9_000 + seed)
    how: Counter[str] = Counter()
    left = set()
    for type_ in packages.xml_types:
        for _ in range(4):
            found = check_xml_value(type_, draw.value(type_))
            how[found] += 1
            if found == "left":
                left.add(type_.name)
    assert how["written"] > 100 and how["written"] > 20 * how["left"], (how, left)


def test_all_forms_but_some_are_written_in_c(packages: Packages) -> None:
    """What is left: types with `any`, undeclared attributes, raw elements and qualified names."""
    outcomes: dict[str, set[str]] = {type_.name: set() for type_ in packages.xml_types}
    for seed in range(20):
        draw = Draw(11_000 + seed)
        for type_ in packages.xml_types:
            outcomes[type_.name].add(check_xml_value(type_, draw.value(type_)))
    matrix, xml = "conformance.matrix", "conformance.xml"
    left = {f"{matrix}.Kept", f"{matrix}.Loose", f"{xml}.Foreign", f"{xml}.NameText", f"{xml}.NameTexts", f"{xml}.Open", "partner.Open"}
    found = {name for name, how in outcomes.items() if "left" in how}
    assert {f"{xml}.NameText", f"{xml}.NameTexts"} < found <= {*left, f"{xml}.NameChoice"}
    # Another member of this union is written in C.
    assert not {name for name in found if "written" in outcomes[name]} - {f"{xml}.NameChoice"}


def test_characters_in_one_text_are_written_alike(tmp_path: Path) -> None:
    description = """@PACKAGE("letters")
        struct Letters { @Xml(attribute, list) char[] first; char[] second; @Xml(list) char[]? third; }"""
    (tmp_path / "letters.creo").write_text(description)
    generated.generate(tmp_path / "out", [tmp_path / "letters.creo"])
    (type_,) = generated.types(tmp_path / "out" / "python")
    for texts in (("", "", None), ("a", "\u00e9", ""), ("ab", "a b", "\ud800\uffff")):
        assert check_xml_value(type_, type_.cls(*texts)) == "written"


@pytest.mark.parametrize("seed", SEEDS)
def test_odd_values_are_refused_alike_in_xml(packages: Packages, seed: int) -> None:
    draw = Draw(10_000 + seed)
    how: Counter[str] = Counter()
    for type_ in packages.xml_types:
        for _ in range(8):
            value = draw.value(type_)
            draw.spoil(value)
            how[check_xml_value(type_, value)] += 1
    assert how["error"] > 50 and how["written"] > 20, how


def test_limits_hold_alike_when_xml_is_written(packages: Packages) -> None:
    draw = Draw(14)
    how: Counter[str] = Counter()
    for type_ in packages.xml_types:
        value = draw.value(type_)
        size = len(xml_of(type_, value) or b"")
        for allowed in (1, max(1, size - 1), size or 1, size + 1):
            how[check_xml_value(type_, value, Limits(max_message_size=allowed))] += 1
        for depth in (1, 2, 3, 5):
            how[check_xml_value(type_, value, Limits(max_depth=depth))] += 1
    assert how["error"] > 50 and how["written"] > 100, how


def test_the_error_of_what_cannot_be_written_is_that_without_the_accelerator(packages: Packages) -> None:
    draw = Draw(15)
    compared = 0
    for type_ in packages.xml_types:
        for _ in range(6):
            value = draw.value(type_)
            draw.spoil(value)
            errors = []
            for write in (type_.to_xml, lambda v, limits: write_in_python(description(type_), v, limits)):  # noqa: B023 - called at once
                try:
                    write(value, Limits())
                except Exception as error:
                    errors.append((type(error), getattr(error, "code", None), getattr(error, "place", None), str(error)))
            assert len(errors) != 1 and errors[:1] == errors[1:], (type_.name, value)
            compared += len(errors) == 2
    assert compared > 50


@pytest.mark.parametrize("version", ["1.1", "1.2"])
def test_soap_requests_are_written_alike(packages: Packages, version: str) -> None:
    draw = Draw(16)
    how: Counter[str] = Counter()
    for method in packages.xml_methods:
        text = method.interface.texts()[method.name]
        writer = Writer(text.request, version, text.encoded)
        for blocks in ("", "<a>\u00e9</a>"):
            for parts in (None, None, None, [], []):
                how[check_soap_arguments(writer, draw.value(method._parameters()), blocks=blocks, parts=parts)] += 1
        how[check_soap_arguments(writer, draw.value(method._parameters()), Limits(max_depth=2))] += 1
    assert how["written"] > 100 and how["written"] > 10 * how["left"], how


def test_a_result_that_is_an_element_is_left_to_python() -> None:
    assert response_codec(TextMessage("urn:a", "aResponse", lambda: (TextField("result", "urn:a", TextRaw()),))) is None
