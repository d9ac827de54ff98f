package creo.runtime;

import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import javax.net.ssl.SSLException;

/**
 * One connection of a client. A thread reads it; when a call comes while no other waits to be read, that thread runs the method itself,
 * so that a small call costs no handing over. If the method is not done within a moment, the {@link Monitor} gives the reading to
 * another thread, so that further calls, cancels and pings are served.
 */
final class TcpServerConnection implements Monitor.Watched, TcpInput.Control {
    private static final System.Logger LOG = System.getLogger("creo.runtime");

    /** Somebody reads, or is about to. */
    private static final int READING = 0;
    /** The reader runs a method; whoever changes this back reads on. */
    private static final int SERVING = 1;

    /** How long a method may keep its connection's reader. */
    private static final long MOMENT = 2_000_000L;
    private static final long SELDOM = 100_000_000L;
    private static final long LINGER = 250_000_000L;
    private static final long NEVER = Long.MAX_VALUE;

    private final TcpListener listener;
    private final Host host;
    private final Limits limits;
    private final Socket raw;
    private final Map<Integer, TcpServerCall<?, ?>> calls = new ConcurrentHashMap<>();
    /** Requests that came and were not answered yet, be it by an error. */
    private final AtomicInteger unanswered = new AtomicInteger();
    private final AtomicInteger role = new AtomicInteger(READING);
    private final AtomicBoolean closed = new AtomicBoolean();
    private final long acceptedAt = System.nanoTime();
    private volatile boolean greeted;
    private volatile boolean draining;
    private volatile boolean goodbyeSaid;
    private final AtomicBoolean outputEnded = new AtomicBoolean();
    private volatile boolean lingering;
    private volatile long lingerUntil;
    private volatile int served;
    private final AtomicLong nextDeadline = new AtomicLong(NEVER);
    private volatile long idleSince = System.nanoTime();
    private int seenServed = -1;
    private boolean trimmed;
    private volatile TcpLink link;
    private TcpInput in;
    private TcpOutput out;
    private TcpBodies bodies;
    private Reader reader;

    /** What a message says. */
    interface Body {
        void encode(Writer w);
    }

    TcpServerConnection(TcpListener listener, Socket raw) {
        this.listener = listener;
        this.host = listener.host();
        this.limits = host.limits();
        this.raw = raw;
    }

    /** Serves the connection from its first byte on. */
    void run() {
        try {
            raw.setTcpNoDelay(true);
            link = new TcpLink(raw, listener.secure(raw));
            in = new TcpInput(link, limits, this);
            out = new TcpOutput(link, limits);
            reader = new Reader(in, limits);
            greet();
        } catch (CreoException e) {
            LOG.log(System.Logger.Level.INFO, "connection of {0}: {1}", raw.getRemoteSocketAddress(), e.getMessage());
            close();
            return;
        } catch (SSLException e) {
            LOG.log(System.Logger.Level.INFO, "connection of {0}: no TLS: {1}", raw.getRemoteSocketAddress(), e.getMessage());
            close();
            return;
        } catch (IOException e) {
            LOG.log(System.Logger.Level.DEBUG, "connection of {0}: {1}", raw.getRemoteSocketAddress(), e.getMessage());
            close();
            return;
        } catch (RuntimeException | Error e) {
            close();
            LOG.log(System.Logger.Level.ERROR, "connection of " + raw.getRemoteSocketAddress() + " failed", e);
            return;
        }
        greeted = true;
        read();
    }

    private void greet() throws IOException {
        try {
            int abilities = in.preamble();
            if ((abilities & TcpFrames.READS_COMPRESSED) != 0 && listener.compression()) {
                out.compress();
            }
            bodies = TcpBodies.of(in.wire());
            if (bodies == null) {
                CreoException e = CreoException.ofRuntime(ErrorCode.PROTOCOL_MISMATCH,
                    "a client of the wire " + in.wire() + ", where this server speaks 0, the binary wire, and 1, tdxml");
                sendError(0, e);
                linger();
                throw e;
            }
        } catch (CreoException e) {
            if (in.looksLikeHttp()) {
                String text = "This port speaks the binary wire of Creo, version 1, not HTTP.\n";
                byte[] answer = ("HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain\r\nConnection: close\r\nContent-Length: " + text.length()
                    + "\r\n\r\n" + text).getBytes(StandardCharsets.US_ASCII);
                link.write(answer, 0, answer.length);
                linger();
            }
            throw e;
        }
    }

    /** Reads frames until the connection ends or another thread reads. */
    private void read() {
        try {
            while (in.next()) {
                switch (in.kind()) {
                    case TcpFrames.REQUEST -> {
                        if (!request()) {
                            return;
                        }
                    }
                    case TcpFrames.CANCEL, TcpFrames.PING, TcpFrames.PONG -> control(in.kind(), in.id());
                    default -> throw new TcpInput.BrokenFrames("a frame of the kind " + in.kind() + ", which a client does not send at this place");
                }
                if (lingering) {
                    break;
                }
            }
        } catch (TcpInput.BrokenFrames e) {
            LOG.log(System.Logger.Level.INFO, "connection of {0}: malformed: {1}", link.peer(), e.getMessage());
            sendError(0, CreoException.malformed(e.getMessage()));
            linger();
        } catch (IOException | UncheckedIOException e) {
            LOG.log(System.Logger.Level.DEBUG, "connection of {0}: {1}", link.peer(), e.getMessage());
        } catch (RuntimeException | Error e) {
            close();
            LOG.log(System.Logger.Level.ERROR, "connection of " + link.peer() + " failed", e);
            return;
        }
        if (lingering) {
            linger();
        }
        close();
    }

    /** Serves a request; false if another thread reads on. */
    private boolean request() throws IOException {
        long arrived = System.nanoTime();
        int id = in.id();
        long methodId = in.methodId();
        long milliseconds = in.timeLeft();
        // Before it is asked whether the server drains: whoever drains then waits for the answer.
        unanswered.incrementAndGet();
        if (id == 0 || calls.containsKey(id)) {
            throw new TcpInput.BrokenFrames("a request with the id " + (id & 0xffff_ffffL) + (id == 0 ? "" : ", which is under way"));
        }
        Host.Entry<?, ?> entry = host.find(methodId);
        TcpServerCall<?, ?> call;
        try {
            call = decode(entry, id, methodId, milliseconds, arrived);
        } catch (CreoException e) {
            // A oneway request is never answered, not even by an error (TCP-10).
            if (entry == null || !entry.binding().method().isOneway()) {
                sendError(id, e);
            }
            in.endBody();
            answered();
            return true;
        } catch (TcpInput.ChainCancelled e) {
            in.endBody();
            if (!entry.binding().method().isOneway()) {
                sendError(id, CreoException.ofRuntime(ErrorCode.CANCELLED, "the caller gave up"));
            }
            answered();
            return true;
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
        in.endBody();
        return serve(call);
    }

    private TcpServerCall<?, ?> decode(Host.Entry<?, ?> entry, int id, long methodId, long milliseconds, long arrived) {
        Map<String, String> metadata = Map.of();
        if (in.has(TcpFrames.METADATA)) {
            in.beginHead(reader);
            metadata = Metadata.read(reader, limits);
            in.endHead(reader);
        }
        if (draining) {
            throw CreoException.ofRuntime(ErrorCode.UNAVAILABLE, "the server is shutting down; nothing was started");
        }
        if (entry == null) {
            throw host.unknownMethod(methodId);
        }
        if (calls.size() >= limits.maxCallsPerConnection()) {
            throw Host.overloaded("maxCallsPerConnection", limits.maxCallsPerConnection());
        }
        return decode(entry, id, metadata, milliseconds, arrived);
    }

    private <A, R> TcpServerCall<A, R> decode(Host.Entry<A, R> entry, int id, Map<String, String> metadata, long milliseconds, long arrived) {
        TcpBodies.Request<A> request;
        try {
            in.beginBody(reader);
            request = bodies.readArguments(reader, in, limits, entry.binding().method());
        } catch (CreoException e) {
            throw reader.resolve(e);
        }
        return new TcpServerCall<>(this, id, entry, request, metadata, link.peer(), arrived + TimeUnit.MILLISECONDS.toNanos(milliseconds), milliseconds > 0);
    }

    /** Lets a call run, here if nothing waits to be read; false if another thread reads on. */
    private boolean serve(TcpServerCall<?, ?> call) {
        calls.put(call.id(), call);
        long deadline = call.deadlineOr(NEVER);
        if (deadline < nextDeadline.get()) {
            nextDeadline.accumulateAndGet(deadline, Math::min);
            Monitor.shared().expect(deadline);
        }
        // Calls that nobody waits for are run one after the other while they are short, so that they take effect in their order.
        if (!call.service().admit(call, !in.hasBuffered() || call.method().isOneway())) {
            return true;
        }
        served++;
        role.set(SERVING);
        Monitor.shared().expect(System.nanoTime() + MOMENT);
        call.runHere();
        return role.compareAndSet(SERVING, READING);
    }

    @Override
    public void control(int kind, int id) throws IOException {
        switch (kind) {
            case TcpFrames.PING -> out.control(TcpFrames.PONG, id);
            case TcpFrames.CANCEL -> {
                TcpServerCall<?, ?> call = calls.get(id);
                if (call != null && call.giveUp()) {
                    call.answerError(CreoException.ofRuntime(ErrorCode.CANCELLED, "the caller gave up"));
                }
            }
            case TcpFrames.PONG -> { }
            default -> throw new TcpInput.BrokenFrames("a goodbye, which only a server sends");
        }
    }

    /** Sends an error, if the connection still takes it. */
    void sendError(int id, CreoException e) {
        try {
            sendMessage(TcpFrames.ERROR, id, w -> Errors.encode(w, e));
        } catch (IOException | UncheckedIOException lost) {
            LOG.log(System.Logger.Level.DEBUG, "connection of {0}: {1}", link.peer(), lost.getMessage());
        }
    }

    /** Writes a message; if it cannot be written to its end, nothing of it is left behind. */
    void sendMessage(int kind, int id, Body body) throws IOException {
        TcpMessage message = out.message();
        boolean done = false;
        try {
            body.encode(message.begin(kind, id));
            done = true;
        } finally {
            if (!done) {
                message.drop();
            }
        }
        message.finish();
    }

    /** A call is about to be answered: from the answer on, the client may use its id again. */
    void forget(TcpServerCall<?, ?> call) {
        calls.remove(call.id(), call);
    }

    /** A call has been answered. */
    void answered() {
        if (unanswered.decrementAndGet() == 0 && goodbyeSaid) {
            host.run(this::endIfDrained);
        }
    }

    /** Ends the output once all is said: the goodbye, and the answers to the calls that came before it. */
    private void endIfDrained() {
        if (unanswered.get() == 0 && outputEnded.compareAndSet(false, true)) {
            endOutput();
        }
    }

    @Override
    public long look(long now) {
        try {
            return lookAtTimes(now);
        } catch (RuntimeException | Error e) {
            // There is no thread for what is due: the connection could neither be read nor its calls be answered.
            close();
            LOG.log(System.Logger.Level.ERROR, "connection of " + raw.getRemoteSocketAddress() + " failed", e);
            return now + SELDOM;
        }
    }

    private long lookAtTimes(long now) {
        if (closed.get()) {
            return now + SELDOM;
        }
        if (!greeted) {
            long until = acceptedAt + limits.preambleTimeout().toNanos();
            return now - until >= 0 ? cut("no preamble in time", now) : until;
        }
        if (lingering) {
            return now - lingerUntil >= 0 ? cut(null, now) : lingerUntil;
        }
        long next = Math.min(now + SELDOM, lookAtTimeouts(now));
        int serving = served;
        if (seenServed != serving) {
            // Busy: another look soon costs less than to be woken for the next call.
            seenServed = serving;
            next = now + MOMENT;
        } else if (role.get() == SERVING && role.compareAndSet(SERVING, READING)) {
            readOn();
        }
        long deadline = nextDeadline.get();
        if (deadline != NEVER) {
            next = Math.min(next, now - deadline >= 0 ? expire(now) : deadline);
        }
        return next;
    }

    /** Goes on reading on another thread. */
    private void readOn() {
        try {
            host.readers().execute(this::read);
        } catch (RejectedExecutionException e) {
            close();
        }
    }

    private long lookAtTimeouts(long now) {
        long frame = limits.frameTimeout().toNanos();
        long waiting = in.waitingSince();
        long writing = out.writingSince();
        if (waiting != 0 && now - waiting >= frame || writing != 0 && now - writing >= frame) {
            return cut("a message took too long", now);
        }
        if (unanswered.get() > 0 || waiting != 0) {
            idleSince = now;
            trimmed = false;
        } else if (!trimmed && now - idleSince > TimeUnit.SECONDS.toNanos(1)) {
            trimmed = true;
            out.trim();
        }
        if (limits.idleTimeout() != null && now - idleSince >= limits.idleTimeout().toNanos()) {
            return cut("idle for too long", now);
        }
        return now + SELDOM;
    }

    /** Ends the calls whose time is over; returns the next deadline. */
    private long expire(long now) {
        nextDeadline.set(NEVER);
        long next = NEVER;
        for (TcpServerCall<?, ?> call : calls.values()) {
            if (!call.isPast(now)) {
                next = Math.min(next, call.deadlineOr(NEVER));
            } else if (call.giveUp()) {
                host.run(() -> call.answerError(CreoException.ofRuntime(ErrorCode.DEADLINE_EXCEEDED, "the time for the call is over")));
            }
        }
        return Math.min(nextDeadline.accumulateAndGet(next, Math::min), now + SELDOM);
    }

    private long cut(String why, long now) {
        if (why != null) {
            LOG.log(System.Logger.Level.INFO, "connection of {0} closed: {1}", raw.getRemoteSocketAddress(), why);
        }
        abort();
        return now + SELDOM;
    }

    /** Starts no further call, and closes the connection when those under way are answered. */
    void drain() {
        if (!greeted) {
            abort();
            return;
        }
        draining = true;
        host.run(() -> {
            try {
                out.control(TcpFrames.GOODBYE, 0);
            } catch (IOException e) {
                abort();
            }
            goodbyeSaid = true;
            endIfDrained();
        });
    }

    /** Says that nothing more comes, and leaves the peer a moment to read what came. */
    private void endOutput() {
        startLingering();
        try {
            link.endOutput();
        } catch (IOException | UnsupportedOperationException e) {
            abort();
        }
    }

    private void startLingering() {
        lingerUntil = System.nanoTime() + LINGER;
        lingering = true;
        Monitor.shared().expect(lingerUntil);
    }

    /** Reads to the end without looking, so that the close does not take back what was just sent. The {@link Monitor} ends it. */
    private void linger() {
        startLingering();
        greeted = true;
        try {
            link.endOutput();
            byte[] waste = new byte[4_096];
            while (link.read(waste, 0, waste.length) >= 0) {
                // Nobody wants it.
            }
        } catch (EOFException e) {
            // The end, as hoped for.
        } catch (IOException | UnsupportedOperationException e) {
            LOG.log(System.Logger.Level.TRACE, "connection of {0}: {1}", link.peer(), e.getMessage());
        }
    }

    /** Ends the connection at once. Does not block; the reader finds out and cleans up. */
    void abort() {
        try {
            raw.close();
        } catch (IOException e) {
            LOG.log(System.Logger.Level.TRACE, "connection of {0}: {1}", raw.getRemoteSocketAddress(), e.getMessage());
        }
        if (role.compareAndSet(SERVING, READING)) {
            host.run(this::close);
        }
    }

    private void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        Monitor.shared().remove(this);
        for (TcpServerCall<?, ?> call : calls.values()) {
            call.giveUp();
        }
        calls.clear();
        try {
            raw.close();
        } catch (IOException e) {
            LOG.log(System.Logger.Level.TRACE, "connection of {0}: {1}", raw.getRemoteSocketAddress(), e.getMessage());
        }
        listener.forget(this);
    }
}
