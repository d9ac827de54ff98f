package creo.runtime.internal.host;

import creo.runtime.internal.tcp.TcpFrames;
import creo.runtime.internal.tcp.TcpOutput;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicLong;

/** Answers the pings of a peer. While too much waits for the peer, only the last ping is kept: its pong answers those before it (TCP-14). */
final class Pongs {
    private static final long NO_PING = -1;

    private final ServerOutput queue;
    private final TcpOutput out;
    private final AtomicLong ping = new AtomicLong(NO_PING);

    Pongs(ServerOutput queue, TcpOutput out) {
        this.queue = queue;
        this.out = out;
    }

    /** Answers a ping, now or when the output has drained. Callable from any thread. */
    void answer(int id) throws IOException {
        ping.set(Integer.toUnsignedLong(id));
        // If it is full after that, it drains after that, too.
        if (!queue.isFull()) {
            drained();
        }
    }

    /** The peer has read enough. */
    void drained() throws IOException {
        long id = ping.getAndSet(NO_PING);
        if (id != NO_PING) {
            out.control(TcpFrames.PONG, (int) id);
        }
    }
}
