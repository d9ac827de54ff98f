#!/usr/bin/env python3
"""Tests of the Go generator: what it prints is formatted, vetted and compiled, and passes the data of conformance/ for the binary wire.

    test.py     after `cargo build --workspace`; CREO and HARNESS name other programs

Ends with `N passed, N failed`. Without Go on the PATH the generator still runs; a line says what did not.
"""

from __future__ import annotations

import json
import os
import random
import re
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
WORK = ROOT / "build" / "go-generator"
GENERATOR = HERE / "creo-gen-go"
CREO = os.environ.get("CREO", str(ROOT / "target" / "debug" / "creo"))
HARNESS = os.environ.get("HARNESS", str(ROOT / "target" / "debug" / "creo-harness"))
PAGE = ROOT / "docs" / "new-language.md"
VALUES = ROOT / "conformance" / "schemas" / "values.creo"
GO = shutil.which("go")
#: No network, no other version of Go, no flags of the caller.
ENVIRONMENT = {
    **os.environ,
    "PATH": os.pathsep.join([str(HERE), os.environ.get("PATH", "")]),
    "GOFLAGS": "-mod=mod",
    "GOPROXY": "off",
    "GOTOOLCHAIN": "local",
    "GO111MODULE": "on",
    "GOWORK": "off",
}
#: Far above what anything takes: what hangs is a failure.
LIMIT = 600
COUNTS = re.compile(r"^(\d+) passed, (\d+) failed$", re.M)

#: What a comment may hold that Go or gofmt takes for something else.
FRAGMENTS = [
    "*/", "/*", "//", "//go:build ignore", "go:embed x", "+build x", "line x.go:1", "# Heading", "Heading", "## x", "- item", "* item", "+ x", "1. one",
    "2) two", "[link]: https://example.org", "[Data]", "``quoted''", "''", "\t code", "  indented", "\r", "\r\n", "\x00", "\x0b", "\x1b[31m", "\x7f", "\x85", "\u2028",
    "\ufeff", "\u202e", "\U0001f600", "\\", "`", '"', "Deprecated: x", "TODO(x): y", "BUG(x): y", "a sentence.", "two words", "", "", "\n", "| x", "import \"C\"",
]  # fmt: skip


class Failure(Exception):
    """A test that did not pass, and why."""


def run(command: list[str | Path], folder: Path = ROOT, stdin: str | None = None, path: str = ENVIRONMENT["PATH"]) -> str:
    """The standard output of a program that succeeds."""
    result = subprocess.run(
        [str(word) for word in command], cwd=folder, env={**ENVIRONMENT, "PATH": path}, input=stdin, capture_output=True, encoding="utf-8", timeout=LIMIT, check=False
    )  # fmt: skip
    if result.returncode != 0:
        raise Failure(f"{command[0]} ended with {result.returncode}: {(result.stdout + result.stderr).strip()[-3000:]}")
    return result.stdout


def module(folder: Path) -> Path:
    """An empty Go module without dependencies."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    (folder / "go.mod").write_text(f"module {folder.name}\n\ngo 1.23\n")
    return folder


def write(folder: Path, model: str, python: str = sys.executable) -> None:
    """The files that the generator makes of a model, without creo in between."""
    answer = json.loads(run([python, "-B", GENERATOR], stdin=model))
    for file in answer["files"]:
        path = folder / file["path"]
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(file["text"], encoding="utf-8")


def check_go(folder: Path) -> None:
    """gofmt would change nothing, vet has nothing to say, and everything compiles."""
    listed = run(["gofmt", "-l", "."], folder)
    if listed:
        raise Failure(f"gofmt would change {listed.split()}")
    run([GO or "go", "build", "./..."], folder)
    run([GO or "go", "vet", "./..."], folder)


def descriptions() -> list[Path]:
    return sorted([*(ROOT / "tests/compile").glob("*.creo"), *(ROOT / "conformance/schemas").glob("*.creo"), *(HERE / "tests").glob("*.creo")])


def generate() -> None:
    """Every description, through creo; then again, which must change nothing."""
    folder = module(WORK / "generated")
    for description in descriptions():
        out = folder / f"{description.parent.name}_{description.stem}"
        run([CREO, "generate", description, "--target", "go", "--out", out])
        run([CREO, "generate", description, "--target", "go", "--out", out, "--check"])


def own_names() -> None:
    """The names that a description gives for Go alone."""
    folder = WORK / "generated" / "tests_names" / "go" / "names"
    types = (folder / "types.go").read_text(encoding="utf-8")
    if "type Renamed struct {\n\tOther int32 `creo:\"own\"`\n}" not in types:
        raise Failure("the names of @PACKAGE and @Name are not used")


def page() -> None:
    """The examples of docs/new-language.md: the smallest generator works, and what Go prints is what the page shows."""
    text = PAGE.read_text(encoding="utf-8")
    folder = WORK / "page"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    program = folder / "creo-gen-smallest"
    program.write_text(block(text, "python"))
    program.chmod(0o755)
    path = os.pathsep.join([str(folder), os.environ.get("PATH", "")])
    run([CREO, "generate", VALUES, "--target", "smallest", "--out", folder], path=path)
    if "// conformance.values.Point\n" not in (folder / "smallest" / "data" / "types.go").read_text():
        raise Failure("the smallest generator of the page does not list the types")
    description = folder / "mixed.creo"
    struct = re.search(r"`(struct Mixed [^`]*)`", text)
    if not struct:
        raise Failure("the page does not say what its code is printed for")
    description.write_text(f"struct Point {{ double x; double y; }}\n{struct[1]}\n")
    run([CREO, "generate", description, "--target", "go", "--out", folder])
    shown = "".join(f"\t{line}\n" for line in block(text, "go").splitlines())
    if shown not in (folder / "go" / "service" / "codec.go").read_text():
        raise Failure("the code of the page is not what is printed")


def block(page: str, language: str) -> str:
    found = re.search(rf"^```{language}\n(.*?)^```$", page, re.M | re.S)
    if not found:
        raise Failure(f"{PAGE} has no block of {language}")
    return found[1]


def oldest_python() -> None:
    """Every Python that setup found prints the same."""
    listed = ROOT / "build" / "pythons.txt"
    pythons = listed.read_text().split() if listed.exists() else [sys.executable]
    model = run([CREO, "model", VALUES])
    texts = {run([python, "-B", GENERATOR], stdin=model) for python in pythons}
    if len(texts) != 1:
        raise Failure(f"{', '.join(pythons)} print {len(texts)} different answers")


def compiled() -> None:
    check_go(WORK / "generated")


def hostile_docs() -> None:
    """Comments of random fragments, by a seed: whatever a description says stays within its comment."""
    chosen = random.Random(28)
    folder = module(WORK / "docs")
    for number in range(8):
        model = json.loads(run([CREO, "model", VALUES]))

        def doc() -> str:
            return chosen.choice(["\n", " ", "\n\n"]).join(chosen.choices(FRAGMENTS, k=chosen.randint(1, 6)))

        for declaration in model["types"]:
            members = [m for name in ("fields", "members", "constants") for m in declaration.get(name, [])]
            for noted in [declaration, *members]:
                noted["doc"] = doc()
                noted["deprecated"] = chosen.choice([None, True, doc()])
        model["packages"][0]["name"] = f"docs{number}"
        write(folder, json.dumps(model))
    check_go(folder)


def build_peer() -> Path:
    folder = module(WORK / "peer")
    for source in (HERE / "peer").glob("*.go"):
        shutil.copy(source, folder)
    write(folder, run([CREO, "model", VALUES]))
    codec = (folder / "values" / "codec.go").read_text(encoding="utf-8")
    types = re.findall(r"^// Decode(\w+) reads ([\w.]+) from", codec, re.M)
    rows = "".join(f'\t"{name}": typeOf(values.Decode{go}, values.Encode{go}),\n' for go, name in types)
    (folder / "types.go").write_text(f'package main\n\nimport "peer/values"\n\nvar types = map[string]valueType{{\n{rows}}}\n')
    run([GO or "go", "vet", "./..."], folder)
    run([GO or "go", "build", "-o", "peer", "."], folder)
    return folder / "peer"


def conformance(peer: Path, kind: str, only: str) -> tuple[int, int]:
    """What the harness says of the peer."""
    command = [HARNESS, kind, "--only", only, "--peer", str(peer)]
    result = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, encoding="utf-8", timeout=LIMIT, check=False)
    counts = COUNTS.findall(result.stdout)
    if result.returncode != 0 or not counts:
        print(result.stdout[-20000:])
    passed, failed = map(int, counts[-1]) if counts else (0, 1)
    print(f"{kind} of {only} {passed} passed, {failed} failed")
    return passed, failed


def main() -> int:
    passed = failed = 0
    tests = [generate, own_names, page, oldest_python]
    if GO:
        tests += [compiled, hostile_docs]
    else:
        print("go-generator, not run: gofmt, go vet, compiling and the peer (there is no go on the PATH)")
    for test in tests:
        try:
            test()
            passed += 1
        except Failure as why:
            failed += 1
            print(f"FAILED {test.__name__}: {why}")
    if GO:
        try:
            peer = build_peer()
            runs = [("vectors", "binary/"), ("malformed", "binary/"), ("malformed", "writer/")]
            for good, bad in (conformance(peer, kind, only) for kind, only in runs):
                passed, failed = passed + good, failed + bad
        except Failure as why:
            failed += 1
            print(f"FAILED the peer: {why}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
