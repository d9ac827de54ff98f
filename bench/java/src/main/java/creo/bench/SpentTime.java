package creo.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;

/** Processor time of this thread and of the serial collector, whose single thread's time Linux reports. */
public final class SpentTime {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private final Path collector = collector();

    /** In nanoseconds. */
    public long now() {
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
