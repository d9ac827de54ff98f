package creo.runtime.internal.text;

import java.math.BigInteger;

/** Normalized 128-bit powers of ten, for converting numbers to digits and back. */
final class Powers {
    /** The exponents of the table: all that a double can need. */
    static final int LEAST = -342;
    static final int MOST = 324;

    private static final long[] HIGH = new long[MOST - LEAST + 1];
    private static final long[] LOW = new long[MOST - LEAST + 1];

    static {
        BigInteger ten = BigInteger.TEN;
        BigInteger power = BigInteger.ONE;
        for (int k = 0; k <= MOST; k++) {
            put(k, power.shiftLeft(128).shiftRight(power.bitLength()));
            if (k > 0 && k <= -LEAST) {
                // The reciprocal of the power, to 128 bits, rounded down.
                put(-k, BigInteger.ONE.shiftLeft(127 + power.bitLength()).divide(power));
            }
            power = power.multiply(ten);
        }
        for (int k = MOST + 1; k <= -LEAST; k++) {
            put(-k, BigInteger.ONE.shiftLeft(127 + power.bitLength()).divide(power));
            power = power.multiply(ten);
        }
    }

    private Powers() {}

    private static void put(int k, BigInteger bits) {
        HIGH[k - LEAST] = bits.shiftRight(64).longValue();
        LOW[k - LEAST] = bits.longValue();
    }

    /** The upper 64 bits of 10^{@code k}, rounded down. */
    static long high(int k) {
        return HIGH[k - LEAST];
    }

    /** The lower 64 bits of 10^{@code k}, rounded down. */
    static long low(int k) {
        return LOW[k - LEAST];
    }

    /** Whether the 128 bits represent 10^{@code k} exactly. */
    static boolean isExact(int k) {
        return k >= 0 && k <= 55;
    }

    /** The upper 64 bits of the product of two unsigned numbers. */
    static long multiplyHigh(long a, long b) {
        return Math.multiplyHigh(a, b) + (a >> 63 & b) + (b >> 63 & a);
    }
}
