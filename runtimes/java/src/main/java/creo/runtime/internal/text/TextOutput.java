package creo.runtime.internal.text;

import creo.runtime.CreoException;
import creo.runtime.ErrorCode;
import creo.runtime.Limits;
import creo.runtime.codegen.TextField;
import creo.runtime.codegen.TextWriter;
import creo.runtime.internal.buffer.Failures;
import creo.runtime.internal.buffer.Utf8;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;

/** Shared by the writers of all text wires: a reusable buffer that grows within the limits, and the path of the current value. */
public abstract class TextOutput extends TextWriter {
    public static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
    /** Smaller byte strings are not made MIME parts. */
    public static final int MIN_PART = 1_024;
    private static final int LEAST = 4_096;
    /** The room kept free after each value, for writing whole longs. */
    public static final int SLACK = 64;
    /** Longer strings are copied as bytes, as long as they need no escapes. */
    public static final int SHORT = 32;
    private static final byte[] HEX = "0123456789ABCDEF".getBytes(StandardCharsets.US_ASCII);

    public Limits limits = Limits.DEFAULT;
    public byte[] buf = new byte[LEAST];
    public int pos;

    /** The path: the fields from the outermost one, each with the index of the current item or entry. */
    public TextField[] path = new TextField[16];
    public int[] index = new int[16];
    public byte[] kind = new byte[16];
    public int depth;
    public static final byte PLAIN = 0;
    public static final byte ITEM = 1;
    public static final byte KEY = 2;
    public static final byte VALUE = 3;

    private int level;
    /** The field of an error, if it is not on the path. */
    private TextField failed;

    /** Starts a new text. */
    public void reset(Limits limits) {
        this.limits = limits;
        pos = 0;
        depth = 0;
        level = 0;
        failed = null;
        if (buf.length > 1 << 20) {
            buf = new byte[LEAST];
        }
    }

    /** Releases what it wrote. */
    public final void forget() {
        Arrays.fill(path, null);
    }

    public final void push(TextField f, byte what) {
        if (depth == path.length) {
            path = Arrays.copyOf(path, 2 * depth);
            index = Arrays.copyOf(index, 2 * depth);
            kind = Arrays.copyOf(kind, 2 * depth);
        }
        path[depth] = f;
        index[depth] = 0;
        kind[depth++] = what;
    }

    /** Adds the writer's path to an error. */
    public final CreoException locate(CreoException e) {
        if (e.code() != ErrorCode.INVALID_VALUE && e.code() != ErrorCode.TOO_LARGE) {
            return e;
        }
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < depth; i++) {
            if (path[i].name != null) {
                text.append('.').append(path[i].name);
            }
            switch (kind[i]) {
                case ITEM -> text.append('[').append(index[i]).append(']');
                case KEY -> text.append('{').append(index[i]).append("}.key");
                case VALUE -> text.append('{').append(index[i]).append("}.value");
                default -> { }
            }
        }
        if (failed != null && failed.name != null) {
            text.append('.').append(failed.name);
        }
        return Failures.within(Failures.placed(e), text.toString());
    }

    public final CreoException failed(TextField f, CreoException e) {
        failed = f;
        return e;
    }

    @Override
    public final CreoException missing(TextField f) {
        return failed(f, CreoException.missing());
    }

    public final void enter() {
        if (++level > limits.maxDepth()) {
            throw CreoException.tooLarge("maxDepth", limits.maxDepth(), "a value that is nested too deeply");
        }
    }

    public final void leave() {
        level--;
    }

    /** Makes room for {@code n} bytes plus slack. */
    public final void room(int n) {
        if (buf.length - pos - SLACK < n) {
            grow(n);
        }
    }

    public final void grow(int n) {
        long need = (long) pos + n;
        if (need > limits.maxMessageSize() + SLACK && pos > limits.maxMessageSize() - n) {
            checkSize(need);
        }
        long size = Math.max(need + SLACK, Math.min(2L * buf.length, limits.maxMessageSize() + 2L * SLACK));
        if (size > Integer.MAX_VALUE - 16) {
            throw CreoException.tooLarge("maxMessageSize", limits.maxMessageSize(), "a message of " + need + " bytes");
        }
        buf = Arrays.copyOf(buf, (int) size);
    }

    public final void checkSize(long size) {
        if (size > limits.maxMessageSize()) {
            throw CreoException.tooLarge("maxMessageSize", limits.maxMessageSize(), "a message of more than that many bytes");
        }
    }

    public final void put(byte[] bytes) {
        put(bytes, 0, bytes.length);
    }

    public final void put(byte[] bytes, int from, int n) {
        room(n);
        System.arraycopy(bytes, from, buf, pos, n);
        pos += n;
    }

    @SuppressWarnings("deprecation") public // Each character is one byte, which is right for ASCII.
    final void ascii(String s) {
        int n = s.length();
        room(n);
        s.getBytes(0, n, buf, pos);
        pos += n;
    }

    public final void base64(byte[] v) {
        long size = (v.length + 2L) / 3 * 4;
        if (size > Integer.MAX_VALUE - 1_024) {
            checkSize(Long.MAX_VALUE);
        }
        room((int) size);
        byte[] text = Base64.getEncoder().encode(v);
        System.arraycopy(text, 0, buf, pos, text.length);
        pos += text.length;
    }

    public final void hexadecimal(byte[] v) {
        if (v.length > Integer.MAX_VALUE / 2 - 1_024) {
            checkSize(Long.MAX_VALUE);
        }
        room(2 * v.length);
        for (byte each : v) {
            buf[pos++] = HEX[each >> 4 & 15];
            buf[pos++] = HEX[each & 15];
        }
    }

    /** The written bytes. */
    public final byte[] toBytes() {
        checkSize(pos);
        return Arrays.copyOf(buf, pos);
    }

    /** Writes the non-ASCII character at {@code i} of a string, a surrogate pair if it takes four bytes; returns the index after it. */
    public static int xmlCharacter(byte[] b, int p, String s, int i) {
        char c = s.charAt(i);
        if (c < 0x800) {
            b[p] = (byte) (0xc0 | c >> 6);
            b[p + 1] = (byte) (0x80 | c & 0x3f);
            return p + 2;
        }
        if (!Character.isSurrogate(c)) {
            if (c >= 0xfffe) {
                throw forbidden(c, i);
            }
            b[p] = (byte) (0xe0 | c >> 12);
            b[p + 1] = (byte) (0x80 | c >> 6 & 0x3f);
            b[p + 2] = (byte) (0x80 | c & 0x3f);
            return p + 3;
        }
        if (Character.isLowSurrogate(c) || i + 1 == s.length() || !Character.isLowSurrogate(s.charAt(i + 1))) {
            throw CreoException.invalid("a lone surrogate at character " + i + " of a string");
        }
        return Utf8.putPair(b, p, Character.toCodePoint(c, s.charAt(i + 1)));
    }

    /** The error for a character that XML does not allow (XML-12). */
    public static CreoException forbidden(char c, int i) {
        return CreoException.invalid(String.format("the character U+%04X at %d of a string: XML cannot hold it", (int) c, i));
    }
}
