package creo.runtime;

import static creo.runtime.CallsTest.error;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import creo.runtime.codegen.Codec;
import creo.runtime.codegen.Reader;
import creo.runtime.codegen.ServiceInterface;
import creo.runtime.codegen.ServiceMethod;
import creo.runtime.codegen.Writer;
import creo.runtime.internal.tcp.TcpFrames;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Calls as JSON and as tables, over HTTP and TCP, between the runtime's own client and server. */
@Timeout(value = 300, unit = TimeUnit.SECONDS)
class TextWiresTest {
    private static final LinkedBlockingQueue<String> NOTES = new LinkedBlockingQueue<>();
    private static Server server;

    private static final class Service implements Calls.Service {
        @Override
        public String say(String text) throws Exception {
            return switch (text) {
                case "refused" -> throw new Calls.Refused(30);
                case "internal" -> throw new IllegalStateException("secret");
                case "denied" -> throw new CreoException(ErrorCode.PERMISSION_DENIED, "not <you>", Map.of("who", "a&b|"));
                case "metadata" -> CallContext.current().metadata().get("x-test");
                case "unwritable" -> "\ud800";
                default -> text;
            };
        }

        @Override
        public void note(String text) {
            NOTES.add(text);
        }
    }

    @BeforeAll
    static void start() {
        server = Server.builder().http("127.0.0.1", 0).bind("127.0.0.1", 0).add(Calls.endpoint(new Service())).start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static Map<String, Channel> channels(ClientOptions options) {
        String url = "http://127.0.0.1:" + server.httpPort() + "/Calls";
        Map<String, Channel> all = new LinkedHashMap<>();
        all.put("json", JsonChannel.open(url, options));
        all.put("tdxml", TdxmlChannel.open(url, options));
        all.put("tables", TdxmlSoapChannel.open(url, options.withTables(TableOptions.AGGREGATED.withSchema())));
        all.put("tcp", TdxmlChannel.tcp("127.0.0.1", server.port(), options));
        return all;
    }

    private interface Check {
        void of(String name, Channel channel) throws Exception;
    }

    private static void each(ClientOptions options, Check check) throws Exception {
        for (Map.Entry<String, Channel> each : channels(options).entrySet()) {
            try (Channel channel = each.getValue()) {
                check.of(each.getKey(), channel);
            }
        }
    }

    @Test
    void callsAreAnswered() throws Exception {
        byte[] bytes = new byte[100_000];
        new Random(3).nextBytes(bytes);
        for (ClientOptions options : new ClientOptions[] {ClientOptions.DEFAULT, ClientOptions.DEFAULT.withCompression(), ClientOptions.DEFAULT.withMtom()}) {
            each(options, (name, channel) -> {
                assertEquals("a|\n\"<", channel.call(Calls.SAY, "a|\n\"<", CallOptions.NONE), name);
                assertEquals("", channel.callAsync(Calls.SAY, "", CallOptions.NONE).get(), name);
                assertArrayEquals(bytes, channel.call(Calls.ECHO, bytes, CallOptions.NONE), name);
                channel.call(Calls.NOTE, name, CallOptions.NONE);
                assertEquals(name, NOTES.poll(60, TimeUnit.SECONDS));
                assertEquals("\u00e9", channel.call(Calls.SAY, "metadata", CallOptions.NONE.withMetadata("x-test", "\u00e9")), name);
            });
        }
    }

    @Test
    void failuresArriveAsTheyAre() throws Exception {
        each(ClientOptions.DEFAULT, (name, channel) -> {
            assertEquals(30, assertThrows(Calls.Refused.class, () -> channel.call(Calls.SAY, "refused", CallOptions.NONE), name).wait);
            CreoException denied = error(ErrorCode.PERMISSION_DENIED, () -> channel.call(Calls.SAY, "denied", CallOptions.NONE));
            assertEquals("not <you>", denied.reason(), name);
            assertEquals("a&b|", denied.details().get("who"), name);
            assertTrue(denied.fromPeer());
            CreoException internal = error(ErrorCode.INTERNAL, () -> channel.call(Calls.SAY, "internal", CallOptions.NONE));
            assertTrue(!internal.getMessage().contains("secret"), internal.getMessage());
            error(ErrorCode.INTERNAL, () -> channel.call(Calls.SAY, "unwritable", CallOptions.NONE));
            error(ErrorCode.UNKNOWN_METHOD, () -> channel.call(Calls.LOST, "x", CallOptions.NONE));
            assertEquals("$.text", error(ErrorCode.INVALID_VALUE, () -> channel.call(Calls.SAY, "\ud800", CallOptions.NONE)).place(), name);
            error(ErrorCode.DEADLINE_EXCEEDED, () -> channel.call(Calls.SLEEP, 20_000, CallOptions.NONE.withDeadline(Duration.ofMillis(50))));
            CompletableFuture<String> late = channel.callAsync(Calls.SAY, "refused", CallOptions.NONE);
            assertTrue(assertThrows(ExecutionException.class, late::get).getCause() instanceof Calls.Refused, name);
            assertEquals("fine", channel.call(Calls.SAY, "fine", CallOptions.NONE), name);
        });
    }

    @Test
    void answersAreHeldToTheLimits() throws Exception {
        each(ClientOptions.DEFAULT.withLimits(Limits.DEFAULT.withMaxMessageSize(10_000)), (name, channel) -> {
            error(ErrorCode.TOO_LARGE, () -> channel.call(Calls.ECHO, new byte[20_000], CallOptions.NONE));
            assertEquals("fine", channel.call(Calls.SAY, "fine", CallOptions.NONE), name);
        });
    }

    private static String post(String path, String type, String body) throws IOException {
        return Http.post(server.httpPort(), path, type == null ? "" : "Content-Type: " + type + "\r\n", body);
    }

    private static void is(int status, String text, String answer) {
        assertTrue(answer.startsWith("HTTP/1.1 " + status) && answer.contains(text), answer);
    }

    @Test
    void statusesAreThoseOfTheWire() throws IOException {
        is(200, "\r\n\r\n\"a\"", post("/Calls/say", "application/json; charset=utf-8", "{\"text\":\"a\"}"));
        is(202, "", post("/Calls/note", "application/json", "{\"text\":\"status\"}"));
        is(422, "{\"type\":\"urn:creo:exception:calls.Refused\",\"title\":\"Refused\",\"status\":422,\"value\":{\"wait\":30}}", post("/Calls/say", "application/json", "{\"text\":\"refused\"}"));
        is(403, "\"detail\":\"not <you>\",\"details\":{\"who\":\"a&b|\"}", post("/Calls/say", "application/json", "{\"text\":\"denied\"}"));
        is(400, "\"details\":{\"started\":\"no\",\"place\":\"$.text\",\"offset\":\"8\"}", post("/Calls/say", "application/json", "{\"text\":1}"));
        is(404, "urn:creo:error:unknown-method", post("/Calls/nothing", "application/json", "{}"));
        is(415, "application/problem+json", post("/Calls/say", "text/xml", "<x/>"));
        is(415, "application/problem+json", post("/Calls/say", "application/json; charset=latin1", "{}"));
        is(415, "application/problem+json", post("/Calls/say", null, "{}"));
        is(405, "\"status\":405", Http.send(server.httpPort(), "GET /Calls/say HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", new byte[0]));
        is(404, "text/plain", post("/Other/say", "application/json", "{}"));
        String tables = "application/vnd.creo.tdxml";
        is(200, "<Env xmlns=\"urn:creo:tdxml\"><CT>\n[0][0]|a\n</CT></Env>", post("/Calls/say", tables, "<Env xmlns=\"urn:creo:tdxml\"><CT>[0][0]|a</CT></Env>"));
        is(422, "of=\"calls.Refused\"><RT>\n[0]|30\n", post("/Calls/say", tables, "<Env xmlns=\"urn:creo:tdxml\"><RT>[0]|refused</RT></Env>"));
        is(400, "of=\"error\"><RT>\n[0]|malformed|row 1: [0]\\|a\\|b", post("/Calls/say", tables, "<Env xmlns=\"urn:creo:tdxml\"><RT>[0]|a|b</RT></Env>"));
        is(404, "|unknown-method|", post("/Calls/nothing", tables, "<Env xmlns=\"urn:creo:tdxml\"><RT/></Env>"));
    }

    @Test
    void aWireThatTheServerDoesNotSpeakIsToldSo() throws IOException {
        try (Socket socket = new Socket("127.0.0.1", server.port())) {
            socket.setSoTimeout(30_000);
            socket.getOutputStream().write(new byte[] {'C', 'R', 'E', 'O', 1, 0, 7, 0});
            byte[] answer = socket.getInputStream().readAllBytes();
            assertEquals(TcpFrames.ERROR, answer[12]);
            assertTrue(new String(answer, StandardCharsets.ISO_8859_1).contains("wire 7"));
        }
    }

    /** HTTP-11: their requests differ as XML, and without SOAP not at all. */
    @Test
    void aNameOfSeveralInterfacesAtOnePathIsNoMethod() throws IOException {
        Codec<String> text = Codec.of(Writer::writeString, Reader::readString);
        ServiceMethod<String, String> say = ServiceMethod.of(new ServiceInterface("test.Other", 5), "say", 77, text, text).text(() -> TextCalls.LOST);
        Endpoint other = Endpoint.builder(new ServiceInterface("test.Other", 5)).wires(Calls.WIRES).method(say, v -> v).build();
        try (Server both = Server.builder().http("127.0.0.1", 0).add(Calls.endpoint(new Service()), "/here").add(other, "/here").start()) {
            is(404, "urn:creo:error:unknown-method", Http.post(both.httpPort(), "/here/say", "Content-Type: application/json\r\n", "{\"text\":\"a\"}"));
            is(200, "\"AQ==\"", Http.post(both.httpPort(), "/here/echo", "Content-Type: application/json\r\n", "{\"bytes\":\"AQ==\"}"));
        }
    }
}
