"""Our Python client calls services of SOAP encoding: stock.py ADDRESS encoded."""

from __future__ import annotations

import sys
from decimal import Decimal

from cases import equal, run
from creo import CreoError, DateTime
from example.stock import Item, Kind, MoveResponse, Size, StockClient, UnknownSku


ANYTHING = '<value xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:xsd="http://www.w3.org/2001/XMLSchema" xsi:type="xsd:int">42</value>'


def item(sku: str) -> Item:
    return Item(
        sku=sku,
        kind=Kind.PACKED_UP,
        price=Decimal("12.50"),
        since="2020-02-29",
        checked=DateTime.parse("2026-01-02T03:04:05Z"),
        picture=b"\0\1\2",
        size=Size(1.5, 2.0),
        sizes=[Size(1.0, 2.0), Size(3.0, 4.0)],
        tags=["a<b", ""],
    )


def stock(client: StockClient) -> int:
    full = Item(
        sku="x & y",
        kind=Kind.LOOSE,
        price=Decimal("1.50"),
        since="2026-11-27",
        checked=DateTime.parse("2026-11-27T10:00:00Z"),
        picture=b"\0\xff",
        note="a note",
        sizes=[Size(1.0, 2.0), Size(3.5, -0.5)],
        tags=["a", "<b>"],
    )
    least = Item(sku="least", kind=Kind.PACKED_UP, price=Decimal("0"), since="0001-01-01", checked=DateTime.parse("0001-01-01T00:00:00Z"), picture=b"")

    def count() -> None:
        equal([1, 3], list(client.count(["a", "bcd"]) or ()))
        equal([], list(client.count([]) or ()))

    def unknown() -> None:
        try:
            raise AssertionError(f"no fault, but {client.describe('unknown')}")
        except UnknownSku as e:
            equal("unknown", e.sku)

    def broken() -> None:
        try:
            raise AssertionError(f"no fault, but {client.describe('broken')}")
        except CreoError as e:
            equal("internal", e.code)
            assert "it broke" in str(e), str(e)

    def properties() -> None:
        found = client.properties("q").item
        equal(2, len(found))
        assert ">weight</key>" in found[1].key and ":int" in found[1].value and ">3</value>" in found[1].value, found[1]

    def anything() -> None:
        found = client.anything(ANYTHING)
        assert found.startswith("<value ") and found.endswith(">42</value>"), found

    return run(
        {
            "count": count,
            "find": lambda: equal([item("packed-up-1"), item("packed-up-2")], list(client.find(Kind.PACKED_UP, 2) or ())),
            "find-none": lambda: equal([], list(client.find(Kind.PACKED_UP, 0) or ())),
            "describe": lambda: equal(item("q"), client.describe("q")),
            "store": lambda: client.store(full),
            "store-least": lambda: client.store(least),
            "move": lambda: equal(MoveResponse(3, 2026), client.move("abc", "2026-11-27")),
            "sum": lambda: equal(6.0, client.sum([[1, 2], [3]])),
            "properties": properties,
            "anything": anything,
            "ping": client.ping,
            "forget": lambda: client.forget("q"),
            "fault-unknown": unknown,
            "fault-undeclared": broken,
        }
    )


if __name__ == "__main__":
    with StockClient.soap(sys.argv[1]) as it:
        sys.exit(stock(it.with_options(deadline=30)))
