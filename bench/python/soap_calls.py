"""A client controlled by its input, which says what to call and how long: `MESSAGE CONNECTIONS SECONDS` per line; it answers `CALLS SECONDS`.

    soap_calls.py creo-python|zeep ADDRESS
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Any

import messages
import soap_peers


def creo_python(url: str) -> Callable[[str], tuple[Callable[[], Any], soap_peers.Case]]:
    from bench.messages import MessagesClient

    client = MessagesClient.soap(url)

    def prepare(name: str) -> tuple[Callable[[], Any], soap_peers.Case]:
        case = soap_peers.Creo("soap", name)
        method = getattr(client, "echo" + soap_peers.snake(messages.TYPES[name]))
        return lambda: method(case.value), case

    return prepare


def zeep(url: str) -> Callable[[str], tuple[Callable[[], Any], soap_peers.Case]]:
    def prepare(name: str) -> tuple[Callable[[], Any], soap_peers.Case]:
        case = soap_peers.Zeep("soap", name)
        service = case.client.create_service("{urn:creo:bench:messages}MessagesSoap11", url)
        method = getattr(service, case.method)
        return lambda: method(message=case.value), case

    return prepare


def main() -> None:
    kind, url = sys.argv[1:]
    prepare = {"creo-python": creo_python, "zeep": zeep}[kind](url)
    ready: dict[str, Callable[[], Any]] = {}
    print("ready", flush=True)
    for line in sys.stdin:
        name, _, seconds = line.split()
        if name not in ready:
            ready[name], case = prepare(name)
            if case.same(ready[name]()) != {**case.plain, "identification": "RESPONSE"}:
                raise AssertionError(f"{kind} does not get back the message {name}")
        call, calls, start = ready[name], 0, time.perf_counter()
        while time.perf_counter() - start < float(seconds):
            call()
            calls += 1
        print(calls, time.perf_counter() - start, flush=True)


if __name__ == "__main__":
    main()
