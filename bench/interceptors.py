"""make bench-interceptors: small calls with and without an interceptor that does nothing, of the client and of the service, in every language. See docs/measuring.md."""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path

from harness import interceptors_build as build
from harness import machine, results
from harness.report import LANGUAGES, Figure
from harness.tools import BENCH, Failed, say

Row = results.Row
KINDS = {"client": "a client's interceptor", "service": "a service's interceptor"}
MEASURES = {"mean": "time of a call", "p99": "99th percentile"}


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="bench-interceptors", description=__doc__)
    parser.add_argument("--only", action="append", choices=list(build.LANGUAGES), metavar="LANGUAGE", help="of the client: java, python, c or csharp; may be repeated")
    parser.add_argument("--blocks", type=int, default=40, help="how often each kind of call is measured (default: 40)")
    parser.add_argument("--calls", type=int, default=5_000, help="calls of a block (default: 5000)")
    parser.add_argument("--core", type=int, default=0, help="the core on which service and client run (default: 0)")
    parser.add_argument("--results", type=Path, default=BENCH / "results", help="folder for interceptors.json and interceptors.md (default: bench/results)")
    parser.add_argument("--report", action="store_true", help="measure nothing: write interceptors.md again from interceptors.json")
    return parser.parse_args()


def rows_of(language: str, output: str, calls: int) -> list[Row]:
    """A row for each kind of call, with the nanoseconds of a call and the 99th percentile of each block.

    :raises Failed: if the kinds have not the same number of blocks.
    """
    rows: dict[str, Row] = {kind: {"language": language, "kind": kind, "mean": [], "p99": []} for kind in ("none", *KINDS)}
    for line in output.splitlines():
        kind, total, p99 = line.split()
        rows[kind]["mean"].append(int(total) / calls)
        rows[kind]["p99"].append(int(p99))
    if len({len(row["mean"]) for row in rows.values()}) != 1 or not rows["none"]["mean"]:
        raise Failed(f"{language}: not every kind of call was measured in each block")
    return list(rows.values())


def measure(options: argparse.Namespace) -> Row:
    languages = options.only or list(build.LANGUAGES)
    build.build(languages)
    before, rows = machine.load(), []
    for language in languages:
        say(f"{language}: measuring")
        pinned = ["taskset", "-c", str(options.core)]
        with subprocess.Popen([*pinned, *build.service_command()], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as service:
            assert service.stdin and service.stdout
            ports = service.stdout.readline().split()
            words = [*pinned, *build.client_command(language), *ports, str(options.blocks), str(options.calls)]
            client = subprocess.run(words, stdout=subprocess.PIPE, text=True, env={**os.environ, **build.client_environment(language)}, check=False)
            service.stdin.close()
        if client.returncode != 0:
            raise Failed(f"{language}: its client failed with exit code {client.returncode}")
        rows += rows_of(language, client.stdout, options.calls)
    result = {
        "experiment": "interceptors",
        "machine": machine.describe(),
        "runs": [{"command": machine.command("bench-interceptors"), "load_before": before, "load_after": machine.load()}],
        "calls": options.calls,
        "rows": rows,
    }
    results.write(options.results / "interceptors.json", result)
    return result


def difference(without: Row, row: Row, measure: str) -> Figure:
    """How much longer, as a share: of the blocks that were measured one after the other."""
    return Figure.of([mine / other - 1 for mine, other in zip(row[measure], without[measure])])


def markdown(result: Row) -> str:
    (target,) = (each for each in json.loads((BENCH / "targets.json").read_text()) if "interceptors" in each)
    goal, rows, taken = target["at_most_more"], result["rows"], result["machine"]
    lines = [
        "# Interceptors",
        "",
        "What an interceptor that does nothing adds to a small call: an echo of five characters on the binary wire over TCP and the loopback, one call after the other, a Java service.",
        "Both programs are pinned to one core. Each block of calls is followed by a block of the next kind on the same pair of programs. A figure is the median of the blocks; a difference is the median of those between",
        "neighbours, with half the distance between the quartiles.",
        "",
        f"Taken on {taken['processor']}, {taken['cpus']} CPUs, {taken['memory']}, {taken['kernel']}.",
        "",
        *(f"- `{run['command']}` (load before {run['load_before']}, after {run['load_after']})" for run in result["runs"]),
        f"- {len(rows[0]['mean'])} blocks of {result['calls']:,} calls of each kind",
        "",
        f"| client | | without, µs | with, µs | difference | goal: at most {goal:.0%} |",
        "|---|---|---:|---:|---:|---|",
    ]
    for language in dict.fromkeys(row["language"] for row in rows):
        without, *others = (row for row in rows if row["language"] == language)
        for row in others:
            for name, shown in MEASURES.items():
                found = difference(without, row, name)
                base, mine = (Figure.of(each[name]).median / 1000 for each in (without, row))
                reached = "reached" if found.median <= goal else "**falls short**"
                spread = (found.high - found.low) / 2
                lines.append(f"| {LANGUAGES[language]} | {KINDS[row['kind']]}, {shown} | {base:.1f} | {mine:.1f} | {found.median:+.1%} ±{spread:.1%} | {reached} |")
    return "\n".join(lines) + "\n"


def main() -> int:
    options = arguments()
    page = options.results / "interceptors.md"
    try:
        result = json.loads((options.results / "interceptors.json").read_text()) if options.report else measure(options)
    except (Failed, OSError) as problem:
        say(f"bench-interceptors: {problem}")
        return 1
    text = markdown(result)
    page.write_text(text)
    print(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
