package creo.bench;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** The two operations. Each cell runs in separate virtual machines, so no peer sees another's profile. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class WireBenchmark {
    @Param("creo")
    public String peer;

    @Param("numbers")
    public String workload;

    @Param("1000")
    public String size;

    private Case subject;

    @Setup
    public void prepare() throws Exception {
        subject = Peers.create(peer, workload, size);
    }

    @Benchmark
    public Object serialize(ProcessorTime time) throws Exception {
        return subject.serialize();
    }

    @Benchmark
    public Object deserialize(ProcessorTime time) throws Exception {
        return subject.deserialize();
    }
}
