package creo.runtime;

import static creo.runtime.CallsTest.error;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import creo.runtime.internal.tcp.TcpFrames;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a service sends beside the bodies of its answers: metadata (CALL-2, CALL-3), and headers of HTTP (HTTP-25, HTTP-26). */
@Timeout(value = 300, unit = TimeUnit.SECONDS)
class AnswersTest {
    private static final String READS_METADATA = "4352454f 01 02 0000";
    private static final String PAIR = "01 0161 0162";

    /** Sets a pair and a header, and then does as it is told. */
    private static Server serve() {
        return Server.builder().cors("https://a.example").add(Calls.endpoint(text -> {
            CallContext call = CallContext.current();
            call.answerMetadata("a", "old");
            call.answerMetadata("a", "b");
            call.answerHeader("X-Answered", "old");
            call.answerHeader("x-answered", "say");
            call.answerHeader("Set-Cookie", "a=1");
            call.answerHeader("Set-Cookie", "b=2");
            switch (text) {
                case "refuse" -> throw new Calls.Refused(7);
                case "deny" -> throw new CreoException(ErrorCode.PERMISSION_DENIED, "no");
                case "fail" -> throw new IllegalStateException("secret");
                case "null" -> {
                    return null;
                }
                case "sleep" -> TimeUnit.SECONDS.sleep(20);
                default -> { }
            }
            return text;
        })).start();
    }

    private static String body(Raw.Frame frame) {
        return java.util.HexFormat.of().formatHex(frame.body());
    }

    private static String plain(String hex) {
        return hex.replace(" ", "");
    }

    @Test
    void everyAnswerOfAMethodCarriesThem() throws Exception {
        try (Server server = serve(); Raw raw = new Raw(server.port())) {
            raw.send(READS_METADATA).preamble();
            int id = 0;
            for (String what : List.of("fine", "refuse", "deny", "fail", "null")) {
                Raw.Frame frame = raw.send(Raw.request(0, ++id, 1, 0, Raw.text(what))).next();
                assertEquals(TcpFrames.METADATA, frame.flags(), what);
                assertTrue(body(frame).startsWith(plain(PAIR)), what + ": " + body(frame));
            }
            // What the host finds out has none: an unknown method, arguments that cannot be read, a time that is over.
            assertEquals(0, raw.send(Raw.request(0, 7, 999, 0, "")).next().flags());
            assertEquals(0, raw.send(Raw.request(0, 8, 1, 0, "05")).next().flags());
            Raw.Frame late = raw.send(Raw.request(0, 9, 1, 100, Raw.text("sleep"))).next();
            assertEquals(ErrorCode.DEADLINE_EXCEEDED, late.code());
            assertEquals(0, late.flags());
        }
    }

    @Test
    void aClientThatDoesNotReadThemGetsNone() throws Exception {
        try (Server server = serve(); Raw raw = new Raw(server.port())) {
            raw.send(Raw.PREAMBLE).preamble();
            Raw.Frame frame = raw.send(Raw.request(0, 1, 1, 0, Raw.text("fine"))).next();
            assertEquals(0, frame.flags());
            assertEquals(plain("04 66696e65"), body(frame));
        }
    }

    @Test
    void theyGoBeforeALongBody() throws Exception {
        try (Server server = Server.builder().compression().interceptor(call -> {
            call.answerMetadata("a", "v".repeat(12_000));
            return null;
        }).add(Calls.endpoint(text -> text)).start(); Raw raw = new Raw(server.port())) {
            raw.send(READS_METADATA).preamble();
            Raw.Frame first = raw.send(Raw.request(0, 1, 1, 0, "c0843d" + "61".repeat(1_000_000))).next();
            assertEquals(TcpFrames.METADATA | TcpFrames.MORE, first.flags());
            assertTrue(body(first).startsWith("010161e05d7676"), body(first).substring(0, 40));
            long bytes = first.body().length;
            Raw.Frame next = first;
            while ((next.flags() & TcpFrames.MORE) != 0) {
                next = raw.next();
                assertEquals(0, next.flags() & TcpFrames.METADATA);
                bytes += next.body().length;
            }
            assertEquals(5 + 12_000 + 3 + 1_000_000, bytes);
        }
    }

    private static String post(Server server, String text, String headers) throws Exception {
        return Http.post(server.httpPort(), "/Calls/say", "Content-Type: application/json\r\n" + headers, "{\"text\":\"" + text + "\"}");
    }

    @Test
    void overHttpTheyAreHeaders() throws Exception {
        try (Server server = serve()) {
            for (String what : List.of("fine", "refuse", "deny", "fail")) {
                String answer = post(server, what, "Origin: https://a.example\r\n");
                assertTrue(answer.contains("\r\nCreo-Meta-a: b\r\n"), answer);
                assertTrue(answer.contains("\r\nx-answered: say\r\n") && !answer.contains("old"), answer);
                assertTrue(answer.contains("\r\nSet-Cookie: a=1\r\nSet-Cookie: b=2\r\n"), answer);
                assertTrue(answer.contains("\r\nAccess-Control-Expose-Headers: Creo-Meta-a, x-answered\r\n"), answer);
            }
            assertFalse(post(server, "fine", "").contains("Expose"));
            String late = post(server, "sleep", "Creo-Timeout: 100\r\n").toLowerCase(Locale.ROOT);
            assertTrue(late.startsWith("http/1.1 504") && !late.contains("creo-meta") && !late.contains("x-answered"), late);
        }
    }

    @Test
    void valuesAreWrittenAsHeadersHoldThem() throws Exception {
        try (Server server = Server.builder().interceptor(call -> {
            call.answerMetadata("authorization", "a\r\nb\u00e9%");
            return null;
        }).add(Calls.endpoint(text -> text)).start()) {
            String answer = post(server, "fine", "");
            assertTrue(answer.contains("\r\nCreo-Meta-authorization: a%0D%0Ab%C3%A9%25\r\n"), answer);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "A", "a b", "a\n", "\u00e9", "creo-x"})
    void otherKeysAreRefused(String key) throws Exception {
        failsInService(ErrorCode.INVALID_VALUE, call -> call.answerMetadata(key, "x"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a b", "Content-Type", "Creo-Meta-a", "Connection", "Access-Control-Allow-Origin", "ALLOW", "date", "Transfer-Encoding"})
    void otherHeadersAreRefused(String name) throws Exception {
        failsInService(ErrorCode.INVALID_VALUE, call -> call.answerHeader(name, "x"));
    }

    @Test
    void otherValuesAreRefused() throws Exception {
        failsInService(ErrorCode.INVALID_VALUE, call -> call.answerMetadata("a", "\ud800"));
        failsInService(ErrorCode.INVALID_VALUE, call -> call.answerMetadata("a", null));
        failsInService(ErrorCode.INVALID_VALUE, call -> call.answerHeader("X-A", "a\r\nB: c"));
    }

    @Test
    void thereAreLimits() throws Exception {
        // What was set before remains, and may be replaced by what fits.
        failsInService(ErrorCode.TOO_LARGE, call -> call.answerMetadata("b", "x".repeat(16_384)));
        failsInService(ErrorCode.TOO_LARGE, call -> {
            call.answerMetadata("b", "x".repeat(16_000));
            call.answerMetadata("b", "\u00e9".repeat(8_000));
            call.answerMetadata("b", "x");
            for (int i = 0; i < 62; i++) {
                call.answerMetadata("k" + i, "");
            }
            call.answerMetadata("one-more", "");
        });
        failsInService(ErrorCode.TOO_LARGE, call -> {
            for (int i = 0; i < 64; i++) {
                call.answerHeader("Set-Cookie", "a=" + i);
            }
            call.answerHeader("X-A", "x");
        });
        failsInService(ErrorCode.TOO_LARGE, call -> call.answerHeader("X-A", "x".repeat(16_384)));
    }

    private interface Setter {
        void set(CallContext call);
    }

    /** What the runtime refuses, the service may catch; the pair that was set before goes with the answer. */
    private static void failsInService(ErrorCode code, Setter setter) throws Exception {
        Calls.Service service = text -> {
            CallContext.current().answerMetadata("before", "1");
            return error(code, () -> setter.set(CallContext.current())).code().word();
        };
        try (Server server = Calls.serve(service)) {
            String answer = post(server, "x", "");
            assertTrue(answer.endsWith("\"" + code.word() + "\"") && answer.contains("\r\nCreo-Meta-before: 1\r\n"), answer);
        }
    }

    @Test
    void setTooLateTheyHaveNoEffect() throws Exception {
        CountDownLatch answered = new CountDownLatch(1);
        CountDownLatch set = new CountDownLatch(1);
        Calls.Service service = text -> {
            if (text.equals("next")) {
                return text;
            }
            CallContext call = CallContext.current();
            new Thread(() -> {
                try {
                    answered.await();
                    call.answerMetadata("late", "x");
                    call.answerHeader("X-Late", "x");
                    set.countDown();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }).start();
            return text;
        };
        try (Server server = Calls.serve(service)) {
            assertFalse(post(server, "x", "").contains("late"));
            answered.countDown();
            assertTrue(set.await(60, TimeUnit.SECONDS), "setting it failed");
            assertFalse(post(server, "next", "").toLowerCase(Locale.ROOT).contains("late"));
        }
    }

    @Test
    void anAsynchronousMethodSetsThemFromItsThreads() throws Exception {
        Endpoint endpoint = Endpoint.builder(Calls.INTERFACE).wires(Calls.WIRES).asyncMethod(Calls.SAY, text -> {
            CallContext call = CallContext.current();
            return java.util.concurrent.CompletableFuture.supplyAsync(() -> {
                call.answerMetadata("a", "b");
                return text;
            });
        }).build();
        try (Server server = Server.builder().add(endpoint).start()) {
            assertTrue(post(server, "x", "").contains("\r\nCreo-Meta-a: b\r\n"));
        }
    }

    @Test
    void aOnewayMethodHasNoAnswerForThem() throws Exception {
        Calls.Service service = new Calls.Service() {
            @Override
            public String say(String text) {
                return text;
            }

            @Override
            public void note(String text) {
                CallContext.current().answerMetadata("a", "b");
            }
        };
        try (Server server = Calls.serve(service)) {
            String answer = Http.post(server.httpPort(), "/Calls/note", "Content-Type: application/json\r\n", "{\"text\":\"x\"}");
            assertTrue(answer.startsWith("HTTP/1.1 202") && !answer.contains("Creo-Meta"), answer);
        }
    }
}
