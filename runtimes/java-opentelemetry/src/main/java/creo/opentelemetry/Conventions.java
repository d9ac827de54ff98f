package creo.opentelemetry;

import creo.runtime.CreoException;
import creo.runtime.Interceptor;
import creo.runtime.codegen.LogText;
import creo.runtime.codegen.ServiceMethod;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;
import io.opentelemetry.api.metrics.DoubleHistogram;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import java.util.List;
import java.util.function.BiConsumer;

/** The names and attributes that both sides share (CALL-73 to CALL-75). */
final class Conventions {
    static final AttributeKey<String> SYSTEM = AttributeKey.stringKey("rpc.system.name");
    static final AttributeKey<String> METHOD = AttributeKey.stringKey("rpc.method");
    static final AttributeKey<String> ERROR_TYPE = AttributeKey.stringKey("error.type");
    static final AttributeKey<String> STATUS = AttributeKey.stringKey("rpc.response.status_code");
    static final AttributeKey<String> EXCEPTION = AttributeKey.stringKey("creo.exception");
    static final String CREO = "creo";

    private static final System.Logger LOG = System.getLogger("creo.runtime");
    private static final List<Double> BOUNDARIES = List.of(0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1.0, 2.5, 5.0, 7.5, 10.0);

    private Conventions() {}

    static Tracer tracer(OpenTelemetry telemetry) {
        return telemetry.getTracer(CREO);
    }

    /** The histogram of the times of calls. */
    static DoubleHistogram times(OpenTelemetry telemetry, String name, String description) {
        return telemetry.getMeter(CREO).histogramBuilder(name).setUnit("s").setDescription(description).setExplicitBucketBoundariesAdvice(BOUNDARIES).build();
    }

    /** The name of a method's spans. */
    static String name(ServiceMethod<?, ?> method) {
        return method.owner().name() + "/" + method.name();
    }

    /** Ends the span of a call, and records its time. */
    static void end(Context context, Interceptor.Outcome outcome, String name, DoubleHistogram times, Attributes more) {
        Span span = Span.fromContext(context);
        AttributesBuilder measured = Attributes.builder().put(SYSTEM, CREO).put(METHOD, name).putAll(more);
        span.setAllAttributes(more);
        Throwable failure = outcome.failure();
        if (failure instanceof CreoException e) {
            String word = e.code().word();
            span.setStatus(StatusCode.ERROR);
            span.setAttribute(ERROR_TYPE, word).setAttribute(STATUS, word);
            measured.put(ERROR_TYPE, word).put(STATUS, word);
        } else if (failure != null) {
            String type = failure.getClass().getSimpleName();
            span.setAttribute(EXCEPTION, type);
            measured.put(EXCEPTION, type);
        }
        span.end();
        times.record(outcome.time().toNanos() / 1e9, measured.build(), context);
    }

    /** Splits an address, or the URL of one, into its host and port; the port is null if there is none. */
    static void split(String peer, BiConsumer<String, Long> parts) {
        int scheme = peer.indexOf("://");
        String address = scheme < 0 ? peer : peer.substring(scheme + 3);
        int path = address.indexOf('/');
        address = path < 0 ? address : address.substring(0, path);
        int colon = address.lastIndexOf(':');
        long port = colon <= 0 ? -1 : port(address, colon + 1);
        if (port < 0) {
            parts.accept(host(address), null);
        } else {
            parts.accept(host(address.substring(0, colon)), port);
        }
    }

    /** The number at the end of a text, or -1 if it is no port. */
    private static long port(String text, int from) {
        long number = from < text.length() ? 0 : -1;
        for (int i = from; i < text.length() && number >= 0; i++) {
            char c = text.charAt(i);
            number = c < '0' || c > '9' || number > 65_535 ? -1 : number * 10 + c - '0';
        }
        return number > 65_535 ? -1 : number;
    }

    /** A host without the brackets of an address of IPv6. */
    private static String host(String text) {
        return text.startsWith("[") && text.endsWith("]") ? text.substring(1, text.length() - 1) : text;
    }

    /** Reports that a call goes on without a span (CALL-78). */
    static void failed(ServiceMethod<?, ?> method, Throwable failure) {
        LOG.log(System.Logger.Level.ERROR, "no telemetry of a call of " + method, LogText.of(failure));
    }
}
