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
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import project

DESCRIPTION = '@PACKAGE("org.example.lab")\n\nstruct Sample {\n    String name;\n    double[] values;\n}\n\ninterface Lab {\n    Sample find(String name);\n}\n'
LISTS = """cmake_minimum_required(VERSION 3.19)
project(client LANGUAGES C)
find_package(creo REQUIRED)
creo_generate(lab lab.creo)
add_executable(call EXCLUDE_FROM_ALL call.c)
target_link_libraries(call PRIVATE lab)
"""
# Both print the number of values that come back for the name CO2.
PYTHON_CALL = """import sys
from org.example.lab import LabClient

with LabClient("127.0.0.1", int(sys.argv[1])) as lab:
    print(len(lab.find("CO2").values))
"""
C_CALL = """#include <stdio.h>
#include <stdlib.h>

#include "lab.creo.h"

int main(int count, char **words)
{
    creo_arena arena;
    creo_client client;
    creo_error error;
    lab_sample found;
    creo_arena_init(&arena, creo_allocator_libc());
    creo_client_init(&client, "127.0.0.1", (uint16_t)atoi(words[count - 1]), creo_allocator_libc());
    if (!lab_lab_find(&client, creo_text("CO2"), &arena, &found, &error))
        return 1;
    printf("%u\\n", (unsigned)found.values.count);
    creo_client_free(&client);
    creo_arena_free(&arena);
    return 0;
}
"""
SERVICE = project.ROOT / "tests/dist/LabService.java"
REPEATS = 3
RESULT = project.ROOT / "bench/results/dist.md"


@dataclass(frozen=True)
class Way:
    """A way of installing: what it downloads, as patterns of packages, the commands until code is generated, and then until a call is answered."""

    name: str
    packages: tuple[str, ...]
    commands: str
    call: str = "PYTHONPATH=generated/python $PYTHON call.py $PORT"


GENERATE = "generate lab.creo --target python --out generated"
WAYS = [
    Way("archive", ("creo-*-linux.tar.gz",), f"tar xzf $DIST/creo-*-linux.tar.gz && ./creo-*/creo {GENERATE}"),
    Way(
        "pip, into a new environment",
        ("python/creo_compiler-*.whl",),
        f"$PYTHON -m venv venv && venv/bin/pip install -q --no-index --find-links $DIST/python creo-compiler && venv/bin/creo {GENERATE}",
        "PYTHONPATH=generated/python venv/bin/python call.py $PORT",
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
        "cmake --build build --target call && build/call $PORT",
    ),
]


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


def measured(way: Way, dist: pathlib.Path, port: int) -> tuple[float, float]:
    """Seconds until code is generated and until a call is answered, each the min of a few runs in fresh folders."""
    generated = answered = float("inf")
    environment = {"DIST": str(dist), "PYTHON": sys.executable, "PIP_DISABLE_PIP_VERSION_CHECK": "1", "PORT": str(port)}
    for _ in range(REPEATS):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            (folder / "lab.creo").write_text(DESCRIPTION)
            (folder / "CMakeLists.txt").write_text(LISTS)
            (folder / "call.py").write_text(PYTHON_CALL)
            (folder / "call.c").write_text(C_CALL)
            begin = time.monotonic()
            _run(way.commands, folder, environment)
            generated = min(generated, time.monotonic() - begin)
            said = _run(way.call, folder, environment)
            answered = min(answered, time.monotonic() - begin)
            if said.splitlines()[-1:] != ["3"]:
                raise project.DistError(f"{way.name}: the service answered {said!r}")
    return generated, answered


def report(dist: pathlib.Path, tell: Callable[[str], None]) -> str:
    lines = [
        "# Packages of a release",
        "",
        f"Written by `make dist && python3 scripts/dist/measure.py`, of version {project.version()}, on {platform.system()} with {os.cpu_count()} cores: "
        f"{_processor()}. The least of {REPEATS} runs; packages come from a folder of the machine, so a network adds what the bytes take.",
        "",
        "## From nothing to generated code, and to its first answered call",
        "",
        "The call is one of the binary wire to a Java service on this machine, which runs already: by a Python client, and by one in C where CMake builds. "
        "Generated code brings its runtime, so a call takes no more bytes.",
        "",
        "| way | seconds to generated code | seconds to the first answered call | bytes downloaded |",
        "|---|---:|---:|---:|",
    ]
    with service(dist) as port:
        for way in WAYS:
            tell(way.name)
            size = sum(path.stat().st_size for pattern in way.packages for path in dist.glob(pattern))
            generated, answered = measured(way, dist, port)
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
