package creo.runtime;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/** Reads values of JSON ({@code spec/wires/json.md}). The member that is predicted costs one comparison of its bytes. */
final class JsonReader extends JsonScanner {
    private static final int MOST_SPARE = 64;
    private static final ConcurrentLinkedQueue<JsonReader> SPARE = new ConcurrentLinkedQueue<>();
    private static final AtomicInteger SPARES = new AtomicInteger();
    private static final int MOST_DIGITS = 1_000;

    private TextFrame[] frames = new TextFrame[16];
    private int depth;
    private TextFrame top;
    private int level;
    /** The field whose value comes next. */
    private TextField field;
    /** The array or object has just begun. */
    private boolean fresh;
    /** The next record is the result of a method, which stands for itself (JSON-21). */
    private boolean result;
    /** The frame of that record. */
    private TextFrame bare;
    /** Where the key of the entry stands. */
    private int keyAt;

    private JsonReader() {}

    static JsonReader borrow(Limits limits) {
        JsonReader r = SPARE.poll();
        if (r == null) {
            r = new JsonReader();
        } else {
            SPARES.decrementAndGet();
        }
        r.limits = limits;
        r.depth = 0;
        r.top = null;
        r.level = 0;
        r.field = null;
        r.fresh = false;
        r.result = false;
        r.bare = null;
        return r;
    }

    void giveBack() {
        if (b.length > 1 << 20) {
            b = new byte[PADDING];
        }
        slice = null;
        if (SPARES.get() < MOST_SPARE) {
            SPARES.incrementAndGet();
            SPARE.add(this);
        }
    }

    /** The value that comes is one alone. */
    void beginRoot(TextField root) {
        field = root;
    }

    /** The next record is a result that is not wrapped. */
    void expectResult() {
        result = true;
    }

    CreoException locate(CreoException e) {
        return e.placed().within(TextFrame.place(frames, depth));
    }

    private TextFrame push(int kind, TextField f) {
        if (depth == frames.length) {
            frames = Arrays.copyOf(frames, 2 * depth);
        }
        TextFrame frame = frames[depth];
        if (frame == null) {
            frame = new TextFrame();
            frames[depth] = frame;
        }
        depth++;
        frame.restart(kind, f);
        top = frame;
        return frame;
    }

    private void pop() {
        depth--;
        top = depth > 0 ? frames[depth - 1] : null;
    }

    private void enter() {
        if (++level > limits.maxDepth()) {
            throw tooLarge(pos, "maxDepth", limits.maxDepth(), "a value that is nested too deeply");
        }
    }

    @Override
    public void begin(TextRecord r) {
        if (result) {
            result = false;
            bare = push(TextFrame.RECORD, null);
            bare.begin(r);
            return;
        }
        open(start(), '{', "an object");
        TextFrame f = push(TextFrame.RECORD, field);
        f.begin(r);
        fresh = true;
        if (r.recursive) {
            enter();
        }
    }

    @Override
    public int next(int likely) {
        TextFrame f = top;
        if (f.kind == TextFrame.RECORD && likely < f.fields.length && (fresh || b[pos] == ',')) {
            TextField x = f.fields[likely];
            int p = fresh ? pos : pos + 1;
            if (x.json != null && x.isMemberAt(b, p) && !f.saw(likely)) {
                pos = p + x.jsonLength;
                fresh = false;
                f.see(likely);
                f.index = likely;
                field = x;
                return likely;
            }
        }
        return nextSlow(f, likely);
    }

    private int nextSlow(TextFrame f, int likely) {
        if (f.kind == TextFrame.ENTRY) {
            f.index++;
            if (f.index == 2) {
                f.index = 0;
                return -1;
            }
            if (f.index == 1) {
                colon();
            }
            field = f.fields[f.index];
            return f.index;
        }
        if (f == bare) {
            if (f.fields.length == 0 || f.saw(0)) {
                return -1;
            }
            f.see(0);
            f.index = 0;
            field = f.fields[0];
            return 0;
        }
        while (more('}')) {
            int i = member(f, likely);
            if (i >= 0) {
                f.index = i;
                if (f.saw(i)) {
                    throw malformed(keyAt, "the member \"" + f.fields[i].name + "\", which was there before");
                }
                f.see(i);
                field = f.fields[i];
                colon();
                return i;
            }
            f.index = -1;
            if (!f.record.extensible) {
                throw malformed(keyAt, "the member \"" + shownSlice() + "\", where these can be: " + expected(f.fields));
            }
            if (pos - 2 - keyAt > limits.maxXmlName()) {
                throw tooLarge(keyAt, "maxXmlName", limits.maxXmlName(), "a name of " + (pos - 2 - keyAt) + " bytes");
            }
            colon();
            skip();
        }
        f.index = -1;
        return -1;
    }

    /** Whether the object or array goes on; if not, its bracket was read. */
    private boolean more(char bracket) {
        if (!fresh) {
            return next(bracket);
        }
        fresh = false;
        int p = start();
        pos = p;
        if (b[p] == bracket) {
            pos = p + 1;
            return false;
        }
        return true;
    }

    /** Reads the name of a member; the index of its field, or -1. */
    private int member(TextFrame f, int likely) {
        int p = start();
        keyAt = p;
        if (b[p] != '"') {
            f.index = -1;
            throw wrong(p, "the name of a member");
        }
        slice(p);
        TextField[] all = f.fields;
        for (int i = Math.min(likely, all.length); i < all.length; i++) {
            if (all[i].isNamed(slice, sliceFrom, sliceTo)) {
                return i;
            }
        }
        for (int i = 0; i < likely && i < all.length; i++) {
            if (all[i].isNamed(slice, sliceFrom, sliceTo)) {
                return i;
            }
        }
        return -1;
    }

    private String shownSlice() {
        return CreoException.shown(new String(slice, sliceFrom, Math.min(sliceTo - sliceFrom, 100), StandardCharsets.UTF_8));
    }

    private static String expected(TextField[] all) {
        StringBuilder text = new StringBuilder();
        for (TextField f : all) {
            text.append(text.length() == 0 ? "" : ", ").append(f.name);
            if (text.length() > 400) {
                return text.append(", ...").toString();
            }
        }
        return text.length() == 0 ? "none" : text.toString();
    }

    @Override
    public void end(TextRecord r) {
        TextFrame f = top;
        if (f == bare) {
            bare = null;
            pop();
            return;
        }
        TextField[] all = f.fields;
        for (int i = 0; i < all.length; i++) {
            if (!f.saw(i) && all[i].mustBeMember()) {
                f.index = -1;
                throw malformed(pos - 1, "without the member \"" + all[i].name + "\", which must be there");
            }
        }
        if (r.recursive) {
            level--;
        }
        open--;
        pop();
    }

    @Override
    public boolean lacks(int i) {
        return false;
    }

    @Override
    public boolean nil() {
        int p = start();
        if (b[p] != 'n') {
            return false;
        }
        word(p, "null");
        return true;
    }

    @Override
    public int member(TextUnion u) {
        open(start(), '{', "an object of one member");
        TextFrame f = push(TextFrame.UNION, field);
        f.fields = u.members;
        if (u.recursive) {
            enter();
        }
        fresh = true;
        if (!more('}')) {
            throw malformed(pos - 1, "no member, where one of these must be: " + expected(u.members));
        }
        int i = member(f, 0);
        if (i < 0) {
            throw malformed(keyAt, "the member \"" + shownSlice() + "\", where one of these must be: " + expected(u.members));
        }
        f.index = i;
        field = u.members[i];
        colon();
        return i;
    }

    @Override
    public void endUnion(TextUnion u) {
        top.index = -1;
        int p = start();
        if (b[p] != '}') {
            throw b[p] == ',' ? malformed(p, "a second member of a union") : wrong(p, "the end of the union");
        }
        pos = p + 1;
        if (u.recursive) {
            level--;
        }
        open--;
        pop();
    }

    @Override
    public void beginItems() {
        open(start(), '[', "an array");
        push(TextFrame.ITEMS, field);
        fresh = true;
    }

    @Override
    public boolean nextItem() {
        TextFrame f = top;
        if (!fresh && b[pos] == ',') {
            pos++;
        } else if (!more(']')) {
            open--;
            pop();
            return false;
        }
        f.index++;
        field = f.field.item;
        return true;
    }

    @Override
    public void beginEntries() {
        open(start(), '{', "an object");
        push(TextFrame.ENTRIES, field);
        fresh = true;
    }

    @Override
    public boolean nextEntry() {
        TextFrame f = top;
        if (!more('}')) {
            open--;
            pop();
            return false;
        }
        int p = start();
        if (b[p] != '"') {
            f.index = -1;
            throw wrong(p, "the key of an entry");
        }
        keyAt = p;
        f.index++;
        TextRecord entry = f.field.entry;
        push(TextFrame.ENTRY, f.field).begin(entry);
        top.index = -1;
        return true;
    }

    @Override
    public void endEntry() {
        pop();
    }

    @Override
    public CreoException duplicateKey() {
        top.index = -1;
        return malformed(keyAt, "a key that was there before");
    }

    @Override
    public boolean readBoolean() {
        int p = start();
        if (field.key) {
            slice(p);
            boolean yes = sliceIs("true");
            if (!yes && !sliceIs("false")) {
                throw wrong(p, "true or false");
            }
            return yes;
        }
        if (b[p] == 't') {
            word(p, "true");
            return true;
        }
        if (b[p] != 'f') {
            throw wrong(p, "true or false");
        }
        word(p, "false");
        return false;
    }

    private boolean sliceIs(String word) {
        return sliceTo - sliceFrom == word.length() && word.equals(new String(slice, sliceFrom, sliceTo - sliceFrom, StandardCharsets.ISO_8859_1));
    }

    @Override
    public byte readByte() {
        return (byte) integer(Byte.MIN_VALUE, Byte.MAX_VALUE);
    }

    @Override
    public short readShort() {
        return (short) integer(Short.MIN_VALUE, Short.MAX_VALUE);
    }

    @Override
    public char readChar() {
        int p = start();
        if (b[p] != '"') {
            return (char) integer(0, Character.MAX_VALUE);
        }
        int c = character(p);
        if (c < 0 && field.key) {
            return (char) quoted(p, 0, Character.MAX_VALUE);
        }
        if (c < 0) {
            throw wrong(p, "a string of one character, or a number");
        }
        return (char) c;
    }

    @Override
    public int readInt() {
        return (int) integer(Integer.MIN_VALUE, Integer.MAX_VALUE);
    }

    @Override
    public long readLong() {
        int p = start();
        if (b[p] == '"' && !field.key) {
            return quoted(p, Long.MIN_VALUE, Long.MAX_VALUE);
        }
        return integer(Long.MIN_VALUE, Long.MAX_VALUE);
    }

    private long integer(long least, long most) {
        int p = start();
        if (field.key) {
            return quoted(p, least, most);
        }
        long v = integerAt(p);
        int to = behind;
        int digits = b[p] == '-' ? p + 1 : p;
        if (to != p && v >= least && v <= most && b[to] != '.' && (b[to] | 0x20) != 'e' && (b[digits] != '0' || to == digits + 1)) {
            pos = to;
            return v;
        }
        if (b[p] != '-' && (b[p] < '0' || b[p] > '9')) {
            throw wrong(p, "a whole number");
        }
        to = numberEnd(p);
        v = exact(b, p, to, p, least, most);
        pos = to;
        return v;
    }

    /** The integer within the string at an index: a key, or a long. */
    private long quoted(int p, long least, long most) {
        slice(p);
        int digits = sliceFrom < sliceTo && slice[sliceFrom] == '-' ? sliceFrom + 1 : sliceFrom;
        if (digits == sliceTo || slice[digits] == '0' && sliceTo > digits + 1) {
            throw wrong(p, "a whole number in a string");
        }
        return exact(slice, sliceFrom, sliceTo, p, least, most);
    }

    private long exact(byte[] digits, int p, int to, int at, long least, long most) {
        boolean negative = digits[p] == '-';
        boolean fits = true;
        long v = 0;
        for (int i = negative ? p + 1 : p; i < to; i++) {
            int d = digits[i] - '0';
            if (d < 0 || d > 9) {
                throw wrong(at, "a whole number, without fraction and exponent,");
            }
            // Below zero there is room for all.
            fits &= v > Long.MIN_VALUE / 10 || v == Long.MIN_VALUE / 10 && d <= 8;
            v = fits ? v * 10 - d : v;
        }
        fits &= negative || v != Long.MIN_VALUE;
        v = negative ? v : -v;
        if (!fits || v < least || v > most) {
            throw wrong(at, "a number from " + least + " to " + most);
        }
        return v;
    }

    @Override
    public float readFloat() {
        int p = start();
        double d = plain(p, true);
        if (d == d) {
            pos = behind;
            return (float) d;
        }
        if (b[p] == '"') {
            return (float) special(p);
        }
        int to = numberEnd(p);
        Float v = NumberReader.parseFloat(b, p, to);
        if (v == null || v.isInfinite()) {
            throw wrong(p, "a number within the range of float");
        }
        pos = to;
        return v;
    }

    @Override
    public double readDouble() {
        int p = start();
        double d = plain(p, false);
        if (d == d) {
            pos = behind;
            return d;
        }
        if (b[p] == '"') {
            return special(p);
        }
        int to = numberEnd(p);
        Double v = NumberReader.parseDouble(b, p, to);
        if (v == null || v.isInfinite()) {
            throw wrong(p, "a number within the range of double");
        }
        pos = to;
        return v;
    }

    /** The number at an index if it is of a plain form; otherwise NaN. */
    private double plain(int p, boolean single) {
        double d = numberAt(p, single);
        if (d == d) {
            int digits = b[p] == '-' ? p + 1 : p;
            boolean zero = b[digits] == '0' && b[digits + 1] >= '0' && b[digits + 1] <= '9';
            if (zero || point == digits || point >= 0 && (b[point + 1] < '0' || b[point + 1] > '9')) {
                return Double.NaN;
            }
        }
        return d;
    }

    private double special(int p) {
        slice(p);
        if (sliceIs("NaN")) {
            return Double.NaN;
        }
        if (sliceIs("Infinity")) {
            return Double.POSITIVE_INFINITY;
        }
        if (sliceIs("-Infinity")) {
            return Double.NEGATIVE_INFINITY;
        }
        throw wrong(p, "a number");
    }

    @Override
    public int[] readInts() {
        beginItems();
        int[] v = NO_INTS;
        int n = 0;
        while (nextItem()) {
            if (n == v.length) {
                v = Arrays.copyOf(v, more(n));
            }
            v[n++] = readInt();
        }
        return Arrays.copyOf(v, n);
    }

    @Override
    public long[] readLongs() {
        beginItems();
        long[] v = NO_LONGS;
        int n = 0;
        while (nextItem()) {
            if (n == v.length) {
                v = Arrays.copyOf(v, more(n));
            }
            v[n++] = readLong();
        }
        return Arrays.copyOf(v, n);
    }

    @Override
    public double[] readDoubles() {
        beginItems();
        double[] v = NO_DOUBLES;
        int n = 0;
        while (nextItem()) {
            if (n == v.length) {
                v = Arrays.copyOf(v, more(n));
            }
            v[n++] = readDouble();
        }
        return Arrays.copyOf(v, n);
    }

    @Override
    public String readString() {
        int p = start();
        if (b[p] != '"') {
            throw wrong(p, "a string");
        }
        return string(p);
    }

    @Override
    public Instant readInstant() {
        int p = start();
        if (b[p] != '"') {
            throw wrong(p, "a date and time in a string");
        }
        slice(p);
        Instant v = DateTimes.parseWithOffset(slice, sliceFrom, sliceTo);
        if (v == null) {
            throw wrong(p, "a date and time");
        }
        return v;
    }

    @Override
    public BigDecimal readDecimal() {
        int p = start();
        boolean quoted = b[p] == '"';
        int from = quoted ? p + 1 : p;
        BigDecimal v = small(from, quoted);
        if (v != null) {
            return v;
        }
        String text;
        if (quoted) {
            slice(p);
            text = new String(slice, sliceFrom, sliceTo - sliceFrom, StandardCharsets.UTF_8);
            String fault = Decimals.fault(text);
            if (fault != null) {
                throw malformed(p, fault);
            }
        } else {
            int to = numberEnd(p);
            int digits = 0;
            for (int i = p; i < to; i++) {
                if ((b[i] | 0x20) == 'e') {
                    throw malformed(p, "a Decimal with an exponent");
                }
                digits += b[i] >= '0' ? 1 : 0;
            }
            if (digits > MOST_DIGITS) {
                throw malformed(p, "a Decimal of " + digits + " digits");
            }
            text = new String(b, p, to - p, StandardCharsets.US_ASCII);
            pos = to;
        }
        return new BigDecimal(text);
    }

    /** A decimal in canonical form, of up to 18 digits, and its closing quote; null, and nothing read, if it is of another form. */
    private BigDecimal small(int from, boolean quoted) {
        byte[] bytes = b;
        int p = from;
        boolean negative = bytes[p] == '-';
        if (negative) {
            p++;
        }
        int digits = p;
        long v = 0;
        while (bytes[p] >= '0' && bytes[p] <= '9') {
            v = v * 10 + bytes[p++] - '0';
        }
        int whole = p - digits;
        int scale = 0;
        if (bytes[p] == '.') {
            int first = ++p;
            while (bytes[p] >= '0' && bytes[p] <= '9') {
                v = v * 10 + bytes[p++] - '0';
            }
            scale = p - first;
            if (scale == 0) {
                return null;
            }
        }
        boolean ends = quoted ? bytes[p] == '"' : (bytes[p] | 0x20) != 'e';
        if (!ends || whole == 0 || whole > 1 && bytes[digits] == '0' || whole + scale > 18 || negative && v == 0) {
            return null;
        }
        pos = quoted ? p + 1 : p;
        return BigDecimal.valueOf(negative ? -v : v, scale);
    }

    @Override
    public byte[] readBytes() {
        int p = start();
        if (b[p] != '"') {
            throw wrong(p, "base64 in a string");
        }
        slice(p);
        byte[] v = ByteTexts.plainBase64(slice, sliceFrom, sliceTo);
        if (v == null) {
            throw wrong(p, "base64");
        }
        return v;
    }

    @Override
    public int readEnum(TextEnum e) {
        int p = start();
        if (b[p] != '"') {
            if (!e.extensible || b[p] < '0' || b[p] > '9') {
                throw wrong(p, "one of " + e.expectedNames());
            }
            return (int) integer(0, Integer.MAX_VALUE);
        }
        slice(p);
        int number = e.numberOfDeclared(slice, sliceFrom, sliceTo);
        if (number >= 0) {
            return number;
        }
        if (e.extensible && field.key && sliceFrom < sliceTo && slice[sliceFrom] >= '0' && slice[sliceFrom] <= '9') {
            return (int) quoted(p, 0, Integer.MAX_VALUE);
        }
        throw wrong(p, "one of " + e.expectedNames());
    }

    @Override
    public String readRaw() {
        return readString();
    }

    @Override
    public Map<String, String> readAttributes() {
        Map<String, String> all = new LinkedHashMap<>();
        beginEntries();
        while (nextEntry()) {
            next(0);
            String key = readString();
            next(1);
            String value = readString();
            next(2);
            endEntry();
            if (all.put(key, value) != null) {
                throw duplicateKey();
            }
        }
        return Lists.frozen(all);
    }
}
