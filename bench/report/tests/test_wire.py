"""What the benchmark of the wires reckons: its parts, its rows, and that an interrupted run goes on."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from harness.journal import Journal, measure_parts
from harness.languages import LANGUAGES, Part, Plan, named, rows_of, same_bytes
from harness.tools import Failed

PLAN = Plan(workloads=("numbers", "bytes"), sizes=(100, 1000), peers=("creo", "hand"), rounds=2, quick=False)


def cells(crc: int = 7) -> list[dict[str, Any]]:
    return [
        {"workload": workload, "size": size, "peer": peer, "bytes": 9, "crc": crc}
        for workload in PLAN.workloads
        for size in PLAN.sizes
        for peer in PLAN.peers
    ]


def measured(part: Part) -> list[dict[str, Any]]:
    """One sample a round: its turn."""
    return [
        named(f"{part.plan.workloads[0]}/{part.plan.sizes[0]}/{peer}/{operation}", part.plan, [float(part.turn)] * part.plan.rounds)
        for peer in part.plan.peers
        for operation in ("serialize", "deserialize")
    ]


def test_every_cell_is_measured_in_every_round() -> None:
    java, c = LANGUAGES["java"].parts(PLAN), LANGUAGES["c"].parts(PLAN)
    # Java's rounds have processes of their own, and a round ends before the next begins; C's are in one.
    assert [part.turn for part in java] == [0] * 4 + [1] * 4
    assert {part.plan.rounds for part in java} == {1}
    assert [(part.turn, part.plan.rounds) for part in c] == [(0, 2)] * 4
    assert len({str(part.key()) for part in java + c}) == 12


def test_only_peers_of_the_language_take_part() -> None:
    parts = LANGUAGES["c"].parts(replace(PLAN, peers=("creo", "fory")))
    assert {part.plan.peers for part in parts} == {("creo",)}


def test_rows_hold_the_samples_of_all_rounds(tmp_path: Path) -> None:
    parts = LANGUAGES["java"].parts(PLAN) + LANGUAGES["c"].parts(PLAN)
    journal = Journal(tmp_path, PLAN, fresh=False)
    measure_parts("bench-wire", parts, journal, measured)
    rows = rows_of({"java": cells(), "c": cells()}, parts, journal)
    assert len(rows) == 2 * 2 * 8
    assert {(row["language"], *row["ns"]) for row in rows} == {("java", 0.0, 1.0), ("c", 0.0, 0.0)}
    assert list(rows[0]) == ["language", "workload", "size", "peer", "operation", "bytes", "crc", "ns"]


def test_an_interrupted_run_measures_only_what_is_left(tmp_path: Path) -> None:
    parts = LANGUAGES["java"].parts(PLAN)

    def stopped(part: Part) -> list[dict[str, Any]]:
        if part == parts[5]:
            raise KeyboardInterrupt
        return measured(part)

    with pytest.raises(KeyboardInterrupt):
        measure_parts("bench-wire", parts, Journal(tmp_path, PLAN, fresh=False), stopped)
    left: list[Part] = []
    journal = Journal(tmp_path, PLAN, fresh=False)
    measure_parts("bench-wire", parts, journal, lambda part: left.append(part) or measured(part))  # type: ignore[func-returns-value]
    assert left == parts[5:]
    assert len(rows_of({"java": cells()}, parts, journal)) == 16


def test_other_bytes_in_another_language_end_the_run() -> None:
    same_bytes({"java": cells(), "c": cells()})
    with pytest.raises(Failed, match="numbers of 100 bytes differ between java and c"):
        same_bytes({"java": cells(), "c": cells(crc=8)})
