package creo.runtime.codegen;

/** Writes and reads values of one type on the binary wire. */
public interface Codec<T> {
    void encode(Writer w, T value);

    T decode(Reader r);

    /** A codec made of two functions, such as {@code Codec.of(DataCodec::encode, DataCodec::decode)}. */
    static <T> Codec<T> of(Encoder<T> encoder, Decoder<T> decoder) {
        return new Codec<>() {
            @Override
            public void encode(Writer w, T value) {
                encoder.encode(w, value);
            }

            @Override
            public T decode(Reader r) {
                return decoder.decode(r);
            }
        };
    }

    /** The codec of {@code void}, and of a result that is a stream: no bytes; the value that is read is null. */
    static <T> Codec<T> nothing() {
        return of((w, v) -> {}, r -> null);
    }

    /** Writes a value. */
    interface Encoder<T> {
        void encode(Writer w, T value);
    }

    /** Reads a value. */
    interface Decoder<T> {
        T decode(Reader r);
    }
}
