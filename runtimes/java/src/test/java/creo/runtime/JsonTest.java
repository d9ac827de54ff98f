package creo.runtime;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import creo.runtime.codegen.TextField;
import creo.runtime.codegen.TextRecord;
import creo.runtime.internal.json.JsonRecord;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** JSON of single values: reading and refused texts (JSON-1 to JSON-14). */
class JsonTest {
    private static final XmlSample SAMPLE = new XmlSample("i", "a\"\\\n\u0001\u20ac\ud83d\ude00", -7, new double[] {1, 2.5, -0.0, Double.NaN, Double.NEGATIVE_INFINITY}, "",
        XmlSample.of("next", 1));
    private static final String TEXT = "{\"id\":\"i\",\"name\":\"a\\\"\\\\\\n\\u0001\u20ac\ud83d\ude00\",\"count\":-7,\"values\":[1,2.5,-0,\"NaN\",\"-Infinity\"],\"note\":\"\","
        + "\"next\":{\"name\":\"next\",\"count\":1,\"values\":[]}}";

    private static XmlSample parse(String json) {
        return Json.read(XmlSample.CODEC, json.getBytes(StandardCharsets.UTF_8));
    }

    private static CreoException refused(String json) {
        CreoException e = assertThrows(CreoException.class, () -> parse(json), json);
        assertEquals(ErrorCode.MALFORMED, e.code(), json + ": " + e.getMessage());
        return e;
    }

    @Test
    void aValueIsWrittenAndReadAgain() {
        assertEquals(TEXT, new String(Json.write(XmlSample.CODEC, SAMPLE), StandardCharsets.UTF_8));
        XmlSample back = parse(TEXT);
        assertEquals(SAMPLE.name(), back.name());
        assertEquals(Arrays.toString(SAMPLE.values()), Arrays.toString(back.values()));
        assertEquals(TEXT, new String(Json.write(XmlSample.CODEC, back), StandardCharsets.UTF_8));
    }

    @Test
    void longTextsAreEscapedWhereverTheyNeedIt() {
        for (int n = 40; n < 80; n++) {
            for (String each : new String[] {"\"", "\\", "\u001f", "\u00e9", "\u20ac", "\ud83d\ude00", "?", "!"}) {
                String name = "x".repeat(n / 2) + each + "y".repeat(n / 2);
                assertEquals(name, Json.read(XmlSample.CODEC, Json.write(XmlSample.CODEC, XmlSample.of(name, 1))).name());
            }
        }
        CreoException e = assertThrows(CreoException.class, () -> Json.write(XmlSample.CODEC, XmlSample.of("\ud800", 1)));
        assertEquals("$.name", e.place());
    }

    @Test
    void membersComeInAnyOrderWithAnySpaceAndEscapes() {
        assertEquals(3, parse("\ufeff \t{ \"values\" : [ 1 , 2 ] ,\r\n\"co\\u0075nt\":3, \"note\" : null , \"name\":\"n\" } \n").count());
        assertEquals("\ud83d\ude00/", parse("{\"name\":\"\\uD83d\\uDe00\\/\",\"count\":0,\"values\":[]}").name());
    }

    @Test
    void theNextMemberIsPredictedInTheOrderInWhichMembersAreWritten() {
        TextField[] fields = {TextField.element("a", "", "a"), TextField.attribute("b", "", "b"), TextField.element("c", "", "c"), TextField.attribute("d", "", "d"),
            TextField.element("e", "", "e")};
        // First b, then d, a, c, e.
        assertArrayEquals(new int[] {1, 2, 3, 4, 0, 5}, JsonRecord.of(TextRecord.of("Turned", "", "Turned").fields(fields)).following);
        assertNull(JsonRecord.of(TextRecord.of("Straight", "", "Straight").fields(fields[1], fields[3], fields[0])).following);
        assertNull(JsonRecord.of(TextRecord.of("Empty", "", "Empty").fields()).following);
    }

    @Test
    void whatIsNoJsonIsRefused() {
        String start = "{\"name\":\"n\",\"values\":[],\"count\":";
        for (String number : List.of("", "01", "-", "+1", ".5", "1.", "1.0", "1e0", "0x1", "1 2", "--1", "2147483648", "-2147483649", "1" + "0".repeat(400), "\"1\"", "null", "true",
                "[1]", "{}", "nul", "1}", "1,", "1]", "1/**/")) {
            refused(start + number + "}");
        }
        assertEquals(0, parse(start + "-0}").count());
        String before = "{\"count\":1,\"values\":[],\"name\":";
        for (String text : List.of("\"", "\"\\x\"", "\"\\u12g4\"", "\"\\ud800\"", "\"\\udc00\"", "\"\\ud800\\ud800\"", "\"\\ud800x\"", "\"a\nb\"", "\"\t\"", "\"\u0000\"", "'n'", "1", "n")) {
            refused(before + text + "}");
        }
        for (String text : List.of("", " ", "[]", "\"\"", "{", "{}x", "{,}", "{\"name\"}", "{\"name\":\"n\",}", "{name:1}")) {
            refused(text);
        }
        refused(TEXT + "x");
        refused(TEXT.replace("[1,2.5", "[,1,2.5"));
        refused(TEXT.replace("[1,2.5", "[1,,2.5"));
        refused(TEXT.replace("\"-Infinity\"]", "\"-Infinity\",]"));
        refused(TEXT.replace("2.5", "1e400"));
        refused(TEXT.replace("2.5", "\"2.5\""));
        refused(TEXT.replace("\"NaN\"", "NaN"));
    }

    @Test
    void bytesThatAreNoUtf8AreRefusedWithTheirOffset() {
        byte[] text = "{\"count\":1,\"values\":[],\"name\":\"abcdefghijk?\"}".getBytes(StandardCharsets.UTF_8);
        int at = text.length - 3;
        for (int b : new int[] {0x80, 0xc0, 0xc1, 0xed, 0xf5, 0xff}) {
            text[at] = (byte) b;
            assertEquals(at, assertThrows(CreoException.class, () -> Json.read(XmlSample.CODEC, text)).offset());
        }
    }

    @Test
    void membersAreThereOnce() {
        assertTrue(refused("{\"name\":\"n\",\"count\":1,\"values\":[],\"n\\u0061me\":\"n\"}").getMessage().contains("before"));
        assertTrue(refused("{\"name\":\"n\",\"count\":1,\"values\":[],\"other\":1}").getMessage().contains("other"));
        assertEquals("$", refused("{\"name\":\"n\",\"count\":1}").place());
        assertEquals("$.next", refused("{\"name\":\"n\",\"count\":1,\"values\":[],\"next\":{}}").place());
        assertEquals("$.values[1]", refused("{\"name\":\"n\",\"count\":1,\"values\":[1,null]}").place());
    }

    @Test
    void everyCutIsRefused() {
        byte[] whole = TEXT.getBytes(StandardCharsets.UTF_8);
        for (int n = 0; n < whole.length; n++) {
            byte[] cut = Arrays.copyOf(whole, n);
            CreoException e = assertThrows(CreoException.class, () -> Json.read(XmlSample.CODEC, cut));
            assertEquals(ErrorCode.MALFORMED, e.code());
            assertTrue(e.offset() <= n, e.getMessage());
        }
    }

    @Test
    void everyChangedByteIsReadOrRefused() {
        byte[] whole = TEXT.getBytes(StandardCharsets.UTF_8);
        for (int i = 0; i < whole.length; i++) {
            byte kept = whole[i];
            for (int b = 0; b < 256; b += 3) {
                whole[i] = (byte) b;
                try {
                    Json.read(XmlSample.CODEC, whole);
                } catch (CreoException e) {
                    assertEquals(ErrorCode.MALFORMED, e.code(), e.getMessage());
                }
            }
            whole[i] = kept;
        }
    }

    @Test
    void depthAndTextsAreHeldToTheLimits() {
        XmlSample deep = XmlSample.of("n", 1);
        for (int i = 0; i < 99; i++) {
            deep = XmlSample.of("n", 1).withNext(deep);
        }
        byte[] json = Json.write(XmlSample.CODEC, deep);
        Json.read(XmlSample.CODEC, json);
        for (Limits limits : List.of(Limits.DEFAULT.withMaxDepth(99), Limits.DEFAULT.withMaxXmlDepth(99), Limits.DEFAULT.withMaxMessageSize(json.length - 1))) {
            assertEquals(ErrorCode.TOO_LARGE, assertThrows(CreoException.class, () -> Json.read(XmlSample.CODEC, json, limits)).code());
        }
        byte[] text = "{\"name\":\"12345678901\",\"count\":1,\"values\":[]}".getBytes(StandardCharsets.UTF_8);
        assertEquals(ErrorCode.TOO_LARGE, assertThrows(CreoException.class, () -> Json.read(XmlSample.CODEC, text, Limits.DEFAULT.withMaxXmlText(10))).code());
        Json.read(XmlSample.CODEC, text, Limits.DEFAULT.withMaxXmlText(11));
    }
}
