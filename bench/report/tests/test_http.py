"""The computations of the HTTP benchmark: the measured servers, ratios within a run, missed targets, and the bytes of an idle connection."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from harness import http_build, http_idle, http_report
from harness.tools import Failed
from synthetic import HEAD

TARGET = {"idle": "tcp", "bytes_below": 20000, "threads_below": 0.01}


def call_row(subject: str, calls: list[float], p99: float = 100, part: str = "http", jdk: int | None = 17, connections: int = 1) -> dict[str, Any]:
    times = {"p50": [50.0] * len(calls), "p99": [p99] * len(calls), "cpu": [20.0] * len(calls), "cpu_client": [10.0] * len(calls)}
    return {"part": part, "subject": subject, "jdk": jdk, "connections": connections, "calls": calls, **times, "load": [2.0] * len(calls), "others": [0.25] * len(calls)}


def idle_row(subject: str = "creo", **other: Any) -> dict[str, Any]:
    row = {"part": "idle", "subject": subject, "jdk": 17, "transport": "tcp", "connections": 10_000, "heap": [5000, 6000, 7000], "outside": [3000, 1000, 2000], "threads": [1, 2, 3], "held": [10_000] * 3}
    return {**row, **other}


def page(*rows: dict[str, Any]) -> str:
    about = HEAD["machine"]
    return http_report.markdown({"machine": about, "command": "make bench-http", "load_before": "0", "load_after": "1", "versions": {"JDK": "17"}, "rows": list(rows)})


def test_more_calls_and_less_time_are_better() -> None:
    mine, other = call_row("creo", [100, 200, 300], p99=50), call_row("jetty", [390, 400, 410], p99=200)
    assert http_report.ratio(mine, other, "calls") == 0.5
    assert http_report.ratio(mine, other, "p99") == 4
    assert http_report.ratio(mine, None, "calls") is None


def test_only_one_jdk_and_one_number_of_connections_are_compared() -> None:
    rows = [call_row("creo", [100]), call_row("jetty", [50]), call_row("jetty", [900], jdk=25), call_row("jetty", [900], connections=16), call_row("jetty", [900], part="json")]
    assert list(http_report.cells(rows, "http")[17, 1]) == ["creo", "jetty"]
    assert http_report.behind(rows) == []


def test_a_server_on_python_is_beside_those_of_each_jdk() -> None:
    cells = http_report.cells([call_row("creo", [100]), call_row("creo", [100], jdk=25), call_row("fastapi", [50], jdk=None), call_row("fastapi", [60], jdk=None, connections=16)], "http")
    assert {key: list(compared) for key, compared in cells.items()} == {(17, 1): ["creo", "fastapi"], (17, 16): ["fastapi"], (25, 1): ["creo", "fastapi"], (25, 16): ["fastapi"]}
    every = http_build.subjects(("creo", "helidon", "fastapi"), (http_build.Jdk(Path("/17"), "17"), http_build.Jdk(Path("/25"), "25")))
    assert [subject.title for subject in every] == ["creo-jdk17", "creo-jdk25", "helidon-jdk25", "fastapi"]


def test_losses_are_listed_and_the_creo_of_before_is_a_peer() -> None:
    rows = [call_row("creo", [100]), call_row("jetty", [200]), call_row(http_build.BEFORE, [100], p99=25)]
    assert http_report.behind(rows) == ["- http, JDK 17, 1 connection, beside jetty: calls/s 0.5×", "- http, JDK 17, 1 connection, beside creo-before: p99 0.25×"]
    # A ratio is judged as printed.
    assert http_report.behind([call_row("creo", [99_960]), call_row("jetty", [100_000])]) == []


def test_an_idle_connection_takes_what_is_in_the_heap_and_what_is_not() -> None:
    # By round: 8000, 7000 and 9000.
    assert http_report.per_connection(idle_row()).median == 8000


@pytest.mark.parametrize(
    ("row", "missed"),
    [
        (idle_row(), []),
        (idle_row(outside=[15_000, 13_999, 14_000]), ["bytes"]),
        (idle_row(outside=[14_999, 13_999, 13_000]), []),
        (idle_row(threads=[100, 100, 100]), ["threads"]),
        (idle_row(threads=[99, 99, 99]), []),
        (idle_row(held=[10_000, 9_999, 10_000]), ["connections closed"]),
        (idle_row(heap=[30_000] * 3, threads=[10_000] * 3, held=[0] * 3), ["bytes", "threads", "connections closed"]),
    ],
)
def test_a_target_is_missed_by_bytes_by_threads_or_by_connections(row: dict[str, Any], missed: list[str]) -> None:
    assert http_report.idle_missed(row, TARGET) == missed


def test_there_is_a_target_for_each_transport() -> None:
    assert sorted(target["idle"] for target in http_report.targets()) == sorted(http_idle.TRANSPORTS)


def test_the_page_shows_medians_ratios_losses_and_the_load() -> None:
    text = page(call_row("creo", [90, 100, 110]), call_row("jetty", [200, 200, 200]), idle_row(heap=[40_000] * 3), idle_row(http_build.BEFORE, heap=[90_000] * 3))
    assert "| creo | 100 ±5% | 50 | 100 | 20 | 25% | 2.0 |" in text
    assert "| jetty | 200 (0.5×) | 50 (1×) | 100 (1×) | 20 (1×) | 25% | 2.0 |" in text
    assert "beside jetty: calls/s 0.5×" in text
    assert "| below 20 kB, no thread each | **falls short**: bytes |" in text
    # The target is not one of the code before.
    assert text.count("falls short") == 1
    assert "Nowhere." in page(call_row("creo", [100]), call_row("jetty", [100]))
    assert "behind" not in page(idle_row()).split("## ", 1)[1]


def test_a_server_is_measured_on_the_jdks_that_it_runs_on() -> None:
    jdks = (http_build.Jdk(Path("/17"), "17.0.15"), http_build.Jdk(Path("/25"), "25"))
    assert [subject.title for subject in http_build.subjects(("creo", "helidon"), jdks)] == ["creo-jdk17", "creo-jdk25", "helidon-jdk25"]


def test_a_jdk_is_found_by_its_folder_and_a_missing_one_is_a_failure(tmp_path: Path) -> None:
    with pytest.raises(Failed, match="no JDK in the folder"):
        http_build.jdk(str(tmp_path))
    (tmp_path / "release").write_text('IMPLEMENTOR="X"\nJAVA_VERSION="25.0.3"\n')
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "javac").touch()
    assert http_build.jdk(str(tmp_path)).major == 25
    with pytest.raises(Failed, match="no JDK 9999"):
        http_build.jdk("9999")


def test_an_answer_is_whole_with_its_last_byte() -> None:
    answer = b'HTTP/1.1 200 OK\r\ncontent-length: 4\r\nX: y\r\n\r\n"hi"'
    assert http_idle.is_whole("http", answer)
    assert not any(http_idle.is_whole("http", answer[:count]) for count in range(len(answer)))
    assert http_idle.is_whole("http", b"HTTP/1.1 202 Accepted\r\n\r\n")
    frames = http_idle.PREAMBLE + http_idle.PONG
    assert http_idle.is_whole("tcp", frames)
    assert not any(http_idle.is_whole("tcp", frames[:count]) for count in range(len(frames)))
