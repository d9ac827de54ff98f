package creo.runtime.internal.host;

import creo.runtime.Limits;
import creo.runtime.internal.buffer.PaddedBytes;
import java.util.Arrays;

/** The body of a request while it arrives. It takes memory as far as bytes have come, and long ones take it from the budget of the host. */
final class HttpBody {
    /** Bodies up to this size count for no budget. */
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

    /** The bytes that more of it may have. */
    long left() {
        return limits.maxMessageSize() - length;
    }

    /**
     * Makes room for more bytes, of which there are no more than are {@link #left}; false if the budget has none now.
     *
     * @param announced how long the body is said to be, or -1
     */
    boolean makeRoom(long announced, int more) {
        if (length + more + ROOM <= bytes.length) {
            return true;
        }
        // A claim is trusted up to a limit, and then as far as four times what has arrived (LIM-3).
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

    /** Takes bytes for which there is room. */
    void add(byte[] b, int from, int count) {
        System.arraycopy(b, from, bytes, length, count);
        length += count;
    }

    /** What has arrived; valid until {@link #clear}. From here on it counts for the budget no more: the message's own memory does. */
    PaddedBytes handOver() {
        uncharge();
        return new PaddedBytes(length == 0 && bytes.length < ROOM ? new byte[ROOM] : bytes, length);
    }

    private void uncharge() {
        host.memory().release(charged);
        charged = 0;
    }

    /** Begins anew; keeps a small array for the next body. */
    void clear() {
        uncharge();
        length = 0;
        if (bytes.length > SMALL) {
            bytes = NOTHING;
        }
    }

    /** Gives back the array that it kept. */
    void trim() {
        bytes = NOTHING;
    }
}
