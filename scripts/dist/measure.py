#!/usr/bin/env python3
"""Measures each way of installing, from nothing to the first generated code, on packages of `make dist`, and writes bench/results/dist.md.

Registries are folders of this machine: what a network would take is said as bytes.
"""

from __future__ import annotations

import argparse
import os
import pathlib
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass

import project

DESCRIPTION = '@PACKAGE("org.example.lab")\n\nstruct Sample {\n    String name;\n    double[] values;\n}\n\ninterface Lab {\n    Sample find(String name);\n}\n'
LISTS = """cmake_minimum_required(VERSION 3.19)
project(client LANGUAGES C)
find_package(creo REQUIRED)
creo_generate(lab lab.creo)
"""
REPEATS = 3
RESULT = project.ROOT / "bench/results/dist.md"


@dataclass(frozen=True)
class Way:
    """A way of installing: what it downloads, as patterns of packages, and the commands until code is generated."""

    name: str
    packages: tuple[str, ...]
    commands: str


GENERATE = "generate lab.creo --target python --out generated"
WAYS = [
    Way("archive", ("creo-*-linux.tar.gz",), f"tar xzf $DIST/creo-*-linux.tar.gz && ./creo-*/creo {GENERATE}"),
    Way(
        "pip, into a new environment",
        ("python/creo_compiler-*.whl",),
        f"$PYTHON -m venv venv && venv/bin/pip install -q --no-index --find-links $DIST/python creo-compiler && venv/bin/creo {GENERATE}",
    ),
    Way(
        "npm",
        ("npm/*.tgz",),
        f"echo '{{}}' >package.json && npm install --silent --offline --no-audit --cache cache $DIST/npm/*.tgz && npx --no-install creo {GENERATE}",
    ),
    Way(
        "dpkg",
        ("deb/creo_*.deb",),
        "mkdir -p root/var/lib/dpkg/updates root/var/lib/dpkg/info && touch root/var/lib/dpkg/status && "
        f"dpkg --root=$PWD/root --force-not-root --install $DIST/deb/creo_*.deb && root/usr/bin/creo {GENERATE}",
    ),
    Way(
        "CMake: archive of program and C runtime, until a library is built",
        ("creo-*-linux.tar.gz", "c/creo-c-*.tar.gz"),
        "tar xzf $DIST/creo-*-linux.tar.gz && tar xzf $DIST/c/creo-c-*.tar.gz && "
        "cmake -B build -DCMAKE_PREFIX_PATH=$(echo $PWD/creo-c-*) -DCREO_EXECUTABLE=$(echo $PWD/creo-*-linux/creo) && cmake --build build",
    ),
]


def measured(way: Way, dist: pathlib.Path) -> float:
    """Seconds, the least of a few runs, each in a fresh folder."""
    best = float("inf")
    environment = {**os.environ, "DIST": str(dist), "PYTHON": sys.executable, "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
    for _ in range(REPEATS):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            (folder / "lab.creo").write_text(DESCRIPTION)
            (folder / "CMakeLists.txt").write_text(LISTS)
            begin = time.monotonic()
            done = subprocess.run(["sh", "-e", "-c", way.commands], cwd=folder, env=environment, capture_output=True, text=True, check=False)
            best = min(best, time.monotonic() - begin)
            if done.returncode:
                raise project.DistError(f"{way.name}: {done.stdout}{done.stderr}")
    return best


def report(dist: pathlib.Path, tell: Callable[[str], None]) -> str:
    lines = [
        "# Packages of a release",
        "",
        f"Written by `make dist && python3 scripts/dist/measure.py`, of version {project.version()}, on {platform.system()} with {os.cpu_count()} cores: "
        f"{_processor()}. The least of {REPEATS} runs; packages come from a folder of the machine, so a network adds what the bytes take.",
        "",
        "## From nothing to the first generated code",
        "",
        "| way | seconds | bytes downloaded |",
        "|---|---:|---:|",
    ]
    for way in WAYS:
        tell(way.name)
        size = sum(path.stat().st_size for pattern in way.packages for path in dist.glob(pattern))
        lines.append(f"| {way.name} | {measured(way, dist):.2f} | {size:,} |")
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
    arguments = parser.parse_args()
    try:
        text = report(arguments.dist.absolute(), lambda name: print(f"measuring {name}", flush=True))
    except (project.DistError, StopIteration) as error:
        print(f"error: {str(error) or 'there are no packages: make dist'}", file=sys.stderr)
        return 1
    RESULT.write_text(text)
    print(f"{RESULT.relative_to(project.ROOT)} written")
    return 0


if __name__ == "__main__":
    sys.exit(main())
