package creo.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import creo.runtime.StreamCalls.Args;
import creo.runtime.codegen.HostStreams;
import creo.runtime.codegen.Items;
import creo.runtime.codegen.ServiceMethod;
import creo.runtime.codegen.Writer;
import creo.runtime.internal.buffer.Failures;
import creo.runtime.internal.http.ServiceErrors;
import creo.runtime.internal.tcp.TcpFrames;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Calls with streams to several addresses: another is tried as long as no item was taken (CALL-45). */
@Timeout(value = 300, unit = TimeUnit.SECONDS)
class StreamBalancingTest {
    private static Server server() throws IOException {
        return Server.builder().tcp("127.0.0.1", 0).add(Endpoint.builder(Calls.INTERFACE).streams(HostStreams.SERVED).method(StreamCalls.COUNT, a -> Stream.iterate(0, i -> i + 1).limit(a.n()))
            .method(StreamCalls.SUM, a -> StreamCalls.ints(a).mapToInt(i -> i).sum()).build()).start();
    }

    /** Refuses each call as one that was not started; the connection goes on. */
    private static Peer refusing(List<Integer> seen) throws IOException {
        Writer w = new Writer();
        ServiceErrors.encode(w, Failures.notStarted(new CreoException(ErrorCode.UNAVAILABLE, "not here")));
        String error = HexFormat.of().formatHex(w.toBytes());
        return new Peer((in, out) -> {
            java.io.DataInputStream frames = new java.io.DataInputStream(in);
            frames.readNBytes(8);
            out.write(HexFormat.of().parseHex(Raw.PREAMBLE.replace(" ", "")));
            while (true) {
                byte[] frame = frames.readNBytes(frames.readInt());
                if (frame[0] == TcpFrames.REQUEST) {
                    seen.add((int) frame[5]);
                    out.write(HexFormat.of().parseHex(Raw.frame(TcpFrames.ERROR, 0, creo.runtime.codegen.Bytes.getInt(frame, 2), error)));
                }
            }
        });
    }

    private static Channel channel(List<String> told, int... ports) {
        List<String> addresses = new ArrayList<>();
        for (int port : ports) {
            addresses.add("127.0.0.1:" + port);
        }
        // The addresses take turns, the first one first.
        return BalancedChannel.open(addresses, address -> TcpChannel.open(address, ClientOptions.DEFAULT), Balancing.DEFAULT).intercepted(call -> {
            told.add("begin");
            return outcome -> told.add(outcome + " at " + outcome.peer());
        });
    }

    private static <R> R call(Channel channel, ServiceMethod<Args, R> method, int n, Stream<?> items) throws Exception {
        return Items.await(channel.stream(method, new Args(n, items), CallOptions.NONE));
    }

    @Test
    void anAddressThatRefusesIsSkipped() throws Exception {
        List<String> told = Collections.synchronizedList(new ArrayList<>());
        try (Server server = server(); DeadPort dead = new DeadPort(); Channel channel = channel(told, dead.number(), server.port())) {
            for (int i = 0; i < 4; i++) {
                CountDownLatch closed = new CountDownLatch(1);
                assertEquals(List.of(0, 1), call(channel, StreamCalls.COUNT, 2, null).toList());
                assertEquals(3, call(channel, StreamCalls.SUM, 0, Stream.of(1, 2).onClose(closed::countDown)));
                closed.await();
            }
            assertEquals(8, Collections.frequency(told, "begin"));
            assertEquals(8, Collections.frequency(told, "result at 127.0.0.1:" + server.port()));
        }
    }

    @Test
    void aStreamOfResultsGoesOnElsewhere() throws Exception {
        List<String> told = Collections.synchronizedList(new ArrayList<>());
        List<Integer> seen = Collections.synchronizedList(new ArrayList<>());
        try (Server server = server(); Peer refusing = refusing(seen); Channel channel = channel(told, refusing.port(), server.port())) {
            for (int i = 0; i < 4; i++) {
                assertEquals(List.of(0, 1), call(channel, StreamCalls.COUNT, 2, null).toList());
            }
            assertTrue(!seen.isEmpty());
            assertEquals(4, Collections.frequency(told, "result at 127.0.0.1:" + server.port()));
            assertEquals(8, told.size());
        }
    }

    @Test
    void theLastFailureIsTheCalls() throws Exception {
        List<String> told = Collections.synchronizedList(new ArrayList<>());
        List<Integer> seen = Collections.synchronizedList(new ArrayList<>());
        try (Peer one = refusing(seen); Peer two = refusing(seen); Channel channel = channel(told, one.port(), two.port())) {
            Stream<Integer> results = call(channel, StreamCalls.COUNT, 2, null);
            assertEquals(ErrorCode.UNAVAILABLE, assertThrows(CreoException.class, results::toList).code());
            assertEquals(2, seen.size());
            assertEquals(2, told.size());
            CountDownLatch closed = new CountDownLatch(1);
            CompletableFuture<Integer> sum = channel.stream(StreamCalls.SUM, new Args(0, Stream.generate(() -> 1).onClose(closed::countDown)), CallOptions.NONE);
            assertEquals(ErrorCode.UNAVAILABLE, assertThrows(CreoException.class, () -> Items.await(sum)).code());
            closed.await();
            assertEquals(4, told.size());
        }
    }
}
