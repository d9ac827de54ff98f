package creo.runtime.internal.host;

import static org.junit.jupiter.api.Assertions.assertEquals;

import creo.runtime.Limits;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Connections that share one thread (LIM-40). */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class EventLoopTest {
    private static final InetSocketAddress LOCAL = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    private static final byte[] PREAMBLE = HexFormat.of().parseHex("4352454f01000000");
    private static final byte[] CANCEL = HexFormat.of().parseHex("00000006060000000007");
    private static final byte[] REQUEST = "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    private final ExecutorService threads = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task);
        thread.setDaemon(true);
        return thread;
    });
    private EventLoop loop;
    private ServerPort port;
    private ServerSocketChannel listener;
    private volatile boolean over;

    /** A peer that has always sent more, and takes what it is sent. */
    private final class Endless extends ServerLink {
        private final CountDownLatch reads;
        private final byte[] block;
        private byte[] rest;
        private int at;

        Endless(SocketChannel channel, byte[] first, byte[] block, CountDownLatch reads) throws IOException {
            super(channel);
            this.rest = first;
            this.block = block;
            this.reads = reads;
        }

        @Override
        public int read(byte[] b, int from, int max) {
            reads.countDown();
            for (int i = 0; i < max; i++) {
                if (at == rest.length) {
                    rest = block;
                    at = 0;
                }
                b[from + i] = rest[at++];
            }
            return over ? -1 : max;
        }

        @Override
        public boolean hasBuffered() {
            return true;
        }

        @Override
        public boolean takesInput() {
            return true;
        }

        @Override
        public boolean write(ByteBuffer from) {
            from.position(from.limit());
            return true;
        }

        @Override
        public boolean hasPendingOutput() {
            return false;
        }

        @Override
        public Runnable task() {
            return null;
        }

        @Override
        public boolean isOpen() {
            return true;
        }

        @Override
        public boolean endOutput() {
            return true;
        }

        @Override
        boolean isTls() {
            return false;
        }
    }

    private void prepare(Limits limits) throws IOException {
        Host host = new Host(List.of(), limits, threads, new Host.Watchers(null, List.of()));
        HttpService http = new HttpService(host, Map.of(), Set.of(), false);
        loop = new EventLoop(threads);
        port = new ServerPort(host, List.of(loop), LOCAL, new ServerPort.Offer(true, http, null, true, false));
        listener = ServerSocketChannel.open().bind(LOCAL);
    }

    @AfterEach
    void stop() throws IOException {
        over = true;
        loop.close();
        port.drain();
        listener.close();
        threads.shutdownNow();
    }

    /** What makes another link of that of a connection. */
    private interface Linking {
        ServerLink of(SocketChannel channel) throws IOException;
    }

    /** Connects a client that has sent these bytes. */
    private SocketChannel open(byte[] sent, Linking linking) throws IOException {
        SocketChannel client = SocketChannel.open(listener.getLocalAddress());
        client.write(ByteBuffer.wrap(sent));
        ServerConnection connection = new ServerConnection(port, loop, listener.accept());
        connection.secure(linking.of(connection.link().channel()));
        loop.execute(() -> connection.open(new Greeting(connection, true)));
        return client;
    }

    private static void assertGreets(SocketChannel client) throws IOException {
        ByteBuffer answer = ByteBuffer.allocate(8);
        assertEquals(8, client.read(answer));
        assertEquals("CREO", new String(answer.array(), 0, 4, StandardCharsets.US_ASCII));
    }

    @ParameterizedTest
    @ValueSource(strings = {"cancels", "requests"})
    void aConnectionWithEndlessInputLeavesOthersTheirTurn(String input) throws Exception {
        boolean creo = input.equals("cancels");
        CountDownLatch reads = new CountDownLatch(1_000);
        prepare(Limits.DEFAULT.withPreambleTimeout(Duration.ofSeconds(100)));
        loop.start();
        open(new byte[1], channel -> new Endless(channel, creo ? PREAMBLE : REQUEST, creo ? CANCEL : REQUEST, reads));
        reads.await();
        assertGreets(open(PREAMBLE, PlainLink::new));
    }

    /** The time of a preamble is over before the loop begins: one that has arrived by then is read, one that has not ends the connection. */
    @Test
    void aPreambleThatArrivedInTimeIsReadLate() throws Exception {
        prepare(Limits.DEFAULT.withPreambleTimeout(Duration.ofMillis(1)));
        SocketChannel prompt = open(PREAMBLE, PlainLink::new);
        SocketChannel silent = open(new byte[0], PlainLink::new);
        TimeUnit.MILLISECONDS.sleep(20);
        loop.start();
        assertGreets(prompt);
        assertEquals(-1, silent.read(ByteBuffer.allocate(1)));
    }
}
