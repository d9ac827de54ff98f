"""All measurements from all files, in one form."""

from __future__ import annotations

import json
import math
import statistics
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Iterable, Iterator

Row = dict[str, Any]
Size = int | str
# Experiment, language, workload, what, placement, callers.
Group = tuple[str, str, str, str, str, int]

# In the order of the page. The files are bench/results/NAME.json, made by `make bench-...`.
EXPERIMENTS = {
    "wire": "bench-wire",
    "text": "bench-wire",
    "sizes": "bench-sizes",
    "creo": "bench-creo",
    "soap": "bench-soap",
    "tdxml": "bench-tdxml",
    "messaging": "bench-messaging",
    "cost-paper": "bench-cost",
}
LANGUAGES = {"java": "Java", "python": "Python", "c": "C", "csharp": "C#"}
MESSAGES = ("short", "simple", "medium", "complex", "jpeg")
# More is better only here.
RATES = {"calls"}


@dataclass(frozen=True)
class Summary:
    """The samples of one cell."""

    median: float
    # The quartiles.
    low: float
    high: float
    # The true median is between these in 95 of 100 runs; with fewer than six samples they are the min and max.
    least: float
    greatest: float
    count: int

    @classmethod
    def of(cls, samples: Iterable[float]) -> Summary:
        ordered = sorted(samples)
        if not ordered:
            raise ValueError("no samples")
        count = len(ordered)
        low, median, high = statistics.quantiles(ordered, n=4, method="inclusive") if count > 1 else ordered * 3
        at = median_rank(count)
        return cls(median, low, high, ordered[at], ordered[count - 1 - at], count)

    @property
    def spread(self) -> float:
        """Half the distance of the quartiles, as a share of the median."""
        return (self.high - self.low) / 2 / self.median if self.median else 0.0


def median_rank(count: int) -> int:
    """The number of samples to drop at either end while the rest contains the median with a probability of at least 95 %, by the binomial distribution."""
    below, rank = 0.0, 0
    while rank < count // 2:
        below += math.comb(count, rank) / 2**count
        if 2 * below > 0.05:
            break
        rank += 1
    return max(rank - 1, 0)


@dataclass(frozen=True)
class Measure:
    """What was measured of one peer in one cell."""

    experiment: str
    language: str
    peer: str
    workload: str
    size: Size
    what: str
    unit: str
    summary: Summary
    placement: str = "free"
    callers: int = 1
    # Of the message on the wire, where it is known.
    bytes: int | None = None

    def faster(self, factor: float) -> Measure:
        """A time that would be this many times as fast."""
        s = self.summary
        return replace(self, summary=replace(s, median=s.median / factor, low=s.median / factor, high=s.median / factor))

    @property
    def group(self) -> Group:
        """All keys but peer and size: the content of one table."""
        return self.experiment, self.language, self.workload, self.what, self.placement, self.callers


@dataclass
class Results:
    measures: list[Measure] = field(default_factory=list)
    # Rows of sizes.json: message, form, bytes, gzip.
    sizes: list[Row] = field(default_factory=list)
    # What a peer cannot do, with the reason.
    cannot: list[Row] = field(default_factory=list)
    # The rows of the files by experiment.
    rows: dict[str, list[Row]] = field(default_factory=dict)
    # Machine, runs and versions by experiment.
    heads: dict[str, Row] = field(default_factory=dict)

    @property
    def missing(self) -> list[str]:
        return [name for name in EXPERIMENTS if name not in self.heads]

    def of(self, experiment: str, **wanted: object) -> list[Measure]:
        return [m for m in self.measures if m.experiment == experiment and all(getattr(m, name) == value for name, value in wanted.items())]


def size_key(size: Size) -> tuple[int, int | str]:
    """Messages in the paper's order, sizes by number."""
    if isinstance(size, str):
        return (MESSAGES.index(size), size) if size in MESSAGES else (len(MESSAGES), size)
    return (0, size)


def in_order(sizes: Iterable[Size]) -> list[Size]:
    return sorted(set(sizes), key=size_key)


def load(folder: Path) -> Results:
    results = Results()
    for name in EXPERIMENTS:
        path = folder / f"{name}.json"
        if path.exists():
            content = json.loads(path.read_text())
            runs = content.get("runs") or [{key: content[key] for key in ("command", "load_before", "load_after") if key in content}]
            results.heads[name] = {"machine": content.get("machine", {}), "runs": runs, "versions": content.get("versions", {})}
            add(results, name, content["rows"])
    # They have a separate page; only the README's picture shows them here.
    workloads = folder / "workloads.json"
    if workloads.exists():
        results.rows["workloads"] = json.loads(workloads.read_text())["rows"]
    return results


def add(results: Results, name: str, rows: list[Row]) -> None:
    results.rows[name] = rows
    if name == "sizes":
        results.sizes += rows
    elif name in ("wire", "text"):
        results.measures += of_wire(name, rows)
    elif name == "soap":
        results.measures += of_soap(rows)
    else:
        results.measures += of_calls(name, rows, results.cannot)


def of_wire(name: str, rows: list[Row]) -> Iterator[Measure]:
    for row in rows:
        if row["ns"]:
            yield Measure(
                name, row["language"], row["peer"], row["workload"], row["size"], row["operation"], "ns", Summary.of(row["ns"]), bytes=row["bytes"]
            )


def of_soap(rows: list[Row]) -> Iterator[Measure]:
    for row in rows:
        for what, unit, factor in (("calls", "1/s", 1), ("cpu", "ns", 1000), ("latency", "ns", 1000)):
            if row.get(what):
                summary = Summary.of(sample * factor for sample in row[what])
                yield Measure("soap", "java", row["subject"], row["part"], row["message"], what, unit, summary, callers=row["connections"])


def of_calls(name: str, rows: list[Row], cannot: list[Row]) -> Iterator[Measure]:
    """The shape that bench/harness/results.py describes."""
    for row in rows:
        # Rows of other shapes are shown unchanged.
        if "samples" not in row:
            continue
        samples = [sample for each in row["samples"] for sample in each]
        if not samples:
            cannot.append({"experiment": name, **{key: row.get(key, "") for key in ("language", "peer", "workload", "size")}, "why": row.get("cannot", "not measured")})
            continue
        yield Measure(
            name,
            row.get("language", ""),
            row["peer"],
            row["workload"],
            row["size"],
            row["what"],
            row["unit"],
            Summary.of(samples),
            row.get("placement", "free"),
            row.get("callers", 1),
            None if row.get("sent") is None else round(row["sent"]),
        )
