#!/usr/bin/env python3
"""Runs the harness's kind `operations` on all WSDLs there are, and writes what came out by language.

    scripts/operations.py                           all languages, into bench/results/operations.md
    scripts/operations.py --without csharp          further arguments go to the harness; no table of a part is written
    scripts/operations.py --table FILE --from LOG   the table of a run whose output is in a file

The last line is the harness's `N passed, N failed`.
"""

from __future__ import annotations

import argparse
import pathlib
import re
import subprocess
import sys
from collections import Counter

ROOT = pathlib.Path(__file__).resolve().parents[1]
TABLE = ROOT / "bench" / "results" / "operations.md"
HARNESS = ROOT / "target" / "debug" / "creo-harness"

COUNTS = re.compile(r"^operations: (?P<language>[a-z]+): (?P<messages>\d+) messages: (?P<counts>.*)$", re.M)
END = re.compile(r"^(?P<passed>\d+) passed, (?P<failed>\d+) failed$", re.M)

# The judgements of the XML Schema processor on what a language has written, in the words of the harness.
MEANING = {
    "valid": "the WSDL's own schemas accept it",
    "facet": "a random value breaks a pattern or a bound, of which descriptions know nothing",
    "wildcard": "a random element is of another namespace than an `xsd:any` wants",
    "opaque": "content that the description keeps as text",
    "few items": "`minOccurs` above one",
    "nil without attributes": "an element that is null, whose attributes the schema requires",
    "looser than the schema": "the import has said that the description is looser",
    "none": "the WSDL's schemas do not declare the message's element (rpc style), or are refused by the processor",
}


def table(output: str) -> str:
    """The page for the output of a run.

    :raises SystemExit: if the output is not of a complete run, or has a judgement without a meaning.
    """
    ends, seed = END.findall(output), re.search(r"^operations: seed (\d+)$", output, re.M)
    if not ends or seed is None:
        raise SystemExit("the run has not come to its end")
    by_language: dict[str, Counter[str]] = {}
    for found in COUNTS.finditer(output):
        counts = by_language.setdefault(found["language"], Counter())
        for part in found["counts"].split(", "):
            number, word = part.split(" ", 1)
            counts[word] += int(number)
        counts["messages"] += int(found["messages"])
    unknown = {word for counts in by_language.values() for word in counts} - {*MEANING, "messages", "failed", "invalid"}
    if unknown:
        raise SystemExit(f"judgements without a meaning: {', '.join(sorted(unknown))}")
    languages = list(by_language)

    def row(word: str, meaning: str) -> str:
        return f"| {word} | {' | '.join(f'{by_language[language][word]:,}' for language in languages)} | {meaning} |"

    passed, failed = ends[-1]
    failures = re.findall(r"^FAILED (operations .{0,300})", output, re.M)
    return "\n".join([
        "# The messages of every operation",
        "",
        f"Written by `make operations`, with the seed {seed[1]}: each message of each operation of the WSDLs in `tests/import` and in the corpus "
        "(requests, responses, headers and faults) with three random values. Every language reads what the naive writer wrote, writes it again, and the "
        "values are compared. An XML Schema processor judges what each language has written by the WSDL's own schemas.",
        "",
        f"{int(passed):,} passed, {int(failed):,} failed.",
        "",
        f"| judgement | {' | '.join(languages)} | means |",
        f"|---|{'---:|' * len(languages)}---|",
        *(row(word, meaning) for word, meaning in MEANING.items()),
        row("messages", "messages written"),
        *(["", "Failed:", "", *(f"- {line.replace(str(ROOT) + '/', '').replace('../', '')}" for line in failures)] if failures else []),
        "",
    ])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--table", type=pathlib.Path, default=TABLE)
    parser.add_argument("--from", dest="log", type=pathlib.Path)
    arguments, others = parser.parse_known_args()
    if arguments.log is not None:
        arguments.table.write_text(table(arguments.log.read_text()))
        return 0
    run = subprocess.Popen([HARNESS, "operations", "--sample", "100000", *others], stdout=subprocess.PIPE, text=True)
    assert run.stdout is not None
    lines = []
    for line in run.stdout:
        sys.stdout.write(line)
        sys.stdout.flush()
        lines.append(line)
    if not others:
        arguments.table.write_text(table("".join(lines)))
    return run.wait()


if __name__ == "__main__":
    sys.exit(main())
