package creo.runtime.codegen;

import creo.runtime.CreoException;
import creo.runtime.internal.buffer.Failures;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Instant;

/**
 * Fixed-size values at an index of a byte array, in network byte order. For generated code, which has checked that a whole block of fields is
 * available. An index outside the array still fails and never touches other memory.
 */
public final class Bytes {
    private static final VarHandle SHORT = view(short[].class);
    private static final VarHandle CHAR = view(char[].class);
    private static final VarHandle INT = view(int[].class);
    private static final VarHandle LONG = view(long[].class);

    public static final long FIRST_SECOND = -62_135_596_800L;
    public static final long LAST_SECOND = 253_402_300_799L;

    private Bytes() {}

    private static VarHandle view(Class<?> array) {
        return MethodHandles.byteArrayViewVarHandle(array, ByteOrder.BIG_ENDIAN);
    }

    public static boolean getBoolean(byte[] b, int p) {
        byte v = b[p];
        if ((v & ~1) != 0) {
            throw Failures.malformedInWindow(p, "a boolean of " + (v & 0xff));
        }
        return v != 0;
    }

    public static short getShort(byte[] b, int p) {
        return (short) SHORT.get(b, p);
    }

    public static char getChar(byte[] b, int p) {
        return (char) CHAR.get(b, p);
    }

    public static int getInt(byte[] b, int p) {
        return (int) INT.get(b, p);
    }

    public static long getLong(byte[] b, int p) {
        return (long) LONG.get(b, p);
    }

    public static float getFloat(byte[] b, int p) {
        return Float.intBitsToFloat((int) INT.get(b, p));
    }

    public static double getDouble(byte[] b, int p) {
        return Double.longBitsToDouble((long) LONG.get(b, p));
    }

    public static Instant getInstant(byte[] b, int p) {
        long seconds = getLong(b, p);
        int nanos = getInt(b, p + 8);
        if (seconds < FIRST_SECOND || seconds > LAST_SECOND) {
            throw Failures.malformedInWindow(p, "a DateTime of " + seconds + " seconds");
        }
        if (nanos < 0 || nanos > 999_999_999) {
            throw Failures.malformedInWindow(p + 8, "a DateTime of " + (nanos & 0xffff_ffffL) + " nanoseconds");
        }
        return Instant.ofEpochSecond(seconds, nanos);
    }

    public static void putBoolean(byte[] b, int p, boolean v) {
        b[p] = (byte) (v ? 1 : 0);
    }

    public static void putShort(byte[] b, int p, short v) {
        SHORT.set(b, p, v);
    }

    public static void putChar(byte[] b, int p, char v) {
        CHAR.set(b, p, v);
    }

    public static void putInt(byte[] b, int p, int v) {
        INT.set(b, p, v);
    }

    public static void putLong(byte[] b, int p, long v) {
        LONG.set(b, p, v);
    }

    public static void putFloat(byte[] b, int p, float v) {
        INT.set(b, p, Float.floatToRawIntBits(v));
    }

    public static void putDouble(byte[] b, int p, double v) {
        LONG.set(b, p, Double.doubleToRawLongBits(v));
    }

    public static void putInstant(byte[] b, int p, Instant v) {
        if (v == null) {
            throw CreoException.missing();
        }
        long seconds = v.getEpochSecond();
        if (seconds < FIRST_SECOND || seconds > LAST_SECOND) {
            throw CreoException.invalid("a DateTime outside of the years 1 to 9999");
        }
        putLong(b, p, seconds);
        putInt(b, p + 8, v.getNano());
    }

    /** The number of an enum in one byte; the caller checks whether it is known. */
    public static int getNumber(byte[] b, int p) {
        return b[p] & 0xff;
    }

    /** The error for the byte at an index that is not the number of a constant of the enum. */
    public static CreoException unknownNumber(byte[] b, int p, String type) {
        return Failures.malformedInWindow(p, "no constant of " + type + " has the number " + (b[p] & 0xff));
    }

    static void getBooleans(byte[] b, int p, boolean[] a, int i, int n) {
        for (int k = 0; k < n; k++) {
            a[i + k] = getBoolean(b, p + k);
        }
    }

    static void putBooleans(byte[] b, int p, boolean[] a, int i, int n) {
        for (int k = 0; k < n; k++) {
            b[p + k] = (byte) (a[i + k] ? 1 : 0);
        }
    }

    static void getShorts(byte[] b, int p, short[] a, int i, int n) {
        ByteBuffer.wrap(b, p, n * 2).asShortBuffer().get(a, i, n);
    }

    static void putShorts(byte[] b, int p, short[] a, int i, int n) {
        ByteBuffer.wrap(b, p, n * 2).asShortBuffer().put(a, i, n);
    }

    static void getChars(byte[] b, int p, char[] a, int i, int n) {
        ByteBuffer.wrap(b, p, n * 2).asCharBuffer().get(a, i, n);
    }

    static void putChars(byte[] b, int p, char[] a, int i, int n) {
        ByteBuffer.wrap(b, p, n * 2).asCharBuffer().put(a, i, n);
    }

    static void getInts(byte[] b, int p, int[] a, int i, int n) {
        ByteBuffer.wrap(b, p, n * 4).asIntBuffer().get(a, i, n);
    }

    static void putInts(byte[] b, int p, int[] a, int i, int n) {
        ByteBuffer.wrap(b, p, n * 4).asIntBuffer().put(a, i, n);
    }

    static void getLongs(byte[] b, int p, long[] a, int i, int n) {
        ByteBuffer.wrap(b, p, n * 8).asLongBuffer().get(a, i, n);
    }

    static void putLongs(byte[] b, int p, long[] a, int i, int n) {
        ByteBuffer.wrap(b, p, n * 8).asLongBuffer().put(a, i, n);
    }

    static void getFloats(byte[] b, int p, float[] a, int i, int n) {
        ByteBuffer.wrap(b, p, n * 4).asFloatBuffer().get(a, i, n);
    }

    static void putFloats(byte[] b, int p, float[] a, int i, int n) {
        ByteBuffer.wrap(b, p, n * 4).asFloatBuffer().put(a, i, n);
    }

    static void getDoubles(byte[] b, int p, double[] a, int i, int n) {
        ByteBuffer.wrap(b, p, n * 8).asDoubleBuffer().get(a, i, n);
    }

    static void putDoubles(byte[] b, int p, double[] a, int i, int n) {
        ByteBuffer.wrap(b, p, n * 8).asDoubleBuffer().put(a, i, n);
    }

    /** How many bytes a count takes on the binary wire. */
    public static int countSize(int n) {
        return n < 0x80 ? 1 : n < 0x4000 ? 2 : n < 0x20_0000 ? 3 : n < 0x1000_0000 ? 4 : 5;
    }
}
