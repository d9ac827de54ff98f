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
 * A call that came in, with its arguments decoded: runs the method and answers once. Knows neither wire nor transport; a
 * transport's subclass writes the answers. Between {@link #run} and {@link #giveUp} the first wins, and only it answers.
 */
public abstract class IncomingCall<A, R> implements Runnable {
    /** ENDING: its method has ended, and those are told who see that before the answer leaves. */
    private enum State { WAITING, RUNNING, ENDING, OVER }

    private static final System.Logger LOG = System.getLogger("creo.runtime");

    /**
     * The peer that calls.
     *
     * @param address for the log and the service
     * @param source whose calls share a part of the host; null for one that may have all of it
     * @param identity who it is, or null if that is not known
     * @param memory what the message of the call holds, until the method has returned; or null
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
    /** The {@link System#nanoTime} of its end; meaningless without a deadline. */
    private final long deadline;
    private final boolean limited;

    private State state = State.WAITING;
    private Thread runner;
    private CompletionStage<R> stage;
    /** Who is told the end; null while there is nobody. */
    private Interception ends;
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
    }

    /** Sends the result; may block, never throws, not even an {@link Error}. */
    abstract void answer(R result);

    /** Sends the exception, which is the method's declared one of the given index; may block, never throws. */
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

    private AnswerPairs openPairs() {
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

    public Host.Service service() {
        return service;
    }

    /** How long the method's calls have taken lately. */
    Pace pace() {
        return entry.pace();
    }

    Host.Source source() {
        return caller.source();
    }

    String peer() {
        return caller.address();
    }

    /** Who makes the call, as its message says and proves, or null. */
    Principal user() {
        return null;
    }

    /** What tells the call from others, or null. */
    public String callId() {
        return null;
    }

    public boolean isRedelivered() {
        return false;
    }

    /** The caller's certificates, its own first; empty if it has shown none. */
    public List<X509Certificate> peerCertificates() {
        X509Certificate[] shown = caller.identity() == null ? null : caller.identity().peerCertificates();
        return shown == null ? List.of() : List.of(shown);
    }

    boolean isPast(long now) {
        return limited && now - deadline >= 0;
    }

    /** The time of its end, or {@code otherwise} if it has none. */
    long deadlineOr(long otherwise) {
        return limited ? deadline : otherwise;
    }

    public Duration timeLeft() {
        return limited ? Duration.ofNanos(Math.max(0, deadline - System.nanoTime())) : null;
    }

    public synchronized boolean isOver() {
        return state == State.OVER;
    }

    /** Ends the call without an answer of the method, and interrupts it if it runs; false if it has answered. Does not block. */
    public boolean giveUp() {
        CompletionStage<R> running;
        Interception seen;
        Interceptor.Outcome told = null;
        synchronized (this) {
            if (state == State.OVER || state == State.ENDING) {
                return false;
            }
            boolean waited = state == State.WAITING;
            state = State.OVER;
            if (runner != null) {
                runner.interrupt();
            }
            running = stage;
            seen = ends;
            if (seen != null) {
                ErrorCode code = isPast(System.nanoTime()) ? ErrorCode.DEADLINE_EXCEEDED : ErrorCode.CANCELLED;
                told = seen.end(Failures.ofRuntime(code, "the call ended before its method"));
            }
            if (waited) {
                service.forget(this);
                releaseMemory();
            }
        }
        if (running != null) {
            service.run(() -> running.toCompletableFuture().cancel(true));
        }
        if (seen != null) {
            Interceptor.Outcome outcome = told;
            service.surely(() -> seen.tell(outcome));
        }
        return true;
    }

    /** The arguments are not needed any more. */
    private void releaseMemory() {
        if (caller.memory() != null) {
            caller.memory().release();
        }
    }

    /** Runs the method on this thread, then those that wait for its place. */
    @Override
    public void run() {
        IncomingCall<?, ?> call = this;
        while (call != null) {
            call = call.perform() ? service.release(call) : null;
        }
    }

    /** Runs the method on this thread, which has other things to do afterwards. */
    void runHere() {
        if (perform()) {
            IncomingCall<?, ?> next = service.release(this);
            if (next != null) {
                service.execute(next);
            }
        }
    }

    /** Runs the method; false if its place stays taken until a stage completes. */
    private boolean perform() {
        long began = System.nanoTime();
        if (limited && isPast(began) && giveUp()) {
            answerError(Failures.ofRuntime(ErrorCode.DEADLINE_EXCEEDED, "the time for the call was over before it could start"));
            return true;
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
            if (binding.handler() != null) {
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
            HostAccess.enter(null);
            boolean interrupted;
            synchronized (this) {
                runner = null;
            }
            entry.pace().ran(System.nanoTime() - began);
            // An interrupt was meant for the method, and must not reach what this thread does next.
            interrupted = Thread.interrupted();
            if (interrupted && LOG.isLoggable(System.Logger.Level.TRACE)) {
                LOG.log(System.Logger.Level.TRACE, "{0} was interrupted", binding.method());
            }
        }
        if (running == null) {
            return end(result, failure);
        }
        try {
            return follow(running);
        } catch (RuntimeException | Error e) {
            // A stage of the service's own making may refuse to be followed.
            return end(null, e);
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
                done[0] = end(result, failure);
            } else {
                service.execute(() -> {
                    end(result, failure);
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

    /** Answers, unless somebody else did; true always. */
    private boolean end(R result, Throwable failure) {
        try {
            return answerOnce(result, failure);
        } finally {
            releaseMemory();
        }
    }

    private boolean answerOnce(R result, Throwable failure) {
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
            : failure instanceof CreoException e && !Failures.byRuntime(e) ? e : ServiceErrors.internal(binding.method(), failure);
        if (seen != null) {
            seen.tell(seen.end(error == null ? failure : error));
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

    /** Whether a client is told an error of writing an answer as it is: a limit that the answer exceeds. */
    static boolean mayBeTold(CreoException e) {
        return e.code() == ErrorCode.TOO_LARGE || e.code() == ErrorCode.OVERLOADED;
    }
}
