package creo.runtime;

import creo.runtime.codegen.TextCodec;
import creo.runtime.internal.tdxml.TableDocument;
import creo.runtime.internal.tdxml.TableWriter;
import creo.runtime.internal.xml.XmlReader;

/** Values as tables ({@code spec/wires/tdxml.md}). */
public final class Tdxml {
    private Tdxml() {}

    /** The value as a table, in the record scheme without a schema. */
    public static <T> byte[] write(TextCodec<T> codec, T value) {
        return write(codec, value, TableOptions.RECORD);
    }

    /**
     * The value as a table.
     *
     * @throws CreoException {@code invalid-value} with its path, or {@code too-large}
     */
    public static <T> byte[] write(TextCodec<T> codec, T value, TableOptions options) {
        TableWriter w = TableWriter.borrow(Limits.DEFAULT);
        try {
            w.value(codec, value, options, codec.fullName);
            return w.toBytes();
        } catch (CreoException e) {
            throw w.locate(e);
        } finally {
            w.giveBack();
        }
    }

    /**
     * The value of a table of either scheme, within the default limits.
     *
     * @throws CreoException {@code malformed} with its path and row, {@code protocol-mismatch} if the schema differs, or {@code too-large}
     */
    public static <T> T read(TextCodec<T> codec, byte[] tdxml) {
        return read(codec, tdxml, Limits.DEFAULT);
    }

    /** The value of a table, within the given limits. */
    public static <T> T read(TextCodec<T> codec, byte[] tdxml, Limits limits) {
        XmlReader r = XmlReader.borrow(limits);
        try {
            r.open(tdxml, 0, tdxml.length, null);
            TableDocument document = TableDocument.readAlone(r);
            document.checkOf(codec.fullName);
            T value = document.value(codec, null);
            r.endDocument();
            return value;
        } catch (CreoException e) {
            throw r.locate(e);
        } finally {
            r.giveBack();
        }
    }
}
