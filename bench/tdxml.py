"""make bench-tdxml: response times, calls a second and processor time of the five messages of the TDXML paper in each form, and of CXF. See docs/measuring.md."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from harness import calls, machine, results, tdxml
from harness.journal import Journal
from harness.report import MESSAGES
from harness.tools import BENCH, BUILD, Failed, say


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="bench-tdxml", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="one short round: to find large differences")
    parser.add_argument("--rounds", type=int, help="how often every cell is measured (default: 3)")
    parser.add_argument("--peer", action="append", default=[], help=f"{', '.join(tdxml.FORMS)}; may be repeated; soap is always measured")
    parser.add_argument("--message", action="append", choices=MESSAGES, help="may be repeated (default: all)")
    parser.add_argument("--callers", action="append", type=int, help="threads that call at once; may be repeated (default: 4, 16 and 32, and always 1)")
    parser.add_argument("--results", type=Path, default=BENCH / "results", help="folder for tdxml.json (default: bench/results)")
    parser.add_argument("--fresh", action="store_true", help="begin anew even if an earlier run of the same plan was interrupted")
    return parser.parse_args()


def main() -> int:
    options = arguments()
    data = options.results / "tdxml.json"
    try:
        plan = tdxml.Plan(
            forms=tdxml.known(options.peer),
            messages=tuple(options.message or MESSAGES),
            callers=tuple(options.callers or tdxml.CALLERS),
            rounds=options.rounds or (1 if options.quick else 3),
            seconds=0.4 if options.quick else 2,
            warm_up=5 if options.quick else 60,
            patience=2 if options.quick else 3,
        )
        tdxml.build(plan)
        journal = Journal(BUILD / "tdxml", plan, options.fresh)
        before = machine.load()
        rows = tdxml.measure(plan, journal)
        versions = {name: version for name, version in calls.versions().items() if name in ("JDK", "CXF")}
        run = {"command": machine.command("bench-tdxml"), "load_before": before, "load_after": machine.load()}
        results.write(data, {"experiment": "tdxml", "machine": machine.describe(), "runs": [run], "versions": {"java": versions}, "rows": rows})
        journal.end()
    except (Failed, OSError) as problem:
        say(f"bench-tdxml: {problem}")
        return 1
    except KeyboardInterrupt:
        say("bench-tdxml: stopped; the same command goes on from here")
        return 130
    say(f"bench-tdxml: wrote {data}; scripts/bench-report.sh makes the page of it")
    return 0


if __name__ == "__main__":
    sys.exit(main())
