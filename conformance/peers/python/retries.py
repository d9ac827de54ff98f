"""Makes calls that are repeated, and counts how they ended: for the harness's kind ``retries``."""

from __future__ import annotations

import asyncio
import json
import sys
from collections import Counter
from typing import Any, Callable

from conformance.matrix import AsyncLedgerClient, LedgerClient
from creo import CallOptions, CreoError
from creo.aio import AsyncChannel
from creo.balance import AsyncBalancedChannel, BalancedChannel
from creo.json import AsyncJsonChannel, JsonChannel
from creo.retries import RetryPolicy
from creo.tcp import Channel


def _channel(question: dict[str, Any], tcp: Any, json_: Any, balanced: Any) -> Any:
    """A channel of each port; several are balanced."""

    def open_(port: str) -> Any:
        if question.get("wire"):
            return json_(f"http://127.0.0.1:{port}/Ledger")
        return tcp("127.0.0.1", int(port))

    ports = [str(port) for port in question["ports"]]
    return open_(ports[0]) if len(ports) == 1 else balanced(ports, open_)


def _options(question: dict[str, Any]) -> CallOptions:
    policy = RetryPolicy(
        question["attempts"], question["baseDelay"] / 1000, question["maxDelay"] / 1000
    )
    return CallOptions(deadline=question["deadline"] / 1000, retry=policy)


def _call(question: dict[str, Any]) -> Counter[str]:
    ends: Counter[str] = Counter()
    with _channel(question, Channel, JsonChannel, BalancedChannel) as channel:
        client = LedgerClient.over(channel, _options(question))
        method: Callable[[int], int] = getattr(client, question["method"])
        for i in range(question["calls"]):
            try:
                ends["value" if method(i) == i else "wrong-value"] += 1
            except CreoError as error:
                ends[error.code.value] += 1
    return ends


async def _call_async(question: dict[str, Any]) -> Counter[str]:
    ends: Counter[str] = Counter()
    channels = AsyncChannel, AsyncJsonChannel, AsyncBalancedChannel
    async with _channel(question, *channels) as channel:
        client = AsyncLedgerClient.over(channel, _options(question))
        method: Callable[[int], Any] = getattr(client, question["method"])
        for i in range(question["calls"]):
            try:
                ends["value" if await method(i) == i else "wrong-value"] += 1
            except CreoError as error:
                ends[error.code.value] += 1
    return ends


def run() -> None:
    """Answers each line of standard input by one line."""
    for line in sys.stdin:
        question = json.loads(line)
        ends = asyncio.run(_call_async(question)) if question["async"] else _call(question)
        print(json.dumps({"values": ends.pop("value", 0), "errors": dict(ends)}), flush=True)
