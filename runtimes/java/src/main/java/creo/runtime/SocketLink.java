package creo.runtime;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import javax.net.ssl.SSLSocket;

/** The bytes of a client's connection, plain or through TLS: reading and writing wait for the peer. */
final class SocketLink extends TcpLink {
    private final Socket raw;
    private final Socket socket;
    private final InputStream in;
    private final OutputStream out;
    private final String peer;
    private final boolean proxied;

    SocketLink(Socket raw, Socket socket) throws IOException {
        this(raw, socket, false);
    }

    /** @param proxied whether a proxy is in between */
    SocketLink(Socket raw, Socket socket, boolean proxied) throws IOException {
        this.raw = raw;
        this.socket = socket;
        this.proxied = proxied;
        this.in = socket.getInputStream();
        this.out = socket.getOutputStream();
        this.peer = text(raw.getInetAddress(), raw.getPort());
    }

    @Override
    String peer() {
        return peer;
    }

    @Override
    boolean isTls() {
        return socket instanceof SSLSocket;
    }

    /** Whether a proxy is in between. */
    boolean isProxied() {
        return proxied;
    }

    /**
     * Whether nothing has arrived, neither bytes nor the end of the connection. Does not block. If something has, this connection is of no more use. Only for
     * a link that has a channel.
     */
    boolean isQuiet() {
        try {
            SocketChannel channel = raw.getChannel();
            if (isTls() && in.available() > 0) {
                return false;
            }
            channel.configureBlocking(false);
            try {
                return channel.read(ByteBuffer.allocate(1)) == 0;
            } finally {
                channel.configureBlocking(true);
            }
        } catch (IOException e) {
            return false;
        }
    }

    @Override
    int read(byte[] b, int from, int most) throws IOException {
        return in.read(b, from, most);
    }

    @Override
    void write(byte[] b, int from, int length) throws IOException {
        out.write(b, from, length);
    }

    @Override
    void endInput() {
        try {
            raw.shutdownInput();
        } catch (IOException | UnsupportedOperationException e) {
            abort();
        }
    }

    @Override
    void endOutput() throws IOException {
        socket.shutdownOutput();
    }

    @Override
    void abort() {
        try {
            raw.close();
        } catch (IOException e) {
            // It is of no more use in any case.
        }
    }
}
