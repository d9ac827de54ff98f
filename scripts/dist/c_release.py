"""The C runtime as a release: two files, headers under the names that generated code uses, and what make, CMake and pkg-config read."""

from __future__ import annotations

import functools
import pathlib
import subprocess
import tempfile

import archives
import project
from archives import Entry

FOLDER = "integrations/c"
CMAKE = ("creo-config.cmake", "creo-config-version.cmake", "creo-generate.cmake")
# The module for brokers needs a library of others, and is no part of the archive.
LEFT_OUT = ("creo/jms.h", "creo/wss.h")
FORWARD = b"/* All of the runtime is in one header. */\n#include <creo/creo.h>\n"


@functools.cache
def runtime() -> dict[str, bytes]:
    """The sources: `src/creo.c` and the headers below `include`."""
    with tempfile.TemporaryDirectory() as name:
        command = ["cargo", "run", "--quiet", "--locked", "-p", "creo-gen-c", "--example", "amalgamate", "--", name]
        done = subprocess.run(command, cwd=project.ROOT, check=False)
        if done.returncode:
            raise project.DistError("the C runtime cannot be joined; see above")
        made = pathlib.Path(name)
        joined = {path: (made / path).read_bytes() for path in ("include/creo/creo.h", "src/creo.c")}
    public = [path for path in project.tracked("runtimes/c/include") if path not in LEFT_OUT]
    return {**{f"include/{path}": FORWARD for path in public}, **joined}


def cmake() -> dict[str, bytes]:
    return {name: project.text(f"{FOLDER}/{name}") for name in CMAKE}


def pkg_config(up: str) -> bytes:
    """creo.pc, where `up` leads from its folder to the prefix."""
    return project.text(f"{FOLDER}/creo.pc.in", UP=up)


def release() -> tuple[str, bytes]:
    contents = {
        **runtime(),
        **{f"cmake/{name}": content for name, content in cmake().items()},
        "creo.pc": pkg_config("../.."),
        "CMakeLists.txt": project.text(f"{FOLDER}/CMakeLists.txt"),
        "Makefile": project.read(f"{FOLDER}/Makefile"),
        "README.md": project.read(f"{FOLDER}/README.md"),
        "LICENSE": project.read("LICENSE"),
    }
    name = f"creo-c-{project.version()}"
    return f"{name}.tar.gz", archives.tar_gz(archives.under(name, archives.files(contents)))


def library() -> bytes:
    """libcreo.a for this machine's kind, by its C compiler."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        archives.lay_out(folder, archives.files(runtime()))
        flags = ["-std=c11", "-O2", "-fPIC", "-fstack-protector-strong", "-D_FORTIFY_SOURCE=2", "-Iinclude", f"-ffile-prefix-map={name}=."]
        for command in (["cc", *flags, "-c", "src/creo.c", "-o", "creo.o"], ["ar", "rcsD", "libcreo.a", "creo.o"]):
            done = subprocess.run(command, cwd=folder, check=False)
            if done.returncode:
                raise project.DistError(f"{command[0]} failed; see above")
        return (folder / "libcreo.a").read_bytes()


def installed(libraries: str, up: str) -> archives.Entries:
    """The files of an installation below its prefix, with libraries in `libraries`."""
    headers = {path: content for path, content in runtime().items() if path.startswith("include/")}
    contents = {
        **headers,
        f"{libraries}/libcreo.a": library(),
        f"{libraries}/pkgconfig/creo.pc": pkg_config(up),
        **{f"{libraries}/cmake/creo/{name}": content for name, content in cmake().items()},
    }
    return {path: Entry(content) for path, content in contents.items()}
