"""The runtime is a ladder of parts (``emit.txt``): none imports one above it, nor itself by name."""

from __future__ import annotations

import re
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

from creo._base import WIRES, module_of
from layers import RUNTIME, Ladder, imported, ladder

SOURCE = RUNTIME / "src" / "creo"
#: Where the code says by text which module of a part above it wants.
NAMED = re.compile(
    r'(?:module_of\(|channel_of\(|\b_tcp(?:: ClassVar\[str\])? =|\bmodule =)\s*"([^"]+)"'
)


def _problems(found: Ladder, root: Path) -> list[str]:
    return list(found.problems(root))


def test_no_part_imports_one_above_it() -> None:
    assert _problems(ladder(), SOURCE) == []


def test_no_file_is_imported_by_what_it_imports() -> None:
    files = [path.relative_to(SOURCE).as_posix() for path in SOURCE.rglob("*.py")]
    graph = {
        path: {found for _, found in imported(SOURCE, path, at_once=True) if found != path}
        for path in files
    }
    TopologicalSorter(graph).prepare()  # raises CycleError


def test_every_file_is_in_one_part() -> None:
    listed = set(ladder().part_of)
    for module in ("jms", "opentelemetry", "wss"):
        lines = (RUNTIME / f"emit-{module}.txt").read_text()
        listed |= set(re.findall(r"-> creo/(\S+)", lines))
    there = {path.relative_to(SOURCE).as_posix() for path in SOURCE.rglob("*.py")} | {"py.typed"}
    assert listed == there


@pytest.mark.parametrize("module", ["jms", "wss"])
def test_a_module_imports_nothing_by_the_name_of_the_runtime(module: str) -> None:
    for path in [*(SOURCE / f"_{module}").glob("*.py"), SOURCE / f"{module}.py"]:
        for line, found in imported(SOURCE, path.relative_to(SOURCE).as_posix()):
            assert (SOURCE / found).is_file(), f"{path}:{line}: {found}"


def test_what_is_found_by_name_is_there() -> None:
    """``module_of`` names modules by text, which no import shows."""
    for name in WIRES:
        assert module_of(name).__name__ == f"creo.{name}"
    text = "\n".join(path.read_text() for path in SOURCE.rglob("*.py"))
    assert set(NAMED.findall(text)) == set(WIRES)


LIST = """\
# [low]
low.py -> creo/low.py

[high: low]
high.py -> creo/high.py
top/__init__.py -> creo/top/__init__.py
"""


@pytest.mark.parametrize(
    ("low", "problem"),
    [
        ("import os", None),
        ("from . import low", None),
        ("from .high import x", "low.py:1: low imports high.py of high"),
        ("from . import high", "low.py:1: low imports high.py of high"),
        ("from . import top", "low.py:1: low imports top/__init__.py of high"),
        ("from .top import high", "low.py:1: low imports top/__init__.py of high"),
        ("def f():\n    from .high import x", "low.py:2: low imports high.py of high"),
        ("if TYPE_CHECKING:\n    from .high import X", "low.py:2: low imports high.py of high"),
        ("from .gone import x", "low.py:1: imports ?, which is of no part"),
        ("import creo.low", "low.py:1: imports creo.low, which is of no part"),
        ("from creo.low import x", "low.py:1: imports creo.low, which is of no part"),
        ("from creo import low", "low.py:1: imports creo, which is of no part"),
    ],
)
def test_an_arrow_upward_is_found(tmp_path: Path, low: str, problem: str | None) -> None:
    (tmp_path / "top").mkdir()
    (tmp_path / "low.py").write_text(low)
    (tmp_path / "high.py").write_text("from .low import x\nfrom . import top\n")
    (tmp_path / "top" / "__init__.py").write_text("from ..high import y\n")
    assert _problems(Ladder(LIST), tmp_path) == ([] if problem is None else [problem])


@pytest.mark.parametrize(
    "text",
    [
        "[high: low]\n[low]\n",
        "[low]\n[low]\n",
        "[low]\na -> creo/a\n[high: low]\nb -> creo/a\n",
        "a -> creo/a\n[low]\n",
    ],
)
def test_a_list_that_is_no_ladder_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"a part is listed twice|a file in no part"):
        Ladder(text)
