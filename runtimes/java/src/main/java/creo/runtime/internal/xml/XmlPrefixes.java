package creo.runtime.internal.xml;

import java.util.Arrays;
import java.util.concurrent.ThreadLocalRandom;

/** The bound prefixes, innermost last. Beyond a certain number they are indexed, so lookups stay fast. */
public final class XmlPrefixes {
    private static final int FEW = 8;
    /** Random, so that peers cannot provoke collisions in the index. */
    private static final int MULTIPLIER = ThreadLocalRandom.current().nextInt() | 1;

    /** The number of bindings. */
    public int count;
    public int[] start = new int[16];
    public int[] length = new int[16];
    public String[] uri = new String[16];
    /** The number of comparisons so far. */
    public long compared;

    /** The first {@code indexed} bindings are indexed: by the prefix's hash the innermost one, and for each the one before it. */
    private int indexed;
    private int[] newest = {};
    private int[] older = {};
    private int[] hashes = {};

    /** Binds the prefix of {@code n} bytes at a position of the text. */
    public void bind(byte[] text, int at, int n, String namespace) {
        if (count == uri.length) {
            start = Arrays.copyOf(start, 2 * count);
            length = Arrays.copyOf(length, 2 * count);
            uri = Arrays.copyOf(uri, 2 * count);
        }
        start[count] = at;
        length[count] = n;
        uri[count++] = namespace;
        if (count > FEW) {
            index(text);
        }
    }

    /** Restores an earlier number of bindings; or a later one, in a text that is read again. */
    public void reset(byte[] text, int to) {
        count = to;
        while (indexed > count) {
            newest[hashes[--indexed] & newest.length - 1] = older[indexed];
        }
        if (count > FEW) {
            index(text);
        }
    }

    /** The innermost binding of the prefix of {@code n} bytes at a position, or -1. */
    public int find(byte[] text, byte[] bytes, int from, int n) {
        if (count <= FEW) {
            for (int i = count - 1; i >= 0; i--) {
                compared++;
                if (length[i] == n && equal(text, start[i], bytes, from, n)) {
                    return i;
                }
            }
            return -1;
        }
        for (int i = newest[hash(bytes, from, n) & newest.length - 1] - 1; i >= 0; i = older[i] - 1) {
            compared++;
            if (length[i] == n && equal(text, start[i], bytes, from, n)) {
                return i;
            }
        }
        return -1;
    }

    private static boolean equal(byte[] text, int s, byte[] bytes, int t, int n) {
        return bytes == text ? XmlScanner.same(text, s, t, n) : Arrays.equals(text, s, s + n, bytes, t, t + n);
    }

    private void index(byte[] text) {
        if (older.length < uri.length) {
            // Doubles the index and fills it again.
            newest = new int[2 * uri.length];
            older = new int[uri.length];
            hashes = new int[uri.length];
            indexed = 0;
        }
        for (; indexed < count; indexed++) {
            int hash = hash(text, start[indexed], length[indexed]);
            int place = hash & newest.length - 1;
            hashes[indexed] = hash;
            older[indexed] = newest[place];
            newest[place] = indexed + 1;
        }
    }

    private static int hash(byte[] bytes, int from, int n) {
        int hash = n;
        for (int i = from; i < from + n; i++) {
            hash = (hash + bytes[i]) * MULTIPLIER;
            hash ^= hash >>> 15;
        }
        return hash;
    }
}
