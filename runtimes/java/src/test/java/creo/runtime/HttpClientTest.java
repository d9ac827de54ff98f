package creo.runtime;

import static creo.runtime.CallsTest.error;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import creo.runtime.internal.call.ClientAccess;
import creo.runtime.internal.http.HttpProxy;
import creo.runtime.internal.http.HttpRequest;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.SocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Connections of the HTTP client: which are kept, which calls are repeated, and what ends a call (HTTP-5, HTTP-19, HTTP-21). */
@Timeout(value = 300, unit = TimeUnit.SECONDS)
class HttpClientTest {
    private static final CallOptions SOON = CallOptions.NONE.withDeadline(Duration.ofMillis(300));
    private static final byte[] LARGE = new byte[20_000_000];

    /** A service by hand; it counts connections. */
    private static final class Service implements AutoCloseable {
        final AtomicInteger connections = new AtomicInteger();
        private final Peer peer;

        /** What it does with each connection, the first being 1. */
        interface Behaviour {
            void serve(int connection, InputStream in, OutputStream out) throws Exception;
        }

        Service(Behaviour behaviour) throws IOException {
            peer = new Peer((in, out) -> behaviour.serve(connections.incrementAndGet(), in, out));
        }

        Channel connect() {
            return connect(ClientOptions.DEFAULT);
        }

        Channel connect(ClientOptions options) {
            return JsonChannel.open("http://127.0.0.1:" + peer.port() + "/x", options);
        }

        @Override
        public void close() throws IOException {
            peer.close();
        }
    }

    private static void send(OutputStream out, String text) throws IOException {
        out.write(text.getBytes(StandardCharsets.ISO_8859_1));
        out.flush();
    }

    private static String ok(String body) {
        return "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: " + body.length() + "\r\n\r\n" + body;
    }

    private static String say(Channel channel) throws Exception {
        return channel.call(Calls.SAY, "x", CallOptions.NONE);
    }

    @Test
    void aConnectionIsKept() throws Exception {
        try (Service service = new Service((n, in, out) -> {
            while (Http.readRequest(in).startsWith("POST /x/say HTTP/1.1\r\n")) {
                send(out, ok("\"" + n + "\""));
            }
        }); Channel channel = service.connect()) {
            for (int i = 0; i < 3; i++) {
                assertEquals("1", say(channel));
                assertEquals("1", channel.callAsync(Calls.SAY, "x", CallOptions.NONE).get());
            }
        }
    }

    @Test
    void callsAtOnceHaveConnectionsOfTheirOwn() throws Exception {
        CyclicBarrier together = new CyclicBarrier(5);
        try (Service service = new Service((n, in, out) -> {
            for (int round = 0; !Http.readRequest(in).isEmpty(); round++) {
                if (round == 0) {
                    together.await();
                }
                send(out, ok("\"" + n + "\""));
            }
        }); Channel channel = service.connect()) {
            List<CompletableFuture<String>> calls = IntStream.range(0, 5).mapToObj(i -> channel.callAsync(Calls.SAY, "x", CallOptions.NONE)).toList();
            for (CompletableFuture<String> call : calls) {
                call.get();
            }
            for (int i = 0; i < 10; i++) {
                say(channel);
            }
            assertEquals(5, service.connections.get());
        }
    }

    /** A connection over which something arrived, be it the end or bytes, has no further call. */
    @Test
    void whatArrivesBetweenCallsEndsAConnection() throws Exception {
        for (String rest : List.of("", "x", ok("\"smuggled\""))) {
            try (Service service = new Service((n, in, out) -> {
                Http.readRequest(in);
                send(out, ok("\"" + n + "\"") + rest);
                if (rest.isEmpty()) {
                    return;
                }
                in.read();
            }); Channel channel = service.connect()) {
                assertEquals("1", say(channel));
                // The end of the first connection may not have arrived yet; then its failure is reported.
                String second = null;
                while (second == null) {
                    try {
                        second = say(channel);
                    } catch (CreoException e) {
                        assertTrue(rest.isEmpty() && e.code() == ErrorCode.UNAVAILABLE, e.getMessage());
                    }
                }
                assertTrue(Integer.parseInt(second) > 1, second);
            }
        }
    }

    @Test
    void whatArrivesLaterEndsAConnectionToo() throws Exception {
        CountDownLatch answered = new CountDownLatch(1);
        CountDownLatch sent = new CountDownLatch(1);
        try (Service service = new Service((n, in, out) -> {
            Http.readRequest(in);
            send(out, ok("\"" + n + "\""));
            if (n == 1) {
                answered.await();
                send(out, ok("\"smuggled\""));
                sent.countDown();
            }
            in.read();
        }); Channel channel = service.connect()) {
            assertEquals("1", say(channel));
            answered.countDown();
            sent.await();
            assertEquals("2", say(channel));
        }
    }

    @Test
    void anAnswerThatClosesIsTheLastOfItsConnection() throws Exception {
        for (String head : List.of("HTTP/1.1 200 OK\r\nConnection: close\r\n", "HTTP/1.0 200 OK\r\n")) {
            CountDownLatch closed = new CountDownLatch(1);
            try (Service service = new Service((n, in, out) -> {
                Http.readRequest(in);
                send(out, head + "Content-Type: application/json\r\nContent-Length: 3\r\n\r\n\"" + n + "\"");
                // The client closes it, though the service does not.
                assertEquals(-1, in.read());
                closed.countDown();
            }); Channel channel = service.connect()) {
                assertEquals("1", say(channel));
                closed.await();
                assertEquals("2", say(channel));
            }
        }
    }

    /** A service that has the whole request may have begun it (HTTP-5). */
    @Test
    void aRequestThatWasSentIsNotRepeated() throws Exception {
        try (Service service = new Service((n, in, out) -> { })) {
            try (Channel channel = service.connect()) {
                error(ErrorCode.UNAVAILABLE, () -> say(channel));
            }
        }
        AtomicInteger requests = new AtomicInteger();
        try (Service service = new Service((n, in, out) -> {
            for (int i = 0; i < 2 && !Http.readRequest(in).isEmpty(); i++) {
                requests.incrementAndGet();
                if (i == 0) {
                    send(out, ok("\"first\""));
                }
            }
        }); Channel channel = service.connect()) {
            assertEquals("first", say(channel));
            CreoException e = error(ErrorCode.UNAVAILABLE, () -> say(channel));
            assertTrue(e.getMessage().contains("closed"), e.getMessage());
            assertEquals(2, requests.get());
            assertEquals(1, service.connections.get());
        }
    }

    /** A service that never had the whole request cannot have begun it; on a new connection it is sent again, once. */
    @Test
    void aRequestThatCouldNotBeSentIsRepeatedOnce() throws Exception {
        AtomicInteger heads = new AtomicInteger();
        try (Service service = new Service((n, in, out) -> {
            Http.readRequest(in);
            send(out, ok(n == 1 ? "\"\"" : "\"AAAA\""));
            if (n == 1) {
                // The second request of the connection: reset within its body.
                Http.readHead(in);
                heads.incrementAndGet();
            }
        }); Channel channel = service.connect()) {
            assertEquals("", say(channel));
            assertEquals(3, channel.call(Calls.ECHO, LARGE, CallOptions.NONE).length);
            assertEquals(1, heads.get());
            assertEquals(2, service.connections.get());
        }
        try (Service service = new Service((n, in, out) -> {
            if (n == 1) {
                Http.readRequest(in);
                send(out, ok("\"\""));
            }
            Http.readHead(in);
        }); Channel channel = service.connect()) {
            assertEquals("", say(channel));
            error(ErrorCode.UNAVAILABLE, () -> channel.call(Calls.ECHO, LARGE, CallOptions.NONE));
            assertEquals(2, service.connections.get());
        }
    }

    /** A service may refuse a request by its head, and close the connection before it has read the body. */
    @Test
    void anAnswerWithinARequestIsRead() throws Exception {
        try (Service service = new Service((n, in, out) -> {
            Http.readHead(in);
            in.readNBytes(100_000);
            send(out, "HTTP/1.1 413 Too Large\r\nConnection: close\r\nContent-Length: 0\r\n\r\n");
        }); Channel channel = service.connect()) {
            CreoException e = error(ErrorCode.TOO_LARGE, () -> channel.call(Calls.ECHO, LARGE, CallOptions.NONE));
            assertTrue(e.getMessage().contains("413"), e.getMessage());
        }
    }

    @Test
    void responsesOf1xxAreSkipped() throws Exception {
        try (Service service = new Service((n, in, out) -> {
            while (!Http.readRequest(in).isEmpty()) {
                send(out, "HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n" + ok("\"" + n + "\""));
            }
        }); Channel channel = service.connect()) {
            assertEquals("1", say(channel));
            assertEquals("1", say(channel));
        }
    }

    private static void fails(ErrorCode code, String text, String... answer) throws Exception {
        try (Service service = new Service((n, in, out) -> {
            Http.readRequest(in);
            for (String part : answer) {
                send(out, part);
            }
            in.read();
        }); Channel channel = service.connect()) {
            CreoException e = error(code, () -> channel.call(Calls.SAY, "x", CallOptions.NONE.withDeadline(Duration.ofSeconds(20))));
            assertTrue(e.getMessage().contains(text), e.getMessage());
        }
    }

    /** Input that is not an HTTP answer is detected at once, though the connection stays open. */
    @Test
    void answersThatAreNotFramedAsHttp() throws Exception {
        fails(ErrorCode.PROTOCOL_MISMATCH, "HTTP", "220 mail");
        fails(ErrorCode.PROTOCOL_MISMATCH, "HTTP", "\u0015\u0003\u0003\u0000\u0002\u0002\u0050");
        fails(ErrorCode.PROTOCOL_MISMATCH, "HTTP", "HTTP/2.0 200 OK\r\n");
        fails(ErrorCode.PROTOCOL_MISMATCH, "Content-Length", "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n");
        fails(ErrorCode.PROTOCOL_MISMATCH, "Content-Length", "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n11");
        fails(ErrorCode.PROTOCOL_MISMATCH, "chunk", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n");
        fails(ErrorCode.PROTOCOL_MISMATCH, "Transfer-Encoding", "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n");
        fails(ErrorCode.PROTOCOL_MISMATCH, "switched", "HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\n\r\n");
    }

    @Test
    void limitsHoldWhileAnAnswerArrives() throws Exception {
        fails(ErrorCode.TOO_LARGE, "maxHeaderSize", "HTTP/1.1 200 OK\r\nA: " + "a".repeat(70_000));
        fails(ErrorCode.TOO_LARGE, "maxHeaderSize", "HTTP/1.1 200 " + "a".repeat(70_000));
        fails(ErrorCode.TOO_LARGE, "maxHeaderSize", "HTTP/1.1 200 OK\r\n" + "A: b\r\n".repeat(201));
        fails(ErrorCode.TOO_LARGE, "maxHeaderSize", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nA: " + "a".repeat(70_000));
        fails(ErrorCode.TOO_LARGE, "maxMessageSize", "HTTP/1.1 200 OK\r\nContent-Length: 134217729\r\n\r\n");
        fails(ErrorCode.TOO_LARGE, "maxMessageSize", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n8000001\r\na");
        fails(ErrorCode.TOO_LARGE, "maxMessageSize", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n8000000\r\na");
    }

    /** Answers without an end, of each kind, end in too-large: by the limit, or before, where the heap is smaller. */
    @Test
    void answersWithoutEnd() throws Exception {
        String chunk = "4000\r\n" + "a".repeat(0x4000) + "\r\n";
        for (String head : List.of("Connection: close\r\n\r\n", "Content-Length: 9000000000000000000\r\n\r\n", "Transfer-Encoding: chunked\r\n\r\n")) {
            try (Service service = new Service((n, in, out) -> {
                Http.readRequest(in);
                send(out, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n" + head);
                byte[] more = (head.startsWith("T") ? chunk : "a".repeat(0x4000)).getBytes(StandardCharsets.US_ASCII);
                while (true) {
                    out.write(more);
                }
            })) {
                try (Channel channel = service.connect(ClientOptions.DEFAULT.withLimits(Limits.DEFAULT.withMaxMessageSize(3_000_000)))) {
                    CreoException e = error(ErrorCode.TOO_LARGE, () -> say(channel));
                    assertEquals("3000000", e.details().get("allowed"));
                }
                if (!head.startsWith("Content")) {
                    Process small = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx40m", "-cp", System.getProperty("java.class.path"),
                        SmallHeap.class.getName(), Integer.toString(service.peer.port())).redirectErrorStream(true).start();
                    String said = new String(small.getInputStream().readAllBytes());
                    assertEquals(0, small.waitFor(), said);
                    assertEquals("too-large", said.strip());
                }
            }
        }
    }

    /** A program that calls, and prints the code of the error. */
    static final class SmallHeap {
        private SmallHeap() {}

        public static void main(String[] args) throws Exception {
            try (Channel channel = JsonChannel.open("http://127.0.0.1:" + args[0] + "/x", ClientOptions.DEFAULT)) {
                System.out.println(say(channel));
            } catch (CreoException e) {
                System.out.println(e.code().word());
            }
        }
    }

    /** A deadline ends a slow peer's call: it answers byte by byte, or does not read. */
    @Test
    void aDeadlineEndsASlowExchange() throws Exception {
        for (String trickle : List.of("HTTP/1.1 200 OK\r\nA: ", "HTTP/1.1 200 OK\r\n\r\n", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n400\r\n")) {
            try (Service service = new Service((n, in, out) -> {
                Http.readRequest(in);
                send(out, trickle);
                while (true) {
                    out.write('a');
                    Thread.sleep(10);
                }
            }); Channel channel = service.connect()) {
                error(ErrorCode.DEADLINE_EXCEEDED, () -> channel.call(Calls.SAY, "x", SOON));
                ExecutionException e = assertThrows(ExecutionException.class, channel.callAsync(Calls.SAY, "x", SOON)::get);
                assertEquals(ErrorCode.DEADLINE_EXCEEDED, ((CreoException) e.getCause()).code());
            }
        }
        CountDownLatch done = new CountDownLatch(1);
        try (Service service = new Service((n, in, out) -> done.await()); Channel channel = service.connect()) {
            error(ErrorCode.DEADLINE_EXCEEDED, () -> channel.call(Calls.ECHO, LARGE, SOON));
            done.countDown();
        }
    }

    /** An answer that comes too late is not that of the next call. */
    @Test
    void aCallThatWasGivenUpLeavesNothing() throws Exception {
        CountDownLatch over = new CountDownLatch(1);
        try (Service service = new Service((n, in, out) -> {
            Http.readRequest(in);
            if (n == 1) {
                over.await();
            }
            send(out, ok("\"" + n + "\""));
            in.read();
        }); Channel channel = service.connect()) {
            error(ErrorCode.DEADLINE_EXCEEDED, () -> channel.call(Calls.SAY, "x", SOON));
            over.countDown();
            assertEquals("2", say(channel));
        }
    }

    @Test
    void aCallerThatIsInterruptedDoesNotCall() throws Exception {
        try (Service service = new Service((n, in, out) -> { }); Channel channel = service.connect()) {
            Thread.currentThread().interrupt();
            error(ErrorCode.CANCELLED, () -> say(channel));
            assertTrue(Thread.interrupted());
        }
    }

    @Test
    void aClosedChannelDoesNotCall() throws Exception {
        try (Service service = new Service((n, in, out) -> { })) {
            Channel channel = service.connect();
            channel.close();
            error(ErrorCode.UNAVAILABLE, () -> say(channel));
            ExecutionException e = assertThrows(ExecutionException.class, channel.callAsync(Calls.SAY, "x", CallOptions.NONE)::get);
            assertEquals(ErrorCode.UNAVAILABLE, ((CreoException) e.getCause()).code());
            assertEquals(0, service.connections.get());
        }
    }

    /** LIM-12: whatever a peer does when it is asked whether it expects TLS. */
    @Test
    void aPeerThatTricklesHoldsNoCall() throws Exception {
        try (Service service = new Service((n, in, out) -> {
            if (n % 2 == 1) {
                Http.readRequest(in);
                return;
            }
            out.write(new byte[] {0x16, 3, 3, 0x40, 0});
            while (true) {
                out.write(0);
                Thread.sleep(500);
            }
        }); Channel channel = service.connect()) {
            CallOptions options = CallOptions.NONE.withDeadline(Duration.ofSeconds(60));
            assertTimeoutPreemptively(Duration.ofSeconds(100), () -> assertEquals(ErrorCode.UNAVAILABLE,
                assertThrows(CreoException.class, () -> channel.call(Calls.SAY, "x", options)).code()));
            CompletableFuture<String> call = channel.callAsync(Calls.SAY, "x", options);
            assertEquals(ErrorCode.UNAVAILABLE, ((CreoException) assertThrows(ExecutionException.class, () -> call.get(100, TimeUnit.SECONDS)).getCause()).code());
            assertEquals(4, service.connections.get());
        }
    }

    @Test
    void plainRequestsThroughAProxy() throws Exception {
        try (ProxyPeer proxy = new ProxyPeer(0)) {
            ClientOptions options = ClientOptions.DEFAULT.withProxy("127.0.0.1", proxy.port()).withProxyCredentials("me", "secret");
            try (Channel channel = JsonChannel.open("http://service.example:81/a?b=c", options)) {
                assertEquals("proxy", say(channel));
                assertEquals("proxy", say(channel));
            }
            String head = proxy.heads().get(1);
            assertTrue(head.startsWith("POST http://service.example:81/a/say?b=c HTTP/1.1\r\nHost: service.example:81\r\n"), head);
            assertTrue(head.contains("\r\nProxy-Authorization: Basic bWU6c2VjcmV0\r\n"), head);
        }
        try (ProxyPeer proxy = new ProxyPeer(407); Channel channel = JsonChannel.open("http://service.example/", ClientOptions.DEFAULT.withProxy("127.0.0.1", proxy.port()))) {
            error(ErrorCode.UNAUTHENTICATED, () -> say(channel));
        }
        try (DeadPort dead = new DeadPort(); Channel channel = JsonChannel.open("http://service.example/", ClientOptions.DEFAULT.withProxy("127.0.0.1", dead.number()))) {
            CreoException e = error(ErrorCode.UNAVAILABLE, () -> say(channel));
            assertTrue(e.getMessage().contains("service.example:80 through the proxy") && e.getMessage().contains(Integer.toString(dead.number())), e.getMessage());
        }
    }

    /** HTTP-21: only the proxy speaks with the service. */
    @Test
    void aServiceBehindAProxyIsNotAskedForTls() throws Exception {
        try (Service service = new Service((n, in, out) -> in.readAllBytes()); Peer proxy = new Peer((in, out) -> Http.readRequest(in));
                Channel channel = service.connect(ClientOptions.DEFAULT.withProxy("127.0.0.1", proxy.port()))) {
            error(ErrorCode.UNAVAILABLE, () -> say(channel));
            assertEquals(0, service.connections.get());
        }
    }

    /** Without an option the JVM's selector is asked, whose first choice counts. */
    @Test
    void theProxyOfTheJvm() throws Exception {
        ProxySelector before = ProxySelector.getDefault();
        try (ProxyPeer proxy = new ProxyPeer(0); Service service = new Service((n, in, out) -> {
            Http.readRequest(in);
            send(out, ok("\"direct\""));
        })) {
            ProxySelector.setDefault(new ProxySelector() {
                @Override
                public List<Proxy> select(URI uri) {
                    InetSocketAddress address = InetSocketAddress.createUnresolved("127.0.0.1", proxy.port());
                    return switch (uri.getHost()) {
                        case "service.example" -> List.of(new Proxy(Proxy.Type.HTTP, address), Proxy.NO_PROXY);
                        case "broken.example" -> throw new IllegalStateException("as asked");
                        default -> List.of(Proxy.NO_PROXY);
                    };
                }

                @Override
                public void connectFailed(URI uri, SocketAddress address, IOException e) {}
            });
            try (Channel channel = JsonChannel.open("http://service.example/x", ClientOptions.DEFAULT); Channel direct = service.connect();
                    Channel broken = JsonChannel.open("http://broken.example/x", ClientOptions.DEFAULT)) {
                assertEquals("proxy", say(channel));
                assertFalse(proxy.heads().get(0).contains("Proxy-Authorization"), proxy.heads().get(0));
                assertEquals("direct", say(direct));
                CreoException e = error(ErrorCode.UNAVAILABLE, () -> say(broken));
                assertTrue(e.getMessage().contains("as asked"), e.getMessage());
            }
            ProxySelector.setDefault(null);
            try (Channel direct = service.connect()) {
                assertEquals("direct", say(direct));
            }
        } finally {
            ProxySelector.setDefault(before);
        }
    }

    @Test
    void optionsOfProxiesAreChecked() {
        assertNull(ClientOptions.DEFAULT.proxy());
        assertEquals("Basic w6Q6Og==", ClientAccess.proxyAuthorization(ClientOptions.DEFAULT.withProxyCredentials("\u00e4", ":")));
        assertThrows(IllegalArgumentException.class, () -> ClientOptions.DEFAULT.withProxy("x", 0));
        assertThrows(IllegalArgumentException.class, () -> ClientOptions.DEFAULT.withProxyCredentials("a:b", "c"));
        assertThrows(IllegalArgumentException.class, () -> ClientOptions.DEFAULT.withProxyCredentials("a", "b\r\nc"));
    }

    @Test
    void targetsOfRequests() {
        HttpProxy none = new HttpProxy(URI.create("http://x"), ClientOptions.DEFAULT);
        List<String[]> targets = List.of(
            new String[] {"http://x", "/", "x"},
            new String[] {"http://http/http?a", "/http?a", "http"},
            new String[] {"http://x:8080/a/b?c=d&e#f", "/a/b?c=d&e", "x:8080"},
            new String[] {"http://x?a", "/?a", "x"},
            new String[] {"http://u:p@[::1]:80/%41\u00e4", "/%41%C3%A4", "[::1]:80"});
        for (String[] each : targets) {
            HttpRequest.Target target = HttpRequest.Target.of(URI.create(each[0]), none);
            String direct = new String(target.direct(), StandardCharsets.ISO_8859_1);
            assertTrue(direct.startsWith("POST " + each[1] + " HTTP/1.1\r\nHost: " + each[2] + "\r\n"), direct);
            String proxied = new String(target.proxied(), StandardCharsets.ISO_8859_1);
            assertTrue(proxied.startsWith("POST http://" + each[2] + each[1] + " HTTP/1.1\r\nHost: " + each[2] + "\r\n"), proxied);
        }
    }

    @Test
    void fieldsCannotBeBroken() {
        for (String value : List.of("a\r\nb: c", "a\n", "\0", "\u007f")) {
            error(ErrorCode.INVALID_VALUE, () -> new HttpRequest.Fields().add("SOAPAction", value));
        }
        assertEquals("A: b\u00e4\r\n", new HttpRequest.Fields().add("A", "b\u00e4").toString());
    }
}
