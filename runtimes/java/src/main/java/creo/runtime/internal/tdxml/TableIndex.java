package creo.runtime.internal.tdxml;

/** Row indices as well-formed texts (TDX-11, TDX-13). */
public final class TableIndex {
    private TableIndex() {}

    /** Compares two indices step by step: an index before its extensions, attributes before elements, numbers ascending. */
    public static int compare(String a, String b) {
        int p = 0;
        while (p < a.length() && p < b.length() && a.charAt(p) == b.charAt(p)) {
            p++;
        }
        if (p == a.length() || p == b.length()) {
            // One extends the other, possibly within the digits of an occurrence.
            return Integer.compare(a.length(), b.length());
        }
        char c = a.charAt(p);
        char d = b.charAt(p);
        boolean digit = isDigit(c);
        boolean other = isDigit(d);
        if (digit && other) {
            int longer = Integer.compare(digitsEnd(a, p), digitsEnd(b, p));
            return longer != 0 ? longer : Character.compare(c, d);
        }
        if (digit || other) {
            // More digits, or an occurrence that the other does not have.
            return digit ? 1 : -1;
        }
        return c == '(' ? -1 : d == '(' ? 1 : Character.compare(c, d);
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    private static int digitsEnd(String s, int p) {
        while (p < s.length() && isDigit(s.charAt(p))) {
            p++;
        }
        return p;
    }

    /** Whether an index is at or beneath another. */
    public static boolean isBeneath(String index, String above) {
        return index.startsWith(above) && (index.length() == above.length() || !isDigit(index.charAt(above.length())));
    }

    /** The length of the shortest sequence of steps longer than {@code length}; a step is an element with its occurrence, or an attribute. */
    static int nextStep(String index, int length) {
        int p = length + 1;
        while (index.charAt(p - 1) != ']' && index.charAt(p - 1) != ')') {
            p++;
        }
        return digitsEnd(index, p);
    }

    /** Where the final occurrence begins; the index's length if there is none. */
    static int occurrence(String index) {
        int p = index.length();
        while (isDigit(index.charAt(p - 1))) {
            p--;
        }
        return p;
    }
}
