"""The page of what security costs, estimated and measured."""

from __future__ import annotations

from typing import Any

from .report import Figure

Row = dict[str, Any]
WAYS = ("write", "read")
WORKS = {"sign": "sign", "verify": "verify", "encrypt": "encrypt", "decrypt": "decrypt", "signEncrypt": "sign and encrypt", "decryptVerify": "decrypt and verify"}


def markdown(result: Row) -> str:
    machined, rows = result["machine"], result["rows"]
    out = [
        "# What security costs: estimated and measured",
        "",
        "Processor time to sign, verify, encrypt and decrypt SOAP messages in each language: what `creo estimate --security` adds by the costs below, and the median of",
        "measured messages, with half the distance between the quartiles. The costs were measured with other messages, in another process. How: `docs/measuring.md`.",
        "",
        f"Taken on {machined['processor']}, {machined['cpus']} CPUs, {machined['memory']}, {machined['kernel']}, on {result['placed']}, with `{result['command']}`",
        f"(load before {result['load_before']}, after {result['load_after']}).",
        "",
        f"Versions: {'; '.join(f'{name}: {version}' for name, version in result['versions'].items())}",
        "",
        "## Costs",
        "",
        "| for each message, byte and element | " + " | ".join(result["costs"]) + " |",
        "|---|" + "---|" * len(result["costs"]),
    ]
    for work, words in WORKS.items():
        sums = (f"{cost[work]['ns'] / 1e3:,.0f} µs + {cost[work]['byte']:g} ns + {cost[work]['element'] / 1e3:.2g} µs" for cost in result["costs"].values())
        out.append(f"| {words} | {' | '.join(sums)} |")
    out += ["", "## Errors", "", "| | times | median error | largest error | within the interval |", "|---|---|---|---|---|"]
    for language in result["costs"]:
        points = [(row, way) for row in rows if row["language"] == language for way in WAYS]
        errors = sorted((error(row, way) for row, way in points), key=abs)
        within = sum(abs(measured(row, way).median / row["predicted"][way] - 1) <= row["error"] for row, way in points)
        out.append(f"| {language} | {len(points)} | {abs(errors[len(errors) // 2]):.0%} | {errors[-1]:+.0%} | {within} |")
    for language in result["costs"]:
        out += ["", f"## {language}", "", "| message | security | bytes | write: estimated | measured | | read: estimated | measured | |", "|---|---|---|---|---|---|---|---|---|"]
        for row in (row for row in rows if row["language"] == language):
            cells = []
            for way in WAYS:
                found = measured(row, way)
                cells += [f"{row['predicted'][way] / 1e3:,.0f} µs", f"{found.median / 1e3:,.0f} µs ±{(found.high - found.low) / 2 / found.median:.0%}", f"{error(row, way):+.0%}"]
            out.append(f"| {row['message']} | {row['parts']} | {row['bytes']:,} | {' | '.join(cells)} |")
    return "\n".join(out) + "\n"


def measured(row: Row, way: str) -> Figure:
    return Figure.of(row["samples"][way])


def error(row: Row, way: str) -> float:
    """How far the estimate is from the measured median, as a share of that."""
    return float(row["predicted"][way] / measured(row, way).median - 1)
