package creo.runtime.internal.net;

import creo.runtime.codegen.LogText;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;

/**
 * Watches everything that must happen in time: deadlines, timeouts, and connections whose reader is busy with a call. It has one thread; a watched
 * object pays only one field write on its hot path.
 */
public final class Monitor {
    /** An object with times to keep. */
    public interface Watched {
        /**
         * Does what is due and returns the {@link System#nanoTime} of the next look. Must not block.
         *
         * @param now the time of this look
         */
        long look(long now);
    }

    private static final long IDLE = 100_000_000L;
    private static final long RETRY_DELAY = 10_000_000L;
    private static final long LINGER = 10_000_000_000L;
    private static final System.Logger LOG = System.getLogger("creo.runtime");

    private static final Monitor SHARED = new Monitor();

    private final Set<Watched> watched = ConcurrentHashMap.newKeySet();
    private volatile Thread thread;
    private volatile long nextLook = Long.MAX_VALUE;
    /** When an object was last watched; used by the thread alone. */
    private long used;

    private Monitor() {}

    public static Monitor shared() {
        return SHARED;
    }

    public void add(Watched w) {
        watched.add(w);
        start();
    }

    public void remove(Watched w) {
        watched.remove(w);
    }

    /** Ensures a look by the given time. */
    public void expect(long at) {
        if (at - nextLook < 0) {
            wake(at);
        }
    }

    private synchronized void wake(long at) {
        if (at - nextLook < 0) {
            nextLook = at;
            LockSupport.unpark(thread);
        }
    }

    private synchronized void start() {
        if (thread == null) {
            Thread t = new Thread(this::run, "creo-monitor");
            t.setDaemon(true);
            t.setContextClassLoader(null);
            nextLook = System.nanoTime();
            thread = t;
            t.start();
        }
    }

    private void run() {
        used = System.nanoTime();
        boolean more = true;
        while (more) {
            try {
                more = lookOnce();
            } catch (OutOfMemoryError e) {
                // A call that takes all memory must not end the thread: the next look may find some.
                LockSupport.parkNanos(this, RETRY_DELAY);
            }
        }
    }

    /** Waits for the next look and does it; false if there was nothing to watch for long and the thread ends. */
    private boolean lookOnce() {
        await();
        long now = System.nanoTime();
        synchronized (this) {
            if (!watched.isEmpty()) {
                used = now;
            } else if (now - used > LINGER) {
                thread = null;
                return false;
            }
            nextLook = now + IDLE;
        }
        long next = lookAtAll(now);
        synchronized (this) {
            if (next - nextLook < 0) {
                nextLook = next;
            }
        }
        return true;
    }

    private void await() {
        for (long wait = nextLook - System.nanoTime(); wait > 0; wait = nextLook - System.nanoTime()) {
            LockSupport.parkNanos(this, wait);
        }
    }

    private long lookAtAll(long now) {
        long next = now + IDLE;
        for (Watched w : watched) {
            long at = look(w, now);
            if (at - next < 0) {
                next = at;
            }
        }
        return next;
    }

    /** Looks, ignoring failures: if an error ended this thread, no deadline in the program would hold. */
    private static long look(Watched w, long now) {
        try {
            return w.look(now);
        } catch (RuntimeException | Error e) {
            logFailure(w, e);
            return now + IDLE;
        }
    }

    private static void logFailure(Watched w, Throwable e) {
        try {
            LOG.log(System.Logger.Level.ERROR, "a look at " + w + " failed", LogText.of(e));
        } catch (RuntimeException | Error again) {
            // No memory to log this.
        }
    }
}
