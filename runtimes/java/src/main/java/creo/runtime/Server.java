package creo.runtime;

import creo.runtime.internal.buffer.Threads;
import creo.runtime.internal.host.EventLoop;
import creo.runtime.internal.host.Host;
import creo.runtime.internal.host.HostServices;
import creo.runtime.internal.host.HttpService;
import creo.runtime.internal.host.ServerPort;
import creo.runtime.internal.host.ServerTls;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.net.ssl.SSLContext;

/**
 * Serves interfaces: every wire on one port, or on separate ports.
 *
 * <pre>{@code
 * Server server = Server.builder().bind("127.0.0.1", 4711).add(DataServiceEndpoint.of(new MyDataService())).start();
 * }</pre>
 *
 * <p>The server keeps the program alive until it is closed.
 */
public final class Server implements AutoCloseable {
    private static final int MAX_LOOPS = 16;
    private static final System.Logger LOG = System.getLogger("creo.runtime");

    private final List<ServerPort> ports;
    private final List<EventLoop> loops;
    private final HttpService http;
    private final ServerTls tls;
    private final Host host;
    private final AtomicBoolean closing = new AtomicBoolean();
    private final CountDownLatch ended = new CountDownLatch(1);

    private Server(List<ServerPort> ports, List<EventLoop> loops, HttpService http, ServerTls tls, Host host) {
        this.ports = ports;
        this.loops = loops;
        this.http = http;
        this.tls = tls;
        this.host = host;
    }

    public static Builder builder() {
        return new Builder();
    }

    /**
     * The port of the binary wire: the chosen free port if it was bound to port 0.
     *
     * @throws IllegalStateException if it serves HTTP alone
     */
    public int port() {
        return address().getPort();
    }

    /**
     * The address of the binary wire.
     *
     * @throws IllegalStateException if it serves HTTP alone
     */
    public InetSocketAddress address() {
        return ports.stream().filter(port -> port.offer().creo()).findFirst()
            .orElseThrow(() -> new IllegalStateException("this server serves HTTP alone")).address();
    }

    /**
     * The port of HTTP: the one for HTTP alone if there is one, otherwise the port of all wires.
     *
     * @throws IllegalStateException if it does not serve HTTP
     */
    public int httpPort() {
        return ports.stream().filter(port -> port.offer().http() != null).min(Comparator.comparing(port -> port.offer().creo()))
            .orElseThrow(() -> new IllegalStateException("this server does not serve HTTP")).port();
    }

    /**
     * Replaces the keys and certificates of TLS for new connections; open connections are not affected.
     *
     * @throws IllegalStateException if the server was built without TLS
     */
    public void reloadTls(SSLContext context) {
        if (tls == null) {
            throw new IllegalStateException("this server has no TLS");
        }
        tls.reload(Objects.requireNonNull(context, "context"));
    }

    /** Waits until the server has ended. */
    public void join() throws InterruptedException {
        ended.await();
    }

    /**
     * Drains and ends: accepts no further connection or call, answers the calls in progress, and returns when that is done, at the latest after the
     * drain time (LIM-13).
     */
    @Override
    public void close() {
        if (closing.compareAndSet(false, true)) {
            http.drain();
            ports.forEach(ServerPort::drain);
            long until = System.nanoTime() + host.limits().drainTime().toNanos();
            boolean interrupted = false;
            while (!(ports.stream().allMatch(ServerPort::isIdle) && host.isIdle()) && System.nanoTime() - until < 0 && !interrupted) {
                try {
                    Thread.sleep(5);
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
            ports.forEach(ServerPort::abort);
            for (ServerPort port : ports) {
                try {
                    port.awaitEnd();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
            loops.forEach(EventLoop::close);
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

    /** Configures a server. */
    public static final class Builder {
        /** An address and the protocols that it serves. */
        private record Place(InetSocketAddress address, boolean creo, boolean http) {}

        private static final Place LOCAL = new Place(new InetSocketAddress("127.0.0.1", 0), true, true);

        private final List<Place> places = new ArrayList<>();
        private final List<Endpoint> endpoints = new ArrayList<>();
        private final Map<String, List<Endpoint>> paths = new LinkedHashMap<>();
        private Limits limits = Limits.DEFAULT;
        private SSLContext tls;
        private ClientCertificates clientCertificates = ClientCertificates.NONE;
        private boolean plain;
        private Authenticator authenticator;
        private final List<ServerInterceptor> interceptors = new ArrayList<>();
        private RawMessages rawMessages;
        private boolean compression;
        private boolean reflection;
        private Set<String> origins = Set.of();

        private Builder() {}

        /**
         * Adds an address that serves every wire: the first bytes of a connection distinguish the binary wire from HTTP. Port 0 means any free port.
         * By default, without {@link #tcp} and {@link #http}, it is a free port that only this machine can reach.
         */
        public Builder bind(String host, int port) {
            places.add(new Place(new InetSocketAddress(host, port), true, true));
            return this;
        }

        /** Adds an address that serves only the binary wire and tables, over TCP; port 0 means any free port. */
        public Builder tcp(String host, int port) {
            places.add(new Place(new InetSocketAddress(host, port), true, false));
            return this;
        }

        /** Adds an address that serves only HTTP: SOAP, JSON and tables; port 0 means any free port. */
        public Builder http(String host, int port) {
            places.add(new Place(new InetSocketAddress(host, port), false, true));
            return this;
        }

        /** Adds an interface; its HTTP path is its name, such as {@code /DataService}. */
        public Builder add(Endpoint endpoint) {
            return add(endpoint, HttpService.pathOf(Objects.requireNonNull(endpoint, "endpoint")));
        }

        /** Adds an interface with the given HTTP path. */
        public Builder add(Endpoint endpoint, String path) {
            endpoints.add(Objects.requireNonNull(endpoint, "endpoint"));
            paths.computeIfAbsent(HttpService.checked(path), key -> new ArrayList<>()).add(endpoint);
            return this;
        }

        public Builder limits(Limits limits) {
            this.limits = Objects.requireNonNull(limits, "limits");
            return this;
        }

        /** Uses TLS, with the context's certificate, at every address. Refuses connections without TLS, unless {@link #acceptPlain} is called. */
        public Builder tls(SSLContext context) {
            tls = Objects.requireNonNull(context, "context");
            return this;
        }

        /** Whether clients are asked for certificates in TLS. A method finds them in its {@link CallContext}. */
        public Builder clientCertificates(ClientCertificates wanted) {
            clientCertificates = Objects.requireNonNull(wanted, "wanted");
            return this;
        }

        /** Accepts connections without TLS as well. */
        public Builder acceptPlain() {
            plain = true;
            return this;
        }

        /**
         * Allows web pages to call over HTTP (CORS).
         *
         * @param origins of the pages, such as {@code https://example.org}; {@code *} is any
         */
        public Builder cors(String... origins) {
            this.origins = Set.of(origins);
            return this;
        }

        /** Sets the authenticator. */
        public Builder authenticator(Authenticator authenticator) {
            this.authenticator = Objects.requireNonNull(authenticator, "authenticator");
            return this;
        }

        /** Shows each message of calls to this, such as a {@link RawLog} (CALL-60 to CALL-68). */
        public Builder rawMessages(RawMessages hook) {
            rawMessages = Objects.requireNonNull(hook, "hook");
            return this;
        }

        /** Adds an interceptor: it sees the beginning of a call after those added before, and the end before them. */
        public Builder interceptor(ServerInterceptor interceptor) {
            interceptors.add(Objects.requireNonNull(interceptor, "interceptor"));
            return this;
        }

        /** Compresses TCP answers of 1,024 bytes and more for clients that can read them. Over HTTP, the client requests compression. */
        public Builder compression() {
            compression = true;
            return this;
        }

        /**
         * Tells callers of the binary wire which interfaces and methods are served, for tools such as {@code creo list}, and returns the descriptions
         * with all their comments. Without this, such requests are refused.
         */
        public Builder reflection() {
            reflection = true;
            return this;
        }

        /**
         * Starts serving.
         *
         * @throws UncheckedIOException if an address cannot be bound
         */
        public Server start() {
            List<Place> all = places.isEmpty() ? List.of(LOCAL) : places;
            for (Place each : all) {
                if (each.address().isUnresolved()) {
                    throw new UncheckedIOException(new IOException("no address for the host " + each.address().getHostString()));
                }
            }
            return start(all, Threads.executor("creo-server"), Threads.daemons("creo-reader"));
        }

        /** Starts with the caller's threads. */
        Server start(ExecutorService threads, ThreadFactory readers) {
            return start(List.of(LOCAL), threads, readers);
        }

        /** One loop for every two processors. The other half is left to slow methods and to the operating system's network code. */
        private static int loopCount(int processors) {
            return Math.min(MAX_LOOPS, Math.max(1, processors / 2));
        }

        private Server start(List<Place> all, ExecutorService threads, ThreadFactory readers) {
            List<ServerPort> ports = new ArrayList<>();
            List<EventLoop> loops = new ArrayList<>();
            try {
                Host host = new Host(endpoints, limits, threads, new Host.Watchers(authenticator, interceptors, rawMessages), readers);
                boolean alone = all.stream().anyMatch(place -> place.http() && !place.creo());
                host.serveOwn(HostServices.health(endpoints, () -> host.isDraining() ? "draining" : "serving"));
                if (reflection) {
                    host.serveOwn(HostServices.reflection(endpoints));
                }
                HttpService http = new HttpService(host, paths, origins, alone);
                ServerTls secure = tls == null ? null : new ServerTls(tls, clientCertificates);
                for (int i = loopCount(Runtime.getRuntime().availableProcessors()); i > 0; i--) {
                    loops.add(new EventLoop(host.readers()));
                }
                for (Place each : all) {
                    ports.add(new ServerPort(host, loops, each.address(), new ServerPort.Offer(each.creo(), each.http() ? http : null, secure, plain, compression)));
                }
                host.connections().serve(loops);
                loops.forEach(EventLoop::start);
                for (ServerPort port : ports) {
                    port.start();
                    LOG.log(System.Logger.Level.DEBUG, "serving on {0}", port.address());
                }
                return new Server(List.copyOf(ports), List.copyOf(loops), http, secure, host);
            } catch (IOException | RuntimeException e) {
                ports.forEach(ServerPort::drain);
                loops.forEach(EventLoop::close);
                threads.shutdown();
                throw e instanceof IOException io ? new UncheckedIOException(io) : (RuntimeException) e;
            }
        }

    }
}
