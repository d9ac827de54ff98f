#!/usr/bin/env python3
"""Documents become tables and come back: equal under Canonical XML 1.0 with comments, as lxml computes it.

    run.py                  all that is below
    run.py --only TEXT      documents whose name contains TEXT
    run.py --seed N         the random documents of another seed
    run.py FILE...          these documents alone

The documents are those of this folder, those of the repository and those that the compiler makes of it, the WSDLs and schemas of the corpus (CREO_CORPUS,
or ../shared/corpus/wsdl), XML that is found on the machine, and random ones. Of the corpus and the machine only so many are taken as is quick; the last
lines say which were left out.
"""

from __future__ import annotations

import argparse
import concurrent.futures
import io
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass

from lxml import etree

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import generate  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
CREO = os.environ.get("CREO", str(ROOT / "target/debug/creo"))
ENDINGS = {".xml", ".svg", ".xsd", ".wsdl", ".pom", ".csproj", ".rng", ".xsl"}
MACHINE = [pathlib.Path("/usr/share"), pathlib.Path.home() / ".m2"]
MOST_MACHINE = 300
MOST_CORPUS = 150
MOST_BYTES = 1 << 20
RANDOM = 150
SCHEMES = ("aggregated", "record")


@dataclass(frozen=True)
class Case:
    name: str
    data: bytes
    schemes: tuple[str, ...] = SCHEMES
    # Whether it is ours, so that lxml must take it.
    ours: bool = True
    # Shuffles the rows before they are read back.
    shuffled: bool = False


class Incomparable(Exception):
    """lxml has no canonical form of a document."""


def canonical(data: bytes) -> bytes:
    # Defaults of attributes are part of Canonical XML; but with an external subset lxml would go and look for it.
    external = re.search(rb"<!DOCTYPE\s+\S+\s+(SYSTEM|PUBLIC)\b", data) is not None
    parser = etree.XMLParser(resolve_entities="internal", attribute_defaults=not external, load_dtd=False, no_network=True, huge_tree=True)
    try:
        tree = etree.parse(io.BytesIO(data), parser)
        out = io.BytesIO()
        tree.write_c14n(out, with_comments=True)
    except (etree.LxmlError, ValueError) as error:
        raise Incomparable(str(error)) from error
    return out.getvalue()


def creo(*arguments: str, data: bytes) -> bytes:
    done = subprocess.run([CREO, "tdxml", *arguments, "-"], input=data, capture_output=True, check=False)
    if done.returncode:
        raise AssertionError(f"creo tdxml {' '.join(arguments)}: exit code {done.returncode}: {done.stderr.decode(errors='replace')[:400]}")
    return done.stdout


def shuffle(table: bytes, seed: str) -> bytes:
    head, rows, tail = re.fullmatch(rb"(.*<[CR]T>\n)(.*)(</[CR]T>.*)", table, re.S).groups()
    lines = rows.splitlines(keepends=True) if b"\r" not in rows else rows.split(b"\n")
    random.Random(seed).shuffle(lines)
    return head + b"".join(lines) + tail


def check(case: Case) -> str:
    """Why the case fails; empty: it does not; `-`: it cannot be compared."""
    try:
        want = canonical(case.data)
    except Incomparable as error:
        return f"lxml does not take it: {error}" if case.ours else "-"
    for scheme in case.schemes:
        try:
            table = creo("encode", "--scheme", scheme, data=case.data)
            if case.shuffled:
                table = shuffle(table, case.name)
            back = creo("decode", data=table)
            got = canonical(back)
        except (AssertionError, Incomparable) as error:
            return f"{scheme}: {error}"
        if got != want:
            at = next((n for n, (a, b) in enumerate(zip(got, want)) if a != b), min(len(got), len(want)))
            return f"{scheme}: differs at {at}: {got[max(0, at - 40) : at + 40]!r} instead of {want[max(0, at - 40) : at + 40]!r}"
    return ""


def files(folder: pathlib.Path) -> Iterator[pathlib.Path]:
    for at, folders, names in os.walk(folder):
        folders.sort()
        for name in sorted(names):
            path = pathlib.Path(at, name)
            if path.suffix in ENDINGS and path.is_file() and path.stat().st_size <= MOST_BYTES:
                yield path


def some(found: list[pathlib.Path], most: int) -> list[pathlib.Path]:
    """So many of them, from all over the list."""
    step = max(1.0, len(found) / most)
    return [found[int(n * step)] for n in range(min(most, len(found)))]


def repository() -> Iterator[Case]:
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()
    for name in listed:
        path = ROOT / name
        if path.suffix in ENDINGS and path.is_file() and not name.startswith("tests/documents/"):
            yield Case(name, path.read_bytes(), ours=False)


def exports() -> Iterator[Case]:
    """The WSDLs that the compiler makes of the repository's descriptions."""
    for path in sorted((ROOT / "conformance/schemas").glob("*.creo")) + sorted((ROOT / "examples").rglob("*.creo")):
        done = subprocess.run([CREO, "export", "wsdl", str(path)], capture_output=True, check=False)
        if done.returncode == 0:
            yield Case(f"export of {path.relative_to(ROOT)}", done.stdout)


def randoms(seed: int) -> Iterator[Case]:
    for n in range(RANDOM):
        name = f"random {seed}:{n}"
        yield Case(name, generate.document(random.Random(name)).encode(), shuffled=n % 3 == 0)


def own() -> Iterator[Case]:
    for path in sorted(HERE.glob("*.xml")):
        data = path.read_bytes()
        yield Case(path.name, data)
        yield Case(f"{path.name}, shuffled", data, shuffled=True)


def found(seed: int) -> tuple[list[Case], list[str]]:
    cases = [*own(), *repository(), *exports(), *randoms(seed)]
    left: list[str] = []
    corpus = pathlib.Path(os.environ.get("CREO_CORPUS", str(ROOT / "../shared/corpus/wsdl")))
    if corpus.is_dir():
        every = list(files(corpus))
        taken = some(every, MOST_CORPUS)
        left += [f"{len(every) - len(taken)} documents of the corpus"] if len(every) > len(taken) else []
        cases += [Case(str(path.relative_to(corpus)), path.read_bytes(), SCHEMES[n % 2 :][:1], ours=False) for n, path in enumerate(taken)]
    else:
        left.append("the corpus, which is not there")
    every = [path for folder in MACHINE if folder.is_dir() for path in files(folder)]
    taken = some(every, MOST_MACHINE)
    if len(every) > len(taken):
        left.append(f"{len(every) - len(taken)} documents of this machine")
    elif not every:
        left.append("documents of this machine, which has none")
    cases += [Case(str(path), path.read_bytes(), SCHEMES[n % 2 :][:1], ours=False) for n, path in enumerate(taken)]
    return cases, left


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", metavar="FILE")
    parser.add_argument("--only", default="", help="part of the names of documents")
    parser.add_argument("--seed", type=int, default=1, help="of the random documents")
    arguments = parser.parse_args()
    if arguments.files:
        cases, left = [Case(name, pathlib.Path(name).read_bytes(), ours=False) for name in arguments.files], []
    else:
        cases, left = found(arguments.seed)
    cases = [case for case in cases if arguments.only in case.name]
    passed, failed, incomparable = 0, 0, 0
    with concurrent.futures.ThreadPoolExecutor(min(4, os.cpu_count() or 1)) as pool:
        for case, why in zip(cases, pool.map(check, cases)):
            if why == "-":
                incomparable += 1
            elif why:
                failed += 1
                print(f"FAILED {case.name}: {why}")
                if case.name.startswith("random"):
                    path = pathlib.Path(tempfile.gettempdir(), case.name.replace(" ", "-").replace(":", "-") + ".xml")
                    path.write_bytes(case.data)
                    print(f"  the document is in {path}")
            else:
                passed += 1
    if incomparable:
        left.append(f"{incomparable} that lxml does not take")
    if left:
        print(f"documents, not run: {', '.join(left)}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
