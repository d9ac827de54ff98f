"""The papers' findings and the same measured here: each line says whether they agree. Only figures and facts of the papers are written here."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Iterable

from harness.report import times

from .compare import best_of_protocols, mean, overheads
from .measures import LANGUAGES, MESSAGES, Results

# Table 1 of the TDXML paper, bytes: SOAP, TDXML in SOAP, .NET Remoting's binary form, TDXML in Remoting.
SIZES = {
    "short": (375, 422, 318, 228),
    "simple": (867, 663, 726, 472),
    "medium": (7588, 4712, 3479, 4524),
    "complex": (21149, 12101, 6156, 11910),
    "jpeg": (21195, 20483, 15650, 20291),
}
SIZE_FORMS = ("soap", "tdxml-aggregated-in-soap", "binary", "tdxml-record")
# Table 2, calls a second: SOAP, TDXML in SOAP, TDXML in Remoting (for the picture, its package).
CALLS = {"short": (543, 550, 868), "simple": (471, 507, 814), "medium": (212, 261, 298), "complex": (78, 129, 128), "jpeg": (170, 170, 247)}
# Section 5.4.2, by how much of SOAP's time TDXML answers sooner: in SOAP, and in Remoting. Figure 5 has no numbers.
LATENCY = {"short": (0.0, 0.88), "simple": (0.0, 0.57), "medium": (0.22, 0.44), "complex": (0.29, 0.40)}

THRIFT = {"thrift-binary", "thrift-compact"}


@dataclass(frozen=True)
class Finding:
    """One finding of a paper beside ours. `agrees` is None where there is nothing to compare."""

    where: str
    what: str
    theirs: str
    ours: str
    agrees: bool | None


def span(values: Iterable[float]) -> str:
    found = list(values)
    return times(found[0]) if len(found) == 1 else f"{times(min(found))} to {times(max(found))}"


def finding(where: str, what: str, theirs: str, ours: dict[str, float], agrees: bool | None = None) -> Finding:
    """Ours by language, as factors."""
    if not ours:
        return Finding(where, what, theirs, "not measured", None)
    return Finding(where, what, theirs, ", ".join(f"{LANGUAGES.get(name, name)} {times(value)}" for name, value in ours.items()), agrees)


def serialization(results: Results, language: str, peers: set[str]) -> float | None:
    """How many times as long as Creo the better of the peers takes to serialize fine-grained data, on average over sizes."""
    found: list[float] = []
    for workload in ("numbers", "strings"):
        found += best_of_protocols(results.of("wire", language=language, workload=workload, what="serialize"), "creo", peers).values()
    return mean(found) if found else None


def response(results: Results, language: str, workload: str, peers: set[str], least: int = 0) -> float | None:
    """The same of response times, both sides on one core."""
    measures = results.of("creo", language=language, workload=workload, what="response", placement="pinned", callers=1)
    found = [value for size, value in best_of_protocols(measures, "creo", peers).items() if isinstance(size, int) and size >= least]
    return mean(found) if found else None


def by_language(languages: Iterable[str], of: object) -> dict[str, float]:
    assert callable(of)
    found = {language: of(language) for language in languages}
    return {language: value for language, value in found.items() if value is not None}


def creo_findings(results: Results) -> list[Finding]:
    found = []
    quick = ("java", "python", "csharp")
    ours = by_language(quick, lambda language: serialization(results, language, THRIFT))
    found.append(finding("figure 2", "serializing fine-grained data against Thrift: C#, Java, Python", "1.16× to 5.23×", ours, bool(ours) and min(ours.values()) >= 1.16))
    ours = by_language(["c"], lambda language: serialization(results, language, THRIFT))
    found.append(finding("figure 2", "the same in C", "36.8× to 116×", ours, bool(ours) and min(ours.values()) >= 36.84))
    ours = by_language(["java"], lambda language: serialization(results, language, {"serialization"}))
    found.append(finding("figure 3", "serializing against Java Object Serialization, the least of the Java tools", "5.66×", ours, bool(ours) and min(ours.values()) >= 5.66))

    table = overheads(results)
    largest = {
        workload: max(bytes_ / size for peer, sizes in peers.items() if peer in ("creo", "thrift-binary", "serialization") for size, bytes_ in sizes.items() if size >= 1000)
        for workload, peers in table.items()
        if workload in ("numbers", "strings") and {"creo", "thrift-binary"} <= set(peers)
    }
    found.append(finding("figure 4a", "message to payload, Creo, Thrift and Java serialization, fine-grained, from 1 kB", "within 2×", largest, bool(largest) and max(largest.values()) <= 2))
    for workload, theirs in (("numbers", 0.27), ("strings", 0.34)):
        peers = table.get(workload, {})
        saved = [1 - peers["thrift-compact"][size] / bytes_ for size, bytes_ in peers.get("thrift-binary", {}).items() if size >= 1000 and size in peers.get("thrift-compact", {})]
        ours_text = f"{mean(saved):.0%}" if saved else "not measured"
        found.append(
            Finding("figure 7a", f"what Thrift's compact protocol saves, {workload}", f"{theirs:.0%}", ours_text, abs(mean(saved) - theirs) < 0.05 if saved else None)
        )

    def fine(language: str, peers: set[str]) -> float | None:
        each = [value for workload in ("numbers", "strings") if (value := response(results, language, workload, peers)) is not None]
        return mean(each) if each else None

    ours = by_language(quick, lambda language: fine(language, THRIFT))
    found.append(finding("figure 5", "response time, fine-grained, against Thrift: C#, Java, Python", "1.87× to 4.77×", ours, bool(ours) and min(ours.values()) >= 1.87))
    ours = by_language(["c"], lambda language: fine(language, THRIFT))
    found.append(finding("figure 5", "the same in C", "13.4× to 19.8×", ours, bool(ours) and min(ours.values()) >= 13.42))
    ours = by_language(LANGUAGES, lambda language: response(results, language, "bytes", THRIFT, 1_000_000))
    found.append(finding("section 5.4", "response time, bytes from 1 MB, against Thrift: Creo was slower", "0.76× to 0.86×", ours, bool(ours) and max(ours.values()) < 1))
    for peer, name, numbers, coarse in (("rmi", "RMI", 6.97, 0.83), ("serialization", "Java serialization", 5.04, 0.83), ("soap-axis2", "SOAP (Axis2)", 135.69, 7.66), ("rest", "REST", 140.93, 11.99)):
        for workload, theirs_factor in (("numbers", numbers), ("bytes", coarse)):
            ours = by_language(["java"], lambda language, peer=peer, workload=workload: response(results, language, workload, {peer}))
            agrees = bool(ours) and (ours["java"] > 1) == (theirs_factor > 1)
            found.append(finding("figure 6", f"response time against {name}, {workload}", times(theirs_factor), ours, agrees))
    return found


def tdxml_sizes(results: Results) -> list[Finding]:
    """Both as a share of SOAP's bytes: absolute ones depend on names and values of the messages, which the paper does not print."""
    ours = {(row["message"], row["form"]): row["bytes"] for row in results.sizes}
    names = ("TDXML in SOAP", "binary", "TDXML alone")
    found = []
    for message in MESSAGES:
        for at, (form, name) in enumerate(zip(SIZE_FORMS[1:], names), 1):
            theirs = 1 - SIZES[message][at] / SIZES[message][0]
            if (message, "soap") not in ours:
                found.append(Finding("table 1", f"{message}: {name}", less(theirs, "smaller"), "not measured", None))
                continue
            share = 1 - ours[message, form] / ours[message, "soap"]
            found.append(Finding("table 1", f"{message}: {name}", less(theirs, "smaller"), less(share, "smaller"), share >= theirs - 0.05))
    return found


def less(share: float, word: str) -> str:
    opposite = {"smaller": "larger", "sooner": "later", "more": "fewer"}[word]
    return "the same" if abs(share) < 0.005 else f"{abs(share):.0%} {word if share > 0 else opposite}"


def tdxml_latency(results: Results) -> list[Finding]:
    found = []
    for message, each in LATENCY.items():
        at = {m.peer: m.summary.median for m in results.of("tdxml", what="response", placement="pinned", callers=1, size=message)}
        for theirs, form, name in zip(each, ("tdxml-aggregated-in-soap", "tdxml-record-tcp"), ("in SOAP, the paper's scheme", "without SOAP (here: records over TCP)")):
            share = 1 - at[form] / at["soap"] if {form, "soap"} <= set(at) else None
            text = less(share, "sooner") if share is not None else "not measured"
            found.append(Finding("figure 5", f"{message}: TDXML {name}", less(theirs, "sooner"), text, share >= theirs - 0.1 if share is not None else None))
    return found


def tdxml_calls(results: Results) -> list[Finding]:
    found = []
    for message, each in CALLS.items():
        best: dict[str, float] = {}
        for m in results.of("tdxml", what="calls", placement="free", size=message):
            if m.callers > 1:
                best[m.peer] = max(best.get(m.peer, 0), m.summary.median)
        alone = "tdxml-record-mime" if message == "jpeg" else "tdxml-record-tcp"
        for at, form, name in ((1, "tdxml-aggregated-in-soap", "in SOAP, the paper's scheme"), (2, alone, "without SOAP")):
            theirs = each[at] / each[0] - 1
            share = best[form] / best["soap"] - 1 if {form, "soap"} <= set(best) else None
            text = less(share, "more") if share is not None else "not measured"
            found.append(Finding("table 2", f"{message}: calls a second, TDXML {name}", less(theirs, "more"), text, share >= theirs - 0.1 if share is not None else None))
    return found
