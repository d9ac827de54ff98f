package creo.runtime.internal.host;

import java.nio.ByteBuffer;

/** Buffers for TLS records. Connections hold them only while in use, so an idle connection has none. */
final class TlsBuffers {
    /** Room for four records of full size, to move as many in one system call. */
    static final int SIZE = 66 * 1_024;
    private static final int MAX_SPARE = 32;

    private static final ByteBuffer[] SPARE = new ByteBuffer[MAX_SPARE];
    private static int spare;

    private TlsBuffers() {}

    /** An empty buffer: the most recently used spare one, if any. */
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

    /** Returns a buffer, which the caller must no longer use; a buffer of another size is left to the garbage collector. */
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

    /** A copy of the remaining bytes, or null if there are none. */
    static ByteBuffer copy(ByteBuffer b) {
        return b.hasRemaining() ? ByteBuffer.allocate(b.remaining()).put(b).flip() : null;
    }
}
