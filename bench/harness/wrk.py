"""One load generator for all HTTP services: wrk with one thread, one running call per connection, and the same bytes each time."""

from __future__ import annotations

import resource
from dataclasses import dataclass
from pathlib import Path
from typing import Mapping

from .tools import BENCH, Failed, run


@dataclass(frozen=True)
class Load:
    calls: int
    seconds: float
    # Of the latency, in microseconds.
    median: float
    p99: float
    # Seconds of processor time of the load generator itself.
    processor_time: float


def load(url: str, request: Path, headers: Mapping[str, str], connections: int, seconds: float) -> Load:
    """Sends the file over this many connections; one failed call fails the whole."""
    before = children_time()
    output = run(
        ["wrk", "-t1", f"-c{connections}", f"-d{seconds}s", "-s", BENCH / "services" / "post.lua", url],
        environment={"BENCH_REQUEST": str(request), "BENCH_HEADERS": "\n".join(f"{name}: {value}" for name, value in headers.items())},
        capture=True,
    )
    counts = [line.split()[1:] for line in output.splitlines() if line.startswith("RESULT ")]
    if len(counts) != 1:
        raise Failed(f"wrk said nothing of {url}: {output}")
    calls, microseconds, failed, median, p99 = map(int, counts[0])
    if failed or not calls:
        raise Failed(f"{failed} of {calls} calls of {request.name} to {url} failed")
    return Load(calls, microseconds / 1e6, median, p99, children_time() - before)


def children_time() -> float:
    """Seconds of processor time of the programs that were started from here and have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
