package creo.runtime.internal.http;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The fields of a head in their order. Strings are created on demand. */
public final class HttpFields {
    /** The max number of fields in a head (LIM-26). */
    public static final int MAX = 200;

    private final byte[] head;
    /** For each field, the start and end of its name, and of its value. */
    private final int[] spans;
    private final int bytes;

    /**
     * @param head its names are in lower case
     * @param spans four per field
     * @param bytes size of all field lines
     */
    HttpFields(byte[] head, int[] spans, int bytes) {
        this.head = head;
        this.spans = spans;
        this.bytes = bytes;
    }

    public int size() {
        return spans.length >> 2;
    }

    /** The size of all field lines as received. */
    public int bytes() {
        return bytes;
    }

    /** The name, in lower case. */
    public String name(int i) {
        return HttpSyntax.text(head, spans[4 * i], spans[4 * i + 1]);
    }

    /** The value without surrounding white space; one character per byte. */
    public String value(int i) {
        return HttpSyntax.text(head, spans[4 * i + 2], spans[4 * i + 3]);
    }

    /** The bytes that contain the values. */
    byte[] head() {
        return head;
    }

    int valueFrom(int i) {
        return spans[4 * i + 2];
    }

    int valueTo(int i) {
        return spans[4 * i + 3];
    }

    int nameLength(int i) {
        return spans[4 * i + 1] - spans[4 * i];
    }

    public boolean isNamed(int i, String lowerCaseName) {
        return HttpSyntax.isExactly(head, spans[4 * i], spans[4 * i + 1], lowerCaseName);
    }

    public boolean nameStartsWith(int i, String lowerCasePrefix) {
        int from = spans[4 * i];
        int to = from + lowerCasePrefix.length();
        return to <= spans[4 * i + 1] && HttpSyntax.isExactly(head, from, to, lowerCasePrefix);
    }

    private int indexOf(String lowerCaseName, int from) {
        for (int i = from; i < size(); i++) {
            if (isNamed(i, lowerCaseName)) {
                return i;
            }
        }
        return -1;
    }

    public boolean has(String lowerCaseName) {
        return indexOf(lowerCaseName, 0) >= 0;
    }

    /** The value of the first field with the name; null if there is none. */
    public String first(String lowerCaseName) {
        int i = indexOf(lowerCaseName, 0);
        return i < 0 ? null : value(i);
    }

    /** The values of all fields with the name. */
    public List<String> all(String lowerCaseName) {
        int i = indexOf(lowerCaseName, 0);
        if (i < 0) {
            return List.of();
        }
        List<String> values = new ArrayList<>();
        for (; i >= 0; i = indexOf(lowerCaseName, i + 1)) {
            values.add(value(i));
        }
        return values;
    }

    /** Whether a list, in one or several fields of the name, contains this element, ignoring case. */
    public boolean hasToken(String lowerCaseName, String token) {
        for (int i = indexOf(lowerCaseName, 0); i >= 0; i = indexOf(lowerCaseName, i + 1)) {
            if (hasToken(head, spans[4 * i + 2], spans[4 * i + 3], token.toLowerCase(Locale.ROOT))) {
                return true;
            }
        }
        return false;
    }

    /** Whether a comma-separated list contains this element, given in lower case. */
    static boolean hasToken(byte[] b, int from, int to, String small) {
        for (int p = from; p < to;) {
            int end = HttpSyntax.comma(b, p, to);
            int first = HttpSyntax.skipSpace(b, p, end);
            if (HttpSyntax.is(b, first, HttpSyntax.trim(b, first, end), small)) {
                return true;
            }
            p = end + 1;
        }
        return false;
    }
}
