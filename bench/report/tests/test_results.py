"""How a run's results take the place of older ones."""

from __future__ import annotations

from typing import Any

from harness import results
from synthetic import HEAD, call_row


def result(*rows: dict[str, Any], version: str, language: str = "java") -> dict[str, Any]:
    return {**HEAD, "experiment": "creo", "versions": {language: {"JDK": version}}, "rows": list(rows)}


def test_a_cell_is_replaced_with_all_its_peers() -> None:
    old = result(
        call_row("creo", 100, [[1]]), call_row("rmi", 100, [[2]]), call_row("creo", 1000, [[3]]), call_row("creo", 100, [[4]], workload="bytes"), version="17"
    )
    new = result(call_row("creo", 100, [[5]]), call_row("grpc", 100, [[6]]), version="21")
    found = results.merged(old, new)
    # A ratio of the old rmi and the new creo would be one of two runs.
    assert [(row["peer"], row["workload"], row["size"], row["samples"]) for row in found["rows"]] == [
        ("creo", "numbers", 100, [[5]]),
        ("grpc", "numbers", 100, [[6]]),
        ("creo", "numbers", 1000, [[3]]),
        ("creo", "bytes", 100, [[4]]),
    ]
    assert found["versions"] == {"java": {"JDK": "21"}}
    assert len(found["runs"]) == 2


def test_other_languages_stay() -> None:
    old = result(call_row("creo", 100, [[1]], language="c"), version="gcc", language="c")
    new = result(call_row("creo", 100, [[2]]), version="17")
    found = results.merged(old, new)
    assert [row["language"] for row in found["rows"]] == ["java", "c"]
    assert list(found["versions"]) == ["java", "c"]
