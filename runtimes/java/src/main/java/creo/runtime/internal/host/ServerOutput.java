package creo.runtime.internal.host;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.IdentityHashMap;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The output to one peer. Any thread may add to it without waiting: what the socket does not accept at once is queued, and sent when the {@link
 * EventLoop} finds the socket writable. Queued arrays count toward the host's {@link HostMemory}.
 */
final class ServerOutput {
    /** The bytes that a peer must take in each {@code writeTimeout}, unless fewer are queued. */
    private static final int MIN_PROGRESS = 65_536;
    /** The max number of bytes sent in one turn: otherwise a peer that reads as fast as answers are made would monopolize the loop. */
    private static final int MAX_TURN = 262_144;
    /** The min size of a copy: later bytes that must be copied are added to it. */
    private static final int COPY = 512;
    private static final ByteBuffer EMPTY = ByteBuffer.allocate(0);

    private final ServerConnection connection;
    private final HostMemory memory;
    private final int maxQueued;
    private final ReentrantLock lock = new ReentrantLock();
    private final ArrayDeque<ByteBuffer> queue = new ArrayDeque<>(2);
    private volatile long queued;
    /** Queued arrays of others, with the number of queued pieces of each. An array counts in full while any piece is queued. */
    private final IdentityHashMap<byte[], Integer> pinned = new IdentityHashMap<>(0);
    /** Bytes of queued arrays, taken from the budget. */
    private long held;
    /** When the current progress window began; 0 while nothing is queued. */
    private volatile long waitingSince;
    private long progress;
    /** Whether the link still holds bytes that have left the queue (TLS). */
    private boolean unflushed;
    private boolean ending;
    private boolean ended;
    private boolean closed;
    private volatile boolean wasFull;

    ServerOutput(ServerConnection connection, HostMemory memory, int maxQueued) {
        this.connection = connection;
        this.memory = memory;
        this.maxQueued = maxQueued;
    }

    /**
     * Sends bytes, now or later.
     *
     * @param kept whether the array will not change; otherwise bytes that cannot be sent at once are copied
     */
    void send(byte[] b, int from, int length, boolean kept) throws IOException {
        lock.lock();
        try {
            if (closed || ending) {
                throw new IOException("the connection has ended");
            }
            ByteBuffer bytes = ByteBuffer.wrap(b, from, length);
            if (isEmpty()) {
                if (connection.link().write(bytes)) {
                    return;
                }
                unflushed = !bytes.hasRemaining();
            }
            if (bytes.hasRemaining()) {
                queued += bytes.remaining();
                if (kept && pin(b)) {
                    queue.add(bytes);
                } else {
                    copy(bytes);
                }
            }
            if (waitingSince == 0) {
                progress = 0;
                waitingSince = System.nanoTime() | 1;
            }
        } finally {
            lock.unlock();
        }
        connection.wantWritable();
    }

    /** Counts an unchanging array in full, even if only a part is queued; false if there is no room for it. */
    private boolean pin(byte[] b) {
        Integer uses = pinned.get(b);
        if (uses == null && !memory.reserve(b.length)) {
            return false;
        }
        if (uses == null) {
            held += b.length;
        }
        pinned.put(b, uses == null ? 1 : uses + 1);
        return true;
    }

    /** Queues a copy, in the last piece if that is a copy with room for it. */
    private void copy(ByteBuffer bytes) {
        int n = bytes.remaining();
        ByteBuffer last = queue.peekLast();
        if (last == null || last.capacity() - last.limit() < n || pinned.containsKey(last.array())) {
            byte[] array = new byte[Math.max(COPY, n)];
            memory.take(array.length);
            held += array.length;
            last = ByteBuffer.wrap(array, 0, 0);
            queue.add(last);
        }
        int to = last.limit();
        last.limit(to + n);
        last.put(to, bytes.array(), bytes.position(), n);
    }

    /** A piece was sent; its array is released unless other pieces of it are queued. */
    private void unpin(byte[] b) {
        Integer uses = pinned.remove(b);
        if (uses != null && uses > 1) {
            pinned.put(b, uses - 1);
            return;
        }
        held -= b.length;
        memory.release(b.length);
    }

    private boolean isEmpty() {
        return queue.isEmpty() && !unflushed;
    }

    /**
     * Sends what the socket accepts, up to one turn's share.
     *
     * @return true if the queue is empty
     */
    boolean flush() throws IOException {
        lock.lock();
        try {
            if (closed) {
                return true;
            }
            int turn = MAX_TURN;
            for (ByteBuffer next = queue.peek(); next != null; next = queue.peek()) {
                int before = next.remaining();
                int limit = next.limit();
                next.limit(next.position() + Math.min(before, turn));
                boolean all = connection.link().write(next);
                next.limit(limit);
                sent(before - next.remaining());
                if (next.hasRemaining()) {
                    return false;
                }
                turn -= before;
                queue.poll();
                unpin(next.array());
                unflushed = !all;
                if (!all || turn <= 0 && !queue.isEmpty()) {
                    return false;
                }
            }
            unflushed = unflushed && !connection.link().write(EMPTY);
            if (unflushed) {
                return false;
            }
            waitingSince = 0;
            if (ending && !ended) {
                ended = connection.link().endOutput();
                return ended;
            }
            return true;
        } finally {
            lock.unlock();
        }
    }

    private void sent(int bytes) {
        queued -= bytes;
        progress += bytes;
        if (progress >= MIN_PROGRESS) {
            progress = 0;
            waitingSince = System.nanoTime() | 1;
        }
    }

    /** Sends bytes held by the link itself, such as those of a handshake. */
    void flushLink() throws IOException {
        boolean waits;
        lock.lock();
        try {
            waits = !closed && isEmpty() && !connection.link().write(EMPTY);
            if (waits) {
                unflushed = true;
                if (waitingSince == 0) {
                    progress = 0;
                    waitingSince = System.nanoTime() | 1;
                }
            }
        } finally {
            lock.unlock();
        }
        if (waits) {
            connection.wantWritable();
        }
    }

    /** Ends the output after everything queued. Nothing can be sent afterwards. */
    void end() throws IOException {
        lock.lock();
        try {
            if (closed || ending) {
                return;
            }
            ending = true;
            if (!isEmpty()) {
                return;
            }
            ended = connection.link().endOutput();
            if (ended) {
                return;
            }
            unflushed = true;
            waitingSince = System.nanoTime() | 1;
        } finally {
            lock.unlock();
        }
        connection.wantWritable();
    }

    /** Whether everything was sent, including the end. */
    boolean hasEnded() {
        lock.lock();
        try {
            return ended || closed;
        } finally {
            lock.unlock();
        }
    }

    /** Drops the queue. */
    void close() {
        lock.lock();
        try {
            closed = true;
            queue.clear();
            pinned.clear();
            memory.release(held);
            held = 0;
            queued = 0;
            waitingSince = 0;
        } finally {
            lock.unlock();
        }
    }

    /** Whether so much is queued that no further call is taken from this peer. {@link #hasDrained} says when calls are taken again. */
    boolean isFull() {
        if (queued > maxQueued) {
            wasFull = true;
        }
        return wasFull && queued > maxQueued / 2;
    }

    /** Whether it was full and no longer is; true only once. */
    boolean hasDrained() {
        if (wasFull && queued <= maxQueued / 2) {
            wasFull = false;
            return true;
        }
        return false;
    }

    long queued() {
        return queued;
    }

    /** Since when the peer has taken less than it must; 0 if nothing is queued. */
    long waitingSince() {
        return waitingSince;
    }
}
