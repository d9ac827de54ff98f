"""make bench-creo: response time of calls over the loopback, beside the peers, in each language, as the paper "Creo: a service development toolkit" took it.
See docs/measuring.md."""

from __future__ import annotations

import argparse
import json
import os
import sys
from pathlib import Path

from harness import machine, response, response_build, response_peers, response_report, results
from harness.journal import Journal, measure_parts, rows_of
from harness.report import size_name
from harness.tools import BENCH, Failed, say
from wire import size


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="bench-creo", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="one short round of 100 B and 10 kB: to find large differences, not to publish; some nine minutes")
    parser.add_argument("--rounds", type=int, help="how often every cell is measured, in programs of its own (default: 3)")
    parser.add_argument("--only", action="append", choices=response_peers.LANGUAGES, metavar="LANGUAGE", help="java, python, c or csharp; may be repeated")
    parser.add_argument("--peer", action="append", default=[], help="a peer's name as in the table; may be repeated; creo is always measured")
    parser.add_argument("--workload", action="append", choices=response_peers.WORKLOADS, help="numbers, strings or bytes; may be repeated")
    parser.add_argument("--size", action="append", type=size, help="such as 100, 10k or 100M; may be repeated")
    parser.add_argument("--results", type=Path, default=BENCH / "results", help="folder for creo.json and creo.md (default: bench/results)")
    parser.add_argument("--merge", action="store_true", help="keep what is not measured now: all peers of a language, workload and size are kept or replaced together")
    parser.add_argument("--fresh", action="store_true", help="begin anew even if an earlier run of the same plan was interrupted")
    parser.add_argument("--resume", action="store_true", help="go on with an interrupted run of the same plan: that is what happens without --fresh, too")
    parser.add_argument("--no-build", action="store_true", help="take the programs as they were built before")
    parser.add_argument("--report", action="store_true", help="measure nothing: write creo.md again from creo.json")
    return parser.parse_args()


def plan_of(options: argparse.Namespace) -> response.Plan:
    unknown = [name for name in options.peer if name not in response.known()]
    if unknown:
        raise Failed(f"no such peer: {', '.join(unknown)}; there are {', '.join(response.known())}")
    names = {"creo", *options.peer} if options.peer else set(response.known())
    languages = options.only or response_peers.LANGUAGES
    peers = tuple(peer for peer in response_peers.PEERS if peer.name in names and peer.language in languages)
    quick = options.quick
    return response.Plan(
        peers=peers,
        workloads=tuple(options.workload or response_peers.WORKLOADS),
        sizes=tuple(sorted(options.size or ((100, 10_000) if quick else response.SIZES))),
        rounds=options.rounds or (1 if quick else 3),
        callers=(16,) if quick else (4, 16),
        parallel=(100,) if quick else (100, 10_000),
        first_warm_up=1 if quick else 12,
        warm_up=0.3 if quick else 2,
        seconds=0.15 if quick else 0.3,
        longest=3 if quick else 10,
    )


def cannot(rows: list[results.Row]) -> list[str]:
    return [f", {size_name(row['size'])}: cannot: {row['cannot']}" for row in rows if "cannot" in row and row["placement"] == "free"]


def measure(options: argparse.Namespace) -> results.Row:
    plan = plan_of(options)
    if not options.no_build:
        response_build.build(name for peer in plan.peers for name in peer.builders())
    journal = Journal(response_build.HERE, plan, options.fresh)
    before = machine.load()
    measure_parts("bench-creo", plan.parts(), journal, lambda part: list(response.measure_part(part, plan)), cannot)
    result = {
        "experiment": "creo",
        "machine": machine.describe(),
        "runs": [{"command": machine.command("bench-creo"), "load_before": before, "load_after": machine.load()}],
        "versions": response_build.versions({peer.language for peer in plan.peers}),
        "rows": rows_of(plan.parts(), journal),
    }
    data = options.results / "creo.json"
    if options.merge and data.exists():
        result = results.merged(json.loads(data.read_text()), result)
    results.write(data, result)
    journal.end()
    return result


def main() -> int:
    interpreter = response_build.environment()
    if Path(sys.executable) != interpreter:
        os.execv(interpreter, [str(interpreter), __file__, *sys.argv[1:]])
    options = arguments()
    page = options.results / "creo.md"
    try:
        result = json.loads((options.results / "creo.json").read_text()) if options.report else measure(options)
        page.write_text(response_report.markdown(result))
    except (Failed, OSError) as problem:
        say(f"bench-creo: {problem}")
        return 1
    except KeyboardInterrupt:
        say("bench-creo: stopped; the same command goes on from here")
        return 130
    print("\n".join(response_report.target_table(result["rows"])))
    say(f"bench-creo: wrote {options.results / 'creo.json'} and {page}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
