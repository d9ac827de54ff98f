package creo.runtime;

import creo.runtime.codegen.ServiceMethod;
import creo.runtime.internal.buffer.Failures;
import creo.runtime.internal.buffer.Threads;
import creo.runtime.internal.call.CallObserver;
import creo.runtime.internal.call.Interception;
import creo.runtime.internal.call.Metadata;
import creo.runtime.internal.call.MethodStreams;
import creo.runtime.internal.host.Host;
import creo.runtime.internal.host.LocalCall;
import creo.runtime.internal.net.Deadlines;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Calls services of the same program without a socket, for unit tests of services and their callers. Arguments, results and errors are encoded and
 * decoded by the binary wire: a value that cannot be sent fails here too, and neither side sees the other's objects.
 *
 * <pre>{@code
 * try (DataServiceClient client = new DataServiceClient(InProcessChannel.open(DataServiceEndpoint.of(new MyDataService())))) {
 *     client.storeData(List.of(data));
 * }
 * }</pre>
 */
public final class InProcessChannel implements Channel {
    private final ClientOptions options;
    private final Host host;
    private final Set<LocalCall<?, ?>> running = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    private InProcessChannel(ClientOptions options, Host.Watchers watchers, List<Endpoint> endpoints) {
        this.options = options;
        this.host = new Host(endpoints, options.limits(), Threads.executor("creo-in-process"), watchers);
    }

    /** Opens a channel to these services. */
    public static Channel open(Endpoint... endpoints) {
        return open(ClientOptions.DEFAULT, null, endpoints);
    }

    /**
     * Opens a channel to these services.
     *
     * @param options its limits apply to both sides, and its metadata to each call; options for connections have no effect
     * @param authenticator identifies the caller; null for none
     */
    public static Channel open(ClientOptions options, @Nullable Authenticator authenticator, Endpoint... endpoints) {
        return open(options, authenticator, List.of(), endpoints);
    }

    /** The same, with interceptors of the side that serves. Those of the side that calls are of the options. */
    public static Channel open(ClientOptions options, @Nullable Authenticator authenticator, List<ServerInterceptor> interceptors, Endpoint... endpoints) {
        Channel channel = new InProcessChannel(Objects.requireNonNull(options, "options"), new Host.Watchers(authenticator, interceptors), List.of(endpoints));
        return Interception.of(channel, options);
    }

    @Override
    public <A, R> R call(ServiceMethod<A, R> method, A arguments, CallOptions callOptions) throws Exception {
        LocalCall<A, R> call = begin(method, arguments, callOptions);
        try {
            R result = call.outcome().get(call.timeLeft().toNanos(), TimeUnit.NANOSECONDS);
            deliver(call, callOptions);
            return result;
        } catch (ExecutionException e) {
            deliver(call, callOptions);
            if (e.getCause() instanceof Error error) {
                throw error;
            }
            throw e.getCause() instanceof CreoException c ? c.again() : (Exception) e.getCause();
        } catch (TimeoutException e) {
            call.giveUp();
            throw exceeded();
        } catch (InterruptedException e) {
            call.giveUp();
            Thread.currentThread().interrupt();
            throw CreoException.ofRuntime(ErrorCode.CANCELLED, "the caller was interrupted", e);
        }
    }

    @Override
    public <A, R> CompletableFuture<R> callAsync(ServiceMethod<A, R> method, A arguments, CallOptions callOptions) {
        CompletableFuture<R> future = new CompletableFuture<>();
        LocalCall<A, R> call;
        try {
            call = begin(method, arguments, callOptions);
        } catch (RuntimeException | Error e) {
            future.completeExceptionally(e);
            return future;
        }
        call.outcome().copy().orTimeout(call.timeLeft().toNanos(), TimeUnit.NANOSECONDS).whenComplete((result, e) -> {
            try {
                if (!(e instanceof TimeoutException) && !future.isDone()) {
                    deliver(call, callOptions);
                }
            } catch (Throwable failure) {
                future.completeExceptionally(failure);
                return;
            }
            if (e == null) {
                future.complete(result);
            } else {
                Throwable cause = e instanceof CompletionException && e.getCause() != null ? e.getCause() : e;
                future.completeExceptionally(cause instanceof TimeoutException ? exceeded() : cause);
            }
        });
        if (!method.isOneway()) {
            future.whenComplete((result, e) -> call.giveUp());
        }
        return future;
    }

    private static void deliver(LocalCall<?, ?> call, CallOptions callOptions) {
        if (callOptions.answer() != null && call.answered() != null) {
            callOptions.answer().accept(new Answer(call.answered(), 0, List.of()));
        }
    }

    private <A, R> LocalCall<A, R> begin(ServiceMethod<A, R> method, A arguments, CallOptions callOptions) {
        LocalCall<A, R> call = call(method, arguments, callOptions, options.limits().deadline());
        start(call, callOptions);
        return call;
    }

    /** @param time for calls whose options have no deadline */
    private <A, R> LocalCall<A, R> call(ServiceMethod<A, R> method, A arguments, CallOptions callOptions, Duration time) {
        return LocalCall.of(host, options.limits(), method, arguments, Metadata.join(options.metadata(), callOptions.metadata()),
            CallObserver.deadline(callOptions, time), time != Deadlines.NONE || callOptions.deadline() != null);
    }

    private void start(LocalCall<?, ?> call, CallOptions callOptions) {
        CallObserver.reached(callOptions, LocalCall.PEER);
        running.add(call);
        call.outcome().whenComplete((result, e) -> running.remove(call));
        if (closed) {
            call.outcome().completeExceptionally(Failures.notStarted(closedError()));
        } else {
            call.start();
        }
    }

    @Override
    public <A, R> CompletableFuture<R> stream(ServiceMethod<A, R> method, A arguments, CallOptions callOptions) {
        LocalCall<A, R> call;
        try {
            call = call(method, arguments, callOptions, Deadlines.NONE);
        } catch (RuntimeException | Error e) {
            return method.refused(arguments, e);
        }
        MethodStreams.Call<R> streams = call.streams(arguments, callOptions);
        if (call.timeLeft() != null) {
            call.outcome().copy().orTimeout(call.timeLeft().toNanos(), TimeUnit.NANOSECONDS).whenComplete((result, e) -> {
                if (e instanceof TimeoutException) {
                    call.abandon(exceeded());
                }
            });
        }
        start(call, callOptions);
        streams.sent();
        return streams.future();
    }

    private static CreoException exceeded() {
        return Failures.ofRuntime(ErrorCode.DEADLINE_EXCEEDED, "the time for the call to " + LocalCall.PEER + " is over");
    }

    private static CreoException closedError() {
        return Failures.ofRuntime(ErrorCode.UNAVAILABLE, "the channel to " + LocalCall.PEER + " is closed");
    }

    @Override
    public void close() {
        closed = true;
        for (LocalCall<?, ?> call : running) {
            call.giveUp();
            call.outcome().completeExceptionally(call.unstarted(closedError()));
        }
        host.shutdown();
    }
}
