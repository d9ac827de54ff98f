package creo.runtime;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;

/** Reads single values of XML, and arrays of primitives: each by a short way for its plain form, and a long way for all other forms. */
abstract class XmlValues extends XmlScanner {
    /** Where a value stands: within the element whose start tag was read, */
    static final int ELEMENT = 0;
    static final int ATTRIBUTE = 1;
    /** within the element of its record, */
    static final int TEXT = 2;
    static final int LISTED = 3;
    /** or where a tag begins that is not taken yet. */
    static final int PENDING = 4;

    private static final int MOST_DIGITS = 1_000;
    private static final String XOP = "http://www.w3.org/2004/08/xop/include";

    /** The parts of a package (SOAP-20). */
    interface Parts {
        /** The bytes of the part that {@code href} names, or null. */
        byte[] take(String href);
    }

    XmlFrame[] frames = new XmlFrame[16];
    int depth;
    XmlFrame top;
    int level;
    /** The field whose value comes next, and where that stands. */
    TextField field;
    int source;
    int attribute;
    /** A start tag was read that no field has taken. */
    boolean pending;
    Parts parts;

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

    /** Gives an error the place that the reader has come to (XML-44). */
    final CreoException locate(CreoException e) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < depth; i++) {
            XmlFrame f = frames[i];
            if (f.index < 0) {
                continue;
            }
            switch (f.kind) {
                case XmlFrame.ITEMS -> text.append('[').append(f.index).append(']');
                case XmlFrame.ENTRIES -> text.append('{').append(f.index).append('}');
                case XmlFrame.ENTRY -> text.append(f.index == 0 ? ".key" : ".value");
                default -> {
                    if (f.fields[f.index].name != null) {
                        text.append('.').append(f.fields[f.index].name);
                    }
                }
            }
        }
        return e.placed().within(text.toString());
    }

    final boolean is(int from, int to, String text) {
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

    /** Whether the tag says {@code xsi:nil}. */
    final boolean isNil() {
        for (int k = 0; k < attributes; k++) {
            if (attributeNamespace[k] == XmlName.XSI && is(attributeLocal[k], attributeEnd[k], "nil")) {
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
        return malformed(pos, "nothing, where a value must be");
    }

    /** Checks the attributes of an element that has none of its own (XML-26). */
    final void checkAttributes(boolean lax) {
        if (attributes == 0) {
            return;
        }
        if (isNil()) {
            throw notOptional();
        }
        for (int k = 0; k < attributes; k++) {
            if (attributeNamespace[k] == XmlName.NONE && !lax) {
                throw malformed(attributeName[k], "the attribute " + shown(attributeName[k], attributeEnd[k]) + ", where none can be");
            }
        }
    }

    private boolean sliceIs(String text) {
        if (sliceTo - sliceFrom != text.length()) {
            return false;
        }
        for (int i = 0; i < text.length(); i++) {
            if (slice[sliceFrom + i] != text.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    /** Where the slice began in the text: for the offsets of errors. */
    private int at;

    /** Takes the text of the value as the slice, wherever it stands, and reads its end tag. */
    final void slice() {
        at = pos;
        switch (source) {
            case ELEMENT -> {
                checkAttributes(false);
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

    final void trim() {
        while (sliceFrom < sliceTo && slice[sliceFrom] <= ' ' && slice[sliceFrom] > 0) {
            sliceFrom++;
        }
        while (sliceFrom < sliceTo && slice[sliceTo - 1] <= ' ' && slice[sliceTo - 1] > 0) {
            sliceTo--;
        }
    }

    private void trimmed() {
        slice();
        trim();
    }

    private CreoException wrong(String what) {
        String text = new String(slice, sliceFrom, Math.min(60, sliceTo - sliceFrom), StandardCharsets.UTF_8);
        return malformed(at, "\"" + CreoException.shown(text) + (sliceTo - sliceFrom > 60 ? "...\"" : "\"") + ", where " + what + " must be");
    }

    /** Whether the value stands plainly between its tags. */
    private boolean isPlain() {
        return source == ELEMENT && attributes == 0 && !empty;
    }

    @Override
    public final boolean readBoolean() {
        trimmed();
        if (sliceIs("true") || sliceIs("1")) {
            return true;
        }
        if (sliceIs("false") || sliceIs("0")) {
            return false;
        }
        throw wrong("true or false");
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
            byte[] bytes = b;
            int p = pos;
            boolean negative = bytes[p] == '-';
            int from = negative ? ++p : p;
            long v = 0;
            for (int d = bytes[p] - '0'; d >= 0 && d <= 9; d = bytes[++p] - '0') {
                v = v * 10 + d;
            }
            v = negative ? -v : v;
            if (p > from && p - from <= 18 && v >= least && v <= most && close(p)) {
                return v;
            }
        }
        trimmed();
        return integerOfSlice(least, most);
    }

    private long integerOfSlice(long least, long most) {
        int p = sliceFrom;
        boolean negative = p < sliceTo && slice[p] == '-';
        if (p < sliceTo && (slice[p] == '-' || slice[p] == '+')) {
            p++;
        }
        boolean fits = p < sliceTo;
        long v = 0;
        for (; p < sliceTo; p++) {
            int d = slice[p] - '0';
            if (d < 0 || d > 9) {
                throw wrong("a number");
            }
            // Below zero there is room for all.
            fits &= v > Long.MIN_VALUE / 10 || v == Long.MIN_VALUE / 10 && d <= 8;
            v = fits ? v * 10 - d : v;
        }
        fits &= negative || v != Long.MIN_VALUE;
        v = negative ? v : -v;
        if (!fits || v < least || v > most) {
            throw wrong("a number from " + least + " to " + most);
        }
        return v;
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
        Double d = NumberReader.parseDouble(slice, sliceFrom, sliceTo);
        if (d == null) {
            throw wrong("a number");
        }
        return d;
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
        Float f = NumberReader.parseFloat(slice, sliceFrom, sliceTo);
        if (f == null) {
            throw wrong("a number");
        }
        return f;
    }

    /** Reads a number of up to 18 digits and its end tag; NaN, and nothing read, if it is of another form. */
    private double plainNumber(boolean single) {
        byte[] bytes = b;
        int p = pos;
        boolean negative = bytes[p] == '-';
        if (negative) {
            p++;
        }
        int from = p;
        long w = 0;
        for (int d = bytes[p] - '0'; d >= 0 && d <= 9; d = bytes[++p] - '0') {
            w = w * 10 + d;
        }
        int digits = p - from;
        int exponent = 0;
        if (bytes[p] == '.') {
            int point = ++p;
            for (int d = bytes[p] - '0'; d >= 0 && d <= 9; d = bytes[++p] - '0') {
                w = w * 10 + d;
            }
            exponent = point - p;
            digits -= exponent;
        }
        if (digits == 0 || digits > 18) {
            return Double.NaN;
        }
        if ((bytes[p] | 0x20) == 'e') {
            int sign = bytes[++p];
            if (sign == '-' || sign == '+') {
                p++;
            }
            int power = 0;
            int first = p;
            for (int d = bytes[p] - '0'; d >= 0 && d <= 9; d = bytes[++p] - '0') {
                power = power * 10 + d;
            }
            if (p == first || p - first > 4) {
                return Double.NaN;
            }
            exponent += sign == '-' ? -power : power;
        }
        double v = single ? NumberReader.nearestFloat(w, exponent) : NumberReader.nearest(w, exponent);
        return v == v && close(p) ? negative ? -v : v : Double.NaN;
    }

    @Override
    @SuppressWarnings("deprecation") // Each byte is a character: right for ASCII.
    public final String readString() {
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

    @Override
    public final Instant readInstant() {
        trimmed();
        Instant v = DateTimes.parse(slice, sliceFrom, sliceTo);
        if (v == null) {
            throw wrong("a date and time");
        }
        return v;
    }

    @Override
    public final BigDecimal readDecimal() {
        trimmed();
        byte[] bytes = slice;
        int p = sliceFrom;
        int to = sliceTo;
        boolean negative = p < to && bytes[p] == '-';
        if (p < to && (bytes[p] == '-' || bytes[p] == '+')) {
            p++;
        }
        int from = p;
        while (p < to && bytes[p] == '0') {
            p++;
        }
        int start = p;
        int point = -1;
        long small = 0;
        for (; p < to; p++) {
            int d = bytes[p] - '0';
            if (d >= 0 && d <= 9) {
                small = small * 10 + d;
            } else if (bytes[p] == '.' && point < 0) {
                point = p;
            } else {
                throw wrong("a decimal number");
            }
        }
        int scale = point < 0 ? 0 : to - point - 1;
        if (to - from == (point < 0 ? 0 : 1)) {
            throw wrong("a decimal number");
        }
        int whole = point < 0 ? to - start : point - start;
        if (Math.max(1, whole) + scale > MOST_DIGITS) {
            throw wrong("a decimal number of at most " + MOST_DIGITS + " digits");
        }
        if (whole + scale <= 18) {
            return BigDecimal.valueOf(negative ? -small : small, scale);
        }
        String digits = new String(bytes, start, to - start, StandardCharsets.US_ASCII).replace(".", "");
        BigInteger v = new BigInteger(digits);
        return new BigDecimal(negative ? v.negate() : v, scale);
    }

    @Override
    public final int readEnum(TextEnum e) {
        trimmed();
        int number = e.number(slice, sliceFrom, sliceTo);
        if (number >= 0) {
            return number;
        }
        if (e.extensible && sliceFrom < sliceTo && slice[sliceFrom] == '#') {
            sliceFrom++;
            if (sliceFrom < sliceTo && slice[sliceFrom] >= '0' && slice[sliceFrom] <= '9') {
                return (int) integerOfSlice(0, Integer.MAX_VALUE);
            }
            sliceFrom--;
        }
        throw wrong("one of " + e.expected());
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
        byte[] v = field.hex ? ByteTexts.hexadecimal(slice, sliceFrom, sliceTo) : ByteTexts.base64(slice, sliceFrom, sliceTo);
        if (v == null) {
            throw wrong(field.hex ? "bytes in hexadecimal digits" : "base64");
        }
        return v;
    }

    /** The bytes of the part that the element names, which holds nothing but an {@code xop:Include}; null if it holds text. */
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
            if (attributeNamespace[k] == XmlName.NONE && is(attributeLocal[k], attributeEnd[k], "href")) {
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
            throw malformed(pos, "an element behind xop:Include");
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

    /** The element of an open field, as text that stands for itself (XML-36). */
    @Override
    public final String readRaw() {
        pending = false;
        int own = scope[open - 1];
        int bound0 = bindings;
        int name = nameStart[open - 1];
        int behind = name + nameLength[open - 1];
        int start = name - 1;
        StringBuilder added = new StringBuilder();
        XmlNamespaces missing = XmlNamespaces.inScope(this, own, bound0);
        skipElement();
        if (pos - start > limits.maxXmlText()) {
            throw tooLarge(start, "maxXmlText", limits.maxXmlText(), "an element of " + (pos - start) + " bytes");
        }
        missing.declare(b, start, pos, added);
        String text = new String(b, start, behind - start, StandardCharsets.UTF_8) + added + new String(b, behind, pos - behind, StandardCharsets.UTF_8);
        return text.indexOf('\r') < 0 ? text : text.replace("\r\n", "\n").replace('\r', '\n');
    }

    /** Comes to the next value of a list; false, and the list is over, if there is none. */
    final boolean nextListed(XmlFrame f) {
        int p = f.listPos;
        while (p < f.listEnd && f.list[p] <= ' ' && f.list[p] > 0) {
            p++;
        }
        if (p == f.listEnd) {
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
