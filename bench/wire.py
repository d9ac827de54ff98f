"""make bench-wire: serialize and deserialize on the binary and the text wires, beside the peers, in each language. See docs/measuring.md."""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import replace
from pathlib import Path

from harness import machine, report, results
from harness.journal import Journal, Row, measure_parts
from harness.languages import LANGUAGES, Plan, same_bytes, wire_rows
from harness.tools import BENCH, BUILD, Failed, say
from report import overhead

SIZES = (100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000)


def size(text: str) -> int:
    """A size such as 100, 10k or 1M."""
    factor = {"k": 1_000, "M": 1_000_000}.get(text[-1:], 1)
    try:
        return int(text.rstrip("kM")) * factor
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not a size, such as 100, 10k or 1M") from None


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="bench-wire", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="one short round, up to 100 kB: to find large differences, not to publish")
    parser.add_argument("--rounds", type=int, help="how often every cell is measured, in processes of its own where the language needs it (default: 3)")
    parser.add_argument("--only", action="append", choices=list(LANGUAGES), metavar="LANGUAGE", help="java, python, c or csharp; may be repeated")
    parser.add_argument("--peer", action="append", default=[], help="a peer's name as in the table; may be repeated; creo is always measured")
    parser.add_argument("--workload", action="append", choices=[*report.WORKLOADS, *report.TEXTS], help="numbers, strings, texts, bytes, reals, or soap; may be repeated")
    parser.add_argument("--size", action="append", type=size, help="such as 100, 10k or 1M; may be repeated")
    parser.add_argument("--message", action="append", choices=report.MESSAGES, help="of the text wires: short, simple, medium, complex or jpeg; may be repeated")
    parser.add_argument("--results", type=Path, default=BENCH / "results", help="folder for wire.* and text.*, .json and .md (default: bench/results)")
    parser.add_argument("--fresh", action="store_true", help="begin anew even if an earlier run of the same plan was interrupted")
    parser.add_argument("--merge", action="store_true", help="keep the tables of what is not measured now")
    parser.add_argument("--report", action="store_true", help="measure nothing: write the pages again from the samples")
    return parser.parse_args()


def plans(options: argparse.Namespace) -> list[Plan]:
    """The measurements of the binary wire, and of the text wires."""
    # Sizes belong to the binary wire, messages to the text wires: naming one selects its wire.
    workloads = options.workload or [*([] if options.message else report.WORKLOADS), *([] if options.size else report.TEXTS)]
    binary = Plan(
        workloads=tuple(name for name in report.WORKLOADS if name in workloads),
        sizes=tuple(options.size or (SIZES[:4] if options.quick else SIZES)),
        peers=tuple(dict.fromkeys(["creo", *options.peer])) if options.peer else (),
        rounds=options.rounds or (1 if options.quick else 3),
        quick=options.quick,
    )
    text = replace(
        binary,
        workloads=tuple(name for name in report.TEXTS if name in workloads),
        sizes=tuple(options.message or report.MESSAGES),
        text=True,
    )
    return [plan for plan in (binary, text) if plan.workloads]


def check_peers(options: argparse.Namespace) -> None:
    known = {peer for name in options.only or LANGUAGES for text in (False, True) for peer in LANGUAGES[name].known(text)}
    unknown = [peer for peer in options.peer if peer not in known]
    if unknown:
        raise Failed(f"no such peer: {', '.join(unknown)}; there are {', '.join(sorted(known))}")


def measure(options: argparse.Namespace, plan: Plan) -> tuple[Row, Journal] | None:
    """The plan with its journal, or None if none of the chosen languages and peers takes part."""
    names = [name for name in options.only or LANGUAGES if LANGUAGES[name].known(plan.text)]
    if options.peer:
        names = [name for name in names if set(options.peer) & {*LANGUAGES[name].known(plan.text)}]
    if not names:
        return None
    for name in names:
        say(f"{name}: building")
        LANGUAGES[name].build(plan.text)
    checked = {name: LANGUAGES[name].check(LANGUAGES[name].chosen(plan)) for name in names}
    say(", ".join(f"{name}: {len(cells)} round trips" for name, cells in checked.items()) + " checked")
    same_bytes(checked)
    parts = [part for name in names for part in LANGUAGES[name].parts(plan)]
    journal = Journal(BUILD / "wire", (plan, names), options.fresh)
    before = machine.load()
    measure_parts("bench-wire", parts, journal, lambda part: LANGUAGES[part.language].measure(part))
    result = {
        "machine": machine.describe(),
        "runs": [
            {
                "command": machine.command("bench-wire"),
                "load_before": before,
                "load_after": machine.load(),
            }
        ],
        "versions": {name: LANGUAGES[name].versions(plan.text) for name in names},
        "rows": wire_rows(checked, parts, journal),
    }
    return result, journal


def publish(options: argparse.Namespace, plan: Plan) -> Journal | None:
    """Measures the plan, or takes what was measured, and writes the page. Gives the journal of what it measured."""
    name = "text" if plan.text else "wire"
    data, page = options.results / f"{name}.json", options.results / f"{name}.md"
    journal = None
    if options.report:
        if not data.exists():
            return None
        result = json.loads(data.read_text())
    else:
        measured = measure(options, plan)
        if measured is None:
            return None
        result, journal = measured
        if options.merge and data.exists():
            result = results.merged(json.loads(data.read_text()), result)
    results.write(data, result)
    rows, targets = result["rows"], json.loads((BENCH / "targets.json").read_text())
    page.write_text(report.markdown(result) + "\n".join(overhead.markdown(rows, targets)) + ("" if plan.text else "\n"))
    print("\n".join([*report.target_table(report.outcomes(rows)), *overhead.verdicts(rows, targets)]))
    say(f"bench-wire: wrote {data} and {page}")
    return journal


def main() -> int:
    options = arguments()
    try:
        check_peers(options)
        # Not before all is measured: a run that is stopped at the text wires does not measure the binary one again.
        for journal in [publish(options, plan) for plan in plans(options)]:
            if journal:
                journal.end()
    except (Failed, OSError) as problem:
        say(f"bench-wire: {problem}")
        return 1
    except KeyboardInterrupt:
        say("bench-wire: stopped; the same command goes on from here")
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
