package creo.runtime;

import static creo.runtime.CallsTest.error;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import creo.runtime.codegen.Codec;
import creo.runtime.codegen.ServiceMethod;
import creo.runtime.codegen.Writer;
import creo.runtime.internal.buffer.Threads;
import creo.runtime.internal.call.CallBodies;
import creo.runtime.internal.net.SocketLink;
import creo.runtime.internal.tcp.TcpFrames;
import creo.runtime.internal.tcp.TcpShared;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A client whose calls wait for each other: while it connects, writes, or is closed. */
@Timeout(value = 300, unit = TimeUnit.SECONDS)
class SharedTest {
    private static final ClientOptions SHARED = ClientOptions.DEFAULT.withMaxConnections(0);

    private static CallOptions within(int milliseconds) {
        return CallOptions.NONE.withDeadline(Duration.ofMillis(milliseconds));
    }

    private static CreoException failure(CompletableFuture<?> call) {
        return (CreoException) assertThrows(ExecutionException.class, () -> call.get(60, TimeUnit.SECONDS)).getCause();
    }

    /** Waits until this many threads connect. */
    private static void awaitConnecting(int threads) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (Thread.getAllStackTraces().values().stream().filter(SharedTest::connects).count() < threads) {
            assertTrue(System.nanoTime() < end, "no thread connects");
            Thread.sleep(5);
        }
    }

    private static boolean connects(StackTraceElement[] stack) {
        return Arrays.stream(stack).anyMatch(at -> at.getClassName().equals("java.net.Socket") && at.getMethodName().equals("connect"));
    }

    /** A blocking call on another thread. */
    private static CompletableFuture<String> start(Channel channel, CallOptions options) {
        CompletableFuture<String> result = new CompletableFuture<>();
        Thread thread = new Thread(() -> {
            try {
                result.complete(channel.call(Calls.SAY, "x", options));
            } catch (Throwable e) {
                result.completeExceptionally(e);
            }
        });
        thread.setDaemon(true);
        thread.start();
        return result;
    }

    /** A port that takes no more connections, and does not refuse them. */
    private static final class FullPort implements AutoCloseable {
        private final ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        private final List<Socket> sockets = new ArrayList<>();

        FullPort() throws IOException {
            for (int i = 0; i < 8; i++) {
                Socket socket = new Socket();
                sockets.add(socket);
                try {
                    socket.connect(listener.getLocalSocketAddress(), 300);
                } catch (IOException e) {
                    return;
                }
            }
        }

        int port() {
            return ((InetSocketAddress) listener.getLocalSocketAddress()).getPort();
        }

        @Override
        public void close() throws IOException {
            for (Socket socket : sockets) {
                socket.close();
            }
            listener.close();
        }
    }

    @Test
    void nobodyWaitsForAnothersConnectingLongerThanItsDeadline() throws Exception {
        try (FullPort full = new FullPort(); Channel channel = TcpChannel.open("127.0.0.1", full.port(), SHARED)) {
            CompletableFuture<String> patient = start(channel, within(30_000));
            awaitConnecting(1);
            assertEquals(ErrorCode.DEADLINE_EXCEEDED, failure(start(channel, within(200))).code());
            assertEquals(ErrorCode.DEADLINE_EXCEEDED, failure(channel.callAsync(Calls.SAY, "x", within(200))).code());
            assertFalse(patient.isDone());
        }
    }

    @Test
    void closingEndsConnectingAndWhoWaitsForIt() throws Exception {
        for (ClientOptions options : List.of(ClientOptions.DEFAULT, SHARED)) {
            try (FullPort full = new FullPort()) {
                Channel channel = TcpChannel.open("127.0.0.1", full.port(), options);
                List<CompletableFuture<String>> calls = new ArrayList<>();
                for (int i = 0; i < 3; i++) {
                    calls.add(start(channel, within(30_000)));
                    calls.add(channel.callAsync(Calls.SAY, "x", within(30_000)));
                }
                awaitConnecting(1);
                channel.close();
                for (CompletableFuture<String> call : calls) {
                    assertEquals(ErrorCode.UNAVAILABLE, failure(call).code());
                }
            }
        }
    }

    /** A connection that is being opened when its client is closed is closed, too. */
    @Test
    void closingLeavesNoConnectionOpen() throws Exception {
        for (ClientOptions options : List.of(ClientOptions.DEFAULT, SHARED)) {
            CountDownLatch accepted = new CountDownLatch(1);
            CountDownLatch ended = new CountDownLatch(1);
            try (Peer peer = new Peer((in, out) -> {
                in.read();
                accepted.countDown();
                in.transferTo(OutputStream.nullOutputStream());
                ended.countDown();
            })) {
                // Its handshake is never answered.
                Channel channel = TcpChannel.open("127.0.0.1", peer.port(), options.withTls(SSLContext.getDefault()));
                CompletableFuture<String> call = start(channel, within(30_000));
                assertTrue(accepted.await(60, TimeUnit.SECONDS));
                channel.close();
                assertEquals(ErrorCode.UNAVAILABLE, failure(call).code());
                assertTrue(ended.await(60, TimeUnit.SECONDS));
            }
        }
    }

    @Test
    void anAsynchronousCallDoesNotWaitForAPeerThatDoesNotRead() throws Exception {
        CountDownLatch arrived = new CountDownLatch(1);
        ClientOptions options = SHARED.withLimits(Limits.DEFAULT.withConnectTimeout(Duration.ofSeconds(60)));
        try (Peer peer = new Peer(Peer.deaf(arrived)); Channel channel = TcpChannel.open("127.0.0.1", peer.port(), options)) {
            CompletableFuture<byte[]> first = channel.callAsync(Calls.ECHO, new byte[50_000_000], within(15_000));
            assertTrue(arrived.await(60, TimeUnit.SECONDS));
            CompletableFuture<CompletableFuture<String>> second = new CompletableFuture<>();
            Thread caller = new Thread(() -> second.complete(channel.callAsync(Calls.SAY, "x", within(500))));
            caller.setDaemon(true);
            caller.start();
            CompletableFuture<String> call = second.get(60, TimeUnit.SECONDS);
            assertFalse(first.isDone());
            assertEquals(ErrorCode.DEADLINE_EXCEEDED, failure(call).code());
            assertEquals(ErrorCode.DEADLINE_EXCEEDED, failure(first).code());
        }
    }

    /** TCP-6: a cancel ends an unfinished chain, and a data frame without a chain ends the connection. */
    @Test
    void aCallThatIsCancelledWhileItIsSentKeepsItsChainWhole() throws Exception {
        CountDownLatch half = new CountDownLatch(1);
        CountDownLatch cancelled = new CountDownLatch(1);
        CompletableFuture<List<Integer>> seen = new CompletableFuture<>();
        try (Peer peer = new Peer((in, out) -> {
            DataInputStream frames = new DataInputStream(in);
            frames.readNBytes(8);
            out.write(HexFormat.of().parseHex(Raw.PREAMBLE.replace(" ", "")));
            List<Integer> kinds = new ArrayList<>();
            while (kinds.isEmpty() || kinds.get(kinds.size() - 1) != TcpFrames.CANCEL) {
                kinds.add((int) frames.readNBytes(frames.readInt())[0]);
                if (kinds.size() == 1) {
                    half.countDown();
                    cancelled.await();
                }
            }
            seen.complete(kinds);
        }); Channel channel = TcpChannel.open("127.0.0.1", peer.port(), SHARED)) {
            CompletableFuture<byte[]> call = channel.callAsync(Calls.ECHO, new byte[50_000_000], within(30_000));
            assertTrue(half.await(60, TimeUnit.SECONDS));
            call.cancel(true);
            cancelled.countDown();
            List<Integer> kinds = seen.get(60, TimeUnit.SECONDS);
            // The first frame, and data frames of at most 1 MiB.
            assertTrue(kinds.size() > 48, kinds.toString());
        }
    }

    /** A decoder that fails by something that no body can cause leaves its body half read: the connection is not used again. */
    @Test
    void aDecoderThatFailsEndsItsConnection() throws Exception {
        for (Throwable failure : List.of(new StackOverflowError("as asked"), new IllegalStateException("as asked"))) {
            Codec<byte[]> bytes = Calls.ECHO.arguments();
            ServiceMethod<byte[], byte[]> broken = ServiceMethod.of(Calls.INTERFACE, "echo", 2, bytes, Codec.of(Writer::writeBytes, r -> {
                r.readByte();
                if (failure instanceof Error e) {
                    throw e;
                }
                throw (RuntimeException) failure;
            }));
            for (ClientOptions options : List.of(ClientOptions.DEFAULT, SHARED)) {
                try (Server server = Calls.serve(text -> text); Channel channel = TcpChannel.open("127.0.0.1", server.port(), options)) {
                    for (int i = 0; i < 3; i++) {
                        assertEquals(failure, assertThrows(Throwable.class, () -> channel.call(broken, new byte[100], CallOptions.NONE)));
                        assertEquals("fine", channel.call(Calls.SAY, "fine", CallOptions.NONE));
                    }
                }
            }
        }
    }

    /** TCP-14: a connection whose server vanished silently is given up, so the next call opens another. */
    @Test
    void aConnectionWithoutAnswersIsAskedAndGivenUp() throws Exception {
        CountDownLatch asked = new CountDownLatch(1);
        ExecutorService threads = Threads.executor("test");
        try (Peer peer = new Peer((in, out) -> {
            DataInputStream frames = new DataInputStream(in);
            frames.readNBytes(8);
            out.write(HexFormat.of().parseHex(Raw.PREAMBLE.replace(" ", "")));
            while (frames.readNBytes(frames.readInt())[0] != TcpFrames.PING) {
                // Not answered.
            }
            asked.countDown();
            in.transferTo(OutputStream.nullOutputStream());
        })) {
            Socket socket = new Socket(InetAddress.getLoopbackAddress(), peer.port());
            TcpShared shared = new TcpShared(new SocketLink(socket, socket), "test", SHARED, CallBodies.BINARY, threads);
            shared.start();
            // The preamble may come after the first is sent, and shows that the server lives.
            for (int i = 0; i < 2; i++) {
                TcpShared.Pending<String> call = new TcpShared.Pending<>(Calls.SAY, System.nanoTime() + 300_000_000, false);
                shared.send(call, Calls.SAY, "x", Map.of());
                assertEquals(ErrorCode.DEADLINE_EXCEEDED, failure(call.future()).code());
            }
            assertTrue(asked.await(60, TimeUnit.SECONDS));
            assertTrue(shared.isUsable());
            TcpShared.Pending<String> next = new TcpShared.Pending<>(Calls.SAY, System.nanoTime() + 30_000_000_000L, false);
            shared.send(next, Calls.SAY, "x", Map.of());
            shared.look(System.nanoTime() + TcpShared.PONG_TIME);
            assertEquals(ErrorCode.UNAVAILABLE, failure(next.future()).code());
            assertFalse(shared.isUsable());
        } finally {
            threads.shutdown();
        }
    }

    /** A server that is only slow says so, and keeps its connection. */
    @Test
    void aConnectionThatAnswersIsKept() throws Exception {
        ExecutorService threads = Threads.executor("test");
        try (Server server = Calls.serve(text -> text)) {
            Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port());
            TcpShared shared = new TcpShared(new SocketLink(socket, socket), "test", SHARED, CallBodies.BINARY, threads);
            shared.start();
            TcpShared.Pending<Integer> slow = new TcpShared.Pending<>(Calls.SLEEP, System.nanoTime() + 200_000_000, false);
            shared.send(slow, Calls.SLEEP, 20_000, Map.of());
            assertEquals(ErrorCode.DEADLINE_EXCEEDED, failure(slow.future()).code());
            TcpShared.Pending<String> next = new TcpShared.Pending<>(Calls.SAY, System.nanoTime() + 30_000_000_000L, false);
            shared.send(next, Calls.SAY, "x", Map.of());
            assertEquals("x", next.future().get(60, TimeUnit.SECONDS));
            shared.look(System.nanoTime() + TcpShared.PONG_TIME);
            assertTrue(shared.isUsable());
            shared.end(CreoException.ofRuntime(ErrorCode.UNAVAILABLE, "the test is over"));
        } finally {
            threads.shutdown();
        }
    }

    /** TCP-16: the calls that a draining server would have answered. */
    @Test
    void closingEndsCallsOnAConnectionThatSaidGoodbye() throws Exception {
        CountDownLatch arrived = new CountDownLatch(2);
        AtomicInteger connections = new AtomicInteger();
        try (Peer peer = new Peer((in, out) -> {
            new DataInputStream(in).readFully(new byte[8 + 22 + 2]);
            boolean first = connections.getAndIncrement() == 0;
            out.write(HexFormat.of().parseHex("4352454f01000000" + (first ? "00000006" + "0900" + "00000000" : "")));
            arrived.countDown();
            in.readAllBytes();
        })) {
            CompletableFuture<String> one;
            CompletableFuture<String> other;
            try (Channel channel = TcpChannel.open("127.0.0.1", peer.port(), SHARED)) {
                one = channel.callAsync(Calls.SAY, "x", within(200_000));
                List<CompletableFuture<String>> others = new ArrayList<>();
                // Until the client has read the goodbye, others go to the first connection, too.
                while (arrived.getCount() > 0) {
                    others.add(channel.callAsync(Calls.SAY, "x", within(200_000)));
                    arrived.await(10, TimeUnit.MILLISECONDS);
                }
                other = others.get(others.size() - 1);
                assertFalse(one.isDone());
            }
            assertEquals(ErrorCode.UNAVAILABLE, failure(one).code());
            assertEquals(ErrorCode.UNAVAILABLE, failure(other).code());
        }
    }

    /** Pings whose answers the server does not read are no reason not to read the answers to calls (TCP-14). */
    @Test
    void answersAreReadWhileTheServerReadsNoPongs() throws Exception {
        byte[] pings = new byte[100 * 10];
        for (int at = 0; at < pings.length; at += 10) {
            TcpFrames.putHeader(pings, at, TcpFrames.COUNTED_HEADER, TcpFrames.PING, 0, at / 10);
        }
        try (Peer peer = new Peer((in, out) -> {
            new DataInputStream(in).readFully(new byte[8 + 22 + 2]);
            out.write(HexFormat.of().parseHex("4352454f01000000"));
            // Many times what fits into the buffers between the two, were each of them answered.
            for (int i = 0; i < 20_000; i++) {
                out.write(pings);
            }
            out.write(HexFormat.of().parseHex("00000008" + "0200" + "00000001" + "0178"));
            in.readAllBytes();
        }); Channel channel = TcpChannel.open("127.0.0.1", peer.port(), SHARED)) {
            assertEquals("x", channel.callAsync(Calls.SAY, "x", within(20_000)).get());
        }
    }
}
