package creo.runtime.internal.text;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/** Keeps up to 64 unused readers or writers. Safe for use by many threads. */
public final class Pool<T> {
    private static final int MAX_SPARE = 64;

    private final ConcurrentLinkedQueue<T> spare = new ConcurrentLinkedQueue<>();
    private final AtomicInteger spares = new AtomicInteger();
    private final Supplier<T> maker;

    public Pool(Supplier<T> maker) {
        this.maker = maker;
    }

    /** A pooled object, or a new one. */
    public T take() {
        T one = spare.poll();
        if (one == null) {
            return maker.get();
        }
        spares.decrementAndGet();
        return one;
    }

    /** Returns an object to the pool; it is dropped if the pool is full. */
    public void release(T one) {
        if (spares.get() < MAX_SPARE) {
            spares.incrementAndGet();
            spare.add(one);
        }
    }
}
