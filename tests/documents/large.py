#!/usr/bin/env python3
"""Converts a large document both ways, with the release build, and prints how much memory each way took at most.

    large.py [MEGABYTES]    1024 unless it is said; twice that is needed on the disk

What comes back must be the document, byte for byte, and no run may take more memory than 64 MiB.
"""

from __future__ import annotations

import hashlib
import os
import pathlib
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
CREO = os.environ.get("CREO", str(ROOT / "target/release/creo"))
MOST = 64 << 20


def write(path: pathlib.Path, size: int) -> None:
    """Orders, one like the other but for their numbers, with a text between some, and a long text at the end."""
    with path.open("wb", buffering=1 << 20) as out:
        done = out.write(b'<orders xmlns="urn:example:orders">')
        number = 0
        while done < size - (16 << 20):
            part = []
            for _ in range(1000):
                number += 1
                part.append(
                    f'\n  <order number="{number}" currency="EUR">\n    <customer>Customer {number % 9973}</customer>'
                    f'\n    <item sku="A-{number % 701}"><price>{number % 89}.50</price><quantity>{number % 7}</quantity></item>'
                    f'\n    <item sku="B|{number % 13}"><price>1.25</price><quantity>1</quantity></item>'
                    f"\n    <note>Deliver <b>{number % 3}</b> &lt;days&gt; &amp; later</note>\n  </order>"
                )
                if number % 500 == 0:
                    part.append("\n  <!--five hundred more-->")
            done += out.write("".join(part).encode())
        out.write(b"\n  <blob>")
        for _ in range(16):
            out.write(b"0123456789abcde\n" * (1 << 16))
        out.write(b"</blob>\n</orders>\n")


def digest(path: pathlib.Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def run(name: str, arguments: list[str], to: pathlib.Path) -> bool:
    begin = time.monotonic()
    with to.open("wb") as out:
        process = subprocess.Popen([CREO, "tdxml", *arguments], stdout=out)
        _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    peak = usage.ru_maxrss * 1024
    size = to.stat().st_size
    print(f"{name}: {size / 2**20:.0f} MiB, peak memory {peak / 2**20:.1f} MiB, {time.monotonic() - begin:.0f} s, exit code {process.returncode}", flush=True)
    return process.returncode == 0 and peak < MOST


def main() -> int:
    size = int(sys.argv[1] if len(sys.argv) > 1 else 1024) << 20
    passed = failed = 0
    with tempfile.TemporaryDirectory(prefix="creo-large-") as folder:
        document, table, back = (pathlib.Path(folder, name) for name in ("document.xml", "table.tdxml", "back.xml"))
        write(document, size)
        print(f"document: {document.stat().st_size / 2**20:.0f} MiB", flush=True)
        want = digest(document)
        for scheme in ("aggregated", "record"):
            right = run(f"encode, {scheme}", ["encode", "--scheme", scheme, str(document)], table)
            right = run(f"decode, {scheme}", ["decode", str(table)], back) and right
            if right and digest(back) != want:
                print(f"{scheme}: the document that comes back is another")
                right = False
            passed, failed = passed + right, failed + (not right)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
