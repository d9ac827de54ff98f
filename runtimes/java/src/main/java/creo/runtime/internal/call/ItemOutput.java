package creo.runtime.internal.call;

import creo.runtime.CreoException;
import creo.runtime.ErrorCode;
import creo.runtime.Limits;
import creo.runtime.codegen.Bytes;
import creo.runtime.codegen.Items;
import creo.runtime.codegen.Writer;
import creo.runtime.internal.buffer.Failures;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;

/**
 * The items that one side of a call sends (TCP-30 to TCP-35). One thread takes them from the program's stream and encodes them into a frame; the frame is
 * sent when it is full, and otherwise by another thread as soon as that can, so that no item waits while the stream waits for its next one.
 */
public final class ItemOutput<T> {
    /** The bytes before the body of a frame that are left free for the transport. */
    public static final int ROOM = 18;
    /** The max size of a frame, unless a single item is larger. With what is before it and small items, it fits into a buffer of 65,536 bytes. */
    private static final int FULL = 61_440;
    /** Items may have no bytes (LIM-5). */
    private static final int MANY = 16_384;
    private static final int START = ROOM + 5;

    /** Sends frames. */
    public interface Peer {
        /**
         * Sends what follows the call id of an items frame: the bytes from {@code from} to {@code to} of the array, which is reused afterwards. The {@link #ROOM}
         * bytes before them may be overwritten. Called by one thread at a time, without a lock. It must not throw: the transport stops the output if it fails.
         *
         * @param last whether the stream ends with it
         */
        void send(byte[] buffer, int from, int to, boolean last);

        /**
         * No thread can send the items, which must end the call. Called once, by any thread, without a lock; then no more is taken or sent.
         *
         * @param why {@link RejectedExecutionException} or {@link OutOfMemoryError}
         */
        void noThread(Throwable why);

        /** Whether a frame must wait, although there is credit, until {@link ItemOutput#resume}. */
        default boolean isFull() {
            return false;
        }

        /**
         * Takes memory for items that wait to be sent, in bytes; a negative number gives it back. {@link ItemOutput#send} gives back all of it.
         *
         * @throws CreoException if there is none: then the output fails
         */
        default void hold(long bytes) {}
    }

    /** Leaves the operation of a stream whose rest is not wanted. */
    private static final class Stopped extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Stopped() {
            super("the call has ended", null, false, false);
        }
    }

    private final Items<T> items;
    private final Limits limits;
    private final boolean marksEnd;
    private final Executor threads;
    private final Peer peer;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private long credit = ItemInput.CREDIT;
    private Writer open;
    private int count;
    private Writer spare;
    /** Whether a frame is being sent. */
    private boolean sending;
    /** Whether another thread will send what there is. */
    private boolean scheduled;
    private boolean stopped;
    /** Whether the thread that takes items is adding one: then the open frame is its own. */
    private boolean adding;
    /** The size of the buffers, as far as the peer knows. */
    private long held;
    private volatile Throwable unwritable;
    /** The thread that takes items, and whether it is in the program's code. */
    private Thread taker;
    private boolean outside;

    /**
     * @param limits those of the side that sends
     * @param marksEnd whether the last frame is marked as such: from a client
     * @param threads run tasks that may wait for the peer
     */
    public ItemOutput(Items<T> items, Limits limits, boolean marksEnd, Executor threads, Peer peer) {
        this.items = items;
        this.limits = limits;
        this.marksEnd = marksEnd;
        this.threads = threads;
        this.peer = peer;
        this.open = writer();
        this.spare = writer();
    }

    private Writer writer() {
        Writer w = new Writer(1_024, limits);
        w.begin(START);
        return w;
    }

    /**
     * Takes the items of a stream, and returns when all were sent. It does not close the stream. If the stream fails, its failure is thrown as it is; then a
     * server has sent the items before. For one thread.
     *
     * @return false if the output was stopped, or this thread interrupted
     */
    public boolean send(Stream<? extends T> stream) {
        lock.lock();
        try {
            if (stopped) {
                return false;
            }
            taker = Thread.currentThread();
            outside = true;
        } finally {
            lock.unlock();
        }
        boolean all = false;
        try {
            stream.sequential().forEachOrdered(this::put);
            all = true;
        } catch (Stopped e) {
            // Its rest is not wanted.
        } finally {
            lock.lock();
            try {
                taker = null;
                outside = false;
                if (stopped) {
                    // The interrupt was meant for the stream.
                    Thread.interrupted();
                    all = false;
                } else if (all || !marksEnd) {
                    finish(all && marksEnd);
                }
                peer.hold(-held);
                held = 0;
            } finally {
                lock.unlock();
            }
        }
        return all && !isStopped();
    }

    private void put(T item) {
        Throwable failed;
        lock.lock();
        try {
            outside = false;
            adding = true;
            check();
            int mark = encode(item);
            count++;
            if (count > 1 && open.position() - ROOM > FULL) {
                await();
                sendFirst(count - 1, mark, false);
            }
            if (open.position() - ROOM >= FULL || count >= MANY) {
                await();
                sendFirst(count, open.position(), false);
            }
            adding = false;
            failed = schedule();
            outside = true;
        } finally {
            adding = false;
            lock.unlock();
        }
        if (failed != null) {
            tell(failed);
            throw new Stopped();
        }
    }

    /** Encodes an item after the others, or into a frame of its own if the limits do not allow both; returns where it begins. Without the lock meanwhile. */
    private int encode(T item) {
        while (true) {
            int mark = open.position();
            Throwable failed = null;
            lock.unlock();
            try {
                items.codec().encode(open, item);
                hold();
            } catch (Throwable e) {
                failed = e;
            } finally {
                lock.lock();
            }
            if (failed == null) {
                return mark;
            }
            open.rewind(mark);
            if (!(failed instanceof CreoException e) || e.code() != ErrorCode.TOO_LARGE || count == 0) {
                unwritable = failed;
                throw Failures.asItIs(failed);
            }
            await();
            sendFirst(count, mark, false);
        }
    }

    /** The failure of the stream if it is that an item cannot be written; otherwise null. */
    public Throwable unwritable() {
        return unwritable;
    }

    /** Tells the peer what the buffers take: the other one is at most as large. */
    private void hold() {
        long now = 2L * open.buffer().length;
        if (now != held) {
            peer.hold(now - held);
            held = now;
        }
    }

    /** Waits until a frame may be sent; with the lock. */
    private void await() {
        try {
            while (!stopped && (sending || !maySend())) {
                changed.await();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            stopped = true;
        }
        check();
    }

    private boolean maySendRest() {
        return count > 0 && !adding && !sending && !stopped && maySend();
    }

    private boolean maySend() {
        return credit > 0 && !peer.isFull();
    }

    private void check() {
        if (stopped) {
            throw new Stopped();
        }
    }

    /** Sends what is left; with the lock. */
    private void finish(boolean last) {
        try {
            while (last || count > 0) {
                await();
                if (last || count > 0) {
                    sendFirst(count, open.position(), last);
                    return;
                }
            }
            while (sending && !stopped) {
                changed.awaitUninterruptibly();
            }
        } catch (Stopped e) {
            // The rest is not wanted.
        }
    }

    /** Lets another thread send what there is; with the lock. Returns what {@link #tell} is given without it. */
    private Throwable schedule() {
        if (!scheduled && maySendRest()) {
            scheduled = true;
            try {
                threads.execute(this::flush);
            } catch (RejectedExecutionException | OutOfMemoryError e) {
                scheduled = false;
                stopped = true;
                changed.signalAll();
                return e;
            }
        }
        return null;
    }

    private void tell(Throwable failed) {
        if (failed != null) {
            peer.noThread(failed);
        }
    }

    private void flush() {
        lock.lock();
        try {
            while (maySendRest()) {
                sendFirst(count, open.position(), false);
            }
        } finally {
            scheduled = false;
            lock.unlock();
        }
    }

    /** Sends the first items, which end at an index of the buffer; with the lock, which is released meanwhile. */
    private void sendFirst(int n, int end, boolean last) {
        Writer full = open;
        open = spare;
        count -= n;
        int rest = full.position() - end;
        int at = open.reserve(rest);
        System.arraycopy(full.buffer(), end, open.buffer(), at, rest);
        int from = START - Bytes.countSize(n);
        full.rewind(from);
        full.writeCount(n);
        credit -= end - from;
        sending = true;
        lock.unlock();
        try {
            peer.send(full.buffer(), from, end, last);
        } finally {
            lock.lock();
            sending = false;
            spare = full.buffer().length <= 4 * FULL ? full : writer();
            spare.begin(START);
            changed.signalAll();
        }
    }

    /**
     * The peer gives more credit.
     *
     * @return false if it must not give this much (TCP-33)
     */
    public boolean credit(long bytes) {
        Throwable failed;
        lock.lock();
        try {
            if (bytes < 1 || Math.max(bytes, credit + bytes) > Integer.MAX_VALUE) {
                return false;
            }
            credit += bytes;
            changed.signalAll();
            failed = schedule();
        } finally {
            lock.unlock();
        }
        tell(failed);
        return true;
    }

    /** The peer is not full any more. */
    public void resume() {
        Throwable failed;
        lock.lock();
        try {
            changed.signalAll();
            failed = schedule();
        } finally {
            lock.unlock();
        }
        tell(failed);
    }

    /** The call has ended: no more is taken or sent. Interrupts the thread that takes items, if it is in the program's stream. Does not wait. */
    public void stop() {
        lock.lock();
        try {
            stopped = true;
            changed.signalAll();
            if (taker != null && outside) {
                taker.interrupt();
            }
        } finally {
            lock.unlock();
        }
    }

    private boolean isStopped() {
        lock.lock();
        try {
            return stopped;
        } finally {
            lock.unlock();
        }
    }
}
