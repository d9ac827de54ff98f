package creo.runtime.internal.host;

import creo.runtime.internal.net.TcpLink;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SocketChannel;
import java.security.cert.X509Certificate;

/** The bytes of an accepted connection with a non-blocking channel. One thread reads at a time and one writes; reading and writing may overlap. */
public abstract class ServerLink implements PeerIdentity {
    /** For each thread the JDK keeps a direct buffer as large as the largest chunk it has read or written. */
    static final int MAX_CHUNK = 128 * 1_024;

    private final SocketChannel channel;
    private final String peer;

    ServerLink(SocketChannel channel) throws IOException {
        this.channel = channel;
        InetSocketAddress address = (InetSocketAddress) channel.getRemoteAddress();
        if (address == null) {
            throw new ClosedChannelException();
        }
        this.peer = TcpLink.text(address.getAddress(), address.getPort());
    }

    final SocketChannel channel() {
        return channel;
    }

    /** The peer's address. */
    final String peer() {
        return peer;
    }

    /** Reads available bytes into b[from, from + max): returns the count, 0 for none now, -1 at the end of the peer's bytes. */
    public abstract int read(byte[] b, int from, int max) throws IOException;

    /** Whether another {@link #read} may return something without new bytes from the socket. For the reading thread. */
    public abstract boolean hasBuffered();

    /**
     * Whether {@link #read} takes bytes from the socket. It does not while a {@link #task} is due, or while bytes must first be sent by {@link
     * #write}: waiting until the socket is readable is then pointless. For the reading thread.
     */
    public abstract boolean takesInput();

    /**
     * Takes bytes from the buffer and sends what the socket accepts now. True if the buffer is empty and everything was sent. Otherwise call again
     * when the socket is writable, with the same buffer if it still has bytes, else with an empty one. Before {@link #isOpen} it takes nothing from
     * the buffer.
     */
    public abstract boolean write(ByteBuffer from) throws IOException;

    /** Whether bytes wait for the socket to become writable, including a protocol's answer that {@link #read} could not send. */
    public abstract boolean hasPendingOutput();

    /**
     * Work to be done, on a thread that may block, before more can be read; null if there is none. It is returned once. {@link #read} returns 0 until
     * it has run, and must then be called, regardless of {@link #hasBuffered}.
     */
    public abstract Runnable task();

    /** Whether the handshake is done; always true without TLS. */
    public abstract boolean isOpen();

    /** Ends the output; as with {@link #write}, false means to call write with an empty buffer when writable. */
    public abstract boolean endOutput() throws IOException;

    @Override
    public X509Certificate[] peerCertificates() {
        return null;
    }

    abstract boolean isTls();

    /** The local address that the peer connected to. */
    final InetSocketAddress local() {
        return (InetSocketAddress) channel.socket().getLocalSocketAddress();
    }

    /** Ends the connection at once. */
    final void close() {
        try {
            channel.close();
        } catch (IOException e) {
            // It is useless in any case.
        }
    }
}
