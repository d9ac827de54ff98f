"""Makes calls that are repeated, and counts how they ended: for the harness's kind ``retries``."""

from __future__ import annotations

import asyncio
import json
import sys
from collections import Counter
from dataclasses import replace
from typing import Any, Callable

from conformance.matrix import AsyncLedgerClient, LedgerClient
from creo import Answer, CallOptions, CreoError, Outcome, OutgoingCall
from creo.aio import AsyncChannel
from creo.balance import AsyncBalancedChannel, BalancedChannel
from creo.json import AsyncJsonChannel, JsonChannel
from creo.retries import RetryPolicy
from creo.tcp import Channel


class _Witness:
    """Sees what the program learns of a hedged call besides its end."""

    def __init__(self) -> None:
        self.seen: list[dict[str, Any]] = []
        self._forget()

    def _forget(self) -> None:
        self.begun = self.ended = 0
        self.answer: Answer | None = None

    def answered(self, answer: Answer) -> None:
        self.answer = answer

    def begin(self, call: OutgoingCall) -> Callable[[Outcome], object]:
        self.begun += 1

        def end(outcome: Outcome) -> None:
            self.ended += 1

        return end

    def saw(self, end: str, error: CreoError | None) -> None:
        details = {} if error is None else error.details
        self.seen.append(
            {
                "end": end,
                "answer": None if self.answer is None else self.answer.metadata.get("attempt"),
                "attempts": details.get("attempts"),
                "started": details.get("started"),
                "begun": self.begun,
                "ended": self.ended,
            }
        )
        self._forget()


def _channel(question: dict[str, Any], tcp: Any, json_: Any, balanced: Any) -> Any:
    """A channel of each port; several are balanced."""

    def open_(port: str) -> Any:
        if question.get("wire"):
            return json_(f"http://127.0.0.1:{port}/Ledger")
        return tcp("127.0.0.1", int(port))

    ports = [str(port) for port in question["ports"]]
    return open_(ports[0]) if len(ports) == 1 else balanced(ports, open_)


def _options(question: dict[str, Any], witness: _Witness) -> CallOptions:
    policy = RetryPolicy(
        question["attempts"], question["baseDelay"] / 1000, question["maxDelay"] / 1000
    )
    options = CallOptions(deadline=question["deadline"] / 1000, retry=policy)
    if "hedgeAfter" in question:
        policy = replace(policy, hedge_after=question["hedgeAfter"] / 1000)
        options = replace(options, retry=policy)
    if "witness" in question:
        options = replace(options, interceptors=(witness,), on_answer=witness.answered)
    return options


def _call(question: dict[str, Any], channel: Any, witness: _Witness) -> Counter[str]:
    ends: Counter[str] = Counter()
    client = LedgerClient.over(channel, _options(question, witness))
    method: Callable[[int], int] = getattr(client, question["method"])
    for i in range(question["calls"]):
        error = None
        try:
            end = "value" if method(i) == i else "wrong-value"
        except CreoError as raised:
            error, end = raised, raised.code.value
        ends[end] += 1
        witness.saw(end, error)
    return ends


async def _call_async(question: dict[str, Any], channel: Any, witness: _Witness) -> Counter[str]:
    ends: Counter[str] = Counter()
    client = AsyncLedgerClient.over(channel, _options(question, witness))
    method: Callable[[int], Any] = getattr(client, question["method"])
    for i in range(question["calls"]):
        error = None
        call = asyncio.ensure_future(method(i))
        if question.get("cancel"):
            # The host answers another call when all attempts of this one have come.
            async with AsyncChannel("127.0.0.1", question["ports"][0]) as other:
                await AsyncLedgerClient.over(other).look(i + 1)
            call.cancel()
        try:
            end = "value" if await call == i else "wrong-value"
        except CreoError as raised:
            error, end = raised, raised.code.value
        except asyncio.CancelledError:
            end = "cancelled"
        ends[end] += 1
        witness.saw(end, error)
    return ends


def run() -> None:
    """Answers each line of standard input by one line.

    The channel of hedged calls stays open until the next question: its end would hide which attempts
    were cancelled.
    """
    asyncio.run(_run())


async def _run() -> None:
    close: Callable[[], Any] = lambda: None
    for line in sys.stdin:
        await _closed(close())
        question = json.loads(line)
        witness = _Witness()
        if question["async"]:
            channel = _channel(question, AsyncChannel, AsyncJsonChannel, AsyncBalancedChannel)
            ends = await _call_async(question, channel, witness)
        else:
            channel = _channel(question, Channel, JsonChannel, BalancedChannel)
            ends = _call(question, channel, witness)
        answer = {"values": ends.pop("value", 0), "errors": dict(ends)}
        close = channel.close
        if "witness" in question:
            answer["seen"] = witness.seen
        else:
            await _closed(close())
        print(json.dumps(answer), flush=True)
    await _closed(close())


async def _closed(closing: Any) -> None:
    if closing is not None:
        await closing
