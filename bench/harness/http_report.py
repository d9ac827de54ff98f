"""From what was measured over HTTP to a page: tables, ratios of one run, and what was reached of the targets."""

from __future__ import annotations

import json
from typing import Any, Iterable

from .http_build import BEFORE
from .report import Figure, times
from .tools import BENCH

Row = dict[str, Any]

# The measures of calls with their units; more is better only for the first.
WHATS = {"calls": "calls/s", "p50": "p50, µs", "p99": "p99, µs", "cpu": "server's CPU, µs"}
PARTS = {
    "http": "Requests over HTTP: one load generator against each server",
    "json": "Creo's Java client, JSON over HTTP",
    "binary": "Creo's Java client, the binary wire over TCP",
}
TRANSPORTS = {"tcp": "TCP, after the preamble", "http": "HTTP, after one request"}


def figure(row: Row | None, what: str) -> Figure | None:
    return Figure.of(row[what]) if row and row.get(what) else None


def ratio(mine: Row | None, other: Row | None, what: str) -> float | None:
    """How many times as good the first is: as many calls, or as little time. None where one was not measured."""
    own, others = figure(mine, what), figure(other, what)
    if own is None or others is None or not own.median or not others.median:
        return None
    return own.median / others.median if what == "calls" else others.median / own.median


def cells(rows: Iterable[Row], part: str) -> dict[tuple[int, int], dict[str, Row]]:
    """The compared rows: by JDK and connections, a row for each server. Those on Python are in each of them."""
    measured = [row for row in rows if row["part"] == part]
    jdks = {row["jdk"] for row in measured if row["jdk"] is not None}
    found: dict[tuple[int, int], dict[str, Row]] = {}
    for row in measured:
        for jdk in jdks if row["jdk"] is None else (row["jdk"],):
            found.setdefault((jdk, row["connections"]), {})[row["subject"]] = row
    return dict(sorted(found.items()))


def spread(found: Figure) -> str:
    shown = f"{found.median:,.0f}"
    return f"{shown} ±{(found.high - found.low) / 2 / found.median:.0%}" if found.high > found.low and found.median else shown


def call_table(compared: dict[str, Row]) -> list[str]:
    """A row for each server; the factor after a figure says how many times better Creo is."""
    lines = ["| | " + " | ".join(WHATS.values()) + " | others' share | load |", "|---" * (len(WHATS) + 3) + "|"]
    own = compared.get("creo")
    for subject, row in compared.items():
        shown = []
        for what in WHATS:
            found, factor = figure(row, what), ratio(own, row, what)
            text = "" if found is None else spread(found)
            shown.append(text if factor is None or row is own else f"{text} ({times(factor)})")
        others, load = Figure.of(row["others"]), Figure.of(row["load"])
        lines.append(f"| {subject} | " + " | ".join(shown) + f" | {others.median:.0%} | {load.median:.1f} |")
    return lines


def behind(rows: list[Row]) -> list[str]:
    """Each cell in which a server, or the Creo of before, is better in the median."""
    found = []
    for part in PARTS:
        for (jdk, connections), compared in cells(rows, part).items():
            for subject, row in compared.items():
                factors = {what: ratio(compared.get("creo"), row, what) for what in WHATS}
                worse = [f"{WHATS[what].split(',')[0]} {times(factor)}" for what, factor in factors.items() if factor is not None and float(f"{factor:.3g}") < 1]
                if worse:
                    found.append(f"- {part}, JDK {jdk}, {connections_of(connections)}, beside {subject}: {', '.join(worse)}")
    return found


def connections_of(count: int) -> str:
    return f"{count:,} connection{'s' * (count != 1)}"


def idle_rows(rows: list[Row]) -> list[Row]:
    return [row for row in rows if row["part"] == "idle"]


def per_connection(row: Row) -> Figure:
    """Bytes for a connection, in the heap and outside."""
    return Figure.of([heap + outside for heap, outside in zip(row["heap"], row["outside"])])


def idle_missed(row: Row, target: Row) -> list[str]:
    """Why a row misses the target. A connection that the server has closed by then was not held."""
    threads = Figure.of(row["threads"]).median / row["connections"]
    missed = []
    if per_connection(row).median >= target["bytes_below"]:
        missed.append("bytes")
    if threads >= target["threads_below"]:
        missed.append("threads")
    if min(row["held"]) < row["connections"]:
        missed.append("connections closed")
    return missed


def idle_table(rows: list[Row]) -> list[str]:
    lines = [
        "| | connections | bytes for a connection | in the heap | outside | threads more | held at the end | wanted | |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for row in rows:
        (target,) = (each for each in targets() if each["idle"] == row["transport"])
        missed = idle_missed(row, target)
        # The target is one of today's code, not of the one before.
        wanted = "" if row["subject"] == BEFORE else f"below {target['bytes_below'] / 1000:g} kB, no thread each"
        verdict = "" if row["subject"] == BEFORE else "**falls short**: " + ", ".join(missed) if missed else "reached"
        lines.append(
            f"| {row['subject']}, {TRANSPORTS[row['transport']]}, JDK {row['jdk']} | {row['connections']:,} | {spread(per_connection(row))} | {spread(Figure.of(row['heap']))} "
            f"| {spread(Figure.of(row['outside']))} | {Figure.of(row['threads']).median:,.0f} | {min(row['held']):,} | {wanted} | {verdict} |"
        )
    return lines


def targets() -> list[Row]:
    return [target for target in json.loads((BENCH / "targets.json").read_text()) if "idle" in target]


def markdown(result: Row) -> str:
    rows: list[Row] = result["rows"]
    machine = result["machine"]
    lines = [
        "# The HTTP benchmark",
        "",
        "An echo service, client and server on the same two cores. Medians of the rounds, with half the distance between the quartiles; behind the figures of another server, how many",
        "times as good Creo is in the same run. *Others' share* is what other programs took of the processors meanwhile, *load* how many threads wanted one in the minute before. How it",
        "is measured, and how to read it: `docs/measuring.md`.",
        "",
        f"Taken on {machine['processor']}, {machine['cpus']} CPUs, {machine['memory']}, {machine['kernel']}, with `{result['command']}`",
        f"(load before {result['load_before']}, after {result['load_after']}).",
        "",
        "Versions: " + ", ".join(f"{name} {version}" for name, version in result["versions"].items()),
    ]
    if any(row["part"] in PARTS for row in rows):
        worse = behind(rows)
        lines += ["", "## Where Creo is behind", "", *(worse or ["Nowhere."])]
    idle = idle_rows(rows)
    if idle:
        lines += ["", "## Idle connections", "", *idle_table(idle)]
    for part, title in PARTS.items():
        for at, ((jdk, connections), compared) in enumerate(cells(rows, part).items()):
            lines += ["", *([f"## {title}", ""] if at == 0 else []), f"JDK {jdk}, {connections_of(connections)}:", "", *call_table(compared)]
    return "\n".join(lines) + "\n"
