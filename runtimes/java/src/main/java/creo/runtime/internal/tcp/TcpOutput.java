package creo.runtime.internal.tcp;

import creo.runtime.Limits;
import creo.runtime.internal.call.CallBodies;
import creo.runtime.internal.net.TcpLink;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;

/** The frames that go out on a connection: from any thread, one chain at a time, with control frames between its frames. */
public final class TcpOutput {
    static final long NO_DEADLINE = Long.MAX_VALUE;
    private static final long STUCK = 1_000_000L;

    private final TcpLink link;
    private final Limits limits;
    /** Held from the first frame of a chain to its last. */
    private final ReentrantLock chain = new ReentrantLock();
    /** Held for one write. */
    private final ReentrantLock socket = new ReentrantLock();
    /** A message that is not in use, for the next one to be written. */
    private final AtomicReference<TcpMessage> spare = new AtomicReference<>();
    /** The call whose chain is being sent; 0 if none is. */
    private volatile int chainOwner;
    private boolean preambleSent;
    /** The wire that the preamble names: what the client chooses, and of a server 0 (TCP-1). */
    private int wire;
    private int abilities = TcpFrames.READS_COMPRESSED;
    private volatile boolean compresses;
    /** When the write that is under way began; 0 while there is none. */
    private volatile long writingSince;
    /** When the preamble was sent; 0 before. */
    private volatile long preambleSentAt;
    /** Whether the link stays open for its reader when a write fails. */
    private boolean keepsInput;
    private boolean failed;

    public TcpOutput(TcpLink link, Limits limits) {
        this.link = link;
        this.limits = limits;
    }

    /** From now on, large bodies are compressed. */
    public void compress() {
        compresses = true;
    }

    boolean compresses() {
        return compresses;
    }

    /** Since when a write has been blocked; 0 if none is. For the thread that watches. */
    long writingSince() {
        return writingSince;
    }

    /** When the preamble was sent; 0 before. For the thread that watches. */
    long preambleSentAt() {
        return preambleSentAt;
    }

    /** From now on a write that fails leaves the link open: its owner reads what the peer said before it closed (TCP-20), and ends it then. */
    void keepInput() {
        keepsInput = true;
    }

    /** Whether the write that is under way has been blocked for a while: another one would wait, too. */
    boolean isStuck() {
        long since = writingSince;
        return since != 0 && System.nanoTime() - since > STUCK;
    }

    /** A message to write; {@link TcpMessage#finish} or {@link TcpMessage#drop} ends it. */
    public TcpMessage message() {
        TcpMessage message = spare.getAndSet(null);
        return message != null ? message : new TcpMessage(this, limits);
    }

    void giveBack(TcpMessage message) {
        spare.lazySet(message);
    }

    /** Drops what is kept for the next message. */
    public void trim() {
        spare.lazySet(null);
    }

    /**
     * Waits until no other chain is being sent.
     *
     * @param until the {@link System#nanoTime} of its end, or {@link #NO_DEADLINE}
     * @throws InterruptedIOException when it was interrupted, or the time is over: nothing was sent
     */
    void beginChain(int id, long until) throws InterruptedIOException {
        if (until == NO_DEADLINE) {
            chain.lock();
        } else if (!chain.tryLock()) {
            try {
                if (!chain.tryLock(until - System.nanoTime(), TimeUnit.NANOSECONDS)) {
                    throw new InterruptedIOException("the time for the call is over");
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new InterruptedIOException("the caller was interrupted");
            }
        }
        // Its owner first: whoever looks at the deadline finds either the owner, or that nothing is sent.
        chainOwner = id;
        if (until != NO_DEADLINE && until - System.nanoTime() <= 0) {
            endChain();
            throw new InterruptedIOException("the time for the call is over");
        }
    }

    /** Sends the preamble, unless frames have gone before (TCP-1). */
    public void greet() throws IOException {
        byte[] preamble = new byte[TcpFrames.PREAMBLE];
        socket.lock();
        try {
            if (!preambleSent) {
                preambleSent = true;
                TcpFrames.putPreamble(preamble, 0, abilities, wire);
                send(preamble, 0, preamble.length, false);
            }
        } finally {
            socket.unlock();
        }
    }

    /** Fails with {@code overloaded} if there is no room for a frame of so many bytes. */
    void checkRoom(int length) {
        link.checkRoom(length);
    }

    /** Lets the preamble be that of a client, which names a wire and reads metadata of answers. */
    void speak(CallBodies bodies) {
        wire = bodies.number;
        abilities |= TcpFrames.READS_METADATA;
    }

    void endChain() {
        chainOwner = 0;
        chain.unlock();
    }

    /** The call whose chain is being sent, which cannot end without it; 0 if none is. */
    int chainOwner() {
        return chainOwner;
    }

    /** Writes frames that stand in the buffer from index 8 on: before it, there is room for the preamble. */
    void write(byte[] buffer, int to) throws IOException {
        write(buffer, TcpFrames.PREAMBLE, to);
    }

    /** Writes frames that stand in the buffer; the first ones of a connection at index 8. */
    void write(byte[] buffer, int from, int to) throws IOException {
        socket.lock();
        try {
            if (!preambleSent) {
                preambleSent = true;
                TcpFrames.putPreamble(buffer, 0, abilities, wire);
                from = 0;
                preambleSentAt = System.nanoTime() | 1;
            }
            send(buffer, from, to - from, false);
        } finally {
            socket.unlock();
        }
    }

    /** Writes a frame whose body stays in memory of the caller. */
    void write(byte[] header, int to, byte[] body, int from, int length) throws IOException {
        socket.lock();
        try {
            write(header, to);
            send(body, from, length, true);
        } finally {
            socket.unlock();
        }
    }

    private void send(byte[] b, int from, int length, boolean kept) throws IOException {
        if (failed) {
            throw new IOException("what was sent before did not get through");
        }
        writingSince = System.nanoTime() | 1;
        boolean done = false;
        try {
            if (kept) {
                link.writeKept(b, from, length);
            } else {
                link.write(b, from, length);
            }
            done = true;
        } finally {
            writingSince = 0;
            if (!done) {
                // Nobody knows how much of the frame has left.
                failed = true;
                if (!keepsInput) {
                    link.abort();
                }
            }
        }
    }

    /** Writes a cancel, ping, pong or goodbye. */
    public void control(int kind, int id) throws IOException {
        byte[] frame = new byte[TcpFrames.PREAMBLE + TcpFrames.HEADER];
        TcpFrames.putHeader(frame, TcpFrames.PREAMBLE, TcpFrames.COUNTED_HEADER, kind, 0, id);
        write(frame, frame.length);
    }
}
