"""The page of the tests' times by suite, which scripts/test.py keeps."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

SCRIPT = Path(__file__).resolve().parents[3] / "scripts" / "test.py"


@pytest.fixture(name="script")
def script_(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(SCRIPT.parent))
    spec = importlib.util.spec_from_file_location("creo_test_script", SCRIPT)
    assert spec and spec.loader
    made = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = made
    spec.loader.exec_module(made)
    return made


def test_the_longest_suite_is_first_and_what_did_not_run_has_no_row(script: ModuleType) -> None:
    results = [script.Result("short", 10, 0, "", 80.0, 12.0), script.Result("long", 1_234, 0, "a; b", 60.0, 108.0), script.Result("none", 0, 0, "a part of --all", 0.0)]
    page = script.record("", "quick", results, 61.0, "Taken on P.")
    assert "1 minutes, 1,244 tests. 100% of 2 minutes of processor time are in long, short. Taken on P." in page
    assert page.index("| long | 1,234 | 60 | 108 | 90.0% | a; b |") < page.index("| short | 10 | 80 | 12 | 10.0% |  |")
    assert "none" not in page


def test_the_times_of_the_whole_tier_are_read_again(script: ModuleType) -> None:
    page = script.record("", "quick", [script.Result("java", 5, 0, "", 7.0, 1.0)], 7.0, "Now.")
    page = script.record(page, "all", [script.Result("java-jms", 1_005, 0, "", 600.0, 300.0), script.Result("c", 1, 0, "", 2.0, 1.0)], 600.0, "Now.")
    assert script.seconds_by_suite(page) == {"java-jms": 600.0, "c": 2.0}
    assert script.seconds_by_suite("") == {}


def test_a_tier_takes_its_own_place_and_leaves_the_other(script: ModuleType) -> None:
    page = script.record("", "all", [script.Result("rust", 5, 0, "", 600.0, 600.0)], 600.0, "Before.")
    page = script.record(page, "quick", [script.Result("java", 7, 0, "", 60.0, 60.0)], 60.0, "Now.")
    again = script.record(page, "all", [script.Result("rust", 6, 0, "", 300.0, 300.0)], 300.0, "Later.")
    assert [line for line in again.splitlines() if line.startswith("## ")] == ["## `make test`", "## `make test-all`"]
    assert "Now." in again and "Later." in again and "Before." not in again
    assert again.count("| rust |") == again.count("| java |") == 1
    # Written again, it is the same.
    assert script.record(again, "all", [script.Result("rust", 6, 0, "", 300.0, 300.0)], 300.0, "Later.") == again


@pytest.mark.parametrize("others", [["rust"], ["--without", "csharp"]])
def test_a_part_of_a_tier_is_not_recorded(others: list[str]) -> None:
    told = subprocess.run([sys.executable, SCRIPT, "--record", *others], capture_output=True, text=True, check=False)
    assert told.returncode == 2
    assert "--record keeps the times of a whole tier" in told.stderr
