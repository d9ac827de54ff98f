"""The benchmark of calls from Python: ratios that can be reckoned by hand; and a run of it, with calls so few that their times mean nothing."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import calls
import pytest
from synthetic import HEAD

ROOT = Path(__file__).resolve().parents[3]


def row(peer: str, callers: int, *samples: float) -> calls.Row:
    return {"peer": peer, "kind": "threads", "callers": callers, "calls": list(samples), "cpu": [20, 30]}


def test_ratios_are_of_one_round() -> None:
    rows = [row("creo+accelerator", 1, 8_000, 10_000), row("grpc", 1, 1_000, 2_500), row("creo+accelerator", 16, 12_000, 15_000)]
    text = calls.markdown({**HEAD, "core": 0, "versions": {"JDK": "17"}, "rows": rows})
    assert "- 1 thread with the accelerator: 6.00× ±1.00 the calls of gRPC's, wanted 4×: reached" in text
    assert "- 16 threads with the accelerator: 1.50× ±0.00 the calls of those of one, wanted 2×: **falls short**" in text
    assert "| blocking calls | 1 | creo+accelerator | 9,000 ±6% | 6.00× ±1.00 |  | 25 |" in text
    assert "| blocking calls | 16 | creo+accelerator | 13,500 ±6% |  | 1.50× ±0.00 | 25 |" in text
    assert "pinned to one core" in text


def test_a_short_run_measures_every_cell(request: pytest.FixtureRequest, tmp_path: Path) -> None:
    if missing := {"java", "python"} & set(request.config.getoption("--without").split(",")):
        pytest.skip(f"{', '.join(sorted(missing))} (--without)")
    command = [ROOT / "scripts" / "bench-calls.sh", "--without-grpc", "--rounds", "2", "--calls", "32", "--results", tmp_path]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "calls.md").read_text() in done.stdout
    rows = json.loads((tmp_path / "calls.json").read_text())["rows"]
    assert {(row["peer"], row["kind"], row["callers"]) for row in rows} == {(peer, kind, count) for peer in ("creo", "creo+accelerator") for kind in calls.KINDS for count in (1, 16)}
    assert all(len(row["calls"]) == 2 and len(row["cpu"]) == 2 and min(row["calls"]) > 0 for row in rows)
