package creo.runtime.internal.http;

import creo.runtime.ClientOptions;
import creo.runtime.CreoException;
import creo.runtime.ErrorCode;
import creo.runtime.Limits;
import creo.runtime.internal.buffer.Failures;
import creo.runtime.internal.buffer.Threads;
import creo.runtime.internal.call.CallObserver;
import creo.runtime.internal.net.Deadlines;
import creo.runtime.internal.net.TcpConnector;
import java.io.IOException;
import java.net.URI;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.ReentrantLock;
import javax.net.ssl.SSLContext;

/**
 * Sends requests to one service. Each uses its own connection, which is kept for later ones, and ends at its deadline in any state. The calling
 * thread does everything but connecting. Independent of wires.
 */
final class HttpCaller {
    private final URI uri;
    private final String address;
    private final boolean secure;
    private final Limits limits;
    private final ExecutorService threads;
    private final HttpProxy proxy;
    private final TcpConnector connector;
    private final ReentrantLock lock = new ReentrantLock();
    private final ArrayDeque<HttpConnection> idle = new ArrayDeque<>();
    private final Set<HttpConnection> connections = new HashSet<>();
    private volatile boolean closed;

    HttpCaller(URI uri, ClientOptions options) {
        String scheme = uri.getScheme() == null ? "" : uri.getScheme().toLowerCase(Locale.ROOT);
        if (!scheme.equals("http") && !scheme.equals("https") || uri.getHost() == null) {
            throw new IllegalArgumentException("the URL of a service begins with http:// or https:// and names a host, unlike " + uri);
        }
        this.uri = uri;
        this.secure = scheme.equals("https");
        this.limits = options.limits();
        this.threads = Threads.executor("creo-client");
        this.proxy = new HttpProxy(uri, options);
        String host = uri.getHost().startsWith("[") ? uri.getHost().substring(1, uri.getHost().length() - 1) : uri.getHost();
        int port = uri.getPort() >= 0 ? uri.getPort() : secure ? 443 : 80;
        this.connector = new TcpConnector(host, port, secure ? tls(options) : null, limits, threads, proxy);
        this.address = connector.address();
    }

    private static SSLContext tls(ClientOptions options) {
        try {
            return options.tls() != null ? options.tls() : SSLContext.getDefault();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this JDK has no context for TLS", e);
        }
    }

    String address() {
        return address;
    }

    /** The beginning of requests to a URI. */
    HttpRequest.Target target(URI place) {
        return HttpRequest.Target.of(place, proxy);
    }

    void checkOpen() {
        if (closed) {
            throw Failures.notStarted(connector.closedError(null));
        }
    }

    /** Runs a task on a new thread, or on this one if no threads are available any more. */
    void run(Runnable task) {
        try {
            threads.execute(task);
        } catch (RejectedExecutionException | OutOfMemoryError e) {
            task.run();
        }
    }

    ExecutorService threads() {
        return threads;
    }

    /**
     * Sends a request and waits for the answer.
     *
     * @param exchange takes the body of the answer as it comes; null for a whole answer
     */
    HttpResponse call(HttpRequest request, HttpCall call, HttpConnection.Exchange exchange) {
        boolean repeated = false;
        while (true) {
            HttpConnection connection;
            try {
                connection = repeated || request.open() ? open(call) : borrow(call);
            } catch (CreoException e) {
                throw Failures.notStarted(e);
            }
            CallObserver.reached(call.options(), address);
            boolean kept = connection.wasUsed();
            boolean begun = false;
            try {
                checkTime(call);
                begun = true;
                return connection.exchange(request, call, exchange);
            } catch (IOException e) {
                checkEnded(call, e);
                if (!kept || !connection.isUnsent()) {
                    throw failure(e, call, !kept && !connection.isProxied());
                }
                repeated = true;
            } catch (HttpFault e) {
                throw HttpFailures.ofFault(address, limits, e);
            } catch (CreoException e) {
                throw begun ? e : Failures.notStarted(e);
            } finally {
                giveBack(connection);
            }
        }
    }

    private void checkTime(HttpCall call) {
        checkEnded(call, null);
        if (call.deadline() - System.nanoTime() <= 0) {
            throw Deadlines.exceeded(address);
        }
    }

    /** Throws the reason if the call was ended; the cause may be null. */
    private void checkEnded(HttpCall call, IOException e) {
        ErrorCode reason = call.reason();
        if (closed) {
            throw connector.closedError(e);
        }
        if (reason == ErrorCode.DEADLINE_EXCEEDED) {
            throw Deadlines.exceeded(address);
        }
        if (reason != null || Thread.currentThread().isInterrupted()) {
            throw CreoException.ofRuntime(ErrorCode.CANCELLED, reason != null ? "the call was cancelled" : "the caller was interrupted", e);
        }
    }

    /** @param fresh whether the connection is new and direct, so the service may speak another protocol */
    private CreoException failure(IOException e, HttpCall call, boolean fresh) {
        return fresh ? HttpFailures.ofFresh(address, uri, call.deadline(), threads, e) : HttpFailures.of(address, e);
    }

    /** A pooled connection that is alive, or a new one. */
    private HttpConnection borrow(HttpCall call) {
        while (true) {
            HttpConnection connection;
            lock.lock();
            try {
                connection = idle.pollFirst();
            } finally {
                lock.unlock();
            }
            if (connection == null) {
                return open(call);
            }
            if (connection.isQuiet()) {
                return connection;
            }
            discard(connection);
        }
    }

    private HttpConnection open(HttpCall call) {
        checkTime(call);
        HttpConnection connection;
        try {
            connection = new HttpConnection(connector.open(call.deadline()), this, limits);
        } catch (IOException e) {
            throw failure(e, call, true);
        }
        boolean kept;
        lock.lock();
        try {
            kept = !closed && connections.add(connection);
        } finally {
            lock.unlock();
        }
        if (!kept) {
            connection.close();
            throw connector.closedError(null);
        }
        return connection;
    }

    private void giveBack(HttpConnection connection) {
        boolean keep = connection.isUsable();
        if (keep) {
            lock.lock();
            try {
                keep = !closed;
                if (keep) {
                    idle.addFirst(connection);
                }
            } finally {
                lock.unlock();
            }
        }
        if (!keep) {
            discard(connection);
        }
    }

    private void discard(HttpConnection connection) {
        lock.lock();
        try {
            connections.remove(connection);
        } finally {
            lock.unlock();
        }
        connection.close();
    }

    /** Closes a connection unless a call uses it. */
    void discardIdle(HttpConnection connection) {
        boolean removed;
        lock.lock();
        try {
            removed = idle.remove(connection);
        } finally {
            lock.unlock();
        }
        if (removed) {
            discard(connection);
        }
    }

    /** Ends the calls in progress. */
    void close() {
        Set<HttpConnection> open;
        lock.lock();
        try {
            closed = true;
            open = Set.copyOf(connections);
            connections.clear();
            idle.clear();
        } finally {
            lock.unlock();
        }
        connector.close();
        open.forEach(HttpConnection::close);
        threads.shutdown();
    }
}
