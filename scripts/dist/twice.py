#!/usr/bin/env python3
"""Builds the packages of the last commit twice, from clones in two folders, and compares them byte by byte; then tests them. Takes long."""

from __future__ import annotations

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

import project

KEPT = project.ROOT / "build" / "dist-test"


def main() -> int:
    if project.git("status", "--porcelain", "--untracked-files=no").strip():
        print("note: changes that are not committed are not in the packages", file=sys.stderr)
    shutil.rmtree(KEPT, ignore_errors=True)
    KEPT.mkdir(parents=True)
    sums = []
    # What is committed meanwhile is of another time.
    commit = project.git("rev-parse", "HEAD").strip()
    with tempfile.TemporaryDirectory(prefix="creo-dist-") as folder:
        for name in ("first", "second-in-a-folder-of-another-name"):
            clone, out = pathlib.Path(folder, name, "creo"), KEPT / name
            subprocess.run(["git", "clone", "--quiet", "--no-hardlinks", str(project.ROOT), str(clone)], check=True)
            subprocess.run(["git", "checkout", "--quiet", "--detach", commit], cwd=clone, check=True)
            begin = time.monotonic()
            environment = {**os.environ, "CARGO_TARGET_DIR": str(clone / "target")}
            made = subprocess.run([sys.executable, "scripts/dist/make.py", "--out", str(out)], cwd=clone, env=environment, check=False)
            if made.returncode:
                return made.returncode
            print(f"built in {time.monotonic() - begin:.0f} s")
            sums.append((out / "SHA256SUMS").read_text())
            shutil.rmtree(clone)  # the target folder is large
    different = set(sums[0].splitlines()) ^ set(sums[1].splitlines())
    if different:
        print("different:", *sorted(line.split()[1] for line in different), sep="\n  ")
        print("0 passed, 1 failed")
        return 1
    print(f"{len(sums[0].splitlines())} packages are the same, byte by byte\n1 passed, 0 failed")
    environment = {**os.environ, "CREO_DIST": str(KEPT / "first")}
    tests = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/dist"]
    return subprocess.run(tests, cwd=project.ROOT, env=environment, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
