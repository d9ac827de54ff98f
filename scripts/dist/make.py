#!/usr/bin/env python3
"""Builds all packages into dist/: the same commit gives the same bytes.

    scripts/dist/make.py                       everything; compiles the program, which takes minutes
    scripts/dist/make.py --program PATH        packages of this program, whatever it is: for tests of the packages
    scripts/dist/make.py --without java        all but the artifacts for Maven repositories

Needs cargo, rustc, git, a C compiler, the headers of Python, binutils and dpkg-deb; for Java a JDK, Maven and Gradle. Only cargo and Maven download anything:
cargo what Cargo.lock holds to its sums, Maven the plugins and libraries in the versions of the POMs.
"""

from __future__ import annotations

import argparse
import pathlib
import shutil
import sys
import time

import archives
import binary
import c_release
import deb
import java
import npm
import nuget
import project
import sbom
import wheels


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=pathlib.Path, default=project.ROOT / "dist", help="where to; it is emptied (dist)")
    parser.add_argument("--program", type=pathlib.Path, help="a program that is there already")
    parser.add_argument("--fast", action="store_true", help="compress less, for tests of the packages")
    parser.add_argument("--target-dir", type=pathlib.Path, default=project.ROOT / "target", help="where cargo works (target)")
    parser.add_argument("--without", choices=["java"], help="packages to leave out")
    arguments = parser.parse_args()
    if arguments.fast:
        archives.level = 1
    try:
        return make(arguments.out.absolute(), arguments.program, arguments.target_dir.absolute(), with_java=arguments.without != "java")
    except project.DistError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1


def make(out: pathlib.Path, given: pathlib.Path | None, target_dir: pathlib.Path, with_java: bool) -> int:
    # Only a folder of this program's own making is emptied.
    if out.exists() and any(out.iterdir()) and not (out / "SHA256SUMS").is_file():
        raise project.DistError(f"{out} holds something else than packages: name another folder")
    changed = project.git("status", "--porcelain", "--untracked-files=no").strip()
    if changed and not given:
        print("warning: there are changes that are not committed; nobody else can make these packages", file=sys.stderr)
    if with_java and not given:
        # Before the minutes that compiling takes.
        java.check()
    begin = time.monotonic()
    program = given or binary.build(target_dir)
    if not given:
        binary.check(program)
        print(f"creo compiled in {time.monotonic() - begin:.0f} s, {program.stat().st_size:,} bytes")
    notices = sbom.notices()
    packages = {
        "": [binary.release(program, notices), (f"creo-{project.version()}.cdx.json", sbom.bill())],
        "python": [wheels.compiler(program, notices), wheels.runtime(), wheels.runtime_sources(), wheels.accelerator()],
        "npm": [npm.wrapper(), npm.linux(program, notices)],
        "nuget": [nuget.compiler(program, notices), nuget.runtime()],
        "c": [c_release.release()],
        "deb": [deb.compiler(program, notices), deb.runtime()],
        "maven": java.artifacts(program) if with_java else [],
    }
    made = {f"{folder}/{name}".lstrip("/"): content for folder, files in packages.items() for name, content in files}
    sums = "".join(f"{archives.sha256(content)}  {path}\n" for path, content in sorted(made.items()))
    if out.exists():
        shutil.rmtree(out)
    archives.lay_out(out, archives.files({**made, "SHA256SUMS": sums.encode()}))
    for path, content in sorted(made.items()):
        print(f"{len(content):>12,}  {out.name}/{path}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
