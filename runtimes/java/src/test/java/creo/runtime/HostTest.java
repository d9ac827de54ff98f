package creo.runtime;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import creo.runtime.codegen.Codec;
import creo.runtime.codegen.Reader;
import creo.runtime.codegen.ServiceMethod;
import creo.runtime.codegen.Writer;
import creo.runtime.internal.host.HostConnections;
import creo.runtime.internal.host.Pace;
import creo.runtime.internal.tcp.TcpFrames;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What one client does must not hold up another: answers that are not read, slow methods, calls and memory beyond its share. */
@Timeout(value = 300, unit = TimeUnit.SECONDS)
class HostTest {
    private static final ServiceMethod<Integer, byte[]> BLOB =
        ServiceMethod.of(Calls.INTERFACE, "blob", 60, Codec.of(Writer::writeInt, Reader::readInt), Codec.of(Writer::writeBytes, Reader::readBytes));

    private static Endpoint endpoint() {
        return Endpoint.builder(Calls.INTERFACE).wires(Calls.WIRES).method(Calls.SAY, text -> text).method(BLOB, byte[]::new).method(Calls.SLEEP, n -> {
            Thread.sleep(n);
            return n;
        }).build();
    }

    private static void serves(Server server, int times) throws Exception {
        try (Channel channel = TcpChannel.open("127.0.0.1", server.port(), ClientOptions.DEFAULT.withLimits(Limits.DEFAULT.withDeadline(Duration.ofSeconds(20))))) {
            for (int i = 0; i < times; i++) {
                assertEquals("hi" + i, channel.call(Calls.SAY, "hi" + i, CallOptions.NONE));
            }
        }
    }

    /** A client that takes in next to nothing. */
    private static Socket small(int port) throws Exception {
        Socket socket = new Socket();
        socket.setReceiveBufferSize(4_096);
        socket.connect(new java.net.InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        return socket;
    }

    private static byte[] hex(String text) {
        return HexFormat.of().parseHex(text.replace(" ", ""));
    }

    @Test
    void answersThatAreNotReadHoldNobodyUp() throws Exception {
        Limits limits = Limits.DEFAULT.withMaxConcurrency(8).withWriteTimeout(Duration.ofMinutes(2));
        try (Server server = Server.builder().limits(limits).add(endpoint()).start(); Socket deaf = small(server.port())) {
            StringBuilder calls = new StringBuilder(Raw.PREAMBLE);
            for (int i = 1; i <= 64; i++) {
                calls.append(Raw.request(0, i, 60, 0, String.format("%08x", 3_000_000)));
            }
            deaf.getOutputStream().write(hex(calls.toString()));
            serves(server, 200);
            // It has been waited for meanwhile, and is served when it reads: in turns, since its queue is bounded.
            Raw reader = new Raw(deaf);
            reader.preamble();
            long bytes = 0;
            for (int done = 0; done < 64;) {
                Raw.Frame frame = reader.next();
                bytes += frame.body().length;
                done += (frame.flags() & TcpFrames.MORE) == 0 ? 1 : 0;
            }
            assertTrue(bytes >= 64L * 3_000_000, "only " + bytes + " bytes came");
        }
    }

    /** Makes a oneway call, and waits for its acknowledgement. A host reads a long text on another thread than a short one. */
    private static void note(Server server, String headers, int length) throws IOException {
        String body = "{\"text\":\"" + "x".repeat(length) + "\"}";
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.httpPort())) {
            socket.setSoTimeout(100_000);
            socket.getOutputStream().write(("POST /Calls/note HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: " + body.length() + "\r\n" + headers + "\r\n"
                + body).getBytes(StandardCharsets.UTF_8));
            String head = Http.readHead(socket.getInputStream());
            assertTrue(head.startsWith("HTTP/1.1 202"), head);
        }
    }

    private static Endpoint noting(Runnable note) {
        return Calls.endpoint(new Calls.Service() {
            @Override
            public String say(String text) {
                return text;
            }

            @Override
            public void note(String text) {
                note.run();
            }
        });
    }

    /** HTTP-7, CALL-15: the acknowledgement is not the end of a oneway call. */
    @ParameterizedTest
    @ValueSource(ints = {1, 200_000})
    void aOnewayCallOverHttpHasADeadline(int length) throws Exception {
        CountDownLatch never = new CountDownLatch(1);
        CountDownLatch interrupted = new CountDownLatch(1);
        try (Server server = Server.builder().add(noting(() -> {
            try {
                never.await();
            } catch (InterruptedException e) {
                interrupted.countDown();
            }
        })).start()) {
            note(server, "Creo-Timeout: 3000\r\n", length);
            assertTrue(interrupted.await(100, TimeUnit.SECONDS));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 200_000})
    void aServerThatIsClosedWaitsForOnewayCallsOverHttp(int length) throws Exception {
        CountDownLatch closes = new CountDownLatch(1);
        AtomicBoolean done = new AtomicBoolean();
        Limits limits = Limits.DEFAULT.withDrainTime(Duration.ofSeconds(200));
        try (Server server = Server.builder().limits(limits).add(noting(() -> {
            try {
                closes.await();
                Thread.sleep(500);
                done.set(true);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        })).start()) {
            note(server, "", length);
            closes.countDown();
        }
        assertTrue(done.get());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 200_000})
    void aServerThatIsClosedGivesUpOnewayCallsOverHttpInTheEnd(int length) throws Exception {
        CountDownLatch never = new CountDownLatch(1);
        CountDownLatch interrupted = new CountDownLatch(1);
        try (Server server = Server.builder().limits(Limits.DEFAULT.withDrainTime(Duration.ofMillis(300))).add(noting(() -> {
            try {
                never.await();
            } catch (InterruptedException e) {
                interrupted.countDown();
            }
        })).start()) {
            note(server, "", length);
        }
        assertTrue(interrupted.await(100, TimeUnit.SECONDS));
    }

    @Test
    void aPeerThatReadsNothingIsClosed() throws Exception {
        Limits limits = Limits.DEFAULT.withWriteTimeout(Duration.ofMillis(300)).withMaxConnectionsPerAddress(1);
        byte[] blob = hex(Raw.PREAMBLE + Raw.request(0, 1, 60, 0, String.format("%08x", 60_000_000)));
        byte[] pipelined = "GET /none HTTP/1.1\r\nHost: x\r\n\r\n".repeat(200_000).getBytes(StandardCharsets.US_ASCII);
        try (Server server = Server.builder().limits(limits).add(endpoint()).start()) {
            for (byte[] first : List.of(blob, pipelined)) {
                try (Socket deaf = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
                    Thread writer = new Thread(() -> write(deaf, first));
                    writer.start();
                    // The only connection that may be there gives its place back when it is closed.
                    Waiting.until(() -> serves(server));
                    writer.join();
                }
            }
        }
    }

    private static void write(Socket socket, byte[] bytes) {
        try {
            socket.getOutputStream().write(bytes);
        } catch (java.io.IOException closed) {
            // As it should be: the peer does not read.
        }
    }

    /** Whether the server takes one more connection. */
    private static boolean serves(Server server) throws Exception {
        try (Raw raw = new Raw(server.port())) {
            raw.send(Raw.PREAMBLE + Raw.request(0, 1, 1, 0, Raw.text("hi")));
            raw.preamble();
            return raw.next().kind() == TcpFrames.RESPONSE;
        } catch (java.io.IOException refused) {
            return false;
        }
    }

    @Test
    void slowMethodsDoNotKeepTheLoops() throws Exception {
        try (Server server = Server.builder().add(endpoint()).start()) {
            List<Raw> sleepers = new ArrayList<>();
            for (int i = 0; i < 12; i++) {
                sleepers.add(new Raw(server.port()).send(Raw.PREAMBLE + Raw.request(0, 1, 3, 0, "00007530")));
            }
            serves(server, 100);
            for (Raw each : sleepers) {
                // Its loop continues reading: a ping is answered while the method runs.
                each.send(Raw.frame(TcpFrames.PING, 0, 7, ""));
                each.preamble();
                assertEquals(TcpFrames.PONG, each.next().kind());
                each.close();
            }
        }
    }

    @Test
    void oneConnectionHasItsShare() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        Endpoint endpoint = Endpoint.builder(Calls.INTERFACE).wires(Calls.WIRES).method(Calls.SAY, text -> {
            if (text.equals("wait")) {
                go.await();
            }
            return text;
        }).build();
        Limits limits = Limits.DEFAULT.withMaxConcurrency(8).withMaxRunningPerConnection(2).withMaxQueuePerConnection(3);
        try (Server server = Server.builder().limits(limits).add(endpoint).start(); Raw greedy = new Raw(server.port())) {
            StringBuilder calls = new StringBuilder(Raw.PREAMBLE);
            for (int i = 1; i <= 10; i++) {
                calls.append(Raw.request(0, i, 1, 0, Raw.text("wait")));
            }
            greedy.send(calls.toString());
            greedy.preamble();
            Map<Integer, Raw.Frame> refused = greedy.next(5);
            for (int i = 6; i <= 10; i++) {
                assertEquals(ErrorCode.OVERLOADED, refused.get(i).code(), "call " + i);
            }
            try (Raw modest = new Raw(server.port())) {
                modest.send(Raw.PREAMBLE + Raw.request(0, 1, 1, 0, Raw.text("hi")));
                modest.preamble();
                assertArrayEquals(new byte[] {2, 'h', 'i'}, modest.next().body());
            }
            go.countDown();
            assertEquals(5, greedy.next(5).size());
        }
    }

    @Test
    void waitingCallsTakeTurnsByConnection() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        List<String> order = java.util.Collections.synchronizedList(new ArrayList<>());
        Endpoint endpoint = Endpoint.builder(Calls.INTERFACE).wires(Calls.WIRES).method(Calls.SAY, text -> {
            if (text.equals("first")) {
                go.await();
            } else {
                order.add(text);
            }
            return text;
        }).build();
        try (Server server = Server.builder().limits(Limits.DEFAULT.withMaxConcurrency(1)).add(endpoint).start();
                Raw one = new Raw(server.port()); Raw other = new Raw(server.port())) {
            one.send(Raw.PREAMBLE + Raw.request(0, 1, 1, 0, Raw.text("first")) + Raw.request(0, 2, 1, 0, Raw.text("a")) + Raw.request(0, 3, 1, 0, Raw.text("a"))
                + Raw.request(0, 4, 1, 0, Raw.text("a")) + Raw.frame(TcpFrames.PING, 0, 9, ""));
            one.preamble();
            // All of them have been read when the ping is answered.
            assertEquals(TcpFrames.PONG, one.next().kind());
            other.send(Raw.PREAMBLE + Raw.request(0, 1, 1, 0, Raw.text("b")) + Raw.frame(TcpFrames.PING, 0, 9, ""));
            other.preamble();
            assertEquals(TcpFrames.PONG, other.next().kind());
            go.countDown();
            other.next();
            one.next(4);
            assertTrue(order.indexOf("b") <= 1, "the other connection waited for all of the first: " + order);
        }
    }

    @Test
    void whatFindsNoRoomIsOverloaded() throws Exception {
        Limits limits = Limits.DEFAULT.withMemoryBudget(4_000_000).withFrameTimeout(Duration.ofSeconds(60));
        try (Server server = Server.builder().limits(limits).add(endpoint()).start(); Socket deaf = small(server.port())) {
            StringBuilder calls = new StringBuilder(Raw.PREAMBLE);
            for (int i = 1; i <= 4; i++) {
                calls.append(Raw.request(0, i, 60, 0, String.format("%08x", 8_000_000)));
            }
            deaf.getOutputStream().write(hex(calls.toString()));
            Raw reader = new Raw(deaf);
            serves(server, 50);
            reader.preamble();
            boolean refused = false;
            for (int done = 0; done < 4;) {
                Raw.Frame frame = reader.next();
                done += frame.kind() != TcpFrames.CANCEL && (frame.flags() & TcpFrames.MORE) == 0 ? 1 : 0;
                refused |= frame.kind() == TcpFrames.ERROR && frame.code() == ErrorCode.OVERLOADED;
            }
            assertTrue(refused, "four times the budget was sent");
            serves(server, 10);
        }
    }

    /** A waiting piece of an answer keeps its whole array, which counts; a refused one keeps nothing. */
    @Test
    void answersThatWaitHoldNoMoreThanTheBudget() throws Exception {
        int size = 16_000_000;
        List<WeakReference<byte[]>> results = Collections.synchronizedList(new ArrayList<>());
        CountDownLatch returned = new CountDownLatch(12);
        Endpoint wide = Endpoint.builder(Calls.INTERFACE).wires(Calls.WIRES).method(Calls.SAY, text -> text).method(BLOB, n -> {
            byte[] result = new byte[n];
            results.add(new WeakReference<>(result));
            returned.countDown();
            return result;
        }).build();
        try (Server server = Server.builder().limits(Limits.DEFAULT.withMemoryBudget(2L * size)).add(wide).start()) {
            List<Socket> deaf = new ArrayList<>();
            for (int i = 0; i < 12; i++) {
                deaf.add(small(server.port()));
                deaf.get(i).getOutputStream().write(hex(Raw.PREAMBLE + Raw.request(0, 1, 60, 0, String.format("%08x", size))));
            }
            assertTrue(returned.await(60, TimeUnit.SECONDS));
            long held = 12;
            // One more may be in the process of being written when the others are refused.
            for (int look = 0; look < 200 && held > 3; look++) {
                System.gc();
                serves(server, 1);
                held = results.stream().filter(each -> each.get() != null).count();
            }
            assertTrue(held <= 3, held + " results of 16 MB are held, where the budget has room for two");
            for (Socket each : deaf) {
                each.close();
            }
        }
    }

    @Test
    void memoryIsReturnedWhenACallEnds() throws Exception {
        Limits limits = Limits.DEFAULT.withMemoryBudget(8_000_000);
        byte[] data = new byte[600_000];
        try (Server server = Server.builder().limits(limits).add(Calls.endpoint(text -> {
            throw new IllegalStateException("as asked");
        })).start()) {
            for (Channel each : List.of(TcpChannel.open("127.0.0.1", server.port(), ClientOptions.DEFAULT),
                TcpChannel.open("127.0.0.1", server.port(), ClientOptions.DEFAULT.withCompression()),
                TdxmlChannel.tcp("127.0.0.1", server.port(), ClientOptions.DEFAULT),
                SoapChannel.open("http://127.0.0.1:" + server.port() + "/Calls", ClientOptions.DEFAULT.withCompression()))) {
                try (Channel channel = each) {
                    for (int i = 0; i < 40; i++) {
                        assertArrayEquals(data, channel.call(Calls.ECHO, data, CallOptions.NONE));
                        CallsTest.error(ErrorCode.INTERNAL, () -> channel.call(Calls.SAY, "x".repeat(300_000), CallOptions.NONE));
                    }
                }
            }
            for (int i = 0; i < 40; i++) {
                // Refused while it is decoded, in a method that is not there, and by its last byte.
                String json = "{\"text\":\"" + "x".repeat(400_000);
                assertTrue(Http.post(server.port(), "/Calls/say", "Content-Type: application/json\r\n", json).startsWith("HTTP/1.1 400 "));
                assertTrue(Http.post(server.port(), "/Calls/none", "Content-Type: application/json\r\n", json).startsWith("HTTP/1.1 404 "));
                try (Raw raw = new Raw(server.port())) {
                    raw.send(Raw.PREAMBLE + Raw.request(0, 1, 2, 0, "a08d06" + "00".repeat(100_001)));
                    raw.preamble();
                    assertEquals(ErrorCode.MALFORMED, raw.next().code());
                }
            }
            try (Channel channel = Calls.connect(server)) {
                assertArrayEquals(data, channel.call(Calls.ECHO, data, CallOptions.NONE));
            }
        }
    }

    @Test
    void idleConnectionsHaveNoThread() throws Exception {
        try (Server server = Server.builder().add(endpoint()).start()) {
            serves(server, 10);
            List<Raw> idle = new ArrayList<>();
            int before = Thread.activeCount();
            for (int i = 0; i < 200; i++) {
                idle.add(new Raw(server.port()).send(Raw.PREAMBLE));
                idle.get(i).preamble();
            }
            assertTrue(Thread.activeCount() < before + 20, "threads went from " + before + " to " + Thread.activeCount());
            serves(server, 10);
            for (Raw each : idle) {
                each.close();
            }
        }
    }

    @Test
    void aMethodIsJudgedByItsLastCalls() {
        Pace pace = new Pace();
        assertFalse(pace.isShort() || pace.isLong());
        for (int i = 0; i < 16; i++) {
            pace.ran(1_000);
        }
        assertTrue(pace.isShort() && !pace.isLong());
        pace.ran(5_000_000);
        assertTrue(!pace.isShort() && pace.isLong());
        pace.ran(1_000);
        assertFalse(pace.isLong(), "one hiccup does not make a method long");
        pace.ran(5_000_000);
        pace.ran(5_000_000);
        pace.ran(1_000);
        assertTrue(pace.isLong());
    }

    /** One machine has a whole network of IPv6. */
    @Test
    void addressesOfOneNetworkCountAsOne() throws Exception {
        InetAddress first = InetAddress.getByName("2001:db8:0:1::1");
        assertEquals(HostConnections.network(first), HostConnections.network(InetAddress.getByName("2001:db8:0:1:ffff:ffff:ffff:ffff")));
        assertNotEquals(HostConnections.network(first), HostConnections.network(InetAddress.getByName("2001:db8:0:2::1")));
        assertNotEquals(HostConnections.network(InetAddress.getByName("::1")), HostConnections.network(InetAddress.getByName("::2")));
        assertNotEquals(HostConnections.network(InetAddress.getByName("192.0.2.1")), HostConnections.network(InetAddress.getByName("192.0.2.2")));
    }
}
