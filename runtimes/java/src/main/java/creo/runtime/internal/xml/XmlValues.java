package creo.runtime.internal.xml;

import creo.runtime.CreoException;
import creo.runtime.codegen.TextEnum;
import creo.runtime.codegen.TextField;
import creo.runtime.internal.buffer.Failures;
import creo.runtime.internal.text.TextFrame;
import creo.runtime.internal.text.TextName;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;

/** Reads single XML values, and arrays of primitives, with a fast path for plain forms and a slow one for all others. */
public abstract class XmlValues extends XmlScanner {
    /** The position of a value: within the element whose start tag was read, */
    public static final int ELEMENT = 0;
    static final int ATTRIBUTE = 1;
    /** within the element of its record, */
    static final int TEXT = 2;
    static final int LISTED = 3;
    /** or at the start of a tag that was not taken yet. */
    static final int PENDING = 4;

    private static final String XOP = "http://www.w3.org/2004/08/xop/include";

    /** The parts of a multipart (SOAP-20). */
    public interface Parts {
        /** The bytes of the part with the {@code href}, or null. */
        byte[] take(String href);
    }

    XmlFrame[] frames = new XmlFrame[16];
    int depth;
    XmlFrame top;
    int level;
    /** The field of the next value, and its kind of position. */
    public TextField field;
    public int source;
    int attribute;
    /** Whether a start tag was read that no field has taken. */
    boolean pending;
    public Parts parts;

    final XmlFrame push(int kind, TextField f) {
        if (depth == frames.length) {
            frames = Arrays.copyOf(frames, 2 * depth);
        }
        XmlFrame frame = frames[depth];
        if (frame == null) {
            frame = new XmlFrame();
            frames[depth] = frame;
        }
        depth++;
        frame.clear(kind, f);
        top = frame;
        return frame;
    }

    final void popFrame() {
        depth--;
        top = depth > 0 ? frames[depth - 1] : null;
    }

    final void enter() {
        if (++level > limits.maxDepth()) {
            throw tooLarge(pos, "maxDepth", limits.maxDepth(), "a value that is nested too deeply");
        }
    }

    /** Adds the reader's path to an error (XML-44). */
    public CreoException locate(CreoException e) {
        return Failures.within(Failures.placed(e), TextFrame.place(frames, depth));
    }

    public final boolean is(int from, int to, String text) {
        if (to - from != text.length()) {
            return false;
        }
        for (int i = 0; i < text.length(); i++) {
            if (b[from + i] != text.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    /** Whether the tag has {@code xsi:nil}. */
    final boolean isNil() {
        for (int k = 0; k < attributes; k++) {
            if (attributeNamespace[k] == TextName.XSI && is(attributeLocal[k], attributeEnd[k], "nil")) {
                expand(k);
                trim();
                int n = sliceTo - sliceFrom;
                if (n == 4 && slice[sliceFrom] == 't' && sliceIs("true") || n == 1 && slice[sliceFrom] == '1') {
                    return true;
                }
                if (n == 5 && sliceIs("false") || n == 1 && slice[sliceFrom] == '0') {
                    return false;
                }
                throw malformed(valueStart[k], "an xsi:nil that is no boolean");
            }
        }
        return false;
    }

    final CreoException notOptional() {
        return malformed(pos, "nothing, where a value must be" + XmlLenience.missing(field));
    }

    /** Checks the attributes of an element that has none of its own (XML-26): of an extensible type, those without namespace are skipped. */
    public final void checkAttributes(boolean extensible) {
        if (attributes == 0) {
            return;
        }
        if (isNil()) {
            throw notOptional();
        }
        for (int k = 0; k < attributes; k++) {
            if (attributeNamespace[k] == TextName.NONE && !extensible && !lenient) {
                throw XmlLenience.skipped(this, attributeName[k], "the attribute " + shown(attributeName[k], attributeEnd[k]) + ", where none can be");
            }
        }
    }

    /** The start of the slice in the text, for the offsets of errors. */
    private int at;

    /** Sets the slice to the text of the value, at any position, and reads its end tag. */
    final void slice() {
        slice(false);
    }

    private void slice(boolean extensible) {
        at = pos;
        switch (source) {
            case ELEMENT -> {
                checkAttributes(extensible);
                text();
                endTag();
            }
            case TEXT -> {
                text();
                endTag();
                top.closed = true;
            }
            case ATTRIBUTE -> {
                at = valueStart[attribute];
                expand(attribute);
            }
            default -> { }
        }
    }

    private void trimmed() {
        slice();
        trim();
    }

    @Override
    public final CreoException wrong(String what) {
        return malformed(at, shownSlice() + ", where " + what + " must be" + XmlLenience.hint(this, field));
    }

    /** Whether the value is plain text between its tags. */
    private boolean isPlain() {
        return source == ELEMENT && attributes == 0 && !empty;
    }

    @Override
    public final boolean readBoolean() {
        trimmed();
        return booleanOfSlice();
    }

    @Override
    public final byte readByte() {
        return (byte) integer(Byte.MIN_VALUE, Byte.MAX_VALUE);
    }

    @Override
    public final short readShort() {
        return (short) integer(Short.MIN_VALUE, Short.MAX_VALUE);
    }

    @Override
    public final char readChar() {
        return (char) integer(0, Character.MAX_VALUE);
    }

    @Override
    public final int readInt() {
        return (int) integer(Integer.MIN_VALUE, Integer.MAX_VALUE);
    }

    @Override
    public final long readLong() {
        return integer(Long.MIN_VALUE, Long.MAX_VALUE);
    }

    private long integer(long least, long most) {
        if (isPlain()) {
            long v = integerAt(pos);
            if (behind != pos && v >= least && v <= most && close(behind)) {
                return v;
            }
        }
        trimmed();
        return integerOfSlice(least, most);
    }

    @Override
    public final double readDouble() {
        if (isPlain()) {
            double d = plainNumber(false);
            if (d == d) {
                return d;
            }
        }
        trimmed();
        return doubleOfSlice();
    }

    @Override
    public final float readFloat() {
        if (isPlain()) {
            double d = plainNumber(true);
            if (d == d) {
                return (float) d;
            }
        }
        trimmed();
        return floatOfSlice();
    }

    /** Reads a number of up to 18 digits and its end tag; NaN, without reading anything, for another form. */
    private double plainNumber(boolean single) {
        double v = numberAt(pos, single);
        return v == v && close(behind) ? v : Double.NaN;
    }

    /** The position of the next item's content, if its start tag equals the previous one and has no attributes; or -1. */
    final int likeTheLast(XmlFrame f) {
        int p = pos;
        int n = f.rawLength;
        boolean alike = f.rawStart >= 0 && !f.first && !pending && b[p] == '<' && same(f.rawStart, p + 1, n) && b[p + 1 + n] == '>' && prefixes.count == f.rawBindings;
        return alike ? p + n + 2 : -1;
    }

    /** Ends such an item if its plain end tag is at an index. */
    private boolean endsThere(XmlFrame f, int p) {
        int n = f.rawLength;
        if (b[p] != '<' || b[p + 1] != '/' || !same(f.rawStart, p + 2, n) || b[p + 2 + n] != '>') {
            return false;
        }
        pos = p + 3 + n;
        f.index++;
        charge(f.field.each);
        return true;
    }

    /** The last item read. */
    private long integer;
    private double real;

    /** Reads the next item, an integer; false if there is none. */
    private boolean integerItem(long least, long most) {
        XmlFrame f = top;
        int p = likeTheLast(f);
        if (p >= 0) {
            long v = integerAt(p);
            if (behind != p && v >= least && v <= most && endsThere(f, behind)) {
                integer = v;
                return true;
            }
        }
        boolean more = nextItem();
        integer = more ? integer(least, most) : 0;
        return more;
    }

    private boolean realItem() {
        XmlFrame f = top;
        int p = likeTheLast(f);
        if (p >= 0) {
            double v = numberAt(p, false);
            if (v == v && endsThere(f, behind)) {
                real = v;
                return true;
            }
        }
        boolean more = nextItem();
        real = more ? readDouble() : 0;
        return more;
    }

    @Override
    public final int[] readInts() {
        beginItems();
        int[] v = NO_INTS;
        int n = 0;
        while (integerItem(Integer.MIN_VALUE, Integer.MAX_VALUE)) {
            if (n == v.length) {
                v = Arrays.copyOf(v, more(n));
            }
            v[n++] = (int) integer;
        }
        return Arrays.copyOf(v, n);
    }

    @Override
    public final long[] readLongs() {
        beginItems();
        long[] v = NO_LONGS;
        int n = 0;
        while (integerItem(Long.MIN_VALUE, Long.MAX_VALUE)) {
            if (n == v.length) {
                v = Arrays.copyOf(v, more(n));
            }
            v[n++] = integer;
        }
        return Arrays.copyOf(v, n);
    }

    @Override
    public final double[] readDoubles() {
        beginItems();
        double[] v = NO_DOUBLES;
        int n = 0;
        while (realItem()) {
            if (n == v.length) {
                v = Arrays.copyOf(v, more(n));
            }
            v[n++] = real;
        }
        return Arrays.copyOf(v, n);
    }

    @Override
    @SuppressWarnings("deprecation") // Each byte is one character, which is right for ASCII.
    public final String readString() {
        if (field.qualifiedName) {
            return qualifiedName();
        }
        if (source != ELEMENT || field.token || attributes != 0) {
            slice();
            if (field.token) {
                trim();
            }
            return new String(slice, sliceFrom, sliceTo - sliceFrom, StandardCharsets.UTF_8);
        }
        boolean ascii = text();
        byte[] from = slice;
        int p = sliceFrom;
        int n = sliceTo - p;
        endTag();
        return n == 0 ? "" : ascii ? new String(from, 0, p, n) : new String(from, p, n, StandardCharsets.UTF_8);
    }

    /** A name in Clark notation (XML-48). */
    private String qualifiedName() {
        if (source == LISTED) {
            return nameOfSlice();
        }
        int within = prefixes.count;
        slice();
        trim();
        int behind = prefixes.count;
        prefixes.reset(b, within);
        String name = nameOfSlice();
        prefixes.reset(b, behind);
        return name;
    }

    /** The name in the slice, by the bound prefixes. */
    private String nameOfSlice() {
        int colon = sliceFrom;
        while (colon < sliceTo && slice[colon] != ':') {
            colon++;
        }
        boolean prefixed = colon < sliceTo;
        int from = prefixed ? colon + 1 : sliceFrom;
        String local = new String(slice, from, sliceTo - from, StandardCharsets.UTF_8);
        if (prefixed && colon == sliceFrom || !isName(local)) {
            throw wrong("a qualified name");
        }
        String uri = namespaceOf(slice, sliceFrom, prefixed ? colon - sliceFrom : 0);
        if (uri == null) {
            throw wrong("a name whose prefix is bound");
        }
        if (uri.isEmpty()) {
            return local;
        }
        declared += uri.getBytes(StandardCharsets.UTF_8).length;
        if (declared > limits.maxXmlText()) {
            throw tooLarge(at, "maxXmlText", limits.maxXmlText(), "namespaces of names, of more bytes");
        }
        return "{" + uri + "}" + local;
    }

    @Override
    public final Instant readInstant() {
        trimmed();
        return instantOfSlice();
    }

    @Override
    public final BigDecimal readDecimal() {
        trimmed();
        return decimalOfSlice();
    }

    @Override
    public final int readEnum(TextEnum e) {
        slice(e.extensible);
        trim();
        return enumOfSlice(e);
    }

    @Override
    public final byte[] readBytes() {
        if (parts != null && source != ATTRIBUTE && !field.hex && !empty) {
            byte[] part = included();
            if (part != null) {
                return part;
            }
        }
        slice();
        return bytesOfSlice(field.hex);
    }

    /** The part that the element refers to by its only content, an {@code xop:Include}; null if it contains text. */
    private byte[] included() {
        int p = skipSpace(pos);
        if (b[p] != '<' || b[p + 1] == '/' || b[p + 1] == '!' || b[p + 1] == '?') {
            return null;
        }
        if (source == ELEMENT) {
            checkAttributes(false);
        }
        pos = p;
        startTag();
        String href = null;
        for (int k = 0; k < attributes; k++) {
            if (attributeNamespace[k] == TextName.NONE && is(attributeLocal[k], attributeEnd[k], "href")) {
                expand(k);
                href = new String(slice, sliceFrom, sliceTo - sliceFrom, StandardCharsets.UTF_8);
            }
        }
        if (!tagNamespace.equals(XOP) || !is(tagLocal, tagEnd, "Include") || href == null) {
            throw malformed(p, "the element " + shownTag() + ", where text or xop:Include must be");
        }
        if (child()) {
            throw malformed(pos, "an element within xop:Include");
        }
        endTag();
        if (child()) {
            throw malformed(pos, "an element after xop:Include");
        }
        byte[] part = parts.take(href);
        if (part == null) {
            throw malformed(p, "the part \"" + CreoException.shown(href) + "\", which is not there, or was named before");
        }
        endTag();
        if (source == TEXT) {
            top.closed = true;
        }
        return part;
    }

    /** The element of an open field, as standalone text (XML-36). */
    @Override
    public final String readRaw() {
        pending = false;
        int own = scope[open - 1];
        int all = prefixes.count;
        int name = nameStart[open - 1];
        int behind = name + nameLength[open - 1];
        int start = name - 1;
        skipElement();
        if (pos - start > limits.maxXmlText()) {
            throw tooLarge(start, "maxXmlText", limits.maxXmlText(), "an element of " + (pos - start) + " bytes");
        }
        String added = XmlNamespaces.missing(this, start, pos, own, all);
        declared += added.isEmpty() ? 0 : added.getBytes(StandardCharsets.UTF_8).length;
        if (declared > limits.maxXmlText()) {
            throw tooLarge(start, "maxXmlText", limits.maxXmlText(), "declarations for elements that are kept as XML, of more bytes");
        }
        String text = new String(b, start, behind - start, StandardCharsets.UTF_8) + added + new String(b, behind, pos - behind, StandardCharsets.UTF_8);
        return text.indexOf('\r') < 0 ? text : text.replace("\r\n", "\n").replace('\r', '\n');
    }

    /** Takes the text of the next list. If it contains prefixes, those of its element stay bound until its end. */
    final void beginList(TextField x) {
        int within = prefixes.count;
        slice();
        XmlFrame f = push(XmlFrame.ITEMS, x);
        if (x.isPrefixed()) {
            f.bindingsBehind = prefixes.count;
            prefixes.reset(b, within);
        }
        f.list = slice == b ? b : Arrays.copyOfRange(slice, sliceFrom, sliceTo);
        f.listPos = slice == b ? sliceFrom : 0;
        f.listEnd = f.listPos + sliceTo - sliceFrom;
    }

    /** Goes to the next value of a list; false at its end. */
    final boolean nextListed(XmlFrame f) {
        int p = f.listPos;
        while (p < f.listEnd && f.list[p] <= ' ' && f.list[p] > 0) {
            p++;
        }
        if (p == f.listEnd) {
            if (f.bindingsBehind >= 0) {
                prefixes.reset(b, f.bindingsBehind);
            }
            popFrame();
            return false;
        }
        sliceFrom = p;
        while (p < f.listEnd && (f.list[p] > ' ' || f.list[p] < 0)) {
            p++;
        }
        slice = f.list;
        sliceTo = p;
        f.listPos = p;
        f.index++;
        source = LISTED;
        return true;
    }
}
