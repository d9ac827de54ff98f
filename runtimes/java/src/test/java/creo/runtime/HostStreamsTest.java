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
import static creo.runtime.StreamCalls.numbers;
import static creo.runtime.StreamCalls.ping;
import static creo.runtime.StreamCalls.read;
import static creo.runtime.StreamCalls.request;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import creo.runtime.codegen.HostStreams;
import creo.runtime.codegen.ServiceMethod;
import creo.runtime.internal.tcp.TcpFrames;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A host's methods with streams (TCP-30 to TCP-36, CALL-40 to CALL-46), seen by a client that writes frames by hand. */
@Timeout(value = 300, unit = TimeUnit.SECONDS)
class HostStreamsTest {
    /** What the service was told or has done. */
    private final BlockingQueue<String> seen = new LinkedBlockingQueue<>();

    private static <R> Server serve(ServiceMethod<StreamCalls.Args, R> method, Endpoint.Handler<StreamCalls.Args, R> handler) {
        return serve(Limits.DEFAULT, method, handler);
    }

    private static <R> Server serve(Limits limits, ServiceMethod<StreamCalls.Args, R> method, Endpoint.Handler<StreamCalls.Args, R> handler) {
        return Server.builder().limits(limits).add(Endpoint.builder(Calls.INTERFACE).streams(HostStreams.SERVED).wires(Calls.WIRES).method(Calls.SAY, text -> text).method(method, handler).build()).start();
    }

    private static Raw open(Server server, String frames) throws IOException {
        Raw raw = new Raw(server.port());
        raw.send(Raw.PREAMBLE + frames);
        raw.preamble();
        return raw;
    }

    /** The connection is in order: the next frame answers this ping. */
    private static void pings(Raw raw) throws IOException {
        raw.send(ping());
        assertEquals(TcpFrames.PONG, StreamCalls.next(raw).kind());
    }

    private static Stream<Integer> to(int n) {
        return IntStream.range(0, n).boxed();
    }

    private static Stream<byte[]> endless(int size) {
        return Stream.generate(() -> new byte[size]);
    }

    @Test
    void givesItemsAndThenTheAnswer() throws Exception {
        try (Server server = serve(COUNT, args -> to(args.n())); Raw raw = open(server, request(1, COUNT, 0, 3) + request(2, COUNT, 0, 0))) {
            List<Integer> first = new ArrayList<>();
            int answers = 0;
            while (answers < 2) {
                Raw.Frame frame = StreamCalls.next(raw);
                if (frame.kind() == TcpFrames.ITEMS) {
                    assertEquals(1, frame.id());
                    first.addAll(numbers(frame));
                } else {
                    assertEquals(TcpFrames.RESPONSE, frame.kind());
                    assertEquals(0, frame.body().length);
                    assertEquals(frame.id() == 1 ? 3 : first.size(), first.size());
                    answers++;
                }
            }
            assertEquals(List.of(0, 1, 2), first);
            pings(raw);
        }
    }

    @Test
    void manyItemsAreGatheredInFramesOfSixtyFourKilobytes() throws Exception {
        try (Server server = serve(COUNT, args -> to(args.n())); Raw raw = open(server, request(1, COUNT, 0, 1_000_000) + credit(1, 100_000_000))) {
            int next = 0;
            int frames = 0;
            Raw.Frame frame = StreamCalls.next(raw);
            for (; frame.kind() == TcpFrames.ITEMS; frame = StreamCalls.next(raw)) {
                frames++;
                assertTrue(frame.body().length <= 65_536, "a frame of " + frame.body().length);
                for (int each : numbers(frame)) {
                    assertEquals(next++, each);
                }
            }
            assertEquals(TcpFrames.RESPONSE, frame.kind());
            assertEquals(1_000_000, next);
            assertTrue(frames < 100_000, frames + " frames");
        }
    }

    @Test
    void noItemWaitsForTheNext() throws Exception {
        BlockingQueue<Integer> source = new LinkedBlockingQueue<>();
        try (Server server = serve(COUNT, args -> Stream.generate(() -> take(source)).takeWhile(n -> n >= 0)); Raw raw = open(server, request(1, COUNT, 0, 0))) {
            for (int i = 0; i < 100; i++) {
                source.add(i);
                assertEquals(List.of(i), numbers(StreamCalls.next(raw)));
            }
            source.add(-1);
            assertEquals(TcpFrames.RESPONSE, StreamCalls.next(raw).kind());
        }
    }

    private static <T> T take(BlockingQueue<T> from) {
        try {
            return from.take();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void takesItemsHoweverTheyAreCut() throws Exception {
        try (Server server = serve(SUM, args -> StreamCalls.ints(args).mapToInt(n -> n).sum());
                Raw raw = open(server, request(1, SUM, 0, 0) + items(1, false, 1, 2) + items(1, false) + items(1, false, 3) + items(1, true))) {
            assertArrayEquals(new byte[] {0, 0, 0, 6}, StreamCalls.next(raw).body());
            raw.send(request(2, SUM, 0, 0) + items(2, true, 40, 2));
            assertArrayEquals(new byte[] {0, 0, 0, 42}, StreamCalls.next(raw).body());
            byte[] all = HexFormat.of().parseHex((request(3, SUM, 0, 0) + items(3, false, 1, 2) + items(3, true, 3)).replace(" ", ""));
            for (byte each : all) {
                raw.send(new byte[] {each});
            }
            assertArrayEquals(new byte[] {0, 0, 0, 6}, StreamCalls.next(raw).body());
        }
    }

    @Test
    void aLargeItemIsReceivedInOneFrame() throws Exception {
        int size = 3_000_000;
        try (Server server = serve(STORE, args -> StreamCalls.blobs(args).mapToInt(b -> b.length).sum()); Raw raw = open(server, request(1, STORE, 0, 0))) {
            raw.send(blob(1, true, size));
            assertEquals(size, new creo.runtime.codegen.Reader(StreamCalls.next(raw).body()).readInt());
            pings(raw);
        }
    }

    @Test
    void talksInTurns() throws Exception {
        try (Server server = serve(TALK, args -> StreamCalls.ints(args).map(n -> 2 * n)); Raw raw = open(server, request(1, TALK, 0, 0))) {
            for (int i = 0; i < 100; i++) {
                raw.send(items(1, false, i));
                assertEquals(List.of(2 * i), numbers(StreamCalls.next(raw)));
            }
            raw.send(items(1, true));
            assertEquals(TcpFrames.RESPONSE, StreamCalls.next(raw).kind());
        }
    }

    @Test
    void failuresFollowTheItemsBeforeThem() throws Exception {
        try (Server server = serve(COUNT, args -> {
            int[] given = {0};
            return ItemSource.stream(action -> {
                if (given[0] == 3) {
                    throw args.n() == 0 ? new Calls.Refused(7) : new IOException("secret");
                }
                action.accept(given[0]++);
                return true;
            });
        }); Raw raw = open(server, request(1, COUNT, 0, 0))) {
            List<Integer> items = new ArrayList<>();
            Raw.Frame end = read(raw, items);
            assertEquals(List.of(0, 1, 2), items);
            assertEquals(TcpFrames.EXCEPTION, end.kind());
            assertArrayEquals(new byte[] {0, 0, 0, 0, 7}, end.body());
            raw.send(request(2, COUNT, 0, 1));
            end = read(raw, items);
            assertEquals(List.of(0, 1, 2, 0, 1, 2), items);
            assertEquals(ErrorCode.INTERNAL, end.code());
            assertFalse(StreamCalls.error(end).getMessage().contains("secret"));
        }
    }

    @Test
    void itemsThatCannotBeWrittenEndTheCall() throws Exception {
        Limits small = Limits.DEFAULT.withMaxMessageSize(1_000);
        try (Server server = serve(small, LOAD, args -> Stream.of(new byte[600], new byte[600], new byte[args.n()])); Raw raw = open(server, request(1, LOAD, 0, 2_000))) {
            assertEquals(603, StreamCalls.next(raw).body().length, "two items do not fit into one frame");
            assertEquals(603, StreamCalls.next(raw).body().length);
            Raw.Frame end = StreamCalls.next(raw);
            assertEquals(ErrorCode.TOO_LARGE, end.code());
            raw.send(request(2, LOAD, 0, 1));
            assertEquals(TcpFrames.ITEMS, StreamCalls.next(raw).kind());
        }
        try (Server server = serve(COUNT, args -> Stream.of(1, null)); Raw raw = open(server, request(1, COUNT, 0, 0))) {
            List<Integer> items = new ArrayList<>();
            assertEquals(ErrorCode.INTERNAL, read(raw, items).code());
            assertEquals(List.of(1), items);
        }
        try (Server server = serve(COUNT, args -> null); Raw raw = open(server, request(1, COUNT, 0, 0))) {
            assertEquals(ErrorCode.INTERNAL, StreamCalls.next(raw).code());
        }
    }

    @Test
    void theAnswerDoesNotWaitForTheCallersItems() throws Exception {
        try (Server server = serve(SUM, args -> StreamCalls.ints(args).limit(args.n()).mapToInt(n -> n).sum()); Raw raw = open(server, request(1, SUM, 0, 2))) {
            raw.send(items(1, false, 20, 22, 5));
            assertArrayEquals(new byte[] {0, 0, 0, 42}, StreamCalls.next(raw).body());
            // The rest, and credit, of a call that has ended.
            raw.send(items(1, false, 1) + credit(1, 5) + items(1, true) + items(77, false, 1) + credit(77, 1));
            pings(raw);
            raw.send(request(1, SUM, 0, 1) + items(1, false, 9));
            assertArrayEquals(new byte[] {0, 0, 0, 9}, StreamCalls.next(raw).body());
        }
    }

    @Test
    void sendsWhileThereIsCredit() throws Exception {
        AtomicLong taken = new AtomicLong();
        try (Server server = serve(LOAD, args -> endless(args.n()).peek(b -> taken.addAndGet(b.length))); Raw raw = open(server, request(1, LOAD, 0, 1_000))) {
            long came = 0;
            while (came < 262_144) {
                came += StreamCalls.next(raw).body().length;
            }
            assertTrue(came <= 262_144 + 65_536, came + " bytes came");
            pings(raw);
            raw.send(credit(1, 1_000_000));
            while (came < 1_262_144) {
                came += StreamCalls.next(raw).body().length;
            }
            assertTrue(came <= 1_262_144 + 65_536, came + " bytes came");
            pings(raw);
            assertTrue(taken.get() < came + 200_000, "it took " + taken + " bytes of items, of which " + came + " came");
            raw.send(cancel(1));
            assertEquals(ErrorCode.CANCELLED, StreamCalls.next(raw).code());
        }
    }

    @Test
    void givesCreditAsItsMethodTakesItems() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        int window = 400_000;
        try (Server server = serve(Limits.DEFAULT.withStreamWindow(window), STORE, args -> {
            go.await();
            return (int) StreamCalls.blobs(args).count();
        }); Raw raw = open(server, request(1, STORE, 0, 0))) {
            raw.send(blob(1, false, 100_000)).send(blob(1, false, 100_000)).send(blob(1, false, 100_000));
            pings(raw);
            go.countDown();
            long credit = 0;
            while (credit + 262_144 - 300_000 < window / 2) {
                Raw.Frame frame = raw.next();
                assertEquals(TcpFrames.CREDIT, frame.kind());
                credit += new creo.runtime.codegen.Reader(frame.body()).readInt();
            }
            assertTrue(credit + 262_144 - 300_000 <= window, "credit of " + credit);
            raw.send(blob(1, true, 10));
            assertArrayEquals(new byte[] {0, 0, 0, 4}, StreamCalls.next(raw).body());
            pings(raw);
        }
    }

    @Test
    void brokenItemsEndTheCallAlone() throws Exception {
        try (Server server = serve(SUM, args -> StreamCalls.ints(args).peek(n -> seen.add("" + n)).mapToInt(n -> n).sum()); Raw raw = open(server, "")) {
            for (String body : List.of("02 00000001", "01 00000001 00", "ff ff ff ff 0f", "80")) {
                raw.send(request(1, SUM, 0, 0) + items(1, false, 5));
                assertEquals("5", seen.take());
                raw.send(Raw.frame(TcpFrames.ITEMS, 0, 1, body));
                Raw.Frame end = StreamCalls.next(raw);
                assertEquals(TcpFrames.ERROR, end.kind());
                assertEquals(1, end.id());
                assertEquals(ErrorCode.MALFORMED, end.code(), body);
                assertTrue(StreamCalls.error(end).getMessage().contains("$items"), StreamCalls.error(end).getMessage());
                seen.clear();
            }
            pings(raw);
        }
    }

    @Test
    void aCancelledCallSendsNothingMore() throws Exception {
        CountDownLatch closed = new CountDownLatch(1);
        try (Server server = serve(LOAD, args -> endless(1_000).onClose(closed::countDown)); Raw raw = open(server, request(1, LOAD, 0, 0) + credit(1, 1_000_000_000))) {
            for (int i = 0; i < 10; i++) {
                assertEquals(TcpFrames.ITEMS, StreamCalls.next(raw).kind());
            }
            raw.send(cancel(1));
            Raw.Frame frame = StreamCalls.next(raw);
            while (frame.kind() == TcpFrames.ITEMS) {
                frame = StreamCalls.next(raw);
            }
            assertEquals(ErrorCode.CANCELLED, frame.code());
            closed.await();
            pings(raw);
        }
    }

    @Test
    void theEndOfACallEndsWhatItsMethodWaitsFor() throws Exception {
        Endpoint.Handler<StreamCalls.Args, Integer> handler = args -> {
            Stream<Integer> items = StreamCalls.ints(args);
            try {
                seen.add("begun");
                return (int) items.count();
            } catch (CreoException e) {
                seen.add(e.code().toString());
                throw e;
            }
        };
        try (Server server = serve(SUM, handler); Raw raw = open(server, request(1, SUM, 0, 0))) {
            assertEquals("begun", seen.take());
            raw.send(cancel(1));
            assertEquals(ErrorCode.CANCELLED, StreamCalls.next(raw).code());
            assertEquals("cancelled", seen.take());
            raw.send(request(2, SUM, 1, 0));
            assertEquals(ErrorCode.DEADLINE_EXCEEDED, StreamCalls.next(raw).code());
            seen.clear();
            raw.send(request(3, SUM, 0, 0));
            while (!seen.take().equals("begun")) {
                // The call whose time was over may have begun too.
            }
            raw.endOutput();
            assertEquals("cancelled", seen.take());
        }
    }

    @Test
    void aDeadlineEndsAStreamOfResults() throws Exception {
        try (Server server = serve(COUNT, args -> to(Integer.MAX_VALUE)); Raw raw = open(server, request(1, COUNT, 200, 0))) {
            List<Integer> items = new ArrayList<>();
            assertEquals(ErrorCode.DEADLINE_EXCEEDED, read(raw, items).code());
            assertTrue(items.size() > 1_000);
            pings(raw);
        }
    }

    @Test
    void interceptorsAndMetadataAreThoseOfTheWholeCall() throws Exception {
        ServerInterceptor teller = call -> {
            seen.add("begins " + call.method().name());
            return outcome -> {
                seen.add("ends " + outcome);
                call.answerMetadata("ended", "yes");
            };
        };
        Endpoint endpoint = Endpoint.builder(Calls.INTERFACE).streams(HostStreams.SERVED).method(COUNT, args -> {
            CallContext context = CallContext.current();
            return to(args.n()).peek(n -> {
                assertEquals(context, CallContext.current());
                context.answerMetadata("given", "" + n);
            });
        }).method(SUM, args -> StreamCalls.ints(args).mapToInt(n -> n).sum()).build();
        try (Server server = Server.builder().add(endpoint).interceptor(teller).start(); Raw raw = new Raw(server.port())) {
            raw.send("4352454f 01 03 0000" + request(1, COUNT, 0, 3));
            raw.preamble();
            Raw.Frame end = read(raw, new ArrayList<>());
            assertEquals(TcpFrames.METADATA, end.flags());
            assertEquals("02" + Raw.text("given") + Raw.text("2") + Raw.text("ended") + Raw.text("yes"), HexFormat.of().formatHex(end.body()));
            assertEquals(List.of("begins count", "ends result"), List.of(seen.take(), seen.take()));
            for (String[] each : new String[][] {{cancel(2), "cancelled"}, {Raw.frame(TcpFrames.ITEMS, 0, 2, "07"), "malformed"}, {items(2, true), "result"}}) {
                raw.send(request(2, SUM, 0, 0));
                assertEquals("begins sum", seen.take());
                raw.send(each[0]);
                assertEquals("ends " + each[1], seen.take());
                StreamCalls.next(raw);
            }
            assertTrue(seen.isEmpty());
        }
    }

    @Test
    void asynchronousMethodsHaveStreamsToo() throws Exception {
        Endpoint endpoint = Endpoint.builder(Calls.INTERFACE).streams(HostStreams.SERVED)
            .asyncMethod(COUNT, args -> args.n() < 0 ? CompletableFuture.failedFuture(new Calls.Refused(1)) : CompletableFuture.supplyAsync(() -> to(args.n())))
            .asyncMethod(SUM, args -> CompletableFuture.supplyAsync(() -> StreamCalls.ints(args).mapToInt(n -> n).sum())).build();
        try (Server server = Server.builder().add(endpoint).start(); Raw raw = open(server, request(1, COUNT, 0, 4))) {
            List<Integer> items = new ArrayList<>();
            assertEquals(TcpFrames.RESPONSE, read(raw, items).kind());
            assertEquals(List.of(0, 1, 2, 3), items);
            raw.send(request(2, SUM, 0, 0) + items(2, false, 1) + items(2, true, 2));
            assertArrayEquals(new byte[] {0, 0, 0, 3}, StreamCalls.next(raw).body());
            raw.send(request(3, COUNT, 0, -1));
            assertEquals(TcpFrames.EXCEPTION, StreamCalls.next(raw).kind());
        }
    }

    @Test
    void drainingLetsStreamsEnd() throws Exception {
        try (Server server = serve(TALK, args -> StreamCalls.ints(args)); Raw raw = open(server, request(1, TALK, 0, 0) + items(1, false, 1))) {
            assertEquals(List.of(1), numbers(StreamCalls.next(raw)));
            Thread closer = new Thread(server::close);
            closer.start();
            assertEquals(TcpFrames.GOODBYE, StreamCalls.next(raw).kind());
            raw.send(items(1, false, 2) + request(2, TALK, 0, 0));
            for (int i = 0; i < 2; i++) {
                Raw.Frame frame = StreamCalls.next(raw);
                assertEquals(frame.id() == 1 ? TcpFrames.ITEMS : TcpFrames.ERROR, frame.kind());
            }
            raw.send(items(1, true));
            assertEquals(TcpFrames.RESPONSE, StreamCalls.next(raw).kind());
            assertEquals(0, raw.rest().length);
            closer.join();
        }
    }

    @Test
    void carriesStreamsThroughTls(@TempDir Path folder) throws Exception {
        Keys keys = Keys.make(folder, "localhost");
        SSLContext context = Keys.context(keys, keys);
        Endpoint endpoint = Endpoint.builder(Calls.INTERFACE).streams(HostStreams.SERVED).method(LOAD, args -> endless(args.n()).limit(1_000))
            .method(STORE, args -> StreamCalls.blobs(args).mapToInt(b -> b.length).sum()).build();
        try (Server server = Server.builder().bind("127.0.0.1", 0).tls(context).add(endpoint).start();
                Channel channel = TcpChannel.open("localhost", server.port(), ClientOptions.DEFAULT.withTls(context))) {
            try (Stream<byte[]> items = channel.stream(LOAD, new StreamCalls.Args(30_000, null), CallOptions.NONE).get()) {
                assertEquals(30_000_000, items.mapToInt(b -> b.length).sum());
            }
            for (int size : new int[] {30_000, 300_000}) {
                assertEquals(100 * size, channel.stream(STORE, new StreamCalls.Args(0, endless(size).limit(100)), CallOptions.NONE).get());
            }
        }
    }

    @Test
    void onlyTheBinaryWireOffersThem() throws Exception {
        try (Server server = serve(COUNT, args -> to(3)); Raw raw = new Raw(server.port())) {
            raw.send("4352454f 01 01 0100" + Raw.request(0, 1, COUNT.id(), 0, Raw.text("x")));
            raw.preamble();
            assertEquals(ErrorCode.UNKNOWN_METHOD, StreamCalls.next(raw).code());
            assertTrue(Http.post(server.port(), "/Calls/count", "Content-Type: application/json\r\n", "{\"n\":3}").startsWith("HTTP/1.1 404 "));
            assertTrue(Http.post(server.port(), "/Calls/say", "Content-Type: application/json\r\n", "{\"text\":\"hi\"}").startsWith("HTTP/1.1 200 "));
        }
    }
}
