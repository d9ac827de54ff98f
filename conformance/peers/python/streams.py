"""Calls with streams: the scenarios ``streams...``, and single calls for the kind ``streams``."""

from __future__ import annotations

import asyncio
import json
import queue
import ssl
import sys
import threading
import time
from collections.abc import AsyncIterator, Iterator
from typing import Any, Callable, Optional

from conformance.matrix import AsyncEchoClient, AsyncStreamsClient, EchoClient, Stopped, StreamsClient, Tick
from creo import Answer, CallOptions, CreoError
from creo.aio import AsyncChannel
from creo.tcp import Channel

_ENDLESS = 1 << 62
#: In seconds, of calls that end before their stream: a slow machine needs more until the first item.
_DEADLINES = [0.2 * 2**i for i in range(9)]


class SourceFailure(Exception):
    """What a source of items raises."""


class WrongValue(Exception):
    """An item is not as it should be."""


def tick(number: int) -> Tick:
    """As the description says."""
    return Tick(number, f"tick {number}", [number, number + 0.5])


def expect(found: Any, wanted: Any) -> None:
    """Fails unless both are the same."""
    if found != wanted:
        raise AssertionError(f"{found!r:.200} is not {wanted!r:.200}")


class StreamScenarios:
    """One method a scenario. Each runs with both kinds of client."""

    #: How far a source may be read for ten of its numbers: no further than the credit allows.
    far = 262_144 // 9 + 1
    #: The methods whose streams are closed, each after this many items.
    closed: tuple[tuple[str, int], ...] = (("ticks", 10), ("talk", 1))

    def __init__(self, host: str, port: int, tls: Optional[ssl.SSLContext] = None) -> None:
        self._over(Channel(host, port, tls=tls), lambda: AsyncChannel(host, port, tls=tls))

    def _over(self, channel: Any, opens: Callable[[], Any]) -> None:
        """Sets the channel of the clients, and what makes those of asyncio."""
        self._channel = channel
        self._open = opens

    def client(self, **options: Any) -> StreamsClient:
        return StreamsClient.over(self._channel, CallOptions(**options))

    def _add(self) -> None:
        expect(EchoClient.over(self._channel).add(1, 2), 3)

    def _asynchronous(self, scenario: Callable[[AsyncStreamsClient], Any]) -> None:
        """Runs a scenario with an asyncio client, and then another call on its connection."""

        async def run() -> None:
            async with self._open() as channel:
                await scenario(AsyncStreamsClient.over(channel))
                expect(await AsyncEchoClient.over(channel).add(1, 2), 3)

        asyncio.run(run())

    def results(self) -> None:
        """The methods whose only stream is their result."""
        client = self.client()

        def stopping() -> None:
            found = []
            try:
                for number in client.stopping(10):
                    found.append(number)
            except Stopped as stopped:
                expect((found, stopped.after), (list(range(10)), 10))
                return
            raise AssertionError("no Stopped")

        for step in (
            lambda: expect(list(client.ticks(1_000)), [tick(i) for i in range(1_000)]),
            lambda: expect(list(client.ticks(0)), []),
            stopping,
            lambda: expect([block.tolist() for block in client.blocks(100, 1_000)], _blocks()),
        ):
            step()
            self._add()

        async def all_(client: AsyncStreamsClient) -> None:
            expect([item async for item in client.ticks(1_000)], [tick(i) for i in range(1_000)])
            expect([item async for item in client.ticks(0)], [])
            try:
                found = []
                async for number in client.stopping(10):
                    found.append(number)
                raise AssertionError("no Stopped")
            except Stopped as stopped:
                expect((found, stopped.after), (list(range(10)), 10))
            expect([b.tolist() async for b in client.blocks(100, 1_000)], _blocks())

        self._asynchronous(all_)

    def streams(self) -> None:
        self.results()
        client = self.client()

        def first() -> None:
            taken = 0

            def source() -> Iterator[int]:
                nonlocal taken
                for number in range(_ENDLESS):
                    taken += 1
                    yield number

            expect(client.first(10, source()), 45)
            expect(taken <= self.far, True)

        def too_few() -> None:
            try:
                client.first(10, range(5))
            except Stopped as stopped:
                expect(stopped.after, 5)
                return
            raise AssertionError("no Stopped")

        for step in (
            lambda: expect(client.sum(range(100_000)), 4_999_950_000),
            lambda: expect(client.sum(iter(range(100_000))), 4_999_950_000),
            first,
            too_few,
            lambda: expect(client.total(_blocks()), 4_999_950_000.0),
        ):
            step()
            self._add()

        async def all_(client: AsyncStreamsClient) -> None:
            expect(await client.sum(range(100_000)), 4_999_950_000)
            expect(await client.sum(_awaited(range(100_000))), 4_999_950_000)
            expect(await client.first(10, _awaited(range(_ENDLESS))), 45)
            expect(await client.total(_blocks()), 4_999_950_000.0)

        self._asynchronous(all_)

    def talk(self) -> None:
        outcome = _call(self.client(), "talk", 100, lockstep=True)
        expect((outcome["items"], outcome["end"]), (100, "value"))
        self._add()

        async def asynchronously(client: AsyncStreamsClient) -> None:
            outcome = await _call_async(client, "talk", 100, lockstep=True)
            expect((outcome["items"], outcome["end"]), (100, "value"))

        self._asynchronous(asynchronously)

    def close(self) -> None:
        for method, take in self.closed:
            outcome = _call(self.client(), method, _ENDLESS, take=take)
            expect((outcome["items"], outcome["end"]), (take, "closed"))
            self._add()

            async def asynchronously(client: AsyncStreamsClient) -> None:
                outcome = await _call_async(client, method, _ENDLESS, take=take)
                expect((outcome["items"], outcome["end"]), (take, "closed"))

            self._asynchronous(asynchronously)

    def deadline(self) -> None:
        outcome: dict[str, Any] = {"items": 0}
        for soon in _DEADLINES:
            if outcome["items"] == 0:
                outcome = _call(self.client(deadline=soon), "ticks", _ENDLESS)
        expect((outcome["items"] > 0, outcome["end"]), (True, "deadline-exceeded"))
        self._add()

        async def asynchronously(client: AsyncStreamsClient) -> None:
            outcome: dict[str, Any] = {"items": 0}
            for soon in _DEADLINES:
                if outcome["items"] == 0:
                    hasty = client.with_options(deadline=soon)
                    outcome = await _call_async(hasty, "ticks", _ENDLESS)
            expect((outcome["items"] > 0, outcome["end"]), (True, "deadline-exceeded"))

        self._asynchronous(asynchronously)

    def _refused(self, method: str) -> None:
        """A method whose streams are not carried."""
        outcome = _call(self.client(), method, 100)
        expect((outcome["items"], outcome["end"]), (0, "unknown-method"))
        self._add()

        async def asynchronously(client: AsyncStreamsClient) -> None:
            outcome = await _call_async(client, method, 100)
            expect((outcome["items"], outcome["end"]), (0, "unknown-method"))

        self._asynchronous(asynchronously)

    def metadata(self) -> None:
        pair = {"x-answer": "é"}
        answers: list[Answer] = []
        client = self.client(metadata=pair, on_answer=answers.append)
        expect([item.number for item in client.ticks(3)], [0, 1, 2])
        expect([dict(answer.metadata) for answer in answers], [pair])

    def source(self) -> None:
        outcome = _call(self.client(), "sum", _ENDLESS, fail_after=10)
        expect((outcome["taken"], outcome["end"]), (10, "source"))
        self._add()

        async def asynchronously(client: AsyncStreamsClient) -> None:
            outcome = await _call_async(client, "sum", _ENDLESS, fail_after=10)
            expect(outcome["end"], "source")

        self._asynchronous(asynchronously)

    def steps(self) -> dict[str, Callable[[], None]]:
        return {
            "streams": self.streams,
            "streams-talk": self.talk,
            "streams-close": self.close,
            "streams-deadline": self.deadline,
            "streams-metadata": self.metadata,
            "streams-source": self.source,
        }

    def end(self) -> None:
        self._channel.close()


class LineScenarios(StreamScenarios):
    """The same as lines of JSON, for methods with one stream."""

    # The buffers of the system are between the two sides.
    far = 1_000_000
    closed = (("ticks", 10),)

    def __init__(self, url: str) -> None:
        self._url = url
        self._echo = EchoClient.json(f"{url}/Echo")

    def client(self, **options: Any) -> StreamsClient:
        return StreamsClient.json(f"{self._url}/Streams", options=CallOptions(**options))

    def _add(self) -> None:
        expect(self._echo.add(1, 2), 3)

    def _asynchronous(self, scenario: Callable[[AsyncStreamsClient], Any]) -> None:
        async def run() -> None:
            async with AsyncStreamsClient.json(f"{self._url}/Streams") as client:
                await scenario(client)
            async with AsyncEchoClient.json(f"{self._url}/Echo") as echo:
                expect(await echo.add(1, 2), 3)

        asyncio.run(run())

    def talk(self) -> None:
        """The call has two streams, which lines do not carry (CALL-47)."""
        self._refused("talk")

    def end(self) -> None:
        self._echo.close()


class ResultScenarios(StreamScenarios):
    """Those over a transport that carries no streams of parameters (JMS-23)."""

    closed = (("ticks", 10),)

    def __init__(self, channel: Any, opens: Callable[[], Any]) -> None:
        self._over(channel, opens)

    def _asynchronous(self, scenario: Callable[[AsyncStreamsClient], Any]) -> None:
        async def connected(client: AsyncStreamsClient) -> None:
            expect([item async for item in client.ticks(1)], [tick(0)])
            await scenario(client)

        super()._asynchronous(connected)

    def talk(self) -> None:
        for method in ("sum", "total", "talk"):
            self._refused(method)

    def deadline(self) -> None:
        expect(list(self.client().ticks(1)), [tick(0)])
        super().deadline()

    def steps(self) -> dict[str, Callable[[], None]]:
        steps = {**super().steps(), "streams": self.results}
        del steps["streams-source"]
        return steps


def _blocks() -> list[list[float]]:
    """What ``blocks(100, 1000)`` gives."""
    return [[float(1_000 * block + i) for i in range(1_000)] for block in range(100)]


async def _awaited(items: Any) -> AsyncIterator[Any]:
    for item in items:
        yield item


class _Run:
    """One call: what was read and taken."""

    def __init__(self, method: str, fail_after: Optional[int]) -> None:
        self.items = self.sum = self.taken = 0
        self._ticks = method == "talk"
        self._method = method
        self._fail_after = fail_after

    def next(self, number: int) -> Any:
        """The next item of the source."""
        if number == self._fail_after:
            raise SourceFailure
        self.taken += 1
        if self._method == "total":
            return [float(number)]
        return tick(number) if self._ticks else number

    def read(self, item: Any) -> None:
        """Takes an item of the results."""
        number = item if self._method == "stopping" else item.number
        wanted: Any = self.items
        if self._method == "ticks":
            wanted = tick(self.items)
        elif self._method == "talk":
            asked = tick(self.items)
            wanted = asked.replace(number=2 * asked.number)
        if item != wanted:
            raise WrongValue
        self.items += 1
        self.sum += number

    def answer(self, failure: Optional[BaseException], closed: bool) -> dict[str, Any]:
        if failure is None:
            end = "closed" if closed else "value"
        elif isinstance(failure, CreoError):
            end = failure.code.value
        else:
            ends = {Stopped: "declared", SourceFailure: "source", WrongValue: "wrong-value"}
            end = ends.get(type(failure), f"defect: {type(failure).__name__}: {failure}")
        return {"items": self.items, "sum": self.sum, "taken": self.taken, "end": end}


def _call(
    client: StreamsClient,
    method: str,
    count: int,
    *,
    take: Optional[int] = None,
    fail_after: Optional[int] = None,
    lockstep: bool = False,
    pause: float = 0.0,
) -> dict[str, Any]:
    run = _Run(method, fail_after)
    answered: queue.Queue[None] = queue.Queue()

    def source() -> Iterator[Any]:
        for number in range(count):
            yield run.next(number)
            if lockstep:
                answered.get()
        if run._fail_after == count:
            raise SourceFailure

    failure: Optional[BaseException] = None
    closed = False
    try:
        if method == "sum":
            run.sum = client.sum(source())
        elif method == "total":
            client.total(source())
        elif method == "first":
            run.sum = client.first(10, source())
        else:
            stream: Any = {
                "ticks": lambda: client.ticks(count),
                "stopping": lambda: client.stopping(count),
                "talk": lambda: client.talk(source()),
            }[method]()
            with stream:
                while not closed:
                    if run.items == take:
                        closed = True
                        break
                    try:
                        item = next(stream)
                    except StopIteration:
                        break
                    run.read(item)
                    answered.put(None)
                    if pause:
                        time.sleep(pause)
    except Exception as raised:
        failure = raised
    return run.answer(failure, closed)


async def _call_async(
    client: AsyncStreamsClient,
    method: str,
    count: int,
    *,
    take: Optional[int] = None,
    fail_after: Optional[int] = None,
    lockstep: bool = False,
    pause: float = 0.0,
) -> dict[str, Any]:
    run = _Run(method, fail_after)
    answered = asyncio.Semaphore(0)

    async def source() -> AsyncIterator[Any]:
        for number in range(count):
            yield run.next(number)
            if lockstep:
                await answered.acquire()
        if run._fail_after == count:
            raise SourceFailure

    failure: Optional[BaseException] = None
    closed = False
    try:
        if method == "sum":
            run.sum = await client.sum(source())
        elif method == "total":
            await client.total(source())
        elif method == "first":
            run.sum = await client.first(10, source())
        else:
            stream: Any = {
                "ticks": lambda: client.ticks(count),
                "stopping": lambda: client.stopping(count),
                "talk": lambda: client.talk(source()),
            }[method]()
            async with stream:
                while not closed:
                    if run.items == take:
                        closed = True
                        break
                    try:
                        item = await stream.__anext__()
                    except StopAsyncIteration:
                        break
                    run.read(item)
                    answered.release()
                    if pause:
                        await asyncio.sleep(pause)
    except Exception as raised:
        failure = raised
    return run.answer(failure, closed)


class _Calls:
    """A channel of each kind, made again when a line asks for it."""

    def __init__(self) -> None:
        self._channel: Optional[Channel] = None
        self._async_channel: Optional[AsyncChannel] = None
        # The asyncio client runs between the calls, as it would in a program.
        self._loop = asyncio.new_event_loop()
        threading.Thread(target=self._loop.run_forever, daemon=True).start()

    def call(self, line: dict[str, Any]) -> dict[str, Any]:
        options = CallOptions(deadline=line["deadline"] / 1_000 if line["deadline"] else None)
        given = {
            "take": line["take"],
            "fail_after": line["failAfter"],
            "lockstep": line["lockstep"],
            "pause": line["pause"] / 1_000,
        }
        if line["async"]:
            made = self._call_async(line, options, given)
            return asyncio.run_coroutine_threadsafe(made, self._loop).result()
        if line["fresh"] or self._channel is None:
            if self._channel is not None:
                self._channel.close()
            self._channel = Channel("127.0.0.1", line["port"])
        client = StreamsClient.over(self._channel, options)
        return _call(client, line["method"], line["count"], **given)

    async def _call_async(
        self, line: dict[str, Any], options: CallOptions, given: dict[str, Any]
    ) -> dict[str, Any]:
        if line["fresh"] or self._async_channel is None:
            if self._async_channel is not None:
                await self._async_channel.close()
            self._async_channel = AsyncChannel("127.0.0.1", line["port"])
        client = AsyncStreamsClient.over(self._async_channel, options)
        return await _call_async(client, line["method"], line["count"], **given)

    def close(self) -> None:
        if self._channel is not None:
            self._channel.close()
        if self._async_channel is not None:
            asyncio.run_coroutine_threadsafe(self._async_channel.close(), self._loop).result()
        self._loop.call_soon_threadsafe(self._loop.stop)


def run() -> None:
    """Makes a call for each line of standard input, and answers with a line."""
    calls = _Calls()
    for line in sys.stdin:
        print(json.dumps(calls.call(json.loads(line))), flush=True)
    calls.close()
