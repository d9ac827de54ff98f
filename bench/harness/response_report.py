"""From the rows of the response time benchmark to a page: what was reached of the targets, the paper's figures beside ours, and ratios."""

from __future__ import annotations

import json
import statistics
from typing import Any, Callable, Iterable

from .report import LANGUAGES, WORKLOADS, Figure, duration, size_name, times
from .response_peers import PEERS
from .tools import BENCH

Row = dict[str, Any]
Key = tuple[str, str, int, str, int, str]

PLACEMENTS = {"pinned": "both sides on one core", "free": "free"}


class Rows:
    """The rows by cell."""

    def __init__(self, rows: Iterable[Row]) -> None:
        self.rows = list(rows)
        self._cells: dict[tuple[Any, ...], Row] = {
            (row["language"], row["workload"], row["size"], row["placement"], row["callers"], row["peer"], row["what"]): row for row in self.rows
        }
        self._figures: dict[tuple[Any, ...], Figure | None] = {}

    def figure(self, language: str, workload: str, size: int, placement: str, callers: int, peer: str, what: str = "response") -> Figure | None:
        """Of all rounds together, each of which has as many evenly spaced quantiles."""
        key = (language, workload, size, placement, callers, peer, what)
        if key not in self._figures:
            row = self._cells.get(key)
            samples = [sample for of_round in row["samples"] for sample in of_round] if row else []
            self._figures[key] = Figure.of(samples) if samples else None
        return self._figures[key]

    def ratio(self, language: str, workload: str, size: int, placement: str, callers: int, peer: str, what: str = "response") -> float | None:
        """How many times as long as Creo."""
        theirs = self.figure(language, workload, size, placement, callers, peer, what)
        ours = self.figure(language, workload, size, placement, callers, "creo", what)
        return theirs.median / ours.median if theirs and ours else None

    def cannot(self, language: str, workload: str, size: int, placement: str, peer: str) -> str | None:
        row = self._cells.get((language, workload, size, placement, 1, peer, "response"))
        return row.get("cannot") if row else None

    def is_cold(self, language: str, workload: str, size: int, placement: str, callers: int, peer: str) -> bool:
        """Whether the time for warming up was over before the compilers were done: such a figure judges nothing."""
        row = self._cells.get((language, workload, size, placement, callers, peer, "response"))
        return bool(row and row.get("cold"))

    def some(self, name: str, **where: Any) -> list[Any]:
        """The values of a field among the rows that match, each once."""
        return list(dict.fromkeys(row[name] for row in self.rows if all(row[key] == value for key, value in where.items())))


def targets() -> list[Row]:
    return [target for target in json.loads((BENCH / "targets.json").read_text()) if "response" in target]


def reached(rows: Rows, target: Row) -> dict[int, float]:
    """The better of the named peers, as a multiple of Creo's time, at each size of the target that was measured."""
    found: dict[int, float] = {}
    for size in sorted(rows.some("size", language=target["of"], workload=target["response"])):
        if target.get("from", 0) <= size <= target.get("to", float("inf")):
            cells = [(target["of"], target["response"], size, target["placement"], 1, peer) for peer in target["peers"]]
            ratios = [rows.ratio(*where) for where in cells if not rows.is_cold(*where)]
            known = [ratio for ratio in ratios if ratio is not None]
            if known:
                found[size] = min(known)
    return found


def missed(target: Row, found: dict[int, float]) -> list[int]:
    # A ratio is judged as printed.
    return [size for size, ratio in found.items() if float(f"{ratio:.3g}") < target["at_least"]]


def shortfalls(rows: Rows, target: Row, found: dict[int, float]) -> list[str]:
    """The sizes at which a target is missed, each with the results of a bare socket and a handwritten codec there."""
    by_hand = {} if "raw" in target["peers"] else reached(rows, {**target, "peers": ["raw"]})
    return [size_name(size) + (f" (raw: {times(found[size] / by_hand[size])})" if size in by_hand else "") for size in missed(target, found)]


def target_table(all_rows: list[Row]) -> list[str]:
    rows = Rows(all_rows)
    lines = ["| what | wanted | reached, by size | |", "|---|---|---|---|"]
    for target in targets():
        found = reached(rows, target)
        if not found:
            continue
        short = ", ".join(shortfalls(rows, target, found))
        lines.append(
            f"| {LANGUAGES[target['of']]}, {target['response']}, {PLACEMENTS[target['placement']]} | {target['at_least']:g}× {' and '.join(target['peers'])} | "
            + ", ".join(f"{size_name(size)}: {times(ratio)}" for size, ratio in found.items())
            + (" | reached |" if not short else f" | **falls short** at {short} |")
        )
    return lines


def mean(values: Iterable[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return statistics.mean(known) if known else None


def range_text(values: Iterable[float | None]) -> str:
    known = [value for value in values if value is not None]
    if not known:
        return "not measured"
    low, high = min(known), max(known)
    return times(low) if f"{low:.3g}" == f"{high:.3g}" else f"{times(low)} to {times(high)}"


def paper_table(rows: Rows) -> list[str]:
    """The paper's response times and the same means measured here: with free placement, since its two sides were two machines."""

    def ours(language: str, workload: str, peer: str, least: int = 0) -> float | None:
        sizes = [size for size in rows.some("size", language=language, workload=workload) if size >= least]
        return mean(rows.ratio(language, workload, size, "free", 1, peer) for size in sizes)

    def fine(language: str, peer: str) -> list[float | None]:
        return [ours(language, workload, peer) for workload in ("numbers", "strings")]

    def compact(language: str) -> list[float | None]:
        changes = []
        for workload in ("numbers", "strings"):
            for size in rows.some("size", language=language, workload=workload):
                binary = rows.figure(language, workload, size, "free", 1, "thrift-binary")
                other = rows.figure(language, workload, size, "free", 1, "thrift-compact")
                changes.append(other.median / binary.median if binary and other else None)
        return [mean(changes)]

    large = 1_000_000
    lines: list[tuple[str, str, list[float | None]]] = [
        ("5, 5.4: Thrift / Creo, fine-grained, C#, Java and Python", "1.87 to 4.77", [*fine("java", "thrift-binary"), *fine("python", "thrift-binary")]),
        ("5, 5.4: Thrift / Creo, fine-grained, C", "13.42 to 19.76", fine("c", "thrift-binary")),
        ("5.4: Thrift / Creo, coarse, 1 MB and more, Java", "0.73", [ours("java", "bytes", "thrift-binary", large)]),
        ("5.4: Thrift / Creo, coarse, 1 MB and more, Python", "0.68", [ours("python", "bytes", "thrift-binary", large)]),
        ("5.4: Thrift / Creo, coarse, 1 MB and more, C", "0.84", [ours("c", "bytes", "thrift-binary", large)]),
    ]
    fig6 = (("SOAP by Axis2", "soap-axis2", "135.69", "7.66"), ("REST", "rest", "140.93", "11.99"), ("RMI", "rmi", "6.97", "0.83"), ("Java serialization", "serialization", "5.04", "0.83"))
    lines += [(f"6a: {title} / Creo, numbers, Java", theirs, [ours("java", "numbers", peer)]) for title, peer, theirs, _ in fig6]
    lines += [(f"6b: {title} / Creo, coarse, Java", theirs, [ours("java", "bytes", peer)]) for title, peer, _, theirs in fig6]
    lines += [
        ("8: Thrift compact / binary, fine-grained, C and C# (ours: C)", "0.74 to 0.99", compact("c")),
        ("8: Thrift compact / binary, fine-grained, Python", "1.40 to 1.51", compact("python")),
    ]
    return [
        "| figure or section | theirs | ours |",
        "|---|---|---|",
        *(f"| {title} | {theirs} | {range_text(values)} |" for title, theirs, values in lines),
    ]


def peers_of(rows: Rows, language: str, workload: str) -> list[str]:
    there = rows.some("peer", language=language, workload=workload)
    return [peer.name for peer in PEERS if peer.language == language and peer.name in there]


def cell(figure: Figure, ratio: float | None, text: Callable[[float], str]) -> str:
    spread = (figure.high - figure.low) / 2 / figure.median
    own = f"{text(figure.median)} ±{spread:.0%}"
    return own if ratio is None else f"{times(ratio)} ({own})"


def response_table(rows: Rows, language: str, workload: str, placement: str) -> list[str]:
    sizes = sorted(rows.some("size", language=language, workload=workload, placement=placement))
    lines = [f"| {PLACEMENTS[placement]} | " + " | ".join(map(size_name, sizes)) + " |", "|---" * (len(sizes) + 1) + "|"]
    for peer in peers_of(rows, language, workload):
        cells = []
        for size in sizes:
            figure = rows.figure(language, workload, size, placement, 1, peer)
            if figure is None:
                cells.append("cannot" if rows.cannot(language, workload, size, placement, peer) else "")
            else:
                cold = "cold: " if rows.is_cold(language, workload, size, placement, 1, peer) else ""
                cells.append(cold + cell(figure, None if peer == "creo" else rows.ratio(language, workload, size, placement, 1, peer), duration))
        lines.append(f"| {peer} | " + " | ".join(cells) + " |")
    return lines


def parallel_table(rows: Rows, language: str, workload: str) -> list[str]:
    columns = [
        (size, callers, placement)
        for size in sorted(rows.some("size", language=language, workload=workload, what="calls"))
        for callers in sorted(rows.some("callers", language=language, workload=workload, what="calls", size=size))
        for placement in PLACEMENTS
    ]
    if not columns:
        return []
    lines = [
        "| calls a second | " + " | ".join(f"{size_name(size)}, {callers} callers, {placement}" for size, callers, placement in columns) + " |",
        "|---" * (len(columns) + 1) + "|",
    ]
    for peer in peers_of(rows, language, workload):
        cells = []
        for size, callers, placement in columns:
            theirs = rows.figure(language, workload, size, placement, callers, peer, "calls")
            ours = rows.figure(language, workload, size, placement, callers, "creo", "calls")
            if theirs is None:
                cells.append("")
            else:
                text = f"{theirs.median:,.0f}"
                cells.append(text if peer == "creo" or ours is None else f"{times(theirs.median / ours.median)} ({text})")
        lines.append(f"| {peer} | " + " | ".join(cells) + " |")
    return lines


def again_lines(rows: Rows) -> list[str]:
    """The differences between two runs of the same programs."""
    lines = []
    for placement in PLACEMENTS:
        ratios = [
            abs(ratio - 1)
            for workload in rows.some("workload", peer="creo-again")
            for size in rows.some("size", peer="creo-again", workload=workload)
            if (ratio := rows.ratio("java", workload, size, placement, 1, "creo-again")) is not None
        ]
        if ratios:
            lines.append(f"- {PLACEMENTS[placement]}: in the middle {statistics.median(ratios):.0%}, at most {max(ratios):.0%}, of {len(ratios)} cells")
    return lines


def cannot_lines(rows: Rows) -> list[str]:
    reasons: dict[tuple[str, str, str, str], list[int]] = {}
    for row in rows.rows:
        if "cannot" in row and row["placement"] == "free":
            reasons.setdefault((row["language"], row["peer"], row["workload"], row["cannot"]), []).append(row["size"])
    return [
        f"- {LANGUAGES[language]}, {peer}, {workload}, {', '.join(map(size_name, sorted(sizes)))}: {reason}"
        for (language, peer, workload, reason), sizes in sorted(reasons.items())
    ]


def markdown(result: Row) -> str:
    rows = Rows(result["rows"])
    about = result["machine"]
    lines = [
        "# Response time of calls",
        "",
        "A client calls a Java service over the loopback; the request carries the payload, the answer four bytes. A figure behind a peer is how many times as long it takes as",
        "Creo in the same run and language, with the median of its calls and half the distance between the quartiles. How it is measured, and how to read it: `docs/measuring.md`.",
        "",
        f"Taken on {about['processor']}, {about['cpus']} CPUs, {about['memory']}, {about['kernel']}, with",
        "",
    ]
    lines += [f"- `{run['command']}` (load before {run['load_before']}, after {run['load_after']})" for run in result["runs"]]
    lines += ["", "Versions:", ""]
    lines += [f"- {LANGUAGES[name]}: " + ", ".join(f"{what} {version}" for what, version in found.items()) for name, found in result["versions"].items()]
    judged = [(target, found) for target in targets() if (found := reached(rows, target))]
    short = [(target, found) for target, found in judged if missed(target, found)]
    lines += ["", "## Targets", "", "\"3× grpc\" means: gRPC takes at least three times as long, at each of the sizes; of several peers, the better one. Behind a size that falls short: what a bare socket with a codec written by hand reaches there.", ""]
    lines += [*target_table(result["rows"]), "", f"{len(judged) - len(short)} of {len(judged)} reached." + (" What falls short:" if short else ""), ""]
    lines += [
        f"- {LANGUAGES[target['of']]}, {target['response']}: wanted {target['at_least']:g}× {' and '.join(target['peers'])}, least {times(min(found.values()))}; short at {', '.join(shortfalls(rows, target, found))}"
        for target, found in short
    ]
    lines += ["", "## The paper's figures beside ours", "", "Means of the ratios over the sizes, which is how the paper speaks of its figures; ours with both sides free, since its were on two machines.", ""]
    lines += paper_table(rows)
    lines += ["", "Figures 2 and 3 (serialization) are in `wire.md`, figures 4 and 7a (sizes) in the report of `make bench`.", ""]
    if again := again_lines(rows):
        lines += ["## What means nothing", "", "Creo measured twice, as two peers, differs from itself by:", "", *again, ""]
    if unable := cannot_lines(rows):
        lines += ["## What was not measured", "", *unable, ""]
    for language in result["versions"]:
        for workload in rows.some("workload", language=language):
            lines += [f"## {LANGUAGES[language]}: {WORKLOADS[workload]}", ""]
            for placement in PLACEMENTS:
                lines += [*response_table(rows, language, workload, placement), ""]
            lines += [*parallel_table(rows, language, workload), ""]
    return "\n".join(lines).rstrip() + "\n"
