package creo.runtime.codegen;

import creo.runtime.CreoException;
import creo.runtime.Limits;
import creo.runtime.internal.buffer.Decimals;
import creo.runtime.internal.buffer.Failures;
import creo.runtime.internal.buffer.Utf8;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Writes values of the binary wire, to a growing array or piece by piece to a {@link Sink}. For generated code.
 * After a failure it must be {@link #reset} before it is used again.
 */
public final class Writer {
    /** Takes the body of a message while it is written. For transports. */
    public interface Sink {
        /**
         * Takes the body's next bytes from {@code from} to {@code to} of the array, and returns the index for the bytes that follow, with at least
         * {@link Reader#PIECE} bytes of room.
         */
        int flush(byte[] buffer, int from, int to);

        /**
         * Takes the bytes from {@code from} to {@code to} of the array, and after them bytes of the caller's own memory, which do not change until
         * the message ends: they may be sent together with what follows. Returns the same as {@link #flush}.
         */
        int write(byte[] buffer, int from, int to, byte[] bytes);
    }

    /** Byte strings of at least this length go from the caller's memory to a sink without a copy. */
    static final int DIRECT = 16_384;
    /** The max size of the array of a pooled writer. */
    static final int MAX_SPARE_SIZE = 65_536;
    private static final int SPARE_SLOTS = 16;
    /** Slots are a cache line apart. */
    private static final int SLOT_SHIFT = 4;
    /** Unused writers. Each thread has one slot, which it may share with others; a writer without a free slot is dropped. */
    private static final AtomicReferenceArray<Writer> SPARES = new AtomicReferenceArray<>(SPARE_SLOTS << SLOT_SHIFT);

    private final Limits limits;
    private final Sink sink;
    byte[] buf;
    int pos;
    /** The index of the first byte of the body that the sink has not taken yet. */
    private int start;
    /** Bytes of the body that the sink has taken. */
    private long flushed;
    /** Open regions: while there is one, nothing is flushed, since its size is written before it. */
    private int regions;
    private int depth;
    private StringBatch texts;

    /** Writes to a growing array. */
    public Writer() {
        this(256, Limits.DEFAULT);
    }

    /** Writes to a growing array of {@code capacity} bytes at first. */
    public Writer(int capacity, Limits limits) {
        this(new byte[Math.max(capacity, 16)], limits, null);
    }

    /** Writes to a sink, through a buffer whose free part {@link #begin} sets. For transports. */
    public Writer(byte[] buffer, Limits limits, Sink sink) {
        this.limits = limits;
        this.sink = sink;
        this.buf = buffer;
    }

    /** Takes a writer with a growing array from the pool, or makes one; {@link #giveBack} returns it. */
    public static Writer borrow() {
        Writer w = SPARES.getAndSet(slot(), null);
        if (w == null) {
            return new Writer();
        }
        w.reset();
        return w;
    }

    /** Returns a borrowed writer to the pool; after this it must not be used. */
    public void giveBack() {
        if (buf.length <= MAX_SPARE_SIZE) {
            SPARES.lazySet(slot(), this);
        }
    }

    private static int slot() {
        return (Thread.currentThread().hashCode() & SPARE_SLOTS - 1) << SLOT_SHIFT;
    }

    /** Starts a new body in the same array. */
    public void reset() {
        begin(0);
    }

    /** Starts a new body at an index of the buffer. For transports. */
    public void begin(int from) {
        start = from;
        pos = from;
        flushed = 0;
        regions = 0;
        depth = 0;
    }

    /** Drops what was written from an index of the buffer on, even after a failure. For transports. */
    public void rewind(int position) {
        pos = position;
        regions = 0;
        depth = 0;
    }

    /** The array of the last {@link #reserve}; from 0 to {@link #size}, the bytes written so far. */
    public byte[] buffer() {
        return buf;
    }

    /** Bytes of the body so far. */
    public long size() {
        return flushed + pos - start;
    }

    /** The index after the written bytes that are not flushed yet. For transports. */
    public int position() {
        return pos;
    }

    /** The index of the first byte that the sink has not taken yet. */
    public int unflushed() {
        return start;
    }

    /** Prevents flushing until {@link #letGo}. */
    public void hold() {
        regions++;
    }

    public void letGo() {
        regions--;
    }

    /** Continues in a larger buffer that keeps its first {@code keep} bytes; returns the index of the body's first byte. */
    public int enlarge(int size, int keep) {
        buf = Arrays.copyOf(Arrays.copyOf(buf, keep), size);
        return keep;
    }

    /** Fails if the body is larger than LIM-1 allows. */
    public void finish() {
        checkSize(0);
    }

    /** A copy of the written bytes. */
    public byte[] toBytes() {
        finish();
        return Arrays.copyOfRange(buf, start, pos);
    }

    /** Makes room for {@code n} bytes, skips them, and returns their index in {@link #buffer}. */
    public int reserve(int n) {
        int p = pos;
        if (n > buf.length - p) {
            p = makeRoom(n);
        }
        pos = p + n;
        return p;
    }

    /** How many items of {@code size} bytes fit at once, at least 1 and at most {@code most}. */
    public int room(int size, int most) {
        int k = (buf.length - pos) / size;
        if (k < most) {
            if (sink == null || regions > 0) {
                makeRoom(exactly((long) size * most));
                return most;
            }
            if (k == 0) {
                makeRoom(size);
                k = (buf.length - pos) / size;
            }
        }
        return Math.min(k, most);
    }

    private int exactly(long n) {
        checkSize(n);
        return (int) n;
    }

    private void checkSize(long more) {
        if (size() + more > limits.maxMessageSize()) {
            throw Failures.placed(CreoException.tooLarge("maxMessageSize", limits.maxMessageSize(), "a body of more than " + limits.maxMessageSize() + " bytes"));
        }
    }

    /** Makes room for {@code n} bytes at the returned position. */
    private int makeRoom(int n) {
        // Room for a count is five bytes, of which some may stay unused: the exact check is at the end of the body.
        checkSize(Math.max(0, n - 5));
        if (sink != null && regions == 0) {
            flush();
        }
        if (n > buf.length - pos) {
            buf = Arrays.copyOf(buf, (int) Math.min(Integer.MAX_VALUE - 64, Math.max((long) pos + n, 2L * buf.length)));
        }
        return pos;
    }

    private void flush() {
        flushed += pos - start;
        start = sink.flush(buf, start, pos);
        pos = start;
    }

    public void writeBoolean(boolean v) {
        int p = reserve(1);
        buf[p] = (byte) (v ? 1 : 0);
    }

    public void writeByte(byte v) {
        int p = reserve(1);
        buf[p] = v;
    }

    public void writeShort(short v) {
        int p = reserve(2);
        Bytes.putShort(buf, p, v);
    }

    public void writeChar(char v) {
        int p = reserve(2);
        Bytes.putChar(buf, p, v);
    }

    public void writeInt(int v) {
        int p = reserve(4);
        Bytes.putInt(buf, p, v);
    }

    public void writeLong(long v) {
        int p = reserve(8);
        Bytes.putLong(buf, p, v);
    }

    public void writeFloat(float v) {
        int p = reserve(4);
        Bytes.putFloat(buf, p, v);
    }

    public void writeDouble(double v) {
        int p = reserve(8);
        Bytes.putDouble(buf, p, v);
    }

    public void writeInstant(Instant v) {
        int p = reserve(12);
        Bytes.putInstant(buf, p, v);
    }

    /** A count (BIN-2), from 0 up. */
    public void writeCount(int n) {
        int p = reserve(5);
        pos = putCount(buf, p, n);
    }

    /** Writes a count at an index; returns the index after it. */
    static int putCount(byte[] b, int p, int n) {
        while (n > 0x7f) {
            b[p++] = (byte) (n | 0x80);
            n >>>= 7;
        }
        b[p++] = (byte) n;
        return p;
    }

    public void writeString(String s) {
        if (s == null) {
            throw CreoException.missing();
        }
        int n = s.length();
        if (n + 5 > buf.length - pos && !roomFor(n)) {
            writeLongString(s);
            return;
        }
        byte[] b = buf;
        int p = putCount(b, pos, n);
        if (n <= StringBatch.LONGEST_SHORT ? Utf8.putAscii(s, n, b, p) : putLongAscii(s, n, p)) {
            pos = p + n;
        } else {
            writeLongString(s);
        }
    }

    private boolean putLongAscii(String s, int n, int p) {
        StringBatch batch = batch();
        for (int i = 0; i < n;) {
            int next = batch.add(s, i, n);
            if (!batch.put(buf, p + i)) {
                return false;
            }
            i = next;
        }
        return true;
    }

    private StringBatch batch() {
        if (texts == null) {
            texts = new StringBatch();
        }
        return texts;
    }

    /** A {@code String[]}. */
    public void writeStrings(List<String> v) {
        List<String> items = Lists.indexed(v);
        int n = items.size();
        writeCount(n);
        StringBatch batch = batch();
        for (int i = 0; i < n;) {
            int next = batch.add(items, i, n);
            if (next > i) {
                putBatch(batch, i);
                i = next;
                continue;
            }
            try {
                writeString(items.get(i));
            } catch (CreoException e) {
                throw e.item(i);
            }
            i++;
        }
    }

    /** Writes the strings of a batch; the first has the index {@code first}. */
    private void putBatch(StringBatch batch, int first) {
        int p = reserve(batch.size());
        if (!batch.put(buf, p)) {
            pos = p;
            putMixed(first);
        }
    }

    private void putMixed(int first) {
        int i = first;
        texts.rewind();
        try {
            for (; texts.hasNext(); i++) {
                int most = texts.mostBytes();
                int p = reserve(most);
                pos = texts.putNext(buf, p);
            }
        } catch (CreoException e) {
            throw e.item(i);
        }
    }

    /** Makes room for a string of {@code n} ASCII characters, unless it is too long for a sink's buffer. */
    private boolean roomFor(int n) {
        if (sink != null && regions == 0 && n + 5 > Reader.PIECE) {
            return false;
        }
        makeRoom(exactly(n) + 5);
        return true;
    }

    private void writeLongString(String s) {
        long size = Utf8.length(s);
        writeCount(exactly(size));
        int i = 0;
        int n = s.length();
        while (i < n) {
            int most = (int) Math.min(3L * (n - i), Reader.PIECE);
            if (buf.length - pos < most) {
                makeRoom(most);
            }
            long stop = Utf8.encode(s, i, buf, pos, buf.length);
            i = (int) (stop >>> 32);
            pos = (int) stop;
        }
    }

    /** A {@code Decimal} (BIN-12). */
    public void writeDecimal(BigDecimal v) {
        if (v == null) {
            throw CreoException.missing();
        }
        writeString(Decimals.text(v));
    }

    /** A {@code byte[]}. */
    public void writeBytes(byte[] v) {
        if (v == null) {
            throw CreoException.missing();
        }
        writeCount(v.length);
        writeRaw(v);
    }

    /** Bytes as they are, without a count. */
    public void writeRaw(byte[] v) {
        if (v.length >= DIRECT && sink != null && regions == 0) {
            checkSize(v.length);
            flushed += pos - start + v.length;
            start = sink.write(buf, start, pos, v);
            pos = start;
            return;
        }
        for (int i = 0, k; i < v.length; i += k) {
            k = room(1, v.length - i);
            int p = reserve(k);
            System.arraycopy(v, i, buf, p, k);
        }
    }

    public void writeBooleans(boolean[] v) {
        writeCount(length(v == null ? -1 : v.length));
        for (int i = 0, k; i < v.length; i += k) {
            k = room(1, v.length - i);
            int p = reserve(k);
            Bytes.putBooleans(buf, p, v, i, k);
        }
    }

    public void writeShorts(short[] v) {
        writeCount(length(v == null ? -1 : v.length));
        for (int i = 0, k; i < v.length; i += k) {
            k = room(2, v.length - i);
            int p = reserve(2 * k);
            Bytes.putShorts(buf, p, v, i, k);
        }
    }

    public void writeChars(char[] v) {
        writeCount(length(v == null ? -1 : v.length));
        for (int i = 0, k; i < v.length; i += k) {
            k = room(2, v.length - i);
            int p = reserve(2 * k);
            Bytes.putChars(buf, p, v, i, k);
        }
    }

    public void writeInts(int[] v) {
        writeCount(length(v == null ? -1 : v.length));
        for (int i = 0, k; i < v.length; i += k) {
            k = room(4, v.length - i);
            int p = reserve(4 * k);
            Bytes.putInts(buf, p, v, i, k);
        }
    }

    public void writeLongs(long[] v) {
        writeCount(length(v == null ? -1 : v.length));
        for (int i = 0, k; i < v.length; i += k) {
            k = room(8, v.length - i);
            int p = reserve(8 * k);
            Bytes.putLongs(buf, p, v, i, k);
        }
    }

    public void writeFloats(float[] v) {
        writeCount(length(v == null ? -1 : v.length));
        for (int i = 0, k; i < v.length; i += k) {
            k = room(4, v.length - i);
            int p = reserve(4 * k);
            Bytes.putFloats(buf, p, v, i, k);
        }
    }

    public void writeDoubles(double[] v) {
        writeCount(length(v == null ? -1 : v.length));
        for (int i = 0, k; i < v.length; i += k) {
            k = room(8, v.length - i);
            int p = reserve(8 * k);
            Bytes.putDoubles(buf, p, v, i, k);
        }
    }

    private static int length(int length) {
        if (length < 0) {
            throw CreoException.missing();
        }
        return length;
    }

    /** Opens a region (BIN-8); returns what {@link #closeRegion} needs. */
    public int openRegion() {
        int p = reserve(4);
        regions++;
        return p;
    }

    /** Closes the region: its size is written before it. */
    public void closeRegion(int opened) {
        regions--;
        Bytes.putInt(buf, opened, pos - opened - 4);
    }

    /** Enters a level of a recursive type (BIN-13). */
    public void enter() {
        if (++depth > limits.maxDepth()) {
            throw Failures.placed(CreoException.tooLarge("maxDepth", limits.maxDepth(), "values that are nested too deep"));
        }
    }

    /** Leaves a level that {@link #enter} entered. */
    public void leave() {
        depth--;
    }
}
