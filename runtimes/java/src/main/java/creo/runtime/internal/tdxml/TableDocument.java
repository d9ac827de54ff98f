package creo.runtime.internal.tdxml;

import creo.runtime.CreoException;
import creo.runtime.TableOptions;
import creo.runtime.TableScheme;
import creo.runtime.codegen.TextCodec;
import creo.runtime.codegen.TextField;
import creo.runtime.codegen.TextMessage;
import creo.runtime.internal.buffer.Failures;
import creo.runtime.internal.buffer.PaddedBytes;
import creo.runtime.internal.text.TextInput;
import creo.runtime.internal.text.TextName;
import creo.runtime.internal.xml.XmlReader;
import creo.runtime.internal.xml.XmlValues;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** A table's element (TDX-1 to TDX-4), read by an XML reader: its schema and the range of its rows, copied only if they have XML escapes. */
public final class TableDocument {
    private static final byte[] START = ascii("<Env xmlns=\"urn:creo:tdxml\"");
    private static final byte[] OF = ascii(" of=\"");
    private static final byte[] RECORDS = ascii("><RT>");
    private static final byte[] CONTENTS = ascii("><CT>");
    private static final byte[] RECORDS_END = ascii("</RT></Env>");
    private static final byte[] CONTENTS_END = ascii("</CT></Env>");

    private final XmlReader x;
    private final boolean update;
    /** The name of the document's content, or null. */
    private String of;
    private String schema;
    private boolean records;
    private byte[] rows;
    private int from;
    private int to;
    /** The end of the document if it was read by the fast path; otherwise -1. */
    private int behind = -1;
    /** The byte after the rows that was overwritten. */
    private byte kept;

    private TableDocument(XmlReader x, boolean update) {
        this.x = x;
        this.update = update;
    }

    /** Whether the current start tag begins a document. */
    static boolean begins(XmlReader x) {
        return x.tagNamespace == TextName.TABLES && isNamed(x, "Env", "Envelope");
    }

    private static boolean isNamed(XmlReader x, String shortName, String longName) {
        return x.is(x.tagLocal, x.tagEnd, shortName) || x.is(x.tagLocal, x.tagEnd, longName);
    }

    private static TableDocument read(XmlReader x, boolean update) {
        TableDocument document = new TableDocument(x, update);
        document.open();
        return document;
    }

    /** Reads a standalone document. */
    public static TableDocument readAlone(XmlReader x) {
        return readAlone(x, false);
    }

    /** Reads a standalone document with an update. */
    static TableDocument readUpdate(XmlReader x) {
        return readAlone(x, true);
    }

    private static TableDocument readAlone(XmlReader x, boolean update) {
        x.tables = true;
        x.child();
        TableDocument document = new TableDocument(x, update);
        if (!update && document.openPlain()) {
            return document;
        }
        x.startTag();
        if (!begins(x)) {
            throw x.malformed(x.nameStart[0], "the element " + x.shownTag() + ", where Env of the namespace \"" + TextName.TABLES + "\" must be");
        }
        return read(x, update);
    }

    /** Reads the next document. */
    public static TableDocument next(XmlReader x) {
        TableDocument document = new TableDocument(x, false);
        x.tables = true;
        if (!document.openPlain()) {
            x.startTag();
            document.open();
        }
        return document;
    }

    /** Whether the next document begins exactly as writers begin it. */
    public static boolean beginsPlainly(XmlReader x) {
        return x.pos + START.length <= x.end && Arrays.equals(x.b, x.pos, x.pos + START.length, START, 0, START.length);
    }

    /** Reads a document exactly as writers write it, without schema (TDX-2), by comparing bytes; false, without reading, for any other. */
    private boolean openPlain() {
        byte[] b = x.b;
        int start = x.pos;
        if (x.open + 2 > x.limits.maxXmlDepth() || x.limits.maxXmlName() < START.length || !isAt(start, START)) {
            return false;
        }
        int p = start + START.length;
        String named = null;
        if (isAt(p, OF)) {
            int q = p + OF.length;
            while (b[q] >= '.' && b[q] <= 'z' && b[q] != '<' && b[q] != '>') {
                q++;
            }
            if (b[q] != '"') {
                return false;
            }
            named = new String(b, p + OF.length, q - p - OF.length, StandardCharsets.ISO_8859_1);
            p = q + 1;
        }
        boolean inRecords = isAt(p, RECORDS);
        if (!inRecords && !isAt(p, CONTENTS)) {
            return false;
        }
        x.pos = p + RECORDS.length;
        byte[] end = inRecords ? RECORDS_END : CONTENTS_END;
        if (!scan() || !isAt(to, end)) {
            x.pos = start;
            return false;
        }
        of = named;
        records = inRecords;
        rows = b;
        behind = to + end.length;
        return true;
    }

    private boolean isAt(int p, byte[] text) {
        return p + text.length <= x.end && Arrays.equals(x.b, p, p + text.length, text, 0, text.length);
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    private void open() {
        for (int k = 0; k < x.attributes; k++) {
            if (x.attributeNamespace[k] == TextName.NONE) {
                if (!x.is(x.attributeLocal[k], x.attributeEnd[k], "of")) {
                    throw x.malformed(x.attributeName[k], "the attribute " + x.shown(x.attributeName[k], x.attributeEnd[k]) + ", where only \"of\" can be");
                }
                x.expand(k);
                of = new String(x.slice, x.sliceFrom, x.sliceTo - x.sliceFrom, StandardCharsets.UTF_8);
            }
        }
        child("a table");
        if (isNamed(x, "DS", "DataSchema")) {
            x.checkAttributes(false);
            x.text();
            schema = new String(x.slice, x.sliceFrom, x.sliceTo - x.sliceFrom, StandardCharsets.UTF_8);
            x.endTag();
            child("a table");
        }
        x.checkAttributes(false);
        if (!update && isNamed(x, "RT", "RecordTable")) {
            records = true;
        } else if (!isNamed(x, update ? "UT" : "CT", update ? "UpdateTable" : "ContentTable")) {
            throw x.malformed(x.nameStart[x.open - 1] - 1, "the element " + x.shownTag() + ", where " + (update ? "UT" : "CT or RT") + " must be");
        }
        if (!x.empty && scan()) {
            rows = x.b;
        } else {
            x.text();
            int n = x.sliceTo - x.sliceFrom;
            rows = Arrays.copyOf(Arrays.copyOfRange(x.slice, x.sliceFrom, x.sliceTo), n + PaddedBytes.PADDING);
            from = 0;
            to = n;
        }
    }

    private void child(String what) {
        if (!x.child()) {
            throw x.malformed(x.pos, "no element, where " + what + " must be");
        }
        x.startTag();
        if (x.tagNamespace != TextName.TABLES) {
            throw x.malformed(x.nameStart[x.open - 1] - 1, "the element " + x.shownTag() + ", where " + what + " must be");
        }
    }

    /** Finds the end of the rows; false if they need the slow path. */
    private boolean scan() {
        byte[] b = x.b;
        int p = x.pos;
        from = p;
        while (true) {
            long found = TextInput.marks((long) TextInput.LITTLE.get(b, p));
            if (found == 0) {
                p += 8;
                continue;
            }
            p += Long.numberOfTrailingZeros(found) >>> 3;
            int c = b[p];
            if (c == '\n' || c == '\t') {
                p++;
            } else if (c == '<' && b[p + 1] == '/') {
                to = p;
                x.pos = p;
                return true;
            } else if (c == '<' || c == '&' || c == '\r') {
                return false;
            } else if (c == '>') {
                x.checkAngle(from, p);
                p++;
            } else {
                p = x.character(p);
            }
        }
    }

    /** The name of the document's content, or null. */
    public String of() {
        return of;
    }

    /** The options with which the document was written. */
    public TableOptions options() {
        return new TableOptions(records ? TableScheme.RECORD : TableScheme.AGGREGATED, schema != null);
    }

    /** Fails if the document names other content. */
    public void checkOf(String name) {
        if (of != null && !of.equals(name)) {
            throw Failures.placed(Failures.malformed("a table of \"" + CreoException.shown(of) + "\", where one of " + name + " must be"));
        }
    }

    public void checkSchema(String ours) {
        if (schema != null) {
            TableSchema.check(schema, ours);
        }
    }

    public <T> T value(TextCodec<T> codec, XmlValues.Parts parts) {
        checkSchema(schema == null ? null : TableSchema.of(codec));
        return rows(codec.root, codec.decoder, parts);
    }

    public <T> T message(TextMessage<T> message, String method, XmlValues.Parts parts) {
        checkSchema(schema == null ? null : TableSchema.of(method, message.record));
        return rows(message.root(), message.decoder, parts);
    }

    /** Reads the rows, and the document to its end. */
    private <T> T rows(TextField root, TextCodec.Decoder<T> decoder, XmlValues.Parts parts) {
        TableReader r = TableReader.of(x);
        r.parts = parts;
        T value;
        try {
            value = r.read(rows(), from, to, records, root, decoder);
        } catch (CreoException e) {
            throw r.locate(e);
        } finally {
            restore();
            r.end();
        }
        close();
        return value;
    }

    /** Ends the document after its table. */
    public void close() {
        if (behind >= 0) {
            x.pos = behind;
            return;
        }
        x.endTag();
        if (x.child()) {
            throw x.malformed(x.pos, "an element behind the table");
        }
        x.endTag();
    }

    /** The rows, followed by a zero until {@link #restore} is called. */
    public byte[] rows() {
        kept = rows[to];
        rows[to] = 0;
        return rows;
    }

    public void restore() {
        rows[to] = kept;
    }

    public int from() {
        return from;
    }

    public int to() {
        return to;
    }
}
