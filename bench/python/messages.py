"""The five messages of the TDXML paper as plain dicts: the same values in every language of the benchmark."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone
from decimal import Decimal
from typing import Any

MESSAGES = ("short", "simple", "medium", "complex", "jpeg")
# The generated type of each, and the method that echoes it.
TYPES = {"short": "Short", "simple": "Simple", "medium": "Medium", "complex": "Complex", "jpeg": "SimpleJpeg"}

_TITLES = ("Mr", "Mrs", "Ms", "Dr")
_FIRST = ("James", "Mary", "Zoë", "Robert", "Patricia", "John", "Jennifer", "Michael")
_LAST = ("Smith", "Nguyen", "Müller", "O'Brien", "Williams", "Papadopoulos", "Brown", "Taylor")
_STREETS = ("Collins Street", "Flinders Lane", "Swanston Street", "Glenferrie Road", "St Kilda Road")
_CITIES = ("Melbourne", "Sydney", "Brisbane", "Adelaide", "Perth", "Hobart")
_COUNTRIES = ("Australia", "New Zealand", "Singapore")
_KINDS = ("Small", "Large", "Folding", "Portable", "Heavy")
_THINGS = ("table", "lamp", "monitor", "printer", "keyboard", "chair", "cabinet")
_TEXTS = (
    "Delivered in parts, with tools & screws",
    "Two years of warranty",
    "Made of recycled aluminium and oak",
    "Ships within two working days",
)


def _instant(seconds: int, milliseconds: int = 0) -> datetime:
    return datetime.fromtimestamp(seconds, timezone.utc) + timedelta(milliseconds=milliseconds)


def customer(i: int) -> dict[str, Any]:
    return {
        "number": f"C{10_000_000 + i * 7919}",
        "title": _TITLES[i % 4],
        "firstName": _FIRST[i % 8],
        "lastName": _LAST[i * 3 % 8],
        "street": f"{i * 37 % 200 + 1} {_STREETS[i % 5]}",
        "city": _CITIES[i % 6],
        "postcode": str(10_000 + i * 613),
        "country": _COUNTRIES[i % 3],
        "telephone": f"+61 3 {9000 + i} {1000 + i * 97}",
        "email": f"customer{i}@example.org",
        "active": i % 3 != 0,
        "newsletter": i % 2 == 0,
        "opened": _instant(1_000_000_000 + i * 86_413),
        "lastOrder": _instant(1_600_000_000 + i * 3_607, i * 37 % 1000),
    }


def product(i: int) -> dict[str, Any]:
    cents, quantity = i * 1237 + 995, i * 7 % 20 + 1
    return {
        "code": f"P-{100_000 + i * 31}",
        "name": f"{_KINDS[i % 5]} {_THINGS[i % 7]}",
        "description": _TEXTS[i % 4],
        "quantity": quantity,
        "price": cents / 100,
        "total": Decimal(cents * quantity).scaleb(-2),
        "inStock": i % 4 != 1,
        "delivery": _instant(1_650_000_000 + i * 43_200),
    }


def picture() -> bytes:
    """14 kB that no compressor makes smaller, as a picture is."""
    made, x = bytearray(), 1
    for _ in range(14 * 1024):
        x = (x * 1_103_515_245 + 12_345) & 0xFFFFFFFF
        made.append(x >> 16 & 255)
    return bytes(made)


def message(name: str) -> dict[str, Any]:
    if name == "short":
        return {"identification": "REQUEST", "text": "The quick brown fox jumps over the lazy dog, 50 ch"}
    if name == "medium":
        return {"identification": "REQUEST", "customers": [customer(i) for i in range(20)]}
    made: dict[str, Any] = {"identification": "REQUEST", "customer": customer(7)}
    if name == "complex":
        made["products"] = [product(i) for i in range(50)]
    if name == "jpeg":
        made["picture"] = picture()
    return made
