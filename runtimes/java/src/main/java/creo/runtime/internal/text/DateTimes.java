package creo.runtime.internal.text;

import creo.runtime.CreoException;
import creo.runtime.codegen.Bytes;
import java.nio.charset.StandardCharsets;
import java.time.Instant;

/** A {@code DateTime} as text: written by VAL-6, read by XML-13. The usual forms are handled as little-endian words of eight bytes. */
public final class DateTimes {
    /** The max size of a DateTime. */
    public static final int LONGEST = 30;

    /** The sizes of the forms that are read as words: without a fraction, and with one of three digits. */
    public static final int SHORT = 20;
    public static final int MIDDLE = 24;

    private static final int DAY = 86_400;
    /** The day of {@link Bytes#FIRST_SECOND}, counted from 0000-03-01. */
    private static final int FIRST_DAY = 306;
    /** Days of 400 years. */
    private static final int ERA = 146_097;
    /** The words of a DateTime, with zeros as digits. */
    private static final long DATE = word("0000-00-");
    private static final long CLOCK = word("00T00:00");
    private static final long SECONDS = word(":00Z");
    private static final long MILLIS = word(":00.000Z");

    private DateTimes() {}

    /** Writes an instant at {@code p}; returns the index after it. */
    public static int put(byte[] b, int p, Instant v) {
        long seconds = v.getEpochSecond();
        if (seconds < Bytes.FIRST_SECOND || seconds > Bytes.LAST_SECOND) {
            throw CreoException.invalid("a DateTime outside of the years 1 to 9999");
        }
        long since = seconds - Bytes.FIRST_SECOND;
        int day = (int) (since / DAY);
        int time = (int) (since - (long) day * DAY);
        // Quarter days, and years from March: Neri and Schneider, "Euclidean affine functions and their application to calendar algorithms".
        int quarters = 4 * (day + FIRST_DAY) + 3;
        int century = quarters / ERA;
        long years = 2_939_745L * (quarters % ERA | 3);
        int ofYear = (int) ((years & 0xffff_ffffL) / 2_939_745L) >> 2;
        int months = 2_141 * ofYear + 197_913;
        int month = months >> 16;
        int year = 100 * century + (int) (years >>> 32);
        if (month > 12) {
            month -= 12;
            year++;
        }
        int minutes = time / 60;
        int millis = v.getNano() / 1_000_000;
        long date = pairs(year / 100, year % 100, month, (months & 0xffff) / 2_141 + 1);
        long clock = pairs(minutes / 60, minutes % 60, time % 60, millis / 10);
        TextInput.LITTLE.set(b, p, DATE | date & 0xffff_ffffL | (date & 0xffff_0000_0000L) << 8);
        TextInput.LITTLE.set(b, p + 8, CLOCK | date >>> 48 | (clock & 0xffff) << 24 | (clock & 0xffff_0000L) << 32);
        long second = clock >>> 24 & 0xff_ff00;
        if (v.getNano() == 0) {
            TextInput.LITTLE.set(b, p + 16, SECONDS | second);
            return p + SHORT;
        }
        TextInput.LITTLE.set(b, p + 16, MILLIS | second | clock >>> 48 << 32 | (long) (millis % 10) << 48);
        int rest = v.getNano() % 1_000_000;
        if (rest == 0) {
            return p + MIDDLE;
        }
        p = NumberWriter.putTriple(b, p + MIDDLE - 1, rest / 1_000);
        if (rest % 1_000 != 0) {
            p = NumberWriter.putTriple(b, p, rest % 1_000);
        }
        b[p++] = 'Z';
        return p;
    }

    private static long word(String text) {
        byte[] bytes = new byte[8];
        System.arraycopy(text.getBytes(StandardCharsets.US_ASCII), 0, bytes, 0, text.length());
        return (long) TextInput.LITTLE.get(bytes, 0);
    }

    /** Four numbers below 100 as eight digit values, not yet characters. */
    private static long pairs(int first, int second, int third, int fourth) {
        long all = first | second << 16 | (long) third << 32 | (long) fourth << 48;
        long tens = all * 103 >>> 10 & 0x000f_000f_000f_000fL;
        return all - 10 * tens << 8 | tens;
    }

    /** The two-digit number at each byte of a word of a form; negative for another form. */
    private static long numbers(long word, long form) {
        long digits = word ^ form;
        // Where the form has a zero there may be up to nine; all other bits must match.
        long zeros = (form ^ TextInput.ONES * '0') + TextInput.ONES * 0x7f & TextInput.HIGH_BITS ^ TextInput.HIGH_BITS;
        long over = digits + (TextInput.ONES * 0x7f - (zeros >>> 7) * 9);
        return ((digits | over) & TextInput.HIGH_BITS) != 0 ? -1 : digits * 10 + (digits >>> 8);
    }

    /**
     * The instant of a text in one of the two usual forms, by its length; null for another form. At least {@link #MIDDLE} bytes must follow the
     * index.
     */
    public static Instant usual(byte[] b, int p, int n) {
        boolean fraction = n == MIDDLE;
        long date = numbers((long) TextInput.LITTLE.get(b, p), DATE);
        long clock = numbers((long) TextInput.LITTLE.get(b, p + 8), CLOCK);
        long rest = (long) TextInput.LITTLE.get(b, p + 16);
        rest = fraction ? numbers(rest, MILLIS) : numbers(rest & 0xffff_ffffL, SECONDS);
        if ((date | clock | rest) < 0) {
            return null;
        }
        int year = (int) (date & 0xff) * 100 + (int) (date >>> 16 & 0xff);
        int month = (int) (date >>> 40 & 0xff);
        int day = (int) (clock & 0xff);
        int hour = (int) (clock >>> 24 & 0xff);
        int minute = (int) (clock >>> 48 & 0xff);
        int second = (int) (rest >>> 8 & 0xff);
        if (year < 1 || month < 1 || month > 12 || day < 1 || day > daysOf(year, month) || hour > 23 || minute > 59 || second > 59) {
            return null;
        }
        long seconds = daysFrom1970(year, month, day) * DAY + hour * 3_600L + minute * 60L + second;
        return fraction ? Instant.ofEpochSecond(seconds, ((rest >>> 32 & 0xff) * 10 + b[p + 22] - '0') * 1_000_000) : Instant.ofEpochSecond(seconds);
    }

    /** The instant of a text, or null if it is invalid. */
    public static Instant parse(byte[] b, int from, int to) {
        int n = to - from;
        Instant usual = (n == SHORT || n == MIDDLE) && b.length - from >= MIDDLE ? usual(b, from, n) : null;
        if (usual != null) {
            return usual;
        }
        if (n < 19 || b[from + 4] != '-' || b[from + 7] != '-' || b[from + 10] != 'T' || b[from + 13] != ':' || b[from + 16] != ':') {
            return null;
        }
        int year = digits(b, from, 4);
        int month = digits(b, from + 5, 2);
        int day = digits(b, from + 8, 2);
        int hour = digits(b, from + 11, 2);
        int minute = digits(b, from + 14, 2);
        int second = digits(b, from + 17, 2);
        if (year < 1 || month < 1 || month > 12 || day < 1 || day > daysOf(year, month) || hour < 0 || hour > 24 || minute < 0 || minute > 59
                || second < 0 || second > 59) {
            return null;
        }
        int p = from + 19;
        int nanos = 0;
        if (p < to && b[p] == '.') {
            int first = ++p;
            int unit = 100_000_000;
            for (; p < to && b[p] >= '0' && b[p] <= '9'; p++) {
                nanos += (b[p] - '0') * unit;
                if (unit == 0 && b[p] != '0') {
                    return null;
                }
                unit /= 10;
            }
            if (p == first) {
                return null;
            }
        }
        if (hour == 24 && (minute != 0 || second != 0 || nanos != 0)) {
            return null;
        }
        int offset = offset(b, p, to);
        if (offset == Integer.MIN_VALUE) {
            return null;
        }
        long local = daysFrom1970(year, month, day) * DAY + hour * 3_600L + minute * 60L + second;
        if (local > Bytes.LAST_SECOND) {
            return null;
        }
        long seconds = local - offset;
        if (seconds < Bytes.FIRST_SECOND) {
            return Instant.ofEpochSecond(Bytes.FIRST_SECOND);
        }
        return seconds > Bytes.LAST_SECOND ? Instant.ofEpochSecond(Bytes.LAST_SECOND, 999_999_999) : Instant.ofEpochSecond(seconds, nanos);
    }

    /** The instant of a text in RFC 3339 form, with {@code Z} or an offset, or null if it is invalid (VAL-6). */
    public static Instant parseWithOffset(byte[] b, int from, int to) {
        int n = to - from;
        boolean offset = n > 19 && (b[to - 1] == 'Z' || n > 24 && (b[to - 6] == '+' || b[to - 6] == '-'));
        int time = b[to - 1] == 'Z' ? n - 1 : n - 6;
        return !offset || time > 29 || b[from + 11] == '2' && b[from + 12] == '4' ? null : parse(b, from, to);
    }

    private static int digits(byte[] b, int p, int n) {
        int v = 0;
        for (int i = 0; i < n; i++) {
            int d = b[p + i] - '0';
            if (d < 0 || d > 9) {
                return -1;
            }
            v = 10 * v + d;
        }
        return v;
    }

    /** The offset after the time, in seconds. */
    private static int offset(byte[] b, int p, int to) {
        if (p == to || p + 1 == to && b[p] == 'Z') {
            return 0;
        }
        if (to - p != 6 || b[p] != '+' && b[p] != '-' || b[p + 3] != ':') {
            return Integer.MIN_VALUE;
        }
        int hours = digits(b, p + 1, 2);
        int minutes = digits(b, p + 4, 2);
        if (hours < 0 || minutes < 0 || minutes > 59 || hours * 60 + minutes > 14 * 60) {
            return Integer.MIN_VALUE;
        }
        int seconds = (hours * 60 + minutes) * 60;
        return b[p] == '-' ? -seconds : seconds;
    }

    private static int daysOf(int year, int month) {
        return switch (month) {
            case 2 -> year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28;
            case 4, 6, 9, 11 -> 30;
            default -> 31;
        };
    }

    private static long daysFrom1970(int year, int month, int day) {
        int y = month <= 2 ? year - 1 : year;
        int era = y / 400;
        int ofEra = y - era * 400;
        int ofYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1;
        return era * 146_097L + ofEra * 365 + ofEra / 4 - ofEra / 100 + ofYear - 719_468;
    }
}
