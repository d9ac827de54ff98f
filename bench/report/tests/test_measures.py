from __future__ import annotations

from pathlib import Path

import pytest
from report.measures import Summary, in_order, load, median_rank
from synthetic import call_row, wire_row, write


def test_a_summary_has_median_and_quartiles() -> None:
    s = Summary.of([5, 1, 3, 2, 4])
    assert (s.median, s.low, s.high, s.count) == (3, 2, 4, 5)
    assert s.spread == pytest.approx(1 / 3)


def test_one_sample_has_no_spread() -> None:
    s = Summary.of([7])
    assert (s.median, s.low, s.high, s.least, s.greatest, s.spread) == (7, 7, 7, 7, 7, 0)


def test_no_samples_are_refused() -> None:
    with pytest.raises(ValueError, match="no samples"):
        Summary.of([])


# By the tables of the sign test: of 20 sorted samples, the 6th and the 15th hold the median between them in 95 of 100 runs, of 100 the 40th and the 61st.
@pytest.mark.parametrize(("count", "rank"), [(1, 0), (5, 0), (6, 0), (8, 0), (9, 1), (12, 2), (20, 5), (100, 39)])
def test_the_interval_of_the_median_leaves_out_as_many_as_the_sign_test_says(count: int, rank: int) -> None:
    assert median_rank(count) == rank


def test_the_interval_of_few_samples_is_their_range() -> None:
    s = Summary.of([4, 9, 1])
    assert (s.least, s.greatest) == (1, 9)


def test_messages_stand_in_the_papers_order() -> None:
    assert in_order(["jpeg", "short", "medium"]) == ["short", "medium", "jpeg"]
    assert in_order([1000, 100]) == [100, 1000]


def test_every_kind_of_file_is_read(tmp_path: Path) -> None:
    write(tmp_path, "wire", [wire_row("creo", 100, [1, 2, 3], 101), wire_row("creo", 1000, [], 1001)])
    write(tmp_path, "soap", [{"part": "services", "subject": "creo", "message": "simple", "connections": 4, "calls": [10, 20], "cpu": [3.5]}])
    write(tmp_path, "creo", [call_row("creo", 100, [[1, 2], [3]], sent=120), call_row("axis2", 100, [], cannot="too large")])
    write(tmp_path, "sizes", [{"message": "short", "form": "soap", "bytes": 300, "gzip": 200}])
    results = load(tmp_path)
    assert results.missing == ["text", "tdxml", "messaging", "cost-paper"]
    (wire,) = results.of("wire")
    assert (wire.summary.median, wire.bytes, wire.size) == (2, 101, 100)
    calls, cpu = results.of("soap")
    assert (calls.callers, calls.summary.median, calls.unit) == (4, 15, "1/s")
    assert (cpu.summary.median, cpu.unit) == (3500, "ns")
    (response,) = results.of("creo")
    assert (response.summary.median, response.summary.count, response.bytes) == (2, 3, 120)
    assert results.cannot[0]["why"] == "too large"
    assert results.sizes[0]["bytes"] == 300


def test_an_empty_folder_holds_nothing(tmp_path: Path) -> None:
    results = load(tmp_path)
    assert results.measures == []
    assert len(results.missing) == 8
