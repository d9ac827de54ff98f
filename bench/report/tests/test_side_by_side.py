"""How scripts/test.py runs suites beside each other."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import ModuleType

import pytest

SCRIPTS = Path(__file__).resolve().parents[3] / "scripts"


@pytest.fixture(name="beside")
def beside_(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(SCRIPTS))
    import side_by_side

    return side_by_side


def test_what_fits_beside_what(beside: ModuleType) -> None:
    one, half, java, alone = beside.Needs(), beside.Needs(0.5), beside.Needs(0.5, frozenset({"java"})), beside.Needs(alone=True)
    assert one.fits([one], 2) and not one.fits([one, half], 2) and half.fits([one, half], 2)
    assert java.fits([one], 2) and not java.fits([java], 2)
    assert not alone.fits([half], 2) and not half.fits([alone], 2) and alone.fits([], 2)
    # However little the machine has, everything runs.
    assert beside.Needs(4).fits([], 1)


def test_jobs_that_fit_run_at_once_and_others_wait(beside: ModuleType) -> None:
    both = threading.Barrier(2)
    order: list[str] = []

    def work(name: str) -> str:
        if name != "alone":
            both.wait(60)  # it passes only if the other one runs, too
        order.append(name)
        return name.upper()

    jobs = [("alone", beside.Needs(alone=True)), ("a", beside.Needs()), ("b", beside.Needs())]
    assert beside.run(jobs, 2, work) == {"alone": "ALONE", "a": "A", "b": "B"}
    assert order[0] == "alone"


def test_an_exception_ends_the_run_after_what_runs(beside: ModuleType) -> None:
    began: list[str] = []

    def work(name: str) -> None:
        began.append(name)
        raise ValueError(name)

    with pytest.raises(ValueError, match="first"):
        beside.run([("first", beside.Needs()), ("second", beside.Needs())], 1, work)
    assert began == ["first"]


def test_a_process_has_its_code_its_log_and_its_processor_time(beside: ModuleType, tmp_path: Path) -> None:
    processes = beside.Processes()
    busy = "import time\nwhile time.process_time() < 0.2: pass\nprint('done', flush=True)\nraise SystemExit(3)"
    # What a shell waits for counts.
    ended = processes.run(["sh", "-c", f'"$1" -c "$2"; exit $?', "sh", sys.executable, busy], tmp_path, tmp_path / "log", {})
    assert ended.code == 3 and ended.busy >= 0.2 and (tmp_path / "log").read_text() == "done\n"
    missing = processes.run(["./no-such-program"], tmp_path, tmp_path / "log", {})
    assert missing.code == 127 and "no-such-program" in (tmp_path / "log").read_text()


def test_a_process_that_hangs_is_killed_with_its_own(beside: ModuleType, tmp_path: Path) -> None:
    """The pipe ends when the process that it began is gone."""
    log, pipe = tmp_path / "log", tmp_path / "pipe"
    os.mkfifo(pipe)
    with ThreadPoolExecutor() as pool:
        ended = pool.submit(beside.Processes().run, ["sh", "-c", 'echo begun; sleep 600 >"$0"; true', str(pipe)], tmp_path, log, {}, 0.5)
        assert pipe.read_text() == ""
        assert ended.result().code == -signal.SIGKILL
    assert log.read_text() == "begun\n\nFAILED it still ran after 0.5 seconds\n"


@pytest.mark.usefixtures("beside")
def test_what_a_run_of_all_suites_has_no_time_for_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import test as suites

    monkeypatch.setattr(suites, "ROOT", tmp_path)
    monkeypatch.setattr(suites, "LOGS", tmp_path)
    wanted = [suites.Suite("late", ["sleep", "600"], single=True), suites.Suite("not begun", ["true"], single=True)]
    late, not_begun = suites.run_all(wanted, [], "all", 1, time.monotonic() + 0.5)
    assert (late.failed, late.failures[0].startswith("it still ran after ")) == (1, True)
    assert (not_begun.failed, not_begun.failures) == (1, ["it had not begun when the time was over"])


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_processes_end_with_the_program_that_began_them(number: signal.Signals, tmp_path: Path) -> None:
    """The log is a pipe here: it ends when no process holds it any more."""
    log = tmp_path / "log"
    os.mkfifo(log)
    script = f"import pathlib, side_by_side\nside_by_side.Processes().run(['sh', '-c', 'echo begun; sleep 600; true'], pathlib.Path('.'), pathlib.Path({str(log)!r}), {{}})"
    program = subprocess.Popen([sys.executable, "-c", script], env={**os.environ, "PYTHONPATH": str(SCRIPTS)}, stderr=subprocess.DEVNULL)
    with log.open() as told:
        assert told.readline() == "begun\n"
        program.send_signal(number)
        program.wait()
        assert told.read() == ""
