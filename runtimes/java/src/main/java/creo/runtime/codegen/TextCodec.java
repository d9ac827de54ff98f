package creo.runtime.codegen;

import creo.runtime.internal.text.TextName;

/**
 * How values of one type are written to and read from text wires. Generated code has one for each type; {@code Xml}, {@code Json} and
 * {@code Tdxml} turn values into texts by it.
 */
public final class TextCodec<T> {
    /** Writes a value as what a field says. */
    public interface Encoder<T> {
        void write(TextWriter w, TextField field, T value);
    }

    /** Reads the value that the reader has come to. */
    public interface Decoder<T> {
        T read(TextReader r);
    }

    public final TextField root;
    /** As declared; of an exception, the text of its fault. */
    public final String name;
    /** With its package, as declared. */
    public final String fullName;
    /** A {@link TextRecord} or a {@link TextUnion}, or null of an enum. */
    private Object shape;
    /** What tables have made of it; null until then. */
    public volatile Object table;
    public final Encoder<T> encoder;
    public final Decoder<T> decoder;
    /** Whether a value may need {@code xsi:nil} or {@code xsi:type}. */
    public final boolean xsi;
    /** Those that a value can need, sorted. */
    public final String[] namespaces;
    /** What XML has made of the namespaces; null until then. */
    public Object xml;

    private TextCodec(String name, TextField root, Encoder<T> encoder, Decoder<T> decoder, boolean xsi, String[] namespaces) {
        this.root = root;
        this.fullName = name;
        this.name = name.substring(name.lastIndexOf('.') + 1);
        this.encoder = encoder;
        this.decoder = decoder;
        this.xsi = xsi;
        this.namespaces = TextName.namespaces(namespaces);
    }

    /**
     * A codec.
     *
     * @param name of the type with its package, as declared
     * @param root the element of a value alone (XML-3)
     * @param xsi whether a value may need {@code xsi:nil} or {@code xsi:type}
     * @param namespaces all that a value may need, sorted
     */
    public static <T> TextCodec<T> of(String name, TextField root, Encoder<T> encoder, Decoder<T> decoder, boolean xsi, String... namespaces) {
        return new TextCodec<>(name, root, encoder, decoder, xsi, namespaces);
    }

    /** What the type is made of. */
    public TextCodec<T> shape(TextRecord record) {
        shape = record;
        root.is(TextType.RECORD).held = this;
        return this;
    }

    /** What the type is made of. */
    public TextCodec<T> shape(TextUnion union) {
        shape = union;
        root.is(TextType.UNION).held = this;
        return this;
    }

    public Object shape() {
        return shape;
    }
}
