package creo.runtime.spi;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/**
 * The answer to a {@link MessageRequest}, or items that come before it.
 *
 * @param mediaType of the body
 * @param body the bytes up to {@code length}, which belong to the answer; the reader may overwrite later ones
 * @param compressed whether the body is a gzip stream (HTTP-6)
 * @param metadata the pairs of metadata (CALL-1), with {@code %XX} for bytes of their values as HTTP-8 says
 * @param part its place among the messages of a call with a stream; otherwise null
 */
public record MessageAnswer(Kind kind, String mediaType, byte[] body, int length, boolean compressed, Map<String, String> metadata, Part part) {
    /** What an answer holds. SOAP distinguishes exceptions and errors by itself: both are faults there. */
    public enum Kind {
        /** The result of the method. */
        RESPONSE,
        /** An exception that the method declares. */
        EXCEPTION,
        /** Any other error. */
        ERROR,
        /** Items of the stream that is the result of the method: more messages follow (JMS-25). */
        ITEMS
    }

    /**
     * The place of a message of a call with a stream.
     *
     * @param run a number that the host has drawn for this run of the method
     * @param items the number of items of this run in the messages before
     */
    public record Part(long run, long items) {}

    /** An answer without a stream before it. */
    public MessageAnswer(Kind kind, String mediaType, byte[] body, int length, boolean compressed, Map<String, String> metadata) {
        this(kind, mediaType, body, length, compressed, metadata, null);
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
