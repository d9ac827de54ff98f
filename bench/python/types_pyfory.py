"""The structs of bench/workloads.creo for pyfory. It reads the types of fields itself, so they are not postponed."""

from dataclasses import dataclass
from datetime import datetime
from typing import Dict, List, Optional

import pyfory


@dataclass(slots=True)
class Item:
    sku: str
    quantity: pyfory.Int32
    price: pyfory.Float64
    note: Optional[str] = None


@dataclass(slots=True)
class Order:
    id: pyfory.Int64
    customer: str
    placed: datetime
    items: List[Item]
    tags: Dict[str, str]


@dataclass(slots=True)
class Orders:
    orders: List[Order]


@dataclass(slots=True)
class Reading:
    at: datetime
    value: pyfory.Float64
    flags: pyfory.Int32
    unit: Optional[str] = None


@dataclass(slots=True)
class Telemetry:
    readings: List[Reading]


@dataclass(slots=True)
class Node:
    kind: str
    text: Optional[str]
    attributes: Dict[str, str]
    children: List["Node"]


@dataclass(slots=True)
class Document:
    title: str
    root: Node
