package creo.runtime;

import static creo.runtime.CallsTest.error;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.logging.LogRecord;
import java.util.logging.SimpleFormatter;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Calls through TLS, with a certificate for {@code localhost} that is made for the run. */
@Timeout(value = 300, unit = TimeUnit.SECONDS)
class TlsTest {
    @TempDir
    static Path folder;

    private static Keys keys;
    private static SSLContext context;
    private static Server server;

    @BeforeAll
    static void start() throws Exception {
        keys = Keys.make(folder, "localhost");
        context = Keys.context(keys, keys);
        server = Server.builder().bind("127.0.0.1", 0).http("127.0.0.1", 0).tls(context).add(Calls.endpoint(text -> text)).start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static Channel connect(String host, SSLContext tls) {
        return TcpChannel.open(host, server.port(), ClientOptions.DEFAULT.withTls(tls));
    }

    @Test
    void callsThroughTls() throws Exception {
        try (Channel channel = connect("localhost", context)) {
            assertEquals("hi", channel.call(Calls.SAY, "hi", CallOptions.NONE));
            byte[] data = new byte[1_000_000];
            assertArrayEquals(data, channel.call(Calls.ECHO, data, CallOptions.NONE));
            assertArrayEquals(data, channel.callAsync(Calls.ECHO, data, CallOptions.NONE).get());
            error(ErrorCode.DEADLINE_EXCEEDED, () -> channel.call(Calls.SLEEP, 30_000, CallOptions.NONE.withDeadline(Duration.ofMillis(100))));
            assertEquals("hi", channel.call(Calls.SAY, "hi", CallOptions.NONE));
        }
    }

    @Test
    void theHostNameIsVerified() throws Exception {
        try (Channel channel = connect("127.0.0.1", context)) {
            CreoException e = error(ErrorCode.UNTRUSTED_PEER, () -> channel.call(Calls.SAY, "hi", CallOptions.NONE));
            assertTrue(e.getMessage().contains("certificate"), e.getMessage());
        }
    }

    @Test
    void theCertificateIsVerified() throws Exception {
        try (Channel channel = connect("localhost", SSLContext.getDefault())) {
            CreoException e = error(ErrorCode.UNTRUSTED_PEER, () -> channel.call(Calls.SAY, "hi", CallOptions.NONE));
            assertTrue(e.getMessage().contains("certificate"), e.getMessage());
        }
    }

    @Test
    void plainOnATlsPortIsNamed() throws Exception {
        try (Channel channel = TcpChannel.open("localhost", server.port(), ClientOptions.DEFAULT)) {
            CreoException e = error(ErrorCode.PROTOCOL_MISMATCH, () -> channel.call(Calls.SAY, "hi", CallOptions.NONE));
            assertTrue(e.getMessage().contains("TLS"), e.getMessage());
        }
    }

    @Test
    void tlsOnAPlainPortIsNamed() throws Exception {
        try (Server plain = Calls.serve(text -> text); Channel channel = TcpChannel.open("localhost", plain.port(), ClientOptions.DEFAULT.withTls(context))) {
            CreoException e = error(ErrorCode.PROTOCOL_MISMATCH, () -> channel.call(Calls.SAY, "hi", CallOptions.NONE));
            assertTrue(e.getMessage().contains("TLS"), e.getMessage());
        }
    }

    /** The log says why, and the client learns that it is about its certificate. */
    @Test
    void refusedClientCertificatesAreNamed() throws Exception {
        Keys stranger = Keys.make(folder, "stranger");
        try (HeardLog log = new HeardLog();
            Server asking = Server.builder().tls(context).clientCertificates(ClientCertificates.NEED).add(Calls.endpoint(text -> text)).start()) {
            refused(asking.port(), Keys.context(null, keys), log, ": no TLS: the client has sent no certificate, and this server needs one");
            refused(asking.port(), Keys.stubborn(stranger, keys), log,
                ": no TLS: the client's certificate is refused: unable to find valid certification path to requested target");
            try (Channel channel = TcpChannel.open("localhost", asking.port(), ClientOptions.DEFAULT.withTls(context))) {
                assertEquals("hi", channel.call(Calls.SAY, "hi", CallOptions.NONE));
            }
        }
    }

    /** TLS 1.2 refuses certificates within the handshake. Both sides speak TLS, so it is not a protocol mismatch. */
    @Test
    void aRefusalWithinTheHandshakeIsUnavailable() throws Exception {
        try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Thread server = new Thread(() -> {
                try (Socket socket = listener.accept()) {
                    SSLSocket secure = (SSLSocket) context.getSocketFactory().createSocket(socket, null, false);
                    secure.setEnabledProtocols(new String[] {"TLSv1.2"});
                    secure.setNeedClientAuth(true);
                    assertThrows(SSLException.class, secure::startHandshake);
                    // Closing before the client has sent its part would take the alert back.
                    socket.getInputStream().transferTo(OutputStream.nullOutputStream());
                } catch (IOException e) {
                    // The client has reset the connection.
                }
            });
            server.start();
            try (Channel channel = TcpChannel.open("localhost", listener.getLocalPort(), ClientOptions.DEFAULT.withTls(Keys.context(null, keys)))) {
                CreoException e = assertThrows(CreoException.class, () -> channel.call(Calls.SAY, "hi", CallOptions.NONE));
                assertEquals(ErrorCode.UNAVAILABLE, e.code(), e.getMessage());
                assertTrue(e.getMessage().contains("TLS: ") && e.getMessage().contains("Received fatal alert: "), e.getMessage());
            }
            server.join();
        }
    }

    private static void refused(int port, SSLContext client, HeardLog log, String why) throws Exception {
        try (Channel channel = TcpChannel.open("localhost", port, ClientOptions.DEFAULT.withTls(client))) {
            CreoException e = assertThrows(CreoException.class, () -> channel.call(Calls.SAY, "hi", CallOptions.NONE));
            assertTrue(e.getMessage().contains("Received fatal alert: "), e.getMessage());
        }
        LogRecord entry;
        do {
            entry = log.records.poll(60, TimeUnit.SECONDS);
            assertNotNull(entry, "the log does not say " + why);
        } while (!new SimpleFormatter().formatMessage(entry).endsWith(why));
    }

    private static Channel soap(String scheme, String host, int port, SSLContext tls) {
        ClientOptions impatient = ClientOptions.DEFAULT.withLimits(Limits.DEFAULT.withConnectTimeout(Duration.ofSeconds(3)));
        ClientOptions options = tls == null ? impatient : impatient.withTls(tls);
        return SoapChannel.open(scheme + "://" + host + ":" + port + "/Calls", options);
    }

    private static void soapFails(ErrorCode code, String text, Channel channel) throws Exception {
        try (channel) {
            CreoException e = error(code, () -> channel.call(Calls.SAY, "hi", CallOptions.NONE));
            assertTrue(e.getMessage().contains(text), e.getMessage());
        }
    }

    @Test
    void soapThroughTls() throws Exception {
        try (Channel channel = soap("https", "localhost", server.httpPort(), context)) {
            assertEquals("hi", channel.call(Calls.SAY, "hi", CallOptions.NONE));
            byte[] data = new byte[1_000_000];
            assertArrayEquals(data, channel.call(Calls.ECHO, data, CallOptions.NONE));
            assertArrayEquals(data, channel.callAsync(Calls.ECHO, data, CallOptions.NONE).get());
        }
        soapFails(ErrorCode.UNTRUSTED_PEER, "certificate", soap("https", "127.0.0.1", server.httpPort(), context));
        soapFails(ErrorCode.UNTRUSTED_PEER, "certificate", soap("https", "localhost", server.httpPort(), SSLContext.getDefault()));
        soapFails(ErrorCode.PROTOCOL_MISMATCH, "TLS", soap("http", "localhost", server.httpPort(), null));
        try (Server plain = Server.builder().http("127.0.0.1", 0).add(Calls.endpoint(text -> text)).start()) {
            soapFails(ErrorCode.PROTOCOL_MISMATCH, "TLS", soap("https", "localhost", plain.httpPort(), context));
        }
    }

    /** A tunnel is asked for by host and port; the certificate is still that of the service, not of the proxy. */
    @Test
    void soapThroughATunnel() throws Exception {
        String url = "https://localhost:" + server.httpPort() + "/Calls";
        try (ProxyPeer proxy = new ProxyPeer(0)) {
            ClientOptions options = ClientOptions.DEFAULT.withTls(context).withProxy("127.0.0.1", proxy.port()).withProxyCredentials("me", "secret");
            try (Channel channel = SoapChannel.open(url, options)) {
                assertEquals("hi", channel.call(Calls.SAY, "hi", CallOptions.NONE));
                assertEquals("ho", channel.callAsync(Calls.SAY, "ho", CallOptions.NONE).get());
            }
            assertEquals(1, proxy.heads().size());
            assertTrue(proxy.heads().get(0).startsWith("CONNECT localhost:" + server.httpPort() + " HTTP/1.1\r\nHost: localhost:" + server.httpPort() + "\r\n"), proxy.heads().get(0));
            assertTrue(proxy.heads().get(0).contains("\r\nProxy-Authorization: Basic bWU6c2VjcmV0\r\n"), proxy.heads().get(0));
            soapFails(ErrorCode.UNTRUSTED_PEER, "certificate", SoapChannel.open("https://127.0.0.1:" + server.httpPort() + "/Calls", options));
            soapFails(ErrorCode.UNTRUSTED_PEER, "certificate", SoapChannel.open(url, options.withTls(SSLContext.getDefault())));
        }
        try (ProxyPeer proxy = new ProxyPeer(407)) {
            CreoException e = error(ErrorCode.UNAUTHENTICATED, () -> SoapChannel.open(url, ClientOptions.DEFAULT.withTls(context).withProxy("127.0.0.1", proxy.port())).call(Calls.SAY, "hi", CallOptions.NONE));
            assertTrue(e.getMessage().contains("127.0.0.1") && e.getMessage().contains("407"), e.getMessage());
        }
    }

    @Test
    void aTlsServerDrains() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        Server own = Server.builder().tls(context).add(Calls.endpoint(text -> {
            begun.countDown();
            LockSupport.parkNanos(300_000_000);
            return text;
        })).start();
        try (Channel channel = TcpChannel.open("localhost", own.port(), ClientOptions.DEFAULT.withTls(context))) {
            CompletableFuture<String> call = channel.callAsync(Calls.SAY, "hi", CallOptions.NONE);
            assertTrue(begun.await(60, TimeUnit.SECONDS));
            own.close();
            assertEquals("hi", call.get());
        }
    }
}
