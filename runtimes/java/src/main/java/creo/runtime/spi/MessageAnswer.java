package creo.runtime.spi;

import java.util.Objects;

/**
 * The answer to a {@link MessageRequest}.
 *
 * @param mediaType of the body
 * @param body the bytes up to {@code length}, which belong to the answer; the reader may overwrite later ones
 * @param compressed whether the body is a gzip stream (HTTP-6)
 */
public record MessageAnswer(Kind kind, String mediaType, byte[] body, int length, boolean compressed) {
    /** What an answer holds. SOAP distinguishes the last two by itself: both are faults there. */
    public enum Kind {
        /** The result of the method. */
        RESPONSE,
        /** An exception that the method declares. */
        EXCEPTION,
        /** Any other error. */
        ERROR
    }

    public MessageAnswer {
        Objects.requireNonNull(kind, "kind");
        Objects.checkIndex(length, body.length + 1);
    }
}
