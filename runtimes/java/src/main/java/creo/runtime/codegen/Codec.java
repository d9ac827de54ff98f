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

    /** The codec of a result that is a stream: no bytes; what is read is null, since the items come by themselves. */
    static <T> Codec<T> ofStream() {
        return of((w, v) -> {}, r -> null);
    }

    /** The codec of {@code void}: no bytes; its value is null. */
    static Codec<Void> nothing() {
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
