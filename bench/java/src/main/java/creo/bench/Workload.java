package creo.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The serialized values, the same in every language of the benchmark for comparable bytes. */
public enum Workload {
    /** Blocks of a double and a short, 10 bytes each. */
    NUMBERS(10),
    /** Strings of 10 characters. */
    STRINGS(10),
    /** Strings of 1 to 19 characters, a tenth of them not ASCII. */
    TEXTS(10),
    /** One byte array. */
    BYTES(1),
    /** One array of doubles. */
    REALS(8);

    /** A block as plain code would hold it. */
    public record Block(double d, short s) {}

    private final int itemSize;

    Workload(int itemSize) {
        this.itemSize = itemSize;
    }

    static Workload of(String name) {
        return valueOf(name.toUpperCase(Locale.ROOT));
    }

    /** How many items make up a payload of {@code size} bytes. */
    int items(int size) {
        return size / itemSize;
    }

    static double d(int i) {
        return i / 8.0 - 3;
    }

    static short s(int i) {
        return (short) (i * 7919);
    }

    static String string(int i) {
        return String.format(Locale.ROOT, "%010d", i * 1234567891L % 10_000_000_000L);
    }

    static List<Block> blocks(int count) {
        List<Block> blocks = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            blocks.add(new Block(d(i), s(i)));
        }
        return blocks;
    }

    static String text(int i) {
        String text = (string(i) + string(i + 1)).substring(0, 1 + (int) (i * 7L % 19));
        return i % 10 == 0 ? 'é' + text.substring(1) : text;
    }

    /** The strings of {@link #STRINGS} or {@link #TEXTS}. */
    List<String> strings(int count) {
        List<String> strings = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            strings.add(this == TEXTS ? text(i) : string(i));
        }
        return strings;
    }

    static byte[] bytes(int count) {
        byte[] bytes = new byte[count];
        for (int i = 0; i < count; i++) {
            bytes[i] = (byte) (i * 31 + 7);
        }
        return bytes;
    }

    static double[] reals(int count) {
        double[] reals = new double[count];
        for (int i = 0; i < count; i++) {
            reals[i] = d(i);
        }
        return reals;
    }
}
