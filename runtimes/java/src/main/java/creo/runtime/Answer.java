package creo.runtime;

import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * What came with the answer to a call, besides its result, exception or error ({@link CallOptions#withAnswer}). Immutable. Names and values are the
 * peer's: {@link creo.runtime.codegen.LogText#of LogText.of} makes them fit for a log.
 *
 * @param metadata the pairs that the service has set (CALL-1)
 * @param status of HTTP; 0 on other transports
 * @param headers of HTTP as they came, in their order, their names in small letters; empty on other transports
 */
public record Answer(Map<String, String> metadata, int status, List<Header> headers) {
    /** A header field of HTTP. */
    public record Header(String name, String value) {
        public Header {
            Objects.requireNonNull(name, "name");
            Objects.requireNonNull(value, "value");
        }
    }

    public Answer {
        metadata = java.util.Collections.unmodifiableMap(metadata);
        headers = List.copyOf(headers);
    }

    /** The value of the first header of a name, in any case of letters; null if there is none. */
    public String header(String name) {
        for (Header header : headers) {
            if (header.name().equalsIgnoreCase(name)) {
                return header.value();
            }
        }
        return null;
    }
}
