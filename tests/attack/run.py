#!/usr/bin/env python3
"""Attacks on the Java service, each during calls of a legitimate client that must all be answered. Ends with the line `N passed, N failed`.

    run.py                  all attacks
    run.py --short          what is quick
    run.py --only unread    the attacks whose name holds this
    run.py --jdk PATH       the service on another JDK
    run.py --list           the names of the attacks

An attack is active before the counted calls begin, and the legitimate client's deadline turns a stopped service into a failure. README.md has the details.
"""

from __future__ import annotations

import argparse
import pathlib
import resource
import sys

import bodies
import confusion
import crowd
import floods
import framing
import handlers
import hangups
import memory
import mutations
import secure
import slow
import stopping
import unread
from harness import Case, Runner
from service import Build

MODULES = [unread.cases, hangups.cases, slow.cases, framing.cases, floods.cases, memory.cases, crowd.cases, secure.cases, confusion.cases, mutations.cases, bodies.cases, handlers.cases, stopping.cases]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--short", action="store_true")
    parser.add_argument("--only", default="")
    parser.add_argument("--jdk", type=pathlib.Path)
    parser.add_argument("--list", action="store_true")
    arguments = parser.parse_args()

    every = [case for cases in MODULES for case in cases]
    if arguments.list:
        print("\n".join(case.name + (" (not in --short)" if case.long else "") for case in every))
        return 0
    wanted = [case for case in every if arguments.only in case.name and not (case.long and arguments.short)]
    if not wanted:
        parser.error(f"no attack has {arguments.only!r} in its name")
    # Thousands of connections are held at once.
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    return run(wanted, arguments.jdk, not arguments.short)


def run(wanted: list[Case], jdk: pathlib.Path | None, long: bool) -> int:
    runner = Runner(Build(jdk), long)
    try:
        for case in wanted:
            runner.run(case)
    finally:
        runner.end()
    return runner.close_with_counts()


if __name__ == "__main__":
    sys.exit(main())
