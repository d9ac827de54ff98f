package creo.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import creo.runtime.internal.text.NumberReader;
import creo.runtime.internal.text.NumberWriter;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Numbers as text (XML-10, XML-11). */
class NumberTextTest {
    private static final int CASES = 30_000;

    private static String text(double v) {
        byte[] b = new byte[NumberWriter.LONGEST];
        return new String(b, 0, NumberWriter.put(b, 0, v), StandardCharsets.US_ASCII);
    }

    private static String text(float v) {
        byte[] b = new byte[NumberWriter.LONGEST];
        return new String(b, 0, NumberWriter.put(b, 0, v), StandardCharsets.US_ASCII);
    }

    private static Double parse(String text) {
        byte[] b = text.getBytes(StandardCharsets.US_ASCII);
        return NumberReader.parseDouble(b, 0, b.length);
    }

    private static Float parseFloat(String text) {
        byte[] b = text.getBytes(StandardCharsets.US_ASCII);
        return NumberReader.parseFloat(b, 0, b.length);
    }

    @Test
    void isLaidOutAsEcmaScriptDoes() {
        Object[][] cases = {{1.0, "1"}, {-0.0, "-0"}, {0.0, "0"}, {0.1, "0.1"}, {1.5e-7, "1.5e-7"}, {1e21, "1e+21"}, {1e20, "100000000000000000000"}, {123456789012345680000.0, "123456789012345680000"},
            {0.000001, "0.000001"}, {0.0000015, "0.0000015"}, {1e-7, "1e-7"}, {-1.25, "-1.25"}, {5e-324, "5e-324"}, {Double.MAX_VALUE, "1.7976931348623157e+308"}, {Double.MIN_NORMAL, "2.2250738585072014e-308"},
            {9007199254740993.0, "9007199254740992"}, {2e-3, "0.002"}, {1e23, "1e+23"}, {4.35, "4.35"}, {1234.5678, "1234.5678"}, {Double.NaN, "NaN"},
            {Double.POSITIVE_INFINITY, "INF"}, {Double.NEGATIVE_INFINITY, "-INF"}};
        for (Object[] each : cases) {
            assertEquals(each[1], text((Double) each[0]));
            assertEquals(each[0], parse((String) each[1]));
        }
        assertEquals("1.2621775e-29", text(0x1p-96f));
        assertEquals("3.4028235e+38", text(Float.MAX_VALUE));
        assertEquals("1e-45", text(Float.MIN_VALUE));
        assertEquals("193071.12", text(193071.125f));
    }

    @Test
    void randomDoublesComeBackByTheirShortestDigits() {
        Random random = new Random(1);
        for (int i = 0; i < CASES; i++) {
            double v = i % 3 == 0 ? random.nextInt() / 1e3 : i % 3 == 1 ? Math.scalb(1 + random.nextInt(3), random.nextInt(2_000) - 1_000) : Double.longBitsToDouble(random.nextLong());
            if (Double.isNaN(v) || Double.isInfinite(v) || v == 0) {
                continue;
            }
            String text = text(v);
            assertEquals(v, Double.parseDouble(text), text);
            assertEquals(v, parse(text), text);
            int digits = new BigDecimal(text).stripTrailingZeros().precision();
            for (RoundingMode mode : new RoundingMode[] {RoundingMode.DOWN, RoundingMode.UP}) {
                if (digits > 1) {
                    double shorter = new BigDecimal(v).round(new MathContext(digits - 1, mode)).doubleValue();
                    assertEquals(false, shorter == v, text);
                }
            }
        }
    }

    @Test
    void randomFloatsComeBack() {
        Random random = new Random(2);
        for (int i = 0; i < CASES; i++) {
            float v = Float.intBitsToFloat(random.nextInt());
            if (!Float.isNaN(v)) {
                assertEquals(v, parseFloat(text(v)), text(v));
            }
        }
    }

    @Test
    void anyDigitsAreRoundedToTheNearest() {
        Random random = new Random(3);
        for (int i = 0; i < CASES; i++) {
            String text = (random.nextBoolean() ? "-" : "") + (random.nextLong() >>> random.nextInt(60)) + "." + (random.nextInt() >>> 1) + "e" + (random.nextInt(680) - 340);
            text = text.replace("--", "-");
            assertEquals(Double.parseDouble(text), parse(text), text);
        }
        // Right below, on and right above the middle of two floats, which rounding twice gets wrong.
        assertEquals(1.0000001f, parseFloat("1.00000017881393421514957253748434595763683319091796875001"));
        assertEquals(1.0000002f, parseFloat("1.000000178813934326171875"));
        assertEquals(1.0000002f, parseFloat("1.0000001788139343261718750000000000000000000000000000001"));
        assertEquals(1.0000001f, parseFloat("1.000000178813934326171874999999999999999999999999999999"));
        assertEquals(Float.MAX_VALUE, parseFloat("340282356779733661637539395458142568447.9"));
        assertEquals(Float.POSITIVE_INFINITY, parseFloat("340282356779733661637539395458142568448"));
        BigDecimal half = new BigDecimal(0x1p-150);
        assertEquals(0f, parseFloat(half.toString()));
        assertEquals(Float.MIN_VALUE, parseFloat(half.add(new BigDecimal("1e-300")).toString()));
        assertEquals(1f, parseFloat("1." + "0".repeat(5_000) + "1"));
    }

    @Test
    void takesWhatXmlSchemaTakes() {
        assertEquals(0.5, parse(".5"));
        assertEquals(5.0, parse("5."));
        assertEquals(1e5, parse("+1E5"));
        assertEquals(Double.POSITIVE_INFINITY, parse("+INF"));
        assertEquals(Double.POSITIVE_INFINITY, parse("1e999999999999"));
        assertEquals(-0.0, parse("-1e-999999999999"));
        assertEquals(1e300, parse("1" + "0".repeat(300)));
        for (String wrong : new String[] {"", ".", "+", "-", "1e", "1e+", "e5", "0x1p3", "1f", "1d", "1_0", "inf", "nan", "--1", "1.2.3", "1 2", "-NaN", "Infinity"}) {
            assertNull(parse(wrong), wrong);
            assertNull(parseFloat(wrong), wrong);
        }
    }
}
