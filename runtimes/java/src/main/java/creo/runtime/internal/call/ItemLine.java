package creo.runtime.internal.call;

import creo.runtime.CreoException;
import creo.runtime.internal.buffer.Failures;
import java.nio.charset.StandardCharsets;

/**
 * A line of a stream over HTTP (HTTP-30): an object with one member.
 *
 * @param from where the value of the member begins, and
 * @param to where it ends
 */
public record ItemLine(Kind kind, int from, int to) {
    /** What a line is. */
    public enum Kind {
        /** White space, which means nothing. */
        EMPTY(""),
        /** An item. */
        ITEM("\"item\""),
        /** The end of the stream. */
        END("\"end\""),
        /** The problem document that ends a stream of results. */
        ERROR("\"error\"");

        private final byte[] name;

        Kind(String name) {
            this.name = name.getBytes(StandardCharsets.US_ASCII);
        }
    }

    /** What is before the value of an item, and after it. */
    public static final byte[] BEFORE = "{\"item\":".getBytes(StandardCharsets.US_ASCII);
    public static final byte[] AFTER = "}\n".getBytes(StandardCharsets.US_ASCII);
    /** The last line of a stream that ends. */
    public static final byte[] LAST = "{\"end\":true}\n".getBytes(StandardCharsets.US_ASCII);

    private static final byte[] TRUE = "true".getBytes(StandardCharsets.US_ASCII);

    /**
     * The line between two indices, without its LF.
     *
     * @throws CreoException {@code malformed} if it is none of HTTP-30
     */
    public static ItemLine of(byte[] b, int first, int end) {
        int p = skip(b, first, end);
        int q = trim(b, p, end);
        if (p == q) {
            return new ItemLine(Kind.EMPTY, p, p);
        }
        if (b[p] != '{' || b[q - 1] != '}' || q - p < 2) {
            throw malformed("a line that is not an object with one member");
        }
        p = skip(b, p + 1, q);
        Kind kind = isAt(b, p, q, Kind.ITEM.name) ? Kind.ITEM : isAt(b, p, q, Kind.END.name) ? Kind.END : isAt(b, p, q, Kind.ERROR.name) ? Kind.ERROR : Kind.EMPTY;
        if (kind == Kind.EMPTY) {
            throw malformed("a line whose member is not \"item\", \"end\" or \"error\"");
        }
        p = skip(b, p + kind.name.length, q);
        if (p == q || b[p] != ':') {
            throw malformed("a line without a colon after its member");
        }
        p = skip(b, p + 1, q - 1);
        q = trim(b, p, q - 1);
        if (kind == Kind.END && !(q - p == TRUE.length && isAt(b, p, q, TRUE))) {
            throw malformed("an end that is not true");
        }
        return new ItemLine(kind, p, q);
    }

    private static CreoException malformed(String reason) {
        return Failures.malformed(reason);
    }

    private static boolean isAt(byte[] b, int p, int end, byte[] text) {
        if (end - p < text.length) {
            return false;
        }
        for (int i = 0; i < text.length; i++) {
            if (b[p + i] != text[i]) {
                return false;
            }
        }
        return true;
    }

    private static boolean isSpace(byte c) {
        return c == ' ' || c == '\t' || c == '\r' || c == '\n';
    }

    private static int skip(byte[] b, int from, int to) {
        int p = from;
        while (p < to && isSpace(b[p])) {
            p++;
        }
        return p;
    }

    private static int trim(byte[] b, int from, int to) {
        int q = to;
        while (q > from && isSpace(b[q - 1])) {
            q--;
        }
        return q;
    }
}
