package org.example.app;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Lets calls wait until something changes. */
final class Changes {
    /** A call asks the database again after so long, since another service may have written to it. */
    private static final long MAX_WAIT = TimeUnit.SECONDS.toNanos(1);

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private long count;

    void happened() {
        lock.lock();
        try {
            count++;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** The number of changes so far. Read it before querying the database, in order not to miss a change. */
    long count() {
        lock.lock();
        try {
            return count;
        } finally {
            lock.unlock();
        }
    }

    /** Returns when there were more than the given ones, when the deadline has passed, or sooner. */
    void await(long before, long deadline) throws InterruptedException {
        lock.lock();
        try {
            long left = Math.min(MAX_WAIT, deadline - System.nanoTime());
            while (count == before && left > 0) {
                left = changed.awaitNanos(left);
            }
        } finally {
            lock.unlock();
        }
    }
}
