package creo.runtime.internal.tcp;

import creo.runtime.ClientOptions;
import creo.runtime.CreoException;
import creo.runtime.ErrorCode;
import creo.runtime.Limits;
import creo.runtime.RawMessages;
import creo.runtime.codegen.Reader;
import creo.runtime.codegen.ServiceMethod;
import creo.runtime.internal.call.CallBodies;
import creo.runtime.internal.call.Errors;
import creo.runtime.internal.net.Deadlines;
import creo.runtime.internal.net.Monitor;
import creo.runtime.internal.net.TcpLink;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * A connection for one blocking call at a time: the calling thread writes once and reads once. When the deadline passes, the {@link Monitor} ends the
 * wait and the connection is given up.
 */
public final class TcpCaller implements Monitor.Watched, TcpInput.Control {
    private static final long NONE = Long.MAX_VALUE;
    /** Replaces the deadline when it has passed, or when the time for the server's preamble has. */
    private static final long OVER = Long.MAX_VALUE - 1;
    private static final long SILENT = Long.MAX_VALUE - 2;
    private static final long SELDOM = 100_000_000L;
    private static final long GRACE = 100_000_000L;
    /** How long to read from a server that does not accept the request. */
    static final long LAST_WORDS = 1_000_000_000L;

    private final TcpLink link;
    private final TcpInput in;
    private final TcpOutput out;
    private final Reader reader;
    private final String address;
    private final Limits limits;
    private final boolean compression;
    private final CallBodies bodies;
    private final RawMessages rawMessages;
    private final AtomicLong deadline = new AtomicLong(NONE);
    /** When the server's preamble is due (TCP-19); {@link #NONE} if it is not awaited. */
    private volatile long preambleDue = NONE;
    private volatile boolean reading;
    private volatile long overSince;
    private volatile boolean broken;
    private volatile long usedAt = System.nanoTime();
    private boolean greeted;
    private boolean drained;
    private int lastId;
    private int pong;

    public TcpCaller(TcpLink link, String address, ClientOptions options, CallBodies bodies) {
        this.link = link;
        this.address = address;
        this.limits = options.limits();
        this.compression = options.compression();
        this.bodies = bodies;
        this.rawMessages = options.rawMessages();
        this.in = new TcpInput(link, limits, this);
        this.out = new TcpOutput(link, limits);
        out.speak(bodies);
        out.keepInput();
        this.reader = new Reader(in, limits);
        Monitor.shared().add(this);
    }

    /**
     * Calls and waits for the answer until the deadline.
     *
     * @param onMetadata is given the metadata of the answer; or null
     */
    public <A, R> R call(ServiceMethod<A, R> method, A arguments, Map<String, String> metadata, long until, Consumer<Map<String, String>> onMetadata) throws Exception {
        int milliseconds = Deadlines.millisecondsLeft(until);
        if (milliseconds == 0) {
            throw Deadlines.exceeded(address);
        }
        TcpRaw raw = TcpRaw.of(rawMessages, bodies, method, address, limits);
        begin(until);
        boolean sent = false;
        try {
            TcpAnswer.send(out, nextId(), bodies, method, arguments, metadata, TcpOutput.NO_DEADLINE, milliseconds, null, raw);
            sent = true;
            if (method.isOneway()) {
                return null;
            }
            startReading();
            return receive(lastId, method, onMetadata, raw);
        } catch (IOException e) {
            broken = true;
            CreoException failure = lost(e);
            if (!sent && failure.code() == ErrorCode.UNAVAILABLE) {
                begin(Math.min(until, System.nanoTime() + LAST_WORDS));
                throw lastWords(method, failure, onMetadata, raw);
            }
            throw failure;
        } catch (CreoException e) {
            if (e.code() == ErrorCode.PROTOCOL_MISMATCH && !e.fromPeer()) {
                broken = true;
            }
            throw e;
        } catch (Error e) {
            broken = true;
            throw e;
        } finally {
            finish();
        }
    }

    private CreoException lost(IOException e) {
        if (deadline.get() == OVER) {
            if (!link.isTls()) {
                sendCancel();
            }
            return Deadlines.exceeded(address);
        }
        if (deadline.get() == SILENT) {
            return TcpAnswer.noPreamble(address, limits.connectTimeout());
        }
        if (Thread.currentThread().isInterrupted()) {
            return CreoException.ofRuntime(ErrorCode.CANCELLED, "the caller was interrupted", e);
        }
        return TcpAnswer.lost(address, e);
    }

    private void sendCancel() {
        try {
            out.control(TcpFrames.CANCEL, lastId);
        } catch (IOException e) {
            // The end of the connection shows it too.
        }
    }

    /** The server's error sent before it closed the connection, on which the request could not be written (TCP-20); otherwise {@code failure}. */
    private CreoException lastWords(ServiceMethod<?, ?> method, CreoException failure, Consumer<Map<String, String>> onMetadata, TcpRaw raw) {
        try {
            startReading();
            while (true) {
                nextFrame();
                if (in.kind() == TcpFrames.ERROR && (in.id() == 0 || in.id() == lastId)) {
                    Map<String, String> metadata = TcpAnswer.metadata(in, reader);
                    TcpRaw.beginBody(in.id() == 0 ? null : raw, in, reader, 0, metadata);
                    CreoException said = Errors.explain(Errors.decode(reader, link.peer()), method);
                    if (in.id() != 0 && onMetadata != null) {
                        onMetadata.accept(metadata);
                    }
                    return said;
                }
                if (in.kind() < TcpFrames.CANCEL) {
                    in.endBody();
                }
            }
        } catch (IOException | UncheckedIOException | TcpInput.ChainCancelled e) {
            return failure;
        } catch (CreoException e) {
            return e;
        }
    }

    private void begin(long until) {
        reading = false;
        deadline.set(until);
        Monitor.shared().expect(until);
    }

    private void startReading() {
        if (!greeted) {
            long due = System.nanoTime() + limits.connectTimeout().toNanos();
            preambleDue = due;
            Monitor.shared().expect(due);
        }
        reading = true;
    }

    private void finish() {
        usedAt = System.nanoTime();
        long until = deadline.getAndSet(NONE);
        // A decoder that failed with another exception has left the rest of its body unread.
        if (until == OVER || until == SILENT || in.isWithinBody()) {
            broken = true;
        }
        preambleDue = NONE;
    }

    private int nextId() {
        lastId = lastId == -1 ? 1 : lastId + 1;
        return lastId;
    }

    private <R> R receive(int id, ServiceMethod<?, R> method, Consumer<Map<String, String>> onMetadata, TcpRaw raw) throws Exception {
        while (true) {
            nextFrame();
            switch (in.kind()) {
                case TcpFrames.RESPONSE, TcpFrames.EXCEPTION, TcpFrames.ERROR -> {
                    boolean all = in.kind() == TcpFrames.ERROR && in.id() == 0;
                    if (in.id() != id && !all) {
                        in.endBody();
                        continue;
                    }
                    broken |= all;
                    try {
                        return TcpAnswer.read(in, reader, bodies, method, link.peer(), all ? null : onMetadata, all ? null : raw);
                    } catch (TcpInput.ChainCancelled e) {
                        // The following error says why.
                    }
                }
                case TcpFrames.CANCEL, TcpFrames.PING, TcpFrames.PONG, TcpFrames.GOODBYE -> control(in.kind(), in.id());
                default -> throw new TcpInput.BrokenFrames("a frame of the kind " + in.kind() + ", which a server does not send at this place");
            }
        }
    }

    private void nextFrame() throws IOException {
        if (!greeted) {
            TcpAnswer.greet(in, out, compression, address);
            greeted = true;
            preambleDue = NONE;
        }
        if (!in.next()) {
            throw new EOFException("the server closed it");
        }
    }

    @Override
    public void control(int kind, int id) throws IOException {
        switch (kind) {
            case TcpFrames.PING -> out.control(TcpFrames.PONG, id);
            case TcpFrames.PONG -> pong = id;
            case TcpFrames.GOODBYE -> drained = true;
            default -> { }
        }
    }

    /** Whether the next call may use this connection. */
    public boolean isUsable() {
        return !broken && !drained;
    }

    /** When the last call ended. */
    public long usedAt() {
        return usedAt;
    }

    /**
     * Whether the connection can be used again. Reads what has arrived meanwhile: after a goodbye, a call would be lost.
     *
     * @param asks whether the server must answer a ping, since it may have gone silently
     */
    public boolean answers(long until, boolean asks) {
        if (!greeted || !asks && isQuiet()) {
            return true;
        }
        begin(until);
        try {
            int number = asks ? nextId() : 0;
            if (asks) {
                out.control(TcpFrames.PING, number);
            }
            reading = true;
            while (asks ? pong != number : !isQuiet()) {
                nextFrame();
                switch (in.kind()) {
                    case TcpFrames.RESPONSE, TcpFrames.EXCEPTION, TcpFrames.ERROR -> {
                        // An error about the connection ends it (TCP-20).
                        broken |= in.kind() == TcpFrames.ERROR && in.id() == 0;
                        in.endBody();
                    }
                    case TcpFrames.CANCEL, TcpFrames.PING, TcpFrames.PONG, TcpFrames.GOODBYE -> control(in.kind(), in.id());
                    default -> broken = true;
                }
                if (!isUsable()) {
                    return false;
                }
            }
        } catch (IOException | RuntimeException e) {
            broken = true;
        } finally {
            finish();
        }
        return isUsable();
    }

    private boolean isQuiet() {
        return !in.hasBuffered() && !link.hasInput();
    }

    @Override
    public long look(long now) {
        long until = deadline.get();
        if (until == OVER || until == SILENT) {
            if (now - overSince >= GRACE) {
                link.abort();
            }
            return now + GRACE;
        }
        if (until == NONE) {
            if (now - usedAt > 1_000_000_000L) {
                out.trim();
            }
            return now + SELDOM;
        }
        long due = preambleDue;
        boolean isSilent = due != NONE && due - until < 0;
        long next = isSilent ? due : until;
        if (now - next < 0) {
            return next;
        }
        overSince = now;
        if (deadline.compareAndSet(until, isSilent ? SILENT : OVER)) {
            if (reading && !link.isTls()) {
                link.endInput();
            } else {
                link.abort();
            }
        }
        return now + GRACE;
    }

    public void close() {
        broken = true;
        Monitor.shared().remove(this);
        link.abort();
    }
}
