package creo.opentelemetry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import creo.runtime.CallOptions;
import creo.runtime.Channel;
import creo.runtime.ClientOptions;
import creo.runtime.CreoException;
import creo.runtime.ErrorCode;
import creo.runtime.InProcessChannel;
import creo.runtime.JsonChannel;
import creo.runtime.Server;
import creo.runtime.SoapChannel;
import creo.runtime.TcpChannel;
import creo.runtime.TdxmlChannel;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.metrics.data.HistogramPointData;
import io.opentelemetry.sdk.metrics.data.MetricData;
import io.opentelemetry.sdk.trace.ReadWriteSpan;
import io.opentelemetry.sdk.trace.ReadableSpan;
import io.opentelemetry.sdk.trace.SpanProcessor;
import io.opentelemetry.sdk.trace.data.SpanData;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.example.notes.Full;
import org.example.notes.NotesAsync;
import org.example.notes.NotesAsyncClient;
import org.example.notes.NotesClient;
import org.example.notes.NotesEndpoint;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Spans and metrics of calls (CALL-70 to CALL-78). */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class TelemetryTest {
    enum Way {
        TCP, JSON, SOAP, TDXML;

        Channel open(Rig rig, ClientOptions options) {
            return switch (this) {
                case TCP -> TcpChannel.open("127.0.0.1", rig.server.port(), options);
                case JSON -> JsonChannel.open(rig.url(), options);
                case SOAP -> SoapChannel.open(rig.url(), options);
                case TDXML -> TdxmlChannel.open(rig.url(), options);
            };
        }
    }

    private static final AttributeKey<String> ERROR_TYPE = AttributeKey.stringKey("error.type");
    private static final AttributeKey<String> STATUS = AttributeKey.stringKey("rpc.response.status_code");

    private static ClientOptions options(Rig rig) {
        return ClientOptions.DEFAULT.withInterceptor(new ClientTelemetry(rig.telemetry));
    }

    private static NotesClient client(Rig rig) {
        return new NotesClient(Way.TCP.open(rig, options(rig)));
    }

    @ParameterizedTest
    @EnumSource
    void theClientsSpanIsTheParentOfTheServers(Way way) throws Exception {
        try (Rig rig = new Rig(); NotesClient client = new NotesClient(way.open(rig, options(rig)))) {
            Span outer = rig.telemetry.getTracer("test").spanBuilder("outer").startSpan();
            String current = Context.root().with(outer).wrap(() -> {
                String found = client.say("x");
                // The caller's current span is as it was.
                assertEquals(outer.getSpanContext(), Span.current().getSpanContext());
                return found;
            }).call();
            SpanData called = rig.span(SpanKind.CLIENT);
            SpanData served = rig.span(SpanKind.SERVER);
            assertEquals(outer.getSpanContext().getSpanId(), called.getParentSpanId());
            assertEquals(called.getSpanId(), served.getParentSpanId());
            assertEquals(outer.getSpanContext().getTraceId(), served.getTraceId());
            assertTrue(served.getParentSpanContext().isRemote());
            // The method has seen the server's span (CALL-77).
            assertEquals(served.getSpanId(), current);
            for (SpanData span : List.of(called, served)) {
                assertEquals("org.example.notes.Notes/say", span.getName());
                assertEquals("creo", span.getAttributes().get(Conventions.SYSTEM));
                assertEquals("org.example.notes.Notes/say", span.getAttributes().get(Conventions.METHOD));
                assertEquals(StatusCode.UNSET, span.getStatus().getStatusCode());
            }
            assertEquals("127.0.0.1", called.getAttributes().get(AttributeKey.stringKey("server.address")));
            assertEquals(rig.server.port(), called.getAttributes().get(AttributeKey.longKey("server.port")));
            assertEquals(4, called.getAttributes().size());
            assertEquals("127.0.0.1", served.getAttributes().get(AttributeKey.stringKey("network.peer.address")));
            assertTrue(served.getAttributes().get(AttributeKey.longKey("network.peer.port")) > 0);
            assertEquals(4, served.getAttributes().size());
        }
    }

    @ParameterizedTest
    @EnumSource
    void errorsSetTheStatusAndDeclaredExceptionsDoNot(Way way) throws Exception {
        try (Rig rig = new Rig(); NotesClient client = new NotesClient(way.open(rig, options(rig)))) {
            assertThrows(CreoException.class, () -> client.say("fail"));
            for (SpanKind kind : List.of(SpanKind.CLIENT, SpanKind.SERVER)) {
                SpanData span = rig.span(kind);
                assertEquals(StatusCode.ERROR, span.getStatus().getStatusCode());
                assertEquals("", span.getStatus().getDescription());
                assertEquals("internal", span.getAttributes().get(ERROR_TYPE));
                assertEquals("internal", span.getAttributes().get(STATUS));
                assertEquals(List.of(), span.getEvents());
            }
            rig.spans.reset();
            assertThrows(Full.class, () -> client.say("full"));
            for (SpanKind kind : List.of(SpanKind.CLIENT, SpanKind.SERVER)) {
                SpanData span = rig.span(kind);
                assertEquals(StatusCode.UNSET, span.getStatus().getStatusCode());
                assertEquals("Full", span.getAttributes().get(Conventions.EXCEPTION));
                assertNull(span.getAttributes().get(ERROR_TYPE));
            }
        }
    }

    @Test
    void whereNobodyListensThereIsASpanWithoutAnAddress() throws Exception {
        try (Rig rig = new Rig()) {
            rig.server.close();
            try (NotesClient client = client(rig)) {
                assertEquals(ErrorCode.UNAVAILABLE, assertThrows(CreoException.class, () -> client.say("x")).code());
            }
            SpanData span = rig.span(SpanKind.CLIENT);
            assertEquals("unavailable", span.getAttributes().get(ERROR_TYPE));
            assertNull(span.getAttributes().get(AttributeKey.stringKey("server.address")));
        }
    }

    private static HistogramPointData point(Collection<MetricData> metrics, String name, Attributes expected) {
        List<HistogramPointData> found = new ArrayList<>();
        for (MetricData metric : metrics) {
            if (metric.getName().equals(name)) {
                assertEquals("s", metric.getUnit());
                metric.getHistogramData().getPoints().stream().filter(point -> point.getAttributes().equals(expected)).forEach(found::add);
            }
        }
        assertEquals(1, found.size(), () -> name + " " + expected + " in " + metrics);
        return found.get(0);
    }

    @Test
    void timesAreRecordedInSeconds() throws Exception {
        try (Rig rig = new Rig(); NotesClient client = client(rig)) {
            client.say("x");
            client.say("y");
            assertThrows(CreoException.class, () -> client.say("fail"));
            assertThrows(Full.class, () -> client.say("full"));
            Collection<MetricData> metrics = rig.metrics.collectAllMetrics();
            Attributes of = Attributes.of(Conventions.SYSTEM, "creo", Conventions.METHOD, "org.example.notes.Notes/say");
            Attributes at = Attributes.of(AttributeKey.stringKey("server.address"), "127.0.0.1", AttributeKey.longKey("server.port"), (long) rig.server.port());
            for (String side : List.of("client", "server")) {
                String name = "rpc." + side + ".call.duration";
                Attributes all = side.equals("client") ? of.toBuilder().putAll(at).build() : of;
                HistogramPointData results = point(metrics, name, all);
                assertEquals(2, results.getCount());
                assertEquals(0.005, results.getBoundaries().get(0));
                assertEquals(14, results.getBoundaries().size());
                assertTrue(results.getSum() > 0 && results.getSum() < 60);
                assertEquals(1, point(metrics, name, all.toBuilder().put(ERROR_TYPE, "internal").put(STATUS, "internal").build()).getCount());
                assertEquals(1, point(metrics, name, all.toBuilder().put(Conventions.EXCEPTION, "Full").build()).getCount());
            }
        }
    }

    @Test
    void theStateOfATraceTravels() throws Exception {
        try (Rig rig = new Rig(); NotesClient client = client(rig)) {
            TraceState state = TraceState.builder().put("vendor", "7").build();
            SpanContext far = SpanContext.createFromRemoteParent("0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331", TraceFlags.getSampled(), state);
            // What the program has set is replaced (CALL-70).
            NotesClient own = client.with(CallOptions.NONE.withMetadata("traceparent", "00-1").withMetadata("other", "kept"));
            Context.root().with(Span.wrap(far)).wrap(() -> own.say("x")).call();
            SpanData called = rig.span(SpanKind.CLIENT);
            Map<String, String> sent = rig.service.metadata.take();
            assertEquals(Map.of("traceparent", "00-0af7651916cd43dd8448eb211c80319c-" + called.getSpanId() + "-01", "tracestate", "vendor=7", "other", "kept"), sent);
            assertEquals(state, rig.span(SpanKind.SERVER).getSpanContext().getTraceState());
        }
    }

    @Test
    void aContextThatCannotBeReadBeginsATrace() throws Exception {
        try (Rig rig = new Rig(); NotesClient client = new NotesClient(Way.TCP.open(rig, ClientOptions.DEFAULT))) {
            client.with(CallOptions.NONE.withMetadata("traceparent", "nonsense").withMetadata("tracestate", "=,=")).say("x");
            client.say("x");
            for (SpanData span : rig.spans(SpanKind.SERVER)) {
                assertFalse(span.getParentSpanContext().isValid());
            }
        }
    }

    @Test
    void withoutASdkNothingIsSent() throws Exception {
        try (Rig rig = new Rig(); NotesClient client = new NotesClient(Way.TCP.open(rig, ClientOptions.DEFAULT.withInterceptor(new ClientTelemetry(OpenTelemetry.noop()))))) {
            client.say("x");
            assertEquals(Map.of(), rig.service.metadata.take());
        }
    }

    @Test
    void theSpanLeavesTheThreadWithTheMethod() throws Exception {
        BlockingQueue<Boolean> before = new LinkedBlockingQueue<>();
        try (Rig rig = new Rig(call -> {
            before.add(Span.current().getSpanContext().isValid());
            return null;
        }); NotesClient client = client(rig); NotesAsyncClient async = new NotesAsyncClient(Way.TCP.open(rig, options(rig)))) {
            for (String text : List.of("x", "full", "fail", "x")) {
                try {
                    client.say(text);
                } catch (Full | CreoException e) {
                    assertFalse(text.equals("x"));
                }
            }
            // A method that is interrupted still leaves its thread.
            CompletableFuture<String> call = async.say("wait");
            rig.service.began.await();
            call.cancel(true);
            assertThrows(java.util.concurrent.CancellationException.class, call::join);
            for (int i = 0; i < 8; i++) {
                client.say("x");
            }
            for (int i = 0; i < 13; i++) {
                assertFalse(before.take());
            }
        }
    }

    @Test
    void aCancelledCallEndsBothSpans() throws Exception {
        try (Rig rig = new Rig(); NotesAsyncClient client = new NotesAsyncClient(Way.TCP.open(rig, options(rig)))) {
            CompletableFuture<String> call = client.say("wait");
            rig.service.began.await();
            call.cancel(true);
            assertThrows(java.util.concurrent.CancellationException.class, call::join);
            // The server has ended its calls when it is closed.
            rig.server.close();
            assertEquals("cancelled", rig.span(SpanKind.CLIENT).getAttributes().get(ERROR_TYPE));
            assertEquals("cancelled", rig.span(SpanKind.SERVER).getAttributes().get(ERROR_TYPE));
        }
    }

    /** A service whose stage completes when the test wants it. */
    private static final class Later implements NotesAsync {
        final CompletableFuture<String> stage = new CompletableFuture<>();
        final CompletableFuture<String> current = new CompletableFuture<>();

        @Override
        public CompletionStage<String> say(String text) {
            return CompletableFuture.completedFuture(text);
        }

        @Override
        public CompletionStage<String> later(String text) {
            current.complete(Span.current().getSpanContext().getSpanId());
            return stage;
        }

        @Override
        public CompletionStage<Void> note(String text) {
            return CompletableFuture.completedFuture(null);
        }

        @Override
        public CompletionStage<Stream<String>> list(Stream<String> texts) {
            return CompletableFuture.completedFuture(texts);
        }
    }

    @Test
    void anAsynchronousMethodHasASpanUntilItsStageEnds() throws Exception {
        Later service = new Later();
        try (Rig rig = new Rig();
                Server server = Server.builder().add(NotesEndpoint.ofAsync(service)).interceptor(new ServerTelemetry(rig.telemetry)).start();
                NotesAsyncClient client = new NotesAsyncClient(TcpChannel.open("127.0.0.1", server.port(), options(rig)))) {
            CompletableFuture<String> call = client.later("x");
            String current = service.current.get();
            assertEquals(List.of(), rig.spans(SpanKind.SERVER));
            service.stage.complete("done");
            assertEquals("done", call.get());
            assertEquals(current, rig.span(SpanKind.SERVER).getSpanId());
            assertEquals(rig.span(SpanKind.CLIENT).getSpanId(), rig.span(SpanKind.SERVER).getParentSpanId());
        }
    }

    @Test
    void streamsEndTheirSpansWithTheCall() throws Exception {
        try (Rig rig = new Rig(); NotesClient client = client(rig)) {
            List<String> seen;
            try (Stream<String> answers = client.list(Stream.of("a", "b"))) {
                assertEquals(List.of(), rig.spans(SpanKind.CLIENT));
                seen = answers.toList();
            }
            SpanData called = rig.span(SpanKind.CLIENT);
            SpanData served = rig.span(SpanKind.SERVER);
            assertEquals(List.of(served.getSpanId(), served.getSpanId()), seen);
            assertEquals(called.getSpanId(), served.getParentSpanId());
            assertEquals(StatusCode.UNSET, called.getStatus().getStatusCode());
            rig.spans.reset();
            client.list(Stream.generate(() -> "more")).close();
            assertEquals("cancelled", rig.span(SpanKind.CLIENT).getAttributes().get(ERROR_TYPE));
        }
    }

    @Test
    void onewayCallsHaveSpans() throws Exception {
        try (Rig rig = new Rig(); NotesClient client = client(rig)) {
            client.note("x");
            String current = rig.service.metadata.take().get("note");
            rig.server.close();
            assertEquals(current, rig.span(SpanKind.SERVER).getSpanId());
            assertEquals(rig.span(SpanKind.CLIENT).getSpanId(), rig.span(SpanKind.SERVER).getParentSpanId());
        }
    }

    @Test
    void withinAProcessSpansAreLinkedToo() throws Exception {
        try (Rig rig = new Rig();
                Channel channel = InProcessChannel.open(options(rig), null, List.of(new ServerTelemetry(rig.telemetry)), NotesEndpoint.of(rig.service))) {
            String current = new NotesClient(channel).say("x");
            assertEquals(current, rig.span(SpanKind.SERVER).getSpanId());
            assertEquals(rig.span(SpanKind.CLIENT).getSpanId(), rig.span(SpanKind.SERVER).getParentSpanId());
        }
    }

    /** What throws at each span. */
    private record Broken(boolean atStart) implements SpanProcessor {
        @Override
        public void onStart(Context parent, ReadWriteSpan span) {
            if (atStart) {
                throw new IllegalStateException("broken at the start");
            }
        }

        @Override
        public boolean isStartRequired() {
            return atStart;
        }

        @Override
        public void onEnd(ReadableSpan span) {
            throw new IllegalStateException("broken at the end");
        }

        @Override
        public boolean isEndRequired() {
            return !atStart;
        }
    }

    @Test
    void telemetryThatFailsChangesNothing() throws Exception {
        BlockingQueue<String> logged = new LinkedBlockingQueue<>();
        Handler handler = new Handler() {
            @Override
            public void publish(LogRecord entry) {
                logged.add(entry.getMessage() + ": " + entry.getThrown().getMessage());
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        Logger logger = Logger.getLogger("creo.runtime");
        logger.addHandler(handler);
        try {
            for (boolean atStart : new boolean[] {true, false}) {
                try (Rig rig = new Rig(new Broken(atStart)); NotesClient client = client(rig)) {
                    client.say("x");
                    assertThrows(Full.class, () -> client.say("full"));
                    for (int i = 0; i < 4; i++) {
                        String line = logged.take();
                        assertTrue(line.contains("org.example.notes.Notes.say") && line.endsWith(atStart ? "broken at the start" : "broken at the end"), line);
                    }
                }
            }
        } finally {
            logger.removeHandler(handler);
        }
    }

    @Test
    void addressesAreSplit() {
        for (String[] each : new String[][] {
            {"127.0.0.1:80", "127.0.0.1 80"}, {"[::1]:7400", "::1 7400"}, {"host", "host null"}, {"http://host:8080/Notes", "host 8080"}, {"host:", "host: null"},
            {"host:70000", "host:70000 null"}, {"host:99999999999999999999", "host:99999999999999999999 null"}, {"this process", "this process null"}, {"[::1]", "::1 null"},
        }) {
            List<String> found = new ArrayList<>();
            Conventions.split(each[0], (host, port) -> found.add(host + " " + port));
            assertEquals(List.of(each[1]), found);
        }
    }
}
