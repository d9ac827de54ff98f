#!/usr/bin/env python3
"""Builds the accelerator with only a C compiler: one extension, for every CPython from 3.9 on.

    build.py FOLDER                the package goes to FOLDER/creo_accelerator
    build.py FOLDER --sanitize     with AddressSanitizer and UndefinedBehaviorSanitizer
    build.py FOLDER --release      stripped, and without paths of this machine: for a wheel

It uses the headers of the running Python. It does nothing if nothing has changed.
"""

from __future__ import annotations

import hashlib
import os
import shlex
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

HERE = Path(__file__).resolve().parent
#: The C runtime; `shared.c` includes some of its files.
RUNTIME = HERE.parent / "c"
WARNINGS = ["-Wall", "-Wextra", "-Werror"]
OPTIMIZED = ["-O3", "-DNDEBUG"]
SANITIZERS = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-fno-omit-frame-pointer", "-g", "-O1"]
#: By option. The same sources and tools give the same bytes in any folder.
KINDS = {
    "": OPTIMIZED,
    "--sanitize": SANITIZERS,
    "--release": [*OPTIMIZED, f"-ffile-prefix-map={HERE.parent}=.", "-g0", "-Wl,-s,--build-id=none"],
}


def build(folder: Path, kind: str) -> None:
    package = folder / "creo_accelerator"
    sources = sorted((HERE / "src").glob("*.c"))
    command = [
        *shlex.split(os.environ.get("CC", "cc")),
        "-std=c11", "-shared", "-fPIC", "-fvisibility=hidden", *WARNINGS, *KINDS[kind],
        "-DPy_LIMITED_API=0x03090000", f"-I{RUNTIME / 'include'}", f"-I{RUNTIME / 'src'}", f"-I{sysconfig.get_path('include')}",
        *map(str, sources),
    ]  # fmt: skip
    if sys.platform == "darwin":
        command += ["-undefined", "dynamic_lookup"]
    library = package / "_codec.abi3.so"
    stamp = package / ".built"
    used = [path for folder in ("include/creo", "src/base", "src/buffer", "src/tdxml", "src/text", "src/xml") for path in sorted((RUNTIME / folder).rglob("*.[ch]"))]
    package_files = sorted((HERE / "src" / "creo_accelerator").glob("*.py"))
    texts = [path.read_bytes() for path in [*sources, *sorted((HERE / "src").glob("*.h")), *package_files, *used]]
    wanted = hashlib.sha256(b"\0".join([*texts, " ".join(command).encode()])).hexdigest()
    if stamp.exists() and stamp.read_text() == wanted and library.exists():
        return
    package.mkdir(parents=True, exist_ok=True)
    # Next to the old one, which a program may be using.
    fresh = package / "_codec.new"
    subprocess.run([*command, "-o", str(fresh)], check=True)
    fresh.replace(library)
    for path in (HERE / "src" / "creo_accelerator").glob("*.py"):
        shutil.copyfile(path, package / path.name)
    stamp.write_text(wanted)


def main(arguments: list[str]) -> int:
    kind = "".join(arguments[1:])
    if not arguments or arguments[0].startswith("-") or len(arguments) > 2 or kind not in KINDS:
        print(__doc__, file=sys.stderr)
        return 2
    build(Path(arguments[0]), kind)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
