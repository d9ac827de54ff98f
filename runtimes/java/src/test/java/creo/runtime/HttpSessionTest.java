package creo.runtime;

import static creo.runtime.CallsTest.error;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import creo.runtime.codegen.Items;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Redirects, cookies and credentials of clients (HTTP-40 to HTTP-47). The cases of {@code conformance/} show more of them. */
@Timeout(value = 300, unit = TimeUnit.SECONDS)
class HttpSessionTest {
    static final String GOOD = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 3\r\n\r\n\"x\"";
    private static final String BASIC = "Authorization: Basic bWU6aHVudGVyMg==";

    /** Answers requests, on any number of connections, in turn; keeps their heads. */
    static final class Replies implements AutoCloseable {
        final List<String> heads = Collections.synchronizedList(new ArrayList<>());
        final Queue<String> replies = new ArrayDeque<>();
        final Peer peer = new Peer((in, out) -> {
            for (String head = Http.readRequest(in); !head.isEmpty(); head = Http.readRequest(in)) {
                heads.add(head);
                out.write(replies.remove().getBytes(StandardCharsets.ISO_8859_1));
                out.flush();
            }
        });

        Replies(String... replies) throws IOException {
            this.replies.addAll(List.of(replies));
        }

        String host() {
            return "127.0.0.1:" + peer.port();
        }

        String url() {
            return "http://" + host() + "/x";
        }

        @Override
        public void close() throws IOException {
            peer.close();
        }
    }

    private static String redirect(String place, String... more) {
        return "HTTP/1.1 307 Moved\r\nLocation: " + place + "\r\n" + String.join("", more) + "Content-Length: 5\r\n\r\nmoved";
    }

    private static String cookies(String... lines) {
        StringBuilder text = new StringBuilder();
        for (String line : lines) {
            text.append("Set-Cookie: ").append(line).append("\r\n");
        }
        return text.toString();
    }

    static boolean has(String head, String line) {
        return ("\r\n" + head).contains("\r\n" + line);
    }

    private static ClientOptions basic() {
        return ClientOptions.DEFAULT.withBasicAuthentication("me", "hunter2");
    }

    @Test
    void aRedirectToAnotherOriginTakesTheMessageAlone() throws Exception {
        List<RawMessage> shown = Collections.synchronizedList(new ArrayList<>());
        for (boolean async : new boolean[] {false, true}) {
            shown.clear();
            try (Replies own = new Replies(); Replies other = new Replies()) {
                own.replies.addAll(List.of(redirect("http://" + other.host() + "/y", cookies("a=hunter2")), GOOD, GOOD));
                other.replies.add(redirect("http://" + own.host() + "/z", cookies("evil=1")));
                ClientOptions options = basic().withRedirects(2).withCookies().withHeader("X-Session", "hunter2").withHeader("User-Agent", "lab/1")
                    .withMetadata("key", "hunter2").withMetadata("traceparent", "hunter2").withRawMessages(shown::add);
                try (Channel channel = JsonChannel.open(own.url(), options)) {
                    for (int i = 0; i < 2; i++) {
                        assertEquals("x", async ? channel.callAsync(Calls.SAY, "x", CallOptions.NONE).get() : channel.call(Calls.SAY, "x", CallOptions.NONE));
                    }
                }
                for (String head : List.of(other.heads.get(0), own.heads.get(1))) {
                    assertFalse(head.contains("hunter2") || head.contains("lab/1") || has(head, "Authorization") || has(head, "Cookie"), head);
                    assertTrue(has(head, "User-Agent: creo/") && has(head, "Content-Type: application/json") && has(head, "Creo-Timeout: "), head);
                }
                assertTrue(other.heads.get(0).startsWith("POST /y HTTP/1.1\r\nHost: " + other.host() + "\r\n"), other.heads.get(0));
                String last = own.heads.get(2);
                assertTrue(has(last, BASIC) && has(last, "Cookie: a=hunter2\r\n") && has(last, "X-Session: hunter2") && has(last, "User-Agent: lab/1"), last);
                assertEquals(List.of(own.host(), own.host(), other.host(), other.host(), own.host(), own.host()), shown.subList(0, 6).stream().map(RawMessage::peer).toList());
                assertFalse(shown.stream().flatMap(m -> m.headers().stream()).anyMatch(h -> h.name().toLowerCase(Locale.ROOT).contains("cookie") && !h.value().equals("***")));
            }
        }
    }

    @Test
    void anErrorAfterARedirectNamesItsPlace() throws Exception {
        try (Replies own = new Replies(); Replies other = new Replies("HTTP/1.1 404 No\r\nContent-Length: 0\r\n\r\n")) {
            own.replies.add(redirect("http://" + other.host() + "/gone"));
            try (Channel channel = JsonChannel.open(own.url(), ClientOptions.DEFAULT.withRedirects(1))) {
                CreoException e = error(ErrorCode.UNAVAILABLE, () -> channel.call(Calls.SAY, "x", CallOptions.NONE));
                assertTrue(e.getMessage().contains("http://" + other.host() + "/gone"), e.getMessage());
                assertEquals(other.host(), e.details().get("peer"));
                assertFalse(e.notStarted());
            }
        }
    }

    /** The request that was answered was not executed, and the last one was not written. */
    @Test
    void nothingListensAtThePlace() throws Exception {
        try (DeadPort dead = new DeadPort(); Replies own = new Replies(redirect("http://" + dead.address() + "/x")); Channel channel = JsonChannel.open(own.url(), ClientOptions.DEFAULT.withRedirects(1))) {
            assertTrue(error(ErrorCode.UNAVAILABLE, () -> channel.call(Calls.SAY, "x", CallOptions.NONE)).notStarted());
        }
    }

    @Test
    void theDeadlineAndTheEndOfTheChannelHoldForARedirectedCall() throws Exception {
        CountDownLatch arrived = new CountDownLatch(2);
        try (Replies own = new Replies(); Peer silent = new Peer((in, out) -> {
            Http.readRequest(in);
            arrived.countDown();
            in.read();
        })) {
            own.replies.addAll(Collections.nCopies(2, redirect("http://127.0.0.1:" + silent.port() + "/x")));
            Channel channel = JsonChannel.open(own.url(), ClientOptions.DEFAULT.withRedirects(1));
            error(ErrorCode.DEADLINE_EXCEEDED, () -> channel.call(Calls.SAY, "x", CallOptions.NONE.withDeadline(Duration.ofMillis(300))));
            CompletableFuture<String> call = channel.callAsync(Calls.SAY, "x", CallOptions.NONE);
            assertTrue(arrived.await(60, TimeUnit.SECONDS));
            channel.close();
            assertTrue(assertThrows(ExecutionException.class, call::get).getCause() instanceof CreoException);
        }
    }

    @Test
    void httpsIsNotLeft(@TempDir Path folder) throws Exception {
        SSLContext tls = context(folder);
        try (Server service = Server.builder().http("127.0.0.1", 0).tls(tls).add(Calls.endpoint(text -> text)).start();
            Replies own = new Replies(redirect("https://localhost:" + service.httpPort() + "/Calls/say"), redirect("https://127.0.0.1:" + service.httpPort() + "/Calls/say"))) {
            try (Channel channel = JsonChannel.open(own.url(), ClientOptions.DEFAULT.withTls(tls).withRedirects(1))) {
                assertEquals("x", channel.call(Calls.SAY, "x", CallOptions.NONE));
                error(ErrorCode.UNTRUSTED_PEER, () -> channel.call(Calls.SAY, "x", CallOptions.NONE));
            }
        }
        try (Replies plain = new Replies(); TlsPeer own = new TlsPeer(tls, redirect("http://" + plain.host() + "/x"));
            Channel channel = JsonChannel.open("https://localhost:" + own.port() + "/x", ClientOptions.DEFAULT.withTls(tls).withRedirects(5))) {
            CreoException e = error(ErrorCode.UNAVAILABLE, () -> channel.call(Calls.SAY, "x", CallOptions.NONE));
            assertTrue(e.getMessage().contains("from https to http"), e.getMessage());
            assertTrue(plain.heads.isEmpty());
        }
    }

    private static SSLContext context(Path folder) throws Exception {
        KeyStore store = Keys.make(folder, "localhost").store;
        KeyManagerFactory keys = KeyManagerFactory.getInstance("PKIX");
        keys.init(store, Keys.PASSWORD);
        TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX");
        trust.init(store);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
        return context;
    }

    /** Answers one request over TLS. */
    private static final class TlsPeer implements AutoCloseable {
        private final java.net.ServerSocket listener;

        TlsPeer(SSLContext context, String reply) throws IOException {
            listener = context.getServerSocketFactory().createServerSocket(0, 1, java.net.InetAddress.getLoopbackAddress());
            Thread thread = new Thread(() -> {
                try (java.net.Socket socket = listener.accept()) {
                    Http.readRequest(socket.getInputStream());
                    socket.getOutputStream().write(reply.getBytes(StandardCharsets.US_ASCII));
                    socket.getInputStream().read();
                } catch (IOException e) {
                    // The test sees what the client makes of it.
                }
            });
            thread.setDaemon(true);
            thread.start();
        }

        int port() {
            return listener.getLocalPort();
        }

        @Override
        public void close() throws IOException {
            listener.close();
        }
    }

    @Test
    void aMessageThatSaysWhoCallsStaysAtItsOrigin() throws Exception {
        ClientOptions options = ClientOptions.DEFAULT.withUsernameToken("me", "hunter2").withRedirects(1);
        try (Replies own = new Replies(redirect("http://localhost:1/x"), redirect("/y"), "HTTP/1.1 500 x\r\nContent-Length: 0\r\n\r\n");
            Channel channel = SoapChannel.open(own.url(), options)) {
            CreoException e = error(ErrorCode.UNAVAILABLE, () -> channel.call(Calls.SAY, "x", CallOptions.NONE));
            assertTrue(e.getMessage().contains("WS-Security"), e.getMessage());
            error(ErrorCode.PROTOCOL_MISMATCH, () -> channel.call(Calls.SAY, "x", CallOptions.NONE));
            assertTrue(own.heads.get(2).startsWith("POST /y "), own.heads.get(2));
        }
    }

    @Test
    void theProgramDoesNotSetWhatTheOptionsSet() throws Exception {
        try (Replies own = new Replies()) {
            for (CallOptions call : List.of(CallOptions.NONE.withHeader("authorization", "x"), CallOptions.NONE.withMetadata("authorization", "x"))) {
                for (ClientOptions options : List.of(basic(), ClientOptions.DEFAULT.withBearerToken("x"))) {
                    try (Channel channel = JsonChannel.open(own.url(), options)) {
                        assertFalse(error(ErrorCode.INVALID_VALUE, () -> channel.call(Calls.SAY, "x", call)).getMessage().contains("hunter2"));
                    }
                }
            }
            try (Channel channel = JsonChannel.open(own.url(), ClientOptions.DEFAULT.withCookies().withHeader("COOKIE", "a=b"))) {
                error(ErrorCode.INVALID_VALUE, () -> channel.call(Calls.SAY, "x", CallOptions.NONE));
            }
            assertTrue(own.heads.isEmpty());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"http://example.com/", "http://127.0.0.1.example.com/", "http://10.0.0.1/"})
    void credentialsThatCouldBeReadOnTheWay(String url) {
        assertFalse(assertThrows(IllegalArgumentException.class, () -> JsonChannel.open(url, basic())).getMessage().contains("hunter2"));
        JsonChannel.open(url, ClientOptions.DEFAULT.withRedirects(20).withCookies()).close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"https://example.com/", "http://LOCALHOST/", "http://127.9.9.9/", "http://[::1]/"})
    void credentialsThatCannot(String url) {
        JsonChannel.open(url, basic()).close();
    }

    @Test
    void optionsThatAreNone() {
        ClientOptions none = ClientOptions.DEFAULT;
        assertThrows(IllegalArgumentException.class, () -> none.withRedirects(-1));
        assertThrows(IllegalArgumentException.class, () -> none.withRedirects(21));
        for (String[] pair : new String[][] {{"a:b", "c"}, {"a", "b\r\nc"}, {"a", "\u0085"}, {"a".repeat(1_025), ""}, {"\ud800", ""}}) {
            assertThrows(IllegalArgumentException.class, () -> none.withBasicAuthentication(pair[0], pair[1]));
        }
        for (String token : List.of("", "a b", "a=b", "a\n", "\u00e9", "a".repeat(8_193))) {
            assertThrows(IllegalArgumentException.class, () -> none.withBearerToken(token));
        }
    }

    // Streams

    static List<Integer> count(Channel channel) throws Exception {
        try (Stream<Integer> items = Items.await(channel.stream(HttpStreamsTest.COUNT, new StreamCalls.Args(1, null), CallOptions.NONE))) {
            return items.toList();
        }
    }

    @Test
    void streamsAreNotRedirectedButHaveCookiesAndCredentials() throws Exception {
        String lines = "HTTP/1.1 200 OK\r\nContent-Type: application/x-ndjson\r\nSet-Cookie: a=b\r\nConnection: close\r\n\r\n{\"item\":0}\n{\"end\":true}\n";
        List<String> heads = Collections.synchronizedList(new ArrayList<>());
        Queue<String> replies = new ArrayDeque<>(List.of(lines, redirect("/y")));
        try (Peer peer = new Peer((in, out) -> {
            heads.add(Http.readRequest(in));
            out.write(replies.remove().getBytes(StandardCharsets.US_ASCII));
        }); Channel channel = JsonChannel.open("http://127.0.0.1:" + peer.port() + "/x", basic().withCookies().withRedirects(5))) {
            assertEquals(List.of(0), count(channel));
            CreoException e = error(ErrorCode.UNAVAILABLE, () -> count(channel));
            assertTrue(e.getMessage().contains("redirects are not followed"), e.getMessage());
        }
        assertTrue(has(heads.get(0), BASIC) && !has(heads.get(0), "Cookie"), heads.get(0));
        assertTrue(has(heads.get(1), BASIC) && has(heads.get(1), "Cookie: a=b\r\n"), heads.get(1));
    }

    // Cookies

    /** What a client sends after an answer that sets these cookies. */
    private static String sent(Limits limits, String... lines) throws Exception {
        try (Replies own = new Replies("HTTP/1.1 200 OK\r\n" + cookies(lines) + "Content-Type: application/json\r\nContent-Length: 3\r\n\r\n\"x\"", GOOD);
            Channel channel = JsonChannel.open(own.url(), ClientOptions.DEFAULT.withLimits(limits).withCookies())) {
            channel.call(Calls.SAY, "x", CallOptions.NONE);
            channel.call(Calls.SAY, "x", CallOptions.NONE);
            return own.heads.get(1).lines().filter(line -> line.startsWith("Cookie: ")).findFirst().orElse("");
        }
    }

    @Test
    void tenThousandCookiesAreTooManyFields() {
        Limits large = Limits.DEFAULT.withMaxHeaderSize(1_000_000);
        error(ErrorCode.TOO_LARGE, () -> sent(large, Collections.nCopies(10_000, "a=b").toArray(String[]::new)));
    }

    @Test
    void cookiesWithManySemicolons() throws Exception {
        Limits large = Limits.DEFAULT.withMaxHeaderSize(1_000_000);
        assertEquals("Cookie: b=1; c=2", sent(large, "b=1", ";".repeat(200_000), "=".repeat(200_000), "a=" + "x".repeat(200_000), "c=2" + ";=".repeat(100_000)));
    }

    @Test
    void callsAtOnceShareTheCookies() throws Exception {
        try (Peer peer = new Peer((in, out) -> {
            int n = 0;
            while (!Http.readRequest(in).isEmpty()) {
                n++;
                out.write(("HTTP/1.1 200 OK\r\n" + cookies("c" + n % 70 + "=x; Path=/" + (n % 2 == 0 ? "x" : "")) + GOOD.substring(17)).getBytes(StandardCharsets.US_ASCII));
                out.flush();
            }
        }); Channel channel = JsonChannel.open("http://127.0.0.1:" + peer.port() + "/x", ClientOptions.DEFAULT.withCookies())) {
            List<CompletableFuture<String>> calls = new ArrayList<>();
            for (int i = 0; i < 200; i++) {
                calls.add(channel.callAsync(Calls.SAY, "x", CallOptions.NONE));
            }
            for (CompletableFuture<String> call : calls) {
                assertEquals("x", call.get());
            }
        }
    }

    /** Each client has its own, even of the same options. */
    @Test
    void clientsShareNone() throws Exception {
        ClientOptions options = ClientOptions.DEFAULT.withCookies();
        try (Replies own = new Replies("HTTP/1.1 200 OK\r\nSet-Cookie: a=b\r\n" + GOOD.substring(17), GOOD);
            Channel one = JsonChannel.open(own.url(), options); Channel two = JsonChannel.open(own.url(), options)) {
            one.call(Calls.SAY, "x", CallOptions.NONE);
            two.call(Calls.SAY, "x", CallOptions.NONE);
            assertFalse(has(own.heads.get(1), "Cookie"), own.heads.get(1));
        }
    }
}
