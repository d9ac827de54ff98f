package creo.bench.workloads;

import java.time.Instant;
import java.util.Map;

/** A sum of every field, in order, by which what peers give back is compared; cheap, since it is part of what is measured. */
final class Digest {
    long sum;

    Digest number(long value) {
        sum = sum * 31 + value;
        return this;
    }

    Digest real(double value) {
        return number(Double.doubleToRawLongBits(value));
    }

    Digest instant(Instant value) {
        return instant(value.getEpochSecond(), value.getNano());
    }

    Digest instant(long seconds, int nanoseconds) {
        return number(seconds).number(nanoseconds);
    }

    Digest text(String value) {
        return number(textOf(value));
    }

    /** Of any order. */
    Digest map(Map<String, String> value) {
        long all = 0;
        for (Map.Entry<String, String> entry : value.entrySet()) {
            all += textOf(entry.getKey()) * 31 + textOf(entry.getValue());
        }
        return number(all);
    }

    private static long textOf(String value) {
        if (value == null) {
            return -1;
        }
        int length = value.length();
        return length == 0 ? 0 : (length * 31L + value.charAt(0)) * 31 + value.charAt(length - 1);
    }
}
