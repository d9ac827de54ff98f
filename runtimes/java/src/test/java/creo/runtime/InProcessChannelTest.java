package creo.runtime;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.security.Principal;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class InProcessChannelTest {
    private static CreoException fails(ErrorCode code, org.junit.jupiter.api.function.Executable call) {
        CreoException e = assertThrows(CreoException.class, call);
        assertEquals(code, e.code(), e.getMessage());
        return e;
    }

    @Test
    void callsReturnCopies() throws Exception {
        try (Channel channel = InProcessChannel.open(Calls.endpoint(text -> text + "!"))) {
            assertEquals("hello!", channel.call(Calls.SAY, "hello", CallOptions.NONE));
            byte[] sent = {1, 2};
            byte[] came = channel.call(Calls.ECHO, sent, CallOptions.NONE);
            assertArrayEquals(sent, came);
            assertNotSame(sent, came);
            assertEquals("x!", channel.callAsync(Calls.SAY, "x", CallOptions.NONE).get(60, TimeUnit.SECONDS));
        }
    }

    @Test
    void errorsAreThoseOfAConnection() throws Exception {
        Endpoint endpoint = Endpoint.builder(Calls.INTERFACE).method(Calls.SAY, text -> switch (text) {
            case "refused" -> throw new Calls.Refused(7);
            case "busy" -> throw new CreoException(ErrorCode.OVERLOADED, "busy", Map.of("limit", "own"));
            case "broken" -> throw new IllegalStateException("secret");
            case "null" -> null;
            default -> text;
        }).build();
        try (Channel channel = InProcessChannel.open(endpoint)) {
            Calls.Refused refused = assertThrows(Calls.Refused.class, () -> channel.call(Calls.SAY, "refused", CallOptions.NONE));
            assertEquals(7, refused.wait);
            CreoException busy = fails(ErrorCode.OVERLOADED, () -> channel.call(Calls.SAY, "busy", CallOptions.NONE));
            assertTrue(busy.fromPeer() && busy.details().equals(Map.of("limit", "own", "peer", "this process")), busy.details().toString());
            CreoException broken = fails(ErrorCode.INTERNAL, () -> channel.call(Calls.SAY, "broken", CallOptions.NONE));
            assertTrue(broken.getMessage().matches("internal: the service failed \\(reference [0-9a-f]{8}\\)"), broken.getMessage());
            fails(ErrorCode.INTERNAL, () -> channel.call(Calls.SAY, "null", CallOptions.NONE));
            fails(ErrorCode.INVALID_VALUE, () -> channel.call(Calls.SAY, null, CallOptions.NONE));
            CreoException unknown = fails(ErrorCode.UNKNOWN_METHOD, () -> channel.call(Calls.LOST, "x", CallOptions.NONE));
            assertTrue(unknown.reason().contains("it offers test.Calls with"), unknown.reason());
            ExecutionException async = assertThrows(ExecutionException.class, () -> channel.callAsync(Calls.LOST, "x", CallOptions.NONE).get(60, TimeUnit.SECONDS));
            assertEquals(ErrorCode.UNKNOWN_METHOD, ((CreoException) async.getCause()).code());
        }
        Limits limits = Limits.DEFAULT.withMaxMessageSize(100);
        try (Channel channel = InProcessChannel.open(ClientOptions.DEFAULT.withLimits(limits), null, Calls.endpoint(text -> text.repeat(50)))) {
            fails(ErrorCode.TOO_LARGE, () -> channel.call(Calls.ECHO, new byte[200], CallOptions.NONE));
            CreoException large = fails(ErrorCode.TOO_LARGE, () -> channel.call(Calls.SAY, "abc", CallOptions.NONE));
            assertTrue(large.fromPeer() && "100".equals(large.details().get("allowed")), large.details().toString());
        }
    }

    @Test
    void aServiceKnowsItsCall() throws Exception {
        LinkedBlockingQueue<String> seen = new LinkedBlockingQueue<>();
        Endpoint endpoint = Calls.endpoint(text -> {
            CallContext call = CallContext.current();
            seen.add(call.peer() + " " + call.metadata() + " " + call.principal().getName() + " " + (call.timeLeft().compareTo(Duration.ofSeconds(30)) <= 0));
            return text;
        });
        Authenticator authenticator = call -> {
            if (!"key".equals(call.metadata().get("authorization"))) {
                throw new CreoException(ErrorCode.UNAUTHENTICATED, "who are you");
            }
            Principal anna = () -> "anna";
            return anna;
        };
        try (Channel channel = InProcessChannel.open(ClientOptions.DEFAULT.withMetadata("a", "b"), authenticator, endpoint)) {
            channel.call(Calls.SAY, "x", CallOptions.NONE.withMetadata("authorization", "key").withDeadline(Duration.ofSeconds(30)));
            assertEquals("this process {a=b, authorization=key} anna true", seen.take());
            fails(ErrorCode.UNAUTHENTICATED, () -> channel.call(Calls.SAY, "x", CallOptions.NONE));
        }
    }

    @Test
    void aOnewayCallReturnsAtOnce() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        LinkedBlockingQueue<String> notes = new LinkedBlockingQueue<>();
        Calls.Service service = new Calls.Service() {
            @Override
            public String say(String text) {
                return text;
            }

            @Override
            public void note(String text) {
                try {
                    release.await();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
                notes.add(text);
            }
        };
        try (Channel channel = InProcessChannel.open(Calls.endpoint(service))) {
            channel.call(Calls.NOTE, "later", CallOptions.NONE);
            channel.callAsync(Calls.NOTE, "later", CallOptions.NONE).get(60, TimeUnit.SECONDS);
            release.countDown();
            for (int i = 0; i < 2; i++) {
                assertEquals("later", notes.poll(60, TimeUnit.SECONDS));
            }
        }
    }

    @Test
    void deadlinesCancellingAndClosingEndCalls() throws Exception {
        LinkedBlockingQueue<String> interrupted = new LinkedBlockingQueue<>();
        LinkedBlockingQueue<String> began = new LinkedBlockingQueue<>();
        Endpoint endpoint = Calls.endpoint(text -> {
            began.add(text);
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                interrupted.add(text);
                throw e;
            }
            return text;
        });
        Channel channel = InProcessChannel.open(endpoint);
        CreoException late = fails(ErrorCode.DEADLINE_EXCEEDED, () -> channel.call(Calls.SAY, "late", CallOptions.NONE.withDeadline(Duration.ofMillis(50))));
        assertTrue(late.getMessage().contains("this process"), late.getMessage());
        assertEquals("late", interrupted.take());
        assertEquals("late", began.take());
        CompletableFuture<String> cancelled = channel.callAsync(Calls.SAY, "cancelled", CallOptions.NONE);
        assertEquals("cancelled", began.take());
        cancelled.cancel(true);
        assertThrows(CancellationException.class, cancelled::get);
        assertEquals("cancelled", interrupted.take());
        CompletableFuture<String> expired = channel.callAsync(Calls.SAY, "expired", CallOptions.NONE.withDeadline(Duration.ofMillis(50)));
        ExecutionException e = assertThrows(ExecutionException.class, () -> expired.get(60, TimeUnit.SECONDS));
        assertEquals(ErrorCode.DEADLINE_EXCEEDED, ((CreoException) e.getCause()).code());
        assertEquals("expired", began.take());
        assertEquals("expired", interrupted.take());
        CompletableFuture<String> closed = channel.callAsync(Calls.SAY, "closed", CallOptions.NONE);
        assertEquals("closed", began.take());
        channel.close();
        e = assertThrows(ExecutionException.class, () -> closed.get(60, TimeUnit.SECONDS));
        assertEquals(ErrorCode.UNAVAILABLE, ((CreoException) e.getCause()).code());
        assertEquals("closed", interrupted.take());
        fails(ErrorCode.UNAVAILABLE, () -> channel.call(Calls.SAY, "x", CallOptions.NONE));
    }
}
