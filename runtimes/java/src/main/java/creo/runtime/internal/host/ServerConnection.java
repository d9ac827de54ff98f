package creo.runtime.internal.host;

import java.io.IOException;
import java.net.InetAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import javax.net.ssl.SSLException;

/** An accepted connection on its {@link EventLoop}: its input and output, its timeouts, and the protocol found by its first bytes. */
final class ServerConnection {
    /** The protocol of a connection. All methods are called on the loop's driving thread. */
    interface Protocol {
        /**
         * Serves the received bytes.
         *
         * @param readable whether the link may have more to read
         * @return false if this thread has lost the loop and must not access its state
         */
        boolean serve(boolean readable) throws IOException;

        /** Continues after {@link #serve} returned while a method still runs on another thread. */
        default boolean resume() throws IOException {
            return true;
        }

        /** Does what is due and returns the time of the next look. */
        long look(long now);

        /** Accepts no further call, and ends the connection once the calls in progress are answered. */
        void drain() throws IOException;

        /** Whether the connection is idle. */
        boolean isIdle();

        /** Whether the peer may leave what it is sent for as long as it likes, since it is a stream (HTTP-36). The time of LIM-27 begins when that is over. */
        default boolean mayStall() {
            return false;
        }

        /** The peer has read enough of what it was sent to be sent more. */
        default void drained() throws IOException {}

        /** Called when the connection is closed; its calls are now useless. */
        void closed();
    }

    /** The time for the peer to read the last bytes before the connection is closed. */
    private static final long LINGER_TIME = 250_000_000L;
    private static final System.Logger LOG = System.getLogger("creo.runtime");

    final ServerPort port;
    final EventLoop loop;
    final InetAddress address;
    final Host.Source source;
    private final SocketChannel channel;
    private final ServerOutput out;
    private final long acceptedAt = System.nanoTime();
    private final AtomicBoolean closed = new AtomicBoolean();
    private volatile ServerLink link;
    private SelectionKey key;
    private Protocol protocol;
    private volatile boolean wantsWritable;
    /** The thread that reads a long message and waits for its bytes, or null. */
    private volatile Thread waiter;
    private volatile boolean streaming;
    private volatile boolean readable;
    /** When the connection was last found busy, and whether it has been used since. */
    private long idleSince = acceptedAt;
    /** Up to when the peer was last known to be allowed to stall. */
    private long stallUntil = acceptedAt;
    private boolean used;
    private boolean lingering;
    private long lingerUntil;
    private byte[] waste;

    /** State of the loop: the connection's index, whether it is queued, and the operations for which it is ready. */
    int index = -1;
    boolean queued;
    int readyOps;

    ServerConnection(ServerPort port, EventLoop loop, SocketChannel channel) throws IOException {
        this.port = port;
        this.loop = loop;
        this.channel = channel;
        this.address = channel.socket().getInetAddress();
        this.link = new PlainLink(channel);
        this.out = new ServerOutput(this, port.host().memory(), port.host().limits().maxQueuedAnswers());
        this.source = new Host.Source(out);
    }

    /**
     * Starts serving. For the driving thread.
     *
     * @param first the protocol for the first bytes
     */
    void open(Protocol first) {
        protocol = first;
        try {
            channel.configureBlocking(false);
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            port.keepAlive(channel);
            key = loop.register(this, channel);
        } catch (IOException | RuntimeException | Error e) {
            failed(e);
        }
    }

    ServerLink link() {
        return link;
    }

    ServerOutput out() {
        return out;
    }

    String peer() {
        return link.peer();
    }

    long acceptedAt() {
        return acceptedAt;
    }

    /** Switches to another protocol. */
    void speak(Protocol next) {
        protocol = next;
        used();
    }

    /** Switches to another link. */
    void secure(ServerLink secure) {
        link = secure;
    }

    /** Serves what is ready; false if this thread has lost the loop. Called by the loop. */
    boolean run() {
        int ops = readyOps;
        readyOps = 0;
        if (closed.get()) {
            return true;
        }
        try {
            if ((ops & SelectionKey.OP_WRITE) != 0) {
                flush();
            }
            boolean hasInput = (ops & SelectionKey.OP_READ) != 0;
            if (streaming) {
                if (hasInput) {
                    interest(SelectionKey.OP_READ, false);
                    readable = true;
                    LockSupport.unpark(waiter);
                }
                return true;
            }
            return lingering ? discard() : protocol.serve(hasInput);
        } catch (SSLException e) {
            LOG.log(System.Logger.Level.INFO, "connection of {0}: no TLS: {1}", peer(), ServerTls.explain(e));
            lingerAfterAlert();
            return true;
        } catch (IOException | RuntimeException | Error e) {
            failed(e);
            return true;
        }
    }

    /** Continues while a method of this connection runs on another thread. Called by the loop. */
    boolean resume() {
        if (closed.get()) {
            return true;
        }
        try {
            return protocol.resume();
        } catch (IOException | RuntimeException | Error e) {
            failed(e);
            return true;
        }
    }

    /** Makes the loop serve the connection soon, as if it were readable. Callable from any thread. */
    void wakeUp() {
        loop.execute(() -> {
            readyOps |= SelectionKey.OP_READ;
            if (index >= 0) {
                loop.enqueue(this);
            }
        });
    }

    /** As {@link #wakeUp}, on the driving thread: other connections come first. */
    void yieldToOthers() {
        readyOps |= SelectionKey.OP_READ;
        loop.enqueue(this);
    }

    /** Reads the available bytes: returns the count, 0 for none now, -1 at the end. For the driving or the streaming thread. */
    int read(byte[] b, int from, int max) throws IOException {
        int n = link.read(b, from, max);
        if (n == 0 && link.isTls()) {
            Runnable task = link.task();
            if (task != null) {
                runTask(task);
            }
            if (link.hasPendingOutput()) {
                out.flushLink();
                if (task == null && !link.takesInput()) {
                    // Until the output is sent; flush then continues.
                    reading(false);
                }
            }
        }
        return n;
    }

    private void runTask(Runnable task) {
        reading(false);
        port.host().readers().execute(() -> {
            try {
                task.run();
            } finally {
                reading(true);
                wakeUp();
            }
        });
    }

    /** Turns watching for input on or off. Callable from any thread. */
    void reading(boolean on) {
        interest(SelectionKey.OP_READ, on);
    }

    private void interest(int op, boolean on) {
        try {
            int before = on ? key.interestOpsOr(op) : key.interestOpsAnd(~op);
            if (on && (before & op) == 0) {
                loop.wake();
            }
        } catch (CancelledKeyException e) {
            // The connection has ended.
        }
    }

    /** The socket did not accept all output at once. Callable from any thread. */
    void wantWritable() {
        if (!wantsWritable) {
            wantsWritable = true;
            interest(SelectionKey.OP_WRITE, true);
        }
    }

    private void flush() throws IOException {
        wantsWritable = false;
        if (out.flush()) {
            interest(SelectionKey.OP_WRITE, false);
            if (wantsWritable) {
                // Another thread has just added output.
                interest(SelectionKey.OP_WRITE, true);
            }
        } else {
            wantsWritable = true;
        }
        boolean drained = out.hasDrained();
        if (drained) {
            Host.resume(source);
            protocol.drained();
        }
        if ((drained || link.isTls() && link.takesInput()) && !streaming) {
            reading(true);
            yieldToOthers();
        }
    }

    /** From now on one other thread reads, by {@link #await}, until {@link #endStreaming}. */
    void beginStreaming() {
        streaming = true;
    }

    boolean isStreaming() {
        return streaming;
    }

    /** Ends {@link #beginStreaming} on the driving thread, which continues to serve this connection. */
    void keepServing() {
        streaming = false;
    }

    /** Returns reading to the loop. */
    void endStreaming() {
        loop.execute(() -> {
            streaming = false;
            waiter = null;
            reading(true);
            readyOps |= SelectionKey.OP_READ;
            if (index >= 0) {
                loop.enqueue(this);
            }
        });
    }

    /** Waits on the streaming thread until input is available. */
    void await() throws IOException {
        waiter = Thread.currentThread();
        readable = false;
        reading(true);
        while (!readable) {
            if (closed.get()) {
                throw new IOException("the connection was closed");
            }
            LockSupport.park(this);
            // An interrupt has no meaning here: no method runs yet.
            Thread.interrupted();
        }
    }

    /** Does what is due and returns the time of the next look. Called by the loop. */
    long look(long now) {
        Host host = port.host();
        long next = now + host.limits().writeTimeout().toNanos();
        if (closed.get()) {
            return next;
        }
        try {
            if (protocol.mayStall()) {
                stallUntil = now;
            }
            long waiting = out.waitingSince();
            long patience = host.limits().writeTimeout().toNanos();
            if (waiting != 0 && now - waiting >= patience && now - stallUntil >= patience) {
                LOG.log(System.Logger.Level.INFO, "connection of {0} closed: it does not read what it is sent (writeTimeout)", peer());
                close();
                return next;
            }
            if (lingering) {
                if (now - lingerUntil >= 0 && out.hasEnded()) {
                    close();
                }
                return Math.max(lingerUntil, now + LINGER_TIME / 4);
            }
            if (used || !protocol.isIdle()) {
                used = false;
                idleSince = now;
            }
            return protocol.look(now);
        } catch (RuntimeException | Error e) {
            failed(e);
            return next;
        }
    }

    /** Notes that a call has started or ended: the connection was used since the last look, though it may now be idle. For the driving thread. */
    void used() {
        used = true;
    }

    /** Since when the connection has been idle, as of the last look; before the first look, its time of acceptance. */
    long idleSince() {
        return idleSince;
    }

    /** Whether it is idle and has been since the last look. */
    boolean isIdle() {
        return !used && protocol.isIdle();
    }

    /** Accepts no further call, and ends when those in progress are answered. For the driving thread. */
    void drain() {
        try {
            if (protocol != null && !closed.get() && !lingering) {
                protocol.drain();
            }
        } catch (IOException | RuntimeException | Error e) {
            failed(e);
        }
    }

    /** Ends the output, and closes the connection once the peer has had time to read it. For the driving thread. */
    void linger() throws IOException {
        if (lingering) {
            return;
        }
        lingering = true;
        lingerUntil = System.nanoTime() + LINGER_TIME;
        loop.expectLook(lingerUntil);
        protocol.closed();
        out.end();
        discard();
    }

    private void lingerAfterAlert() {
        try {
            linger();
        } catch (IOException | RuntimeException | Error e) {
            failed(e);
        }
    }

    boolean isLingering() {
        return lingering;
    }

    /** Reads and discards the input, so that closing does not revoke what was just sent. */
    private boolean discard() throws IOException {
        if (waste == null) {
            waste = new byte[8_192];
        }
        for (int i = 0; i < 16; i++) {
            int n = link.read(waste, 0, waste.length);
            if (n < 0) {
                close();
                return true;
            }
            if (n == 0) {
                return true;
            }
        }
        return true;
    }

    /** Ends the connection because of a failure. */
    void failed(Throwable e) {
        if (e instanceof IOException || e instanceof RejectedExecutionException || e instanceof CancelledKeyException) {
            LOG.log(System.Logger.Level.DEBUG, "connection of {0}: {1}", peer(), e.getMessage());
        } else {
            log(e);
        }
        close();
    }

    private void log(Throwable e) {
        try {
            LOG.log(System.Logger.Level.ERROR, "connection of " + peer() + " failed", e);
        } catch (RuntimeException | Error again) {
            // No memory to log this.
        }
    }

    /** Ends the connection at once. Callable from any thread. */
    void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        port.forget(this);
        link.close();
        out.close();
        LockSupport.unpark(waiter);
        loop.execute(() -> {
            loop.remove(this);
            if (protocol != null) {
                protocol.closed();
            }
        });
    }
}
