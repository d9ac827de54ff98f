package creo.runtime.internal.call;

import creo.runtime.Answer;
import creo.runtime.CallOptions;
import creo.runtime.CreoException;
import creo.runtime.ErrorCode;
import creo.runtime.Limits;
import creo.runtime.codegen.Items;
import creo.runtime.codegen.LogText;
import creo.runtime.codegen.Streams;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.stream.Stream;

/** A client's call with streams, whatever carries it: the items of both directions, the program's stream, and what the caller waits for. */
public final class StreamCall<A, R> implements ItemInput.Peer, ItemOutput.Peer, MethodStreams.Call<R> {
    private static final System.Logger LOG = System.getLogger("creo.runtime");

    private final CallOptions options;
    private final Executor threads;
    private final MethodStreams.Carrier carrier;
    private final ItemInput<?> input;
    private final ItemOutput<?> output;
    private final boolean countsAll;
    /** The program's stream, or null. */
    private final Stream<?> source;
    private final Future future = new Future();
    private boolean taking;
    private boolean over;

    /** @param lines the items of the only stream as lines of text, which the carrier divides into frames; null for the binary wire */
    public StreamCall(Streams<A, R> streams, A arguments, CallOptions options, Limits limits, Executor threads, MethodStreams.Carrier carrier,
            Items<?> lines) {
        this.options = options;
        this.threads = threads;
        this.carrier = carrier;
        Items<?> given = lines == null ? streams.resultItems() : lines;
        Items<?> taken = lines == null ? streams.parameterItems() : lines;
        this.input = streams.gives() ? new ItemInput<>(given, limits, this) : null;
        this.output = streams.takes() ? new ItemOutput<>(taken, limits, true, threads, this) : null;
        this.source = output == null ? null : streams.stream(arguments);
        this.countsAll = lines != null;
    }

    @Override
    public boolean add(byte[] body) {
        return input.add(body, false);
    }

    @Override
    public boolean more(long bytes) {
        return output != null && output.credit(bytes);
    }

    @Override
    public void stop() {
        if (output != null) {
            output.stop();
        }
    }

    @Override
    public CompletableFuture<R> future() {
        return future;
    }

    @Override
    public void sent() {
        synchronized (this) {
            if (over) {
                return;
            }
            taking = source != null;
        }
        if (taking) {
            try {
                threads.execute(this::take);
            } catch (RejectedExecutionException | OutOfMemoryError e) {
                taken();
                noThread(e);
            }
        }
        if (input != null) {
            give();
        }
    }

    @Override
    public void send(byte[] buffer, int from, int to, boolean last) {
        carrier.send(buffer, from, to, last);
    }

    @Override
    public void noThread(Throwable why) {
        carrier.end(why instanceof RejectedExecutionException ? CreoException.ofRuntime(ErrorCode.UNAVAILABLE, "the channel is closed", why) : why);
    }

    @SuppressWarnings("unchecked") // The result of a method that gives items is a stream.
    private void give() {
        if (!future.isDone() && !future.complete((R) input.stream())) {
            carrier.end(new CancellationException());
        }
    }

    private void take() {
        try {
            output.send(unchecked(source));
        } catch (Throwable e) {
            carrier.end(e);
        } finally {
            taken();
        }
    }

    @SuppressWarnings("unchecked") // The items of the stream are those of the output.
    private static <T> Stream<T> unchecked(Stream<?> stream) {
        return (Stream<T>) stream;
    }

    private void taken() {
        synchronized (this) {
            taking = false;
            if (!over) {
                return;
            }
        }
        close(source);
    }

    @Override
    public void ended(R result, Throwable e) {
        stop();
        Throwable failure = e instanceof CompletionException && e.getCause() != null ? e.getCause() : e;
        try {
            threads.execute(() -> finish(result, failure));
        } catch (RejectedExecutionException | OutOfMemoryError none) {
            finish(result, failure);
        }
    }

    private void finish(R result, Throwable failure) {
        boolean idle;
        synchronized (this) {
            over = true;
            idle = !taking;
        }
        if (idle) {
            close(source);
        }
        if (input != null && carrier.hasBegun()) {
            // Wherever the failure comes from, the caller finds it in the stream.
            input.end(failure);
            give();
            return;
        }
        Throwable cause = failure;
        try {
            if (!future.isDone()) {
                deliver();
            }
        } catch (Throwable other) {
            cause = other;
        }
        if (cause == null) {
            future.complete(result);
        } else {
            future.completeExceptionally(cause);
        }
    }

    private void deliver() {
        Answer came = options.answer() == null ? null : carrier.answer();
        if (came != null) {
            options.answer().accept(came);
        }
    }

    /** Closes a stream of the program; null for none. */
    public static void close(Stream<?> stream) {
        if (stream != null) {
            try {
                stream.close();
            } catch (RuntimeException | Error e) {
                LOG.log(System.Logger.Level.ERROR, "a stream of items failed when it was closed", LogText.of(e));
            }
        }
    }

    @Override
    public boolean countsAll() {
        return countsAll;
    }

    @Override
    public void credit(int bytes) {
        carrier.credit(bytes);
    }

    /** The program has seen the end of the stream of results. */
    @Override
    public void ended(Throwable failure) {
        Throwable seen = failure;
        try {
            if (failure != null) {
                carrier.end(failure);
            }
            deliver();
        } catch (Throwable other) {
            seen = other;
            throw other;
        } finally {
            CallObserver.ended(options, seen);
        }
    }

    private final class Future extends CompletableFuture<R> {
        @Override
        public boolean cancel(boolean mayInterruptIfRunning) {
            boolean cancelled = super.cancel(mayInterruptIfRunning);
            if (cancelled) {
                carrier.end(new CancellationException());
            }
            return cancelled;
        }
    }
}
