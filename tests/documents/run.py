#!/usr/bin/env python3
"""Documents become tables and come back: equal under Canonical XML 1.0 with comments, as lxml computes it.

    run.py                  all that is below
    run.py --only TEXT      documents whose name contains TEXT
    run.py --seed N         the random documents of another seed
    run.py FILE...          these documents alone

The documents are those of this folder, those of the repository and those that the compiler makes of it, tables of the conformance vectors, the WSDLs and schemas of the corpus (CREO_CORPUS,
or ../shared/corpus/wsdl), XML that is found on the machine, and random ones. Of the corpus and the machine only so many are taken as is quick; the last
lines say which were left out.
"""

from __future__ import annotations

import argparse
import concurrent.futures
import io
import json
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
    # Whether the document is the project's own, which lxml must accept.
    ours: bool = True
    # Shuffles the rows before they are read back.
    shuffled: bool = False
    # A table that gives the document or table `data`, but for namespaces.
    table: bytes = b""


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


def plain(element: etree._Element) -> object:
    """An element without namespaces: what a schema of a description knows of it (TDX-71)."""
    attributes = sorted((etree.QName(name).localname, value) for name, value in element.attrib.items())
    return etree.QName(element).localname, attributes, element.text or "", [plain(child) for child in element]


def check_table(case: Case) -> str:
    """A table with the schema of a description gives the document that the xml wire, or the other table, has for the same value."""
    try:
        got = plain(etree.fromstring(creo("decode", data=case.table)))
        want = plain(etree.fromstring(creo("decode", data=case.data) if case.data.startswith(b"<Env") else case.data))
    except (AssertionError, etree.LxmlError) as error:
        return str(error)
    return "" if got == want else f"gives {got} instead of {want}"


def check(case: Case) -> str:
    """Why the case fails; empty: it does not; `-`: it cannot be compared."""
    if case.table:
        return check_table(case)
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


def vectors() -> Iterator[Case]:
    """The tables of the conformance vectors that have a schema, beside the XML of the same values."""
    folder = ROOT / "conformance/vectors"

    def read(wire: str) -> Iterator[dict[str, str]]:
        for path in sorted((folder / wire).glob("*.json")):
            yield from json.loads(path.read_text(encoding="utf-8"))["vectors"]

    documents = {(vector["id"], vector["type"]): vector["xml"] for vector in read("xml") if "xml" in vector and "type" in vector}
    for vector in read("tdxml"):
        schema = re.search(r"<DS>.*</DS>", vector.get("schema", ""), re.S)
        if not schema:
            continue
        record = vector["schema"].encode()
        aggregated = vector.get("aggregated", "").replace("<CT>", schema[0] + "<CT>").encode()
        # What XML is called and looks like by annotations, a schema does not say.
        document = documents.get((vector["id"], vector.get("type", ""))) if ".values." in vector.get("type", "") else None
        if document:
            yield Case(f"vector {vector['id']}", document.encode(), table=record)
        if b"<CT>" in aggregated:
            yield Case(f"vector {vector['id']}, both schemes", record, table=aggregated)


def own() -> Iterator[Case]:
    for path in sorted(HERE.glob("*.xml")):
        data = path.read_bytes()
        yield Case(path.name, data)
        yield Case(f"{path.name}, shuffled", data, shuffled=True)


def found(seed: int) -> tuple[list[Case], list[str]]:
    cases = [*own(), *repository(), *exports(), *vectors(), *randoms(seed)]
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
