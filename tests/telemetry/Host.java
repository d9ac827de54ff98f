import creo.opentelemetry.ServerTelemetry;
import creo.runtime.Server;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.ReadableSpan;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import org.example.traces.TracesEndpoint;

/** Serves until its standard input ends. */
class Host {
    private static String parent() {
        var span = (ReadableSpan) Span.current();
        return span.getSpanContext().getTraceId() + " " + span.getParentSpanContext().getSpanId();
    }

    public static void main(String[] arguments) throws Exception {
        // Without a processor there would be no spans.
        var provider = SdkTracerProvider.builder().addSpanProcessor(SimpleSpanProcessor.create(InMemorySpanExporter.create())).build();
        var telemetry = OpenTelemetrySdk.builder().setTracerProvider(provider).build();
        try (telemetry; Server server = Server.builder().add(TracesEndpoint.of(Host::parent)).interceptor(new ServerTelemetry(telemetry)).start()) {
            System.out.println(server.port());
            System.in.transferTo(System.err);
        }
    }
}
