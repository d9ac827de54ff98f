package creo.bench.response;

import java.util.function.IntFunction;
import java.util.function.IntToDoubleFunction;
import java.util.function.IntUnaryOperator;

/**
 * What every service does with a request: count its items, which is the answer. When the size of the requests changes, every value of the first
 * one is compared with what was to be sent; a wrong one is answered with -1.
 */
public final class Received {
    /** The size of each kind whose values were checked. Racing requests check at most twice. */
    private static final int[] CHECKED = {-1, -1, -1};

    private Received() {}

    public static int numbers(int count, IntToDoubleFunction d, IntUnaryOperator s) {
        if (count == CHECKED[Kind.NUMBERS.ordinal()]) {
            return count;
        }
        for (int i = 0; i < count; i++) {
            if (d.applyAsDouble(i) != Data.d(i) || s.applyAsInt(i) != Data.s(i)) {
                return -1;
            }
        }
        return checked(Kind.NUMBERS, count);
    }

    public static int strings(int count, IntFunction<? extends CharSequence> item) {
        if (count == CHECKED[Kind.STRINGS.ordinal()]) {
            return count;
        }
        for (int i = 0; i < count; i++) {
            if (!Data.string(i).contentEquals(item.apply(i))) {
                return -1;
            }
        }
        return checked(Kind.STRINGS, count);
    }

    public static int bytes(byte[] data) {
        return bytes(data.length, i -> data[i]);
    }

    public static int bytes(int count, IntUnaryOperator item) {
        if (count == CHECKED[Kind.BYTES.ordinal()]) {
            return count;
        }
        for (int i = 0; i < count; i++) {
            if ((byte) item.applyAsInt(i) != Data.oneByte(i)) {
                return -1;
            }
        }
        return checked(Kind.BYTES, count);
    }

    private static int checked(Kind kind, int count) {
        CHECKED[kind.ordinal()] = count;
        return count;
    }
}
