package creo.runtime.internal.tcp;

import creo.runtime.Limits;
import creo.runtime.codegen.Bytes;
import creo.runtime.internal.call.CallBodies;
import creo.runtime.internal.net.TcpLink;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/** The outgoing frames of a connection: from any thread, one message at a time, with control frames between its frames. */
public final class TcpOutput {
    static final long NO_DEADLINE = Long.MAX_VALUE;
    private static final long STUCK = 1_000_000L;

    private final TcpLink link;
    private final Limits limits;
    /** Held from the first frame of a message to its last. */
    private final ReentrantLock chain = new ReentrantLock();
    /** Held during one write. */
    private final ReentrantLock socket = new ReentrantLock();
    /** An unused message, kept for the next one. */
    private final AtomicReference<TcpMessage> spare = new AtomicReference<>();
    /** The call whose message is being sent; 0 for none. */
    private volatile int chainOwner;
    private boolean preambleSent;
    /** The wire in the preamble: the client's choice, and 0 for a server (TCP-1). */
    private int wire;
    private int abilities = TcpFrames.READS_COMPRESSED;
    private volatile boolean compresses;
    /** When the current write began; 0 for none. */
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

    /** Compresses large bodies from now on. */
    public void compress() {
        compresses = true;
    }

    boolean compresses() {
        return compresses;
    }

    /** Since when a write has been blocked; 0 if none is. For the watching thread. */
    long writingSince() {
        return writingSince;
    }

    /** When the preamble was sent; 0 before. For the watching thread. */
    long preambleSentAt() {
        return preambleSentAt;
    }

    /** From now on a failed write leaves the link open: its owner reads what the peer sent before it closed (TCP-20), then ends it. */
    void keepInput() {
        keepsInput = true;
    }

    /** Whether the current write has been blocked for a while: another one would wait too. */
    boolean isStuck() {
        long since = writingSince;
        return since != 0 && System.nanoTime() - since > STUCK;
    }

    /** A message to write, ended by {@link TcpMessage#finish} or {@link TcpMessage#drop}. */
    public TcpMessage message() {
        TcpMessage message = spare.getAndSet(null);
        return message != null ? message : new TcpMessage(this, limits);
    }

    void giveBack(TcpMessage message) {
        spare.lazySet(message);
    }

    /** Drops the kept message. */
    public void trim() {
        spare.lazySet(null);
    }

    /**
     * Waits until no other message is being sent.
     *
     * @param until the {@link System#nanoTime} of the deadline, or {@link #NO_DEADLINE}
     * @throws InterruptedIOException if it was interrupted, or the deadline has passed: nothing was sent
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
        // The owner comes first: a check of the deadline then finds either the owner, or that nothing is sent.
        chainOwner = id;
        if (until != NO_DEADLINE && until - System.nanoTime() <= 0) {
            endChain();
            throw new InterruptedIOException("the time for the call is over");
        }
    }

    /** Sends the preamble, unless frames were sent before (TCP-1). */
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

    /** Fails with {@code overloaded} if there is no room for a frame of this size. */
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

    /** The call whose message is being sent and cannot end without it; 0 for none. */
    int chainOwner() {
        return chainOwner;
    }

    /** Writes the frames in the buffer from index 8; before them there is room for the preamble. */
    void write(byte[] buffer, int to) throws IOException {
        write(buffer, TcpFrames.PREAMBLE, to);
    }

    /** Writes the frames in the buffer; the first ones of a connection begin at index 8. */
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

    /** Writes a frame whose body stays in the caller's memory. */
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
                // It is unknown how much of the frame was sent.
                failed = true;
                if (!keepsInput) {
                    link.abort();
                }
            }
        }
    }

    /**
     * Writes a frame of items: the bytes of the array from {@code from} to {@code to}, with room for the header before them.
     *
     * @param wanted whether it may be sent, asked when no message is being sent: the answer has not been
     */
    public void items(int id, byte[] buffer, int from, int to, int flags, BooleanSupplier wanted) throws IOException {
        checkRoom(to - from);
        int frame = from - TcpFrames.HEADER;
        TcpFrames.putHeader(buffer, frame, to - frame - 4, TcpFrames.ITEMS, flags, id);
        alone(id, buffer, frame, to, wanted);
    }

    /** Writes a credit. */
    public void credit(int id, int bytes, BooleanSupplier wanted) throws IOException {
        byte[] frame = new byte[TcpFrames.PREAMBLE + TcpFrames.HEADER + TcpFrames.CREDIT_BODY];
        TcpFrames.putHeader(frame, TcpFrames.PREAMBLE, TcpFrames.COUNTED_HEADER + TcpFrames.CREDIT_BODY, TcpFrames.CREDIT, 0, id);
        Bytes.putInt(frame, TcpFrames.PREAMBLE + TcpFrames.HEADER, bytes);
        alone(id, frame, TcpFrames.PREAMBLE, frame.length, wanted);
    }

    /** Writes a frame that must not be within a chain. */
    private void alone(int id, byte[] buffer, int from, int to, BooleanSupplier wanted) throws IOException {
        beginChain(id, NO_DEADLINE);
        try {
            if (wanted.getAsBoolean()) {
                write(buffer, from, to);
            }
        } finally {
            endChain();
        }
    }

    /** Writes a cancel, ping, pong or goaway. */
    public void control(int kind, int id) throws IOException {
        byte[] frame = new byte[TcpFrames.PREAMBLE + TcpFrames.HEADER];
        TcpFrames.putHeader(frame, TcpFrames.PREAMBLE, TcpFrames.COUNTED_HEADER, kind, 0, id);
        write(frame, frame.length);
    }
}
