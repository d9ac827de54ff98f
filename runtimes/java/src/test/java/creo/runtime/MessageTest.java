package creo.runtime;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import creo.runtime.codegen.ServiceMethod;
import creo.runtime.spi.MessageAnswer;
import creo.runtime.spi.MessageClient;
import creo.runtime.spi.MessageRequest;
import creo.runtime.spi.MessageServer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Calls as whole messages, without any transport: the client's message is passed to a server, and back. */
class MessageTest {
    private static final FaultCode TYPE = new FaultCode("urn:test", "wrongType");
    private static final FaultCode ACTION = new FaultCode("urn:test", "wrongAction");

    private final BlockingQueue<String> noted = new LinkedBlockingQueue<>();
    private final MessageServer server = serve(Limits.DEFAULT, this::say);

    @AfterEach
    void end() {
        server.close();
    }

    private interface Say {
        String say(String text) throws Exception;
    }

    private MessageServer serve(Limits limits, Say say) {
        Calls.Service service = new Calls.Service() {
            @Override
            public String say(String text) throws Exception {
                return say.say(text);
            }

            @Override
            public void note(String text) {
                noted.add(text);
            }
        };
        return MessageServer.builder("a test").limits(limits).faults(TYPE, ACTION).add(Calls.endpoint(service)).start();
    }

    private String say(String text) throws Exception {
        CallContext context = CallContext.current();
        return switch (text) {
            case "refused" -> throw new Calls.Refused(5);
            case "broken" -> throw new IllegalStateException("hidden");
            case "context" -> context.id() + " " + context.isRedelivered() + " " + context.peer() + " " + context.metadata();
            default -> text + "!";
        };
    }

    private static MessageClient client(Wire wire, ClientOptions options) {
        return new MessageClient(wire, options, "a test", Set.of("wrongType", "wrongAction"));
    }

    private <A, R> R call(MessageClient client, ServiceMethod<A, R> method, A arguments) throws Exception {
        MessageRequest request = client.request(method, arguments, CallOptions.NONE);
        MessageAnswer answer = server.serve(request);
        return answer == null ? null : client.read(method, answer);
    }

    private void checkCalls(MessageClient client) throws Exception {
        assertEquals("hello!", call(client, Calls.SAY, "hello"));
        assertEquals(5, assertThrows(Calls.Refused.class, () -> call(client, Calls.SAY, "refused")).wait);
        CreoException broken = assertThrows(CreoException.class, () -> call(client, Calls.SAY, "broken"));
        assertEquals(ErrorCode.INTERNAL, broken.code());
        assertTrue(!broken.getMessage().contains("hidden"));
        byte[] bytes = new byte[5_000];
        new Random(1).nextBytes(bytes);
        assertArrayEquals(bytes, call(client, Calls.ECHO, bytes));
        CreoException lost = assertThrows(CreoException.class, () -> call(client, Calls.LOST, "x"));
        assertEquals(ErrorCode.UNKNOWN_METHOD, lost.code());
        assertNull(call(client, Calls.NOTE, "noted"));
        assertEquals("noted", noted.poll(60, TimeUnit.SECONDS));
    }

    @ParameterizedTest
    @EnumSource(Wire.class)
    void everyWire(Wire wire) throws Exception {
        checkCalls(client(wire, ClientOptions.DEFAULT));
        checkCalls(client(wire, ClientOptions.DEFAULT.withCompression()));
        checkCalls(client(wire, ClientOptions.DEFAULT.withMtom().withSoap12()));
        checkCalls(client(wire, ClientOptions.DEFAULT.withTables(TableOptions.AGGREGATED.withSchema())));
    }

    @ParameterizedTest
    @EnumSource(Wire.class)
    void whatStandsBesideTheBody(Wire wire) throws Exception {
        MessageClient client = client(wire, ClientOptions.DEFAULT.withMetadata("a", "\u00fc"));
        MessageRequest request = client.request(Calls.SAY, "context", CallOptions.NONE).id("seven").redelivered().peer("somebody").timeout(60_000);
        assertEquals(Map.of("a", "%C3%BC"), request.metadata());
        assertEquals("seven true somebody {a=\u00fc}", client.read(Calls.SAY, server.serve(request)));
        MessageRequest plain = client.request(Calls.SAY, "context", CallOptions.NONE);
        assertEquals("null false unknown {a=\u00fc}", client.read(Calls.SAY, server.serve(plain)));
    }

    @ParameterizedTest
    @EnumSource(Wire.class)
    void deadlines(Wire wire) throws Exception {
        MessageClient client = client(wire, ClientOptions.DEFAULT);
        MessageRequest request = client.request(Calls.SLEEP, 600_000, CallOptions.NONE).timeout(200);
        CreoException over = assertThrows(CreoException.class, () -> client.read(Calls.SLEEP, server.serve(request)));
        assertEquals(ErrorCode.DEADLINE_EXCEEDED, over.code());
    }

    @ParameterizedTest
    @EnumSource(Wire.class)
    void withoutAPlaceForTheAnswer(Wire wire) throws Exception {
        MessageClient client = client(wire, ClientOptions.DEFAULT);
        assertThrows(MessageServer.Unserved.class, () -> server.serve(client.request(Calls.SAY, "x", CallOptions.NONE).unanswerable()));
        assertThrows(MessageServer.Unserved.class, () -> server.serve(new MessageRequest(wire, "text/xml", new byte[0], 0).unanswerable()));
        assertNull(server.serve(client.request(Calls.NOTE, "once", CallOptions.NONE).unanswerable()));
        assertEquals("once", noted.poll(60, TimeUnit.SECONDS));
    }

    @ParameterizedTest
    @EnumSource(Wire.class)
    void whatIsUnderWayWhenTheServerIsClosedIsNotAnswered(Wire wire) throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch never = new CountDownLatch(1);
        MessageServer closing = serve(Limits.DEFAULT.withMaxConcurrency(1), text -> {
            begun.countDown();
            never.await();
            return text;
        });
        MessageClient client = client(wire, ClientOptions.DEFAULT);
        ExecutorService threads = Executors.newCachedThreadPool();
        try {
            // The second waits for its place.
            var running = threads.submit(() -> closing.serve(client.request(Calls.SAY, "x", CallOptions.NONE)));
            assertTrue(begun.await(60, TimeUnit.SECONDS));
            var waiting = threads.submit(() -> closing.serve(client.request(Calls.SAY, "y", CallOptions.NONE)));
            closing.close();
            for (var each : List.of(running, waiting)) {
                Exception e = assertThrows(ExecutionException.class, () -> each.get(60, TimeUnit.SECONDS));
                assertTrue(e.getCause() instanceof MessageServer.Unserved, String.valueOf(e.getCause()));
            }
            assertThrows(MessageServer.Unserved.class, () -> closing.serve(client.request(Calls.SAY, "z", CallOptions.NONE)));
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void faultsOfTheTransport() throws Exception {
        MessageClient client = client(Wire.SOAP, ClientOptions.DEFAULT);
        MessageRequest sound = client.request(Calls.SAY, "x", CallOptions.NONE);
        MessageRequest action = new MessageRequest(Wire.SOAP, sound.mediaType(), sound.body(), sound.length()).action("urn:other");
        CreoException wrong = assertThrows(CreoException.class, () -> client.read(Calls.SAY, server.serve(action)));
        assertEquals(ErrorCode.PROTOCOL_MISMATCH, wrong.code());
        assertEquals("wrongAction", wrong.details().get("fault-code"));
        for (String type : new String[] {"application/soap+xml", "text/xml; charset=utf-16", "text/plain"}) {
            MessageRequest other = new MessageRequest(Wire.SOAP, type, sound.body(), sound.length());
            wrong = assertThrows(CreoException.class, () -> client.read(Calls.SAY, server.serve(other)));
            assertEquals("wrongType", wrong.details().get("fault-code"), type);
        }
        MessageAnswer fault = server.refuse(new MessageRequest(Wire.SOAP, "application/soap+xml", new byte[0], 0), TYPE, "no");
        assertEquals(MessageAnswer.Kind.ERROR, fault.kind());
        assertTrue(fault.mediaType().startsWith("application/soap+xml"));
    }

    @Test
    void aForeignFaultOfTheTransport() {
        String namespace = "http://www.w3.org/2003/05/soap-envelope";
        byte[] body = ("<s:Envelope xmlns:s=\"" + namespace + "\"><s:Body><s:Fault><s:Code><s:Value>s:Sender</s:Value><s:Subcode><s:Value xmlns:t=\"urn:test\">t:wrongType</s:Value>"
            + "<s:Subcode><s:Value>t:deeper</s:Value></s:Subcode></s:Subcode></s:Code><s:Reason><s:Text xml:lang=\"en\">no</s:Text></s:Reason></s:Fault></s:Body></s:Envelope>")
            .getBytes(StandardCharsets.UTF_8);
        MessageAnswer answer = new MessageAnswer(MessageAnswer.Kind.ERROR, "application/soap+xml", body, body.length, false);
        CreoException e = assertThrows(CreoException.class, () -> client(Wire.SOAP, ClientOptions.DEFAULT).read(Calls.SAY, answer));
        assertEquals(ErrorCode.PROTOCOL_MISMATCH, e.code());
        assertEquals("t:wrongType", e.details().get("fault-subcode"));
        MessageClient other = new MessageClient(Wire.SOAP, ClientOptions.DEFAULT, "a test", Set.of());
        assertEquals(ErrorCode.MALFORMED, assertThrows(CreoException.class, () -> other.read(Calls.SAY, answer)).code());
    }

    @ParameterizedTest
    @EnumSource(Wire.class)
    void answersThatAreNone(Wire wire) {
        MessageClient client = client(wire, ClientOptions.DEFAULT.withLimits(Limits.DEFAULT.withMaxMessageSize(5_000)));
        for (MessageAnswer.Kind kind : MessageAnswer.Kind.values()) {
            for (String type : new String[] {null, "text/plain", "text/xml", "application/vnd.creo.binary", "application/vnd.creo.tdxml", "multipart/related"}) {
                CreoException e = assertThrows(CreoException.class, () -> client.read(Calls.SAY, new MessageAnswer(kind, type, new byte[] {'<', 0x7f}, 2, false)));
                assertTrue(e.code() == ErrorCode.MALFORMED || e.code() == ErrorCode.PROTOCOL_MISMATCH, e.getMessage());
            }
            CreoException large = assertThrows(CreoException.class, () -> client.read(Calls.SAY, new MessageAnswer(kind, "text/xml", new byte[6_000], 6_000, false)));
            assertEquals(ErrorCode.TOO_LARGE, large.code());
            CreoException broken = assertThrows(CreoException.class, () -> client.read(Calls.SAY, new MessageAnswer(kind, "text/xml", new byte[60], 60, true)));
            assertEquals(ErrorCode.MALFORMED, broken.code());
        }
    }

    @ParameterizedTest
    @EnumSource(Wire.class)
    void answersHaveMetadata(Wire wire) throws Exception {
        MessageServer pairs = MessageServer.builder("a test").add(Calls.endpoint(this::say)).interceptor(call -> {
            call.answerMetadata("a.b", "\u00fc %\r\n");
            return null;
        }).start();
        try (pairs) {
            MessageClient client = client(wire, ClientOptions.DEFAULT);
            List<Answer> answers = new java.util.ArrayList<>();
            CallOptions options = CallOptions.NONE.withAnswer(answers::add);
            MessageAnswer answer = pairs.serve(client.request(Calls.SAY, "hello", options));
            assertEquals(Map.of("a.b", "%C3%BC%20%25%0D%0A"), answer.metadata());
            assertEquals("hello!", client.read(Calls.SAY, answer, options));
            MessageAnswer refused = pairs.serve(client.request(Calls.SAY, "refused", options));
            assertThrows(Calls.Refused.class, () -> client.read(Calls.SAY, refused, options));
            MessageAnswer broken = pairs.serve(client.request(Calls.SAY, "broken", options));
            assertThrows(CreoException.class, () -> client.read(Calls.SAY, broken, options));
            assertEquals(List.of(Map.of("a.b", "\u00fc %\r\n"), Map.of("a.b", "\u00fc %\r\n"), Map.of("a.b", "\u00fc %\r\n")), answers.stream().map(Answer::metadata).toList());
            for (Map<String, String> wrong : List.of(Map.of("A", "x"), Map.of("a", "%zz"), Map.of("a", "%ff"))) {
                MessageAnswer hostile = new MessageAnswer(answer.kind(), answer.mediaType(), answer.body(), answer.length(), false, wrong);
                assertEquals(ErrorCode.MALFORMED, assertThrows(CreoException.class, () -> client.read(Calls.SAY, hostile)).code());
            }
            MessageAnswer large = new MessageAnswer(answer.kind(), answer.mediaType(), answer.body(), answer.length(), false, Map.of("a", "x".repeat(16_384)));
            assertEquals(ErrorCode.TOO_LARGE, assertThrows(CreoException.class, () -> client.read(Calls.SAY, large)).code());
        }
    }

    @Test
    void anAnswerIsCompressedOnlyIfItsRequestWas() throws Exception {
        String large = "x".repeat(5_000);
        MessageRequest plain = client(Wire.SOAP, ClientOptions.DEFAULT).request(Calls.SAY, large, CallOptions.NONE);
        assertTrue(!plain.isCompressed() && !server.serve(plain).compressed());
        MessageRequest small = client(Wire.SOAP, ClientOptions.DEFAULT.withCompression()).request(Calls.SAY, "x", CallOptions.NONE);
        assertTrue(small.isCompressed() && !server.serve(small).compressed());
        MessageAnswer answer = server.serve(client(Wire.SOAP, ClientOptions.DEFAULT.withCompression()).request(Calls.SAY, large, CallOptions.NONE));
        assertTrue(answer.compressed() && answer.length() < 2_000);
    }
}
