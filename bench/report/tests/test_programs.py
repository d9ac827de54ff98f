"""The benchmarks' programs compile with the code that is generated today. They reach into the runtime, which no compatibility holds together."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from harness import security, security_costs, tools
from harness.languages import CSharp

C = {"wire": "c", "messages": "c/soap", "workloads": "workloads/c"}
# As the Makefiles have them; a warning is an error here.
FLAGS = ["-std=gnu11", "-Wall", "-Wextra", "-Werror", "-fsyntax-only"]
# Those in packages of the runtime.
JAVA = ["bench/java/src/main/java/creo/runtime/RequestForm.java", "crates/creo-measure/drivers/java/Forms.java"]


@pytest.fixture
def generated(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """What is generated in the test's language goes here; what a benchmark has generated stays as it is."""
    if (language := request.node.get_closest_marker("language").args[0]) in request.config.getoption("--without").split(","):
        pytest.skip(f"{language} (--without)")
    monkeypatch.setattr(tools, "BUILD", tmp_path)
    return tmp_path


def compiles(*command: str | Path) -> None:
    done = subprocess.run([str(word) for word in command], cwd=tools.ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.language("c")
@pytest.mark.usefixtures("generated")
@pytest.mark.parametrize("description", C)
def test_c(description: str) -> None:
    code, folder = tools.generate("c", description), tools.BENCH / C[description]
    compiles("cc", *FLAGS, "-I", folder, "-I", tools.BENCH / "c", "-isystem", code / "include", "-isystem", code, folder / "creo.c")


@pytest.mark.language("java")
def test_java(generated: Path) -> None:
    code = tools.generate("java", "messages")
    listed = generated / "sources.txt"
    listed.write_text("\n".join([str(path) for path in code.rglob("*.java") if path.name != "module-info.java"] + JAVA))
    compiles(*tools.JAVAC, "-nowarn", "-proc:none", "-d", generated / "classes", f"@{listed}")


@pytest.mark.language("java")
def test_secured_calls(generated: Path) -> None:
    (generated / "secured").mkdir()
    security.compile_creo(tools.generate("java", "messages", "--with", "wss"), generated / "secured")


@pytest.mark.language("c")
def test_costs_of_security_c(generated: Path) -> None:
    if lacks := security_costs.missing("c"):
        pytest.skip(lacks)
    security_costs.compile_c(tools.generate("c", "messages", "--with", "wss"), generated / "costs")


@pytest.mark.language("csharp")
def test_costs_of_security_csharp(generated: Path) -> None:
    security_costs.compile_csharp(tools.generate("csharp", "messages", "--with", "wss"), generated / "costs.dll")


@pytest.mark.language("csharp")
@pytest.mark.parametrize("text", [False, True])
def test_csharp(text: bool, generated: Path) -> None:
    code = tools.generate("csharp", "messages" if text else "wire")
    compiles(tools.ROOT / "scripts/dotnet/csc.sh", f"-out:{generated}/bench.dll", "-target:exe", "-nullable", *CSharp.sources(text), f"-recurse:{code}/*.cs")
