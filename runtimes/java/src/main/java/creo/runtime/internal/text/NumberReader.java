package creo.runtime.internal.text;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;

/**
 * Converts decimal digits to the nearest floating-point number (XML-11) by the methods of Clinger and Lemire. The JDK handles the cases that they
 * leave undecided.
 */
public final class NumberReader {
    /** Marks a text that is not a number. */
    static final int WRONG = Integer.MIN_VALUE;

    /** The number of digits that always fit into a long. */
    private static final int MOST_DIGITS = 18;
    /** The number of digits that decide on which side of the middle of two floats a number is. */
    private static final int MOST_DECISIVE = 1_200;
    private static final double[] TENS = {1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
        1e20, 1e21, 1e22};

    private NumberReader() {}

    /** The double nearest to w * 10^q, 0 <= w < 10^18; NaN if this method cannot decide. */
    static double nearest(long w, int q) {
        if (w < 1L << 53 && q >= -22 && q <= 22) {
            return q < 0 ? w / TENS[-q] : w * TENS[q];
        }
        if (w == 0) {
            return 0;
        }
        if (q < Powers.LEAST || q > 308) {
            return Double.NaN;
        }
        int zeros = Long.numberOfLeadingZeros(w);
        w <<= zeros;
        long factor = Powers.high(q);
        long second = Powers.low(q);
        if (q < 0 && q >= -27) {
            second++;
        }
        long low = w * factor;
        long high = Powers.multiplyHigh(w, factor);
        if ((high & 0x1ff) == 0x1ff) {
            long more = Powers.multiplyHigh(w, second);
            low += more;
            if (Long.compareUnsigned(low, more) < 0) {
                high++;
            }
            if (low == -1 && (q < -27 || q > 55)) {
                return Double.NaN;
            }
        }
        int upper = (int) (high >>> 63);
        long mantissa = high >>> upper + 9;
        int exponent = (217_706 * q >> 16) + 63 + upper - zeros + 1_023;
        if (exponent <= 0 || exponent >= 0x7fe) {
            return Double.NaN;
        }
        if (Long.compareUnsigned(low, 1) <= 0 && q >= -4 && q <= 23 && (mantissa & 3) == 1 && mantissa << upper + 9 == high) {
            mantissa &= ~1L;
        }
        mantissa += mantissa & 1;
        mantissa >>>= 1;
        if (mantissa >= 2L << 52) {
            mantissa = 1L << 52;
            exponent++;
        }
        return Double.longBitsToDouble(mantissa & ~(1L << 52) | (long) exponent << 52);
    }

    /** The float nearest to w * 10^q; NaN if this method cannot decide. */
    static float nearestFloat(long w, int q) {
        double d = nearest(w, q);
        if (d == 0) {
            return w == 0 ? 0f : Float.NaN;
        }
        // Going through a double rounds twice, which matters only if the double is half way between two floats; subnormal floats have other halves.
        boolean half = (Double.doubleToRawLongBits(d) & 0x1fff_ffffL) == 0x1000_0000L;
        return half || d < Float.MIN_NORMAL || d > Float.MAX_VALUE ? Float.NaN : (float) d;
    }

    /** The number of a text without surrounding white space; null if it is invalid. */
    public static Double parseDouble(byte[] b, int from, int to) {
        Double special = special(b, from, to);
        if (special != null) {
            return special;
        }
        long[] parts = new long[2];
        int form = scan(b, from, to, parts);
        if (form == WRONG) {
            return null;
        }
        double d = form == 0 ? nearest(parts[0], (int) parts[1]) : Double.NaN;
        if (Double.isNaN(d)) {
            return Double.parseDouble(new String(b, from, to - from, StandardCharsets.US_ASCII));
        }
        return b[from] == '-' ? -d : d;
    }

    /** The number of a text without surrounding white space; null if it is invalid. */
    public static Float parseFloat(byte[] b, int from, int to) {
        Double special = special(b, from, to);
        if (special != null) {
            return special.floatValue();
        }
        long[] parts = new long[2];
        int form = scan(b, from, to, parts);
        if (form == WRONG) {
            return null;
        }
        float f = form == 0 ? nearestFloat(parts[0], (int) parts[1]) : Float.NaN;
        if (Float.isNaN(f)) {
            return exactFloat(new String(b, from, to - from, StandardCharsets.US_ASCII));
        }
        return b[from] == '-' ? -f : f;
    }

    /** The nearest float of a text of any length; the JDK's method rounds twice in some versions. */
    private static float exactFloat(String text) {
        double d = Double.parseDouble(text);
        float f = (float) d;
        if (d == f) {
            return f;
        }
        double half;
        float other;
        if (Float.isInfinite(f) || Math.abs(f) == Float.MAX_VALUE && Math.abs(d) > Float.MAX_VALUE) {
            half = Math.copySign(0x1.ffffffp127, d);
            other = Math.copySign(Float.isInfinite(f) ? Float.MAX_VALUE : Float.POSITIVE_INFINITY, f);
        } else {
            other = d > f ? Math.nextUp(f) : Math.nextDown(f);
            half = ((double) f + other) / 2;
        }
        if (d != half) {
            return f;
        }
        int order = decimal(text).compareTo(new BigDecimal(d));
        return order == 0 ? f : order > 0 ? Math.max(f, other) : Math.min(f, other);
    }

    /** The decimal of a text; of very many digits, the last ones only count as nonzero. */
    private static BigDecimal decimal(String text) {
        int e = Math.max(text.indexOf('e'), text.indexOf('E'));
        String digits = e < 0 ? text : text.substring(0, e);
        int point = digits.indexOf('.');
        if (digits.length() <= MOST_DECISIVE) {
            return new BigDecimal(text);
        }
        StringBuilder kept = new StringBuilder();
        int significant = 0;
        long scale = e < 0 ? 0 : Long.parseLong(text.substring(e + 1));
        boolean more = false;
        for (int i = 0; i < digits.length(); i++) {
            char c = digits.charAt(i);
            if (c == '.') {
                continue;
            }
            boolean fraction = point >= 0 && i > point;
            if (significant < MOST_DECISIVE) {
                significant += significant > 0 || c > '0' && c <= '9' ? 1 : 0;
                if (significant > 0 || c == '-') {
                    kept.append(c);
                }
                scale -= fraction ? 1 : 0;
            } else {
                more |= c != '0';
                scale += fraction ? 0 : 1;
            }
        }
        BigDecimal v = new BigDecimal(kept.append(more ? '1' : '0').toString());
        return v.scaleByPowerOfTen(Math.toIntExact(scale - 1));
    }

    private static Double special(byte[] b, int from, int to) {
        if (to - from == 3 && b[from] == 'N' && b[from + 1] == 'a' && b[from + 2] == 'N') {
            return Double.NaN;
        }
        int p = from < to && (b[from] == '-' || b[from] == '+') ? from + 1 : from;
        if (to - p == 3 && b[p] == 'I' && b[p + 1] == 'N' && b[p + 2] == 'F') {
            return b[from] == '-' ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY;
        }
        return null;
    }

    /** Checks the form of a number and finds its digits and exponent: returns 0 if these are complete, 1 if there are more digits. */
    private static int scan(byte[] b, int from, int to, long[] parts) {
        int p = from < to && (b[from] == '-' || b[from] == '+') ? from + 1 : from;
        long digits = 0;
        int count = 0;
        int read = 0;
        long point = 0;
        boolean fraction = false;
        for (; p < to; p++) {
            int d = b[p] - '0';
            if (d >= 0 && d <= 9) {
                read++;
                if (count > 0 || d > 0) {
                    count++;
                }
                if (count <= MOST_DIGITS) {
                    digits = digits * 10 + d;
                }
                point -= fraction ? 1 : 0;
            } else if (b[p] == '.' && !fraction) {
                fraction = true;
            } else {
                break;
            }
        }
        if (read == 0) {
            return WRONG;
        }
        long exponent = 0;
        if (p < to && (b[p] == 'e' || b[p] == 'E')) {
            p++;
            boolean negative = p < to && b[p] == '-';
            p += p < to && (b[p] == '-' || b[p] == '+') ? 1 : 0;
            if (p == to) {
                return WRONG;
            }
            for (; p < to && b[p] >= '0' && b[p] <= '9'; p++) {
                exponent = Math.min(exponent * 10 + b[p] - '0', 1_000_000_000_000L);
            }
            exponent = negative ? -exponent : exponent;
        }
        if (p < to) {
            return WRONG;
        }
        exponent += point;
        parts[0] = digits;
        parts[1] = exponent;
        return count <= MOST_DIGITS && exponent > -100_000 && exponent < 100_000 ? 0 : 1;
    }
}
