package creo.runtime;

import static creo.runtime.CallsTest.error;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.logging.LogRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Interceptors of servers (CALL-13 to CALL-16). */
@Timeout(value = 300, unit = TimeUnit.SECONDS)
class ServerInterceptorsTest {
    private final BlockingQueue<String> told = new LinkedBlockingQueue<>();
    private final CountDownLatch sleeping = new CountDownLatch(1);

    private Endpoint endpoint() {
        return Calls.endpoint(text -> {
            told.add("says " + text);
            return switch (text) {
                case "refuse" -> throw new Calls.Refused(7);
                case "deny" -> throw new CreoException(ErrorCode.PERMISSION_DENIED, "no");
                case "fail" -> throw new IllegalStateException("secret");
                case "sleep" -> {
                    sleeping.countDown();
                    TimeUnit.SECONDS.sleep(20);
                    yield text;
                }
                default -> text;
            };
        });
    }

    private ServerInterceptor teller(String name) {
        return call -> {
            told.add(name + " begins " + call.method().name() + " of " + (call.principal() == null ? "nobody" : call.principal().getName()));
            return outcome -> told.add(name + " ends " + outcome);
        };
    }

    private List<String> told() {
        List<String> all = new ArrayList<>();
        told.drainTo(all);
        return all;
    }

    private Server serve(ServerInterceptor... interceptors) {
        Server.Builder builder = Server.builder().add(endpoint());
        for (ServerInterceptor each : interceptors) {
            builder.interceptor(each);
        }
        return builder.start();
    }

    private static void call(Channel channel, String text) throws Exception {
        try {
            channel.call(Calls.SAY, text, CallOptions.NONE);
        } catch (CreoException | Calls.Refused e) {
            assertFalse(e.getMessage() != null && e.getMessage().contains("secret"), e.getMessage());
        }
    }

    @Test
    void eachIsToldTheBeginningAndTheEnd() throws Exception {
        try (Server server = serve(teller("first"), teller("second")); Channel channel = Calls.connect(server)) {
            for (String[] each : new String[][] {{"x", "result"}, {"refuse", "Refused"}, {"deny", "permission-denied"}, {"fail", "internal"}}) {
                call(channel, each[0]);
                assertEquals(List.of("first begins say of nobody", "second begins say of nobody", "says " + each[0], "second ends " + each[1], "first ends " + each[1]), told());
            }
        }
    }

    @Test
    void theyKnowTheCallerAndAnswer() throws Exception {
        BlockingQueue<Interceptor.Outcome> outcomes = new LinkedBlockingQueue<>();
        ServerInterceptor pairs = call -> {
            call.answerMetadata("begun", call.metadata().get("key"));
            return outcome -> {
                outcomes.add(outcome);
                assertFalse(call.isCancelled());
                call.answerMetadata("took", outcome.time().toNanos() > 0 ? "some" : "none");
            };
        };
        List<Answer> answers = new ArrayList<>();
        Server.Builder builder = Server.builder().add(endpoint()).interceptor(teller("one")).interceptor(pairs).authenticator(call -> {
            if (!call.metadata().containsKey("key")) {
                throw new CreoException(ErrorCode.UNAUTHENTICATED, "who are you");
            }
            return () -> "somebody";
        });
        try (Server server = builder.start(); Channel channel = Calls.connect(server)) {
            CallOptions options = CallOptions.NONE.withAnswer(answers::add);
            channel.call(Calls.SAY, "x", options.withMetadata("key", "k"));
            assertEquals(Map.of("begun", "k", "took", "some"), answers.remove(0).metadata());
            Interceptor.Outcome outcome = outcomes.take();
            assertNull(outcome.failure());
            assertNull(outcome.peer());
            assertNull(outcome.answer());
            assertEquals(List.of("one begins say of somebody", "says x", "one ends result"), told());
            // What the server refuses by itself, they do not see.
            error(ErrorCode.UNAUTHENTICATED, () -> channel.call(Calls.SAY, "x", options));
            error(ErrorCode.UNKNOWN_METHOD, () -> channel.call(Calls.LOST, "x", options));
            assertEquals(List.of(), told());
        }
    }

    @Test
    void oneMayRefuse() throws Exception {
        ServerInterceptor refusing = call -> {
            call.answerMetadata("why", "because");
            throw new CreoException(ErrorCode.PERMISSION_DENIED, "not now");
        };
        List<Answer> answers = new ArrayList<>();
        try (Server server = serve(teller("first"), refusing, teller("third")); Channel channel = Calls.connect(server)) {
            CreoException e = error(ErrorCode.PERMISSION_DENIED, () -> channel.call(Calls.SAY, "x", CallOptions.NONE.withAnswer(answers::add)));
            assertEquals("not now", e.reason());
            assertEquals(Map.of("why", "because"), answers.get(0).metadata());
            assertEquals(List.of("first begins say of nobody", "first ends permission-denied"), told());
        }
    }

    /** Raises what is not declared. */
    private static <T extends Throwable> void sneak(Throwable e) throws T {
        @SuppressWarnings("unchecked") // That is the trick.
        T any = (T) e;
        throw any;
    }

    @Test
    void anyOtherFailureIsInternal() throws Exception {
        // The last one is an exception of the method, and yet not the method's.
        List<Throwable> failures = List.of(new IllegalStateException("secret"), new AssertionError("secret"), new Calls.Refused(7));
        for (Throwable failure : failures) {
            ServerInterceptor broken = call -> {
                ServerInterceptorsTest.<RuntimeException>sneak(failure);
                return null;
            };
            try (Server server = serve(teller("first"), broken); Channel channel = Calls.connect(server)) {
                CreoException e = error(ErrorCode.INTERNAL, () -> channel.call(Calls.SAY, "x", CallOptions.NONE));
                assertFalse(e.getMessage().contains("secret"), e.getMessage());
                assertEquals(List.of("first begins say of nobody", "first ends internal"), told());
            }
        }
    }

    @Test
    void anEndThatFailsIsLogged() throws Exception {
        ServerInterceptor broken = call -> outcome -> {
            throw new IllegalStateException("broken");
        };
        try (HeardLog log = new HeardLog(); Server server = serve(teller("first"), broken); Channel channel = Calls.connect(server)) {
            assertEquals("x", channel.call(Calls.SAY, "x", CallOptions.NONE));
            assertEquals(List.of("first begins say of nobody", "says x", "first ends result"), told());
            LogRecord entry = log.records.take();
            assertTrue(entry.getMessage().contains("interceptor"), entry.getMessage());
        }
    }

    private String next() throws InterruptedException {
        return told.poll(60, TimeUnit.SECONDS);
    }

    @Test
    void aDeadlineIsAnEnd() throws Exception {
        try (Server server = serve(teller("one"))) {
            for (Channel channel : List.of(Calls.connect(server), JsonChannel.open("http://127.0.0.1:" + server.httpPort() + "/Calls", ClientOptions.DEFAULT))) {
                try (channel) {
                    error(ErrorCode.DEADLINE_EXCEEDED, () -> channel.call(Calls.SAY, "sleep", CallOptions.NONE.withDeadline(Duration.ofMillis(200))));
                    assertEquals("one begins say of nobody", next());
                    assertEquals("says sleep", next());
                    // A client that gives up at the same time cancels, or ends its connection.
                    String end = next();
                    assertTrue(end.equals("one ends deadline-exceeded") || end.equals("one ends cancelled"), end);
                    channel.call(Calls.SAY, "x", CallOptions.NONE);
                    assertEquals(List.of("one begins say of nobody", "says x", "one ends result"), told());
                }
            }
        }
        assertEquals(List.of(), told());
    }

    @Test
    void cancellingIsAnEnd() throws Exception {
        try (Server server = serve(teller("one")); Channel channel = Calls.connect(server)) {
            CompletableFuture<String> call = channel.callAsync(Calls.SAY, "sleep", CallOptions.NONE);
            sleeping.await();
            call.cancel(true);
            assertEquals("one begins say of nobody", next());
            assertEquals("says sleep", next());
            assertEquals("one ends cancelled", next());
        }
        assertEquals(List.of(), told());
    }

    @Test
    void aConnectionThatIsLostIsAnEnd() throws Exception {
        try (Server server = serve(teller("one"))) {
            try (Raw raw = new Raw(server.port())) {
                raw.send(Raw.PREAMBLE + Raw.request(0, 1, 1, 0, Raw.text("sleep")));
                sleeping.await();
            }
            assertEquals("one begins say of nobody", next());
            assertEquals("says sleep", next());
            assertEquals("one ends cancelled", next());
        }
        assertEquals(List.of(), told());
    }

    @Test
    void aCallThatEndsWhileTheyBeginGoesNoFurther() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        ServerInterceptor slow = call -> {
            begun.countDown();
            while (!call.isCancelled()) {
                Thread.onSpinWait();
            }
            return outcome -> told.add("slow ends " + outcome);
        };
        try (Server server = serve(slow, teller("never")); Channel channel = Calls.connect(server)) {
            CompletableFuture<String> call = channel.callAsync(Calls.SAY, "x", CallOptions.NONE);
            begun.await();
            call.cancel(true);
            assertEquals("slow ends cancelled", next());
        }
        // The server has ended, and with it the thread of the call.
        assertEquals(List.of(), told());
    }

    /** Tells what {@link #teller} does, and when it leaves which thread. */
    private ServerInterceptor leaver(String name) {
        return call -> {
            Thread thread = Thread.currentThread();
            Interceptor.End end = teller(name).serving(call);
            return new Interceptor.End() {
                @Override
                public void leaveThread() {
                    told.add(name + " leaves" + (Thread.currentThread() == thread && CallContext.current() == call ? "" : " another thread"));
                    if (name.equals("second")) {
                        throw new IllegalStateException("broken");
                    }
                }

                @Override
                public void ended(Interceptor.Outcome outcome) {
                    end.ended(outcome);
                }
            };
        };
    }

    @Test
    void theyLeaveTheThreadOfTheMethod() throws Exception {
        try (HeardLog log = new HeardLog(); Server server = serve(leaver("first"), leaver("second")); Channel channel = Calls.connect(server)) {
            for (String text : List.of("x", "refuse")) {
                call(channel, text);
                assertEquals(List.of("first begins say of nobody", "second begins say of nobody", "says " + text, "second leaves", "first leaves",
                    "second ends " + (text.equals("x") ? "result" : "Refused"), "first ends " + (text.equals("x") ? "result" : "Refused")), told());
                assertTrue(log.records.take().getMessage().contains("failed to leave the thread"));
            }
            CompletableFuture<String> call = channel.callAsync(Calls.SAY, "sleep", CallOptions.NONE);
            sleeping.await();
            call.cancel(true);
            List<String> all = new ArrayList<>();
            for (int i = 0; i < 7; i++) {
                all.add(next());
            }
            // The call is over before its method returns, so its end runs on another thread.
            assertEquals(List.of("first begins say of nobody", "second begins say of nobody", "says sleep"), all.subList(0, 3));
            assertTrue(all.indexOf("second leaves") < all.indexOf("first leaves") && all.indexOf("second ends cancelled") < all.indexOf("first ends cancelled"), all.toString());
        }
    }

    @Test
    void theyLeaveTheThreadOfACallThatIsRefused() throws Exception {
        ServerInterceptor refusing = call -> {
            throw new CreoException(ErrorCode.PERMISSION_DENIED, "not now");
        };
        try (Server server = serve(leaver("first"), refusing, leaver("third")); Channel channel = Calls.connect(server)) {
            call(channel, "x");
            assertEquals(List.of("first begins say of nobody", "first leaves", "first ends permission-denied"), told());
        }
    }

    @Test
    void theyLeaveTheThreadOfACallThatEndsWhileTheyBegin() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        ServerInterceptor slow = call -> {
            begun.countDown();
            while (!call.isCancelled()) {
                Thread.onSpinWait();
            }
            return leaver("slow").serving(call);
        };
        try (Server server = serve(slow); Channel channel = Calls.connect(server)) {
            CompletableFuture<String> call = channel.callAsync(Calls.SAY, "x", CallOptions.NONE);
            begun.await();
            call.cancel(true);
            for (String each : List.of("slow begins say of nobody", "slow leaves", "slow ends cancelled")) {
                assertEquals(each, next());
            }
        }
        assertEquals(List.of(), told());
    }

    @Test
    void anAsynchronousMethodEndsWithItsStage() throws Exception {
        CompletableFuture<String> stage = new CompletableFuture<>();
        Endpoint endpoint = Endpoint.builder(Calls.INTERFACE).wires(Calls.WIRES).asyncMethod(Calls.SAY, text -> stage).build();
        try (Server server = Server.builder().add(endpoint).interceptor(teller("one")).start(); Channel channel = Calls.connect(server)) {
            CompletableFuture<String> call = channel.callAsync(Calls.SAY, "x", CallOptions.NONE);
            assertEquals("one begins say of nobody", next());
            assertNull(told.poll(50, TimeUnit.MILLISECONDS));
            stage.complete("done");
            assertEquals("done", call.get(60, TimeUnit.SECONDS));
            assertEquals("one ends result", next());
        }
    }

    @Test
    void aOnewayMethodIsSeenToo() throws Exception {
        try (Server server = serve(teller("one")); Channel channel = Calls.connect(server)) {
            channel.call(Calls.NOTE, "x", CallOptions.NONE);
            assertEquals("one begins note of nobody", next());
            assertEquals("one ends result", next());
        }
    }

    @Test
    void withinAProcessBothSidesSee() throws Exception {
        ClientOptions options = ClientOptions.DEFAULT.withInterceptor(call -> {
            told.add("client begins");
            return outcome -> told.add("client ends " + outcome.answer().metadata());
        });
        ServerInterceptor pair = call -> {
            call.answerMetadata("a", "b");
            return null;
        };
        try (Channel channel = InProcessChannel.open(options, null, List.of(teller("server"), pair), endpoint())) {
            assertEquals("x", channel.call(Calls.SAY, "x", CallOptions.NONE));
            assertEquals(List.of("client begins", "server begins say of nobody", "says x", "server ends result", "client ends {a=b}"), told());
            assertThrows(Calls.Refused.class, () -> channel.call(Calls.SAY, "refuse", CallOptions.NONE));
            assertTrue(told().contains("client ends {a=b}"));
        }
    }
}
