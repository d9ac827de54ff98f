#!/usr/bin/env python3
"""Lists what is missing for a release: all versions match Cargo.toml, the changelog has an entry, and generated code fits its runtime.

    scripts/dist/release_check.py              exit code 1, and a line for each thing that is missing
    scripts/dist/release_check.py --write      first writes the version of Cargo.toml to every other place
"""

from __future__ import annotations

import argparse
import pathlib
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass

import project

NUMBER = r"(?P<version>\d+\.\d+\.\d+)"


@dataclass(frozen=True)
class Place:
    """Where a file says the version: every match of the pattern does."""

    path: str
    pattern: str

    @property
    def expression(self) -> re.Pattern[str]:
        return re.compile(self.pattern.replace("NUMBER", NUMBER), re.M)


# A Maven project's own version, and that of another one of ours on which it depends.
MAVEN = r"<artifactId>creo-[a-z-]+</artifactId>\s*<version>NUMBER</version>"
OWN_CRATE = r'^name = "creo-[a-z-]+"\nversion = "NUMBER"$'
PLACES = [
    Place("Cargo.lock", OWN_CRATE),
    Place("fuzz/Cargo.lock", r'^name = "creo-(?!fuzz")[a-z-]+"\nversion = "NUMBER"$'),
    Place("runtimes/pom.xml", MAVEN),
    Place("runtimes/java/pom.xml", MAVEN),
    Place("runtimes/java-jms/pom.xml", MAVEN),
    Place("runtimes/java-jms-broker/pom.xml", MAVEN),
    Place("runtimes/java-servlet/pom.xml", MAVEN),
    Place("runtimes/java-opentelemetry/pom.xml", MAVEN),
    Place("runtimes/java-wss/pom.xml", MAVEN),
    Place("integrations/maven-plugin/pom.xml", MAVEN),
    Place("integrations/maven-cli/pom.xml", MAVEN),
    Place("examples/spring/pom.xml", r"<creo\.version>NUMBER</creo\.version>"),
    Place("tests/maven/project/pom.xml", r"<creo\.version>NUMBER</creo\.version>"),
    Place("tests/maven/run.py", r'^VERSION = "NUMBER"$'),
    Place("runtimes/java/src/main/java/creo/runtime/Version.java", r'String RUNTIME = "NUMBER";'),
    Place("runtimes/python/src/creo/_base/__init__.py", r'^VERSION: Final = "NUMBER"$'),
    Place("runtimes/python/pyproject.toml", r'"creo-accelerator==NUMBER"'),
    Place("runtimes/python-accelerator/src/creo_accelerator/__init__.py", r'^__version__ = "NUMBER"$'),
    Place("runtimes/c/include/creo/version.h", r'^#define CREO_RUNTIME_RELEASE "NUMBER"$'),
    Place("runtimes/csharp/src/Creo.csproj", r"<Version>NUMBER</Version>"),
    Place("runtimes/csharp/src/Errors.cs", r'public const string Version = "NUMBER";'),
    Place("spec/README.md", r"^These are the pages of version NUMBER\.$"),
    Place("spec/model.md", r'\{ "creo": "NUMBER",'),
    Place("docs/cli.md", r'^  "creo": "NUMBER",$'),
    Place("docs/install.md", r'(?:(?:creo|creo-compiler|creo\[accelerator\])(?:==|@|-|_)|csharp=Creo/|"Creo(?:\.Compiler)?" Version=")NUMBER'),
    Place("integrations/gradle-plugin/build.gradle", r"^version = 'NUMBER'$"),
    Place("docs/java-builds.md", r"(?:creo-(?:servlet:|gradle-plugin-|runtime:)|<version>|version ')NUMBER"),
    Place("integrations/pre-commit/pre-commit-config.yaml", r"creo-compiler==NUMBER"),
    Place("integrations/github-action/action.yml", r"default: NUMBER$"),
    Place("integrations/container/Containerfile", r"^ARG VERSION=NUMBER$"),
    Place("integrations/vcpkg/vcpkg.json", r'"version": "NUMBER"'),
    Place("integrations/conan/conanfile.py", r'(?:version = "|creo-c-)NUMBER'),
]


@dataclass(frozen=True)
class Handshake:
    """A number that generated code names, and the runtime's."""

    language: str
    generator: tuple[str, str]
    runtime: tuple[str, str]


HANDSHAKES = [
    Handshake(
        "Java",
        ("crates/creo-gen-java/src/print_binary.rs", r"^pub const FORMAT: u32 = (\d+);"),
        ("runtimes/java/src/main/java/creo/runtime/Version.java", r"int FORMAT = (\d+);"),
    ),
    Handshake(
        "Python",
        ("crates/creo-gen-python/src/print_project.rs", r"^const INTERFACE: u32 = (\d+);"),
        ("runtimes/python/src/creo/_base/__init__.py", r"^NEWEST_INTERFACE: Final = (\d+)$"),
    ),
    Handshake(
        "C",
        ("crates/creo-gen-c/src/print_project.rs", r"^const GENERATED_VERSION: u32 = (\d+);"),
        ("runtimes/c/include/creo/version.h", r"^#define CREO_RUNTIME_VERSION (\d+)$"),
    ),
    Handshake(
        "C#",
        ("crates/creo-gen-csharp/src/print_binary.rs", r"\.(IsAtLeast\d+_\d+);"),
        ("runtimes/csharp/src/Errors.cs", r"(IsAtLeast\d+_\d+) = true;(?![\s\S]*IsAtLeast)"),
    ),
]


def missing(root: pathlib.Path) -> Iterator[str]:
    """What is missing, one line each."""
    version = project.version(root)
    yield from _changelog(root, version)
    for place in PLACES:
        text = _text(root, place.path)
        found = [match["version"] for match in place.expression.finditer(text)]
        if not found:
            yield f"{place.path}: it names no version ({place.pattern})"
        for other in sorted(set(found) - {version}):
            yield f"{place.path}: it says {other}, and Cargo.toml {version}; --write writes it"
    for handshake in HANDSHAKES:
        numbers = [_one(root, path, pattern) for path, pattern in (handshake.generator, handshake.runtime)]
        if None in numbers or numbers[0] != numbers[1]:
            yield (
                f"{handshake.language}: generated code asks for {numbers[0]} ({handshake.generator[0]}), "
                f"and the runtime serves {numbers[1]} ({handshake.runtime[0]})"
            )


def _changelog(root: pathlib.Path, version: str) -> Iterator[str]:
    text = _text(root, "CHANGELOG.md")
    entry = re.search(rf"^## {re.escape(version)} \(\d{{4}}-\d\d-\d\d\)\n(?P<body>(?:(?!## ).*\n?)*)", text, re.M)
    if not entry:
        yield f"CHANGELOG.md: there is no entry `## {version} (YEAR-MONTH-DAY)`"
    elif not re.search(r"^- ", entry["body"], re.M):
        yield f"CHANGELOG.md: the entry of {version} is empty"
    unreleased = re.search(r"^## Unreleased\n(?P<body>(?:(?!## ).*\n?)*)", text, re.M)
    if unreleased and unreleased["body"].strip():
        yield "CHANGELOG.md: there are changes under `## Unreleased`, which belong to a version"


def _text(root: pathlib.Path, path: str) -> str:
    try:
        return (root / path).read_text(encoding="utf-8")
    except FileNotFoundError:
        return ""


def _one(root: pathlib.Path, path: str, pattern: str) -> str | None:
    found = re.search(pattern, _text(root, path), re.M)
    return found[1] if found else None


def write(root: pathlib.Path) -> list[str]:
    """Writes the version to every place, and says which files changed."""
    version = project.version(root)
    changed = []
    for place in PLACES:
        text = _text(root, place.path)

        def replaced(match: re.Match[str]) -> str:
            begin, end = match.start("version") - match.start(), match.end("version") - match.start()
            return match[0][:begin] + version + match[0][end:]

        new = place.expression.sub(replaced, text)
        if new != text:
            (root / place.path).write_text(new, encoding="utf-8")
            changed.append(place.path)
    return changed


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true", help="write the version of Cargo.toml to every other place")
    parser.add_argument("--root", type=pathlib.Path, default=project.ROOT, help="the project's folder")
    arguments = parser.parse_args()
    try:
        if arguments.write:
            for path in write(arguments.root):
                print(f"written: {path}")
        lines = list(missing(arguments.root))
        version = project.version(arguments.root)
    except project.DistError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    for line in lines:
        print(f"missing: {line}")
    print(f"{version}: {'nothing is' if not lines else f'{len(lines)} things are' if len(lines) > 1 else '1 thing is'} missing")
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main())
