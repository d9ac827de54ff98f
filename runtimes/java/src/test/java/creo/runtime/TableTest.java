package creo.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import creo.runtime.codegen.TextField;
import creo.runtime.codegen.TextRecord;
import creo.runtime.codegen.TextType;
import creo.runtime.internal.tdxml.TableSchema;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Tables of single values: both schemes, rows in any order, and refused tables (TDX-1 to TDX-46). */
class TableTest {
    private static final XmlSample SAMPLE = new XmlSample("i", "|\\\n&<>~", -7, new double[] {1, 2.5}, "~",
        new XmlSample(null, "", 1, new double[0], null, XmlSample.of("last\u20ac", 2, 0.5)));
    private static final String SCHEMA = "Sample [0] ::= SEQUENCE OF {id (0) [ATTRIBUTE] UTF8String OPTIONAL, name [0] UTF8String, count [1] Integer, values [2] SET OF Real, "
        + "note [3] UTF8String OPTIONAL, next [4] Sample OPTIONAL}\n";
    private static final String RECORD = "[0]|i|\\|\\\\\\n\\a\\l\\g~|-7|\\~\n[0][2]|1|2.5\n[0][4]|~||1\n[0][4][4]|~|last\u20ac|2\n[0][4][4][2]|0.5\n";
    private static final String AGGREGATED = "[0](0)|i\n[0][0]|\\|\\\\\\n\\a\\l\\g~\n[0][1]|-7\n[0][2]0|1\n[0][2]1|2.5\n[0][3]|\\~\n[0][4][0]|\n[0][4][1]|1\n"
        + "[0][4][4][0]|last\u20ac\n[0][4][4][1]|2\n[0][4][4][2]0|0.5\n";

    private static String document(String element, String rows) {
        return "<Env xmlns=\"urn:creo:tdxml\" of=\"test.Sample\"><" + element + ">\n" + rows + "</" + element + "></Env>";
    }

    private static XmlSample parse(String tdxml) {
        return Tdxml.read(XmlSample.CODEC, tdxml.getBytes(StandardCharsets.UTF_8));
    }

    private static CreoException refused(String tdxml) {
        CreoException e = assertThrows(CreoException.class, () -> parse(tdxml), tdxml);
        assertEquals(ErrorCode.MALFORMED, e.code(), tdxml + ": " + e.getMessage());
        return e;
    }

    private static String rows(String element, String rows) {
        return refused(document(element, rows)).getMessage();
    }

    private static String text(TableOptions options) {
        return new String(Tdxml.write(XmlSample.CODEC, SAMPLE, options), StandardCharsets.UTF_8);
    }

    @Test
    void aValueIsWrittenInBothSchemes() {
        assertEquals(document("RT", RECORD), text(TableOptions.RECORD));
        assertEquals(document("CT", AGGREGATED), text(TableOptions.AGGREGATED));
        assertEquals(document("RT", RECORD).replace("<RT>", "<DS>\n" + SCHEMA + "</DS><RT>"), text(TableOptions.RECORD.withSchema()));
        for (TableOptions options : List.of(TableOptions.RECORD, TableOptions.AGGREGATED, TableOptions.RECORD.withSchema(), TableOptions.AGGREGATED.withSchema())) {
            assertEquals(SAMPLE.xml(), parse(text(options)).xml());
        }
    }

    @Test
    void rowsComeInAnyOrder() {
        Random random = new Random(7);
        for (String element : new String[] {"RT", "CT"}) {
            List<String> rows = new ArrayList<>(List.of((element.equals("RT") ? RECORD : AGGREGATED).split("\n")));
            for (int i = 0; i < 300; i++) {
                Collections.shuffle(rows, random);
                assertEquals(SAMPLE.xml(), parse(document(element, String.join("\n", rows))).xml());
            }
        }
    }

    @Test
    void manyItemsAreSortedByNumber() {
        double[] values = new double[1_234];
        Arrays.setAll(values, i -> i / 4.0);
        XmlSample many = XmlSample.of("n", 1, values);
        String text = new String(Tdxml.write(XmlSample.CODEC, many, TableOptions.AGGREGATED), StandardCharsets.UTF_8);
        String inner = text.substring(text.indexOf("<CT>\n") + 5, text.indexOf("</CT>"));
        List<String> rows = new ArrayList<>(List.of(inner.split("\n")));
        Collections.reverse(rows);
        assertEquals(many.xml(), parse(document("CT", String.join("\n", rows))).xml());
    }

    @Test
    void theEnvelopeIsTakenInAllItsForms() {
        String long_ = document("RT", RECORD).replace("<Env xmlns=", "<p:Envelope xmlns:p=").replace("<RT>", "<p:RecordTable>").replace("</RT>", "</p:RecordTable>").replace("</Env>", "</p:Envelope>");
        assertEquals(SAMPLE.xml(), parse(long_).xml());
        String undeclared = long_.replace(" xmlns:p=\"urn:creo:tdxml\"", "").replace("p:", "TDXML:");
        assertEquals(SAMPLE.xml(), parse(undeclared).xml());
        refused(undeclared.replace("TDXML:", "TDXMK:"));
        assertEquals(SAMPLE.xml(), parse(document("RT", RECORD.replace("\n", "\r\n"))).xml());
        assertEquals(SAMPLE.xml(), parse(document("RT", RECORD.replace("[0]|i", "[<![CDATA[0]|]]>&#105;<!-- c -->").replace("\n", "\n \t\n  "))).xml());
        assertEquals(SAMPLE.xml(), parse("<?xml version=\"1.0\"?>\n" + document("RT", RECORD.strip()) + "<!-- c -->\n").xml());
        refused(document("RT", RECORD).replace("test.Sample", "test.Other"));
        refused(document("RT", RECORD).replace("of=", "off="));
        refused(document("RT", RECORD).replace("urn:creo:tdxml", "urn:creo:tdxm"));
        refused(document("UT", RECORD));
        refused(document("RT", RECORD).replace("</Env>", "<RT/></Env>"));
        refused(document("RT", RECORD).replace("</Env>", "x</Env>"));
        refused("<Env xmlns=\"urn:creo:tdxml\"/>");
    }

    @Test
    void aSchemaThatSaysSomethingElseIsAMismatch() {
        String text = text(TableOptions.AGGREGATED.withSchema());
        parse(text.replace("SEQUENCE OF", "SEQUENCE").replace(", ", " ").replace("Integer", "Integer (\"28, }\")"));
        CreoException e = assertThrows(CreoException.class, () -> parse(text.replace("count [1] Integer", "count [1] Real")));
        assertEquals(ErrorCode.PROTOCOL_MISMATCH, e.code());
        assertTrue(e.getMessage().contains("count [ 1 ] Real"), e.getMessage());
        assertThrows(CreoException.class, () -> parse(text.replace("</DS>", "More [1] ::= Integer</DS>")));
        assertThrows(CreoException.class, () -> parse(text.replaceAll("<DS>[^<]*</DS>", "<DS/>")));
    }

    /** TDX-41. */
    @Test
    void aNameThatIsAWordOfTheNotationStandsInQuotes() {
        TextRecord message = TextRecord.of("Request", "", "Request").fields(TextField.element("SET", "", "SET").is(TextType.INTEGER), TextField.element("set", "", "set"));
        String ours = TableSchema.of("OF", message);
        assertEquals("\"OF\" [0] ::= SEQUENCE OF {\"SET\" [0] Integer, set [1] UTF8String}\n", ours);
        TableSchema.check("\"OF\"::=SEQUENCE{\"SET\"[0]Integer set[1]UTF8String(\"SET\")}", ours);
        for (String theirs : List.of(ours.replace("\"OF\"", "OF"), ours.replace("\"SET\"", "SET"), ours.replace("Integer", "\"Integer\""))) {
            assertEquals(ErrorCode.PROTOCOL_MISMATCH, assertThrows(CreoException.class, () -> TableSchema.check(theirs, ours), theirs).code());
        }
    }

    @Test
    void anErrorNamesTheRow() {
        CreoException e = refused(document("RT", RECORD.replace("[0][4][4]|~|last\u20ac|2", "[0][4][4]|~|last\u20ac|x")));
        assertEquals("$.next.next.count", e.place());
        assertTrue(e.getMessage().contains("row 4: [0][4][4]|~|last\u20ac|x"), e.getMessage());
        String twice = rows("CT", AGGREGATED + "[0][1]|8\n");
        assertTrue(twice.contains("row 12: [0][1]|8") && twice.contains("row 3: [0][1]|-7"), twice);
        String long_ = rows("CT", AGGREGATED.replace("[0][1]|-7", "[0][1]|" + "7".repeat(300)));
        assertTrue(long_.contains("row 3: [0][1]|" + "7".repeat(93) + "..."), long_);
    }

    @Test
    void rowsThatAreWrongAreRefused() {
        for (String row : List.of("[0][9]|1", "[0](1)|x", "[1]|1", "[0]0[0]|x", "[0][0]0|x", "[0][2]|1", "[0][2]3|1", "[0][2]01|1", "[00][0]|x", "[0][4", "0|1", "[0][4][0][0]|x",
                "[0][5]", "[0][1]x", "[0][1]~x", "[0][2]2147483648|1", "[0][99999999999]|1")) {
            rows("CT", AGGREGATED + row + "\n");
        }
        for (String value : List.of("\\", "\\x", "a\\", "~a", "1|2", "~")) {
            rows("CT", AGGREGATED.replace("[0][1]|-7", "[0][1]|" + value));
        }
        rows("CT", AGGREGATED.replace("[0][1]|-7\n", ""));
        rows("CT", AGGREGATED.replace("[0][1]|-7\n", "[0][1]\n"));
        rows("CT", AGGREGATED.replace("[0][1]|-7\n", "[0][1]~\n"));
        rows("CT", AGGREGATED.replace("[0][2]0|1\n", ""));
        rows("RT", RECORD.replace("|-7|\\~", "|-7|\\~|more"));
        rows("RT", RECORD.replace("|-7|\\~", "|~|\\~"));
        rows("RT", RECORD + "[0][3]|x\n");
        rows("RT", RECORD.replace("[0][4]|", "[0][4]\n[0][4]|"));
        rows("RT", RECORD.replace("[0][4][4]|", "[0][4]\n[0][4][4]|"));
        rows("RT", RECORD.replace("[0][2]|1|2.5", "[0][2]0|1\n[0][2]1|2.5"));
        rows("RT", RECORD.replace("[0][2]|1|2.5", "[0][2]|1|~"));
    }

    @Test
    void nothingIsSaidInSeveralWays() {
        assertNull(parse(document("CT", AGGREGATED.replace("[0][3]|\\~", "[0][3]~"))).note());
        assertNull(parse(document("RT", "[0]|i|n|1|~\n")).note());
        assertNull(parse(document("CT", "[0]\n[0][0]|n\n[0][1]|1\n[0][4]~\n")).next());
        assertEquals("", parse(document("CT", "[0][0]|\n[0][1]| +1 \n")).name());
    }

    @Test
    void everyCutAndEveryChangedByteIsReadOrRefused() {
        for (TableOptions options : List.of(TableOptions.RECORD.withSchema(), TableOptions.AGGREGATED)) {
            byte[] whole = Tdxml.write(XmlSample.CODEC, SAMPLE, options);
            for (int n = 0; n < whole.length; n++) {
                byte[] cut = Arrays.copyOf(whole, n);
                assertThrows(CreoException.class, () -> Tdxml.read(XmlSample.CODEC, cut));
                for (int b = 0; b < 256; b += 7) {
                    byte[] changed = whole.clone();
                    changed[n] = (byte) b;
                    try {
                        Tdxml.read(XmlSample.CODEC, changed);
                    } catch (CreoException e) {
                        assertTrue(e.code() == ErrorCode.MALFORMED || e.code() == ErrorCode.PROTOCOL_MISMATCH, e.getMessage());
                    }
                }
            }
        }
    }

    @Test
    void rowsAreReadByTheirPlace() {
        for (TableOptions options : List.of(TableOptions.RECORD, TableOptions.AGGREGATED)) {
            Table<XmlSample> table = Table.of(XmlSample.CODEC, Tdxml.write(XmlSample.CODEC, SAMPLE, options));
            assertEquals("|\\\n&<>~", table.get("name"));
            assertEquals("|\\\n&<>~", table.get("[0][0]"));
            assertEquals("i", table.get("id"));
            assertEquals("i", table.get("[0](0)"));
            assertEquals("2.5", table.get("values[1]"));
            assertEquals("2.5", table.get("[0][2]1"));
            assertEquals("last\u20ac", table.get("next.next.name"));
            assertNull(table.get("next.note"));
            assertNull(table.get("values[2]"));
            assertEquals(SAMPLE.next().xml(), table.read("next", XmlSample.CODEC).xml());
            assertNull(table.read("next.next.next", XmlSample.CODEC));
            assertTrue(table.rows("next").stream().allMatch(row -> row.startsWith("[0][4]")));
            for (String wrong : List.of("other", "name[0]", "values[x]", "[1]", "[0][9]", "[0][0]0", "next.", "[0]x")) {
                assertThrows(IllegalArgumentException.class, () -> table.get(wrong), wrong);
            }
            assertThrows(IllegalArgumentException.class, () -> table.read("name", XmlSample.CODEC));
        }
        assertThrows(CreoException.class, () -> Table.of(XmlSample.CODEC, document("CT", AGGREGATED + "[0][1]|8").getBytes(StandardCharsets.UTF_8)));
    }

    private static XmlSample random(Random random, int depth) {
        double[] values = random.doubles(random.nextInt(13)).toArray();
        XmlSample next = depth > 0 && random.nextBoolean() ? random(random, depth - 1) : null;
        return new XmlSample(random.nextBoolean() ? "i" : null, "n" + random.nextInt(3), random.nextInt(3), values, random.nextBoolean() ? "" : null, next);
    }

    @Test
    void anUpdateMakesTheSecondOfTheFirst() {
        Random random = new Random(11);
        for (int i = 0; i < 500; i++) {
            XmlSample from = random(random, 3);
            XmlSample to = random(random, 3);
            byte[] update = Table.diff(XmlSample.CODEC, from, to);
            assertEquals(to.xml(), Table.apply(XmlSample.CODEC, from, update).xml(), () -> new String(update, StandardCharsets.UTF_8));
        }
        String none = new String(Table.diff(XmlSample.CODEC, SAMPLE, SAMPLE), StandardCharsets.UTF_8);
        assertEquals(document("UT", ""), none);
    }

    @Test
    void anUpdateIsRefusedWhole() {
        for (String row : List.of("[0][1]|x", "[0][1]-", "[0][9]|1", "[0][2]7|1", "[0][1]~", "[0][1]-x", "[0][1]|1|2", "[0]-", "x")) {
            byte[] update = document("UT", row).getBytes(StandardCharsets.UTF_8);
            assertEquals(ErrorCode.MALFORMED, assertThrows(CreoException.class, () -> Table.apply(XmlSample.CODEC, SAMPLE, update), row).code());
        }
        CreoException e = assertThrows(CreoException.class, () -> Table.apply(XmlSample.CODEC, SAMPLE, document("UT", "[0][0]|n\n[0][1]|x").getBytes(StandardCharsets.UTF_8)));
        assertTrue(e.getMessage().contains("row 2: [0][1]|x"), e.getMessage());
        assertEquals("$.count", e.place());
    }
}
