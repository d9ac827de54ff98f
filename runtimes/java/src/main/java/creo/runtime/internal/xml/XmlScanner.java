package creo.runtime.internal.xml;

import creo.runtime.CreoException;
import creo.runtime.codegen.Bytes;
import creo.runtime.internal.buffer.PaddedBytes;
import creo.runtime.internal.text.TextEncoding;
import creo.runtime.internal.text.TextName;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The syntax of XML 1.0 with namespaces (XML-40 to XML-43): tags, attributes, prefixes, text. It reads one array whose end is followed by zeros. XML
 * contains no zeros, so checks for the end are unnecessary.
 */
public abstract class XmlScanner extends XmlCursor {
    private static final int NAME_START = 1;
    private static final int NAME = 2;
    private static final int SEEN = 8;
    private static final int MOST_SEEN = 256;
    private static final byte[] CLASS = new byte[128];

    static {
        for (int c = 0; c < 128; c++) {
            boolean letter = c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_';
            boolean more = c >= '0' && c <= '9' || c == '-' || c == '.';
            CLASS[c] = (byte) (letter ? NAME_START | NAME : more ? NAME : 0);
        }
    }


    /** For each open element, the position of its name, and the number of prefixes bound before it. */
    public int[] nameStart = new int[32];
    int[] nameLength = new int[32];
    public int[] scope = new int[32];
    public int open;

    public final XmlPrefixes prefixes = new XmlPrefixes();
    /** The size of the declarations added to values so far (XML-45). */
    long declared;

    /** Namespaces of descriptors as written in earlier texts, which the next text is likely to use too; and the slot for the next one. */
    private final byte[][] seenText = new byte[SEEN][];
    private final String[] seen = new String[SEEN];
    private int nextSeen;

    /** The prefix looked up last, with its colon. */
    long likelyPrefix;
    long likelyMask;
    int likelyLength;
    String likelyNamespace;

    /** State that another wire keeps with the reader, or null. */
    public Object companion;
    /** Whether the prefix TDXML needs no declaration (TDX-1). */
    public boolean tables;
    public String tagNamespace;
    public int tagLocal;
    public int tagEnd;

    public int attributes;
    public int[] attributeName = new int[16];
    public int[] attributeLocal = new int[16];
    public int[] attributeEnd = new int[16];
    public String[] attributeNamespace = new String[16];
    public int[] valueStart = new int[16];
    int[] valueEnd = new int[16];
    boolean[] valuePlain = new boolean[16];

    /** Reads a copy of a text. */
    public final void open(byte[] text, int from, int n, String charset) {
        if (n > limits.maxMessageSize()) {
            throw CreoException.tooLarge("maxMessageSize", limits.maxMessageSize(), "an XML text of " + n + " bytes");
        }
        chargeBody(n);
        TextEncoding encoding = XmlProlog.encodingOf(text, from, n, charset);
        boolean told = charset != null && !charset.isEmpty();
        if (encoding != TextEncoding.UTF_8) {
            int mark = TextEncoding.mark(text, from, n);
            TextEncoding.Decoded decoded = encoding.decode(text, from + mark, n - mark);
            openOwn(decoded.bytes(), decoded.length(), encoding, told);
            return;
        }
        byte[] own = b.length >= n + PADDING && b.length < 1 << 20 ? b : new byte[n + PADDING];
        System.arraycopy(text, from, own, 0, n);
        openOwn(own, n, encoding, told);
    }

    /** Reads a body that is plain XML. */
    public final void openBody(PaddedBytes body, String charset) {
        byte[] bytes = body.bytes();
        int n = body.length();
        memory = body.charged(limits);
        TextEncoding encoding = XmlProlog.encodingOf(bytes, 0, n, charset);
        if (encoding != TextEncoding.UTF_8) {
            open(bytes, 0, n, charset);
        } else {
            openOwn(bytes, n, encoding, charset != null && !charset.isEmpty());
        }
    }

    /** Reads an array that the scanner owns, with room for zeros at its end. */
    private void openOwn(byte[] text, int to, TextEncoding encoding, boolean told) {
        Arrays.fill(text, to, to + PADDING, (byte) 0);
        b = text;
        end = to;
        pos = 0;
        open = 0;
        prefixes.reset(b, 0);
        attributes = 0;
        empty = false;
        declared = 0;
        forgetPrefix();
        if (encoding == TextEncoding.UTF_8) {
            pos = TextEncoding.mark(b, 0, to);
        }
        first = 0;
        pos = XmlProlog.skip(b, pos, encoding, pos > 0, told);
    }

    public final void release() {
        if (b.length > 1 << 20) {
            b = new byte[PADDING];
        }
        if (scratch.length > 1 << 16) {
            scratch = new byte[256];
        }
        slice = null;
        memory = null;
    }

    final int offset(int at) {
        return at - first;
    }

    /** A name of the text, for messages. */
    public final String shown(int from, int to) {
        return "\"" + CreoException.shown(new String(b, from, Math.min(to, from + 100) - from, StandardCharsets.UTF_8)) + "\"";
    }

    public final String shownTag() {
        String text = shown(tagLocal, tagEnd);
        return tagNamespace.isEmpty() ? text : text + " of the namespace \"" + CreoException.shown(tagNamespace) + "\"";
    }

    static boolean isName(String s) {
        byte[] bytes = Arrays.copyOf(s.getBytes(StandardCharsets.UTF_8), s.length() * 3 + PADDING);
        int n = s.getBytes(StandardCharsets.UTF_8).length;
        return n > 0 && nameEnd(bytes, 0) == n;
    }

    /** Whether a byte can be part of a name, at the position before a final colon. */
    static boolean isNameByte(byte c) {
        return c < 0 || CLASS[c] != 0;
    }

    /** The index after the name without colon at {@code p}; {@code p} if there is none. */
    static int nameEnd(byte[] b, int p) {
        int c = b[p];
        if (c >= 0) {
            if ((CLASS[c] & NAME_START) == 0) {
                return p;
            }
            p++;
        } else {
            int n = XmlProlog.nameCharacter(b, p, true);
            if (n == 0) {
                return p;
            }
            p += n;
        }
        while (true) {
            c = b[p];
            if (c >= 0) {
                if (CLASS[c] == 0) {
                    return p;
                }
                p++;
            } else {
                int n = XmlProlog.nameCharacter(b, p, false);
                if (n == 0) {
                    return p;
                }
                p += n;
            }
        }
    }

    private int name(int p) {
        int to = nameEnd(b, p);
        if (to == p) {
            throw malformed(p, "no name, where one must be");
        }
        return to;
    }

    private void checkName(int from, int to) {
        if (to - from > limits.maxXmlName()) {
            throw tooLarge(from, "maxXmlName", limits.maxXmlName(), "a name of " + (to - from) + " bytes");
        }
    }

    /** Opens an element whose name is at an index. */
    final void push(int name, int length) {
        if (open == nameStart.length || open >= limits.maxXmlDepth()) {
            if (open >= limits.maxXmlDepth()) {
                throw tooLarge(name - 1, "maxXmlDepth", limits.maxXmlDepth(), "elements that are nested too deeply");
            }
            nameStart = Arrays.copyOf(nameStart, 2 * open);
            nameLength = Arrays.copyOf(nameLength, 2 * open);
            scope = Arrays.copyOf(scope, 2 * open);
        }
        nameStart[open] = name;
        nameLength[open] = length;
        scope[open++] = prefixes.count;
    }

    private void pop() {
        open--;
        if (prefixes.count != scope[open]) {
            prefixes.reset(b, scope[open]);
            forgetPrefix();
        }
    }

    /** Restores an earlier number of open elements and bound prefixes. */
    public final void rewind(int to, int elements, int bindings) {
        pos = to;
        open = elements;
        prefixes.reset(b, bindings);
        empty = false;
        attributes = 0;
        forgetPrefix();
    }

    private void forgetPrefix() {
        // No tag begins with this byte.
        likelyPrefix = -1L << 56;
        likelyMask = -1L << 56;
        likelyNamespace = null;
    }

    /** Whether {@code n} bytes at two positions are equal. */
    final boolean same(int s, int t, int n) {
        return same(b, s, t, n);
    }

    static boolean same(byte[] bytes, int s, int t, int n) {
        for (; n > 8; n -= 8, s += 8, t += 8) {
            if (Bytes.getLong(bytes, s) != Bytes.getLong(bytes, t)) {
                return false;
            }
        }
        return n == 0 || (Bytes.getLong(bytes, s) ^ Bytes.getLong(bytes, t)) >>> 64 - 8 * n == 0;
    }

    /** Reads the innermost element's end tag if it is at an index in its plain form. */
    final boolean close(int p) {
        int k = open - 1;
        int n = nameLength[k];
        if (b[p] != '<' || b[p + 1] != '/' || !same(nameStart[k], p + 2, n) || b[p + 2 + n] != '>') {
            return false;
        }
        pop();
        pos = p + 3 + n;
        return true;
    }

    /** Reads the innermost element's end tag. */
    public final void endTag() {
        if (empty) {
            empty = false;
            pop();
            return;
        }
        if (close(pos)) {
            return;
        }
        int p = pos;
        int n = nameLength[open - 1];
        if (b[p] != '<' || b[p + 1] != '/') {
            throw malformed(p, "content, where the element must end");
        }
        int from = p + 2;
        if (from + n > end || !same(nameStart[open - 1], from, n)) {
            throw malformed(p, "an end tag that is not that of " + shown(nameStart[open - 1], nameStart[open - 1] + n));
        }
        p = skipSpace(from + n);
        if (b[p] != '>') {
            throw malformed(p, "an end tag that is not that of " + shown(nameStart[open - 1], nameStart[open - 1] + n));
        }
        pop();
        pos = p + 1;
    }

    /** Goes to the next tag: true if it opens an element, false if the innermost one ends. Skips comments and white space. */
    public final boolean child() {
        if (empty) {
            return false;
        }
        int p = pos;
        while (true) {
            int c = b[p];
            if (c == '<') {
                int next = b[p + 1];
                if (next != '!' && next != '?') {
                    pos = p;
                    return next != '/';
                }
                if (open > 0 && isAt(p, "<![CDATA[")) {
                    int from = p + 9;
                    p = cdataEnd(p);
                    if (skipSpace(from) < p - 3) {
                        skipText(from);
                    }
                } else {
                    p = comment(p);
                }
            } else if (isSpace(c)) {
                p++;
            } else if (c == '&' && open > 0) {
                int code = reference(p);
                if (code > ' ' || !isSpace(code)) {
                    skipText(p);
                }
                p = referenceEnd;
            } else if (open == 0) {
                throw malformed(p, "no element, where one must be");
            } else {
                checkBrackets(p);
                int next = character(p);
                skipText(p);
                p = next;
            }
        }
    }

    private void skipText(int at) {
        if (!lenient) {
            throw XmlLenience.skipped(this, at, "text, where an element must be");
        }
    }

    /** Skips white space and comments after the root; fails if anything else follows. */
    public final void endDocument() {
        int p = pos;
        while (p < end) {
            if (isSpace(b[p])) {
                p++;
            } else if (b[p] == '<' && (b[p + 1] == '!' || b[p + 1] == '?')) {
                p = comment(p);
            } else {
                throw malformed(p, "something after the last element");
            }
        }
        pos = p;
    }

    /** Reads the start tag at {@link #pos}: opens its element, finds its name and its attributes. */
    public final void startTag() {
        int from = pos + 1;
        int p = name(from);
        int colon = -1;
        if (b[p] == ':') {
            colon = p;
            p = name(p + 1);
        }
        checkName(from, p);
        attributes = 0;
        push(from, p - from);
        tagLocal = colon < 0 ? from : colon + 1;
        tagEnd = p;
        if (b[p] == '>') {
            pos = p + 1;
        } else {
            attributes(p);
        }
        tagNamespace = resolve(from, colon < 0 ? 0 : colon - from, true);
        likely(from, colon < 0 ? 0 : colon + 1 - from);
    }

    /** Remembers the tag's prefix, which the next tag is likely to have too. */
    private void likely(int from, int length) {
        if (length > 8) {
            forgetPrefix();
            return;
        }
        likelyLength = length;
        likelyMask = length == 0 ? 0 : -1L << 64 - 8 * length;
        likelyPrefix = Bytes.getLong(b, from) & likelyMask;
        likelyNamespace = tagNamespace;
    }

    /** The namespace of the prefix of {@code n} bytes at a position. */
    private String resolve(int from, int n, boolean element) {
        if (n == 0 && !element) {
            return TextName.NONE;
        }
        int found = prefixes.find(b, b, from, n);
        if (found >= 0) {
            return prefixes.uri[found];
        }
        if (n == 0) {
            return TextName.NONE;
        }
        if (n == 3 && b[from] == 'x' && b[from + 1] == 'm' && b[from + 2] == 'l') {
            return TextName.XML;
        }
        if (tables && n == 5 && isAt(from, "TDXML")) {
            return TextName.TABLES;
        }
        throw malformed(from, "the prefix " + shown(from, from + n) + ", which is not bound");
    }

    /** The namespace of the prefix of {@code n} bytes at a position of a slice, or null. */
    final String namespaceOf(byte[] bytes, int from, int n) {
        int found = prefixes.find(b, bytes, from, n);
        if (found >= 0) {
            return prefixes.uri[found];
        }
        boolean xml = n == 3 && bytes[from] == 'x' && bytes[from + 1] == 'm' && bytes[from + 2] == 'l';
        return xml ? TextName.XML : n == 0 ? TextName.NONE : null;
    }

    private void attributes(int p) {
        int all = 0;
        while (true) {
            int before = p;
            p = skipSpace(p);
            if (b[p] == '>') {
                pos = p + 1;
                break;
            }
            if (b[p] == '/' && b[p + 1] == '>') {
                pos = p + 2;
                empty = true;
                break;
            }
            if (p == before) {
                throw malformed(p, "no white space before an attribute");
            }
            if (++all > limits.maxXmlAttributes()) {
                throw tooLarge(p, "maxXmlAttributes", limits.maxXmlAttributes(), "too many attributes");
            }
            p = attribute(p);
        }
        for (int i = 0; i < attributes; i++) {
            int prefix = attributeLocal[i] - attributeName[i] - 1;
            attributeNamespace[i] = prefix < 0 ? TextName.NONE : resolve(attributeName[i], prefix, false);
            for (int k = 0; k < i; k++) {
                int n = attributeEnd[i] - attributeLocal[i];
                if (attributeEnd[k] - attributeLocal[k] == n && same(attributeLocal[i], attributeLocal[k], n)
                        && attributeNamespace[i].equals(attributeNamespace[k])) {
                    throw malformed(attributeName[i], "the attribute " + shown(attributeName[i], attributeEnd[i]) + ", which was there before");
                }
            }
        }
    }

    private int attribute(int from) {
        int p = name(from);
        int local = from;
        if (b[p] == ':') {
            local = p + 1;
            p = name(local);
        }
        checkName(from, p);
        int nameEnd = p;
        p = skipSpace(p);
        if (b[p] != '=') {
            throw malformed(p, "an attribute without a value");
        }
        p = skipSpace(p + 1);
        int quote = b[p];
        if (quote != '"' && quote != '\'') {
            throw malformed(p, "a value of an attribute without quotes");
        }
        int start = ++p;
        boolean binds = isAt(from, "xmlns") && (from + 5 == nameEnd || local == from + 6);
        int prefix = local == from ? nameEnd : local;
        if (binds) {
            for (int k = 0; k < SEEN && seen[k] != null; k++) {
                int to = start + seenText[k].length;
                if (to < end && b[to] == quote && Arrays.equals(b, start, to, seenText[k], 0, to - start)) {
                    checkAttribute(start, to);
                    bind(prefix, nameEnd - prefix, seen[k], from);
                    return to + 1;
                }
            }
        }
        boolean plain = true;
        while (b[p] != quote) {
            int c = b[p];
            if (c == '<') {
                throw malformed(p, "\"<\" within an attribute");
            }
            if (c == '&') {
                reference(p);
                p = referenceEnd;
                plain = false;
            } else {
                plain &= c >= 0x20 || c < 0;
                p = character(p);
            }
        }
        checkAttribute(start, p);
        if (binds) {
            bind(prefix, nameEnd - prefix, namespace(start, p, plain), from);
            return p + 1;
        }
        if (attributes == attributeName.length) {
            int n = 2 * attributes;
            attributeName = Arrays.copyOf(attributeName, n);
            attributeLocal = Arrays.copyOf(attributeLocal, n);
            attributeEnd = Arrays.copyOf(attributeEnd, n);
            attributeNamespace = Arrays.copyOf(attributeNamespace, n);
            valueStart = Arrays.copyOf(valueStart, n);
            valueEnd = Arrays.copyOf(valueEnd, n);
            valuePlain = Arrays.copyOf(valuePlain, n);
        }
        attributeName[attributes] = from;
        attributeLocal[attributes] = local;
        attributeEnd[attributes] = nameEnd;
        valueStart[attributes] = start;
        valueEnd[attributes] = p;
        valuePlain[attributes++] = plain;
        return p + 1;
    }

    private void checkAttribute(int from, int to) {
        if (to - from > limits.maxXmlText()) {
            throw tooLarge(from, "maxXmlText", limits.maxXmlText(), "an attribute of " + (to - from) + " bytes");
        }
    }

    /** The namespace in the value of an attribute. */
    private String namespace(int from, int to, boolean plain) {
        expand(from, to, plain);
        String uri = new String(slice, sliceFrom, sliceTo - sliceFrom, StandardCharsets.UTF_8);
        String known = TextName.known(uri);
        // A quote could end the value if it is enclosed in that kind of quotes.
        if (known != uri && plain && to - from <= MOST_SEEN && uri.indexOf('"') < 0 && uri.indexOf('\'') < 0) {
            seenText[nextSeen] = Arrays.copyOfRange(b, from, to);
            seen[nextSeen] = known;
            nextSeen = (nextSeen + 1) % SEEN;
        }
        return known;
    }

    private void bind(int prefix, int n, String uri, int at) {
        boolean xml = n == 3 && isAt(prefix, "xml");
        if (n > 0 && uri.isEmpty() || xml != uri.equals(TextName.XML) || uri.equals(TextName.XMLNS) || n == 5 && isAt(prefix, "xmlns")) {
            throw malformed(at, "a prefix that may not be bound to this namespace");
        }
        if (prefixes.find(b, b, prefix, n) >= scope[open - 1]) {
            throw malformed(at, "a prefix that is bound twice by one element");
        }
        if (prefixes.count >= limits.maxXmlNamespaces()) {
            throw tooLarge(at, "maxXmlNamespaces", limits.maxXmlNamespaces(), "too many prefixes");
        }
        prefixes.bind(b, prefix, n, uri);
        forgetPrefix();
    }

    /** Sets the slice to an attribute's value, with references and white space replaced. */
    public final void expand(int i) {
        expand(valueStart[i], valueEnd[i], valuePlain[i]);
    }

    /** Skips the rest of the innermost element and its content. */
    public final void skipElement() {
        int depth = open - 1;
        while (open > depth) {
            if (empty) {
                endTag();
                continue;
            }
            int p = pos;
            int c = b[p];
            if (c == '<') {
                if (b[p + 1] == '/') {
                    endTag();
                } else if (isAt(p, "<![CDATA[")) {
                    pos = cdataEnd(p);
                } else if (b[p + 1] == '!' || b[p + 1] == '?') {
                    pos = comment(p);
                } else {
                    startTag();
                }
            } else if (c == '&') {
                reference(p);
                pos = referenceEnd;
            } else {
                if (c == ']') {
                    checkBrackets(p);
                }
                pos = character(p);
            }
        }
    }
}
