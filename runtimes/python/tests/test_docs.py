"""The examples of the guide (``docs/python.md``): they are Python, and what they import is there."""

from __future__ import annotations

import ast
import importlib
import re

from layers import RUNTIME

GUIDE = RUNTIME.parent.parent / "docs" / "python.md"


def test_what_the_guide_imports_is_there() -> None:
    blocks = re.findall(r"^```python\n(.*?)^```", GUIDE.read_text(), flags=re.M | re.S)
    assert len(blocks) > 20
    for node in [node for block in blocks for node in ast.walk(ast.parse(block))]:
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "creo":
            module = importlib.import_module(node.module or "")
            for alias in node.names:
                assert alias.name in module.__all__, f"{node.module} has no {alias.name}"
