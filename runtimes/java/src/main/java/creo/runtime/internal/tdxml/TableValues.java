package creo.runtime.internal.tdxml;

import creo.runtime.CreoException;
import creo.runtime.codegen.Lists;
import creo.runtime.codegen.TextEnum;
import creo.runtime.codegen.TextField;
import creo.runtime.internal.text.DateTimes;
import creo.runtime.internal.text.TextFrame;
import creo.runtime.internal.xml.XmlValues;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/** Reads single values of a table, with a fast path for plain forms and a slow one for all others. */
abstract class TableValues extends TableRows {
    /** The position of a value: in its own row, */
    static final int ROW = 0;
    /** in a column of a row that may have more, */
    static final int COLUMN = 1;
    /** in a text with other values, */
    static final int LISTED = 2;
    /** or in an element, in the rows beneath the index. */
    static final int ELEMENT = 3;
    /** The words of a boolean, lowest byte first. */
    private static final long TRUE = 0x65_7572_74L;
    private static final long FALSE = 0x65_736c_6166L;

    /** The field of the next value, its kind of position, and its first byte. */
    TextField field;
    int source;
    int at;
    /** The length of the index before the current field. */
    int before;
    XmlValues.Parts parts;
    private byte[] scratch = new byte[256];

    /** Goes to the value of a separate row: that of a scalar. */
    final void own() {
        int p = beneath();
        if (p < 0 || b[p] != '|') {
            current = p < 0 ? current : row;
            throw p >= 0 && b[p] == '~' ? notOptional() : malformed("no value, where one must be");
        }
        current = row;
        at = p + 1;
        source = ROW;
    }

    final CreoException notOptional() {
        return malformed("nothing, where a value must be");
    }

    /** Continues after a value that ends at an index; false, without reading anything, if it does not end there. */
    final boolean close(int p) {
        if (source == COLUMN) {
            if (b[p] != '|' && !isRowEnd(p)) {
                return false;
            }
            pos = p;
            return true;
        }
        if (!isRowEnd(p)) {
            return false;
        }
        advance(p);
        ixLength = before;
        return true;
    }

    /** Sets the slice to the unescaped value, and continues. */
    final void slice() {
        if (source == LISTED) {
            return;
        }
        if (source == ELEMENT) {
            own();
        }
        if (source == COLUMN && isNothing(at)) {
            throw notOptional();
        }
        int p = valueEnd(at);
        slice = b;
        sliceFrom = at;
        sliceTo = p;
        if (escape >= 0) {
            unescape(at, p);
        }
        if (!close(p)) {
            throw malformed("a second value, where one must be");
        }
    }

    private void unescape(int start, int stop) {
        if (scratch.length < stop - start) {
            scratch = new byte[Math.max(2 * scratch.length, stop - start)];
        }
        int n = escape - start;
        System.arraycopy(b, start, scratch, 0, n);
        for (int p = escape; p < stop; p++) {
            scratch[n++] = b[p] == '\\' ? unescaped(b[++p]) : b[p];
        }
        slice = scratch;
        sliceFrom = 0;
        sliceTo = n;
    }

    final void release() {
        if (scratch.length > 1 << 16) {
            scratch = new byte[256];
        }
        slice = null;
    }

    @Override
    public final CreoException wrong(String what) {
        return malformed(shownSlice() + ", where " + what + " must be");
    }

    private void trimmed() {
        slice();
        trim();
    }

    /** Whether the value at {@link #at} has a plain form. */
    private boolean isPlain() {
        if (source == ELEMENT) {
            own();
        }
        return source != LISTED;
    }

    @Override
    public final boolean readBoolean() {
        if (isPlain()) {
            long word = (long) LITTLE.get(b, at);
            if ((word & 0xffff_ffffL) == TRUE && close(at + 4)) {
                return true;
            }
            if ((word & 0xff_ffff_ffffL) == FALSE && close(at + 5)) {
                return false;
            }
        }
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
            long v = integerAt(at);
            if (behind != at && v >= least && v <= most && close(behind)) {
                return v;
            }
        }
        trimmed();
        return integerOfSlice(least, most);
    }

    @Override
    public final float readFloat() {
        if (isPlain()) {
            double d = numberAt(at, true);
            if (d == d && close(behind)) {
                return (float) d;
            }
        }
        trimmed();
        return floatOfSlice();
    }

    @Override
    public final double readDouble() {
        if (isPlain()) {
            double d = numberAt(at, false);
            if (d == d && close(behind)) {
                return d;
            }
        }
        trimmed();
        return doubleOfSlice();
    }

    @Override
    @SuppressWarnings("deprecation") // Each byte is one character, which is right for ASCII.
    public final String readString() {
        if (isPlain() && !field.token) {
            int from = at;
            int end = scan(from, -1L);
            if (b[from] != '~' && end - from <= limits.maxXmlText() && close(end)) {
                return end == from ? "" : new String(b, 0, from, end - from);
            }
        }
        slice();
        if (field.token) {
            trim();
        }
        return new String(slice, sliceFrom, sliceTo - sliceFrom, StandardCharsets.UTF_8);
    }

    @Override
    public final Instant readInstant() {
        if (isPlain()) {
            int n = b[at + DateTimes.SHORT - 1] == 'Z' ? DateTimes.SHORT : DateTimes.MIDDLE;
            Instant v = DateTimes.usual(b, at, n);
            if (v != null && close(at + n)) {
                return v;
            }
        }
        trimmed();
        return instantOfSlice();
    }

    @Override
    public final BigDecimal readDecimal() {
        if (isPlain()) {
            BigDecimal v = decimalAt(at);
            if (v != null && close(behind)) {
                return v;
            }
        }
        trimmed();
        return decimalOfSlice();
    }

    @Override
    public final int readEnum(TextEnum e) {
        trimmed();
        return enumOfSlice(e);
    }

    @Override
    public final byte[] readBytes() {
        slice();
        if (parts != null && source != LISTED && sliceTo - sliceFrom > 4 && slice[sliceFrom] == 'c' && slice[sliceFrom + 3] == ':') {
            String href = new String(slice, sliceFrom, sliceTo - sliceFrom, StandardCharsets.UTF_8);
            byte[] part = parts.take(href);
            if (part == null) {
                throw malformed("the part \"" + CreoException.shown(href) + "\", which is not there, or was named before");
            }
            return part;
        }
        return bytesOfSlice(field.hex);
    }

    @Override
    public final String readRaw() {
        // Unchecked; a writer checks whether it is an element.
        return readString();
    }

    /** A frame of a table reader. */
    static final class Frame extends TextFrame {
        /** The length of the index before it, and of its own step. */
        int before;
        int own;
        /** Whether the columns of its row are being read; the next of them. */
        boolean columns;
        int column;
        /** Whether it has no rows. */
        boolean lacking;
        /** Whether the items are columns of one row, or in one text. */
        boolean flat;
        byte[] list;
        int listPos;
        int listEnd;
    }

    Frame[] frames = new Frame[16];
    int depth;
    Frame top;

    final Frame push(int kind, TextField f) {
        if (depth == frames.length) {
            frames = Arrays.copyOf(frames, 2 * depth);
        }
        Frame frame = frames[depth];
        if (frame == null) {
            frame = new Frame();
            frames[depth] = frame;
        }
        depth++;
        frame.restart(kind, f);
        frame.before = before;
        frame.own = ixLength;
        frame.columns = false;
        frame.column = 0;
        frame.lacking = false;
        frame.flat = false;
        frame.list = null;
        top = frame;
        return frame;
    }

    final void pop() {
        depth--;
        top = depth > 0 ? frames[depth - 1] : null;
    }

    /** Goes to the next value of a text with several; false at its end. */
    final boolean nextListed(Frame f) {
        int p = f.listPos;
        while (p < f.listEnd && f.list[p] <= ' ' && f.list[p] > 0) {
            p++;
        }
        if (p == f.listEnd) {
            pop();
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

    @Override
    public Map<String, String> readAttributes() {
        LinkedHashMap<String, String> all = new LinkedHashMap<>();
        beginEntries();
        while (nextEntry()) {
            String key = null;
            String value = null;
            for (int i = next(0); i >= 0; i = next(i + 1)) {
                if (i == 0) {
                    key = readString();
                } else {
                    value = readString();
                }
            }
            endEntry();
            if (all.put(key, value) != null) {
                throw duplicateKey();
            }
        }
        return Lists.frozen(all);
    }
}
