package creo.runtime;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import creo.runtime.codegen.Codec;
import creo.runtime.codegen.Reader;
import creo.runtime.codegen.ServiceInterface;
import creo.runtime.codegen.ServiceMethod;
import creo.runtime.codegen.Writer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Calls from a client to a service. */
@Timeout(value = 300, unit = TimeUnit.SECONDS)
class CallsTest {
    static CreoException error(ErrorCode code, org.junit.jupiter.api.function.Executable call) {
        CreoException e = assertThrows(CreoException.class, call);
        assertEquals(code, e.code(), e.getMessage());
        return e;
    }

    /** The ways of a call: a separate or a shared connection; to a service that blocks, or answers in stages. */
    private interface Way {
        void go(Channel channel) throws Exception;
    }

    private static void everyWay(Calls.Service service, Way way) throws Exception {
        ExecutorService threads = Executors.newCachedThreadPool();
        try {
            for (Endpoint endpoint : List.of(Calls.endpoint(service), Calls.asyncEndpoint(service, threads))) {
                try (Server server = Server.builder().add(endpoint).start()) {
                    for (ClientOptions options : List.of(ClientOptions.DEFAULT, ClientOptions.DEFAULT.withMaxConnections(0))) {
                        try (Channel channel = TcpChannel.open("127.0.0.1", server.port(), options)) {
                            way.go(channel);
                        }
                    }
                }
            }
        } finally {
            threads.shutdown();
        }
    }

    @Test
    void callsOfAllSizes() throws Exception {
        everyWay(text -> text, channel -> {
            for (int size : new int[] {0, 1, 8_000, 8_192, 16_383, 16_384, 65_536, 65_537, 3_000_000}) {
                byte[] data = new byte[size];
                new Random(size).nextBytes(data);
                assertArrayEquals(data, channel.call(Calls.ECHO, data, CallOptions.NONE));
                assertArrayEquals(data, channel.callAsync(Calls.ECHO, data, CallOptions.NONE).get());
                String text = "x".repeat(size);
                assertEquals(text, channel.call(Calls.SAY, text, CallOptions.NONE));
            }
        });
    }

    @Test
    void failuresArriveAsTheyShould() throws Exception {
        everyWay(text -> {
            switch (text) {
                case "refuse" -> throw new Calls.Refused(30);
                case "deny" -> throw new CreoException(ErrorCode.PERMISSION_DENIED, "not you");
                case "fail" -> throw new IllegalStateException("secret");
                case "leak" -> throw CreoException.ofRuntime(ErrorCode.UNAVAILABLE, "secret address");
                case "null" -> {
                    return null;
                }
                case "stack" -> throw new StackOverflowError("secret");
                default -> {
                    return text;
                }
            }
        }, channel -> {
            assertEquals(30, assertThrows(Calls.Refused.class, () -> channel.call(Calls.SAY, "refuse", CallOptions.NONE)).wait);
            assertEquals("not you", error(ErrorCode.PERMISSION_DENIED, () -> channel.call(Calls.SAY, "deny", CallOptions.NONE)).reason());
            for (String kind : List.of("fail", "leak", "null")) {
                CreoException e = error(ErrorCode.INTERNAL, () -> channel.call(Calls.SAY, kind, CallOptions.NONE));
                assertTrue(e.fromPeer());
                assertTrue(e.reason().matches("the service failed \\(reference [0-9a-f]{8}\\)"), e.reason());
                assertTrue(e.details().containsKey("peer"));
            }
            ExecutionException async = assertThrows(ExecutionException.class, () -> channel.callAsync(Calls.SAY, "refuse", CallOptions.NONE).get());
            assertInstanceOf(Calls.Refused.class, async.getCause());
            assertEquals("fine", channel.call(Calls.SAY, "fine", CallOptions.NONE));
            error(ErrorCode.INVALID_VALUE, () -> channel.call(Calls.SAY, "\ud800", CallOptions.NONE));
            error(ErrorCode.INVALID_VALUE, () -> channel.call(Calls.SAY, "x".repeat(200_000) + "\ud800", CallOptions.NONE));
            assertEquals("fine", channel.call(Calls.SAY, "fine", CallOptions.NONE));
            CreoException unknown = error(ErrorCode.UNKNOWN_METHOD, () -> channel.call(Calls.LOST, "x", CallOptions.NONE));
            assertTrue(unknown.getMessage().contains("test.Calls.lost") && unknown.getMessage().contains("1111222233334444"), unknown.getMessage());
        });
    }

    @Test
    void aRequestThatFailsHalfWayLeavesNothingBehind() throws Exception {
        Codec<byte[]> half = Codec.of((w, v) -> {
            w.writeBytes(v);
            throw CreoException.missing();
        }, Reader::readBytes);
        ServiceMethod<byte[], byte[]> broken = ServiceMethod.of(Calls.INTERFACE, "echo", 2, half, Codec.of(Writer::writeBytes, Reader::readBytes));
        everyWay(text -> text, channel -> {
            error(ErrorCode.INVALID_VALUE, () -> channel.call(broken, new byte[1_000_000], CallOptions.NONE));
            assertEquals("fine", channel.call(Calls.SAY, "fine", CallOptions.NONE));
        });
    }

    @Test
    void deadlinesEndCallsOnBothSides() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch interrupted = new CountDownLatch(1);
        Calls.Service service = text -> {
            begun.countDown();
            try {
                Thread.sleep(30_000);
            } catch (InterruptedException e) {
                interrupted.countDown();
            }
            return text;
        };
        try (Server server = Calls.serve(service); Channel channel = Calls.connect(server)) {
            CallOptions brief = CallOptions.NONE.withDeadline(Duration.ofMillis(100));
            // A slow machine needs more time until the method begins.
            for (int time = 500; begun.getCount() > 0 && time < 60_000; time *= 2) {
                CallOptions longer = CallOptions.NONE.withDeadline(Duration.ofMillis(time));
                error(ErrorCode.DEADLINE_EXCEEDED, () -> channel.call(Calls.SAY, "x", longer));
            }
            assertTrue(interrupted.await(60, TimeUnit.SECONDS));
            assertEquals(1, channel.call(Calls.SLEEP, 1, CallOptions.NONE));
            ExecutionException e = assertThrows(ExecutionException.class, () -> channel.callAsync(Calls.SLEEP, 30_000, brief).get());
            assertEquals(ErrorCode.DEADLINE_EXCEEDED, ((CreoException) e.getCause()).code());
            assertEquals(1, channel.callAsync(Calls.SLEEP, 1, CallOptions.NONE).get());
        }
    }

    @Test
    void aCancelledCallEndsOnBothSides() throws Exception {
        CountDownLatch running = new CountDownLatch(1);
        CountDownLatch interrupted = new CountDownLatch(1);
        Calls.Service service = text -> {
            running.countDown();
            try {
                Thread.sleep(30_000);
            } catch (InterruptedException e) {
                interrupted.countDown();
            }
            return text;
        };
        try (Server server = Calls.serve(service); Channel channel = Calls.connect(server)) {
            CompletableFuture<String> call = channel.callAsync(Calls.SAY, "x", CallOptions.NONE);
            assertTrue(running.await(60, TimeUnit.SECONDS));
            assertTrue(call.cancel(true));
            assertThrows(CancellationException.class, call::get);
            assertTrue(interrupted.await(60, TimeUnit.SECONDS));
            assertEquals(1, channel.callAsync(Calls.SLEEP, 1, CallOptions.NONE).get());
        }
    }

    @Test
    void manyCallsAreUnderWayAtOnce() throws Exception {
        everyWay(text -> text, channel -> {
            List<CompletableFuture<Integer>> calls = new ArrayList<>();
            for (int i = 0; i < 200; i++) {
                calls.add(channel.callAsync(Calls.SLEEP, i % 20, CallOptions.NONE));
            }
            for (int i = 0; i < 200; i++) {
                assertEquals(i % 20, calls.get(i).get());
            }
        });
    }

    @Test
    void manyThreadsShareAClient() throws Exception {
        everyWay(text -> text, channel -> {
            List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());
            List<Thread> threads = new ArrayList<>();
            for (int t = 0; t < 16; t++) {
                String name = "thread " + t;
                Thread thread = new Thread(() -> {
                    try {
                        for (int i = 0; i < 200; i++) {
                            assertEquals(name + i, channel.call(Calls.SAY, name + i, CallOptions.NONE));
                        }
                    } catch (Throwable e) {
                        failures.add(e);
                    }
                });
                threads.add(thread);
                thread.start();
            }
            for (Thread thread : threads) {
                thread.join();
            }
            assertEquals(List.of(), failures);
        });
    }

    @Test
    void aFullServiceRefusesAtOnce() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        Limits limits = Limits.DEFAULT.withMaxConcurrency(2).withMaxQueue(1);
        AtomicInteger started = new AtomicInteger();
        Endpoint endpoint = Calls.endpoint(text -> {
            started.incrementAndGet();
            go.await();
            return text;
        });
        try (Server server = Server.builder().limits(limits).add(endpoint).start(); Channel channel = Calls.connect(server)) {
            List<CompletableFuture<String>> calls = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                calls.add(channel.callAsync(Calls.SAY, "x" + i, CallOptions.NONE));
                for (int wait = 0; wait < 2_000 && started.get() < Math.min(i + 1, 2); wait++) {
                    Thread.sleep(5);
                }
            }
            CreoException refused = null;
            for (int i = 0; i < 100 && refused == null; i++) {
                ExecutionException e = assertThrows(ExecutionException.class,
                    () -> channel.callAsync(Calls.SAY, "more", CallOptions.NONE.withDeadline(Duration.ofMillis(500))).get());
                refused = ((CreoException) e.getCause()).code() == ErrorCode.OVERLOADED ? (CreoException) e.getCause() : null;
            }
            assertNotNull(refused);
            assertEquals("1", refused.details().get("allowed"));
            go.countDown();
            for (int i = 0; i < 3; i++) {
                assertEquals("x" + i, calls.get(i).get());
            }
        }
    }

    @Test
    void theAddressOfAServerThatHasEndedIsFree() throws Exception {
        for (int i = 0; i < 100; i++) {
            Server server = Calls.serve(text -> text);
            int port = server.port();
            server.close();
            new DeadPort(port).close();
        }
    }

    @Test
    void aServerDrainsBeforeItEnds() throws Exception {
        CountDownLatch running = new CountDownLatch(2);
        Endpoint endpoint = Calls.endpoint(text -> {
            running.countDown();
            Thread.sleep(300);
            return text;
        });
        Server server = Server.builder().add(endpoint).start();
        try (Channel channel = Calls.connect(server); Channel second = Calls.connect(server)) {
            CompletableFuture<String> shared = channel.callAsync(Calls.SAY, "shared", CallOptions.NONE);
            CompletableFuture<String> own = new CompletableFuture<>();
            new Thread(() -> {
                try {
                    own.complete(second.call(Calls.SAY, "own", CallOptions.NONE));
                } catch (Exception e) {
                    own.completeExceptionally(e);
                }
            }).start();
            assertTrue(running.await(60, TimeUnit.SECONDS));
            server.close();
            assertEquals("shared", shared.get());
            assertEquals("own", own.get());
            error(ErrorCode.UNAVAILABLE, () -> channel.call(Calls.SAY, "late", CallOptions.NONE));
            server.join();
        }
    }

    @Test
    void drainingTakesNoLongerThanItsTime() throws Exception {
        Limits limits = Limits.DEFAULT.withDrainTime(Duration.ofMillis(200));
        CountDownLatch running = new CountDownLatch(1);
        Server server = Server.builder().limits(limits).add(Calls.endpoint(text -> {
            running.countDown();
            Thread.sleep(30_000);
            return text;
        })).start();
        try (Channel channel = Calls.connect(server)) {
            CompletableFuture<String> call = channel.callAsync(Calls.SAY, "x", CallOptions.NONE);
            assertTrue(running.await(60, TimeUnit.SECONDS));
            long start = System.nanoTime();
            server.close();
            assertTrue(System.nanoTime() - start < TimeUnit.SECONDS.toNanos(20));
            assertEquals(ErrorCode.UNAVAILABLE, ((CreoException) assertThrows(ExecutionException.class, call::get).getCause()).code());
        }
    }

    @Test
    void aServiceKnowsItsCall() throws Exception {
        List<Object> seen = new ArrayList<>();
        Endpoint endpoint = Calls.endpoint(text -> {
            CallContext call = CallContext.current();
            seen.addAll(List.of(call.method(), call.metadata(), call.principal().getName(), call.timeLeft(), call.peer()));
            return text;
        });
        Authenticator authenticator = call -> {
            String who = call.metadata().get("authorization");
            if (who == null) {
                throw new CreoException(ErrorCode.UNAUTHENTICATED, "who are you?");
            }
            return () -> who;
        };
        try (Server server = Server.builder().authenticator(authenticator).add(endpoint).start();
                Channel channel = TcpChannel.open("127.0.0.1", server.port(), ClientOptions.DEFAULT.withMetadata("x-client", "\u00e9"))) {
            error(ErrorCode.UNAUTHENTICATED, () -> channel.call(Calls.SAY, "x", CallOptions.NONE));
            CallOptions options = CallOptions.NONE.withMetadata("authorization", "me").withDeadline(Duration.ofSeconds(30));
            assertEquals("x", channel.call(Calls.SAY, "x", options));
            assertSame(Calls.SAY, seen.get(0));
            assertEquals(Map.of("x-client", "\u00e9", "authorization", "me"), seen.get(1));
            assertEquals("me", seen.get(2));
            assertTrue(((Duration) seen.get(3)).compareTo(Duration.ofSeconds(30)) <= 0);
            assertTrue(((String) seen.get(4)).startsWith("127.0.0.1:"));
        }
        assertThrows(IllegalStateException.class, CallContext::current);
        assertThrows(CreoException.class, () -> CallOptions.NONE.withMetadata("Upper", "x"));
        assertThrows(CreoException.class, () -> CallOptions.NONE.withMetadata("creo-own", "x"));
        error(ErrorCode.TOO_LARGE, () -> {
            try (Server server = Calls.serve(text -> text); Channel channel = Calls.connect(server)) {
                channel.call(Calls.SAY, "x", CallOptions.NONE.withMetadata("a", "x".repeat(20_000)));
            }
        });
    }

    @Test
    void bothSidesOfAnUnknownMethodAreNamed() throws Exception {
        ServiceInterface other = new ServiceInterface("test.Calls", 0x5555L);
        ServiceMethod<String, String> changed = ServiceMethod.of(other, "say", 77, Calls.SAY.arguments(), Calls.SAY.result());
        try (Server server = Calls.serve(text -> text); Channel channel = Calls.connect(server)) {
            String text = error(ErrorCode.UNKNOWN_METHOD, () -> channel.call(changed, "x", CallOptions.NONE)).getMessage();
            for (String part : List.of("test.Calls.say", "0000000000005555", "1111222233334444", "different descriptions")) {
                assertTrue(text.contains(part), text);
            }
        }
    }

    /** ERR-5: that the descriptions differ is said before the list of offers, of which ERR-8 cuts off the rest. */
    @Test
    void bothSidesOfAnUnknownMethodAreNamedBeforeManyOffers() throws Exception {
        ServiceMethod<String, String> changed = ServiceMethod.of(new ServiceInterface("test.Calls", 0x5555L), "say", 77, Calls.SAY.arguments(), Calls.SAY.result());
        Server.Builder builder = Server.builder();
        for (int i = 0; i < 60; i++) {
            ServiceInterface other = new ServiceInterface("test.a.fairly.long.name.of.a.module.Interface" + i, i);
            builder.add(Endpoint.builder(other).wires(Calls.WIRES).method(ServiceMethod.of(other, "say", 1_000 + i, Calls.SAY.arguments(), Calls.SAY.result()), text -> text).build());
        }
        try (Server server = builder.add(Calls.endpoint(text -> text)).start(); Channel channel = Calls.connect(server)) {
            String text = error(ErrorCode.UNKNOWN_METHOD, () -> channel.call(changed, "x", CallOptions.NONE)).getMessage();
            for (String part : List.of("test.Calls.say", "0000000000005555", "1111222233334444", "different descriptions")) {
                assertTrue(text.contains(part), text);
            }
        }
    }

    @Test
    void metadataThatIsLongTravels() throws Exception {
        Endpoint endpoint = Calls.endpoint(text -> CallContext.current().metadata().get("a"));
        try (Server server = Server.builder().add(endpoint).start(); Channel channel = Calls.connect(server)) {
            String value = "v".repeat(16_000);
            assertEquals(value, channel.call(Calls.SAY, "x".repeat(100_000), CallOptions.NONE.withMetadata("a", value)));
        }
    }

    @Test
    void largeBodiesAreCompressedWhereBothSidesWish() throws Exception {
        try (Server server = Server.builder().compression().add(Calls.endpoint(text -> text)).start();
                Channel channel = TcpChannel.open("127.0.0.1", server.port(), ClientOptions.DEFAULT.withCompression())) {
            Random random = new Random(1);
            for (int size : new int[] {10, 1_000, 2_000, 60_000, 70_000, 2_000_000}) {
                byte[] noise = new byte[size];
                random.nextBytes(noise);
                for (byte[] data : List.of(noise, new byte[size])) {
                    for (int again = 0; again < 2; again++) {
                        assertArrayEquals(data, channel.call(Calls.ECHO, data, CallOptions.NONE));
                        assertArrayEquals(data, channel.callAsync(Calls.ECHO, data, CallOptions.NONE).get());
                    }
                }
            }
        }
    }

    @Test
    void aCompressedBodyIsHeldToTheLimit() throws Exception {
        Limits limits = Limits.DEFAULT.withMaxMessageSize(100_000);
        try (Server server = Server.builder().limits(limits).add(Calls.endpoint(text -> text)).start();
                Channel channel = TcpChannel.open("127.0.0.1", server.port(), ClientOptions.DEFAULT.withCompression())) {
            channel.call(Calls.SAY, "first", CallOptions.NONE);
            error(ErrorCode.TOO_LARGE, () -> channel.call(Calls.ECHO, new byte[10_000_000], CallOptions.NONE));
            assertEquals("fine", channel.call(Calls.SAY, "fine", CallOptions.NONE));
        }
    }

    @Test
    void anAnswerThatIsTooLargeEndsItsCall() throws Exception {
        try (Server server = Calls.serve(text -> "x".repeat(Integer.parseInt(text)))) {
            Limits limits = Limits.DEFAULT.withMaxMessageSize(100_000);
            for (ClientOptions options : List.of(ClientOptions.DEFAULT.withLimits(limits), ClientOptions.DEFAULT.withLimits(limits).withMaxConnections(0))) {
                try (Channel channel = TcpChannel.open("127.0.0.1", server.port(), options)) {
                    CreoException e = error(ErrorCode.TOO_LARGE, () -> channel.call(Calls.SAY, "1000000", CallOptions.NONE));
                    assertEquals("maxMessageSize", e.details().get("limit"));
                    assertEquals("xxx", channel.call(Calls.SAY, "3", CallOptions.NONE));
                }
            }
        }
    }

    @Test
    void onewayCallsAreNotAnswered() throws Exception {
        List<String> notes = Collections.synchronizedList(new ArrayList<>());
        Calls.Service service = new Calls.Service() {
            @Override
            public String say(String text) {
                return text;
            }

            @Override
            public void note(String text) {
                if (text.equals("fail")) {
                    throw new IllegalStateException("as asked");
                }
                notes.add(text);
            }
        };
        try (Server server = Calls.serve(service); Channel channel = Calls.connect(server)) {
            assertNull(channel.call(Calls.NOTE, "fail", CallOptions.NONE));
            for (int i = 0; i < 50; i++) {
                channel.call(Calls.NOTE, "n" + i, CallOptions.NONE);
            }
            assertNull(channel.callAsync(Calls.NOTE, "last", CallOptions.NONE).get());
            for (int i = 0; i < 2_000 && notes.size() < 51; i++) {
                Thread.sleep(5);
            }
            assertEquals(51, notes.size());
            assertEquals("fine", channel.call(Calls.SAY, "fine", CallOptions.NONE));
        }
    }

    @Test
    void aClosedClientSaysSo() throws Exception {
        try (Server server = Calls.serve(text -> text)) {
            Channel channel = Calls.connect(server);
            channel.call(Calls.SAY, "x", CallOptions.NONE);
            CompletableFuture<Integer> call = channel.callAsync(Calls.SLEEP, 30_000, CallOptions.NONE);
            channel.close();
            assertThrows(ExecutionException.class, call::get);
            error(ErrorCode.UNAVAILABLE, () -> channel.call(Calls.SAY, "x", CallOptions.NONE));
            assertThrows(ExecutionException.class, () -> channel.callAsync(Calls.SAY, "x", CallOptions.NONE).get());
            channel.close();
        }
    }

    @Test
    void anInterruptOfTheServicesOwnDoesNotHurtTheConnection() throws Exception {
        try (Server server = Calls.serve(text -> {
            Thread.currentThread().interrupt();
            return text;
        }); Channel channel = Calls.connect(server)) {
            for (int i = 0; i < 20; i++) {
                assertEquals("x", channel.call(Calls.SAY, "x", CallOptions.NONE));
            }
        }
        assertFalse(Thread.currentThread().isInterrupted());
    }
}
