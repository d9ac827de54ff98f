"""make bench-wire: serialize and deserialize, beside the peers, in each language. See docs/measuring.md."""

from __future__ import annotations

import argparse
import json
import shlex
import sys
from pathlib import Path

from harness import machine, report
from harness.languages import LANGUAGES, Plan, Row, same_bytes
from harness.tools import BENCH, Failed, say

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
    parser.add_argument("--workload", action="append", choices=list(report.WORKLOADS), help="numbers, strings, texts, bytes or reals; may be repeated")
    parser.add_argument("--size", action="append", type=size, help="such as 100, 10k or 1M; may be repeated")
    parser.add_argument("--results", type=Path, default=BENCH / "results", help="folder for wire.json and wire.md (default: bench/results)")
    parser.add_argument("--merge", action="store_true", help="keep the tables of what is not measured now")
    parser.add_argument("--report", action="store_true", help="measure nothing: write wire.md again from wire.json")
    return parser.parse_args()


def measure(options: argparse.Namespace) -> Row:
    names = options.only or list(LANGUAGES)
    plan = Plan(
        workloads=tuple(options.workload or report.WORKLOADS),
        sizes=tuple(options.size or (SIZES[:4] if options.quick else SIZES)),
        peers=tuple(dict.fromkeys(["creo", *options.peer])) if options.peer else (),
        rounds=options.rounds or (1 if options.quick else 3),
        quick=options.quick,
    )
    known = {peer for name in names for peer in LANGUAGES[name].peers}
    unknown = [peer for peer in plan.peers if peer not in known]
    if unknown:
        raise Failed(f"no such peer: {', '.join(unknown)}; there are {', '.join(sorted(known))}")
    for name in names:
        say(f"{name}: building")
        LANGUAGES[name].build()
    before = machine.load()
    rows: list[Row] = []
    for name in names:
        rows += LANGUAGES[name].measure(LANGUAGES[name].chosen(plan))
    same_bytes(rows)
    return {
        "machine": machine.describe(),
        "runs": [
            {
                "command": shlex.join(["make", "bench-wire"] if len(sys.argv) == 1 else ["scripts/bench-wire.sh", *sys.argv[1:]]),
                "load_before": before,
                "load_after": machine.load(),
            }
        ],
        "versions": {name: LANGUAGES[name].versions() for name in names},
        "rows": rows,
    }


def main() -> int:
    options = arguments()
    data, page = options.results / "wire.json", options.results / "wire.md"
    try:
        if options.report:
            result = json.loads(data.read_text())
        else:
            result = measure(options)
            if options.merge and data.exists():
                result = merged(json.loads(data.read_text()), result)
            options.results.mkdir(parents=True, exist_ok=True)
            data.write_text(dump(result))
    except (Failed, OSError) as problem:
        say(f"bench-wire: {problem}")
        return 1
    page.write_text(report.markdown(result))
    print("\n".join(report.target_table(report.outcomes(result["rows"]))))
    say(f"bench-wire: wrote {data} and {page}")
    return 0


def merged(old: Row, new: Row) -> Row:
    """The new result, with the old rows of what was not measured now. Whole tables are kept or replaced: a ratio never crosses two runs."""

    def table(row: Row) -> tuple[str, str, int]:
        return row["language"], row["workload"], row["size"]

    replaced = {table(row) for row in new["rows"]}
    order = list(LANGUAGES)
    rows = [row for row in old["rows"] if table(row) not in replaced] + new["rows"]
    return {
        "machine": new["machine"],
        "runs": [*old["runs"], *new["runs"]],
        "versions": {name: {**old["versions"], **new["versions"]}[name] for name in order if name in old["versions"] or name in new["versions"]},
        "rows": sorted(rows, key=lambda row: (order.index(row["language"]), list(report.WORKLOADS).index(row["workload"]), row["size"])),
    }


def dump(result: Row) -> str:
    """JSON with one row a line, so that two results can be compared by eye."""
    head = json.dumps({key: value for key, value in result.items() if key != "rows"}, indent=1, ensure_ascii=False)
    rows = ",\n".join("  " + json.dumps(row) for row in result["rows"])
    return f'{head[:-2]},\n "rows": [\n{rows}\n ]\n}}\n'


if __name__ == "__main__":
    sys.exit(main())
