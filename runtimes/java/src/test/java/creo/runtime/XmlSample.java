package creo.runtime;

import creo.runtime.codegen.TextCodec;
import creo.runtime.codegen.TextField;
import creo.runtime.codegen.TextReader;
import creo.runtime.codegen.TextRecord;
import creo.runtime.codegen.TextType;
import creo.runtime.codegen.TextWriter;
import java.nio.charset.StandardCharsets;

/** A struct as generated code would describe it for text wires, by hand. */
record XmlSample(String id, String name, int count, double[] values, String note, XmlSample next) {
    static final String NS = "urn:test";

    private static final TextField ID = TextField.attribute("id", "", "id").optional().charges(32, 0);
    private static final TextField NAME = TextField.element("name", NS, "name");
    private static final TextField COUNT = TextField.element("count", NS, "count").is(TextType.INTEGER);
    private static final TextField VALUES = TextField.element("values", NS, "values").repeated(TextField.element(null, NS, "values").is(TextType.REAL)).charges(0, 8);
    private static final TextField NOTE = TextField.element("note", NS, "note").nillable().optional().charges(32, 0);
    private static final TextField NEXT = TextField.element("next", NS, "next").optional().is(TextType.RECORD).charges(248, 0);
    private static final TextRecord RECORD = TextRecord.of("Sample", NS, "Sample").fields(ID, NAME, COUNT, VALUES, NOTE, NEXT)
        .holds(() -> new TextCodec<?>[] {XmlSample.CODEC}).recursive();
    static final TextCodec<XmlSample> CODEC = TextCodec.of("test.Sample", TextField.element(null, NS, "Sample"), XmlSample::write, XmlSample::read, true, NS)
        .shape(RECORD);

    static XmlSample of(String name, int count, double... values) {
        return new XmlSample(null, name, count, values, null, null);
    }

    XmlSample withNext(XmlSample other) {
        return new XmlSample(id, name, count, values, note, other);
    }

    private static void write(TextWriter w, TextField f, XmlSample v) {
        if (v == null) {
            throw w.missing(f);
        }
        w.beginRecord(f, RECORD);
        if (v.id == null) {
            w.absent(ID);
        } else {
            w.writeString(ID, v.id);
        }
        w.content(f, RECORD);
        w.writeString(NAME, v.name);
        w.writeInt(COUNT, v.count);
        w.writeDoubles(VALUES, v.values);
        if (v.note == null) {
            w.absent(NOTE);
        } else {
            w.writeString(NOTE, v.note);
        }
        if (v.next == null) {
            w.absent(NEXT);
        } else {
            write(w, NEXT, v.next);
        }
        w.endRecord(f, RECORD);
    }

    private static XmlSample read(TextReader r) {
        r.begin(RECORD);
        String id = null;
        String name = null;
        int count = 0;
        double[] values = TextReader.NO_DOUBLES;
        String note = null;
        XmlSample next = null;
        for (int i = r.next(0); i >= 0; i = r.next(i + 1)) {
            switch (i) {
                case 0 -> id = r.nil() ? null : r.readString();
                case 1 -> name = r.readString();
                case 2 -> count = r.readInt();
                case 3 -> values = r.readDoubles();
                case 4 -> note = r.nil() ? null : r.readString();
                default -> next = r.nil() ? null : read(r);
            }
        }
        r.end(RECORD);
        return new XmlSample(id, name, count, values, note, next);
    }

    String xml() {
        return new String(Xml.write(CODEC, this), StandardCharsets.UTF_8);
    }

    static XmlSample parse(String xml) {
        return Xml.read(CODEC, xml.getBytes(StandardCharsets.UTF_8));
    }
}
