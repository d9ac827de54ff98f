package creo.runtime.internal.buffer;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicLong;

/** Chooses where work runs: on virtual threads if the JDK has them, otherwise on a pool. */
public final class Threads {
    private static final MethodHandle VIRTUAL = findVirtual();

    private Threads() {}

    private static MethodHandle findVirtual() {
        try {
            return MethodHandles.publicLookup().findStatic(Executors.class, "newVirtualThreadPerTaskExecutor", MethodType.methodType(ExecutorService.class));
        } catch (NoSuchMethodException | IllegalAccessException e) {
            return null;
        }
    }

    public static boolean virtual() {
        return VIRTUAL != null;
    }

    /** Runs each task at once on its own thread. Callers bound their number: a service its calls (LIM-10), a server its connections (LIM-7). */
    public static ExecutorService executor(String name) {
        if (VIRTUAL != null) {
            try {
                return (ExecutorService) VIRTUAL.invokeExact();
            } catch (Throwable e) {
                throw new IllegalStateException("no virtual threads", e);
            }
        }
        return Executors.newCachedThreadPool(daemons(name));
    }

    public static ThreadFactory daemons(String name) {
        AtomicLong count = new AtomicLong();
        return task -> {
            Thread thread = new Thread(task, name + "-" + count.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        };
    }
}
