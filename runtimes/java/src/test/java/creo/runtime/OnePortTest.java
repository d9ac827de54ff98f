package creo.runtime;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import creo.runtime.internal.tcp.TcpFrames;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** One port distinguishes the binary wire, HTTP and TLS; single-protocol ports report their protocol to clients of another. */
@Timeout(value = 300, unit = TimeUnit.SECONDS)
class OnePortTest {
    private static final String JSON = "Content-Type: application/json\r\n";
    private static final String SAY = "{\"text\":\"hi\"}";

    private static Server.Builder builder() {
        return Server.builder().add(Calls.endpoint(text -> text));
    }

    private static String json(int port) throws Exception {
        return Http.post(port, "/Calls/say", JSON, SAY);
    }

    private static String binary(int port, SSLContext tls) throws Exception {
        ClientOptions options = tls == null ? ClientOptions.DEFAULT : ClientOptions.DEFAULT.withTls(tls);
        try (Channel channel = TcpChannel.open("localhost", port, options)) {
            return channel.call(Calls.SAY, "hi", CallOptions.NONE);
        }
    }

    private static String soap(String scheme, int port, SSLContext tls) throws Exception {
        ClientOptions options = tls == null ? ClientOptions.DEFAULT : ClientOptions.DEFAULT.withTls(tls);
        try (Channel channel = SoapChannel.open(scheme + "://localhost:" + port + "/Calls", options)) {
            return channel.call(Calls.SAY, "hi", CallOptions.NONE);
        }
    }

    private static Raw.Frame error(int port, String preamble) throws Exception {
        try (Raw raw = new Raw(port)) {
            raw.send(preamble);
            raw.preamble();
            Raw.Frame frame = raw.next();
            assertEquals(TcpFrames.ERROR, frame.kind());
            assertEquals(0, frame.id());
            assertEquals(0, raw.rest().length);
            return frame;
        }
    }

    @Test
    void everyWireOnOnePort() throws Exception {
        try (Server server = builder().start()) {
            assertEquals(server.port(), server.httpPort());
            assertEquals("hi", binary(server.port(), null));
            assertTrue(json(server.port()).endsWith("\"hi\""));
            assertEquals("hi", soap("http", server.port(), null));
            try (Raw slow = new Raw(server.port())) {
                for (byte b : ("POST /Calls/say HTTP/1.1\r\nHost: x\r\nConnection: close\r\n" + JSON + "Content-Length: 13\r\n\r\n" + SAY).getBytes(StandardCharsets.US_ASCII)) {
                    slow.send(new byte[] {b});
                }
                assertTrue(new String(slow.rest(), StandardCharsets.US_ASCII).endsWith("\"hi\""));
            }
        }
    }

    @Test
    void portsOfOneKindSayWhatTheyAre() throws Exception {
        try (Server server = builder().tcp("127.0.0.1", 0).http("127.0.0.1", 0).start()) {
            assertFalse(server.port() == server.httpPort());
            assertEquals("hi", binary(server.port(), null));
            assertTrue(json(server.httpPort()).endsWith("\"hi\""));
            assertTrue(json(server.port()).startsWith("HTTP/1.1 400 "));
            assertEquals(ErrorCode.PROTOCOL_MISMATCH, error(server.httpPort(), Raw.PREAMBLE).code());
            assertEquals(ErrorCode.PROTOCOL_MISMATCH, assertThrows(CreoException.class, () -> binary(server.httpPort(), null)).code());
        }
    }

    @Test
    void thePreambleComesAtOnce() throws Exception {
        try (Server server = builder().start(); Raw raw = new Raw(server.port())) {
            raw.send(Raw.PREAMBLE);
            raw.preamble();
        }
    }

    @Test
    void aPortWithTls(@TempDir Path folder) throws Exception {
        Keys keys = Keys.make(folder, "localhost");
        SSLContext context = Keys.context(keys, keys);
        try (Server server = builder().tls(context).start(); Server both = builder().tls(context).acceptPlain().start()) {
            for (Server each : List.of(server, both)) {
                assertEquals("hi", binary(each.port(), context));
                assertEquals("hi", soap("https", each.port(), context));
            }
            assertEquals("hi", binary(both.port(), null));
            assertTrue(json(both.port()).endsWith("\"hi\""));
            String refusal = json(server.port());
            assertTrue(refusal.startsWith("HTTP/1.1 400 ") && refusal.contains("TLS"), refusal);
            assertEquals(ErrorCode.PROTOCOL_MISMATCH, error(server.port(), Raw.PREAMBLE).code());
        }
    }

    @Test
    void clientCertificatesAndNewKeys(@TempDir Path folder) throws Exception {
        Keys first = Keys.make(folder, "localhost");
        Keys client = Keys.make(folder, "client");
        AtomicReference<List<X509Certificate>> shown = new AtomicReference<>();
        Endpoint endpoint = Calls.endpoint(text -> {
            shown.set(CallContext.current().peerCertificates());
            return text;
        });
        try (Server server = Server.builder().add(endpoint).tls(Keys.context(first, client)).clientCertificates(ClientCertificates.WANT).start()) {
            assertEquals("hi", binary(server.port(), Keys.context(client, first)));
            assertEquals("CN=client", shown.get().get(0).getSubjectX500Principal().getName());
            assertEquals("hi", soap("https", server.port(), Keys.context(client, first)));
            assertEquals("CN=client", shown.get().get(0).getSubjectX500Principal().getName());
            Path again = java.nio.file.Files.createDirectory(folder.resolve("again"));
            Keys second = Keys.make(again, "localhost");
            server.reloadTls(Keys.context(second, client));
            assertThrows(CreoException.class, () -> binary(server.port(), Keys.context(client, first)));
            assertEquals("hi", binary(server.port(), Keys.context(client, second)));
        }
    }

    @Test
    void aServerWithoutTlsHasNoKeysToReplace() throws Exception {
        try (Server server = builder().start()) {
            assertThrows(IllegalStateException.class, () -> server.reloadTls(SSLContext.getDefault()));
        }
    }

    @Test
    void pagesOfOtherOriginsCallIfTheyMay() throws Exception {
        String preflight = "OPTIONS /Calls/say HTTP/1.1\r\nHost: x\r\nConnection: close\r\nOrigin: https://a.example\r\nAccess-Control-Request-Method: POST\r\n"
            + "Access-Control-Request-Headers: content-type\r\n\r\n";
        try (Server server = builder().cors("https://a.example").start(); Server closed = builder().start()) {
            String allowed = Http.send(server.port(), preflight, new byte[0]);
            assertTrue(allowed.startsWith("HTTP/1.1 204 "), allowed);
            assertTrue(allowed.contains("Access-Control-Allow-Origin: https://a.example\r\n") && allowed.contains("Access-Control-Allow-Headers: content-type\r\n"), allowed);
            String answer = Http.post(server.port(), "/Calls/say", JSON + "Origin: https://a.example\r\n", SAY);
            assertTrue(answer.contains("Access-Control-Allow-Origin: https://a.example\r\n"), answer);
            String other = Http.post(server.port(), "/Calls/say", JSON + "Origin: https://b.example\r\n", SAY);
            assertFalse(other.contains("Access-Control"), other);
            assertFalse(Http.send(closed.port(), preflight, new byte[0]).contains("Access-Control"));
            // Requests that a web page may send without a preflight are not calls.
            String simple = "POST /Calls/say HTTP/1.1\r\nConnection: close\r\nContent-Length: 0\r\nOrigin: https://b.example\r\nHost: ";
            assertTrue(Http.send(server.port(), simple + "x\r\n\r\n", new byte[0]).startsWith("HTTP/1.1 403 "));
            assertTrue(Http.send(server.port(), simple + "b.example\r\n\r\n", new byte[0]).startsWith("HTTP/1.1 400 "));
        }
    }

    @Test
    void connectionsOfOneAddressAreLimited() throws Exception {
        Limits limits = Limits.DEFAULT.withMaxConnectionsPerAddress(1).withDeadline(Duration.ofSeconds(20));
        try (Server server = builder().limits(limits).start(); Raw first = new Raw(server.port())) {
            first.send(Raw.PREAMBLE + Raw.request(0, 1, 1, 0, Raw.text("hi")));
            first.preamble();
            assertArrayEquals(new byte[] {2, 'h', 'i'}, first.next().body());
            assertEquals(ErrorCode.OVERLOADED, error(server.port(), Raw.PREAMBLE).code());
            assertTrue(json(server.port()).startsWith("HTTP/1.1 503 "));
            first.send(Raw.request(0, 2, 1, 0, Raw.text("hi")));
            assertEquals(2, first.next().id());
        }
    }
}
