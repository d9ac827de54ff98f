"""Prints for each wire what the service saw, and what the client's own span is."""

from __future__ import annotations

import asyncio
import sys

from creo import CallOptions
from creo.opentelemetry import ClientTelemetry
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from org.example.traces import AsyncTracesClient, TracesClient

port = int(sys.argv[1])
url = f"http://127.0.0.1:{port}/Traces"
spans = InMemorySpanExporter()
provider = TracerProvider()
provider.add_span_processor(SimpleSpanProcessor(spans))
options = CallOptions(interceptors=[ClientTelemetry(provider)])


def show(seen: str) -> None:
    found = spans.get_finished_spans()[-1].get_span_context()
    print(seen, f"{found.trace_id:032x} {found.span_id:016x}")


async def later() -> None:
    for client in (AsyncTracesClient("127.0.0.1", port, options=options), AsyncTracesClient.json(url, options=options), AsyncTracesClient.soap(url, options=options)):
        async with client:
            show(await client.parent())


for each in (TracesClient("127.0.0.1", port, options=options), TracesClient.json(url, options=options), TracesClient.soap(url, options=options)):
    with each:
        show(each.parent())
asyncio.run(later())
