package creo.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import creo.runtime.StreamCalls.Args;
import creo.runtime.codegen.HostStreams;
import creo.runtime.codegen.Items;
import creo.runtime.codegen.JsonItems;
import creo.runtime.codegen.ServiceMethod;
import creo.runtime.codegen.TextCodec;
import creo.runtime.codegen.TextField;
import creo.runtime.codegen.TextMessage;
import creo.runtime.codegen.TextMethod;
import creo.runtime.codegen.TextReader;
import creo.runtime.codegen.TextRecord;
import creo.runtime.codegen.TextType;
import creo.runtime.codegen.TextWriter;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Streams as JSON over HTTP (HTTP-30 to HTTP-39), by hand and by the client. */
@Timeout(value = 300, unit = TimeUnit.SECONDS)
class HttpStreamsTest {
    private static final String NS = "urn:calls";
    private static final TextField N = TextField.element("n", NS, "n").is(TextType.INTEGER);

    private static TextMessage<Args> request(String name) {
        TextRecord record = TextRecord.of(name, NS, name).fields(N);
        return TextMessage.of(TextField.element(null, NS, name), record, null, (w, a) -> w.writeInt(N, a.n()), r -> {
            r.begin(record);
            int n = 0;
            for (int i = r.next(0); i >= 0; i = r.next(i + 1)) {
                n = r.readInt();
            }
            r.end(record);
            return new Args(n, null);
        }, false, NS);
    }

    private static TextMessage<Integer> number(String name) {
        TextField field = TextField.element(null, NS, name).is(TextType.INTEGER);
        TextRecord record = TextRecord.of(name, NS, name + "Response").fields(field);
        return TextMessage.of(TextField.element(null, NS, name), record, null, (w, v) -> w.writeInt(field, v), r -> {
            r.begin(record);
            int n = 0;
            while (r.next(0) == 0) {
                n = r.readInt();
            }
            r.end(record);
            return n;
        }, false, NS);
    }

    private static final TextField WAIT = TextField.element("wait", NS, "wait").is(TextType.INTEGER);
    private static final TextRecord REFUSED_RECORD = TextRecord.of("Refused", NS, "Refused").fields(WAIT);
    private static final TextCodec<Calls.Refused> REFUSED = TextCodec.of("test.Refused", TextField.element(null, NS, "Refused"), HttpStreamsTest::write,
        HttpStreamsTest::read, false, NS);

    private static void write(TextWriter w, TextField f, Calls.Refused e) {
        w.beginRecord(f, REFUSED_RECORD);
        w.writeInt(WAIT, e.wait);
        w.endRecord(f, REFUSED_RECORD);
    }

    private static Calls.Refused read(TextReader r) {
        r.begin(REFUSED_RECORD);
        int wait = 0;
        for (int i = r.next(0); i >= 0; i = r.next(i + 1)) {
            wait = r.readInt();
        }
        r.end(REFUSED_RECORD);
        return new Calls.Refused(wait);
    }

    static final ServiceMethod<Args, Stream<Integer>> COUNT = StreamCalls.COUNT.text(() ->
        TextMethod.<Args, Stream<Integer>>of("urn:calls:count", request("count"), null, REFUSED).lines(JsonItems.of(number("item"), 4)));
    static final ServiceMethod<Args, Integer> SUM = StreamCalls.SUM.text(() ->
        TextMethod.<Args, Integer>of("urn:calls:sum", request("sum"), number("result")).lines(JsonItems.of(number("item"), 4)));

    private static Server serve(Endpoint.Handler<Args, Stream<Integer>> count, Endpoint.Handler<Args, Integer> sum) {
        return serve(Limits.DEFAULT, count, sum);
    }

    private static Server serve(Limits limits, Endpoint.Handler<Args, Stream<Integer>> count, Endpoint.Handler<Args, Integer> sum) {
        return Server.builder().limits(limits).http("127.0.0.1", 0).add(Endpoint.builder(Calls.INTERFACE).streams(HostStreams.SERVED).wires(Calls.WIRES)
            .method(Calls.SAY, text -> text).method(COUNT, count).method(SUM, sum).method(StreamCalls.TALK, a -> StreamCalls.ints(a)).build()).start();
    }

    private static Server serve() {
        return serve(a -> {
            if (a.n() < 0) {
                throw new Calls.Refused(-a.n());
            }
            return to(a.n());
        }, a -> StreamCalls.ints(a).mapToInt(i -> i).sum());
    }

    private static Stream<Integer> to(int n) {
        return IntStream.range(0, n).boxed();
    }

    private static Channel open(Server server) {
        return JsonChannel.open("http://127.0.0.1:" + server.httpPort() + "/Calls", ClientOptions.DEFAULT);
    }

    private static String json(String method, String headers, String body) {
        return "POST /Calls/" + method + " HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n" + headers + "Content-Length: " + body.length() + "\r\n\r\n" + body;
    }

    private static String lines(String method, String body) {
        return "POST /Calls/" + method + " HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-ndjson\r\nContent-Length: " + body.length() + "\r\n\r\n" + body;
    }

    /** Sends a request, and reads until the answer has a text. */
    private static String exchange(Server server, String request, String until) throws IOException {
        try (Socket socket = new Socket("127.0.0.1", server.httpPort())) {
            socket.getOutputStream().write(request.getBytes(StandardCharsets.UTF_8));
            return until(socket, until);
        }
    }

    private static String until(Socket socket, String until) throws IOException {
        StringBuilder got = new StringBuilder();
        byte[] b = new byte[65_536];
        while (got.indexOf(until) < 0) {
            int n = socket.getInputStream().read(b);
            assertTrue(n >= 0, () -> "the connection ended after " + got);
            got.append(new String(b, 0, n, StandardCharsets.UTF_8));
        }
        return got.toString();
    }

    private static CreoException error(ErrorCode code, org.junit.jupiter.api.function.Executable call) {
        CreoException e = assertThrows(CreoException.class, call);
        assertEquals(code, e.code(), e::toString);
        return e;
    }

    @Test
    void linesAndEventsAreWhatIsSent() throws IOException {
        try (Server server = serve()) {
            String answer = exchange(server, json("count", "", "{\"n\":2}"), "0\r\n\r\n");
            assertTrue(answer.startsWith("HTTP/1.1 200 OK\r\nContent-Type: application/x-ndjson\r\nTransfer-Encoding: chunked\r\n"), answer);
            String text = answer.substring(answer.indexOf("\r\n\r\n") + 4).replaceAll("[0-9a-f]+\r\n|\r\n", "");
            assertEquals("{\"item\":0}\n{\"item\":1}\n{\"end\":true}\n", text);
            String events = exchange(server, json("count", "Accept: text/event-stream\r\n", "{\"n\":1}"), "0\r\n\r\n");
            assertTrue(events.contains("Content-Type: text/event-stream\r\n"), events);
            assertTrue(events.contains("event: item\ndata: 0\n\n") && events.contains("event: end\ndata: true\n\n"), events);
            String preferred = exchange(server, json("count", "Accept: text/event-stream;q=0.5, application/x-ndjson\r\n", "{\"n\":1}"), "0\r\n\r\n");
            assertTrue(preferred.contains("application/x-ndjson"), preferred);
            String old = exchange(server, json("count", "", "{\"n\":1}").replace("HTTP/1.1", "HTTP/1.0"), "{\"end\":true}\n");
            assertTrue(old.contains("Connection: close") && !old.contains("chunked") && old.endsWith("\r\n\r\n{\"item\":0}\n{\"end\":true}\n"), old);
            assertTrue(exchange(server, lines("sum", "{\"n\":0}\n{\"item\":3}\r\n\n { \"item\" : 4 } \n{\"end\":true}\n"), "\r\n\r\n7").contains("200 OK"));
        }
    }

    /** CALL-61: on both sides what comes before the items, and the head of a stream. */
    @Test
    void rawMessagesHaveNoItems() throws Exception {
        BlockingQueue<RawMessage> served = new LinkedBlockingQueue<>();
        BlockingQueue<RawMessage> called = new LinkedBlockingQueue<>();
        try (Server server = Server.builder().rawMessages(served::add).http("127.0.0.1", 0).add(Endpoint.builder(Calls.INTERFACE).streams(HostStreams.SERVED)
            .wires(Calls.WIRES).method(COUNT, a -> to(a.n())).method(SUM, a -> StreamCalls.ints(a).mapToInt(i -> i).sum()).build()).start();
            Channel channel = JsonChannel.open("http://127.0.0.1:" + server.httpPort() + "/Calls", ClientOptions.DEFAULT.withRawMessages(called::add))) {
            assertEquals(3, Items.await(channel.stream(COUNT, new Args(3, null), CallOptions.NONE)).count());
            for (BlockingQueue<RawMessage> side : List.of(served, called)) {
                shows(side.take(), "test.Calls.count", 0, "{\"n\":3}");
                shows(side.take(), "test.Calls.count", 200, "");
            }
            assertEquals(6, Items.await(channel.stream(SUM, new Args(1, Stream.of(1, 2, 3)), CallOptions.NONE)));
            for (BlockingQueue<RawMessage> side : List.of(served, called)) {
                shows(side.take(), "test.Calls.sum", 0, "{\"n\":1}");
                shows(side.take(), "test.Calls.sum", 200, "6");
            }
            assertEquals(1, Items.await(channel.stream(COUNT.secrets("n"), new Args(1, null), CallOptions.NONE)).count());
            shows(called.take(), "test.Calls.count", 0, "{\"n\":\"***\"}");
        }
    }

    private static void shows(RawMessage message, String method, int status, String body) {
        assertEquals(method, message.method());
        assertEquals(status, message.status());
        assertEquals(body, new String(message.body(), StandardCharsets.UTF_8).strip());
    }

    @Test
    void anExceptionHasAStatusOrTheLastLine() throws IOException {
        try (Server server = serve(a -> {
            if (a.n() < 0) {
                throw new Calls.Refused(-a.n());
            }
            return ItemSource.stream(new ItemSource<>() {
                private int next;

                @Override
                public boolean next(java.util.function.Consumer<? super Integer> action) throws Exception {
                    if (next == a.n()) {
                        throw new Calls.Refused(9);
                    }
                    action.accept(next++);
                    return true;
                }
            });
        }, a -> 0)) {
            assertTrue(exchange(server, json("count", "", "{\"n\":-5}"), "}}").startsWith("HTTP/1.1 422"));
            String late = exchange(server, json("count", "", "{\"n\":1}"), "0\r\n\r\n");
            assertTrue(late.startsWith("HTTP/1.1 200") && late.contains("{\"error\":{\"type\":\"urn:creo:exception:test.Refused\""), late);
            try (Channel channel = open(server)) {
                Stream<Integer> items = Items.await(channel.stream(COUNT, new Args(3, null), CallOptions.NONE));
                Iterator<Integer> each = items.iterator();
                for (int i = 0; i < 3; i++) {
                    assertEquals(i, each.next());
                }
                assertEquals(9, assertThrows(Calls.Refused.class, each::hasNext).wait);
                Stream<Integer> none = Items.await(channel.stream(COUNT, new Args(-4, null), CallOptions.NONE));
                assertEquals(4, assertThrows(Calls.Refused.class, none::toList).wait);
            }
        } catch (IOException e) {
            throw e;
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void clientsAndHostsAgree() throws Exception {
        try (Server server = serve(); Channel channel = open(server)) {
            for (int n : new int[] {0, 1, 300_000}) {
                Stream<Integer> items = Items.await(channel.stream(COUNT, new Args(n, null), CallOptions.NONE));
                assertEquals(n, items.mapToInt(i -> i).distinct().count());
                assertEquals(to(n).mapToInt(i -> i).sum(), Items.await(channel.stream(SUM, new Args(0, to(n)), CallOptions.NONE)));
            }
            assertEquals("plain", channel.call(Calls.SAY, "plain", CallOptions.NONE));
        }
    }

    @Test
    void brokenStreamsAreRefused() throws IOException {
        try (Server server = serve(Limits.DEFAULT.withMaxMessageSize(1_000), a -> to(a.n()), a -> StreamCalls.ints(a).mapToInt(i -> i).sum())) {
            for (String body : List.of("{\"n\":0}\n{\"item\":1}\n", "{\"n\":0}\n{\"item\":1}\n{\"end\":true", "{\"n\":0}\n[1]\n{\"end\":true}\n", "{\"n\":0}\n{\"item\":\"x\"}\n{\"end\":true}\n",
                    "{\"n\":0}\n{\"item\":1,\"b\":2}\n{\"end\":true}\n", "{\"n\":0}\n{\"error\":{}}\n", "{\"n\":0}\n{\"other\":1}\n", "{\"n\":0}\n{\"end\":false}\n", "{\"n\":0}")) {
                String answer = exchange(server, lines("sum", body), "urn:creo:error:");
                assertTrue(answer.startsWith("HTTP/1.1 400") && answer.contains("malformed"), body + " " + answer);
            }
            String large = exchange(server, lines("sum", "{\"n\":0}\n{\"item\":" + " ".repeat(1_100) + "1}\n{\"end\":true}\n"), "urn:creo:error:");
            assertTrue(large.startsWith("HTTP/1.1 413"), large);
            assertTrue(exchange(server, json("sum", "", "{\"n\":0}"), "which takes a stream").startsWith("HTTP/1.1 415"));
            assertTrue(exchange(server, lines("count", "{\"n\":0}\n"), "urn:creo:error:").startsWith("HTTP/1.1 415"));
            assertTrue(exchange(server, lines("say", "{}\n"), "urn:creo:error:").startsWith("HTTP/1.1 415"));
            String both = exchange(server, lines("talk", "{\"n\":0}\n{\"end\":true}\n"), "over TCP");
            assertTrue(both.startsWith("HTTP/1.1 404") && both.contains("unknown-method"), both);
        }
    }

    @Test
    void aClientThatGoesAwayCancels() throws Exception {
        CountDownLatch closed = new CountDownLatch(1);
        CountDownLatch never = new CountDownLatch(1);
        try (Server server = serve(a -> Stream.concat(Stream.of(1), Stream.generate(() -> {
            try {
                never.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return 2;
        })).onClose(closed::countDown), a -> 0)) {
            try (Channel channel = open(server)) {
                Stream<Integer> items = Items.await(channel.stream(COUNT, new Args(0, null), CallOptions.NONE));
                assertEquals(1, items.iterator().next());
                items.close();
                assertTrue(closed.await(60, TimeUnit.SECONDS));
            }
        }
    }

    /** LIM-32: the budget has back what a line held that did not end. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aLineThatDoesNotEndHoldsNoMemory(boolean returns) throws Exception {
        BlockingQueue<Integer> begun = new LinkedBlockingQueue<>();
        BlockingQueue<Integer> over = new LinkedBlockingQueue<>();
        Semaphore mayReturn = new Semaphore(0);
        try (Server server = serve(Limits.DEFAULT.withMemoryBudget(3_000_000), a -> to(a.n()), a -> {
            begun.add(a.n());
            try {
                if (returns) {
                    mayReturn.acquire();
                    return 0;
                }
                return StreamCalls.ints(a).mapToInt(i -> i).sum();
            } finally {
                over.add(a.n());
            }
        })) {
            for (int i = 0; i < 30; i++) {
                try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.httpPort())) {
                    socket.setSoTimeout(60_000);
                    String line = "{\"item\":" + " ".repeat(150_000);
                    socket.getOutputStream().write(("POST /Calls/sum HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-ndjson\r\nTransfer-Encoding: chunked\r\n\r\n"
                        + "8\r\n{\"n\":0}\n\r\n" + Integer.toHexString(line.length()) + "\r\n" + line + "\r\n").getBytes(StandardCharsets.UTF_8));
                    assertEquals(0, begun.poll(60, TimeUnit.SECONDS));
                    // The line has arrived, or most of it: either is more than a line may have without the budget.
                    Thread.sleep(20);
                    mayReturn.release();
                    if (returns) {
                        socket.getInputStream().transferTo(java.io.OutputStream.nullOutputStream());
                    }
                }
                assertEquals(0, over.poll(60, TimeUnit.SECONDS));
            }
            String text = "x".repeat(1_000_000);
            String answer = Http.post(server.httpPort(), "/Calls/say", "Content-Type: application/json\r\n", "{\"text\":\"" + text + "\"}");
            assertTrue(answer.startsWith("HTTP/1.1 200") && answer.contains(text), () -> answer.substring(0, Math.min(1_000, answer.length())));
        }
    }

    @Test
    void aSlowReaderHoldsTheSourceBack() throws Exception {
        AtomicInteger made = new AtomicInteger();
        try (Server server = serve(a -> Stream.generate(made::incrementAndGet), a -> StreamCalls.ints(a).limit(3).mapToInt(i -> i).sum()); Channel channel = open(server)) {
            Stream<Integer> items = Items.await(channel.stream(COUNT, new Args(0, null), CallOptions.NONE));
            Iterator<Integer> each = items.iterator();
            for (int i = 1; i < 2_000_000; i++) {
                each.next();
                if (i % 100_000 == 0) {
                    assertTrue(made.get() - i < 1_500_000, "at most what buffers and windows hold");
                }
            }
            items.close();
            AtomicInteger given = new AtomicInteger();
            int sum = Items.await(channel.stream(SUM, new Args(0, Stream.generate(given::incrementAndGet)), CallOptions.NONE));
            assertEquals(6, sum, "the answer comes before the stream ends");
        }
    }

    /** HTTP-36: the time of a reader that pauses begins at the end of the method. */
    @Test
    void theTailOfAStreamReachesASlowReader() throws Exception {
        int count = 600_000;
        CountDownLatch made = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        CountDownLatch closed = new CountDownLatch(1);
        // All of the items fit into the queue, and not into what the system holds of a connection.
        Limits limits = Limits.DEFAULT.withWriteTimeout(Duration.ofSeconds(10)).withMaxQueuedAnswers(100_000_000);
        try (Server server = serve(limits, a -> IntStream.range(1_000_000, 1_000_000 + count).boxed().peek(i -> {
            if (i == 1_000_000 + count - 1) {
                made.countDown();
                try {
                    release.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }
        }).onClose(closed::countDown), a -> 0); Socket socket = new Socket()) {
            socket.setReceiveBufferSize(4_096);
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), server.httpPort()));
            socket.setSoTimeout(60_000);
            socket.getOutputStream().write(json("count", "", "{\"n\":0}").getBytes(StandardCharsets.UTF_8));
            assertTrue(made.await(120, TimeUnit.SECONDS));
            Thread.sleep(11_000);
            release.countDown();
            assertTrue(closed.await(60, TimeUnit.SECONDS));
            // Several looks.
            Thread.sleep(500);
            assertTrue(until(socket, "0\r\n\r\n").contains("{\"item\":" + (1_000_000 + count - 1) + "}\n"));
        }
    }

    @Test
    void theDeadlineIsTheLastLine() throws Exception {
        CountDownLatch never = new CountDownLatch(1);
        try (Server server = serve(a -> Stream.iterate(0, i -> {
            try {
                never.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return i + 1;
        }), a -> 0)) {
            // A slow machine needs more time until the first item.
            String late = "";
            for (int time = 200; !late.contains("{\"item\":0}") && time < 60_000; time *= 2) {
                late = exchange(server, json("count", "Creo-Timeout: " + time + "\r\n", "{\"n\":0}"), "0\r\n\r\n");
            }
            assertTrue(late.contains("{\"item\":0}") && late.contains("{\"error\":{\"type\":\"urn:creo:error:deadline-exceeded\""), late);
            try (Channel channel = open(server)) {
                List<Integer> read = new ArrayList<>();
                for (int time = 200; read.isEmpty() && time < 60_000; time *= 2) {
                    CallOptions brief = CallOptions.NONE.withDeadline(Duration.ofMillis(time));
                    error(ErrorCode.DEADLINE_EXCEEDED, () -> Items.await(channel.stream(COUNT, new Args(0, null), brief)).forEach(read::add));
                }
                assertEquals(List.of(0), read);
            }
        }
    }

    /** Answers one call with bytes, and closes the connection. */
    private static void answers(String answer, ErrorCode code, int items) throws Exception {
        try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                Channel channel = JsonChannel.open("http://127.0.0.1:" + listener.getLocalPort() + "/Calls", ClientOptions.DEFAULT)) {
            Thread peer = new Thread(() -> {
                try (Socket socket = listener.accept()) {
                    Http.readRequest(socket.getInputStream());
                    socket.getOutputStream().write(answer.getBytes(StandardCharsets.UTF_8));
                    socket.shutdownOutput();
                    socket.getInputStream().transferTo(java.io.OutputStream.nullOutputStream());
                } catch (IOException e) {
                    // The client has closed the connection.
                }
            });
            peer.start();
            Iterator<Integer> each = Items.await(channel.stream(COUNT, new Args(0, null), CallOptions.NONE)).iterator();
            for (int i = 0; i < items; i++) {
                assertEquals(i, each.next());
            }
            if (code == null) {
                assertFalse(each.hasNext());
            } else {
                error(code, each::hasNext);
            }
            peer.join();
        }
    }

    @Test
    void answersThatAreNoStreamEndTheCall() throws Exception {
        String head = "HTTP/1.1 200 OK\r\nContent-Type: application/x-ndjson\r\n\r\n";
        answers(head + "{\"item\":0}\n{\"item\":1}\n{\"end\":true}\n", null, 2);
        answers(head + "{\"item\":0}\n{\"end\":true}\nrubbish", null, 1);
        answers(head + "{\"item\":0}\n", ErrorCode.UNAVAILABLE, 1);
        answers(head + "{\"item\":0}\n{\"item\":1", ErrorCode.UNAVAILABLE, 1);
        answers(head + "{\"item\":0}\n{\"it\":1}\n", ErrorCode.MALFORMED, 1);
        answers(head + "{\"item\":0}\n{\"item\":true}\n", ErrorCode.MALFORMED, 1);
        answers(head + "{\"error\":{\"type\":\"urn:creo:error:overloaded\",\"title\":\"overloaded\",\"status\":503,\"detail\":\"full\"}}\n", ErrorCode.OVERLOADED, 0);
        answers(head + "{\"error\":{}}\n", ErrorCode.PROTOCOL_MISMATCH, 0);
        answers("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 1\r\n\r\n0", ErrorCode.PROTOCOL_MISMATCH, 0);
        answers("HTTP/1.1 200 OK\r\nContent-Type: application/x-ndjson\r\nTransfer-Encoding: chunked\r\n\r\nb\r\n{\"item\":0}\n\r\n", ErrorCode.UNAVAILABLE, 1);
    }

    @Test
    void otherWiresRefuse() throws Exception {
        try (Server server = serve()) {
            String url = "http://127.0.0.1:" + server.httpPort() + "/Calls";
            for (Channel channel : List.of(SoapChannel.open(url, ClientOptions.DEFAULT), TdxmlChannel.open(url, ClientOptions.DEFAULT))) {
                error(ErrorCode.UNKNOWN_METHOD, () -> Items.await(channel.stream(COUNT, new Args(0, null), CallOptions.NONE)));
                channel.close();
            }
            try (Channel channel = open(server)) {
                assertTrue(error(ErrorCode.UNKNOWN_METHOD, () -> Items.await(channel.stream(StreamCalls.TALK, new Args(0, to(1)), CallOptions.NONE))).reason().contains("over TCP"));
            }
        }
    }
}
