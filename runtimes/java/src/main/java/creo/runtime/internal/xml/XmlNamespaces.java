package creo.runtime.internal.xml;

import creo.runtime.internal.text.TextName;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** The declarations that make an element standalone: the default namespace, and each outer prefix that its text uses (XML-36). */
final class XmlNamespaces {
    private final XmlScanner s;
    /** The bindings to declare, each once. */
    private int[] needed = new int[4];
    private int count;
    private boolean[] seen = {};

    private XmlNamespaces(XmlScanner s) {
        this.s = s;
    }

    /**
     * The declarations for the element from {@code from} to {@code to}, which has ended. There were {@code around} bindings before its start tag, and
     * {@code all} after it.
     */
    static String missing(XmlScanner s, int from, int to, int around, int all) {
        if (around == 0) {
            return "";
        }
        XmlNamespaces found = new XmlNamespaces(s);
        s.prefixes.reset(s.b, all);
        found.add(from, from, around);
        for (int p = from; p < to; p++) {
            if (s.b[p] == ':') {
                int start = p;
                while (XmlScanner.isNameByte(s.b[start - 1])) {
                    start--;
                }
                if (start < p && s.b[start - 1] != ':') {
                    found.add(start, p, around);
                }
            }
        }
        s.prefixes.reset(s.b, around);
        return found.declarations();
    }

    /** Adds the prefix from {@code from} to {@code to} if it is bound around the element. */
    private void add(int from, int to, int around) {
        int i = s.prefixes.find(s.b, s.b, from, to - from);
        if (i < 0 || i >= around || i < seen.length && seen[i]) {
            return;
        }
        String uri = s.prefixes.uri[i];
        if (uri.isEmpty() || uri.equals(TextName.XML)) {
            return;
        }
        if (count == needed.length) {
            needed = Arrays.copyOf(needed, 2 * count);
        }
        needed[count++] = i;
        if (seen.length <= i) {
            seen = Arrays.copyOf(seen, 2 * i + 8);
        }
        seen[i] = true;
    }

    private String declarations() {
        XmlPrefixes all = s.prefixes;
        int[] sorted = Arrays.stream(needed, 0, count).boxed().sorted((i, k) -> Arrays.compareUnsigned(
            s.b, all.start[i], all.start[i] + all.length[i], s.b, all.start[k], all.start[k] + all.length[k])).mapToInt(i -> i).toArray();
        StringBuilder out = new StringBuilder();
        for (int i : sorted) {
            String prefix = new String(s.b, all.start[i], all.length[i], StandardCharsets.UTF_8);
            out.append(prefix.isEmpty() ? " xmlns=\"" : " xmlns:" + prefix + "=\"");
            escape(all.uri[i], out);
            out.append('"');
        }
        return out.toString();
    }

    private static void escape(String uri, StringBuilder out) {
        for (int i = 0; i < uri.length(); i++) {
            switch (uri.charAt(i)) {
                case '&' -> out.append("&amp;");
                case '<' -> out.append("&lt;");
                case '>' -> out.append("&gt;");
                case '"' -> out.append("&quot;");
                case '\t' -> out.append("&#9;");
                case '\n' -> out.append("&#10;");
                case '\r' -> out.append("&#13;");
                default -> out.append(uri.charAt(i));
            }
        }
    }
}
