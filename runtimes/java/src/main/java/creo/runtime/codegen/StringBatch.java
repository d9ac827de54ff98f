package creo.runtime.codegen;

import creo.runtime.internal.buffer.Utf8;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Encodes many short strings, or a long one, at once, as long as they are ASCII.
 *
 * <p>{@link String#getChars} gathers the characters and the encoder of ISO 8859-1 narrows them: both are JDK intrinsics. The encoder stops at a
 * character that does not fit into a byte, so nothing is lost, unlike when a string copies its own low bytes. A string takes half the time of a loop
 * over its characters.
 */
final class StringBatch {
    /** The longest string whose count is one byte, which is then an ASCII character too. */
    static final int LONGEST_SHORT = 127;
    private static final int CAPACITY = 2_048;

    private final char[] chars = new char[CAPACITY];
    private final CharBuffer in = CharBuffer.wrap(chars);
    private final CharsetEncoder encoder = StandardCharsets.ISO_8859_1.newEncoder();
    private byte[] target;
    private ByteBuffer out;
    private int used;
    /** The start of the next string for {@link #putNext}. */
    private int next;

    /** The size of the batch in bytes. */
    int size() {
        return used;
    }

    /** Adds strings with their counts, from an index of the list, as long as they are short and fit; returns the index of the first not added. */
    int add(List<String> items, int i, int n) {
        char[] to = chars;
        int at = 0;
        for (; i < n; i++) {
            String s = items.get(i);
            int length = s == null ? CAPACITY : s.length();
            if (length > LONGEST_SHORT || length >= CAPACITY - at) {
                break;
            }
            to[at++] = (char) length;
            s.getChars(0, length, to, at);
            at += length;
        }
        used = at;
        return i;
    }

    /** Adds the next characters of a long string, without a count; returns the index of the first not added. */
    int add(String s, int from, int n) {
        int to = Math.min(n, from + CAPACITY);
        s.getChars(from, to, chars, 0);
        used = to - from;
        return to;
    }

    /** Goes back to the first string of the batch. */
    void rewind() {
        next = 0;
    }

    /** The max number of bytes of the next string with its count. */
    int mostBytes() {
        return 2 + 3 * chars[next];
    }

    boolean hasNext() {
        return next < used;
    }

    /** Writes the batch's next string at {@code p}, whatever its characters; returns the index after it. */
    int putNext(byte[] b, int p) {
        int n = chars[next];
        int from = next + 1;
        int end = Utf8.encode(chars, from, from + n, b, p + 1);
        next = from + n;
        int size = end - p - 1;
        if (size > LONGEST_SHORT) {
            System.arraycopy(b, p + 1, b, p + 2, size);
            end++;
        }
        Writer.putCount(b, p, size);
        return end;
    }

    /** Writes the batch at {@code p} and returns whether all of it was ASCII; if not, the written bytes are invalid. */
    boolean put(byte[] b, int p) {
        if (target != b) {
            target = b;
            out = ByteBuffer.wrap(b);
        }
        in.limit(used).position(0);
        out.limit(p + used).position(p);
        encoder.reset();
        encoder.encode(in, out, true);
        return out.position() == p + used && Utf8.isAscii(b, p, used);
    }
}
