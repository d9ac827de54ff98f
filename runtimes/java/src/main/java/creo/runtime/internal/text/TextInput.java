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

/** Shared by the readers of all text wires: the bytes, which are followed by zeros, and the numbers in them. */
public abstract class TextInput extends TextReader {
    /** The number of zeros after the bytes. */
    public static final int PADDING = PaddedBytes.PADDING;

    /** Little-endian words of eight bytes, and the masks that find bytes in them. */
    public static final VarHandle LITTLE = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    public static final long ONES = 0x0101_0101_0101_0101L;
    public static final long HIGH_BITS = 0x8080_8080_8080_8080L;

    /** Sets the high bit of the first of eight XML bytes that is below 32 or above 127, or '<', '>' or '&'; perhaps also of later ones. */
    public static long marks(long w) {
        // '<' and '>' differ in one bit.
        long angle = (w & ONES * 0xfd) ^ ONES * '<';
        return (((w - ONES * 0x20) | (angle - ONES) | ((w ^ ONES * '&') - ONES)) & ~w | w) & HIGH_BITS;
    }

    public Limits limits = Limits.DEFAULT;
    /** The memory to which the message is charged; null until known. */
    public Memory memory;
    public byte[] b = new byte[PADDING];
    public int pos;
    public int end;
    /** The start of the text. */
    public int first;
    /** The index after the last number. */
    public int behind;
    /** The index of its point, or -1. */
    public int point;

    /** Charges the bytes of a body, unless this was done. */
    public final void chargeBody(int n) {
        if (memory == null) {
            memory = new Memory(limits.maxMemory());
            charge(n);
        }
    }

    /** Charges the message for values to come (LIM-18). */
    public final void charge(long bytes) {
        if (!memory.take(bytes)) {
            try {
                memory.more();
            } catch (CreoException e) {
                throw here(e);
            }
        }
    }

    /** Adds the current position to an error. */
    public abstract CreoException here(CreoException e);

    /** The integer of up to 18 digits at an index; if there are none or more, {@link #behind} is the index itself. */
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

    /** The canonical decimal of up to 18 digits at an index; null for another form. */
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

    /** The number of up to 18 digits at an index; NaN for another form. A leading or trailing point is accepted. */
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
