"""Holds the cost model against this machine (spec/cost.md): the errors of times of messages that calibration never saw.

Calibrates all targets whose tools are found, estimates messages that calibration never saw, measures them, and writes a page of this kind of
processor, `bench/results/cost-*.md`. Ends with 1 if a limit is missed. `scripts/cost-check.sh` calls it; docs/cost.md says more.
"""

from __future__ import annotations

import argparse
import csv
import datetime
import json
import os
import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "bench"))

from harness.machine import processor  # noqa: E402

WORK = ROOT / "build/cost"
PROFILES = ROOT / "crates/creo-cost/profiles"
CREO = ROOT / "target/debug/creo"

#: The max errors of times, and the min R² of lines.
MEDIAN, HIGH, LINE = 0.10, 0.25, 0.99
#: A line is flat, and not judged, if its longest message takes less than this many times the shortest (COST-31).
RISES = 2.0
#: Wires are distinguished if their measured times differ by more.
CLEAR = 1.2
#: The share of distinguished pairs that must be ranked correctly.
RANKED = 0.99

#: Descriptions, and their lengths: those of the papers are twenty customers, fifty products, a picture of 14 kB; 10 kB of each workload.
CHECKS = {
    "messages": ("bench/messages.creo", ["Short.text=50", "Medium.customers=20", "Complex.products=50", "SimpleJpeg.picture=14000"]),
    "types": (
        "bench/cost.creo",
        ["numbers.blocks=1000", "strings.items=1000", "strings.items[]=10", "bytes.data=10000", "reals.values=1250"],
    ),
}


def creo(*arguments: str, log: Path | None = None) -> str:
    """Runs creo; what it says on standard error goes to a file, too."""
    ran = subprocess.run([CREO, *arguments], cwd=ROOT, capture_output=True, text=True, check=False)
    sys.stderr.write(ran.stderr)
    if log is not None:
        log.write_text(ran.stderr)
    if ran.returncode:
        raise SystemExit(f"cost-check: creo {arguments[0]} ended with {ran.returncode}")
    return ran.stdout


def percentile(numbers: list[float], share: float) -> float:
    """A percentile, between the two nearest."""
    ordered = sorted(numbers)
    at = (len(ordered) - 1) * share
    low = int(at)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (ordered[high] - ordered[low]) * (at - low)


def error(row: dict[str, str]) -> float:
    """How far the prediction is from the measurement, of this."""
    return float(row["predicted_ns"]) / float(row["measured_ns"]) - 1


def ranking(rows: list[dict[str, str]]) -> tuple[int, int]:
    """Pairs of distinguished wires, and how many of them are ranked correctly."""
    alike = defaultdict(list)
    for row in rows:
        if not row["predicted_ns"]:
            continue
        alike[row["check"], row["method"], row["message"], row["way"]].append((float(row["measured_ns"]), float(row["predicted_ns"])))
    right = every = 0
    for group in alike.values():
        for i, (measured, predicted) in enumerate(group):
            for other, guessed in group[i + 1 :]:
                if max(measured, other) > CLEAR * min(measured, other):
                    every += 1
                    right += (measured > other) == (predicted > guessed)
    return right, every


def lines(wire: dict[str, Any], rising: bool) -> list[tuple[str, str, float]]:
    """The lines of both ways that rise enough to be judged, or the others: way, of what, R²."""
    return [(way, line["of"], line["r2"]) for way in ("serialize", "deserialize") for line in wire[way]["lines"] if (line["rise"] >= RISES) == rising]


def slug() -> str:
    """This kind of processor, in names of files."""
    return "-".join(re.findall("[a-z0-9]+", processor().lower()))


def shipped() -> Path:
    """The profile that comes with creo for such processors; a new one is to be named in profile.rs, which a test says."""
    return PROFILES / f"{slug()}.json"


def security_costs() -> dict[str, Any]:
    """What security costs in each target of the shipped profile: `creo calibrate` does not measure it (COST-39)."""
    if not shipped().exists():
        return {}
    return {target["target"]: target["security"] for target in json.loads(shipped().read_text())["targets"] if "security" in target}


def keep(security: dict[str, Any]) -> None:
    """Writes it into the shipped profile, before the wires."""
    profile = json.loads(shipped().read_text())
    for target in profile["targets"]:
        if target["target"] in security:
            wires = target.pop("wires")
            target |= {"security": security[target["target"]], "wires": wires}
    shipped().write_text(json.dumps(profile, separators=(",", ":")) + "\n")


def mark(right: bool) -> str:
    return "pass" if right else "**fail**"


def summary(profile: dict[str, Any], rows: list[dict[str, str]]) -> tuple[list[str], int]:
    """The first table: a row for each target and wire; and how many limits are missed."""
    out = [
        "| target | wire | messages | median error | 90th percentile | least R² of a line | lines | |",
        "|---|---|---|---|---|---|---|---|",
    ]
    missed = 0
    low, flat = [], []
    seen = 0
    for target in profile["targets"]:
        for wire in target["wires"]:
            of_wire = [row for row in rows if (row["target"], row["wire"]) == (target["target"], wire["wire"])]
            errors = [abs(error(row)) for row in of_wire if row["predicted_ns"]]
            if not errors:
                out.append(f"| {target['target']} | {wire['wire']} | 0 | | | | | **fail**: not measured |")
                missed += 1
                continue
            of_target = f"{target['target']} {wire['wire']}"
            found = lines(wire, rising=True)
            seen += len(found)
            good = [r2 for _, _, r2 in found if r2 >= LINE]
            low += [f"{of_target} {way} {of}: {r2:.3f}" for way, of, r2 in found if r2 < LINE]
            flat += [f"{of_target} {way} {of}" for way, of, _ in lines(wire, rising=False)]
            median, high = percentile(errors, 0.5), percentile(errors, 0.9)
            right = median <= MEDIAN and high <= HIGH and len(errors) == len(of_wire)
            missed += not right
            least = f"{min(r2 for _, _, r2 in found):.3f}" if found else "not in the profile"
            out.append(
                f"| {target['target']} | {wire['wire']} | {len(errors)} | {median:.1%} | {high:.1%} | {least} | {len(good)} of {len(found)} | {mark(right)} |"
            )
    out += ["", f"To reach: median at most {MEDIAN:.0%}, ninetieth percentile at most {HIGH:.0%}.", ""]
    for target in profile["targets"]:
        ranked, every = ranking([row for row in rows if row["target"] == target["target"]])
        fine = every == 0 or ranked / every >= RANKED
        missed += not fine
        out.append(f"- {target['target']}: of {every} pairs of wires whose measured times differ by more than 20 %, {ranked} are ranked right: {mark(fine)}")
    unknown = [f"{row['target']} {row['wire']} {row['way']} {row['method']} {row['message']}" for row in rows if not row["predicted_ns"]]
    if unknown:
        out += ["", f"The profile has no time of something in: {'; '.join(unknown)}."]
    unseen = "unknown, since the profile is a brief one without lines"
    out += ["", f"Lines of primitives with R² below {LINE}: {'; '.join(low) if low else 'none' if seen else unseen}."]
    broken = [
        f"{target['target']} {wire['wire']} {way} {line['of']} behind {line['break']:g}"
        for target in profile["targets"]
        for wire in target["wires"]
        for way in ("serialize", "deserialize")
        for line in wire[way]["lines"]
        if "break" in line
    ]
    out += ["", f"Lines that are in two, with a break of their own (COST-31): {'; '.join(broken) if broken else 'none' if seen else unseen}."]
    out += ["", f"Flat, the longest taking less than {RISES:.0f} times the shortest, and so not judged: {'; '.join(flat) if flat else 'none' if seen else unseen}."]
    return out, missed


def worst(rows: list[dict[str, str]]) -> list[str]:
    """The details: for each target, wire and way the errors of all messages, the furthest first."""
    groups = defaultdict(list)
    for row in rows:
        if row["predicted_ns"]:
            groups[row["target"], row["wire"], row["way"]].append(row)
    out = ["| target | wire | way | within the interval | errors, the furthest first |", "|---|---|---|---|---|"]
    for (target, wire, way), group in groups.items():
        group.sort(key=lambda row: -abs(error(row)))
        inside = sum(float(row["low_ns"]) <= float(row["measured_ns"]) <= float(row["high_ns"]) for row in group)
        told = ", ".join(f"{row['method'].partition('.')[2]} {row['message']} {error(row):+.0%}" for row in group[:8])
        out.append(f"| {target} | {wire} | {way} | {inside} of {len(group)} | {told} |")
    return out


def main() -> int:
    parser = argparse.ArgumentParser(prog="cost-check")
    parser.add_argument("--quick", action="store_true", help="calibrate with fewer lengths and rounds")
    parser.add_argument("--profile", type=Path, help="take a profile that is there")
    parser.add_argument("--target", help="only these targets")
    parser.add_argument("--also", action="append", default=[], type=Path, help="a description or WSDL that is checked, too")
    parser.add_argument("--ship", action="store_true", help="make the profile the one that comes with creo for processors like this machine's")
    args = parser.parse_args()
    if args.ship and (args.quick or args.target or args.profile):
        parser.error("--ship is for the profile of a whole run: not with --quick, --target or --profile")
    WORK.mkdir(parents=True, exist_ok=True)
    targets = ["--target", args.target] if args.target else []
    profile_path = args.profile or WORK / "profile.json"
    if args.profile is None:
        options = ["--quick"] if args.quick else []
        if args.ship:
            options += ["--brief", str(shipped().relative_to(ROOT))]
        # What it says is on the page, where no path of this machine belongs.
        places = [str(path.relative_to(ROOT)) for path in (profile_path, WORK / "residuals.csv")]
        kept = security_costs() if args.ship else {}
        creo("calibrate", *options, *targets, "-o", places[0], "--residuals", places[1], log=WORK / "fits.txt")
        if kept:
            keep(kept)
        fits = (WORK / "fits.txt").read_text()
    else:
        # What calibration said of it, if that was one of these.
        told = profile_path.with_name("fits.txt")
        fits = told.read_text() if told.exists() else f"not calibrated in this run: {profile_path.name}\n"
    profile = json.loads(profile_path.read_text())
    if args.target:
        profile["targets"] = [target for target in profile["targets"] if target["target"] in args.target.split(",")]
    checks = dict(CHECKS) | {path.stem: (str(path), []) for path in args.also}
    rows: list[dict[str, str]] = []
    for name, (description, lengths) in checks.items():
        said = [word for length in lengths for word in ("--length", length)]
        made = WORK / f"{name}.csv"
        creo("estimate", description, "--profile", str(profile_path), *targets, "--verify", "--format", "csv", "-o", str(made), "--quiet", *said)
        with made.open() as file:
            rows += [row | {"check": name} for row in csv.DictReader(file)]
    table, missed = summary(profile, rows)
    given = f" with a profile that was calibrated on {profile['date']}" if args.profile else ""
    head = (
        f"By `make cost-check`{' (`--quick`)' if args.quick else ''}{given}, {datetime.datetime.now(datetime.timezone.utc):%Y-%m-%d}, {processor()}, "
        f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f} at the end. Processor time of requests and responses; the model is `spec/cost.md`. "
        "Calibration saw none of these descriptions: the five messages of the TDXML paper, the workloads of the Creo paper, and twenty types made by chance."
    )
    page = ["# Predicted and measured times", "", head, "", *table, "", "## Messages", "", *worst(rows), "", "## Calibration", "", "```", fits.rstrip(), "```", ""]
    place = ROOT / f"bench/results/cost-{slug()}.md"
    place.write_text("\n".join(page))
    print("\n".join(table))
    print(f"\n{place.relative_to(ROOT)} written; limits missed: {missed}")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
