package creo.runtime;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import creo.runtime.codegen.ServiceMethod;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Raw messages over TCP of servers and clients (CALL-60 to CALL-68). The cases of conformance cover more of the clients. */
@Timeout(value = 300, unit = TimeUnit.SECONDS)
class RawTcpTest {
    private static final ServiceMethod<String, String> SECRET = Calls.SAY.secrets("text");

    private final BlockingQueue<RawMessage> ofServer = new LinkedBlockingQueue<>();
    private final BlockingQueue<RawMessage> ofClient = new LinkedBlockingQueue<>();

    private Server serve(ServiceMethod<String, String> say, RawMessages hook) {
        Endpoint endpoint = Endpoint.builder(Calls.INTERFACE).wires(Calls.WIRES).method(say, text -> {
            if (text.equals("deny")) {
                throw new CreoException(ErrorCode.PERMISSION_DENIED, "no");
            }
            if (text.equals("refuse")) {
                throw new Calls.Refused(7);
            }
            CallContext.current().answerMetadata("my-token", "hunter2");
            CallContext.current().answerMetadata("plain", "q");
            return "said " + text.length();
        }).method(Calls.ECHO, bytes -> bytes).method(Calls.NOTE, text -> null).build();
        return Server.builder().add(endpoint).rawMessages(hook).start();
    }

    private ClientOptions shown() {
        return ClientOptions.DEFAULT.withMetadata("x-api-key", "hunter2").withMetadata("plain", "p").withRawMessages(ofClient::add);
    }

    private static Channel open(Server server, ClientOptions options) {
        return TcpChannel.open("127.0.0.1", server.port(), options);
    }

    private static String hex(RawMessage message) {
        return HexFormat.of().formatHex(message.body());
    }

    private static String fields(RawMessage message) {
        return message.headers().stream().filter(field -> !field.name().equals("timeout")).map(field -> field.name() + "=" + field.value()).collect(Collectors.joining(" "));
    }

    /** The next message of both sides, which are the same but for the direction and the peer. */
    private RawMessage next(boolean answer) throws InterruptedException {
        RawMessage client = ofClient.take();
        RawMessage server = ofServer.take();
        for (RawMessage each : List.of(client, server)) {
            assertEquals(answer, each.answer(), each.toString());
            assertEquals(0, each.status());
            assertTrue(each.peer().startsWith("127.0.0.1:"), each.peer());
        }
        assertEquals(!answer, client.sent());
        assertEquals(answer, server.sent());
        assertEquals(client.method(), server.method());
        assertEquals(fields(client), fields(server));
        assertEquals(hex(client), hex(server));
        assertEquals(client.length(), server.length());
        assertEquals(client.cut(), server.cut());
        assertEquals(client.hidden(), server.hidden());
        return client;
    }

    @Test
    void bothSidesShowBothMessages() throws Exception {
        try (Server server = serve(Calls.SAY, ofServer::add); Channel channel = open(server, shown())) {
            assertEquals("said 2", channel.call(Calls.SAY, "hi", CallOptions.NONE));
            RawMessage request = next(false);
            assertEquals("test.Calls.say", request.method());
            assertEquals("wire=binary kind=request x-api-key=*** plain=p", fields(request));
            assertTrue(request.headers().stream().anyMatch(field -> field.name().equals("timeout") && Long.parseLong(field.value()) > 0));
            assertEquals("026869", hex(request));
            RawMessage answer = next(true);
            assertEquals("wire=binary kind=response my-token=*** plain=q", fields(answer));
            assertEquals("06736169642032", hex(answer));
            assertEquals(7, answer.length());
            assertNull(answer.hidden());
            assertThrows(Calls.Refused.class, () -> channel.call(Calls.SAY, "refuse", CallOptions.NONE));
            next(false);
            RawMessage exception = next(true);
            assertEquals("wire=binary kind=exception", fields(exception));
            assertEquals("0000000007", hex(exception));
            assertThrows(CreoException.class, () -> channel.call(Calls.SAY, "deny", CallOptions.NONE));
            next(false);
            assertEquals("wire=binary kind=error", fields(next(true)));
            channel.call(Calls.NOTE, "n", CallOptions.NONE);
            assertEquals("wire=binary kind=oneway x-api-key=*** plain=p", fields(next(false)));
            assertEquals("received answer of test.Calls.say from a, 5 bytes\n| kind: exception\n| \n|      0  00 00 00 00 07",
                RawLog.text(new RawMessage(false, true, "test.Calls.say", "a", 0, List.of(new Answer.Header("kind", "exception")), exception.body(), 0, 5, null), false));
        }
    }

    @Test
    void aSharedConnectionShowsThemToo() throws Exception {
        try (Server server = serve(Calls.SAY, ofServer::add); Channel channel = open(server, shown())) {
            assertEquals("said 2", channel.callAsync(Calls.SAY, "hi", CallOptions.NONE).get());
            assertEquals("026869", hex(next(false)));
            assertEquals("06736169642032", hex(next(true)));
        }
    }

    @Test
    void messagesOfAMethodWithSecretsAreNotShown() throws Exception {
        try (Server server = serve(SECRET, ofServer::add); Channel channel = open(server, shown())) {
            assertEquals("said 7", channel.call(SECRET, "hunter2", CallOptions.NONE));
            RawMessage request = next(false);
            assertEquals("", hex(request));
            assertEquals(8, request.length());
            assertEquals(0, request.cut());
            assertEquals("it is of the binary wire", request.hidden());
            assertEquals("it is of the binary wire", next(true).hidden());
            assertThrows(CreoException.class, () -> channel.call(SECRET, "deny", CallOptions.NONE));
            next(false);
            assertEquals("it is of the binary wire", next(true).hidden());
        }
    }

    @Test
    void aServerHidesASecretOfAMethodThatItDoesNotKnow() throws Exception {
        try (Server server = serve(SECRET, ofServer::add); Channel channel = open(server, ClientOptions.DEFAULT)) {
            CreoException e = assertThrows(CreoException.class, () -> channel.call(Calls.LOST, "hunter2", CallOptions.NONE));
            assertEquals(ErrorCode.UNKNOWN_METHOD, e.code());
            RawMessage request = ofServer.take();
            assertEquals("", request.method());
            assertEquals(8, request.length());
            assertEquals("it is of the binary wire", request.hidden());
            assertEquals("wire=binary kind=error", fields(ofServer.take()));
        }
    }

    @Test
    void aLongMessageIsShownWithoutFramesAndCompressionAndCut() throws Exception {
        byte[] many = new byte[300_000];
        Arrays.fill(many, (byte) 'm');
        many[0] = 1;
        for (ClientOptions options : List.of(shown(), shown().withCompression())) {
            RawMessages cutting = new RawMessages() {
                @Override
                public void message(RawMessage message) {
                    ofServer.add(message);
                }

                @Override
                public int maxBody() {
                    return 10;
                }
            };
            try (Server server = serve(Calls.SAY, cutting); Channel channel = open(server, options)) {
                for (int i = 0; i < 2; i++) {
                    assertArrayEquals(many, i == 0 ? channel.call(Calls.ECHO, many, CallOptions.NONE) : channel.callAsync(Calls.ECHO, many, CallOptions.NONE).get());
                    for (int message = 0; message < 2; message++) {
                        RawMessage whole = ofClient.take();
                        assertEquals(300_003, whole.length());
                        assertEquals(300_003 - 65_536, whole.cut());
                        RawMessage cut = ofServer.take();
                        assertEquals("e0a712016d6d6d6d6d6d", hex(cut));
                        assertEquals(299_993, cut.cut());
                        assertEquals(300_003, cut.length());
                    }
                }
            }
        }
    }

    @Test
    void tablesAreMaskedAndErrorsBesideThemAreBinary() throws Exception {
        try (Server server = serve(Calls.SAY, ofServer::add); Channel channel = TdxmlChannel.tcp("127.0.0.1", server.port(), shown())) {
            assertEquals("said 2", channel.call(Calls.SAY, "hi", CallOptions.NONE));
            RawMessage request = next(false);
            assertTrue(new String(request.body(), StandardCharsets.UTF_8).contains("hi"), request.toString());
            assertEquals("wire=tdxml kind=request x-api-key=*** plain=p", fields(request));
            next(true);
            assertThrows(CreoException.class, () -> channel.call(Calls.SAY, "deny", CallOptions.NONE));
            next(false);
            RawMessage error = next(true);
            assertNull(error.hidden());
            assertTrue(error.length() > 0);
        }
        try (Server server = serve(SECRET, ofServer::add); Channel channel = TdxmlChannel.tcp("127.0.0.1", server.port(), shown())) {
            assertEquals("said 7", channel.call(SECRET, "hunter2", CallOptions.NONE));
            assertEquals("its secrets have no names of their own", next(false).hidden());
        }
    }

    @Test
    void aFailureOfTheHookIsLoggedAndTheCallGoesOn() throws Exception {
        RawMessages failing = message -> {
            throw new IllegalStateException("raw");
        };
        try (HeardLog log = new HeardLog(); Server server = serve(Calls.SAY, failing); Channel channel = open(server, ClientOptions.DEFAULT.withRawMessages(failing))) {
            assertEquals("said 2", channel.call(Calls.SAY, "hi", CallOptions.NONE));
            assertEquals("said 2", channel.callAsync(Calls.SAY, "hi", CallOptions.NONE).get());
            String entry = log.records.take().getMessage();
            assertTrue(entry.contains("raw messages") && entry.contains("test.Calls.say"), entry);
        }
    }

    @Test
    void aValueThatCannotBeWrittenIsNotShown() {
        ServiceMethod<String, String> say = Calls.SAY;
        try (Server server = serve(Calls.SAY, ofServer::add); Channel channel = open(server, shown())) {
            assertThrows(RuntimeException.class, () -> channel.call(say, null, CallOptions.NONE));
            assertTrue(ofClient.isEmpty());
            assertFalse(ofServer.stream().anyMatch(message -> true));
        }
    }
}
