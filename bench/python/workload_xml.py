"""The peers that read a SOAP response of orders in Python, from its bytes to objects, and some that write it; no HTTP."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any, Callable, List, Optional

from workload_peers import Cells, builder, reader

NAMESPACE = "urn:creo:bench.workloads"
SOAP = "http://schemas.xmlsoap.org/soap/envelope/"
KIND = "text/xml; charset=utf-8"


def response(value: Any) -> bytes:
    """The message that a service sends, of the orders that Creo's classes hold."""
    inner = value.to_xml().decode()
    inner = inner[inner.index(">") + 1 : inner.rindex("<")]
    head = f'<soap:Envelope xmlns:soap="{SOAP}" xmlns:n1="{NAMESPACE}"><soap:Body><n1:ordersResponse><n1:result>'
    return f"{head}{inner}</n1:result></n1:ordersResponse></soap:Body></soap:Envelope>".encode()


def _cells(decode: Callable[[bytes], Any], read: Callable[[Any], Any] | None = None) -> Cells:
    def encode(value: Any) -> bytes:
        raise NotImplementedError("this peer only reads a response")

    return Cells(None, encode, decode, read or reader("orders"))


def creo(workload: str, data: Any, wire: str) -> Cells:
    import bench.workloads as types
    from bench.workloads import creo_client
    from creo._base import DEFAULT_LIMITS
    from creo._soap import SoapBinding, Writer

    operation = SoapBinding("1.1", mtom=False, tables=None, schema=False).operation(creo_client._WORKLOADS_ORDERS)
    # A request has the same form: its fields in an element of the body.
    writer = Writer(operation._text.response, "1.1", False)
    return Cells(
        builder(types, "orders", data),
        lambda value: writer.write((value,), DEFAULT_LIMITS, None, ""),
        lambda message: operation.read(message, KIND, DEFAULT_LIMITS, ""),
        reader("orders"),
    )


def accelerated(workload: str, data: Any, wire: str) -> Cells:
    import creo as runtime

    if not runtime.accelerated:
        raise RuntimeError("the accelerator is not in use")
    return creo(workload, data, wire)


def by_expat(types: Any) -> Callable[[bytes], Any]:
    """Handlers of expat that take every element for what its name says."""
    from xml.parsers import expat

    from creo import DateTime

    def decode(message: bytes) -> Any:
        parser = expat.ParserCreate("utf-8", " ")
        parser.buffer_text = True
        found: list[Any] = []
        items: list[Any] = []
        tags: dict[str, str] = {}
        said: dict[str, str] = {}
        words: list[str] = []

        def end(name: str) -> None:
            local = name.rpartition(" ")[2]
            if local == "items":
                items.append(types.Item(said["sku"], int(said["quantity"]), float(said["price"]), said.pop("note", None)))
            elif local == "entry":
                tags[said["key"]] = said["value"]
            elif local == "orders":
                found.append(types.Order(int(said["id"]), said["customer"], DateTime.parse(said["placed"]), items, tags))
                items.clear()
                tags.clear()
            elif words:
                said[local] = "".join(words)
            words.clear()

        parser.EndElementHandler = end
        parser.CharacterDataHandler = words.append
        parser.Parse(message, True)
        return types.Orders(found)

    return decode


def expat(workload: str, data: Any, wire: str) -> Cells:
    import bench.workloads as types

    return _cells(by_expat(types))


def lxml(workload: str, data: Any, wire: str) -> Cells:
    """A tree by lxml, and a mapping by hand into Creo's classes."""
    import bench.workloads as types
    from creo import DateTime
    from lxml import etree

    at = f"{{{NAMESPACE}}}"
    items, tags, entries = f"{at}items", f"{at}tags", f"{at}entry"

    def item(e: Any) -> Any:
        return types.Item(e[0].text, int(e[1].text), float(e[2].text), e[3].text if len(e) > 3 else None)

    def order(e: Any) -> Any:
        pairs = {entry[0].text: entry[1].text for entry in e.find(tags).iterfind(entries)}
        return types.Order(int(e[0].text), e[1].text, DateTime.parse(e[2].text), [item(each) for each in e.iterfind(items)], pairs)

    def decode(message: bytes) -> Any:
        return types.Orders([order(e) for e in etree.fromstring(message)[0][0][0]])

    def add(parent: Any, name: str, text: str | None = None) -> Any:
        made = etree.SubElement(parent, at + name)
        made.text = text
        return made

    def encode(value: Any) -> bytes:
        envelope = etree.Element(f"{{{SOAP}}}Envelope", nsmap={"soap": SOAP, "n1": NAMESPACE})
        result = add(add(etree.SubElement(envelope, f"{{{SOAP}}}Body"), "ordersResponse"), "result")
        for o in value.orders:
            e = add(result, "orders")
            add(e, "id", str(o.id))
            add(e, "customer", o.customer)
            add(e, "placed", o.placed.isoformat())
            for i in o.items:
                inner = add(e, "items")
                add(inner, "sku", i.sku)
                add(inner, "quantity", str(i.quantity))
                add(inner, "price", repr(i.price))
                if i.note is not None:
                    add(inner, "note", i.note)
            pairs = add(e, "tags")
            for key, text in o.tags.items():
                pair = add(pairs, "entry")
                add(pair, "key", key)
                add(pair, "value", text)
        return etree.tostring(envelope, encoding="utf-8")

    return Cells(builder(types, "orders", data), encode, decode, reader("orders"))


def _element(name: str, namespace: str = NAMESPACE, **options: Any) -> Any:
    """A field of a dataclass, as xsdata's generator writes it."""
    return field(metadata={"name": name, "type": "Element", "namespace": namespace}, **options)


@dataclass
class Item:
    sku: Optional[str] = _element("sku", default=None)
    quantity: Optional[int] = _element("quantity", default=None)
    price: Optional[float] = _element("price", default=None)
    note: Optional[str] = _element("note", default=None)


@dataclass
class Entry:
    key: Optional[str] = _element("key", default=None)
    value: Optional[str] = _element("value", default=None)


@dataclass
class Tags:
    entry: List[Entry] = _element("entry", default_factory=list)


@dataclass
class Order:
    id: Optional[int] = _element("id", default=None)
    customer: Optional[str] = _element("customer", default=None)
    placed: Any = _element("placed", default=None)
    items: List[Item] = _element("items", default_factory=list)
    tags: Optional[Tags] = _element("tags", default=None)


@dataclass
class Result:
    orders: List[Order] = _element("orders", default_factory=list)


@dataclass
class Response:
    result: Optional[Result] = _element("result", default=None)


@dataclass
class Body:
    response: Optional[Response] = _element("ordersResponse", default=None)


@dataclass
class Envelope:
    class Meta:
        namespace = SOAP

    body: Optional[Body] = _element("Body", SOAP, default=None)


def _read_entries(value: Any) -> Any:
    """Of objects whose maps are lists of entries."""
    return [
        (o.id, o.customer, o.placed, [(i.sku, i.quantity, i.price, i.note) for i in o.items], {entry.key: entry.value for entry in o.tags.entry}) for o in value.orders
    ]


def xsdata(workload: str, data: Any, wire: str) -> Cells:
    from xsdata.formats.dataclass.parsers import XmlParser
    from xsdata.models.datatype import XmlDateTime

    Order.__annotations__["placed"] = Optional[XmlDateTime]
    parser = XmlParser()

    def read(value: Any) -> Any:
        read_ = _read_entries(value)
        return [(id_, customer, placed.to_datetime(), items, tags) for id_, customer, placed, items, tags in read_]

    return _cells(lambda message: parser.from_bytes(message, Envelope).body.response.result, read)


def zeep(workload: str, data: Any, wire: str) -> Cells:
    import zeep as library

    client = library.Client(os.environ["BENCH_WSDL"])
    binding = client.service._binding
    operation = binding.get("orders")

    def decode(message: bytes) -> Any:
        answer = SimpleNamespace(status_code=200, content=message, headers={"Content-Type": KIND}, encoding="utf-8")
        return binding.process_reply(client, operation, answer)

    # An element that contains only a list is that list.
    return _cells(decode, lambda value: _read_entries(SimpleNamespace(orders=value)))


PEERS = {"creo": creo, "creo+accelerator": accelerated, "expat": expat, "lxml": lxml, "xsdata": xsdata, "zeep": zeep}
