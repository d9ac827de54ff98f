package creo.runtime;

import creo.runtime.internal.host.ServerLink;
import creo.runtime.internal.host.ServerTls;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

/** A TLS server for one connection, which one thread reads while another writes and then ends the output. */
final class TlsDuplex implements AutoCloseable {
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final ServerTls tls;
    private final byte[] down;
    private final ServerSocketChannel port = ServerSocketChannel.open();
    private final ByteArrayOutputStream received = new ByteArrayOutputStream();
    private final Thread reader = new Thread(this::read, "tls-reader");
    private volatile Thread writer;
    private SocketChannel channel;
    private ServerLink link;
    private Throwable failure;
    private boolean ended;

    TlsDuplex(ServerTls tls, byte[] down) throws IOException {
        this.tls = tls;
        this.down = down;
        port.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        reader.start();
    }

    int port() {
        return port.socket().getLocalPort();
    }

    /** The received data, once it has this size or the connection has ended. */
    synchronized byte[] received(int size) throws InterruptedException {
        while (received.size() < size && !ended) {
            wait();
        }
        return received.toByteArray();
    }

    /** What went wrong, once the connection has ended, or null. */
    synchronized Throwable failure() throws InterruptedException {
        while (!ended) {
            wait();
        }
        return failure;
    }

    @Override
    public void close() throws IOException {
        port.close();
        // A thread that waits at a selector does not notice that its channel was closed.
        reader.interrupt();
        try {
            reader.join();
            if (writer != null) {
                writer.interrupt();
                writer.join();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized void fail(Throwable e) {
        failure = failure == null ? e : failure;
    }

    private void read() {
        try (SocketChannel accepted = port.accept(); Selector selector = Selector.open()) {
            channel = accepted;
            channel.setOption(StandardSocketOptions.SO_SNDBUF, TlsRelay.SMALL);
            ByteBuffer first = ByteBuffer.allocate(1);
            channel.read(first);
            channel.configureBlocking(false);
            link = tls.link(channel, first.array(), 0, 1);
            byte[] b = new byte[70_000];
            SelectionKey key = channel.register(selector, SelectionKey.OP_READ);
            for (int n = link.read(b, 0, b.length); n >= 0; n = link.read(b, 0, b.length)) {
                take(b, n);
                if (link.isOpen() && writer == null) {
                    writer = new Thread(() -> write(selector), "tls-writer");
                    writer.start();
                }
                Runnable task = link.task();
                if (task != null) {
                    task.run();
                } else if (n == 0 && !link.hasBuffered()) {
                    waitFor(selector, key, writer != null);
                }
            }
            writer.join();
        } catch (Exception | Error e) {
            fail(e);
        } finally {
            synchronized (this) {
                ended = true;
                notifyAll();
            }
        }
    }

    private void waitFor(Selector selector, SelectionKey key, boolean writing) throws IOException {
        boolean flushes = !writing && link.hasPendingOutput();
        key.interestOps((link.takesInput() ? SelectionKey.OP_READ : 0) | (flushes ? SelectionKey.OP_WRITE : 0));
        selector.select();
        selector.selectedKeys().clear();
        if (flushes) {
            link.write(NOTHING);
        }
    }

    private synchronized void take(byte[] b, int n) {
        received.write(b, 0, n);
        notifyAll();
    }

    /** Wakes the reader when something has left, since it may wait for that. */
    private void write(Selector readers) {
        try (Selector selector = Selector.open()) {
            channel.register(selector, SelectionKey.OP_WRITE);
            ByteBuffer from = ByteBuffer.wrap(down);
            while (!link.write(from)) {
                readers.wakeup();
                waitFor(selector);
            }
            if (!link.endOutput()) {
                do {
                    readers.wakeup();
                    waitFor(selector);
                } while (!link.write(NOTHING));
            }
            readers.wakeup();
        } catch (IOException | RuntimeException | Error e) {
            fail(e);
        }
    }

    private static void waitFor(Selector selector) throws IOException {
        selector.select();
        selector.selectedKeys().clear();
    }
}
