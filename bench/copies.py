"""make bench-copies: how many files and lines of runtime a copy has, by language and choice of wires. See docs/measuring.md."""

from __future__ import annotations

import argparse
import subprocess
import tempfile
from pathlib import Path

from harness.tools import BENCH, ROOT

CREO = ROOT / "target" / "debug" / "creo"
PAPER = ROOT / "tests" / "golden" / "paper_program" / "in.creo"
STREAMS = ROOT / "tests" / "golden" / "streams" / "in.creo"
LANGUAGES = {"java": "Java", "python": "Python", "c": "C", "csharp": "C#"}
EVERY = "binary,json,soap,tdxml"
# What is copied, the description, the wires, the sides, and the modules.
CHOICES = (
    ("client, binary", PAPER, "binary", "client", ()),
    ("the same with retries", PAPER, "binary", "client", ("--with", "retries")),
    ("the same with several addresses", PAPER, "binary", "client", ("--with", "balance")),
    ("the same with streams", STREAMS, "binary", "client", ()),
    ("client, JSON", PAPER, "json", "client", ()),
    ("client, SOAP", PAPER, "soap", "client", ()),
    ("client, tables", PAPER, "tdxml", "client", ()),
    ("client, every wire", PAPER, EVERY, "client", ()),
    ("service, binary", PAPER, "binary", "service", ()),
    ("both sides, every wire", PAPER, EVERY, "both", ()),
)
# It comes only with a copied runtime, and is the user's.
NOT_COUNTED = {"pom.xml"}

def generated(folder: Path, language: str, runtime: str, options: list[str]) -> dict[str, int]:
    """The lines of each file."""
    out = folder / runtime
    subprocess.run([CREO, "generate", "--quiet", *options, "--target", language, "--runtime", runtime, "--out", out], check=True, stdout=subprocess.DEVNULL)
    root = out / language
    files = [path for path in root.rglob("*") if path.is_file() and not path.name.startswith(".creo-manifest")]
    return {str(path.relative_to(root)): len(path.read_text(encoding="utf-8").splitlines()) for path in files}

def copied(language: str, description: Path, wires: str, sides: str, modules: tuple[str, ...]) -> str:
    """The files and lines that are there with a copied runtime alone."""
    with tempfile.TemporaryDirectory() as folder:
        options = [str(description), "--wires", wires, *(["--sides", sides] if language == "java" else [])]
        own = generated(Path(folder), language, "package", options)
        with_runtime = generated(Path(folder), language, "copy", [*options, *modules])
    lines = [count for path, count in with_runtime.items() if path not in own and path not in NOT_COUNTED]
    return f"{len(lines)} / {sum(lines):,}"

def project(language: str) -> str:
    """The files that `creo new` makes for a person, beside generated ones."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([CREO, "new", "lab", "--target", language], cwd=folder, check=True, stdout=subprocess.DEVNULL)
        return str(sum(1 for path in (Path(folder) / "lab").rglob("*") if path.is_file() and "generated" not in path.parts))

def page() -> str:
    rows = []
    for name, description, wires, sides, modules in CHOICES:
        cells = ["–" if sides != "client" and language != "java" else copied(language, description, wires, sides, modules) for language in LANGUAGES]
        rows.append(f"| {name} | {' | '.join(cells)} |")
    return "\n".join(
        [
            "# Sizes of copied runtimes",
            "",
            "Files and lines of runtime that `creo generate --runtime copy` writes beside generated code, comments included. The description is the paper's first program, with",
            "streams that of `tests/golden/streams`. The service's side exists in Java. Written by `make bench-copies`; `creo-harness copies` fails if the first row grows.",
            "",
            f"| copied | {' | '.join(LANGUAGES.values())} |",
            "|---|" + "---|" * len(LANGUAGES),
            *rows,
            "",
            "The aim is 15 files and 4,500 lines for the first row, in C two files. [ADR 0016](../../docs/adr/0016-runtimes-in-parts.md) says what is in the way.",
            "",
            f"`creo new lab` makes {project('java,python,c,csharp')} files for all four languages, beside the generated ones in `generated/`, which need not be committed.",
            "",
        ]
    )

def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--results", type=Path, default=BENCH / "results", help="the folder of copies.md")
    arguments = parser.parse_args()
    (arguments.results / "copies.md").write_text(page(), encoding="utf-8")

if __name__ == "__main__":
    main()
