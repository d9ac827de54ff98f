from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from harness.report import size_name, times
from report.compare import amount, best_of_protocols, best_peers, mean, noise, outcomes, overheads, ratios
from report.measures import Results, load
from synthetic import call_row, wire_row, wire_rows, write

Row = dict[str, Any]


def loaded(folder: Path, name: str, rows: list[Row]) -> Results:
    write(folder, name, rows)
    return load(folder)


def test_a_ratio_says_how_many_times_as_long_a_peer_takes(tmp_path: Path) -> None:
    found = {(each.peer.peer, each.peer.size): each for each in ratios(loaded(tmp_path, "wire", wire_rows()).of("wire"), "creo")}
    assert found["thrift-binary", 1000].value == 4
    assert found["thrift-binary", 1000].verdict == "ahead"
    assert found["fory", 1000].verdict == "tie"
    assert found["fory", 10_000].value == 0.5
    assert found["fory", 10_000].verdict == "behind"
    assert found["thrift-binary", 1000].low < 4 < found["thrift-binary", 1000].high


def test_more_calls_are_better(tmp_path: Path) -> None:
    rows = [call_row("creo", 100, [[50]], what="calls", unit="1/s"), call_row("rmi", 100, [[100]], what="calls", unit="1/s")]
    (each,) = ratios(loaded(tmp_path, "creo", rows).of("creo"), "creo")
    assert (each.value, each.verdict) == (0.5, "behind")


def test_the_best_peer_is_neither_a_floor_nor_ours(tmp_path: Path) -> None:
    rows = [*wire_rows(), wire_row("creo-view", 1000, [1, 1], 1001)]
    found = {each.peer.size: each.peer.peer for each in best_peers(loaded(tmp_path, "wire", rows).of("wire"), "creo")}
    assert found == {1000: "fory", 10_000: "fory"}


def test_ratios_never_cross_cells(tmp_path: Path) -> None:
    rows = [call_row("creo", 100, [[10]]), call_row("grpc", 100, [[90]], placement="free"), call_row("grpc", 1000, [[90]]), call_row("grpc", 100, [[90]], callers=4)]
    assert ratios(loaded(tmp_path, "creo", rows).of("creo"), "creo") == []


def test_the_better_of_two_protocols_counts(tmp_path: Path) -> None:
    found = best_of_protocols(loaded(tmp_path, "wire", wire_rows()).of("wire"), "creo", {"thrift-binary", "thrift-compact"})
    assert found == {1000: 4, 10_000: 9}


def test_the_check_of_a_program_against_itself_shows_the_noise(tmp_path: Path) -> None:
    rows = [call_row(peer, size, [[value]]) for peer, size, value in (("creo", 100, 10), ("creo-again", 100, 12), ("creo", 1000, 10), ("creo-again", 1000, 8), ("rmi", 100, 99))]
    assert noise(loaded(tmp_path, "creo", rows).of("creo")) == pytest.approx(1.2375)
    assert noise([]) is None


def test_the_mean_of_twice_and_half_is_one() -> None:
    assert mean([2, 0.5]) == pytest.approx(1)


def test_bytes_of_a_peer_are_told_apart_by_language_where_they_differ(tmp_path: Path) -> None:
    rows = [
        *(wire_row("creo", 100, [1], 101, language=language) for language in ("java", "c")),
        wire_row("thrift-binary", 100, [1], 179),
        wire_row("thrift-binary", 100, [1], 171, language="c"),
        wire_row("hand", 100, [1], 50),
    ]
    assert overheads(loaded(tmp_path, "wire", rows)) == {"numbers": {"creo": {100: 101}, "thrift-binary (java)": {100: 179}, "thrift-binary (c)": {100: 171}}}


def test_targets_of_bytes(tmp_path: Path) -> None:
    results = loaded(tmp_path, "wire", [*wire_rows(), wire_row("tiny", 1000, [1], 1000)])
    all_of_them, named, absent = outcomes([{"overhead": "numbers", "peers": "*"}, {"overhead": "numbers", "peers": ["fory"]}, {"overhead": "reals", "peers": "*"}], results)
    assert all_of_them.missed == ("1 kB (tiny)",)
    assert named.verdict == "reached"
    assert "1 kB: 1001 against 1008 of fory" in named.reached
    assert absent.verdict == "not measured"


def test_targets_of_response_times(tmp_path: Path) -> None:
    rows = [call_row(peer, size, [[value]]) for size, values in ((100, (10, 50, 30)), (1000, (20, 50, 30))) for peer, value in zip(("creo", "thrift-binary", "thrift-compact"), values)]
    target = {"response": "numbers", "of": "java", "placement": "pinned", "peers": ["thrift-binary", "thrift-compact"], "at_least": 1.87}
    results = loaded(tmp_path, "creo", rows)
    every, small, absent = outcomes([target, {**target, "to": 100}, {**target, "placement": "free"}], results)
    assert every.reached == "100 B: 3×, 1 kB: 1.5×"
    assert every.verdict == "falls short at 1 kB"
    assert small.verdict == "reached"
    assert absent.missed is None
    (every,) = outcomes([target], loaded(tmp_path, "creo", [*rows, call_row("raw", 1000, [[25]])]))
    assert every.verdict == "falls short at 1 kB (raw: 1.2×)"
    # A peer that was measured before its compilers were done judges nothing, here as on the experiment's own page.
    cold = [{**row, "cold": row["peer"] != "creo"} for row in rows]
    (every,) = outcomes([target], loaded(tmp_path, "creo", cold))
    assert every.missed is None


def test_targets_of_the_other_experiments_are_judged_as_their_pages_do(tmp_path: Path) -> None:
    write(tmp_path, "wire", wire_rows())
    write(tmp_path, "soap", [{"part": "services", "subject": subject, "message": "simple", "connections": 1, "calls": [calls], "cpu": [1]} for subject, calls in (("creo", 100), ("cxf", 80))])
    write(tmp_path, "sizes", [{"message": "simple", "form": form, "bytes": bytes_, "gzip": 1} for form, bytes_ in (("soap", 1000), ("binary", 700))])
    wire, calls, sizes = outcomes(
        [
            {"language": "java", "workload": "numbers", "operation": "serialize", "peer": "thrift-binary", "at_least": 5},
            {"calls": "services", "subject": "creo", "peer": "cxf", "at_least": 1.5},
            {"sizes": "binary", "message": "simple", "smaller": 0.3},
        ],
        load(tmp_path),
    )
    assert wire.missed == ("1 kB",)
    assert calls.missed == ("simple, 1",)
    assert sizes.verdict == "reached"


@pytest.mark.parametrize(
    ("value", "unit", "text"), [(5, "ns", "5 ns"), (999.6, "ns", "1 µs"), (1500, "ns", "1.5 µs"), (2.5e6, "ns", "2.5 ms"), (3e9, "ns", "3 s"), (12345, "1/s", "12,345 a second")]
)
def test_amounts_have_units(value: float, unit: str, text: str) -> None:
    assert amount(value, unit) == text


def test_names_of_sizes_and_factors() -> None:
    assert [size_name(size) for size in (100, 1000, 10_000_000, "medium")] == ["100 B", "1 kB", "10 MB", "medium"]
    assert [times(value) for value in (1.234, 12.34, 234.5)] == ["1.23×", "12.3×", "234×"]
