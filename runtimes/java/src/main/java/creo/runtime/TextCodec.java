package creo.runtime;

import java.util.Arrays;

/**
 * How values of one type are written to and read from text wires, and how a value alone stands there. Generated code has one for each type.
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

    final TextField root;
    /** As declared; of an exception, the text of its fault. */
    final String name;
    final Encoder<T> encoder;
    final Decoder<T> decoder;
    /** Those that a value can need, sorted (XML-2). */
    final String[] namespaces;
    final boolean xsi;

    private TextCodec(String name, TextField root, Encoder<T> encoder, Decoder<T> decoder, boolean xsi, String[] namespaces) {
        this.root = root;
        this.name = name;
        this.encoder = encoder;
        this.decoder = decoder;
        this.xsi = xsi;
        this.namespaces = Arrays.stream(namespaces).map(XmlName::namespace).toArray(String[]::new);
    }

    /**
     * A codec.
     *
     * @param name of the type, as declared
     * @param root the element of a value alone (XML-3)
     * @param xsi whether a value may need {@code xsi:nil} or {@code xsi:type}
     * @param namespaces all that a value may need, sorted
     */
    public static <T> TextCodec<T> of(String name, TextField root, Encoder<T> encoder, Decoder<T> decoder, boolean xsi, String... namespaces) {
        return new TextCodec<>(name, root, encoder, decoder, xsi, namespaces);
    }

    /**
     * The value as XML, an element of its own.
     *
     * @throws CreoException {@code invalid-value} with its place, or {@code too-large}
     */
    public byte[] toXml(T value) {
        XmlWriter w = XmlWriter.borrow(Limits.DEFAULT);
        try {
            w.declareOnNext(namespaces, xsi);
            encoder.write(w, root, value);
            return w.toBytes();
        } catch (CreoException e) {
            throw w.locate(e);
        } finally {
            w.giveBack();
        }
    }

    /**
     * The value of XML, within the default limits.
     *
     * @throws CreoException {@code malformed} with place and offset, or {@code too-large}
     */
    public T fromXml(byte[] xml) {
        return fromXml(xml, Limits.DEFAULT);
    }

    /** The value of XML, within the given limits. */
    public T fromXml(byte[] xml, Limits limits) {
        XmlReader r = XmlReader.borrow(limits);
        try {
            r.open(xml, 0, xml.length, null);
            r.beginRoot(root);
            T value = decoder.read(r);
            r.endDocument();
            return value;
        } catch (CreoException e) {
            throw r.locate(e);
        } finally {
            r.giveBack();
        }
    }
}
