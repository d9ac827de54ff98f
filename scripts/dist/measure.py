#!/usr/bin/env python3
"""Measures each way of installing, from nothing to the first generated code and the first answered call, with packages of `make dist`.

It writes bench/results/dist.md. Registries are local folders: network transfers are reported as bytes. The call goes to a running Java service, so
javac and java are needed, but not measured.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import pathlib
import platform
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator

import project
from measured import DESCRIPTION, FILES, WAYS, Way

SERVICE = project.ROOT / "tests/dist/LabService.java"
RESULT = project.ROOT / "bench/results/dist.md"


@contextlib.contextmanager
def service(dist: pathlib.Path) -> Iterator[int]:
    """A running service of the description, by its port."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "lab.creo").write_text(DESCRIPTION)
        _run(f"tar xzf {dist}/creo-*-linux.tar.gz && ./creo-*/creo generate lab.creo --target java --wires all --out generated", folder, {})
        _run(f"javac -d classes -sourcepath generated/java {SERVICE}", folder, {})
        command = ["java", "-cp", "classes", "LabService"]
        with subprocess.Popen(command, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as running:
            assert running.stdin and running.stdout
            try:
                line = running.stdout.readline()
                if not line:
                    raise project.DistError("the service does not start; see above")
                yield int(line)
            finally:
                running.stdin.close()


def _run(commands: str, folder: pathlib.Path, environment: dict[str, str]) -> str:
    done = subprocess.run(["sh", "-e", "-c", commands], cwd=folder, env={**os.environ, **environment}, capture_output=True, text=True, check=False)
    if done.returncode:
        raise project.DistError(f"{commands}: {done.stdout}{done.stderr}")
    return done.stdout


def measured(way: Way, dist: pathlib.Path, port: int, runs: int) -> tuple[float, float]:
    """Seconds until code is generated and until a call is answered, each the min of a few runs in fresh folders."""
    generated = answered = float("inf")
    environment = {"DIST": str(dist), "DOTNET": str(project.ROOT / "scripts/dotnet"), "PYTHON": sys.executable, "PIP_DISABLE_PIP_VERSION_CHECK": "1", "PORT": str(port)}
    for _ in range(runs):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            for path, text in FILES.items():
                (folder / path).parent.mkdir(parents=True, exist_ok=True)
                (folder / path).write_text(text.replace("@VERSION@", project.version()).replace("@DIST@", str(dist)))
            _run(way.prepare, folder, environment)
            begin = time.monotonic()
            _run(way.commands, folder, environment)
            generated = min(generated, time.monotonic() - begin)
            said = _run(way.call, folder, environment)
            answered = min(answered, time.monotonic() - begin)
            if said.splitlines()[-1:] != ["3"]:
                raise project.DistError(f"{way.name}: the service answered {said!r}")
    return generated, answered


def report(dist: pathlib.Path, runs: int, tell: Callable[[str], None]) -> str:
    lines = [
        "# Packages of a release",
        "",
        f"Written by `make dist && python3 scripts/dist/measure.py`, of version {project.version()}, on {platform.system()} with {os.cpu_count()} cores: "
        f"{_processor()}, load {' '.join(f'{load:.1f}' for load in os.getloadavg())} before. "
        f"{'One run' if runs == 1 else f'The least of {runs} runs'}; packages come from a folder of the machine, so a network adds what the bytes take.",
        "",
        "## From nothing to generated code, and to its first answered call",
        "",
        "The call is one of the binary wire to a Java service on this machine, which runs already: by a Python client, and by one in C where CMake builds, in Java "
        "where Maven or Gradle does, in C# where MSBuild does. A client is compiled, if its language wants that, between both times. Bytes are those of Creo's packages, "
        "and with them a call takes no more: generated code brings its runtime, but for Maven and Gradle, whose builds get it from the repository. "
        "The tools are there already, and what Maven gets for itself and for every project.",
        "",
        "| way | seconds to generated code | seconds to the first answered call | bytes downloaded |",
        "|---|---:|---:|---:|",
    ]
    with service(dist) as port:
        for way in WAYS:
            absent = next((tool for tool in way.needs if not shutil.which(tool)), None)
            if absent:
                lines.append(f"| {way.name} | not run: there is no {absent} here | | |")
                continue
            tell(way.name)
            size = sum(path.stat().st_size for pattern in way.packages for path in dist.glob(pattern))
            generated, answered = measured(way, dist, port, runs)
            lines.append(f"| {way.name} | {generated:.2f} | {answered:.2f} | {size:,} |")
    lines += ["", "## Sizes", "", "| package | bytes |", "|---|---:|"]
    files = [path for path in sorted(dist.rglob("*")) if path.is_file() and path.name != "SHA256SUMS"]
    lines += [f"| `{path.relative_to(dist)}` | {path.stat().st_size:,} |" for path in files]
    with tempfile.TemporaryDirectory() as name:
        subprocess.run(["tar", "xzf", next(dist.glob("creo-*-linux.tar.gz")), "-C", name], check=True)
        program = next(pathlib.Path(name).glob("creo-*/creo"))
        lines.append(f"| the program itself, static and stripped | {program.stat().st_size:,} |")
    return "\n".join(lines) + "\n"


def _processor() -> str:
    for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.machine()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--dist", type=pathlib.Path, default=project.ROOT / "dist", help="the folder of packages (dist)")
    parser.add_argument("--runs", type=int, choices=range(1, 100), metavar="N", default=3, help="how often, of which the least counts (3)")
    arguments = parser.parse_args()
    try:
        text = report(arguments.dist.absolute(), arguments.runs, lambda name: print(f"measuring {name}", flush=True))
    except (project.DistError, StopIteration) as error:
        print(f"error: {str(error) or 'there are no packages: make dist'}", file=sys.stderr)
        return 1
    RESULT.write_text(text)
    print(f"{RESULT.relative_to(project.ROOT)} written")
    return 0


if __name__ == "__main__":
    sys.exit(main())
