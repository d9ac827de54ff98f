package creo.runtime.internal.call;

import static creo.runtime.internal.call.RetryingChannelTest.call;
import static creo.runtime.internal.call.RetryingChannelTest.failure;
import static creo.runtime.internal.call.ScriptedChannel.BOOK;
import static creo.runtime.internal.call.ScriptedChannel.LOOK;
import static creo.runtime.internal.call.ScriptedChannel.ofPeer;
import static creo.runtime.internal.call.ScriptedChannel.own;
import static creo.runtime.internal.call.ScriptedChannel.unsent;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import creo.runtime.Answer;
import creo.runtime.CallOptions;
import creo.runtime.Channel;
import creo.runtime.CreoException;
import creo.runtime.ErrorCode;
import creo.runtime.RetryPolicy;
import creo.runtime.Waiting;
import creo.runtime.codegen.ServiceMethod;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Hedged calls (CALL-29, CALL-80 to CALL-84). */
@Timeout(value = 300, unit = TimeUnit.SECONDS)
class HedgedCallTest extends AddressRig {
    private static final RetryPolicy SOON = RetryPolicy.DEFAULT.withBaseDelay(Duration.ZERO).withHedgeAfter(Duration.ofMillis(1));
    private static final CallOptions LONG = CallOptions.NONE.withDeadline(Duration.ofDays(1));

    /** The attempts that have not ended, by their number. */
    private final Map<Integer, CompletableFuture<Object>> pending = new ConcurrentHashMap<>();

    private CompletableFuture<Object> attempt(int number) {
        return pending.computeIfAbsent(number, key -> new CompletableFuture<>());
    }

    /** A channel whose attempts end as given; those for which null is given do not end. */
    private ScriptedChannel script(IntFunction<Object> end) {
        return new ScriptedChannel((number, options) -> {
            CompletableFuture<Object> attempt = attempt(number);
            Object given = end.apply(number);
            if (given instanceof Exception e) {
                attempt.completeExceptionally(e);
            } else if (given != null) {
                attempt.complete(given);
            }
            return attempt;
        });
    }

    /** Waits until a hedge was made of another call, which began later and has the same time. */
    private static void passHedge() {
        ScriptedChannel other = new ScriptedChannel((number, options) -> number < 3 ? new CompletableFuture<>() : number);
        assertEquals(3, other.retrying(SOON).callAsync(LOOK, 1, LONG).join());
    }

    private static void await(ScriptedChannel script, int calls) throws Exception {
        Waiting.until(() -> script.calls() >= calls);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void theSecondAttemptDecides(boolean async) throws Exception {
        ScriptedChannel script = script(number -> number == 1 ? null : number);
        assertEquals(2, call(async, script.retrying(SOON), LOOK, CallOptions.NONE));
        assertEquals(2, script.calls());
        assertTrue(attempt(1).isCancelled());
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void theFirstAttemptDecidesAfterAHedge(boolean async) throws Exception {
        ScriptedChannel script = script(number -> {
            if (number == 3) {
                attempt(1).complete(1);
            }
            return null;
        });
        assertEquals(1, call(async, script.retrying(SOON), LOOK, LONG));
        assertEquals(3, script.calls());
        Waiting.until(() -> attempt(2).isCancelled() && attempt(3).isCancelled());
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void anAnswerAtOnceIsNotHedged(boolean async) throws Exception {
        ScriptedChannel script = script(number -> number);
        assertEquals(1, call(async, script.retrying(SOON), LOOK, CallOptions.NONE));
        passHedge();
        assertEquals(1, script.calls());
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aDeclaredExceptionDecides(boolean async) {
        ServiceMethod<Integer, Integer> method = BOOK.idempotent();
        ScriptedChannel script = script(number -> number == 1 ? null : new ScriptedChannel.Refused());
        assertThrows(ScriptedChannel.Refused.class, () -> call(async, script.retrying(SOON), method, CallOptions.NONE));
        assertEquals(2, script.calls());
        assertTrue(attempt(1).isCancelled());
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void anErrorThatIsNotRepeatedDecides(boolean async) {
        ScriptedChannel script = script(number -> number == 1 ? null : ofPeer(ErrorCode.INTERNAL, "started", "no"));
        CreoException e = failure(async, script.retrying(SOON), LOOK, CallOptions.NONE);
        assertEquals(ErrorCode.INTERNAL, e.code());
        assertEquals("2", e.details().get("attempts"));
        assertFalse(e.notStarted(), "the first attempt may have started");
        assertTrue(attempt(1).isCancelled());
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void anErrorIsRepeatedWhileAnotherAttemptGoesOn(boolean async) throws Exception {
        RetryPolicy once = SOON.withHedgeAfter(Duration.ofHours(1));
        ScriptedChannel script = script(number -> number == 1 ? unsent(ErrorCode.UNAVAILABLE) : number);
        assertEquals(2, call(async, script.retrying(once), LOOK, CallOptions.NONE));

        pending.clear();
        ScriptedChannel second = script(number -> number == 1 ? null : number == 2 ? own(ErrorCode.UNAVAILABLE) : number);
        assertEquals(3, call(async, second.retrying(SOON), LOOK, CallOptions.NONE));
        assertTrue(attempt(1).isCancelled());
    }

    @Test
    void anErrorWithoutRepetitionWaitsForTheOthers() throws Exception {
        ScriptedChannel script = script(number -> number == 1 ? null : own(ErrorCode.UNAVAILABLE));
        CompletableFuture<Integer> call = script.retrying(SOON.withAttempts(2)).callAsync(LOOK, 1, LONG);
        await(script, 2);
        passHedge();
        assertFalse(call.isDone());
        attempt(1).complete(7);
        assertEquals(7, call.get());
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void theErrorThatCameLastIsThatOfTheCall(boolean async) {
        for (boolean sent : new boolean[] {false, true}) {
            pending.clear();
            ScriptedChannel script = script(number -> {
                if (number < 3) {
                    return null;
                }
                attempt(2).completeExceptionally(sent ? own(ErrorCode.UNAVAILABLE) : unsent(ErrorCode.UNAVAILABLE));
                attempt(1).completeExceptionally(ofPeer(ErrorCode.OVERLOADED, "started", "no", "number", "1"));
                return ofPeer(ErrorCode.OVERLOADED, "started", "no", "number", "3");
            });
            CreoException e = failure(async, script.retrying(SOON), LOOK, CallOptions.NONE);
            assertEquals("3", e.details().get("number"));
            assertEquals("3", e.details().get("attempts"));
            assertEquals(!sent, e.notStarted());
        }
    }

    @Test
    void overloadEndsHedging() throws Exception {
        ScriptedChannel script = script(number -> number == 2 ? ofPeer(ErrorCode.OVERLOADED) : null);
        Channel channel = script.retrying(SOON.withAttempts(4));
        CompletableFuture<Integer> call = channel.callAsync(LOOK, 1, LONG);
        await(script, 3);
        passHedge();
        assertEquals(3, script.calls(), "the repetition is not hedged");
        attempt(1).complete(1);
        assertEquals(1, call.get());
        Waiting.until(() -> attempt(3).isCancelled());
    }

    @Test
    void aWaitThatAHostAsksForIsNotHedged() throws Exception {
        ScriptedChannel script = script(number -> number == 2 ? ofPeer(ErrorCode.UNAVAILABLE, "retry-after", "3600000") : null);
        CompletableFuture<Integer> call = script.retrying(SOON).callAsync(LOOK, 1, LONG);
        await(script, 2);
        passHedge();
        assertEquals(2, script.calls());
        attempt(1).completeExceptionally(own(ErrorCode.UNAVAILABLE));
        passHedge();
        assertFalse(call.isDone());
        assertEquals(2, script.calls(), "the wait that ends later counts");
        assertTrue(call.cancel(true));
    }

    @Test
    void onlyIdempotentMethodsWithAnAnswerAreHedged() throws Exception {
        ServiceMethod<Integer, Void> told = ServiceMethod.oneway(new creo.runtime.codegen.ServiceInterface("test.Ledger", 7), "tell", 3,
            creo.runtime.codegen.Codec.of(creo.runtime.codegen.Writer::writeInt, creo.runtime.codegen.Reader::readInt)).idempotent();
        for (ServiceMethod<Integer, ?> method : List.of(BOOK, told)) {
            pending.clear();
            ScriptedChannel script = script(number -> null);
            CompletableFuture<?> call = script.retrying(SOON).callAsync(method, 1, LONG);
            passHedge();
            assertEquals(1, script.calls(), method.toString());
            assertTrue(call.cancel(true));
        }
    }

    @Test
    void hedgesAreNotGivenBack() throws Exception {
        ScriptedChannel script = script(number -> null);
        Channel channel = script.retrying(SOON.withAttempts(2));
        int hedges = 0;
        // 500 tokens: each call takes 5 and returns 1, until there are 4 left.
        for (int i = 1; i <= 124; i++) {
            CompletableFuture<Integer> call = channel.callAsync(LOOK, 1, LONG);
            await(script, i + ++hedges);
            attempt(script.calls()).complete(i);
            assertEquals(i, call.get());
        }
        int before = script.calls();
        CompletableFuture<Integer> call = channel.callAsync(LOOK, 1, LONG);
        passHedge();
        assertEquals(before + 1, script.calls());
        attempt(before + 1).complete(0);
        assertEquals(0, call.get());
        CompletableFuture<Integer> next = channel.callAsync(LOOK, 1, LONG);
        await(script, before + 3);
        assertTrue(next.cancel(true));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void theDeadlineIsForAllAttempts(boolean async) throws Exception {
        ScriptedChannel script = script(number -> number < 3 ? null : number);
        assertEquals(3, call(async, script.retrying(SOON), LOOK, CallOptions.NONE.withDeadline(Duration.ofSeconds(30)).withMetadata("a", "b")));
        Duration before = Duration.ofSeconds(30).plusNanos(1);
        for (CallOptions options : script.seen) {
            assertTrue(options.deadline().compareTo(before) < 0, options.deadline().toString());
            assertEquals(Map.of("a", "b"), options.metadata());
            before = options.deadline();
        }
        pending.clear();
        ScriptedChannel late = script(number -> null);
        CompletableFuture<Integer> call = late.retrying(SOON).callAsync(LOOK, 1, CallOptions.NONE.withDeadline(Duration.ofNanos(1)));
        passHedge();
        assertEquals(1, late.calls(), "a hedge after the deadline");
        attempt(1).completeExceptionally(own(ErrorCode.DEADLINE_EXCEEDED));
        assertEquals(ErrorCode.DEADLINE_EXCEEDED, ((CreoException) assertThrows(ExecutionException.class, call::get).getCause()).code());
    }

    @Test
    void cancellingEndsAllAttempts() throws Exception {
        ScriptedChannel script = script(number -> null);
        CompletableFuture<Integer> call = script.retrying(SOON).callAsync(LOOK, 1, LONG);
        await(script, 3);
        assertTrue(call.cancel(true));
        assertTrue(call.isCancelled());
        for (int number : List.of(1, 2, 3)) {
            Waiting.until(() -> attempt(number).isCancelled());
        }
    }

    @Test
    void anInterruptEndsAllAttempts() throws Exception {
        ScriptedChannel script = script(number -> null);
        Channel channel = script.retrying(SOON);
        CompletableFuture<CreoException> end = new CompletableFuture<>();
        Thread caller = new Thread(() -> end.complete(failure(false, channel, LOOK, LONG)));
        caller.start();
        await(script, 3);
        caller.interrupt();
        assertEquals(ErrorCode.CANCELLED, end.get().code());
        for (int number : List.of(1, 2, 3)) {
            Waiting.until(() -> attempt(number).isCancelled());
        }
    }

    @Test
    void closingEndsAWait() {
        ScriptedChannel script = script(number -> ofPeer(ErrorCode.UNAVAILABLE, "retry-after", "3600000"));
        Channel channel = script.retrying(SOON);
        CompletableFuture<Integer> call = channel.callAsync(LOOK, 1, LONG);
        channel.close();
        assertEquals(ErrorCode.UNAVAILABLE, ((CreoException) assertThrows(ExecutionException.class, call::get).getCause()).code());
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void theProgramSeesTheAttemptThatDecides(boolean async) throws Exception {
        ScriptedChannel script = new ScriptedChannel((number, options) -> {
            CallObserver.reached(options, "host " + number);
            options.answer().accept(new Answer(Map.of("number", Integer.toString(number)), 0, List.of()));
            CompletableFuture<Object> attempt = attempt(number);
            if (number == 3) {
                attempt(2).complete(2);
            }
            return attempt;
        });
        List<String> told = new ArrayList<>();
        Channel channel = script.retrying(SOON).intercepted(call -> {
            told.add("begins");
            return outcome -> told.add("ends " + outcome + " at " + outcome.peer() + " with " + outcome.answer().metadata());
        });
        List<Answer> answers = new ArrayList<>();
        assertEquals(2, call(async, channel, LOOK, CallOptions.NONE.withAnswer(answers::add)));
        assertEquals(List.of(Map.of("number", "2")), answers.stream().map(Answer::metadata).toList());
        assertEquals(List.of("begins", "ends result at host 2 with {number=2}"), told);
    }

    @Test
    void aHedgeGoesToAnotherAddress() throws Exception {
        for (int i = 0; i < 10; i++) {
            Channel channel = over(DEFAULT, "a", "b", "c").retrying(SOON);
            // A host that is called last may end its attempt after the call, so each call has its own.
            CompletableFuture<Object> answer = new CompletableFuture<>();
            for (String each : List.of("a", "b", "c")) {
                hosts.put(each, () -> answer);
            }
            CompletableFuture<Integer> call = channel.callAsync(LOOK, 1, LONG);
            Waiting.until(() -> calls.size() == 3);
            answer.complete(1);
            assertEquals(1, call.get());
            assertEquals(Set.of("a", "b", "c"), Set.copyOf(calls()));
        }
    }

    @Test
    void anEjectedAddressIsNoneForAHedge() throws Exception {
        Channel channel = over(DEFAULT, "a", "b");
        fail("a", unsent(ErrorCode.UNAVAILABLE));
        assertEquals("b", answered(channel, 3).get(2));
        hosts.put("b", () -> attempt(0));
        CompletableFuture<Integer> call = channel.retrying(SOON).callAsync(LOOK, 1, LONG);
        Waiting.until(() -> calls.size() == 3);
        attempt(0).complete(1);
        assertEquals(1, call.get());
        assertEquals(List.of("b", "b", "b"), calls());
    }

    @Test
    void theTimeIsChecked() {
        assertNull(RetryPolicy.DEFAULT.hedgeAfter());
        for (Duration time : List.of(Duration.ZERO, Duration.ofNanos(999_999), Duration.ofNanos(-1), Duration.ofHours(1).plusNanos(1))) {
            assertThrows(IllegalArgumentException.class, () -> RetryPolicy.DEFAULT.withHedgeAfter(time));
        }
        RetryPolicy policy = RetryPolicy.DEFAULT.withHedgeAfter(Duration.ofHours(1)).withAttempts(4).withBaseDelay(Duration.ZERO).withMaxDelay(Duration.ZERO);
        assertEquals(Duration.ofHours(1), policy.hedgeAfter());
        assertEquals(Duration.ofMillis(1), policy.withHedgeAfter(Duration.ofMillis(1)).hedgeAfter());
    }
}
