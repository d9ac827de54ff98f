package creo.runtime.internal.soap;

import creo.runtime.CreoException;
import creo.runtime.internal.buffer.Failures;
import creo.runtime.internal.text.ByteTexts;
import java.util.Arrays;
import java.util.List;

/** The transfer encodings of the parts of a package (SOAP-22). */
final class TransferEncoding {
    /** Those in which bytes stand for themselves. */
    private static final List<String> PLAIN = List.of("", "7bit", "8bit", "binary");

    private TransferEncoding() {}

    /** Whether the encoding of this name leaves bytes as they are. */
    static boolean isPlain(String name) {
        return PLAIN.stream().anyMatch(name::equalsIgnoreCase);
    }

    /** The bytes of a part; fails if its encoding is not known, or the part does not follow it. */
    static byte[] decode(String name, byte[] from, int p, int to) {
        if (isPlain(name)) {
            return Arrays.copyOfRange(from, p, to);
        }
        byte[] bytes;
        if (name.equalsIgnoreCase("base64")) {
            bytes = ByteTexts.base64(from, p, to);
        } else if (name.equalsIgnoreCase("quoted-printable")) {
            bytes = quotedPrintable(from, p, to);
        } else {
            throw Failures.malformed("a part of a package in the encoding \"" + CreoException.shown(name) + "\", which is not known");
        }
        if (bytes == null) {
            throw Failures.malformed("a part of a package that is not " + name);
        }
        return bytes;
    }

    /** RFC 2045, section 6.7; null for a text that does not follow it. */
    private static byte[] quotedPrintable(byte[] from, int p, int to) {
        byte[] bytes = new byte[to - p];
        int n = 0;
        while (p < to) {
            int feed = p;
            while (feed < to && from[feed] != '\n') {
                feed++;
            }
            int end = feed < to && feed > p && from[feed - 1] == '\r' ? feed - 1 : feed;
            int behind = Math.min(feed + 1, to);
            int last = end;
            while (last > p && (from[last - 1] == ' ' || from[last - 1] == '\t')) {
                last--;
            }
            boolean soft = last > p && from[last - 1] == '=';
            n = unquote(from, p, soft ? last - 1 : last, bytes, n);
            if (n < 0) {
                return null;
            }
            for (int q = soft ? behind : end; q < behind; q++) {
                bytes[n++] = from[q];
            }
            p = behind;
        }
        return Arrays.copyOf(bytes, n);
    }

    /** Puts the bytes of a line at {@code n}; where they end, or -1. */
    private static int unquote(byte[] from, int p, int to, byte[] bytes, int n) {
        while (p < to) {
            if (from[p] != '=') {
                bytes[n++] = from[p++];
                continue;
            }
            int high = p + 2 < to ? Character.digit(from[p + 1], 16) : -1;
            int low = high < 0 ? -1 : Character.digit(from[p + 2], 16);
            if (low < 0) {
                return -1;
            }
            bytes[n++] = (byte) (high << 4 | low);
            p += 3;
        }
        return n;
    }
}
