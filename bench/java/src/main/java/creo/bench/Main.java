package creo.bench;

import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.zip.CRC32;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * Measures cells once, each in a fresh virtual machine, starting with another one in each turn: a slow minute of the machine affects all. Writes one
 * JSON line for each cell and operation: its samples.
 *
 * <p>Arguments, all required: {@code OUT TURN ITERATIONS MILLISECONDS WORKLOADS SIZES PEERS}; the last three separated by commas. The sizes of the
 * workload {@code soap} are the names of its messages. The turn {@code check} only checks the round trips, and writes one line for each cell: its bytes
 * and their CRC-32.
 */
public final class Main {
    private static final List<String> JVM = List.of(
        "-Xms1g", "-Xmx1g", "-Xmn768m", "-XX:+AlwaysPreTouch", "-XX:+UseSerialGC");

    private record Cell(String workload, String size, String peer) {
        String json() {
            return String.format("\"workload\":\"%s\",\"size\":%s,\"peer\":\"%s\"", workload, Peers.isText(workload) ? '"' + size + '"' : size, peer);
        }
    }

    private Main() {}

    public static void main(String[] args) throws Exception {
        Path out = Path.of(args[0]);
        String turn = args[1];
        int iterations = Integer.parseInt(args[2]);
        int milliseconds = Integer.parseInt(args[3]);
        List<Cell> cells = new ArrayList<>();
        for (String workload : args[4].split(",")) {
            for (String size : args[5].split(",")) {
                for (String peer : args[6].isEmpty() ? Peers.names(workload) : List.of(args[6].split(","))) {
                    cells.add(new Cell(workload, size, peer));
                }
            }
        }
        try (PrintStream lines = new PrintStream(Files.newOutputStream(out), false, StandardCharsets.UTF_8)) {
            if (turn.equals("check")) {
                for (Cell cell : cells) {
                    byte[] message = Peers.create(cell.peer, cell.workload, cell.size).serialize();
                    CRC32 crc = new CRC32();
                    crc.update(message);
                    lines.printf(Locale.ROOT, "{%s,\"bytes\":%d,\"crc\":%d}%n", cell.json(), message.length, crc.getValue());
                }
                return;
            }
            Collections.rotate(cells, -Integer.parseInt(turn));
            for (Cell cell : cells) {
                measure(cell, iterations, milliseconds).forEach((operation, ns) -> lines.printf(
                    Locale.ROOT, "{%s,\"operation\":\"%s\",\"ns\":[%s]}%n", cell.json(), operation,
                    ns.stream().map(n -> String.format(Locale.ROOT, "%.2f", n)).collect(Collectors.joining(","))));
            }
        }
    }

    /** Nanoseconds of each iteration, by operation. */
    private static Map<String, List<Double>> measure(Cell cell, int iterations, int milliseconds) throws RunnerException {
        Map<String, List<Double>> samples = new LinkedHashMap<>();
        Collection<RunResult> results = new Runner(new OptionsBuilder()
            .include(WireBenchmark.class.getName())
            .param("peer", cell.peer)
            .param("workload", cell.workload)
            .param("size", cell.size)
            .forks(1)
            .warmupIterations(2 * iterations)
            .warmupTime(TimeValue.milliseconds(milliseconds))
            .measurementIterations(iterations)
            .measurementTime(TimeValue.milliseconds(milliseconds))
            .jvmArgs(JVM.toArray(String[]::new))
            .shouldFailOnError(true)
            .verbosity(VerboseMode.SILENT)
            .build()).run();
        for (RunResult result : results) {
            String name = result.getParams().getBenchmark();
            String operation = name.substring(name.lastIndexOf('.') + 1);
            List<Double> all = samples.computeIfAbsent(operation, k -> new ArrayList<>());
            for (BenchmarkResult fork : result.getBenchmarkResults()) {
                for (IterationResult iteration : fork.getIterationResults()) {
                    Map<String, Result> counted = iteration.getSecondaryResults();
                    all.add(iteration.getPrimaryResult().getScore() * counted.get("spent").getScore() / counted.get("elapsed").getScore());
                }
            }
        }
        return samples;
    }
}
