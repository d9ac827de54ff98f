package creo.runtime;

import static creo.runtime.StreamCalls.COUNT;
import static creo.runtime.StreamCalls.LOAD;
import static creo.runtime.StreamCalls.STORE;
import static creo.runtime.StreamCalls.SUM;
import static creo.runtime.StreamCalls.TALK;
import static creo.runtime.StreamCalls.blob;
import static creo.runtime.StreamCalls.cancel;
import static creo.runtime.StreamCalls.credit;
import static creo.runtime.StreamCalls.items;
import static creo.runtime.StreamCalls.ping;
import static creo.runtime.StreamCalls.request;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import creo.runtime.codegen.Codec;
import creo.runtime.codegen.HostStreams;
import creo.runtime.codegen.Items;
import creo.runtime.codegen.ServiceMethod;
import creo.runtime.codegen.Streams;
import creo.runtime.codegen.Writer;
import creo.runtime.internal.tcp.TcpFrames;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Streams must not let one client hold up a host or another client, whatever it sends and whatever it does not read (TCP-32, TCP-33, TCP-37). */
@Timeout(value = 300, unit = TimeUnit.SECONDS)
class HostStreamLimitsTest {
    /** Ends the methods that wait for the end of the test. */
    private final CountDownLatch go = new CountDownLatch(1);
    /** A permit for each call of some methods that has begun. */
    private final Semaphore begun = new Semaphore(0);
    /** A permit for each stream of results that was closed, and for each of those calls that has ended. */
    private final Semaphore closed = new Semaphore(0);
    private final AtomicLong taken = new AtomicLong();

    @AfterEach
    void end() {
        go.countDown();
    }

    private Server serve(Limits limits) {
        return Server.builder().limits(limits).add(Endpoint.builder(Calls.INTERFACE).streams(HostStreams.SERVED)
            .method(Calls.SAY, text -> text)
            .method(Calls.ECHO, bytes -> bytes)
            .method(COUNT, args -> IntStream.range(0, args.n()).boxed().onClose(closed::release))
            .method(LOAD, args -> {
                begun.release();
                return Stream.generate(() -> new byte[args.n()]).peek(b -> taken.addAndGet(b.length)).onClose(closed::release);
            })
            .method(SUM, args -> {
                begun.release();
                try {
                    return StreamCalls.ints(args).mapToInt(n -> n).sum();
                } finally {
                    closed.release();
                }
            })
            .method(STORE, args -> {
                go.await();
                return (int) StreamCalls.blobs(args).count();
            })
            .method(TALK, args -> {
                begun.release();
                awaitWhateverComes();
                return Stream.<Integer>empty().onClose(closed::release);
            }).build()).start();
    }

    private void awaitWhateverComes() {
        while (true) {
            try {
                go.await();
                return;
            } catch (InterruptedException e) {
                // This method does not want to know.
            }
        }
    }

    private static Raw open(Server server, String frames) throws IOException {
        Raw raw = new Raw(server.port());
        raw.send(Raw.PREAMBLE + frames);
        raw.preamble();
        return raw;
    }

    private static void serves(Server server, int times) throws Exception {
        try (Channel channel = TcpChannel.open("127.0.0.1", server.port(), ClientOptions.DEFAULT.withLimits(Limits.DEFAULT.withDeadline(Duration.ofSeconds(20))))) {
            for (int i = 0; i < times; i++) {
                assertEquals("hi" + i, channel.call(Calls.SAY, "hi" + i, CallOptions.NONE));
            }
        }
    }

    private static Socket small(int port) throws IOException {
        Socket socket = new Socket();
        socket.setReceiveBufferSize(4_096);
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        return socket;
    }

    private static byte[] hex(String text) {
        return HexFormat.of().parseHex(text.replace(" ", ""));
    }

    @Test
    void framesAgainstTheRulesEndTheConnection() throws Exception {
        String sum = request(1, SUM, 0, 0);
        String count = request(1, COUNT, 0, 1_000_000);
        String load = request(1, LOAD, 0, 100_000);
        try (Server server = serve(Limits.DEFAULT)) {
            for (String frames : List.of(
                request(1, STORE, 0, 0) + HexFormat.of().formatHex(blob(1, false, 262_144)) + items(1, false),
                request(1, STORE, 0, 0) + HexFormat.of().formatHex(blob(1, false, 300_000)) + HexFormat.of().formatHex(blob(1, false, 1)),
                request(1, STORE, 0, 0) + Raw.frame(TcpFrames.ITEMS, TcpFrames.END, 1, "00") + Raw.frame(TcpFrames.ITEMS, 0, 1, "00"),
                request(1, STORE, 0, 0) + Raw.frame(TcpFrames.ITEMS, TcpFrames.END, 1, "00") + Raw.frame(TcpFrames.ITEMS, TcpFrames.END, 1, "00"),
                load + items(1, false, 1),
                Raw.request(0, 1, Calls.SLEEP.id(), 0, "00000000") + Raw.frame(TcpFrames.ITEMS, 1, 1, "00"),
                sum + Raw.frame(TcpFrames.ITEMS, 2, 1, "00"),
                sum + Raw.frame(TcpFrames.ITEMS, 0, 1, ""),
                load + credit(1, 0),
                load + credit(1, -1),
                load + credit(1, Integer.MIN_VALUE),
                load + credit(1, Integer.MAX_VALUE) + credit(1, Integer.MAX_VALUE),
                load + Raw.frame(TcpFrames.CREDIT, 0, 1, "000001"),
                load + Raw.frame(TcpFrames.CREDIT, 0, 1, "0000000100"),
                load + Raw.frame(TcpFrames.CREDIT, 8, 1, "00000001"),
                credit(1, 0),
                // Within the chain of a request.
                Raw.request(TcpFrames.MORE, 2, Calls.ECHO.id(), 0, "05 00") + items(1, false, 1),
                Raw.request(TcpFrames.MORE, 2, Calls.ECHO.id(), 0, "05 00") + credit(1, 1),
                count + Raw.frame(12, 0, 1, ""))) {
                try (Raw raw = open(server, frames)) {
                    Raw.Frame frame = StreamCalls.next(raw);
                    while (frame.kind() == TcpFrames.ITEMS || frame.id() != 0) {
                        frame = StreamCalls.next(raw);
                    }
                    assertEquals(TcpFrames.ERROR, frame.kind());
                    assertEquals(ErrorCode.MALFORMED, frame.code(), frames.substring(Math.max(0, frames.length() - 60)));
                    raw.rest();
                }
            }
            serves(server, 10);
        }
    }

    @Test
    void itemsThatAreTooLargeEndTheCallAlone() throws Exception {
        try (Server server = serve(Limits.DEFAULT.withMaxMessageSize(100_000)); Raw raw = open(server, request(1, SUM, 0, 0))) {
            raw.send(blob(1, false, 150_000));
            Raw.Frame end = raw.next();
            assertEquals(1, end.id());
            assertEquals(ErrorCode.TOO_LARGE, end.code());
            raw.send(ping());
            assertEquals(TcpFrames.PONG, raw.next().kind());
            // Items of unknown calls are read on, but not without end.
            raw.send(blob(5, false, 150_000)).send(Raw.frame(TcpFrames.ITEMS, 0, 5, "00").replace("00000007", "7fffffff"));
            assertEquals(ErrorCode.MALFORMED, raw.next().code());
        }
    }

    @Test
    void streamsAreCountedByServiceAndConnection() throws Exception {
        try (Server server = serve(Limits.DEFAULT.withMaxStreams(20).withMaxConcurrency(1).withMaxQueue(0));
                Raw one = open(server, ""); Raw other = open(server, "")) {
            refused(one, 17, 1, "16");
            refused(other, 5, 1, "20");
            // None of them takes the slot of a call.
            try (Raw raw = open(server, Raw.request(0, 1, Calls.SAY.id(), 0, Raw.text("hi")))) {
                assertEquals(TcpFrames.RESPONSE, raw.next().kind());
            }
            other.send(items(1, true));
            assertEquals(TcpFrames.RESPONSE, other.next().kind());
            // The place is free soon after the answer.
            for (int id = 100;; id++) {
                one.send(cancel(1));
                other.send(request(id, SUM, 0, 0) + items(id, true));
                if (other.next().kind() == TcpFrames.RESPONSE) {
                    break;
                }
            }
        }
    }

    /** Opens streams, the last of which are refused. */
    private static void refused(Raw raw, int streams, int refused, String allowed) throws IOException {
        for (int id = 1; id <= streams; id++) {
            raw.send(request(id, SUM, 0, 0));
        }
        for (int i = 0; i < refused; i++) {
            Raw.Frame frame = raw.next();
            assertEquals(streams, frame.id());
            CreoException e = StreamCalls.error(frame);
            assertEquals(ErrorCode.OVERLOADED, e.code());
            assertEquals("maxStreams", e.details().get("limit"));
            assertEquals(allowed, e.details().get("allowed"));
            assertTrue(e.notStarted());
        }
    }

    @Test
    void aMethodThatIgnoresItsEndKeepsItsPlace() throws Exception {
        try (Server server = serve(Limits.DEFAULT.withMaxStreams(1)); Raw raw = open(server, request(1, TALK, 0, 0))) {
            begun.acquire();
            raw.send(cancel(1));
            assertEquals(ErrorCode.CANCELLED, raw.next().code());
            raw.send(request(2, SUM, 0, 0));
            assertEquals(ErrorCode.OVERLOADED, raw.next().code());
            serves(server, 10);
            go.countDown();
            closed.acquire();
            for (int id = 3;; id++) {
                raw.send(request(id, SUM, 0, 0) + items(id, true));
                if (raw.next().kind() == TcpFrames.RESPONSE) {
                    break;
                }
            }
        }
    }

    @Test
    void aThousandStreamsThatAreLeftHoldNobodyUp() throws Exception {
        try (Server server = serve(Limits.DEFAULT)) {
            List<Raw> clients = new ArrayList<>();
            for (int c = 0; c < 4; c++) {
                StringBuilder calls = new StringBuilder();
                for (int id = 1; id <= 250; id++) {
                    calls.append(request(id, SUM, 0, 0)).append(items(id, false, 1));
                }
                clients.add(new Raw(small(server.port())).send(Raw.PREAMBLE + calls));
            }
            begun.acquire(1_000);
            serves(server, 200);
            for (Raw each : clients) {
                each.close();
            }
            closed.acquire(1_000);
            try (Raw raw = open(server, request(1, COUNT, 0, 5))) {
                assertEquals(TcpFrames.ITEMS, raw.next().kind());
            }
        }
    }

    @Test
    void aReaderThatStopsHoldsNobodyUp() throws Exception {
        Limits limits = Limits.DEFAULT.withWriteTimeout(Duration.ofMinutes(2));
        try (Server server = serve(limits); Socket deaf = small(server.port())) {
            deaf.getOutputStream().write(hex(Raw.PREAMBLE + request(1, LOAD, 0, 10_000) + credit(1, 2_000_000_000)));
            serves(server, 500);
            assertTrue(taken.get() < 16_000_000, taken + " bytes of items were taken for a peer that reads none");
            // It goes on when the peer does.
            Raw raw = new Raw(deaf);
            raw.preamble();
            for (long came = 0; came < 30_000_000;) {
                Raw.Frame frame = raw.next();
                assertEquals(TcpFrames.ITEMS, frame.kind());
                came += frame.body().length;
            }
        }
        closed.acquire();
    }

    @Test
    void whatStopsTheOutputDoesNotStopTheItems() throws Exception {
        // The peer reads nothing until all its own items are taken.
        int size = 10_000_000;
        try (Server server = serve(Limits.DEFAULT.withWriteTimeout(Duration.ofMinutes(2))); Socket socket = small(server.port())) {
            Raw raw = new Raw(socket).send(Raw.PREAMBLE + request(1, LOAD, 0, size) + request(2, STORE, 0, 0));
            for (int i = 0; i < 30; i++) {
                raw.send(items(77, false, 1));
            }
            raw.send(blob(2, true, size));
            go.countDown();
            raw.preamble();
            Raw.Frame frame = StreamCalls.next(raw);
            while (frame.id() != 2) {
                frame = StreamCalls.next(raw);
            }
            assertEquals(TcpFrames.RESPONSE, frame.kind());
        }
        closed.acquire();
    }

    @Test
    void anUnfinishedFrameIsCut() throws Exception {
        try (Server server = serve(Limits.DEFAULT.withFrameTimeout(Duration.ofMillis(200))); Raw raw = open(server, request(1, SUM, 0, 0))) {
            byte[] blob = blob(1, false, 100_000);
            raw.send(Arrays.copyOf(blob, 50_000));
            serves(server, 50);
            assertEquals(0, raw.rest().length);
        }
    }

    @Test
    void itemsThatAreNotTakenCountForTheBudget() throws Exception {
        Limits limits = Limits.DEFAULT.withMemoryBudget(3_000_000);
        for (byte[] items : List.of(blob(1, false, 250_000), empty(4_000))) {
            try (Server server = serve(limits)) {
                for (int round = 0; round < 3; round++) {
                    List<Raw> clients = new ArrayList<>();
                    for (int i = 0; i < 20; i++) {
                        Raw raw = open(server, request(1, STORE, 0, 0));
                        raw.send(items).send(ping());
                        clients.add(raw);
                    }
                    int refused = 0;
                    for (Raw each : clients) {
                        Raw.Frame frame = each.next();
                        if (frame.kind() == TcpFrames.ERROR) {
                            assertEquals("memoryBudget", StreamCalls.error(frame).details().get("limit"));
                            refused++;
                            frame = each.next();
                        }
                        assertEquals(TcpFrames.PONG, frame.kind());
                    }
                    assertTrue(refused >= 8 && refused < 20, refused + " of 20 were refused");
                    serves(server, 5);
                    for (Raw each : clients) {
                        each.close();
                    }
                    wholeBudget(server, 1_200_000);
                }
            }
        }
    }

    @Test
    void itemsThatAreLargeInMemoryCountForTheBudget() throws Exception {
        // One item that is charged 8 MB, of few bytes: each of the lists is empty.
        int lists = 200_000;
        Items<List<Void>> deep = new Items<>(Codec.of((w, v) -> {}, r -> {
            for (int left = r.readCount(1, 40); left > 0; left--) {
                r.readCount(0, 0);
            }
            return List.of();
        }), 1, 40);
        ServiceMethod<StreamCalls.Args, Integer> keep = ServiceMethod.of(Calls.INTERFACE, "keep", 79, SUM.arguments(), SUM.result())
            .streams(Streams.taking(deep, a -> Stream.of(), (a, items) -> new StreamCalls.Args(a.n(), items)));
        Endpoint endpoint = Endpoint.builder(Calls.INTERFACE).streams(HostStreams.SERVED).method(Calls.ECHO, bytes -> bytes).method(keep, args -> (int) args.items().peek(item -> {
            begun.release();
            awaitWhateverComes();
        }).count()).build();
        Writer frame = new Writer();
        // Two items: the first one is held while the method works on it.
        frame.writeCount(2);
        frame.writeCount(lists);
        frame.writeRaw(new byte[lists]);
        frame.writeCount(0);
        byte[] body = Arrays.copyOf(frame.buffer(), (int) frame.size());
        String sent = request(1, keep, 0, 0) + Raw.frame(TcpFrames.ITEMS, TcpFrames.END, 1, HexFormat.of().formatHex(body));
        try (Server server = Server.builder().limits(Limits.DEFAULT.withMemoryBudget(12_000_000)).add(endpoint).start();
                Raw one = open(server, sent)) {
            begun.acquire();
            try (Raw other = open(server, sent)) {
                Raw.Frame end = StreamCalls.next(other);
                assertEquals(ErrorCode.OVERLOADED, end.code());
                assertEquals("memoryBudget", StreamCalls.error(end).details().get("limit"));
            }
            go.countDown();
            assertEquals(TcpFrames.RESPONSE, StreamCalls.next(one).kind());
            wholeBudget(server, 4_000_000);
        }
    }

    /** Frames without items. */
    private static byte[] empty(int frames) {
        byte[] one = hex(items(1, false));
        byte[] all = new byte[frames * one.length];
        for (int i = 0; i < frames; i++) {
            System.arraycopy(one, 0, all, i * one.length, one.length);
        }
        return all;
    }

    /** What the calls before have held comes back. */
    private static void wholeBudget(Server server, int bytes) throws Exception {
        byte[] data = new byte[bytes];
        try (Channel channel = Calls.connect(server)) {
            while (true) {
                try {
                    assertEquals(bytes, channel.call(Calls.ECHO, data, CallOptions.NONE).length);
                    return;
                } catch (CreoException e) {
                    assertEquals(ErrorCode.OVERLOADED, e.code());
                }
            }
        }
    }

    @Test
    void itemsThatWaitToBeSentCountForTheBudget() throws Exception {
        int size = 2_000_000;
        try (Server server = serve(Limits.DEFAULT.withMemoryBudget(16_000_000))) {
            List<Raw> deaf = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                deaf.add(new Raw(small(server.port())).send(Raw.PREAMBLE + request(1, LOAD, 0, size)));
            }
            begun.acquire(20);
            // Most of the streams find no room and end.
            closed.acquire(8);
            serves(server, 10);
            for (Raw each : deaf) {
                each.close();
            }
            closed.acquire(12);
            wholeBudget(server, 2_000_000);
        }
    }

    @Test
    void floodsAreServedInTurns() throws Exception {
        try (Server server = serve(Limits.DEFAULT); Raw raw = open(server, request(1, SUM, 0, 0) + request(2, LOAD, 0, 100_000))) {
            byte[] credits = hex(credit(2, 1).repeat(100_000));
            byte[] empty = empty(200_000);
            Thread flood = new Thread(() -> {
                try {
                    raw.send(credits).send(empty).send(credit(77, 1).repeat(100_000)).send(items(1, true));
                } catch (IOException e) {
                    throw new IllegalStateException(e);
                }
            });
            flood.start();
            serves(server, 300);
            Raw.Frame frame = StreamCalls.next(raw);
            while (frame.id() != 1) {
                frame = StreamCalls.next(raw);
            }
            assertEquals(TcpFrames.RESPONSE, frame.kind());
            flood.join();
        }
    }
}
