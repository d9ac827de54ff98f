package creo.runtime.codegen;

import creo.runtime.CreoException;
import creo.runtime.internal.buffer.Failures;
import creo.runtime.internal.buffer.Utf8;
import java.util.Arrays;
import java.util.List;

/** Reads data in bulk: arrays of primitives (BIN-7), long strings, and arrays of strings. Runs of short ASCII strings are checked together. */
final class BulkReader {
    /** Bytes of strings that are checked together. */
    private static final int LOOK = 512;
    /** For each string of an array (LIM-18). */
    private static final int STRING_CHARGE = 8 + 32;

    private BulkReader() {}

    static boolean[] readBooleans(Reader r) {
        int n = r.readCount(1, 0);
        boolean[] a = new boolean[r.expected(n, 1, 0)];
        for (int i = 0, k; i < n; i += k) {
            a = i == a.length ? Arrays.copyOf(a, r.expected(n, 1, i)) : a;
            k = r.window(1, a.length - i, null);
            int p = r.advance(k);
            try {
                Bytes.getBooleans(r.buf, p, a, i, k);
            } catch (CreoException e) {
                throw e.item(i + (int) (r.resolve(e).offset() - r.base) - p);
            }
        }
        return a;
    }

    static short[] readShorts(Reader r) {
        int n = r.readCount(2, 0);
        short[] a = new short[r.expected(n, 2, 0)];
        for (int i = 0, k; i < n; i += k) {
            a = i == a.length ? Arrays.copyOf(a, r.expected(n, 2, i)) : a;
            k = r.window(2, a.length - i, null);
            Bytes.getShorts(r.buf, r.advance(2 * k), a, i, k);
        }
        return a;
    }

    static char[] readChars(Reader r) {
        int n = r.readCount(2, 0);
        char[] a = new char[r.expected(n, 2, 0)];
        for (int i = 0, k; i < n; i += k) {
            a = i == a.length ? Arrays.copyOf(a, r.expected(n, 2, i)) : a;
            k = r.window(2, a.length - i, null);
            Bytes.getChars(r.buf, r.advance(2 * k), a, i, k);
        }
        return a;
    }

    static int[] readInts(Reader r) {
        int n = r.readCount(4, 0);
        int[] a = new int[r.expected(n, 4, 0)];
        for (int i = 0, k; i < n; i += k) {
            a = i == a.length ? Arrays.copyOf(a, r.expected(n, 4, i)) : a;
            k = r.window(4, a.length - i, null);
            Bytes.getInts(r.buf, r.advance(4 * k), a, i, k);
        }
        return a;
    }

    static long[] readLongs(Reader r) {
        int n = r.readCount(8, 0);
        long[] a = new long[r.expected(n, 8, 0)];
        for (int i = 0, k; i < n; i += k) {
            a = i == a.length ? Arrays.copyOf(a, r.expected(n, 8, i)) : a;
            k = r.window(8, a.length - i, null);
            Bytes.getLongs(r.buf, r.advance(8 * k), a, i, k);
        }
        return a;
    }

    static float[] readFloats(Reader r) {
        int n = r.readCount(4, 0);
        float[] a = new float[r.expected(n, 4, 0)];
        for (int i = 0, k; i < n; i += k) {
            a = i == a.length ? Arrays.copyOf(a, r.expected(n, 4, i)) : a;
            k = r.window(4, a.length - i, null);
            Bytes.getFloats(r.buf, r.advance(4 * k), a, i, k);
        }
        return a;
    }

    static double[] readDoubles(Reader r) {
        int n = r.readCount(8, 0);
        double[] a = new double[r.expected(n, 8, 0)];
        for (int i = 0, k; i < n; i += k) {
            a = i == a.length ? Arrays.copyOf(a, r.expected(n, 8, i)) : a;
            k = r.window(8, a.length - i, null);
            Bytes.getDoubles(r.buf, r.advance(8 * k), a, i, k);
        }
        return a;
    }

    /** Reads a string of {@code n} bytes that is only partly in the window. */
    static String readLongString(Reader r, int n) {
        if (n <= Reader.PIECE) {
            int p = r.fill(n, null);
            r.pos = p + n;
            try {
                return Utf8.decode(r.buf, p, n);
            } catch (CreoException e) {
                throw r.resolve(e);
            }
        }
        long start = r.offset();
        byte[] bytes = r.readBytes(n);
        try {
            return Utf8.decode(bytes, 0, n);
        } catch (CreoException e) {
            throw Failures.resolve(e, start);
        }
    }

    static List<String> readStrings(Reader r) {
        int n = r.readCount(1, STRING_CHARGE);
        Object[] items = r.items(n);
        int i = 0;
        while (i < n) {
            if (i == items.length) {
                items = r.moreItems(items, n);
            }
            i = readShort(r, items, i);
            if (i < items.length) {
                try {
                    items[i] = r.readString();
                } catch (CreoException e) {
                    throw e.item(i);
                }
                i++;
            }
        }
        return Lists.frozen(items, n);
    }

    /** Reads strings as long as they are short and in the window; returns the index of the first other one. */
    private static int readShort(Reader r, Object[] items, int i) {
        byte[] b = r.buf;
        int p = r.pos;
        int end = r.limit;
        int most = items.length;
        // The first byte that is not ASCII, if any, is before it.
        int mixed = p;
        while (i < most && p < end) {
            // Counts of short strings are ASCII themselves, so one check covers several strings.
            int ahead = Math.min(end, p + LOOK);
            if (p >= mixed) {
                if (Utf8.isAscii(b, p, ahead - p)) {
                    int before = i;
                    i = readAscii(r, items, i, b, p, ahead);
                    p = r.pos;
                    if (i > before) {
                        continue;
                    }
                }
                mixed = ahead;
            }
            int n = b[p];
            if (n < 0 || n > end - p - 1) {
                break;
            }
            try {
                items[i] = Utf8.decode(b, p + 1, n);
            } catch (CreoException e) {
                throw r.resolve(e).item(i);
            }
            i++;
            p += n + 1;
            r.pos = p;
        }
        return i;
    }

    /** Reads the strings before {@code end}, where all bytes are ASCII; returns the index of the first string beyond. */
    @SuppressWarnings("deprecation") // As in Utf8.decode.
    private static int readAscii(Reader r, Object[] items, int i, byte[] b, int p, int end) {
        for (int most = items.length; i < most && p < end; i++) {
            int n = b[p];
            int next = p + 1 + n;
            if (next > end) {
                break;
            }
            items[i] = new String(b, 0, p + 1, n);
            p = next;
        }
        r.pos = p;
        return i;
    }
}
