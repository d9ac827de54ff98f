package creo.runtime.internal.host;

import creo.runtime.internal.net.TcpLink;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SocketChannel;
import java.security.cert.X509Certificate;

/**
 * The bytes of one accepted connection, whose channel never blocks. One thread reads at a time; one thread writes at a time; reading and writing may happen at once.
 */
public abstract class ServerLink implements PeerIdentity {
    /** The JDK keeps for each thread a direct buffer of the size of the largest chunk that it read or wrote. */
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

    /** The address of the other side. */
    final String peer() {
        return peer;
    }

    /** Reads what is there into b[from, from + max): the count, 0 if nothing is there now, -1 at the end of the peer's bytes. */
    public abstract int read(byte[] b, int from, int max) throws IOException;

    /** Whether another {@link #read} may have something to return without anything from the socket. For the thread that reads. */
    public abstract boolean hasBuffered();

    /**
     * Whether {@link #read} takes bytes from the socket. It does not while a {@link #task} is to be done, or while bytes must leave by
     * {@link #write} first: then it makes no sense to wait until the socket is readable. For the thread that reads.
     */
    public abstract boolean takesInput();

    /**
     * Takes bytes from the buffer and sends what the socket takes now. True if the buffer is empty and all has left; otherwise call again
     * when the socket is writable, with the same buffer if it still has bytes, else with an empty one. Before {@link #isOpen} it takes
     * nothing from the buffer.
     */
    public abstract boolean write(ByteBuffer from) throws IOException;

    /** Whether bytes wait for the socket to become writable, be it that {@link #read} could not send an answer of the protocol. */
    public abstract boolean hasPendingOutput();

    /**
     * Work that must be done, on a thread that may take its time, before more can be read; null if there is none. It is handed out once;
     * {@link #read} returns 0 until it has run, and must be called then, whatever {@link #hasBuffered} says.
     */
    public abstract Runnable task();

    /** Whether the handshake is done; true at once without TLS. */
    public abstract boolean isOpen();

    /** Tells the peer that nothing more comes; as {@link #write}, false means to call write with an empty buffer when writable. */
    public abstract boolean endOutput() throws IOException;

    @Override
    public X509Certificate[] peerCertificates() {
        return null;
    }

    abstract boolean isTls();

    /** The address under which the peer has reached this host. */
    final InetSocketAddress local() {
        return (InetSocketAddress) channel.socket().getLocalSocketAddress();
    }

    /** Ends the connection at once. */
    final void close() {
        try {
            channel.close();
        } catch (IOException e) {
            // It is of no more use in any case.
        }
    }
}
