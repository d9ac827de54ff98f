package creo.runtime.codegen;

import creo.runtime.internal.text.TextName;

/** Writes and reads values of one type on text wires. Generated code has one for each type; {@code Xml}, {@code Json} and {@code Tdxml} use it. */
public final class TextCodec<T> {
    /** Writes a value as the given field. */
    public interface Encoder<T> {
        void write(TextWriter w, TextField field, T value);
    }

    /** Reads the value at the reader's position. */
    public interface Decoder<T> {
        T read(TextReader r);
    }

    public final TextField root;
    /** The declared name; of an exception, also the text of its fault. */
    public final String name;
    /** The declared name with its package. */
    public final String fullName;
    /** A {@link TextRecord} or a {@link TextUnion}, or null for an enum. */
    private Object shape;
    /** The tables' form of it; null until first used. */
    public volatile Object table;
    public final Encoder<T> encoder;
    public final Decoder<T> decoder;
    /** Whether a value may need {@code xsi:nil} or {@code xsi:type}. */
    public final boolean xsi;
    /** All namespaces that a value may need, sorted. */
    public final String[] namespaces;
    /** The XML form of the namespaces; null until first used. */
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
     * @param name the declared name of the type with its package
     * @param root the element of a standalone value (XML-3)
     * @param xsi whether a value may need {@code xsi:nil} or {@code xsi:type}
     * @param namespaces all that a value may need, sorted
     */
    public static <T> TextCodec<T> of(String name, TextField root, Encoder<T> encoder, Decoder<T> decoder, boolean xsi, String... namespaces) {
        return new TextCodec<>(name, root, encoder, decoder, xsi, namespaces);
    }

    /** Sets the structure of the type. */
    public TextCodec<T> shape(TextRecord record) {
        shape = record;
        root.is(TextType.RECORD).held = this;
        return this;
    }

    /** Sets the structure of the type. */
    public TextCodec<T> shape(TextUnion union) {
        shape = union;
        root.is(TextType.UNION).held = this;
        return this;
    }

    public Object shape() {
        return shape;
    }
}
