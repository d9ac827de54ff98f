package creo.runtime;

import creo.runtime.codegen.TextCodec;
import creo.runtime.internal.xml.XmlDeclarations;
import creo.runtime.internal.xml.XmlReader;
import creo.runtime.internal.xml.XmlWriter;

/** Values as XML, each as one element ({@code spec/wires/xml.md}). */
public final class Xml {
    private Xml() {}

    /**
     * The value as XML.
     *
     * @throws CreoException {@code invalid-value} with its path, or {@code too-large}
     */
    public static <T> byte[] write(TextCodec<T> codec, T value) {
        XmlWriter w = XmlWriter.borrow(Limits.DEFAULT);
        try {
            w.declareOnNext(XmlDeclarations.of(codec));
            codec.encoder.write(w, codec.root, value);
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
     * @throws CreoException {@code malformed} with path and offset, or {@code too-large}
     */
    public static <T> T read(TextCodec<T> codec, byte[] xml) {
        return read(codec, xml, Limits.DEFAULT);
    }

    /** The value of XML, within the given limits. */
    public static <T> T read(TextCodec<T> codec, byte[] xml, Limits limits) {
        XmlReader r = XmlReader.borrow(limits);
        try {
            r.open(xml, 0, xml.length, null);
            r.beginRoot(codec.root);
            T value = codec.decoder.read(r);
            r.endDocument();
            return value;
        } catch (CreoException e) {
            throw r.locate(e);
        } finally {
            r.giveBack();
        }
    }
}
