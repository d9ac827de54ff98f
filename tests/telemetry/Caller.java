import creo.opentelemetry.ClientTelemetry;
import creo.runtime.ClientOptions;
import creo.runtime.JsonChannel;
import creo.runtime.SoapChannel;
import creo.runtime.TcpChannel;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import java.util.List;
import org.example.traces.TracesClient;

/** Prints for each wire what the service saw, and what the client's own span is. */
class Caller {
    public static void main(String[] arguments) throws Exception {
        String port = arguments[0];
        String url = "http://127.0.0.1:" + port + "/Traces";
        InMemorySpanExporter spans = InMemorySpanExporter.create();
        var provider = SdkTracerProvider.builder().addSpanProcessor(SimpleSpanProcessor.create(spans)).build();
        try (var telemetry = OpenTelemetrySdk.builder().setTracerProvider(provider).build()) {
            ClientOptions options = ClientOptions.DEFAULT.withInterceptor(new ClientTelemetry(telemetry));
            for (var channel : List.of(TcpChannel.open("127.0.0.1", Integer.parseInt(port), options), JsonChannel.open(url, options), SoapChannel.open(url, options))) {
                try (TracesClient client = new TracesClient(channel)) {
                    String seen = client.parent();
                    var span = spans.getFinishedSpanItems().get(spans.getFinishedSpanItems().size() - 1);
                    System.out.println(seen + " " + span.getTraceId() + " " + span.getSpanId());
                }
            }
        }
    }
}
