"""make bench-streams: streams of doubles beside a bare socket, and of small structs beside gRPC, between a Java service and clients in each language. See docs/measuring.md."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from harness import machine, response, results, streams, streams_build, streams_report
from harness.journal import Journal, measure_parts
from harness.tools import BENCH, Failed, say

# A frame has at most 65,536 bytes unless a single item is larger (TCP-30).
BLOCK = 8_000
OTHERS = ("bare", "grpc")


def number(text: str) -> int:
    """Such as 15625, 100k or 1M; above 0."""
    factor = {"k": 1_000, "M": 1_000_000}.get(text[-1:], 1)
    found = int(text if factor == 1 else text[:-1]) * factor
    if found < 1:
        raise ValueError(text)
    return found


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="bench-streams", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="one round of a tenth: to find large differences; three minutes")
    parser.add_argument("--rounds", type=number, help="how often every stream runs, in programs of its own (default: 5)")
    parser.add_argument("--only", action="append", choices=streams_build.LANGUAGES, metavar="LANGUAGE", help="of the client: java, python, c or csharp; may be repeated")
    parser.add_argument("--without", action="append", default=[], choices=OTHERS, help="bare or grpc; may be repeated; without gRPC nothing is installed")
    parser.add_argument("--doubles", type=number, help="how many doubles a stream has (default: 125M, 1 GB)")
    parser.add_argument("--block", type=number, default=BLOCK, help=f"how many of them an item has (default: {BLOCK})")
    parser.add_argument("--structs", type=number, help="how many structs a stream has (default: 10M)")
    parser.add_argument("--grpc-structs", type=number, help="how many structs gRPC's has, whose rate is compared (default: 1M)")
    parser.add_argument("--results", type=Path, default=BENCH / "results", help="folder for streams.json and streams.md (default: bench/results)")
    parser.add_argument("--fresh", action="store_true", help="begin anew even if an earlier run of the same plan was interrupted")
    parser.add_argument("--no-build", action="store_true", help="take the programs as they were built before")
    parser.add_argument("--report", action="store_true", help="measure nothing: write streams.md again from streams.json")
    return parser.parse_args()


def plan_of(options: argparse.Namespace) -> streams.Plan:
    share = 10 if options.quick else 1
    return streams.Plan(
        peers=streams.chosen(options.only or streams_build.LANGUAGES, options.without),
        doubles=options.doubles or 125_000_000 // share,
        block=options.block,
        structs=options.structs or 10_000_000 // share,
        grpc_structs=options.grpc_structs or 1_000_000 // share,
        rounds=options.rounds or (1 if options.quick else 5),
    )


def cannot(rows: list[results.Row]) -> list[str]:
    return [f", {row['peer']}, {row['workload']}, {row['direction']}: cannot: {row['cannot']}" for row in rows if "cannot" in row]


def measure(options: argparse.Namespace) -> results.Row:
    plan = plan_of(options)
    languages = {peer.language for peer in plan.peers}
    grpc = any(peer.name == "grpc" for peer in plan.peers)
    if not options.no_build:
        streams_build.build(languages, grpc)
    response.HERE.mkdir(parents=True, exist_ok=True)
    journal = Journal(streams_build.HERE.with_name("streams-journal"), plan, options.fresh)
    before = machine.load()
    measure_parts("bench-streams", plan.parts(), journal, lambda part: streams.measure_part(part, plan), cannot)
    result = {
        "experiment": "streams",
        "machine": machine.describe(),
        "runs": [{"command": machine.command("bench-streams"), "load_before": before, "load_after": machine.load()}],
        "versions": streams_build.versions(languages, grpc),
        "block": plan.block,
        "rounds": plan.rounds,
        "missing": {**streams_build.MISSING, **dict.fromkeys(options.without, "left out by the command")},
        "rows": streams.rows_of(plan.parts(), journal),
    }
    results.write(options.results / "streams.json", result)
    journal.end()
    return result


def main() -> int:
    options = arguments()
    page = options.results / "streams.md"
    try:
        result = json.loads((options.results / "streams.json").read_text()) if options.report else measure(options)
    except (Failed, response.Cannot, OSError) as problem:
        say(f"bench-streams: {problem}")
        return 1
    except KeyboardInterrupt:
        say("bench-streams: stopped; the same command goes on from here")
        return 130
    text = streams_report.markdown(result)
    page.write_text(text)
    print(text)
    say(f"bench-streams: wrote {options.results / 'streams.json'} and {page}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
