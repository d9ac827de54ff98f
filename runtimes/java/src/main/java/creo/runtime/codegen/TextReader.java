package creo.runtime.codegen;

import creo.runtime.CreoException;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.Arrays;
import java.util.Map;

/**
 * Reads values from a text wire. Generated code asks which field comes next and then for a value of its type; the wire defines the form. The reader
 * derives the paths of errors from these calls.
 */
public abstract class TextReader {
    /** Empty arrays, for absent fields. */
    public static final boolean[] NO_BOOLEANS = {};
    public static final short[] NO_SHORTS = {};
    public static final char[] NO_CHARS = {};
    public static final int[] NO_INTS = {};
    public static final long[] NO_LONGS = {};
    public static final float[] NO_FLOATS = {};
    public static final double[] NO_DOUBLES = {};
    public static final byte[] NO_BYTES = {};

    protected TextReader() {}

    /** Begins the record at the reader's position. */
    public abstract void begin(TextRecord r);

    /** The index of the field whose value comes next, or -1 at the end of the record; {@code likely} is the prediction. */
    public abstract int next(int likely);

    /** Ends the record and checks that no required field is absent. */
    public abstract void end(TextRecord r);

    /** Whether a required struct is absent where the wire allows it: its value is then read as one without fields. */
    public abstract boolean lacks(int field);

    /** Whether the value is null. */
    public abstract boolean nil();

    /** Begins a union; returns the index of its member, whose value comes next. */
    public abstract int member(TextUnion u);

    public abstract void endUnion(TextUnion u);

    public abstract void beginItems();

    /** Whether another item follows. */
    public abstract boolean nextItem();

    public abstract void beginEntries();

    /** Whether another entry follows: a record whose field 0 is the key and field 1 the value. */
    public abstract boolean nextEntry();

    /** Ends an entry. */
    public abstract void endEntry();

    /** The error for a duplicate key. */
    public abstract CreoException duplicateKey();

    public abstract boolean readBoolean();

    public abstract byte readByte();

    public abstract short readShort();

    public abstract char readChar();

    public abstract int readInt();

    public abstract long readLong();

    public abstract float readFloat();

    public abstract double readDouble();

    public abstract String readString();

    public abstract Instant readInstant();

    public abstract BigDecimal readDecimal();

    public abstract byte[] readBytes();

    /** The number of a constant. */
    public abstract int readEnum(TextEnum e);

    /** A complete element as text. */
    public abstract String readRaw();

    public abstract Map<String, String> readAttributes();

    public boolean[] readBooleans() {
        beginItems();
        boolean[] v = NO_BOOLEANS;
        int n = 0;
        while (nextItem()) {
            if (n == v.length) {
                v = Arrays.copyOf(v, more(n));
            }
            v[n++] = readBoolean();
        }
        return Arrays.copyOf(v, n);
    }

    public short[] readShorts() {
        beginItems();
        short[] v = NO_SHORTS;
        int n = 0;
        while (nextItem()) {
            if (n == v.length) {
                v = Arrays.copyOf(v, more(n));
            }
            v[n++] = readShort();
        }
        return Arrays.copyOf(v, n);
    }

    public char[] readChars() {
        beginItems();
        char[] v = NO_CHARS;
        int n = 0;
        while (nextItem()) {
            if (n == v.length) {
                v = Arrays.copyOf(v, more(n));
            }
            v[n++] = readChar();
        }
        return Arrays.copyOf(v, n);
    }

    public int[] readInts() {
        beginItems();
        int[] v = NO_INTS;
        int n = 0;
        while (nextItem()) {
            if (n == v.length) {
                v = Arrays.copyOf(v, more(n));
            }
            v[n++] = readInt();
        }
        return Arrays.copyOf(v, n);
    }

    public long[] readLongs() {
        beginItems();
        long[] v = NO_LONGS;
        int n = 0;
        while (nextItem()) {
            if (n == v.length) {
                v = Arrays.copyOf(v, more(n));
            }
            v[n++] = readLong();
        }
        return Arrays.copyOf(v, n);
    }

    public float[] readFloats() {
        beginItems();
        float[] v = NO_FLOATS;
        int n = 0;
        while (nextItem()) {
            if (n == v.length) {
                v = Arrays.copyOf(v, more(n));
            }
            v[n++] = readFloat();
        }
        return Arrays.copyOf(v, n);
    }

    public double[] readDoubles() {
        beginItems();
        double[] v = NO_DOUBLES;
        int n = 0;
        while (nextItem()) {
            if (n == v.length) {
                v = Arrays.copyOf(v, more(n));
            }
            v[n++] = readDouble();
        }
        return Arrays.copyOf(v, n);
    }

    /** A longer array with the same items. */
    public static Object[] grown(Object[] items) {
        return Arrays.copyOf(items, more(items.length));
    }

    public static int more(int n) {
        return n < 8 ? 8 : n + (n >> 1);
    }
}
