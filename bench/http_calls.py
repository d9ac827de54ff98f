"""make bench-http: an echo service over HTTP beside other Java servers, calls of Creo's own client, and what idle connections take. See docs/measuring.md."""

from __future__ import annotations

import argparse
import json
import os
import shlex
import sys
from pathlib import Path
from typing import Any

from harness import http_build, http_report, machine, results
from harness.http_calls import Plan, measure_clients, measure_http
from harness.http_idle import measure_idle
from harness.response import Cannot
from harness.tools import BENCH, Failed, say

PARTS = {"http": measure_http, "clients": measure_clients, "idle": measure_idle}
# Client and server share them; on a larger machine, they are kept there.
CORES = 2


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="bench-http", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="one short round: to find large differences, not to publish")
    parser.add_argument("--rounds", type=int, help="how often every cell is measured (default: 3)")
    parser.add_argument("--part", action="append", choices=PARTS, help="may be repeated (default: all)")
    parser.add_argument("--peer", action="append", choices=[name for name in http_build.PEERS if name not in http_build.CREO], help="may be repeated (default: all); creo is always measured")
    parser.add_argument("--jdk", action="append", help="a major version, or the folder of a JDK; may be repeated (default: 17 and 25)")
    parser.add_argument("--connections", action="append", type=int, help="may be repeated (default: 1 and 16)")
    parser.add_argument("--idle", type=int, help="how many idle connections (default: 10,000)")
    parser.add_argument("--against", type=Path, metavar="CHECKOUT", help="another checkout of this repository, whose Creo is measured in turn with this one")
    parser.add_argument("--results", type=Path, default=BENCH / "results", help="folder for http.json and http.md (default: bench/results)")
    parser.add_argument("--report", action="store_true", help="measure nothing: write http.md again from http.json")
    return parser.parse_args()


def measure(options: argparse.Namespace) -> dict[str, Any]:
    jdks = tuple(map(http_build.jdk, options.jdk or ("17", "25")))
    against = options.against.resolve() if options.against else None
    names = ("creo", *([http_build.BEFORE] if against else ()), *(options.peer or [name for name in http_build.PEERS if name not in http_build.CREO]))
    plan = Plan(
        subjects=http_build.subjects(names, jdks),
        connections=tuple(options.connections or (1, 16)),
        rounds=options.rounds or (1 if options.quick else 3),
        seconds=2 if options.quick else 10,
        client_seconds=2 if options.quick else 5,
        warm_up=6 if options.quick else 30,
        idle=options.idle or (2_000 if options.quick else 10_000),
        idle_jdk=min(jdks, key=lambda each: each.major),
    )
    parts = options.part or list(PARTS)
    # Only Creo takes part in all of them.
    taking_part = plan.subjects if "http" in parts else tuple(subject for subject in plan.subjects if subject.name in http_build.CREO)
    http_build.build(taking_part, against)
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:CORES])
    before = machine.load()
    rows = [row for part in PARTS if part in parts for row in PARTS[part](plan)]
    versions, command = http_build.versions(taking_part, against), machine.command("bench-http")
    return {
        "machine": machine.describe(),
        # Where the other checkout is says nothing; which commit it is, does.
        "command": command.replace(shlex.quote(str(options.against)), versions[http_build.BEFORE]) if against else command,
        "load_before": before,
        "load_after": machine.load(),
        "versions": versions,
        "rows": rows,
    }


def main() -> int:
    options = arguments()
    data, page = options.results / "http.json", options.results / "http.md"
    try:
        if options.report:
            result = json.loads(data.read_text())
        else:
            result = measure(options)
            results.write(data, result)
    except (Failed, Cannot, OSError) as problem:
        say(f"bench-http: {problem}")
        return 1
    text = http_report.markdown(result)
    page.write_text(text)
    print(text)
    say(f"bench-http: wrote {data} and {page}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
