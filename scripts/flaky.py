#!/usr/bin/env python3
"""Runs the tests that have sockets many times, several at once: a test that waits for time instead of an event fails here.

    scripts/flaky.py                     20 runs of each suite
    scripts/flaky.py --runs 3 answers    3 runs of this suite

Of a runtime's own tests, only those that open sockets run (scripts/sockets.py). Runs are each other's load: three for each processor at a time. Where
so many cannot run at once, busy processes take their place, one for each processor at most. The output of each run is in build/test/flaky/. At the
end come the name and the run of each test that failed, a table by suite, and the line `N passed, N failed`; also if the program is interrupted.
"""

from __future__ import annotations

import argparse
import dataclasses
import os
import pathlib
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import side_by_side
import sockets
import test

ROOT = test.ROOT
COPY = ROOT / "build" / "flaky"
VENV = str(ROOT / "build/venv/bin/python")
OLDEST = str(ROOT / "build/venv-oldest/bin/python")
# Runs at once for each processor.
AT_ONCE = 3

# What the folders of tests of C's modules need, as pkg-config knows it.
C_LIBRARIES = {"jms": ["libqpid-proton"], "wss": ["libxml-2.0", "libcrypto >= 3"]}


@dataclass(frozen=True)
class Repeated:
    """A suite to run many times."""

    suite: test.Suite
    # A command that compiles what the suite runs, and its folder.
    prepared: list[str] = field(default_factory=list)

    @property
    def one_at_a_time(self) -> bool:
        return bool(self.suite.needs.uses)


def repeated(without: list[str]) -> list[Repeated]:
    """The suites with sockets, the longest first: of those that run one at a time, all runs begin as early as they can."""
    leave_out = ["--without", ",".join(without)] if without else []

    def names(tests: str) -> list[str]:
        return [path.stem for path in sockets.TESTS[tests].with_sockets()]

    def harness(kind: str, *options: str, uses: frozenset[str] = frozenset()) -> Repeated:
        return Repeated(test.Suite(kind, ["target/debug/creo-harness", kind, *options, *leave_out], needs=side_by_side.Needs(uses=uses)))

    def maven(name: str, module: str) -> Repeated:
        # In a copy of its own: Maven writes next to the sources.
        folder = f"build/flaky/{name}"
        command = ["mvn", "--batch-mode", "--no-transfer-progress", "--projects", module, "--also-make"]
        tests = [f"-Dtest={','.join(names(name))}", "-Dsurefire.failIfNoSpecifiedTests=false"]
        if name == "java-jms":
            tests = ["-Dtest=" + ",".join(f"creo/jms/{test}" for test in names(name)), tests[1]]
        return Repeated(test.Suite(name, [*command, "test", *tests], folder, "java", needs=side_by_side.Needs(uses=frozenset({name}))), [*command, "--quiet", "test-compile"])

    def python(name: str, interpreter: str) -> Repeated:
        files = [f"tests/{path}.py" for path in names("python")]
        return Repeated(test.Suite(name, [interpreter, "-m", "pytest", "-q", "-o", "addopts=", "--color=no", "-p", "no:cacheprovider", "-rfs", *files], "runtimes/python", "python"))

    # The tests of the modules need libraries that may be missing.
    missing = {module for module, library in C_LIBRARIES.items() if subprocess.run(["pkg-config", "--exists", *library], check=False).returncode != 0} if shutil.which("pkg-config") else {*C_LIBRARIES}
    programs = [f"build/{path.relative_to(ROOT / 'runtimes/c/tests').with_suffix('')}" for path in sockets.TESTS["c"].with_sockets() if path.parent.name not in missing]
    all_of = 'failed=0; for program; do "./$program" || failed=1; done; exit $failed'
    return [
        Repeated(
            test.Suite("attack", [VENV, "tests/attack/run.py", "--short"], ".", "java", needs=side_by_side.Needs(uses=frozenset({"build/attack"}))),
        ),
        maven("java-jms", "java-jms"),
        maven("java", "java"),
        harness("answers"),
        # Each run makes its certificates anew, in the same folder.
        harness("matrix", uses=frozenset({"build/harness/certificates"})),
        harness("streams"),
        python("python-oldest", OLDEST),
        python("python-newest", VENV),
        Repeated(test.Suite("c", ["sh", "-c", all_of, "c", *programs], "runtimes/c", "c"), ["make", "--no-print-directory", *programs]),
        Repeated(
            test.Suite("csharp", [str(ROOT / "scripts/dotnet/run.sh"), "runtimes/csharp/tests/obj/Creo.Tests.dll", *(f"{name}." for name in names("csharp"))], ".", "csharp"),
            [str(ROOT / "runtimes/csharp/test.sh"), "RetryTests."],
        ),
        harness("retries", "--calls", "1000"),
        harness("frames"),
        harness("http"),
    ]


SUITES = [each.suite.name for each in repeated([])]


@contextmanager
def load(processes: int) -> Iterator[None]:
    """Busy processes; they also end when this program does, because it holds the other end of their pipe."""
    busy = "import os, sys, threading; threading.Thread(target=lambda: (sys.stdin.read(), os._exit(0))).start()\nwhile True: pass"
    started = [subprocess.Popen([sys.executable, "-c", busy], stdin=subprocess.PIPE) for _ in range(processes)]
    try:
        yield
    finally:
        for process in started:
            process.kill()
        for process in started:
            process.communicate()


def prepare(wanted: list[Repeated], processes: side_by_side.Processes) -> None:
    """Compiles what the suites run. What does not compile ends the program."""
    shutil.rmtree(COPY, ignore_errors=True)
    COPY.mkdir(parents=True)
    # The module for JMS runs the program, by its path from the runtimes.
    (COPY / "target").symlink_to(ROOT / "target")
    for each in wanted:
        if not each.prepared:
            continue
        suite = each.suite
        if suite.folder.startswith("build/flaky/"):
            shutil.copytree(ROOT / "runtimes", ROOT / suite.folder, symlinks=True, ignore=shutil.ignore_patterns("target", "build", "obj", "__pycache__", ".*_cache"))
        print(f"-- compiling for {suite.name}", flush=True)
        log = test.LOGS / "flaky" / f"{suite.name}-prepared.log"
        if processes.run(each.prepared, ROOT / suite.folder, log, suite.environment).code:
            print(log.read_text(encoding="utf-8", errors="replace")[-6000:])
            raise SystemExit(f"{suite.name} does not compile: {log.relative_to(ROOT)}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("suites", nargs="*", metavar="SUITE", help=f"of: {', '.join(SUITES)}")
    parser.add_argument("--runs", type=int, default=20, help="how often each suite runs")
    parser.add_argument("--jobs", type=int, default=AT_ONCE * (os.cpu_count() or 1), help="how many run at once")
    parser.add_argument("--without", default="", help="languages to leave out, separated by commas")
    arguments = parser.parse_args()
    unknown = [name for name in arguments.suites if name not in SUITES]
    if unknown:
        parser.error(f"unknown: {', '.join(unknown)}")
    if min(arguments.runs, arguments.jobs) < 1:
        parser.error("--runs and --jobs are at least 1")
    without = test.languages(arguments.without)
    wanted = [each for each in repeated(without) if (not arguments.suites or each.suite.name in arguments.suites) and each.suite.language not in without]

    logs = test.LOGS / "flaky"
    shutil.rmtree(logs, ignore_errors=True)
    logs.mkdir(parents=True)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    processes = side_by_side.Processes()
    # The harness needs the programs.
    build = next(suite for suite in test.suites(without, 0) if suite.name == "build")
    if test.run(build, without, "named", processes).failed:
        print("\n0 passed, 1 failed")
        return 1
    prepare(wanted, processes)

    # By number of the run: what ends early has run every suite about as often.
    jobs = {(number, each.suite.name): each for number in range(1, arguments.runs + 1) for each in wanted}
    results: dict[tuple[int, str], test.Result] = {}

    def one(key: tuple[int, str]) -> None:
        number, name = key
        suite = dataclasses.replace(jobs[key].suite, name=f"flaky/{name}-{number}")
        results[key] = test.run(suite, without, "named", processes)

    most = sum(1 if each.one_at_a_time else arguments.runs for each in wanted)
    try:
        with load(min(max(arguments.jobs - most, 0), os.cpu_count() or 1)):
            side_by_side.run([(key, each.suite.needs) for key, each in jobs.items()], arguments.jobs, one)
    except KeyboardInterrupt:
        print("interrupted")
        report(wanted, dict(sorted(results.items())), logs)
        return 130
    return report(wanted, dict(sorted(results.items())), logs)


def report(wanted: list[Repeated], results: dict[tuple[int, str], test.Result], logs: pathlib.Path) -> int:
    print()
    for (number, name), result in results.items():
        if result.failed:
            names = test.failures(test.plain(logs / f"{name}-{number}.log")) or ["see the output"]
            print("\n".join(f"run {number}, {name}: {failed}" for failed in names))
    width = max(len(each.suite.name) for each in wanted)
    print(f"\n{'suite':<{width}}  runs  passed  failed  seconds    busy")
    for each in wanted:
        own = [result for (_, name), result in results.items() if name == each.suite.name]
        passed, failed = sum(result.passed for result in own), sum(result.failed for result in own)
        seconds, busy = sum(result.seconds for result in own), sum(result.busy for result in own)
        print(f"{each.suite.name:<{width}}  {len(own):>4}  {passed:>6}  {failed:>6}  {seconds:>7.0f} {busy:>7.0f}")
    passed, failed = sum(result.passed for result in results.values()), sum(result.failed for result in results.values())
    print(f"\n{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
