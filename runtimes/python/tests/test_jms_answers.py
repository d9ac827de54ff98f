"""Metadata of answers over JMS, and interceptors (``jms.md``, ``calls.md``)."""

from __future__ import annotations

import asyncio
from typing import Any, Callable

import pytest

pytest.importorskip("proton", reason="python-qpid-proton is not installed")

from proton import Message

from creo import Answer, CallOptions, CreoError, ErrorCode, Outcome, OutgoingCall
from creo.jms import AsyncJmsChannel, JmsBroker, JmsChannel
from fake_amqp import Broker, Side, serve
from fake_http import envelope
from jms_calls import RESULT, TDXML, answer, binary, replying, total_of
from sample import AsyncDataServiceClient, DataServiceClient, NotFound

BOTH = pytest.mark.parametrize("asynchronous", [False, True])
META = {"Creo_meta_a": "b", "Creo_meta_x_2ey_2dz": "%C3%A9%1B[31m%0A"}
PAIRS = {"a": "b", "x.y-z": "é\x1b[31m\n"}
TABLE = '<Env xmlns="urn:creo:tdxml"><RT>\n[0]|1.5\n</RT></Env>'


def ends(broker: Broker, asynchronous: bool, wire: str, options: CallOptions, *names: str) -> Any:
    """What each of these calls returned or raised."""
    where = JmsBroker("127.0.0.1", broker.port)

    async def all_() -> list[Any]:
        async with AsyncJmsChannel(where, "jms:queue:data", wire=wire) as channel:
            client = AsyncDataServiceClient.over(channel, options)
            outcomes: list[Any] = []
            for name in names:
                call: Any = client.total([1.0]) if name == "total" else getattr(client, name)("x")
                outcomes.append((await asyncio.gather(call, return_exceptions=True))[0])
            return outcomes

    if asynchronous:
        return asyncio.run(all_())
    found: list[Any] = []
    with JmsChannel(where, "jms:queue:data", wire=wire) as channel:
        client = DataServiceClient.over(channel, options)
        for name in names:
            try:
                found.append(client.total([1.0]) if name == "total" else getattr(client, name)("x"))
            except Exception as failure:
                found.append(failure)
    return found


@BOTH
def test_answers(asynchronous: bool) -> None:
    """JMS-4, CALL-4"""
    denied = b"\x0a\7not you\0"
    respond = replying(
        binary(total_of(1.5), **META),
        binary(b"\0\1x\0", "exception", **META),
        binary(denied, "error", **META),
        binary(total_of(2.5)),
        binary(b"\xff", **META),
    )
    answers: list[Answer] = []
    options = CallOptions(on_answer=answers.append)
    with serve(respond) as broker:
        names = ("total", "retrieve_data", "total", "total", "total")
        found = ends(broker, asynchronous, "binary", options, *names)
    assert (found[0], found[3]) == (1.5, 2.5) and isinstance(found[1], NotFound)
    assert found[2].code is ErrorCode.PERMISSION_DENIED
    assert found[4].code is ErrorCode.MALFORMED
    assert answers == [Answer(PAIRS)] * 3 + [Answer({}), Answer(PAIRS)]


@pytest.mark.parametrize(
    ("wire", "reply"),
    [
        ("soap", answer(envelope(RESULT.format(1.5)), **META)),
        ("tdxml", answer(TABLE, TDXML, Creo_kind="response", **META)),
    ],
    ids=["soap", "tdxml"],
)
def test_answers_of_other_wires(wire: str, reply: Message) -> None:
    answers: list[Answer] = []
    with serve(replying(reply)) as broker:
        options = CallOptions(on_answer=answers.append)
        assert ends(broker, False, wire, options, "total") == [1.5]
    assert answers == [Answer(PAIRS)]


@BOTH
@pytest.mark.parametrize(
    ("properties", "code"),
    [
        ({"Creo_meta_": "v"}, "malformed"),
        ({"Creo_meta_A": "v"}, "malformed"),
        ({"Creo_meta_a_b": "v"}, "malformed"),
        ({f"Creo_meta_{'k' * 65}": "v"}, "malformed"),
        ({"Creo_meta_a": "%zz"}, "malformed"),
        ({"Creo_meta_a": "%FF"}, "malformed"),
        ({"Creo_meta_a": "\u00e9"}, "malformed"),
        ({"Creo_meta_a": "b\tc"}, "malformed"),
        ({"Creo_meta_a": True}, "malformed"),
        ({"Creo_meta_a-b": "v", "Creo_meta_a_2db": "v"}, "malformed"),
        ({f"Creo_meta_k{i}": "v" for i in range(65)}, "too-large"),
        ({"Creo_meta_a": "v" * 16_384}, "too-large"),
    ],
    ids=range(12),
)
def test_properties_that_are_no_metadata(
    asynchronous: bool, properties: dict[str, Any], code: str
) -> None:
    """CALL-5: the connection goes on."""
    respond = replying(binary(total_of(1), **properties), binary(total_of(2), Creo_meta_a="%20"))
    answers: list[Answer] = []
    with serve(respond) as broker:
        options = CallOptions(on_answer=answers.append)
        refused, found = ends(broker, asynchronous, "binary", options, "total", "total")
    assert isinstance(refused, CreoError) and refused.code.value == code
    assert refused.details["peer"] == f"127.0.0.1:{broker.port}" and not refused.from_peer
    assert found == 2.0 and answers == [Answer({"a": " "})] and len(broker.sides) == 1


@BOTH
def test_interceptors(asynchronous: bool) -> None:
    outcomes: list[Outcome] = []

    class Seen:
        def begin(self, call: OutgoingCall) -> Callable[[Outcome], None]:
            return outcomes.append

    def respond(side: Side, request: Message) -> None:
        """The first request alone is answered."""
        if not outcomes:
            side.reply(request, binary(total_of(1.5), **META))

    with serve(respond) as broker:
        options = CallOptions(interceptors=(Seen(),), deadline=0.5)
        found = ends(broker, asynchronous, "binary", options, "total", "touch", "total")
        peer = f"127.0.0.1:{broker.port}"
    result, oneway, late = outcomes
    assert found[:2] == [1.5, None]
    assert (result.error, result.answer, result.peer) == (None, Answer(PAIRS), peer)
    assert (oneway.error, oneway.answer, oneway.peer) == (None, None, peer)
    assert late.error is found[2] and late.code is ErrorCode.DEADLINE_EXCEEDED
    assert (late.answer, late.peer) == (None, peer)
