"""Ending calls of blocking clients from another thread, wherever they are (CALL-42, CALL-44)."""

from __future__ import annotations

import struct
import threading
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, Callable

import pytest

from creo import CallOptions, Cancellation, CreoError, ErrorCode
from creo._http.client import HttpPool
from fake import REQUEST, RESPONSE, Peer, frame, serve
from fake_http import answer, expect
from flow import FlowClient, Tick
from sample import DataServiceClient

LARGE = "x" * 12_000_000


def large_request(client: FlowClient) -> None:
    client.put(LARGE, [])


def large_item(client: FlowClient) -> None:
    client.put("x", [Tick(1, LARGE, [])])


def large_item_of_an_iterable(client: FlowClient) -> None:
    client.put("x", iter([Tick(i, "", []) for i in range(100)] + [Tick(1, LARGE, [])] * 3))


def large_item_beside_answers(client: FlowClient) -> None:
    for _ in client.talk([Tick(1, LARGE, [])]):
        pass


@pytest.mark.parametrize("deadline", [None, 60.0])
@pytest.mark.parametrize(
    "use", [large_request, large_item, large_item_of_an_iterable, large_item_beside_answers]
)
def test_a_call_that_is_being_sent(
    use: Callable[[FlowClient], None], deadline: float | None
) -> None:
    """A frame that is cut breaks the connection; the next call opens another."""
    began, ended = threading.Event(), threading.Event()
    cancellation = Cancellation()

    def unread(peer: Peer) -> None:
        peer.greet()
        while (size := int.from_bytes(peer.take(4), "big")) < len(LARGE):
            assert size and peer.take(size)
        began.set()
        assert ended.wait(60)

    def other(peer: Peer) -> None:
        peer.greet()
        call = peer.expect(REQUEST).call
        peer.send(frame(RESPONSE, call, struct.pack(">q", 3)))

    with serve(unread, other) as server, ThreadPoolExecutor() as threads:
        with FlowClient("127.0.0.1", server.port) as client:
            options: dict[str, Any] = {"cancellation": cancellation, "deadline": deadline}
            calling = threads.submit(use, client.with_options(**options))
            assert began.wait(60)
            cancellation.cancel()
            failure = calling.exception(60)
            ended.set()
            assert isinstance(failure, CreoError) and failure.code is ErrorCode.CANCELLED
            if use is not large_item_beside_answers:
                assert client.add(1, 2) == 3


def test_a_call_that_waits_for_its_turn() -> None:
    """The call that is being sent goes on."""
    began, ended = threading.Event(), threading.Event()

    def script(peer: Peer) -> None:
        peer.greet()
        head = peer.take(4)
        began.set()
        assert ended.wait(60)
        peer.take(int.from_bytes(head, "big"))
        peer.send(frame(RESPONSE, 1))

    with serve(script) as server, ThreadPoolExecutor() as threads:
        options = CallOptions(deadline=None)
        with FlowClient("127.0.0.1", server.port, options=options) as client:
            calling = threads.submit(client.put, LARGE, [])
            assert began.wait(60)
            cancellation = Cancellation()
            waiting = threads.submit(client.with_options(cancellation=cancellation).add, 1, 2)
            cancellation.cancel()
            failure = waiting.exception(60)
            ended.set()
            assert isinstance(failure, CreoError) and failure.code is ErrorCode.CANCELLED
            calling.result(60)


def test_a_connection_that_another_call_uses_meanwhile(monkeypatch: pytest.MonkeyPatch) -> None:
    """The thread that cancels is late: its call has ended, and the connection serves another."""
    go_on, another, cancelled = threading.Event(), threading.Event(), threading.Event()
    late = HttpPool.cancel

    def script(peer: Peer) -> None:
        expect(peer)
        began.set()
        assert go_on.wait(60)
        peer.send(answer("1.5", kind="application/json"))
        expect(peer)
        another.set()
        assert cancelled.wait(60)
        peer.send(answer("2.5", kind="application/json"))

    def cancel(self: HttpPool, pending: object) -> None:
        go_on.set()
        results.append(calling.result(60))
        calls.append(threads.submit(client.total, [2.0]))
        assert another.wait(60)
        late(self, pending)
        cancelled.set()

    began = threading.Event()
    results: list[float] = []
    calls: list[Future[float]] = []
    cancellation = Cancellation()
    monkeypatch.setattr(HttpPool, "cancel", cancel)
    with serve(script) as server, ThreadPoolExecutor() as threads:
        with DataServiceClient.json(f"http://127.0.0.1:{server.port}/") as client:
            calling = threads.submit(client.with_options(cancellation=cancellation).total, [1.0])
            assert began.wait(60)
            cancellation.cancel()
            assert results == [1.5] and calls[0].result(60) == 2.5
    assert server.connections == 1
