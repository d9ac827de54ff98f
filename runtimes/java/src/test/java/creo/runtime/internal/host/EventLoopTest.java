package creo.runtime.internal.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import creo.runtime.Limits;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Connections that share one thread. */
class EventLoopTest {
    private static final InetSocketAddress LOCAL = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private EventLoop loop;
    private ServerPort port;
    private ServerSocketChannel listener;

    /** A protocol that does nothing. */
    private static class Silent implements ServerConnection.Protocol {
        @Override
        public boolean serve(boolean readable) throws IOException {
            return true;
        }

        @Override
        public long look(long now) {
            return now + TimeUnit.HOURS.toNanos(1);
        }

        @Override
        public void drain() {}

        @Override
        public boolean isIdle() {
            return false;
        }

        @Override
        public void closed() {}
    }

    @BeforeEach
    void start() throws IOException {
        Host host = new Host(List.of(), Limits.DEFAULT.withPreambleTimeout(Duration.ofMillis(1)), threads, new Host.Watchers(null, List.of(), null));
        loop = new EventLoop(threads);
        port = new ServerPort(host, List.of(loop), LOCAL, new ServerPort.Offer(true, null, null, true, false));
        listener = ServerSocketChannel.open().bind(LOCAL);
    }

    @AfterEach
    void stop() throws IOException {
        loop.close();
        port.drain();
        listener.close();
        threads.shutdownNow();
    }

    /** A client of a connection that is served by this protocol. */
    private SocketChannel open(Function<ServerConnection, ServerConnection.Protocol> protocol) throws IOException {
        SocketChannel client = SocketChannel.open(listener.getLocalAddress());
        ServerConnection connection = new ServerConnection(port, loop, listener.accept());
        loop.execute(() -> connection.open(protocol.apply(connection)));
        return client;
    }

    private static void awaitAll(CountDownLatch latch) throws InterruptedException {
        assertTrue(latch.await(60, TimeUnit.SECONDS), "still to come: " + latch.getCount());
    }

    @Test
    void aConnectionWithEndlessInputLeavesOthersTheirTurn() throws Exception {
        CountDownLatch busy = new CountDownLatch(1);
        CountDownLatch looks = new CountDownLatch(2);
        CountDownLatch bytes = new CountDownLatch(3);
        loop.start();
        SocketChannel flood = open(connection -> new Silent() {
            @Override
            public boolean serve(boolean readable) {
                busy.countDown();
                connection.yieldToOthers();
                return true;
            }

            @Override
            public long look(long now) {
                looks.countDown();
                return now;
            }
        });
        flood.write(ByteBuffer.allocate(1));
        awaitAll(busy);
        SocketChannel other = open(connection -> new Silent() {
            @Override
            public boolean serve(boolean readable) throws IOException {
                for (int n = connection.read(new byte[1], 0, 1); n > 0; n = connection.read(new byte[1], 0, 1)) {
                    bytes.countDown();
                }
                return true;
            }
        });
        for (int i = 0; i < 3; i++) {
            other.write(ByteBuffer.allocate(1));
        }
        awaitAll(bytes);
        awaitAll(looks);
        CountDownLatch task = new CountDownLatch(1);
        loop.execute(task::countDown);
        awaitAll(task);
    }

    /** The time of a preamble is over before the loop begins: one that has arrived by then is read, one that has not ends the connection. */
    @Test
    void aPreambleThatArrivedInTimeIsReadLate() throws Exception {
        SocketChannel prompt = open(connection -> new Greeting(connection, true));
        prompt.write(ByteBuffer.wrap(new byte[] {'C', 'R', 'E', 'O', 1, 0, 0, 0}));
        SocketChannel silent = open(connection -> new Greeting(connection, true));
        TimeUnit.MILLISECONDS.sleep(20);
        loop.start();
        ByteBuffer answer = ByteBuffer.allocate(8);
        assertEquals(8, prompt.read(answer));
        assertEquals("CREO", new String(answer.array(), 0, 4, StandardCharsets.US_ASCII));
        assertEquals(-1, silent.read(ByteBuffer.allocate(1)));
    }
}
