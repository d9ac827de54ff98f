"""The lines of the compiler by crate, at two commits: python3 bench/lines.py BEFORE [AFTER]."""

from __future__ import annotations

import re
import subprocess
import sys
from collections import defaultdict

from harness.tools import ROOT

# Tests within a file: from here to its end.
TESTS = re.compile(r"^#\[cfg\(test\)\]\n(?:pub )?mod \w+ \{", re.MULTILINE)


def git(*arguments: str, text: str | None = None) -> str:
    done = subprocess.run(["git", *arguments], cwd=ROOT, input=text, capture_output=True, text=True, check=True)
    return done.stdout


def is_test(path: str) -> bool:
    return "/tests/" in path or path.endswith(("/tests.rs", "_tests.rs"))


def full(text: str) -> int:
    """The lines that are not blank."""
    return sum(1 for line in text.splitlines() if line.strip())


def lines(commit: str) -> dict[str, list[int]]:
    """Of each crate the lines of Rust without blank ones: code, and tests; and the characters of the code, without white space."""
    paths = [path for path in git("ls-tree", "-r", "--name-only", commit, "crates").splitlines() if path.endswith(".rs")]
    crates: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0])
    for path in paths:
        text = git("show", f"{commit}:{path}")
        start = 0 if is_test(path) else next((found.start() for found in TESTS.finditer(text)), len(text))
        counts = crates[path.split("/")[1]]
        counts[0] += full(text[:start])
        counts[1] += full(text[start:])
        counts[2] += len("".join(text[:start].split()))
    return crates


def table(before: str, after: str) -> list[str]:
    old, new = lines(before), lines(after)
    rows = [
        "| crate | lines of code | | kilobytes of code | | lines of tests | |",
        "|---|---|---|---|---|---|---|",
        f"| | {before} | {after} |" + f" {before} | {after} |" * 2,
    ]
    for counts in (old, new):
        counts["all"] = [sum(column) for column in zip(*counts.values())]
    for crate in sorted(old.keys() | new.keys(), key=lambda crate: (crate == "all", crate)):
        (code, tests, size), (new_code, new_tests, new_size) = old[crate], new[crate]
        counts = [code, new_code, round(size / 1_000), round(new_size / 1_000), tests, new_tests]
        rows.append(f"| {crate} | " + " | ".join(f"{count:,}" if count else "" for count in counts) + " |")
    return rows


if __name__ == "__main__":
    print("\n".join(table(*(sys.argv[1:] + ["HEAD"])[:2])))
