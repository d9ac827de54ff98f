"""The data of bench/workloads.creo: plain values by formula, the same in every run, with a tenth of the texts not ASCII. The other languages read them from the files that `workloads.py --data` writes."""

from __future__ import annotations

from typing import Any, Callable, NamedTuple, Union

_CUSTOMERS = ("Ada Lovelace", "Grace Hopper", "Alan Turing", "Edsger Dijkstra", "Zoë Müller", "Barbara Liskov", "Donald Knuth", "Margaret Hamilton", "Tony Hoare", "Ken Thompson")
_NOTES = ("fragile", "gift wrap", "deliver after 18:00 & ring twice", "Größe prüfen")
_UNITS = ("kPa", "V", "°C", "A", "Hz")
_WORDS = ("a tree", "is read", "from its root", "to the leaves", "one node", "at a time", "überall", "and then", "it is", "written again")
_START = 1_767_225_600

# A peer's type for an instant, from seconds since 1970 and nanoseconds.
When = Callable[[int, int], Any]


class PlainItem(NamedTuple):
    sku: str
    quantity: int
    price: float
    note: str | None


class PlainOrder(NamedTuple):
    id: int
    customer: str
    placed: Any
    items: list[PlainItem]
    tags: dict[str, str]


class PlainReading(NamedTuple):
    at: Any
    value: float
    flags: int
    unit: str | None


class PlainNode(NamedTuple):
    kind: str
    text: str | None
    attributes: dict[str, str]
    children: list[PlainNode]


class PlainDocument(NamedTuple):
    title: str
    root: PlainNode


Plain = Union[list[PlainOrder], list[PlainReading], PlainDocument]


def orders(count: int, when: When) -> list[PlainOrder]:
    """This many orders of five items."""

    def item(i: int) -> PlainItem:
        note = _NOTES[i // 3 % len(_NOTES)] if i % 3 == 0 else None
        return PlainItem(f"SKU-{i * 7919 % 1_000_000:06d}", i % 9 + 1, (i * 1237 + 995) / 100, note)

    def order(i: int) -> PlainOrder:
        tags = {"channel": ("web", "shop", "téléphone")[i % 3], "campaign": f"autumn-{i % 5}"}
        placed = when(_START + i * 100_003, i * 37 % 1000 * 1_000_000)
        return PlainOrder(10_000_000_000 + i, _CUSTOMERS[i % 10], placed, [item(i * 5 + k) for k in range(5)], tags)

    return [order(i) for i in range(count)]


def _telemetry(count: int, when: When) -> list[PlainReading]:
    """Readings a quarter of a second apart, whose values have few digits, as those of instruments do; a fifth of them names its unit."""
    return [
        PlainReading(when(_START + i // 4, i % 4 * 250_000_000), (i * 7919 % 20_001 - 10_000) / 64, i * 31 & 0xFF, _UNITS[i // 5 % len(_UNITS)] if i % 5 == 0 else None)
        for i in range(count)
    ]


def _document() -> PlainDocument:
    """A book of chapters, sections and paragraphs: 199 nodes."""
    made = 0

    def node(kind: str, text: bool, children: list[PlainNode]) -> PlainNode:
        nonlocal made
        i = made = made + 1
        attributes = {"id": f"n{i}"}
        if i % 3 == 0:
            attributes["lang"] = ("en", "de")[i % 2]
        return PlainNode(kind, " ".join(_WORDS[(i + k) % len(_WORDS)] for k in range(i % 7 + 1)) if text else None, attributes, children)

    def paragraphs(count: int) -> list[PlainNode]:
        return [node("paragraph", True, [node("emphasis", True, [])] if k % 4 == 1 else []) for k in range(count)]

    chapters = [node("chapter", False, [node("heading", True, []), *(node("section", False, paragraphs(6)) for _ in range(4))]) for _ in range(5)]
    return PlainDocument("The tree as a form of thought", node("book", False, [*chapters, node("index", True, []), node("colophon", True, []), node("errata", True, [])]))


WORKLOADS: dict[str, Callable[[When], Plain]] = {
    "orders-1": lambda when: orders(1, when),
    "orders-100": lambda when: orders(100, when),
    "telemetry": lambda when: _telemetry(1_000, when),
    "document": lambda _: _document(),
}


def nodes(node: PlainNode) -> int:
    return 1 + sum(map(nodes, node.children))
