"""Runs cases, each a function, and says how each went."""

from __future__ import annotations

import time
import traceback
from collections.abc import Callable


def equal(wanted: object, got: object) -> None:
    assert wanted == got, f"expected {wanted!r}, got {got!r}"


def run(cases: dict[str, Callable[[], None]]) -> int:
    failed = False
    for name, case in cases.items():
        try:
            case()
            print(f"ok {name}", flush=True)
        except Exception as error:
            failed = True
            place = traceback.extract_tb(error.__traceback__)[-1]
            print(f"FAIL {name}: {type(error).__name__}: {error} (line {place.lineno})".replace("\n", " ")[:1500], flush=True)
    return 1 if failed else 0


def until(wanted: object, ask: Callable[[], object]) -> None:
    """Asks again, for at most 20 seconds: a oneway call may be under way."""
    deadline = time.monotonic() + 20
    while ask() != wanted:
        assert time.monotonic() < deadline, f"never {wanted!r}"


def pattern(count: int) -> bytes:
    return bytes(i * 7 % 256 for i in range(count))
