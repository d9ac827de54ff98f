"""make bench-soap: calls a second over SOAP and HTTP on the loopback, beside the peers. See docs/measuring.md."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from harness import calls, calls_report, machine, results, security, security_costs, security_costs_report
from harness.report import MESSAGES
from harness.tools import BENCH, Failed, say


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="bench-soap", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="one short round: to find large differences, not to publish")
    parser.add_argument("--rounds", type=int, help="how often every cell is measured (default: 5)")
    parser.add_argument("--part", action="append", choices=[*calls.PARTS, calls.SECURITY], help="services or clients, may be repeated (default: both); or security alone, which has a page of its own")
    parser.add_argument("--service", action="append", choices=list(calls.SERVICES), help="may be repeated; creo is always measured")
    parser.add_argument("--message", action="append", choices=MESSAGES, help="may be repeated (default: simple, medium and complex)")
    parser.add_argument("--connections", action="append", type=int, help="may be repeated (default: 1, 4 and 16)")
    parser.add_argument("--results", type=Path, default=BENCH / "results", help="folder for soap.json and soap.md, of security soap-security.json and soap-security.md (default: bench/results)")
    parser.add_argument("--profile", type=Path, help="measure only what security costs, and write it to this profile of `creo calibrate` (--part security)")
    parser.add_argument("--target", action="append", choices=security_costs.LANGUAGES, default=[], help="of --profile, may be repeated (default: all that the profile has and whose tools are there)")
    parser.add_argument("--check", action="store_true", help="leave the profile as it is, and measure how far estimates with it are from other messages: soap-security-costs.json and soap-security-costs.md")
    parser.add_argument("--report", action="store_true", help="measure nothing: write the page again from its samples")
    options = parser.parse_args()
    options.security = calls.SECURITY in (options.part or [])
    if options.security and len(set(options.part)) > 1:
        parser.error("--part security is measured alone")
    if options.profile and not options.security:
        parser.error("--profile is for --part security")
    if (options.target or options.check) and not options.profile:
        parser.error("--target and --check are for --profile")
    return options


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
    if options.security:
        security.build()
    else:
        calls.build(parts, plan)
    before = machine.load()
    rows = security.measure(plan) if options.security else calls.measure(parts, plan)
    return {
        "machine": machine.describe(),
        "command": machine.command("bench-soap"),
        "load_before": before,
        "load_after": machine.load(),
        "versions": security.versions() if options.security else calls.versions(),
        "rows": rows,
    }


def costs(options: argparse.Namespace) -> None:
    """Measures what security costs, or holds estimates against messages."""
    if not options.check:
        security_costs.write_costs(options.profile, options.target, options.rounds or 20)
        return
    data = options.results / "soap-security-costs.json"
    if not options.report:
        before = machine.load()
        rows, versions = security_costs.check(options.profile, options.target, options.rounds or 20)
        known = json.loads(options.profile.read_text())["targets"]
        result = {
            "machine": machine.describe(),
            "placed": security_costs.placed(),
            "command": machine.command("bench-soap"),
            "load_before": before,
            "load_after": machine.load(),
            "versions": versions,
            "costs": {target["target"]: target["security"] for target in known if target["target"] in versions},
            "rows": rows,
        }
        results.write(data, result)
    data.with_suffix(".md").write_text(security_costs_report.markdown(json.loads(data.read_text())))
    say(f"bench-soap: wrote {data} and {data.with_suffix('.md')}")


def main() -> int:
    options = arguments()
    name = "soap-security" if options.security else "soap"
    data, page = options.results / f"{name}.json", options.results / f"{name}.md"
    try:
        if options.profile:
            costs(options)
            return 0
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
