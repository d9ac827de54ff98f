"""Conclusions of the papers on messaging, with values that can be computed by hand."""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast

import pytest
import vl_convert
from harness import messaging as harness
from harness.tools import Failed
from report import charts, messaging, messaging_page, sections
from report.__main__ import VEGA_LITE
from report.measures import Results, load
from synthetic import call_row, write

Row = dict[str, Any]
SMALL, LARGE = 1_300_000, 22_200_000
MS = 1_000_000


def row(peer: str, workload: str, size: int, what: str, milliseconds: float, **other: Any) -> Row:
    return call_row(peer, size, [[milliseconds * MS]], workload=workload, what=what, placement="free", **other)


def rows(peer: str = "creo") -> list[Row]:
    """
    Normal over HTTP takes 10 ms and 200 ms, serialized 20 ms and 200 ms of which 1 ms and 4 ms, then 1 ms and 2 ms, are the two steps; over JMS both take half as long again;
    compressed takes 20 ms and 300 ms, with a tenth of the bytes.
    """
    made = []
    for size, normal, serialized, packed, steps in ((SMALL, 10, 20, 20, (1, 1)), (LARGE, 200, 200, 300, (4, 2))):
        made += [row(peer, "normal/http", size, "response", normal, received=2 * size), row(peer, "serialized/http", size, "response", serialized, received=size)]
        made += [row(peer, "gzip/http", size, "response", packed, received=size // 5)]
        made += [row(peer, "normal/jms", size, "response", normal * 1.5, received=2 * size), row(peer, "serialized/jms", size, "response", serialized * 1.5, received=size)]
        made += [row(peer, "serialized/http", size, what, value) for what, value in zip(("serialization", "deserialization"), steps)]
        made += [row(peer, "serialized/http", size, f"cpu-{what}", value) for what, value in zip(("serialization", "deserialization"), steps)]
        for workload in ("normal/http", "serialized/http"):
            made += [row(peer, workload, size, "generation", size / MS), row(peer, workload, size, "cpu-generation", 3)]
            made += [row(peer, workload, size, "cpu-service", 33), row(peer, workload, size, "cpu-client", 20)]
    return made


def loaded(folder: Path, found: list[Row]) -> Results:
    write(folder, "messaging", found)
    return load(folder)


def seen(results: Results, what: str) -> messaging.Seen:
    (found,) = (each for each in messaging.conclusions(results) if each.what.startswith(what))
    return found.seen["creo"]


def test_a_conclusion_is_judged_by_what_was_measured(tmp_path: Path) -> None:
    results = loaded(tmp_path, rows())
    # 2 of 20 ms, and 6 of 200 ms; of 53 ms of both programs.
    assert seen(results, "serializing and deserializing take 2 to 3 %") == messaging.Seen("3% to 10% of the transaction, 4% to 11% of its processor time", False)
    assert seen(results, "serializing and deserializing cost the same whatever") == messaging.Seen("2 ms to 6 ms: 3× for 17.1× the payload", False)
    assert seen(results, "both cost the same") == messaging.Seen("serializing takes 1× to 2× as long as deserializing", False)
    assert seen(results, "serializing costs more") == messaging.Seen("serializing takes 1× to 2× as long as deserializing", True)
    assert seen(results, "the serialized message takes longer") == messaging.Seen("takes 1× to 2× as long; 1.41× on average", True)
    assert seen(results, "serializing is worth more") == messaging.Seen("2× as long as normal at 1.3 MB, 1× at 22.2 MB", True)
    assert seen(results, "generating the payload takes the same") == messaging.Seen("1.3 ms to 22.2 ms: 17.1× for 17.1× the payload", False)
    assert seen(results, "generating takes longer").agrees is True
    assert seen(results, "JMS is faster than HTTP: normal") == messaging.Seen("HTTP takes 0.667× as long as JMS; 0.667× on average", False)
    assert seen(results, "normal over JMS is the quickest").agrees is False
    assert seen(results, "serialized messages need less") == messaging.Seen("50% of the normal message's bytes", True)
    assert seen(results, "the largest transaction") == messaging.Seen("200 ms at 22.2 MB: 9.21× as fast", None)


def test_a_few_percent_are_two_to_three(tmp_path: Path) -> None:
    found = [each for each in rows() if each["size"] == LARGE]
    assert seen(loaded(tmp_path, found), "serializing and deserializing take 2 to 3 %") == messaging.Seen("3% of the transaction, 11% of its processor time", True)


def test_the_sides_are_without_the_steps(tmp_path: Path) -> None:
    results = loaded(tmp_path, rows())
    cells = messaging.Cells(results)
    # 33 - 3 of generating, and of the serialized object 1 and 4 of serializing less.
    assert cells.side("creo", "normal/http", "server") == {SMALL: 30 * MS, LARGE: 30 * MS}
    assert cells.side("creo", "serialized/http", "server") == {SMALL: 29 * MS, LARGE: 26 * MS}
    assert cells.side("creo", "serialized/http", "client") == {SMALL: 19 * MS, LARGE: 18 * MS}
    assert seen(results, "the client takes the most") == messaging.Seen("the client has 40% of both sides' processor time", False)


def test_compression_pays_below_some_speed(tmp_path: Path) -> None:
    results = loaded(tmp_path, rows())
    # 2,340,000 bytes in 10 ms, and 39,960,000 in 100 ms.
    assert [round(each) for each in messaging.break_even(messaging.Cells(results), "creo", "normal")] == [1872, 3197]
    assert seen(results, "compressing the normal message pays").text == "takes 1.5× to 2× as long as uncompressed here, with 10% of the bytes; pays on a network below 1,872 to 3,197 Mbit/s"
    assert seen(results, "compressing the normal message is better").agrees is False
    quicker = [{**each, "samples": [[MS]]} if each["workload"] == "gzip/http" else each for each in rows()]
    assert seen(loaded(tmp_path, quicker), "compressing the normal message pays") == messaging.Seen("takes 0.005× to 0.1× as long as uncompressed here, with 10% of the bytes; pays on every network", True)


def test_what_was_not_measured_is_not_judged(tmp_path: Path) -> None:
    results = loaded(tmp_path, [each for each in rows() if each["workload"] == "normal/http"])
    judged = [each for each in messaging.conclusions(results) if each.seen]
    assert {each.what for each in judged if "serialized" in each.what} == set()
    assert all("cxf" not in each.seen for each in judged)
    assert "not measured" in messaging_page.markdown({"rows": rows(), "machine": {"processor": "P", "cpus": 2, "memory": "1 GiB", "kernel": "L"}, "runs": []})


def test_the_figures_have_a_line_for_each_part(tmp_path: Path) -> None:
    results = loaded(tmp_path, [*rows(), *rows("cxf"), *rows("creo-again")])
    assert {m.peer for m in messaging.parts(results, "normal/http")} == {"transaction", "client", "server", "generation"}
    assert {m.peer for m in messaging.parts(results, "serialized/http")} == {"transaction", "client", "server", "generation", "serialization", "deserialization"}
    four = messaging.transactions(results, ["normal/http", "normal/jms"])
    assert {(m.peer, m.placement) for m in four} == {(line, peer) for line in ("normal over HTTP", "normal over JMS") for peer in ("Creo", "Apache CXF")}
    chart = charts.by_payload(four, "normal over HTTP", "transaction")
    assert chart is not None
    assert vl_convert.vegalite_to_svg(chart, vl_version=VEGA_LITE).count("<path") > 5


def test_the_section_shows_figures_conclusions_and_refusals(tmp_path: Path) -> None:
    refused = call_row("cxf", SMALL, [], workload="gzip/jms", cannot="too large")
    results = loaded(tmp_path, [*rows(), *rows("cxf"), *rows("creo-again"), refused])
    section = sections.messages(results)
    titles = [block.title for block in section.blocks]
    assert [title.split(":")[0] for title in titles if title.startswith("figure")] == [
        "figure 1 of the first paper, 3 of the second", "figure 2, and 4", "figure 6", "figure 7", "figure 3 of the first paper, 5 of the second", "figure 8", "figure 9",
    ]  # fmt: skip
    assert "A/A check" in section.note
    assert titles[-1] == "what peers cannot do"
    table = sections.peer_table(results)
    assert [row[0].text for row in table.rows].count("Apache CXF") == 5
    assert table.rows[0][2].text == "1× (10 ms)"


def test_an_experiment_that_was_not_run_has_no_section(tmp_path: Path) -> None:
    assert sections.messages(loaded(tmp_path, [])).blocks == []


def test_the_short_set_is_chosen_by_names() -> None:
    every = harness.chosen([], [])
    assert len(every) == len(set(every)) == 26
    # The binary wire goes over TCP where the others go over HTTP, and over JMS as they do.
    assert {each.transport for each in every if each.form == "binary"} == {"tcp", "jms", "jms-volatile"}
    assert {each.peer for each in harness.chosen(["cxf"], [])} == {"creo", "cxf"}
    assert {each.workload for each in harness.chosen([], ["normal", "serialized", "jms"])} == {"normal/jms", "serialized/jms"}
    with pytest.raises(Failed, match="no such peer: axis2"):
        harness.chosen(["axis2"], [])


def test_every_round_begins_with_another_subject() -> None:
    plan = harness.Plan(harness.chosen([], []), (SMALL,), 3, 1, 1, 1, 1, 1)
    parts = plan.parts()
    assert len(parts) == 3 * 26
    assert len({parts[turn * 26].subject for turn in range(3)}) == 3
    assert len({tuple(part.key()) for part in parts}) == len(parts)


def test_bytes_of_a_call_may_come_by_a_new_connection() -> None:
    group = object.__new__(harness.Group)
    group.client = cast(Any, Client([{"a b": (100, 1000), "c d": (5, 5)}, {"a b": (110, 1500), "e f": (7, 70)}]))
    assert group.moved() == (17, 570)


class Client:
    """Returns its connections, and is asked for one call in between."""

    def __init__(self, told: list[dict[str, tuple[int, int]]]) -> None:
        self._told = told

    def connections(self) -> dict[str, tuple[int, int]]:
        return self._told.pop(0)

    def ask(self, question: str, seconds: float) -> str:
        assert (question, len(self._told)) == ("run 0 1", 1)
        return "{}"
