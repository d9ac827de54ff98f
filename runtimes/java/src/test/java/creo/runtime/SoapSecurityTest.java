package creo.runtime;

import static creo.runtime.CallsTest.error;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.security.Principal;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The seam for the security of messages (SOAP-80, SOAP-81), with one that is no security. */
@Timeout(value = 300, unit = TimeUnit.SECONDS)
class SoapSecurityTest {
    private static final String SAY = Http.envelope("<c:say xmlns:c=\"urn:calls\"><c:text>hello</c:text></c:say>");
    private static final Set<String> SAID = ConcurrentHashMap.newKeySet();
    private static Server server;
    private static Server open;

    /** Seals messages: whatever is not sealed is refused. */
    private static final class Seal implements ClientSecurity, ServiceSecurity {
        @Override
        public byte[] send(byte[] message) {
            return ("<sealed>" + Base64.getEncoder().encodeToString(message) + "</sealed>").getBytes(StandardCharsets.US_ASCII);
        }

        private static byte[] unsealed(byte[] message, int length) {
            String text = new String(message, 0, length, StandardCharsets.UTF_8);
            if (!text.startsWith("<sealed>")) {
                throw text.contains("Envelope") ? new IllegalArgumentException("not sealed") : new CreoException(ErrorCode.MALFORMED, "no envelope");
            }
            return Base64.getDecoder().decode(text.substring(8, text.length() - 9));
        }

        @Override
        public byte[] receive(byte[] answer, int length, String charset) {
            try {
                return unsealed(answer, length);
            } catch (IllegalArgumentException e) {
                throw new CreoException(ErrorCode.PROTOCOL_MISMATCH, e.getMessage());
            }
        }

        @Override
        public Request accept(byte[] request, int length, String charset) {
            byte[] envelope;
            try {
                envelope = unsealed(request, length);
            } catch (IllegalArgumentException e) {
                throw new Refused(new FaultCode("urn:seal", "Broken"), new CreoException(ErrorCode.UNAUTHENTICATED, e.getMessage()));
            }
            return new Request() {
                @Override
                public byte[] envelope() {
                    return envelope;
                }

                @Override
                public Principal caller() {
                    return () -> "sealer";
                }

                @Override
                public byte[] send(byte[] answer) {
                    return Seal.this.send(answer);
                }
            };
        }
    }

    @BeforeAll
    static void start() {
        Endpoint endpoint = Calls.endpoint(text -> {
            SAID.add(text);
            if (text.equals("refused")) {
                throw new Calls.Refused(3);
            }
            return text + " by " + (CallContext.current().principal() == null ? "nobody" : CallContext.current().principal().getName());
        });
        server = Server.builder().http("127.0.0.1", 0).add(endpoint.withSecurity(new Seal())).start();
        open = Server.builder().http("127.0.0.1", 0).add(endpoint).start();
    }

    @AfterAll
    static void stop() {
        server.close();
        open.close();
    }

    private static ClientOptions sealed() {
        return ClientOptions.DEFAULT.withSecurity(new Seal());
    }

    private static String url(Server of, String path) {
        return "http://127.0.0.1:" + of.httpPort() + path;
    }

    @Test
    void everyMessageIsSecured() throws Exception {
        for (ClientOptions options : List.of(sealed(), sealed().withSoap12(), sealed().withMtom(), sealed().withAddressing(), sealed().withCompression())) {
            try (Channel channel = SoapChannel.open(url(server, "/Calls"), options)) {
                assertEquals("x by sealer", channel.call(Calls.SAY, "x", CallOptions.NONE));
                assertEquals("y by sealer", channel.callAsync(Calls.SAY, "y", CallOptions.NONE).get());
                assertEquals(3, assertThrows(Calls.Refused.class, () -> channel.call(Calls.SAY, "refused", CallOptions.NONE)).wait);
                assertEquals(2_000, channel.call(Calls.ECHO, new byte[2_000], CallOptions.NONE).length);
                error(ErrorCode.UNKNOWN_METHOD, () -> channel.call(Calls.LOST, "x", CallOptions.NONE));
                channel.call(Calls.NOTE, "z", CallOptions.NONE);
            }
        }
        try (Channel channel = TdxmlSoapChannel.open(url(server, "/Calls"), sealed())) {
            assertEquals("table by sealer", channel.call(Calls.SAY, "table", CallOptions.NONE));
        }
    }

    @Test
    void requestsThatAreNotSecuredAreRefused() throws Exception {
        String answer = Http.post(server.httpPort(), "/Calls", "Content-Type: text/xml\r\n", SAY.replace("hello", "unsealed"));
        assertTrue(answer.contains("xmlns:f=\"urn:seal\">f:Broken<") && answer.contains("code=\"unauthenticated\""), answer);
        answer = Http.post(server.httpPort(), "/Calls", "Content-Type: text/xml\r\n", "hello");
        assertTrue(answer.contains("code=\"malformed\""), answer);
        try (Channel channel = SoapChannel.open(url(server, "/Calls"), ClientOptions.DEFAULT.withMtom())) {
            CreoException e = error(ErrorCode.PROTOCOL_MISMATCH, () -> channel.call(Calls.ECHO, new byte[2_000], CallOptions.NONE));
            assertTrue(e.reason().startsWith("package: "), e.reason());
        }
        assertFalse(SAID.contains("unsealed"));
    }

    @Test
    void answersThatAreNotSecuredAreRefused() throws Exception {
        String sealed = new String(new Seal().send(SAY.getBytes(StandardCharsets.UTF_8)), StandardCharsets.US_ASCII);
        String answer = Http.post(server.httpPort(), "/Calls", "Content-Type: text/xml\r\n", sealed);
        assertTrue(answer.startsWith("HTTP/1.1 200 ") && answer.contains("<sealed>") && !answer.contains("sealer"), answer);
        // Sends plainly, and wants sealed answers.
        ClientSecurity half = new ClientSecurity() {
            @Override
            public byte[] send(byte[] request) {
                return request;
            }

            @Override
            public byte[] receive(byte[] given, int length, String charset) {
                return new Seal().receive(given, length, charset);
            }
        };
        try (Channel channel = SoapChannel.open(url(open, "/Calls"), ClientOptions.DEFAULT.withSecurity(half))) {
            error(ErrorCode.PROTOCOL_MISMATCH, () -> channel.call(Calls.SAY, "x", CallOptions.NONE));
            error(ErrorCode.PROTOCOL_MISMATCH, () -> channel.call(Calls.SAY, "refused", CallOptions.NONE));
        }
        try (Channel channel = SoapChannel.open(url(open, "/Nowhere"), ClientOptions.DEFAULT.withSecurity(half))) {
            CreoException e = assertThrows(CreoException.class, () -> channel.call(Calls.SAY, "x", CallOptions.NONE));
            assertFalse(e.reason().contains("no envelope"), e.reason());
        }
    }

    @Test
    void twoSecuritiesAtOnePath() {
        Endpoint endpoint = Calls.endpoint(text -> text);
        Server.Builder both = Server.builder().http("127.0.0.1", 0).add(endpoint.withSecurity(new Seal()), "/Same");
        assertThrows(IllegalArgumentException.class, () -> both.add(endpoint.withSecurity(new Seal()), "/Same").start().close());
    }
}
