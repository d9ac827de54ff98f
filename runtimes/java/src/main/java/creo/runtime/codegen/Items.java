package creo.runtime.codegen;

import java.util.Objects;

/**
 * How the items of a stream are written and read. An items frame holds the value {@code T[]} of the binary wire (TCP-30): a count, then the items.
 *
 * @param codec how one item is written and read
 * @param least the min size of an item in bytes, and
 * @param charge what each item is charged: the arguments of {@link Reader#readCount(int, int)} for the count
 */
public record Items<T>(Codec<T> codec, int least, int charge) {
    public Items {
        Objects.requireNonNull(codec, "codec");
    }
}
