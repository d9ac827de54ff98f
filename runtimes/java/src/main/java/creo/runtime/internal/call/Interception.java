package creo.runtime.internal.call;

import creo.runtime.Answer;
import creo.runtime.CallOptions;
import creo.runtime.Channel;
import creo.runtime.ClientOptions;
import creo.runtime.ErrorCode;
import creo.runtime.Interceptor;
import creo.runtime.codegen.LogText;
import creo.runtime.codegen.ServiceMethod;
import creo.runtime.internal.buffer.Failures;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;

/**
 * One call that interceptors see, on either side: runs their ends, each once, in reverse order (CALL-14). In a client it rides in the options of the
 * call as the one who reads its answer, and so learns what its channel finds out.
 */
public final class Interception extends CallObserver {
    private static final System.Logger LOG = System.getLogger("creo.runtime");

    private final ServiceMethod<?, ?> method;
    private final long began = System.nanoTime();
    private final Interceptor.End[] ends;
    private int count;
    private Consumer<Answer> reader;
    /** Null until the call has ended. */
    private Interceptor.Outcome outcome;

    /** @param max how many interceptors there are */
    public Interception(ServiceMethod<?, ?> method, int max) {
        this.method = method;
        this.ends = new Interceptor.End[max];
    }

    /** A channel that repeats calls by the policy of its options, and whose calls their interceptors see: the channel itself if there is neither. */
    public static Channel of(Channel channel, ClientOptions options) {
        Channel used = options.retry() == null ? channel : options.retry().over(channel);
        return options.interceptors().isEmpty() ? used : new Intercepted(used, options.interceptors(), options);
    }

    /** The same channel with these interceptors, which see no more of the options than the call's own. */
    public static Channel of(Channel channel, Interceptor... interceptors) {
        return new Intercepted(channel, List.of(interceptors), null);
    }

    @Override
    long began() {
        return outer() == null ? began : outer().began();
    }

    @Override
    CallObserver outer() {
        return of(reader);
    }

    @Override
    void streamEnded(Throwable failure) {
        endNow(failure);
        super.streamEnded(failure);
    }

    @Override
    public void accept(Answer came) {
        super.accept(came);
        if (reader != null) {
            reader.accept(came);
        }
    }

    /**
     * Adds an end.
     *
     * @param end which may be null
     * @return false if the call has ended meanwhile: then this end has run, and no other interceptor may begin
     */
    public boolean add(Interceptor.End end) {
        Interceptor.Outcome ended;
        synchronized (this) {
            ended = outcome;
            if (ended == null && end != null) {
                ends[count++] = end;
            }
        }
        if (ended == null) {
            return true;
        }
        if (end != null) {
            leave(end);
            run(end, ended);
        }
        return false;
    }

    /** The thread that ran the beginnings, and only this one, turns to other work. */
    public void leaveThread() {
        for (int i = count - 1; i >= 0; i--) {
            leave(ends[i]);
        }
    }

    private void leave(Interceptor.End end) {
        try {
            end.leaveThread();
        } catch (Throwable e) {
            LOG.log(System.Logger.Level.ERROR, "an interceptor failed to leave the thread of a call of " + method, LogText.of(e));
        }
    }

    /** The call has ended, before the ends run: null for a failure after a result. Called once for each call. */
    public synchronized Interceptor.Outcome end(Throwable failure) {
        outcome = new Interceptor.Outcome(failure, Duration.ofNanos(System.nanoTime() - began), peer(), answer);
        return outcome;
    }

    /** Runs the ends, the last first. */
    public void runEnds(Interceptor.Outcome ended) {
        for (int i = count - 1; i >= 0; i--) {
            run(ends[i], ended);
        }
    }

    private void run(Interceptor.End end, Interceptor.Outcome ended) {
        try {
            end.ended(ended);
        } catch (Throwable e) {
            LOG.log(System.Logger.Level.ERROR, "an interceptor failed at the end of a call of " + method, LogText.of(e));
        }
    }

    /** Ends a client's call, and runs the ends. */
    private void endNow(Throwable failure) {
        runEnds(end(failure instanceof CancellationException ? Failures.ofRuntime(ErrorCode.CANCELLED, "the call was cancelled") : failure));
    }

    /** A channel whose calls interceptors see, whatever the wire and the transport are. */
    private static final class Intercepted implements Channel {
        private final Channel channel;
        private final List<Interceptor> interceptors;
        /** What the channel adds to each call, or null if that is not known. */
        private final ClientOptions options;
        /** What a call without options of its own is made with. */
        private final CallOptions common;

        Intercepted(Channel channel, List<Interceptor> interceptors, ClientOptions options) {
            this.channel = channel;
            this.interceptors = interceptors;
            this.options = options;
            this.common = shown(CallOptions.NONE);
        }

        private CallOptions shown(CallOptions call) {
            return options == null ? call : ClientAccess.joined(options, call);
        }

        /** Runs the beginnings; returns the options of the call, with the interception in them. */
        private CallOptions begin(Interception seen, CallOptions callOptions) {
            Interceptor.OutgoingCall call = new Interceptor.OutgoingCall(seen.method, callOptions == CallOptions.NONE ? common : shown(callOptions));
            try {
                for (Interceptor each : interceptors) {
                    seen.add(each.calling(call));
                }
            } catch (Throwable e) {
                seen.endNow(e);
                throw e;
            }
            seen.reader = call.options().answer();
            return call.options().withAnswer(seen);
        }

        @Override
        public <A, R> R call(ServiceMethod<A, R> method, A arguments, CallOptions callOptions) throws Exception {
            Interception seen = new Interception(method, interceptors.size());
            CallOptions used = begin(seen, callOptions);
            R result;
            try {
                result = channel.call(method, arguments, used);
            } catch (Throwable e) {
                seen.endNow(e);
                throw e;
            }
            seen.endNow(null);
            return result;
        }

        @Override
        public <A, R> CompletableFuture<R> callAsync(ServiceMethod<A, R> method, A arguments, CallOptions callOptions) {
            Interception seen = new Interception(method, interceptors.size());
            CallOptions used;
            try {
                used = begin(seen, callOptions);
            } catch (RuntimeException e) {
                return CompletableFuture.failedFuture(e);
            }
            CompletableFuture<R> call;
            try {
                call = channel.callAsync(method, arguments, used);
            } catch (Throwable e) {
                seen.endNow(e);
                throw e;
            }
            return new Followed<>(call, seen, false);
        }

        @Override
        public <A, R> CompletableFuture<R> stream(ServiceMethod<A, R> method, A arguments, CallOptions callOptions) {
            Interception seen = new Interception(method, interceptors.size());
            CallOptions used;
            try {
                used = begin(seen, callOptions);
            } catch (RuntimeException e) {
                return method.refused(arguments, e);
            }
            return new Followed<>(channel.stream(method, arguments, used), seen, method.givesStream());
        }

        @Override
        public void close() {
            channel.close();
        }
    }

    /** What a caller holds: it completes after the interceptors' ends, and cancelling it cancels the call. */
    private static final class Followed<R> extends CompletableFuture<R> {
        private final CompletableFuture<R> call;

        /** @param goesOn whether the call goes on after its result, a stream */
        Followed(CompletableFuture<R> call, Interception seen, boolean goesOn) {
            this.call = call;
            call.whenComplete((result, e) -> {
                Throwable cause = e instanceof CompletionException && e.getCause() != null ? e.getCause() : e;
                if (cause != null || !goesOn) {
                    seen.endNow(cause);
                }
                if (cause == null) {
                    complete(result);
                } else if (cause instanceof CancellationException) {
                    super.cancel(false);
                } else {
                    completeExceptionally(cause);
                }
            });
        }

        @Override
        public boolean cancel(boolean mayInterruptIfRunning) {
            call.cancel(mayInterruptIfRunning);
            return isCancelled();
        }
    }
}
