package creo.runtime;

import creo.runtime.codegen.TextCodec;
import creo.runtime.internal.json.JsonReader;
import creo.runtime.internal.json.JsonWriter;

/** Values as JSON ({@code spec/wires/json.md}). */
public final class Json {
    private Json() {}

    /**
     * The value as JSON.
     *
     * @throws CreoException {@code invalid-value} with its path, or {@code too-large}
     */
    public static <T> byte[] write(TextCodec<T> codec, T value) {
        JsonWriter w = JsonWriter.borrow(Limits.DEFAULT);
        try {
            codec.encoder.write(w, codec.root, value);
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
     * @throws CreoException {@code malformed} with path and offset, or {@code too-large}
     */
    public static <T> T read(TextCodec<T> codec, byte[] json) {
        return read(codec, json, Limits.DEFAULT);
    }

    /** The value of JSON, within the given limits. */
    public static <T> T read(TextCodec<T> codec, byte[] json, Limits limits) {
        JsonReader r = JsonReader.borrow(limits);
        try {
            r.open(json, 0, json.length);
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
