"""The structs of bench/workloads.creo for pydantic."""

from __future__ import annotations

from datetime import datetime
from typing import Dict, List, Optional

from pydantic import BaseModel


class Item(BaseModel):
    sku: str
    quantity: int
    price: float
    note: Optional[str] = None


class Order(BaseModel):
    id: int
    customer: str
    placed: datetime
    items: List[Item]
    tags: Dict[str, str]


class Orders(BaseModel):
    orders: List[Order]


class Reading(BaseModel):
    at: datetime
    value: float
    flags: int
    unit: Optional[str] = None


class Telemetry(BaseModel):
    readings: List[Reading]


class Node(BaseModel):
    kind: str
    text: Optional[str] = None
    attributes: Dict[str, str]
    children: List[Node]


class Document(BaseModel):
    title: str
    root: Node
