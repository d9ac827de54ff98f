package creo.runtime.internal.tdxml;

import creo.runtime.CreoException;
import creo.runtime.Limits;
import creo.runtime.TableOptions;
import creo.runtime.TableScheme;
import creo.runtime.codegen.TextCodec;
import creo.runtime.codegen.TextEnum;
import creo.runtime.codegen.TextField;
import creo.runtime.codegen.TextMessage;
import creo.runtime.codegen.TextRecord;
import creo.runtime.codegen.TextUnion;
import creo.runtime.internal.buffer.Decimals;
import creo.runtime.internal.text.DateTimes;
import creo.runtime.internal.text.NumberWriter;
import creo.runtime.internal.text.Pool;
import creo.runtime.internal.text.TextOutput;
import creo.runtime.internal.xml.XmlElements;
import creo.runtime.internal.xml.XmlWriter;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Writes table values ({@code spec/wires/tdxml.md}), in either scheme, into a reusable buffer. */
public final class TableWriter extends TableOutput {
    private static final Pool<TableWriter> POOL = new Pool<>(TableWriter::new);
    /** The step of a map's entries, and of items in a wrapped array. */
    private static final byte[] CHILD = {'[', '0', ']'};
    /** The words of a boolean, padded with zeros. */
    private static final long TRUE = 0x7472_7565_0000_0000L;
    private static final long FALSE = 0x6661_6c73_6500_0000L;

    /** Whether the next value of a list is its first. */
    private boolean first;
    /** The MIME parts, or null if byte strings are in the rows. */
    private List<byte[]> parts;

    private TableWriter() {}

    public static TableWriter borrow(Limits limits) {
        TableWriter w = POOL.take();
        w.reset(limits);
        w.parts = null;
        return w;
    }

    public void giveBack() {
        forget();
        POOL.release(this);
    }

    /** Makes byte strings MIME parts. */
    public List<byte[]> collectParts() {
        parts = new ArrayList<>();
        return parts;
    }

    /** Writes a document up to its first row. */
    void beginDocument(TableOptions options, String of, String schema) {
        records = options.scheme() == TableScheme.RECORD;
        if (of == null) {
            ascii("<Env xmlns=\"urn:creo:tdxml\">");
        } else {
            ascii("<Env xmlns=\"urn:creo:tdxml\" of=\"");
            room(of.length());
            pos = cell(pos, of, false);
            ascii("\">");
        }
        if (schema != null) {
            ascii("<DS>\n");
            put(schema.getBytes(StandardCharsets.UTF_8));
            ascii("</DS>");
        }
        ascii(records ? "<RT>\n" : "<CT>\n");
    }

    void endDocument() {
        ascii(records ? "</RT></Env>" : "</CT></Env>");
        checkSize(pos);
    }

    /** Writes the document of a standalone value, or of an exception. */
    public <T> void value(TextCodec<T> codec, T value, TableOptions options, String of) {
        beginDocument(options, of, options.schema() ? TableSchema.of(codec) : null);
        codec.encoder.write(this, codec.root, value);
        endDocument();
    }

    /** Writes the document of a message. */
    public <T> void message(TextMessage<T> m, T value, String method, TableOptions options, String of) {
        beginDocument(options, of, options.schema() ? TableSchema.of(method, m.record) : null);
        message(m, value);
        endDocument();
    }

    /** Writes the rows of a message. */
    private <T> void message(TextMessage<T> m, T value) {
        TextField root = m.root();
        beginRecord(root, m.record);
        m.all().write(this, value);
        endMessage(m.record);
    }

    private void endMessage(TextRecord r) {
        depth--;
        if (r.recursive) {
            leave();
        }
        end(false);
    }

    @Override
    public void beginRecord(TextField f, TextRecord r) {
        Level level = begin(f);
        if (records) {
            columns(level, TableColumns.of(r).fields().length);
        } else if (r.text >= 0) {
            // The text has the record's own index, so its row comes before those of the attributes.
            columns(level, 1);
        }
        push(f, PLAIN);
        if (r.recursive) {
            enter();
        }
    }

    @Override
    public void content(TextField f, TextRecord r) {
        // Attributes are ordinary fields.
    }

    @Override
    public void absentText() {
        // As above.
    }

    @Override
    public void endRecord(TextField f, TextRecord r) {
        depth--;
        if (r.recursive) {
            leave();
        }
        end(true);
    }

    @Override
    public TextField beginUnion(TextField f, TextUnion u, int member) {
        begin(f);
        push(f, PLAIN);
        if (u.recursive) {
            enter();
        }
        return u.members[member];
    }

    @Override
    public void endUnion(TextField f, TextUnion u) {
        depth--;
        if (u.recursive) {
            leave();
        }
        end(true);
    }

    @Override
    public CreoException unknownMember(TextField f, TextUnion u, int member) {
        return failed(f, CreoException.invalid("member " + member + " of " + u.name + ", which is not known here: a text wire cannot carry it"));
    }

    @Override
    public TextField beginItems(TextField f, int count) {
        if (f.isList()) {
            pos = lead(f, 0);
            first = true;
            push(f, ITEM);
            return f.item;
        }
        Level level = begin(f);
        level.flat = records && f.item.isScalar();
        if (f.wrapped) {
            extend(CHILD);
        }
        if (level.flat) {
            columns(level, Integer.MAX_VALUE);
        }
        push(f, ITEM);
        return f.item;
    }

    @Override
    public void item(int i) {
        index[depth - 1] = i;
        Level level = top;
        // The items of a list are not a separate level.
        if (!path[depth - 1].isList() && !level.flat) {
            occurrence(path[depth - 1].wrapped ? level.own + CHILD.length : level.own, i);
        }
    }

    @Override
    public void endItems(TextField f) {
        depth--;
        if (f.isList()) {
            trail(f, pos);
        } else {
            end(f.wrapped);
        }
    }

    @Override
    public void beginEntries(TextField f, int count) {
        begin(f);
        extend(CHILD);
        push(f, KEY);
    }

    @Override
    public TextField key(TextField f, int i) {
        index[depth - 1] = i;
        kind[depth - 1] = KEY;
        occurrence(top.own + CHILD.length, i);
        Level level = begin(null);
        if (records) {
            columns(level, TableColumns.of(f.entry).fields().length);
        }
        return f.entry.fields[0];
    }

    @Override
    public TextField value(TextField f) {
        kind[depth - 1] = VALUE;
        return f.entry.fields[1];
    }

    @Override
    public void endEntry(TextField f) {
        end(true);
    }

    @Override
    public void endEntries(TextField f) {
        depth--;
        end(true);
    }

    @Override
    public void absent(TextField f) {
        Level level = top;
        if (f.isItem) {
            if (level.flat) {
                int p = column(level, 1);
                buf[p] = '~';
                trail(f, p + 1);
            } else {
                nothing(f);
            }
        } else if (f.member) {
            nothing(f);
        } else if (level.columns && (records ? f.isScalar() : f.place == TextField.TEXT)) {
            level.absent++;
            columnDone(level);
        }
    }

    private void nothing(TextField f) {
        row(f);
        buf[pos++] = '~';
        endRow();
    }

    /** Whether a scalar is a column of the innermost level's row. */
    private boolean isColumn(TextField f) {
        return top != null && top.columns && (records || f.place == TextField.TEXT);
    }

    /** Begins a separate row for a value. */
    private void row(TextField f) {
        startRow();
        if (!f.isItem && f.place != TextField.TEXT) {
            byte[] step = TableStep.of(f);
            System.arraycopy(step, 0, buf, pos, step.length);
            pos += step.length;
        }
    }

    /** Writes what precedes a value and returns the value's position, with room for {@code n} bytes and the separator. */
    private int lead(TextField f, int n) {
        if (f.place == TextField.LISTED) {
            room(n);
            if (!first) {
                buf[pos++] = ' ';
            }
            return pos;
        }
        if (isColumn(f)) {
            return column(top, n);
        }
        if (top != null) {
            beneath(top);
        }
        row(f);
        buf[pos++] = '|';
        room(n);
        return pos;
    }

    /** Writes what follows a value that ends at an index. */
    private void trail(TextField f, int p) {
        pos = p;
        if (f.place == TextField.LISTED) {
            first = false;
        } else if (isColumn(f)) {
            columnDone(top);
        } else {
            endRow();
        }
    }

    @Override
    public void writeBoolean(TextField f, boolean v) {
        int p = lead(f, 8);
        LONG.set(buf, p, v ? TRUE : FALSE);
        trail(f, v ? p + 4 : p + 5);
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
        int p = lead(f, NumberWriter.LONGEST);
        trail(f, NumberWriter.put(buf, p, v));
    }

    @Override
    public void writeLong(TextField f, long v) {
        int p = lead(f, NumberWriter.LONGEST);
        trail(f, NumberWriter.put(buf, p, v));
    }

    @Override
    public void writeFloat(TextField f, float v) {
        int p = lead(f, NumberWriter.LONGEST);
        trail(f, NumberWriter.put(buf, p, v));
    }

    @Override
    public void writeDouble(TextField f, double v) {
        int p = lead(f, NumberWriter.LONGEST);
        trail(f, NumberWriter.put(buf, p, v));
    }

    @Override
    public void writeString(TextField f, String v) {
        if (v == null) {
            throw missing(f);
        }
        int p = lead(f, v.length());
        try {
            if (f.place == TextField.LISTED) {
                XmlWriter.checkListed(v);
            }
            p = cell(p, v, f.place != TextField.LISTED || first);
        } catch (CreoException e) {
            throw failed(f, e);
        }
        trail(f, p);
    }

    @Override
    public void writeInstant(TextField f, Instant v) {
        if (v == null) {
            throw missing(f);
        }
        int p = lead(f, DateTimes.LONGEST);
        try {
            p = DateTimes.put(buf, p, v);
        } catch (CreoException e) {
            throw failed(f, e);
        }
        trail(f, p);
    }

    @Override
    public void writeDecimal(TextField f, BigDecimal v) {
        if (v == null) {
            throw missing(f);
        }
        if (v.scale() >= 0 && v.scale() <= 18 && v.precision() <= 18) {
            int p = lead(f, NumberWriter.LONGEST);
            // Avoids a BigInteger for each of them.
            trail(f, NumberWriter.putScaled(buf, p, v.scaleByPowerOfTen(v.scale()).longValue(), v.scale()));
            return;
        }
        String text;
        try {
            text = Decimals.text(v);
        } catch (CreoException e) {
            throw failed(f, e);
        }
        pos = lead(f, text.length());
        ascii(text);
        trail(f, pos);
    }

    @Override
    public void writeBytes(TextField f, byte[] v) {
        if (v == null) {
            throw missing(f);
        }
        pos = lead(f, 0);
        if (f.hex) {
            hexadecimal(v);
        } else if (parts != null && v.length >= TextOutput.MIN_PART && f.place != TextField.LISTED && f.place != TextField.ATTRIBUTE) {
            ascii("cid:");
            room(NumberWriter.LONGEST);
            pos = NumberWriter.put(buf, pos, parts.size());
            ascii("@creo");
            parts.add(v);
        } else {
            base64(v);
        }
        trail(f, pos);
    }

    @Override
    public void writeEnum(TextField f, TextEnum e, int number) {
        byte[] text = e.text(number);
        if (text == null) {
            int p = lead(f, NumberWriter.LONGEST);
            buf[p] = '#';
            trail(f, NumberWriter.put(buf, p + 1, number));
        } else if (e.special) {
            writeString(f, new String(text, StandardCharsets.UTF_8));
        } else {
            pos = lead(f, text.length);
            put(text, 0, text.length);
            trail(f, pos);
        }
    }

    @Override
    public void writeRaw(TextField f, String v) {
        if (v == null) {
            throw missing(f);
        }
        try {
            XmlElements.check(v, f.place == TextField.ANY ? null : f.xml, limits);
        } catch (CreoException e) {
            throw failed(f, CreoException.invalid(e.reason()));
        }
        writeString(f, v);
    }

    @Override
    public void writeAttributes(TextField f, Map<String, String> v) {
        // They are written where their field is declared.
    }

    @Override
    public void writeAttributesAsMap(TextField f, Map<String, String> v) {
        if (v == null) {
            throw missing(f);
        }
        beginEntries(f, v.size());
        int i = 0;
        for (Map.Entry<String, String> entry : v.entrySet()) {
            writeString(key(f, i++), entry.getKey());
            writeString(value(f), entry.getValue());
            endEntry(f);
        }
        endEntries(f);
    }

    @Override
    public void writeBooleans(TextField f, boolean[] v) {
        TextField item = begin(f, v);
        for (int i = 0; i < v.length; i++) {
            item(i);
            writeBoolean(item, v[i]);
        }
        endItems(f);
    }

    private TextField begin(TextField f, Object v) {
        if (v == null) {
            throw missing(f);
        }
        return beginItems(f, 0);
    }

    @Override
    public void writeShorts(TextField f, short[] v) {
        TextField item = begin(f, v);
        for (int i = 0; i < v.length; i++) {
            item(i);
            writeInt(item, v[i]);
        }
        endItems(f);
    }

    @Override
    public void writeChars(TextField f, char[] v) {
        TextField item = begin(f, v);
        for (int i = 0; i < v.length; i++) {
            item(i);
            writeInt(item, v[i]);
        }
        endItems(f);
    }

    @Override
    public void writeInts(TextField f, int[] v) {
        TextField item = begin(f, v);
        for (int i = 0; i < v.length; i++) {
            item(i);
            writeInt(item, v[i]);
        }
        endItems(f);
    }

    @Override
    public void writeLongs(TextField f, long[] v) {
        TextField item = begin(f, v);
        for (int i = 0; i < v.length; i++) {
            item(i);
            writeLong(item, v[i]);
        }
        endItems(f);
    }

    @Override
    public void writeFloats(TextField f, float[] v) {
        TextField item = begin(f, v);
        for (int i = 0; i < v.length; i++) {
            item(i);
            writeFloat(item, v[i]);
        }
        endItems(f);
    }

    @Override
    public void writeDoubles(TextField f, double[] v) {
        TextField item = begin(f, v);
        for (int i = 0; i < v.length; i++) {
            item(i);
            writeDouble(item, v[i]);
        }
        endItems(f);
    }
}
