package creo.runtime.internal.host;

import creo.runtime.Answer;
import creo.runtime.internal.http.Gzip;
import creo.runtime.internal.http.HttpFields;
import creo.runtime.internal.http.HttpMetadata;
import creo.runtime.internal.http.HttpRequestHead;
import creo.runtime.internal.http.MediaType;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The body of an answer as it is sent: compressed on request.
 *
 * @param length the announced length
 * @param sent the number of bytes that follow: none for HEAD
 */
record HttpOutgoing(byte[] bytes, int length, int sent) {
    /**
     * Prepares an answer.
     *
     * @param bytes of which it may become a part
     * @param allow the methods that are allowed, or null
     * @param pairs what the service has set
     * @param fields takes those of the head that are neither the body's type and length nor the connection's
     */
    static HttpOutgoing of(HttpService service, HttpRequestHead asked, int status, byte[] bytes, int length, String allow, AnswerPairs pairs,
            BiConsumer<String, String> fields) {
        boolean hasBody = !asked.method().equals("HEAD") && length > 0;
        byte[] own = bytes;
        int size = length;
        if (length >= Gzip.LEAST && hasBody && acceptsGzip(asked.fields())) {
            own = Gzip.compress(bytes, length);
            size = own.length;
            fields.accept("Content-Encoding", "gzip");
            fields.accept("Vary", "Accept-Encoding");
        }
        if (allow != null || status == 405) {
            fields.accept("Allow", allow == null ? "POST" : allow);
        }
        HttpMetadata.writeAnswer(pairs.metadata(), fields);
        pairs.headers().forEach(header -> fields.accept(header.name(), header.value()));
        crossOrigin(service, asked, status, pairs, fields);
        return new HttpOutgoing(own, size, hasBody ? size : 0);
    }

    private static void crossOrigin(HttpService service, HttpRequestHead asked, int status, AnswerPairs pairs, BiConsumer<String, String> fields) {
        String origin = service.allowedOrigin(asked);
        if (origin == null) {
            return;
        }
        fields.accept("Access-Control-Allow-Origin", origin);
        if (!origin.equals("*")) {
            fields.accept("Vary", "Origin");
        }
        String exposed = Stream.concat(pairs.metadata().keySet().stream().map(HttpMetadata::headerOfAnswer),
            pairs.headers().stream().map(Answer.Header::name).filter(name -> !name.equalsIgnoreCase("Set-Cookie"))).collect(Collectors.joining(", "));
        if (!exposed.isEmpty()) {
            fields.accept("Access-Control-Expose-Headers", exposed);
        }
        if (status == 204 && asked.method().equals("OPTIONS")) {
            fields.accept("Access-Control-Allow-Methods", "GET, HEAD, POST");
            fields.accept("Access-Control-Max-Age", "600");
            String wanted = asked.fields().first("access-control-request-headers");
            if (wanted != null && wanted.matches("[A-Za-z0-9, -]{1,1000}")) {
                fields.accept("Access-Control-Allow-Headers", wanted);
            }
        }
    }

    /** Whether the caller asked for a compressed answer (HTTP-6). */
    private static boolean acceptsGzip(HttpFields fields) {
        String accepted = fields.first("accept-encoding");
        if (accepted == null) {
            return false;
        }
        for (String each : accepted.split(",")) {
            MediaType coding = MediaType.parse(each.strip());
            String quality = coding.parameter("q");
            if (coding.type().equals("gzip") && (quality == null || !quality.matches("0(\\.0*)?"))) {
                return true;
            }
        }
        return false;
    }
}
