"""The structs of bench/workloads.creo for msgspec: as MessagePack maps, as arrays, and as JSON without null members."""

from __future__ import annotations

import sys
from datetime import datetime
from types import ModuleType
from typing import Any, Dict, List, Optional

import msgspec


def _structs(name: str, **options: Any) -> ModuleType:
    """A module of them, since a struct that holds itself finds its name in its module."""
    made = ModuleType(f"{__name__}_{name}")
    sys.modules[made.__name__] = made

    def struct(kind: str, *fields: Any) -> Any:
        cls = msgspec.defstruct(kind, fields, module=made.__name__, **options)
        setattr(made, kind, cls)
        return cls

    made.__dict__.update(List=List)
    Item = struct("Item", ("sku", str), ("quantity", int), ("price", float), ("note", Optional[str], None))
    Order = struct("Order", ("id", int), ("customer", str), ("placed", datetime), ("items", List[Item]), ("tags", Dict[str, str]))
    struct("Orders", ("orders", List[Order]))
    Reading = struct("Reading", ("at", datetime), ("value", float), ("flags", int), ("unit", Optional[str], None))
    struct("Telemetry", ("readings", List[Reading]))
    Node = struct("Node", ("kind", str), ("text", Optional[str], None), ("attributes", Dict[str, str], msgspec.field(default_factory=dict)), ("children", "List[Node]", msgspec.field(default_factory=list)))
    struct("Document", ("title", str), ("root", Node))
    return made


MAPS = _structs("maps")
ARRAYS = _structs("arrays", array_like=True)
JSON = _structs("json", omit_defaults=True)
