package creo.runtime;

import static creo.runtime.TlsClient.connect;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import creo.runtime.internal.host.ServerTls;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Links with TLS, against clients of the JDK. */
@Timeout(value = 300, unit = TimeUnit.SECONDS)
class TlsLinkTest {
    private static final String V12 = "TLSv1.2";
    private static final String V13 = "TLSv1.3";

    @TempDir
    static Path folder;

    private static Keys authority;
    private static Keys server;
    private static Keys known;
    private static Keys unknown;
    private static Keys expired;
    private static SSLContext serverContext;
    private static SSLContext clientContext;

    @BeforeAll
    static void makeKeys() throws Exception {
        authority = Keys.make(folder, "authority", "-ext", "bc:c");
        server = Keys.make(folder, "localhost");
        known = authority.sign(folder, "known");
        expired = authority.sign(folder, "expired", "-startdate", "-10d", "-validity", "2");
        unknown = Keys.make(folder, "unknown");
        serverContext = Keys.context(server, authority);
        clientContext = Keys.context(null, server);
    }

    private static ServerTls tls() {
        return new ServerTls(serverContext, ClientCertificates.NONE);
    }

    private static void echo(SSLSocket socket, byte[] data) throws IOException {
        socket.getOutputStream().write(data);
        byte[] got = socket.getInputStream().readNBytes(data.length);
        if (got.length < data.length) {
            throw new EOFException("only " + got.length + " of " + data.length + " bytes came back");
        }
        assertArrayEquals(data, got);
    }

    private static byte[] random(int n) {
        byte[] b = new byte[n];
        new Random(n).nextBytes(b);
        return b;
    }

    @ParameterizedTest
    @ValueSource(strings = {V12, V13})
    void smallAndLargeMessagesGoBothWays(String version) throws Exception {
        try (TlsLoop loop = new TlsLoop(tls())) {
            try (SSLSocket socket = connect(loop.port(), clientContext, version)) {
                for (int n : new int[] {1, 2, 100, 16_383, 16_384, 16_385, 50_000, 150_000}) {
                    echo(socket, random(n));
                }
                assertEquals(version, socket.getSession().getProtocol());
            }
            TlsLoop.Outcome outcome = loop.outcome();
            assertNull(outcome.failure());
            assertNull(outcome.certificates());
            assertEquals(1 + 2 + 100 + 16_383 + 16_384 + 16_385 + 50_000 + 150_000, outcome.received());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {V12, V13})
    void bytesMayComeAndGoOneAtATime(String version) throws Exception {
        try (TlsLoop loop = new TlsLoop(new ServerTls(serverContext, ClientCertificates.WANT), TrickleChannel::new)) {
            try (SSLSocket socket = connect(loop.port(), Keys.context(known, server), version)) {
                echo(socket, random(1));
                echo(socket, random(20_000));
            }
            TlsLoop.Outcome outcome = loop.outcome();
            assertNull(outcome.failure());
            assertKnown(outcome);
        }
    }

    /** The client sends all before it reads anything: the server's output stays in the way of nothing that it reads. */
    @ParameterizedTest
    @ValueSource(strings = {V12, V13})
    void muchGoesBothWaysAtOnce(String version) throws Exception {
        int size = 40_000_000;
        byte[] up = random(size);
        byte[] down = random(size - 1);
        try (TlsDuplex both = new TlsDuplex(tls(), down)) {
            try (SSLSocket socket = TlsClient.connectNarrow(both.port(), clientContext, version)) {
                socket.getOutputStream().write(up);
                assertArrayEquals(up, both.received(size));
                assertArrayEquals(down, socket.getInputStream().readNBytes(down.length));
                assertEquals(-1, socket.getInputStream().read());
            }
            assertNull(both.failure());
        }
    }

    private static TlsLoop.Outcome connectWith(ClientCertificates choice, SSLContext client, String version, boolean served) throws Exception {
        try (TlsLoop loop = new TlsLoop(new ServerTls(serverContext, choice))) {
            try (SSLSocket socket = connect(loop.port(), client, version)) {
                if (served) {
                    echo(socket, random(1_000));
                } else {
                    SSLException e = assertThrows(SSLException.class, () -> echo(socket, random(1_000)));
                    assertTrue(e.getMessage().contains("Received fatal alert: "), e.getMessage());
                }
            }
            return loop.outcome();
        }
    }

    private static void assertKnown(TlsLoop.Outcome outcome) {
        assertNull(outcome.failure());
        assertEquals(2, outcome.certificates().length);
        assertEquals("CN=known", outcome.certificates()[0].getSubjectX500Principal().getName());
        assertEquals("CN=authority", outcome.certificates()[1].getSubjectX500Principal().getName());
    }

    private static void assertAnonymous(TlsLoop.Outcome outcome) {
        assertNull(outcome.failure());
        assertNull(outcome.certificates());
    }

    private static void assertRefused(TlsLoop.Outcome outcome, String why) {
        assertFalse(outcome.open());
        assertNull(outcome.certificates());
        assertInstanceOf(SSLException.class, outcome.failure());
        assertTrue(outcome.failure().getMessage().startsWith(why), outcome.failure().getMessage());
    }

    @ParameterizedTest
    @ValueSource(strings = {V12, V13})
    void clientCertificates(String version) throws Exception {
        SSLContext knownClient = Keys.context(known, server);
        SSLContext unknownClient = Keys.context(unknown, server);
        SSLContext expiredClient = Keys.context(expired, server);
        assertKnown(connectWith(ClientCertificates.NEED, knownClient, version, true));
        assertKnown(connectWith(ClientCertificates.WANT, knownClient, version, true));
        assertAnonymous(connectWith(ClientCertificates.NONE, knownClient, version, true));
        assertAnonymous(connectWith(ClientCertificates.NONE, unknownClient, version, true));
        assertAnonymous(connectWith(ClientCertificates.WANT, clientContext, version, true));
        assertRefused(connectWith(ClientCertificates.NEED, clientContext, version, false), "the client has sent no certificate, and this server needs one");
        for (ClientCertificates choice : new ClientCertificates[] {ClientCertificates.WANT, ClientCertificates.NEED}) {
            assertRefused(connectWith(choice, expiredClient, version, false), "the client's certificate is refused: it has expired, NotAfter: ");
        }
    }

    /** A JDK client sends only certificates that the server trusts; this one sends its own in any case. */
    @ParameterizedTest
    @ValueSource(strings = {V12, V13})
    void untrustedClientCertificates(String version) throws Exception {
        SSLContext stubborn = Keys.stubborn(unknown, server);
        assertAnonymous(connectWith(ClientCertificates.NONE, stubborn, version, true));
        for (ClientCertificates choice : new ClientCertificates[] {ClientCertificates.WANT, ClientCertificates.NEED}) {
            assertRefused(connectWith(choice, stubborn, version, false),
                "the client's certificate is refused: unable to find valid certification path to requested target");
        }
    }

    @Test
    void aClientThatDoesNotTrustTheServerIsNamed() throws Exception {
        for (String version : new String[] {V12, V13}) {
            try (TlsLoop loop = new TlsLoop(tls())) {
                try (SSLSocket socket = connect(loop.port(), Keys.context(null, unknown), version)) {
                    assertThrows(SSLException.class, socket::startHandshake);
                }
                assertRefused(loop.outcome(), "the client refuses this server's certificate: ");
            }
        }
    }

    @Test
    void otherVersionsAreRefused() throws Exception {
        // A hello of TLS 1.1: 32 bytes of random, no session, one suite, no compression.
        byte[] hello = HexFormat.of().parseHex("160301002d" + "010000290302" + "5a".repeat(32) + "00" + "0002002f" + "0100");
        try (TlsLoop loop = new TlsLoop(tls())) {
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), loop.port())) {
                socket.setSoTimeout(30_000);
                socket.getOutputStream().write(hello);
                assertEquals(21, socket.getInputStream().read());
            }
            assertInstanceOf(SSLException.class, loop.outcome().failure());
        }
    }

    @Test
    void keysAreReplacedForLaterConnections() throws Exception {
        Keys second = Keys.make(folder, "second");
        SSLContext client = Keys.context(null, server, second);
        ServerTls tls = tls();
        try (TlsLoop loop = new TlsLoop(tls); SSLSocket before = connect(loop.port(), client, V13)) {
            echo(before, random(10));
            assertEquals("CN=localhost", before.getSession().getPeerPrincipal().getName());
            tls.reload(Keys.context(second));
            try (SSLSocket after = connect(loop.port(), client, V13)) {
                echo(after, random(10));
                assertEquals("CN=second", after.getSession().getPeerPrincipal().getName());
            }
            echo(before, random(10));
        }
    }

    /** A session of before does not help a client that is not trusted any more. */
    @ParameterizedTest
    @ValueSource(strings = {V12, V13})
    void trustIsReplacedForLaterConnections(String version) throws Exception {
        SSLContext client = Keys.stubborn(known, server);
        ServerTls tls = new ServerTls(serverContext, ClientCertificates.NEED);
        try (TlsLoop loop = new TlsLoop(tls)) {
            try (SSLSocket socket = connect(loop.port(), client, version)) {
                echo(socket, random(10));
            }
            assertKnown(loop.outcome());
            tls.reload(Keys.context(server, unknown));
            try (SSLSocket socket = connect(loop.port(), client, version)) {
                assertThrows(SSLException.class, () -> echo(socket, random(10)));
            }
            assertRefused(loop.outcome(), "the client's certificate is refused: ");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {V12, V13})
    void sessionsAreResumedWithTheirIdentity(String version) throws Exception {
        AtomicInteger times = new AtomicInteger();
        SSLContext client = Keys.context(known, server);
        try (TlsLoop loop = new TlsLoop(new ServerTls(Keys.counting(times, server, authority), ClientCertificates.NEED))) {
            for (int i = 0; i < 4; i++) {
                try (SSLSocket socket = connect(loop.port(), client, version)) {
                    echo(socket, random(10));
                }
                assertKnown(loop.outcome());
            }
        }
        assertEquals(1, times.get());
    }

    @Test
    void garbageIsAnsweredByAnAlert() throws Exception {
        for (String garbage : new String[] {"16030100" + "05" + "68656c6c6f", "160301ffff", "17030300010000"}) {
            try (TlsLoop loop = new TlsLoop(tls())) {
                try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), loop.port())) {
                    socket.setSoTimeout(30_000);
                    socket.getOutputStream().write(HexFormat.of().parseHex(garbage));
                    assertEquals(21, socket.getInputStream().read());
                    assertEquals(3, socket.getInputStream().read());
                    socket.getInputStream().readAllBytes();
                }
                assertInstanceOf(SSLException.class, loop.outcome().failure());
            }
        }
    }

    /** Every byte of a client's first message is changed: the server waits for more, continues, or refuses it, and survives. */
    @ParameterizedTest
    @ValueSource(strings = {V12, V13})
    void anyChangedHelloEnds(String version) throws Exception {
        byte[] hello = TlsRelay.clientHello(clientContext, version);
        try (TlsLoop loop = new TlsLoop(tls())) {
            for (int i = 2; i < hello.length; i++) {
                byte[] changed = hello.clone();
                changed[i] ^= (byte) (1 << i % 8);
                try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), loop.port())) {
                    socket.getOutputStream().write(changed);
                    socket.shutdownOutput();
                    socket.getInputStream().readAllBytes();
                }
                assertNotNull(loop.outcome().failure());
            }
            try (SSLSocket socket = connect(loop.port(), clientContext, version)) {
                echo(socket, random(10));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {V12, V13})
    void aClientMayHangUpAnywhereInTheHandshake(String version) throws Exception {
        SSLContext client = Keys.context(known, server);
        int length;
        try (TlsLoop loop = new TlsLoop(new ServerTls(serverContext, ClientCertificates.NEED)); TlsRelay relay = new TlsRelay(loop.port())) {
            try (SSLSocket socket = connect(relay.port(), client, version)) {
                echo(socket, random(1));
                length = relay.lengthBeforeLastRecord();
            }
            assertNull(loop.outcome().failure());
        }
        assertTrue(length > 500, "the handshake is of " + length + " bytes");
        for (boolean reset : new boolean[] {false, true}) {
            for (int cut = 1; cut < length; cut += 37) {
                try (TlsLoop loop = new TlsLoop(new ServerTls(serverContext, ClientCertificates.NEED)); TlsRelay relay = new TlsRelay(loop.port())) {
                    relay.cutAfter(cut, reset);
                    try (SSLSocket socket = connect(relay.port(), client, version)) {
                        assertThrows(IOException.class, () -> echo(socket, random(1)));
                    }
                    TlsLoop.Outcome outcome = loop.outcome();
                    assertFalse(outcome.open(), "cut after " + cut);
                    assertNotNull(outcome.failure(), "cut after " + cut);
                    if (!reset) {
                        assertInstanceOf(EOFException.class, outcome.failure());
                    }
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {V12, V13})
    void anEndWithoutGoodbyeIsAnEnd(String version) throws Exception {
        try (TlsLoop loop = new TlsLoop(tls()); TlsRelay relay = new TlsRelay(loop.port())) {
            try (SSLSocket socket = connect(relay.port(), clientContext, version)) {
                echo(socket, random(10));
                relay.cut(false);
                assertTrue(loop.outcome().open());
            }
        }
        try (TlsLoop loop = new TlsLoop(tls()); TlsRelay relay = new TlsRelay(loop.port())) {
            try (SSLSocket socket = connect(relay.port(), clientContext, version)) {
                echo(socket, random(10));
                relay.cut(true);
                assertInstanceOf(IOException.class, loop.outcome().failure());
            }
        }
    }

    @Test
    void aClientMayEndItsOutputFirst() throws Exception {
        byte[] data = random(150_000);
        try (TlsLoop loop = new TlsLoop(tls()); SSLSocket socket = connect(loop.port(), clientContext, V13)) {
            socket.getOutputStream().write(data);
            socket.shutdownOutput();
            assertArrayEquals(data, socket.getInputStream().readAllBytes());
            assertNull(loop.outcome().failure());
        }
    }

    @Test
    void aServerMayEndItsOutputFirst() throws Exception {
        byte[] up = random(200_000);
        byte[] down = random(1_000);
        try (TlsDuplex both = new TlsDuplex(tls(), down)) {
            try (SSLSocket socket = connect(both.port(), clientContext, V13)) {
                assertArrayEquals(down, socket.getInputStream().readAllBytes());
                socket.getOutputStream().write(up);
                assertArrayEquals(up, both.received(up.length));
            }
            assertNull(both.failure());
        }
    }

    @Test
    void renegotiationIsRefused() throws Exception {
        try (TlsLoop loop = new TlsLoop(tls())) {
            try (SSLSocket socket = connect(loop.port(), clientContext, V12)) {
                echo(socket, random(10));
                socket.startHandshake();
                assertThrows(IOException.class, () -> {
                    echo(socket, random(10));
                    echo(socket, random(10));
                });
            }
            TlsLoop.Outcome outcome = loop.outcome();
            assertTrue(outcome.open());
            assertEquals("the client asks for a renegotiation, which is refused", outcome.failure().getMessage());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {V12, V13})
    void aChangedRecordIsRefused(String version) throws Exception {
        try (TlsLoop loop = new TlsLoop(tls()); TlsRelay relay = new TlsRelay(loop.port())) {
            try (SSLSocket socket = connect(relay.port(), clientContext, version)) {
                echo(socket, random(10));
                relay.changeNext();
                IOException e = assertThrows(IOException.class, () -> echo(socket, random(10)));
                assertTrue(e instanceof SSLException || e instanceof SocketException, e.toString());
            }
            TlsLoop.Outcome outcome = loop.outcome();
            assertTrue(outcome.open());
            assertInstanceOf(SSLException.class, outcome.failure());
            assertEquals(10, outcome.received());
        }
    }

    private static void assertKeysWereUpdated(TlsRelay relay, int times) {
        assertTrue(relay.keyUpdatesUp() >= times, "updates by the client: " + relay.keyUpdatesUp());
        assertTrue(relay.keyUpdatesDown() >= times, "updates by the server: " + relay.keyUpdatesDown());
    }

    @Test
    void keysAreUpdated() throws Exception {
        try (TlsLoop loop = new TlsLoop(tls()); TlsRelay relay = new TlsRelay(loop.port())) {
            relay.readAhead();
            KeyUpdateClient.finish(KeyUpdateClient.start(folder, server, relay.port(), 4_000_000, 4_000_000));
            assertNull(loop.outcome().failure());
            assertKeysWereUpdated(relay, 20);
        }
    }

    /** The answers to key updates must wait until the client reads. The server reads on until it owes 64 of them. */
    @Test
    void keysAreUpdatedWhileOutputIsStuck() throws Exception {
        int up = 16_000_000;
        int before = 8_000_000;
        int down = 10_000_000;
        try (TlsDuplex both = new TlsDuplex(tls(), KeyUpdateClient.data(down)); TlsRelay relay = new TlsRelay(both.port())) {
            relay.readAhead();
            Process client = KeyUpdateClient.start(folder, server, relay.port(), up, down);
            int received = both.received(before).length;
            assertTrue(received >= before, "received " + received);
            KeyUpdateClient.finish(client);
            assertNull(both.failure());
            assertArrayEquals(KeyUpdateClient.data(up), both.received(up));
            assertKeysWereUpdated(relay, 60);
        }
    }
}
