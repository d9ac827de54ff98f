"""make bench-compiler: how long `creo` takes for 1,000 to 10,000 structs, to generate code in each target, to check and to estimate, and how much memory."""

from __future__ import annotations

import argparse
import datetime
import os
import resource
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

import lines
from harness import machine
from harness.tools import BENCH, ROOT, say

CREO = ROOT / "target" / "release" / "creo"
TARGETS = ("java", "python", "c", "csharp")
SIZES = (1_000, 2_000, 4_000, 10_000)


def services(structs: int) -> str:
    """Structs as services have them: each holds scalars, text, a list, an optional, and some of them an earlier struct."""
    lines = ['@PACKAGE("bench.compiler")']
    for i in range(structs):
        inner = f" Item{i - 7} inner;" if i >= 7 and i % 3 == 0 else ""
        lines.append(
            f"struct Item{i} {{ int id; String name; double[] samples; long? at; boolean on; short level;{inner} }}"
        )
    lines.append("interface Items { " + " ".join(f"Item{i} get{i}(int id);" for i in range(0, structs, 100)) + " }")
    return "\n".join(lines) + "\n"


def chain(structs: int) -> str:
    """Structs each of which holds the one before it: a message of the last one holds them all."""
    lines = ['@PACKAGE("bench.compiler")']
    for i in range(structs):
        inner = f" Item{i - 1} inner;" if i > 0 else ""
        lines.append(
            f"struct Item{i} {{ int id; String name; double[] samples; long? at; boolean on; short level;{inner} }}"
        )
    lines.append(f"interface Items {{ Item{structs - 1} get(int id); void put(Item{structs // 2} item); }}")
    return "\n".join(lines) + "\n"


def generate(target: str) -> list[str]:
    return ["generate", "--quiet", "--runtime", "package", "--target", target, "--out", "."]


# The measurements: a name, the command to which a description is added, and how descriptions are generated.
WORK = [
    *((f"generate {target}", generate(target), services) for target in TARGETS),
    ("check", ["check"], chain),
    ("estimate", ["estimate"], chain),
]


def measure(file: Path, arguments: list[str]) -> tuple[float, float, int]:
    """Wall time and user time in seconds, and the peak of resident memory in MB, of a whole run in an empty folder."""
    with tempfile.TemporaryDirectory(dir=file.parent) as folder:
        command = [CREO, *arguments, file]
        start = time.perf_counter()
        child = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL)
        _, status, usage = os.wait4(child.pid, 0)
        wall = time.perf_counter() - start
        child.returncode = os.waitstatus_to_exitcode(status)
        if child.returncode != 0:
            raise SystemExit(f"bench-compiler: {' '.join(map(str, command))} ended with {child.returncode}")
        return wall, usage.ru_utime, usage.ru_maxrss // 1_000


def table(runs: int) -> list[str]:
    rows = [
        "| command | structs | user time, s (min to max) | wall time, s | peak memory, MB | user time by 1,000 structs, ms |",
        "|---|---|---|---|---|---|",
    ]
    with tempfile.TemporaryDirectory() as folder:
        for name, arguments, description in WORK:
            for size in SIZES:
                file = Path(folder) / f"items{size}.creo"
                file.write_text(description(size))
                found = [measure(file, arguments) for _ in range(runs)]
                user = [run[1] for run in found]
                middle = statistics.median(user)
                wall = statistics.median(run[0] for run in found)
                memory = max(run[2] for run in found)
                rows.append(
                    f"| {name} | {size:,} | {middle:.2f} ({min(user):.2f} to {max(user):.2f}) | {wall:.2f} | {memory} | {middle / size * 1e6:.0f} |"
                )
                say(rows[-1])
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(prog="bench-compiler", description=__doc__)
    parser.add_argument("--runs", type=int, default=5, help="runs of each; the median is reported (default: 5)")
    parser.add_argument("--results", type=Path, default=BENCH / "results", help="folder for compiler.md (default: bench/results)")
    parser.add_argument("--against", default="f50517b", help="the commit with which the lines of code are compared (default: f50517b)")
    options = parser.parse_args()
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    about, before = machine.describe(), machine.load()
    rows = table(options.runs)
    text = [
        "# Large descriptions",
        "",
        f"By `{machine.command('bench-compiler')}`, {datetime.datetime.now(datetime.timezone.utc):%Y-%m-%d}, {about['processor']}, {about['cpus']} cores, load {before} before; release build, whole command; code with the runtime as a package, into an empty folder; median of {options.runs} runs.",
        "The goal: time in proportion to the number of structs, and 10,000 below 3 s of user time. Wall time of Java and C# is that of writing 30,000 files. "
        "For `check` and `estimate`, each struct holds the one before it, and a message holds all of them.",
        "",
        *rows,
        "",
        "## Lines",
        "",
        f"By `python3 bench/lines.py {options.against}`: Rust in `crates/`, without blank lines; tests are files of tests and test modules within files. "
        "Kilobytes are without white space: lines were wider once.",
        "",
        *lines.table(options.against, lines.git("rev-parse", "--short", "HEAD").strip()),
        "",
    ]
    (options.results / "compiler.md").write_text("\n".join(text))
    say(f"bench-compiler: wrote {options.results / 'compiler.md'}")


if __name__ == "__main__":
    main()
