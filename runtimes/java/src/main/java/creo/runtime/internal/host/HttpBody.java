package creo.runtime.internal.host;

import creo.runtime.Limits;
import creo.runtime.internal.buffer.PaddedBytes;
import java.util.Arrays;

/** A request body while it arrives. It grows with the bytes that have come; long bodies use the host's memory budget. */
final class HttpBody {
    /** Bodies up to this size use no budget. */
    static final int SHORT = 65_536;
    private static final int SMALL = 4_096;
    private static final int LARGE = 65_536;
    private static final int ROOM = PaddedBytes.PADDING;
    private static final byte[] NOTHING = {};

    private final Host host;
    private final Limits limits;
    private byte[] bytes = NOTHING;
    private int length;
    private long charged;

    HttpBody(Host host) {
        this.host = host;
        this.limits = host.limits();
    }

    int length() {
        return length;
    }

    /** The number of bytes that may still be added. */
    long left() {
        return limits.maxMessageSize() - length;
    }

    /**
     * Makes room for more bytes, at most {@link #left}; false if the budget has no room now.
     *
     * @param announced the announced length of the body, or -1
     */
    boolean makeRoom(long announced, int more) {
        if (length + more + ROOM <= bytes.length) {
            return true;
        }
        // The announced length is trusted up to a limit, then up to four times what has arrived (LIM-3).
        long claimed = announced >= 0 ? Math.min(announced, Math.max(limits.trustedAllocation(), 4L * (length + more))) : 2L * (length + more);
        int size = (int) Math.min(Math.max(claimed, length + more), limits.maxMessageSize() + LARGE) + ROOM;
        long charge = size > SHORT ? size : 0;
        if (charge > charged && !host.memory().reserve(charge - charged)) {
            host.exhausted();
            return false;
        }
        charged = Math.max(charge, charged);
        bytes = Arrays.copyOf(bytes, size);
        return true;
    }

    /** Whether only white space has arrived. */
    boolean isBlank() {
        return isBlank(bytes, 0, length);
    }

    /** Whether bytes are white space as JSON has it. */
    static boolean isBlank(byte[] b, int from, int to) {
        for (int p = from; p < to; p++) {
            if (b[p] != ' ' && b[p] != '\t' && b[p] != '\r' && b[p] != '\n') {
                return false;
            }
        }
        return true;
    }

    /** The index of the first LF, or -1. */
    static int lineEnd(byte[] b, int from, int to) {
        for (int p = from; p < to; p++) {
            if (b[p] == '\n') {
                return p;
            }
        }
        return -1;
    }

    /** Adds bytes for which there is room. */
    void add(byte[] b, int from, int count) {
        System.arraycopy(b, from, bytes, length, count);
        length += count;
    }

    /** What has arrived; valid until {@link #clear}. It no longer uses the budget, since the message's memory covers it. */
    PaddedBytes handOver() {
        uncharge();
        return new PaddedBytes(length == 0 && bytes.length < ROOM ? new byte[ROOM] : bytes, length);
    }

    private void uncharge() {
        host.memory().release(charged);
        charged = 0;
    }

    /** Starts over; keeps a small array for the next body. */
    void clear() {
        uncharge();
        length = 0;
        if (bytes.length > SMALL) {
            bytes = NOTHING;
        }
    }

    /** Releases the array that it kept. */
    void trim() {
        bytes = NOTHING;
    }
}
