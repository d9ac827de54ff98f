package creo.conformance;

import static creo.conformance.Calls.error;
import static creo.conformance.ClientPeer.check;
import static creo.conformance.ClientPeer.equal;

import conformance.matrix.EchoClient;
import conformance.matrix.Stopped;
import conformance.matrix.StreamsAsyncClient;
import conformance.matrix.StreamsClient;
import conformance.matrix.Tick;
import creo.runtime.Answer;
import creo.runtime.CallOptions;
import creo.runtime.Channel;
import creo.runtime.ClientOptions;
import creo.runtime.ErrorCode;
import creo.runtime.ItemSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** Scenarios of methods with streams. */
final class StreamCalls {
    private static final long ENDLESS = 1L << 62;
    /** How far a source without end may be read for ten of its numbers: what both sides may hold, of at least nine bytes, and more. */
    private static final long FAR = 1_000_000;

    /** The failure of a source. */
    private static final class Broken extends Exception {
        private static final long serialVersionUID = 1L;
    }

    private interface Scenario {
        void run(Channel channel) throws Exception;
    }

    private final Door door;
    private final ClientOptions options;
    private final Scenario after;

    /** Scenarios on a door whose channels are for all interfaces, and carry all streams. */
    StreamCalls(Door door, ClientOptions options) {
        this(door, options, StreamCalls::add);
    }

    private StreamCalls(Door door, ClientOptions options, Scenario after) {
        this.door = door;
        this.options = options;
        this.after = after;
    }

    void addTo(Map<String, ClientPeer.Scenario> scenarios) {
        add(scenarios, "streams", this::streams);
        add(scenarios, "streams-talk", this::talk);
        add(scenarios, "streams-close", this::close);
        add(scenarios, "streams-deadline", this::deadline);
        scenarios.put("streams-metadata", this::metadata);
        add(scenarios, "streams-source", this::source);
    }

    /** Adds those of methods with one stream, on a door whose channels are for one interface each. */
    static void addLinesTo(Map<String, ClientPeer.Scenario> scenarios, Door door, ClientOptions options) {
        StreamCalls calls = new StreamCalls(door, options, channel -> {
            try (Channel echo = door.open("Echo", options)) {
                add(echo);
            }
        });
        calls.add(scenarios, "streams", calls::streams);
        calls.add(scenarios, "streams-talk", calls::refused);
        calls.add(scenarios, "streams-close", calls::closeTicks);
        calls.add(scenarios, "streams-deadline", calls::deadline);
        scenarios.put("streams-metadata", calls::metadata);
        calls.add(scenarios, "streams-source", calls::source);
    }

    /** Adds those of methods whose result is a stream, for a transport that carries no others (JMS-23). */
    static void addResultsTo(Map<String, ClientPeer.Scenario> scenarios, Door door, ClientOptions options) {
        StreamCalls calls = new StreamCalls(door, options);
        calls.add(scenarios, "streams", calls::results);
        calls.add(scenarios, "streams-talk", calls::resultsOnly);
        calls.add(scenarios, "streams-close", calls::closeTicks);
        calls.add(scenarios, "streams-deadline", channel -> {
            equal(1L, new StreamsClient(channel).ticks(1).count());
            calls.deadline(channel);
        });
        scenarios.put("streams-metadata", calls::metadata);
    }

    private void add(Map<String, ClientPeer.Scenario> scenarios, String name, Scenario scenario) {
        scenarios.put(name, () -> {
            try (Channel channel = door.open("Streams", options)) {
                scenario.run(channel);
            }
        });
    }

    private static void add(Channel channel) {
        equal(3L, new EchoClient(channel).add(1, 2));
    }

    private void fine(Channel channel) throws Exception {
        after.run(channel);
    }

    static Tick tick(long number) {
        return new Tick(number, "tick " + number, new double[] {number, number + 0.5});
    }

    static boolean isTick(Tick tick, long number) {
        return tick.equals(tick(number));
    }

    private static void stopped(int after, ClientPeer.Scenario call) throws Exception {
        try {
            call.run();
        } catch (Stopped e) {
            equal(after, e.after());
            return;
        } catch (Throwable e) {
            throw new AssertionError("another failure", e);
        }
        throw new AssertionError("no Stopped");
    }

    private void streams(Channel channel) throws Exception {
        results(channel);
        StreamsClient streams = new StreamsClient(channel);
        equal(4_999_950_000L, streams.sum(LongStream.range(0, 100_000).boxed()));
        fine(channel);
        AtomicLong read = new AtomicLong();
        equal(45L, streams.first(10, Stream.generate(read::getAndIncrement)));
        check(read.get() < FAR, "the source was read to " + read);
        fine(channel);
        stopped(5, () -> streams.first(10, LongStream.range(0, 5).boxed()));
        fine(channel);
        equal(4_999_950_000.0, streams.total(streams.blocks(100, 1_000).toList().stream()));
        fine(channel);
        equal(4_999_950_000L, new StreamsAsyncClient(channel).sum(LongStream.range(0, 100_000).boxed()).get());
        fine(channel);
    }

    private void results(Channel channel) throws Exception {
        StreamsClient streams = new StreamsClient(channel);
        List<Tick> ticks = streams.ticks(1_000).toList();
        equal(1_000, ticks.size());
        check(IntStream.range(0, 1_000).allMatch(i -> isTick(ticks.get(i), i)), "another tick");
        fine(channel);
        equal(0L, streams.ticks(0).count());
        fine(channel);
        List<Long> before = new ArrayList<>();
        stopped(10, () -> streams.stopping(10).forEach(before::add));
        equal(LongStream.range(0, 10).boxed().toList(), before);
        fine(channel);
        blocks(streams);
        fine(channel);
        equal(10L, new StreamsAsyncClient(channel).ticks(10).get().count());
        fine(channel);
    }

    private static void blocks(StreamsClient streams) {
        List<double[]> blocks = streams.blocks(100, 1_000).toList();
        equal(100, blocks.size());
        for (int i = 0; i < 100; i++) {
            int first = i * 1_000;
            check(Arrays.equals(IntStream.range(first, first + 1_000).asDoubleStream().toArray(), blocks.get(i)), "another block");
        }
    }

    /** Gives the ticks of a queue, until a negative number comes. */
    private static Stream<Tick> asks(LinkedBlockingQueue<Long> numbers) {
        return ItemSource.stream(action -> {
            long number = numbers.take();
            if (number >= 0) {
                action.accept(tick(number));
            }
            return number >= 0;
        });
    }

    private static void answered(Iterator<Tick> replies, long number) {
        Tick reply = replies.next();
        check(reply.number() == 2 * number && isTick(new Tick(number, reply.text(), reply.values()), number), "another answer: " + reply);
    }

    private void talk(Channel channel) throws Exception {
        LinkedBlockingQueue<Long> numbers = new LinkedBlockingQueue<>();
        try (Stream<Tick> replies = new StreamsClient(channel).talk(asks(numbers))) {
            Iterator<Tick> each = replies.iterator();
            for (long i = 0; i < 100; i++) {
                numbers.add(i);
                answered(each, i);
            }
            numbers.add(-1L);
            check(!each.hasNext(), "an answer too many");
        }
        fine(channel);
    }

    /** {@code talk} has two streams, which lines do not carry (CALL-47). */
    private void refused(Channel channel) throws Exception {
        error(ErrorCode.UNKNOWN_METHOD, () -> new StreamsClient(channel).talk(Stream.of(tick(1))).count());
        fine(channel);
    }

    /** No stream of parameters is carried (JMS-23). */
    private void resultsOnly(Channel channel) throws Exception {
        StreamsClient streams = new StreamsClient(channel);
        error(ErrorCode.UNKNOWN_METHOD, () -> streams.sum(Stream.of(1L)));
        error(ErrorCode.UNKNOWN_METHOD, () -> streams.total(Stream.of(new double[1])));
        refused(channel);
    }

    private void closeTicks(Channel channel) throws Exception {
        try (Stream<Tick> ticks = new StreamsClient(channel).ticks(ENDLESS)) {
            equal(10L, ticks.limit(10).count());
        }
        fine(channel);
    }

    private void close(Channel channel) throws Exception {
        closeTicks(channel);
        LinkedBlockingQueue<Long> numbers = new LinkedBlockingQueue<>(List.of(1L));
        try (Stream<Tick> replies = new StreamsClient(channel).talk(asks(numbers))) {
            answered(replies.iterator(), 1);
        }
        fine(channel);
    }

    private void deadline(Channel channel) throws Exception {
        AtomicLong read = new AtomicLong();
        // A slow machine needs more time until the first item.
        for (long time = 200; read.get() == 0 && time < 60_000; time *= 2) {
            StreamsClient streams = new StreamsClient(channel).with(CallOptions.NONE.withDeadline(Duration.ofMillis(time)));
            error(ErrorCode.DEADLINE_EXCEEDED, () -> streams.ticks(ENDLESS).forEach(tick -> read.incrementAndGet()));
        }
        check(read.get() > 0, "no items");
        fine(channel);
    }

    private void metadata() throws Exception {
        List<Answer> answers = new ArrayList<>();
        try (Channel channel = door.open("Streams", options.withMetadata("x-answer", "\u00e9"))) {
            Iterator<Tick> ticks = new StreamsClient(channel).with(CallOptions.NONE.withAnswer(answers::add)).ticks(3).iterator();
            for (int i = 0; i < 3; i++) {
                check(isTick(ticks.next(), i), "another tick");
            }
            equal(List.of(), answers);
            check(!ticks.hasNext(), "a tick too many");
            equal(List.of(Map.of("x-answer", "\u00e9")), answers.stream().map(Answer::metadata).toList());
        }
    }

    private void source(Channel channel) throws Exception {
        Broken own = new Broken();
        long[] given = {0};
        Stream<Long> numbers = ItemSource.stream(action -> {
            if (given[0] == 10) {
                throw own;
            }
            action.accept(given[0]++);
            return true;
        });
        CompletableFuture<Boolean> closed = new CompletableFuture<>();
        try {
            new StreamsClient(channel).sum(numbers.onClose(() -> closed.complete(true)));
            throw new AssertionError("no failure");
        } catch (Exception e) {
            check(e == own || e.getCause() == own, "another failure: " + e);
        }
        check(closed.get(), "the source is open");
        fine(channel);
    }
}
