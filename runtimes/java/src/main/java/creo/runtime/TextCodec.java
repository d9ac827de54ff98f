package creo.runtime;

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
    /** With its package, as declared. */
    final String fullName;
    /** A {@link TextRecord} or a {@link TextUnion}, or null of an enum. */
    private Object shape;
    private volatile String schema;
    final Encoder<T> encoder;
    final Decoder<T> decoder;
    /** Those that a value can need, sorted (XML-2). */
    final XmlDeclarations declarations;

    private TextCodec(String name, TextField root, Encoder<T> encoder, Decoder<T> decoder, boolean xsi, String[] namespaces) {
        this.root = root;
        this.fullName = name;
        this.name = name.substring(name.lastIndexOf('.') + 1);
        this.encoder = encoder;
        this.decoder = decoder;
        this.declarations = new XmlDeclarations(xsi, namespaces);
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

    Object shape() {
        return shape;
    }

    /** The schema of its tables. */
    String schema() {
        String known = schema;
        if (known == null) {
            known = TableSchema.of(this);
            schema = known;
        }
        return known;
    }

    /** The value as a table, in the record scheme and without schema. */
    public byte[] toTdxml(T value) {
        return toTdxml(value, TableOptions.RECORD);
    }

    /**
     * The value as a table.
     *
     * @throws CreoException {@code invalid-value} with its place, or {@code too-large}
     */
    public byte[] toTdxml(T value, TableOptions options) {
        TableWriter w = TableWriter.borrow(Limits.DEFAULT);
        try {
            w.value(this, value, options, fullName);
            return w.toBytes();
        } catch (CreoException e) {
            throw w.locate(e);
        } finally {
            w.giveBack();
        }
    }

    /**
     * The value of a table in either scheme, within the default limits.
     *
     * @throws CreoException {@code malformed} with its place and row, {@code protocol-mismatch} if a schema says something else, or {@code too-large}
     */
    public T fromTdxml(byte[] tdxml) {
        return fromTdxml(tdxml, Limits.DEFAULT);
    }

    /** The value of a table, within the given limits. */
    public T fromTdxml(byte[] tdxml, Limits limits) {
        XmlReader r = XmlReader.borrow(limits);
        try {
            r.open(tdxml, 0, tdxml.length, null);
            TableDocument document = TableDocument.readAlone(r);
            document.checkOf(fullName);
            T value = document.value(this, null);
            r.endDocument();
            return value;
        } catch (CreoException e) {
            throw r.locate(e);
        } finally {
            r.giveBack();
        }
    }

    /**
     * The value as XML, an element of its own.
     *
     * @throws CreoException {@code invalid-value} with its place, or {@code too-large}
     */
    public byte[] toXml(T value) {
        XmlWriter w = XmlWriter.borrow(Limits.DEFAULT);
        try {
            w.declareOnNext(declarations);
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

    /**
     * The value as JSON.
     *
     * @throws CreoException {@code invalid-value} with its place, or {@code too-large}
     */
    public byte[] toJson(T value) {
        JsonWriter w = JsonWriter.borrow(Limits.DEFAULT);
        try {
            encoder.write(w, root, value);
            w.end();
            return w.toBytes();
        } catch (CreoException e) {
            throw w.locate(e);
        } finally {
            w.giveBack();
        }
    }

    /**
     * The value of JSON, within the default limits.
     *
     * @throws CreoException {@code malformed} with place and offset, or {@code too-large}
     */
    public T fromJson(byte[] json) {
        return fromJson(json, Limits.DEFAULT);
    }

    /** The value of JSON, within the given limits. */
    public T fromJson(byte[] json, Limits limits) {
        JsonReader r = JsonReader.borrow(limits);
        try {
            r.open(json, 0, json.length);
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
