"""The benchmark of interceptors: differences that can be reckoned by hand; and a run of it, with calls so few that their times mean nothing."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import interceptors
import pytest
from harness.interceptors_build import LANGUAGES
from harness.tools import Failed
from synthetic import HEAD

ROOT = Path(__file__).resolve().parents[3]


def test_differences_are_of_neighbours() -> None:
    rows = interceptors.rows_of("java", "none 200000 40000\nclient 204000 40000\nservice 220000 44000\nnone 400000 50000\nclient 408000 50000\nservice 440000 55000\n", 10)
    assert rows[0] == {"language": "java", "kind": "none", "mean": [20_000, 40_000], "p99": [40_000, 50_000]}
    text = interceptors.markdown({**HEAD, "calls": 10, "rows": rows})
    assert "| Java | a client's interceptor, time of a call | 30.0 | 30.6 | +2.0% ±0.0% | reached |" in text
    assert "| Java | a service's interceptor, 99th percentile | 45.0 | 49.5 | +10.0% ±0.0% | **falls short** |" in text


@pytest.mark.parametrize("output", ["", "none 1 1\nclient 1 1\n"])
def test_a_kind_that_was_not_measured_is_an_error(output: str) -> None:
    with pytest.raises(Failed, match="not every kind"):
        interceptors.rows_of("c", output, 1)


def test_a_short_run_measures_every_language(request: pytest.FixtureRequest, tmp_path: Path) -> None:
    without = request.config.getoption("--without").split(",")
    if "java" in without:
        pytest.skip("java, in which the service is (--without)")
    languages = [language for language in LANGUAGES if language not in without]
    words = [word for language in languages for word in ("--only", language)]
    done = subprocess.run([ROOT / "scripts" / "bench-interceptors.sh", *words, "--blocks", "2", "--calls", "50", "--results", tmp_path], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "interceptors.md").read_text() in done.stdout
    rows = json.loads((tmp_path / "interceptors.json").read_text())["rows"]
    assert {(row["language"], row["kind"]) for row in rows} == {(language, kind) for language in languages for kind in ("none", "client", "service")}
    assert all(len(row["mean"]) == 2 and min(row["mean"]) > 0 for row in rows)
