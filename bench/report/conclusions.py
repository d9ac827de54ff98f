"""A sentence over each plot, and the goals that are drawn in it. All of it computed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace

from harness.report import size_name, times

from . import words
from .compare import Ratio, best_peers, is_floor, ratios
from .measures import RATES, Measure, Row, size_key

BEGINS = {"serialize": "To write, ", "deserialize": "To read, ", "response": "", "calls": ""}
# The name of the line of a goal.
GOAL = "goal"
PLACED = {"pinned": "On one core, ", "free": "On every core, "}


def floors(measures: Iterable[Measure], mine: str) -> str:
    """Without a measured product: the remaining potential."""
    by_peer: dict[str, list[float]] = {}
    for each in ratios(measures, mine):
        if is_floor(each.peer.peer) and each.value > 0:
            by_peer.setdefault(each.peer.peer, []).append(1 / each.value)
    return " ".join(f"Creo takes {times(min(found))} to {times(max(found))} the time of {words.peer(name)}; no other product was measured." for name, found in by_peer.items())


def conclusion(found: Iterable[Measure], mine: str) -> str:
    """A sentence for each measurement: how often Creo is ahead of the best peer, and where it is furthest behind."""
    measures = list(found)
    by_what: dict[tuple[str, str], list[Ratio]] = {}
    for each in best_peers(measures, mine):
        by_what.setdefault((each.peer.what, each.peer.placement), []).append(each)
    if not by_what:
        return floors(measures, mine)
    placed = len({placement for _, placement in by_what}) > 1
    return " ".join(sentence((PLACED.get(placement, "") if placed else "") + BEGINS[name], name, cells) for (name, placement), cells in by_what.items() if name in BEGINS)


def sentence(begin: str, name: str, found: list[Ratio]) -> str:
    counted = Counter(each.verdict for each in found)
    more = "makes more calls than" if name in RATES else "is faster than"
    cells = f"{len(found)} case{'s' * (len(found) > 1)}"
    text = f"{begin}Creo {more} the best peer in {counted['ahead'] or 'none'} of {cells}"
    if counted["tie"]:
        text += f", about as good in {counted['tie']}"
    behind = sorted((each for each in found if each.verdict == "behind"), key=lambda each: (each.value, size_key(each.peer.size)))
    if not behind:
        return f"{text}, and never behind."
    worst = behind[0]
    return f"{text}, and behind in {counted['behind']}: {words.peer(worst.peer.peer)} is {times(1 / worst.value)} as good at {size_name(worst.peer.size)}."


def goals(measures: Iterable[Measure], targets: list[Row]) -> tuple[list[Measure], str]:
    """For each measurement the strictest target, as measures of a peer named goal; and a sentence that explains them."""
    strictest: dict[str, tuple[float, list[Measure], Row]] = {}
    known = list(measures)
    for target in targets:
        if "language" not in target or "at_least" not in target or "subject" in target:
            continue
        where = (target["language"], target["workload"], target["operation"], target["peer"])
        at = [replace(m.faster(target["at_least"]), peer=GOAL) for m in known if (m.language, m.workload, m.what, m.peer) == where]
        asked = sum(m.summary.median for m in at)
        if at and (target["operation"] not in strictest or asked < strictest[target["operation"]][0]):
            strictest[target["operation"]] = (asked, at, target)
    told = [f"to {words.DEEDS[name]} {words.goal(target['at_least'], words.peer(target['peer']))}" for name, (_, _, target) in strictest.items()]
    sentence = f" The dotted grey line is the goal: {', and '.join(told)}." if told else ""
    return [m for _, at, _ in strictest.values() for m in at], sentence
