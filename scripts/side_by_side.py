"""Runs commands side by side, as far as they use nothing that another one uses and the machine has processors for them."""

from __future__ import annotations

import os
import pathlib
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Hashable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from typing import TypeVar

Name = TypeVar("Name", bound=Hashable)
Outcome = TypeVar("Outcome")


@dataclass(frozen=True)
class Needs:
    """What a job needs while it runs."""

    # How many processors it keeps busy; a job that mostly waits needs less than one.
    processors: float = 1
    # Names of what only one job may use at a time: folders that a build writes, the packages of the machine.
    uses: frozenset[str] = frozenset()
    # Nothing runs beside it.
    alone: bool = False

    def fits(self, running: Iterable[Needs], processors: float) -> bool:
        """Whether a job may start beside others. A job that needs more than there is runs by itself."""
        others = list(running)
        if not others:
            return True
        if self.alone or any(other.alone or other.uses & self.uses for other in others):
            return False
        return self.processors + sum(other.processors for other in others) <= processors


def run(jobs: Iterable[tuple[Name, Needs]], processors: float, work: Callable[[Name], Outcome]) -> dict[Name, Outcome]:
    """The outcome of each job. Jobs start in the given order, but one that does not fit yet lets those after it go first.

    If `work` raises an exception, no further job starts, and the first such exception is raised when those that run have ended.
    """
    waiting = list(jobs)
    running: dict[Name, Needs] = {}
    outcomes: dict[Name, Outcome] = {}
    errors: list[BaseException] = []
    changed = threading.Condition()

    def one(name: Name) -> None:
        try:
            outcome = work(name)
        except BaseException as error:  # it is raised again below
            with changed:
                errors.append(error)
                del running[name]
                changed.notify()
            return
        with changed:
            outcomes[name] = outcome
            del running[name]
            changed.notify()

    with changed:
        while running or (waiting and not errors):
            for job in [] if errors else list(waiting):
                name, needs = job
                if needs.fits(running.values(), processors):
                    waiting.remove(job)
                    running[name] = needs
                    # It does not outlive the program: processes of such jobs are ended by the watch.
                    threading.Thread(target=one, args=(name,), daemon=True).start()
            changed.wait()
    if errors:
        raise errors[0]
    return outcomes


@dataclass(frozen=True)
class Ended:
    """How a process ended."""

    code: int
    seconds: float
    # Processor time of the process and of those that it waited for.
    busy: float


# Kills the groups of processes that still run when the program that began them is no more, however it ended.
WATCH = """
import os, signal, sys
groups = set()
for line in sys.stdin:
    word, group = line.split()
    groups.add(int(group)) if word == "begin" else groups.discard(int(group))
for group in groups:
    try:
        os.killpg(group, signal.SIGKILL)
    except ProcessLookupError:
        pass
"""


class Processes:
    """Starts processes, each in a group of its own, which end with this program: also if it is interrupted or killed."""

    def __init__(self) -> None:
        # In a session of its own, where no Ctrl-C reaches it.
        self._watch = subprocess.Popen([sys.executable, "-c", WATCH], stdin=subprocess.PIPE, text=True, start_new_session=True)
        self._lock = threading.Lock()

    def _tell(self, word: str, group: int) -> None:
        pipe = self._watch.stdin
        assert pipe is not None
        with self._lock:
            pipe.write(f"{word} {group}\n")
            pipe.flush()

    def run(self, command: list[str], folder: pathlib.Path, log: pathlib.Path, environment: dict[str, str], limit: float = threading.TIMEOUT_MAX) -> Ended:
        """Runs a command to its end, its whole output in `log`. A command that does not start has the code 127, and says why in the log. One that still
        runs after `limit` seconds is killed with its group, which the log then says."""
        begin = time.monotonic()
        # The command waits until the watch knows its group: it ends if this program is gone before.
        gate, opened = os.pipe()
        try:
            with log.open("wb") as out:
                process = subprocess.Popen(
                    ["sh", "-c", 'read -r _ && exec "$@" </dev/null', "sh", *command],
                    cwd=folder,
                    stdin=gate,
                    stdout=out,
                    stderr=subprocess.STDOUT,
                    env={**os.environ, **environment},
                    start_new_session=True,
                )
            self._tell("begin", process.pid)
            os.write(opened, b"\n")
        finally:
            os.close(gate)
            os.close(opened)
        late = threading.Event()

        def kill() -> None:
            late.set()
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)

        timer = threading.Timer(limit, kill)
        timer.daemon = True
        timer.start()
        _, status, usage = os.wait4(process.pid, 0)
        timer.cancel()
        process.returncode = os.waitstatus_to_exitcode(status)
        self._tell("end", process.pid)
        if late.is_set():
            with log.open("a") as tail:
                tail.write(f"\nFAILED it still ran after {limit:g} seconds\n")
        return Ended(process.returncode, time.monotonic() - begin, usage.ru_utime + usage.ru_stime)
