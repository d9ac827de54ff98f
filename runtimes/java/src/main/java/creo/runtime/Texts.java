package creo.runtime;

import java.util.List;

/** Reads long strings, and arrays of strings: where they are short and ASCII, many with one look. */
final class Texts {
    /** Bytes that are looked at together. */
    private static final int LOOK = 512;
    /** For each string (LIM-18). */
    private static final int CHARGE = 8 + 32;

    private Texts() {}

    /** A string of {@code n} bytes that is not in the window as a whole. */
    static String readLong(Reader r, int n) {
        if (n <= Reader.PIECE) {
            int p = r.fill(n, null);
            r.pos = p + n;
            try {
                return Utf8.decode(r.buf, p, n);
            } catch (CreoException e) {
                throw r.resolve(e);
            }
        }
        long start = r.offset();
        byte[] bytes = r.readBytes(n);
        try {
            return Utf8.decode(bytes, 0, n);
        } catch (CreoException e) {
            throw e.resolve(start);
        }
    }

    static List<String> read(Reader r) {
        int n = r.readCount(1, CHARGE);
        Object[] items = r.items(n);
        int i = 0;
        while (i < n) {
            if (i == items.length) {
                items = r.moreItems(items, n);
            }
            i = readShort(r, items, i);
            if (i < items.length) {
                try {
                    items[i] = r.readString();
                } catch (CreoException e) {
                    throw e.item(i);
                }
                i++;
            }
        }
        return Lists.frozen(items, n);
    }

    /** Reads strings while they are short and in the window; returns the index of the first that is not. */
    private static int readShort(Reader r, Object[] items, int i) {
        byte[] b = r.buf;
        int p = r.pos;
        int end = r.limit;
        int most = items.length;
        // Before it, something is not ASCII.
        int mixed = p;
        while (i < most && p < end) {
            // Counts of short strings are ASCII themselves, so that one look serves several strings.
            int ahead = Math.min(end, p + LOOK);
            if (p >= mixed) {
                if (Utf8.isAscii(b, p, ahead - p)) {
                    int before = i;
                    i = readAscii(r, items, i, b, p, ahead);
                    p = r.pos;
                    if (i > before) {
                        continue;
                    }
                }
                mixed = ahead;
            }
            int n = b[p];
            if (n < 0 || n > end - p - 1) {
                break;
            }
            try {
                items[i] = Utf8.decode(b, p + 1, n);
            } catch (CreoException e) {
                throw r.resolve(e).item(i);
            }
            i++;
            p += n + 1;
            r.pos = p;
        }
        return i;
    }

    /** Reads strings that lie before {@code end}, up to where all is ASCII; returns the index of the first that does not. */
    @SuppressWarnings("deprecation") // As in Utf8.decode.
    private static int readAscii(Reader r, Object[] items, int i, byte[] b, int p, int end) {
        for (int most = items.length; i < most && p < end; i++) {
            int n = b[p];
            int next = p + 1 + n;
            if (next > end) {
                break;
            }
            items[i] = new String(b, 0, p + 1, n);
            p = next;
        }
        r.pos = p;
        return i;
    }
}
