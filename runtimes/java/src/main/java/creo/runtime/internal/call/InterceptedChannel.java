package creo.runtime.internal.call;

import creo.runtime.CallOptions;
import creo.runtime.Channel;
import creo.runtime.ClientOptions;
import creo.runtime.ErrorCode;
import creo.runtime.Interceptor;
import creo.runtime.codegen.ServiceMethod;
import creo.runtime.internal.buffer.Failures;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** A channel whose calls interceptors see, whatever the wire and the transport are (CALL-10 to CALL-17). */
public final class InterceptedChannel implements Channel {
    private final Channel channel;
    private final List<Interceptor> interceptors;
    /** What the channel adds to each call, or null if that is not known. */
    private final ClientOptions options;

    private InterceptedChannel(Channel channel, List<Interceptor> interceptors, ClientOptions options) {
        this.channel = channel;
        this.interceptors = interceptors;
        this.options = options;
    }

    /** The channel itself if its options have no interceptors. */
    public static Channel of(Channel channel, ClientOptions options) {
        return options.interceptors().isEmpty() ? channel : new InterceptedChannel(channel, options.interceptors(), options);
    }

    /** The same channel with these interceptors, which see no more of the options than the call's own. */
    public static Channel of(Channel channel, Interceptor... interceptors) {
        return new InterceptedChannel(channel, List.of(interceptors), null);
    }

    /** A call whose interceptors have begun, and what it is made with. */
    private static final class Begun {
        final Ends ends;
        final Attempt attempt;
        final CallOptions options;

        Begun(Ends ends, Attempt attempt, CallOptions options) {
            this.ends = ends;
            this.attempt = attempt;
            this.options = options;
        }

        void end(Throwable failure) {
            Throwable told = failure instanceof CancellationException ? Failures.ofRuntime(ErrorCode.CANCELLED, "the call was cancelled") : failure;
            ends.end(told, attempt.peer(), attempt.answer());
            ends.tell();
        }
    }

    private Begun begin(ServiceMethod<?, ?> method, CallOptions callOptions) {
        Ends ends = new Ends(method);
        Interceptor.OutgoingCall call = new Interceptor.OutgoingCall(method, options == null ? callOptions : ClientAccess.joined(options, callOptions));
        try {
            for (Interceptor each : interceptors) {
                ends.add(each.calling(call));
            }
        } catch (Throwable e) {
            ends.end(e, null, null);
            ends.tell();
            throw e;
        }
        Attempt attempt = new Attempt(ends.began(), call.options().answer());
        return new Begun(ends, attempt, call.options().withAnswer(attempt));
    }

    @Override
    public <A, R> R call(ServiceMethod<A, R> method, A arguments, CallOptions callOptions) throws Exception {
        Begun begun = begin(method, callOptions);
        R result;
        try {
            result = channel.call(method, arguments, begun.options);
        } catch (Throwable e) {
            begun.end(e);
            throw e;
        }
        begun.end(null);
        return result;
    }

    @Override
    public <A, R> CompletableFuture<R> callAsync(ServiceMethod<A, R> method, A arguments, CallOptions callOptions) {
        Begun begun;
        try {
            begun = begin(method, callOptions);
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
        CompletableFuture<R> call;
        try {
            call = channel.callAsync(method, arguments, begun.options);
        } catch (Throwable e) {
            begun.end(e);
            throw e;
        }
        return new Followed<>(call, begun);
    }

    /** What a caller holds: it ends when the interceptors were told so, and to cancel it cancels the call. */
    private static final class Followed<R> extends CompletableFuture<R> {
        private final CompletableFuture<R> call;

        Followed(CompletableFuture<R> call, Begun begun) {
            this.call = call;
            call.whenComplete((result, e) -> {
                Throwable cause = e instanceof CompletionException && e.getCause() != null ? e.getCause() : e;
                begun.end(cause);
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

    @Override
    public void close() {
        channel.close();
    }
}
