"""What every package says of the project: its version, its texts, the time of the commit."""

from __future__ import annotations

import os
import pathlib
import re
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
LICENSE_ID = "Apache-2.0"
SUMMARY = "Compiler of service descriptions: dependency-free services and clients in Java, Python, C and C#"
C_SUMMARY = "Runtime of the C code that creo generates"
CSHARP_SUMMARY = "Runtime of the C# code that creo generates, as sources"
MAINTAINER = "The Creo authors <creo@localhost>"


class DistError(Exception):
    """A package cannot be made; the text says why and what to do."""


def version(root: pathlib.Path = ROOT) -> str:
    """The version of the workspace, which all packages have."""
    text = (root / "Cargo.toml").read_text(encoding="utf-8")
    table = re.search(r"^\[workspace\.package\]\n(?P<body>(?:(?!\[).*\n)*)", text, re.M)
    found = table and re.search(r'^version = "(?P<version>\d+\.\d+\.\d+)"$', table["body"], re.M)
    if not found:
        raise DistError("Cargo.toml names no version such as 1.2.3 in [workspace.package]")
    return found["version"]


def git(*arguments: str, root: pathlib.Path = ROOT) -> str:
    try:
        done = subprocess.run(["git", *arguments], cwd=root, capture_output=True, text=True, check=True)
    except FileNotFoundError as error:
        raise DistError("there is no program git on the PATH") from error
    except subprocess.CalledProcessError as error:
        raise DistError(f"git {' '.join(arguments)}: {error.stderr.strip()}") from error
    return done.stdout


def epoch() -> int:
    """Seconds since 1970 that all files of all packages have: SOURCE_DATE_EPOCH, or the time of the commit."""
    text = os.environ.get("SOURCE_DATE_EPOCH") or git("log", "-1", "--format=%ct").strip()
    if not text.isascii() or not text.isdigit():
        raise DistError(f"SOURCE_DATE_EPOCH is no count of seconds: {text!r}")
    # Zip knows no time before 1980.
    return max(int(text), 315_532_800)


def tracked(folder: str) -> list[str]:
    """The files of a folder that are under version control, relative to it, sorted."""
    names = git("-C", str(ROOT / folder), "ls-files", "-z").split("\0")
    found = sorted(name for name in names if name)
    if not found:
        raise DistError(f"no file of {folder} is under version control")
    return found


def read(path: str) -> bytes:
    """A file of the project."""
    return (ROOT / path).read_bytes()


def text(path: str, **values: str) -> bytes:
    """A file of the project in which each @NAME@ is replaced."""
    filled = read(path).decode()
    for name, value in {"VERSION": version(), **values}.items():
        filled = filled.replace(f"@{name}@", value)
    left = re.search(r"@[A-Z_]{3,}@", filled)
    if left:
        raise DistError(f"{path} holds {left[0]}, which has no value")
    return filled.encode()
