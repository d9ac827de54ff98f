"""What security costs in Python (COST-39): arguments and output are those of SecurityCosts.java."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import Callable

from creo.wss import WsSecurity


def timed(count: int, work: Callable[[int], bytes]) -> float:
    """The processor time of the thread for a message."""
    before = time.thread_time_ns()
    for number in range(count):
        if not work(number):
            raise AssertionError("a message without bytes")
    return (time.thread_time_ns() - before) / count


def main() -> None:
    keys, rounds, count = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    key, certificate = ((keys / f"client.{kind}.pem").read_bytes() for kind in ("key", "crt"))
    jobs = []
    for word in sys.argv[4:]:
        parts, _, file = word.partition(":")
        signs, encrypts = "sign" in parts.split(","), "encrypt" in parts.split(",")
        writer = WsSecurity(sign=(key, certificate) if signs else None, encrypt_to=certificate if encrypts else None)
        jobs.append((signs, encrypts, Path(file).read_bytes(), writer))
    for _ in range(rounds):
        for number, (signs, encrypts, plain, writer) in enumerate(jobs):
            secured = [b""] * count

            def write(n: int) -> bytes:
                secured[n] = writer.send(plain)
                return secured[n]

            written = timed(count, write)
            # Without a memory of signatures that came before.
            reader = WsSecurity(trust=certificate if signs else (), decrypt=[(key, certificate)] if encrypts else ())
            read = timed(count, lambda n: reader.receive(secured[n], "utf-8"))
            print(number, "write", len(secured[0]), round(written))
            print(number, "read", len(secured[0]), round(read))


if __name__ == "__main__":
    main()
