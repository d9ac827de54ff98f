package creo.runtime.internal.tdxml;

import creo.runtime.CreoException;
import creo.runtime.Limits;
import creo.runtime.codegen.TextCodec;
import creo.runtime.codegen.TextField;
import creo.runtime.codegen.TextRecord;
import creo.runtime.codegen.TextUnion;
import creo.runtime.internal.buffer.Failures;
import creo.runtime.internal.buffer.Memory;
import creo.runtime.internal.text.TextFrame;
import creo.runtime.internal.xml.XmlReader;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;

/**
 * Reads table values ({@code spec/wires/tdxml.md}). It goes through the rows in order, with one comparison per row. If that fails and the rows are
 * not in schema order, it sorts them and starts over. The usual table therefore needs no index.
 */
public final class TableReader extends TableValues {
    private static final byte[] CHILD = {'[', '0', ']'};

    private int level;
    private boolean records;
    /** Whether skipped rows were not compared with the others. */
    private boolean skipped;
    /** Whether the next struct has no rows. */
    private boolean lacking;

    private TableReader() {}

    /** The table reader kept by an XML reader, for the table at its position. */
    static TableReader of(XmlReader x) {
        TableReader r = (TableReader) x.companion;
        if (r == null) {
            r = new TableReader();
            x.companion = r;
        }
        return r.begin(x.limits, x.memory);
    }

    public static TableReader create(Limits limits) {
        return new TableReader().begin(limits, new Memory(limits.maxMemory()));
    }

    private TableReader begin(Limits within, Memory charged) {
        limits = within;
        memory = charged;
        parts = null;
        labels = null;
        depth = 0;
        current = -1;
        return this;
    }

    /** Releases what it read. */
    public void end() {
        release();
        forgetRows();
        parts = null;
        memory = null;
    }

    public CreoException locate(CreoException e) {
        return Failures.within(Failures.placed(e), TextFrame.place(frames, depth));
    }

    /** Reads a value from rows that are followed by a zero and spare room. */
    <T> T read(byte[] bytes, int start, int stop, boolean inRecords, TextField root, TextCodec.Decoder<T> decoder) {
        b = bytes;
        records = inRecords;
        begin(start, stop);
        long used = memory.used();
        try {
            T value = walk(root, decoder);
            if (!skipped || !sort()) {
                return value;
            }
        } catch (CreoException e) {
            int failed = current;
            if (!sort()) {
                current = failed;
                throw e;
            }
        }
        memory.rewind(used);
        return walk(root, decoder);
    }

    /** Reads the value at an index from rows at the given positions, in schema order. */
    public <T> T read(byte[] bytes, int stop, int[] order, String index, boolean inRecords, TextField root, TextCodec.Decoder<T> decoder) {
        b = bytes;
        records = inRecords;
        begin(stop, order);
        return walk(root, decoder, index.getBytes(StandardCharsets.US_ASCII));
    }

    /** Sets the names of rows in errors, by their indices. */
    void labels(Map<String, String> names) {
        labels = names;
    }

    private <T> T walk(TextField root, TextCodec.Decoder<T> decoder) {
        return walk(root, decoder, CHILD);
    }

    private <T> T walk(TextField root, TextCodec.Decoder<T> decoder, byte[] index) {
        restart();
        depth = 0;
        top = null;
        level = 0;
        skipped = false;
        lacking = false;
        field = root;
        source = ELEMENT;
        before = 0;
        ixLength = 0;
        extend(index);
        T value = decoder.read(this);
        if (row >= 0) {
            depth = 0;
            current = row;
            indexEnd(row);
            throw malformed("an index that the type does not have, or out of place");
        }
        return value;
    }

    private void enter() {
        if (++level > limits.maxDepth()) {
            throw tooLarge("maxDepth", limits.maxDepth(), "a value that is nested too deeply");
        }
    }

    /** Reads the presence row of an element. */
    private void presence() {
        int p = beneath();
        if (p < 0) {
            return;
        }
        current = row;
        if (isRowEnd(p)) {
            advance(p);
        } else if (b[p] == '~') {
            throw isRowEnd(p + 1) ? notOptional() : malformed("something behind a tilde");
        }
    }

    @Override
    public void begin(TextRecord r) {
        Frame f = push(TextFrame.RECORD, field);
        f.begin(r);
        if (r.recursive) {
            enter();
        }
        if (lacking) {
            lacking = false;
            f.lacking = true;
            return;
        }
        if (r.text >= 0 && r.fields[r.text].optional && isTextNothing()) {
            f.see(r.text);
        }
        beginRow(f);
    }

    /** Whether the row marks a text as null; reads it then. */
    private boolean isTextNothing() {
        int p = beneath();
        if (p < 0 || b[p] != '~' || !isRowEnd(p + 1)) {
            return false;
        }
        current = row;
        advance(p + 1);
        return true;
    }

    private void beginRow(Frame f) {
        int p = beneath();
        if (p >= 0 && b[p] == '|' && records) {
            current = row;
            f.columns = true;
            pos = p;
        } else {
            presence();
        }
    }

    @Override
    public int next(int likely) {
        Frame f = top;
        if (f.columns) {
            int i = nextColumn(f);
            if (i >= 0) {
                return i;
            }
        } else if (!records && row >= 0 && likely < f.fields.length && !f.lacking) {
            // The predicted row: its index, a bar, and the value.
            TextField x = f.fields[likely];
            int p = row + f.own;
            byte[] step = TableStep.of(x);
            int q = p + step.length;
            if (q < to && b[q] == '|' && x.isScalar() && x.place != TextField.TEXT && stands(row, f.own) && Arrays.equals(b, p, q, step, 0, step.length)
                    && !f.saw(likely)) {
                current = row;
                take(f, likely, ROW);
                at = q + 1;
                return likely;
            }
        }
        if (f.lacking) {
            f.index = -1;
            return -1;
        }
        while (true) {
            ixLength = f.own;
            int p = beneath();
            if (p < 0) {
                f.index = -1;
                return -1;
            }
            current = row;
            int i = field(f, p);
            if (i >= 0) {
                return i;
            }
        }
    }

    /** The next column that is not null: the index of its field, or -1 after the last. */
    private int nextColumn(Frame f) {
        int[] columns = TableColumns.of(f.record).fields();
        int p = pos;
        while (b[p] == '|' && f.column < columns.length) {
            int i = columns[f.column++];
            f.index = i;
            if (isNothing(p + 1)) {
                p += 2;
                continue;
            }
            f.see(i);
            field = f.fields[i];
            source = COLUMN;
            at = p + 1;
            return i;
        }
        f.index = -1;
        while (b[p] == '|') {
            if (!f.record.extensible) {
                throw malformed("more columns than the " + columns.length + " of " + f.record.name);
            }
            p = isNothing(p + 1) ? p + 2 : valueEnd(p + 1);
        }
        pos = p;
        if (!isRowEnd(pos)) {
            throw malformed("something behind a value");
        }
        f.columns = false;
        advance(pos);
        return -1;
    }

    /** The field of the row whose index continues at {@code p}; -1 if it was skipped. */
    private int field(Frame f, int p) {
        TextRecord r = f.record;
        int c = b[p];
        if (c == '|' && r.text >= 0 && !records && !f.saw(r.text)) {
            take(f, r.text, ROW);
            at = p + 1;
            return r.text;
        }
        if (c != '[' && c != '(') {
            f.index = -1;
            indexEnd(row);
            throw malformed(c == '|' ? "a value, where " + r.name + " must be" : "a row that was there before, or is out of place");
        }
        boolean attribute = c == '(';
        int q = number(p + 1);
        int n = number;
        if (b[q] != (attribute ? ')' : ']')) {
            throw malformed("an index that is none");
        }
        q++;
        int[] numbers = attribute ? r.attributes : r.elements;
        if (n >= numbers.length) {
            f.index = -1;
            if (!r.extensible) {
                throw malformed("the number " + n + " of " + (attribute ? "an attribute" : "an element") + ", which " + r.name + " does not have");
            }
            skipped = true;
            extend(p, q);
            skipRows();
            return -1;
        }
        int i = numbers[n];
        f.index = i;
        if (f.saw(i)) {
            throw malformed("an index that was there before, or is out of place");
        }
        TextField x = f.fields[i];
        if (records && TableColumns.of(r).of()[i] >= 0) {
            throw malformed("a row of its own for what is a column");
        }
        before = f.own;
        extend(p, q);
        boolean occurs = b[q] >= '0' && b[q] <= '9';
        boolean repeats = x.item != null && !x.wrapped && !(records && x.item.isScalar());
        if (occurs != repeats) {
            throw malformed(occurs ? "an occurrence of what does not repeat" : "no occurrence of what repeats");
        }
        take(f, i, ELEMENT);
        return i;
    }

    private void take(Frame f, int i, int where) {
        f.see(i);
        f.index = i;
        field = f.fields[i];
        source = where;
        before = f.own;
    }

    @Override
    public void end(TextRecord r) {
        Frame f = top;
        TextField[] all = f.fields;
        for (int i = f.sawAll() ? all.length : 0; i < all.length; i++) {
            if (all[i].required && !f.saw(i)) {
                f.index = -1;
                throw malformed("without " + (all[i].name == null ? all[i].xml.local : all[i].name) + ", which must be there");
            }
        }
        if (r.recursive) {
            level--;
        }
        ixLength = f.before;
        pop();
    }

    @Override
    public boolean lacks(int i) {
        Frame f = top;
        if (f.saw(i)) {
            return false;
        }
        ixLength = f.own;
        take(f, i, ELEMENT);
        lacking = true;
        return true;
    }

    @Override
    public boolean nil() {
        if (isNil()) {
            return true;
        }
        charge(field.own);
        return false;
    }

    private boolean isNil() {
        if (source == COLUMN) {
            if (!isNothing(at)) {
                return false;
            }
            pos = at + 1;
            return true;
        }
        if (source != ELEMENT) {
            return false;
        }
        int p = beneath();
        if (p < 0 || b[p] != '~') {
            return false;
        }
        current = row;
        if (!isRowEnd(p + 1)) {
            throw malformed("something behind a tilde");
        }
        advance(p + 1);
        ixLength = before;
        return true;
    }

    @Override
    public int member(TextUnion u) {
        Frame f = push(TextFrame.UNION, field);
        f.fields = u.members;
        if (u.recursive) {
            enter();
        }
        presence();
        int p = beneath();
        if (p < 0 || b[p] != '[') {
            throw malformed("no member, where one of these must be: " + u.expected());
        }
        current = row;
        int q = number(p + 1);
        int i = number;
        if (b[q] != ']') {
            throw malformed("an index that is none");
        }
        if (i >= u.members.length) {
            throw malformed("the number " + i + " of a member, which " + u.name + " does not have");
        }
        q++;
        if (b[q] >= '0' && b[q] <= '9') {
            throw malformed("an occurrence of what does not repeat");
        }
        extend(p, q);
        f.index = i;
        field = u.members[i];
        source = ELEMENT;
        before = f.own;
        // For an optional member, nil charges for the value.
        charge(field.optional ? 0 : field.own);
        return i;
    }

    @Override
    public void endUnion(TextUnion u) {
        Frame f = top;
        ixLength = f.own;
        f.index = -1;
        if (beneath() >= 0) {
            current = row;
            throw malformed("a second member of a union");
        }
        if (u.recursive) {
            level--;
        }
        ixLength = f.before;
        pop();
    }

    @Override
    public void beginItems() {
        TextField x = field;
        if (x.isList()) {
            slice();
            Frame f = push(TextFrame.ITEMS, x);
            f.flat = true;
            f.list = slice == b ? b : Arrays.copyOfRange(slice, sliceFrom, sliceTo);
            f.listPos = slice == b ? sliceFrom : 0;
            f.listEnd = f.listPos + sliceTo - sliceFrom;
            return;
        }
        Frame f = push(TextFrame.ITEMS, x);
        f.flat = records && x.item.isScalar();
        if (x.wrapped) {
            presence();
            child(f);
        }
        if (f.flat) {
            int p = beneath();
            f.columns = p >= 0;
            if (p >= 0 && b[p] != '|') {
                current = row;
                throw malformed("no columns, where the items of an array must be");
            }
            pos = p;
        }
    }

    /** Goes to the only child of an array or map, which repeats. */
    private void child(Frame f) {
        int p = beneath();
        if (p >= 0 && (b[p] != '[' || b[p + 1] != '0' || b[p + 2] != ']')) {
            current = row;
            indexEnd(row);
            throw malformed("an index that an array or a map does not have");
        }
        extend(CHILD);
    }

    /** Goes to the next item or entry of a frame, if there is one. */
    private boolean nextOccurrence(Frame f) {
        int base = f.field.wrapped || f.field.entry != null ? f.own + CHILD.length : f.own;
        occurrence(base, f.index + 1);
        if (beneath() >= 0) {
            current = row;
            f.index++;
            before = base;
            return true;
        }
        ixLength = f.own;
        int p = row;
        if (p >= 0 && stands(p, base) && beneath() != p + f.own) {
            current = row;
            throw malformed("an occurrence that was there before, or leaves a gap: " + (f.index + 1) + " comes next");
        }
        return false;
    }

    @Override
    public boolean nextItem() {
        Frame f = top;
        boolean more = findItem(f);
        if (more) {
            charge(f.field.each);
        }
        return more;
    }

    private boolean findItem(Frame f) {
        TextField x = f.field.item;
        field = x;
        if (f.list != null) {
            return nextListed(f);
        }
        if (f.flat) {
            return nextFlat(f);
        }
        if (nextOccurrence(f)) {
            source = ELEMENT;
            return true;
        }
        endItems(f);
        return false;
    }

    private void endItems(Frame f) {
        f.index = -1;
        if (f.field.wrapped || f.field.entry != null) {
            ixLength = f.own;
            if (beneath() >= 0) {
                current = row;
                throw malformed("an index that an array or a map does not have, or out of place");
            }
        }
        ixLength = f.before;
        pop();
    }

    private boolean nextFlat(Frame f) {
        if (f.columns && b[pos] == '|') {
            f.index++;
            source = COLUMN;
            at = pos + 1;
            return true;
        }
        if (f.columns) {
            f.index = -1;
            if (!isRowEnd(pos)) {
                throw malformed("something behind a value");
            }
            advance(pos);
        }
        endItems(f);
        return false;
    }

    @Override
    public void beginEntries() {
        Frame f = push(TextFrame.ENTRIES, field);
        presence();
        child(f);
    }

    @Override
    public boolean nextEntry() {
        Frame f = top;
        if (!nextOccurrence(f)) {
            endItems(f);
            return false;
        }
        charge(f.field.each);
        field = f.field;
        Frame entry = push(TextFrame.ENTRY, f.field);
        entry.begin(f.field.entry);
        beginRow(entry);
        return true;
    }

    @Override
    public void endEntry() {
        end(top.record);
    }

    @Override
    public CreoException duplicateKey() {
        top.index = -1;
        return malformed("a key that was there before");
    }
}
