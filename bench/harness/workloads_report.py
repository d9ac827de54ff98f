"""The page of the workloads: the verdict first, then a table for each language, wire and workload."""

from __future__ import annotations

import statistics
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from .report import LANGUAGES, Figure, duration, times
from .workloads import OPERATIONS, OURS, WIRES, WORKLOADS

Row = dict[str, Any]
# Differences below a fifth are ties.
TIE = 1.2


@dataclass(frozen=True)
class Ratio:
    """The best peer's time as a multiple of Creo's: above 1, Creo is faster."""

    language: str
    wire: str
    workload: str
    operation: str
    # Whether with the accelerator.
    mine: str
    peer: str
    value: float

    @property
    def verdict(self) -> str:
        return "ahead" if self.value > TIE else "behind" if self.value < 1 / TIE else "tie"


def figures(rows: Iterable[Row]) -> dict[tuple[str, str, str, str, str], Figure]:
    return {(row["language"], row["wire"], row["workload"], row["operation"], row["peer"]): Figure.of(row["ns"]) for row in rows}


def mine_of(peers: Iterable[str]) -> str:
    """Creo in its fast installation: with the accelerator, if there is one."""
    return "creo+accelerator" if "creo+accelerator" in peers else "creo"


def ratios(rows: list[Row]) -> list[Ratio]:
    """Creo against the best peer of each cell."""
    cells: dict[tuple[str, str, str, str], dict[str, float]] = {}
    for (language, wire, workload, operation, peer), figure in figures(rows).items():
        cells.setdefault((language, wire, workload, operation), {})[peer] = figure.median
    found = []
    for (language, wire, workload, operation), medians in cells.items():
        peers = {peer: median for peer, median in medians.items() if peer not in OURS}
        if peers:
            mine, best = mine_of(medians), min(peers, key=peers.__getitem__)
            found.append(Ratio(language, wire, workload, operation, mine, best, peers[best] / medians[mine]))
    return found


def conclusion(rows: list[Row], missing: dict[str, dict[str, str]] | None = None) -> list[str]:
    """A line for each language: how often it is ahead, every kind of loss by name, and the peers that were not there to lose against."""
    lines = []
    found = ratios(rows)
    for language, title in LANGUAGES.items():
        mine = [ratio for ratio in found if ratio.language == language]
        if not mine:
            continue
        wins, ties = (sum(ratio.verdict == verdict for ratio in mine) for verdict in ("ahead", "tie"))
        name = f"{title}{', with the accelerator,' if any(ratio.mine != 'creo' for ratio in mine) else ''}"
        text = f"- **{name}** is ahead of the best peer in {wins or 'none'} of {len(mine)} cells and about as fast in {ties or 'none'}"
        behind = sorted((ratio for ratio in mine if ratio.verdict == "behind"), key=lambda ratio: ratio.value)
        text += f"; behind in {len(behind)}: {losses(behind)}." if behind else "; never behind."
        absent = (missing or {}).get(language, {})
        lines.append(f"{text} Not measured: {', '.join(absent)}." if absent else text)
    return lines


def losses(behind: list[Ratio]) -> str:
    """By wire and peer, the worst first: in how many cells, and the worst of them."""
    groups: dict[tuple[str, str], list[Ratio]] = {}
    for ratio in behind:
        groups.setdefault((ratio.wire, ratio.peer), []).append(ratio)
    return "; ".join(
        f"{peer} on {WIRES[wire]} in {len(group)}, at worst Creo takes {times(1 / group[0].value)} its time ({group[0].operation}, {group[0].workload})"
        for (wire, peer), group in groups.items()
    )


def table(rows: list[Row], language: str, wire: str, workload: str) -> list[str]:
    mine = [row for row in rows if (row["language"], row["wire"], row["workload"]) == (language, wire, workload)]
    known = figures(mine)
    operations = [operation for operation in OPERATIONS if any(row["operation"] == operation for row in mine)]
    sizes = {row["peer"]: row["bytes"] for row in mine}
    lines = [f"| {WORKLOADS[workload]} | bytes | {' | '.join(operations)} |", "|---" * (len(operations) + 2) + "|"]
    base = mine_of(sizes)
    for peer, size in sizes.items():
        cells = []
        for operation in operations:
            figure = known.get((language, wire, workload, operation, peer))
            if figure is None:
                # A peer that only reads.
                cells.append("–")
                continue
            ours = known[language, wire, workload, operation, base]
            text = f"{duration(figure.median)} ±{(figure.high - figure.low) / 2 / figure.median:.0%}"
            cells.append(text if peer == base else f"{times(figure.median / ours.median)} ({text})")
        lines.append(f"| {f'**{peer}**' if peer == base else peer} | {size:,} | {' | '.join(cells)} |")
    return lines


def summary(rows: list[Row]) -> list[str]:
    """The geometric mean over the workloads of the best peer's time by Creo's, by language and wire."""
    found = ratios(rows)
    lines = ["| against the best peer of each cell | " + " | ".join(OPERATIONS) + " |", "|---" * (len(OPERATIONS) + 1) + "|"]
    for language, title in LANGUAGES.items():
        for wire, shown in WIRES.items():
            cells = []
            for operation in OPERATIONS:
                values = [ratio.value for ratio in found if (ratio.language, ratio.wire, ratio.operation) == (language, wire, operation)]
                span = f" ({times(min(values))} to {times(max(values))})" if len(values) > 1 else ""
                cells.append(f"{times(statistics.geometric_mean(values))}{span}" if values else "")
            if any(cells):
                lines.append(f"| {title}, {shown} | {' | '.join(cells)} |")
    return lines


def markdown(result: Row) -> str:
    rows: list[Row] = result["rows"]
    machine = result["machine"]
    written = any((row["wire"], row["operation"]) == ("soap", "encode") for row in rows)
    lines = [
        "# Workloads as people have them",
        "",
        *conclusion(rows, result["missing"]),
        "",
        "A cell is a workload, a wire and an operation; a difference below a fifth counts as about as fast. Mean over the workloads, with the least and the greatest, of the best peer's time by Creo's (above 1, Creo is faster):",
        "",
        *summary(rows),
        "",
        "## How to read it",
        "",
        "A figure is the median of nanoseconds of processor time for a call, with half the distance of the quartiles; `2×` before it says how many times as long as Creo's bold row it takes. *Build and encode* makes the",
        "message's objects of values that the program has, and the bytes; *decode and read* reads every field of what was decoded, since some peers make fields when they are asked for. The data are those of",
        "`bench/workloads.creo`; all languages get the same, by one generator; each peer gives back every field, and Creo's bytes are the same in every language, or the run ends. A tenth of the texts of orders is not ASCII.",
        "Times are given to each peer in the type that it takes. protobuf in Python and yyjson make fields when they are asked for; `msgspec-array` is msgspec with structs as arrays, without names; `creo-kept` (Java) writes with one kept writer; `creo-borrow` (C) leaves texts in the message. A SOAP response is only read, as a client does."
        + (" Some peers in Python write one, too, since a request has the same form." if written else ""),
        "",
        f"Taken on {machine['processor']}, {machine['cpus']} CPUs, {machine['memory']}, {machine['kernel']}, pinned to one core, each cell in a process of its own, peers in turns, with",
        "",
    ]
    for run in result["runs"]:
        lines.append(f"- `{run['command']}`: {run['rounds']} rounds of {run['seconds']:g} s after warming up (load before {run['load_before']}, after {run['load_after']})")
    lines += ["", "Versions, and what cannot be had:", ""]
    for language, versions in result["versions"].items():
        missing = [f"not there: {name}, since {why}" for name, why in result["missing"][language].items()]
        lines.append(f"- {LANGUAGES[language]}: " + "; ".join([", ".join(f"{name} {version}" for name, version in versions.items()), *missing]))
    for language, title in LANGUAGES.items():
        for wire, shown in WIRES.items():
            tables = [table(rows, language, wire, workload) for workload in WORKLOADS if any((row["language"], row["wire"], row["workload"]) == (language, wire, workload) for row in rows)]
            if tables:
                lines += ["", f"## {title}: {shown}"]
            for each in tables:
                lines += ["", *each]
    return "\n".join(lines) + "\n"
