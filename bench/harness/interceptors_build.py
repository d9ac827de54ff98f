"""Builds the programs of the benchmark of interceptors below build/bench/interceptors, and says how they are started."""

from __future__ import annotations

import os
import sys
from typing import Callable, Iterable

from .tools import BENCH, BUILD, JAVAC, ROOT, fresh, generate, run, say

SOURCES = BENCH / "interceptors"
HERE = BUILD / "interceptors"
DOTNET = ROOT / "scripts" / "dotnet"


def build(languages: Iterable[str]) -> None:
    """The service, and the clients of these languages."""
    fresh(HERE)
    for language in dict.fromkeys(("java", *languages)):
        say(f"{language}: building")
        LANGUAGES[language]()


def _java() -> None:
    sources = [*generate("java", "echo").rglob("*.java"), SOURCES / "java" / "Interceptors.java"]
    listed = fresh(HERE / "java" / "classes").parent / "sources.txt"
    listed.write_text("\n".join(str(path) for path in sources if path.name != "module-info.java"))
    run([*JAVAC, "-nowarn", "-proc:none", "-d", HERE / "java" / "classes", f"@{listed}"], capture=True)


def _python() -> None:
    generate("python", "echo")


def _c() -> None:
    creo = generate("c", "echo")
    sources = [SOURCES / "c" / "interceptors.c", *(creo / "src").glob("*.c")]
    run(["cc", "-std=gnu11", "-O3", "-Wall", "-Wextra", "-isystem", creo / "include", "-o", HERE / "c", *sources, "-lpthread"])


def _csharp() -> None:
    creo = generate("csharp", "echo")
    folder = fresh(HERE / "csharp")
    run([DOTNET / "csc.sh", f"-out:{folder}/interceptors.dll", "-target:exe", "-nullable", *(SOURCES / "csharp").glob("*.cs"), f"-recurse:{creo}/*.cs"])


LANGUAGES: dict[str, Callable[[], None]] = {"java": _java, "python": _python, "c": _c, "csharp": _csharp}


def service_command() -> list[str]:
    return ["java", "-cp", str(HERE / "java" / "classes"), "Interceptors", "serve"]


def client_command(language: str) -> list[str]:
    commands: dict[str, list[object]] = {
        "java": ["java", "-cp", HERE / "java" / "classes", "Interceptors", "call"],
        "python": [sys.executable, SOURCES / "python" / "interceptors.py"],
        "c": [HERE / "c"],
        "csharp": [DOTNET / "run.sh", HERE / "csharp" / "interceptors.dll"],
    }
    return [str(word) for word in commands[language]]


def client_environment(language: str) -> dict[str, str]:
    if language == "python":
        folders = (BUILD / "creo" / "python-echo" / "python", ROOT / "build" / "accelerator")
        return {"PYTHONPATH": os.pathsep.join(map(str, folders)), "CREO_ACCELERATOR": "1"}
    # As in languages.py: hot code is compiled again at once.
    return {"DOTNET_TC_CallCountingDelayMs": "0"} if language == "csharp" else {}
