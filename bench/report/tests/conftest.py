"""The tests import the report as its program does: from the folder above it.

    pytest bench/report/tests --without csharp     no program of that language runs
"""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--without", default="", help="languages to leave out, separated by commas")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "language(name): the language that the test compiles")
