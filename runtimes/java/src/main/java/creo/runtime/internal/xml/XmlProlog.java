package creo.runtime.internal.xml;

import creo.runtime.internal.buffer.Failures;
import creo.runtime.internal.buffer.Utf8;
import creo.runtime.internal.text.TextEncoding;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The beginning of XML: encodings and the declaration (XML-40). Also the characters that XML allows. */
final class XmlProlog {
    private static final int LONGEST_DECLARATION = 200;
    private static final String VALUE = "\\s*=\\s*(\"[^\"]*\"|'[^']*')";
    private static final Pattern DECLARATION = Pattern.compile("<\\?xml\\s+version" + VALUE + "(?:\\s+encoding" + VALUE + ")?(?:\\s+standalone" + VALUE + ")?\\s*\\?>");

    private XmlProlog() {}

    /** The encoding that an ASCII-compatible text declares; null if there is none, or the declaration is invalid. */
    private static String declaredEncoding(byte[] text, int from, int n) {
        String begin = new String(text, from, Math.min(n, LONGEST_DECLARATION), StandardCharsets.ISO_8859_1);
        Matcher m = DECLARATION.matcher(begin);
        return m.lookingAt() && m.group(2) != null ? unquoted(m.group(2)) : null;
    }

    /**
     * The encoding of a text; for UTF-16, including its byte order.
     *
     * @param charset named by the transport; null or empty if none
     */
    static TextEncoding encodingOf(byte[] text, int from, int n, String charset) {
        switch (TextEncoding.mark(text, from, n)) {
            case 2:
                return text[from] == (byte) 0xfe ? TextEncoding.UTF_16BE : TextEncoding.UTF_16LE;
            case 3:
                return TextEncoding.UTF_8;
            default:
        }
        boolean little = n >= 2 && text[from] == '<' && text[from + 1] == 0;
        boolean big = n >= 2 && text[from] == 0 && text[from + 1] == '<';
        if (charset != null && !charset.isEmpty()) {
            TextEncoding e = TextEncoding.known(charset);
            return e != TextEncoding.UTF_16 ? e : little ? TextEncoding.UTF_16LE : TextEncoding.UTF_16BE;
        }
        if (little || big) {
            return little ? TextEncoding.UTF_16LE : TextEncoding.UTF_16BE;
        }
        String declared = declaredEncoding(text, from, n);
        TextEncoding e = declared == null ? TextEncoding.UTF_8 : TextEncoding.known(declared);
        return e.isWide() ? TextEncoding.UTF_8 : e;
    }

    /**
     * The index after the declaration, if there is one.
     *
     * @param marked whether the text began with a byte order mark
     * @param told whether the transport named the encoding, which then overrides the declared one (XML-46)
     */
    static int skip(byte[] b, int p, TextEncoding in, boolean marked, boolean told) {
        if (b[p] != '<' || b[p + 1] != '?' || b[p + 2] != 'x' || b[p + 3] != 'm' || b[p + 4] != 'l' || b[p + 5] > ' ' || b[p + 5] == 0) {
            return p;
        }
        int to = p;
        while (to < p + LONGEST_DECLARATION && b[to] > 0 && b[to] != '>') {
            to++;
        }
        Matcher m = DECLARATION.matcher(new String(b, p, to + 1 - p, StandardCharsets.ISO_8859_1));
        if (!m.matches()) {
            throw Failures.at(Failures.placed(Failures.malformed("an XML declaration that is none")), p);
        }
        String version = unquoted(m.group(1));
        String standalone = m.group(3) == null ? "yes" : unquoted(m.group(3));
        if (!version.equals("1.0")) {
            throw Failures.at(Failures.placed(Failures.malformed("another version of XML than 1.0")), p);
        }
        if (!standalone.equals("yes") && !standalone.equals("no")) {
            throw Failures.at(Failures.placed(Failures.malformed("an XML declaration that is none")), p);
        }
        if (m.group(2) != null && !told) {
            in.checkDeclared(unquoted(m.group(2)), marked);
        }
        return to + 1;
    }

    private static String unquoted(String s) {
        return s.substring(1, s.length() - 1);
    }

    /** The size of the non-ASCII character at {@code p} if it is well formed and allowed in XML; else 0. */
    static int character(byte[] b, int p) {
        int n = Utf8.sequence(b, p, b.length, b[p] & 0xff);
        boolean noncharacter = n == 3 && b[p] == (byte) 0xef && b[p + 1] == (byte) 0xbf && (b[p + 2] & 0xfe) == 0xbe;
        return noncharacter ? 0 : n;
    }

    /** The size of the non-ASCII character at {@code p} if it may be in a name; else 0. */
    static int nameCharacter(byte[] b, int p, boolean first) {
        int n = Utf8.sequence(b, p, b.length, b[p] & 0xff);
        if (n == 0) {
            return 0;
        }
        int c = switch (n) {
            case 2 -> (b[p] & 0x1f) << 6 | b[p + 1] & 0x3f;
            case 3 -> (b[p] & 0x0f) << 12 | (b[p + 1] & 0x3f) << 6 | b[p + 2] & 0x3f;
            default -> (b[p] & 0x07) << 18 | (b[p + 1] & 0x3f) << 12 | (b[p + 2] & 0x3f) << 6 | b[p + 3] & 0x3f;
        };
        boolean start = c >= 0xc0 && c <= 0x2ff && c != 0xd7 && c != 0xf7 || c >= 0x370 && c <= 0x1fff && c != 0x37e || c == 0x200c || c == 0x200d
            || c >= 0x2070 && c <= 0x218f || c >= 0x2c00 && c <= 0x2fef || c >= 0x3001 && c <= 0xd7ff || c >= 0xf900 && c <= 0xfdcf
            || c >= 0xfdf0 && c <= 0xfffd || c >= 0x1_0000 && c <= 0xe_ffff;
        boolean more = c == 0xb7 || c >= 0x300 && c <= 0x36f || c == 0x203f || c == 0x2040;
        return start || more && !first ? n : 0;
    }
}
