package creo.runtime.internal.json;

import creo.runtime.CreoException;
import creo.runtime.Limits;
import creo.runtime.codegen.TextEnum;
import creo.runtime.codegen.TextField;
import creo.runtime.codegen.TextRecord;
import creo.runtime.codegen.TextUnion;
import creo.runtime.internal.buffer.Decimals;
import creo.runtime.internal.buffer.Utf8;
import creo.runtime.internal.text.DateTimes;
import creo.runtime.internal.text.NumberWriter;
import creo.runtime.internal.text.Pool;
import creo.runtime.internal.text.TextOutput;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.Map;

/**
 * Writes JSON values ({@code spec/wires/json.md}) into a reusable buffer. A comma follows every value; the end of the array or object overwrites the
 * last one. No check is therefore needed before a value.
 */
public final class JsonWriter extends TextOutput {
    private static final Pool<JsonWriter> POOL = new Pool<>(JsonWriter::new);
    /** The largest integer that JavaScript represents exactly (VAL-2). */
    private static final long MOST_SAFE = (1L << 53) - 1;
    private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);
    /** For each ASCII character in a string: 0 if unescaped, else the character after the backslash. */
    private static final byte[] ESCAPE = new byte[128];

    static {
        Arrays.fill(ESCAPE, 0, 32, (byte) 'u');
        ESCAPE['\b'] = 'b';
        ESCAPE['\f'] = 'f';
        ESCAPE['\n'] = 'n';
        ESCAPE['\r'] = 'r';
        ESCAPE['\t'] = 't';
        ESCAPE['"'] = '"';
        ESCAPE['\\'] = '\\';
    }

    private JsonWriter() {}

    public static JsonWriter borrow(Limits limits) {
        JsonWriter w = POOL.take();
        w.reset(limits);
        return w;
    }

    public void giveBack() {
        forget();
        POOL.release(this);
    }

    /** Ends the text after the last value. */
    public void end() {
        pos--;
        checkSize(pos);
    }

    /** Makes room for {@code n} bytes, writes the member's name if there is one, and returns the index of the value. */
    private int lead(TextField f, int n) {
        JsonName member = JsonName.of(f);
        int need = member.length + n + 2;
        if (buf.length - pos - SLACK < need) {
            grow(need);
        }
        byte[] b = buf;
        int p = pos;
        long[] name = member.words;
        if (name == null) {
            if (f.key) {
                b[p++] = '"';
            }
            return p;
        }
        int q = p;
        for (long word : name) {
            LONG.set(b, q, word);
            q += 8;
        }
        return p + member.length;
    }

    /** Writes the bytes after a value that ends at {@code p}. */
    private void trail(TextField f, int p) {
        if (f.key) {
            buf[p++] = '"';
            buf[p++] = ':';
        } else {
            buf[p++] = ',';
        }
        pos = p;
    }

    /** Ends an array or object: its bracket overwrites the last comma. */
    private void close(char bracket) {
        room(2);
        byte[] b = buf;
        int p = pos;
        if (b[p - 1] == ',') {
            p--;
        }
        b[p] = (byte) bracket;
        b[p + 1] = ',';
        pos = p + 2;
    }

    private void open(TextField f, char bracket, byte what) {
        int p = lead(f, 2);
        buf[p] = (byte) bracket;
        pos = p + 1;
        push(f, what);
    }

    @Override
    public void beginRecord(TextField f, TextRecord r) {
        open(f, '{', PLAIN);
        if (r.recursive) {
            enter();
        }
    }

    @Override
    public void content(TextField f, TextRecord r) {
        // XML attributes are ordinary members.
    }

    @Override
    public void absentText() {
        // As above.
    }

    @Override
    public void endRecord(TextField f, TextRecord r) {
        depth--;
        if (r.recursive) {
            leave();
        }
        close('}');
    }

    @Override
    public TextField beginUnion(TextField f, TextUnion u, int member) {
        open(f, '{', PLAIN);
        if (u.recursive) {
            enter();
        }
        return u.members[member];
    }

    @Override
    public void endUnion(TextField f, TextUnion u) {
        depth--;
        if (u.recursive) {
            leave();
        }
        close('}');
    }

    @Override
    public CreoException unknownMember(TextField f, TextUnion u, int member) {
        return failed(f, CreoException.invalid("member " + member + " of " + u.name + ", which is not known here: a text wire cannot carry it"));
    }

    @Override
    public TextField beginItems(TextField f, int count) {
        open(f, '[', ITEM);
        return f.item;
    }

    @Override
    public void item(int i) {
        index[depth - 1] = i;
    }

    @Override
    public void endItems(TextField f) {
        depth--;
        close(']');
    }

    @Override
    public void beginEntries(TextField f, int count) {
        open(f, '{', KEY);
    }

    @Override
    public TextField key(TextField f, int i) {
        index[depth - 1] = i;
        kind[depth - 1] = KEY;
        return f.entry.fields[0];
    }

    @Override
    public TextField value(TextField f) {
        kind[depth - 1] = VALUE;
        return f.entry.fields[1];
    }

    @Override
    public void endEntry(TextField f) {
        // The comma is already written.
    }

    @Override
    public void endEntries(TextField f) {
        depth--;
        close('}');
    }

    @Override
    public void absent(TextField f) {
        // A field is omitted; an item, a result, a map value or a union member is not.
        if (f.name != null && !f.member) {
            return;
        }
        int p = lead(f, 8);
        byte[] b = buf;
        b[p] = 'n';
        b[p + 1] = 'u';
        b[p + 2] = 'l';
        b[p + 3] = 'l';
        trail(f, p + 4);
    }

    @Override
    public void writeBoolean(TextField f, boolean v) {
        int p = lead(f, 8);
        byte[] b = buf;
        if (v) {
            b[p] = 't';
            b[p + 1] = 'r';
            b[p + 2] = 'u';
            b[p + 3] = 'e';
            trail(f, p + 4);
        } else {
            b[p] = 'f';
            b[p + 1] = 'a';
            b[p + 2] = 'l';
            b[p + 3] = 's';
            b[p + 4] = 'e';
            trail(f, p + 5);
        }
    }

    @Override
    public void writeByte(TextField f, byte v) {
        writeInt(f, v);
    }

    @Override
    public void writeShort(TextField f, short v) {
        writeInt(f, v);
    }

    @Override
    public void writeChar(TextField f, char v) {
        if (Character.isSurrogate(v)) {
            writeInt(f, v);
        } else {
            writeString(f, String.valueOf(v));
        }
    }

    @Override
    public void writeInt(TextField f, int v) {
        int p = lead(f, NumberWriter.LONGEST);
        trail(f, NumberWriter.put(buf, p, v));
    }

    @Override
    public void writeLong(TextField f, long v) {
        int p = lead(f, NumberWriter.LONGEST);
        trail(f, putLong(buf, p, v, f.key));
    }

    private static int putLong(byte[] b, int p, long v, boolean within) {
        if (within || v >= -MOST_SAFE && v <= MOST_SAFE) {
            return NumberWriter.put(b, p, v);
        }
        b[p] = '"';
        p = NumberWriter.put(b, p + 1, v);
        b[p] = '"';
        return p + 1;
    }

    @Override
    public void writeFloat(TextField f, float v) {
        int p = lead(f, NumberWriter.LONGEST);
        trail(f, Float.isFinite(v) ? NumberWriter.put(buf, p, v) : putSpecial(buf, p, v));
    }

    @Override
    public void writeDouble(TextField f, double v) {
        int p = lead(f, NumberWriter.LONGEST);
        trail(f, putDouble(buf, p, v));
    }

    private static int putDouble(byte[] b, int p, double v) {
        return Double.isFinite(v) ? NumberWriter.put(b, p, v) : putSpecial(b, p, v);
    }

    private static int putSpecial(byte[] b, int p, double v) {
        byte[] text = (Double.isNaN(v) ? "\"NaN\"" : v > 0 ? "\"Infinity\"" : "\"-Infinity\"").getBytes(StandardCharsets.US_ASCII);
        System.arraycopy(text, 0, b, p, text.length);
        return p + text.length;
    }

    @Override
    public void writeInts(TextField f, int[] v) {
        begin(f, v);
        for (int each : v) {
            int p = itemRoom(NumberWriter.LONGEST);
            p = NumberWriter.put(buf, p, each);
            buf[p] = ',';
            pos = p + 1;
        }
        endItems(f);
    }

    @Override
    public void writeLongs(TextField f, long[] v) {
        begin(f, v);
        for (long each : v) {
            int p = itemRoom(NumberWriter.LONGEST);
            p = putLong(buf, p, each, false);
            buf[p] = ',';
            pos = p + 1;
        }
        endItems(f);
    }

    @Override
    public void writeDoubles(TextField f, double[] v) {
        begin(f, v);
        for (double each : v) {
            int p = itemRoom(NumberWriter.LONGEST);
            p = putDouble(buf, p, each);
            buf[p] = ',';
            pos = p + 1;
        }
        endItems(f);
    }

    private void begin(TextField f, Object v) {
        if (v == null) {
            throw missing(f);
        }
        beginItems(f, 0);
    }

    /** Makes room for an item without name. */
    private int itemRoom(int n) {
        if (buf.length - pos - SLACK < n) {
            grow(n);
        }
        return pos;
    }

    @Override
    public void writeString(TextField f, String v) {
        if (v == null) {
            throw missing(f);
        }
        int n = v.length();
        int p = lead(f, n + 2);
        byte[] b = buf;
        // A key is already quoted.
        if (!f.key) {
            b[p++] = '"';
        }
        int i = 0;
        if (n <= SHORT) {
            for (; i < n; i++) {
                char c = v.charAt(i);
                if (c >= 128 || ESCAPE[c] != 0) {
                    break;
                }
                b[p++] = (byte) c;
            }
        } else {
            i = plain(v, n, b, p);
            p += i;
        }
        pos = p;
        if (i < n) {
            try {
                escaped(v, i, n);
            } catch (CreoException e) {
                throw failed(f, e);
            }
            room(4);
        }
        p = pos;
        if (!f.key) {
            buf[p++] = '"';
        }
        trail(f, p);
    }

    /** Copies characters as long as they are unescaped ASCII; returns their number. */
    private static int plain(String v, int n, byte[] b, int p) {
        byte[] t = v.getBytes(StandardCharsets.ISO_8859_1);
        int i = 0;
        for (; i + 8 <= n; i += 8) {
            long w = (long) LONG.get(t, i);
            if ((special(w) & 0x8080_8080_8080_8080L) != 0) {
                break;
            }
        }
        while (i < n && t[i] >= 0x20 && t[i] != '"' && t[i] != '\\' && t[i] != '?') {
            i++;
        }
        System.arraycopy(t, 0, b, p, i);
        return i;
    }

    /** Sets the high bit of bytes below 32 or above 127, quotes, backslashes, and question marks, which replace characters of several bytes. */
    private static long special(long w) {
        long ones = 0x0101_0101_0101_0101L;
        long less = w - ones * 0x20;
        long quote = (w ^ ones * '"') - ones;
        long slash = (w ^ ones * '\\') - ones;
        long question = (w ^ ones * '?') - ones;
        return w | less | quote | slash | question;
    }

    private void escaped(String s, int i, int n) {
        while (i < n) {
            room(6 + (n - i));
            byte[] b = buf;
            int p = pos;
            int last = b.length - SLACK;
            for (; i < n && p < last; i++) {
                char c = s.charAt(i);
                if (c < 128) {
                    byte escape = ESCAPE[c];
                    if (escape == 0) {
                        b[p++] = (byte) c;
                        continue;
                    }
                    b[p++] = '\\';
                    b[p++] = escape;
                    if (escape == 'u') {
                        b[p++] = '0';
                        b[p++] = '0';
                        b[p++] = HEX[c >> 4];
                        b[p++] = HEX[c & 15];
                    }
                } else if (c < 0x800) {
                    b[p++] = (byte) (0xc0 | c >> 6);
                    b[p++] = (byte) (0x80 | c & 0x3f);
                } else if (!Character.isSurrogate(c)) {
                    b[p++] = (byte) (0xe0 | c >> 12);
                    b[p++] = (byte) (0x80 | c >> 6 & 0x3f);
                    b[p++] = (byte) (0x80 | c & 0x3f);
                } else {
                    if (Character.isLowSurrogate(c) || i + 1 == n || !Character.isLowSurrogate(s.charAt(i + 1))) {
                        throw CreoException.invalid("a lone surrogate at character " + i + " of a string");
                    }
                    p = Utf8.putPair(b, p, Character.toCodePoint(c, s.charAt(++i)));
                }
            }
            pos = p;
        }
    }

    @Override
    public void writeInstant(TextField f, Instant v) {
        if (v == null) {
            throw missing(f);
        }
        int p = lead(f, DateTimes.LONGEST + 2);
        buf[p] = '"';
        try {
            p = DateTimes.put(buf, p + 1, v);
        } catch (CreoException e) {
            throw failed(f, e);
        }
        buf[p] = '"';
        trail(f, p + 1);
    }

    @Override
    public void writeDecimal(TextField f, BigDecimal v) {
        if (v == null) {
            throw missing(f);
        }
        if (v.scale() >= 0 && v.scale() <= 18 && v.precision() <= 18) {
            int p = lead(f, NumberWriter.LONGEST + 2);
            buf[p] = '"';
            p = NumberWriter.putScaled(buf, p + 1, v.unscaledValue().longValue(), v.scale());
            buf[p] = '"';
            trail(f, p + 1);
            return;
        }
        try {
            writeString(f, Decimals.text(v));
        } catch (CreoException e) {
            throw failed(f, e);
        }
    }

    @Override
    public void writeBytes(TextField f, byte[] v) {
        if (v == null) {
            throw missing(f);
        }
        int p = lead(f, 2);
        buf[p] = '"';
        pos = p + 1;
        base64(v);
        room(4);
        buf[pos] = '"';
        trail(f, pos + 1);
    }

    @Override
    public void writeEnum(TextField f, TextEnum e, int number) {
        byte[] name = e.declared(number);
        if (name == null) {
            writeInt(f, number);
            return;
        }
        int p = lead(f, name.length + 2);
        if (!f.key) {
            buf[p++] = '"';
        }
        System.arraycopy(name, 0, buf, p, name.length);
        p += name.length;
        if (!f.key) {
            buf[p++] = '"';
        }
        trail(f, p);
    }

    @Override
    public void writeRaw(TextField f, String v) {
        writeString(f, v);
    }

    @Override
    public void writeAttributes(TextField f, Map<String, String> v) {
        // They are written where their field is declared.
    }

    @Override
    public void writeAttributesAsMap(TextField f, Map<String, String> v) {
        if (v == null) {
            throw missing(f);
        }
        beginEntries(f, v.size());
        int i = 0;
        for (Map.Entry<String, String> entry : v.entrySet()) {
            writeString(key(f, i++), entry.getKey());
            writeString(value(f), entry.getValue());
        }
        endEntries(f);
    }
}
