package creo.runtime.internal.call;

import creo.runtime.CallOptions;
import creo.runtime.Channel;
import creo.runtime.CreoException;
import creo.runtime.ErrorCode;
import creo.runtime.codegen.ServiceMethod;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.function.BiFunction;

/** A channel whose calls may take several attempts, one after the other, on other channels. The program sees the answer of the last one alone. */
public abstract class AttemptingChannel implements Channel {
    /** The waits of calls, which end with the channel. */
    private final Set<CompletableFuture<?>> waits = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    /** One of several attempts of a call that go on at the same time. Channels between its own and the peer keep in it where it is. */
    abstract static class Companion extends CallObserver {
        private final List<Object> places;

        /** @param beside another attempt of the same call, or null */
        Companion(Companion beside) {
            this.places = beside == null ? new CopyOnWriteArrayList<>() : beside.places;
        }

        /** Where attempts of the call with these options go on, a place once for each; null if there is only one at a time. */
        static List<Object> places(CallOptions options) {
            CallObserver each = of(options.answer());
            while (each != null && !(each instanceof Companion)) {
                each = each.outer();
            }
            return each == null ? null : ((Companion) each).places;
        }
    }

    /** One call: decides on its attempts, and observes them. For one thread at a time. */
    abstract class Attempts extends CallObserver implements MethodStreams.Attempts {
        private final CallOptions options;
        private final CallObserver outer;
        private final long start;
        private long began;
        private boolean repeats;
        /** Whether there is no other attempt in any case. */
        private volatile boolean last;
        /** Whether another attempt follows the stream of results that has just failed. */
        private boolean again;

        Attempts(CallOptions options) {
            this.options = options;
            this.outer = of(options.answer());
            this.start = outer == null ? System.nanoTime() : outer.began();
            this.began = start;
        }

        /** What the next attempt waits for, or null. If it fails, the call ends with that. */
        abstract CompletableFuture<?> before();

        /**
         * The channel of the next attempt.
         *
         * @throws CreoException if there is none, which ends the call
         */
        abstract Channel next();

        /**
         * Called when an attempt has ended, or what it waited for has failed.
         *
         * @param failure null after a result
         * @return whether there is another attempt
         */
        abstract boolean ended(Throwable failure);

        /** What the call ends with after a failure. */
        abstract Throwable last(Throwable failure);

        /** The {@link System#nanoTime} of the call's deadline; null if that is not known yet. */
        final Long end() {
            return options.deadline() == null ? deadline() : Long.valueOf(start + options.deadline().toNanos());
        }

        /** The options of the next attempt: the time that is left, and this as the reader of the answer. */
        private CallOptions options() {
            answer = null;
            CallOptions used = options;
            if (repeats && options.deadline() != null) {
                began = System.nanoTime();
                used = options.withDeadline(Duration.ofNanos(Math.max(1, end() - began)));
            }
            repeats = true;
            return used.withAnswer(this);
        }

        /** Passes on the answer of the last attempt. */
        private void deliver() {
            if (answer != null && options.answer() != null) {
                options.answer().accept(answer);
            }
        }

        @Override
        public final <T> CompletableFuture<T> make(boolean goesOn, BiFunction<Channel, CallOptions, CompletableFuture<T>> attempt) {
            Future<T> future = new Future<>(this, goesOn, attempt);
            future.begin();
            return future;
        }

        @Override
        public final void beLast() {
            last = true;
        }

        /** An attempt has ended; returns whether there is another. */
        private boolean another(Throwable failure) {
            return ended(failure) && !last;
        }

        @Override
        void streamEnded(Throwable failure) {
            again = another(failure);
            if (!again) {
                deliver();
                tell(failure);
            }
        }

        @Override
        public final void tell(Throwable failure) {
            super.streamEnded(failure);
        }

        @Override
        public final boolean again() {
            boolean follows = again;
            again = false;
            return follows;
        }

        @Override
        final long began() {
            return began;
        }

        @Override
        final CallObserver outer() {
            return outer;
        }
    }

    /** The attempts of a new call. */
    abstract Attempts begin(ServiceMethod<?, ?> method, CallOptions options);

    final boolean isClosed() {
        return closed;
    }

    @Override
    public <A, R> R call(ServiceMethod<A, R> method, A arguments, CallOptions options) throws Exception {
        Attempts attempts = begin(method, options);
        while (true) {
            R result;
            try {
                await(attempts.before());
                result = attempts.next().call(method, arguments, attempts.options());
            } catch (Throwable e) {
                if (attempts.ended(e)) {
                    continue;
                }
                attempts.deliver();
                Throwable last = attempts.last(e);
                if (last instanceof Error error) {
                    throw error;
                }
                throw (Exception) last;
            }
            attempts.ended(null);
            attempts.deliver();
            return result;
        }
    }

    private void await(CompletableFuture<?> wait) throws Throwable {
        if (wait != null) {
            try {
                endingWait(wait).get();
            } catch (ExecutionException e) {
                throw e.getCause();
            } catch (InterruptedException e) {
                wait.cancel(false);
                Thread.currentThread().interrupt();
                throw CreoException.ofRuntime(ErrorCode.CANCELLED, "the caller was interrupted", e);
            }
        }
    }

    /** The same wait, which ends with this channel. */
    final CompletableFuture<?> endingWait(CompletableFuture<?> wait) {
        waits.add(wait);
        wait.whenComplete((none, e) -> waits.remove(wait));
        if (closed) {
            wait.complete(null);
        }
        return wait;
    }

    @Override
    public <A, R> CompletableFuture<R> callAsync(ServiceMethod<A, R> method, A arguments, CallOptions options) {
        return begin(method, options).make(false, (channel, used) -> channel.callAsync(method, arguments, used));
    }

    @Override
    public <A, R> CompletableFuture<R> stream(ServiceMethod<A, R> method, A arguments, CallOptions options) {
        return method.streams().attempt(begin(method, options), method, arguments);
    }

    /** What a caller holds: cancelling it cancels the attempt or the wait in progress. */
    private final class Future<R> extends CompletableFuture<R> {
        private final Attempts attempts;
        private final boolean goesOn;
        private final BiFunction<Channel, CallOptions, CompletableFuture<R>> attempt;
        private volatile CompletableFuture<?> step;

        Future(Attempts attempts, boolean goesOn, BiFunction<Channel, CallOptions, CompletableFuture<R>> attempt) {
            this.attempts = attempts;
            this.goesOn = goesOn;
            this.attempt = attempt;
        }

        void begin() {
            CompletableFuture<?> wait = attempts.before();
            if (wait == null) {
                attempt();
                return;
            }
            step(endingWait(wait));
            wait.whenCompleteAsync((none, e) -> {
                if (e == null) {
                    attempt();
                } else {
                    ended(null, e);
                }
            });
        }

        private void attempt() {
            CompletableFuture<R> call;
            try {
                call = attempt.apply(attempts.next(), attempts.options());
            } catch (Throwable e) {
                call = CompletableFuture.failedFuture(e);
            }
            step(call);
            call.whenComplete(this::ended);
        }

        private void step(CompletableFuture<?> next) {
            step = next;
            if (isDone()) {
                next.cancel(true);
            }
        }

        private void ended(R result, Throwable e) {
            Throwable failure = e instanceof CompletionException && e.getCause() != null ? e.getCause() : e;
            try {
                if (failure == null && goesOn) {
                    complete(result);
                    return;
                }
                if (attempts.another(failure) && !isDone()) {
                    begin();
                    return;
                }
                if (!isDone()) {
                    attempts.deliver();
                }
                if (failure == null) {
                    complete(result);
                } else if (failure instanceof CancellationException) {
                    super.cancel(false);
                } else {
                    completeExceptionally(attempts.last(failure));
                }
            } catch (Throwable other) {
                completeExceptionally(other);
            }
        }

        @Override
        public boolean cancel(boolean mayInterruptIfRunning) {
            boolean cancelled = super.cancel(mayInterruptIfRunning);
            CompletableFuture<?> present = step;
            if (present != null) {
                present.cancel(mayInterruptIfRunning);
            }
            return cancelled;
        }
    }

    @Override
    public void close() {
        closed = true;
        waits.forEach(wait -> wait.complete(null));
    }
}
