package creo.runtime;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.HashSet;
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

/**
 * The binary wire over TCP. A blocking call has a connection for itself and uses no other thread; calls that do not block, and blocking ones
 * beyond the number of connections, share one.
 */
final class TcpChannel implements Channel {
    /** A connection that was not used for so long is asked whether it is alive before it is used again. */
    private static final long STALE = 1_000_000_000L;
    private static final long PATIENCE = 2_000_000_000L;

    private final ClientOptions options;
    private final ExecutorService threads;
    private final TcpConnector connector;
    private final String address;
    private final ReentrantLock lock = new ReentrantLock();
    private final ArrayDeque<TcpCaller> idle = new ArrayDeque<>();
    private final Set<TcpCaller> callers = new HashSet<>();
    private int opening;
    private boolean closed;
    private final ReentrantLock sharing = new ReentrantLock();
    private volatile TcpShared shared;

    TcpChannel(String host, int port, ClientOptions options) {
        Objects.requireNonNull(host, "host");
        if (port < 1 || port > 65_535) {
            throw new IllegalArgumentException("a port is from 1 to 65535, not " + port);
        }
        this.options = Objects.requireNonNull(options, "options");
        this.threads = Threads.executor("creo-client");
        this.connector = new TcpConnector(host, port, options, threads);
        this.address = connector.address();
    }

    @Override
    public <A, R> R call(ServiceMethod<A, R> method, A arguments, CallOptions callOptions) throws Exception {
        long deadline = deadline(callOptions);
        Map<String, String> metadata = Metadata.join(options.metadata(), callOptions.metadata());
        TcpCaller caller = borrow(deadline);
        if (caller == null) {
            return callShared(method, arguments, metadata, deadline);
        }
        try {
            return caller.call(method, arguments, metadata, deadline);
        } finally {
            giveBack(caller);
        }
    }

    private long deadline(CallOptions callOptions) {
        Duration time = callOptions.deadline() != null ? callOptions.deadline() : options.limits().deadline();
        return System.nanoTime() + time.toNanos();
    }

    /** A connection for one call; null if there are as many as there may be, and all are in use. */
    private TcpCaller borrow(long deadline) {
        while (true) {
            TcpCaller caller;
            lock.lock();
            try {
                if (closed) {
                    throw closedError();
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
            long now = System.nanoTime();
            if (now - caller.usedAt() < STALE || caller.answers(Math.min(deadline, now + PATIENCE))) {
                return caller;
            }
            discard(caller);
        }
    }

    private TcpCaller open(long deadline) {
        TcpCaller caller = null;
        try {
            caller = new TcpCaller(connector.connect(deadline), address, options);
        } catch (RejectedExecutionException e) {
            throw closedError();
        } finally {
            lock.lock();
            try {
                opening--;
                if (caller != null) {
                    callers.add(caller);
                }
            } finally {
                lock.unlock();
            }
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

    private <A, R> R callShared(ServiceMethod<A, R> method, A arguments, Map<String, String> metadata, long deadline) throws Exception {
        TcpShared.Pending<R> pending = new TcpShared.Pending<>(method, deadline);
        share(deadline).send(pending, method, arguments, metadata);
        try {
            return pending.future().get(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof CreoException c ? c.again() : (Exception) e.getCause();
        } catch (TimeoutException e) {
            pending.cancel();
            throw TcpAnswer.deadlineExceeded(address);
        } catch (InterruptedException e) {
            pending.cancel();
            Thread.currentThread().interrupt();
            throw CreoException.ofRuntime(ErrorCode.CANCELLED, "the caller was interrupted", e);
        }
    }

    /** The connection that calls share, opened if there is none. */
    private TcpShared share(long deadline) {
        TcpShared present = shared;
        if (present != null && present.isUsable()) {
            return present;
        }
        try {
            if (!sharing.tryLock(deadline - System.nanoTime(), TimeUnit.NANOSECONDS)) {
                throw TcpAnswer.deadlineExceeded(address);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw CreoException.ofRuntime(ErrorCode.CANCELLED, "the caller was interrupted", e);
        }
        try {
            if (shared == null || !shared.isUsable()) {
                TcpShared opened = new TcpShared(connector.connect(deadline), address, options, threads);
                opened.start();
                shared = opened;
            }
            return shared;
        } finally {
            sharing.unlock();
        }
    }

    @Override
    public <A, R> CompletableFuture<R> callAsync(ServiceMethod<A, R> method, A arguments, CallOptions callOptions) {
        long deadline = deadline(callOptions);
        Map<String, String> metadata = Metadata.join(options.metadata(), callOptions.metadata());
        TcpShared.Pending<R> pending = new TcpShared.Pending<>(method, deadline);
        CallFuture<R> future = new CallFuture<>(pending, threads);
        TcpShared present = shared;
        if (present != null && present.isUsable()) {
            send(present, pending, method, arguments, metadata);
        } else {
            try {
                threads.execute(() -> {
                    try {
                        send(share(deadline), pending, method, arguments, metadata);
                    } catch (CreoException e) {
                        pending.future().completeExceptionally(e);
                    } catch (RejectedExecutionException e) {
                        pending.future().completeExceptionally(closedError());
                    }
                });
            } catch (RejectedExecutionException e) {
                pending.future().completeExceptionally(closedError());
            }
        }
        return future;
    }

    private static <A, R> void send(TcpShared connection, TcpShared.Pending<R> pending, ServiceMethod<A, R> method, A arguments, Map<String, String> metadata) {
        try {
            connection.send(pending, method, arguments, metadata);
        } catch (RuntimeException e) {
            pending.future().completeExceptionally(e);
        }
    }

    /** What a caller holds: to cancel it cancels the call, and what depends on it runs on a thread of the client, not on the one that reads. */
    private static final class CallFuture<R> extends CompletableFuture<R> {
        private final TcpShared.Pending<R> pending;

        CallFuture(TcpShared.Pending<R> pending, ExecutorService threads) {
            this.pending = pending;
            pending.future().whenComplete((result, e) -> {
                try {
                    threads.execute(() -> end(result, e));
                } catch (RejectedExecutionException closed) {
                    end(result, e);
                }
            });
        }

        private void end(R result, Throwable e) {
            Throwable cause = e instanceof CompletionException && e.getCause() != null ? e.getCause() : e;
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

    private CreoException closedError() {
        return CreoException.ofRuntime(ErrorCode.UNAVAILABLE, "the client of " + address + " is closed");
    }

    @Override
    public void close() {
        Set<TcpCaller> open;
        lock.lock();
        try {
            closed = true;
            open = Set.copyOf(callers);
            callers.clear();
            idle.clear();
        } finally {
            lock.unlock();
        }
        open.forEach(TcpCaller::close);
        threads.shutdown();
        TcpShared present = shared;
        if (present != null) {
            present.end(closedError());
        }
    }
}
