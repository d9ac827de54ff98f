"""make bench-cost: what XML serialization costs in .NET and Java by type, array length and string length, with Creo's wires beside it. See docs/measuring.md."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from harness import cost, machine, results
from harness.tools import BENCH, Failed, say
from report import cost_section, costs
from report.measures import load


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="bench-cost", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="fewer lengths, fewer rounds, fewer wires: some minutes")
    parser.add_argument("--only", action="append", choices=cost.ALL, default=[], metavar="LANGUAGE", help="java, csharp, c or python; may be repeated (default: java and csharp, the paper's)")
    parser.add_argument("--peer", action="append", default=[], help=f"{', '.join(cost.PEERS)}; may be repeated (default: all; with --quick: both stacks of the paper, and soap)")
    parser.add_argument("--results", type=Path, default=BENCH / "results", help="folder for cost-paper.json and cost-paper.md (default: bench/results)")
    parser.add_argument("--report", action="store_true", help="measure nothing: write cost-paper.md again from cost-paper.json")
    return parser.parse_args()


def main() -> int:
    options = arguments()
    data = cost.kept(options.results)
    try:
        if not options.report:
            chosen = cost.plan(options.only, options.peer, options.quick)
            before = machine.load()
            profile, rows = cost.calibrate(chosen)
            run = {"command": machine.command("bench-cost"), "load_before": before, "load_after": machine.load()}
            content = {"experiment": costs.EXPERIMENT, "machine": machine.describe(), "runs": [run], "versions": cost.versions(profile), "rows": [*cost.fit_rows(profile), *rows]}
            results.write(data, content)
        found = load(options.results)
        if costs.EXPERIMENT not in found.heads:
            raise Failed(f"there is no {data}")
        page = cost_section.markdown(found)
        data.with_suffix(".md").write_text(page)
    except (Failed, OSError) as problem:
        say(f"bench-cost: {problem}")
        return 1
    print(page)
    say(f"bench-cost: wrote {data}; scripts/bench-report.sh makes the page of it")
    return 0


if __name__ == "__main__":
    sys.exit(main())
