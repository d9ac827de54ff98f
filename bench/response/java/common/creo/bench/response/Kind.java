package creo.bench.response;

import java.util.Locale;

/** The content of a request. */
public enum Kind {
    /** Blocks of a double and a short, ten bytes each. */
    NUMBERS(10),
    /** Strings of ten characters. */
    STRINGS(10),
    /** One array of bytes. */
    BYTES(1);

    private final int itemSize;

    Kind(int itemSize) {
        this.itemSize = itemSize;
    }

    static Kind of(String name) {
        return valueOf(name.toUpperCase(Locale.ROOT));
    }

    /** The number of items for a payload of this size. */
    int items(int size) {
        return size / itemSize;
    }
}
