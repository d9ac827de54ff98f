"""Debian packages of the compiler and of the C runtime, built by dpkg-deb."""

from __future__ import annotations

import hashlib
import os
import pathlib
import subprocess
import tempfile

import archives
import binary
import c_release
import project
from archives import Entry

ARCHITECTURE = "amd64"


def compiler(program: pathlib.Path, notices: bytes) -> tuple[str, bytes]:
    found = binary.completions(program)
    entries = archives.files({
        "usr/share/bash-completion/completions/creo": found["creo.bash"],
        "usr/share/zsh/vendor-completions/_creo": found["_creo"],
        "usr/share/fish/vendor_completions.d/creo.fish": found["creo.fish"],
        "usr/share/doc/creo/THIRD-PARTY-LICENSES.txt": notices,
    })
    entries["usr/bin/creo"] = Entry(program.read_bytes(), executable=True)
    return _package("creo", {"Section": "devel", "Description": project.SUMMARY}, entries)


def runtime() -> tuple[str, bytes]:
    entries = {f"usr/{path}": entry for path, entry in c_release.installed("lib/x86_64-linux-gnu", "../../..").items()}
    control = {
        "Section": "libdevel",
        "Depends": "libc6-dev",
        "Recommends": f"creo (>= {project.version()})",
        "Description": project.C_SUMMARY,
    }
    return _package("libcreo-dev", control, entries)


def _package(name: str, control: dict[str, str], entries: archives.Entries) -> tuple[str, bytes]:
    licence = f"usr/share/doc/{name}/copyright"
    entries = {**entries, licence: Entry(project.read("LICENSE"))}
    size = sum(len(entry.content) for entry in entries.values())
    fields = {
        "Package": name,
        "Version": project.version(),
        "Architecture": ARCHITECTURE,
        "Maintainer": project.MAINTAINER,
        "Installed-Size": str(-(-size // 1024)),
        "Priority": "optional",
        **control,
    }
    sums = "".join(f"{hashlib.md5(entry.content).hexdigest()}  {path}\n" for path, entry in sorted(entries.items()))
    meta = archives.files({
        "DEBIAN/control": "".join(f"{key}: {value}\n" for key, value in fields.items()).encode(),
        "DEBIAN/md5sums": sums.encode(),
    })
    file_name = f"{name}_{project.version()}_{ARCHITECTURE}.deb"
    with tempfile.TemporaryDirectory() as folder:
        root, made = pathlib.Path(folder, "root"), pathlib.Path(folder, file_name)
        archives.lay_out(root, {**entries, **meta})
        for path in [root, *root.rglob("*")]:
            if path.is_dir():
                path.chmod(0o755)
        # Files are newer than the commit, so dpkg-deb gives them its time.
        environment = {**os.environ, "SOURCE_DATE_EPOCH": str(project.epoch())}
        command = ["dpkg-deb", "--root-owner-group", "-Zxz", f"-z{min(archives.level, 6)}", "--build", str(root), str(made)]
        try:
            subprocess.run(command, env=environment, stdout=subprocess.DEVNULL, check=True)
        except FileNotFoundError as error:
            raise project.DistError("there is no program dpkg-deb (Debian's package dpkg)") from error
        except subprocess.CalledProcessError as error:
            raise project.DistError("dpkg-deb failed; see above") from error
        return file_name, made.read_bytes()
