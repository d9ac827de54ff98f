package creo.runtime.internal.xml;

import creo.runtime.CreoException;
import creo.runtime.Limits;
import creo.runtime.codegen.TextEnum;
import creo.runtime.codegen.TextField;
import creo.runtime.codegen.TextRecord;
import creo.runtime.codegen.TextUnion;
import creo.runtime.internal.buffer.Decimals;
import creo.runtime.internal.text.DateTimes;
import creo.runtime.internal.text.NumberWriter;
import creo.runtime.internal.text.Pool;
import creo.runtime.internal.text.TextName;
import creo.runtime.internal.text.TextOutput;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Writes XML values ({@code spec/wires/xml.md}) into a reusable buffer. */
public final class XmlWriter extends XmlOutput {
    private static final Pool<XmlWriter> POOL = new Pool<>(XmlWriter::new);

    /** Whether start tags contain types, as SOAP encoding requires (SOAP-31). */
    private boolean typed;
    /** Replaces the type in the next start tag, or null. */
    private String style;
    /** Whether the next item is the first of its list. */
    private boolean first;
    /** Whether the current list is in an attribute. */
    private boolean quoted;
    /** The prefixes needed by names in the current element's text. */
    private final XmlNames names = new XmlNames(this);
    /** The MIME parts, or null if byte strings are in the text. */
    private List<byte[]> parts;

    private XmlWriter() {}

    public static XmlWriter borrow(Limits limits) {
        XmlWriter w = POOL.take();
        w.reset(limits);
        w.parts = null;
        w.typed = false;
        w.style = null;
        return w;
    }

    public void giveBack() {
        forget();
        POOL.release(this);
    }

    /** Writes types in start tags from now on; {@code first} replaces the first of them, unless it is null. */
    public void sayTypes(String first) {
        typed = true;
        style = first;
    }

    /** Makes byte strings MIME parts. */
    public List<byte[]> collectParts() {
        parts = new ArrayList<>();
        return parts;
    }

    @Override
    public void beginRecord(TextField f, TextRecord r) {
        switch (f.place) {
            case TextField.ELEMENT -> {
                if (r.open || r.text >= 0) {
                    names.clear();
                }
                if (r.open) {
                    startOpen(f.xml);
                    type(typed ? r.xml : null);
                } else {
                    start(f, typed ? r.xml : null, 0);
                }
            }
            case TextField.DERIVED -> beginDerived(f, r);
            default -> { }
        }
        push(f, PLAIN);
        if (r.recursive) {
            enter();
        }
    }

    private void beginDerived(TextField f, TextRecord r) {
        names.clear();
        startOpen(path[depth - 1].xml);
        type(f.type != null || !typed ? f.type : r.xml);
        if (!r.open) {
            ascii(">");
        }
    }

    @Override
    public void content(TextField f, TextRecord r) {
        if (f.place != TextField.INLINE) {
            ascii(">");
        }
    }

    @Override
    public void absentText() {
        ascii(" xsi:nil=\"true\"");
    }

    @Override
    public void endRecord(TextField f, TextRecord r) {
        depth--;
        if (r.recursive) {
            leave();
        }
        if (f.place == TextField.ELEMENT) {
            endTag(f.xml);
        } else if (f.place == TextField.DERIVED) {
            endTag(path[depth - 1].xml);
        }
    }

    @Override
    public TextField beginUnion(TextField f, TextUnion u, int member) {
        if (!u.derived && f.place == TextField.ELEMENT) {
            start(f.xml, 0);
        }
        push(f, PLAIN);
        // The start of the member, which must not be empty.
        index[depth - 1] = pos;
        if (u.recursive) {
            enter();
        }
        return u.members[member];
    }

    @Override
    public void endUnion(TextField f, TextUnion u) {
        if (pos == index[depth - 1]) {
            throw CreoException.invalid("a member of " + u.name + " without any element: nothing would say which member it is");
        }
        depth--;
        if (u.recursive) {
            leave();
        }
        if (!u.derived && f.place == TextField.ELEMENT) {
            endTag(f.xml);
        }
    }

    @Override
    public CreoException unknownMember(TextField f, TextUnion u, int member) {
        return failed(f, CreoException.invalid("member " + member + " of " + u.name + ", which is not known here: a text wire cannot carry it"));
    }

    @Override
    public TextField beginItems(TextField f, int count) {
        if (f.wrapped) {
            if (f.place == TextField.ELEMENT && typed && f.items != null) {
                startArray(f, count);
            } else if (f.place == TextField.ELEMENT) {
                start(f, f.schema, 0);
            } else if (f.place == TextField.ATTRIBUTE) {
                startAttribute(f.xml);
            }
            if (f.isPrefixed()) {
                names.begin(f);
            }
            first = true;
            quoted = f.place == TextField.ATTRIBUTE;
        }
        push(f, ITEM);
        return f.item;
    }

    @Override
    public void item(int i) {
        index[depth - 1] = i;
    }

    @Override
    public void endItems(TextField f) {
        depth--;
        if (f.wrapped) {
            if (f.place == TextField.ELEMENT) {
                names.declare(f);
                endTag(f.xml);
            } else if (f.place == TextField.ATTRIBUTE) {
                ascii("\"");
                names.declare(f);
            } else {
                names.declare(f);
            }
        }
    }

    @Override
    public void beginEntries(TextField f, int count) {
        start(f.xml, 0);
        push(f, KEY);
    }

    @Override
    public TextField key(TextField f, int i) {
        index[depth - 1] = i;
        kind[depth - 1] = KEY;
        start(f.entryName, 0);
        return f.entry.fields[0];
    }

    @Override
    public TextField value(TextField f) {
        kind[depth - 1] = VALUE;
        return f.entry.fields[1];
    }

    @Override
    public void endEntry(TextField f) {
        endTag(f.entryName);
    }

    @Override
    public void endEntries(TextField f) {
        depth--;
        endTag(f.xml);
    }

    @Override
    public void absent(TextField f) {
        if (f.nillable && f.place == TextField.ELEMENT) {
            nilElement(f.xml);
        }
    }

    /** Writes a start tag, with the type if types are written. */
    private void start(TextField f, TextName type, int room) {
        if (!typed || type == null) {
            start(f.xml, room);
            return;
        }
        startOpen(f.xml);
        type(type);
        ascii(">");
        room(2 * f.xml.bytes.length + 24 + room);
    }

    private void startArray(TextField f, int count) {
        startOpen(f.xml);
        type(f.schema);
        ascii(" " + prefix(f.schema.namespace) + ":arrayType=\"");
        name(f.items);
        ascii("[" + count + "]\">");
    }

    private void type(TextName type) {
        if (style != null) {
            ascii(style);
            style = null;
        } else if (type != null) {
            ascii(" xsi:type=\"");
            name(type);
            ascii("\"");
        }
    }

    private void name(TextName name) {
        String prefix = prefix(name.namespace);
        if (prefix != null) {
            ascii(prefix);
            ascii(":");
        }
        put(name.bytes);
    }

    /** Writes what precedes a value, with room for {@code room} bytes and what follows. */
    private void lead(TextField f, int room) {
        if (f.place == TextField.ELEMENT) {
            start(f, f.schema, room);
        } else {
            room(room);
            if (f.place == TextField.LISTED) {
                if (!first) {
                    buf[pos++] = ' ';
                }
                first = false;
            } else if (f.place == TextField.ATTRIBUTE) {
                startAttribute(f.xml);
                room(room);
            }
        }
    }

    /** Writes what follows a value. */
    private void trail(TextField f) {
        if (f.place == TextField.ELEMENT) {
            end(f.xml);
        } else if (f.place == TextField.ATTRIBUTE) {
            buf[pos++] = '"';
        }
    }

    @Override
    public void writeBoolean(TextField f, boolean v) {
        lead(f, 8);
        ascii(v ? "true" : "false");
        trail(f);
    }

    @Override
    public void writeByte(TextField f, byte v) {
        writeInt(f, v);
    }

    @Override
    public void writeShort(TextField f, short v) {
        writeInt(f, v);
    }

    @Override
    public void writeChar(TextField f, char v) {
        writeInt(f, v);
    }

    @Override
    public void writeInt(TextField f, int v) {
        lead(f, NumberWriter.LONGEST);
        pos = NumberWriter.put(buf, pos, v);
        trail(f);
    }

    @Override
    public void writeLong(TextField f, long v) {
        lead(f, NumberWriter.LONGEST);
        pos = NumberWriter.put(buf, pos, v);
        trail(f);
    }

    @Override
    public void writeFloat(TextField f, float v) {
        lead(f, NumberWriter.LONGEST);
        pos = NumberWriter.put(buf, pos, v);
        trail(f);
    }

    @Override
    public void writeDouble(TextField f, double v) {
        lead(f, NumberWriter.LONGEST);
        pos = NumberWriter.put(buf, pos, v);
        trail(f);
    }

    @Override
    public void writeString(TextField f, String v) {
        if (v == null) {
            throw missing(f);
        }
        if (f.qualifiedName && f.place != TextField.LISTED) {
            names.begin(f);
        }
        lead(f, 0);
        if (f.qualifiedName) {
            writeName(f, v);
            return;
        }
        try {
            if (f.place == TextField.LISTED) {
                checkListed(v);
            }
            escaped(v, f.place == TextField.ATTRIBUTE || quoted && f.place == TextField.LISTED);
        } catch (CreoException e) {
            throw failed(f, e);
        }
        endTagOf(f);
    }

    private void writeName(TextField f, String v) {
        try {
            names.write(v);
        } catch (CreoException e) {
            throw failed(f, e);
        }
        if (f.place == TextField.ATTRIBUTE) {
            endTagOf(f);
        }
        if (f.place != TextField.LISTED) {
            names.declare(f);
        }
        if (f.place == TextField.ELEMENT) {
            endTag(f.xml);
        }
    }

    /** As {@link #trail}, after a text of any length. */
    private void endTagOf(TextField f) {
        room(f.xml.bytes.length + 16);
        trail(f);
    }

    public static void checkListed(String v) {
        for (int i = 0; i < v.length(); i++) {
            if (v.charAt(i) <= ' ') {
                throw CreoException.invalid("white space in an item of a list");
            }
        }
        if (v.isEmpty()) {
            throw CreoException.invalid("an empty item of a list");
        }
    }

    @Override
    public void writeInstant(TextField f, Instant v) {
        if (v == null) {
            throw missing(f);
        }
        lead(f, DateTimes.LONGEST);
        try {
            pos = DateTimes.put(buf, pos, v);
        } catch (CreoException e) {
            throw failed(f, e);
        }
        trail(f);
    }

    @Override
    public void writeDecimal(TextField f, BigDecimal v) {
        if (v == null) {
            throw missing(f);
        }
        if (v.scale() >= 0 && v.scale() <= 18 && v.precision() <= 18) {
            lead(f, NumberWriter.LONGEST);
            pos = NumberWriter.putScaled(buf, pos, v.unscaledValue().longValue(), v.scale());
            trail(f);
            return;
        }
        String text;
        try {
            text = Decimals.text(v);
        } catch (CreoException e) {
            throw failed(f, e);
        }
        lead(f, text.length());
        ascii(text);
        endTagOf(f);
    }

    @Override
    public void writeBytes(TextField f, byte[] v) {
        if (v == null) {
            throw missing(f);
        }
        lead(f, 0);
        if (f.hex) {
            hexadecimal(v);
        } else if (parts != null && v.length >= TextOutput.MIN_PART && (f.place == TextField.ELEMENT || f.place == TextField.TEXT)) {
            ascii("<xop:Include xmlns:xop=\"http://www.w3.org/2004/08/xop/include\" href=\"cid:");
            room(NumberWriter.LONGEST);
            pos = NumberWriter.put(buf, pos, parts.size());
            ascii("@creo\"></xop:Include>");
            parts.add(v);
        } else {
            base64(v);
        }
        endTagOf(f);
    }

    @Override
    public void writeEnum(TextField f, TextEnum e, int number) {
        byte[] text = e.text(number);
        if (text == null) {
            lead(f, NumberWriter.LONGEST);
            buf[pos++] = '#';
            pos = NumberWriter.put(buf, pos, number);
            trail(f);
            return;
        }
        lead(f, text.length);
        if (e.special) {
            String constant = new String(text, StandardCharsets.UTF_8);
            if (f.place == TextField.LISTED) {
                try {
                    checkListed(constant);
                } catch (CreoException failure) {
                    throw failed(f, failure);
                }
            }
            escaped(constant, f.place == TextField.ATTRIBUTE || quoted && f.place == TextField.LISTED);
        } else {
            put(text, 0, text.length);
        }
        endTagOf(f);
    }

    @Override
    public void writeRaw(TextField f, String v) {
        if (v == null) {
            throw missing(f);
        }
        try {
            byte[] bytes = XmlElements.check(v, f.place == TextField.ANY ? null : f.xml, limits);
            put(bytes);
        } catch (CreoException e) {
            throw failed(f, CreoException.invalid(e.reason()));
        }
    }

    @Override
    public void writeAttributes(TextField f, Map<String, String> v) {
        if (v == null) {
            throw missing(f);
        }
        List<String> own = new ArrayList<>();
        for (Map.Entry<String, String> entry : v.entrySet()) {
            if (entry.getKey() == null || entry.getValue() == null) {
                throw missing(f);
            }
            try {
                writeAttribute(entry.getKey(), entry.getValue(), own);
            } catch (CreoException e) {
                throw failed(f, e);
            }
        }
    }

    @Override
    public void writeAttributesAsMap(TextField f, Map<String, String> v) {
        // They are attributes.
    }

    private void writeAttribute(String key, String value, List<String> own) {
        int close = key.startsWith("{") ? key.indexOf('}') : -1;
        String uri = close > 0 ? key.substring(1, close) : "";
        String local = key.substring(close + 1);
        if (!XmlScanner.isName(local) || uri.equals(TextName.XMLNS) || uri.equals(TextName.XSI)) {
            throw CreoException.invalid("\"" + CreoException.shown(key) + "\" is no name of an attribute");
        }
        String prefix = prefix(TextName.known(uri));
        if (prefix != null && prefix.isEmpty()) {
            int known = own.indexOf(uri);
            if (known < 0) {
                own.add(uri);
                known = own.size() - 1;
                ascii(" xmlns:a" + own.size() + "=\"");
                escaped(uri, true);
                ascii("\"");
            }
            prefix = "a" + (known + 1);
        }
        ascii(" ");
        if (prefix != null) {
            ascii(prefix + ":");
        }
        put(local.getBytes(StandardCharsets.UTF_8));
        ascii("=\"");
        escaped(value, true);
        ascii("\"");
    }
}
