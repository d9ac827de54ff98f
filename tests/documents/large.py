#!/usr/bin/env python3
"""Converts a large document both ways, with the release build, and prints how much memory each way took at most.

    large.py [MEGABYTES]    1024 unless it is said; twice that is needed on the disk

What comes back must be the document, byte for byte, and no run may take more memory than 64 MiB.
"""

from __future__ import annotations

import hashlib
import os
import pathlib
import re
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
                    f'\n  <order number="{number}" currency="EUR">\n    <customerName>Customer {number % 9973}</customerName>'
                    f"\n    <deliveryDate>2026-{number % 12 + 1:02}-{number % 28 + 1:02}</deliveryDate>"
                    f'\n    <lineItem sku="A-{number % 701}"><unitPrice>{number % 89}.50</unitPrice><quantity>{number % 7}</quantity></lineItem>'
                    f'\n    <lineItem sku="B|{number % 13}"><unitPrice>1.25</unitPrice><quantity>1</quantity></lineItem>\n  </order>'
                )
                if number % 100 == 0:
                    part.append(f"\n  <note>Deliver <b>{number % 3}</b> &lt;days&gt; &amp; later</note>")
                if number % 500 == 0:
                    part.append("\n  <!--five hundred more-->")
            done += out.write("".join(part).encode())
        out.write(b"\n  <blob>")
        for _ in range(16):
            out.write(b"0123456789abcde\n" * (1 << 16))
        out.write(b"</blob>\n</orders>\n")


def digest(path: pathlib.Path) -> str:
    sum = hashlib.sha256()
    with path.open("rb") as file:
        while piece := file.read(1 << 20):
            sum.update(piece)
    return sum.hexdigest()


def most_memory(process: int) -> int:
    """The bytes that a running process has taken at most, as the system counts them; 0 where it does not say."""
    try:
        status = pathlib.Path(f"/proc/{process}/status").read_text(encoding="ascii", errors="replace")
    except OSError:
        return 0
    peak = re.search(r"^VmHWM:\s*(\d+) kB", status, re.M)
    return int(peak[1]) * 1024 if peak else 0


def run(name: str, arguments: list[str], to: pathlib.Path) -> bool:
    begin = time.monotonic()
    peak = 0
    with to.open("wb") as out:
        process = subprocess.Popen([CREO, "tdxml", *arguments], stdout=out)
        while process.poll() is None:
            peak = max(peak, most_memory(process.pid))
            time.sleep(0.02)
    size = to.stat().st_size
    print(f"{name}: {size / 2**20:.0f} MiB, peak memory {peak / 2**20:.1f} MiB, {time.monotonic() - begin:.0f} s, exit code {process.returncode}", flush=True)
    return process.returncode == 0 and 0 < peak < MOST


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
