"""Where programs run. Between two cores of a virtual machine a wake-up can cost fifty microseconds and hide every protocol, so calls are measured with both sides on one core, and
free."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Iterable

PLACEMENTS = ("pinned", "free")


def place(pids: Iterable[int], placement: str) -> None:
    """Moves programs, with all their threads, to the last core, or lets them run anywhere."""
    every = os.sched_getaffinity(0)
    cores = {max(every)} if placement == "pinned" else every
    for pid in pids:
        moved: set[int] = set()
        while True:
            # A thread that starts meanwhile may still have its parent's place.
            fresh = {int(task.name) for task in Path(f"/proc/{pid}/task").iterdir()} - moved
            if not fresh:
                break
            for thread in fresh:
                try:
                    os.sched_setaffinity(thread, cores)
                except ProcessLookupError:
                    pass  # It has ended.
            moved |= fresh
