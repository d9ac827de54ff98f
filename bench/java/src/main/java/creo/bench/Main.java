package creo.bench;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
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
 * Runs the cells in rounds: each round measures every cell once, in a fresh virtual machine, and starts with another peer than the round before,
 * so that a slow minute of the machine falls on all. Writes one JSON line for each cell.
 *
 * <p>Arguments, all required: {@code OUT ROUNDS ITERATIONS MILLISECONDS WORKLOADS SIZES PEERS}; the last three separated by commas. The sizes of the
 * workload {@code soap} are the names of its messages. Zero rounds only check the round trips.
 */
public final class Main {
    private static final List<String> JVM = List.of(
        "-Xms1g", "-Xmx1g", "-Xmn768m", "-XX:+AlwaysPreTouch", "-XX:+UseSerialGC");

    private record Cell(String workload, String size, String peer) {}

    private Main() {}

    public static void main(String[] args) throws Exception {
        Path out = Path.of(args[0]);
        int rounds = Integer.parseInt(args[1]);
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
        Map<Cell, byte[]> messages = new HashMap<>();
        for (Cell cell : cells) {
            messages.put(cell, Peers.create(cell.peer, cell.workload, cell.size).serialize());
        }
        System.err.printf("java: %d round trips checked%n", cells.size());

        Map<String, List<Double>> samples = new HashMap<>();
        int done = 0;
        for (int round = 0; round < rounds; round++) {
            for (List<Cell> group : groups(cells)) {
                Collections.rotate(group, -round);
                for (Cell cell : group) {
                    measure(cell, iterations, milliseconds, samples);
                    System.err.printf("java: %d of %d cells, %s %s %s%n",
                        ++done, rounds * cells.size(), cell.workload, cell.size, cell.peer);
                }
            }
        }
        write(out, cells, messages, samples);
    }

    /** The cells of one workload and size: those that are compared with one another. */
    private static Collection<List<Cell>> groups(List<Cell> cells) {
        Map<String, List<Cell>> groups = new LinkedHashMap<>();
        for (Cell cell : cells) {
            groups.computeIfAbsent(cell.workload + cell.size, k -> new ArrayList<>()).add(cell);
        }
        return groups.values();
    }

    private static void measure(Cell cell, int iterations, int milliseconds, Map<String, List<Double>> samples) throws RunnerException {
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
            List<Double> all = samples.computeIfAbsent(cell + operation, k -> new ArrayList<>());
            for (BenchmarkResult fork : result.getBenchmarkResults()) {
                for (IterationResult iteration : fork.getIterationResults()) {
                    Map<String, Result> counted = iteration.getSecondaryResults();
                    all.add(iteration.getPrimaryResult().getScore() * counted.get("spent").getScore() / counted.get("elapsed").getScore());
                }
            }
        }
    }

    private static void write(Path out, List<Cell> cells, Map<Cell, byte[]> messages, Map<String, List<Double>> samples) throws IOException {
        try (PrintStream lines = new PrintStream(Files.newOutputStream(out), false, StandardCharsets.UTF_8)) {
            for (Cell cell : cells) {
                byte[] message = messages.get(cell);
                CRC32 crc = new CRC32();
                crc.update(message);
                for (String operation : List.of("serialize", "deserialize")) {
                    DoubleStream ns = samples.getOrDefault(cell + operation, List.of()).stream().mapToDouble(Double::doubleValue);
                    lines.printf(Locale.ROOT,
                        "{\"language\":\"java\",\"workload\":\"%s\",\"size\":%s,\"peer\":\"%s\",\"operation\":\"%s\",\"bytes\":%d,\"crc\":%d,\"ns\":[%s]}%n",
                        cell.workload, Peers.isText(cell.workload) ? '"' + cell.size + '"' : cell.size, cell.peer, operation, message.length, crc.getValue(),
                        ns.mapToObj(n -> String.format(Locale.ROOT, "%.2f", n)).collect(Collectors.joining(",")));
                }
            }
        }
    }
}
