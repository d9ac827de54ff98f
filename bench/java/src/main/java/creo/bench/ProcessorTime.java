package creo.bench;

import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * The processor time of an iteration for the benchmark and the garbage collector: with this share, a score is the cost of a call, without that of
 * other programs. Linux reports the time of the serial collector's single thread.
 */
@State(Scope.Thread)
@AuxCounters(AuxCounters.Type.EVENTS)
public class ProcessorTime {
    /** Nanoseconds of the iteration, and those of them that were spent on it. Counters of JMH are public fields. */
    public double elapsed;
    public double spent;

    private final SpentTime time = new SpentTime();
    private long startElapsed;
    private long startSpent;

    @Setup(Level.Iteration)
    public void start() {
        startSpent = time.now();
        startElapsed = System.nanoTime();
    }

    @TearDown(Level.Iteration)
    public void stop() {
        elapsed = System.nanoTime() - startElapsed;
        spent = time.now() - startSpent;
    }
}
