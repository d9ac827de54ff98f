"""The benchmark of streams: sums and ratios that can be reckoned by hand; and a run of it, with streams so short that their times mean nothing."""

from __future__ import annotations

import json
import struct
import subprocess
from pathlib import Path
from typing import Any

import pytest
from harness import streams, streams_report
from harness.journal import Journal
from harness.streams_build import LANGUAGES, PEERS, Peer
from synthetic import HEAD

ROOT = Path(__file__).resolve().parents[3]
Row = dict[str, Any]


def row(peer: str, ns: list[int | None], workload: str = "doubles", language: str = "java", **other: Any) -> Row:
    return {"language": language, "peer": peer, "workload": workload, "direction": "read", "items": 1000, "bytes": 64_000_000, "ns": ns, "cpu_service": ns, "cpu_client": ns, **other}


def memory(end: list[int], start: list[int]) -> Row:
    return {"language": "java", "peer": "creo", "side": "service", "start": start, "warm": start, "end": end}


def page(*rows: Row) -> str:
    return streams_report.markdown({**HEAD, "versions": {"JDK": "17"}, "block": 8000, "rounds": 2, "missing": {"grpc": "left out"}, "rows": list(rows)})


def naive_sum(stream: streams.Stream) -> int:
    """What a reader adds up, one by one."""
    if stream.length:
        total = stream.items * sum(int.from_bytes(struct.pack(">d", i / 2 + 1), "big") for i in range(stream.length))
    else:
        total = sum(1_700_000_000_000 + i + i % 8 + i % 1000 for i in range(stream.items))
    return (total + (1 << 63)) % (1 << 64) - (1 << 63)


@pytest.mark.parametrize("stream", [streams.Stream("doubles", 3, 5), streams.Stream("doubles", 4000, 8000), streams.Stream("structs", 1), streams.Stream("structs", 12_345)])
def test_the_sum_is_what_a_reader_adds_up(stream: streams.Stream) -> None:
    assert stream.sum() == naive_sum(stream)


def test_a_stream_is_a_question() -> None:
    assert streams.Stream("doubles", 3, 5).question("read") == "doubles read 3 5"
    assert streams.Stream("structs", 7).question("write") == "structs write 7"
    assert (streams.Stream("doubles", 3, 5).bytes, streams.Stream("structs", 7).bytes) == (120, 140)


def test_another_peer_begins_each_round() -> None:
    plan = streams.Plan(PEERS, doubles=80_000, block=8000, structs=100, grpc_structs=10, rounds=2)
    assert [part.key() for part in plan.parts()[:2]] == [[0, "java"], [0, "python"]]
    first, second = (plan.of_language(streams.Part(turn, "c"))[0].name for turn in (0, 1))
    assert (first, second) == ("creo", "bare")
    assert plan.stream(PEERS[0], "doubles") == streams.Stream("doubles", 10, 8000)
    assert plan.stream(PEERS[0], "doubles", 100) == streams.Stream("doubles", 1, 8000)
    assert plan.stream(Peer("grpc", "c", "GrpcPeer", ("structs",)), "structs") == streams.Stream("structs", 10)


def test_rounds_are_gathered_in_one_row(tmp_path: Path) -> None:
    parts = [streams.Part(turn, "java") for turn in (0, 1)]
    journal = Journal(tmp_path, "plan", fresh=True)
    head = {"language": "java", "peer": "bare", "workload": "doubles", "direction": "read", "items": 1, "bytes": 8}
    seen = {"language": "java", "peer": "bare", "side": "client"}
    journal.add(parts[0], [{**head, "cannot": "no answer"}])
    journal.add(parts[1], [{**head, "ns": 5, "cpu_service": 6, "cpu_client": 7}, {**seen, "start": 1, "warm": 2, "end": 3}])
    times = {"ns": [None, 5], "cpu_service": [None, 6], "cpu_client": [None, 7]}
    assert streams.rows_of(parts, journal) == [{**head, "cannot": "no answer", **times}, {**seen, "start": [1], "warm": [2], "end": [3]}]


def test_a_ratio_is_of_streams_of_one_round() -> None:
    mine, bare = row("creo", [200, 100, None, 400]), row("bare", [100, 100, 1, 100])
    found = streams_report.ratio(mine, bare)
    assert found is not None and (found.median, found.low, found.high) == (0.5, 0.375, 0.75)
    assert streams_report.ratio(row("creo", [None, 1]), row("bare", [1, None])) is None
    # gRPC's stream may have fewer structs: rates are compared.
    few = row("grpc", [100], "structs", items=100)
    found = streams_report.ratio(row("creo", [100], "structs"), few)
    assert found is not None and found.median == 10


def test_the_page_says_what_was_reached() -> None:
    python = row("creo+accelerator", [10_000_000], language="python", cpu_client=[64_000_000])
    text = page(row("creo", [10_000_000, 10_000_000]), row("bare", [5_000_000, 10_000_000]), python, memory([70_000, 60_000], [10_000, 10_000]))
    assert "| Java | from the service | 6,400 | 0.16 + 0.16 | 9,600 ±17% | 0.12 + 0.12 | 0.75× ±17% | **falls short** |" in text
    assert "| Python with the accelerator | from the service | 6,400 | 0.16 + 1.00 | not measured |  |  |  |" in text
    assert "| Java | service | 10 | 10 | 72 | 61 | reached |" in text
    assert "beside gRPC" not in text and "- gRPC: left out" in text
    assert "| Java | from the service | 9,500 | 0.11 + 0.11 | 10,000 | 0.10 + 0.10 | 0.95× | reached |" in page(row("creo", [1000], bytes=9500), row("bare", [1000], bytes=10_000))
    assert "| **falls short** |" in page(memory([72_500], [10_000]))


def test_a_stream_that_cannot_run_says_why() -> None:
    text = page(row("creo", [100, 100], "structs"), row("grpc", [None, None], "structs", cannot="it refuses"))
    assert "| Java | from the service | 10,000,000 | 0 + 0 | cannot: it refuses |  |  |  |" in text


@pytest.fixture(scope="module")
def ran(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Row:
    """The results of a tiny run of the whole program, without gRPC, which would have to be fetched. All sums were right, or it would have failed."""
    without = request.config.getoption("--without").split(",")
    if "java" in without:
        pytest.skip("java, in which the service is (--without)")
    folder = tmp_path_factory.mktemp("streams")
    words = [word for language in LANGUAGES if language not in without for word in ("--only", language)]
    small = ["--doubles", "160k", "--structs", "10k", "--rounds", "2", "--without", "grpc", "--fresh"]
    done = subprocess.run([ROOT / "scripts" / "bench-streams.sh", *words, *small, "--results", folder], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert (folder / "streams.md").read_text() in done.stdout
    found: Row = json.loads((folder / "streams.json").read_text())
    return found


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_stream_of_a_language_runs(language: str, ran: Row, request: pytest.FixtureRequest) -> None:
    if language in request.config.getoption("--without").split(","):
        pytest.skip(f"{language} (--without)")
    rows = [each for each in ran["rows"] if each["language"] == language]
    expected = {(peer.name, workload, direction) for peer in PEERS if peer.language == language and peer.name != "grpc" for workload in peer.workloads for direction in streams.DIRECTIONS}
    assert {(each["peer"], each["workload"], each["direction"]) for each in rows if "workload" in each} == expected
    assert all(len(each["ns"]) == 2 and None not in each["ns"] for each in rows if "workload" in each)
    sides = [each for each in rows if "side" in each]
    assert {(each["peer"], each["side"]) for each in sides} == {(name, side) for name, _, _ in expected for side in ("service", "client")}
    assert all(0 < start <= warm <= end for each in sides for start, warm, end in zip(each["start"], each["warm"], each["end"]))
