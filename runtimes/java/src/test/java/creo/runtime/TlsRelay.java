package creo.runtime;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;

/** Relays one TLS connection between a client and a server: counts its records, and disturbs it. */
final class TlsRelay implements AutoCloseable {
    /** The length of a record of TLS 1.3 that holds a key update: five bytes, one for the kind, 16 of padding as the JDK does it, 16 of the tag. */
    private static final int KEY_UPDATE_LENGTH = 38;
    private static final int APPLICATION_DATA = 23;
    /** A socket buffer so small that a server soon waits. */
    static final int SMALL = 65_536;
    /** More than any client sends. */
    private static final int MAX_AHEAD = 32_000_000;

    private final int serverPort;
    private final ServerSocket port = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    private final Records up = new Records();
    private final Records down = new Records();
    private volatile Socket client;
    private volatile Socket server;
    private volatile int cutAfter = Integer.MAX_VALUE;
    private volatile boolean resets;
    private volatile boolean changesNext;
    private volatile boolean readsAhead;

    TlsRelay(int serverPort) throws IOException {
        this.serverPort = serverPort;
        new Thread(this::run, "tls-relay-up").start();
    }

    int port() {
        return port.getLocalPort();
    }

    /** The client's first message. */
    static byte[] clientHello(SSLContext context, String version) throws IOException {
        SSLEngine engine = context.createSSLEngine();
        engine.setUseClientMode(true);
        engine.setEnabledProtocols(new String[] {version});
        ByteBuffer hello = ByteBuffer.allocate(engine.getSession().getPacketBufferSize());
        engine.wrap(ByteBuffer.allocate(0), hello);
        byte[] b = new byte[hello.flip().remaining()];
        hello.get(b);
        return b;
    }

    /** Ends the connection to the server after this many bytes from the client. */
    void cutAfter(int bytes, boolean reset) {
        resets = reset;
        cutAfter = bytes;
    }

    /** Ends the connection to the server. */
    void cut(boolean reset) throws IOException {
        if (reset) {
            server.setSoLinger(true, 0);
            server.close();
        } else {
            server.shutdownOutput();
        }
    }

    /** Changes the last byte of the client's next data. */
    void changeNext() {
        changesNext = true;
    }

    /** Takes everything from the next client at once, even if the server does not read it yet. */
    void readAhead() {
        readsAhead = true;
    }

    /** The bytes of the client but for its last record. */
    int lengthBeforeLastRecord() {
        return up.total - up.lastLength;
    }

    int keyUpdatesUp() {
        return up.keyUpdates.get();
    }

    int keyUpdatesDown() {
        return down.keyUpdates.get();
    }

    @Override
    public void close() throws IOException {
        port.close();
        closeBoth();
    }

    private void closeBoth() {
        for (Socket socket : new Socket[] {client, server}) {
            try {
                if (socket != null) {
                    socket.close();
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private void run() {
        try {
            client = port.accept();
            client.setTcpNoDelay(true);
            client.setSendBufferSize(SMALL);
            Socket other = new Socket();
            other.setReceiveBufferSize(SMALL);
            other.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), serverPort));
            other.setTcpNoDelay(true);
            server = other;
            new Thread(this::sendDown, "tls-relay-down").start();
            sendUp();
        } catch (IOException e) {
            // The client is gone, for the server, too; the test looks at both.
            closeBoth();
        }
    }

    private void sendUp() throws IOException {
        InputStream in = readsAhead ? readAhead(client.getInputStream()) : client.getInputStream();
        OutputStream out = server.getOutputStream();
        byte[] b = new byte[32_768];
        for (int n = in.read(b); n >= 0; n = in.read(b)) {
            if (changesNext) {
                b[n - 1] ^= 1;
                changesNext = false;
            }
            int left = Math.min(n, cutAfter - up.total);
            up.count(b, left);
            out.write(b, 0, left);
            if (left < n || up.total == cutAfter) {
                cut(resets);
                return;
            }
        }
        server.shutdownOutput();
    }

    private void sendDown() {
        byte[] b = new byte[32_768];
        try {
            InputStream in = server.getInputStream();
            for (int n = in.read(b); n >= 0; n = in.read(b)) {
                down.count(b, n);
                client.getOutputStream().write(b, 0, n);
            }
            client.shutdownOutput();
        } catch (IOException e) {
            // The server is gone, for the client, too; the test looks at both.
            closeBoth();
        }
    }

    /** The bytes of another stream, which a thread reads as they come. */
    private static InputStream readAhead(InputStream from) throws IOException {
        PipedOutputStream feed = new PipedOutputStream();
        PipedInputStream ahead = new PipedInputStream(feed, MAX_AHEAD);
        new Thread(() -> {
            byte[] b = new byte[32_768];
            try (feed) {
                for (int n = from.read(b); n >= 0; n = from.read(b)) {
                    feed.write(b, 0, n);
                    feed.flush();
                }
            } catch (IOException e) {
                // The client is gone, for the server, too; the test looks at both.
            }
        }, "tls-relay-ahead").start();
        return ahead;
    }

    /** The records of one direction. */
    private static final class Records {
        private final AtomicInteger keyUpdates = new AtomicInteger();
        private final byte[] head = new byte[5];
        private int headLength;
        private int left;
        private volatile int total;
        private volatile int lastLength;

        void count(byte[] b, int n) {
            for (int i = 0; i < n; ) {
                if (left > 0) {
                    int skipped = Math.min(left, n - i);
                    left -= skipped;
                    i += skipped;
                } else {
                    head[headLength++] = b[i++];
                    if (headLength == 5) {
                        headLength = 0;
                        left = (head[3] & 255) << 8 | head[4] & 255;
                        lastLength = left + 5;
                        if (head[0] == APPLICATION_DATA && left == KEY_UPDATE_LENGTH) {
                            keyUpdates.incrementAndGet();
                        }
                    }
                }
            }
            total += n;
        }
    }
}
