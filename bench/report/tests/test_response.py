"""The computations of the response time benchmark: its plan, its journal, and its targets."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

from harness import response_report
from harness.journal import Journal, rows_of
from harness.response import Plan
from harness.response_peers import PEERS
from synthetic import call_row

PLAN = Plan(
    peers=tuple(peer for peer in PEERS if (peer.language, peer.name) in {("java", "creo"), ("java", "copy"), ("java", "grpc"), ("c", "creo")}),
    workloads=("numbers", "bytes"),
    sizes=(100, 1_000_000, 100_000_000),
    rounds=2,
    callers=(),
    parallel=(),
    first_warm_up=1,
    warm_up=1,
    seconds=1,
    longest=1,
)


def rows(**cells: Any) -> list[dict[str, Any]]:
    return [call_row(name.replace("_", "-"), 100, samples) for name, samples in cells.items()]


def test_every_peer_takes_part_once_in_a_round() -> None:
    parts = PLAN.parts()
    small = [(part.turn, part.peer.language, part.peer.name, part.workload) for part in parts if not part.large]
    assert len(small) == len(set(small)) == 2 * (3 + 4)
    assert ("java", "copy", "numbers") not in {part[1:] for part in small}
    # The largest payloads: the first round only.
    assert {part.turn for part in parts if part.large} == {0}
    assert sum(part.large for part in parts) == 3 + 4


def test_rounds_begin_with_another_peer() -> None:
    first = [next(part.peer.name for part in PLAN.parts() if part.turn == turn and part.workload == "numbers") for turn in (0, 1)]
    assert first[0] != first[1]


def test_an_interrupted_run_goes_on(tmp_path: Path) -> None:
    parts = PLAN.parts()
    journal = Journal(tmp_path, PLAN, fresh=False)
    journal.add(parts[0], rows(creo=[1]))
    # The run ended while the next part was being written.
    journal.path.write_text(journal.path.read_text() + '{"part": [0, "java"')
    again = Journal(tmp_path, PLAN, fresh=False)
    assert [again.has(part) for part in parts[:2]] == [True, False]
    again.add(parts[1], rows(grpc=[2]))
    assert [Journal(tmp_path, PLAN, fresh=False).has(part) for part in parts[:2]] == [True, True]


def test_a_run_of_another_plan_leaves_an_interrupted_one_as_it_is(tmp_path: Path) -> None:
    part = PLAN.parts()[0]
    Journal(tmp_path, PLAN, fresh=False).add(part, rows(creo=[1]))
    other = Journal(tmp_path, replace(PLAN, rounds=3), fresh=True)
    assert not other.parts
    other.end()
    assert Journal(tmp_path, PLAN, fresh=False).has(part)


def test_fresh_forgets(tmp_path: Path) -> None:
    Journal(tmp_path, PLAN, fresh=False).add(PLAN.parts()[0], rows(creo=[1]))
    assert not Journal(tmp_path, PLAN, fresh=True).parts


def test_rounds_become_one_cell(tmp_path: Path) -> None:
    journal = Journal(tmp_path, PLAN, fresh=False)
    java = [part for part in PLAN.parts() if (part.peer.language, part.peer.name, part.workload, part.large) == ("java", "creo", "numbers", False)]
    journal.add(java[0], [{**row, "sent": 7} for row in rows(creo=[1, 2])])
    journal.add(java[1], [{**row, "cannot": "it ended"} for row in rows(creo=[])])
    (cell,) = rows_of(PLAN.parts(), journal)
    assert (cell["samples"], cell["sent"], cell["cannot"]) == ([[1, 2]], 7, "it ended")


def test_targets_take_the_better_peer_and_judge_as_printed() -> None:
    found = response_report.Rows(rows(creo=[[100.0]], thrift_binary=[[300.0]], thrift_compact=[[186.9]]))
    target = {"response": "numbers", "of": "java", "placement": "pinned", "peers": ["thrift-binary", "thrift-compact", "grpc"], "at_least": 1.87}
    reached = response_report.reached(found, target)
    assert reached == {100: 1.869}
    assert response_report.missed(target, reached) == []
    assert response_report.missed({**target, "at_least": 1.88}, reached) == [100]
    assert response_report.reached(found, {**target, "from": 1000}) == {}


def test_what_falls_short_is_beside_what_a_bare_socket_reaches() -> None:
    target = {"response": "numbers", "of": "java", "placement": "pinned", "peers": ["grpc"], "at_least": 3}
    found = response_report.Rows(rows(creo=[[100.0]], grpc=[[270.0]], raw=[[90.0]]))
    assert response_report.shortfalls(found, target, {100: 2.7}) == ["100 B (raw: 3×)"]
    assert response_report.shortfalls(found, target, {100: 3.0}) == []
    # Nothing is beside itself, or beside what was not measured.
    assert response_report.shortfalls(found, {**target, "peers": ["raw"]}, {100: 0.9}) == ["100 B"]
    assert response_report.shortfalls(response_report.Rows(rows(creo=[[100.0]])), target, {100: 2.7}) == ["100 B"]


def test_a_cold_peer_judges_nothing() -> None:
    cells = rows(creo=[[100.0]], grpc=[[90000.0]])
    cells[1]["cold"] = True
    target = {"response": "numbers", "of": "java", "placement": "pinned", "peers": ["grpc"], "at_least": 3}
    assert response_report.reached(response_report.Rows(cells), target) == {}


def test_the_page_says_what_cannot_be_done() -> None:
    cells = rows(creo=[[100.0]], rmi=[])
    cells += [{**cell, "placement": "free"} for cell in cells]
    for cell in cells:
        if not cell["samples"]:
            cell["cannot"] = "out of memory"
    about = {"processor": "P", "cpus": 2, "memory": "1 GiB", "kernel": "L"}
    page = response_report.markdown({"machine": about, "runs": [], "versions": {"java": {"JDK": "17"}}, "rows": json.loads(json.dumps(cells))})
    assert "- Java, rmi, numbers, 100 B: out of memory" in page
    assert "| rmi | cannot |" in page
