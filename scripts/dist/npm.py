"""The npm packages: `creo`, which starts the program, and the program for each platform, of which npm installs the matching one."""

from __future__ import annotations

import json
import pathlib

import archives
import project
from archives import Entry

FOLDER = "integrations/npm"
LINUX = "creo-linux-x64"


def wrapper() -> tuple[str, bytes]:
    description = _description("creo", project.SUMMARY) | {
        "bin": {"creo": "bin/creo.js"},
        "engines": {"node": ">=18"},
        "optionalDependencies": {LINUX: project.version()},
    }
    entries = {
        "bin/creo.js": Entry(project.read(f"{FOLDER}/creo.js"), executable=True),
        "README.md": Entry(project.read(f"{FOLDER}/README.md")),
        "LICENSE": Entry(project.read("LICENSE")),
    }
    return _package(description, entries)


def linux(program: pathlib.Path, notices: bytes) -> tuple[str, bytes]:
    description = _description(LINUX, "The program of the package creo, for Linux on x86_64") | {
        "os": ["linux"],
        "cpu": ["x64"],
        # Else a resolver may put it into an archive from which it does not run.
        "preferUnplugged": True,
    }
    entries = {
        "creo": Entry(program.read_bytes(), executable=True),
        "LICENSE": Entry(project.read("LICENSE")),
        "THIRD-PARTY-LICENSES.txt": Entry(notices),
    }
    return _package(description, entries)


def _description(name: str, text: str) -> dict[str, object]:
    return {"name": name, "version": project.version(), "description": text, "license": project.LICENSE_ID}


def _package(description: dict[str, object], entries: archives.Entries) -> tuple[str, bytes]:
    text = json.dumps(description, indent=2) + "\n"
    every = {**entries, "package.json": Entry(text.encode())}
    return f"{description['name']}-{project.version()}.tgz", archives.tar_gz(archives.under("package", every))
