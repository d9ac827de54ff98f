package creo.runtime.internal.text;

import java.util.Arrays;
import java.util.Base64;

/** Byte strings as text: base64 and hexadecimal digits (XML-15, XML-38). */
public final class ByteTexts {
    private static final String DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

    private ByteTexts() {}

    private static boolean isSpace(int c) {
        return c == ' ' || c == '\n' || c == '\t' || c == '\r';
    }

    /** The bytes of a text, which may have surrounding white space; null if it is invalid. */
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

    /** The bytes of a text, which may contain white space; null if it is invalid. */
    public static byte[] base64(byte[] from, int p, int to) {
        byte[] text = Arrays.copyOfRange(from, p, to);
        byte[] v = decoded(text);
        // Rarely: white space.
        return v != null ? v : decoded(unspaced(text));
    }

    /** The bytes of a text without white space; null if it is invalid. */
    public static byte[] plainBase64(byte[] from, int p, int to) {
        return decoded(Arrays.copyOfRange(from, p, to));
    }

    private static byte[] decoded(byte[] text) {
        int n = text.length;
        // The decoder accepts missing padding and surplus bits, unlike XML Schema.
        if (n % 4 != 0) {
            return null;
        }
        if (n > 0 && text[n - 1] == '=') {
            boolean two = text[n - 2] == '=';
            if ((DIGITS.indexOf(text[n - (two ? 3 : 2)]) & (two ? 15 : 3)) != 0) {
                return null;
            }
        }
        try {
            return Base64.getDecoder().decode(text);
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    private static byte[] unspaced(byte[] text) {
        int n = 0;
        for (byte c : text) {
            if (!isSpace(c)) {
                text[n++] = c;
            }
        }
        return Arrays.copyOf(text, n);
    }
}
