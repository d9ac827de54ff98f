package creo.runtime;

import static creo.runtime.CallsTest.error;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.logging.LogRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Interceptors of clients (CALL-10 to CALL-17), and what they and callers see of answers (CALL-4). */
@Timeout(value = 300, unit = TimeUnit.SECONDS)
class InterceptorsTest {
    /** The ways to a service. */
    enum Way { TCP, SHARED, TABLES, JSON, SOAP, LOCAL }

    private final BlockingQueue<Map<String, String>> served = new LinkedBlockingQueue<>();
    private final BlockingQueue<String> told = new LinkedBlockingQueue<>();
    private final Server server = Server.builder().add(endpoint()).start();

    /** Answers with the metadata of the call, and does as it is told. */
    private Endpoint endpoint() {
        return Calls.endpoint(new Calls.Service() {
            @Override
            public String say(String text) throws Exception {
                CallContext call = CallContext.current();
                served.add(call.metadata());
                call.metadata().forEach(call::answerMetadata);
                return switch (text) {
                    case "refuse" -> throw new Calls.Refused(7);
                    case "deny" -> throw new CreoException(ErrorCode.PERMISSION_DENIED, "no");
                    case "sleep" -> {
                        TimeUnit.SECONDS.sleep(20);
                        yield text;
                    }
                    default -> text;
                };
            }

            @Override
            public void note(String text) {
                served.add(CallContext.current().metadata());
            }
        });
    }

    @AfterEach
    void end() {
        server.close();
    }

    private Channel open(Way way, ClientOptions options) {
        String url = "http://127.0.0.1:" + server.httpPort() + "/Calls";
        return switch (way) {
            case TCP -> TcpChannel.open("127.0.0.1", server.port(), options);
            case SHARED -> TcpChannel.open("127.0.0.1", server.port(), options.withMaxConnections(0));
            case TABLES -> TdxmlChannel.tcp("127.0.0.1", server.port(), options);
            case JSON -> JsonChannel.open(url, options);
            case SOAP -> SoapChannel.open(url, options);
            case LOCAL -> InProcessChannel.open(options, null, endpoint());
        };
    }

    /** Tells the queue what it is told. */
    private Interceptor teller(String name) {
        return call -> {
            told.add(name + " begins " + call.method());
            return outcome -> told.add(name + " ends " + outcome);
        };
    }

    private List<String> told() {
        List<String> all = new ArrayList<>();
        told.drainTo(all);
        return all;
    }

    /** A call that is made with and without waiting. */
    private static List<String> outcomes(Channel channel, String text, CallOptions options) throws Exception {
        List<String> outcomes = new ArrayList<>();
        try {
            outcomes.add(channel.call(Calls.SAY, text, options));
        } catch (CreoException e) {
            outcomes.add(e.code().word());
        } catch (Calls.Refused e) {
            outcomes.add("refused " + e.wait);
        }
        try {
            outcomes.add(channel.callAsync(Calls.SAY, text, options).get(60, TimeUnit.SECONDS));
        } catch (ExecutionException e) {
            outcomes.add(e.getCause() instanceof CreoException c ? c.code().word() : "refused " + ((Calls.Refused) e.getCause()).wait);
        }
        return outcomes;
    }

    @ParameterizedTest
    @EnumSource(Way.class)
    void aCallerIsGivenWhatCameWithTheAnswer(Way way) throws Exception {
        List<Answer> answers = new ArrayList<>();
        CallOptions options = CallOptions.NONE.withAnswer(answers::add);
        CallOptions pair = options.withMetadata("x-answer", "\u00e9\r\n\u0001");
        try (Channel channel = open(way, ClientOptions.DEFAULT)) {
            assertEquals(List.of("x", "x"), outcomes(channel, "x", pair));
            assertEquals(List.of("refused 7", "refused 7"), outcomes(channel, "refuse", pair));
            assertEquals(List.of("permission-denied", "permission-denied"), outcomes(channel, "deny", pair));
            assertEquals(6, answers.size());
            for (Answer answer : answers) {
                assertEquals(Map.of("x-answer", "\u00e9\r\n\u0001"), answer.metadata());
                boolean http = way == Way.JSON || way == Way.SOAP;
                assertTrue(http ? answer.status() >= 200 && answer.header("CONTENT-TYPE") != null : answer.status() == 0 && answer.headers().isEmpty(), answer.toString());
                assertNull(answer.header("x-none"));
                assertThrows(UnsupportedOperationException.class, () -> answer.metadata().put("a", "b"));
            }
            answers.clear();
            outcomes(channel, "x", options);
            assertEquals(List.of(Map.of(), Map.of()), answers.stream().map(Answer::metadata).toList());
            answers.clear();
            assertEquals(List.of("deadline-exceeded", "deadline-exceeded"), outcomes(channel, "sleep", pair.withDeadline(Duration.ofMillis(50))));
            // The server's own answer may be as quick as the end of the time here, and has no metadata.
            assertTrue(answers.stream().allMatch(answer -> answer.metadata().isEmpty()), answers.toString());
        }
    }

    @ParameterizedTest
    @EnumSource(Way.class)
    void eachIsToldTheBeginningAndTheEnd(Way way) throws Exception {
        try (Channel channel = open(way, ClientOptions.DEFAULT.withInterceptor(teller("first")).withInterceptor(teller("second")))) {
            Map<String, String> ends = new LinkedHashMap<>();
            ends.put("x", "result");
            ends.put("refuse", "Refused");
            ends.put("deny", "permission-denied");
            for (Map.Entry<String, String> each : ends.entrySet()) {
                outcomes(channel, each.getKey(), CallOptions.NONE);
                List<String> one = List.of("first begins test.Calls.say", "second begins test.Calls.say", "second ends " + each.getValue(), "first ends " + each.getValue());
                List<String> two = new ArrayList<>(one);
                two.addAll(one);
                assertEquals(two, told());
            }
            outcomes(channel, "sleep", CallOptions.NONE.withDeadline(Duration.ofMillis(50)));
            assertEquals(4, told().stream().filter(line -> line.endsWith("ends deadline-exceeded")).count());
        }
    }

    @ParameterizedTest
    @EnumSource(Way.class)
    void theOutcomeIsThatOfTheCall(Way way) throws Exception {
        BlockingQueue<Interceptor.Outcome> outcomes = new LinkedBlockingQueue<>();
        BlockingQueue<CallOptions> seen = new LinkedBlockingQueue<>();
        ClientOptions options = ClientOptions.DEFAULT.withMetadata("of-client", "1").withInterceptor(call -> {
            seen.add(call.options());
            return outcomes::add;
        });
        try (Channel channel = open(way, options)) {
            Calls.Refused refused = assertThrows(Calls.Refused.class, () -> channel.call(Calls.SAY, "refuse", CallOptions.NONE.withMetadata("of-call", "2")));
            Interceptor.Outcome outcome = outcomes.take();
            assertSame(refused, outcome.failure());
            assertNull(outcome.code());
            assertEquals(Map.of("of-client", "1", "of-call", "2"), outcome.answer().metadata());
            assertEquals(Map.of("of-client", "1", "of-call", "2"), seen.peek().metadata());
            assertEquals(Limits.DEFAULT.deadline(), seen.take().deadline());
            assertFalse(outcome.time().isNegative() || outcome.time().isZero());
            assertTrue(outcome.peer().matches("(http://)?127\\.0\\.0\\.1:\\d+.*|this process"), outcome.peer());
            channel.call(Calls.NOTE, "x", CallOptions.NONE);
            Interceptor.Outcome oneway = outcomes.take();
            assertNull(oneway.failure());
        }
    }

    @ParameterizedTest
    @EnumSource(Way.class)
    void oneMayRefuse(Way way) throws Exception {
        ClientOptions options = ClientOptions.DEFAULT.withInterceptor(teller("first")).withInterceptor(call -> {
            told.add("second refuses");
            throw new CreoException(ErrorCode.PERMISSION_DENIED, "not now");
        }).withInterceptor(teller("third"));
        try (Channel channel = open(way, options)) {
            assertEquals(List.of("permission-denied", "permission-denied"), outcomes(channel, "x", CallOptions.NONE));
            List<String> one = List.of("first begins test.Calls.say", "second refuses", "first ends permission-denied");
            List<String> two = new ArrayList<>(one);
            two.addAll(one);
            assertEquals(two, told());
            assertTrue(served.isEmpty(), "the service has seen a call");
        }
    }

    @ParameterizedTest
    @EnumSource(Way.class)
    void oneMayChangeTheOptions(Way way) throws Exception {
        Interceptor more = call -> {
            call.use(call.options().withMetadata("added", "1"));
            return null;
        };
        AtomicReference<Duration> deadline = new AtomicReference<>(Duration.ofSeconds(60));
        Interceptor shorter = call -> {
            assertEquals("1", call.options().metadata().get("added"));
            call.use(call.options().withDeadline(deadline.get()));
            return null;
        };
        try (Channel channel = open(way, ClientOptions.DEFAULT.withInterceptor(more).withInterceptor(shorter))) {
            assertEquals("x", channel.call(Calls.SAY, "x", CallOptions.NONE.withDeadline(Duration.ofSeconds(30))));
            assertEquals(Map.of("added", "1"), served.take());
            deadline.set(Duration.ofMillis(100));
            long start = System.nanoTime();
            assertEquals(List.of("deadline-exceeded", "deadline-exceeded"), outcomes(channel, "sleep", CallOptions.NONE));
            assertTrue(System.nanoTime() - start < TimeUnit.SECONDS.toNanos(10), "the deadline was not used");
        }
    }

    @ParameterizedTest
    @EnumSource(Way.class)
    void theirTimeIsPartOfTheCalls(Way way) throws Exception {
        Interceptor slow = call -> {
            try {
                TimeUnit.MILLISECONDS.sleep(60);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return outcome -> told.add(outcome.toString());
        };
        try (Channel channel = open(way, ClientOptions.DEFAULT.withInterceptor(slow))) {
            assertEquals(List.of("deadline-exceeded", "deadline-exceeded"), outcomes(channel, "x", CallOptions.NONE.withDeadline(Duration.ofMillis(50))));
            assertEquals(List.of("deadline-exceeded", "deadline-exceeded"), told());
            assertTrue(served.isEmpty(), "the service has seen a call");
        }
    }

    @ParameterizedTest
    @EnumSource(Way.class)
    void cancellingIsAnEnd(Way way) throws Exception {
        try (Channel channel = open(way, ClientOptions.DEFAULT.withInterceptor(teller("one")))) {
            CompletableFuture<String> call = channel.callAsync(Calls.SAY, "sleep", CallOptions.NONE);
            served.take();
            assertTrue(call.cancel(true));
            assertTrue(call.isCancelled());
            assertEquals(List.of("one begins test.Calls.say", "one ends cancelled"), told());
            assertFalse(call.cancel(true) && !call.isCancelled());
        }
        assertEquals(List.of(), told());
    }

    @Test
    void anEndThatFailsIsLogged() throws Exception {
        Interceptor broken = call -> outcome -> {
            throw new IllegalStateException("broken\u001b[31m");
        };
        try (HeardLog log = new HeardLog(); Channel channel = open(Way.TCP, ClientOptions.DEFAULT.withInterceptor(teller("first")).withInterceptor(broken))) {
            assertEquals(List.of("x", "x"), outcomes(channel, "x", CallOptions.NONE));
            assertEquals(2, told().stream().filter("first ends result"::equals).count());
            LogRecord entry = log.records.take();
            assertTrue(entry.getMessage().contains("interceptor") && entry.getMessage().contains("test.Calls.say"), entry.getMessage());
            assertFalse(entry.getThrown().toString().contains("\u001b"));
        }
    }

    @Test
    void oneThatFailsAtTheBeginningEndsTheCall() throws Exception {
        Interceptor broken = call -> {
            throw new IllegalStateException("broken");
        };
        try (Channel channel = open(Way.TCP, ClientOptions.DEFAULT.withInterceptor(teller("first")).withInterceptor(broken))) {
            assertThrows(IllegalStateException.class, () -> channel.call(Calls.SAY, "x", CallOptions.NONE));
            ExecutionException async = assertThrows(ExecutionException.class, () -> channel.callAsync(Calls.SAY, "x", CallOptions.NONE).get(60, TimeUnit.SECONDS));
            assertInstanceOf(IllegalStateException.class, async.getCause());
            assertEquals(2, told().stream().filter("first ends IllegalStateException"::equals).count());
        }
    }

    @ParameterizedTest
    @EnumSource(Way.class)
    void callsAtOnceGetTheirOwnAnswers(Way way) throws Exception {
        AtomicInteger ended = new AtomicInteger();
        try (Channel channel = open(way, ClientOptions.DEFAULT).intercepted(call -> outcome -> ended.incrementAndGet())) {
            List<CompletableFuture<String>> calls = new ArrayList<>();
            List<BlockingQueue<Answer>> answers = new ArrayList<>();
            for (int i = 0; i < 200; i++) {
                BlockingQueue<Answer> answer = new LinkedBlockingQueue<>();
                answers.add(answer);
                calls.add(channel.callAsync(Calls.SAY, "x" + i, CallOptions.NONE.withMetadata("number", "" + i).withAnswer(answer::add)));
            }
            for (int i = 0; i < 200; i++) {
                assertEquals("x" + i, calls.get(i).get(60, TimeUnit.SECONDS));
                assertEquals("" + i, answers.get(i).take().metadata().get("number"));
                assertTrue(answers.get(i).isEmpty());
            }
            assertEquals(200, ended.get());
        }
    }

    @Test
    void anyChannelMayBeIntercepted() throws Exception {
        try (Channel channel = open(Way.TCP, ClientOptions.DEFAULT.withInterceptor(teller("inner"))).intercepted(teller("outer"), teller("middle"))) {
            channel.call(Calls.SAY, "x", CallOptions.NONE);
            assertEquals(List.of("outer begins test.Calls.say", "middle begins test.Calls.say", "inner begins test.Calls.say", "inner ends result", "middle ends result", "outer ends result"),
                told());
        }
    }

    @Test
    void aPeerThatIsNotReachedHasNoAddress() throws Exception {
        int free;
        try (java.net.ServerSocket socket = new java.net.ServerSocket(0)) {
            free = socket.getLocalPort();
        }
        BlockingQueue<Interceptor.Outcome> outcomes = new LinkedBlockingQueue<>();
        try (Channel channel = TcpChannel.open("127.0.0.1", free, ClientOptions.DEFAULT.withInterceptor(call -> outcomes::add))) {
            error(ErrorCode.UNAVAILABLE, () -> channel.call(Calls.SAY, "x", CallOptions.NONE));
            Interceptor.Outcome outcome = outcomes.take();
            assertEquals(ErrorCode.UNAVAILABLE, outcome.code());
            assertNull(outcome.peer());
            assertNull(outcome.answer());
        }
    }

    @Test
    void withoutInterceptorsAChannelIsItself() {
        try (Channel channel = open(Way.TCP, ClientOptions.DEFAULT)) {
            assertInstanceOf(TcpChannel.class, channel);
        }
    }
}
