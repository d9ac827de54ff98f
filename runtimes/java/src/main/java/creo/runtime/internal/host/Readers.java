package creo.runtime.internal.host;

import creo.runtime.codegen.LogText;
import creo.runtime.internal.buffer.Threads;
import java.util.ArrayDeque;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The threads that drive event loops, read long messages while they arrive, and decode large requests. Every task starts at once, independent of the
 * others: each queued task has a thread on its way. Waking threads is most of the cost of a small task. A thread therefore takes the next task before
 * it sleeps, and the last thread to fall asleep is woken first, since its memory is still warm.
 *
 * <p>If the JDK has virtual threads, tasks beyond the first ones run on these.
 */
public final class Readers implements Executor {
    private static final System.Logger LOG = System.getLogger("creo.runtime");
    /** This many threads sleep until they are woken. Others sleep with a timeout before they end, which costs a timer each time. */
    private static final int KEPT = 16;
    private static final int MOST_BESIDE_VIRTUAL = 128;
    private static final long LINGER = TimeUnit.SECONDS.toNanos(60);

    private final ExecutorService others;
    private final ThreadFactory factory;
    private final int most = Threads.virtual() ? MOST_BESIDE_VIRTUAL : Integer.MAX_VALUE;
    private final ReentrantLock lock = new ReentrantLock();
    private final ArrayDeque<Runnable> queue = new ArrayDeque<>();
    private final ArrayDeque<Reader> asleep = new ArrayDeque<>();
    /** Readers that were woken and have not reached the queue yet: never fewer than the tasks in it. */
    private int coming;
    private int alive;
    private boolean ended;

    /**
     * Creates readers without any thread yet.
     *
     * @param others runs tasks beyond the max number of own threads
     * @param factory creates the own threads
     */
    public Readers(ExecutorService others, ThreadFactory factory) {
        this.others = others;
        this.factory = factory;
    }

    /**
     * Runs the task at once, on another thread.
     *
     * @throws RejectedExecutionException if the server has ended
     */
    @Override
    public void execute(Runnable task) {
        Reader woken;
        boolean full = false;
        lock.lock();
        try {
            if (ended) {
                throw new RejectedExecutionException("the server has ended");
            }
            if (coming > queue.size()) {
                queue.add(task);
                return;
            }
            woken = asleep.poll();
            if (woken != null) {
                coming++;
                queue.add(task);
            } else if (alive < most) {
                alive++;
            } else {
                full = true;
            }
        } finally {
            lock.unlock();
        }
        if (woken != null) {
            woken.wake();
        } else if (full) {
            others.execute(task);
        } else {
            start(task);
        }
    }

    private void start(Runnable task) {
        boolean started = false;
        try {
            new Reader(task).thread.start();
            started = true;
        } finally {
            if (!started) {
                lock.lock();
                alive--;
                lock.unlock();
            }
        }
    }

    /** Accepts no further task. Threads end when they have none. */
    public void shutdown() {
        lock.lock();
        try {
            ended = true;
            for (Reader each = asleep.poll(); each != null; each = asleep.poll()) {
                coming++;
                each.wake();
            }
        } finally {
            lock.unlock();
        }
    }

    private final class Reader implements Runnable {
        private final Thread thread = factory.newThread(this);
        private Runnable task;
        private volatile boolean woken;

        Reader(Runnable first) {
            task = first;
        }

        void wake() {
            woken = true;
            LockSupport.unpark(thread);
        }

        @Override
        public void run() {
            while (task != null) {
                try {
                    task.run();
                } catch (Throwable e) {
                    failed(e);
                }
                // The interrupt was meant for the task that has ended.
                Thread.interrupted();
                task = next();
            }
        }

        /** The next task, for which it may sleep long; null if this thread must end. */
        private Runnable next() {
            boolean came = false;
            while (true) {
                boolean kept;
                lock.lock();
                try {
                    if (came) {
                        coming--;
                    }
                    Runnable next = queue.poll();
                    if (next != null) {
                        return next;
                    }
                    if (ended) {
                        alive--;
                        return null;
                    }
                    woken = false;
                    kept = asleep.size() < KEPT;
                    asleep.push(this);
                } finally {
                    lock.unlock();
                }
                if (!sleep(kept)) {
                    return null;
                }
                came = true;
            }
        }

        /** Sleeps until woken; false if that took too long and no thread will wake it any more. */
        private boolean sleep(boolean kept) {
            if (kept) {
                while (!woken) {
                    LockSupport.park(Readers.this);
                    Thread.interrupted();
                }
                return true;
            }
            long until = System.nanoTime() + LINGER;
            while (!woken) {
                LockSupport.parkNanos(Readers.this, until - System.nanoTime());
                Thread.interrupted();
                if (until - System.nanoTime() <= 0 && leave(this)) {
                    return false;
                }
            }
            return true;
        }
    }

    /** Removes a thread from the sleeping ones so that it ends; false if it has just been woken. */
    private boolean leave(Reader reader) {
        lock.lock();
        try {
            boolean found = asleep.remove(reader);
            alive -= found ? 1 : 0;
            return found;
        } finally {
            lock.unlock();
        }
    }

    private static void failed(Throwable e) {
        try {
            LOG.log(System.Logger.Level.ERROR, "a connection failed", LogText.of(e));
        } catch (RuntimeException | Error again) {
            // No memory to log this.
        }
    }
}
