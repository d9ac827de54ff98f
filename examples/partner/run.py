#!/usr/bin/env python3
"""make partner: imports the partner's WSDL, calls his service from Python and C#, and offers the same service to him and, over the binary wire, to our own programs.

    run.py                    everything
    run.py --without csharp   without C#; the closing line says so

Ends with `N passed, N failed`.
"""

from __future__ import annotations

import argparse
import os
import pathlib
import shutil
import subprocess
import sys
import threading
from types import TracebackType

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
WORK = ROOT / "build" / "partner"
CREO = os.environ.get("CREO", str(ROOT / "target" / "debug" / "creo"))
DOTNET = ROOT / "scripts" / "dotnet"
CLIENTS = {
    "python": [sys.executable, HERE / "python" / "client.py"],
    "csharp": [DOTNET / "run.sh", WORK / "client.dll"],
}
# Far above what anything takes: what hangs is a failure.
PATIENCE = 120


class Failure(Exception):
    """A step that did not work."""


class Service:
    """A program that prints its address, and ends with its input."""

    def __init__(self, *command: object) -> None:
        self.process = subprocess.Popen([str(word) for word in command], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def __enter__(self) -> str:
        assert self.process.stdout is not None
        late = threading.Timer(PATIENCE, self.process.kill)
        late.start()
        url = self.process.stdout.readline().strip()
        late.cancel()
        if not url:
            self.process.kill()
            raise Failure("the service did not start")
        return url

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()
        try:
            self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()


def run(*command: object) -> str:
    environment = {**os.environ, "PYTHONPATH": str(WORK / "generated" / "python")}
    try:
        result = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=PATIENCE, env=environment, check=False)
    except subprocess.TimeoutExpired:
        raise Failure(f"{command[0]} does not end") from None
    if result.returncode != 0:
        raise Failure(f"{command[0]}: exit code {result.returncode}\n{result.stdout}{result.stderr}")
    return result.stdout


def build(languages: list[str]) -> None:
    shutil.rmtree(WORK, ignore_errors=True)
    run(CREO, "import", HERE / "carrier.wsdl", "--package", "org.example.carrier", "--out", WORK / "carrier")
    run(CREO, "generate", WORK / "carrier" / "carrier.creo", "--target", ",".join(["java", *languages]), "--wires", "soap,binary", "--out", WORK / "generated")
    sources = [path for folder in (WORK / "generated" / "java", HERE / "java") for path in sorted(folder.rglob("*.java")) if path.name != "module-info.java"]
    run("javac", "-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC", "--release", "17", "-d", WORK / "classes", *sources)
    if "csharp" in languages:
        run(DOTNET / "csc.sh", f"-out:{WORK}/client.dll", "-target:exe", "-nullable", "-warnaserror", f"-recurse:{HERE}/csharp/*.cs", f"-recurse:{WORK}/generated/csharp/*.cs")


def expect(text: str, *parts: str) -> None:
    print("".join(f"  {line}\n" for line in text.splitlines()), end="", flush=True)
    missing = [part for part in parts if part not in text]
    if missing:
        raise Failure(f"expected {missing[0]!r}")


def steps(languages: list[str]) -> list[tuple[str, list[object], tuple[str, ...]]]:
    """What is called, by which command, and what it must print. `{partner}`, `{own}` and `{tcp}` are where the services are."""
    return [
        *((f"we call the partner over SOAP, {language}", [*CLIENTS[language], "soap", "{partner}"], ("for 9.50", "London", "unknown parcel P-9999")) for language in languages),
        *((f"our own program calls our service over the binary wire, {language}", [*CLIENTS[language], "binary", "{tcp}"], ("for 5.75", "London", "unknown parcel P-9999")) for language in languages),
        ("the partner calls our service over SOAP", [sys.executable, HERE / "partner" / "carrier.py", "call", "{own}", "O-1"], ("O-1: booked in London",)),
        ("the partner asks for an unknown parcel", [sys.executable, HERE / "partner" / "carrier.py", "call", "{own}", "O-<&>"], ("unknown parcel O-<&>",)),
    ]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--without", default="")
    left_out = parser.parse_args().without.split(",")
    languages = [language for language in CLIENTS if language not in left_out]
    passed = failed = 0
    build(languages)
    with Service(sys.executable, HERE / "partner" / "carrier.py", "serve") as partner, Service("java", "-cp", WORK / "classes", "org.example.app.OwnCarrier", "0") as own:
        places = {"{partner}": partner, "{own}": own, "{tcp}": own.split("/")[2]}
        for name, command, parts in steps(languages):
            print(name, flush=True)
            try:
                expect(run(*(places.get(str(word), word) for word in command)), *parts)
                passed += 1
            except Failure as failure:
                print(f"FAILED: {failure}", flush=True)
                failed += 1
    not_run = [language for language in CLIENTS if language not in languages]
    print(f"{passed} passed, {failed} failed" + (f", not run: {', '.join(not_run)}" if not_run else ""))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
