package creo.runtime.internal.call;

import creo.runtime.CallOptions;
import creo.runtime.Channel;
import creo.runtime.CreoException;
import creo.runtime.ErrorCode;
import creo.runtime.RetryPolicy;
import creo.runtime.codegen.ServiceMethod;
import creo.runtime.internal.buffer.Failures;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** A channel that repeats calls by a policy (CALL-20 to CALL-27), and hedges them if that says so (CALL-29). Its calls share one budget. */
public final class RetryingChannel extends AttemptingChannel {
    private static final int BUDGET = 500;
    private static final int COST = 5;

    final Channel channel;
    final RetryPolicy policy;
    private final AtomicInteger tokens = new AtomicInteger(BUDGET);

    public RetryingChannel(Channel channel, RetryPolicy policy) {
        this.channel = channel;
        this.policy = policy;
    }

    private final class Repetitions extends Attempts {
        private final ServiceMethod<?, ?> method;
        private int made;
        private long wait;
        /** Whether an attempt may have started the method. */
        private boolean started;

        Repetitions(ServiceMethod<?, ?> method, CallOptions options) {
            super(options);
            this.method = method;
        }

        @Override
        CompletableFuture<?> before() {
            return wait == 0 ? null : new CompletableFuture<>().completeOnTimeout(null, wait, TimeUnit.NANOSECONDS);
        }

        @Override
        Channel next() {
            made++;
            return channel;
        }

        @Override
        boolean ended(Throwable failure) {
            if (failure == null || method.indexOf(failure) >= 0) {
                succeeded(made > 1);
                return false;
            }
            if (made >= policy.attempts() || isClosed() || !(failure instanceof CreoException e) || !mayRepeat(e, method)) {
                return false;
            }
            started |= !e.notStarted();
            wait = delay(e, made);
            Long end = end();
            return (end == null || System.nanoTime() + wait - end < 0) && take();
        }

        @Override
        Throwable last(Throwable failure) {
            return RetryingChannel.last(failure, made, started);
        }
    }

    /** Whether the call of a method is repeated after an error (CALL-22). */
    static boolean mayRepeat(CreoException e, ServiceMethod<?, ?> method) {
        return (e.code() == ErrorCode.UNAVAILABLE || e.code() == ErrorCode.OVERLOADED) && (e.notStarted() || method.isIdempotent());
    }

    /** The nanoseconds to wait before the next attempt, when so many were made. */
    long delay(CreoException e, int made) {
        long max = Math.min(policy.maxDelay().toNanos(), policy.baseDelay().toNanos() << made - 1);
        return ThreadLocalRandom.current().nextLong(max + 1) + (e.retryAfter() == null ? 0 : e.retryAfter().toNanos());
    }

    /** What a call ends with after a failure (CALL-26). */
    static Throwable last(Throwable failure, int made, boolean started) {
        if (made == 1 || !(failure instanceof CreoException e)) {
            return failure;
        }
        CreoException last = Failures.with(e, "attempts", Integer.toString(made));
        return started ? Failures.with(last, "started", null) : last;
    }

    /** Pays for an attempt; false if there are too few tokens. */
    boolean take() {
        return tokens.getAndUpdate(n -> n < COST ? n : n - COST) >= COST;
    }

    /** A call has got its result or a declared exception. */
    void succeeded(boolean repeated) {
        if (tokens.get() < BUDGET) {
            tokens.updateAndGet(n -> Math.min(BUDGET, n + (repeated ? COST : 1)));
        }
    }

    private boolean hedges(ServiceMethod<?, ?> method) {
        return policy.hedgeAfter() != null && policy.attempts() > 1 && method.isIdempotent() && !method.isOneway();
    }

    @Override
    public <A, R> R call(ServiceMethod<A, R> method, A arguments, CallOptions options) throws Exception {
        return hedges(method) ? new HedgedCall<>(this, method, arguments, options).await() : super.call(method, arguments, options);
    }

    @Override
    public <A, R> CompletableFuture<R> callAsync(ServiceMethod<A, R> method, A arguments, CallOptions options) {
        return hedges(method) ? new HedgedCall<>(this, method, arguments, options).begin() : super.callAsync(method, arguments, options);
    }

    @Override
    Attempts begin(ServiceMethod<?, ?> method, CallOptions options) {
        return new Repetitions(method, options);
    }

    /** Not repeated (CALL-45). */
    @Override
    public <A, R> CompletableFuture<R> stream(ServiceMethod<A, R> method, A arguments, CallOptions options) {
        return channel.stream(method, arguments, options);
    }

    @Override
    public void close() {
        super.close();
        channel.close();
    }
}
