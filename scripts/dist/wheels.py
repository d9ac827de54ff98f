"""Python packages: wheels of the compiler and of the accelerator, and wheel and source distribution of the runtime."""

from __future__ import annotations

import base64
import hashlib
import pathlib
import re
import subprocess
import sys
import sysconfig
import tempfile
import tomllib
from typing import Any

import archives
import project
from archives import Entry

COMPILER = "creo-compiler"
# A static program runs with every C library.
COMPILER_TAG = "py3-none-manylinux_2_17_x86_64.musllinux_1_1_x86_64"
BUILD_MODULE = "integrations/python"
RUNTIME = "runtimes/python"
ACCELERATOR = "runtimes/python-accelerator"
# The glibc of the accelerator's tag: CPython's interface of 3.9, and no symbol of a later C library.
MAX_GLIBC = (2, 17)
ACCELERATOR_TAG = f"cp39-abi3-manylinux_{MAX_GLIBC[0]}_{MAX_GLIBC[1]}_x86_64"


def compiler(program: pathlib.Path, notices: bytes) -> tuple[str, bytes]:
    """The wheel that installs the program as a script, and the module `creo_build` for build tools."""
    metadata = _metadata(COMPILER, project.SUMMARY, ">=3.9", project.read(f"{BUILD_MODULE}/README.md"), classifiers=["Operating System :: POSIX :: Linux"])
    modules = [path for path in project.tracked(BUILD_MODULE) if path.endswith(".py")]
    name = _file_name(COMPILER)
    entries = archives.files({path: project.read(f"{BUILD_MODULE}/{path}") for path in modules})
    entries[f"{name}.data/scripts/creo"] = Entry(program.read_bytes(), executable=True)
    info = {
        "METADATA": metadata,
        "licenses/LICENSE": project.read("LICENSE"),
        "licenses/THIRD-PARTY-LICENSES.txt": notices,
        "entry_points.txt": b"[hatch]\ncreo = creo_build.hatch\n",
    }
    return _wheel(name, COMPILER_TAG, entries, info, pure=False)


def runtime() -> tuple[str, bytes]:
    """The wheel of the runtime: the package `creo` alone."""
    folder = f"{RUNTIME}/src"
    kinds = (".py", ".pyi", "/py.typed")
    entries = archives.files({
        path: project.read(f"{folder}/{path}") for path in project.tracked(folder) if path.endswith(kinds)
    })
    info = {"METADATA": _runtime_metadata(), "licenses/LICENSE": project.read("LICENSE")}
    return _wheel(_file_name("creo"), "py3-none-any", entries, info, pure=True)


def runtime_sources() -> tuple[str, bytes]:
    """The source distribution of the runtime: files under version control except tests."""
    contents = {path: project.read(f"{RUNTIME}/{path}") for path in project.tracked(RUNTIME) if not path.startswith("tests/")}
    contents |= {"PKG-INFO": _runtime_metadata(), "LICENSE": project.read("LICENSE")}
    name = f"creo-{project.version()}"
    return f"{name}.tar.gz", archives.tar_gz(archives.under(name, archives.files(contents)))


def accelerator() -> tuple[str, bytes]:
    """The wheel of the extension: one for every CPython from 3.9 on, compiled by this machine's C compiler with the headers of this Python."""
    if not pathlib.Path(sysconfig.get_path("include"), "Python.h").is_file():
        raise project.DistError(f"there are no headers of Python for {sys.executable} (Debian: python3-dev)")
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, str(project.ROOT / ACCELERATOR / "build.py"), folder, "--release"]
        if subprocess.run(command, check=False).returncode:
            raise project.DistError("the accelerator does not compile; see above")
        made = pathlib.Path(folder, "creo_accelerator")
        entries = archives.files({f"creo_accelerator/{path.name}": path.read_bytes() for path in made.glob("*.py")})
        library = made / "_codec.abi3.so"
        check_libraries(library)
        entries["creo_accelerator/_codec.abi3.so"] = Entry(library.read_bytes(), executable=True)
    declared = _declared(ACCELERATOR)
    readme = project.read(f"{ACCELERATOR}/README.md")
    metadata = _metadata(declared["name"], declared["description"], declared["requires-python"], readme, declared["classifiers"])
    info = {"METADATA": metadata, "licenses/LICENSE": project.read("LICENSE")}
    return _wheel(_file_name(declared["name"]), ACCELERATOR_TAG, entries, info, pure=False)


def check_libraries(library: pathlib.Path) -> None:
    """Fails if an extension needs a library beside the C library, or a newer one than its tag says."""
    told = subprocess.run(["objdump", "-p", "-T", str(library)], capture_output=True, text=True, check=True).stdout
    needed = re.findall(r"^ +NEEDED +(\S+)$", told, re.M)
    if needed != ["libc.so.6"]:
        raise project.DistError(f"{library.name} needs {', '.join(needed) or 'no library'}, and only libc.so.6 is on every machine")
    symbols = re.findall(r"\(GLIBC_(\d+)\.(\d+)(?:\.\d+)?\) +(\S+)$", told, re.M)
    for major, minor, name in symbols:
        if (int(major), int(minor)) > MAX_GLIBC:
            raise project.DistError(f"{library.name}: {name} needs glibc {major}.{minor}, and the tag says {'.'.join(map(str, MAX_GLIBC))}")
    if not symbols:
        raise project.DistError(f"objdump names no symbol of {library.name}")


def _declared(folder: str) -> dict[str, Any]:
    declared: dict[str, Any] = tomllib.loads(project.read(f"{folder}/pyproject.toml").decode())["project"]
    return declared


def _runtime_metadata() -> bytes:
    declared = _declared(RUNTIME)
    # Its tests do not go out.
    extras = {name: needs for name, needs in declared["optional-dependencies"].items() if name != "test"}
    readme = project.read(f"{RUNTIME}/{declared['readme']}")
    return _metadata(declared["name"], declared["description"], declared["requires-python"], readme, declared["classifiers"], extras)


def _metadata(name: str, summary: str, python: str, readme: bytes, classifiers: list[str], extras: dict[str, list[str]] | None = None) -> bytes:
    lines = [
        "Metadata-Version: 2.1",
        f"Name: {name}",
        f"Version: {project.version()}",
        f"Summary: {summary}",
        f"License: {project.LICENSE_ID}",
        *(f"Classifier: {classifier}" for classifier in sorted(classifiers)),
        f"Requires-Python: {python}",
        "Description-Content-Type: text/markdown",
    ]
    for extra, needs in sorted((extras or {}).items()):
        lines += [f"Provides-Extra: {extra}", *(f'Requires-Dist: {need} ; extra == "{extra}"' for need in needs)]
    return "\n".join(lines).encode() + b"\n\n" + readme


def _file_name(distribution: str) -> str:
    return f"{distribution.replace('-', '_')}-{project.version()}"


def _wheel(name: str, tag: str, entries: archives.Entries, info: dict[str, bytes], pure: bool) -> tuple[str, bytes]:
    """A wheel: its files, then what says of what they are, at last the list of all."""
    python, abi, platforms = tag.split("-")
    tags = "".join(f"Tag: {python}-{abi}-{platform}\n" for platform in platforms.split("."))
    wheel = f"Wheel-Version: 1.0\nGenerator: creo dist\nRoot-Is-Purelib: {str(pure).lower()}\n{tags}".encode()
    folder = f"{name}.dist-info"
    ordered = sorted(entries.items()) + sorted(archives.under(folder, archives.files({**info, "WHEEL": wheel})).items())
    record = "".join(f"{path},sha256={_digest(entry.content)},{len(entry.content)}\n" for path, entry in ordered)
    ordered.append((f"{folder}/RECORD", Entry(f"{record}{folder}/RECORD,,\n".encode())))
    return f"{name}-{tag}.whl", archives.zip_file(ordered)


def _digest(content: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
