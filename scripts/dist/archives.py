"""Archives of the same bytes for the same files: sorted, with fixed modes, owners and times."""

from __future__ import annotations

import gzip
import hashlib
import io
import pathlib
import tarfile
import time
import zipfile
from dataclasses import dataclass

import project


# How hard to compress, from 1 to 9. `make.py --fast` lowers it.
level = 9


@dataclass(frozen=True)
class Entry:
    """A file of an archive."""

    content: bytes
    executable: bool = False

    @property
    def mode(self) -> int:
        return 0o755 if self.executable else 0o644


Entries = dict[str, Entry]


def files(contents: dict[str, bytes]) -> Entries:
    return {path: Entry(content) for path, content in contents.items()}


def under(folder: str, entries: Entries) -> Entries:
    """The same files in a folder."""
    return {f"{folder}/{path}": entry for path, entry in entries.items()}


def tar_gz(entries: Entries) -> bytes:
    """A tar archive in ustar form, compressed without a name or time."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=tarfile.USTAR_FORMAT) as tar:
        for path, entry in sorted(entries.items()):
            info = tarfile.TarInfo(path)
            info.size, info.mode, info.mtime = len(entry.content), entry.mode, project.epoch()
            tar.addfile(info, io.BytesIO(entry.content))
    packed = io.BytesIO()
    with gzip.GzipFile(filename="", fileobj=packed, mode="wb", compresslevel=level, mtime=0) as stream:
        stream.write(out.getvalue())
    return packed.getvalue()


def zip_file(entries: list[tuple[str, Entry]]) -> bytes:
    """A zip archive in the order of the entries."""
    out = io.BytesIO()
    date = time.gmtime(project.epoch())[:6]
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=level) as archive:
        for path, entry in entries:
            info = zipfile.ZipInfo(path, date)
            info.create_system = 3  # Unix, for which the mode counts
            info.external_attr = (0o100000 | entry.mode) << 16
            info.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(info, entry.content)
    return out.getvalue()


def lay_out(folder: pathlib.Path, entries: Entries) -> None:
    """Writes the files into a folder, with their modes and the time of the commit."""
    for path, entry in entries.items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(entry.content)
        target.chmod(entry.mode)


def sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
