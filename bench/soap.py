"""make bench-soap: calls a second over SOAP and HTTP on the loopback, beside the peers. See docs/measuring.md."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from harness import calls, calls_report, machine, results
from harness.report import MESSAGES
from harness.tools import BENCH, Failed, say


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="bench-soap", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="one short round: to find large differences, not to publish")
    parser.add_argument("--rounds", type=int, help="how often every cell is measured (default: 5)")
    parser.add_argument("--part", action="append", choices=list(calls.PARTS), help="services or clients; may be repeated")
    parser.add_argument("--service", action="append", choices=list(calls.SERVICES), help="may be repeated; creo is always measured")
    parser.add_argument("--message", action="append", choices=MESSAGES, help="may be repeated (default: simple, medium and complex)")
    parser.add_argument("--connections", action="append", type=int, help="may be repeated (default: 1, 4 and 16)")
    parser.add_argument("--results", type=Path, default=BENCH / "results", help="folder for soap.json and soap.md (default: bench/results)")
    parser.add_argument("--report", action="store_true", help="measure nothing: write soap.md again from soap.json")
    return parser.parse_args()


def measure(options: argparse.Namespace) -> dict[str, Any]:
    plan = calls.Plan(
        services=tuple(dict.fromkeys(["creo", *(options.service or calls.SERVICES)])),
        messages=tuple(options.message or ("simple", "medium", "complex")),
        connections=tuple(options.connections or (1, 4, 16)),
        rounds=options.rounds or (1 if options.quick else 5),
        seconds=1 if options.quick else 2,
        warm_up=5 if options.quick else 30,
    )
    parts = options.part or list(calls.PARTS)
    calls.build(parts, plan)
    before = machine.load()
    rows = calls.measure(parts, plan)
    return {
        "machine": machine.describe(),
        "command": machine.command("bench-soap"),
        "load_before": before,
        "load_after": machine.load(),
        "versions": calls.versions(),
        "rows": rows,
    }


def main() -> int:
    options = arguments()
    data, page = options.results / "soap.json", options.results / "soap.md"
    try:
        if options.report:
            result = json.loads(data.read_text())
        else:
            result = measure(options)
            results.write(data, result)
    except (Failed, OSError) as problem:
        say(f"bench-soap: {problem}")
        return 1
    page.write_text(calls_report.markdown(result))
    print("\n".join(calls_report.target_table(result["rows"])))
    say(f"bench-soap: wrote {data} and {page}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
