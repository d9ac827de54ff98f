package creo.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import creo.runtime.codegen.TextField;
import creo.runtime.codegen.TextMessage;
import creo.runtime.codegen.TextRecord;
import creo.runtime.internal.soap.SoapEncoding;
import creo.runtime.internal.xml.XmlReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The literal form of messages of SOAP encoding (SOAP-32). */
class SoapEncodingTest {
    private static final String SOAP = "http://schemas.xmlsoap.org/soap/envelope/";
    private static final String HEAD = "<e:Envelope xmlns:e=\"" + SOAP + "\" xmlns:enc=\"http://schemas.xmlsoap.org/soap/encoding/\""
        + " xmlns:xs=\"http://www.w3.org/2001/XMLSchema\" xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" xmlns:t=\"urn:t\"><e:Body>";
    private static final TextMessage<String> RESPONSE = TextMessage.<String>of(TextField.element(null, "urn:t", "getResponse"),
        TextRecord.of("result", "urn:t", "getResponse").fields(TextField.element(null, "", "r")), null, (w, v) -> {}, r -> null, true, "urn:t");

    /** The body of the literal form, without declarations. */
    private static String made(String body, Limits limits) {
        byte[] text = (HEAD + body + "</e:Body></e:Envelope>").getBytes(StandardCharsets.UTF_8);
        XmlReader r = XmlReader.borrow(limits);
        try {
            r.open(text, 0, text.length, "utf-8");
            r.child();
            r.startTag();
            r.child();
            r.startTag();
            String form = new String(SoapEncoding.literal(r, RESPONSE, true, List.of(), SOAP), StandardCharsets.UTF_8);
            String within = form.substring(form.indexOf("<e:Body>") + 8, form.indexOf("</e:Body>"));
            return within.replaceAll(" xmlns(:\\w+)?=\"[^\"]*\"", "");
        } finally {
            r.giveBack();
        }
    }

    private static String message(String inside) {
        int cut = inside.indexOf('~');
        return cut < 0 ? "<t:x>" + inside + "</t:x>" : "<t:x>" + inside.substring(0, cut) + "</t:x>" + inside.substring(cut + 1);
    }

    private static CreoException refused(String inside, Limits limits) {
        return assertThrows(CreoException.class, () -> made(message(inside), limits));
    }

    /** Text after a tilde comes after the message. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
        "<a xsi:type=\"xs:int\">1</a> | <r i:type=\"xs:int\">1</r>",
        "<t:a>1</t:a><t:b>2</t:b> | <r>1</r><b>2</b>",
        "<a>x &lt; y &amp;&#13;</a> | <r>x &lt; y &amp;&#13;</r>",
        "<a href=\"#1\"/>~<q id=\"1\" enc:root=\"0\">5</q> | <r>5</r>",
        "<a href=\"#1\"/>~<q id=\"1\"><b href=\"#2\"/></q><q id=\"2\">7</q> | <r><b>7</b></r>",
        "<a href=\"#1\"/>~<q id=\"1\" href=\"#2\"/><q id=\"2\">7</q> | <r>7</r>",
        "<a><b id=\"1\">5</b><c href=\"#1\"/></a> | <r><b>5</b><c>5</c></r>",
        "<a href=\"cid:1\"/> | <r href=\"cid:1\"></r>",
        "<a enc:arrayType=\"xs:int[2]\"><x>1</x><y>2</y></a> | <r><item>1</item><item>2</item></r>",
        "<a xsi:type=\"enc:Array\"><x>1</x></a> | <r i:type=\"enc:Array\"><item>1</item></r>",
        "<a enc:arrayType=\"xs:int[3]\" enc:offset=\"[1]\"><x>1</x></a> | <r><item i:nil=\"true\"/><item>1</item></r>",
        "<a enc:arrayType=\"xs:int[9]\"><x enc:position=\"[0]\">1</x><x enc:position=\"[2]\">3</x></a> | <r><item>1</item><item i:nil=\"true\"/><item>3</item></r>",
        "<a enc:arrayType=\"xs:int[][1]\"><x enc:arrayType=\"xs:int[1]\"><y>1</y></x></a> | <r><item><item>1</item></item></r>",
        "<a xmlns:o=\"http://www.w3.org/1999/XMLSchema-instance\" o:null=\"1\"/> | <r i:nil=\"1\"></r>",
    })
    void theLiteralForm(String inside, String wanted) {
        assertEquals("<m:getResponse>" + wanted + "</m:getResponse>", made(message(inside), Limits.DEFAULT));
    }

    @Test
    void aTypeInTheDefaultNamespaceGetsAPrefix() {
        assertEquals("<m:getResponse><r i:type=\"t1:q\">1</r></m:getResponse>", made("<x xmlns=\"urn:t\"><a xsi:type=\"q\">1</a></x>", Limits.DEFAULT));
    }

    @Test
    void attributesOfTheMessageMeanNothing() {
        assertEquals("<m:getResponse><r>5</r></m:getResponse>", made("<t:x xsi:nil=\"true\"><a>5</a></t:x>", Limits.DEFAULT));
    }

    @Test
    void theRootIsTheMessage() {
        assertEquals("<m:getResponse><r>5</r></m:getResponse>", made("<q id=\"1\">5</q><t:x enc:root=\"1\"><a href=\"#1\"/></t:x>", Limits.DEFAULT));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
        "<a href=\"#1\"/> | a reference to no element",
        "<a href=\"#1\"/>~<q id=\"1\"/><q id=\"1\"/> | or to several",
        "<a href=\"#1\"/>~<q id=\"1\" href=\"#1\"/> | refers to itself",
        "<a href=\"#1\"/>~<q id=\"1\" href=\"#2\"/><q id=\"2\" href=\"#1\"/> | refers to itself",
        "<a id=\"1\"><b href=\"#1\"/></a> | refers to itself",
        "<a href=\"#1\"/>~<q id=\"1\"><b href=\"#2\"/></q><q id=\"2\"><c href=\"#1\"/></q> | refers to itself",
        "<a href=\"#1\">x</a>~<q id=\"1\"/> | holds something",
        "<a href=\"#1\"><b/></a>~<q id=\"1\"/> | holds something",
        "<a enc:arrayType=\"xs:int[2,2]\"/> | several dimensions",
        "<a enc:arrayType=\"xs:int[2]\" enc:offset=\"[0,1]\"/> | no position",
        "<a enc:arrayType=\"xs:int[2]\"><x enc:position=\"one\"/></a> | no position",
        "<a enc:arrayType=\"xs:int[2]\"><x enc:position=\"[1]\"/><x enc:position=\"[0]\"/></a> | go down",
    })
    void whatIsWrong(String inside, String said) {
        CreoException e = refused(inside, Limits.DEFAULT);
        assertEquals(ErrorCode.MALFORMED, e.code());
        assertTrue(e.getMessage().contains(said), e.getMessage());
    }

    @Test
    void referencesGrowNoFurtherThanAMessage() {
        StringBuilder behind = new StringBuilder("<a href=\"#0\"/>~");
        for (int i = 0; i < 40; i++) {
            behind.append("<q id=\"").append(i).append("\"><a href=\"#").append(i + 1).append("\"/><b href=\"#").append(i + 1).append("\"/></q>");
        }
        CreoException e = refused(behind + "<q id=\"40\">x</q>", Limits.DEFAULT.withMaxMessageSize(100_000));
        assertEquals(ErrorCode.TOO_LARGE, e.code());
        assertEquals("maxMessageSize", e.details().get("limit"));
    }

    @Test
    void referencesNestNoDeeperThanElements() {
        StringBuilder behind = new StringBuilder("<a href=\"#0\"/>~");
        for (int i = 0; i < 600; i++) {
            behind.append("<q id=\"").append(i).append("\"><a href=\"#").append(i + 1).append("\"/></q>");
        }
        CreoException e = refused(behind + "<q id=\"600\">x</q>", Limits.DEFAULT);
        assertEquals(ErrorCode.TOO_LARGE, e.code());
        assertEquals("maxXmlDepth", e.details().get("limit"));
    }

    @Test
    void missingItemsAreCounted() {
        Limits limits = Limits.DEFAULT.withMaxEmptyItems(3);
        String array = "<a enc:arrayType=\"xs:int[9]\"><x enc:position=\"[%d]\">1</x></a>";
        assertEquals(4, made(message(array.formatted(3)), limits).split("nil").length);
        CreoException e = refused(array.formatted(4), limits);
        assertEquals("maxEmptyItems", e.details().get("limit"));
    }

    @Test
    void detailsOfAFaultGrowNoFurtherEither() {
        String body = "<e:Fault><detail>" + "<t:d href=\"#1\"/>".repeat(200) + "</detail></e:Fault><q id=\"1\">" + "x".repeat(1_000) + "</q>";
        CreoException e = assertThrows(CreoException.class, () -> made(body, Limits.DEFAULT.withMaxMessageSize(100_000)));
        assertEquals("maxMessageSize", e.details().get("limit"));
    }

    @Test
    void whatIsKeptCountsAsMemory() {
        String body = message("<a/>~" + "<q xmlns:o=\"u\" a=\"1\"/>".repeat(1_000));
        long size = HEAD.length() + body.length() + "</e:Body></e:Envelope>".length();
        long kept = 160 * 1_002 + 64 * 2_000;
        CreoException e = assertThrows(CreoException.class, () -> made(body, Limits.DEFAULT.withMaxMemory(size + kept)));
        assertEquals("maxMemory", e.details().get("limit"));
        assertEquals("<m:getResponse><r></r></m:getResponse>", made(body, Limits.DEFAULT.withMaxMemory(size + kept + size)));
    }

    @Test
    void declarationsAreKeptOnce() {
        StringBuilder inside = new StringBuilder();
        for (int level = 0; level < 4; level++) {
            inside.append("<a");
            for (int i = 0; i < 240; i++) {
                inside.append(" xmlns:p").append(level).append('-').append(i).append("=\"u\"");
            }
            inside.append('>');
        }
        int count = 5_000;
        String text = message(inside + "<b xmlns:q=\"v\"/>".repeat(count) + "</a>".repeat(4));
        com.sun.management.ThreadMXBean threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        assertEquals(count, made(text, Limits.DEFAULT).split("<b></b>", -1).length - 1);
        long taken = threads.getCurrentThreadAllocatedBytes() - before;
        assertTrue(taken < 50_000_000, taken + " bytes");
    }

    /** A prefix that the form needs is bound in the message, and so are the next ones. */
    @Test
    void prefixesOfTheFormAreFree() {
        assertEquals("<m2:getResponse><r i1:nil=\"true\" o:a=\"1\"></r></m2:getResponse>",
            made("<t:x xmlns:m=\"u\" xmlns:m1=\"v\" xmlns:i=\"w\"><a xsi:nil=\"true\" xmlns:o=\"x\" o:a=\"1\"/></t:x>", Limits.DEFAULT));
    }

    /** A referenced element keeps its meaning where prefixes are bound differently. */
    @Test
    void prefixesGoWithWhatIsReferredTo() {
        String form = made(message("<a xmlns:o=\"urn:1\" href=\"#1\"/>~<q id=\"1\" xmlns:o=\"urn:2\"><b o:a=\"1\"/></q>"), Limits.DEFAULT);
        assertEquals("<m:getResponse><r><b o:a=\"1\"></b></r></m:getResponse>", form);
    }

    @Test
    void longChainsAreFollowedOnce() {
        int count = 20_000;
        StringBuilder inside = new StringBuilder("<a>").append("<b href=\"#0\"/>".repeat(count)).append("</a>~");
        for (int i = 0; i < count; i++) {
            inside.append("<q id=\"").append(i).append("\" href=\"#").append(i + 1).append("\"/>");
        }
        assertEquals(count, made(message(inside + "<q id=\"" + count + "\">x</q>"), Limits.DEFAULT).split("<b>x</b>", -1).length - 1);
    }
}
