package creo.bench.messaging;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;

/** Times of the steps of calls in nanoseconds, by name: on the clock, and as {@code cpu-NAME} the processor time of the thread. Safe for many threads. */
final class Times {
    private static final int QUANTILES = 9;
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private final Map<String, long[]> samples = new TreeMap<>();

    <T> T of(String name, Callable<T> step) throws Exception {
        long spent = THREADS.getCurrentThreadCpuTime();
        long start = System.nanoTime();
        T result = step.call();
        long end = System.nanoTime();
        add(name, end - start);
        add("cpu-" + name, THREADS.getCurrentThreadCpuTime() - spent);
        return result;
    }

    synchronized void add(String name, long nanoseconds) {
        long[] before = samples.getOrDefault(name, new long[0]);
        long[] after = Arrays.copyOf(before, before.length + 1);
        after[before.length] = nanoseconds;
        samples.put(name, after);
    }

    /** All that was measured since the last time, thinned to evenly spaced quantiles: an object of JSON. */
    synchronized String taken() {
        String text = samples.entrySet().stream().map(each -> "\"" + each.getKey() + "\": " + Arrays.toString(thinned(each.getValue()))).collect(Collectors.joining(", ", "{", "}"));
        samples.clear();
        return text;
    }

    private static long[] thinned(long[] all) {
        long[] sorted = all.clone();
        Arrays.sort(sorted);
        long[] kept = new long[Math.min(QUANTILES, sorted.length)];
        for (int i = 0; i < kept.length; i++) {
            kept[i] = sorted[(int) ((2L * i + 1) * sorted.length / (2L * kept.length))];
        }
        return kept;
    }
}
