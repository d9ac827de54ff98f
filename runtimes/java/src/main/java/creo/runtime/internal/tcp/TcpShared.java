package creo.runtime.internal.tcp;

import creo.runtime.ClientOptions;
import creo.runtime.CreoException;
import creo.runtime.ErrorCode;
import creo.runtime.Limits;
import creo.runtime.RawMessages;
import creo.runtime.codegen.LogText;
import creo.runtime.codegen.Reader;
import creo.runtime.codegen.ServiceMethod;
import creo.runtime.internal.buffer.Failures;
import creo.runtime.internal.call.CallBodies;
import creo.runtime.internal.call.Errors;
import creo.runtime.internal.call.MethodStreams;
import creo.runtime.internal.net.Deadlines;
import creo.runtime.internal.net.Monitor;
import creo.runtime.internal.net.TcpLink;
import java.io.EOFException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/** A connection with many calls in progress: any thread sends; one thread reads and completes them. */
public final class TcpShared implements Monitor.Watched, TcpInput.Control {
    private static final System.Logger LOG = System.getLogger("creo.runtime");
    private static final long NEVER = Long.MAX_VALUE;
    private static final long SELDOM = 100_000_000L;
    /** In nanoseconds: how long the program's closing waits for what is being sent. */
    private static final long MAX_CLOSING = 200_000_000L;
    /** Replaces the number of a ping: none is pending or being answered, or none is pending. */
    private static final long NO_PING = -1;
    private static final long ANSWERED = -2;
    /** The max time for the answer to a ping (TCP-14). */
    public static final long PONG_TIME = 10_000_000_000L;

    /** A call in progress. */
    public static final class Pending<R> {
        private final ServiceMethod<?, R> method;
        private final CompletableFuture<R> future = new CompletableFuture<>();
        private final long deadline;
        /** Takes the metadata of the answer; null if nobody asks for them. */
        private final Consumer<Map<String, String>> onMetadata;
        private volatile Map<String, String> metadata;
        private volatile TcpShared connection;
        private volatile int id;
        /** Whether a byte of the request may have been written. */
        private volatile boolean begun;
        /** Whether the request was written completely: an earlier cancel would end its message (TCP-6). */
        private volatile boolean sent;
        /** Whether its caller no longer waits. */
        private volatile boolean abandoned;
        /** The number of receives when the call was sent. */
        private long heard;
        /** The streams; null without. */
        private MethodStreams.Call<R> streams;

        /** @param asked whether somebody will ask for the metadata of the answer */
        public Pending(ServiceMethod<?, R> method, long deadline, boolean asked) {
            this.method = method;
            this.deadline = deadline;
            this.onMetadata = asked ? this::keep : null;
        }

        private void keep(Map<String, String> came) {
            if (!future.isDone()) {
                metadata = came;
            }
        }

        /** The metadata of the answer; null if none came, or nobody asked. */
        public Map<String, String> metadata() {
            return metadata;
        }

        private void begin() {
            begun = true;
        }

        /** The {@link System#nanoTime} at which the call ends. */
        public long deadline() {
            return deadline;
        }

        /** Completed by the reading thread: dependent stages must be quick and never wait. */
        public CompletableFuture<R> future() {
            return future;
        }

        /** Whether a byte of the request may have been written. */
        public boolean hasBegun() {
            return begun;
        }

        /** Gives the call its streams, before it is sent. */
        public void streams(MethodStreams.Call<R> own) {
            streams = own;
            future.whenComplete(own::ended);
        }

        /** Sends items of the call, which was sent. */
        public void sendItems(byte[] buffer, int from, int to, boolean last) {
            connection.sendItems(this, buffer, from, to, last);
        }

        /** Gives the server more credit for the items of the call, which was sent. */
        public void sendCredit(int bytes) {
            connection.sendCredit(this, bytes);
        }

        /** Ends the call and notifies the server. */
        public void cancel() {
            end(new CancellationException());
        }

        /** Ends the call with a failure of this side, and notifies the server. */
        public void end(Throwable why) {
            abandoned = true;
            TcpShared used = connection;
            if (used == null) {
                future.completeExceptionally(why);
                return;
            }
            used.controls.incrementAndGet();
            try {
                if (future.completeExceptionally(why)) {
                    used.withdraw(this);
                }
            } finally {
                used.controls.decrementAndGet();
            }
        }
    }

    private final TcpLink link;
    private final String address;
    private final boolean compression;
    private final CallBodies bodies;
    private final RawMessages rawMessages;
    private final ExecutorService threads;
    private final TcpInput in;
    private final TcpOutput out;
    private final Reader reader;
    private final Map<Integer, Pending<?>> calls = new ConcurrentHashMap<>();
    private final AtomicInteger lastId = new AtomicInteger();
    /** The frames without a body that are to be sent, and the calls that end now and may need one. */
    private final AtomicInteger controls = new AtomicInteger();
    private final AtomicLong nextDeadline = new AtomicLong(NEVER);
    /** The server's last ping that is not answered yet. */
    private final AtomicLong ping = new AtomicLong(NO_PING);
    /** When the pending ping was sent to the server; 0 for none. For the watching thread. */
    private long pingedAt;
    /** The number of receives at that time. */
    private long heardAtPing;
    private final Limits limits;
    private final long connectTimeout;
    private final long frameTimeout;
    private volatile boolean greeted;
    /** Why nothing can be written any more, and since when; null and 0 while writing is possible. */
    private volatile CreoException unwritable;
    private volatile long unwritableSince;
    private volatile CreoException ended;
    private volatile boolean drained;

    public TcpShared(TcpLink link, String address, ClientOptions options, CallBodies bodies, ExecutorService threads) {
        this.link = link;
        this.address = address;
        this.compression = options.compression();
        this.bodies = bodies;
        this.rawMessages = options.rawMessages();
        this.threads = threads;
        this.limits = options.limits();
        this.connectTimeout = limits.connectTimeout().toNanos();
        this.frameTimeout = limits.frameTimeout().toNanos();
        this.in = new TcpInput(link, limits, this);
        this.out = new TcpOutput(link, limits);
        out.speak(bodies);
        out.keepInput();
        this.reader = new Reader(in, limits);
    }

    public void start() {
        Monitor.shared().add(this);
        boolean started = false;
        try {
            threads.execute(this::read);
            started = true;
        } finally {
            if (!started) {
                end(Failures.ofRuntime(ErrorCode.UNAVAILABLE, "the connection to " + address + " was given up"));
            }
        }
    }

    public boolean hasEnded() {
        return ended != null;
    }

    public boolean isUsable() {
        return ended == null && !drained && unwritable == null;
    }

    /**
     * Sends a call.
     *
     * @throws CreoException if it could not be sent; otherwise its future completes with its outcome
     */
    public <A, R> void send(Pending<R> call, ServiceMethod<A, R> method, A arguments, Map<String, String> metadata) {
        int milliseconds = Deadlines.millisecondsLeft(call.deadline);
        if (milliseconds == 0) {
            throw Deadlines.exceeded(address);
        }
        if (call.future.isDone()) {
            return;
        }
        int id = lastId.incrementAndGet();
        while (id == 0 || calls.putIfAbsent(id, call) != null) {
            id = lastId.incrementAndGet();
        }
        call.id = id;
        call.heard = in.heard();
        call.connection = this;
        if (call.deadline < nextDeadline.get()) {
            nextDeadline.accumulateAndGet(call.deadline, Math::min);
            Monitor.shared().expect(call.deadline);
        }
        boolean waits = false;
        try {
            if (ended != null) {
                throw Failures.notStarted(Failures.again(ended));
            }
            TcpAnswer.send(out, id, bodies, method, arguments, metadata, call.deadline, Math.max(0, milliseconds), call::begin, raw(method));
            call.sent = true;
            waits = !method.isOneway();
        } catch (InterruptedIOException e) {
            throw Thread.currentThread().isInterrupted()
                ? CreoException.ofRuntime(ErrorCode.CANCELLED, "the caller was interrupted", e) : Deadlines.exceeded(address);
        } catch (IOException e) {
            // It ends with the connection.
            waits = true;
            writingFailed(e);
            return;
        } finally {
            if (!waits) {
                calls.remove(id, call);
            }
        }
        if (method.isOneway()) {
            call.future.complete(null);
        } else if (call.abandoned) {
            withdraw(call);
        }
    }

    private TcpRaw raw(ServiceMethod<?, ?> method) {
        return TcpRaw.of(rawMessages, bodies, method, address, limits);
    }

    /** The reading thread ends the connection with the error that the server sent before closing (TCP-20), or else the watching thread does. */
    private void writingFailed(IOException e) {
        if (unwritable == null) {
            unwritableSince = System.nanoTime();
            unwritable = TcpAnswer.lost(address, e);
        }
    }

    /** Whether a write would now wait for a peer that does not read. */
    public boolean isStuck() {
        return out.isStuck();
    }

    /** Withdraws a call whose caller no longer waits. While the request is being sent, this is left to its sender, which calls this afterwards. */
    private void withdraw(Pending<?> call) {
        if (call.sent && calls.remove(call.id, call)) {
            sendOnThread(TcpFrames.CANCEL, call.id);
        }
    }

    private void sendOnThread(int kind, int id) {
        controls.incrementAndGet();
        execute(() -> {
            try {
                out.control(kind, id);
            } catch (IOException e) {
                writingFailed(e);
            } finally {
                controls.decrementAndGet();
            }
        });
    }

    /** Waits until the cancels of calls that were given up are sent (TCP-13, TCP-35), unless the peer does not read. */
    private void awaitControls() {
        long until = System.nanoTime() + MAX_CLOSING;
        try {
            while (controls.get() > 0 && !isStuck() && System.nanoTime() - until < 0) {
                Thread.sleep(1);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void read() {
        try {
            TcpAnswer.greet(in, out, compression, address);
            greeted = true;
            while (in.next()) {
                switch (in.kind()) {
                    case TcpFrames.RESPONSE, TcpFrames.EXCEPTION, TcpFrames.ERROR -> answer();
                    case TcpFrames.ITEMS -> items();
                    case TcpFrames.CREDIT -> credit();
                    case TcpFrames.CANCEL, TcpFrames.PING, TcpFrames.PONG, TcpFrames.GOODBYE -> control(in.kind(), in.id());
                    default -> throw new TcpInput.BrokenFrames("a frame of the kind " + in.kind() + ", which a server does not send at this place");
                }
            }
            end(lost(new EOFException("the server closed it")));
        } catch (IOException e) {
            end(lost(e));
        } catch (CreoException e) {
            end(e);
        } catch (RuntimeException | Error e) {
            end(CreoException.ofRuntime(ErrorCode.UNAVAILABLE, "the connection to " + address + " failed: " + e, e));
            LOG.log(System.Logger.Level.ERROR, "the connection to " + address + " failed", LogText.of(e));
        }
    }

    private CreoException lost(IOException e) {
        return unwritable != null ? unwritable : TcpAnswer.lost(address, e);
    }

    private void answer() throws IOException {
        if (in.kind() == TcpFrames.ERROR && in.id() == 0) {
            in.beginBody(reader);
            throw Errors.decode(reader, link.peer());
        }
        int id = in.id();
        Pending<?> call = answerable(id);
        if (call == null) {
            in.endBody();
        } else if (complete(call)) {
            calls.remove(id, call);
        }
    }

    /** The call of this id that expects frames, or null: a oneway call expects none, even while its request is being sent (TCP-10). */
    private Pending<?> answerable(int id) {
        Pending<?> call = calls.get(id);
        return call == null || call.method.isOneway() ? null : call;
    }

    private void items() throws IOException {
        if (in.has(TcpFrames.END)) {
            throw new TcpInput.BrokenFrames("a frame of items with the flag of a client");
        }
        Pending<?> call = answerable(in.id());
        if (call == null) {
            in.endBody();
            return;
        }
        if (!call.method.givesStream()) {
            throw new TcpInput.BrokenFrames("items for a call of " + call.method + ", which gives none");
        }
        if (in.frameLeft() > limits.maxMessageSize()) {
            call.end(CreoException.tooLarge("maxMessageSize", limits.maxMessageSize(), "items of " + in.frameLeft() + " bytes"));
            in.endBody();
            return;
        }
        byte[] body = in.items();
        in.endBody();
        if (!call.streams.add(body)) {
            throw new TcpInput.BrokenFrames("items for a call of " + call.method + ", for which it had no credit");
        }
    }

    private void credit() throws IOException {
        Pending<?> call = answerable(in.id());
        long bytes = in.credit();
        if (call != null && (call.streams == null || !call.streams.more(bytes))) {
            throw new TcpInput.BrokenFrames("credit for a call of " + call.method + ", which must not have this: " + bytes);
        }
    }

    /** Sends items of a call; not on the reading thread. */
    private void sendItems(Pending<?> call, byte[] buffer, int from, int to, boolean last) {
        try {
            out.items(call.id, buffer, from, to, last ? TcpFrames.END : 0, () -> true);
        } catch (IOException e) {
            call.streams.stop();
            writingFailed(e);
        }
    }

    /** Gives more credit for the items of a call. */
    private void sendCredit(Pending<?> call, int bytes) {
        execute(() -> {
            try {
                out.credit(call.id, bytes, () -> true);
            } catch (IOException e) {
                writingFailed(e);
            }
        });
    }

    /** Completes a call with the current frame; false if another answer will come. */
    private <R> boolean complete(Pending<R> call) throws IOException {
        R result;
        try {
            result = TcpAnswer.read(in, reader, bodies, call.method, link.peer(), call.onMetadata, raw(call.method));
        } catch (TcpInput.ChainCancelled e) {
            return false;
        } catch (TcpAnswer.Unreadable e) {
            drained = true;
            call.future.completeExceptionally(e.reason());
            throw new IOException("an answer of it is too long to be read over", e);
        } catch (IOException e) {
            throw e;
        } catch (Exception | Error e) {
            // Before the caller is notified: its next call must not use this connection.
            drained |= in.isWithinBody();
            call.future.completeExceptionally(e);
            if (in.isWithinBody()) {
                throw new IOException("an answer of it could not be read to its end", e);
            }
            return true;
        }
        call.future.complete(result);
        return true;
    }

    @Override
    public void control(int kind, int id) throws IOException {
        switch (kind) {
            case TcpFrames.PING -> {
                if (ping.getAndSet(Integer.toUnsignedLong(id)) == NO_PING) {
                    execute(this::answerPings);
                }
            }
            case TcpFrames.GOODBYE -> drained = true;
            default -> { }
        }
    }

    /** Answers one ping at a time, the last one (TCP-14), and not on the reading thread, which must not wait for a server that does not read. */
    private void answerPings() {
        while (true) {
            long number = ping.getAndSet(ANSWERED);
            if (number == ANSWERED) {
                if (ping.compareAndSet(ANSWERED, NO_PING)) {
                    return;
                }
                continue;
            }
            try {
                out.control(TcpFrames.PONG, (int) number);
            } catch (IOException e) {
                writingFailed(e);
                return;
            }
        }
    }

    @Override
    public long look(long now) {
        try {
            return Math.min(lookAtCalls(now), Math.min(lookAtPeer(now), lookAtPreamble(now)));
        } catch (RuntimeException | Error e) {
            end(CreoException.ofRuntime(ErrorCode.UNAVAILABLE, "the connection to " + address + " failed: " + e, e));
            throw e;
        }
    }

    private long lookAtCalls(long now) {
        long next = nextDeadline.get();
        if (next == NEVER || now - next < 0) {
            return next == NEVER ? now + SELDOM : next;
        }
        nextDeadline.set(NEVER);
        next = NEVER;
        for (Pending<?> call : calls.values()) {
            if (now - call.deadline < 0) {
                next = Math.min(next, call.deadline);
            } else {
                controls.incrementAndGet();
                try {
                    expire(call, now);
                } finally {
                    controls.decrementAndGet();
                }
            }
        }
        return Math.min(nextDeadline.accumulateAndGet(next, Math::min), now + SELDOM);
    }

    private void expire(Pending<?> call, long now) {
        call.abandoned = true;
        boolean halfSent = out.chainOwner() == call.id;
        call.future.completeExceptionally(Deadlines.exceeded(address));
        if (halfSent) {
            // The server does not accept the rest of the request, so nothing else can be sent either.
            calls.remove(call.id, call);
            execute(() -> end(Failures.ofRuntime(ErrorCode.UNAVAILABLE, address + " does not take what is sent to it")));
            return;
        }
        if (call.sent && call.heard == in.heard() && pingedAt == 0) {
            // Nothing came since the call was sent. The server may be slow, or gone also for the next calls.
            pingedAt = now | 1;
            heardAtPing = in.heard();
            sendOnThread(TcpFrames.PING, 0);
        }
        withdraw(call);
    }

    /** Gives up a connection whose server accepts nothing, or does not answer a ping (TCP-14). */
    private long lookAtPeer(long now) {
        long writing = out.writingSince();
        if (writing != 0 && now - writing >= frameTimeout) {
            execute(() -> end(Failures.ofRuntime(ErrorCode.UNAVAILABLE, address + " does not take what is sent to it")));
        }
        if (unwritable != null && now - unwritableSince >= TcpCaller.LAST_WORDS) {
            execute(() -> end(unwritable));
        }
        if (pingedAt != 0 && in.heard() != heardAtPing) {
            pingedAt = 0;
        } else if (pingedAt != 0 && now - pingedAt >= PONG_TIME) {
            execute(() -> end(Failures.ofRuntime(ErrorCode.UNAVAILABLE, address + " does not answer any more")));
        }
        return now + SELDOM;
    }

    private long lookAtPreamble(long now) {
        long sent = out.preambleSentAt();
        if (greeted || sent == 0) {
            return now + SELDOM;
        }
        if (now - sent >= connectTimeout) {
            execute(() -> end(TcpAnswer.noPreamble(address, limits.connectTimeout())));
            return now + SELDOM;
        }
        return Math.min(sent + connectTimeout, now + SELDOM);
    }

    private void execute(Runnable task) {
        try {
            threads.execute(task);
        } catch (RejectedExecutionException e) {
            task.run();
        }
    }

    /** Ends the connection in order, because the program closes its channel. */
    public void close(CreoException why) {
        awaitControls();
        end(why);
    }

    /** Ends the connection and all calls on it. */
    public void end(CreoException why) {
        if (ended == null) {
            ended = why;
        }
        Monitor.shared().remove(this);
        link.abort();
        for (Integer id : calls.keySet()) {
            Pending<?> call = calls.remove(id);
            if (call != null) {
                CreoException reason = Failures.again(ended);
                call.future.completeExceptionally(call.begun ? reason : Failures.notStarted(reason));
            }
        }
    }
}
