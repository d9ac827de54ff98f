"""make bench: a set of all experiments that takes at most half an hour, and the page of their results. See docs/measuring.md.

An interrupted run continues with the same options; runs with other options do not disturb it. The output of a step is in NAME.log in a folder of the run in build/bench/all."""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from harness.tools import BENCH, BUILD, ROOT, name_of
from tqdm import tqdm

HERE = BUILD / "all"
LANGUAGES = ("java", "python", "c", "csharp")
# The workloads of the paper on Creo.
PAPER = ("--workload", "numbers", "--workload", "strings", "--workload", "bytes")
# And those that are ours.
OURS = ("--workload", "texts", "--workload", "reals")
# The comparisons of the papers on messaging.
SHORT_MESSAGING = tuple(word for name in ("normal", "gzip", "serialized", "http", "jms") for word in ("--only", name))
# These have no peers to choose.
WITHOUT_PEERS = ("sizes", "soap")
# These have their own journal, and can continue within a step.
WITH_JOURNAL = ("wire", "text", "creo", "tdxml", "messaging")


@dataclass(frozen=True)
class Step:
    """A part of an experiment that is measured in one run: things to compare are never divided."""

    experiment: str
    name: str
    script: str
    step: tuple[str, ...]
    # Further options of the short set.
    quick: tuple[str, ...]
    # How long the short set takes on two cores: only for the bar.
    seconds: int
    # Further options of the whole set.
    full: tuple[str, ...] = ()

    def command(self, options: argparse.Namespace, results: Path) -> list[str]:
        words = [str(ROOT / "scripts" / self.script), *self.step, "--results", str(results), *(self.full if options.full else self.quick)]
        words += [word for peer in options.peer for word in ("--peer", peer)]
        return words + (["--fresh"] if options.fresh and self.experiment in WITH_JOURNAL else [])


STEPS = (
    *(
        Step("wire", f"wire-{language}", "bench-wire.sh", ("--only", language, "--merge", *PAPER), ("--quick", "--size", "1k"), seconds, OURS)
        for language, seconds in zip(LANGUAGES, (160, 55, 30, 15))
    ),
    *(
        Step("text", f"text-{language}", "bench-wire.sh", ("--only", language, "--merge", "--workload", "soap"), ("--quick", "--message", "complex"), seconds)
        for language, seconds in zip(LANGUAGES, (80, 5, 20, 10))
    ),
    Step("sizes", "sizes", "bench-sizes.sh", (), (), 10),
    Step("creo", "creo", "bench-creo.sh", (), ("--quick",), 570),
    Step("soap", "soap", "bench-soap.sh", (), ("--quick", "--message", "complex"), 85),
    Step("tdxml", "tdxml", "bench-tdxml.sh", (), ("--quick", "--message", "simple", "--message", "complex"), 180),
    Step("messaging", "messaging", "bench-messaging.sh", (), ("--quick", "--size", "1.3M", "--size", "7.3M", *SHORT_MESSAGING), 220),
    Step("cost-paper", "cost-paper", "bench-cost.sh", (), ("--quick",), 175),
)
EXPERIMENTS = tuple(dict.fromkeys(step.experiment for step in STEPS))


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="bench", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("experiments", nargs="*", metavar="EXPERIMENT", help=f"{', '.join(EXPERIMENTS)} (default: all)")
    parser.add_argument("--full", action="store_true", help="every cell in every round: hours")
    parser.add_argument("--peer", action="append", default=[], help="a peer's name, as in the tables; may be repeated; creo is always measured; what does not have it is left out")
    parser.add_argument("--fresh", action="store_true", help="begin anew, though a run was stopped")
    parser.add_argument("--results", type=Path, help="folder for the results and the page (default: bench/results; of single peers: build/bench/results)")
    options = parser.parse_args()
    options.results = options.results or (BUILD if options.peer else BENCH) / "results"
    unknown = [name for name in options.experiments if name not in EXPERIMENTS]
    if unknown:
        parser.error(f"unknown: {', '.join(unknown)}; there are {', '.join(EXPERIMENTS)}")
    return options


class Journal:
    """The finished steps of a run with these options. Their results are in a separate folder until all are complete."""

    def __init__(self, options: argparse.Namespace) -> None:
        plan = json.dumps({"experiments": options.experiments, "full": options.full, "peer": options.peer})
        self.folder = HERE / name_of(plan)
        self.path = self.folder / "journal.json"
        self.results = self.folder / "results"
        self.done: dict[str, str] = {}
        if self.path.exists() and not options.fresh:
            self.done = json.loads(self.path.read_text())
        else:
            shutil.rmtree(self.folder, ignore_errors=True)
        self.results.mkdir(parents=True, exist_ok=True)

    def log(self, step: Step) -> Path:
        return self.folder / f"{step.name}.log"

    def add(self, name: str, how: str) -> None:
        self.done[name] = how
        fresh = self.path.with_suffix(".new")
        fresh.write_text(json.dumps(self.done))
        fresh.replace(self.path)


def run(step: Step, command: list[str], path: Path, bar: Any) -> int:
    """Runs a step. The progress bar advances for the expected time, and then waits."""
    shown, ended = 0, threading.Event()

    def advance() -> None:
        nonlocal shown
        while not ended.wait(1):
            if shown < step.seconds - 1:
                shown += 1
                bar.update(1)

    clock = threading.Thread(target=advance, daemon=True)
    clock.start()
    try:
        with path.open("wb") as log:
            log.write((" ".join(command) + "\n").encode())
            log.flush()
            code = subprocess.run(command, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT, check=False).returncode
    finally:
        ended.set()
        clock.join()
    bar.update(step.seconds - shown)
    return code


def main() -> int:
    options = arguments()
    wanted = [step for step in STEPS if not options.experiments or step.experiment in options.experiments]
    if options.peer:
        wanted = [step for step in wanted if step.experiment not in WITHOUT_PEERS]
    there = [step for step in wanted if (ROOT / "scripts" / step.script).exists()]
    for name in dict.fromkeys(step.experiment for step in wanted if step not in there):
        print(f"bench: there is no experiment {name} yet: not measured", file=sys.stderr)
    journal = Journal(options)
    before = [step for step in there if journal.done.get(step.name) == "done"]
    if before:
        print(f"bench: measured before: {', '.join(step.name for step in before)}", file=sys.stderr)
    failed = []
    began = time.monotonic()
    with tqdm(total=sum(step.seconds for step in there), initial=sum(step.seconds for step in before), bar_format="{desc:<14} {bar:30} {percentage:3.0f} % {elapsed} so far, about {remaining} left") as bar:
        for step in there:
            if step in before:
                continue
            bar.set_description_str(step.name)
            started = time.monotonic()
            code = run(step, step.command(options, journal.results), journal.log(step), bar)
            bar.write(f"bench: {step.name}: {time.monotonic() - started:.0f} s", file=sys.stderr)
            if code == 0:
                journal.add(step.name, "done")
            elif options.peer and "no such peer" in journal.log(step).read_text(errors="replace"):
                journal.add(step.name, "no such peer")
            else:
                failed.append(step.name)
                bar.write(f"bench: {step.name} failed: see {journal.log(step).relative_to(ROOT)}")
    # An experiment of which a part failed leaves its old results as they were.
    whole = {step.experiment for step in there} - {step.experiment for step in there if step.name in failed}
    publish(whole, journal.results, options.results)
    print(f"bench: {(time.monotonic() - began) / 60:.0f} minutes", file=sys.stderr)
    code = subprocess.run([ROOT / "scripts" / "bench-report.sh", "--results", options.results], check=False).returncode
    if not failed and code == 0:
        shutil.rmtree(journal.folder)
    return 1 if failed or code else 0


def publish(experiments: set[str], made: Path, results: Path) -> None:
    """What was measured takes the place of what was there; other experiments stay."""
    results.mkdir(parents=True, exist_ok=True)
    for path in sorted(made.iterdir()):
        if path.stem in experiments:
            shutil.copyfile(path, results / path.name)


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        print("bench: stopped; the same command goes on from here", file=sys.stderr)
        sys.exit(130)
