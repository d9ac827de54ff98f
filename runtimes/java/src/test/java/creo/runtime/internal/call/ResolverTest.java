package creo.runtime.internal.call;

import static creo.runtime.internal.call.RetryingChannelTest.call;
import static creo.runtime.internal.call.RetryingChannelTest.failure;
import static creo.runtime.internal.call.ScriptedChannel.BOOK;
import static creo.runtime.internal.call.ScriptedChannel.unsent;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import creo.runtime.CallOptions;
import creo.runtime.Channel;
import creo.runtime.CreoException;
import creo.runtime.ErrorCode;
import creo.runtime.Waiting;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Addresses that a resolver finds (CALL-36). */
@Timeout(value = 300, unit = TimeUnit.SECONDS)
class ResolverTest extends AddressRig {
    @Test
    void aResolverIsAskedInTime() throws Exception {
        LinkedBlockingQueue<List<String>> given = new LinkedBlockingQueue<>();
        LinkedBlockingQueue<Boolean> asked = new LinkedBlockingQueue<>();
        Channel channel = over(() -> {
            asked.add(true);
            return given.take();
        });
        given.add(List.of("a", "a"));
        assertEquals(List.of("a"), answered(channel, 1));
        asked.take();
        pass(29.9);
        answered(channel, 3);
        assertTrue(asked.isEmpty());
        pass(0.1);
        assertEquals(List.of("a", "a"), answered(channel, 2), "these calls do not wait");
        asked.take();
        assertTrue(asked.isEmpty(), "one question at a time");
        given.add(List.of("b"));
        awaitCallAt(channel, "b");
        assertTrue(opened.get("a").closed, "nothing was under way there");
        assertEquals(List.of("b", "b"), answered(channel, 2));
        fail("b", unsent(ErrorCode.UNAVAILABLE));
        failure(false, channel, BOOK, CallOptions.NONE);
        pass(1);
        failure(false, channel, BOOK, CallOptions.NONE);
        asked.take();
        given.add(List.of("b", "c"));
        awaitCallAt(channel, "c");
        channel.close();
        assertTrue(opened.get("b").closed && opened.get("c").closed);
    }

    @Test
    void aChannelIsClosedAfterItsLastCall() throws Exception {
        CompletableFuture<Integer> pending = new CompletableFuture<>();
        hosts.put("a", () -> pending);
        LinkedBlockingQueue<List<String>> given = new LinkedBlockingQueue<>(List.of(List.of("a")));
        Channel channel = over(given::take);
        CompletableFuture<Integer> first = channel.callAsync(BOOK, 1, CallOptions.NONE);
        Waiting.until(() -> calls.contains("a"));
        hosts.remove("a");
        given.add(List.of("b"));
        pass(30);
        awaitCallAt(channel, "b");
        assertFalse(opened.get("a").closed);
        pending.complete(1);
        first.get();
        Waiting.until(() -> opened.get("a").closed);
        assertFalse(opened.get("b").closed);
    }

    @Test
    void aResolverThatFailsChangesNothing() throws Exception {
        LinkedBlockingQueue<String> asked = new LinkedBlockingQueue<>();
        List<String> nothing = new ArrayList<>();
        nothing.add(null);
        LinkedBlockingQueue<List<String>> given = new LinkedBlockingQueue<>(List.of(List.of("a"), List.of(), nothing));
        Channel channel = over(() -> {
            List<String> next = given.poll();
            asked.add("");
            if (next == null) {
                throw new java.io.IOException("no name server");
            }
            return next;
        });
        for (int i = 0; i < 5; i++) {
            while (asked.isEmpty()) {
                assertEquals(List.of("a"), answered(channel, 1));
            }
            asked.take();
            pass(31);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void withoutAddressesACallEnds(boolean async) throws Exception {
        boolean[] fails = {true};
        Channel channel = over(() -> {
            if (fails[0]) {
                throw new java.io.IOException("no name server");
            }
            return List.of("a");
        });
        for (int i = 0; i < 3; i++) {
            CreoException e = failure(async, channel, BOOK, CallOptions.NONE);
            assertEquals(ErrorCode.UNAVAILABLE, e.code());
            assertTrue(e.reason().contains("no name server"), e.reason());
            assertTrue(e.notStarted());
        }
        fails[0] = false;
        assertEquals(1, call(async, channel, BOOK, CallOptions.NONE), "it is asked with each call");
        CreoException none = failure(async, over(List::of), BOOK, CallOptions.NONE);
        assertEquals(ErrorCode.UNAVAILABLE, none.code());
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void theWaitForAResolverEndsInTime(boolean async) throws Exception {
        CountDownLatch never = new CountDownLatch(1);
        Channel channel = over(() -> {
            never.await();
            return List.of("a");
        });
        assertEquals(ErrorCode.DEADLINE_EXCEEDED, failure(async, channel, BOOK, CallOptions.NONE.withDeadline(Duration.ofMillis(20))).code());
        CompletableFuture<Integer> cancelled = channel.callAsync(BOOK, 1, CallOptions.NONE);
        CompletableFuture<Integer> waits = channel.callAsync(BOOK, 1, CallOptions.NONE);
        assertTrue(cancelled.cancel(true));
        assertFalse(waits.isDone());
        never.countDown();
        assertEquals(1, waits.get());
        Channel closing = over(() -> {
            new CountDownLatch(1).await();
            return null;
        });
        CompletableFuture<Integer> ended = closing.callAsync(BOOK, 1, CallOptions.NONE);
        closing.close();
        assertThrows(java.util.concurrent.ExecutionException.class, ended::get);
    }
}
