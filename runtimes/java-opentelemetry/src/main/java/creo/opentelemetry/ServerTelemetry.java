package creo.opentelemetry;

import creo.runtime.CallContext;
import creo.runtime.Interceptor;
import creo.runtime.ServerInterceptor;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.metrics.DoubleHistogram;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import io.opentelemetry.context.propagation.TextMapGetter;
import java.util.Map;

/**
 * Makes a span of each call that a server runs, the child of the caller's, and records the time ({@code spec/calls.md}, section 7). While the method runs on
 * its thread, {@link Span#current()} is this span. Never recorded is what a call carries: arguments, results, metadata.
 *
 * <pre>Server.builder().interceptor(new ServerTelemetry(openTelemetry))</pre>
 */
public final class ServerTelemetry implements ServerInterceptor {
    private static final TextMapGetter<Map<String, String>> METADATA = new TextMapGetter<>() {
        @Override
        @SuppressWarnings("deprecation") // Earlier versions of the API demand it.
        public Iterable<String> keys(Map<String, String> metadata) {
            return metadata.keySet();
        }

        @Override
        public String get(Map<String, String> metadata, String key) {
            return metadata.get(key);
        }
    };

    private final Tracer tracer;
    private final DoubleHistogram times;

    public ServerTelemetry(OpenTelemetry telemetry) {
        tracer = Conventions.tracer(telemetry);
        times = Conventions.times(telemetry, "rpc.server.call.duration", "The time of a call, from the beginning to the end of its method.");
    }

    @Override
    public Interceptor.End serving(CallContext call) {
        try {
            return new Served(call);
        } catch (RuntimeException e) {
            Conventions.failed(call.method(), e);
            return null;
        }
    }

    private final class Served implements Interceptor.End {
        private final String name;
        private final Context context;
        private final Scope scope;

        Served(CallContext call) {
            name = Conventions.name(call.method());
            Context caller = W3CTraceContextPropagator.getInstance().extract(Context.root(), call.metadata(), METADATA);
            SpanBuilder builder = tracer.spanBuilder(name).setParent(caller).setSpanKind(SpanKind.SERVER).setAttribute(Conventions.SYSTEM, Conventions.CREO)
                .setAttribute(Conventions.METHOD, name);
            Conventions.split(call.peer(), (host, port) -> {
                builder.setAttribute("network.peer.address", host);
                if (port != null) {
                    builder.setAttribute("network.peer.port", port);
                }
            });
            context = caller.with(builder.startSpan());
            scope = context.makeCurrent();
        }

        @Override
        public void leaveThread() {
            scope.close();
        }

        @Override
        public void ended(Interceptor.Outcome outcome) {
            Conventions.end(context, outcome, name, times, Attributes.empty());
        }
    }
}
