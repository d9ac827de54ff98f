package creo.conformance;

import static creo.conformance.Calls.error;
import static creo.conformance.ClientPeer.check;
import static creo.conformance.ClientPeer.equal;

import conformance.matrix.EchoClient;
import conformance.matrix.TroubleAsyncClient;
import conformance.matrix.TroubleClient;
import creo.runtime.CallOptions;
import creo.runtime.Channel;
import creo.runtime.ClientOptions;
import creo.runtime.CreoException;
import creo.runtime.ErrorCode;
import creo.runtime.Limits;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;

/** Scenarios of deadlines, limits and connections that are lost. */
final class Troubles implements AutoCloseable {
    private final String host;
    private final int port;
    private final Door.Tcp wire;
    private final ClientOptions options;
    private final Door door;
    private final Channel echoes;
    private final Channel troubles;
    private final EchoClient echo;
    private final TroubleClient trouble;

    /** At a port of TCP: with it, connections are cut, too. */
    Troubles(Door.Tcp wire, String host, int port, ClientOptions options) {
        this(Door.tcp(wire, host, port), wire, host, port, options);
    }

    Troubles(Door door, ClientOptions options) {
        this(door, null, null, 0, options);
    }

    private Troubles(Door door, Door.Tcp wire, String host, int port, ClientOptions options) {
        this.door = door;
        this.host = host;
        this.port = port;
        this.wire = wire;
        this.options = options;
        echoes = door.open("Echo", options);
        troubles = door.open("Trouble", options);
        echo = new EchoClient(echoes);
        trouble = new TroubleClient(troubles);
    }

    void addTo(Map<String, ClientPeer.Scenario> scenarios) {
        scenarios.put("deadline", this::deadline);
        scenarios.put("cancel", this::cancel);
        scenarios.put("too-large", this::tooLarge);
        scenarios.put("parallel", this::parallel);
        scenarios.put("reconnect", this::reconnect);
        scenarios.put("refused", this::refused);
        scenarios.put("wrong-protocol", this::wrongProtocol);
    }

    @Override
    public void close() {
        echoes.close();
        troubles.close();
    }

    private void deadline() throws Exception {
        long start = System.nanoTime();
        error(ErrorCode.DEADLINE_EXCEEDED, () -> trouble.with(CallOptions.NONE.withDeadline(Duration.ofMillis(100))).sleep(60_000));
        check(System.nanoTime() - start < TimeUnit.SECONDS.toNanos(50), "the call went on after its deadline");
        equal(3L, echo.add(1, 2));
    }

    private void cancel() throws Exception {
        try (Channel channel = door.open("Trouble", options)) {
            TroubleAsyncClient async = new TroubleAsyncClient(channel);
            long start = System.nanoTime();
            CompletableFuture<Integer> call = async.sleep(5_000);
            check(call.cancel(true), "the call could not be cancelled");
            try {
                call.get();
                throw new AssertionError("a cancelled call has a result");
            } catch (CancellationException e) {
                check(System.nanoTime() - start < TimeUnit.SECONDS.toNanos(4), "the call went on");
            }
            equal(1, async.sleep(1).get());
        }
    }

    private void tooLarge() throws Exception {
        Limits small = Limits.DEFAULT.withMaxMessageSize(100_000);
        try (Channel channel = door.open("Trouble", options.withLimits(small))) {
            TroubleClient client = new TroubleClient(channel);
            CreoException e = error(ErrorCode.TOO_LARGE, () -> client.bytes(1_000_000));
            check(e.getMessage().contains("maxMessageSize") && e.getMessage().contains("100000"), e.getMessage());
            check(client.bytes(1_000).length == 1_000, "the next call does not work");
        }
    }

    private void parallel() throws InterruptedException, ExecutionException {
        try (Channel channel = door.open("Trouble", options)) {
            TroubleAsyncClient async = new TroubleAsyncClient(channel);
            List<CompletableFuture<Integer>> calls = new ArrayList<>();
            for (int i = 0; i < 200; i++) {
                calls.add(async.sleep(i % 20));
            }
            for (int i = 0; i < 200; i++) {
                equal(i % 20, calls.get(i).get());
            }
        }
        parallelThreads();
    }

    private void parallelThreads() throws InterruptedException, ExecutionException {
        List<CompletableFuture<Void>> threads = new ArrayList<>();
        for (int t = 0; t < 20; t++) {
            CompletableFuture<Void> done = new CompletableFuture<>();
            threads.add(done);
            new Thread(() -> {
                try {
                    for (int i = 0; i < 10; i++) {
                        equal(i, trouble.sleep(i));
                    }
                    done.complete(null);
                } catch (RuntimeException | AssertionError e) {
                    done.completeExceptionally(e);
                }
            }).start();
        }
        for (CompletableFuture<Void> thread : threads) {
            thread.get();
        }
    }

    /** Passes bytes on in both directions until it is told to cut. */
    static final class Relay implements AutoCloseable {
        private final ServerSocket listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        private final List<Socket> sockets = new ArrayList<>();

        Relay(String host, int port) throws IOException {
            start(() -> {
                while (true) {
                    Socket client = listener.accept();
                    Socket server = new Socket(host, port);
                    synchronized (sockets) {
                        sockets.add(client);
                        sockets.add(server);
                    }
                    start(() -> client.getInputStream().transferTo(server.getOutputStream()));
                    start(() -> server.getInputStream().transferTo(client.getOutputStream()));
                }
            });
        }

        private interface Work {
            void run() throws IOException;
        }

        private static void start(Work work) {
            Thread thread = new Thread(() -> {
                try {
                    work.run();
                } catch (IOException e) {
                    // Cut, as it should be.
                }
            });
            thread.setDaemon(true);
            thread.start();
        }

        int port() {
            return listener.getLocalPort();
        }

        void cut() throws IOException {
            synchronized (sockets) {
                for (Socket socket : sockets) {
                    socket.close();
                }
                sockets.clear();
            }
        }

        /** It is not there any more. */
        void leave() throws IOException {
            listener.close();
            cut();
        }

        @Override
        public void close() throws IOException {
            leave();
        }
    }

    private void reconnect() throws Exception {
        reconnect(host, port, this::at);
    }

    /** A cut connection ends at most one call; {@code at} creates a client of the service at a local port. */
    static void reconnect(String host, int port, IntFunction<? extends Channel> at) throws Exception {
        try (Relay relay = new Relay(host, port); Channel channel = at.apply(relay.port())) {
            EchoClient client = new EchoClient(channel);
            equal(3L, client.add(1, 2));
            relay.cut();
            try {
                equal(7L, client.add(3, 4));
            } catch (CreoException e) {
                check(e.code() == ErrorCode.UNAVAILABLE, "expected unavailable, got " + e.getMessage());
            }
            equal(11L, client.add(5, 6));
        }
    }

    private void refused() throws Exception {
        refused(this::at);
    }

    /** If nothing listens, the error names the address. */
    static void refused(IntFunction<? extends Channel> at) throws Exception {
        // Bound, so that no other program gets the port.
        try (Socket dead = new Socket()) {
            dead.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            try (Channel channel = at.apply(dead.getLocalPort())) {
                CreoException e = error(ErrorCode.UNAVAILABLE, () -> new EchoClient(channel).add(1, 2));
                check(e.getMessage().contains("127.0.0.1:" + dead.getLocalPort()), e.getMessage());
            }
        }
    }

    private Channel at(int otherPort) {
        return wire.open("127.0.0.1", otherPort, options);
    }

    private void wrongProtocol() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Thread answer = new Thread(() -> {
                try (Socket socket = server.accept()) {
                    socket.getInputStream().read();
                    socket.getOutputStream().write("HTTP/1.1 400 Bad Request\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
                    socket.getOutputStream().flush();
                    socket.shutdownOutput();
                    while (socket.getInputStream().read() >= 0) {
                        // The client closes.
                    }
                } catch (IOException e) {
                    // The client has gone.
                }
            });
            answer.start();
            try (Channel channel = wire.open("127.0.0.1", server.getLocalPort(), options)) {
                EchoClient client = new EchoClient(channel);
                CreoException e = error(ErrorCode.PROTOCOL_MISMATCH, () -> client.add(1, 2));
                check(e.getMessage().contains("HTTP"), e.getMessage());
            }
        }
    }
}
