package creo.runtime.internal.host;

import creo.runtime.CreoException;
import creo.runtime.ErrorCode;
import creo.runtime.Limits;
import creo.runtime.codegen.Reader;
import creo.runtime.codegen.Writer;
import creo.runtime.internal.buffer.Failures;
import creo.runtime.internal.call.CallBodies;
import creo.runtime.internal.call.Metadata;
import creo.runtime.internal.http.ServiceErrors;
import creo.runtime.internal.net.TcpLink;
import creo.runtime.internal.tcp.TcpFrames;
import creo.runtime.internal.tcp.TcpInput;
import creo.runtime.internal.tcp.TcpMessage;
import creo.runtime.internal.tcp.TcpOutput;
import creo.runtime.internal.tcp.TcpRaw;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * A connection of a client that speaks Creo. The loop's thread decodes messages that have arrived completely, and runs short methods. Another thread
 * reads a long message while it arrives.
 */
final class TcpServerConnection implements ServerConnection.Protocol, TcpInput.Control {
    private static final System.Logger LOG = System.getLogger("creo.runtime");

    /** The number of messages to read before other connections get their turn. */
    private static final int MAX_TURN = 64;
    /** Messages up to this many bytes are decoded without notifying the loop of long work. */
    private static final int SHORT = 4_096;
    private static final long LOOK_INTERVAL = 100_000_000L;
    private static final long TRIM_TIME = TimeUnit.SECONDS.toNanos(1);
    /** After this time without a message, the peer is pinged. */
    private static final long PING_TIME = TimeUnit.SECONDS.toNanos(60);
    /** A peer that has answered a ping must answer the next one within this time (TCP-14). */
    private static final long PONG_TIME = TimeUnit.SECONDS.toNanos(10);
    private static final long NEVER = Long.MAX_VALUE;

    private final ServerConnection connection;
    private final EventLoop loop;
    private final Host host;
    private final Limits limits;
    private final ServerTcpInput in;
    private final TcpOutput out;
    private final Pongs pongs;
    private final StreamFrames streams;
    private final Map<Integer, TcpServerCall<?, ?>> calls = new ConcurrentHashMap<>(4);
    /** Received requests without an answer or error yet. */
    private final AtomicInteger unanswered = new AtomicInteger();
    private final AtomicLong nextDeadline = new AtomicLong(NEVER);
    private final boolean compresses;
    /** Whether the peer reads metadata of answers (TCP-23). */
    private final boolean sendsMetadata;
    private Reader reader;
    private CallBodies bodies;
    /** The metadata of the request that is being read; null before. */
    private Map<String, String> head;
    private boolean collecting;
    private boolean paused;
    private volatile boolean draining;
    private volatile boolean goodbyeSaid;
    private boolean trimmed;
    /** When the pending ping was sent; 0 for none. */
    private long pingedAt;
    private boolean hasPinged;
    private boolean hasAnsweredPings;

    /** A connection whose received bytes begin with its preamble. */
    TcpServerConnection(ServerConnection connection, byte[] received, int length) {
        this.connection = connection;
        this.loop = connection.loop;
        this.host = connection.port.host();
        this.limits = host.limits();
        TcpLink link = new ServerTcpLink(connection);
        in = new ServerTcpInput(link, limits, this, host.memory());
        out = new TcpOutput(link, limits);
        pongs = new Pongs(connection.out(), out);
        in.feed(received, length);
        streams = host.frames(in, connection, calls);
        compresses = connection.port.offer().compression() && (received[5] & TcpFrames.READS_COMPRESSED) != 0;
        sendsMetadata = (received[5] & TcpFrames.READS_METADATA) != 0;
    }

    int wire() {
        return in.wire();
    }

    /** Sends the peer an error instead of serving it. */
    void refuse(CreoException e) throws IOException {
        sendError(null, 0, Map.of(), e);
        connection.linger();
    }

    /** Serves the received bytes and later input. */
    boolean begin(CallBodies spoken) throws IOException {
        bodies = spoken;
        if (compresses) {
            out.compress();
        }
        out.greet();
        return serve(true);
    }

    @Override
    public boolean serve(boolean readable) throws IOException {
        try {
            return readAll(readable);
        } catch (TcpInput.BrokenFrames e) {
            LOG.log(System.Logger.Level.INFO, "connection of {0}: malformed: {1}", connection.peer(), e.getMessage());
            refuse(Failures.malformed(e.getMessage()));
            return true;
        }
    }

    @Override
    public boolean resume() throws IOException {
        return serve(true);
    }

    private boolean readAll(boolean readable) throws IOException {
        boolean more = readable;
        for (int turn = 0; !connection.isLingering(); turn++) {
            boolean full = connection.out().isFull();
            if (full && streams.isEmpty()) {
                pause();
                return true;
            }
            paused = false;
            if (turn >= MAX_TURN) {
                connection.yieldToOthers();
                return true;
            }
            if (streams.left() > 0) {
                int n = in.hasBuffered() || more ? streams.fill() : 0;
                if (n > 0) {
                    continue;
                }
                in.waiting(true);
                if (n < 0) {
                    connection.close();
                }
                return true;
            }
            switch (in.whole(collecting)) {
                case ITEMS -> {
                    in.next();
                    streams.begin();
                }
                case YES -> {
                    if (full && !in.isOfCall()) {
                        pause();
                        return true;
                    }
                    collecting = false;
                    if (!message()) {
                        return false;
                    }
                }
                case TOO_LONG -> {
                    if (full) {
                        pause();
                        return true;
                    }
                    if (host.longReads().tryBegin()) {
                        collecting = false;
                        stream();
                        return true;
                    }
                    if (collecting) {
                        // Longer than any message may be: it is read and dropped when a thread is free for it.
                        pause();
                        return true;
                    }
                    collecting = true;
                }
                case NO -> {
                    if (!more) {
                        in.waiting(in.hasBuffered());
                        return true;
                    }
                    int n = receive();
                    if (n < 0) {
                        connection.close();
                        return true;
                    }
                    more = n > 0 && (in.isFull() || connection.link().hasBuffered());
                }
            }
        }
        return true;
    }

    private int receive() throws IOException {
        try {
            return in.receiveNow(connection);
        } catch (CreoException e) {
            // The budget has no room now: the rest waits in the socket until it has, or until the message times out.
            in.waiting(true);
            pause();
            return 0;
        }
    }

    /** Stops reading until the peer has read its answers, or there is room. */
    private void pause() {
        paused = true;
        connection.reading(false);
    }

    /** Serves a completely buffered message; false if this thread has lost the loop. */
    private boolean message() throws IOException {
        in.next();
        if (in.kind() == TcpFrames.CREDIT) {
            streams.credit();
            return true;
        }
        if (in.kind() != TcpFrames.REQUEST) {
            if (in.kind() < TcpFrames.CANCEL) {
                throw misplaced();
            }
            control(in.kind(), in.id());
            return true;
        }
        if (in.has(TcpFrames.COMPRESSED) || in.frameLeft() > SHORT || host.showsMessages()) {
            return longMessage();
        }
        TcpServerCall<?, ?> call = request();
        if (call == null || !admit(call)) {
            return true;
        }
        return run(call);
    }

    /** As {@link #message}, for one that may take long to decode: another thread may drive the loop meanwhile. */
    private boolean longMessage() throws IOException {
        connection.beginStreaming();
        long turn = loop.begin(null);
        TcpServerCall<?, ?> call;
        try {
            call = request();
        } catch (IOException | RuntimeException | Error e) {
            if (loop.end(turn)) {
                throw e;
            }
            connection.failed(e);
            return false;
        }
        if (loop.end(turn)) {
            connection.keepServing();
            return call == null || !admit(call) || run(call);
        }
        connection.endStreaming();
        if (call != null && call.service().admit(call, true)) {
            call.runHere();
        }
        return false;
    }

    /** Admits a call; true if this thread must run it. */
    private boolean admit(TcpServerCall<?, ?> call) {
        // Short oneway calls run one after the other, so they take effect in order.
        Pace pace = call.pace();
        return call.service().admit(call, pace.isShort() || !pace.isLong() && (!in.hasBuffered() || call.method().isOneway()));
    }

    /** Runs a call on the driving thread; false if this thread has lost the loop. */
    private boolean run(TcpServerCall<?, ?> call) {
        long turn = loop.begin(connection);
        call.runHere();
        return loop.end(turn);
    }

    /** Lets another thread read a message that does not fit into the buffer, while it arrives. */
    private void stream() {
        connection.beginStreaming();
        boolean started = false;
        try {
            host.readers().execute(this::readLong);
            started = true;
        } finally {
            if (!started) {
                host.longReads().end();
                connection.close();
            }
        }
    }

    private void readLong() {
        TcpServerCall<?, ?> call = null;
        try {
            in.next();
            if (in.kind() != TcpFrames.REQUEST) {
                throw misplaced();
            }
            call = request();
        } catch (TcpInput.BrokenFrames e) {
            LOG.log(System.Logger.Level.INFO, "connection of {0}: malformed: {1}", connection.peer(), e.getMessage());
            loop.execute(() -> refuseLater(Failures.malformed(e.getMessage())));
        } catch (IOException | RuntimeException | Error e) {
            connection.failed(e);
        } finally {
            host.longReads().end();
            connection.endStreaming();
        }
        if (call != null && call.service().admit(call, true)) {
            call.runHere();
        }
    }

    private TcpInput.BrokenFrames misplaced() {
        return new TcpInput.BrokenFrames("a frame of the kind " + in.kind() + ", which a client does not send at this place");
    }

    private void refuseLater(CreoException e) {
        try {
            refuse(e);
        } catch (IOException lost) {
            connection.failed(lost);
        }
    }

    /** Reads a request; null if it was answered with an error. */
    private TcpServerCall<?, ?> request() throws IOException {
        long arrived = System.nanoTime();
        int id = in.id();
        long methodId = in.methodId();
        long milliseconds = in.timeLeft();
        // Counted before the check for draining: the thread that drains then waits for the answer.
        unanswered.incrementAndGet();
        connection.used();
        if (id == 0 || calls.containsKey(id)) {
            throw new TcpInput.BrokenFrames("a request with the id " + (id & 0xffff_ffffL) + (id == 0 ? "" : ", which is under way"));
        }
        Host.Entry<?, ?> entry = host.find(methodId);
        TcpRaw raw = host.raw(entry == null ? null : entry.binding().method(), bodies, connection.peer());
        head = null;
        CreoException refusal;
        try {
            TcpServerCall<?, ?> call = decode(entry, raw, id, methodId, milliseconds, arrived);
            in.endBody();
            register(call);
            return call;
        } catch (CreoException e) {
            refusal = e;
        } catch (TcpInput.ChainCancelled e) {
            refusal = Failures.ofRuntime(ErrorCode.CANCELLED, "the caller gave up");
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
        TcpRaw.refused(raw, in, reader, milliseconds, head);
        // A oneway request never has an answer, not even an error (TCP-10).
        if (entry == null || !entry.binding().method().isOneway()) {
            sendError(raw, id, Map.of(), host.refusal(refusal));
        }
        in.endBody();
        answered();
        return null;
    }

    private TcpServerCall<?, ?> decode(Host.Entry<?, ?> entry, TcpRaw raw, int id, long methodId, long milliseconds, long arrived) {
        if (reader == null) {
            reader = new Reader(in, limits);
        }
        Map<String, String> metadata = Map.of();
        if (in.has(TcpFrames.METADATA)) {
            in.beginHead(reader);
            metadata = Metadata.read(reader, limits);
            in.endHead(reader);
        }
        head = metadata;
        if (draining && (entry == null || !entry.isOfHost())) {
            throw Failures.ofRuntime(ErrorCode.UNAVAILABLE, "the server is shutting down; nothing was started");
        }
        // The host's own methods and those with streams use the binary wire only.
        if (entry == null || bodies != CallBodies.BINARY && (entry.isOfHost() || entry.binding().method().hasStreams())) {
            throw host.unknownMethod(methodId);
        }
        if (calls.size() >= limits.maxCallsPerConnection()) {
            throw Host.overloaded("maxCallsPerConnection", limits.maxCallsPerConnection());
        }
        return decode(entry, raw, id, metadata, milliseconds, arrived);
    }

    private <A, R> TcpServerCall<A, R> decode(Host.Entry<A, R> entry, TcpRaw raw, int id, Map<String, String> metadata, long milliseconds, long arrived) {
        CallBodies.Request<A> request;
        try {
            TcpRaw.beginBody(raw, in, reader, milliseconds, metadata);
            request = bodies.readArguments(reader, in, limits, entry.binding().method());
        } catch (CreoException e) {
            reader.memory().release();
            throw reader.resolve(e);
        } catch (RuntimeException | Error e) {
            reader.memory().release();
            throw e;
        }
        return new TcpServerCall<>(this, raw, id, entry, request, metadata, IncomingCall.Caller.of(connection, reader.memory()), arrived + TimeUnit.MILLISECONDS.toNanos(milliseconds), milliseconds > 0);
    }

    private void register(TcpServerCall<?, ?> call) {
        calls.put(call.id(), call);
        long deadline = call.deadlineOr(NEVER);
        if (deadline < nextDeadline.get()) {
            nextDeadline.accumulateAndGet(deadline, Math::min);
            loop.expectLook(deadline);
        }
    }

    @Override
    public void control(int kind, int id) throws IOException {
        switch (kind) {
            case TcpFrames.PING -> pongs.answer(id);
            case TcpFrames.CANCEL -> {
                TcpServerCall<?, ?> call = calls.get(id);
                if (call != null) {
                    call.giveUp(Failures.ofRuntime(ErrorCode.CANCELLED, "the caller gave up"));
                }
            }
            case TcpFrames.PONG -> {
                hasAnsweredPings |= pingedAt != 0;
                pingedAt = 0;
            }
            default -> throw new TcpInput.BrokenFrames("a goodbye, which only a server sends");
        }
    }

    /** Sends an error if the connection still accepts it. */
    void sendError(TcpRaw raw, int id, Map<String, String> metadata, CreoException e) {
        try {
            sendMessage(raw, TcpFrames.ERROR, id, metadata, w -> ServiceErrors.encode(w, e));
        } catch (IOException | UncheckedIOException lost) {
            LOG.log(System.Logger.Level.DEBUG, "connection of {0}: {1}", connection.peer(), lost.getMessage());
        }
    }

    TcpOutput output() {
        return out;
    }

    /** Whether items of streams wait until the peer has read more of what it was sent. */
    boolean isFull() {
        return connection.out().isFull();
    }

    @Override
    public void drained() throws IOException {
        pongs.drained();
        streams.resume();
    }

    /** Writes a message, which {@code raw} shows unless it is null; if that fails, none of it remains in the output. */
    void sendMessage(TcpRaw raw, int kind, int id, Map<String, String> metadata, Consumer<Writer> body) throws IOException {
        TcpRaw.sending(raw, kind, 0, sendsMetadata ? metadata : Map.of(), body);
        TcpMessage message = out.message();
        boolean done = false;
        try {
            body.accept(message.beginAnswer(kind, id, sendsMetadata ? metadata : Map.of()));
            done = true;
        } finally {
            if (!done) {
                message.drop();
            }
        }
        message.finish();
    }

    void abort() {
        connection.close();
    }

    /** Forgets a call that is about to be answered: after the answer, the client may reuse its id. */
    void forget(TcpServerCall<?, ?> call) {
        calls.remove(call.id(), call);
    }

    /** Notes that a call was answered. */
    void answered() {
        if (unanswered.decrementAndGet() == 0 && goodbyeSaid) {
            loop.execute(this::endIfDrained);
        }
    }

    /** Ends the output after the goaway and the answers to earlier calls. */
    private void endIfDrained() {
        try {
            if (unanswered.get() == 0 && !connection.isLingering()) {
                connection.linger();
            }
        } catch (IOException e) {
            connection.failed(e);
        }
    }

    @Override
    public long look(long now) {
        long next = Math.min(now + LOOK_INTERVAL, lookAtTimes(now));
        long deadline = nextDeadline.get();
        return deadline == NEVER ? next : Math.min(next, now - deadline >= 0 ? expire(now) : deadline);
    }

    private long lookAtTimes(long now) {
        long waiting = in.waitingSince();
        if (paused) {
            if (connection.out().isFull()) {
                // The peer is slow at reading, not at sending.
                in.waiting(false);
                waiting = 0;
            } else {
                connection.reading(true);
                connection.wakeUp();
            }
        }
        if (waiting != 0 && now - waiting >= limits.frameTimeout().toNanos()) {
            return cut("a message took too long", now);
        }
        long idle = now - connection.idleSince();
        if (idle <= 0) {
            trimmed = false;
            pingedAt = 0;
            return now + LOOK_INTERVAL;
        }
        if (!trimmed && idle > TRIM_TIME) {
            trimmed = true;
            reader = null;
            in.trim();
            out.trim();
        }
        if (limits.idleTimeout() != null && idle >= limits.idleTimeout().toNanos()) {
            return cut("idle for too long", now);
        }
        lookAtPing(now);
        return now + LOOK_INTERVAL;
    }

    /** Pings a silent peer. Clients that read only during a call answer late, so only those that have answered before must answer in time. */
    private void lookAtPing(long now) {
        try {
            if (pingedAt != 0) {
                if (hasAnsweredPings && now - pingedAt >= PONG_TIME) {
                    cut("it does not answer a ping", now);
                }
            } else if (now - connection.idleSince() >= PING_TIME && (hasAnsweredPings || !hasPinged)) {
                hasPinged = true;
                pingedAt = now | 1;
                out.control(TcpFrames.PING, 0);
            }
        } catch (IOException e) {
            connection.failed(e);
        }
    }

    /** Ends calls whose deadline has passed; returns the next deadline. */
    private long expire(long now) {
        nextDeadline.set(NEVER);
        long next = NEVER;
        for (TcpServerCall<?, ?> call : calls.values()) {
            if (!call.isPast(now)) {
                next = Math.min(next, call.deadlineOr(NEVER));
            } else {
                call.giveUp(Failures.ofRuntime(ErrorCode.DEADLINE_EXCEEDED, "the time for the call is over"));
            }
        }
        return Math.min(nextDeadline.accumulateAndGet(next, Math::min), now + LOOK_INTERVAL);
    }

    private long cut(String why, long now) {
        LOG.log(System.Logger.Level.INFO, "connection of {0} closed: {1}", connection.peer(), why);
        connection.close();
        return now + LOOK_INTERVAL;
    }

    @Override
    public boolean isIdle() {
        return unanswered.get() == 0 && in.waitingSince() == 0 && connection.out().queued() == 0 && !connection.isStreaming();
    }

    @Override
    public void drain() throws IOException {
        draining = true;
        out.control(TcpFrames.GOODBYE, 0);
        goodbyeSaid = true;
        endIfDrained();
    }

    @Override
    public void closed() {
        for (TcpServerCall<?, ?> call : calls.values()) {
            call.giveUp();
        }
        calls.clear();
        in.release();
        streams.release();
    }
}
