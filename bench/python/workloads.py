"""One cell of the workloads in Python; `bench/workloads.py` runs it.

    workloads.py --data FOLDER                        writes the data that the other languages read: Creo's bytes of each workload, and the SOAP response
    workloads.py WORKLOAD WIRE PEER FOLDER SECONDS    prints a JSON line: bytes and CRC-32 of the message, and nanoseconds a call of this thread's processor time
"""

from __future__ import annotations

import json
import sys
import time
import zlib
from pathlib import Path
from typing import Any, Callable

import workload_peers
import workload_xml
from workload_data import WORKLOADS

PEERS = {**workload_peers.PEERS, "soap": workload_xml.PEERS}
# How long one sample takes.
SAMPLE = 0.01


def write(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for workload in WORKLOADS:
        value = workload_peers.creo(workload, workload_peers.plain(workload, "creo"), "binary").build()
        (folder / f"{workload}.bin").write_bytes(value.to_bytes())
        if workload == "orders-100":
            (folder / f"{workload}.soap").write_bytes(workload_xml.response(value))


def functions(cells: workload_peers.Cells, body: bytes) -> dict[str, Callable[[], Any]]:
    found: dict[str, Callable[[], Any]] = {}
    if cells.build is not None:
        build, value = cells.build, cells.build()
        found = {"encode": lambda: cells.encode(value), "build and encode": lambda: cells.encode(build())}
    return {**found, "decode": lambda: cells.decode(body), "decode and read": lambda: cells.read(cells.decode(body))}


def measure(workload: str, wire: str, peer: str, folder: Path, seconds: float) -> None:
    data = workload_peers.plain(workload, peer)
    cells = PEERS[wire][peer](workload, data, wire)
    body = (folder / f"{workload}.soap").read_bytes() if cells.build is None else bytes(cells.encode(cells.build()))
    if cells.read(cells.decode(body)) != data:
        raise AssertionError(f"{peer} does not give back {workload} on {wire}")
    measured = functions(cells, body)
    loops: dict[str, int] = {}
    for name, function in measured.items():
        function()
        start = time.thread_time()
        function()
        loops[name] = max(1, int(SAMPLE / max(time.thread_time() - start, 1e-6)))
    samples: dict[str, list[float]] = {name: [] for name in measured}
    spent = time.thread_time()
    while time.thread_time() - spent < seconds:
        for name, function in measured.items():
            start = time.thread_time()
            for _ in range(loops[name]):
                function()
            samples[name].append((time.thread_time() - start) / loops[name] * 1e9)
    print(json.dumps({"bytes": len(body), "crc": zlib.crc32(body), "samples": samples}))


if __name__ == "__main__":
    if sys.argv[1] == "--data":
        write(Path(sys.argv[2]))
    else:
        measure(sys.argv[1], sys.argv[2], sys.argv[3], Path(sys.argv[4]), float(sys.argv[5]))
