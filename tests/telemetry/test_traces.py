"""A client's span is the parent of the service's span, in every language and over TCP and HTTP (CALL-70, CALL-72). The clients print one line for each call."""

from __future__ import annotations

import os
import pathlib
import re
import shutil
import subprocess
import sys

import pytest

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
WORK = ROOT / "build/telemetry"
GENERATED = WORK / "generated"
JARS = f"{WORK / 'classes'}{os.pathsep}{WORK / 'jars'}/*"
MAVEN = ["mvn", "--batch-mode", "--no-transfer-progress", "--quiet", "--file", ROOT / "runtimes/pom.xml", "--projects", "java-opentelemetry", "--also-make", "-Dexec.skip=true"]
COPY = ["compile", "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies", "-DincludeGroupIds=io.opentelemetry"]
WARNINGS = ["-std=c11", "-D_POSIX_C_SOURCE=200809L", "-Wall", "-Wextra", "-Wpedantic", "-Werror"]


def run(*command: object, **more: object) -> str:
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=600, check=False, cwd=WORK, env={**os.environ, **{key: str(value) for key, value in more.items()}})
    assert done.returncode == 0, f"{command}: {done.stdout}{done.stderr}"
    return done.stdout


@pytest.fixture(scope="session")
def port():
    """That of the service, which ends with its standard input."""
    shutil.rmtree(WORK, ignore_errors=True)
    WORK.mkdir(parents=True)
    run(*MAVEN, *COPY, f"-DoutputDirectory={WORK / 'jars'}")
    run(ROOT / "target/debug/creo", "generate", HERE / "traces.creo", "--target", "java,python,csharp", "--wires", "all", "--with", "opentelemetry", "--out", GENERATED)
    run(ROOT / "target/debug/creo", "generate", HERE / "traces.creo", "--target", "c", "--out", GENERATED)
    sources = [HERE / "Host.java", HERE / "Caller.java", *sorted((GENERATED / "java").rglob("*.java"))]
    run("javac", "-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC", "--release", "17", "-nowarn", "-cp", JARS, "-d", WORK / "classes", *(path for path in sources if path.name != "module-info.java"))
    service = subprocess.Popen(["java", "-cp", JARS, "Host"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert service.stdout is not None
    yield int(service.stdout.readline())
    service.communicate()
    assert service.returncode == 0


def check(printed: str, calls: int) -> None:
    lines = printed.splitlines()
    assert len(lines) == calls
    for line in lines:
        words = line.split()
        assert words[:2] == words[2:] and re.fullmatch(r"[0-9a-f]{32} [0-9a-f]{16}", " ".join(words[:2])), line
    assert len({line.split()[1] for line in lines}) in (1, calls)


def test_java(port: int) -> None:
    check(run("java", "-cp", JARS, "Caller", port), 3)


def test_python(port: int) -> None:
    path = os.pathsep.join([str(GENERATED / "python"), *filter(None, [os.environ.get("PYTHONPATH")])])
    check(run(sys.executable, HERE / "caller.py", port, PYTHONPATH=path), 6)


def test_csharp(port: int) -> None:
    program = WORK / "csharp/caller.dll"
    program.parent.mkdir()
    run(ROOT / "scripts/dotnet/csc.sh", f"-out:{program}", "-target:exe", "-nullable", "-warnaserror", f"-recurse:{GENERATED / 'csharp'}/*.cs", HERE / "Caller.cs")
    check(run(ROOT / "scripts/dotnet/run.sh", program, port), 6)


def test_c(port: int) -> None:
    """With the interceptor of docs/c.md."""
    page = (ROOT / "docs/c.md").read_text()
    (WORK / "trace_of_page.h").write_text(page.split("### A trace context", 1)[1].split("```c\n", 1)[1].split("```", 1)[0])
    run("make", "--silent", "-C", GENERATED / "c")
    libraries = sorted((GENERATED / "c/build").glob("libcreo_*.a"))
    run("cc", *WARNINGS, f"-I{GENERATED / 'c/include'}", f"-I{WORK}", "-o", WORK / "caller", HERE / "caller.c", *libraries, "-lpthread", "-lm")
    check(run(WORK / "caller", port), 2)
