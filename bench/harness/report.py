"""From rows to a table of ratios, and to what was reached of the targets."""

from __future__ import annotations

import json
import statistics
from dataclasses import dataclass
from typing import Any, Iterable

from .tools import BENCH

Row = dict[str, Any]
Size = int | str
Key = tuple[str, str, Size, str, str]

LANGUAGES = {"java": "Java", "python": "Python", "c": "C", "csharp": "C#"}
WORKLOADS = {
    "numbers": "Numbers: blocks of a double and a short",
    "strings": "Strings of ten characters",
    "texts": "Texts of one to nineteen characters, a tenth of them not ASCII",
    "bytes": "Bytes: one array",
    "reals": "Reals: one array of doubles",
}
TEXTS = {"soap": "the five messages of the TDXML paper as requests: SOAP, tables within SOAP (creo-record, creo-aggregated), JSON (creo-json, jackson-json)"}
MESSAGES = ("short", "simple", "medium", "complex", "jpeg")
# Floors are not products: they show the remaining potential, and targets for peers ignore them.
FLOORS = {"hand", "reverse-endianness"}


@dataclass(frozen=True)
class Figure:
    """The samples of one cell: median and quartiles, in nanoseconds for a call."""

    median: float
    low: float
    high: float

    @classmethod
    def of(cls, samples: list[float]) -> Figure:
        if len(samples) < 2:
            return cls(samples[0], samples[0], samples[0])
        low, median, high = statistics.quantiles(samples, n=4, method="inclusive")
        return cls(median, low, high)


def figures(rows: Iterable[Row]) -> dict[Key, Figure]:
    return {
        (row["language"], row["workload"], row["size"], row["operation"], row["peer"]): Figure.of(row["ns"]) for row in rows if row["ns"]
    }


def size_name(size: Size) -> str:
    if isinstance(size, str):
        return size
    if size >= 1_000_000 and size % 100_000 == 0:
        return f"{size / 1_000_000:g} MB"
    if size >= 1_000 and size % 1_000 == 0:
        return f"{size // 1_000} kB"
    return f"{size} B"


def in_order(sizes: Iterable[Size]) -> list[Size]:
    """Sizes as columns: by size, messages in the paper's order."""
    return sorted(set(sizes), key=lambda size: MESSAGES.index(size) if isinstance(size, str) else size)


def duration(ns: float) -> str:
    for limit, divisor, unit in ((1e3, 1, "ns"), (1e6, 1e3, "µs"), (1e9, 1e6, "ms")):
        # From 999.5 on three digits are 1000, of the next unit 1.
        if ns < limit * 0.9995:
            return f"{ns / divisor:.3g} {unit}"
    return f"{ns / 1e9:.3g} s" if ns < 999.5e9 else f"{ns / 1e9:.0f} s"


def times(ratio: float) -> str:
    return f"{ratio:.0f}×" if ratio >= 100 else f"{ratio:.3g}×"


@dataclass(frozen=True)
class Outcome:
    """What was reached of one target: the ratio at each size, from 1 kB up, or for each message that the target names."""

    target: Row
    ratios: dict[Size, float]

    @property
    def least(self) -> float:
        return self.target.get("at_least", 0)

    def missed(self) -> list[Size]:
        if "allocated_at_most" in self.target:
            return [size for size, bytes_ in self.ratios.items() if bytes_ > self.target["allocated_at_most"]]
        # A ratio is judged as printed.
        return [size for size, ratio in self.ratios.items() if float(f"{ratio:.3g}") < self.least]

    def text(self) -> str:
        target = self.target
        subject = f", {target['subject']}" if "subject" in target else ""
        return f"{LANGUAGES[target['language']]}, {target['workload']}{subject}, {target['operation']}"

    def wanted(self) -> str:
        target = self.target
        if "allocated_at_most" in target:
            return "nothing allocated"
        peer = "the best peer" if target["peer"] == "*" else target["peer"]
        return f"{target['at_least']:g}× {peer}"


def time_of(known: dict[Key, Figure], where: tuple[str, str, Size], operation: str, peer: str) -> float | None:
    """The median of an operation, or the sum of both."""
    operations = ("serialize", "deserialize") if operation == "both" else (operation,)
    found = [known.get((*where, each, peer)) for each in operations]
    medians = [figure.median for figure in found if figure is not None]
    return sum(medians) if len(medians) == len(operations) else None


def outcomes(rows: list[Row], targets: list[Row] | None = None) -> list[Outcome]:
    """What was reached of the targets, by default of those of the project."""
    known = figures(rows)
    allocated = {(r["language"], r["workload"], r["size"], r["operation"], r["peer"]): r["allocated"] for r in rows if "allocated" in r}
    results = []
    for target in json.loads((BENCH / "targets.json").read_text()) if targets is None else targets:
        if "language" not in target:
            continue
        where = (target["language"], target["workload"])
        ratios: dict[Size, float] = {}
        for size in in_order(size for language, workload, size, _, _ in known if (language, workload) == where):
            if size not in target["messages"] if isinstance(size, str) else size < 1000:
                continue
            mine = time_of(known, (*where, size), target["operation"], target.get("subject", "creo"))
            if mine is None:
                continue
            if "allocated_at_most" in target:
                ratios[size] = allocated.get((*where, size, target["operation"], "creo"), 0)
                continue
            names = {peer for language, workload, of_size, _, peer in known if (language, workload, of_size) == (*where, size)}
            chosen = [peer for peer in names if peer == target["peer"] or target["peer"] == "*" and peer not in FLOORS and not peer.startswith("creo")]
            peers = [time for peer in chosen if (time := time_of(known, (*where, size), target["operation"], peer)) is not None]
            if peers:
                ratios[size] = min(peers) / mine
        if ratios:
            results.append(Outcome(target, ratios))
    return results


def target_table(results: list[Outcome]) -> list[str]:
    column = "message" if any(isinstance(size, str) for outcome in results for size in outcome.ratios) else "size"
    lines = [f"| what | wanted | reached, by {column} | |", "|---|---|---|---|"]
    for outcome in results:
        if "allocated_at_most" in outcome.target:
            reached = ", ".join(f"{size_name(size)}: {bytes_:.0f} B" for size, bytes_ in outcome.ratios.items())
        else:
            reached = ", ".join(f"{size_name(size)}: {times(ratio)}" for size, ratio in outcome.ratios.items())
        missed = outcome.missed()
        verdict = "reached" if not missed else "**falls short** at " + ", ".join(map(size_name, missed))
        lines.append(f"| {outcome.text()} | {outcome.wanted()} | {reached} | {verdict} |")
    return lines


def cell_table(rows: list[Row], language: str, workload: str, operation: str) -> list[str]:
    known = figures(rows)
    mine = [row for row in rows if (row["language"], row["workload"], row["operation"]) == (language, workload, operation) and row["ns"]]
    sizes = in_order(row["size"] for row in mine)
    peers = list(dict.fromkeys(row["peer"] for row in mine))
    shown = {(row["size"], row["peer"]): row for row in mine}
    middle = next((size for size in (1000, "medium") if size in sizes), sizes[0])
    lines = [
        f"| {operation} | message of {size_name(middle)} | " + " | ".join(map(size_name, sizes)) + " |",
        "|---" * (len(sizes) + 2) + "|",
    ]
    for peer in peers:
        cells = []
        for size in sizes:
            figure = known.get((language, workload, size, operation, peer))
            creo = known.get((language, workload, size, operation, "creo"))
            if figure is None:
                cells.append("")
                continue
            spread = (figure.high - figure.low) / 2 / figure.median
            text = f"{duration(figure.median)} ±{spread:.0%}"
            if creo is not None and peer != "creo":
                text = f"{times(figure.median / creo.median)} ({text})"
            cells.append(text)
        row = shown.get((middle, peer))
        lines.append(f"| {peer} | {row['bytes'] if row else ''} | " + " | ".join(cells) + " |")
    return lines


def markdown(result: Row) -> str:
    rows: list[Row] = result["rows"]
    machine = result["machine"]
    text = any(row["workload"] in TEXTS for row in rows)
    lines = [
        "# The wire benchmark: text" if text else "# The wire benchmark",
        "",
        "Objects in, bytes out, and back, in one process: no transport. A figure behind a peer is how many times as long it takes as Creo in the same run, with the",
        "median of its samples and half the distance between the quartiles. How it is measured, and how to read it: `docs/measuring.md`.",
        "",
        f"Taken on {machine['processor']}, {machine['cpus']} CPUs, {machine['memory']}, {machine['kernel']}, with",
        "",
    ]
    for run in result["runs"]:
        lines.append(f"- `{run['command']}` (load before {run['load_before']}, after {run['load_after']})")
    lines += ["", "Versions:", ""]
    for language, versions in result["versions"].items():
        lines.append(f"- {LANGUAGES[language]}: " + ", ".join(f"{name} {version}" for name, version in versions.items()))
    results = outcomes(rows)
    missed = [outcome for outcome in results if outcome.missed()]
    lines += ["", "## Targets", ""]
    if results:
        lines += [
            "\"3× jaxb\" means: at least three times as fast as JAXB, for each of the messages."
            if text
            else "\"2× fory\" means: at least twice as fast as Fory, at every size from 1 kB.",
            "",
            *target_table(results),
            "",
            f"{len(results) - len(missed)} of {len(results)} reached." + ("" if not missed else " What falls short:"),
            "",
        ]
        lines += [f"- {outcome.text()}: wanted {outcome.wanted()}, least {times(min(outcome.ratios.values()))}" for outcome in missed]
    else:
        lines.append("None of the cells that were measured has a target.")
    for language in result["versions"]:
        for workload, title in (WORKLOADS | TEXTS).items():
            if not any((row["language"], row["workload"]) == (language, workload) and row["ns"] for row in rows):
                continue
            lines += ["", f"## {LANGUAGES[language]}: {title}", ""]
            for operation in ("serialize", "deserialize"):
                lines += [*cell_table(rows, language, workload, operation), ""]
    return "\n".join(lines).rstrip() + "\n"
