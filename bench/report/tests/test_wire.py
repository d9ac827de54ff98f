"""The computations of the wire benchmark: its parts, its rows, and that an interrupted run continues."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import wire
from harness.journal import Journal, measure_parts
from harness.languages import LANGUAGES, Language, Part, Plan, named, same_bytes, wire_rows
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
    """One sample a round, which counts its turn."""
    return [
        named(f"{part.plan.workloads[0]}/{part.plan.sizes[0]}/{peer}/{operation}", part.plan, [float(part.turn + 1)] * part.plan.rounds)
        for peer in part.plan.peers
        for operation in ("serialize", "deserialize")
    ]


def test_every_cell_is_measured_in_every_round() -> None:
    java, c = LANGUAGES["java"].parts(PLAN), LANGUAGES["c"].parts(PLAN)
    # Java's rounds have separate processes, and a round ends before the next begins; C's are in one.
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
    rows = wire_rows({"java": cells(), "c": cells()}, parts, journal)
    assert len(rows) == 2 * 2 * 8
    assert {(row["language"], *row["ns"]) for row in rows} == {("java", 1.0, 2.0), ("c", 1.0, 1.0)}
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
    assert len(wire_rows({"java": cells()}, parts, journal)) == 16


def test_other_bytes_in_another_language_end_the_run() -> None:
    same_bytes({"java": cells(), "c": cells()})
    with pytest.raises(Failed, match="numbers of 100 bytes differ between java and c"):
        same_bytes({"java": cells(), "c": cells(crc=8)})


def test_a_run_that_is_stopped_at_the_text_wires_does_not_measure_the_binary_one_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[tuple[str, ...]] = []

    class Fake(Language):
        name = "c"
        peers = text_peers = ("creo",)
        stops = True

        def build(self, text: bool) -> None:
            pass

        def check(self, plan: Plan) -> list[dict[str, Any]]:
            return [{"workload": group.workloads[0], "size": group.sizes[0], "peer": "creo", "bytes": 9, "crc": 7} for group in plan.groups()]

        def measure(self, part: Part) -> list[dict[str, Any]]:
            if part.plan.text and self.stops:
                raise KeyboardInterrupt
            done.append(part.plan.workloads)
            return measured(part)

        def versions(self, text: bool) -> dict[str, str]:
            return {"compiler": "1"}

    fake = Fake()
    monkeypatch.setattr(wire, "LANGUAGES", {"c": fake})
    monkeypatch.setattr(wire, "BUILD", tmp_path)
    monkeypatch.setattr("sys.argv", ["bench-wire", "--workload", "numbers", "--workload", "soap", "--size", "1k", "--message", "short", "--results", str(tmp_path)])
    assert wire.main() == 130
    fake.stops = False
    assert wire.main() == 0
    assert done == [("numbers",), ("soap",)]
    assert (tmp_path / "wire.json").exists() and (tmp_path / "text.json").exists()
    assert not list((tmp_path / "wire").iterdir())
