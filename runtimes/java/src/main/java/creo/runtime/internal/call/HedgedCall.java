package creo.runtime.internal.call;

import creo.runtime.CallOptions;
import creo.runtime.CreoException;
import creo.runtime.ErrorCode;
import creo.runtime.codegen.ServiceMethod;
import creo.runtime.internal.buffer.Failures;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/** A call whose attempts may go on at the same time (CALL-29, CALL-80 to CALL-84). It is what the caller holds: cancelling it cancels all of them. */
final class HedgedCall<A, R> extends CompletableFuture<R> {
    private final RetryingChannel owner;
    private final ServiceMethod<A, R> method;
    private final A arguments;
    private final CallOptions options;
    private final CallObserver outer;
    private final long start;
    private final ReentrantLock lock = new ReentrantLock();
    private final List<Attempt> underWay = new ArrayList<>();
    private Attempt newest;
    private int made;
    /** What the next attempt waits for, or null. */
    private CompletableFuture<?> wait;
    /** The {@link System#nanoTime} of the end of a wait for a repetition; null if the next attempt is a hedge. */
    private Long until;
    private boolean repeated;
    /** Whether the host was overloaded. */
    private boolean overloaded;
    /** Whether an attempt that has ended may have started the method. */
    private boolean started;
    /** Whether the outcome is known. */
    private boolean over;

    HedgedCall(RetryingChannel owner, ServiceMethod<A, R> method, A arguments, CallOptions options) {
        this.owner = owner;
        this.method = method;
        this.arguments = arguments;
        this.options = options;
        this.outer = CallObserver.of(options.answer());
        this.start = outer == null ? System.nanoTime() : outer.began();
    }

    /** Learns what is found out about an attempt. Those around the call learn it only from the attempt that decides. */
    private final class Attempt extends AttemptingChannel.Companion {
        private final long began;
        private CompletableFuture<R> future;

        Attempt(Attempt beside, long began) {
            super(beside);
            this.began = began;
        }

        @Override
        long began() {
            return began;
        }

        @Override
        CallObserver outer() {
            return outer;
        }

        @Override
        CallObserver reached(String address) {
            super.reached(address);
            return null;
        }

        private void showPeer() {
            if (peer() != null) {
                CallObserver.reached(options, peer());
            }
        }

        /** Passes on what was found out. */
        private void deliver() {
            showPeer();
            if (answer != null && options.answer() != null) {
                options.answer().accept(answer);
            }
        }
    }

    /** Makes the first attempt; returns this. */
    HedgedCall<A, R> begin() {
        lock.lock();
        Attempt first;
        try {
            first = next();
        } finally {
            lock.unlock();
        }
        make(first, options);
        return this;
    }

    /** Makes the attempts, and waits for the outcome. */
    R await() throws Exception {
        try {
            return begin().get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof Error error) {
                throw error;
            }
            throw e.getCause() instanceof CreoException c ? Failures.again(c) : (Exception) e.getCause();
        } catch (InterruptedException e) {
            cancel(true);
            Thread.currentThread().interrupt();
            throw CreoException.ofRuntime(ErrorCode.CANCELLED, "the caller was interrupted", e);
        }
    }

    /** The next attempt, and the time for a hedge after it. With the lock. */
    private Attempt next() {
        made++;
        // Without a deadline of its own, the call has that of a channel beneath, which counts it from the beginning.
        newest = new Attempt(newest, options.deadline() == null || made == 1 ? start : System.nanoTime());
        underWay.add(newest);
        until = null;
        if (!overloaded && made < owner.policy.attempts()) {
            await(owner.policy.hedgeAfter().toNanos());
        }
        return newest;
    }

    private void make(Attempt attempt, CallOptions used) {
        CompletableFuture<R> call;
        try {
            call = owner.channel.callAsync(method, arguments, used.withAnswer(attempt));
        } catch (Throwable e) {
            call = CompletableFuture.failedFuture(e);
        }
        lock.lock();
        boolean late;
        try {
            attempt.future = call;
            late = over;
        } finally {
            lock.unlock();
        }
        if (late) {
            call.cancel(true);
        }
        call.whenComplete((result, e) -> ended(attempt, result, e instanceof CompletionException && e.getCause() != null ? e.getCause() : e));
    }

    /** Replaces what the next attempt waits for. With the lock. */
    private void await(long nanos) {
        stopWaiting();
        CompletableFuture<?> begun = new CompletableFuture<>().completeOnTimeout(null, nanos, TimeUnit.NANOSECONDS);
        wait = begun;
        owner.endingWait(begun).thenRunAsync(() -> due(begun));
    }

    private void stopWaiting() {
        if (wait != null) {
            wait.cancel(false);
            wait = null;
        }
    }

    /** A wait has ended. */
    private void due(CompletableFuture<?> ended) {
        Attempt attempt;
        lock.lock();
        try {
            if (wait != ended || over) {
                return;
            }
            wait = null;
            boolean hedge = until == null;
            if (hedge && (owner.isClosed() || isLate(System.nanoTime()) || !owner.take())) {
                return;
            }
            repeated |= !hedge;
            attempt = next();
        } finally {
            lock.unlock();
        }
        make(attempt, options.deadline() == null ? options : options.withDeadline(Duration.ofNanos(Math.max(1, end() - attempt.began))));
    }

    /** The {@link System#nanoTime} of the call's deadline; null if that is not known yet. */
    private Long end() {
        return options.deadline() != null ? Long.valueOf(start + options.deadline().toNanos()) : newest.deadline();
    }

    private boolean isLate(long time) {
        Long end = end();
        return end != null && time - end >= 0;
    }

    private void ended(Attempt attempt, R result, Throwable failure) {
        List<Attempt> others;
        lock.lock();
        try {
            underWay.remove(attempt);
            if (over) {
                return;
            }
            if (failure instanceof CreoException e && RetryingChannel.mayRepeat(e, method)) {
                started |= !e.notStarted();
                repeatAfter(e);
                if (wait != null || !underWay.isEmpty()) {
                    return;
                }
            }
            others = leave();
        } finally {
            lock.unlock();
        }
        others.forEach(HedgedCall::drop);
        try {
            attempt.deliver();
            if (failure == null || method.indexOf(failure) >= 0) {
                owner.succeeded(repeated);
            }
        } catch (Throwable e) {
            completeExceptionally(e);
            return;
        }
        if (failure == null) {
            complete(result);
        } else if (failure instanceof CancellationException) {
            super.cancel(false);
        } else {
            completeExceptionally(RetryingChannel.last(failure, made, started || !others.isEmpty()));
        }
    }

    /** Plans the repetition after an error, or nothing if there must be none (CALL-83). With the lock. */
    private void repeatAfter(CreoException e) {
        overloaded |= e.code() == ErrorCode.OVERLOADED;
        long due = System.nanoTime() + owner.delay(e, made);
        boolean planned = until != null;
        if (planned && due - until <= 0) {
            return;
        }
        stopWaiting();
        until = null;
        if (made >= owner.policy.attempts() || owner.isClosed() || isLate(due) || !planned && !owner.take()) {
            return;
        }
        until = due;
        await(Math.max(0, due - System.nanoTime()));
    }

    /** The outcome is known; returns the attempts under way. With the lock. */
    private List<Attempt> leave() {
        over = true;
        stopWaiting();
        List<Attempt> left = List.copyOf(underWay);
        underWay.clear();
        return left;
    }

    private static void drop(HedgedCall<?, ?>.Attempt attempt) {
        if (attempt.future != null) {
            attempt.future.cancel(true);
        }
    }

    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        List<Attempt> left;
        lock.lock();
        try {
            if (over) {
                return super.cancel(mayInterruptIfRunning);
            }
            left = leave();
        } finally {
            lock.unlock();
        }
        newest.showPeer();
        boolean cancelled = super.cancel(mayInterruptIfRunning);
        left.forEach(HedgedCall::drop);
        return cancelled;
    }
}
