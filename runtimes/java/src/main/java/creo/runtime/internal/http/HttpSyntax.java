package creo.runtime.internal.http;

import java.nio.charset.StandardCharsets;

/** The character classes of HTTP messages and their URIs (RFC 9110, RFC 3986). */
public final class HttpSyntax {
    /** The lower-case letter of each token character; 0 for all others. */
    static final byte[] TOKEN = new byte[256];
    /** The bytes allowed in a line of a head: tab, space, visible characters, and bytes from 0x80. */
    static final boolean[] TEXT = new boolean[256];
    /** The path characters, without the percent sign. */
    static final boolean[] PATH = new boolean[256];
    /** The query characters, without the percent sign. */
    static final boolean[] QUERY = new boolean[256];
    private static final boolean[] HOST = new boolean[256];
    /** The value of each hexadecimal digit; -1 for all other bytes. */
    static final byte[] HEX = new byte[256];

    static {
        for (int c = 0; c < 256; c++) {
            boolean letter = c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z';
            boolean digit = c >= '0' && c <= '9';
            TEXT[c] = c == '\t' || c >= 0x20 && c != 0x7f;
            TOKEN[c] = (byte) (c >= 'A' && c <= 'Z' ? c + 0x20 : letter || digit || isOneOf(c, "!#$%&'*+-.^_`|~") ? c : 0);
            HOST[c] = letter || digit || isOneOf(c, "-._~!$&'()*+,;=");
            PATH[c] = HOST[c] || isOneOf(c, ":@/");
            QUERY[c] = PATH[c] || c == '?';
            HEX[c] = (byte) (digit ? c - '0' : letter && (c | 0x20) <= 'f' ? (c | 0x20) - 'a' + 10 : -1);
        }
    }

    private HttpSyntax() {}

    private static boolean isOneOf(int c, String all) {
        return all.indexOf(c) >= 0;
    }

    static boolean isSpace(byte b) {
        return b == ' ' || b == '\t';
    }

    /** The index of the next comma, or the end. */
    static int comma(byte[] b, int from, int to) {
        int p = from;
        while (p < to && b[p] != ',') {
            p++;
        }
        return p;
    }

    /** The first index that is not a space or a tab. */
    static int skipSpace(byte[] b, int from, int to) {
        int p = from;
        while (p < to && isSpace(b[p])) {
            p++;
        }
        return p;
    }

    /** The end without trailing spaces and tabs. */
    static int trim(byte[] b, int from, int to) {
        int p = to;
        while (p > from && isSpace(b[p - 1])) {
            p--;
        }
        return p;
    }

    /** Whether the bytes are this text, ignoring case; the text is in lower case. */
    static boolean is(byte[] b, int from, int to, String small) {
        if (to - from != small.length()) {
            return false;
        }
        for (int i = 0; i < small.length(); i++) {
            int c = b[from + i];
            if ((c >= 'A' && c <= 'Z' ? c + 0x20 : c) != small.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    /** Whether the bytes are exactly this text. */
    static boolean isExactly(byte[] b, int from, int to, String text) {
        if (to - from != text.length()) {
            return false;
        }
        for (int i = 0; i < text.length(); i++) {
            if (b[from + i] != text.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    /** The bytes as text, one character each. */
    public static String text(byte[] b, int from, int to) {
        return new String(b, from, to - from, StandardCharsets.ISO_8859_1);
    }

    /** The index after a run of characters of a class and percent escapes; stops at a percent sign that does not begin an escape. */
    static int skip(boolean[] characters, byte[] b, int from, int to) {
        int p = from;
        while (p < to) {
            if (characters[b[p] & 0xff]) {
                p++;
            } else if (b[p] == '%' && p + 2 < to && HEX[b[p + 1] & 0xff] >= 0 && HEX[b[p + 2] & 0xff] >= 0) {
                p += 3;
            } else {
                break;
            }
        }
        return p;
    }

    /** Whether the bytes are a host with an optional port, as in {@code Host} and in URIs (RFC 3986, section 3.2). */
    static boolean isAuthority(byte[] b, int from, int to) {
        int p = from;
        if (p < to && b[p] == '[') {
            do {
                p++;
            } while (p < to && (HEX[b[p] & 0xff] >= 0 || b[p] == ':' || b[p] == '.'));
            if (p == to || b[p] != ']' || p - from < 3) {
                return false;
            }
            p++;
        } else {
            p = skip(HOST, b, p, to);
        }
        return p == to || b[p] == ':' && isPort(b, p + 1, to);
    }

    private static boolean isPort(byte[] b, int from, int to) {
        int port = 0;
        for (int p = from; p < to; p++) {
            int digit = b[p] - '0';
            if (digit < 0 || digit > 9 || (port = 10 * port + digit) > 65_535) {
                return false;
            }
        }
        return true;
    }

    /** The value of decimal digits, up to 63 bits; -1 for anything else. */
    static long decimal(byte[] b, int from, int to) {
        if (from == to) {
            return -1;
        }
        long n = 0;
        for (int p = from; p < to; p++) {
            int digit = b[p] - '0';
            if (digit < 0 || digit > 9 || n > (Long.MAX_VALUE - digit) / 10) {
                return -1;
            }
            n = 10 * n + digit;
        }
        return n;
    }
}
