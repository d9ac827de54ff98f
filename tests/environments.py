"""Virtual environments of Python for tests of packages."""

from __future__ import annotations

import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent
OLDEST = ROOT / "build/venv-oldest"
NEWEST = ROOT / "build/venv"


def new_environment(base: pathlib.Path, folder: pathlib.Path) -> pathlib.Path:
    """A fresh environment of the Python of `base`, with its pip and nothing else; gives its folder of programs. To install pip would take seconds each time."""
    subprocess.run([base / "bin/python", "-m", "venv", "--without-pip", folder], check=True)
    (site,) = folder.glob("lib/python*/site-packages")
    installed = base / site.relative_to(folder)
    for path in (installed / "pip", *installed.glob("pip-*.dist-info")):
        (site / path.name).symlink_to(path)
    programs = folder / "bin"
    pip = programs / "pip"
    pip.write_text(f'#!/bin/sh\nexec "{programs}/python" -m pip "$@"\n')
    pip.chmod(0o755)
    return programs
