"""Orders of bench/orders.creo in Python: microseconds to build, encode and decode them on the binary wire or as JSON, with the accelerator and without, beside msgspec, pyfory, protobuf, orjson and pydantic.

    orders_peers.py                                        this checkout, without peers that are not installed
    orders_peers.py --python build/bench/venv/bin/python   with what bench/python/requirements.txt names
    orders_peers.py --wire json                            as JSON
    orders_peers.py --count 1                              one order in a message

Each cell is the median of the samples of several processes, in turns, in microseconds of this thread's processor time. "Read" touches every field of what was decoded, since some peers
make fields when they are asked for. The round trip of each peer is checked. Code is generated with target/debug/creo (or --creo) into build/bench/orders-peers; the accelerator is that of build/accelerator.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any, Callable, NamedTuple

from orders_data import PlainItem, PlainOrder, orders, plain

ROOT = Path(__file__).resolve().parents[2]
OUT = ROOT / "build" / "bench" / "orders-peers"


class Cells(NamedTuple):
    """What is measured of a peer; ``read`` gives every field, in the order of ``plain``."""

    build: Callable[[], Any]
    encode: Callable[[Any], bytes]
    decode: Callable[[bytes], Any]
    read: Callable[[Any], list[Any]]


def _when(order: PlainOrder) -> datetime:
    return datetime(1970, 1, 1, tzinfo=timezone.utc) + timedelta(seconds=order.seconds, microseconds=order.nanoseconds // 1_000)


def creo(data: list[PlainOrder], json_wire: bool) -> Cells:
    import bench.orders as types

    def build() -> Any:
        return orders(types, data)

    def read(value: Any) -> list[Any]:
        return [
            (o.id, o.customer, o.placed.seconds, o.placed.nanoseconds, [(i.sku, i.quantity, i.price, i.note) for i in o.items], dict(o.tags))
            for o in value.orders
        ]

    if json_wire:
        return Cells(build, types.Orders.to_json, types.Orders.from_json, read)
    return Cells(build, types.Orders.to_bytes, types.Orders.from_bytes, read)


def accelerated(data: list[PlainOrder], json_wire: bool) -> Cells:
    import creo as runtime

    if not runtime.accelerated:
        raise RuntimeError("the accelerator is not in use")
    return creo(data, json_wire)


def msgspec(data: list[PlainOrder], json_wire: bool) -> Cells:
    import msgspec as library

    Item = library.defstruct("Item", [("sku", str), ("quantity", int), ("price", float), ("note", "str | None", None)], omit_defaults=json_wire)
    Order = library.defstruct("Order", [("id", int), ("customer", str), ("placed", datetime), ("items", list[Item]), ("tags", dict[str, str])])
    Orders = library.defstruct("Orders", [("orders", list[Order])])

    def build() -> Any:
        return Orders([Order(o.id, o.customer, _when(o), [Item(i.sku, i.quantity, i.price, i.note) for i in o.items], o.tags) for o in data])

    def read(value: Any) -> list[Any]:
        return [
            (o.id, o.customer, o.placed, [(i.sku, i.quantity, i.price, i.note) for i in o.items], dict(o.tags)) for o in value.orders
        ]

    form = library.json if json_wire else library.msgpack
    encoder, decoder = form.Encoder(), form.Decoder(Orders)
    return Cells(build, encoder.encode, decoder.decode, read)


def pyfory(data: list[PlainOrder], json_wire: bool) -> Cells:
    import fory_orders as types
    import pyfory as library

    fory = library.Fory(xlang=True, ref=False)
    for number, cls in enumerate((types.Item, types.Order, types.Orders), 100):
        fory.register_type(cls, type_id=number)

    def build() -> Any:
        return types.Orders([types.Order(o.id, o.customer, _when(o), [types.Item(i.sku, i.quantity, i.price, i.note) for i in o.items], o.tags) for o in data])

    def read(value: Any) -> list[Any]:
        return [
            (o.id, o.customer, o.placed, [(i.sku, i.quantity, i.price, i.note) for i in o.items], dict(o.tags)) for o in value.orders
        ]

    return Cells(build, fory.serialize, fory.deserialize, read)


def orjson(data: list[PlainOrder], json_wire: bool) -> Cells:
    """Dictionaries, since it knows no types."""
    import orjson as library

    def item(i: PlainItem) -> dict[str, Any]:
        made = {"sku": i.sku, "quantity": i.quantity, "price": i.price}
        if i.note is not None:
            made["note"] = i.note
        return made

    def build() -> Any:
        return {"orders": [{"id": o.id, "customer": o.customer, "placed": _when(o), "items": [item(i) for i in o.items], "tags": o.tags} for o in data]}

    def read(value: Any) -> list[Any]:
        return [
            (
                o["id"],
                o["customer"],
                datetime.fromisoformat(o["placed"]),
                [(i["sku"], i["quantity"], i["price"], i.get("note")) for i in o["items"]],
                o["tags"],
            )
            for o in value["orders"]
        ]

    return Cells(build, library.dumps, library.loads, read)


def pydantic(data: list[PlainOrder], json_wire: bool) -> Cells:
    import pydantic as library

    Item = library.create_model("Item", sku=(str, ...), quantity=(int, ...), price=(float, ...), note=("str | None", None))
    Order = library.create_model("Order", id=(int, ...), customer=(str, ...), placed=(datetime, ...), items=(list[Item], ...), tags=(dict[str, str], ...))
    Orders = library.create_model("Orders", orders=(list[Order], ...))

    def build() -> Any:
        made = [
            Order(
                id=o.id,
                customer=o.customer,
                placed=_when(o),
                items=[Item(sku=i.sku, quantity=i.quantity, price=i.price, note=i.note) for i in o.items],
                tags=o.tags,
            )
            for o in data
        ]
        return Orders(orders=made)

    def encode(value: Any) -> bytes:
        return bytes(value.__pydantic_serializer__.to_json(value, exclude_none=True))

    def read(value: Any) -> list[Any]:
        return [
            (o.id, o.customer, o.placed, [(i.sku, i.quantity, i.price, i.note) for i in o.items], dict(o.tags)) for o in value.orders
        ]

    return Cells(build, encode, Orders.model_validate_json, read)


def protobuf(data: list[PlainOrder], json_wire: bool) -> Cells:
    import orders_pb2 as types

    def build() -> Any:
        made = types.Orders()
        for o in data:
            order = made.orders.add(id=o.id, customer=o.customer, tags=o.tags)
            order.placed.seconds, order.placed.nanoseconds = o.seconds, o.nanoseconds
            for i in o.items:
                order.items.add(sku=i.sku, quantity=i.quantity, price=i.price, note=i.note)
        return made

    def read(value: Any) -> list[Any]:
        return [
            (
                o.id,
                o.customer,
                o.placed.seconds,
                o.placed.nanoseconds,
                [(i.sku, i.quantity, i.price, i.note if i.HasField("note") else None) for i in o.items],
                dict(o.tags),
            )
            for o in value.orders
        ]

    return Cells(build, types.Orders.SerializeToString, types.Orders.FromString, read)


@dataclass(frozen=True)
class Peer:
    """``module`` must be installed; ``accelerator`` is what CREO_ACCELERATOR says."""

    cells: Callable[[list[PlainOrder], bool], Cells]
    wires: tuple[str, ...]
    module: str | None = None
    accelerator: str = "0"


_BOTH = ("binary", "json")
PEERS = {
    "creo": Peer(creo, _BOTH),
    "creo+accelerator": Peer(accelerated, _BOTH, None, "1"),
    "msgspec": Peer(msgspec, _BOTH, "msgspec"),
    "pyfory": Peer(pyfory, ("binary",), "pyfory"),
    "protobuf": Peer(protobuf, ("binary",), "google.protobuf"),
    "orjson": Peer(orjson, ("json",), "orjson"),
    "pydantic": Peer(pydantic, ("json",), "pydantic"),
}

_FORY = '''
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
'''


def same(read: list[Any], data: list[PlainOrder]) -> bool:
    """Whether a peer gives back every field; instants as numbers or as ``datetime``."""
    expected = [(o.id, o.customer, o.seconds, o.nanoseconds, [tuple(i) for i in o.items], o.tags) for o in data]
    as_datetimes = [(e[0], e[1], _when(o), *e[4:]) for e, o in zip(expected, data)]
    return read in (expected, as_datetimes)


def worker(name: str, wire: str, count: int, seconds: float) -> None:
    """Prints microseconds of each cell: the samples of this process, in turns."""
    data = plain(count)
    cells = PEERS[name].cells(data, wire == "json")
    value = cells.build()
    body = bytes(cells.encode(value))
    if not same(cells.read(cells.decode(body)), data):
        raise AssertionError(f"{name} does not give back the orders")
    functions: dict[str, Callable[[], Any]] = {
        "build": cells.build,
        "encode": lambda: cells.encode(value),
        "build and encode": lambda: cells.encode(cells.build()),
        "decode": lambda: cells.decode(body),
        "decode and read": lambda: cells.read(cells.decode(body)),
    }
    loops: dict[str, int] = {}
    for cell, function in functions.items():
        function()
        start = time.thread_time()
        function()
        loops[cell] = max(1, int(0.02 / max(time.thread_time() - start, 1e-6)))
    samples: dict[str, list[float]] = {cell: [] for cell in functions}
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        for cell, function in functions.items():
            start = time.thread_time()
            for _ in range(loops[cell]):
                function()
            samples[cell].append((time.thread_time() - start) / loops[cell] * 1e6)
    print(json.dumps({"bytes": len(body), "samples": samples}))


def installed(python: str, module: str | None) -> bool:
    if module is None:
        return True
    check = f"import importlib.util as u, sys; sys.exit(u.find_spec({module!r}) is None)"
    return subprocess.run([python, "-c", check], check=False, stderr=subprocess.DEVNULL).returncode == 0


def prepare(creo: Path, python: str) -> None:
    command = [creo, "generate", ROOT / "bench" / "orders.creo", "--target", "python", "--wires", "binary,json", "--quiet", "--out", OUT]
    subprocess.run([str(word) for word in command], check=True)
    (OUT / "python" / "fory_orders.py").write_text(_FORY)
    if installed(python, "grpc_tools"):
        command = [python, "-m", "grpc_tools.protoc", f"-I{ROOT / 'bench' / 'peers'}", f"--python_out={OUT / 'python'}", "orders.proto"]
        subprocess.run([str(word) for word in command], check=True)


def main() -> None:
    parser = argparse.ArgumentParser(prog="orders_peers", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--creo", type=Path, default=ROOT / "target" / "debug" / "creo")
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("--wire", choices=_BOTH, default="binary")
    parser.add_argument("--count", type=int, default=100, help="orders in a message (default: 100)")
    parser.add_argument("--rounds", type=int, default=5, help="processes of each (default: 5)")
    parser.add_argument("--seconds", type=float, default=2, help="of each process (default: 2)")
    parser.add_argument("--only", action="append", choices=PEERS, help="a peer; several times for several")
    parser.add_argument("--results", type=Path, metavar="FILE", help="a file for the table, in Markdown")
    parser.add_argument("--worker", choices=PEERS, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.worker:
        worker(args.worker, args.wire, args.count, args.seconds)
        return
    prepare(args.creo, args.python)
    wanted = {name: peer for name, peer in PEERS.items() if args.wire in peer.wires and (not args.only or name in args.only)}
    peers = {name: peer for name, peer in wanted.items() if installed(args.python, peer.module)}
    samples: dict[tuple[str, str], list[float]] = {}
    sizes: dict[str, int] = {}
    for _ in range(args.rounds):
        for name, peer in peers.items():
            path = os.pathsep.join([str(OUT / "python"), str(ROOT / "build" / "accelerator")])
            environment = {**os.environ, "PYTHONPATH": path, "CREO_ACCELERATOR": peer.accelerator}
            command = [args.python, __file__, "--worker", name, "--wire", args.wire, "--count", str(args.count), "--seconds", str(args.seconds)]
            said = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE, env=environment).stdout)
            sizes[name] = said["bytes"]
            for cell, found in said["samples"].items():
                samples.setdefault((cell, name), []).extend(found)
    cells = list(dict.fromkeys(cell for cell, _ in samples))
    lines = [f"| {args.count} orders, µs | bytes | {' | '.join(cells)} |", f"|{'---|' * (len(cells) + 2)}"]
    for name in peers:
        row = []
        for cell in cells:
            low, middle, high = statistics.quantiles(samples[cell, name], n=4)
            row.append(f"{middle:,.4g} ({low:,.4g} to {high:,.4g})")
        lines.append(f"| {name} | {sizes[name]:,} | {' | '.join(row)} |")
    print("\n".join(lines))
    if args.results:
        args.results.write_text("\n".join([*_head(args.python, args.wire, [peer.module for peer in peers.values() if peer.module], args.rounds, args.seconds), *lines, ""]))


def _head(python: str, wire: str, modules: list[str], rounds: int, seconds: float) -> list[str]:
    """What the figures were taken on and with."""
    sys.path.insert(0, str(ROOT / "bench"))
    from harness import machine

    packages = [module.removeprefix("google.") for module in modules]
    versions = f"import importlib.metadata as m, platform as p; print(p.python_version(), *(f'{{n}} {{m.version(n)}}' for n in {packages!r}), sep=', ')"
    about = machine.describe()
    form, option = ("as JSON", " --wire json") if wire == "json" else ("on the binary wire", "")
    return [
        f"# Orders {form} in Python",
        "",
        f"By `bench/python/orders_peers.py{option}`: {rounds} processes a peer, {seconds:g} s each, in turns; median (quartiles) of the thread's processor time. {about['processor']}, {about['cpus']} cores, load {machine.load()}.",
        f"Python {machine.first_line(python, '-c', versions)}. The data are bench/orders.creo: each order has five items and two tags; a tenth of the texts is not ASCII. \"Read\" touches every field.",
        "",
    ]


if __name__ == "__main__":
    main()
