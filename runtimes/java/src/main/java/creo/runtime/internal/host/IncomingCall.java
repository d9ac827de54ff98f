package creo.runtime.internal.host;

import creo.runtime.CallContext;
import creo.runtime.CreoException;
import creo.runtime.ErrorCode;
import creo.runtime.Interceptor;
import creo.runtime.ServerInterceptor;
import creo.runtime.codegen.ServiceMethod;
import creo.runtime.internal.buffer.Failures;
import creo.runtime.internal.buffer.Memory;
import creo.runtime.internal.call.Interception;
import creo.runtime.internal.http.ServiceErrors;
import java.security.Principal;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;

/**
 * A received call with decoded arguments: runs the method and answers once. Independent of wire and transport; a transport's subclass writes the
 * answers. The first of {@link #run} and {@link #giveUp} answers.
 */
public abstract class IncomingCall<A, R> implements Runnable {
    /** ENDING: its method has ended, and the interceptors' ends run before the answer is sent. */
    private enum State { WAITING, RUNNING, ENDING, OVER }

    private static final System.Logger LOG = System.getLogger("creo.runtime");

    /**
     * The calling peer.
     *
     * @param address for the log and the service
     * @param source whose calls may use a share of the host; null for no such limit
     * @param identity of the peer, or null if unknown
     * @param memory of the call's message, held until the method has returned; or null
     */
    record Caller(String address, Host.Source source, PeerIdentity identity, Memory memory) {
        static Caller of(ServerConnection connection, Memory memory) {
            return new Caller(connection.peer(), connection.source, connection.link(), memory);
        }
    }

    private final Host.Entry<A, R> entry;
    private final Host.Service service;
    private final Binding<A, R> binding;
    private final A arguments;
    private final Map<String, String> metadata;
    private final Caller caller;
    /** The {@link System#nanoTime} of the deadline; meaningless without one. */
    private final long deadline;
    private final boolean limited;
    /** Null if the method has none. */
    private final ServedStreams<A, R> streams;

    private State state = State.WAITING;
    /** Whether the call ended before its method, and all before it, had begun. */
    private volatile boolean refused;
    private Thread runner;
    private CompletionStage<R> stage;
    /** The interceptors' ends; null without any. */
    private Interception ends;
    /** Whether the head of the answer was sent, with what was set. */
    private boolean headSent;
    /** What the service has set for the answer, or null. */
    private AnswerPairs set;
    /** What goes with the answer: what was set, if it is the method that has ended the call (CALL-3). */
    private AnswerPairs pairs = AnswerPairs.NONE;

    IncomingCall(Host.Entry<A, R> entry, A arguments, Map<String, String> metadata, Caller caller, long deadline, boolean limited) {
        this.entry = entry;
        this.service = entry.service();
        this.binding = entry.binding();
        this.arguments = arguments;
        this.metadata = metadata;
        this.caller = caller;
        this.deadline = deadline;
        this.limited = limited;
        this.streams = binding.streams() == null ? null : binding.streams().of(this, link());
    }

    /** Sends the frames of the call's streams, if its transport carries them. */
    ServedStreams.Link link() {
        throw method().notCarried();
    }

    /** The streams of the call; null if its method has none. */
    final ServedStreams<A, R> streams() {
        return streams;
    }

    /** No more of its request is read. On the thread that reads it. */
    final void endInput() {
        if (streams != null) {
            streams.release();
        }
    }

    /** Sends the result; may block, never throws, not even an {@link Error}. */
    abstract void answer(R result);

    /** Sends the method's declared exception at the given index; may block, never throws. */
    abstract void answerException(int index, Exception e);

    /** Sends the error; may block, never throws. */
    public abstract void answerError(CreoException e);

    /** What goes with the answer. */
    final AnswerPairs pairs() {
        return pairs;
    }

    /** Sets a pair of the answer (CALL-2); nothing happens if the call has ended. */
    public synchronized void answerMetadata(String key, String value) {
        openPairs().setMetadata(key, value, service.limits());
    }

    /** Sets a header of an answer over HTTP (HTTP-26). */
    public synchronized void answerHeader(String name, String value) {
        openPairs().setHeader(name, value, service.limits());
    }

    /** What was set for an answer whose head is sent now: nothing can be set any more (HTTP-38). */
    final synchronized AnswerPairs sentPairs() {
        headSent = true;
        return set == null ? AnswerPairs.NONE : set;
    }

    private AnswerPairs openPairs() {
        if (headSent) {
            throw CreoException.invalid("the head of the answer was sent with the first item: nothing can be set for it any more");
        }
        if (state == State.OVER) {
            return new AnswerPairs();
        }
        if (set == null) {
            set = new AnswerPairs();
        }
        return set;
    }

    public ServiceMethod<A, R> method() {
        return binding.method();
    }

    /** The wire and the transport, joined by a plus. */
    public abstract String wire();

    public Host.Service service() {
        return service;
    }

    /** The duration of the method's recent calls. */
    Pace pace() {
        return entry.pace();
    }

    Host.Source source() {
        return caller.source();
    }

    String peer() {
        return caller.address();
    }

    /** The caller as authenticated by its message, or null. */
    Principal user() {
        return null;
    }

    /** The call's id, or null. */
    public String callId() {
        return null;
    }

    public boolean isRedelivered() {
        return false;
    }

    /** The caller's certificates, its own first; empty if it presented none. */
    public List<X509Certificate> peerCertificates() {
        X509Certificate[] shown = caller.identity() == null ? null : caller.identity().peerCertificates();
        return shown == null ? List.of() : List.of(shown);
    }

    boolean isPast(long now) {
        return limited && now - deadline >= 0;
    }

    /** The deadline, or {@code otherwise} if it has none. */
    long deadlineOr(long otherwise) {
        return limited ? deadline : otherwise;
    }

    public Duration timeLeft() {
        return limited ? Duration.ofNanos(Math.max(0, deadline - System.nanoTime())) : null;
    }

    public synchronized boolean isOver() {
        return state == State.OVER;
    }

    /** Ends the call without a result of the method, and interrupts it if it runs; false if it has answered. Does not block. */
    public boolean giveUp() {
        return giveUp(isPast(System.nanoTime()) ? ErrorCode.DEADLINE_EXCEEDED : ErrorCode.CANCELLED);
    }

    private boolean giveUp(ErrorCode code) {
        CompletionStage<R> running;
        Interception seen;
        Interceptor.Outcome ended = null;
        synchronized (this) {
            if (state == State.OVER || state == State.ENDING) {
                return false;
            }
            refused = state == State.WAITING;
            state = State.OVER;
            if (runner != null) {
                runner.interrupt();
            }
            running = stage;
            seen = ends;
            if (seen != null) {
                ended = seen.end(Failures.ofRuntime(code, "the call ended before its method"));
            }
            if (refused) {
                service.forget(this);
                releaseMemory();
            }
        }
        if (streams != null) {
            streams.stop(Failures.ofRuntime(ErrorCode.CANCELLED, "the call has ended"));
        }
        if (running != null) {
            service.run(() -> running.toCompletableFuture().cancel(true));
        }
        if (seen != null) {
            Interceptor.Outcome outcome = ended;
            service.surely(() -> seen.runEnds(outcome));
        }
        return true;
    }

    /** Ends the call with an error of the host, unless it has answered. */
    public void giveUp(CreoException e) {
        if (giveUp(e.code())) {
            answerError(unstarted(e));
        }
    }

    /** An error of the host that ends the call; it says so if the method has not begun. */
    public CreoException unstarted(CreoException e) {
        return refused ? service.host().refusal(e) : e;
    }

    /** Releases the memory of the arguments. */
    private void releaseMemory() {
        if (caller.memory() != null) {
            caller.memory().release();
        }
    }

    /** Runs the method on this thread, then the calls that wait for its slot. */
    @Override
    public void run() {
        IncomingCall<?, ?> call = this;
        while (call != null) {
            call = call.perform() ? service.release(call) : null;
        }
    }

    /** Runs the method on this thread, which has other work to do afterwards. */
    void runHere() {
        if (perform()) {
            IncomingCall<?, ?> next = service.release(this);
            if (next != null) {
                service.execute(next);
            }
        }
    }

    /** Runs the method; false if its slot stays taken until a stage completes. */
    private boolean perform() {
        long began = System.nanoTime();
        if (limited && isPast(began)) {
            giveUp(Failures.ofRuntime(ErrorCode.DEADLINE_EXCEEDED, "the time for the call was over before it could start"));
        }
        synchronized (this) {
            if (state != State.WAITING) {
                return true;
            }
            state = State.RUNNING;
            runner = Thread.currentThread();
        }
        R result = null;
        Throwable failure = null;
        boolean begun = false;
        CompletionStage<R> running = null;
        try {
            CallContext context = HostAccess.context(this, caller.address(), metadata);
            HostAccess.enter(context);
            if (caller.identity() != null) {
                HostAccess.principal(context, caller.identity().principal());
            }
            if (user() != null) {
                HostAccess.principal(context, user());
            }
            Principal who = service.authenticate(context);
            if (who != null) {
                HostAccess.principal(context, who);
            }
            if (!service.interceptors().isEmpty()) {
                begin(context);
            }
            begun = true;
            if (streams != null) {
                result = streams.run(binding, arguments);
            } else if (binding.handler() != null) {
                result = binding.handler().call(arguments);
            } else {
                running = binding.asyncHandler().call(arguments);
                if (running == null) {
                    throw new NullPointerException(binding.method() + " returned null instead of a stage");
                }
            }
        } catch (Throwable e) {
            failure = e;
        } finally {
            if (ends != null) {
                ends.leaveThread();
            }
            HostAccess.enter(null);
            boolean interrupted;
            synchronized (this) {
                runner = null;
            }
            entry.pace().ran(System.nanoTime() - began);
            // The interrupt was meant for the method and must not affect this thread's next work.
            interrupted = Thread.interrupted();
            if (interrupted && LOG.isLoggable(System.Logger.Level.TRACE)) {
                LOG.log(System.Logger.Level.TRACE, "{0} was interrupted", binding.method());
            }
        }
        if (running == null) {
            return end(result, failure, begun);
        }
        try {
            return follow(running);
        } catch (RuntimeException | Error e) {
            // A service's own stage type may refuse to be followed.
            return end(null, e, true);
        }
    }

    /** Tells the interceptors that the call begins; fails when it shall not go on. */
    private void begin(CallContext context) {
        Interception begun = new Interception(method(), service.interceptors().size());
        synchronized (this) {
            if (state == State.OVER) {
                throw new CancellationException();
            }
            ends = begun;
        }
        for (ServerInterceptor each : service.interceptors()) {
            boolean goesOn;
            try {
                goesOn = begun.add(each.serving(context));
            } catch (CreoException e) {
                throw e;
            } catch (Throwable e) {
                // Whatever it is, it is not an exception of the method.
                throw new IllegalStateException("an interceptor failed at the beginning of a call of " + method(), e);
            }
            if (!goesOn) {
                throw new CancellationException();
            }
        }
    }

    private boolean follow(CompletionStage<R> running) {
        boolean over;
        synchronized (this) {
            stage = running;
            over = state == State.OVER;
        }
        if (over) {
            running.toCompletableFuture().cancel(true);
        }
        Thread here = Thread.currentThread();
        boolean[] returned = new boolean[1];
        boolean[] done = new boolean[1];
        running.whenComplete((result, e) -> {
            Throwable failure = e instanceof CompletionException && e.getCause() != null ? e.getCause() : e;
            if (Thread.currentThread() == here && !returned[0]) {
                done[0] = end(result, failure, true);
            } else {
                service.execute(() -> {
                    end(result, failure, true);
                    IncomingCall<?, ?> next = service.release(this);
                    if (next != null) {
                        next.run();
                    }
                });
            }
        });
        returned[0] = true;
        return done[0];
    }

    /**
     * Answers, unless the call has been answered.
     *
     * @param begun whether the method has begun to run
     * @return always true
     */
    private boolean end(R result, Throwable failure, boolean begun) {
        try {
            return answerOnce(result, failure, begun);
        } finally {
            releaseMemory();
        }
    }

    private boolean answerOnce(R result, Throwable failure, boolean begun) {
        Interception seen;
        synchronized (this) {
            if (state == State.OVER) {
                return true;
            }
            state = ends == null ? State.OVER : State.ENDING;
            seen = ends;
        }
        int index = failure == null ? -1 : binding.method().indexOf(failure);
        CreoException error = failure == null || index >= 0 ? null
            : failure instanceof CreoException e && (!Failures.byRuntime(e) || streams != null && e == streams.unwritable()) ? e : ServiceErrors.internal(binding.method(), failure);
        if (error != null && !begun) {
            error = Failures.notStarted(error);
        }
        if (seen != null) {
            seen.runEnds(seen.end(error == null ? failure : error));
        }
        synchronized (this) {
            state = State.OVER;
            pairs = set == null ? AnswerPairs.NONE : set;
        }
        if (failure == null) {
            answer(result);
        } else if (index >= 0) {
            answerException(index, (Exception) failure);
        } else {
            answerError(error);
        }
        return true;
    }

    /** The error for an answer that cannot be written: a client may be told that a limit is exceeded. */
    final CreoException unwritable(Throwable failure) {
        return failure instanceof CreoException e && (e.code() == ErrorCode.TOO_LARGE || e.code() == ErrorCode.OVERLOADED)
            ? service.host().ofHost(e) : ServiceErrors.internal(method(), failure);
    }
}
