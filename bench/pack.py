"""make bench-pack: how long `creo pack` takes for a large WSDL and a small description, and how large the packages are."""

from __future__ import annotations

import argparse
import datetime
import os
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

from harness import machine
from harness.tools import BENCH, ROOT, say

CREO = ROOT / "target" / "release" / "creo"
SMALL = ROOT / "tests" / "pack" / "lab.creo"
KINDS = (
    ("java", ["--no-docs"], "JAR and its sources"),
    ("java", [], "the same with documentation"),
    ("python", [], "wheel"),
    ("c", [], "C source archive"),
    ("csharp", [], "NuGet package"),
)


def largest() -> Path:
    """The largest WSDL of the corpus."""
    corpus = Path(os.environ.get("CREO_CORPUS", ROOT.parent / "shared" / "corpus" / "wsdl"))
    files = sorted(corpus.rglob("*.wsdl"), key=lambda path: path.stat().st_size)
    if not files:
        raise SystemExit(f"bench-pack: there is no WSDL in {corpus}; CREO_CORPUS names another folder")
    return files[-1]


def imported(wsdl: Path, folder: Path) -> Path:
    subprocess.run([CREO, "import", "--quiet", wsdl, "--out", folder], check=True, stderr=subprocess.DEVNULL)
    return folder / f"{wsdl.stem}.creo"


def measure(file: Path, target: str, options: list[str]) -> tuple[float, float, dict[str, int]]:
    """Wall time and time of all processors in seconds, and the bytes of each package."""
    with tempfile.TemporaryDirectory() as out:
        command = [CREO, "pack", "--quiet", file, "--version", "1.4.0", "--target", target, "--out", out, *options]
        start = time.perf_counter()
        child = subprocess.Popen(command, stderr=subprocess.DEVNULL)
        _, status, usage = os.wait4(child.pid, 0)
        wall = time.perf_counter() - start
        child.returncode = os.waitstatus_to_exitcode(status)
        if child.returncode != 0:
            raise SystemExit(f"bench-pack: {' '.join(map(str, command))} ended with {child.returncode}")
        sizes = {path.name: path.stat().st_size for path in sorted(Path(out).iterdir())}
        return wall, usage.ru_utime + usage.ru_stime, sizes


def table(files: list[Path], runs: int) -> list[str]:
    rows = ["| description | bytes | packages | wall time, s (min to max) | processor time, s | bytes of each |", "|---|---|---|---|---|---|"]
    for file in files:
        for target, options, words in KINDS:
            found = [measure(file, target, options) for _ in range(runs)]
            walls = [run[0] for run in found]
            sizes = "; ".join(f"`{name}` {size:,}" for name, size in found[0][2].items())
            rows.append(
                f"| `{file.name}` | {file.stat().st_size:,} | {words} | {statistics.median(walls):.2f} ({min(walls):.2f} to {max(walls):.2f}) | {statistics.median(run[1] for run in found):.2f} | {sizes} |"
            )
            say(rows[-1])
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(prog="bench-pack", description=__doc__)
    parser.add_argument("--runs", type=int, default=3, help="runs of each; the median is reported (default: 3)")
    parser.add_argument("--results", type=Path, default=BENCH / "results", help="folder for pack.md (default: bench/results)")
    options = parser.parse_args()
    about, before = machine.describe(), machine.load()
    with tempfile.TemporaryDirectory() as folder:
        wsdl = largest()
        file = imported(wsdl, Path(folder))
        rows = table([SMALL, file], options.runs)
    java = subprocess.run(["java", "-version"], capture_output=True, text=True, check=True).stderr.splitlines()[0]
    text = [
        "# Packing clients",
        "",
        f"By `{machine.command('bench-pack')}`, {datetime.datetime.now(datetime.timezone.utc):%Y-%m-%d}, {about['processor']}, {about['cpus']} cores, load {before} before; release build, whole command, clients of all wires with their runtime inside; {"one run" if options.runs == 1 else f"median of {options.runs} runs"}. {java}.",
        f"`{wsdl.stem}.creo` is what `creo import` makes of the largest WSDL of the corpus, {wsdl.name} of {wsdl.stat().st_size:,} bytes. A JAR's time is that of the JDK's compiler, which starts anew for each.",
        "",
        *rows,
        "",
    ]
    (options.results / "pack.md").write_text("\n".join(text))
    say(f"bench-pack: wrote {options.results / 'pack.md'}")


if __name__ == "__main__":
    main()
