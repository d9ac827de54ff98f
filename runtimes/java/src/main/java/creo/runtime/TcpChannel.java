package creo.runtime;

import creo.runtime.codegen.ServiceMethod;
import creo.runtime.internal.buffer.Failures;
import creo.runtime.internal.buffer.Threads;
import creo.runtime.internal.call.CallBodies;
import creo.runtime.internal.call.CallObserver;
import creo.runtime.internal.call.Interception;
import creo.runtime.internal.call.Metadata;
import creo.runtime.internal.call.MethodStreams;
import creo.runtime.internal.net.Deadlines;
import creo.runtime.internal.net.TcpConnector;
import creo.runtime.internal.tcp.TcpCaller;
import creo.runtime.internal.tcp.TcpShared;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * The binary wire over TCP. Each blocking call has its own connection and uses no other thread. Non-blocking calls, and blocking calls beyond the max
 * number of connections, share one.
 */
public final class TcpChannel implements Channel {
    /** A connection that was idle for this long is checked before it is used again. */
    private static final long STALE = 1_000_000_000L;
    /** What came with an answer that has no metadata. */
    private static final Answer PLAIN = new Answer(Map.of(), 0, List.of());
    private static final long PATIENCE = 2_000_000_000L;

    private final ClientOptions options;
    private final CallBodies bodies;
    private final ExecutorService threads;
    private final TcpConnector connector;
    private final String address;
    private final ReentrantLock lock = new ReentrantLock();
    private final ArrayDeque<TcpCaller> idle = new ArrayDeque<>();
    private final Set<TcpCaller> callers = new HashSet<>();
    private int opening;
    private boolean closed;
    /** The last attempt to open the shared connection. */
    private CompletableFuture<TcpShared> connecting;
    private volatile TcpShared shared;
    /** Under the lock: the shared connection, and those before it on which calls may still be under way. */
    private final Set<TcpShared> allShared = new HashSet<>();

    /**
     * The same, with an address such as {@code data.example.org:7000} or {@code [::1]:7000}.
     *
     * @throws IllegalArgumentException if the address is none
     */
    public static Channel open(String address, ClientOptions options) {
        int colon = address.lastIndexOf(':');
        String host = colon < 0 ? "" : address.substring(0, colon);
        boolean bracketed = host.startsWith("[") && host.endsWith("]");
        if (host.isEmpty() || !bracketed && host.indexOf(':') >= 0 || !address.substring(colon + 1).matches("[0-9]{1,5}")) {
            throw new IllegalArgumentException("an address is a host, a colon and a port, not " + address);
        }
        return open(bracketed ? host.substring(1, host.length() - 1) : host, Integer.parseInt(address.substring(colon + 1)), options);
    }

    /** Opens a channel over TCP, or TLS if the options have a context for it. It connects with the first call. */
    public static Channel open(String host, int port, ClientOptions options) {
        return open(host, port, options, CallBodies.BINARY);
    }

    static Channel open(String host, int port, ClientOptions options, CallBodies bodies) {
        return Interception.of(new TcpChannel(host, port, options, bodies), options);
    }

    private TcpChannel(String host, int port, ClientOptions options, CallBodies bodies) {
        Objects.requireNonNull(host, "host");
        if (port < 1 || port > 65_535) {
            throw new IllegalArgumentException("a port is from 1 to 65535, not " + port);
        }
        this.options = Objects.requireNonNull(options, "options");
        this.bodies = bodies;
        this.threads = Threads.executor("creo-client");
        this.connector = new TcpConnector(host, port, options.tls(), options.limits(), threads);
        this.address = connector.address();
    }

    @Override
    public <A, R> R call(ServiceMethod<A, R> method, A arguments, CallOptions callOptions) throws Exception {
        long deadline = deadline(callOptions);
        Map<String, String> metadata = Metadata.join(options.metadata(), callOptions.metadata());
        TcpCaller caller;
        try {
            caller = borrow(deadline);
        } catch (CreoException e) {
            throw Failures.notStarted(e);
        }
        if (caller == null) {
            return callShared(method, arguments, metadata, deadline, callOptions);
        }
        try {
            CallObserver.reached(callOptions, address);
            Consumer<Answer> answer = callOptions.answer();
            return caller.call(method, arguments, metadata, deadline, answer == null ? null : came -> answer.accept(answer(came)));
        } finally {
            giveBack(caller);
        }
    }

    private static Answer answer(Map<String, String> metadata) {
        return metadata.isEmpty() ? PLAIN : new Answer(metadata, 0, List.of());
    }

    private long deadline(CallOptions callOptions) {
        return CallObserver.deadline(callOptions, options.limits().deadline());
    }

    /** A connection for one call; null if the max number of connections is in use. */
    private TcpCaller borrow(long deadline) {
        while (true) {
            TcpCaller caller;
            lock.lock();
            try {
                if (closed) {
                    throw connector.closedError(null);
                }
                caller = idle.pollFirst();
                if (caller == null) {
                    if (callers.size() + opening >= options.maxConnections()) {
                        return null;
                    }
                    opening++;
                }
            } finally {
                lock.unlock();
            }
            if (caller == null) {
                return open(deadline);
            }
            boolean answers = false;
            try {
                long now = System.nanoTime();
                answers = caller.answers(Math.min(deadline, now + PATIENCE), now - caller.usedAt() >= STALE);
            } finally {
                if (!answers) {
                    discard(caller);
                }
            }
            if (answers) {
                return caller;
            }
        }
    }

    private TcpCaller open(long deadline) {
        TcpCaller caller = null;
        boolean kept = false;
        try {
            caller = new TcpCaller(connector.connect(deadline), address, options, bodies);
        } finally {
            lock.lock();
            try {
                opening--;
                kept = caller != null && !closed && callers.add(caller);
            } finally {
                lock.unlock();
            }
        }
        if (!kept) {
            caller.close();
            throw connector.closedError(null);
        }
        return caller;
    }

    private void giveBack(TcpCaller caller) {
        boolean keep = caller.isUsable();
        if (keep) {
            lock.lock();
            try {
                keep = !closed;
                if (keep) {
                    idle.addFirst(caller);
                }
            } finally {
                lock.unlock();
            }
        }
        if (!keep) {
            discard(caller);
        }
    }

    private void discard(TcpCaller caller) {
        lock.lock();
        try {
            callers.remove(caller);
        } finally {
            lock.unlock();
        }
        caller.close();
    }

    private <A, R> R callShared(ServiceMethod<A, R> method, A arguments, Map<String, String> metadata, long deadline, CallOptions callOptions) throws Exception {
        TcpShared.Pending<R> pending = new TcpShared.Pending<>(method, deadline, callOptions.answer() != null);
        TcpShared connection = share(deadline);
        CallObserver.reached(callOptions, address);
        connection.send(pending, method, arguments, metadata);
        try {
            R result = pending.future().get(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
            deliver(pending, callOptions);
            return result;
        } catch (ExecutionException e) {
            deliver(pending, callOptions);
            throw failure(e.getCause());
        } catch (TimeoutException e) {
            pending.cancel();
            throw Deadlines.exceeded(address);
        } catch (InterruptedException e) {
            pending.cancel();
            Thread.currentThread().interrupt();
            throw CreoException.ofRuntime(ErrorCode.CANCELLED, "the caller was interrupted", e);
        }
    }

    private static void deliver(TcpShared.Pending<?> pending, CallOptions callOptions) {
        if (pending.metadata() != null) {
            callOptions.answer().accept(answer(pending.metadata()));
        }
    }

    /** The exception to throw in the caller for a failed call or connection; other callers may throw the same failure. */
    private static Exception failure(Throwable e) {
        if (e instanceof Error error) {
            throw error;
        }
        return e instanceof CreoException c ? c.again() : (Exception) e;
    }

    /** The shared connection, opened if necessary; waits for it until the deadline. */
    private TcpShared share(long deadline) throws Exception {
        TcpShared present = shared;
        if (present != null && present.isUsable()) {
            return present;
        }
        try {
            return sharing().get(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof CreoException c ? Failures.notStarted(c.again()) : failure(e.getCause());
        } catch (CreoException e) {
            throw Failures.notStarted(e);
        } catch (TimeoutException e) {
            throw Deadlines.exceeded(address);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw CreoException.ofRuntime(ErrorCode.CANCELLED, "the caller was interrupted while it connected to " + address, e);
        }
    }

    /** The attempt to open the shared connection. All callers wait for the same one, each until its own deadline. */
    private CompletableFuture<TcpShared> sharing() {
        CompletableFuture<TcpShared> attempt;
        lock.lock();
        try {
            if (closed) {
                throw connector.closedError(null);
            }
            if (shared != null && shared.isUsable()) {
                return CompletableFuture.completedFuture(shared);
            }
            if (connecting != null && !connecting.isDone()) {
                return connecting;
            }
            attempt = new CompletableFuture<>();
            connecting = attempt;
        } finally {
            lock.unlock();
        }
        try {
            threads.execute(() -> connectShared(attempt));
        } catch (RejectedExecutionException e) {
            attempt.completeExceptionally(connector.closedError(e));
        } catch (Error e) {
            attempt.completeExceptionally(e);
            throw e;
        }
        return attempt;
    }

    private void connectShared(CompletableFuture<TcpShared> attempt) {
        try {
            // Independent of this caller's deadline: others may wait longer.
            TcpShared opened = new TcpShared(connector.connect(System.nanoTime() + 2 * options.limits().connectTimeout().toNanos()), address, options, bodies, threads);
            lock.lock();
            try {
                if (closed) {
                    opened.end(connector.closedError(null));
                    throw connector.closedError(null);
                }
                opened.start();
                allShared.removeIf(TcpShared::hasEnded);
                allShared.add(opened);
                shared = opened;
            } finally {
                lock.unlock();
            }
            attempt.complete(opened);
        } catch (RuntimeException | Error e) {
            attempt.completeExceptionally(e instanceof RejectedExecutionException ? connector.closedError(e) : e);
        }
    }

    @Override
    public <A, R> CompletableFuture<R> callAsync(ServiceMethod<A, R> method, A arguments, CallOptions callOptions) {
        long deadline = deadline(callOptions);
        Map<String, String> metadata = Metadata.join(options.metadata(), callOptions.metadata());
        TcpShared.Pending<R> pending = new TcpShared.Pending<>(method, deadline, callOptions.answer() != null);
        CallFuture<R> future = new CallFuture<>(pending, callOptions, threads);
        send(pending, method, arguments, metadata, callOptions, () -> {});
        return future;
    }

    /** Sends a call on the shared connection, which is opened if necessary. */
    private <A, R> void send(TcpShared.Pending<R> pending, ServiceMethod<A, R> method, A arguments, Map<String, String> metadata, CallOptions callOptions,
            Runnable sent) {
        TcpShared present = shared;
        if (present != null && present.isUsable()) {
            CallObserver.reached(callOptions, address);
            if (present.isStuck()) {
                onThread(() -> send(present, pending, method, arguments, metadata, sent));
            } else {
                send(present, pending, method, arguments, metadata, sent);
            }
            return;
        }
        try {
            sharing().copy().orTimeout(pending.deadline() - System.nanoTime(), TimeUnit.NANOSECONDS).whenCompleteAsync((opened, e) -> {
                if (e == null) {
                    CallObserver.reached(callOptions, address);
                    send(opened, pending, method, arguments, metadata, sent);
                } else if (e instanceof TimeoutException) {
                    pending.future().completeExceptionally(Deadlines.exceeded(address));
                } else {
                    Throwable cause = e instanceof CompletionException && e.getCause() != null ? e.getCause() : e;
                    pending.future().completeExceptionally(cause instanceof CreoException c ? Failures.notStarted(c.again()) : cause);
                }
            }, this::onThread);
        } catch (CreoException e) {
            pending.future().completeExceptionally(Failures.notStarted(e));
        }
    }

    @Override
    public <A, R> CompletableFuture<R> stream(ServiceMethod<A, R> method, A arguments, CallOptions callOptions) {
        if (bodies != CallBodies.BINARY) {
            return method.refused(arguments, method.notCarried());
        }
        long deadline = CallObserver.deadline(callOptions, Deadlines.NONE);
        Map<String, String> metadata = Metadata.join(options.metadata(), callOptions.metadata());
        TcpShared.Pending<R> pending = new TcpShared.Pending<>(method, deadline, callOptions.answer() != null);
        MethodStreams.Call<R> call = method.streams().call(arguments, callOptions, options.limits(), threads, new Carrier(pending));
        pending.streams(call);
        send(pending, method, arguments, metadata, callOptions, call::sent);
        return call.future();
    }

    /** Carries a call with streams. */
    private record Carrier(TcpShared.Pending<?> pending) implements MethodStreams.Carrier {
        @Override
        public void send(byte[] buffer, int from, int to, boolean last) {
            pending.sendItems(buffer, from, to, last);
        }

        @Override
        public void credit(int bytes) {
            pending.sendCredit(bytes);
        }

        @Override
        public void end(Throwable why) {
            pending.end(why);
        }

        @Override
        public boolean hasBegun() {
            return pending.hasBegun();
        }

        @Override
        public Answer answer() {
            return pending.metadata() == null ? null : TcpChannel.answer(pending.metadata());
        }
    }

    /** Runs a task on a new thread, or on this one if no threads are available any more. */
    private void onThread(Runnable task) {
        try {
            threads.execute(task);
        } catch (RejectedExecutionException | OutOfMemoryError e) {
            task.run();
        }
    }

    private static <A, R> void send(TcpShared connection, TcpShared.Pending<R> pending, ServiceMethod<A, R> method, A arguments, Map<String, String> metadata,
            Runnable sent) {
        try {
            connection.send(pending, method, arguments, metadata);
            sent.run();
        } catch (RuntimeException | Error e) {
            pending.future().completeExceptionally(e);
        }
    }

    /** The caller's future: cancelling it cancels the call. Dependent stages run on a thread of the client, not on the reading one. */
    private static final class CallFuture<R> extends CompletableFuture<R> {
        private final TcpShared.Pending<R> pending;
        private final CallOptions options;

        CallFuture(TcpShared.Pending<R> pending, CallOptions options, ExecutorService threads) {
            this.pending = pending;
            this.options = options;
            pending.future().whenComplete((result, e) -> {
                try {
                    threads.execute(() -> end(result, e));
                } catch (RejectedExecutionException | OutOfMemoryError none) {
                    end(result, e);
                }
            });
        }

        private void end(R result, Throwable e) {
            Throwable cause = e instanceof CompletionException && e.getCause() != null ? e.getCause() : e;
            try {
                if (!isDone()) {
                    deliver(pending, options);
                }
            } catch (Throwable failure) {
                cause = failure;
            }
            if (cause == null) {
                complete(result);
            } else if (!(cause instanceof CancellationException)) {
                completeExceptionally(cause);
            } else {
                super.cancel(false);
            }
        }

        @Override
        public boolean cancel(boolean mayInterruptIfRunning) {
            boolean cancelled = super.cancel(mayInterruptIfRunning);
            pending.cancel();
            return cancelled;
        }
    }

    @Override
    public void close() {
        Set<TcpCaller> open;
        Set<TcpShared> present;
        lock.lock();
        try {
            // From now on, any thread that has connected notices this under the lock and drops its connection.
            closed = true;
            open = Set.copyOf(callers);
            callers.clear();
            idle.clear();
            present = Set.copyOf(allShared);
            allShared.clear();
        } finally {
            lock.unlock();
        }
        connector.close();
        open.forEach(TcpCaller::close);
        threads.shutdown();
        present.forEach(each -> each.close(connector.closedError(null)));
    }
}
