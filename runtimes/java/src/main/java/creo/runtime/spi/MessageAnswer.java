package creo.runtime.spi;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/**
 * The answer to a {@link MessageRequest}.
 *
 * @param mediaType of the body
 * @param body the bytes up to {@code length}, which belong to the answer; the reader may overwrite later ones
 * @param compressed whether the body is a gzip stream (HTTP-6)
 * @param metadata the pairs of metadata (CALL-1), with {@code %XX} for bytes of their values as HTTP-8 says
 */
public record MessageAnswer(Kind kind, String mediaType, byte[] body, int length, boolean compressed, Map<String, String> metadata) {
    /** What an answer holds. SOAP distinguishes the last two by itself: both are faults there. */
    public enum Kind {
        /** The result of the method. */
        RESPONSE,
        /** An exception that the method declares. */
        EXCEPTION,
        /** Any other error. */
        ERROR
    }

    /** An answer without metadata. */
    public MessageAnswer(Kind kind, String mediaType, byte[] body, int length, boolean compressed) {
        this(kind, mediaType, body, length, compressed, Map.of());
    }

    public MessageAnswer {
        Objects.requireNonNull(kind, "kind");
        Objects.checkIndex(length, body.length + 1);
        metadata = java.util.Collections.unmodifiableMap(new LinkedHashMap<>(metadata));
    }
}
