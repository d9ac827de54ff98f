"""Spans and metrics of calls (CALL-70 to CALL-78)."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator
from typing import Any, Callable

import pytest

pytest.importorskip("opentelemetry.sdk", reason="opentelemetry-sdk is not installed")

from opentelemetry import context, trace
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import Histogram, HistogramDataPoint, InMemoryMetricReader
from opentelemetry.sdk.trace import ReadableSpan, SpanProcessor, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import SpanKind, StatusCode

from creo import CallOptions
from creo.opentelemetry import ClientTelemetry
from fake import (
    CANCEL,
    EXCEPTION,
    ITEMS,
    REQUEST,
    RESPONSE,
    Peer,
    dead_port,
    error,
    frame,
    serve,
    text,
)
from fake_http import answer, expect, receive
from flow import AsyncFlowClient, FlowClient
from sample import AsyncDataServiceClient, DataServiceClient
from scripted import ends
from streaming import longs, read
from streaming import made as made_flow
from test_interceptors import BOTH, HTTP_WIRES, TOTAL, get, made, total


class Telemetry:
    """An SDK that keeps what is exported."""

    def __init__(self, *processors: SpanProcessor) -> None:
        self.spans = InMemorySpanExporter()
        self.metrics = InMemoryMetricReader()
        self.tracing = TracerProvider()
        for processor in (*processors, SimpleSpanProcessor(self.spans)):
            self.tracing.add_span_processor(processor)
        self.tracer = self.tracing.get_tracer("test")
        self.client = ClientTelemetry(self.tracing, MeterProvider([self.metrics]))

    def ended(self) -> list[ReadableSpan]:
        return list(self.spans.get_finished_spans())

    def points(self) -> list[HistogramDataPoint]:
        data = self.metrics.get_metrics_data()
        assert data is not None
        (metric,) = data.resource_metrics[0].scope_metrics[0].metrics
        assert (metric.name, metric.unit) == ("rpc.client.call.duration", "s")
        assert isinstance(metric.data, Histogram)
        return list(metric.data.data_points)


@pytest.fixture
def telemetry() -> Iterator[Telemetry]:
    made_one = Telemetry()
    yield made_one
    made_one.tracing.shutdown()


def pairs_of(body: bytes) -> dict[str, str]:
    """The metadata at the start of a request; sizes are below 128."""
    at, found = 1, dict[str, str]()
    for _ in range(body[0]):
        both: list[str] = []
        for _ in range(2):
            both.append(body[at + 1 : at + 1 + body[at]].decode())
            at += 1 + body[at]
        found[both[0]] = both[1]
    return found


def header_of(span: ReadableSpan) -> str:
    found = span.get_span_context()
    assert found is not None
    return f"00-{found.trace_id:032x}-{found.span_id:016x}-{found.trace_flags:02x}"


def in_span(asynchronous: bool, tracer: trace.Tracer, client: Any) -> tuple[trace.Span, Any]:
    """Calls within a span that is current, which it is afterwards, too."""
    with tracer.start_as_current_span("outer") as outer:

        async def call() -> Any:
            async with client:
                found = await client.total([1.0])
                assert trace.get_current_span() is outer
                return found

        if asynchronous:
            return outer, asyncio.run(call())
        found = ends(client, total)[0]
        assert trace.get_current_span() is outer
        return outer, found


@BOTH
def test_a_span_goes_with_a_call(asynchronous: bool, telemetry: Telemetry) -> None:
    """CALL-70, CALL-72, CALL-73"""
    seen: list[dict[str, str]] = []

    def script(peer: Peer) -> None:
        peer.greet()
        request = peer.expect(REQUEST)
        seen.append(pairs_of(request.body))
        peer.send(frame(RESPONSE, request.call, TOTAL))
        assert peer.until_end() == []

    with serve(script) as server:
        metadata = {"traceparent": "00-1", "a": "b"}
        client = made(asynchronous, server.port, telemetry.client, metadata=metadata)
        outer, found = in_span(asynchronous, telemetry.tracer, client)
        port = server.port
    assert found == 1.5
    span, _ = telemetry.ended()
    # The interceptor replaces what the program has set.
    assert seen == [{"traceparent": header_of(span), "a": "b"}]
    assert span.parent is not None and span.parent.span_id == outer.get_span_context().span_id
    assert (span.name, span.kind) == ("sample.DataService/total", SpanKind.CLIENT)
    assert span.status.status_code is StatusCode.UNSET
    assert dict(span.attributes or {}) == {
        "rpc.system.name": "creo",
        "rpc.method": "sample.DataService/total",
        "server.address": "127.0.0.1",
        "server.port": port,
    }


@BOTH
@pytest.mark.parametrize(("wire", "make"), HTTP_WIRES, ids=[name for name, _ in HTTP_WIRES])
def test_over_http_it_is_a_header(
    asynchronous: bool, wire: str, make: Any, telemetry: Telemetry
) -> None:
    seen: list[str] = []

    def script(peer: Peer) -> None:
        request = expect(peer)
        seen.append(request.headers["traceparent"])
        assert "creo-meta-traceparent" not in request.headers
        peer.send(answer("not you", "403 no", "text/plain"))
        receive(peer)

    cls: Any = AsyncDataServiceClient if asynchronous else DataServiceClient
    with serve(script) as server:
        options = CallOptions(interceptors=(telemetry.client,))
        ends(make(cls, f"http://127.0.0.1:{server.port}/D", options), total)
        port = server.port
    (span,) = telemetry.ended()
    assert seen == [header_of(span)]
    assert (span.attributes or {})["server.port"] == port
    assert (span.attributes or {})["error.type"] == "permission-denied"


@BOTH
def test_outcomes(asynchronous: bool, telemetry: Telemetry) -> None:
    """CALL-73 to CALL-76"""

    def script(peer: Peer) -> None:
        peer.greet()
        peer.send(frame(RESPONSE, peer.expect(REQUEST).call, TOTAL))
        peer.send(frame(EXCEPTION, peer.expect(REQUEST).call, b"\0" + text("secret") + b"\0"))
        peer.send(error(peer.expect(REQUEST).call, 10, "secret"))

    with serve(script) as server:
        ends(made(asynchronous, server.port, telemetry.client), total, get, total)
    spans = telemetry.ended()
    status = [span.status.status_code for span in spans]
    assert status == [StatusCode.UNSET, StatusCode.UNSET, StatusCode.ERROR]
    result, declared, denied = [dict(span.attributes or {}) for span in spans]
    for name in ("error.type", "rpc.response.status_code"):
        assert denied.pop(name) == "permission-denied"
    assert denied == result
    assert declared.pop("creo.exception") == "NotFound"
    assert all(span.status.description is None and not span.events for span in spans)
    assert "secret" not in "".join(span.to_json() for span in spans)
    points = telemetry.points()
    assert [point.count for point in points] == [1, 1, 1]
    assert [dict(point.attributes or {}) for point in points] == [
        dict(span.attributes or {}) for span in spans
    ]
    assert list(points[0].explicit_bounds)[:2] == [0.005, 0.01]
    assert all(0 < point.sum < 60 for point in points)


@BOTH
def test_where_nobody_listens_there_is_no_address(asynchronous: bool, telemetry: Telemetry) -> None:
    with dead_port() as port:
        ends(made(asynchronous, port, telemetry.client), total)
    (span,) = telemetry.ended()
    assert span.status.status_code is StatusCode.ERROR
    assert (span.attributes or {})["error.type"] == "unavailable"
    assert "server.address" not in (span.attributes or {})


def test_a_task_that_is_cancelled(telemetry: Telemetry) -> None:
    notify: list[Callable[[], object]] = []

    async def call(port: int) -> None:
        loop, reached = asyncio.get_running_loop(), asyncio.Event()
        notify.append(lambda: loop.call_soon_threadsafe(reached.set))
        async with made(True, port, telemetry.client) as client:
            task = asyncio.ensure_future(client.total([1.0]))
            await reached.wait()
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task

    def script(peer: Peer) -> None:
        peer.greet()
        peer.expect(REQUEST)
        notify[0]()
        peer.expect(CANCEL)

    with serve(script) as server:
        asyncio.run(call(server.port))
    (span,) = telemetry.ended()
    assert (span.attributes or {})["error.type"] == "cancelled"


@BOTH
def test_a_stream_ends_its_span(asynchronous: bool, telemetry: Telemetry) -> None:
    """CALL-72"""

    def script(peer: Peer) -> None:
        peer.greet()
        call = peer.expect(REQUEST).call
        peer.send(frame(ITEMS, call, longs(1)), frame(RESPONSE, call, b""))
        call = peer.expect(REQUEST).call
        peer.send(frame(ITEMS, call, longs(1)))
        assert peer.expect(CANCEL).call == call

    during: list[int] = []
    with serve(script) as server:
        client: FlowClient | AsyncFlowClient = made_flow(
            asynchronous, server.port, interceptors=[telemetry.client]
        )
        ends(
            client,
            lambda c: read(c.numbers(1), each=lambda _: during.append(len(telemetry.ended()))),
            lambda c: read(c.numbers(1), most=1),
        )
    assert during == [0]
    first, second = telemetry.ended()
    assert first.name == "flow.Flow/numbers" and first.status.status_code is StatusCode.UNSET
    assert (second.attributes or {})["error.type"] == "cancelled"


@BOTH
def test_without_an_sdk_nothing_is_sent(asynchronous: bool) -> None:
    def script(peer: Peer) -> None:
        peer.greet()
        request = peer.expect(REQUEST)
        assert request.flags == 0
        peer.send(frame(RESPONSE, request.call, TOTAL))

    with serve(script) as server:
        telemetry = ClientTelemetry(trace.NoOpTracerProvider())
        assert ends(made(asynchronous, server.port, telemetry), total) == [1.5]


class Broken(SpanProcessor):
    def on_start(self, span: Any, parent_context: context.Context | None = None) -> None:
        raise ValueError("broken\x1b")


@BOTH
def test_telemetry_that_fails_changes_nothing(
    asynchronous: bool, caplog: pytest.LogCaptureFixture
) -> None:
    """CALL-78"""

    def script(peer: Peer) -> None:
        peer.greet()
        request = peer.expect(REQUEST)
        assert request.flags == 0
        peer.send(frame(RESPONSE, request.call, TOTAL))

    telemetry = Telemetry(Broken())
    with caplog.at_level(logging.ERROR, logger="creo"), serve(script) as server:
        assert ends(made(asynchronous, server.port, telemetry.client), total) == [1.5]
    (record,) = caplog.records
    assert record.getMessage() == (
        r"no telemetry of a call of sample.DataService.total: ValueError: broken\x1b"
    )
