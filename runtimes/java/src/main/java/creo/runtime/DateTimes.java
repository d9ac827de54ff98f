package creo.runtime;

import java.time.Instant;

/** A {@code DateTime} as text: written as VAL-6 says, read as XML-13 does. */
final class DateTimes {
    /** The most bytes that a DateTime takes. */
    static final int LONGEST = 30;

    private static final int DAY = 86_400;

    private DateTimes() {}

    /** Writes an instant at {@code p}, and returns the index behind it. */
    static int put(byte[] b, int p, Instant v) {
        long seconds = v.getEpochSecond();
        if (seconds < Bytes.FIRST_SECOND || seconds > Bytes.LAST_SECOND) {
            throw CreoException.invalid("a DateTime outside of the years 1 to 9999");
        }
        long day = Math.floorDiv(seconds, (long) DAY);
        int time = (int) (seconds - day * DAY);
        // Days from 0000-03-01, in eras of 400 years.
        long z = day + 719_468;
        long era = Math.floorDiv(z, 146_097L);
        int ofEra = (int) (z - era * 146_097);
        int yearOfEra = (ofEra - ofEra / 1_460 + ofEra / 36_524 - ofEra / 146_096) / 365;
        int ofYear = ofEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100);
        int m = (5 * ofYear + 2) / 153;
        int dayOfMonth = ofYear - (153 * m + 2) / 5 + 1;
        int month = m < 10 ? m + 3 : m - 9;
        int year = (int) (yearOfEra + era * 400) + (month <= 2 ? 1 : 0);
        p = NumberWriter.putPair(b, NumberWriter.putPair(b, p, year / 100), year % 100);
        b[p++] = '-';
        p = NumberWriter.putPair(b, p, month);
        b[p++] = '-';
        p = NumberWriter.putPair(b, p, dayOfMonth);
        b[p++] = 'T';
        p = NumberWriter.putPair(b, p, time / 3_600);
        b[p++] = ':';
        p = NumberWriter.putPair(b, p, time / 60 % 60);
        b[p++] = ':';
        p = NumberWriter.putPair(b, p, time % 60);
        int nanos = v.getNano();
        if (nanos != 0) {
            b[p++] = '.';
            p = NumberWriter.putTriple(b, p, nanos / 1_000_000);
            if (nanos % 1_000_000 != 0) {
                p = NumberWriter.putTriple(b, p, nanos / 1_000 % 1_000);
                if (nanos % 1_000 != 0) {
                    p = NumberWriter.putTriple(b, p, nanos % 1_000);
                }
            }
        }
        b[p++] = 'Z';
        return p;
    }

    /** The instant of a text, or null if it is none. */
    static Instant parse(byte[] b, int from, int to) {
        int n = to - from;
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
        long seconds = daysFrom1970(year, month, day) * DAY + hour * 3_600L + minute * 60L + second - offset;
        return seconds < Bytes.FIRST_SECOND || seconds > Bytes.LAST_SECOND ? null : Instant.ofEpochSecond(seconds, nanos);
    }

    /** The instant of a text as RFC 3339 has it, with {@code Z} or an offset, or null if it is none (VAL-6). */
    static Instant parseWithOffset(byte[] b, int from, int to) {
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

    /** The offset in seconds of what follows the time. */
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
