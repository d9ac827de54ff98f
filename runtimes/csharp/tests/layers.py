#!/usr/bin/env python3
"""The layers of the runtime, as emit.txt has them: a part uses only itself and the parts that it needs.

    layers.py check              reads the names of types in every file, fails on a use upward, and proves that it can fail
    layers.py closures FOLDER    prints a batch of compilations for the C# compiler: each part with what it needs and nothing else, into FOLDER

The check is quick and names the parts; the compiler also finds uses of members, and of names that are those of a type and of a member of the file.
"""

from __future__ import annotations

import pathlib
import re
import sys
from dataclasses import dataclass, field

RUNTIME = pathlib.Path(__file__).resolve().parent.parent
TYPE = re.compile(r"\b(?:class|struct|interface|enum|record(?: class| struct)?) ([A-Z]\w*)|\bdelegate [\w<>?.]+ ([A-Z]\w*)")
STRING = re.compile(r'"""[\s\S]*?"""|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'')
NAME = re.compile(r"(?<![\w.])[A-Z]\w*")
# A module has a separate list, which is one part.
MODULES = ["jms", "opentelemetry", "wss"]
NAMESPACES = ["Http", "Json", "Messages", "Net", "Soap", "Tables", "Tcp", "Xml"]
QUALIFIER = re.compile(r"(?<![\w.])(?:global::)?(?:Creo\.)?(?:(?:" + "|".join(NAMESPACES) + r")\.)?(?=[A-Z])")
# A property, a method, a constant or a constant of an enum: its name may be that of a type which the file does not use.
MEMBER = re.compile(r"(?:[\w>\]?)] |^ +)(?<!\bnew )(?<!\bis )(?<!\bas )(?<!\breturn )([A-Z]\w*)(?: = | =>| \{|,?$|\(|;|<\w)", re.M)


@dataclass
class Part:
    name: str
    needs: list[str]
    files: list[str] = field(default_factory=list)


def read_parts(text: str) -> list[Part]:
    """The parts of a list, in its order."""
    parts: list[Part] = []
    for line in text.splitlines():
        line = line.split("#")[0].strip()
        if line.startswith("["):
            name, _, needs = line.strip("[]").partition(":")
            parts.append(Part(name.strip(), needs.split()))
        elif line:
            parts[-1].files.append(line.split("->")[0].strip())
    return parts


def check_ladder(parts: list[Part]) -> list[str]:
    """Parts that need one which is not before them, and files in two parts."""
    problems = []
    known: set[str] = set()
    files: set[str] = set()
    for part in parts:
        problems += [f"{part.name} needs {need}, which is not before it" for need in part.needs if need not in known]
        problems += [f"{file} is in two parts" for file in part.files if file in files]
        known.add(part.name)
        files.update(part.files)
    return problems


def closure(parts: list[Part], name: str) -> list[str]:
    """A part and all that it needs, in the order of the list."""
    needed = {name}
    for part in reversed(parts):
        if part.name in needed:
            needed.update(part.needs)
    return [part.name for part in parts if part.name in needed]


def code(text: str) -> str:
    """The text without strings and comments; of documentation only what it refers to."""
    lines = []
    for line in text.split("\n"):
        stripped = line.lstrip()
        if stripped.startswith("///"):
            line = " ".join(re.findall(r'cref="([^"]*)"', stripped))
        lines.append(line)
    without_strings = STRING.sub('""', "\n".join(lines))
    return re.sub(r"//.*", "", without_strings)


def types(text: str) -> list[str]:
    """The types that others can name: those that a file declares outside of any other type."""
    indent = "    " if re.search(r"^namespace [\w.]+$", text, re.M) else ""
    lines = [line for line in text.split("\n") if line.startswith(indent) and line[len(indent):len(indent) + 1].isalpha()]
    return [match[1] or match[2] for line in lines for match in TYPE.finditer(line)]


def uses_upward(part: Part, file: str, text: str, owners: dict[str, set[str]], allowed: set[str]) -> list[str]:
    """Types of parts that the part of a file does not need."""
    names = set(NAME.findall(QUALIFIER.sub("", text))) - set(MEMBER.findall(text))
    return [
        f"{file} ({part.name}) uses {name} of {', '.join(sorted(owners[name]))}"
        for name in sorted(names) if name in owners and not allowed & owners[name]
    ]


def check() -> int:
    """Prints the errors."""
    parts = read_parts((RUNTIME / "emit.txt").read_text())
    texts = {file: code((RUNTIME / file).read_text()) for part in parts for file in part.files if file.endswith(".cs")}
    # A partial type may be declared in several parts.
    owners: dict[str, set[str]] = {}
    for part in parts:
        for file in part.files:
            for name in types(texts.get(file, "")):
                owners.setdefault(name, set()).add(part.name)
    problems = check_ladder(parts)
    declared = {name for text in texts.values() for name in re.findall(r"^namespace Creo\.(\w+)", text, re.M)}
    if declared != set(NAMESPACES):
        problems.append(f"the namespaces are {', '.join(sorted(declared))}")
    for part in parts:
        allowed = set(closure(parts, part.name))
        for file in part.files:
            problems += uses_upward(part, file, texts.get(file, ""), owners, allowed)
        # The check can fail: a use of any type that the part must not know is found, in each of these forms.
        for name in (name for name in owners if not allowed & owners[name]):
            for use in (f"void Use({name} it);", f"it = new {name}();", f"it is {name};", f"{name}.Use();", f"List<{name}> all;", f"class It : {name}", f"new Creo.Xml.{name}();"):
                if not uses_upward(part, "a file", use, owners, allowed):
                    problems.append(f"`{use}` in {part.name} was not found")
    if not check_ladder(parts[::-1]):
        problems.append("needs of later parts were not found")
    for problem in problems:
        print(f"layers: {problem}", file=sys.stderr)
    return 1 if problems else 0


def closures(folder: str) -> int:
    """Prints the compilations of each part with what it needs, modules among them."""
    parts = read_parts((RUNTIME / "emit.txt").read_text())
    parts += [part for module in MODULES for part in read_parts((RUNTIME / f"emit-{module}.txt").read_text())]
    for part in parts:
        names = closure(parts, part.name)
        files = [str(RUNTIME / file) for each in parts if each.name in names for file in each.files if file.endswith(".cs")]
        print("\t".join([f"-out:{folder}/{part.name}.dll", "-target:library", "-nullable", "-warnaserror", *files]))
    return 0


def main(arguments: list[str]) -> int:
    if arguments == ["check"]:
        return check()
    if arguments[:1] == ["closures"] and len(arguments) == 2:
        return closures(arguments[1])
    print(__doc__, file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
