package creo.runtime;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/** Writes values as tables ({@code spec/wires/tdxml.md}), in either scheme, into a buffer that is used again. */
final class TableWriter extends TableOutput {
    private static final int MOST_SPARE = 64;
    private static final ConcurrentLinkedQueue<TableWriter> SPARE = new ConcurrentLinkedQueue<>();
    private static final AtomicInteger SPARES = new AtomicInteger();
    /** The step of the items of an array with an element of its own, of a map's entries. */
    private static final byte[] CHILD = {'[', '0', ']'};

    /** The next value of a list is its first. */
    private boolean first;
    /** The parts of a package, or null where byte strings stand in the rows. */
    private List<byte[]> parts;

    private TableWriter() {}

    static TableWriter borrow(Limits limits) {
        TableWriter w = SPARE.poll();
        if (w == null) {
            w = new TableWriter();
        } else {
            SPARES.decrementAndGet();
        }
        w.reset(limits);
        w.parts = null;
        return w;
    }

    void giveBack() {
        forget();
        if (SPARES.get() < MOST_SPARE) {
            SPARES.incrementAndGet();
            SPARE.add(this);
        }
    }

    /** Byte strings become parts of a package. */
    List<byte[]> collectParts() {
        parts = new ArrayList<>();
        return parts;
    }

    /** Writes a document up to its first row. */
    void beginDocument(TableOptions options, String of, String schema) {
        records = options.scheme() == TableScheme.RECORD;
        ascii("<Env xmlns=\"urn:creo:tdxml\"");
        if (of != null) {
            ascii(" of=\"");
            cell(of, false);
            ascii("\"");
        }
        ascii(">");
        if (schema != null) {
            ascii("<DS>\n");
            put(schema.getBytes(StandardCharsets.UTF_8));
            ascii("</DS>");
        }
        ascii(options.scheme().start);
    }

    void endDocument() {
        ascii(records ? "</RT></Env>" : "</CT></Env>");
        checkSize(pos);
    }

    /** Writes a document of a value alone, or of an exception. */
    <T> void value(TextCodec<T> codec, T value, TableOptions options, String of) {
        beginDocument(options, of, options.schema() ? codec.schema() : null);
        codec.encoder.write(this, codec.root, value);
        endDocument();
    }

    /** Writes a document of a message. */
    <T> void message(TextMessage<T> m, T value, String method, TableOptions options, String of) {
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
            columns(level, r.columns.length);
        } else if (r.text >= 0) {
            // The text has the record's own index, and so its row stands before those of the attributes.
            columns(level, 1);
        }
        push(f, PLAIN);
        if (r.recursive) {
            enter();
        }
    }

    @Override
    public void content(TextField f, TextRecord r) {
        // Attributes are fields like others.
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
            lead(f, 0);
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
        // The items of a list are no level of their own.
        if (!path[depth - 1].isList() && !level.flat) {
            occurrence(path[depth - 1].wrapped ? level.own + CHILD.length : level.own, i);
        }
    }

    @Override
    public void endItems(TextField f) {
        depth--;
        if (f.isList()) {
            trail(f);
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
            columns(level, f.entry.columns.length);
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
                column(level);
                buf[pos++] = '~';
                columnDone(level);
            } else {
                nothing(f);
            }
        } else if (f.member) {
            nothing(f);
        } else if (level.columns && isColumn(f)) {
            level.absent++;
            columnDone(level);
        }
    }

    private void nothing(TextField f) {
        row(f);
        buf[pos++] = '~';
        endRow();
    }

    private boolean isColumn(TextField f) {
        return records ? f.isScalar() : f.place == TextField.TEXT;
    }

    /** Begins a row for a value of its own. */
    private void row(TextField f) {
        startRow();
        if (!f.isItem && f.place != TextField.TEXT) {
            System.arraycopy(f.step, 0, buf, pos, f.step.length);
            pos += f.step.length;
        }
    }

    /** Writes what stands before a value, with room for {@code n} bytes, for what stands behind it, and some more. */
    private void lead(TextField f, int n) {
        if (f.place == TextField.LISTED) {
            room(n + 2);
            if (!first) {
                buf[pos++] = ' ';
            }
            return;
        }
        Level level = top;
        if (level != null && (level.flat || level.columns && !f.member && isColumn(f))) {
            column(level);
        } else {
            if (level != null && level.columns && !records) {
                beneath(level);
            }
            row(f);
            buf[pos++] = '|';
        }
        room(n + 2);
    }

    /** Writes what stands behind a value. */
    private void trail(TextField f) {
        if (f.place == TextField.LISTED) {
            first = false;
            return;
        }
        Level level = top;
        if (level != null && (level.flat || level.columns && !f.member && isColumn(f))) {
            columnDone(level);
        } else {
            endRow();
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
        lead(f, 0);
        try {
            if (f.place == TextField.LISTED) {
                XmlWriter.checkListed(v);
                cell(v, first);
            } else {
                cell(v, true);
            }
        } catch (CreoException e) {
            throw failed(f, e);
        }
        trail(f);
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
        trail(f);
    }

    @Override
    public void writeBytes(TextField f, byte[] v) {
        if (v == null) {
            throw missing(f);
        }
        lead(f, 0);
        if (f.hex) {
            hexadecimal(v);
        } else if (parts != null && v.length >= Mtom.LEAST_PART && f.place != TextField.LISTED && f.place != TextField.ATTRIBUTE) {
            ascii("cid:");
            room(NumberWriter.LONGEST);
            pos = NumberWriter.put(buf, pos, parts.size());
            ascii("@creo");
            parts.add(v);
        } else {
            base64(v);
        }
        trail(f);
    }

    @Override
    public void writeEnum(TextField f, TextEnum e, int number) {
        byte[] text = e.text(number);
        if (text == null) {
            lead(f, NumberWriter.LONGEST);
            buf[pos++] = '#';
            pos = NumberWriter.put(buf, pos, number);
            trail(f);
        } else if (e.special) {
            writeString(f, new String(text, StandardCharsets.UTF_8));
        } else {
            lead(f, text.length);
            put(text, 0, text.length);
            trail(f);
        }
    }

    @Override
    public void writeRaw(TextField f, String v) {
        if (v == null) {
            throw missing(f);
        }
        try {
            XmlReader.checkElement(v, f.place == TextField.ANY ? null : f.xml, limits);
        } catch (CreoException e) {
            throw failed(f, CreoException.invalid(e.reason()));
        }
        writeString(f, v);
    }

    @Override
    public void writeAttributes(TextField f, Map<String, String> v) {
        // They stand where their field is declared.
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
