package creo.runtime.internal.xml;

import creo.runtime.Limits;
import creo.runtime.internal.buffer.Failures;
import creo.runtime.internal.buffer.PaddedBytes;
import creo.runtime.internal.buffer.Utf8;
import creo.runtime.internal.text.TextName;
import java.util.Arrays;

/** Texts that are complete elements (XML-36). */
public final class XmlElements {
    private XmlElements() {}

    /** The bytes of a text, which must be one complete element, with a name if one is given. */
    public static byte[] check(String text, TextName name, Limits limits) {
        byte[] bytes = new byte[(int) Math.min(Utf8.length(text), Integer.MAX_VALUE - 2 * PaddedBytes.PADDING) + PaddedBytes.PADDING];
        int n = (int) Utf8.encode(text, 0, bytes, 0, bytes.length - PaddedBytes.PADDING);
        XmlReader r = XmlReader.borrow(limits);
        try {
            if (bytes[0] != '<' || bytes[1] == '!' || bytes[1] == '?') {
                throw Failures.malformed("a text that is no element");
            }
            r.open(bytes, 0, n, null);
            r.startTag();
            if (name != null && !name.is(r.tagNamespace, r.b, r.tagLocal, r.tagEnd)) {
                throw Failures.malformed("the element " + r.shownTag() + ", where " + name + " must be");
            }
            r.skipElement();
            if (r.pos != r.end) {
                throw Failures.malformed("something behind the element");
            }
        } finally {
            r.giveBack();
        }
        return Arrays.copyOf(bytes, n);
    }
}
