"""The cost of XML serialization: lines, one more item and one more field, and the paper's findings, of values whose costs are known."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import vl_convert
from harness import cost
from report import cost_section, costs, page
from report.__main__ import VEGA_LITE
from report.measures import Results, load
from synthetic import call_row, write

Row = dict[str, Any]
ITEM, FIELD, STRUCT, MESSAGE = 50, 80, 200, 1000


def stack(language: str, peer: str, what: str, item: float = ITEM, field: float = FIELD) -> list[Row]:
    """Everything is linear: an item, a field, a struct, a message, a nanosecond a character."""

    def row(work: str, size: int, ns: float) -> Row:
        return call_row(peer, size, [[ns]], language=language, workload=work, what=what, placement="free")

    rows = [row(f"{kind}[]", n, MESSAGE + n * item) for kind in ("int", "double") for n in (1, 10, 100, 1000, 10_000)]
    # Beyond the paper's lengths caches end.
    rows = [{**each, "samples": [[1e9]]} if each["size"] == 10_000 else each for each in rows]
    rows += [row(f"{kind} fields", n, MESSAGE + n * (STRUCT + 8 * field)) for kind in ("int", "double") for n in (1, 10, 100)]
    rows += [row("int field", n, MESSAGE + n * (STRUCT + field)) for n in (1, 10, 100)]
    rows += [row(costs.HUNDRED, n, MESSAGE + 100 * n * (2 if what == "serialize" else 1)) for n in (1, 100, 1000)]
    return rows


def fit(language: str, peer: str, what: str, cut: Row | None) -> Row:
    said = {"r2": 0.9987, "medianError": 0.03, "highError": 0.1, "points": 500, "noise": 1.0, "cut": cut, "differ": {"int": True, "double": False}, "coefficients": {}}
    return {"language": language, "peer": peer, "what": what, "fit": said}


def measured(folder: Path, rows: list[Row]) -> Results:
    write(folder, costs.EXPERIMENT, rows)
    return load(folder)


def as_in_the_paper(folder: Path) -> Results:
    rows: list[Row] = []
    for language, peer in costs.PAPERS:
        for way in costs.WAYS:
            same = costs.SAME[language, way]
            at = costs.CUTS[language, way]
            rows += [fit(language, peer, way, None if at is None else {"at": at + 1, "low": at - 20, "high": at + 20}), *stack(language, peer, way, field=ITEM if same else FIELD)]
    return measured(folder, rows)


@pytest.mark.parametrize(
    ("request_", "expected"),
    [
        ("ints ints.v=100", ("int[]", 100)),
        ("blobs blobs.v=10 blobs.v[]=60", ("byte[][]", 10)),
        ("strings strings.v=20", ("String[]", 20)),
        ("strings strings.v=100 strings.v[]=50", ("100 String", 50)),
        ("strings strings.v=100 strings.v[]=199..201", ("100 String", 200)),
        ("strings strings.v=10 strings.v[]=50", None),
        ("intFields intFields.v=7", ("int fields", 7)),
        ("ones ones.v=7", ("int field", 7)),
        ("text text.v=300", ("String", 300)),
        ("text text.v=300 wide", None),
        ("people people.v=3", None),
        ("several", None),
    ],
)
def test_what_a_request_belongs_to(request_: str, expected: tuple[str, int] | None) -> None:
    assert costs.workload(request_) == expected


def test_a_line_and_its_interval() -> None:
    exact = costs.line([(1, 12), (2, 14), (4, 18)])
    assert exact is not None
    assert (exact.intercept, exact.slope, exact.r2, exact.points) == (pytest.approx(10), pytest.approx(2), pytest.approx(1), 3)
    assert exact.reach == pytest.approx(0, abs=1e-9)
    # Residuals 1, -2, 1 of one degree of freedom: a standard error of sqrt(6 / 2).
    bent = costs.line([(0, 1), (1, 0), (2, 5)])
    assert bent is not None
    assert (bent.slope, bent.intercept, bent.r2) == (pytest.approx(2), pytest.approx(0), pytest.approx(1 - 6 / 14))
    assert bent.reach == pytest.approx(12.706 * 3**0.5)
    assert costs.line([(1, 1), (2, 2)]) is None
    assert costs.line([(1, 1), (1, 2), (2, 3)]) is None


def test_one_more_item_and_one_more_field(tmp_path: Path) -> None:
    results = measured(tmp_path, stack("java", "jaxb", "serialize"))
    for kind in ("int", "double"):
        found = costs.pair(results, ("java", "jaxb"), "serialize", kind)
        assert found is not None
        assert (found.item, found.field, found.factor, found.verdict) == (pytest.approx(ITEM), pytest.approx(FIELD), pytest.approx(FIELD / ITEM), "not the same")
    assert costs.pair(results, ("java", "jaxb"), "serialize", "String") is None
    assert costs.pair(results, ("java", "jaxb"), "deserialize", "int") is None


@pytest.mark.parametrize(("field", "reach", "expected"), [(109, 0, "the same"), (112, 0, "not the same"), (112, 20, "not told apart"), (88, 0, "not the same"), (91, 50, "the same")])
def test_when_they_are_the_same(field: float, reach: float, expected: str) -> None:
    assert costs.Pair(100, 0, field, reach).verdict == expected


def test_what_is_as_in_the_paper_agrees(tmp_path: Path) -> None:
    results = as_in_the_paper(tmp_path)
    findings = costs.findings(results)
    assert len(findings) == 2 * (2 + 2 + 1 + 2)
    assert [found for found in findings if not found.agrees] == []
    assert costs.verdict(results) == (
        "One more item of an array and one more field of a composite (integers and doubles) cost the same: .NET XmlSerializer writing, .NET XmlSerializer reading, Java JAXB reading; "
        "not the same: Java JAXB writing."
    )


def test_what_is_otherwise_differs(tmp_path: Path) -> None:
    rows = [*stack("java", "jaxb", "serialize", field=ITEM), fit("java", "jaxb", "serialize", {"at": 1000.0, "low": 900.0, "high": 1100.0})]
    rows += [*stack("java", "jaxb", "deserialize"), fit("java", "jaxb", "deserialize", {"at": 128.0, "low": 120.0, "high": 130.0})]
    found = {each.what: each for each in costs.findings(measured(tmp_path, rows))}
    assert [each.agrees for what, each in found.items() if what.startswith("Java JAXB") and ("cut-off" in what or "field" in what)] == [False] * 4
    assert {each.ours for what, each in found.items() if what.startswith(".NET")} == {"not measured"}
    assert {each.agrees for what, each in found.items() if what.startswith(".NET")} == {None}


@pytest.mark.parametrize(("low", "high", "agrees"), [(200, 210, True), (200, 204, False), (319, 400, True), (321, 400, False), (25, 140, False)])
def test_a_cut_off_agrees_by_its_interval(tmp_path: Path, low: float, high: float, agrees: bool) -> None:
    results = measured(tmp_path, [fit("csharp", "xmlserializer", "serialize", {"at": (low + high) / 2, "low": low, "high": high})])
    (found,) = [each for each in costs.findings(results) if each.theirs == "at 256"]
    assert found.agrees is agrees


def test_coefficients_that_differ() -> None:
    """COST-26: variances 4 and 9, covariance 2, many degrees of freedom: the difference has an interval of 1.96 * 3."""
    profile = {
        "freedom": 100_000,
        "coefficients": [{"feature": "message", "ns": 1}, {"feature": "field.int", "ns": 100}, {"feature": "item.int", "ns": 105}, {"feature": "item.long", "ns": 130}],
        "covariance": [1, 0, 4, 0, 2, 9, 0, 0, 0, 0],
    }
    assert costs.differ(profile, "field.int", "item.int") is False
    assert costs.differ(profile, "field.int", "item.long") is True
    assert costs.differ(profile, "item.int", "item.int") is False
    assert costs.differ(profile, "field.int", "item.short") is None


def test_points_and_fits_become_rows() -> None:
    points = [
        {"target": "java", "wire": "jaxb", "way": "serialize", "request": "ints ints.v=100", "bytes": "1234", "measured_ns": "10.123", "fitted_ns": ""},
        {"target": "java", "wire": "jaxb", "way": "serialize", "request": "ints ints.v=100", "bytes": "1235", "measured_ns": "11", "fitted_ns": "1"},
        {"target": "java", "wire": "jaxb", "way": "serialize", "request": "nothing", "bytes": "1", "measured_ns": "11", "fitted_ns": "1"},
    ]
    (row,) = cost.point_rows(points)
    assert (row["workload"], row["size"], row["samples"], row["sent"]) == ("int[]", 100, [[10.12, 11.0]], 1234)
    both = {
        "r2": 1, "medianError": 0, "highError": 0, "points": 9, "noise": 1, "freedom": 7, "covariance": [0, 0, 0],
        "coefficients": [{"feature": "field.int", "ns": 1, "low": 1, "high": 1}, {"feature": "item.int", "ns": 2, "low": 2, "high": 2}],
    }  # fmt: skip
    profile = {"targets": [{"target": "java", "version": "17", "wires": [{"wire": "jaxb", "serialize": both, "deserialize": {**both, "cut": {"at": 1, "low": 1, "high": 1}}}]}]}
    made = cost.fit_rows(profile)
    assert [(each["what"], each["fit"]["cut"], each["fit"]["differ"]) for each in made] == [("serialize", None, {"int": True}), ("deserialize", {"at": 1, "low": 1, "high": 1}, {"int": True})]


def test_a_peer_that_is_none_is_told() -> None:
    with pytest.raises(cost.Failed, match="no such peer: fory"):
        cost.plan([], ["fory"], True)
    assert cost.plan([], [], True).peers == ("jaxb", "xmlserializer", "soap")
    assert cost.plan(["c"], ["soap"], False) == cost.Plan(("c",), ("soap",), False)


def test_the_section_and_the_page_of_its_own(tmp_path: Path) -> None:
    results = as_in_the_paper(tmp_path)
    html = page.make(results, [], "")
    assert "cost the same: .NET XmlSerializer writing" in html
    assert html.count("agrees</td>") == len(costs.findings(results))
    blocks = cost_section.section(results).blocks
    for block in blocks:
        if block.chart is not None:
            assert vl_convert.vegalite_to_svg(block.chart, vl_version=VEGA_LITE).count("<path") > 5
    assert sum(block.chart is not None for block in blocks) == 2 + 3
    text = cost_section.markdown(results)
    assert text.startswith("# The cost of XML serialization\n\nBy `make bench`, load before 0, after 1; processor P,")
    assert "| .NET XmlSerializer, writing | 50, 50, 1.00×: the same (not the same) |" in text
    assert "| Java JAXB, writing |  | 2 (1.000) | 129 (108 to 148) | 128 |" in text
    widths = [line.count("|") for line in text.splitlines() if line.startswith("|")]
    assert min(widths) > 3
    assert cost_section.section(Results()).blocks == []
