package creo.runtime.internal.call;

import creo.runtime.CreoException;
import creo.runtime.codegen.Items;
import creo.runtime.codegen.ServiceMethod;
import creo.runtime.codegen.Streams;
import creo.runtime.internal.buffer.Failures;
import java.util.Spliterator;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * A call with streams that may take several attempts, as long as no item was taken from the program's stream (CALL-45). The stream of results is that of the
 * present attempt: if it fails because the call was not started, the thread that reads it waits for the next attempt.
 */
public final class StreamAttempts<A, R> {
    private final MethodStreams.Attempts attempts;
    private final ServiceMethod<A, R> method;
    private final Streams<A, R> streams;
    private final A arguments;
    /** The program's stream, or null. */
    private final Stream<?> source;
    private volatile boolean taken;

    public StreamAttempts(MethodStreams.Attempts attempts, ServiceMethod<A, R> method, Streams<A, R> streams, A arguments) {
        this.attempts = attempts;
        this.method = method;
        this.streams = streams;
        this.arguments = arguments;
        this.source = streams.takes() ? streams.stream(arguments) : null;
    }

    /** Makes the first attempt; returns what the caller gets. */
    public CompletableFuture<R> begin() {
        CompletableFuture<R> first = attempt();
        return streams.gives() ? new Opened(first) : first;
    }

    private CompletableFuture<R> attempt() {
        boolean goesOn = streams.gives();
        CompletableFuture<R> call = attempts.make(goesOn, (place, options) ->
            place.stream(method, source == null ? arguments : streams.withStream(arguments, lent(source)), options));
        call.whenComplete((result, e) -> {
            if (e != null || !goesOn) {
                over();
            }
        });
        return call;
    }

    /** A stream of the same items, which an attempt may close without taking any. */
    private <T> Stream<T> lent(Stream<T> stream) {
        return StreamSupport.<T>stream(() -> {
            taken = true;
            attempts.beLast();
            return stream.spliterator();
        }, 0, false).onClose(() -> {
            if (taken) {
                stream.close();
            }
        });
    }

    /** There is no other attempt. A stream that an attempt takes is closed by that. */
    private void over() {
        if (!taken) {
            StreamCall.close(source);
        }
    }

    /** What the caller gets for a stream of results. */
    private final class Opened extends CompletableFuture<R> {
        private final CompletableFuture<R> first;

        Opened(CompletableFuture<R> first) {
            this.first = first;
            first.whenComplete((stream, e) -> {
                if (e != null) {
                    completeExceptionally(e);
                } else {
                    complete(results((Stream<?>) stream));
                }
            });
        }

        @Override
        public boolean cancel(boolean mayInterruptIfRunning) {
            first.cancel(mayInterruptIfRunning);
            return super.cancel(mayInterruptIfRunning);
        }
    }

    @SuppressWarnings("unchecked") // The result is a stream of the same items.
    private <T> R results(Stream<T> stream) {
        Results<T> results = new Results<>(stream);
        return (R) StreamSupport.stream(results, false).onClose(results::close);
    }

    /** The items of the present attempt. */
    private final class Results<T> implements Spliterator<T> {
        private volatile Stream<T> present;
        private Spliterator<T> items;

        Results(Stream<T> first) {
            use(first);
        }

        private void use(Stream<T> stream) {
            present = stream;
            items = stream.spliterator();
        }

        /** Goes to the next attempt, if there is one. */
        @SuppressWarnings("unchecked") // The result is a stream of the same items.
        private void next(CreoException failure) {
            if (!attempts.again()) {
                over();
                throw failure;
            }
            try {
                use((Stream<T>) Items.await(attempt()));
            } catch (Exception e) {
                attempts.tell(e);
                throw Failures.asItIs(e);
            }
        }

        @Override
        public boolean tryAdvance(Consumer<? super T> action) {
            while (true) {
                try {
                    boolean more = items.tryAdvance(action);
                    if (!more) {
                        over();
                    }
                    return more;
                } catch (CreoException e) {
                    next(e);
                }
            }
        }

        @Override
        public void forEachRemaining(Consumer<? super T> action) {
            while (true) {
                try {
                    items.forEachRemaining(action);
                    over();
                    return;
                } catch (CreoException e) {
                    next(e);
                }
            }
        }

        void close() {
            present.close();
            over();
        }

        @Override
        public Spliterator<T> trySplit() {
            return null;
        }

        @Override
        public long estimateSize() {
            return Long.MAX_VALUE;
        }

        @Override
        public int characteristics() {
            return ORDERED;
        }
    }
}
