package creo.runtime.internal.host;

import creo.runtime.Answer.Header;
import creo.runtime.CreoException;
import creo.runtime.Limits;
import creo.runtime.internal.call.HttpHeaders;
import creo.runtime.internal.call.Metadata;
import java.time.Duration;
import creo.runtime.internal.http.HttpMetadata;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What a service sends beside the body of an answer: metadata (CALL-2), and headers of HTTP (HTTP-26). For one thread at a time. */
final class AnswerPairs {
    /** Of most answers. */
    static final AnswerPairs NONE = new AnswerPairs(Map.of(), List.of());

    private final Map<String, String> metadata;
    private final List<Header> headers;
    private long size = 1;
    private long headersSize;

    AnswerPairs() {
        this(new LinkedHashMap<>(), new ArrayList<>(2));
    }

    private AnswerPairs(Map<String, String> metadata, List<Header> headers) {
        this.metadata = metadata;
        this.headers = headers;
    }

    Map<String, String> metadata() {
        return metadata;
    }

    List<Header> headers() {
        return headers;
    }

    /** The same with a header {@code Retry-After} (CALL-28), unless there is one already; the time may be null. */
    AnswerPairs withRetryAfter(Duration time) {
        if (time == null || headers.stream().anyMatch(header -> header.name().equalsIgnoreCase("Retry-After"))) {
            return this;
        }
        List<Header> more = new ArrayList<>(headers);
        more.add(new Header("Retry-After", seconds(time)));
        return new AnswerPairs(metadata, more);
    }

    /** Seconds, rounded up. */
    static String seconds(Duration time) {
        return Long.toString(time.plusNanos(999_999_999).toSeconds());
    }

    void setMetadata(String key, String value, Limits limits) {
        Metadata.checkPair(key, value);
        String old = metadata.get(key);
        long all = size + HttpMetadata.sizeOf(key, value) - (old == null ? 0 : HttpMetadata.sizeOf(key, old));
        Metadata.checkSize(metadata.size() + (old == null ? 1 : 0), all, limits);
        metadata.put(key, value);
        size = all;
    }

    void setHeader(String name, String value, Limits limits) {
        HttpHeaders.checkOfAnswer(name, value);
        Header old = null;
        if (!name.equalsIgnoreCase("Set-Cookie")) {
            old = headers.stream().filter(header -> header.name().equalsIgnoreCase(name)).findFirst().orElse(null);
        }
        long all = headersSize + HttpMetadata.sizeOfHeader(name, value) - (old == null ? 0 : HttpMetadata.sizeOfHeader(old.name(), old.value()));
        HttpMetadata.checkHeaders(headers.size() + (old == null ? 1 : 0), all, limits, "an answer");
        headers.remove(old);
        headers.add(new Header(name, value));
        headersSize = all;
    }
}
