"""Generates code while a Python project is built: what `creo.toml` of the project names.

`python -m creo_build` does it by hand. In `pyproject.toml`, either of these does it with every build:

    [build-system]                                          [build-system]
    requires = ["setuptools>=64", "creo-compiler"]          requires = ["hatchling", "creo-compiler"]
    build-backend = "creo_build.setuptools"                 build-backend = "hatchling.build"

                                                            [tool.hatch.build.hooks.creo]

A description with mistakes fails the build, and leaves what was generated before as it was.
"""

from __future__ import annotations

import os
import pathlib
import re
import shutil
import subprocess
import sysconfig
from importlib.metadata import PackageNotFoundError, version

__all__ = ["CreoBuildError", "executable", "generate"]

DISTRIBUTION = "creo-compiler"


class CreoBuildError(Exception):
    """Code was not generated. The text says why, and what to do."""


def wanted() -> str:
    """The version of the program that this package came with."""
    try:
        return version(DISTRIBUTION)
    except PackageNotFoundError:
        raise CreoBuildError(f"creo_build is not installed: pip install {DISTRIBUTION}") from None


def _ways(want: str) -> str:
    return f"pip install {DISTRIBUTION}=={want}, or set CREO_EXECUTABLE to a creo of version {want} or later"


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(int(number) for number in text.split("."))


def executable() -> str:
    """The program `creo`: what CREO_EXECUTABLE names, or the one that was installed with this package, or that of the PATH.

    Fails if there is none, or if it is older than this package.
    """
    want = wanted()
    beside = pathlib.Path(sysconfig.get_path("scripts"), "creo.exe" if os.name == "nt" else "creo")
    chosen = os.environ.get("CREO_EXECUTABLE")
    program = chosen or (str(beside) if beside.is_file() else shutil.which("creo"))
    if not program:
        raise CreoBuildError(f"there is no program creo; version {want} is wanted: {_ways(want)}")
    try:
        said = subprocess.run([program, "--version"], capture_output=True, text=True, check=False).stdout.strip()
    except OSError as error:
        raise CreoBuildError(f"{program} does not run ({error.strerror}); creo {want} is wanted: {_ways(want)}") from None
    found = re.fullmatch(r"creo (\d+\.\d+\.\d+)", said)
    if not found:
        raise CreoBuildError(f"{program} is not creo; version {want} is wanted: {_ways(want)}")
    if _numbers(found[1]) < _numbers(want):
        raise CreoBuildError(f"{program} is creo {found[1]}, and {want} is wanted: {_ways(want)}")
    return program


def generate(folder: str | os.PathLike[str] = ".", *options: str) -> None:
    """Generates what `creo.toml` in `folder` names. What creo says goes to standard error.

    Fails if the file is missing or a description has mistakes.
    """
    config = pathlib.Path(folder, "creo.toml")
    if not config.is_file():
        raise CreoBuildError(
            f"there is no {config}, which says what to generate (a source distribution needs it and the descriptions, too: "
            "with setuptools, MANIFEST.in says `include creo.toml *.creo`)"
        )
    # What creo prints for people would be taken for the answer of a build tool.
    done = subprocess.run([executable(), "generate", *options], cwd=folder, stdout=2, check=False)
    if done.returncode:
        raise CreoBuildError(f"creo generate in {folder} failed; it said why above")
