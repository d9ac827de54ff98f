package creo.runtime.internal.buffer;

import creo.runtime.Limits;
import java.util.Arrays;

/**
 * The bytes of a message, followed by padding: readers of text put zeros there and need not check for the end.
 *
 * @param memory what the bytes were charged to (LIM-18), or null
 */
public record PaddedBytes(byte[] bytes, int length, Memory memory) {
    /** The room after the bytes. */
    public static final int PADDING = 32;

    /** Bytes that are not charged yet. */
    public PaddedBytes(byte[] bytes, int length) {
        this(bytes, length, null);
    }

    /** The first bytes of an array, which is copied if it has no room after them. */
    public static PaddedBytes of(byte[] bytes, int length) {
        return new PaddedBytes(bytes.length - length >= PADDING ? bytes : Arrays.copyOf(bytes, length + PADDING), length);
    }

    /** The memory to which the bytes are charged. */
    public Memory charged(Limits limits) {
        if (memory != null) {
            return memory;
        }
        Memory own = new Memory(limits.maxMemory());
        own.charge(length);
        return own;
    }
}
