package creo.bench.response;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;

/** The values that are sent: the same in every language, and those of the wire benchmark. */
public final class Data {
    private Data() {}

    public static double d(int i) {
        return i / 8.0 - 3;
    }

    public static short s(int i) {
        return (short) (i * 7919);
    }

    /** Ten digits. */
    public static String string(int i) {
        byte[] digits = new byte[10];
        long rest = i * 1234567891L % 10_000_000_000L;
        for (int at = 9; at >= 0; at--, rest /= 10) {
            digits[at] = (byte) ('0' + rest % 10);
        }
        return new String(digits, StandardCharsets.ISO_8859_1);
    }

    public static List<String> strings(int count) {
        return list(count, Data::string);
    }

    public static byte[] bytes(int count) {
        byte[] bytes = new byte[count];
        for (int i = 0; i < count; i++) {
            bytes[i] = oneByte(i);
        }
        return bytes;
    }

    static byte oneByte(int i) {
        return (byte) (i * 31 + 7);
    }

    public static <T> List<T> list(int count, IntFunction<T> item) {
        List<T> items = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            items.add(item.apply(i));
        }
        return items;
    }
}
