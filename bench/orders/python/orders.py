"""A Python client of the benchmark of orders, controlled by its input, one command a line: `KIND CALLERS CALLS`. KIND is `threads`, blocking calls of so many threads, or `tasks`, of
so many tasks of asyncio. All callers share one client. It answers each with the nanoseconds that all the calls took together.

    orders.py PEER PORT
"""

from __future__ import annotations

import asyncio
import sys
from concurrent.futures import ThreadPoolExecutor
from time import perf_counter_ns
from typing import Any, Awaitable, Callable

QUANTITY = 15
CUSTOMER = "Jürgen Müller"


def check(order: Any, number: int) -> None:
    """Looks at the order as a program would: every item is touched."""
    if order.id != number or order.customer != CUSTOMER or sum(item.quantity for item in order.items) != QUANTITY:
        raise AssertionError(f"another order than {number}")


def creo(port: int) -> tuple[Callable[[int], Any], Callable[[], Any]]:
    """Creo's client over TCP at its defaults; whether it has the accelerator is decided by the environment."""
    from bench.orders import AsyncShopClient, ShopClient

    return ShopClient("127.0.0.1", port).get, lambda: AsyncShopClient("127.0.0.1", port).get


def grpc(port: int) -> tuple[Callable[[int], Any], Callable[[], Any]]:
    import grpc as library
    import grpc.aio
    import workloads_pb2 as messages

    def stub(channel: Any) -> Callable[[int], Any]:
        get = channel.unary_unary(
            "/bench.orders.Shop/Get",
            request_serializer=messages.Key.SerializeToString,
            response_deserializer=messages.Order.FromString,
        )
        return lambda number: get(messages.Key(id=number))

    target = f"127.0.0.1:{port}"
    return stub(library.insecure_channel(target)), lambda: stub(grpc.aio.insecure_channel(target))


PEERS = {"creo": creo, "grpc": grpc}


def by_threads(get: Callable[[int], Any], callers: int, calls: int) -> int:
    def some(first: int) -> None:
        for number in range(first, calls, callers):
            check(get(number), number)

    with ThreadPoolExecutor(callers) as pool:
        # The threads are there before the clock runs.
        list(pool.map(lambda _: None, range(callers)))
        start = perf_counter_ns()
        for done in [pool.submit(some, first) for first in range(callers)]:
            done.result()
        return perf_counter_ns() - start


async def by_tasks(get: Callable[[int], Awaitable[Any]], callers: int, calls: int) -> int:
    async def some(first: int) -> None:
        for number in range(first, calls, callers):
            check(await get(number), number)

    start = perf_counter_ns()
    await asyncio.gather(*map(some, range(callers)))
    return perf_counter_ns() - start


def main() -> None:
    get, asynchronous = PEERS[sys.argv[1]](int(sys.argv[2]))
    loop = asyncio.new_event_loop()

    async def connected() -> Any:
        return asynchronous()

    get_async = loop.run_until_complete(connected())
    print("ready", flush=True)
    for line in sys.stdin:
        kind, callers, calls = line.split()
        if kind == "threads":
            took = by_threads(get, int(callers), int(calls))
        else:
            took = loop.run_until_complete(by_tasks(get_async, int(callers), int(calls)))
        print(took, flush=True)


if __name__ == "__main__":
    main()
