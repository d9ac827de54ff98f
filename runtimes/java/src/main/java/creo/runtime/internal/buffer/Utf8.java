package creo.runtime.internal.buffer;

import creo.runtime.CreoException;
import creo.runtime.codegen.Bytes;
import java.nio.charset.StandardCharsets;

/** Strict UTF-8 (BIN-4), with fast paths for ASCII. */
public final class Utf8 {
    private static final int SHORT = 127;
    private static final long HIGH_BITS = 0x8080_8080_8080_8080L;

    private Utf8() {}

    /** Whether the {@code n} bytes from {@code p} are all below 0x80. */
    public static boolean isAscii(byte[] b, int p, int n) {
        if (n >= 8) {
            long bits = 0;
            int last = p + n - 8;
            for (; p < last - 24; p += 32) {
                bits |= Bytes.getLong(b, p) | Bytes.getLong(b, p + 8) | Bytes.getLong(b, p + 16) | Bytes.getLong(b, p + 24);
            }
            for (; p < last; p += 8) {
                bits |= Bytes.getLong(b, p);
            }
            return ((bits | Bytes.getLong(b, last)) & HIGH_BITS) == 0;
        }
        if (n > 0 && p <= b.length - 8) {
            // The load includes bytes after the {@code n}, which the mask ignores.
            return (Bytes.getLong(b, p) & HIGH_BITS & -1L << 64 - 8 * n) == 0;
        }
        int bits = 0;
        for (int end = p + n; p < end; p++) {
            bits |= b[p];
        }
        return bits >= 0;
    }

    /** The string of {@code n} bytes from {@code p}; fails with an index into the window if they are not well formed. */
    @SuppressWarnings("deprecation") public // This constructor makes each byte a character. That is right for ASCII, which was checked, and fastest.
    static String decode(byte[] b, int p, int n) {
        if (isAscii(b, p, n)) {
            return new String(b, 0, p, n);
        }
        String latin = n <= SHORT ? decodeLatin(b, p, n) : null;
        if (latin != null) {
            return latin;
        }
        check(b, p, n);
        return new String(b, p, n, StandardCharsets.UTF_8);
    }

    /** A short string of characters up to U+00FF, which the JDK stores in one byte each; null if it has others or is not well formed. */
    @SuppressWarnings("deprecation") // As above: each byte is a character.
    private static String decodeLatin(byte[] b, int p, int n) {
        byte[] latin = new byte[n];
        int k = 0;
        for (int end = p + n; p < end; p++) {
            int c = b[p];
            if (c < 0) {
                if ((c & 0xfe) != 0xc2 || p + 1 == end || !trail(b[p + 1])) {
                    return null;
                }
                c = c << 6 | b[++p] & 0x3f;
            }
            latin[k++] = (byte) c;
        }
        return new String(latin, 0, 0, k);
    }

    /** Writes characters as UTF-8 at {@code p}, where there is room for three bytes each; returns the index after them. */
    public static int encode(char[] chars, int from, int to, byte[] b, int p) {
        for (int i = from; i < to; i++) {
            char c = chars[i];
            if (c < 0x80) {
                b[p++] = (byte) c;
            } else if (c < 0x800) {
                b[p++] = (byte) (0xc0 | c >> 6);
                b[p++] = (byte) (0x80 | c & 0x3f);
            } else if (!Character.isSurrogate(c)) {
                b[p++] = (byte) (0xe0 | c >> 12);
                b[p++] = (byte) (0x80 | c >> 6 & 0x3f);
                b[p++] = (byte) (0x80 | c & 0x3f);
            } else {
                if (Character.isLowSurrogate(c) || i + 1 == to || !Character.isLowSurrogate(chars[i + 1])) {
                    throw loneSurrogate(i - from);
                }
                p = putPair(b, p, Character.toCodePoint(c, chars[++i]));
            }
        }
        return p;
    }

    /** Writes the four bytes of a code point above U+FFFF; returns the index after them. */
    public static int putPair(byte[] b, int p, int code) {
        b[p++] = (byte) (0xf0 | code >> 18);
        b[p++] = (byte) (0x80 | code >> 12 & 0x3f);
        b[p++] = (byte) (0x80 | code >> 6 & 0x3f);
        b[p++] = (byte) (0x80 | code & 0x3f);
        return p;
    }

    private static CreoException loneSurrogate(int i) {
        return CreoException.invalid("a lone surrogate at character " + i + " of a string");
    }

    /** Fails unless the bytes are well-formed UTF-8 by table 3-7 of the Unicode standard. */
    static void check(byte[] b, int p, int n) {
        int end = p + n;
        while (p < end) {
            int lead = b[p];
            if (lead >= 0) {
                p++;
                continue;
            }
            int length = sequence(b, p, end, lead & 0xff);
            if (length == 0) {
                throw Failures.malformedInWindow(p, "bytes that are not UTF-8");
            }
            p += length;
        }
    }

    /** The length of the well-formed sequence at {@code p}, or 0. */
    public static int sequence(byte[] b, int p, int end, int lead) {
        if (lead < 0xc2) {
            return 0;
        }
        if (lead < 0xe0) {
            return end - p >= 2 && trail(b[p + 1]) ? 2 : 0;
        }
        if (lead < 0xf0) {
            if (end - p < 3 || !trail(b[p + 2])) {
                return 0;
            }
            int second = b[p + 1] & 0xff;
            int least = lead == 0xe0 ? 0xa0 : 0x80;
            int most = lead == 0xed ? 0x9f : 0xbf;
            return second >= least && second <= most ? 3 : 0;
        }
        if (lead > 0xf4 || end - p < 4 || !trail(b[p + 2]) || !trail(b[p + 3])) {
            return 0;
        }
        int second = b[p + 1] & 0xff;
        int least = lead == 0xf0 ? 0x90 : 0x80;
        int most = lead == 0xf4 ? 0x8f : 0xbf;
        return second >= least && second <= most ? 4 : 0;
    }

    private static boolean trail(byte b) {
        return b < (byte) 0xc0;
    }

    /** The length of the string in UTF-8; fails on a lone surrogate. */
    public static long length(String s) {
        int n = s.length();
        long size = n;
        for (int i = 0; i < n; i++) {
            char c = s.charAt(i);
            if (c < 0x80) {
                continue;
            }
            if (c < 0x800) {
                size++;
            } else if (!Character.isSurrogate(c)) {
                size += 2;
            } else if (Character.isHighSurrogate(c) && i + 1 < n && Character.isLowSurrogate(s.charAt(i + 1))) {
                size += 2;
                i++;
            } else {
                throw loneSurrogate(i);
            }
        }
        return size;
    }

    /**
     * Writes a string at {@code p} if it is ASCII, and returns whether it is. There is room for one byte per character; if it is not ASCII, the
     * written bytes are invalid.
     */
    public static boolean putAscii(String s, int n, byte[] b, int p) {
        int bits = 0;
        for (int i = 0; i < n; i++) {
            char c = s.charAt(i);
            bits |= c;
            b[p + i] = (byte) c;
        }
        return bits < 0x80;
    }

    /** Writes characters from {@code i} as long as they fit before {@code end}; returns the position reached as {@code i << 32 | p}. */
    public static long encode(String s, int i, byte[] b, int p, int end) {
        int n = s.length();
        while (i < n) {
            char c = s.charAt(i);
            if (c < 0x80) {
                if (p == end) {
                    break;
                }
                b[p++] = (byte) c;
            } else if (c < 0x800) {
                if (end - p < 2) {
                    break;
                }
                b[p++] = (byte) (0xc0 | c >> 6);
                b[p++] = (byte) (0x80 | c & 0x3f);
            } else if (!Character.isSurrogate(c)) {
                if (end - p < 3) {
                    break;
                }
                b[p++] = (byte) (0xe0 | c >> 12);
                b[p++] = (byte) (0x80 | c >> 6 & 0x3f);
                b[p++] = (byte) (0x80 | c & 0x3f);
            } else {
                if (end - p < 4) {
                    break;
                }
                p = putPair(b, p, Character.toCodePoint(c, s.charAt(++i)));
            }
            i++;
        }
        return (long) i << 32 | p;
    }
}
