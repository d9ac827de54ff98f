package creo.runtime;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import creo.runtime.StreamCalls.Args;
import creo.runtime.codegen.HostStreams;
import creo.runtime.codegen.Items;
import creo.runtime.codegen.ServiceMethod;
import creo.runtime.internal.call.MethodStreams;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Calls with streams, as a program sees them: over TCP and within the process. */
@Timeout(value = 300, unit = TimeUnit.SECONDS)
class StreamsTest {
    private static final int ENDLESS = Integer.MAX_VALUE;

    /** The ways to a service. */
    enum Way { TCP, PROCESS }

    /** A service and a channel to it. */
    private static final class Rig implements AutoCloseable {
        private final Server server;
        private final Channel channel;
        /** Counted down when the method's stream of results is closed. */
        private final CountDownLatch closed = new CountDownLatch(1);

        Rig(Way way, ClientOptions options) throws IOException {
            Endpoint endpoint = Endpoint.builder(Calls.INTERFACE).streams(HostStreams.SERVED).method(StreamCalls.COUNT, this::count).method(StreamCalls.LOAD, Rig::load)
                .method(StreamCalls.SUM, Rig::sum).method(StreamCalls.TALK, a -> StreamCalls.ints(a).map(i -> 2 * i)).build();
            server = way == Way.TCP ? Server.builder().tcp("127.0.0.1", 0).add(endpoint).start() : null;
            channel = server == null ? InProcessChannel.open(options, null, endpoint) : TcpChannel.open("127.0.0.1", server.port(), options);
        }

        /** 0 to n - 1; then, if n is odd, an exception. */
        private Stream<Integer> count(Args args) {
            CallContext.current().answerMetadata("x-count", Integer.toString(args.n()));
            int[] next = {0};
            return ItemSource.<Integer>stream(action -> {
                if (next[0] == args.n()) {
                    if (args.n() % 2 != 0 && args.n() != ENDLESS) {
                        throw new Calls.Refused(args.n());
                    }
                    return false;
                }
                action.accept(next[0]++);
                return true;
            }).onClose(closed::countDown);
        }

        private static Stream<byte[]> load(Args args) {
            return Stream.of(new byte[args.n()], new byte[1]);
        }

        /** The sum of the first n, or of all if n is 0. */
        private static Integer sum(Args args) {
            Stream<Integer> items = StreamCalls.ints(args);
            return (args.n() == 0 ? items : items.limit(args.n())).mapToInt(i -> i).sum();
        }

        <R> R call(ServiceMethod<Args, R> method, int n, Stream<?> items) throws Exception {
            return Items.await(channel.stream(method, new Args(n, items), CallOptions.NONE));
        }

        Stream<Integer> count(int n) throws Exception {
            return call(StreamCalls.COUNT, n, null);
        }

        @Override
        public void close() {
            channel.close();
            if (server != null) {
                server.close();
            }
        }
    }

    private static Rig rig(Way way) throws IOException {
        return new Rig(way, ClientOptions.DEFAULT);
    }

    private static List<Integer> numbers(int n) {
        return IntStream.range(0, n).boxed().toList();
    }

    private static CreoException error(ErrorCode code, org.junit.jupiter.api.function.Executable call) {
        CreoException e = assertThrows(CreoException.class, call);
        assertEquals(code, e.code(), e.getMessage());
        return e;
    }

    @ParameterizedTest
    @EnumSource
    void givesResults(Way way) throws Exception {
        try (Rig rig = rig(way)) {
            assertEquals(numbers(10), rig.count(10).toList());
            assertEquals(List.of(), rig.count(0).toList());
            int many = 300_000;
            AtomicInteger seen = new AtomicInteger();
            rig.count(many).forEach(i -> assertEquals(seen.getAndIncrement(), i));
            assertEquals(many, seen.get());
            Iterator<Integer> one = rig.count(2).iterator();
            assertEquals(List.of(0, 1), List.of(one.next(), one.next()));
            assertFalse(one.hasNext());
            assertFalse(one.hasNext());
            List<byte[]> loaded = rig.call(StreamCalls.LOAD, 5_000_000, null).toList();
            assertArrayEquals(new int[] {5_000_000, 1}, loaded.stream().mapToInt(b -> b.length).toArray());
        }
    }

    @ParameterizedTest
    @EnumSource
    void failuresFollowTheItems(Way way) throws Exception {
        try (Rig rig = rig(way)) {
            List<Integer> seen = new ArrayList<>();
            Stream<Integer> stream = rig.count(7);
            Calls.Refused e = assertThrows(Calls.Refused.class, () -> stream.forEach(seen::add));
            assertEquals(7, e.wait);
            assertEquals(numbers(7), seen);
            assertEquals(List.of(0, 1), rig.count(2).toList());
        }
    }

    @ParameterizedTest
    @EnumSource
    void takesArguments(Way way) throws Exception {
        try (Rig rig = rig(way)) {
            CountDownLatch closed = new CountDownLatch(1);
            assertEquals(4_950, rig.call(StreamCalls.SUM, 0, IntStream.range(0, 100).boxed().onClose(closed::countDown)));
            closed.await();
            assertEquals(0, rig.call(StreamCalls.SUM, 0, Stream.empty()));
            int many = 300_000;
            assertEquals(many, rig.call(StreamCalls.SUM, 0, Stream.generate(() -> 1).limit(many)));
            AtomicInteger taken = new AtomicInteger();
            assertEquals(3, rig.call(StreamCalls.SUM, 3, IntStream.iterate(0, i -> i + 1).peek(i -> taken.incrementAndGet()).boxed()));
            assertTrue(taken.get() < 3_000_000, "the source was read to " + taken);
        }
    }

    @ParameterizedTest
    @EnumSource
    void talksInTurns(Way way) throws Exception {
        try (Rig rig = rig(way)) {
            LinkedBlockingQueue<Integer> asks = new LinkedBlockingQueue<>();
            try (Stream<Integer> replies = rig.call(StreamCalls.TALK, 0, queued(asks))) {
                Iterator<Integer> each = replies.iterator();
                for (int i = 0; i < 100; i++) {
                    asks.add(i);
                    assertEquals(2 * i, each.next());
                }
                asks.add(-1);
                assertFalse(each.hasNext());
            }
        }
    }

    private static Stream<Integer> queued(LinkedBlockingQueue<Integer> numbers) {
        return ItemSource.stream(action -> {
            int next = numbers.take();
            if (next >= 0) {
                action.accept(next);
            }
            return next >= 0;
        });
    }

    /** CALL-42: the service's stream is closed, and a source that waits is interrupted. */
    @ParameterizedTest
    @EnumSource
    void closingEndsTheCall(Way way) throws Exception {
        try (Rig rig = rig(way)) {
            Stream<Integer> stream = rig.count(ENDLESS);
            Iterator<Integer> each = stream.iterator();
            assertEquals(0, each.next());
            stream.close();
            error(ErrorCode.CANCELLED, () -> {
                while (true) {
                    each.next();
                }
            });
            rig.closed.await();
            CountDownLatch closed = new CountDownLatch(1);
            LinkedBlockingQueue<Integer> asks = new LinkedBlockingQueue<>(List.of(1));
            try (Stream<Integer> replies = rig.call(StreamCalls.TALK, 0, queued(asks).onClose(closed::countDown))) {
                assertEquals(2, replies.iterator().next());
            }
            closed.await();
        }
    }

    /** CALL-41. */
    @ParameterizedTest
    @EnumSource
    void aSourceThatFailsFailsTheCall(Way way) throws Exception {
        try (Rig rig = rig(way)) {
            IOException own = new IOException("own");
            Stream<Integer> broken = ItemSource.stream(action -> {
                throw own;
            });
            assertSame(own, assertThrows(IOException.class, () -> rig.call(StreamCalls.SUM, 0, broken)));
            Stream<Integer> again = ItemSource.stream(action -> {
                throw own;
            });
            assertSame(own, assertThrows(IOException.class, () -> rig.call(StreamCalls.TALK, 0, again).toList()));
            assertThrows(NullPointerException.class, () -> rig.call(StreamCalls.SUM, 0, Stream.of(1, null)));
            assertEquals(1, rig.call(StreamCalls.SUM, 0, Stream.of(1)));
        }
    }

    /** CALL-44: none by default, and one that the program gives covers the whole call. */
    @ParameterizedTest
    @EnumSource
    void aDeadlineEndsTheCall(Way way) throws Exception {
        ClientOptions hasty = ClientOptions.DEFAULT.withLimits(Limits.DEFAULT.withDeadline(Duration.ofMillis(1)));
        try (Rig rig = new Rig(way, hasty)) {
            assertEquals(numbers(100_000), rig.count(100_000).toList());
            CallOptions brief = CallOptions.NONE.withDeadline(Duration.ofMillis(100));
            error(ErrorCode.DEADLINE_EXCEEDED, () -> {
                Stream<Integer> endless = Items.await(rig.channel.stream(StreamCalls.COUNT, new Args(ENDLESS, null), brief));
                endless.forEach(i -> {});
            });
            rig.closed.await();
            CountDownLatch closed = new CountDownLatch(1);
            Stream<Integer> waiting = queued(new LinkedBlockingQueue<>()).onClose(closed::countDown);
            error(ErrorCode.DEADLINE_EXCEEDED, () -> Items.await(rig.channel.stream(StreamCalls.SUM, new Args(0, waiting), brief)));
            closed.await();
        }
    }

    @ParameterizedTest
    @EnumSource
    void anInterruptEndsTheCall(Way way) throws Exception {
        try (Rig rig = rig(way)) {
            Stream<Integer> replies = rig.call(StreamCalls.TALK, 0, queued(new LinkedBlockingQueue<>()));
            Thread.currentThread().interrupt();
            error(ErrorCode.CANCELLED, replies::toList);
            assertTrue(Thread.interrupted());
            CountDownLatch closed = new CountDownLatch(1);
            Thread.currentThread().interrupt();
            error(ErrorCode.CANCELLED, () -> rig.call(StreamCalls.SUM, 0, queued(new LinkedBlockingQueue<>()).onClose(closed::countDown)));
            assertTrue(Thread.interrupted());
            closed.await();
            assertEquals(List.of(0, 1), rig.count(2).toList());
        }
    }

    @ParameterizedTest
    @EnumSource
    void closingTheChannelEndsCalls(Way way) throws Exception {
        CountDownLatch closed = new CountDownLatch(1);
        CompletableFuture<Integer> sum;
        Stream<Integer> replies;
        try (Rig rig = rig(way)) {
            sum = rig.channel.stream(StreamCalls.SUM, new Args(0, queued(new LinkedBlockingQueue<>()).onClose(closed::countDown)), CallOptions.NONE);
            replies = rig.call(StreamCalls.TALK, 0, queued(new LinkedBlockingQueue<>()));
        }
        error(ErrorCode.UNAVAILABLE, () -> Items.await(sum));
        error(ErrorCode.UNAVAILABLE, replies::toList);
        closed.await();
    }

    /** As if the channel was closed just after the request was written. */
    @Test
    void withoutThreadsTheChannelIsClosed() {
        CountDownLatch closed = new CountDownLatch(1);
        CompletableFuture<MethodStreams.Call<Integer>> call = new CompletableFuture<>();
        Executor none = task -> {
            throw new RejectedExecutionException();
        };
        call.complete(StreamCalls.SUM.streams().call(new Args(0, Stream.of(1).onClose(closed::countDown)), CallOptions.NONE, Limits.DEFAULT, none,
            new MethodStreams.Carrier() {
                @Override
                public void send(byte[] buffer, int from, int to, boolean last) {
                    throw new AssertionError("items were sent");
                }

                @Override
                public void credit(int bytes) {}

                @Override
                public void end(Throwable why) {
                    call.join().ended(null, why);
                }

                @Override
                public boolean hasBegun() {
                    return true;
                }

                @Override
                public Answer answer() {
                    return null;
                }
            }));
        call.join().sent();
        error(ErrorCode.UNAVAILABLE, () -> Items.await(call.join().future()));
        assertEquals(0, closed.getCount());
    }

    @ParameterizedTest
    @EnumSource
    void cancellingTheFutureEndsTheCall(Way way) throws Exception {
        try (Rig rig = rig(way)) {
            CountDownLatch closed = new CountDownLatch(1);
            CompletableFuture<Integer> sum = rig.channel.stream(StreamCalls.SUM, new Args(0, queued(new LinkedBlockingQueue<>()).onClose(closed::countDown)),
                CallOptions.NONE);
            sum.cancel(true);
            closed.await();
        }
    }

    /** CALL-43: at the end of the stream, with what came with the answer. */
    @ParameterizedTest
    @EnumSource
    void interceptorsSeeTheWholeCall(Way way) throws Exception {
        List<String> told = Collections.synchronizedList(new ArrayList<>());
        ClientOptions seen = ClientOptions.DEFAULT.withRetry(RetryPolicy.DEFAULT).withInterceptor(call -> {
            told.add("begin " + call.method().name());
            return outcome -> told.add("end " + outcome + (outcome.answer() == null ? "" : " " + outcome.answer().metadata()));
        });
        try (Rig rig = new Rig(way, seen)) {
            Iterator<Integer> each = rig.count(2).iterator();
            each.next();
            each.next();
            assertEquals(List.of("begin count"), told);
            assertFalse(each.hasNext());
            assertEquals(List.of("begin count", "end result {x-count=2}"), told);
            told.clear();
            assertThrows(Calls.Refused.class, () -> rig.count(3).toList());
            assertEquals(List.of("begin count", "end Refused {x-count=3}"), told);
            told.clear();
            rig.count(ENDLESS).close();
            assertEquals(List.of("begin count", "end cancelled"), told);
            told.clear();
            assertEquals(1, rig.call(StreamCalls.SUM, 0, Stream.of(1)));
            assertEquals(List.of("begin sum", "end result {}"), told);
        }
        ClientOptions refusing = ClientOptions.DEFAULT.withInterceptor(call -> {
            throw new CreoException(ErrorCode.PERMISSION_DENIED, "no");
        });
        try (Rig rig = new Rig(way, refusing)) {
            CountDownLatch closed = new CountDownLatch(1);
            error(ErrorCode.PERMISSION_DENIED, () -> rig.call(StreamCalls.SUM, 0, Stream.of(1).onClose(closed::countDown)));
            closed.await();
        }
    }
}
