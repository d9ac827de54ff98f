package creo.runtime;

import creo.runtime.internal.call.HttpHeaders;
import creo.runtime.internal.call.Metadata;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;

/** Options of a call. Immutable: each {@code with} method returns a changed copy. */
public final class CallOptions {
    /** The client's own deadline, and no metadata. */
    public static final CallOptions NONE = new CallOptions(null, Map.of(), Map.of(), null);

    private final Duration deadline;
    private final Map<String, String> metadata;
    private final Map<String, String> headers;
    private final Consumer<Answer> answer;

    CallOptions(Duration deadline, Map<String, String> metadata, Map<String, String> headers, Consumer<Answer> answer) {
        this.deadline = deadline;
        this.metadata = metadata;
        this.headers = headers;
        this.answer = answer;
    }

    /** The max duration of a call, or null for the client's own (LIM-12). */
    public Duration deadline() {
        return deadline;
    }

    /** The metadata sent with a call. */
    public Map<String, String> metadata() {
        return metadata;
    }

    /** The HTTP headers that a call sends in addition to those of its client. */
    public Map<String, String> headers() {
        return headers;
    }

    /** Who is given what comes with the answer to a call, or null. */
    public Consumer<Answer> answer() {
        return answer;
    }

    /** A copy with another deadline for the whole call. */
    public CallOptions withDeadline(Duration time) {
        Objects.requireNonNull(time, "time");
        if (time.isNegative() || time.isZero() || time.compareTo(Duration.ofDays(40)) > 0) {
            throw new IllegalArgumentException("a deadline must be more than nothing and at most 40 days, not " + time);
        }
        return new CallOptions(time, metadata, headers, answer);
    }

    /**
     * A copy with one more metadata entry (TCP-17).
     *
     * @throws CreoException when the key has characters other than {@code [a-z0-9.-]} or is reserved
     */
    public CallOptions withMetadata(String key, String value) {
        Metadata.checkPair(key, value);
        Map<String, String> more = new LinkedHashMap<>(metadata);
        more.put(key, value);
        return new CallOptions(deadline, java.util.Collections.unmodifiableMap(more), headers, answer);
    }

    /**
     * A copy with one more HTTP header, such as an API key (HTTP-24). Other transports do not send it.
     *
     * @throws CreoException when the name is not a token or belongs to the transport, or the value is not printable ASCII
     */
    public CallOptions withHeader(String name, String value) {
        return new CallOptions(deadline, metadata, HttpHeaders.with(headers, name, value), answer);
    }

    /**
     * The same with someone who is given what comes with each answer besides its body (CALL-4): before the call ends, on a thread that may wait; whether the
     * answer is a result, an exception or an error. A call that ends without an answer gives nothing.
     */
    public CallOptions withAnswer(Consumer<Answer> reader) {
        return new CallOptions(deadline, metadata, headers, Objects.requireNonNull(reader, "reader"));
    }
}
