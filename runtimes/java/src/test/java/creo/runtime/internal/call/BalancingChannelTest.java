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
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import creo.runtime.Answer;
import creo.runtime.BalancedChannel;
import creo.runtime.Balancing;
import creo.runtime.CallOptions;
import creo.runtime.Channel;
import creo.runtime.CreoException;
import creo.runtime.ErrorCode;
import creo.runtime.RetryPolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Several addresses (CALL-30 to CALL-38). */
@Timeout(value = 300, unit = TimeUnit.SECONDS)
class BalancingChannelTest extends AddressRig {
    @Test
    void eachAddressTakesItsTurn() throws Exception {
        Channel channel = over(DEFAULT, "a", "b", "a", "c", "b");
        assertEquals(List.of(), openings);
        List<String> order = answered(channel, 6);
        assertEquals(Set.of("a", "b", "c"), Set.copyOf(order.subList(0, 3)));
        assertEquals(order.subList(0, 3), order.subList(3, 6));
        assertTrue("abcabc".contains(String.join("", order.subList(0, 3))));
        assertEquals(3, openings.size());
    }

    @Test
    void theFirstTurnIsRandom() throws Exception {
        List<String> firsts = new ArrayList<>();
        while (!firsts.containsAll(List.of("a", "b", "c"))) {
            firsts.addAll(answered(over(DEFAULT, "a", "b", "c"), 1));
        }
    }

    @Test
    void theLeastBusyAddressIsChosen() throws Exception {
        Map<String, CompletableFuture<Integer>> pending = new ConcurrentHashMap<>();
        for (String each : List.of("a", "b", "c")) {
            hosts.put(each, () -> pending.computeIfAbsent(each, key -> new CompletableFuture<>()));
        }
        Channel channel = over(DEFAULT.withRule(Balancing.Rule.LEAST_OUTSTANDING), "a", "b", "c");
        for (int i = 0; i < 6; i++) {
            channel.callAsync(BOOK, 1, CallOptions.NONE);
        }
        List<String> order = calls();
        assertEquals(Set.of("a", "b", "c"), Set.copyOf(order.subList(0, 3)));
        assertEquals(Set.of("a", "b", "c"), Set.copyOf(order.subList(3, 6)));
        pending.get("b").complete(1);
        hosts.remove("b");
        assertEquals(List.of("b", "b", "b"), answered(channel, 3));
    }

    @Test
    void ofTwoAddressesTheLessBusyIsChosen() throws Exception {
        CompletableFuture<Integer> pending = new CompletableFuture<>();
        hosts.put("a", () -> pending);
        hosts.put("b", () -> pending);
        Channel channel = over(DEFAULT.withRule(Balancing.Rule.PICK_TWO), "a", "b");
        CompletableFuture<Integer> first = channel.callAsync(BOOK, 1, CallOptions.NONE);
        String busy = calls().get(0);
        String free = busy.equals("a") ? "b" : "a";
        hosts.remove(free);
        assertEquals(List.of(free, free, free, free), answered(channel, 4));
        pending.complete(1);
        first.get();
        hosts.clear();
        List<String> all = new ArrayList<>();
        while (!all.containsAll(List.of("a", "b"))) {
            all.addAll(answered(channel, 1));
        }
    }

    @ParameterizedTest
    @EnumSource(Balancing.Rule.class)
    void aCallThatWasNotStartedIsMadeElsewhere(Balancing.Rule rule) throws Exception {
        for (boolean async : new boolean[] {false, true}) {
            hosts.clear();
            Channel channel = over(DEFAULT.withRule(rule), "a", "b", "c");
            fail("a", unsent(ErrorCode.UNAVAILABLE));
            fail("b", ofPeer(ErrorCode.UNAVAILABLE, "started", "no"));
            assertEquals(1, call(async, channel, BOOK, CallOptions.NONE));
            assertEquals("c", calls.get(calls.size() - 1));
            while (!calls.containsAll(List.of("a", "b"))) {
                assertEquals(1, call(async, channel, BOOK, CallOptions.NONE));
            }
            calls();
            assertEquals(List.of("c", "c", "c"), answered(channel, 3), "the others are ejected");
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void otherFailuresEndTheCall(boolean async) {
        for (ErrorCode code : ErrorCode.values()) {
            Channel channel = over(DEFAULT, "a", "b");
            List<CreoException> errors = new ArrayList<>(List.of(own(code)));
            if (code != ErrorCode.UNAVAILABLE) {
                errors.add(unsent(code));
            }
            for (CreoException e : errors) {
                fail("a", e);
                fail("b", e);
                assertEquals(e.getMessage(), failure(async, channel, LOOK, CallOptions.NONE).getMessage());
                assertEquals(1, calls().size(), code.word());
            }
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void ifAllFailTheErrorNamesThem(boolean async) {
        String[] names = new String[12];
        for (int i = 0; i < names.length; i++) {
            names[i] = "host" + i;
            fail(names[i], unsent(ErrorCode.UNAVAILABLE));
        }
        CreoException e = failure(async, over(DEFAULT, names), BOOK, CallOptions.NONE);
        List<String> tried = calls();
        assertEquals(Set.of(names), Set.copyOf(tried));
        assertEquals(12, tried.size(), "each once");
        assertEquals(ErrorCode.UNAVAILABLE, e.code());
        assertTrue(e.notStarted());
        StringBuilder text = new StringBuilder("unavailable here; tried before: ");
        for (int i = 0; i < 8; i++) {
            text.append(i == 0 ? "" : ", ").append(tried.get(i)).append(" (unavailable)");
        }
        assertEquals(text.toString(), e.reason());
        fail("alone", unsent(ErrorCode.UNAVAILABLE));
        assertEquals("unavailable here", failure(async, over(DEFAULT, "alone"), BOOK, CallOptions.NONE).reason());
    }

    @Test
    void theSecondAttemptHasTheSameDeadline() throws Exception {
        fail("a", unsent(ErrorCode.UNAVAILABLE));
        Channel channel = over(DEFAULT, "a", "b");
        for (int i = 0; i < 3; i++) {
            channel.call(BOOK, 1, CallOptions.NONE.withDeadline(Duration.ofMinutes(i + 1)));
        }
        for (CallOptions options : opened.get("b").seen) {
            assertTrue(options.deadline().compareTo(Duration.ofMinutes(3)) <= 0, options.deadline().toString());
        }
    }

    /** Ejects an address, and says how often a second passes until it is tried again. */
    private int secondsUntilProbed(Channel channel, String address) throws Exception {
        calls();
        for (int seconds = 1;; seconds++) {
            pass(0.999);
            assertFalse(answered(channel, 3).contains(address));
            pass(0.001);
            if (answered(channel, 1).contains(address)) {
                return seconds;
            }
        }
    }

    @Test
    void ejectionsDoubleUntilACallSucceeds() throws Exception {
        Channel channel = over(DEFAULT, "a", "b");
        fail("a", unsent(ErrorCode.UNAVAILABLE));
        answered(channel, 2);
        List<Integer> times = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            times.add(secondsUntilProbed(channel, "a"));
        }
        assertEquals(List.of(1, 2, 4, 8, 16, 32, 60, 60), times);
        fail("a", ofPeer(ErrorCode.INTERNAL));
        pass(60);
        failure(false, channel, BOOK, CallOptions.NONE);
        assertEquals(List.of("a"), calls(), "it has answered");
        fail("a", unsent(ErrorCode.UNAVAILABLE));
        answered(channel, 2);
        assertEquals(60, secondsUntilProbed(channel, "a"), "an error is no success");
        fail("a", new ScriptedChannel.Refused());
        pass(60);
        assertThrows(ScriptedChannel.Refused.class, () -> channel.call(BOOK, 1, CallOptions.NONE));
        fail("a", unsent(ErrorCode.UNAVAILABLE));
        answered(channel, 2);
        assertEquals(1, secondsUntilProbed(channel, "a"), "a declared exception is");
    }

    @Test
    void theTimesOfEjectionsCanBeSet() throws Exception {
        Channel channel = over(DEFAULT.withEjection(Duration.ofSeconds(2), Duration.ofSeconds(3)), "a", "b");
        fail("a", unsent(ErrorCode.UNAVAILABLE));
        answered(channel, 2);
        assertEquals(2, secondsUntilProbed(channel, "a"));
        assertEquals(3, secondsUntilProbed(channel, "a"));
        assertEquals(3, secondsUntilProbed(channel, "a"));
    }

    @Test
    void oneProbeIsSentUntilItIsAnswered() throws Exception {
        Channel channel = over(DEFAULT, "a", "b");
        fail("a", unsent(ErrorCode.UNAVAILABLE));
        answered(channel, 2);
        CompletableFuture<Integer> probe = new CompletableFuture<>();
        hosts.put("a", () -> probe);
        pass(1);
        CompletableFuture<Integer> probing = channel.callAsync(BOOK, 1, CallOptions.NONE);
        assertEquals(List.of("a"), calls());
        assertEquals(List.of("b", "b", "b"), answered(channel, 3));
        pass(100);
        assertEquals(List.of("b", "b", "b"), answered(channel, 3));
        hosts.remove("a");
        probe.complete(1);
        probing.get();
        assertEquals(Set.of("a", "b"), Set.copyOf(answered(channel, 2)));
    }

    @Test
    void aProbeThatTellsNothingIsFollowedByAnother() throws Exception {
        for (CreoException e : List.of(own(ErrorCode.CANCELLED), own(ErrorCode.INVALID_VALUE), own(ErrorCode.TOO_LARGE))) {
            Channel channel = over(DEFAULT, "a", "b");
            fail("a", unsent(ErrorCode.UNAVAILABLE));
            answered(channel, 2);
            fail("a", e);
            pass(1);
            for (int i = 0; i < 3; i++) {
                failure(false, channel, BOOK, CallOptions.NONE);
            }
            assertEquals(List.of("a", "a", "a"), calls());
        }
        for (CreoException e : List.of(own(ErrorCode.UNAVAILABLE), own(ErrorCode.DEADLINE_EXCEEDED), own(ErrorCode.PROTOCOL_MISMATCH))) {
            Channel channel = over(DEFAULT, "a", "b");
            fail("a", unsent(ErrorCode.UNAVAILABLE));
            answered(channel, 2);
            fail("a", e);
            pass(1);
            failure(false, channel, BOOK, CallOptions.NONE);
            assertEquals(2, secondsUntilProbe(channel), e + " fails the probe");
        }
    }

    private int secondsUntilProbe(Channel channel) throws Exception {
        hosts.remove("a");
        return secondsUntilProbed(channel, "a");
    }

    @Test
    void cancellingAProbeFreesTheAddress() throws Exception {
        Channel channel = over(DEFAULT, "a", "b");
        fail("a", unsent(ErrorCode.UNAVAILABLE));
        answered(channel, 2);
        hosts.put("a", CompletableFuture::new);
        pass(1);
        assertTrue(channel.callAsync(BOOK, 1, CallOptions.NONE).cancel(true));
        hosts.remove("a");
        calls();
        assertEquals(List.of("a"), answered(channel, 1));
    }

    @Test
    void someErrorsEjectAtOnce() throws Exception {
        for (CreoException e : List.of(own(ErrorCode.UNTRUSTED_PEER), own(ErrorCode.PROTOCOL_MISMATCH), ofPeer(ErrorCode.PROTOCOL_MISMATCH))) {
            Channel channel = over(DEFAULT, "a", "b");
            hosts.clear();
            fail("a", e);
            while (!calls.contains("a")) {
                try {
                    channel.call(BOOK, 1, CallOptions.NONE);
                } catch (CreoException same) {
                    assertEquals(e.code(), same.code());
                }
            }
            calls();
            assertEquals(List.of("b", "b", "b"), answered(channel, 3));
        }
    }

    @Test
    void threeLostCallsInSuccessionEject() throws Exception {
        for (CreoException e : List.of(own(ErrorCode.UNAVAILABLE), ofPeer(ErrorCode.UNAVAILABLE))) {
            for (CreoException between : List.of(own(ErrorCode.UNAVAILABLE), ofPeer(ErrorCode.INTERNAL), own(ErrorCode.DEADLINE_EXCEEDED))) {
                hosts.clear();
                Channel channel = over(DEFAULT, "a");
                List<CreoException> script = List.of(e, e, between, e, e);
                for (CreoException each : script) {
                    fail("a", each);
                    failure(false, channel, BOOK, CallOptions.NONE);
                }
                calls();
                hosts.clear();
                // An address alone is used in any case: a second one shows whether it is ejected.
                boolean ejected = !e.fromPeer() && between.code() == ErrorCode.UNAVAILABLE;
                Channel both = over(DEFAULT, "a", "b");
                int lost = 0;
                for (CreoException each : script) {
                    fail("a", each);
                    calls();
                    for (int tries = 0; tries < 2 && !calls.contains("a"); tries++) {
                        try {
                            both.call(BOOK, 1, CallOptions.NONE);
                        } catch (CreoException same) {
                            lost++;
                        }
                    }
                }
                assertEquals(ejected ? 3 : 5, lost, e + " " + between);
            }
        }
    }

    @Test
    void failuresAtTheSameTimeAreOneEjection() throws Exception {
        CompletableFuture<Integer> pending = new CompletableFuture<>();
        hosts.put("a", () -> pending);
        Channel channel = over(DEFAULT, "a", "b");
        List<CompletableFuture<Integer>> all = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            all.add(channel.callAsync(BOOK, 1, CallOptions.NONE));
        }
        pending.completeExceptionally(unsent(ErrorCode.UNAVAILABLE));
        for (CompletableFuture<Integer> each : all) {
            assertEquals(1, each.get());
        }
        assertEquals(1, secondsUntilProbe(channel));
    }

    @Test
    void callsThatBeganBeforeAnEjectionDoNotEndIt() throws Exception {
        CompletableFuture<Integer> old = new CompletableFuture<>();
        hosts.put("a", () -> old);
        Channel channel = over(DEFAULT, "a", "b");
        List<CompletableFuture<Integer>> all = List.of(channel.callAsync(BOOK, 1, CallOptions.NONE), channel.callAsync(BOOK, 1, CallOptions.NONE));
        fail("a", ofPeer(ErrorCode.UNAVAILABLE, "started", "no"));
        answered(channel, 2);
        old.complete(1);
        for (CompletableFuture<Integer> each : all) {
            each.get();
        }
        assertEquals(List.of("b", "b", "b"), answered(channel, 3), "a host that drains answers old calls");
    }

    @Test
    void ifAllAreEjectedTheNextToReturnIsUsed() throws Exception {
        Channel channel = over(DEFAULT, "a", "b", "c");
        for (String each : List.of("a", "b", "c")) {
            fail(each, unsent(ErrorCode.UNAVAILABLE));
        }
        failure(false, channel, BOOK, CallOptions.NONE);
        List<String> order = calls();
        assertEquals(3, Set.copyOf(order).size());
        pass(0.1);
        hosts.put(order.get(0), () -> null);
        assertEquals(List.of(order.get(0), order.get(0)), answered(channel, 2), "it is back");
        fail(order.get(0), unsent(ErrorCode.UNAVAILABLE));
        failure(false, channel, BOOK, CallOptions.NONE);
        List<String> again = calls();
        assertEquals(order, again, "the others are tried although they are ejected");
    }

    @Test
    void aChannelThatDoesNotOpenIsPassedOver() throws Exception {
        Channel channel = new BalancingChannel(List.of("bad", "good"), null, address -> {
            if (address.equals("bad")) {
                throw new IllegalArgumentException("no address");
            }
            return open(address);
        }, DEFAULT, now::get);
        assertEquals(List.of("good", "good", "good"), answered(channel, 3));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void theProgramSeesTheAnswerOfTheLastAddress(boolean async) throws Exception {
        Channel channel = new BalancingChannel(List.of("a", "b"), null, address -> new ScriptedChannel((number, options) -> {
            options.answer().accept(new Answer(Map.of("from", address), 0, List.of()));
            if (address.equals("a")) {
                throw ofPeer(ErrorCode.UNAVAILABLE, "started", "no");
            }
            return number;
        }), DEFAULT, now::get);
        List<Answer> answers = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            call(async, channel, BOOK, CallOptions.NONE.withAnswer(answers::add));
        }
        assertEquals(List.of("b", "b", "b"), answers.stream().map(answer -> answer.metadata().get("from")).toList());
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aClosedChannelMakesNoCalls(boolean async) throws Exception {
        Channel channel = over(DEFAULT, "a", "b");
        answered(channel, 2);
        channel.close();
        assertTrue(opened.get("a").closed && opened.get("b").closed);
        CreoException e = failure(async, channel.retrying(RetryPolicy.DEFAULT.withBaseDelay(Duration.ZERO)), BOOK, CallOptions.NONE);
        assertEquals(ErrorCode.UNAVAILABLE, e.code());
        assertEquals(List.of(), calls());
        assertEquals(2, openings.size());
    }

    @Test
    void manyThreadsCallAtOnce() throws Exception {
        for (Balancing.Rule rule : Balancing.Rule.values()) {
            for (String each : List.of("a", "b", "c")) {
                AtomicLong count = new AtomicLong();
                hosts.put(each, () -> {
                    if (count.incrementAndGet() % 3 == 0) {
                        throw unsent(ErrorCode.UNAVAILABLE);
                    }
                    return null;
                });
            }
            Channel channel = over(DEFAULT.withRule(rule), "a", "b", "c", "d");
            ExecutorService threads = Executors.newFixedThreadPool(8);
            List<Future<?>> all = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                boolean async = i % 2 == 0;
                all.add(threads.submit(() -> {
                    for (int n = 0; n < 300; n++) {
                        assertEquals(1, call(async, channel, BOOK, CallOptions.NONE));
                        pass(0.01);
                    }
                    return null;
                }));
            }
            for (Future<?> each : all) {
                each.get();
            }
            threads.shutdown();
            hosts.clear();
            pass(120);
            calls();
            // Each address that is ejected is probed, and no call counts as under way any more.
            List<String> used = new ArrayList<>();
            while (!used.containsAll(List.of("a", "b", "c", "d"))) {
                used.addAll(answered(channel, 1));
            }
        }
    }

    @Test
    void optionsAreChecked() {
        assertThrows(IllegalArgumentException.class, () -> BalancedChannel.open(List.of(), this::open, DEFAULT));
        assertThrows(NullPointerException.class, () -> BalancedChannel.open(List.of("a"), null, DEFAULT));
        for (Duration time : List.of(Duration.ofNanos(-1), Duration.ofDays(1).plusNanos(1))) {
            assertThrows(IllegalArgumentException.class, () -> DEFAULT.withEjection(time, Duration.ofDays(1)));
            assertThrows(IllegalArgumentException.class, () -> DEFAULT.withEjection(Duration.ofSeconds(1), time));
            assertThrows(IllegalArgumentException.class, () -> DEFAULT.withRefresh(time));
        }
        assertThrows(IllegalArgumentException.class, () -> DEFAULT.withEjection(Duration.ZERO, Duration.ofSeconds(1)));
        assertThrows(IllegalArgumentException.class, () -> DEFAULT.withEjection(Duration.ofSeconds(2), Duration.ofSeconds(1)));
        Balancing other = DEFAULT.withRule(Balancing.Rule.PICK_TWO).withEjection(Duration.ofMillis(1), Duration.ofMillis(2)).withRefresh(Duration.ofMillis(3));
        assertEquals(List.of(Balancing.Rule.PICK_TWO, Duration.ofMillis(1), Duration.ofMillis(2), Duration.ofMillis(3)),
            List.of(other.rule(), other.minEjection(), other.maxEjection(), other.refresh()));
    }
}
