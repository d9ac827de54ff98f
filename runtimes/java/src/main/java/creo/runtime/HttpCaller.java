package creo.runtime;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.URI;
import java.net.UnknownHostException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Sends requests to one place by the HTTP client of the JDK, and ends each at its deadline, whatever it then waits for. Knows no wire.
 *
 * <p>A call's own thread does as much as it can: it writes the request itself, and is woken by the thread that reads the answer. Over plain
 * HTTP that one thread only collects bytes; through TLS it hands over, since what checks a certificate may wait for others.
 */
final class HttpCaller {
    /** What the JDK knows of a name is younger than its own 30 seconds then, and it does not ask the network. */
    private static final long NAME_HOLDS = TimeUnit.SECONDS.toNanos(20);

    private final URI uri;
    private final String address;
    private final Limits limits;
    private final boolean plain;
    private final boolean named;
    private final ExecutorService threads;
    private final HttpClient client;
    private final Set<Waiting> waiting = ConcurrentHashMap.newKeySet();
    private final Set<Answer> answers = ConcurrentHashMap.newKeySet();
    private volatile long nameHolds = System.nanoTime() - 1;
    private volatile boolean closed;

    HttpCaller(URI uri, ClientOptions options) {
        String scheme = uri.getScheme() == null ? "" : uri.getScheme().toLowerCase(Locale.ROOT);
        if (!scheme.equals("http") && !scheme.equals("https") || uri.getHost() == null) {
            throw new IllegalArgumentException("the URL of a service begins with http:// or https:// and names a host, unlike " + uri);
        }
        this.uri = uri;
        this.address = uri.getHost() + ":" + (uri.getPort() >= 0 ? uri.getPort() : scheme.equals("https") ? 443 : 80);
        this.limits = options.limits();
        this.plain = scheme.equals("http");
        this.named = !uri.getHost().matches("\\[.*]|[0-9.]+");
        this.threads = Threads.executor("creo-client");
        HttpClient.Builder builder = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).followRedirects(HttpClient.Redirect.NEVER)
            .connectTimeout(limits.connectTimeout()).executor(plain ? Runnable::run : threads);
        if (options.tls() != null) {
            builder.sslContext(options.tls());
        }
        this.client = builder.build();
    }

    String address() {
        return address;
    }

    void checkOpen() {
        if (closed) {
            throw closedError(null);
        }
    }

    private CreoException closedError(Throwable cause) {
        return CreoException.ofRuntime(ErrorCode.UNAVAILABLE, "the channel to " + address + " is closed", cause);
    }

    /** Ends the calls under way. */
    void close() {
        closed = true;
        waiting.forEach(each -> each.end(ErrorCode.UNAVAILABLE));
        answers.forEach(each -> each.cancel(true));
        threads.shutdown();
    }

    /** A caller that waits. Whoever ends its wait interrupts its thread, which does not see that afterwards. */
    private static final class Waiting implements Monitor.Watched {
        private final Thread thread = Thread.currentThread();
        private final long deadline;
        private boolean left;
        private ErrorCode reason;

        Waiting(long deadline) {
            this.deadline = deadline;
        }

        @Override
        public long look(long now) {
            if (now - deadline < 0) {
                return deadline;
            }
            // At each look again: what it waits in may have lost the first interrupt.
            end(ErrorCode.DEADLINE_EXCEEDED);
            return now + TimeUnit.MILLISECONDS.toNanos(100);
        }

        synchronized void end(ErrorCode why) {
            if (!left) {
                reason = reason == null ? why : reason;
                thread.interrupt();
            }
        }

        /** Why somebody ended the wait, or null. */
        synchronized ErrorCode leave() {
            left = true;
            if (reason != null) {
                Thread.interrupted();
            }
            return reason;
        }
    }

    /**
     * Sends a request and waits for the answer.
     *
     * @param deadline the {@link System#nanoTime} of its end
     */
    HttpResponse<HttpBody.Collected> call(HttpRequest request, long deadline) throws Exception {
        Waiting wait = new Waiting(deadline);
        Exception failure;
        ErrorCode ended = null;
        waiting.add(wait);
        Monitor.shared().add(wait);
        Monitor.shared().expect(deadline);
        try {
            checkOpen();
            lookUp(deadline);
            return client.send(request, info -> new HttpBody(limits));
        } catch (InterruptedException | IOException | RuntimeException e) {
            failure = e;
        } finally {
            Monitor.shared().remove(wait);
            waiting.remove(wait);
            ended = wait.leave();
        }
        if (ended == ErrorCode.UNAVAILABLE) {
            throw closedError(failure);
        }
        if (ended != null) {
            throw TcpAnswer.deadlineExceeded(address);
        }
        if (failure instanceof InterruptedException || Thread.currentThread().isInterrupted()) {
            Thread.currentThread().interrupt();
            throw CreoException.ofRuntime(ErrorCode.CANCELLED, "the caller was interrupted", failure);
        }
        if (failure(failure) instanceof Exception e) {
            throw e;
        }
        throw (Error) failure.getCause();
    }

    /** What a caller is told of a failure of the client. */
    private Throwable failure(Throwable e) {
        Throwable cause = e instanceof CompletionException && e.getCause() != null ? e.getCause() : e;
        // What the collector of a body throws comes within an exception of the client.
        if (cause instanceof IOException && (cause.getCause() instanceof CreoException || cause.getCause() instanceof Error)) {
            return cause.getCause();
        }
        if (cause instanceof IOException io) {
            return plain ? HttpFailures.ofPlain(address, uri, io) : HttpFailures.ofSecure(address, uri, io);
        }
        return cause;
    }

    /** Runs a task on a thread of the pool, or here if the channel is closed, so that no call stays without an end. */
    private void run(Runnable task) {
        try {
            threads.execute(task);
        } catch (RejectedExecutionException e) {
            task.run();
        }
    }

    /** Sees to it that the JDK knows the address of the host, since it asks for it on the thread of the call, for as long as that takes. */
    private void lookUp(long deadline) throws InterruptedException {
        if (isKnown()) {
            return;
        }
        CompletableFuture<Void> known = new CompletableFuture<>();
        run(() -> {
            try {
                lookUp();
            } finally {
                known.complete(null);
            }
        });
        try {
            known.get(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            throw TcpAnswer.deadlineExceeded(address);
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    private boolean isKnown() {
        return !named || nameHolds - System.nanoTime() > 0;
    }

    private void lookUp() {
        try {
            ProxySelector proxies = ProxySelector.getDefault();
            if (proxies == null || proxies.select(uri).stream().allMatch(proxy -> proxy.type() == Proxy.Type.DIRECT)) {
                InetAddress.getByName(uri.getHost());
            }
            nameHolds = System.nanoTime() + NAME_HOLDS;
        } catch (UnknownHostException | RuntimeException e) {
            // The client finds out as well, and quickly now; it is its failure that the caller gets.
        }
    }

    /** What arrives for a call that nobody waits for. */
    static final class Answer extends CompletableFuture<HttpResponse<HttpBody.Collected>> {
        private volatile CompletableFuture<?> exchange;

        void follow(CompletableFuture<HttpResponse<HttpBody.Collected>> begun) {
            exchange = begun;
            begun.whenComplete((response, e) -> {
                if (e == null) {
                    complete(response);
                } else {
                    completeExceptionally(e);
                }
            });
            if (isDone()) {
                begun.cancel(true);
            }
        }

        /** Ends the exchange, too. */
        @Override
        public boolean cancel(boolean mayInterruptIfRunning) {
            boolean cancelled = super.cancel(mayInterruptIfRunning);
            CompletableFuture<?> begun = exchange;
            if (begun != null) {
                begun.cancel(true);
            }
            return cancelled;
        }
    }

    /** What is done with an answer, on a thread that may be kept long. */
    interface Receiver {
        /** Of the two, one is null. */
        void receive(HttpResponse<HttpBody.Collected> response, Throwable failure);
    }

    /**
     * Sends a request and returns at once.
     *
     * @return what ends the call when it is cancelled
     */
    Answer callAsync(HttpRequest request, long deadline, Receiver receiver) {
        Answer answer = new Answer();
        answers.add(answer);
        answer.orTimeout(deadline - System.nanoTime(), TimeUnit.NANOSECONDS).whenCompleteAsync((response, e) -> {
            answers.remove(answer);
            if (e == null) {
                receiver.receive(response, null);
                return;
            }
            // What has not begun yet does not begin any more, and what has begun ends.
            answer.cancel(true);
            Throwable cause = e instanceof CompletionException && e.getCause() != null ? e.getCause() : e;
            if (cause instanceof TimeoutException) {
                receiver.receive(null, TcpAnswer.deadlineExceeded(address));
            } else if (cause instanceof CancellationException) {
                receiver.receive(null, closedError(cause));
            } else {
                receiver.receive(null, failure(cause));
            }
        }, this::run);
        if (closed) {
            answer.cancel(true);
        }
        run(() -> begin(request, answer));
        return answer;
    }

    private void begin(HttpRequest request, Answer answer) {
        try {
            if (!isKnown() && !answer.isDone()) {
                lookUp();
            }
            if (!answer.isDone()) {
                answer.follow(client.sendAsync(request, info -> new HttpBody(limits)));
            }
        } catch (RuntimeException | Error e) {
            answer.completeExceptionally(e);
        }
    }
}
