package creo.runtime;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;

/** The prefixes that an element finds around it: what it needs of them, so that it can stand for itself (XML-36). */
final class XmlNamespaces {
    /** By prefix, sorted by code point; prefixes are compared as UTF-16, which sorts names of XML alike but for rare ones. */
    private final Map<String, String> all = new TreeMap<>(XmlNamespaces::byCodePoint);

    private XmlNamespaces() {}

    private static int byCodePoint(String a, String b) {
        return java.util.Arrays.compareUnsigned(a.getBytes(StandardCharsets.UTF_8), b.getBytes(StandardCharsets.UTF_8));
    }

    /** Those that are bound around the tag, which has bound those from {@code own} on itself. */
    static XmlNamespaces inScope(XmlScanner s, int own, int bindings) {
        XmlNamespaces found = new XmlNamespaces();
        for (int i = 0; i < own; i++) {
            found.all.put(prefix(s, i), s.bound[i]);
        }
        for (int i = own; i < bindings; i++) {
            found.all.remove(prefix(s, i));
        }
        return found;
    }

    private static String prefix(XmlScanner s, int i) {
        return new String(s.b, s.prefixStart[i], s.prefixLength[i], StandardCharsets.UTF_8);
    }

    /** Declares those that are found in the text of the element. */
    void declare(byte[] b, int from, int to, StringBuilder out) {
        all.forEach((prefix, uri) -> {
            if (!uri.isEmpty() && !prefix.equals("xml") && (prefix.isEmpty() || contains(b, from, to, (prefix + ":").getBytes(StandardCharsets.UTF_8)))) {
                out.append(prefix.isEmpty() ? " xmlns=\"" : " xmlns:" + prefix + "=\"");
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
                out.append('"');
            }
        });
    }

    private static boolean contains(byte[] b, int from, int to, byte[] text) {
        for (int p = from; p + text.length <= to; p++) {
            if (b[p] == text[0] && b[p - 1] != ':' && !XmlScanner.isNameByte(b[p - 1]) && java.util.Arrays.equals(b, p, p + text.length, text, 0, text.length)) {
                return true;
            }
        }
        return false;
    }
}
