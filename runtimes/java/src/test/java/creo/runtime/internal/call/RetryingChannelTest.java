package creo.runtime.internal.call;

import static creo.runtime.internal.call.ScriptedChannel.BOOK;
import static creo.runtime.internal.call.ScriptedChannel.LOOK;
import static creo.runtime.internal.call.ScriptedChannel.ofPeer;
import static creo.runtime.internal.call.ScriptedChannel.own;
import static creo.runtime.internal.call.ScriptedChannel.unsent;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import creo.runtime.Answer;
import creo.runtime.CallOptions;
import creo.runtime.Channel;
import creo.runtime.CreoException;
import creo.runtime.ErrorCode;
import creo.runtime.Interceptor;
import creo.runtime.RetryPolicy;
import creo.runtime.Waiting;
import creo.runtime.codegen.ServiceMethod;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Repeated calls (CALL-20 to CALL-27). */
@Timeout(value = 300, unit = TimeUnit.SECONDS)
class RetryingChannelTest {
    private static final RetryPolicy AT_ONCE = RetryPolicy.DEFAULT.withBaseDelay(Duration.ZERO);
    private static final CallOptions LONG = CallOptions.NONE.withDeadline(Duration.ofDays(1));

    /** Makes a call, waiting or not. */
    static Integer call(boolean async, Channel channel, ServiceMethod<Integer, Integer> method, CallOptions options) throws Exception {
        if (!async) {
            return channel.call(method, 1, options);
        }
        try {
            return channel.callAsync(method, 1, options).get();
        } catch (ExecutionException e) {
            throw (Exception) e.getCause();
        }
    }

    static CreoException failure(boolean async, Channel channel, ServiceMethod<Integer, Integer> method, CallOptions options) {
        return assertThrows(CreoException.class, () -> call(async, channel, method, options));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void anErrorSaysWhetherACallIsRepeated(boolean async) throws Exception {
        for (ErrorCode code : ErrorCode.values()) {
            boolean repeatable = code == ErrorCode.UNAVAILABLE || code == ErrorCode.OVERLOADED;
            List<CreoException> errors = new ArrayList<>(List.of(own(code), unsent(code), new CreoException(code, "raised", Map.of("started", "no"))));
            if (code != ErrorCode.UNTRUSTED_PEER) {
                errors.addAll(List.of(ofPeer(code), ofPeer(code, "started", "no"), ofPeer(code, "started", "yes"), ofPeer(code, "started", "")));
            }
            for (CreoException e : errors) {
                for (ServiceMethod<Integer, Integer> method : List.of(BOOK, LOOK)) {
                    ScriptedChannel script = ScriptedChannel.failing(1, e);
                    Channel channel = script.retrying(AT_ONCE);
                    if (repeatable && (e.notStarted() || method == LOOK)) {
                        assertEquals(2, call(async, channel, method, CallOptions.NONE), e + " " + e.details());
                    } else {
                        CreoException last = failure(async, channel, method, CallOptions.NONE);
                        assertEquals(e.details(), last.details());
                        assertEquals(1, script.calls(), e + " " + e.details() + " " + method);
                    }
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void otherFailuresAreNotRepeated(boolean async) {
        for (Exception e : List.of(new ScriptedChannel.Refused(), new IllegalStateException("a bug"))) {
            ScriptedChannel script = new ScriptedChannel((number, options) -> {
                throw e;
            });
            assertThrows(e.getClass(), () -> call(async, script.retrying(AT_ONCE), BOOK, CallOptions.NONE));
            assertEquals(1, script.calls());
        }
    }

    /** An attempt of which that is open may have run the method, whatever the last one says (CALL-26). */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aCallWasNotStartedIfNoAttemptWas(boolean async) {
        for (int open : new int[] {0, 1, 2, 3}) {
            ScriptedChannel script = new ScriptedChannel((number, options) -> {
                throw number == open ? own(ErrorCode.UNAVAILABLE) : unsent(ErrorCode.UNAVAILABLE);
            });
            CreoException e = failure(async, script.retrying(AT_ONCE), LOOK, CallOptions.NONE);
            assertEquals(3, script.calls());
            assertEquals(open == 0, e.notStarted(), "open after attempt " + open);
            assertEquals("3", e.details().get("attempts"));
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void theLastErrorCountsTheAttempts(boolean async) {
        for (int max : new int[] {1, 2, 10}) {
            ScriptedChannel script = new ScriptedChannel((number, options) -> {
                throw ofPeer(ErrorCode.OVERLOADED, "number", Integer.toString(number));
            });
            CreoException e = failure(async, script.retrying(AT_ONCE.withAttempts(max)), LOOK, CallOptions.NONE);
            assertEquals(max, script.calls());
            assertEquals(max == 1 ? null : Integer.toString(max), e.details().get("attempts"));
            assertEquals(Integer.toString(max), e.details().get("number"));
            assertEquals(ErrorCode.OVERLOADED, e.code());
            assertTrue(e.fromPeer());
        }
        ScriptedChannel script = new ScriptedChannel((number, options) -> {
            throw number == 1 ? unsent(ErrorCode.UNAVAILABLE) : own(ErrorCode.INTERNAL);
        });
        CreoException e = failure(async, script.retrying(AT_ONCE), BOOK, CallOptions.NONE);
        assertEquals(ErrorCode.INTERNAL, e.code());
        assertEquals("2", e.details().get("attempts"));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aBudgetLimitsTheRepetitionsOfAllCalls(boolean async) throws Exception {
        boolean[] fails = {true};
        int[] succeedsAt = {0};
        ScriptedChannel script = new ScriptedChannel((number, options) -> {
            if (fails[0] && number != succeedsAt[0]) {
                throw unsent(ErrorCode.UNAVAILABLE);
            }
            return number;
        });
        Channel channel = script.retrying(AT_ONCE.withAttempts(2));
        for (int i = 0; i < 105; i++) {
            failure(async, channel, BOOK, CallOptions.NONE);
        }
        assertEquals(205, script.calls(), "100 repetitions cost 500 tokens");
        fails[0] = false;
        for (int i = 0; i < 4; i++) {
            call(async, channel, BOOK, CallOptions.NONE);
        }
        fails[0] = true;
        failure(async, channel, BOOK, CallOptions.NONE);
        assertEquals(210, script.calls(), "4 tokens are too few");
        fails[0] = false;
        call(async, channel, BOOK, CallOptions.NONE);
        fails[0] = true;
        for (int i = 0; i < 3; i++) {
            // One that succeeds when it is repeated returns what it cost.
            succeedsAt[0] = script.calls() + 2;
            assertEquals(succeedsAt[0], call(async, channel, BOOK, CallOptions.NONE));
        }
        failure(async, channel, BOOK, CallOptions.NONE);
        failure(async, channel, BOOK, CallOptions.NONE);
        assertEquals(220, script.calls(), "5 tokens are one repetition");
        assertEquals(2, call(async, ScriptedChannel.failing(1, unsent(ErrorCode.UNAVAILABLE)).retrying(AT_ONCE), BOOK, CallOptions.NONE), "another client");
    }

    @Test
    void theBudgetHoldsForManyThreads() throws Exception {
        ScriptedChannel script = new ScriptedChannel((number, options) -> {
            throw unsent(ErrorCode.UNAVAILABLE);
        });
        Channel channel = script.retrying(AT_ONCE.withAttempts(10));
        ExecutorService threads = Executors.newFixedThreadPool(8);
        List<Future<?>> all = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            boolean async = i % 2 == 0;
            all.add(threads.submit(() -> {
                for (int n = 0; n < 100; n++) {
                    failure(async, channel, BOOK, CallOptions.NONE);
                }
            }));
        }
        for (Future<?> each : all) {
            each.get();
        }
        threads.shutdown();
        assertEquals(8 * 100 + 100, script.calls());
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aWaitThatWouldNotEndBeforeTheDeadlineEndsTheCall(boolean async) {
        for (String time : List.of("3600000", "99999999999999999999999999", "000000000000000000003600000")) {
            ScriptedChannel script = ScriptedChannel.failing(9, ofPeer(ErrorCode.OVERLOADED, "started", "no", "retry-after", time));
            CreoException e = failure(async, script.retrying(AT_ONCE), BOOK, CallOptions.NONE.withDeadline(Duration.ofMinutes(30)));
            assertEquals(ErrorCode.OVERLOADED, e.code());
            assertEquals(1, script.calls());
            assertNull(e.details().get("attempts"));
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aChannelTellsItsOwnDeadline(boolean async) {
        Duration own = Duration.ofMinutes(30);
        long[] first = {0};
        ScriptedChannel script = new ScriptedChannel((number, options) -> {
            long deadline = CallObserver.deadline(options, own);
            first[0] = number == 1 ? deadline : first[0];
            assertEquals(first[0], deadline, "the time counts from the beginning of the call");
            throw number <= 2 ? unsent(ErrorCode.UNAVAILABLE) : ofPeer(ErrorCode.OVERLOADED, "started", "no", "retry-after", "3600000");
        });
        failure(async, script.retrying(AT_ONCE.withAttempts(10)), BOOK, CallOptions.NONE);
        assertEquals(3, script.calls());
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void anAttemptHasTheTimeThatIsLeft(boolean async) throws Exception {
        ScriptedChannel script = ScriptedChannel.failing(2, unsent(ErrorCode.UNAVAILABLE));
        assertEquals(3, call(async, script.retrying(AT_ONCE), BOOK, CallOptions.NONE.withDeadline(Duration.ofMinutes(30)).withMetadata("a", "b")));
        Duration before = Duration.ofMinutes(30);
        for (CallOptions options : script.seen) {
            assertTrue(options.deadline().compareTo(before) <= 0 && options.deadline().compareTo(Duration.ofMinutes(20)) > 0, options.deadline().toString());
            assertEquals(Map.of("a", "b"), options.metadata());
            before = options.deadline();
        }
        assertTrue(script.seen.get(2).deadline().compareTo(script.seen.get(0).deadline()) < 0);
    }

    @Test
    void theWaitIsAtLeastWhatThePeerAsksFor() throws Exception {
        ScriptedChannel script = ScriptedChannel.failing(1, ofPeer(ErrorCode.OVERLOADED, "started", "no", "retry-after", "30"));
        long began = System.nanoTime();
        assertEquals(2, script.retrying(AT_ONCE).call(BOOK, 1, CallOptions.NONE));
        assertTrue(System.nanoTime() - began >= 30_000_000);
        assertEquals(2, ScriptedChannel.failing(1, unsent(ErrorCode.UNAVAILABLE)).retrying(RetryPolicy.DEFAULT).call(BOOK, 1, CallOptions.NONE));
    }

    @Test
    void timesThatAreNoneAreIgnored() {
        for (String text : List.of("", "-1", "1.5", "+1", "1 ", "0x10", "\u0661", "Wed, 21 Oct 2026 07:28:00 GMT")) {
            assertNull(ofPeer(ErrorCode.OVERLOADED, "retry-after", text).retryAfter(), text);
        }
        assertNull(ofPeer(ErrorCode.OVERLOADED).retryAfter());
        assertEquals(Duration.ZERO, ofPeer(ErrorCode.OVERLOADED, "retry-after", "0").retryAfter());
        assertEquals(Duration.ofMillis(1_500), ofPeer(ErrorCode.OVERLOADED, "retry-after", "0001500").retryAfter());
        for (String text : List.of("31536000001", "999999999999999", "9".repeat(1_000))) {
            assertEquals(Duration.ofDays(365), ofPeer(ErrorCode.OVERLOADED, "retry-after", text).retryAfter());
        }
    }

    private static ScriptedChannel waiting() {
        return ScriptedChannel.failing(1, ofPeer(ErrorCode.OVERLOADED, "started", "no", "retry-after", "3600000"));
    }

    @Test
    void cancellingEndsAWait() {
        ScriptedChannel script = waiting();
        CompletableFuture<Integer> future = script.retrying(AT_ONCE).callAsync(BOOK, 1, LONG);
        assertFalse(future.isDone());
        assertTrue(future.cancel(true));
        assertTrue(future.isCancelled());
        assertEquals(1, script.calls());
    }

    @Test
    void anInterruptEndsAWait() throws Exception {
        ScriptedChannel script = waiting();
        Channel channel = script.retrying(AT_ONCE);
        CompletableFuture<CreoException> end = new CompletableFuture<>();
        boolean[] interrupted = new boolean[1];
        Thread caller = new Thread(() -> {
            CreoException e = failure(false, channel, BOOK, LONG);
            interrupted[0] = Thread.currentThread().isInterrupted();
            end.complete(e);
        });
        caller.start();
        Waiting.until(() -> script.calls() > 0 && caller.getState() == Thread.State.WAITING);
        caller.interrupt();
        assertEquals(ErrorCode.CANCELLED, end.get().code());
        assertTrue(interrupted[0]);
        assertEquals(1, script.calls());
    }

    @Test
    void cancellingEndsAnAttempt() {
        CompletableFuture<Integer> attempt = new CompletableFuture<>();
        ScriptedChannel script = new ScriptedChannel((number, options) -> attempt);
        CompletableFuture<Integer> future = script.retrying(AT_ONCE).callAsync(LOOK, 1, LONG);
        assertTrue(future.cancel(true));
        assertTrue(attempt.isCancelled());
        assertEquals(1, script.calls());
    }

    @Test
    void closingEndsWaits() throws Exception {
        CountDownLatch failed = new CountDownLatch(2);
        ScriptedChannel script = new ScriptedChannel((number, options) -> {
            if (number > 2) {
                throw unsent(ErrorCode.UNAVAILABLE);
            }
            failed.countDown();
            throw ofPeer(ErrorCode.OVERLOADED, "started", "no", "retry-after", "3600000");
        });
        Channel channel = script.retrying(AT_ONCE.withAttempts(10));
        CompletableFuture<Integer> future = channel.callAsync(BOOK, 1, LONG);
        CompletableFuture<CreoException> blocked = CompletableFuture.supplyAsync(() -> failure(false, channel, BOOK, LONG));
        failed.await();
        channel.close();
        assertTrue(script.closed);
        for (Throwable e : List.of(blocked.get(), assertThrows(ExecutionException.class, future::get).getCause())) {
            // A call that was about to wait ends with the error of its first attempt.
            ErrorCode code = assertInstanceOf(CreoException.class, e).code();
            assertTrue(code == ErrorCode.UNAVAILABLE || code == ErrorCode.OVERLOADED, e.toString());
        }
        assertTrue(script.calls() <= 4);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void theProgramSeesTheLastAttemptAlone(boolean async) throws Exception {
        ScriptedChannel script = new ScriptedChannel((number, options) -> {
            CallObserver.reached(options, "host " + number);
            options.answer().accept(new Answer(Map.of("number", Integer.toString(number)), 0, List.of()));
            if (number < 3) {
                throw ofPeer(ErrorCode.OVERLOADED, "started", "no");
            }
            return number;
        });
        List<String> told = new ArrayList<>();
        Channel channel = script.intercepted(interceptor("inner", told)).retrying(AT_ONCE).intercepted(interceptor("outer", told));
        List<Answer> answers = new ArrayList<>();
        assertEquals(3, call(async, channel, BOOK, CallOptions.NONE.withAnswer(answers::add)));
        assertEquals(List.of(Map.of("number", "3")), answers.stream().map(Answer::metadata).toList());
        assertEquals(List.of("outer begins", "inner begins", "inner ends overloaded at host 1 with {number=1}", "inner begins", "inner ends overloaded at host 2 with {number=2}",
            "inner begins", "inner ends result at host 3 with {number=3}", "outer ends result at host 3 with {number=3}"), told);
    }

    private static Interceptor interceptor(String name, List<String> told) {
        return call -> {
            told.add(name + " begins");
            return outcome -> told.add(name + " ends " + outcome + " at " + outcome.peer() + " with " + outcome.answer().metadata());
        };
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void anAttemptWithoutAnAnswerHasNone(boolean async) {
        ScriptedChannel script = new ScriptedChannel((number, options) -> {
            if (number == 1) {
                options.answer().accept(new Answer(Map.of(), 503, List.of()));
                throw ofPeer(ErrorCode.OVERLOADED);
            }
            throw own(ErrorCode.INTERNAL);
        });
        List<Answer> answers = new ArrayList<>();
        failure(async, script.retrying(AT_ONCE), LOOK, CallOptions.NONE.withAnswer(answers::add));
        assertEquals(List.of(), answers);
        assertEquals(2, script.calls());
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aReaderThatFailsEndsTheCallOnce(boolean async) {
        ScriptedChannel script = new ScriptedChannel((number, options) -> {
            options.answer().accept(new Answer(Map.of(), 0, List.of()));
            return number;
        });
        CallOptions options = CallOptions.NONE.withAnswer(answer -> {
            throw new IllegalStateException("no");
        });
        assertThrows(IllegalStateException.class, () -> call(async, script.retrying(AT_ONCE), LOOK, options));
        assertEquals(1, script.calls());
    }

    @Test
    void policiesAreChecked() {
        assertEquals(List.of(3, Duration.ofMillis(50), Duration.ofSeconds(5)),
            List.of(RetryPolicy.DEFAULT.attempts(), RetryPolicy.DEFAULT.baseDelay(), RetryPolicy.DEFAULT.maxDelay()));
        for (int attempts : new int[] {0, -1, 11}) {
            assertThrows(IllegalArgumentException.class, () -> RetryPolicy.DEFAULT.withAttempts(attempts));
        }
        for (Duration delay : List.of(Duration.ofNanos(-1), Duration.ofHours(1).plusNanos(1), Duration.ofSeconds(Long.MAX_VALUE))) {
            assertThrows(IllegalArgumentException.class, () -> RetryPolicy.DEFAULT.withBaseDelay(delay));
            assertThrows(IllegalArgumentException.class, () -> RetryPolicy.DEFAULT.withMaxDelay(delay));
        }
        RetryPolicy policy = RetryPolicy.DEFAULT.withAttempts(10).withBaseDelay(Duration.ofHours(1)).withMaxDelay(Duration.ZERO);
        assertEquals(List.of(10, Duration.ofHours(1), Duration.ZERO), List.of(policy.attempts(), policy.baseDelay(), policy.maxDelay()));
    }
}
