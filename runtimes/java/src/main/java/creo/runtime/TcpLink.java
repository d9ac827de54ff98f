package creo.runtime;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import javax.net.ssl.SSLSocket;

/** The bytes of one connection, plain or through TLS. */
final class TcpLink {
    private final Socket raw;
    private final Socket socket;
    private final InputStream in;
    private final OutputStream out;
    private final String peer;

    TcpLink(Socket raw, Socket socket) throws IOException {
        this.raw = raw;
        this.socket = socket;
        this.in = socket.getInputStream();
        this.out = socket.getOutputStream();
        this.peer = text(raw);
    }

    private static String text(Socket socket) {
        String address = socket.getInetAddress().getHostAddress();
        return (address.indexOf(':') >= 0 ? "[" + address + "]" : address) + ":" + socket.getPort();
    }

    /** The address of the other side. */
    String peer() {
        return peer;
    }

    boolean isTls() {
        return socket instanceof SSLSocket;
    }

    /** Reads at least one byte; -1 at the end. */
    int read(byte[] b, int from, int most) throws IOException {
        return in.read(b, from, most);
    }

    void write(byte[] b, int from, int length) throws IOException {
        out.write(b, from, length);
    }

    /** Wakes whoever reads: for it, the connection ends here. Does not block. */
    void endInput() {
        try {
            raw.shutdownInput();
        } catch (IOException | UnsupportedOperationException e) {
            abort();
        }
    }

    /** Tells the peer that nothing more comes. */
    void endOutput() throws IOException {
        socket.shutdownOutput();
    }

    /** Ends the connection, whatever is under way. Does not block, since it does not say good-bye in TLS. */
    void abort() {
        try {
            raw.close();
        } catch (IOException e) {
            // It is of no more use in any case.
        }
    }
}
