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
    """The types and methods of the conformance schemas and of the runtime's sample."""

    def __init__(self, folder: Path) -> None:
        generated.generate(folder, [generated.ROOT / "conformance/schemas/values.creo", generated.ROOT / "conformance/schemas/matrix.creo"])
        sample = generated.ROOT / "runtimes/python/tests"
        folders = [folder / "python", sample]
        self.types: list[NamedType[Any]] = [type_ for found in folders for type_ in generated.types(found)]
        self.methods: list[Method[Any, Any]] = [method for found in folders for method in generated.methods(found)]


@pytest.fixture(scope="session")
def packages(tmp_path_factory: pytest.TempPathFactory) -> Packages:
    return Packages(tmp_path_factory.mktemp("generated"))
