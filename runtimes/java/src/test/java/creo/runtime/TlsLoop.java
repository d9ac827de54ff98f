package creo.runtime;

import creo.runtime.internal.host.ServerLink;
import creo.runtime.internal.host.ServerTls;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.security.cert.X509Certificate;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A server of one event loop. Its connections by TLS send back what they get, and end when their client ends. */
final class TlsLoop implements AutoCloseable {
    /** How a connection ended. */
    record Outcome(boolean open, long received, X509Certificate[] certificates, IOException failure) {}

    /** What makes the channel of a link out of that of the socket. */
    interface Wrapping {
        SocketChannel wrap(SocketChannel channel) throws IOException;
    }

    private static final int BACKLOG = 200_000;

    private final ServerTls tls;
    private final Wrapping wrapping;
    private final Selector selector = Selector.open();
    private final ServerSocketChannel port = ServerSocketChannel.open();
    private final Queue<Runnable> later = new ConcurrentLinkedQueue<>();
    private final ExecutorService tasks = Executors.newFixedThreadPool(2);
    private final BlockingQueue<Outcome> outcomes = new LinkedBlockingQueue<>();
    private final Thread thread = new Thread(this::run, "tls-loop");
    private volatile boolean closed;
    private volatile Throwable defect;

    TlsLoop(ServerTls tls) throws IOException {
        this(tls, channel -> channel);
    }

    TlsLoop(ServerTls tls, Wrapping wrapping) throws IOException {
        this.tls = tls;
        this.wrapping = wrapping;
        port.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        port.configureBlocking(false);
        port.register(selector, SelectionKey.OP_ACCEPT);
        thread.start();
    }

    int port() {
        return port.socket().getLocalPort();
    }

    /** How the next connection that ends has ended. */
    Outcome outcome() throws InterruptedException {
        Outcome outcome = outcomes.poll(60, TimeUnit.SECONDS);
        if (outcome == null) {
            throw new AssertionError("no connection has ended; the loop: " + defect);
        }
        return outcome;
    }

    @Override
    public void close() throws IOException {
        closed = true;
        selector.wakeup();
        try {
            thread.join(10_000);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        port.close();
        selector.close();
        tasks.shutdown();
        if (defect != null) {
            throw new AssertionError(defect);
        }
    }

    private void run() {
        try {
            while (!closed) {
                selector.select();
                for (Runnable task = later.poll(); task != null; task = later.poll()) {
                    task.run();
                }
                for (SelectionKey key : selector.selectedKeys()) {
                    if (key.isValid() && key.isAcceptable()) {
                        accept();
                    } else if (key.isValid()) {
                        ((Connection) key.attachment()).ready();
                    }
                }
                selector.selectedKeys().clear();
            }
            for (SelectionKey key : selector.keys()) {
                key.channel().close();
            }
        } catch (IOException | RuntimeException | Error e) {
            defect = e;
        }
    }

    private void accept() throws IOException {
        SocketChannel channel = port.accept();
        channel.configureBlocking(false);
        Connection connection = new Connection();
        connection.key = channel.register(selector, SelectionKey.OP_READ, connection);
    }

    /** One connection, as an event loop serves it. */
    private final class Connection {
        private final byte[] chunk = new byte[50_000];
        private final ByteBuffer out = ByteBuffer.allocate(BACKLOG + chunk.length).flip();
        private SelectionKey key;
        private ServerLink link;
        private long received;
        private boolean ended;
        private IOException failure;

        void ready() {
            try {
                if (link == null) {
                    begin();
                }
                if (flush()) {
                    pump();
                }
            } catch (IOException e) {
                fail(e);
            }
        }

        private void begin() throws IOException {
            ByteBuffer first = ByteBuffer.wrap(chunk, 3, 1_000);
            SocketChannel channel = (SocketChannel) key.channel();
            if (channel.read(first) <= 0) {
                throw new EOFException("nothing came");
            }
            link = tls.link(wrapping.wrap(channel), chunk, 3, first.position());
        }

        /** Sends what waits; false if the connection is closed. */
        private boolean flush() throws IOException {
            if (link.write(out) && ended && link.endOutput()) {
                close();
                return false;
            }
            return true;
        }

        private void pump() throws IOException {
            while (!ended && out.remaining() < BACKLOG) {
                int n = link.read(chunk, 0, chunk.length);
                if (n < 0) {
                    ended = true;
                    if (!flush()) {
                        return;
                    }
                } else if (n > 0) {
                    received += n;
                    out.compact().put(chunk, 0, n).flip();
                    if (!flush()) {
                        return;
                    }
                } else {
                    Runnable task = link.task();
                    if (task != null) {
                        tasks.execute(() -> {
                            task.run();
                            later.add(this::ready);
                            selector.wakeup();
                        });
                    }
                    if (!link.hasBuffered()) {
                        break;
                    }
                }
            }
            boolean writes = out.hasRemaining() || link.hasPendingOutput();
            boolean reads = !ended && out.remaining() < BACKLOG && link.takesInput();
            key.interestOps((reads ? SelectionKey.OP_READ : 0) | (writes ? SelectionKey.OP_WRITE : 0));
        }

        /** Leaves the peer the time to read why. */
        private void fail(IOException e) {
            boolean first = failure == null && !ended;
            failure = first ? e : failure;
            if (first && link != null) {
                out.clear().flip();
                try {
                    link.endOutput();
                    pump();
                    return;
                } catch (IOException lost) {
                    failure.addSuppressed(lost);
                }
            }
            close();
        }

        private void close() {
            try {
                key.channel().close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            boolean open = link != null && link.isOpen();
            outcomes.add(new Outcome(open, received, open ? link.peerCertificates() : null, failure));
        }
    }
}
