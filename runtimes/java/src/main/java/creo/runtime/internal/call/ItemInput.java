package creo.runtime.internal.call;

import creo.runtime.CreoException;
import creo.runtime.ErrorCode;
import creo.runtime.Limits;
import creo.runtime.codegen.Items;
import creo.runtime.codegen.Reader;
import creo.runtime.internal.buffer.Failures;
import creo.runtime.internal.buffer.Memory;
import java.util.ArrayDeque;
import java.util.Objects;
import java.util.Spliterator;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * The items that one side of a call receives (TCP-30 to TCP-36). A transport adds the bodies of items frames as they arrive, which never waits, and says
 * how the stream ended; a thread of the program takes the items, and waits for them.
 */
public final class ItemInput<T> implements Spliterator<T> {
    /** The credit of each direction when a call begins (TCP-32). */
    public static final int CREDIT = 262_144;

    /** What an input asks of its transport. Called without a lock: {@link #credit} and {@link #ended} by the program's thread. */
    public interface Peer {
        /** Gives the sender more credit, from 1 to 2^31 - 1 bytes. */
        void credit(int bytes);

        /** The {@link MethodStreams#cost} of frames that {@link ItemInput#add} has taken over is no longer held. */
        default void taken(long cost) {}

        /** The memory of the items of a frame, which has at most so many bytes. It is released when they were taken, or by {@link ItemInput#release}. */
        default Memory memory(long max) {
            return new Memory(max);
        }

        /** Whether a path counts the items of the whole stream (HTTP-36) instead of those of a frame (TCP-30). */
        default boolean countsAll() {
            return false;
        }

        /**
         * The program has reached the end, or gives up; called once, before the program learns it.
         *
         * @param failure null at the end; what {@link ItemInput#end} was given; {@code cancelled} if the stream was closed before its end, or its reader
         *     interrupted; an error of the binary wire if the items do not follow it (TCP-34)
         */
        void ended(Throwable failure);
    }

    private final Items<T> items;
    private final long window;
    private final Peer peer;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final ArrayDeque<byte[]> frames = new ArrayDeque<>();
    /** The credit that the sender has left. */
    private long room = CREDIT;
    /** The bytes that arrived and were not taken, and what they cost. */
    private long held;
    private long cost;
    private boolean ended;
    private Throwable failure;
    /** Whether the rest was dropped. */
    private volatile boolean stopped;
    /** Whether the peer was notified that the program has seen the end. */
    private boolean notified;

    // Of the thread that takes items.
    private final Reader reader;
    private final Limits limits;
    private Memory memory;
    private int size;
    private int count;
    /** The items of earlier frames. */
    private long before;
    private int left;

    /** @param limits those of the side that receives */
    public ItemInput(Items<T> items, Limits limits, Peer peer) {
        this.items = items;
        this.window = Math.max(CREDIT, limits.streamWindow());
        this.peer = peer;
        this.limits = limits;
        this.reader = new Reader(new byte[0], 0, 0, limits);
    }

    /**
     * Adds what follows the call id of an items frame; the array is taken over.
     *
     * @param last whether the stream ends with it
     * @return false if the sender had no credit for it, or has ended the stream before (TCP-33)
     */
    public boolean add(byte[] body, boolean last) {
        lock.lock();
        try {
            if (!ended && room > 0) {
                room -= body.length;
                held += body.length;
                cost += MethodStreams.cost(body.length);
                frames.add(body);
                ended = last;
                changed.signal();
                return true;
            }
            if (!ended || failure == null) {
                return false;
            }
        } finally {
            lock.unlock();
        }
        peer.taken(MethodStreams.cost(body.length));
        return true;
    }

    /** No more items come. Those that arrived are given to the program first, then the end or the failure. The first end counts. */
    public void end(Throwable why) {
        lock.lock();
        try {
            if (!ended) {
                ended = true;
                failure = why;
                changed.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    /** The stream that the program gets. Closing it gives up the input. */
    public Stream<T> stream() {
        return StreamSupport.stream(this, false).onClose(this::close);
    }

    private void close() {
        giveUp(Failures.ofRuntime(ErrorCode.CANCELLED, "the stream was closed before its end"));
    }

    /** Ends the input at once, and drops what has arrived. The peer is not notified. */
    public void stop(Throwable why) {
        long dropped;
        lock.lock();
        try {
            dropped = cost;
            if (!ended || dropped > 0) {
                ended = true;
                failure = why;
                stopped = true;
                held = 0;
                cost = 0;
                frames.clear();
                changed.signalAll();
            }
        } finally {
            lock.unlock();
        }
        if (dropped > 0) {
            peer.taken(dropped);
        }
    }

    /** Ends the input because of its reader. */
    private void giveUp(Throwable why) {
        lock.lock();
        try {
            if (notified) {
                return;
            }
            notified = true;
        } finally {
            lock.unlock();
        }
        stop(why);
        peer.ended(why);
    }

    @Override
    public boolean tryAdvance(Consumer<? super T> action) {
        Objects.requireNonNull(action, "action");
        if ((left == 0 || stopped) && !next()) {
            return false;
        }
        action.accept(take());
        return true;
    }

    @Override
    public void forEachRemaining(Consumer<? super T> action) {
        Objects.requireNonNull(action, "action");
        while (left > 0 && !stopped || next()) {
            action.accept(take());
        }
    }

    private T take() {
        T item;
        try {
            item = items.codec().decode(reader);
        } catch (CreoException e) {
            throw broken(reader.item(e, (peer.countsAll() ? before : 0) + count - left));
        } catch (RuntimeException | Error e) {
            left = 0;
            giveUp(e);
            throw e;
        }
        if (--left == 0) {
            finish();
        }
        return item;
    }

    /** Goes to the next frame that has items; false at the end. */
    private boolean next() {
        left = 0;
        while (left == 0) {
            byte[] body = await();
            if (body == null) {
                return false;
            }
            size = body.length;
            release();
            memory = peer.memory(limits.maxMemory());
            try {
                reader.begin(memory);
                reader.window(body, 0, size, 0);
                reader.bodyEnd(size);
                before += count;
                count = reader.readCount(items.minSize(), items.charge());
            } catch (CreoException e) {
                throw broken(reader.resolve(e));
            }
            left = count;
            if (left == 0) {
                finish();
            }
        }
        return true;
    }

    /** The next frame; null at the end. */
    private byte[] await() {
        Throwable why;
        lock.lock();
        try {
            while (frames.isEmpty() && !ended) {
                changed.await();
            }
            if (!frames.isEmpty()) {
                return frames.poll();
            }
            why = failure;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            why = Failures.ofRuntime(ErrorCode.CANCELLED, "the reader of the stream was interrupted");
        } finally {
            lock.unlock();
        }
        giveUp(why);
        if (why == null) {
            return null;
        }
        throw Failures.asItIs(why instanceof CreoException e ? Failures.again(e) : why);
    }

    private CreoException broken(CreoException e) {
        left = 0;
        Failures.root(e, "$items");
        giveUp(e);
        return e;
    }

    /** All items of a frame were taken: gives credit, so that the sender has at least half a window if everything was taken. */
    private void finish() {
        try {
            reader.finish();
        } catch (CreoException e) {
            throw broken(reader.resolve(e));
        }
        release();
        long taken;
        long more;
        lock.lock();
        try {
            // Nothing is held any more after the end of the call.
            taken = Math.min(MethodStreams.cost(size), cost);
            cost -= taken;
            held -= Math.min(size, held);
            more = ended ? 0 : Math.min(Integer.MAX_VALUE, window - held - room);
            more = more < window / 2 ? 0 : more;
            room += more;
        } finally {
            lock.unlock();
        }
        if (taken > 0) {
            peer.taken(taken);
        }
        if (more > 0) {
            peer.credit((int) more);
        }
    }

    /** Releases the memory of the items that the program has. It takes none any more. */
    public void release() {
        Memory used = memory;
        memory = null;
        if (used != null) {
            used.release();
        }
    }

    @Override
    public Spliterator<T> trySplit() {
        return null;
    }

    @Override
    public long estimateSize() {
        return Long.MAX_VALUE;
    }

    @Override
    public int characteristics() {
        return ORDERED;
    }
}
