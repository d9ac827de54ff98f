package creo.runtime.internal.text;

import creo.runtime.CreoException;
import creo.runtime.codegen.TextEnum;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Instant;

/** XML texts as slices of bytes, and the values that they represent ({@code spec/wires/xml.md}, section 2). */
public abstract class TextSlices extends TextInput {
    private static final int MOST_DIGITS = 1_000;
    private static final int LONGEST_SHOWN = 60;

    /** The last text. */
    public byte[] slice;
    public int sliceFrom;
    public int sliceTo;
    /** The text is read leniently (XML-50). */
    public boolean lenient;

    /** The error for a slice that is not the expected value. */
    public abstract CreoException wrong(String what);

    /** The slice, for messages. */
    public final String shownSlice() {
        String text = new String(slice, sliceFrom, Math.min(LONGEST_SHOWN, sliceTo - sliceFrom), StandardCharsets.UTF_8);
        return "\"" + CreoException.shown(text) + (sliceTo - sliceFrom > LONGEST_SHOWN ? "...\"" : "\"");
    }

    public final void trim() {
        while (sliceFrom < sliceTo && slice[sliceFrom] <= ' ' && slice[sliceFrom] > 0) {
            sliceFrom++;
        }
        while (sliceFrom < sliceTo && slice[sliceTo - 1] <= ' ' && slice[sliceTo - 1] > 0) {
            sliceTo--;
        }
    }

    public final boolean sliceIs(String text) {
        if (sliceTo - sliceFrom != text.length()) {
            return false;
        }
        for (int i = 0; i < text.length(); i++) {
            if (slice[sliceFrom + i] != text.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    /** Whether the slice is a text of small letters, whatever the case of its own. */
    public final boolean sliceLowerIs(String text) {
        return sliceTo - sliceFrom == text.length() && lowerIs(slice, sliceFrom, text);
    }

    /** Whether there are the small letters of a text at an index, in any case. */
    public static boolean lowerIs(byte[] b, int p, String text) {
        for (int i = 0; i < text.length(); i++) {
            if ((b[p + i] | 0x20) != text.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    public final boolean booleanOfSlice() {
        if (sliceIs("true") || sliceIs("1")) {
            return true;
        }
        if (sliceIs("false") || sliceIs("0")) {
            return false;
        }
        if (lenient && (sliceLowerIs("true") || sliceLowerIs("false"))) {
            return sliceLowerIs("true");
        }
        throw wrong("true or false");
    }

    public final long integerOfSlice(long least, long most) {
        int p = sliceFrom;
        boolean negative = p < sliceTo && slice[p] == '-';
        if (p < sliceTo && (slice[p] == '-' || slice[p] == '+')) {
            p++;
        }
        boolean fits = p < sliceTo;
        long v = 0;
        for (; p < sliceTo; p++) {
            int d = slice[p] - '0';
            if (d < 0 || d > 9) {
                throw wrong("a number");
            }
            // Any digit fits with a negative sign.
            fits &= v > Long.MIN_VALUE / 10 || v == Long.MIN_VALUE / 10 && d <= 8;
            v = fits ? v * 10 - d : v;
        }
        fits &= negative || v != Long.MIN_VALUE;
        v = negative ? v : -v;
        if (!fits || v < least || v > most) {
            throw wrong("a number from " + least + " to " + most);
        }
        return v;
    }

    public final double doubleOfSlice() {
        Double d = NumberReader.parseDouble(slice, sliceFrom, sliceTo);
        if (d == null) {
            throw wrong("a number");
        }
        return d;
    }

    public final float floatOfSlice() {
        Float f = NumberReader.parseFloat(slice, sliceFrom, sliceTo);
        if (f == null) {
            throw wrong("a number");
        }
        return f;
    }

    public final Instant instantOfSlice() {
        Instant v = DateTimes.parse(slice, sliceFrom, sliceTo);
        if (v == null) {
            throw wrong("a date and time");
        }
        return v;
    }

    public final byte[] bytesOfSlice(boolean hex) {
        byte[] v = hex ? ByteTexts.hexadecimal(slice, sliceFrom, sliceTo) : ByteTexts.base64(slice, sliceFrom, sliceTo);
        if (v == null) {
            throw wrong(hex ? "bytes in hexadecimal digits" : "base64");
        }
        return v;
    }

    /** The slice as a decimal number (XML-14). */
    public final BigDecimal decimalOfSlice() {
        byte[] bytes = slice;
        int p = sliceFrom;
        int to = sliceTo;
        boolean negative = p < to && bytes[p] == '-';
        if (p < to && (bytes[p] == '-' || bytes[p] == '+')) {
            p++;
        }
        int from = p;
        while (p < to && bytes[p] == '0') {
            p++;
        }
        int start = p;
        int point = -1;
        long small = 0;
        for (; p < to; p++) {
            int d = bytes[p] - '0';
            if (d >= 0 && d <= 9) {
                small = small * 10 + d;
            } else if (bytes[p] == '.' && point < 0) {
                point = p;
            } else {
                throw wrong("a decimal number");
            }
        }
        int scale = point < 0 ? 0 : to - point - 1;
        if (to - from == (point < 0 ? 0 : 1)) {
            throw wrong("a decimal number");
        }
        int whole = point < 0 ? to - start : point - start;
        if (Math.max(1, whole) + scale > MOST_DIGITS) {
            throw wrong("a decimal number of at most " + MOST_DIGITS + " digits");
        }
        if (whole + scale <= 18) {
            return BigDecimal.valueOf(negative ? -small : small, scale);
        }
        String digits = new String(bytes, start, to - start, StandardCharsets.US_ASCII).replace(".", "");
        BigInteger v = new BigInteger(digits);
        return new BigDecimal(negative ? v.negate() : v, scale);
    }

    /** The number of the constant whose text is the slice (XML-16). */
    public final int enumOfSlice(TextEnum e) {
        int number = e.number(slice, sliceFrom, sliceTo);
        if (number >= 0) {
            return number;
        }
        if (e.extensible && sliceFrom < sliceTo && slice[sliceFrom] == '#') {
            sliceFrom++;
            if (sliceFrom < sliceTo && slice[sliceFrom] >= '0' && slice[sliceFrom] <= '9') {
                return (int) integerOfSlice(0, Integer.MAX_VALUE);
            }
            sliceFrom--;
        }
        throw wrong("one of " + e.expected());
    }
}
