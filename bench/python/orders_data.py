"""The orders that the benchmarks of bench/orders.creo hold, and what Creo makes of them."""

from __future__ import annotations

from typing import Any, NamedTuple

_CUSTOMERS = ("Ada Lovelace", "Grace Hopper", "Alan Turing", "Edsger Dijkstra", "Zoë Müller", "Barbara Liskov", "Donald Knuth", "Margaret Hamilton", "Tony Hoare", "Ken Thompson")
_NOTES = ("fragile", "gift wrap", "deliver after 18:00 & ring twice", "Größe prüfen")


class PlainItem(NamedTuple):
    sku: str
    quantity: int
    price: float
    note: str | None


class PlainOrder(NamedTuple):
    id: int
    customer: str
    seconds: int
    nanoseconds: int
    items: list[PlainItem]
    tags: dict[str, str]


def plain(count: int) -> list[PlainOrder]:
    """So many orders of five items; a tenth of the texts is not ASCII."""

    def item(i: int) -> PlainItem:
        note = _NOTES[i // 3 % len(_NOTES)] if i % 3 == 0 else None
        return PlainItem(f"SKU-{i * 7919 % 1_000_000:06d}", i % 9 + 1, (i * 1237 + 995) / 100, note)

    def order(i: int) -> PlainOrder:
        placed = 1_767_225_600 + i * 100_003
        tags = {"channel": ("web", "shop", "téléphone")[i % 3], "campaign": f"autumn-{i % 5}"}
        return PlainOrder(10_000_000_000 + i, _CUSTOMERS[i % 10], placed, i * 37 % 1000 * 1_000_000, [item(i * 5 + k) for k in range(5)], tags)

    return [order(i) for i in range(count)]


def orders(types: Any, data: list[PlainOrder]) -> Any:
    """The orders as classes that Creo generated."""
    from creo import DateTime

    return types.Orders([
        types.Order(
            o.id, o.customer, DateTime(o.seconds, o.nanoseconds),
            [types.Item(i.sku, i.quantity, i.price, i.note) for i in o.items], o.tags,
        )
        for o in data
    ])  # fmt: skip
