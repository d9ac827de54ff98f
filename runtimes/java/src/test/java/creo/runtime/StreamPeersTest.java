package creo.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import creo.runtime.StreamCalls.Args;
import creo.runtime.codegen.Bytes;
import creo.runtime.codegen.Items;
import creo.runtime.codegen.ServiceMethod;
import creo.runtime.internal.tcp.TcpFrames;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The client's side of streams over TCP, frame by frame (TCP-30 to TCP-36). */
@Timeout(value = 300, unit = TimeUnit.SECONDS)
class StreamPeersTest {
    private static final String RESPONSE = Raw.frame(TcpFrames.RESPONSE, 0, 1, "");

    /** A server whose one connection the test plays. */
    private static final class Script implements AutoCloseable {
        private final ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        private final Channel channel;
        private Raw raw;

        Script(ClientOptions options) throws IOException {
            channel = TcpChannel.open("127.0.0.1", listener.getLocalPort(), options);
        }

        /** Begins a call, and reads its request. */
        <R> CompletableFuture<R> call(ServiceMethod<Args, R> method, Stream<?> items) throws IOException {
            CompletableFuture<R> call = channel.stream(method, new Args(7, items), CallOptions.NONE);
            if (raw == null) {
                raw = new Raw(listener.accept());
                raw.greet();
            }
            Raw.Frame request = StreamCalls.next(raw);
            assertEquals(TcpFrames.REQUEST, request.kind());
            assertEquals(method.id(), Bytes.getLong(request.body(), 0));
            assertEquals(0, Bytes.getInt(request.body(), 8), "no deadline");
            assertEquals(16, request.body().length);
            return call;
        }

        Stream<Integer> count() throws Exception {
            return Items.await(call(StreamCalls.COUNT, null));
        }

        void send(String... frames) throws IOException {
            for (String frame : frames) {
                raw.send(frame);
            }
        }

        /** The next frame is of this kind, for call 1; credit is skipped unless it is that. */
        Raw.Frame expect(int kind) throws IOException {
            Raw.Frame frame = kind == TcpFrames.CREDIT ? raw.next() : StreamCalls.next(raw);
            assertEquals(kind, frame.kind());
            assertEquals(1, frame.id());
            return frame;
        }

        @Override
        public void close() throws IOException {
            channel.close();
            listener.close();
            if (raw != null) {
                raw.close();
            }
        }
    }

    private static Script script() throws IOException {
        return new Script(ClientOptions.DEFAULT);
    }

    private static CreoException error(ErrorCode code, org.junit.jupiter.api.function.Executable call) {
        CreoException e = assertThrows(CreoException.class, call);
        assertEquals(code, e.code(), e.getMessage());
        return e;
    }

    @Test
    void readsFramesAsTheyCome() throws Exception {
        try (Script script = script()) {
            Stream<Integer> stream = script.count();
            script.send(StreamCalls.items(1, false), StreamCalls.items(1, false, 1), StreamCalls.items(1, false, 2, 3));
            Iterator<Integer> each = stream.iterator();
            assertEquals(List.of(1, 2, 3), List.of(each.next(), each.next(), each.next()));
            script.send(RESPONSE, StreamCalls.items(1, false, 4));
            assertFalse(each.hasNext());
        }
    }

    /** TCP-36. */
    @Test
    void aLostConnectionEndsTheItems() throws Exception {
        try (Script script = script()) {
            Stream<Integer> stream = script.count();
            script.send(StreamCalls.items(1, false, 1, 2));
            script.raw.close();
            List<Integer> seen = new ArrayList<>();
            CreoException e = error(ErrorCode.UNAVAILABLE, () -> stream.forEach(seen::add));
            assertEquals(List.of(1, 2), seen);
            assertFalse(e.notStarted());
        }
    }

    /** TCP-34: the connection goes on. */
    @Test
    void brokenItemsEndTheCall() throws Exception {
        for (String body : List.of("02 00000001 0000", "01 00000001 00", "80 00 00000001", "ff ff ff ff 07")) {
            try (Script script = script()) {
                Stream<Integer> stream = script.count();
                script.send(StreamCalls.items(1, false, 5), Raw.frame(TcpFrames.ITEMS, 0, 1, body));
                List<Integer> seen = new ArrayList<>();
                CreoException e = error(ErrorCode.MALFORMED, () -> stream.forEach(seen::add));
                assertTrue(e.place().startsWith("$items"), e.place());
                assertEquals(5, seen.get(0));
                script.expect(TcpFrames.CANCEL);
                Stream<Integer> next = script.count();
                script.send(StreamCalls.items(2, false, 6), Raw.frame(TcpFrames.RESPONSE, 0, 2, ""));
                assertEquals(List.of(6), next.toList());
            }
        }
    }

    /** TCP-33. */
    @Test
    void framesThatMustNotComeEndTheConnection() throws Exception {
        String late = StreamCalls.items(1, true, 1);
        for (String frame : List.of(late, Raw.frame(TcpFrames.CREDIT, 0, 1, "00000001"))) {
            try (Script script = script()) {
                Stream<Integer> stream = script.count();
                script.send(frame);
                error(ErrorCode.MALFORMED, stream::toList);
            }
        }
        for (String frame : List.of(StreamCalls.items(1, false, 1), StreamCalls.credit(1, 0), StreamCalls.credit(1, -1), StreamCalls.credit(1, Integer.MAX_VALUE))) {
            try (Script script = script()) {
                CompletableFuture<Integer> sum = script.call(StreamCalls.SUM, Stream.generate(() -> 1));
                script.send(frame);
                error(ErrorCode.MALFORMED, () -> Items.await(sum));
            }
        }
    }

    /** TCP-32: the credit of a client that does not read stays as it was, and that of one that reads is at most the window. */
    @Test
    void givesCreditForWhatIsTaken() throws Exception {
        int window = 400_000;
        int size = 60_000;
        try (Script script = new Script(ClientOptions.DEFAULT.withLimits(Limits.DEFAULT.withStreamWindow(window)))) {
            Iterator<byte[]> each = Items.await(script.call(StreamCalls.LOAD, null)).iterator();
            long credit = 262_144;
            for (int i = 0; i < 40; i++) {
                int sent = 0;
                for (; credit > 0; sent++) {
                    byte[] frame = StreamCalls.blob(1, false, size);
                    script.raw.send(frame);
                    credit -= frame.length - 10;
                }
                for (; sent > 0; sent--) {
                    assertEquals(size, each.next().length);
                }
                credit += Bytes.getInt(script.expect(TcpFrames.CREDIT).body(), 0);
                assertTrue(credit > 0 && credit <= window, "credit of " + credit);
            }
        }
    }

    @Test
    void itemsWithoutCreditEndTheConnection() throws Exception {
        try (Script script = script()) {
            Stream<byte[]> stream = Items.await(script.call(StreamCalls.LOAD, null));
            script.raw.send(StreamCalls.blob(1, false, 300_000)).send(StreamCalls.blob(1, false, 1));
            error(ErrorCode.MALFORMED, stream::toList);
        }
    }

    @Test
    void anItemBeyondTheLimitsEndsTheCall() throws Exception {
        try (Script script = new Script(ClientOptions.DEFAULT.withLimits(Limits.DEFAULT.withMaxMessageSize(1_000)))) {
            Stream<byte[]> stream = Items.await(script.call(StreamCalls.LOAD, null));
            script.raw.send(StreamCalls.blob(1, false, 1_500));
            assertEquals("maxMessageSize", error(ErrorCode.TOO_LARGE, stream::toList).details().get("limit"));
            script.expect(TcpFrames.CANCEL);
        }
    }

    /** TCP-31, TCP-32: in frames, while there is credit, and the last one says so. */
    @Test
    void sendsWhileThereIsCredit() throws Exception {
        try (Script script = script()) {
            AtomicInteger taken = new AtomicInteger();
            CompletableFuture<Integer> sum = script.call(StreamCalls.SUM, Stream.generate(taken::getAndIncrement).limit(200_000));
            long credit = 262_144;
            int next = 0;
            boolean last = false;
            while (!last) {
                if (credit <= 0) {
                    assertTrue(taken.get() <= next + 2 * 16_384 + 1, "taken: " + taken + " of " + next);
                    script.send(StreamCalls.credit(1, 100_000));
                    credit += 100_000;
                }
                Raw.Frame frame = script.expect(TcpFrames.ITEMS);
                credit -= frame.body().length;
                assertTrue(frame.body().length <= 65_536);
                for (int each : StreamCalls.numbers(frame)) {
                    assertEquals(next++, each);
                }
                last = frame.flags() == TcpFrames.END;
            }
            assertEquals(200_000, next);
            script.send(Raw.frame(TcpFrames.RESPONSE, 0, 1, "00000007"));
            assertEquals(7, Items.await(sum));
        }
    }

    /** TCP-30. */
    @Test
    void noItemWaitsForTheNext() throws Exception {
        try (Script script = script()) {
            CountDownLatch go = new CountDownLatch(1);
            Stream<Integer> items = Stream.concat(Stream.of(1), Stream.generate(() -> {
                try {
                    go.await();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
                return 2;
            }).limit(1));
            CompletableFuture<Integer> sum = script.call(StreamCalls.SUM, items);
            assertEquals(List.of(1), StreamCalls.numbers(script.expect(TcpFrames.ITEMS)));
            go.countDown();
            assertEquals(List.of(2), StreamCalls.numbers(script.expect(TcpFrames.ITEMS)));
            script.send(Raw.frame(TcpFrames.RESPONSE, 0, 1, "00000003"));
            assertEquals(3, Items.await(sum));
        }
    }

    /** The rest of a source is not taken when the answer has come. */
    @Test
    void theAnswerEndsTheSource() throws Exception {
        try (Script script = script()) {
            CountDownLatch closed = new CountDownLatch(1);
            CompletableFuture<Integer> sum = script.call(StreamCalls.SUM, Stream.generate(() -> 1).onClose(closed::countDown));
            script.expect(TcpFrames.ITEMS);
            script.send(Raw.frame(TcpFrames.RESPONSE, 0, 1, "00000009"));
            assertEquals(9, Items.await(sum));
            closed.await();
        }
    }

    /** CALL-45: such calls are not repeated, though the method says that it may be. */
    @Test
    void retriesDoNotRepeatThem() throws Exception {
        try (Script script = new Script(ClientOptions.DEFAULT.withRetry(RetryPolicy.DEFAULT))) {
            Stream<Integer> stream = Items.await(script.call(StreamCalls.COUNT.idempotent(), null));
            script.raw.close();
            error(ErrorCode.UNAVAILABLE, stream::toList);
            CountDownLatch closed = new CountDownLatch(1);
            script.listener.close();
            CompletableFuture<Integer> sum = script.channel.stream(StreamCalls.SUM, new Args(1, Stream.of(1).onClose(closed::countDown)), CallOptions.NONE);
            assertTrue(error(ErrorCode.UNAVAILABLE, () -> Items.await(sum)).details().get("attempts") == null);
            closed.await();
        }
    }

    /** CALL-47. */
    @Test
    void otherWiresDoNotCarryThem() throws Exception {
        for (Channel channel : List.of(JsonChannel.open("http://127.0.0.1:1", ClientOptions.DEFAULT), SoapChannel.open("http://127.0.0.1:1", ClientOptions.DEFAULT),
                TdxmlChannel.tcp("127.0.0.1", 1, ClientOptions.DEFAULT))) {
            try (channel) {
                CountDownLatch closed = new CountDownLatch(1);
                CreoException e = error(ErrorCode.UNKNOWN_METHOD,
                    () -> Items.await(channel.stream(StreamCalls.SUM, new Args(1, Stream.of(1).onClose(closed::countDown)), CallOptions.NONE)));
                assertTrue(e.reason().contains("streams") && e.reason().contains("binary wire"), e.reason());
                closed.await();
            }
        }
    }
}
