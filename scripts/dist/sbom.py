"""The contents of the program: a CycloneDX bill of materials, and the licences of its dependencies."""

from __future__ import annotations

import functools
import json
import pathlib
import re
import subprocess
import time
import tomllib
import uuid
from dataclasses import dataclass

import binary
import project

ROOT_CRATE = "creo-cli"
LICENCE_FILE = re.compile(r"^(licen[cs]e|copying|notice|copyright|unlicense)", re.I)


@dataclass(frozen=True)
class Crate:
    name: str
    version: str
    licence: str
    folder: pathlib.Path
    # Of the registry's file; none for the project's own.
    checksum: str | None
    needs: tuple[str, ...]

    @property
    def reference(self) -> str:
        return f"pkg:cargo/{self.name}@{self.version}"


@functools.cache
def crates() -> tuple[Crate, ...]:
    """All crates that are linked into the program, or that made code of it, by name and version."""
    command = ["cargo", "metadata", "--locked", "--format-version", "1", "--filter-platform", binary.TARGET]
    done = subprocess.run(command, cwd=project.ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        raise project.DistError(f"cargo metadata: {done.stderr.strip()}")
    metadata = json.loads(done.stdout)
    packages = {package["id"]: package for package in metadata["packages"]}
    nodes = {node["id"]: node for node in metadata["resolve"]["nodes"]}
    lock = tomllib.loads(project.read("Cargo.lock").decode())
    checksums = {(entry["name"], entry["version"]): entry.get("checksum") for entry in lock["package"]}

    def needs(node_id: str) -> list[str]:
        # Tests need crates that are not in the program.
        return [
            dependency["pkg"]
            for dependency in nodes[node_id]["deps"]
            if any(kind["kind"] != "dev" for kind in dependency["dep_kinds"])
        ]

    def reference(package: dict[str, str]) -> str:
        return f"pkg:cargo/{package['name']}@{package['version']}"

    found: dict[str, Crate] = {}
    waiting = [id_ for id_, package in packages.items() if package["name"] == ROOT_CRATE]
    while waiting:
        id_ = waiting.pop()
        if id_ in found:
            continue
        package = packages[id_]
        found[id_] = Crate(
            package["name"],
            package["version"],
            _expression(package["license"] or "NOASSERTION"),
            pathlib.Path(package["manifest_path"]).parent,
            checksums[(package["name"], package["version"])],
            tuple(sorted(reference(packages[needed]) for needed in needs(id_))),
        )
        waiting.extend(needs(id_))
    return tuple(sorted(found.values(), key=lambda crate: (crate.name, crate.version)))


def _expression(licence: str) -> str:
    """The licence as SPDX writes it: crates of old separate alternatives by a slash."""
    return re.sub(r"\s*/\s*", " OR ", licence)


def bill() -> bytes:
    """The bill of materials of the program, as CycloneDX 1.5 in JSON."""
    every = crates()
    root = next(crate for crate in every if crate.name == ROOT_CRATE)
    components = [_component(crate) for crate in every if crate is not root]
    components += [
        _tool("rust-std", _rust_version(), "MIT OR Apache-2.0", "The standard library of Rust"),
        _tool("glibc", _glibc_version(), "LGPL-2.1-or-later", "The C library, linked statically"),
    ]
    dependencies = [{"ref": crate.reference, "dependsOn": list(crate.needs)} for crate in every]
    content = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {
            "timestamp": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(project.epoch())),
            "component": {**_component(root), "type": "application", "name": "creo"},
        },
        "components": components,
        "dependencies": dependencies,
    }
    # The number of the bill follows from what it says.
    number = uuid.uuid5(uuid.NAMESPACE_URL, json.dumps(content, sort_keys=True))
    return (json.dumps({"serialNumber": f"urn:uuid:{number}", **content}, indent=1, sort_keys=True) + "\n").encode()


def _component(crate: Crate) -> dict[str, object]:
    component: dict[str, object] = {
        "type": "library",
        "bom-ref": crate.reference,
        "name": crate.name,
        "version": crate.version,
        "purl": crate.reference,
        "licenses": [{"expression": crate.licence}],
    }
    if crate.checksum:
        component["hashes"] = [{"alg": "SHA-256", "content": crate.checksum}]
    return component


def _tool(name: str, version: str, licence: str, description: str) -> dict[str, object]:
    return {
        "type": "library",
        "bom-ref": f"{name}@{version}",
        "name": name,
        "version": version,
        "description": description,
        "licenses": [{"expression": licence}],
    }


def _rust_version() -> str:
    told = subprocess.run(["rustc", "--version"], capture_output=True, text=True, check=True).stdout
    return told.split()[1]


def _glibc_version() -> str:
    told = subprocess.run(["getconf", "GNU_LIBC_VERSION"], capture_output=True, text=True, check=True).stdout
    return told.split()[1]


def notices() -> bytes:
    """The licences of other people's crates that the program holds, as they ask to be passed on with it."""
    parts = [
        "The program `creo` holds code of others. What they are, and on which terms they may be used, is said here.\n"
        "It also holds the standard library of Rust (MIT OR Apache-2.0) and, linked statically, the GNU C library\n"
        "(LGPL-2.1-or-later): the project's sources and `make dist` build the program with another version of it.\n"
    ]
    for crate in crates():
        if not crate.checksum:  # the project's own
            continue
        parts.append(f"\n{'=' * 78}\n{crate.name} {crate.version}: {crate.licence}\n{'=' * 78}\n")
        # Where a crate brings no text, its licence is named above.
        for path in sorted(crate.folder.iterdir()):
            if path.is_file() and LICENCE_FILE.match(path.name):
                parts.append(f"\n--- {path.name}\n\n{path.read_text(encoding='utf-8', errors='replace').rstrip()}\n")
    return "".join(parts).encode()
