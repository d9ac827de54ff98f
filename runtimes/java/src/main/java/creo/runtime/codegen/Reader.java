package creo.runtime.codegen;

import creo.runtime.CreoException;
import creo.runtime.ErrorCode;
import creo.runtime.Limits;
import creo.runtime.internal.buffer.Decimals;
import creo.runtime.internal.buffer.Failures;
import creo.runtime.internal.buffer.Memory;
import creo.runtime.internal.buffer.PaddedBytes;
import creo.runtime.internal.buffer.Utf8;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;

/**
 * Reads values of the binary wire, from an array or from a {@link Source} that provides the body piece by piece. For generated code.
 *
 * <p>Every byte is untrusted. A reader never reads outside its window and never allocates more memory for a claim than LIM-3 allows. It fails with a
 * {@link CreoException} that says where, and must not be used again after that.
 */
@SuppressWarnings("exports") // Parameters of internal types are for the runtime only.
public final class Reader {
    /** Provides the body of a message while it arrives. For transports. */
    public interface Source {
        /** Makes at least {@code need} bytes (up to {@link Reader#PIECE}) contiguous at the reader's position; false if the body ends earlier. */
        boolean fill(Reader reader, int need);

        /** Moves from 1 to {@code most} of the bytes after the reader's window to an array; -1 at the body's end. */
        int read(byte[] target, int from, int most);
    }

    /** The largest piece that a source must be able to provide at once. */
    public static final int PIECE = 4_096;

    private static final long UNKNOWN = Long.MAX_VALUE;
    private static final int REFERENCE = 8;
    private static final int UNKNOWN_MEMBER = 32;

    private final Limits limits;
    private final Source source;
    byte[] buf;
    int pos;
    /** The end of the bytes that may be read without a further check: of the window, or of the region within it. */
    int limit;
    private int windowEnd;
    /** The offset in the body of the byte at index 0 of the window. */
    long base;
    private long regionEnd = UNKNOWN;
    private long bodyEnd = UNKNOWN;
    private int depth;
    private int emptyItems;
    /** What the message is charged to, and how many bytes of the body have been charged. */
    private Memory memory;
    private long charged;

    public Reader(byte[] bytes) {
        this(bytes, 0, bytes.length, Limits.DEFAULT);
    }

    /** Reads a part of an array, which must not change meanwhile. */
    public Reader(byte[] bytes, int from, int length, Limits limits) {
        this.limits = limits;
        this.source = null;
        reset(bytes, from, length);
    }

    /** Reads from a source; {@link #begin} comes before each body. */
    public Reader(Source source, Limits limits) {
        this.limits = limits;
        this.source = source;
    }

    /** Reads a complete body. */
    public Reader(PaddedBytes body, Limits limits) {
        this.limits = limits;
        this.source = null;
        begin(body.charged(limits));
        charged = body.length();
        window(body.bytes(), 0, body.length(), 0);
        bodyEnd(body.length());
    }

    /** Continues with another array, as a new reader would. */
    public void reset(byte[] bytes, int from, int length) {
        if (length > limits.maxMessageSize()) {
            throw CreoException.tooLarge("maxMessageSize", limits.maxMessageSize(), "a body of " + length + " bytes");
        }
        begin();
        window(bytes, from, from + length, 0);
        bodyEnd(length);
    }

    /** Starts a new body. For transports. */
    public void begin() {
        begin(new Memory(limits.maxMemory()));
    }

    /** Starts a new body that is charged to {@code to}. */
    public void begin(Memory to) {
        memory = to;
        charged = 0;
        regionEnd = UNKNOWN;
        bodyEnd = UNKNOWN;
        base = 0;
        pos = 0;
        windowEnd = 0;
        limit = 0;
        depth = 0;
        emptyItems = limits.maxEmptyItems();
    }

    /** Sets the window to the body's next bytes: {@code from} to {@code to} of the array, the first at {@code offset} of the body. For transports. */
    public void window(byte[] bytes, int from, int to, long offset) {
        buf = bytes;
        pos = from;
        windowEnd = to;
        base = offset - from;
        setLimit();
        long arrived = base + to - charged;
        if (arrived > 0) {
            charged += arrived;
            if (!memory.take(arrived)) {
                grantMore(0);
            }
        }
    }

    /** What the message is charged to. */
    public Memory memory() {
        return memory;
    }

    /** Sets the body's length, once it is known. For transports. */
    public void bodyEnd(long size) {
        bodyEnd = size;
    }

    private void setLimit() {
        limit = regionEnd == UNKNOWN ? windowEnd : (int) Math.min(windowEnd, regionEnd - base);
    }

    /** The bytes of the window that have not been read. For transports. */
    public int remaining() {
        return windowEnd - pos;
    }

    /** The offset of the next byte in the body. */
    public long offset() {
        return base + pos;
    }

    /** The array of the last {@link #require} or {@link #advance}. */
    public byte[] buffer() {
        return buf;
    }

    /** Ensures that a block of {@code n} bytes is available, skips it, and returns its index in {@link #buffer}. */
    public int require(int n, Layout layout) {
        int p = pos;
        if (n > limit - p) {
            p = fill(n, layout);
        }
        pos = p + n;
        return p;
    }

    /** How many items of {@code size} bytes are in the window, at least 1 and at most {@code most}; they are not skipped. */
    public int window(int size, int most, Layout layout) {
        int k = (limit - pos) / size;
        if (k == 0) {
            fill(size, layout);
            k = (limit - pos) / size;
        }
        return Math.min(k, most);
    }

    /** Skips {@code n} bytes that {@link #window} has found; returns the index of the first. */
    public int advance(int n) {
        int p = pos;
        pos = p + n;
        return p;
    }

    /** Makes {@code n} bytes contiguous at the returned position. */
    int fill(int n, Layout layout) {
        long left = Math.min(regionEnd, bodyEnd) - offset();
        if (n <= left && source != null && source.fill(this, n) && n <= limit - pos) {
            return pos;
        }
        CreoException e = Failures.placed(Failures.malformed(regionEnd - offset() < n ? "a value that is longer than what holds it" : "the bytes end within a value"));
        // The path must not depend on whether the remaining bytes have arrived (BIN-15).
        throw layout == null ? Failures.at(e, offset()) : layout.locate(e, offset(), n > left ? (int) left : Math.max(0, limit - pos));
    }

    public boolean readBoolean() {
        int p = require(1, null);
        byte v = buf[p];
        if ((v & ~1) != 0) {
            throw malformed("a boolean of " + (v & 0xff), 1);
        }
        return v != 0;
    }

    public byte readByte() {
        // Two steps, since the window may change.
        int p = require(1, null);
        return buf[p];
    }

    public short readShort() {
        int p = require(2, null);
        return Bytes.getShort(buf, p);
    }

    public char readChar() {
        int p = require(2, null);
        return Bytes.getChar(buf, p);
    }

    public int readInt() {
        int p = require(4, null);
        return Bytes.getInt(buf, p);
    }

    public long readLong() {
        int p = require(8, null);
        return Bytes.getLong(buf, p);
    }

    public float readFloat() {
        int p = require(4, null);
        return Bytes.getFloat(buf, p);
    }

    public double readDouble() {
        int p = require(8, null);
        return Bytes.getDouble(buf, p);
    }

    public Instant readInstant() {
        int p = require(12, null);
        try {
            return Bytes.getInstant(buf, p);
        } catch (CreoException e) {
            throw Failures.resolve(e, base);
        }
    }

    /** The first byte of an optional: whether a value follows, which is charged {@code charge} (LIM-18). */
    public boolean readPresence(int charge) {
        int p = require(1, null);
        byte v = buf[p];
        if (v == 0) {
            return false;
        }
        if (v != 1) {
            throw malformed("an optional that begins with " + (v & 0xff), 1);
        }
        if (!memory.take(charge)) {
            grantMore(1);
        }
        return true;
    }

    /** A count (BIN-2) of items, or the number of a constant or the index of a member. */
    public int readCount() {
        int p = pos;
        if (p < limit) {
            byte b = buf[p];
            if (b >= 0) {
                pos = p + 1;
                return b;
            }
        }
        return readLongCount();
    }

    private int readLongCount() {
        int value = 0;
        for (int i = 0; i < 5; i++) {
            int p = pos;
            if (p >= limit) {
                try {
                    p = fill(1, null);
                } catch (CreoException e) {
                    throw e.code() == ErrorCode.MALFORMED ? Failures.at(e, offset() - i) : e;
                }
            }
            int b = buf[p];
            pos = p + 1;
            if (i == 4 && (b & 0xf8) != 0) {
                throw malformed("a count above 2147483647", 5);
            }
            value |= (b & 0x7f) << 7 * i;
            if (b >= 0) {
                if (b == 0 && i > 0) {
                    throw malformed("a count that is not in its shortest form", i + 1);
                }
                return value;
            }
        }
        throw malformed("a count that does not end", 5);
    }

    /** A count of items with at least {@code least} bytes each (BIN-5, BIN-6), each charged {@code each} (LIM-18). */
    public int readCount(int least, int each) {
        int n = readCount();
        if (least == 0) {
            emptyItems -= n;
            if (emptyItems < 0) {
                throw Failures.at(Failures.placed(CreoException.tooLarge("maxEmptyItems", limits.maxEmptyItems(), n + " more items without bytes")), offset() - Bytes.countSize(n));
            }
        } else {
            long left = Math.min(regionEnd, bodyEnd) - offset();
            if ((long) n * least > left) {
                throw malformed("a count of " + n + " items, of which " + left + " bytes cannot hold as many", Bytes.countSize(n));
            }
        }
        charge((long) n * each, n);
        return n;
    }

    /** The index of a union member, whose value is charged {@code charges[index]}; an unknown member is charged as a {@code byte[]}. */
    public int readMember(int[] charges) {
        int n = readCount();
        charge(n < charges.length ? charges[n] : UNKNOWN_MEMBER, n);
        return n;
    }

    /** Charges the message (LIM-18) for the values of a count that was just read. */
    private void charge(long bytes, int count) {
        if (!memory.take(bytes)) {
            grantMore(Bytes.countSize(count));
        }
    }

    /** Returns what was overcharged for the last {@code read} bytes. */
    private void grantMore(int read) {
        try {
            memory.more();
        } catch (CreoException e) {
            throw Failures.at(Failures.placed(e), offset() - read);
        }
    }

    /** How many items to allocate memory for, when {@code n} items of {@code size} bytes are claimed and {@code have} have arrived (LIM-3). */
    int allowed(int n, int size, int have) {
        if (source == null) {
            return n;
        }
        long items = Math.max(1, (limits.trustedAllocation() + 4 * (base + windowEnd)) / size);
        return (int) Math.min(n, have + items);
    }

    /** As {@link #allowed}, for items that are bytes of the body: the host's budget reserves room before they arrive. */
    int expected(int n, int size, int have) {
        int items = allowed(n, size, have);
        memory.expect(source == null ? 0 : (long) (items - have) * size - limits.trustedAllocation());
        return items;
    }

    /** The capacity of an array that is to hold {@code n} items, of which {@code have} have arrived. */
    public int capacity(int n, int have) {
        return allowed(n, REFERENCE, have);
    }

    /** An array for the first items of a list of {@code n}. */
    public Object[] items(int n) {
        return new Object[allowed(n, REFERENCE, 0)];
    }

    /** A longer array with the same items, which fill the old one. */
    public Object[] moreItems(Object[] items, int n) {
        return Arrays.copyOf(items, allowed(n, REFERENCE, items.length));
    }

    public String readString() {
        return readString(readCount(1, 0));
    }

    /** The rest of a string whose byte count has been read. */
    public String readString(int n) {
        int p = pos;
        if (n > limit - p) {
            return BulkReader.readLongString(this, n);
        }
        pos = p + n;
        try {
            return Utf8.decode(buf, p, n);
        } catch (CreoException e) {
            throw Failures.resolve(e, base);
        }
    }

    /** A {@code String[]}. */
    public List<String> readStrings() {
        return BulkReader.readStrings(this);
    }

    /** A {@code Decimal} (BIN-12). */
    public BigDecimal readDecimal() {
        long start = offset();
        String text = readString();
        String fault = Decimals.fault(text);
        if (fault != null) {
            throw Failures.at(Failures.placed(Failures.malformed(fault)), start);
        }
        return new BigDecimal(text);
    }

    /** A {@code byte[]}. */
    public byte[] readBytes() {
        return readBytes(readCount(1, 0));
    }

    byte[] readBytes(int n) {
        byte[] a = new byte[expected(n, 1, 0)];
        int i = 0;
        while (i < n) {
            if (i == a.length) {
                a = Arrays.copyOf(a, expected(n, 1, i));
            }
            if (pos == limit) {
                i += readPastWindow(a, i);
                continue;
            }
            int k = Math.min(limit - pos, a.length - i);
            System.arraycopy(buf, pos, a, i, k);
            pos += k;
            i += k;
        }
        return a;
    }

    /** Moves bytes from the source to an array; the window is empty. */
    private int readPastWindow(byte[] a, int i) {
        long left = Math.min(regionEnd, bodyEnd) - offset();
        int k = source == null || left <= 0 ? -1 : source.read(a, i, (int) Math.min(a.length - i, left));
        if (k <= 0) {
            fill(1, null);
            return 0;
        }
        window(buf, pos, pos, offset() + k);
        return k;
    }

    public boolean[] readBooleans() {
        return BulkReader.readBooleans(this);
    }

    public short[] readShorts() {
        return BulkReader.readShorts(this);
    }

    public char[] readChars() {
        return BulkReader.readChars(this);
    }

    public int[] readInts() {
        return BulkReader.readInts(this);
    }

    public long[] readLongs() {
        return BulkReader.readLongs(this);
    }

    public float[] readFloats() {
        return BulkReader.readFloats(this);
    }

    public double[] readDoubles() {
        return BulkReader.readDoubles(this);
    }

    /** Opens a region (BIN-8); returns what {@link #closeRegion} needs. */
    public long openRegion() {
        int p = require(4, null);
        long size = Bytes.getInt(buf, p) & 0xffff_ffffL;
        long left = Math.min(regionEnd, bodyEnd) - offset();
        if (size > left) {
            throw malformed("a size of " + size + ", where " + left + " bytes are left", 4);
        }
        long outer = regionEnd;
        regionEnd = offset() + size;
        setLimit();
        return outer;
    }

    /** Whether the region continues; if not, the next field has its default. */
    public boolean inRegion() {
        return offset() < regionEnd;
    }

    /** Skips the rest of the region and returns to the enclosing one. */
    public void closeRegion(long outer) {
        long left = regionEnd - offset();
        while (left > 0) {
            if (pos == limit) {
                fill(1, null);
            }
            int k = (int) Math.min(left, limit - pos);
            pos += k;
            left -= k;
        }
        regionEnd = outer;
        setLimit();
    }

    /** As {@link #closeRegion}, but the region must have been read completely. */
    public void closeFullRegion(long outer) {
        if (offset() != regionEnd) {
            throw malformed("a member that is shorter than its size says", 0);
        }
        regionEnd = outer;
        setLimit();
    }

    /** All bytes of the region: the value of an unknown member. */
    public byte[] readRegion() {
        long left = regionEnd - offset();
        if (left > limits.maxMessageSize()) {
            throw Failures.at(Failures.placed(CreoException.tooLarge("maxMessageSize", limits.maxMessageSize(), "a member of " + left + " bytes")), offset());
        }
        return readBytes((int) left);
    }

    /** The error for a region that ends before a field without a default. */
    public CreoException missing() {
        return malformed("a field without default is missing", 0);
    }

    /** Enters a level of a recursive type (BIN-13). */
    public void enter() {
        if (++depth > limits.maxDepth()) {
            throw Failures.at(Failures.placed(CreoException.tooLarge("maxDepth", limits.maxDepth(), "values that are nested too deep")), offset());
        }
    }

    /** Leaves a level that {@link #enter} entered. */
    public void leave() {
        depth--;
    }

    /** Fails unless the body ends here (BIN-14). */
    public void finish() {
        if (pos < windowEnd || source != null && source.fill(this, 1)) {
            throw malformed("bytes after the last value", 0);
        }
    }

    /** The error for bytes that violate the wire's rules, {@code read} of which have been read. */
    private CreoException malformed(String reason, int read) {
        return Failures.at(Failures.placed(Failures.malformed(reason)), offset() - read);
    }

    /** The error for a number or an index, just read by {@link #readCount()}, that {@code type} does not have. */
    public CreoException unknownNumber(int number, String type) {
        return malformed(type + " has nothing of the number " + number, Bytes.countSize(number));
    }

    /** The error for a duplicate map key. */
    public CreoException duplicateKey(long start) {
        return Failures.at(Failures.placed(Failures.malformed("a duplicate key")), start);
    }

    /** Adds a field to the path of an error; with {@code at} below 0, the error has its field already. */
    public CreoException in(CreoException e, String[] fields, int at) {
        return at < 0 ? resolve(e) : resolve(e).in(fields[at]);
    }

    /** Adds an array index to the path of an error. */
    public CreoException item(CreoException e, long index) {
        return resolve(e).item(index);
    }

    /** As {@link #item(CreoException, int)}, or in a later item of {@code size} bytes, where item {@code first} begins at {@code p}. */
    public CreoException item(CreoException e, int first, int p, int size) {
        return item(e, Failures.windowIndex(e) < 0 ? first : first + (Failures.windowIndex(e) - p) / size);
    }

    /** Adds the key of an entry to the path of an error. */
    public CreoException key(CreoException e, int index) {
        return resolve(e).key(index);
    }

    /** Adds the value of an entry to the path of an error. */
    public CreoException value(CreoException e, int index) {
        return resolve(e).value(index);
    }

    /** Resolves the index of an error into the window to an offset in the body. */
    public CreoException resolve(CreoException e) {
        return Failures.resolve(e, base);
    }
}
