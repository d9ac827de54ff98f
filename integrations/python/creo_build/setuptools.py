"""The build backend of setuptools, which generates first: `build-backend = "creo_build.setuptools"`."""

from __future__ import annotations

import sys
from typing import Any

from setuptools import build_meta

from . import CreoBuildError, generate

__all__ = [
    "build_editable",
    "build_sdist",
    "build_wheel",
    "get_requires_for_build_editable",
    "get_requires_for_build_sdist",
    "get_requires_for_build_wheel",
    "prepare_metadata_for_build_editable",
    "prepare_metadata_for_build_wheel",
]


def _generate() -> None:
    """Ends the build with a message instead of a traceback."""
    try:
        generate()
    except CreoBuildError as error:
        sys.exit(f"error: {error}")


# Setuptools looks for packages in each of these calls, and the generated ones must be there.
def get_requires_for_build_wheel(*arguments: Any, **options: Any) -> Any:
    _generate()
    return build_meta.get_requires_for_build_wheel(*arguments, **options)


def get_requires_for_build_sdist(*arguments: Any, **options: Any) -> Any:
    _generate()
    return build_meta.get_requires_for_build_sdist(*arguments, **options)


def get_requires_for_build_editable(*arguments: Any, **options: Any) -> Any:
    _generate()
    return build_meta.get_requires_for_build_editable(*arguments, **options)


def prepare_metadata_for_build_wheel(*arguments: Any, **options: Any) -> Any:
    _generate()
    return build_meta.prepare_metadata_for_build_wheel(*arguments, **options)


def prepare_metadata_for_build_editable(*arguments: Any, **options: Any) -> Any:
    _generate()
    return build_meta.prepare_metadata_for_build_editable(*arguments, **options)


def build_wheel(*arguments: Any, **options: Any) -> Any:
    _generate()
    return build_meta.build_wheel(*arguments, **options)


def build_sdist(*arguments: Any, **options: Any) -> Any:
    _generate()
    return build_meta.build_sdist(*arguments, **options)


def build_editable(*arguments: Any, **options: Any) -> Any:
    _generate()
    return build_meta.build_editable(*arguments, **options)
