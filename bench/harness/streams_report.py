"""From what was measured of streams to a page: what was reached of the goals, and all figures."""

from __future__ import annotations

import json
from typing import Any, Iterable

from .report import LANGUAGES, Figure, times
from .tools import BENCH

Row = dict[str, Any]

PEERS = {"creo": "Creo", "creo+accelerator": "Creo with the accelerator", "bare": "a bare socket", "grpc": "gRPC"}
DIRECTIONS = {"read": "from the service", "write": "to the service"}


def targets() -> list[Row]:
    return [target for target in json.loads((BENCH / "targets.json").read_text()) if "streams" in target]


def streams(rows: Iterable[Row], workload: str) -> list[Row]:
    return [row for row in rows if row.get("workload") == workload]


def rates(row: Row) -> list[float | None]:
    """Of each round: megabytes a second of doubles, thousands of structs a second; None where the stream could not run."""
    amount = row["bytes"] * 1e3 if row["workload"] == "doubles" else row["items"] * 1e6
    return [None if ns is None else amount / ns for ns in row["ns"]]


def ratio(mine: Row, other: Row) -> Figure | None:
    """How many times as fast the first is, of each round; None if there is no round that has both."""
    pairs = [own / others for own, others in zip(rates(mine), rates(other)) if own is not None and others is not None]
    return Figure.of(pairs) if pairs else None


def beside(rows: list[Row], row: Row, peer: str) -> Row | None:
    """The same stream of another peer."""
    same = ("language", "workload", "direction")
    return next((each for each in rows if each.get("peer") == peer and all(each.get(name) == row[name] for name in same)), None)


def is_creo(row: Row) -> bool:
    return str(row["peer"]).startswith("creo")


def ours(row: Row) -> str:
    return LANGUAGES[row["language"]] + (" with the accelerator" if row["peer"] == "creo+accelerator" else "")


def spread(found: Figure, shown: str) -> str:
    return f"{shown} ±{(found.high - found.low) / 2 / found.median:.0%}" if found.high > found.low else shown


def rate(row: Row | None) -> str:
    """The median with half the distance between the quartiles."""
    if row is None:
        return "not measured"
    measured = [each for each in rates(row) if each is not None]
    if not measured:
        return f"cannot: {row['cannot']}"
    found = Figure.of(measured)
    return spread(found, f"{found.median:,.0f}")


def processor_time(row: Row | None) -> str:
    """Of the service and of the client, for a gigabyte or for a struct."""
    if row is None:
        return ""
    unit = row["bytes"] if row["workload"] == "doubles" else row["items"]
    shown = []
    for name in ("cpu_service", "cpu_client"):
        measured = [each / unit for each in row[name] if each is not None]
        if measured:
            median = Figure.of(measured).median
            shown.append(f"{median:.2f}" if row["workload"] == "doubles" else f"{median:,.0f}")
    return " + ".join(shown)


def compared(rows: list[Row], workload: str) -> list[str]:
    (target,) = (each for each in targets() if each["streams"] == workload)
    peer = target["peer"]
    unit, spent = ("MB/s", "s/GB") if workload == "doubles" else ("1,000/s", "ns each")
    lines = [f"| client | direction | Creo, {unit} | CPU, {spent} | {PEERS[peer]}, {unit} | CPU, {spent} | ratio | goal: {times(target['at_least'])} |", "|---" * 8 + "|"]
    for row in filter(is_creo, streams(rows, workload)):
        other = beside(rows, row, peer)
        found = ratio(row, other) if other else None
        reached = "" if found is None else "reached" if float(f"{found.median:.3g}") >= target["at_least"] else "**falls short**"
        shown = "" if found is None else spread(found, times(found.median))
        lines.append(f"| {ours(row)} | {DIRECTIONS[row['direction']]} | {rate(row)} | {processor_time(row)} | {rate(other)} | {processor_time(other)} | {shown} | {reached} |")
    return lines


def megabytes(kibibytes: float) -> float:
    return kibibytes * 1024 / 1e6


def growth(row: Row) -> float:
    """The most that a program's resident memory grew in any round, from before the first stream to the end, in MB."""
    return megabytes(max(end - start for start, end in zip(row["start"], row["end"])))


def memory(rows: list[Row]) -> list[str]:
    (target,) = (each for each in targets() if each["streams"] == "memory")
    below = target["megabytes_below"]
    lines = [f"| client | program | idle, MB | after the warm-up | at the end | more than idle | goal: below {below} MB |", "|---" * 7 + "|"]
    for row in (row for row in rows if "side" in row and is_creo(row)):
        shown = (f"{megabytes(max(row[when])):.0f}" for when in ("start", "warm", "end"))
        reached = "reached" if growth(row) < below else "**falls short**"
        lines.append(f"| {ours(row)} | {row['side']} | " + " | ".join(shown) + f" | {growth(row):.0f} | {reached} |")
    return lines


def sizes(rows: list[Row]) -> str:
    """How long the streams are."""
    doubles = next((row["bytes"] // 8 for row in streams(rows, "doubles")), None)
    structs = next((row["items"] for row in streams(rows, "structs") if is_creo(row)), None)
    grpc = next((row["items"] for row in streams(rows, "structs") if row["peer"] == "grpc"), None)
    said = [f"{doubles:,} doubles" if doubles else "", f"{structs:,} structs" if structs else "", f"{grpc:,} structs of gRPC" if grpc else ""]
    return ", ".join(filter(None, said))


def markdown(result: Row) -> str:
    rows: list[Row] = result["rows"]
    machine = result["machine"]
    lines = [
        "# Streams",
        "",
        "A Java service and a client in each language over the loopback, on the binary wire over TCP, at the defaults of both. Each stream is read by the client from the service, and",
        "written by the client to it. Medians of the rounds with half the distance between the quartiles; a ratio is that of two streams that ran one after the other in the same round.",
        "*CPU* is the processor time of the service and of the client. How it is measured: `docs/measuring.md`.",
        "",
        f"Taken on {machine['processor']}, {machine['cpus']} CPUs, {machine['memory']}, {machine['kernel']}.",
        "",
        *(f"- `{run['command']}` (load before {run['load_before']}, after {run['load_after']})" for run in result["runs"]),
        f"- {result['rounds']} round{'s' * (result['rounds'] != 1)}: {sizes(rows)}",
        "- Versions: " + ", ".join(f"{name} {version}" for name, version in result["versions"].items()),
    ]
    if streams(rows, "doubles"):
        lines += ["", f"## Doubles, in items of {result['block']:,}, beside a bare socket", "", *compared(rows, "doubles")]
    if streams(rows, "structs"):
        lines += ["", "## Structs of a long, a double and an int, beside gRPC", "", *compared(rows, "structs")]
    lines += ["", "## Resident memory", "", "The max of the rounds. Idle is before the first stream; heaps of Java and .NET have at most 64 MiB.", "", *memory(rows)]
    lines += ["", "## What is not beside Creo", "", *(f"- {PEERS.get(name, name)}: {why}" for name, why in result["missing"].items())]
    return "\n".join(lines) + "\n"
