"""make bench-workloads: orders, telemetry and a document, built, encoded, decoded and read on the binary wire and as JSON, and a SOAP response read, beside the peers, in each language. See docs/measuring.md."""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from harness import machine, results, workloads_report
from harness.journal import Journal, Row, measure_parts
from harness.tools import BENCH, BUILD, Failed, say
from harness.workloads import DATA, PROGRAMS, WIRES, WORKLOADS, Cell


@dataclass(frozen=True)
class Part:
    """One cell in one round."""

    cell: Cell
    turn: int

    def key(self) -> list[Any]:
        return [self.cell.language, self.cell.workload, self.cell.wire, self.cell.peer, self.turn]

    def name(self) -> str:
        return f"{self.cell.language} {self.cell.workload} {self.cell.wire} {self.cell.peer}"


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="bench-workloads", description=__doc__)
    parser.add_argument("--rounds", type=int, default=3, help="how often every cell is measured, in a process of its own (default: 3)")
    parser.add_argument("--seconds", type=float, default=0.4, help="processor time of each process, after warming up (default: 0.4)")
    parser.add_argument("--core", type=int, default=0, help="the core on which everything is measured (default: 0)")
    parser.add_argument("--only", action="append", choices=list(PROGRAMS), metavar="LANGUAGE", help="java, python, c or csharp; may be repeated")
    parser.add_argument("--workload", action="append", choices=list(WORKLOADS), help="may be repeated")
    parser.add_argument("--wire", action="append", choices=list(WIRES), help="binary, json or soap; may be repeated")
    parser.add_argument("--results", type=Path, default=BENCH / "results", help="folder for workloads.json and workloads.md (default: bench/results)")
    parser.add_argument("--fresh", action="store_true", help="begin anew even if an earlier run of the same plan was interrupted")
    parser.add_argument("--report", action="store_true", help="measure nothing: write the page again from the samples")
    return parser.parse_args()


def parts_of(cells: list[Cell], rounds: int) -> list[Part]:
    """The peers of a table in turns, in rounds that each begin with another one."""
    tables: dict[tuple[str, str, str], list[Cell]] = {}
    for cell in cells:
        tables.setdefault((cell.language, cell.wire, cell.workload), []).append(cell)
    return [Part(cell, turn) for turn in range(rounds) for table in tables.values() for cell in table[turn % len(table) :] + table[: turn % len(table)]]


def same_bytes(rows: list[Row]) -> None:
    """Creo's bytes of a workload are the same in all languages."""
    seen: dict[tuple[str, str], tuple[int, str]] = {}
    for row in rows:
        if row["peer"].startswith("creo"):
            crc, other = seen.setdefault((row["workload"], row["wire"]), (row["crc"], row["language"]))
            if crc != row["crc"]:
                raise Failed(f"{row['workload']} as {row['wire']} differs between {other} and {row['language']}")


def thinned(samples: list[float], most: int = 7) -> list[float]:
    """Evenly spaced quantiles."""
    ordered = sorted(samples)
    chosen = ordered if len(ordered) <= most else [ordered[round(i * (len(ordered) - 1) / (most - 1))] for i in range(most)]
    return [float(f"{sample:.4g}") for sample in chosen]


def rows_of(parts: list[Part], journal: Journal) -> list[Row]:
    """One row for each cell and operation, with the samples of all rounds."""
    rows: dict[tuple[str, ...], Row] = {}
    for part in parts:
        cell = part.cell
        for said in journal.rows(part):
            for operation, samples in said["samples"].items():
                head = {"language": cell.language, "workload": cell.workload, "wire": cell.wire, "peer": cell.peer, "operation": operation}
                row = rows.setdefault(tuple(head.values()), {**head, "bytes": said["bytes"], "crc": said["crc"], "ns": []})
                row["ns"] += thinned(samples)
    # In the order of the tables, whatever was measured first.
    order = {cell: number for number, cell in enumerate(dict.fromkeys(part.cell for part in parts if part.turn == 0))}
    return sorted(rows.values(), key=lambda row: order[Cell(row["language"], row["workload"], row["wire"], row["peer"])])


def measure(options: argparse.Namespace) -> tuple[Row, Journal]:
    names = options.only or list(PROGRAMS)
    # Python makes the data for all.
    for name in dict.fromkeys(["python", *names]):
        say(f"{name}: building")
        PROGRAMS[name].build()
    cells = [
        cell
        for name in names
        for cell in PROGRAMS[name].cells()
        if cell.workload in (options.workload or WORKLOADS) and cell.wire in (options.wire or WIRES)
    ]
    parts = parts_of(cells, options.rounds)
    data = sorted((path.name, path.stat().st_size) for path in DATA.iterdir())
    # A run that was stopped may go on with fewer rounds, or with more.
    journal = Journal(BUILD / "workloads", (cells, options.seconds, data), options.fresh)
    before = machine.load()
    measure_parts("bench-workloads", parts, journal, lambda part: [PROGRAMS[part.cell.language].measure(part.cell, options.seconds, options.core)])
    rows = rows_of(parts, journal)
    same_bytes(rows)
    run = {"command": machine.command("bench-workloads"), "load_before": before, "load_after": machine.load(), "rounds": options.rounds, "seconds": options.seconds}
    result = {
        "machine": machine.describe(),
        "runs": [run],
        "versions": {name: PROGRAMS[name].versions() for name in names},
        "missing": {name: PROGRAMS[name].missing for name in names},
        "rows": rows,
    }
    return result, journal


def merged(old: Row, new: Row) -> Row:
    """The new result, with the old tables of what was not measured now. All peers of a table are kept or replaced together: a ratio never crosses two runs."""

    def table(row: Row) -> tuple[str, str, str]:
        return row["language"], row["wire"], row["workload"]

    replaced = {table(row) for row in new["rows"]}
    kept = [row for row in old["rows"] if table(row) not in replaced]
    if not kept:
        return new
    if old["machine"] != new["machine"]:
        raise Failed("the earlier results are of another machine: measure everything, or choose another folder with --results")
    order = [list(PROGRAMS), list(WIRES), list(WORKLOADS)]
    rows = sorted([*kept, *new["rows"]], key=lambda row: [names.index(name) for names, name in zip(order, table(row))])
    same_bytes(rows)
    by_language = {member: {**old[member], **new[member]} for member in ("versions", "missing")}
    return {**new, "runs": [*old["runs"], *new["runs"]], **by_language, "rows": rows}


def main() -> int:
    options = arguments()
    data, page = options.results / "workloads.json", options.results / "workloads.md"
    try:
        journal = None
        if options.report:
            result = json.loads(data.read_text())
        else:
            result, journal = measure(options)
            if data.exists():
                result = merged(json.loads(data.read_text()), result)
            results.write(data, result)
        page.write_text(workloads_report.markdown(result))
        say(f"bench-workloads: wrote {data} and {page}")
        if journal:
            journal.end()
    except (Failed, OSError) as problem:
        say(f"bench-workloads: {problem}")
        return 1
    except KeyboardInterrupt:
        say("bench-workloads: stopped; the same command goes on from here")
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
