"""Channels with several addresses (``calls.md``, section 4): where calls go."""

# pyright: reportPrivateUsage=false

from __future__ import annotations

import asyncio
import random
import threading
from collections import Counter
from typing import Any, Callable

import pytest

import creo.balance
from balanced import BOTH, NAMES, Balanced, Held, book
from creo import Answer, CallOptions, CreoError, ErrorCode
from creo._base import not_started
from creo.balance import AsyncBalancedChannel, BalancedChannel
from creo.retries import RetryPolicy
from fake import REQUEST, RESPONSE, Peer, dead_port, frame, serve
from fake_http import answer, envelope, receive
from sample import AsyncDataServiceClient, DataServiceClient
from scripted import (
    AsyncLedgerClient,
    AsyncScripted,
    LedgerClient,
    Scripted,
    ends,
    failure,
    lost,
    refused,
)

# The rules


@BOTH
def test_in_turn(asynchronous: bool) -> None:
    """CALL-31, and CALL-30: one that is named twice is there once."""
    begins: set[str] = set()
    for _ in range(60):
        balanced = Balanced(asynchronous, ["a", "b", "a", "c", "b"])
        assert not balanced.opened
        went = balanced.went(7)
        assert went in "abcabcabcabc"
        begins.add(went[0])
    assert begins == set(NAMES)


def test_the_fewest_calls_under_way() -> None:
    async def run() -> None:
        held = Held(Balanced(True, rule="least-outstanding"))
        began = [await held.start() for _ in range(6)]
        assert Counter(address for address, _ in began) == {"a": 2, "b": 2, "c": 2}
        for address in "bcb":
            await held.end(address)
        assert (await held.start())[0] == "b"
        assert {(await held.start())[0] for _ in range(2)} == {"b", "c"}
        # A call that fails, or that is given up, is no longer under way.
        await held.end("a", CreoError(ErrorCode.INTERNAL, "x", from_peer=True))
        address, task = await held.start()
        assert address == "a"
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        assert (await held.start())[0] == "a"

    firsts = {Balanced(False, rule="least-outstanding").went(1) for _ in range(60)}
    assert firsts == set(NAMES)
    asyncio.run(run())


def test_the_better_of_two(monkeypatch: pytest.MonkeyPatch) -> None:
    pairs: list[tuple[int, int]] = []

    def sample(of: list[Any], k: int) -> list[Any]:
        assert k == 2
        return [of[i] for i in pairs.pop(0)]

    async def run() -> None:
        held = Held(Balanced(True, ["a", "b", "c", "d"], rule="pick-two"))
        went = ""
        for pair in [(0, 1), (0, 1), (2, 0), (3, 2)]:
            pairs.append(pair)
            went += (await held.start())[0]
        assert sorted(went[:2]) == ["a", "b"] and went[2:] == "cd"
        await held.end("b")
        pairs.append((0, 1))
        assert (await held.start())[0] == "b"

    assert {Balanced(False, rule="pick-two").went(1) for _ in range(60)} == set(NAMES)
    monkeypatch.setattr(random, "sample", sample)
    asyncio.run(run())


@pytest.mark.parametrize(
    ("addresses", "options"),
    [
        ([], {}), ("abc", {}), (["a", 5], {}), (["a"], {"rule": "best"}),
        (["a"], {"ejection": 0}), (["a"], {"ejection": 2, "max_ejection": 1}),
        (["a"], {"ejection": float("nan")}), (["a"], {"max_ejection": float("inf")}),
        (["a"], {"refresh": 0}), (["a"], {"refresh": float("nan")}),
    ],
)  # fmt: skip
def test_arguments_that_are_refused(addresses: Any, options: dict[str, Any]) -> None:
    for kind in (BalancedChannel, AsyncBalancedChannel):
        with pytest.raises(ValueError, match="must be"):
            kind(addresses, Scripted, **options)  # type: ignore[arg-type]


# Other addresses


@BOTH
def test_a_call_goes_elsewhere_at_once(asynchronous: bool) -> None:
    """CALL-32: at most once to each, without another deadline, and without a policy."""
    balanced = Balanced(asynchronous)
    balanced.outcomes.update(a=refused, b=refused)
    assert balanced.calls(3) == ["c", "c", "c"]
    assert set(balanced.log[:3]) <= set(NAMES) and balanced.log.count("a") == 1
    balanced.outcomes["c"] = refused
    (found,) = balanced.calls(1, deadline=20)
    assert sorted(balanced.log[-3:]) == ["a", "b", "c"]
    assert found.code is ErrorCode.UNAVAILABLE and found.not_started
    said = found.message.removeprefix("it failed; also tried: ")
    # CALL-38
    assert said == ", ".join(f"{name} (unavailable)" for name in balanced.log[-3:-1])
    assert str(found) == f"unavailable: {found.message}" and found.args[1] == found.message
    deadlines = [balanced.opened[name].options[-1].deadline for name in balanced.log[-3:]]
    assert 20 >= deadlines[0] >= deadlines[1] >= deadlines[2] > 19 - 18


@BOTH
@pytest.mark.parametrize(
    "other",
    [
        lost, failure("overloaded", started="no"), failure("untrusted-peer"),
        failure("protocol-mismatch"), failure("internal", from_peer=True),
        failure("unavailable", from_peer=True),
    ],
)  # fmt: skip
def test_other_errors_end_the_call(asynchronous: bool, other: Any) -> None:
    balanced = Balanced(asynchronous)
    balanced.outcomes.update(a=other, b=other, c=other)
    (found,) = balanced.calls(1)
    assert found.message == "it failed" and len(balanced.log) == 1


@BOTH
def test_at_most_eight_others_are_named(asynchronous: bool) -> None:
    names = [f"host-{i}\n" for i in range(20)]
    balanced = Balanced(asynchronous, names)
    balanced.outcomes.update(dict.fromkeys(names, refused))
    (found,) = balanced.calls(1)
    assert sorted(balanced.log) == sorted(names)
    assert found.message.count("unavailable") == 8 and "\n" not in str(found)
    # The last address is another host: the error says so, and what was tried before.
    balanced = Balanced(asynchronous, ["a", "b"])
    balanced.outcomes.update(a=refused, b=failure("untrusted-peer"))
    codes = {found.code: found for found in balanced.calls(2)}
    assert "also tried: a" in codes[ErrorCode.UNTRUSTED_PEER].message or len(codes) == 2


@BOTH
def test_a_policy_repeats_what_could_be_placed_nowhere(asynchronous: bool) -> None:
    balanced = Balanced(asynchronous)
    balanced.outcomes.update(a=refused, b=refused, c=refused)
    assert sorted(balanced.went(1, retry=RetryPolicy(base_delay=0))) == sorted("abc" * 3)


@BOTH
def test_the_answer_is_that_of_the_last_address(asynchronous: bool) -> None:
    def drains(options: CallOptions) -> CreoError:
        assert options.watch is not None
        options.watch.answered(Answer({"from": "a"}))
        return failure(from_peer=True, started="no")(options)

    answers: list[Answer] = []
    balanced = Balanced(asynchronous, ["a", "b"])
    balanced.outcomes["a"] = drains
    assert balanced.calls(3, on_answer=answers.append) == ["b"] * 3 and not answers
    assert "a" in balanced.log


@BOTH
def test_arguments_that_can_be_read_once(asynchronous: bool) -> None:
    balanced = Balanced(asynchronous)
    balanced.outcomes.update(a=refused, b=refused)
    ends(balanced.client(), lambda c: c.book_all(iter([iter([1])]), {}))
    seen = [balanced.opened[name].arguments for name in balanced.log]
    assert seen == [[([(1,)], {})]] * len(balanced.log)


# Closing


@BOTH
def test_closing(asynchronous: bool) -> None:
    balanced = Balanced(asynchronous)
    balanced.went(2)
    client = balanced.client()

    async def close() -> None:
        async with balanced.channel:
            await client.close()
            assert not any(channel.closed for channel in balanced.opened.values())

    if asynchronous:
        asyncio.run(close())
    else:
        with balanced.channel:
            client.close()
            assert not any(channel.closed for channel in balanced.opened.values())
    assert [channel.closed for channel in balanced.opened.values()] == [1, 1]


def test_a_channel_that_cannot_be_opened() -> None:
    def open_(address: str) -> Any:
        if address == "a":
            raise ValueError("no address")
        return Scripted(7)

    channel = BalancedChannel(["a", "b"], open_, rule="least-outstanding")
    client = LedgerClient.over(channel)
    found = ends(client, *[book] * 40)
    assert {str(one) for one in found} == {"7", "no address"}
    assert all(place.calls == 0 for place in channel._balancer._places)


def test_a_probe_ends_after_the_next_ejection() -> None:
    """CALL-34: the address gets another probe, however the first one ends."""
    now = 0.0
    balancer = creo.balance._Balancer(["a"], str, "round-robin", 1.0, 60.0, 30.0)
    balancer._clock = lambda: now

    def begin() -> Any:
        visit = balancer.choose(())
        assert visit is not None
        return visit

    unplaced = not_started(CreoError(ErrorCode.UNAVAILABLE, "no host"))
    balancer.end(begin(), unplaced)
    now = 1.0
    probe = begin()
    # All addresses are ejected: this one goes there although it is no probe, and is answered.
    balancer.end(begin(), None)
    balancer.end(begin(), unplaced)
    balancer.end(probe, unplaced)
    now = 3.0
    (place,) = balancer._places
    assert place.until == 2.0 and not place.probing and place.calls == 0
    assert probe.probe and begin().probe


# Many at once


def fickle(name: str, chosen: random.Random) -> Callable[[CallOptions], Any]:
    def play(options: CallOptions) -> Any:
        return chosen.choice([refused, lost, failure("internal", from_peer=True), 7, 7, 7])

    def outcome(options: CallOptions) -> Any:
        found = play(options)
        return found(options) if callable(found) else found

    return outcome


def settled(channel: Any, expected: set[str]) -> None:
    places = channel._balancer._places
    assert {place.address for place in places} == expected
    assert all(place.calls == 0 and not place.probing for place in places)


@pytest.mark.parametrize("rule", creo.balance._RULES)
def test_many_threads(rule: str) -> None:
    chosen = random.Random(7)
    given = ["a", "b", "c"]
    opened: list[Scripted] = []
    found: list[Any] = []

    def open_(address: str) -> Scripted:
        opened.append(Scripted(fickle(address, chosen)))
        return opened[-1]

    def addresses() -> list[str]:
        chosen.shuffle(given)
        return given[: chosen.randrange(1, 4)]

    channel = BalancedChannel(
        addresses, open_, rule=rule, ejection=0.0001, max_ejection=0.001, refresh=0.0001
    )
    client = LedgerClient.over(channel, CallOptions(retry=RetryPolicy(base_delay=0)))
    threads = [
        threading.Thread(target=lambda: found.extend(ends(client, *[book] * 200)))
        for _ in range(10)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert len(found) == 2_000 and found.count(7) > 500
    codes = {str(one.code) for one in found if one != 7}
    assert codes == {"unavailable", "internal"}
    channel.close()
    # A refresh may go on.
    for thread in threading.enumerate():
        if thread.name == "creo resolver":
            thread.join(20)
    settled(channel, {place.address for place in channel._balancer._places})
    present = channel._balancer.channels
    assert all(one in present for one in opened if not one.closed)


@pytest.mark.parametrize("rule", creo.balance._RULES)
def test_many_tasks(rule: str) -> None:
    chosen = random.Random(7)

    async def late(outcome: Callable[[CallOptions], Any], options: CallOptions) -> Any:
        await asyncio.sleep(0)
        found = outcome(options)
        if isinstance(found, BaseException):
            raise found
        return found

    def open_(address: str) -> AsyncScripted:
        outcome = fickle(address, chosen)

        def play(options: CallOptions) -> Any:
            return late(outcome, options)

        return AsyncScripted(play)

    async def run() -> None:
        async with AsyncBalancedChannel(
            NAMES, open_, rule=rule, ejection=0.0001, max_ejection=0.001
        ) as channel:
            client = AsyncLedgerClient.over(channel, CallOptions(retry=RetryPolicy(base_delay=0)))
            calls = [asyncio.ensure_future(client.book(1)) for _ in range(1_000)]
            await asyncio.sleep(0)
            for call in calls[::10]:
                call.cancel()
            found = await asyncio.gather(*calls, return_exceptions=True)
            assert found.count(7) > 300
            settled(channel, set(NAMES))

    asyncio.run(run())


# Hosts


def works(peer: Peer) -> None:
    peer.greet()
    while True:
        found = peer.receive()
        if found is None:
            return
        if found.kind == REQUEST:
            peer.send(frame(RESPONSE, found.call, b"\x3f\xf8\0\0\0\0\0\0"))


def works_over_http(peer: Peer) -> None:
    while True:
        found = receive(peer)
        if found is None:
            return
        if "json" in found.headers["content-type"]:
            peer.send(answer("1.5", kind="application/json"))
        else:
            body = "<totalResponse xmlns='urn:creo:sample'><result>1.5</result></totalResponse>"
            peer.send(answer(envelope(body)))


@BOTH
@pytest.mark.parametrize("wire", ["", "json", "soap"])
def test_hosts(asynchronous: bool, wire: str) -> None:
    """One is gone, one works, one is killed: every call that was not started finds the other."""
    from creo.aio import AsyncChannel
    from creo.json import AsyncJsonChannel, JsonChannel
    from creo.soap import AsyncSoapChannel, SoapChannel
    from creo.tcp import Channel

    kinds: dict[str, tuple[Any, Any]] = {
        "json": (JsonChannel, AsyncJsonChannel), "soap": (SoapChannel, AsyncSoapChannel)
    }  # fmt: skip

    def open_(port: str) -> Any:
        if wire:
            return kinds[wire][asynchronous](f"http://127.0.0.1:{port}/DataService")
        return (AsyncChannel if asynchronous else Channel)("127.0.0.1", int(port))

    script = works_over_http if wire else works
    with dead_port() as dead, serve(script) as one, serve(script) as other:
        kind: Any = AsyncBalancedChannel if asynchronous else BalancedChannel
        channel = kind([str(dead), str(one.port), str(other.port)], open_)
        client_kind: Any = AsyncDataServiceClient if asynchronous else DataServiceClient
        client = client_kind.over(channel)

        async def run() -> None:
            async with channel:
                for _ in range(30):
                    assert await client.total([1.0]) == 1.5

        if asynchronous:
            asyncio.run(run())
        else:
            with channel:
                for _ in range(30):
                    assert client.total([1.0]) == 1.5
        assert one.connections == other.connections == 1


@BOTH
def test_brokers(asynchronous: bool) -> None:
    pytest.importorskip("proton", reason="python-qpid-proton is not installed")
    import fake_amqp
    from creo.jms import AsyncJmsChannel, JmsBroker, JmsChannel
    from jms_calls import binary, total_of

    def open_(port: str) -> Any:
        kind: Any = AsyncJmsChannel if asynchronous else JmsChannel
        return kind(JmsBroker("127.0.0.1", int(port)), "jms:queue:data", wire="binary")

    def respond(side: Any, request: Any) -> None:
        side.reply(request, binary(total_of(1.5)))

    with dead_port() as dead, fake_amqp.serve(respond) as one, fake_amqp.serve(respond) as other:
        ports = [str(dead), str(one.port), str(other.port)]
        if asynchronous:

            async def run() -> None:
                async with AsyncBalancedChannel(ports, open_) as channel:
                    client = AsyncDataServiceClient.over(channel)
                    assert [await client.total([1.0]) for _ in range(6)] == [1.5] * 6

            asyncio.run(run())
        else:
            with BalancedChannel(ports, open_) as channel:
                client = DataServiceClient.over(channel)
                assert [client.total([1.0]) for _ in range(6)] == [1.5] * 6
        assert len(one.requests) + len(other.requests) == 6 and one.requests and other.requests
