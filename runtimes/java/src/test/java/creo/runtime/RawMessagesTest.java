package creo.runtime;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import creo.runtime.codegen.ServiceMethod;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Raw messages of servers, and of clients where a peer is needed (CALL-60 to CALL-68). The cases of conformance cover the rest. */
@Timeout(value = 300, unit = TimeUnit.SECONDS)
class RawMessagesTest {
    private static final ServiceMethod<String, String> SAY = Calls.SAY.secrets("text");

    private final BlockingQueue<RawMessage> seen = new LinkedBlockingQueue<>();

    private Server serve() {
        return serve(SAY, seen::add);
    }

    private static Server serve(ServiceMethod<String, String> say, RawMessages hook) {
        Endpoint endpoint = Endpoint.builder(Calls.INTERFACE).wires(Calls.WIRES).method(say, text -> {
            if (text.equals("deny")) {
                throw new CreoException(ErrorCode.PERMISSION_DENIED, "no");
            }
            CallContext.current().answerHeader("Set-Cookie", "a=hunter2");
            CallContext.current().answerMetadata("my-token", "hunter2");
            return "said " + text.length();
        }).build();
        return Server.builder().add(endpoint).rawMessages(hook).start();
    }

    private static Channel json(Server server, ClientOptions options) {
        return JsonChannel.open("http://127.0.0.1:" + server.httpPort() + "/Calls", options);
    }

    private static String body(RawMessage message) {
        return new String(message.body(), StandardCharsets.UTF_8);
    }

    private static String header(RawMessage message, String name) {
        return message.headers().stream().filter(h -> h.name().equalsIgnoreCase(name)).map(Answer.Header::value).findFirst().orElse(null);
    }

    /** The next message: whether it is an answer, and what it shows. */
    private RawMessage next(boolean answer, String body) throws InterruptedException {
        RawMessage message = seen.take();
        assertEquals(answer, message.answer());
        assertEquals(answer, message.sent());
        assertEquals(body, body(message), message.toString());
        assertTrue(message.peer().startsWith("127.0.0.1:"), message.peer());
        return message;
    }

    @Test
    void aServerShowsBothMessages() throws Exception {
        try (Server server = serve(); Channel channel = json(server, ClientOptions.DEFAULT.withHeader("X-Api-Key", "hunter2").withMetadata("plain", "p"))) {
            assertEquals("said 7", channel.call(SAY, "hunter2", CallOptions.NONE));
            RawMessage request = next(false, "{\"text\":\"***\"}");
            assertEquals("test.Calls.say", request.method());
            assertEquals("***", header(request, "x-api-key"));
            assertEquals("p", header(request, "creo-meta-plain"));
            RawMessage answer = next(true, "\"said 7\"");
            assertEquals(200, answer.status());
            assertEquals("***", header(answer, "set-cookie"));
            assertEquals("***", header(answer, "creo-meta-my-token"));
            assertThrows(CreoException.class, () -> channel.call(SAY, "deny", CallOptions.NONE));
            next(false, "{\"text\":\"***\"}");
            assertEquals(403, seen.take().status());
        }
    }

    @Test
    void aServerShowsSoap() throws Exception {
        try (Server server = serve(); Channel channel = SoapChannel.open("http://127.0.0.1:" + server.httpPort() + "/Calls", ClientOptions.DEFAULT)) {
            assertEquals("said 7", channel.call(SAY, "hunter2", CallOptions.NONE));
            assertFalse(body(seen.take()).contains("hunter2"));
            assertTrue(body(seen.take()).contains("said 7"));
        }
    }

    @Test
    void aServerShowsWhatItRefuses() throws Exception {
        try (Server server = serve()) {
            Http.post(server.httpPort(), "/Calls/say", "Content-Type: application/json\r\n", "{\"text\":\"hunter2\"");
            RawMessage request = next(false, "");
            assertEquals("it is not well-formed", request.hidden());
            assertEquals(17, request.length());
            assertEquals("test.Calls.say", request.method());
            RawMessage answer = seen.take();
            assertEquals(400, answer.status());
            assertNull(answer.hidden(), answer.toString());
            // The method is not known: the secrets of all are hidden.
            Http.post(server.httpPort(), "/Calls", "Content-Type: text/xml\r\n", Http.envelope("<other><text>hunter2</text></other>"));
            assertEquals("", next(false, Http.envelope("<other><text>***</text></other>")).method());
            assertTrue(body(seen.take()).contains("Fault"));
            Http.post(server.httpPort(), "/Calls", "Content-Type: text/plain\r\n", "hunter2");
            assertNull(seen.poll());
        }
    }

    @Test
    void codingsAreUndoneOnBothSides() throws Exception {
        String long2000 = "é".repeat(1_000);
        BlockingQueue<RawMessage> shown = new LinkedBlockingQueue<>();
        try (Server server = serve(Calls.SAY, seen::add); Channel channel = json(server, ClientOptions.DEFAULT.withCompression().withRawMessages(shown::add))) {
            channel.call(Calls.SAY, long2000, CallOptions.NONE);
            RawMessage sent = shown.take();
            RawMessage received = seen.take();
            assertEquals("gzip", header(received, "content-encoding"));
            assertEquals("{\"text\":\"" + long2000 + "\"}", body(sent));
            assertArrayEquals(sent.body(), received.body());
        }
    }

    @Test
    void whatAHookThrowsIsLogged() throws Exception {
        try (HeardLog log = new HeardLog(); Server server = serve(SAY, message -> {
            throw new IllegalStateException("broken");
        }); Channel channel = json(server, ClientOptions.DEFAULT)) {
            assertEquals("said 1", channel.call(SAY, "x", CallOptions.NONE));
            String entry = log.records.take().getMessage();
            assertTrue(entry.contains("raw messages") && entry.contains("test.Calls.say"), entry);
        }
    }

    @Test
    void aLogIsText() {
        RawMessage message = new RawMessage(false, true, "test.Calls.say", "a\u001b", 200, List.of(new Answer.Header("x", "y\r\nz")), "{\"a\":[]}".getBytes(StandardCharsets.UTF_8), 3, 11, null);
        assertEquals("received answer of test.Calls.say from a?, status 200, 11 bytes\n| x: y??z\n| \n| {\n|   \"a\": []\n| }\n| (3 more bytes)", RawLog.text(message, true));
        assertThrows(IllegalArgumentException.class, () -> new RawLog().withMaxBody(-1));
        assertEquals(10, new RawLog().indented().withMaxBody(10).maxBody());
    }
}
