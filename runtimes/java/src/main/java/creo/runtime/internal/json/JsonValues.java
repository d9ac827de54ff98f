package creo.runtime.internal.json;

import creo.runtime.codegen.TextEnum;
import creo.runtime.codegen.TextField;
import creo.runtime.internal.buffer.Decimals;
import creo.runtime.internal.text.ByteTexts;
import creo.runtime.internal.text.DateTimes;
import creo.runtime.internal.text.NumberReader;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;

/** Reads single JSON values, and arrays of numbers, with a fast path for plain forms and a slow one for all others. */
public abstract class JsonValues extends JsonScanner {
    private static final int MOST_DIGITS = 1_000;

    /** The field of the next value. */
    TextField field;

    @Override
    public final boolean readBoolean() {
        int p = start();
        if (field.key) {
            slice(p);
            boolean yes = sliceIs("true");
            if (!yes && !sliceIs("false")) {
                throw wrong(p, "true or false");
            }
            return yes;
        }
        if (b[p] == 't') {
            word(p, "true");
            return true;
        }
        if (b[p] != 'f') {
            throw wrong(p, "true or false");
        }
        word(p, "false");
        return false;
    }

    private boolean sliceIs(String word) {
        return sliceTo - sliceFrom == word.length() && word.equals(new String(slice, sliceFrom, sliceTo - sliceFrom, StandardCharsets.ISO_8859_1));
    }

    @Override
    public final byte readByte() {
        return (byte) integer(Byte.MIN_VALUE, Byte.MAX_VALUE);
    }

    @Override
    public final short readShort() {
        return (short) integer(Short.MIN_VALUE, Short.MAX_VALUE);
    }

    @Override
    public final char readChar() {
        int p = start();
        if (b[p] != '"') {
            return (char) integer(0, Character.MAX_VALUE);
        }
        int c = character(p);
        if (c < 0 && field.key) {
            return (char) quoted(p, 0, Character.MAX_VALUE);
        }
        if (c < 0) {
            throw wrong(p, "a string of one character, or a number");
        }
        return (char) c;
    }

    @Override
    public final int readInt() {
        return (int) integer(Integer.MIN_VALUE, Integer.MAX_VALUE);
    }

    @Override
    public final long readLong() {
        int p = start();
        if (b[p] == '"' && !field.key) {
            return quoted(p, Long.MIN_VALUE, Long.MAX_VALUE);
        }
        return integer(Long.MIN_VALUE, Long.MAX_VALUE);
    }

    private long integer(long least, long most) {
        int p = start();
        if (field.key) {
            return quoted(p, least, most);
        }
        long v = integerAt(p);
        int to = behind;
        int digits = b[p] == '-' ? p + 1 : p;
        if (to != p && v >= least && v <= most && b[to] != '.' && (b[to] | 0x20) != 'e' && (b[digits] != '0' || to == digits + 1)) {
            pos = to;
            return v;
        }
        if (b[p] != '-' && (b[p] < '0' || b[p] > '9')) {
            throw wrong(p, "a whole number");
        }
        to = numberEnd(p);
        v = exact(b, p, to, p, least, most);
        pos = to;
        return v;
    }

    /** The integer in the string at an index: a key, or a long. */
    private long quoted(int p, long least, long most) {
        slice(p);
        int digits = sliceFrom < sliceTo && slice[sliceFrom] == '-' ? sliceFrom + 1 : sliceFrom;
        if (digits == sliceTo || slice[digits] == '0' && sliceTo > digits + 1) {
            throw wrong(p, "a whole number in a string");
        }
        return exact(slice, sliceFrom, sliceTo, p, least, most);
    }

    private long exact(byte[] digits, int p, int to, int at, long least, long most) {
        boolean negative = digits[p] == '-';
        boolean fits = true;
        long v = 0;
        for (int i = negative ? p + 1 : p; i < to; i++) {
            int d = digits[i] - '0';
            if (d < 0 || d > 9) {
                throw wrong(at, "a whole number, without fraction and exponent,");
            }
            // Any digit fits with a negative sign.
            fits &= v > Long.MIN_VALUE / 10 || v == Long.MIN_VALUE / 10 && d <= 8;
            v = fits ? v * 10 - d : v;
        }
        fits &= negative || v != Long.MIN_VALUE;
        v = negative ? v : -v;
        if (!fits || v < least || v > most) {
            throw wrong(at, "a number from " + least + " to " + most);
        }
        return v;
    }

    @Override
    public final float readFloat() {
        int p = start();
        double d = plain(p, true);
        if (d == d) {
            pos = behind;
            return (float) d;
        }
        if (b[p] == '"') {
            return (float) special(p);
        }
        int to = numberEnd(p);
        Float v = NumberReader.parseFloat(b, p, to);
        if (v == null || v.isInfinite()) {
            throw wrong(p, "a number within the range of float");
        }
        pos = to;
        return v;
    }

    @Override
    public final double readDouble() {
        int p = start();
        double d = plain(p, false);
        if (d == d) {
            pos = behind;
            return d;
        }
        if (b[p] == '"') {
            return special(p);
        }
        int to = numberEnd(p);
        Double v = NumberReader.parseDouble(b, p, to);
        if (v == null || v.isInfinite()) {
            throw wrong(p, "a number within the range of double");
        }
        pos = to;
        return v;
    }

    /** The number at an index if it has a plain form; otherwise NaN. */
    private double plain(int p, boolean single) {
        double d = numberAt(p, single);
        if (d == d) {
            int digits = b[p] == '-' ? p + 1 : p;
            boolean zero = b[digits] == '0' && b[digits + 1] >= '0' && b[digits + 1] <= '9';
            if (zero || point == digits || point >= 0 && (b[point + 1] < '0' || b[point + 1] > '9')) {
                return Double.NaN;
            }
        }
        return d;
    }

    private double special(int p) {
        slice(p);
        if (sliceIs("NaN")) {
            return Double.NaN;
        }
        if (sliceIs("Infinity")) {
            return Double.POSITIVE_INFINITY;
        }
        if (sliceIs("-Infinity")) {
            return Double.NEGATIVE_INFINITY;
        }
        throw wrong(p, "a number");
    }

    @Override
    public final int[] readInts() {
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

    @Override
    public final long[] readLongs() {
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

    @Override
    public final double[] readDoubles() {
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

    @Override
    public final String readString() {
        int p = start();
        if (b[p] != '"') {
            throw wrong(p, "a string");
        }
        return string(p);
    }

    @Override
    public final Instant readInstant() {
        int p = start();
        if (b[p] != '"') {
            throw wrong(p, "a date and time in a string");
        }
        slice(p);
        Instant v = DateTimes.parseWithOffset(slice, sliceFrom, sliceTo);
        if (v == null) {
            throw wrong(p, "a date and time");
        }
        return v;
    }

    @Override
    public final BigDecimal readDecimal() {
        int p = start();
        boolean quoted = b[p] == '"';
        int from = quoted ? p + 1 : p;
        BigDecimal v = small(from, quoted);
        if (v != null) {
            return v;
        }
        String text;
        if (quoted) {
            slice(p);
            text = new String(slice, sliceFrom, sliceTo - sliceFrom, StandardCharsets.UTF_8);
            String fault = Decimals.fault(text);
            if (fault != null) {
                throw malformed(p, fault);
            }
        } else {
            int to = numberEnd(p);
            int digits = 0;
            for (int i = p; i < to; i++) {
                if ((b[i] | 0x20) == 'e') {
                    throw malformed(p, "a Decimal with an exponent");
                }
                digits += b[i] >= '0' ? 1 : 0;
            }
            if (digits > MOST_DIGITS) {
                throw malformed(p, "a Decimal of " + digits + " digits");
            }
            text = new String(b, p, to - p, StandardCharsets.US_ASCII);
            pos = to;
        }
        return new BigDecimal(text);
    }

    /** A canonical decimal of up to 18 digits, and its closing quote; null, without reading anything, for another form. */
    private BigDecimal small(int from, boolean quoted) {
        BigDecimal v = decimalAt(from);
        if (v == null || !(quoted ? b[behind] == '"' : (b[behind] | 0x20) != 'e')) {
            return null;
        }
        pos = quoted ? behind + 1 : behind;
        return v;
    }

    @Override
    public final byte[] readBytes() {
        int p = start();
        if (b[p] != '"') {
            throw wrong(p, "base64 in a string");
        }
        slice(p);
        byte[] v = ByteTexts.plainBase64(slice, sliceFrom, sliceTo);
        if (v == null) {
            throw wrong(p, "base64");
        }
        return v;
    }

    @Override
    public final int readEnum(TextEnum e) {
        int p = start();
        if (b[p] != '"') {
            if (!e.extensible || b[p] < '0' || b[p] > '9') {
                throw wrong(p, "one of " + e.expectedNames());
            }
            return (int) integer(0, Integer.MAX_VALUE);
        }
        slice(p);
        int number = e.numberOfDeclared(slice, sliceFrom, sliceTo);
        if (number >= 0) {
            return number;
        }
        if (e.extensible && field.key && sliceFrom < sliceTo && slice[sliceFrom] >= '0' && slice[sliceFrom] <= '9') {
            return (int) quoted(p, 0, Integer.MAX_VALUE);
        }
        throw wrong(p, "one of " + e.expectedNames());
    }

    @Override
    public final String readRaw() {
        return readString();
    }
}
