"""The build hook of Hatch that generates: `[tool.hatch.build.hooks.creo]` in pyproject.toml."""

from __future__ import annotations

import sys
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.plugin import hookimpl

from . import CreoBuildError, generate


class CreoBuildHook(BuildHookInterface):  # type: ignore[type-arg] # of any configuration
    """Generates before files are collected."""

    PLUGIN_NAME = "creo"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        try:
            generate(self.root)
        except CreoBuildError as error:
            sys.exit(f"error: {error}")


@hookimpl
def hatch_register_build_hook() -> type[CreoBuildHook]:
    return CreoBuildHook
