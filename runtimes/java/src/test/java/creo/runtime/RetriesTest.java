package creo.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import creo.runtime.codegen.ServiceMethod;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What hosts and clients say of calls that were not started, and repeated calls at real hosts (CALL-21 to CALL-38). */
@Timeout(value = 300, unit = TimeUnit.SECONDS)
class RetriesTest {
    private static final RetryPolicy QUICK = RetryPolicy.DEFAULT.withAttempts(10).withBaseDelay(Duration.ofMillis(1)).withMaxDelay(Duration.ofMillis(5));
    private static final ServiceMethod<String, String> ASK = Calls.SAY.idempotent();

    /** The ways to a service. */
    enum Way {
        TCP, SHARED, TABLES, JSON, SOAP, TDXML;

        Channel open(String address, ClientOptions options) {
            int port = Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
            String url = "http://" + address + "/Calls";
            return switch (this) {
                case TCP -> TcpChannel.open(address, options);
                case SHARED -> TcpChannel.open(address, options.withMaxConnections(0));
                case TABLES -> TdxmlChannel.tcp("127.0.0.1", port, options);
                case JSON -> JsonChannel.open(url, options);
                case SOAP -> SoapChannel.open(url, options);
                case TDXML -> TdxmlChannel.open(url, options);
            };
        }

        boolean isHttp() {
            return this == JSON || this == SOAP || this == TDXML;
        }
    }

    /** Ports on which nothing listens, and no other program can. */
    private final List<DeadPort> dead = new ArrayList<>();

    @AfterEach
    void giveBackPorts() throws IOException {
        for (DeadPort each : dead) {
            each.close();
        }
    }

    private static void end(AutoCloseable early) throws Exception {
        early.close();
    }

    /** Ends a server; connections to its port are refused from then on. */
    private void endForGood(Server server) throws Exception {
        end(server);
        hold(server.port());
    }

    private int hold(int port) throws IOException {
        DeadPort held = new DeadPort(port);
        dead.add(held);
        return held.number();
    }

    private static String address(Server server) {
        return "127.0.0.1:" + server.port();
    }

    /** How a call fails, without and with waiting. */
    private static List<CreoException> failures(Channel channel, CallOptions options) {
        CreoException blocking = assertThrows(CreoException.class, () -> channel.call(Calls.SAY, "x", options));
        Throwable async = assertThrows(ExecutionException.class, () -> channel.callAsync(Calls.SAY, "x", options).get()).getCause();
        return List.of(blocking, assertInstanceOf(CreoException.class, async));
    }

    /** The number of a port on which nothing listens. */
    private int deadPort() throws IOException {
        return hold(0);
    }

    @ParameterizedTest
    @EnumSource(Way.class)
    void aCallWithoutAConnectionWasNotStarted(Way way) throws Exception {
        try (Channel channel = way.open("127.0.0.1:" + deadPort(), ClientOptions.DEFAULT)) {
            for (CreoException e : failures(channel, CallOptions.NONE)) {
                assertEquals(ErrorCode.UNAVAILABLE, e.code());
                assertTrue(e.notStarted(), e.toString());
                assertFalse(e.fromPeer());
            }
            end(channel);
            for (CreoException e : failures(channel, CallOptions.NONE)) {
                assertEquals(ErrorCode.UNAVAILABLE, e.code());
                assertTrue(e.notStarted(), e.toString());
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Way.class)
    void aCallThatWasSentMayHaveStarted(Way way) throws Exception {
        try (Peer peer = new Peer((in, out) -> in.readNBytes(20)); Channel channel = way.open("127.0.0.1:" + peer.port(), ClientOptions.DEFAULT)) {
            for (CreoException e : failures(channel, CallOptions.NONE)) {
                assertEquals(ErrorCode.UNAVAILABLE, e.code());
                assertFalse(e.notStarted(), e.toString());
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Way.class)
    void aRefusalSaysThatNothingWasStarted(Way way) throws Exception {
        Set<String> refusers = ConcurrentHashMap.newKeySet();
        AtomicInteger started = new AtomicInteger();
        Endpoint endpoint = Calls.endpoint(text -> {
            started.incrementAndGet();
            if (refusers.contains("method")) {
                throw new CreoException(ErrorCode.OVERLOADED, "by the method");
            }
            if (refusers.contains("kind method")) {
                throw new CreoException(ErrorCode.OVERLOADED, "by the method", Map.of("started", "no", "retry-after", "2500"));
            }
            return text;
        });
        try (Server server = Server.builder().add(endpoint).authenticator(call -> {
            if (refusers.contains("authenticator")) {
                throw new CreoException(ErrorCode.UNAVAILABLE, "by the authenticator");
            }
            return null;
        }).interceptor(call -> {
            if (refusers.contains("interceptor")) {
                throw new CreoException(ErrorCode.OVERLOADED, "by the interceptor");
            }
            if (refusers.contains("bug")) {
                throw new IllegalStateException("a bug of the interceptor");
            }
            return null;
        }).start(); Channel channel = way.open(address(server), ClientOptions.DEFAULT)) {
            for (String refuser : List.of("authenticator", "interceptor", "bug", "method", "kind method")) {
                refusers.clear();
                refusers.add(refuser);
                started.set(0);
                for (CreoException e : failures(channel, CallOptions.NONE)) {
                    assertTrue(e.fromPeer(), e.toString());
                    assertEquals(!refuser.equals("method"), e.notStarted(), refuser + ": " + e + " " + e.details());
                    assertEquals(refuser.equals("kind method") ? Duration.ofMillis(2_500) : null, e.retryAfter());
                }
                assertEquals(refuser.endsWith("method") ? 2 : 0, started.get());
            }
            CreoException unknown = assertThrows(CreoException.class, () -> channel.call(Calls.LOST, "x", CallOptions.NONE));
            assertTrue(unknown.notStarted());
            assertFalse(unknown.getMessage().contains("started"), unknown.getMessage());
        }
    }

    /** A host whose only place is taken. */
    private static final class Full implements AutoCloseable {
        private final CountDownLatch running = new CountDownLatch(1);
        private final CountDownLatch goOn = new CountDownLatch(1);
        private final AtomicInteger begun = new AtomicInteger();
        private final Server server;
        private final Channel first;
        private final CompletableFuture<String> taken;

        Full(Limits limits) throws InterruptedException {
            server = Server.builder().limits(limits.withMaxConcurrency(1).withMaxQueue(0)).add(Calls.endpoint(text -> {
                begun.incrementAndGet();
                if (text.equals("take")) {
                    running.countDown();
                    goOn.await();
                }
                return text;
            })).start();
            first = Calls.connect(server);
            taken = first.callAsync(Calls.SAY, "take", CallOptions.NONE);
            running.await();
        }

        @Override
        public void close() {
            goOn.countDown();
            taken.join();
            first.close();
            server.close();
        }
    }

    @ParameterizedTest
    @EnumSource(Way.class)
    void anOverloadedHostSaysWhenToComeAgain(Way way) throws Exception {
        for (Duration time : List.of(Duration.ZERO, Duration.ofMillis(1_001))) {
            try (Full full = new Full(Limits.DEFAULT.withRetryAfter(time)); Channel channel = way.open(address(full.server), ClientOptions.DEFAULT)) {
                List<Answer> answers = Collections.synchronizedList(new ArrayList<>());
                for (CreoException e : failures(channel, CallOptions.NONE.withAnswer(answers::add))) {
                    assertEquals(ErrorCode.OVERLOADED, e.code());
                    assertTrue(e.notStarted());
                    assertEquals(time.isZero() ? null : time, e.retryAfter());
                }
                if (way.isHttp()) {
                    assertEquals(2, answers.size());
                    answers.forEach(answer -> assertEquals(time.isZero() ? null : "2", answer.header("Retry-After")));
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Way.class)
    void aCallIsRepeatedUntilThereIsAPlace(Way way) throws Exception {
        List<String> told = Collections.synchronizedList(new ArrayList<>());
        Interceptor once = call -> {
            told.add("begins");
            return outcome -> told.add(outcome + " " + outcome.peer());
        };
        try (Full full = new Full(Limits.DEFAULT.withRetryAfter(Duration.ofMillis(20)))) {
            Interceptor makesRoom = call -> outcome -> full.goOn.countDown();
            Channel plain = way.open(address(full.server), ClientOptions.DEFAULT.withInterceptor(makesRoom));
            try (Channel channel = plain.retrying(QUICK).intercepted(once)) {
                assertEquals("x", channel.call(Calls.SAY, "x", CallOptions.NONE));
                assertEquals(2, told.size());
                assertEquals("x", channel.callAsync(Calls.SAY, "x", CallOptions.NONE).get());
                assertEquals(List.of("begins", "result " + address(full.server), "begins", "result " + address(full.server)), told);
                assertEquals(3, full.begun.get());
            }
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void theInterceptorsOfTheSameOptionsSeeACallOnce(boolean local) throws Exception {
        List<String> told = Collections.synchronizedList(new ArrayList<>());
        AtomicInteger times = new AtomicInteger();
        Endpoint endpoint = Calls.endpoint(text -> {
            CallContext.current().answerMetadata("number", Integer.toString(times.incrementAndGet()));
            if (times.get() % 3 != 0) {
                throw new CreoException(ErrorCode.OVERLOADED, "later", Map.of("started", "no"));
            }
            return text;
        });
        ClientOptions options = ClientOptions.DEFAULT.withRetry(QUICK).withInterceptor(call -> {
            told.add("begins");
            return outcome -> told.add(outcome + " " + outcome.answer().metadata());
        });
        try (Server server = Server.builder().add(endpoint).start();
                Channel channel = local ? InProcessChannel.open(options, null, endpoint) : TcpChannel.open(address(server), options)) {
            List<Answer> answers = Collections.synchronizedList(new ArrayList<>());
            CallOptions asking = CallOptions.NONE.withAnswer(answers::add);
            assertEquals("x", channel.call(Calls.SAY, "x", asking));
            assertEquals("x", channel.callAsync(Calls.SAY, "x", asking).get());
            assertEquals(List.of("begins", "result {number=3}", "begins", "result {number=6}"), told);
            assertEquals(List.of("3", "6"), answers.stream().map(answer -> answer.metadata().get("number")).toList());
        }
    }

    @Test
    void theDefaultDeadlineIsForAllAttempts() throws Exception {
        Endpoint endpoint = Calls.endpoint(text -> {
            throw new CreoException(ErrorCode.OVERLOADED, "later", Map.of("started", "no", "retry-after", "3600000"));
        });
        ClientOptions options = ClientOptions.DEFAULT.withRetry(QUICK);
        try (Server server = Server.builder().add(endpoint).start()) {
            List<Channel> channels = new ArrayList<>(List.of(InProcessChannel.open(options, null, endpoint)));
            for (Way way : Way.values()) {
                channels.add(way.open(address(server), options));
            }
            channels.add(BalancedChannel.open(List.of(address(server)), each -> TcpChannel.open(each, ClientOptions.DEFAULT), Balancing.DEFAULT).retrying(QUICK));
            for (Channel channel : channels) {
                failures(channel, CallOptions.NONE).forEach(e -> assertEquals(ErrorCode.OVERLOADED, e.code()));
                channel.close();
            }
        }
    }

    @Test
    void tooManyConnectionsAreTold() throws Exception {
        Limits limits = Limits.DEFAULT.withMaxConnectionsPerAddress(1).withRetryAfter(Duration.ofSeconds(3));
        try (Server server = Server.builder().limits(limits).add(Calls.endpoint(text -> text)).start(); Channel first = Calls.connect(server)) {
            first.call(Calls.SAY, "x", CallOptions.NONE);
            for (Way way : List.of(Way.TCP, Way.SHARED)) {
                try (Channel channel = way.open(address(server), ClientOptions.DEFAULT)) {
                    for (CreoException e : failures(channel, CallOptions.NONE)) {
                        assertEquals(ErrorCode.OVERLOADED, e.code());
                        assertTrue(e.notStarted());
                        assertEquals(Duration.ofSeconds(3), e.retryAfter());
                    }
                }
            }
            assertTrue(Http.post(server.port(), "/Calls/say", "", "").contains("\r\nRetry-After: 3\r\n"));
        }
    }

    @Test
    void aHeaderOfAnotherServerCounts() throws Exception {
        String[] said = new String[1];
        try (Peer peer = new Peer((in, out) -> {
            Http.readRequest(in);
            out.write(("HTTP/1.1 503 Later\r\nContent-Length: 0\r\nConnection: close\r\n" + said[0] + "\r\n").getBytes(StandardCharsets.US_ASCII));
        })) {
            for (Way way : List.of(Way.JSON, Way.SOAP, Way.TDXML)) {
                try (Channel channel = way.open("127.0.0.1:" + peer.port(), ClientOptions.DEFAULT)) {
                    said[0] = "Retry-After: 7\r\n";
                    failures(channel, CallOptions.NONE).forEach(e -> assertEquals(Duration.ofSeconds(7), e.retryAfter()));
                    said[0] = "Retry-After: 99999999999999999999\r\n";
                    failures(channel, CallOptions.NONE).forEach(e -> assertEquals(Duration.ofDays(365), e.retryAfter()));
                    for (String none : List.of("", "Retry-After: -7\r\n", "Retry-After: 1.5\r\n", "Retry-After: Wed, 21 Oct 2026 07:28:00 GMT\r\n")) {
                        said[0] = none;
                        for (CreoException e : failures(channel, CallOptions.NONE)) {
                            assertNull(e.retryAfter(), none);
                            assertEquals(ErrorCode.UNAVAILABLE, e.code());
                            assertFalse(e.notStarted());
                        }
                    }
                }
            }
        }
    }

    @Test
    void aDetailCountsBeforeAHeader() throws Exception {
        String body = "{\"type\":\"urn:creo:error:overloaded\",\"title\":\"overloaded\",\"status\":503,\"detail\":\"later\",\"details\":{\"retry-after\":\"200\"}}";
        try (Peer peer = new Peer((in, out) -> {
            Http.readRequest(in);
            out.write(("HTTP/1.1 503 Later\r\nContent-Type: application/problem+json\r\nContent-Length: " + body.length() + "\r\nConnection: close\r\nRetry-After: 9\r\n\r\n" + body)
                .getBytes(StandardCharsets.US_ASCII));
        }); Channel channel = Way.JSON.open("127.0.0.1:" + peer.port(), ClientOptions.DEFAULT)) {
            failures(channel, CallOptions.NONE).forEach(e -> assertEquals(Duration.ofMillis(200), e.retryAfter()));
        }
    }

    /** A host ends in order while its clients' connections are idle: no call is lost, since none is written to a connection that has ended. */
    @ParameterizedTest
    @EnumSource(Way.class)
    void callsContinueWhenAHostEnds(Way way) throws Exception {
        for (boolean async : new boolean[] {false, true}) {
            Map<String, AtomicInteger> counts = new ConcurrentHashMap<>();
            // A thread of the client reads the shared connection, and notices its end a little later.
            boolean shares = way == Way.SHARED || async && !way.isHttp();
            try (Server one = counting("one", counts); Server two = counting("two", counts);
                    Channel channel = BalancedChannel.open(List.of(address(one), address(two)), each -> way.open(each, ClientOptions.DEFAULT), Balancing.DEFAULT)) {
                for (int i = 0; i < 6; i++) {
                    say(async, channel, Calls.SAY);
                }
                assertEquals(3, counts.get("one").get());
                endForGood(one);
                for (int i = 0; i < 6; i++) {
                    say(async, shares ? channel.retrying(QUICK) : channel, shares ? ASK : Calls.SAY);
                }
                assertEquals(9, counts.get("two").get());
                assertEquals(3, counts.get("one").get());
            }
        }
    }

    private static Server counting(String name, Map<String, AtomicInteger> counts) {
        AtomicInteger count = counts.computeIfAbsent(name, key -> new AtomicInteger());
        return Calls.serve(text -> {
            count.incrementAndGet();
            return text;
        });
    }

    private static void say(boolean async, Channel channel, ServiceMethod<String, String> method) throws Exception {
        assertEquals("x", async ? channel.callAsync(method, "x", CallOptions.NONE).get() : channel.call(method, "x", CallOptions.NONE));
    }

    @ParameterizedTest
    @EnumSource(Way.class)
    void manyCallsSurviveHostsThatComeAndGo(Way way) throws Exception {
        Function<String, Channel> opener = each -> way.open(each, ClientOptions.DEFAULT);
        Balancing balancing = Balancing.DEFAULT.withEjection(Duration.ofMillis(1), Duration.ofMillis(5)).withRule(Balancing.Rule.LEAST_OUTSTANDING);
        try (Server one = Calls.serve(text -> text); Server two = Calls.serve(text -> text);
                Channel channel = BalancedChannel.open(List.of(address(one), address(two), "127.0.0.1:" + deadPort()), opener, balancing).retrying(QUICK)) {
            AtomicInteger made = new AtomicInteger();
            List<CompletableFuture<Void>> callers = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                boolean async = i % 2 == 0;
                callers.add(CompletableFuture.runAsync(() -> {
                    try {
                        for (int n = 0; n < 200; n++) {
                            say(async, channel, ASK);
                            made.incrementAndGet();
                        }
                    } catch (Exception e) {
                        throw new IllegalStateException(e);
                    }
                }, task -> new Thread(task).start()));
            }
            while (made.get() < 400 && callers.stream().noneMatch(CompletableFuture::isDone)) {
                Thread.sleep(1);
            }
            endForGood(one);
            for (CompletableFuture<Void> each : callers) {
                each.get();
            }
            assertEquals(1_600, made.get());
        }
    }

    @Test
    void anAddressIsAHostAndAPort() {
        for (String none : List.of("", "host", ":1", "host:", "host:x", "::1", "::1:70", "host:0", "host:65536", "host:-1", "host:123456", "[]:1x")) {
            assertThrows(IllegalArgumentException.class, () -> TcpChannel.open(none, ClientOptions.DEFAULT), none);
        }
        for (String fine : List.of("host:1", "[::1]:65535", "127.0.0.1:80")) {
            TcpChannel.open(fine, ClientOptions.DEFAULT).close();
        }
    }
}
