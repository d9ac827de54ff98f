"""The winners in ten computed lines."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from harness.report import size_name, times

from .compare import MINE, TIE, Outcome, Ratio, best_peers, mean, ordered_cells, overheads
from .measures import LANGUAGES, RATES, Results
from .sections import WHAT


@dataclass(frozen=True)
class Line:
    """`score` is ahead, tie or behind: the outcome of most cells."""

    what: str
    text: str
    score: str


def line(what: str, found: list[Ratio]) -> Line:
    """How often Creo is ahead of the best peer, by how much, and where it is not."""
    counted = Counter(each.verdict for each in found)
    text = f"ahead of the best peer in {counted['ahead']} of {len(found)} cells, level in {counted['tie']}, behind in {counted['behind']}; {times(mean(each.value for each in found))} on average"
    behind = sorted((each for each in found if each.verdict == "behind"), key=lambda each: each.value)
    if behind:
        worst = behind[0]
        peers = ", ".join(name for name, _ in Counter(each.peer.peer for each in behind).most_common(3))
        text += f". Behind {peers}; furthest at {cell_name(worst)}: {worst.peer.peer} is {times(1 / worst.value)} as good"
    score = "ahead" if counted["ahead"] > len(found) / 2 else "behind" if counted["behind"] > len(found) / 2 else "tie"
    return Line(what, text, score)


def cell_name(each: Ratio) -> str:
    m = each.peer
    placed = f", {m.placement}" if m.experiment == "creo" else ""
    callers = f", {m.callers} at once" if m.callers > 1 else ""
    return f"{m.workload}, {size_name(m.size)}, {WHAT.get(m.what, m.what)}{placed}{callers}"


def ten_lines(results: Results) -> list[Line]:
    """Clients in other languages than Java are one line; a line is left out where nothing was measured. Response times are those of both sides on one core, which tell
    protocols apart."""
    fine, coarse = ("numbers", "strings", "texts", "reals"), ("bytes",)
    response = [m for m in results.of("creo", what="response", callers=1, placement="pinned")]
    wire = results.of("wire")
    questions = [
        ("Response time on one core, Java", [m for m in response if m.language == "java"], "creo"),
        ("Response time on one core, other clients", [m for m in response if m.language != "java"], "creo"),
        *((f"Serialization, {name}, numbers and texts", [m for m in wire if m.language == language and m.workload in fine], MINE["wire"]) for language, name in LANGUAGES.items()),
        ("Serialization, bytes, all languages", [m for m in wire if m.workload in coarse], MINE["wire"]),
        ("SOAP messages, all languages", [m for m in results.of("text") if not m.peer.endswith("-json")], MINE["text"]),
        ("SOAP services, calls a second", [m for m in results.of("soap", workload="services") if m.what in RATES], MINE["soap"]),
    ]
    found = [(what, best_peers(measures, mine)) for what, measures, mine in questions]
    return [line(what, cells) for what, cells in found if cells] + transmission_line(results) + tables_line(results)


def transmission_line(results: Results) -> list[Line]:
    table = overheads(results)
    if not table:
        return []
    smallest, cells, beaten = 0, 0, Counter[str]()
    for workload, peers in table.items():
        for size, mine in peers.get("creo", {}).items():
            others = {peer: of_peer[size] for peer, of_peer in peers.items() if peer != "creo" and size in of_peer}
            if others:
                cells += 1
                best = min(others, key=lambda peer: others[peer])
                smallest += mine <= others[best]
                if others[best] < mine:
                    beaten[f"{best} for {workload}"] += 1
    text = f"Creo's message is the smallest, or as small as the smallest, in {smallest} of {cells} cells"
    if beaten:
        text += "; smaller are " + ", ".join(f"{name} (in {count} cell{'s' * (count > 1)})" for name, count in beaten.most_common(4))
    return [Line("Bytes on the wire", text, "ahead" if smallest > cells / 2 else "behind")]


def tables_line(results: Results) -> list[Line]:
    """What tables save of SOAP's bytes, and how much sooner they are answered."""
    parts, won = [], []
    bytes_ = {(row["message"], row["form"]): row["bytes"] for row in results.sizes}
    messages = list(dict.fromkeys(row["message"] for row in results.sizes))
    if messages:
        forms = {"tdxml-record-in-soap": "tables in SOAP", "tdxml-record": "tables alone", "json": "JSON", "binary": "binary", "exi-schema": "and EXI with the schema"}
        saved = {form: 1 - mean(bytes_[message, form] / bytes_[message, "soap"] for message in messages) for form in forms}
        parts.append("smaller than SOAP: " + ", ".join(f"{name} {saved[form]:.0%}" for form, name in forms.items()))
        won.append(1 / (1 - saved["tdxml-record-in-soap"]))
    at = {(m.size, m.peer): m.summary.median for m in results.of("tdxml", what="response", placement="pinned", callers=1)}
    sooner = []
    for form, name in (("tdxml-record-in-soap", "tables in SOAP"), ("tdxml-record-tcp", "tables over TCP"), ("cxf", "CXF's SOAP")):
        shares = [at[size, "soap"] / value for (size, peer), value in at.items() if peer == form and (size, "soap") in at]
        if shares:
            sooner.append(f"{name} {times(mean(shares))}")
            won += [mean(shares)] if form == "tdxml-record-in-soap" else []
    if sooner:
        parts.append("as fast as SOAP, on one core: " + ", ".join(sooner))
    if not parts:
        return []
    score = "ahead" if min(won) > TIE else "behind" if max(won) < 1 / TIE else "tie"
    return [Line("Tables and SOAP", "; ".join(parts) + "; on average over the messages", score)]


def behind(results: Results) -> list[Ratio]:
    """Every cell in which a product is more than a fifth better."""
    found: list[Ratio] = []
    for experiment, mine in MINE.items():
        measures = [m for m in results.of(experiment) if m.what in ("serialize", "deserialize", "response", "calls")]
        # SOAP clients are compared with the client in their language, in soap.md.
        found += [each for each in best_peers([m for m in measures if m.workload != "clients"], mine) if each.verdict == "behind"]
    return ordered_cells(found)
