"""The page and the picture of the workloads."""

from __future__ import annotations

import xml.etree.ElementTree as tree
from typing import Any

import pytest
import workloads
from harness import workloads_report
from harness.tools import Failed
from harness.workloads import PROGRAMS, WORKLOADS, Cell
from report import languages

Row = dict[str, Any]


def rows_of(language: str, wire: str, peers: dict[str, list[float]], workload: str = "orders-100") -> list[Row]:
    """Each peer takes so long to encode, and twice as long to decode."""
    return [
        {"language": language, "workload": workload, "wire": wire, "peer": peer, "operation": operation, "bytes": 1000, "crc": 1, "ns": [sample * factor for sample in ns]}
        for peer, ns in peers.items()
        for operation, factor in (("encode", 1), ("build and encode", 1), ("decode", 2), ("decode and read", 2))
    ]


ROWS = [
    *rows_of("java", "binary", {"creo": [90, 100, 110], "creo-kept": [10, 10, 10], "fory": [50, 50, 50], "avro": [400, 400, 400]}),
    *rows_of("python", "binary", {"creo": [900, 900, 900], "creo+accelerator": [100, 100, 100], "msgspec": [110, 110, 110]}),
    *rows_of("c", "json", {"creo": [100, 100, 100], "yyjson": [300, 300, 300]}),
]


def test_losses_are_named_with_the_worst_cell() -> None:
    java, python, c = workloads_report.conclusion(ROWS)
    assert java == "- **Java** is ahead of the best peer in none of 4 cells and about as fast in none; behind in 4: fory on binary in 4, at worst Creo takes 2× its time (encode, orders-100)."
    assert python == "- **Python, with the accelerator,** is ahead of the best peer in none of 4 cells and about as fast in 4; never behind."
    assert c == "- **C** is ahead of the best peer in 4 of 4 cells and about as fast in none; never behind."


def test_a_peer_that_cannot_be_had_is_named_where_the_verdict_is() -> None:
    *_, c = workloads_report.conclusion(ROWS, {"c": {"fast": "it is not there"}, "java": {}})
    assert c.endswith("never behind. Not measured: fast.")


def test_ours_are_no_peers_and_the_best_peer_counts() -> None:
    found = {(ratio.language, ratio.operation): ratio for ratio in workloads_report.ratios(ROWS)}
    assert (found["java", "encode"].peer, found["java", "encode"].value) == ("fory", 0.5)
    assert (found["python", "decode"].mine, found["python", "decode"].peer) == ("creo+accelerator", "msgspec")


def test_a_run_of_a_part_replaces_whole_tables_of_the_earlier_results() -> None:
    def result(rows: list[Row], command: str, machine: str = "this") -> Row:
        languages = {row["language"]: {"version": command} for row in rows}
        return {"machine": machine, "runs": [{"command": command}], "versions": languages, "missing": {name: {} for name in languages}, "rows": rows}

    again = rows_of("python", "binary", {"creo": [800], "creo+accelerator": [50]})
    old = result(ROWS, "all")
    found = workloads.merged(old, result(again, "a part"))
    by_language = {name: [row for row in ROWS if row["language"] == name] for name in ("java", "c")}
    assert found["rows"] == [*again, *by_language["java"], *by_language["c"]]
    assert [run["command"] for run in found["runs"]] == ["all", "a part"]
    assert {name: versions["version"] for name, versions in found["versions"].items()} == {"java": "all", "python": "a part", "c": "all"}
    # Of a run of everything, nothing is left over.
    assert workloads.merged(old, result(ROWS, "again"))["runs"] == [{"command": "again"}]
    with pytest.raises(Failed, match="another machine"):
        workloads.merged(old, result(again, "a part", "another"))
    with pytest.raises(Failed, match="differs between"):
        workloads.merged(old, result([{**row, "crc": 2} for row in again], "a part"))


def test_a_table_has_medians_spreads_and_ratios() -> None:
    lines = workloads_report.table(ROWS, "java", "binary", "orders-100")
    assert lines[0] == "| 100 orders of five items | bytes | encode | build and encode | decode | decode and read |"
    assert lines[2].startswith("| **creo** | 1,000 | 100 ns ±5% |")
    assert lines[4].startswith("| fory | 1,000 | 0.5× (50 ns ±0%) |")


def test_the_picture_shows_every_language_the_fastest_first() -> None:
    drawn = tree.fromstring(languages.svg(ROWS))
    texts = [element.text for element in drawn.iter("{http://www.w3.org/2000/svg}text")]
    assert texts[:7] == ["Java, binary", "fory", "150 ns", "Creo", "300 ns", "avro", "1.2 µs"]
    assert "Python, binary" in texts and "C, JSON" in texts
    assert "creo-kept" not in texts
    # No text begins or ends outside of the picture, and none is smaller than 9 pixels on a phone, which has 358 for it.
    assert float(drawn.get("width", "0")) * 9 / 13 <= 358
    # At 13 pixels, a bold character is at most eight wide on average.
    assert all(len(languages.NAMES.get(peer, peer)) * (8 if peer.startswith("creo") else 7.4) <= languages.LABEL - 8 for program in PROGRAMS.values() for peers in program.peers.values() for peer in peers)
    widest = max(float(element.get("x", "0")) + float(element.get("width", "0")) for element in drawn.iter("{http://www.w3.org/2000/svg}rect"))
    assert widest <= languages.WIDTH
    assert languages.svg([]) == ""


def test_the_same_bytes_in_every_language_or_no_result() -> None:
    import workloads

    workloads.same_bytes(ROWS)
    with pytest.raises(Failed, match="orders-100 as binary differs between java and c"):
        workloads.same_bytes([*ROWS, {**ROWS[0], "language": "c", "crc": 2}])


def test_each_round_begins_with_another_peer() -> None:
    import workloads

    cells = [Cell("java", "orders-1", "json", peer) for peer in ("creo", "jackson", "fastjson2")]
    assert [part.cell.peer for part in workloads.parts_of(cells, 2)] == ["creo", "jackson", "fastjson2", "jackson", "fastjson2", "creo"]


def test_every_language_has_every_workload_on_both_wires() -> None:
    for program in PROGRAMS.values():
        found = {(cell.workload, cell.wire) for cell in program.cells() if cell.peer == "creo"}
        assert found == {(workload, wire) for workload in WORKLOADS for wire in ("binary", "json")} | {("orders-100", "soap")}
