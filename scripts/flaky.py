#!/usr/bin/env python3
"""Runs the suites that have sockets many times under load: a test that waits for time instead of an event fails here.

    scripts/flaky.py                     20 runs of each suite
    scripts/flaky.py --runs 3 answers    3 runs of this suite

One busy process for each processor competes with the tests. The output of each run is in build/test/flaky/. The last line is
`N passed, N failed`, after the name and the run of each test that failed.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import test

SUITES = ["java", "java-jms", "python-oldest", "python-newest", "c", "csharp", "answers", "retries", "streams", "http", "frames", "malformed", "attack", "matrix"]

# How each runner names a test that failed.
FAILED = [
    re.compile(r"^FAILED (?P<name>\S.*)$", re.M),  # pytest and the harness
    re.compile(r"^\[ERROR\] +(?P<name>[\w.$]+\.\w+(?:\([^)]*\))?:\d+.*)$", re.M),  # surefire's summary
    re.compile(r"^\[  FAILED  \] (?P<name>(?!\d+ test|.*\d+ test\(s\))\S+)$", re.M),  # cmocka
    re.compile(r"^ *\[?FAIL(?:ED)?\]?:? +(?P<name>\S.*)$", re.M),
]


@contextmanager
def load() -> Iterator[None]:
    """A busy process for each processor; they also end when this program does, because it holds the other end of their pipe."""
    busy = "import os, sys, threading; threading.Thread(target=lambda: (sys.stdin.read(), os._exit(0))).start()\nwhile True: pass"
    processes = [subprocess.Popen([sys.executable, "-c", busy], stdin=subprocess.PIPE) for _ in range(os.cpu_count() or 1)]
    try:
        yield
    finally:
        for process in processes:
            process.kill()
        for process in processes:
            process.communicate()


def failures(text: str) -> list[str]:
    """The names of the tests that failed, each once."""
    names = [match["name"].strip()[:300] for pattern in FAILED for match in pattern.finditer(text)]
    return list(dict.fromkeys(names))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("suites", nargs="*", metavar="SUITE", help=f"of: {', '.join(SUITES)}")
    parser.add_argument("--runs", type=int, default=20, help="how often each suite runs")
    parser.add_argument("--without", default="", help="languages to leave out, separated by commas")
    arguments = parser.parse_args()
    unknown = [name for name in arguments.suites if name not in SUITES]
    if unknown:
        parser.error(f"unknown: {', '.join(unknown)}")
    if arguments.runs < 1:
        parser.error("--runs is at least 1")
    without = test.languages(arguments.without)

    every = {suite.name: suite for suite in test.suites(without, 0)}
    test.LOGS.mkdir(parents=True, exist_ok=True)
    # The harness needs the programs, which are built without the load.
    if test.run(every["build"], without, quick=False).failed:
        print("\n0 passed, 1 failed")
        return 1
    logs = test.LOGS / "flaky"
    logs.mkdir(exist_ok=True)
    wanted = [every[name] for name in SUITES if not arguments.suites or name in arguments.suites]
    passed = failed = 0
    report: list[str] = []
    with load():
        for number in range(1, arguments.runs + 1):
            for suite in wanted:
                result = test.run(suite, without, quick=False)
                passed, failed = passed + result.passed, failed + result.failed
                if result.not_run and suite.language in without:
                    continue
                text = (test.LOGS / f"{suite.name}.log").read_text(encoding="utf-8", errors="replace")
                (logs / f"{suite.name}-{number}.log").write_text(text, encoding="utf-8")
                if result.failed:
                    names = failures(re.sub(r"\x1b\[[0-9;]*m", "", text)) or ["see the output"]
                    report += [f"run {number}, {suite.name}: {name}" for name in names]
    print()
    for line in report:
        print(line)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
