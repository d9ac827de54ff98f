package creo.runtime.internal.net;

import java.io.IOException;
import java.net.InetAddress;

/** The bytes of one TCP connection for frames. */
public abstract class TcpLink {
    public static final String[] TLS_VERSIONS = {"TLSv1.3", "TLSv1.2"};

    /** An address in the form for messages. */
    public static String text(InetAddress host, int port) {
        String address = host.getHostAddress();
        return (address.indexOf(':') >= 0 ? "[" + address + "]" : address) + ":" + port;
    }

    /** The peer's address. */
    public abstract String peer();

    public abstract boolean isTls();

    /** Reads at least one byte, blocking until it comes; -1 at the end. */
    public abstract int read(byte[] b, int from, int most) throws IOException;

    /** Whether there are bytes to read, as far as that is known without blocking. */
    public boolean hasInput() {
        return false;
    }

    /** Sends bytes of an array that is reused afterwards. */
    public abstract void write(byte[] b, int from, int length) throws IOException;

    /** Sends bytes of an array that does not change. */
    public void writeKept(byte[] b, int from, int length) throws IOException {
        write(b, from, length);
    }

    /**
     * Fails if there is no room for a frame that may have to be queued.
     *
     * @throws CreoException {@code overloaded}
     */
    public void checkRoom(int length) {}

    /** Wakes the reading thread, for which the connection ends here. Does not block. */
    public abstract void endInput();

    /** Ends the output. */
    public abstract void endOutput() throws IOException;

    /** Ends the connection in any state. Does not block, since it skips the closing handshake of TLS. */
    public abstract void abort();
}
