"""The steps of `make bench` for each experiment, and that an interrupted run continues with its current step."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

import all as bench
import pytest


def options(**given: object) -> Namespace:
    return Namespace(**({"experiments": [], "full": False, "peer": [], "fresh": False} | given))


def step(name: str) -> bench.Step:
    return next(step for step in bench.STEPS if step.name == name)


def test_a_short_step_is_quick_and_a_full_one_is_not() -> None:
    short = step("creo").command(options(), Path("out"))
    full = step("creo").command(options(full=True), Path("out"))
    assert short[1:] == ["--results", "out", "--quick"]
    assert full[1:] == ["--results", "out"]
    # The whole set has the workloads that are ours, too.
    assert "reals" in step("wire-java").command(options(full=True), Path("out"))
    assert "reals" not in step("wire-java").command(options(), Path("out"))


def test_a_peer_is_passed_on() -> None:
    assert step("wire-c").command(options(peer=["hand", "nanopb"]), Path("out"))[-4:] == ["--peer", "hand", "--peer", "nanopb"]


def test_beginning_anew_forgets_what_a_step_had_measured() -> None:
    for each in bench.STEPS:
        assert ("--fresh" in each.command(options(fresh=True), Path("out"))) == (each.experiment in bench.WITH_JOURNAL)
        assert "--fresh" not in each.command(options(), Path("out"))
        script = Path(bench.ROOT, "bench", each.script.removeprefix("bench-").replace(".sh", ".py")).read_text()
        assert ('"--fresh"' in script) == (each.experiment in bench.WITH_JOURNAL), each.script


def test_an_interrupted_run_goes_on_and_another_one_does_not_disturb_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench, "HERE", tmp_path)
    bench.Journal(options()).add("wire-java", "done")
    other = bench.Journal(options(peer=["fory"]))
    assert not other.done
    other.add("wire-java", "no such peer")
    assert bench.Journal(options()).done == {"wire-java": "done"}
    assert not bench.Journal(options(fresh=True)).done
    assert bench.Journal(options(peer=["fory"])).done == {"wire-java": "no such peer"}
