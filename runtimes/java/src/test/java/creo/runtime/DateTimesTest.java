package creo.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;

import creo.runtime.codegen.Bytes;
import creo.runtime.internal.text.DateTimes;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Texts of a {@code DateTime}: the forms that are handled in words of eight bytes, and all others. */
class DateTimesTest {
    private static String put(Instant v) {
        byte[] b = new byte[DateTimes.LONGEST + 3];
        return new String(b, 3, DateTimes.put(b, 3, v) - 3, StandardCharsets.US_ASCII);
    }

    private static Instant parse(String text) {
        byte[] b = text.getBytes(StandardCharsets.ISO_8859_1);
        return DateTimes.parse(b, 0, b.length);
    }

    private static void check(Instant v) {
        // The JDK's own text has no fraction, or one of three, six or nine digits, too.
        assertEquals(v.toString(), put(v));
        assertEquals(v, parse(put(v)));
    }

    @Test
    void everyDayOfAnEraAndManyOthersAreWrittenAndRead() {
        // The calendar repeats after 400 years.
        long era = Bytes.FIRST_SECOND + 400 * 366 * 86_400L;
        for (long second = Bytes.FIRST_SECOND; second <= Bytes.LAST_SECOND; second += second < era ? 86_400 : 23 * 86_400) {
            check(Instant.ofEpochSecond(second + Math.floorMod(second / 7, 86_400)));
        }
        check(Instant.ofEpochSecond(Bytes.LAST_SECOND, 999_999_999));
    }

    @Test
    void everyFractionIsWrittenAndRead() {
        Random random = new Random(5);
        for (int nanos : new int[] {0, 1, 999, 1_000, 999_000, 999_999, 1_000_000, 1_000_001, 10_000_000, 123_000_000, 120_000_000, 999_000_000, 999_999_999}) {
            check(Instant.ofEpochSecond(random.nextInt(), nanos));
        }
        for (int i = 0; i < 100_000; i++) {
            check(Instant.ofEpochSecond(random.nextInt(), random.nextInt(1_000) * new int[] {1, 1_000, 1_000_000}[i % 3]));
        }
    }

    /** The same instant with an offset is read by the long way. */
    @Test
    void whatIsReadInWordsIsReadAsAllOtherForms() {
        Random random = new Random(6);
        String characters = "0123456789:-TtZz./ \u00b0\u00ff\0";
        for (int i = 0; i < 200_000; i++) {
            StringBuilder text = new StringBuilder(put(Instant.ofEpochSecond(Bytes.FIRST_SECOND + Math.floorMod(random.nextLong(), 315_537_897_600L), i % 2 * 1_000_000L * random.nextInt(1_000))));
            text.setCharAt(random.nextInt(text.length() - 1), characters.charAt(random.nextInt(characters.length())));
            String before = text.substring(0, text.length() - 1);
            assertEquals(parse(before + "+00:00"), parse(text.toString()), text.toString());
        }
    }
}
