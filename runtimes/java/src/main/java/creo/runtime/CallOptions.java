package creo.runtime;

import creo.runtime.internal.call.Metadata;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/** What a caller may say about its calls. Immutable: each {@code with} method gives a changed copy. */
public final class CallOptions {
    /** The client's own deadline, and no metadata. */
    public static final CallOptions NONE = new CallOptions(null, Map.of());

    private final Duration deadline;
    private final Map<String, String> metadata;

    private CallOptions(Duration deadline, Map<String, String> metadata) {
        this.deadline = deadline;
        this.metadata = metadata;
    }

    /** The time that a call may take, or null for the client's own (LIM-12). */
    public Duration deadline() {
        return deadline;
    }

    /** The pairs that travel with a call. */
    public Map<String, String> metadata() {
        return metadata;
    }

    /** The same with another time that a call may take, all in all. */
    public CallOptions withDeadline(Duration time) {
        Objects.requireNonNull(time, "time");
        if (time.isNegative() || time.isZero() || time.compareTo(Duration.ofDays(40)) > 0) {
            throw new IllegalArgumentException("a deadline must be more than nothing and at most 40 days, not " + time);
        }
        return new CallOptions(time, metadata);
    }

    /**
     * The same with one more pair of metadata (TCP-17).
     *
     * @throws CreoException when the key has other characters than {@code [a-z0-9.-]} or is reserved
     */
    public CallOptions withMetadata(String key, String value) {
        Metadata.checkPair(key, value);
        Map<String, String> more = new LinkedHashMap<>(metadata);
        more.put(key, value);
        return new CallOptions(deadline, java.util.Collections.unmodifiableMap(more));
    }
}
