package creo.runtime;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.net.ssl.SSLContext;

/**
 * Serves interfaces on a port.
 *
 * <pre>{@code
 * Server server = Server.builder().bind("127.0.0.1", 4711).add(DataServiceEndpoint.of(new MyDataService())).start();
 * }</pre>
 *
 * <p>The program lives on until the server is closed.
 */
public final class Server implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger("creo.runtime");

    /** One of the two may be null. */
    private final TcpListener listener;
    private final HttpListener http;
    private final Host host;
    private final Limits limits;
    private final AtomicBoolean closing = new AtomicBoolean();
    private final CountDownLatch ended = new CountDownLatch(1);

    private Server(TcpListener listener, HttpListener http, Host host, Limits limits) {
        this.listener = listener;
        this.http = http;
        this.host = host;
        this.limits = limits;
    }

    public static Builder builder() {
        return new Builder();
    }

    /**
     * The port of the binary wire: the one that was free if it was bound to port 0.
     *
     * @throws IllegalStateException if it serves HTTP alone
     */
    public int port() {
        return tcp().port();
    }

    /** The address of the binary wire. */
    public InetSocketAddress address() {
        return tcp().address();
    }

    private TcpListener tcp() {
        if (listener == null) {
            throw new IllegalStateException("this server serves HTTP alone");
        }
        return listener;
    }

    /**
     * The port of HTTP: the one that was free if it was bound to port 0.
     *
     * @throws IllegalStateException if it does not serve HTTP
     */
    public int httpPort() {
        if (http == null) {
            throw new IllegalStateException("this server does not serve HTTP");
        }
        return http.port();
    }

    /** Waits until the server has ended. */
    public void join() throws InterruptedException {
        ended.await();
    }

    /**
     * Drains and ends: takes no further connection or call, answers the calls under way, and returns when that is done, at the latest
     * after the drain time (LIM-13).
     */
    @Override
    public void close() {
        if (closing.compareAndSet(false, true)) {
            if (listener != null) {
                listener.drain();
            }
            if (http != null) {
                http.drain();
            }
            long until = System.nanoTime() + limits.drainTime().toNanos();
            boolean interrupted = false;
            while (!isIdle() && System.nanoTime() - until < 0 && !interrupted) {
                try {
                    Thread.sleep(5);
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
            if (listener != null) {
                listener.abort();
            }
            if (http != null) {
                http.abort();
            }
            host.shutdown();
            ended.countDown();
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
            return;
        }
        try {
            join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean isIdle() {
        return (listener == null || listener.isIdle()) && (http == null || http.isIdle());
    }

    /** What a server is made of. */
    public static final class Builder {
        private InetSocketAddress address;
        private InetSocketAddress httpAddress;
        private final List<Endpoint> endpoints = new ArrayList<>();
        private final Map<String, List<Endpoint>> places = new LinkedHashMap<>();
        private Limits limits = Limits.DEFAULT;
        private SSLContext tls;
        private Authenticator authenticator;
        private boolean compression;

        private Builder() {}

        /**
         * Where it serves the binary wire; port 0 stands for any free one. Without this and without {@link #http}, it is a free port that only
         * this machine reaches.
         */
        public Builder bind(String host, int port) {
            address = new InetSocketAddress(host, port);
            return this;
        }

        /** Where it serves SOAP over HTTP; port 0 stands for any free one. The same interfaces may be served on both. */
        public Builder http(String host, int port) {
            httpAddress = new InetSocketAddress(host, port);
            return this;
        }

        /** One more interface; over HTTP, at the path of its name, such as {@code /DataService}. */
        public Builder add(Endpoint endpoint) {
            String name = Objects.requireNonNull(endpoint, "endpoint").service().name();
            return add(endpoint, "/" + name.substring(name.lastIndexOf('.') + 1));
        }

        /** One more interface; over HTTP, at the given path. */
        public Builder add(Endpoint endpoint, String path) {
            if (!path.startsWith("/") || path.indexOf('?') >= 0 || path.indexOf('#') >= 0) {
                throw new IllegalArgumentException("a path begins with a slash and has no query, unlike " + path);
            }
            endpoints.add(Objects.requireNonNull(endpoint, "endpoint"));
            places.computeIfAbsent(path, key -> new ArrayList<>()).add(endpoint);
            return this;
        }

        public Builder limits(Limits limits) {
            this.limits = Objects.requireNonNull(limits, "limits");
            return this;
        }

        /** TLS, with the certificate of the context. */
        public Builder tls(SSLContext context) {
            tls = Objects.requireNonNull(context, "context");
            return this;
        }

        /** Who finds out who calls. */
        public Builder authenticator(Authenticator authenticator) {
            this.authenticator = Objects.requireNonNull(authenticator, "authenticator");
            return this;
        }

        /** Compresses answers of 1,024 bytes and more, where the client reads it. */
        public Builder compression() {
            compression = true;
            return this;
        }

        /**
         * Starts to serve.
         *
         * @throws UncheckedIOException when the address cannot be had
         */
        public Server start() {
            InetSocketAddress tcp = address == null && httpAddress == null ? new InetSocketAddress("127.0.0.1", 0) : address;
            for (InetSocketAddress each : new InetSocketAddress[] {tcp, httpAddress}) {
                if (each != null && each.isUnresolved()) {
                    throw new UncheckedIOException(new IOException("no address for the host " + each.getHostString()));
                }
            }
            ExecutorService threads = Threads.executor("creo-server");
            HttpListener http = null;
            try {
                Host host = new Host(endpoints, limits, threads, authenticator);
                http = httpAddress == null ? null : new HttpListener(host, httpAddress, tls, places);
                TcpListener listener = tcp == null ? null : new TcpListener(host, tcp, tls, compression);
                Server server = new Server(listener, http, host, limits);
                if (listener != null) {
                    listener.start();
                    LOG.log(System.Logger.Level.DEBUG, "serving on {0}", listener.address());
                }
                if (http != null) {
                    http.start();
                    LOG.log(System.Logger.Level.DEBUG, "serving HTTP on port {0}", http.port());
                }
                return server;
            } catch (IOException | RuntimeException e) {
                if (http != null) {
                    http.abort();
                }
                threads.shutdown();
                throw e instanceof IOException io ? new UncheckedIOException(io) : (RuntimeException) e;
            }
        }
    }
}
