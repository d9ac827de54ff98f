package creo.runtime;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import javax.net.ssl.SSLSocket;

/** The bytes of a client's connection, plain or through TLS: reading and writing wait for the peer. */
final class SocketLink extends TcpLink {
    private final Socket raw;
    private final Socket socket;
    private final InputStream in;
    private final OutputStream out;
    private final String peer;

    SocketLink(Socket raw, Socket socket) throws IOException {
        this.raw = raw;
        this.socket = socket;
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
