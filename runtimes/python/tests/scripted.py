"""Clients of a small interface, and channels that play the outcomes of calls without a server."""

from __future__ import annotations

import asyncio
import struct
from collections.abc import Iterable
from typing import Any, Callable, TypeVar

from creo import AsyncClient, CallOptions, Client, CreoError, ErrorCode
from creo import codegen as _creo

A = TypeVar("A")
R = TypeVar("R")

_LONG = struct.Struct(">q")


def _write(w: _creo.Writing, v: tuple[int]) -> None:
    w.append(_LONG.pack(v[0]))


def _read(b: bytes, p: int, r: _creo.Reading) -> tuple[int, int]:
    return _LONG.unpack_from(b, p)[0], p + 8


def _write_all(w: _creo.Writing, v: tuple[Any, Any]) -> None:
    raise AssertionError("no wire carries it")


def _entry() -> _creo.Parameters:
    return _creo.Parameters(_creo.Field("entry", "entry", _creo.LONG))


def _entries() -> _creo.Parameters:
    longs = _creo.ArrayType(_creo.LONG)
    named = _creo.MapType(_creo.STRING, longs, 16)
    return _creo.Parameters(
        _creo.Field("rows", "rows", _creo.ArrayType(longs)), _creo.Field("named", "named", named)
    )


_LEDGER = _creo.Interface("test.Ledger", 1)
BOOK = _creo.method(_LEDGER, "book", 1, _write, _entry, lambda: (_read, _creo.LONG))
LOOK = _creo.method(
    _LEDGER, "look", 2, _write, _entry, lambda: (_read, _creo.LONG), idempotent=True
)
BOOK_ALL = _creo.void_method(_LEDGER, "bookAll", 3, _write_all, _entries)


class LedgerClient(Client):
    """A blocking client."""

    def book(self, entry: int) -> int:
        return self._call(BOOK, (entry,))

    def look(self, entry: int) -> int:
        """Idempotent."""
        return self._call(LOOK, (entry,))

    def book_all(self, rows: Iterable[Iterable[int]], named: dict[str, Iterable[int]]) -> None:
        self._call(BOOK_ALL, (rows, named))


class AsyncLedgerClient(AsyncClient):
    """An asyncio client."""

    async def book(self, entry: int) -> int:
        return await self._call(BOOK, (entry,))

    async def look(self, entry: int) -> int:
        """Idempotent."""
        return await self._call(LOOK, (entry,))

    async def book_all(
        self, rows: Iterable[Iterable[int]], named: dict[str, Iterable[int]]
    ) -> None:
        await self._call(BOOK_ALL, (rows, named))


class Script:
    """What calls return or raise, in order; the last one for all that follow.

    A function gets the options of the call and returns, or raises, its outcome.
    """

    def __init__(self, *outcomes: Any) -> None:
        self.outcomes = list(outcomes)
        self.options: list[CallOptions] = []
        self.arguments: list[tuple[Any, ...]] = []
        self.closed = 0

    def play(self, arguments: Any, options: CallOptions) -> Any:
        self.options.append(options)
        self.arguments.append(arguments)
        outcome = self.outcomes.pop(0) if len(self.outcomes) > 1 else self.outcomes[0]
        if callable(outcome):
            outcome = outcome(options)
        if isinstance(outcome, BaseException):
            raise outcome
        return outcome


class Scripted(Script):
    """A blocking channel."""

    def call(self, method: _creo.Method[A, R], arguments: A, options: CallOptions) -> R:
        found: R = self.play(arguments, options)
        return found

    def close(self) -> None:
        self.closed += 1


class AsyncScripted(Script):
    """An asyncio channel. An outcome may be awaitable."""

    async def call(self, method: _creo.Method[A, R], arguments: A, options: CallOptions) -> R:
        found: Any = self.play(arguments, options)
        if asyncio.isfuture(found) or asyncio.iscoroutine(found):
            found = await found
        return found  # type: ignore[no-any-return]

    async def close(self) -> None:
        self.closed += 1


def failure(
    code: str = "unavailable", *, from_peer: bool = False, **details: str
) -> Callable[[CallOptions], CreoError]:
    """Makes a new error for each call; ``_`` in the keys of its details is a dash."""
    given = {key.replace("_", "-"): value for key, value in details.items()}
    return lambda _: CreoError(ErrorCode(code), "it failed", details=given, from_peer=from_peer)


def refused(options: CallOptions) -> CreoError:
    """Nothing was written."""
    return failure(started="no")(options)


def lost(options: CallOptions) -> CreoError:
    """The client lost the connection."""
    return failure()(options)


def ends(client: Any, *calls: Callable[[Any], Any]) -> list[Any]:
    """What each of these calls returned or raised, with either kind of client, which is closed."""

    async def all_() -> list[Any]:
        async with client:
            return [
                (await asyncio.gather(call(client), return_exceptions=True))[0] for call in calls
            ]

    if isinstance(client, AsyncClient):
        return asyncio.run(all_())
    found: list[Any] = []
    with client:
        for call in calls:
            try:
                found.append(call(client))
            except Exception as raised:
                found.append(raised)
    return found
