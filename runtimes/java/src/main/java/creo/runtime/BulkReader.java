package creo.runtime;

import java.util.Arrays;

/** Reads arrays of primitives of the binary wire, which are moved in bulk (BIN-7). */
final class BulkReader {
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
                throw e.item(i + (int) (r.resolve(e).offset() - r.base()) - p);
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
}
