"""The benchmarks' programs in C compile with the code that is generated today. They reach into the runtime, which no compatibility holds together."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from harness import tools

PROGRAMS = {"wire": "c", "messages": "c/soap", "workloads": "workloads/c"}
# As the Makefiles have them; a warning is an error here.
FLAGS = ["-std=gnu11", "-Wall", "-Wextra", "-Werror", "-fsyntax-only"]


@pytest.mark.parametrize("description", PROGRAMS)
def test_creos_program_compiles(description: str, request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if "c" in request.config.getoption("--without").split(","):
        pytest.skip("c (--without)")
    # What a benchmark has generated stays as it is.
    monkeypatch.setattr(tools, "BUILD", tmp_path)
    generated = tools.generate("c", description)
    folder = tools.BENCH / PROGRAMS[description]
    includes = ["-I", folder, "-I", tools.BENCH / "c", "-isystem", generated / "include", "-isystem", generated]
    done = subprocess.run(["cc", *FLAGS, *map(str, includes), str(folder / "creo.c")], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
