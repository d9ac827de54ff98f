#!/usr/bin/env python3
"""make logbook: builds the logbook, starts its service and a program in each language, and says where the page is. Ctrl-C ends it all.

    run.py                           until Ctrl-C
    run.py --languages java,python   with these programs
    run.py --database jdbc:postgresql://localhost/logbook?user=ann
    run.py --seconds 10              for ten seconds

The entries are in build/logbook/logbook.db, in SQLite, unless another database is given.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
WORK = ROOT / "build" / "logbook"
CREO = os.environ.get("CREO", str(ROOT / "target" / "debug" / "creo"))
LANGUAGES = ("java", "python", "c", "csharp")
# Far above what anything takes: what hangs is a failure.
PATIENCE = 300


class Failure(Exception):
    """A step that did not work."""


def run(*command: object) -> None:
    done = subprocess.run([str(word) for word in command], cwd=ROOT, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace", timeout=PATIENCE, check=False)
    if done.returncode != 0:
        raise Failure(f"{command[0]} failed with exit code {done.returncode}: {(done.stdout + done.stderr)[-3000:]}")


def build(languages: list[str]) -> None:
    """Brings the drivers, generates code, and compiles the service and the programs."""
    WORK.mkdir(parents=True, exist_ok=True)
    pom = HERE / "pom.xml"
    ready = WORK / "lib" / ".ready"
    if not ready.exists() or ready.read_text() != pom.read_text():
        goal = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies"
        run("mvn", "--batch-mode", "--no-transfer-progress", "--quiet", "--file", pom, goal, "-DincludeScope=runtime", f"-DoutputDirectory={WORK / 'lib'}")
        ready.write_text(pom.read_text())
    # The page calls by JSON, which comes with the service; the programs speak the binary wire alone.
    run(CREO, "generate", "--quiet", "--prune", "--target", "java", "--out", WORK / "generated", HERE / "logbook.creo")
    others = [language for language in languages if language != "java"]
    if others:
        run(CREO, "generate", "--quiet", "--prune", "--target", ",".join(others), "--wires", "binary", "--out", WORK / "generated", HERE / "logbook.creo")
    sources = [path for folder in (WORK / "generated" / "java", HERE / "java") for path in sorted(folder.rglob("*.java")) if path.name != "module-info.java"]
    run("javac", "--release", "17", "-proc:none", "-d", WORK / "classes", *sources)
    if "c" in languages:
        run("make", "--silent", "-C", HERE / "c", f"GENERATED={WORK / 'generated' / 'c'}", f"BUILD={WORK / 'c'}")
    if "csharp" in languages:
        (WORK / "csharp").mkdir(exist_ok=True)
        sources = [HERE / "csharp" / "Client.cs", *sorted((WORK / "generated" / "csharp").rglob("*.cs"))]
        run(ROOT / "scripts" / "dotnet" / "csc.sh", f"-out:{WORK / 'csharp' / 'client.dll'}", "-target:exe", "-nullable", "-warnaserror", *sources)


class Service:
    """The service, which ends with its input."""

    def __init__(self, database: str, port: int = 0, page_port: int = 0) -> None:
        # Its database address may contain a password, so it is not among the arguments.
        self.process = subprocess.Popen(
            ["java", "-cp", f"{WORK / 'classes'}{os.pathsep}{WORK / 'lib'}/*", "org.example.app.Service", "-", str(HERE / "web"), str(port), str(page_port)],
            env={**os.environ, "LOGBOOK_DATABASE": database},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self.process.stdout is not None
        said = self.process.stdout.readline()
        found = re.search(r"serving on [^:]+:(\d+), the page is (http://[^:]+:(\d+)/)", said)
        if found is None:
            self.process.kill()
            raise Failure(f"the service did not start: {said.strip() or 'it said nothing'}")
        self.port, self.page, self.page_port = int(found[1]), found[2], int(found[3])

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()

    def stop(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()
        try:
            self.process.wait(timeout=60)
        except subprocess.TimeoutExpired:
            self.kill()


def program(language: str, port: int, name: str, *count: int) -> subprocess.Popen[str]:
    """Starts a program of a language."""
    commands = {
        "java": ["java", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-cp", WORK / "classes", "org.example.app.Client"],
        "python": [sys.executable, HERE / "python" / "client.py"],
        "c": [WORK / "c" / "client"],
        "csharp": [ROOT / "scripts" / "dotnet" / "run.sh", WORK / "csharp" / "client.dll"],
    }
    return subprocess.Popen(
        [str(word) for word in (*commands[language], "127.0.0.1", port, name, *count)],
        env={**os.environ, "PYTHONPATH": str(WORK / "generated" / "python")},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        text=True,
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--languages", default=",".join(LANGUAGES))
    parser.add_argument("--database", default=os.environ.get("LOGBOOK_DATABASE", f"jdbc:sqlite:{WORK / 'logbook.db'}"))
    parser.add_argument("--port", type=int, default=7500)
    parser.add_argument("--page-port", type=int, default=7501)
    parser.add_argument("--seconds", type=float, default=float("inf"))
    arguments = parser.parse_args()
    languages = [word for word in arguments.languages.split(",") if word]
    unknown = [language for language in languages if language not in LANGUAGES]
    if unknown:
        parser.error(f"there is no program in {', '.join(unknown)}; choose from {','.join(LANGUAGES)}")
    programs: list[subprocess.Popen[str]] = []
    try:
        print("building the service and the programs", flush=True)
        build(languages)
        service = Service(arguments.database, arguments.port, arguments.page_port)
    except (Failure, OSError, subprocess.TimeoutExpired) as problem:
        print(f"logbook: {problem}")
        return 1
    try:
        programs += [program(language, service.port, language) for language in languages]
        print(f"{', '.join(languages)} log to 127.0.0.1:{service.port}\nopen {service.page} to see and to steer them; Ctrl-C ends it all", flush=True)
        end = time.monotonic() + arguments.seconds
        while time.monotonic() < end and service.process.poll() is None:
            time.sleep(0.2)
            ended = [each.args for each in programs if each.poll() is not None]
            if ended:
                print(f"logbook: a program has ended: {ended[0]!r}")
                return 1
    except KeyboardInterrupt:
        print()
    finally:
        for each in programs:
            each.kill()
            each.wait()
        service.stop()
    return 0


if __name__ == "__main__":
    sys.exit(main())
