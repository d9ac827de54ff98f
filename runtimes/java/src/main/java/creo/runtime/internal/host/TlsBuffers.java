package creo.runtime.internal.host;

import java.nio.ByteBuffer;

/** Buffers for the records of TLS, which connections hold only while they use them, so that an idle connection has none. */
final class TlsBuffers {
    /** Room for four records of full size, so that one call of the system moves as many. */
    static final int SIZE = 66 * 1_024;
    private static final int MAX_SPARE = 32;

    private static final ByteBuffer[] SPARE = new ByteBuffer[MAX_SPARE];
    private static int spare;

    private TlsBuffers() {}

    /** An empty buffer, the most recently used one if there is a spare one. */
    static ByteBuffer take() {
        synchronized (SPARE) {
            if (spare > 0) {
                ByteBuffer b = SPARE[--spare];
                SPARE[spare] = null;
                return b.clear();
            }
        }
        return ByteBuffer.allocate(SIZE);
    }

    /** Returns a buffer, which the caller must forget, to those that are taken; one of another size is left to the collector. */
    static void release(ByteBuffer b) {
        if (b.capacity() != SIZE) {
            return;
        }
        synchronized (SPARE) {
            if (spare < MAX_SPARE) {
                SPARE[spare++] = b;
            }
        }
    }

    /** A copy of what the buffer has left, or null if that is nothing. */
    static ByteBuffer copy(ByteBuffer b) {
        return b.hasRemaining() ? ByteBuffer.allocate(b.remaining()).put(b).flip() : null;
    }
}
