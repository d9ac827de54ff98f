package creo.runtime.internal.host;

import creo.runtime.Limits;
import creo.runtime.codegen.Bytes;
import creo.runtime.codegen.Reader;
import creo.runtime.internal.buffer.Memory;
import creo.runtime.internal.net.TcpLink;
import creo.runtime.internal.tcp.TcpFrames;
import creo.runtime.internal.tcp.TcpInput;
import java.io.IOException;
import java.util.Arrays;

/** The incoming frames of an accepted connection. The loop receives available bytes and checks whether a message is complete. */
final class ServerTcpInput extends TcpInput {
    private static final byte[] NOTHING = {};

    /** How much of the message at {@link #pos} {@link #whole} has scanned. */
    private int scanned;
    /** How many bytes from {@link #pos} the next frame needs, as far as known. */
    private int wanted;
    /** Bytes of the buffer beyond {@link #LARGE}, which count toward the host's budget. */
    private int charged;

    private final HostMemory memory;

    ServerTcpInput(TcpLink link, Limits limits, Control control, HostMemory memory) {
        super(link, limits, control);
        this.memory = memory;
    }

    @Override
    public void begin(Reader reader) {
        reader.begin(Memory.ofCall(limits.maxMemory(), memory));
    }

    @Override
    public boolean next() throws IOException {
        scanned = 0;
        wanted = 0;
        return super.next();
    }

    /** The results of {@link #whole}. {@link #ITEMS}: the header of a frame of items; its rest need not have arrived. */
    enum Whole { NO, YES, TOO_LONG, ITEMS }

    /** Takes bytes received before the protocol was known: the preamble and what follows. */
    void feed(byte[] b, int length) {
        buf = Arrays.copyOf(b, Math.max(SMALL, length));
        end = length;
        pos = TcpFrames.PREAMBLE;
        keep = pos;
        wire = buf[6] & 0xff;
    }

    /**
     * Whether the next message is completely buffered, so that reading it does not wait. A message with invalid frames counts as complete, since
     * reading it fails at once.
     *
     * @param chains whether fragmented messages and long frames are collected, up to the max message size; otherwise they are too long
     */
    Whole whole(boolean chains) {
        while (true) {
            int p = pos + scanned;
            if (end - p < TcpFrames.HEADER) {
                return Whole.NO;
            }
            int length = Bytes.getInt(buf, p);
            int frameFlags = buf[p + 5] & 0xff;
            if (TcpFrames.fault(length, buf[p + 4] & 0xff, frameFlags) != null) {
                return Whole.YES;
            }
            int frameKind = buf[p + 4] & 0xff;
            if (scanned == 0 && frameKind == TcpFrames.ITEMS) {
                return Whole.ITEMS;
            }
            boolean between = scanned > 0 && frameKind >= TcpFrames.CANCEL && frameKind <= TcpFrames.GOODBYE && !(frameKind == TcpFrames.CANCEL && Bytes.getInt(buf, p + 6) == Bytes.getInt(buf, pos + 6));
            boolean more = (frameFlags & TcpFrames.MORE) != 0 || between;
            long size = scanned + 4L + length;
            if ((more || size > LARGE) && (!chains || size > limits.maxMessageSize() + (long) LARGE)) {
                return Whole.TOO_LONG;
            }
            if (end - pos < size) {
                wanted = (int) Math.min(size, Integer.MAX_VALUE - 16);
                return Whole.NO;
            }
            if (!more) {
                return Whole.YES;
            }
            scanned = (int) size;
        }
    }

    /**
     * Receives available bytes: returns the count, 0 for none, -1 at the end of the peer's bytes.
     *
     * @throws CreoException {@code overloaded} if the host's budget has no room to collect the message; nothing was received
     */
    int receiveNow(ServerConnection connection) throws IOException {
        if (pos == end) {
            pos = 0;
            end = 0;
            keep = 0;
            if (buf.length != SMALL) {
                resize(SMALL);
            }
        }
        keep = pos;
        if (wanted > buf.length && buf.length < LARGE) {
            resize(LARGE);
        } else if (end - pos == buf.length) {
            // What has arrived justifies as much again (LIM-3).
            resize((int) Math.min(2L * buf.length, limits.maxMessageSize() + 2L * LARGE));
        } else if (end == buf.length || wanted > buf.length - pos) {
            resize(buf.length);
        }
        int n = connection.read(buf, end, buf.length - end);
        if (n > 0) {
            end += n;
            heard++;
        }
        return n;
    }

    /** Whether the next frame, whose header has arrived, is of a call under way: credit, cancel, and not a new request. */
    boolean isOfCall() {
        int next = buf[pos + 4] & 0xff;
        return next == TcpFrames.CANCEL || next == TcpFrames.ITEMS || next == TcpFrames.CREDIT;
    }

    /** Whether the last {@link #receiveNow} filled the buffer; there may then be more to receive. */
    boolean isFull() {
        return end == buf.length;
    }

    /** Moves unread bytes to the beginning of a buffer of the given size. */
    private void resize(int size) {
        int charge = Math.max(0, size - LARGE);
        if (charge > charged && !memory.reserve(charge - charged)) {
            throw memory.exhausted();
        }
        if (charge < charged) {
            memory.release(charged - charge);
        }
        charged = charge;
        byte[] target = size == buf.length ? buf : new byte[size];
        System.arraycopy(buf, pos, target, 0, end - pos);
        buf = target;
        end -= pos;
        pos = 0;
        keep = 0;
    }

    /** Drops the buffer of an idle connection. */
    void trim() {
        if (pos == end && buf.length > 0 && charged == 0) {
            buf = NOTHING;
            pos = 0;
            end = 0;
            keep = 0;
        }
    }

    /** Returns to the budget what an unfinished message holds. */
    void release() {
        memory.release(charged);
        charged = 0;
    }

    /** Sets whether the message being received is unfinished. */
    void waiting(boolean unfinished) {
        if (!unfinished) {
            stopWaiting();
        } else {
            startWaiting();
        }
    }
}
