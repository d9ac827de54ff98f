"""The program `creo`: one static file for Linux, built without paths of the machine in it."""

from __future__ import annotations

import os
import pathlib
import subprocess

import archives
import project

TARGET = "x86_64-unknown-linux-gnu"
PLATFORM = "x86_64-linux"
MAX_BYTES = 12_000_000
SHELLS = {"bash": "creo.bash", "zsh": "_creo", "fish": "creo.fish"}


def build(target_folder: pathlib.Path) -> pathlib.Path:
    """Compiles the program, and says where it is. Takes minutes."""
    sysroot = _run(["rustc", "--print", "sysroot"]).strip()
    cargo_home = os.environ.get("CARGO_HOME") or str(pathlib.Path.home() / ".cargo")
    # The last prefix that fits counts.
    paths = [(cargo_home, "/cargo"), (sysroot, "/rust"), (str(target_folder), "/target"), (str(project.ROOT), "/creo")]
    flags = ["-Ctarget-feature=+crt-static", *(f"--remap-path-prefix={path}={name}" for path, name in paths)]
    # Each flag is one argument, whatever the paths hold. Flags of the user's own would change the bytes.
    environment = {name: value for name, value in os.environ.items() if name not in ("RUSTFLAGS", "CARGO_BUILD_RUSTFLAGS")}
    environment |= {"CARGO_ENCODED_RUSTFLAGS": "\x1f".join(flags), "SOURCE_DATE_EPOCH": str(project.epoch())}
    command = ["cargo", "build", "--quiet", "--locked", "--profile", "dist", "--target", TARGET, "-p", "creo-cli"]
    done = subprocess.run([*command, "--target-dir", str(target_folder)], cwd=project.ROOT, env=environment, check=False)
    if done.returncode:
        raise project.DistError("the program does not compile; see above")
    return target_folder / TARGET / "dist" / "creo"


def check(program: pathlib.Path) -> None:
    """Fails unless the program is as promised: the project's version, static, and small."""
    told = _run([str(program), "--version"]).strip()
    if told != f"creo {project.version()}":
        raise project.DistError(f"{program} says {told!r}, and the version is {project.version()}")
    size = program.stat().st_size
    if size > MAX_BYTES:
        raise project.DistError(f"{program} has {size} bytes; no more than {MAX_BYTES} are promised")
    headers = _run(["readelf", "--wide", "--program-headers", "--dynamic", str(program)])
    if "INTERP" in headers or "(NEEDED)" in headers:
        raise project.DistError(f"{program} needs libraries of the machine: it is not static")
    for path in (str(project.ROOT), str(pathlib.Path.home())):
        if path.encode() + b"/" in program.read_bytes():
            raise project.DistError(f"{program} names {path}: other folders would give other bytes")


def completions(program: pathlib.Path) -> dict[str, bytes]:
    """What shells read to complete commands, by the names of their files."""
    return {name: _run([str(program), "completions", shell]).encode() for shell, name in sorted(SHELLS.items())}


def release(program: pathlib.Path, notices: bytes) -> tuple[str, bytes]:
    """The archive of the program, with its licences."""
    entries = archives.files({
        "LICENSE": project.read("LICENSE"),
        "THIRD-PARTY-LICENSES.txt": notices,
        "README.md": project.text("scripts/dist/files/binary.md"),
        **{f"completions/{name}": content for name, content in completions(program).items()},
    })
    entries["creo"] = archives.Entry(program.read_bytes(), executable=True)
    name = f"creo-{project.version()}-{PLATFORM}"
    return f"{name}.tar.gz", archives.tar_gz(archives.under(name, entries))


def _run(command: list[str]) -> str:
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout
    except FileNotFoundError as error:
        raise project.DistError(f"there is no program {command[0]}") from error
    except subprocess.CalledProcessError as error:
        raise project.DistError(f"{' '.join(command)}: {error.stderr.strip()}") from error
