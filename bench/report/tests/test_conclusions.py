"""The sentence over a plot, the goals that are drawn in it, and targets in words."""

from __future__ import annotations

from pathlib import Path

from report import charts, conclusions, words
from report.measures import Results, load
from synthetic import wire_rows, write

TARGETS = [
    {"language": "java", "workload": "numbers", "operation": "serialize", "peer": "thrift-binary", "at_least": 10},
    {"language": "java", "workload": "numbers", "operation": "serialize", "peer": "fory", "at_least": 1},
]


def measured(folder: Path) -> Results:
    write(folder, "wire", wire_rows())
    return load(folder)


def test_a_sentence_says_who_is_ahead_and_where_creo_is_not(tmp_path: Path) -> None:
    said = conclusions.conclusion(measured(tmp_path).of("wire"), "creo")
    assert said == "To write, Creo is faster than the best peer in none of 2 cases, about as good in 1, and behind in 1: Fory is 2× as good at 10 kB."
    assert conclusions.conclusion([], "creo") == ""


def test_where_only_a_floor_was_measured_it_is_named(tmp_path: Path) -> None:
    found = [m for m in measured(tmp_path).of("wire") if m.peer in ("creo", "hand")]
    assert conclusions.conclusion(found, "creo") == "Creo takes 10× to 10× the time of hand-written code without checks; no other product was measured."


def test_the_goal_that_asks_for_most_is_drawn(tmp_path: Path) -> None:
    found = list(measured(tmp_path).of("wire"))
    goals, told = conclusions.goals(found, TARGETS)
    # All sizes together: fory's 110 and 500 ns are less than a tenth of thrift-binary's 400 and 9,000.
    assert [(m.peer, m.size, m.summary.median) for m in goals] == [("goal", 1000, 110.0), ("goal", 10_000, 500.0)]
    assert told == " The dotted grey line is the goal: to write at least as fast as Fory."
    assert conclusions.goals(found, []) == ([], "")


def test_a_plot_has_few_lines_and_ours_among_them(tmp_path: Path) -> None:
    shown = {m.peer for m in charts.few(measured(tmp_path).of("wire"), "creo")}
    assert "creo" in shown
    assert len(shown) <= charts.MOST + 1


def test_targets_are_told_in_words() -> None:
    assert words.what(TARGETS[0]) == "Java: write numbers"
    assert words.wanted(TARGETS[1]) == "at least as fast as Fory"
    assert words.goal(0.909, "a bare socket") == "at least 91% of the speed of a bare socket"
    assert words.wanted({"sizes": "tdxml-record-in-soap", "message": "medium", "smaller": 0.55}) == "at least 55% smaller than SOAP"
