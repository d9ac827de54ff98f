package creo.runtime;

import java.util.Arrays;

/** Byte strings as text: base64 and hexadecimal digits (XML-15, XML-38). */
final class ByteTexts {
    private static final byte[] BASE64 = new byte[128];

    static {
        Arrays.fill(BASE64, (byte) -1);
        String digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        for (int i = 0; i < 64; i++) {
            BASE64[digits.charAt(i)] = (byte) i;
        }
    }

    private ByteTexts() {}

    private static boolean isSpace(int c) {
        return c == ' ' || c == '\n' || c == '\t' || c == '\r';
    }

    /** The bytes of a text, which may have white space around it; null if it is none. */
    static byte[] hexadecimal(byte[] from, int p, int to) {
        while (p < to && isSpace(from[p])) {
            p++;
        }
        while (p < to && isSpace(from[to - 1])) {
            to--;
        }
        if ((to - p) % 2 != 0) {
            return null;
        }
        byte[] v = new byte[(to - p) / 2];
        for (int i = 0; i < v.length; i++, p += 2) {
            int high = Character.digit(from[p], 16);
            int low = Character.digit(from[p + 1], 16);
            if (high < 0 || low < 0) {
                return null;
            }
            v[i] = (byte) (high << 4 | low);
        }
        return v;
    }

    /** The bytes of a text, which may have white space anywhere; null if it is none. */
    static byte[] base64(byte[] from, int p, int to) {
        byte[] v = new byte[(to - p) / 4 * 3 + 3];
        int n = 0;
        // Four digits at a time, as long as there is nothing else.
        while (p + 4 <= to) {
            int bits = digit(from[p]) << 18 | digit(from[p + 1]) << 12 | digit(from[p + 2]) << 6 | digit(from[p + 3]);
            if (bits < 0) {
                break;
            }
            v[n] = (byte) (bits >> 16);
            v[n + 1] = (byte) (bits >> 8);
            v[n + 2] = (byte) bits;
            n += 3;
            p += 4;
        }
        int bits = 0;
        int digits = 0;
        int padding = 0;
        for (; p < to; p++) {
            int c = from[p];
            if (isSpace(c)) {
                continue;
            }
            int d = digit(c);
            if (padding > 2 || c != '=' && (d < 0 || padding > 0) || c == '=' && digits < 2) {
                return null;
            }
            padding += c == '=' ? 1 : 0;
            bits = bits << 6 | (c == '=' ? 0 : d);
            if (++digits == 4) {
                // The bits that are no part of a byte must be zeros.
                if (padding == 1 && (bits & 0xff) != 0 || padding == 2 && (bits & 0xffff) != 0) {
                    return null;
                }
                v[n] = (byte) (bits >> 16);
                v[n + 1] = (byte) (bits >> 8);
                v[n + 2] = (byte) bits;
                n += 3 - padding;
                digits = 0;
                bits = 0;
            }
        }
        if (digits != 0) {
            return null;
        }
        return n == v.length ? v : Arrays.copyOf(v, n);
    }

    private static int digit(int c) {
        return c < 0 ? -1 : BASE64[c];
    }
}
