package creo.opentelemetry;

import creo.runtime.CallContext;
import creo.runtime.Server;
import creo.runtime.ServerInterceptor;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.metrics.SdkMeterProvider;
import io.opentelemetry.sdk.testing.exporter.InMemoryMetricReader;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.SpanProcessor;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.Stream;
import org.example.notes.Full;
import org.example.notes.Notes;
import org.example.notes.NotesEndpoint;

/** A server with telemetry, and what it and its clients export. */
final class Rig implements AutoCloseable {
    /** The service of the tests: it answers with the id of the span that is current. */
    static final class Service implements Notes {
        final BlockingQueue<Map<String, String>> metadata = new LinkedBlockingQueue<>();
        final CountDownLatch began = new CountDownLatch(1);

        private String current() {
            return Span.current().getSpanContext().getSpanId();
        }

        @Override
        public String say(String text) throws Full {
            metadata.add(CallContext.current().metadata());
            return switch (text) {
                case "full" -> throw new Full(3);
                case "fail" -> throw new IllegalStateException("secret");
                case "wait" -> {
                    began.countDown();
                    try {
                        Thread.sleep(60_000);
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                    yield text;
                }
                default -> current();
            };
        }

        @Override
        public String later(String text) {
            return current();
        }

        @Override
        public void note(String text) {
            metadata.add(Map.of("note", current()));
        }

        @Override
        public Stream<String> list(Stream<String> texts) {
            return texts.map(text -> current());
        }
    }

    final Service service = new Service();
    final InMemorySpanExporter spans = InMemorySpanExporter.create();
    final InMemoryMetricReader metrics = InMemoryMetricReader.create();
    final OpenTelemetrySdk telemetry;
    final Server server;

    Rig(ServerInterceptor... before) {
        this(null, before);
    }

    /** @param broken a processor that sees spans first; null for none */
    Rig(SpanProcessor broken, ServerInterceptor... before) {
        var tracing = SdkTracerProvider.builder();
        if (broken != null) {
            tracing.addSpanProcessor(broken);
        }
        tracing.addSpanProcessor(SimpleSpanProcessor.create(spans));
        telemetry = OpenTelemetrySdk.builder().setTracerProvider(tracing.build())
            .setMeterProvider(SdkMeterProvider.builder().registerMetricReader(metrics).build()).build();
        server = serve(telemetry, before);
    }

    private Server serve(OpenTelemetry used, ServerInterceptor... before) {
        Server.Builder builder = Server.builder().add(NotesEndpoint.of(service));
        for (ServerInterceptor each : before) {
            builder.interceptor(each);
        }
        return builder.interceptor(new ServerTelemetry(used)).start();
    }

    String url() {
        return "http://127.0.0.1:" + server.httpPort() + "/Notes";
    }

    /** The ended spans of a kind, in their order. */
    List<SpanData> spans(SpanKind kind) {
        List<SpanData> found = new ArrayList<>(spans.getFinishedSpanItems());
        found.removeIf(span -> span.getKind() != kind);
        return found;
    }

    /** The only ended span of a kind. */
    SpanData span(SpanKind kind) {
        List<SpanData> found = spans(kind);
        if (found.size() != 1) {
            throw new AssertionError(found.size() + " spans: " + found);
        }
        return found.get(0);
    }

    @Override
    public void close() {
        server.close();
        telemetry.close();
    }
}
