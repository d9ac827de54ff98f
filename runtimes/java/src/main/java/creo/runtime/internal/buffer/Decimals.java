package creo.runtime.internal.buffer;

import creo.runtime.CreoException;
import java.math.BigDecimal;

/** The canonical form of a {@code Decimal} (BIN-12). */
public final class Decimals {
    private static final int MOST_DIGITS = 1_000;

    private Decimals() {}

    /** What is wrong with a text as a canonical decimal, or null. */
    public static String fault(String text) {
        int n = text.length();
        int i = n > 0 && text.charAt(0) == '-' ? 1 : 0;
        boolean negative = i == 1;
        int whole = i;
        boolean zero = true;
        while (i < n && digit(text.charAt(i))) {
            zero &= text.charAt(i) == '0';
            i++;
        }
        int digits = i - whole;
        if (digits == 0 || digits > 1 && text.charAt(whole) == '0') {
            return "a Decimal that is not in canonical form";
        }
        if (i < n) {
            if (text.charAt(i) != '.') {
                return "a Decimal that is not in canonical form";
            }
            int fraction = ++i;
            while (i < n && digit(text.charAt(i))) {
                zero &= text.charAt(i) == '0';
                i++;
            }
            if (i == fraction || i < n) {
                return "a Decimal that is not in canonical form";
            }
            digits += i - fraction;
        }
        if (negative && zero) {
            return "a Decimal of minus zero";
        }
        return digits > MOST_DIGITS ? "a Decimal of " + digits + " digits" : null;
    }

    /** The canonical form, or an error for a value with too many digits. */
    public static String text(BigDecimal v) {
        long whole = Math.max(1, (long) v.precision() - v.scale());
        long digits = whole + Math.max(0, v.scale());
        if (digits > MOST_DIGITS) {
            throw CreoException.invalid("a Decimal of more than " + MOST_DIGITS + " digits");
        }
        return v.toPlainString();
    }

    private static boolean digit(char c) {
        return c >= '0' && c <= '9';
    }
}
