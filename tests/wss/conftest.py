"""WSS4J, Santuario and the module of Java in one process, which the tests ask by lines (`Partner.java`), and the code that they call."""

from __future__ import annotations

import base64
import os
import pathlib
import shutil
import subprocess
import sys
from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import serialization

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
WORK = ROOT / "build/wss"
GENERATED = WORK / "generated"
CREO = ROOT / "target/debug/creo"
JAVA = ROOT / "runtimes/java-wss/src/test"
NOTES = JAVA / "creo/notes.creo"
JARS = os.pathsep.join([str(WORK / "classes"), f"{WORK / 'jars'}/*", f"{ROOT / 'build/jms'}/*"])
MAVEN = ["mvn", "--batch-mode", "--no-transfer-progress", "--quiet", "--file", ROOT / "runtimes/pom.xml", "--projects", "java-wss", "--also-make", "-Dexec.skip=true"]
COPY = ["compile", "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies", "-DexcludeGroupIds=creo,org.junit.jupiter,org.junit.platform,org.opentest4j,org.apiguardian"]
SHARED = ["Certificates", "Envelopes", "NotesService", "Peer"]
QUEUE = "jms:queue:notes"

sys.path.insert(0, str(GENERATED / "python"))


def run(*command: object) -> str:
    """What the command prints."""
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=600, check=False, cwd=WORK)
    assert done.returncode == 0, f"{command}: {done.stdout}{done.stderr}"
    return done.stdout


def generate(target: str, *modules: str) -> pathlib.Path:
    """The folder of the code."""
    run(CREO, "generate", NOTES, "--target", target, "--wires", "all", "--with", ",".join(["wss", "jms", *modules]), "--out", GENERATED)
    return GENERATED / target


def pytest_configure(config: pytest.Config) -> None:
    """The tests import the generated code, so it is made before they are collected."""
    if config.option.collectonly:
        return
    assert (ROOT / "build/jms/.ready").exists(), "no libraries in build/jms: run scripts/setup.sh first"
    shutil.rmtree(WORK, ignore_errors=True)
    WORK.mkdir(parents=True)
    run(*MAVEN, *COPY, f"-DoutputDirectory={WORK / 'jars'}")
    generate("python")
    code = sorted(generate("java", "jms-broker").rglob("*.java"))
    sources = [HERE / "Partner.java", *(JAVA / f"java/creo/wss/{name}.java" for name in SHARED), *code]
    run("javac", "-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC", "--release", "17", "-nowarn", "-cp", JARS, "-d", WORK / "classes", *(path for path in sources if path.name != "module-info.java"))


class Refused(Exception):
    """What the other side says of a message that it does not accept."""


class Lines:
    """A program that answers lines, of a command, options and a message, by one line each."""

    def __init__(self, *command: object) -> None:
        self._process = subprocess.Popen([str(word) for word in command], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

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


class Pair(NamedTuple):
    """A key of `Certificates.java` with its certificate."""

    key: Any
    certificate: x509.Certificate


@pytest.fixture(scope="session")
def partner() -> Iterator[Lines]:
    made = Lines("java", "-cp", JARS, "creo.wss.Partner")
    yield made
    made.end()


@pytest.fixture(scope="session")
def keys(partner: Lines) -> dict[str, Pair]:
    """All keys, by name."""
    found = {}
    for each in partner.ask("keys")[0].split(";")[:-1]:
        name, key, certificate = each.split(" ")
        found[name] = Pair(serialization.load_der_private_key(base64.b64decode(key), None), x509.load_der_x509_certificate(base64.b64decode(certificate)))
    return found
