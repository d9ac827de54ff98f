package creo.bench.messages;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.StringJoiner;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Calls repeatedly from several threads, each waiting for its answer before the next call, and times each call. */
public final class Load {
    private final int kept;
    private final ExecutorService threads = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task);
        thread.setDaemon(true);
        return thread;
    });

    public Load() {
        this(21);
    }

    /** This many values represent all the times of a second of calls: evenly spaced quantiles. */
    public Load(int kept) {
        this.kept = kept;
    }

    /** {@code CALLS SECONDS} and the times of calls in nanoseconds, thinned to their quantiles. */
    public String run(List<Callable<Object>> callers, double seconds) throws InterruptedException, ExecutionException {
        long start = System.nanoTime();
        long end = start + (long) (seconds * 1e9);
        List<Future<long[]>> all = new ArrayList<>();
        for (Callable<Object> caller : callers) {
            all.add(threads.submit(() -> times(caller, end)));
        }
        List<long[]> each = new ArrayList<>();
        for (Future<long[]> one : all) {
            each.add(one.get());
        }
        double lasted = (System.nanoTime() - start) / 1e9;
        long[] sorted = each.stream().flatMapToLong(Arrays::stream).sorted().toArray();
        StringJoiner line = new StringJoiner(" ").add(Long.toString(sorted.length)).add(Double.toString(lasted));
        int values = Math.min(kept, sorted.length);
        for (int i = 0; i < values; i++) {
            line.add(Long.toString(sorted[(int) ((i + 0.5) / values * sorted.length)]));
        }
        return line.toString();
    }

    /** At least one call, whatever the clock says. */
    private static long[] times(Callable<Object> caller, long end) throws Exception {
        long[] times = new long[1024];
        int count = 0;
        long before = System.nanoTime();
        do {
            caller.call();
            long after = System.nanoTime();
            if (count == times.length) {
                times = Arrays.copyOf(times, 2 * count);
            }
            times[count++] = after - before;
            before = after;
        } while (before < end);
        return Arrays.copyOf(times, count);
    }
}
