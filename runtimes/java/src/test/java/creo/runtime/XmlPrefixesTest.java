package creo.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import creo.runtime.internal.xml.XmlPrefixes;
import creo.runtime.internal.xml.XmlReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Prefixes of namespaces: what they are bound to, and that many of them cost an element no more than few. */
class XmlPrefixesTest {
    /** Elements within one another that bind as many prefixes as a message may. */
    private static String binding(int prefixes, String uri) {
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < prefixes; i += 200) {
            out.append("<e");
            for (int k = i; k < Math.min(prefixes, i + 200); k++) {
                out.append(" xmlns:p").append(k).append("=\"").append(uri).append(k).append('"');
            }
            out.append('>');
        }
        return out.toString();
    }

    private static String end(int prefixes) {
        return "</e>".repeat((prefixes + 199) / 200);
    }

    private static XmlReader reader(String xml, Limits limits) {
        XmlReader r = new XmlReader();
        r.reset(limits);
        byte[] bytes = xml.getBytes(StandardCharsets.UTF_8);
        r.open(bytes, 0, bytes.length, null);
        return r;
    }

    private static XmlReader reader(String xml) {
        return reader(xml, Limits.DEFAULT);
    }

    /** The number of comparisons for skipping a text with this many elements. */
    private static long comparisons(int prefixes, int elements) {
        StringBuilder xml = new StringBuilder(binding(prefixes, "urn:"));
        for (int i = 0; i < elements; i++) {
            xml.append("<p").append(i * 7 % prefixes).append(":a q=\"\"/>");
        }
        XmlReader r = reader(xml + end(prefixes));
        r.startTag();
        r.skipElement();
        return r.prefixes.compared;
    }

    @Test
    void manyPrefixesCostAnElementNoMoreThanFew() {
        for (int prefixes : new int[] {8, 9, 100, 1_000}) {
            long once = comparisons(prefixes, 2_000);
            long twice = comparisons(prefixes, 4_000);
            // Each declaration is looked for once, too; places of the index hold one prefix in the mean.
            assertTrue(once <= 8 * (2_000 + prefixes), prefixes + ": " + once);
            assertTrue(twice <= 8 * (4_000 + prefixes), prefixes + ": " + twice);
        }
    }

    /** The same with elements kept as XML: the declarations added to them are those they use, found in time linear in the text. */
    @Test
    void elementsThatAreKeptCostWhatTheyHold() {
        for (int elements : new int[] {1_000, 2_000}) {
            StringBuilder xml = new StringBuilder(binding(1_000, "urn:"));
            for (int i = 0; i < elements; i++) {
                xml.append("<p").append(i % 1_000).append(":a t=\"12:30:45\"/>");
            }
            XmlReader r = reader(xml + end(1_000));
            for (int i = 0; i < 5; i++) {
                r.startTag();
            }
            for (int i = 0; r.child(); i++) {
                r.startTag();
                int p = i % 1_000;
                assertEquals("<p" + p + ":a xmlns:p" + p + "=\"urn:" + p + "\" t=\"12:30:45\"/>", r.readRaw());
            }
            long found = r.prefixes.compared;
            assertTrue(found <= 8L * (5L * elements + 1_000), elements + ": " + found);
        }
    }

    @Test
    void declarationsOfElementsThatAreKeptAreLimited() {
        String uri = "u".repeat(1_000);
        String xml = "<e xmlns=\"" + uri + "\">" + "<a/>".repeat(1_000) + "</e>";
        for (int allowed : new int[] {20_000, 200_000}) {
            XmlReader r = reader(xml, Limits.DEFAULT.withMaxXmlText(allowed));
            r.startTag();
            List<String> kept = new ArrayList<>();
            CreoException e = assertThrows(CreoException.class, () -> {
                while (r.child()) {
                    r.startTag();
                    kept.add(r.readRaw());
                }
            });
            assertEquals(ErrorCode.TOO_LARGE, e.code());
            assertEquals("maxXmlText", e.details().get("limit"));
            assertEquals(allowed / (uri.length() + " xmlns=\"\"".length()), kept.size());
        }
    }

    @Test
    void anElementGetsWhatItNames() {
        String[][] cases = {
            // The context, the element, and the declarations added to it.
            {"xmlns:a=\"urn:a\" xmlns:b=\"urn:b\"", "<a:x/>", " xmlns:a=\"urn:a\""},
            {"xmlns:b=\"urn:b\" xmlns:a=\"urn:a\"", "<a:x>b:y</a:x>", " xmlns:a=\"urn:a\" xmlns:b=\"urn:b\""},
            {"xmlns:b=\"urn:b\" xmlns:a=\"urn:a\"", "<a:x>b::y</a:x>", " xmlns:a=\"urn:a\" xmlns:b=\"urn:b\""},
            {"xmlns:b=\"urn:b\" xmlns:a=\"urn:a\"", "<a:x>ab:y -b:y .b: \u00e9b: :b: b</a:x>", " xmlns:a=\"urn:a\""},
            {"xmlns:b=\"urn:b\" xmlns:a=\"urn:a\"", "<x xmlns:a=\"urn:c\">a:y</x>", ""},
            {"xmlns=\"urn:d\" xmlns:a=\"urn:a\"", "<x/>", " xmlns=\"urn:d\""},
            {"xmlns=\"urn:d\"", "<x xmlns=\"\"/>", ""},
            {"xmlns=\"urn:d\"", "<x><y xmlns:a=\"urn:a\">a:z</y></x>", " xmlns=\"urn:d\""},
            {"xmlns:xml=\"http://www.w3.org/XML/1998/namespace\"", "<x xml:lang=\"en\"/>", ""},
            {"xmlns:a=\"&amp;&lt;&quot;\"", "<x>(a:b)</x>", " xmlns:a=\"&amp;&lt;&quot;\""},
        };
        for (String[] each : cases) {
            XmlReader r = reader("<e " + each[0] + ">" + each[1] + "</e>");
            r.startTag();
            assertTrue(r.child());
            r.startTag();
            int name = each[1].split("[ />]", 2)[0].length();
            assertEquals(each[1].substring(0, name) + each[2] + each[1].substring(name), r.readRaw(), each[0]);
            r.endTag();
            r.endDocument();
        }
    }

    /** Against a list that is searched from its end. */
    @Test
    void theInnermostBindingIsFound() {
        Random random = new Random(1);
        StringBuilder names = new StringBuilder();
        for (int i = 0; i < 300; i++) {
            names.append(i < 40 ? "p" + i : "prefix" + i).append(' ');
        }
        byte[] text = (names + " ".repeat(16)).getBytes(StandardCharsets.US_ASCII);
        List<String> all = List.of(names.toString().split(" "));
        XmlPrefixes prefixes = new XmlPrefixes();
        List<String> bound = new ArrayList<>();
        for (int turn = 0; turn < 20_000; turn++) {
            if (random.nextInt(20) == 0) {
                int to = random.nextInt(bound.size() + 1);
                prefixes.reset(text, to);
                if (random.nextBoolean()) {
                    // A text that is read once more: what was bound there is still known.
                    prefixes.reset(text, bound.size());
                } else {
                    bound.subList(to, bound.size()).clear();
                }
            } else if (bound.size() < 500) {
                String name = all.get(random.nextInt(all.size()));
                prefixes.bind(text, names.indexOf(name + " "), name.length(), "urn:" + bound.size());
                bound.add(name);
            }
            String name = all.get(random.nextInt(all.size()));
            int at = names.indexOf(name + " ");
            assertEquals(bound.lastIndexOf(name), prefixes.find(text, text, at, name.length()));
            byte[] other = name.getBytes(StandardCharsets.US_ASCII);
            assertEquals(bound.lastIndexOf(name), prefixes.find(text, other, 0, other.length));
        }
    }
}
