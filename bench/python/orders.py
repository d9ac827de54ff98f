"""Orders of bench/workloads.creo in Python: microseconds to encode and decode them on JSON and as a SOAP response, without any transport.

    orders.py                                     this checkout
    orders.py --against ../before                 another checkout's runtime beside it, in turns
    orders.py --python build/venv-oldest/bin/python

Besides Creo, it measures the standard library's parsers with a handwritten mapping to the same classes. Code is generated with target/debug/creo (or
--creo) into build/bench/orders.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, Callable

import workload_xml
from workload_data import orders
from workload_peers import builder, when_of

ROOT = Path(__file__).resolve().parents[2]


def by_hand(types: Any, parsed: Any) -> Any:
    """What ``json.loads`` gives, as the same classes."""
    from creo import DateTime

    return types.Orders([
        types.Order(
            o["id"], o["customer"], DateTime.parse(o["placed"]),
            [types.Item(i["sku"], i["quantity"], i["price"], i.get("note")) for i in o["items"]],
            o["tags"],
        )
        for o in parsed["orders"]
    ])  # fmt: skip


def cells(count: int) -> dict[str, Callable[[], Any]]:
    """The measurements; each round trip is checked once."""
    import bench.workloads as types

    build = builder(types, "orders", orders(count, when_of("creo")))
    value = build()
    by_expat = workload_xml.by_expat(types)
    text = value.to_json()
    soap = workload_xml.creo("orders", None, "soap")
    response = workload_xml.response(value)
    found: dict[str, Callable[[], Any]] = {
        "build": build,
        "json encode": value.to_json,
        "json decode": lambda: types.Orders.from_json(text),
        "json.loads": lambda: json.loads(text),
        "json.loads and by hand": lambda: by_hand(types, json.loads(text)),
        "xml encode": value.to_xml,
        "soap decode": lambda: soap.decode(response),
        "expat and by hand": lambda: by_expat(response),
    }
    for name in ("json decode", "json.loads and by hand", "soap decode", "expat and by hand"):
        if found[name]() != value:
            raise AssertionError(f"{name} does not give back the orders")
    found["bytes"] = lambda: (len(text), len(response))
    return found


def worker(count: int, seconds: float) -> None:
    """Prints microseconds of each cell: the samples of this process, in turns."""
    made = cells(count)
    sizes = made.pop("bytes")()
    loops: dict[str, int] = {}
    for name, function in made.items():
        function()
        start = time.thread_time()
        function()
        loops[name] = max(1, int(0.02 / max(time.thread_time() - start, 1e-6)))
    samples: dict[str, list[float]] = {name: [] for name in made}
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        for name, function in made.items():
            start = time.thread_time()
            for _ in range(loops[name]):
                function()
            samples[name].append((time.thread_time() - start) / loops[name] * 1e6)
    print(json.dumps({"bytes": sizes, "samples": samples}))


def generate(creo: Path, out: Path) -> Path:
    command = [creo, "generate", ROOT / "bench" / "workloads.creo", "--target", "python", "--wires", "binary,json,soap", "--quiet", "--out", out]
    subprocess.run([str(word) for word in command], check=True)
    return out / "python"


def main() -> None:
    parser = argparse.ArgumentParser(prog="orders", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--against", type=Path, help="another checkout, whose creo generates its own code and runtime")
    parser.add_argument("--creo", type=Path, default=ROOT / "target" / "debug" / "creo")
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("--count", type=int, default=100, help="orders in a message (default: 100)")
    parser.add_argument("--rounds", type=int, default=5, help="processes of each (default: 5)")
    parser.add_argument("--seconds", type=float, default=3, help="of each process (default: 3)")
    parser.add_argument("--worker", type=Path, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.worker:
        sys.path.insert(0, str(args.worker))
        worker(args.count, args.seconds)
        return
    out = ROOT / "build" / "bench" / "orders"
    sides = {"creo": generate(args.creo, out / "this")}
    if args.against:
        sides = {"before": generate(args.against / "target" / "debug" / "creo", out / "before"), **sides}
    samples: dict[tuple[str, str], list[float]] = {}
    for _ in range(args.rounds):
        for side, folder in sides.items():
            command = [args.python, __file__, "--worker", folder, "--count", args.count, "--seconds", args.seconds]
            said = json.loads(subprocess.run([str(word) for word in command], check=True, stdout=subprocess.PIPE).stdout)
            for name, found in said["samples"].items():
                samples.setdefault((name, side), []).extend(found)
    print(f"{args.count} orders, JSON {said['bytes'][0]} bytes, SOAP {said['bytes'][1]} bytes: median µs (quartiles)")
    for name in dict.fromkeys(name for name, _ in samples):
        row = []
        for side in sides:
            low, middle, high = statistics.quantiles(samples[name, side], n=4)
            row.append(f"{side} {middle:8,.0f} ({low:,.0f} to {high:,.0f})")
        print(f"  {name:24}{'   '.join(row)}")


if __name__ == "__main__":
    main()
