"""Programs that are built and run, services that are started and stopped, and the counting of what passed."""

from __future__ import annotations

import glob
import json
import os
import pathlib
import queue
import re
import subprocess
import threading
import urllib.request
from collections.abc import Callable, Sequence

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
PEERS = ROOT / "build" / "interop"
WORK = PEERS / "work"
CREO = pathlib.Path(os.environ.get("CREO", ROOT / "target" / "debug" / "creo"))

# How long a program may take: a build or an import, and all calls of one client.
BUILD_SECONDS = 300
CALLS_SECONDS = 300
START_SECONDS = 60
# Java without logging, which leaves standard error to relevant output.
JAVA = ["java", f"-Djava.util.logging.config.file={HERE / 'logging.properties'}", "-XX:TieredStopAtLevel=1"]


class Failure(Exception):
    """A part cannot go on."""


class Service:
    """A program that serves until its standard input ends. Its first line says where: {"address": ..}."""

    def __init__(self, name: str, command: list[str], folder: pathlib.Path) -> None:
        self.name = name
        self.log = WORK / f"{name}.log"
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(command, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log)
        first: queue.Queue[bytes] = queue.Queue()
        assert self.process.stdout is not None
        read = self.process.stdout.readline
        threading.Thread(target=lambda: first.put(read()), daemon=True).start()
        try:
            self.said: dict[str, str] = json.loads(first.get(timeout=START_SECONDS))
        except (queue.Empty, ValueError):
            self.stop()
            raise Failure(f"{name} did not start: {self.log.read_text(errors='replace')[-1000:]}") from None

    @property
    def address(self) -> str:
        return self.said["address"]

    def stop(self) -> None:
        assert self.process.stdin is not None and self.process.stdout is not None
        try:
            self.process.stdin.close()
        except BrokenPipeError:
            pass
        try:
            self.process.wait(timeout=20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.process.stdout.close()


class Harness:
    """Runs parts, one after the other, and counts."""

    def __init__(self, without: list[str]) -> None:
        self.without = without
        self.passed = 0
        self.failed: list[str] = []
        self.not_run: list[str] = []
        self.services: dict[str, Service] = {}
        self.made: dict[str, object] = {}

    def __enter__(self) -> Harness:
        return self

    def __exit__(self, *_: object) -> None:
        for service in self.services.values():
            service.stop()
        for compiler in compilers:
            compiler.end()

    def run(self, name: str, part: Part) -> None:
        missing = [language for language in part.languages if language in self.without]
        if missing:
            self.not_run.append(f"{name} ({', '.join(missing)})")
            return
        print(f"== {name}", flush=True)
        try:
            part.run(self, name)
        except Failure as failure:
            self.failure(name, str(failure))

    def case(self, name: str) -> None:
        self.passed += 1
        print(f"ok {name}", flush=True)

    def failure(self, name: str, reason: str) -> None:
        self.failed.append(name)
        print(f"FAILED {name}: {' '.join(reason.split())[:2000]}", flush=True)

    def once(self, key: str, make: Callable[[], object]) -> object:
        """What `make` made, the first time that it is asked for; a failure is a failure for all who ask."""
        if key not in self.made:
            try:
                self.made[key] = make()
            except Failure as failure:
                self.made[key] = failure
        if isinstance(self.made[key], Failure):
            raise Failure(str(self.made[key]))
        return self.made[key]

    def service(self, name: str, command: Callable[[], list[str]], folder: pathlib.Path = WORK) -> Service:
        def start() -> Service:
            service = Service(name, command(), folder)
            self.services[name] = service
            return service

        service = self.once(f"service {name}", start)
        assert isinstance(service, Service)
        return service

    def calls(self, name: str, command: list[str], cases: list[str], environment: dict[str, str] | None = None, folder: pathlib.Path = WORK) -> None:
        """Runs a client, which says `ok CASE` or `FAIL CASE: reason`, and must say it of all these cases."""
        answer = program(command, CALLS_SECONDS, environment, folder, check=False)
        told = dict[str, str]()
        for line in answer.stdout.splitlines():
            if match := re.match(r"(ok|FAIL) ([\w-]+)(?:: (.*))?$", line):
                told[match[2]] = "" if match[1] == "ok" else (match[3] or "failed")
        if not told:
            self.failure(name, f"no case was run; exit code {answer.returncode}: {answer.stderr[-1500:]}")
            return
        for case in [*cases, *(case for case in told if case not in cases)]:
            reason = told.get(case, f"not run; exit code {answer.returncode}: {answer.stderr[-700:]}")
            if reason:
                self.failure(f"{name}/{case}", reason)
            else:
                self.case(f"{name}/{case}")
        if answer.returncode != 0 and not any(told.values()):
            self.failure(f"{name}/exit-code", f"{answer.returncode}: {answer.stderr[-700:]}")

    def close_with_counts(self) -> int:
        for name in self.failed:
            print(f"FAILED {name}")
        for what in self.not_run:
            print(f"interop, not run: {what}")
        print(f"{self.passed} passed, {len(self.failed)} failed")
        return 1 if self.failed or not self.passed else 0


class Part:
    """Something that is run and counted; not without these languages."""

    def __init__(self, run: Callable[[Harness, str], None], languages: list[str]) -> None:
        self.run = run
        self.languages = languages


def program(
    command: Sequence[str | pathlib.Path],
    seconds: int = BUILD_SECONDS,
    environment: dict[str, str] | None = None,
    folder: pathlib.Path = WORK,
    check: bool = True,
) -> subprocess.CompletedProcess[str]:
    """Runs a program to its end; with `check`, a failure of it is one of the part."""
    words = [str(word) for word in command]
    what = " ".join(words)[:300]
    try:
        done = subprocess.run(
            words, cwd=folder, env={**os.environ, **(environment or {})}, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace", timeout=seconds, check=False
        )
    except subprocess.TimeoutExpired:
        raise Failure(f"took longer than {seconds} s: {what}") from None
    except OSError as error:
        raise Failure(f"{what}: {error}") from None
    if check and done.returncode != 0:
        raise Failure(f"exit code {done.returncode}: {what}: {(done.stdout + done.stderr)[-1500:]}")
    return done


def fetch(url: str) -> bytes:
    try:
        with urllib.request.urlopen(url, timeout=30) as answer:  # noqa: S310 an address of our own
            return bytes(answer.read())
    except OSError as error:
        raise Failure(f"{url}: {error}") from None


def folder(name: str) -> pathlib.Path:
    path = WORK / name
    path.mkdir(parents=True, exist_ok=True)
    return path


def jars(peer: str) -> str:
    return str(PEERS / peer / "*")


class Javac:
    """The compiler of Java as a process, which is warm from the second compilation on."""

    def __init__(self) -> None:
        command = ["java", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Dfile.encoding=UTF-8", str(ROOT / "crates/creo-harness/src/languages/Javac.java")]
        self.process = subprocess.Popen(command, cwd=WORK, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8", errors="replace")

    def compile(self, arguments: pathlib.Path) -> None:
        """Compiles with the arguments in a file. A process that takes too long is killed, and replaced for the next compilation."""
        assert self.process.stdin is not None and self.process.stdout is not None
        late = threading.Timer(BUILD_SECONDS, self.process.kill)
        late.start()
        code, said = "", ""
        try:
            print(arguments, file=self.process.stdin, flush=True)
            for line in self.process.stdout:
                if line.startswith("\0"):
                    code = line[1:].strip()
                    break
                said += line
        finally:
            late.cancel()
        if code != "0":
            raise Failure(f"exit code {code or 'missing'}: javac @{arguments}: {said[-1500:]}")

    def end(self) -> None:
        self.process.communicate()


# The process of all compilations.
compilers: list[Javac] = []


def expanded(class_path: str) -> str:
    """The jars of entries that end in `*`, which only the command `javac` would expand, and the other entries."""
    entries = [sorted(glob.glob(f"{entry}.jar")) if entry.endswith("*") else [entry] for entry in class_path.split(os.pathsep)]
    return os.pathsep.join(path for paths in entries for path in paths)


def javac(sources: list[pathlib.Path], classes: pathlib.Path, class_path: str = "") -> None:
    if compilers and compilers[0].process.poll() is not None:
        compilers.clear()
    if not compilers:
        compilers.append(Javac())
    files = [file for source in sources for file in ([source] if source.is_file() else sorted(source.rglob("*.java")))]
    arguments = classes.parent / f"{classes.name}.arguments"
    words = ["-nowarn", "-encoding", "UTF-8", "-d", classes, *(["-cp", expanded(class_path)] if class_path else []), *files]
    arguments.write_text("\n".join(f'"{word}"' for word in words))
    compilers[0].compile(arguments)
