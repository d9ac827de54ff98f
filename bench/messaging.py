"""make bench-messaging: messages of 1.3 to 22.2 MB, normal and serialized, over HTTP and JMS, as the papers on serialized messaging sent them, beside Apache CXF.
See docs/measuring.md."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from harness import machine, messaging, messaging_build, response, results
from harness.journal import Journal, measure_parts, rows_of
from harness.tools import BENCH, Failed, say
from report import messaging_page


def size(text: str) -> int:
    """A payload such as 7.3M; a whole number of items."""
    found = round(float(text.removesuffix("M")) * (1_000_000 if text.endswith("M") else 1))
    if found < messaging.ITEM or found % messaging.ITEM:
        raise ValueError(text)
    return found


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="bench-messaging", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="one short round of three payloads: to find large differences; about eight minutes")
    parser.add_argument("--rounds", type=int, help="how often every cell is measured, in programs of its own (default: 3)")
    parser.add_argument("--peer", action="append", default=[], help=f"{', '.join(messaging.PEERS)}; may be repeated; creo is always measured")
    parser.add_argument(
        "--only",
        action="append",
        default=[],
        choices=[*messaging.FORMS, *messaging.TRANSPORTS],
        metavar="NAME",
        help=f"a form ({', '.join(messaging.FORMS)}) or a transport ({', '.join(messaging.TRANSPORTS)}); may be repeated",
    )
    parser.add_argument("--size", action="append", type=size, help="such as 7.3M; may be repeated")
    parser.add_argument("--results", type=Path, default=BENCH / "results", help="folder for messaging.json and messaging.md (default: bench/results)")
    parser.add_argument("--fresh", action="store_true", help="begin anew even if an earlier run of the same plan was interrupted")
    parser.add_argument("--no-build", action="store_true", help="take the programs as they were built before")
    parser.add_argument("--report", action="store_true", help="measure nothing: write messaging.md again from messaging.json")
    return parser.parse_args()


def plan_of(options: argparse.Namespace) -> messaging.Plan:
    quick = options.quick
    return messaging.Plan(
        subjects=messaging.chosen(options.peer, options.only),
        sizes=tuple(sorted(options.size or (messaging.QUICK_SIZES if quick else messaging.SIZES))),
        rounds=options.rounds or (1 if quick else 3),
        first_warm_up=3 if quick else 15,
        warm_up=1 if quick else 2,
        seconds=0.6 if quick else 1.5,
        least=3 if quick else 5,
        wire_seconds=0.6 if quick else 1.5,
    )


def cannot(rows: list[results.Row]) -> list[str]:
    return [f": cannot: {reason}" for reason in dict.fromkeys(row["cannot"] for row in rows if "cannot" in row)]


def measure(options: argparse.Namespace) -> results.Row:
    plan = plan_of(options)
    if not options.no_build:
        messaging_build.build()
    response.HERE.mkdir(parents=True, exist_ok=True)
    journal = Journal(messaging_build.HERE, plan, options.fresh)
    before = machine.load()
    measure_parts("bench-messaging", plan.parts(), journal, lambda part: messaging.measure_part(part, plan), cannot)
    result = {
        "experiment": "messaging",
        "machine": machine.describe(),
        "runs": [{"command": machine.command("bench-messaging"), "load_before": before, "load_after": machine.load()}],
        "versions": messaging_build.versions(),
        "rows": rows_of(plan.parts(), journal),
    }
    results.write(options.results / "messaging.json", result)
    journal.end()
    return result


def main() -> int:
    options = arguments()
    page = options.results / "messaging.md"
    try:
        result = json.loads((options.results / "messaging.json").read_text()) if options.report else measure(options)
        page.write_text(messaging_page.markdown(result))
    except (Failed, OSError) as problem:
        say(f"bench-messaging: {problem}")
        return 1
    except KeyboardInterrupt:
        say("bench-messaging: stopped; the same command goes on from here")
        return 130
    say(f"bench-messaging: wrote {options.results / 'messaging.json'} and {page}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
