package creo.runtime;

import static creo.runtime.CallsTest.error;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import creo.runtime.codegen.Codec;
import creo.runtime.codegen.Reader;
import creo.runtime.codegen.ServiceInterface;
import creo.runtime.codegen.ServiceMethod;
import creo.runtime.codegen.Writer;
import creo.runtime.internal.http.TextMethods;
import creo.runtime.internal.soap.SoapCalls;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Calls as SOAP over HTTP, between the runtime's own client and server. */
@Timeout(value = 300, unit = TimeUnit.SECONDS)
class SoapTest {
    private static final LinkedBlockingQueue<String> NOTES = new LinkedBlockingQueue<>();
    private static Server server;

    private static final class Service implements Calls.Service {
        @Override
        public String say(String text) throws Exception {
            return switch (text) {
                case "refused" -> throw new Calls.Refused(30);
                case "internal" -> throw new IllegalStateException("secret");
                case "denied" -> throw new CreoException(ErrorCode.PERMISSION_DENIED, "not <you>", Map.of("who", "a&b"));
                case "metadata" -> String.valueOf(new java.util.TreeMap<>(CallContext.current().metadata()));
                case "unwritable" -> "\u0001";
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

    private static String url() {
        return "http://127.0.0.1:" + server.httpPort() + "/Calls";
    }

    private static Channel connect(ClientOptions options) {
        return SoapChannel.open(url(), options);
    }

    private static List<ClientOptions> allOptions() {
        ClientOptions d = ClientOptions.DEFAULT;
        return List.of(d, d.withSoap12(), d.withMtom(), d.withMtom().withSoap12(), d.withCompression(), d.withMtom().withCompression());
    }

    @Test
    void callsInEveryForm() throws Exception {
        byte[] random = new byte[10_000];
        new Random(1).nextBytes(random);
        for (ClientOptions options : allOptions()) {
            try (Channel channel = connect(options)) {
                assertEquals("a<b>&\u20ac", channel.call(Calls.SAY, "a<b>&\u20ac", CallOptions.NONE));
                for (int n : new int[] {0, 1, 1_023, 1_024, 10_000}) {
                    byte[] bytes = Arrays.copyOf(random, n);
                    assertArrayEquals(bytes, channel.call(Calls.ECHO, bytes, CallOptions.NONE));
                }
                channel.call(Calls.NOTE, "one", CallOptions.NONE);
                channel.call(Calls.NOTE, "two", CallOptions.NONE);
                assertEquals("one", NOTES.poll(60, TimeUnit.SECONDS));
                assertEquals("two", NOTES.poll(60, TimeUnit.SECONDS));
            }
        }
    }

    /** SOAP-24: the description says the version that is written, unless the options do. */
    @Test
    void theDescriptionSaysTheVersion() {
        ClientOptions d = ClientOptions.DEFAULT;
        ServiceMethod<String, String> newer = Calls.SAY.text(() -> TextMethods.of(Calls.SAY).soap12());
        assertTrue(type(d, newer).startsWith("application/soap+xml; charset=utf-8; action=\""), type(d, newer));
        assertTrue(type(d.withSoap12(), Calls.SAY).startsWith("application/soap+xml;"), type(d.withSoap12(), Calls.SAY));
        assertTrue(type(d, Calls.SAY).startsWith("text/xml;"), type(d, Calls.SAY));
        assertTrue(type(d.withSoap11(), newer).startsWith("text/xml;"), type(d.withSoap11(), newer));
    }

    private static String type(ClientOptions options, ServiceMethod<String, String> method) {
        return new SoapCalls(options, null, null).write(method, "x").mediaType();
    }

    @Test
    void failuresArriveAsTheyAre() throws Exception {
        for (ClientOptions options : allOptions()) {
            try (Channel channel = connect(options)) {
                assertEquals(30, assertThrows(Calls.Refused.class, () -> channel.call(Calls.SAY, "refused", CallOptions.NONE)).wait);
                CreoException hidden = error(ErrorCode.INTERNAL, () -> channel.call(Calls.SAY, "internal", CallOptions.NONE));
                assertFalse(hidden.getMessage().contains("secret"), hidden.getMessage());
                CreoException denied = error(ErrorCode.PERMISSION_DENIED, () -> channel.call(Calls.SAY, "denied", CallOptions.NONE));
                assertEquals("not <you>", denied.reason());
                assertEquals("a&b", denied.details().get("who"));
                assertTrue(denied.fromPeer());
                error(ErrorCode.INTERNAL, () -> channel.call(Calls.SAY, "unwritable", CallOptions.NONE));
                CreoException lost = error(ErrorCode.UNKNOWN_METHOD, () -> channel.call(Calls.LOST, "x", CallOptions.NONE));
                assertTrue(lost.getMessage().contains("lost"), lost.getMessage());
                assertEquals("$.text", error(ErrorCode.INVALID_VALUE, () -> channel.call(Calls.SAY, "\ud800", CallOptions.NONE)).place());
                assertEquals("fine", channel.call(Calls.SAY, "fine", CallOptions.NONE));
            }
        }
    }

    @Test
    void metadataAndDeadlinesTravel() throws Exception {
        try (Channel channel = connect(ClientOptions.DEFAULT.withMetadata("x-test", "\u00e9 %"))) {
            CallOptions options = CallOptions.NONE.withMetadata("traceparent", "00-a").withMetadata("authorization", "Bearer b");
            assertEquals("{authorization=Bearer b, traceparent=00-a, x-test=\u00e9 %}", channel.call(Calls.SAY, "metadata", options));
            error(ErrorCode.INVALID_VALUE, () -> channel.call(Calls.SAY, "metadata", CallOptions.NONE.withMetadata("authorization", "a\nb")));
            error(ErrorCode.DEADLINE_EXCEEDED, () -> channel.call(Calls.SLEEP, 20_000, CallOptions.NONE.withDeadline(Duration.ofMillis(50))));
            assertEquals(1, channel.call(Calls.SLEEP, 1, CallOptions.NONE));
        }
    }

    @Test
    void theServerEndsACallAtItsDeadline() throws Exception {
        String answer = Http.post(server.httpPort(), "/Calls", "Content-Type: text/xml\r\nCreo-Timeout: 50\r\n", Http.envelope("<c:sleep xmlns:c=\"urn:calls\"><c:milliseconds>20000</c:milliseconds></c:sleep>"));
        assertTrue(answer.startsWith("HTTP/1.1 500") && answer.contains("deadline-exceeded"), answer);
    }

    @Test
    void asynchronousCalls() throws Exception {
        try (Channel channel = connect(ClientOptions.DEFAULT)) {
            assertEquals("a", channel.callAsync(Calls.SAY, "a", CallOptions.NONE).get());
            ExecutionException refused = assertThrows(ExecutionException.class, () -> channel.callAsync(Calls.SAY, "refused", CallOptions.NONE).get());
            assertTrue(refused.getCause() instanceof Calls.Refused, refused.toString());
            CompletableFuture<Integer> late = channel.callAsync(Calls.SLEEP, 20_000, CallOptions.NONE.withDeadline(Duration.ofMillis(50)));
            ExecutionException over = assertThrows(ExecutionException.class, late::get);
            assertEquals(ErrorCode.DEADLINE_EXCEEDED, ((CreoException) over.getCause()).code());
            assertTrue(channel.callAsync(Calls.SLEEP, 20_000, CallOptions.NONE).cancel(true));
        }
    }

    @Test
    void closingAChannelEndsItsCalls() throws Exception {
        Channel channel = connect(ClientOptions.DEFAULT);
        CompletableFuture<Integer> call = channel.callAsync(Calls.SLEEP, 20_000, CallOptions.NONE);
        channel.close();
        ExecutionException e = assertThrows(ExecutionException.class, () -> call.get(60, TimeUnit.SECONDS));
        assertEquals(ErrorCode.UNAVAILABLE, ((CreoException) e.getCause()).code());
        error(ErrorCode.UNAVAILABLE, () -> channel.call(Calls.SAY, "a", CallOptions.NONE));
    }

    @Test
    void answersThatAreNoSoap() throws Exception {
        Object[][] cases = {{"401 No", ErrorCode.UNAUTHENTICATED}, {"403 No", ErrorCode.PERMISSION_DENIED}, {"404 No", ErrorCode.UNAVAILABLE}, {"503 No", ErrorCode.UNAVAILABLE},
            {"413 No", ErrorCode.TOO_LARGE}, {"429 No", ErrorCode.OVERLOADED}, {"418 No", ErrorCode.PROTOCOL_MISMATCH}, {"200 OK", ErrorCode.PROTOCOL_MISMATCH},
            {"302 Found\r\nLocation: http://other/", ErrorCode.UNAVAILABLE}};
        for (Object[] each : cases) {
            CreoException e = meets("HTTP/1.1 " + each[0] + "\r\nContent-Type: text/html\r\nContent-Length: 2\r\n\r\nno");
            assertEquals(each[1], e.code(), e.getMessage());
            assertTrue(e.getMessage().contains("text/html"), e.getMessage());
        }
        assertEquals(ErrorCode.PROTOCOL_MISMATCH, meets("SSH-2.0-x\r\n\r\n").code());
        assertEquals(ErrorCode.PROTOCOL_MISMATCH, meets("\u0015\u0003\u0003\u0000\u0002\u0002\n").code());
        assertEquals(ErrorCode.UNAVAILABLE, meets("").code());
        assertEquals(ErrorCode.UNAVAILABLE, meets("HTTP/1.1 200 OK\r\nContent-Type: text/xml\r\nContent-Length: 100\r\n\r\n<a>").code());
        assertEquals(ErrorCode.MALFORMED, meets("HTTP/1.1 200 OK\r\nContent-Type: text/xml\r\nContent-Length: 3\r\n\r\n<a>").code());
        assertEquals(ErrorCode.MALFORMED, meets("HTTP/1.1 200 OK\r\nContent-Type: text/xml\r\nContent-Encoding: gzip\r\nContent-Length: 3\r\n\r\n<a>").code());
    }

    @Test
    void foreignFaults() throws Exception {
        String start = "<E:Envelope xmlns:E=\"http://schemas.xmlsoap.org/soap/envelope/\"><E:Body><E:Fault><faultcode>E:";
        CreoException e = meets(answer(start + "Client.Bad</faultcode><faultstring>no \u0001</faultstring></E:Fault></E:Body></E:Envelope>".replace("\u0001", "good")));
        assertEquals(ErrorCode.MALFORMED, e.code());
        assertEquals("E:Client.Bad", e.details().get("fault-code"));
        e = meets(answer(start + "Server</faultcode><faultstring>x</faultstring><faultactor>urn:a</faultactor><detail><any a=\"b\">text</any></detail></E:Fault></E:Body></E:Envelope>"));
        assertEquals(ErrorCode.INTERNAL, e.code());
        assertEquals("urn:a", e.details().get("fault-actor"));
        assertTrue(e.details().get("fault-detail").contains("<any a=\"b\">text</any>"), e.details().toString());
        e = meets(answer("<E:Envelope xmlns:E=\"http://www.w3.org/2003/05/soap-envelope\"><E:Body><E:Fault><E:Code><E:Value>E:MustUnderstand</E:Value></E:Code><E:Reason>"
            + "<E:Text xml:lang=\"de\">nein</E:Text></E:Reason></E:Fault></E:Body></E:Envelope>"));
        assertEquals(ErrorCode.PROTOCOL_MISMATCH, e.code());
        assertEquals("nein", e.reason());
    }

    private static String answer(String body) {
        return "HTTP/1.1 500 No\r\nContent-Type: text/xml\r\nContent-Length: " + body.getBytes(StandardCharsets.UTF_8).length + "\r\n\r\n" + body;
    }

    /** The error of a call if a server gives this answer. */
    private static CreoException meets(String answer) throws Exception {
        try (ServerSocket listener = new ServerSocket(0, 1, java.net.InetAddress.getLoopbackAddress())) {
            Thread thread = new Thread(() -> {
                try (Socket socket = listener.accept()) {
                    Http.readRequest(socket.getInputStream());
                    socket.getOutputStream().write(answer.getBytes(StandardCharsets.ISO_8859_1));
                    socket.getOutputStream().flush();
                } catch (IOException e) {
                    // The client has gone.
                }
            });
            thread.start();
            try (Channel channel = SoapChannel.open("http://127.0.0.1:" + listener.getLocalPort() + "/x", ClientOptions.DEFAULT)) {
                return assertThrows(CreoException.class, () -> channel.call(Calls.SAY, "a", CallOptions.NONE), answer);
            } finally {
                thread.join();
            }
        }
    }

    @Test
    void aFullServiceRefuses() throws Exception {
        CountDownLatch running = new CountDownLatch(1);
        CountDownLatch free = new CountDownLatch(1);
        Limits one = Limits.DEFAULT.withMaxConcurrency(1).withMaxQueue(0);
        try (Server busy = Server.builder().http("127.0.0.1", 0).limits(one).add(Calls.endpoint(text -> {
            running.countDown();
            free.await();
            return text;
        })).start(); Channel channel = SoapChannel.open("http://127.0.0.1:" + busy.httpPort() + "/Calls", ClientOptions.DEFAULT)) {
            CompletableFuture<String> first = channel.callAsync(Calls.SAY, "a", CallOptions.NONE);
            running.await();
            error(ErrorCode.OVERLOADED, () -> channel.call(Calls.SAY, "b", CallOptions.NONE));
            String answer = Http.post(busy.httpPort(), "/Calls", "Content-Type: text/xml\r\n", Http.envelope("<c:say xmlns:c=\"urn:calls\"><c:text>c</c:text></c:say>"));
            assertTrue(answer.startsWith("HTTP/1.1 503"), answer);
            free.countDown();
            assertEquals("a", first.get());
        }
    }

    @Test
    void aServerThatClosesAnswersWhatIsUnderWay() throws Exception {
        CountDownLatch running = new CountDownLatch(1);
        CountDownLatch free = new CountDownLatch(1);
        Server closing = Server.builder().http("127.0.0.1", 0).add(Calls.endpoint(text -> {
            running.countDown();
            free.await();
            return text;
        })).start();
        try (Channel channel = SoapChannel.open("http://127.0.0.1:" + closing.httpPort() + "/Calls", ClientOptions.DEFAULT)) {
            CompletableFuture<String> call = channel.callAsync(Calls.SAY, "a", CallOptions.NONE);
            running.await();
            CompletableFuture<Void> closed = CompletableFuture.runAsync(closing::close);
            free.countDown();
            assertEquals("a", call.get());
            closed.get();
            error(ErrorCode.UNAVAILABLE, () -> channel.call(Calls.SAY, "b", CallOptions.NONE));
        }
    }

    @Test
    void twoMethodsThatCannotBeToldApartAreRefused() {
        Endpoint endpoint = Calls.endpoint(text -> text);
        Endpoint alike = Endpoint.builder(new ServiceInterface("test.Other", 1)).wires(Calls.WIRES)
            .method(ServiceMethod.of(Calls.INTERFACE, "say", 77, Codec.of(Writer::writeString, Reader::readString), Codec.of(Writer::writeString, Reader::readString)).text(() -> TextCalls.SAY), a -> a)
            .build();
        assertThrows(IllegalArgumentException.class, () -> Server.builder().http("127.0.0.1", 0).add(endpoint).add(alike, "/Calls").start());
        Server.builder().http("127.0.0.1", 0).add(endpoint).add(alike, "/Other").start().close();
    }
}
