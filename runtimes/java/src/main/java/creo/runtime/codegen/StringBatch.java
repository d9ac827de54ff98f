package creo.runtime.codegen;

import creo.runtime.internal.buffer.Utf8;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Turns many short strings, or a long one, into bytes at once, as long as they are ASCII.
 *
 * <p>The characters are gathered by {@link String#getChars} and narrowed by the encoder of ISO 8859-1: both are intrinsic in the JDK, and
 * the encoder stops at a character that does not fit into a byte. So nothing is ever lost, unlike with the string's own copy of low bytes,
 * and a string costs half of what a loop over its characters does.
 */
final class StringBatch {
    /** The longest count that is one byte, and so an ASCII character among the others. */
    static final int LONGEST_SHORT = 127;
    private static final int CAPACITY = 2_048;

    private final char[] chars = new char[CAPACITY];
    private final CharBuffer in = CharBuffer.wrap(chars);
    private final CharsetEncoder encoder = StandardCharsets.ISO_8859_1.newEncoder();
    private byte[] target;
    private ByteBuffer out;
    private int used;
    /** Where the next string begins that {@link #putNext} writes. */
    private int next;

    /** The bytes that the batch will be. */
    int size() {
        return used;
    }

    /** Takes strings with their counts, from an index of the list on, while they are short and there is room; returns the index of the first not taken. */
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

    /** Takes the next characters of a long string, without a count; returns the index of the first that it did not take. */
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

    /** The most bytes that the next string can take, with its count. */
    int mostBytes() {
        return 2 + 3 * chars[next];
    }

    boolean hasNext() {
        return next < used;
    }

    /** Writes the next string of the batch at {@code p}, whatever its characters are; returns the index behind it. */
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

    /** Writes the batch at {@code p}, and says whether all of it was ASCII; if not, what is written there means nothing. */
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
