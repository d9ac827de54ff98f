"""The separate page of the messaging experiment, messaging.md."""

from __future__ import annotations

from harness.report import size_name, times

from .compare import amount, noise, ratio
from .measures import Results, Row, add
from .messaging import COLUMNS, PEERS, Seen, cannot, column, conclusions, largest, overview, title, verdict


def of_rows(rows: list[Row]) -> Results:
    results = Results()
    add(results, "messaging", rows)
    return results


def markdown(result: Row) -> str:
    results = of_rows(result["rows"])
    machine = result["machine"]
    lines = ["# Messages of megabytes over HTTP and JMS", ""]
    lines += ["The client asks, the service makes the payload and sends it. Medians on the clock; of server, client and broker the processor time. How it is measured, and what the", "forms are: `docs/measuring.md`.", ""]
    lines += [f"Taken on {machine['processor']}, {machine['cpus']} CPUs, {machine['memory']}, {machine['kernel']}.", ""]
    lines += [f"- `{run['command']}` (load before {run['load_before']}, after {run['load_after']})" for run in result["runs"]]
    factor = noise(results.of("messaging", what="response"))
    if factor is not None:
        lines += ["", f"A program differs from itself by {factor:.2f}× in a quarter of the cells or more (A/A check)."]
    lines += ["", "## What the papers conclude, and what is seen today", "", "| in the paper | what it says | theirs | " + " | ".join(PEERS.values()) + " |", "|---" * (3 + len(PEERS)) + "|"]
    for each in conclusions(results):
        seen = [told(each.seen.get(peer), each.where) for peer in PEERS]
        lines.append(f"| {each.where} | {each.what} | {each.theirs} | " + " | ".join(seen) + " |")
    size = largest(results)
    if size is not None:
        lines += ["", f"## All of it, at {size_name(size)}", "", "| | message | " + " | ".join(COLUMNS.values()) + " |", "|---" * (2 + len(COLUMNS)) + "|"]
        for line in overview(results, size):
            lines.append(f"| {PEERS[line.peer]} | {title(line.workload)} | " + " | ".join(column(name, line.values.get(name)) for name in COLUMNS) + " |")
    lines += ["", "## Transactions", "", *transactions(results)]
    refused = cannot(results)
    if refused:
        lines += ["", "## What peers cannot do", "", *(f"- {row['peer']}, {row['workload']}, {size_name(row['size'])}: {row['why']}" for row in refused)]
    return "\n".join(lines) + "\n"


def told(seen: Seen | None, where: str) -> str:
    if seen is None:
        return "not measured"
    word = verdict(seen, where)
    return f"**{word}**: {seen.text}" if word else seen.text


def transactions(results: Results) -> list[str]:
    """A row for each peer and workload; the factor after a peer's time is relative to Creo."""
    found = results.of("messaging", what="response")
    sizes = sorted({int(m.size) for m in found})
    at = {(m.peer, m.workload, m.size): m for m in found}
    lines = ["| | message | " + " | ".join(map(size_name, sizes)) + " |", "|---" * (2 + len(sizes)) + "|"]
    for peer, workload in dict.fromkeys((m.peer, m.workload) for m in sorted(found, key=lambda m: (m.workload.split("/")[::-1], m.peer))):
        cells = []
        for size in sizes:
            mine, own = at.get((peer, workload, size)), at.get(("creo", workload, size))
            shown = f"{amount(mine.summary.median, 'ns')} ±{mine.summary.spread:.0%}" if mine else ""
            cells.append(f"{shown} ({times(ratio(own, mine).value)})" if mine and own and mine is not own else shown)
        lines.append(f"| {PEERS.get(peer, peer)} | {title(workload)} | " + " | ".join(cells) + " |")
    return lines
