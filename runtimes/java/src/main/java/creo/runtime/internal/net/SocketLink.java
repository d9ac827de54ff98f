package creo.runtime.internal.net;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import javax.net.ssl.SSLSocket;

/** The bytes of a client's connection, with or without TLS; reading and writing block. */
public final class SocketLink extends TcpLink {
    private final Socket raw;
    private final Socket socket;
    private final InputStream in;
    private final OutputStream out;
    private final String peer;
    private final boolean proxied;

    public SocketLink(Socket raw, Socket socket) throws IOException {
        this(raw, socket, false);
    }

    /** @param proxied whether there is a proxy in between */
    SocketLink(Socket raw, Socket socket, boolean proxied) throws IOException {
        this.raw = raw;
        this.socket = socket;
        this.proxied = proxied;
        this.in = socket.getInputStream();
        this.out = socket.getOutputStream();
        this.peer = text(raw.getInetAddress(), raw.getPort());
    }

    @Override
    public String peer() {
        return peer;
    }

    @Override
    public boolean isTls() {
        return socket instanceof SSLSocket;
    }

    /** Whether there is a proxy in between. */
    public boolean isProxied() {
        return proxied;
    }

    /**
     * Whether nothing has arrived, neither bytes nor the end of the connection. Does not block. If something has, this connection is useless. Only
     * for a link with a channel.
     */
    public boolean isQuiet() {
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
    public int read(byte[] b, int from, int most) throws IOException {
        return in.read(b, from, most);
    }

    @Override
    public boolean hasInput() {
        try {
            return raw.getInputStream().available() > 0;
        } catch (IOException e) {
            return true;
        }
    }

    @Override
    public void write(byte[] b, int from, int length) throws IOException {
        out.write(b, from, length);
    }

    @Override
    public void endInput() {
        try {
            raw.shutdownInput();
        } catch (IOException | UnsupportedOperationException e) {
            abort();
        }
    }

    @Override
    public void endOutput() throws IOException {
        socket.shutdownOutput();
    }

    @Override
    public void abort() {
        try {
            raw.close();
        } catch (IOException e) {
            // It is useless in any case.
        }
    }
}
