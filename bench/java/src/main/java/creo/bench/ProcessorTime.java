package creo.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * What of an iteration's time the processor gave to the benchmark and to the garbage collector: with this share, a score is the cost of a call and not
 * that of the machine's other programs. The serial collector works on one thread, which Linux tells the time of.
 */
@State(Scope.Thread)
@AuxCounters(AuxCounters.Type.EVENTS)
public class ProcessorTime {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    /** Nanoseconds of the iteration, and those of them that were spent on it. Counters of JMH are public fields. */
    public double elapsed;
    public double spent;

    private final Path collector = collector();
    private long startElapsed;
    private long startSpent;

    @Setup(Level.Iteration)
    public void start() {
        startSpent = now();
        startElapsed = System.nanoTime();
    }

    @TearDown(Level.Iteration)
    public void stop() {
        elapsed = System.nanoTime() - startElapsed;
        spent = now() - startSpent;
    }

    private long now() {
        try {
            // The first number is the nanoseconds on a processor.
            String schedstat = Files.readString(collector.resolve("schedstat"));
            return THREADS.getCurrentThreadCpuTime() + Long.parseLong(schedstat.substring(0, schedstat.indexOf(' ')));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The thread on which the serial collector works. */
    private static Path collector() {
        try (var tasks = Files.list(Path.of("/proc/self/task"))) {
            for (Path task : tasks.toList()) {
                if (Files.readString(task.resolve("comm")).strip().equals("VM Thread")) {
                    return task;
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        throw new IllegalStateException("no thread of the collector");
    }
}
