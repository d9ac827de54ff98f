package creo.runtime;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import creo.runtime.internal.text.SoapVersion;
import creo.runtime.internal.text.TextName;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Values as XML ({@code spec/wires/xml.md}): reading, refused texts, and writing. */
class XmlTest {
    private static final String START = "<s:Sample xmlns:s=\"urn:test\">";
    private static final String CONTENT = "<s:name>a</s:name><s:count>1</s:count>";
    private static final String END = "</s:Sample>";

    private static String sample(String content) {
        return START + content + END;
    }

    private static CreoException refused(byte[] xml, Limits limits) {
        return assertThrows(CreoException.class, () -> Xml.read(XmlSample.CODEC, xml, limits));
    }

    private static CreoException refused(String xml) {
        return refused(xml.getBytes(StandardCharsets.UTF_8), Limits.DEFAULT);
    }

    @Test
    void writesOneForm() {
        XmlSample v = new XmlSample("\"<\t", "a<b>&\"\r\n\u20ac", -5, new double[] {1, 0.5}, null, XmlSample.of("", 0));
        assertEquals("<n1:Sample xmlns:n1=\"urn:test\" xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" id=\"&quot;&lt;&#9;\"><n1:name>a&lt;b&gt;&amp;\"&#13;\n\u20ac</n1:name>"
            + "<n1:count>-5</n1:count><n1:values>1</n1:values><n1:values>0.5</n1:values><n1:note xsi:nil=\"true\"></n1:note>"
            + "<n1:next><n1:name></n1:name><n1:count>0</n1:count><n1:note xsi:nil=\"true\"></n1:note></n1:next></n1:Sample>", v.xml());
        XmlSample back = XmlSample.parse(v.xml());
        assertEquals(v.name(), back.name());
        assertEquals(v.id(), back.id());
        assertArrayEquals(v.values(), back.values());
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!-- a --><Sample xmlns=\"urn:test\"><name>a</name><count>1</count></Sample>\n<!-- b -->",
        "<Sample xmlns='urn:test' ><count > 1 </count\n><name>a</name></Sample >",
        "<x:Sample xmlns:x=\"urn:test\" xmlns:y=\"urn:test\"><y:name>a</y:name><z:count xmlns:z=\"urn:test\">&#49;</z:count></x:Sample>",
        "<Sample xmlns=\"urn:test\" xmlns:q=\"urn:q\" q:other=\"1\" xml:lang=\"en\"><name><![CDATA[a]]></name><count><!-- c -->+0001</count><note xmlns:i=\"http://www.w3.org/2001/XMLSchema-instance\" i:nil=\"1\"/></Sample>",
        "<a-very-long-prefix:Sample xmlns:a-very-long-prefix=\"urn:test\"><a-very-long-prefix:name>a</a-very-long-prefix:name><a-very-long-prefix:count>1</a-very-long-prefix:count></a-very-long-prefix:Sample>",
    })
    void readsEveryForm(String xml) {
        XmlSample v = XmlSample.parse(xml);
        assertEquals("a", v.name());
        assertEquals(1, v.count());
        assertEquals(0, v.values().length);
        assertNull(v.note());
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "", " ", "text", "<", "<?xml version=\"1.1\"?>", "<?xml version=\"1.0\" encoding=\"koi8-r\"?>" + START + CONTENT + END,
        "<!DOCTYPE a>" + START + CONTENT + END, "<?pi?>" + START + CONTENT + END, START + "<?pi?>" + CONTENT + END,
        "<s:Sample>" + CONTENT + END, "<s:Sample xmlns:s=\"\">" + CONTENT + END, "<s:Sample xmlns:s=\"urn:test\" xmlns:s=\"urn:test\">" + CONTENT + END,
        "<s:Sample xmlns:s=\"urn:test\" xmlns:xml=\"urn:x\">" + CONTENT + END, "<s:Sample xmlns:s=\"urn:test\" xmlns:xmlns=\"urn:x\">" + CONTENT + END,
        "<s:Sample xmlns:s=\"urn:test\" xmlns:a=\"urn:a\" xmlns:b=\"urn:a\" a:x=\"1\" b:x=\"2\">" + CONTENT + END,
        "<s:Sample xmlns:s=\"urn:test\" id=\"1\" id=\"2\">" + CONTENT + END, "<s:Sample xmlns:s=\"urn:test\" other=\"1\">" + CONTENT + END,
        "<s:Sample xmlns:s=\"urn:test\" id=\"<\">" + CONTENT + END, "<s:Sample xmlns:s=\"urn:test\" id=1>" + CONTENT + END,
        "<s:Sample xmlns:s=\"urn:test\"id=\"1\">" + CONTENT + END, "<s:Sample xmlns:s=\"urn:test\" 1d=\"1\">" + CONTENT + END,
        "<s:Sample xmlns:s=\"urn:test\" t:x=\"1\">" + CONTENT + END, START + "<s:name>]]></s:name><s:count>1</s:count>" + END,
        START + "<s:name>&other;</s:name><s:count>1</s:count>" + END, START + "<s:name>&#0;</s:name><s:count>1</s:count>" + END,
        START + "<s:name>&#xFFFE;</s:name><s:count>1</s:count>" + END, START + "<s:name>&#xD800;</s:name><s:count>1</s:count>" + END,
        START + "<s:name>&#x110000;</s:name><s:count>1</s:count>" + END, START + "<s:name>&#;</s:name><s:count>1</s:count>" + END,
        START + "<s:name>\u0001</s:name><s:count>1</s:count>" + END, START + "<s:name>\uffff</s:name><s:count>1</s:count>" + END,
        START + "<!-- a -- b -->" + CONTENT + END, START + "<s:name>a</s:nam><s:count>1</s:count>" + END, START + "<s:name>a</t:name><s:count>1</s:count>" + END,
        START + CONTENT + END + "<more/>", START + CONTENT + END + "text", START + CONTENT + "text" + END, START + CONTENT + "<![CDATA[x]]>" + END,
        START + CONTENT + "<s:name>b</s:name>" + END, START + "<s:name>a</s:name>" + END, START + CONTENT + "<s:other/>" + END, START + CONTENT + "<name/>" + END,
        START + "<s:name>a</s:name><s:count>one</s:count>" + END, START + "<s:name>a</s:name><s:count>2147483648</s:count>" + END,
        START + "<s:name><b/></s:name><s:count>1</s:count>" + END, START + "<s:values>1</s:values>" + CONTENT + "<s:values>2</s:values>" + END,
        START + CONTENT + "<s:note xmlns:i=\"http://www.w3.org/2001/XMLSchema-instance\" i:nil=\"true\">x</s:note>" + END,
        START + "<s:name xmlns:i=\"http://www.w3.org/2001/XMLSchema-instance\" i:nil=\"true\"/><s:count>1</s:count>" + END,
        "<t:Sample xmlns:t=\"urn:other\">" + CONTENT + "</t:Sample>", "<![CDATA[ ]]>" + START + CONTENT + END,
    })
    void refusesTheRest(String xml) {
        CreoException e = refused(xml);
        assertEquals(ErrorCode.MALFORMED, e.code(), e.getMessage());
        assertTrue(e.offset() >= 0, e.getMessage());
    }

    @Test
    void refusesWhatIsNoUtf8() {
        for (int[] bytes : new int[][] {{0xc0, 0xaf}, {0xe0, 0x80, 0xaf}, {0xf0, 0x80, 0x80, 0xaf}, {0xed, 0xa0, 0x80}, {0xf4, 0x90, 0x80, 0x80}, {0x80}, {0xc3}, {0xe2, 0x82}}) {
            for (String[] around : new String[][] {{START + "<s:name>", "</s:name><s:count>1</s:count>" + END}, {"<s:Sample xmlns:s=\"urn:test\" id=\"", "\">" + CONTENT + END},
                {START + "<!-- ", " -->" + CONTENT + END}, {START + "<s:n", ">a</s:name>" + END}}) {
                byte[] xml = (around[0] + "\0".repeat(bytes.length) + around[1]).getBytes(StandardCharsets.UTF_8);
                for (int i = 0; i < bytes.length; i++) {
                    xml[around[0].length() + i] = (byte) bytes[i];
                }
                assertEquals(ErrorCode.MALFORMED, refused(xml, Limits.DEFAULT).code());
            }
        }
    }

    @Test
    void readsUtf16() {
        for (String charset : new String[] {"UTF-16BE", "UTF-16LE"}) {
            String xml = "\ufeff<?xml version=\"1.0\" encoding=\"utf-16\"?>" + sample("<s:name>\u00e9\u20ac\ud83d\ude00</s:name><s:count>1</s:count>");
            assertEquals("\u00e9\u20ac\ud83d\ude00", Xml.read(XmlSample.CODEC, xml.getBytes(Charset.forName(charset))).name());
            assertEquals(ErrorCode.MALFORMED, refused(xml.replace("utf-16", "utf-8").getBytes(Charset.forName(charset)), Limits.DEFAULT).code());
            byte[] odd = xml.getBytes(Charset.forName(charset));
            assertEquals(ErrorCode.MALFORMED, refused(Arrays.copyOf(odd, odd.length - 1), Limits.DEFAULT).code());
        }
        assertEquals(ErrorCode.MALFORMED, refused("<?xml version=\"1.0\" encoding=\"UTF-16\"?>" + sample(CONTENT)).code());
    }

    @Test
    void refusesEveryBeginningOfAText() {
        XmlSample v = new XmlSample("i&", "n\u20ac<", 12, new double[] {1.5, -2e300}, "t", XmlSample.of("x", 1, 5));
        byte[] xml = v.xml().replace("<n1:note>", "<!-- c --><n1:note a:b='&amp;' xmlns:a=\"urn:a\"><![CDATA[<]]>").getBytes(StandardCharsets.UTF_8);
        assertEquals("<t", Xml.read(XmlSample.CODEC, xml).note());
        for (int n = 0; n < xml.length; n++) {
            CreoException e = refused(Arrays.copyOf(xml, n), Limits.DEFAULT);
            assertEquals(ErrorCode.MALFORMED, e.code(), n + ": " + e.getMessage());
            assertTrue(e.offset() <= n, n + ": " + e.getMessage());
        }
    }

    @Test
    void survivesAnyBrokenByte() {
        byte[] xml = new XmlSample("i&", "n\u20ac", 12, new double[] {1.5, 7}, "t", XmlSample.of("x", 1, 5)).xml().getBytes(StandardCharsets.UTF_8);
        for (int i = 0; i < xml.length; i++) {
            for (int b : new int[] {0, '<', '>', '&', '"', ':', '/', ']', 0x80, 0xff, 'x', ' '}) {
                byte[] broken = xml.clone();
                broken[i] = (byte) b;
                try {
                    Xml.read(XmlSample.CODEC, broken);
                } catch (CreoException e) {
                    assertEquals(ErrorCode.MALFORMED, e.code());
                }
            }
        }
    }

    @Test
    void holdsItsLimits() {
        Limits d = Limits.DEFAULT;
        String deep = sample(CONTENT + "<s:note>" + "x".repeat(50) + "</s:note>");
        check("maxXmlDepth", sample(CONTENT + "<s:next>" + CONTENT + "</s:next>"), d.withMaxXmlDepth(2));
        check("maxXmlText", deep, d.withMaxXmlText(49));
        check("maxXmlName", deep, d.withMaxXmlName(5));
        check("maxMessageSize", deep, d.withMaxMessageSize(50));
        check("maxDepth", sample(CONTENT + "<s:next>" + CONTENT + "</s:next>"), d.withMaxDepth(1));
        StringBuilder flood = new StringBuilder("<s:Sample xmlns:s=\"urn:test\"");
        for (int i = 0; i < 300; i++) {
            flood.append(" xmlns:p").append(i).append("=\"urn:p\"");
        }
        check("maxXmlAttributes", flood + ">" + CONTENT + END, d);
        check("maxXmlNamespaces", flood + ">" + CONTENT + END, d.withMaxXmlAttributes(1_000).withMaxXmlNamespaces(100));
        check("maxXmlName", START + "<s:" + "n".repeat(2_000_000) + "/>" + END, d);
    }

    private static void check(String limit, String xml, Limits limits) {
        CreoException e = refused(xml.getBytes(StandardCharsets.UTF_8), limits);
        assertEquals(ErrorCode.TOO_LARGE, e.code(), e.getMessage());
        assertEquals(limit, e.details().get("limit"), e.getMessage());
    }

    @Test
    void saysWhere() {
        String xml = sample(CONTENT + "<s:values>1</s:values><s:values>x</s:values>");
        CreoException e = refused(xml);
        assertEquals("$.values[1]", e.place());
        assertEquals(xml.indexOf("x</s"), e.offset());
        e = refused(sample(CONTENT + "<s:next><s:name>b</s:name><s:count>c</s:count></s:next>"));
        assertEquals("$.next.count", e.place());
        e = refused(sample(CONTENT + "<s:other/>"));
        assertTrue(e.getMessage().contains("other") && e.getMessage().contains("name") && e.getMessage().contains("note"), e.getMessage());
        CreoException invalid = assertThrows(CreoException.class, () -> XmlSample.of("a", 1).withNext(XmlSample.of("\u0001", 1)).xml());
        assertEquals(ErrorCode.INVALID_VALUE, invalid.code());
        assertEquals("$.next.name", invalid.place());
        for (String wrong : new String[] {null, "\ud800", "\udc00x", "\uffff", "x".repeat(40) + "\ufffe"}) {
            assertEquals("$.name", assertThrows(CreoException.class, () -> XmlSample.of(wrong, 1).xml()).place());
        }
    }

    /** Items in their plain form are read by a short way, all others between them by a long one. */
    @Test
    void itemsOfEveryFormFollowOneAnother() {
        String[] forms = {"<s:values>7</s:values>", "<s:values> 7 </s:values>", "<s:values ><!-- 7 -->7</s:values >", "<t:values xmlns:t=\"urn:test\">&#55;</t:values>",
            "<!-- - --><s:values>+7.0</s:values>", "<s:values>7000000000000000000e-18</s:values>"};
        for (String a : forms) {
            for (String b : forms) {
                assertArrayEquals(new double[] {7, 7, 7, 7, 7}, XmlSample.parse(sample(CONTENT + forms[0] + a + b + a + forms[0])).values());
                CreoException e = refused(sample(CONTENT + forms[0] + a + b + "<s:values>7x</s:values>"));
                assertEquals("$.values[3]", e.place());
                assertEquals(ErrorCode.MALFORMED, e.code());
            }
        }
        for (String wrong : new String[] {"<s:values>7</s:valuer>", "<s:values>7<s:values>", "<s:values>7", "<s:values s:a=\"\">7</s:value>"}) {
            assertEquals(ErrorCode.MALFORMED, refused(sample(CONTENT + forms[0] + forms[0] + wrong)).code());
        }
    }

    @Test
    void writesLongAndMixedTexts() {
        for (String text : new String[] {"?".repeat(100), "a".repeat(31) + "\u00e9", "=".repeat(64) + "<", "\u20ac".repeat(5_000), "x".repeat(100_000) + "&\ud83d\ude00", "a?b<c".repeat(20)}) {
            assertEquals(text, XmlSample.parse(XmlSample.of(text, 1).xml()).name());
        }
    }

    /** A text is examined in groups of eight bytes: XML-12 applies at every position among them. */
    @Test
    void everyCharacterIsReadAtEveryPlaceOfAText() {
        List<String[]> odd = new ArrayList<>();
        for (char c = ' '; c < 128; c++) {
            odd.add(new String[] {c == '<' ? "&lt;" : c == '&' ? "&amp;" : String.valueOf(c), String.valueOf(c)});
        }
        for (String each : List.of("\t", "\n", "\u0080", "\u00e9", "\u20ac\u20ac", "\ud83d\ude00", "]]", "]] >", "]>")) {
            odd.add(new String[] {each, each});
        }
        odd.addAll(List.of(new String[][] {{"]]&gt;", "]]>"}, {"\r\n", "\n"}, {"\r", "\n"}, {"&#13;", "\r"}, {"<![CDATA[<]]>", "<"}, {"]]<!-- -->>", "]]>"}}));
        for (int n = 0; n < 19; n++) {
            for (int i = 0; i <= n; i++) {
                String before = "abcdefghijklmnopqrstuvwxyz".substring(0, i);
                String behind = "ABCDEFGHIJKLMNOPQRSTUVWXYZ".substring(0, n - i);
                for (String[] each : odd) {
                    assertEquals(before + each[1] + behind, XmlSample.parse(sample("<s:name>" + before + each[0] + behind + "</s:name><s:count>1</s:count>")).name());
                }
                for (String wrong : List.of("]]>", "\u0001", "\uffff", "<x/>", "& ")) {
                    String xml = sample("<s:name>" + before + wrong + behind + "</s:name><s:count>1</s:count>");
                    CreoException e = refused(xml);
                    assertEquals(ErrorCode.MALFORMED, e.code());
                    assertEquals(xml.indexOf(wrong), e.offset(), e.getMessage());
                }
            }
        }
    }

    @Test
    void aFailureLeavesNothingBehind() {
        assertThrows(CreoException.class, () -> XmlSample.of("\u0001", 1).xml());
        assertThrows(CreoException.class, () -> XmlSample.parse(START));
        XmlSample v = XmlSample.of("fine", 7, 1, 2, 3);
        assertEquals(v.xml(), XmlSample.parse(v.xml()).xml());
    }

    /** A namespace that was bound before is recognized by its bytes and the quotes around it. */
    @Test
    void aNamespaceThatWasSeenBeforeIsReadAsAnyOther() {
        for (int round = 0; round < 3; round++) {
            for (String start : new String[] {
                "xmlns:s=\"urn:test\"", "xmlns:s='urn:test'", "xmlns:s = 'urn:&#116;est'", "xmlns='urn:test' xmlns:s='urn:test'",
                "xmlns:x=\"urn:test'\" xmlns:s='urn:test'", "xmlns:x='urn:tes' xmlns:y='urn:test ' xmlns:s='urn:test'",
            }) {
                assertEquals("a", XmlSample.parse("<s:Sample " + start + ">" + CONTENT + END).name());
            }
            for (String start : new String[] {"xmlns:s='urn:tests'", "xmlns:s='urn:tes'", "xmlns:s='urn:test", "xmlns:s='urn:test\"", "xmlns:s='urn:test' xmlns:s='urn:test'"}) {
                assertEquals(ErrorCode.MALFORMED, refused("<s:Sample " + start + ">" + CONTENT + END).code());
            }
            Limits few = Limits.DEFAULT.withMaxXmlText(7);
            assertEquals(ErrorCode.TOO_LARGE, refused(sample(CONTENT).getBytes(StandardCharsets.UTF_8), few).code());
        }
    }

    /** What was read before a type of its namespace was first used has another string for it: it is the same namespace all the same. */
    @Test
    void namespacesAreComparedByWhatTheySay() {
        String early = TextName.known(new String("urn:used-later"));
        TextName later = new TextName(new String("urn:used-later"), "a");
        assertTrue(later.namespace != early && later.isOf(early));
        assertFalse(later.isOf("urn:other"));
        assertFalse(later.isOf(null));
        for (SoapVersion version : SoapVersion.values()) {
            assertSame(version, SoapVersion.of(TextName.known(new String(version.namespace))));
        }
    }
}
