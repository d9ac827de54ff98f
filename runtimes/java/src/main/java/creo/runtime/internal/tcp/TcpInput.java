package creo.runtime.internal.tcp;

import creo.runtime.CreoException;
import creo.runtime.ErrorCode;
import creo.runtime.Limits;
import creo.runtime.codegen.Bytes;
import creo.runtime.codegen.Reader;
import creo.runtime.internal.buffer.Failures;
import creo.runtime.internal.net.TcpLink;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;

/**
 * The incoming frames of a connection: finds their headers, and gives a {@link Reader} the body of a message in place in the buffer. Used by one
 * thread at a time.
 */
public class TcpInput implements Reader.Source {
    /** Handles control frames between the frames of a fragmented message (TCP-6). */
    public interface Control {
        /** A ping, pong or goaway, or the cancel of another call. */
        void control(int kind, int id) throws IOException;
    }

    /** The message being received ends without its last frame, because its sender cancelled it. */
    public static final class ChainCancelled extends RuntimeException {
        private static final long serialVersionUID = 1L;

        ChainCancelled() {
            super("the sender cancelled the message", null, false, false);
        }
    }

    /** Frames whose boundaries are lost (TCP-5): the connection is no longer usable. */
    public static final class BrokenFrames extends IOException {
        private static final long serialVersionUID = 1L;

        public BrokenFrames(String message) {
            super(message);
        }
    }

    public static final int SMALL = 8_192;
    public static final int LARGE = 65_536;

    private final TcpLink link;
    public final Limits limits;
    private final Control control;
    public byte[] buf = new byte[SMALL];
    /** The next byte not yet given to a frame or reader. */
    public int pos;
    /** The end of the received bytes. */
    public int end;
    /** The first byte that must be kept, at most {@link #pos}. */
    public int keep;

    public int wire;
    private int kind;
    private int flags;
    private int id;
    /** Bytes of the current frame from {@link #pos}. */
    private int left;
    /** The size of the current body so far, as its frames claim. */
    private long bodyClaimed;
    /** Whether the reader may continue with the next frame of the message. */
    private boolean chained;
    private boolean withinBody;
    private TcpInflater inflater;
    /** Whether the reader has the whole body already. */
    private boolean whole;
    /** When waiting for the current message began; 0 if none is being received. */
    private volatile long waitingSince;

    /** The number of receives. Written by the reading thread. */
    public volatile long heard;

    public TcpInput(TcpLink link, Limits limits, Control control) {
        this.link = link;
        this.limits = limits;
        this.control = control;
    }

    public int kind() {
        return kind;
    }

    public int id() {
        return id;
    }

    public boolean has(int flag) {
        return (flags & flag) != 0;
    }

    /** The bytes of the current frame that were not read yet, received or not. */
    public int frameLeft() {
        return left;
    }

    /** Whether there are received bytes of further frames. */
    public boolean hasBuffered() {
        return pos < end;
    }

    /** Since when a frame or message has been incomplete; 0 if none is. For the watching thread. */
    public long waitingSince() {
        return waitingSince;
    }

    Limits limits() {
        return limits;
    }

    /** The wire in the peer's preamble. */
    public int wire() {
        return wire;
    }

    /** Reads the peer's preamble; returns its capabilities. If it is invalid, the first bytes are kept. */
    int preamble() throws IOException {
        while (end < TcpFrames.PREAMBLE) {
            // Checked as early as possible (TCP-2): other protocols may send less than eight bytes.
            if (!TcpFrames.isCreo(buf, end) && (end >= 4 || end >= 2 && buf[0] < 0x20) || end > 4 && buf[4] != 1) {
                throw mismatch();
            }
            int n = fromLink(buf, end, buf.length - end);
            if (n < 0) {
                if (end > 0 && !TcpFrames.isCreo(buf, end)) {
                    throw mismatch();
                }
                throw new EOFException("the peer closed the connection before its preamble");
            }
            end += n;
        }
        if (!TcpFrames.isCreo(buf, end) || buf[4] != 1) {
            throw mismatch();
        }
        pos = TcpFrames.PREAMBLE;
        keep = pos;
        wire = buf[6] & 0xff;
        return buf[5];
    }

    private CreoException mismatch() {
        return Failures.ofRuntime(ErrorCode.PROTOCOL_MISMATCH, "the peer speaks " + TcpFrames.describe(buf, end) + ", not version 1 of Creo");
    }

    boolean looksLikeHttp() {
        return TcpFrames.isHttp(buf, end);
    }

    /** Goes to the next frame; false if the connection ends first. */
    public boolean next() throws IOException {
        keep = pos;
        if (pos == end) {
            pos = 0;
            end = 0;
            keep = 0;
            if (buf.length > SMALL) {
                buf = new byte[SMALL];
            }
            int n = fromLink(buf, 0, buf.length);
            if (n < 0) {
                return false;
            }
            end = n;
        }
        header();
        if (kind >= TcpFrames.CANCEL && kind <= TcpFrames.GOODBYE && waitingSince != 0) {
            waitingSince = 0;
        }
        chained = false;
        whole = false;
        bodyClaimed = left;
        return true;
    }

    private void header() throws IOException {
        need(TcpFrames.HEADER);
        int length = Bytes.getInt(buf, pos);
        kind = buf[pos + 4] & 0xff;
        flags = buf[pos + 5] & 0xff;
        id = Bytes.getInt(buf, pos + 6);
        String fault = TcpFrames.fault(length, kind, flags);
        if (fault != null) {
            throw new BrokenFrames(fault);
        }
        if (kind == TcpFrames.ERROR && id == 0 && has(TcpFrames.METADATA)) {
            throw new BrokenFrames("metadata of an error about the connection");
        }
        pos += TcpFrames.HEADER;
        left = length - TcpFrames.COUNTED_HEADER;
    }

    /** Receives until {@code n} bytes from {@link #pos} are in the buffer. */
    private void need(int n) throws IOException {
        while (end - pos < n) {
            receive(n);
        }
    }

    private int fromLink(byte[] target, int from, int most) throws IOException {
        int n = link.read(target, from, most);
        heard++;
        return n;
    }

    /** Changes with every receive. For the watching thread. */
    long heard() {
        return heard;
    }

    private void receive(int n) throws IOException {
        if (buf.length - pos < n || buf.length == end) {
            if (left > buf.length && buf.length < LARGE) {
                byte[] larger = new byte[LARGE];
                System.arraycopy(buf, keep, larger, 0, end - keep);
                buf = larger;
            } else {
                System.arraycopy(buf, keep, buf, 0, end - keep);
            }
            end -= keep;
            pos -= keep;
            keep = 0;
        }
        if (end == buf.length) {
            throw new IllegalStateException("no room for what comes next");
        }
        startWaiting();
        int k = fromLink(buf, end, buf.length - end);
        if (k < 0) {
            throw new EOFException("the connection ended within a frame");
        }
        end += k;
    }

    public final void stopWaiting() {
        waitingSince = 0;
    }

    public final void startWaiting() {
        if (waitingSince == 0) {
            waitingSince = System.nanoTime() | 1;
        }
    }

    /** The head of a request: method id and time left. */
    public long methodId() throws IOException {
        need(TcpFrames.REQUEST_HEAD);
        return Bytes.getLong(buf, pos);
    }

    /** Milliseconds left for the call, as sent by the client; also skips the head. */
    public long timeLeft() {
        long time = Bytes.getInt(buf, pos + 8) & 0xffff_ffffL;
        pos += TcpFrames.REQUEST_HEAD;
        left -= TcpFrames.REQUEST_HEAD;
        bodyClaimed -= TcpFrames.REQUEST_HEAD;
        return time;
    }

    /** Prepares the reader for a body. */
    public void begin(Reader reader) {
        reader.begin();
    }

    /** Lets the reader read the part of the current frame before the body; {@link #endHead} follows. */
    public void beginHead(Reader reader) {
        begin(reader);
        reader.bodyEnd(left);
        keep = pos;
        inflater = null;
        chained = false;
        reader.window(buf, pos, pos, 0);
    }

    public void endHead(Reader reader) {
        bodyClaimed -= reader.offset();
        pos -= reader.remaining();
        left += reader.remaining();
    }

    /** Lets the reader read the body that begins with the rest of the current frame. {@link #endBody} must follow, even after failures. */
    public void beginBody(Reader reader) {
        withinBody = true;
        begin(reader);
        keep = pos;
        chained = true;
        inflater = null;
        if (has(TcpFrames.COMPRESSED)) {
            inflater = new TcpInflater(this, limits);
        }
        checkSize();
        if (inflater != null) {
            return;
        }
        if (!has(TcpFrames.MORE)) {
            reader.bodyEnd(left);
        }
        int k = Math.min(left, end - pos);
        reader.window(buf, pos, pos + k, 0);
        pos += k;
        left -= k;
    }

    /** As {@link #beginBody}, but all of the body has arrived afterwards: it is the window of the reader, from the index 0 of its array. */
    void beginWhole(Reader reader) {
        beginBody(reader);
        byte[] all = new byte[Reader.PIECE];
        int n = 0;
        while (reader.remaining() > 0 || fill(reader, 1)) {
            int k = reader.remaining();
            if (k > all.length - n) {
                all = Arrays.copyOf(all, (int) Math.min(Integer.MAX_VALUE - 16L, Math.max(2L * all.length, (long) n + k)));
            }
            System.arraycopy(reader.buffer(), reader.advance(k), all, n, k);
            n += k;
        }
        whole = true;
        reader.bodyEnd(n);
        reader.window(all, 0, n, 0);
    }

    private void checkSize() {
        // A compressed body may be slightly longer than its content.
        long most = limits.maxMessageSize() + (inflater == null ? 0 : limits.maxMessageSize() / 1_000 + 1_024);
        if (bodyClaimed > most) {
            throw CreoException.tooLarge("maxMessageSize", limits.maxMessageSize(), "a body of " + bodyClaimed + " bytes or more");
        }
    }

    /** Reads and drops the rest of the message, up to the length of TCP-7. */
    public void endBody() throws IOException {
        if (inflater != null) {
            inflater.end();
            inflater = null;
        }
        keep = pos;
        long taken = bodyClaimed - left;
        while (left > 0 || has(TcpFrames.MORE)) {
            if (left == 0) {
                if (!nextOfChain(0)) {
                    break;
                }
                continue;
            }
            if (pos == end) {
                receive(1);
            }
            int k = Math.min(left, end - pos);
            pos += k;
            keep = pos;
            left -= k;
            taken += k;
            if (taken > 2 * limits.maxMessageSize()) {
                throw new IOException("the peer goes on with a message that is too large");
            }
        }
        if (waitingSince != 0) {
            waitingSince = 0;
        }
        chained = false;
        withinBody = false;
    }

    /** Whether a body was begun and not read to its end: the position of the next frame is then unknown. */
    boolean isWithinBody() {
        return withinBody;
    }

    /**
     * Goes to the next continuation frame and handles frames in between; false if the message was cancelled. The {@code rest} bytes from {@link
     * #keep} that a reader has not read yet are then directly before the new frame's body.
     */
    private boolean nextOfChain(int rest) throws IOException {
        int chain = id;
        int first = kind;
        int firstFlags = flags;
        while (true) {
            header();
            // Done at once, or any number of pings would fill the buffer.
            System.arraycopy(buf, keep, buf, pos - rest, rest);
            keep = pos - rest;
            switch (kind) {
                case TcpFrames.DATA -> {
                    if (id != chain) {
                        throw new BrokenFrames("a data frame of call " + (id & 0xffff_ffffL) + " within the chain of call " + (chain & 0xffff_ffffL));
                    }
                    kind = first;
                    flags = firstFlags & ~TcpFrames.MORE | flags;
                    bodyClaimed += left;
                    return true;
                }
                case TcpFrames.CANCEL -> {
                    if (id == chain) {
                        kind = first;
                        flags = firstFlags & ~TcpFrames.MORE;
                        return false;
                    }
                    control.control(kind, id);
                }
                case TcpFrames.PING, TcpFrames.PONG, TcpFrames.GOODBYE -> control.control(kind, id);
                default -> throw new BrokenFrames("a frame of the kind " + kind + " within a chain");
            }
        }
    }

    /** Makes bytes of the message available from {@link #pos}; returns their number, 0 at its end. */
    int available() throws IOException {
        while (left == 0) {
            if (!chained || !has(TcpFrames.MORE)) {
                return 0;
            }
            if (!nextOfChain(0)) {
                throw new ChainCancelled();
            }
            checkSize();
        }
        if (pos == end) {
            receive(1);
        }
        return Math.min(left, end - pos);
    }

    @Override
    public boolean fill(Reader reader, int need) {
        if (whole) {
            return false;
        }
        try {
            if (inflater != null) {
                return inflater.fill(reader, need);
            }
            int rest = reader.remaining();
            long offset = reader.offset();
            // The bytes that the reader has not read are directly before `pos`; they must stay there, or be moved along.
            while (rest < need) {
                keep = pos - rest;
                if (left == 0) {
                    if (!chained || !has(TcpFrames.MORE)) {
                        // Keeps the remaining bytes for the error's path (BIN-15).
                        reader.window(buf, keep, pos, offset);
                        return false;
                    }
                    if (!nextOfChain(rest)) {
                        throw new ChainCancelled();
                    }
                    checkSize();
                    if (!has(TcpFrames.MORE)) {
                        reader.bodyEnd(offset + rest + left);
                    }
                    continue;
                }
                if (pos == end) {
                    receive(1);
                }
                int k = Math.min(left, end - pos);
                pos += k;
                left -= k;
                rest += k;
            }
            keep = pos - rest;
            reader.window(buf, keep, pos, offset);
            return true;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public int read(byte[] target, int from, int most) {
        if (whole) {
            return -1;
        }
        try {
            if (inflater != null) {
                return inflater.read(target, from, most);
            }
            while (left == 0) {
                if (!chained || !has(TcpFrames.MORE)) {
                    return -1;
                }
                keep = pos;
                if (!nextOfChain(0)) {
                    throw new ChainCancelled();
                }
                checkSize();
            }
            int k = Math.min(Math.min(left, most), end - pos);
            if (k > 0) {
                System.arraycopy(buf, pos, target, from, k);
                pos += k;
            } else {
                startWaiting();
                k = fromLink(target, from, Math.min(left, most));
                if (k < 0) {
                    throw new EOFException("the connection ended within a frame");
                }
            }
            keep = pos;
            left -= k;
            return k;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The bytes of a credit. */
    long credit() throws IOException {
        need(TcpFrames.CREDIT_BODY);
        long bytes = Bytes.getInt(buf, take(TcpFrames.CREDIT_BODY)) & 0xffff_ffffL;
        endBody();
        return bytes;
    }

    /** The body of a frame of items; memory for it is taken as it arrives (LIM-3). {@link #endBody} must follow, even after failures. */
    byte[] items() throws IOException {
        checkSize();
        byte[] bytes = new byte[Math.min(left, limits.trustedAllocation())];
        int n = 0;
        while (left > 0) {
            if (n == bytes.length) {
                bytes = Arrays.copyOf(bytes, (int) Math.min(2L * n, (long) n + left));
            }
            if (pos == end) {
                receive(1);
            }
            int k = Math.min(Math.min(left, bytes.length - n), end - pos);
            System.arraycopy(buf, take(k), bytes, n, k);
            n += k;
        }
        return bytes;
    }

    /** The buffer of {@link #available} and its range; the inflater takes {@code n} bytes of it. */
    byte[] buffer() {
        return buf;
    }

    int take(int n) {
        int p = pos;
        pos += n;
        keep = pos;
        left -= n;
        return p;
    }
}
