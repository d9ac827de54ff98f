package creo.conformance;

import conformance.matrix.StreamsAsyncClient;
import conformance.matrix.StreamsClient;
import conformance.matrix.Tick;
import creo.runtime.CallOptions;
import creo.runtime.Channel;
import java.util.List;
import java.util.Set;
import java.util.StringJoiner;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;

/** A call of a method of {@code Streams} for {@link ProbePeer}, and what it read before its end. */
final class StreamProbe {
    static final Set<String> METHODS = Set.of("ticks", "stopping", "sum", "first");

    private final StreamsClient streams;
    private final StreamsAsyncClient later;
    private final StringJoiner items = new StringJoiner(",");

    StreamProbe(Channel channel, CallOptions options) {
        streams = new StreamsClient(channel).with(options);
        later = new StreamsAsyncClient(channel).with(options);
    }

    /** The numbers of the items that were read. */
    String items() {
        return items.toString();
    }

    String call(String method, boolean async) throws Throwable {
        try {
            return switch (method) {
                case "ticks" -> read((async ? later.ticks(3).get() : streams.ticks(3)).map(Tick::number));
                case "stopping" -> read(async ? later.stopping(3).get() : streams.stopping(3));
                case "sum" -> Long.toString(async ? later.sum(numbers()).get() : streams.sum(numbers()));
                default -> Long.toString(async ? later.first(2, numbers()).get() : streams.first(2, numbers()));
            };
        } catch (ExecutionException e) {
            throw e.getCause();
        }
    }

    private static Stream<Long> numbers() {
        return List.of(1L, 2L, 3L).stream();
    }

    private String read(Stream<Long> numbers) {
        try (numbers) {
            numbers.forEach(number -> items.add(number.toString()));
        }
        return "";
    }
}
