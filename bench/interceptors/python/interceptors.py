"""The Python client of the benchmark of interceptors: see the Java one.

    interceptors.py PORT PORT BLOCKS CALLS
"""

from __future__ import annotations

import sys
from time import perf_counter_ns
from typing import Callable

from bench.echo import EchoClient
from creo import CallOptions, Outcome, OutgoingCall

WARM = 3_000


class Nothing:
    """Called at the beginning and at the end of a call, it does nothing."""

    def begin(self, call: OutgoingCall) -> Callable[[Outcome], None]:
        return self.end

    def end(self, outcome: Outcome) -> None:
        pass


def measure(client: EchoClient, calls: int) -> tuple[int, int]:
    times = []
    for _ in range(calls):
        start = perf_counter_ns()
        client.echo("Hello")
        times.append(perf_counter_ns() - start)
    return sum(times), sorted(times)[calls * 99 // 100]


def main() -> None:
    plain, intercepted, blocks, calls = map(int, sys.argv[1:])
    clients = {
        "none": EchoClient("127.0.0.1", plain),
        "client": EchoClient("127.0.0.1", plain, options=CallOptions(interceptors=[Nothing()])),
        "service": EchoClient("127.0.0.1", intercepted),
    }
    names = list(clients)
    for _ in range(WARM):
        for client in clients.values():
            client.echo("warm")
    for i in range(3 * blocks):
        name = names[(i + i // 3) % 3]
        print(name, *measure(clients[name], calls), flush=True)


if __name__ == "__main__":
    main()
