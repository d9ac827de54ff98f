#!/usr/bin/env python3
"""Runs test suites side by side, and ends with a table and the line `N passed, N failed`.

    scripts/test.py                      the quick tier: every language, wire and transport, with a share of the long suites that changes every day
    scripts/test.py --all                every suite; of compile and copies a half, and the other half the next day
    scripts/test.py rust vectors         these suites, in full
    scripts/test.py --without csharp     without what needs C#; the table says what did not run
    scripts/test.py --list               the names of the suites
    scripts/test.py --seed 7             another share of the long suites
    scripts/test.py --jobs 1             one suite after another
    scripts/test.py --record             keeps the times of the tier in bench/results/tests.md, if nothing failed

Suites run beside each other as far as the machine has processors and they write nothing that another one uses. The longest start first, by the
times in bench/results/tests.md. What is shown of a suite comes in one piece when it ends; its whole output is in build/test/NAME.log, and the table
in build/test/table.txt. In the table, `busy` is the suite's processor time, which its neighbours hardly change.
"""

from __future__ import annotations

import argparse
import datetime
import math
import os
import pathlib
import re
import signal
import sys
import time
from dataclasses import dataclass, field

from side_by_side import Needs, Processes
from side_by_side import run as run_side_by_side

ROOT = pathlib.Path(__file__).resolve().parent.parent
LOGS = ROOT / "build" / "test"
RECORD = ROOT / "bench" / "results" / "tests.md"
LANGUAGES = ["java", "python", "c", "csharp"]

# The closing lines of test runners: passed, failed.
CARGO = re.compile(r"^test result: \w+\. (?P<passed>\d+) passed; (?P<failed>\d+) failed", re.M)
PYTEST = re.compile(r"^(?:=+ )?(?P<words>\d+ (?:passed|failed|errors?|skipped)\b.*) in [\d.]+s\b.*$", re.M)
SUREFIRE = re.compile(r"Tests run: (?P<run>\d+), Failures: (?P<failures>\d+), Errors: (?P<errors>\d+), Skipped: (?P<skipped>\d+)\s*$", re.M)
PLAIN = re.compile(r"^(?P<passed>\d+) passed, (?P<failed>\d+) failed(?:, (?P<skipped>\d+) skipped)?$", re.M)
CMOCKA_PASSED = re.compile(r"^\[  PASSED  \] (?P<passed>\d+) test\(s\)", re.M)
CMOCKA_FAILED = re.compile(r"^\[  FAILED  \] .*?(?P<failed>\d+) test\(s\)", re.M)
NOT_RUN = re.compile(r", not run: (?P<what>.*)$", re.M)
# How each runner names a test that failed.
NAMES = [
    re.compile(r"^FAILED (?P<name>\S.*)$", re.M),  # pytest and the harness
    re.compile(r"^\[ERROR\] +(?P<name>[\w.$]+\.\w+(?:\([^)]*\))?(?::\d+| »).*)$", re.M),  # surefire's summary
    re.compile(r"^\[  FAILED  \] (?P<name>(?!\d+ test|.*\d+ test\(s\))\S+)$", re.M),  # cmocka
    re.compile(r"^test (?P<name>\S.*) \.\.\. FAILED$", re.M),  # cargo
    re.compile(r"^ *\[?FAIL(?:ED)?\]?:? +(?P<name>\S.*)$", re.M),
]
# What pytest skipped, by `-rs`: how many tests, and why.
SKIPPED = re.compile(r"^SKIPPED \[(?P<count>\d+)\] (?:[^:\s]+:(?:\d+:)? )?(?P<why>.*)$", re.M)


@dataclass(frozen=True)
class Suite:
    """A command, and the language without which it does not run."""

    name: str
    command: list[str]
    folder: str = "."
    language: str | None = None
    # Counts as one test that passes with exit code 0: tools that check and count nothing.
    single: bool = False
    # The additional arguments of a tier, which select a share of a slow suite.
    shares: dict[str, list[str]] = field(default_factory=dict)
    # No part of the quick tier.
    long: bool = False
    environment: dict[str, str] = field(default_factory=dict)
    # Runs before all others, since they use what it builds.
    first: bool = False
    needs: Needs = Needs()


@dataclass(frozen=True)
class Result:
    suite: str
    passed: int
    failed: int
    not_run: str
    seconds: float
    # Processor time.
    busy: float = 0.0
    # The tests that failed, as far as the runner names them.
    failures: list[str] = field(default_factory=list)


# A suite that runs for this many seconds has hung, and is killed: the others must still end.
LIMIT = 2400.0
# What has not ended this many seconds after the begin of `--all` fails: CI ends a run after 90 minutes, and then nothing says what still ran.
LIMIT_OF_ALL = 4980.0
# Suites that mostly wait for peers and timers.
WAITS = Needs(processors=0.5)
# What only one suite may use at a time: what Maven compiles of the Java runtime, and the packages of the machine with their files.
MAVEN = frozenset({"runtimes/java/target"})
MACHINE = frozenset({"packages of the machine"})


def suites(without: list[str], seed: int) -> list[Suite]:
    leave_out = ["--without", ",".join(without)] if without else []

    def harness(kind: str, *share: str, of_all: int = 1, long: bool = False, needs: Needs = Needs()) -> Suite:
        """`share`: what the quick tier takes. `of_all`: one in so many cases is what the whole tier takes."""
        shares = {"quick": [*share, "--seed", str(seed)]} if share else {}
        if of_all > 1:
            shares["all"] = ["--share", str(of_all), "--seed", str(seed)]
        return Suite(kind, ["target/debug/creo-harness", kind, *leave_out], shares=shares, long=long, needs=needs)

    def python(name: str, command: list[str], single: bool = False, long: bool = False) -> Suite:
        return Suite(name, command, "runtimes/python", "python", single, long=long)

    venv = str(ROOT / "build/venv/bin")

    def pytest(name: str, folder: str, *options: str, long: bool = False, environment: dict[str, str] | None = None) -> Suite:
        return Suite(name, [f"{venv}/python", "-m", "pytest", "-q", "--color=no", "-p", "no:cacheprovider", "-rfs", folder, *options], long=long, environment=environment or {})

    oldest = str(ROOT / "build/venv-oldest/bin/python")
    quiet = ["-m", "pytest", "-q", "-o", "addopts=", "--color=no", "-p", "no:cacheprovider", "-rfs"]
    accelerator = str(ROOT / "build/accelerator")
    strict = {"RUSTFLAGS": os.environ.get("RUSTFLAGS", "")}
    return [
        Suite("build", ["cargo", "build", "--workspace", "--locked"], single=True, environment=strict, first=True),
        # What the suite `rust` runs, and the programs once more: nothing else may use them meanwhile.
        Suite("rust-build", ["cargo", "test", "--workspace", "--locked", "--no-run"], single=True, environment=strict, first=True),
        Suite("rust-format", ["cargo", "fmt", "--all", "--check"], single=True),
        Suite("rust-lint", ["cargo", "clippy", "--workspace", "--all-targets", "--locked", "--", "-D", "warnings"], single=True),
        Suite("rust", ["cargo", "test", "--workspace", "--locked", "--no-fail-fast"], environment=strict),
        harness("format"),
        harness("determinism"),
        harness("golden"),
        harness("corpus"),
        Suite("java", ["mvn", "--batch-mode", "--no-transfer-progress", "test"], "runtimes/java", "java", needs=Needs(uses=MAVEN)),
        # The module for JMS is built with the runtime beside it, whose own tests are the suite before.
        Suite("java-jms", ["mvn", "--batch-mode", "--no-transfer-progress", "--projects", "java-jms", "--also-make", "test", "-Dtest=creo/jms/**", "-Dsurefire.failIfNoSpecifiedTests=false"], "runtimes", "java", long=True, needs=Needs(0.5, MAVEN)),
        Suite("java-servlet", ["mvn", "--batch-mode", "--no-transfer-progress", "--projects", "java-servlet", "--also-make", "test", "-Dtest=creo/servlet/**", "-Dsurefire.failIfNoSpecifiedTests=false"], "runtimes", "java", long=True, needs=Needs(uses=MAVEN)),
        # Messages of SOAP with signatures, against WSS4J both ways.
        Suite("java-wss", ["mvn", "--batch-mode", "--no-transfer-progress", "--projects", "java-wss", "--also-make", "test", "-Dtest=creo/wss/**", "-Dsurefire.failIfNoSpecifiedTests=false"], "runtimes", "java", long=True, needs=Needs(uses=MAVEN)),
        Suite("java-opentelemetry", ["mvn", "--batch-mode", "--no-transfer-progress", "--projects", "java-opentelemetry", "--also-make", "test", "-Dtest=creo/opentelemetry/**", "-Dsurefire.failIfNoSpecifiedTests=false"], "runtimes", "java", long=True, needs=Needs(uses=MAVEN)),
        # Builds with the Maven plugin, and a Spring Boot application, against a file repository.
        Suite("maven", ["python3", "tests/maven/run.py"], ".", "java", long=True, needs=Needs(uses=MAVEN)),
        python("python-oldest", [oldest, *quiet], long=True),
        python("python-newest", [f"{venv}/python", *quiet]),
        # The runtime's tests once more with the accelerator, and the accelerator's own, which hold both ways against each other.
        Suite("python-accelerated", [f"{venv}/python", *quiet], "runtimes/python", "python", long=True, environment={"PYTHONPATH": accelerator}),
        Suite("accelerator-oldest", [oldest, *quiet], "runtimes/python-accelerator", "python", long=True),
        Suite("accelerator-newest", [f"{venv}/python", *quiet], "runtimes/python-accelerator", "python"),
        python("python-mypy", [f"{venv}/mypy", "--strict"], True),
        python("python-pyright", [f"{venv}/pyright", "--pythonpath", f"{venv}/python"], True, long=True),
        # The types of the scripts themselves, most of which no suite runs.
        Suite("scripts", [f"{venv}/mypy", "--strict", *(str(path.relative_to(ROOT)) for folder in ("scripts", "scripts/dist") for path in sorted((ROOT / folder).glob("*.py")))], single=True, environment={"MYPYPATH": "bench"}),
        # What passed before is remembered as a file; here everything runs again, and says how much it was.
        Suite("c", ["sh", "-c", "mkdir -p build && find build -name '*.passed' -delete && make --no-print-directory test"], "runtimes/c", "c"),
        Suite("csharp", [str(ROOT / "scripts/dotnet/test.sh")], ".", "csharp"),
        harness("vectors"),
        harness("malformed"),
        # A program other than the languages' peers, with the same data.
        Suite("other-peer", ["target/debug/creo-harness", "malformed", "--only", "binary/", "--peer", "python3 conformance/naive/decode.py"], long=True),
        # A generator outside of Creo, and its peer on the same data. Without Go it says what did not run.
        Suite("go-generator", ["python3", "examples/go-generator/test.py"], long=True),
        Suite("mutants", ["python3", "conformance/naive/mutants.py"], long=True),
        harness("frames"),
        harness("answers", long=True, needs=WAITS),
        harness("retries", "--calls", "300", needs=WAITS),
        harness("streams", "--share", "4", needs=WAITS),
        harness("http"),
        harness("matrix", "--share", "4"),
        Suite("attack", [f"{venv}/python", "tests/attack/run.py", "--short"], ".", "java", long=True),
        Suite("interop", [f"{venv}/python", "tests/interop/run.py", *leave_out], long=True),
        Suite("jms-faults", [f"{venv}/python", "tests/jms/run.py", "--short", *leave_out], ".", "java", long=True, needs=WAITS),
        pytest("jms-audit", "tests/jms"),
        Suite("pack", [f"{venv}/python", "tests/pack/run.py", *leave_out], long=True),
        Suite("queue", [f"{venv}/python", "examples/queue/run.py", "--short"], ".", "java", long=True, needs=WAITS),
        # The logbook: in full with PostgreSQL and Chromium, which come with it.
        Suite(
            "logbook",
            ["sh", "-c", f'case "$*" in *--short*) ;; *) scripts/logbook-setup.sh ;; esac && exec {venv}/python -m pytest -q --color=no -p no:cacheprovider -rfs tests/logbook "$@"', "logbook", *leave_out],
            ".",
            "java",
            shares={"quick": ["--short"]},
            needs=Needs(uses=MACHINE),
        ),
        Suite("partner", [f"{venv}/python", "examples/partner/run.py", *leave_out], ".", "java"),
        # `creo call` and `creo list` against a service by generated code.
        pytest("telemetry", "tests/telemetry", long=True),
        # Signed messages of clients in other languages than Java, with WSS4J and the module of Java.
        Suite("wss", [f"{venv}/python", "-m", "pytest", "-q", "--color=no", "-p", "no:cacheprovider", "-rfs", "tests/wss"], ".", "java", long=True, needs=Needs(uses=MAVEN)),
        Suite("call", [f"{venv}/python", "-m", "pytest", "-q", "--color=no", "-p", "no:cacheprovider", "-rfs", "tests/call"], ".", "java"),
        Suite("documents", [f"{venv}/python", "tests/documents/run.py"], needs=Needs(uses=MACHINE)),
        # The packages, of the debug program. `make dist-test` tests those of a release.
        pytest("dist", "tests/dist", long=True),
        # With a short run of a benchmark in every language. Cargo would build the program again, with the flags of its package alone.
        pytest("report", "bench/report/tests", *leave_out, long=True, environment={"CREO": str(ROOT / "target/debug/creo")}),
        # The site, and the pages that creo and the benchmarks write, in Chromium: mdBook and Chromium come with it, and with nothing else.
        Suite("docs", ["sh", "-c", f"scripts/docs-setup.sh && exec {venv}/python -m pytest -q --color=no -p no:cacheprovider -rfs tests/pages"], long=True, needs=Needs(uses=MACHINE)),
        # A half, and the other one the next day: the compilers need twenty minutes of processor time for all cases on a slow machine.
        harness("compile", "--share", "4", of_all=2),
        harness("copies", "--share", "6", of_all=2),
        harness("random", "--count", "3"),
        harness("operations", "--sample", "1"),
    ]


def languages(text: str) -> list[str]:
    """The excluded languages."""
    without = [word for word in text.split(",") if word]
    unknown = [word for word in without if word not in LANGUAGES]
    if unknown:
        raise SystemExit(f"unknown: {', '.join(unknown)}")
    return without


def count(suite: Suite, text: str, code: int) -> tuple[int, int]:
    """Passed and failed, by the runner's closing lines. A run that failed without saying so, or that ran nothing, is one failure."""
    passed = failed = 0
    for match in CARGO.finditer(text):
        passed, failed = passed + int(match["passed"]), failed + int(match["failed"])
    for match in PYTEST.finditer(text):
        for number, word in re.findall(r"(\d+) (passed|failed|errors?)", match["words"]):
            passed, failed = (passed + int(number), failed) if word == "passed" else (passed, failed + int(number))
    totals = list(SUREFIRE.finditer(text))
    if totals:  # the last line sums up those before it
        bad = int(totals[-1]["failures"]) + int(totals[-1]["errors"])
        passed, failed = passed + int(totals[-1]["run"]) - bad - int(totals[-1]["skipped"]), failed + bad
    for match in CMOCKA_PASSED.finditer(text):
        passed += int(match["passed"])
    for match in CMOCKA_FAILED.finditer(text):
        failed += int(match["failed"])
    for match in PLAIN.finditer(text):
        passed, failed = passed + int(match["passed"]), failed + int(match["failed"])
    if suite.single and passed + failed == 0:
        return (1, 0) if code == 0 else (0, 1)
    if code != 0 and failed == 0:
        failed = 1
    if code == 0 and passed == 0:
        failed += 1
    return passed, failed


def failures(text: str) -> list[str]:
    """The names of the tests that failed, each once."""
    names = [match["name"].strip()[:300] for pattern in NAMES for match in pattern.finditer(text)]
    return list(dict.fromkeys(names))


def closing_lines(text: str) -> list[str]:
    patterns = (CARGO, PYTEST, SUREFIRE, CMOCKA_PASSED, CMOCKA_FAILED, PLAIN)
    return [line for line in text.splitlines() if any(p.search(line) for p in patterns)]


def run(suite: Suite, without: list[str], tier: str, processes: Processes, end: float = math.inf) -> Result:
    """Runs a suite to its end, and then shows what there is to see of it. `end`: the time of `time.monotonic()` at which it is killed."""
    if suite.language in without:
        return Result(suite.name, 0, 0, f"{suite.language} (--without)", 0.0)
    if tier == "quick" and suite.long:
        return Result(suite.name, 0, 0, "a part of --all", 0.0)
    if time.monotonic() >= end:
        return Result(suite.name, 0, 1, "", 0.0, failures=["it had not begun when the time was over"])
    share = suite.shares.get(tier, [])
    command = [*suite.command, *share]
    log = LOGS / f"{suite.name}.log"
    ended = processes.run(command, ROOT / suite.folder, log, suite.environment, min(LIMIT, end - time.monotonic()))
    text = plain(log)
    passed, failed = count(suite, text, ended.code)
    shown = [f"== {suite.name}: {' '.join(command)[:300]}"]
    names = failures(text) if failed else []
    if failed:
        lines = [line for line in text.splitlines() if re.search(r"FAILED|error|panicked|ERROR", line) and not any(name in line for name in names[:25])]
        shown += [f"FAILED {name}" for name in names[:25]]
        shown += [line[:400] for line in (lines or text.splitlines()[-25:])[:25]]
        shown.append(f"   the whole output is in {log.relative_to(ROOT)}")
    # Enough to show that the runner ran, not every one of its parts.
    shown += closing_lines(text)[-4:]
    print("\n".join(shown), flush=True)
    parts = [match["what"] for match in NOT_RUN.finditer(text)]
    parts += [f"{match['count']} skipped: {match['why']}" for match in SKIPPED.finditer(text)]
    if share:
        parts.append(f"all but {' '.join(share)}")
    return Result(suite.name, passed, failed, "; ".join(parts), ended.seconds, ended.busy, names)


def plain(log: pathlib.Path) -> str:
    """A log without colours."""
    return re.sub(r"\x1b\[[0-9;]*m", "", log.read_text(encoding="utf-8", errors="replace"))


def run_all(wanted: list[Suite], without: list[str], tier: str, jobs: int, end: float) -> list[Result]:
    """The results of suites, in their order. What still runs at `end` is killed, and fails."""
    processes = Processes()
    results = {suite.name: run(suite, without, tier, processes, end) for suite in wanted if suite.first}
    known = seconds_by_suite(RECORD.read_text(encoding="utf-8") if RECORD.exists() else "")
    # What takes long starts early, so that no processor idles beside it at the end. What is not known might take long.
    rest = {suite.name: suite for suite in sorted(wanted, key=lambda suite: -known.get(suite.name, 1_000.0)) if not suite.first}
    results |= run_side_by_side([(name, suite.needs if jobs > 1 else Needs(alone=True)) for name, suite in rest.items()], jobs, lambda name: run(rest[name], without, tier, processes, end))
    return [results[suite.name] for suite in wanted]


def seconds_by_suite(page: str) -> dict[str, float]:
    """The times of the whole tier on the page of times."""
    section = page.partition(f"## {TIERS['all']}")[2]
    return {name: float(seconds) for name, seconds in re.findall(r"^\| ([\w-]+) \| [\d,]+ \| (\d+) \|", section, re.M)}


TIERS = {"quick": "`make test`", "all": "`make test-all`"}


def record(page: str, tier: str, results: list[Result], seconds: float, taken_on: str) -> str:
    """The page of times by suite, with a tier's new times replacing its old ones. `seconds`: how long the tier took, from its begin to its end."""
    kept = {name: section.strip() for name, section in re.findall(r"^## (.*)\n([^#]*)", page, re.M)}
    ran = sorted((result for result in results if result.seconds), key=lambda result: -result.busy)
    total = sum(result.busy for result in ran)
    longest = ran[:5]
    share = sum(result.busy for result in longest) / total if total else 0
    kept[TIERS[tier]] = "\n".join(
        [
            f"{seconds / 60:.0f} minutes, {sum(result.passed for result in ran):,} tests. {share:.0%} of {total / 60:.0f} minutes of processor time are in {', '.join(result.suite for result in longest)}. {taken_on}",
            "",
            "| suite | tests | seconds | busy | share | not run |",
            "|---|---|---|---|---|---|",
            *(f"| {result.suite} | {result.passed:,} | {result.seconds:.0f} | {result.busy:.0f} | {result.busy / total:.1%} | {result.not_run} |" for result in ran),
        ]
    )
    lines = [
        "# Times of the tests by suite",
        "",
        "Written by `make test RECORD=1` and `make test-all RECORD=1`, the longest suite first. Suites run beside each other: `seconds` is the time from a suite's begin to its end, `busy` its processor time.",
    ]
    for title in TIERS.values():
        if title in kept:
            lines += ["", f"## {title}", "", kept[title]]
    return "\n".join(lines) + "\n"


def taken_on(before: str) -> str:
    """The machine and its load, as the pages of the benchmarks say it."""
    sys.path.insert(0, str(ROOT / "bench"))
    from harness import machine

    about = machine.describe()
    return f"Taken on {about['processor']}, {about['cpus']} CPUs, {about['memory']} (load before {before}, after {machine.load()})."


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("suites", nargs="*", metavar="SUITE")
    parser.add_argument("--without", default="", help="languages to leave out, separated by commas")
    parser.add_argument("--all", action="store_true", help="every suite, but a half of compile and copies")
    parser.add_argument("--seed", type=int, default=datetime.date.today().toordinal(), help="what share of the long suites a tier takes")
    parser.add_argument("--list", action="store_true", help="print the names of the suites")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="the processors that suites share; 1: one suite after another")
    parser.add_argument("--record", action="store_true", help="keep the times of the whole tier in bench/results/tests.md, if nothing failed")
    arguments = parser.parse_args()
    if arguments.record and (arguments.suites or arguments.without):
        parser.error("--record keeps the times of a whole tier: name no suite, and leave out no language")
    if arguments.jobs < 1:
        parser.error("--jobs is at least 1")
    without = languages(arguments.without)
    every = suites(without, arguments.seed)
    # Suites that are named run in full.
    tier = "named" if arguments.suites else "all" if arguments.all else "quick"
    unknown = [name for name in arguments.suites if name not in [s.name for s in every]]
    if unknown:
        parser.error(f"unknown: {', '.join(unknown)}")
    if arguments.list:
        print("\n".join(suite.name for suite in every))
        return 0

    LOGS.mkdir(parents=True, exist_ok=True)
    # A named suite needs the programs.
    needed = {"build", "rust-build"} if "rust" in arguments.suites else {"build"}
    wanted = [suite for suite in every if not arguments.suites or suite.name in needed | set(arguments.suites)]
    load = " ".join(f"{value:.2f}" for value in os.getloadavg())
    # An end by signal also ends the suites: see `Processes`.
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(128 + number))
    begin = time.monotonic()
    results = run_all(wanted, without, tier, arguments.jobs, begin + LIMIT_OF_ALL if tier == "all" else math.inf)
    seconds = time.monotonic() - begin

    width = max(len(result.suite) for result in results)
    lines = [f"{'suite':<{width}}  passed  failed  seconds    busy  not run"]
    for result in results:
        lines.append(f"{result.suite:<{width}}  {result.passed:>6}  {result.failed:>6}  {result.seconds:>7.0f} {result.busy:>7.0f}  {result.not_run}".rstrip())
    lines.append(f"{'':<{width}}  {'':>6}  {'':>6}  {seconds:>7.0f} {sum(r.busy for r in results):>7.0f}")
    table = "\n".join(lines)
    (LOGS / "table.txt").write_text(table + "\n")
    passed, failed = sum(r.passed for r in results), sum(r.failed for r in results)
    if arguments.record and passed and not failed:
        page = RECORD.read_text(encoding="utf-8") if RECORD.exists() else ""
        RECORD.write_text(record(page, tier, results, seconds, taken_on(load)), encoding="utf-8")
    print(f"\n{table}\n")
    # Once more at the end: a long log is often cut to that.
    for result in results:
        for name in result.failures[:25]:
            print(f"FAILED {result.suite}: {name}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
