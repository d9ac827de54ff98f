"""The clients of the ledger in each language: how they are built, and how they are started."""

from __future__ import annotations

import os
import pathlib
import shlex
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
LANGUAGES = ["java", "python", "c", "csharp"]
BUILD_SECONDS = 600


class Failure(Exception):
    """The run cannot go on."""


def run(command: list[str], folder: pathlib.Path) -> str:
    done = subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace", timeout=BUILD_SECONDS, check=False)
    if done.returncode != 0:
        raise Failure(f"exit code {done.returncode}: {' '.join(command)[:200]}: {(done.stdout + done.stderr)[-1500:]}")
    return done.stdout


class Programs:
    """All programs of a run, in a separate folder; `languages` are those of the clients. Hosts are in Java."""

    def __init__(self, work: pathlib.Path, creo: pathlib.Path, languages: list[str]) -> None:
        self.work = work
        self.generated = work / "generated"
        self.java = ["java", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp", os.pathsep.join([str(work / "classes"), str(ROOT / "build" / "jms" / "*")])]
        if not (ROOT / "build" / "jms" / ".ready").exists():
            raise Failure("no libraries in build/jms: run scripts/setup.sh first")
        shutil.rmtree(work, ignore_errors=True)
        (work / "logs").mkdir(parents=True)
        # The broker is a module of Java alone.
        for targets, modules in (({"java"}, "jms,jms-broker"), (set(languages) - {"java"}, "jms")):
            if targets:
                run([str(creo), "generate", "--quiet", str(HERE / "ledger.creo"), "--target", ",".join(sorted(targets)), "--with", modules, "--out", str(self.generated)], work)
        self._build_java()
        if "c" in languages:
            self._build_c()
        if "csharp" in languages:
            out, sources = work / "csharp" / "caller.dll", self.generated / "csharp"
            run([str(ROOT / "scripts/dotnet/csc.sh"), f"-out:{out}", "-target:exe", "-nullable", "-warnaserror", f"-recurse:{sources}/*.cs", str(HERE / "callers/Caller.cs")], work)

    def _build_java(self) -> None:
        files = [file for folder in (self.generated / "java", HERE / "java") for file in sorted(folder.rglob("*.java")) if file.name != "module-info.java"]
        listing = self.work / "sources.list"
        listing.write_text("".join(f'"{file}"\n' for file in files))
        run(["javac", "-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC", "--release", "17", "-encoding", "UTF-8", "-proc:none", "-cp", str(ROOT / "build" / "jms" / "*"), "-d", str(self.work / "classes"), f"@{listing}"], self.work)

    def _build_c(self) -> None:
        code = self.generated / "c"
        run(["make", "--silent", "-C", str(code)], self.work)
        proton = shlex.split(run(["pkg-config", "--libs", "libqpid-proton"], self.work))
        flags = ["-std=c11", "-D_POSIX_C_SOURCE=200809L", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-O1", f"-I{code / 'include'}"]
        libraries = [*map(str, (code / "build").glob("libcreo_*.a")), *proton, "-lpthread"]
        run(["gcc", *flags, "-o", str(self.work / "caller"), str(HERE / "callers/caller.c"), *libraries], self.work)

    def caller(self, language: str) -> list[str]:
        """The command of a client, without its arguments."""
        return {
            "java": [*self.java, "Caller"],
            "python": ["env", f"PYTHONPATH={self.generated / 'python'}", sys.executable, "-W", "error", str(HERE / "callers/caller.py")],
            "c": [str(self.work / "caller")],
            "csharp": [str(ROOT / "scripts/dotnet/run.sh"), str(self.work / "csharp" / "caller.dll")],
        }[language]
