"""WSS4J, Santuario and the module of Java in one process, which the tests ask by lines (`Partner.java`)."""

from __future__ import annotations

import base64
import os
import pathlib
import shutil
import subprocess
import sys
from collections.abc import Iterator

import pytest

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
WORK = ROOT / "build/wss-python"
GENERATED = WORK / "generated"
JAVA = ROOT / "runtimes/java-wss/src/test"
JARS = f"{WORK / 'classes'}{os.pathsep}{WORK / 'jars'}/*"
MAVEN = ["mvn", "--batch-mode", "--no-transfer-progress", "--quiet", "--file", ROOT / "runtimes/pom.xml", "--projects", "java-wss", "--also-make", "-Dexec.skip=true"]
COPY = ["compile", "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies", "-DexcludeGroupIds=creo,org.junit.jupiter,org.junit.platform,org.opentest4j,org.apiguardian"]
SHARED = ["Certificates", "Envelopes", "Peer"]

sys.path.insert(0, str(GENERATED / "python"))


def run(*command: object) -> None:
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=600, check=False, cwd=WORK)
    assert done.returncode == 0, f"{command}: {done.stdout}{done.stderr}"


def pytest_configure(config: pytest.Config) -> None:
    """The tests import the generated code, so it is made before they are collected."""
    if config.option.collectonly:
        return
    shutil.rmtree(WORK, ignore_errors=True)
    WORK.mkdir(parents=True)
    run(*MAVEN, *COPY, f"-DoutputDirectory={WORK / 'jars'}")
    run(ROOT / "target/debug/creo", "generate", JAVA / "creo/notes.creo", "--target", "java,python", "--wires", "all", "--with", "wss", "--out", GENERATED)
    sources = [HERE / "Partner.java", *(JAVA / f"java/creo/wss/{name}.java" for name in SHARED), *sorted((GENERATED / "java").rglob("*.java"))]
    run("javac", "--release", "17", "-nowarn", "-cp", JARS, "-d", WORK / "classes", *(path for path in sources if path.name != "module-info.java"))


class Refused(Exception):
    """What the other side says of a message that it does not accept."""


class Partner:
    """The other side."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(["java", "-cp", JARS, "creo.wss.Partner"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)

    def ask(self, command: str, message: bytes = b"", **options: object) -> list[str]:
        """The words of an answer."""
        assert self._process.stdin is not None and self._process.stdout is not None
        told = [f"{name}={int(value) if isinstance(value, bool) else value}" for name, value in options.items()]
        line = "\t".join([command, *told, base64.b64encode(message).decode()])
        self._process.stdin.write(line.encode() + b"\n")
        self._process.stdin.flush()
        answer = self._process.stdout.readline().decode().rstrip("\n").split("\t")
        if answer[0] != "ok":
            raise Refused("\t".join(answer[1:]))
        return answer[1:]

    def message(self, command: str, message: bytes, **options: object) -> bytes:
        """The last word of an answer, as bytes."""
        return base64.b64decode(self.ask(command, message, **options)[-1])

    def end(self) -> None:
        self._process.communicate()
        assert self._process.returncode == 0


@pytest.fixture(scope="session")
def partner() -> Iterator[Partner]:
    made = Partner()
    yield made
    made.end()
