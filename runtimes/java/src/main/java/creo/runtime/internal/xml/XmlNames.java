package creo.runtime.internal.xml;

import creo.runtime.CreoException;
import creo.runtime.codegen.TextField;
import creo.runtime.internal.text.TextName;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/** Qualified names as texts (XML-48): each is written with a prefix, and its element declares the prefixes that the message does not. */
final class XmlNames {
    private static final byte[] NONE = {};

    private final XmlOutput out;
    /** The prefixes that the current element declares for names, by their namespaces. */
    private final Map<String, String> own = new HashMap<>();
    /** Declarations to be written. */
    private byte[] missing = NONE;
    /** The start of the value's text. */
    private int start;

    XmlNames(XmlOutput out) {
        this.out = out;
    }

    /** Begins an element whose attributes or text may be names. */
    void clear() {
        own.clear();
        missing = NONE;
    }

    /** Begins a value that is a name, or a list of names. */
    void begin(TextField f) {
        if (f.place == TextField.ELEMENT) {
            clear();
        }
        start = -1;
    }

    /** Writes a name in the form {@code {uri}local} or {@code local}. */
    void write(String name) {
        int close = name.startsWith("{") ? name.indexOf('}') : -1;
        String uri = close > 0 ? name.substring(1, close) : "";
        String local = name.substring(close + 1);
        if (close == 1 || !XmlScanner.isName(local) || uri.equals(TextName.XMLNS)) {
            throw CreoException.invalid("\"" + CreoException.shown(name) + "\" is no qualified name: {uri}local, or local");
        }
        if (start < 0) {
            start = out.pos;
        }
        String prefix = out.prefix(TextName.known(uri));
        if (prefix != null && prefix.isEmpty()) {
            prefix = own.get(uri);
            if (prefix == null) {
                prefix = bind(uri);
            }
        }
        out.put(((prefix == null ? "" : prefix + ":") + local).getBytes(StandardCharsets.UTF_8));
    }

    private String bind(String uri) {
        String prefix = "q" + (own.size() + 1);
        int from = out.pos;
        out.ascii(" xmlns:" + prefix + "=\"");
        out.escaped(uri, true);
        out.ascii("\"");
        int n = out.pos - from;
        out.pos = from;
        int before = missing.length;
        missing = Arrays.copyOf(missing, before + n);
        System.arraycopy(out.buf, from, missing, before, n);
        own.put(uri, prefix);
        return prefix;
    }

    /** Writes the declarations that the value needs: after its attribute, or at the end of the start tag before its text. */
    void declare(TextField f) {
        int n = missing.length;
        if (n == 0) {
            return;
        }
        out.room(n);
        int at = f.place == TextField.ATTRIBUTE ? out.pos : start - 1;
        System.arraycopy(out.buf, at, out.buf, at + n, out.pos - at);
        System.arraycopy(missing, 0, out.buf, at, n);
        out.pos += n;
        missing = NONE;
    }
}
