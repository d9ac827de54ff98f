"""Spans and metrics of calls, by OpenTelemetry (``spec/calls.md``, section 7).

Needs the package ``opentelemetry-api``; no other part of the runtime does::

    from creo import CallOptions
    from creo.opentelemetry import ClientTelemetry

    client = DataClient("localhost", 7400, options=CallOptions(interceptors=[ClientTelemetry()]))
"""

from __future__ import annotations

import logging
from dataclasses import replace
from typing import TYPE_CHECKING, Callable, Final

from opentelemetry import metrics, trace
from opentelemetry.trace import SpanKind, StatusCode
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

from ._base import CreoError, shown

if TYPE_CHECKING:
    from ._call import Outcome, OutgoingCall

__all__ = ["ClientTelemetry"]

_CREO: Final = "creo"
_BOUNDARIES: Final = (
    0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1.0, 2.5, 5.0, 7.5, 10.0,
)  # fmt: skip
_CONTEXT: Final = TraceContextTextMapPropagator()


class ClientTelemetry:
    """An interceptor that makes a span of each call, sends its context, and records the time.

    The parent of a span is the one that is current where the call is made, in a blocking client as
    in one for asyncio. Never recorded is what a call carries: arguments, results, metadata.
    """

    def __init__(
        self,
        tracer_provider: trace.TracerProvider | None = None,
        meter_provider: metrics.MeterProvider | None = None,
    ) -> None:
        """Takes the global providers in place of those that are not given."""
        self._tracer = trace.get_tracer(_CREO, tracer_provider=tracer_provider)
        self._times = metrics.get_meter(_CREO, meter_provider=meter_provider).create_histogram(
            "rpc.client.call.duration",
            unit="s",
            description="The time of a call, from its beginning to its end.",
            explicit_bucket_boundaries_advisory=_BOUNDARIES,
        )

    def begin(self, call: OutgoingCall) -> Callable[[Outcome], object] | None:
        """Starts the span of a call; what is returned ends it."""
        try:
            return self._begin(call)
        except Exception as failure:
            what = shown(f"{type(failure).__name__}: {failure}")
            logging.getLogger("creo").error("no telemetry of a call of %s: %s", call, what)
            return None

    def _begin(self, call: OutgoingCall) -> Callable[[Outcome], object]:
        name = f"{call.interface}/{call.method}"
        common = {"rpc.system.name": _CREO, "rpc.method": name}
        span = self._tracer.start_span(name, kind=SpanKind.CLIENT, attributes=common)
        context = trace.set_span_in_context(span)
        pairs: dict[str, str] = {}
        _CONTEXT.inject(pairs, context)
        if pairs:
            call.options = replace(call.options, metadata={**call.options.metadata, **pairs})

        def end(outcome: Outcome) -> None:
            found = _of_outcome(outcome)
            span.set_attributes(found)
            if isinstance(outcome.error, CreoError):
                span.set_status(StatusCode.ERROR)
            span.end()
            self._times.record(outcome.seconds, {**common, **found}, context)

        return end


def _of_outcome(outcome: Outcome) -> dict[str, str | int]:
    """The attributes that are known at the end (CALL-73)."""
    found: dict[str, str | int] = {}
    if outcome.peer is not None:
        host, _, port = outcome.peer.rpartition(":")
        if host and port.isdecimal():
            found["server.address"] = host.strip("[]")
            found["server.port"] = int(port)
        else:
            found["server.address"] = outcome.peer
    if isinstance(outcome.error, CreoError):
        found["error.type"] = found["rpc.response.status_code"] = outcome.error.code.value
    elif outcome.error is not None:
        found["creo.exception"] = type(outcome.error).__name__
    return found
