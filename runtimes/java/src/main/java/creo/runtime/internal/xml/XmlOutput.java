package creo.runtime.internal.xml;

import creo.runtime.Limits;
import creo.runtime.internal.text.TextName;
import creo.runtime.internal.text.TextOutput;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Writes the bytes of XML: tags, prefixes, escapes. Tags are copied eight bytes at a time; numbers are written directly to the buffer. */
public abstract class XmlOutput extends TextOutput {
    /** For each ASCII character in text: 0 unescaped, 1 escaped, 2 not allowed; plus 4 if it is escaped in attributes. */
    private static final byte[] KIND = new byte[128];

    static {
        Arrays.fill(KIND, 0, 32, (byte) 2);
        KIND['\t'] = 4;
        KIND['\n'] = 4;
        KIND['"'] = 4;
        KIND['\r'] = 1;
        KIND['&'] = 1;
        KIND['<'] = 1;
        KIND['>'] = 1;
    }

    private XmlDeclarations declarations = XmlDeclarations.NONE;
    /** The namespace whose prefix is in {@link #open} and {@link #close}. */
    private String current;
    private long open;
    private int openLength;
    private long close;
    private int closeLength;
    /** Whether the next element declares the prefixes. */
    private boolean declare;

    @Override
    public void reset(Limits limits) {
        super.reset(limits);
        declarations = XmlDeclarations.NONE;
        current = null;
        declare = false;
    }

    /** Declares the prefixes of the namespaces on the next element. */
    public final void declareOnNext(XmlDeclarations all) {
        bind(all);
        declare = true;
    }

    /** Uses the prefixes of the namespaces. */
    public final void bind(XmlDeclarations all) {
        declarations = all;
        current = null;
    }

    /** Writes the declarations of the prefixes (XML-2). */
    public final void declarations() {
        XmlDeclarations all = declarations;
        byte[] text = all.text;
        if (text != null) {
            put(text);
            return;
        }
        int from = pos;
        for (int i = 0; i < all.namespaces.length; i++) {
            ascii(" xmlns:" + all.prefixes[i].text + "=\"");
            escaped(all.namespaces[i], true);
            ascii("\"");
        }
        if (all.xsi) {
            ascii(" xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\"");
        }
        all.text = Arrays.copyOfRange(buf, from, pos);
    }

    /** The prefix of a namespace, without its colon: null for no prefix, and empty if the message does not declare it. */
    final String prefix(String namespace) {
        XmlDeclarations.Prefix prefix = declarations.prefix(namespace);
        return prefix == null ? "" : prefix.text;
    }

    private void select(String namespace) {
        XmlDeclarations.Prefix prefix = declarations.prefix(namespace);
        if (prefix == null) {
            throw new IllegalStateException("the namespace " + namespace + " is not among those of the message");
        }
        open = prefix.open;
        openLength = 1 + prefix.length;
        close = prefix.close;
        closeLength = 2 + prefix.length;
        current = namespace;
    }

    /** Writes a start tag; makes room for {@code room} bytes and its end tag. */
    final void start(TextName x, int room) {
        int need = 2 * x.bytes.length + 24 + room;
        if (buf.length - pos - SLACK < need) {
            grow(need);
        }
        if (declare) {
            startOpen(x);
            buf[pos++] = '>';
            room(need);
            return;
        }
        if (x.namespace != current) {
            select(x.namespace);
        }
        byte[] b = buf;
        int p = pos;
        LONG.set(b, p, open);
        p += openLength;
        long[] tag = x.tag;
        int q = p;
        for (long word : tag) {
            LONG.set(b, q, word);
            q += 8;
        }
        pos = p + x.bytes.length + 1;
    }

    /** Writes a start tag that stays open for attributes. */
    final void startOpen(TextName x) {
        room(2 * x.bytes.length + 24);
        if (x.namespace != current) {
            select(x.namespace);
        }
        LONG.set(buf, pos, open);
        pos += openLength;
        System.arraycopy(x.bytes, 0, buf, pos, x.bytes.length);
        pos += x.bytes.length;
        if (declare) {
            declare = false;
            declarations();
        }
    }

    /** Writes an end tag for which {@link #start} has made room. */
    final void end(TextName x) {
        if (x.namespace != current) {
            select(x.namespace);
        }
        byte[] b = buf;
        int p = pos;
        LONG.set(b, p, close);
        p += closeLength;
        int q = p;
        for (long word : x.tag) {
            LONG.set(b, q, word);
            q += 8;
        }
        pos = p + x.bytes.length + 1;
    }

    /** Writes an end tag. */
    final void endTag(TextName x) {
        room(x.bytes.length + 16);
        end(x);
    }

    final void nilElement(TextName x) {
        startOpen(x);
        ascii(" xsi:nil=\"true\">");
        endTag(x);
    }

    /** Writes the name and the first quote of an attribute. */
    final void startAttribute(TextName x) {
        String prefix = prefix(x.namespace);
        ascii(" ");
        if (prefix != null) {
            ascii(prefix);
            ascii(":");
        }
        put(x.bytes);
        ascii("=\"");
    }

    /** Writes escaped text (XML-12); fails for characters that XML does not allow. */
    public final void escaped(String s, boolean attribute) {
        int n = s.length();
        room(n);
        if (n > SHORT && !attribute) {
            // Characters of several bytes become question marks, where the slow path takes over.
            byte[] t = s.getBytes(StandardCharsets.ISO_8859_1);
            int plain = plain(t, n);
            System.arraycopy(t, 0, buf, pos, plain);
            pos += plain;
            if (plain < n) {
                escaped(s, plain, n, false);
            }
            return;
        }
        byte[] b = buf;
        int p = pos;
        for (int i = 0; i < n; i++) {
            char c = s.charAt(i);
            if (c >= 128 || KIND[c] != 0) {
                pos = p;
                escaped(s, i, n, attribute);
                return;
            }
            b[p++] = (byte) c;
        }
        pos = p;
    }

    /** The number of ASCII bytes before the first that needs an escape or is a question mark. */
    private static int plain(byte[] t, int n) {
        int i = 0;
        for (; i + 8 <= n; i += 8) {
            long w = (long) LONG.get(t, i);
            if ((special(w) & 0x8080_8080_8080_8080L) != 0) {
                break;
            }
        }
        while (i < n && t[i] >= 0x20 && t[i] != '<' && t[i] != '>' && t[i] != '&' && t[i] != '?') {
            i++;
        }
        return i;
    }

    /** Sets the high bit of bytes below 32 or above 127, and of the four checked ones; perhaps also of bytes next to them. */
    private static long special(long w) {
        long ones = 0x0101_0101_0101_0101L;
        long less = w - ones * 0x20;
        long amp = (w ^ ones * '&') - ones;
        // '<', '>' and '?' have the bits 0x3c; 0x3d ('=') is caught with them.
        long angle = (w & ones * 0xfc ^ ones * 0x3c) - ones;
        return w | less | amp & ~(w ^ ones * '&') | angle & ~(w & ones * 0xfc ^ ones * 0x3c);
    }

    private void escaped(String s, int i, int n, boolean attribute) {
        while (i < n) {
            room(6 + (n - i));
            byte[] b = buf;
            int p = pos;
            int last = b.length - SLACK;
            for (; i < n && p < last; i++) {
                char c = s.charAt(i);
                if (c < 128) {
                    int kind = KIND[c];
                    if (kind == 0 || kind == 4 && !attribute) {
                        b[p++] = (byte) c;
                    } else {
                        p = escape(b, p, c, i);
                    }
                } else {
                    int start = p;
                    p = xmlCharacter(b, p, s, i);
                    i += p - start == 4 ? 1 : 0;
                }
            }
            pos = p;
        }
    }

    private static int escape(byte[] b, int p, char c, int i) {
        String text = switch (c) {
            case '&' -> "&amp;";
            case '<' -> "&lt;";
            case '>' -> "&gt;";
            case '"' -> "&quot;";
            case '\r' -> "&#13;";
            case '\n' -> "&#10;";
            case '\t' -> "&#9;";
            default -> throw forbidden(c, i);
        };
        for (int k = 0; k < text.length(); k++) {
            b[p++] = (byte) text.charAt(k);
        }
        return p;
    }
}
