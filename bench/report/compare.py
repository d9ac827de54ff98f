"""Comparison of speeds: every peer with Creo in the same cell of the same run, and the targets reached."""

from __future__ import annotations

import statistics
from collections import defaultdict
from dataclasses import dataclass
from typing import Iterable

from harness import calls_report, response_report
from harness import report as wire_report
from harness.report import duration, size_name, times

from . import words
from .measures import RATES, Group, Measure, Results, Row, Size, in_order, size_key

# Differences below a fifth are ties.
TIE = 1.2
# What Creo's row is called, in each experiment.
MINE = {"wire": "creo", "text": "creo", "soap": "creo", "creo": "creo", "tdxml": "soap", "messaging": "creo"}
# Floors show the remaining potential; they are not products.
FLOORS = {"hand", "reverse-endianness", "raw", "copy"}


def is_floor(peer: str) -> bool:
    return peer in FLOORS


def is_ours(measure: Measure) -> bool:
    """Rows of Creo's own, the second run of the same program included."""
    return measure.peer.startswith("creo") or measure.experiment == "tdxml" and measure.peer != "cxf"


@dataclass(frozen=True)
class Ratio:
    """How many times better Creo is than a peer: above 1, the peer takes that many times as long, or makes that many times fewer calls."""

    mine: Measure
    peer: Measure
    value: float
    # The min and max that the quartiles of both allow.
    low: float
    high: float

    @property
    def verdict(self) -> str:
        return "ahead" if self.value > TIE else "behind" if self.value < 1 / TIE else "tie"


def ratio(mine: Measure, peer: Measure) -> Ratio:
    if mine.what in RATES:
        better, worse = mine.summary, peer.summary
    else:
        better, worse = peer.summary, mine.summary
    # A quartile of zero is below the clock's resolution.
    return Ratio(
        mine,
        peer,
        better.median / worse.median if worse.median else float("inf"),
        better.low / worse.high if worse.high else float("inf"),
        better.high / worse.low if worse.low else float("inf"),
    )


def tables(measures: Iterable[Measure]) -> dict[Group, list[Measure]]:
    grouped: dict[Group, list[Measure]] = defaultdict(list)
    for measure in measures:
        grouped[measure.group].append(measure)
    return dict(grouped)


def ratios(measures: Iterable[Measure], mine: str) -> list[Ratio]:
    """Of every peer against the row of that name, cell by cell."""
    found = []
    for table in tables(measures).values():
        own = {m.size: m for m in table if m.peer == mine}
        found += [ratio(own[m.size], m) for m in table if m.peer != mine and m.size in own]
    return found


def best_peers(measures: Iterable[Measure], mine: str) -> list[Ratio]:
    """In each cell, Creo against the best of the products."""
    best: dict[tuple[Group, Size], Ratio] = {}
    for each in ratios(measures, mine):
        if is_ours(each.peer) or is_floor(each.peer.peer):
            continue
        key = (each.peer.group, each.peer.size)
        if key not in best or each.value < best[key].value:
            best[key] = each
    return list(best.values())


def noise(measures: Iterable[Measure]) -> float | None:
    """The A/A check: by which factor a program differs from itself, in the worse half of the cells where both ran. None where there was no such check."""
    found = []
    for table in tables(measures).values():
        own = {(m.peer, m.size): m for m in table}
        for (peer, size), again in own.items():
            once = own.get((peer.removesuffix("-again"), size))
            if peer.endswith("-again") and once:
                value = ratio(once, again).value
                found.append(max(value, 1 / value))
    return statistics.quantiles(found, n=4, method="inclusive")[2] if len(found) > 1 else found[0] if found else None


def mean(values: Iterable[float]) -> float:
    """Of factors: the geometric one, in which twice as fast and half as fast make no difference."""
    return statistics.geometric_mean(values)


def best_of_protocols(measures: list[Measure], mine: str, peers: set[str]) -> dict[Size, float]:
    """At each size, the ratio to the better of several peers."""
    found: dict[Size, float] = {}
    for each in ratios(measures, mine):
        if each.peer.peer in peers:
            found[each.peer.size] = min(each.value, found.get(each.peer.size, float("inf")))
    return {size: found[size] for size in in_order(found)}


# Transmission overhead.


def overheads(results: Results) -> dict[str, dict[str, dict[int, int]]]:
    """The bytes of the message by workload, peer and payload. If a peer's bytes differ between languages, its rows are distinguished by language."""
    found: dict[str, dict[str, dict[int, int]]] = defaultdict(lambda: defaultdict(dict))
    seen: dict[tuple[str, str, int], set[int]] = defaultdict(set)
    relevant = [m for m in results.of("wire", what="serialize") if m.bytes and isinstance(m.size, int)]
    for m in relevant:
        seen[m.workload, m.peer, int(m.size)].add(m.bytes or 0)
    apart = {(workload, peer) for (workload, peer, _), sizes in seen.items() if len(sizes) > 1}
    for m in relevant:
        if m.peer.startswith("creo-") or is_floor(m.peer):
            continue
        name = f"{m.peer} ({m.language})" if (m.workload, m.peer) in apart else m.peer
        found[m.workload][name][int(m.size)] = m.bytes or 0
    return {workload: {peer: dict(sorted(sizes.items())) for peer, sizes in peers.items()} for workload, peers in found.items()}


@dataclass(frozen=True)
class Outcome:
    """The outcome of one target. `missed` names the cells that fall short, for response times with the results of a bare socket; None: not measured."""

    what: str
    wanted: str
    reached: str
    missed: tuple[str, ...] | None

    @property
    def verdict(self) -> str:
        if self.missed is None:
            return "not measured"
        return "falls short at " + "; ".join(self.missed) if self.missed else "reached"


def overhead_outcome(target: Row, results: Results) -> Outcome:
    """A target such as {"overhead": "numbers", "peers": "*"}: nothing is smaller; or {"overhead": "strings", "peers": ["protobuf"]}: none of these is smaller."""
    table = overheads(results).get(target["overhead"], {})
    wanted = target["peers"]
    what, named = words.what(target), words.wanted(target)
    own = table.get("creo", {})
    others = {name: sizes for name, sizes in table.items() if name != "creo" and (wanted == "*" or name.split(" (")[0] in wanted)}
    if not own or not others:
        return Outcome(what, named, "", None)
    missed, shown = [], []
    for size, mine in own.items():
        at = {name: sizes[size] for name, sizes in others.items() if size in sizes}
        if at:
            smallest = min(at, key=lambda name: at[name])
            shown.append(f"{size_name(size)}: {mine} against {at[smallest]} of {smallest}")
            if at[smallest] < mine:
                missed.append(f"{size_name(size)} ({smallest})")
    return Outcome(what, named, "; ".join(shown), tuple(missed))


def response_outcome(target: Row, results: Results) -> Outcome:
    """A target such as {"response": "numbers", "of": "java", "placement": "pinned", "peers": ["thrift-binary", "thrift-compact"], "at_least": 1.87, "from": 1000}: what the page of that experiment says."""
    what, wanted = words.what(target), words.wanted(target)
    rows = response_report.Rows(results.rows.get("creo", []))
    reached = response_report.reached(rows, target)
    if not reached:
        return Outcome(what, wanted, "", None)
    shown = ", ".join(f"{size_name(size)}: {times(value)}" for size, value in reached.items())
    return Outcome(what, wanted, shown, tuple(response_report.shortfalls(rows, target, reached)))


def size_outcome(target: Row, results: Results) -> Outcome:
    """A target such as {"sizes": FORM, "message": MESSAGE, "smaller": share}: so much smaller than SOAP."""
    at = {(row["message"], row["form"]): row["bytes"] for row in results.sizes}
    message, form = target["message"], target["sizes"]
    what, wanted = words.what(target), words.wanted(target)
    if (message, form) not in at or (message, "soap") not in at:
        return Outcome(what, wanted, "", None)
    share = 1 - at[message, form] / at[message, "soap"]
    return Outcome(what, wanted, f"{share:.1%}", () if round(share, 3) >= target["smaller"] else (message,))


def wire_outcomes(rows: list[Row], targets: list[Row]) -> list[Outcome]:
    """Of the wires: what the page of that experiment says."""
    made = []
    for each in wire_report.outcomes(rows, targets):
        if "allocated_at_most" in each.target:
            reached = ", ".join(f"{size_name(size)}: {bytes_:.0f} B" for size, bytes_ in each.ratios.items())
        else:
            reached = ", ".join(f"{size_name(size)}: {times(value)}" for size, value in each.ratios.items())
        made.append(Outcome(words.what(each.target), words.wanted(each.target), reached, tuple(map(size_name, each.missed()))))
    return made


def calls_outcomes(rows: list[Row], targets: list[Row]) -> list[Outcome]:
    made = []
    for target in targets:
        reached = calls_report.ratios(rows, target, "calls")
        if reached:
            missed = tuple(cell for cell, value in reached.items() if float(f"{value:.3g}") < target["at_least"])
            shown = "; ".join(f"{cell}: {times(value)}" for cell, value in reached.items())
            made.append(Outcome(words.what(target), words.wanted(target), shown, missed))
    return made


def outcomes(targets: list[Row], results: Results) -> list[Outcome]:
    found = [overhead_outcome(target, results) for target in targets if "overhead" in target]
    found += [response_outcome(target, results) for target in targets if "response" in target]
    found += wire_outcomes(results.rows.get("wire", []) + results.rows.get("text", []), [target for target in targets if "language" in target])
    found += calls_outcomes(results.rows.get("soap", []), [target for target in targets if "calls" in target])
    return found + [size_outcome(target, results) for target in targets if "sizes" in target]


# Names of figures.


def amount(value: float, unit: str) -> str:
    if unit == "ns":
        return duration(value)
    return f"{value:,.0f} a second" if unit == "1/s" else f"{value:,.0f} {unit}".rstrip()


def ordered_cells(found: Iterable[Ratio]) -> list[Ratio]:
    return sorted(found, key=lambda each: (each.peer.language, each.peer.workload, size_key(each.peer.size)))
