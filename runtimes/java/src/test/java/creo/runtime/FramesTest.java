package creo.runtime;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import creo.runtime.codegen.Bytes;
import creo.runtime.codegen.Codec;
import creo.runtime.codegen.Layout;
import creo.runtime.codegen.Reader;
import creo.runtime.codegen.ServiceMethod;
import creo.runtime.codegen.Writer;
import creo.runtime.internal.call.Errors;
import creo.runtime.internal.tcp.TcpFrames;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A server's reaction to frames, by {@code spec/transports/tcp.md}. */
@Timeout(value = 300, unit = TimeUnit.SECONDS)
class FramesTest {
    private Server server;

    @BeforeEach
    void start() {
        server = Calls.serve(text -> "you said " + text);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private Raw connect() throws IOException {
        return new Raw(server.port());
    }

    /** Whatever happened to a connection, others are served. */
    private void stillServes() throws Exception {
        try (Channel channel = Calls.connect(server)) {
            assertEquals("you said hi", channel.call(Calls.SAY, "hi", CallOptions.NONE));
        }
    }

    @Test
    void aRequestIsAnsweredOnce() throws Exception {
        try (Raw raw = connect()) {
            raw.send(Raw.PREAMBLE + Raw.request(0, 5, 1, 0, Raw.text("hi")));
            raw.preamble();
            Raw.Frame frame = raw.next();
            assertEquals(TcpFrames.RESPONSE, frame.kind());
            assertEquals(5, frame.id());
            assertEquals("you said hi", new Reader(frame.body()).readString());
        }
    }

    @Test
    void bytesMayComeOneByOne() throws Exception {
        try (Raw raw = connect()) {
            String hex = (Raw.PREAMBLE + Raw.request(TcpFrames.MORE, 1, 1, 0, "06") + Raw.frame(TcpFrames.DATA, TcpFrames.MORE, 1, "616263")
                + Raw.frame(TcpFrames.PING, 0, 77, "") + Raw.frame(TcpFrames.DATA, TcpFrames.MORE, 1, "") + Raw.frame(TcpFrames.DATA, 0, 1, "646566")).replace(" ", "");
            for (int i = 0; i < hex.length(); i += 2) {
                raw.send(hex.substring(i, i + 2));
            }
            raw.preamble();
            Raw.Frame pong = raw.next();
            assertEquals(TcpFrames.PONG, pong.kind());
            assertEquals(77, pong.id());
            assertEquals("you said abcdef", new Reader(raw.next().body()).readString());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "00000006 00 00 00000001", "00000006 0a 00 00000001", "00000005 06 00 00000001", "00000007 07 00 00000001 00", "00000006 07 01 00000001",
        "00000006 01 00 00000001", "00000012 01 08 00000001 0000000000000001 00000000", "00000006 05 00 00000001", "00000006 02 00 00000001",
        "00000006 09 00 00000000", "00000013 01 00 00000000 0000000000000001 00000000 00", "ffffffff 01 00 00000001", "00000000 01 00 00000001"})
    void lostBoundariesAreReportedAndTheConnectionClosed(String frame) throws Exception {
        try (Raw raw = connect()) {
            raw.send(Raw.PREAMBLE + frame);
            raw.preamble();
            Raw.Frame error = raw.next();
            assertEquals(TcpFrames.ERROR, error.kind());
            assertEquals(0, error.id());
            assertEquals(ErrorCode.MALFORMED, error.code());
            assertEquals(0, raw.rest().length);
        }
        stillServes();
    }

    @Test
    void aMalformedBodyEndsItsCallAlone() throws Exception {
        try (Raw raw = connect()) {
            raw.send(Raw.PREAMBLE + Raw.request(0, 1, 1, 0, "05 61") + Raw.request(0, 2, 1, 0, Raw.text("hi") + "00") + Raw.request(0, 3, 1, 0, "01ff")
                + Raw.request(0, 4, 1, 0, Raw.text("ok")));
            raw.preamble();
            Map<Integer, Raw.Frame> answers = raw.next(4);
            for (int id = 1; id <= 3; id++) {
                assertEquals(TcpFrames.ERROR, answers.get(id).kind());
                assertEquals(ErrorCode.MALFORMED, answers.get(id).code());
            }
            assertEquals("you said ok", new Reader(answers.get(4).body()).readString());
        }
    }

    /** BIN-15: the place of a block that ends too early is the same, however its bytes came. */
    @Test
    void aBlockThatEndsTooEarlyIsPlacedHoweverItCame() throws Exception {
        Layout layout = Layout.of("a", 4, "b", 8, "c", 2);
        Codec<Integer> block = Codec.of((w, v) -> w.writeInt(v), r -> Bytes.getInt(r.buffer(), r.require(14, layout)));
        ServiceMethod<Integer, Integer> method = ServiceMethod.of(Calls.INTERFACE, "block", 60, block, block);
        java.util.zip.Deflater deflater = new java.util.zip.Deflater();
        deflater.setInput(new byte[9]);
        deflater.finish();
        byte[] out = new byte[100];
        String compressed = java.util.HexFormat.of().formatHex(out, 0, deflater.deflate(out));
        try (Server blocks = Server.builder().add(Endpoint.builder(Calls.INTERFACE).wires(Calls.WIRES).method(method, v -> v).build()).start()) {
            String whole = Raw.request(0, 1, 60, 0, "00".repeat(9));
            String chain = Raw.request(TcpFrames.MORE, 1, 60, 0, "00".repeat(3)) + Raw.frame(TcpFrames.DATA, TcpFrames.MORE, 1, "00".repeat(4));
            List<List<String>> ways = List.of(List.of(whole), List.of(whole.substring(0, whole.length() - 12), whole.substring(whole.length() - 12)),
                List.of(chain + Raw.frame(TcpFrames.DATA, 0, 1, "00".repeat(2))), List.of(chain, Raw.frame(TcpFrames.DATA, 0, 1, "00".repeat(2))),
                List.of(chain + Raw.frame(TcpFrames.DATA, TcpFrames.MORE, 1, "00".repeat(2)), Raw.frame(TcpFrames.DATA, 0, 1, "")),
                List.of(Raw.request(TcpFrames.COMPRESSED, 1, 60, 0, compressed)));
            for (List<String> way : ways) {
                try (Raw raw = new Raw(blocks.port())) {
                    raw.send(Raw.PREAMBLE);
                    for (String part : way) {
                        raw.send(part);
                        Thread.sleep(50);
                    }
                    raw.preamble();
                    CreoException e = Errors.decode(new Reader(raw.next().body()), "test");
                    assertEquals(ErrorCode.MALFORMED, e.code());
                    assertTrue(e.details().get("place").endsWith("b"), e.details() + " of " + way);
                    assertEquals("4", e.details().get("offset"), e.details() + " of " + way);
                }
            }
        }
    }

    @Test
    void anyNumberOfPingsMayStandWithinAChain() throws Exception {
        try (Raw raw = connect()) {
            raw.send(Raw.PREAMBLE + Raw.request(TcpFrames.MORE, 1, 3, 0, "00"));
            raw.send(Raw.frame(TcpFrames.PING, 0, 9, "").repeat(2_000));
            raw.send(Raw.frame(TcpFrames.DATA, 0, 1, "000001"));
            raw.preamble();
            for (int i = 0; i < 2_000; i++) {
                assertEquals(TcpFrames.PONG, raw.next().kind());
            }
            assertArrayEquals(new byte[] {0, 0, 0, 1}, raw.next().body());
        }
    }

    /** TCP-14, LIM-31: while the peer does not read, only its last ping is kept. */
    @Test
    void pingsWithinAChainMakeNoEndlessQueue() throws Exception {
        int pings = 2_000_000;
        Limits limits = Limits.DEFAULT.withMaxQueuedAnswers(10_000).withWriteTimeout(Duration.ofSeconds(200));
        try (Server small = Server.builder().limits(limits).add(Calls.endpoint(text -> text)).start(); Raw raw = new Raw(small.port())) {
            raw.send(Raw.PREAMBLE + Raw.request(TcpFrames.MORE, 1, 3, 0, "00"));
            byte[] some = java.util.HexFormat.of().parseHex(Raw.frame(TcpFrames.PING, 0, 9, "").repeat(10_000));
            for (int i = 0; i < pings; i += 10_000) {
                raw.send(some);
            }
            raw.send(Raw.frame(TcpFrames.PING, 0, 10, "") + Raw.frame(TcpFrames.DATA, 0, 1, "000001"));
            raw.preamble();
            int pongs = 0;
            int last = 0;
            boolean answered = false;
            while (last != 10 || !answered) {
                Raw.Frame frame = raw.next();
                if (frame.kind() == TcpFrames.PONG) {
                    pongs++;
                    last = frame.id();
                } else {
                    assertArrayEquals(new byte[] {0, 0, 0, 1}, frame.body());
                    answered = true;
                }
            }
            assertTrue(pongs < pings / 2, pongs + " pongs");
        }
    }

    @Test
    void anIdIsFreeFromItsAnswerOn() throws Exception {
        try (Raw raw = connect()) {
            raw.send(Raw.PREAMBLE);
            for (int i = 0; i < 30; i++) {
                raw.send(Raw.request(0, 1, 3, 0, "00000005"));
                if (i == 0) {
                    raw.preamble();
                }
                assertEquals(TcpFrames.RESPONSE, raw.next().kind());
            }
        }
    }

    @Test
    void aMethodIsNotStartedAfterItsDeadline() throws Exception {
        try (Raw raw = connect()) {
            raw.send(Raw.PREAMBLE + Raw.request(TcpFrames.MORE, 1, 1, 20, "02 61"));
            Thread.sleep(100);
            raw.send(Raw.frame(TcpFrames.DATA, 0, 1, "62"));
            raw.preamble();
            assertEquals(ErrorCode.DEADLINE_EXCEEDED, raw.next().code());
        }
    }

    @Test
    void aChainMayBeCancelled() throws Exception {
        try (Raw raw = connect()) {
            raw.send(Raw.PREAMBLE + Raw.request(TcpFrames.MORE, 1, 1, 0, "7f 61") + Raw.frame(TcpFrames.CANCEL, 0, 1, "") + Raw.request(0, 2, 1, 0, Raw.text("ok")));
            raw.preamble();
            Raw.Frame error = raw.next();
            assertEquals(1, error.id());
            assertEquals(ErrorCode.CANCELLED, error.code());
            assertEquals("you said ok", new Reader(raw.next().body()).readString());
        }
    }

    @Test
    void anIdUnderWayMayNotBeUsedAgain() throws Exception {
        try (Raw raw = connect()) {
            raw.send(Raw.PREAMBLE + Raw.request(0, 1, 3, 0, "00001388") + Raw.request(0, 1, 3, 0, "00001388"));
            raw.preamble();
            assertEquals(0, raw.next().id());
        }
        stillServes();
    }

    @Test
    void pingsAndFurtherCallsAreServedWhileAMethodRuns() throws Exception {
        try (Raw raw = connect()) {
            raw.send(Raw.PREAMBLE + Raw.request(0, 1, 3, 0, "00000bb8"));
            raw.send(Raw.frame(TcpFrames.PING, 0, 9, ""));
            raw.preamble();
            assertEquals(TcpFrames.PONG, raw.next().kind());
            raw.send(Raw.request(0, 2, 1, 0, Raw.text("hi")));
            assertEquals(2, raw.next().id());
            raw.send(Raw.frame(TcpFrames.CANCEL, 0, 1, ""));
            Raw.Frame cancelled = raw.next();
            assertEquals(1, cancelled.id());
            assertEquals(ErrorCode.CANCELLED, cancelled.code());
        }
    }

    @Test
    void theServerKeepsTheDeadline() throws Exception {
        try (Raw raw = connect()) {
            raw.send(Raw.PREAMBLE + Raw.request(0, 1, 3, 50, "00002710"));
            raw.preamble();
            assertEquals(ErrorCode.DEADLINE_EXCEEDED, raw.next().code());
        }
    }

    @Test
    void aMethodIsInterruptedWhenItsConnectionEnds() throws Exception {
        CountDownLatch running = new CountDownLatch(1);
        CountDownLatch interrupted = new CountDownLatch(1);
        try (Server slow = Calls.serve(text -> {
            running.countDown();
            try {
                Thread.sleep(30_000);
            } catch (InterruptedException e) {
                interrupted.countDown();
            }
            return text;
        })) {
            try (Raw raw = new Raw(slow.port())) {
                raw.send(Raw.PREAMBLE + Raw.request(0, 1, 1, 0, Raw.text("hi")));
                assertTrue(running.await(60, TimeUnit.SECONDS));
            }
            assertTrue(interrupted.await(60, TimeUnit.SECONDS));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET / HTTP/1.1\r\nHost: x\r\n\r\n", "POST /Echo/add HTTP/1.1\r\n\r\n", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"})
    void anHttpRequestIsAnsweredInItsOwnProtocol(String request) throws Exception {
        try (Server alone = Server.builder().tcp("127.0.0.1", 0).add(Calls.endpoint(text -> text)).start(); Raw raw = new Raw(alone.port())) {
            raw.send(request.getBytes(StandardCharsets.US_ASCII));
            raw.endOutput();
            String answer = new String(raw.rest(), StandardCharsets.US_ASCII);
            assertTrue(answer.startsWith("HTTP/1.1 400 "), answer);
            assertTrue(answer.contains("binary wire of Creo"), answer);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"160301 00c8 0100", "15030300020246", "4352454f 02 00 0000", "00000000 00000000", "43524546"})
    void otherProtocolsAreClosed(String hex) throws Exception {
        try (Server alone = Server.builder().tcp("127.0.0.1", 0).add(Calls.endpoint(text -> text)).start(); Raw raw = new Raw(alone.port())) {
            raw.send(hex);
            assertEquals(0, raw.rest().length);
        }
    }

    @Test
    void metadataFollowsItsRules() throws Exception {
        try (Raw raw = connect()) {
            String good = "01" + Raw.text("x-test") + Raw.text("v");
            String twice = "02" + Raw.text("a") + Raw.text("1") + Raw.text("a") + Raw.text("2");
            String upper = "01" + Raw.text("Key") + Raw.text("1");
            String many = "41" + "0161 00".repeat(65);
            String large = "01 0161 ffff01" + "61".repeat(32_767);
            raw.send(Raw.PREAMBLE);
            int id = 0;
            for (String metadata : new String[] {good, twice, upper, many, large}) {
                raw.send(Raw.request(TcpFrames.METADATA, ++id, 1, 0, metadata + Raw.text("hi")));
            }
            raw.preamble();
            Map<Integer, Raw.Frame> answers = raw.next(5);
            assertEquals(TcpFrames.RESPONSE, answers.get(1).kind());
            assertEquals(ErrorCode.MALFORMED, answers.get(2).code());
            assertEquals(ErrorCode.MALFORMED, answers.get(3).code());
            assertEquals(ErrorCode.TOO_LARGE, answers.get(4).code());
            assertEquals(ErrorCode.TOO_LARGE, answers.get(5).code());
        }
    }

    @Test
    void aBodyMayBeCompressed() throws Exception {
        Writer w = new Writer();
        w.writeString("hi ".repeat(30));
        byte[] body = w.toBytes();
        java.util.zip.Deflater deflater = new java.util.zip.Deflater();
        deflater.setInput(body);
        deflater.finish();
        byte[] out = new byte[200];
        int n = deflater.deflate(out);
        String compressed = java.util.HexFormat.of().formatHex(out, 0, n);
        try (Raw raw = connect()) {
            raw.send(Raw.PREAMBLE + Raw.request(TcpFrames.COMPRESSED, 1, 1, 0, compressed)
                + Raw.request(TcpFrames.COMPRESSED, 2, 1, 0, compressed + "00")
                + Raw.request(TcpFrames.COMPRESSED, 3, 1, 0, compressed.substring(0, compressed.length() - 8))
                + Raw.request(TcpFrames.COMPRESSED, 4, 1, 0, "00")
                + Raw.request(TcpFrames.COMPRESSED | TcpFrames.MORE, 5, 1, 0, compressed.substring(0, 10)) + Raw.frame(TcpFrames.DATA, 0, 5, compressed.substring(10)));
            raw.preamble();
            Map<Integer, Raw.Frame> answers = raw.next(5);
            assertEquals("you said " + "hi ".repeat(30), new Reader(answers.get(1).body()).readString());
            for (int id = 2; id <= 4; id++) {
                assertEquals(ErrorCode.MALFORMED, answers.get(id).code());
            }
            assertEquals(TcpFrames.RESPONSE, answers.get(5).kind());
        }
    }

    @Test
    void aBodyThatIsTooLargeIsReadAndDropped() throws Exception {
        Limits limits = Limits.DEFAULT.withMaxMessageSize(1_000);
        try (Server small = Server.builder().limits(limits).add(Calls.endpoint(text -> text)).start(); Raw raw = new Raw(small.port())) {
            raw.send(Raw.PREAMBLE + Raw.request(0, 1, 2, 0, "cc08" + "61".repeat(1_100)) + Raw.request(0, 2, 1, 0, Raw.text("ok")));
            raw.preamble();
            assertEquals(ErrorCode.TOO_LARGE, raw.next().code());
            assertEquals("ok", new Reader(raw.next().body()).readString());
            raw.send(Raw.request(0, 3, 2, 0, "cc08" + "61".repeat(2_500)));
            assertEquals(ErrorCode.TOO_LARGE, raw.next().code());
            raw.rest();
        }
    }

    @Test
    void slowPeersAreClosed() throws Exception {
        try (Server strict = server(Limits.DEFAULT.withPreambleTimeout(Duration.ofMillis(200))); Raw silent = new Raw(strict.port())) {
            assertEquals(0, silent.rest().length);
        }
        try (Server strict = server(Limits.DEFAULT.withFrameTimeout(Duration.ofMillis(300)))) {
            try (Raw half = new Raw(strict.port())) {
                half.send(Raw.PREAMBLE + "00000013 01");
                half.preamble();
                assertEquals(0, half.rest().length);
            }
            try (Raw trickle = new Raw(strict.port())) {
                trickle.send(Raw.PREAMBLE + Raw.request(TcpFrames.MORE, 1, 1, 0, "7f"));
                AtomicBoolean closed = new AtomicBoolean();
                for (int i = 0; i < 200 && !closed.get(); i++) {
                    try {
                        trickle.send(Raw.frame(TcpFrames.DATA, TcpFrames.MORE, 1, "61"));
                        Thread.sleep(20);
                    } catch (IOException e) {
                        closed.set(true);
                    }
                }
                assertTrue(closed.get(), "a chain may trickle in for ever");
            }
        }
        try (Server strict = server(Limits.DEFAULT.withIdleTimeout(Duration.ofSeconds(2))); Raw idle = new Raw(strict.port())) {
            idle.send(Raw.PREAMBLE + Raw.request(0, 1, 1, 0, Raw.text("hi")));
            idle.preamble();
            assertArrayEquals(new byte[] {2, 'h', 'i'}, idle.next().body());
            assertEquals(0, idle.rest().length);
        }
    }

    private static Server server(Limits limits) throws IOException {
        return Server.builder().limits(limits).add(Calls.endpoint(text -> text)).start();
    }

    /** Short calls, between which the connection has nothing to do whenever it is looked at. */
    @Test
    void connectionsThatAreUsedAreNotIdle() throws Exception {
        // A machine that stands still for as long makes every connection idle: then it is tried again.
        for (int attempt = 1; !isUsed(Duration.ofMillis(500), attempt == 20); attempt++) {
            Thread.sleep(100);
        }
    }

    /** Uses two connections for longer than they may be idle; false if this program itself made them idle, and may do so. */
    private static boolean isUsed(Duration idle, boolean strictly) throws IOException, InterruptedException {
        long longest = 0;
        long last = System.nanoTime();
        try (Server strict = server(Limits.DEFAULT.withIdleTimeout(idle));
            Raw raw = new Raw(strict.port());
            Socket http = new Socket(InetAddress.getLoopbackAddress(), strict.httpPort())) {
            raw.send(Raw.PREAMBLE);
            raw.preamble();
            long begin = System.nanoTime();
            for (int i = 1; System.nanoTime() - begin < 4 * idle.toNanos(); i++) {
                raw.send(Raw.request(0, i, 1, 0, Raw.text("hi")));
                assertArrayEquals(new byte[] {2, 'h', 'i'}, raw.next().body());
                http.getOutputStream().write("GET /nothing HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
                assertTrue(http.getInputStream().read(new byte[65_536]) > 0, "a connection in use was closed");
                Thread.sleep(1);
                longest = Math.max(longest, System.nanoTime() - last);
                last = System.nanoTime();
            }
            assertEquals(0, raw.rest().length);
            return true;
        } catch (IOException | AssertionError e) {
            if (strictly || Math.max(longest, System.nanoTime() - last) < idle.toNanos() / 2) {
                throw e;
            }
            return false;
        }
    }

    @Test
    void connectionsBeyondTheLimitAreClosed() throws Exception {
        try (Server one = Server.builder().limits(Limits.DEFAULT.withMaxConnections(1)).add(Calls.endpoint(text -> text)).start(); Raw first = new Raw(one.port())) {
            first.send(Raw.PREAMBLE + Raw.request(0, 1, 1, 0, Raw.text("hi")));
            first.preamble();
            first.next();
            try (Raw second = new Raw(one.port())) {
                assertEquals(0, second.rest().length);
            }
        }
    }

    @Test
    void callsBeyondTheLimitOfAConnectionAreRefused() throws Exception {
        try (Server one = Server.builder().limits(Limits.DEFAULT.withMaxCallsPerConnection(1)).add(Calls.endpoint(text -> text)).start(); Raw raw = new Raw(one.port())) {
            raw.send(Raw.PREAMBLE + Raw.request(0, 1, 3, 0, "00000bb8") + Raw.request(0, 2, 1, 0, Raw.text("hi")));
            raw.preamble();
            Raw.Frame refused = raw.next();
            assertEquals(2, refused.id());
            assertEquals(ErrorCode.OVERLOADED, refused.code());
        }
    }

    /** Whatever is sent, the server lives on; a failure names its seed. */
    @Test
    void anyBytesAreSurvived() throws Exception {
        for (int seed = 0; seed < 200; seed++) {
            java.util.Random random = new java.util.Random(seed);
            byte[] bytes = java.util.HexFormat.of().parseHex((Raw.PREAMBLE + Raw.request(0, 1, 2, 0, "05 6162636465") + Raw.request(TcpFrames.MORE, 2, 1, 0, "06 616263")
                + Raw.frame(TcpFrames.DATA, 0, 2, "646566") + Raw.request(TcpFrames.METADATA, 3, 1, 1_000, "01" + Raw.text("a") + Raw.text("b") + Raw.text("c"))).replace(" ", ""));
            for (int changes = 1 + random.nextInt(4); changes > 0; changes--) {
                bytes[8 + random.nextInt(bytes.length - 8)] = (byte) (random.nextInt(3) == 0 ? random.nextInt(256) : random.nextInt(12));
            }
            try (Raw raw = connect()) {
                raw.send(bytes);
                raw.endOutput();
                raw.rest();
            } catch (IOException e) {
                // The server may have closed before all was sent.
            }
            if (seed % 50 == 49) {
                stillServes();
            }
        }
        stillServes();
    }
}
