"""What several test files use."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

_ROOT = Path(__file__).resolve().parents[3]
# The runtime and its sample, and the accelerator that scripts/setup.sh builds.
sys.path[:0] = [str(_ROOT / path) for path in ("runtimes/python/src", "runtimes/python/tests", "build/accelerator")]

import creo  # noqa: E402
import generated  # noqa: E402

if TYPE_CHECKING:
    from creo._binary.schema import NamedType
    from creo._call import Method


def pytest_configure() -> None:
    """Without the extension nothing here is a test of it."""
    if not creo.accelerated:
        raise pytest.UsageError("no accelerator in build/accelerator: run scripts/setup.sh first")


class Packages:
    """The types and methods of the conformance schemas and of the runtime's sample; for XML, also those of the schema for its forms."""

    def __init__(self, folder: Path) -> None:
        schemas = generated.ROOT / "conformance/schemas"
        folders = [folder / "python", generated.ROOT / "runtimes/python/tests"]
        generated.generate(folder, [schemas / "values.creo", schemas / "matrix.creo"])
        self.types: list[NamedType[Any]] = [type_ for found in folders for type_ in generated.types(found)]
        self.methods: list[Method[Any, Any]] = [method for found in folders for method in generated.methods(found)]
        generated.generate(folder, [schemas / "xml.creo"])
        self.xml_types: list[NamedType[Any]] = [type_ for found in folders for type_ in generated.types(found)]
        self.xml_methods: list[Method[Any, Any]] = [method for found in folders for method in generated.methods(found)]


@pytest.fixture(scope="session")
def packages(tmp_path_factory: pytest.TempPathFactory) -> Packages:
    return Packages(tmp_path_factory.mktemp("generated"))
