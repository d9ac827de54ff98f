package creo.runtime.internal.text;

import creo.runtime.CreoException;
import creo.runtime.Limits;
import creo.runtime.codegen.TextReader;
import creo.runtime.internal.buffer.Memory;
import creo.runtime.internal.buffer.PaddedBytes;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.math.BigDecimal;
import java.nio.ByteOrder;

/** What the readers of all text wires share: the bytes, behind whose end there are zeros, and the numbers in them. */
public abstract class TextInput extends TextReader {
    /** So many zeros stand behind the bytes that are read. */
    public static final int PADDING = PaddedBytes.PADDING;

    /** Eight bytes at once, the first of them the lowest; and what finds a byte among them. */
    public static final VarHandle LITTLE = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    public static final long ONES = 0x0101_0101_0101_0101L;
    public static final long HIGH_BITS = 0x8080_8080_8080_8080L;

    /** Has the high bit of the first of eight bytes of XML that is below 32 or above 127, or '<', '>' or '&'; perhaps of some behind it, too. */
    public static long marks(long w) {
        // '<' and '>' differ in one bit.
        long angle = (w & ONES * 0xfd) ^ ONES * '<';
        return (((w - ONES * 0x20) | (angle - ONES) | ((w ^ ONES * '&') - ONES)) & ~w | w) & HIGH_BITS;
    }

    public Limits limits = Limits.DEFAULT;
    /** What the message is charged to; null until it is known. */
    public Memory memory;
    public byte[] b = new byte[PADDING];
    public int pos;
    public int end;
    /** Where the text begins. */
    public int first;
    /** The index behind the last number. */
    public int behind;
    /** Where its point stands, or -1. */
    public int point;

    /** Charges the bytes of a body, unless that was done. */
    public final void chargeBody(int n) {
        if (memory == null) {
            memory = new Memory(limits.maxMemory());
            charge(n);
        }
    }

    /** Charges the message for values that come (LIM-18). */
    public final void charge(long bytes) {
        if (!memory.take(bytes)) {
            try {
                memory.more();
            } catch (CreoException e) {
                throw here(e);
            }
        }
    }

    /** Says that an error is about what comes next. */
    public abstract CreoException here(CreoException e);

    /** The integer of up to 18 digits at an index; without digits, or with more, {@link #behind} is the index itself. */
    public final long integerAt(int p) {
        byte[] bytes = b;
        int start = p;
        boolean negative = bytes[p] == '-';
        int from = negative ? ++p : p;
        long v = 0;
        for (int d = bytes[p] - '0'; d >= 0 && d <= 9; d = bytes[++p] - '0') {
            v = v * 10 + d;
        }
        behind = p > from && p - from <= 18 ? p : start;
        return negative ? -v : v;
    }

    /** The decimal number of up to 18 digits at an index, in canonical form; null if it is of another form. */
    public final BigDecimal decimalAt(int p) {
        byte[] bytes = b;
        boolean negative = bytes[p] == '-';
        int from = negative ? ++p : p;
        long v = 0;
        for (int d = bytes[p] - '0'; d >= 0 && d <= 9; d = bytes[++p] - '0') {
            v = v * 10 + d;
        }
        int whole = p - from;
        int scale = 0;
        if (bytes[p] == '.') {
            int first = ++p;
            for (int d = bytes[p] - '0'; d >= 0 && d <= 9; d = bytes[++p] - '0') {
                v = v * 10 + d;
            }
            scale = p - first;
            if (scale == 0) {
                return null;
            }
        }
        if (whole == 0 || whole > 1 && bytes[from] == '0' || whole + scale > 18 || negative && v == 0) {
            return null;
        }
        behind = p;
        return BigDecimal.valueOf(negative ? -v : v, scale);
    }

    /** The number of up to 18 digits at an index; NaN if it is of another form. A bare point at either end counts as such a number. */
    public final double numberAt(int p, boolean single) {
        byte[] bytes = b;
        boolean negative = bytes[p] == '-';
        if (negative) {
            p++;
        }
        int from = p;
        long w = 0;
        for (int d = bytes[p] - '0'; d >= 0 && d <= 9; d = bytes[++p] - '0') {
            w = w * 10 + d;
        }
        int digits = p - from;
        int exponent = 0;
        point = -1;
        if (bytes[p] == '.') {
            point = p++;
            for (int d = bytes[p] - '0'; d >= 0 && d <= 9; d = bytes[++p] - '0') {
                w = w * 10 + d;
            }
            exponent = point + 1 - p;
            digits -= exponent;
        }
        if (digits == 0 || digits > 18) {
            return Double.NaN;
        }
        if ((bytes[p] | 0x20) == 'e') {
            int sign = bytes[++p];
            if (sign == '-' || sign == '+') {
                p++;
            }
            int power = 0;
            int first = p;
            for (int d = bytes[p] - '0'; d >= 0 && d <= 9; d = bytes[++p] - '0') {
                power = power * 10 + d;
            }
            if (p == first || p - first > 4) {
                return Double.NaN;
            }
            exponent += sign == '-' ? -power : power;
        }
        behind = p;
        double v = single ? NumberReader.nearestFloat(w, exponent) : NumberReader.nearest(w, exponent);
        return negative ? -v : v;
    }
}
