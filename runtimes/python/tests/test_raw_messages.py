"""Raw messages over TCP (CALL-60 to CALL-68). Those over HTTP are in the cases of conformance."""

# pyright: reportPrivateUsage=false
from __future__ import annotations

import asyncio
import logging
import zlib

import pytest

from creo import CallOptions, CreoError, RawMessage
from creo.raw import raw_text
from fake import DATA, EXCEPTION, REQUEST, RESPONSE, Peer, error, frame, serve, text
from sample import AsyncDataServiceClient, DataServiceClient, NotFound, creo_client

TOTAL = bytes.fromhex("3ff8000000000000")
METHOD = "sample.DataService.total"
MORE, COMPRESSED, METADATA = 1, 2, 4


def answers(peer: Peer) -> None:
    """A result with metadata, an exception, an error, a result in two frames, and nothing."""
    peer.greet()
    pairs = b"\2" + text("my-token") + text("hunter2") + text("plain") + text("q")
    peer.send(frame(RESPONSE, peer.expect(REQUEST).call, pairs + TOTAL, METADATA))
    peer.send(frame(EXCEPTION, peer.expect(REQUEST).call, b"\0" + text("CO2") + b"\0"))
    peer.send(error(peer.expect(REQUEST).call, 6, "no"))
    call = peer.expect(REQUEST).call
    squeezed = zlib.compress(TOTAL)
    peer.send(
        frame(RESPONSE, call, squeezed[:5], MORE | COMPRESSED), frame(DATA, call, squeezed[5:])
    )
    peer.expect(REQUEST)
    peer.until_end()


def check(shown: list[RawMessage], port: int) -> None:
    """What the hook was shown of the calls that ``answers`` answers."""
    assert [(each.sent, each.answer) for each in shown] == [(True, False), (False, True)] * 4 + [
        (True, False)
    ]
    assert {(each.status, each.peer, each.hidden) for each in shown} == {
        (0, f"127.0.0.1:{port}", None)
    }
    fields = [[pair for pair in each.headers if pair[0] != "timeout"] for each in shown]
    sent = [("x-api-key", "***"), ("plain", "p")]
    assert fields[0] == [("wire", "binary"), ("kind", "request"), *sent]
    assert int(dict(shown[0].headers)["timeout"]) > 0
    assert shown[0].method == METHOD
    assert shown[0].body == b"\1" + bytes.fromhex("3ff0000000000000")
    came = [("my-token", "***"), ("plain", "q")]
    assert fields[1] == [("wire", "binary"), ("kind", "response"), *came]
    assert (shown[1].body, shown[1].length, shown[1].cut) == (TOTAL, 8, 0)
    assert fields[3][1] == ("kind", "exception")
    assert shown[3].body == b"\0\3CO2\0"
    assert fields[5][1] == ("kind", "error")
    assert shown[5].body == b"\6\2no\0"
    assert shown[7].body == TOTAL
    assert fields[8][1] == ("kind", "oneway")
    assert shown[8].body == b"\1x"


def options(shown: list[RawMessage]) -> CallOptions:
    metadata = {"x-api-key": "hunter2", "plain": "p"}
    return CallOptions(metadata=metadata, raw_messages=shown.append)


def test_a_blocking_client_shows_its_messages() -> None:
    shown: list[RawMessage] = []
    with serve(answers) as server:
        with DataServiceClient("127.0.0.1", server.port, options=options(shown)) as client:
            assert client.total([1.0]) == 1.5
            with pytest.raises(NotFound):
                client.retrieve_data("CO2")
            with pytest.raises(CreoError):
                client.total([])
            assert client.total([]) == 1.5
            client.touch("x")
        check(shown, server.port)


def test_an_asyncio_client_shows_its_messages() -> None:
    shown: list[RawMessage] = []

    async def calls() -> None:
        async with AsyncDataServiceClient(
            "127.0.0.1", server.port, options=options(shown)
        ) as client:
            assert await client.total([1.0]) == 1.5
            with pytest.raises(NotFound):
                await client.retrieve_data("CO2")
            with pytest.raises(CreoError):
                await client.total([])
            assert await client.total([]) == 1.5
            await client.touch("x")

    with serve(answers) as server:
        asyncio.run(calls())
        check(shown, server.port)


def one_total(peer: Peer) -> None:
    peer.greet()
    peer.send(frame(RESPONSE, peer.expect(REQUEST).call, TOTAL))
    peer.until_end()


def test_messages_of_a_method_with_secrets_are_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(creo_client._DATA_SERVICE_TOTAL, "secrets", ("numbers",))
    shown: list[RawMessage] = []
    with serve(one_total) as server:
        with DataServiceClient("127.0.0.1", server.port, options=options(shown)) as client:
            assert client.total([1.0]) == 1.5
    assert [(each.body, each.length, each.cut) for each in shown] == [(b"", 9, 0), (b"", 8, 0)]
    assert {each.hidden for each in shown} == {"it is of the binary wire"}


def test_bodies_are_cut_and_the_hook_may_fail(caplog: pytest.LogCaptureFixture) -> None:
    shown: list[RawMessage] = []

    def fail(message: RawMessage) -> None:
        shown.append(message)
        raise ValueError("raw")

    with serve(one_total) as server, caplog.at_level(logging.ERROR, "creo"):
        with DataServiceClient(
            "127.0.0.1", server.port, options=CallOptions(raw_messages=fail, raw_max_body=3)
        ) as client:
            assert client.total([1.0, 2.0]) == 1.5
    assert [(each.body, each.length, each.cut) for each in shown] == [
        (b"\2\x3f\xf0", 17, 14),
        (b"\x3f\xf8\0", 8, 5),
    ]
    assert all("raw messages" in record.message for record in caplog.records)
    assert len(caplog.records) == 2


def test_the_binary_wire_is_hexadecimal_in_a_log() -> None:
    fields = (("wire", "binary"), ("kind", "request"))
    message = RawMessage(True, False, "a.B.c", "h:1", 0, fields, b"\rok", 2, 5, None)
    assert raw_text(message) == (
        "sent request of a.B.c to h:1, 5 bytes\n| wire: binary\n| kind: request\n| \n"
        "|      0  0d 6f 6b\n| (2 more bytes)"
    )
