"""The peers of the workloads in Python: objects to bytes and back on the binary wire and as JSON. Libraries are imported on use, since a process measures one peer."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone
from types import SimpleNamespace
from typing import Any, Callable, NamedTuple

from workload_data import WORKLOADS, Plain, PlainNode, When


class Cells(NamedTuple):
    """The measured functions of a peer; ``read`` returns every field as plain values. A SOAP response is only decoded."""

    build: Callable[[], Any] | None
    encode: Callable[[Any], bytes]
    decode: Callable[[bytes], Any]
    read: Callable[[Any], Plain]


def instant(seconds: int, nanoseconds: int) -> datetime:
    return datetime(1970, 1, 1, tzinfo=timezone.utc) + timedelta(seconds=seconds, microseconds=nanoseconds // 1_000)


def message_of(workload: str) -> str:
    """The struct that a workload is."""
    return {"telemetry": "Telemetry", "document": "Document"}.get(workload, "Orders")


def builder(types: Any, workload: str, data: Any) -> Callable[[], Any]:
    """For classes whose constructors take the fields in order; those of a node, whose text is optional, by name."""
    Item, Order, Reading, Node = types.Item, types.Order, types.Reading, types.Node

    def node(n: PlainNode) -> Any:
        return Node(n.kind, n.text, attributes=n.attributes, children=[node(child) for child in n.children])

    if workload == "telemetry":
        return lambda: types.Telemetry([Reading(r.at, r.value, r.flags, r.unit) for r in data])
    if workload == "document":
        return lambda: types.Document(data.title, node(data.root))
    return lambda: types.Orders([Order(o.id, o.customer, o.placed, [Item(i.sku, i.quantity, i.price, i.note) for i in o.items], o.tags) for o in data])


def reader(workload: str) -> Callable[[Any], Any]:
    """For objects whose fields are attributes."""

    def node(n: Any) -> Any:
        return (n.kind, n.text, dict(n.attributes), [node(child) for child in n.children])

    if workload == "telemetry":
        return lambda value: [(r.at, r.value, r.flags, r.unit) for r in value.readings]
    if workload == "document":
        return lambda value: (value.title, node(value.root))
    return lambda value: [(o.id, o.customer, o.placed, [(i.sku, i.quantity, i.price, i.note) for i in o.items], dict(o.tags)) for o in value.orders]


def creo(workload: str, data: Any, wire: str) -> Cells:
    import bench.workloads as types

    message = getattr(types, message_of(workload))
    build, read = builder(types, workload, data), reader(workload)
    if wire == "json":
        return Cells(build, message.to_json, message.from_json, read)
    return Cells(build, message.to_bytes, message.from_bytes, read)


def accelerated(workload: str, data: Any, wire: str) -> Cells:
    import creo as runtime

    if not runtime.accelerated:
        raise RuntimeError("the accelerator is not in use")
    return creo(workload, data, wire)


def msgspec(workload: str, data: Any, wire: str) -> Cells:
    import msgspec as library
    import types_msgspec

    types = types_msgspec.JSON if wire == "json" else types_msgspec.MAPS
    form = library.json if wire == "json" else library.msgpack
    return Cells(builder(types, workload, data), form.Encoder().encode, form.Decoder(getattr(types, message_of(workload))).decode, reader(workload))


def msgspec_array(workload: str, data: Any, wire: str) -> Cells:
    """Structs as arrays, without the names of fields."""
    import msgspec as library
    import types_msgspec

    types = types_msgspec.ARRAYS
    decoder = library.msgpack.Decoder(getattr(types, message_of(workload)))
    return Cells(builder(types, workload, data), library.msgpack.Encoder().encode, decoder.decode, reader(workload))


def pyfory(workload: str, data: Any, wire: str) -> Cells:
    import pyfory as library
    import types_pyfory as types

    fory = library.Fory(xlang=True, ref=False)
    for number, cls in enumerate((types.Item, types.Order, types.Orders, types.Reading, types.Telemetry, types.Node, types.Document), 100):
        fory.register_type(cls, type_id=number)
    return Cells(builder(types, workload, data), fory.serialize, fory.deserialize, reader(workload))


def orjson(workload: str, data: Any, wire: str) -> Cells:
    """Dictionaries, since it knows no types; a time is text, which is parsed where it is read."""
    import orjson as library

    def optional(made: dict[str, Any], name: str, value: Any) -> dict[str, Any]:
        if value is not None:
            made[name] = value
        return made

    def order(o: Any) -> dict[str, Any]:
        items = [optional({"sku": i.sku, "quantity": i.quantity, "price": i.price}, "note", i.note) for i in o.items]
        return {"id": o.id, "customer": o.customer, "placed": o.placed, "items": items, "tags": o.tags}

    def node(n: PlainNode) -> dict[str, Any]:
        return optional({"kind": n.kind, "attributes": n.attributes, "children": [node(child) for child in n.children]}, "text", n.text)

    def read_order(o: Any) -> Any:
        items = [(i["sku"], i["quantity"], i["price"], i.get("note")) for i in o["items"]]
        return (o["id"], o["customer"], datetime.fromisoformat(o["placed"]), items, o["tags"])

    def read_node(n: Any) -> Any:
        return (n["kind"], n.get("text"), n["attributes"], [read_node(child) for child in n["children"]])

    build: Callable[[], Any]
    read: Callable[[Any], Any]
    if workload == "telemetry":

        def build() -> Any:
            return {"readings": [optional({"at": r.at, "value": r.value, "flags": r.flags}, "unit", r.unit) for r in data]}

        def read(value: Any) -> Any:
            return [(datetime.fromisoformat(r["at"]), r["value"], r["flags"], r.get("unit")) for r in value["readings"]]

    elif workload == "document":

        def build() -> Any:
            return {"title": data.title, "root": node(data.root)}

        def read(value: Any) -> Any:
            return (value["title"], read_node(value["root"]))

    else:

        def build() -> Any:
            return {"orders": [order(o) for o in data]}

        def read(value: Any) -> Any:
            return [read_order(o) for o in value["orders"]]

    return Cells(build, library.dumps, library.loads, read)


def pydantic(workload: str, data: Any, wire: str) -> Cells:
    import types_pydantic as types

    def positional(cls: Any) -> Callable[..., Any]:
        names = tuple(cls.model_fields)
        return lambda *fields, **named: cls(**dict(zip(names, fields)), **named)

    made = {name: positional(getattr(types, name)) for name in ("Item", "Order", "Orders", "Reading", "Telemetry", "Node", "Document")}

    def encode(value: Any) -> bytes:
        return bytes(value.__pydantic_serializer__.to_json(value, exclude_none=True))

    return Cells(builder(SimpleNamespace(**made), workload, data), encode, getattr(types, message_of(workload)).model_validate_json, reader(workload))


def protobuf(workload: str, data: Any, wire: str) -> Cells:
    import workloads_pb2 as types

    def orders() -> Any:
        made = types.Orders()
        for o in data:
            order = made.orders.add(id=o.id, customer=o.customer, tags=o.tags)
            order.placed.seconds, order.placed.nanoseconds = o.placed
            for i in o.items:
                order.items.add(sku=i.sku, quantity=i.quantity, price=i.price, note=i.note)
        return made

    def telemetry() -> Any:
        made = types.Telemetry()
        for r in data:
            reading = made.readings.add(value=r.value, flags=r.flags, unit=r.unit)
            reading.at.seconds, reading.at.nanoseconds = r.at
        return made

    def fill(to: Any, n: PlainNode) -> None:
        to.kind = n.kind
        if n.text is not None:
            to.text = n.text
        to.attributes.update(n.attributes)
        for child in n.children:
            fill(to.children.add(), child)

    def document() -> Any:
        made = types.Document(title=data.title)
        fill(made.root, data.root)
        return made

    def optional(value: Any, name: str) -> Any:
        return getattr(value, name) if value.HasField(name) else None

    def read_node(n: Any) -> Any:
        return (n.kind, optional(n, "text"), dict(n.attributes), [read_node(child) for child in n.children])

    def read(value: Any) -> Any:
        if workload == "telemetry":
            return [((r.at.seconds, r.at.nanoseconds), r.value, r.flags, optional(r, "unit")) for r in value.readings]
        if workload == "document":
            return (value.title, read_node(value.root))
        return [
            (o.id, o.customer, (o.placed.seconds, o.placed.nanoseconds), [(i.sku, i.quantity, i.price, optional(i, "note")) for i in o.items], dict(o.tags))
            for o in value.orders
        ]

    build = {"telemetry": telemetry, "document": document}.get(workload, orders)
    message = getattr(types, message_of(workload))
    return Cells(build, message.SerializeToString, message.FromString, read)


def when_of(peer: str) -> When:
    """A peer's type for an instant."""
    if peer.startswith("creo") or peer in ("expat", "lxml"):
        from creo import DateTime

        return DateTime
    if peer == "protobuf":
        return lambda seconds, nanoseconds: (seconds, nanoseconds)
    return instant


def plain(workload: str, peer: str) -> Plain:
    return WORKLOADS[workload](when_of(peer))


PEERS: dict[str, dict[str, Callable[[str, Any, str], Cells]]] = {
    "binary": {"creo": creo, "creo+accelerator": accelerated, "msgspec": msgspec, "msgspec-array": msgspec_array, "pyfory": pyfory, "protobuf": protobuf},
    "json": {"creo": creo, "creo+accelerator": accelerated, "msgspec": msgspec, "orjson": orjson, "pydantic": pydantic},
}
