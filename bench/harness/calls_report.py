"""From measured calls to a page, and to what was reached of the targets."""

from __future__ import annotations

import json
from typing import Any

from .report import MESSAGES, Figure, times
from .tools import BENCH

Row = dict[str, Any]

TITLES = {
    "services": "Services: one load generator against each",
    "clients": "Clients: each against Creo's Java service",
    "security": "Secured calls: a client and a service on one core",
}


def figure(rows: list[Row], part: str, subject: str, message: str, connections: int, what: str) -> Figure | None:
    for row in rows:
        if (row["part"], row["subject"], row["message"], row["connections"]) == (part, subject, message, connections) and row.get(what):
            return Figure.of(row[what])
    return None


def cells(rows: list[Row], part: str) -> list[tuple[str, int]]:
    """Messages and connections, in order."""
    found = {(row["message"], row["connections"]) for row in rows if row["part"] == part}
    return sorted(found, key=lambda cell: (MESSAGES.index(cell[0]), cell[1]))


def targets() -> list[Row]:
    return [target for target in json.loads((BENCH / "targets.json").read_text()) if "calls" in target]


def ratios(rows: list[Row], target: Row, what: str) -> dict[str, float]:
    """How many times as many calls as the peer makes, or as little processor time it takes, for each cell that both were measured in."""
    reached = {}
    for message, connections in cells(rows, target["calls"]):
        mine = figure(rows, target["calls"], target["subject"], message, connections, what)
        peer = figure(rows, target["calls"], target["peer"], message, connections, what)
        if mine and peer and mine.median and peer.median:
            reached[f"{message}, {connections}"] = mine.median / peer.median if what == "calls" else peer.median / mine.median
    return reached


def target_table(rows: list[Row]) -> list[str]:
    lines = ["| what | wanted | reached, by message and connections | by processor time for a call | |", "|---|---|---|---|---|"]
    for target in targets():
        reached = ratios(rows, target, "calls")
        if reached:
            missed = [cell for cell, ratio in reached.items() if float(f"{ratio:.3g}") < target["at_least"]]
            verdict = "reached" if not missed else "**falls short** at " + "; ".join(missed)
            shown = "; ".join(f"{cell}: {times(ratio)}" for cell, ratio in reached.items())
            spent = "; ".join(times(ratio) for ratio in ratios(rows, target, "cpu").values())
            lines.append(f"| {target['calls']}, {target['subject']} | {target['at_least']:g}× {target['peer']} | {shown} | {spent} | {verdict} |")
    return lines


def table(rows: list[Row], part: str, what: str, unit: str) -> list[str]:
    columns = cells(rows, part)
    subjects = list(dict.fromkeys(row["subject"] for row in rows if row["part"] == part))
    lines = [
        f"| {unit} | " + " | ".join(f"{message}, {connections}" for message, connections in columns) + " |",
        "|---" * (len(columns) + 1) + "|",
    ]
    for subject in subjects:
        shown = []
        for message, connections in columns:
            found = figure(rows, part, subject, message, connections, what)
            shown.append(f"{found.median:,.0f} ±{(found.high - found.low) / 2 / found.median:.0%}" if found and found.median else "")
        lines.append(f"| {subject} | " + " | ".join(shown) + " |")
    return lines


def markdown(result: Row) -> str:
    rows: list[Row] = result["rows"]
    machine = result["machine"]
    lines = [
        "# Calls over SOAP and HTTP",
        "",
        "Calls a second over the loopback, client and service on the same machine. Medians, with half the distance between the quartiles. How it is measured,",
        "and how to read it: `docs/measuring.md`.",
        "",
        f"Taken on {machine['processor']}, {machine['cpus']} CPUs, {machine['memory']}, {machine['kernel']}, with `{result['command']}`",
        f"(load before {result['load_before']}, after {result['load_after']}).",
        "",
        "Versions: " + ", ".join(f"{name} {version}" for name, version in result["versions"].items()),
        "",
        "## Targets",
        "",
        *target_table(rows),
    ]
    for part, title in TITLES.items():
        if any(row["part"] == part for row in rows):
            whose = {"services": "service", "clients": "client", "security": "client and service"}[part]
            lines += ["", f"## {title}", "", *table(rows, part, "calls", "calls a second"), ""]
            lines += table(rows, part, "cpu", f"µs of processor time of the {whose} for a call")
            if part == "services":
                lines += ["", *table(rows, part, "latency", "µs until the answer, median")]
    return "\n".join(lines) + "\n"
