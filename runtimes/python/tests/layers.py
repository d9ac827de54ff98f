"""The parts of the runtime as listed in ``emit.txt``, and the allowed imports of each."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

RUNTIME = Path(__file__).parent.parent
_SECTION = re.compile(r"(?:# )?\[([\w+]+)(?:: ([\w+]+(?:, [\w+]+)*))?\]")


@dataclass
class Part:
    """A section of the list."""

    name: str
    #: The parts that it needs directly.
    needs: tuple[str, ...]
    #: Its files, as paths within the emitted ``creo``.
    files: list[str] = field(default_factory=list[str])


class Ladder:
    """All parts, in order. Refuses a list in which one needs another that is not before it."""

    def __init__(self, text: str) -> None:
        self.parts: dict[str, Part] = {}
        self.part_of: dict[str, str] = {}
        part: Part | None = None
        for line in text.splitlines():
            section = _SECTION.fullmatch(line)
            if section is not None:
                needs = tuple(section[2].split(", ")) if section[2] else ()
                part = Part(section[1], needs)
                if part.name in self.parts or not set(needs) <= set(self.parts):
                    raise ValueError(f"a part is listed twice, or before one that it needs: {line}")
                self.parts[part.name] = part
            elif line and not line.startswith("#"):
                emitted = line.split(" -> ")[1]
                path = str(PurePosixPath(emitted).relative_to("creo"))
                if part is None or path in self.part_of:
                    raise ValueError(f"a file in no part, or in two: {path}")
                part.files.append(path)
                self.part_of[path] = part.name

    def closure(self, *names: str) -> list[str]:
        """These parts and all that they need, in order."""
        wanted = set(names)
        for part in reversed(self.parts.values()):
            if part.name in wanted:
                wanted.update(part.needs)
        return [name for name in self.parts if name in wanted]

    def files(self, *names: str) -> list[str]:
        """The files of these parts and of all that they need."""
        return [path for name in self.closure(*names) for path in self.parts[name].files]

    def problems(self, root: Path) -> Iterator[str]:
        """The invalid imports of the files below ``root``, a ``creo``."""
        for path, part in self.part_of.items():
            if path.endswith(".py"):
                below = self.closure(part)
                for line, module in imported(root, path):
                    target = self.part_of.get(module)
                    if target is None:
                        yield f"{path}:{line}: imports {module}, which is of no part"
                    elif target not in below:
                        yield f"{path}:{line}: {part} imports {module} of {target}"


def ladder() -> Ladder:
    """That of ``emit.txt``."""
    return Ladder((RUNTIME / "emit.txt").read_text())


def imported(root: Path, path: str, *, at_once: bool = False) -> Iterator[tuple[int, str]]:
    """The files that a file imports, each with a line: at its top, in functions, and for types.

    With ``at_once`` only what importing it imports. An import that names the runtime's top-level
    package is one of ``creo``.
    """
    package = PurePosixPath(path).parent.parts
    tree = ast.parse((root / path).read_text())
    for node in tree.body if at_once else ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name.split(".")[0] == "creo":
                    yield node.lineno, alias.name
        elif isinstance(node, ast.ImportFrom):
            module = tuple(node.module.split(".")) if node.module else ()
            if node.level == 0:
                if module[:1] == ("creo",):
                    yield node.lineno, ".".join(module)
                continue
            base = (*package[: len(package) - (node.level - 1)], *module)
            for alias in node.names:
                yield node.lineno, _file(root, (*base, alias.name)) or _file(root, base) or "?"


def _file(root: Path, module: tuple[str, ...]) -> str | None:
    """The path of a module below ``root``; None if there is none."""
    folder = PurePosixPath(*module) if module else PurePosixPath()
    for path in (folder / "__init__.py", folder.with_suffix(".py") if module else folder):
        if (root / path).is_file():
            return str(path)
    return None
