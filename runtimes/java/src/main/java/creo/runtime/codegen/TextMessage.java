package creo.runtime.codegen;

import creo.runtime.internal.text.TextName;

/** What text wires know of a message: the arguments or the result of a method. For generated code. */
@SuppressWarnings("exports") // What names a type of the runtime within is for the runtime.
public final class TextMessage<T> {
    /** Writes a part of a message. */
    public interface Part<T> {
        void write(TextWriter w, T value);
    }

    private static final TextField ROOT = TextField.element(null, "", "");

    /** The element of the body, or null where the body holds that of the one field, or nothing (SOAP-6). */
    public final TextField element;
    public final TextRecord record;
    /** Writes the elements of the header, or null if there are none. */
    public final Part<T> header;
    /** Writes what stands in the body. */
    public final Part<T> body;
    /** Writes all fields in declared order, where no header stands apart. */
    private Part<T> all;
    public final TextCodec.Decoder<T> decoder;
    /** Whether a value may need {@code xsi:nil} or {@code xsi:type}. */
    public final boolean xsi;
    /** Those that a value can need, sorted. */
    public final String[] namespaces;
    /** What XML has made of the namespaces; null until then. */
    public Object xml;

    private TextMessage(TextField element, TextRecord record, Part<T> header, Part<T> body, TextCodec.Decoder<T> decoder, boolean xsi, String[] namespaces) {
        this.element = element;
        this.record = record;
        this.header = header;
        this.body = body;
        this.all = body;
        this.decoder = decoder;
        this.xsi = xsi;
        this.namespaces = TextName.namespaces(namespaces);
    }

    /** How it is written on wires that know of no headers. */
    public TextMessage<T> all(Part<T> fields) {
        all = fields;
        return this;
    }

    /** The element of the message on wires that always have one. */
    public TextField root() {
        return element != null ? element : ROOT;
    }

    public Part<T> all() {
        return all;
    }

    /** A message: its element, its fields, how these are written and read, and the namespaces that it can need, sorted. */
    public static <T> TextMessage<T> of(TextField element, TextRecord record, Part<T> header, Part<T> body, TextCodec.Decoder<T> decoder, boolean xsi,
            String... namespaces) {
        return new TextMessage<>(element, record, header, body, decoder, xsi, namespaces);
    }

    /** The name of the element of the body, or null for an empty body. */
    public TextName bodyName() {
        if (element != null) {
            return element.xml;
        }
        for (TextField f : record.fields) {
            if (!f.header) {
                return f.xml;
            }
        }
        return null;
    }
}
