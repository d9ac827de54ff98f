"""The runtime's parts and their dependencies, by `emit.txt`: a file includes only files of its part and of lower parts.

Beyond the includes, what a source file calls or names must be declared by a file that it includes, which the compiler checks.

`creo.h` belongs to no part: it includes all public headers, and only modules include it.
"""

import pathlib
import posixpath
import re
import sys

ROOT = pathlib.Path(__file__).parent.parent
LISTS = ("emit.txt", "emit-jms.txt", "emit-wss.txt")
FOLDERS = ("include", "src")
ALL = "include/creo/creo.h"
SECTION = re.compile(r"(?:#\s*)?\[([\w+]+)(?::([\w+\s]*))?\]$")
INCLUDE = re.compile(r'^\s*#\s*include\s*(?:<(creo/[^>]+)>|"([^"]+)")', re.MULTILINE)


class Parts:
    """The parts of lists: their files, and all parts that each may know."""

    def __init__(self, texts):
        self.part = {}
        self.below = {}
        self.mistakes = []
        for text in texts:
            self._read(text)

    def _read(self, text):
        part = None
        for line in text.splitlines():
            section = SECTION.match(line.strip())
            if section:
                part = section.group(1)
                self._add(part, (section.group(2) or "").split())
            elif line.strip() and not line.startswith("#"):
                path = line.strip()
                if part is None:
                    self.mistakes.append(f"{path}: in no part")
                if path in self.part:
                    self.mistakes.append(f"{path}: twice in the lists")
                self.part[path] = part

    def _add(self, part, needs):
        if part in self.below:
            self.mistakes.append(f"[{part}]: twice in the lists")
        self.below[part] = {part}
        for needed in needs:
            if needed not in self.below or needed == part:
                self.mistakes.append(f"[{part}]: needs {needed}, which is not above it in the list")
            self.below[part] |= self.below.get(needed, set())


def included(path, text):
    """The files of the runtime that one includes."""
    for own, local in INCLUDE.findall(text):
        yield "include/" + own if own else posixpath.normpath(posixpath.join(posixpath.dirname(path), local))


def check(runtime, modules, files):
    """The mistakes of a runtime, by the texts of its list, of those of its modules, and of its files."""
    parts = Parts([runtime, *modules])
    own = Parts([runtime])
    mistakes = list(parts.mistakes)
    mistakes += [f"{path}: in no list" for path in sorted(files.keys() - parts.part.keys() - {ALL})]
    mistakes += [f"{path}: listed, but missing" for path in sorted(parts.part.keys() - files.keys())]
    for path in sorted(files.keys() & parts.part.keys()):
        part = parts.part[path]
        public = path.startswith("include/")
        folder = path.split("/")[1]
        if not public and folder != part:
            mistakes.append(f"{path}: in the folder {folder}, but of the part {part}")
        for target in included(path, files[path]):
            if target == ALL and path not in own.part:
                continue
            if target not in parts.part:
                mistakes.append(f"{path}: includes {target}, which is no file of the runtime")
            elif parts.part[target] not in parts.below[part]:
                mistakes.append(f"{path}: of {part}, includes {target}, of {parts.part[target]}")
            elif public and target.startswith("src/"):
                mistakes.append(f"{path}: a public header, includes {target}")
    public = {path for path in own.part if path.startswith("include/")}
    in_all = set(included(ALL, files.get(ALL, "")))
    mistakes += [f"{ALL}: does not include {path}" for path in sorted(public - in_all)]
    mistakes += [f"{ALL}: includes {path}, which is no public header of the runtime" for path in sorted(in_all - public)]
    return mistakes


def test_that_mistakes_are_found():
    runtime = "[low]\nsrc/low/a.c\nsrc/low/a.h\n[high: low]\nsrc/high/b.c\nsrc/high/b.h\n[other: low]\nsrc/other/c.c\ninclude/creo/c.h\n"
    module = "[module: high]\ninclude/creo/m.h\nsrc/module/m.c\n"
    right = {
        "src/low/a.c": '#include "a.h"\n#include <stdio.h>\n',
        "src/low/a.h": "",
        "src/high/b.c": '#include "b.h"\n#include "../low/a.h"\n',
        "src/high/b.h": "",
        "src/other/c.c": "#include <creo/c.h>\n",
        "include/creo/c.h": "",
        "include/creo/m.h": "#include <creo/creo.h>\n",
        "src/module/m.c": '#include <creo/m.h>\n#include "../high/b.h"\n',
        ALL: "#include <creo/c.h>\n",
    }
    assert check(runtime, [module], right) == []
    assert check(runtime.replace("[", "# ["), [module], right) == []

    def found(path, text, mistake, runtime=runtime):
        mistakes = check(runtime, [module], {**right, path: text})
        assert mistakes == [mistake], mistakes

    found("src/low/a.c", '#include "../high/b.h"\n', "src/low/a.c: of low, includes src/high/b.h, of high")
    found("src/low/a.h", "  #  include <creo/c.h>\n", "src/low/a.h: of low, includes include/creo/c.h, of other")
    found("src/other/c.c", '#include "../high/b.h"\n', "src/other/c.c: of other, includes src/high/b.h, of high")
    found("src/low/a.c", '#include "none.h"\n', "src/low/a.c: includes src/low/none.h, which is no file of the runtime")
    found("src/low/new.c", "", "src/low/new.c: in no list")
    found("include/creo/c.h", '#include "../../src/low/a.h"\n', "include/creo/c.h: a public header, includes src/low/a.h")
    found("src/low/a.c", "", "src/high/gone.c: listed, but missing", runtime.replace("[other", "src/high/gone.c\n[other"))
    found("src/low/a.c", "", "[low]: needs high, which is not above it in the list", runtime.replace("[low]", "[low: high]"))
    found("src/low/a.c", "", "src/low/a.c: in the folder low, but of the part high", runtime.replace("src/low/a.c\n", "").replace("[other", "src/low/a.c\n[other"))
    found("src/other/c.c", "#include <creo/creo.h>\n", "src/other/c.c: includes include/creo/creo.h, which is no file of the runtime")
    found("src/module/m.c", '#include "../other/c.h"\n', "src/module/m.c: includes src/other/c.h, which is no file of the runtime")
    found(ALL, "", "include/creo/creo.h: does not include include/creo/c.h")
    found(ALL, "#include <creo/c.h>\n#include <creo/m.h>\n", "include/creo/creo.h: includes include/creo/m.h, which is no public header of the runtime")


def main():
    test_that_mistakes_are_found()
    files = {
        path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8")
        for folder in FOLDERS
        for path in (ROOT / folder).rglob("*.[ch]")
    }
    runtime, *modules = ((ROOT / name).read_text(encoding="utf-8") for name in LISTS)
    mistakes = check(runtime, modules, files)
    for mistake in mistakes:
        print(mistake, file=sys.stderr)
    if not mistakes:
        print(f"layers: {len(files)} files OK")
    return 1 if mistakes else 0


if __name__ == "__main__":
    sys.exit(main())
