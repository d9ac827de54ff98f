package creo.runtime;

import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;

/**
 * The threads that read connections. A virtual thread that waits for a socket is woken through another one, which is most of the time of a
 * small call; so the first connections have threads of their own, and the many others virtual ones, where the JDK has them.
 */
final class Readers implements Executor {
    private static final int MOST_OWN = 128;

    private final ExecutorService others;
    private final ExecutorService own;
    private final Semaphore free = new Semaphore(MOST_OWN);

    Readers(ExecutorService others) {
        this.others = others;
        this.own = Threads.virtual() ? Executors.newCachedThreadPool(Threads.daemons("creo-reader")) : null;
    }

    @Override
    public void execute(Runnable task) {
        if (own == null || !free.tryAcquire()) {
            others.execute(task);
            return;
        }
        boolean started = false;
        try {
            own.execute(() -> {
                try {
                    task.run();
                } finally {
                    free.release();
                }
            });
            started = true;
        } finally {
            if (!started) {
                free.release();
            }
        }
    }

    void shutdown() {
        if (own != null) {
            own.shutdown();
        }
    }
}
