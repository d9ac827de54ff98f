"""Generated code to try: the types and methods of descriptions."""

from __future__ import annotations

import importlib
import json
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from creo._binary.schema import NamedType
from creo._call import Method
from creo._call.streams import StreamMethod

ROOT = Path(__file__).resolve().parents[3]
CREO = ROOT / "target" / "debug" / "creo"


def generate(out: Path, descriptions: Iterable[Path]) -> None:
    """Generates importable code for descriptions, which uses the imported runtime."""
    for description in descriptions:
        command = [CREO, "generate", description, "--target", "python", "--wires", "binary,json,soap", "--runtime", "package"]
        subprocess.run([*map(str, command), "--quiet", "--out", str(out)], check=True)
    sys.path.insert(0, str(out / "python"))


def modules(folder: Path, name: str) -> Iterator[Any]:
    """The modules of this name below a folder of generated code."""
    for path in sorted(folder.rglob(f"{name}.py")):
        yield importlib.import_module(".".join(path.relative_to(folder).with_suffix("").parts))


def types(folder: Path) -> list[NamedType[Any]]:
    """All types of the generated packages below a folder."""
    found = [
        value
        for module in modules(folder, "creo_binary")
        for name, value in sorted(vars(module).items())
        if isinstance(value, NamedType) and name.endswith("_TYPE")
    ]
    return list(dict.fromkeys(found))


def methods(folder: Path) -> list[Method[Any, Any]]:
    """All methods of the generated packages below a folder, but those with streams, which text wires do not carry."""
    return [
        value
        for module in modules(folder, "creo_client")
        for _, value in sorted(vars(module).items())
        if isinstance(value, Method) and not isinstance(value, StreamMethod)
    ]


def cases(folder: str, member: str) -> list[tuple[str, bytes]]:
    """The bodies of the specification's cases on the binary wire, each with the name of its type."""
    found = []
    for path in sorted((ROOT / "conformance" / folder / "binary").rglob("*.json")):
        for case in json.loads(path.read_text())[member]:
            if "bytes" in case:
                body = case["bytes"] + case.get("repeat", "") * case.get("times", 0)
                found.append((case["type"], bytes.fromhex(body.replace(" ", ""))))
    return found


def documents(folder: str, member: str) -> list[tuple[str, bytes]]:
    """The documents of the specification's cases on the json wire, each with the name of its type."""
    found = []
    for path in sorted((ROOT / "conformance" / folder / "json").rglob("*.json")):
        for case in json.loads(path.read_text())[member]:
            if "json" in case:
                found.append((case["type"], case["json"].encode()))
            elif "bytes" in case:
                found.append((case["type"], bytes.fromhex(case["bytes"].replace(" ", ""))))
    return found


def xml_documents(folder: str, member: str) -> list[tuple[str, bytes]]:
    """The documents of the specification's cases for values as XML, each with the name of its type."""
    found = []
    for path in sorted((ROOT / "conformance" / folder / "xml").rglob("*.json")):
        for case in json.loads(path.read_text())[member]:
            if "xml" in case:
                found.append((case["type"], case["xml"].encode()))
            elif "bytes" in case:
                found.append((case["type"], bytes.fromhex(case["bytes"].replace(" ", ""))))
    return found


def tables(folder: str, member: str) -> list[tuple[str, bytes]]:
    """The documents of the specification's cases for values as tables, each with the name of its type."""
    found = []
    for path in sorted((ROOT / "conformance" / folder / "tdxml").rglob("*.json")):
        for case in json.loads(path.read_text())[member]:
            if "type" in case:
                found += [(case["type"], case[key].encode()) for key in ("record", "aggregated", "schema", "tdxml") if isinstance(case.get(key), str)]
    return found
