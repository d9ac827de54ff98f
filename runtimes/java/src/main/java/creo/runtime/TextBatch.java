package creo.runtime;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetEncoder;
import java.nio.charset.StandardCharsets;

/**
 * Turns many short strings, or a long one, into bytes at once, as long as they are ASCII.
 *
 * <p>The characters are gathered by {@link String#getChars} and narrowed by the encoder of ISO 8859-1: both are intrinsic in the JDK, and
 * the encoder stops at a character that does not fit into a byte. So nothing is ever lost, unlike with the string's own copy of low bytes,
 * and a string costs half of what a loop over its characters does.
 */
final class TextBatch {
    /** The longest count that is one byte, and so an ASCII character among the others. */
    static final int LONGEST_SHORT = 127;
    private static final int CAPACITY = 2_048;

    private final char[] chars = new char[CAPACITY];
    private final CharBuffer in = CharBuffer.wrap(chars);
    private final CharsetEncoder encoder = StandardCharsets.ISO_8859_1.newEncoder();
    private byte[] target;
    private ByteBuffer out;
    private int used;

    boolean isEmpty() {
        return used == 0;
    }

    /** The bytes that the batch will be. */
    int size() {
        return used;
    }

    void clear() {
        used = 0;
    }

    /** Takes a string of at most {@link #LONGEST_SHORT} characters, with its count; false if the batch is full. */
    boolean add(String s, int n) {
        int at = used;
        if (n >= CAPACITY - at) {
            return false;
        }
        chars[at] = (char) n;
        s.getChars(0, n, chars, at + 1);
        used = at + n + 1;
        return true;
    }

    /** Takes the next characters of a long string, without a count; returns the index of the first that it did not take. */
    int add(String s, int from, int n) {
        int to = Math.min(n, from + CAPACITY);
        s.getChars(from, to, chars, 0);
        used = to - from;
        return to;
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
