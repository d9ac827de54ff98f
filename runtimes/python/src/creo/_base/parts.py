"""How a part of the runtime reaches one above it, which this copy may not have.

A part imports those below it, and names no other. What a user asks for by name, a value as JSON or
a client that speaks SOAP, is found here when it is first needed.
"""

from __future__ import annotations

import functools
import importlib
from typing import Any, Final

#: The modules that are reached in this way, and the wire that brings each into a copy; None for
#: those that come for another reason.
WIRES: Final[dict[str, str | None]] = {
    "_columns": None,
    "_json": "json",
    "_tdxml": "tdxml",
    "_tdxml.soap": "tdxml",
    "_tdxml.tcp": "tdxml",
    "_xml": "soap",
    "aio": None,
    "codegen.columns": None,
    "codegen.text": "json",
    "json": "json",
    "soap": "soap",
    "tcp": "binary",
    "tdxml": "tdxml",
}


@functools.cache
def module_of(name: str) -> Any:
    """A module of a part above: ``name`` is its name within the runtime.

    :raises ImportError: if this copy of the runtime was made without it.
    """
    wire = WIRES[name]
    root = __name__.rpartition("._base.")[0]
    wanted = f"{root}.{name}"
    try:
        return importlib.import_module(wanted)
    except ModuleNotFoundError as missing:
        if not f"{wanted}.".startswith(f"{missing.name}."):
            raise
        lacks = f"the part {name.rpartition('.')[2].strip('_')}"
        if wire is not None:
            lacks = f"the wire {wire}: generate with `--wires {wire}`"
        message = f"this copy of the runtime was generated without {lacks}"
        raise ImportError(message, name=wanted) from None
