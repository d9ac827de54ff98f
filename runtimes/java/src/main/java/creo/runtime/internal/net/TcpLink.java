package creo.runtime.internal.net;

import java.io.IOException;
import java.net.InetAddress;

/** The bytes of one connection over TCP, as frames need them. */
public abstract class TcpLink {
    public static final String[] TLS_VERSIONS = {"TLSv1.3", "TLSv1.2"};

    /** An address as messages show it. */
    public static String text(InetAddress host, int port) {
        String address = host.getHostAddress();
        return (address.indexOf(':') >= 0 ? "[" + address + "]" : address) + ":" + port;
    }

    /** The address of the other side. */
    public abstract String peer();

    public abstract boolean isTls();

    /** Reads at least one byte, and waits for it; -1 at the end. */
    public abstract int read(byte[] b, int from, int most) throws IOException;

    /** Sends bytes of an array that is used for other bytes afterwards. */
    public abstract void write(byte[] b, int from, int length) throws IOException;

    /** Sends bytes of an array that stays as it is. */
    public void writeKept(byte[] b, int from, int length) throws IOException {
        write(b, from, length);
    }

    /**
     * Fails if there is no room for a frame that may have to wait until the peer reads.
     *
     * @throws CreoException {@code overloaded}
     */
    public void checkRoom(int length) {}

    /** Wakes the thread that reads: for it, the connection ends here. Does not block. */
    public abstract void endInput();

    /** Tells the peer that nothing more comes. */
    public abstract void endOutput() throws IOException;

    /** Ends the connection, whatever is under way. Does not block, since it does not take leave in TLS. */
    public abstract void abort();
}
