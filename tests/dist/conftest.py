"""What the tests of the packages share: a folder of packages, and the programs that install them.

The packages are those that CREO_DIST names, or are made of the debug program, which takes a minute less than a release and packs as well.
"""

from __future__ import annotations

import os
import pathlib
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BUILD = ROOT / "build" / "test-dist"
HAS_JAVA = bool(shutil.which("mvn") and shutil.which("gradle"))
sys.path[:0] = [str(ROOT / "scripts" / "dist"), str(ROOT / "tests")]

import project  # noqa: E402 # it is found by the line before

DESCRIPTION = """@PACKAGE("org.example.lab")

struct Sample {
    String name;
    double[] values;
}

interface Lab {
    Sample find(String name);
}
"""


@dataclass(frozen=True)
class Ran:
    code: int
    out: str
    err: str

    @property
    def text(self) -> str:
        return self.out + self.err


def run(
    command: list[str | pathlib.Path], folder: pathlib.Path, *, fails: bool = False, environment: Mapping[str, str] | None = None
) -> Ran:
    """Runs a program in a folder, without what the machine's user has set. It must work, or fail."""
    kept = {name: value for name, value in os.environ.items() if name in ("PATH", "HOME", "LANG", "TMPDIR")}
    variables = {**kept, "PIP_DISABLE_PIP_VERSION_CHECK": "1", "PIP_NO_INDEX": "1", "PIP_COMPILE": "0", **(environment or {})}
    done = subprocess.run([str(word) for word in command], cwd=folder, env=variables, capture_output=True, text=True, check=False)
    ran = Ran(done.returncode, done.stdout, done.stderr)
    assert (ran.code != 0) == fails, f"{' '.join(map(str, command))}: {ran.code}\n{ran.text}"
    return ran


@pytest.fixture(scope="session")
def version() -> str:
    return project.version()


@pytest.fixture(scope="session")
def packages() -> pathlib.Path:
    """The folder of all packages."""
    given = os.environ.get("CREO_DIST")
    if given:
        return pathlib.Path(given).absolute()
    shutil.rmtree(BUILD, ignore_errors=True)
    BUILD.mkdir(parents=True)
    program = BUILD / "creo"
    # Debug information would be most of each package.
    run(["strip", "-o", program, ROOT / "target" / "debug" / "creo"], ROOT)
    without = [] if HAS_JAVA else ["--without", "java"]
    run([sys.executable, ROOT / "scripts/dist/make.py", "--program", program, "--fast", "--out", BUILD / "dist", *without], ROOT)
    return BUILD / "dist"


@pytest.fixture(scope="session")
def package(packages: pathlib.Path) -> Callable[[str], pathlib.Path]:
    """The one package that a pattern names."""

    def find(pattern: str) -> pathlib.Path:
        found = list(packages.glob(pattern))
        assert len(found) == 1, f"{pattern}: {found}"
        return found[0]

    return find


@pytest.fixture(scope="session")
def creo(package: Callable[[str], pathlib.Path], tmp_path_factory: pytest.TempPathFactory, version: str) -> pathlib.Path:
    """The program, from its archive."""
    folder = tmp_path_factory.mktemp("program")
    shutil.unpack_archive(package("creo-*-linux.tar.gz"), folder)
    return folder / f"creo-{version}-x86_64-linux" / "creo"


@pytest.fixture
def old_creo(tmp_path: pathlib.Path) -> pathlib.Path:
    """A program `creo` of a version that is too old."""
    program = tmp_path / "old" / "creo"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\necho creo 0.0.9\n")
    program.chmod(0o755)
    return program
