package creo.jms;

import creo.runtime.CallOptions;
import creo.runtime.Channel;
import creo.runtime.ClientOptions;
import creo.runtime.CreoException;
import creo.runtime.ErrorCode;
import creo.runtime.Wire;
import creo.runtime.codegen.ServiceMethod;
import creo.runtime.spi.MessageAnswer;
import creo.runtime.spi.MessageClient;
import creo.runtime.spi.MessageHook;
import creo.runtime.spi.MessageRequest;
import jakarta.jms.JMSException;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Calls services through a broker's queue ({@code spec/transports/jms.md}). It connects with the first call, and again with the next one after the
 * connection was lost; waiting calls then end as {@code unavailable}. Clients of several interfaces may share it: any number of calls may be in
 * progress on its one connection. Safe for use by many threads.
 *
 * <pre>{@code
 * Channel channel = JmsChannel.of(JmsBroker.at("127.0.0.1", 61616), "jms:queue:data", Wire.SOAP);
 * DataService service = new DataServiceClient(channel);
 * }</pre>
 */
public final class JmsChannel implements Channel {
    private final JmsBroker broker;
    private final JmsBroker.Connector connector;
    private final JmsAddress address;
    private final Wire wire;
    private final ClientOptions options;
    private final MessageClient client;
    private final Channel calls;
    private final ExecutorService threads;
    private final JmsStreams streams;
    private JmsLink link;
    private boolean closed;

    private JmsChannel(JmsBroker broker, JmsAddress address, Wire wire, ClientOptions options) {
        this.broker = broker;
        this.address = address;
        this.wire = wire;
        this.options = options;
        this.connector = broker.forClient(options.limits().connectTimeout());
        this.client = new MessageClient(wire, options, address + " by " + broker, JmsMessages.FAULTS);
        this.calls = client.intercepted(new Calls());
        AtomicLong count = new AtomicLong();
        this.threads = Executors.newCachedThreadPool(task -> {
            Thread thread = new Thread(task, "creo-jms-client-" + count.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        });
        this.streams = new JmsStreams(broker, address, options, client, threads);
    }

    /**
     * Opens a channel to the service at an address, with default options.
     *
     * @throws CreoException {@code invalid-value} if the address is invalid
     */
    public static JmsChannel of(JmsBroker broker, String address, Wire wire) {
        return of(broker, address, wire, ClientOptions.DEFAULT);
    }

    /**
     * Opens a channel to the service at an address. The options for TCP and TLS have no effect here: the broker has its own. With compression, every
     * request is compressed, and answers of 1,024 bytes and more are.
     *
     * @throws CreoException {@code invalid-value} if the address is invalid
     */
    public static JmsChannel of(JmsBroker broker, String address, Wire wire, ClientOptions options) {
        return new JmsChannel(Objects.requireNonNull(broker, "broker"), JmsAddress.parse(address), Objects.requireNonNull(wire, "wire"), options);
    }

    /** A call in progress, which ends with the first of its answer, its deadline, a lost connection, and cancellation. */
    private final class Call {
        private final CompletableFuture<MessageAnswer> answer = new CompletableFuture<>();
        private final String id = JmsLink.newId();
        /** Shows its messages; or null. */
        private final MessageHook hook;
        private volatile JmsLink over;

        Call(MessageHook hook) {
            this.hook = hook;
        }

        /** Sends the request; if no answer will come, waits until the broker has it. */
        private void send(MessageRequest request, long deadline, CallOptions callOptions) {
            try {
                JmsLink used = link();
                over = used;
                client.reached(callOptions);
                String correlation = used.await(id, new JmsLink.Waiting(answer, hook));
                if (!answer.isDone()) {
                    used.send(request, address, correlation, deadline, hook);
                }
                if (request.isOneway()) {
                    answer.complete(null);
                }
            } catch (CreoException e) {
                answer.completeExceptionally(MessageClient.notStarted(e));
            } catch (JMSException | RuntimeException e) {
                // Before the caller is notified: its next call must not use a lost connection.
                if (over != null) {
                    over.check(e);
                }
                answer.completeExceptionally(JmsFailures.using(broker, "sending to " + address, e));
            } catch (InterruptedException e) {
                answer.completeExceptionally(JmsFailures.unavailable("the channel to " + address + " is closed"));
            } catch (Error e) {
                answer.completeExceptionally(e);
            }
        }

        private void begin(MessageRequest request, long milliseconds, CallOptions callOptions) {
            long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(milliseconds);
            answer.orTimeout(milliseconds, TimeUnit.MILLISECONDS).whenComplete((told, e) -> {
                JmsLink used = over;
                if (used != null) {
                    used.forget(id);
                }
            });
            try {
                threads.execute(() -> {
                    if (!answer.isDone()) {
                        send(request, deadline, callOptions);
                        if (answer.isDone() && over != null) {
                            over.forget(id);
                        }
                    }
                });
            } catch (RejectedExecutionException e) {
                answer.completeExceptionally(MessageClient.notStarted(JmsFailures.unavailable("the channel to " + address + " is closed")));
            }
        }

        private CreoException failure(Throwable e) {
            Throwable cause = e instanceof CompletionException && e.getCause() != null ? e.getCause() : e;
            if (cause instanceof CreoException told) {
                return told;
            }
            if (cause instanceof TimeoutException) {
                return JmsFailures.timeIsOver(broker, address);
            }
            if (cause instanceof CancellationException) {
                return CreoException.ofRuntime(ErrorCode.CANCELLED, "the call was cancelled", cause);
            }
            if (cause instanceof Error error) {
                throw error;
            }
            throw new IllegalStateException(cause);
        }
    }

    /** The current connection, or a new one; fails if none can be made. */
    private synchronized JmsLink link() {
        if (closed) {
            throw JmsFailures.unavailable("the channel to " + address + " is closed");
        }
        if (link == null || link.isBroken()) {
            if (link != null) {
                link.close("the connection to " + broker + " was lost");
            }
            link = null;
            try {
                link = JmsLink.connect(connector, broker, address, wire, options.limits());
            } catch (JMSException e) {
                throw JmsFailures.connecting(broker, e);
            }
        }
        return link;
    }

    private long milliseconds(CallOptions callOptions) {
        long time = Math.max(1, client.time(callOptions).toMillis());
        return address.timeToLive() > 0 ? Math.min(time, address.timeToLive()) : time;
    }

    private <A, R> Call begin(ServiceMethod<A, R> method, A arguments, CallOptions callOptions) {
        if (client.time(callOptions).isNegative()) {
            throw JmsFailures.timeIsOver(broker, address);
        }
        Call call = new Call(client.hook(method, address.place()));
        call.begin(client.request(method, arguments, callOptions), milliseconds(callOptions), callOptions);
        return call;
    }

    private <R> R read(ServiceMethod<?, R> method, MessageAnswer answer, CallOptions callOptions) throws Exception {
        return answer == null ? null : client.read(method, answer, callOptions);
    }

    @Override
    public <A, R> R call(ServiceMethod<A, R> method, A arguments, CallOptions callOptions) throws Exception {
        return calls.call(method, arguments, callOptions);
    }

    @Override
    public <A, R> CompletableFuture<R> callAsync(ServiceMethod<A, R> method, A arguments, CallOptions callOptions) {
        return calls.callAsync(method, arguments, callOptions);
    }

    @Override
    public <A, R> CompletableFuture<R> stream(ServiceMethod<A, R> method, A arguments, CallOptions callOptions) {
        return calls.stream(method, arguments, callOptions);
    }

    /** The calls as interceptors leave them. */
    private final class Calls implements Channel {
        @Override
        public <A, R> R call(ServiceMethod<A, R> method, A arguments, CallOptions callOptions) throws Exception {
            Call call = begin(method, arguments, callOptions);
            MessageAnswer answer;
            try {
                answer = call.answer.get();
            } catch (InterruptedException e) {
                call.answer.cancel(true);
                Thread.currentThread().interrupt();
                throw CreoException.ofRuntime(ErrorCode.CANCELLED, "the caller was interrupted", e);
            } catch (ExecutionException e) {
                throw call.failure(e.getCause());
            }
            return read(method, answer, callOptions);
        }

        @Override
        public <A, R> CompletableFuture<R> callAsync(ServiceMethod<A, R> method, A arguments, CallOptions callOptions) {
            Call call;
            try {
                call = begin(method, arguments, callOptions);
            } catch (CreoException e) {
                return CompletableFuture.failedFuture(e);
            }
            CompletableFuture<R> future = new CompletableFuture<>() {
                @Override
                public boolean cancel(boolean mayInterruptIfRunning) {
                    boolean cancelled = super.cancel(mayInterruptIfRunning);
                    call.answer.cancel(true);
                    return cancelled;
                }
            };
            call.answer.whenComplete((answer, e) -> run(() -> {
                try {
                    if (e != null) {
                        future.completeExceptionally(call.failure(e));
                    } else if (!future.isDone()) {
                        future.complete(read(method, answer, callOptions));
                    }
                } catch (Throwable failure) {
                    future.completeExceptionally(failure);
                }
            }));
            return future;
        }

        @Override
        public <A, R> CompletableFuture<R> stream(ServiceMethod<A, R> method, A arguments, CallOptions callOptions) {
            return streams.begin(method, arguments, callOptions);
        }

        @Override
        public void close() {
            JmsChannel.this.close();
        }
    }

    /** Runs a task on a thread of the pool, or on this one if the channel is closed, so every call ends. */
    private void run(Runnable task) {
        try {
            threads.execute(task);
        } catch (RejectedExecutionException e) {
            task.run();
        }
    }

    @Override
    public void close() {
        JmsLink last;
        synchronized (this) {
            closed = true;
            last = link;
            link = null;
        }
        if (last != null) {
            last.close("the channel to " + address + " is closed");
        }
        streams.close();
        threads.shutdown();
    }
}
