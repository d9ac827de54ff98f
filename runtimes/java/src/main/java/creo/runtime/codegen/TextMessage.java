package creo.runtime.codegen;

import creo.runtime.internal.text.TextName;

/** What text wires know of a message: the arguments or the result of a method. For generated code. */
@SuppressWarnings("exports") // Parameters of internal types are for the runtime only.
public final class TextMessage<T> {
    /** Writes a part of a message. */
    public interface Part<T> {
        void write(TextWriter w, T value);
    }

    private static final TextField ROOT = TextField.element(null, "", "");

    /** The element of the body; null if the body holds the elements of the fields, or nothing (SOAP-6, SOAP-91, SOAP-100). */
    public final TextField element;
    public final TextRecord record;
    /** Writes the elements of the header, or null if there are none. */
    public final Part<T> header;
    /** Writes the content of the body. */
    public final Part<T> body;
    /** Writes all fields in declared order, including those of the header. */
    private Part<T> all;
    public final TextCodec.Decoder<T> decoder;
    /** Whether a value may need {@code xsi:nil} or {@code xsi:type}. */
    public final boolean xsi;
    /** All namespaces that a value may need, sorted. */
    public final String[] namespaces;
    /** The XML form of the namespaces; null until first used. */
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

    /** Sets how it is written on wires without headers. */
    public TextMessage<T> all(Part<T> fields) {
        all = fields;
        return this;
    }

    /** The message's element on wires that always have one. */
    public TextField root() {
        return element != null ? element : ROOT;
    }

    public Part<T> all() {
        return all;
    }

    /** A message: its element, its fields, how they are written and read, and the namespaces that it may need, sorted. */
    public static <T> TextMessage<T> of(TextField element, TextRecord record, Part<T> header, Part<T> body, TextCodec.Decoder<T> decoder, boolean xsi,
            String... namespaces) {
        return new TextMessage<>(element, record, header, body, decoder, xsi, namespaces);
    }

    /** The name of the first element of the body, or null for an empty body. */
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
