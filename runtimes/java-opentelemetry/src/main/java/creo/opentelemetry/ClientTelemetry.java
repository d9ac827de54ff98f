package creo.opentelemetry;

import creo.runtime.CallOptions;
import creo.runtime.Interceptor;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;
import io.opentelemetry.api.metrics.DoubleHistogram;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Context;

/**
 * Makes a span of each call of a client, sends its context with the call, and records the time ({@code spec/calls.md}, section 7). The span's parent is the
 * one that is current on the calling thread. Never recorded is what a call carries: arguments, results, metadata.
 *
 * <pre>ClientOptions.DEFAULT.withInterceptor(new ClientTelemetry(openTelemetry))</pre>
 */
public final class ClientTelemetry implements Interceptor {
    private static final AttributeKey<String> ADDRESS = AttributeKey.stringKey("server.address");
    private static final AttributeKey<Long> PORT = AttributeKey.longKey("server.port");

    private final Tracer tracer;
    private final DoubleHistogram times;

    public ClientTelemetry(OpenTelemetry telemetry) {
        tracer = Conventions.tracer(telemetry);
        times = Conventions.times(telemetry, "rpc.client.call.duration", "The time of a call, from its beginning to its end.");
    }

    @Override
    public End calling(OutgoingCall call) {
        try {
            String name = Conventions.name(call.method());
            Span span = tracer.spanBuilder(name).setSpanKind(SpanKind.CLIENT).setAttribute(Conventions.SYSTEM, Conventions.CREO)
                .setAttribute(Conventions.METHOD, name).startSpan();
            Context context = Context.current().with(span);
            W3CTraceContextPropagator.getInstance().inject(context, call, ClientTelemetry::send);
            return outcome -> Conventions.end(context, outcome, name, times, reached(outcome.peer()));
        } catch (RuntimeException e) {
            Conventions.failed(call.method(), e);
            return null;
        }
    }

    private static void send(OutgoingCall call, String key, String value) {
        CallOptions options = call.options();
        if (!value.equals(options.metadata().get(key))) {
            call.use(options.withMetadata(key, value));
        }
    }

    private static Attributes reached(String peer) {
        if (peer == null) {
            return Attributes.empty();
        }
        AttributesBuilder found = Attributes.builder();
        Conventions.split(peer, (host, port) -> found.put(ADDRESS, host).put(PORT, port));
        return found.build();
    }
}
