#!/usr/bin/env python3
"""Tries whether the vectors notice misreadings of the specification.

Each of `mutations.py` is applied to a copy of the naive programs, whose check of all vectors and malformed bodies must then fail. A mutant
that survives says that a clause could be read wrongly without any vector to tell.

    mutants.py                    a line for each mutant, and `N mutants killed, M survived`
    mutants.py --table FILE       writes a table of them, too
    mutants.py --only BIN-13      those of a clause
"""

import argparse
import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import threading

from mutations import MUTATIONS

NAIVE = pathlib.Path(__file__).resolve().parent
# The output of a check for a vector or case: its file and its id. A worked example is not a vector.
NOTICED = re.compile(r"^((?:\w+/)?[\w-]+\.json) ?([^:]*):")
# Memory is checked by reading, too.
CHECKED_BY = {"memory.py": "decode.py"}
# A mutant that does not end has been noticed.
LIMIT_SECONDS = 60


def copy(folder):
    """The naive programs, and the data next to them as they find it."""
    shutil.copytree(NAIVE, folder / "naive", ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("schemas", "vectors", "malformed", "ids.json"):
        (folder / name).symlink_to(NAIVE.parent / name)
    return folder / "naive"


def noticed(programs, program):
    """The first vector or case that a program's check finds wrong; None if it finds nothing wrong."""
    command = [sys.executable, "-B", str(programs / CHECKED_BY.get(program, program)), "--check"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        timer = threading.Timer(LIMIT_SECONDS, process.kill)
        timer.start()
        try:
            for line in process.stdout:
                if found := NOTICED.match(line):
                    process.kill()
                    return " ".join(filter(None, found.groups()))
            problem = process.stderr.read()
        finally:
            timer.cancel()
    if process.returncode == -9:
        return "it does not end"
    if problem:
        raise SystemExit(f"the check itself fails, which tells nothing about a vector:\n{problem}")
    return None


def tried(mutation):
    """What noticed a mutation."""
    _, program, reading, old, new = mutation
    with tempfile.TemporaryDirectory() as folder:
        programs = copy(pathlib.Path(folder))
        path = programs / program
        text = path.read_text(encoding="utf-8")
        if text.count(old) != 1 or old == new:
            raise SystemExit(f"{program}: {reading}: the text to change occurs {text.count(old)} times:\n{old}")
        path.write_text(text.replace(old, new), encoding="utf-8")
        return noticed(programs, program)


def run(mutations):
    """Each mutation with what noticed it, in order."""
    for program in sorted({mutation[1] for mutation in mutations}):
        if noticed(NAIVE, program):
            raise SystemExit(f"{program} fails its check without any change")
    with concurrent.futures.ThreadPoolExecutor(max_workers=min(4, os.cpu_count() or 1)) as pool:
        yield from zip(mutations, pool.map(tried, mutations))


def table(results, summary):
    rows = [f"| {clause} | `{program}` | {reading} | {by or '**nothing**'} |" for (clause, program, reading, _, _), by in results]
    return "\n".join(
        ["# Misreadings that the vectors notice", "", "`make mutants` changes the naive programs of `conformance/naive/`, one misreading at a time, and checks all vectors and malformed bodies.", "",
         f"{summary}. By clause:", "", "| clause | program | misreading | noticed first by |", "|---|---|---|---|", *rows, ""]
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help="the mutants of a clause")
    parser.add_argument("--table", type=pathlib.Path, help="where to write a table of all mutants")
    arguments = parser.parse_args()
    results = []
    for mutation, by in run([m for m in MUTATIONS if arguments.only in ("", m[0])]):
        results.append((mutation, by))
        print(f"{mutation[0]:<9} {mutation[1]:<15} {'killed' if by else 'SURVIVED':<9} {mutation[2]}" + (f"; by {by}" if by else ""), flush=True)
    survived = sum(by is None for _, by in results)
    summary = f"{len(results) - survived} mutants killed, {survived} survived"
    print(f"{summary}\n{len(results) - survived} passed, {survived} failed")
    if arguments.table:
        arguments.table.write_text(table(results, summary), encoding="utf-8")
    return 1 if survived or not results else 0


if __name__ == "__main__":
    sys.exit(main())
