package creo.runtime;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The header fields of a message, in the order in which they came. Texts are made of them when they are asked for. */
final class HttpFields {
    private static final boolean[] TOKEN = token();

    private final byte[] b;
    /** Of each field: where its name begins and ends, and where its value does. */
    private int[] places = new int[4 * 16];
    private int size;

    /** Fields in an array that does not change. */
    HttpFields(byte[] b) {
        this.b = b;
    }

    private static boolean[] token() {
        boolean[] all = new boolean[128];
        for (char c = '0'; c <= 'z'; c++) {
            all[c] = c <= '9' || c >= 'a' || c >= 'A' && c <= 'Z';
        }
        for (char c : "!#$%&'*+-.^_`|~".toCharArray()) {
            all[c] = true;
        }
        return all;
    }

    static boolean isToken(byte c) {
        return c >= 0 && TOKEN[c];
    }

    /**
     * Adds the field of a line, b[from, to) without its line break.
     *
     * @throws HttpFault when it is no field
     */
    void add(int from, int to, int max) throws HttpFault {
        int colon = from;
        while (colon < to && isToken(b[colon])) {
            colon++;
        }
        if (colon == from || colon == to || b[colon] != ':') {
            throw new HttpFault(400, isSpace(b[from]) ? "a header line that begins with a space" : "a header line that is not a name, a colon and a value");
        }
        if (size == max) {
            throw new HttpFault(431, "more than " + max + " headers");
        }
        if (4 * size == places.length) {
            places = Arrays.copyOf(places, 2 * places.length);
        }
        int start = colon + 1;
        int end = to;
        while (start < end && isSpace(b[start])) {
            start++;
        }
        while (end > start && isSpace(b[end - 1])) {
            end--;
        }
        int p = 4 * size++;
        places[p] = from;
        places[p + 1] = colon;
        places[p + 2] = start;
        places[p + 3] = end;
    }

    static boolean isSpace(byte c) {
        return c == ' ' || c == '\t';
    }

    int size() {
        return size;
    }

    /** The name of a field, in small letters. */
    String name(int i) {
        int from = places[4 * i];
        byte[] name = Arrays.copyOfRange(b, from, places[4 * i + 1]);
        for (int k = 0; k < name.length; k++) {
            name[k] = lower(name[k]);
        }
        return new String(name, StandardCharsets.ISO_8859_1);
    }

    String value(int i) {
        return new String(b, places[4 * i + 2], places[4 * i + 3] - places[4 * i + 2], StandardCharsets.ISO_8859_1);
    }

    private static byte lower(byte c) {
        return c >= 'A' && c <= 'Z' ? (byte) (c + 32) : c;
    }

    /** The index of the first field of a name from an index on, or -1. */
    private int find(String name, int i) {
        int length = name.length();
        for (; i < size; i++) {
            int from = places[4 * i];
            if (places[4 * i + 1] - from == length && isAt(name, from)) {
                return i;
            }
        }
        return -1;
    }

    private boolean isAt(String small, int from) {
        for (int k = 0; k < small.length(); k++) {
            if (lower(b[from + k]) != small.charAt(k)) {
                return false;
            }
        }
        return true;
    }

    boolean has(String name) {
        return find(name, 0) >= 0;
    }

    /** The value of the first field of a name, which is given in small letters; null if there is none. */
    String first(String name) {
        int i = find(name, 0);
        return i < 0 ? null : value(i);
    }

    /** The values of all fields of a name, which is given in small letters. */
    List<String> all(String name) {
        int i = find(name, 0);
        if (i < 0) {
            return List.of();
        }
        List<String> all = new ArrayList<>(1);
        for (; i >= 0; i = find(name, i + 1)) {
            all.add(value(i));
        }
        return all;
    }

    /** Whether a list holds a word. Both names are given in small letters. */
    boolean hasToken(String name, String word) {
        for (int i = find(name, 0); i >= 0; i = find(name, i + 1)) {
            int end = places[4 * i + 3];
            for (int p = places[4 * i + 2]; p < end;) {
                int to = p;
                while (to < end && b[to] != ',') {
                    to++;
                }
                int from = p;
                int last = to;
                while (from < last && isSpace(b[from])) {
                    from++;
                }
                while (last > from && isSpace(b[last - 1])) {
                    last--;
                }
                if (last - from == word.length() && isAt(word, from)) {
                    return true;
                }
                p = to + 1;
            }
        }
        return false;
    }
}
