"""The bytes of messages as a part of the wire's own page, wire.md."""

from __future__ import annotations

from harness.report import size_name

from .compare import outcomes, overheads
from .measures import Results, Row, add, in_order


def of_rows(rows: list[Row]) -> Results:
    results = Results()
    add(results, "wire", rows)
    return results


def verdicts(rows: list[Row], targets: list[Row]) -> list[str]:
    """What was reached of the targets of bytes, a line each; nothing of those that were not measured."""
    found = outcomes([target for target in targets if "overhead" in target], of_rows(rows))
    return [f"| {each.what} | {each.wanted} | {each.reached} | {each.verdict if not each.missed else f'**{each.verdict}**'} |" for each in found if each.missed is not None]


def markdown(rows: list[Row], targets: list[Row]) -> list[str]:
    table = overheads(of_rows(rows))
    if not table:
        return []
    lines = ["", "## Transmission overhead", "", "Bytes of the message, and in brackets for a byte of payload. Smallest first."]
    for workload, peers in table.items():
        sizes = [int(size) for size in in_order(size for of_peer in peers.values() for size in of_peer)]
        lines += ["", f"| {workload} | " + " | ".join(map(size_name, sizes)) + " |", "|---" * (len(sizes) + 1) + "|"]
        for peer, of_peer in sorted(peers.items(), key=lambda each: sum(each[1].values()) / sum(each[1])):
            cells = [f"{of_peer[size]:,} ({of_peer[size] / size:.3g}×)" if size in of_peer else "" for size in sizes]
            lines.append(f"| {peer} | " + " | ".join(cells) + " |")
    judged = verdicts(rows, targets)
    return lines + (["", "| what | wanted | reached | |", "|---|---|---|---|", *judged] if judged else [])
