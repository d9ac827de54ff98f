package creo.bench;

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
