package creo.runtime.internal.text;

/**
 * Writes numbers as text without allocating: integers in decimal, floating-point numbers with the shortest digits that round-trip (XML-11), by
 * Giulietti's Schubfach.
 */
public final class NumberWriter {
    /** The max size of a number. */
    public static final int LONGEST = 32;

    private static final byte[] PAIRS = new byte[200];
    private static final byte[] NAN = {'N', 'a', 'N'};
    private static final byte[] INF = {'I', 'N', 'F'};
    private static final byte[] LEAST_LONG = "-9223372036854775808".getBytes(java.nio.charset.StandardCharsets.US_ASCII);

    static {
        for (int i = 0; i < 100; i++) {
            PAIRS[2 * i] = (byte) ('0' + i / 10);
            PAIRS[2 * i + 1] = (byte) ('0' + i % 10);
        }
    }

    private NumberWriter() {}

    /** Writes a number at {@code p}; returns the index after it. */
    public static int put(byte[] b, int p, int v) {
        if (v < 0) {
            if (v == Integer.MIN_VALUE) {
                return put(b, p, (long) v);
            }
            b[p++] = '-';
            v = -v;
        }
        int end = p + digits(v);
        int q = end;
        while (v >= 100) {
            int rest = v / 100;
            int pair = 2 * (v - rest * 100);
            b[--q] = PAIRS[pair + 1];
            b[--q] = PAIRS[pair];
            v = rest;
        }
        if (v >= 10) {
            b[--q] = PAIRS[2 * v + 1];
            b[--q] = PAIRS[2 * v];
        } else {
            b[--q] = (byte) ('0' + v);
        }
        return end;
    }

    private static int digits(int v) {
        return v < 10 ? 1 : v < 100 ? 2 : v < 1_000 ? 3 : v < 10_000 ? 4 : v < 100_000 ? 5 : v < 1_000_000 ? 6 : v < 10_000_000 ? 7
            : v < 100_000_000 ? 8 : v < 1_000_000_000 ? 9 : 10;
    }

    /** Writes a number at {@code p}; returns the index after it. */
    public static int put(byte[] b, int p, long v) {
        if (v == (int) v && v != Integer.MIN_VALUE) {
            return put(b, p, (int) v);
        }
        if (v < 0) {
            if (v == Long.MIN_VALUE) {
                System.arraycopy(LEAST_LONG, 0, b, p, LEAST_LONG.length);
                return p + LEAST_LONG.length;
            }
            b[p++] = '-';
            v = -v;
        }
        return putUnsigned(b, p, v);
    }

    private static int putUnsigned(byte[] b, int p, long v) {
        int end = p + digits(v);
        int q = end;
        while (v >= 100) {
            long rest = v / 100;
            int pair = 2 * (int) (v - rest * 100);
            b[--q] = PAIRS[pair + 1];
            b[--q] = PAIRS[pair];
            v = rest;
        }
        if (v >= 10) {
            b[--q] = PAIRS[2 * (int) v + 1];
            b[--q] = PAIRS[2 * (int) v];
        } else {
            b[--q] = (byte) ('0' + v);
        }
        return end;
    }

    private static int digits(long v) {
        if (v < 1_000_000_000) {
            return digits((int) v);
        }
        int n = 10;
        for (long least = 10_000_000_000L; n < 19 && v >= least; least *= 10) {
            n++;
        }
        return n;
    }

    /** Writes two digits. */
    static int putPair(byte[] b, int p, int v) {
        b[p] = PAIRS[2 * v];
        b[p + 1] = PAIRS[2 * v + 1];
        return p + 2;
    }

    /** Writes three digits. */
    static int putTriple(byte[] b, int p, int v) {
        int hundreds = v / 100;
        b[p] = (byte) ('0' + hundreds);
        return putPair(b, p + 1, v - 100 * hundreds);
    }

    /** Writes digits with a point before the last {@code scale} of them, and leading zeros as needed. */
    public static int putScaled(byte[] b, int p, long digits, int scale) {
        if (digits < 0) {
            b[p++] = '-';
            digits = -digits;
        }
        if (scale == 0) {
            return putUnsigned(b, p, digits);
        }
        int n = digits(digits);
        if (n > scale) {
            int end = putUnsigned(b, p, digits);
            int point = end - scale;
            for (int i = end; i > point; i--) {
                b[i] = b[i - 1];
            }
            b[point] = '.';
            return end + 1;
        }
        b[p++] = '0';
        b[p++] = '.';
        for (int i = n; i < scale; i++) {
            b[p++] = '0';
        }
        return putUnsigned(b, p, digits);
    }

    public static int put(byte[] b, int p, double v) {
        long bits = Double.doubleToRawLongBits(v);
        int exponent = (int) (bits >>> 52) & 0x7ff;
        long fraction = bits & 0xf_ffff_ffff_ffffL;
        if (exponent == 0x7ff) {
            return putSpecial(b, p, bits < 0, fraction != 0);
        }
        if (bits < 0) {
            b[p++] = '-';
        }
        if (exponent == 0) {
            return fraction == 0 ? zero(b, p) : shortest(b, p, fraction, -1_074, false);
        }
        long c = fraction | 0x10_0000_0000_0000L;
        int q = exponent - 1_075;
        if (q <= 0 && q > -53 && (c & (1L << -q) - 1) == 0) {
            return layOut(b, p, c >>> -q, 0);
        }
        // A decimal of up to fifteen digits that round-trips is the only one of that length, and so the shortest.
        double size = Math.abs(v);
        if (size < 1e11 && size >= 1e-3) {
            long thousandths = (long) (size * 1e3 + 0.5);
            if (thousandths / 1e3 == size) {
                return layOut(b, p, thousandths, -3);
            }
            if (size < 1e8) {
                long millionths = (long) (size * 1e6 + 0.5);
                if (millionths / 1e6 == size) {
                    return layOut(b, p, millionths, -6);
                }
            }
        }
        return shortest(b, p, c, q, fraction == 0 && exponent > 1);
    }

    public static int put(byte[] b, int p, float v) {
        int bits = Float.floatToRawIntBits(v);
        int exponent = bits >>> 23 & 0xff;
        int fraction = bits & 0x7f_ffff;
        if (exponent == 0xff) {
            return putSpecial(b, p, bits < 0, fraction != 0);
        }
        if (bits < 0) {
            b[p++] = '-';
        }
        if (exponent == 0) {
            return fraction == 0 ? zero(b, p) : shortest(b, p, fraction, -149, false);
        }
        int c = fraction | 0x80_0000;
        int q = exponent - 150;
        if (q <= 0 && q > -24 && (c & (1 << -q) - 1) == 0) {
            return layOut(b, p, c >>> -q, 0);
        }
        return shortest(b, p, c, q, fraction == 0 && exponent > 1);
    }

    private static int zero(byte[] b, int p) {
        b[p] = '0';
        return p + 1;
    }

    private static int putSpecial(byte[] b, int p, boolean negative, boolean nan) {
        byte[] text = nan ? NAN : INF;
        if (negative && !nan) {
            b[p++] = '-';
        }
        System.arraycopy(text, 0, b, p, text.length);
        return p + text.length;
    }

    /** Writes the number c * 2^q, c > 0: the shortest decimal that is closer to it than to its neighbours. */
    private static int shortest(byte[] b, int p, long c, int q, boolean closerBelow) {
        int odd = (int) (c & 1);
        int k = q * 1_262_611 - (closerBelow ? 524_031 : 0) >> 22;
        int h = q + (-k * 1_741_647 >> 19) + 1;
        long high = Powers.high(-k);
        long low = Powers.low(-k) + (Powers.isExact(-k) ? 0 : 1);
        long below = roundToOdd(high, low, 4 * c - (closerBelow ? 1 : 2) << h) + odd;
        long value = roundToOdd(high, low, 4 * c << h);
        long above = roundToOdd(high, low, 4 * c + 2 << h) - odd;
        long s = value >>> 2;
        if (s >= 10) {
            long tens = s / 10;
            boolean down = below <= 40 * tens;
            boolean up = 40 * tens + 40 <= above;
            if (down != up) {
                return layOut(b, p, up ? tens + 1 : tens, k + 1);
            }
        }
        boolean down = below <= 4 * s;
        boolean up = 4 * s + 4 <= above;
        if (down != up) {
            return layOut(b, p, up ? s + 1 : s, k);
        }
        long middle = 4 * s + 2;
        boolean round = value > middle || value == middle && (s & 1) != 0;
        return layOut(b, p, round ? s + 1 : s, k);
    }

    private static long roundToOdd(long high, long low, long c) {
        long x1 = Powers.multiplyHigh(low, c);
        long y0 = high * c;
        long y1 = Powers.multiplyHigh(high, c);
        long sum = y0 + x1;
        if (Long.compareUnsigned(sum, y0) < 0) {
            y1++;
        }
        return y1 | (Long.compareUnsigned(sum, 1) > 0 ? 1 : 0);
    }

    /** Writes digits * 10^k in the form of ECMAScript's Number::toString. */
    private static int layOut(byte[] b, int p, long digits, int k) {
        if (digits >= 100_000_000 && digits % 100_000_000 == 0) {
            digits /= 100_000_000;
            k += 8;
        }
        for (long tenth = digits / 10; digits >= 10 && tenth * 10 == digits; tenth = digits / 10) {
            digits = tenth;
            k++;
        }
        int n = digits(digits);
        int point = n + k;
        if (k < 0 && k >= -18 && point > -6) {
            return putScaled(b, p, digits, -k);
        }
        if (k >= 0 && point <= 21) {
            p = putUnsigned(b, p, digits);
            for (int i = 0; i < k; i++) {
                b[p++] = '0';
            }
            return p;
        }
        if (point > 0 && point <= 21) {
            int end = putUnsigned(b, p, digits);
            System.arraycopy(b, p + point, b, p + point + 1, n - point);
            b[p + point] = '.';
            return end + 1;
        }
        if (point > -6 && point <= 0) {
            b[p++] = '0';
            b[p++] = '.';
            for (int i = point; i < 0; i++) {
                b[p++] = '0';
            }
            return putUnsigned(b, p, digits);
        }
        int end = putUnsigned(b, p, digits);
        if (n > 1) {
            System.arraycopy(b, p + 1, b, p + 2, n - 1);
            b[p + 1] = '.';
            end++;
        }
        b[end++] = 'e';
        b[end++] = (byte) (point > 0 ? '+' : '-');
        return put(b, end, Math.abs(point - 1));
    }
}
