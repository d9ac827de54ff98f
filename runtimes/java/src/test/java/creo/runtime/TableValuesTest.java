package creo.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import creo.runtime.codegen.TextCodec;
import creo.runtime.codegen.TextField;
import creo.runtime.codegen.TextReader;
import creo.runtime.codegen.TextRecord;
import creo.runtime.codegen.TextType;
import creo.runtime.codegen.TextWriter;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Single values of tables: each has a short way for its usual form, which must agree with the long way on both sides of the border between them. */
class TableValuesTest {
    private static final String NS = "urn:test";

    /** A struct as generated code would describe it. */
    private record Row(String text, boolean yes, Instant at, BigDecimal sum) {
        private static final TextField TEXT = TextField.element("text", NS, "text");
        private static final TextField YES = TextField.element("yes", NS, "yes").is(TextType.BOOLEAN);
        private static final TextField AT = TextField.element("at", NS, "at").is(TextType.DATE_TIME);
        private static final TextField SUM = TextField.element("sum", NS, "sum").is(TextType.DECIMAL);
        private static final TextRecord RECORD = TextRecord.of("Row", NS, "Row").fields(TEXT, YES, AT, SUM);
        private static final TextCodec<Row> CODEC = TextCodec.of("test.Row", TextField.element(null, NS, "Row"), Row::write, Row::read, false, NS).shape(RECORD);

        private static void write(TextWriter w, TextField f, Row v) {
            w.beginRecord(f, RECORD);
            w.writeString(TEXT, v.text);
            w.writeBoolean(YES, v.yes);
            w.writeInstant(AT, v.at);
            w.writeDecimal(SUM, v.sum);
            w.endRecord(f, RECORD);
        }

        private static Row read(TextReader r) {
            r.begin(RECORD);
            String text = null;
            boolean yes = false;
            Instant at = null;
            BigDecimal sum = null;
            for (int i = r.next(0); i >= 0; i = r.next(i + 1)) {
                switch (i) {
                    case 0 -> text = r.readString();
                    case 1 -> yes = r.readBoolean();
                    case 2 -> at = r.readInstant();
                    default -> sum = r.readDecimal();
                }
            }
            r.end(RECORD);
            return new Row(text, yes, at, sum);
        }

        private Row withText(String other) {
            return new Row(other, yes, at, sum);
        }
    }

    private static final Row ROW = new Row("x", true, Instant.parse("2020-02-29T23:59:59.999Z"), new BigDecimal("-12.50"));

    private static String written(Row row, TableOptions options) {
        return new String(Tdxml.write(Row.CODEC, row, options), StandardCharsets.UTF_8);
    }

    private static Row read(String tdxml) {
        return Tdxml.read(Row.CODEC, tdxml.getBytes(StandardCharsets.UTF_8));
    }

    private static String table(TableOptions options, String text, String yes, String at, String sum) {
        boolean records = options == TableOptions.RECORD;
        String rows = records ? "[0]|" + text + '|' + yes + '|' + at + '|' + sum + '\n' : "[0][0]|" + text + "\n[0][1]|" + yes + "\n[0][2]|" + at + "\n[0][3]|" + sum + '\n';
        return "<Env xmlns=\"urn:creo:tdxml\" of=\"test.Row\"><" + (records ? "RT" : "CT") + ">\n" + rows + "</" + (records ? "RT" : "CT") + "></Env>";
    }

    private static final List<TableOptions> SCHEMES = List.of(TableOptions.RECORD, TableOptions.AGGREGATED);

    /** TDX-12, character by character. */
    private static String escaped(String text) {
        StringBuilder all = new StringBuilder(text.startsWith("~") ? "\\" : "");
        for (char c : text.toCharArray()) {
            int i = "\n\r|\\&<>".indexOf(c);
            all.append(i < 0 ? String.valueOf(c) : "\\" + "nr|\\alg".charAt(i));
        }
        return all.toString();
    }

    /** Of texts that are copied character by character, by eight, and as bytes. */
    private static final int[] LENGTHS = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 32, 33, 40, 47};

    @Test
    void everyCharacterIsWrittenAndReadAtEveryPlace() {
        List<String> odd = new ArrayList<>(List.of("\u007f", "\u0080", "\u00e9", "\u00ff", "\u0100", "\u0141", "\u017c", "\u20ac", "\u2126", "\ud83d\ude00", "\ufffd", "&<", "\\|"));
        for (char c = ' '; c < 127; c++) {
            odd.add(String.valueOf(c));
        }
        odd.addAll(List.of("\t", "\n", "\r"));
        for (int n : LENGTHS) {
            for (int i = 0; i <= n; i++) {
                String before = "abcdefghijklmnopqrstuvwxyz".repeat(2).substring(0, i);
                String behind = "ABCDEFGHIJKLMNOPQRSTUVWXYZ".repeat(2).substring(0, n - i);
                for (String each : odd) {
                    String text = before + each + behind;
                    for (TableOptions options : SCHEMES) {
                        String tdxml = table(options, escaped(text), "true", "2020-02-29T23:59:59.999Z", "-12.50");
                        assertEquals(tdxml, written(ROW.withText(text), options));
                        assertEquals(text, read(tdxml).text);
                    }
                }
            }
        }
    }

    @Test
    void whatXmlCannotHoldIsRefusedAtEveryPlace() {
        for (int n : LENGTHS) {
            for (int i = 0; i < n; i++) {
                for (char c : new char[] {0, 1, 8, 11, 12, 31, '\ud800', '\udc00', '\ufffe', '\uffff'}) {
                    Row row = ROW.withText("a".repeat(i) + c + "b".repeat(n - 1 - i));
                    for (TableOptions options : SCHEMES) {
                        CreoException e = assertThrows(CreoException.class, () -> written(row, options));
                        assertEquals(ErrorCode.INVALID_VALUE, e.code());
                        assertEquals("$.text", e.place());
                        assertTrue(e.getMessage().contains(" " + i + " of a string"), e.getMessage());
                    }
                }
            }
        }
    }

    @Test
    void longTextsGrowTheBuffer() {
        for (String each : List.of("x", "&", "\u20ac", "\ud83d\ude00", "12345678|")) {
            for (int n : new int[] {500, 4_090, 4_200, 70_000}) {
                String text = each.repeat(n);
                for (TableOptions options : SCHEMES) {
                    assertEquals(text, read(written(ROW.withText(text), options)).text);
                }
            }
        }
    }

    @Test
    void aValueEndsWhereItsColumnOrRowDoes() {
        for (TableOptions options : SCHEMES) {
            for (String end : List.of("\n", "\r\n", "&#13;\n", "&#13;", "")) {
                String tdxml = table(options, "a\tb", "false", "0001-01-01T00:00:00Z", "0").replace("0\n<", "0" + end + "<");
                assertEquals(new Row("a\tb", false, Instant.parse("0001-01-01T00:00:00Z"), BigDecimal.ZERO), read(tdxml));
            }
            for (String wrong : List.of("~", "~x", "a\\", "a\\x", "abcdefgh\\x")) {
                assertEquals(ErrorCode.MALFORMED, assertThrows(CreoException.class, () -> read(table(options, wrong, "true", "2020-01-01T00:00:00Z", "1")), wrong).code());
            }
            for (String text : List.of("a&#13;b", "abcdefghi&#13;x", "&#13;x")) {
                CreoException e = assertThrows(CreoException.class, () -> read(table(options, text, "true", "2020-01-01T00:00:00Z", "1")));
                assertEquals(ErrorCode.MALFORMED, e.code());
            }
        }
    }

    @Test
    void aTextIsAsLongAsTheLimitAllows() {
        Limits limits = Limits.DEFAULT.withMaxXmlText(100);
        for (TableOptions options : SCHEMES) {
            for (String each : List.of("x", "\u00e9", "\\a")) {
                int unit = each.getBytes(StandardCharsets.UTF_8).length;
                byte[] most = table(options, each.repeat(100 / unit), "true", "2020-01-01T00:00:00Z", "1").getBytes(StandardCharsets.UTF_8);
                byte[] more = table(options, each.repeat(100 / unit) + "y", "true", "2020-01-01T00:00:00Z", "1").getBytes(StandardCharsets.UTF_8);
                assertEquals(100 / unit, Tdxml.read(Row.CODEC, most, limits).text.length());
                assertEquals(ErrorCode.TOO_LARGE, assertThrows(CreoException.class, () -> Tdxml.read(Row.CODEC, more, limits)).code());
            }
        }
    }

    /** What one wire says of values, or that it refuses them. */
    private static String outcome(List<Boolean> refused, Supplier<Row> reading) {
        try {
            String row = reading.get().toString();
            refused.add(false);
            return row;
        } catch (CreoException e) {
            assertEquals(ErrorCode.MALFORMED, e.code());
            refused.add(true);
            return "refused";
        }
    }

    /** XML has the same texts for these values; what its reader does with them is known from its own vectors. */
    private static void likeXml(String yes, String at, String sum) {
        List<Boolean> refused = new ArrayList<>();
        String xml = "<Row xmlns=\"urn:test\"><text>x</text><yes>" + yes + "</yes><at>" + at + "</at><sum>" + sum + "</sum></Row>";
        String expected = outcome(refused, () -> Xml.read(Row.CODEC, xml.getBytes(StandardCharsets.UTF_8)));
        for (TableOptions options : SCHEMES) {
            assertEquals(expected, outcome(refused, () -> read(table(options, "x", yes, at, sum))), () -> yes + ' ' + at + ' ' + sum);
        }
        assertEquals(3, refused.size());
    }

    @Test
    void plainFormsAndAllOthersAreReadAsXmlReadsThem() {
        for (String yes : List.of("true", "false", "1", "0", " true", "true ", "tru", "truex", "True", "fals", "falsey", "FALSE", "", "2")) {
            likeXml(yes, "2020-01-01T00:00:00Z", "1");
        }
        for (String at : List.of("2020-02-29T23:59:59Z", "2019-02-29T23:59:59Z", "1900-02-29T00:00:00Z", "2000-02-29T00:00:00Z", "2020-04-31T00:00:00Z", "2020-00-01T00:00:00Z",
                "2020-13-01T00:00:00Z", "2020-01-00T00:00:00Z", "2020-01-32T00:00:00Z", "0000-01-01T00:00:00Z", "0001-01-01T00:00:00Z", "9999-12-31T23:59:59.999Z",
                "0001-01-01T00:00:00+01:00", "9999-12-31T23:59:59-01:00", "9999-12-31T24:00:00-01:00",
                "9999-12-31T24:00:00Z", "2020-01-01T24:00:00Z", "2020-01-01T24:00:00.001Z", "2020-01-01T24:00:01Z", "2020-01-01T23:60:00Z", "2020-01-01T23:00:60Z",
                "2020-01-01T23:00:00.000Z", "2020-01-01T23:00:00.120Z", "2020-01-01T23:00:00.12Z", "2020-01-01T23:00:00.1234Z", "2020-01-01T23:00:00.Z", "2020-01-01T23:00:00",
                "2020-01-01T23:00:00.123", "2020-01-01T23:00:00+01:00", " 2020-01-01T23:00:00Z ", "2020-01-01t23:00:00Z", "2020-01-01T23:00:00z", "2020/01-01T23:00:00Z",
                "2020-01-01T23:00:0:Z", "2020-01-01T23:00:0/Z", "202\u00b5-01-01T23:00:00Z", "", "2020-01-01T23:00:00ZZ", "2020-01-01T23:00:00.123ZZ")) {
            likeXml("true", at, "1");
        }
        for (String sum : List.of("0", "-1", "12.50", "123456789012345678", "1234567890123456789", "-0.12345678901234567", "0.123456789012345678", "0.1234567890123456789", "-0", "-0.00",
                "00", "01.5", ".5", "5.", ".", "-", "+1", " 1", "1 ", "1e5", "1.2.3", "--1", "1x", "", "9".repeat(1_000), "9".repeat(1_001))) {
            likeXml("true", "2020-01-01T00:00:00Z", sum);
        }
    }
}
