"""Ports for servers that cannot choose one themselves."""

from __future__ import annotations

import random
import socket

# Below those that Linux gives to connections and to servers that ask for any: no other program gets one of these by chance before it is used.
LOWEST, HIGHEST = 20_000, 32_000


def free_ports(count: int) -> list[int]:
    """Different ports of 127.0.0.1 that are free now."""
    found: list[int] = []
    for port in random.sample(range(LOWEST, HIGHEST), HIGHEST - LOWEST):
        if len(found) == count:
            break
        try:
            with socket.create_server(("127.0.0.1", port)):
                found.append(port)
        except OSError:
            continue
    if len(found) < count:
        raise OSError(f"{count} ports from {LOWEST} to {HIGHEST} are not free")
    return found
